"""The stages in their order, for one source and for all: what the command line and the flows both call.

Every function here is plain and runs without a server. What a stage does belongs to its own module.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from parsers._contract import Page, Source
from parsers._registry import sources
from pipeline.cache import (
    CACHE,
    digest_of,
    inputs_of,
    key_of,
    load_reading,
    made_with,
    prune,
    prune_sources,
    store_reading,
)
from pipeline.canonical import uncoded_countries
from pipeline.captures import Reader, read_captures, settle
from pipeline.fetching.archive import last_checked
from pipeline.frames import QUARANTINE_TYPES, DumpInfo, quarantine_frame
from pipeline.guarding.baseline import Baseline, failed_paths, failures, recall
from pipeline.guarding.trust import trust
from pipeline.normalize import Carried, normalize
from pipeline.outcome import Outcome, Status
from pipeline.publishing.publish import Publication, PublishError, exclusive, publish
from pipeline.publishing.store import Snapshot, hash_of, latest_snapshot
from pipeline.read import Fingerprint, Reading, read_dump
from pipeline.settings import Settings, UsageError
from pipeline.snapshot import Dump, Inventory, take_inventory
from pipeline.validate import SchemaBrokenError, validate_tables
from schemas.items import Reject
from schemas.tables import CONTRACT_VERSION


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is going to do: the chosen sources, what the raw root holds, and what is published already.

    ``fingerprints`` tell the layouts of a source's documents apart. The hash of a dump is taken once and before it is
    read: bytes that change under a run then count as new in the next one.
    """

    settings: Settings
    chosen: tuple[Source, ...]
    inventory: Inventory
    previous: Snapshot | None
    started_at: datetime
    everything: bool
    fingerprints: Mapping[str, Fingerprint] = field(default_factory=dict)
    _hashes: dict[str, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def dumps(self, source: Source) -> tuple[Dump, ...]:
        """Return the dumps of a source, sorted by path."""
        return self.inventory.dumps.get(source.name, ())

    def hash(self, dump: Dump) -> str | None:
        """Return the SHA-256 of a dump's bytes; None where it cannot be read."""
        if dump.path not in self._hashes:
            self._hashes[dump.path] = hash_of(dump.file)
        return self._hashes[dump.path]

    def inputs(self, source: Source) -> str:
        """Return a hash of all that the tables of a source are made from: dumps, code and settings."""
        hashes = {dump.path: self.hash(dump) for dump in self.dumps(source)}
        guards = asdict(self.settings.guards.of(source.name))
        made = [*made_with(source), source.family, source.page, self.settings.max_bytes, guards, self._layout(source)]
        return digest_of([made, inputs_of(self.dumps(source), hashes)])

    def cache(self, source: Source) -> Path:
        """Return the folder of what the dumps of a source were parsed to."""
        return self.settings.out / CACHE / source.name

    def key(self, source: Source, dump: Dump) -> str | None:
        """Return the name of a dump's entry there; None for a dump that cannot be read."""
        digest = self.hash(dump)
        parts = (source.family, source.page, self.settings.max_bytes, self._layout(source))
        return key_of(source, dump, digest, parts) if digest else None

    def _layout(self, source: Source) -> str | None:
        """Name the function that tells the layouts of a source apart."""
        found = self.fingerprints.get(source.name)
        return f"{found.__module__}.{found.__qualname__}" if found else None


@dataclass(frozen=True, slots=True)
class Result:
    """What a run made: the outcome of each source, the publication, and the files that belong to no source."""

    outcomes: tuple[Outcome, ...]
    publication: Publication
    inventory: Inventory
    unknown: Mapping[str, str]
    left_out: tuple[str, ...]

    @property
    def good(self) -> bool:
        """Say whether nothing failed: no source, no dump, no file without a source."""
        return not self.unknown and all(outcome.status in {Status.OK, Status.ABSENT} for outcome in self.outcomes)


def make_plan(settings: Settings, names: Sequence[str] = ()) -> Plan:
    """Settle what to refresh; no names means every source. Raises ``UsageError`` for a name that is no source."""
    known = sources()
    if strangers := sorted(set(names) - known.keys()):
        raise UsageError(f"no such source: {', '.join(strangers)}; known are {', '.join(known)}")
    chosen = tuple(known[name] for name in (sorted(set(names)) or known))
    fingerprints = {source.name: source.web.fingerprint for source in chosen if source.web is not None}
    inventory = take_inventory(settings.raw, known)
    previous = latest_snapshot(settings.out)
    return Plan(settings, chosen, inventory, previous, datetime.now(UTC), not names, fingerprints)


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


def carry_over(plan: Plan, source: Source) -> Outcome | None:
    """Return the outcome of a source whose tables are already those that this run would make; None for any other.

    That is so where the last run was good, everything that the tables are made from is the same, and the published
    files are still as they were written.
    """
    previous = plan.previous
    block = previous.manifest["sources"].get(source.name) if previous else None
    if previous is None or block is None or previous.manifest["contract_version"] != CONTRACT_VERSION:
        return None
    if block["status"] != Status.OK or block.get("inputs") != plan.inputs(source) or not previous.holds(source.name):
        return None
    quarantine = previous.read("quarantine", source.name)
    if quarantine is None:
        return None
    return Outcome(
        source.name,
        source.parser,
        Status.OK,
        None,
        None,
        quarantine,
        (),
        standing=block,
        checked_at=_checked(plan, source, failed_paths(block)),
    )


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


def conclude(plan: Plan, source: Source, readings: Sequence[Reading]) -> Outcome:
    """Merge and validate what was read; where nothing is good the source fails whole."""
    published = _published(plan.previous, source.name)
    readings = settle(
        readings, failures(plan.previous.manifest["sources"].get(source.name, {}) if plan.previous else {})
    )
    good = [reading for reading in readings if reading.error is None]
    quarantine = pl.concat([pl.DataFrame(schema=QUARANTINE_TYPES), *(reading.quarantine for reading in readings)])
    # A dump that changed between its hash and its reading is read again in the next run, whatever it is then.
    same = all(reading.sha256 in {None, plan.hash(reading.dump)} for reading in readings)
    inputs = plan.inputs(source) if same else None
    empty = Outcome(
        source.name,
        source.parser,
        Status.FAILED,
        None,
        None,
        quarantine,
        tuple(readings),
        kept=published,
        inputs=inputs,
        checked_at=_checked(plan, source, {reading.dump.path for reading in readings if reading.error is not None}),
    )
    if not readings and not published:
        return replace(empty, status=Status.ABSENT)
    if not readings:
        return _without(empty, "empty_result", f"expected dumps below {plan.settings.raw / source.name}, found none")
    if not good:
        return replace(empty, error=readings[0].error)
    try:
        normalized = normalize(good, _carried(plan.previous, source, readings))
        tables = validate_tables(normalized.records, normalized.sightings, quarantine)
    except SchemaBrokenError as error:
        return _without(empty, "invalid_value", f"expected tables that hold to their schema: {error}")
    if tables.records.is_empty() and published:
        return _without(empty, "empty_result", "expected records: rows are published and none of today's is valid")
    failed = [reading.error for reading in readings if reading.error is not None and not reading.settled]
    return Outcome(
        source.name,
        source.parser,
        Status.PARTIAL if failed else Status.OK,
        tables.records,
        tables.sightings,
        tables.quarantine,
        tuple(readings),
        "; ".join(failed) or None,
        inputs=inputs,
        checked_at=empty.checked_at,
        uncoded=uncoded_countries(tables.records),
    )


def _checked(plan: Plan, source: Source, failed: Collection[str]) -> datetime | None:
    """Return when a page of a source was last seen as its site has it, the ``failed`` captures left out.

    None where no log tells it.
    """
    try:
        return last_checked(plan.settings.raw, source.name, failed)
    except (OSError, ValueError):  # a log that somebody spoilt: fetching says so and fails
        return None


def finish(plan: Plan, outcomes: Iterable[Outcome], watch: Callable[[str], None] = lambda _: None) -> Result:
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
    return Result(outcomes, publication, plan.inventory, unknown, left_out)


def _tidy_cache(plan: Plan, outcomes: Sequence[Outcome]) -> None:
    """Keep what the next run will ask the cache for: the dumps that were read now, of sources that are still there."""
    chosen = {source.name: source for source in plan.chosen}
    for outcome in outcomes:
        if outcome.standing is None and (source := chosen.get(outcome.source)):
            used = {key for reading in outcome.readings if (key := plan.key(source, reading.dump))}
            prune(plan.cache(source), used)
    if plan.everything:
        prune_sources(plan.settings.out, chosen)


def _published(previous: Snapshot | None, source: str) -> bool:
    """Say whether the last snapshot has rows of a source."""
    records = previous.read("records", source) if previous else None
    return records is not None and not records.is_empty()


def _carried(previous: Snapshot | None, source: Source, readings: Sequence[Reading]) -> Carried | None:
    """Find the rows of the last snapshot that stand in for the dumps that failed.

    On a log page a failed dump is replaced by its own rows; on a state page without a good capture, by whatever dump
    of that page was published last.
    """
    if previous is None:
        return None
    good_pages = {reading.dump.page for reading in readings if reading.error is None}
    failed = {reading.dump.path: reading.dump.page for reading in readings if reading.error is not None}
    if source.page is Page.LOG:
        dumps = set(failed)
    else:
        lost = set(failed.values()) - good_pages
        feeding: dict[str, str] = previous.manifest["sources"].get(source.name, {}).get("feeding", {})
        dumps = {path for path, page in feeding.items() if page in lost}
    rows = previous.rows_of(source.name, dumps)
    return Carried(*rows) if rows else None


def _without(outcome: Outcome, reason: str, detail: str) -> Outcome:
    """Make the outcome of a source that failed as a whole, with one more quarantine row that says why."""
    stage = "snapshot" if reason == "empty_result" and not outcome.readings else "validate"
    row = quarantine_frame(DumpInfo(outcome.source, None, None), stage, [Reject(None, None, "", reason, detail)])
    return replace(outcome, quarantine=pl.concat([outcome.quarantine, row]), error=f"{outcome.source}: {detail}")
