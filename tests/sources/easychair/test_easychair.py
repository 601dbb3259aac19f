"""Special cases of Smart Programs as text: results of extractors, doubtful lines, other pages."""

from dataclasses import replace
from datetime import date, datetime

import pytest
from resiliparse.extract.html2text import extract_plain_text
from trafilatura import extract

from parsers._ledger.document import DumpError, Facts
from schemas.items import Person, Record, Slot
from tests.sources.easychair.markup import render_page
from tests.sources.easychair.programme import LAYOUTS_OF_PAGES, Programme, Session, Talk, expected
from tests.support.helpers import parse_text

ANNA = Person("Anna Vell", "Quill Institute", "Norland")
BORIS = Person("Boris T. Wexley", "Moor University (MU), Harbour City", "Esteria")
PROSE = "Bread has been sliced since long before there were machines to slice it with, and by hand."

PROGRAMME = Programme(
    "CRUMB2024",
    "18TH INVENTED CONFERENCE ON TOAST: BREAD AND MORE",
    (
        (
            date(2024, 4, 15),
            (
                Session(420, 495, "Breakfast [Great Hall]", ("break", "break"), word=False, is_break=True),
                Session(
                    540,
                    600,
                    "Keynote on Rye",
                    ("keynote", "keynote"),
                    code="2A",
                    chairs=(ANNA, BORIS),
                    room="Room B",
                    description=("Welcome by the bakers", "A word on ovens"),
                    talks=(
                        Talk(540, "Baking (Short talks)", (BORIS, ANNA), "unknown", (PROSE, f"10:00 comes. {PROSE}")),
                        Talk(560, "Slicing", (ANNA,), None, ()),
                        Talk(580, "Crumbs: What Remains", (ANNA, BORIS), "Anna Vell", (PROSE,)),
                    ),
                ),
                Session(540, 600, "Toast for All", ("session", "paper"), word=False, description=(PROSE,)),
                Session(600, 660, "Walk", ("break", "break"), word=False, is_break=True),
            ),
        ),
        (
            date(2024, 4, 16),
            (
                Session(
                    540,
                    600,
                    "Heat",
                    ("session", "paper"),
                    track="Track 2.1",
                    talks=(Talk(540, "Hot", (BORIS,), "Boris T. Wexley", (PROSE,)),),
                ),
            ),
        ),
    ),
)

HEAD = "CRUMB2024: A CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH\n\n"


def bare(records: tuple[Record, ...]) -> list[Record]:
    """Remove line numbers, and presenters, since extractors keep only some of them."""
    return [record._replace(line_start=None, line_end=None, presenter=None) for record in records]


@pytest.mark.parametrize("name", LAYOUTS_OF_PAGES)
@pytest.mark.parametrize("main", [False, True])
def test_extracted_pages_parse_back(name: str, main: bool) -> None:
    """The extracted text of a page, complete or only the main content, gives the records of the programme."""
    layout = LAYOUTS_OF_PAGES[name]
    text = extract_plain_text(render_page(PROGRAMME, layout), main_content=main)
    shown = replace(layout, links=layout.affiliations or not main)
    parsed = parse_text("easychair", text)
    assert (parsed.rejects, bare(parsed.records)) == ((), bare(expected(PROGRAMME, shown, Facts())))


@pytest.mark.parametrize("markdown", [False, True])
@pytest.mark.parametrize("name", LAYOUTS_OF_PAGES)
def test_tables_with_whole_talks_on_one_line(name: str, markdown: bool) -> None:
    """Tables extracted with one talk per line give all talks, as plain text and as Markdown with links."""
    page, form = render_page(PROGRAMME, LAYOUTS_OF_PAGES[name]), "markdown" if markdown else "txt"
    text = extract(page, output_format=form, include_links=markdown)
    shown = expected(PROGRAMME, LAYOUTS_OF_PAGES[name], Facts())
    titles = [record.title for record in shown if "end_inferred" in record.notes]
    found = parse_text("easychair", text or "")
    assert (found.format, [record.title for record in found.records]) == ("cells", titles)


def test_rows_of_several_kinds() -> None:
    """A bold line above talks is a session; a row without a title is a talk; other lines are rejects."""
    rows = "10:45 | Hot PRESENTER: [A. One](p) ABSTRACT. X |\n\n11:00  Hotter SPEAKER: B. Two ABSTRACT. Y\n11:15 "
    rest = (
        "11:30  ABSTRACT. Z\nzzqx sentinel 4711\n25:30 | No |\n11:45 | Hottest ([abstract](d.html#talk:77)) |\n**Note**"
    )
    parsed = parse_text("easychair", f"{HEAD}**Session 2A: Heat**\n\n{rows}\n{rest}\n")
    assert [(record.title, record.presenter, record.abstract, record.native_id) for record in parsed.records] == [
        ("Hot", "A. One", "X", None),
        ("Hotter", "B. Two", "Y", None),
        (None, None, "Z", None),
        ("Hottest", None, None, "77"),
    ]
    assert {(record.session_code, record.session_title) for record in parsed.records} == {("2A", "Heat")}
    assert [reject.text.strip() for reject in parsed.rejects] == [
        "11:15",
        "25:30\nNo",
        "zzqx sentinel 4711",
        "**Note**",
    ]


def test_agenda_between_rows() -> None:
    """On a page whose cells have bars, a line with a time but no bar is no talk."""
    parsed = parse_text(
        "easychair", f"{HEAD}| 09:00 | Hot SPEAKER: A. One ABSTRACT. X |\n13:00 Introduction\n| 13:20 | Cold |"
    )
    assert [record.title for record in parsed.records] == ["Hot", "Cold"]
    assert [reject.text for reject in parsed.rejects] == ["13:00 Introduction"]


def test_sections_of_an_abstract_without_blank_lines() -> None:
    """Headings of a structured abstract are paragraphs if prose follows; a last line without prose is rejected."""
    sections = f"Background\n{PROSE}\nResults\nIt is good."
    parsed = parse_text("easychair", f"|09:00\nHot\nABSTRACT. {PROSE}\n{sections}\nResults\n|09:20\nCold\n")
    assert parsed.records[0].abstract == "\n\n".join((PROSE, *sections.split("\n")))
    assert [reject.text for reject in parsed.rejects] == ["Results"]


def talk(head: str, tail: str = f"\n\nABSTRACT. {PROSE}\n") -> Record:
    """Parse a page with one session of two talks and return the first."""
    other = f"09:20\nAnna Vell (Quill Institute, Norland)\nOther\n\nABSTRACT. {PROSE}\n"
    return parse_text("easychair", f"{HEAD}09:00-10:00 Session 1: Heat\n09:00\n{head}{tail}\n{other}").records[0]


@pytest.mark.parametrize(
    ("line", "people", "notes"),
    [
        ("A. One, B. Two and C. Three", (Person("A. One"), Person("B. Two"), Person("C. Three")), ()),
        ("A. One , B. Two , and C. Three", (Person("A. One"), Person("B. Two"), Person("C. Three")), ()),
        ("A. One (X (Y), Z)", (Person("A. One", "X (Y)", "Z"),), ()),
        ("A. One, Jr., B. Two, PhD and C. Md", (Person("A. One, Jr."), Person("B. Two, PhD"), Person("C. Md")), ()),
        ("A. One (X, Y, Z) and B. Two (V, W)", (Person("A. One", "X, Y", "Z"), Person("B. Two", "V", "W")), ()),
        ("A. One (Esteria)", (Person("A. One", "Esteria"),), ()),
        ("Wei (Bo) Ye and A. One", (Person("Wei (Bo) Ye"), Person("A. One")), ()),
        ("Wei (Bo) Ye (X (Y), Z)", (Person("Wei (Bo) Ye", "X (Y)", "Z"),), ()),
        ("A. One (X, Y", (Person("A. One", "X", "Y"),), ("bracket_unclosed",)),
        ("A. One (X,\nY, Z)\nB. Two (V, W)", (Person("A. One", "X, Y", "Z"), Person("B. Two", "V", "W")), ()),
        ("A. One (X (Y, Z)", (Person("A. One", "X (Y, Z)"),), ("bracket_unclosed",)),
        ("Devi a/p Raman and Ravi S/O Kumar", (Person("Devi a/p Raman"), Person("Ravi S/O Kumar")), ()),
        (
            "Ole Quince\nDevi a/p Raman (X, Norland)\nB. Two 0001 (X, Norland)",
            (Person("Ole Quince"), Person("Devi a/p Raman", "X", "Norland"), Person("B. Two 0001", "X", "Norland")),
            (),
        ),
        ("A. One\nB. Two (X)\nC. Three", (Person("A. One"), Person("B. Two", "X"), Person("C. Three")), ()),
    ],
)
def test_authors(line: str, people: tuple[Person, ...], notes: tuple[str, ...]) -> None:
    """Names, affiliations and countries of one line of authors."""
    record = talk(f"{line}\nTitle")
    assert (record.title, record.authors, record.notes[:-2]) == ("Title", people, notes)


@pytest.mark.parametrize(
    ("head", "presenter"),
    [
        ("A. One\nTitle\nSPEAKER: A. One", "A. One"),
        ("A. One\nTitle\nPRESENTER: A. One", "A. One"),
        ("A. One\nTitle\nSPEAKER:\nA. One", "A. One"),
        ("A. One\nTitle\nSPEAKER:", None),
        ("A. One\nTitle\nSPEAKER: unknown", None),
        ("A. One\nTitle", None),
    ],
)
def test_presenter(head: str, presenter: str | None) -> None:
    """The presenter has either label, on one line or two; "unknown" gives none."""
    record = talk(head)
    assert (record.title, record.presenter, record.abstract) == ("Title", presenter, PROSE)


PLACEHOLDERS = ["TBA", "tba.", "Abstract TBD", "To be announced.", "Abstract: TBA", "-", "N/A"]
PLACEHOLDERS += ["No abstract available", "No abstract.", "Abstract will follow", "T.B.A.", "Not provided"]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholder_abstract(text: str) -> None:
    """A placeholder gives no abstract, but a note."""
    record = talk("A. One\nTitle", f"\n\nABSTRACT. {text}\n")
    assert (record.abstract, "abstract_placeholder" in record.notes) == (None, True)


def test_title_lost() -> None:
    """A talk whose title was a link keeps its authors and abstract."""
    record = talk("Boris T. Wexley (Moor University, Norland)")
    assert (record.title, record.authors) == (None, (Person("Boris T. Wexley", "Moor University", "Norland"),))


@pytest.mark.parametrize(
    ("heading", "code", "track", "title"),
    [
        ("Session 3A: x", "3A", None, "x"),
        ("Session 14: Track 2.1: Heat, and More", "14", "Track 2.1", "Heat, and More"),
        ("Session : x", None, None, "x"),
        ("Session 14", "14", None, None),
        ("Session 26AB: x", "26AB", None, "x"),
        ("Session II: x", None, None, "Session II: x"),
        ("A: B. Room: C.", None, None, "A: B. Room: C."),
        ("Data [Room B]", None, None, "Data [Room B]"),
    ],
)
def test_session_heading(heading: str, code: str | None, track: str | None, title: str | None) -> None:
    """A heading gives code, track and title; text that is no code stays in the title."""
    record = parse_text("easychair", f"{HEAD}09:00-10:00 {heading}\n09:00\nA. One\nTitle\n").records[0]
    assert (record.session_code, record.track, record.session_title) == (code, track, title)


@pytest.mark.parametrize(
    ("details", "chairs", "room"),
    [
        ("Chair:\nA. One and B. Two\nLocation: R", (Person("A. One"), Person("B. Two")), "R"),
        ("Chairs: A. One and B. Two\nLocation:\nR", (Person("A. One"), Person("B. Two")), "R"),
        ("Discussant:\nA. One (X, Y)\nB. Two (V, W)", (Person("A. One", "X", "Y"), Person("B. Two", "V", "W")), None),
        ("Chair:\nLocation: R", None, "R"),
        ("Chair:\nSukarno and 王伟\nLocation: R", (Person("Sukarno"), Person("王伟")), "R"),
        ("Chair:\n王伟", (Person("王伟"),), None),
        ("Chair:\nAna de las Casas and Jan d'Arc\nLocation: R", (Person("Ana de las Casas"), Person("Jan d'Arc")), "R"),
        ("Chair:\nbell hooks and Joan y Eta\nLocation: R", (Person("bell hooks"), Person("Joan y Eta")), "R"),
    ],
)
def test_session_details(details: str, chairs: tuple[Person, ...] | None, room: str | None) -> None:
    """Chairs under any role word, on one line or several; the room."""
    record = parse_text("easychair", f"{HEAD}09:00-10:00 Heat\n{details}\n09:00\nA. One\nTitle\n").records[0]
    assert (record.chairs, record.slots and record.slots[0].room) == (chairs, room)


@pytest.mark.parametrize(
    ("heading", "kind", "title", "authors"),
    [
        (" Keynote 1: Anna Vell", "keynote", "Keynote 1", (Person("Anna Vell"),)),
        (" Keynote: Anna Vell (X, Y)", "keynote", "Keynote", (Person("Anna Vell", "X", "Y"),)),
        (" Keynote 2: What the Oven Knows", "keynote", "What the Oven Knows", None),
        (" Keynote 2: Quantum Computing", "keynote", "Quantum Computing", None),
        (" Keynote: The Miller's Tale", "keynote", "The Miller's Tale", None),
        (" Keynote: Rethinking Bread", "keynote", "Rethinking Bread", None),
        (" Keynote: Ai Clements", "keynote", "Keynote", (Person("Ai Clements"),)),
        (" Keynote: A. Vell", "keynote", "Keynote", (Person("A. Vell"),)),
        (" [Tutorial] Ovens (agenda)", "tutorial", "Ovens", None),
        ("Walk to the Harbour", "break", "Walk to the Harbour", None),
        ("Banquet", "social", "Banquet", None),
        (" Coffee Break", "break", "Coffee Break", None),
        (" Session 9: Opening", "ceremony", "Opening", None),
        (" Canceled: Ovens", "session", "Ovens", None),
    ],
)
def test_item_without_talks(heading: str, kind: str, title: str, authors: tuple[Person, ...] | None) -> None:
    """A session or break without talks is a record whose kind comes from its title."""
    record = parse_text("easychair", f"{HEAD}09:00-10:00{heading}\n").records[0]
    assert (record.kind, record.title, record.authors) == (kind, title, authors)


@pytest.mark.parametrize(
    "text",
    [
        "CRUMB: X\nPROGRAM FOR MONDAY, APRIL 15TH: SESSION VIEW\n09:00-10:00 Session 1: Heat\n",
        "CRUMB: X\nPROGRAM FOR MONDAY, APRIL 15TH: TALK VIEW\n09:00-10:00 Session 1: Heat\n",
        "CRUMB: X\nTALK KEYWORD INDEX\nbread\nDisclaimer | Powered by EasyChair Smart Program\n",
        "CRUMB: X\nAuthors\nAnna Vell\nDisclaimer | Powered by EasyChair Smart Program\n",
    ],
)
def test_other_pages_are_declined(text: str) -> None:
    """Overviews, indexes and pages of persons are declined."""
    with pytest.raises(DumpError, match="declined"):
        parse_text("easychair", text)


def test_day_from_the_address_of_a_page() -> None:
    """Without a printed day, the day comes from the address of the page."""
    facts = Facts(url="https://example.org/smart-program/CRUMB2024/2024-04-15.html")
    text = f"View: session overviewtalk overview\n|09:00\nHot\nABSTRACT. {PROSE}\n|09:20\nHotter\n|09:00\nCold\n"
    slots = [record.slots for record in parse_text("easychair", text, facts=facts).records]
    nine, later = datetime(2024, 4, 15, 9), datetime(2024, 4, 15, 9, 20)
    assert slots == [(Slot(nine, later),), (Slot(later),), (Slot(nine),)]


def test_ends_of_talks_without_sessions() -> None:
    """A talk ends when the next one starts, unless the gap is so long that a break must be in it."""
    facts = Facts(url="https://example.org/smart-program/CRUMB2024/2024-04-15.html")
    times = ("09:00", "09:20", "09:40", "10:30", "10:50", "11:20", "10:30", "10:50")
    text = "".join(f"|{time}\nTitle at {time} {place}\nABSTRACT. {PROSE}\n" for place, time in enumerate(times))
    parsed = parse_text("easychair", f"View: session overviewtalk overview\n{text}", facts=facts)
    ends = [str(slot.ends_at)[11:16] for record in parsed.records for slot in record.slots or ()]
    assert ends == ["09:20", "09:40", "", "10:50", "11:20", "", "10:50", ""]


def test_short_lines_above_blank_ones_are_not_wrapped() -> None:
    """Long lines above blank ones do not show that a text is wrapped: the footer is not joined to the last title."""
    views = "View this program: with abstractssession overviewtalk overview\n\n"
    days = ["Wednesday, January 1st", "Thursday, January 2nd", "Friday, January 3rd"]
    top = "TOAST 2014: 9TH CONFERENCE ON TOAST\nPROGRAM\n\n"
    text = top + "".join(f"{day}\n\n{views}07:00-07:20Coffee Break\n" for day in days)
    footer = "Disclaimer | Powered by EasyChair Smart Program\n"
    parsed = parse_text("easychair", f"{text}07:20-07:40 Session : Track 2.1: Slicing and Toasting\n{footer}")
    assert [record.title for record in parsed.records] == ["Coffee Break"] * 3 + ["Slicing and Toasting"]
    assert parsed.rejects == ()


@pytest.mark.parametrize(
    ("path", "facts", "starts"),
    [
        ("easychair/crumb-2024-04-15.txt", None, datetime(2024, 4, 15, 9)),
        ("easychair/2024-04-15.html.txt", None, datetime(2024, 4, 15, 9)),
        ("easychair/crumb-2024-04-15.txt", Facts(captured_at=datetime(2024, 4, 15, 12)), None),
        ("easychair/crumb-2024-04-15.txt", Facts(url="https://example.org/2024-04-16.html"), datetime(2024, 4, 16, 9)),
        ("easychair/crumb-2024-04-15.txt", Facts(year=2024), datetime(2024, 4, 15, 9)),
        ("easychair/crumb-2024-04-15.txt", Facts(year=2023), None),
        ("easychair/crumb-2024-04-31.txt", None, None),
        ("easychair/2024-04-15/crumb.txt", None, None),
    ],
)
def test_day_from_the_name_of_a_dump(path: str, facts: Facts | None, starts: datetime | None) -> None:
    """Without a printed day, the day comes from the file name, unless it is the day of capture."""
    text = f"View: session overviewtalk overview\n|09:00\nHot\nABSTRACT. {PROSE}\n"
    record = parse_text("easychair", text, path=path, facts=facts).records[0]
    assert [slot.starts_at for slot in record.slots or ()] == [starts] * (starts is not None)
    assert ("year_inferred" in record.notes) == (starts is not None and facts is None)


@pytest.mark.parametrize(
    ("top", "starts"),
    [
        ("RYE24: A CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH", datetime(2024, 4, 15, 9)),
        ("RYE‘24: RYE‘24\nPROGRAM FOR MONDAY, APRIL 15TH", datetime(2024, 4, 15, 9)),
        ("RYE 2024: A CONFERENCE\nOAT ON MONDAY, APRIL 15TH", datetime(2024, 4, 15, 9)),
        ("RYE24: THE 24TH CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH", None),
        ("RYE25: A CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH", None),
    ],
)
def test_year_of_the_acronym(top: str, starts: datetime | None) -> None:
    """Two digits of an acronym are the year if the weekday fits and they are not the number of the conference."""
    slots = parse_text("easychair", f"{top}\n09:00-10:00 Session 1: Heat\n").records[0].slots
    assert (slots and slots[0].starts_at) == starts


@pytest.mark.parametrize(
    "top",
    [
        "RYE 2024: A CONFERENCE\nPROGRAMAUTHORSSPONSORS & VENUE\nPROGRAM FOR MONDAY, APRIL 15TH",
        "RYE 2024: A CONFERENCE\nInformationPROGRAMINDEXES\nPROGRAM FOR MONDAY, APRIL 15TH",
        "RYE 2024: A CONFERENCE\nPROGRAMME FOR MONDAY, APRIL 15TH",
        "Rye 2024: A CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH",
        "Program for Monday, April 15th\nRYE 2024: A CONFERENCE\nPROGRAM FOR MONDAY, APRIL 15TH",
        "RYE 2024: A CONFERENCE\nPROGRAM\nMonday, April 15thTuesday, April 16th\nMonday, April 15th",
        "RYE 2024: A CONFERENCE\nOAT PROGRAM\nMonday, April 15th\nView this program: with abstracts",
    ],
)
def test_tops_of_pages(top: str) -> None:
    """An event's own links and the titles of days and indexes are recognised."""
    parsed = parse_text("easychair", f"{top}\n09:00-10:00 Session 1: Heat\nDisclaimer\n")
    starts = [record.slots and record.slots[0].starts_at for record in parsed.records]
    assert (starts, parsed.rejects, (parsed.records[0].event or "").upper()) == (
        [datetime(2024, 4, 15, 9)],
        (),
        "RYE 2024",
    )


@pytest.mark.parametrize(
    ("line", "presenter"), [("A. One and Bo Two", "unknown"), ("Anna Vell", "Anna Vell"), ("Sukarno, A. One", "A. One")]
)
def test_authors_where_few_talks_have_any(line: str, presenter: str) -> None:
    """On a page where most talks have no authors, several names above a title, or the presenter's, are authors."""
    few = "".join(f"10:{minute}\nToast {minute}\n\nABSTRACT. {PROSE}\n\n" for minute in (10, 20, 30, 40))
    text = f"{HEAD}10:00-11:00 Heat\n10:00\n{line}\nTitle\nPRESENTER: {presenter}\n\nABSTRACT. {PROSE}\n\n{few}"
    parsed = parse_text("easychair", text)
    assert (len(parsed.records), parsed.rejects, parsed.records[0].title) == (5, (), "Title")


@pytest.mark.parametrize("line", ["Small Ropes Hold Large Quays", "Ada Quill", "Ada Quill (Bay University, Norland)"])
def test_line_above_a_title_where_no_talk_has_authors(line: str) -> None:
    """If no talk has authors, a single line in their place is quarantined instead of read as authors."""
    talks = [f"10:{minute}\n{{}}Toast {minute}\n\nABSTRACT. {PROSE}\n\n" for minute in range(10, 50, 3)]
    text = "".join(talk.format(f"{line}\n" if talk is talks[2] else "") for talk in talks)
    parsed = parse_text("easychair", f"{HEAD}10:00-11:00 Heat\n{text}")
    assert [(record.authors, line in str(record)) for record in parsed.records] == [(None, False)] * 14
    assert any(line in reject.text for reject in parsed.rejects)


def test_title_that_begins_like_a_menu() -> None:
    """A title in capitals may start with the word that opens every menu."""
    assert talk("A. One\nPROGRAMMING BREAD").title == "PROGRAMMING BREAD"


def test_agenda_inside_an_abstract_of_the_only_session() -> None:
    """If the first heading has no blank lines around it, intervals between blank lines are paragraphs."""
    agenda = "\n\n09:00-09:20 Welcome\n\n09:20-09:40 Exercises\n"
    record = talk("A. One\nTitle", f"\n\nABSTRACT. {PROSE}{agenda}")
    assert (record.abstract, record.session_code) == (
        f"{PROSE}\n\n09:00-09:20 Welcome\n\n09:20-09:40 Exercises",
        "1",
    )


def test_agenda_above_the_last_break_of_a_page() -> None:
    """Blank lines at the end of the page do not turn its last break into an agenda item."""
    agenda = "Agenda:\n\n09:00-09:30 Reports\n\n09:30-10:00 Elections\n\n"
    text = f"{HEAD}09:00-10:00 Session 1: Meeting\n\n{agenda}10:00-10:30Coffee Break\n\n \n"
    parsed = parse_text("easychair", text)
    assert [(record.title, record.session_description) for record in parsed.records] == [
        ("Meeting", "Agenda:\n09:00-09:30 Reports\n09:30-10:00 Elections"),
        ("Coffee Break", None),
    ]


def test_list_at_the_end_of_an_abstract() -> None:
    """An indented list at the end of an abstract belongs to it, although no blank line precedes the next talk."""
    record = talk("A. One\nTitle", f"\n\nABSTRACT. {PROSE}\n\n  1. knead\n  2. bake")
    assert record.abstract == f"{PROSE}\n\nknead\n\nbake"


def test_list_inside_a_description() -> None:
    """List items are lines of a description, whatever their text."""
    free = "We do:\n\n  • knead - well\n  • bake\n\nBring flour."
    parsed = parse_text("easychair", f"{HEAD}09:00-10:00 Session 1: Heat\n\n{free}\n\n09:00\nA. One\nHot\n")
    assert (parsed.records[0].session_description, parsed.rejects) == ("We do:\nknead - well\nbake\nBring flour.", ())


def test_title_that_begins_with_a_bracket() -> None:
    """In text cut into pieces, a line that starts with a bracket is a place only if the bracket is all of it."""
    head = "View:\nsession overview\ntalk overview\n09:00-10:00\nSession 1: Heat\n09:00\nAnna Vell\n"
    parsed = parse_text("easychair", f"{HEAD}{head}(Quill (QI), Norland)\n(Re-)Heating\nABSTRACT. {PROSE}\n")
    assert [(record.title, record.authors) for record in parsed.records] == [
        ("(Re-)Heating", (Person("Anna Vell", "Quill (QI)", "Norland"),))
    ]


def test_poster_below_two_paragraphs() -> None:
    """The last line of a description may stand directly above the first talk without a time."""
    free = "Posters are shown all day.\n\nThe boards are numbered."
    first = f"Ole Quince\nAnna Vell (Quill Institute, Norland)\nHot\n\nABSTRACT. {PROSE}\n"
    parsed = parse_text("easychair", f"{HEAD}09:00-10:00 Session 1: Heat\nLocation: Foyer\n\n{free}\n{first}")
    assert [(record.title, len(record.authors or ())) for record in parsed.records] == [("Hot", 2)]
    assert (parsed.records[0].session_description, parsed.rejects) == (free.replace("\n\n", "\n"), ())


def test_indented_details_with_a_dash() -> None:
    """An indented line with a dash in it is no list item."""
    head = "09:00-10:00 Session 1: Heat\n   Location: Online – Channel 1\n   09:00\n   A. One\n   Hot – and Cold\n"
    parsed = parse_text("easychair", f"{HEAD}   {head}")
    assert [(record.title, record.slots and record.slots[0].room) for record in parsed.records] == [
        ("Hot – and Cold", "Online – Channel 1")
    ]


def test_impossible_day() -> None:
    """An impossible day is quarantined; its items are kept without times."""
    text = "CRUMB2024: X\nPROGRAM FOR MONDAY, FEBRUARY 31ST\n09:00-10:00 Heat\nLocation: R\n09:00\nA. One\nTitle\n"
    parsed = parse_text("easychair", text)
    assert [(reject.reason, reject.line_start) for reject in parsed.rejects] == [("date_invalid", 2)]
    assert (parsed.records[0].slots, parsed.records[0].notes) == ((Slot(room="R"),), ("date_invalid", "year_inferred"))


def test_day_links_do_not_date_the_talks_of_a_table() -> None:
    """Without headings of days, the links to the days give no date."""
    text = "Days:\nMonday, April 15th\nTuesday, April 16th\nView this program: with abstracts\n|09:00\nHot (abstract)\n"
    record = parse_text("easychair", text, path="easychair/index-2024-04-15.txt").records[0]
    assert (record.title, record.slots) == ("Hot", None)


def test_talks_after_a_damaged_heading_leave_the_break_alone() -> None:
    """Talks below a break are records without a session."""
    text = f"{HEAD}09:00-10:00Coffee Break\nzzqx\n10:00\nA. One\nTitle\nSPEAKER: A. One\n"
    parsed = parse_text("easychair", text)
    assert [(record.kind, record.title) for record in parsed.records] == [("break", "Coffee Break"), ("paper", "Title")]
    assert [reject.text for reject in parsed.rejects] == ["zzqx"]


def test_a_lost_talk_leaves_the_break_alone() -> None:
    """A break above a talk without a time stays a record; a session with only such talks has none."""
    lost = f"A. One\nTitle\n\nABSTRACT. {PROSE}\n\n"
    text = f"{HEAD}09:00-10:00Coffee Break\n{lost}10:00-10:30 Session 1: Heat\n{lost}10:30\nB. Two\nIce\n"
    parsed = parse_text("easychair", f"{text}11:00-12:00Lunch\n")
    assert [(record.kind, record.title) for record in parsed.records] == [
        ("break", "Coffee Break"),
        ("paper", "Ice"),
        ("break", "Lunch"),
    ]
    assert [reject.detail for reject in parsed.rejects] == [
        *["expected the time of the talk above its authors and title"] * 2,
        "expected its words in a record, published nowhere: heat",  # the session has no talk left
    ]


@pytest.mark.parametrize(
    ("lines", "line_start", "detail"),
    [
        (f"25:00\nA. One\nTitle\n\nABSTRACT. {PROSE}", 5, "expected a time of day HH:MM"),
        ("09:10\n", 5, "expected a title or an abstract below the time"),
        (f"A. One\nTitle\n\nABSTRACT. {PROSE}", 5, "expected the time of the talk above its authors and title"),
        ("09:10 | Title SPEAKER: A. One |", 5, "no rule claimed it"),
    ],
)
def test_the_talk_after_a_broken_one_is_read(lines: str, line_start: int, detail: str) -> None:
    """A broken talk gives one reject with the expectation; the next talk is read."""
    text = f"{HEAD}09:00-10:00 Session 1: Heat\n{lines}\n09:20\nA. One\nOther\n09:40\nB. Two\nLast\n"
    parsed = parse_text("easychair", text)
    assert [(reject.line_start, reject.detail) for reject in parsed.rejects] == [(line_start, detail)]
    assert [record.title for record in parsed.records] == ["Other", "Last"]


@pytest.mark.parametrize("cut", ["B", "B. Two\nAnna Vell (Quill Institute, Norland)", "Anna Vell (Quill Inst"])
def test_cut_inside_authors(cut: str) -> None:
    """A dump cut inside the authors of its last talk keeps the talks above it."""
    first = "09:00\nAnna Vell (Quill Institute, Norland)\nFirst\n"
    text = f"{HEAD}09:00-10:00 Session 1: Heat\n{first}09:20\nAnna Vell (Quill Institute, Norland)\nNext\n09:40\n{cut}"
    parsed = parse_text("easychair", text)
    assert [record.title for record in parsed.records][:2] == ["First", "Next"]


@pytest.mark.parametrize("behind", ["AM", "pm", "CEST", "PDT"])
def test_an_interval_of_twelve_hours_or_a_zone_is_not_read(behind: str) -> None:
    """The heading is reported, and its talks get no session, since their times would be wrong."""
    text = f"{HEAD}09:00-10:00 {behind.upper()} Session 1: Heat\n09:00\nB. Two\nIce\n10:00-10:30Coffee Break\n"
    parsed = parse_text("easychair", text)
    assert [reject.reason for reject in parsed.rejects] == ["unexplained_line"]
    assert [record.session_title for record in parsed.records] == [None, None]


@pytest.mark.parametrize("title", ["PM Tools", "PET Imaging", "MT Evaluation", "CT"])
def test_a_title_that_begins_with_capitals_is_read(title: str) -> None:
    """Such a title is taken neither for am or pm nor for a time zone."""
    parsed = parse_text("easychair", f"{HEAD}09:00-10:00 {title}\n09:00\nB. Two\nIce\n")
    assert [record.session_title for record in parsed.records] == [title]


@pytest.mark.parametrize(
    ("times", "in_session"),
    [
        (["09:00", "10:00"], [True, True]),
        (["09:00", "10:00", "10:00"], [True, True, True]),
        (["09:00", "10:00", "10:20"], [True, False, False]),
        (["09:00", "10:01"], [True, False]),
    ],
)
def test_a_talk_that_begins_as_its_session_ends(times: list[str], in_session: list[bool]) -> None:
    """It is in the session above it if nothing goes on after it; its time is told."""
    talks = (f"{time}\n{ANNA.name} (Quill Institute, Norland)\nOn {time}\nABSTRACT. {PROSE}\n" for time in times)
    head = "LOAF 2024: 7TH WORKSHOP ON BREAD\nPROGRAM FOR MONDAY, APRIL 15TH\nDays: all days\n"
    text = f"{head}09:00-10:00 Session 1: Rye\n" + "\n".join(talks)
    records = parse_text("easychair", text, facts=Facts(year=2024)).records
    assert [each.session_title == "Rye" for each in records] == in_session
    told = ["time_outside_session" in each.notes or "heading_unread" in each.notes for each in records]
    assert told == [time != "09:00" for time in times]
