"""Writes a snapshot of the dataset and switches the link to it: a reader sees the old one or the new one, never a mix.

Everything is written into a fresh folder, synced, read back and verified; then the folder is renamed and one link
replaced. A run that changes no data file updates the manifest only. What the tables hold does not belong here.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from pipeline.disk import NEW_PREFIX, hash_file, sync
from pipeline.outcome import Outcome, Status
from pipeline.publishing.changes import CHANGE_TYPES, find_changes
from pipeline.publishing.manifest import file_blocks, run_id_of, source_blocks
from pipeline.publishing.plain import for_json
from pipeline.publishing.store import CHANGES_FILE, FOLDERS, SNAPSHOTS, Snapshot
from pipeline.publishing.swap import PREVIOUS, prune, switch, tidy, write_json, write_manifest
from pipeline.settings import Settings
from schemas.card import dataset_card
from schemas.describe import Resource, data_package, json_schema, parquet_metadata
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES


class PublishError(Exception):
    """The snapshot could not be written or did not read back as written; what was published before still stands."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published after a run: the snapshot's folder, and whether this run made it or only its manifest."""

    folder: Path
    new: bool


def publish(
    settings: Settings, outcomes: Sequence[Outcome], previous: Snapshot | None, started_at: datetime
) -> Publication:
    """Publish the outcomes of a run together with the untouched files of every other source.

    Raises ``PublishError`` where something cannot be written or does not read back; the old snapshot then stands.
    """
    folder = settings.out / SNAPSHOTS / f"{NEW_PREFIX}{run_id_of(started_at)}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        tidy(settings.out, previous.id if previous else None)
        try:
            publication = _write(settings, folder, outcomes, previous, started_at)
        finally:  # it has been renamed, or is not needed: a disk that is full must not stay full
            shutil.rmtree(folder, ignore_errors=True)
        prune(folder.parent, settings.keep, publication.folder.name)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise PublishError(f"{settings.out}: could not write the snapshot, the old one stands: {error}") from error
    return publication


def _write(
    settings: Settings, folder: Path, outcomes: Sequence[Outcome], previous: Snapshot | None, started_at: datetime
) -> Publication:
    """Write a snapshot into ``folder``, then switch to it; where no data file has changed, the manifest only."""
    manifest: dict[str, Any] = {"contract_version": CONTRACT_VERSION, "run_id": run_id_of(started_at)}
    if previous is not None and _stands(outcomes, previous):
        hashes, rows = previous.data_hashes, previous.data_rows
    else:
        rows = _write_data(folder, outcomes, previous)
        hashes = {path: hash_file(folder / path) for path in sorted(rows)}
    manifest["sources"] = source_blocks(outcomes, previous, started_at, rows)
    if previous is not None and hashes == previous.data_hashes and previous.holds():
        kept = {key: value for key, value in previous.manifest.items() if key in {"files", PREVIOUS}}
        write_manifest(previous.folder, {**manifest, **kept})
        return Publication(previous.folder, new=False)
    manifest[PREVIOUS] = previous.id if previous else None
    rows |= _write_changes(folder, hashes, previous)
    _write_descriptions(folder, hashes, rows)
    manifest["files"] = file_blocks(folder, hashes, rows)
    write_manifest(folder, manifest)
    _verify(folder, manifest["files"])
    final = _free(folder.with_name(f"{run_id_of(started_at)}-{sha256(json.dumps(hashes).encode()).hexdigest()[:8]}"))
    folder.rename(final)
    sync(final.parent)
    switch(settings.out, final.name)
    return Publication(final, new=True)


def _free(folder: Path) -> Path:
    """Return the folder, numbered where it is there: the same data twice in one second, with other data in between."""
    numbered = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return next(each for each in chain([folder], numbered) if not each.exists())


def _stands(outcomes: Sequence[Outcome], previous: Snapshot) -> bool:
    """Say whether no outcome brings anything new."""
    same = previous.manifest["contract_version"] == CONTRACT_VERSION
    return same and all(outcome.standing is not None or outcome.status is Status.ABSENT for outcome in outcomes)


def _write_data(folder: Path, outcomes: Sequence[Outcome], previous: Snapshot | None) -> dict[str, int]:
    """Write or carry over the data files of every source; return their row counts by path."""
    rows: dict[str, int] = {}
    written = {outcome.source for outcome in outcomes if outcome.status is not Status.ABSENT}
    for outcome in outcomes:
        if outcome.status is Status.ABSENT:
            continue
        if outcome.standing is not None and previous is not None:
            rows |= _carry(folder, previous, outcome.source, tuple(FOLDERS))
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
    parsers = frame["parser"].unique().to_list() if "parser" in frame.columns else ()
    with (folder / path).open("wb") as opened:
        frame.write_parquet(opened, compression="zstd", metadata=parquet_metadata(TABLES[table], source, parsers))
    if ndjson is None:
        return {path: frame.height}
    lines = f"{ndjson}/{source}.ndjson"
    (folder / lines).parent.mkdir(parents=True, exist_ok=True)
    with (folder / lines).open("wb") as opened:
        for_json(frame).write_ndjson(opened)
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


def _write_changes(folder: Path, hashes: Mapping[str, str], previous: Snapshot | None) -> dict[str, int]:
    """Write what changed against the snapshot before, over all sources; files of the same bytes hold the same."""
    new, before = Snapshot(folder, {}), previous.data_hashes if previous else {}
    records = (path for path in sorted({*hashes, *before}) if path.split("/")[0] == FOLDERS["records"])
    sources = [PurePosixPath(path).stem for path in records if hashes.get(path) != before.get(path)]
    changes = [
        find_changes(previous.read("records", source) if previous else None, new.read("records", source))
        for source in dict.fromkeys(sources)
    ]
    frame = pl.concat([pl.DataFrame(schema=CHANGE_TYPES), *changes])
    with (folder / CHANGES_FILE).open("wb") as opened:
        frame.write_parquet(opened, compression="zstd", metadata=parquet_metadata(CHANGES))
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
    resources.append(Resource(CHANGES, CHANGES_FILE, changes.stat().st_size, hash_file(changes)))
    records = {Path(path).stem: number for path, number in rows.items() if Path(path).parent.name == FOLDERS["records"]}
    write_json(folder / "schema.json", json_schema())
    write_json(folder / "datapackage.json", data_package(resources))
    (folder / "README.md").write_text(dataset_card(records), encoding="utf-8")


def _verify(folder: Path, files: Mapping[str, Any]) -> None:
    """Sync every file and read it back: hash, number of rows. Raises ``PublishError`` where they are not as written."""
    for path, block in files.items():
        file = folder / path
        sync(file)
        if hash_file(file) != block["sha256"]:
            raise PublishError(f"{file}: did not read back as written")
        if path.endswith(".parquet") and pl.scan_parquet(file).select(pl.len()).collect().item() != block["rows"]:
            raise PublishError(f"{file}: expected {block['rows']} rows")
    for parent in {(folder / path).parent for path in files}:
        sync(parent)
