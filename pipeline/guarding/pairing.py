"""Pairs the records of two states of a page: by id, and those left over one to one, by their titles.

Equal titles of a kind come first, then nearly equal ones if slot, authors or the letters of the abstract are the same,
then a title that is the beginning of the old one, or has a label before it.

A hash of each row tells those that differ; only these are looked at, as rows of Python values.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Any, Final, TypeAlias

import polars as pl

from pipeline.guarding.listings import COMPARED

OLD: Final = ":old"
"""Behind the names of the columns that a pair had before."""

PARTS: Final = {"affiliation of authors": "affiliation", "url of authors": "url"}
"""What is known of authors, compared as columns are."""

_HASHED: Final = (*COMPARED, "notes")
_PAIRED_BY: Final = ("record_id", "kind", "title", "starts_at", "room", "authors", "abstract")
_LETTERS: Final = dict.fromkeys(range(0x30, 0x3A)) | dict.fromkeys(map(ord, " \t\n!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))
_NOT_LETTERS: Final = re.compile(r"[\W\d_]+")
_BEGINNING: Final = 1_000  # characters of an abstract in which the letters are that tell it from others
_TELLING: Final = 200  # of these letters
_NEAR: Final = 0.9
_SHORTEST: Final = 8  # characters of a title that is looked for inside another one
_LEAST_WORDS: Final = 2  # that it begins with, if nothing else is the same
_MOST: Final = 100  # candidates for a near title at one place, as posters of one session

Row: TypeAlias = dict[str, Any]
Pair: TypeAlias = Mapping[str, Any]
"""The columns of a record now, and under their names with ``:old`` behind those that it had before."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The records of two states beside each other.

    ``differing`` are the pairs with other values or ids, ``known`` counts all of them; ``gone`` and ``new`` have the
    places of the records without a partner in the frames ``before`` and ``now``. ``others`` counts known records that
    are certainly the same.
    """

    before: pl.DataFrame
    now: pl.DataFrame
    differing: Sequence[Pair]
    known: int
    gone: Sequence[int]
    new: Sequence[int]
    others: int = 0

    def had(self, name: str) -> int:
        """Return how many of the known records had a value in a column."""
        if name in PARTS:
            cells = self.before["authors"].to_list()
            return (
                sum(part_of(cell, name) is not None for cell in cells)
                - self._of_gone(part_of(cells[place], name) for place in self.gone)
                + self.others
            )
        column = self.before[name]
        return column.len() - column.null_count() - self._of_gone(column[list(self.gone)]) + self.others

    @staticmethod
    def _of_gone(values: Iterable[Any]) -> int:
        """Return how many values there are."""
        return sum(value is not None for value in values)


def pair_records(before: pl.DataFrame, now: pl.DataFrame, others: int = 0) -> Pairs:
    """Pair records with those of an earlier state; ``others`` are known records that are certainly the same."""
    was, stands = before["record_id"].to_list(), now["record_id"].to_list()
    place_of = {record_id: place for place, record_id in enumerate(was)}
    both = [(place_of[record_id], place) for place, record_id in enumerate(stands) if record_id in place_of]
    hashes = [_hashes(frame) if both else [] for frame in (before, now)]
    differing = [(old, new) for old, new in both if hashes[0][old] != hashes[1][new]]
    gone, added = _places_of_others(was, stands), _places_of_others(stands, was)
    titled = _by_title(before, gone, now, added) if gone and added else {}
    taken = set(titled.values())
    found = [*differing, *titled.items()]
    return Pairs(
        before,
        now,
        list(_beside(before, now, found)),
        len(both) + len(titled) + others,
        [place for place in gone if place not in titled],
        [place for place in added if place not in taken],
        others,
    )


def _places_of_others(ids: Sequence[str], known: Sequence[str]) -> list[int]:
    """Return the places of the ids that are not among the known ones."""
    there = set(known)
    return [place for place, record_id in enumerate(ids) if record_id not in there]


def part_of(people: Sequence[Mapping[str, Any]] | None, name: str) -> list[str] | None:
    """Return one of the ``PARTS`` of a cell of people; None if it is known of none of them."""
    return [each[PARTS[name]] for each in people or () if each[PARTS[name]] is not None] or None


def _hashes(frame: pl.DataFrame) -> list[int]:
    """Return a hash of what is compared of each record."""
    return pl.DataFrame([frame[name] for name in _HASHED]).hash_rows().to_list()


def _beside(before: pl.DataFrame, now: pl.DataFrame, places: Sequence[tuple[int, int]]) -> Iterator[Pair]:
    """Yield the rows at some places of two frames beside each other, with the parts of their authors."""
    olds = before[[old for old, _ in places]].iter_rows(named=True)
    for old, new in zip(olds, now[[new for _, new in places]].iter_rows(named=True), strict=True):
        for row in (old, new):
            row.update((name, part_of(row["authors"], name)) for name in PARTS)
        yield {**new, **{name + OLD: value for name, value in old.items()}}


def _by_title(before: pl.DataFrame, gone: Sequence[int], now: pl.DataFrame, added: Sequence[int]) -> dict[int, int]:
    """Return the places of records whose ids differ, one to one."""
    olds, news = _rows_at(before, gone), _rows_at(now, added)
    partners = dict(_equal_titles(olds, news))
    partners |= dict(_near_titles(*_left(olds, news, partners)))
    partners |= _cut_titles(*_left(olds, news, partners))
    plain, labelled = _left(olds, news, partners)
    partners |= _labelled_titles(plain, labelled) or {
        old: new for new, old in _labelled_titles(labelled, plain).items()
    }
    place = [{row["record_id"]: row["place"] for row in rows} for rows in (olds, news)]
    return {place[0][old]: place[1][new] for old, new in partners.items()}


def _rows_at(frame: pl.DataFrame, places: Sequence[int]) -> list[Row]:
    """Return what pairs the records at some places of a frame."""
    some = pl.DataFrame([frame[name] for name in _PAIRED_BY])
    some = some if len(places) == frame.height else some[list(places)]
    return [
        {
            **row,
            "place": place,
            "authors": "; ".join(each["name"] for each in row["authors"] or ()),
            "abstract": row["abstract"] and _first_letters(row["abstract"]),
        }
        for place, row in zip(places, some.iter_rows(named=True), strict=True)
    ]


def _first_letters(abstract: str) -> str:
    """Return the first letters of an abstract, whatever marks, blanks and signs that nobody sees are between them."""
    text = abstract[:_BEGINNING].casefold()
    return (text.translate(_LETTERS) if text.isascii() else _NOT_LETTERS.sub("", text))[:_TELLING]


def _left(olds: Sequence[Row], news: Sequence[Row], partners: Mapping[str, str]) -> tuple[list[Row], list[Row]]:
    """Return the records without a partner."""
    taken = set(partners.values())
    left = [row for row in olds if row["record_id"] not in partners]
    return left, [row for row in news if row["record_id"] not in taken]


def _near_titles(gone: Sequence[Row], added: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield the ids of records with nearly equal titles, or without one, that share a slot, authors or an abstract."""
    taken: set[str] = set()
    at_place: dict[object, list[Row]] = defaultdict(list)
    for row in added:
        for place in _places(row):
            at_place[place].append(row)
    for row in gone:
        near = {each["record_id"]: each for place in _places(row) for each in at_place.get(place, ())}
        free = islice(((key, each) for key, each in near.items() if key not in taken), _MOST)
        scored = ((_likeness(row["title"], each["title"]), key) for key, each in free)
        score, key = max(scored, default=(0.0, ""))
        if score >= _NEAR:
            taken.add(key)
            yield row["record_id"], key


def _equal_titles(gone: Iterable[Row], added: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Yield the ids of records of one kind with equal titles; those in the same slot first, since titles repeat."""
    paired: set[str] = set()
    for columns in (("kind", "title", "starts_at", "room"), ("kind", "title")):
        alike: dict[tuple[object, ...], deque[str]] = defaultdict(deque)
        for row in added:
            if row["record_id"] not in paired:
                alike[tuple(row[name] for name in columns)].append(row["record_id"])
        for row in gone:
            found = alike.get(tuple(row[name] for name in columns))
            if found and row["title"] is not None and row["record_id"] not in paired:
                partner = found.popleft()
                paired.update((row["record_id"], partner))
                yield row["record_id"], partner


def _labelled_titles(plain: Sequence[Row], labelled: Sequence[Row]) -> dict[str, str]:
    """Return the ids of records of which one title has a word or two more before the other one, such as a label."""
    behind: dict[str, str] = {}
    for row in labelled if plain else ():
        _, _, rest = (row["title"] or "").partition(" ")
        for end in (rest, rest.partition(" ")[2]):
            behind.setdefault(end, row["record_id"])
    found = (
        (row["record_id"], behind.pop(row["title"], None)) for row in plain if len(row["title"] or "") >= _SHORTEST
    )
    return {one: other for one, other in found if other is not None}


def _cut_titles(gone: Iterable[Row], added: Iterable[Row]) -> dict[str, str]:
    """Return the ids of records of one kind of which the new title is the beginning of the old one, up to a word."""
    partners: dict[str, str] = {}
    begin = {(row["kind"], row["title"]): row["record_id"] for row in added if len(row["title"] or "") >= _SHORTEST}
    for row in gone if begin else ():
        words = (row["title"] or "").split(" ")
        starts = (" ".join(words[:count]) for count in range(len(words) - 1, _LEAST_WORDS - 1, -1))
        found = next((begin.pop((row["kind"], start)) for start in starts if (row["kind"], start) in begin), None)
        if found is not None:
            partners[row["record_id"]] = found
    return partners


def _places(row: Row) -> Iterator[tuple[object, ...]]:
    """Yield what a record with another title must share: kind and slot, authors or abstract."""
    if row["starts_at"] is not None:
        yield row["kind"], row["starts_at"], row["room"]
    if row["authors"]:
        yield row["kind"], row["authors"]
    if row["abstract"] is not None:
        yield row["kind"], row["abstract"]


def _likeness(before: str | None, now: str | None) -> float:
    """Return how alike two titles are, from 0 to 1; one that is missing, or contains the other, is nearly equal."""
    if before is None or now is None:
        return _NEAR
    short, long = sorted((before, now), key=len)
    rest = long.removeprefix(short) if long.startswith(short) else long.removesuffix(short)[::-1]
    if len(short) >= _SHORTEST and rest != long[::-1] and not rest[:1].isalnum():
        return _NEAR
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _NEAR else 0.0
