"""Changes between two states of a source: records added, changed, moved and removed, with old and new values.

A pure function of two frames of one source.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import polars as pl

from pipeline.publishing.plain import as_text
from pipeline.reading.frames import RECORD_TYPES
from schemas.tables import CHANGED_VALUE, CHANGES, polars_schema

CHANGE_TYPES: Final = polars_schema(CHANGES)
PROVENANCE: Final = frozenset({"dump", "dump_sha256", "line_start", "line_end", "parser"})
"""Columns on where a record was seen, not on what it is: a difference in them is not a change."""

BY_HARM: Final = ("removed", "moved", "retitled", "changed", "added")
"""The kinds of changes, in the order in which a person wants to see them."""

_COMPARED: Final = [name for name in RECORD_TYPES.names() if name not in PROVENANCE | {"record_id", "source"}]
_OLD: Final = ":old"


def find_changes(
    before: pl.DataFrame | None, after: pl.DataFrame | None, retitled: Sequence[tuple[str, str]] = ()
) -> pl.DataFrame:
    """Compare the records of a source in two states; None for a state without the source.

    A record that has slots in both states, but not the same ones, has moved, whatever else changed. ``retitled`` are
    the ids, old and new, of records that are the same ones under other titles: each has a row beside that of the
    record added and that of the record removed.
    """
    found = [pl.DataFrame(schema=CHANGE_TYPES)]
    if after is not None:
        added = after if before is None else after.join(before, on="record_id", how="anti")
        found.append(_whole(added, "added"))
    if before is not None:
        removed = before if after is None else before.join(after, on="record_id", how="anti")
        found.append(_whole(removed, "removed"))
    if before is not None and after is not None:
        found.append(_differing(before, after))
        found.append(_retitled(after, retitled))
    return pl.concat(found).sort("source", "record_id")


def count_changes(changes: pl.DataFrame) -> dict[str, int]:
    """Count records by change; one under another title is retitled, not one removed and one added."""
    found = Counter(dict(changes["change"].value_counts().iter_rows()))
    for half in ("removed", "added"):
        found[half] -= found["retitled"]
    return {change: found[change] for change in BY_HARM if found[change] > 0}


def _whole(records: pl.DataFrame, change: str) -> pl.DataFrame:
    """Return the rows of records that only one state has."""
    return records.select("record_id", "source", "title", change=pl.lit(change)).match_to_schema(
        CHANGE_TYPES, missing_columns="insert"
    )


def _retitled(records: pl.DataFrame, ids: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """Return a row for each record with another title, whose value is the id that it had."""
    pairs = pl.DataFrame(list(ids), dict.fromkeys(("before", "record_id"), pl.String), orient="row")
    value = pl.struct(column=pl.lit("record_id"), before="before", after="record_id")
    return (
        records.select("record_id", "source", "title")
        .join(pairs, on="record_id")
        .with_columns(change=pl.lit("retitled"), columns=pl.lit(["record_id"]), values=pl.concat_list(value))
        .select(CHANGE_TYPES.names())
        .cast(CHANGE_TYPES)
    )


def _differing(old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of records that both states have and that differ."""
    both = new.join(old, on="record_id", suffix=_OLD)
    differs = {name: pl.col(name).ne_missing(pl.col(name + _OLD)) for name in _COMPARED}
    both = both.filter(pl.any_horizontal(differs.values()))  # most rows are equal: texts are made only for the rest
    if both.is_empty():
        return pl.DataFrame(schema=CHANGE_TYPES)
    columns = pl.concat_list(pl.when(differs[name]).then(pl.lit(name)) for name in _COMPARED).list.drop_nulls()
    moved = differs["slots"] & pl.col("slots").is_not_null() & pl.col("slots" + _OLD).is_not_null()
    kind = pl.when(moved).then(pl.lit("moved")).otherwise(pl.lit("changed"))
    marked = both.select("record_id", "source", "title", change=kind, columns=columns)
    return marked.with_columns(_values(both)).match_to_schema(CHANGE_TYPES)


def _values(both: pl.DataFrame) -> pl.Series:
    """Return the old and the new text of every column that differs, one list per row."""
    before = as_text(both.select(pl.col(name + _OLD).alias(name) for name in _COMPARED))
    after = as_text(both.select(_COMPARED))
    texts = before.select(pl.all().name.suffix(_OLD)).hstack(after)
    pairs = [
        pl.when(pl.col(name).ne_missing(pl.col(name + _OLD))).then(
            pl.struct(column=pl.lit(name), before=pl.col(name + _OLD), after=pl.col(name))
        )
        for name in _COMPARED
    ]
    found = texts.select(pl.concat_list(pairs).list.drop_nulls().alias("values"))["values"]
    return found.cast(pl.List(CHANGED_VALUE))
