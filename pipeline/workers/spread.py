"""Has an executor read the dumps that have no cache entry yet: any executor, here or on other machines.

It relies on ``concurrent.futures.Executor`` alone; ``pipeline.workers.engines`` provides the executors. Batches of
plain values are submitted; hashes and cache entries come back, and the run writes these.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import Final

from pipeline.base.settings import FailedError, Settings
from pipeline.raw.dump import Dump
from pipeline.reading.cache import reading_hash
from pipeline.workers.reader import Batch, Done, Order

BATCH: Final = 4_000_000
"""Approximate bytes of dumps in a batch: half a second of reading, a hundred times the cost of submitting one."""

_EACH: Final = 50_000
_TRIES: Final = 3
_AHEAD: Final = 64
"""Batches that are submitted before the first of them is done with: their entries wait in memory."""
_LOOK: Final = 1.0
"""Seconds between two checks of the executor: one that is gone does not report it."""

Watch = Callable[[str], None]
"""A function that gets a short message for each step."""

Unread = tuple[Dump, str, str]
"""A dump to read, the hash of its bytes and the name of its cache entry."""


class EngineError(FailedError):
    """An executor is gone, or could not read a batch even after retries."""


def make_batches(source: str, unread: Iterable[Unread], settings: Settings) -> Iterator[Batch]:
    """Split the dumps of one source into batches."""
    code = reading_hash(source)
    orders: list[Order] = []
    size = 0
    for dump, digest, key in unread:
        orders.append(Order(source, dump, digest, key, settings.max_bytes, settings.limits))
        size += cost_of(dump)
        if size >= BATCH:
            yield Batch(source, code, tuple(orders))
            orders, size = [], 0
    if orders:
        yield Batch(source, code, tuple(orders))


def cost_of(dump: Dump) -> int:
    """Return the cost of reading a dump, in bytes: its size plus a fixed overhead."""
    try:
        return _EACH + dump.file.stat().st_size
    except OSError:
        return _EACH


def spread(  # noqa: PLR0913, PLR0917  # executor, work and callbacks
    executor: Executor,
    batches: Iterable[Batch],
    read_batch: Callable[[Batch], list[Done]],
    watch: Watch,
    warn: Watch,
    is_there: Callable[[], bool] = lambda: True,
) -> Iterator[Done]:
    """Read all batches, in parallel as far as the executor allows; yield each dump once its batch is done.

    ``watch`` gets the progress, ``warn`` the problems; ``is_there`` returns True while the executor exists.

    A batch whose worker died or had other code is submitted again. Raises ``EngineError`` where retries do not help, or
    the executor is gone.
    """
    todo = list(batches)
    total, done = sum(len(batch.orders) for batch in todo), 0
    left, waiting = iter(todo), dict[Future[list[Done]], tuple[Batch, int]]()
    while True:
        for batch in islice(left, _AHEAD - len(waiting)):
            waiting[executor.submit(read_batch, batch)] = (batch, 1)
        if not waiting:
            return
        finished = wait(waiting, _LOOK, FIRST_COMPLETED).done
        if not is_there():
            raise EngineError("expected a running executor, it has stopped")
        for future in finished:
            batch, tries = waiting.pop(future)
            problem = "it was cancelled" if future.cancelled() else future.exception()
            if problem is None:
                done += len(batch.orders)
                watch(f"read {done} of {total} dumps, last {batch.orders[-1].dump.path}")
                yield from future.result()
            elif isinstance(problem, FailedError):
                raise problem
            elif tries == _TRIES:
                raise EngineError(f"{batch.orders[0].dump.path}: expected a worker to read it: {problem}")
            else:
                warn(f"reassigned: {batch.orders[0].dump.path} and the dumps of its batch: {problem}")
                waiting[executor.submit(read_batch, batch)] = (batch, tries + 1)
