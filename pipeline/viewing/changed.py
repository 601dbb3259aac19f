"""Which records changed: against the snapshot before, or against what was published on a day."""

from collections.abc import Collection
from datetime import datetime

import polars as pl

from pipeline.publishing.chain import older_than
from pipeline.publishing.changes import find_changes
from pipeline.publishing.store import CHANGES_FILE, Snapshot, StoreError


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
