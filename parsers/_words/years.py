"""When a programme takes place: the days in its headings, the year, which is seldom printed, its edition.

A parser reads its own day headings and hands them over as ``Day``; their year is worked out from all of them together.
Reading a day heading does not belong here, nor do times of day and slots (``programme``).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from parsers._ledger.document import Document
from parsers._words.dates import make_date

_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_JANUARY: Final = 1
_DECEMBER: Final = 12


@dataclass(frozen=True, slots=True)
class Day:
    """A day heading as printed: the year is None if not printed; ``weekday`` is 0 (Monday) to 6, or None."""

    line: int
    month: int
    day: int
    weekday: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Year:
    """The year of a programme and notes on how it was found; None if not found.

    A programme that ``turns`` begins in December of that year and ends in January of the next.
    """

    value: int | None
    notes: tuple[str, ...] = ()
    turns: bool = False

    def of(self, month: int) -> int | None:
        """Return the year of a month of the programme."""
        return self.value + 1 if self.value is not None and self.turns and month == _JANUARY else self.value


def find_years(text: str) -> list[int]:
    """Return the years 19xx and 20xx in ``text``, in order, each once; letters may touch them, digits not."""
    return list(dict.fromkeys(int(year) for year in _YEAR.findall(text)))


def resolve_year(document: Document, days: Sequence[Day], in_page: Iterable[int], titles: Iterable[str] = ()) -> Year:
    """Find the year of a programme whose headings print none; the document keeps what contradicts the one asked for.

    ``titles`` are those of the page, without addresses, which name the edition where no day does.

    Candidates in order: sidecar ``year`` (final, whatever the weekdays say), sidecar ``captured_at``, ``in_page`` (the
    years of title, acronym, links), the path, the years named in the text and those before them. The first that agrees
    with every printed weekday wins; if none does, the one that agrees with most. A year that only the text names needs
    a weekday that confirms it.
    """
    facts = document.facts
    turns = {day.month for day in days if day.year is None} == {_JANUARY, _DECEMBER}
    if facts.year is not None:
        asked = Year(facts.year, turns=turns)
        document.contradictions.extend(_contradictions(days, asked, find_years(" ".join(titles))))
        return asked
    named = [captured.year] if (captured := facts.captured_at) else []
    named += [*in_page, *find_years(document.path)]
    known = (day for day in days if day.weekday is not None and day.year is None)
    weekdays = Counter(Day(0, day.month, day.day, day.weekday) for day in known)  # a text may repeat them thousandfold
    if turns:  # a named year can be that of either month
        named = [year for each in named for year in (each, each - 1)]
    candidates = list(dict.fromkeys(named))
    # A named year that agrees with all weekdays cannot be beaten: the text need not be searched.
    if weekdays and not any(all(_agrees(day, Year(year, turns=turns)) for day in weekdays) for year in candidates):
        nearby = (candidate for year in find_years(document.text) for candidate in (year, year - 1))
        candidates = list(dict.fromkeys([*named, *nearby]))
    agreeing = {
        year: sum(times for day, times in weekdays.items() if _agrees(day, Year(year, turns=turns)))
        for year in candidates
    }
    best = max(candidates, key=lambda year: agreeing[year], default=None)
    if best is None or (best not in named and not agreeing[best]):
        return Year(None, ("year_unknown",))
    return Year(best, ("year_inferred",), turns)


def date_of(day: Day, year: Year) -> tuple[date | None, tuple[str, ...]]:
    """Return the date of a day heading, or None, and the notes for everything on that day."""
    number = year.of(day.month) if day.year is None else day.year
    notes = year.notes if day.year is None else ()
    if number is None:
        return None, notes
    found = make_date(number, day.month, day.day)
    if found is None:
        return None, (*notes, "date_invalid")
    if day.weekday is not None and found.weekday() != day.weekday:
        return found, (*notes, "weekday_disagrees")
    return found, notes


def asked_event(document: Document, printed: str | None) -> str | None:
    """Return the event: from the sidecar, else as printed, which the document keeps to be compared with that."""
    if printed:
        document.calls_itself.add(printed)
    return document.facts.event or printed or None


def event_of(
    document: Document, printed: str | None, series: str | None, year: Year
) -> tuple[str | None, tuple[str, ...]]:
    """Return the edition: from the sidecar, else as printed, else series and year (``event_inferred``), else None."""
    event = asked_event(document, printed)
    if event is not None:
        return event, ()
    if series is not None and year.value is not None:
        return f"{series} {year.value}", ("event_inferred",)
    return None, ()


def _contradictions(days: Sequence[Day], asked: Year, named: Sequence[int]) -> Iterator[str]:
    """Yield what says that a programme is not of the year that was asked for.

    The days decide, if they have weekdays or years: a title may be that of the year before, and one weekday a misprint.
    """
    telling = [day for day in days if day.weekday is not None or day.year is not None]
    others = [
        day for day in telling if not (_agrees(day, asked) if day.year is None else day.year == asked.of(day.month))
    ]
    if 2 * len(others) > len(telling):
        yield f"{len(others)} of {len(telling)} days have other weekdays or years than those of {asked.value}"
    elif not telling and named and asked.value not in named:
        yield f"the title says {', '.join(map(str, named))}"


def _agrees(day: Day, year: Year) -> bool:
    """True if the printed weekday is that of the day in this year."""
    number = year.of(day.month)
    found = make_date(number, day.month, day.day) if number is not None else None
    return found is not None and found.weekday() == day.weekday
