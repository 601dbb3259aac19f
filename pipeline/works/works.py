"""Makes the tables of works of a frame of records: the whole of the stage, as one pure function."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.works.candidates import find_pairs
from pipeline.works.clusters import Rows, cluster
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
    """The tables of works, and the records of forced pairs that are not among those compared."""

    works: pl.DataFrame
    members: pl.DataFrame
    reviews: pl.DataFrame
    unknown: tuple[str, ...] = ()


def find_works(records: pl.DataFrame, forced: Forced = NOTHING) -> Works:
    """Return the works of published records: papers, keynotes and tutorials. Their order does not matter."""
    return works_of(make_features(records), records, forced)


def works_of(features: pl.DataFrame, records: pl.DataFrame, forced: Forced = NOTHING) -> Works:
    """Return the works of records whose features are known."""
    places = dict(zip(features["record_id"], range(features.height), strict=True))
    same, different = (_rows(places, pairs) for pairs in (forced.same, forced.different))
    decided = _without(_decided(features), [*same, *different])
    judged = pl.concat([_forced(same), without_ambiguous(decided, features["source"])]).sort(_STRENGTH)
    joins = judged.filter("joins").with_columns(is_told=pl.col("rank") <= RANKS[SAME_ID])
    label, refused = cluster(features, joins, different)
    contradicted = pl.DataFrame(
        [(each.pair, each.why) for each in refused], schema={"pair": pl.UInt32, "why": pl.String}, orient="row"
    )
    told = joins.drop("is_told").with_row_index("pair").join(contradicted, on="pair").drop("pair")
    members = _members(features, label, joins)
    named = {each for pairs in (forced.same, forced.different) for pair in pairs for each in pair}
    return Works(
        _works(members, records),
        members.select(polars_schema(WORK_MEMBERS).names()).sort("work_id", "record_id"),
        _reviews(features, label, judged.filter(~pl.col("joins")), told),
        tuple(sorted(named - places.keys())),
    )


def _decided(features: pl.DataFrame) -> pl.DataFrame:
    """Return all pairs that a rule decides, once each."""
    found = [pl.DataFrame(schema=DECIDED)]
    for pairs in find_pairs(features):
        found += [decide(features, part) for part in pairs.iter_slices(_AT_ONCE)]
    return pl.concat(found).sort("left", "right", "key").unique(["left", "right"], keep="first", maintain_order=True)


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


def _members(features: pl.DataFrame, label: Rows, joins: pl.DataFrame) -> pl.DataFrame:
    """Return a row a record: its work, the day that orders it, and the strongest pair by which it is there."""
    ids = features["record_id"]
    labels = pl.Series("label", label)
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


def _reviews(features: pl.DataFrame, label: Rows, open_pairs: pl.DataFrame, refused: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs for a person: those that nothing has joined, and those that were refused."""
    labels, ids = pl.Series("label", label), features["record_id"]
    apart = open_pairs.filter(labels.gather(open_pairs["left"]) != labels.gather(open_pairs["right"]))
    every = pl.concat([apart.with_columns(why=pl.lit(None, pl.String)), refused.with_columns(rule=pl.lit("refused"))])
    named = every.with_columns(record_id=ids.gather(every["left"]), partner=ids.gather(every["right"]))
    columns = polars_schema(WORK_REVIEWS)
    return named.sort(_STRENGTH).select(columns.names()).match_to_schema(columns)
