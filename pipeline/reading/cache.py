"""Caches readings of dumps, so that a refresh reads only new ones. The cache is below the out root, never in raw.

An entry is named by a hash of everything that reading depends on. It holds that hash, a hash of its own bytes, and the
frames. An entry that is damaged or does not match its name counts as missing and is rewritten. The hashes protect
against damage, not forgery: the cache is trusted like the rest of the out root. Verdicts of the guards are not cached.

A dump that exceeded its limits or killed its reader also has an entry, whose name depends on the limits too.
"""

import json
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from io import BytesIO
from os import getpid
from pathlib import Path
from secrets import token_hex
from socket import gethostname
from sys import version_info
from typing import Any, Final

import polars as pl

from parsers._registry import SYSTEMS
from pipeline.base.disk import open_to_read
from pipeline.base.known_files import KnownFiles
from pipeline.base.packed import pack, unpack
from pipeline.base.settings import Limits, Settings
from pipeline.base.signals import Policy, Sign
from pipeline.raw.dump import Dump
from pipeline.reading.frames import TYPES, empty_frame
from pipeline.reading.measure import describe_measure, restore_measure
from pipeline.reading.read import Reading
from schemas.tables import CONTRACT_VERSION

CACHE: Final = ".cache"
"""Folder below the out root, with a folder per source and a file per entry."""

_MAGIC: Final = f"conspectus cache {sha256(repr(TYPES).encode()).hexdigest()[:16]}\n".encode()
"""How an entry begins. The columns are part of it: to compare those of each frame took as long as to load it."""

_NOT_WHOLE: Final = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    OverflowError,
    RecursionError,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
)
_YOUNG: Final = 86_400.0
_ROOT: Final = Path(__file__).parents[2]
_ROOMS: Final = ("schemas", "parsers", "pipeline")
READING: Final = ("base", "raw", "reading")
"""The folders of the pipeline that turn a dump into an entry."""

_MERGING: Final = ("pipeline/merging/", "pipeline/publishing/pieces", "pipeline/publishing/plain")
"""The code between entries and files."""

_SHOWING: Final = (
    "pipeline/site/",
    "pipeline/viewing/",
    "pipeline/export/",
    "pipeline/base/escape",
    "schemas/vocabulary",
)
"""The code between published records and pages."""

_VALUES: Final = (
    "sha256",
    "format",
    "lines",
    "by_class",
    "by_boilerplate",
    "by_reason",
    "shared",
    "error",
    "first_line",
    "signs",
    "late",
)


def load_known_files(settings: Settings, *, audit: bool = False) -> KnownFiles:
    """Return what is known of the files of a run; with ``audit`` nothing is believed of it."""
    return KnownFiles.load(settings.out / CACHE, settings.raw, reading_hash(""), audit=audit)


def find_entry(folders: Iterable[Path], names: Collection[str]) -> Path | None:
    """Return the first folder that has an entry under one of these names, valid or not."""
    return next((folder for folder in folders for name in names if (folder / name).exists()), None)


def load_reading(folder: Path, key: str, dump: Dump) -> Reading | None:
    """Return the cached reading of a dump; None if the entry is missing or damaged."""
    try:
        with open_to_read(folder / key) as opened:
            return _unpack(opened.read(), key, dump)
    except _NOT_WHOLE:
        return None


def store_entry(folder: Path, key: str, data: bytes) -> None:
    """Write an entry through a temporary file, whose name no other process on any machine uses. Raises ``OSError``."""
    fresh = folder / f".{key[:16]}.{gethostname()[:64]}.{getpid()}.{token_hex(4)}"
    folder.parent.mkdir(exist_ok=True)  # not its parents: without an out root nothing is cached
    folder.mkdir(exist_ok=True)
    try:
        fresh.write_bytes(data)
        fresh.replace(folder / key)
    finally:
        fresh.unlink(missing_ok=True)


def forget(folder: Path, names: Iterable[str]) -> None:
    """Delete entries that no later run needs."""
    for name in names:
        with suppress(OSError):  # it was never written, or cannot be deleted: the next sweep tries again
            (folder / name).unlink()


def prune(folder: Path, used: Collection[str]) -> None:
    """Delete the entries of a source that a run did not use.

    Entries younger than a day stay: a concurrent reader may have made them for the next run.
    """
    with suppress(OSError):
        for file in folder.iterdir():
            with suppress(OSError):  # e.g. a folder: continue with the other entries
                if file.name not in used and time.time() - file.lstat().st_mtime > _YOUNG:
                    file.unlink()


def prune_sources(out: Path, known: Collection[str]) -> None:
    """Delete the entries of sources that no longer exist, and their folders once empty."""
    with suppress(OSError):
        for folder in (out / CACHE).iterdir():
            if folder.name not in known:
                prune(folder, ())
                with suppress(OSError):  # a young entry is still in it
                    folder.rmdir()


def entry_key(source: str, dump: Dump, digest: str, max_bytes: int) -> str:
    """Return the name of a dump's entry: a hash of everything that its frames depend on."""
    facts = {name: value for name, value in _facts(dump).items() if name != "accept"}
    return digest_of([dump.path, digest, facts, dump.problem, made_with(source), max_bytes])


def verdict_key(key: str, limits: Limits) -> str:
    """Return the entry name for a dump that exceeded these limits or killed its reader; ``key`` is its regular name."""
    return digest_of([key, asdict(limits)])


def made_with(source: str) -> list[object]:
    """Return what a reading depends on besides its dump: source, contract version, code, Polars and Python versions."""
    return [source, CONTRACT_VERSION, reading_hash(source), pl.__version__, version_info[:3]]


def digest_of(parts: object) -> str:
    """Return the hash of any JSON value; dates and other types are written as text."""
    return sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


@cache
def reading_hash(source: str, root: Path = _ROOT) -> str:
    """Return the hash of the code that turns a dump of a source into a cache entry.

    A worker must have the same code as the run, which would otherwise never look for the worker's entries.
    """
    return _hash_files(root, lambda path: _reads(path, source))


@cache
def merging_hash(root: Path = _ROOT) -> str:
    """Return the hash of the code that merges the readings of a source, which can lose values as reading can."""
    return _hash_files(root, lambda path: path.startswith(_MERGING))


@cache
def works_hash(root: Path = _ROOT) -> str:
    """Return the hash of the code that finds works, which are made anew where it is another."""
    return _hash_files(root, lambda path: path.startswith(("pipeline/works/", "schemas/works")))


@cache
def pages_hash(root: Path = _ROOT) -> str:
    """Return the hash of the code that makes pages, which are made anew where it is another."""
    return _hash_files(root, lambda path: path.startswith(_SHOWING))


def _hash_files(root: Path, wanted: Callable[[str], bool]) -> str:
    """Return one hash of the modules below a root whose paths match ``wanted``."""
    hashes = _modules(root)
    return digest_of([(path, hashes[path]) for path in sorted(filter(wanted, hashes))])


@cache
def _modules(root: Path) -> dict[str, str]:
    """Return the hash of every module, and of every file of tables, below a root, by path."""
    files = (file for room in _ROOMS for kind in ("*.py", "*.toml") for file in (root / room).rglob(kind))
    return {file.relative_to(root).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files}


def _reads(path: str, source: str) -> bool:
    """True if a module or file of tables is used to read dumps of a source."""
    room, name, *rest = path.split("/")
    if room == "parsers" and name == SYSTEMS:
        return rest == [f"{source}.toml"]
    if room == "parsers":
        return name.startswith("_") or name.removesuffix(".py") == source
    return room == "schemas" or name in READING


def _facts(dump: Dump) -> dict[str, Any]:
    """Return the facts of a dump by name."""
    return {name: getattr(dump.facts, name) for name in dump.facts.__slots__}


def pack_reading(key: str, reading: Reading) -> bytes:
    """Return the entry of a reading: its values and frames."""
    values = {name: getattr(reading, name) for name in _VALUES}
    head = json.dumps({"key": key, "values": values, "measure": describe_measure(reading.measure)})
    pieces = [head.encode(), *(_as_bytes(getattr(reading, name)) for name in TYPES)]
    return pack(_MAGIC, pieces)


def _as_bytes(frame: pl.DataFrame) -> bytes:
    """Return the rows of a frame; none of one without rows, as most quarantines are."""
    if frame.is_empty():
        return b""
    frame.write_ipc_stream(buffer := BytesIO(), compression="lz4")
    return buffer.getvalue()


def _as_frame(rows: memoryview, table: str) -> pl.DataFrame:
    """Return a frame from its rows."""
    return pl.read_ipc_stream(BytesIO(rows)) if rows.nbytes else empty_frame(table)


def _unpack(data: bytes, key: str, dump: Dump) -> Reading | None:
    """Return the reading in a valid entry; return None or raise one of ``_NOT_WHOLE`` for anything else."""
    pieces = unpack(_MAGIC, data)
    head: dict[str, Any] = json.loads(bytes(pieces[0]))
    frames = {name: _as_frame(piece, name) for name, piece in zip(TYPES, pieces[1:], strict=True)}
    measure = restore_measure(head["measure"])
    if head["key"] != key or measure is None:
        return None
    values: dict[str, Any] = {**frames, **{name: head["values"][name] for name in _VALUES}}
    values |= {"signs": tuple(map(_as_sign, values["signs"])), "late": tuple(values["late"])}
    return Reading(dump, **values, measure=measure)


def _as_sign(values: Iterable[Any]) -> Sign:
    """Return a sign from its values."""
    signal, detail, does, *place = values
    return Sign(signal, detail, Policy(does), *place)
