"""Items that a dump prints again: what of each printing the one record keeps, and what it tells."""

from datetime import datetime
from typing import Any

import pytest

from parsers._contract import Family, PageKind, Source
from pipeline.reading.occurrences import merge_occurrences
from schemas.items import Person, Record, Slot

SOURCE = Source("fair", "Toy", 1, Family.PROGRAMME, PageKind.STATE, ())
NINE, TEN = (Slot(datetime(2026, 6, 17, hour)) for hour in (9, 10))
ADA = (Person("Ada Quill"),)
SEA, HARBOUR = {"session_title": "Sea"}, {"session_title": "Harbour"}


def merged(*printings: dict[str, Any]) -> Record:
    """Return the one record that these printings of a paper become."""
    printed = [Record(place, place, title="Ropes", event="JAM", **each) for place, each in enumerate(printings, 1)]
    (record,) = merge_occurrences(SOURCE, printed).records.values()
    return record


@pytest.mark.parametrize(
    ("printings", "session", "notes"),
    [
        ((SEA, HARBOUR), "Sea / Harbour", ()),
        ((SEA, HARBOUR, SEA, {"session_title": "sea"}), "Sea / Harbour", ()),
        ((SEA, {"session_title": "Sea / Harbour"}), "Sea / Harbour", ()),
        (({"chairs": ADA}, SEA), None, ()),
        ((SEA | {"slots": (NINE,)}, HARBOUR | {"slots": (TEN,)}), "Sea", ("field_unread",)),
        ((SEA | {"slots": (NINE,)}, SEA | {"slots": (TEN,)}), "Sea", ()),
    ],
)
def test_sessions_of_a_repeated_item(printings: Any, session: str | None, notes: tuple[str, ...]) -> None:
    """Without times all its sessions are named; with them the first one is, and another one is told."""
    record = merged(*printings)
    assert (record.session_title, record.notes) == (session, notes)


@pytest.mark.parametrize(
    ("types", "expected"),
    [(("Poster", "Oral"), "Poster / Oral"), (("Poster", "POSTER"), "Poster"), ((None, "Oral"), "Oral")],
)
def test_types_of_a_repeated_item(types: tuple[str | None, ...], expected: str) -> None:
    """Each type is kept once."""
    assert merged(*({"type": each} for each in types)).type == expected
