"""Merges what has changed of a source, from the captures that feed its rows.

**F** are the captures that feed: those that are good and count, and for each that fails now the one that fed before.
**D** are those in which F differs from the published one: new, late, superseded, withdrawn, accepted, or read by newer
code. **K** are the groups of records that D shows, old and new. The rows of K, from every capture of F that shows K,
are merged and replace the published rows of K; all others stay. In a first run, in a replay, after newer code and where
published files are damaged K is everything.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from parsers._contract import PageKind
from pipeline.merging.normalize import Normalized, Stack, merge
from pipeline.merging.parts import Parts
from pipeline.merging.validate import SchemaBrokenError, Validated, validate_tables
from pipeline.publishing.captures import Row, capture_frame
from pipeline.publishing.pieces import group_of, groups_of
from pipeline.publishing.repairs import damaged_rows_message
from pipeline.publishing.store import Snapshot
from pipeline.reading.frames import QUARANTINE_TYPES, RECORD_TYPES, SIGHTING_TYPES
from pipeline.reading.read import Reading
from pipeline.run.job import Job
from pipeline.run.judge import MOST_HELD, JudgedSource, groups_shown
from pipeline.run.read import read_known

_READING: Final = ("dump", "dump_sha256", "entry", "outdated")
"""What tells one reading of a capture from another, and whether a newer capture has taken its place in the merge."""

_OF_READING: Final = ("dump", "dump_sha256", "entry", "page", "captured_at")
"""The columns by which a reading is found."""

_PART: Final = 8_000
"""Rows of sightings that are merged at a time: 20,000 take twice the memory, 4,000 as much as 8,000."""

_TYPES: Final = (RECORD_TYPES, SIGHTING_TYPES, QUARANTINE_TYPES)


@dataclass(frozen=True, slots=True)
class MergedRows:
    """The valid rows of some groups of a source: all that is known of them; ``groups`` is None for all groups.

    ``invalid`` are the quarantine rows of the records that are not valid. ``lost`` is a message on rows that had to
    come from an older snapshot.
    """

    groups: frozenset[str] | None
    records: Parts
    sightings: Parts
    invalid: pl.DataFrame
    lost: str | None = None

    @property
    def tables(self) -> dict[str, Parts]:
        """The rows to publish, by table."""
        return {"records": self.records, "sightings": self.sightings}


def choose_feeding(job: Job, judged: JudgedSource) -> pl.DataFrame:
    """Return the captures that feed the rows to publish, as rows of the table ``captures``.

    One that fed and fails now keeps its last good reading: on a log page that of the same dump, on a state page without
    a good capture that of the page.
    """
    good = [verdict for verdict in judged.verdicts if verdict.error is None]
    failed = [verdict.dump for verdict in judged.verdicts if verdict.error is not None]
    before = job.captures.filter(pl.col("error").is_null())
    stay = before.filter(pl.col("dump").is_in([verdict.dump.path for verdict in good if verdict.reading is None]))
    read = (verdict for verdict in judged.verdicts if verdict.reading is not None and verdict.feeds)
    new = capture_frame(judged.rows[verdict.dump.path] for verdict in read)
    if job.page_kind is PageKind.LOG:
        is_kept = pl.col("dump").is_in([dump.path for dump in failed])
    else:
        pages = {dump.page for dump in failed} - {verdict.dump.page for verdict in good}
        is_kept = pl.col("page").is_in(sorted(pages)) & ~pl.col("dump").is_in(new["dump"].to_list())
    kept = before.filter(pl.col("feeds") & is_kept)
    return pl.concat([stay.with_columns(feeds=pl.lit(value=True)), new, kept])


def merge_changed(job: Job, judged: JudgedSource, feeding: pl.DataFrame) -> MergedRows:
    """Return the rows of all groups that the captures in which ``feeding`` differs from the published one show."""
    feeding, previous, stack = _with_outdated(feeding), job.plan.previous, judged.stack
    if job.is_whole or previous is None:
        is_large = feeding["sightings"].sum() > MOST_HELD and feeding["error"].null_count() == feeding.height
        in_parts = _merge_in_parts(job, judged, feeding) if is_large else None
        return in_parts or _merge_groups(job, stack, feeding, None)
    before = _with_outdated(job.captures.filter("feeds"))
    came = feeding.join(before, on=_READING, how="anti", nulls_equal=True)["dump"].to_list()
    gone = before.join(feeding, on=_READING, how="anti", nulls_equal=True)
    groups = set().union(*(judged.groups.get(dump, ()) for dump in came))
    for row in gone.iter_rows(named=True):  # one that has only become outdated is among them, and was not read now
        groups |= _groups_shown(job, previous, row)
    if not groups:
        return _rows(frozenset(), Validated(*(pl.DataFrame(schema=types) for types in _TYPES)))
    seen = previous.rows_in("sightings", job.source, groups)["dump"].unique().to_list()
    showing = feeding.filter(pl.col("dump").is_in([*seen, *came]))
    return _merge_groups(job, stack, showing, frozenset(groups))


def merge_published(job: Job) -> MergedRows | None:
    """Return the published rows of a source made again from the captures that feed them; None if one is gone.

    Guards took these captures when they were published, and are not asked again.
    """
    feeding = _with_outdated(job.captures.filter("feeds"))
    if feeding["error"].null_count() < feeding.height:  # which part of it was published is not known any more
        return None
    stack = Stack()
    missing = _add(job, stack, feeding.iter_rows(named=True))
    if missing or feeding.is_empty():
        return None
    return _rows(None, _validate(stack, feeding, None, None))


def published_records(job: Job) -> pl.DataFrame | None:
    """Return the published records of a source; damaged ones are made again, else those of an older snapshot."""
    previous = job.plan.previous
    if previous is not None and previous.pieces("records", job.source) and not previous.has("records", job.source):
        try:
            made = merge_published(job)
        except SchemaBrokenError:  # a bug of this code, which the merge of the run meets and reports too
            made = None
        if made is not None:
            return made.records.whole()
    return job.plan.chain.table("records", job.source)


def _with_outdated(feeding: pl.DataFrame) -> pl.DataFrame:
    """Return captures with ``outdated``: true for the list of a day of which there is a newer capture."""
    of_day = pl.when(pl.col("asked").is_not_null()).then("captured_at")
    return feeding.with_columns(outdated=(of_day < of_day.max().over("page")).fill_null(value=False))


def _groups_shown(job: Job, previous: Snapshot, row: Row) -> set[str]:
    """Return the groups that a capture has shown: by its reading, else by its published sightings."""
    if (reading := read_known(job, row)) is not None:
        return groups_of(reading.sightings)
    sightings = previous.rows_in("sightings", job.source, None)
    return groups_of(sightings.filter(pl.col("dump") == row["dump"]))


def _merge_groups(job: Job, stack: Stack, showing: pl.DataFrame, groups: frozenset[str] | None) -> MergedRows:
    """Merge and validate the rows of some groups, from the captures that show them.

    Published rows stand in for a capture of which neither reading nor dump is left.
    """
    rows = (row for row in showing.iter_rows(named=True) if stack.good.get(row["dump"]) != row["dump_sha256"])
    carried, lost = _carried(job, _add(job, stack, rows))
    return _rows(groups, _validate(stack, showing, groups, carried), lost)


def _rows(groups: frozenset[str] | None, tables: Validated, lost: str | None = None) -> MergedRows:
    """Return merged rows that are in memory."""
    return MergedRows(groups, Parts.of(tables.records), Parts.of(tables.sightings), tables.quarantine, lost)


def _merge_in_parts(job: Job, judged: JudgedSource, feeding: pl.DataFrame) -> MergedRows | None:
    """Merge all groups of a large source, some thousand rows at a time; None if a reading is gone.

    The rows of a group never meet those of another one. A reading is read again for each part that it shows.
    """
    captures: list[Row] = list(feeding.select(*_OF_READING, "sightings", "outdated").iter_rows(named=True))
    if (shown := _find_shown(job, judged, captures)) is None:
        return None
    ends = list(_ends(captures, shown))
    of_part: dict[int, list[Row]] = defaultdict(list)
    for row in captures:
        for part in {bisect_left(ends, group) for group in shown[row["dump"]]}:
            of_part[part].append(row)
    folder = job.session.folder
    merged = MergedRows(None, Parts(folder), Parts(folder), pl.DataFrame(schema=QUARANTINE_TYPES))
    invalid = [merged.invalid]
    for part, shows in sorted(of_part.items()):
        stack, first, last = Stack(), ends[part - 1] if part else None, ends[part]
        for row in shows:
            if (reading := read_known(job, row)) is None:
                return None
            stack.add(_in_range(reading, first, last))
        tables = _validate(stack, pl.DataFrame(shows, {"dump": pl.String, "outdated": pl.Boolean}), None, None)
        merged.records.add(tables.records)
        merged.sightings.add(tables.sightings)
        invalid.append(tables.quarantine)
    return replace(merged, invalid=pl.concat(invalid))


def _find_shown(job: Job, judged: JudgedSource, captures: Sequence[Row]) -> dict[str, frozenset[str]] | None:
    """Return the groups that each capture shows; None if the reading of one is gone.

    What was held back of one that is read again is kept with that of the others.
    """
    shown: dict[str, frozenset[str]] = {}
    for row in captures:
        if (groups := judged.groups.get(row["dump"])) is None:
            if (reading := read_known(job, row)) is None:
                return None
            judged.stack.add_held_back(reading)
            groups = groups_shown(reading)
        shown[row["dump"]] = groups
    return shown


def _ends(captures: Sequence[Row], shown: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield the last group of each part, in order."""
    counts = Counter[str]()
    for row in captures:
        groups = shown[row["dump"]]
        counts.update(dict.fromkeys(groups, -(-row["sightings"] // len(groups)) if groups else 0))
    rows, group = 0, ""
    for group, count in sorted(counts.items()):
        rows += count
        if rows >= _PART:
            yield group
            rows = 0
    if rows:
        yield group


def _in_range(reading: Reading, first: str | None, last: str) -> Reading:
    """Return a reading with the rows of the groups behind one, up to another."""
    group = group_of("records")
    wanted = (group <= last) if first is None else (group <= last) & (group > first)
    records, sightings = (frame.filter(wanted) for frame in (reading.records, reading.sightings))
    return replace(reading, records=records, sightings=sightings)


def _add(job: Job, stack: Stack, rows: Iterable[Row]) -> set[str]:
    """Add the readings of known captures to a stack; return the paths of those of which nothing is left."""
    missing = set()
    for row in rows:
        reading = read_known(job, row)
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


def _carried(job: Job, missing: set[str]) -> tuple[Normalized | None, str | None]:
    """Return the published rows of some captures, and a message if those of the last snapshot are damaged."""
    if not missing:
        return None, None
    intact = job.plan.chain.newest_intact(job.source, "records", "sightings")
    rows = intact.rows_of(job.source, missing) if intact else None
    message = None if intact is job.plan.previous else damaged_rows_message(job.source, intact)
    return (Normalized(*rows) if rows else None), message
