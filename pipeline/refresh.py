"""The stages in their order, for one source and for all: what the command line and the flows both call.

Every function here is plain and runs without a server. What a stage does belongs to its own module.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from parsers._contract import Source
from pipeline.cache import (
    load_reading,
    prune,
    prune_sources,
    store_reading,
)
from pipeline.captures import Reader, read_captures
from pipeline.conclude import carry_over, conclude
from pipeline.guarding.baseline import Baseline, recall
from pipeline.guarding.trust import trust
from pipeline.mend import Upkeep, mend
from pipeline.outcome import Outcome, Status
from pipeline.plan import Plan, make_plan
from pipeline.publishing.lock import exclusive
from pipeline.publishing.publish import Publication, PublishError, publish
from pipeline.read import Reading, read_dump
from pipeline.settings import Settings
from pipeline.snapshot import Dump, Inventory


@dataclass(frozen=True, slots=True)
class Result:
    """What a run made: the outcome of each source, the publication, and the files that belong to no source.

    ``upkeep`` is what was found damaged below the out root, and what became of it.
    """

    outcomes: tuple[Outcome, ...]
    publication: Publication
    inventory: Inventory
    unknown: Mapping[str, str]
    left_out: tuple[str, ...]
    upkeep: Upkeep = field(default_factory=Upkeep)

    @property
    def good(self) -> bool:
        """Say whether nothing failed: no source, no dump, no file without a source; and nothing published was lost."""
        good = all(outcome.status in {Status.OK, Status.ABSENT} for outcome in self.outcomes)
        return good and not self.unknown and not self.upkeep.lost


def refresh(
    settings: Settings,
    names: Sequence[str] = (),
    watch: Callable[[str], None] = lambda _: None,
    *,
    wait: bool = True,
) -> Result:
    """Refresh the named sources, or all, and publish what is good; ``watch`` is told of each step in a few words.

    Raises ``BusyError`` where another run is at it and this one should not wait.
    """
    with exclusive(settings, watch, wait=wait):
        plan = make_plan(settings, names)
        outcomes = [refresh_source(plan, source, watch) for source in plan.chosen]
        return finish(plan, outcomes, watch)


def refresh_source(plan: Plan, source: Source, watch: Callable[[str], None] = lambda _: None) -> Outcome:
    """Run one source from its dumps to its outcome; nothing is written but the cache."""
    start = time.perf_counter()

    def read_watched(dump: Dump, baseline: Baseline) -> Reading:
        watch(f"reading {dump.path}")
        return read(plan, source, dump, baseline)

    outcome = carry_over(plan, source)
    if outcome is None:
        outcome = conclude(plan, source, read_all(plan, source, read_watched))
    else:
        watch(f"nothing new: {source.name}")
    return replace(outcome, seconds=time.perf_counter() - start)


def read(plan: Plan, source: Source, dump: Dump, baseline: Baseline) -> Reading:
    """Read one dump within the limits of the plan, or remember what it was parsed to, and ask the guards."""
    limit, key = plan.settings.max_bytes, plan.key(source, dump)
    reading = load_reading(plan.cache(source), key, dump) if key else None
    if reading is None:
        reading = read_dump(source, dump, limit, plan.fingerprints.get(source.name))
        if key and reading.sha256 == plan.hash(dump):
            store_reading(plan.cache(source), key, reading)
    return trust(reading, baseline, plan.settings.guards.of(source.name), limit)


def read_all(plan: Plan, source: Source, reader: Reader) -> list[Reading]:
    """Read the dumps that feed a source, and those that failed to."""
    plan.inputs(source)  # takes the hashes before anything is read
    return read_captures(source.page, plan.dumps(source), recall(plan.previous, source.name), reader)


def finish(plan: Plan, outcomes: Iterable[Outcome], watch: Callable[[str], None] = lambda _: None) -> Result:
    """Publish the outcomes as one snapshot; the sources that took no part are carried over.

    Raises ``PublishError`` where there is nothing to publish, or where it cannot be written.
    """
    outcomes = tuple(outcomes)
    if plan.previous is None and all(outcome.status is Status.ABSENT for outcome in outcomes):
        raise PublishError(f"nothing to publish: expected dumps below {plan.settings.raw}, found none")
    outcomes, upkeep = mend(plan, outcomes, lambda plan, source: refresh_source(plan, source, watch), read)
    watch("publishing")
    publication = publish(plan.settings, outcomes, plan.chain, plan.started_at)
    _tidy_cache(plan, outcomes)
    chosen = {source.name for source in plan.chosen}

    def concerns(path: str) -> bool:
        return plan.everything or path.split("/", 1)[0] in chosen

    unknown = {path: expected for path, expected in plan.inventory.unknown.items() if concerns(path)}
    left_out = tuple(filter(concerns, plan.inventory.left_out))
    return Result(outcomes, publication, plan.inventory, unknown, left_out, upkeep.and_told(publication.told))


def _tidy_cache(plan: Plan, outcomes: Sequence[Outcome]) -> None:
    """Keep what the next run will ask the cache for: the dumps that were read now, of sources that are still there."""
    chosen = {source.name: source for source in plan.chosen}
    for outcome in outcomes:
        if outcome.standing is None and (source := chosen.get(outcome.source)):
            used = {key for reading in outcome.readings if (key := plan.key(source, reading.dump))}
            prune(plan.cache(source), used)
    if plan.everything:
        prune_sources(plan.settings.out, chosen)
