"""The command: what it writes where, what it says, its exit codes, and that formats are found by scanning."""

import errno
import io
import os
import re
import socket
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import pipeline.export as package
from pipeline.__main__ import main
from pipeline.export import _run
from pipeline.export._format import ExportError, format_titles, load_format
from pipeline.viewing.selection import Selection
from tests.conftest import ROOT
from tests.export.shelf import Shelf, person, record, slot, talk
from tests.support.manifests import put_manifest
from tests.support.toy import Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

FORMATS = ["bibtex", "csl-json", "csv", "csv-schema", "frab-json", "frab-xml", "ics", "sqlite"]

Capture = pytest.CaptureFixture[str]


def test_every_module_is_a_format() -> None:
    """The registry finds the modules, each with the first line of its docstring, and loads them by name."""
    modules = {file.stem.replace("_", "-") for file in Path(package.__path__[0]).glob("[!_]*.py")}
    assert (list(format_titles()), modules) == (FORMATS, set(FORMATS))
    assert {name: load_format(name).name for name in FORMATS} == {name: name for name in FORMATS}
    assert [title for title in format_titles().values() if not title or title.endswith(".")] == []


def test_a_module_without_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the module and what it exports instead."""
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
def test_wrong_commands(capsys: Capture, arguments: list[str]) -> None:
    """An unknown format, a bad day and a missing format are usage errors."""
    with pytest.raises(SystemExit) as ended:
        main(["export", *arguments])
    assert (ended.value.code, capsys.readouterr().err.startswith("usage: conspectus export")) == (2, True)


def test_a_refreshed_dataset(desk: Desk, capsys: Capture) -> None:
    """The calendar goes to standard output; counts of what was written and left out go to standard error."""
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
    """The old file is replaced, and no temporary file is left beside it."""
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
    """An unknown name is exit code 2 with the known ones; nothing to write is 1; standard output stays empty."""
    shelf.put(talk(), talk("b", event="Dale 2026"), record("c", source="barn"))
    code = main(["export", "csv", "--out", str(shelf.out), *arguments])
    said = capsys.readouterr()
    assert (code, said.out, said.err[: len(message)]) == (expected, "", message)


def test_a_disk_that_is_full(shelf: Shelf, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the file as given, not the temporary one."""
    shelf.put(talk())

    def fail(prefix: str, dir: Path, **_: object) -> None:  # noqa: A002  # as the function is called
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
    """If there is nothing to write, the old file stays and no temporary file is left."""
    shelf.put(record())
    file = tmp_path / "face"
    file.write_text("old")
    code = main(["export", "ics", "--out", str(shelf.out), "-o", str(file)])
    assert (code, file.read_text(), sorted(path.name for path in tmp_path.iterdir())) == (1, "old", ["face", "out"])
    assert capsys.readouterr().err.startswith("failed: nothing to put into a calendar")


@pytest.mark.parametrize("table", ["parquet", "sightings"])
@pytest.mark.parametrize("name", FORMATS)
def test_a_table_that_is_missing(shelf: Shelf, tmp_path: Path, capsys: Capture, name: str, table: str) -> None:
    """If one of two sources lacks a table of the manifest, nothing is exported."""
    snapshot = shelf.put(talk(), talk("b", source="barn"))
    (snapshot.folder / table / "fair.parquet").unlink()
    code = main(["export", name, "--out", str(shelf.out), "-o", "face"])
    message = (
        f"failed: {snapshot.folder}/{table}/fair.parquet: expected the table described in the manifest, found none\n"
    )
    assert (code, capsys.readouterr().err, [*tmp_path.iterdir()]) == (1, message, [shelf.out])


@pytest.mark.parametrize(("rows", "found"), [(2, "1 rows instead of 2"), (0, "1 rows instead of 0")])
def test_rows_that_the_manifest_does_not_count(shelf: Shelf, capsys: Capture, rows: int, found: str) -> None:
    """A row count other than that in the manifest is an error even if the hash is right."""
    snapshot = shelf.put(talk())
    manifest = snapshot.manifest
    manifest["files"]["parquet/fair.parquet"]["rows"] = rows
    put_manifest(snapshot.folder, manifest)
    code = main(["export", "csv", "--out", str(shelf.out)])
    said = capsys.readouterr()
    assert (code, said.out, said.err) == (
        1,
        "",
        f"failed: {snapshot.folder}/parquet/fair.parquet: expected the table described in the manifest, "
        f"found {found}\n",
    )


def test_a_snapshot_that_goes_away(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the snapshot is pruned during an export, the export fails and leaves no partial file."""
    snapshot = shelf.put(talk())
    chosen = shelf.select()
    chosen.verify_files()
    (snapshot.folder / "sightings" / "fair.parquet").unlink()
    monkeypatch.setattr(Selection, "verify_files", lambda _: None)
    with pytest.raises(ExportError, match=r"face: nothing was written: .*fair\.parquet"):
        _run.export(load_format("sqlite"), chosen, tmp_path / "face", io.BytesIO())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("name", sorted({*FORMATS} - {"csv-schema"}))
def test_texts_that_harm_a_terminal(shelf: Shelf, tmp_path: Path, name: str) -> None:
    """NUL, ESC and bidi controls never reach an export, whatever the column."""
    bad = "Hay\x00\x1b[31m\x9bm\x7f\u202e\u2066\u2069Rye"
    people = [person(bad, bad, bad)]
    columns = ("title", "event", "session_title", "abstract", "track", "description", "summary", "presenter", "type")
    places: dict[str, Any] = {"slots": [slot(room=bad)], "authors": people, "chairs": people, "keywords": [bad]}
    shelf.put(record(**dict.fromkeys(columns, bad), **places, doi=bad, url=f"https://fair.example/{bad}"))
    shelf.report(name, file := tmp_path / "face")
    text = file.read_text() if name != "sqlite" else "\n".join(sqlite3.connect(file).iterdump())
    assert (
        re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\\u00[01]|\\u20[26]", text) == []
    )
    assert "Hay" in text


def make_targets(folder: Path) -> None:
    """Make the kinds of targets that an export may meet: files, links, special files, roots."""
    for name in ("raw/fair", "out/sub", "place", "folder"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in ("file", "secret", "script", "read-only", "raw/fair/a.txt", "place/far"):
        (folder / name).write_bytes(b"old")
    (folder / "secret").chmod(0o600)
    (folder / "script").chmod(0o755)
    (folder / "read-only").chmod(0o444)
    os.link(folder / "raw/fair/a.txt", folder / "hard-link")
    links = {
        "link": "file",
        "chain": "link",
        "far-link": "place/far",
        "dangling": "place/new",
        "to-nowhere": "nowhere/new",
        "loop": "loop",
        "to-folder": "folder",
        "to-dump": "raw/fair/a.txt",
        "to-raw": "raw",
        "to-new-dump": "raw/fair/new.txt",
        "to-out": "out",
        "absolute": str(folder / "place" / "far"),
        "to-published": "out/latest/manifest.json",
        "raw/fair/outwards": "../../file",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)


TARGETS = {
    "fresh": (0, "fresh"),
    "file": (0, "file"),
    "./folder/../file": (0, "file"),
    "secret": (0, "secret"),
    "script": (0, "script"),
    "read-only": (0, "read-only"),
    "hard-link": (0, "hard-link"),
    ".hidden": (0, ".hidden"),
    "with a blank": (0, "with a blank"),
    "Übersicht": (0, "Übersicht"),
    "rawish": (0, "rawish"),
    "outer": (0, "outer"),
    "to-raw/../link": (0, "file"),
    "absolute": (0, "place/far"),
    "link": (0, "file"),
    "chain": (0, "file"),
    "far-link": (0, "place/far"),
    "dangling": (0, "place/new"),
    "to-nowhere": (2, "expected a file to write in an existing folder"),
    "loop": (1, "nothing was written: Too many levels of symbolic links"),
    "folder": (2, "expected a file to write in an existing folder"),
    "to-folder": (2, "expected a file to write in an existing folder"),
    "fresh/": (2, "expected a file to write in an existing folder"),
    "": (2, "expected a file to write in an existing folder"),
    "file/fresh": (2, "expected a file to write in an existing folder"),
    "x" * 300: (1, "nothing was written: File name too long"),
    "raw/fair/a.txt": (2, "expected a file outside {raw}, which no export may change"),
    "raw/fresh": (2, "expected a file outside {raw}, which no export may change"),
    "raw/fair/outwards": (2, "expected a file outside {raw}, which no export may change"),
    "folder/../raw/fresh": (2, "expected a file outside {raw}, which no export may change"),
    "to-dump": (2, "expected a file outside {raw}, which no export may change"),
    "to-raw/fair/fresh": (2, "expected a file outside {raw}, which no export may change"),
    "to-new-dump": (2, "expected a file outside {raw}, which no export may change"),
    "raw/fair/a.txt.meta.toml": (2, "expected a file outside {raw}, which no export may change"),
    "out/../raw/fresh": (2, "expected a file outside {raw}, which no export may change"),
    "to-out/fresh": (2, "expected a file outside {out}, which no export may change"),
    "raw": (2, "expected a file to write in an existing folder"),
    ".": (2, "expected a file to write in an existing folder"),
    "..": (2, "expected a file to write in an existing folder"),
    "nowhere/fresh": (2, "expected a file to write in an existing folder"),
    "out/fresh": (2, "expected a file outside {out}, which no export may change"),
    "out/latest/manifest.json": (2, "expected a file outside {out}, which no export may change"),
    "to-published": (2, "expected a file outside {out}, which no export may change"),
}


def state_of(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return mode and content of all files and links."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return {
        name: (path.lstat().st_mode, str(path.readlink()) if path.is_symlink() else path.read_bytes())
        for name, path in found.items()
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize("target", TARGETS)
def test_targets(shelf: Shelf, tmp_path: Path, capsys: Capture, target: str) -> None:
    """A file is replaced, keeps its mode, and a link to it stays a link; a refused target changes nothing."""
    shelf.put(talk())
    make_targets(tmp_path)
    expected, what = TARGETS[target]
    before = state_of(tmp_path)
    code = main(["export", "csv", "-o", target])
    said, after = capsys.readouterr(), state_of(tmp_path)
    names = {"raw": tmp_path / "raw", "out": tmp_path / "out"}
    message = f"{'conspectus' if expected == 2 else 'failed'}: {target or '.'}: {what.format(**names)}\n"
    assert (code, said.out, said.err) == (expected, "", message if expected else "written: 1 records\n")
    changed = {name: found for name, found in after.items() if before.get(name) != found}
    mode = before.get(what, (stat.S_IFREG | 0o644,))[0]
    assert {name: (found[0], found[1][:9]) for name, found in changed.items()} == (
        {} if expected else {what: (mode, b"record_id")}
    )
    assert before.keys() - after.keys() == set()


@pytest.mark.parametrize("name", ["csv", "sqlite"])
@pytest.mark.parametrize("target", ["fifo", "link"])
def test_a_fifo(shelf: Shelf, tmp_path: Path, capsys: Capture, name: str, target: str) -> None:
    """The export is written into it, and it stays a FIFO."""
    shelf.put(talk())
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit((tmp_path / "fifo").read_bytes)
        code = main(["export", name, "-o", target])
        got = reader.result(20)
    assert (code, capsys.readouterr().err, got[:6] in {b"record", b"SQLite"}) == (0, "written: 1 records\n", True)
    assert ((tmp_path / "fifo").is_fifo(), (tmp_path / "link").is_symlink()) == (True, True)


def test_a_socket(shelf: Shelf, tmp_path: Path, capsys: Capture) -> None:
    """It cannot be opened; the export fails and the socket stays."""
    shelf.put(talk())
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
        code = main(["export", "csv", "-o", "socket"])
    message = "failed: socket: nothing was written: No such device or address\n"
    assert (code, capsys.readouterr().err, (tmp_path / "socket").is_socket()) == (1, message, True)


def test_a_device(shelf: Shelf, tmp_path: Path, capsys: Capture) -> None:
    """The export is written into it, and it stays a device."""
    shelf.put(talk())
    try:
        os.mknod("device", stat.S_IFCHR | 0o666, os.makedev(1, 3))  # the numbers of /dev/null
    except PermissionError:
        pytest.skip("making a device is not permitted here")
    try:
        os.close(os.open("device", os.O_WRONLY))
    except PermissionError:
        pytest.skip("devices are not usable in the folder of the tests")
    code = main(["export", "csv", "-o", "device"])
    assert (code, capsys.readouterr().err) == (0, "written: 1 records\n")
    assert (tmp_path / "device").is_char_device()


@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("tempfile.TemporaryDirectory", errno.EACCES),
        ("tempfile.TemporaryDirectory", errno.EROFS),
        ("pathlib.Path.replace", errno.EXDEV),
        ("pathlib.Path.replace", errno.EBUSY),
    ],
)
def test_places_that_cannot_be_written(
    shelf: Shelf, capsys: Capture, monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    """A read-only folder or a mounted file: one line of error, and the old file is still there."""
    shelf.put(talk())
    tmp_path = Path.cwd()
    (tmp_path / "face").write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(tmp_path / ".conspectus-export-1-abc" / "export.csv"))

    with monkeypatch.context() as patched:
        patched.setattr(step, fail)
        code = main(["export", "csv", "-o", "face"])
    assert (code, capsys.readouterr().err) == (1, f"failed: face: nothing was written: {os.strerror(number)}\n")
    assert ((tmp_path / "face").read_text(), sorted(path.name for path in tmp_path.iterdir())) == (
        "old",
        ["face", "out"],
    )


def test_the_link_may_switch_in_between(shelf: Shelf) -> None:
    """The link is resolved once: a snapshot published during an export does not leak into it."""
    shelf.put(talk(title="Hay"))
    chosen, output = shelf.select(), io.BytesIO()
    shelf.put(talk(title="Rye"), stamp="20260802T000000Z")
    _run.export(load_format("csv"), chosen, None, output)
    assert (b"Hay" in output.getvalue(), b"Rye" in output.getvalue()) == (True, False)


def test_help_loads_no_data_library() -> None:
    """``--help`` lists the formats without importing polars or any export library."""
    code = (
        "import sys; from pipeline.__main__ import make_parser; make_parser().format_help(); "
        "print({'polars', 'icalendar', 'bibtexparser'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_unknown_kind_or_zone(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown kind or time zone is exit code 2 with a hint."""
    shelf.put(talk())
    assert main(["export", "csv", "--kind", "keynotes", "--out", str(shelf.out)]) == 2
    assert "no such kind" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["export", "csv", "--timezone", "Oslo", "--out", str(shelf.out)])
    assert "expected an IANA name such as Europe/Berlin, found 'Oslo'" in capsys.readouterr().err
