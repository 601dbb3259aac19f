"""The command explain: from a record to the lines that gave it, from a line to its record or quarantine row."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from parsers._contract import Format
from parsers._ledger.document import Document
from parsers._ledger.lines import Classification, LineClass, Place
from pipeline.cli.explain import _alike
from pipeline.explaining.record import lines_of, place_of, rules_in, trace
from schemas.items import Item, Record
from tests.support.manifests import change_captures, load_manifest, put_manifest
from tests.support.said import Said
from tests.support.toy import FAIR, Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00", "room": "R"}
RYE = {"title": "Rye", "event": "E"}

PLACES = [
    Place(1, LineClass.HEADING, "day", None, "Friday, June 5th"),
    Place(2, LineClass.HEADING, "slot", None, "9:00-10:30 Mills"),
    Place(None, LineClass.RECORD, "title", None, "beyond what is counted"),
    Place(3, LineClass.RECORD, "title", None, "<p.talk> Mills  in the Wind"),
    Place(4, LineClass.RECORD, "text", None, "Title: Mills are turned by windComments: none"),
    Place(5, LineClass.RECORD, None, None, "1,204"),
    Place(6, LineClass.HEADING, "slot", None, "11:00-12:30Rest"),
]


def explain(capsys: pytest.CaptureFixture[str], what: str | Path, *more: str | Path) -> Said:
    """Explain a record or a line."""
    return Said(capsys, "explain", what, *more)


def cells(said: Said, column: str) -> list[str]:
    """Return what is printed for a column: value, place and rule."""
    (line,) = (line for line in said.out if line.startswith(f"  {column} "))
    return re.split(r" {2,}", line.strip())[1:]


# Where a value is printed


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        ("Mills in the Wind", [3]),
        ("Mills are turned by wind", [4]),
        ("mills in the wind and in the water", [3]),
        (1204, [5]),
        (204, []),
        (date(2026, 6, 5), [1]),
        (datetime(2026, 6, 5, 9), [2]),
        (datetime(2026, 6, 5, 11), []),
        ("ill", []),
        ("", []),
        (None, []),
        ([{"starts_at": datetime(2026, 6, 5, 9), "room": "Mills", "country_code": "in"}], [2, 3, 4]),
    ],
)
def test_where_a_value_is_printed(value: object, numbers: list[int]) -> None:
    """A value is found in the item's lines, else in the nearest heading above; never inside a word."""
    assert [place.number for place in trace(value, (3, 5), PLACES)] == numbers


def test_a_word_that_is_glued_to_a_time() -> None:
    """Extractors glue titles to times: ``Rest`` is found in ``11:00-12:30Rest``."""
    assert [place.number for place in trace("Rest", (6, 6), PLACES)] == [6]


def test_lines_are_printed_as_spans() -> None:
    """Consecutive lines are printed as a span; without line numbers only the file is named."""
    seen = {"dump": "a.txt", "line_start": 3, "line_end": 5}
    assert [lines_of("a.txt", numbers) for numbers in ([4, 1, 2, None, 2], [7], [None])] == [
        "a.txt:1-2,4",
        "a.txt:7",
        "a.txt",
    ]
    assert [place_of(each) for each in (seen, {**seen, "line_end": None}, {**seen, "line_start": None})] == [
        "a.txt:3-5",
        "a.txt:3",
        "a.txt",
    ]


def test_values_of_a_session_are_looked_for_above() -> None:
    """A value of the session is found in its heading, though the talk's title has the same word."""
    assert [place.number for place in trace("Mills", (3, 5), PLACES, of_heading=True)] == [2]


def test_an_item_without_lines() -> None:
    """Without both line numbers no place and no rule is found."""
    assert (trace("Mills", (None, None), PLACES), rules_in((None, 3), PLACES), rules_in((2, 5), PLACES)) == (
        [],
        [],
        ["slot", "title", "text"],
    )


@pytest.mark.parametrize(("day", "text"), [(1, "june 1st"), (2, "June 2nd"), (3, "JUNE 3rd"), (12, "June 12th")])
def test_days_with_their_endings(day: int, text: str) -> None:
    """Ordinals of days are found: 1st, 2nd, 3rd, 12th."""
    assert trace(date(2026, 6, day), (1, 1), [Place(1, LineClass.HEADING, "day", None, text)]) != []


# A record


def test_a_record_with_its_lines(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Each field has dump, line and rule; then come sidecar values, notes, sightings and history."""
    desk.put("fair/a.txt", "", {**HAY, "notes": ["cancelled"]}, sidecar='timezone = "Europe/Oslo"')
    desk.run()
    said = explain(capsys, "fair:e/hay")
    assert (said.code, said.err, said.out[0]) == (0, [], "fair:e/hay  Hay")
    assert cells(said, "room") == ["R", "fair/a.txt:2", "line"]
    assert cells(said, "timezone") == ["Europe/Oslo", "fair/a.txt.meta.toml", "timezone"]
    assert cells(said, "kind") == ["paper", "-", "-"]
    assert "  note cancelled: the item is marked as cancelled or withdrawn" in said.out
    history = said.out.index("history, newest first")
    assert said.out[history - 3 : history] == [
        "sightings, newest first",
        "  fair/a.txt:2",
        "    gave authors, event, room, slots, starts_at, timezone, title",
    ]
    assert said.out[history + 1 :] == [f"  {(desk.out / 'latest').resolve().name}  added"]


def test_a_value_found_on_no_line(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A value found on no line is attributed to the whole item, with its lines and rules."""
    desk.put("fair/a.txt", '{"title": "H\\u0061y", "event": "E"}')
    desk.run()
    assert cells(explain(capsys, "fair:e/hay"), "title") == [
        "Hay",
        "fair/a.txt:1",
        "not found literally; rules of the item: line",
    ]


def test_a_value_of_the_pipeline(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A DOI found in another field is shown as computed by the pipeline."""
    desk.put("news/a.txt", {"title": "Hay", "journal_ref": "J. Hay, doi:10.1000/hay.1"})
    desk.run()
    assert cells(explain(capsys, "news:hay"), "doi") == ["10.1000/hay.1", "computed by the pipeline", "-"]


def test_what_other_sightings_say(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Newest first, with day and capture: what each sighting gave and where it differs."""
    desk.put("news/a-20260711T0300Z.txt", {"title": "Hay", "comments": "old", "listed_on": "2026-07-11"})
    desk.put("news/b-20260712T0300Z.txt", {"title": "Hay", "comments": "new", "listed_on": "2026-07-12"})
    desk.run()
    out = explain(capsys, "news:hay").out
    start = out.index("sightings, newest first")
    assert out[start + 1 : -2] == [
        "  news/b-20260712T0300Z.txt:1  captured 2026-07-12 03:00:00, listed on 2026-07-12",
        "    gave comments, listed_on, title",
        "  news/a-20260711T0300Z.txt:1  captured 2026-07-11 03:00:00, listed on 2026-07-11",
        "    differs: listed_on: 2026-07-11",
        "    differs: comments: old",
    ]


def test_what_other_captures_of_the_page_say(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Older captures, newer ones that were refused, and those without the record; none of them feeds it."""
    desk.put("fair/a-20260710T0300Z.txt", RYE)
    desk.put("fair/a-20260711T0300Z.txt", {**HAY, "room": "Q"})
    desk.put("fair/a-20260712T0300Z.txt", HAY)
    desk.put("fair/a-20260713T0300Z.txt", "x")
    desk.run()
    out = explain(capsys, "fair:e/hay").out
    start = out.index("other captures of the same page, not used for this record")
    refused = "fair/a-20260713T0300Z.txt:1: not_this_source: expected json lines: JSON objects"
    assert [line for line in out[start + 1 : -2] if "slots" not in line] == [
        f"  fair/a-20260713T0300Z.txt  captured 2026-07-13 03:00:00, refused: {refused}",
        "  fair/a-20260711T0300Z.txt:1  captured 2026-07-11 03:00:00",
        "    differs: room: Q",
        "  fair/a-20260710T0300Z.txt  captured 2026-07-10 03:00:00, has no record with this id",
    ]


def test_a_record_whose_dump_is_gone_or_another(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Places come from the published data; rules are unknown, and the output says so."""
    file = desk.put("fair/a.txt", HAY)
    desk.run()
    desk.put("fair/a.txt", RYE)
    changed = explain(capsys, "fair:e/hay")
    file.unlink()
    gone = explain(capsys, "fair:e/hay")
    assert cells(changed, "room") == cells(gone, "room") == ["R", "fair/a.txt:1", "-"]
    assert "  fair/a.txt:1  the file has changed since then" in changed.out
    assert "  fair/a.txt:1  the dump no longer exists" in gone.out


def test_a_dump_that_took_too_much(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A dump that hit its limits is not read again: nothing would stop it here."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    change_captures(desk.out, "fair", error="too slow", reasons=[{"name": "too_slow", "count": 1}])
    said, line = explain(capsys, "fair:e/hay"), explain(capsys, "fair/a.txt:1")
    assert "  fair/a.txt:1  not read again: too_slow at the last attempt" in said.out
    assert line.out == [
        "fair/a.txt:1",
        "  not read again: too_slow at the last attempt",
        "  published: record fair:e/hay (lines 1-1)",
    ]


def test_a_dump_that_is_refused_by_now(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The dump has not changed, but its new sidecar is broken: the output says that it is refused now."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    desk.put("fair/a.txt", HAY, sidecar="yaer = 1")
    said = explain(capsys, "fair:e/hay")
    assert any(
        line.startswith("  fair/a.txt:1  refused by the current parser: fair/a.txt.meta.toml:1: bad_")
        for line in said.out
    )


def test_the_history_of_a_record(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What each kept snapshot changed, also after the record was removed; a damaged change feed is skipped."""
    made = []
    items: list[dict[str, Any]] = [HAY, {**HAY, "room": "Q"}, RYE]
    for year, item in enumerate(items, 2021):
        desk.put("fair/a.txt", item)
        folder = desk.run().publication.folder
        made.append(folder.rename(folder.with_name(f"{year}0101T000000Z-00000000")))
        (desk.out / "latest").unlink()
        (desk.out / "latest").symlink_to(made[-1])
        manifest = load_manifest(desk.out)
        manifest["previous"] = made[-2].name if made[1:] else None
        put_manifest(made[-1], manifest)
    said = explain(capsys, "fair:e/hay")
    last = "fair:e/hay: no longer published; last in snapshot 20220101T000000Z-00000000"
    start = said.out.index("history, newest first")
    assert (said.code, said.err) == (0, [last])
    assert [line for line in said.out[start + 1 :] if "slots" not in line] == [
        "  20230101T000000Z-00000000  removed",
        "  20220101T000000Z-00000000  moved",
        "    room: R -> Q",
        "  20210101T000000Z-00000000  added",
    ]
    for folder in made:
        (folder / "changes.parquet").write_text("x")
    assert explain(capsys, "fair:e/rye").out[-1] == (
        "  no change in the snapshots kept, the oldest of which is 20210101T000000Z-00000000"
    )


def test_a_record_that_is_not_there(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, with similar ids, else with what is expected."""
    desk.put("fair/a.txt", HAY, {"title": "Barley", "event": "E"})
    desk.run()
    near, far, stranger = (explain(capsys, what) for what in ("fair:e/haay", "fair:zzzzzzzzzzzz", "barn:e/hay"))
    told = "conspectus: no such record or line: fair:e/haay; did you mean fair:e/hay or fair:e/barley?"
    assert (near.code, near.err) == (2, [told])
    expected = "expected an id such as <source>:<key>, or FILE:LINE"
    assert (far.code, far.err) == (2, [f"conspectus: no such record or line: fair:zzzzzzzzzzzz; {expected}"])
    assert "did you mean fair:e/hay or" in stranger.err[0]


def test_a_record_is_asked_for_by_its_title(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A title that is nearly right leads to the matching ids, each named once, whatever the case."""
    desk.put("fair/a.txt", {**HAY, "title": "Ten Years of Hay"}, {**HAY, "title": "Ten Years of Hay Ä"}, RYE)
    desk.run()
    said = explain(capsys, "ten years of hai")
    near = "fair:e/ten-years-of-hay or fair:e/ten-years-of-hay-ä"
    assert (said.code, said.err[0].rpartition("; ")[2]) == (2, f"did you mean {near}?")


def test_many_records_are_compared_soon() -> None:
    """Of 30,000 ids only the few that share most with the given one are compared letter by letter."""
    ids = [f"fair:e{number % 30}/{number * 7919 % 100_003}-of-hay-and-barley" for number in range(30_000)]
    rows = _alike(pl.DataFrame({"record_id": ids, "title": [None, *["Hay"] * 29_999]}), ids[777].replace("hay", "hey"))
    assert (rows.height, ids[777] in rows["record_id"].to_list()) == (300, True)


def test_a_record_that_was_held_back(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """An id that is only in quarantine is explained from there."""
    desk.put("fair/a.txt", RYE)
    desk.put("fair/b.txt", {**HAY, "url": "no address"}, *["unread"] * 60)
    desk.run()
    held = desk.table("quarantine", "fair").drop_nulls("record_id")
    said = explain(capsys, held["record_id"][0])
    assert (said.code, said.out[0].split(": ")[1:3]) == (0, ["held back", "fair/b.txt:1"])


def test_nothing_is_published(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, naming the out root."""
    said = explain(capsys, "fair:e/hay")
    assert (said.code, said.out, said.err) == (1, [], [f"nothing is published below {desk.out}"])


def test_explain_without_a_raw_root(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Published data is shown without a raw root; a given root that is missing is exit code 2."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    desk.raw.rename(desk.raw.with_name("moved"))
    said, line, named = (
        explain(capsys, "fair:e/hay"),
        explain(capsys, "fair/a.txt:1"),
        explain(capsys, "fair:e/hay", "--raw", "none"),
    )
    assert (said.code, said.err[0].endswith("; showing only what is published")) == (0, True)
    assert line.out[1:] == [
        "  not read: there is no raw root to look for the dump (use --raw)",
        "  published: record fair:e/hay (lines 1-1)",
    ]
    assert named.code == 2


# A line


def test_lines_of_a_dump(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, class, rule, and the record or quarantine row, as read by today's parser and as published."""
    desk.put("fair/a.txt", HAY, "", "junk")
    desk.run()
    record, blank, junk = (explain(capsys, f"fair/a.txt:{number}") for number in (1, 2, 3))
    assert (record.code, record.out[2:]) == (
        0,
        [
            "  class: record (part of a record)",
            "  rule: line",
            "  current parser: record fair:e/hay (lines 1-1)",
            "  published: record fair:e/hay (lines 1-1)",
            "  near, 3: junk",
        ],
    )
    assert blank.out[:2] == ["fair/a.txt:2", "  nothing here: the line is blank"]
    assert junk.out[:-1] == [
        "fair/a.txt:3",
        "  text: junk",
        "  class: unexplained (no rule claimed it)",
        "  rule: none",
        "  current parser: quarantine: unexplained_line: no rule claimed it",
        "  published: quarantine: unexplained_line: no rule claimed it",
    ]


@pytest.mark.parametrize("given", ["raw/fair/a.txt:1", "./raw/fair/a.txt:1-1", "{raw}/fair/a.txt:1", "fair/a.txt:1"])
def test_ways_to_name_a_line(desk: Desk, capsys: pytest.CaptureFixture[str], given: str) -> None:
    """As messages print it, below the raw root, or as a path of the file system."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    assert explain(capsys, given.format(raw=desk.raw)).out[0] == "fair/a.txt:1"


def test_a_line_of_a_dump_that_feeds_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A line of a refused dump, an older capture or a source with nothing published is shown with the reason."""
    desk.put("fair/a-20260711T0300Z.txt", HAY)
    desk.put("fair/a-20260712T0300Z.txt", HAY)
    desk.put("fair/b.txt", "x")
    desk.run()
    desk.put("news/a.txt", HAY)
    refused = "fair/b.txt:1: not_this_source: expected json lines: JSON objects"
    assert explain(capsys, "fair/b.txt:1").out[1:] == [
        f"  the whole dump is refused: {refused}",
        "  text: x",
        "  class: unexplained (no rule claimed it)",
        "  rule: none",
        "  current parser: quarantine: not_this_source: expected json lines: JSON objects",
        "  published: quarantine: not_this_source: expected json lines: JSON objects",
    ]
    assert explain(capsys, "fair/a-20260711T0300Z.txt:1").out[-1].startswith("  published: nothing from this dump")
    assert explain(capsys, "news/a.txt:1").out[-1] == "  published: nothing from this source"


def test_a_line_of_a_dump_that_failed(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Any line of a refused dump shows the dump's error, and so does a line of a file that is not text."""
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", "x", "y")
    desk.put("fair/c.txt", "x").write_bytes(b"\0")
    desk.run()
    assert (
        explain(capsys, "fair/b.txt:2").out[-2].startswith("  published: nothing; the dump is refused: fair/b.txt:1:")
    )
    assert explain(capsys, "fair/c.txt:1").out[1].startswith("  the file cannot be read: fair/c.txt:1: nul_byte: ")


def test_ignored_files(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """For each ignored file the output gives the reason."""
    desk.put("fair/a.txt", HAY, sidecar="year = 2025")
    desk.put("fair/b.txt", HAY, sidecar="specimen = true")
    desk.put("fair/README.md", "x")
    desk.put("barn/a.txt", "x")
    desk.run()
    told = {path: explain(capsys, f"{path}:1").out[1] for path in ("fair/b.txt", "fair/README.md", "barn/a.txt")}
    assert told == {
        "fair/b.txt": "  the file is left out: a specimen, and its source has real dumps",
        "fair/README.md": "  the file is ignored: documentation",
        "barn/a.txt": "  no source claims this file: unknown_source: expected raw/<source>/<dump>, the source one of "
        "fair, news",
    }
    assert explain(capsys, "raw/fair/a.txt.meta.toml:1").out[1].startswith("  a sidecar:")


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("fair/a.txt:9", "fair/a.txt: expected a line number from 1 to 1, found 9"),
        ("fair/z.txt:1", "fair/z.txt: expected a dump below {raw} or a published one, found no such file"),
        ("raw/fair/.x:1", "raw/fair/.x: expected a dump below {raw} or a published one, found a file that is no "
         "dump of a known source"),
        ("away.txt:1", "away.txt: expected a file below {raw}; for other files:\n"
         "next: conspectus parse away.txt --lines"),
    ],
)  # fmt: skip
def test_lines_that_are_not_there(desk: Desk, capsys: pytest.CaptureFixture[str], what: str, message: str) -> None:
    """Exit code 2, with what was expected."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    desk.put("fair/.x", "x")
    Path("away.txt").write_text("x")
    said = explain(capsys, what)
    assert (said.code, said.out, said.err) == (2, [], f"conspectus: {message.format(raw=desk.raw)}".split("\n"))


def parse_other(document: Document) -> Iterator[Item]:
    """Read titles from JSON; from text make one record and note how its line was read."""
    if document.text.startswith("x"):
        document.lines.tell(1, Classification("short", "title", 4, "room", 1))
        yield Record(line_start=1, line_end=1, title="X")
        return
    for place, value in enumerate(document.data.value, 1):
        yield Record(line_start=place, line_end=place, title=document.data.open_item(value, place).text("title"))


def test_numbers_of_data_and_readings(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """In JSON the number counts items; a line read by a grammar is shown with its price and the next best reading."""
    other = replace(FAIR, formats=(Format("other", "anything", lambda _: True, parse_other),))
    desk.known = {"fair": other}
    desk.put("fair/a.json", '[{"title": "Hay"},', '{"title": "Rye"}]')
    desk.put("fair/a.txt", "x")
    desk.run()
    told = Said(capsys, "explain", "fair/a.json:2", known=desk.known).out
    assert (told[1].split(":")[0], told[2]) == ("  numbers in this dump count items, not lines, because it is JSON",
        '  text: title: "Rye"')  # fmt: skip
    rule = "  rule: none (read as title at price 4; next best: room, 1 more)"
    assert Said(capsys, "explain", "fair/a.txt:1", known=desk.known).out[3] == rule


def test_a_record_whose_key_is_a_number(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """``news:2024`` looks like FILE:LINE, but a published record has that id and wins."""
    desk.put("news/a.txt", {"title": "2024"})
    desk.run()
    assert explain(capsys, "news:2024").out[0] == "news:2024  2024"
