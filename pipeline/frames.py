"""From the items of one dump to frames of the three tables: columns are typed here, once, and texts are cleaned.

Cleaning is what is the same for every source: Unicode NFC, one blank for every run of white space, paragraphs one
blank line apart. Identity and merging do not belong here.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Sized
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from typing import Any, Final, NamedTuple

import polars as pl

from parsers._contract import Document, Source
from pipeline.canonical import country_codes
from pipeline.occurrences import Merged, Occurrence
from schemas.items import Person, Record, Reject, Slot
from schemas.tables import PERSON, QUARANTINE, RECORDS, SIGHTINGS, SLOT, TEXT_LIMIT, polars_schema

RECORD_TYPES: Final = polars_schema(RECORDS)
SIGHTING_TYPES: Final = polars_schema(SIGHTINGS)
QUARANTINE_TYPES: Final = polars_schema(QUARANTINE)
_TYPES: Final[Mapping[str, Any]] = {**SIGHTING_TYPES, **RECORD_TYPES}

_SEEN: Final = ("line_start", "line_end", "listed_on", "listing_section", "engagement")
_OF_SLOT: Final = tuple(field.name for field in SLOT.fields)
_PARAGRAPHED: Final = ("abstract", "summary")
_LINED: Final = ("session_description",)
_ONE_LINE: Final = (
    "native_id title presenter event session_code session_title track arxiv_id doi url comments journal_ref report_no"
).split()
_LISTS: Final = ("categories", "keywords")
_CODES: Final = ("formats", "notes")
_PLAIN: Final = "kind listed_on published_on listing_section engagement line_start line_end".split()

_PRINTED: Final = pl.Struct([field for field in PERSON.fields if field.name != "country_code"])

# What a text must hold for cleaning to change it: a whole dump is cleaned in the time that it takes to look. Letters
# below U+0300 and the usual dashes and quotation marks are the same in NFC whatever stands beside them.
_NOT_NFC: Final = r"[^\x00-\x{2ff}\x{2010}-\x{2027}]"
_UNTIDY: Final = rf"^$|^\s|\s$|\s\s|[^\S ]|{_NOT_NFC}"
_UNTIDY_LINES: Final = rf"^$|^\s|\s$|  | \n|\n |\n\n|[^\S \n]|{_NOT_NFC}"
_UNTIDY_PARAGRAPHS: Final = rf"^$|^\s|\s$|  | \n|\n |\n\n\n|[^\n]\n[^\n]|[^\S \n]|{_NOT_NFC}"


class DumpInfo(NamedTuple):
    """What a quarantine row says about where it comes from; None where the source as a whole failed."""

    source: str
    dump: str | None
    sha256: str | None


def record_frame(source: Source, document: Document, merged: Merged) -> pl.DataFrame:
    """Make the ``records`` rows of one dump, in page order, texts cleaned."""
    values = _by_field(Record, merged.records.values())
    frame = pl.DataFrame(
        {
            "record_id": pl.Series(list(merged.records), dtype=pl.String),
            **{name: _column(name, values[name]) for name in (*_PLAIN, *_ONE_LINE, *_PARAGRAPHED, *_LINED)},
            **{name: _each_once(_texts, values[name]) for name in _LISTS},
            **{name: _each_once(_codes, values[name]) for name in _CODES},
            "authors": _people(values["authors"]),
            "chairs": _each_once(_people, values["chairs"]),
            "slots": _slots(values["slots"]),
        }
    )
    filled = {column.name for column in frame if column.null_count() < frame.height}
    first = pl.col("slots").list.first().struct
    return frame.with_columns(
        *(one_line(pl.col(name)) for name in _ONE_LINE if name in filled),
        *(paragraphs(pl.col(name)) for name in _PARAGRAPHED if name in filled),
        *(lines(pl.col(name)) for name in _LINED if name in filled),
        source=pl.lit(source.name),
        parser=pl.lit(source.parser),
        dump=pl.lit(document.path),
        dump_sha256=pl.lit(document.sha256),
        timezone=pl.when(pl.col("slots").is_not_null()).then(pl.lit(document.facts.timezone, pl.String)),
        starts_at=first.field("starts_at"),
        ends_at=first.field("ends_at"),
        room=first.field("room"),
    ).select(RECORD_TYPES.names())


def sighting_frame(source: Source, document: Document, merged: Merged) -> pl.DataFrame:
    """Make the ``sightings`` rows of one dump, in page order."""
    occurrences = merged.occurrences
    zone = document.facts.timezone
    seen = [occurrence.record for occurrence in occurrences]
    frame = pl.DataFrame(
        {
            "record_id": pl.Series([occurrence.record_id for occurrence in occurrences], dtype=pl.String),
            "rank": pl.Series([occurrence.rank for occurrence in occurrences], dtype=SIGHTING_TYPES["rank"]),
            "fields": _each_once(_codes, (_supplied_columns(occurrence, zone) for occurrence in occurrences)),
            **{name: _column(name, [getattr(record, name) for record in seen]) for name in _SEEN},
        }
    )
    return frame.with_columns(
        source=pl.lit(source.name),
        parser=pl.lit(source.parser),
        dump=pl.lit(document.path),
        dump_sha256=pl.lit(document.sha256),
        captured_at=pl.lit(document.facts.captured_at, pl.Datetime("us")),
    ).select(SIGHTING_TYPES.names())


def _supplied_columns(seen: Occurrence, zone: str | None) -> tuple[str, ...] | None:
    """Name the columns that an occurrence gave to its record: its fields, and what follows from its slots."""
    slots = seen.record.slots
    if not slots or "slots" not in seen.supplied:
        return _in_order(seen.supplied, ())
    known = tuple(name for name in _OF_SLOT if getattr(slots[0], name) is not None)
    return _in_order(seen.supplied, (*known, "timezone") if zone else known)


@lru_cache(maxsize=4096)
def _in_order(supplied: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...] | None:
    """Sort the names of columns; the items of a page supply the same ones again and again."""
    return tuple(sorted((*supplied, *others))) or None


def quarantine_frame(info: DumpInfo, stage: str, rejects: Sequence[Reject]) -> pl.DataFrame:
    """Make ``quarantine`` rows; the text of each is cut at its limit, its length and hash are of the whole."""
    if not rejects:
        return pl.DataFrame(schema=QUARANTINE_TYPES)
    rows = [
        {
            "line_start": reject.line_start,
            "line_end": reject.line_end,
            "reason": reject.reason,
            "detail": reject.detail,
            "text": reject.text[:TEXT_LIMIT] or None,
            "text_length": len(reject.text) if reject.text else None,
            "text_sha256": sha256(reject.text.encode()).hexdigest() if reject.text else None,
        }
        for reject in rejects
    ]
    names = ("line_start", "line_end", "reason", "detail", "text", "text_length", "text_sha256")
    frame = pl.DataFrame(rows, schema={name: QUARANTINE_TYPES[name] for name in names})
    return frame.with_columns(
        source=pl.lit(info.source),
        dump=pl.lit(info.dump, pl.String),
        dump_sha256=pl.lit(info.sha256, pl.String),
        stage=pl.lit(stage),
        record_id=pl.lit(None, pl.String),
    ).select(QUARANTINE_TYPES.names())


def one_line(text: pl.Expr) -> pl.Expr:
    """Unicode NFC, every run of white space one blank, nothing at the ends; what is empty then is null."""
    return _cleaned(text, _UNTIDY, lambda each: each.str.replace_all(r"\s+", " "))


def lines(text: pl.Expr) -> pl.Expr:
    """As ``one_line``, but line by line: a line feed stays one."""
    return _cleaned(
        text,
        _UNTIDY_LINES,
        lambda each: each.str.replace_all(r"[^\S\n]+", " ").str.replace_all(r" ?\n\s*", "\n"),
    )


def paragraphs(text: pl.Expr) -> pl.Expr:
    """As ``one_line``, but paragraph by paragraph: they are separated by one blank line."""
    return _cleaned(
        text,
        _UNTIDY_PARAGRAPHS,
        lambda each: (
            each.str.replace_all(r"\n[^\S\n]*\n\s*", "\u2029")
            .str.replace_all(r"[^\S\u2029]+", " ")
            .str.replace_all(r" ?\u2029\s*", "\n\n")
        ),
    )


def _cleaned(text: pl.Expr, untidy: str, fold: Callable[[pl.Expr], pl.Expr]) -> pl.Expr:
    """Bring the texts that match ``untidy`` into Unicode NFC and fold their white space; leave all others alone."""
    is_untidy = text.str.contains(untidy)
    folded = fold(pl.when(is_untidy).then(text).str.normalize("NFC")).str.strip_chars()
    return pl.when(is_untidy).then(pl.when(folded != "").then(folded)).otherwise(text)


def _by_field(kind: type[Record | Person | Slot], items: Iterable[tuple[Any, ...]]) -> dict[str, Sequence[Any]]:
    """Turn named tuples of one kind into the values of each field, without asking each tuple for each of them."""
    values = list(zip(*items, strict=True)) or [()] * len(kind._fields)
    return dict(zip(kind._fields, values, strict=True))


def _column(name: str, values: Sequence[object]) -> pl.Series:
    """Make the column of one field."""
    return pl.Series(name, values, _TYPES[name])


def _each_once(make: Callable[[list[Any]], pl.Series], values: Iterable[Hashable]) -> pl.Series:
    """Make a column whose values stand in record after record: each is converted once."""
    places: dict[Hashable, int] = {}
    rows = [places.setdefault(value, len(places)) for value in values]
    return make(list(places)).gather(rows)


def _codes(values: list[tuple[str, ...] | None]) -> pl.Series:
    """Make a column of lists of codes."""
    return pl.Series(values, dtype=pl.List(pl.String))


def _texts(values: Sequence[tuple[str, ...] | None]) -> pl.Series:
    """Make a column of lists of texts, each in one line; texts that are empty then are left out, and so are lists."""
    if not any(values):
        return _nothing(values, pl.String())
    flat = pl.DataFrame({"value": pl.Series(list(chain.from_iterable(filter(None, values))), dtype=pl.String)})
    return _nest(flat.select(one_line(pl.col("value"))), values, pl.String())


def _people(values: Sequence[tuple[Person, ...] | None]) -> pl.Series:
    """Make a column of people, in order."""
    if not any(values):
        return _nothing(values, PERSON)
    people = _flat(Person, values, _PRINTED).select(one_line(pl.all()))
    people = people.with_columns(country_codes(people["country"]).alias("country_code"))
    return _nest(people.select(value=pl.struct(pl.all())), values, PERSON)


def _slots(values: Sequence[tuple[Slot, ...] | None]) -> pl.Series:
    """Make a column of slots, in order."""
    if not any(values):
        return _nothing(values, SLOT)
    slots = _flat(Slot, values, SLOT).with_columns(one_line(pl.col("room")))
    return _nest(slots.select(value=pl.struct(pl.all())), values, SLOT)


def _nothing(values: Sized, dtype: pl.DataType) -> pl.Series:
    """Make a column of lists where no record has any, without the work for what is not there."""
    return pl.Series([None] * len(values), dtype=pl.List(dtype))


def _flat(
    kind: type[Person | Slot], values: Sequence[tuple[Person | Slot, ...] | None], dtype: pl.Struct
) -> pl.DataFrame:
    """Make one row of each person or slot: nested Python values are slow to convert."""
    flat = _by_field(kind, chain.from_iterable(filter(None, values)))
    return pl.DataFrame({field.name: pl.Series(flat[field.name], dtype=field.dtype) for field in dtype.fields})


def _nest(flat: pl.DataFrame, values: Sequence[Sized | None], dtype: pl.DataType) -> pl.Series:
    """Fold the rows of ``flat`` into one list a value, without what is null; what is empty then is null."""
    owners = [place for place, value in enumerate(values) if value for _ in range(len(value))]
    places = pl.DataFrame({"place": pl.Series(range(len(values)), dtype=pl.UInt32)})
    nested = (
        flat.with_columns(pl.Series("place", owners, pl.UInt32))
        .drop_nulls("value")
        .group_by("place", maintain_order=True)
        .agg("value")
    )
    return places.join(nested, on="place", how="left", maintain_order="left")["value"].cast(pl.List(dtype))
