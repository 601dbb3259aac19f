"""Locks the out root for one run at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from pipeline.base.settings import Settings, UsageError
from pipeline.publishing.swap import move_aside

LOCK: Final = ".lock"


class BusyError(Exception):
    """Another run holds the lock of the out root, and this one does not wait."""


@contextmanager
def exclusive(
    settings: Settings, watch: Callable[[str], None] = lambda _: None, *, wait: bool = True
) -> Iterator[None]:
    """Lock the out root for one run; a second run reports that it waits, and waits.

    Raises ``BusyError`` where ``wait`` is False, and ``UsageError`` where the out root cannot be written.
    """
    lock = FileLock(settings.out / LOCK)
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
        _clear(settings.out / LOCK, watch)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            if not wait:
                raise BusyError(f"another run is active in {settings.out}") from error
            watch(f"another run is active in {settings.out}; waiting for it to finish")
            lock.acquire()
    except OSError as error:
        raise UsageError(f"{settings.out}: expected a writable out root: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def _clear(lock: Path, watch: Callable[[str], None]) -> None:
    """Move aside anything but a regular file at the path of the lock, and report it."""
    if (lock.exists() and not lock.is_file()) or lock.is_symlink():
        with suppress(FileNotFoundError):  # another run was faster
            watch(f"moved aside: {lock.name}: expected a file; renamed to {move_aside(lock).name}")
