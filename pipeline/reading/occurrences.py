"""Merges the items of one dump: repeats of one record, papers that share a title, items without identity.

One dump may print a record several times (a tutorial in four slots, a paper under two days); this becomes one merged
record and one occurrence per printing. An item with the key of another one and other texts or people is a record of its
own. Merging several dumps belongs to ``pipeline.merging.normalize``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, compress, count
from typing import Final

from parsers._contract import Family, Source
from pipeline.reading.identity import author_key, is_dated, own_key, record_key, slug
from pipeline.reading.units import UNITS
from schemas.items import Record, Reject, Slot

_JOINT: Final = " / "
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
    known: list[tuple[int, str, Record]] = []
    undated = Counter[str]()
    for rank, (record, key, printed) in enumerate(zip(records, keys, own, strict=True), 1):
        identity, noted = printed or key, record
        if identity is None:
            detail = "expected a title, an id or a text that tells this item from others"
            merged.rejects.append(_as_reject(record, "incomplete_item", detail))
            continue
        if key in shared and record.authors:
            told_apart = author_key([author.name for author in record.authors], first_only=shared[key])
            identity, noted = f"{key}/{told_apart}", _with_note(record, "key_shared")
        elif key and source.family is Family.PROGRAMME and is_dated(record) and not _starts(record):
            # Without a year Monday's coffee break looks like Tuesday's: both are kept, numbered.
            undated[key] += 1
            identity = f"{key}/{undated[key]}" if undated[key] > 1 else key
        known.append((rank, f"{source.name}:{identity}", noted))
    if source.prints_ids or source.family is Family.PROGRAMME:  # the others print one paper again as it changes
        known = _divide(known, prints_ids=source.prints_ids)
    for rank, record_id, record in known:
        _add(merged, record_id, rank, record)
    return merged


def _divide(known: Sequence[tuple[int, str, Record]], *, prints_ids: bool) -> list[tuple[int, str, Record]]:
    """Give each item an id of its own that has that of an earlier one and other texts or people; all get a note.

    A published id stays with the item that has it: the first one on the page.
    """
    divided, taken = list(known), {record_id for _, record_id, _ in known}
    for alike in _alike(known):
        first, *others = alike
        record_id, holder = known[first[0]][1:]
        note = "id_repeated" if prints_ids and holder.native_id else "key_shared"
        for group in others:
            told_apart = f"{record_id}/{_told_apart(known[group[0]][2], holder)}"
            numbered = (f"{told_apart}/{number}" for number in count(2))
            own = next(each for each in chain([told_apart], numbered) if each not in taken)
            taken.add(own)
            for place in group:
                divided[place] = (known[place][0], own, _with_note(known[place][2], note))
        for place in first:
            divided[place] = (known[place][0], record_id, _with_note(known[place][2], note))
    return divided


def _alike(known: Sequence[tuple[int, str, Record]]) -> Iterator[list[list[int]]]:
    """Yield the places of the items that share an id but are several, in a group for each.

    A field that two of them print differently tells them apart; then those without it are another one, too. A talk that
    is printed again without its abstract stays one.
    """
    places = defaultdict(list)
    for place, (_, record_id, _) in enumerate(known):
        places[record_id].append(place)
    for shared in places.values():
        if len(shared) > 1:
            values = [_telling(known[place][2]) for place in shared]
            differs = [len({*each} - {None}) > 1 for each in zip(*values, strict=True)]
            groups: dict[tuple[str | None, ...], list[int]] = {}
            for place, each in zip(shared, values, strict=True):
                groups.setdefault(tuple(compress(each, differs)), []).append(place)
            if len(groups) > 1:
                yield list(groups.values())


def _telling(record: Record) -> tuple[str | None, ...]:
    """Return what tells an item from another one with its id: title, subtitle, people and texts, in one form."""
    people = " ".join(author.name for author in record.authors or ())
    texts = (record.title, record.subtitle, people, record.abstract, record.description, record.summary)
    return tuple(slug(text) if text else None for text in texts)


def _told_apart(record: Record, other: Record) -> str:
    """Return the part of a key that tells an item from another one: title, subtitle or people, else its start."""
    named = zip(_telling(record)[:3], _telling(other)[:3], strict=True)
    starts_at = record.slots[0].starts_at if record.slots else None
    start = f"{starts_at:%Y-%m-%dT%H:%M}" if starts_at else "undated"
    return next((name for name, others in named if name and name != others), start)


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
    after = _fill(base, other)._replace(line_start=seen.line_start, line_end=seen.line_end, dump=seen.dump)
    differs = tuple([now != before for now, before in zip(after, seen, strict=True)])
    merged.records[record_id] = after
    merged.occurrences.append(Occurrence(record_id, rank, record, _named(differs)))


@lru_cache(maxsize=4096)
def _named(chosen: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the names of the chosen fields; cached, since the items of a page fill the same ones again and again."""
    return tuple(name for name in compress(Record._fields, chosen) if name in _SUPPLIED)


def _fill(base: Record, other: Record) -> Record:
    """Fill the units that ``base`` lacks from ``other``, and combine slots, types and notes of both.

    Without times only the titles of its sessions tell that an item is printed again; else that of the first stands, and
    another one is told.
    """
    changes: dict[str, object] = {
        name: getattr(other, name)
        for unit in _FILLED
        if all(getattr(base, name) is None for name in unit)
        for name in unit
    }
    printed = {*(base.slots or ()), *(other.slots or ())}
    roomless = {slot._replace(room=None) for slot in printed if slot.room is not None}
    slots = tuple(sorted(printed - roomless, key=_slot_order)) or None
    notes = {*base.notes, *other.notes}
    changes["type"] = _joined(base.type, other.type)
    if base.session_title and other.session_title:
        both = _joined(base.session_title, other.session_title)
        if not (_starts(base) or _starts(other)):
            changes["session_title"] = both
        elif both != base.session_title:
            notes.add("field_unread")
    return base._replace(**{**changes, "slots": slots, "notes": tuple(sorted(notes))})  # type: ignore[arg-type]  # fields of Record


def _joined(first: str | None, second: str | None) -> str | None:
    """Return two values as one text, what both have once; case and signs do not tell them apart."""
    known = first.split(_JOINT) if first else []
    new = [part for part in second.split(_JOINT) if slug(part) not in map(slug, known)] if second else []
    return _JOINT.join((*known, *new)) or None


def _as_reject(record: Record, reason: str, detail: str) -> Reject:
    """Return the reject of an item: all that is known of it."""
    known = {name: value for name, value in record._asdict().items() if value not in {None, ()}}
    return Reject(record.line_start, record.line_end, repr(known), reason, detail, record.dump)


def _with_note(record: Record, note: str) -> Record:
    """Add a note code."""
    return record._replace(notes=tuple(sorted({*record.notes, note})))


def _slot_order(slot: Slot) -> tuple[datetime, datetime, str]:
    """Return the sort key of a slot: start, end and room; unknown times come last."""
    return slot.starts_at or datetime.max, slot.ends_at or datetime.max, slot.room or ""


def _starts(record: Record) -> bool:
    """True if the start of a record is known."""
    return bool(record.slots and record.slots[0].starts_at)
