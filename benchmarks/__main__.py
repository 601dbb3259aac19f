"""Throughput of every layout, growth with size, memory, cold starts; medians, printed as they are measured.

Machines differ and are noisy: quote ratios and medians of one run. Generated dumps come from
``tests/sources/<source>/bulk.py``; everything is written below a temporary folder.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final
from unittest.mock import patch

import pyparsing as pp
from rich.console import Console

from parsers._registry import sources
from pipeline.refresh import make_plan, refresh_source
from pipeline.settings import Settings
from tests.bulk import Bulk

MEGABYTE: Final = 1_000_000
ROOT: Final = Path(__file__).parent.parent
SIDECAR: Final = "year = 2025\ncaptured_at = 2025-07-30T00:00:00Z\n"


def main() -> None:
    """Run every benchmark, or, with arguments, measure the memory of one layout in this process."""
    if sys.argv[1:]:
        measure_memory(*sys.argv[1:])
        return
    console = Console(soft_wrap=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        console.print("parse + normalize + validate, one core, median of 3; 20 MB and 80 MB in dumps of 5 MB")
        for source, layout in layouts():
            console.print(throughput(root / f"{source}-{layout}", source, layout), highlight=False)
        console.print("\ncold starts, whole process, median of 5")
        for line in cold_starts(root):
            console.print(line, highlight=False)


def layouts() -> Iterator[tuple[str, str]]:
    """Yield every source and layout that has a generator of bulk."""
    for source in sources():
        if find_spec(f"tests.sources.{source}.bulk"):
            for layout in import_module(f"tests.sources.{source}.bulk").BULK:
                yield source, layout


def throughput(folder: Path, source: str, layout: str) -> str:
    """Time one layout at two sizes, the share of its grammar, and the peak memory of a process that reads 80 MB."""
    small, large = folder / "small", folder / "large"
    write(small, source, layout, 20 * MEGABYTE)
    write(large, source, layout, 80 * MEGABYTE)
    runs = [timed(small, source) for _ in range(3)]
    seconds = median(run[0] for run in runs)
    grammar = median(run[1] for run in runs)
    longer = median(timed(large, source)[0] for _ in range(3))
    command = [sys.executable, "-m", "benchmarks", str(large), source]
    memory = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    return (
        f"{source:<10} {layout:<20} {size_of(small) / seconds / MEGABYTE:6.1f} MB/s, "
        f"time per byte at 80 MB / at 20 MB {longer / size_of(large) / (seconds / size_of(small)):.2f}, "
        f"grammar {grammar / seconds:6.1%}, peak memory at 80 MB {memory} MB"
    )


def write(folder: Path, source: str, layout: str, size: int) -> None:
    """Write dumps of at most 5 MB each until ``size`` bytes are there."""
    bulk: Bulk = import_module(f"tests.sources.{source}.bulk").BULK[layout]
    (folder / source).mkdir(parents=True)
    blocks = bulk.blocks()
    top = next(blocks)
    for number in count():
        file = folder / source / f"{number:03}{bulk.suffix}"
        with file.open("w", encoding="utf-8") as opened:
            length = opened.write(top + next(blocks))
            while length < 4.9 * MEGABYTE:
                length += opened.write(bulk.between + next(blocks))
            opened.write(bulk.bottom)
        file.with_name(file.name + ".meta.toml").write_text(SIDECAR)
        if size_of(folder) >= size:
            return


def size_of(folder: Path) -> int:
    """Return the bytes of the dumps below a folder."""
    return sum(file.stat().st_size for file in folder.glob("*/0*") if file.suffix != ".toml")


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
    outcome = refresh_source(plan, sources()[source])
    if outcome.error or outcome.records is None or not outcome.quarantine.is_empty():
        raise SystemExit(f"{source}: not a clean run: {outcome.error} {outcome.quarantine.head(3)}")


def measure_memory(folder: str, source: str) -> None:
    """Run the stages of one source in this process and print its peak memory in MB.

    Read from the kernel's own account of this program image: the resource usage of a child begins, on Linux, with the
    peak of the process that started it.
    """
    run(Path(folder), source)
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    sys.stdout.write(f"{peak * 1024 / MEGABYTE:.0f}\n")


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
