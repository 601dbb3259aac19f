"""Special cases of Smart Programs as HTML: agreement with the text, classes, damage."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from resiliparse.extract.html2text import extract_plain_text

from parsers._contract import Family
from parsers._ledger.document import DumpError, Facts
from parsers.easychair.pieces import people_in
from pipeline.reading.identity import record_key
from schemas.items import Person, Record, Slot
from tests.sources.easychair.markup import render_page
from tests.sources.easychair.programme import LAYOUTS_OF_PAGES, Layout, Programme, Session, programmes
from tests.sources.easychair.test_easychair import PROGRAMME
from tests.support.helpers import parse_text

FIXTURES = Path(__file__).parent / "fixtures"
TOP = '<div id="title">CRUMB2024: X</div><div id="pagetitle">PROGRAM FOR MONDAY, APRIL 15TH</div>'
TIMES = '<span class="interval">09:00-10:00</span>'
HEADING = f'<div class="heading">{TIMES} <span class="title">Session 1: Heat</span></div>'
ROOM_NAME = '<span class="room_name">R: 1</span>'
ROOM = f'<div class="room"><a href="r"><span class="room_word">Location: </span>{ROOM_NAME}</a></div>'
PAGES = {name: layout for name, layout in LAYOUTS_OF_PAGES.items() if layout.links}
NINE, TEN = datetime(2024, 4, 15, 9), datetime(2024, 4, 15, 10)


def records_of(text: str, facts: Facts | None = None) -> tuple[Record, ...]:
    """Parse a page or its text."""
    return parse_text("easychair", text, facts=facts).records


def disagreements(some: tuple[Record, ...], others: tuple[Record, ...]) -> list[tuple[str, object, object]]:
    """Return the fields that two forms of a page both give, with different values."""
    pairs = [(one._asdict(), other._asdict()) for one, other in zip(some, others, strict=True)]
    return [
        (name, value, other[name])
        for one, other in pairs
        for name, value in one.items()
        if not name.startswith("line_") and None not in (value, other[name]) and value != other[name]
    ]


def keys_of(records: tuple[Record, ...]) -> list[str | None]:
    """Return the keys of records in order."""
    return [record_key(Family.PROGRAMME, record) for record in records]


@pytest.mark.parametrize("layout", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("main", [False, True], ids=["full", "main"])
def test_page_and_its_text_agree(layout: Layout, main: bool) -> None:
    """A page and its extracted text give records that agree wherever both have a value."""
    page = render_page(PROGRAMME, layout)
    assert disagreements(records_of(page), records_of(extract_plain_text(page, main_content=main))) == []


@given(programme=programmes(), layout=st.sampled_from(sorted(PAGES)))
def test_any_page_and_its_text_agree(programme: Programme, layout: str) -> None:
    """The same for any invented programme, with everything on the page."""
    page = render_page(programme, PAGES[layout])
    found, others = records_of(page), records_of(extract_plain_text(page))
    assert (disagreements(found, others), keys_of(found)) == ([], keys_of(others))


def test_headings_of_one_length() -> None:
    """Sessions without talks whose headings are all as long are no wrapped text: each stays a session of its own."""
    session = Session(420, 440, "Slicing and Toasting", ("session", "paper"), code="14", track="Track 2.1")
    chaired = replace(session, chairs=(Person("Ada Quill"),))
    programme = Programme("TOAST 2014", "9TH CONFERENCE ON TOAST", ((date(2014, 1, 1), (session, *[chaired] * 5)),))
    text = extract_plain_text(render_page(programme, PAGES["full_affiliations"]))
    assert [record.title for record in records_of(text)] == ["Slicing and Toasting"] * 6


@given(programme=programmes())
def test_index_and_day_page_give_the_same_keys(programme: Programme) -> None:
    """The first day on the index has the events, titles, times and keys of its day page."""
    day = records_of(render_page(programme, PAGES["full_names"]))
    index = records_of(render_page(programme, PAGES["full_index"]))[: len(day)]
    assert (keys_of(index), disagreements(index, day)) == (keys_of(day), [])


def talk(cell: str, time: str = "09:00", facts: Facts | None = None) -> Record:
    """Parse a page with one talk and return it."""
    row = f'<tr class="talk"><td class="time">{time}</td><td>{cell}</td></tr>'
    return records_of(f'{TOP}<div class="session">{HEADING}<table class="talks">{row}</table></div>', facts)[0]


def linked(name: str) -> str:
    """Return a name as a link to the person."""
    return f'<a class="person" href="person1.html">{name}</a>'


def session(content: str) -> Record:
    """Parse a page with one session and return its first record."""
    return records_of(f'{TOP}<div class="session">{content}</div>')[0]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Slow <i>Slicing</i>: H<sub>2</sub>O", "Slow Slicing: H2O"),
        ('Bread (<a href="x.html#talk:1">abstract</a>)', "Bread"),
        ('Bread <span style="white-space:nowrap">(<a href="p">PDF</a>, <a href="v">video</a>)</span>', "Bread"),
        ('<span style="white-space:nowrap">Bread and Butter</span>', "Bread and Butter"),
        ('Bread (<span style="font-weight:normal"> <a href="x.html#talk:1">abstract</a> </span>)', "Bread"),
        ('<a href="p"><img src="p.png" alt="preprint"></a>\n Bread\n  [Room B]', "Bread [Room B]"),
        ("Bread<script>zzz()</script> (Room: A)", "Bread (Room: A)"),
    ],
)
def test_title(title: str, expected: str) -> None:
    """Links and icons are cut off a title; marks typed by hand stay."""
    assert talk(f'<div class="title">{title}</div>').title == expected


@pytest.mark.parametrize(
    ("authors", "people"),
    [
        (
            "<a>A. One</a> , <a>B. Two</a> , and <a>C. Three</a>",
            (Person("A. One"), Person("B. Two"), Person("C. Three")),
        ),
        ("<a>A. One</a> (X (Y), Z)<br/><a>B. Two</a>", (Person("A. One", "X (Y)", "Z"), Person("B. Two"))),
        (
            "<div>A. One (X, Z)</div>\n<div>B. Two (V, W)</div>",
            (Person("A. One", "X", "Z"), Person("B. Two", "V", "W")),
        ),
        ("A. One,<br>B. Two and<br>C. Three", (Person("A. One"), Person("B. Two"), Person("C. Three"))),
        ("<div>A. One</div><div>(X, Z)</div>", (Person("A. One", "X", "Z"),)),
        ("A. One<sup>*</sup>, B. Two<sup>1</sup>", (Person("A. One"), Person("B. Two"))),
        (
            "<a>A. One</a> (X (Y (Z)), V), <a>B. Two</a> (W and V, U) and C. Three, Jr.",
            (Person("A. One", "X (Y (Z))", "V"), Person("B. Two", "W and V", "U"), Person("C. Three, Jr.")),
        ),
        (
            f"{linked('Salt and Oil, Ltd')} and {linked('Wei (Bo) Ye')}",
            (Person("Salt and Oil, Ltd"), Person("Wei (Bo) Ye")),
        ),
        (
            f"{linked('Salt and Oil')} (X, Z)<br>Free Name, {linked('Wei (Bo) Ye')}",
            (Person("Salt and Oil", "X", "Z"), Person("Free Name"), Person("Wei (Bo) Ye")),
        ),
        (
            f"{linked('A. One')} (X, Z) {linked('B. Two')} (V, W)",
            (Person("A. One", "X", "Z"), Person("B. Two", "V", "W")),
        ),
        (f"{linked('A. One ')}and {linked('B. Two')} (V, W)", (Person("A. One"), Person("B. Two", "V", "W"))),
        (f"{linked('A. One')}\n{linked(' ')}\n{linked('B. Two')}", (Person("A. One"), Person("B. Two"))),
        (
            f"{linked('A. One')} (X,<br>Y,<br>Z)<br>{linked('B. Two')} (V, W",
            (Person("A. One", "X, Y", "Z"), Person("B. Two", "V", "W")),
        ),
        (f"{linked('A. One')}, ", (Person("A. One"),)),
        ("A. One,", (Person("A. One"),)),
        ("", None),
    ],
)
def test_authors(authors: str, people: tuple[Person, ...] | None) -> None:
    """Authors are in one sentence or one per line, with affiliations after or below the name."""
    assert talk(f'<div class="authors">{authors}</div><div class="title">T</div>').authors == people


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["A. One", "Bo  Two", "Wei (Bo) Ye", "Salt and Oil", "and Co", "Sand Land", "B, Jr.", ""]),
            st.sampled_from([" (X, Z)", "(X)", " (X (Y), V,\n Z)", " (X, )", " ()", " (X", " (X) (Z)", " (X), "]),
            st.sampled_from(["<br>", "<br/>\n", " ", "", "<br> x"]),
        ),
        max_size=4,
    )
)
def test_usual_authors_are_read_as_any(printed: list[tuple[str, str, str]]) -> None:
    """The fast path for the usual markup of authors gives the same as the general one."""
    authors = "".join(f"{linked(name)}{place}{behind}" for name, place, behind in printed)
    usual, unusual = (
        etree.fromstring(f"<div>{each}</div>", etree.HTMLParser())[0][0] for each in (authors, f"<i></i>{authors}")
    )
    assert people_in([usual]) == people_in([unusual])


def test_one_person_with_several_affiliations() -> None:
    """Superscript numbers refer to places, whatever separates them; the country is not split off."""
    places = '<div class="affiliation_item"><sup>1</sup>X, V</div><div class="affiliation_item"><sup>2</sup> Y, W</div>'
    names = "A. One<sup>1</sup>,<sup>2</sup>, B. Two<sup>1, 2</sup> and C. Three<sup>2</sup>"
    record = talk(f'<div class="authors">{names}</div>{places}<div class="title">T</div>')
    assert record.authors == (
        Person("A. One", "X, V; Y, W"),
        Person("B. Two", "X, V; Y, W"),
        Person("C. Three", "Y, W"),
    )


@pytest.mark.parametrize(
    "menu",
    [
        '<div id="main_menu"><a>Information</a><a>PROGRAM</a><a>INDEXES</a></div>',
        '<div id="main_menu"> <a>PROGRAM</a> <a>Search</a></div><div id="menu2"><a>RYE</a> | <a>iOAT</a></div>',
        '<div id="main_menu">PROGRAM</div><div id="menu2"> </div><div id="menu3"><a>PROGRAM</a> | <a>AUTHORS</a></div>',
    ],
)
def test_menus(menu: str) -> None:
    """Menus may have links to pages of the organisers and to other events; all of it is recognised."""
    parsed = parse_text("easychair", f'{TOP}{menu}<div class="session">{HEADING}</div>')
    assert (len(parsed.records), parsed.rejects) == (1, ())


def test_a_missing_name() -> None:
    """A name marked as missing is left out."""
    missing = '<a class="person" href="p.html"><em class="missing">name missing</em></a>'
    record = talk(f'<div class="authors">{missing}, {linked("Anna Vell")}</div><div class="title">T</div>')
    assert record.authors == (Person("Anna Vell"),)


def test_one_affiliation_without_a_number_is_everybodys() -> None:
    """A single affiliation without superscript numbers belongs to all authors."""
    places = '<div class="affiliation_item">Quill Institute, Norland</div>'
    record = talk(f'<div class="authors">A. One, B. Two</div>{places}<div class="title">T</div>')
    assert record.authors == (
        Person("A. One", "Quill Institute, Norland"),
        Person("B. Two", "Quill Institute, Norland"),
    )


@pytest.mark.parametrize("class_", ["speaker", "presenter"])
@pytest.mark.parametrize(
    ("text", "presenter"),
    [
        ("SPEAKER: <a>A. One</a>", "A. One"),
        ("PRESENTER:\n A. One", "A. One"),
        ("SPEAKER: unknown", None),
        ("SPEAKER: ", None),
        ("SPEAKER: TBA", None),
    ],
)
def test_presenter(class_: str, text: str, presenter: str | None) -> None:
    """The presenter has either class and label; "unknown" gives none."""
    assert talk(f'<div class="title">T</div><div class="{class_}">{text}</div>').presenter == presenter


@pytest.mark.parametrize(
    ("time", "slot"),
    [
        ("09:00", Slot(NINE, TEN)),
        ("09:00-09:20", Slot(NINE, datetime(2024, 4, 15, 9, 20))),
        ('<span class="interval">09:00 – 09:20</span>', Slot(NINE, datetime(2024, 4, 15, 9, 20))),
        ("", Slot(NINE, TEN)),
    ],
)
def test_time_of_a_talk(time: str, slot: Slot) -> None:
    """A talk has a printed start, start and end, or neither."""
    assert talk('<div class="title">T</div>', time).slots == (slot,)


@pytest.mark.parametrize(
    "url", ["https://example.org/x/2024-04-15.html", "https://example.org/x/2024-04-15.html#talk:9"]
)
def test_address_of_a_talk(url: str) -> None:
    """A talk has its number, and an address if the page has one."""
    cell = '<a name="talk:64974"></a><div class="title">T</div>'
    found = talk(cell), talk(cell, facts=Facts(url=url))
    expected = [("64974", None), ("64974", "https://example.org/x/2024-04-15.html#talk:64974")]
    assert [(record.native_id, record.url) for record in found] == expected


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("2024-04-15.html#talk:64974", "https://example.org/x/2024-04-15.html#talk:64974"),
        ("2024-04-15.html#talk:9", "https://example.org/x/2024-04-15.html#talk:64974"),
        ("2024-04-15.html", "https://example.org/x/2024-04-15.html#talk:64974"),
        ("2024-04-16.html", "https://example.org/x/index.html#talk:64974"),
        ("http://[#talk:64974", "https://example.org/x/index.html#talk:64974"),
    ],
)
def test_address_of_a_talk_of_an_index_page(link: str, url: str) -> None:
    """The address is that on the day page, found by the talk's link, so captures of both pages agree."""
    cell = f'<a name="talk:64974"></a><div class="title">T (<a href="{link}">abstract</a>)</div>'
    assert talk(cell, facts=Facts(url="https://example.org/x/index.html")).url == url


def chairs_of(role: str, names: str) -> str:
    """Return the chairs of a session in one role."""
    word, people = f'<div class="chair_word">{role}</div>', f'<div class="chair_names">{names}</div>'
    return f'<div class="session_chair">{word}{people}</div>'


@pytest.mark.parametrize(
    ("details", "chairs", "room"),
    [
        (chairs_of("Chairs: ", "A. One and B. Two") + ROOM, (Person("A. One"), Person("B. Two")), "R: 1"),
        (
            chairs_of("Chair: ", "A. One") + chairs_of("Organizer: ", "B. Two (X, Y)"),
            (Person("A. One"), Person("B. Two", "X", "Y")),
            None,
        ),
        ('<div class="session_chair">Chair: A. One</div><div class="room">Location: R</div>', (Person("A. One"),), "R"),
        (chairs_of("Chair: ", ""), None, None),
    ],
)
def test_details_of_a_session(details: str, chairs: tuple[Person, ...] | None, room: str | None) -> None:
    """Chairs under any role word, several roles, a linked room; labels without elements of their own."""
    parsed = parse_text("easychair", f'{TOP}<div class="session">{HEADING}{details}</div>')
    record = parsed.records[0]
    assert (record.chairs, record.slots, parsed.rejects) == (chairs, (Slot(NINE, TEN, room),), ())


def test_description_of_a_session() -> None:
    """Paragraphs and list items are lines of the description; empty ones are left out."""
    desc = '<div class="session_desc"><p>One\n line</p><p>&nbsp;</p><ul><li>two</li><li>three</li></ul></div>'
    assert session(HEADING + desc).session_description == "One line\ntwo\nthree"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f'<div class="coffeebreak">{TIMES}<span class="title">Walk</span></div>', "break"),
        (f'<div class="lunchbreak">{TIMES}<span class="title">Banquet</span></div>', "social"),
        (f'<div class="heading">{TIMES} <span class="title">Lunch</span></div>', "break"),
        (f'<div class="heading">{TIMES} <span class="title">Walk</span></div>', "session"),
        ('<div class="heading">09:00-10:00 Session 3: Opening</div>', "ceremony"),
        ('<div class="heading">09:00-10:00 <span class="title">Opening</span></div>', "ceremony"),
    ],
)
def test_session_without_talks(content: str, expected: str) -> None:
    """The kind comes from the title, else from the class in the page."""
    record = session(content)
    assert (record.kind, record.slots) == (expected, (Slot(NINE, TEN),))


def test_a_break_does_not_own_the_talks_below_it() -> None:
    """Talks whose session heading is lost do not belong to the break above."""
    pause = f'<div class="session"><div class="coffeebreak">{TIMES}<span class="title">Tea</span></div></div>'
    row = '<tr class="talk"><td class="time">10:00</td><td><div class="title">Hot</div></td></tr>'
    records = records_of(f'{TOP}{pause}<table class="talks">{row}</table>')
    assert [(record.title, record.session_title) for record in records] == [("Tea", None), ("Hot", None)]


@pytest.mark.parametrize(
    ("top", "facts", "day"),
    [
        ('<script>var k = "pd:CRUMB:2019-05-02";</script>', Facts(), datetime(2019, 5, 2, 9)),
        ("", Facts(url="https://example.org/smart-program/C/2018-05-03.html"), datetime(2018, 5, 3, 9)),
        ('<div class="date">Friday, May 3rd</div><a href="2019-05-03.html"></a>', Facts(), datetime(2019, 5, 3, 9)),
        ('<div class="date">Friday, 3 May 2019</div>', Facts(), datetime(2019, 5, 3, 9)),
        ('<div class="date"><h2>Friday, 3 May 2019</h2>', Facts(), datetime(2019, 5, 3, 9)),
        ('<div id="pagetitle">RYE ON FRIDAY, MAY 3RD, 2019</div>', Facts(), datetime(2019, 5, 3, 9)),
        (
            '<div id="title">RYE\'19: X</div><div id="pagetitle">RYE ON FRIDAY, MAY 3RD</div>',
            Facts(),
            datetime(2019, 5, 3, 9),
        ),
    ],
)
def test_day_and_year(top: str, facts: Facts, day: datetime) -> None:
    """Without a printed full date, day and year come from the script, the address or the links."""
    slots = records_of(f'<html><body>{top}<div class="session">{HEADING}</div>', facts)[0].slots
    assert slots == (Slot(day, day.replace(hour=10)),)


@pytest.mark.parametrize(
    "title",
    [
        "PROGRAM FOR MONDAY, MAY 6TH: TALK VIEW",
        "TALK KEYWORD INDEX",
        "ROOM B",
        "SLIDES",
        "PROGRAM COMMITTEE",
        "CALL FOR PAPERS",
    ],
)
def test_other_pages_are_declined(title: str) -> None:
    """Overviews, indexes, persons, rooms and slides hold no programme."""
    with pytest.raises(DumpError, match="declined"):
        records_of(
            f'<html><body><div id="pagetitle">{title}</div><div class="session">{HEADING}</div><p>/smart-program/</p>'
        )


def test_a_page_without_sessions_is_declined() -> None:
    """A page of the source without sessions and talks is declined."""
    with pytest.raises(DumpError, match="declined: expected sessions or talks, found none"):
        records_of(f"{TOP}<div id='disclaimer'>Disclaimer | Powered by EasyChair Smart Program</div>")


def kept_by_cut(page: str, size: int) -> list[Record]:
    """Return the records of a truncated page without the last two; none if it is refused."""
    try:
        return [bare(record) for record in records_of(page[:size])[:-2]]
    except DumpError:
        return []


def bare(record: Record) -> Record:
    """Remove line numbers and the end, which depends on the next record."""
    starts = tuple(slot._replace(ends_at=None) for slot in record.slots or ())
    return record._replace(line_start=None, line_end=None, slots=starts)


@given(data=st.data())
def test_cut_anywhere(data: st.DataObject) -> None:
    """A page truncated anywhere is refused or gives the unchanged records before the cut."""
    page = render_page(PROGRAMME, PAGES["full_affiliations"])
    whole = [bare(record) for record in records_of(page)]
    kept = kept_by_cut(page, data.draw(st.integers(1, len(page))))
    assert kept == whole[: len(kept)]


WHOLE = (
    f'{TOP}<div class="session">{HEADING}{ROOM}<div class="session_desc"><p>D</p></div><table class="talks">'
    '<tr class="talk"><td class="time">09:00</td><td><a name="talk:1"><div class="authors"><a class="person">A. One</a>'
    '</div></a><div class="title">T</div><div class="presenter">PRESENTER: <a class="person">A. One</a></div>'
    '<div class="abstract"><p>ABSTRACT. X</p></div></td></tr></table></div>'
    f'<div class="session"><div class="coffeebreak">{TIMES}<span class="title">Tea</span></div></div>'
    '<div id="disclaimer">Disclaimer | Powered by EasyChair Smart Program</div></body></html>'
)
PLACES = [place + 1 for place, letter in enumerate(WHOLE) if letter == ">" and "</body>" not in WHOLE[: place + 1]]


@pytest.mark.parametrize("place", PLACES[3:])
def test_unknown_text_is_never_lost(place: int) -> None:
    """Text between any two tags ends up in quarantine or in exactly one field of one record."""
    parsed = parse_text("easychair", f"{WHOLE[:place]} zzqx sentinel 4711 {WHOLE[place:]}")
    texts = [reject.text for reject in parsed.rejects]
    texts += [str(value) for record in parsed.records for value in record._asdict().values()]
    assert sum("zzqx sentinel" in text for text in texts) == 1


def test_two_presenters() -> None:
    """Both names are kept, each once."""
    names = ("PRESENTER: Anna Vell", "SPEAKER: Bo Two", "PRESENTER: Anna Vell", "SPEAKER:")
    cell = "".join(f'<div class="presenter">{name}</div>' for name in names)
    assert talk(f'<div class="title">Hot</div>{cell}').presenter == "Anna Vell, Bo Two"
