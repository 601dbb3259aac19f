"""The commands that look at what is published: status, quarantine, changes."""

import argparse
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import rmtree

import pytest

from parsers._ledger.document import Document
from pipeline.base.settings import Settings, parse_age, parse_moment
from pipeline.publishing.publish import NothingError
from pipeline.run.refresh import refresh
from schemas.tables import CONTRACT_VERSION
from tests.export.shelf import Shelf, record, talk
from tests.support.manifests import load_manifest, put_manifest
from tests.support.said import Said
from tests.support.toy import Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00", "room": "R"}
RYE = {"title": "Rye", "event": "E"}


def test_status_of_what_is_published(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Snapshot, contract version, and per source the last run, its age, rows and quarantine."""
    desk.put("fair/a.txt", HAY, RYE, "junk")
    desk.put("news/a.txt", "x")
    desk.run()
    said = Said(capsys, "status", "--out", desk.out)
    assert (said.code, said.out[:2]) == (
        1,
        [f"dataset: {(desk.out / 'latest').resolve()}", f"contract version: {CONTRACT_VERSION}"],
    )
    assert [line.split() for line in said.out[2:]] == [
        ["source", "last", "run", "age", "records", "quarantined", "unexplained", "lines"],
        ["fair", "ok", "0h", "0m", "2", "1", "1"],
        ["news", "failed", "never", "0", "1", "1"],
        ["fair:", "1", "unexplained_line"],
        "news: news/a.txt:1: not_this_source: expected json lines: JSON objects".split(),
        ["news:", "1", "not_this_source"],
    ]


def test_status_of_a_source_that_has_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named with what failed in the last run, beside the others that were asked for; exit code 1."""
    failure = "news: https://f.example/a: 404 Not Found"
    with pytest.raises(NothingError):
        refresh(Settings(desk.raw, desk.out), desk.known, failures=[failure])
    empty = Said(capsys, "status", "news", known=desk.known)
    told = empty.err[-1].removeprefix("last run: ")
    assert (empty.code, empty.err[1:-1], told.endswith(failure)) == (1, ["news: nothing is published of it"], True)
    desk.put("fair/a.txt", HAY)
    refresh(Settings(desk.raw, desk.out), desk.known, failures=[failure])
    beside = Said(capsys, "status", "fair", "news", known=desk.known)
    assert (beside.code, beside.err) == (1, ["news: nothing is published of it", f"last run: {failure}"])
    assert [line.split()[:2] for line in beside.out[3:]] == [["fair", "ok"]]


def test_age_of_a_source_that_failed_since(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The age is that of the last good run: days, hours and minutes."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    written = load_manifest(desk.out)
    written["sources"]["fair"]["refreshed_at"] = "2020-01-01T00:00:00+00:00"
    put_manifest((desk.out / "latest").resolve(), written)
    desk.put("fair/a.txt", "x")
    desk.run()
    line = Said(capsys, "status", "--out", desk.out).out[3]
    assert re.fullmatch(r"fair +failed +\d{4,}d \d{1,2}h \d{1,2}m +1 +1 +1", line)


def rolled_back(desk: Desk, source: str, age: timedelta) -> None:
    """Make the data of a source as old as ``age``."""
    manifest = load_manifest(desk.out)
    manifest["sources"][source]["refreshed_at"] = (datetime.now(UTC) - age).isoformat(timespec="seconds")
    put_manifest((desk.out / "latest").resolve(), manifest)


def test_stale_data_are_told_by_the_exit_code(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 where a source is older than the limit, naming it; younger ones are not named."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", {"title": "New"})
    desk.run()
    rolled_back(desk, "fair", timedelta(hours=37))
    said = Said(capsys, "status", "--max-age", "36h")
    assert (said.code, said.err) == (1, ["stale: fair: expected data at most 1d 12h 0m old, found 1d 13h 0m"])
    assert [Said(capsys, "status", *more).code for more in (["--max-age", "38h"], ["news", "--max-age", "1h"], [])] == [
        0,
        0,
        0,
    ]


def test_data_from_the_future_are_stale(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong clock must not make data count as fresh for years."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    rolled_back(desk, "fair", -timedelta(days=400, minutes=1))
    said, verdict = Said(capsys, "status", "--max-age", "36h"), Said(capsys, "verify", desk.out, "--max-age", "36h")
    assert (said.code, said.err[0].rsplit(",", 1)[1], verdict.code) == (1, " found 400d 0h 0m in the future", 1)


@pytest.mark.parametrize("command", ["quarantine", "changes"])
def test_a_table_that_is_damaged(desk: Desk, capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Exit code 1 and one line that names the file."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    snapshot = (desk.out / "latest").resolve()
    for file in (snapshot / "changes.parquet", snapshot / "quarantine" / "fair.parquet"):
        file.write_text("x")
    said = Said(capsys, command)
    assert (said.code, said.err[0].startswith(f"failed: {snapshot}/{command}")) == (1, True)


def test_a_source_that_was_never_good_is_stale(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A source without any good run is reported as stale."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", "x")
    desk.run()
    said = Said(capsys, "status", "--max-age", "36h")
    assert (said.code, said.err) == (1, ["stale: news: expected data at most 1d 12h 0m old, found never"])


# quarantine


def test_quarantine_lists_by_reason(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts first, the most frequent reason of a source on top; then each row with file, line and text."""
    more = ({**RYE, "title": f"Rye {number}"} for number in range(18))
    desk.put("fair/a.txt", HAY, "junk", RYE, "waste", "total 21", *more)
    desk.put("news/a.txt", "x")
    desk.run()
    said = Said(capsys, "quarantine")
    assert [line.split() for line in said.out[:4]] == [
        ["source", "reason", "rows"],
        ["fair", "unexplained_line", "2"],
        ["fair", "count_mismatch", "1"],
        ["news", "not_this_source", "1"],
    ]
    assert (said.code, said.out[4:]) == (
        0,
        [
            "fair/a.txt:2: unexplained_line: no rule claimed it: 'junk'",
            "fair/a.txt:4: unexplained_line: no rule claimed it: 'waste'",
            "fair/a.txt:5: count_mismatch: the page declares 21 entries, 20 were parsed: 'total 21'",
            "news/a.txt:1: not_this_source: expected json lines: JSON objects: 'x'",
        ],
    )


def test_quarantine_of_one_reason(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """``--reason`` leaves the others out; ``--json`` gives the rows of the table, texts whole."""
    long = "junk " * 100
    more = ({**RYE, "title": f"Rye {number}"} for number in range(18))
    desk.put("fair/a.txt", HAY, long, "total 20", *more)
    desk.run()
    shown = Said(capsys, "quarantine", "fair", "--reason", "unexplained_line")
    rows = [json.loads(line) for line in Said(capsys, "quarantine", "--reason", "unexplained_line", "--json").out]
    assert (len(shown.out), len(shown.out[-1]) < 300) == (3, True)
    assert [(row["line_start"], row["text"]) for row in rows] == [(2, long)]


def test_lines_of_dumps_that_failed(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Unexplained lines of failed dumps are counted, whether a parser or a guard refused them, also in later runs."""
    junk = ["junk"] * 30
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", RYE, *junk)
    desk.put("news/a.txt", "x", "", "y")
    desk.put("news/b.txt", "x").write_bytes(b"\0")
    for _ in range(2):
        result = desk.run()
        assert [(outcome.source, outcome.unexplained) for outcome in result.outcomes] == [("fair", 30), ("news", 2)]
        assert [line.split()[-1] for line in Said(capsys, "status").out[3:5]] == ["30", "2"]


def test_lines_of_a_ledger_that_is_broken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a defective parser leaves a broken ledger, the lines of the file are counted."""

    def fail(_: Document) -> None:
        raise IndexError

    monkeypatch.setattr(Document, "account", fail)
    desk.put("fair/a.txt", HAY, "break", "")
    assert desk.run().outcomes[0].unexplained == 2


# changes


def test_changes_against_the_snapshot_before(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One line a record, then each column that differs with both values."""
    desk.put("fair/a.txt", HAY, RYE)
    desk.run()
    desk.put("fair/a.txt", {**HAY, "room": "Q"}, {"title": "Oat", "event": "E"})
    desk.run()
    assert Said(capsys, "changes").out == [
        "fair: 1 removed, 1 moved, 1 added",
        "removed  Rye",
        "moved    Hay (room, slots)",
        "added    Oat",
        "all with their values:",
        "next: conspectus changes fair --all",
    ]
    assert Said(capsys, "changes", "--all").out == [
        "moved    fair:e/hay  Hay",
        "         room: R -> Q",
        '         slots: [{"starts_at":"2025-01-01T09:00:00","ends_at":null,"room":"R"}] -> '
        '[{"starts_at":"2025-01-01T09:00:00","ends_at":null,"room":"Q"}]',
        "added    fair:e/oat  Oat",
        "removed  fair:e/rye  Rye",
    ]


def test_changes_of_a_first_night(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The output has a dozen lines, however many records there are."""
    desk.put("fair/a.txt", *({"title": f"T{number}"} for number in range(40)))
    desk.run()
    lines = Said(capsys, "changes").out
    rest = ["and 31 more; all with their values:", "next: conspectus changes fair --all"]
    assert (lines[0], len(lines), lines[-2:]) == ("fair: 40 added", 12, rest)
    assert len(Said(capsys, "changes", "fair", "--all").out) == 40


def test_changes_since_a_day(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The net difference to the snapshot of that day is shown, or else to the oldest one, with a note."""
    for year, title in enumerate(("One", "Two", "Three"), 2021):
        desk.put("news/a.txt", {"title": title})
        made = desk.run().publication.folder
        backdated = made.rename(made.with_name(f"{year}0101T000000Z-00000000"))
        (desk.out / "latest").unlink()
        (desk.out / "latest").symlink_to(backdated)
    old = Said(capsys, "changes", "--since", "2020-01-01")
    new = Said(capsys, "changes", "--since", "2022-06-01T00:00")
    assert (old.out, old.err) == (
        ["removed  news:one  One", "added    news:three  Three"],
        ["no snapshot from 2020-01-01 00:00 or earlier is kept; comparing with the oldest, 20210101T000000Z-00000000"],
    )
    assert (new.out, new.err) == (["added    news:three  Three", "removed  news:two  Two"], [])
    exported = Said(capsys, "export", "csl-json", "--since", "2022-06-01")
    assert [each["title"] for each in json.loads("".join(exported.out))] == ["Three"]
    assert Said(capsys, "export", "csl-json", "--since", "2030-01-01").err[-1].startswith("failed: nothing matches")


def shelf_of_two_nights(folder: Path) -> Shelf:
    """Publish a session, a poster without title and a talk; then others in their place, the talk under a new title."""
    shelf = Shelf(folder)
    shelf.put(
        talk("s", title=None, session_title="Straw", kind="session"),
        talk("p", title=None, abstract="Of rye."),
        talk("rye", title="Rye"),
        record("old", source="barn"),
    )
    again = talk("s", title=None, session_title="Straw", kind="session", room="Q")
    retitled = [("fair:rye", "fair:oat")]
    shelf.put(again, talk("oat", title="Oats"), stamp="20260802T000000Z", retitled=retitled)
    return shelf


def test_changes_of_records_without_a_title(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are named as in lists, also when they are gone; one under another title is one change, with both titles."""
    out = shelf_of_two_nights(tmp_path).out
    assert Said(capsys, "changes", "fair", "--out", out).out[:-2] == [
        "fair: 1 removed, 1 retitled, 1 changed",
        "removed  (no title) Of rye.",
        "retitled Oats (was Rye)",
        "changed  Straw (room)",
    ]
    lines = [line for line in Said(capsys, "changes", "fair", "--all", "--out", out).out if "room" not in line]
    assert lines == [
        "added    fair:oat  Oats",
        "retitled fair:oat  Oats",
        "         record_id: fair:rye (Rye) -> fair:oat (Oats)",
        "removed  fair:p  (no title) Of rye.",
        "removed  fair:rye  Rye",
        "changed  fair:s  Straw",
    ]


@pytest.mark.parametrize("damage", [lambda file: file.write_bytes(b""), lambda file: rmtree(file.parents[1])])
def test_changes_after_a_snapshot_that_is_damaged_or_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None]
) -> None:
    """What was removed is shown by its id."""
    out = shelf_of_two_nights(tmp_path).out
    damage(out / "snapshots" / "20260801T000000Z-00000000" / "parquet" / "fair.parquet")
    said = Said(capsys, "changes", "fair", "--out", out)
    assert (said.code, said.out[1], said.out[3]) == (0, "removed  fair:p", "changed  Straw (room)")


# what the options read


@pytest.mark.parametrize(
    ("text", "age"),
    [("36h", timedelta(hours=36)), ("2d", timedelta(days=2)), ("90 M", timedelta(minutes=90))],
)
def test_ages(text: str, age: timedelta) -> None:
    """Days, hours, minutes."""
    assert parse_age(text) == age


@pytest.mark.parametrize("text", ["36", "h", "-1h", "1w", ""])
def test_no_age(text: str) -> None:
    """Anything else is refused with an example."""
    with pytest.raises(argparse.ArgumentTypeError, match="expected an age such as 36h"):
        parse_age(text)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-11", datetime(2026, 7, 11, tzinfo=UTC)),
        ("2026-07-11T03:00", datetime(2026, 7, 11, 3, tzinfo=UTC)),
        ("2026-07-11T03:00+02:00", datetime(2026, 7, 11, 1, tzinfo=UTC)),
    ],
)
def test_moments(text: str, moment: datetime) -> None:
    """A day means its beginning; a time without zone is UTC."""
    assert parse_moment(text) == moment
