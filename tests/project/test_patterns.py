"""No pattern takes cubic time or worse: four times the text costs sixteen times the seconds at most.

Each pattern searches long repeats of common signs, and of each character of its first match in a specimen. Patterns
that are called with ``match`` are searched too, which raises linear time to quadratic. What is quadratic as it is
called is found where sources read whole documents (``test_growth``).
"""

import gc
import re
import signal
from collections.abc import Iterator
from importlib import import_module
from math import inf
from pkgutil import walk_packages
from time import thread_time
from types import FunctionType, ModuleType
from typing import Any, Final

import pyparsing as pp
import pytest

from tests.support.hostile import PIECES
from tests.support.of_sources import specimens

pytestmark = pytest.mark.untraced

PACKAGES: Final = ("parsers", "pipeline", "schemas")
SIZE: Final = 120
LITTLE: Final = 0.001
MUCH: Final = 1.0
"""Seconds for a text of this size: from where growth is measured, and what is too much. Quadratic takes 0.004."""

LIMIT: Final = 32.0
"""Times the seconds for four times the text: quadratic is 16, cubic 64."""


def test_no_pattern_is_cubic() -> None:
    """No pattern of any module is cubic on a hostile text."""
    whole = "\n".join(each.text for each in specimens())
    found = {pattern: name for name, pattern in patterns()}
    assert len(found) > 400
    slow = [(name, pattern.pattern) for pattern, name in found.items() if is_slow(pattern, whole)]
    assert slow == []


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\s*\w+\s*)*:", r"\s*\s*;", r"Title: (\S*,)*\S*;"])
def test_slow_patterns_are_found(pattern: str) -> None:
    """Exponential and cubic patterns are found, also if they need a word from a specimen."""
    assert is_slow(re.compile(pattern), "Title: A,;")


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the compiled patterns of every module, also inside containers, classes, objects and grammars."""
    seen: set[int] = set()
    for package in PACKAGES:
        for info in walk_packages(import_module(package).__path__, f"{package}."):
            if not info.name.endswith("__main__"):
                todo = [*vars(import_module(info.name)).values()]
                while todo:
                    value = todo.pop()
                    if id(value) in seen or isinstance(value, (ModuleType, FunctionType)):
                        continue
                    seen.add(id(value))
                    if isinstance(value, (re.Pattern, pp.Regex)):
                        yield info.name, value.re if isinstance(value, pp.Regex) else value
                    elif isinstance(value, (dict, tuple, list, set, frozenset)) or is_own(value):
                        todo += gc.get_referents(value)


def is_own(value: object) -> bool:
    """True for objects and classes of the project, and for parts of a grammar."""
    return str(getattr(value, "__module__", "")).partition(".")[0] in (*PACKAGES, "pyparsing")


def is_slow(pattern: re.Pattern[Any], whole: str) -> bool:
    """True if a pattern takes more than quadratic time for any text, or far too long for that of the specimens."""
    begun, seconds = search(pattern, whole)
    repeats = [("", piece) for piece in (*PIECES, begun) if piece]
    repeats += [(begun[:at], begun[at]) for at in range(len(begun))]
    return seconds > MUCH or any(grows(pattern, *each) for each in repeats)


def grows(pattern: re.Pattern[Any], before: str, piece: str) -> bool:
    """True if four times the text takes far more than sixteen times the seconds."""
    short = spend(pattern, before, piece, SIZE)
    if LITTLE < short < MUCH:
        short = min(short, *(spend(pattern, before, piece, SIZE) for _ in range(2)))
    if LITTLE < short < MUCH:
        return all(spend(pattern, before, piece, 4 * SIZE) > LIMIT * short for _ in range(3))
    return short >= MUCH


def spend(pattern: re.Pattern[Any], before: str, piece: str, size: int) -> float:
    """Return the CPU seconds of a search in a long repeat, with an end that hardly any pattern matches."""
    return search(pattern, before + piece * (size // len(piece) + 1) + "\0\n\0")[1]


def search(pattern: re.Pattern[Any], text: str) -> tuple[str, float]:
    """Return the first characters of a match and the CPU seconds of the search, infinite if it was broken off.

    While a timer runs, the clock of the process moves in steps of milliseconds; that of the thread does not.
    """
    handler = signal.signal(signal.SIGVTALRM, break_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, MUCH)
    start = thread_time()
    try:
        match: Any = pattern.search(text.encode() if isinstance(pattern.pattern, bytes) else text)
    except TimeoutError:
        return "", inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
    begun: str | bytes = match[0][:20] if match else ""
    return begun.decode() if isinstance(begun, bytes) else begun, thread_time() - start


def break_off(*_: object) -> None:
    """Break off a search."""
    raise TimeoutError
