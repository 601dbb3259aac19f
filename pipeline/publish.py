"""Writes a snapshot of the dataset and switches the link to it: a reader sees the old one or the new one, never a mix.

Everything is written into a fresh folder, synced, read back and verified; then the folder is renamed and one link
replaced. A run that changes no data file updates the manifest only. What the tables hold does not belong here.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final

import polars as pl
from filelock import FileLock, Timeout

from pipeline.changes import find_changes
from pipeline.outcome import Outcome, Status, describe_outcome
from pipeline.plain import for_json
from pipeline.settings import Settings, UsageError
from pipeline.store import CHANGES_FILE, FOLDERS, LATEST, MANIFEST, SNAPSHOTS, STAMP, Snapshot
from schemas.card import dataset_card
from schemas.describe import Resource, data_package, json_schema, parquet_metadata
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES

LOCK: Final = ".lock"
NEW_PREFIX: Final = ".new-"


class PublishError(Exception):
    """The snapshot could not be written or did not read back as written; what was published before still stands."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published after a run: the snapshot's folder, and whether this run made it or only its manifest."""

    folder: Path
    new: bool


@contextmanager
def exclusive(settings: Settings, watch: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """Hold the out root for one run; a second run says that it waits, and waits.

    Raises ``UsageError`` where the out root cannot be written.
    """
    lock = FileLock(settings.out / LOCK)
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            watch(f"another run holds {settings.out}: waiting for it")
            lock.acquire()
    except OSError as error:
        raise UsageError(f"{settings.out}: expected an out root that can be written: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def publish(
    settings: Settings, outcomes: Sequence[Outcome], previous: Snapshot | None, started_at: datetime
) -> Publication:
    """Publish the outcomes of a run together with the untouched files of every other source.

    Raises ``PublishError`` where something cannot be written or does not read back; the old snapshot then stands.
    """
    snapshots = settings.out / SNAPSHOTS
    try:
        snapshots.mkdir(parents=True, exist_ok=True)
        for leftover in snapshots.glob(f"{NEW_PREFIX}*"):  # of a run that was killed
            shutil.rmtree(leftover)
        folder = snapshots / f"{NEW_PREFIX}{_run_id(started_at)}"
        rows = _write_data(folder, outcomes, previous)
        hashes = {path: _hash(folder / path) for path in sorted(rows)}
        blocks = _source_blocks(outcomes, previous, started_at, rows)
        manifest: dict[str, Any] = {
            "contract_version": CONTRACT_VERSION,
            "run_id": _run_id(started_at),
            "sources": blocks,
        }
        if previous is not None and hashes == previous.data_hashes:
            shutil.rmtree(folder)
            _write_manifest(previous.folder, {**manifest, "files": previous.manifest["files"]})
            return Publication(previous.folder, new=False)
        rows |= _write_changes(folder, previous)
        _write_descriptions(folder, hashes, rows)
        manifest["files"] = _file_blocks(folder, hashes, rows)
        _write_manifest(folder, manifest)
        _verify(folder, manifest["files"])
        name = f"{_run_id(started_at)}-{sha256(json.dumps(hashes).encode()).hexdigest()[:8]}"
        if (snapshots / name).exists():  # of a run that was killed before it switched the link
            shutil.rmtree(snapshots / name)
        folder.rename(snapshots / name)
        _sync(snapshots)
        _switch(settings.out, name)
        _prune(snapshots, settings.keep, name)
    except OSError as error:
        raise PublishError(f"{settings.out}: could not write the snapshot, the old one stands: {error}") from error
    return Publication(snapshots / name, new=True)


def _write_data(folder: Path, outcomes: Sequence[Outcome], previous: Snapshot | None) -> dict[str, int]:
    """Write or carry over the data files of every source; return their row counts by path."""
    rows: dict[str, int] = {}
    written = {outcome.source for outcome in outcomes if outcome.status is not Status.ABSENT}
    for outcome in outcomes:
        if outcome.status is Status.ABSENT:
            continue
        rows |= _write_table(folder, "quarantine", outcome.source, outcome.quarantine, ndjson="quarantine")
        if outcome.records is not None and outcome.sightings is not None:
            rows |= _write_table(folder, "records", outcome.source, outcome.records, ndjson="json")
            rows |= _write_table(folder, "sightings", outcome.source, outcome.sightings)
        elif previous is not None:
            rows |= _carry(folder, previous, outcome.source, ("records", "sightings"))
    for source in sorted(previous.manifest["sources"].keys() - written) if previous else ():
        rows |= _carry(folder, previous, source, tuple(FOLDERS)) if previous else {}
    return rows


def _write_table(
    folder: Path, table: str, source: str, frame: pl.DataFrame, ndjson: str | None = None
) -> dict[str, int]:
    """Write one table of one source as Parquet, and as NDJSON into folder ``ndjson`` if given."""
    path = f"{FOLDERS[table]}/{source}.parquet"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(folder / path, compression="zstd", metadata=parquet_metadata(TABLES[table]))
    if ndjson is None:
        return {path: frame.height}
    lines = f"{ndjson}/{source}.ndjson"
    (folder / lines).parent.mkdir(parents=True, exist_ok=True)
    for_json(frame).write_ndjson(folder / lines)
    return {path: frame.height, lines: frame.height}


def _carry(folder: Path, previous: Snapshot, source: str, tables: Sequence[str]) -> dict[str, int]:
    """Copy the last good files of a source byte for byte; those of an older minor contract version are rewritten."""
    same = previous.manifest["contract_version"] == CONTRACT_VERSION
    rows: dict[str, int] = {}
    for table in tables:
        frame = previous.read(table, source)
        if frame is None:
            continue
        ndjson = {"records": "json", "quarantine": "quarantine"}.get(table)
        if not same:
            rows |= _write_table(folder, table, source, frame, ndjson)
            continue
        for path in (f"{FOLDERS[table]}/{source}.parquet", *([f"{ndjson}/{source}.ndjson"] if ndjson else [])):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(previous.folder / path, folder / path)
            rows[path] = frame.height
    return rows


def _write_changes(folder: Path, previous: Snapshot | None) -> dict[str, int]:
    """Write what changed against the snapshot before, over all sources."""
    new = Snapshot(folder, {})
    sources = {file.stem for file in (folder / FOLDERS["records"]).glob("*.parquet")}
    sources |= set(previous.manifest["sources"]) if previous else set()
    changes = [
        find_changes(previous.read("records", source) if previous else None, new.read("records", source))
        for source in sorted(sources)
    ]
    frame = pl.concat([find_changes(None, None), *changes])
    frame.write_parquet(folder / CHANGES_FILE, compression="zstd", metadata=parquet_metadata(CHANGES))
    return {CHANGES_FILE: frame.height}


def _write_descriptions(folder: Path, hashes: Mapping[str, str], rows: Mapping[str, int]) -> None:
    """Write what explains the files: the JSON Schema, the data package, the README."""
    tables = {folder_name: TABLES[table] for table, folder_name in FOLDERS.items()} | {"json": TABLES["records"]}
    resources = [
        Resource(tables[path.split("/")[0]], path, (folder / path).stat().st_size, digest)
        for path, digest in sorted(hashes.items())
        if (folder / path).stat().st_size  # an empty NDJSON file is no table to those who check data packages
    ]
    changes = folder / CHANGES_FILE
    resources.append(Resource(CHANGES, CHANGES_FILE, changes.stat().st_size, _hash(changes)))
    records = {Path(path).stem: number for path, number in rows.items() if Path(path).parent.name == FOLDERS["records"]}
    _write_json(folder / "schema.json", json_schema())
    _write_json(folder / "datapackage.json", data_package(resources))
    (folder / "README.md").write_text(dataset_card(records), encoding="utf-8")


def _source_blocks(
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
        blocks[outcome.source] = {
            "run_id": _run_id(started_at),
            "attempted_at": now,
            "refreshed_at": last.get("refreshed_at") if failed else now,
            **describe_outcome(outcome),
            "published": rows.get(f"{FOLDERS['records']}/{outcome.source}.parquet", 0),
            # The rows that stay after a failure are those of these dumps: the next run needs their pages.
            "feeding": last.get("feeding", {}) if failed else pages_feeding(outcome, last.get("feeding", {})),
        }
    return dict(sorted(blocks.items()))


def pages_feeding(outcome: Outcome, before: Mapping[str, str]) -> dict[str, str]:
    """Return the page of every dump that has a sighting in the published rows, carried rows included."""
    pages = {**before, **{reading.dump.path: reading.dump.page for reading in outcome.readings}}
    seen = [] if outcome.sightings is None else outcome.sightings["dump"].unique().to_list()
    return {path: pages[path] for path in sorted(seen)}


def _file_blocks(folder: Path, hashes: Mapping[str, str], rows: Mapping[str, int]) -> dict[str, Any]:
    """Describe every file of the snapshot but the manifest: hash, rows of a table, bytes."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {
        path: {"sha256": hashes.get(path) or _hash(file), "rows": rows.get(path), "bytes": file.stat().st_size}
        for path, file in sorted(files.items())
    }


def _run_id(started_at: datetime) -> str:
    """Return the id of a run: its start in UTC, to the second."""
    return started_at.strftime(STAMP)


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write or replace the manifest in one step."""
    fresh = folder / f".{MANIFEST}"
    _write_json(fresh, manifest)
    _sync(fresh)
    fresh.replace(folder / MANIFEST)
    _sync(folder)


def _write_json(file: Path, value: object) -> None:
    """Write a value as indented JSON."""
    file.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _verify(folder: Path, files: Mapping[str, Any]) -> None:
    """Sync every file and read it back: hash, number of rows. Raises ``PublishError`` where they are not as written."""
    for path, block in files.items():
        file = folder / path
        _sync(file)
        if _hash(file) != block["sha256"]:
            raise PublishError(f"{file}: did not read back as written")
        if path.endswith(".parquet") and pl.scan_parquet(file).select(pl.len()).collect().item() != block["rows"]:
            raise PublishError(f"{file}: expected {block['rows']} rows")
    for parent in {(folder / path).parent for path in files}:
        _sync(parent)


def _switch(out: Path, name: str) -> None:
    """Point the link at the new snapshot, atomically."""
    fresh = out / f".{LATEST}"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path(SNAPSHOTS) / name, target_is_directory=True)
    fresh.replace(out / LATEST)
    _sync(out)


def _prune(snapshots: Path, keep: int, current: str) -> None:
    """Remove the oldest snapshots beyond ``keep``, never the current one."""
    names = sorted(folder.name for folder in snapshots.iterdir() if not folder.name.startswith("."))
    for name in names[:-keep]:
        if name != current:
            shutil.rmtree(snapshots / name)


def _sync(path: Path) -> None:
    """Flush a file or folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _hash(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()
