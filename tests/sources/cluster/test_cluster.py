"""What is particular to the programme at a glance: its headings, its names, whose programme it is."""

from datetime import datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._contract import Document, DumpError, Facts
from parsers._dates import DAY_END
from parsers._years import Day
from parsers.cluster import SOURCE
from parsers.cluster.headings import read_chair_label, read_session
from parsers.cluster.names import looks_like_names, reads_as_person
from parsers.cluster.people import read_authors, read_chairs
from parsers.cluster.times import TimeLine, read_day, read_time_line
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
        ("Day 1 (Tuesday, September 2, 2031)", Day(0, 9, 2, 1, 2031)),
        ("Tuesday (September 2)", Day(0, 9, 2, 1)),
        ("Tuesday – September 2", Day(0, 9, 2, 1)),
        ("September 2, 2031 - Tuesday", Day(0, 9, 2, 1, 2031)),
        ("Monday, September 1 - Workshops and Tutorials", Day(0, 9, 1, 0)),
        ("Tues., the 2nd of September", Day(0, 9, 2, 1)),
        ("PROGRAM FOR TUESDAY, SEPTEMBER 2ND", None),
        ("Tuesday, 2031-09-02", Day(0, 9, 2, 1, 2031)),
        ("2.9.2031", Day(0, 9, 2, None, 2031)),
        ("Registration (September 2)", None),
        ("Tuesday, September 5 | Wednesday, September 6", None),
        ("September 2 - Registration", None),
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
        ("9-10:30 AM", TimeLine(time(9), time(10, 30))),
        ("1:30 - 3:00 pm", TimeLine(time(13, 30), time(15))),
        ("11:30 - 1:00 pm", TimeLine(time(11, 30), time(13))),
        ("11:30 am - 1:00", TimeLine(time(11, 30), time(13))),
        ("14:00 - 3:30 pm", TimeLine(time(14), time(15, 30))),
        ("From 9:30 h to 11:00 h", TimeLine(time(9, 30), time(11))),
        ("[9:30 ~ 11:00]", TimeLine(time(9, 30), time(11))),
        ("9:30-11:00 UTC+02:00 (90 min)", TimeLine(time(9, 30), time(11))),
        ("9:30 - 11:00 CET / 3:30 - 5:00 ET", TimeLine(time(9, 30), time(11))),
        ("9:30 - 11:00: Stores", TimeLine(time(9, 30), time(11), "Stores")),
        ("18:30 onwards", TimeLine(time(18, 30))),
        ("18:30 - late", TimeLine(time(18, 30))),
        ("25:00-26:00", TimeLine(None, impossible=True)),
        ("9:30 is when we begin", None),
        ("9:30 - 11:00 | Workshops | Opening", None),
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
        ("Session 1.2: Stores", "1.2", "Stores", None, None),
        ("Session 2-B: Stores", "2-B", "Stores", None, None),
        ("Session T1 | Stores", "T1", "Stores", None, None),
        ("Session 3-D Printing", "3", "D Printing", None, None),
        ("Session 3 (Best Papers)", "3", "Best Papers", None, None),
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
        ("Opening Keynote: Ada Quill", "Opening Keynote", "Ada Quill"),
        ("Keynote #2: Ada Quill", "Keynote #2", "Ada Quill"),
        ("Keynote-Scale Computing", None, None),
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
        ("CHAIRS: BEA SORN AND CAL TERN", [("BEA SORN", None), ("CAL TERN", None)]),
        ("Session Chair - Bea Sorn (Norwick)", [("Bea Sorn", "Norwick")]),
        ("Session Chair Bea Sorn", [("Bea Sorn", None)]),
        ("Chaired by Bea Sorn (Norwick)", [("Bea Sorn", "Norwick")]),
        ("Chair: A Sorn, Institute of Tides, Quay", [("A Sorn", "Institute of Tides, Quay")]),
        ("Host: Bea Sorn, Norwick", [("Bea Sorn", "Norwick")]),
    ],
)
def test_chairs(text: str, chairs: list[tuple[str, str | None]]) -> None:
    """Chairs are read in every printed form; a placeholder is nobody."""
    role, names = read_chair_label(text) or ("", "")
    assert people(read_chairs(names, role).persons) == chairs


@pytest.mark.parametrize(
    "text",
    ["Host: University of Plum", "Chair - A New Kind of Table", "Chair: A New Kind of Table", "Session Chair Design"],
)
def test_no_chairs(text: str) -> None:
    """What bears the word of a chair and names nobody is no label of one."""
    assert read_chair_label(text) is None


@pytest.mark.parametrize(
    ("text", "title", "chair"),
    [
        ("Session 1: Stores (Chair: Bea Sorn, Norwick)", "Stores", "Bea Sorn, Norwick"),
        ("Stores (Session Chair: Bea Sorn (Norwick))", "Stores", "Bea Sorn (Norwick)"),
        ("Stores - Chair: Bea Sorn (Norwick)", "Stores", "Bea Sorn (Norwick)"),
        ("Panel: Whose Rope? [Moderator: Bea Sorn]", "Panel: Whose Rope?", "Bea Sorn"),
        ("Musical Stores (Chairs: New Rules)", "Musical Stores (Chairs: New Rules)", None),
    ],
)
def test_chair_behind_a_title(text: str, title: str, chair: str | None) -> None:
    """A chair behind the title of a session is none of its words."""
    heading = read_session(text)
    assert (heading.title, heading.chair) == (title, chair)


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
        ("Ann One, Norwick; Di Four, Plum, Quay", [("Ann One", "Norwick"), ("Di Four", "Plum, Quay")]),
        ("Ann One; Bo Two; Cy Three", [("Ann One", None), ("Bo Two", None), ("Cy Three", None)]),
        (
            "Ann One, Bo Two, Plum University, Quay, and Cy Three, Orb Lab",
            [("Ann One", "Plum University, Quay"), ("Bo Two", "Plum University, Quay"), ("Cy Three", "Orb Lab")],
        ),
        ("Ann One, Plum University and Bo Two, Orb Lab", [("Ann One", "Plum University"), ("Bo Two", "Orb Lab")]),
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
        ("Keynote: Ada Quill, Orb Lab: The Quiet Weather", "The Quiet Weather", [("Ada Quill", "Orb Lab")]),
        ("Keynote (1): Ada Quill (Norwick) – The Quiet Weather", "The Quiet Weather", [("Ada Quill", "Norwick")]),
        ("Keynote: “The Quiet Weather” by Ada Quill, Norwick", "The Quiet Weather", [("Ada Quill", "Norwick")]),
        ("Keynote Address by Ada Quill", "Keynote Address", [("Ada Quill", None)]),
        ("Keynote by Design", "Keynote by Design", []),
        ("Keynote (1): Quiet Weather: A Study", "Quiet Weather: A Study", []),
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


TWELVE_HOURS = "Tuesday, June 8\n8:30-9:00\nCoffee\n12:00-1:30\nLunch\n1:30-3:00\nTour\n6:30\nDinner\n"


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (TWELVE_HOURS, [time(8, 30), time(12), time(13, 30), time(18, 30)]),
        (TWELVE_HOURS.replace("6:30", "18:30"), [time(8, 30), time(12), time(1, 30), time(18, 30)]),
        (TWELVE_HOURS.replace("8:30-9:00", "7:00-8:00"), [time(7), time(12), time(13, 30), time(18, 30)]),
    ],
)
def test_clock_of_twelve_hours(text: str, starts: list[time]) -> None:
    """Where a page prints neither am nor pm nor an hour past twelve, the order of its times tells the afternoon."""
    records = parse_text("cluster", text, facts=Facts(year=2027)).records
    assert [slot.starts_at.time() for record in records for slot in record.slots or () if slot.starts_at] == starts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "9:00-9:30\nOpening Remarks\nBea Sorn and Cal Tern, Chairs\n",
            ("ceremony", "Opening Remarks", [], "Bea Sorn and Cal Tern, Chairs"),
        ),
        (
            "9:00-9:30\nKeynote: Offloaded Tides\nSpeaker: Ada Quill (Norwick)\n",
            ("keynote", "Offloaded Tides", [("Ada Quill", "Norwick")], None),
        ),
        ("9:00-9:30 Keynote: Ada Quill\n10:00-11:00 Tour\n", ("keynote", "Keynote", [("Ada Quill", None)], None)),
    ],
)
def test_who_speaks_below_an_item(text: str, found: tuple[object, ...]) -> None:
    """Who opens a conference is a programme point, who is labelled as the speaker of a keynote its author."""
    record = parse_text("cluster", f"Tuesday, September 11\n{text}").records[0]
    assert (record.kind, record.title, people(record.authors or ()), record.session_description) == found


def test_title_of_a_talk_that_ends_like_a_break() -> None:
    """A question ends in no coffee break, where titles stand once."""
    talks = "Session 1: Ropes\nQuay\nChair: TBD\nWhen Ropes Break\n"
    (record,) = parse_text("cluster", f"Tuesday, September 11\n9:00-10:00\n{talks}").records
    assert (record.kind, record.title, record.session_title) == ("paper", "When Ropes Break", "Ropes")


def test_room_and_chair_below_a_keynote() -> None:
    """Room and chair that end the slot of a keynote are its own, as where they stand above its talk."""
    talk = "Quiet Weather\nQuiet Weather\nAda Quill\nAbstract\nWe tell the weather, and why it is quiet.\n"
    text = f"Tuesday, September 11\n9:00-10:00\nKeynote: Ada Quill\n{talk}Hall 1\nChair: Bea Sorn\n"
    (record,) = parse_text("cluster", text).records
    assert (record.title, record.slots and record.slots[0].room, record.chairs) == (
        "Quiet Weather",
        "Hall 1",
        (Person("Bea Sorn"),),
    )


def test_keynote_whose_heading_names_its_talk() -> None:
    """A heading with speaker and title names the speaker alone where the talk stands below."""
    talk = "The Quiet Weather\nThe Quiet Weather\nAbstract\nWe tell the weather, and why it is quiet.\n"
    text = f"Tuesday, September 11\n9:00-10:00\nKeynote: Ada Quill (Norwick): The Quiet Weather\nHall 1\n{talk}"
    (record,) = parse_text("cluster", text).records
    assert (record.title, people(record.authors or ())) == ("The Quiet Weather", [("Ada Quill", "Norwick")])


@pytest.mark.parametrize(
    ("printed", "title", "notes"),
    [
        ("[Cancelled] Cold Stores", "Cold Stores", ["cancelled"]),
        ("Cold Stores (Withdrawn)", "Cold Stores", ["cancelled"]),
        ("Cold Stores [slides]", "Cold Stores", []),
        ("Plenary", "Plenary", []),
        ("Cancelled Flights: A Study", "Cancelled Flights: A Study", []),
    ],
)
def test_marks_on_titles_of_talks(printed: str, title: str, notes: list[str]) -> None:
    """Marks and links are no part of a talk's title; the words of a mark or a type may be its own."""
    talk = f"{printed}\n{printed}\nAnn One (Plum)\nAbstract\nWe store files.\n"
    (record,) = parse_text("cluster", f"Tuesday, September 11\n9:00-10:00\nSession 1: Stores\nHall 1\n{talk}").records
    assert (record.title, [note for note in record.notes if note == "cancelled"]) == (title, notes)


def test_time_to_be_announced_below_a_room() -> None:
    """``TBA`` below the room of an item is the time of the next, whose own room is not known yet."""
    text = "Tuesday, September 11\n9:00-10:00\nCoffee Break\nFoyer Room\nTBA\nBanquet\nTBA\n"
    records = parse_text("cluster", text, facts=Facts(year=2018)).records
    found = [
        (record.title, record.slots and record.slots[0].starts_at, record.slots and record.slots[0].room)
        for record in records
    ]
    assert found == [("Coffee Break", datetime(2018, 9, 11, 9), "Foyer Room"), ("Banquet", None, None)]


@pytest.mark.parametrize(
    "footer",
    [
        "back to top",
        "copyright 2031 ieee lantern",
        "LAST UPDATED: 2031-9-3 6:22",
        "the program ends",
        "hotel floor plan",
    ],
)
def test_footers_in_any_letters(footer: str) -> None:
    """What is no part of a programme is told in small letters and capitals alike."""
    parsed = parse_text("cluster", f"{ITEM}{footer}\n")
    assert (len(parsed.records), parsed.rejects, parsed.accounting.by_class["boilerplate"]) == (1, (), 1)


@pytest.mark.parametrize("between", ["10:00-10:20\nCoffee Break\n", "11:30-11:50\nLate Files\nAda Quill, Bea Sorn\n"])
def test_talks_with_times_end_with_their_session(between: str) -> None:
    """A talk behind a break, or later than its session, is none of the session's."""
    session = "9:00-11:00\nSession 1: Stores\nChair: Cal Tern\n9:00-9:30\nSmall Files\nAnn One, Bo Two\n"
    text = f"Tuesday, September 11\n{session}{between}10:30-11:00\nLarge Files\nCy Three, Di Four\n"
    records = parse_text("cluster", text).records
    assert {
        record.title: record.session_title for record in records if record.title in {"Small Files", "Large Files"}
    } == {
        "Small Files": "Stores",
        "Large Files": None,
    }


def test_sentence_below_a_time_is_no_item() -> None:
    """A page with a day, a time and sentences about them is no programme."""
    text = (
        "Tuesday, September 11\n14:00 - 15:30\nThe students meet their mentors and talk about careers in our field.\n"
    )
    with pytest.raises(DumpError, match="empty_result"):
        parse_text("cluster", text)


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
@pytest.mark.parametrize("filler", ["(", " ", "A, ", "and ", "[", "x. ", "Session 1: ", "- ", "Chair: A  "])
def test_long_line_is_read_in_bounded_time(filler: str) -> None:
    """One endless line, wherever it stands, is read in linear time."""
    endless = "A" + filler * (400_000 // len(filler)) + "z"
    text = f"{ITEM}Small Files\nSmall Files\n{endless}\nAbstract\n{endless}\n{endless}\n"
    assert parse_text("cluster", text).format == "at_a_glance_text"


def test_another_layout_is_refused() -> None:
    """A page of another layout is refused as a whole rather than read wrongly."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", f"{ITEM}- Small Files\nAnn One\n")


@pytest.mark.parametrize("mark", ["View this program: with abstracts", "Location: Quay", "Days:"])
def test_times_in_front_of_sessions_of_another_generator(mark: str) -> None:
    """A time and a title on one line are the programme of another generator too, which prints marks of its own."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", f"Wednesday, June 16th\n{mark}\n09:00-10:00 Session 1: Stores\n10:00-10:30 Coffee\n")


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
