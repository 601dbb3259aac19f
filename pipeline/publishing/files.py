"""Writes the data files of a snapshot: those that have changed; the others are shared with the snapshot before.

A shared file is a hard link where the file system has them, else a copy. No file is ever written to again, and its
mode says so. What a table consists of, and how its files are named, belongs to ``pipeline.publishing.pieces``.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl

from parsers._contract import Family
from pipeline.base.disk import hash_file
from pipeline.merging.outcome import Outcome, Status
from pipeline.merging.parts import Parts
from pipeline.publishing.captures import capture_frame, captures_of
from pipeline.publishing.chain import Chain
from pipeline.publishing.pieces import (
    FIRST,
    FOLDERS,
    OF_RECORDS,
    cut_parts,
    lines_of,
    path_of,
    replace_groups,
    source_of,
)
from pipeline.publishing.plain import for_json
from pipeline.publishing.store import BEGINS, Snapshot, StoreError
from schemas.describe import parquet_metadata
from schemas.tables import TABLES

_READ_ONLY: Final = 0o444

FamilyOf = Callable[[str], Family | None]
"""The family of a source by its name; None if it has no parser any more, and its records are not cut."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A data file that stays: the snapshot that has it, undamaged."""

    origin: Snapshot

    def load(self, table: str, path: str) -> pl.DataFrame:
        """Return its rows. Raises ``StoreError`` if it is damaged by now."""
        return self.origin.load(table, path)


@dataclass(frozen=True, slots=True)
class Fresh:
    """A file of a table to write, and its NDJSON if the table has one; ``begins`` is its first group."""

    table: str
    source: str
    begins: str
    rows: Parts

    def load(self, _table: str, _path: str) -> pl.DataFrame:
        """Return its rows."""
        return self.rows.whole()


Planned = Mapping[str, Shared | Fresh]
"""The data files of a snapshot by path; the NDJSON of fresh rows is written with them."""


def plan_files(outcomes: Sequence[Outcome], chain: Chain, families: FamilyOf) -> Planned:
    """Return which data files to write and which to share, of the sources of a run and of all others."""
    planned: dict[str, Shared | Fresh] = {}
    run = {outcome.source: outcome for outcome in outcomes if outcome.status is not Status.ABSENT}
    for source in sorted(run.keys() | (chain.last.sources.keys() if chain.last else set())):
        outcome = run.get(source)
        if outcome is None:
            planned |= _carry(chain, source, OF_RECORDS, families)
            planned |= _carry(chain, source, ("quarantine",), families)  # may come from another snapshot than the rows
            planned |= _carry_captures(chain, source, families)
            continue
        if outcome.tables is None:
            planned |= _carry(chain, source, OF_RECORDS, families)
        whole = {"quarantine": Parts.of(outcome.quarantine), "captures": Parts.of(outcome.captures)}
        for table, rows in {**(outcome.tables or {}), **whole}.items():
            planned |= _replace(chain, source, table, rows, outcome.groups, families)
    return planned


def _replace(  # noqa: PLR0913, PLR0917  # a table of a source, and what has changed of it
    chain: Chain,
    source: str,
    table: str,
    rows: Parts,
    groups: frozenset[str] | None,
    families: FamilyOf,
) -> Planned:
    """Return the files of a table after its rows of some groups, or all, were replaced.

    Quarantine and captures are given whole. Where all rows were merged anew all files are written: the code that
    writes them may be newer, too.
    """
    last = chain.last
    pieces = last.pieces(table, source) if last is not None and last.is_current else {}
    if last is None or groups is None or not all(map(last.agrees, _paths_of(table, source, pieces))):
        pieces = {}
    old = {begin: partial(last.load, table, path) for begin, path in pieces.items()} if last is not None else {}
    if not old:
        family = families(source) if table in OF_RECORDS else None
        return {
            path_of(table, source, begin): Fresh(table, source, begin, Parts.of(cut, rows.folder))
            for begin, cut in cut_parts(rows, table, family)
        }
    touched = groups if table in OF_RECORDS else None
    # The family is not asked for where nothing is cut anew: a source without news is not imported.
    family = families(source) if table in OF_RECORDS and rows.height else None
    cutting = replace_groups(old, touched, rows.whole(), table, family)
    stay: Planned = {
        path: Shared(last) for begin in cutting.kept for path in _paths_of(table, source, [begin]) if last is not None
    }
    return {**stay, **_fresh(table, source, cutting.written)}


def _carry(chain: Chain, source: str, tables: Sequence[str], families: FamilyOf) -> Planned:
    """Return the last good files of a source as they are; those of an older contract version are written again.

    Damaged NDJSON is made again from its Parquet file; if that is damaged, all files are those of the newest older
    snapshot that has them undamaged.
    """
    intact = chain.newest_intact(source, *tables)
    planned: dict[str, Shared | Fresh] = {}
    for table in tables if intact else ():
        if intact is None or not intact.pieces(table, source):
            continue
        if not intact.is_current:
            planned |= _cut_anew(table, source, intact.recover(table, source), families)
            continue
        for begin, path in intact.pieces(table, source).items():
            paths = _paths_of(table, source, [begin])
            if all(map(intact.agrees, paths)):
                planned |= dict.fromkeys(paths, Shared(intact))
            else:
                planned |= _fresh(table, source, {begin: intact.load(table, path)})
    return planned


def _carry_captures(chain: Chain, source: str, families: FamilyOf) -> Planned:
    """Return the files with what is known of the captures that the rows of a source come from.

    Of an older contract version they are made now.
    """
    last = chain.last
    intact = chain.newest_intact(source, *OF_RECORDS)
    if intact is last and last is not None and last.is_current and last.has("captures", source):
        return _carry(chain, source, ("captures",), families)
    known = captures_of(intact, source)
    return _cut_anew("captures", source, capture_frame(()) if known is None else known, families)


def _cut_anew(table: str, source: str, rows: pl.DataFrame | None, families: FamilyOf) -> Planned:
    """Return the files of a whole table; none without one."""
    if rows is None:
        return {}
    return _fresh(table, source, dict(cut_parts([rows], table, families(source))))


def _fresh(table: str, source: str, written: Mapping[str, pl.DataFrame]) -> dict[str, Fresh]:
    """Return files to write, by path."""
    return {
        path_of(table, source, begin): Fresh(table, source, begin, Parts.of(rows)) for begin, rows in written.items()
    }


def _paths_of(table: str, source: str, begins: Iterable[str]) -> list[str]:
    """Return the paths of some files of a table, with those of their NDJSON."""
    paths = [(path_of(table, source, begin), lines_of(table, source, begin)) for begin in begins]
    return [path for pair in paths for path in pair if path is not None]


def stand_as(planned: Planned, snapshot: Snapshot, paths: Iterable[str]) -> bool:
    """True if the planned files are the ones at these paths of a snapshot."""
    shared = all(isinstance(each, Shared) and each.origin is snapshot for each in planned.values())
    return shared and planned.keys() == set(paths)


def write_files(folder: Path, planned: Planned, previous: Snapshot | None) -> dict[str, dict[str, Any]]:
    """Write and share the planned files below a new folder; return their blocks of the manifest by path.

    Raises ``OSError``, and ``StoreError`` if a file changed while it was copied.
    """
    blocks: dict[str, dict[str, Any]] = {}
    for path, each in planned.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(each, Shared):
            _share(each.origin, path, folder)
            blocks[path] = each.origin.files[path]
            continue
        lines = lines_of(each.table, each.source, each.begins)
        rows = each.rows.whole()
        _write_table(folder / path, each, rows)
        written = [path]
        if lines is not None:
            (folder / lines).parent.mkdir(parents=True, exist_ok=True)
            with (folder / lines).open("wb") as opened:
                for_json(rows).write_ndjson(opened)
            written.append(lines)
        for name in written:
            begins = {BEGINS: each.begins} if each.begins != FIRST else {}
            blocks[name] = {**block_of(folder / name, rows.height), **begins}
            (folder / name).chmod(_READ_ONLY)
            if previous is not None and previous.files.get(name) == blocks[name] and previous.agrees(name):
                (folder / name).unlink()
                _share(previous, name, folder)
    return blocks


def _write_table(file: Path, fresh: Fresh, rows: pl.DataFrame) -> None:
    """Write rows as Parquet."""
    parsers = rows["parser"].unique().to_list() if "parser" in rows.columns else ()
    metadata = parquet_metadata(TABLES[fresh.table], fresh.source, parsers)
    # Parquet pages follow from how the texts of a frame lie in memory: read back from IPC they lie as the rows say,
    # whatever was merged with them, or was in the file before.
    rows.rechunk().write_ipc(buffer := BytesIO())
    with file.open("wb") as opened:
        pl.read_ipc(buffer.getvalue()).write_parquet(opened, compression="zstd", metadata=metadata)


def _share(origin: Snapshot, path: str, folder: Path) -> None:
    """Link a file of another snapshot, or copy it where that cannot be done. Raises ``StoreError`` if it changed."""
    try:
        os.link(origin.folder / path, folder / path)
    except OSError:  # a file system without hard links, or a file with as many as it may have
        shutil.copyfile(origin.folder / path, folder / path)
        if hash_file(folder / path) != origin.files[path]["sha256"]:
            raise StoreError(f"{origin.folder / path}: changed while being copied") from None
        (folder / path).chmod(_READ_ONLY)


def block_of(file: Path, rows: int | None = None) -> dict[str, Any]:
    """Return the block of a file of the manifest: hash, rows of a table, bytes."""
    return {"sha256": hash_file(file), "rows": rows, "bytes": file.stat().st_size}


def count_records(files: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of published records of each source, from the blocks of the data files."""
    counts: dict[str, int] = {}
    for path, block in files.items():
        if path.startswith(f"{FOLDERS['records']}/"):
            counts[source_of(path)] = counts.get(source_of(path), 0) + block["rows"]
    return counts
