"""Compares what a page says of itself with what is in it and what it was asked for: totals, day, category, year, event.

The address that a page came from proves nothing: a site may answer with the newest list whatever is asked for. What a
source is asked for is told by the source itself.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Final

import polars as pl

from parsers._contract import Asked
from parsers._ledger.document import Document
from pipeline.base.signals import Sign
from schemas.items import Declared, Record, Reject

_FEW: Final = 3  # records from which a share means something
_SATURDAY: Final = 5
_DECEMBER: Final = 12
_OVER: Final = timedelta(days=2)  # only then is a day over everywhere on earth
_FILLED_IN: Final = timedelta(days=3)
_EDITION: Final = re.compile(r"\d\d")
_WORD: Final = re.compile(r"[^\W\d_]{2,}|\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_IS_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_COMMON: Final = frozenset(
    "acm and annual calendar conference days event events for ieee in international of on online program programme"
    " schedule symposium talks the virtual workshop workshops".split()
)
_ZONES: Final = timedelta(days=1)  # a day begins earlier where the sun does


def check_declared(document: Document, records: Iterable[Record], declared: Sequence[Declared]) -> list[Reject]:
    """Return one reject for each total that does not match the records."""
    rejects = []
    for total, (promised, found) in zip(declared, count_declared(declared, records), strict=True):
        if found != promised:
            of = " ".join(str(part) for part in _counted(total) if part is not None)
            detail = f"the page declares {promised} {of or 'entries'}, {found} were parsed"
            rejects.append(Reject(total.line, total.line, document.lines[total.line], "count_mismatch", detail))
    return rejects


def count_declared(declared: Sequence[Declared], records: Iterable[Record]) -> list[tuple[int, int]]:
    """Return each declared total with the number of matching records."""
    found = Counter((record.listing_section, record.listed_on, record.kind) for record in (records if declared else ()))
    totals = []
    for total in declared:
        wanted = _counted(total)
        counts = (
            number
            for facts, number in found.items()
            if all(want in {None, have} for want, have in zip(wanted, facts, strict=True))
        )
        totals.append((total.count, sum(counts)))
    return totals


def find_other_year(document: Document, records: Iterable[Record]) -> str | None:
    """Return what a programme prints that contradicts the year it was asked for; None if nothing does.

    Its parser has compared the days of a page that prints no year; dates that have one are compared here, record by
    record. A programme may go on into January of the next year.
    """
    year = document.facts.year
    if year is None:
        return None
    begins = [slot.starts_at for record in records for slot in (record.slots or ())[:1] if slot.starts_at]
    ends_late = any((each.year, each.month) == (year, _DECEMBER) for each in begins)
    others = [each for each in begins if each.year != year and not (ends_late and _is_next_january(each, year))]
    if 2 * len(others) > len(begins):
        first = min(others)
        told = f"{len(others)} of {len(begins)} records have dates of other years, such as {first:%Y-%m-%d}"
    else:
        told = "; ".join(document.contradictions)
    return f"the programme of {year} was asked for, {told}" if told else None


def find_other_event(document: Document) -> str | None:
    """Return what a page calls its event, if that is an edition and shares nothing with the one that was asked for.

    People call events as they like: a word in common, a number or initials are enough, and a name without a year or
    number says nothing.
    """
    asked, names = document.facts.event, document.calls_itself
    editions = sorted(name for name in names if _EDITION.search(name))
    if asked is None or not editions or not _words_of(asked) or any(_may_be_same(asked, name) for name in names):
        return None
    return f"the programme of {asked!r} was asked for, the page calls it {editions[0]!r}"


def _may_be_same(one: str, other: str) -> bool:
    """True if two names of events may be those of the same: by a word, or one that is short for the other."""
    words = _words_of(one), _words_of(other)
    if not all(words) or words[0] & words[1]:
        return True
    pairs = [(word, name) for name, found in ((other, words[0]), (one, words[1])) for word in found]
    return any(_is_short_for(word, name) or _ends_in_initials(word, name) for word, name in pairs)


def _ends_in_initials(word: str, name: str) -> bool:
    """True if a word ends in the initials of three words or more of a name, as SIGMOD in Management of Data."""
    initials = "".join(each[0] for each in _LETTERS.findall(name.casefold()))
    return len(word) >= _FEW and word[-_FEW:] in initials


def _is_short_for(word: str, name: str) -> bool:
    """True if a word is made of the beginnings of words of a name, in their order, such as FLoC, or is in one."""
    ends = {0}
    for each in _LETTERS.findall(name.casefold()):
        if word in each:
            return True
        ends |= {end + size for end in ends for size in range(1, len(each) + 1) if word.startswith(each[:size], end)}
    return len(word) in ends


def _words_of(name: str) -> set[str]:
    """Return the words and numbers that tell an event from others: not the year, nor what is in many names."""
    found = {each for each in _WORD.findall(name.casefold()) if each not in _COMMON}
    return {each for each in found if not _IS_YEAR.fullmatch(each)}


def _is_next_january(moment: datetime, year: int) -> bool:
    """True if a moment is in the January after a year."""
    return (moment.year, moment.month) == (year + 1, 1)


def find_other(asked: Asked, records: pl.DataFrame) -> str | None:
    """Return what a page shows in place of what was asked for; None if it shows that, or says nothing of itself."""
    if asked.day is not None and (day := _find_other_day(asked.day, records)) is not None:
        return f"the list of {asked.day} was asked for, {day}"
    wanted = f"{asked.category}.".lower()  # an archive such as astro-ph is in all of its categories
    categories = (
        [row for row in records["categories"].to_list() if row is not None] if asked.category is not None else []
    )
    alike = sum(any(f"{each}.".lower().startswith(wanted) for each in row) for row in categories)
    if len(categories) >= _FEW and 2 * alike < len(categories):
        return f"the category {asked.category} was asked for, {alike} of {len(categories)} records are in it"
    return None


def _find_other_day(day: date, records: pl.DataFrame) -> str | None:
    """Return why a list is not that of a day: most of its entries are listed on others, or were published later."""
    days = sorted(listed for listed in records["listed_on"].to_list() if listed is not None)
    if 2 * days.count(day) < len(days):
        shown = " to ".join(f"{each}" for each in dict.fromkeys((days[0], days[-1])))
        return f"this is that of {shown}"
    published = [moment for moment in records["published_on"].to_list() if moment is not None]
    later = sum(moment > day + _ZONES for moment in published)
    if 2 * later > len(published):
        return f"{later} of {len(published)} entries were published later"
    return None


def find_empty_day(asked: Asked, captured_at: datetime | None, records: pl.DataFrame) -> tuple[Sign, ...]:
    """Return a sign of the empty list of a weekday that was over when it was captured: few of them are right."""
    day = asked.day
    if records.height or day is None or captured_at is None or day.weekday() >= _SATURDAY:
        return ()
    over = captured_at.date() >= day + _OVER
    told = f"the list of {day:%A}, {day} is empty; it is asked for again for a week"
    return (Sign("empty_day", told),) if over else ()


def is_young(captured_at: datetime | None, records: pl.DataFrame) -> bool:
    """True if a listing was captured so soon that its site may not have filled all columns."""
    newest = records["listed_on"].max()
    return isinstance(newest, date) and captured_at is not None and captured_at.date() - newest <= _FILLED_IN


def _counted(total: Declared) -> tuple[object, ...]:
    """Return what a total counts: section, day and kind; None matches any."""
    return total.listing_section, total.listed_on, total.kind
