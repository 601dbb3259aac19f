"""Which captures feed a source, which groups of records they change, and the rows of these groups, merged and valid.

**F** are the captures that feed: those that are good and count, and for each that fails now the one that fed before.
**D** are those in which F differs from the published one: new, late, superseded, withdrawn, accepted, or read by newer
code. **K** are the groups of records that D shows, old and new. The rows of K, from every capture of F that shows K,
are merged and replace the published rows of K; all others stay. In a first run, in a replay, after newer code and where
published files are damaged K is everything.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from parsers._contract import PageKind
from pipeline.merging.normalize import Carried, merge
from pipeline.merging.stack import Stack
from pipeline.merging.validate import Validated, validate_tables
from pipeline.publishing.captures import Row
from pipeline.publishing.pieces import group_of, groups_of
from pipeline.publishing.repairs import damaged_rows_message
from pipeline.publishing.store import Snapshot
from pipeline.reading.frames import QUARANTINE_TYPES
from pipeline.run.gather import Gathered, read_known
from pipeline.run.plan import Plan
from pipeline.workers.engines import Engine

Feeding = Mapping[str, dict[str, Any]]
"""The captures that feed a source, by path: their rows of the table ``captures``."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The valid rows of some groups of a source: all that is known of them; ``groups`` is None for all groups.

    The records that are not valid are in ``tables.quarantine``. ``lost`` is a message on rows that had to come from an
    older snapshot.
    """

    groups: frozenset[str] | None
    tables: Validated
    lost: str | None = None


def published_feeding(plan: Plan, source: str) -> Feeding:
    """Return the captures that feed the published rows."""
    return {row["dump"]: row for row in plan.captures(source).filter("feeds").iter_rows(named=True)}


def choose_feeding(plan: Plan, gathered: Gathered) -> Feeding:
    """Return the captures that feed the rows to publish.

    One that fed and fails now keeps its last good reading: on a log page that of the same dump, on a state page without
    a good capture that of the page.
    """
    source = gathered.source
    known = {row["dump"]: row for row in plan.captures(source).filter(pl.col("error").is_null()).iter_rows(named=True)}
    good = [verdict for verdict in gathered.verdicts if verdict.error is None]
    feeding = {
        verdict.dump.path: {**(gathered.rows if verdict.reading else known)[verdict.dump.path], "feeds": True}
        for verdict in good
    }
    failed = [verdict.dump for verdict in gathered.verdicts if verdict.error is not None]
    before = published_feeding(plan, source) if failed else {}
    if plan.page_kind(source) is PageKind.LOG:
        kept = {dump.path for dump in failed} & before.keys()
    else:
        pages = {dump.page for dump in failed} - {verdict.dump.page for verdict in good}
        kept = {path for path, row in before.items() if row["page"] in pages}
    return feeding | {path: before[path] for path in kept - feeding.keys()}


def contribute(plan: Plan, gathered: Gathered, feeding: Feeding, engine: Engine) -> Contribution:
    """Return the rows of all groups that the captures in which ``feeding`` differs from the published one show."""
    source = gathered.source
    if plan.is_whole(source) or plan.previous is None:
        return _merge(plan, source, gathered.stack, feeding, None, engine)
    before = published_feeding(plan, source)
    came = {path for path, row in feeding.items() if _entry_of(before.get(path)) != _entry_of(row)}
    gone = [row for path, row in before.items() if _entry_of(feeding.get(path)) != _entry_of(row)]
    groups = groups_of(gathered.stack.frame("sightings", came))
    for row in gone:
        groups |= _groups_shown(plan, plan.previous, source, row, engine)
    seen = plan.previous.rows_in("sightings", source, groups)["dump"].unique().to_list() if groups else []
    showing = {path: feeding[path] for path in sorted({*seen, *came} & feeding.keys())}
    return _merge(plan, source, gathered.stack, showing, frozenset(groups), engine)


def rebuild(plan: Plan, source: str, engine: Engine) -> Contribution | None:
    """Return the published rows of a source made again from the captures that feed them; None if one is gone.

    Guards took these captures when they were published, and are not asked again.
    """
    feeding = published_feeding(plan, source)
    stack = Stack()
    missing = _add(plan, source, stack, feeding.values(), engine)
    if missing or not feeding:
        return None
    return Contribution(None, _validate(stack, feeding, None, None))


def _entry_of(row: Row | None) -> object:
    """Return what tells one reading of a capture from another."""
    return None if row is None else (row["entry"], row["dump_sha256"])


def _groups_shown(plan: Plan, previous: Snapshot, source: str, row: Row, engine: Engine) -> set[str]:
    """Return the groups that a capture has shown: by its reading, else by its published sightings."""
    if row["entry"] is not None and (reading := read_known(plan, source, row, engine)) is not None:
        return groups_of(reading.sightings)
    sightings = previous.rows_in("sightings", source, None)
    return groups_of(sightings.filter(pl.col("dump") == row["dump"]))


def _merge(  # noqa: PLR0913, PLR0917  # what to merge, and from where
    plan: Plan, source: str, stack: Stack, showing: Feeding, groups: frozenset[str] | None, engine: Engine
) -> Contribution:
    """Merge and validate the rows of some groups, from the captures that show them.

    Published rows stand in for a capture of which neither reading nor dump is left.
    """
    known = [row for path, row in showing.items() if stack.good.get(path) != row["dump_sha256"]]
    missing = _add(plan, source, stack, known, engine)
    carried, lost = _carried(plan, source, missing)
    return Contribution(groups, _validate(stack, showing, groups, carried), lost)


def _add(plan: Plan, source: str, stack: Stack, rows: Iterable[Row], engine: Engine) -> set[str]:
    """Add the readings of known captures to a stack; return the paths of those of which nothing is left."""
    missing = set()
    for row in rows:
        reading = read_known(plan, source, row, engine)
        if reading is None:
            missing.add(row["dump"])
        else:
            stack.add(reading)
    return missing


def _validate(
    stack: Stack, dumps: Collection[str], groups: frozenset[str] | None, carried: Carried | None
) -> Validated:
    """Merge the rows of some groups, or of all, and validate them."""
    wanted = None if groups is None else group_of("records").is_in(sorted(groups))
    normalized = merge(stack, dumps, wanted, carried)
    return validate_tables(normalized.records, normalized.sightings, pl.DataFrame(schema=QUARANTINE_TYPES))


def _carried(plan: Plan, source: str, missing: set[str]) -> tuple[Carried | None, str | None]:
    """Return the published rows of some captures, and a message if those of the last snapshot are damaged."""
    if not missing:
        return None, None
    intact = plan.chain.newest_intact(source, "records", "sightings")
    rows = intact.rows_of(source, missing) if intact else None
    message = None if intact is plan.previous else damaged_rows_message(source, intact)
    return (Carried(*rows) if rows else None), message
