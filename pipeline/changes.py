"""What changed between two snapshots: records added, changed (with the columns) and removed.

A function of two frames of one source; where they come from does not belong here.
"""

from typing import Final

import polars as pl

from pipeline.frames import RECORD_TYPES
from schemas.tables import CHANGES, polars_schema

CHANGE_TYPES: Final = polars_schema(CHANGES)
PROVENANCE: Final = frozenset({"dump", "dump_sha256", "line_start", "line_end", "parser"})
"""Columns that say where a record was seen, not what it is: they do not count as a change."""

_COMPARED: Final = [name for name in RECORD_TYPES.names() if name not in PROVENANCE | {"record_id", "source"}]


def find_changes(before: pl.DataFrame | None, after: pl.DataFrame | None) -> pl.DataFrame:
    """Compare the records of a source in two snapshots; None stands for a source that one of them does not have."""
    old = pl.DataFrame(schema=RECORD_TYPES) if before is None else before
    new = pl.DataFrame(schema=RECORD_TYPES) if after is None else after
    added = _rows(new.join(old, on="record_id", how="anti"), "added")
    removed = _rows(old.join(new, on="record_id", how="anti"), "removed")
    both = new.join(old, on="record_id", suffix=":old")
    differing = [
        pl.when(pl.col(name).ne_missing(pl.col(f"{name}:old"))).then(pl.lit(name)).alias(name) for name in _COMPARED
    ]
    columns = pl.concat_list(differing).list.drop_nulls()
    changed = both.select("record_id", "source", change=pl.lit("changed"), columns=columns)
    changed = changed.filter(pl.col("columns").list.len() > 0)
    return pl.concat([added, changed, removed]).sort("source", "record_id")


def _rows(records: pl.DataFrame, change: str) -> pl.DataFrame:
    """Make the rows of records that only one side has."""
    return records.select(
        "record_id", "source", change=pl.lit(change), columns=pl.lit(None, pl.List(pl.String))
    ).match_to_schema(CHANGE_TYPES)
