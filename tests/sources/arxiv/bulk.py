"""Listings of any size, for the benchmarks."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.bulk import Words

_SUBJECTS: Final = "Distributed, Parallel, and Cluster Computing (cs.DC); Machine Learning (cs.LG)"
_DAY: Final = "Showing new listings for Friday, 11 July 2025"


def glued() -> Iterator[str]:
    """Yield the blocks of a listing whose labels are glued together."""
    words = Words()
    yield f"Distributed, Parallel, and Cluster Computing\n{_DAY}\n"
    while True:
        title = words.title()
        number = int(title.rsplit(maxsplit=1)[1])
        names = words.pick("", ", ".join(words.names()))
        yield (
            f"- [{number}] arXiv:{2500 + number // 99_999}.{number % 99_999:05} [pdf, html, other]\n-\n"
            f"Title: {title.rsplit(maxsplit=1)[0]}{names}Comments: 8 pagesSubjects: {_SUBJECTS}\n{words.paragraph()}\n"
        )


def every_element() -> Iterator[str]:
    """Yield the blocks of a listing with each field on its own line."""
    words = Words()
    yield f"Distributed, Parallel, and Cluster Computing\n\n{_DAY}\n\n"
    while True:
        title = words.title()
        number = int(title.rsplit(maxsplit=1)[1])
        yield (
            f"[{number}] arXiv:{2500 + number // 99_999}.{number % 99_999:05} [pdf, html, other]\nTitle: {title}\n"
            f"{', '.join(words.names())}\nComments: 8 pages\nSubjects: {_SUBJECTS}\n\n{words.paragraph()}\n\n"
        )


BULK: Final[dict[str, Callable[[], Iterator[str]]]] = {"glued": glued, "every_element": every_element}
