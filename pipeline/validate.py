"""Holds what was parsed to the schema of the tables.

A row that breaks a check leaves the table and stands in quarantine with the column, the check and the value; the rest
stays. A frame that is broken as a whole (a column missing, a wrong type) is a defect of this project and raises.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import polars as pl

from pipeline.frames import QUARANTINE_TYPES
from schemas.tables import QUARANTINE, RECORDS, SIGHTINGS, TEXT_LIMIT, Table, conditions, polars_schema

_CASES: Final = {"index": pl.Int32, "column": pl.String, "check": pl.String, "failure_case": pl.String}
_VALUE_LIMIT: Final = 200
"""Characters of a bad value that are told; the whole record stands beside it."""


class SchemaBrokenError(Exception):
    """A frame does not have the columns or types of its table; nothing of it can be published."""


@dataclass(frozen=True, slots=True)
class Validated:
    """The three tables of a source, each holding to its schema."""

    records: pl.DataFrame
    sightings: pl.DataFrame
    quarantine: pl.DataFrame


def validate_tables(records: pl.DataFrame, sightings: pl.DataFrame, quarantine: pl.DataFrame) -> Validated:
    """Split off the records that break a check, with their sightings, and sort the tables as they are published.

    Raises ``SchemaBrokenError`` where a table as a whole is not what its schema says.
    """
    good, seen = records, sightings
    failures = find_failures(RECORDS, records)
    if not failures.is_empty():  # what is whole is not copied: it can be most of the memory of a run
        held_back = records.filter(pl.Series(range(records.height)).is_in(failures["index"].unique().to_list()))
        good = records.join(held_back.select("record_id"), on="record_id", how="anti", nulls_equal=True)
        seen = sightings.join(good.select("record_id"), on="record_id", how="semi")
        quarantine = pl.concat([quarantine, _quarantined(records, failures)])
    for table, frame in ((SIGHTINGS, seen), (QUARANTINE, quarantine)):
        broken = find_failures(table, frame)
        if not broken.is_empty():
            raise SchemaBrokenError(f"{table.name}: {broken.row(0, named=True)}")
    return Validated(
        good.sort("record_id"),
        seen.sort("record_id", "dump", "line_start", "rank"),
        quarantine.sort("dump", "line_start", "line_end", "stage", "reason", "detail", "text_sha256", "record_id"),
    )


def find_failures(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Return pandera's failure cases, one a broken check and row (``index``); empty where the frame is valid.

    Most frames are valid: all checks are asked at once, and pandera, which asks for each one, only where one does not
    hold. Raises ``SchemaBrokenError`` for a failure that belongs to no row.
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
    """True if a frame surely holds to its table; where this says no, pandera says what it does not hold to."""
    if frame.schema != polars_schema(table):
        return False
    return all(frame.select(conditions(table)).row(0))


def _quarantined(records: pl.DataFrame, failures: pl.DataFrame) -> pl.DataFrame:
    """Make one quarantine row for each record that broke checks, naming all of them."""
    if failures.is_empty():
        return pl.DataFrame(schema=QUARANTINE_TYPES)
    of_row = pl.col("column") == RECORDS.name  # its value is the whole row, which stands in ``text``
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
