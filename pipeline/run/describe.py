"""Describes what became of a source: its outcome, from what was judged, merged and compared."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

import polars as pl

from parsers._contract import PageKind
from pipeline.base.signals import Sign
from pipeline.guarding.baseline import capture_order
from pipeline.guarding.checks import look_at
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.captures import capture_frame, total
from pipeline.publishing.changes import count_changes
from pipeline.publishing.pieces import ORDER, group_of
from pipeline.publishing.store import waiting_pages
from pipeline.raw.capture_log import NO_LONGER, UNASKED, capture_times, unreached_pages
from pipeline.reading.frames import empty_frame
from pipeline.reading.read import Reading
from pipeline.run.compare import Compared
from pipeline.run.job import Job
from pipeline.run.judge import JudgedSource
from pipeline.run.merge import MergedRows

_COUNTS: Final = re.compile(r"\d+ of \d+|-\d\d-\d\d")
"""What differs between two versions of one programme of another year."""


def describe_unchanged(job: Job, judged: JudgedSource) -> Outcome:
    """Return the outcome of a source of which the published rows stay: failed, until more is known."""
    unreached = _find_unreached(job, judged)
    known = [verdict.dump.path for verdict in judged.verdicts if verdict.reading is None]
    there = job.captures.filter(pl.col("dump").is_in(known) & pl.col("error").is_null())
    current = pl.concat([there, capture_frame(judged.rows.values())])
    waiting = _find_waiting(job, judged)
    return Outcome(
        job.source,
        job.parser,
        Status.FAILED,
        {},
        _held_back(job, judged, None),
        _captures(job.captures.filter("feeds"), judged),
        judged.readings,
        len(judged.verdicts),
        total(current, "classes"),
        total(current, "boilerplate"),
        read_seconds=job.seconds,
        kept=job.published > 0,
        code=job.block.get("code") if job.remembers else None,
        checked_at=_checked_at(job, judged, unreached),
        signs=(*_tell_waiting(job, judged, waiting), *_tell_lapsed(job, judged, unreached)),
        waiting=waiting,
        unreached=unreached,
    )


def describe_renewed(  # noqa: PLR0913, PLR0917  # all that the steps before have found
    job: Job,
    judged: JudgedSource,
    unchanged: Outcome,
    feeding: pl.DataFrame,
    merged: MergedRows,
    compared: Compared,
    harm: Mapping[str, str],
) -> Outcome:
    """Return the outcome of a source with new rows."""
    failed = [reading.error for reading in judged.readings if reading.error is not None and reading.fails]
    differences = compared.differences
    return replace(
        unchanged,
        status=Status.PARTIAL if failed else Status.OK,
        tables=merged.tables,
        quarantine=_held_back(job, judged, merged),
        captures=without_entries(_captures(feeding, judged), merged),
        groups=merged.groups,
        code=job.code,
        total=merged.records.height + compared.stay,
        error="; ".join(failed) or None,
        kept=False,
        lost=merged.lost,
        changes=count_by_kind(compared.changed) if differences is not None else None,
        changed=compared.changed,
        signs=(*unchanged.signs, *_tell_changes(job, judged, compared, harm)),
    )


def without_entries(captures: pl.DataFrame, merged: MergedRows) -> pl.DataFrame:
    """Return captures without the readings of those whose rows were lost: once one can be read again, it is new."""
    loses = pl.col("feeds") & pl.col("dump").is_in(sorted(merged.losing))
    return captures.with_columns(entry=pl.when(~loses).then("entry"))


def count_by_kind(changed: pl.DataFrame) -> dict[str, int]:
    """Return the counts of the change table that the summary and the manifest tell."""
    named = {"new": "added", "gone": "removed", "moved": "moved", "retitled": "retitled"}
    found = count_changes(changed)
    return {name: found.get(change, 0) for name, change in named.items()}


def _held_back(job: Job, judged: JudgedSource, merged: MergedRows | None) -> pl.DataFrame:
    """Return the quarantine: what was held back of each capture that counts or failed, and invalid records.

    Of a capture that is known its published rows stay; so do invalid records of groups that have not changed.
    """
    verdicts = judged.verdicts
    read = [verdict for verdict in verdicts if verdict.reading is not None]
    now = {verdict.dump.path: verdict.reading.sha256 for verdict in read if verdict.reading is not None}
    now |= {path: digest for verdict in read for path, digest in verdict.dump.facts.companions}
    stacked = judged.stack.frame("quarantine", {verdict.dump.path for verdict in verdicts})
    # A dump that fails may have its last good reading in the stack, too, which feeds still.
    bytes_now = pl.col("dump").replace_strict(now, default=pl.col("dump_sha256"), return_dtype=pl.String)
    failed = judged.failed
    of_failed = pl.col("dump").is_in([path for each in read if each.dump.path in failed for path in each.dump.paths])
    stacked = stacked.filter(~of_failed | pl.col("dump_sha256").eq_missing(bytes_now))
    known = [path for each in verdicts if each.dump.path not in judged.stack.dumps for path in each.dump.paths]
    previous = job.plan.previous
    published = empty_frame("quarantine") if previous is None else previous.intact_rows("quarantine", job.source)
    of_records = pl.col("record_id").is_not_null() & (pl.col("stage") == "validate")
    there = published.filter(~of_records & pl.col("dump").is_in(known))
    if merged is None:
        invalid = published.filter(of_records)
    else:
        changed = group_of("records").is_in(sorted(merged.groups or ()))
        stay = published.filter(of_records & ~changed) if merged.groups is not None else published.clear()
        invalid = pl.concat([stay, merged.invalid])
    return pl.concat([stacked, there, invalid]).sort(ORDER["quarantine"])


def _captures(feeding: pl.DataFrame, judged: JudgedSource) -> pl.DataFrame:
    """Return the table of captures: those that feed, and those that failed."""
    failed = capture_frame(judged.rows[each.dump.path] for each in judged.verdicts if not each.feeds)
    return pl.concat([feeding, failed]).sort(ORDER["captures"])


def _find_waiting(job: Job, judged: JudgedSource) -> dict[str, dict[str, str]]:
    """Return the pages that wait for their programme, each with since when and what its newest capture shows."""
    before = job.block.get("waiting", {})
    waiting: dict[str, dict[str, str]] = {}
    for reading in _waiting(judged):
        page, measure = reading.dump.page, reading.measure
        first = f"{reading.dump.facts.captured_at or job.plan.started_at:%Y-%m-%d}"
        known = waiting.get(page) or before.get(page) or {"since": first}
        waiting[page] = {"since": known["since"], "shows": measure.other_year or measure.other_event or ""}
    return waiting


def _waiting(judged: JudgedSource) -> list[Reading]:
    """Return the captures that wait, the newest last."""
    readings = (reading for reading in judged.readings if reading.waits)
    return sorted(readings, key=lambda each: capture_order(each.dump.facts.captured_at, each.dump.path))


def _tell_waiting(job: Job, judged: JudgedSource, waiting: Mapping[str, Mapping[str, str]]) -> Iterator[Sign]:
    """Yield what a person is told once of each page that waits, and again when it shows something else."""
    before = job.block.get("waiting", {})
    newest = {reading.dump.page: reading.dump.path for reading in _waiting(judged)}
    for page, message in waiting_pages({"waiting": waiting}).items():
        if _COUNTS.sub("", before.get(page, {}).get("shows", "")) != _COUNTS.sub("", waiting[page]["shows"]):
            yield Sign("waiting", message, dump=newest.get(page))


def _checked_at(job: Job, judged: JudgedSource, unreached: Mapping[str, Mapping[str, str]]) -> datetime | None:
    """Return when the pages of a source were last seen: that of a log by its newest page, others by the oldest one.

    A page that is no longer fetched does not count, but one that waits for its programme was seen.
    """
    asked = job.plan.inventory.asked.get(job.source, ())
    failed = judged.failed - {reading.dump.path for reading in judged.readings if reading.waits}
    checked = capture_times(job.session.files, job.source, asked, failed)
    now = [moment for key, moment in checked.items() if unreached.get(key, {}).get("why") not in {NO_LONGER, UNASKED}]
    return min(now) if now and job.page_kind is PageKind.STATE else max(checked.values(), default=None)


def _find_unreached(job: Job, judged: JudgedSource) -> dict[str, dict[str, str]]:
    """Return the pages that could not be fetched, or are no longer: address, since when, why.

    One that is no longer fetched stays so until it is asked for again, whatever fails beside it.
    """
    asked, before = job.plan.inventory.asked.get(job.source, ()), job.block.get("unreached", {})
    state = bool(asked) and job.page_kind is PageKind.STATE  # a source that is not there is not imported
    last, linked = job.session.last_asked, not any(reading.fails for reading in judged.readings)
    found = unreached_pages(job.session.files, job.source, asked, last, state=state, linked=linked)
    lapsed = {key: {**page, "why": NO_LONGER} for key, page in found.items() if page["why"] == UNASKED}
    return {key: lapsed[key] if lapsed.get(key) == before.get(key, {}) else page for key, page in found.items()}


def _tell_lapsed(job: Job, judged: JudgedSource, unreached: Mapping[str, Mapping[str, str]]) -> Iterator[Sign]:
    """Yield what a person is told once of each page that is no longer fetched and of which something is published."""
    before, feeding = job.block.get("unreached", {}), [each.dump.path for each in judged.verdicts if each.feeds]
    for key, page in unreached.items():
        is_news = page["why"] == NO_LONGER and before.get(key, {}).get("why") != NO_LONGER
        if is_news and any(path.startswith(f"{job.source}/{key}/") for path in feeding):
            yield Sign("lapsed", f"{page['url']}: {NO_LONGER} since {page['since']}")


def _tell_changes(job: Job, judged: JudgedSource, compared: Compared, harm: Mapping[str, str]) -> Iterator[Sign]:
    """Yield what a person should look at: what its captures say, and of the source what none of them has said."""
    said = [(reading.dump.path, sign) for reading in judged.readings for sign in reading.looks]
    yield from (sign._replace(detail=f"{path}: {sign.detail}", dump=path) for path, sign in said)
    told = {sign.detail for _, sign in said}
    if compared.differences is not None:
        settings = job.plan.settings.guards.of(job.source)
        yield from (sign for sign in look_at(compared.differences, settings) if sign.detail not in told)
    for detail in harm.values():
        yield Sign("overruled", f"newer code or tables, or dumps that were removed: {detail}")
    if compared.orphaned is not None:
        yield Sign("orphaned", compared.orphaned)
