"""Merges what has changed of a source, from the captures that feed its rows.

**F** are the captures that feed: those that are good and count, and for each that fails now the one that fed before.
**D** are those in which F differs from the published one: new, late, superseded, withdrawn, accepted, or read by newer
code. **K** are the groups of records that D shows, old and new. The rows of K, from every capture of F that shows K,
are merged and replace the published rows of K; all others stay. In a first run, in a replay, after newer code and where
published files are damaged K is everything. Many rows are merged in parts: those of a group never
meet those of another.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from parsers._contract import PageKind
from pipeline.merging.normalize import Normalized, Stack, merge
from pipeline.merging.parts import Parts
from pipeline.merging.validate import validate_tables
from pipeline.publishing.captures import Row, capture_frame, with_companions
from pipeline.publishing.pieces import OF_RECORDS, group_of, groups_of, is_between
from pipeline.publishing.repairs import lost_rows_message
from pipeline.reading.frames import empty_frame
from pipeline.run.job import Job
from pipeline.run.judge import MOST_HELD, JudgedSource, groups_shown
from pipeline.run.read import published_rows, read_known

_READING: Final = ("dump", "dump_sha256", "entry", "outdated")
"""What tells one reading of a capture from another, and whether a newer capture has taken its place in the merge."""

_PART: Final = 8_000
"""Rows of sightings that are merged at a time: 20,000 take twice the memory, 4,000 as much as 8,000."""

Shown = Mapping[str, frozenset[str]]
"""The groups of records that each of some captures shows, by its path."""


@dataclass(frozen=True, slots=True)
class MergedRows:
    """The valid rows of some groups of a source: all that is known of them; ``groups`` is None for all groups.

    ``ends`` has the last group of each part but the last one. ``invalid`` are the quarantine rows of the records that
    are not valid. ``lost`` is a message on published rows of which nothing is left, ``losing`` has the paths of the
    captures that may have shown them.
    """

    groups: frozenset[str] | None
    records: Parts
    sightings: Parts
    invalid: pl.DataFrame
    ends: tuple[str, ...] = ()
    lost: str | None = None
    losing: frozenset[str] = frozenset()

    @property
    def tables(self) -> dict[str, Parts]:
        """The rows to publish, by table."""
        return {"records": self.records, "sightings": self.sightings}


@dataclass(frozen=True, slots=True)
class MergePart:
    """Groups that are merged together, those behind one up to another, and the captures that show some of them."""

    after: str | None
    last: str | None
    captures: list[Row]


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
    feeding, previous = _with_outdated(feeding), job.plan.previous
    if job.is_whole or previous is None:
        return _merge(job, judged, None, _cut_all(job, judged, feeding))
    before = _with_outdated(job.captures.filter("feeds"))
    came = feeding.join(before, on=_READING, how="anti", nulls_equal=True)["dump"].to_list()
    gone = before.join(feeding, on=_READING, how="anti", nulls_equal=True)
    groups = frozenset().union(*(judged.groups.get(dump, ()) for dump in came))
    for row in gone.iter_rows(named=True):  # one that has only become outdated is among them, and was not read now
        groups |= _find_groups(job, row)
    if not groups:
        records, sightings = (Parts.of(empty_frame(table)) for table in OF_RECORDS)
        return MergedRows(groups, records, sightings, empty_frame("quarantine"))
    shown = {dump: judged.groups.get(dump, frozenset()) & groups for dump in came}
    seen = previous.rows_in("sightings", job.source, groups).with_columns(pl.col("dump").replace(job.owners))
    seen = seen.group_by("dump").agg(group_of("sightings").unique())
    shown |= {dump: shown.get(dump, frozenset()) | {*found} for dump, found in seen.iter_rows()}
    showing = feeding.filter(pl.col("dump").is_in(list(shown)))
    return _merge(job, judged, groups, _cut(list(showing.iter_rows(named=True)), shown))


def merge_published(job: Job) -> MergedRows:
    """Return the published rows of a source made again from the captures that feed them.

    Guards took these captures when they were published, and are not asked again. Which part of one that failed was
    published is not known any more: its published rows are taken, as those of one that is gone.
    """
    judged, seen = JudgedSource(), published_rows(job).sightings.select("source", "dump", "dump_sha256").unique()
    feeding = job.captures.filter("feeds").with_columns(entry=pl.when(pl.col("error").is_null()).then("entry"))
    unknown = seen.filter(~pl.col("dump").is_in(list(job.owners))).join(
        feeding, on="dump", how="anti"
    )  # where the table of captures is damaged, too
    feeding = pl.concat([feeding, unknown], how="diagonal").with_columns(pl.col("sightings").fill_null(0))
    return _merge(job, judged, None, _cut_all(job, judged, _with_outdated(feeding)))


def published_parts(job: Job, ends: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Yield the published records up to each of some groups, and those behind; damaged ones are made again."""
    previous, made = job.plan.previous, None
    if previous is None:
        made = empty_frame("records")
    elif not previous.is_whole("records", job.source):
        made = merge_published(job).records.whole()
    for after, last in zip((None, *ends), (*ends, None), strict=True):
        if made is None and previous is not None:
            yield previous.rows_between("records", job.source, after, last)
        elif made is not None:
            yield made.filter(is_between("records", after, last))


def _with_outdated(feeding: pl.DataFrame) -> pl.DataFrame:
    """Return captures with ``outdated``: true for the list of a day of which there is a newer capture."""
    of_day = pl.when(pl.col("asked").is_not_null()).then("captured_at")
    return feeding.with_columns(outdated=(of_day < of_day.max().over("page")).fill_null(value=False))


def _find_groups(job: Job, row: Row, stack: Stack | None = None) -> frozenset[str]:
    """Return the groups that a capture shows: by its reading, else by its published sightings.

    What was held back of one that is read again is added to a stack.
    """
    if (reading := read_known(job, row)) is None:
        return frozenset(groups_of(published_rows(job, [row["dump"]]).sightings))
    if stack is not None:
        stack.add_held_back(reading)
    return groups_shown(reading)


def _cut_all(job: Job, judged: JudgedSource, feeding: pl.DataFrame) -> list[MergePart]:
    """Return the parts of all groups of a source; of one with few rows, or published in part, it is one."""
    captures: list[Row] = list(feeding.iter_rows(named=True))
    if feeding["sightings"].sum() <= MOST_HELD or judged.partly:
        return [MergePart(None, None, captures)]
    shown = {row["dump"]: judged.groups.get(row["dump"]) or _find_groups(job, row, judged.stack) for row in captures}
    return _cut(captures, shown)


def _cut(captures: Sequence[Row], shown: Shown) -> list[MergePart]:
    """Return the parts, in the order of their groups, of captures that show groups."""
    rows = Counter[str]()
    for row in captures:
        groups = shown[row["dump"]]
        rows.update(dict.fromkeys(groups, -(-row["sightings"] // len(groups)) if groups else 0))
    ends, height, group = list[str](), 0, ""
    for following, count in sorted(rows.items()):
        if height >= _PART:
            ends.append(group)
            height = 0
        group = following
        height += count
    parts = [MergePart(after, last, []) for after, last in zip([None, *ends], [*ends, None], strict=True)]
    for row in captures:
        for number in {bisect_left(ends, group) for group in shown[row["dump"]]}:
            parts[number].captures.append(row)
    return parts


def _merge(job: Job, judged: JudgedSource, groups: frozenset[str] | None, parts: Sequence[MergePart]) -> MergedRows:
    """Merge and validate the rows of some groups, or of all, part by part.

    Published rows stand in for a capture of which neither reading nor dump is left.
    """
    is_one = len(parts) == 1
    folder = None if is_one else job.session.folder
    records, sightings, invalid = Parts(folder), Parts(folder), [empty_frame("quarantine")]
    of_groups = [] if groups is None else [group_of("records").is_in(sorted(groups))]
    gone, left = dict[str, int](), 0
    for part in parts:
        within = [] if is_one else [is_between("records", part.after, part.last)]
        missing, merged = _merge_part(job, judged.stack if is_one else Stack(), part, within, of_groups)
        tables = validate_tables(merged.records, merged.sightings, empty_frame("quarantine"))
        records.add(tables.records)
        sightings.add(tables.sightings)
        invalid.append(tables.quarantine)
        gone |= missing
        left += merged.sightings.filter(pl.col("dump").is_in(with_companions(missing, job.owners))).height
    lost = sum(gone.values()) - left if groups is None else 0
    whole = MergedRows(groups, records, sightings, pl.concat(invalid), tuple(part.last or "" for part in parts[:-1]))
    if lost <= 0:
        return whole
    return replace(whole, lost=lost_rows_message(job.source, lost, sightings.height + lost), losing=frozenset(gone))


def _merge_part(
    job: Job, stack: Stack, part: MergePart, within: Sequence[pl.Expr], of_groups: Sequence[pl.Expr]
) -> tuple[dict[str, int], Normalized]:
    """Merge the rows of one part, or those of some groups in it; also return what ``_add`` does."""
    missing = _add(job, stack, part, *within)
    carried = published_rows(job, missing) if missing else None
    outdated = [row["dump"] for row in part.captures if row["outdated"]]
    wanted = pl.all_horizontal(*within, *of_groups) if within or of_groups else None
    return missing, merge(stack, [row["dump"] for row in part.captures], wanted, carried, outdated)


def _add(job: Job, stack: Stack, part: MergePart, *within: pl.Expr) -> dict[str, int]:
    """Add the readings of the captures of a part that a stack does not have, or their rows within it.

    Returns the paths of the captures of which no reading is left, with the number of rows that each had.
    """
    missing = {}
    for row in part.captures:
        if stack.good.get(row["dump"]) == row["dump_sha256"]:
            continue
        if (reading := read_known(job, row)) is None:
            missing[row["dump"]] = row["sightings"]
            continue
        if within:
            records, sightings = (frame.filter(*within) for frame in (reading.records, reading.sightings))
            reading = replace(reading, records=records, sightings=sightings)
        stack.add(reading)
    return missing
