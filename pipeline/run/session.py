"""What a run learns as it goes on: hashes of files, what reading took, problems that did no harm."""

from collections import deque
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import polars as pl

from pipeline.base.disk import temporary_folder
from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import FailedError
from pipeline.raw.capture_log import last_asked
from pipeline.raw.dump import Dump
from pipeline.reading.cache import CACHE, store_entry
from pipeline.reading.read import Reading
from pipeline.run.plan import Plan
from pipeline.workers.engines import Engine
from pipeline.workers.reader import Batch, Done
from pipeline.workers.spread import Watch

_RECENT: Final = 16
"""Captures whose records are kept during a run, the last ones that were judged: the next are compared with them."""


_MOST_ROWS: Final = 20_000
"""Their records together, but for the last one."""


def say_nothing(_: str) -> None:
    """Ignore progress messages."""


class RunSession:
    """A run of a plan: ``files`` knows the hashes of files, ``engine`` reads, ``watch`` gets a message for each step.

    ``warnings`` are messages on problems that did no harm, ``refused`` the readings of dumps that have changed since
    this run read them; ``uncached`` says of dumps why their entries could not be cached.
    """

    def __init__(self, plan: Plan, files: KnownFiles, engine: Engine, watch: Watch = say_nothing) -> None:
        """Learn nothing yet."""
        self.plan, self.files, self.engine, self.watch = plan, files, engine, watch
        self.warnings: list[str] = []
        self.refused: dict[str, Reading] = {}
        self.uncached: dict[str, str] = {}
        self._hashes: dict[str, str | None] = {}
        self._seconds: dict[str, float] = {}
        self._keys: dict[str, str] = {}
        self._is_spare = False
        self._recent: deque[tuple[str, str | None, pl.DataFrame]] = deque(maxlen=_RECENT)

    @cached_property
    def folder(self) -> TemporaryDirectory[str]:
        """A folder for rows that are too many for memory; it goes when nobody has it any more.

        Raises ``FailedError`` where it cannot be made.
        """
        try:
            return temporary_folder("conspectus-")
        except OSError as error:
            raise FailedError(f"expected a folder for temporary files (set TMPDIR): {error.strerror}") from error

    @cached_property
    def last_asked(self) -> datetime:
        """When any page was last asked for."""
        return last_asked(self.files, self.plan.inventory.asked, self.plan.started_at)

    def folders(self, source: str) -> tuple[Path, ...]:
        """Return the folders that have the cache entries of a source: of what this run could not cache, its own."""
        spare = [Path(self.folder.name, source)] if self._is_spare else []
        return (*spare, self.plan.settings.out / CACHE / source)

    def key_of(self, dump: Dump) -> str | None:
        """Return the name of the cache entry of a dump that this run has read; None for any other."""
        return self._keys.get(dump.path)

    def hash(self, dump: Dump) -> str | None:
        """Return the SHA-256 of a dump's bytes; None if it cannot be read or is too large."""
        if dump.path not in self._hashes:
            odd = dump.fault is not None or (self.files.size_of(dump.path) or 0) > self.plan.settings.max_bytes
            self._hashes[dump.path] = None if odd else self.files.hash_of(dump.path)
        return self._hashes[dump.path]

    def hash_again(self, dump: Dump) -> str | None:
        """Look at a dump again: one that had no hash may be readable by now, unless it must not be opened."""
        if dump.fault is None:
            del self._hashes[dump.path]
            self.files.forget(dump.path)
        return self.hash(dump)

    def keep_rows(self, reading: Reading) -> None:
        """Keep the records of a good capture for a while: later ones of its page are compared with them."""
        self._recent.append((reading.dump.path, reading.sha256, reading.records))
        while len(self._recent) > 1 and sum(rows.height for *_, rows in self._recent) > _MOST_ROWS:
            self._recent.popleft()

    def recent_rows(self, path: str, sha256: str | None) -> pl.DataFrame | None:
        """Return the records of one of the last good captures of this run; None for any other."""
        return next((rows for *capture, rows in reversed(self._recent) if capture == [path, sha256]), None)

    def seconds(self, dump: Dump) -> float:
        """Return the CPU seconds that reading a dump took in this run."""
        return self._seconds.get(dump.path, 0.0)

    def warn(self, problem: str) -> None:
        """Keep a problem that did no harm, once."""
        if problem not in self.warnings:
            self.warnings.append(problem)

    def run(self, batches: list[Batch]) -> list[Done]:
        """Have batches read, and keep their entries; return what was done without these.

        Hashes are noted, since a file can change during a run, and CPU seconds.
        """
        done = []
        for each in self.engine.run(batches, self.watch, self.warnings.append) if batches else ():
            self._hashes[each.path] = each.digest
            self._seconds[each.path] = self._seconds.get(each.path, 0.0) + each.seconds
            if each.unreadable is None:
                self._store(each)
            done.append(replace(each, entry=b""))
        return done

    def _store(self, done: Done) -> None:
        """Write an entry into the cache, else into a folder of this run. Raises ``FailedError``."""
        self._keys[done.path] = done.key
        folder = self.plan.settings.out / CACHE / done.source
        try:
            store_entry(folder, done.key, done.entry)
        except OSError as error:
            self.uncached[done.path] = f"{folder}: {error.strerror or error}"
            self.warn(f"not cached for the next run: {self.uncached[done.path]}")
            self._is_spare = True
            spare = Path(self.folder.name, done.source)
            try:
                store_entry(spare, done.key, done.entry)
            except OSError as failed:
                raise FailedError(f"{spare}: expected room for the rows of a dump (set TMPDIR): {failed}") from failed
