"""Looks at the raw root: which dumps there are, to which page each belongs, what their sidecars say. Never writes.

A dump is ``raw/<source>/<anything>.{txt,html,json,xml}``, optionally packed (``.gz``, ``.zst``), optionally with
``<full file name>.meta.toml`` beside it. Captures that were fetched have a log beside them, which is no dump.
What is inside a dump does not belong here.
"""

import hashlib
import re
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

import zstandard

from parsers._contract import Document, DumpError, Facts
from pipeline.settings import MEBIBYTE
from pipeline.sidecar import SIDECAR_SUFFIX, read_facts, read_sidecar
from pipeline.unpack import UNPACKERS

SUFFIXES: Final = frozenset({".txt", ".html", ".json", ".xml"})
CAPTURE_LOG: Final = "captures.ndjson"
"""The log of a page that is fetched, in the folder of its captures."""

_STAMP: Final = re.compile(
    r"""
    [-_.]?                                            # what joins it to the name
    (?P<date>\d{4}-?\d{2}-?\d{2})                     # day
    [T_ ]
    (?P<time>\d{2}[-:]?\d{2}(?:[-:]?\d{2})?)Z?        # time of day, UTC
    $""",
    re.VERBOSE,
)
_DOCUMENTATION: Final = frozenset({".md"})


@dataclass(frozen=True, slots=True)
class Dump:
    """A file of the raw root. ``path`` is below the raw root (POSIX); ``page`` is what its captures share.

    ``facts.captured_at`` is UTC without zone, from the sidecar, else from a stamp at the end of the file name.
    ``problem`` says why the sidecar cannot be used.
    """

    source: str
    path: str
    file: Path
    page: str
    facts: Facts
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a raw root holds: dumps by source, specimens left out beside real dumps, and what nobody knows.

    ``unknown`` maps the path of each file that is no dump to what was expected.
    """

    dumps: Mapping[str, tuple[Dump, ...]]
    left_out: tuple[str, ...]
    unknown: Mapping[str, str]
    ignored: tuple[str, ...]


def take_inventory(raw: Path, known: Iterable[str]) -> Inventory:
    """List the dumps of every known source, sorted by path; hidden files are passed over."""
    known = set(known)
    dumps: dict[str, list[Dump]] = {}
    left_out: list[str] = []
    unknown: dict[str, str] = {}
    ignored: list[str] = []
    for file in sorted(_files(raw)):
        path = PurePosixPath(file.relative_to(raw).as_posix())
        if path.name.endswith(SIDECAR_SUFFIX):
            if not file.with_name(path.name.removesuffix(SIDECAR_SUFFIX)).exists() and not _interrupted(file):
                unknown[str(path)] = "expected the dump that this sidecar speaks of beside it"
        elif path.suffix in _DOCUMENTATION:
            ignored.append(str(path))
        elif path.name == CAPTURE_LOG and path.parts[0] in known:
            continue
        elif len(path.parts) < 2 or path.parts[0] not in known or _unpacked(path).suffix not in SUFFIXES:
            unknown[str(path)] = _expected(path, known)
        else:
            dumps.setdefault(path.parts[0], []).append(describe(path, file))
    for source, found in dumps.items():
        if any(not dump.facts.specimen for dump in found):
            left_out += [dump.path for dump in found if dump.facts.specimen]
            dumps[source] = [dump for dump in found if not dump.facts.specimen]
    return Inventory(
        {source: tuple(found) for source, found in dumps.items()}, tuple(left_out), unknown, tuple(ignored)
    )


def _expected(path: PurePosixPath, known: Collection[str]) -> str:
    """Say what would have made a file a dump."""
    if len(path.parts) < 2 or path.parts[0] not in known:
        return f"expected raw/<source>/<dump>, the source one of {', '.join(sorted(known))}"
    return f"expected a name that ends in {', '.join(sorted(SUFFIXES))}, optionally packed as .gz or .zst"


def is_too_large(dump: Dump, max_bytes: int) -> bool:
    """Say whether a file holds more than one dump may, without reading it; no for one that cannot be looked at."""
    try:
        return dump.file.stat().st_size > max_bytes
    except OSError:
        return False


def load(dump: Dump, max_bytes: int) -> Document:
    """Read and decode one dump. Raises ``DumpError`` (bad_sidecar, unreadable, too_large, and those of decoding)."""
    if dump.problem is not None:
        raise DumpError(f"{dump.path}{SIDECAR_SUFFIX}", 1, "bad_sidecar", dump.problem)
    unpack = UNPACKERS.get(dump.file.suffix)
    expected = f"expected at most {max_bytes / MEBIBYTE:g} MiB in one dump, found more"
    if is_too_large(dump, max_bytes):
        raise DumpError(dump.path, 1, "too_large", expected)
    try:
        with dump.file.open("rb") as opened:
            packed = data = opened.read(max_bytes + 1)
        if unpack and len(packed) <= max_bytes:
            data = unpack(packed, max_bytes + 1)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise DumpError(dump.path, 1, "unreadable", f"expected a readable file: {_reason(error)}") from error
    if len(data) > max_bytes:
        raise DumpError(dump.path, 1, "too_large", expected)
    return Document.from_bytes(dump.path, data, dump.facts, hashlib.sha256(packed).hexdigest())


def _reason(error: Exception) -> str:
    """Say what went wrong, without the path that the message begins with."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _interrupted(sidecar: Path) -> bool:
    """Say whether a sidecar without its dump is what a fetch left that was killed between the two: nothing is lost."""
    try:
        return "sha256" in read_sidecar(sidecar)
    except ValueError:
        return False


def describe(path: PurePosixPath, file: Path) -> Dump:
    """Describe one file, of the given path below its raw root: its facts, its page, its capture time."""
    facts, problem = Facts(), None
    try:
        facts = read_facts(file)
    except ValueError as error:
        problem = str(error)
    stem, stamped = _split_stamp(path)
    captured = facts.captured_at or stamped
    if captured is not None and captured.tzinfo is not None:
        captured = captured.astimezone(UTC).replace(tzinfo=None)
    return Dump(path.parts[0], str(path), file, facts.url or stem, replace(facts, captured_at=captured), problem)


def _split_stamp(path: PurePosixPath) -> tuple[str, datetime | None]:
    """Split a path into what all captures of its page share, and the time stamp at the end of its name."""
    bare = _unpacked(path)
    found = _STAMP.search(bare.stem)
    if found is None:
        return str(bare), None
    digits = re.sub(r"\D", "", found["date"] + found["time"]).ljust(14, "0")
    try:
        stamp = datetime.strptime(digits, "%Y%m%d%H%M%S")  # noqa: DTZ007  # the contract's stamps are UTC
    except ValueError:
        return str(bare), None
    return str(bare.with_name(bare.name[: found.start()] + bare.suffix)), stamp


def _unpacked(path: PurePosixPath) -> PurePosixPath:
    """Return the path without the suffix of a packed file: packing a capture does not make it another page."""
    return path.with_suffix("") if path.suffix in UNPACKERS else path


def _files(raw: Path) -> Iterable[Path]:
    """Yield every file below ``raw`` that is not hidden, by its own name or a folder's."""
    for file in raw.rglob("*"):
        hidden = any(part.startswith(".") for part in file.relative_to(raw).parts)
        if not hidden and not file.is_dir():
            yield file
