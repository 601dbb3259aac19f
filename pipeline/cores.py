"""Which cores of the machine a process runs on."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_core() -> Iterator[None]:
    """Start processes within that keep to one core, where the system can do that: elsewhere nothing is different.

    For a server whose threads hand each other one small thing after the other, and seldom work at the same time: to
    wake a thread on another core takes longer than what it is woken for.
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
