"""The stages in their order, for one source and for all: what the command line and the flows both call.

Every function here is plain and runs without a server. What a stage does belongs to its own module.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import polars as pl

from parsers._contract import Page, Source
from parsers._registry import sources
from pipeline.frames import QUARANTINE_TYPES, DumpInfo, quarantine_frame
from pipeline.normalize import Carried, normalize
from pipeline.outcome import Outcome, Status
from pipeline.publish import Publication, exclusive, publish
from pipeline.read import Reading, read_dump
from pipeline.settings import Settings, UsageError
from pipeline.snapshot import Dump, Inventory, take_inventory
from pipeline.store import Snapshot, latest_snapshot
from pipeline.validate import SchemaBrokenError, validate_tables
from schemas.items import Reject


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is going to do: the chosen sources, what the raw root holds, and what is published already."""

    settings: Settings
    chosen: tuple[Source, ...]
    inventory: Inventory
    previous: Snapshot | None
    started_at: datetime
    everything: bool

    def dumps(self, source: Source) -> tuple[Dump, ...]:
        """Return the dumps of a source, sorted by path."""
        return self.inventory.dumps.get(source.name, ())


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
    inventory = take_inventory(settings.raw, known)
    return Plan(settings, chosen, inventory, latest_snapshot(settings.out), datetime.now(UTC), everything=not names)


def refresh(settings: Settings, names: Sequence[str] = (), watch: Callable[[str], None] = lambda _: None) -> Result:
    """Refresh the named sources, or all, and publish what is good; ``watch`` is told of each step in a few words."""
    with exclusive(settings, watch):
        plan = make_plan(settings, names)
        outcomes = [refresh_source(plan, source, watch) for source in plan.chosen]
        return finish(plan, outcomes, watch)


def refresh_source(plan: Plan, source: Source, watch: Callable[[str], None] = lambda _: None) -> Outcome:
    """Run one source from its dumps to its outcome; nothing is written."""
    start = time.perf_counter()

    def read_watched(dump: Dump) -> Reading:
        watch(f"reading {dump.path}")
        return read(plan, source, dump)

    outcome = conclude(plan, source, read_all(plan, source, read_watched))
    return replace(outcome, seconds=time.perf_counter() - start)


def read(plan: Plan, source: Source, dump: Dump) -> Reading:
    """Read one dump within the limits of the plan."""
    return read_dump(source, dump, plan.settings.max_bytes)


def read_all(plan: Plan, source: Source, reader: Callable[[Dump], Reading]) -> list[Reading]:
    """Read the dumps that feed a source: of a log page every capture, of a state page the newest good one.

    Older captures of a state page are read only where the newer ones fail.
    """
    dumps = plan.dumps(source)
    if source.page is Page.LOG:
        return [reader(dump) for dump in dumps]
    captures: dict[str, list[Dump]] = defaultdict(list)
    for dump in dumps:
        captures[dump.page].append(dump)
    readings = []
    for page in captures.values():
        for dump in sorted(page, key=_newest_first, reverse=True):
            readings.append(reader(dump))
            if readings[-1].error is None:
                break
    return readings


def conclude(plan: Plan, source: Source, readings: Sequence[Reading]) -> Outcome:
    """Merge and validate what was read; where nothing is good the source fails whole."""
    published = _published(plan.previous, source.name)
    good = [reading for reading in readings if reading.error is None]
    quarantine = pl.concat([pl.DataFrame(schema=QUARANTINE_TYPES), *(reading.quarantine for reading in readings)])
    empty = Outcome(source.name, source.parser, Status.FAILED, None, None, quarantine, tuple(readings), kept=published)
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
    failed = [reading.error for reading in readings if reading.error is not None]
    return Outcome(
        source.name,
        source.parser,
        Status.PARTIAL if failed else Status.OK,
        tables.records,
        tables.sightings,
        tables.quarantine,
        tuple(readings),
        "; ".join(failed) or None,
    )


def finish(plan: Plan, outcomes: Iterable[Outcome], watch: Callable[[str], None] = lambda _: None) -> Result:
    """Publish the outcomes as one snapshot; the sources that took no part are carried over."""
    outcomes = tuple(outcomes)
    watch("publishing")
    publication = publish(plan.settings, outcomes, plan.previous, plan.started_at)
    chosen = {source.name for source in plan.chosen}

    def concerns(path: str) -> bool:
        return plan.everything or path.split("/", 1)[0] in chosen

    unknown = {path: expected for path, expected in plan.inventory.unknown.items() if concerns(path)}
    left_out = tuple(filter(concerns, plan.inventory.left_out))
    return Result(outcomes, publication, plan.inventory, unknown, left_out)


def _newest_first(dump: Dump) -> tuple[datetime, str]:
    """Order the captures of a page by time, then path; a capture without a time counts as the oldest."""
    return dump.facts.captured_at or datetime.min, dump.path


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
