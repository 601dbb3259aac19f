"""The sources, their test modules and specimens; any of these may be missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING, Any, Final

import pytest

from parsers._contract import Source
from parsers._ledger.bundle import is_companion
from parsers._ledger.document import TABLES, Document, DumpError, Facts
from parsers._registry import companions_of, sources, systems

if TYPE_CHECKING:
    from pipeline.reading.parse import Parsed
    from schemas.items import Record

ROOT: Final = Path(__file__).parents[2]
SUFFIXES: Final = (".txt", ".html", ".xml", ".json", ".ics", ".csv", ".yml", ".js")


def each_source() -> pytest.MarkDecorator:
    """Return the marker that runs a test for each source."""
    return pytest.mark.parametrize("source", sources())


def part(source: str, name: str) -> Any:
    """Return a test module of a source; None if there is none."""
    is_there = (ROOT / "tests" / "sources" / source / f"{name}.py").is_file()
    return import_module(f"tests.sources.{source}.{name}") if is_there else None


def parts(name: str, attribute: str) -> Iterator[tuple[str, str]]:
    """Yield each source with each key that one of its test modules declares, for parametrized tests.

    A module that cannot be imported has none here: ``test_sources`` shows the error for its source alone.
    """
    for source in sources():
        with suppress(Exception):
            yield from [(source, key) for key in getattr(part(source, name), attribute, ())]


def good() -> list[Source]:
    """Return the sources, without those that cannot be imported: ``test_sources`` shows why."""
    found = []
    for name in sources():
        with suppress(Exception):
            found.append(sources()[name])
    return found


def fetched() -> list[str]:
    """Return the names of the sources whose pages are fetched."""
    return [source.name for source in good() if source.web]


def each_of(name: str, attribute: str) -> pytest.MarkDecorator:
    """Return the marker that runs a test for each key that the test modules of sources declare."""
    found = list(parts(name, attribute))
    return pytest.mark.parametrize(("source", "key"), found, ids=["-".join(pair) for pair in found])


@dataclass(frozen=True, slots=True)
class Specimen:
    """An invented dump of a source, in ``raw/<source>/``."""

    source: str
    file: Path

    def __str__(self) -> str:
        """Return the id of a test with this specimen."""
        return f"{self.source}-{self.file.name}"

    @property
    def text(self) -> str:
        """The text of the file."""
        return text_of(self.file)

    @property
    def facts(self) -> Facts:
        """The facts in its sidecar."""
        return facts_of(self.file)

    @property
    def companions(self) -> list[Path]:
        """The files that belong to it."""
        return [self.file.with_name(path.rpartition("/")[2]) for path, _ in self.facts.companions]

    def put_beside(self, folder: Path) -> None:
        """Put the tables by which the specimen is read, and its companions, into another folder of its source."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.facts.tables is not None:
            (folder / TABLES).write_text(self.facts.tables, encoding="utf-8")
        for each in self.companions:
            copy(each, folder)

    def document(self, text: str | bytes, path: str | None = None, facts: Facts | None = None) -> Document:
        """Return the document of another text, or its bytes, in place of this file. Raises ``DumpError``."""
        path = path or f"{self.source}/{self.file.name}"
        document = Document.from_bytes(path, text if isinstance(text, bytes) else text.encode(), facts or self.facts)
        beside = ((f"{path.rpartition('/')[0]}/{each.name}", each.read_bytes()) for each in self.companions)
        return replace(document, companions=tuple(Document.from_bytes(name, data) for name, data in beside))

    def read(self, text: str | bytes) -> tuple[Parsed, Document] | None:
        """Parse another text in place of this file; None if that is refused."""
        from tests.support.helpers import parse_document  # noqa: PLC0415  # not needed to collect

        try:
            document = self.document(text)
            return parse_document(sources()[self.source], document), document
        except DumpError:
            return None

    def add(self, strange: str) -> str:
        """Return the text with something strange at its end: as a line, an element, or a key of JSON."""
        match self.file.suffix:
            case ".json" | ".js":
                before, _, last = self.text.rpartition("}")
                return f'{before}, "zzqx": "{strange}"}}{last}'
            case ".html" | ".xml":
                before, _, last = self.text.rpartition("</")
                return f"{before}<p>{strange}</p></{last}"
            case ".yml":
                return f"{self.text}\n{'- ' if self.text.startswith('-') else ''}zzqx: {strange}"
        return f"{self.text}\n{strange}"


@cache
def text_of(file: Path) -> str:
    """Return the text of a specimen."""
    return file.read_text(encoding="utf-8")


@cache
def facts_of(file: Path) -> Facts:
    """Return the facts of a specimen or fixture, from its sidecar and the tables above it."""
    from pipeline.raw.dump import describe  # noqa: PLC0415  # not needed to collect

    return describe(f"{file.parent.name}/{file.name}", file).facts


def specimens(*suffixes: str) -> list[Specimen]:
    """Return the specimens of the sources, only those with the given suffixes if any."""
    wanted = suffixes or SUFFIXES
    return [each for source in sources() for each in _specimens_in(ROOT / "raw" / source) if each.file.suffix in wanted]


@cache
def _specimens_in(folder: Path) -> tuple[Specimen, ...]:
    """Return the specimens in the folder of a source."""
    files = (file for file in sorted(folder.rglob("*")) if file.suffix in SUFFIXES)
    return tuple(
        Specimen(folder.name, file) for file in files if not is_companion(file.name, companions_of(folder.name))
    )


def each_specimen(*suffixes: str) -> pytest.MarkDecorator:
    """Return the marker that runs a test for each of ``specimens(*suffixes)``."""
    return pytest.mark.parametrize("specimen", specimens(*suffixes), ids=str)


def bare(record: Record) -> Record:
    """Return a record without what other lines decide: line numbers, and an end inferred from the next talk."""
    slots = record.slots
    if slots and "end_inferred" in record.notes:
        slots = tuple(slot._replace(ends_at=None) for slot in slots)
    return record._replace(line_start=None, line_end=None, slots=slots)


def lacking(source: str) -> Iterator[str]:
    """Yield the paths of the files that an unfinished source lacks."""
    folder = ROOT / "tests" / "sources" / source
    found = [each.file for each in specimens() if each.source == source]
    if source in systems():  # its tests are made of its file, see tests/sources/test_systems.py
        if not found:
            yield f"raw/{source}/<name>.<csv, json or yml>"
        return
    needed = ["__init__.py", *(["layouts.py"] if all(file.suffix == ".txt" for file in found) else [])]
    yield from (_below_root(folder / name) for name in needed if not (folder / name).is_file())
    if not any(file.suffix in SUFFIXES for file in (folder / "fixtures").glob("*")):
        yield f"{_below_root(folder / 'fixtures')}/<case>.<txt, html, xml or json>"
    if not found:
        yield f"raw/{source}/<name>.<txt, html, xml or json>"
    sidecars = [file.with_name(f"{file.name}.meta.toml") for file in found]
    yield from (_below_root(file) for file in sidecars if not file.is_file())


def _below_root(file: Path) -> str:
    """Return a path as people write it."""
    return file.relative_to(ROOT).as_posix()
