"""Runs the stages in their order, for one source or all; both the command line and the flows call it.

Every function here is plain and runs without a server. Each stage belongs to its own module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from parsers._contract import Source
from parsers._ledger.document import DumpError
from pipeline.base.settings import INLINE, Settings
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.lock import lock_out_root
from pipeline.publishing.pieces import source_of
from pipeline.publishing.publish import NothingError, Publication, publish
from pipeline.publishing.repairs import Repairs, damaged_file_message, loss_messages
from pipeline.publishing.store import Snapshot
from pipeline.publishing.works import COMPARED_FOLDER
from pipeline.raw.dump import SUFFIXES, accepting
from pipeline.raw.inventory import Inventory, was_touched
from pipeline.reading.cache import forget, load_known_files, prune, prune_sources, verdict_key
from pipeline.reading.read import Reading, failed_reading
from pipeline.refusing.misfiled import hint_of_file
from pipeline.run.advice import told_by_source
from pipeline.run.job import Job
from pipeline.run.plan import Plan, make_plan
from pipeline.run.read import read_new
from pipeline.run.recorder import Recorder
from pipeline.run.session import RunSession, say_nothing
from pipeline.run.source import refresh_source
from pipeline.workers.engines import open_engine
from pipeline.workers.spread import Watch

_LOOKED_AT: Final = 20
"""Maximum number of unclaimed files checked against all sources: each of them is read for it, every night."""

_CLOCKS: Final = 60.0
"""Seconds by which the clock of a disk may be behind that of this machine."""

_FILES_NAMED: Final = 5
"""Maximum number of unclaimed files named in the error when there are no dumps."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a run: the outcome of each source, the publication, and the files that belong to no source.

    ``repairs`` lists damage found below the out root and its repair; ``warnings`` are other problems that did no harm,
    ``failures`` those before publishing that turn the run red, such as pages that could not be fetched. ``settings``
    name the roots in the next command.
    """

    outcomes: tuple[Outcome, ...]
    publication: Publication
    inventory: Inventory
    unknown: Mapping[str, str]
    left_out: tuple[str, ...]
    settings: Settings
    repairs: Repairs = field(default_factory=Repairs)
    warnings: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def amber(self) -> bool:
        """True if a person should look at something though nothing is wrong."""
        return any(outcome.looks for outcome in self.outcomes)

    @property
    def good(self) -> bool:
        """True if no fetch, dump or source failed, every file belongs to a source, and nothing published was lost."""
        good = all(outcome.status.is_good for outcome in self.outcomes)
        return good and not self.unknown and not self.repairs.lost and not self.failures


def refresh(  # noqa: PLR0913  # what to refresh, and how
    settings: Settings,
    known: Mapping[str, Source],
    names: Sequence[str] = (),
    watch: Watch = say_nothing,
    *,
    wait: bool = True,
    again: bool = False,
    withdrawn: Sequence[str] = (),
    audit: bool = False,
    failures: Sequence[str] = (),
) -> Result:
    """Refresh the named sources, or all that are ``known``, and publish what is good.

    ``watch`` gets a short message for each step; ``again`` and ``withdrawn`` are as in ``Plan``. With ``audit`` every
    file is hashed, also one that seems not to have changed. ``failures`` say what failed before, for the log of runs.
    Raises ``BusyError`` if another run holds the lock and ``wait`` is False.
    """
    with lock_out_root(settings, watch, wait=wait), Recorder(settings, names, watch) as recorder:
        result = refresh_locked(
            settings,
            known,
            names,
            watch,
            again=again,
            withdrawn=withdrawn,
            audit=audit,
            failures=failures,
            started_at=recorder.started_at,
        )
        return record(recorder, result)


def refresh_locked(  # noqa: PLR0913  # as above
    settings: Settings,
    known: Mapping[str, Source],
    names: Sequence[str],
    watch: Watch,
    *,
    again: bool = False,
    withdrawn: Sequence[str] = (),
    audit: bool = False,
    failures: Sequence[str] = (),
    started_at: datetime | None = None,
) -> Result:
    """Do what ``refresh`` does between its lock and the end of its record, for one who holds both."""
    with open_engine(settings.engine, known) as engine:
        files = load_known_files(settings, audit=audit)
        plan = make_plan(settings, known, files, names, again=again, withdrawn=withdrawn, started_at=started_at)
        session = RunSession(plan, files, engine, watch)
        try:
            result = finish(session, refresh_sources(session, plan.chosen))
        except NothingError as error:  # because nothing was fetched
            raise NothingError("; ".join([str(error), *failures])) from error
        return replace(result, failures=(*failures, *result.failures))


def refresh_sources(session: RunSession, names: Sequence[str]) -> list[Outcome]:
    """Turn the dumps of some sources into outcomes; only the cache is written.

    The new dumps of all of them are read together, before the first source is judged.
    """
    jobs = [Job(session, name) for name in names]
    read_new(session, jobs)
    return list(map(refresh_source, jobs))


def preview(
    settings: Settings,
    known: Mapping[str, Source],
    source: str,
    accept: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Outcome:
    """Turn the dumps of one source into its outcome, in this process; the out root need not exist.

    ``accept`` has guards that a person may accept, by the path of the dump, beside those in its sidecar.
    """
    files = load_known_files(settings)
    plan = make_plan(settings, known, files, [source])
    dumps = tuple(accepting(dump, accept.get(dump.path, ())) for dump in plan.inventory.dumps.get(source, ()))
    plan = replace(plan, inventory=replace(plan.inventory, dumps={**plan.inventory.dumps, source: dumps}))
    with open_engine(INLINE, known) as engine:
        (outcome,) = refresh_sources(RunSession(plan, files, engine), plan.chosen)
    return outcome


def finish(session: RunSession, outcomes: Iterable[Outcome]) -> Result:
    """Publish the outcomes as one snapshot; other sources are carried over, or read again if their files are damaged.

    Raises ``PublishError`` where there is nothing to publish, or where it cannot be written.
    """
    plan, outcomes = session.plan, tuple(outcomes)
    unclaimed = _unclaimed(plan)
    if plan.previous is None and all(outcome.status is Status.ABSENT for outcome in outcomes):
        raise NothingError(_nothing(plan, unclaimed))
    outcomes = tuple(_without_changed(session, outcome) for outcome in outcomes)
    outcomes, repairs = _repair(session, outcomes)
    session.watch("publishing")
    publication = publish(plan.settings, outcomes, plan.chain, plan.started_at, plan.family, unclaimed, plan.decisions)
    _tidy_cache(session, outcomes)
    _keep_known(session, publication)
    return Result(
        outcomes,
        publication,
        plan.inventory,
        {path: why for path, why in unclaimed.items() if _concerns(plan, path)},
        tuple(path for path in plan.inventory.left_out if _concerns(plan, path)),
        plan.settings,
        replace(repairs, reported=(*repairs.reported, *publication.reported)),
        (*session.warnings, *publication.warnings),
        publication.failures,
    )


def _nothing(plan: Plan, unclaimed: Mapping[str, str]) -> str:
    """Return the message on a run without any dumps, with the first files that no source claims."""
    others = [f"{path}: {why}" for path, why in unclaimed.items()]
    more = [f"and {len(others) - _FILES_NAMED} more"] if len(others) > _FILES_NAMED else []
    nothing = f"nothing to publish: expected dumps below {plan.settings.raw}, found none"
    return "; ".join([nothing, *others[:_FILES_NAMED], *more])


def _concerns(plan: Plan, path: str) -> bool:
    """True if a file is in the folder of a chosen source, or the run is of all sources."""
    return plan.everything or path.split("/", 1)[0] in plan.chosen


def record(recorder: Recorder, result: Result) -> Result:
    """Write the end of a run into the log of runs; a problem with the log is one more warning of the run."""
    found = [*result.failures, *result.repairs.lost, *(f"{path}: {why}" for path, why in result.unknown.items())]
    told = told_by_source(result)
    problems = recorder.end(result.outcomes, result.publication, found, told, good=result.good)
    return replace(result, warnings=(*result.warnings, *problems))


def _keep_known(session: RunSession, publication: Publication) -> None:
    """Keep what is known of files for the next run; warn of those that an audit has found altered."""
    files = session.files
    for path, digest in publication.hashes.items():
        files.note_hash(str(publication.folder / path), digest)
    if (problem := files.save()) is not None:
        session.warn(f"the next run hashes every file: {problem}")
    for path in sorted(files.altered):
        session.warn(f"{path}: its bytes have changed, but neither its size nor its times: the disk may be bad")


def _without_changed(session: RunSession, outcome: Outcome) -> Outcome:
    """Return an outcome without the dumps whose files are no longer what was read: they may still be written."""
    changed = [each for each in outcome.readings if each.feeds and _has_changed(session, each)]
    if not changed:
        return outcome
    session.refused.update({reading.dump.path: _refused(reading) for reading in changed})
    return refresh_source(Job(session, outcome.source))


def _refused(reading: Reading) -> Reading:
    """Return the failed reading of a dump that has changed."""
    expected = "expected a file that stays as it is during a run; its bytes have changed since they were read"
    error = DumpError(reading.dump.path, 1, "unreadable", expected)
    return failed_reading(reading.dump, error, reading.sha256)


def _has_changed(session: RunSession, reading: Reading) -> bool:
    """True if the bytes of a file are not those that were read; it is hashed only if touched since the run began.

    So it is with the companions of a dump.
    """
    since, dump = session.plan.started_at.timestamp() - _CLOCKS, reading.dump
    for path, digest in ((dump.path, reading.sha256), *dump.facts.companions):
        if was_touched(dump.file.with_name(path.rpartition("/")[2]), since):
            session.files.forget(path)
            if session.files.hash_of(path) not in {None, digest}:
                return True
    return False


def _unclaimed(plan: Plan) -> dict[str, str]:
    """Return the files that no source claims, with the reason; for the first few also the source they look like."""
    unclaimed = dict(plan.inventory.unknown)
    candidates = (path for path in unclaimed if PurePosixPath(path).suffix in SUFFIXES)
    for path in islice(candidates, _LOOKED_AT):
        if unclaimed[path].startswith("unknown_source"):
            unclaimed[path] += hint_of_file(plan.settings.raw, path, plan.others(""), plan.settings.max_bytes)
    return unclaimed


def _tidy_cache(session: RunSession, outcomes: Sequence[Outcome]) -> None:
    """Delete the cache entries that no later run needs: of captures that are not known any more, of unknown sources.

    What else lies in the cache is looked for only in a run that reads all dumps of a source again.
    """
    plan = session.plan
    for outcome in outcomes:
        if outcome.source in plan.chosen:
            job, now = Job(session, outcome.source), set(outcome.captures["entry"].drop_nulls())
            if job.is_whole:
                prune(job.cache, now | {verdict_key(key, plan.settings.limits) for key in now})
            else:
                forget(job.cache, set(job.captures["entry"].drop_nulls()) - now)
    if plan.everything:
        prune_sources(plan.settings.out, {*plan.chosen, COMPARED_FOLDER})


def _repair(session: RunSession, outcomes: Sequence[Outcome]) -> tuple[tuple[Outcome, ...], Repairs]:
    """Complete the outcomes of a run so that no damaged file is published again; also return the damage found.

    A source with damaged files that is not part of the run is added: all of its rows are merged again. If the run
    continues from a snapshot before the last one, all sources are added: the rows to carry over are older than those
    published last.
    """
    plan, chain = session.plan, session.plan.chain
    damaged = plan.previous.damaged() if plan.previous else []
    wanted = {source_of(path) for path in damaged if "/" in path}
    if chain.rolled_back:
        wanted |= plan.inventory.dumps.keys()
    complete = {outcome.source: outcome for outcome in outcomes}
    added = refresh_sources(session, sorted(wanted & set(plan.known) - _taking_part(outcomes).keys()))
    complete |= {outcome.source: outcome for outcome in added}
    reported, lost = _report(plan.previous, damaged, _taking_part(complete.values()))
    lost = [*(outcome.lost for outcome in complete.values() if outcome.lost), *lost]
    repairs = Repairs((*chain.found, *reported), (*chain.lost, *lost), chain.passed_over)
    return tuple(complete[name] for name in sorted(complete)), repairs


def _taking_part(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    """Return the outcomes of the sources that have dumps or published rows, by source."""
    return {outcome.source: outcome for outcome in outcomes if outcome.status is not Status.ABSENT}


def _report(last: Snapshot | None, damaged: Sequence[str], made: Mapping[str, Outcome]) -> tuple[list[str], list[str]]:
    """Return a message on each damaged file, and on what is lost of the sources that could not be merged again."""
    if last is None:
        return [], []
    lost = sorted({source_of(path) for path in damaged if "/" in path} - made.keys())
    messages = [damaged_file_message(last, path, made.get(source_of(path))) for path in damaged]
    return messages, [line for source in lost for line in loss_messages(last, source)]
