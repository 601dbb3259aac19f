"""Takes the inventory of the raw root: its dumps, their pages, the facts in their sidecars. Never writes.

A dump is ``raw/<source>/<anything>.{txt,html,json,xml}``, optionally packed (``.gz``, ``.zst``), optionally with
``<full file name>.meta.toml`` beside it. Fetched captures have a log beside them, which is not a dump; nor are the
companions of a dump (``parsers._ledger.bundle``). Parsing dumps does not belong here.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from parsers._ledger.bundle import capture_of, is_companion, patterns_in
from parsers._ledger.document import TABLES, Facts
from parsers._registry import companions_of
from pipeline.base.known_files import KnownFiles
from pipeline.raw.dump import SUFFIXES, Dump, make_dump, name_of, source_of, suffix_in, unpacked
from pipeline.raw.sidecar import (
    SIDECAR_SUFFIX,
    load_sidecar,
    load_tables,
    recall_facts,
)
from pipeline.raw.walk import Contents, find_files

CAPTURE_LOG: Final = "captures.ndjson"
"""The log of a fetched page, in the folder of its captures."""

_ALTERED: Final = (
    "expected the bytes that it had, found others, though neither its size nor its times have changed: restore it from "
    "a copy, or touch it if it is right"
)
_DOCUMENTATION: Final = frozenset({".md"})

_Kind = Literal["dump", "tables", "log", "documentation", "other"]


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
    files.note_stamps(found.files, found.devices)
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
    asked = {source: tuple(map(page_of, logs)) for source, logs in groupby(paths["log"], key=source_of)}
    ignored = _links(found) | dict.fromkeys(paths["documentation"], "documentation")
    begun = {path for path in paths["other"] if path not in found.faults and _is_interrupted(raw / path)}
    unclaimed = [path for path in paths["other"] if path not in begun]
    unknown = _unclaimed(unclaimed, known, found) | _without_dumps(beside, listed, {capture_of(path) for path in begun})
    return Inventory(dumps, left_out, unknown, ignored, asked)


def _links(found: Contents) -> dict[str, str]:
    """Return the links to what is listed by another path, but for sidecars, each with why it is ignored."""
    return {path: f"a link to {target}" for path, target in found.aliases.items() if not _is_sidecar(path, found)}


def _unclaimed(others: Iterable[str], known: Collection[str], found: Contents) -> dict[str, str]:
    """Return the files that are no dumps, nor meant to be none, each with a reason and what was expected."""
    unknown = dict.fromkeys(found.unnamed, "unknown_source: expected a name in UTF-8")
    for path in others:
        if path in found.faults:
            unknown[path] = f"unreadable: {found.faults[path]}"
        else:
            unknown[path] = f"unknown_source: {_expected(path, known)}"
    return unknown


def _kind_of(path: str, known: Collection[str], found: Contents) -> _Kind:
    """Return what a file is, by its name."""
    in_source = "/" in path and source_of(path) in known
    if in_source and suffix_in(unpacked(path)) in SUFFIXES:
        return "dump"
    if in_source and name_of(path) == TABLES:
        return "tables"
    if path in found.faults:
        return "other"
    if suffix_in(path) in _DOCUMENTATION:
        return "documentation"
    if in_source and name_of(path) == CAPTURE_LOG:
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
    return make_dump(path, raw / path, *_facts(path, found, files), fault)


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
        return replace(dump, facts=replace(dump.facts, tables=files.derive(path, load_tables)))
    except ValueError as error:
        return replace(dump, problem=f"{path}: {error}", has_bad_tables=True)


def _companions(paths: dict[_Kind, list[str]], found: Contents, files: KnownFiles) -> dict[tuple[str, str], list[str]]:
    """Take the companions out of the dumps; return those of each capture: its folder, and the stamp in its names."""
    companions: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    dumps = []
    for path in paths["dump"]:
        patterns = companions_of(source_of(path))
        tables = _nearest_tables(path, found) if paths["tables"] else None
        if tables is not None and tables not in found.faults:
            with suppress(ValueError):  # it is told with the dump
                patterns |= patterns_in(files.derive(tables, load_tables))
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
    companions: Mapping[tuple[str, str], Sequence[str]],
    dumps: Mapping[str, Sequence[Dump]],
    begun: Collection[tuple[str, str]],
) -> dict[str, str]:
    """Return the companions that belong to no dump, each with what was expected.

    ``begun`` are captures that a fetch is writing, or was when it was killed.
    """
    if not companions:
        return {}
    taken = {path for own in dumps.values() for dump in own for path, _ in dump.facts.companions}
    by_capture = (beside for capture, beside in companions.items() if capture not in begun)
    lone = sorted(path for beside in by_capture for path in beside if path not in taken)
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


def _is_sidecar(path: str, found: Contents) -> bool:
    """True if a path is that of a sidecar with its dump beside it."""
    dump = path.removesuffix(SIDECAR_SUFFIX)
    return dump != path and (dump in found.files or dump in found.faults or dump in found.aliases)


def _expected(path: str, known: Collection[str]) -> str:
    """Return what was expected of a file that is not a dump."""
    if path.endswith(SIDECAR_SUFFIX):
        return "expected the dump that this sidecar belongs to beside it, found none"
    if "/" not in path or source_of(path) not in known:
        return f"expected raw/<source>/<dump>, the source one of {', '.join(sorted(known))}"
    return f"expected a file name ending in {', '.join(sorted(SUFFIXES))}, optionally followed by .gz or .zst"


def _is_interrupted(sidecar: Path) -> bool:
    """True if a file is a sidecar without a dump, since a fetch was killed between writing the two: nothing is lost."""
    try:
        return sidecar.name.endswith(SIDECAR_SUFFIX) and "sha256" in load_sidecar(sidecar)
    except ValueError:
        return False


def was_touched(file: Path, since: float) -> bool:
    """True if a file, or the link to it, was touched since a moment (Unix time); False if it is gone by now."""
    try:
        return max(file.stat().st_ctime, file.lstat().st_ctime) >= since
    except OSError:
        return False
