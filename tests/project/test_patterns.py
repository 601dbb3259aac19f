"""No pattern takes cubic time or worse: four times the text costs sixteen times the seconds at most.

Each pattern searches long repeats of common signs, and of each character of its first match in a specimen. Patterns
that are called with ``match`` are searched too, which raises linear time to quadratic. What is quadratic as it is
called is found where sources read whole documents (``test_growth``).
"""

import gc
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from math import inf
from pkgutil import walk_packages
from types import FunctionType, ModuleType
from typing import Any, Final

import pyparsing as pp
import pytest

from tests.support.cost import least, ratio, spend, unit
from tests.support.depth import sample
from tests.support.hostile import PIECES
from tests.support.of_sources import specimens

pytestmark = pytest.mark.untraced

PACKAGES: Final = ("parsers", "pipeline", "schemas")
SIZES: Final = (480, 1920)
"""Characters. Of the longer text, a cubic search takes a thousand units."""

LIMIT: Final = 32.0
"""Times the seconds for four times the text: quadratic is 16, cubic 64."""

HANGS: Final = 3_000
"""Units after which a search counts as endless, about a second: four times what the slowest one takes."""

END: Final = "\0\n\0"
"""What hardly any pattern matches."""


def test_no_pattern_is_cubic() -> None:
    """No pattern of any module is cubic on a hostile text: each fourth is tried, in ``make nightly`` each one."""
    whole = "\n".join(each.text for each in specimens())
    found = {pattern: name for name, pattern in patterns()}
    assert len(found) > 400
    tried = sample(sorted(found.items(), key=lambda each: str(each[0].pattern)), 4)
    slow = [(name, pattern.pattern) for pattern, name in tried if is_slow(pattern, whole)]
    assert slow == []


@pytest.mark.parametrize("pattern", sample(["(a+)+$", r"Title: (\S*,)*\S*;", r"(\s*\w+\s*)*:", r"\s*\s*;"], 3))
def test_slow_patterns_are_found(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exponential and cubic patterns are found, also if they need a word from a specimen; one measurement does."""
    monkeypatch.setattr("tests.support.cost.TRIES", 1)
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
    found: list[str] = []
    if spend(lambda: found.append(beginning(searching(pattern, whole)())), HANGS) == inf:
        return True
    begun = found[0]
    repeats = [("", piece) for piece in (*PIECES, begun) if piece]
    repeats += [(begun[:at], begun[at]) for at in range(len(begun))]
    return any(grows(pattern, *each) for each in repeats)


def grows(pattern: re.Pattern[Any], before: str, piece: str) -> bool:
    """True if a search in a long repeat takes far more than sixteen times the seconds for four times the text.

    The text grows until its search can be measured. Only then a bounded repeat, such as ``.{0,280}``, may look cubic;
    it does no more in a text that is far longer than its bound.
    """

    def search(size: int) -> Callable[[], object]:
        return searching(pattern, before + piece * (size // len(piece) + 1) + END)

    for size in SIZES:
        if (seconds := spend(search(size), HANGS)) > unit():
            return seconds == inf or (
                seconds > LIMIT * least(search(size // 4)) and ratio(search(size), search(4 * size), LIMIT) > LIMIT
            )
    return False


def searching(pattern: re.Pattern[Any], text: str) -> Callable[[], re.Match[Any] | None]:
    """Return the search of a pattern in a text."""
    return partial(pattern.search, text.encode() if isinstance(pattern.pattern, bytes) else text)


def beginning(match: re.Match[Any] | None) -> str:
    """Return the first characters of a match."""
    begun: str | bytes = match[0][:20] if match else ""
    return begun.decode() if isinstance(begun, bytes) else begun
