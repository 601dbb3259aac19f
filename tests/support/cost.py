"""What work costs, compared with other work on the same machine in the same run.

No test compares seconds with a constant: a fast machine would hide growth, a slow or loaded one would raise false
alarms. Seconds are those of the CPU, which do not pass while others run.
"""

import gc
import re
import signal
from collections.abc import Callable
from functools import cache
from math import inf
from time import thread_time
from typing import Final, NoReturn

Work = Callable[[], object]

TRIES: Final = 3
"""Of so many measurements the least counts: what disturbs them only adds."""

LIMIT: Final = 40.0
"""Times the seconds for ten times the size: linear is 10, on a loaded machine now and then 25, quadratic 100."""

HANGS: Final = 100_000
"""Units after which work is broken off, unless a test says otherwise: half a minute or so."""

TICK: Final = 0.1
"""Seconds: for less the timer of the system is too coarse."""


class BrokenOffError(BaseException):
    """Work took too long. Not an ``Exception``: nothing that is measured may catch it."""


@cache
def unit() -> float:
    """Return the CPU seconds of a small search in quadratic time: a tenth to half a millisecond."""
    return min(_timed(lambda: re.search(r"\s*;", " " * 480)) for _ in range(50))


def spend(work: Work, units: float = HANGS) -> float:
    """Return the CPU seconds of a call, infinite if it was broken off after so many units.

    While a timer runs, the clock of the process moves in steps of milliseconds; that of the thread does not. The
    garbage collector rests: its time is that of everything the process holds, and more the more tests ran before.
    """
    limit = max(TICK, units * unit())
    handler = signal.signal(signal.SIGVTALRM, _break_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    gc.disable()
    try:
        return _timed(work)
    except BrokenOffError:
        return inf
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)


def least(work: Work) -> float:
    """Return the CPU seconds of a call, the least of several."""
    return min(spend(work) for _ in range(TRIES))


def ratio(short: Work, long: Work, limit: float) -> float:
    """Return how many times the seconds of ``short`` ``long`` takes, infinite if it was broken off beyond the limit.

    It is beyond the limit only if it is so each time.
    """
    found: list[float] = []
    while len(found) < TRIES and min(found, default=inf) > limit:
        one = least(short)
        found.append(spend(long, limit * one / unit()) / one)
    return min(found)


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times the seconds work of a size takes with ten times that size."""
    return ratio(lambda: work(size), lambda: work(10 * size), LIMIT)


def _timed(work: Work) -> float:
    """Return the CPU seconds of a call."""
    start = thread_time()
    work()
    return thread_time() - start


def _break_off(*_: object) -> NoReturn:
    """Break off what runs."""
    raise BrokenOffError
