"""Searches and days of any size, for the benchmarks."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.bulk import Words

_TOP: Final = (
    "Get trending papers in your email inbox!\n\nSubscribe\n\nDaily Papers\n\nbyAK and the research community\n\n"
)


def search_plain() -> Iterator[str]:
    """Yield title and abstract of each paper found."""
    words = Words()
    yield f"{_TOP}Jul 30\n\n"
    while True:
        yield f"{words.title()}\n\n{words.paragraph()}\n\n"


def search_with_footers() -> Iterator[str]:
    """Yield title, abstract and footer of each paper found."""
    words = Words()
    yield f"{_TOP}Jul 30\n\n"
    while True:
        yield f"{words.title()}\n\n{words.paragraph()}\n\n  \u2022 6 authors\n\n\u00b7\n\nSep 26, 2024\n\n"


BULK: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "search_plain": search_plain,
    "search_with_footers": search_with_footers,
}
