"""The reader process: turns dumps into cache entries, and may be killed at any time.

``pipeline.workers.supervisor`` starts it, sends it one order after another through a pipe, and watches the cost of
each. It imports only what reading needs: neither pandera nor Prefect, and only the parsers of the orders it gets.
"""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from parsers._contract import Source
from parsers._registry import find_source
from pipeline.base.settings import Limits
from pipeline.raw.dump import Dump
from pipeline.reading.cache import entry_key, pack_reading
from pipeline.reading.read import read_dump

IDLE: Final = 60.0
"""Seconds without an order after which a reader ends: its memory is worth more than a new start."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order to read one dump: the hash of its bytes, and the name of its cache entry as long as they have it."""

    source: str
    dump: Dump
    digest: str
    key: str
    max_bytes: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class Batch:
    """Dumps of one source, read one after another; plain values, which any pickle can carry.

    ``code`` is the hash of the run's reading code.
    """

    source: str
    code: str
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """The result of an order: the hash of the bytes that were read, the name of the cache entry, and the entry.

    There is none if the file could not be read: ``unreadable`` then says why.
    """

    source: str
    path: str
    digest: str
    key: str = ""
    entry: bytes = b""
    unreadable: str | None = None
    seconds: float = 0.0


def carry_out(order: Order, source: Source) -> Done:
    """Read the dump of an order, as one of its source.

    A file that the system cannot read gets no entry: it may be readable the next time, with the same bytes.
    """
    start = time.process_time()
    reading = read_dump(source, order.dump, order.max_bytes)
    if "unreadable" in reading.by_reason:
        return Done(order.source, order.dump.path, order.digest, unreadable=reading.quarantine["detail"][0])
    digest = reading.sha256 or order.digest  # a dump refused before it is read has no hash
    changed = digest != order.digest
    key = entry_key(order.source, order.dump, digest, order.max_bytes) if changed else order.key
    entry = pack_reading(key, reading)
    return Done(order.source, order.dump.path, digest, key, entry, seconds=time.process_time() - start)


def main(handle: int, find: Callable[[str], Source] = find_source) -> None:
    """Carry out the orders from a pipe until it is closed, or none comes for ``IDLE`` seconds."""
    orders = Connection(handle)
    orders.send(None)  # ready
    try:
        while orders.poll(IDLE):
            order: Order = orders.recv()
            _set_alarms(2 * order.limits.cpu_seconds, 2 * order.limits.patience)
            done = carry_out(order, find(order.source))
            _set_alarms(0, 0)
            orders.send(done)
    except (EOFError, BrokenPipeError):  # the supervisor is gone, or has closed the pipe
        return


def _set_alarms(cpu_seconds: float, seconds: float) -> None:
    """Have the system kill this process after a time, even in a loop of C code: its supervisor may be dead."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds)
