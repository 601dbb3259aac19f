"""Kills helper processes when this process ends in any way, even if this process is itself killed.

A small watcher process holds the read end of a pipe. The system closes the write end when this process ends, on Linux
and macOS alike. Helpers are recognised by a variable in their environment, so none can start unnoticed.
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import uuid4

VARIABLE: Final = "CONSPECTUS_LEASH"
"""Environment variable of the helpers; its value names the watcher."""

WATCHER: Final = """
import sys
sys.stdin.buffer.read()
import psutil
for process in psutil.process_iter():
    try:
        if process.environ().get(sys.argv[1]) == sys.argv[2]:
            process.kill()
    except psutil.Error:
        pass
"""


@contextmanager
def ends_with_us() -> Iterator[None]:
    """Make every process started in this context end with this process, even after the context.

    If this process exits normally, the code that started a helper also ends it: the watcher then kills nothing.
    """
    mark = uuid4().hex
    watcher = subprocess.Popen(  # noqa: S603  # our own program, defined above
        [sys.executable, "-I", "-c", WATCHER, VARIABLE, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # it must not get the signals of the terminal
    )
    atexit.register(watcher.communicate)
    atexit.register(watcher.kill)  # called first, being the last one registered
    os.environ[VARIABLE] = mark
    try:
        yield
    finally:
        del os.environ[VARIABLE]
