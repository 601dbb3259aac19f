"""Compares what a listing prints with its last captures, also those of other days: columns, and the form of texts.

A listing shows other records each day, so that few are known, and of the first list of a day none; but the records of
a source print alike. Shares alone would say nothing of a page with six records: how likely a share is does.

Pure functions of frames of records, as ``pipeline.reading.frames`` makes them. Known records beside themselves belong
to ``pipeline.guarding.comparison``.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import exp, log
from typing import Final, TypeAlias

import polars as pl

from pipeline.reading.frames import RECORD_TYPES

_SECTION: Final = 10  # records from which the shares of a section mean something
_MUCH: Final = 0.8
_NEARLY_ALL: Final = 0.9  # of the records: of fewer than ten, all
_LITTLE: Final = 0.2
_FEW: Final = 3  # the fewest that a person is told of
_BY_CHANCE: Final = 1e-4
"""Chance of records that print alike below which it is the page: of one author each, for example, nine in a row."""

_APART: Final = frozenset(
    "record_id source kind dump dump_sha256 line_start line_end parser notes engagement slots other_ids".split()
)
"""Not compared: provenance, notes, a count that changes every night, and what follows from other columns."""

COMPARED: Final = tuple(name for name in RECORD_TYPES.names() if name not in _APART)

Shares: TypeAlias = dict[str | None, dict[str, float]]
"""The shares of filled values by section and column."""
Counts: TypeAlias = tuple[int, int]
"""How many records print something in a form, and how many print it at all."""

_TITLE: Final = pl.col("title")
_HALF: Final = (_TITLE.str.len_chars() - 1) // 2
_NAMES: Final = pl.col("authors").list.eval(
    pl.element().struct.field("name").str.contains(r"^(?:\p{Lu}\p{M}?\.[ -]?)+ ?\p{Lu}")
)
_FORMS: Final = {
    "titles are in capitals": _TITLE.str.contains(r"\p{Lu}{2}") & ~_TITLE.str.contains(r"\p{Ll}"),
    "titles are those of other records too": pl.when(_TITLE.is_not_null()).then(_TITLE.is_duplicated()),
    "titles are printed twice": (_TITLE.str.len_chars() > 1)
    & (_TITLE.str.slice(0, _HALF) == _TITLE.str.slice(_HALF + 1)),
    "abstracts end in an ellipsis": pl.col("abstract").str.contains(r"(?:\.\.\.|…)\s*$"),
    "records have only one author": pl.col("authors").list.len() == 1,
    "authors have only initials": _NAMES.list.all(),
}
"""Forms of printed values; null for a record that prints no such value."""

_MEASURED: Final = [
    each
    for place, form in enumerate(_FORMS.values())
    for each in (form.sum().alias(f"with {place}"), form.count().alias(f"of {place}"))
]
_BEGIN: Final = ("title", "abstract")


def find_emptied(now: pl.DataFrame, before: Sequence[pl.DataFrame], late: Collection[str] = ()) -> str | None:
    """Return a message on columns that a section of a listing has lost, compared with its last good captures.

    The columns ``late`` may still be filled.
    """
    filled = shares(now)
    names = [name for name in COMPARED if name not in late]
    found = {(section, name): "" for section, each in filled.items() for name in names if each[name] < _LITTLE}
    for frame in before[::-1]:
        past = shares(frame) if found else {}
        for section, name in list(found):
            share = past[section][name] if section in past else None
            if share is not None and share <= _MUCH:
                del found[section, name]
            elif share is not None and not found[section, name]:
                found[section, name] = f"{share:.0%} before"
    return "; ".join(_emptied(filled, section, name, told) for (section, name), told in found.items() if told) or None


def _emptied(filled: Shares, section: str | None, name: str, before: str) -> str:
    """Return the message on a column that a section has lost."""
    where = f" in the section {section}" if section else ""
    return f"{name}: {filled[section][name]:.0%} of the records{where} have it, {before}"


def shares(frame: pl.DataFrame) -> Shares:
    """Return the share of filled values by section and column, for sections with enough records."""
    places: dict[str | None, list[int]] = {}
    for place, section in enumerate(frame["listing_section"].to_list()):
        places.setdefault(section, []).append(place)
    sections = {
        section: frame if len(rows) == frame.height else frame[rows]
        for section, rows in places.items()
        if len(rows) >= _SECTION
    }
    return {
        section: {name: (rows.height - rows[name].null_count()) / rows.height for name in COMPARED}
        for section, rows in sections.items()
    }


def find_other_form(now: pl.DataFrame, before: Sequence[pl.DataFrame], late: Collection[str] = ()) -> str | None:
    """Return a message on values that most records print in a form that few of the last captures have.

    A page in capitals, or with teasers in place of abstracts, is told from others of its source by nothing else.
    """
    if now.height < _FEW or not before:
        return None
    measured = _count_forms(now)
    past = [_count_forms(frame) for frame in before] if any(map(_is_of_most, measured)) else []
    told = [
        _other_form(form, each, (sum(count for count, _ in old), sum(of for _, of in old)))
        for form, each, old in zip(_FORMS, measured, zip(*past, strict=True), strict=bool(past))
    ]
    return "; ".join(filter(None, (*told, *_find_same_words(now, before), *_find_missing(now, before, late)))) or None


def _count_forms(frame: pl.DataFrame) -> list[Counts]:
    """Return for each form how many records have it."""
    counts = [int(each or 0) for each in frame.select(_MEASURED).row(0)]
    return list(zip(counts[::2], counts[1::2], strict=True))


def _find_same_words(now: pl.DataFrame, before: Sequence[pl.DataFrame]) -> Iterator[str | None]:
    """Yield a message for each column most of whose texts begin with the same word, such as a label."""
    for name in _BEGIN:
        texts = [text for text in now[name].to_list() if text is not None]
        (word, count), *_ = Counter(text.partition(" ")[0] for text in texts).most_common(1) or [("", 0)]
        if count >= max(_FEW, _NEARLY_ALL * len(texts)):
            past = [text for frame in before for text in frame[name].to_list() if text is not None]
            known = sum(text.startswith(f"{word} ") for text in past), len(past)
            yield _other_form(f"{name}s begin with {word!r}", (count, len(texts)), known)


def _find_missing(now: pl.DataFrame, before: Sequence[pl.DataFrame], late: Collection[str]) -> Iterator[str | None]:
    """Yield a message for each column that no record has and nearly all had: of few ``find_emptied`` says nothing."""
    known = sum(frame.height for frame in before)
    for name in (each for each in COMPARED if each not in late):
        lacking = sum(frame[name].null_count() for frame in before) if now[name].null_count() == now.height else known
        if lacking <= (1 - _NEARLY_ALL) * known:
            yield _other_form(f"records have no {name}", (now.height, now.height), (lacking, known))


def _other_form(form: str, now: Counts, before: Counts) -> str | None:
    """Return a message on a form that most records have, if that is unlikely by how many had it before."""
    (count, of), (had, known) = now, before
    if not _is_of_most(now) or not known:
        return None
    share = (had + 1) / (known + 2)  # none of a few does not mean that there are none
    if count <= share * of or chance(count, of, share) >= _BY_CHANCE:
        return None
    return f"{count} of {of} {form}, {had} of {known} in the captures before"


def _is_of_most(counts: Counts) -> bool:
    """True if a form is that of most records, and of enough."""
    count, of = counts
    return count >= max(_FEW, _NEARLY_ALL * of)


def chance(count: int, of: int, share: float) -> float:
    """Return at most how likely ``count`` of ``of`` things are, each of which happens with the probability ``share``.

    That is Chernoff's bound, for more than the share expects; it is exact where ``count`` is all.
    """
    found = count / of
    rest = (1 - found) * log((1 - found) / (1 - share)) if count < of else 0.0
    return exp(-of * (found * log(found / share) + rest))
