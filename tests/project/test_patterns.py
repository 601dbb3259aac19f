"""No pattern takes more than linear time, whatever text it is given.

``tests.support.patterns`` finds the patterns and makes the texts. Linear means ten times the time for ten times the
text, quadratic a hundred times. Patterns known to be slow are listed in ``tests/sources/<source>/patterns.py``: a list
that can only shrink.
"""

import re
from functools import cache

import pytest

from parsers._registry import sources
from tests.support.of_sources import part
from tests.support.patterns import Use, find_slow, find_uses

pytestmark = pytest.mark.untraced

LIMIT = 25.0
STILL = 15.0
"""Times the cost for ten times the text: from where a pattern is slow, and from where a known one still is."""


def known() -> set[str]:
    """Return the names of the patterns that are known to be slow."""
    return {pattern for source in sources() for pattern in getattr(part(source, "patterns"), "KNOWN", ())}


@cache
def uses() -> tuple[Use, ...]:
    """Return the patterns of the project."""
    return tuple(find_uses())


def test_every_pattern_is_linear() -> None:
    """Ten times the text costs far less than a hundred times the time, for every kind of hard text."""
    assert find_slow((use for use in uses() if use.name not in known()), LIMIT) == {}


def test_known_slow_patterns_are_still_slow() -> None:
    """A pattern that was mended, renamed or taken out leaves the list."""
    assert known() - find_slow((use for use in uses() if use.name in known()), STILL).keys() == set()


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (r"(?:\s*-?\s*\|)*", "fullmatch"),
        (r"(?:a|b|ab)*c", "match"),
        (r"\s+$", "search"),
        (r"^\s*title", "search"),
        (r"<[^>]*>", "sub"),
        (r"from\s+.{5,60}\s+to\s+.{5,60}", "fullmatch"),
        (r",?\s+and\s+", "split"),
        (r"<!--.*?-->", "finditer"),
        (r".*x.*y", "match"),
    ],
)
def test_slow_patterns_are_found(pattern: str, way: str) -> None:
    """What takes exponential, cubic or quadratic time is found, in the time that a test may take."""
    slow = Use("slow", re.compile(pattern, re.MULTILINE | re.DOTALL), (way,))
    assert find_slow([slow], LIMIT).keys() == {"slow"}


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("parsers._ledger.lines:_BYTE_ORDER", ("sub",)),
        ("parsers._words.years:_YEAR", ("findall",)),
    ],
)
def test_calls_are_read_from_the_source(name: str, ways: tuple[str, ...]) -> None:
    """A pattern is measured as the code calls it."""
    assert [use.ways for use in uses() if use.name == name] == [ways]
