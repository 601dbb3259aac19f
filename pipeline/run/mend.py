"""Repairs damage below the out root: from the dumps if they still exist, else from older snapshots.

Files that no longer match the manifest are neither carried over nor compared with. Reading a dump belongs to the
caller, what is said of the damage to ``pipeline.publishing.upkeep``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import polars as pl

from parsers._contract import Source
from pipeline.base.guard_settings import GUARD_NAMES
from pipeline.merging.normalize import normalize
from pipeline.merging.outcome import Outcome, Status
from pipeline.merging.validate import SchemaBrokenError, validate_tables
from pipeline.publishing.manifest import good_blocks
from pipeline.publishing.upkeep import ROWS, Upkeep, lost_of, told_of_file, told_of_rows
from pipeline.raw.inventory import Dump
from pipeline.reading.read import Reading
from pipeline.run.plan import Plan, choose_others

Refresher = Callable[[Plan], Sequence[Outcome]]
Reread = Callable[[Plan, Source, Dump], Reading]


def mend(
    plan: Plan, outcomes: Sequence[Outcome], refresh: Refresher, read: Reread
) -> tuple[tuple[Outcome, ...], Upkeep]:
    """Complete the outcomes of a run so that no damaged file is published again; also return the damage found.

    A source with damaged files that is not part of the run is added: its dumps are read again. If a source fails, its
    published rows are rebuilt from the dumps that they came from. If the run continues from a snapshot before the last
    one, all sources are added: the rows to carry over are older than those published last.
    """
    damaged = plan.previous.damaged() if plan.previous else []
    spoilt = {PurePosixPath(path).stem for path in damaged if "/" in path}
    taking_part = {outcome.source for outcome in outcomes if outcome.status is not Status.ABSENT}
    behind = plan.inventory.dumps.keys() if plan.chain.set_back else set[str]()
    others = choose_others(plan, (spoilt | behind) - taking_part)
    complete = {outcome.source: outcome for outcome in outcomes}
    complete |= {outcome.source: outcome for outcome in refresh(others)}
    every = choose_others(plan, spoilt)
    complete |= {name: _restore(every, plan.source(name), complete[name], read) for name in every.chosen}
    made = {name: outcome for name, outcome in complete.items() if outcome.status is not Status.ABSENT}
    told = [told_of_file(plan.chain, path, made.get(PurePosixPath(path).stem)) for path in damaged]
    lost = [outcome.lost for outcome in complete.values() if outcome.lost]
    lost += [line for source in sorted(spoilt - made.keys()) for line in lost_of(plan.chain, source)]
    plan.warnings.extend((*others.warnings, *every.warnings))
    upkeep = Upkeep((*plan.chain.found, *told), (*plan.chain.lost, *lost), plan.chain.passed_over)
    return tuple(complete[name] for name in sorted(complete)), upkeep


def _restore(plan: Plan, source: Source, outcome: Outcome, read: Reread) -> Outcome:
    """Give a failed source its published rows again if the files that hold them are damaged."""
    donor = plan.chain.donor(source.name, *ROWS)
    if outcome.status is not Status.FAILED or donor is plan.previous:
        return outcome
    rebuilt = _rebuild(plan, source, read)
    if rebuilt is not None:
        return replace(outcome, rebuilt=rebuilt)
    return replace(outcome, kept=donor is not None, lost=told_of_rows(source.name, donor))


def _rebuild(plan: Plan, source: Source, read: Reread) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Rebuild the published rows of a source from the same dumps; None if one is missing, changed or unusable.

    The guards accepted these dumps when they were published, and are skipped now.
    """
    block = plan.previous.sources.get(source.name, {}) if plan.previous else {}
    hashes = {each["path"]: each["sha256"] for each in good_blocks(block)}
    dumps = {dump.path: dump for dump in plan.dumps(source.name)}
    feeding = [dumps.get(path) for path in block.get("feeding", ())]
    there = [dump for dump in feeding if dump is not None and hashes.get(dump.path) == plan.hash(dump)]
    if not there or len(there) < len(feeding):
        return None
    readings = []
    for dump in there:
        readings.append(read(plan, source, replace(dump, facts=replace(dump.facts, accept=GUARD_NAMES))))
        if readings[-1].error is not None:
            return None
    try:
        normalized = normalize(readings)
        tables = validate_tables(normalized.records, normalized.sightings, readings[0].quarantine.clear())
    except SchemaBrokenError:  # the source failed for the same reason and reports it
        return None
    return tables.records, tables.sightings
