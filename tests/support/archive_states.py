"""A raw archive that changes in every way it can, and what should then be published.

``World`` holds the captures of two invented sources, a programme and a listing, writes them below a raw root, passes
nights, and says what is wrong after each: ``faults``. Right is what comes of merging, at once and in a new out root,
every capture that feeds a source, as it was when it was last good (``World.feed``).

What feeds a source is known from what was written and from the published quarantine, which names each capture that was
refused. What stands in for captures that are gone is left out of this comparison, but not of that with a replay: the
rows of a page whose good capture was withdrawn while the others fail, those of a capture that fails and whose entry is
lost or of older code, and the tables of a source none of whose captures is good.
"""

import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import polars as pl

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from pipeline.base.settings import Settings
from pipeline.base.signals import GUARD_NAMES, GuardBook, Guards, Policy
from pipeline.guarding.comparison import compare
from pipeline.publishing.changes import find_changes
from pipeline.reading import cache
from pipeline.reading.identity import slug
from pipeline.run.refresh import refresh
from pipeline.run.replay import replay
from schemas.items import Item
from tests.support.deaths import KillError, from_step, stop
from tests.support.toy import read_item, recognise

KINDS: Final = {"fair": (Family.PROGRAMME, PageKind.STATE), "news": (Family.LISTING, PageKind.LOG)}
BAD: Final = "nowhere"
"""An address that validation refuses."""

DESCRIBING: Final = frozenset({"manifest.json", "changes.parquet", "README.md", "datapackage.json", "croissant.json"})
"""The files of a snapshot that tell of the night or of the snapshot before, not of the data alone."""

_REFUSED: Final = frozenset("bad_sidecar empty_dump empty_result not_this_source parser_failed unreadable".split())
_OFF: Final = Guards(**dict.fromkeys(GUARD_NAMES, Policy.OFF))  # type: ignore[arg-type]  # policies alone
_OF_CHANGES: Final = ("source", "record_id", "change")
"""The order in which changes are compared."""
_HASHES: Final = ("reading_hash", "code_hash", "merging_hash")


def begins_file(name: str, bits: int) -> bool:
    """True if the hash of a name begins with zero bits, so that a file of a table may begin with it."""
    return int.from_bytes(sha256(name.encode()).digest(), "big") >> (256 - bits) == 0


def first_name(word: str, form: str, bits: int) -> str:
    """Return a word with the first number whose slug, in a form such as ``news:{}``, may begin a file."""
    names = (f"{word} {number}" for number in count())
    return next(name for name in names if begins_file(form.format(slug(name)), bits))


def paths_of(page: str) -> tuple[str, ...]:
    """Return the paths that captures of a page can have, the oldest first; a file may begin with the third."""
    times = (f"20260103T{number // 3600:02}{number // 60 % 60:02}{number % 60:02}" for number in range(86_400))
    third = next(time for time in times if begins_file(f"{page}-{time}Z.txt", 10))
    stamps = ("20260101T000000", "20260102T000000", third, "20260104T000000", "20260105T000000")
    return tuple(f"{page}-{stamp}Z.txt" for stamp in stamps)


TITLES: Final = ("Hay", "Rye", first_name("Oat", "{}", 10), first_name("Oat", "news:{}", 10))
EVENTS: Final = ("Jam", first_name("Fete", "{}", 3), first_name("Fete", "fair:{}", 3))
PATHS: Final = {page: paths_of(page) for page in ("fair/a", "fair/b", "news/c", "news/d")}
"""The paths of every page."""


@dataclass(frozen=True, slots=True)
class Capture:
    """What a capture holds: its lines, and what its sidecar says."""

    lines: tuple[str, ...]
    sidecar: tuple[tuple[str, Any], ...] = ()

    def write(self, file: Path) -> None:
        """Write the capture, in place where it is, and its sidecar."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(self.lines), encoding="utf-8")
        sidecar = file.with_name(f"{file.name}.meta.toml")
        sidecar.unlink(missing_ok=True)
        if self.sidecar:
            sidecar.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in self.sidecar))


@dataclass(frozen=True, slots=True)
class Good:
    """A capture as it was when it was last good, and the version of the code that read it."""

    capture: Capture
    code: int


@contextmanager
def made_by(code: int) -> Iterator[None]:
    """Let the hashes of the code be those of another version, wherever they are used."""
    with ExitStack() as stack:
        for name in _HASHES:
            real = getattr(cache, name, None)
            for module in [each for each in sys.modules.values() if each.__name__.startswith("pipeline.")]:
                if real is not None and getattr(module, name, None) is real:
                    stack.enter_context(patch.object(module, name, lambda *_, name=name: f"{name} {code}"))
        yield


def make_sources(code: int) -> dict[str, Source]:
    """Return the sources as a version of the code reads them: it says so in each record."""

    def parse(document: Document) -> Iterator[Item]:
        for number, text in document.lines.texts():
            if text == "break":
                raise ZeroDivisionError("a defect")
            if text.startswith("{"):
                fields = {"summary": f"Read by version {code}.", **json.loads(text)}
                if document.facts.event and "event" not in fields and document.path.startswith("fair"):
                    fields["event"] = document.facts.event
                if "start" in fields:
                    fields["start"] = f"{document.facts.year or 2026}-{fields['start']}"
                yield read_item(document, number, json.dumps(fields))

    formats = (Format("json lines", "JSON objects", recognise, parse),)
    return {name: Source(name, name.title(), code, *kind, formats) for name, kind in KINDS.items()}


@dataclass
class World:
    """The captures by path, the out root, and what was last good; ``folder`` belongs to it alone."""

    folder: Path
    captures: dict[str, Capture] = field(default_factory=dict)
    good: dict[str, Good] = field(default_factory=dict)
    fed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    guards: Guards = field(default_factory=Guards)
    code: int = 1
    uncached: set[str] = field(default_factory=set)
    torn: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    published: dict[str, dict[str, dict[str, pl.DataFrame]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the roots."""
        self.raw, self.out = self.folder / "raw", self.folder / "out"
        self.raw.mkdir()

    # What changes between nights.

    def put(self, path: str, capture: Capture) -> None:
        """Add a capture, or change one in place."""
        self.captures[path] = capture
        capture.write(self.raw / path)

    def remove(self, path: str) -> None:
        """Withdraw a capture."""
        del self.captures[path]
        self.good.pop(path, None)
        self.uncached.discard(path)
        (self.raw / path).unlink()
        (self.raw / f"{path}.meta.toml").unlink(missing_ok=True)

    def forget(self, *, tables: bool) -> None:
        """Lose the entries of the cache, or the tables beside them if there are any."""
        found = self.out / ".cache"
        for each in found.iterdir() if found.is_dir() else ():
            if each.is_file() if tables else each.is_dir():
                shutil.rmtree(each) if each.is_dir() else each.unlink()
        if not tables:
            self.uncached |= self.captures.keys()

    def damage(self, number: int) -> None:
        """Damage a data file of the published snapshot where it stands."""
        files = sorted((self.out / "latest").resolve().glob("*/*"))
        file = files[number % len(files)]
        self.torn |= {file.name} if file.parent.name == "parquet" else set()
        file.chmod(0o644)
        with file.open("r+b") as opened:
            opened.write(b"damaged" if file.stat().st_size else b"damaged\n")

    # Nights.

    def settings(self, out: Path) -> Settings:
        """Return the settings of a run into an out root."""
        return Settings(self.raw, out, 2, guards=GuardBook(self.guards))

    def run(self) -> None:
        """Refresh both sources."""
        with made_by(self.code):
            refresh(self.settings(self.out), make_sources(self.code))

    def die(self, steps: int) -> None:
        """Refresh, and be killed after so many steps that change the disk."""
        with suppress(KillError), from_step(steps, self.folder, stop):
            self.run()
        self.keep_records()

    def keep_records(self) -> None:
        """Keep the records of the published snapshot: its files may be damaged later."""
        if (latest := self.latest) is not None and latest.name not in self.published:
            self.published[latest.name] = {source: records_by_file(latest, source) for source in KINDS}

    def pass_night(self) -> list[str]:
        """Refresh and return what is wrong then, one line for each fault."""
        before, whole = self.latest, self.folder / "whole"
        if self.out.exists():
            shutil.copytree(self.out, whole, symlinks=True)
        self.run()
        self.keep_records()
        with made_by(self.code):
            replay(self.settings(whole), make_sources(self.code), publish=True)
        faults = [*differences(data(self.out), data(whole), "merged at once"), *self.wrong_changes(before)]
        faults += [*self.follow(), *self.wrong_tables()]
        shutil.rmtree(whole)
        return faults

    @property
    def latest(self) -> Path | None:
        """The published snapshot."""
        link = self.out / "latest"
        return link.resolve() if link.exists() else None

    def wrong_changes(self, before: Path | None) -> Iterator[str]:
        """Yield whether the changes of a new snapshot are not those between it and the one that it replaces.

        Old records in a file that was damaged may be lost with their readings: they are as if they had not been there.
        """
        assert self.latest is not None
        if self.latest == before:
            return
        name = json.loads((self.latest / "manifest.json").read_text())["previous"]
        older = self.published[name] if name else {source: {} for source in KINDS}
        torn, self.torn = self.torn, set()
        changes = pl.read_parquet(self.latest / "changes.parquet").sort(_OF_CHANGES)
        for source, files in self.published[self.latest.name].items():
            old, new, found = older[source], joined(files), changes.filter(source=source)
            left = {file: rows for file, rows in old.items() if file not in torn}
            expected = [changes_between(joined(each), new) for each in (old, left)]
            if not any(map(found.equals, expected)):
                yield f"changes: expected {expected[0].rows()}, found {found.rows()}"

    # What should be published.

    def follow(self) -> Iterator[str]:
        """Take note of what is good after a night; yield the captures that were good, are the same, and are refused."""
        refused = self.refused()
        for page, paths in PATHS.items():
            there = [path for path in reversed(paths) if path in self.captures]
            fine = [path for path in there if path not in refused]
            kept = [path for path in there if path in refused and path in self.fed[page] and path in self.good]
            now = {path: Good(self.captures[path], self.code) for path in there}
            yield from (
                f"{path}: it was good, is as it was, and is refused" for path in kept if now[path] == self.good[path]
            )
            if page.startswith("news"):
                feeding = {*fine, *kept}
            else:
                feeding = {max(kept + fine, key=self.is_seen)} if kept and fine else set([*fine, *kept][:1])
                self.note_open(page, there, feeding)
            for path in feeding.difference(kept):
                self.good[path] = now[path]
                self.uncached.discard(path)
            self.fed[page] = feeding

    def note_open(self, page: str, there: list[str], feeding: set[str]) -> None:
        """Take note of whether the rows of a page may outlive their capture: it was withdrawn, and the others fail."""
        if there and not feeding and (self.fed[page] or page in self.open):
            self.open.add(page)
        else:
            self.open.discard(page)

    def is_seen(self, path: str) -> bool:
        """True if published sightings are those of a capture."""
        return path in column(self.latest, "sightings", path.split("/", maxsplit=1)[0], "dump")

    def refused(self) -> set[str]:
        """Return the captures that failed, as the published quarantine has it."""
        found = set()
        for source in KINDS:
            tables = [pl.read_parquet(file) for file in files_of(self.latest, "quarantine", source)]
            for dump, reason in pl.concat(tables).select("dump", "reason").rows() if tables else ():
                if reason in _REFUSED or reason.startswith("guard_"):
                    found.add(dump)
        return found & self.captures.keys()

    def feed(self, source: str) -> dict[str, Capture] | None:
        """Return the captures that feed a source, each as it was when it was last good; None if that is open."""
        refused, feeding = self.refused(), set().union(*(self.fed[page] for page in PATHS if page.startswith(source)))
        fails = not any(path.startswith(source) for path in feeding - refused)
        lost = any(self.good[path].code != self.code or path in self.uncached for path in feeding & refused)
        is_open = any(page.startswith(source) for page in self.open)
        return None if fails or lost or is_open else {path: self.good[path].capture for path in feeding}

    def wrong_tables(self) -> Iterator[str]:
        """Yield the files of records and sightings that are not those of one merge of all that feeds each source."""
        model = self.folder / "model"
        feeds = {source: feed for source in KINDS if (feed := self.feed(source))}
        for path, capture in [each for feed in feeds.values() for each in feed.items()]:
            capture.write(model / "raw" / path)
        if feeds:
            with made_by(self.code):
                settings = Settings(model / "raw", model / "out", guards=GuardBook(_OFF))
                refresh(settings, make_sources(self.code), sorted(feeds))
            made = {source: joined(records_by_file(model / "out" / "latest", source)) for source in feeds}
            shown = [source for source, table in made.items() if table is not None and table.height]
            there, right = (
                {path: each for path, each in data(out).items() if of_tables(path, shown)}
                for out in (self.out, model / "out")
            )
            yield from differences(
                there, right, f"merged of {sorted(path for feed in feeds.values() for path in feed)}"
            )
            shutil.rmtree(model)


def of_tables(path: str, sources: list[str]) -> bool:
    """True if a file holds records or sightings of one of these sources."""
    folder, _, name = path.partition("/")
    return folder in {"parquet", "json", "sightings"} and name.partition(".")[0] in sources


def data(out: Path) -> dict[str, bytes]:
    """Return the files of the published snapshot that follow from the data alone."""
    root = (out / "latest").resolve()
    files = {file.relative_to(root).as_posix(): file for file in root.rglob("*") if file.is_file()}
    return {path: file.read_bytes() for path, file in files.items() if path not in DESCRIBING}


def differences(found: dict[str, bytes], expected: dict[str, bytes], whose: str) -> Iterator[str]:
    """Yield the files that differ, with the rows that only one of them has."""
    for path in sorted({*found, *expected}):
        if found.get(path) != expected.get(path):
            there, right = rows_in(path, found.get(path)), rows_in(path, expected.get(path))
            lacking, surplus = (
                [row for row in some if row not in others] for some, others in ((right, there), (there, right))
            )
            yield f"{path}: expected what is {whose}\n  lacks {lacking}\n  has {surplus}"


def rows_in(path: str, content: bytes | None) -> list[Any]:
    """Return the rows of a file, without what is null; its bytes where it is no table."""
    if content is None:
        return ["no such file"]
    with suppress(pl.exceptions.PolarsError, ValueError):
        rows = (
            pl.read_parquet(content).to_dicts() if path.endswith(".parquet") else map(json.loads, content.splitlines())
        )
        return [{name: each for name, each in row.items() if each is not None} for row in rows]
    return [content]


def files_of(snapshot: Path | None, folder: str, source: str) -> list[Path]:
    """Return the files of a table of a source, in the order of their names."""
    return sorted((snapshot / folder).glob(f"{source}.*parquet")) if snapshot else []


def records_by_file(snapshot: Path | None, source: str) -> dict[str, pl.DataFrame]:
    """Return the records of a source in a snapshot by the names of their files."""
    return {file.name: pl.read_parquet(file) for file in files_of(snapshot, "parquet", source)}


def joined(files: dict[str, pl.DataFrame]) -> pl.DataFrame | None:
    """Return the records of all files; None if there are none."""
    return pl.concat(files.values()) if files else None


def changes_between(old: pl.DataFrame | None, new: pl.DataFrame | None) -> pl.DataFrame:
    """Return the changes between two states of a source, sorted."""
    retitled = compare(old, new).retitled if old is not None and new is not None and old.height else ()
    return find_changes(old, new, retitled).sort(_OF_CHANGES)


def column(snapshot: Path | None, folder: str, source: str, name: str) -> set[str]:
    """Return the values in a column of a table of a source."""
    tables = [pl.read_parquet(file, columns=[name]) for file in files_of(snapshot, folder, source)]
    return set(pl.concat(tables)[name]) if tables else set()
