"""Two invented sources for tests of the pipeline: each line of a dump is a record as JSON, visible in the test.

{"title": "Hay", "authors": ["Ann"], "start": "2025-01-01T09:00", "end": "2025-01-01T10:00", "room": "R"}
total 1 new
break                                 raises an error that no parser should raise
anything else                         is left unexplained
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import record_rule
from pipeline.base.settings import MAX_BYTES, Settings
from pipeline.publishing.store import open_snapshot
from pipeline.run.refresh import Result, refresh
from schemas.items import Declared, Item, Person, Record, Reject, Slot

LINE = record_rule("line")


def parse(document: Document) -> Iterator[Item]:
    """Yield one item per line."""
    for number, text in document.lines.texts():
        if text.startswith("{"):
            yield read_item(document, number, text)
        elif text.startswith("total"):
            document.lines.claim(number, LINE)
            _, count, *section = text.split()
            yield Declared(number, int(count), section[0] if section else None)
        elif text == "break":
            raise ZeroDivisionError("a defect")


def read_item(document: Document, number: int, text: str) -> Item:
    """Read one line of JSON; a truncated one is a reject."""
    try:
        fields: dict[str, Any] = json.loads(text)
    except json.JSONDecodeError as error:
        return Reject(number, number, text, "incomplete_item", str(error))
    document.lines.claim(number, LINE)
    starts, ends = (datetime.fromisoformat(fields.pop(key)) if key in fields else None for key in ("start", "end"))
    slot = Slot(starts, ends, fields.pop("room", None))
    people: dict[str, Any] = {
        key: tuple(map(Person, fields.pop(key))) for key in ("authors", "chairs") if key in fields
    }
    days: dict[str, Any] = {
        key: date.fromisoformat(fields.pop(key)) for key in ("listed_on", "published_on") if key in fields
    }
    lists: dict[str, Any] = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    given: dict[str, Any] = {**fields, **people, **days, **lists}
    return Record(line_start=number, line_end=number, slots=(slot,) if slot != Slot() else None, **given)


def recognise(document: Document) -> bool:
    """True if a document has a line in any of the known forms."""
    return any(text.startswith(("{", "total", "break")) for _, text in document.lines.texts())


def make_source(name: str, family: Family, page: PageKind, version: int = 1) -> Source:
    """Return one of the invented sources."""
    return Source(name, name.title(), version, family, page, (Format("json lines", "JSON objects", recognise, parse),))


FAIR = make_source("fair", Family.PROGRAMME, PageKind.STATE)
NEWS = make_source("news", Family.LISTING, PageKind.LOG)
TOYS = {"fair": FAIR, "news": NEWS}


Filled = Callable[[Callable[["Desk"], object]], Path]
"""Has a desk filled by a function, once, and returns its folder."""


class Desk:
    """The raw and the out root of a test and the sources that it knows, with helpers to fill, refresh and read them."""

    def __init__(self, folder: Path, known: Mapping[str, Source] = TOYS) -> None:
        """``folder`` belongs to the test alone."""
        self.known = known
        self.raw = folder / "raw"
        self.out = folder / "out"
        self.raw.mkdir()

    def take(self, folder: Path) -> "Desk":
        """Copy all that the desk in another folder has, and return this one."""
        shutil.copytree(folder, self.raw.parent, symlinks=True, dirs_exist_ok=True)
        return self

    def put(self, path: str, *lines: str | dict[str, Any], sidecar: str = "") -> Path:
        """Write a dump with one item per line, and its sidecar if given."""
        file = self.raw / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        if sidecar:
            file.with_name(file.name + ".meta.toml").write_text(sidecar)
        return file

    def run(self, *names: str, keep: int = 14, max_bytes: int = MAX_BYTES) -> Result:
        """Refresh the named sources, or all."""
        return refresh(Settings(self.raw, self.out, keep, max_bytes), self.known, names)

    def table(self, table: str, source: str) -> pl.DataFrame:
        """Read a published table of a source, whole."""
        snapshot = open_snapshot((self.out / "latest").resolve())
        return pl.concat([pl.read_parquet(snapshot.folder / path) for path in snapshot.pieces(table, source).values()])

    def titles(self, source: str) -> list[str]:
        """Return the published titles, sorted."""
        return sorted(self.table("records", source)["title"].to_list())

    def data(self) -> dict[str, bytes]:
        """Return the bytes of every published data file by path."""
        root = (self.out / "latest").resolve()
        return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(root.glob("*/*"))}
