"""Ends a process that was started for this one when this one ends, however it ends: killed, it cannot do so itself.

A small watcher holds the reading end of a pipe. The system closes the writing end with this process, whatever happens
to it, on Linux and macOS alike. What the process does is not known here.
"""

import atexit
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import IO, Final

PAUSE: Final = 0.02
"""Seconds between two looks for the process."""

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
    """Watch over a process that is started within, also after the block; ``find`` gives its id once there is one.

    Where this process ends in order, whoever started the other one also ends it: the watcher goes without a kill, since
    the id could be that of a stranger by then.
    """
    watcher = subprocess.Popen(  # noqa: S603  # a program of ours, written above
        [sys.executable, "-I", "-S", "-c", WATCHER],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # what a terminal sends to all its processes is not meant for it
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
    """Tell the watcher every process that is found, until the block has ended and the last one is told."""
    told, last = None, False
    while not last:
        last = done.wait(PAUSE)
        found = find()
        if found not in {told, None}:
            told = found
            pipe.write(b"%d\n" % found)
            pipe.flush()


def _release(watcher: subprocess.Popen[bytes]) -> None:
    """End a watcher that has nothing to do any more."""
    watcher.kill()
    watcher.communicate()
