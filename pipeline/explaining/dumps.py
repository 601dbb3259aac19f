"""Reads single dumps again, as the next refresh would, to explain their content; nothing is written.

A dump that is gone, or that exceeded its limits when it was last read, is reported instead of read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from parsers._contract import Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Place
from pipeline.merging.normalize import normalize
from pipeline.publishing.captures import captures_of, owners_of
from pipeline.publishing.plain import as_text
from pipeline.publishing.store import Snapshot
from pipeline.raw.dump import Dump
from pipeline.raw.inventory import Inventory
from pipeline.reading.read import Reading, read_with_document

_TOO_MUCH: Final = frozenset({"reader_died", "too_large", "too_slow"})


@dataclass(frozen=True, slots=True)
class Reread:
    """The result of reading the dump of a file today; ``problem`` says why it was not read.

    ``document`` is the file, the dump or a companion. ``changed`` is True if its bytes are not those that the published
    rows come from.
    """

    path: str
    dump: Dump | None = None
    reading: Reading | None = None
    document: Document | None = None
    problem: str | None = None
    changed: bool = False

    @property
    def places(self) -> list[Place]:
        """The lines of the dump with the rules that claimed them; none where it was not read or not decoded."""
        return list(self.document.places()) if self.document is not None else []

    def records(self) -> pl.DataFrame | None:
        """Return the records of this dump alone, completed as a refresh does; None where it gives none."""
        if self.reading is None or self.reading.error is not None:
            return None
        return normalize([self.reading]).records

    def says_of(self, record_id: str) -> tuple[dict[str, Any], dict[str, str | None]] | None:
        """Return a record from this dump alone, as typed values and as text; None if it is not in there."""
        records = self.records()
        found = None if records is None else records.filter(pl.col("record_id") == record_id)
        if found is None or found.is_empty():
            return None
        return found.row(0, named=True), as_text(found).row(0, named=True)


class Archive:
    """The dumps of one source below a raw root; each is read at most once."""

    def __init__(
        self, source: Source | None, inventory: Inventory | None, snapshot: Snapshot | None, max_bytes: int
    ) -> None:
        """``inventory`` is None without a raw root, ``source`` None without a parser."""
        self._source = source
        self._dumps = {dump.path: dump for dump in inventory.dumps.get(source.name, ())} if inventory and source else {}
        self._max_bytes = max_bytes
        captures = captures_of(snapshot if source else None, source.name if source else "")
        failed = captures.filter(pl.col("error").is_not_null())
        self._owners = owners_of(captures) | {path: dump.path for dump in self._dumps.values() for path in dump.paths}
        self._failed: Mapping[str, Mapping[str, Any]] = {row["dump"]: row for row in failed.iter_rows(named=True)}
        self._why_missing = "the dump no longer exists"
        if inventory is None:
            self._why_missing = "not read: there is no raw root to look for the dump (use --raw)"
        elif source is None:
            self._why_missing = "not read: its source has no parser any more"
        self._read: dict[str, Reread] = {}

    def capture_of(self, path: str) -> str:
        """Return the path of the dump that a file is a companion of, else its own."""
        return self._owners.get(path, path)

    def dump(self, path: str) -> Dump | None:
        """Return the dump that a file is, or is a companion of; None if it no longer exists."""
        return self._dumps.get(self.capture_of(path))

    def others_of(self, page: str, known: set[str]) -> list[Dump]:
        """Return the captures of a page that are not in ``known``, newest first."""
        captures = [dump for dump in self._dumps.values() if dump.page == page and dump.path not in known]
        return sorted(captures, key=lambda dump: (str(dump.facts.captured_at or ""), dump.path), reverse=True)

    def error(self, path: str) -> str | None:
        """Return why the last run could not use a dump; None if it could, or did not read it."""
        error: str | None = self._failed.get(self.capture_of(path), {}).get("error")
        return error

    def reread(self, path: str, sha256: str | None = None) -> Reread:
        """Read the dump of a file again; ``path`` and ``sha256`` are those of its published rows."""
        if path not in self._read:
            self._read[path] = self._reread_now(path, sha256)
        return self._read[path]

    def _reread_now(self, path: str, sha256: str | None) -> Reread:
        """Read a dump for the first time."""
        dump = self.dump(path)
        if dump is None or self._source is None:
            return Reread(path, problem=self._why_missing)
        reasons = self._failed.get(dump.path, {}).get("reasons") or ()
        if found := _TOO_MUCH & {each["name"] for each in reasons}:
            return Reread(path, dump, problem=f"not read again: {min(found)} at the last attempt")
        reading, document = read_with_document(self._source, dump, self._max_bytes)
        file = next((each for each in document.files if each.path == path), None) if document is not None else None
        now = file.sha256 if file is not None else reading.sha256
        changed = sha256 is not None and now is not None and now != sha256
        return Reread(path, dump, reading, file or document, None, changed)


def below(raw: Path, file: Path) -> str | None:
    """Return the path of a file below a raw root, as dumps are named; None for a file outside of it.

    Both are compared as given and with links resolved, since either may be reached through a link.
    """
    for root, inner in ((raw.absolute(), file.absolute()), (raw.resolve(), file.resolve())):
        if inner.is_relative_to(root):
            return inner.relative_to(root).as_posix()
    return None
