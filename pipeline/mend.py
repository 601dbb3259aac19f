"""Makes good what is damaged below the out root: from the dumps where they are there, else from older snapshots.

What the manifest does not vouch for any more is neither carried over nor compared with. What could be made good is
told; what could not is a failure. How a dump is read is not known here.
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
"""The tables that speak of the same rows: both come from one snapshot."""

Refresher = Callable[[Plan], Sequence[Outcome]]
Reader = Callable[[Plan, Source, Dump], Reading]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What was damaged or in the way: ``told`` are lines on what was made good, ``lost`` on what could not be.

    ``passed_over`` are lines on what is no snapshot and stands among them.
    """

    told: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()

    def and_told(self, lines: Sequence[str]) -> "Upkeep":
        """Return the same with more that was made good."""
        return replace(self, told=(*self.told, *lines))


def mend(
    plan: Plan, outcomes: Sequence[Outcome], refresh: Refresher, read: Reader
) -> tuple[tuple[Outcome, ...], Upkeep]:
    """Complete the outcomes of a run, so that nothing damaged has to be published again; tell what was found.

    A source that takes no part in the run, and whose files are damaged, takes part: its dumps are read again. Where a
    source fails, its published rows are made again from the dumps that they came from. Where the run goes on from a
    snapshot before the last one, all sources take part: what would be carried over is older than what was published.
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
    """Give a source that failed the rows that are published, where the files that hold them are damaged."""
    donor = plan.chain.donor(source.name, *ROWS)
    if outcome.status is not Status.FAILED or donor is plan.previous:
        return outcome
    rebuilt = _rebuild(plan, source, read)
    if rebuilt is not None:
        return replace(outcome, rebuilt=rebuilt)
    return replace(outcome, kept=donor is not None, lost=told_of_rows(source.name, donor))


def _rebuild(plan: Plan, source: Source, read: Reader) -> tuple[pl.DataFrame, pl.DataFrame] | None:
    """Make the published rows of a source again from the very dumps that they came from; None where one is not there.

    They were believed when they were published: guards are not asked again.
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
    except SchemaBrokenError:  # which the source itself failed for, and says
        return None
    return tables.records, tables.sightings


def _told_of(plan: Plan, path: str, outcome: Outcome | None) -> str:
    """Say what became of a file of the last snapshot that is damaged."""
    damaged = f"{path} of {plan.previous.id if plan.previous else None} is not as its manifest says"
    if path == CHANGES_FILE:
        return f"damaged: {damaged}: what that run changed is not known any more"
    if "/" not in path:
        return f"healed: {damaged}: written again"
    held_back = path.startswith("quarantine/")
    if outcome is not None and (held_back or outcome.tables is not None):
        return f"healed: {damaged}: made again from the dumps"
    donor = plan.chain.donor(PurePosixPath(path).stem, *(("quarantine",) if held_back else ROWS))
    if donor is plan.previous:
        return f"healed: {damaged}: made again from what repeats it"
    return f"damaged: {damaged}"


def _lost_of(plan: Plan, source: str) -> Iterator[str]:
    """Yield what cannot be made good of a source that has no parser any more, or neither dumps nor rows."""
    rows, quarantine = (plan.chain.donor(source, *tables) for tables in (ROWS, ("quarantine",)))
    if rows is not plan.previous:
        yield told_of_rows(source, rows)
    if quarantine is not plan.previous:
        yield f"{source}: what was held back is damaged, and " + (
            f"that of {quarantine.id} stands in for it" if quarantine else "no snapshot has it whole"
        )
