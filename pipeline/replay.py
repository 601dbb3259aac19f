"""Parses the archive again with today's parsers and shows, row by row, how the result differs from what is published.

Nothing is published unless asked for. What a stage does belongs to ``pipeline.refresh``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from pipeline.engines import open_engine
from pipeline.outcome import Outcome
from pipeline.plan import Plan, make_plan
from pipeline.publishing.changes import CHANGE_TYPES, find_changes
from pipeline.publishing.lock import exclusive
from pipeline.refresh import Result, finish, refresh_sources
from pipeline.settings import Settings


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay made: the outcome of each source, what publishing it would change, and the result if published."""

    outcomes: tuple[Outcome, ...]
    changes: pl.DataFrame
    result: Result | None


def replay(
    settings: Settings,
    names: Sequence[str] = (),
    *,
    since: datetime | None = None,
    publish: bool = False,
    watch: Callable[[str], None] = lambda _: None,
) -> Replay:
    """Parse the archive of the named sources, or of all, again; publish what is good if asked to.

    Everything is parsed, since older captures fill what newer ones do not say. ``since`` limits what is shown: to the
    records that a capture of that moment or later shows, and those that are gone.
    """
    with exclusive(settings, watch), open_engine(settings.engine) as engine:
        plan = make_plan(settings, names)
        outcomes = tuple(refresh_sources(plan, engine, watch))
        changes = pl.concat([pl.DataFrame(schema=CHANGE_TYPES), *(_changes(plan, each, since) for each in outcomes)])
        return Replay(outcomes, changes, finish(plan, outcomes, watch) if publish else None)


def _changes(plan: Plan, outcome: Outcome, since: datetime | None) -> pl.DataFrame:
    """Compare an outcome with what is published; one without new tables changes nothing."""
    if outcome.records is None or outcome.sightings is None:
        return pl.DataFrame(schema=CHANGE_TYPES)
    before = plan.previous.read("records", outcome.source) if plan.previous else None
    changes = find_changes(before, outcome.records)
    if since is None:
        return changes
    moment = since.astimezone(UTC).replace(tzinfo=None)
    seen = outcome.sightings.filter(pl.col("captured_at") >= moment)["record_id"].unique()
    return changes.filter(pl.col("record_id").is_in(seen.to_list()) | (pl.col("change") == "removed"))
