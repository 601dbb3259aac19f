"""The structural lines of a Smart Program: days, intervals with the heading of a session, labels of its details.

```
PROGRAM FOR WEDNESDAY, AUGUST 27TH        Wednesday, June 16th        Monday, 27 July 2026
10:30-11:00Coffee Break                   08:00-10:05 Session 2A: Track 1.2: Toast and Bread
Chair:                                    Session Chair: Anna Vell and Boris T. Wexley
```

Grammars of one line each, every distinct line read once. Which line is which does not belong here (``text``).
"""

import re
from dataclasses import dataclass
from datetime import time
from functools import lru_cache
from typing import Final

import pyparsing as pp

from parsers._dates import MONTH, WEEKDAY, clock, month_number, weekday_number

_REST = pp.Regex(r".*")
_END = pp.StringEnd()

_MONTH: Final = pp.Regex(MONTH, re.IGNORECASE)("month")
_NUMBER: Final = pp.Regex(r"\d{1,2}")("day") + pp.Suppress(pp.Regex(r"(?:st|nd|rd|th)?\b", re.IGNORECASE))
_DAY: Final = (
    pp.Opt(pp.CaselessLiteral("program for")("title"))
    + pp.Regex(WEEKDAY, re.IGNORECASE)("weekday")
    + pp.Suppress(",")
    + (_MONTH + _NUMBER | _NUMBER + _MONTH)
    + pp.Opt(pp.Suppress(pp.Opt(",")) + pp.Regex(r"\d{4}")("year"))
    + pp.Opt(pp.Suppress(":") + pp.Regex(r".+")("view"))
    + _END
)

# The gap after the interval tells a session (one blank) from a break (none): white space is read, not skipped.
_SESSION_WORD: Final = pp.Regex(r"Session\b\s*(?:(?P<code>\d+[A-Z]?)?\s*:\s*|(?P<only>\d+[A-Z]?)\Z)", re.IGNORECASE)
_TITLE: Final = (pp.Opt(_SESSION_WORD) + _REST("title")).leave_whitespace()
_INTERVAL: Final = (
    pp.Regex(r"(?P<starts>\d{1,2}:\d{2})[-–](?P<ends>\d{1,2}:\d{2})(?!\d)(?P<gap>\s*)")
    + pp.Opt(_SESSION_WORD)
    + _REST("title")
).leave_whitespace()

# The role word is free where it stands alone; before names on its line it must be a known one, or a title with a colon
# would read as one.
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

    ``is_title`` where the line is the title of a day page, not a date of an index page.
    """

    month: int
    day: int
    weekday: int
    year: int | None
    view: str | None
    is_title: bool


@dataclass(frozen=True, slots=True)
class IntervalLine:
    """The heading of a session or break; a time is None where the printed one is no time of day."""

    starts: time | None
    ends: time | None
    glued: bool
    code: str | None
    title: str


@lru_cache(maxsize=1024)
def read_day(line: str) -> DayLine | None:
    """Read a day heading of a day page or index page; None where the line is none."""
    try:
        found = _DAY.parse_string(line)
    except pp.ParseException:
        return None
    year = int(found["year"]) if "year" in found else None
    weekday, month = weekday_number(found["weekday"]), month_number(found["month"])
    return DayLine(month, int(found["day"]), weekday, year, _optional(found, "view"), "title" in found)


@lru_cache(maxsize=4096)
def read_interval(line: str) -> IntervalLine | None:
    """Read the heading of a session or break; None where the line is none."""
    try:
        found = _INTERVAL.parse_string(line)
    except pp.ParseException:
        return None
    code = _optional(found, "code") or _optional(found, "only")
    return IntervalLine(clock(found["starts"]), clock(found["ends"]), not found["gap"], code, found["title"].strip())


@lru_cache(maxsize=4096)
def read_title(line: str) -> tuple[str | None, str]:
    """Split the title of a session, where it stands apart from the interval, into code and title."""
    found = _TITLE.parse_string(line)
    return _optional(found, "code") or _optional(found, "only"), found["title"].strip()


@lru_cache(maxsize=4096)
def read_label(line: str) -> tuple[str, str] | None:
    """Split ``Chair: names`` into role word and names, which may be empty; None where the line has no label."""
    try:
        found = _LABEL.parse_string(line)
    except pp.ParseException:
        return None
    return found["role"], (_optional(found, "names") or "").strip()


def _optional(found: pp.ParseResults, name: str) -> str | None:
    """Return a named piece of a heading, None where it is not printed."""
    return str(found[name]) if name in found and found[name] is not None else None
