"""Concludes a source: turns its readings into the outcome to publish, or carries over the published tables.

Reading a dump belongs to ``pipeline.reading.read``, merging several to ``pipeline.merging.normalize``.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import polars as pl

from parsers._contract import PageKind, Source
from pipeline.base.guard_settings import Policy, overrules
from pipeline.guarding.captures import mark_superseded
from pipeline.guarding.comparison import Comparison, compare, find_attention
from pipeline.merging.normalize import Carried, normalize
from pipeline.merging.outcome import Outcome, Status
from pipeline.merging.validate import QUARANTINE_ORDER, SchemaBrokenError, validate_tables
from pipeline.publishing.chain import Chain
from pipeline.publishing.manifest import LAST_GOOD, failed_paths, failures
from pipeline.publishing.repairs import damaged_rows_message
from pipeline.raw.archive import last_checked
from pipeline.reading.canonical import uncoded_countries
from pipeline.reading.frames import QUARANTINE_TYPES, DumpInfo, quarantine_frame
from pipeline.reading.read import Reading
from pipeline.run.plan import Plan
from schemas.items import Reject
from schemas.tables import RECORDS, SIGHTINGS, polars_schema

NEWER_CODE: Final = "newer code reads less than is published"
_DEFECTS: Final = (SchemaBrokenError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""Exceptions raised by a bug in the merge: only the affected source fails."""


def carry_over(plan: Plan, source: str) -> Outcome | None:
    """Return the outcome of a source whose published tables are still current; None for any other.

    They are current if the last run was good, all inputs of the tables are the same, and the published files are
    unchanged.
    """
    previous = plan.previous
    block = previous.sources.get(source) if previous else None
    if previous is None or block is None or not previous.is_current:
        return None
    if block["status"] != Status.OK or block.get("inputs") != plan.inputs(source) or not previous.holds(source):
        return None
    quarantine = previous.table("quarantine", source)
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
        unchanged=block,
        checked_at=_checked(plan, source, failed_paths(block)),
    )


def conclude(plan: Plan, source: Source, readings: Sequence[Reading]) -> Outcome:
    """Merge and validate the readings of a source; it fails as a whole if none is good."""
    block = plan.previous.sources.get(source.name, {}) if plan.previous else {}
    published = block.get("published", 0) > 0
    readings = mark_superseded(readings, failures(block))
    good = [reading for reading in readings if reading.error is None]
    quarantine = pl.concat([pl.DataFrame(schema=QUARANTINE_TYPES), *(reading.quarantine for reading in readings)])
    quarantine = quarantine.sort(QUARANTINE_ORDER)
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
        code=plan.code(source.name),
        checked_at=_checked(
            plan, source.name, {reading.dump.path for reading in readings if reading.error is not None}
        ),
    )
    if not readings:
        return _conclude_without_dumps(plan, empty, block)
    if not good:
        return replace(empty, error=readings[0].error)
    return _merge(plan, source, readings, empty)


def _conclude_without_dumps(plan: Plan, empty: Outcome, block: Mapping[str, Any]) -> Outcome:
    """Conclude a source without dumps: it fails if it ever had good ones, unless a person said that it is withdrawn."""
    source = empty.source
    if not (empty.kept or block.get("refreshed_at") or block.get(LAST_GOOD)):
        return replace(empty, status=Status.ABSENT)
    if source not in plan.withdrawn and not (block["status"] == Status.OK and not block["dumps"]):  # nor was
        return _without(empty, "empty_result", f"expected dumps below {plan.settings.raw / source}, found none")
    records, sightings = (pl.DataFrame(schema=polars_schema(table)) for table in (RECORDS, SIGHTINGS))
    tables = validate_tables(records, sightings, empty.quarantine)
    compared = _compare(plan, source, records) if empty.kept else None
    return replace(
        empty,
        status=Status.OK,
        records=tables.records,
        sightings=tables.sightings,
        quarantine=tables.quarantine,
        kept=False,
        checked_at=None,
        changes=_count(compared) if compared is not None else None,
    )


def _merge(plan: Plan, source: Source, readings: Sequence[Reading], empty: Outcome) -> Outcome:
    """Merge the good readings of a source; ``empty`` is its outcome if that fails."""
    carried, lost = _carried(plan.chain, source, readings)
    try:
        normalized = normalize([reading for reading in readings if reading.error is None], carried)
        tables = validate_tables(normalized.records, normalized.sightings, empty.quarantine)
    except _DEFECTS as error:
        return _without(empty, "invalid_value", f"expected tables that match their schema: {error}")
    if tables.records.is_empty() and empty.kept:
        return _without(
            empty, "empty_result", "expected at least one valid record, found none; the published records stay"
        )
    compared = _compare(plan, source.name, tables.records) if empty.kept else None
    harm = _harm(plan, source.name, readings, tables.records, compared) if compared is not None else {}
    if harm and not _has_lost_dumps(plan, source.name):
        guard, detail = next(iter(harm.items()))
        return _without(empty, f"guard_{guard}", f"{NEWER_CODE}: {detail}")
    failed = [reading.error for reading in readings if reading.error is not None and not reading.superseded]
    return replace(
        empty,
        status=Status.PARTIAL if failed else Status.OK,
        records=tables.records,
        sightings=tables.sightings,
        quarantine=tables.quarantine,
        error="; ".join(failed) or None,
        kept=False,
        uncoded=uncoded_countries(tables.records),
        lost=lost,
        changes=_count(compared) if compared is not None else None,
        retitled=compared.retitled if compared is not None else (),
        attention=(
            *_attention(compared, readings),
            *(f"newer code, or dumps that were removed: {detail}" for detail in harm.values()),
        ),
    )


def _compare(plan: Plan, source: str, records: pl.DataFrame) -> Comparison | None:
    """Compare the new records of a source with those published before; None if these are damaged everywhere."""
    before = plan.chain.table("records", source)
    return None if before is None else compare(before, records)


def _harm(
    plan: Plan, source: str, readings: Sequence[Reading], records: pl.DataFrame, compared: Comparison
) -> dict[str, str]:
    """Return the guards that reject what newer code makes of published records, each with its message.

    As for a capture, settings and sidecars can overrule them. The rows of each page are judged by themselves too: the
    loss of one is a small share among those of many pages.
    """
    block = plan.previous.sources.get(source, {}) if plan.previous else {}
    if plan.consent or block.get("code") == plan.code(source):
        return {}
    settings = plan.settings.guards.of(source)
    harm = {}
    for guard in ("lost", "spoilt"):
        accepting = [reading.dump.path for reading in readings if overrules(reading.dump.facts.accept, guard)]
        others = records.filter(~pl.col("dump").is_in(accepting)) if accepting else records
        whole = _compare(plan, source, others) if accepting else compared
        found = (
            each.alarms[guard] for each in (whole, *_by_page(plan, source, others)) if each and guard in each.alarms
        )
        if settings.policy(guard) is Policy.FAIL and (detail := next(found, None)) is not None:
            harm[guard] = detail
    return harm


def _by_page(plan: Plan, source: str, records: pl.DataFrame) -> Iterator[Comparison]:
    """Yield how the published records of each page have changed, wherever they stand now."""
    before = plan.chain.table("records", source)
    pages = plan.previous.sources[source].get("feeding", {}) if plan.previous else {}
    rows = before.group_by(pl.col("dump").replace(pages), maintain_order=True) if before is not None else ()
    for _, published in rows:
        yield compare(published, records.join(published, on="record_id", how="semi", maintain_order="left"))


def _has_lost_dumps(plan: Plan, source: str) -> bool:
    """True if a dump that published rows come from was removed: it takes its values with it."""
    block = plan.previous.sources.get(source, {}) if plan.previous else {}
    return not {dump.path for dump in plan.dumps(source)}.issuperset(block.get("feeding", ()))


def _count(compared: Comparison) -> dict[str, int]:
    """Return the counts of a comparison that the summary and the manifest tell."""
    return {"new": compared.new, "gone": compared.gone, "moved": compared.moved, "retitled": len(compared.retitled)}


def _attention(compared: Comparison | None, readings: Sequence[Reading]) -> Iterator[str]:
    """Yield what a person should look at: what its captures say, and of the source what none of them has said."""
    for reading in readings:
        yield from (f"{reading.dump.path}: {each}" for each in reading.attention)
    said = {each for reading in readings for each in reading.attention}
    if compared is not None:
        yield from (each for each in find_attention(compared, log=False) if each not in said)


def _checked(plan: Plan, source: str, failed: Collection[str]) -> datetime | None:
    """Return when a page of a source was last seen on its site, ignoring ``failed`` captures; None if no log says."""
    return last_checked(plan.files, source, plan.inventory.asked.get(source, ()), failed)


def _carried(chain: Chain, source: Source, readings: Sequence[Reading]) -> tuple[Carried | None, str | None]:
    """Return published rows that replace failed dumps, and a message if those of the last snapshot are damaged.

    On a log page a failed dump is replaced by its own rows; on a state page without a good capture, by the rows of the
    dump of that page published last. Damaged rows are taken from the newest older snapshot that has them intact.
    """
    good_pages = {reading.dump.page for reading in readings if reading.error is None}
    failed = {reading.dump.path: reading.dump.page for reading in readings if reading.error is not None}
    if chain.last is None or not failed:
        return None, None
    intact = chain.newest_intact(source.name, "records", "sightings")
    contributing: Mapping[str, str] = (intact or chain.last).sources.get(source.name, {}).get("feeding", {})
    if source.page is PageKind.LOG:
        dumps = set(failed)
    else:
        lost = set(failed.values()) - good_pages
        dumps = {path for path, page in contributing.items() if page in lost}
    rows = intact.rows_of(source.name, dumps) if intact else None
    message = (
        None if intact is chain.last or dumps.isdisjoint(contributing) else damaged_rows_message(source.name, intact)
    )
    return (Carried(*rows) if rows else None), message


def _without(outcome: Outcome, reason: str, detail: str) -> Outcome:
    """Return the outcome of a source that failed as a whole, with one more quarantine row that gives the reason."""
    stage = "snapshot" if reason == "empty_result" and not outcome.readings else "validate"
    row = quarantine_frame(DumpInfo(outcome.source, None, None), stage, [Reject(None, None, "", reason, detail)])
    return replace(outcome, quarantine=pl.concat([outcome.quarantine, row]), error=f"{outcome.source}: {detail}")
