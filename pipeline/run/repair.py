"""Repairs damage below the out root: from the readings of the dumps if they still exist, else from older snapshots.

Files that no longer match the manifest are neither linked nor compared with. Merging belongs to the caller, what is
said of the damage to ``pipeline.publishing.repairs``.
"""

from collections.abc import Callable, Sequence

from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.pieces import source_of
from pipeline.publishing.repairs import Repairs, damaged_file_message, loss_messages
from pipeline.run.plan import Plan, choose_others

Refresher = Callable[[Plan], Sequence[Outcome]]


def repair(plan: Plan, outcomes: Sequence[Outcome], refresh: Refresher) -> tuple[tuple[Outcome, ...], Repairs]:
    """Complete the outcomes of a run so that no damaged file is published again; also return the damage found.

    A source with damaged files that is not part of the run is added: all of its rows are merged again. If the run
    continues from a snapshot before the last one, all sources are added: the rows to carry over are older than those
    published last.
    """
    damaged = plan.previous.damaged() if plan.previous else []
    damaged_sources = {source_of(path) for path in damaged if "/" in path}
    taking_part = {outcome.source for outcome in outcomes if outcome.status is not Status.ABSENT}
    outdated = plan.inventory.dumps.keys() if plan.chain.rolled_back else set[str]()
    others = choose_others(plan, (damaged_sources | outdated) - taking_part)
    complete = {outcome.source: outcome for outcome in outcomes}
    complete |= {outcome.source: outcome for outcome in refresh(others)}
    made = {name: outcome for name, outcome in complete.items() if outcome.status is not Status.ABSENT}
    reported = [damaged_file_message(plan.chain, path, made.get(source_of(path))) for path in damaged]
    lost = [outcome.lost for outcome in complete.values() if outcome.lost]
    lost += [line for source in sorted(damaged_sources - made.keys()) for line in loss_messages(plan.chain, source)]
    plan.warnings.extend(others.warnings)
    repairs = Repairs((*plan.chain.found, *reported), (*plan.chain.lost, *lost), plan.chain.passed_over)
    return tuple(complete[name] for name in sorted(complete)), repairs
