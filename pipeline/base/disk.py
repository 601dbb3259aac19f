"""Durable file writes, reads that cannot hang, and temporary folders that do not stay.

Bytes and names are on disk before anything relies on them.
"""

import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from typing import Final
from weakref import finalize

NEW_PREFIX: Final = ".new-"
"""Prefix of a file that is not in its final place yet."""

_ODD: Final = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
}


class IrregularError(OSError):
    """A path is not a regular file, or the file is too large to read; the message says why."""


def kind_of(mode: int) -> str | None:
    """Return the kind of a special file from its mode; None for files, folders and links."""
    return _ODD.get(stat.S_IFMT(mode))


def open_regular(file: Path, flags: int = os.O_RDONLY) -> int:
    """Open a file and return its descriptor. Raises ``OSError``, or ``IrregularError`` if it is not a regular file.

    Opening a FIFO would block until its other end is opened, and a device can do anything: the file is opened without
    blocking, and its type is checked before anything is read.
    """
    handle = os.open(file, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o644)
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise IrregularError(f"expected a regular file, found {kind_of(mode) or 'a folder'}")
    except OSError:
        os.close(handle)
        raise
    return handle


def open_to_read(file: Path) -> BufferedReader:
    """Open a regular file for reading. Raises ``OSError`` as ``open_regular`` does."""
    return os.fdopen(open_regular(file), "rb")


def read_limited(file: Path, most: int) -> bytes:
    """Return the bytes of a regular file. Raises ``OSError``, or ``IrregularError`` if it has more than ``most``."""
    with open_to_read(file) as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        raise IrregularError(f"expected at most {most >> 20} MiB, found more")
    return data


def is_there(file: Path) -> bool:
    """True if a path exists, even as a broken link; False if its name is too long."""
    try:
        file.lstat()
    except OSError:
        return False
    return True


def write_new(file: Path, data: bytes) -> Path:
    """Write bytes beside their final place, under a hidden name, and flush them to disk."""
    fresh = file.with_name(NEW_PREFIX + file.name)
    with fresh.open("wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
    return fresh


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, and flush their names to disk."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


@contextmanager
def all_or_nothing(folder: Path, *others: Path, name: str = "*") -> Iterator[None]:
    """Take back what was written unless all of it succeeds: into a folder, below this name, and into other files.

    Files that are there may only grow, as logs do; a folder that was not there is removed.
    """

    def files() -> Iterator[Path]:
        yield from (each for each in (*folder.glob(name), *others) if each.is_file())

    before = {file: file.stat().st_size for file in files()}
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    except BaseException:
        for file in files():
            if file not in before:
                file.unlink()
            elif file.stat().st_size > before[file]:
                os.truncate(file, before[file])
        for each in missing:
            with suppress(OSError):  # it was not made, or another run has put something there
                each.rmdir()
        raise


def temporary_folder(prefix: str, parent: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """Return a new folder, below ``parent`` or else TMPDIR: it is deleted when it is left, or nobody has it any more.

    First the folders with this prefix are deleted there that processes of this user left behind when they were killed.
    Raises ``OSError``.
    """
    for left in Path(parent or tempfile.gettempdir()).iterdir():
        if found := re.fullmatch(rf"{re.escape(prefix)}(?P<process>\d{{1,9}})-\w+", left.name):
            with suppress(OSError):  # another run was faster, or it is in use
                _sweep(left, int(found["process"]))
    own = tempfile.TemporaryDirectory(prefix=f"{prefix}{os.getpid()}-", dir=parent, ignore_cleanup_errors=True)
    finalize(own, os.close, _lock(Path(own.name)))
    return own


def _sweep(folder: Path, process: int) -> None:
    """Delete a folder of this user whose process has ended. Raises ``OSError`` if it is in use.

    The lock tells that of another container too, whose processes have other numbers.
    """
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid():
        return
    if process != os.getpid():
        with suppress(ProcessLookupError):
            os.kill(process, 0)  # only asks
            return
    handle = _lock(folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.close(handle)


def _lock(folder: Path) -> int:
    """Return the handle of a folder with its lock, which ends with the process. Raises ``BlockingIOError``."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


def sync(path: Path) -> None:
    """Flush a file, or the names of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def hash_file(file: Path) -> str:
    """Return the SHA-256 of a regular file. Raises ``OSError``."""
    with open_to_read(file) as opened:
        return file_digest(opened, "sha256").hexdigest()
