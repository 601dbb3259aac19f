"""The history of a programme from the kept snapshots: which items were revised, moved away or removed.

Change feeds are read oldest first; snapshots that were pruned meanwhile or have another major contract version, and
damaged tables, are skipped. And which records changed: against the snapshot before, or what was published on a day.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import polars as pl

from pipeline.publishing.chain import older_than
from pipeline.publishing.changes import find_changes
from pipeline.publishing.pieces import WORKS_FILES
from pipeline.publishing.store import CHANGES_FILE, Snapshot, StoreError
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import label_of
from pipeline.viewing.works import load_works
from schemas.works import WORK_CHANGES, WORK_MEMBERS

EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class History:
    """The past of a selection.

    ``revisions`` maps each record that changed in a column that a calendar shows, was removed or came back to the time
    of its last such change, in seconds since 2020: a number that grows with every change, whatever snapshots were
    pruned. ``older`` are the kept snapshots before, newest first.
    """

    selection: Selection
    revisions: Mapping[str, int]
    older: tuple[Snapshot, ...]

    def regrouped(self) -> dict[str, int]:
        """Return when the work of a record last got or lost records, in seconds since 2020, by its id."""
        moments: dict[str, int] = {}
        for snapshot in (*reversed(self.older), self.selection.snapshot):
            if snapshot.agrees(WORKS_FILES[WORK_CHANGES.name]):
                with suppress(FileNotFoundError):  # pruned just now
                    changed = load_works(snapshot, WORK_CHANGES.name).filter(pl.col("change") != "renamed")
                    moments |= dict.fromkeys(changed["work_id"], _seconds(snapshot))
        members = load_works(self.selection.snapshot, WORK_MEMBERS.name).filter(pl.col("work_id").is_in(list(moments)))
        return {record_id: moments[work] for record_id, work in members.select("record_id", "work_id").iter_rows()}

    def lost(self, columns: Sequence[str] | None = None) -> Iterator[tuple[Row, int, Row]]:
        """Yield each slot that the programme no longer has: the record as it was then, the place, the slot.

        With ``columns`` only these are read, besides the id and the slots.

        A record with fewer slots than before loses the last places, since places are counted in time order.
        """
        if not self.older:
            return
        wanted = None if columns is None else ("record_id", "slots", *columns)
        covered = Selection(self.selection.snapshot, self.selection.source).slot_counts()
        for snapshot in self.older:
            past = replace(self.selection, snapshot=snapshot)
            paths = (path for source in past.sources() for path in snapshot.pieces("records", source).values())
            if not all(map(snapshot.agrees, paths)):
                continue
            try:
                counted = past.slot_counts().join(covered, on="record_id", how="left", suffix="_known")
                fewer = counted.filter(pl.col("slots") > pl.col("slots_known").fill_null(0))
                known = dict(fewer.select("record_id", pl.col("slots_known").fill_null(0)).iter_rows())
                for row in past.rows(fewer["record_id"], wanted) if known else ():
                    places = past.slots(row)
                    yield from ((row, place, slot) for place, slot in places if place > known[row["record_id"]])
            except FileNotFoundError:  # pruned by a refresh since it was found
                continue
            covered = pl.concat([covered, counted.select("record_id", "slots")]).group_by("record_id").max()


def load_history(selection: Selection, shown: frozenset[str]) -> History:
    """Read the change feeds of the kept snapshots; ``shown`` are the columns whose change is a revision.

    If snapshots were pruned, every added record counts as come back: it may have been removed in one of them.
    """
    older = older_than(selection.snapshot)
    kept = (*reversed(older), selection.snapshot)
    cut = kept[0].previous is not None
    revisions: dict[str, int] = {}
    removed: set[str] = set()
    for snapshot in kept:
        for record_id, change in _feed(snapshot, selection.source, shown):
            if change != "added" or cut or record_id in removed:
                revisions[record_id] = _seconds(snapshot)
            if change == "removed":
                removed.add(record_id)
    return History(selection, revisions, older)


def _seconds(snapshot: Snapshot) -> int:
    """Return when a snapshot was made, in seconds since 2020."""
    return int((snapshot.made_at - EPOCH).total_seconds())


def _feed(snapshot: Snapshot, source: str | None, shown: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield record and change from a snapshot's change feed, without changes in columns that are not shown."""
    wanted = pl.lit(value=True) if source is None else pl.col("source") == source
    shown_column = pl.col("columns").is_null() | (pl.col("columns").list.set_intersection(sorted(shown)).list.len() > 0)
    if not snapshot.agrees(CHANGES_FILE):
        return
    feed = pl.scan_parquet(snapshot.folder / CHANGES_FILE, glob=False).filter(wanted & shown_column)
    try:
        found = feed.select("record_id", "change").collect()
    except FileNotFoundError:  # pruned just now
        return
    yield from found.iter_rows()


def changes_of(snapshot: Snapshot) -> pl.DataFrame:
    """Return the changes table of a snapshot. Raises ``StoreError`` if it cannot be read."""
    file = snapshot.folder / CHANGES_FILE
    if not snapshot.agrees(CHANGES_FILE):
        raise StoreError(f"{file}: expected the changes table described in the manifest, found a damaged file")
    try:
        return pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise StoreError(f"{file}: expected a readable changes table: {error}") from error


def made_by(newest: Snapshot, moment: datetime) -> tuple[Snapshot, bool]:
    """Return the last kept snapshot made by a moment, else the oldest; and True if there is one made by it."""
    kept = (newest, *older_than(newest))[::-1]
    older = [snapshot for snapshot in kept if snapshot.made_at <= moment]
    return (older[-1] if older else kept[0]), bool(older)


def changes_between(before: Snapshot, newest: Snapshot, sources: Collection[str]) -> pl.DataFrame:
    """Compare the records of two snapshots."""
    pairs = ((before.table("records", name), newest.table("records", name)) for name in sources)
    return pl.concat([find_changes(None, None), *(find_changes(old, new) for old, new in pairs)])


def name_changes(rows: pl.DataFrame, newest: Snapshot, before: Snapshot | None) -> pl.DataFrame:
    """Return changes in which records without a title are named as in lists, for people.

    What was removed is looked up in the snapshot ``before``; it stays without a name where that is pruned or damaged.
    """
    nameless = rows.filter(pl.col("title").is_null() & pl.col("record_id").is_not_null())
    names: dict[str, str] = {}
    for snapshot in filter(None, (before, newest)):
        for (source,), of_source in nameless.group_by("source"):
            names |= _labels_in(snapshot, str(source), of_source["record_id"])
    named = (
        pl.col("record_id").replace_strict(names, default=None, return_dtype=pl.String) if names else pl.col("title")
    )
    return rows.with_columns(pl.coalesce("title", named))


def _labels_in(snapshot: Snapshot, source: str, ids: pl.Series) -> dict[str, str]:
    """Return the names of some records of a source, as far as its files can be read."""
    if not all(map(snapshot.agrees, snapshot.pieces("records", source).values())):
        return {}
    try:
        rows = list(Selection(snapshot, source).rows(ids))
    except FileNotFoundError:  # pruned by a refresh since it was found
        return {}
    return {row["record_id"]: label_of(row) for row in rows}
