"""Has dumps read: all that need it at once, before anything is judged, and any others that are needed then.

The engine reads; its results are found in the cache. Judging what was read belongs to ``pipeline.run.judge``.
"""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import polars as pl

from parsers._ledger.document import DumpError, Facts
from pipeline.base.settings import FailedError
from pipeline.guarding.worklist import Worklist
from pipeline.merging.normalize import Normalized
from pipeline.publishing.captures import Row, with_companions
from pipeline.publishing.pieces import OF_RECORDS
from pipeline.raw.dump import Dump
from pipeline.raw.load import load
from pipeline.reading.cache import find_entry, load_reading, verdict_key
from pipeline.reading.frames import empty_frame
from pipeline.reading.read import Reading, failed_reading
from pipeline.run.job import Job
from pipeline.run.session import RunSession
from pipeline.workers.reader import Batch, Done
from pipeline.workers.spread import Unread, make_batches


def read_new(session: RunSession, jobs: Iterable[Job], only: Collection[str] | None = None) -> list[Done]:
    """Read the dumps that are needed if none fails and that have no cache entry yet; ``only`` those of some paths."""
    batches: list[Batch] = []
    for job in jobs:
        unread = _unread(job, only) if job.dumps else ()
        batches += make_batches(job.source, unread, session.plan.settings)
        if batches:
            session.engine.warm()  # while the dumps of the next source are hashed
    return session.run(batches)


def first_dumps(job: Job) -> list[Dump]:
    """Return the dumps that are judged if all of them are good, but for those that are known."""
    first = Worklist(job.page_kind, job.dumps, job.captures).first() if job.dumps else []
    return [dump for dump in first if not job.is_known(dump)]


def read(job: Job, dump: Dump) -> Reading:
    """Return the reading of a dump, from the cache or read now."""
    return _remembered(job, dump) or _read_now(job, dump)


def read_known(job: Job, row: Row) -> Reading | None:
    """Return the reading of a known good capture, from its entry or else its dump; None if neither gives it any more.

    Where the entry is gone, the dump gives it only if it has the same bytes and sidecar, and is read by the same code.
    """
    if row["entry"] is None:
        return None
    dump = job.unchanged_dump(row)
    gone = Dump(job.source, row["dump"], Path(), row["page"], Facts(captured_at=row["captured_at"]))
    found = (load_reading(folder, row["entry"], dump or gone) for folder in job.folders)
    reading = next((each for each in found if each is not None), None)
    if reading is None and dump is not None and job.key(dump) == row["entry"]:
        reading = read(job, dump)
    return reading if reading is not None and reading.error is None else None


def published_rows(job: Job, dumps: Collection[str] | None = None) -> Normalized:
    """Return the published rows of some captures, or of all, but for those in damaged files."""
    previous = job.plan.previous
    if previous is None:
        return Normalized(*map(empty_frame, OF_RECORDS))
    records, sightings = (previous.intact_rows(table, job.source) for table in OF_RECORDS)
    if dumps is not None:
        sightings = sightings.filter(pl.col("dump").is_in(with_companions(dumps, job.owners)))
    if not previous.is_whole("records", job.source):
        sightings = sightings.join(records, on="record_id", how="semi")
    return Normalized(records.join(sightings, on="record_id", how="semi"), sightings)


def unreadable(job: Job, only: Collection[str]) -> Iterator[DumpError]:
    """Yield why dumps of some paths that are needed if none fails cannot be opened, though they might be later."""
    for dump in first_dumps(job):
        if dump.path in only and dump.fault is None and job.session.hash(dump) is None:
            error = _refusal(job, dump)
            if error.reason == "unreadable":
                yield error


def _unread(job: Job, only: Collection[str] | None) -> Iterator[Unread]:
    """Yield the dumps to read that have no cache entry."""
    for dump in first_dumps(job):
        digest, key = job.session.hash(dump), job.key(dump)
        if digest is None or key is None or (only is not None and dump.path not in only):
            continue
        if find_entry(job.folders, _entry_names(job, dump, key)) is None:
            yield dump, digest, key


def _entry_names(job: Job, dump: Dump, key: str) -> tuple[str, ...]:
    """Return the names that the entry of a dump may have: what this run has read, else what earlier ones have.

    Nothing of them counts where all is read anew; where a person asks for it, dumps that exceeded their limits are
    tried again.
    """
    if (read_now := job.session.key_of(dump)) is not None:
        return (read_now,)
    if job.plan.anew:
        return ()
    return (key,) if job.plan.again else (key, verdict_key(key, job.plan.settings.limits))


def _remembered(job: Job, dump: Dump) -> Reading | None:
    """Return the cached reading of a dump, even of one that exceeded its limits; None if there is no valid entry."""
    if (key := job.key(dump)) is None:
        return None
    names = _entry_names(job, dump, key)
    found = (load_reading(folder, name, dump) for name in names for folder in job.folders)
    return next((reading for reading in found if reading is not None), None)


def _read_now(job: Job, dump: Dump) -> Reading:
    """Read one dump, ignoring any cache entry. Raises ``FailedError`` where its new entry cannot be found."""
    digest = job.session.hash(dump) or job.session.hash_again(dump)
    key = job.key(dump)
    if digest is None or key is None:
        return failed_reading(dump, _refusal(job, dump))
    batches = make_batches(job.source, [(dump, digest, key)], job.plan.settings)
    (done,) = job.session.run(list(batches))
    if done.unreadable is not None:
        return failed_reading(dump, DumpError(dump.path, 1, "unreadable", done.unreadable))
    reading = _remembered(job, dump)
    if reading is None:
        raise FailedError(f"{dump.path}: expected its parsed records in {job.folders[0]}, found them gone")
    return reading


def _refusal(job: Job, dump: Dump) -> DumpError:
    """Return the error that explains why a dump has no hash."""
    try:
        load(dump, job.plan.settings.max_bytes)
    except DumpError as error:
        return error
    return DumpError(dump.path, 1, "unreadable", "expected a readable file; it became unreadable during the run")
