"""Concludes a source: turns what was gathered of it into the outcome to publish, or keeps what is published.

Reading a dump belongs to ``pipeline.reading.read``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from parsers._contract import PageKind
from pipeline.base.guard_settings import Policy, overrules
from pipeline.guarding.baseline import capture_order
from pipeline.guarding.captures import mark_superseded
from pipeline.guarding.comparison import Comparison, compare, find_attention
from pipeline.merging.normalize import Normalized, Stack, merge
from pipeline.merging.outcome import Outcome, Status
from pipeline.merging.validate import SchemaBrokenError, Validated, validate_tables
from pipeline.publishing.captures import Row, capture_frame, captures_of, contributing, total
from pipeline.publishing.changes import find_changes
from pipeline.publishing.pieces import ORDER, group_of, groups_of
from pipeline.publishing.repairs import damaged_rows_message
from pipeline.publishing.runs import count_nulls
from pipeline.publishing.store import Snapshot, waiting_pages
from pipeline.raw.archive import capture_times
from pipeline.reading.frames import QUARANTINE_TYPES, RECORD_TYPES, SIGHTING_TYPES, DumpInfo, quarantine_frame
from pipeline.reading.read import Reading
from pipeline.run.gather import Gathered, read_known
from pipeline.run.plan import Plan
from pipeline.workers.engines import Engine
from schemas.items import Reject
from schemas.tables import RECORDS, SIGHTINGS, polars_schema

NEWER_CODE: Final = "newer code, or another table.toml, reads less than is published"
_DEFECTS: Final = (SchemaBrokenError, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""Exceptions raised by a bug in the merge: only the affected source fails."""

_GOOD: Final = pl.col("error").is_null()
_TYPES: Final = (RECORD_TYPES, SIGHTING_TYPES, QUARANTINE_TYPES)
_READING: Final = ("dump", "dump_sha256", "entry", "outdated")
"""What tells one reading of a capture from another, and whether a newer capture has taken its place in the merge."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The valid rows of some groups of a source: all that is known of them; ``groups`` is None for all groups.

    The records that are not valid are in ``tables.quarantine``. ``lost`` is a message on rows that had to come from an
    older snapshot.
    """

    groups: frozenset[str] | None
    tables: Validated
    lost: str | None = None


def conclude(plan: Plan, gathered: Gathered, engine: Engine) -> Outcome:
    """Merge and validate what is new of a source; it fails as a whole if none of its dumps is good."""
    name = gathered.source
    before = plan.captures(name)
    bad = before.filter(pl.col("error").is_not_null()).select("dump", "dump_sha256", "error")
    verdicts = (
        mark_superseded(plan.page_kind(name), gathered.verdicts, set(bad.iter_rows())) if gathered.verdicts else ()
    )
    gathered = replace(gathered, verdicts=tuple(verdicts))
    failed = {verdict.dump.path for verdict in verdicts if verdict.error is not None}
    current = _current(before, gathered)
    checked = capture_times(plan.files, name, plan.inventory.asked.get(name, ()), failed)
    waiting = _find_waiting(plan, gathered)
    empty = Outcome(
        name,
        plan.parser(name),
        Status.FAILED,
        None,
        None,
        _held_back(plan, gathered, None),
        _captures(before.filter("feeds"), gathered),
        tuple(verdict.reading for verdict in verdicts if verdict.reading is not None),
        len(verdicts),
        total(current, "classes"),
        total(current, "boilerplate"),
        read_seconds=plan.seconds(name),
        kept=_published(plan, name) > 0,
        code=plan.code(name),
        checked_at=max(checked.values(), default=None),
        attention=tuple(_tell_waiting(plan, name, waiting)),
        waiting=waiting,
    )
    if not verdicts:
        outcome = _conclude_without_dumps(plan, empty)
    elif len(failed) == len(verdicts):
        errors = [reading.error for reading in empty.readings if reading.fails]
        outcome = replace(empty, error=errors[0]) if errors else replace(empty, status=Status.WAITING)
    else:
        outcome = _merge(plan, gathered, empty, engine)
    return outcome if outcome.records is not None else _keep(plan, outcome, engine)


def _find_waiting(plan: Plan, gathered: Gathered) -> dict[str, dict[str, str]]:
    """Return the pages that wait for their programme, each with since when and what its newest capture shows."""
    before = _published_block(plan, gathered.source).get("waiting", {})
    readings = [each.reading for each in gathered.verdicts if each.reading is not None and each.reading.waits]
    waiting: dict[str, dict[str, str]] = {}
    for reading in sorted(readings, key=lambda each: capture_order(each.dump.facts.captured_at, each.dump.path)):
        page = reading.dump.page
        first = f"{reading.dump.facts.captured_at or plan.started_at:%Y-%m-%d}"
        known = waiting.get(page) or before.get(page) or {"since": first}
        waiting[page] = {
            "since": known["since"],
            "shows": reading.measure.other_year or reading.measure.other_event or "",
        }
    return waiting


def _tell_waiting(plan: Plan, source: str, waiting: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield what a person is told once of each page that waits, and again when it shows something else."""
    before = _published_block(plan, source).get("waiting", {})
    for page, now in waiting.items():
        if before.get(page, {}).get("shows") != now["shows"]:
            yield waiting_pages({"waiting": waiting})[page]


def _captures(feeding: pl.DataFrame, gathered: Gathered) -> pl.DataFrame:
    """Return the table of captures: those that feed, and those that failed."""
    failed = capture_frame(gathered.rows[each.dump.path] for each in gathered.verdicts if not each.feeds)
    return pl.concat([feeding, failed]).sort(ORDER["captures"])


def _current(before: pl.DataFrame, gathered: Gathered) -> pl.DataFrame:
    """Return the rows of the captures that count or failed, as they are now."""
    known = [verdict.dump.path for verdict in gathered.verdicts if verdict.reading is None]
    there = before.filter(pl.col("dump").is_in(known) & pl.col("error").is_null())
    return pl.concat([there, capture_frame(gathered.rows.values())])


def _held_back(plan: Plan, gathered: Gathered, replacement: Replacement | None) -> pl.DataFrame:
    """Return the quarantine: what was held back of each capture that counts or failed, and invalid records.

    Of a capture that is known its published rows stay; so do invalid records of groups that have not changed.
    """
    verdicts = gathered.verdicts
    now = {verdict.dump.path: verdict.reading.sha256 for verdict in verdicts if verdict.reading is not None}
    stacked = gathered.stack.frame("quarantine", {verdict.dump.path for verdict in verdicts})
    # A dump that fails may have its last good reading in the stack, too, which feeds still.
    failed = [verdict.dump.path for verdict in verdicts if verdict.error is not None]
    bytes_now = pl.col("dump").replace_strict(now, default=pl.col("dump_sha256"), return_dtype=pl.String)
    stacked = stacked.filter(~pl.col("dump").is_in(failed) | pl.col("dump_sha256").eq_missing(bytes_now))
    known = [verdict.dump.path for verdict in verdicts if verdict.dump.path not in gathered.stack.dumps]
    source = plan.chain.table("quarantine", gathered.source)
    published = pl.DataFrame(schema=QUARANTINE_TYPES) if source is None else source
    of_records = pl.col("record_id").is_not_null() & (pl.col("stage") == "validate")
    there = published.filter(~of_records & pl.col("dump").is_in(known))
    if replacement is None:
        invalid = published.filter(of_records)
    else:
        changed = group_of("records").is_in(sorted(replacement.groups or ()))
        stay = published.filter(of_records & ~changed) if replacement.groups is not None else published.clear()
        invalid = pl.concat([stay, replacement.tables.quarantine])
    return pl.concat([stacked, there, invalid]).sort(ORDER["quarantine"])


def _published(plan: Plan, source: str) -> int:
    """Return the number of published records of a source."""
    return int(_published_block(plan, source).get("published", 0))


def _published_block(plan: Plan, source: str) -> Mapping[str, Any]:
    """Return what the manifest says of a source; empty where nothing is published of it."""
    return plan.previous.sources.get(source, {}) if plan.previous else {}


def _conclude_without_dumps(plan: Plan, empty: Outcome) -> Outcome:
    """Conclude a source without dumps: it fails if it ever had good ones, unless a person said that it is withdrawn."""
    source = empty.source
    block = _published_block(plan, source)
    had = plan.captures(source).filter(pl.col("error").is_null()).height
    if not (empty.kept or block.get("refreshed_at") or block.get("lost") or had):
        return replace(empty, status=Status.ABSENT)
    if source not in plan.withdrawn and not (block["status"] == Status.OK and not had and not empty.kept):
        return _without(empty, "empty_result", f"expected dumps below {plan.settings.raw / source}, found none")
    records, sightings = (pl.DataFrame(schema=polars_schema(table)) for table in (RECORDS, SIGHTINGS))
    before = plan.chain.table("records", source)
    compared = compare(before, records) if empty.kept and before is not None else None
    return replace(
        empty,
        status=Status.OK,
        records=records,
        sightings=sightings,
        quarantine=empty.quarantine.clear(),
        captures=empty.captures.clear(),
        groups=None,
        kept=False,
        checked_at=None,
        changes=_count(compared) if compared is not None else None,
        changed=find_changes(before, records),
    )


def _merge(plan: Plan, gathered: Gathered, empty: Outcome, engine: Engine) -> Outcome:
    """Merge what has changed of a source; ``empty`` is its outcome if that fails."""
    source = empty.source
    feeding = choose_feeding(plan, gathered)
    try:
        replacement = make_replacement(plan, gathered, feeding, engine)
    except _DEFECTS as error:
        return _without(empty, "invalid_value", f"expected tables that match their schema: {error}")
    records = replacement.tables.records
    if replacement.groups is None or plan.previous is None:
        before = plan.chain.table("records", source)
    else:
        before = plan.previous.rows_in("records", source, replacement.groups)
    stay = 0 if replacement.groups is None or before is None else _published(plan, source) - before.height
    invalid = replacement.tables.quarantine.height
    if not records.height + stay and (empty.kept or invalid):
        found = f"found none, {invalid} of them invalid" if invalid else "found none"
        stays = "; the published records stay" if empty.kept else ""
        return _without(empty, "empty_result", f"expected at least one valid record, {found}{stays}")
    is_new = replacement.groups is None or bool(replacement.groups)
    compared = compare(before, records, stay) if empty.kept and before is not None and is_new else None
    harm = _harm(plan, gathered, records, compared) if compared is not None else {}
    # A dump that published rows come from takes its values with it when it is removed.
    removed = contributing(plan.previous, source).keys() - {dump.path for dump in plan.dumps(source)}
    if harm and not removed:
        guard, detail = next(iter(harm.items()))
        return _without(empty, f"guard_{guard}", f"{NEWER_CODE}: {detail}")
    failed = [each.error for each in empty.readings if each.error is not None and each.fails]
    return replace(
        empty,
        status=Status.PARTIAL if failed else Status.OK,
        records=records,
        sightings=replacement.tables.sightings,
        quarantine=_held_back(plan, gathered, replacement),
        captures=_captures(feeding, gathered),
        groups=replacement.groups,
        total=records.height + stay,
        error="; ".join(failed) or None,
        kept=False,
        lost=replacement.lost,
        changes=_count(compared) if compared is not None else None,
        changed=find_changes(before, records, compared.retitled if compared is not None else ()),
        nulls_before=count_nulls(before) if before is not None else {},
        attention=(
            *empty.attention,
            *_attention(compared, empty.readings),
            *(f"newer code or tables, or dumps that were removed: {detail}" for detail in harm.values()),
        ),
    )


def _keep(plan: Plan, outcome: Outcome, engine: Engine) -> Outcome:
    """Give a failed source its published rows again if the files that hold them are damaged."""
    intact = plan.chain.newest_intact(outcome.source, "records", "sightings")
    damaged = plan.previous is not None and not plan.previous.holds(outcome.source)
    if outcome.status.has_rows or not damaged or intact is plan.previous:
        return outcome
    try:
        rebuilt = rebuild(plan, outcome.source, engine)
    except SchemaBrokenError:  # the source failed for the same reason and reports it
        rebuilt = None
    if rebuilt is None:
        known = captures_of(intact, outcome.source)  # of the rows that stand in now
        feeding = known.filter("feeds") if known is not None else outcome.captures.clear()
        captures = pl.concat([feeding, outcome.captures.filter(~pl.col("feeds"))]).sort(ORDER["captures"])
        lost = damaged_rows_message(outcome.source, intact)
        return replace(outcome, kept=intact is not None, captures=captures, lost=lost)
    tables = rebuilt.tables
    return replace(outcome, records=tables.records, sightings=tables.sightings, groups=None)


def _harm(plan: Plan, gathered: Gathered, records: pl.DataFrame, compared: Comparison) -> dict[str, str]:
    """Return the guards that reject what newer code or tables make of published records, each with its message.

    As for a capture, settings and sidecars can overrule them. The rows of each page are judged by themselves too: the
    loss of one is a small share among those of many pages.
    """
    source = gathered.source
    if plan.anew or plan.reads_as_before(source):
        return {}
    settings = plan.settings.guards.of(source)
    harm = {}
    for guard in ("lost", "spoilt"):
        dumps = (verdict.dump for verdict in gathered.verdicts)
        accepting = [dump.path for dump in dumps if overrules(dump.facts.accept, guard)]
        others = records.filter(~pl.col("dump").is_in(accepting)) if accepting else records
        before = plan.chain.table("records", source) if accepting else None
        whole = compared if before is None else compare(before, others)
        found = (
            each.alarms[guard] for each in (whole, *_by_page(plan, source, others)) if each and guard in each.alarms
        )
        if settings.policy(guard) is Policy.FAIL and (detail := next(found, None)) is not None:
            harm[guard] = detail
    return harm


def _by_page(plan: Plan, source: str, records: pl.DataFrame) -> Iterator[Comparison]:
    """Yield how the published records of each page have changed, wherever they stand now."""
    before = plan.chain.table("records", source)
    pages = contributing(plan.previous, source)
    rows = before.group_by(pl.col("dump").replace(pages), maintain_order=True) if before is not None else ()
    for _, published in rows:
        yield compare(published, records.join(published, on="record_id", how="semi", maintain_order="left"))


def _count(compared: Comparison) -> dict[str, int]:
    """Return the counts of a comparison that the summary and the manifest tell."""
    return {"new": compared.new, "gone": compared.gone, "moved": compared.moved, "retitled": len(compared.retitled)}


def _attention(compared: Comparison | None, readings: Sequence[Reading]) -> Iterator[str]:
    """Yield what a person should look at: what its captures say, and of the source what none of them has said."""
    for reading in readings:
        yield from (f"{reading.dump.path}: {each}" for each in reading.attention)
    said = {each for reading in readings for each in reading.attention}
    if compared is not None:
        yield from (each for each in find_attention(compared, log=False) if each not in said)


def _without(outcome: Outcome, reason: str, detail: str) -> Outcome:
    """Return the outcome of a source that failed as a whole, with one more quarantine row that gives the reason."""
    stage = "snapshot" if reason == "empty_result" and not outcome.readings else "validate"
    row = quarantine_frame(DumpInfo(outcome.source, None, None), stage, [Reject(None, None, "", reason, detail)])
    return replace(outcome, quarantine=pl.concat([outcome.quarantine, row]), error=f"{outcome.source}: {detail}")


def choose_feeding(plan: Plan, gathered: Gathered) -> pl.DataFrame:
    """Return the captures that feed the rows to publish, as rows of the table ``captures``.

    One that fed and fails now keeps its last good reading: on a log page that of the same dump, on a state page without
    a good capture that of the page.
    """
    good = [verdict for verdict in gathered.verdicts if verdict.error is None]
    failed = [verdict.dump for verdict in gathered.verdicts if verdict.error is not None]
    before = plan.captures(gathered.source).filter(_GOOD)
    stay = before.filter(pl.col("dump").is_in([verdict.dump.path for verdict in good if verdict.reading is None]))
    new = capture_frame(
        gathered.rows[verdict.dump.path]
        for verdict in gathered.verdicts
        if verdict.reading is not None and verdict.feeds
    )
    if plan.page_kind(gathered.source) is PageKind.LOG:
        is_kept = pl.col("dump").is_in([dump.path for dump in failed])
    else:
        pages = {dump.page for dump in failed} - {verdict.dump.page for verdict in good}
        is_kept = pl.col("page").is_in(sorted(pages)) & ~pl.col("dump").is_in(new["dump"].to_list())
    kept = before.filter(pl.col("feeds") & is_kept)
    return pl.concat([stay.with_columns(feeds=pl.lit(value=True)), new, kept])


def _ordered(feeding: pl.DataFrame) -> pl.DataFrame:
    """Return captures with ``outdated``: true for the list of a day of which there is a newer capture."""
    of_day = pl.when(pl.col("asked").is_not_null()).then("captured_at")
    return feeding.with_columns(outdated=(of_day < of_day.max().over("page")).fill_null(value=False))


def make_replacement(plan: Plan, gathered: Gathered, feeding: pl.DataFrame, engine: Engine) -> Replacement:
    """Return the rows of all groups that the captures in which ``feeding`` differs from the published one show.

    **F** are the captures that feed: those that are good and count, and for each that fails now the one that fed
    before. **D** are those in which F differs from the published one: new, late, superseded, withdrawn, accepted, or
    read by newer code. **K** are the groups of records that D shows, old and new. The rows of K, from every capture of
    F that shows K, are merged and replace the published rows of K; all others stay. In a first run, in a replay, after
    newer code and where published files are damaged K is everything.
    """
    source, stack = gathered.source, gathered.stack
    feeding = _ordered(feeding)
    if plan.is_whole(source) or plan.previous is None:
        return _merge_groups(plan, source, stack, feeding, None, engine)
    before = _ordered(plan.captures(source).filter("feeds"))
    came = feeding.join(before, on=_READING, how="anti", nulls_equal=True)["dump"].to_list()
    gone = before.join(feeding, on=_READING, how="anti", nulls_equal=True)
    groups = groups_of(stack.frame("sightings", came))
    for row in gone.iter_rows(named=True):  # one that has only become outdated is among them, and was not read now
        groups |= _groups_shown(plan, plan.previous, source, row, engine)
    if not groups:
        return Replacement(frozenset(), Validated(*(pl.DataFrame(schema=types) for types in _TYPES)))
    seen = plan.previous.rows_in("sightings", source, groups)["dump"].unique().to_list()
    showing = feeding.filter(pl.col("dump").is_in([*seen, *came]))
    return _merge_groups(plan, source, stack, showing, frozenset(groups), engine)


def rebuild(plan: Plan, source: str, engine: Engine) -> Replacement | None:
    """Return the published rows of a source made again from the captures that feed them; None if one is gone.

    Guards took these captures when they were published, and are not asked again.
    """
    feeding = _ordered(plan.captures(source).filter("feeds"))
    stack = Stack()
    missing = _add(plan, source, stack, feeding.iter_rows(named=True), engine)
    if missing or feeding.is_empty():
        return None
    return Replacement(None, _validate(stack, feeding, None, None))


def _groups_shown(plan: Plan, previous: Snapshot, source: str, row: Row, engine: Engine) -> set[str]:
    """Return the groups that a capture has shown: by its reading, else by its published sightings."""
    if (reading := read_known(plan, source, row, engine)) is not None:
        return groups_of(reading.sightings)
    sightings = previous.rows_in("sightings", source, None)
    return groups_of(sightings.filter(pl.col("dump") == row["dump"]))


def _merge_groups(  # noqa: PLR0913, PLR0917  # what to merge, and from where
    plan: Plan, source: str, stack: Stack, showing: pl.DataFrame, groups: frozenset[str] | None, engine: Engine
) -> Replacement:
    """Merge and validate the rows of some groups, from the captures that show them.

    Published rows stand in for a capture of which neither reading nor dump is left.
    """
    rows = (row for row in showing.iter_rows(named=True) if stack.good.get(row["dump"]) != row["dump_sha256"])
    missing = _add(plan, source, stack, rows, engine)
    carried, lost = _carried(plan, source, missing)
    return Replacement(groups, _validate(stack, showing, groups, carried), lost)


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
    stack: Stack, showing: pl.DataFrame, groups: frozenset[str] | None, carried: Normalized | None
) -> Validated:
    """Merge the rows of some groups, or of all, and validate them."""
    wanted = None if groups is None else group_of("records").is_in(sorted(groups))
    outdated = showing.filter("outdated")["dump"].to_list()
    normalized = merge(stack, showing["dump"].to_list(), wanted, carried, outdated)
    return validate_tables(normalized.records, normalized.sightings, pl.DataFrame(schema=QUARANTINE_TYPES))


def _carried(plan: Plan, source: str, missing: set[str]) -> tuple[Normalized | None, str | None]:
    """Return the published rows of some captures, and a message if those of the last snapshot are damaged."""
    if not missing:
        return None, None
    intact = plan.chain.newest_intact(source, "records", "sightings")
    rows = intact.rows_of(source, missing) if intact else None
    message = None if intact is plan.previous else damaged_rows_message(source, intact)
    return (Normalized(*rows) if rows else None), message
