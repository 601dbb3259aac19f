"""Explains a line of a dump: its class and rule, the record that it is part of, or why it is in quarantine.

The dump is read again by today's parser; the published rows are read from the snapshot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from parsers._ledger.lines import Place
from pipeline.base.settings import UsageError
from pipeline.explaining.dumps import Archive, Reread
from pipeline.publishing.captures import contributing
from pipeline.publishing.store import Snapshot

_AROUND: Final = 3
"""Lines of a text that are shown before and behind one."""


@dataclass(frozen=True, slots=True)
class LineUse:
    """What a line is part of: ids with first and last line of records, reasons with details of what was held back."""

    records: tuple[tuple[str, int, int], ...] = ()
    held_back: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """What became of a line: by today's parser, and in what is published.

    ``remarks`` say what is to be known first, such as that the dump is refused. ``places`` are what the parser claimed
    on the line, ``near`` what stands around it. ``unpublished`` says why nothing of the line is published, if known.
    """

    dump: str
    number: int
    remarks: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    now: LineUse = LineUse()
    published: LineUse = LineUse()
    unpublished: str | None = None
    near: tuple[Place, ...] = ()


def explain_line(path: str, number: int, archive: Archive, snapshot: Snapshot | None) -> ExplainedLine:
    """Explain one line of a dump. Raises ``UsageError`` for a line that does not exist."""
    again = archive.reread(path)
    published, unpublished = _published(snapshot, path, number, archive)
    return ExplainedLine(
        path,
        number,
        tuple(_remarks(again, number)),
        tuple(place for place in again.places if place.number == number),
        _used_now(again, number),
        published,
        unpublished,
        tuple(each for each in again.places if each.number is not None and 0 < abs(each.number - number) <= _AROUND),
    )


def _remarks(again: Reread, number: int) -> Iterator[str]:
    """Yield what is to be known before the rules of a line. Raises ``UsageError`` for a line that does not exist."""
    document, reading = again.document, again.reading
    if document is None or reading is None:
        yield again.problem or f"the file cannot be read: {reading.error if reading else 'no reader'}"
        return
    if document.counts_items and not document.data.lines:
        yield "numbers in this dump count items, not lines, because it is JSON"
    elif number > (last := document.text.count("\n") + 1):
        raise UsageError(f"{again.path}: expected a line number from 1 to {last}, found {number}")
    if reading.error is not None:
        yield f"the whole dump is refused: {reading.error}"
    if all(place.number != number for place in again.places):
        yield "nothing here: " + (
            "the line is blank" if document.reads_lines else "no text, key or item begins on this line"
        )


def _used_now(again: Reread, number: int) -> LineUse:
    """Return what today's parser makes of a line."""
    if again.document is None or again.reading is None:
        return LineUse()
    return _use(again.reading.sightings, again.reading.quarantine, again.path, number)


def _published(snapshot: Snapshot | None, path: str, number: int, archive: Archive) -> tuple[LineUse, str | None]:
    """Return what is published of a line; or why there is nothing, if that is known."""
    source = path.split("/", 1)[0]
    if snapshot is None or source not in snapshot.sources:
        return LineUse(), "nothing from this source"
    use = _use(snapshot.table("sightings", source), snapshot.table("quarantine", source), path, number)
    if use != LineUse():
        return use, None
    if error := archive.error(path):
        return use, f"nothing; the dump is refused: {error}"
    if archive.capture_of(path) not in contributing(snapshot, source):
        return use, "nothing from this dump: a newer capture of its page is used, or no refresh has read it yet"
    return use, None


def _use(sightings: pl.DataFrame | None, held: pl.DataFrame | None, path: str, number: int) -> LineUse:
    """Return the records and the rows of the quarantine that a line is part of."""
    is_there = (pl.col("dump") == path) & (pl.col("line_start") <= number) & (number <= pl.col("line_end"))
    records, rows = (None if table is None else table.filter(is_there) for table in (sightings, held))
    return LineUse(
        () if records is None else tuple(records.select("record_id", "line_start", "line_end").iter_rows()),
        () if rows is None else tuple(rows.select("reason", "detail").iter_rows()),
    )
