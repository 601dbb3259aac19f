"""The benchmark of growing archives: nights are seeded and read completely, costs are those of whole processes."""

import json
import os
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks.invented_nights import CAPTURES, ENTRIES, RECORDS, Nights, write_nights
from benchmarks.night_costs import Checkout, Trial, find_files, measure, size_of
from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.raw.capture_log import load_log
from pipeline.run.refresh import Result, refresh
from tests.conftest import ROOT
from tests.project.test_imports import imports

pytestmark = pytest.mark.untraced

NIGHTS = Nights(seed=3, replaced=4)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a raw root with three nights."""
    root = tmp_path_factory.mktemp("raw")
    write_nights(NIGHTS, root, range(3))
    return root


@pytest.fixture(scope="module")
def result(raw: Path) -> Result:
    """Return the result of reading the three nights."""
    return refresh(Settings(raw, raw.parent / "growth-out"), sources())


def test_a_night_depends_on_seed_and_number(raw: Path, tmp_path: Path) -> None:
    """The last of three nights is the same without those before it."""
    write_nights(NIGHTS, tmp_path, range(2, 3))
    alone = contents(tmp_path)
    assert alone == {path: data for path, data in contents(raw).items() if path in alone}


def test_the_files_of_a_night(tmp_path: Path) -> None:
    """Five captures, each with a sidecar and a whole line in the log of its page."""
    write_nights(NIGHTS, tmp_path, range(1))
    logs = [load_log(file) for file in tmp_path.rglob("captures.ndjson")]
    assert sorted((len(lines), damaged) for lines, damaged in logs) == [(2, 0), (3, 0)]
    assert len(contents(tmp_path)) == 2 * CAPTURES + len(logs)


def test_all_is_read(result: Result) -> None:
    """Every record of each night is read, and no line is left over."""
    made = [outcome for outcome in result.outcomes if outcome.readings]
    found = [pl.Series([outcome.records.height for outcome in made if outcome.records is not None]).sum()]
    assert (result.good, found) == (True, [3 * RECORDS])
    assert [(outcome.quarantine.height, outcome.unexplained) for outcome in made] == [(0, 0), (0, 0)]


def test_replaced_papers_are_seen_twice(result: Result) -> None:
    """Each night but the first shows four earlier papers again; they need not be part of the archive."""
    tables = [outcome.sightings for outcome in result.outcomes if outcome.sightings is not None]
    again = pl.concat(tables).height - 3 * RECORDS
    assert (again, NIGHTS.shown_again(0), len(set(NIGHTS.shown_again(400)))) == (8, [], 4)


def test_half_of_the_replaced_papers_are_new() -> None:
    """Half of them were listed within three months, the others at any time."""
    many = Nights(seed=3, replaced=ENTRIES)
    recent = {number for night in range(910, 1000) for number in many.new_entries(night)}
    assert ENTRIES // 2 <= len(recent.intersection(many.shown_again(1000))) < ENTRIES


def test_the_cost_of_a_process() -> None:
    """CPU time and memory include those of child processes."""
    inner = "import sys; x = b'x' * 60_000_000; [None for _ in range(3_000_000)]"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    cost = measure([sys.executable, "-c", outer], Path.cwd())
    assert (cost.cpu > 0.02, cost.peak > 60_000_000) == (True, True)


def test_a_process_that_fails() -> None:
    """A failed process ends the benchmark with its output."""
    with pytest.raises(SystemExit, match=r"found 3\nwhy"):
        measure([sys.executable, "-c", "import sys; print('why'); sys.exit(3)"], Path.cwd())


def test_a_file_with_two_names_counts_once(tmp_path: Path) -> None:
    """A file with two hard links counts once."""
    (tmp_path / "a").write_bytes(b"12345")
    os.link(tmp_path / "a", tmp_path / "b")
    assert (len(find_files(tmp_path)), size_of(find_files(tmp_path))) == (2, 5)


def test_what_a_night_writes(tmp_path: Path) -> None:
    """New files of the out root and those new in the manifest count; a moved file does not."""
    version = Checkout("made-up", tmp_path, sys.executable)
    trial = Trial(tmp_path, tmp_path / "raw", [version], None)
    for name, files in (("first", {"a": 3}), ("second", {"a": 3, "b": 4})):
        folder = trial.out(version) / name
        folder.mkdir(parents=True)
        blocks = {path: {"sha256": "", "rows": 0, "bytes": size} for path, size in files.items()}
        (folder / "manifest.json").write_text(json.dumps({"files": blocks}))
    (trial.out(version) / "latest").symlink_to("first")
    (tmp_path / "pipeline").mkdir()
    (tmp_path / "pipeline" / "__init__.py").touch()
    (tmp_path / "pipeline" / "__main__.py").write_text(
        f"from pathlib import Path; out = Path({str(trial.out(version))!r}); (out / 'latest').unlink();"
        "(out / 'latest').symlink_to('second'); (out / 'c').write_bytes(b'12345'); (out / 'first').rename(out / 'old')"
    )
    night = trial.night(version)
    assert (night.written, night.new) == (5, 4)


def test_the_measuring_process_is_small() -> None:
    """It imports nothing beyond the standard library: the peak of a process is at least that of its parent."""
    files = [ROOT / "benchmarks" / name for name in ("night_costs.py", "invented_nights.py", "said.py")]
    assert [sorted(imports(file)) for file in files] == [["benchmarks.invented_nights", "benchmarks.said"], [], []]
