"""Measures one capture for the guards: its size, its completeness, and what it declares."""

from collections.abc import Iterable
from hashlib import sha256

import polars as pl

from parsers._contract import Page, Source
from parsers._lines import LineClass
from pipeline.declared import count_declared
from pipeline.guarding.guards import HASH, SAMPLE, Measure
from pipeline.parse import Parsed


def measure_capture(source: Source, parsed: Parsed, records: pl.DataFrame) -> Measure:
    """Return the measure of a parsed document and its records, one per row."""
    papers = records.filter(pl.col("kind") == "paper")
    totals = count_declared(parsed.declared, parsed.records)
    declared, found = max(totals, key=lambda total: total[0] - total[1], default=(0, 0))
    newest = records["listed_on"].max()
    return Measure(
        log=source.page is Page.LOG,
        format=parsed.format,
        records=records.height,
        titles=records["title"].count(),
        papers=papers.height,
        authors=papers["authors"].count(),
        abstracts=papers["abstract"].count(),
        lines=parsed.accounting.lines,
        unexplained=parsed.accounting.by_class.get(LineClass.UNEXPLAINED, 0),
        declared=declared,
        found=found,
        complete=bool(totals) and all(promised == there for promised, there in totals),
        says_empty=parsed.says_empty,
        listed_on=str(newest) if newest is not None else None,
        ids=_hash(sorted(records["record_id"])),
        day_ids=_sample(records.filter(pl.col("listed_on") == newest)["record_id"]) if newest is not None else "",
    )


def _sample(values: Iterable[str]) -> str:
    """Return the smallest hashes of some values, concatenated: two samples show how much two lists share."""
    return "".join(sorted(sha256(value.encode()).hexdigest()[:HASH] for value in values)[:SAMPLE])


def _hash(values: Iterable[str]) -> str:
    """Return the hash of a list of values, as 16 hex digits."""
    return sha256("\n".join(values).encode()).hexdigest()[:16]
