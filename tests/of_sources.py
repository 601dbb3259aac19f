"""The sources whose tests are collected, the parts of their tests, their specimens; of each anything may be missing.

With ``-k NAME``, the name of a source alone, nothing of the other sources is collected or imported: common tests that
are about sources ask here, and ``tests/conftest.py`` leaves out the files that do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from parsers._contract import Document, DumpError, Facts, Source
from parsers._registry import sources

if TYPE_CHECKING:
    from pipeline.parse import Parsed
    from schemas.items import Record

ROOT: Final = Path(__file__).parent.parent
NEEDED: Final = ("__init__.py", "layouts.py")
SUFFIXES: Final = (".txt", ".html", ".xml", ".json")
only: list[str] = []
"""The source that ``-k`` names."""


def choose(expression: str) -> bool:
    """Take one source alone where an expression of ``-k`` is its name; say whether it is."""
    only[:] = [name for name in sources() if name == expression]
    return bool(only)


def names() -> list[str]:
    """Return the names of the sources whose tests are collected; none of them is imported."""
    return only or list(sources())


def each_source() -> pytest.MarkDecorator:
    """Return the marker of a test that is run for each source."""
    return pytest.mark.parametrize("source", names())


def part(source: str, name: str) -> Any:
    """Return a module of the tests of a source; None where there is none."""
    is_there = (ROOT / "tests" / "sources" / source / f"{name}.py").is_file()
    return import_module(f"tests.sources.{source}.{name}") if is_there else None


def parts(name: str, attribute: str) -> Iterator[tuple[str, str]]:
    """Yield the sources with the keys that a part of their tests declares, for parameters of tests.

    One that cannot be imported has none here: ``test_sources`` shows the error, as that of this source alone.
    """
    for source in names():
        with suppress(Exception):
            yield from [(source, key) for key in getattr(part(source, name), attribute, ())]


def good(wanted: Iterable[str]) -> list[Source]:
    """Return sources by their names, without those that cannot be imported: ``test_sources`` shows why."""
    found = []
    for name in wanted:
        with suppress(Exception):
            found.append(sources()[name])
    return found


def fetched() -> list[str]:
    """Return the names of the sources whose pages are fetched."""
    return [source.name for source in good(names()) if source.web]


def each_of(name: str, attribute: str) -> pytest.MarkDecorator:
    """Return the marker of a test that is run for each key that parts of sources declare."""
    found = list(parts(name, attribute))
    return pytest.mark.parametrize(("source", "key"), found, ids=["-".join(pair) for pair in found])


@dataclass(frozen=True, slots=True)
class Specimen:
    """An invented dump of a source, in ``raw/<source>/``."""

    source: str
    file: Path

    def __str__(self) -> str:
        """Name it for people, as the id of a test."""
        return f"{self.source}-{self.file.name}"

    @property
    def text(self) -> str:
        """What stands in it."""
        return self.file.read_text(encoding="utf-8")

    @property
    def facts(self) -> Facts:
        """What its sidecar says."""
        return _facts_of(self.file)

    def read(self, text: str) -> tuple[Parsed, Document] | None:
        """Parse another text in its place; None where that is refused."""
        from pipeline.parse import parse_document  # noqa: PLC0415  # not needed to collect

        try:
            document = Document.from_bytes(f"{self.source}/{self.file.name}", text.encode(), self.facts)
            return parse_document(sources()[self.source], document), document
        except DumpError:
            return None

    def add(self, strange: str) -> str:
        """Return its text with something strange at its end: as a line, an element, in data as a key."""
        match self.file.suffix:
            case ".json":
                before, _, last = self.text.rpartition("}")
                return f'{before}, "zzqx": "{strange}"}}{last}'
            case ".html" | ".xml":
                before, _, last = self.text.rpartition("</")
                return f"{before}<p>{strange}</p></{last}"
        return f"{self.text}\n{strange}"


@cache
def _facts_of(file: Path) -> Facts:
    """Read the sidecar of a specimen."""
    from pipeline.sidecar import read_facts  # noqa: PLC0415  # not needed to collect

    return read_facts(file)


def specimens(*suffixes: str) -> list[Specimen]:
    """Return the specimens of the sources, those of some suffixes."""
    wanted = suffixes or SUFFIXES
    return [
        Specimen(source, file)
        for source in names()
        for file in sorted((ROOT / "raw" / source).rglob("*"))
        if file.suffix in wanted
    ]


def each_specimen(*suffixes: str) -> pytest.MarkDecorator:
    """Return the marker of a test that is run for each specimen, those of some suffixes."""
    return pytest.mark.parametrize("specimen", specimens(*suffixes), ids=str)


def bare(record: Record) -> Record:
    """Take off a record what lines that are not its own decide: line numbers, and an end that the next talk gives."""
    slots = record.slots
    if slots and "end_inferred" in record.notes:
        slots = tuple(slot._replace(ends_at=None) for slot in slots)
    return record._replace(line_start=None, line_end=None, slots=slots)


def lacking(source: str) -> Iterator[str]:
    """Name what a source that is not finished lacks, by path."""
    folder = ROOT / "tests" / "sources" / source
    yield from (_below_root(folder / name) for name in NEEDED if not (folder / name).is_file())
    if not any(file.suffix in SUFFIXES for file in (folder / "fixtures").glob("*")):
        yield f"{_below_root(folder / 'fixtures')}/<case>.<txt, html, xml or json>"
    found = [each.file for each in specimens() if each.source == source]
    if not found:
        yield f"raw/{source}/<name>.<txt, html, xml or json>"
    sidecars = [file.with_name(f"{file.name}.meta.toml") for file in found]
    yield from (_below_root(file) for file in sidecars if not file.is_file())


def _below_root(file: Path) -> str:
    """Return a path as people write it."""
    return file.relative_to(ROOT).as_posix()
