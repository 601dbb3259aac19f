"""Checks a published dataset from the outside, with nothing but its files: whole, unchanged, of this contract, fresh.

What is inside the rows was checked when they were published; here it is whether they are still those rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import file_digest
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.store import FOLDERS, LATEST, MANIFEST, Snapshot, StoreError, fresh_at, open_snapshot
from schemas.tables import CHANGES, TABLES, polars_schema

_TABLES = {**{folder: TABLES[table] for table, folder in FOLDERS.items()}, "changes.parquet": CHANGES}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was looked at, and one line for everything that is not as it should be."""

    folder: Path
    files: int
    rows: int
    problems: tuple[str, ...]


def verify(place: Path, max_age: timedelta | None = None, now: datetime | None = None) -> Verdict:
    """Verify a snapshot, or the newest one of an out root; the link is resolved once.

    ``now`` is the moment that ages are counted from, the present if not given. A folder that is no dataset, or one of
    another major contract version, is a verdict with that one problem.
    """
    folder = (place / LATEST if (place / LATEST).exists() else place).resolve()
    try:
        snapshot = open_snapshot(folder)
    except StoreError as error:
        return Verdict(folder, 0, 0, (str(error),))
    files: Mapping[str, dict[str, Any]] = snapshot.manifest["files"]
    problems = [problem for path, block in files.items() for problem in _check(snapshot, path, block)]
    found = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    problems += [f"{path}: not in the manifest" for path in sorted(found - files.keys() - {MANIFEST})]
    if max_age is not None:
        problems += _stale(snapshot, max_age, now or datetime.now(UTC))
    rows = sum(block["rows"] or 0 for path, block in files.items() if path.startswith(f"{FOLDERS['records']}/"))
    return Verdict(folder, len(files), rows, tuple(problems))


def _check(snapshot: Snapshot, path: str, block: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with one file."""
    file = snapshot.folder / path
    try:
        with file.open("rb") as opened:
            digest = file_digest(opened, "sha256").hexdigest()
        size = file.stat().st_size
    except OSError as error:
        yield f"{path}: expected a readable file: {error.strerror}"
        return
    if (digest, size) != (block["sha256"], block["bytes"]):
        yield f"{path}: expected {block['bytes']} bytes of SHA-256 {block['sha256']}, found {size} of {digest}"
    elif file.suffix == ".parquet":
        yield from _check_table(snapshot, path, block["rows"])
    elif file.suffix == ".ndjson" and (lines := file.read_bytes().count(b"\n")) != block["rows"]:
        yield f"{path}: expected {block['rows']} lines, found {lines}"


def _check_table(snapshot: Snapshot, path: str, rows: int) -> Iterator[str]:
    """Yield what is wrong with a Parquet file whose bytes are right: rows, columns, contract version."""
    file = snapshot.folder / path
    found = pl.scan_parquet(file).select(pl.len()).collect().item()
    if found != rows:
        yield f"{path}: expected {rows} rows, found {found}"
    version = pl.read_parquet_metadata(file).get("conspectus.contract_version")
    expected = snapshot.manifest["contract_version"]
    if version != expected:
        yield f"{path}: expected contract version {expected} in its metadata, found {version}"
    declared = polars_schema(_TABLES[path.split("/", maxsplit=1)[0]])
    there = pl.read_parquet_schema(file)
    # A file of an older minor version lacks the columns that were added since.
    if unknown := [name for name, dtype in there.items() if name not in declared or _differs(dtype, declared[name])]:
        yield f"{path}: expected the columns of the contract, found {unknown[0]} as {there[unknown[0]]}"


def _differs(found: pl.DataType, declared: pl.DataType) -> bool:
    """Say whether a type is another one than declared; a struct may lack fields that were added since."""
    if isinstance(found, pl.List) and isinstance(declared, pl.List):
        return _differs(found.inner, declared.inner)  # type: ignore[arg-type]  # both hold instances
    if isinstance(found, pl.Struct) and isinstance(declared, pl.Struct):
        types = {field.name: field.dtype for field in declared.fields}
        return any(field.name not in types or field.dtype != types[field.name] for field in found.fields)
    return found != declared


def _stale(snapshot: Snapshot, limit: timedelta, now: datetime) -> Iterator[str]:
    """Yield the sources whose data are older than the limit."""
    for name, block in snapshot.manifest["sources"].items():
        moment = fresh_at(block)
        if moment is None or now - moment > limit:
            yield f"{name}: expected data of at most {limit}, found those of {moment or 'no run'}"
