"""Engines that read the dumps of a run: processes on this machine, workers of a Dask scheduler, or the run itself.

``processes:N``            N readers on this machine; the default, with one per core
``tcp://scheduler:8786``   workers of a Dask scheduler, which see the same raw root; needs ``conspectus[dask]``
``inline``                 the run itself, which then dies of anything that kills a reader: for debuggers and tests
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, Protocol, TypeVar

from parsers._contract import Source
from pipeline.base.settings import INLINE, FailedError, UsageError, cores
from pipeline.workers.reader import Batch, Done, carry_out
from pipeline.workers.spread import EngineError, Watch, cost_of, spread
from pipeline.workers.supervisor import ReaderError, ReaderPool, run_batch

SHARE: Final = 2_000_000
"""Bytes of dumps per additional reader: starting one takes as long as reading some of them."""

_PATIENCE: Final = 30
"""Seconds that a Dask scheduler may take to answer."""

Value = TypeVar("Value")


class Engine(Protocol):
    """Reads batches."""

    def warm(self) -> None:
        """Get ready to read soon."""

    def run(self, batches: Sequence[Batch], watch: Watch, warn: Watch) -> Iterator[Done]:
        """Read batches and yield their dumps; ``watch`` gets the progress, ``warn`` the problems.

        Raises ``FailedError``.
        """


@contextmanager
def open_engine(name: str, known: Mapping[str, Source]) -> Iterator[Engine]:
    """Open the engine of a run; on exit end all processes that it started on this machine.

    A reader process finds the sources by itself; ``known`` are those that the run itself can read.

    Raises ``UsageError`` where it is not available here, and ``FailedError`` where it does not answer.
    """
    kind, _, rest = name.partition(":")
    if name == INLINE:
        yield Inline(known)
    elif kind == "processes":
        with Processes.opened(int(rest)) as engine:
            yield engine
    else:
        with Processes.opened(cores()) as here, _dask(name) as (executor, is_there):
            yield Workers(name, executor, here, is_there)


class Inline:
    """Reads in the process of the run."""

    def __init__(self, known: Mapping[str, Source]) -> None:
        """Start nothing."""
        self._known = known

    def warm(self) -> None:
        """Do nothing: there is nothing to start."""

    def run(self, batches: Sequence[Batch], watch: Watch, _warn: Watch) -> Iterator[Done]:
        """Read the batches one after the other; exceptions are raised here, where a debugger sees them."""
        total, done = sum(len(batch.orders) for batch in batches), 0
        for batch in batches:
            for order in batch.orders:
                yield carry_out(order, self._known[order.source])
            done += len(batch.orders)
            watch(f"read {done} of {total} dumps, last {batch.orders[-1].dump.path}")


class Processes:
    """Reads in processes on this machine, as many as the amount of work justifies."""

    def __init__(self, most: int, pool: ThreadPoolExecutor, crew: ReaderPool) -> None:
        """Take a pool whose threads run the crew's supervisors; all sources of a run share them."""
        self._most, self._pool, self._crew = most, pool, crew
        self._work, self._warm, self._lock = 0, False, Lock()

    @classmethod
    @contextmanager
    def opened(cls, most: int) -> Iterator["Processes"]:
        """Open the pool; on exit end it and all readers, busy ones too."""
        pool, crew = ThreadPoolExecutor(most, thread_name_prefix="supervisor"), ReaderPool()
        try:
            yield cls(most, pool, crew)
        finally:
            crew.stop()
            pool.shutdown(cancel_futures=True)
            crew.dismiss()

    def warm(self) -> None:
        """Start one reader in the background."""
        if not self._warm:
            self._pool.submit(self._crew.warm)
        self._warm = True

    def run(self, batches: Sequence[Batch], watch: Watch, warn: Watch) -> Iterator[Done]:
        """Read batches with as many readers as the pending work justifies."""
        work = sum(cost_of(order.dump) for batch in batches for order in batch.orders)
        self._share(work)
        try:
            yield from spread(self._pool, batches, self._crew.run_batch, watch, warn)
        finally:
            self._share(-work)

    def _share(self, work: int) -> None:
        """Add to the pending work and adjust the number of readers."""
        with self._lock:
            self._work += work
            self._crew.limit(min(self._most, 1 + self._work // SHARE))


class Workers:
    """Reads on the workers of a Dask scheduler; whatever they cannot read is read on this machine."""

    def __init__(
        self, address: str, executor: Executor, here: Processes, is_there: Callable[[], bool] = lambda: True
    ) -> None:
        """``address`` is for messages; ``is_there`` returns True while the scheduler can be reached."""
        self._address, self._executor, self._here, self._is_there = address, executor, here, is_there

    def warm(self) -> None:
        """Do nothing: workers start their own readers."""

    def run(self, batches: Sequence[Batch], watch: Watch, warn: Watch) -> Iterator[Done]:
        """Read batches; if workers are lost or run other code, this machine reads the rest."""
        read = set[str]()
        try:
            if not self._is_there():
                raise EngineError("it has stopped")
            for done in spread(self._executor, batches, run_batch, watch, warn, self._is_there):
                read.add(done.path)
                yield done
        except (EngineError, ReaderError) as error:
            warn(f"{self._address}: {error}; reading the rest on this machine")
            left = [batch for batch in batches if batch.orders[0].dump.path not in read]
            yield from self._here.run(left, watch, warn)


@contextmanager
def _dask(address: str) -> Iterator[tuple[Executor, Callable[[], bool]]]:
    """Open the executor of a Dask scheduler, with a function that returns True while the scheduler can be reached.

    Raises ``UsageError`` without Dask, ``FailedError`` without an answer.
    """
    try:
        from distributed import Client, Security  # noqa: PLC0415  # an extra, and a second to import
        from distributed.comm.core import connect  # noqa: PLC0415  # as above
    except ImportError as error:
        raise UsageError(f"--engine {address} needs Dask: install conspectus[dask]") from error
    # Connect by hand first: a client that fails on an invalid address keeps the process from ever ending.
    secured: Any = Security()  # type: ignore[no-untyped-call]

    async def reach() -> None:
        arguments = secured.get_connection_args("client")
        comm: Any = await connect(address, timeout=_PATIENCE, **arguments)  # type: ignore[no-untyped-call]
        await comm.close()

    try:
        asyncio.run(reach())
        client: Any = Client(address, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, TypeError, ValueError, RuntimeError) as error:
        raise FailedError(f"{address}: expected a running Dask scheduler: {error}") from error
    with client:
        executor = client.get_executor(pure=False)  # a batch submitted again is a new task
        yield executor, lambda: client.status in {"running", "connecting"}
