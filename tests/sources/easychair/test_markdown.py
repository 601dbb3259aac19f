"""Special cases of Smart Programs as Markdown: links, tables, glued labels."""

import pytest

from parsers._ledger.document import DumpError
from schemas.items import Person, Record
from tests.support.helpers import parse_text

HEAD = "CRUMB2024: A CONFERENCE\n\nPROGRAM FOR MONDAY, APRIL 15TH\n\n"
ANNA = Person("Anna Vell", "Quill Institute (QI), Harbour", "Norland")
BO = Person("Bo Two", "Moor University", "Esteria")
ANNA_LINK = "[Anna Vell](person1.html) (Quill Institute (QI), Harbour, Norland)"
BO_LINK = "[Bo Two](person2.html) (Moor University, Esteria)"


def row(text: str, above: str = "") -> Record:
    """Parse a page with one session of two rows, without rejects, and return the first record."""
    heading = f"09:00-10:00 Session 1: Heat\n\n{above}"
    parsed = parse_text("easychair", f"{HEAD}{heading}|  |  |\n| --- | --- |\n{text}\n| 09:40 | Other ABSTRACT. X |\n")
    assert parsed.rejects == ()
    return parsed.records[0]


@pytest.mark.parametrize(
    ("cell", "title", "authors"),
    [
        (f"{ANNA_LINK} {BO_LINK} Hot", "Hot", (ANNA, BO)),
        (f"{ANNA_LINK}, {BO_LINK} and [C. Three](person3.html) Hot", "Hot", (ANNA, BO, Person("C. Three"))),
        (f"{BO_LINK}Hot", "Hot", (BO,)),
        ("[C. Three](person3.html) (Re-)Heating", "(Re-)Heating", (Person("C. Three"),)),
        ("[C. Three](person3.html)Hot", "Hot", (Person("C. Three"),)),
        (
            f"[C. Three](person3.html) (Moor) {ANNA_LINK} Hot",
            "Hot",
            (Person("C. Three", "Moor"), ANNA),
        ),
    ],
)
def test_authors_before_the_title(cell: str, title: str, authors: tuple[Person, ...]) -> None:
    """Links of people, with or without places, are authors; the title follows them."""
    record = row(f"| 09:00 | {cell}  PRESENTER: [Anna Vell](person1.html)  ABSTRACT. How hot? |")
    assert (record.title, record.authors, record.presenter) == (title, authors, "Anna Vell")
    assert record.abstract == "How hot?"


def test_authors_on_lines_of_their_own() -> None:
    """Lines that start with links of people continue a row; labels may be glued to the text before."""
    record = row(
        f"09:00| {ANNA_LINK}  \n{BO_LINK}Hot![](icon.png)SPEAKER: [Bo Two](person2.html)ABSTRACT. How hot?  \n---|---"
    )
    assert (record.title, record.authors, record.presenter, record.abstract) == (
        "Hot",
        (ANNA, BO),
        "Bo Two",
        "How hot?",
    )
    assert (record.line_start, record.line_end) == (9, 10)


@pytest.mark.parametrize(
    "above",
    [
        f"Chairs:\n\n{ANNA_LINK} and\n\n{BO_LINK}\n\nLocation: [Hall (1st floor)](room3.html)\n\n",
        f"Chairs:\n\n{ANNA_LINK} and {BO_LINK}\n\nLocation:\n\n[Hall (1st floor)](room3.html)\n\n",
        f"{ANNA_LINK} and\n\n{BO_LINK}\n\n[Hall (1st floor)](room3.html)\n\n",
    ],
)
def test_chairs_and_room_by_their_links(above: str) -> None:
    """Lines of nothing but links are chairs and room, even if their labels are lost."""
    record = row("| 09:00 | Hot ABSTRACT. How hot? |", f"{above}Bring flour.\n\n")
    assert (record.chairs, record.session_description) == ((ANNA, BO), "Bring flour.")
    assert [slot.room for slot in record.slots or ()] == ["Hall (1st floor)"]


def test_sessions_without_talks() -> None:
    """A page of sessions without talks is recognised as Markdown by its links."""
    views = "View: [session overview](bysession-2024-04-15.html)[talk overview](bytalk-2024-04-15.html)"
    heading = (
        "[09:00-10:00 Opening]\n\nSession Chairs:\n\n[Prof. h.c. Anna Vell](person1.html) and [bo two](person2.html)"
    )
    parsed = parse_text("easychair", f"{HEAD}{views}\n\n{heading}\n\nLocation: [Hall](room1.html)\n")
    assert [(record.title, record.chairs) for record in parsed.records] == [
        ("Opening", (Person("Prof. h.c. Anna Vell"), Person("bo two")))
    ]
    assert parsed.rejects == ()


def test_row_glued_to_the_heading_of_its_session() -> None:
    """The first row may be on the line of the heading: both are read."""
    first = f"09:00-10:00 Session 1: Heat 24:7| and More09:00| {BO_LINK}Hot9:00PRESENTER: [Bo Two](person2.html)"
    parsed = parse_text("easychair", f"{HEAD}{first}  \n---|---  \n09:20| {BO_LINK}Hotter  \n")
    assert [(record.title, record.session_title) for record in parsed.records] == [
        ("Hot9:00", "Heat 24:7| and More"),
        ("Hotter", "Heat 24:7| and More"),
    ]
    assert ([record.line_start for record in parsed.records], parsed.rejects) == ([5, 7], ())


def test_title_with_authors_glued_to_it() -> None:
    """If links are lost and the presenter shows that authors precede the title, all of it is kept as the title."""
    record = row("09:00| Anna Vell and Bo TwoHotPRESENTER: Bo TwoABSTRACT. How hot?")
    assert (record.title, record.presenter, record.authors) == ("Anna Vell and Bo TwoHot", "Bo Two", None)
    assert "authors_uncertain" in record.notes


@pytest.mark.parametrize(
    "cell", ["Anna Vell and Bo TwoHot {} PRESENTER: Bo Two", "Hot {} (abstract) 20 min Anna Vell1, Bo Two2 ABSTRACT. X"]
)
def test_titles_that_cannot_be_told_from_names(cell: str) -> None:
    """Without links authors cannot be separated from titles: the page is refused with advice."""
    rows = "\n".join(f"| 09:{minute} | {cell.format(minute)} |" for minute in range(10, 50, 10))
    with pytest.raises(DumpError, match="extract it with links"):
        parse_text("easychair", f"{HEAD}09:00-10:00 Session 1: Heat\n\n{rows}\n")


def test_two_presenters_on_one_line() -> None:
    """Both names are kept, whatever their labels."""
    assert (
        row("| 09:00 | Hot PRESENTER: Anna Vell SPEAKER: Bo Two ABSTRACT. How hot? |").presenter == "Anna Vell, Bo Two"
    )
