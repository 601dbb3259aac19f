"""Takes the inventory of the raw root: its dumps, their pages, the facts in their sidecars. Never writes.

A dump is ``raw/<source>/<anything>.{txt,html,json,xml}``, optionally packed (``.gz``, ``.zst``), optionally with
``<full file name>.meta.toml`` beside it. Fetched captures have a log beside them, which is not a dump. Parsing dumps
does not belong here.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import BinaryIO, Final

from parsers._ledger.document import Document, DumpError, Facts
from pipeline.base.disk import IrregularError, open_to_read
from pipeline.base.settings import MEBIBYTE
from pipeline.raw.sidecar import SIDECAR_SUFFIX, is_possible, load_facts, load_sidecar
from pipeline.raw.unpack import UNPACKERS, PackedError, suffix_of
from pipeline.raw.walk import Contents, find_files

SUFFIXES: Final = frozenset({".txt", ".html", ".json", ".xml"})
CAPTURE_LOG: Final = "captures.ndjson"
"""The log of a fetched page, in the folder of its captures."""

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
    """A file of the raw root. ``path`` is relative to it (POSIX); ``page`` is common to all captures of a page.

    ``facts.captured_at`` is UTC without zone, from the sidecar, else from a stamp at the end of the file name.
    ``problem`` says why the sidecar is invalid, ``fault`` why the file must not be opened.
    """

    source: str
    path: str
    file: Path
    page: str
    facts: Facts
    problem: str | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Inventory:
    """The contents of a raw root: dumps by source, specimens left out because real dumps exist, and other files.

    ``unknown`` maps the path of each unclaimed file to a reason and what was expected, ``ignored`` the path of each
    harmless file to why it is ignored.
    """

    dumps: Mapping[str, tuple[Dump, ...]]
    left_out: tuple[str, ...]
    unknown: Mapping[str, str]
    ignored: Mapping[str, str]


def take_inventory(
    raw: Path,
    known: Iterable[str],
    links: Iterable[Path] = (),
    contributing: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> Inventory:
    """List the dumps of every known source, sorted by path; hidden files are skipped.

    Links may end below the raw root or below one of the folders ``links``. ``contributing`` are the dumps that
    published rows come from, by source and path, with the page of each: those in an unreadable folder are listed as
    unreadable. Otherwise they would count as deleted, and their rows with them.
    """
    known = set(known)
    found = find_files(raw, (raw, *links))
    dumps: dict[str, list[Dump]] = {source: [] for source in sorted(known)}
    unknown = dict.fromkeys(found.unnamed, "unknown_source: expected a name in UTF-8")
    ignored = {path: f"a link to {target}" for path, target in found.aliases.items() if not _is_sidecar(path, found)}
    for text in sorted({*found.files, *found.faults}, key=_place):
        path, fault = PurePosixPath(text), found.faults.get(text)
        if _is_sidecar(text, found):
            continue  # reported with its dump
        if _is_dump(path, known):
            problem = found.faults.get(text + SIDECAR_SUFFIX)
            # The target of a broken link may still appear: it is opened in its turn, and fails if still missing.
            lasting = None if text in found.late else fault
            dumps[path.parts[0]].append(describe(path, raw / path, problem, lasting))
        elif fault is not None:
            unknown[text] = f"unreadable: {fault}"
        elif path.suffix in _DOCUMENTATION:
            ignored[text] = "documentation"
        elif not _is_of_fetching(path, raw, known):
            unknown[text] = f"unknown_source: {_expected(path, known)}"
    left_out: list[str] = []
    for source, listed in dumps.items():
        listed.extend(_unreached(source, raw, found.faults, contributing.get(source, {})))
        listed.sort(key=lambda dump: _place(dump.path))
        if any(not dump.facts.specimen for dump in listed):
            left_out += [dump.path for dump in listed if dump.facts.specimen]
            dumps[source] = [dump for dump in listed if not dump.facts.specimen]
    return Inventory(
        {source: tuple(listed) for source, listed in dumps.items() if listed}, tuple(left_out), unknown, ignored
    )


def _unreached(source: str, raw: Path, faults: Mapping[str, str], pages: Mapping[str, str]) -> Iterator[Dump]:
    """Yield those of the dumps in ``pages``, by path, that are below an unreadable folder."""
    for path, page in pages.items() if faults else ():
        above = next((str(each) for each in PurePosixPath(path).parents if str(each) in faults), None)
        if above is not None:
            yield Dump(source, path, raw / path, page, Facts(), fault=f"{above}: {faults[above]}")


def _place(path: str) -> list[str]:
    """Return the sort key of a path: folder by folder."""
    return path.split("/")


def _is_dump(path: PurePosixPath, known: Collection[str]) -> bool:
    """True if a path is that of a dump of a known source."""
    return len(path.parts) > 1 and path.parts[0] in known and _unpacked(path).suffix in SUFFIXES


def _is_sidecar(path: str, found: Contents) -> bool:
    """True if a path is that of a sidecar with its dump beside it."""
    dump = path.removesuffix(SIDECAR_SUFFIX)
    return dump != path and (dump in found.files or dump in found.faults or dump in found.aliases)


def _is_of_fetching(path: PurePosixPath, raw: Path, known: Collection[str]) -> bool:
    """True if a file is a capture log, or a sidecar left by a killed fetch."""
    if path.name.endswith(SIDECAR_SUFFIX):
        return _interrupted(raw / path)
    return path.name == CAPTURE_LOG and path.parts[0] in known


def _expected(path: PurePosixPath, known: Collection[str]) -> str:
    """Return what was expected of a file that is not a dump."""
    if path.name.endswith(SIDECAR_SUFFIX):
        return "expected the dump that this sidecar belongs to beside it, found none"
    if len(path.parts) < 2 or path.parts[0] not in known:
        return f"expected raw/<source>/<dump>, the source one of {', '.join(sorted(known))}"
    return f"expected a file name ending in {', '.join(sorted(SUFFIXES))}, optionally followed by .gz or .zst"


def is_too_large(dump: Dump, max_bytes: int) -> bool:
    """True if a file is larger than a dump may be, without reading it; False if its size is unknown."""
    try:
        return dump.file.stat().st_size > max_bytes
    except OSError:
        return False


def was_touched(dump: Dump, since: float) -> bool:
    """True if a file, or the link to it, was touched since a moment (Unix time); False if it is gone by now."""
    try:
        return max(dump.file.stat().st_ctime, dump.file.lstat().st_ctime) >= since
    except OSError:
        return False


def load(dump: Dump, max_bytes: int) -> Document:
    """Read and decode one dump. Raises ``DumpError`` (bad_sidecar, unreadable, too_large, and those of decoding)."""
    _refuse_known(dump)
    if is_too_large(dump, max_bytes):
        raise _too_large(dump, max_bytes)
    try:
        with open_to_read(dump.file) as opened:
            packed = opened.read(max_bytes + 1)
    except IrregularError as error:
        raise DumpError(dump.path, 1, "unreadable", str(error)) from error
    except OSError as error:
        raise _unreadable(dump, error) from error
    return _decode(dump, packed, dump.file.suffix, max_bytes)


def load_piped(stream: BinaryIO, dump: Dump, max_bytes: int) -> Document:
    """Read and decode a dump that comes as a stream, no more of it than one dump may hold. Raises as ``load`` does.

    Whether it is packed is told by its first bytes: what is piped need not be what the name says.
    """
    _refuse_known(dump)
    try:
        packed = stream.read(max_bytes + 1)
    except OSError as error:
        raise _unreadable(dump, error) from error
    return _decode(dump, packed, suffix_of(packed), max_bytes)


def _refuse_known(dump: Dump) -> None:
    """Raise ``DumpError`` for what is known to be wrong before anything is read."""
    if dump.fault is not None:
        raise DumpError(dump.path, 1, "unreadable", dump.fault)
    if dump.problem is not None:
        raise DumpError(f"{dump.path}{SIDECAR_SUFFIX}", 1, "bad_sidecar", dump.problem)


def _decode(dump: Dump, packed: bytes, suffix: str, max_bytes: int) -> Document:
    """Unpack and decode the bytes of a dump, packed as the suffix says. Raises ``DumpError``."""
    data, unpack = packed, UNPACKERS.get(suffix)
    try:
        if unpack and len(packed) <= max_bytes:
            data = unpack(packed, max_bytes + 1)
    except PackedError as error:
        raise _unreadable(dump, error) from error
    if len(data) > max_bytes:
        raise _too_large(dump, max_bytes)
    return Document.from_bytes(dump.path, data, dump.facts, hashlib.sha256(packed).hexdigest())


def _too_large(dump: Dump, max_bytes: int) -> DumpError:
    """Return the error for a dump above the size limit."""
    expected = f"expected at most {max_bytes / MEBIBYTE:g} MiB in one dump, found more"
    return DumpError(dump.path, 1, "too_large", expected)


def _unreadable(dump: Dump, error: Exception) -> DumpError:
    """Return the error for a dump that cannot be read or unpacked; the path is in front of it already."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return DumpError(dump.path, 1, "unreadable", f"expected a readable file: {reason}")


def _interrupted(sidecar: Path) -> bool:
    """True if a sidecar has no dump because a fetch was killed between writing the two: nothing is lost."""
    try:
        return "sha256" in load_sidecar(sidecar)
    except ValueError:
        return False


def describe(path: PurePosixPath, file: Path, problem: str | None = None, fault: str | None = None) -> Dump:
    """Return the dump for one file, given its path below the raw root: with its facts, page and capture time.

    ``problem`` and ``fault`` are given if the sidecar or the file is already known to be bad.
    """
    facts = Facts()
    try:
        facts = load_facts(file) if problem is None else facts
    except ValueError as error:
        problem = str(error)
    stem, stamped = _split_stamp(path)
    captured = facts.captured_at or stamped
    if captured is not None and captured.tzinfo is not None:
        captured = captured.astimezone(UTC).replace(tzinfo=None)
    return Dump(path.parts[0], str(path), file, facts.url or stem, replace(facts, captured_at=captured), problem, fault)


def _split_stamp(path: PurePosixPath) -> tuple[str, datetime | None]:
    """Split a path into the part that all captures of its page share, and the time stamp at the end of its name."""
    bare = _unpacked(path)
    found = _STAMP.search(bare.stem)
    if found is None:
        return str(bare), None
    digits = re.sub(r"\D", "", found["date"] + found["time"]).ljust(14, "0")
    try:
        stamp = datetime.strptime(digits, "%Y%m%d%H%M%S")  # noqa: DTZ007  # the contract's stamps are UTC
    except ValueError:
        return str(bare), None
    if not is_possible(stamp):
        return str(bare), None
    return str(bare.with_name(bare.name[: found.start()] + bare.suffix)), stamp


def _unpacked(path: PurePosixPath) -> PurePosixPath:
    """Return the path without the suffix of a packed file: packing a capture does not make it another page."""
    return path.with_suffix("") if path.suffix in UNPACKERS else path
