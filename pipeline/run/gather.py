"""Gathers the readings of a plan's dumps, from the cache or from a reader, and has the guards judge them.

All dumps that are needed if none fails are read first; any others that are needed then are read one at a time.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import polars as pl

from parsers._contract import PageKind, Source
from parsers._ledger.document import DumpError
from pipeline.base.settings import FailedError
from pipeline.guarding.baseline import Baseline, GoodCapture, recall
from pipeline.guarding.captures import ReadCapture, asked_first, select_readings
from pipeline.guarding.trust import is_known, trust
from pipeline.merging.normalize import supplied_columns
from pipeline.raw.inventory import Dump, load
from pipeline.reading.cache import find_entry, load_reading, verdict_key
from pipeline.reading.misfiled import with_hint
from pipeline.reading.read import Reading, failed_reading
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
    for name in names:
        source = plan.source(name)
        first = asked_first(source.page, plan.dumps(name), recall(plan.previous, name))
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
    source: Source,
    dump: Dump,
    baseline: Baseline,
    engine: Engine,
    watch: Watch = say_nothing,
) -> Reading:
    """Return the reading of a dump, from the cache or read now, as judged by the guards."""
    reading = _remembered(plan, source.name, dump, engine) or _read_now(plan, source.name, dump, engine, watch)
    former = [] if is_known(reading, baseline) else _former_rows(plan, source, reading, baseline, engine)
    judged = trust(reading, baseline, former, plan.settings.guards.of(source.name), plan.settings.max_bytes)
    if judged.error is None:
        plan.keep_rows(judged)
    return with_hint(judged, plan.others(source.name), plan.settings.max_bytes)


def _former_rows(
    plan: Plan, source: Source, reading: Reading, baseline: Baseline, engine: Engine
) -> list[pl.DataFrame]:
    """Return the records of the last good captures in the format of a reading, the newest of them last.

    A log that has a page for each day is one page here: names that differ in digits alone.
    """
    log = source.page is PageKind.LOG
    name = _DIGITS.sub("", reading.dump.page)
    past = (each for each in baseline.beside if _DIGITS.sub("", each.page) == name) if log else baseline.before
    alike = [capture for capture in past if capture.measure.format == reading.format]
    last = alike[-_FORMER:] if log else alike[-1:]
    found = (_rows_of(plan, source, capture, engine) for capture in last) if reading.error is None else ()
    return [rows for rows in found if rows is not None]


def _rows_of(plan: Plan, source: Source, capture: GoodCapture, engine: Engine) -> pl.DataFrame | None:
    """Return the records of an earlier capture: from this run, its dump, or what was published of it; None if lost."""
    if (rows := plan.rows(capture.page, capture.path, capture.sha256)) is not None:
        return rows
    dump = next((dump for dump in plan.dumps(source.name) if dump.path == capture.path), None)
    if dump is not None and plan.hash(dump) == capture.sha256:
        reading = _remembered(plan, source.name, dump, engine) or _read_now(
            plan, source.name, dump, engine, say_nothing
        )
        return None if reading.error is not None else reading.records
    intact = plan.chain.newest_intact(source.name, "records", "sightings")
    published = intact.rows_of(source.name, {capture.path}) if intact else None
    return None if published is None else supplied_columns(*published)


def collect_readings(plan: Plan, source: Source, reader: ReadCapture) -> list[Reading]:
    """Return the readings that feed a source and those that failed."""
    return select_readings(source.page, plan.dumps(source.name), recall(plan.previous, source.name), reader)


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
