"""Writes the data files of a snapshot: those that have changed; the others are shared with the snapshot before.

A shared file is a hard link where the file system has them, else a copy. No file is ever written to again, and its
mode says so. What a table consists of, and how its files are named, belongs to ``pipeline.publishing.pieces``.
"""

import os
import shutil
from collections import Counter
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
from pipeline.publishing.store import BEGINS, NULLS, Snapshot, StoreError
from schemas.describe import parquet_metadata
from schemas.tables import TABLES

_READ_ONLY: Final = 0o444

FamilyOf = Callable[[str], Family | None]
"""The family of a source by its name; None if it has no parser any more, and its records are not cut."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A file of a table to write, and its NDJSON if the table has one; ``begins`` is its first group."""

    table: str
    source: str
    begins: str
    rows: Parts


Planned = Mapping[str, Fresh | None]
"""The data files of a snapshot by path, None for one that stays; the NDJSON of fresh rows is written with them."""


def plan_files(outcomes: Sequence[Outcome], last: Snapshot | None, families: FamilyOf) -> Planned:
    """Return which data files to write and which to share with the last snapshot, of all sources."""
    planned: dict[str, Fresh | None] = {}
    run = {outcome.source: outcome for outcome in outcomes if outcome.status is not Status.ABSENT}
    for source in sorted(run.keys() | (last.sources.keys() if last else set())):
        new, groups = dict[str, Parts](), None
        if (outcome := run.get(source)) is not None:
            whole = {"quarantine": Parts.of(outcome.quarantine), "captures": Parts.of(outcome.captures)}
            new, groups = {**outcome.tables, **whole}, outcome.groups
        for table in FOLDERS:
            if table in new:
                planned |= _plan_replaced(last, source, table, new[table], groups, families)
            elif last is not None:
                planned |= _plan_carried(last, source, table, families)
    return planned


def _plan_replaced(  # noqa: PLR0913, PLR0917  # a table of a source, and what has changed of it
    last: Snapshot | None,
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
    return {**dict.fromkeys(_paths_of(table, source, cutting.kept)), **_fresh(table, source, cutting.written)}


def _plan_carried(last: Snapshot, source: str, table: str, families: FamilyOf) -> Planned:
    """Return the files of a table of the last snapshot as they are; what is left of a damaged one is written again."""
    pieces = last.pieces(table, source)
    paths = _paths_of(table, source, pieces)
    if last.is_current and all(map(last.agrees, paths)):
        return dict.fromkeys(paths)
    return _fresh(table, source, dict(cut_parts([last.intact_rows(table, source)], table, families(source))))


def _fresh(table: str, source: str, written: Mapping[str, pl.DataFrame]) -> dict[str, Fresh]:
    """Return files to write, by path."""
    return {
        path_of(table, source, begin): Fresh(table, source, begin, Parts.of(rows)) for begin, rows in written.items()
    }


def _paths_of(table: str, source: str, begins: Iterable[str]) -> list[str]:
    """Return the paths of some files of a table, with those of their NDJSON."""
    paths = [(path_of(table, source, begin), lines_of(table, source, begin)) for begin in begins]
    return [path for pair in paths for path in pair if path is not None]


def stay_as(planned: Planned, paths: Iterable[str]) -> bool:
    """True if the planned files are the ones at these paths of the last snapshot."""
    return planned.keys() == set(paths) and not any(planned.values())


def write_files(folder: Path, planned: Planned, previous: Snapshot | None) -> dict[str, dict[str, Any]]:
    """Write and share the planned files below a new folder; return their blocks of the manifest by path.

    Raises ``OSError``, and ``StoreError`` if a file changed while it was copied.
    """
    blocks: dict[str, dict[str, Any]] = {}
    for path, each in planned.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if each is None and previous is not None:
            share(previous, path, folder)
            blocks[path] = previous.files[path]
        if each is None:
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
            nulls = {NULLS: _nulls_of(rows)} if each.table == "records" and name == path else {}
            blocks[name] = {**block_of(folder / name, rows.height), **begins, **nulls}
            (folder / name).chmod(_READ_ONLY)
            if previous is not None and previous.files.get(name) == blocks[name] and previous.agrees(name):
                (folder / name).unlink()
                share(previous, name, folder)
    return blocks


def _write_table(file: Path, fresh: Fresh, rows: pl.DataFrame) -> None:
    """Write rows of a source as Parquet."""
    parsers = rows["parser"].unique().to_list() if "parser" in rows.columns else ()
    write_parquet(file, rows, parquet_metadata(TABLES[fresh.table], fresh.source, parsers))


def write_parquet(file: Path, rows: pl.DataFrame, metadata: Mapping[str, str]) -> None:
    """Write rows as Parquet: the same rows as the same bytes."""
    # Parquet pages follow from how the texts of a frame lie in memory: read back from IPC they lie as the rows say,
    # whatever was merged with them, or was in the file before.
    rows.rechunk().write_ipc(buffer := BytesIO())
    with file.open("wb") as opened:
        pl.read_ipc(buffer.getvalue()).write_parquet(opened, compression="zstd", metadata=dict(metadata))


def share(origin: Snapshot, path: str, folder: Path) -> None:
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


def count_nulls(files: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, int] | None]:
    """Return the nulls of the published records of each source by column; None if a file does not tell."""
    counts: dict[str, dict[str, int] | None] = {}
    for path, block in files.items():
        if path.startswith(f"{FOLDERS['records']}/"):
            sums, own = counts.setdefault(source_of(path), {}), block.get(NULLS)
            counts[source_of(path)] = None if sums is None or own is None else dict(Counter(sums) + Counter(own))
    return counts


def _nulls_of(rows: pl.DataFrame) -> dict[str, int]:
    """Return the number of nulls of each column that has any."""
    return {name: number for name, number in rows.null_count().row(0, named=True).items() if number}
