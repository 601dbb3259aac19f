"""What a manifest says: of every source and how its last run went, of every file. It is not written here."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.disk import hash_file
from pipeline.guarding.baseline import LAST_GOOD, last_good
from pipeline.outcome import Outcome, Status, describe_outcome
from pipeline.publishing.store import FOLDERS, STAMP, Snapshot


def source_blocks(
    outcomes: Sequence[Outcome], previous: Snapshot | None, started_at: datetime, rows: Mapping[str, int]
) -> dict[str, Any]:
    """Describe every source: those of this run anew, the others as before."""
    blocks = dict(previous.manifest["sources"]) if previous else {}
    now = started_at.isoformat(timespec="seconds")
    for outcome in outcomes:
        if outcome.status is Status.ABSENT:
            continue
        last = blocks.get(outcome.source, {})
        failed = outcome.status is Status.FAILED
        this_run = {"run_id": run_id_of(started_at), "attempted_at": now}
        if outcome.standing is not None:
            blocks[outcome.source] = {**describe_outcome(outcome), **this_run, "refreshed_at": now}
            continue
        blocks[outcome.source] = {
            **this_run,
            "refreshed_at": last.get("refreshed_at") if failed else now,
            **describe_outcome(outcome),
            "published": rows.get(f"{FOLDERS['records']}/{outcome.source}.parquet", 0),
            # The rows that stay after a failure are those of these dumps: the next run needs their pages.
            "feeding": last.get("feeding", {}) if failed else pages_feeding(outcome, last.get("feeding", {})),
            LAST_GOOD: last_good(last, pages_without(outcome)),
        }
    return dict(sorted(blocks.items()))


def pages_without(outcome: Outcome) -> set[str] | None:
    """Return the pages that have no good capture in this run; None for all, where the source failed."""
    if outcome.status is Status.FAILED:
        return None
    good = {reading.dump.page for reading in outcome.readings if reading.error is None}
    return {reading.dump.page for reading in outcome.readings} - good


def pages_feeding(outcome: Outcome, before: Mapping[str, str]) -> dict[str, str]:
    """Return the page of every dump that has a sighting in the published rows, carried rows included."""
    pages = {**before, **{reading.dump.path: reading.dump.page for reading in outcome.readings}}
    seen = [] if outcome.sightings is None else outcome.sightings["dump"].unique().to_list()
    return {path: pages[path] for path in sorted(seen)}


def file_blocks(folder: Path, hashes: Mapping[str, str], rows: Mapping[str, int]) -> dict[str, Any]:
    """Describe every file of the snapshot but the manifest: hash, rows of a table, bytes."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {
        path: {"sha256": hashes.get(path) or hash_file(file), "rows": rows.get(path), "bytes": file.stat().st_size}
        for path, file in sorted(files.items())
    }


def run_id_of(started_at: datetime) -> str:
    """Return the id of a run: its start in UTC, to the second."""
    return started_at.strftime(STAMP)
