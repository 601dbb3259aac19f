"""What is particular to dumps that browsers copy: a tab between the time of a talk and its authors."""

import pytest

from parsers._contract import DumpError
from schemas.items import Person
from tests.helpers import parse_text

HEAD = "CRUMB2024: A CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH\n\n09:00-10:00 Session 1: Heat\n"


def test_time_before_a_tab() -> None:
    """What follows the tab is the first line of the talk, whose record and reject have the numbers of the dump."""
    first = "09:00\tAnna Vell and Bo Two\nHot\nPRESENTER: Bo Two\n\nABSTRACT. How hot?\n\n"
    parsed = parse_text("easychair", f"{HEAD}{first}09:20\tCold\n09:70 \tBo Two\nIce\n")
    assert parsed.format == "tabs"
    assert [(record.title, record.authors, record.line_start, record.line_end) for record in parsed.records] == [
        ("Hot", (Person("Anna Vell"), Person("Bo Two")), 5, 9),
        ("Cold", None, 11, 11),
    ]
    assert [(reject.text, reject.line_start, reject.line_end) for reject in parsed.rejects] == [
        ("09:70 \tBo Two\nIce", 12, 13)
    ]


def test_agenda_with_tabs() -> None:
    """Where the times of talks stand alone, a time before a tab is text."""
    free = "Agenda of the bakers, as follows.\n\n09:00\tFlour\n\n"
    talks = "09:00\nAnna Vell\nHot\n09:20\nBo Two\nCold\n"
    parsed = parse_text("easychair", f"{HEAD}\n{free}{talks}")
    assert (parsed.format, [record.title for record in parsed.records]) == ("text", ["Hot", "Cold"])


def test_other_program_with_tabs() -> None:
    """A table of times of another kind of page is none of a Smart Program."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("easychair", "CRUMB 2024\nThu 4 Aug\n10:30 - 12:00 Bread\n10:30\t\t20m\t\tToast Bo Two\n")
