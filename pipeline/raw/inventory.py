"""Takes the inventory of the raw root: its dumps, their pages, the facts in their sidecars. Never writes.

A dump is ``raw/<source>/<anything>.{txt,html,json,xml}``, optionally packed (``.gz``, ``.zst``), optionally with
``<full file name>.meta.toml`` beside it. Fetched captures have a log beside them, which is not a dump; nor are the
companions of a dump (``parsers._ledger.bundle``). Parsing dumps does not belong here.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Literal

from parsers._ledger.bundle import capture_of, is_companion, patterns_in
from parsers._ledger.document import TABLES, Document, DumpError, Facts
from parsers._ledger.lines import Lines
from parsers._registry import companions_of, sources
from pipeline.base.disk import IrregularError, hash_file, open_to_read
from pipeline.base.escape import is_utf8
from pipeline.base.known_files import KnownFiles
from pipeline.base.secret import masked_as
from pipeline.base.settings import MEBIBYTE
from pipeline.raw.sidecar import (
    SIDECAR_SUFFIX,
    is_possible,
    load_facts,
    load_sidecar,
    load_tables,
    recall_facts,
)
from pipeline.raw.signatures import find_signature
from pipeline.raw.unpack import UNPACKERS, PackedError, suffix_of
from pipeline.raw.walk import Contents, find_files

SUFFIXES: Final = frozenset(".txt .html .json .xml .ics .csv .tsv .yml .yaml .js".split())
_OF_DATA: Final = frozenset(".json .csv .tsv .yml .yaml .js".split())
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
_ALTERED: Final = (
    "expected the bytes that it had, found others, though neither its size nor its times have changed: restore it from "
    "a copy, or touch it if it is right"
)
_DOCUMENTATION: Final = frozenset({".md"})

_Kind = Literal["dump", "tables", "log", "documentation", "other"]


@dataclass(frozen=True, slots=True)
class Dump:
    """A file of the raw root. ``path`` is relative to it (POSIX); ``page`` is common to all captures of a page.

    ``facts.captured_at`` is UTC without zone, from the sidecar, else from a stamp at the end of the file name.
    ``problem`` says why the sidecar is invalid, or the file of ``tables``, ``fault`` why the file must not be opened.
    """

    source: str
    path: str
    file: Path
    page: str
    facts: Facts
    problem: str | None = None
    fault: str | None = None
    has_bad_tables: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the dump and of its companions."""
        return self.path, *(path for path, _ in self.facts.companions)


@dataclass(frozen=True, slots=True)
class Inventory:
    """The contents of a raw root: dumps by source, specimens left out because real dumps exist, and other files.

    ``unknown`` maps the path of each unclaimed file to a reason and what was expected, ``ignored`` the path of each
    harmless file to why it is ignored. ``asked`` has the pages of each source that were ever requested, by their keys.
    """

    dumps: Mapping[str, tuple[Dump, ...]]
    left_out: tuple[str, ...]
    unknown: Mapping[str, str]
    ignored: Mapping[str, str]
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def take_inventory(
    raw: Path,
    known: Iterable[str],
    links: Iterable[Path] = (),
    contributing: Callable[[str], Mapping[str, str]] = lambda _: {},
    files: KnownFiles | None = None,
) -> Inventory:
    """List the dumps of every known source, sorted by path; hidden files are skipped.

    Links may end below the raw root or below one of the folders ``links``. ``contributing`` tells the dumps that the
    published rows of a source come from, by path, with the page of each: those in an unreadable folder are listed as
    unreadable. Otherwise they would count as deleted, and their rows with them. Of what ``files`` knows, no sidecar is
    read. Each dump has the nearest file of tables in its folder or above, among its facts.
    """
    known = frozenset(known)
    found = find_files(raw, (raw, *links))
    files = files or KnownFiles(raw)
    files.see(found.files, found.devices)
    paths: defaultdict[_Kind, list[str]] = defaultdict(list)
    for path in sorted({**found.files, **found.faults}, key=_place):  # sidecars are reported with their dumps
        if not _is_sidecar(path, found):
            paths[_kind_of(path, known, found)].append(path)
    listed: dict[str, list[Dump]] = {source: [] for source in sorted(known)}
    beside = _companions(paths, found, files)
    for path in paths["dump"]:
        dump = _list_dump(path, raw, found, files)
        dump = _with_tables(dump, found, files) if paths["tables"] else dump
        listed[dump.source].append(_with_companions(dump, beside, files))
    if found.faults:
        _add_unreached(listed, raw, found.faults, contributing)
    dumps, left_out = _leave_specimens_out(listed)
    asked = {source: tuple(map(page_of, logs)) for source, logs in groupby(paths["log"], key=_source)}
    ignored = _links(found) | dict.fromkeys(paths["documentation"], "documentation")
    unknown = _unclaimed(paths["other"], raw, known, found) | _without_dumps(beside, dumps)
    return Inventory(dumps, left_out, unknown, ignored, asked)


def _links(found: Contents) -> dict[str, str]:
    """Return the links to what is listed by another path, but for sidecars, each with why it is ignored."""
    return {path: f"a link to {target}" for path, target in found.aliases.items() if not _is_sidecar(path, found)}


def _unclaimed(others: Iterable[str], raw: Path, known: Collection[str], found: Contents) -> dict[str, str]:
    """Return the files that are no dumps, nor meant to be none, each with a reason and what was expected."""
    unknown = dict.fromkeys(found.unnamed, "unknown_source: expected a name in UTF-8")
    for path in others:
        if path in found.faults:
            unknown[path] = f"unreadable: {found.faults[path]}"
        elif not _is_interrupted(raw / path):
            unknown[path] = f"unknown_source: {_expected(path, known)}"
    return unknown


def _kind_of(path: str, known: Collection[str], found: Contents) -> _Kind:
    """Return what a file is, by its name."""
    in_source = "/" in path and _source(path) in known
    if in_source and _suffix(_unpacked(path)) in SUFFIXES:
        return "dump"
    if in_source and _name(path) == TABLES:
        return "tables"
    if path in found.faults:
        return "other"
    if _suffix(path) in _DOCUMENTATION:
        return "documentation"
    if in_source and _name(path) == CAPTURE_LOG:
        return "log"
    return "other"


def page_of(log: str) -> str:
    """Return the key of a page, given the path of its log below the raw root."""
    return log.partition("/")[2].rpartition("/")[0]


def log_of(source: str, key: str) -> str:
    """Return the path of the log of a page below the raw root."""
    return "/".join(filter(None, (source, key, CAPTURE_LOG)))


def _list_dump(path: str, raw: Path, found: Contents, files: KnownFiles) -> Dump:
    """Return the dump of a path below the raw root, with its facts and what is wrong with its file."""
    # The target of a broken link may still appear: it is opened in its turn, and fails if still missing.
    fault = None if path in found.late else found.faults.get(path) or (_ALTERED if files.is_altered(path) else None)
    return _describe(path, raw / path, *_facts(path, found, files), fault)


def _leave_specimens_out(
    listed: Mapping[str, Sequence[Dump]],
) -> tuple[dict[str, tuple[Dump, ...]], tuple[str, ...]]:
    """Return the dumps of each source that has any, and the paths of the specimens that stand beside real ones."""
    dumps, left_out = {}, []
    for source, own in listed.items():
        real = [dump for dump in own if not dump.facts.specimen]
        if real:
            left_out += [dump.path for dump in own if dump.facts.specimen]
        if own:
            dumps[source] = tuple(real or own)
    return dumps, tuple(left_out)


def _facts(path: str, found: Contents, files: KnownFiles) -> tuple[Facts, str | None]:
    """Return the facts in the sidecar of a dump, or none and why it is invalid."""
    sidecar = path + SIDECAR_SUFFIX
    if sidecar in found.faults:
        return Facts(), found.faults[sidecar]
    if not (sidecar in found.files or sidecar in found.aliases or sidecar in found.folders):
        return Facts(), None
    try:
        return recall_facts(files, sidecar), None
    except ValueError as error:
        return Facts(), str(error)


def _nearest_tables(path: str, found: Contents) -> str | None:
    """Return the nearest file of tables, beside a dump or in a folder above it, up to that of its source."""
    above = (str(folder / TABLES) for folder in list(PurePosixPath(path).parents)[:-1])
    return next((each for each in above if each in found.faults or each in found.files or each in found.aliases), None)


def _with_tables(dump: Dump, found: Contents, files: KnownFiles) -> Dump:
    """Return a dump with the nearest file of tables."""
    path = _nearest_tables(dump.path, found)
    if path is None:
        return dump
    if path in found.faults:
        return replace(dump, problem=f"{path}: {found.faults[path]}", has_bad_tables=True)
    try:
        return replace(dump, facts=replace(dump.facts, tables=files.made_of(path, load_tables)))
    except ValueError as error:
        return replace(dump, problem=f"{path}: {error}", has_bad_tables=True)


def _companions(paths: dict[_Kind, list[str]], found: Contents, files: KnownFiles) -> dict[tuple[str, str], list[str]]:
    """Take the companions out of the dumps; return those of each capture: its folder, and the stamp in its names."""
    companions: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    dumps = []
    for path in paths["dump"]:
        patterns = companions_of(_source(path))
        tables = _nearest_tables(path, found) if paths["tables"] else None
        if tables is not None and tables not in found.faults:
            with suppress(ValueError):  # it is told with the dump
                patterns |= patterns_in(files.made_of(tables, load_tables))
        if patterns and is_companion(path, patterns):
            companions[capture_of(path)].append(path)
        else:
            dumps.append(path)
    paths["dump"] = dumps
    return companions


def _with_companions(dump: Dump, companions: Mapping[tuple[str, str], Sequence[str]], files: KnownFiles) -> Dump:
    """Return a dump with its companions among its facts."""
    if not companions or (beside := companions.get(capture_of(dump.path))) is None:
        return dump
    found = tuple((path, files.hash_of(path) or "") for path in beside)
    return replace(dump, facts=replace(dump.facts, companions=found))


def _without_dumps(
    companions: Mapping[tuple[str, str], Sequence[str]], dumps: Mapping[str, Sequence[Dump]]
) -> dict[str, str]:
    """Return the companions that belong to no dump, each with what was expected."""
    if not companions:
        return {}
    taken = {path for own in dumps.values() for dump in own for path, _ in dump.facts.companions}
    lone = sorted(path for beside in companions.values() for path in beside if path not in taken)
    return dict.fromkeys(lone, "unknown_source: expected the dump that this file belongs to beside it, found none")


def _add_unreached(
    listed: Mapping[str, list[Dump]],
    raw: Path,
    faults: Mapping[str, str],
    contributing: Callable[[str], Mapping[str, str]],
) -> None:
    """Add the dumps that are below an unreadable folder, as ``take_inventory`` says."""
    for source, own in listed.items():
        for path, page in contributing(source).items():
            above = next((str(each) for each in PurePosixPath(path).parents if str(each) in faults), None)
            if above is not None:
                own.append(Dump(source, path, raw / path, page, Facts(), fault=f"{above}: {faults[above]}"))
        own.sort(key=lambda dump: _place(dump.path))


def _place(path: str) -> list[str]:
    """Return the sort key of a path: folder by folder."""
    return path.split("/")


def _source(path: str) -> str:
    """Return the first folder of a path."""
    return path.partition("/")[0]


def _name(path: str) -> str:
    """Return the last part of a path."""
    return path.rpartition("/")[2]


def _suffix(path: str) -> str:
    """Return the suffix of the last part of a path, as ``pathlib`` does, which takes ten times as long."""
    stem, dot, suffix = _name(path).rpartition(".")
    return dot + suffix if stem and suffix else ""


def _is_sidecar(path: str, found: Contents) -> bool:
    """True if a path is that of a sidecar with its dump beside it."""
    dump = path.removesuffix(SIDECAR_SUFFIX)
    return dump != path and (dump in found.files or dump in found.faults or dump in found.aliases)


def _expected(path: str, known: Collection[str]) -> str:
    """Return what was expected of a file that is not a dump."""
    if path.endswith(SIDECAR_SUFFIX):
        return "expected the dump that this sidecar belongs to beside it, found none"
    if "/" not in path or _source(path) not in known:
        return f"expected raw/<source>/<dump>, the source one of {', '.join(sorted(known))}"
    return f"expected a file name ending in {', '.join(sorted(SUFFIXES))}, optionally followed by .gz or .zst"


def is_too_large(dump: Dump, max_bytes: int) -> bool:
    """True if a file is larger than a dump may be, without reading it; False if its size is unknown."""
    try:
        return dump.file.stat().st_size > max_bytes
    except OSError:
        return False


def was_touched(file: Path, since: float) -> bool:
    """True if a file, or the link to it, was touched since a moment (Unix time); False if it is gone by now."""
    try:
        return max(file.stat().st_ctime, file.lstat().st_ctime) >= since
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
    return _with_loaded(dump, _decode(dump, packed, dump.file.suffix, max_bytes), max_bytes)


def _with_loaded(dump: Dump, document: Document, max_bytes: int) -> Document:
    """Return a document with its companions: together they have at most as many bytes as one dump.

    Raises ``DumpError`` naming the companion.
    """
    loaded, left = list[Document](), max_bytes
    for path, digest in dump.facts.companions:
        left -= len((loaded[-1] if loaded else document).text.encode())
        beside = Dump(dump.source, path, dump.file.with_name(_name(path)), dump.page, Facts(url=dump.facts.url))
        try:
            companion = load(beside, max(left, 0))
        except DumpError as error:
            if error.reason != "too_large":
                raise
            expected = f"expected at most {max_bytes / MEBIBYTE:g} MiB in one dump with its companions, found more"
            raise DumpError(path, 1, "too_large", expected) from error
        if digest and companion.sha256 != digest:
            raise DumpError(path, 1, "unreadable", "expected a file that stays as it is; its bytes have just changed")
        loaded.append(companion)
    return replace(document, companions=tuple(loaded))


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
    if dump.problem is not None and dump.has_bad_tables:
        raise DumpError(dump.path, 1, "bad_table", dump.problem)
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
    if found := find_signature(data):
        raise DumpError(dump.path, 1, "decode_error", f"expected text, found {found[0]}: {found[1]}")
    document = Document.from_bytes(dump.path, data, dump.facts, hashlib.sha256(packed).hexdigest())
    text = masked_as(dump.facts.url, document.text)  # a page that prints its own address tells its secrets
    return document if text == document.text else replace(document, text=text, lines=Lines(text))


def _too_large(dump: Dump, max_bytes: int) -> DumpError:
    """Return the error for a dump above the size limit."""
    expected = f"expected at most {max_bytes / MEBIBYTE:g} MiB in one dump, found more"
    return DumpError(dump.path, 1, "too_large", expected)


def _unreadable(dump: Dump, error: Exception) -> DumpError:
    """Return the error for a dump that cannot be read or unpacked; the path is in front of it already."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return DumpError(dump.path, 1, "unreadable", f"expected a readable file: {reason}")


def _is_interrupted(sidecar: Path) -> bool:
    """True if a file is a sidecar without a dump, since a fetch was killed between writing the two: nothing is lost."""
    try:
        return sidecar.name.endswith(SIDECAR_SUFFIX) and "sha256" in load_sidecar(sidecar)
    except ValueError:
        return False


def describe(path: str, file: Path) -> Dump:
    """Return the dump for one file, given its path below the raw root: with its facts, page and capture time."""
    try:
        dump = _describe(path, file, load_facts(file))
    except ValueError as error:
        return _describe(path, file, Facts(), str(error))
    above = list(file.absolute().parents)[: max(1, path.count("/"))]
    tables = next((folder / TABLES for folder in above if (folder / TABLES).is_file()), None)
    return read_by(dump, tables) if tables else _with_found(dump)


def _with_found(dump: Dump) -> Dump:
    """Return a dump with the companions in its folder: those of its source, of any where that is not known."""
    known = sources()
    patterns = patterns_in(dump.facts.tables or "").union(
        *map(companions_of, [dump.source] if dump.source in known else known)
    )
    if not patterns or _suffix(_unpacked(dump.path)) not in _OF_DATA or not dump.file.parent.is_dir():
        return dump
    folder = dump.path.rpartition("/")[0]
    beside = {
        f"{folder}/{file.name}".lstrip("/"): file
        for file in dump.file.parent.iterdir()
        if file.name != dump.file.name and _suffix(_unpacked(file.name)) in _OF_DATA and is_utf8(file.name)
    }
    found = sorted(
        path for path in beside if is_companion(path, patterns) and capture_of(path) == capture_of(dump.path)
    )
    hashes = tuple((path, hash_file(beside[path])) for path in found if beside[path].is_file())
    return replace(dump, facts=replace(dump.facts, companions=hashes))


def accepting(dump: Dump, guards: Iterable[str]) -> Dump:
    """Return a dump with guards that its sidecar accepts besides."""
    return replace(dump, facts=replace(dump.facts, accept=tuple(sorted({*dump.facts.accept, *guards}))))


def read_by(dump: Dump, tables: Path) -> Dump:
    """Return a dump that is read by the tables of a file."""
    try:
        return _with_found(replace(dump, facts=replace(dump.facts, tables=load_tables(tables))))
    except ValueError as error:
        return replace(dump, problem=f"{tables.name}: {error}", has_bad_tables=True)


def _describe(path: str, file: Path, facts: Facts, problem: str | None = None, fault: str | None = None) -> Dump:
    """Return a dump with its facts; ``problem`` and ``fault`` say why the sidecar or the file is bad."""
    page = facts.url
    if page is None or facts.captured_at is None:
        stem, stamped = _split_stamp(path)
        page, facts = page or stem, replace(facts, captured_at=facts.captured_at or stamped)
    return Dump(_source(path), path, file, page, facts, problem, fault)


def _split_stamp(path: str) -> tuple[str, datetime | None]:
    """Split a path into the part that all captures of its page share, and the time stamp at the end of its name."""
    bare = _unpacked(path)
    suffix = _suffix(bare)
    stem = bare.removesuffix(suffix)
    name = _name(stem)
    found = _STAMP.search(name)
    if found is None:
        return bare, None
    digits = re.sub(r"\D", "", found["date"] + found["time"]).ljust(14, "0")
    try:
        stamp = datetime.strptime(digits, "%Y%m%d%H%M%S")  # noqa: DTZ007  # the contract's stamps are UTC
    except ValueError:
        return bare, None
    if not is_possible(stamp):
        return bare, None
    return stem.removesuffix(name) + name[: found.start()] + suffix, stamp


def _unpacked(path: str) -> str:
    """Return the path without the suffix of a packed file: packing a capture does not make it another page."""
    suffix = _suffix(path)
    return path.removesuffix(suffix) if suffix in UNPACKERS else path
