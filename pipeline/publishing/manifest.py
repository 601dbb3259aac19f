"""Makes the blocks of a manifest: one small one for every source, about its last run.

What is known of the captures of a source is in the table ``captures`` (``pipeline.publishing.captures``).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pipeline.merging.outcome import LOST, Outcome, Status
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import STAMP


def source_blocks(
    outcomes: Sequence[Outcome], chain: Chain, started_at: datetime, records: Mapping[str, int]
) -> dict[str, Any]:
    """Return the blocks of all sources: new ones for the sources of this run, the last ones for the others.

    ``records`` is the number of published records of each source.
    """
    sources = chain.last.sources if chain.last else {}
    blocks = {source: _block_of_rows(chain, source) for source in sources}
    now = started_at.isoformat(timespec="seconds")
    for outcome in outcomes:
        if outcome.status is Status.ABSENT:
            continue
        last, held = sources.get(outcome.source, {}), blocks.get(outcome.source, {})
        failed = outcome.status is Status.FAILED
        stays = last if outcome.records is not None else held  # the block about the rows that stay
        blocks[outcome.source] = {
            "run_id": run_id_of(started_at),
            "attempted_at": now,
            "refreshed_at": stays.get("refreshed_at") if failed else now,
            **_describe(outcome),
            # Of a failed source: the code of the rows that stay, and whether there were any that nobody has now.
            **({"code": stays.get("code"), "lost": stays.get("lost", False)} if failed else {}),
            "published": records.get(outcome.source, 0),
        }
    return {source: _without_dumps(block) for source, block in sorted(blocks.items())}


def _describe(outcome: Outcome) -> dict[str, Any]:
    """Return what an outcome says of itself."""
    return {
        "status": outcome.status.value,
        "error": outcome.problem,
        "parser": outcome.parser,
        "records": None if outcome.status is Status.FAILED else outcome.total,
        "quarantined": outcome.quarantine.height,
        "reasons": outcome.reasons,
        "lines": dict(outcome.lines),
        "boilerplate": dict(outcome.boilerplate),
        "checked_at": outcome.checked_at.isoformat(timespec="seconds") if outcome.checked_at else None,
        "seconds": round(outcome.seconds, 3),
        "code": outcome.code,
        "changes": outcome.changes,
        "attention": list(outcome.attention),
    }


def _block_of_rows(chain: Chain, source: str) -> Mapping[str, Any]:
    """Return the block about the rows of a source that can be carried over.

    If no snapshot has them undamaged, the block says so from now on.
    """
    intact = chain.newest_intact(source, "records", "sightings")
    if intact is not None:
        return intact.sources.get(source, {})
    last = chain.last.sources[source] if chain.last else {}
    gone = {"status": Status.FAILED.value, "error": f"{source}: {LOST}", "records": None, "lost": True}
    return {**last, **gone, "published": 0, "refreshed_at": None}


def _without_dumps(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return a block without what contract version 1 had in it, of which there are tables now."""
    gone = {"dumps", "feeding", "last_good", "inputs", "countries_without_code"}
    return {name: value for name, value in block.items() if name not in gone}


def run_id_of(started_at: datetime) -> str:
    """Return the id of a run: its start in UTC, to the second."""
    return started_at.strftime(STAMP)
