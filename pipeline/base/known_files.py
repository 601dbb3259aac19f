"""Remembers the hashes of files, and what was made of their bytes, for as long as the files stay as they are.

A file is known by size, mtime, ctime and inode: whoever writes to it changes one of them. Two writes within one tick of
the clock need not, so nothing is kept of a file that was changed in the last two seconds before the run began: it is
hashed again the next time (git does so with its index). If the clock of the disk was set back, all that seems to have
been changed later than now is hashed again.

The table is one file below the cache: JSON, packed, with a hash of its bytes. One that is lost, damaged or made with
other code counts as empty.
"""

import json
import os
import stat
import tempfile
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import zstandard

from pipeline.base.disk import hash_file, open_to_read, write_new

TABLE: Final = "known-files"
"""Name of the table in the folder of the cache."""

_DIGEST: Final = 32
_SECOND: Final = 1_000_000_000
_TICK: Final = 2 * _SECOND
"""More than the step of the clock of any file system."""
_APART: Final = 60 * _SECOND
"""By how much the clock of another disk may be behind that of the disk with the cache."""
_NOT_WHOLE: Final = (OSError, ValueError, LookupError, TypeError, RecursionError, zstandard.ZstdError)

_Row = list[Any]
"""What is known of a file: its stamp, its hash or None, what was made of it or None."""


def stamp_of(found: os.stat_result) -> str:
    """Return what a file is known by: size, mtime and ctime in nanoseconds, inode.

    The device is left out, since a disk may have another number each time that it is mounted.
    """
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


class KnownFiles:
    """The files of one run, each by its path: below a root, or absolute. All stages of a run share one table.

    A file is looked at once in a run: by the walk through the root (``note_stamps``), or when it is first asked for.
    Only ``forget`` and ``note_hash`` look once more. ``altered`` are the files whose bytes have changed while size,
    times and inode have not, as on a disk that loses bytes; only an audit finds them. Threads may share a table.
    """

    def __init__(self, root: Path) -> None:
        """Start without a table: everything is hashed, and nothing is kept."""
        self.altered: set[str] = set()
        self._audits = False
        self._refused: set[str] = set()
        self._root = str(root)
        self._folder: Path | None = None
        self._made_with = ""
        self._clock = self._device = 0
        self._margin = _TICK
        self._rows: dict[str, _Row] = {}
        self._before: dict[str, _Row] = {}
        self._stamps: dict[str, str] = {}
        self._learnt: dict[str, int] = {}

    @classmethod
    def load(cls, folder: Path, root: Path, made_with: str, *, audit: bool = False) -> "KnownFiles":
        """Load the table in a folder. Call it before any of the files is looked at; it never fails.

        ``made_with`` names the code that makes something of files. With ``audit`` nothing is believed of the table, and
        all of it made anew.
        """
        files = cls(root)
        files._folder, files._made_with, files._audits = folder, made_with, audit
        files._clock, files._device = _ask_clock(folder)
        clock, files._before = _load(folder / TABLE, made_with)
        if not audit:
            files._rows = dict(files._before)
        if files._clock < clock:  # it was set back
            settled = files._clock - _TICK
            files._rows = {path: row for path, row in files._rows.items() if max(_times(row[0])) <= settled}
        return files

    def note_stamps(self, stamps: Mapping[str, str], devices: Collection[int]) -> None:
        """Take note of the files that a walk has found, with their stamps, and of the devices that they are on."""
        self._stamps.update(stamps)
        if any(device != self._device for device in devices):
            self._margin = _TICK + _APART

    def size_of(self, path: str) -> int | None:
        """Return the size of a file in bytes; None if it is gone or not a regular file."""
        stamp = self._row(path)[0]
        return int(stamp.partition(" ")[0]) if stamp else None

    def hash_of(self, path: str) -> str | None:
        """Return the SHA-256 of a file; None if it cannot be read or is not a regular file."""
        row = self._row(path)
        if row[1] is None and row[0]:
            try:
                row[1] = hash_file(self._file(path))
            except OSError:
                return None
            self._learn(path, 1)
        digest: str | None = row[1]
        return digest

    def forget(self, path: str) -> None:
        """Forget a file: when it is next asked for, it is looked at and hashed again."""
        self._stamps.pop(path, None)
        self._rows.pop(path, None)

    def derive(self, path: str, make: Callable[[Path], Any]) -> Any:  # noqa: ANN401  # any JSON value
        """Return what ``make`` makes of a file: a JSON value other than null, which follows from the bytes alone.

        What it raises is raised each time, since the cause may lie outside of the file.
        """
        row = self._row(path)
        if row[2] is None:
            row[2] = make(self._file(path))
            self._learn(path, 2)
        return row[2]

    def is_altered(self, path: str) -> bool:
        """True if an audit finds a file altered.

        What was known of it stays known, for the bytes as they were: each audit finds it, until somebody writes to it.
        """
        if not self._audits or self._before.get(path, [None, None, None])[1] is None:
            return False
        self.hash_of(path)
        if path in self.altered:
            self.altered.remove(path)
            self._refused.add(path)
            self._rows[path] = self._before[path]
            del self._learnt[path]
        return path in self._refused

    def note_hash(self, path: str, digest: str) -> None:
        """Take note of the hash of a file that this run itself has written or linked, and looks at now.

        A link more or less changes the ctime of a file, so call this when no link to it will be made or deleted any
        more in this run; here the time when it was last written decides whether it is kept.
        """
        self.forget(path)
        row = self._row(path)
        row[1] = digest
        self._learnt[path] = _times(row[0])[0]

    def save(self) -> str | None:
        """Write the table if it has changed, without the files that are gone. Return why it cannot be written, if so.

        It never fails: without a table, everything is hashed again the next time.
        """
        if self._folder is None or not self._clock:
            return None
        gone = {path for path in self._rows.keys() - self._stamps.keys() if not os.path.lexists(self._file(path))}
        if not gone and not self._learnt and len(self._rows) == len(self._before):
            return None
        rows = {path: row for path, row in self._rows.items() if path not in gone and self._is_lasting(path, row)}
        if len(rows) == len(self._before) and self._learnt.keys().isdisjoint(rows):
            return None
        packed = zstandard.ZstdCompressor(level=1).compress(json.dumps([self._made_with, self._clock, rows]).encode())
        file = self._folder / TABLE
        try:
            write_new(file, sha256(packed).digest() + packed).replace(file)
        except OSError as error:
            return f"{file}: {error.strerror or error}"
        return None

    def _row(self, path: str) -> _Row:
        """Return what is known of a file as it is; its stamp is empty if it is gone or not a regular file."""
        stamp = self._stamps.get(path)
        if stamp is None:
            stamp = self._stamps[path] = self._look(path)
        row = self._rows.get(path)
        if row is None or row[0] != stamp:
            row = self._rows[path] = [stamp, None, None]
        return row

    def _learn(self, path: str, place: int) -> None:
        """Take note of what a row has got in one place, and whether it says something else of the same file."""
        row, before = self._rows[path], self._before.get(path)
        self._learnt[path] = max(_times(row[0]))
        if before is not None and before[0] == row[0] and before[place] not in (None, row[place]):
            self.altered.add(path)

    def _is_lasting(self, path: str, row: _Row) -> bool:
        """True if a row is worth keeping: it says something of a file that was at rest."""
        stamp, digest, made = row
        says = bool(stamp) and (digest is not None or made is not None)
        return says and self._learnt.get(path, 0) <= self._clock - self._margin

    def _look(self, path: str) -> str:
        """Return the stamp of a file; empty if it is gone or not a regular file."""
        try:
            found = self._file(path).stat()
        except (OSError, ValueError):
            return ""
        return stamp_of(found) if stat.S_ISREG(found.st_mode) else ""

    def _file(self, path: str) -> Path:
        """Return the file at a path."""
        return Path(self._root, path)


def _times(stamp: str) -> tuple[int, int]:
    """Return when a file was last written, and when anything about it was changed (ns, by the clock of its disk)."""
    _, written, changed, _ = stamp.split(" ") if stamp else "0000"
    return int(written), int(changed)


def _ask_clock(folder: Path) -> tuple[int, int]:
    """Return the time (ns) by the clock of the disk of a folder, and its device; zeros if nothing can be written."""
    try:
        folder.mkdir(exist_ok=True)  # not its parents: without an out root nothing is kept
        with tempfile.TemporaryFile(dir=folder) as opened:
            found = os.fstat(opened.fileno())
    except OSError:
        return 0, 0
    return found.st_ctime_ns, found.st_dev


def _load(file: Path, made_with: str) -> tuple[int, dict[str, _Row]]:
    """Return when a table was written, and its rows; none if it is not whole or was made with other code."""
    try:
        with open_to_read(file) as opened:
            data = memoryview(opened.read())
        if sha256(data[_DIGEST:]).digest() == data[:_DIGEST]:
            code, clock, rows = json.loads(zstandard.ZstdDecompressor().decompress(data[_DIGEST:]))
            return (clock, rows) if code == made_with else (0, {})
    except _NOT_WHOLE:
        pass
    return 0, {}
