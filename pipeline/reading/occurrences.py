"""Merges the items of one dump: repeats of one record, papers that share a title, items without identity.

One dump may print a record several times (a tutorial in four slots, a paper under two days); this becomes one merged
record and one occurrence per printing. Merging several dumps belongs to ``pipeline.merging.normalize``.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import compress
from typing import Final

from parsers._contract import Family, Source
from pipeline.reading.identity import author_key, is_dated, own_key, record_key, slug
from pipeline.reading.units import UNITS
from schemas.items import Record, Reject, Slot

_NAMES: Final = frozenset(Record._fields)
_FILLED: Final = tuple(
    names for unit in UNITS if (names := tuple(name for name in unit if name in _NAMES and name != "slots"))
)
_SUPPLIED: Final = frozenset((*(name for unit in _FILLED for name in unit), "slots"))


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One printing of a record: its id, its 1-based rank on the page, and the fields it gave to the merged record."""

    record_id: str
    rank: int
    record: Record
    supplied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """The records of one dump by id, in page order, all their occurrences, and the items that have no identity.

    ``shared`` holds the keys shared by papers with one title and different authors; True where the first authors
    differ.
    """

    records: dict[str, Record]
    occurrences: list[Occurrence]
    rejects: list[Reject]
    shared: dict[str, bool]


def merge_occurrences(source: Source, records: Sequence[Record]) -> Merged:
    """Give each item its record id and merge repeats; every item becomes an occurrence or a reject."""
    own = [own_key(source.family, record) if source.prints_ids else None for record in records]
    keys = [None if key else record_key(source.family, record) for key, record in zip(own, records, strict=True)]
    shared = {} if source.family is Family.LISTING else _shared_keys(records, keys)
    merged = Merged({}, [], [], shared)
    undated: dict[str, int] = {}
    for rank, (record, key, printed) in enumerate(zip(records, keys, own, strict=True), 1):
        if printed:
            _add(merged, f"{source.name}:{printed}", rank, record)
        elif key is None:
            detail = "expected a title, an id or a text that tells this item from others"
            merged.rejects.append(_as_reject(record, "incomplete_item", detail))
        elif key in shared and record.authors:
            told_apart = author_key([author.name for author in record.authors], first_only=shared[key])
            _add(merged, f"{source.name}:{key}/{told_apart}", rank, _with_note(record, "key_shared"))
        elif source.family is Family.PROGRAMME and is_dated(record) and not _starts(record):
            # Without a year Monday's coffee break looks like Tuesday's: both are kept, numbered.
            undated[key] = undated.get(key, 0) + 1
            _add(merged, f"{source.name}:{key}" + (f"/{undated[key]}" if undated[key] > 1 else ""), rank, record)
        else:
            _add(merged, f"{source.name}:{key}", rank, record)
    return merged


def _shared_keys(records: Sequence[Record], keys: Sequence[str | None]) -> dict[str, bool]:
    """Return the keys shared by papers with different printed authors; True where the first authors differ."""
    printed = Counter(keys)
    authors: dict[str, dict[str, str]] = {}
    for record, key in zip(records, keys, strict=True):
        if key is not None and printed[key] > 1 and record.authors and not is_dated(record):
            names = [author.name for author in record.authors]
            authors.setdefault(key, {})[author_key(names, first_only=False)] = author_key(names)
    return {key: len(set(lists.values())) == len(lists) for key, lists in authors.items() if len(lists) > 1}


def _add(merged: Merged, record_id: str, rank: int, record: Record) -> None:
    """Add one printing, as a new record or merged into one already seen in this dump."""
    seen = merged.records.get(record_id)
    if seen is None:
        merged.records[record_id] = record
        filled = tuple([value is not None for value in record])
        merged.occurrences.append(Occurrence(record_id, rank, record, _named(filled)))
        return
    newest = record.listed_on is not None and (seen.listed_on is None or record.listed_on > seen.listed_on)
    base, other = (record, seen) if newest else (seen, record)
    if record.title and seen.title and slug(record.title) != slug(seen.title):
        detail = f"expected another id than that of {base.title!r}, found {record_id}"
        merged.rejects.append(_as_reject(other, "id_repeated", detail))
        base = _with_note(base, "id_repeated")
    after = _fill(base, other)._replace(line_start=seen.line_start, line_end=seen.line_end)
    differs = tuple([now != before for now, before in zip(after, seen, strict=True)])
    merged.records[record_id] = after
    merged.occurrences.append(Occurrence(record_id, rank, record, _named(differs)))


@lru_cache(maxsize=4096)
def _named(chosen: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the names of the chosen fields; cached, since the items of a page fill the same ones again and again."""
    return tuple(name for name in compress(Record._fields, chosen) if name in _SUPPLIED)


def _fill(base: Record, other: Record) -> Record:
    """Fill the units that ``base`` lacks from ``other``, and combine the slots and notes of both."""
    changes: dict[str, object] = {
        name: getattr(other, name)
        for unit in _FILLED
        if all(getattr(base, name) is None for name in unit)
        for name in unit
    }
    slots = tuple(sorted({*(base.slots or ()), *(other.slots or ())}, key=_slot_order)) or None
    notes = tuple(sorted({*base.notes, *other.notes}))
    return base._replace(**{**changes, "slots": slots, "notes": notes})  # type: ignore[arg-type]  # fields of Record


def _as_reject(record: Record, reason: str, detail: str) -> Reject:
    """Return the reject of an item: all that is known of it."""
    known = {name: value for name, value in record._asdict().items() if value not in {None, ()}}
    return Reject(record.line_start, record.line_end, repr(known), reason, detail)


def _with_note(record: Record, note: str) -> Record:
    """Add a note code."""
    return record._replace(notes=tuple(sorted({*record.notes, note})))


def _slot_order(slot: Slot) -> tuple[datetime, datetime, str]:
    """Return the sort key of a slot: start, end and room; unknown times come last."""
    return slot.starts_at or datetime.max, slot.ends_at or datetime.max, slot.room or ""


def _starts(record: Record) -> bool:
    """True if the start of a record is known."""
    return bool(record.slots and record.slots[0].starts_at)
