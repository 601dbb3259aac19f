"""What is particular to the programme at a glance: whose programme it is, its keynotes, what is refused."""

from datetime import datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._ledger.document import Document, DumpError, Facts
from parsers.cluster import SOURCE
from schemas.items import Record
from tests.support.helpers import parse_document, parse_text

DAY = "Tuesday, September 11\n"
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


def test_what_stands_above_the_first_day_is_explained() -> None:
    """Name, place and dates of the conference and the title of the page are no stray lines."""
    top = "IEEE CLUSTER 2018\nNorwick, Ruritania\nSeptember 10\u201313, 2018\nProgram at a glance\n"
    parsed = parse_text("cluster", f"{top}Tuesday, September 11\n9:00-10:00\nRegistration\n")
    assert (parsed.rejects, [record.title for record in parsed.records]) == ((), ["Registration"])


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
            "9:00-9:30\nKeynote: Offloaded Tides\nSpeaker: Ada Quill (Norwick)\n",
            ("keynote", "Offloaded Tides", [("Ada Quill", "Norwick")]),
        ),
        ("9:00-9:30 Keynote: Ada Quill\n10:00-11:00 Tour\n", ("keynote", "Keynote", [("Ada Quill", None)])),
    ],
)
def test_who_speaks_below_an_item(text: str, found: tuple[object, ...]) -> None:
    """Who is labelled as the speaker of a keynote, or named by its heading, is its author."""
    record = parse_text("cluster", f"Tuesday, September 11\n{text}").records[0]
    assert (record.kind, record.title, people(record.authors or ())) == found


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


LINES = (
    "Tuesday September 2nd|9:30-11:00|19:00|TBA|Session (1) Stores|[Workshop] Stores (agenda|)|Stores|Harbour Hall|"
    "Quay|Chair:|Chair: Bea Sorn|Presenter: Cal Tern|Bea Sorn|Canceled|Keynote (1): Ada Quill|Paper|Best Paper|"
    "Small Files, Large Regrets|Small Files, Large Regrets|nsys2map: small files|One, Two|Ann One (X), Bo Two (Y|"
    "Abstract|We collect small files in logs.|(Lunch boxes)|Coffee Break|Welcome (Bea Sorn, Plum)|zzqx sentinel 4711"
).split("|")


def lines_not_accounted_for(text: str) -> int:
    """Return how many lines of a text are in no class; none where it is refused as a whole."""
    try:
        parsed = parse_document(SOURCE, Document.from_bytes("test/dump.txt", text.encode(), Facts(year=2025)))
    except DumpError:
        return 0
    return len(text.splitlines()) - sum(parsed.accounting.by_class.values())


@given(st.lists(st.sampled_from(LINES), max_size=40))
def test_any_order_of_lines(lines: list[str]) -> None:
    """Lines in any order give records, rejects and unexplained lines that together are every line; no other error."""
    assert lines_not_accounted_for("\n".join([*ITEM.splitlines(), *lines])) == 0


@pytest.mark.untraced
@pytest.mark.parametrize("filler", ["(", " ", "A, ", "and ", "[", "x. ", "Session 1: ", "- ", "Chair: A  "])
def test_long_line_is_read_in_bounded_time(filler: str) -> None:
    """One endless line, wherever it stands, is read in linear time."""
    endless = "A" + filler * (400_000 // len(filler)) + "z"
    text = f"{ITEM}Small Files\nSmall Files\n{endless}\nAbstract\n{endless}\n{endless}\n"
    assert parse_text("cluster", text).format == "at_a_glance_text"


@pytest.mark.parametrize(
    "text",
    [
        f"{DAY}14:00 - 15:30\nThe students meet their mentors and talk about careers in our field.\n",
        f"{DAY}8:00 - Airport\n10:00 - Airport\n17:30 - Hotel\n",
        f"{DAY}8:00 - Airport\n17:30 - Hotel\nRoom rates\nRoom: Standard $189\n",
        f"{DAY}The program is online.\n9:00am\nRegistration is open.\n",
        "Important Dates\nMay 8\n23:59\nPapers due\nJuly 1\n23:59\nNotification of authors\n",
    ],
)
def test_days_and_times_of_something_else_are_refused(text: str) -> None:
    """Days and times of which nothing says that they are a programme's are none."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", text)


def test_labelled_items_without_rooms() -> None:
    """A label begins an item of its own where neither room nor chair stands between it and the one above."""
    records = parse_text("cluster", f"{DAY}07:00 am PT\nWorkshop: Quiet Stores (QS)\nTutorial: Ropes\n").records
    assert [(record.kind, record.title) for record in records] == [
        ("workshop", "Workshop: Quiet Stores (QS)"),
        ("tutorial", "Tutorial: Ropes"),
    ]


@pytest.mark.parametrize("zone", ["Pacific Time (PT)", "PT", "Central European Summer Time (CEST)"])
def test_time_zone(zone: str) -> None:
    """A remark on the time zone is boilerplate, also with the abbreviation behind it."""
    parsed = parse_text("cluster", f"{DAY}9:00-9:50\nLunch\nAll times are {zone}.\n")
    assert (len(parsed.records), parsed.rejects) == (1, ())


def test_a_day_that_was_not_read_ends_the_day_above() -> None:
    """The slots below it begin again in the morning: until the next day that is read they have no times."""
    items = "9:30-10:00\nOpening Session\nHarbour Hall\n14:00-15:00\nPoster Session\nHarbour Hall\n"
    unread = items.replace("Opening", "Welcome").replace("Poster", "Business")
    last = "9:30-10:00\nClosing Session\nHarbour Hall\n"
    text = f"Tuesday September 2nd\n{items}Lorem 3 (ipsum)\n{unread}Thursday September 4th\n{last}"
    records = parse_text("cluster", text, facts=Facts(year=2025, event="LANTERN 2025")).records
    starts = {record.title: record.slots[0].starts_at for record in records if record.slots}
    assert starts == {
        "Opening Session": datetime(2025, 9, 2, 9, 30),
        "Poster Session": datetime(2025, 9, 2, 14, 0),
        "Welcome Session": None,
        "Business Session": None,
        "Closing Session": datetime(2025, 9, 4, 9, 30),
    }
    assert [record.title for record in records if "day_unread" in record.notes] == [
        "Welcome Session",
        "Business Session",
    ]


TALKS = "\n".join(
    f"{hour}:00-{hour}:50 Session {hour}A: Tides\n{hour}:00\nSlow Foam\n{hour}:20\nSmall Tides" for hour in range(9, 17)
)
PRICES = "\n".join(
    f"{place % 7 + 3}.50-{place % 7 + 12}.{cents}\nTOMATO SOUP" for place in range(20) for cents in (50, 75)
)


@pytest.mark.parametrize("text", [f"{DAY}{TALKS}", f"MENU\n{PRICES}", f"{DAY}{PRICES}"])
def test_times_that_are_no_slots(text: str) -> None:
    """Prices, and times of talks within that of their session, as other tools print them, are no programme."""
    with pytest.raises(DumpError, match="not_this_source"):
        parse_text("cluster", text)


def talk(title: str, *people: str) -> str:
    """Return a talk as text prints it, with its title twice."""
    return "\n".join((title, title, *people, "Abstract\n\nWe slip copies of the state into gaps of the memory bus.\n"))


DAY_OF_2019 = (
    "IEEE Cluster 2019 Program\n\nMonday, September 23rd\n\n9:00am-10:30am\n\nTop Papers\nKiva\nZoe Gran\n"
    f"{talk('Tides in 3 Steps', 'Ada Quill, Bo Ferns')}\n10:30am-11:00am\n\nBreak\nKiva\n\n11:00am-12:30pm\n\n"
    f"Stores\nKiva\nIda Moss\n{talk('Slow Stores', 'Ada Quill')}\n6:30pm-9:30pm\n\n"
)


@pytest.mark.parametrize(
    ("lines", "room"),
    [
        ("Conference Banquet\nOther", "Other"),
        ("Conference Banquet\nOther\nConference Banquet", "Other"),
        ("Conference Banquet\nKiva\nConference Banquet\n\nBuses leave at six from the lobby of the hotel.", "Kiva"),
        ("Opening Reception\nMesa Room\nOpening Reception", "Mesa Room"),
    ],
)
def test_items_with_their_event(lines: str, room: str) -> None:
    """An item whose event has the same title is one record; "Other" is a room where sessions have no types."""
    records = [each for each in parse_text("cluster", DAY_OF_2019 + lines).records if each.kind == "social"]
    assert [(each.title, [slot.room for slot in each.slots or ()]) for each in records] == [
        (lines.partition("\n")[0], [room])
    ]


def test_an_item_in_each_room() -> None:
    """The same item in two rooms is printed twice."""
    records = parse_text("cluster", f"{DAY_OF_2019}Reception\nMesa Room\nReception\nQuay Room").records[-2:]
    assert [[slot.room for slot in each.slots or ()] for each in records] == [["Mesa Room"], ["Quay Room"]]


@pytest.mark.parametrize(
    ("heading", "people"),
    [
        ("Special address: Tim Ferns", ["Tim Ferns"]),
        ("Invited Talk 2: Tim Ferns (Mole Lab)", ["Tim Ferns"]),
        ("Plenary lecture: Tim Ferns", ["Tim Ferns"]),
        ("Invited Talk: Storage Systems", []),
    ],
)
def test_speakers_in_titles_of_sessions(heading: str, people: list[str]) -> None:
    """A single talk without authors is that of the speaker in the title of its session."""
    records = parse_text(
        "cluster", f"{DAY_OF_2019}{heading}\nKiva\nChair: Ida Moss\n{talk('25 Years of Tides')}"
    ).records
    assert [(each.title, [who.name for who in each.authors or ()]) for each in records[-1:]] == [
        ("25 Years of Tides", people)
    ]
