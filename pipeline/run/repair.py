"""Repairs damage below the out root: from the dumps if they still exist, else from older snapshots.

Files that no longer match the manifest are neither carried over nor compared with. Reading a dump belongs to the
caller, what is said of the damage to ``pipeline.publishing.repairs``.
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
from pipeline.publishing.repairs import ROWS, Repairs, damaged_file_message, damaged_rows_message, loss_messages
from pipeline.raw.inventory import Dump
from pipeline.reading.read import Reading
from pipeline.run.plan import Plan, choose_others

Refresher = Callable[[Plan], Sequence[Outcome]]
Reread = Callable[[Plan, Source, Dump], Reading]


def repair(
    plan: Plan, outcomes: Sequence[Outcome], refresh: Refresher, read: Reread
) -> tuple[tuple[Outcome, ...], Repairs]:
    """Complete the outcomes of a run so that no damaged file is published again; also return the damage found.

    A source with damaged files that is not part of the run is added: its dumps are read again. If a source fails, its
    published rows are rebuilt from the dumps that they came from. If the run continues from a snapshot before the last
    one, all sources are added: the rows to carry over are older than those published last.
    """
    damaged = plan.previous.damaged() if plan.previous else []
    damaged_sources = {PurePosixPath(path).stem for path in damaged if "/" in path}
    taking_part = {outcome.source for outcome in outcomes if outcome.status is not Status.ABSENT}
    outdated = plan.inventory.dumps.keys() if plan.chain.rolled_back else set[str]()
    others = choose_others(plan, (damaged_sources | outdated) - taking_part)
    complete = {outcome.source: outcome for outcome in outcomes}
    complete |= {outcome.source: outcome for outcome in refresh(others)}
    every = choose_others(plan, damaged_sources)
    complete |= {name: _restore(every, plan.source(name), complete[name], read) for name in every.chosen}
    made = {name: outcome for name, outcome in complete.items() if outcome.status is not Status.ABSENT}
    reported = [damaged_file_message(plan.chain, path, made.get(PurePosixPath(path).stem)) for path in damaged]
    lost = [outcome.lost for outcome in complete.values() if outcome.lost]
    lost += [line for source in sorted(damaged_sources - made.keys()) for line in loss_messages(plan.chain, source)]
    plan.warnings.extend((*others.warnings, *every.warnings))
    repairs = Repairs((*plan.chain.found, *reported), (*plan.chain.lost, *lost), plan.chain.passed_over)
    return tuple(complete[name] for name in sorted(complete)), repairs


def _restore(plan: Plan, source: Source, outcome: Outcome, read: Reread) -> Outcome:
    """Give a failed source its published rows again if the files that hold them are damaged."""
    intact = plan.chain.newest_intact(source.name, *ROWS)
    if outcome.status is not Status.FAILED or intact is plan.previous:
        return outcome
    rebuilt = _rebuild(plan, source, read)
    if rebuilt is not None:
        return replace(outcome, rebuilt=rebuilt)
    return replace(outcome, kept=intact is not None, lost=damaged_rows_message(source.name, intact))


def _rebuild(plan: Plan, source: Source, read: Reread) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Rebuild the published rows of a source from the same dumps; None if one is missing, changed or unusable.

    The guards accepted these dumps when they were published, and are skipped now.
    """
    block = plan.previous.sources.get(source.name, {}) if plan.previous else {}
    hashes = {each["path"]: each["sha256"] for each in good_blocks(block)}
    dumps = {dump.path: dump for dump in plan.dumps(source.name)}
    contributing = [dumps.get(path) for path in block.get("feeding", ())]
    there = [dump for dump in contributing if dump is not None and hashes.get(dump.path) == plan.hash(dump)]
    if not there or len(there) < len(contributing):
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
