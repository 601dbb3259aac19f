"""Gathers the captures of a source: reads those that are not known, from the cache or by a reader, and judges them.

All dumps that are needed if none fails are read first; any others that are needed then are read one at a time.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl

from parsers._contract import PageKind
from parsers._ledger.document import DumpError, Facts
from pipeline.base.guard_settings import LossPolicy
from pipeline.base.settings import FailedError
from pipeline.guarding.baseline import Baseline, GoodCapture, capture_order, edition_of, recall
from pipeline.guarding.captures import CaptureVerdict, ReadCapture, asked_first, judge_captures
from pipeline.guarding.guards import MAY_WAIT
from pipeline.guarding.trust import is_known, trust
from pipeline.merging.normalize import Stack, supplied_columns
from pipeline.publishing.captures import Row, describe_facts, row_of
from pipeline.raw.archive import DOUBTED_FOR
from pipeline.raw.inventory import Dump, load
from pipeline.reading.cache import find_entry, load_reading, verdict_key
from pipeline.reading.read import Reading, failed_reading
from pipeline.refusing.misfiled import with_hint
from pipeline.run.plan import Plan
from pipeline.workers.engines import Engine
from pipeline.workers.reader import Batch, Done
from pipeline.workers.spread import Unread, Watch, make_batches

_FORMER: Final = 3
"""Captures of a listing that a new one is compared with: a day may be short."""
_DIGITS: Final = re.compile(r"\d+")


def say_nothing(_: str) -> None:
    """Ignore progress messages."""


def fill_cache(
    plan: Plan,
    names: Iterable[str],
    engine: Engine,
    watch: Watch = say_nothing,
    is_wanted: Callable[[Dump], bool] = lambda _: True,
) -> list[Done]:
    """Read the dumps that are needed if none fails and that have no cache entry yet."""
    batches: list[Batch] = []
    for name in filter(plan.dumps, names):
        past = partial(recall, plan.captures(name))
        first = asked_first(plan.page_kind(name), plan.dumps(name), past, plan.is_known)
        asked = filter(is_wanted, first)
        folders = _folders(plan, name, engine)
        batches += make_batches(name, _unread(plan, name, asked, folders), folders, plan.settings)
        if batches:
            engine.warm()  # while the dumps of the next source are hashed
    return _run_batches(plan, batches, engine, watch)


def _unread(plan: Plan, source: str, dumps: Iterable[Dump], folders: Sequence[Path]) -> Iterator[Unread]:
    """Yield the dumps without a cache entry; ``plan.again`` first deletes those of dumps that exceeded a limit."""
    for dump in dumps:
        digest, key = plan.hash(dump), plan.key(source, dump)
        if digest is None or key is None:
            continue
        verdict = verdict_key(key, plan.settings.limits)
        if plan.again:
            for folder in folders:
                _forget(plan, dump, folder / verdict)
        if find_entry(folders, (key, verdict)) is None:
            yield dump, digest, key


def _forget(plan: Plan, dump: Dump, entry: Path) -> None:
    """Delete an entry if there is one; warn if that fails."""
    try:
        entry.unlink(missing_ok=True)
    except OSError as error:
        if find_entry([entry.parent], [entry.name]) is not None:
            plan.warnings.append(f"{dump.path}: could not be retried: {entry}: {error.strerror}")


def _run_batches(plan: Plan, batches: Sequence[Batch], engine: Engine, watch: Watch = say_nothing) -> list[Done]:
    """Have the engine read batches, and note the result of each dump in the plan."""
    done = engine.run(batches, watch, plan.warnings.append) if batches else []
    for each in done:
        plan.take_note(each)
    return done


def reading_of(  # noqa: PLR0913, PLR0917  # a dump, what it is judged by, and the engine
    plan: Plan,
    source: str,
    dump: Dump,
    baseline: Baseline,
    engine: Engine,
    watch: Watch = say_nothing,
) -> Reading:
    """Return the reading of a dump, from the cache or read now, as judged by the guards."""
    if dump.path in plan.refused:
        return plan.refused[dump.path]
    reading = _remembered(plan, source, dump, engine) or _read_now(plan, source, dump, engine, watch)
    if reading.error is None and plan.stays_good(dump):  # it was judged when it was new
        plan.keep_rows(reading)
        return replace(reading, attention=())
    former = [] if is_known(reading, baseline) else _former_rows(plan, source, reading, baseline, engine)
    settings = plan.settings.guards.of(source)
    if settings.held is not LossPolicy.REFUSE and not _is_newest(plan, dump):
        settings = replace(settings, held=LossPolicy.REFUSE)  # what a newer capture shows counts
    judged = trust(reading, baseline, former, settings, plan.settings.max_bytes)
    if judged.error is None:
        plan.keep_rows(judged)
    elif not MAY_WAIT.isdisjoint(judged.by_reason):
        judged = replace(judged, waits=not _is_published(plan, source, dump, baseline))
    return with_hint(judged, plan.others(source), plan.settings.max_bytes)


def _is_newest(plan: Plan, dump: Dump) -> bool:
    """True if there is no newer capture of a page."""
    of_page = (each for each in plan.dumps(dump.source) if each.page == dump.page)
    return dump == max(of_page, key=lambda each: capture_order(each.facts.captured_at, each.path))


def _is_published(plan: Plan, source: str, dump: Dump, baseline: Baseline) -> bool:
    """True if anything of the programme that a capture was asked for is published, or was good earlier in this run."""
    wanted = edition_of(dump.page, describe_facts(dump.facts))
    feeding = plan.captures(source).filter("feeds").select("page", "facts").unique()
    return wanted in {edition_of(*each) for each in feeding.iter_rows()} | {each.edition for each in baseline.before}


def _former_rows(plan: Plan, source: str, reading: Reading, baseline: Baseline, engine: Engine) -> list[pl.DataFrame]:
    """Return the records of the last good captures in the format of a reading, the newest of them last.

    A log that has a page for each day is one page here: names that differ in digits alone. Of its lists one that was
    doubted does not vouch for the next ones, for a week: a fault lasts longer than a night, and a source that has
    really changed is pointed at until then.
    """
    log = plan.page_kind(source) is PageKind.LOG
    name = _DIGITS.sub("", reading.dump.page)
    past = (each for each in baseline.beside if _DIGITS.sub("", each.page) == name) if log else baseline.before
    alike = [
        each for each in past if each.measure.format == reading.format and not (log and _is_doubted(each, reading))
    ]
    last = alike[-_FORMER:] if log else alike[-1:]
    found = (_rows_of(plan, source, capture, engine) for capture in last) if reading.error is None else ()
    return [rows for rows in found if rows is not None]


def _is_doubted(capture: GoodCapture, reading: Reading) -> bool:
    """True if a person was told to look at a capture, less than a week before another was taken."""
    taken = reading.dump.facts.captured_at
    return capture.measure.doubted and taken is not None and taken - capture.order[0] < DOUBTED_FOR


def _rows_of(plan: Plan, source: str, capture: GoodCapture, engine: Engine) -> pl.DataFrame | None:
    """Return the records of an earlier capture: from this run, its dump, or what was published of it; None if lost."""
    if (rows := plan.rows(capture.path, capture.sha256)) is not None:
        return rows
    reading = read_known(plan, source, capture.row, engine)
    if reading is None and (dump := _unchanged_dump(plan, source, capture.row)) is not None:
        reading = _read(plan, source, dump, engine)
    if reading is not None:
        return reading.records if reading.error is None else None
    intact = plan.chain.newest_intact(source, "records", "sightings")
    published = intact.rows_of(source, {capture.path}) if intact else None
    return None if published is None else supplied_columns(*published)


def read_known(plan: Plan, source: str, row: Row, engine: Engine) -> Reading | None:
    """Return the reading of a known good capture, from its entry or else its dump; None if neither gives it any more.

    Where the entry is gone, the dump gives it only if it has the same bytes and sidecar, and is read by the same code.
    """
    if row["entry"] is None:
        return None
    dump = _unchanged_dump(plan, source, row)
    gone = Dump(source, row["dump"], Path(), row["page"], Facts(captured_at=row["captured_at"]))
    found = (load_reading(folder, row["entry"], dump or gone) for folder in _folders(plan, source, engine))
    reading = next((each for each in found if each is not None), None)
    if reading is None and dump is not None and plan.key(source, dump) == row["entry"]:
        reading = _read(plan, source, dump, engine)
    return reading if reading is not None and reading.error is None else None


def _unchanged_dump(plan: Plan, source: str, row: Row) -> Dump | None:
    """Return the dump of a capture; None if it is gone or has other bytes."""
    dump = plan.dump(source, row["dump"])
    return dump if dump is not None and plan.hash(dump) == row["dump_sha256"] else None


def _read(plan: Plan, source: str, dump: Dump, engine: Engine) -> Reading:
    """Return the reading of a dump, from the cache or read now."""
    return _remembered(plan, source, dump, engine) or _read_now(plan, source, dump, engine, say_nothing)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The captures of a source that count or failed, in the order of their paths, and what was read of them now.

    ``rows`` has the row of the table ``captures`` of each that was read now, ``stack`` its rows of the other tables;
    the readings in ``verdicts`` are without these.
    """

    source: str
    verdicts: tuple[CaptureVerdict, ...]
    rows: dict[str, dict[str, Any]]
    stack: Stack


def gather(plan: Plan, source: str, read: ReadCapture) -> Gathered:
    """Judge the captures of a source; ``read`` returns the judged reading of one that is not known."""
    stack = Stack()
    rows: dict[str, dict[str, Any]] = {}

    def keep(dump: Dump, baseline: Baseline) -> Reading:
        reading = read(dump, baseline)
        known = plan.known_row(dump) if reading.error is None else None
        rows[dump.path] = dict(known or row_of(reading, plan.key(source, dump), feeds=reading.feeds))
        stack.add(reading)
        tables = {name: getattr(reading, name).clear() for name in ("records", "sightings", "quarantine")}
        return replace(reading, **tables)

    past, dumps = partial(recall, plan.captures(source)), plan.dumps(source)
    verdicts = judge_captures(plan.page_kind(source), dumps, past, plan.is_known, keep) if dumps else []
    return Gathered(source, tuple(verdicts), rows, stack)


def _remembered(plan: Plan, source: str, dump: Dump, engine: Engine) -> Reading | None:
    """Return the cached reading of a dump, even of one that exceeded its limits; None if there is no valid entry."""
    if (key := plan.key(source, dump)) is None:
        return None
    names = (key, verdict_key(key, plan.settings.limits))
    found = (load_reading(folder, name, dump) for folder in _folders(plan, source, engine) for name in names)
    return next((reading for reading in found if reading is not None), None)


def _read_now(plan: Plan, source: str, dump: Dump, engine: Engine, watch: Watch) -> Reading:
    """Read one dump, ignoring any cache entry. Raises ``FailedError`` where its new entry cannot be found."""
    digest = plan.hash(dump) or plan.look_again(dump)
    key = plan.key(source, dump)
    if digest is None or key is None:
        return failed_reading(dump, _refusal(plan, dump))
    folders = _folders(plan, source, engine)
    batches = make_batches(source, [(dump, digest, key)], folders, plan.settings, again=True)
    (done,) = _run_batches(plan, list(batches), engine, watch)
    if done.unreadable is not None:
        return failed_reading(dump, DumpError(dump.path, 1, "unreadable", done.unreadable))
    reading = _remembered(plan, source, dump, engine)
    if reading is None:
        raise FailedError(
            f"{dump.path}: expected its parsed records in {folders[0]}: {done.problem or 'the file is gone'}"
        )
    return reading


def _refusal(plan: Plan, dump: Dump) -> DumpError:
    """Return the error that explains why a dump has no hash."""
    try:
        load(dump, plan.settings.max_bytes)
    except DumpError as error:
        return error
    return DumpError(dump.path, 1, "unreadable", "expected a readable file; it became unreadable during the run")


def _folders(plan: Plan, source: str, engine: Engine) -> tuple[Path, ...]:
    """Return the folders for cache entries: the cache, then the spare folder of this run."""
    return (plan.cache(source), *([engine.spare / source] if engine.spare else []))
