"""Concludes a source: from its readings to the outcome that is published, or from what stands where nothing is new.

How a dump is read belongs to ``pipeline.read``; how several are merged, to ``pipeline.normalize``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import polars as pl

from parsers._contract import Page, Source
from pipeline.canonical import uncoded_countries
from pipeline.captures import settle
from pipeline.fetching.archive import last_checked
from pipeline.frames import QUARANTINE_TYPES, DumpInfo, quarantine_frame
from pipeline.guarding.baseline import failed_paths, failures
from pipeline.normalize import Carried, normalize
from pipeline.outcome import LOST, Outcome, Status
from pipeline.plan import Plan
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import Snapshot
from pipeline.read import Reading
from pipeline.validate import SchemaBrokenError, validate_tables
from schemas.items import Reject

_DEFECTS: Final = (SchemaBrokenError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What a mistake in the merge raises: it costs the source that it meets, not the others."""


def carry_over(plan: Plan, source: str) -> Outcome | None:
    """Return the outcome of a source whose tables are already those that this run would make; None for any other.

    That is so where the last run was good, everything that the tables are made from is the same, and the published
    files are still as they were written.
    """
    previous = plan.previous
    block = previous.sources.get(source) if previous else None
    if previous is None or block is None or not previous.is_current:
        return None
    if block["status"] != Status.OK or block.get("inputs") != plan.inputs(source) or not previous.holds(source):
        return None
    quarantine = previous.read("quarantine", source)
    if quarantine is None:
        return None
    return Outcome(
        source,
        block["parser"],
        Status.OK,
        None,
        None,
        quarantine,
        (),
        standing=block,
        checked_at=_checked(plan, source, failed_paths(block)),
    )


def conclude(plan: Plan, source: Source, readings: Sequence[Reading]) -> Outcome:
    """Merge and validate what was read; where nothing is good the source fails whole."""
    block = plan.previous.sources.get(source.name, {}) if plan.previous else {}
    published = block.get("published", 0) > 0
    readings = settle(readings, failures(block))
    good = [reading for reading in readings if reading.error is None]
    quarantine = pl.concat([pl.DataFrame(schema=QUARANTINE_TYPES), *(reading.quarantine for reading in readings)])
    inputs = plan.inputs(source.name)
    empty = Outcome(
        source.name,
        source.parser,
        Status.FAILED,
        None,
        None,
        quarantine,
        tuple(readings),
        kept=published,
        inputs=inputs,
        checked_at=_checked(
            plan, source.name, {reading.dump.path for reading in readings if reading.error is not None}
        ),
    )
    if not readings and not published:
        return replace(empty, status=Status.ABSENT)
    if not readings:
        return _without(empty, "empty_result", f"expected dumps below {plan.settings.raw / source.name}, found none")
    if not good:
        return replace(empty, error=readings[0].error)
    carried, lost = _carried(plan.chain, source, readings)
    try:
        normalized = normalize(good, carried)
        tables = validate_tables(normalized.records, normalized.sightings, quarantine)
    except _DEFECTS as error:
        return _without(empty, "invalid_value", f"expected tables that hold to their schema: {error}")
    if tables.records.is_empty() and published:
        return _without(empty, "empty_result", "expected records: rows are published and none of today's is valid")
    failed = [reading.error for reading in readings if reading.error is not None and not reading.settled]
    return Outcome(
        source.name,
        source.parser,
        Status.PARTIAL if failed else Status.OK,
        tables.records,
        tables.sightings,
        tables.quarantine,
        tuple(readings),
        "; ".join(failed) or None,
        inputs=inputs,
        checked_at=empty.checked_at,
        uncoded=uncoded_countries(tables.records),
        lost=lost,
    )


def _checked(plan: Plan, source: str, failed: Collection[str]) -> datetime | None:
    """Return when a page of a source was last seen as its site has it, the ``failed`` captures left out.

    None where no log tells it.
    """
    return last_checked(plan.settings.raw, source, failed, plan.settings.links)


def _carried(chain: Chain, source: Source, readings: Sequence[Reading]) -> tuple[Carried | None, str | None]:
    """Find the rows of the last snapshot that stand in for the dumps that failed, and say where they are not whole.

    On a log page a failed dump is replaced by its own rows; on a state page without a good capture, by whatever dump
    of that page was published last. Rows that are damaged there come from the newest older snapshot that has them.
    """
    good_pages = {reading.dump.page for reading in readings if reading.error is None}
    failed = {reading.dump.path: reading.dump.page for reading in readings if reading.error is not None}
    if chain.last is None or not failed:
        return None, None
    donor = chain.donor(source.name, "records", "sightings")
    feeding: Mapping[str, str] = (donor or chain.last).sources.get(source.name, {}).get("feeding", {})
    if source.page is Page.LOG:
        dumps = set(failed)
    else:
        lost = set(failed.values()) - good_pages
        dumps = {path for path, page in feeding.items() if page in lost}
    rows = donor.rows_of(source.name, dumps) if donor else None
    told = None if donor is chain.last or dumps.isdisjoint(feeding) else told_of_rows(source.name, donor)
    return (Carried(*rows) if rows else None), told


def told_of_rows(source: str, donor: Snapshot | None) -> str:
    """Say where the rows come from that the last snapshot has no longer whole."""
    if donor is None:
        return f"{source}: {LOST}"
    return f"{source}: the published rows are damaged: those of {donor.id} stand in for them"


def _without(outcome: Outcome, reason: str, detail: str) -> Outcome:
    """Make the outcome of a source that failed as a whole, with one more quarantine row that says why."""
    stage = "snapshot" if reason == "empty_result" and not outcome.readings else "validate"
    row = quarantine_frame(DumpInfo(outcome.source, None, None), stage, [Reject(None, None, "", reason, detail)])
    return replace(outcome, quarantine=pl.concat([outcome.quarantine, row]), error=f"{outcome.source}: {detail}")
