"""Checks a published dataset by its files alone: complete, unchanged, of this contract, fresh.

The values were validated when they were published; here it is checked that the rows are still the same.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import polars as pl

from pipeline.base.disk import hash_file
from pipeline.publishing.pieces import FOLDERS, LINES, source_of
from pipeline.publishing.store import (
    ALL_TABLES,
    LATEST,
    MANIFEST,
    ONE_FILE,
    Snapshot,
    StoreError,
    digest_of_data,
    fresh_at,
    is_awaited,
    open_snapshot,
)
from pipeline.publishing.works import digest_of_records
from schemas.tables import CONTRACT_VERSION, TABLES, polars_schema

CLOCKS_DIFFER: Final = timedelta(minutes=5)
"""How far a time may be in the future before it counts as wrong."""

_ID: Final = re.compile(r"\d{8}T\d{6}Z-(?P<digest>[0-9a-f]{8})(-\d+)?")
_WHOLE: Final = {path: ALL_TABLES[name] for name, path in ONE_FILE.items()}
"""Tables of all sources in one file."""

_TABLES: Final = {**{folder: TABLES[table] for table, folder in FOLDERS.items()}, **_WHOLE}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a verification: what was checked, and one line per problem."""

    folder: Path
    files: int
    rows: int
    problems: tuple[str, ...]


def verify(root: Path, max_age: timedelta | None = None, now: datetime | None = None) -> Verdict:
    """Verify a snapshot, or the newest one of an out root; the link is resolved once.

    ``now`` is the time for which ages are computed, by default the present. A folder that is not a dataset, or one of
    another major contract version, gives a verdict with that one problem.
    """
    folder = (root / LATEST if (root / LATEST).exists() else root).resolve()
    try:
        snapshot = open_snapshot(folder)
        return _verdict(snapshot, max_age, now or datetime.now(UTC))
    except StoreError as error:
        return Verdict(folder, 0, 0, (str(error),))


def _verdict(snapshot: Snapshot, max_age: timedelta | None, now: datetime) -> Verdict:
    """Run all checks."""
    files: Mapping[str, dict[str, Any]] = snapshot.manifest["files"]
    problems = [problem for path, block in files.items() for problem in _check(snapshot, path, block)]
    found = {
        file.relative_to(snapshot.folder).as_posix()
        for file in snapshot.folder.rglob("*")
        if file.is_symlink() or not file.is_dir()
    }
    problems += [f"{path}: not in the manifest" for path in sorted(found - files.keys() - {MANIFEST})]
    problems += [*_disagreements(snapshot)]
    if max_age is not None:
        problems += _stale(snapshot, max_age, now)
    rows = sum(block["rows"] or 0 for path, block in files.items() if path.startswith(f"{FOLDERS['records']}/"))
    return Verdict(snapshot.folder, len(files), rows, tuple(problems))


def _disagreements(snapshot: Snapshot) -> Iterator[str]:
    """Yield contradictions in the manifest, and with the id of the snapshot, which ends in a hash of its data."""
    digest = digest_of_data(snapshot.data_hashes)
    name = _ID.fullmatch(snapshot.id)
    if name and name["digest"] != digest:
        yield f"{MANIFEST}: expected data files that match the id {snapshot.id}, found those of {digest}"
    elif snapshot.works.get("error"):
        yield snapshot.works["error"]
    elif snapshot.works and snapshot.works["records"] != digest_of_records(snapshot.files):
        yield f"{MANIFEST}: expected works made from the records of the snapshot, found those of others"
    sources = snapshot.manifest["sources"]
    rows = {path: block["rows"] for path, block in snapshot.files.items() if "/" in path}
    found = {folder: Counter[str]() for folder in (FOLDERS["records"], LINES["records"])}
    for path, number in rows.items():
        if (folder := path.split("/", 1)[0]) in found:
            found[folder][source_of(path)] += number
    for source in sorted(sources.keys() | set(map(source_of, rows))):
        published = sources.get(source, {}).get("published", 0)
        counts = [count[source] for count in found.values()]
        if set(counts) != {published}:
            yield f"{source}: expected {published} records in its tables and as many lines, found {counts}"


def _check(snapshot: Snapshot, path: str, block: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of one file."""
    file = snapshot.folder / path
    if file.is_symlink() or not file.resolve().is_relative_to(snapshot.folder.resolve()):
        yield f"{path}: expected a file of the dataset itself, found {file.resolve()}"
        return
    if file.exists() and not file.is_file():
        yield f"{path}: expected a file"
        return
    try:
        digest = hash_file(file)
        size = file.stat().st_size
    except OSError as error:
        yield f"{path}: expected a readable file: {error.strerror}"
        return
    if (digest, size) != (block["sha256"], block["bytes"]):
        yield f"{path}: expected {block['bytes']} bytes of SHA-256 {block['sha256']}, found {size} of {digest}"
    elif file.suffix == ".parquet":
        try:
            yield from _check_table(snapshot, path, block["rows"])
        except pl.exceptions.PolarsError as error:
            yield f"{path}: expected a readable table: {error}"
    elif file.suffix == ".ndjson" and (lines := file.read_bytes().count(b"\n")) != block["rows"]:
        yield f"{path}: expected {block['rows']} lines, found {lines}"


def _check_table(snapshot: Snapshot, path: str, rows: int) -> Iterator[str]:
    """Yield the problems of a Parquet file whose bytes are right: rows, contract version, columns, sources."""
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
    if version == CONTRACT_VERSION and (lacking := [name for name in declared if name not in there]):
        yield f"{path}: expected the columns of the contract, found no column {lacking[0]}"
    # A file of an older minor version lacks the columns that were added since.
    if unknown := [name for name, dtype in there.items() if name not in declared or _differs(dtype, declared[name])]:
        yield f"{path}: expected the columns of the contract, found {unknown[0]} as {there[unknown[0]]}"
    elif path not in _WHOLE and (strangers := _sources_in(file) - {source_of(path)}):
        yield f"{path}: expected rows of {source_of(path)}, found those of {min(strangers)}"


def _sources_in(file: Path) -> set[str]:
    """Return the sources of the rows of a table."""
    return set(pl.scan_parquet(file, glob=False).select(pl.col("source").unique()).collect()["source"].to_list())


def _differs(found: pl.DataType, declared: pl.DataType) -> bool:
    """True if a type differs from the declared one; a struct may lack fields that were added since."""
    if isinstance(found, pl.List) and isinstance(declared, pl.List):
        return _differs(found.inner, declared.inner)  # type: ignore[arg-type]  # both hold instances
    if isinstance(found, pl.Struct) and isinstance(declared, pl.Struct):
        types = {field.name: field.dtype for field in declared.fields}
        return any(field.name not in types or field.dtype != types[field.name] for field in found.fields)
    return found != declared


def _stale(snapshot: Snapshot, limit: timedelta, now: datetime) -> Iterator[str]:
    """Yield the sources whose data are older than the limit, or dated in the future."""
    for name, block in snapshot.manifest["sources"].items():
        if is_awaited(block):
            continue
        moment = fresh_at(block)
        found = f"data from {moment}" if moment else "none"
        if moment is None or not -CLOCKS_DIFFER <= now - moment <= limit:
            yield f"{name}: expected data at most {limit} old, found {found}"
