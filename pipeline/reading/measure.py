"""Measures one capture for the guards: its size, its completeness, and what it declares; the measure as JSON."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import Any, Final

import polars as pl

from parsers._contract import PageKind, Source
from parsers._ledger.lines import LineClass
from pipeline.reading.declared import count_declared
from pipeline.reading.parse import CUT, Parsed

SAMPLE: Final = 32
"""Maximum number of hashes in a sample of record ids."""

HASH: Final = 8
"""Hex digits of each of these hashes."""


_LATER: Final = (
    "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"  # second and later bytes, as Latin-1 and Windows-1252 read them
)
_GARBLED: Final = re.compile(rf"[ÂÃÄÅ][{_LATER}]|â[€\u0080][{_LATER}]|\ufffd")
_TEXTS: Final = ("title", "abstract", "session_title", "description", "comments")


@dataclass(frozen=True, slots=True)
class Measure:
    """The measure of one capture for the guards, kept in the table ``captures`` for comparison with later ones.

    ``titles`` counts records with a title, ``authors`` and ``abstracts`` count ``papers`` with them. ``declared`` and
    ``found`` are those of the declared total that is missed by most; ``complete`` is True if there are totals and all
    match. ``ids`` is a hash of the record ids, ``listed_on`` the newest listing day and ``day_ids`` a sample of the
    records listed on it: the smallest hashes of their ids, concatenated. ``challenge`` names what the page shows
    instead of content, ``asked`` is the day whose list was asked for, ``other`` says what is shown instead of that,
    ``other_year`` what contradicts the year that was asked for, ``other_event`` how a page of another event calls it.
    ``language`` is the one that it says it is in, ``cut`` the end that the dump lacks. ``rejected`` counts the lines of
    the ``held`` items that were rejected. ``foreign``
    counts the records with text that is not ASCII, ``garbled`` those of them with text that was decoded wrongly.
    ``doubted`` is True if a person was told to look at the capture; ``repeated_by`` is the path of an earlier capture
    that has the records of this day under a later one.
    """

    log: bool = False
    format: str | None = None
    records: int = 0
    titles: int = 0
    papers: int = 0
    authors: int = 0
    abstracts: int = 0
    lines: int = 0
    unexplained: int = 0
    rejected: int = 0
    held: int = 0
    declared: int = 0
    found: int = 0
    complete: bool = False
    says_empty: bool = False
    listed_on: str | None = None
    ids: str | None = None
    day_ids: str = ""
    fingerprint: str | None = None
    challenge: str | None = None
    other: str | None = None
    other_year: str | None = None
    other_event: str | None = None
    language: str | None = None
    foreign: int = 0
    garbled: int = 0
    cut: str | None = None
    asked: str | None = None
    doubted: bool = False
    repeated_by: str | None = None


_MEASURES: Final = {each.name: each.default for each in fields(Measure)}


def describe_measure(measure: Measure) -> dict[str, Any]:
    """Return a measure for the manifest: the values that are not defaults."""
    return {name: value for name, value in asdict(measure).items() if value != _MEASURES[name]}


def restore_measure(block: Mapping[str, Any] | None) -> Measure | None:
    """Return the measure from its block of the manifest; None if there is none, or another version wrote it."""
    if block is None or block.keys() - _MEASURES.keys():
        return None
    return Measure(**block)


def measure_capture(source: Source, parsed: Parsed, records: pl.DataFrame) -> Measure:
    """Return the measure of a parsed document and its records, one per row."""
    is_paper = [kind == "paper" for kind in records["kind"].to_list()]
    totals = count_declared(parsed.declared, parsed.records)
    declared, found = max(totals, key=lambda total: total[0] - total[1], default=(0, 0))
    ids, days = records["record_id"].to_list(), records["listed_on"].to_list()
    newest = max(filter(None, days), default=None)
    foreign, garbled = count_garbled(records)
    return Measure(
        log=source.page is PageKind.LOG,
        format=parsed.format,
        records=records.height,
        titles=records.height - records["title"].null_count(),
        papers=sum(is_paper),
        authors=_count_among(records["authors"], is_paper),
        abstracts=_count_among(records["abstract"], is_paper),
        lines=parsed.accounting.lines,
        unexplained=parsed.accounting.by_class.get(LineClass.UNEXPLAINED, 0),
        rejected=parsed.accounting.by_class.get(LineClass.REJECTED, 0),
        declared=declared,
        found=found,
        complete=bool(totals) and all(promised == there for promised, there in totals),
        says_empty=parsed.says_empty,
        foreign=foreign,
        garbled=garbled,
        cut=next((reject.detail for reject in parsed.rejects if reject.reason == CUT), None),
        listed_on=str(newest) if newest is not None else None,
        ids=_hash(sorted(ids)),
        day_ids=_sample(each for each, day in zip(ids, days, strict=True) if day == newest)
        if newest is not None
        else "",
    )


def _count_among(values: pl.Series, wanted: Sequence[bool]) -> int:
    """Return how many of the wanted rows have a value."""
    if not values.null_count():
        return sum(wanted)
    return sum(value is not None and want for value, want in zip(values.to_list(), wanted, strict=True))


def count_garbled(records: pl.DataFrame) -> tuple[int, int]:
    """Return how many records have text that is not ASCII, and how many of them have text that was decoded wrongly.

    UTF-8 was read as Latin-1 before it was printed, as in ``MÃ¼ller``, or signs were lost.
    """
    names = [" ".join(person["name"] for person in people or ()) for people in records["authors"].to_list()]
    texts = zip(*(records[name].to_list() for name in _TEXTS), names, strict=True)
    foreign = [text for row in texts if not (text := " ".join(filter(None, row))).isascii()]
    return len(foreign), sum(_GARBLED.search(text) is not None for text in foreign)


def _sample(values: Iterable[str]) -> str:
    """Return the smallest hashes of some values, concatenated: two samples show how much two lists share."""
    return "".join(sorted(sha256(value.encode()).hexdigest()[:HASH] for value in values)[:SAMPLE])


def _hash(values: Iterable[str]) -> str:
    """Return the hash of a list of values, as 16 hex digits."""
    return sha256("\n".join(values).encode()).hexdigest()[:16]
