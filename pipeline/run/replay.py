"""Parses the archive again with today's parsers and compares the result, row by row, with the published data.

So are the works that its records make. Nothing is published unless requested, and the cache of readings is not used: it
would hide changes that its keys do not cover, such as another version of a library. ``pipeline.run.refresh`` runs the
stages.
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
from pipeline.publishing.lock import lock_out_root
from pipeline.publishing.pieces import WORKS_FILES
from pipeline.publishing.works import NEEDED, preview_works
from pipeline.reading.cache import load_known_files
from pipeline.run.plan import Plan, make_plan
from pipeline.run.recorder import Recorder
from pipeline.run.refresh import Result, finish, record, refresh_sources
from pipeline.run.session import RunSession
from pipeline.workers.engines import open_engine
from pipeline.works.changes import changed_works, lost_works
from schemas.works import WORK_MEMBERS, WORKS


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay: the outcome of each source, the changes from publishing it, and the result if published.

    ``reference`` is the id of the snapshot that it was compared with, None if nothing is published. ``reported`` and
    ``lost`` are lines on damage in the published dataset. ``works`` has, by what became of them (``lost``, ``merged``,
    ``split``), the titles of the works that are not as published; None where they could not be compared.
    """

    outcomes: tuple[Outcome, ...]
    changes: pl.DataFrame
    result: Result | None
    reference: str | None
    reported: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    works: Mapping[str, Sequence[str]] | None = None


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
    with lock_out_root(settings, watch), ExitStack() as stack:
        recorder = stack.enter_context(Recorder(settings, names, watch, replay=True)) if publish else None
        engine = stack.enter_context(open_engine(settings.engine, known))
        start = recorder.started_at if recorder is not None else None
        files = load_known_files(settings)
        plan = make_plan(settings, known, files, names, again=True, anew=True, started_at=start)
        session = RunSession(plan, files, engine, watch)
        outcomes = tuple(refresh_sources(session, plan.chosen))
        works = _changed_works(plan, outcomes)
        changes = pl.concat([pl.DataFrame(schema=CHANGE_TYPES), *(_changes(plan, each, since) for each in outcomes)])
        result = record(recorder, finish(session, outcomes)) if recorder is not None else None
        reference = plan.previous.id if plan.previous else None
        return Replay(outcomes, changes, result, reference, plan.chain.found, plan.chain.lost, works)


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


def _changed_works(plan: Plan, outcomes: Sequence[Outcome]) -> dict[str, list[str]] | None:
    """Compare the works of what a run makes, and of what it leaves as it is, with the published ones.

    Returns the titles, else the ids, of those that are lost, merged or split; None where no works are published.
    """
    last, tables = plan.previous, [WORKS_FILES[name] for name in (WORKS.name, WORK_MEMBERS.name)]
    if last is None or not all(map(last.agrees, tables)):
        return None
    published, before = (last.load(name, WORKS_FILES[name]) for name in (WORKS.name, WORK_MEMBERS.name))
    made = {each.source: each.records.select(NEEDED) for each in outcomes if each.records is not None}
    kept = (last.intact_rows("records", name).select(NEEDED) for name in last.sources if name not in made)
    now = preview_works(plan.settings.out, pl.concat([*made.values(), *kept]), plan.decisions)
    changed = changed_works(before, now.members, now.works)
    lost = published.filter(pl.col("work_id").is_in(lost_works(before, now.members).implode()))
    found = {"lost": lost, **{kind: changed.filter(pl.col("change") == kind) for kind in ("merged", "split")}}
    return {kind: rows.select(pl.coalesce("title", "work_id")).to_series().to_list() for kind, rows in found.items()}
