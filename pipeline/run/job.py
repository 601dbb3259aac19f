"""One source in a run: its dumps, and what the last snapshot knows of it and of their captures."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import polars as pl

from parsers._contract import PageKind
from pipeline.publishing.captures import Row, captures_of, describe_facts, failed_paths, owners_of
from pipeline.raw.dump import Dump
from pipeline.reading.cache import CACHE, digest_of, entry_key, made_with, merging_hash
from pipeline.run.plan import Plan
from pipeline.run.session import RunSession

_GOOD: Final = pl.col("error").is_null() & pl.col("entry").is_not_null()
"""True of the rows of captures that were found good and have a reading."""


@dataclass(frozen=True)  # no slots: what is known of a source is looked up when it is first asked for
class Job:
    """The work on one source, by its name."""

    session: RunSession
    source: str

    @property
    def plan(self) -> Plan:
        """The plan of the run."""
        return self.session.plan

    @property
    def dumps(self) -> tuple[Dump, ...]:
        """The dumps, sorted by path."""
        return self.plan.inventory.dumps.get(self.source, ())

    @cached_property
    def by_path(self) -> dict[str, Dump]:
        """The dumps by path."""
        return {dump.path: dump for dump in self.dumps}

    @property
    def seconds(self) -> float:
        """The CPU seconds that reading the dumps took in this run."""
        return sum(map(self.session.seconds, self.dumps))

    @cached_property
    def captures(self) -> pl.DataFrame:
        """What the published dataset knows of the captures."""
        return captures_of(self.plan.previous, self.source)

    @cached_property
    def owners(self) -> dict[str, str]:
        """The dump that each known companion belongs to."""
        return owners_of(self.captures)

    @property
    def remembers(self) -> bool:
        """True if nothing that was known of the captures is lost by damage."""
        return self.plan.previous is None or self.plan.previous.is_whole("captures", self.source)

    @property
    def block(self) -> Mapping[str, Any]:
        """What the last manifest says of the source; empty where nothing is published of it."""
        return self.plan.previous.sources.get(self.source, {}) if self.plan.previous else {}

    @property
    def published(self) -> int:
        """The number of published records."""
        return int(self.block.get("published", 0))

    @cached_property
    def page_kind(self) -> PageKind:
        """The kind of its pages; a known good capture tells it without importing the source."""
        good = self.captures.filter(pl.col("error").is_null() & pl.col("format").is_not_null())
        if good.is_empty():
            return self.plan.known[self.source].page
        return PageKind.LOG if good["log"][0] else PageKind.STATE

    @property
    def parser(self) -> str:
        """Parser and version; a source that has the code of the published rows is not imported for it."""
        if not self.dumps or self.has_known_code:
            return str(self.block.get("parser", self.source))
        return self.plan.known[self.source].parser

    @cached_property
    def code(self) -> str:
        """A hash of the code that reads its dumps and merges them, and of what that depends on."""
        return digest_of([made_with(self.source), merging_hash(), self.plan.settings.max_bytes])

    @property
    def has_known_code(self) -> bool:
        """True if the published rows were read and merged by the code of this run."""
        return bool(self.block.get("code") == self.code)

    @property
    def reads_as_before(self) -> bool:
        """True if the published rows were read by the code of this run, and by the same files of tables."""
        by_tables = {dump.path: dump.facts for dump in self.dumps if dump.facts.tables is not None}
        if not by_tables or not self.has_known_code:
            return self.has_known_code
        rows = self.captures.filter(pl.col("dump").is_in(sorted(by_tables))).select("dump", "facts")
        return all(describe_facts(by_tables[path]) == facts for path, facts in rows.iter_rows())

    @cached_property
    def is_whole(self) -> bool:
        """True if all rows are merged again, not only those that new captures show."""
        previous = self.plan.previous
        if self.plan.anew or previous is None or not previous.is_current or not self.has_known_code:
            return True
        return not previous.pieces("captures", self.source) or not previous.holds(self.source)

    @property
    def cache(self) -> Path:
        """The cache folder."""
        return self.plan.settings.out / CACHE / self.source

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that have cache entries."""
        return self.session.folders(self.source)

    def key(self, dump: Dump) -> str | None:
        """Return the name of a dump's cache entry; None for a dump without a hash."""
        digest = self.session.hash(dump)
        return entry_key(self.source, dump, digest, self.plan.settings.max_bytes) if digest else None

    def is_known(self, dump: Dump) -> bool:
        """True if a capture need not be read: it was found good, and nothing has changed since.

        One that failed meanwhile, with other bytes, is read: its place in the quarantine was taken.
        """
        return not self.plan.anew and self.stays_good(dump) and dump.path not in self._failed

    def stays_good(self, dump: Dump) -> bool:
        """True if a capture was found good and stays so.

        It stays so while its bytes, its sidecar and the code that reads it are the same, whatever guards would say now.
        """
        if dump.path not in self._good or dump.problem or dump.fault or dump.path in self.session.refused:
            return False
        _, entry, *said = self._good[dump.path]
        if said != [self.session.hash(dump), dump.facts.captured_at, dump.page, describe_facts(dump.facts)]:
            return False
        return self.has_known_code or bool(entry == self.key(dump))

    def known_row(self, dump: Dump) -> Row | None:
        """Return what is known of a capture that was found good and stays so; None for any other."""
        return self.captures.row(self._good[dump.path][0], named=True) if self.stays_good(dump) else None

    def unchanged_dump(self, row: Row) -> Dump | None:
        """Return the dump of a capture; None if it is gone or has other bytes."""
        dump = self.by_path.get(row["dump"])
        return dump if dump is not None and self.session.hash(dump) == row["dump_sha256"] else None

    @cached_property
    def _good(self) -> dict[str, list[Any]]:
        """The rows of the captures that were found good, by the path of the dump: their number, and what they hold."""
        numbered = self.captures.with_row_index("row").filter(_GOOD)
        known = numbered.select("dump", "row", "entry", "dump_sha256", "captured_at", "page", "facts")
        return {path: rest for path, *rest in known.iter_rows()}

    @cached_property
    def _failed(self) -> set[str]:
        """The paths of the dumps that could not be used."""
        return failed_paths(self.captures)
