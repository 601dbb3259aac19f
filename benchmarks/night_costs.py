"""What a night costs while the archive grows: CPU, memory and bytes of a refresh after 65 nights and after years.

``python -m benchmarks.night_costs [--nights N ...] [--replaced N ...] [--against DIR]`` writes the nights of
``benchmarks.invented_nights`` below a temporary folder, and refreshes them in processes of their own: cold, then with
nothing new, then one more night at a time. ``--against`` is another checkout, such as the version before: both read the
same raw root, each into an out root of its own, and take turns, so that what else the machine does meets both alike.

A row for each size and version, as measured:

``start``     ``conspectus --version``
``cold``      the first refresh of the whole archive; of small ones the median of three
``idle``      a refresh with nothing new, the median of ``--runs``
``night``     a refresh after one more night, the median of ``--runs``
``written``   bytes below the out root that are in files new to it, after one more night; the median. What was written
              and deleted again does not count, and of a file that was changed in place all counts
``new``       bytes of the files that the manifest lists now and did not before, in the same night
``manifest``, ``snapshot``, ``cache``   sizes after the last night; ``files`` their numbers, and that of the raw root

CPU is user and system time of a process and of those that it waited for, such as readers of dumps; memory is the
largest resident set of any of them. Each refresh must exit with 0 and publish every record that the nights brought:
anything else ends the benchmark. The engine is the default one unless ``--engine`` names another.

``--raw DIR`` measures an archive that exists instead, cold and idle.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final, TypeVar

from benchmarks.invented_nights import RECORDS, REPLACED, Nights, write_nights
from benchmarks.said import say

HERE: Final = Path(__file__).parent.parent
SIZES: Final = (65, 260, 780, 2_600)
KEPT: Final = 2
"""Snapshots that are kept: each night then deletes one, as after two weeks with the default."""

MEGABYTE: Final = 1_000_000
_COSTS: Final = "  ".join(["     s   MB"] * 3)
HEAD: Final = (
    f"{'':24} {'start':>6}  {'cold':>11}  {'idle':>11}  {'night':>11}   {'written':>8} {'new':>8} {'manifest':>8} "
    f"{'snapshot':>8} {'cache':>8}   files\n"
    f"nights  repl  {'version':10} {'s':>6}  {_COSTS} {' '.join(['      MB'] * 5)}        raw snapshot    cache"
)
_SMALL: Final = 200  # nights: a cold run of fewer is repeated
_SHOWN: Final = 2_000  # characters of what a failed command printed

T = TypeVar("T")
File = tuple[int, int, int]
"""What a file is known by: inode, time of its last change, size."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process and those that it waited for took: CPU in seconds, peak memory in bytes."""

    cpu: float
    peak: int


@dataclass(frozen=True, slots=True)
class Checkout:
    """A version of the project: its name in the table, its folder, the Python that runs it."""

    name: str
    folder: Path
    python: str

    def run(self, *arguments: str) -> Cost:
        """Run a command of conspectus and return its cost. Raises ``SystemExit`` if it fails."""
        return measure([self.python, "-m", "pipeline", *arguments], self.folder)


@dataclass(frozen=True, slots=True)
class Passed:
    """One more night: what its refresh cost, the bytes that it wrote, and those of the files it published anew."""

    cost: Cost
    written: int
    new: int


def measure(command: Sequence[str], folder: Path) -> Cost:
    """Run a command in a folder and return its cost. Raises ``SystemExit`` if it fails."""
    kept_out = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}  # with the first each process would compile all code anew
    environment = {name: value for name, value in os.environ.items() if name not in kept_out}
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=printed, stderr=printed)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            printed.seek(0)
            told = printed.read().decode(errors="replace")[-_SHOWN:]
            raise SystemExit(f"{' '.join(command)}: expected exit code 0, found {process.returncode}\n{told}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def find_files(folder: Path) -> dict[str, File]:
    """Return all files below a folder by their paths; one with several names is there under each."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            file = Path(place, name)
            if not file.is_symlink():
                state = file.stat()
                found[str(file.relative_to(folder))] = (state.st_ino, state.st_mtime_ns, state.st_size)
    return found


def size_of(files: Mapping[str, File] | set[File]) -> int:
    """Return the bytes of files; one with several names counts once."""
    return sum(size for _, _, size in (set(files.values()) if isinstance(files, Mapping) else files))


def listed(out: Path) -> dict[str, dict[str, Any]]:
    """Return the files that the published manifest lists, by path; empty without a snapshot."""
    manifest = out / "latest" / "manifest.json"
    if not manifest.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(manifest.read_text(encoding="utf-8"))["files"]
    return found


class Trial:
    """One archive that several versions refresh in turn; each has an out root of its own."""

    def __init__(self, root: Path, raw: Path, versions: Sequence[Checkout], engine: str | None) -> None:
        """``root`` belongs to the trial alone."""
        self.root, self.raw, self.versions = root, raw, versions
        self.options = ["--quiet", "--keep", str(KEPT), *(["--engine", engine] if engine else [])]
        self.turn = 0

    def out(self, version: Checkout) -> Path:
        """Return the out root of a version."""
        return self.root / version.name

    def refresh(self, version: Checkout) -> Cost:
        """Refresh with a version."""
        return version.run("refresh", *self.options, "--raw", str(self.raw), "--out", str(self.out(version)))

    def night(self, version: Checkout) -> Passed:
        """Refresh with a version after one more night."""
        out = self.out(version)
        before, known = listed(out), set(find_files(out).values())
        cost = self.refresh(version)
        new = sum(each["bytes"] for path, each in listed(out).items() if before.get(path) != each)
        return Passed(cost, size_of(set(find_files(out).values()) - known), new)

    def take_turns(
        self, times: int, work: Callable[[Checkout], T], before: Callable[[], None] | None = None
    ) -> dict[str, list[T]]:
        """Do some work with every version, several times; another one begins each time. Return the results by name."""
        found: dict[str, list[T]] = {version.name: [] for version in self.versions}
        for _ in range(times):
            if before is not None:
                before()
            self.turn += 1
            shift = self.turn % len(self.versions)
            for version in (*self.versions[shift:], *self.versions[:shift]):
                found[version.name].append(work(version))
        return found

    def check(self, records: int) -> None:
        """Raise ``SystemExit`` unless every version has published all records and quarantined none."""
        for version in self.versions:
            tables = listed(self.out(version))
            rows = {
                folder: sum(each["rows"] for path, each in tables.items() if path.startswith(f"{folder}/"))
                for folder in ("parquet", "quarantine")
            }
            if rows != {"parquet": records, "quarantine": 0}:
                raise SystemExit(f"{version.name}: expected {records} records and no other rows, found {rows}")


def measure_nights(
    root: Path, nights: Nights, count: int, versions: Sequence[Checkout], options: argparse.Namespace
) -> Iterator[str]:
    """Yield a row for each version: an archive of ``count`` nights, to which one after the other is added."""
    trial = Trial(root, root / "raw", versions, options.engine)
    write_nights(nights, trial.raw, range(count))
    starts = trial.take_turns(options.runs, lambda version: version.run("--version"))
    colds = measure_cold(trial, 3 if count <= _SMALL else 1)
    trial.check(RECORDS * count)
    idles = trial.take_turns(options.runs, trial.refresh)
    numbers = iter(range(count, count + options.runs))

    def pass_day() -> None:
        number = next(numbers)
        write_nights(nights, trial.raw, range(number, number + 1))

    passed = trial.take_turns(options.runs, trial.night, pass_day)
    trial.check(RECORDS * (count + options.runs))
    for version in versions:
        name = version.name
        costs = (colds[name], idles[name], [each.cost for each in passed[name]])
        moved = [median(each.written for each in passed[name]), median(each.new for each in passed[name])]
        yield f"{count:>6}  {nights.replaced:>4}  " + make_row(trial, version, starts[name], costs, moved)


def measure_archive(root: Path, raw: Path, versions: Sequence[Checkout], options: argparse.Namespace) -> Iterator[str]:
    """Yield a row for each version: an archive that exists."""
    trial = Trial(root, raw, versions, options.engine)
    starts = trial.take_turns(options.runs, lambda version: version.run("--version"))
    colds = measure_cold(trial, 3)
    idles = trial.take_turns(options.runs, trial.refresh)
    for version in versions:
        costs: tuple[list[Cost], ...] = (colds[version.name], idles[version.name], [])
        yield f"{'-':>6}  {'-':>4}  " + make_row(trial, version, starts[version.name], costs, [])


def measure_cold(trial: Trial, times: int) -> dict[str, list[Cost]]:
    """Refresh the whole archive for the first time, several times; the last out roots stay."""

    def begin(version: Checkout) -> Cost:
        if trial.out(version).exists():
            shutil.rmtree(trial.out(version))
        return trial.refresh(version)

    return trial.take_turns(times, begin)


def make_row(
    trial: Trial,
    version: Checkout,
    starts: Sequence[Cost],
    costs: Sequence[Sequence[Cost]],
    moved: Sequence[float],
) -> str:
    """Return the row of a version after size and replaced papers."""
    out = trial.out(version)
    snapshot, cache, raw = (find_files(place) for place in ((out / "latest").resolve(), out / ".cache", trial.raw))
    sizes = [(out / "latest" / "manifest.json").stat().st_size, size_of(snapshot), size_of(cache)]
    return (
        f"{version.name:<10} {median(each.cpu for each in starts):>6.2f}  {'  '.join(map(show, costs))}   "
        f"{' '.join(f'{each / MEGABYTE:>8.2f}' for each in moved) or '       -        -'} "
        f"{' '.join(f'{each / MEGABYTE:>8.2f}' for each in sizes)}   "
        f"{' '.join(f'{len(each):>8}' for each in (raw, snapshot, cache))}"
    )


def show(costs: Sequence[Cost]) -> str:
    """Return CPU and memory of some runs, the medians."""
    if not costs:
        return f"{'-':>6} {'-':>4}"
    return f"{median(each.cpu for each in costs):>6.2f} {median(each.peak for each in costs) / MEGABYTE:>4.0f}"


def find_checkout(name: str, folder: Path) -> Checkout:
    """Return the version in a folder, run by its own environment if it has one. Raises ``SystemExit``."""
    if not (folder / "pipeline" / "__main__.py").is_file():
        raise SystemExit(f"{folder}: expected a checkout of conspectus")
    own = folder.absolute() / ".venv-test" / "bin" / "python"
    return Checkout(name, folder.absolute(), str(own) if own.exists() else sys.executable)


def main() -> None:
    """Measure every size, without and with replaced papers, and print a row for each version."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.night_costs", allow_abbrev=False)
    parser.add_argument("--nights", type=int, nargs="+", default=SIZES, metavar="N", help="sizes of the archive")
    parser.add_argument(
        "--replaced", type=int, nargs="+", default=(0, REPLACED), metavar="N", help="papers that a night shows again"
    )
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout, measured beside this one")
    parser.add_argument(
        "--runs", type=int, default=5, metavar="N", help="runs of each kind, of which the median counts"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", metavar="E", help="as in conspectus refresh")
    parser.add_argument("--raw", type=Path, metavar="DIR", help="measure this archive instead")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="folder for temporary files; large sizes take gigabytes"
    )
    given = parser.parse_args()
    if min(*given.nights, given.runs) < 1:
        parser.error("expected at least one night and one run")
    versions = [find_checkout("here", HERE)]
    if given.against:
        versions.append(find_checkout("against", given.against))
    say(f"engine: {given.engine or 'the default, a process a core'}; {os.cpu_count()} cores; {KEPT} snapshots kept")
    say(HEAD)
    if given.raw:
        with tempfile.TemporaryDirectory(dir=given.work) as root:
            for row in measure_archive(Path(root), given.raw.absolute(), versions, given):
                say(row)
        return
    for count in given.nights:
        for replaced in given.replaced:
            with tempfile.TemporaryDirectory(dir=given.work) as root:
                for row in measure_nights(Path(root), Nights(given.seed, replaced), count, versions, given):
                    say(row)


if __name__ == "__main__":
    main()
