"""What became of works since the snapshot before: merged, split, grown, shrunk, renamed; which are lost."""

import polars as pl

from schemas.tables import polars_schema
from schemas.works import WORK_CHANGES


def changed_works(before: pl.DataFrame, members: pl.DataFrame, works: pl.DataFrame) -> pl.DataFrame:
    """Return a row a work whose records were of other works, or that has others; all three are tables of works.

    ``before`` has the members of the snapshot before. A work all of whose records are new is not told.
    """
    every = before.select("record_id", was="work_id").join(
        members.select("record_id", "work_id"), on="record_id", how="full", coalesce=True
    )
    moved = every.filter(pl.col("was").ne_missing(pl.col("work_id")))
    records = every.filter(pl.any_horizontal(pl.col(name).is_in(moved[name].implode()) for name in ("was", "work_id")))
    parts = records.drop_nulls().select("was", "work_id").unique()
    left = parts.join(records, on="was", suffix="_now").filter(pl.col("work_id_now").ne_missing(pl.col("work_id")))
    change = (
        pl.when(pl.col("before").list.len() > 1)
        .then(pl.lit("merged"))
        .when("is_divided")
        .then(pl.lit("split"))
        .when(pl.col("added").is_not_null())
        .then(pl.lit("grown"))
        .when(pl.col("removed").is_not_null())
        .then(pl.lit("shrunk"))
        .when(pl.col("before").list.first() != pl.col("work_id"))
        .then(pl.lit("renamed"))
    )
    befores = parts.group_by("work_id").agg(before=pl.col("was").sort())
    told = (
        _with(befores, records.filter(pl.col("was").is_null()), "added")
        .pipe(_with, left, "removed")
        .join(
            left.group_by("work_id").agg(is_divided=pl.col("work_id_now").is_not_null().any()), on="work_id", how="left"
        )
        .with_columns(change=change)
        .drop_nulls("change")
        .join(works.select("work_id", "title"), on="work_id", how="left")
    )
    types = polars_schema(WORK_CHANGES)
    listed = told.with_columns(pl.col("added", "removed").fill_null([])).select(types.names())
    return listed.sort("work_id").match_to_schema(types)


def lost_works(before: pl.DataFrame, members: pl.DataFrame) -> pl.Series:
    """Return the ids of the works none of whose records is of a work any more; both are tables of members."""
    stay = before.join(members, on="record_id", how="semi")
    return before.join(stay, on="work_id", how="anti")["work_id"].unique().sort()


def _with(works: pl.DataFrame, records: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return works with a list of their records among some; null for none."""
    listed = records.group_by("work_id").agg(pl.col("record_id").unique().sort().alias(name))
    return works.join(listed, on="work_id", how="left")
