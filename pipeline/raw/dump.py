"""A dump: a file of the raw root with the facts in its sidecar, the tables and companions beside it.

What else lies below the raw root is listed by ``pipeline.raw.inventory``; a dump is opened by ``pipeline.raw.load``.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from parsers._ledger.bundle import capture_of, is_companion, patterns_in, split_stamp
from parsers._ledger.document import TABLES, Facts
from parsers._registry import companions_of, sources
from pipeline.base.disk import hash_file
from pipeline.base.escape import is_utf8
from pipeline.raw.sidecar import load_facts, load_tables
from pipeline.raw.unpack import UNPACKERS

SUFFIXES: Final = frozenset(".txt .html .json .xml .ics .csv .tsv .yml .yaml .js".split())
OF_DATA: Final = frozenset(".json .csv .tsv .yml .yaml .js".split())
"""The suffixes that companions may have."""


@dataclass(frozen=True, slots=True)
class Dump:
    """A file of the raw root. ``path`` is relative to it (POSIX); ``page`` is common to all captures of a page.

    ``facts.captured_at`` is UTC without zone, from the sidecar, else from a stamp in the file name.
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


def describe(path: str, file: Path) -> Dump:
    """Return the dump for one file, given its path below the raw root: with its facts, page and capture time."""
    try:
        dump = make_dump(path, file, load_facts(file))
    except ValueError as error:
        return make_dump(path, file, Facts(), str(error))
    tables = tables_above(path, file)
    return read_by(dump, tables) if tables else _with_found(dump)


def tables_above(path: str, file: Path) -> Path | None:
    """Return the nearest file of tables, beside a file or in a folder above it, up to that of its source."""
    above = list(file.absolute().parents)[: max(1, path.count("/"))]
    return next((folder / TABLES for folder in above if (folder / TABLES).is_file()), None)


def _with_found(dump: Dump) -> Dump:
    """Return a dump with the companions in its folder: those of its source, of any where that is not known."""
    known = sources()
    patterns = patterns_in(dump.facts.tables or "").union(
        *map(companions_of, [dump.source] if dump.source in known else known)
    )
    hashes = tuple((path, hash_file(file)) for path, file in companions_beside(dump.path, dump.file, patterns))
    return replace(dump, facts=replace(dump.facts, companions=hashes))


def companions_beside(path: str, file: Path, patterns: Collection[str]) -> list[tuple[str, Path]]:
    """Return paths and files in the folder of a dump that have such patterns and are of its capture, sorted."""
    if not patterns or suffix_in(unpacked(path)) not in OF_DATA or not file.parent.is_dir():
        return []
    folder = path.rpartition("/")[0]
    beside = {
        f"{folder}/{each.name}".lstrip("/"): each
        for each in file.parent.iterdir()
        if each.name != file.name and suffix_in(unpacked(each.name)) in OF_DATA and is_utf8(each.name)
    }
    found = (each for each in sorted(beside) if is_companion(each, patterns) and capture_of(each) == capture_of(path))
    return [(each, beside[each]) for each in found if beside[each].is_file()]


def accepting(dump: Dump, guards: Iterable[str]) -> Dump:
    """Return a dump with guards that its sidecar accepts besides."""
    return replace(dump, facts=replace(dump.facts, accept=tuple(sorted({*dump.facts.accept, *guards}))))


def read_by(dump: Dump, tables: Path) -> Dump:
    """Return a dump that is read by the tables of a file."""
    try:
        return _with_found(replace(dump, facts=replace(dump.facts, tables=load_tables(tables))))
    except ValueError as error:
        return replace(dump, problem=f"{tables.name}: {error}", has_bad_tables=True)


def make_dump(path: str, file: Path, facts: Facts, problem: str | None = None, fault: str | None = None) -> Dump:
    """Return a dump with its facts; ``problem`` and ``fault`` say why the sidecar or the file is bad."""
    page = facts.url
    if page is None or facts.captured_at is None:
        stem, stamped = _split_stamp(path)
        page, facts = page or stem, replace(facts, captured_at=facts.captured_at or stamped)
    return Dump(source_of(path), path, file, page, facts, problem, fault)


def _split_stamp(path: str) -> tuple[str, datetime | None]:
    """Split a path into the part that all captures of its page share, and the moment of the stamp in its name."""
    bare = unpacked(path)
    found = split_stamp(name_of(bare))
    return bare.removesuffix(name_of(bare)) + found.name, found.moment


def unpacked(path: str) -> str:
    """Return the path without the suffix of a packed file: packing a capture does not make it another page."""
    suffix = suffix_in(path)
    return path.removesuffix(suffix) if suffix in UNPACKERS else path


def source_of(path: str) -> str:
    """Return the first folder of a path."""
    return path.partition("/")[0]


def name_of(path: str) -> str:
    """Return the last part of a path."""
    return path.rpartition("/")[2]


def suffix_in(path: str) -> str:
    """Return the suffix of the last part of a path, as ``pathlib`` does, which takes ten times as long."""
    stem, dot, suffix = name_of(path).rpartition(".")
    return dot + suffix if stem and suffix else ""
