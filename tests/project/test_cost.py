"""Growth is told apart on any machine: what is linear from what is quadratic, endless or hardly measurable."""

import re
import time
from collections.abc import Callable

import pytest

from tests.support.cost import LIMIT, growth

pytestmark = pytest.mark.untraced


def hang(size: int) -> None:
    """Take no time for a little and never end for more."""
    while size > 5:
        time.thread_time()


@pytest.mark.parametrize(
    ("work", "is_slow"),
    [
        (lambda size: re.search(r"\s*;", " " * size), True),
        (lambda size: sum(range(1_000 * size)), False),
        (lambda _: None, False),
    ],
)
def test_growth(work: Callable[[int], object], *, is_slow: bool) -> None:
    """A search in quadratic time is beyond the limit, work in linear time or in hardly any is not."""
    assert (growth(work, 1_000) > LIMIT) is is_slow


def test_work_that_never_ends() -> None:
    """It is broken off, and beyond any limit."""
    assert growth(hang, 1) > LIMIT
