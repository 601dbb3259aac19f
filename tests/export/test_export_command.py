"""The command: what it writes where, what it says, its exit codes, and that formats are found by scanning."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pipeline.export as package
from pipeline.__main__ import main
from pipeline.export import _run
from pipeline.export._format import ExportError
from pipeline.export._registry import format_titles, load_format
from tests.conftest import ROOT
from tests.export.shelf import Shelf, record, talk
from tests.support.toy import Desk

FORMATS = ["bibtex", "csl-json", "csv", "frab-json", "ics", "sqlite"]

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder of the test's own, with no root named by the environment."""
    monkeypatch.delenv("CONSPECTUS_OUT", raising=False)
    monkeypatch.chdir(tmp_path)


def test_every_module_is_a_format() -> None:
    """The registry finds the modules, each with the first line of its docstring, and loads them by name."""
    modules = {file.stem.replace("_", "-") for file in Path(package.__path__[0]).glob("[!_]*.py")}
    assert (list(format_titles()), modules) == (FORMATS, set(FORMATS))
    assert {name: load_format(name).name for name in FORMATS} == {name: name for name in FORMATS}
    assert [title for title in format_titles().values() if not title or title.endswith(".")] == []


def test_a_module_without_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that exports something else is a mistake in the program, which names it."""
    monkeypatch.setattr("pipeline.export.csv.FORMAT", None)
    with pytest.raises(TypeError, match=r"pipeline\.export\.csv must export FORMAT, a Format named 'csv'; found None"):
        load_format("csv")


def test_help_lists_the_formats(capsys: Capture) -> None:
    """Every format with what it is."""
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    told = capsys.readouterr().out.split("\nformats:\n")[1]
    assert re.findall(r"^  ([a-z-]+) +\w", told, re.MULTILINE) == FORMATS


@pytest.mark.parametrize("arguments", [["odt"], ["csv", "--day", "3 May"], []])
def test_lines_that_are_no_command(capsys: Capture, arguments: list[str]) -> None:
    """An unknown format and a day that is none are mistakes in the line."""
    with pytest.raises(SystemExit) as ended:
        main(["export", *arguments])
    assert (ended.value.code, capsys.readouterr().err.startswith("usage: conspectus export")) == (2, True)


def test_a_refreshed_dataset(desk: Desk, capsys: Capture) -> None:
    """What a refresh published goes to the output; what was left out is told on the error stream."""
    desk.put("fair/a.txt", {"title": "Hay", "event": "E", "start": "2026-08-03T09:00"}, {"title": "Rye", "event": "E"})
    desk.run()
    code = main(["export", "ics", "--out", str(desk.out)])
    said = capsys.readouterr()
    assert (code, said.out.count("BEGIN:VEVENT"), said.err.splitlines()) == (
        0,
        1,
        ["written: 1 events", "left out: 1 records without a start time"],
    )


@pytest.mark.parametrize("name", FORMATS)
def test_a_file(shelf: Shelf, tmp_path: Path, capsys: Capture, name: str) -> None:
    """The file is replaced by the new one, which is all that is left beside the dataset."""
    shelf.put(talk())
    file = tmp_path / "face"
    file.write_text("old")
    code = main(["export", name, "--out", str(shelf.out), "-o", str(file)])
    assert (code, capsys.readouterr().out, file.stat().st_size > 20) == (0, "", True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["face", "out"]


@pytest.mark.parametrize(
    ("expected", "arguments", "message"),
    [
        (2, ["--event", "Hill"], "conspectus: no such event: Hill; expected one of Dale 2026, FJORD 2026"),
        (2, ["--source", "shed"], "conspectus: not published: shed; expected one of barn, fair"),
        (2, ["--source", "barn", "--event", "Dale 2026"], "conspectus: no such event: Dale 2026; there are none"),
        (1, ["--day", "2001-01-01"], "failed: nothing matches: no record of 2001-01-01 is selected"),
        (2, ["-o", "nowhere/face"], "conspectus: nowhere/face: expected a file to write in an existing folder"),
        (2, ["-o", "/"], "conspectus: /: expected a file to write in an existing folder"),
    ],
)
def test_what_cannot_be_exported(
    shelf: Shelf, capsys: Capture, expected: int, arguments: list[str], message: str
) -> None:
    """Exit code 2 for names of what is not there, 1 for nothing to write; nothing on the output, and what there is."""
    shelf.put(talk(), talk("b", event="Dale 2026"), record("c", source="barn"))
    code = main(["export", "csv", "--out", str(shelf.out), *arguments])
    said = capsys.readouterr()
    assert (code, said.out, said.err[: len(message)]) == (expected, "", message)


def test_a_disk_that_is_full(shelf: Shelf, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is named as it was given, not the one that is written before it."""
    shelf.put(talk())

    def fail(prefix: str, dir: Path) -> None:  # noqa: A002  # as the function is called
        raise OSError(28, "No space left on device", str(dir / f"{prefix}abc"))

    monkeypatch.setattr("tempfile.TemporaryDirectory", fail)
    monkeypatch.chdir(tmp_path)
    code = main(["export", "csv", "--out", str(shelf.out), "-o", "face"])
    assert (code, capsys.readouterr().err) == (1, "failed: face: nothing was written: No space left on device\n")


def test_an_empty_dataset(shelf: Shelf, capsys: Capture) -> None:
    """A source without records is nothing to write."""
    shelf.put(talk())
    shelf.put(stamp="20260802T000000Z")
    assert (main(["export", "csv", "--out", str(shelf.out)]), capsys.readouterr().err) == (
        1,
        "failed: nothing matches: no record is selected\n",
    )


def test_nothing_published(tmp_path: Path, capsys: Capture) -> None:
    """Exit code 1, naming the out root."""
    code = main(["export", "csv", "--out", str(tmp_path)])
    assert (code, capsys.readouterr().err) == (1, f"nothing is published below {tmp_path}\n")


def test_a_broken_manifest(shelf: Shelf, capsys: Capture) -> None:
    """Exit code 1, naming the file."""
    snapshot = shelf.put(talk())
    (snapshot.folder / "manifest.json").write_text("{")
    code = main(["export", "csv", "--out", str(shelf.out)])
    assert (code, "manifest.json: expected the manifest of a snapshot" in capsys.readouterr().err) == (1, True)


def test_a_database_needs_a_file(shelf: Shelf, capsys: Capture) -> None:
    """Exit code 2: the command cannot be carried out as given."""
    shelf.put(talk())
    code = main(["export", "sqlite", "--out", str(shelf.out)])
    message = "conspectus: sqlite cannot be written to standard output: give a file with -o\n"
    assert (code, capsys.readouterr().err) == (2, message)


def test_a_failure_leaves_the_old_file(shelf: Shelf, tmp_path: Path, capsys: Capture) -> None:
    """A format that finds nothing to write replaces nothing and leaves nothing behind."""
    shelf.put(record())
    file = tmp_path / "face"
    file.write_text("old")
    code = main(["export", "ics", "--out", str(shelf.out), "-o", str(file)])
    assert (code, file.read_text(), sorted(path.name for path in tmp_path.iterdir())) == (1, "old", ["face", "out"])
    assert capsys.readouterr().err.startswith("failed: nothing to put into a calendar")


def test_a_snapshot_that_goes_away(shelf: Shelf, tmp_path: Path) -> None:
    """A dataset that is pruned while it is read is a failure that says so, not half a file."""
    snapshot = shelf.put(talk())
    chosen = shelf.select()
    (snapshot.folder / "sightings" / "fair.parquet").unlink()
    with pytest.raises(ExportError, match=r"face: nothing was written: .*fair\.parquet"):
        _run.export(load_format("sqlite"), chosen, tmp_path / "face", io.BytesIO())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_the_link_may_switch_in_between(shelf: Shelf) -> None:
    """The link is resolved once: what is published while an export runs does not get into it."""
    shelf.put(talk(title="Hay"))
    chosen, output = shelf.select(), io.BytesIO()
    shelf.put(talk(title="Rye"), stamp="20260802T000000Z")
    _run.export(load_format("csv"), chosen, None, output)
    assert (b"Hay" in output.getvalue(), b"Rye" in output.getvalue()) == (True, False)


def test_help_loads_no_data_library() -> None:
    """The help answers at once: naming the formats imports neither them nor polars."""
    code = (
        "import sys; from pipeline.__main__ import make_parser; make_parser().format_help(); "
        "print({'polars', 'icalendar', 'bibtexparser'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
