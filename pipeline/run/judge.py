"""Judges the captures of a source by the guards: which of them count, and what was read of them.

One that is known is not read again. Which captures come next belongs to ``pipeline.guarding.worklist``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from sys import intern
from typing import Any, Final

import polars as pl

from parsers._contract import PageKind
from pipeline.base.signals import MAY_WAIT, LossPolicy
from pipeline.guarding.baseline import Baseline, GoodCapture, capture_order, edition_of
from pipeline.guarding.trust import is_known, judge_reading
from pipeline.guarding.worklist import CaptureVerdict, Worklist, listed_as, mark_superseded
from pipeline.merging.normalize import Stack, supplied_columns
from pipeline.publishing.captures import describe_facts, row_of
from pipeline.publishing.pieces import group_of_id
from pipeline.raw.capture_log import DOUBTED_FOR
from pipeline.raw.dump import Dump
from pipeline.reading.frames import empty_frame
from pipeline.reading.read import Reading
from pipeline.refusing.misfiled import with_hint
from pipeline.run.job import Job
from pipeline.run.read import published_rows, read, read_known

MOST_HELD: Final = 16_000
"""Records of this run that are kept in memory: of larger sources they are read again from the cache."""
_FORMER: Final = 3
"""Captures of a listing that a new one is compared with: a day may be short."""


@dataclass(slots=True)
class JudgedSource:
    """The captures of a source that count or failed, in the order of their paths, and what was read of them now.

    ``rows`` has the row of the table ``captures`` of each that was read now, ``groups`` the groups of its records, and
    ``stack`` its rows of the other tables, as long as they are few: the readings in ``verdicts`` are without these.
    ``partly`` is True if one of them is published in part.
    """

    verdicts: list[CaptureVerdict] = field(default_factory=list)
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    partly: bool = False
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    stack: Stack = field(default_factory=Stack)

    @property
    def failed(self) -> set[str]:
        """The paths of the dumps that failed."""
        return {verdict.dump.path for verdict in self.verdicts if verdict.error is not None}

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What was read of the captures that count or failed."""
        return tuple(verdict.reading for verdict in self.verdicts if verdict.reading is not None)

    def keep(self, job: Job, reading: Reading) -> CaptureVerdict:
        """Keep what was read of a capture; return the verdict on it."""
        known = job.known_row(reading.dump) if reading.error is None else None
        row = dict(known or row_of(reading, job.key(reading.dump), feeds=reading.feeds))
        self.rows[reading.dump.path] = row
        self.stack.add(reading)
        if reading.feeds:  # one that fails may feed with its last good reading
            self.groups[reading.dump.path] = groups_shown(reading)
        self.partly = self.partly or reading.partly
        if self.stack.height > MOST_HELD and not self.partly:
            self.stack.forget_rows()
        records, sightings, quarantine = map(empty_frame, ("records", "sightings", "quarantine"))
        without = replace(reading, records=records, sightings=sightings, quarantine=quarantine)
        return CaptureVerdict(reading.dump, without, row)

    def only_newest(self, verdicts: Sequence[CaptureVerdict]) -> list[CaptureVerdict]:
        """Return verdicts of which only the newest of each page is published in part."""
        ordered = sorted(verdicts, key=lambda each: capture_order(each.dump.facts.captured_at, each.dump.path))
        newest = {each.dump.page: each.dump for each in ordered if each.reading is not None and each.reading.partly}
        found = []
        for verdict in verdicts:
            reading = verdict.reading
            if reading is None or not reading.partly or newest[verdict.dump.page] == verdict.dump:
                found.append(verdict)
                continue
            self.rows[verdict.dump.path]["feeds"] = False
            error = (reading.error or "").rpartition("; ")[0]  # without what is published of it
            found.append(replace(verdict, reading=replace(reading, partly=False, error=error)))
        return found


def groups_shown(reading: Reading) -> frozenset[str]:
    """Return the groups of the records that a capture shows."""
    return frozenset(map(intern, map(group_of_id, reading.sightings["record_id"].to_list())))


def judge_source(job: Job) -> JudgedSource:
    """Judge the captures of a source, one after another."""
    judged = JudgedSource()
    if not job.dumps:
        return judged
    work = Worklist(job.page_kind, job.dumps, job.captures)
    while (dump := work.next()) is not None:
        if job.is_known(dump):
            work.done(CaptureVerdict(dump))
        else:
            work.done(judged.keep(job, judge(job, dump, work.baseline(dump))))
    bad = job.captures.filter(pl.col("error").is_not_null()).select("dump", "dump_sha256", "error")
    judged.verdicts = mark_superseded(job.page_kind, judged.only_newest(work.verdicts()), set(bad.iter_rows()))
    return judged


def judge(job: Job, dump: Dump, baseline: Baseline) -> Reading:
    """Return the reading of a dump as judged by the guards."""
    if dump.path in job.session.refused:
        return job.session.refused[dump.path]
    reading, max_bytes = read(job, dump), job.plan.settings.max_bytes
    if reading.error is None and job.stays_good(dump):  # it was judged when it was new
        job.session.keep_rows(reading)
        return replace(reading, signs=())
    former = [] if is_known(reading, baseline) else _former_rows(job, reading, baseline)
    settings = job.plan.settings.guards.of(job.source)
    if baseline.accepted is not None:  # of a file whose bytes were replaced the old ones are gone: all or nothing
        settings = replace(settings, held=LossPolicy.REFUSE)
    judged = judge_reading(reading, baseline, former, settings, max_bytes)
    if judged.error is None:
        job.session.keep_rows(judged)
    elif any(sign.signal in MAY_WAIT for sign in judged.signs):
        judged = replace(judged, waits=not _is_published(job, dump, baseline))
    return with_hint(judged, job.plan.others(job.source), max_bytes)


def _is_published(job: Job, dump: Dump, baseline: Baseline) -> bool:
    """True if anything of the programme that a capture was asked for is published, or was good earlier in this run."""
    wanted = edition_of(dump.page, describe_facts(dump.facts))
    feeding = job.captures.filter("feeds").select("page", "facts").unique()
    return wanted in {edition_of(*each) for each in feeding.iter_rows()} | {each.edition for each in baseline.before}


def _former_rows(job: Job, reading: Reading, baseline: Baseline) -> list[pl.DataFrame]:
    """Return the records of the last good captures in the format of a reading, the newest of them last.

    A log that has a page for each day is one page here: names that differ in digits alone. Of its lists one that was
    doubted does not vouch for the next ones, for a week: a fault lasts longer than a night, and a source that has
    really changed is pointed at until then.
    """
    if reading.error is not None:
        return []
    log = job.page_kind is PageKind.LOG
    name = listed_as(job.page_kind, reading.dump.page)
    past = (
        (each for each in baseline.of_source if listed_as(job.page_kind, each.page) == name) if log else baseline.before
    )
    alike = [
        each for each in past if each.measure.format == reading.format and not (log and _is_doubted(each, reading))
    ]
    found = (_rows_of(job, capture) for capture in (alike[-_FORMER:] if log else alike[-1:]))
    return [rows for rows in found if rows is not None]


def _is_doubted(capture: GoodCapture, reading: Reading) -> bool:
    """True if a person was told to look at a capture, less than a week before another was taken."""
    taken = reading.dump.facts.captured_at
    return capture.measure.doubted and taken is not None and taken - capture.order[0] < DOUBTED_FOR


def _rows_of(job: Job, capture: GoodCapture) -> pl.DataFrame | None:
    """Return the records of an earlier capture: from this run, its dump, or what was published of it; None if lost."""
    if (rows := job.session.recent_rows(capture.path, capture.sha256)) is not None:
        return rows
    reading = read_known(job, capture.row)
    if reading is None and (dump := job.unchanged_dump(capture.row)) is not None:
        reading = read(job, dump)
    if reading is not None:
        return reading.records if reading.error is None else None
    published = published_rows(job, [capture.path])
    return None if published.sightings.is_empty() else supplied_columns(published.records, published.sightings)
