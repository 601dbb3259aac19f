"""Slots of the programme at a glance whose lines lack what others show: rooms, labels, abstracts, titles."""

import pytest

from parsers._contract import DumpError
from parsers.cluster.glued_rooms import shared_rooms
from pipeline.parse import Parsed
from schemas.items import Person, Record
from tests.helpers import parse_text

DAY = "Tuesday, September 11\n"
ABSTRACT = "Abstract\nWe describe a store that keeps small objects near the readers.\n"


def parsed(text: str) -> Parsed:
    """Parse the slots of one day."""
    return parse_text("cluster", DAY + text)


def places(records: tuple[Record, ...]) -> list[tuple[str | None, str | None, str | None, tuple[Person, ...] | None]]:
    """Return titles, and where and under whom they are."""
    return [
        (record.title, record.session_title, record.slots[0].room if record.slots else None, record.chairs)
        for record in records
    ]


def test_labelled_items_without_rooms() -> None:
    """A label begins an item of its own where neither room nor chair stands between it and the one above."""
    found = parsed("07:00 am PT\nWorkshop: Quiet Stores (QS)\nTutorial: Ropes\nPanel: Whose Files?\n")
    assert [(record.kind, record.title, record.session_description) for record in found.records] == [
        ("workshop", "Workshop: Quiet Stores (QS)", None),
        ("tutorial", "Tutorial: Ropes", None),
        ("panel", "Panel: Whose Files?", None),
    ]


@pytest.mark.parametrize("talk", ["{0}\n{0}\nAnn One (Plum)\n" + ABSTRACT, "{0}\n"])
def test_session_below_talks_in_a_room_of_its_own(talk: str) -> None:
    """A session below the talks of another is told by the name below its room, where bare chairs stand so."""
    first = "9:00-9:50\nStores\nDock\nBea Sorn\n" + talk.format("Small Files")
    second = "10:00-10:50\nRopes\nDock\nCal Tern\n" + talk.format("Long Ropes")
    beside = "Networks\nMast Deck\nDag Ohm\n" + talk.format("Tidal Links")
    found = parsed(first + second + beside)
    assert places(found.records) == [
        ("Small Files", "Stores", "Dock", (Person("Bea Sorn"),)),
        ("Long Ropes", "Ropes", "Dock", (Person("Cal Tern"),)),
        ("Tidal Links", "Networks", "Mast Deck", (Person("Dag Ohm"),)),
    ]
    assert found.rejects == ()


def test_keynote_without_abstract_above_its_chair() -> None:
    """The name below the title of a keynote is its speaker, though the chair stands right below."""
    other = "8:00-8:50\nStores\nDock\nChair: Cal Tern\nSmall Files\nSmall Files\nAnn One\n" + ABSTRACT
    keynote = (
        "9:00-9:50\nKeynote: Tides\nDock\nTides: Past and Next\nTides: Past and Next\nAda Quill\nChair: Bea Sorn\n"
    )
    talk = parsed(other + keynote).records[-1]
    assert (talk.kind, talk.title, talk.authors, talk.chairs) == (
        "keynote",
        "Tides: Past and Next",
        (Person("Ada Quill"),),
        (Person("Bea Sorn"),),
    )


def test_keynote_printed_once_above_its_chair() -> None:
    """A title that begins as the heading of the keynote above it is that of its talk, where titles stand once."""
    other = "8:00-8:50\nStores\nDock\nChair: Cal Tern\nSmall Files\n"
    keynote = "9:00-9:50\nKeynote: Tides\nDock\nTides: Past and Next\nChair: Bea Sorn\n"
    found = parsed(other + keynote)
    assert places(found.records)[1:] == [("Tides: Past and Next", "Keynote: Tides", "Dock", (Person("Bea Sorn"),))]
    assert found.records[-1].kind == "keynote"


def test_room_whose_title_was_lost() -> None:
    """A room of the page at the head of a slot is no item: the title above it was a link that the extractor lost."""
    tutorials = "[Tutorial] Ropes\nDock\n[Tutorial] Sails\nQuay\n"
    found = parsed(f"9:00-9:50\n{tutorials}10:00-10:50\nDock\n[Tutorial] Sails\nQuay\n11:00-11:50\n{tutorials}")
    assert [record.title for record in found.records] == ["Ropes", "Sails", "Sails", "Ropes", "Sails"]
    assert [reject.text for reject in found.rejects] == ["Dock"]


def test_types_that_end_sessions() -> None:
    """A type such as ``Social Event`` at the end of a session is neither an item nor a chair."""
    papers = "9:00-9:50\nStores\nDock\nBea Sorn\nSmall Files\nSmall Files\nAnn One\n" + ABSTRACT + "Plenary, Paper\n"
    found = parsed(
        papers + "18:00-20:00\nPosters & Wine\nDock\nPoster, Social Event\n20:00-22:00\nBanquet\nQuay\nSocial Event\n"
    )
    assert places(found.records)[1:] == [
        ("Posters & Wine", None, "Dock", None),
        ("Banquet", None, "Quay", None),
    ]


@pytest.mark.parametrize("zone", ["Pacific Time (PT)", "PT", "Central European Summer Time (CEST)"])
def test_zone_in_brackets(zone: str) -> None:
    """A remark on the time zone is boilerplate, also with the abbreviation behind it."""
    found = parsed(f"9:00-9:50\nLunch\nAll times are {zone}.\n")
    assert (len(found.records), found.rejects) == (1, ())


@pytest.mark.parametrize(
    "text",
    [
        "8:00 - Airport\n10:00 - Airport\n17:30 - Hotel\n",
        "8:00 - Airport\n17:30 - Hotel\nRoom rates\nRoom: Standard $189\n",
        "The program is online.\n9:00am\nRegistration is open.\n",
    ],
)
def test_times_of_a_bus_are_refused(text: str) -> None:
    """Days and times of which nothing says that they are a programme's are none."""
    with pytest.raises(DumpError, match="declined"):
        parsed(text)


def test_items_of_two_kinds_on_a_page_without_rooms() -> None:
    """What names an item of another kind is the next item, not the room of the one above, where no rooms stand."""
    found = parsed("8:00-9:00\nOpening\n14:00-15:00\nPoster Session\nVirtual Social Hour\n")
    assert [(record.kind, record.title) for record in found.records] == [
        ("ceremony", "Opening"),
        ("poster_session", "Poster Session"),
        ("social", "Virtual Social Hour"),
    ]


def test_keynote_whose_title_is_to_come() -> None:
    """A placeholder that stands twice above ``Abstract`` is a title as any other; below it stands the speaker."""
    (talk,) = parsed(
        "9:00-9:50\nKeynote II\nGreat Hall\nChair: Bea Sorn\nTBD\nTBD\nAda Quill (Plum)\nAbstract\nTBD\n"
    ).records
    assert (talk.kind, talk.title, talk.authors, talk.abstract) == (
        "keynote",
        "TBD",
        (Person("Ada Quill", "Plum"),),
        None,
    )


def test_title_that_begins_with_a_formula() -> None:
    """A formula begins a title too, where titles stand once."""
    found = parsed("9:00-9:50\nSession (1) Stores\nDock\nChair: Bea Sorn\nSmall Files\n$O(1)$ Lookup of Files\n")
    assert [record.title for record in found.records] == ["Small Files", "$O(1)$ Lookup of Files"]


@pytest.mark.parametrize(
    ("chairs", "names"),
    [
        ("Bea Sorn (Plum / Quay) / Cal Tern (Orb)", [("Bea Sorn", "Plum / Quay"), ("Cal Tern", "Orb")]),
        ("Bea Sorn / Cal Tern", [("Bea Sorn", None), ("Cal Tern", None)]),
        ("Bea Sorn, PLUM / QUAY", [("Bea Sorn", "PLUM / QUAY")]),
    ],
)
def test_slash_between_chairs(chairs: str, names: list[tuple[str, str | None]]) -> None:
    """A slash parts chairs, and institutions of one chair."""
    record = parsed(f"9:00-9:50\nSession (1) Stores\nDock\nChair: {chairs}\n10:00-10:50\nLunch\n").records[0]
    assert [(person.name, person.affiliation) for person in record.chairs or ()] == names


@pytest.mark.parametrize("line", ["Ann One, Jr. (Plum), Bo Two (Plum)", "Ann One, Jr., and Bo Two (Plum)"])
def test_suffix_behind_a_comma(line: str) -> None:
    """``Jr.`` is no author of its own."""
    slot = f"9:00-9:50\nSession (1) Stores\nGreat Hall\nSmall Files\nSmall Files\n{line}\n{ABSTRACT}"
    (record,) = parsed(slot).records
    assert record.authors == (Person("Ann One, Jr.", "Plum"), Person("Bo Two", "Plum"))


def test_slot_whose_lines_take_turns_like_rooms_and_titles() -> None:
    """A session above its room and a bare chair is no box of rooms above titles, though a talk is of a workshop."""
    day = "9:00-9:50\nStores\nDock\nBea Sorn\nSmall Files\n10:00-10:50\nRopes\nDock\nCal Tern\nTutorial Mode: A Study\n"
    assert places(parsed(day).records) == [
        ("Small Files", "Stores", "Dock", (Person("Bea Sorn"),)),
        ("Tutorial Mode: A Study", "Ropes", "Dock", (Person("Cal Tern"),)),
    ]


def test_talk_above_the_session_beside_it() -> None:
    """The last talk of a session is no title of one, though the room below the next title reads as a name."""
    slots = "9:00-9:50\nStores\nPentland West\nBea Sorn\nSmall Files\nRopes\nPentland West\nAli ben Tern\nLong Ropes\n"
    more = "10:00-10:50\nSails\nPentland West\nDag Ohm\nWet Sails\n"
    assert places(parsed(slots + more).records) == [
        ("Small Files", "Stores", "Pentland West", (Person("Bea Sorn"),)),
        ("Long Ropes", "Ropes", "Pentland West", (Person("Ali ben Tern"),)),
        ("Wet Sails", "Sails", "Pentland West", (Person("Dag Ohm"),)),
    ]


def test_session_below_titles_that_stand_once() -> None:
    """Where titles stand once, room and chair below a line tell that it is the title of the next session."""
    first = "9:00-9:50\nStores\nSaal A\nChair: Bea Sorn\nSmall Files\nLarge Files, Small Stores\n"
    found = parsed(f"{first}Ropes\nSaal B\nChairs: Cal Tern, Dag Ohm\nLong Ropes\n10:00-10:50\nLunch\n")
    assert places(found.records)[:3] == [
        ("Small Files", "Stores", "Saal A", (Person("Bea Sorn"),)),
        ("Large Files, Small Stores", "Stores", "Saal A", (Person("Bea Sorn"),)),
        ("Long Ropes", "Ropes", "Saal B", (Person("Cal Tern"), Person("Dag Ohm"))),
    ]


def test_rooms_of_glued_cells() -> None:
    """Words that end the headings of several sessions are their room; a word in front is, where it stands so alone."""
    heads = ["Stores Mesa A", "Knots and Ropes Mesa A", "Tidal Systems Dock", "Old Systems Pier Dock", "Sails Mesa B"]
    assert shared_rooms([*heads, "Masts Mesa B", "Quays Great Hall", "Files Great Hall"]) == {
        "Mesa A",
        "Mesa B",
        "Dock",
        "Great Hall",
    }
    assert shared_rooms(["Stores", "Knots and Ropes", "Small Stores", "Old Sails", "Quays", "Masts", "Tides"]) == set()


def test_glued_cell_with_rooms_that_come_again() -> None:
    """Where headings end alike, title and room of a session are parted; chairs and codes stand with them."""
    talk = "{0}   {0}  Ann One (Plum) Abstract We describe {0} and what became of it in the end. "
    sessions = "".join(
        f"{9 + place}:00-{9 + place}:50 Session ({place}) {title} Great Hall Chair: Bea Sorn (Plum)  "
        + talk.format(f"A Study of {title}")
        for place, title in enumerate(("Stores", "Ropes and Sails"), 1)
    )
    records = parse_text("cluster", f"| September 18 {sessions}").records
    assert [(record.session_code, *place) for record, place in zip(records, places(records), strict=True)] == [
        ("1", "A Study of Stores", "Stores", "Great Hall", (Person("Bea Sorn", "Plum"),)),
        ("2", "A Study of Ropes and Sails", "Ropes and Sails", "Great Hall", (Person("Bea Sorn", "Plum"),)),
    ]


@pytest.mark.parametrize("title", ["Session (3) Ropes,|Sails and Tides", "Session 3: Ropes and|Sails"])
def test_title_that_goes_on_behind_an_open_end(title: str) -> None:
    """A comma or a small word ends no title of a session: it goes on in the line below."""
    box = (
        "<div class='timeslot'><h3 class='session-time'>9:00-9:50</h3><div class='program-session'>"
        "<div class='session-title'>{}</div><div class='room-name'>Dock</div></div></div>"
    )
    page = (
        f"<table id='program-table'><tr><td><h2 class='section-title'>Tuesday, September 11</h2>{box}</td></tr></table>"
    )
    of_page = parse_text("cluster", page.format(title.replace("|", "<br>"))).records
    of_text = parsed(f"9:00-9:50\n{title}\nGreat Hall\n".replace("|", "\n")).records
    whole = title.partition(" ")[2].split(" ", 1)[1].replace("|", " ")
    assert ([record.title for record in of_page], [record.title for record in of_text]) == ([whole], [whole])
