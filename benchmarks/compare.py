"""Comparison with other libraries: batches of twenty dumps of real size, from bytes to validated rows.

``python -m benchmarks.compare [PEERS]`` prints one line per format. PEERS is the interpreter of an environment with the
libraries of ``benchmarks/peers.py``; without it only this project is measured. Dumps are the real pages in
``CONSPECTUS_PAGES``, which has a folder per source, repeated until there are twenty; without it they are generated in
the same size. Figures are CPU seconds of processes that take turns: the median of the best pass of each round.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.bulk import ROOT, SIDECAR, make_dump
from benchmarks.said import say
from parsers._registry import sources
from pipeline.base.settings import MAX_BYTES
from pipeline.merging.normalize import normalize
from pipeline.merging.validate import validate_tables
from pipeline.raw.inventory import take_inventory
from pipeline.reading.read import read_dump

BATCH: Final = 20
ROUNDS: Final = 3
PASSES: Final = 5
MARKUP: Final = ("BeautifulSoup", "parsel", "lxml by hand")
COLUMNS: Final = (*MARKUP, "feedparser")
HEAD: Final = (
    f"batches of {BATCH} dumps, bytes to rows, CPU s; behind each of the others: our time as a share of its\n"
    f"{'format':<15} {'kB each':>8} {'ours':>6} " + " ".join(f"{name:>20}" for name in COLUMNS)
)


class Contest(NamedTuple):
    """A layout to compare: its shape in ``benchmarks.peers``, how its pages are found or made, other libraries."""

    shape: str
    source: str
    pages: str
    bulk: str
    size: int
    others: tuple[str, ...] = MARKUP


LAYOUTS: Final = (
    Contest("programme days", "easychair", "cm*.html", "html_day", 60_000),
    Contest("programme grid", "cluster", "*_at_a_glance.html", "html", 200_000),
    Contest("listing", "arxiv", "*pastweek*.html", "html_month", 400_000),
    Contest("cards", "hf_daily", "page_papers*.html", "page_with_cards", 220_000),
    Contest("feed", "arxiv", "*.xml", "api", 120_000, ("feedparser",)),
)


def compare(folder: Path, peers: str | None) -> Iterator[str]:
    """Yield one line per layout."""
    for layout in LAYOUTS:
        raw = folder / layout.shape.replace(" ", "-")
        files = fill(raw / layout.source, layout)
        own = [sys.executable, "-m", "benchmarks.compare", "--pass", str(raw), layout.source]
        ours, theirs = list[float](), {name: list[float]() for name in layout.others if peers}
        for _ in range(ROUNDS):
            ours.append(run(own))
            for name, seconds in theirs.items():
                script = ROOT / "benchmarks" / "peers.py"
                seconds.append(run([str(peers), str(script), name, layout.shape, *map(str, files)]))
        size = sum(file.stat().st_size for file in files) / len(files) / 1000
        cells = [
            f"{median(theirs[name]):12.2f} ({median(ours) / median(theirs[name]):4.2f})" if name in theirs else ""
            for name in COLUMNS
        ]
        yield f"{layout.shape:<15} {size:8.0f} {median(ours):6.2f} " + " ".join(f"{cell:>20}" for cell in cells)


def fill(folder: Path, layout: Contest) -> list[Path]:
    """Write a batch of dumps, each of a different event, and return their paths."""
    pages = os.environ.get("CONSPECTUS_PAGES")
    found = sorted((Path(pages) / layout.source).glob(layout.pages)) if pages else []
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in found]
    suffix, made = make_dump(layout.source, layout.bulk, layout.size)
    folder.mkdir(parents=True)
    files = []
    for number, text in enumerate(islice(cycle(texts or [made]), BATCH)):
        files.append(folder / f"{number:02}{suffix}")
        files[-1].write_text(text, encoding="utf-8")
        files[-1].with_name(files[-1].name + ".meta.toml").write_text(f'{SIDECAR}event = "Fair {number}"\n')
    return files


def run(command: list[str]) -> float:
    """Run a process and return the seconds that it prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def measure(raw: Path, name: str) -> float:
    """Return the CPU seconds from the dumps of a source to validated rows in this process, best of some passes."""
    source = sources()[name]
    dumps = take_inventory(raw, sources()).dumps[name]
    seconds = []
    for _ in range(PASSES):
        start = time.process_time()
        readings = [read_dump(source, dump, MAX_BYTES) for dump in dumps]
        merged = normalize(readings)
        validate_tables(merged.records, merged.sightings, readings[0].quarantine)
        seconds.append(time.process_time() - start)
        if problems := [reading.error for reading in readings if reading.error]:
            raise SystemExit(f"not a clean pass: {problems[0]}")
    return min(seconds)


def main(*arguments: str) -> None:
    """Print the comparison, or the seconds of one pass."""
    if arguments[:1] == ("--pass",):
        say(str(measure(Path(arguments[1]), arguments[2])))
        return
    say(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for line in compare(Path(folder), *(arguments or (None,))):
            say(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
