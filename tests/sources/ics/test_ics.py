"""Calendars: what our own export writes is read back as it was."""

from hypothesis import given

from parsers._ledger.document import Document, Facts
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
