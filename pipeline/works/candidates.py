"""Which records are compared: those that share a key, if few enough do.

A key is a hash of a title, of its part before or behind the colon, of the beginning of an abstract, of an id, of three
of the four longest words of a title, or of two last names and a word. One that more than ``MOST`` records share tells
nothing, and joins none of them. Keys are joined in buckets by their top bits: one bucket is in memory at a time.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, Final

import polars as pl

MOST: Final = 300
"""The most records that a key may have."""

_BUCKETS: Final = 1 << 4
_KEYS_OF_ONE_BUCKET: Final = 200_000  # keys up to which one bucket does
_WORDS: Final = 4
_SURNAMES: Final = 4  # of which six pairs, each with two words, are at most twelve keys


def find_pairs(features: pl.DataFrame, keys: pl.DataFrame, among: pl.Series | None = None) -> Iterator[pl.DataFrame]:
    """Yield the pairs of records that share a key, a frame a bucket: ``left`` < ``right``, kind of the key.

    A pair comes once in a bucket and may come again in another one. Pairs that cannot be one work are not made: those
    with two arXiv ids, and those of one programme; of a list, those of one page. ``keys`` are those of ``make_keys`` or
    ``every_key``; only pairs of two of the rows ``among`` are made, if it is given.
    """
    if among is not None:
        theirs = keys.join(among.to_frame("row"), on="row", how="semi").select("hash").unique()
        keys = keys.join(theirs, on="hash", how="semi")
    buckets = 1 if keys.height <= _KEYS_OF_ONE_BUCKET else _BUCKETS
    place = pl.col("hash") // (2**64 // buckets) if buckets > 1 else pl.lit(0, pl.UInt64)
    parts = keys.with_columns(place=place.cast(pl.UInt8)).partition_by("place", include_key=False, maintain_order=False)
    sides = features.select("edition", "arxiv_id").with_row_index("row")
    for part in parts:
        yield _join(part, sides, among)


def make_keys(features: pl.DataFrame) -> pl.DataFrame:
    """Return the keys of records that more than one has: ``row``, ``key`` its kind, ``hash``."""
    return every_key(features).filter(pl.col("hash").is_duplicated())


def find_touched(keys: pl.DataFrame, changed: pl.Series, gone: pl.DataFrame) -> pl.Series:
    """Return the rows whose pairs may be others than before: those that share a key with what is new or gone.

    ``keys`` are those of ``every_key``, ``changed`` the rows that are new or have other features, ``gone`` the features
    that they, and records that are no longer there, had. A key that had and has too many records makes no pairs, before
    and now.
    """
    new = keys.join(changed.to_frame("row"), on="row", how="semi")
    old = every_key(gone)
    either = pl.concat([new.select("hash"), old.select("hash")]).unique()
    sharing = keys.join(either, on="hash", how="semi").unique(["hash", "row"])
    number = sharing.group_by("hash").agg(now=pl.len(), new=pl.col("row").is_in(changed.implode()).sum())
    had = old.unique(["hash", "row"]).group_by("hash").agg(gone=pl.len())
    both = number.join(had, on="hash", how="left").with_columns(pl.col("gone").fill_null(0))
    few = pl.min_horizontal("now", pl.col("now") + pl.col("gone") - pl.col("new")) <= MOST
    return sharing.join(both.filter(few), on="hash", how="semi")["row"].unique()


def every_key(features: pl.DataFrame) -> pl.DataFrame:
    """Return the keys of records, also those that one alone has."""
    if features.is_empty():
        return pl.DataFrame(schema=_KEYS)
    rows = features.lazy().with_row_index("row")
    kinds = [
        *(_of(rows, name, _hashed(name, seed)) for seed, name in enumerate(("title", "head", "tail"), 11)),
        *(_of(rows, "part", _hashed(name, 11)) for name in ("head", "tail")),  # meets the title without the rest
        *(_of(rows, name, pl.col(name)) for name in ("letters", "bare", "core", "abstract")),
        rows.select("row", key=pl.lit("id"), hash="ids").explode("hash").drop_nulls(),
        *(_of(rows, "words", each) for each in _triples()),
        *(_of(rows, "people", each) for each in _with_surnames()),
    ]
    return pl.concat(kinds).with_columns(pl.col("key").cast(KINDS)).collect()


KINDS: Final = pl.Enum("id title letters bare head tail part core abstract words people".split())
"""The kinds of keys; of a pair that shares several the first one is told."""

_KEYS: Final[dict[str, Any]] = {"row": pl.UInt32, "key": KINDS, "hash": pl.UInt64}


def _of(rows: pl.LazyFrame, kind: str, key: pl.Expr) -> pl.LazyFrame:
    """Return the keys of one expression; null gives none."""
    return rows.select("row", key=pl.lit(kind), hash=key).drop_nulls("hash")


def _hashed(name: str, seed: int) -> pl.Expr:
    """Return the hash of a text; null of null."""
    return pl.when(pl.col(name).is_not_null()).then(pl.col(name).hash(seed))


def _triples() -> Iterator[pl.Expr]:
    """Yield a key for each three of the four longest words, in any order of these."""
    words = [pl.col("longest").list.get(place, null_on_oob=True) for place in range(_WORDS)]
    for three in combinations(words, 3):
        yield _mixed(three, 21)


def _with_surnames() -> Iterator[pl.Expr]:
    """Yield a key for each two of the first last names, by their hashes, with each of the two longest words."""
    names = [pl.col("surnames").list.get(place, null_on_oob=True) for place in range(_SURNAMES)]
    words = [pl.col("longest").list.get(place, null_on_oob=True) for place in range(2)]
    for two, word in product(combinations(names, 2), words):
        yield _mixed((*two, word), 22)


def _mixed(hashes: Sequence[pl.Expr], seed: int) -> pl.Expr:
    """Return one hash of several in any order; null if one of them is."""
    total = hashes[0]
    for each in hashes[1:]:
        total = total ^ each
    return pl.when(total.is_not_null()).then(total.hash(seed))


def _join(keys: pl.DataFrame, sides: pl.DataFrame, among: pl.Series | None) -> pl.DataFrame:
    """Return the pairs of one bucket."""
    shared = keys.lazy().unique(["hash", "row"], keep="any").filter(pl.len().over("hash").is_between(2, MOST))
    if among is not None:
        shared = shared.join(among.to_frame("row").lazy(), on="row", how="semi")
    left = sides.lazy()
    right = left.select(pl.all().name.suffix("_right"))
    pairs = (
        shared.join(shared, on="hash")
        .filter(pl.col("row") < pl.col("row_right"))
        .group_by(left="row", right="row_right")
        .agg(pl.col("key").min())
    )
    both = pairs.join(left, left_on="left", right_on="row").join(right, left_on="right", right_on="row_right")
    differ = pl.col("arxiv_id") != pl.col("arxiv_id_right")  # null says nothing
    same = pl.col("edition") == pl.col("edition_right")
    kept = both.filter(~differ.fill_null(value=False) & ~same.fill_null(value=False))
    return kept.select("left", "right", pl.col("key").cast(pl.String)).collect()
