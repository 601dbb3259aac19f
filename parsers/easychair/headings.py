"""The structural lines of a Smart Program: days, intervals with the heading of a session, labels of its details.

```
PROGRAM FOR WEDNESDAY, AUGUST 27TH        Wednesday, June 16th        Monday, 27 July 2026
10:30-11:00Coffee Break                   08:00-10:05 Session 2A: Track 1.2: Toast and Bread
Chair:                                    Session Chair: Anna Vell and Boris T. Wexley
```

Grammars of one line each; every distinct line is read once. Finding these lines does not belong here (``text``).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import time
from functools import lru_cache
from typing import Final

import pyparsing as pp

from parsers._words.dates import DASH, MONTH, WEEKDAY, clock, make_date, month_number, weekday_number
from parsers._words.years import Day, find_years

URL_DAY: Final = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})\.html")
"""The end of a day page's address, and of a link to it: ``2026-06-17.html``, ``SUB-2026-06-17.html``."""

ABSTRACT: Final = "ABSTRACT."
"""The label of an abstract, as printed."""

_END = pp.StringEnd()

_MONTH: Final = pp.Regex(MONTH, re.IGNORECASE)("month")
_NUMBER: Final = pp.Regex(r"\d{1,2}")("day") + pp.Suppress(pp.Regex(r"(?:st|nd|rd|th)?\b", re.IGNORECASE))
# A page of one of several conferences held together is titled ``CAVE ON SATURDAY, JULY 14TH``; other programs print
# ``CAVE — PROGRAM FOR SATURDAY, 14 JULY 2026``.
_DAY_TITLE: Final = pp.Regex(r"(?:[^:—]{1,80} — )?(?i:program(?:me)? for)|[^a-z:]{1,80}? ON(?= [A-Z])")
_DAY: Final = (
    pp.Opt(_DAY_TITLE("title"))
    + pp.Regex(WEEKDAY, re.IGNORECASE)("weekday")
    + pp.Suppress(",")
    + (_MONTH + _NUMBER | _NUMBER + _MONTH)
    + pp.Opt(pp.Suppress(pp.Opt(",")) + pp.Regex(r"\d{4}")("year"))
    + pp.Opt(pp.Suppress(":") + pp.Regex(r".+")("view"))
    + _END
)

# The gap after the interval distinguishes a session (one space) from a break (none): white space is read, not skipped.
_CODED: Final = r"(?i:Session\b\s*(?:(?P<code>\d+[A-Z]{0,2})?\s*:\s*|(?P<only>\d+[A-Z]{0,2})\Z))?(?P<title>.*)"
_TITLE: Final = re.compile(_CODED)
NO_ZONE: Final = r"(?!\s*(?:[AP]\.?M|CES?T|EES?T|[ECMP][SD]T|[BJ]ST|AES?T|MES?Z|GMT|UTC)\b\s*(?:Session\b|\Z))"
"""What does not stand behind an interval that is read: times of twelve hours or of a zone; "PM Tools" is a title."""
_INTERVAL: Final = (
    pp.Regex(rf"(?P<starts>\d{{1,2}}:\d{{2}}){DASH}(?P<ends>\d{{1,2}}:\d{{2}})(?!\d){NO_ZONE}(?P<gap>\s*)")
    + pp.Regex(_CODED)
).leave_whitespace()

_SHORT_YEAR: Final = re.compile(r".{0,80}[^\W\d_][ '’‘´`_-]?(\d{2})")

# A role word alone on its line can be any word; with names after it, it must be a known one, or a title with a colon
# would match.
_ROLE: Final = pp.Regex(
    r"Location|(?:[^\W\d_]+ )?(?:Co-?)?"
    r"(?:Chair(?:person|man|woman)?|Discussant|Moderator|Organi[sz]er|Conven[eo]r)s?\b",
    re.IGNORECASE,
)
_FREE_ROLE: Final = pp.Regex(r"[^\W\d_]+(?:[ /-][^\W\d_]+){0,3}")
_LABEL: Final = _ROLE("role") + pp.Suppress(":") + pp.Opt(pp.Regex(r".+")("names")) + _END | _FREE_ROLE(
    "role"
) + pp.Suppress(":" + _END)


@dataclass(frozen=True, slots=True)
class DayLine:
    """A day as printed: ``weekday`` is 0 (Monday) to 6; ``view`` is what the title of an overview page adds.

    ``is_title`` is true if the line is the title of a day page, not a date on an index page.
    """

    month: int
    day: int
    weekday: int
    year: int | None
    view: str | None
    is_title: bool


@dataclass(frozen=True, slots=True)
class IntervalLine:
    """The heading of a session or break; a time is None if the printed one is no time of day."""

    starts: time | None
    ends: time | None
    glued: bool
    code: str | None
    title: str


@lru_cache(maxsize=1024)
def read_day(line: str) -> DayLine | None:
    """Read a day heading of a day page or index page; None if the line is not one."""
    try:
        found = _DAY.parse_string(line)
    except pp.ParseException:
        return None
    year = int(found["year"]) if "year" in found else None
    weekday, month = weekday_number(found["weekday"]), month_number(found["month"])
    return DayLine(month, int(found["day"]), weekday, year, _optional(found, "view"), "title" in found)


@lru_cache(maxsize=4096)
def read_interval(line: str) -> IntervalLine | None:
    """Read the heading of a session or break; None if the line is not one."""
    try:
        found = _INTERVAL.parse_string(line)
    except pp.ParseException:
        return None
    code = _optional(found, "code") or _optional(found, "only")
    return IntervalLine(clock(found["starts"]), clock(found["ends"]), not found["gap"], code, found["title"].strip())


@lru_cache(maxsize=4096)
def read_title(line: str) -> tuple[str | None, str]:
    """Split the title of a session, printed apart from the interval, into code and title."""
    found = _TITLE.match(line)
    return (found["code"] or found["only"], found["title"].strip()) if found else (None, line)


@lru_cache(maxsize=4096)
def read_label(line: str) -> tuple[str, str] | None:
    """Split ``Chair: names`` into role word and names, which may be empty; None if the line has no label."""
    try:
        found = _LABEL.parse_string(line)
    except pp.ParseException:
        return None
    return found["role"], (_optional(found, "names") or "").strip()


def read_years(title: str, url: str | None, days: Sequence[Day], hidden: Iterable[int] = ()) -> list[int]:
    """Return the years in the title of a page and its address, and the ``hidden`` ones, the surest first.

    Two digits of an acronym must agree with the weekday of every day: ``TAP22`` means 2022, but ``LPAR23: 23RD
    CONFERENCE`` only counts conferences.
    """
    years = list(dict.fromkeys([*find_years(f"{title} {url or ''}"), *hidden]))
    short = _SHORT_YEAR.fullmatch(title.partition(":")[0])
    if short is None or re.search(rf"(?<!\d){short[1]}(?:ST|ND|RD|TH)\b", title, re.IGNORECASE):
        return years
    year = 2000 + int(short[1])
    printed = [(make_date(year, day.month, day.day), day.weekday) for day in days if day.weekday is not None]
    agrees = printed and all(found is not None and found.weekday() == weekday for found, weekday in printed)
    return [*years, year] if agrees and year not in years else years


def _optional(found: pp.ParseResults, name: str) -> str | None:
    """Return a named piece of a heading, None if it is not printed."""
    return str(found[name]) if name in found and found[name] is not None else None
