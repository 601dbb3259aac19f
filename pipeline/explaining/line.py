"""Explains a line of a dump: its class and rule, the record that it is part of, or why it is in quarantine.

The dump is read again by today's parser; the published rows are read from the snapshot.
"""

from collections.abc import Iterator
from typing import Final

import polars as pl

from parsers._ledger.lines import LineClass, Place
from pipeline.base.settings import UsageError
from pipeline.explaining.dumps import Archive, Reread
from pipeline.publishing.captures import contributing
from pipeline.publishing.store import Snapshot

_AROUND: Final = 3
_SHOWN: Final = 100
"""Lines of a text that are shown before and behind one, and characters of each."""

_MEANS: Final = {
    LineClass.RECORD: "part of a record",
    LineClass.HEADING: "a heading for the items below it",
    LineClass.BOILERPLATE: "boilerplate without data",
    LineClass.REJECTED: "part of an item that was held back",
    LineClass.UNEXPLAINED: "no rule claimed it",
}


def explain_line(path: str, number: int, archive: Archive, snapshot: Snapshot | None) -> Iterator[str]:
    """Yield the explanation of one line, one fact per line. Raises ``UsageError`` for a line that does not exist."""
    source = path.split("/", 1)[0]
    again = archive.reread(path)
    if again.document is None:
        yield again.problem or f"the file cannot be read: {again.reading.error if again.reading else 'no reader'}"
    else:
        yield from _of_document(again, number)
    yield from _published(snapshot, source, path, number, archive)
    for place in again.places:
        if place.number is not None and 0 < abs(place.number - number) <= _AROUND:
            yield f"near, {place.number}: {place.text.strip()[:_SHOWN]}"


def _of_document(again: Reread, number: int) -> Iterator[str]:
    """Yield the facts from today's parser."""
    document, reading = again.document, again.reading
    if document is None or reading is None:
        return
    if document.counts_items and not document.data.lines:
        yield "numbers in this dump count items, not lines, because it is JSON"
    elif number > (last := document.text.count("\n") + 1):
        raise UsageError(f"{again.path}: expected a line number from 1 to {last}, found {number}")
    if reading.error is not None:
        yield f"the whole dump is refused: {reading.error}"
    places = [place for place in again.places if place.number == number]
    for place in places:
        yield f"text: {place.text.strip()}"
        yield f"class: {place.line_class} ({_MEANS[place.line_class]})"
        yield f"rule: {_rule(place)}"
    if not places:
        yield "nothing here: " + (
            "the line is blank" if document.reads_lines else "no text, key or item begins on this line"
        )
    seen, held = (table.filter(pl.col("dump") == again.path) for table in (reading.sightings, reading.quarantine))
    yield from _rows(seen, held, number, "current parser: ")


def _rule(place: Place) -> str:
    """Return the rule of a place and, if its grammar weighed several readings, the price and the next best one."""
    read = place.reading
    if read is None:
        return place.rule or "none"
    other = f"; next best: {read.other}, {read.margin} more" if read.other else ""
    return f"{place.rule or 'none'} (read as {read.role} at price {read.price}{other})"


def _published(snapshot: Snapshot | None, source: str, path: str, number: int, archive: Archive) -> Iterator[str]:
    """Yield the facts from the published tables; else the reason why there are none."""
    if snapshot is None or source not in snapshot.sources:
        yield "published: nothing from this source"
        return
    tables = [snapshot.table(table, source) for table in ("sightings", "quarantine")]
    sightings, held = (None if table is None else table.filter(pl.col("dump") == path) for table in tables)
    lines = list(_rows(sightings, held, number, "published: "))
    yield from lines
    if not lines and (error := archive.error(path)):
        yield f"published: nothing; the dump is refused: {error}"
    elif not lines and archive.capture_of(path) not in contributing(snapshot, source):
        yield "published: nothing from this dump: a newer capture of its page is used, or no refresh has read it yet"


def _rows(sightings: pl.DataFrame | None, held: pl.DataFrame | None, number: int, label: str) -> Iterator[str]:
    """Yield a line for each record and each quarantine row that a line is part of."""
    spans = (pl.col("line_start") <= number) & (number <= pl.col("line_end"))
    for row in [] if sightings is None else sightings.filter(spans).iter_rows(named=True):
        yield f"{label}record {row['record_id']} (lines {row['line_start']}-{row['line_end']})"
    for row in [] if held is None else held.filter(spans).iter_rows(named=True):
        yield f"{label}quarantine: {row['reason']}: {row['detail']}"
