"""Texts that programs for terminals draw: lines filled up to a width, links numbered, columns side by side."""

from textwrap import fill

import pytest

from parsers._contract import DumpError
from parsers._lines import Lines
from parsers.cluster.filled import paragraphs
from schemas.items import Person
from tests.helpers import parse_text

TITLE = "Offloading What We Know of Small Files to Stores That Stand near Their Many Readers"
NAMES = "Ann One (Norwick), Bo Two (Plum), Cy Three (Orb Lab), Di Four (The Old University of Plum)"
ABSTRACT = "We describe a store that keeps small objects near the readers and moves them when these move. " * 6


def drawn(width: int, rule: str, inset: int = 3) -> str:
    """Return a programme as such a program draws it."""

    def block(text: str, inset: int) -> str:
        return fill(text, width, initial_indent=" " * inset, subsequent_indent=" " * inset)

    lines = ["Session (1) Stores", "Great Hall", "Chair: [DEL: Old Chair (Plum) :DEL] Bea Sorn (Norwick)", TITLE, TITLE]
    talk = [*(block(line, inset) for line in lines), f"  {rule * (width - 4)}", "", block(NAMES, inset)]
    abstract = [f"{' ' * inset}Abstract", "", block(ABSTRACT, inset + 2)]
    return "\n".join(["Tuesday, September 11", "", "9:30-11:00", "", *talk, *abstract, ""])


@pytest.mark.parametrize(("width", "rule", "inset"), [(79, "_", 3), (72, "━", 0), (119, "─", 3)])
def test_filled_lines(width: int, rule: str, inset: int) -> None:
    """Titles, authors and abstracts are put together again; a line drawn across the page is boilerplate."""
    parsed = parse_text("cluster", drawn(width, rule, inset))
    (record,) = parsed.records
    assert (record.title, record.abstract, record.chairs) == (TITLE, ABSTRACT.strip(), (Person("Bea Sorn", "Norwick"),))
    assert record.authors == (
        Person("Ann One", "Norwick"),
        Person("Bo Two", "Plum"),
        Person("Cy Three", "Orb Lab"),
        Person("Di Four", "The Old University of Plum"),
    )
    assert parsed.rejects == ()


def test_numbered_links() -> None:
    """The numbers of links are no part of a title, and their list at the end is boilerplate."""
    titles = ("[Workshop] [9]Small Files ([10]agenda)", "Canceled [DEL: [Workshop] Cold Stores :DEL]")
    slot = "Tuesday, September 11\n9:30-11:00\n" + "".join(f"{title}\nGreat Hall\n" for title in titles)
    links = "References\n\n   1. file:///2031/\n   Hidden links:\n  10. https://lantern.example/agenda.pdf\n"
    parsed = parse_text("cluster", slot + links)
    assert [(record.title, "cancelled" in record.notes) for record in parsed.records] == [
        ("Small Files", False),
        ("Cold Stores", True),
    ]
    assert parsed.rejects == ()


def test_lines_of_titles_are_not_filled() -> None:
    """Where lines are titles and names, the longest of them are as long as it happens, and stand alone."""
    titles = [f"{'Stores ' * 10}and {word}" for word in ("Files", "Ropes", "Quays", "Tides", "Sails", "Masts", "Knots")]
    assert [text for _, _, text in paragraphs(Lines("\n".join(titles)))] == titles


def test_days_side_by_side_are_refused() -> None:
    """Columns that stand beside each other cannot be told apart."""
    days = "Tuesday, September 11          Wednesday, September 12\n"
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", f"Program\n{days}9:00-9:50                      9:00-9:50\nOpening    Keynote (2)\n")


def test_columns_below_broken_headings_are_refused() -> None:
    """Where columns stand beside each other, the first of them may show its day alone on a line."""
    rows = "9:00-9:50       Opening\nStores          Chair: Bea Sorn\nQuay            Dock\n10:00-10:50     Lunch\n"
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", f"Tuesday,\nTuesday, September 11\n10:00-10:50\nLunch\n{rows}")
