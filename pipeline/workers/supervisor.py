"""Supervises reader processes: hands each one dump at a time, stops it at its limits, records which dump killed it.

An executor runs ``run_batch`` or ``ReaderPool.run_batch``. Neither runs parser code, so a dump that kills a reader does
not kill them, and no other dump of the batch is blamed.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from multiprocessing import Pipe
from pickle import UnpicklingError
from threading import Condition, Event
from typing import Final

import psutil

from parsers._ledger.document import DumpError
from pipeline.base.settings import MEBIBYTE, FailedError, Limits
from pipeline.reading.cache import pack_reading, reading_hash, verdict_key
from pipeline.reading.read import failed_reading
from pipeline.workers.reader import Batch, Done, Order

READER: Final = "pipeline.workers.reader:main"
_TICK: Final = 0.05
"""Seconds between two checks of a reader's CPU time and memory."""

_START: Final = 120.0
"""Seconds of CPU that a reader may take to start: machines can be busy."""

_STARTS: Final = 3
"""How often to start a reader that is killed from outside before it is ready."""

_FAREWELL: Final = 5.0
"""Seconds that a process may take to end once it has closed the pipe."""

_NO_ANSWER: Final = (UnpicklingError, AttributeError, ImportError, LookupError, TypeError, ValueError)
"""Errors from bytes that are not a pickle of ours: another process that holds the pipe may write them."""

_WORDS: Final = 1 << 16
"""Bytes read from the end of an error stream, which may be gigabytes long."""

_GROWN: Final = 0.5
"""Share of a fresh reader's memory allowance that may stay in use after a dump; beyond it the reader is replaced."""

_FROM_OUTSIDE: Final = frozenset({0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})
"""Exit codes of readers that were killed from outside, or ended because they were idle."""

_PROGRAM: Final = """
import json, sys
from pkgutil import resolve_name
sys.path[:] = json.loads(sys.argv[3])
resolve_name(sys.argv[1])(int(sys.argv[2]))
"""


class StaleCodeError(Exception):
    """A worker's reading code is not that of the run, which could not trust what the worker reads."""


class ReaderError(FailedError):
    """A reader could not be started, or was stopped."""


class KilledError(ReaderError):
    """A reader was killed from outside before it was ready: a retry may succeed."""


@dataclass(frozen=True, slots=True)
class Death:
    """The death of a reader while it read a dump: a quarantine reason, and a text on what was expected.

    It is ``doubtful`` if something other than the dump may have caused it.
    """

    reason: str
    detail: str
    doubtful: bool = False


def run_batch(batch: Batch) -> list[Done]:
    """Read the dumps of a batch on a remote worker; its readers outlive the run.

    Raises ``StaleCodeError`` where the code here is not that of the run.
    """
    if (code := reading_hash(batch.source)) != batch.code:
        where = f"{socket.gethostname()}, process {os.getpid()}"
        raise StaleCodeError(
            f"{where}: expected code version {batch.code[:12]}, found {code[:12]}: update conspectus there"
        )
    return _CREW.run_batch(batch)


class Supervisor:
    """Owns one reader at a time, which it keeps from batch to batch."""

    def __init__(self, stopped: Event) -> None:
        """Start nothing yet; once ``stopped`` is set, a busy reader ends."""
        self._stopped = stopped
        self._reader: RunningReader | None = None

    def start(self) -> "RunningReader":
        """Return the reader, starting one if needed. Raises ``ReaderError``."""
        if self._reader is not None and self._reader.is_alive():
            return self._reader
        self.close()
        for _ in range(_STARTS - 1):
            with suppress(KilledError):
                self._reader = RunningReader(self._stopped)
                return self._reader
        self._reader = RunningReader(self._stopped)
        return self._reader

    def run_order(self, order: Order) -> Done:
        """Have a dump read; if the reader dies of it, that failure is its cache entry.

        A kill from outside (by a person, or by a system short of memory), or memory that earlier dumps left behind, may
        have nothing to do with the dump: it is read a second time, by another reader.
        """
        outcome = self._try(order)
        if isinstance(outcome, Death) and outcome.doubtful:
            outcome = self._try(order)
        return _blame(order, outcome) if isinstance(outcome, Death) else outcome

    def close(self) -> None:
        """End the reader."""
        if self._reader is not None:
            self._reader.close()
        self._reader = None

    def _try(self, order: Order) -> Done | Death:
        """Have a dump read once; a reader that died, has grown, or gave no valid answer is not used again."""
        reader = self.start()
        outcome: Done | Death | None = None
        try:
            outcome = reader.run_order(order)
        finally:
            if not isinstance(outcome, Done) or reader.has_grown(order.limits):
                self.close()
        return outcome


class RunningReader:
    """A running process that reads dumps, one at a time; to make one starts it."""

    def __init__(self, stopped: Event) -> None:
        """Start it and wait until it is ready. Raises ``ReaderError`` if it never is, or if ``stopped`` is set."""
        self._stopped = stopped
        self._orders, theirs = Pipe()
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        except OSError as error:
            raise ReaderError(f"expected a folder for temporary files (set TMPDIR): {error.strerror}") from error
        self._reads = 0
        self._said = 0  # bytes of stderr about earlier dumps
        arguments = [READER, str(theirs.fileno()), json.dumps(sys.path)]
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, with our own program
            [sys.executable, "-P", "-X", "faulthandler", "-c", _PROGRAM, *arguments],  # -P: no json.py from the cwd
            env={**os.environ, "POLARS_MAX_THREADS": "1"},  # there is one reader per core
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,  # signals of the terminal are for the run, which ends its readers
        )
        theirs.close()
        self._account = psutil.Process(self._process.pid)
        try:
            self._start()
        except ReaderError:
            self.close()
            raise

    def is_alive(self) -> bool:
        """True if the process is still there."""
        return self._process.poll() is None

    def has_grown(self, limits: Limits) -> bool:
        """True if earlier dumps have left less memory than a dump should have."""
        return self.memory() - self._at_start > _GROWN * (limits.memory_mib * MEBIBYTE - self._at_start)

    def memory(self) -> int:
        """Return the resident memory in bytes; 0 if the process is gone."""
        try:
            return int(self._account.memory_info().rss)
        except psutil.Error:
            return 0

    def run_order(self, order: Order) -> Done | Death:
        """Have a dump read; return a ``Death`` if the process dies or exceeds a limit."""
        self._reads += 1
        used, self._said = self._cpu(), os.fstat(self._errors.fileno()).st_size
        try:
            self._orders.send(order)
            if (death := self._wait(order.limits, used)) is not None:
                return death
            done: Done = self._orders.recv()
        except (EOFError, OSError):
            return self._death()
        except _NO_ANSWER as error:
            return Death("reader_died", f"expected an answer from the reader, found other data: {error}")
        return done

    def close(self) -> None:
        """Kill the process and those that it has started."""
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._orders.close()
        self._errors.close()

    def _start(self) -> None:
        """Wait until the process reports that it is ready. Raises ``ReaderError`` if it does not."""
        try:
            if (death := self._wait(Limits(cpu_seconds=_START), 0.0)) is not None:
                raise ReaderError(f"a reader did not start: {death.detail}")
            self._orders.recv()
            self._at_start = self.memory()
        except (EOFError, OSError) as error:
            death = self._death()
            kind = KilledError if death.doubtful else ReaderError
            raise kind(f"a reader did not start: {death.detail}") from error

    def _wait(self, limits: Limits, used: float) -> Death | None:
        """Wait for an answer; return a ``Death`` if a limit is exceeded first. ``used`` is the CPU time before.

        Raises ``EOFError`` if the process has ended: the pipe reports that too, but not while a child holds it. Raises
        ``ReaderError`` if the run was stopped.
        """
        start = time.monotonic()
        while not self._orders.poll(_TICK):
            if not self.is_alive() and not self._orders.poll():
                raise EOFError
            death = self._over(limits, self._cpu() - used, time.monotonic() - start)
            if death is not None:
                return death
            if self._stopped.is_set():
                raise ReaderError("the run was stopped")
        return None

    def _over(self, limits: Limits, cpu: float, wall: float) -> Death | None:
        """Return a ``Death`` for the exceeded limit; None if there is none."""
        if cpu > limits.cpu_seconds:
            return Death("too_slow", f"expected at most {limits.cpu_seconds:g} s of CPU for one dump")
        if wall > limits.patience:
            return Death("too_slow", f"expected the dump to be read within {limits.patience:g} s, including waiting")
        if self.memory() > limits.memory_mib * MEBIBYTE:
            detail = f"expected at most {limits.memory_mib} MiB of memory for one dump"
            return Death("too_large", detail, doubtful=self._reads > 1)  # some of it may be left from earlier dumps
        return None

    def _cpu(self) -> float:
        """Return the CPU seconds that the process has used; 0 if it is gone."""
        try:
            times = self._account.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def _death(self) -> Death:
        """Return how a process ended that was not stopped."""
        try:
            code = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:  # it closed the pipe but still runs: useless as a reader
            self._process.kill()
            code = self._process.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        words = self._last_words()
        detail = f"expected the reader to finish, its process died of {how}" + (f": {words}" if words else "")
        return Death("reader_died", detail, code in _FROM_OUTSIDE)

    def _last_words(self) -> str:
        """Return the most telling line of stderr on this dump: the first one of a crash in C, else the last line."""
        end = os.fstat(self._errors.fileno()).st_size
        self._errors.seek(max(self._said, end - _WORDS))
        lines = self._errors.read(_WORDS).decode(errors="replace").strip().splitlines()
        fatal = [line for line in lines if line.startswith("Fatal Python error")]
        return (fatal or lines[-1:] or [""])[0][:500]


def _blame(order: Order, death: Death) -> Done:
    """Return the cache entry of a dump that exceeded its limits or killed its reader, so that no later run reads it."""
    error = DumpError(order.dump.path, 1, death.reason, death.detail)
    reading, key = failed_reading(order.dump, error, order.digest), verdict_key(order.key, order.limits)
    return Done(order.source, order.dump.path, order.digest, key, pack_reading(key, reading))


class ReaderPool:
    """A pool of supervisors: each is lent to one batch at a time, at most as many at once as ``limit`` allows."""

    def __init__(self) -> None:
        """Start with no supervisors."""
        self._free = Condition()
        self._stopped = Event()
        self._idle: list[Supervisor] = []
        self._lent = 0
        self._most: float = inf

    def limit(self, most: float) -> None:
        """Let at most ``most`` readers work at once."""
        with self._free:
            self._most = most
            self._free.notify_all()

    def run_batch(self, batch: Batch) -> list[Done]:
        """Read the dumps of a batch in a supervised process."""
        with self._lend() as supervisor:
            return list(map(supervisor.run_order, batch.orders))

    def warm(self) -> None:
        """Start a reader ahead of the first batch."""
        with self._lend() as supervisor:
            supervisor.start()

    def stop(self) -> None:
        """End busy readers and let none start a dump."""
        self._stopped.set()

    def dismiss(self) -> None:
        """End idle readers."""
        with self._free:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def _lend(self) -> Iterator[Supervisor]:
        """Lend a supervisor, an idle one with its reader if there is one."""
        with self._free:
            self._free.wait_for(lambda: self._lent < self._most)
            self._lent += 1
            supervisor = self._idle.pop() if self._idle else Supervisor(self._stopped)
        try:
            yield supervisor
        finally:
            with self._free:
                self._lent -= 1
                self._idle.append(supervisor)
                self._free.notify()


_CREW: Final = ReaderPool()
"""The supervisors of a worker process, kept from run to run; an idle reader ends by itself."""
