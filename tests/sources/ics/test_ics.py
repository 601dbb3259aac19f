"""Calendars: what our own export writes is read back as it was."""

from datetime import datetime

import pytest
from hypothesis import given

from parsers._ledger.document import Document, Facts
from parsers._ledger.lines import LineClass
from parsers.ics import parse
from pipeline.viewing.selection import Row
from schemas.items import Record, Reject
from tests.export.test_round_trips import PROGRAMMES, ZONES, called, each_slot, read_description, told, write


@given(PROGRAMMES, ZONES)
def test_our_calendar(rows: list[Row], zone: str | None) -> None:
    """An event has the title, times, zone, room, kind, address and texts of its record."""
    document = Document.from_bytes("ics/jam.ics", write("ics", rows, zone).encode(), Facts(timezone=zone))
    found = [each for each in parse(document) if isinstance(each, Record)]
    expected = [
        (called(row), tuple(one.values()), zone, (row["kind"],), row["url"], told(row)) for row, one in each_slot(rows)
    ]
    assert [
        (each.title, *(each.slots or ()), each.timezone, each.keywords, each.url, texts_of(each)) for each in found
    ] == expected


def texts_of(record: Record) -> dict[str, object]:
    """Return what the description of an event says."""
    return read_description(record.description or "")


def calendar(name: str, *titles: str) -> str:
    """Return a calendar with events of these titles."""
    events = "".join(f"BEGIN:VEVENT\nSUMMARY:{title}\nEND:VEVENT\n" for title in titles)
    return f"BEGIN:VCALENDAR\nX-WR-CALNAME:{name}\n{events}END:VCALENDAR\n"


def test_calendars_of_several_events() -> None:
    """Under the event of a sidecar those of another calendar are held back; without one each has its own event."""
    text = calendar("Jam 2026", "Pots") + calendar("Hay 2026", "Mows") + calendar("Jam 2026", "Lids")
    read = [list(parse(Document.from_bytes("ics/a.ics", text.encode(), Facts(event=event)))) for event in ("Jam", None)]
    assert [[type(each).__name__ for each in items] for items in read] == [
        ["Record", "Reject", "Record"],
        ["Record"] * 3,
    ]
    assert [each.event for each in read[1] if isinstance(each, Record)] == ["Jam 2026", "Hay 2026", "Jam 2026"]
    (held,) = (each for each in read[0] if isinstance(each, Reject))
    assert (held.line_start, held.reason, held.detail) == (
        9,
        "ambiguous",
        "expected events of the first calendar, 'Jam 2026'; this one is in 'Hay 2026'",
    )


def slot_of(
    start: str, end: str, about: str = "", facts: Facts | None = None
) -> tuple[datetime | None, datetime | None, str | None, tuple[str, ...]]:
    """Return when the one event of a calendar begins and ends, its zone and its notes."""
    event = f"BEGIN:VEVENT\nDTSTART{start}\n{end}\nSUMMARY:Pots\nEND:VEVENT\n"
    text = f"BEGIN:VCALENDAR\n{about}{event}END:VCALENDAR\n"
    (found,) = parse(Document.from_bytes("ics/a.ics", text.encode(), facts))
    assert isinstance(found, Record)
    (slot,) = found.slots or ()
    return slot.starts_at, slot.ends_at, found.timezone, found.notes


NINE, TEN = datetime(2026, 6, 17, 9), datetime(2026, 6, 17, 10)
OSLO, YORK = "Europe/Oslo", "America/New_York"
LONDON = "X-WR-TIMEZONE:Europe/London\n"
CONVERTED, UNREAD = ("zone_converted",), ("field_unread",)


@pytest.mark.parametrize(
    ("start", "end", "about", "venue", "expected"),
    [
        (f";TZID={YORK}:20260617T090000", "DTEND:20260617T140000Z", "", None, (NINE, TEN, YORK, CONVERTED)),
        (f";TZID={YORK}:20260617T090000", f"DTEND;TZID={OSLO}:20260617T160000", "", None, (NINE, TEN, YORK, CONVERTED)),
        (f";TZID={YORK}:20260617T090000", "DTEND:20260617T100000", "", None, (NINE, TEN, YORK, ())),
        (f";TZID={YORK}:20260617T090000", "DTEND;TZID=Hay:20260617T100000", "", None, (NINE, None, YORK, UNREAD)),
        (f";TZID={YORK}:20260617T030000", "DURATION:PT1H", "", OSLO, (NINE, TEN, OSLO, CONVERTED)),
        (":20260617T070000Z", f"DTEND;TZID={OSLO}:20260617T100000", "", OSLO, (NINE, TEN, OSLO, CONVERTED)),
        (":20260617T080000Z", "DTEND:20260617T090000Z", LONDON, None, (NINE, TEN, "Europe/London", CONVERTED)),
        (":20260617T090000Z", "DTEND:20260617T100000Z", "", None, (NINE, TEN, "UTC", ())),
        (":20260617T090000Z", "DTEND:20260617T100000", "", None, (NINE, None, "UTC", UNREAD)),
        (":20260617T090000", "DTEND:20260617T080000Z", "", OSLO, (NINE, TEN, OSLO, CONVERTED)),
        (":20260617T090000", "DTEND:20260617T080000Z", "", None, (NINE, None, None, UNREAD)),
        (":20260617T090000", "DTEND:20260617T100000", LONDON, None, (NINE, TEN, "Europe/London", ())),
        (";TZID=Hay:20260617T090000", "DTEND;TZID=Hay:20260617T100000", "", None, (NINE, TEN, None, UNREAD)),
        (";TZID=Hay:20260617T090000", "DTEND:20260617T080000Z", "", None, (NINE, None, None, UNREAD)),
        (":20260617T090000", "DURATION:P400D", "", None, (NINE, None, None, UNREAD)),
    ],
)
def test_zones_of_start_and_end(
    start: str, end: str, about: str, venue: str | None, expected: tuple[datetime, datetime | None, str | None, object]
) -> None:
    """Both are on one wall clock, of the venue or of the start; an end whose zone is not known is left out and told."""
    assert slot_of(start, end, about, Facts(timezone=venue)) == expected


@pytest.mark.parametrize(
    ("named", "about", "zone"),
    [
        ('"W. Europe Standard Time"', "", "Europe/Berlin"),
        ("/mozilla.org/20070129_1/Europe/Berlin", "", "Europe/Berlin"),
        ("europe/berlin", "", "Europe/Berlin"),
        ('"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', "", "Europe/Amsterdam"),
        ("Hay", "BEGIN:VTIMEZONE\nTZID:Hay\nX-LIC-LOCATION:Europe/Berlin\nEND:VTIMEZONE\n", "Europe/Berlin"),
        ("Hay", "BEGIN:VTIMEZONE\nTZID:Mow\nX-LIC-LOCATION:Europe/Berlin\nEND:VTIMEZONE\n", None),
        ("Hay Standard Time", "", None),
    ],
)
def test_names_of_zones(named: str, about: str, zone: str | None) -> None:
    """A zone may have a name of Windows, of a collection or of the calendar itself, which says where it is."""
    times = (f";TZID={named}:20260617T090000", f"DTEND;TZID={named}:20260617T100000")
    assert slot_of(*times, about) == (NINE, TEN, zone, () if zone else UNREAD)


@pytest.mark.parametrize(
    ("printed", "title", "description"),
    [
        ('<a href="https://jam.example/7">Less Sugar</a>', "Less Sugar", "Less Sugar"),
        ("Q&amp;A\\, Part 2", "Q&A, Part 2", "Q&A, Part 2"),
        ("The <b> Element", "The <b> Element", "The  Element"),
        ("<p>Less</p><p>Sugar</p>", "<p>Less</p><p>Sugar</p>", "Less\n\n\n\nSugar"),
    ],
)
def test_markup_in_texts(printed: str, title: str, description: str) -> None:
    """Some tools write HTML into a calendar: a title is one line of it, a description may have paragraphs."""
    event = f"BEGIN:VEVENT\nSUMMARY:{printed}\nDESCRIPTION:{printed}\nCATEGORIES:{printed}\nEND:VEVENT\n"
    (found,) = parse(Document.from_bytes("ics/a.ics", f"BEGIN:VCALENDAR\n{event}END:VCALENDAR\n".encode()))
    assert isinstance(found, Record)
    assert (found.title, found.description) == (title, description)


def test_when_clocks_change() -> None:
    """Such lines of a zone say nothing of the programme; a task that begins then is no part of what is read."""
    zone = "BEGIN:VTIMEZONE\nTZID:Hay\nBEGIN:STANDARD\nDTSTART:16010101T030000\nRRULE:FREQ=YEARLY\nEND:STANDARD\n"
    task = "BEGIN:VTODO\nDTSTART:20260617T090000\nEND:VTODO\n"
    text = f"BEGIN:VCALENDAR\n{zone}END:VTIMEZONE\n{task}END:VCALENDAR\n"
    document = Document.from_bytes("ics/a.ics", text.encode())
    assert list(parse(document)) == []
    unread = [place.text for place in document.places() if place.line_class is LineClass.UNEXPLAINED]
    assert unread == ["BEGIN:VTODO", "DTSTART:20260617T090000", "END:VTODO"]


@pytest.mark.parametrize(
    ("location", "url", "room", "pages", "unread"),
    [
        ("Pot Hall\\, Deck 2", None, "Pot Hall, Deck 2", [], []),
        ("https://jam.example/call?of=1", None, None, ["https://jam.example/call?of=1"], []),
        ("https://jam.example/call or Pot Hall", None, "https://jam.example/call or Pot Hall", [], []),
        ("pots.html#day-1", "https://jam.example/days/all.ics", None, ["https://jam.example/days/pots.html#day-1"], []),
        ("pots.html#day-1", None, None, [], ["LOCATION:pots.html#day-1"]),
        ("", None, None, [], []),
    ],
)
def test_a_location_that_is_an_address(
    location: str, url: str | None, room: str | None, pages: list[str], unread: list[str]
) -> None:
    """What is shown on the web is in no room; a page of the site needs the address of the calendar, or is told."""
    event = f"BEGIN:VEVENT\nSUMMARY:Pots\nLOCATION:{location}\nEND:VEVENT\n"
    document = Document.from_bytes("ics/a.ics", f"BEGIN:VCALENDAR\n{event}END:VCALENDAR\n".encode(), Facts(url=url))
    (found,) = parse(document)
    assert isinstance(found, Record)
    left = [place.text for place in document.places() if place.line_class is LineClass.UNEXPLAINED]
    links = [link.url for link in found.links or ()]
    assert ([slot.room for slot in found.slots or ()], links, left) == ([room] if room else [], pages, unread)
    assert ("field_unread" in found.notes) == bool(unread)
