"""The works of a snapshot: what records are one, and why; the pairs for a person to decide."""

from typing import Final

import polars as pl

from pipeline.publishing.pieces import WORKS_FILES
from pipeline.publishing.store import Snapshot
from schemas.tables import polars_schema
from schemas.works import WORK_MEMBERS, WORK_REVIEWS, WORK_TABLES, WORKS

_PREFIX: Final = "work:"

_FIRST: Final = ("refused", "ambiguous", "version", "serial", "title_alone", "abstract_alone", "words")
"""The rules of pairs for review, the likeliest works first."""


def works_of(snapshot: Snapshot) -> pl.DataFrame:
    """Return the works of several records, those of most sources first. Raises ``StoreError`` for a damaged file."""
    works = load_works(snapshot, WORKS.name).filter(pl.col("records") > 1)
    return works.sort(-pl.col("sources").list.len().cast(pl.Int32), "first_on", "work_id", nulls_last=True)


def work_of(snapshot: Snapshot, named: str) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Return a work and its members, the oldest one first, by its id, one it had before, or the id of a record.

    None if there is no such work. Raises ``StoreError`` for a damaged file.
    """
    record_id = named.removeprefix(_PREFIX)
    members = load_works(snapshot, WORK_MEMBERS.name)
    ids = members.filter(pl.col("record_id") == record_id)["work_id"]
    if ids.is_empty():
        return None
    own = members.filter(pl.col("work_id") == ids[0])
    is_oldest = pl.col("work_id") == _PREFIX + pl.col("record_id")
    work = load_works(snapshot, WORKS.name).filter(pl.col("work_id") == ids[0])
    return work, own.sort(~is_oldest, "source", "record_id")


def reviews_of(snapshot: Snapshot) -> pl.DataFrame:
    """Return the pairs for a person to decide, the likeliest first. Raises ``StoreError`` for a damaged file."""
    order = {rule: place for place, rule in enumerate(_FIRST)}
    reviews = load_works(snapshot, WORK_REVIEWS.name)
    rank = pl.col("rule").replace_strict(order, return_dtype=pl.UInt8)
    return reviews.sort(rank, -pl.col("score"), "record_id", "partner", nulls_last=True)


def also_on(snapshot: Snapshot, record_id: str) -> list[str]:
    """Return the ids of the other records of the work of a record. Raises ``StoreError`` for a damaged file."""
    found = work_of(snapshot, record_id)
    return [each for each in found[1]["record_id"] if each != record_id] if found else []


def load_works(snapshot: Snapshot, name: str) -> pl.DataFrame:
    """Return a table of works by its name; one of a snapshot before works has no rows.

    Raises ``StoreError`` for a damaged file.
    """
    path = WORKS_FILES[name]
    if path not in snapshot.files:
        return pl.DataFrame(schema=polars_schema(WORK_TABLES[name]))
    return snapshot.load(name, path)
