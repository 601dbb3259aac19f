"""Throughput of every layout, growth with size, memory, engines, cold starts, worst patterns: printed as measured.

Machines differ and are noisy: quote ratios and medians of one run. Beside markup and JSON stands the speed of the bare
reader (lxml, ``json.loads``) on the same dumps: what a layout can reach at most. Generated dumps come from
``tests/sources/<source>/bulk.py``; everything is written below a temporary folder.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Final
from unittest.mock import patch

import pyparsing as pp
from lxml import etree
from rich.console import Console

from benchmarks.bulk import MEGABYTE, ROOT, dumps, layouts, size_of, write
from benchmarks.compare import HEAD as BATCHES_HEAD
from benchmarks.compare import compare as batches
from benchmarks.engines import HEAD as ENGINES_HEAD
from benchmarks.engines import compare
from benchmarks.patterns import HEAD as PATTERNS_HEAD
from benchmarks.patterns import worst_patterns
from parsers._markup import make_parser
from parsers._registry import sources
from pipeline.plan import make_plan
from pipeline.refresh import refresh_source
from pipeline.settings import Settings

SMALL: Final = 10 * MEGABYTE
LARGE: Final = 40 * MEGABYTE
READERS: Final[dict[str, tuple[str, Callable[[str], object]]]] = {
    ".json": ("json", json.loads),
    ".html": ("lxml", lambda text: etree.fromstring(text.encode(), make_parser())),
    ".xml": ("lxml", lambda text: etree.fromstring(text.encode(), make_parser(xml=True))),
}
HEAD: Final = (
    "parse + normalize + validate; dumps of 5 MB, median of 3; growth: time per byte at 40 MB / at 10 MB; "
    "grammar: its share; memory: peak at 40 MB\n"
    "source     layout                   MB/s   bare reader   growth  grammar   memory"
)


def main() -> None:
    """Run every benchmark, or, with arguments, measure one layout in this process."""
    if sys.argv[1:]:
        measure(*sys.argv[1:])
        return
    console = Console(soft_wrap=True, highlight=False)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        console.print(HEAD)
        for source, layout in layouts():
            console.print(throughput(root / f"{source}-{layout}", source, layout))
        console.print(f"\nengines over 100 MB of all layouts\n{ENGINES_HEAD}")
        for line in compare(root / "engines", 100):
            console.print(line)
        console.print(f"\n{BATCHES_HEAD}")
        for line in batches(root / "batches", None):
            console.print(line)
        console.print("\ncold starts, whole process, median of 5")
        for line in cold_starts(root):
            console.print(line)
    console.print(f"\n{PATTERNS_HEAD}")
    for line in worst_patterns():
        console.print(line, markup=False)


def throughput(folder: Path, source: str, layout: str) -> str:
    """Time one layout at two sizes: its speed and that of the bare reader, growth, grammar, memory; leave no files."""
    small, large = folder / "small", folder / "large"
    write(small, source, layout, SMALL)
    write(large, source, layout, LARGE)
    runs = [timed(small, source) for _ in range(3)]
    seconds = median(run[0] for run in runs)
    grammar = median(run[1] for run in runs)
    bare = bare_reader(small)
    command = [sys.executable, "-m", "benchmarks", str(large), source]
    measured = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    growth = float(measured[0]) / size_of(large) / (seconds / size_of(small))
    size = size_of(small)
    shutil.rmtree(folder)
    return (
        f"{source:<10} {layout:<20} {size / seconds / MEGABYTE:8.1f}   {bare:>11}   {growth:6.2f}"
        f"  {grammar / seconds:7.1%}  {measured[1]:>4} MB"
    )


def bare_reader(folder: Path) -> str:
    """Return the speed of the bare reader of markup or JSON on the dumps of a folder, median of 3."""
    files = list(dumps(folder))
    if files[0].suffix not in READERS:
        return "-"
    texts = [file.read_text(encoding="utf-8") for file in files]
    name, reader = READERS[files[0].suffix]
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            reader(text)
        times.append(time.perf_counter() - start)
    return f"{name} {size_of(folder) / median(times) / MEGABYTE:6.1f}"


def timed(folder: Path, source: str) -> tuple[float, float]:
    """Return the seconds of all stages but publishing, and those of them that the grammar took."""
    spent = [0.0]
    real = pp.ParserElement.parse_string

    def counted(grammar: pp.ParserElement, text: str, parse_all: bool = False) -> pp.ParseResults:
        start = time.perf_counter()
        try:
            return real(grammar, text, parse_all)
        finally:
            spent[0] += time.perf_counter() - start

    with patch.object(pp.ParserElement, "parse_string", counted):
        start = time.perf_counter()
        run(folder, source)
        return time.perf_counter() - start, spent[0]


def run(folder: Path, source: str) -> None:
    """Run the stages of one source, publishing left out; anything but a clean outcome ends the benchmark."""
    plan = make_plan(Settings(folder, folder / "out"), [source])
    outcome = refresh_source(plan, source)
    if outcome.error or outcome.records is None or not outcome.quarantine.is_empty():
        raise SystemExit(f"{source}: not a clean run: {outcome.error} {outcome.quarantine.head(3)}")


def measure(folder: str, source: str) -> None:
    """Run the stages of one source in this process; print the seconds that they took and the peak memory in MB.

    Read from the kernel's own account of this program image: the resource usage of a child begins, on Linux, with the
    peak of the process that started it.
    """
    seconds, _ = timed(Path(folder), source)
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    sys.stdout.write(f"{seconds} {peak * 1024 / MEGABYTE:.0f}\n")


def cold_starts(root: Path) -> Iterator[str]:
    """Time the direct refresh of one source, and the flow on the embedded server with our share of it."""
    raw = os.environ.get("CONSPECTUS_RAW", str(ROOT / "raw"))
    for source in sources():
        command = [sys.executable, "-m", "pipeline", "refresh", source, "--raw", raw, "--out", str(root / "direct")]
        yield f"conspectus refresh {source:<10} {median(wall(command) for _ in range(5)):6.2f} s"
    everything = [sys.executable, "-m", "pipeline", "refresh", "--raw", raw, "--out", str(root / "direct")]
    ours = median(wall(everything) for _ in range(5))
    flow = [sys.executable, "flows.py", "--raw", raw, "--out", str(root / "flow")]
    wall(flow)
    second = median(wall(flow) for _ in range(3))
    yield f"conspectus refresh            {ours:6.2f} s"
    share = ours / second
    yield f"python flows.py, second start {second:6.2f} s, of which ours {share:.0%}, Prefect's {1 - share:.0%}"


def wall(command: list[str]) -> float:
    """Return the wall time of a process in seconds."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
