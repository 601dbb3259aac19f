"""The stages in their order, for one source and for all: what the command line and the flows both call.

Every function here is plain and runs without a server. What a stage does belongs to its own module.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parsers._contract import DumpError, Source
from pipeline.cache import find_entry, load_reading, prune, prune_sources, verdict_key
from pipeline.captures import Reader, asked_first, read_captures
from pipeline.conclude import carry_over, conclude
from pipeline.engines import Engine, open_engine
from pipeline.guarding.baseline import Baseline, recall
from pipeline.guarding.trust import trust
from pipeline.outcome import Outcome, Status
from pipeline.plan import Plan, make_plan
from pipeline.publishing.lock import exclusive
from pipeline.publishing.publish import Publication, PublishError, publish
from pipeline.read import Reading, failed_reading
from pipeline.reader import Batch, Done
from pipeline.settings import INLINE, FailedError, Settings
from pipeline.snapshot import Dump, Inventory, load
from pipeline.spread import Unread, Watch, make_batches


def say_nothing(_: str) -> None:
    """Watch a run without a word."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run made: the outcome of each source, the publication, and the files that belong to no source.

    ``warnings`` are what went wrong without harm.
    """

    outcomes: tuple[Outcome, ...]
    publication: Publication
    inventory: Inventory
    unknown: Mapping[str, str]
    left_out: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Say whether nothing failed: no source, no dump, no file without a source."""
        return not self.unknown and all(outcome.status in {Status.OK, Status.ABSENT} for outcome in self.outcomes)


def refresh(
    settings: Settings,
    names: Sequence[str] = (),
    watch: Watch = say_nothing,
    *,
    wait: bool = True,
    again: bool = False,
) -> Result:
    """Refresh the named sources, or all, and publish what is good; ``watch`` is told of each step in a few words.

    ``again`` is as in ``Plan``. Raises ``BusyError`` where another run is at it and this one should not wait.
    """
    with exclusive(settings, watch, wait=wait), open_engine(settings.engine) as engine:
        plan = make_plan(settings, names, again=again)
        return finish(plan, refresh_sources(plan, engine, watch), watch)


def refresh_sources(plan: Plan, engine: Engine, watch: Watch = say_nothing) -> list[Outcome]:
    """Run the chosen sources from their dumps to their outcomes; nothing is written but the cache.

    What has to be read of all of them is read together, before the first of them is concluded.
    """
    standing = {}
    for source in plan.chosen:
        outcome = None if plan.again else carry_over(plan, source)
        if outcome is None:
            engine.warm()
        else:
            watch(f"nothing new: {source.name}")
            standing[source.name] = outcome
    read_ahead(plan, [source for source in plan.chosen if source.name not in standing], engine, watch)
    return [standing.get(source.name) or make_anew(plan, source, engine, watch) for source in plan.chosen]


def refresh_source(plan: Plan, source: Source) -> Outcome:
    """Run one source from its dumps to its outcome, in this process; nothing need be there to keep anything in."""
    with open_engine(INLINE) as engine:
        (outcome,) = refresh_sources(replace(plan, chosen=(source,)), engine)
    return outcome


def make_anew(plan: Plan, source: Source, engine: Engine, watch: Watch = say_nothing) -> Outcome:
    """Bring the dumps of a source together as they were read, and conclude."""
    start = time.perf_counter()

    def reader(dump: Dump, baseline: Baseline) -> Reading:
        return read(plan, source, dump, baseline, engine, watch)

    outcome = conclude(plan, source, read_all(plan, source, reader))
    return replace(outcome, seconds=plan.seconds(source) + time.perf_counter() - start)


def read_ahead(
    plan: Plan,
    sources: Iterable[Source],
    engine: Engine,
    watch: Watch = say_nothing,
    is_wanted: Callable[[Dump], bool] = lambda _: True,
) -> list[Done]:
    """Have all dumps read that will be asked for where all is good, and that have no entry in the cache yet."""
    batches: list[Batch] = []
    for source in sources:
        first = asked_first(source.page, plan.dumps(source), recall(plan.previous, source.name))
        asked = filter(is_wanted, first)
        folders = _folders(plan, source, engine)
        batches += make_batches(source, _unread(plan, source, asked, folders), folders, plan.settings)
    return _have_read(plan, batches, engine, watch)


def _unread(plan: Plan, source: Source, dumps: Iterable[Dump], folders: Sequence[Path]) -> Iterator[Unread]:
    """Yield the dumps without an entry; where the plan says ``again``, entries of dumps that failed here go first."""
    for dump in dumps:
        digest, key = plan.hash(dump), plan.key(source, dump)
        if digest is None or key is None:
            continue
        verdict = verdict_key(key, plan.settings.limits)
        if plan.again:
            for folder in folders:
                (folder / verdict).unlink(missing_ok=True)
        if find_entry(folders, (key, verdict)) is None:
            yield dump, digest, key


def _have_read(plan: Plan, batches: Sequence[Batch], engine: Engine, watch: Watch = say_nothing) -> list[Done]:
    """Have batches read, and take note of what came of each dump."""
    done = engine.read(batches, watch, plan.warnings.append) if batches else []
    for each in done:
        plan.take_note(each)
    return done


def read(  # noqa: PLR0913, PLR0917  # a dump, who asks for it, and who reads it
    plan: Plan,
    source: Source,
    dump: Dump,
    baseline: Baseline,
    engine: Engine,
    watch: Watch = say_nothing,
) -> Reading:
    """Return what a dump was read to, and have it read where that was not done yet; then ask the guards."""
    reading = _remembered(plan, source, dump, engine) or _read_now(plan, source, dump, engine, watch)
    return trust(reading, baseline, plan.settings.guards.of(source.name), plan.settings.max_bytes)


def _remembered(plan: Plan, source: Source, dump: Dump, engine: Engine) -> Reading | None:
    """Return what a dump was read to, within its limits or not; None where it was not, or where that is not whole."""
    if (key := plan.key(source, dump)) is None:
        return None
    names = (key, verdict_key(key, plan.settings.limits))
    found = (load_reading(folder, name, dump) for folder in _folders(plan, source, engine) for name in names)
    return next((reading for reading in found if reading is not None), None)


def _read_now(plan: Plan, source: Source, dump: Dump, engine: Engine, watch: Watch) -> Reading:
    """Have one dump read, whatever entry it has. Raises ``FailedError`` where what it was read to is nowhere."""
    digest = plan.hash(dump) or plan.look_again(dump)
    key = plan.key(source, dump)
    if digest is None or key is None:
        return failed_reading(dump, _refusal(plan, dump))
    folders = _folders(plan, source, engine)
    batches = make_batches(source, [(dump, digest, key)], folders, plan.settings, again=True)
    (done,) = _have_read(plan, list(batches), engine, watch)
    if done.unreadable is not None:
        return failed_reading(dump, DumpError(dump.path, 1, "unreadable", done.unreadable))
    reading = _remembered(plan, source, dump, engine)
    if reading is None:
        raise FailedError(f"{dump.path}: expected what it was read to in {folders[0]}: {done.problem or 'it is gone'}")
    return reading


def _refusal(plan: Plan, dump: Dump) -> DumpError:
    """Say why a dump has no hash."""
    try:
        load(dump, plan.settings.max_bytes)
    except DumpError as error:
        return error
    return DumpError(dump.path, 1, "unreadable", "expected a file that can be read, now and a moment ago")


def _folders(plan: Plan, source: Source, engine: Engine) -> tuple[Path, ...]:
    """Return where what is read may be kept: in the cache, else for this run alone."""
    return (plan.cache(source), *([engine.spare / source.name] if engine.spare else []))


def read_all(plan: Plan, source: Source, reader: Reader) -> list[Reading]:
    """Read the dumps that feed a source, and those that failed to."""
    return read_captures(source.page, plan.dumps(source), recall(plan.previous, source.name), reader)


def finish(plan: Plan, outcomes: Iterable[Outcome], watch: Watch = say_nothing) -> Result:
    """Publish the outcomes as one snapshot; the sources that took no part are carried over.

    Raises ``PublishError`` where there is nothing to publish, or where it cannot be written.
    """
    outcomes = tuple(outcomes)
    if plan.previous is None and all(outcome.status is Status.ABSENT for outcome in outcomes):
        raise PublishError(f"nothing to publish: expected dumps below {plan.settings.raw}, found none")
    watch("publishing")
    publication = publish(plan.settings, outcomes, plan.previous, plan.started_at)
    _tidy_cache(plan, outcomes)
    chosen = {source.name for source in plan.chosen}

    def concerns(path: str) -> bool:
        return plan.everything or path.split("/", 1)[0] in chosen

    unknown = {path: expected for path, expected in plan.inventory.unknown.items() if concerns(path)}
    left_out = tuple(filter(concerns, plan.inventory.left_out))
    return Result(outcomes, publication, plan.inventory, unknown, left_out, tuple(plan.warnings))


def _tidy_cache(plan: Plan, outcomes: Sequence[Outcome]) -> None:
    """Keep what the next run will ask the cache for: the dumps that were read now, of sources that are still there."""
    chosen = {source.name: source for source in plan.chosen}
    for outcome in outcomes:
        if outcome.standing is None and (source := chosen.get(outcome.source)):
            keys = {key for reading in outcome.readings if (key := plan.key(source, reading.dump))}
            prune(plan.cache(source), keys | {verdict_key(key, plan.settings.limits) for key in keys})
    if plan.everything:
        prune_sources(plan.settings.out, chosen)
