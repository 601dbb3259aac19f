"""Reads the published dataset: a snapshot, its manifest, its rows.

Writing belongs to ``pipeline.publishing.publish``, listing and ordering snapshots to ``pipeline.publishing.chain``. The
link is resolved once, so that a publication in between cannot mix two snapshots. A file that does not match its
manifest is not read.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import polars as pl

from pipeline.base.known_files import KnownFiles
from pipeline.base.settings import FailedError
from pipeline.publishing.pieces import FIRST, WORKS_FILES, group_of, is_between, is_of, source_of
from pipeline.raw.capture_log import NO_LONGER, UNASKED
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES, polars_schema
from schemas.works import WORK_TABLES

LATEST: Final = "latest"
SNAPSHOTS: Final = "snapshots"
MANIFEST: Final = "manifest.json"
PREVIOUS: Final = "previous"
"""Manifest key: the id of the snapshot that a snapshot was made to replace, null for the first."""
UNCLAIMED: Final = "unclaimed"
"""Manifest key: the files of the raw root that no source claims, with the reason."""
CHANGES_FILE: Final = "changes.parquet"
ONE_FILE: Final = {CHANGES.name: CHANGES_FILE, **WORKS_FILES}
"""The file of each table that is about all sources, by its name."""
ALL_TABLES: Final = {**TABLES, CHANGES.name: CHANGES, **WORK_TABLES}
"""Every table of a snapshot, by its name."""
WORKS: Final = "works"
"""Manifest key: what the tables of works were made from, with ``error`` if they could not be made anew."""
STAMP: Final = "%Y%m%dT%H%M%SZ"
"""Format of the start of a run in the ids of runs and snapshots, in UTC."""

BEGINS: Final = "begins"
"""Manifest key of a data file that is not the first of its table: the group at which it begins."""

NULLS: Final = "nulls"
"""Manifest key of a file of records: the number of nulls of each column that has any."""

DIGEST: Final = "manifest_sha256"
"""The last key of a manifest: a hash of the manifest without that key."""

_SEAL: Final = re.compile(rb',\n  "%s": "([0-9a-f]{64})"\n\}\n\Z' % DIGEST.encode())


class StoreError(FailedError):
    """The out root does not hold a dataset that this version can read; the message names the file."""


class VersionError(StoreError):
    """A snapshot is of another major contract version, and seems to be whole."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published snapshot: its folder with the link resolved, its manifest, and what is known of its files."""

    folder: Path
    manifest: dict[str, Any]
    known: KnownFiles = field(default_factory=lambda: KnownFiles(Path()), repr=False, compare=False)
    _agreed: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def id(self) -> str:
        """The snapshot's id, which is the name of its folder."""
        return self.folder.name

    @property
    def previous(self) -> str | None:
        """The id of the snapshot that this one was made to replace; None for the first, or if unknown."""
        named: str | None = self.manifest.get(PREVIOUS)
        return named

    @property
    def made_at(self) -> datetime:
        """The start of the run that made the snapshot, by its clock, from the id."""
        return made_at(self.id)

    @property
    def files(self) -> dict[str, dict[str, Any]]:
        """The manifest block of each file, by path below the snapshot."""
        blocks: dict[str, dict[str, Any]] = self.manifest["files"]
        return blocks

    @property
    def sources(self) -> dict[str, dict[str, Any]]:
        """The manifest block of each source."""
        blocks: dict[str, dict[str, Any]] = self.manifest["sources"]
        return blocks

    @property
    def unclaimed(self) -> dict[str, str]:
        """The files of the raw root that no source claimed when the manifest was written, with the reason."""
        files: dict[str, str] = self.manifest.get(UNCLAIMED, {})
        return files

    @property
    def data_hashes(self) -> dict[str, str]:
        """SHA-256 of each data file, by path below the snapshot."""
        return {path: block["sha256"] for path, block in self.files.items() if "/" in path}

    @property
    def is_current(self) -> bool:
        """True if the snapshot has exactly this contract version, not an older minor one."""
        return bool(self.manifest["contract_version"] == CONTRACT_VERSION)

    @property
    def works(self) -> dict[str, Any]:
        """What the tables of works were made from; empty for a snapshot without them."""
        block: dict[str, Any] = self.manifest.get(WORKS, {})
        return block

    def agrees(self, path: str) -> bool:
        """True if a file matches the manifest. It is checked once: the answer stays the same during a run."""
        if path not in self._agreed:
            block = self.files.get(path)
            found = self.known.hash_of(str(self.folder / path)) if block else None
            self._agreed[path] = block is not None and found == block["sha256"]
        return self._agreed[path]

    def damaged(self) -> list[str]:
        """Return the paths of the files that do not match the manifest, sorted."""
        return sorted(path for path in self.files if not self.agrees(path))

    def pieces(self, table: str, source: str) -> dict[str, str]:
        """Return the paths of the Parquet files of a table of a source, by the group at which each begins, in order."""
        found = {block.get(BEGINS, FIRST): path for path, block in self.files.items() if is_of(path, table, source)}
        return dict(sorted(found.items()))

    def is_whole(self, table: str, source: str) -> bool:
        """True if no file of a table is damaged."""
        return all(map(self.agrees, self.pieces(table, source).values()))

    def intact_rows(self, table: str, source: str) -> pl.DataFrame:
        """Return the rows of a table, but for those in damaged files."""
        whole = (path for path in self.pieces(table, source).values() if self.agrees(path))
        return pl.concat([_empty(table), *(self.load(table, path) for path in whole)])

    def holds(self, source: str | None = None) -> bool:
        """True if every file, or every data file of one source, is undamaged."""
        return all(
            self.agrees(path) for path in self.files if source is None or ("/" in path and source_of(path) == source)
        )

    def table(self, table: str, source: str) -> pl.DataFrame | None:
        """Return one table of a source; None if the snapshot has no such file.

        Columns and fields that an older contract version lacks are added as nulls. Raises ``StoreError`` if a file is
        damaged.
        """
        found = [self.load(table, path) for path in self.pieces(table, source).values()]
        return pl.concat(found) if found else None

    def load(self, table: str, path: str) -> pl.DataFrame:
        """Return the rows of one file of a table. Raises ``StoreError`` if it is damaged."""
        return load_table(self.whole_file(path), table)

    def whole_file(self, path: str) -> Path:
        """Return a file that matches the manifest. Raises ``StoreError`` for one that does not."""
        file = self.folder / path
        if not self.agrees(path):
            raise StoreError(f"{file}: expected the table described in the manifest, found a damaged file")
        return file

    def rows_in(self, table: str, source: str, groups: Collection[str]) -> pl.DataFrame:
        """Return the rows of some groups of a table, from the files that hold them.

        Raises ``StoreError`` if one of these files is damaged.
        """
        pieces, wanted = self.pieces(table, source), sorted(groups)
        found = (self.load(table, pieces[begin]) for begin in holding(pieces, wanted))
        return pl.concat([_empty(table), *(rows.filter(group_of(table).is_in(wanted)) for rows in found)])

    def rows_between(self, table: str, source: str, after: str | None, last: str | None) -> pl.DataFrame:
        """Return the rows of the groups behind one, up to another, from the files that hold them; None is no limit.

        Raises ``StoreError`` if one of these files is damaged.
        """
        pieces = self.pieces(table, source)
        ends = (*list(pieces)[1:], None)
        found = (
            self.load(table, path)
            for (begin, path), end in zip(pieces.items(), ends, strict=bool(pieces))
            if (last is None or begin <= last) and (after is None or end is None or end > after)
        )
        return pl.concat([_empty(table), *(rows.filter(is_between(table, after, last)) for rows in found)])


def made_at(snapshot: str) -> datetime:
    """Return the start of the run that made a snapshot, from its id. Raises ``ValueError`` for any other text."""
    return datetime.strptime(snapshot.split("-", maxsplit=1)[0], STAMP).replace(tzinfo=UTC)


@cache  # most sources have no file of most tables
def _empty(table: str) -> pl.DataFrame:
    """Return a table without rows."""
    return pl.DataFrame(schema=polars_schema(TABLES[table]))


def holding(begins: Iterable[str], groups: Iterable[str]) -> list[str]:
    """Return where those of some files begin that would hold some groups."""
    ordered = sorted(begins)
    return sorted({ordered[bisect_right(ordered, group) - 1] for group in groups}) if ordered else []


def load_table(file: Path, table: str) -> pl.DataFrame:
    """Read a table whose bytes are known to be right. Raises ``StoreError`` if it still cannot be read."""
    try:
        found = pl.read_parquet(file, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise StoreError(f"{file}: expected a readable table: {error}") from error
    return found.match_to_schema(
        polars_schema(ALL_TABLES[table]), missing_columns="insert", missing_struct_fields="insert"
    )


def digest_of_data(hashes: Mapping[str, str]) -> str:
    """Return the hash over the data files of a snapshot, in the order of their paths, that its id ends in."""
    return sha256(json.dumps(dict(sorted(hashes.items()))).encode()).hexdigest()[:8]


def fresh_at(block: Mapping[str, Any]) -> datetime | None:
    """Return the time as of which the data of a source are current, from its block of the manifest; None if unknown.

    That is its last good refresh; for a source that is fetched, at most the time when a page was last seen on its
    site: refreshing an old archive makes nothing fresh.
    """
    moments = [block["refreshed_at"], block.get("checked_at") or block["refreshed_at"]]
    return min(map(datetime.fromisoformat, moments)) if all(moments) else None


def is_awaited(block: Mapping[str, Any]) -> bool:
    """True if a source has no data because its pages show other programmes so far."""
    return block["status"] == "waiting" and not block["published"]


def waiting_pages(block: Mapping[str, Any]) -> dict[str, str]:
    """Return the pages of a source that show another programme so far, each with a message."""
    return {
        page: f"{page}: waits since {each['since']}: {each['shows']}" for page, each in block.get("waiting", {}).items()
    }


def with_unreached(status: str, unreached: Mapping[str, Mapping[str, str]]) -> str:
    """Return the status of a source with the number of its pages that could not be fetched."""
    number = sum(each["why"] not in {NO_LONGER, UNASKED} for each in unreached.values())
    return f"{status}, {number} not fetched" if number else status


def unreached_lines(unreached: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return a line on each page of a source that could not be fetched, or is no longer."""
    return [f"{each['url']}: since {each['since']}: {each['why']}" for each in unreached.values()]


def latest_snapshot(out: Path) -> Snapshot | None:
    """Return the published snapshot, found as a reader does; None if nothing is published.

    Raises ``StoreError`` where the link leads nowhere, or where the manifest is damaged or of another major version.
    """
    link = out / LATEST
    if not link.exists():
        if link.is_symlink():
            raise StoreError(
                f"{link}: expected a link to the newest snapshot, found a broken link; the next refresh repairs it"
            )
        if any((out / SNAPSHOTS).glob(f"[0-9]*/{MANIFEST}")):
            raise StoreError(
                f"{link}: expected a link to the newest snapshot, found none; the next refresh restores it"
            )
        return None
    return open_snapshot(link.resolve())


def open_snapshot(folder: Path, known: KnownFiles | None = None) -> Snapshot:
    """Return a snapshot after reading and checking its manifest. Of what is ``known``, no file is hashed.

    Raises ``StoreError`` if that is damaged, and ``VersionError`` if it is of another major contract version.
    """
    file = folder / MANIFEST
    expected = f"{file}: expected the manifest of a snapshot"
    try:
        if file.exists() and not file.is_file():
            raise StoreError(f"{expected}, found something that is not a file")
        data = file.read_bytes()
        manifest = json.loads(data)
    except (OSError, ValueError, RecursionError) as error:
        raise StoreError(f"{expected}: {error}") from error
    version = manifest.get("contract_version") if isinstance(manifest, dict) else None
    major, dot, _ = version.partition(".") if isinstance(version, str) else ("", "", "")
    if dot and major.isdecimal() and major != CONTRACT_VERSION.partition(".")[0]:
        raise VersionError(f"{file}: expected contract version {CONTRACT_VERSION}, found {version}; use another --out")
    if not is_as_written(data):  # whoever wrote it as it is wrote what it says
        raise StoreError(f"{expected}, found a damaged one")
    return Snapshot(folder, manifest, known or KnownFiles(folder))


def sealed(manifest: Mapping[str, Any]) -> bytes:
    """Return a manifest as bytes; its last key is a hash of the rest."""
    text = json.dumps({**manifest}, ensure_ascii=False, indent=2).encode()
    return text.removesuffix(b"\n}") + b',\n  "%s": "%s"\n}\n' % (DIGEST.encode(), sha256(text).hexdigest().encode())


def is_as_written(data: bytes) -> bool:
    """True if a manifest matches the hash at its end."""
    found = _SEAL.search(data)
    return found is not None and sha256(data[: found.start()] + b"\n}").hexdigest().encode() == found[1]
