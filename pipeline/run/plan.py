"""The plan of a run, made before anything is read: sources, dumps and their hashes, published snapshots."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl

from parsers._contract import Family, PageKind, Source
from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import Settings, UsageError
from pipeline.base.suggest import check_names
from pipeline.publishing.captures import Row, contributing, describe_facts, failed_paths, known_captures
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import Snapshot
from pipeline.raw.inventory import Dump, Inventory, take_inventory
from pipeline.reading.cache import CACHE, digest_of, entry_key, load_known_files, made_with, merging_hash
from pipeline.reading.read import Reading
from pipeline.workers.reader import Done

_KEPT: Final = 16
"""Captures whose records are kept during a run, the last ones that were judged: the next are compared with them."""

_GOOD: Final = pl.col("error").is_null() & pl.col("entry").is_not_null()
"""True of the rows of captures that were found good and have a reading."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run: the known and the chosen sources, the dumps in the raw root, and the published snapshots.

    Sources are given by name: one with nothing new is not imported. With ``again`` dumps that exceeded their limits in
    an earlier run are tried again; with ``anew`` all captures are read again, all rows are merged, and newer code may
    take values away from published records; the dumps of ``withdrawn`` sources were removed on purpose. ``files`` knows
    the hashes of the files; ``warnings`` are messages on problems that did no harm, ``refused`` the readings of dumps
    that have changed since this run read them.
    """

    settings: Settings
    known: Mapping[str, Source]
    chosen: tuple[str, ...]
    inventory: Inventory
    files: KnownFiles
    chain: Chain
    started_at: datetime
    everything: bool
    again: bool = False
    anew: bool = False
    withdrawn: tuple[str, ...] = ()
    refused: dict[str, Reading] = field(default_factory=dict, init=False, repr=False, compare=False)
    warnings: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    _hashes: dict[str, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    _by_path: dict[str, dict[str, Dump]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _seconds: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _captures: dict[str, pl.DataFrame] = field(default_factory=dict, init=False, repr=False, compare=False)
    _good: dict[str, tuple[bool, dict[str, list[Any]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _failed: dict[str, set[str]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _rows: deque[tuple[str, str | None, pl.DataFrame]] = field(
        default_factory=lambda: deque(maxlen=_KEPT), init=False, repr=False, compare=False
    )

    @property
    def previous(self) -> Snapshot | None:
        """The snapshot that the run continues from; None for a first run."""
        return self.chain.last

    def source(self, name: str) -> Source:
        """Return a source, importing it if needed."""
        return self.known[name]

    def others(self, name: str) -> Iterator[Source]:
        """Yield all sources but one; each is imported only when it is reached."""
        return (source for other, source in self.known.items() if other != name)

    def dumps(self, source: str) -> tuple[Dump, ...]:
        """Return the dumps of a source, sorted by path."""
        return self.inventory.dumps.get(source, ())

    def dump(self, source: str, path: str) -> Dump | None:
        """Return a dump by its path; None if there is none."""
        if source not in self._by_path:
            self._by_path[source] = {dump.path: dump for dump in self.dumps(source)}
        return self._by_path[source].get(path)

    def hash(self, dump: Dump) -> str | None:
        """Return the SHA-256 of a dump's bytes; None if it cannot be read or is too large."""
        if dump.path not in self._hashes:
            odd = dump.fault is not None or (self.files.size_of(dump.path) or 0) > self.settings.max_bytes
            self._hashes[dump.path] = None if odd else self.files.hash_of(dump.path)
        return self._hashes[dump.path]

    def look_again(self, dump: Dump) -> str | None:
        """Look at a dump again: one that had no hash may be readable by now, unless it must not be opened."""
        if dump.fault is None:
            del self._hashes[dump.path]
            self.files.look_again(dump.path)
        return self.hash(dump)

    def take_note(self, done: Done) -> None:
        """Note the result of a reading: the hash, since a file can change during a run, CPU seconds and problems."""
        self._hashes[done.path] = done.digest
        self._seconds[done.path] = self._seconds.get(done.path, 0.0) + done.seconds
        if (
            done.problem is not None
            and (problem := f"not cached for the next run: {done.problem}") not in self.warnings
        ):
            self.warnings.append(problem)

    def seconds(self, source: str) -> float:
        """Return the CPU seconds that reading the dumps of a source took in this run."""
        return sum(self._seconds.get(dump.path, 0.0) for dump in self.dumps(source))

    def keep_rows(self, reading: Reading) -> None:
        """Keep the records of a good capture for a while: later ones of its page are compared with them."""
        self._rows.append((reading.dump.path, reading.sha256, reading.records))

    def rows(self, path: str, sha256: str | None) -> pl.DataFrame | None:
        """Return the records of one of the last good captures of this run; None for any other."""
        return next((rows for *capture, rows in reversed(self._rows) if capture == [path, sha256]), None)

    def captures(self, source: str) -> pl.DataFrame:
        """Return what the published dataset knows of the captures of a source."""
        if source not in self._captures:
            self._captures[source] = known_captures(self.chain, source)
        return self._captures[source]

    def page_kind(self, source: str) -> PageKind:
        """Return the kind of a source's pages; a known good capture tells it without importing the source."""
        good = self.captures(source).filter(pl.col("error").is_null() & pl.col("format").is_not_null())
        if good.is_empty():
            return self.source(source).page
        return PageKind.LOG if good["log"][0] else PageKind.STATE

    def parser(self, source: str) -> str:
        """Return parser and version of a source; one that has the code of the published rows is not imported for it."""
        block = self.previous.sources.get(source, {}) if self.previous else {}
        if not self.dumps(source) or self.has_known_code(source):
            return str(block.get("parser", source))
        return self.source(source).parser

    def family(self, source: str) -> Family | None:
        """Return the family of a source; None if it has no parser."""
        return self.source(source).family if source in self.known else None

    def is_known(self, dump: Dump) -> bool:
        """True if a capture need not be read: it was found good, and nothing has changed since.

        One that failed meanwhile, with other bytes, is read: its place in the quarantine was taken.
        """
        return not self.anew and self.stays_good(dump) and dump.path not in self._failed[dump.source]

    def stays_good(self, dump: Dump) -> bool:
        """True if a capture was found good and stays so.

        It stays so while its bytes, its sidecar and the code that reads it are the same, whatever guards would say now.
        """
        source = dump.source
        if source not in self._good:
            numbered = self.captures(source).with_row_index("row").filter(_GOOD)
            known = numbered.select("dump", "row", "entry", "dump_sha256", "captured_at", "page", "facts")
            self._good[source] = self.has_known_code(source), {path: rest for path, *rest in known.iter_rows()}
            self._failed[source] = failed_paths(self.captures(source))
        same_code, good = self._good[source]
        if dump.path not in good or dump.problem or dump.fault or dump.path in self.refused:
            return False
        _, entry, *said = good[dump.path]
        if said != [self.hash(dump), dump.facts.captured_at, dump.page, describe_facts(dump.facts)]:
            return False
        return bool(same_code or entry == self.key(source, dump))

    def known_row(self, dump: Dump) -> Row | None:
        """Return what is known of a capture that was found good and stays so; None for any other."""
        if not self.stays_good(dump):
            return None
        number, *_ = self._good[dump.source][1][dump.path]
        return self.captures(dump.source).row(number, named=True)

    def has_known_code(self, source: str) -> bool:
        """True if the published rows of a source were read and merged by the code of this run."""
        block = self.previous.sources.get(source, {}) if self.previous else {}
        return block.get("code") == self.code(source)

    def reads_as_before(self, source: str) -> bool:
        """True if the published rows of a source were read by the code of this run, and by the same files of tables."""
        by_tables = {dump.path: dump.facts for dump in self.dumps(source) if dump.facts.tables is not None}
        if not by_tables or not self.has_known_code(source):
            return self.has_known_code(source)
        rows = self.captures(source).filter(pl.col("dump").is_in(sorted(by_tables))).select("dump", "facts")
        return all(describe_facts(by_tables[path]) == facts for path, facts in rows.iter_rows())

    def is_whole(self, source: str) -> bool:
        """True if all rows of a source are merged again, not only those that new captures show."""
        if self.anew or self.previous is None or not self.previous.is_current or not self.has_known_code(source):
            return True
        return not self.previous.pieces("captures", source) or not self.previous.holds(source)

    def code(self, source: str) -> str:
        """Return a hash of the code that reads the dumps of a source and merges them, and of what that depends on."""
        return digest_of([made_with(source), merging_hash(), self.settings.max_bytes])

    def cache(self, source: str) -> Path:
        """Return the cache folder of a source."""
        return self.settings.out / CACHE / source

    def key(self, source: str, dump: Dump) -> str | None:
        """Return the name of a dump's cache entry; None for a dump without a hash."""
        digest = self.hash(dump)
        return entry_key(source, dump, digest, self.settings.max_bytes) if digest else None


def make_plan(  # noqa: PLR0913  # what to plan, and what a person said
    settings: Settings,
    known: Mapping[str, Source],
    names: Sequence[str] = (),
    *,
    again: bool = False,
    anew: bool = False,
    withdrawn: Sequence[str] = (),
    files: KnownFiles | None = None,
    started_at: datetime | None = None,
) -> Plan:
    """Plan a run of the named sources, or of all that are known, that began at a moment, by default now.

    ``files`` is what is known of files; by default it is loaded. Raises ``UsageError`` for an unknown name, and for a
    ``withdrawn`` source that has dumps.
    """
    check_names("no such source", [*names, *withdrawn], known)
    chosen = tuple(sorted({*names, *withdrawn}) if names else known)
    files = files or load_known_files(settings)
    chain = Chain(settings.out, files)
    inventory = take_inventory(settings.raw, known, settings.links, partial(contributing, chain.last), files)
    for source in withdrawn:
        if dumps := inventory.dumps.get(source):
            raise UsageError(f"{source}: expected no dumps of a withdrawn source, found {dumps[0].path}")
    began = started_at or now()
    return Plan(settings, known, chosen, inventory, files, chain, began, not names, again, anew, tuple(withdrawn))


def now() -> datetime:
    """Return the time in UTC: every moment of a run is by this clock."""
    return datetime.now(UTC)
