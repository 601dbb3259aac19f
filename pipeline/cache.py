"""Keeps what dumps were parsed to, so that a refresh parses only what is new. Below the out root, never in raw.

An entry is named by a hash of everything that parsing depends on, and holds that hash, a hash of its own bytes, and
the frames. One that is not whole, or is not what its name says, counts as not there and is written anew. The hash
guards against damage, not against forgery: the cache is trusted as the disk is, and whoever may write below the out
root. Nothing in it is run as code. What is judged after parsing is not in it.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from sys import version_info
from typing import Any, Final

import polars as pl

from parsers._contract import Source
from pipeline.frames import QUARANTINE_TYPES, RECORD_TYPES, SIGHTING_TYPES
from pipeline.guarding.guards import describe_measure, restore_measure
from pipeline.read import Reading
from pipeline.snapshot import Dump
from schemas.tables import CONTRACT_VERSION

CACHE: Final = ".cache"
"""Folder below the out root; a folder a source, a file an entry."""

_MAGIC: Final = b"conspectus cache 1\n"
_DIGEST: Final = 32
_ROOMS: Final = ("schemas", "parsers", "pipeline")
_FRAMES: Final = {"records": RECORD_TYPES, "sightings": SIGHTING_TYPES, "quarantine": QUARANTINE_TYPES}
_VALUES: Final = ("sha256", "format", "lines", "by_class", "by_furniture", "by_reason", "shared", "error", "first_line")


def load_reading(folder: Path, key: str, dump: Dump) -> Reading | None:
    """Return what a dump was parsed to; None where there is no such entry, or none that is whole."""
    try:
        return _unpack((folder / key).read_bytes(), key, dump)
    except (OSError, ValueError, LookupError, TypeError, OverflowError, pl.exceptions.PolarsError):
        return None


def store_reading(folder: Path, key: str, reading: Reading) -> None:
    """Write an entry, whole or not at all. A disk that does not take it costs time in the next run, no data."""
    fresh = folder / f".{key}"
    with suppress(OSError):
        folder.parent.mkdir(exist_ok=True)  # not its parents: where there is no out root, nothing is kept
        folder.mkdir(exist_ok=True)
        try:
            with fresh.open("wb") as opened:
                digest = sha256()
                for piece in _pack(reading, key):
                    opened.write(piece)
                    digest.update(piece)
                opened.write(digest.digest())
            fresh.replace(folder / key)
        finally:
            fresh.unlink(missing_ok=True)


def prune(folder: Path, used: Collection[str]) -> None:
    """Remove the entries of a source that a run has not used: the cache is as large as what is in use."""
    with suppress(OSError):
        for file in folder.iterdir():
            if file.name not in used:
                file.unlink()


def prune_sources(out: Path, known: Collection[str]) -> None:
    """Remove the entries of sources that are no longer there."""
    with suppress(OSError):
        for folder in (out / CACHE).iterdir():
            if folder.name not in known:
                for file in folder.iterdir():
                    file.unlink()
                folder.rmdir()


def key_of(source: Source, dump: Dump, digest: str, parts: Sequence[object]) -> str:
    """Name the entry of a dump with these bytes: everything that its frames depend on, and ``parts`` besides."""
    facts = {name: value for name, value in _facts(dump).items() if name != "accept"}
    return digest_of([dump.path, digest, facts, dump.problem, made_with(source), *parts])


def made_with(source: Source) -> list[object]:
    """Return what the rows of a source are made with: parser, contract, code and the library that writes them."""
    formats = [(each.name, each.parse.__module__, each.parse.__qualname__) for each in source.formats]
    return [source.parser, formats, CONTRACT_VERSION, code_hash(source.name), pl.__version__, version_info[:3]]


def inputs_of(dumps: Sequence[Dump], hashes: Mapping[str, str | None]) -> list[object]:
    """Return what the dumps of a source bring in: path, bytes and facts of each."""
    return [(dump.path, dump.page, hashes[dump.path], _facts(dump), dump.problem) for dump in dumps]


def digest_of(parts: object) -> str:
    """Return the hash of anything that can be written as JSON; dates are written as text."""
    return sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


@cache
def code_hash(source: str) -> str:
    """Return the hash of the code that the rows of a source go through: all but the parsers of the others."""
    root = Path(__file__).parent.parent
    files = {file.relative_to(root).as_posix(): file for room in _ROOMS for file in (root / room).rglob("*.py")}
    used = sorted(path for path in files if not _is_of_another(path, source))
    return digest_of([(path, sha256(files[path].read_bytes()).hexdigest()) for path in used])


def _is_of_another(path: str, source: str) -> bool:
    """Say whether a file of the project belongs to the parser of another source."""
    room, name, *_ = path.split("/")
    return room == "parsers" and not name.startswith("_") and name.removesuffix(".py") != source


def _facts(dump: Dump) -> dict[str, Any]:
    """Return the facts of a dump by name."""
    return {name: getattr(dump.facts, name) for name in dump.facts.__slots__}


def _pack(reading: Reading, key: str) -> Iterator[bytes]:
    """Yield a reading as bytes: magic, values and frames, each after its length; the hash of all comes last."""
    values = {name: getattr(reading, name) for name in _VALUES}
    head = json.dumps({"key": key, "values": values, "measure": describe_measure(reading.measure)})
    yield _MAGIC
    yield from _sized(head.encode())
    for name in _FRAMES:
        getattr(reading, name).write_ipc(buffer := BytesIO(), compression="lz4")
        yield from _sized(buffer.getvalue())


def _sized(piece: bytes) -> tuple[bytes, bytes]:
    """Return a piece with its length before it."""
    return len(piece).to_bytes(8, "big"), piece


def _unpack(data: bytes, key: str, dump: Dump) -> Reading | None:
    """Read what ``_pack`` wrote; None, or one of many errors, for anything else."""
    view = memoryview(data)
    if not data.startswith(_MAGIC) or sha256(view[:-_DIGEST]).digest() != view[-_DIGEST:]:
        return None
    pieces, place = [], len(_MAGIC)
    for _ in ("head", *_FRAMES):
        start = place + 8
        place = start + int.from_bytes(view[place:start], "big")
        pieces.append(view[start:place])
    head: dict[str, Any] = json.loads(bytes(pieces[0]))
    frames = {name: pl.read_ipc(BytesIO(piece)) for name, piece in zip(_FRAMES, pieces[1:], strict=True)}
    measure = restore_measure(head["measure"])
    if head["key"] != key or measure is None or any(frames[name].schema != _FRAMES[name] for name in _FRAMES):
        return None
    values: dict[str, Any] = {**frames, **{name: head["values"][name] for name in _VALUES}}
    return Reading(dump, **values, measure=measure)
