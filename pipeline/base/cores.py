"""CPU affinity of started processes."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_core() -> Iterator[None]:
    """Keep processes started in this context on one core, on Linux; do nothing elsewhere.

    For a server whose threads pass each other small tasks and seldom run in parallel: waking a thread on another core
    takes longer than its task.
    """
    if sys.platform != "linux":
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
