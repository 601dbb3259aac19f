"""Kills a piece of work in every disk state that it passes through, and lets each of its system calls fail.

The system calls are recorded by Python's profiler, the steps that change the disk by an audit hook: none is chosen by
hand.
"""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

_NO_CALLS = frozenset({"fspath", "text_encoding", "_path_normpath"})  # in the same module, but pure

REMOVALS: Final = {"os.remove", "os.rmdir"}
_CHANGES: Final = REMOVALS | {"os.rename", "os.mkdir", "os.symlink", "os.link", "os.truncate"}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_watching: list[Callable[[str, tuple[Any, ...]], None]] = []
"""What an audit hook calls, which cannot be taken away again."""

Work = Callable[[], object]
State = frozenset[tuple[str, bytes]]


def list_calls(work: Work) -> list[str]:
    """Do the work and return the names of the system calls that it made."""
    made: list[str] = []
    _watch(work, lambda _, name: made.append(name))
    return made


def list_states(work: Work, root: Path) -> list[int]:
    """Do the work and return the numbers of the calls before which the files below ``root`` were in a new state."""
    states: dict[State, int] = {}
    _watch(work, lambda number, _: states.setdefault(state_of(root), number))
    return list(states.values())


def state_of(root: Path) -> State:
    """Return every file, folder and link below a root with its bytes."""

    def content(path: Path) -> bytes:
        return bytes(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b""

    return frozenset((str(each.relative_to(root)), content(each)) for each in root.rglob("*"))


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


class KillError(BaseException):
    """Ends a piece of work as a kill would: even its cleanup is refused."""


def stop(step: str) -> None:
    """Refuse a step, and all that follow, as if the process had ended."""
    raise KillError(step)


def fill(step: str) -> None:
    """Fail like a full disk, where removals still succeed."""
    if step not in REMOVALS:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def from_step(number: int, folder: Path, act: Callable[[str], None]) -> Iterator[None]:
    """Call ``act`` before each step that changes something below a folder, from this one on, with its name."""
    left = iter(range(number))

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            _, mode, flags = arguments
            changes = bool(set("wax+").intersection(mode) if mode else flags & _WRITING)
        else:
            changes = event in _CHANGES
        # removals within a folder have no full path, only the folder's descriptor
        inside = changes and (event in REMOVALS or any(str(each).startswith(str(folder)) for each in arguments))
        if inside and next(left, None) is None:
            act(event)

    if not _watching:
        _watching.append(lambda *_: None)
        sys.addaudithook(_hear)
    _watching.append(watch)
    try:  # Python does not audit what flushes a file
        with patch.object(os, "fsync", lambda _: watch("os.truncate", (str(folder),))):
            yield
    finally:
        _watching.pop()


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Pass an audit event on to whoever watches now."""
    _watching[-1](event, arguments)
