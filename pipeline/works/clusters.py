"""Clusters of records: what is joined, directly or through others, unless that contradicts itself.

The components of all pairs are found at once. Only a component with a contradiction is made anew, pair by pair from the
strongest: a union is refused that would bring two arXiv ids, two DOIs of one kind, two records of one programme or two
that a person has told apart into one cluster. Nor do talks of two years become one by a record without a year, unless
an id says so.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

Rows: TypeAlias = npt.NDArray[np.int64]

_PROGRAMME: Final = "records of one programme or page"
_YEARS: Final = "years"
_FACTS: Final = ("arXiv ids", "DOIs", "DOIs of preprints", _PROGRAMME, _YEARS)
_PREPRINT_DOI: Final = r"^10\.(?:1101|2139|20944|21203|22541|26434|31219|31234|31235|36227|48550|5281)/"
"""DOIs of servers of preprints: a paper may have one beside that of its publisher."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The place of a pair that was not joined, and what contradicts it."""

    pair: int
    why: str


def components(count: int, left: pl.Series, right: pl.Series) -> pl.Series:
    """Return for each of ``count`` rows the smallest row that it is joined with, directly or through others."""
    return pl.Series(_components(count, *(side.to_numpy().astype(np.int64) for side in (left, right))))


def _components(count: int, left: Rows, right: Rows) -> Rows:
    """Do so for arrays."""
    label = np.arange(count, dtype=np.int64)
    while True:
        least = np.minimum(label[left], label[right])
        before = label.copy()
        np.minimum.at(label, before[left], least)
        np.minimum.at(label, before[right], least)
        label = label[label]
        if np.array_equal(label, before):
            return label


def cluster(
    features: pl.DataFrame, joins: pl.DataFrame, different: Collection[tuple[int, int]]
) -> tuple[pl.Series, list[Refused]]:
    """Return the first row of the cluster of each row, and the pairs that were refused.

    ``joins`` are pairs of rows, ``left`` and ``right``, from the strongest to the weakest, each with ``is_told``: an id
    or a person joins it. ``different`` are pairs that a person has told apart.
    """
    left, right = (joins[name].to_numpy().astype(np.int64) for name in ("left", "right"))
    told = joins["is_told"].to_numpy()
    label = _components(features.height, left, right)
    facts = _facts(features)
    contradicted = set(_contradicted(label, facts, different))
    if not contradicted:
        return pl.Series(label), []
    again = np.isin(label[left], list(contradicted))
    label[np.isin(label, list(contradicted))] = np.flatnonzero(np.isin(label, list(contradicted)))
    union = _Union(facts, different)
    refused = [
        Refused(int(place), why)
        for place in np.flatnonzero(again)
        if (why := union.join(int(left[place]), int(right[place]), is_told=bool(told[place]))) is not None
    ]
    for row in union.rows():
        label[row] = union.find(row)
    return pl.Series(label), refused


def _facts(features: pl.DataFrame) -> pl.DataFrame:
    """Return what a cluster has at most one of."""
    is_preprint = pl.col("doi").str.contains(_PREPRINT_DOI)
    return features.select(
        pl.col("arxiv_id").alias("arXiv ids"),
        pl.when(~is_preprint).then("doi").alias("DOIs"),
        pl.when(is_preprint).then("doi").alias("DOIs of preprints"),
        pl.col("edition").alias(_PROGRAMME),
        pl.when(pl.col("stage") != "preprint").then("year").alias(_YEARS),
    )


def _contradicted(label: Rows, facts: pl.DataFrame, different: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Yield the components that contradict themselves."""
    rows = facts.with_columns(label=pl.Series(label)).filter(pl.len().over("label") > 1)
    for name in facts.columns:
        values = rows.drop_nulls(name)
        if name == _PROGRAMME:
            found = values.filter(pl.struct("label", name).is_duplicated())["label"]
        else:
            found = values.filter(pl.col(name).n_unique().over("label") > 1)["label"]
        yield from found.unique().to_list()
    yield from (int(label[first]) for first, second in different if label[first] == label[second])


class _Union:
    """Clusters that are joined one by one, unless the union contradicts itself."""

    def __init__(self, facts: pl.DataFrame, different: Iterable[tuple[int, int]]) -> None:
        """Begin with each row alone."""
        self._facts = facts
        self._leader: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._known: dict[int, dict[str, set[Hashable]]] = {}
        self._apart: dict[int, set[int]] = defaultdict(set)
        for first, second in different:
            self._apart[first].add(second)
            self._apart[second].add(first)

    def rows(self) -> Sequence[int]:
        """Return the rows that were asked about."""
        return list(self._leader)

    def find(self, row: int) -> int:
        """Return the leader of the cluster of a row."""
        if row not in self._leader:
            self._leader[row], self._members[row] = row, [row]
            facts = self._facts.row(row, named=True).items()
            self._known[row] = {name: {value} for name, value in facts if value is not None}
        while self._leader[row] != row:
            row = self._leader[row]
        return row

    def join(self, first: int, second: int, *, is_told: bool) -> str | None:
        """Join the clusters of two rows; return what contradicts it, if anything does."""
        one, other = sorted((self.find(first), self.find(second)))
        if one == other:
            return None
        if (why := self._contradiction(one, other, is_told=is_told)) is not None:
            return why
        self._leader[other] = one
        self._members[one] += self._members.pop(other)
        for name, values in self._known.pop(other).items():
            self._known[one].setdefault(name, set()).update(values)
        return None

    def _contradiction(self, one: int, other: int, *, is_told: bool) -> str | None:
        """Return what two clusters must not have both: of a programme the same one, of anything else others."""
        mine, others = self._known[one], self._known[other]
        for name in _FACTS:
            both = mine.get(name, set()), others.get(name, set())
            if (name != _YEARS or not is_told) and all(both) and both[0].isdisjoint(both[1]) == (name != _PROGRAMME):
                return f"two {name}"
        theirs = set(self._members[other])
        is_apart = any(self._apart[row] & theirs for row in self._members[one] if row in self._apart)
        return "told apart by a person" if is_apart else None
