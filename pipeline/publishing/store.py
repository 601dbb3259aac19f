"""The published dataset as the next run and the command line find it: the newest snapshot, its manifest, its rows.

Reading only; writing belongs to ``pipeline.publishing.publish``. A snapshot is resolved once, so that a
publication in between cannot mix two of them.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

import polars as pl

from pipeline.disk import hash_file
from pipeline.settings import FailedError
from schemas.tables import CONTRACT_VERSION, TABLES, polars_schema

LATEST: Final = "latest"
SNAPSHOTS: Final = "snapshots"
MANIFEST: Final = "manifest.json"
CHANGES_FILE: Final = "changes.parquet"
STAMP: Final = "%Y%m%dT%H%M%SZ"
"""The start of a run as the ids of runs and snapshots have it, in UTC."""

FOLDERS: Final = {"records": "parquet", "sightings": "sightings", "quarantine": "quarantine"}
"""Folder of each table inside a snapshot; ``json`` holds the records as NDJSON."""


class StoreError(FailedError):
    """What is below the out root is not a dataset that this version can read; the message names the file."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published snapshot: its folder with the link resolved, and its manifest."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def id(self) -> str:
        """The snapshot's id, which is the name of its folder."""
        return self.folder.name

    @property
    def made_at(self) -> datetime:
        """When the run that made the snapshot started, which its id begins with."""
        return datetime.strptime(self.id.split("-")[0], STAMP).replace(tzinfo=UTC)

    @property
    def data_hashes(self) -> dict[str, str]:
        """SHA-256 of each data file, by path below the snapshot."""
        return {path: block["sha256"] for path, block in self.manifest["files"].items() if "/" in path}

    @property
    def data_rows(self) -> dict[str, int]:
        """Number of rows of each data file, by path below the snapshot."""
        return {path: block["rows"] for path, block in self.manifest["files"].items() if "/" in path}

    def read(self, table: str, source: str) -> pl.DataFrame | None:
        """Return one table of a source, None where the snapshot has no such file.

        Columns and fields that an older minor contract version lacks are there, null. Raises ``StoreError`` where the
        file is damaged.
        """
        file = self.folder / FOLDERS[table] / f"{source}.parquet"
        if not file.exists():
            return None
        try:
            found = pl.read_parquet(file)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise StoreError(f"{file}: expected a table of a snapshot: {error}: give another --out") from error
        return found.match_to_schema(
            polars_schema(TABLES[table]), missing_columns="insert", missing_struct_fields="insert"
        )

    def holds(self, source: str | None = None) -> bool:
        """Say whether every data file, of one source if given, is still as it was written."""
        files = {
            path: digest for path, digest in self.data_hashes.items() if source in {None, PurePosixPath(path).stem}
        }
        return all(hash_of(self.folder / path) == digest for path, digest in files.items())

    def rows_of(self, source: str, dumps: Collection[str]) -> tuple[pl.DataFrame, pl.DataFrame] | None:
        """Return the records that these dumps showed and their sightings there; None where there are none."""
        records, sightings = self.read("records", source), self.read("sightings", source)
        if records is None or sightings is None:
            return None
        seen = sightings.filter(pl.col("dump").is_in(sorted(dumps)))
        shown = records.join(seen.select("record_id"), on="record_id", how="semi")
        return None if shown.is_empty() else (shown, seen)


def hash_of(file: Path) -> str | None:
    """Return the SHA-256 of a file, None where it cannot be read."""
    try:
        return hash_file(file)
    except OSError:
        return None


def fresh_at(block: Mapping[str, Any]) -> datetime | None:
    """Return the moment as of which the data of a source hold, from its block of the manifest; None if of none.

    That is when it was last refreshed well; where its pages are fetched, not later than one was last seen on its site:
    a refresh of an old archive makes nothing fresh.
    """
    moments = [block["refreshed_at"], block.get("checked_at") or block["refreshed_at"]]
    return min(map(datetime.fromisoformat, moments)) if all(moments) else None


def latest_snapshot(out: Path) -> Snapshot | None:
    """Find the newest snapshot; None where nothing is published.

    Raises ``StoreError`` where its manifest is broken or of another major contract version.
    """
    link = out / LATEST
    if not link.exists():
        return None
    return open_snapshot(link.resolve())


def list_snapshots(out: Path) -> list[Snapshot]:
    """Return the snapshots that are kept, oldest first. Raises ``StoreError`` where one of them cannot be read."""
    folders = (out / SNAPSHOTS).iterdir() if (out / SNAPSHOTS).is_dir() else ()
    return [open_snapshot(folder) for folder in sorted(folders) if not folder.name.startswith(".")]


def open_snapshot(folder: Path) -> Snapshot:
    """Read the manifest of a snapshot. Raises ``StoreError`` as ``latest_snapshot`` does."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{file}: expected the manifest of a snapshot: {error}") from error
    if not isinstance(manifest, dict) or not manifest.keys() >= {"contract_version", "sources", "files"}:
        raise StoreError(f"{file}: expected the manifest of a snapshot, with contract_version, sources and files")
    version = str(manifest["contract_version"])
    if version.split(".", maxsplit=1)[0] != CONTRACT_VERSION.split(".", maxsplit=1)[0]:
        raise StoreError(f"{file}: expected contract version {CONTRACT_VERSION}, found {version}: give another --out")
    return Snapshot(folder, manifest)
