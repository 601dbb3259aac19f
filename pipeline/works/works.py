"""Makes the tables of works of records: compares them, or only what has changed, then settles which are one work."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.works.candidates import KINDS, every_key, find_pairs, find_touched, make_keys
from pipeline.works.features import make_features
from pipeline.works.forced import NOTHING, Forced, Pair
from pipeline.works.rules import DECIDED, FORCED, RANKS, SAME_ID, decide, without_ambiguous
from schemas.tables import polars_schema
from schemas.works import WORK_MEMBERS, WORK_REVIEWS, WORKS

_AT_ONCE: Final = 500_000  # pairs whose levels are in memory together
_EVIDENCE: Final = ("rule", "key", "score", "levels")
_STRENGTH: Final = (pl.col("rank"), -pl.col("score"), pl.col("left"), pl.col("right"))
"""The order of pairs from the strongest: rows are in the order of ``record_id``, so that it is the same each time."""


@dataclass(frozen=True, slots=True)
class Works:
    """The tables of works, and what could not be carried out of what people have decided.

    ``unknown`` are records that are not among those compared, ``refused`` two that contradict each other, and how.
    """

    works: pl.DataFrame
    members: pl.DataFrame
    reviews: pl.DataFrame
    unknown: tuple[str, ...] = ()
    refused: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedRecords:
    """The features of records, by ``record_id``, and the pairs of their rows that a rule decides, once each."""

    features: pl.DataFrame
    decided: pl.DataFrame


def find_works(records: pl.DataFrame, forced: Forced = NOTHING) -> Works:
    """Return the works of published records: papers, keynotes and tutorials. Their order does not matter."""
    return settle(compare(make_features(records)), records, forced)


def compare(features: pl.DataFrame) -> ComparedRecords:
    """Compare all records that share a key."""
    decided = pl.concat(_decide(features, find_pairs(features, make_keys(features))))
    return ComparedRecords(features, _once(decided))


def compare_again(features: pl.DataFrame, before: ComparedRecords) -> ComparedRecords:
    """Return what ``compare`` does, by what it found before: only pairs that may be others are decided again."""
    places = features.select("record_id", hash=features.hash_rows()).with_row_index("row")
    had = before.features.select("record_id", hash=before.features.hash_rows())
    stays = had.join(places, on=["record_id", "hash"], how="left", maintain_order="left")["row"]
    changed = places["row"].filter(~places["row"].is_in(stays.drop_nulls().implode()))
    if changed.is_empty() and stays.null_count() == 0:
        return ComparedRecords(features, before.decided)
    keys = every_key(features)
    touched = find_touched(keys, changed, before.features.filter(stays.is_null()))
    moved = before.decided.with_columns(stays.gather(before.decided[side]).alias(side) for side in ("left", "right"))
    again = pl.all_horizontal(pl.col(side).is_in(touched.implode()) for side in ("left", "right"))
    kept = moved.drop_nulls(["left", "right"]).filter(~again)
    found = _decide(features, find_pairs(features, keys, touched))
    return ComparedRecords(features, _once(pl.concat([kept, *found])))


def settle(compared: ComparedRecords, records: pl.DataFrame, forced: Forced = NOTHING) -> Works:
    """Return the works of compared records, of which ``records`` has what they print."""
    features = compared.features
    named = sorted({each for pairs in (forced.same, forced.different) for pair in pairs for each in pair})
    there = features.select("record_id").with_row_index("row").filter(pl.col("record_id").is_in(named))
    places = dict(zip(there["record_id"], there["row"], strict=True))
    same, different = (_rows(places, pairs) for pairs in (forced.same, forced.different))
    decided = _without(compared.decided, [*same, *different])
    judged = pl.concat([_forced(same), without_ambiguous(decided, features["source"])]).sort(_STRENGTH)
    joins = judged.filter("joins").with_columns(is_told=pl.col("rank") <= RANKS[SAME_ID])
    label, contradicted = _cluster(features, joins, different)
    told = joins.drop("is_told").with_row_index("pair").join(contradicted, on="pair").drop("pair")
    members = _members(features, label, joins)
    return Works(
        _works(members, records),
        members.select(polars_schema(WORK_MEMBERS).names()).sort("work_id", "record_id"),
        _reviews(features, label, judged.filter(~pl.col("joins")), told),
        tuple(each for each in named if each not in places),
        _refused(told.filter(pl.col("rule") == FORCED), features["record_id"]),
    )


def _decide(features: pl.DataFrame, pairs: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the pairs that a rule decides."""
    yield pl.DataFrame(schema=DECIDED)
    for bucket in pairs:
        for part in bucket.iter_slices(_AT_ONCE):
            yield decide(features, part)


def _once(decided: pl.DataFrame) -> pl.DataFrame:
    """Return decided pairs once each, in order; of several keys the first is told."""
    order = ("left", "right", pl.col("key").cast(KINDS))
    return decided.sort(order).unique(["left", "right"], keep="first", maintain_order=True)


def _cluster(
    features: pl.DataFrame, joins: pl.DataFrame, different: Collection[tuple[int, int]]
) -> tuple[pl.Series, pl.DataFrame]:
    """Return the first row of the cluster of each row, and the pairs that were refused, each with the reason."""
    refused: list[tuple[int, str]] = []
    label = pl.int_range(features.height, eager=True)
    if not joins.is_empty():
        from pipeline.works.clusters import cluster  # noqa: PLC0415  # numpy is imported where there is something to join

        label, found = cluster(features, joins, different)
        refused = [(each.pair, each.why) for each in found]
    return label, pl.DataFrame(refused, schema={"pair": pl.UInt32, "why": pl.String}, orient="row")


def _refused(told: pl.DataFrame, ids: pl.Series) -> tuple[tuple[str, str, str], ...]:
    """Return the ids of pairs that were refused, and why."""
    named = told.select("why", first=ids.gather(told["left"]), second=ids.gather(told["right"]))
    return tuple(named.select("first", "second", "why").rows())


def _rows(places: dict[str, int], pairs: Iterable[Pair]) -> list[tuple[int, int]]:
    """Return the rows of forced pairs; those of which a record is not there are left out."""
    known = ((first, second) for first, second in pairs if first in places and second in places)
    return sorted((places[first], places[second]) for first, second in known)


def _without(decided: pl.DataFrame, pairs: Iterable[tuple[int, int]]) -> pl.DataFrame:
    """Return the decided pairs without those that a person has decided."""
    forced = pl.DataFrame(list(pairs), schema={"left": pl.UInt32, "right": pl.UInt32}, orient="row")
    return decided.join(forced, on=("left", "right"), how="anti", maintain_order="left")


def _forced(pairs: Iterable[tuple[int, int]]) -> pl.DataFrame:
    """Return the pairs that a person has joined, stronger than any other."""
    rows: list[tuple[object, ...]] = [(left, right, FORCED, FORCED, True, 0, 1.0, []) for left, right in pairs]
    return pl.DataFrame(rows, schema=DECIDED, orient="row")


def _members(features: pl.DataFrame, label: pl.Series, joins: pl.DataFrame) -> pl.DataFrame:
    """Return a row a record: its work, the day that orders it, and the strongest pair by which it is there."""
    ids = features["record_id"]
    labels = label.alias("label")
    inside = joins.filter(labels.gather(joins["left"]) == labels.gather(joins["right"]))
    sides = [inside.select(*_EVIDENCE, row=own, partner=other, place=pl.int_range(pl.len())) for own, other in _ENDS]
    best = pl.concat(sides).sort("place").unique("row", keep="first").drop("place")
    rows = features.select("record_id", "source", "date").with_columns(labels).with_row_index("row")
    joined = rows.join(best, on="row", how="left", maintain_order="left")
    ordered = joined.with_columns(partner=ids.gather(joined["partner"])).sort("date", "record_id", nulls_last=True)
    oldest = pl.col("record_id").first().over("label")
    return ordered.with_columns(work_id="work:" + oldest)


_ENDS: Final = (("left", "right"), ("right", "left"))


def _works(members: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Return a row a work, from its members in the order of their days."""
    facts = records.select("record_id", "kind", "title", "arxiv_id", "doi")
    rows = members.join(facts, on="record_id", how="left", maintain_order="left")
    made = rows.group_by("work_id").agg(
        pl.col("kind").first(),
        pl.col("title").first(),
        pl.col("date").first().alias("first_on"),
        *(pl.col(name).drop_nulls().first() for name in ("arxiv_id", "doi")),
        records=pl.len(),
        sources=pl.col("source").unique().sort(),
    )
    return made.sort("work_id").match_to_schema(polars_schema(WORKS))


def _reviews(features: pl.DataFrame, label: pl.Series, open_pairs: pl.DataFrame, refused: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs for a person: those that nothing has joined, and those that were refused."""
    labels, ids = label, features["record_id"]
    apart = open_pairs.filter(labels.gather(open_pairs["left"]) != labels.gather(open_pairs["right"]))
    every = pl.concat([apart.with_columns(why=pl.lit(None, pl.String)), refused.with_columns(rule=pl.lit("refused"))])
    named = every.with_columns(record_id=ids.gather(every["left"]), partner=ids.gather(every["right"]))
    columns = polars_schema(WORK_REVIEWS)
    return named.sort(_STRENGTH).select(columns.names()).match_to_schema(columns)
