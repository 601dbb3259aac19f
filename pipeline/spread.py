"""Lets an executor read the dumps that have no entry yet: any executor, here or on other machines.

It knows ``concurrent.futures.Executor`` and nothing of what is behind one (``pipeline.engines``). What is submitted is
a batch of plain values; what comes back are counts and hashes, the rows go into the cache.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Final

from pipeline.cache import reading_hash
from pipeline.reader import Batch, Done, Order
from pipeline.settings import FailedError, Settings
from pipeline.snapshot import Dump

BATCH: Final = 4_000_000
"""Bytes of dumps in a batch, about: half a second of reading, a hundred times what it costs to hand one over."""

_EACH: Final = 50_000
_TRIES: Final = 3
_LOOK: Final = 1.0
"""Seconds between two looks for the executor: one that has gone does not say so."""

Watch = Callable[[str], None]
"""Is told of each step in a few words."""

Unread = tuple[Dump, str, str]
"""A dump that is to be read, the hash of its bytes and the name of its entry."""


class EngineError(FailedError):
    """An executor could not have a batch read, though it was asked again."""


def make_batches(
    source: str, unread: Iterable[Unread], folders: Sequence[Path], settings: Settings, *, again: bool = False
) -> Iterator[Batch]:
    """Part the dumps of one source into batches."""
    code = reading_hash(source)
    orders: list[Order] = []
    size = 0
    for dump, digest, key in unread:
        orders.append(Order(source, dump, digest, key, folders, settings.max_bytes, settings.limits))
        size += cost_of(dump)
        if size >= BATCH:
            yield Batch(source, code, tuple(orders), again)
            orders, size = [], 0
    if orders:
        yield Batch(source, code, tuple(orders), again)


def cost_of(dump: Dump) -> int:
    """Return how many bytes of a large dump take as long as this one; to read one takes some time whatever is in it."""
    try:
        return _EACH + dump.file.stat().st_size
    except OSError:
        return _EACH


def spread(  # noqa: PLR0913, PLR0917  # who reads what, and who is told
    executor: Executor,
    batches: Iterable[Batch],
    read_batch: Callable[[Batch], list[Done]],
    watch: Watch,
    warn: Watch,
    is_there: Callable[[], bool] = lambda: True,
) -> list[Done]:
    """Have all batches read, side by side as the executor allows.

    ``watch`` is told how far that is, ``warn`` what goes wrong; ``is_there`` says whether there is still an executor.

    A batch whose worker died, or had other code, is given out again: what it has read by then is not read again.
    Raises ``EngineError`` where that does not help.
    """
    waiting: dict[Future[list[Done]], tuple[Batch, int]] = {
        executor.submit(read_batch, batch): (batch, 1) for batch in batches
    }
    total, done = sum(len(batch.orders) for batch, _ in waiting.values()), list[Done]()
    while waiting:
        finished = wait(waiting, _LOOK, FIRST_COMPLETED).done
        if not is_there():
            raise EngineError("expected an executor that stays, it has gone")
        for future in finished:
            batch, tries = waiting.pop(future)
            problem = "it was cancelled" if future.cancelled() else future.exception()
            if problem is None:
                done += future.result()
                watch(f"read {len(done)} of {total} dumps, last {done[-1].path}")
            elif isinstance(problem, FailedError):
                raise problem
            elif tries == _TRIES:
                raise EngineError(f"{batch.orders[0].dump.path}: expected a worker to read it: {problem}")
            else:
                warn(f"given out again: {batch.orders[0].dump.path} and what comes with it: {problem}")
                waiting[executor.submit(read_batch, batch)] = (batch, tries + 1)
    return done
