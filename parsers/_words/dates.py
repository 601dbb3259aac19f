"""Dates and times of day as programmes and listings print them, in English; no year is guessed here.

Formats: ``March 26th``, ``26 March 2018``, ``Mon``, ``9:30``, ``09.30``, ``9:00am``, ``9 a.m.``, ``9h30``, and from one
such time to another: ``11:30 - 1:00 PM``. Reading a whole heading does not belong here: each source has its own grammar
for that and uses these values.
"""

import re
from datetime import date, time
from typing import Final

_MONTH_NAMES: Final = "january february march april may june july august september october november december".split()
_WEEKDAY_NAMES: Final = "monday tuesday wednesday thursday friday saturday sunday".split()

DATE_WORDS: Final = frozenset(
    word[:length] for word in (*_MONTH_NAMES, *_WEEKDAY_NAMES) for length in (3, 4, 5, len(word))
)
"""The words of dates, whole and abbreviated, in lower case."""

MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?"
    r"|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b"
)
WEEKDAY: Final = (
    r"(?:Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:r(?:s(?:day)?)?)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)\b"
)
DASH: Final = r"[-\u2010-\u2015\u2212]"
CLOCK: Final = r"\d{1,2}(?:[:.h]\d{2}(?:\s*[ap]\.?m\.?)?|\s?[ap]\.?m\b\.?)"
"""Regular expressions without groups, for patterns compiled with ``re.IGNORECASE``."""

DAY_END: Final = time(0, 0, fold=1)
"""``24:00``, midnight at the end of the day; no other time of day has ``fold``."""

_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::00)?)?(?:\s*(?P<half>[ap])\.?m\.?)?(?(minute)|(?(half)|(?!)))",
    re.IGNORECASE,
)
HALF: Final = re.compile(r"(?P<half>[ap])\.?m\b", re.IGNORECASE)
_NOON: Final = 12
_EVENING: Final = 17  # only what begins from then on can end after midnight, see docs/contract.md
_PAST_MIDNIGHT: Final = re.compile(r"(?P<hour>2[5-9])[:.](?P<minute>\d{2})")
_UNIT: Final = r"(?:\s?h(?:rs?|ours)?\b\.?)?"
_SECONDS: Final = r"(?::00(?:\s*[ap]\.?m\.?)?)?"
_ZONE: Final = r"(?:\s*\(?(?-i:[A-Z]{2,5})(?:\s?[+-]\s?\d{1,2}(?::\d\d)?)?(?:\stime)?\)?)?"
_TIMES: Final = re.compile(
    rf"(?:{WEEKDAY}[.,]?\s+)?(?:from\s+)?(?P<starts>{CLOCK}{_SECONDS}|\d{{1,2}}(?=\s?(?:h|{DASH}|to\b))){_UNIT}{_ZONE}"
    rf"(?:\s*(?:{DASH}|[~→]|to\b|until\b)\s*(?P<ends>{CLOCK}{_SECONDS}|\d{{1,2}}(?=\s?h)){_UNIT}{_ZONE})?",
    re.IGNORECASE,
)

# "Day 3 (4/9)", "Thu. 4 Sept", "September 4th", "2026-09-04": a day by itself, in any form, with little beside it.
_NUMBER: Final = r"\d{1,2}(?:st|nd|rd|th)?\b"
_LIKE_A_DAY: Final = re.compile(
    rf"\W*(?:day\s+(?:\d{{1,2}}|one|two|three|four|five|six|seven)\b|{WEEKDAY}(?=\W*(?:\d|{MONTH}|$))"
    rf"|(?:{MONTH}\W{{0,2}}{_NUMBER}|{_NUMBER}\W{{0,2}}(?:of\s+)?{MONTH})(?=\W*(?:\d|{WEEKDAY}|$))"
    r"|(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?=\W*$))",
    re.IGNORECASE,
)
# What may follow within such a heading: more of the date, or its title; not the words of a sentence.
_REST_OF_DAY: Final = re.compile(
    rf"(?:[\W\d]|\b{WEEKDAY}|\b{MONTH}|(?<=\d)(?:st|nd|rd|th)\b|\bof\b)*(?:(?<=[\W\d])(?-i:[A-Z]).*)?", re.IGNORECASE
)
_WHOLE_DAY: Final = re.compile(r"\d|day\b", re.IGNORECASE)  # "Sun" is also a star, a company and a newspaper
_LONGEST_DAY: Final = 50
_BEGINS_WITH_TIME: Final = re.compile(
    r"\W*(?:(?:from|at)\s+)?(?:[01]?\d|2[0-4])(?:[:h]\d{2}|\.\d{2}(?![.\d])|\s?[ap]\.?m\b)(?!\d)", re.IGNORECASE
)


def looks_like_day(line: str) -> bool:
    """True if a line may be the heading of a day, also in forms that no source is known to print."""
    begun = _LIKE_A_DAY.match(line) if len(line) <= _LONGEST_DAY and _WHOLE_DAY.search(line) else None
    return begun is not None and _REST_OF_DAY.fullmatch(line, begun.end()) is not None


def begins_with_time(line: str) -> bool:
    """True if a line begins with a time of day, also in forms that no source is known to print."""
    return _BEGINS_WITH_TIME.match(line) is not None


def month_number(name: str) -> int:
    """Return 1 to 12 for an English month name or its abbreviation. Raises ``ValueError`` for anything else."""
    return _position(_MONTH_NAMES, name)


def weekday_number(name: str) -> int:
    """Return 0 (Monday) to 6 for an English weekday or its abbreviation. Raises ``ValueError`` for anything else."""
    return _position(_WEEKDAY_NAMES, name) - 1


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the date, or None if the day does not exist (February 30th)."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def full_year(text: str) -> int:
    """Return the year from four digits, or from two as arXiv prints it: 91 to 99 are 19xx, all others 20xx."""
    year = int(text)
    if year >= 100:
        return year
    return year + (1900 if year >= 91 else 2000)


def clock(text: str) -> time | None:
    """Return the time of day of ``9:30``, ``09.30``, ``09:30:00`` or ``9:30 pm``; None if it is not a time (``25:00``).

    ``24:00`` is ``DAY_END``.
    """
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    if (hour, minute) == (24, 0):
        return DAY_END
    if hour > 23 or minute > 59:
        return None
    return time(hour, minute)


def read_times(text: str) -> tuple[time, time | None] | None:
    """Read a printed range of times, or its beginning alone; None if it is something else.

    ``11:30 - 1:00 PM``, ``1:30-3:00pm``, ``TUE 10:30 AM - 12:00 PM``, ``10:30–12:00 (CET)``, ``10h30 - 12h``,
    ``9:30``, ``9:30:00 - 10:00:00``.
    """
    found = _TIMES.fullmatch(text.strip())
    starts, ends = read_range(found["starts"], found["ends"]) if found else (None, None)
    return None if found is None or starts is None or (found["ends"] and ends is None) else (starts, ends)


def read_range(starts: str, ends: str | None) -> tuple[time | None, time | None]:
    """Read two times of day, one of which may print am or pm for both: ``1:30 - 3:00 pm``, ``11:30 am - 1:00``."""
    first = _hour_or_clock(starts)
    last = _end(ends, goes_on=first is not None and first.hour >= _EVENING) if ends else None
    if first is None or last is None or not ends:
        return first, last
    halves = [found["half"].lower() if (found := HALF.search(text)) else None for text in (starts, ends)]
    if halves == [None, "p"] and 0 < first.hour < _NOON and later(first) < last:
        return later(first), last
    if halves[0] is not None and halves[1] is None and last <= first and 0 < last.hour < _NOON:
        return first, later(last) if later(last) > first else last
    return first, last


def later(moment: time) -> time:
    """Return a morning time twelve hours later; noon stays noon."""
    return moment.replace(hour=moment.hour + _NOON) if 0 < moment.hour < _NOON else moment


def _hour_or_clock(text: str) -> time | None:
    """Return the time of day of ``9``, or of what ``clock`` reads."""
    return clock(f"{text}:00" if text.isdigit() else text)


def _end(text: str, *, goes_on: bool) -> time | None:
    """Return the time at which something ends; ``26:30`` is after the midnight of an evening that ``goes_on``."""
    found = _PAST_MIDNIGHT.fullmatch(text) if goes_on else None
    return clock(f"{int(found['hour']) - 24}:{found['minute']}") if found else _hour_or_clock(text)


def _position(names: list[str], name: str) -> int:
    """Return the 1-based place of the first of ``names`` that begins with ``name``, in three letters or more."""
    start = name.strip().lower()
    for place, candidate in enumerate(names, 1):
        if len(start) >= 3 and candidate.startswith(start):
            return place
    raise ValueError(f"not one of {', '.join(names)}: {name!r}")
