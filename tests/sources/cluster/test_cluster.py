"""What is particular to the programme at a glance: its headings, its names, whose programme it is."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._contract import Document, DumpError, Facts
from parsers._dates import DAY_END
from parsers._years import Day
from parsers.cluster import SOURCE
from parsers.cluster.headings import TimeLine, read_chair_label, read_day, read_session, read_time_line
from parsers.cluster.names import looks_like_names, reads_as_person
from parsers.cluster.people import read_authors, read_chairs
from pipeline.parse import parse_document
from schemas.items import Person, Record
from tests.helpers import parse_text

ITEM = "Tuesday September 2nd\n9:30-11:00\nOpening Session\nHarbour Hall\n"


def only_record(text: str, **given: object) -> Record:
    """Parse a dump that holds one record."""
    facts = Facts(year=2025, event="LANTERN 2025")
    (record,) = parse_text("cluster", text, **{"facts": facts, **given}).records  # type: ignore[arg-type]
    return record


def people(persons: tuple[object, ...]) -> list[tuple[str, str | None]]:
    """Return names and affiliations."""
    return [(person.name, person.affiliation) for person in persons]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Tuesday, September 11th", Day(0, 9, 11, 1)),
        ("Conference - Tuesday, Oct 31", Day(0, 10, 31, 1)),
        ("September 24", Day(0, 9, 24)),
        ("Wednesday September 3rd", Day(0, 9, 3, 2)),
        ("Thursday, 17 September 2026", Day(0, 9, 17, 3, 2026)),
        ("Day 2: Fri, Sept. 5", Day(0, 9, 5, 4)),
        ("May We Forget? 3 Caches", None),
        ("September 24 to 27", None),
    ],
)
def test_day(text: str, day: Day | None) -> None:
    """A day heading is read in every printed form, whole."""
    assert read_day(text) == day


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("9:00am-10:15am", TimeLine(time(9), time(10, 15))),
        ("12:30pm-1:30pm", TimeLine(time(12, 30), time(13, 30))),
        ("08:00 am PT", TimeLine(time(8))),
        ("09:20 am PT - Session 1", TimeLine(time(9, 20), code="1")),
        ("12:40 - 13:40 PT", TimeLine(time(12, 40), time(13, 40))),
        ("11:00 - 12:30 -- Parallel Sessions", TimeLine(time(11), time(12, 30))),
        ("19:00", TimeLine(time(19))),
        ("9:30-11:00", TimeLine(time(9, 30), time(11))),
        ("09.30 – 10.30", TimeLine(time(9, 30), time(10, 30))),
        ("12:00 - 13:00 - Lunch", TimeLine(time(12), time(13), "Lunch")),
        ("6pm \u2013 8pm", TimeLine(time(18), time(20))),
        ("9:30\u201111:00", TimeLine(time(9, 30), time(11))),
        ("9h30 \u2212 11h00", TimeLine(time(9, 30), time(11))),
        ("20:00-24:00", TimeLine(time(20), DAY_END)),
        ("25:00-26:00", TimeLine(None, impossible=True)),
        ("9:30 is when we begin", None),
    ],
)
def test_time_line(text: str, line: TimeLine | None) -> None:
    """A time line is read in every printed form, whole."""
    assert read_time_line(text) == line


@pytest.mark.parametrize(
    ("text", "code", "title", "track", "tag"),
    [
        ("Session (1) Stores", "1", "Stores", None, None),
        ("Session (7) IoT, Cloud (2 of 2)", "7", "IoT, Cloud (2 of 2)", None, None),
        ("Paper session II: Stores", "II", "Stores", None, None),
        ("Session I: best papers (Areas 1 and 2)", "I", "best papers (Areas 1 and 2)", None, None),
        ("Session 3A - Stores", "3A", "Stores", None, None),
        ("Session 4", "4", None, None, None),
        ("Stores (Session XVIII)", "XVIII", "Stores", None, None),
        ("Track A: Stores", None, "Stores", "Track A", None),
        ("[Workshop] Stores (agenda)", None, "Stores", None, "workshop"),
        ("Top 3 Papers (1/3)", None, "Top 3 Papers (1/3)", None, None),
        ("Sessions of the Student Forum", None, "Sessions of the Student Forum", None, None),
        ("Session A Is Not a Code Here", None, "Session A Is Not a Code Here", None, None),
    ],
)
def test_session_heading(text: str, code: str | None, title: str | None, track: str | None, tag: str | None) -> None:
    """A session heading gives up its code, track and tag; a plain one is all title."""
    heading = read_session(text)
    assert (heading.code, heading.title, heading.track, heading.tag) == (code, title, track, tag)


@pytest.mark.parametrize(
    ("text", "keynote", "about"),
    [
        ("Keynote (2): Ada Quill", "Keynote (2)", "Ada Quill"),
        ("Keynote: Ada Quill, Norwick", "Keynote", "Ada Quill, Norwick"),
        ("Keynote II", "Keynote II", None),
        ("Keynote Talk 1 - Ada Quill", "Keynote Talk 1", "Ada Quill"),
        ("Welcome and Keynote I", None, None),
    ],
)
def test_keynote_heading(text: str, keynote: str | None, about: str | None) -> None:
    """A keynote heading gives its name and what it is about."""
    heading = read_session(text)
    assert (heading.keynote, heading.about) == (keynote, about)


@pytest.mark.parametrize(
    ("text", "chairs"),
    [
        ("Chair: Bea Sorn (Norwick)", [("Bea Sorn", "Norwick")]),
        ("Chair: Bea Sorn, Norwick", [("Bea Sorn", "Norwick")]),
        ("Chair: Bea Sorn, Institute of Tides (IoT), Quay", [("Bea Sorn", "Institute of Tides (IoT), Quay")]),
        ("Chair: Bea Sorn, Institute of Science and Technology", [("Bea Sorn", "Institute of Science and Technology")]),
        ("Chair: Bea Sorn, Norwick and Cal Tern, Plum", [("Bea Sorn", "Norwick"), ("Cal Tern", "Plum")]),
        ("Chair: Bea Sorn (Norwick) Cal Tern (Plum)", [("Bea Sorn", "Norwick"), ("Cal Tern", "Plum")]),
        ("Session Chairs: Bea Sorn, Cal Tern", [("Bea Sorn", None), ("Cal Tern", None)]),
        ("Chair: TBD", []),
    ],
)
def test_chairs(text: str, chairs: list[tuple[str, str | None]]) -> None:
    """Chairs are read in every printed form; a placeholder is nobody."""
    role, names = read_chair_label(text) or ("", "")
    assert people(read_chairs(names, role).persons) == chairs


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Du, Wang, N. Toosi", [("Du", None), ("Wang", None), ("N. Toosi", None)]),
        ("Ann One (X), Bo Two (Y), and Cy Three (Z)", [("Ann One", "X"), ("Bo Two", "Y"), ("Cy Three", "Z")]),
        (
            "Ann One, Bo Two, and Cy Three (X); and Di Four (Y)",
            [(f"{n}", "X") for n in ("Ann One", "Bo Two", "Cy Three")] + [("Di Four", "Y")],
        ),
        (
            "Ann One and Bo Two (A (B), C), Cy Three (D)",
            [("Ann One", "A (B), C"), ("Bo Two", "A (B), C"), ("Cy Three", "D")],
        ),
        ("Presenter(s): Ann One, Bo Two", [("Ann One", None), ("Bo Two", None)]),
        ("Andrés Sand, Lena Land & Bo Two", [("Andrés Sand", None), ("Lena Land", None), ("Bo Two", None)]),
    ],
)
def test_authors(text: str, authors: list[tuple[str, str | None]]) -> None:
    """Authors are read in every printed form, in printed order, repeats kept."""
    assert people(read_authors(text).persons) == authors


@pytest.mark.parametrize("text", ["zzqx sentinel 4711", "lower case words", "A paper in 3 steps", ""])
def test_no_names(text: str) -> None:
    """What cannot be names is no author line."""
    assert not looks_like_names(text)


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Bea Sorn", True),
        ("Bronis de Sorn", True),
        ("J.-P. O'Shea", True),
        ("Al Sorn", True),
        ("Ai Sorn", True),
        ("Bea Green", True),
        ("Quantum Computing", False),
        ("The Miller's Tale", False),
        ("How Toast Burns", False),
        ("AI Inside", False),
        ("TBA", False),
    ],
)
def test_personal_name(text: str, person: bool) -> None:
    """A keynote's heading names a person where it reads as one."""
    assert reads_as_person(text) is person


@pytest.mark.parametrize(
    ("given", "event"),
    [
        ({"path": "cluster/cluster-2025.txt"}, "CLUSTER 2025"),
        ({"path": "cluster/other-2025.txt"}, None),
        ({"facts": Facts(url="https://clustercomp.example/2025/", year=2025)}, "CLUSTER 2025"),
        ({"facts": Facts(event="Cluster Days 2025", year=2025)}, "Cluster Days 2025"),
    ],
)
def test_event(given: dict[str, object], event: str | None) -> None:
    """The series gives the edition its name only where address or file name is its own."""
    assert only_record(ITEM, **{"facts": None, **given}).event == event


@pytest.mark.parametrize(
    ("top", "event"),
    [
        ("IEEE Cluster 2025 Program", "CLUSTER 2025"),
        ("IEEE LANTERN 2025 Program", "IEEE LANTERN 2025"),
        ("Home", None),
    ],
)
def test_event_of_page_title(top: str, event: str | None) -> None:
    """A page title names its own conference."""
    assert only_record(f"{top}\n{ITEM}", facts=None, path="cluster/2025.txt").event == event


def test_inferred_event_has_note() -> None:
    """A name put together from series and year says so."""
    assert only_record(ITEM, facts=None, path="cluster/cluster-2025.txt").notes == ("event_inferred", "year_inferred")


@pytest.mark.parametrize(
    ("heading", "title", "authors"),
    [
        ("Keynote (1): Ada Quill", "Keynote (1)", [("Ada Quill", None)]),
        ("Keynote: Ada Quill, Norwick", "Keynote", [("Ada Quill", "Norwick")]),
        ("Keynote (1): The Quiet Arithmetic of Weather", "The Quiet Arithmetic of Weather", []),
        ("Keynote (1): TBA", "Keynote (1)", []),
    ],
)
def test_keynote_without_talk(heading: str, title: str, authors: list[tuple[str, str | None]]) -> None:
    """A keynote without a talk title is called after its speaker's slot, or by what it is about."""
    record = only_record(f"Tuesday September 2nd\n9:30-11:00\n{heading}\nHarbour Hall\nChair: Bea Sorn\n")
    assert (record.kind, record.title, people(record.authors or ())) == ("keynote", title, authors)


def test_abstracts_of_glued_cells_that_begin_with_their_authors() -> None:
    """Where no talk of glued cells has authors above its label, they begin the abstracts: these are held back."""
    talks = " ".join(f"{title}  {title} Abstract Ann One We store files." for title in ("Small Files", "Big Files"))
    parsed = parse_text("cluster", f"| September 8 9:00-10:00 Session (1) Stores Quay Chair: Cal Tern {talks}")
    assert [(record.title, record.authors, record.abstract) for record in parsed.records] == [
        ("Small Files", None, None),
        ("Big Files", None, None),
    ]
    assert [reject.text for reject in parsed.rejects] == ["Ann One We store files."] * 2


def test_what_stands_above_the_first_day_is_explained() -> None:
    """Name, place and dates of the conference and the title of the page are no stray lines."""
    top = "IEEE CLUSTER 2018\nNorwick, Ruritania\nSeptember 10\u201313, 2018\nProgram at a glance\n"
    parsed = parse_text("cluster", f"{top}Tuesday, September 11\n9:00-10:00\nRegistration\n")
    assert (parsed.rejects, [record.title for record in parsed.records]) == ((), ["Registration"])


def test_titles_of_sessions_that_come_again_are_no_rooms() -> None:
    """A title above a room and a chair is a title, however often it comes and whatever stands above it."""
    slot = "{0}:00-{0}:50\nHigh Tides\nQuay\nChair: Ann One\nFirst Talk {0}\nStores\nDock\nChair: Bo Two\nLast {0}\n"
    parsed = parse_text("cluster", "Tuesday, September 11\n" + "".join(slot.format(hour) for hour in (9, 10, 11)))
    assert {(record.session_title, record.slots[0].room) for record in parsed.records if record.slots} == {
        ("High Tides", "Quay"),
        ("Stores", "Dock"),
    }


def test_a_keynote_named_like_its_talk_names_no_speaker() -> None:
    """What the heading of a keynote and its talk share is the title, even where it reads as a name."""
    text = "Tuesday, September 11\n9:00-10:00\nKeynote 1: Elastic Tides\nGreat Hall\nChair: Ann One\nElastic Tides\n"
    records = parse_text("cluster", text).records
    assert [(record.title, record.authors) for record in records] == [("Elastic Tides", None)]


def test_next_title_is_no_abstract() -> None:
    """Where an extractor lost the abstracts, the line below ``Abstract`` is the next title or session."""
    talks = "\n".join(f"{title}\n{title}\nAbstract" for title in ("Small Files", "Large Regrets"))
    text = f"Tuesday September 2nd\n9:30-11:00\nStores\nChair: Bea Sorn\n{talks}\nNetworks\nChair: Cal Tern\n{talks}\n"
    records = parse_text("cluster", text).records
    assert [(record.title, record.abstract, record.session_title) for record in records] == [
        ("Small Files", None, "Stores"),
        ("Large Regrets", None, "Stores"),
        ("Small Files", None, "Networks"),
        ("Large Regrets", None, "Networks"),
    ]


LINES = (
    "Tuesday September 2nd|9:30-11:00|19:00|TBA|Session (1) Stores|[Workshop] Stores (agenda|)|Stores|Harbour Hall|"
    "Quay|Chair:|Chair: Bea Sorn|Presenter: Cal Tern|Bea Sorn|Canceled|Keynote (1): Ada Quill|Paper|Best Paper|"
    "Small Files, Large Regrets|Small Files, Large Regrets|nsys2map: small files|One, Two|Ann One (X), Bo Two (Y|"
    "Abstract|We collect small files in logs.|(Lunch boxes)|Coffee Break|Welcome (Bea Sorn, Plum)|zzqx sentinel 4711"
).split("|")


@given(st.lists(st.sampled_from(LINES), max_size=40))
def test_any_order_of_lines(lines: list[str]) -> None:
    """Lines in any order give records, rejects and unexplained lines that together are every line; no other error."""
    text = "\n".join(["Tuesday September 2nd", "9:30-11:00", "Opening Session", *lines])
    parsed = parse_document(SOURCE, Document.from_bytes("test/dump.txt", text.encode(), Facts(year=2025)))
    assert sum(parsed.accounting.by_class.values()) == len(lines) + 3


@pytest.mark.untraced
@pytest.mark.parametrize("filler", ["(", " ", "A, ", "and ", "[", "x. ", "Session 1: ", "- "])
def test_long_line_is_read_in_bounded_time(filler: str) -> None:
    """One endless line, wherever it stands, is read in linear time."""
    endless = "A" + filler * (400_000 // len(filler)) + "z"
    text = f"{ITEM}Small Files\nSmall Files\n{endless}\nAbstract\n{endless}\n{endless}\n"
    assert parse_text("cluster", text).format == "at_a_glance_text"


def test_another_layout_is_refused() -> None:
    """A page of another layout is refused as a whole rather than read wrongly."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", f"{ITEM}- Small Files\nAnn One\n")


def test_dates_of_a_call_for_papers_are_refused() -> None:
    """Days and times that are deadlines are no programme."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", "Important Dates\nMay 8\n23:59\nPapers due\nJuly 1\n23:59\nNotification of authors\n")


def test_room_that_stands_once_above_a_bare_chair() -> None:
    """Where names stand below rooms, what stands above a name is a room too, though no other line shows it."""
    slots = "9:00-9:50\nSession I: Stores\nDock\nAnn One\nFirst\n10:00-10:50\nSession II: Ropes\nDock\nBo Two\nNext\n"
    last = "11:00-11:50\nSession III: Sails\nMast Deck\nCal Tern\nLast\n"
    records = parse_text("cluster", f"Tuesday, September 11\n{slots}{last}").records
    found = [(record.title, record.slots and record.slots[0].room, record.chairs) for record in records]
    assert found == [
        ("First", "Dock", (Person("Ann One"),)),
        ("Next", "Dock", (Person("Bo Two"),)),
        ("Last", "Mast Deck", (Person("Cal Tern"),)),
    ]
