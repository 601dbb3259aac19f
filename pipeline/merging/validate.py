"""Validates the parsed rows against the schema of the tables.

A row that fails a check is moved from its table to quarantine, with the column, the check and the value; the rest
stays. A frame that is broken as a whole (a column missing, a wrong type) is a bug of this project and raises.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import polars as pl

from pipeline.reading.frames import QUARANTINE_TYPES
from schemas.tables import QUARANTINE, RECORDS, SIGHTINGS, TEXT_LIMIT, Table, conditions, polars_schema

QUARANTINE_ORDER: Final = "dump line_start line_end stage reason detail text_sha256 record_id".split()
"""The columns that the quarantine is sorted by."""

_CASES: Final = {"index": pl.Int32, "column": pl.String, "check": pl.String, "failure_case": pl.String}
_VALUE_LIMIT: Final = 200
"""Characters of a bad value in the message; the whole record is in ``text``."""


class SchemaBrokenError(Exception):
    """A frame does not match the schema of its table as a whole; none of it can be published."""


@dataclass(frozen=True, slots=True)
class Validated:
    """The three tables of a source, each valid against its schema."""

    records: pl.DataFrame
    sightings: pl.DataFrame
    quarantine: pl.DataFrame


def validate_tables(records: pl.DataFrame, sightings: pl.DataFrame, quarantine: pl.DataFrame) -> Validated:
    """Quarantine the records that fail a check, and sort the tables for publishing.

    Their sightings stay: they tell which captures show a record that may be valid once one of these is gone.

    Raises ``SchemaBrokenError`` where a table as a whole does not match its schema.
    """
    good = records
    failures = find_failures(RECORDS, records)
    if not failures.is_empty():  # valid tables are not copied: they can be most of the memory of a run
        held_back = records.filter(pl.Series(range(records.height)).is_in(failures["index"].unique().to_list()))
        good = records.join(held_back.select("record_id"), on="record_id", how="anti", nulls_equal=True)
        quarantine = pl.concat([quarantine, _quarantined(records, failures)])
    for table, frame in ((SIGHTINGS, sightings), (QUARANTINE, quarantine)):
        broken = find_failures(table, frame)
        if not broken.is_empty():
            raise SchemaBrokenError(f"{table.name}: {broken.row(0, named=True)}")
    return Validated(
        good.sort("record_id"),
        sightings.sort("record_id", "dump", "line_start", "rank"),
        quarantine.sort(QUARANTINE_ORDER),
    )


def find_failures(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Return pandera's failure cases, one per failed check and row (``index``); empty if the frame is valid.

    Most frames are valid: all checks run at once first, and pandera, which runs them one by one, only if one fails.
    Raises ``SchemaBrokenError`` for a failure that belongs to no row.
    """
    if is_valid(table, frame):
        return pl.DataFrame(schema=_CASES)
    from pandera.errors import SchemaErrors  # noqa: PLC0415  # a second that a run without bad values need not wait for

    from schemas.validation import pandera_schema  # noqa: PLC0415

    try:
        pandera_schema(table).validate(frame, lazy=True)
    except SchemaErrors as errors:
        cases: pl.DataFrame = errors.failure_cases
        homeless = cases.filter(pl.col("index").is_null())
        if not homeless.is_empty():
            raise SchemaBrokenError(f"{table.name}: {homeless.row(0, named=True)}") from errors
        return cases
    return pl.DataFrame(schema=_CASES)


def is_valid(table: Table, frame: pl.DataFrame) -> bool:
    """True if a frame certainly matches its table; if not, pandera finds out why."""
    if frame.schema != polars_schema(table):
        return False
    return all(frame.select(conditions(table)).row(0))


def _quarantined(records: pl.DataFrame, failures: pl.DataFrame) -> pl.DataFrame:
    """Return one quarantine row for each record that failed checks, naming all of these."""
    if failures.is_empty():
        return pl.DataFrame(schema=QUARANTINE_TYPES)
    of_row = pl.col("column") == RECORDS.name  # its value is the whole row, which is in ``text``
    value = pl.col("failure_case").fill_null("null").str.slice(0, _VALUE_LIMIT)
    detail = pl.format("{}: expected {}, found {}", "column", "check", value)
    details = (
        failures.select(
            pl.col("index").cast(pl.UInt32),
            detail=pl.when(of_row).then(pl.format("row: expected {}", "check")).otherwise(detail),
        )
        .group_by("index", maintain_order=True)
        .agg(pl.col("detail").unique(maintain_order=True).str.join("; "))
    )
    rows = details.join(records.with_row_index("index"), on="index", how="left", maintain_order="left")
    text = pl.struct(*RECORDS.columns).struct.json_encode()
    return rows.select(
        "source",
        "dump",
        "dump_sha256",
        "line_start",
        "line_end",
        stage=pl.lit("validate"),
        reason=pl.lit("invalid_value"),
        detail=pl.col("detail"),
        text=text.str.slice(0, TEXT_LIMIT),
        text_length=text.str.len_chars().cast(pl.UInt64),
        text_sha256=text.map_elements(lambda whole: sha256(whole.encode()).hexdigest(), pl.String),
        record_id=pl.col("record_id"),
    ).select(QUARANTINE_TYPES.names())
