"""One source, from its dumps to the outcome to publish: judge its captures, merge what has changed, describe it.

A source that fails as a whole keeps what is published of it.
"""

import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import polars as pl

from parsers._contract import PageKind
from pipeline.base.guard_settings import Policy, overrules
from pipeline.guarding.baseline import capture_order
from pipeline.guarding.comparison import Comparison, compare, find_attention, join_comparisons
from pipeline.merging.outcome import Outcome, Status
from pipeline.merging.parts import Parts
from pipeline.merging.validate import SchemaBrokenError
from pipeline.publishing.captures import capture_frame, contributing, total
from pipeline.publishing.changes import count_changes, find_changes
from pipeline.publishing.pieces import OF_RECORDS, ORDER, group_of
from pipeline.publishing.repairs import damaged_tables_message
from pipeline.publishing.store import waiting_pages
from pipeline.raw.archive import NO_LONGER, UNASKED, capture_times, unreached_pages
from pipeline.reading.frames import DumpInfo, empty_frame, quarantine_frame
from pipeline.reading.read import Reading
from pipeline.run.job import Job
from pipeline.run.judge import JudgedSource, judge_source
from pipeline.run.merge import MergedRows, choose_feeding, merge_changed, merge_published, published_parts
from schemas.items import Reject

NEWER_CODE: Final = "newer code, or another table.toml, reads less than is published"
_COUNTS: Final = re.compile(r"\d+ of \d+|-\d\d-\d\d")
"""What differs between two versions of one programme of another year."""
_DEFECTS: Final = (SchemaBrokenError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""Exceptions raised by a bug in the merge: only the affected source fails."""


class RefusedError(Exception):
    """A source fails as a whole, for a reason of the quarantine, or None where its captures have said it."""

    def __init__(self, reason: str | None, detail: str) -> None:
        """Keep both for the outcome."""
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True, slots=True)
class Compared:
    """Merged records beside those that they replace.

    ``stay`` counts the published records that stay. ``differences`` is None where there is nothing to compare them
    with; ``changed`` are rows of the change table, ``orphaned`` is a message on records that are gone with their dumps.
    """

    stay: int
    differences: Comparison | None
    changed: pl.DataFrame
    orphaned: str | None = None


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
            raise RefusedError(None, error)
        if job.published:
            raise RefusedError("empty_result", "expected dumps of what is published, found only pages that wait")
        return keep_published(job, replace(unchanged, status=Status.WAITING))
    feeding = choose_feeding(job, judged)
    try:
        merged = merge_changed(job, judged, feeding)
    except _DEFECTS as error:
        raise RefusedError("invalid_value", f"expected tables that match their schema: {error}") from error
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
        raise RefusedError("empty_result", f"expected dumps below {job.plan.settings.raw / job.source}, found none")
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
        changes=_count(changed) if job.published else None,
        changed=changed,
    )


def compare_published(job: Job, merged: MergedRows) -> Compared:
    """Compare merged records with those that they replace, part by part."""
    stay, beside = 0, _beside(job, merged)
    if merged.groups is not None:
        beside = list(beside)
        stay = job.published - sum(before.height for before, _ in beside)
    is_compared = job.published and (merged.groups is None or merged.groups)
    differences, changed, removed, gone = list[Comparison](), list[pl.DataFrame](), _removed(job), 0
    for before, now in beside:
        if removed:
            gone += before.filter(pl.col("dump").is_in(removed)).join(now, on="record_id", how="anti").height
        if is_compared:
            differences.append(compare(before, now, stay))
        retitled = differences[-1].retitled if is_compared else ()
        changed.append(find_changes(None if before.is_empty() else before, now, retitled))
    joined = join_comparisons(differences) if is_compared else None
    orphaned = f"{gone} of {job.published} records are gone: their dumps are, such as {removed[0]}" if gone else None
    return Compared(stay, joined, pl.concat(changed).sort("source", "record_id"), orphaned)


def _beside(job: Job, merged: MergedRows) -> Iterable[tuple[pl.DataFrame, pl.DataFrame]]:
    """Yield the published records of each part, and the merged ones."""
    previous = job.plan.previous
    if merged.groups is None or previous is None:
        yield from zip(published_parts(job, merged.ends), merged.records, strict=True)
    else:
        yield previous.rows_in("records", job.source, merged.groups), merged.records.whole()


def refuse_nothing(job: Job, merged: MergedRows, compared: Compared) -> None:
    """Raise ``RefusedError`` where no record is left, but for a source that never had any and says that it is empty."""
    invalid = merged.invalid.height
    if merged.records.height + compared.stay or not (job.published or invalid):
        return
    found = f"found none, {invalid} of them invalid" if invalid else "found none"
    stays = "; the published records stay" if job.published else ""
    raise RefusedError("empty_result", f"expected at least one valid record, {found}{stays}")


def find_harm(job: Job, judged: JudgedSource, merged: MergedRows, compared: Compared) -> dict[str, str]:
    """Return the guards that reject what newer code or tables make of published records, each with its message.

    As for a capture, settings and sidecars can overrule them.
    """
    if compared.differences is None or job.plan.anew or job.reads_as_before:
        return {}
    settings, harm, found = job.plan.settings.guards.of(job.source), {}, dict[frozenset[str], list[Comparison]]()
    for guard in ("lost", "spoilt"):
        dumps = (verdict.dump for verdict in judged.verdicts)
        accepting = frozenset(dump.path for dump in dumps if overrules(dump.facts.accept, guard))
        if accepting not in found:
            found[accepting] = list(_compare_pages(job, merged, accepting))
        alarms = (each.alarms[guard] for each in found[accepting] if guard in each.alarms)
        if settings.policy(guard) is Policy.FAIL and (detail := next(alarms, None)) is not None:
            harm[guard] = detail
    return harm


def refuse_harm(job: Job, harm: Mapping[str, str]) -> None:
    """Raise ``RefusedError`` where newer code would take values from published records.

    A dump that published rows come from takes its values with it when it is removed.
    """
    if harm and not _removed(job):
        guard, detail = next(iter(harm.items()))
        raise RefusedError(f"guard_{guard}", f"{NEWER_CODE}: {detail}")


def _compare_pages(job: Job, merged: MergedRows, accepting: Collection[str]) -> Iterator[Comparison]:
    """Yield how the published records have changed, in all and those of each page, wherever they stand now.

    The loss of one page is a small share among those of many. Records of the ``accepting`` dumps do not count.
    """
    pages, many = contributing(job.plan.previous, job.source), len(merged.ends) + 1
    folder = job.session.folder if merged.ends else None
    by_page = [(Parts(folder), Parts(folder)) for _ in range(many)]
    for before, every in _beside(job, merged):
        now = every.filter(~pl.col("dump").is_in(sorted(accepting)))
        yield compare(before, now)
        place = before["dump"].replace(pages).hash() % many
        for number, (olds, news) in enumerate(by_page):
            olds.add(before.filter(place == number))
            news.add(now.join(before.filter(place == number), on="record_id", how="semi", maintain_order="left"))
    for olds, news in by_page:
        rows = news.whole()
        for _, published in olds.whole().group_by(pl.col("dump").replace(pages), maintain_order=True):
            yield compare(published, rows.join(published, on="record_id", how="semi", maintain_order="left"))


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
        captures=_without_entries(outcome.captures, merged),
        groups=None,
        lost=damaged_tables_message(job.source, damaged) if unknown else merged.lost,
    )


def _without_entries(captures: pl.DataFrame, merged: MergedRows) -> pl.DataFrame:
    """Return captures without the readings of those whose rows were lost: once one can be read again, it is new."""
    loses = pl.col("feeds") & pl.col("dump").is_in(sorted(merged.losing))
    return captures.with_columns(entry=pl.when(~loses).then("entry"))


def refuse(unchanged: Outcome, refused: RefusedError) -> Outcome:
    """Return the outcome of a source that failed as a whole, with one more quarantine row if that has a reason."""
    if refused.reason is None:
        return replace(unchanged, error=refused.detail)
    stage = "snapshot" if refused.reason == "empty_result" and not unchanged.readings else "validate"
    reject = Reject(None, None, "", refused.reason, refused.detail)
    row = quarantine_frame(DumpInfo(unchanged.source, None, None), stage, [reject])
    error = f"{unchanged.source}: {refused.detail}"
    return replace(unchanged, quarantine=pl.concat([unchanged.quarantine, row]), error=error)


def describe_unchanged(job: Job, judged: JudgedSource) -> Outcome:
    """Return the outcome of a source of which the published rows stay: failed, until more is known."""
    asked = job.plan.inventory.asked.get(job.source, ())
    state = bool(asked) and job.page_kind is PageKind.STATE  # a source that is not there is not imported
    last, linked = job.session.last_asked, not any(reading.fails for reading in judged.readings)
    unreached = unreached_pages(job.session.files, job.source, asked, last, state=state, linked=linked)
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
        attention=(*_tell_waiting(job, waiting), *_tell_lapsed(job, unreached)),
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
        captures=_without_entries(_captures(feeding, judged), merged),
        groups=merged.groups,
        code=job.code,
        total=merged.records.height + compared.stay,
        error="; ".join(failed) or None,
        kept=False,
        lost=merged.lost,
        changes=_count(compared.changed) if differences is not None else None,
        changed=compared.changed,
        attention=(
            *unchanged.attention,
            *_attention(differences, judged.readings),
            *(f"newer code or tables, or dumps that were removed: {detail}" for detail in harm.values()),
            *((compared.orphaned,) if compared.orphaned is not None else ()),
        ),
    )


def _removed(job: Job) -> list[str]:
    """Return the dumps that published rows come from and that are there no more."""
    return sorted(contributing(job.plan.previous, job.source).keys() - {dump.path for dump in job.dumps})


def _held_back(job: Job, judged: JudgedSource, merged: MergedRows | None) -> pl.DataFrame:
    """Return the quarantine: what was held back of each capture that counts or failed, and invalid records.

    Of a capture that is known its published rows stay; so do invalid records of groups that have not changed.
    """
    verdicts = judged.verdicts
    now = {verdict.dump.path: verdict.reading.sha256 for verdict in verdicts if verdict.reading is not None}
    stacked = judged.stack.frame("quarantine", {verdict.dump.path for verdict in verdicts})
    # A dump that fails may have its last good reading in the stack, too, which feeds still.
    bytes_now = pl.col("dump").replace_strict(now, default=pl.col("dump_sha256"), return_dtype=pl.String)
    of_failed = pl.col("dump").is_in(sorted(judged.failed))
    stacked = stacked.filter(~of_failed | pl.col("dump_sha256").eq_missing(bytes_now))
    known = [verdict.dump.path for verdict in verdicts if verdict.dump.path not in judged.stack.dumps]
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
    readings = [reading for reading in judged.readings if reading.waits]
    waiting: dict[str, dict[str, str]] = {}
    for reading in sorted(readings, key=lambda each: capture_order(each.dump.facts.captured_at, each.dump.path)):
        page, measure = reading.dump.page, reading.measure
        first = f"{reading.dump.facts.captured_at or job.plan.started_at:%Y-%m-%d}"
        known = waiting.get(page) or before.get(page) or {"since": first}
        waiting[page] = {"since": known["since"], "shows": measure.other_year or measure.other_event or ""}
    return waiting


def _tell_waiting(job: Job, waiting: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield what a person is told once of each page that waits, and again when it shows something else."""
    before = job.block.get("waiting", {})
    for page, message in waiting_pages({"waiting": waiting}).items():
        if _COUNTS.sub("", before.get(page, {}).get("shows", "")) != _COUNTS.sub("", waiting[page]["shows"]):
            yield message


def _checked_at(job: Job, judged: JudgedSource, unreached: Mapping[str, Mapping[str, str]]) -> datetime | None:
    """Return when the pages of a source were last seen: that of a log by its newest page, others by the oldest one.

    A page that is no longer fetched does not count, but one that waits for its programme was seen.
    """
    asked = job.plan.inventory.asked.get(job.source, ())
    failed = judged.failed - {reading.dump.path for reading in judged.readings if reading.waits}
    checked = capture_times(job.session.files, job.source, asked, failed)
    now = [moment for key, moment in checked.items() if unreached.get(key, {}).get("why") not in {NO_LONGER, UNASKED}]
    return min(now) if now and job.page_kind is PageKind.STATE else max(checked.values(), default=None)


def _tell_lapsed(job: Job, unreached: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield what a person is told once of each page that is no longer fetched."""
    before = job.block.get("unreached", {})
    for key, page in unreached.items():
        if page["why"] == NO_LONGER and before.get(key, {}).get("why") != NO_LONGER:
            yield f"{page['url']}: {NO_LONGER} since {page['since']}"


def _count(changed: pl.DataFrame) -> dict[str, int]:
    """Return the counts of the change table that the summary and the manifest tell."""
    named = {"new": "added", "gone": "removed", "moved": "moved", "retitled": "retitled"}
    found = count_changes(changed)
    return {name: found.get(change, 0) for name, change in named.items()}


def _attention(compared: Comparison | None, readings: Sequence[Reading]) -> Iterator[str]:
    """Yield what a person should look at: what its captures say, and of the source what none of them has said."""
    for reading in readings:
        yield from (f"{reading.dump.path}: {each}" for each in reading.attention)
    said = {each for reading in readings for each in reading.attention}
    if compared is not None:
        yield from (each for each in find_attention(compared, log=False) if each not in said)
