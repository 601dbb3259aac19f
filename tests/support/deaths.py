"""Kills a piece of work in every disk state that it passes through, and lets each of its system calls fail.

The system calls are recorded by Python's profiler: none is chosen by hand.
"""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

_NO_CALLS = frozenset({"fspath", "text_encoding", "_path_normpath"})  # in the same module, but pure

Work = Callable[[], object]


def list_calls(work: Work) -> list[str]:
    """Do the work and return the names of the system calls that it made."""
    made: list[str] = []
    _watch(work, lambda _, name: made.append(name))
    return made


def list_states(work: Work, root: Path) -> list[int]:
    """Do the work and return the numbers of the calls before which the files below ``root`` were in a new state."""
    states: dict[frozenset[tuple[str, bytes]], int] = {}
    _watch(work, lambda number, _: states.setdefault(_state_of(root), number))
    return list(states.values())


def _state_of(root: Path) -> frozenset[tuple[str, bytes]]:
    """Return every file and folder below a root with its bytes."""
    found = sorted(root.rglob("*"))
    return frozenset((str(each.relative_to(root)), each.read_bytes() if each.is_file() else b"") for each in found)


def kill_at(work: Work, call: int) -> bool:
    """Do the work in a child process that is killed just before a call; True if it got that far."""
    child = os.fork()
    if child == 0:
        try:
            _watch(work, lambda number, _: os._exit(9) if number == call else None)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def fail_at(work: Work, call: int) -> None:
    """Do the work with one call failing as on a full disk. Raises the error of the work, if any."""

    def fail(number: int, name: str) -> None:
        if number == call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)

    _watch(work, fail)


def _watch(work: Work, tell: Callable[[int, str], object]) -> None:
    """Do the work; pass the number, from 0, and name of every system call to ``tell`` before it is made."""
    numbers: Iterator[int] = iter(range(sys.maxsize))

    def profile(_frame: FrameType, event: str, called: Any) -> None:
        if event != "c_call" or called.__name__ in _NO_CALLS:
            return
        if isinstance(called.__self__, io.IOBase) or called.__module__ in {"posix", "io"}:
            tell(next(numbers), called.__name__)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
