"""What the kept snapshots say about the past of a programme: which items were revised, moved away or removed.

The change feed is read newest last; a snapshot that was pruned meanwhile, or that has another major contract version,
is as if it had never been kept.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import polars as pl

from pipeline.export._selection import Row, Selection
from pipeline.store import CHANGES_FILE, MANIFEST, Snapshot
from schemas.tables import CONTRACT_VERSION

EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class History:
    """The past of a selection.

    ``revisions`` gives each record that changed in what a calendar shows, was removed or came back the moment of the
    last such change, in seconds since 2020: a number that grows with every change, whatever snapshots were pruned.
    ``touched`` are the records that may have lost slots; ``older`` the kept snapshots before, newest first.
    """

    selection: Selection
    revisions: Mapping[str, int]
    touched: frozenset[str]
    older: tuple[Snapshot, ...]

    def lost(self) -> Iterator[tuple[Row, int, Row]]:
        """Yield each slot that the programme no longer has: the record as it last had it, the place, the slot.

        A record that has fewer slots than it had loses the last places, as places are counted in time order.
        """
        if not self.touched:
            return
        covered = self._present()
        for snapshot in self.older:
            past = replace(self.selection, snapshot=snapshot)
            try:
                for row in past.rows(ids=self.touched):
                    known = covered.get(row["record_id"], 0)
                    places = [place for place, _ in replace(past, day=None).slots(row)]
                    yield from ((row, place, slot) for place, slot in past.slots(row) if place > known)
                    covered[row["record_id"]] = max(known, *places, 0)
            except FileNotFoundError:  # pruned by a refresh since it was found
                continue

    def _present(self) -> dict[str, int]:
        """Count the slots with a start of each touched record in the newest snapshot, of whatever day."""
        whole = Selection(self.selection.snapshot, self.selection.source)
        rows = whole.rows(ids=self.touched, columns=("record_id", "slots"))
        return {row["record_id"]: len(whole.slots(row)) for row in rows}


def read_history(selection: Selection, shown: frozenset[str]) -> History:
    """Read the change feeds of the kept snapshots; ``shown`` are the columns whose change is a revision."""
    older = _older(selection.snapshot)
    revisions: dict[str, int] = {}
    removed: set[str] = set()
    touched: set[str] = set()
    for snapshot in (*reversed(older), selection.snapshot):
        moment = seconds_of(snapshot)
        for record_id, change, columns in _feed(snapshot, selection.source):
            if change == "removed":
                removed.add(record_id)
            if change == "removed" or "slots" in columns:
                touched.add(record_id)
            if change == "removed" or record_id in removed or not shown.isdisjoint(columns):
                revisions[record_id] = moment
    return History(selection, revisions, frozenset(touched), older)


def seconds_of(snapshot: Snapshot) -> int:
    """Return when a snapshot was made, in seconds since 2020."""
    return int((snapshot.made_at - EPOCH).total_seconds())


def _older(snapshot: Snapshot) -> tuple[Snapshot, ...]:
    """Find the kept snapshots that were made before this one, newest first."""
    found = []
    for folder in sorted(snapshot.folder.parent.iterdir(), reverse=True):
        if folder.name.startswith(".") or folder.name >= snapshot.id:
            continue
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:  # pruned in this moment
            continue
        if str(manifest["contract_version"]).split(".", 1)[0] == CONTRACT_VERSION.split(".", 1)[0]:
            found.append(Snapshot(folder, manifest))
    return tuple(found)


def _feed(snapshot: Snapshot, source: str | None) -> Iterator[tuple[str, str, list[str]]]:
    """Yield record, change and changed columns of a snapshot's change feed."""
    wanted = pl.lit(value=True) if source is None else pl.col("source") == source
    try:
        feed = pl.scan_parquet(snapshot.folder / CHANGES_FILE, glob=False).filter(wanted).collect()
    except FileNotFoundError:  # pruned in this moment
        return
    for record_id, change, columns in feed.select("record_id", "change", "columns").iter_rows():
        yield record_id, change, columns or []
