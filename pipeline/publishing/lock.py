"""The lock of the out root: one run at a time reads its state, publishes, builds pages and deletes.

The system releases it when a process ends, however that happens, so a killed run leaves a file and no lock.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from filelock import FileLock, Timeout

from pipeline.base.settings import Settings, UsageError
from pipeline.publishing.swap import move_aside

LOCK: Final = ".lock"


class BusyError(Exception):
    """Another run holds the lock of the out root, and this one does not wait."""


@contextmanager
def lock_out_root(
    settings: Settings, watch: Callable[[str], None] = lambda _: None, *, wait: bool = True
) -> Iterator[None]:
    """Lock the out root for one run; a second run reports that it waits, and waits.

    Anything but a regular file at the path of the lock is moved aside. Raises ``BusyError`` where ``wait`` is False,
    and ``UsageError`` where the out root cannot be written.
    """
    file = settings.out / LOCK
    lock = FileLock(file)
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
        if (file.exists() and not file.is_file()) or file.is_symlink():
            with suppress(FileNotFoundError):  # another run was faster
                watch(f"moved aside: {LOCK}: expected a file; renamed to {move_aside(file).name}")
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
