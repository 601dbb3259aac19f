"""Repairs damage below the out root: from the dumps if they still exist, else from older snapshots.

Files that no longer match the manifest are neither carried over nor compared with. Repairs are reported; damage that
cannot be repaired is a failure. Reading a dump belongs to the caller.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

import polars as pl

from parsers._contract import Source
from pipeline.conclude import told_of_rows
from pipeline.guarding.baseline import good_blocks
from pipeline.guarding.guards import GUARDS
from pipeline.normalize import normalize
from pipeline.outcome import Outcome, Status
from pipeline.plan import Plan, choose_others
from pipeline.publishing.store import CHANGES_FILE
from pipeline.read import Reading
from pipeline.snapshot import Dump
from pipeline.validate import SchemaBrokenError, validate_tables

ROWS: Final = ("records", "sightings")
"""The tables about the same rows: both must come from one snapshot."""

Refresher = Callable[[Plan], Sequence[Outcome]]
Reader = Callable[[Plan, Source, Dump], Reading]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Damage found below the out root: ``told`` are lines on what was repaired, ``lost`` on what could not be.

    ``passed_over`` are lines on files and folders among the snapshots that are not snapshots.
    """

    told: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()

    def and_told(self, lines: Sequence[str]) -> "Upkeep":
        """Return a copy with more lines in ``told``."""
        return replace(self, told=(*self.told, *lines))


def mend(
    plan: Plan, outcomes: Sequence[Outcome], refresh: Refresher, read: Reader
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
    told = [_told_of(plan, path, made.get(PurePosixPath(path).stem)) for path in damaged]
    lost = [outcome.lost for outcome in complete.values() if outcome.lost]
    lost += [line for source in sorted(spoilt - made.keys()) for line in _lost_of(plan, source)]
    plan.warnings.extend((*others.warnings, *every.warnings))
    upkeep = Upkeep((*plan.chain.found, *told), (*plan.chain.lost, *lost), plan.chain.passed_over)
    return tuple(complete[name] for name in sorted(complete)), upkeep


def _restore(plan: Plan, source: Source, outcome: Outcome, read: Reader) -> Outcome:
    """Give a failed source its published rows again if the files that hold them are damaged."""
    donor = plan.chain.donor(source.name, *ROWS)
    if outcome.status is not Status.FAILED or donor is plan.previous:
        return outcome
    rebuilt = _rebuild(plan, source, read)
    if rebuilt is not None:
        return replace(outcome, rebuilt=rebuilt)
    return replace(outcome, kept=donor is not None, lost=told_of_rows(source.name, donor))


def _rebuild(plan: Plan, source: Source, read: Reader) -> tuple[pl.DataFrame, pl.DataFrame] | None:
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
        readings.append(read(plan, source, replace(dump, facts=replace(dump.facts, accept=tuple(GUARDS)))))
        if readings[-1].error is not None:
            return None
    try:
        normalized = normalize(readings)
        tables = validate_tables(normalized.records, normalized.sightings, readings[0].quarantine.clear())
    except SchemaBrokenError:  # the source failed for the same reason and reports it
        return None
    return tables.records, tables.sightings


def _told_of(plan: Plan, path: str, outcome: Outcome | None) -> str:
    """Return the line on a damaged file of the last snapshot: what it was rebuilt from, if it was."""
    damaged = f"{path} of {plan.previous.id if plan.previous else None} does not match its manifest"
    if path == CHANGES_FILE:
        return f"damaged: {damaged}: the changes of that run are lost"
    if "/" not in path:
        return f"healed: {damaged}: written again"
    held_back = path.startswith("quarantine/")
    if outcome is not None and (held_back or outcome.tables is not None):
        return f"healed: {damaged}: rebuilt from the dumps"
    donor = plan.chain.donor(PurePosixPath(path).stem, *(("quarantine",) if held_back else ROWS))
    if donor is plan.previous:
        return f"healed: {damaged}: rebuilt from its copy"
    return f"damaged: {damaged}"


def _lost_of(plan: Plan, source: str) -> Iterator[str]:
    """Yield the lines on unrepaired damage of a source that no longer has a parser, or has neither dumps nor rows."""
    rows, quarantine = (plan.chain.donor(source, *tables) for tables in (ROWS, ("quarantine",)))
    if rows is not plan.previous:
        yield told_of_rows(source, rows)
    if quarantine is not plan.previous:
        yield f"{source}: the quarantine table is damaged; " + (
            f"using the one of snapshot {quarantine.id} instead" if quarantine else "no snapshot has an intact one"
        )
