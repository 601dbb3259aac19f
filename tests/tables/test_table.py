"""Fields by table: ownership, counts, readers, and reporting of unread values."""

import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from parsers._ledger.data import Data
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError
from parsers._ledger.lines import Boilerplate, record_rule
from parsers._ledger.page import Page
from parsers._tables.keys import Keys, items_at, listed_at
from parsers._tables.readers import (
    address,
    clock_interval,
    duration,
    epoch_moment,
    heading_day,
    html_text,
    identifier,
    iso_day,
    iso_moment,
    link,
    listed,
    lists_by_name,
    person,
    plain_text,
    printed_day,
    time_zone,
    wall_clock,
)
from parsers._tables.selectors import TableError
from parsers._tables.table import Elements, Match, by_id, each, joined, many, maybe, one, read_elements
from parsers._web.web import OnePage, TargetError, Window, one_page
from parsers._words.dates import clock
from parsers._words.years import Day
from schemas.items import Link, Person, Reject

TALK = Elements("li", one("title", "b"), maybe("starts", "i", clock), many("tags", "u"), rule=record_rule("talk"))
SESSION = Elements("section", one("room", "::attr(data-room)"), maybe("title", "h2::text"))


def read(markup: str, *tables: Elements) -> tuple[list[Match | Reject], list[str]]:
    """Return what tables find in a page, and the unclaimed texts."""
    page = Page(f"<html><body>{markup}</body></html>")
    found = list(read_elements(page, *tables))
    return found, [span.text for span in page.account().unexplained]


def values(markup: str, *tables: Elements) -> list[Any]:
    """Return the values that tables find; for a reject its reason and detail."""
    return [one.values if isinstance(one, Match) else (one.reason, one.detail) for one in read(markup, *tables)[0]]


def test_fields_belong_to_the_nearest_element() -> None:
    """A talk inside a session is read by its own table and linked to the session."""
    markup = (
        "<section data-room=Pot><h2>Jams<small>new</small></h2><ul><li><b>Less Sugar</b><i>9:30</i><u>a</u><u>b</u>"
        "</li></ul></section><li><b>Toast</b></li>"
    )
    (session, talk, alone), left = read(markup, SESSION, TALK)
    assert isinstance(session, Match)
    assert isinstance(talk, Match)
    assert isinstance(alone, Match)
    assert (session.values, talk.inside, alone.inside) == ({"room": "Pot", "title": "Jams"}, session, None)
    assert talk.values == {"title": "Less Sugar", "starts": time(9, 30), "tags": ("a", "b")}
    assert talk.around() == {**session.values, **talk.values}
    assert (alone["starts"], alone["tags"], left) == (None, (), ["new"])


def test_flat_elements_own_what_follows() -> None:
    """On one level, a paragraph belongs to the heading above it, and an outer heading ends an inner one."""
    day = Elements("h1", one("day"), flat=True)
    room = Elements("h2", one("room"), maybe("seats", "em"), flat=True)
    talk = Elements("p", one("title"))
    found, left = read("<h1>Mon</h1><h2>Pot</h2><em>9</em><p>A</p><p>B</p><h1>Tue</h1><p>C</p>", day, room, talk)
    talks = [one.around() for one in found if isinstance(one, Match) and one.table is talk]
    assert talks == [
        {"day": "Mon", "room": "Pot", "seats": "9", "title": "A"},
        {"day": "Mon", "room": "Pot", "seats": "9", "title": "B"},
        {"day": "Tue", "title": "C"},
    ]
    assert left == []


def test_what_stands_in_a_rejected_element() -> None:
    """A talk in a rejected session is still read, without a session."""
    found, left = read("<section><h2>Jams</h2><ul><li><b>Toast</b></li></ul></section>", SESSION, TALK)
    reject, talk = found
    assert isinstance(reject, Reject)
    assert isinstance(talk, Match)
    assert (reject.reason, talk["title"], talk.inside, left) == ("incomplete_item", "Toast", None, [])


def test_groups_of_fields() -> None:
    """Each person gets the place printed after the name."""
    talk = Elements("li", each("people", "a", one("name"), maybe("place", "span"), flat=True, ignored="sup"))
    found = values("<ul><li><a>Ada</a><span>Bay</span><sup>1</sup><a>Bo</a></li></ul>", talk)
    assert found == [{"people": ({"name": "Ada", "place": "Bay"}, {"name": "Bo", "place": None})}]


@pytest.mark.parametrize(
    ("title", "notes"),
    [
        ("Less <b>S</b>ugar", ()),
        ("Less <b></b>ugar", ("value_doubtful",)),
        ("Less <i><b> </b></i>ugar", ("value_doubtful",)),
        ("Less <!-- jam --> <br/>sugar", ()),
    ],
)
def test_markup_without_text(title: str, notes: tuple[str, ...]) -> None:
    """In a text of data it is what is left of a word."""
    document = Document.from_bytes("fair/a.xml", f"<papers><paper><title>{title}</title></paper></papers>".encode())
    (found,) = read_elements(document.feed_of("paper"), Elements("paper", one("title", "title::raw")))
    assert isinstance(found, Match)
    assert found.notes == notes


@pytest.mark.parametrize(
    ("people", "notes"),
    [
        ("<a href='/ada'>Ada</a> <a href='/ada'>Ada</a>", ("value_doubtful",)),
        ("<a>Ada <u>Q</u></a><a>Ada <u>Q</u></a><a>Bo</a>", ("value_doubtful",)),
        ("<a href='/ada'>Ada</a><a href='/ada-2'>Ada</a>", ()),
        ("<a>Ada</a><a>Bo</a><a>Ada</a>", ()),
    ],
)
def test_one_element_of_a_group_twice_in_a_row(people: str, notes: tuple[str, ...]) -> None:
    """Both stand, and it is told: two people of one name differ by an id or address, where the page prints those."""
    (found,), _ = read(f"<ul><li>{people}</li></ul>", Elements("li", each("people", "a", one("name"))))
    assert isinstance(found, Match)
    assert (len(found["people"]), found.notes) == (people.count("<a"), notes)


def test_what_cannot_be_read_is_told() -> None:
    """An optional field that its reader cannot read stays unclaimed, and so does text of no field."""
    (talk,), left = read("<ul><li><b>Toast</b><i>soon</i> and jam</li></ul>", TALK)
    assert isinstance(talk, Match)
    assert (talk["starts"], talk.notes, left) == (None, ("field_unread",), ["soon", "and jam"])


def test_an_optional_field_found_twice() -> None:
    """If an optional field is found twice, it is None with a note, and both texts stay unclaimed."""
    (talk,), left = read("<ul><li><b>Toast</b><i>9:30</i><i>9:40</i></li></ul>", TALK)
    assert isinstance(talk, Match)
    assert (talk["title"], talk["starts"], talk.notes, left) == ("Toast", None, ("field_unread",), ["9:30", "9:40"])


def test_elements_inside_a_rejected_element() -> None:
    """A talk in a rejected element is read with a note; one in an element with an unread field shares its note."""
    day = Elements("div", one("day", "h2"), maybe("room", "em"))
    markup = "<div><p>Monday</p><li><b>A</b></li></div><div><h2>Tue</h2><em>x</em><em>y</em><li><b>B</b></li></div>"
    found, _ = read(f"<body>{markup}</body>", day, TALK)
    notes = [(each["title"], each.notes) for each in found if isinstance(each, Match) and each.table is TALK]
    assert notes == [("A", ("around_rejected",)), ("B", ("field_unread",))]


@pytest.mark.parametrize(
    ("markup", "reject"),
    [
        ("<li><i>9:30</i></li>", ("incomplete_item", "title: expected 'b', found none")),
        ("<li><b>A</b><b>B</b></li>", ("invalid_value", "title: expected 'b' at most once, found 2")),
    ],
)
def test_counts(markup: str, reject: tuple[str, str]) -> None:
    """A required field that is missing, or one found too often, rejects its whole element; the next one is read."""
    assert values(f"<ul>{markup}<li><b>Next</b></li></ul>", TALK) == [
        reject,
        {"title": "Next", "starts": None, "tags": ()},
    ]
    assert read(f"<ul>{markup}</ul>", TALK)[1] == []


def test_a_field_that_must_be_read() -> None:
    """A required field that its reader cannot read gives a reject with the text."""
    talk = Elements("li", one("starts", "i", clock))
    assert values("<ul><li><i>soon</i></li></ul>", talk) == [
        ("invalid_value", "starts: expected a valid value in 'i', found 'soon'")
    ]


def test_parts_of_elements() -> None:
    """``::text`` reads the text before the first child, ``::raw`` all text with line breaks; attributes work too."""
    talk = Elements("li", one("own", "p::text"), one("raw", "p::raw"), one("id", "p::attr(id)"))
    assert values("<ul><li><p id=7>We\njam <b>on\n\ntoast</b></p></li></ul>", talk) == [
        {"own": "We jam", "raw": "We\njam on\n\ntoast", "id": "7"}
    ]


def test_text_behind_an_element() -> None:
    """``::tail`` reads the text after the end tag; the element's own text stays unclaimed."""
    talk = Elements("li", one("title", "b::tail"))
    found, unread = read("<ul><li><b>1.</b> Lids</li></ul>", talk)
    assert ([one.values for one in found if isinstance(one, Match)], unread) == ([{"title": "Lids"}], ["1."])


def test_several_places_of_a_field() -> None:
    """Each of several selectors has its own part."""
    talk = Elements("li", one("title", "b::text, i::attr(title)"))
    assert values("<ul><li><b>Lids</b></li><li><i title=Pots></i></li></ul>", talk) == [
        {"title": "Lids"},
        {"title": "Pots"},
    ]


def test_an_invalid_selector() -> None:
    """A table with an invalid selector fails when it is made."""
    with pytest.raises(TableError, match="expected a CSS selector, found 'li >': "):
        Elements("li >")


def test_texts_between_elements_are_claimed_by_pattern() -> None:
    """Words between elements are boilerplate if a pattern matches; others stay unclaimed."""
    page = Page("<html><body>at <b>Pot</b>, jam</body></html>")
    page.claim_texts(Boilerplate({"at": "at"}))
    assert [span.text for span in page.account().unexplained] == ["Pot", ", jam"]


def keys(value: dict[str, Any], table: Keys) -> tuple[dict[str, Any], list[str]]:
    """Return what a table reads of an object, and its unread keys."""
    data = Data("{}")
    found = table.read(data.open(value, 1))
    return found, [span.text for span in data.account().unexplained]


def test_keys_by_path() -> None:
    """Inner objects are read by path, lists of objects are groups, and ignored keys are given by path."""
    table = Keys(
        one("title"),
        maybe("room", "slot.room"),
        maybe("day", "slot.day", iso_day),
        many("tags"),
        each("people", "persons", one("name")),
        ignored="id slot.id persons.id",
    )
    value = {
        "id": 1,
        "title": "Toast",
        "slot": {"id": 2, "room": "Pot", "day": "2026-06-17", "seats": 9},
        "persons": [{"id": 3, "name": "Ada", "mood": "good"}],
        "tags": ["a"],
    }
    found, left = keys(value, table)
    assert found == {
        "title": "Toast",
        "room": "Pot",
        "day": date(2026, 6, 17),
        "tags": ("a",),
        "notes": (),
        "people": ({"name": "Ada"},),
    }
    assert left == ['{"seats": 9}\n{"mood": "good"}']


@pytest.mark.parametrize(
    ("value", "day", "left"),
    [
        ({"day": "2026-06-17", "old": {"day": "soon"}}, date(2026, 6, 17), []),
        ({"day": " ", "old": {"day": "2026-06-17", "age": 9}}, date(2026, 6, 17), ['{"age": 9}']),
        ({"day": "soon", "old": {"day": "2026-06-17"}}, None, ['{"day": "soon"}']),
        ({"old": 7}, None, ['{"old": 7}']),
        ({}, None, []),
    ],
)
def test_the_first_key_that_says_something(value: dict[str, Any], day: date | None, left: list[str]) -> None:
    """Of several paths the first with a value counts, even if it cannot be read; what the others have is not needed."""
    found, unread = keys(value, Keys(maybe("day", "day old.day", iso_day)))
    assert (found["day"], unread) == (day, left)


def test_what_a_group_of_keys_ignores() -> None:
    """A group has its own list of ignored keys."""
    table = Keys(each("people", "people", one("name"), ignored="id"))
    assert keys({"people": [{"id": 1, "name": "Ada"}]}, table) == ({"people": ({"name": "Ada"},), "notes": ()}, [])


def test_keys_that_are_missing_or_unreadable() -> None:
    """A missing optional key is None, an unreadable one is noted, and a list keeps its good values."""
    table = Keys(maybe("day", "slot.day", iso_day), maybe("start", read=wall_clock), many("links", read=link))
    found, left = keys({"start": "soon", "links": ["https://a.example/x", 7]}, table)
    links = (Link("https://a.example/x"),)
    assert found == {"day": None, "start": None, "links": links, "notes": ("field_unread",)}
    assert left == ['{"start": "soon", "links": ["https://a.example/x", 7]}']


@pytest.mark.parametrize("key", ["award", "slot", "people", "tags"])
def test_false_is_nothing(key: str) -> None:
    """Some tools print false for a text, an object or a list that is not there."""
    table = Keys(maybe("award"), maybe("room", "slot.room"), each("people", "people", one("name")), many("tags"))
    nothing = {"award": None, "room": None, "people": (), "tags": (), "notes": ()}
    assert keys({key: False}, table) == (nothing, [])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "title: expected a text, found none"),
        ({"title": False}, "title: expected a text, found none"),
        ({"title": 7}, "title: expected a valid value, found 7"),
        ({"title": "A", "people": [{}]}, "name: expected a text, found none"),
        ({"title": "A", "people": [{"name": "B"}]}, "code: expected 'code' or 'old.code', found none"),
    ],
)
def test_invalid_items(value: dict[str, Any], message: str) -> None:
    """A required key that is missing or has a wrong type is an error of the item."""
    table = Keys(one("title"), each("people", "people", one("name")), one("code", "code old.code"))
    with pytest.raises(FieldError) as caught:
        keys(value, table)
    assert str(caught.value) == message


@pytest.mark.parametrize("odd", [{"tags": "b"}, {"slot": "x"}, {"people": ["x"]}, {"people": "x"}])
def test_keys_of_a_wrong_shape_cost_the_value(odd: dict[str, Any]) -> None:
    """What an item can do without is left out, noted and told, as if its reader had failed."""
    table = Keys(one("title"), many("tags"), maybe("room", "slot.room"), each("people", "people", one("name")))
    found, left = keys({"title": "A", **odd}, table)
    assert found == {"title": "A", "tags": (), "room": None, "people": (), "notes": ("field_unread",)}
    assert left == [json.dumps(odd)]


@pytest.mark.parametrize(
    ("reader", "printed", "value"),
    [
        (identifier, 7, "7"),
        (identifier, "a-7", "a-7"),
        (identifier, True, None),
        (address, "https://a.example/x", "https://a.example/x"),
        (address, "/x", None),
        (iso_day, "2026-06-17", date(2026, 6, 17)),
        (iso_day, "2026-06-31", None),
        (iso_day, "20260617", None),
        (iso_day, "0001-01-01", None),
        (iso_moment, "9999-12-31T23:59:00", None),
        (printed_day, "31 December 9999", None),
        (listed, [1], [1]),
        (listed, "ab", None),
        (lists_by_name, {"Pot": [1]}, {"Pot": [1]}),
        (lists_by_name, {"Pot": 1}, None),
        (iso_moment, "2026-06-17T09:30:00", datetime(2026, 6, 17, 9, 30)),
        (iso_moment, "2026-06-17T09:30:00Z", datetime(2026, 6, 17, 9, 30, tzinfo=UTC)),
        (iso_moment, "2026-06-17Tsoon", None),
        (epoch_moment, "1750152600000", datetime(2025, 6, 17, 9, 30, tzinfo=UTC)),
        (epoch_moment, "soon", None),
        (duration, "00:45", timedelta(minutes=45)),
        (duration, "120:15", timedelta(hours=120, minutes=15)),
        (duration, "1200:15", None),
        (duration, "0:30:00", timedelta(minutes=30)),
        (duration, "2:45:00", timedelta(hours=2, minutes=45)),
        (duration, "01:24:30", timedelta(hours=1, minutes=24, seconds=30)),
        (duration, "1:00:00", None),
        (duration, "1:02:45", None),
        (duration, "0:23:00", None),
        (duration, "0:60:00", None),
        (duration, "0:30:60", None),
        (duration, "2h30m", timedelta(hours=2, minutes=30)),
        (duration, "90 min", timedelta(minutes=90)),
        (duration, "2h", timedelta(hours=2)),
        (duration, "a while", None),
        (duration, 45, None),
        (time_zone, "Europe/Oslo", "Europe/Oslo"),
        (time_zone, "EUROPE/oslo", "Europe/Oslo"),
        (time_zone, "pacific standard time", "America/Los_Angeles"),
        (time_zone, "/collection.example/Tzfile/America/Argentina/Salta", "America/Argentina/Salta"),
        (time_zone, "/collection.example/2026/GMT", "GMT"),
        (time_zone, "collection.example/Europe/Oslo", None),
        (time_zone, "/collection.example/Europe/Thule", None),
        (time_zone, "", None),
        (time_zone, 1, None),
        (time_zone, "Oslo", None),
        (html_text, "<p>We &amp; jam.</p><p>Toast<br>too</p>", "\n\nWe & jam.\n\n\n\nToast\ntoo\n\n"),
        (html_text, "a < b\r\nc", "a < b\nc"),
        (html_text, "It&#x27;s <ada@mole.example>", "It's <ada@mole.example>"),
        (html_text, "<p>Write to <ada@mole.example></p>", "\n\nWrite to <ada@mole.example>\n\n"),
        (html_text, "&lt;p&gt;We jam.&lt;/p&gt;&lt;p&gt;Toast&lt;/p&gt;", "\n\nWe jam.\n\n\n\nToast\n\n"),
        (html_text, "We &lt;i class='x'&gt;jam&lt;/i&gt;, if x &lt; y.", "We jam, if x < y."),
        (html_text, 7, None),
        (plain_text, "<b>Q&amp;A</b>", "Q&A"),
        (plain_text, 7, None),
        (wall_clock, "09:30:00", time(9, 30)),
        (wall_clock, "9:30 am", time(9, 30)),
        (wall_clock, "25:00", None),
        (wall_clock, 930, None),
        (clock_interval, "11:00 - 12:30", (time(11), time(12, 30))),
        (clock_interval, "11:00am–1:30 pm", (time(11), time(13, 30))),
        (clock_interval, "11:00", None),
        (clock_interval, "25:00 - 26:00", None),
        (clock_interval, "1:30 - 3:00 PM", (time(13, 30), time(15))),
        (printed_day, "Sun 4 May 2025", date(2025, 5, 4)),
        (printed_day, "Sunday, May 4th, 2025", date(2025, 5, 4)),
        (printed_day, "4. May 2025", date(2025, 5, 4)),
        (printed_day, "Mon 4 May 2025", None),
        (printed_day, "31 June 2025", None),
        (printed_day, "4 May", None),
        (heading_day, "Day 2: Wednesday, June 17th", Day(0, 6, 17, 2)),
        (heading_day, "the 17th of June (Wed)", Day(0, 6, 17, 2)),
        (heading_day, "17. Jun. 2026", Day(0, 6, 17, None, 2026)),
        (heading_day, "2026-06-17", Day(0, 6, 17, None, 2026)),
        (heading_day, "Wednesday, 2026-06-17", Day(0, 6, 17, 2, 2026)),
        (heading_day, "Wed 2026-06-31", None),
        (heading_day, "17 - 18 June", None),
        (heading_day, "June 17, 9:30", None),
        (heading_day, "Wednesday 17", None),
        (heading_day, "June 17 in the Mill", None),
        (heading_day, "June 172", None),
        (heading_day, 17, None),
        (
            link,
            {"url": "https://a.example/x.pdf", "title": "Slides"},
            Link("https://a.example/x.pdf", "Slides", "slides"),
        ),
        (link, "https://youtu.be/x", Link("https://youtu.be/x", None, "video")),
        (link, {"url": "/x", "title": " "}, Link("/x")),
        (link, {"url": "a.example", "title": "Site"}, Link("a.example", "Site")),
        (link, {"url": " ", "title": "Site"}, None),
        (link, {"title": "arXiv"}, None),
        (person, {"name": "Ada", "affiliation": "Bay"}, Person("Ada", "Bay")),
    ],
)
def test_readers(reader: Any, printed: Any, value: Any) -> None:
    """A reader returns a value, or None for what it cannot read."""
    assert reader(printed) == value


def test_one_page_targets() -> None:
    """A target needs only an address; the suffix in the address wins over that of the source."""
    web = one_page(".html", lambda _: "")
    target = OnePage("https://jam.example/2026/schedule.json", event="JAM 2026", year=2026)
    (request,) = web.requests(target, Window(date(2026, 1, 1)))
    assert (request.key, request.suffix, request.facts) == (
        "JAM-2026/schedule",
        ".json",
        {"event": "JAM 2026", "year": 2026},
    )
    (other,) = web.requests(OnePage("https://jam.example/"), Window(date(2026, 1, 1)))
    assert (other.key, other.suffix, other.facts) == ("jam.example/index", ".html", {})
    assert list(web.follow(target, Document.from_bytes("jam/a.html", b"<p>"), request)) == []
    with pytest.raises(TargetError, match="expected a URL"):
        OnePage("jam.example")


SPEAKER = Elements("p", one("id", "::attr(id)"), one("name", "b"), lists="speakers")
SPOKEN = Elements("li", one("title", "i"), many("people", "a::attr(href)", by_id("speakers")))


@pytest.mark.parametrize(
    ("links", "people", "notes"),
    [
        ('<a href="#ada"></a><a href="p.html#bo"></a>', ("Ada", "Bo"), ()),
        ('<a href="#ada"></a><a href="#cy"></a>', ("Ada",), ("field_unread",)),
        ('<a href="#dee"></a>', (), ("field_unread",)),  # without a name
        ('<a href="#eve"></a>', (), ("field_unread",)),  # two of them
        ('<a href="#flo"></a>', ("Flo",), ()),  # the same again
    ],
)
def test_elements_named_by_id(links: str, people: tuple[str, ...], notes: tuple[str, ...]) -> None:
    """An anchor takes the fields of the element with that id, even further down; an unknown id is noted."""
    listed = (
        "<p id=ada><b>Ada</b></p><p id=bo><b>Bo</b></p><p id=dee></p><p id=eve><b>Eve</b></p><p id=eve><b>Eva</b></p>"
        "<p id=flo><b>Flo</b></p><p id=flo><b>Flo</b></p>"
    )
    found, left = read(f"<li><i>Foam</i>{links}</li>{listed}", SPOKEN, SPEAKER)
    talk = found[0]
    assert isinstance(talk, Match)
    assert (tuple(person["name"] for person in talk["people"]), talk.notes, left) == (people, notes, [])
    assert [one.reason for one in found if isinstance(one, Reject)] == ["incomplete_item"]


def test_objects_named_by_id() -> None:
    """A key takes the object listed under its id; an unknown id, or that of an incomplete object, is noted."""
    listed = [{"id": 1, "name": "Ada"}, {"id": "b", "name": "Bo"}, {"id": 3, "age": 9}]
    talks = [{"title": "Foam", "who": [1, "b"], "room": 1}, {"title": "Toast", "who": [3], "room": 7}]
    text = json.dumps({"people": listed, "talks": talks})
    data = Data(text)
    people = listed_at(data, "people[]", Keys(one("id", read=identifier), one("name")))
    talk = Keys(one("title"), many("who", read=by_id("people")), maybe("room", read=by_id("people")))
    first, second = (talk.read(data.open_item(each, place), people=people) for place, each in items_at(data, "talks[]"))
    assert ([each["name"] for each in first["who"]], first["room"]["name"], first["notes"]) == (
        ["Ada", "Bo"],
        "Ada",
        (),
    )
    assert (second["who"], second["room"], second["notes"]) == ((), None, ("field_unread",))
    assert [span.text for span in data.account().unexplained] == ['{"id": 3, "age": 9}', '{"who": [3], "room": 7}']


def test_data_cut_before_the_list() -> None:
    """Data cut before the list is refused, since every item would lose a value; complete data may lack the list."""
    people = Keys(one("id"), one("name"))
    assert listed_at(Data('{"talks": []}'), "people[]", people) == {}
    with pytest.raises(FieldError, match=r"^people\[\]: expected a list, found the end of the data before it$"):
        listed_at(Data('{"talks": [{"title": "Foam"}, {"titl', ("talks",)), "people[]", people)


def test_lists_that_were_not_given() -> None:
    """Reading an id without its list is an error of the parser."""
    with pytest.raises(TableError, match="expected the list 'people'"):
        Keys(one("who", read=by_id("people"))).read(Data("{}").open({"who": 1}, 1))


def test_texts_that_become_one() -> None:
    """Each text once, in page order; None if there is none."""
    table = Elements("li", one("title", "b"), joined("track", "u", " / "))
    markup = "<li><b>Foam</b><u>Ropes</u><u>Rye</u><u>Ropes</u></li><li><b>Toast</b></li>"
    assert [each["track"] for each in values(markup, table)] == ["Ropes / Rye", None]


@pytest.mark.parametrize(
    ("inside", "room", "notes"),
    [
        ("Mill", "Mill", ()),
        ("<name>Mill</name>", "Mill", ()),
        ("The <b>old</b> <i>mill</i>", "The old mill", ()),
        ("<name>Mill</name><floor>2</floor>", None, ("field_unread",)),
        ("<name>Mill</name> <floor/>", "Mill", ()),
    ],
)
def test_an_element_of_data_with_several_texts(inside: str, room: str | None, notes: tuple[str, ...]) -> None:
    """Texts that have an element each are several values, and none of them is guessed."""
    table = Elements("talk", maybe("room", "talk > room"))
    page = Page(f"<talks><talk><room>{inside}</room></talk></talks>", xml=True)
    (found,) = read_elements(page, table)
    assert isinstance(found, Match)
    assert (found["room"], found.notes) == (room, notes)


def test_an_element_of_a_page_with_several_texts() -> None:
    """A page is read as it is seen: its elements only style a text."""
    table = Elements("div", maybe("room", "p"))
    assert values("<div><p><i>Mill</i><b>2</b></p></div>", table) == [{"room": "Mill2"}]


@pytest.mark.parametrize("name", WINDOWS_TO_OLSON)
def test_each_zone_of_windows_is_one_of_iana(name: str) -> None:
    """CLDR's zones of Windows are known here."""
    assert time_zone(time_zone(name)) is not None
