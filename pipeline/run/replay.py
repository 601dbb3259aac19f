"""Parses the archive again with today's parsers and compares the result, row by row, with the published data.

Nothing is published unless requested, and the cache is not used: it would hide changes that its keys do not cover,
such as another version of a library. ``pipeline.run.refresh`` runs the stages.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from parsers._contract import Source
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome
from pipeline.publishing.changes import CHANGE_TYPES, find_changes
from pipeline.publishing.swap import exclusive
from pipeline.reading.cache import load_known_files
from pipeline.run.plan import Plan, make_plan
from pipeline.run.recorder import Recorder
from pipeline.run.refresh import Result, finish, record, refresh_sources
from pipeline.run.session import RunSession
from pipeline.workers.engines import open_engine


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay: the outcome of each source, the changes from publishing it, and the result if published.

    ``reference`` is the id of the snapshot that it was compared with, None if nothing is published. ``reported`` and
    ``lost`` are lines on damage in the published dataset.
    """

    outcomes: tuple[Outcome, ...]
    changes: pl.DataFrame
    result: Result | None
    reference: str | None
    reported: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def replay(  # noqa: PLR0913  # as in ``refresh``
    settings: Settings,
    known: Mapping[str, Source],
    names: Sequence[str] = (),
    *,
    since: datetime | None = None,
    publish: bool = False,
    watch: Callable[[str], None] = lambda _: None,
) -> Replay:
    """Parse the archive of the named sources, or of all, again; with ``publish`` publish what is good, as a logged run.

    Everything is parsed, since older captures fill fields that newer ones lack. ``since`` limits the changes to records
    in a capture of that moment or later, and to removed ones.
    """
    with exclusive(settings, watch), ExitStack() as stack:
        recorder = stack.enter_context(Recorder(settings, names, watch, replay=True)) if publish else None
        engine = stack.enter_context(open_engine(settings.engine, known))
        start = recorder.started_at if recorder is not None else None
        files = load_known_files(settings)
        plan = make_plan(settings, known, files, names, again=True, anew=True, started_at=start)
        session = RunSession(plan, files, engine, watch)
        outcomes = tuple(refresh_sources(session, plan.chosen))
        changes = pl.concat([pl.DataFrame(schema=CHANGE_TYPES), *(_changes(plan, each, since) for each in outcomes)])
        result = record(recorder, finish(session, outcomes)) if recorder is not None else None
        reference = plan.previous.id if plan.previous else None
        return Replay(outcomes, changes, result, reference, plan.chain.found, plan.chain.lost)


def _changes(plan: Plan, outcome: Outcome, since: datetime | None) -> pl.DataFrame:
    """Compare an outcome with the published rows; one without new tables changes nothing."""
    if outcome.records is None or outcome.sightings is None:
        return pl.DataFrame(schema=CHANGE_TYPES)
    before = plan.previous.intact_rows("records", outcome.source) if plan.previous else None
    changes = find_changes(before, outcome.records)
    if since is None:
        return changes
    moment = since.astimezone(UTC).replace(tzinfo=None)
    seen = outcome.sightings.filter(pl.col("captured_at") >= moment)["record_id"].unique()
    return changes.filter(pl.col("record_id").is_in(seen.to_list()) | (pl.col("change") == "removed"))
