"""Calendars: what our own export writes is read back as it was."""

from hypothesis import given

from parsers._ledger.document import Document, Facts
from parsers.ics import parse
from pipeline.viewing.selection import Row
from schemas.items import Record
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
