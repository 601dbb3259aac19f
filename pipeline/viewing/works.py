"""The works of a snapshot: what records are one, and why; the pairs for a person to decide."""

from collections import defaultdict
from typing import Final

import polars as pl

from pipeline.publishing.pieces import WORKS_FILES
from pipeline.publishing.store import Snapshot
from pipeline.viewing.selection import Row, Selection
from schemas.tables import polars_schema
from schemas.works import WORK_MEMBERS, WORK_REVIEWS, WORK_TABLES, WORKS

_PREFIX: Final = "work:"
_TOLD: Final = ("record_id", "source", "kind", "title", "session_title", "event", "arxiv_id", "url")

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


def other_listings(selection: Selection) -> dict[str, list[Row]]:
    """Return the other records of the work of each selected record, with what ``where_listed`` and links need.

    Records of works of one record are left out, and members that are gone: works that could not be made anew may name
    them. Raises ``StoreError`` for a damaged file.
    """
    members = load_works(selection.snapshot, WORK_MEMBERS.name).filter(pl.len().over("work_id") > 1)
    chosen = [selection.scan(name).filter(selection.condition()).select("record_id") for name in selection.sources()]
    if members.is_empty() or not chosen:
        return {}
    wanted = pl.concat(chosen).collect()["record_id"]
    of_works = members.filter(pl.col("record_id").is_in(wanted.implode()).any().over("work_id"))
    rows = {row["record_id"]: row for row in Selection(selection.snapshot).rows(of_works["record_id"], _TOLD)}
    works: dict[str, list[Row]] = defaultdict(list)
    for work_id, record_id in of_works.select("work_id", "record_id").sort("work_id", "record_id").iter_rows():
        if record_id in rows:
            works[work_id].append(rows[record_id])
    found = {row["record_id"]: [other for other in work if other is not row] for work in works.values() for row in work}
    return {record_id: others for record_id, others in found.items() if others}


def load_works(snapshot: Snapshot, name: str) -> pl.DataFrame:
    """Return a table of works by its name; one of a snapshot before works has no rows.

    Raises ``StoreError`` for a damaged file.
    """
    path = WORKS_FILES[name]
    if path not in snapshot.files:
        return pl.DataFrame(schema=polars_schema(WORK_TABLES[name]))
    return snapshot.load(name, path)
