"""Which XML is a schedule of a conference."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from parsers._ledger.document import Document, Facts
from parsers._registry import sources
from parsers.pretalx import parse_json, parse_xml, recognise_xml
from pipeline.reading.parse import parse_items
from schemas.items import Record
from tests.sources.pretalx.schedules import as_json, as_xml


@pytest.mark.parametrize(
    ("markup", "is_ours"),
    [
        ("<conference></conference><day date='2026-06-17'></day>", True),
        ("<day date='2026-06-17'><room name='Mill'><event id='1'></event></room></day>", True),
        ("<day date='2026-06-17'><entry id='1'><room>Mill</room></entry></day>", False),
        ("<bus line='7'><stop>Mill</stop></bus>", False),
        ("<day>Monday</day><opens>9:00</opens>", False),
        ("<event date='2026-06-17'>Market</event>", False),
    ],
)
def test_a_schedule_of_a_conference(markup: str, *, is_ours: bool) -> None:
    """Buses and shops have schedules, too: one of a conference names it, or has events in days."""
    document = Document.from_bytes("pretalx/a.xml", f"<schedule>{markup}</schedule>".encode())
    assert recognise_xml(document) is is_ours


@pytest.mark.parametrize(
    ("base", "printed", "address"),
    [
        ("<base_url>https://jam.example/2026/</base_url>", "events/7.html", "https://jam.example/2026/events/7.html"),
        ("<base_url>https://jam.example/2026/</base_url>", "/media/7.pdf", "https://jam.example/media/7.pdf"),
        ("<base_url>https://jam.example/2026/</base_url>", "www.mill.example/7", "www.mill.example/7"),
        ("<base_url>https://jam.example/2026/</base_url>", "7.html", "7.html"),
        ("", "events/7.html", "events/7.html"),
        ("", "https://mill.example/7", "https://mill.example/7"),
    ],
)
def test_relative_addresses(base: str, printed: str, address: str) -> None:
    """A path is absolute by the address that the schedule prints for its site; nothing else is guessed."""
    event = (
        f"<event id='7'><title>Foam</title><url>{printed}</url><links><link href='{printed}'>a</link></links></event>"
    )
    markup = f"<schedule><conference><title>E</title>{base}</conference><day date='2026-06-17'>{event}</day></schedule>"
    (record,) = parse_xml(Document.from_bytes("pretalx/a.xml", markup.encode()))
    assert isinstance(record, Record)
    assert (record.url, [link.url for link in record.links or ()]) == (address, [address])


@pytest.mark.parametrize("written", [as_json, as_xml])
@pytest.mark.parametrize(
    ("duration", "ends"),
    [
        ("0:30:00", datetime(2026, 6, 17, 13, 30)),
        ("1:30:00", datetime(2026, 6, 17, 14, 30)),
        ("01:00", datetime(2026, 6, 17, 14)),
        ("1:00:00", None),
        ("0:10:00", None),
    ],
)
def test_durations_of_three_numbers(written: Callable[..., Document], duration: str, ends: datetime | None) -> None:
    """Ten minutes and ten hours may be printed alike: then there is no end, and it is told."""
    parsed = parse_items(sources()["pretalx"], written(id="7", title="Foam", start="13:00", duration=duration))
    (record,) = parsed.records
    (slot,) = record.slots or ()
    assert (slot.ends_at, record.notes) == (ends, () if ends else ("field_unread",))
    assert [each.reason for each in parsed.rejects] == ([] if ends else ["unexplained_line"])


@pytest.mark.parametrize("written", [as_json, as_xml])
@pytest.mark.parametrize(
    ("room", "expected"), [("(no room)", None), ("No room", None), ("No Room for Doubt", "No Room for Doubt")]
)
def test_a_talk_without_a_room(written: Callable[..., Document], room: str, expected: str | None) -> None:
    """The format asks for a room, so some tools say that there is none."""
    (record,) = parse_items(sources()["pretalx"], written(id="7", title="Foam", start="13:00", room=room)).records
    assert [slot.room for slot in record.slots or ()] == [expected]


@pytest.mark.parametrize(
    ("printed", "venue", "expected"),
    [
        ({"date": "2026-06-17T09:00:00Z"}, "Europe/Oslo", (11, ("zone_converted",))),
        ({"date": "2026-06-17T09:00:00+02:00"}, "Europe/Oslo", (9, ())),
        ({"date": "2026-06-17T09:00:00Z"}, None, (9, ())),
        ({"date": "2026-06-17T09:00:00Z", "start": "10:00"}, "Europe/Oslo", (10, ("zone_converted",))),
    ],
)
def test_moments(printed: dict[str, str], venue: str | None, expected: tuple[int, tuple[str, ...]]) -> None:
    """A moment without a wall clock beside it is on that of the venue."""
    document = as_json(id="7", title="Foam", **printed)
    (record,) = parse_json(replace(document, facts=Facts(timezone=venue)))
    assert isinstance(record, Record)
    (slot,) = record.slots or ()
    assert (slot.starts_at, record.notes) == (datetime(2026, 6, 17, expected[0]), expected[1])


@pytest.mark.parametrize("written", [as_json, as_xml])
@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ({"guid": "9a1c-1"}, "9a1c-1"),
        ({"id": "7"}, "7"),
        ({"guid": "9a1c-1", "id": "7"}, "9a1c-1"),
        ({}, None),
    ],
)
def test_identity(written: Callable[..., Document], printed: dict[str, str], expected: str | None) -> None:
    """An event is known by its guid or by its id; without both it is read all the same."""
    parsed = parse_items(sources()["pretalx"], written(**printed, title="Foam"))
    assert [(each.title, each.native_id) for each in parsed.records] == [("Foam", expected)]
    assert parsed.rejects == ()


def test_sessions_without_a_conference() -> None:
    """A list of sessions that names no conference has the event of the sidecar."""
    written = as_xml(guid="9a1c-1", title="Foam").text.replace("<conference><title>JAM 2026</title></conference>", "")
    (record,) = parse_xml(Document.from_bytes("pretalx/a.xml", written.encode(), Facts(event="JAM 2027")))
    assert isinstance(record, Record)
    assert (record.title, record.event, record.native_id) == ("Foam", "JAM 2027", "9a1c-1")


@pytest.mark.parametrize("written", [as_json, as_xml])
@pytest.mark.parametrize(
    ("name", "printed", "expected"),
    [
        ("title", "Q&amp;A on &quot;Foam&quot;", 'Q&A on "Foam"'),
        ("subtitle", "It&#x27;s <b>Foam</b>", "It's Foam"),
        ("abstract", "&lt;p&gt;We foam.&lt;/p&gt;", "We foam."),
        ("track", "<a href='https://jam.example'>Foam</a>", "Foam"),
    ],
)
def test_markup_in_texts(written: Callable[..., Document], name: str, printed: str, expected: str) -> None:
    """What a tool has escaped once more is text again."""
    (record,) = parse_items(sources()["pretalx"], written(**{"id": "7", "title": "Foam", name: printed})).records
    assert str(getattr(record, name)).strip() == expected


@pytest.mark.parametrize(("guid", "notes"), [("", ("field_unread",)), ("9a1c-2", ())])
def test_a_guid_that_is_lost(guid: str, notes: tuple[str, ...]) -> None:
    """An event without a guid beside others that have one is known by its id, and that is told."""
    written = as_xml(id="7", guid="9a1c-1", title="Foam").text
    other = f'<event id="8" guid="{guid}"><title>Jam</title></event></room>'
    document = Document.from_bytes("pretalx/a.xml", written.replace("</room>", other).encode())
    assert [each.notes for each in parse_items(sources()["pretalx"], document).records] == [(), notes]
