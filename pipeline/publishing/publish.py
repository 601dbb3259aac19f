"""Writes a snapshot and switches to it atomically: a reader sees the old one or the new one, never a mix.

Everything is written into a new folder, synced, read back and verified; then the folder is renamed and one link
replaced. A run that changes no data file updates the manifest only. The manifest has a small block for every source
about its last run; what is known of its captures is in the table ``captures`` (``pipeline.publishing.captures``).
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from pipeline.base.disk import NEW_PREFIX, hash_file, sync
from pipeline.base.escape import in_one_line
from pipeline.base.settings import Settings
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.chain import Chain
from pipeline.publishing.changes import CHANGE_TYPES
from pipeline.publishing.files import (
    FamilyOf,
    block_of,
    count_records,
    plan_files,
    stay_as,
    write_files,
)
from pipeline.publishing.pieces import FOLDERS, OF_RECORDS, WORKS_FILES
from pipeline.publishing.repairs import damaged_tables_message
from pipeline.publishing.store import (
    CHANGES_FILE,
    PREVIOUS,
    SNAPSHOTS,
    STAMP,
    UNCLAIMED,
    WORKS,
    Snapshot,
    StoreError,
    digest_of_data,
)
from pipeline.publishing.swap import make_room, prune, switch, write_json, write_manifest
from pipeline.publishing.works import UNDECIDED, Decisions, MadeWorks, make_works, write_works
from schemas.card import dataset_card
from schemas.croissant import CROISSANT, croissant
from schemas.describe import Resource, data_package, json_schema, parquet_metadata, schema_file, table_schema
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES
from schemas.works import WORK_TABLES

CARD: Final = "README.md"
_FULL: Final = 1 << 18
"""Free bytes of a disk that is full, whatever a library says of a file that it could not finish."""


class PublishError(Exception):
    """The snapshot could not be written or did not read back as written; the previous one stays published."""


class NothingError(PublishError):
    """There is nothing to publish, and never was: to try again is of no use."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The published snapshot after a run: its folder; ``new`` is False if the run wrote only its manifest.

    ``files`` are the blocks of its data files in the manifest, ``hashes`` are those of all files of a new one, both by
    path below it; ``reported`` are lines on what was moved aside, ``warnings`` and ``failures`` on works.
    """

    folder: Path
    new: bool
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    reported: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


def publish(  # noqa: PLR0913, PLR0917  # all that a manifest describes
    settings: Settings,
    outcomes: Sequence[Outcome],
    chain: Chain,
    started_at: datetime,
    families: FamilyOf,
    unclaimed: Mapping[str, str] = MappingProxyType({}),
    decisions: Decisions = UNDECIDED,
) -> Publication:
    """Publish the outcomes of a run together with the unchanged files of every other source, and the works of all.

    ``families`` tells the family of a source by its name. The manifest also lists the files that no source claims,
    ``unclaimed``, with the reason. Where works cannot be made the last ones stay, and the publication says so.

    Raises ``PublishError`` where something cannot be written or does not read back; the old snapshot then stays.
    """
    folder = settings.out / SNAPSHOTS / f"{NEW_PREFIX}{run_id_of(started_at)}"
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
        reported = make_room(settings.out, chain)
        try:
            publication = _write(settings, folder, outcomes, chain, started_at, families, unclaimed, decisions)
        except (OSError, pl.exceptions.PolarsError) as error:
            if shutil.disk_usage(settings.out).free < _FULL and "No space" not in str(error):
                raise OSError(f"the disk is full: No space left on device: {error}") from error
            raise
        finally:  # it was renamed, or is not needed: a full disk must not stay full
            shutil.rmtree(folder, ignore_errors=True)
        kept = dict.fromkeys((publication.folder.name, *(each.id for each in chain.kept), *chain.foreign))
        prune(folder.parent, settings.keep, list(kept))
    except (OSError, pl.exceptions.PolarsError, StoreError) as error:
        raise PublishError(
            f"{settings.out}: could not write the snapshot; the previous one stays published: {error}"
        ) from error
    return replace(publication, reported=tuple(reported))


def _write(  # noqa: PLR0913, PLR0917  # as above
    settings: Settings,
    folder: Path,
    outcomes: Sequence[Outcome],
    chain: Chain,
    started_at: datetime,
    families: FamilyOf,
    unclaimed: Mapping[str, str],
    decisions: Decisions,
) -> Publication:
    """Write a snapshot into ``folder``, then switch to it; if only the run is new, write the manifest only."""
    last = chain.last
    current = last if last is not None and last.is_current and last.holds() else None
    planned = plan_files(outcomes, last, families)
    stays = current is not None and stay_as(planned, current.data_hashes)
    if current is not None and stays:
        data, there = {path: current.files[path] for path in current.data_hashes}, current.folder
    else:
        data, there = write_files(folder, planned, last), folder
    works = make_works(settings.out, there, data, decisions, last)
    manifest: dict[str, Any] = {"contract_version": CONTRACT_VERSION, "run_id": run_id_of(started_at)}
    manifest["sources"] = source_blocks(outcomes, last, started_at, count_records(data))
    manifest[UNCLAIMED] = {in_one_line(path): why for path, why in sorted(unclaimed.items())}
    manifest[WORKS] = works.block
    if current is None or works.new or _hashes(data) != current.data_hashes:
        if stays:
            write_files(folder, dict.fromkeys(data), last)
        publication = _complete(settings.out, folder, manifest, data, _changes(outcomes), works, last)
    else:
        kept = {key: value for key, value in current.manifest.items() if key in {"files", PREVIOUS}}
        write_manifest(current.folder, {**manifest, **kept})
        if not chain.linked:
            switch(settings.out, current.id)
        publication = Publication(current.folder, new=False, files=data)
    return replace(publication, warnings=works.warnings, failures=works.failures)


def _complete(  # noqa: PLR0913, PLR0917  # as above
    out: Path,
    folder: Path,
    manifest: Mapping[str, Any],
    data: Mapping[str, Any],
    changes: pl.DataFrame,
    works: MadeWorks,
    last: Snapshot | None,
) -> Publication:
    """Describe and verify the data files of a snapshot in ``folder``, give it its name and switch to it."""
    found = write_works(folder, works, last)
    files = dict(sorted({**data, **found, **_describe(folder, data, found, changes)}.items()))
    write_manifest(folder, {**manifest, PREVIOUS: last.id if last else None, "files": files})
    _verify(folder, {path: block for path, block in files.items() if not _is_shared(folder, last, path)})
    final = _free(folder.with_name(f"{manifest['run_id']}-{digest_of_data(_hashes(data))}"))
    folder.rename(final)
    sync(final.parent)
    switch(out, final.name)
    return Publication(final, new=True, files=data, hashes=_hashes(files))


def _hashes(files: Mapping[str, Any]) -> dict[str, str]:
    """Return the SHA-256 of each file, given their blocks of the manifest."""
    return {path: block["sha256"] for path, block in files.items()}


def _free(folder: Path) -> Path:
    """Return the folder, numbered if it exists: the same data came twice in a second, with others in between."""
    numbered = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return next(each for each in chain([folder], numbered) if not each.exists())


def _describe(
    folder: Path, files: Mapping[str, Any], works: Mapping[str, Any], changes: pl.DataFrame
) -> dict[str, dict[str, Any]]:
    """Write the change feed and the descriptions of the files; return their blocks of the manifest.

    ``files`` are blocks of data files, ``works`` those of the tables of works.
    """
    with (folder / CHANGES_FILE).open("wb") as opened:
        changes.write_parquet(opened, compression="zstd", metadata=parquet_metadata(CHANGES))
    tables = {folder_name: TABLES[table] for table, folder_name in FOLDERS.items()} | {"json": TABLES["records"]}
    resources = [
        Resource(tables[path.split("/")[0]], path, block["bytes"], block["sha256"])
        for path, block in sorted(files.items())
        if block["bytes"]  # validators of data packages reject an empty NDJSON file
    ]
    feed = block_of(folder / CHANGES_FILE, changes.height)
    resources.append(Resource(CHANGES, CHANGES_FILE, feed["bytes"], feed["sha256"]))
    there = {table: works[path] for name, table in WORK_TABLES.items() if (path := WORKS_FILES[name]) in works}
    resources += [
        Resource(each, WORKS_FILES[each.name], block["bytes"], block["sha256"]) for each, block in there.items()
    ]
    described = {schema_file(table): table_schema(table) for table in (*TABLES.values(), CHANGES, *there)}
    described |= {"schema.json": json_schema(), "datapackage.json": data_package(resources)}
    described[CROISSANT] = croissant(resources)
    for name, value in described.items():
        write_json(folder / name, value)
    (folder / CARD).write_text(dataset_card(count_records(files)), encoding="utf-8")
    return {CHANGES_FILE: feed, **{name: block_of(folder / name) for name in (*described, CARD)}}


def _changes(outcomes: Sequence[Outcome]) -> pl.DataFrame:
    """Return the change feed against the previous snapshot."""
    found = [outcome.changed for outcome in outcomes if outcome.changed is not None]
    return pl.concat([pl.DataFrame(schema=CHANGE_TYPES), *found]).sort("source", "record_id")


def _is_shared(folder: Path, previous: Snapshot | None, path: str) -> bool:
    """True if a file of the new snapshot is the same file in the previous one, which was verified."""
    return previous is not None and path in previous.files and (folder / path).stat().st_nlink > 1


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


def source_blocks(
    outcomes: Sequence[Outcome], last: Snapshot | None, started_at: datetime, records: Mapping[str, int]
) -> dict[str, Any]:
    """Return the blocks of all sources: new ones for the sources of this run, the last ones for the others.

    ``records`` is the number of published records of each source.
    """
    before = last.sources if last else {}
    blocks = {source: _carried_block(last, source, records.get(source, 0)) for source in before if last}
    for outcome in outcomes:
        if outcome.status is not Status.ABSENT:
            source = outcome.source
            blocks[source] = _block(outcome, before.get(source, {}), started_at, records.get(source, 0))
    return {source: dict(block) for source, block in sorted(blocks.items())}


def _block(outcome: Outcome, before: Mapping[str, Any], started_at: datetime, published: int) -> dict[str, Any]:
    """Return the block of a source of this run, given its last one and the number of its published records."""
    now, failed = started_at.isoformat(timespec="seconds"), not outcome.status.has_rows
    is_lost = failed and outcome.lost is not None and not published
    return {
        "run_id": run_id_of(started_at),
        "attempted_at": now,
        "refreshed_at": (None if is_lost else before.get("refreshed_at")) if failed else now,
        "status": outcome.status.value,
        "error": outcome.problem,
        "parser": outcome.parser,
        "records": None if failed else outcome.total,
        "quarantined": outcome.quarantine.height,
        "reasons": outcome.reasons,
        "lines": dict(outcome.lines),
        "boilerplate": dict(outcome.boilerplate),
        "checked_at": outcome.checked_at.isoformat(timespec="seconds") if outcome.checked_at else None,
        "seconds": round(outcome.seconds, 3),
        "code": outcome.code,
        "changes": outcome.changes,
        "attention": [sign.detail for sign in outcome.looks],
        "waiting": {page: dict(each) for page, each in outcome.waiting.items()},
        "unreached": {page: dict(each) for page, each in outcome.unreached.items()},
        **({"lost": before.get("lost", False) or is_lost} if failed else {}),
        "published": published,
    }


def _carried_block(last: Snapshot, source: str, published: int) -> Mapping[str, Any]:
    """Return the last block of a source that is not part of the run; if rows of it are lost, it says so."""
    block = last.sources[source]
    damaged = [table for table in OF_RECORDS if not last.is_whole(table, source)]
    if not damaged:
        return block
    lost = {"status": Status.FAILED.value, "error": damaged_tables_message(source, damaged), "records": None}
    refreshed_at = block["refreshed_at"] if published else None
    return {**block, **lost, "lost": True, "published": published, "refreshed_at": refreshed_at}


def run_id_of(started_at: datetime) -> str:
    """Return the id of a run: its start in UTC, to the second."""
    return started_at.strftime(STAMP)
