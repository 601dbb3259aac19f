"""Watches readers: hands each one dump at a time, stops it at its limits, and records which dump killed it.

An executor runs ``read_batch`` or ``Crew.read``. Neither runs parser code, so what kills a reader does not kill them,
and no other dump of the batch is blamed. What becomes of the entries is not known here.
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

from parsers._contract import DumpError
from pipeline.cache import find_entry, reading_hash, store_reading, verdict_key
from pipeline.read import failed_reading
from pipeline.reader import Batch, Done, Order, carry_out
from pipeline.settings import MEBIBYTE, FailedError, Limits

READER: Final = "pipeline.reader:main"
_TICK: Final = 0.05
"""Seconds between two looks at what a reader costs."""

_START: Final = 120.0
"""Seconds of CPU that a reader may take to start: machines can be busy."""

_STARTS: Final = 3
"""How often a reader is started that others kill before it is ready."""

_FAREWELL: Final = 5.0
"""Seconds that a process may take to end once it has closed the pipe."""

_NO_ANSWER: Final = (UnpicklingError, AttributeError, ImportError, LookupError, TypeError, ValueError)
"""What comes of bytes that are no pickle of ours, as something else that holds the pipe may write them."""

_WORDS: Final = 1 << 16
"""Bytes of the end of an error stream that are looked at: there may be gigabytes."""

_GROWN: Final = 0.5
"""Share of a fresh reader's memory allowance that may stay in use after a dump; beyond it the reader is replaced."""

_FROM_OUTSIDE: Final = frozenset({0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})
"""Ends that others bring about, or that a reader comes to by itself when it has nothing to do."""

_PROGRAM: Final = """
import json, sys
from pkgutil import resolve_name
sys.path[:] = json.loads(sys.argv[3])
resolve_name(sys.argv[1])(int(sys.argv[2]))
"""


class StaleCodeError(Exception):
    """A worker has other reading code than the run that asks it: what it read would be found by nobody."""


class ReaderError(FailedError):
    """A reader could not be started, or was told to stop."""


class KilledError(ReaderError):
    """A reader was killed from outside before it was ready: the next one may start."""


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a reader while it read a dump: a reason of the quarantine, and in words what was expected.

    It is ``doubtful`` where something else than the dump may have brought it about.
    """

    reason: str
    detail: str
    doubtful: bool = False


def read_batch(batch: Batch) -> list[Done]:
    """Read the dumps of a batch that have no entry yet, on a worker of a run elsewhere: its readers outlive the run.

    Raises ``StaleCodeError`` where the code here is not that of the run.
    """
    if (code := reading_hash(batch.source)) != batch.code:
        where = f"{socket.gethostname()}, process {os.getpid()}"
        raise StaleCodeError(f"{where}: expected reading code {batch.code[:12]}, found {code[:12]}: update it there")
    return _CREW.read(batch)


def read_batch_here(batch: Batch) -> list[Done]:
    """Read the dumps of a batch that have no entry yet in this process: for debuggers and tests."""
    return [_standing(order, batch) or carry_out(order) for order in batch.orders]


def _standing(order: Order, batch: Batch) -> Done | None:
    """Return what an earlier reading has left of an order, None where there is nothing or it is to be read again."""
    names = (order.key, verdict_key(order.key, order.limits))
    folder = None if batch.again else find_entry(order.folders, names)
    return Done(order.dump.path, order.digest, folder) if folder else None


class Supervisor:
    """Owns one reader at a time, which it keeps from batch to batch."""

    def __init__(self, stopped: Event) -> None:
        """Start nothing yet; once ``stopped`` is set, a reader that is at work ends."""
        self._stopped = stopped
        self._reader: Reader | None = None

    def start(self) -> "Reader":
        """Return the reader, started where there is none. Raises ``ReaderError``."""
        if self._reader is not None and self._reader.is_alive():
            return self._reader
        self.close()
        for _ in range(_STARTS - 1):
            with suppress(KilledError):
                self._reader = Reader(self._stopped)
                return self._reader
        self._reader = Reader(self._stopped)
        return self._reader

    def read(self, order: Order) -> Done:
        """Have a dump read; where the reader dies of it, that is what it was read to.

        An end that came from outside (somebody, or a system that is short of memory), or memory that dumps before have
        left behind, may have nothing to do with the dump: it is read a second time, by another reader.
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
        """Have a dump read once; a reader that died, has grown, or gave no proper answer is not used again."""
        reader = self.start()
        outcome: Done | Death | None = None
        try:
            outcome = reader.read(order)
        finally:
            if not isinstance(outcome, Done) or reader.has_grown(order.limits):
                self.close()
        return outcome


class Reader:
    """A process that reads dumps, one at a time."""

    def __init__(self, stopped: Event) -> None:
        """Start it and wait until it is ready. Raises ``ReaderError`` if it never is, or if ``stopped`` is set."""
        self._stopped = stopped
        self._orders, theirs = Pipe()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        self._reads = 0
        self._said = 0  # bytes of it that are about dumps before
        arguments = [READER, str(theirs.fileno()), json.dumps(sys.path)]
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, with a program of ours
            [sys.executable, "-P", "-X", "faulthandler", "-c", _PROGRAM, *arguments],  # -P: no json.py from here
            env={**os.environ, "POLARS_MAX_THREADS": "1"},  # there is a reader a core
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,  # what a terminal sends to all is for the run, which ends its readers
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
        """True if what was read before has left less memory than a dump should have."""
        return self.memory() - self._at_start > _GROWN * (limits.memory_mib * MEBIBYTE - self._at_start)

    def memory(self) -> int:
        """Return the resident memory in bytes; 0 of a process that is gone."""
        try:
            return int(self._account.memory_info().rss)
        except psutil.Error:
            return 0

    def read(self, order: Order) -> Done | Death:
        """Have a dump read, and end the process where that costs more than it may."""
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
            return Death("reader_died", f"expected an answer, found something else in the pipe: {error}")
        return done

    def close(self) -> None:
        """End the process, at once, and those that it has started."""
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._orders.close()
        self._errors.close()

    def _start(self) -> None:
        """Wait for the sign that the process has started. Raises ``ReaderError`` where it does not come."""
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
        """Wait for an answer; ``used`` is the CPU time before. Returns the limit that is passed before one comes.

        Raises ``EOFError`` where the process has ended: the pipe says so too, but not while a child holds it.
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
        """Say which limit is passed, if one is."""
        if cpu > limits.cpu_seconds:
            return Death("too_slow", f"expected at most {limits.cpu_seconds:g} s of CPU for one dump")
        if wall > limits.patience:
            return Death("too_slow", f"expected an end within {limits.patience:g} s, whatever it waits for")
        if self.memory() > limits.memory_mib * MEBIBYTE:
            detail = f"expected at most {limits.memory_mib} MiB of memory for one dump"
            return Death("too_large", detail, doubtful=self._reads > 1)  # some of it may be of the dumps before
        return None

    def _cpu(self) -> float:
        """Return the seconds of CPU that the process has used."""
        try:
            times = self._account.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def _death(self) -> Death:
        """Say how a process ended that was not told to."""
        try:
            code = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:  # it has closed the pipe and goes on: no reader any more
            self._process.kill()
            code = self._process.wait()
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        words = self._last_words()
        detail = f"expected an end of reading, the process died of {how}" + (f": {words}" if words else "")
        return Death("reader_died", detail, code in _FROM_OUTSIDE)

    def _last_words(self) -> str:
        """Return what it has said of this dump, the line that says most: of a crash of C the first, else the last."""
        end = os.fstat(self._errors.fileno()).st_size
        self._errors.seek(max(self._said, end - _WORDS))
        lines = self._errors.read(_WORDS).decode(errors="replace").strip().splitlines()
        fatal = [line for line in lines if line.startswith("Fatal Python error")]
        return (fatal or lines[-1:] or [""])[0][:500]


def _blame(order: Order, death: Death) -> Done:
    """Make the entry of a dump that cannot be read within its limits here, so that no later run meets it again."""
    error = DumpError(order.dump.path, 1, death.reason, death.detail)
    reading = failed_reading(order.dump, error, order.digest)
    folder, problem = store_reading(order.folders, verdict_key(order.key, order.limits), reading)
    return Done(order.dump.path, order.digest, folder, problem)


class Crew:
    """Supervisors that take turns: each is lent to one batch at a time, no more than ``most`` at once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._free = Condition()
        self._stopped = Event()
        self._idle: list[Supervisor] = []
        self._lent = 0
        self._most: float = inf

    def limit(self, most: float) -> None:
        """Let no more than ``most`` readers be at work."""
        with self._free:
            self._most = most
            self._free.notify_all()

    def read(self, batch: Batch) -> list[Done]:
        """Read the dumps of a batch that have no entry yet, in a process that is watched."""
        with self._lend() as supervisor:
            return [_standing(order, batch) or supervisor.read(order) for order in batch.orders]

    def warm(self) -> None:
        """Start a reader that the first batch will need."""
        with self._lend() as supervisor:
            supervisor.start()

    def stop(self) -> None:
        """End the readers that are at work, and let none begin."""
        self._stopped.set()

    def dismiss(self) -> None:
        """End the readers that are idle."""
        with self._free:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def _lend(self) -> Iterator[Supervisor]:
        """Lend a supervisor, one with a reader where there is one."""
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


_CREW: Final = Crew()
"""The supervisors of a worker process, kept from run to run; a reader without work ends by itself."""
