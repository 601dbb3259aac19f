"""Reads dumps into the cache for others, in a process of its own that may be killed.

``pipeline.supervisor`` starts it, hands it one order after the other through a pipe, and watches what each one costs.
It imports no more than reading needs: neither pandera nor Prefect, and of the parsers the one that is asked for.
"""

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from parsers._registry import find_source
from pipeline.cache import entry_key, store_reading
from pipeline.read import read_dump
from pipeline.settings import Limits
from pipeline.snapshot import Dump

IDLE: Final = 60.0
"""Seconds without an order after which a reader ends: its memory is worth more than its start."""


@dataclass(frozen=True, slots=True)
class Order:
    """One dump to be read. ``folders`` are asked in turn to keep what it is read to; ``digest`` is that of its bytes.

    ``key`` names its entry as long as the bytes are still those.
    """

    source: str
    dump: Dump
    digest: str
    key: str
    folders: Sequence[Path]
    max_bytes: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class Batch:
    """Dumps of one source that are read one after the other: plain values, so that any pickle carries them.

    ``code`` is the hash of the reading code of the run. With ``again`` an entry that is there does not count.
    """

    source: str
    code: str
    orders: tuple[Order, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an order: the folder that holds the entry, and the hash of the bytes that were read.

    ``folder`` is None where no entry was made: ``unreadable`` then says why the file could not be read, or
    ``problem`` why no folder would take it. ``problem`` is also told where the first of them would not.
    """

    path: str
    digest: str
    folder: Path | None = None
    problem: str | None = None
    unreadable: str | None = None
    seconds: float = 0.0


def carry_out(order: Order) -> Done:
    """Read the dump of an order and keep what came out.

    A file that the system refuses to read gets no entry: it may be readable the next time, with the same bytes.
    """
    start = time.process_time()
    source = find_source(order.source)
    reading = read_dump(source, order.dump, order.max_bytes)
    if "unreadable" in reading.by_reason:
        return Done(order.dump.path, order.digest, unreadable=reading.quarantine["detail"][0])
    digest = reading.sha256 or order.digest  # a dump that is refused before it is read has no hash of its own
    changed = digest != order.digest
    key = entry_key(order.source, order.dump, digest, order.max_bytes) if changed else order.key
    folder, problem = store_reading(order.folders, key, reading)
    return Done(order.dump.path, digest, folder, problem, seconds=time.process_time() - start)


def main(handle: int) -> None:
    """Carry out the orders that come through a pipe, until it is closed or none comes for a while."""
    orders = Connection(handle)
    orders.send(None)  # ready
    try:
        while orders.poll(IDLE):
            order: Order = orders.recv()
            _set_alarms(2 * order.limits.cpu_seconds, 2 * order.limits.patience)
            done = carry_out(order)
            _set_alarms(0, 0)
            orders.send(done)
    except (EOFError, BrokenPipeError):  # whoever asked is gone, or needs no more
        return


def _set_alarms(cpu_seconds: float, seconds: float) -> None:
    """Let the system end this process after a while: whoever watches it may have died, and a loop of C hears nobody."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds)
