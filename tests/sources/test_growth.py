"""Long and odd texts of any layout are read, or refused, in time proportional to their length.

A source has them in ``tests/sources/<source>/hostile.py``. ``test_patterns`` measures single patterns; here whole
documents are read.
"""

from contextlib import suppress
from time import process_time

import pytest

from parsers._ledger.document import DumpError
from tests.support.helpers import parse_text
from tests.support.of_sources import each_source, part

SIZE = 100_000
LITTLE = 0.3
MUCH = 3.0
"""Seconds for a text of this size: from where its growth is measured, and what is too much, however it grows."""

LIMIT = 25.0
"""Times the seconds for ten times the text: quadratic is a hundred."""


def spend(source: str, text: str) -> float:
    """Return the seconds of this process that a text takes; a refusal is an outcome, too."""
    start = process_time()
    with suppress(DumpError):
        parse_text(source, text)
    return process_time() - start


def is_slow(source: str, short: str, long: str) -> bool:
    """True if a text takes too long, and far longer than a tenth of it."""
    if (seconds := spend(source, long)) < LITTLE:
        return False
    seconds = min(seconds, *(spend(source, long) for _ in range(2)))
    return seconds > MUCH or (seconds > LITTLE and seconds > LIMIT * min(spend(source, short) for _ in range(3)))


@pytest.mark.untraced
@each_source()
def test_time_is_in_proportion_to_length(source: str) -> None:
    """No document, however long and odd, takes more: named are those that do."""
    hostile = part(source, "hostile")
    pairs = zip(hostile.texts(SIZE // 10), hostile.texts(SIZE), strict=True) if hostile else ()
    assert [(short[:60], short[-60:]) for short, long in pairs if is_slow(source, short, long)] == []
