"""The slowest patterns, each on its hardest texts."""

from collections.abc import Iterator
from heapq import nlargest
from math import log10
from typing import Final

from tests.support.patterns import SIZE, Growth, find_uses, grow, growths

LARGE: Final = 10 * SIZE
WORST: Final = 12
HEAD: Final = (
    f"worst patterns at {LARGE:,} characters; *: reckoned from a smaller text; growth: times the cost of a tenth\n"
    "        ms  growth  pattern, way: text"
)


def worst_patterns() -> Iterator[str]:
    """Yield a line for each of the worst patterns: milliseconds, growth, module and name, kind of text."""
    hardest = (max(growths(use), key=_seconds, default=None) for use in find_uses())
    large = [grow(worst.use, worst.way, worst.kind, LARGE) or worst for worst in hardest if worst]
    for growth in nlargest(WORST, large, key=_seconds):
        mark = " " if growth.size >= LARGE else "*"
        name = f"{growth.use.name}, {growth.way}"
        yield f"{_seconds(growth) * 1000:10,.1f}{mark} {growth.factor:6.0f}  {name}: {growth.kind}"


def _seconds(growth: Growth) -> float:
    """Return the seconds at full size, extrapolated for a text that took too long at a smaller one."""
    steps: float = (LARGE / growth.size) ** log10(max(growth.factor, 1.0))
    return growth.seconds * steps
