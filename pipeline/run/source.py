"""One source, from its dumps to the outcome to publish: judge its captures, merge what has changed, describe it.

A source that fails as a whole keeps what is published of it.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import polars as pl

from pipeline.base.signals import Policy, Sign
from pipeline.merging.outcome import Outcome, Status
from pipeline.merging.parts import Parts
from pipeline.merging.validate import SchemaBrokenError
from pipeline.publishing.changes import find_changes
from pipeline.publishing.pieces import OF_RECORDS
from pipeline.publishing.repairs import damaged_tables_message
from pipeline.reading.frames import DumpInfo, empty_frame, quarantine_frame
from pipeline.run.compare import Compared, compare_published, find_harm, removed_dumps
from pipeline.run.describe import count_by_kind, describe_renewed, describe_unchanged, without_entries
from pipeline.run.job import Job
from pipeline.run.judge import JudgedSource, judge_source
from pipeline.run.merge import MergedRows, choose_feeding, merge_changed, merge_published, published_parts
from schemas.items import Reject

_NEWER_CODE: Final = "newer code, or another table.toml, reads less than is published"
_DEFECTS: Final = (SchemaBrokenError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""Exceptions raised by a bug in the merge: only the affected source fails."""


class RefusedError(Exception):
    """A source fails as a whole: by which signal, and for which reason of the quarantine.

    Both are None where its captures have said it.
    """

    def __init__(self, signal: str | None, reason: str | None, detail: str) -> None:
        """Keep all for the outcome."""
        super().__init__(detail)
        self.signal, self.reason, self.detail = signal, reason, detail


def refresh_source(job: Job) -> Outcome:
    """Turn the dumps of a source into its outcome."""
    start = time.perf_counter()
    judged = judge_source(job)
    unchanged = describe_unchanged(job, judged)
    try:
        outcome = renew(job, judged, unchanged)
    except RefusedError as refused:
        outcome = keep_published(job, refuse(unchanged, refused))
    return replace(outcome, seconds=job.seconds + time.perf_counter() - start)


def renew(job: Job, judged: JudgedSource, unchanged: Outcome) -> Outcome:
    """Merge what has changed of a source. Raises ``RefusedError`` where it fails as a whole."""
    if not judged.verdicts:
        return conclude_without_dumps(job, unchanged)
    if not any(verdict.feeds for verdict in judged.verdicts):
        if error := next((reading.error for reading in judged.readings if reading.fails), None):
            raise RefusedError(None, None, error)
        if job.published:
            raise RefusedError(
                "no_records", "empty_result", "expected dumps of what is published, found only pages that wait"
            )
        return keep_published(job, replace(unchanged, status=Status.WAITING))
    feeding = choose_feeding(job, judged)
    try:
        merged = merge_changed(job, judged, feeding)
    except _DEFECTS as error:
        expected = f"expected tables that match their schema: {error}"
        raise RefusedError("defect", "invalid_value", expected) from error
    compared = compare_published(job, merged)
    refuse_nothing(job, merged, compared)
    harm = find_harm(job, judged, merged, compared)
    refuse_harm(job, harm)
    return describe_renewed(job, judged, unchanged, feeding, merged, compared, harm)


def conclude_without_dumps(job: Job, unchanged: Outcome) -> Outcome:
    """Return the outcome of a source without dumps.

    It fails if it ever had good ones, unless a person said that it is withdrawn. Raises ``RefusedError`` then.
    """
    block, had = job.block, job.captures.filter(pl.col("error").is_null()).height
    if not (job.published or block.get("refreshed_at") or block.get("lost") or block.get("waiting") or had):
        return replace(unchanged, status=Status.ABSENT)
    was_empty = block["status"] in {Status.OK, Status.WAITING} and not had and not job.published
    if job.source not in job.plan.withdrawn and not was_empty:
        found = "found none; put them back, or, if that is right, withdraw the source"
        expected = f"expected dumps below {job.plan.settings.raw / job.source}, {found}"
        raise RefusedError("no_dumps", "empty_result", expected)
    records, sightings = map(empty_frame, OF_RECORDS)
    (before,) = published_parts(job, ())
    changed = find_changes(before, records)
    return replace(
        unchanged,
        status=Status.OK,
        tables={"records": Parts.of(records), "sightings": Parts.of(sightings)},
        quarantine=unchanged.quarantine.clear(),
        captures=unchanged.captures.clear(),
        groups=None,
        code=job.code,
        kept=False,
        checked_at=None,
        changes=count_by_kind(changed) if job.published else None,
        changed=changed,
    )


def refuse_nothing(job: Job, merged: MergedRows, compared: Compared) -> None:
    """Raise ``RefusedError`` where no record is left, but for a source that never had any and says that it is empty."""
    invalid = merged.invalid.height
    if merged.records.height + compared.stay or not (job.published or invalid):
        return
    found = f"found none, {invalid} of them invalid" if invalid else "found none"
    stays = "; the published records stay" if job.published else ""
    raise RefusedError("no_records", "empty_result", f"expected at least one valid record, {found}{stays}")


def refuse_harm(job: Job, harm: Mapping[str, str]) -> None:
    """Raise ``RefusedError`` where newer code would take values from published records.

    A dump that published rows come from takes its values with it when it is removed.
    """
    if harm and not removed_dumps(job):
        guard, detail = next(iter(harm.items()))
        raise RefusedError("newer_code", f"guard_{guard}", f"{_NEWER_CODE}: {detail}")


def keep_published(job: Job, outcome: Outcome) -> Outcome:
    """Return the outcome of a source without new rows; damaged tables of its published ones are made again."""
    previous = job.plan.previous
    damaged = [table for table in OF_RECORDS if previous is not None and not previous.is_whole(table, job.source)]
    if not damaged:
        return outcome
    try:
        merged = merge_published(job)
    except SchemaBrokenError:  # the source failed for the same reason and reports it
        return replace(outcome, lost=damaged_tables_message(job.source, damaged))
    unknown = "sightings" in damaged and not job.remembers  # which captures fed it, and how many rows they showed
    return replace(
        outcome,
        tables={table: merged.tables[table] for table in damaged},
        captures=without_entries(outcome.captures, merged),
        groups=None,
        lost=damaged_tables_message(job.source, damaged) if unknown else merged.lost,
    )


def refuse(unchanged: Outcome, refused: RefusedError) -> Outcome:
    """Return the outcome of a source that failed as a whole, with one more quarantine row if that has a reason."""
    if refused.signal is None or refused.reason is None:
        return replace(unchanged, error=refused.detail)
    stage = "snapshot" if refused.reason == "empty_result" and not unchanged.readings else "validate"
    reject = Reject(None, None, "", refused.reason, refused.detail)
    row = quarantine_frame(DumpInfo(unchanged.source, {}), stage, [reject])
    error = f"{unchanged.source}: {refused.detail}"
    signs = (*unchanged.signs, Sign(refused.signal, refused.detail, Policy.FAIL))
    return replace(unchanged, quarantine=pl.concat([unchanged.quarantine, row]), error=error, signs=signs)
