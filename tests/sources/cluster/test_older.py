"""What is particular to the pages of older years: pages agree with their texts."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from resiliparse.extract.html2text import extract_plain_text

from parsers._ledger.document import DumpError, Facts
from schemas.items import Person, Record, Slot
from tests.support.helpers import parse_text

FIXTURES = Path(__file__).parent / "fixtures"
FORMATS = {"2014": "timetable", "2015": "grids", "2017": "lists"}
FACTS = Facts(url="https://lantern.example/final-program/wednesday-24-sept", year=2031, event="LANTERN 2031")
REFUSED = {"declined", "not_this_source", "empty_result"}
PAGES = {
    "timetable": "11.00-12.30\nROOM C\nPAPER SESSION 3 - Chair: {0}\nSTORES\n- 12.- {0}\n{0}\n",
    "grids": "10:30 - 12:30\nSession 1:\nSession 1: Stores-(Room: Quay)\nChair: {0}\n- {0}\n{0}\n",
    "lists": "Session 1: Stores\nChair : {0}\n- {0}\nKeynote 1 : {0}\nSpeaker : {0}\nAbstract : {0}\n",
}


def bare(records: tuple[Record, ...]) -> list[Record]:
    """Take the line numbers off: a page and its text differ in them."""
    return [record._replace(line_start=None, line_end=None) for record in records]


def outcome_of(text: str) -> str:
    """Return the format by which a text is read, or the reason for which it is refused."""
    try:
        return parse_text("cluster", text, facts=FACTS).format
    except DumpError as error:
        return error.reason


@pytest.mark.parametrize(("name", "layout"), FORMATS.items())
def test_page_agrees_with_its_text(name: str, layout: str) -> None:
    """A page and the whole of its text give the same records."""
    page = (FIXTURES / f"{name}_page.html").read_text(encoding="utf-8")
    of_page = parse_text("cluster", page, facts=FACTS)
    of_text = parse_text("cluster", extract_plain_text(page), facts=FACTS)
    assert (of_text.format, bare(of_text.records)) == (of_page.format, bare(of_page.records))
    assert of_page.format == layout


@pytest.mark.untraced
@pytest.mark.parametrize("filler", ["(", " ", "A, ", "and ", "J. ", "x. ", "\t", " | ", "- ", "1.- ", "9:30 - 9:40 "])
@pytest.mark.parametrize("layout", PAGES)
def test_long_line_is_read_in_bounded_time(layout: str, filler: str) -> None:
    """One endless line, wherever it stands, is read in linear time."""
    endless = "A" + filler * (20_000 // len(filler)) + "z"
    text = "Wednesday, September 9\n9:00 - 9:30\nOpening\n" + PAGES[layout].format("Small Files")
    assert outcome_of(f"{text}{PAGES[layout].format(endless)}") in {layout, "at_a_glance_text", *REFUSED}


def test_days_on_one_page() -> None:
    """Where a page of 2014 prints several days, each time is of the day above it; a room needs no word for one."""
    slot = "11.00-12.30\nSALA A\nPAPER SESSION {0} - Chair: Cal Tern\nSTORES\n- {0}.- Small Files {0}\nAnn One\n"
    text = f"Tuesday, September 23\n{slot.format(1)}Wednesday, September 24\n{slot.format(2)}"
    records = parse_text("cluster", text, facts=Facts(year=2014)).records
    assert [(record.title, record.slots) for record in records] == [
        ("Small Files 1", (Slot(datetime(2014, 9, 23, 11), datetime(2014, 9, 23, 12, 30), "SALA A"),)),
        ("Small Files 2", (Slot(datetime(2014, 9, 24, 11), datetime(2014, 9, 24, 12, 30), "SALA A"),)),
    ]


def test_marks_of_lists_that_are_typed() -> None:
    """Dashes in front of talks are no part of them, whether a list prints them or the page does."""
    page = "<h3>Session 1: Stores-(Room: Quay)</h3><p>- Small Files<br>Ann One (Plum)</p>"
    parsed = parse_text("cluster", f"<html><body><h2>Wednesday, September 9</h2>{page}</body></html>")
    talks = [(record.title, record.authors) for record in parsed.records]
    assert (parsed.format, talks) == ("grids", [("Small Files", (Person("Ann One", "Plum"),))])


@pytest.mark.parametrize("name", FORMATS)
def test_no_series_is_named(name: str) -> None:
    """Where neither address nor page names a series, no edition is inferred, whatever the layout."""
    page = (FIXTURES / f"{name}_page.html").read_text(encoding="utf-8").replace("Cluster", "Lantern")
    records = parse_text("cluster", page, path="cluster/2031.html", facts=replace(FACTS, event=None)).records
    assert {record.event for record in records} == {None}


def test_moderator_below_a_panel() -> None:
    """A label on a row of its own names the chairs of a session too, and those who sit on a panel stand below it."""
    text = "9.00-10.00\nHALL 2\nPANEL 1\nWHOSE ROPE?\nModerator: Bea Sorn\nCal Tern, Plum\nDag Ohm, Orb Lab\n"
    lunch = "10.00-11.00\nLUNCH\n11.00-12.00\nTOUR\n"
    record = parse_text("cluster", f"Tuesday 7 June\n{text}{lunch}", facts=Facts(year=2033)).records[0]
    found = (record.kind, record.title, record.chairs, record.session_description)
    assert found == ("panel", "PANEL 1: WHOSE ROPE?", (Person("Bea Sorn"),), "Cal Tern, Plum\nDag Ohm, Orb Lab")


def test_grid_with_titles_below_their_codes() -> None:
    """A cell of the grid that breaks between code and title of a session is no item of its own."""
    grid = "10:30 – 12:30\t\tSession 1:\nStores\t\tSession 2:\nRopes\n12:30 – 14:00\t\tLunch\n"
    talks = "".join(
        f"Session {code}: {title}-(Room: Quay)\nChair: Bea Sorn\n  • {title} in Use\n    Ann One\n"
        for code, title in ((1, "Stores"), (2, "Ropes"))
    )
    records = parse_text("cluster", f"Wednesday, September 9\n{grid}{talks}", facts=FACTS).records
    assert [(record.title, record.session_code) for record in records] == [
        ("Lunch", None),
        ("Stores in Use", "1"),
        ("Ropes in Use", "2"),
    ]


@pytest.mark.parametrize("beside", ["SALA REAL\t\tWELCOME TALK\n", "SALA REAL\n|WELCOME TALK\n"])
def test_room_in_the_cell_of_a_time(beside: str) -> None:
    """What stands below a time in its own cell is the room, whatever its wording and whatever is beside it."""
    session = "11.00-12.30\nROOM C\t\tPAPER SESSION 1 - Chair: Bea Sorn\nSTORES\n  • 12.- Small Files\n    Ann One\n"
    text = f"Wednesday 24 Sept\n|09.00-09.30\n{beside}{session}"
    first = parse_text("cluster", text, facts=FACTS).records[0]
    assert (first.title, first.slots and first.slots[0].room) == ("WELCOME TALK", "SALA REAL")
