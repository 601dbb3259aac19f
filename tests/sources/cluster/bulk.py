"""Programmes of any size, for the benchmarks: a day of endless parallel sessions."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.bulk import Words


def sessions(join: str, *, twice: bool, body: bool) -> Iterator[str]:
    """Yield sessions of three talks, lines joined by ``join``; titles twice and talks with a body, or not."""
    words = Words()
    yield join.join(["Wednesday September 3rd", "11:30-13:00", ""])
    while True:
        head = f"Session ({next(words.number)}) {words.title()}"
        yield join.join([head, "Great Hall", f"Chair: {words.name()} (Norwick)", ""])
        for _ in range(3):
            title = words.title()
            authors = ", ".join(f"{name} (Orb Lab)" for name in words.names())
            rest = [authors, "Abstract", words.paragraph()] if body else []
            yield join.join([title, *([title] if twice else []), *rest, ""])


def traf() -> Iterator[str]:
    """Yield the layout without blank lines, titles twice."""
    return sessions("\n", twice=True, body=True)


def full() -> Iterator[str]:
    """Yield the layout with blank lines, titles twice."""
    return sessions("\n\n", twice=True, body=True)


BULK: Final[dict[str, Callable[[], Iterator[str]]]] = {"traf": traf, "full": full}
