"""Writes a snapshot and switches to it atomically: a reader sees the old one or the new one, never a mix.

Everything is written into a new folder, synced, read back and verified; then the folder is renamed and one link
replaced. A run that changes no data file updates the manifest only.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import polars as pl

from pipeline.base.disk import NEW_PREFIX, hash_file, sync
from pipeline.base.escape import in_one_line
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.chain import Chain
from pipeline.publishing.changes import CHANGE_TYPES, find_changes
from pipeline.publishing.manifest import file_blocks, run_id_of, source_blocks
from pipeline.publishing.plain import for_json
from pipeline.publishing.store import (
    CHANGES_FILE,
    FOLDERS,
    PREVIOUS,
    SNAPSHOTS,
    UNCLAIMED,
    Snapshot,
    StoreError,
    lines_of,
    load_table,
    path_of,
)
from pipeline.publishing.swap import make_room, prune, switch, write_json, write_manifest
from schemas.card import dataset_card
from schemas.describe import Resource, data_package, json_schema, parquet_metadata
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES


class PublishError(Exception):
    """The snapshot could not be written or did not read back as written; the previous one stays published."""


class NothingError(PublishError):
    """There is nothing to publish, and never was: to try again is of no use."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The published snapshot after a run: its folder; ``new`` is False if the run wrote only its manifest.

    ``reported`` are lines on what was moved aside.
    """

    folder: Path
    new: bool
    reported: tuple[str, ...] = ()


def publish(
    settings: Settings,
    outcomes: Sequence[Outcome],
    chain: Chain,
    started_at: datetime,
    unclaimed: Mapping[str, str] = MappingProxyType({}),
) -> Publication:
    """Publish the outcomes of a run together with the unchanged files of every other source.

    The manifest also lists the files that no source claims, ``unclaimed``, with the reason.

    Raises ``PublishError`` where something cannot be written or does not read back; the old snapshot then stays.
    """
    folder = settings.out / SNAPSHOTS / f"{NEW_PREFIX}{run_id_of(started_at)}"
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
        reported = make_room(settings.out, chain)
        try:
            publication = _write(settings, folder, outcomes, chain, started_at, unclaimed)
        finally:  # it was renamed, or is not needed: a full disk must not stay full
            shutil.rmtree(folder, ignore_errors=True)
        kept = dict.fromkeys((publication.folder.name, *(each.id for each in chain.kept), *chain.foreign))
        prune(folder.parent, settings.keep, list(kept))
    except (OSError, pl.exceptions.PolarsError, StoreError) as error:
        raise PublishError(
            f"{settings.out}: could not write the snapshot; the previous one stays published: {error}"
        ) from error
    return replace(publication, reported=tuple(reported))


def _write(  # noqa: PLR0913, PLR0917  # all that a manifest describes
    settings: Settings,
    folder: Path,
    outcomes: Sequence[Outcome],
    chain: Chain,
    started_at: datetime,
    unclaimed: Mapping[str, str],
) -> Publication:
    """Write a snapshot into ``folder``, then switch to it; if no data file has changed, write the manifest only."""
    manifest: dict[str, Any] = {"contract_version": CONTRACT_VERSION, "run_id": run_id_of(started_at)}
    previous = chain.last
    if previous is not None and _stands(outcomes, previous):
        hashes, rows = previous.data_hashes, previous.data_rows
    else:
        rows = _write_data(folder, outcomes, chain)
        hashes = {path: hash_file(folder / path) for path in sorted(rows)}
    manifest["sources"] = source_blocks(outcomes, chain, started_at, rows)
    manifest[UNCLAIMED] = {in_one_line(path): why for path, why in sorted(unclaimed.items())}
    if previous is not None and hashes == previous.data_hashes and previous.holds():
        kept = {key: value for key, value in previous.manifest.items() if key in {"files", PREVIOUS}}
        write_manifest(previous.folder, {**manifest, **kept})
        if not chain.linked:
            switch(settings.out, previous.id)
        return Publication(previous.folder, new=False)
    manifest[PREVIOUS] = previous.id if previous else None
    retitled = {outcome.source: outcome.retitled for outcome in outcomes}
    rows |= _write_changes(folder, hashes, chain, retitled)
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
    """Return the folder, numbered if it exists: the same data came twice in a second, with others in between."""
    numbered = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return next(each for each in chain([folder], numbered) if not each.exists())


def _stands(outcomes: Sequence[Outcome], previous: Snapshot) -> bool:
    """True if no outcome brings anything new, and all published files are undamaged."""
    none = all(outcome.unchanged is not None or outcome.status is Status.ABSENT for outcome in outcomes)
    return none and previous.is_current and previous.holds()


def _write_data(folder: Path, outcomes: Sequence[Outcome], chain: Chain) -> dict[str, int]:
    """Write or carry over the data files of every source; return their row counts by path."""
    rows: dict[str, int] = {}
    written = {outcome.source for outcome in outcomes if outcome.status is not Status.ABSENT}
    for outcome in outcomes:
        if outcome.status is Status.ABSENT:
            continue
        if outcome.unchanged is not None:
            rows |= _carry_all(folder, chain, outcome.source)
            continue
        rows |= _write_table(folder, "quarantine", outcome.source, outcome.quarantine)
        if (tables := outcome.tables) is not None:
            rows |= _write_table(folder, "records", outcome.source, tables[0])
            rows |= _write_table(folder, "sightings", outcome.source, tables[1])
        else:
            rows |= _carry(folder, chain, outcome.source, ("records", "sightings"))
    for source in sorted(chain.last.sources.keys() - written) if chain.last else ():
        rows |= _carry_all(folder, chain, source)
    return rows


def _carry_all(folder: Path, chain: Chain, source: str) -> dict[str, int]:
    """Carry over all tables of a source; its quarantine may come from another snapshot than its rows."""
    return _carry(folder, chain, source, ("records", "sightings")) | _carry(folder, chain, source, ("quarantine",))


def _write_table(folder: Path, table: str, source: str, frame: pl.DataFrame) -> dict[str, int]:
    """Write one table of one source as Parquet, and its NDJSON copy if it has one."""
    path, lines = path_of(table, source), lines_of(table, source)
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    parsers = frame["parser"].unique().to_list() if "parser" in frame.columns else ()
    with (folder / path).open("wb") as opened:
        frame.write_parquet(opened, compression="zstd", metadata=parquet_metadata(TABLES[table], source, parsers))
    if lines is None:
        return {path: frame.height}
    (folder / lines).parent.mkdir(parents=True, exist_ok=True)
    with (folder / lines).open("wb") as opened:
        for_json(frame).write_ndjson(opened)
    return {path: frame.height, lines: frame.height}


def _carry(folder: Path, chain: Chain, source: str, tables: Sequence[str]) -> dict[str, int]:
    """Copy the last good files of a source byte for byte; those of an older minor contract version are rewritten.

    Only files that match their manifest are copied. A damaged Parquet file is rebuilt from its NDJSON and the reverse;
    if both are damaged, those of an older snapshot are used.
    """
    intact = chain.newest_intact(source, *tables)
    rows: dict[str, int] = {}
    for table in tables if intact else ():
        path, lines = path_of(table, source), lines_of(table, source)
        if intact is None or path not in intact.files:
            continue
        paths = [path, *([lines] if lines else [])]
        if intact.is_current and all(map(intact.agrees, paths)):
            rows |= {each: _copy(folder, intact, each) for each in paths}
        elif (frame := intact.recover(table, source)) is not None:
            rows |= _write_table(folder, table, source, frame)
    return rows


def _copy(folder: Path, intact: Snapshot, path: str) -> int:
    """Copy one data file and return its number of rows. Raises ``PublishError`` if it changed meanwhile."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(intact.folder / path, folder / path)
    if hash_file(folder / path) != intact.data_hashes[path]:
        raise PublishError(f"{intact.folder / path}: changed while being copied")
    return intact.data_rows[path]


def _write_changes(
    folder: Path, hashes: Mapping[str, str], chain: Chain, retitled: Mapping[str, Sequence[tuple[str, str]]]
) -> dict[str, int]:
    """Write the change feed against the previous snapshot; sources with the same bytes are skipped."""
    before = chain.last.data_hashes if chain.last else {}
    records = (path for path in sorted({*hashes, *before}) if path.split("/")[0] == FOLDERS["records"])
    sources = [PurePosixPath(path).stem for path in records if hashes.get(path) != before.get(path)]
    changes = [
        find_changes(chain.table("records", source), _load_new(folder, source), retitled.get(source, ()))
        for source in sources
    ]
    frame = pl.concat([pl.DataFrame(schema=CHANGE_TYPES), *changes])
    with (folder / CHANGES_FILE).open("wb") as opened:
        frame.write_parquet(opened, compression="zstd", metadata=parquet_metadata(CHANGES))
    return {CHANGES_FILE: frame.height}


def _load_new(folder: Path, source: str) -> pl.DataFrame | None:
    """Return the records of a source that were just written; None if it has none."""
    file = folder / path_of("records", source)
    return load_table(file, "records") if file.exists() else None


def _write_descriptions(folder: Path, hashes: Mapping[str, str], rows: Mapping[str, int]) -> None:
    """Write the descriptions of the files: the JSON Schema, the data package, the README."""
    tables = {folder_name: TABLES[table] for table, folder_name in FOLDERS.items()} | {"json": TABLES["records"]}
    resources = [
        Resource(tables[path.split("/")[0]], path, (folder / path).stat().st_size, digest)
        for path, digest in sorted(hashes.items())
        if (folder / path).stat().st_size  # validators of data packages reject an empty NDJSON file
    ]
    changes = folder / CHANGES_FILE
    resources.append(Resource(CHANGES, CHANGES_FILE, changes.stat().st_size, hash_file(changes)))
    records = {Path(path).stem: number for path, number in rows.items() if Path(path).parent.name == FOLDERS["records"]}
    write_json(folder / "schema.json", json_schema())
    write_json(folder / "datapackage.json", data_package(resources))
    (folder / "README.md").write_text(dataset_card(records), encoding="utf-8")


def _verify(folder: Path, files: Mapping[str, Any]) -> None:
    """Sync every file and read it back: hash, number of rows. Raises ``PublishError`` if they differ from ``files``."""
    for path, block in files.items():
        file = folder / path
        sync(file)
        if hash_file(file) != block["sha256"]:
            raise PublishError(f"{file}: reads back differently than written")
        if path.endswith(".parquet") and pl.scan_parquet(file).select(pl.len()).collect().item() != block["rows"]:
            raise PublishError(f"{file}: expected {block['rows']} rows")
    for parent in {(folder / path).parent for path in files}:
        sync(parent)
