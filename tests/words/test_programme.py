"""Helpers shared by programmes: years, days and slots, decorations, kinds, sessions and their talks."""

from datetime import date, datetime, time
from typing import Any

import pytest

from parsers._ledger.document import Document, Facts
from parsers._words.dates import DAY_END
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.titles import BareTitle, kind_of_item, kind_of_own_title, kind_of_talk, read_heading, split_track
from parsers._words.years import Day, Year, date_of, event_of, find_years, resolve_year
from schemas.items import Person, Record, Slot
from tests.support.cost import LIMIT, growth

# June 17th is a Wednesday in 2020 and 2026, a Tuesday in 2025 and a Monday in 2024.
WEDNESDAY = Day(3, 6, 17, 2)
TUESDAY = Day(3, 6, 17, 1)
MONDAY = Day(3, 6, 17, 0)
UNNAMED = Day(3, 6, 17)
INFERRED = ("year_inferred",)
UNKNOWN = Year(None, ("year_unknown",))
SESSION = Slot(datetime(2026, 6, 17, 9), datetime(2026, 6, 17, 10, 30), "Hall")
NIGHT = Slot(datetime(2026, 6, 17, 22), datetime(2026, 6, 18, 1), "Bar")


def document(text: str = "x", path: str = "fair/dump.txt", **facts: Any) -> Document:
    """Make a document."""
    return Document.from_bytes(path, text.encode(), Facts(**facts))


def talk(starts: time | None = None, ends: time | None = None) -> Talk:
    """Make a talk with nothing but times."""
    return Talk(line_start=1, line_end=2, title="Hay", starts=starts, ends=ends)


def times(slot: Slot | None, *starts: time | None) -> list[tuple[Slot | None, tuple[str, ...]]]:
    """Return slot and notes of talks that start at the given times in a session of the given slot."""
    records = talk_records(Session(slot=slot), [talk(start) for start in starts])
    return [(record.slots[0] if record.slots else None, record.notes) for record in records]


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    """Make a moment of June 2026."""
    return datetime(2026, 6, day, hour, minute)


# Years


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("LANTERN2026 was 2025, is 2026", [2026, 2025]),
        ("fair/x1999y_2001.txt", [1999, 2001]),
        ("20260617 12024 20255 1899 2100", []),
    ],
)
def test_years_named_in_a_text(text: str, years: list[int]) -> None:
    """Years from 1900 to 2099, each once and in order of appearance; letters may touch them, digits may not."""
    assert find_years(text) == years


@pytest.mark.parametrize("day", [WEDNESDAY, TUESDAY, MONDAY, UNNAMED])
def test_sidecar_year_stands(day: Day) -> None:
    """The sidecar's year is taken without a note, whatever the weekdays say."""
    given = document("In 2024 and 2025", "fair/2024.txt", year=2026, captured_at=datetime(2024, 1, 1))
    assert resolve_year(given, [day], [2025]) == Year(2026)


@pytest.mark.parametrize(
    ("day", "year"),
    [(WEDNESDAY, 2026), (TUESDAY, 2025), (MONDAY, 2024), (UNNAMED, 2026), (Day(3, 6, 17, 6), 2018)],
)
def test_first_year_that_agrees_with_the_weekdays_wins(day: Day, year: int) -> None:
    """Candidates are capture time, page, path and text; the first that fits the weekday wins, else the first."""
    given = document("since 2018", "fair/2024.txt", captured_at=datetime(2026, 1, 1))
    assert resolve_year(given, [day], [2025]) == Year(year, INFERRED)


@pytest.mark.parametrize(
    ("facts", "in_page", "path", "text", "year"),
    [
        ({"captured_at": datetime(2020, 1, 1)}, [2026], "fair/2026.txt", "2026", 2020),
        ({}, [2020, 2026], "fair/2026.txt", "2026", 2020),
        ({}, [], "fair/2020/2026.txt", "2026", 2020),
        ({}, [], "fair/x2020y.txt", "2026", 2020),
        ({}, [], "fair/dump.txt", "2020, not 2026", 2020),
        ({}, [], "fair/dump.txt", "since 2021", 2020),
    ],
    ids=["captured_at", "page", "folder", "file", "text", "year-before"],
)
def test_order_of_years_that_agree(facts: dict[str, Any], in_page: list[int], path: str, text: str, year: int) -> None:
    """If several years fit the weekday, the one found in the first place wins."""
    assert resolve_year(document(text, path, **facts), [WEDNESDAY], in_page) == Year(year, INFERRED)


def test_every_weekday_is_asked() -> None:
    """A year that fits both days wins over one that fits only one."""
    leap_day = Day(9, 2, 29, 5)  # a Saturday in 2020; 2026 has none
    assert resolve_year(document(), [WEDNESDAY, leap_day], [2026, 2020]) == Year(2020, INFERRED)


def test_where_no_year_agrees_with_all_the_best_one_stands() -> None:
    """A single wrong weekday does not change the year: the year that fits most days is taken."""
    days = [WEDNESDAY, Day(9, 6, 18, 3), Day(12, 6, 19, 0)]
    assert resolve_year(document(), days, [2025, 2026]) == Year(2026, INFERRED)


def test_a_named_year_stands_against_the_weekdays() -> None:
    """If no year fits, the first one of page or path is taken."""
    assert resolve_year(document("no year"), [Day(3, 6, 17, 6)], [2025, 2026]) == Year(2025, INFERRED)


@pytest.mark.parametrize("day", [UNNAMED, MONDAY, Day(3, 6, 17, 2, 2026)])
def test_a_year_in_the_text_needs_a_weekday(day: Day) -> None:
    """A year found only in the text counts only if a weekday confirms it."""
    assert resolve_year(document("founded 2026"), [day], []) == UNKNOWN


@pytest.mark.parametrize("days", [[], [WEDNESDAY]])
def test_no_year_at_all(days: list[Day]) -> None:
    """The year is unknown: neither clock nor file time is used."""
    assert resolve_year(document("no year"), days, []) == UNKNOWN


def test_days_that_print_their_year_do_not_vote() -> None:
    """Only days without a year help to find it."""
    assert resolve_year(document(), [Day(3, 6, 17, 1, 2025)], [2026]) == Year(2026, INFERRED)


# Days


@pytest.mark.parametrize(
    ("year", "facts"),
    [(2026, {}), (2025, {}), (2025, {"year": 2025})],
)
def test_a_programme_over_new_year(year: int, facts: dict[str, Any]) -> None:
    """Days of December and January get two consecutive years, whichever of the two is known."""
    days = [Day(1, 12, 30, 1), Day(2, 12, 31, 2), Day(3, 1, 1, 3)]
    found = resolve_year(document(**facts), days, [year])
    assert [date_of(day, found)[0] for day in days] == [date(2025, 12, 30), date(2025, 12, 31), date(2026, 1, 1)]


def test_a_year_of_months_does_not_turn() -> None:
    """January and December with other months between them are in the same year."""
    days = [Day(1, 1, 1), Day(2, 6, 17), Day(3, 12, 31)]
    found = resolve_year(document(), days, [2026])
    assert [date_of(day, found)[0] for day in days] == [date(2026, 1, 1), date(2026, 6, 17), date(2026, 12, 31)]


@pytest.mark.parametrize(
    ("day", "year", "expected"),
    [
        (WEDNESDAY, Year(2026), (date(2026, 6, 17), ())),
        (UNNAMED, Year(2026, INFERRED), (date(2026, 6, 17), INFERRED)),
        (WEDNESDAY, Year(2025), (date(2025, 6, 17), ("weekday_disagrees",))),
        (WEDNESDAY, Year(2025, INFERRED), (date(2025, 6, 17), ("year_inferred", "weekday_disagrees"))),
        (Day(3, 2, 30), Year(2026), (None, ("date_invalid",))),
        (Day(3, 2, 30, 0), Year(2026, INFERRED), (None, ("year_inferred", "date_invalid"))),
        (Day(3, 2, 29), Year(2024), (date(2024, 2, 29), ())),
        (WEDNESDAY, UNKNOWN, (None, ("year_unknown",))),
        (Day(3, 6, 17, 1, 2025), UNKNOWN, (date(2025, 6, 17), ())),
        (Day(3, 6, 17, 1, 2025), Year(2026, INFERRED), (date(2025, 6, 17), ())),
        (Day(3, 2, 30, None, 2025), Year(2026), (None, ("date_invalid",))),
    ],
)
def test_dates(day: Day, year: Year, expected: tuple[date | None, tuple[str, ...]]) -> None:
    """A printed year wins; a nonexistent day is None; a wrong weekday gives a note, and the date stays."""
    assert date_of(day, year) == expected


@pytest.mark.parametrize(
    ("facts", "printed", "series", "year", "expected"),
    [
        ({"event": "FAIR 2026"}, "The Fair", "Fair", Year(2025), ("FAIR 2026", ())),
        ({}, "The Fair", "Fair", Year(2025), ("The Fair", ())),
        ({}, None, "Fair", Year(2025), ("Fair 2025", ("event_inferred",))),
        ({}, None, "Fair", UNKNOWN, (None, ())),
        ({}, None, None, Year(2025), (None, ())),
    ],
)
def test_events(
    facts: dict[str, Any], printed: str | None, series: str | None, year: Year, expected: tuple[str | None, Any]
) -> None:
    """The sidecar's event, else the printed one, else series and year with a note, else None."""
    assert event_of(document(**facts), printed, series, year) == expected


# Slots


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        (time(9), time(10), (Slot(at(17, 9), at(17, 10), "R"), ())),
        (time(9), None, (Slot(at(17, 9), None, "R"), ())),
        (time(17), time(6), (Slot(at(17, 17), at(18, 6), "R"), ())),
        (time(20), time(0), (Slot(at(17, 20), at(18), "R"), ())),
        (time(8), DAY_END, (Slot(at(17, 8), at(18, 0), "R"), ())),
        (time(23), DAY_END, (Slot(at(17, 23), at(18, 0), "R"), ())),
        (time(16, 59), time(6), (Slot(at(17, 16, 59), None, "R"), ("end_before_start",))),
        (time(17), time(6, 1), (Slot(at(17, 17), None, "R"), ("end_before_start",))),
        (time(9), time(9), (Slot(at(17, 9), None, "R"), ("end_before_start",))),
        (time(1), time(0), (Slot(at(17, 1), None, "R"), ("end_before_start",))),
        (None, time(10), (Slot(room="R"), ())),
    ],
)
def test_slots(starts: time | None, ends: time | None, expected: tuple[Slot, tuple[str, ...]]) -> None:
    """From 17:00 on, an end by 06:00 is on the next day; any other end before the start is dropped."""
    assert make_slot(date(2026, 6, 17), starts, ends, "R") == expected


def test_a_slot_without_a_day() -> None:
    """Without a day the slot has only a room; without a room there is no slot."""
    assert (make_slot(None, time(9), time(10), "R"), make_slot(None, time(9), time(10))) == (
        (Slot(room="R"), ()),
        (None, ()),
    )


def test_a_night_at_the_end_of_the_year() -> None:
    """The day after December 31 is in the next year."""
    assert make_slot(date(2026, 12, 31), time(22), time(2))[0] == Slot(
        datetime(2026, 12, 31, 22), datetime(2027, 1, 1, 2)
    )


# Headings


@pytest.mark.parametrize(
    ("text", "title", "tag", "notes"),
    [
        (" Hay ", "Hay", None, ()),
        ("[Tutorial] Hay", "Hay", "tutorial", ()),
        ("[WORKSHOP]Hay", "Hay", "workshop", ()),
        ("[Demo] Hay", "[Demo] Hay", None, ()),
        ("Hay [Tutorial]", "Hay [Tutorial]", None, ()),
        ("Hay (agenda)", "Hay", None, ()),
        ("Hay ( Agenda ) [slide] (abstract) [Slides]", "Hay", None, ()),
        ("Hay (abstract, PDF)", "Hay", None, ()),
        ("Hay ( paper , slides, video )", "Hay", None, ()),
        ("Hay (Video)", "Hay (Video)", None, ()),
        ("Hay (an abstract)", "Hay (an abstract)", None, ()),
        ("The (agenda) of hay", "The (agenda) of hay", None, ()),
        ("[Tutorial] Hay (agenda)", "Hay", "tutorial", ()),
        ("CANCELLED: Hay", "Hay", None, ("cancelled",)),
        ("Canceled - Hay", "Hay", None, ("cancelled",)),
        ("[CANCELLED] Hay", "Hay", None, ("cancelled",)),
        ("(cancelled) Hay (and straw)", "Hay (and straw)", None, ("cancelled",)),
        ("Hay (cancelled)", "Hay", None, ("cancelled",)),
        ("Hay [CANCELED]", "Hay", None, ("cancelled",)),
        ("Hay (and straw) - cancelled", "Hay (and straw)", None, ("cancelled",)),
        ("[CANCELLED] [Tutorial] Hay", "Hay", "tutorial", ("cancelled",)),
        ("[Tutorial] Hay (cancelled)", "Hay", "tutorial", ("cancelled",)),
        ("[Tutorial] CANCELED Hay", "Hay", "tutorial", ("cancelled",)),
        ("Canceled Hay", "Hay", None, ("cancelled",)),
        ("Hay CANCELLED", "Hay", None, ("cancelled",)),
        ("[WITHDRAWN] Hay", "Hay", None, ("cancelled",)),
        ("Withdrawn: Hay", "Hay", None, ("cancelled",)),
        ("Hay (withdrawn)", "Hay", None, ("cancelled",)),
        ("Cancelled", "Cancelled", None, ()),
        ("Cancelled jobs and hay", "Cancelled jobs and hay", None, ()),
        ("Withdrawn Hay", "Withdrawn Hay", None, ()),
        ("Why hay is withdrawn", "Why hay is withdrawn", None, ()),
        ("Why carts get cancelled?", "Why carts get cancelled?", None, ()),
        ("How cancelled jobs wait", "How cancelled jobs wait", None, ()),
        ("Uncancelled", "Uncancelled", None, ()),
        ("Hay (", "Hay", None, ()),
    ],
)
def test_decorations_of_a_heading(text: str, title: str, tag: str | None, notes: tuple[str, ...]) -> None:
    """Tags, leftovers of links and the mark of a cancelled item are cut off the ends of a title, and nothing else."""
    assert read_heading(text) == BareTitle(title, tag, notes)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Track 2.1: Hay", ("Track 2.1", "Hay")),
        ("TRACK A \u2013 Hay: a view", ("TRACK A", "Hay: a view")),
        ("Track 3 - Hay", ("Track 3", "Hay")),
        ("Track 3-2: Hay", ("Track 3-2", "Hay")),
        ("Track 3-2026: Hay", ("Track 3", "2026: Hay")),
        ("Track 3", (None, "Track 3")),
        ("Track 3: ", (None, "Track 3: ")),
        ("Fast Track: Hay", (None, "Fast Track: Hay")),
        ("Tracking: Hay", (None, "Tracking: Hay")),
        ("Hay", (None, "Hay")),
    ],
)
def test_tracks(title: str, expected: tuple[str | None, str]) -> None:
    """A track at the start of a title is split off if a title follows."""
    assert split_track(title) == expected


# Kinds


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Keynote Dinner Talk", "keynote"),
        ("Welcome and Keynote I", "keynote"),
        ("Cluster 2019 presentation and Keynote III", "keynote"),
        ("Welcome Reception", "social"),
        ("Poster Session and Conference Reception", "social"),
        ("Conference Banquet", "social"),
        ("Lunch and Excursion", "social"),
        ("Ice Cream Social", "social"),
        ("Coffee Break and Poster Session", "break"),
        ("Coffee with the Panel", "break"),
        ("Short Break w/o Coffee", "break"),
        ("Tea/Coffee", "break"),
        ("Student Networking Lunch", "break"),
        ("Lunch on your own", "break"),
        ("Breakfast for Newcomers", "break"),
        ("End of Day Break", "break"),
        ("Lunch", "break"),
        ("Breakfast", "break"),
        ("Tea", "break"),
        ("BREAK", "break"),
        ("CONFERENCE POSTERS + STUDENT POSTERS", "poster_session"),
        ("Late-Breaking Posters", "poster_session"),
        ("Panel Discussion", "panel"),
        ("Opening", "ceremony"),
        ("Cluster 2022 Opening", "ceremony"),
        ("Opening of Euro-Par 2025", "ceremony"),
        ("Chairs’ Welcome", "ceremony"),
        ("Award and Closing Session", "ceremony"),
        ("Best Paper Awards and Closing", "ceremony"),
        ("Award Ceremony and Cluster 2023 Presentation", "ceremony"),
        ("Announcements, Cluster 2022 Preview, and Best Paper Award Announcement", "ceremony"),
        ("Registration", "session"),
        ("Best Paper Candidates", "session"),
        ("Breakout Groups", "session"),
    ],
)
def test_kind_of_an_item_without_talks(title: str, kind: str) -> None:
    """The first of these kinds named by the title wins: keynote, social, break, posters, panel, ceremony, session."""
    assert kind_of_item(title) == kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Keynote (1): Ada Quill", "keynote"),
        ("Keynote 3: Coffee", "keynote"),
        ("Networking Dinner — Old Brewery", "social"),
        ("Drinks Reception & Self-Guided Tours, Quill Gallery, Queen’s University", "social"),
        ("Banquet at the Ship Museum", "social"),
        ("Conference Banquet in the Old Turbine Hall B (19:00 - 23:00)", "social"),
        ("Excursion to the Mill and Dinner", "social"),
        ("Dinner @ The Mill", "social"),
        ("Lunch (on your own)", "break"),
        ("Lunch [Mill House] and Coffee", "break"),
        ("Lunch, sponsored by Ropes and Sons", "break"),
        ("Lunch by Ropes and Sons", "break"),
        ("Lunch: 12:30-13:30", "break"),
        ("12:30 Lunch", "break"),
        ("Day 2 – Coffee Break", "break"),
        ("Student Job Fair Lunch (inc. Supporter Companies)", "break"),
        ("(Coffee Break)", "break"),
        ("Posters: Panel's Choice", "poster_session"),
        ("Poster session: Coffee Ropes", "poster_session"),
        ("Poster Indexing (30 min)", "poster_session"),
        ("Posters in the Yard (ADHS)", "poster_session"),
        ("Panel: Novel Hardware is Good", "panel"),
        ("Panel: Opening the Stack", "panel"),
        ("Panel: Coffee or Tea?", "panel"),
        ("STUDENT PROGRAM: PANEL ON CAREER PLANNING", "panel"),
        ("Tutorial: Sailing", "tutorial"),
        ("Workshop (2): Lunch", "workshop"),
        ("Welcome to the Fair", "ceremony"),
        ("Grab your lunch break", "break"),
        ("Enjoy lunch on your own", "break"),
        ("Mittagspause", "break"),
        ("Cash bar at the Copper House", "social"),
        ("Invited Talk by Ada Quill", "keynote"),
        ("Distinguished Lecture", "keynote"),
        ("(Panel) Whose Files?", "panel"),
        ("[Panel] Whose Files?", "panel"),
        ("Careers in Ropes Panel", "panel"),
        ("Careers in Ropes Panel: Who Pulls?", "panel"),
        ("Women in Ropes Coffee Break", "break"),
        ("Rye and Friends Welcome Reception", "social"),
        ("Rye Opening Remarks", "ceremony"),
        ("Opening remarks – Ada Quill", "ceremony"),
    ],
)
def test_what_may_follow_the_words_of_a_kind(title: str, kind: str) -> None:
    """After the words of a kind a sign, place, sponsor or subject may follow; a label alone is enough."""
    assert kind_of_item(title) == kind


@pytest.mark.parametrize(
    "title",
    [
        "Breaking Ciphers: Break and Repair",
        "Opening the Black Box of Models",
        "Possibilities for democratic social change",
        "Dinner-table Debates in Parliament",
        "Breaking the I/O Barrier",
        "Breaks in Trust",
        "Social Networks",
        "Social, Mobile, and Green Computing",
        "Social, Economic & Legal Sides of Models",
        "Closing the Gap: Memory at Lunch",
        "Awards and Incentives of Crowds",
        "Master Class on Poster Presentation",
        "Scaling Panel Data Methods",
        "Sensors of a Solar Panel",
        "Lifting the Front Panel",
        "Talks by Invited Machines",
        "Bread: The Panel",
        "(Panelling) Whose Walls?",
        "3D Panels",
        "Keynote-Scale Computing",
        "No Free Lunch",
        "Ropes: Lunch",
        "Teaching HPC",
        "Antisocial Threads",
        "Tutorial on Hay",
        "Steering Committee",
        "",
    ],
)
def test_a_topic_with_the_word_of_a_kind_is_a_session(title: str) -> None:
    """A word of a kind within another topic does not decide."""
    assert kind_of_item(title) == "session"


@pytest.mark.parametrize(
    ("title", "tag", "kind"),
    [
        ("Opening Remarks", None, "ceremony"),
        ("Opening the Box", None, None),
        ("Opening: The Box", None, None),
        ("Lunch Break", None, "break"),
        ("Keynote: Rye", None, "keynote"),
        ("Rye and Its Friends: Panel", None, None),
        ("Panel: Coffee or Tea?", None, "panel"),
        ("Careers in Ropes Panel", None, "panel"),
        ("Panel Data of Ropes", None, None),
        ("Poster Session", None, None),
        ("Rye", "tutorial", "tutorial"),
        ("Rye", None, None),
        (None, None, None),
    ],
)
def test_kind_that_the_title_of_a_talk_names(title: str | None, tag: str | None, kind: str | None) -> None:
    """A keynote or panel may be named anywhere in a talk's title, a break or ceremony only by the whole title."""
    assert kind_of_own_title(title, tag) == kind


@pytest.mark.parametrize("tag", ["tutorial", "workshop"])
def test_a_tag_says_what_an_item_is(tag: str) -> None:
    """The tag wins over the words of the title and over the class in the page."""
    assert kind_of_item("Keynote over Coffee", tag, break_class=True) == tag


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Registration", "break"),
        ("Conference Dinner", "social"),
        ("Panel", "panel"),
        ("Quill and Sons Reception", "social"),
        ("Tutorials", "break"),
    ],
)
def test_the_page_class_comes_last(title: str, kind: str) -> None:
    """An item with the page's class of a break is one, unless its title names another kind, even in part of it."""
    assert kind_of_item(title, break_class=True) == kind


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        ((), "paper"),
        ((None, None), "paper"),
        (("Session 2A: Grids", None), "paper"),
        (("Keynote 1", None), "keynote"),
        (("Invited", "KEYNOTES"), "keynote"),
        ((None, "Panel"), "panel"),
        (("Tutorials", "panel"), "panel"),
        (("Tutorial: Hay",), "tutorial"),
        (("Workshop on Hay",), "paper"),
        (("Solar Panelling",), "paper"),
        (("Coffee and Posters",), "paper"),
        (("Keynote (1): Ada Quill",), "keynote"),
        (("Invited Keynotes",), "keynote"),
        (("Keynote Talks",), "keynote"),
        (("Plenary Keynote",), "keynote"),
        (("Announcements and keynote II", None, "Plenary"), "keynote"),
        (("Ada Quill, Norwick", None, "Plenary, Keynote"), "keynote"),
        (("Hay", "tutorial"), "tutorial"),
        (("Tutorial on Hay",), "tutorial"),
        (("Half-Day Tutorials",), "tutorial"),
        (("Panel 2: Whose Hay?",), "panel"),
        (("Scaling Panel Data Methods",), "paper"),
        (("Tutorial Generation by Machines",), "paper"),
    ],
)
def test_kind_of_a_talk(headings: tuple[str | None, ...], kind: str) -> None:
    """The session's title or type can make a talk a keynote, panel or tutorial; otherwise it is a paper."""
    assert kind_of_talk(*headings) == kind


# Sessions and talks


def test_record_of_a_session_without_talks() -> None:
    """The record has all fields of the session, and its title."""
    chairs = (Person("Ann"),)
    session = Session(
        title="Lunch",
        code="3",
        track="T",
        description="d",
        chairs=chairs,
        event="E",
        slot=SESSION,
        notes=("b", "a", "b"),
    )
    assert item_record(session, 4, 5, "break") == Record(
        line_start=4,
        line_end=5,
        kind="break",
        title="Lunch",
        event="E",
        session_code="3",
        track="T",
        session_description="d",
        chairs=chairs,
        slots=(SESSION,),
        notes=("a", "b"),
    )


def test_record_of_a_bare_session() -> None:
    """A session without a slot gives a record without slots."""
    assert item_record(Session(), None, None, "session") == Record(line_start=None, line_end=None, kind="session")


def test_talks_inherit_what_their_session_says() -> None:
    """Fields and notes of the session are on every talk, beside the talk's own."""
    session = Session(
        title="Keynote", code="1", track="T", description="d", event="E", slot=SESSION, notes=("year_inferred",)
    )
    own = Talk(
        line_start=1,
        line_end=9,
        title="Hay",
        authors=(Person("Ann"),),
        presenter="Ann",
        abstract="a",
        native_id="7",
        url="https://e.example/7",
        notes=("cancelled", "year_inferred"),
    )
    assert talk_records(session, [own]) == [
        Record(
            line_start=1,
            line_end=9,
            kind="keynote",
            native_id="7",
            title="Hay",
            abstract="a",
            authors=(Person("Ann"),),
            presenter="Ann",
            event="E",
            session_code="1",
            session_title="Keynote",
            track="T",
            session_description="d",
            slots=(SESSION,),
            url="https://e.example/7",
            notes=("cancelled", "time_is_session", "year_inferred"),
        )
    ]


def test_kind_of_a_talk_goes_by_itself_then_session_then_type() -> None:
    """The talk's own kind wins, then the session's title, then its type."""
    own = Talk(line_start=1, line_end=1, title="Hay", kind="workshop")
    records = talk_records(Session(title="Keynote"), [own, talk()])
    assert ([record.kind for record in records], talk_records(Session(), [talk()], "Panel")[0].kind) == (
        ["workshop", "keynote"],
        "panel",
    )


def test_a_talk_with_a_start_ends_where_the_next_one_starts() -> None:
    """The last talk ends with the session; each talk has the note, and the room of the session."""
    assert times(SESSION, time(9), time(9, 30), time(10)) == [
        (Slot(at(17, 9), at(17, 9, 30), "Hall"), ("end_inferred",)),
        (Slot(at(17, 9, 30), at(17, 10), "Hall"), ("end_inferred",)),
        (Slot(at(17, 10), at(17, 10, 30), "Hall"), ("end_inferred",)),
    ]


def test_parallel_talks_end_together() -> None:
    """Talks that start together end where the next later one starts, not where their neighbour starts."""
    assert [slot.ends_at for slot, _ in times(SESSION, time(9), time(9), time(9, 30), time(9, 30)) if slot] == [
        at(17, 9, 30),
        at(17, 9, 30),
        at(17, 10, 30),
        at(17, 10, 30),
    ]


def test_talks_out_of_order_end_where_the_next_later_one_starts() -> None:
    """A talk ends when the next later one below it starts; an earlier one printed below does not end it."""
    assert [slot.ends_at for slot, _ in times(SESSION, time(9, 30), time(9), time(10)) if slot] == [
        at(17, 10),
        at(17, 10),
        at(17, 10, 30),
    ]


@pytest.mark.parametrize("starts", [(time(9, 30), time(9)), (time(9), time(9, 30), time(9))])
def test_the_last_of_talks_out_of_order_has_no_end(starts: tuple[time, ...]) -> None:
    """If a talk further up starts later than the last one, the end of the session is not its end."""
    assert times(SESSION, *starts)[-1] == (Slot(at(17, 9), None, "Hall"), ())


def test_talks_without_time_are_passed_over() -> None:
    """An untimed talk gets the session's slot with a note; the talk before it ends when the next timed one starts."""
    assert times(SESSION, time(9), None, time(10)) == [
        (Slot(at(17, 9), at(17, 10), "Hall"), ("end_inferred",)),
        (SESSION, ("time_is_session",)),
        (Slot(at(17, 10), at(17, 10, 30), "Hall"), ("end_inferred",)),
    ]


def test_talks_after_midnight_are_of_the_next_day() -> None:
    """In a session that ends on the next day, a time before its start is on the next day."""
    assert times(NIGHT, time(23), time(0, 15)) == [
        (Slot(at(17, 23), at(18, 0, 15), "Bar"), ("end_inferred",)),
        (Slot(at(18, 0, 15), at(18, 1), "Bar"), ("end_inferred",)),
    ]


def test_a_talk_before_its_session_stays_on_its_day() -> None:
    """In a session within one day, a time before its start is kept on that day, with a note."""
    notes = ("end_inferred", "time_outside_session")
    assert times(SESSION, time(8)) == [(Slot(at(17, 8), at(17, 10, 30), "Hall"), notes)]


def test_a_talk_after_the_end_of_its_session_has_no_end() -> None:
    """It gets no end before its start, but a note that one of the times may be wrong."""
    assert times(SESSION, time(10, 30), time(11)) == [
        (Slot(at(17, 10, 30), at(17, 11), "Hall"), ("end_inferred", "time_outside_session")),
        (Slot(at(17, 11), None, "Hall"), ("time_outside_session",)),
    ]


def test_a_session_without_end_leaves_its_last_talk_open() -> None:
    """If neither a later talk nor the session gives an end, there is none, and no note."""
    assert times(Slot(at(17, 9)), time(9)) == [(Slot(at(17, 9)), ())]


@pytest.mark.parametrize(("slot", "room"), [(None, None), (Slot(room="Hall"), "Hall")])
def test_talks_below_a_day_alone(slot: Slot | None, room: str | None) -> None:
    """Where a session has a day and no time, the times of its talks are on that day."""
    talks = [Talk(1, 1, "Hay", starts=time(9)), Talk(2, 2, "Clover", starts=time(10)), Talk(3, 3, "Frost")]
    found = talk_records(Session(slot=slot, day=date(2026, 6, 17)), talks)
    assert [(record.slots, record.notes) for record in found] == [
        ((Slot(at(17, 9), at(17, 10), room),), ("end_inferred",)),
        ((Slot(at(17, 10), None, room),), ()),
        ((slot,) if slot else None, ()),
    ]


@pytest.mark.parametrize(("slot", "expected"), [(None, None), (Slot(room="Hall"), Slot(room="Hall"))])
def test_a_session_without_time_gives_none(slot: Slot | None, expected: Slot | None) -> None:
    """Without a date no talk has a time, even a printed one; the room stays, and there is no note."""
    assert times(slot, time(9), None) == [(expected, ()), (expected, ())]


@pytest.mark.parametrize(
    ("starts", "ends", "expected", "notes"),
    [
        (time(9), time(9, 20), Slot(at(17, 9), at(17, 9, 20), "Hall"), ()),
        (time(9, 20), time(9), Slot(at(17, 9, 20), None, "Hall"), ("end_before_start",)),
    ],
)
def test_a_talk_with_its_own_interval(starts: time, ends: time, expected: Slot, notes: tuple[str, ...]) -> None:
    """A printed end wins over the next talk's start; an end before the start is dropped with a note."""
    record = talk_records(Session(slot=SESSION), [talk(starts, ends), talk(time(9, 5))])[0]
    assert (record.slots, record.notes) == ((expected,), notes)


def test_an_interval_past_midnight_in_a_night_session() -> None:
    """In a night session both ends of a talk's printed interval are put on the right day."""
    records = talk_records(Session(slot=NIGHT), [talk(time(23), time(0, 30)), talk(time(0, 30), time(1))])
    assert [record.slots for record in records] == [
        (Slot(at(17, 23), at(18, 0, 30), "Bar"),),
        (Slot(at(18, 0, 30), at(18, 1), "Bar"),),
    ]


@pytest.mark.untraced
def test_ends_are_found_in_linear_time() -> None:
    """Finding ends is linear, even for many talks that start together."""

    def find(size: int) -> int:
        return len(times(SESSION, *([time(9)] * size), time(9, 1), *([time(9)] * size)))

    assert find(10_000) == 20_001
    assert growth(find, 500) < LIMIT
