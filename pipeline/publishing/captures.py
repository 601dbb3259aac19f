"""What is known of each capture of a source: the rows of the table ``captures``, made from readings and read again.

A row follows from the bytes of a dump, its sidecar and the verdict on it; what a run knows of its night is in the
manifest. Which captures count belongs to ``pipeline.guarding``.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any, Final

import polars as pl

from parsers._ledger.document import Facts
from pipeline.base.secret import SUSPECTS, masked
from pipeline.base.signals import Policy
from pipeline.publishing.pieces import ORDER
from pipeline.publishing.store import Snapshot
from pipeline.reading.measure import Measure
from pipeline.reading.read import Reading
from schemas.tables import CAPTURES, polars_schema

CAPTURE_TYPES: Final = polars_schema(CAPTURES)
_NONE: Final = pl.DataFrame(schema=CAPTURE_TYPES)
MEASURES: Final = tuple(Measure.__dataclass_fields__)
"""The columns of the table that are values of a measure."""

OF_GUARDS: Final = ("dump", "page", "dump_sha256", "captured_at", "facts", "entry", *MEASURES)
"""The columns that guards, and who looks for the records of a capture, ask for."""

_DEFAULTS: Final = asdict(Measure())
_OF_FACTS: Final = tuple(name for name in Facts.__dataclass_fields__ if name != "captured_at")

Row = Mapping[str, Any]
"""A row of the table as Python values."""


def row_of(reading: Reading, entry: str | None, *, feeds: bool) -> dict[str, Any]:
    """Return the row of a capture that was read, and judged, in this run."""
    dump = reading.dump
    return {
        "source": dump.source,
        "dump": dump.path,
        "page": dump.page,
        "dump_sha256": reading.sha256,
        "captured_at": dump.facts.captured_at,
        "facts": describe_facts(dump.facts),
        "specimen": dump.facts.specimen,
        "entry": entry,
        "feeds": feeds,
        "error": reading.error,
        "warnings": [f"{sign.signal}: {sign.detail}" for sign in reading.signs if sign.does is Policy.WARN] or None,
        "sightings": reading.sightings.height,
        "classes": _counts(reading.by_class),
        "boilerplate": _counts(reading.by_boilerplate),
        "reasons": _counts(reading.by_reason),
        **{name: value if value != "" else None for name, value in asdict(reading.measure).items()},
        "format": reading.format,
    }


def capture_frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Return rows as the table, sorted."""
    found = list(rows)
    return pl.DataFrame(found, schema=CAPTURE_TYPES, orient="row").sort(ORDER["captures"]) if found else _NONE


def captures_of(snapshot: Snapshot | None, source: str) -> pl.DataFrame:
    """Return the captures of a source that a snapshot knows, but for those in damaged files; none without one."""
    if snapshot is None:
        return capture_frame(())
    return mask_addresses(snapshot.intact_rows("captures", source))


def mask_addresses(captures: pl.DataFrame) -> pl.DataFrame:
    """Return captures with masked addresses: earlier versions published them as they are."""
    told = pl.col("facts").str.contains(SUSPECTS) | pl.col("page").str.contains(SUSPECTS)
    if not captures.select(told.any()).item():
        return captures
    return captures.with_columns(pl.col("page", "facts").map_elements(masked, pl.String))


def contributing(snapshot: Snapshot | None, source: str) -> dict[str, str]:
    """Return the dumps that the published rows of a source come from, with the page of each."""
    return feeding_dumps(captures_of(snapshot, source))


def feeding_dumps(captures: pl.DataFrame) -> dict[str, str]:
    """Return the dumps among captures that published rows come from, with the page of each."""
    return dict(captures.filter("feeds").select("dump", "page").iter_rows())


def owners_of(captures: pl.DataFrame) -> dict[str, str]:
    """Return the dump that each companion of these captures belongs to, by the path of the companion."""
    told = captures.filter(pl.col("facts").str.contains('"companions"', literal=True)).select("dump", "facts")
    return {path: dump for dump, facts in told.iter_rows() for path, _ in json.loads(facts)["companions"]}


def with_companions(dumps: Iterable[str], owners: Mapping[str, str]) -> list[str]:
    """Return the paths of dumps and of their companions, sorted: the files that their rows stand in."""
    known = set(dumps)
    return sorted(known | {path for path, dump in owners.items() if dump in known})


def describe_facts(facts: Facts) -> str:
    """Return what a sidecar says of its page as JSON; the time of the capture has a column of its own."""
    said = {name: getattr(facts, name) for name in _OF_FACTS}
    if facts.tables is not None:
        said["tables"] = sha256(facts.tables.encode()).hexdigest()
    return json.dumps({name: value for name, value in said.items() if value not in {None, False, ()}}, sort_keys=True)


def failed_paths(captures: pl.DataFrame) -> set[str]:
    """Return the paths of the dumps that could not be used."""
    return set(captures.filter(pl.col("error").is_not_null())["dump"])


def doubted_paths(captures: pl.DataFrame) -> set[str]:
    """Return the paths of the good dumps that may be wrong.

    They are those without a record, those that a person was told to look at, and those that turned out to have the
    records of another day.
    """
    good = captures.filter(pl.col("error").is_null())
    own = good.filter((pl.col("records") == 0) | pl.col("doubted"))["dump"]
    return {*own, *good["repeated_by"].drop_nulls()}


def measure_of(row: Row) -> Measure:
    """Return the measure of a capture from its row."""
    return Measure(**{name: _DEFAULTS[name] if row[name] is None else row[name] for name in MEASURES})


def total(captures: pl.DataFrame, column: str) -> dict[str, int]:
    """Return the sums of a column of counts by name, sorted."""
    counts = captures.select(pl.col(column).explode().drop_nulls().struct.unnest())
    return dict(counts.group_by("name").agg(pl.col("count").sum()).sort("name").iter_rows())


def _counts(counted: Mapping[str, int]) -> list[dict[str, Any]] | None:
    """Return counts by name as a value of the table; None if there are none."""
    return [{"name": name, "count": count} for name, count in sorted(counted.items())] or None
