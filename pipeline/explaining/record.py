"""Explains a record: the dump and lines of each field, the values in other captures, and its history.

Published values are read from the snapshot; rules and readings come from today's parser, which reads the dumps again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

import polars as pl

from parsers._ledger.lines import LineClass, Place
from pipeline.explaining.dumps import Archive, Reread
from pipeline.publishing.captures import contributing
from pipeline.publishing.changes import PROVENANCE
from pipeline.publishing.plain import as_text
from pipeline.publishing.store import CHANGES_FILE, Snapshot
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from pipeline.reading.units import FIXED, SESSION
from schemas.tables import RECORDS

MOST_CAPTURES: Final = 12
"""Maximum number of other captures of the same pages that are read: each takes some milliseconds."""

MOST_RULES: Final = 4
"""Maximum number of rules named for an item if none of its lines prints a value."""

_OF_SIDECAR: Final = frozenset({"event", "timezone"})
"""Columns that a sidecar can give; it takes precedence over the page."""

_TAG: Final = re.compile(r"<[\w:.-]+> ")
_CODES: Final = frozenset({"country_code", "rel"})
"""Computed fields of people and links, which a page does not print."""

_LONG: Final = 12
"""Characters that make a text too long for a match by accident."""

_NOON: Final = 12

_LETTER: Final = r"[^\W\d_]"  # a time may be joined to the text after it

Span: TypeAlias = tuple[int | None, int | None]
"""The first and the last line of an item; None where the source has no lines."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """A column of a record: its value as text, its place and its rule; None if these are not known."""

    column: str
    value: str
    place: str | None
    rule: str | None


@dataclass(frozen=True, slots=True)
class Contribution:
    """The record in one capture: its place, a remark, and the columns that it gave.

    ``otherwise`` maps each column that is published with another value to the text of this capture.
    """

    place: str
    remark: str
    gave: tuple[str, ...]
    otherwise: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change of the record in a snapshot: its id, the kind of change, columns with old and new text."""

    snapshot: str
    change: str
    values: tuple[tuple[str, str | None, str | None], ...]


@dataclass(frozen=True, slots=True)
class ExplainedRecord:
    """What is known of the origin of a published record.

    ``row`` are its values, ``folder`` the snapshot. ``sightings`` are the captures that feed it, ``beside`` others of
    the same pages, both newest first, as are ``history`` and ``kept``, the ids of the snapshots that are kept.
    """

    row: Mapping[str, Any]
    folder: Path
    fields: tuple[Provenance, ...]
    sightings: tuple[Contribution, ...]
    beside: tuple[Contribution, ...]
    history: tuple[PastChange, ...]
    kept: tuple[str, ...]


def explain_record(
    found: pl.DataFrame, snapshot: Snapshot, archive: Archive, kept: Sequence[Snapshot]
) -> ExplainedRecord:
    """Explain the record of one row of a snapshot. Raises ``StoreError`` where its sightings are damaged."""
    row, texts = found.row(0, named=True), as_text(found).row(0, named=True)
    record_id, source = row["record_id"], row["source"]
    table = snapshot.table("sightings", source)
    sightings = [] if table is None else newest_first(table.filter(pl.col("record_id") == record_id))
    return ExplainedRecord(
        row,
        snapshot.folder,
        tuple(fields_of(row, sightings, archive)),
        tuple(contributions_of(record_id, texts, sightings, archive)),
        tuple(unused_captures_of(record_id, texts, sightings, contributing(snapshot, source), archive)),
        tuple(history_of(record_id, kept)),
        tuple(each.id for each in kept),
    )


def fields_of(row: Mapping[str, Any], sightings: Sequence[Mapping[str, Any]], archive: Archive) -> Iterator[Provenance]:
    """Yield every column of a record that has a value, in the order of the table, with the sighting that gave it."""
    texts = as_text(pl.DataFrame([row], schema_overrides={name: each.dtype for name, each in RECORDS.columns.items()}))
    for column, value in texts.row(0, named=True).items():
        if value is None or column in PROVENANCE or column in {"record_id", "source"}:
            continue
        giver = next((seen for seen in sightings if column in (seen["fields"] or ())), None)
        if giver is None:
            place = None if column in FIXED else "computed by the pipeline"
            yield Provenance(column, value, place, None)
        else:
            yield _traced(column, value, row[column], giver, archive)


def _traced(column: str, value: str, typed: object, seen: Mapping[str, Any], archive: Archive) -> Provenance:
    """Return where in its dump a column is printed; if it is not, the lines and rules of the whole item."""
    again = archive.reread(seen["dump"], seen["dump_sha256"])
    if again.problem is not None or again.changed:
        return Provenance(column, value, place_of(seen), None)
    if column in _OF_SIDECAR and again.dump is not None and getattr(again.dump.facts, column) == typed:
        return Provenance(column, value, f"{seen['dump']}{SIDECAR_SUFFIX}", column)
    span = (seen["line_start"], seen["line_end"])
    if found := trace(typed, span, again.places, of_heading=column in SESSION):
        rules = ", ".join(dict.fromkeys(place.rule or place.line_class for place in found))
        return Provenance(column, value, lines_of(seen["dump"], [place.number for place in found]), rules)
    rules = ", ".join(rules_in(span, again.places)[:MOST_RULES])
    return Provenance(
        column, value, place_of(seen), f"not found literally; rules of the item: {rules}" if rules else None
    )


def contributions_of(
    record_id: str, published: Mapping[str, str | None], sightings: Sequence[Mapping[str, Any]], archive: Archive
) -> Iterator[Contribution]:
    """Yield the record in each capture that feeds it, newest first; ``published`` are its published texts."""
    for seen in sightings:
        again = archive.reread(seen["dump"], seen["dump_sha256"])
        remarks = [f"captured {seen['captured_at']}" if seen["captured_at"] else "", _listed(seen), _state(again)]
        gave = tuple(seen["fields"] or ())
        otherwise = {} if again.changed else _otherwise(again, record_id, published)
        yield Contribution(place_of(seen), ", ".join(filter(None, remarks)), gave, otherwise)


def unused_captures_of(
    record_id: str,
    published: Mapping[str, str | None],
    sightings: Sequence[Mapping[str, Any]],
    owners: Mapping[str, str],
    archive: Archive,
) -> Iterator[Contribution]:
    """Yield the record in captures of the same pages that do not feed it: older ones, and those that failed."""
    known = {archive.capture_of(seen["dump"]) for seen in sightings}
    pages = dict.fromkeys(owners[path] for path in sorted(known) if path in owners)
    others = (dump for page in pages for dump in archive.others_of(page, known))
    for dump in islice(others, MOST_CAPTURES):
        again, error = archive.reread(dump.path), archive.error(dump.path)
        said = again.says_of(record_id)
        line = None if said is None else said[0]["line_start"]
        place = dump.path if line is None else f"{dump.path}:{line}"
        captured = f"captured {dump.facts.captured_at}" if dump.facts.captured_at else ""
        why = f"refused: {error}" if error else _state(again) or ("" if said else "has no record with this id")
        yield Contribution(place, ", ".join(filter(None, (captured, why))), (), _otherwise(again, record_id, published))


def history_of(record_id: str, kept: Sequence[Snapshot]) -> Iterator[PastChange]:
    """Yield the changes of a record in the kept snapshots, newest first; a damaged change feed is skipped."""
    for snapshot in kept:
        if not snapshot.agrees(CHANGES_FILE):
            continue
        feed = pl.scan_parquet(snapshot.folder / CHANGES_FILE, glob=False).filter(pl.col("record_id") == record_id)
        for row in feed.collect().iter_rows(named=True):
            values = [(each["column"], each["before"], each["after"]) for each in row["values"] or ()]
            yield PastChange(snapshot.id, row["change"], tuple(values))


def place_of(seen: Mapping[str, Any]) -> str:
    """Return dump and lines of a sighting."""
    start, end = seen["line_start"], seen["line_end"]
    return seen["dump"] if start is None else lines_of(seen["dump"], range(start, (end or start) + 1))


def lines_of(dump: str, numbers: Iterable[int | None]) -> str:
    """Return a dump with some of its lines, as in ``dump:3-5,9``."""
    runs: list[list[int]] = []
    for number in sorted({number for number in numbers if number is not None}):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{dump}:{shown}" if shown else dump


def newest_first(sightings: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the sightings of a record, newest first: in the order of the merge, but for outdated lists of a day."""
    order = ["listed_on", "captured_at", "dump", "rank"]
    ordered = sightings.sort(order, descending=[True, True, True, False], nulls_last=True)
    return list(ordered.iter_rows(named=True))


def _listed(seen: Mapping[str, Any]) -> str:
    """Return the remark on the listing day of a sighting; empty without one."""
    return f"listed on {seen['listed_on']}" if seen["listed_on"] else ""


def _state(again: Reread) -> str:
    """Return the remark on why a dump cannot be compared with its published rows today; empty if it can."""
    if again.problem is not None:
        return again.problem
    if again.changed:
        return "the file has changed since then"
    return (
        f"refused by the current parser: {again.reading.error}"
        if again.reading is not None and again.reading.error
        else ""
    )


def _otherwise(again: Reread, record_id: str, published: Mapping[str, str | None]) -> dict[str, str]:
    """Return the columns whose text in a dump is not the published one."""
    said = again.says_of(record_id)
    if said is None:
        return {}
    return {
        column: text
        for column, text in said[1].items()
        if text is not None and column not in PROVENANCE and text != published.get(column)
    }


def trace(value: object, span: Span, places: Sequence[Place], *, of_heading: bool = False) -> list[Place]:
    """Return the places that print a value of the record in the lines of ``span``, both inclusive; empty if none does.

    Parsers do not record which line gave which field, so the value is searched for as it is printed: first in the lines
    of the item, then in the nearest heading above. A computed value, such as an end inferred from the next start, is
    printed nowhere. For a list or a struct these are the places of all its parts. With ``of_heading`` the headings
    above are searched first: a talk may have a word of its session in its title.
    """
    start, end = span
    if start is None or end is None:
        return []
    found: dict[int, Place] = {}
    numbered = [(place.number, place) for place in places if place.number is not None]
    inside = [place for number, place in numbered if start <= number <= end]
    above = [place for number, place in reversed(numbered) if number < start]
    headings = [place for place in above if place.line_class is LineClass.HEADING]
    for part in _parts(value):
        forms = list(dict.fromkeys(_forms(part)))
        for whole in (True, False):
            printed = [place for place in inside if _prints(place, forms, whole=whole)]
            nearest = list(islice((place for place in headings if _prints(place, forms, whole=whole)), 1))
            if shown := (nearest or printed) if of_heading else (printed or nearest):
                found |= {id(place): place for place in shown}
                break
    return sorted(found.values(), key=lambda place: place.number or 0)


def rules_in(span: Span, places: Iterable[Place]) -> list[str]:
    """Return the names of the rules that claimed the lines of a record, in order, each once."""
    start, end = span
    if start is None or end is None:
        return []
    inside = (place for place in places if place.number is not None and start <= place.number <= end)
    return list(dict.fromkeys(place.rule for place in inside if place.rule is not None))


def _prints(place: Place, forms: Iterable[str], *, whole: bool) -> bool:
    """True if a place contains one of some texts as a whole, or else is a piece of one, too long for an accident."""
    shown = _fold(_TAG.sub("", place.text, count=1))  # the tag before a text of HTML and XML
    if whole:
        return any(_whole(form).search(shown) for form in forms)
    return len(shown) >= _LONG and any(shown in form for form in forms)


@cache
def _whole(form: str) -> re.Pattern[str]:
    """Return the pattern of a text; a short text must not be part of a longer word or number."""
    if len(form) >= _LONG:  # some texts are joined to a label
        return re.compile(re.escape(form))
    first, last = form[0], form[-1]
    before = r"(?<!\d)(?<!\d[.,])" if first.isdigit() else rf"(?<!{_LETTER})" if first.isalpha() else ""
    after = r"(?!\d)" if last.isdigit() else rf"(?!{_LETTER})" if last.isalpha() else ""
    return re.compile(before + re.escape(form) + after)


def _fold(text: str) -> str:
    """Return a text in lower case with single spaces, since pages vary case and line breaks."""
    return " ".join(text.split()).casefold()


def _parts(value: object) -> Iterator[object]:
    """Yield the plain values in a value: from the elements of lists and the fields of structs."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in _CODES:
                yield from _parts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each)
    elif value is not None:
        yield value


def _forms(value: object) -> Iterator[str]:
    """Yield a plain value as pages print it: a text itself, a time, day or number in its usual notations."""
    match value:
        case datetime():
            yield from _times(value.hour, f"{value.minute:02}")
        case date():
            yield from _days(value)
        case int():
            yield from (str(value), f"{value:,}")
        case _:
            if form := _fold(str(value)):
                yield form


def _times(hour: int, minute: str) -> Iterator[str]:
    """Yield the notations of a time of day."""
    yield from (f"{hour:02}:{minute}", f"{hour}:{minute}", f"{hour}.{minute}", f"{hour}h{minute}")
    half = "am" if hour < _NOON else "pm"
    yield from (f"{hour % _NOON or _NOON}:{minute} {half}", f"{hour % _NOON or _NOON}:{minute}{half}")


def _days(day: date) -> Iterator[str]:
    """Yield the notations of a day: ISO, and others without the year, which few pages repeat."""
    yield day.isoformat()
    ordinal = "th" if 10 < day.day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    for month in (f"{day:%B}".casefold(), f"{day:%b}".casefold()):
        for number in (str(day.day), f"{day.day:02}"):
            yield from (f"{month} {number}", f"{number} {month}", f"{month} {number}{ordinal}")
