"""Programmes of any size, for the benchmarks: a day of endless parallel sessions."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.bulk import Words

_TOP: Final = "FJORD 2026: 9TH CONFERENCE ON COLD WATER\nPROGRAM FOR WEDNESDAY, JUNE 17TH\nDays:\nall days\n\n"
_TIMES: Final = ("11:00", "11:20", "11:40", "12:00")


def main_affiliations() -> Iterator[str]:
    """Yield sessions of four talks, each author on a line with affiliation."""
    words = Words()
    yield _TOP
    while True:
        yield f"11:00-12:30 Session {next(words.number)}A: Track 2.1: {words.title()}\n"
        for time in _TIMES:
            people = "\n".join(f"{name} ({words.place()})" for name in words.names())
            yield f"{time}\n{people}\n{words.title()}\n\nABSTRACT. {words.paragraph()}\n\n"


def full_names() -> Iterator[str]:
    """Yield sessions of four talks, the authors on one line, with chair, room and presenter."""
    words = Words()
    yield _TOP
    while True:
        yield f"11:00-12:30 Session {next(words.number)}A: {words.title()}\nChair:\n{words.name()}\nLocation: Room B\n"
        for time in _TIMES:
            *first, last = words.names()
            people = f"{', '.join(first)} and {last}"
            yield f"{time}\n{people}\n{words.title()}\nPRESENTER: {last}\n\nABSTRACT. {words.paragraph()}\n\n"


def table() -> Iterator[str]:
    """Yield talks as cells of a table, without sessions and authors."""
    words = Words()
    yield "View: session overviewtalk overview\n"
    while True:
        yield f"|11:00\n{words.title()}\nSPEAKER: {words.name()}\nABSTRACT. {words.paragraph()}\n"


BULK: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "main_affiliations": main_affiliations,
    "full_names": full_names,
    "table": table,
}
