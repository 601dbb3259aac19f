"""From the items of one dump to frames of the three tables: columns are typed here, once, and texts are cleaned.

Cleaning is what is the same for every source: Unicode NFC, one blank for every run of white space, paragraphs one
blank line apart. Identity and merging do not belong here.
"""

from collections.abc import Mapping, Sequence, Sized
from hashlib import sha256
from itertools import chain
from typing import Final, NamedTuple

import polars as pl

from parsers._contract import Document, Source
from pipeline.occurrences import Merged, Occurrence
from schemas.items import Person, Reject, Slot
from schemas.tables import PERSON, QUARANTINE, RECORDS, SIGHTINGS, SLOT, TEXT_LIMIT, polars_schema

RECORD_TYPES: Final = polars_schema(RECORDS)
SIGHTING_TYPES: Final = polars_schema(SIGHTINGS)
QUARANTINE_TYPES: Final = polars_schema(QUARANTINE)

_PARAGRAPHED: Final = ("abstract", "summary")
_LINED: Final = ("session_description",)
_ONE_LINE: Final = (
    "native_id title presenter event session_code session_title track arxiv_id doi url comments journal_ref report_no"
).split()
_LISTS: Final = ("categories", "keywords")
_PLAIN: Final = "kind listed_on published_on listing_section engagement line_start line_end formats notes".split()


class DumpInfo(NamedTuple):
    """What a quarantine row says about where it comes from; None where the source as a whole failed."""

    source: str
    dump: str | None
    sha256: str | None


def record_frame(source: Source, document: Document, merged: Merged) -> pl.DataFrame:
    """Make the ``records`` rows of one dump, in page order, texts cleaned."""
    records = list(merged.records.values())
    plain = {
        name: pl.Series(name, [getattr(record, name) for record in records], RECORD_TYPES[name])
        for name in (*_PLAIN, *_ONE_LINE, *_PARAGRAPHED, *_LINED, *_LISTS)
    }
    frame = pl.DataFrame(
        {
            "record_id": pl.Series(list(merged.records), dtype=pl.String),
            **plain,
            "authors": _people([record.authors for record in records]),
            "chairs": _people([record.chairs for record in records]),
            "slots": _slots([record.slots for record in records]),
        }
    )
    first = pl.col("slots").list.first().struct
    return frame.with_columns(
        *(one_line(pl.col(name)) for name in _ONE_LINE),
        *(paragraphs(pl.col(name)) for name in _PARAGRAPHED),
        *(lines(pl.col(name)) for name in _LINED),
        *(_each_one_line(pl.col(name)) for name in _LISTS),
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
    data: Mapping[str, Sequence[object]] = {
        "record_id": [seen.record_id for seen in occurrences],
        "rank": [seen.rank for seen in occurrences],
        "fields": [_supplied_columns(seen, zone) for seen in occurrences],
        **{
            name: [getattr(seen.record, name) for seen in occurrences]
            for name in ("line_start", "line_end", "listed_on", "listing_section", "engagement")
        },
    }
    frame = pl.DataFrame({name: pl.Series(name, values, SIGHTING_TYPES[name]) for name, values in data.items()})
    return frame.with_columns(
        source=pl.lit(source.name),
        parser=pl.lit(source.parser),
        dump=pl.lit(document.path),
        dump_sha256=pl.lit(document.sha256),
        captured_at=pl.lit(document.facts.captured_at, pl.Datetime("us")),
    ).select(SIGHTING_TYPES.names())


def _supplied_columns(seen: Occurrence, zone: str | None) -> list[str] | None:
    """Name the columns that an occurrence gave to its record: its fields, and what follows from its slots."""
    columns = list(seen.supplied)
    if "slots" in columns and seen.record.slots:
        slot = seen.record.slots[0]
        columns += [field.name for field in SLOT.fields if getattr(slot, field.name) is not None]
        columns += ["timezone"] if zone else []
    return sorted(columns) or None


def quarantine_frame(
    info: DumpInfo, stage: str, rejects: Sequence[Reject], record_id: str | None = None
) -> pl.DataFrame:
    """Make ``quarantine`` rows; the text of each is cut at its limit, its length and hash are of the whole."""
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
    return _or_null(text.str.normalize("NFC").str.replace_all(r"\s+", " ").str.strip_chars())


def _each_one_line(texts: pl.Expr) -> pl.Expr:
    """Clean every element of a list; elements that are empty then are left out, and so is an empty list."""
    cleaned = texts.list.eval(one_line(pl.element()).drop_nulls())
    return pl.when(cleaned.list.len() > 0).then(cleaned)


def lines(text: pl.Expr) -> pl.Expr:
    """As ``one_line``, but line by line: a line feed stays one."""
    folded = text.str.normalize("NFC").str.replace_all(r"[^\S\n]+", " ").str.replace_all(r" ?\n\s*", "\n")
    return _or_null(folded.str.strip_chars())


def paragraphs(text: pl.Expr) -> pl.Expr:
    """As ``one_line``, but paragraph by paragraph: they are separated by one blank line."""
    marked = text.str.normalize("NFC").str.replace_all(r"\n[^\S\n]*\n\s*", "\u2029")
    folded = marked.str.replace_all(r"[^\S\u2029]+", " ").str.replace_all(r" ?\u2029\s*", "\n\n")
    return _or_null(folded.str.strip_chars())


def _or_null(text: pl.Expr) -> pl.Expr:
    """Turn the empty string into null."""
    return pl.when(text != "").then(text)


def _people(values: Sequence[tuple[Person, ...] | None]) -> pl.Series:
    """Make a column of people, in order: flat first, since nested Python values are slow to convert."""
    flat = list(chain.from_iterable(people for people in values if people))
    frame = pl.DataFrame(
        {field.name: pl.Series([getattr(one, field.name) for one in flat], dtype=pl.String) for field in PERSON.fields}
    )
    return _nest(frame.select(one_line(pl.all())), values, PERSON)


def _slots(values: Sequence[tuple[Slot, ...] | None]) -> pl.Series:
    """Make a column of slots, in order."""
    flat = list(chain.from_iterable(slots for slots in values if slots))
    frame = pl.DataFrame(
        {field.name: pl.Series([getattr(one, field.name) for one in flat], dtype=field.dtype) for field in SLOT.fields}
    )
    return _nest(frame.with_columns(one_line(pl.col("room"))), values, SLOT)


def _nest(flat: pl.DataFrame, values: Sequence[Sized | None], dtype: pl.Struct) -> pl.Series:
    """Fold the rows of ``flat`` into one list a value; a value that is None or empty becomes null."""
    owners = [place for place, value in enumerate(values) if value for _ in range(len(value))]
    places = pl.DataFrame({"place": pl.Series(range(len(values)), dtype=pl.UInt32)})
    nested = (
        flat.select(pl.struct(pl.all()).alias("value"), pl.Series("place", owners, pl.UInt32))
        .group_by("place", maintain_order=True)
        .agg("value")
    )
    return places.join(nested, on="place", how="left", maintain_order="left")["value"].cast(pl.List(dtype))
