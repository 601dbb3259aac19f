"""``show`` and ``search``: what people read of programmes, listings and records in a terminal."""

import json
from datetime import date, datetime
from pathlib import Path

import pytest

from tests.export.shelf import Shelf, person, record, slot, talk
from tests.support.said import Said

Capture = pytest.CaptureFixture[str]
AT = [datetime(2026, 8, 3, hour) for hour in range(24)]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Publish a programme of two rooms, another of none, and a listing; the terminal has 100 columns."""
    shelf = Shelf(tmp_path)
    grass = {"session_title": "Grass", "session_code": "1", "chairs": [person("Cleo Dike", "Harbour U.")]}
    shelf.put(
        talk("hay", slots=[slot(AT[9], AT[10], "Hall")], authors=[person("Ida Pome"), person("Bo Åker")], **grass),
        talk(
            "oat",
            title="Oats",
            slots=[slot(AT[10], AT[11], "Hall")],
            notes=["cancelled"],
            line_start=2,
            track="Mills",
            **grass,
        ),
        talk("bar", title="Barley", slots=[slot(AT[9], AT[11], "Bar")], presenter="Eve Fen", notes=["time_is_session"]),
        talk("tea", title="Tea", kind="break", slots=[slot(AT[11], None, None)]),
        talk("late", title="Late", slots=[slot(datetime(2026, 8, 4, 9), None, None)]),
        talk("tba", title="To Be Placed", slots=None, session_title="Straw", abstract="Of RYE."),
        record("x", source="barn", title="Hay in Café", arxiv_id="2601.00001", listed_on=date(2026, 8, 2)),
        record("y", source="barn", title=None, abstract="Rye " * 40, listed_on=date(2026, 8, 1)),
        record("z", source="loft", title="Loose Hay"),
        record("p", source="loft", title="Page", slots=[slot()]),
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return shelf


def test_a_programme(shelf: Shelf, capsys: Capture) -> None:
    """Rooms are side by side for each day; talks without room span them; those without time come last."""
    said = Said(capsys, "show", "fjord 2026")
    assert [line.rstrip() for line in said.out] == [
        "FJORD 2026: 6 records of fair, local time",
        "",
        "Monday 3 August 2026",
        "       Bar                                            Hall",
        "09:00  09:00–11:00  Barley — Eve Fen                  09:00–11:00  1: Grass",
        "                                                      chaired by Cleo Dike (Harbour U.)",
        "                                                      09:00 Hay — Ida Pome, Bo Åker",
        "                                                      10:00 Oats (cancelled)",
        "11:00        Tea",
        "",
        "Tuesday 4 August 2026",
        "09:00        Late",
        "",
        "Straw (no time given)",
        "  To Be Placed",
    ]


def test_a_narrow_terminal(shelf: Shelf, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow terminal shows one talk below the other, each with its room."""
    monkeypatch.setenv("COLUMNS", "50")
    assert Said(capsys, "show", "fjord", "--day", "2026-08-03").out[3:] == [
        "09:00–11:00  Barley — Eve Fen  [Bar]",
        "09:00–11:00  1: Grass  [Hall]",
        "             chaired by Cleo Dike (Harbour U.)",
        "             09:00 Hay — Ida Pome, Bo Åker",
        "             10:00 Oats (cancelled)",
        "11:00        Tea",
    ]


def test_a_room(shelf: Shelf, capsys: Capture) -> None:
    """``--room`` shows one room; if nothing is there, the days and rooms are listed."""
    assert Said(capsys, "show", "fair", "--room", "bar").out[3:] == ["09:00–11:00  Barley — Eve Fen  [Bar]"]
    nothing = Said(capsys, "show", "fair", "--room", "Yard")
    expected = "FJORD 2026: nothing is as asked for; days: 2026-08-03 to 2026-08-04; rooms: Bar, Hall"
    assert (nothing.out, nothing.err) == ([], [expected])


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["--kind", "break"], ["11:00        Tea"]),
        (["--track", "mills"], ["10:00–11:00  1: Grass  [Hall]", "10:00 Oats (cancelled)"]),
        (["--words", "AKER"], ["09:00–10:00  1: Grass  [Hall]", "09:00 Hay — Ida Pome, Bo Åker"]),
        (["--words", "rye straw"], ["Straw (no time given)", "To Be Placed"]),
    ],
)
def test_a_part_of_a_programme(
    shelf: Shelf, capsys: Capture, monkeypatch: pytest.MonkeyPatch, asked: list[str], expected: list[str]
) -> None:
    """Kind, track and words choose among the talks; those of a session keep its heading."""
    monkeypatch.setenv("COLUMNS", "50")
    lines = [line.strip() for line in Said(capsys, "show", "fjord", *asked).out]
    assert [line for line in lines[1:] if line and "August" not in line and "chaired" not in line] == expected


def test_nothing_of_a_programme(shelf: Shelf, capsys: Capture) -> None:
    """The tracks and kinds are told that could be asked for; an unknown kind is a mistake."""
    nothing = Said(capsys, "show", "fjord", "--track", "Mill", "--kind", "panel")
    known = "rooms: Bar, Hall; kinds: break, paper; tracks: Mills"
    days = "days: 2026-08-03 to 2026-08-04"
    assert (nothing.code, nothing.err) == (0, [f"FJORD 2026: nothing is as asked for; {days}; {known}"])
    assert Said(capsys, "show", "--kind", "talks").code == 2


def test_a_part_of_what_there_is(shelf: Shelf, capsys: Capture) -> None:
    """Programmes and listings are counted by what is chosen of them."""
    found = [line.split()[-1] for line in Said(capsys, "show", "--words", "hay").out[1:]]
    named = [line.split()[0] for line in Said(capsys, "show", "--words", "hay").out[1:]]
    assert list(zip(named, found, strict=True)) == [("FJORD", "1"), ("(listing)", "1"), ("(listing)", "1")]


def test_a_part_of_a_listing(shelf: Shelf, capsys: Capture) -> None:
    """The newest day on which anything chosen was listed is shown."""
    said = Said(capsys, "show", "barn", "--words", "rye")
    assert said.out[0] == "barn: listed on 2026-08-01: 1 of 1 records, 2026-08-01"
    assert Said(capsys, "show", "barn", "--words", "rye hay").err == [
        "barn: nothing of its 2 records, 2026-08-01 to 2026-08-02, is as asked for"
    ]


def test_many_talks_are_folded(shelf: Shelf, capsys: Capture) -> None:
    """Only their number is shown, without ``--day``. What lasts all day comes first."""
    posters = [talk(f"p{n}", title=f"P{n}", session_title="Posters", notes=["time_is_session"]) for n in range(9)]
    shelf.put(*posters, talk("desk", title="Desk", slots=[slot(AT[8], AT[18], None)]), stamp="20260802T000000Z")
    lines = Said(capsys, "show", "fjord").out[3:]
    assert lines == ["08:00–18:00  Desk", "09:00–10:00  Posters  [Fjord]", "             9 talks"]
    assert Said(capsys, "show", "fjord", "--day", "2026-08-03").out[5:7] == ["             P0", "             P1"]


def test_what_there_is(shelf: Shelf, capsys: Capture) -> None:
    """Programmes and listings are listed with their days and records, also of pages without event."""
    said = Said(capsys, "show")
    assert [line.split() for line in said.out[1:]] == [
        ["FJORD", "2026", "fair", "2026-08-03", "to", "2026-08-04", "6"],
        ["loft/a.txt", "loft", "2026-08-03", "1"],
        ["(listing)", "barn", "2026-08-01", "to", "2026-08-02", "2"],
        ["(listing)", "loft", "no", "times", "1"],
    ]
    assert json.loads(Said(capsys, "show", "--json").out[0])[2] == {
        "source": "barn",
        "event": None,
        "page": None,
        "records": 2,
        "begins": "2026-08-01",
        "ends": "2026-08-02",
    }


def test_a_listing(shelf: Shelf, capsys: Capture) -> None:
    """The newest day is shown, or the day of ``--day``; a record without title is shown by its text."""
    assert Said(capsys, "show", "barn").out == [
        "barn: listed on 2026-08-02: 1 of 2 records, 2026-08-01 to 2026-08-02",
        "2601.00001    Hay in Café",
    ]
    assert Said(capsys, "show", "barn", "--day", "2026-08-01").out[1] == f"(no title) {'Rye ' * 20}…"
    (row,) = Said(capsys, "show", "barn", "--json").out
    assert json.loads(row)["listed_on"] == "2026-08-02"


def test_a_record(shelf: Shelf, capsys: Capture) -> None:
    """A record is shown field by field, with a hint to ``explain``."""
    said = Said(capsys, "show", "fair:hay")
    assert said.out[:1] + [line for line in said.out if line.startswith(("authors", "slots", "event"))] == [
        "Hay",
        "authors              Ida Pome; Bo Åker",
        "event                FJORD 2026",
        "slots                2026-08-03T09:00:00 2026-08-03T10:00:00 Hall",
    ]
    assert json.loads(Said(capsys, "show", "fair:hay", "--json").out[0])["slots"][0]["room"] == "Hall"
    assert said.err == ["where each field comes from:", "next: conspectus explain fair:hay"]


def test_programme_as_json(shelf: Shelf, capsys: Capture) -> None:
    """``--json`` prints the rows as in the NDJSON files."""
    rows = [json.loads(line) for line in Said(capsys, "show", "fjord", "--day", "2026-08-04", "--json").out]
    assert [(row["title"], row["starts_at"]) for row in rows] == [("Late", "2026-08-04T09:00:00")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["HAY"], ["fair:hay", "barn:x", "loft:z"]),
        (["cafe hay"], ["barn:x"]),
        (["hay", "aker"], ["fair:hay"]),
        (["rye"], ["barn:y", "fair:tba"]),
        (["eve", "barley"], ["fair:bar"]),
        (["a.c"], []),
    ],
)
def test_search(shelf: Shelf, capsys: Capture, words: list[str], expected: list[str]) -> None:
    """All words must match, without regard to case and accents; matches in titles come first."""
    said = Said(capsys, "search", *words)
    assert sorted(line.split("; ")[-1].strip() for line in said.out[1::2]) == sorted(expected)
    rows = [json.loads(line)["record_id"] for line in Said(capsys, "search", *words, "--json").out]
    assert (rows, said.code) == (expected, 0 if expected else 1)


def test_search_further(shelf: Shelf, capsys: Capture) -> None:
    """Matches can be limited to a source or kind; only the first 20 are shown."""
    assert len(Said(capsys, "search", "hay", "--source", "loft").out) == 2
    assert Said(capsys, "search", "e", "--kind", "break").out[0] == "2026-08-03  Tea"
    shelf.put(*(talk(f"n{number}") for number in range(30)), stamp="20260802T000000Z")
    said = Said(capsys, "search", "hay")
    assert (len(said.out), said.err) == (40, ["30 records match; these are the first 20 (--json prints all)"])


def test_a_damaged_file_is_not_shown(shelf: Shelf, capsys: Capture) -> None:
    """Nothing is shown, and the file is named."""
    (shelf.out / "latest" / "parquet" / "loft.parquet").write_bytes(b"")
    for command in (["show"], ["search", "hay"]):
        said = Said(capsys, *command)
        assert (said.code, said.out) == (1, [])
        assert "loft.parquet: expected the table described in the manifest, found a damaged file" in said.err[0]
