"""Feeds of any size, for the benchmarks."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.bulk import Words


def text() -> Iterator[str]:
    """Yield one abstract a line, below some a count."""
    words = Words()
    yield "fluid-dynamics\n"
    while True:
        yield f"{words.paragraph()}\n{words.pick('', '', f'{next(words.number)}')}\n"


BULK: Final[dict[str, Callable[[], Iterator[str]]]] = {"text": text}
