"""Kills a helper process when this process ends in any way, even if this process is itself killed.

A small watcher process holds the read end of a pipe. The system closes the write end when this process ends, on Linux
and macOS alike.
"""

import atexit
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import IO, Final

PAUSE: Final = 0.02
"""Seconds between two checks for the process."""

WATCHER: Final = """
import os, signal, sys
told = None
for line in sys.stdin.buffer:
    told = int(line)
try:
    if told:
        os.kill(told, signal.SIGKILL)
except ProcessLookupError:
    pass
"""


@contextmanager
def ends_with_us(find: Callable[[], int | None]) -> Iterator[None]:
    """Watch a process started in this context, also after it; ``find`` returns its id once there is one.

    If this process exits normally, the code that started the other one also ends it. The watcher then ends without a
    kill, since the id could belong to an unrelated process by then.
    """
    watcher = subprocess.Popen(  # noqa: S603  # our own program, defined above
        [sys.executable, "-I", "-S", "-c", WATCHER],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # it must not get the signals of the terminal
    )
    atexit.register(_release, watcher)
    done = Event()
    if watcher.stdin is not None:
        teller = Thread(target=_tell, args=(find, watcher.stdin, done), daemon=True)
        teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(find: Callable[[], int | None], pipe: IO[bytes], done: Event) -> None:
    """Send the watcher the id of every process found, until the context has ended."""
    told, last = None, False
    while not last:
        last = done.wait(PAUSE)
        found = find()
        if found not in {told, None}:
            told = found
            pipe.write(b"%d\n" % found)
            pipe.flush()


def _release(watcher: subprocess.Popen[bytes]) -> None:
    """End a watcher that is no longer needed."""
    watcher.kill()
    watcher.communicate()
