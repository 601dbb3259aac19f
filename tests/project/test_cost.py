"""Growth is told apart on any machine: what is linear from what is quadratic, endless or disturbed.

The seconds are given here, so the judgement is tested without a clock; only what never ends is really run.
"""

import time
from collections.abc import Callable, Iterator
from itertools import chain, repeat

import pytest

from tests.support import cost
from tests.support.cost import LIMIT, growth

pytestmark = pytest.mark.untraced

UNDISTURBED = (1.0,)


def hang(size: int) -> None:
    """Take no time for a little and never end for more."""
    while size > 5:
        time.thread_time()


@pytest.mark.parametrize(
    ("seconds", "disturbed", "is_slow"),
    [
        pytest.param(lambda size: size**2, UNDISTURBED, True, id="quadratic"),
        pytest.param(lambda size: size**2, (1.0, 3.0, 2.0), True, id="quadratic, each short run disturbed but one"),
        pytest.param(lambda size: size, UNDISTURBED, False, id="linear"),
        pytest.param(lambda size: size, (1.0, 1.0, 1.0, 9.0), False, id="linear, the first long run disturbed"),
        pytest.param(lambda _: 1.0, UNDISTURBED, False, id="constant"),
    ],
)
def test_growth(
    seconds: Callable[[int], float], disturbed: tuple[float, ...], *, is_slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quadratic time is beyond the limit, linear time is not, though some runs take longer than they need."""
    factors: Iterator[float] = chain(disturbed, repeat(1.0))
    sizes: list[int] = []

    def timed(work: Callable[[], object]) -> float:
        work()
        return seconds(sizes[-1]) * next(factors)

    monkeypatch.setattr(cost, "_timed", timed)
    monkeypatch.setattr(cost, "unit", lambda: 1.0)

    assert (growth(sizes.append, 1_000) > LIMIT) is is_slow


def test_work_that_never_ends() -> None:
    """It is broken off, and beyond any limit."""
    assert growth(hang, 1) > LIMIT
