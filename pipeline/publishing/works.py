"""Makes the tables of works of a snapshot: from its records, and from what people have decided in ``works.toml``.

What was compared stays in the cache, so that the next run compares only what has changed. If it is missing or damaged
everything is compared, with the same result.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl

from pipeline.base.disk import IrregularError, open_to_read
from pipeline.base.packed import pack, unpack
from pipeline.base.settings import UsageError
from pipeline.publishing.files import block_of, share, write_parquet
from pipeline.publishing.pieces import FOLDERS, WORKS_FILES
from pipeline.publishing.store import Snapshot
from pipeline.raw.sidecar import read_toml
from pipeline.reading.cache import CACHE, prune, store_entry, works_hash
from pipeline.works.changes import changed_works
from pipeline.works.features import COMPARED, FEATURES, VERSION, make_features
from pipeline.works.forced import NOTHING, Forced, read_forced
from pipeline.works.rules import DECIDED
from pipeline.works.works import ComparedRecords, Works, compare, compare_again, settle
from schemas.describe import parquet_metadata
from schemas.tables import RECORDS, conditions, polars_schema
from schemas.works import WORK_CHANGES, WORK_MEMBERS, WORK_TABLES

COMPARED_FOLDER: Final = "works.cache"
"""Folder of the cache with what was compared: no source has such a name."""

_ENTRY: Final = "compared"

_MAGIC: Final = b"conspectus works 1\n"
_PRINTED: Final = ("record_id", "kind", "title", "arxiv_id", "doi")
NEEDED: Final = tuple(dict.fromkeys((*COMPARED, *_PRINTED)))
"""The columns of records that works are made of."""
_ORIGIN: Final[dict[str, Any]] = {"file": pl.String, "columns": pl.UInt64}


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people have decided, and the file that says so; None without one."""

    file: Path | None = None
    forced: Forced = NOTHING


UNDECIDED: Final = Decisions()


@dataclass(frozen=True, slots=True)
class _Known:
    """What a run has compared: of each record the hashes of its file and columns, of each file of records its hash."""

    compared: ComparedRecords
    origin: pl.DataFrame
    files: Mapping[str, str]


def load_decisions(file: Path | None) -> Decisions:
    """Read ``works.toml``. Raises ``UsageError`` for mistakes in it, and decisions that contradict each other."""
    if file is None:
        return UNDECIDED
    try:
        return Decisions(file, read_forced(read_toml(file)))
    except (IrregularError, OSError, ValueError) as error:
        raise UsageError(f"{file}: {error}") from error


@dataclass(frozen=True, slots=True)
class MadeWorks:
    """The works of a snapshot: ``block`` for its manifest, and the tables to write; the others are those of the last.

    ``new`` is False if the tables of the last snapshot hold. ``warnings`` name decisions that could not be carried
    out, ``failures`` say why works could not be made.
    """

    block: Mapping[str, Any]
    tables: Mapping[str, pl.DataFrame]
    new: bool = False
    warnings: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


def make_works(
    out: Path, folder: Path, files: Mapping[str, Mapping[str, Any]], decisions: Decisions, last: Snapshot | None
) -> MadeWorks:
    """Make the tables of works of the records in ``folder``, unless those of the last snapshot hold.

    ``files`` are the blocks of its data files. Whatever goes wrong here is a failure of works: records are published
    without them.
    """
    made = {**made_from(files, decisions), "error": None}
    unchanged = {WORK_CHANGES.name: pl.DataFrame(schema=polars_schema(WORK_CHANGES))}
    if last is not None and made.items() <= last.works.items() and _are_good(last):
        return MadeWorks(last.works, unchanged, warnings=_told(last.works.get("warnings", ()), decisions))
    try:
        tables, warnings = _find(out, folder, files, decisions, last)
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  # no fault of this keeps a record back
        why = f"works: could not be made, the last ones stay: {type(error).__name__}: {error}"
        kept = last.works if last is not None and _are_good(last) else {}
        return MadeWorks({**kept, "error": why}, unchanged, failures=(why,))
    return MadeWorks({**made, "warnings": warnings}, tables, new=True, warnings=_told(warnings, decisions))


def _told(warnings: Iterable[str], decisions: Decisions) -> tuple[str, ...]:
    """Return the warnings of the manifest as a run tells them each time."""
    return tuple(f"{decisions.file}: {each}" for each in warnings)


def preview_works(out: Path, records: pl.DataFrame, decisions: Decisions) -> Works:
    """Return the works of records that are not published, by their ``NEEDED`` columns.

    What was compared is read from the cache, and not kept there.
    """
    known, features = _load(out), make_features(records).sort("record_id")
    compared = compare(features) if known is None else compare_again(features, known.compared)
    return settle(compared, records, decisions.forced)


def write_works(folder: Path, works: MadeWorks, last: Snapshot | None) -> dict[str, dict[str, Any]]:
    """Write the tables of works below a new folder, and share the others; return their blocks of the manifest.

    A table that could neither be made nor is in the last snapshot has no rows.

    Raises ``OSError``, and ``StoreError`` if a file changed while it was copied.
    """
    blocks: dict[str, dict[str, Any]] = {}
    for name, path in WORKS_FILES.items():
        if name not in works.tables and last is not None and _are_good(last):
            share(last, path, folder)
            blocks[path] = last.files[path]
        else:
            rows = works.tables.get(name, pl.DataFrame(schema=polars_schema(WORK_TABLES[name])))
            write_parquet(folder / path, rows, parquet_metadata(WORK_TABLES[name]))
            blocks[path] = block_of(folder / path, rows.height)
    return blocks


def _are_good(snapshot: Snapshot) -> bool:
    """True if the tables of works of a snapshot are whole, and of this version of the contract."""
    return snapshot.is_current and all(map(snapshot.agrees, WORKS_FILES.values()))


def made_from(files: Mapping[str, Mapping[str, Any]], decisions: Decisions) -> dict[str, str]:
    """Return what the tables of works depend on, as the manifest has it; ``files`` are blocks of its data files."""
    pairs = [sorted(each.items()) for each in (decisions.forced.same, decisions.forced.different)]
    return {"records": digest_of_records(files), "decisions": _digest(pairs), "code": _code()}


def digest_of_records(files: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a hash over the files of records."""
    return _digest(sorted(_hashes_of_records(files).items()))


def _find(
    out: Path, folder: Path, files: Mapping[str, Mapping[str, Any]], decisions: Decisions, last: Snapshot | None
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """Return the tables of works by name, and a warning for each decision that could not be carried out.

    Raises ``ValueError`` where a table would break the contract.
    """
    known, hashes = _load(out), _hashes_of_records(files)
    features, origin = _features(folder, hashes, known)
    compared = compare(features) if known is None else compare_again(features, known.compared)
    if known is None or known.files != hashes:
        _keep(out, _Known(compared, origin, hashes))
    works = settle(compared, _read(folder, hashes, _PRINTED), decisions.forced)
    unknown = [f"expected records that are published, found {record}" for record in works.unknown]
    refused = [f"{one} and {other} cannot be one work: {why}" for one, other, why in works.refused]
    return _tables(works, last), [*unknown, *refused]


def _tables(works: Works, last: Snapshot | None) -> dict[str, pl.DataFrame]:
    """Return the tables, checked."""
    path, before = WORKS_FILES[WORK_MEMBERS.name], works.members.clear()
    if last is not None and last.agrees(path):
        before = last.load(WORK_MEMBERS.name, path)
    changes = changed_works(before, works.members, works.works)
    named = (works.works, works.members, works.reviews, changes)
    tables = dict(zip(WORK_TABLES, named, strict=True))
    for name, rows in tables.items():
        if not all(rows.select(conditions(WORK_TABLES[name])).row(0)):
            raise ValueError(f"{name}: expected rows of the contract")
    return tables


def _features(folder: Path, hashes: Mapping[str, str], known: _Known | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the features of all records by ``record_id``, and of each the hashes of its file and of its columns.

    Those of a file that has not changed are known, and of another file those of each record whose columns have not.
    """
    before = (
        pl.DataFrame(schema={**FEATURES, **_ORIGIN}) if known is None else known.compared.features.hstack(known.origin)
    )
    had = set(known.files.values()) & set(hashes.values()) if known is not None else set()
    kept = before.filter(pl.col("file").is_in(sorted(had)))
    fresh = [
        _read(folder, [path], COMPARED).with_columns(file=pl.lit(digest))
        for path, digest in hashes.items()
        if digest not in had
    ]
    features = pl.concat([kept, *([_features_of(pl.concat(fresh), before)] if fresh else [])]).sort("record_id")
    return features.select(FEATURES.names()), features.select([*_ORIGIN])


def _features_of(records: pl.DataFrame, before: pl.DataFrame) -> pl.DataFrame:
    """Return the features of records with where they come from; of those that were known the ones that they had."""
    origins = records.select("record_id", "file", columns=records.drop("file").hash_rows())
    stay = before.drop("file").join(origins, on=["record_id", "columns"], how="inner")
    made = make_features(records.join(stay, on="record_id", how="anti"))
    new = made.join(origins, on="record_id", how="left", maintain_order="left")
    return pl.concat([stay.select([*FEATURES, *_ORIGIN]), new.select([*FEATURES, *_ORIGIN])])


def _read(folder: Path, paths: Iterable[str], columns: Sequence[str]) -> pl.DataFrame:
    """Return columns of all records in some files."""
    empty = pl.LazyFrame(schema=polars_schema(RECORDS)).select(columns)
    return pl.concat([empty, *(pl.scan_parquet(folder / path, glob=False).select(columns) for path in paths)]).collect()


def _load(out: Path) -> _Known | None:
    """Return what was compared by the same code; None if there is nothing of the kind, or it is damaged."""
    try:
        with open_to_read(out / CACHE / COMPARED_FOLDER / _ENTRY) as opened:
            head, *rows = unpack(_MAGIC, opened.read())
        named = json.loads(bytes(head))
        features, decided = (pl.read_ipc_stream(BytesIO(each)) for each in rows)
    except (OSError, ValueError, LookupError, TypeError, pl.exceptions.PolarsError):
        return None
    if named["code"] != _code() or decided.schema != DECIDED or features.schema != pl.Schema({**FEATURES, **_ORIGIN}):
        return None
    return _Known(ComparedRecords(features.drop([*_ORIGIN]), decided), features.select([*_ORIGIN]), named["files"])


def _keep(out: Path, known: _Known) -> None:
    """Keep what was compared for the next run, which compares everything where it cannot be kept."""
    head = json.dumps({"code": _code(), "files": known.files}).encode()
    frames = (known.compared.features.hstack(known.origin), known.compared.decided)
    folder = out / CACHE / COMPARED_FOLDER
    with suppress(OSError):
        store_entry(folder, _ENTRY, pack(_MAGIC, [head, *map(_as_bytes, frames)]))
    prune(folder, [_ENTRY])  # what a run that was killed has left


def _as_bytes(frame: pl.DataFrame) -> bytes:
    """Return the rows of a frame."""
    frame.write_ipc_stream(buffer := BytesIO(), compression="lz4")
    return buffer.getvalue()


def _hashes_of_records(files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the SHA-256 of each file of records."""
    return {path: block["sha256"] for path, block in sorted(files.items()) if path.startswith(f"{FOLDERS['records']}/")}


def _code() -> str:
    """Return a hash of the code that compares records, and of what it is made with."""
    return _digest([works_hash(), VERSION])


def _digest(parts: object) -> str:
    """Return the hash of a JSON value."""
    return sha256(json.dumps(parts).encode()).hexdigest()
