"""Turns the items of one dump into frames of the three tables, with typed columns and clean texts.

A dump has tens of records and a frame forty columns, so the cost of a frame is the number of calls, not of rows:
columns are built from Python values and put together, without a Polars query for each step. Text cleaning belongs to
``pipeline.reading.cleaning``; identity and merging do not belong here.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain
from typing import Any, Final, NamedTuple

import polars as pl

from parsers._contract import Source
from parsers._ledger.document import Document
from pipeline.reading.canonical import country_code
from pipeline.reading.cleaning import LOST, has_controls, lines, may_have_controls, one_line, paragraphs
from pipeline.reading.occurrences import Merged, Occurrence
from schemas.items import Link, Person, Record, Reject, Slot
from schemas.tables import LINK, PERSON, QUARANTINE, RECORDS, SIGHTINGS, SLOT, TEXT_LIMIT, polars_schema

RECORD_TYPES: Final = polars_schema(RECORDS)
SIGHTING_TYPES: Final = polars_schema(SIGHTINGS)
QUARANTINE_TYPES: Final = polars_schema(QUARANTINE)
TYPES: Final = {"records": RECORD_TYPES, "sightings": SIGHTING_TYPES, "quarantine": QUARANTINE_TYPES}

_SEEN: Final = ("line_start", "line_end", "listed_on", "listing_section", "engagement")
_OF_SLOT: Final = tuple(field.name for field in SLOT.fields)
_CLEANED: Final[Mapping[str, Callable[[str], str | None]]] = {
    **dict.fromkeys(
        "native_id type title subtitle language presenter event session_code session_title track arxiv_id doi url "
        "comments journal_ref report_no".split(),
        one_line,
    ),
    **dict.fromkeys(("abstract", "description", "summary"), paragraphs),
    "session_description": lines,
}
_OF_REJECT: Final = ("line_start", "line_end", "reason", "detail")
_LISTS: Final = ("categories", "keywords")
_CODES: Final = ("formats", "notes")
_PLAIN: Final = "kind listed_on published_on listing_section engagement line_start line_end".split()

Column = Sequence[Any] | pl.Series
"""The values of a column, as Python objects or already typed."""


class DumpInfo(NamedTuple):
    """The origin of quarantine rows: the hash of each file of a dump by its path, the dump itself first.

    There are none where the source as a whole failed; the hash is None of a file that could not be read.
    """

    source: str
    files: Mapping[str, str | None]


def record_frame(source: Source, document: Document, merged: Merged) -> pl.DataFrame:
    """Return the ``records`` rows of one dump, in page order, with clean texts."""
    values = _by_field(Record, _with_notes_of_text(document, merged.records.values()))
    slots = [_with_clean_rooms(each) for each in values["slots"]]
    first = _by_field(Slot, [each[0] if each else Slot() for each in slots])
    zone = document.facts.timezone
    columns: dict[str, Column] = {
        **_origins({each.path: each.sha256 for each in document.files}, merged.records.values()),
        "record_id": list(merged.records),
        "timezone": [zone or own if each else None for each, own in zip(slots, values["timezone"], strict=True)],
        **{name: values[name] for name in _PLAIN},
        **{name: _clean(values[name], how) for name, how in _CLEANED.items()},
        **{name: _each_once(_texts, values[name]) for name in _LISTS},
        **{name: _each_once(_codes, values[name]) for name in _CODES},
        **{name: first[name] for name in _OF_SLOT},
        "authors": _people(values["authors"]),
        "chairs": _each_once(_people, values["chairs"]),
        "links": _nest(values["links"], LINK, _flat_links),
        "slots": _slots(slots),
    }
    return _frame(RECORD_TYPES, columns, len(merged.records), _provenance(source))


def _with_notes_of_text(document: Document, records: Iterable[Record]) -> Iterable[Record]:
    """Return the records with notes on the letters in their texts, and on the origin of all of them."""
    if any(may_have_controls(each.text) for each in document.files):
        records = [
            _with_note(record, "controls_removed") if has_controls(_texts_in(record)) else record for record in records
        ]
    if any(lost in each.text for lost in LOST for each in document.files):
        records = [
            _with_note(record, "character_lost") if any(LOST[0] in text for text in _texts_in(record)) else record
            for record in records
        ]
    if document.facts.specimen:
        records = [_with_note(record, "specimen") for record in records]
    return records


def _with_note(record: Record, note: str) -> Record:
    """Return a record with one more note."""
    return record._replace(notes=(*record.notes, note))


def _texts_in(value: object) -> Iterator[str]:
    """Yield all texts in a record, those of its people, slots and links too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts_in(each)


def sighting_frame(source: Source, document: Document, merged: Merged) -> pl.DataFrame:
    """Return the ``sightings`` rows of one dump, in page order."""
    occurrences = merged.occurrences
    zone = document.facts.timezone
    columns: dict[str, Column] = {
        **_origins({each.path: each.sha256 for each in document.files}, [each.record for each in occurrences]),
        "record_id": [occurrence.record_id for occurrence in occurrences],
        "rank": [occurrence.rank for occurrence in occurrences],
        "fields": _each_once(_codes, (_supplied_columns(occurrence, zone) for occurrence in occurrences)),
        **{name: [getattr(occurrence.record, name) for occurrence in occurrences] for name in _SEEN},
    }
    constants = {**_provenance(source), "captured_at": document.facts.captured_at}
    return _frame(SIGHTING_TYPES, columns, len(occurrences), constants)


def _provenance(source: Source) -> dict[str, object]:
    """Return the origin columns that are the same in all rows of a dump."""
    return {"source": source.name, "parser": source.parser}


def _origins(files: Mapping[str, str | None], items: Collection[Record | Reject]) -> dict[str, Column]:
    """Return the file that each item stands in, and its hash; ``files`` has the hashes by path, the dump itself first.

    All items of a dump without companions stand in one.
    """
    dump, sha256 = next(iter(files.items()), (None, None))
    if len(files) < 2:
        made = {"dump": dump, "dump_sha256": sha256}
        return {name: pl.Series(name, [value], pl.String).new_from_index(0, len(items)) for name, value in made.items()}
    paths = [each.dump or dump for each in items]
    return {"dump": paths, "dump_sha256": [files.get(path or "") for path in paths]}


def _frame(
    types: pl.Schema, columns: Mapping[str, Column], height: int, constants: Mapping[str, object]
) -> pl.DataFrame:
    """Return a frame with its columns in the order of their table; a constant fills every row."""
    made = []
    for name, dtype in types.items():
        column = columns.get(name, ())
        if name in constants and constants[name] is not None:
            made.append(pl.Series(name, [constants[name]], dtype).new_from_index(0, height))
        elif isinstance(column, pl.Series):
            made.append(column.alias(name))
        elif any(value is not None for value in column):
            made.append(pl.Series(name, column, dtype))
        else:
            made.append(_null(name, dtype).new_from_index(0, height))
    return pl.DataFrame(made)


@cache
def _null(name: str, dtype: pl.DataType) -> pl.Series:
    """Return one null: most columns of a source are empty, and are made of it."""
    return pl.Series(name, [None], dtype)


@cache
def empty_frame(table: str) -> pl.DataFrame:
    """Return a table without rows."""
    return pl.DataFrame(schema=TYPES[table])


def _supplied_columns(seen: Occurrence, zone: str | None) -> tuple[str, ...] | None:
    """Return the columns that an occurrence gave to its record: its fields, and those derived from its slots."""
    slots = seen.record.slots
    if not slots or "slots" not in seen.supplied:
        return _sorted_columns(seen.supplied, ())
    known = tuple(name for name in _OF_SLOT if getattr(slots[0], name) is not None)
    others = tuple(name for name in seen.supplied if name != "timezone")
    return _sorted_columns(others, (*known, "timezone") if zone or seen.record.timezone else known)


@lru_cache(maxsize=4096)
def _sorted_columns(supplied: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...] | None:
    """Sort column names; cached, since the items of a page supply the same ones again and again."""
    return tuple(sorted((*supplied, *others))) or None


def quarantine_frame(
    info: DumpInfo, stage: str, rejects: Sequence[Reject], record_ids: Sequence[str | None] = ()
) -> pl.DataFrame:
    """Return ``quarantine`` rows; texts are cut at the limit, their lengths and hashes are of the full texts.

    ``record_ids`` are those of the records whose values were left out.
    """
    if not rejects:
        return empty_frame("quarantine")
    texts = [reject.text for reject in rejects]
    columns: dict[str, Column] = {
        **{name: [getattr(reject, name) for reject in rejects] for name in _OF_REJECT},
        "text": [text[:TEXT_LIMIT] or None for text in texts],
        "text_length": [len(text) or None for text in texts],
        "text_sha256": [sha256(text.encode()).hexdigest() if text else None for text in texts],
        "record_id": record_ids or [None] * len(rejects),
    }
    columns |= _origins(info.files, rejects)
    return _frame(QUARANTINE_TYPES, columns, len(rejects), {"source": info.source, "stage": stage})


def _by_field(kind: type[Record | Person | Link | Slot], items: Iterable[tuple[Any, ...]]) -> dict[str, Sequence[Any]]:
    """Turn named tuples of one kind into the values of each field, in one pass."""
    values = list(zip(*items, strict=True)) or [()] * len(kind._fields)
    return dict(zip(kind._fields, values, strict=True))


def _clean(texts: Iterable[str | None], how: Callable[[str], str | None]) -> list[str | None]:
    """Clean the texts of a column."""
    return [None if text is None else how(text) for text in texts]


def _with_clean_rooms(slots: tuple[Slot, ...] | None) -> tuple[Slot, ...] | None:
    """Clean the rooms of slots; cached, since items share rooms."""
    return slots and tuple(slot._replace(room=_room(slot.room)) if slot.room is not None else slot for slot in slots)


_room: Final = lru_cache(maxsize=1024)(one_line)


def _each_once(make: Callable[[list[Any]], pl.Series], values: Iterable[Hashable]) -> pl.Series:
    """Make a column of values that many records share: each distinct value is converted once."""
    places: dict[Hashable, int] = {}
    rows = [places.setdefault(value, len(places)) for value in values]
    made = make(list(places))
    return made.new_from_index(0, len(rows)) if len(places) == 1 else made.gather(rows)


def _codes(values: list[tuple[str, ...] | None]) -> pl.Series:
    """Make a column of lists of codes."""
    return pl.Series(values, dtype=pl.List(pl.String))


def _texts(values: Sequence[tuple[str, ...] | None]) -> pl.Series:
    """Make a column of lists of one-line texts; empty texts are left out, empty lists are null."""
    cleaned = [tuple(filter(None, map(one_line, value))) if value else None for value in values]
    return _nest(cleaned, pl.String(), lambda flat: pl.Series("value", list(flat), pl.String))


def _people(values: Sequence[tuple[Person, ...] | None]) -> pl.Series:
    """Make a column of people, in order."""
    return _nest(values, PERSON, _flat_people)


def _flat_people(people: Iterable[Person]) -> pl.Series:
    """Make one struct per person, with clean texts and the country code."""
    printed = _by_field(Person, people)
    columns: dict[str, Column] = {name: _clean(printed[name], one_line) for name in Person._fields}
    columns["country_code"] = [country and country_code(country) for country in columns["country"]]
    return _structs(columns, PERSON)


def _flat_links(links: Iterable[Link]) -> pl.Series:
    """Make one struct per link, with clean texts."""
    printed = _by_field(Link, links)
    return _structs({name: _clean(printed[name], one_line) for name in Link._fields}, LINK)


def _slots(values: Sequence[tuple[Slot, ...] | None]) -> pl.Series:
    """Make a column of slots, in order."""
    return _nest(values, SLOT, lambda flat: _structs(_by_field(Slot, flat), SLOT))


def _structs(columns: Mapping[str, Column], dtype: pl.Struct) -> pl.Series:
    """Make a column of structs field by field: nested Python values are slow to convert."""
    fields = [pl.Series(field.name, columns[field.name], field.dtype) for field in dtype.fields]
    return pl.DataFrame(fields).to_struct("value")


def _nest(
    values: Sequence[tuple[Any, ...] | None], dtype: pl.DataType, make: Callable[[Iterable[Any]], pl.Series]
) -> pl.Series:
    """Make a column of lists by grouping one flat column of all elements; empty lists are null."""
    owners = [place for place, value in enumerate(values) if value for _ in value]
    if not owners:
        return pl.Series([None] * len(values), dtype=pl.List(dtype))
    flat = pl.DataFrame([pl.Series("owner", owners), make(chain.from_iterable(filter(None, values)))])
    nested = flat.group_by("owner", maintain_order=True).agg("value")["value"]
    if nested.len() == len(values):
        return nested
    places = iter(range(nested.len()))
    return nested.gather(pl.Series([next(places) if value else None for value in values], dtype=pl.UInt32))
