"""Records a run in the log of runs, with its times; the format belongs to ``pipeline.publishing.runs``."""

import signal
import threading
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Self

from pipeline.base.settings import INLINE, FailedError, Settings, UsageError
from pipeline.merging.outcome import Outcome
from pipeline.publishing.publish import Publication, PublishError
from pipeline.publishing.runs import Exit, RunEnd, RunLog, RunStart, cut, cut_all
from pipeline.run.plan import now
from pipeline.workers.spread import Watch

_EXPECTED: Final = (UsageError, FailedError, PublishError)
"""Errors whose message says enough."""


class Recorder:
    """Records a run from entering this context to ``end``, or to the error that leaves the context.

    It is entered as soon as the run holds its lock: what fails then is in the log, too. ``started_at`` is for the plan.
    """

    def __init__(self, settings: Settings, names: Sequence[str], watch: Watch, *, replay: bool = False) -> None:
        """``names`` are the sources that were asked for; ``watch`` gets the problems with the log of a failed run."""
        self.started_at: Final = now()
        self._log = RunLog(settings.out, RunStart(self.started_at, _version(), tuple(names), replay))
        self._inline = settings.engine == INLINE
        self._watch = watch
        self._seconds, self._cpu_seconds = time.perf_counter(), time.process_time()
        self._ended = False
        self._handler: Any = None

    def __enter__(self) -> Self:
        """Write that the run begins; from now on it also says so if it is stopped from outside.

        Who handles the signal already, such as Prefect, raises an exception of its own.
        """
        own = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        if own and threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
        self._log.begin()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Write that the run failed or was stopped, unless it has ended."""
        if self._handler is not None:
            signal.signal(signal.SIGTERM, self._handler)
        if self._ended:
            return
        if isinstance(error, Exception):
            message = str(error) if isinstance(error, _EXPECTED) else f"{type(error).__name__}: {error}"
        else:
            message = "stopped before it had published"
        seconds, cpu_seconds = self._spent()
        self._log.end(RunEnd(now(), Exit.RED, cut(message), seconds=seconds, cpu_seconds=cpu_seconds))
        for problem in self._log.problems:
            self._watch(f"warning: {problem}")

    def end(
        self,
        outcomes: Sequence[Outcome],
        publication: Publication,
        failures: Sequence[str],
        told: Mapping[str, Sequence[str]],
        *,
        good: bool,
    ) -> list[str]:
        """Write how a run ended that has published; return the problems with the log.

        ``failures`` say what failed outside of the sources. ``told`` has the lines on what is red or amber, by source,
        and for the rest by the empty name.
        """
        self._ended = True
        at = now()
        lines = self._log.describe(outcomes, publication.files, at, told)
        sign = Exit.AMBER if any(outcome.looks for outcome in outcomes) else Exit.GOOD
        seconds, cpu_seconds = self._spent(outcomes)
        end = RunEnd(
            at,
            sign if good else Exit.RED,
            None,
            cut_all(failures),
            publication.folder.name,
            publication.new,
            seconds,
            cpu_seconds,
            cut_all(told.get("", ())),
        )
        self._log.end(end, lines)
        return self._log.problems

    def _spent(self, outcomes: Sequence[Outcome] = ()) -> tuple[float, float]:
        """Return the wall time and the CPU time since the run began; readers are other processes, if not inline."""
        reading = 0.0 if self._inline else sum(outcome.read_seconds for outcome in outcomes)
        cpu = time.process_time() - self._cpu_seconds + reading
        return round(time.perf_counter() - self._seconds, 3), round(cpu, 3)


def _version() -> str:
    """Return the version of this program; a checkout that is not installed has none."""
    try:
        return version("conspectus")
    except PackageNotFoundError:
        return "unknown"
