"""Our own sources read what we export: every slot comes back with all that its format can hold, nothing held back.

What a format cannot hold is in docs/commands.md.
"""

import tempfile
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.library.dumps import ParsedDump, parse
from pipeline.viewing.selection import Row
from tests.export.shelf import Shelf, person, slot, talk

WORDS = st.sampled_from(
    "Less Sugar, More; Fruit: C++ Q&A \u201cPots\u201d na\u00efve 100% a\\b \\n N-1 \u5f20 O'Lid".split()
)
TITLES = st.lists(WORDS, max_size=5).map(lambda words: " ".join(["On", *words, "Jam"]))
NAMES = ["Quill, Ada", "Bo O'Ferns", "Ida M. van der Pome", "\u5f35 \u5049"]
PEOPLE = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True).map(
    lambda names: list(map(person, names))
)
ROOMS = st.none() | st.sampled_from(["Hall, East", "Pot; Room", "R\u00f8m 4"])
STARTS = st.integers(0, 5 * 24 * 4).map(lambda quarters: datetime(2026, 8, 3) + timedelta(minutes=15 * quarters))
LENGTHS = st.none() | st.sampled_from([5, 45, 300, 26 * 60, 72 * 60]).map(lambda minutes: timedelta(minutes=minutes))
ZONES = st.sampled_from([None, "Europe/Oslo", "Pacific/Auckland", "Asia/Kolkata", "UTC"])


@st.composite
def slots(draw: st.DrawFn) -> list[Row]:
    """Make one to three slots at different times, some over midnight, some without end or room."""
    starts = draw(st.lists(STARTS, min_size=1, max_size=3, unique=True).map(sorted))
    lengths = [(start, draw(LENGTHS)) for start in starts]
    return [slot(start, start + length if length else None, draw(ROOMS)) for start, length in lengths]


TALKS = st.fixed_dictionaries(
    {
        "title": TITLES,
        "kind": st.sampled_from(["paper", "keynote"]),
        "authors": PEOPLE,
        "slots": slots(),
        "track": st.none() | st.sampled_from(["Fruit, Dry", "Pots & Pans"]),
        "session_title": st.none() | st.just("Opening; Closing"),
        "abstract": st.none() | st.just("One, two; three.\n\nFour: \\n."),
        "subtitle": st.none() | st.just("A second, thought"),
        "language": st.none() | st.just("en"),
        "url": st.none() | st.just("https://fjord.example/a?b=1,2;c=\u00e9"),
        "doi": st.none() | st.just("10.5555/jam.1"),
        "notes": st.sampled_from([[], [], ["cancelled"]]),
    }
)
PROGRAMMES = st.lists(TALKS, max_size=4, unique_by=lambda fields: fields["title"]).map(
    lambda some: [talk(f"k{place}", **fields) for place, fields in enumerate(some)]
)
OTHERS = [
    talk("tea", title="Coffee Break", kind="break", slots=[slot(), slot(datetime(2026, 8, 4, 9), None, None)]),
    talk("eve", title="On Lids", kind="keynote", presenter="Fen, Eve"),
    talk("wall", title="Poster Wall", authors=[person("Bo Ferns")], slots=[slot(ends_at=datetime(2026, 8, 7, 12, 59))]),
]


def read_back(name: str, source: str, rows: list[Row]) -> ParsedDump:
    """Publish the rows, export them, and read the file."""
    with tempfile.TemporaryDirectory() as folder:
        shelf, file = Shelf(Path(folder)), Path(folder, f"jam.{name.rpartition('-')[2]}")
        shelf.put(*rows)
        shelf.report(name, file)
        return parse(file, source)


def slots_of(rows: Iterable[Row], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return each slot with columns of its record and what the tests compare beside them."""
    found = (
        (
            *one.values(),
            [each["name"] for each in row["authors"] or ()] or list(filter(None, [row["presenter"]])),
            "cancelled" in row["notes"],
            *(row[name] for name in columns),
        )
        for row in rows
        for one in row["slots"]
    )
    return sorted(found, key=str)


def records_of(found: ParsedDump, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the same of what was read, of which nothing may be held back."""
    assert (found.refused, found.quarantine.rows()) == (None, [])
    return slots_of(found.records.iter_rows(named=True), columns)


@given(PROGRAMMES, ZONES)
def test_calendar(rows: list[Row], zone: str | None) -> None:
    """Title, event, times, zone, room, address, cancellation; the kind is a keyword. People are in a text alone."""
    columns = ("title", "event", "timezone", "url", "keywords")
    published = [{**row, "timezone": zone} for row in [*rows, *OTHERS]]
    held = ({**row, "authors": None, "presenter": None, "keywords": [row["kind"]]} for row in published)
    assert records_of(read_back("ics", "ics", published), columns) == slots_of(held, columns)


@pytest.mark.parametrize("name", ["frab-json", "frab-xml"])
@given(rows=PROGRAMMES, zone=ZONES)
def test_schedule(name: str, rows: list[Row], zone: str | None) -> None:
    """Also kind, people, track or session, texts, the DOI of a paper, but nothing that is cancelled."""
    columns = tuple("title event timezone url kind type track abstract subtitle language doi".split())
    published = [{**row, "timezone": zone} for row in [*rows, *OTHERS]]
    held = (
        {
            **row,
            "track": row["track"] or row["session_title"],
            "type": row["kind"],
            "doi": row["doi"] if row["kind"] == "paper" else None,
        }
        for row in published
        if not row["notes"]
    )
    assert records_of(read_back(name, "pretalx", published), columns) == slots_of(held, columns)
