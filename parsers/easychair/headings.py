"""The structural lines of a Smart Program: days, intervals with the heading of a session, labels of its details.

```
PROGRAM FOR WEDNESDAY, AUGUST 27TH        Wednesday, June 16th        Monday, 27 July 2026
10:30-11:00Coffee Break                   08:00-10:05 Session 2A: Track 1.2: Toast and Bread
Chair:                                    Session Chair: Anna Vell and Boris T. Wexley
```

Grammars of one line each, and where such lines, the marks, are in a text; what is between two marks belongs to
``grammar``. Every distinct line is read once.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

import pyparsing as pp

from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, Lines
from parsers._words.dates import DASH, MONTH, WEEKDAY, make_date, month_number, read_range, weekday_number
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
_NO_ZONE: Final = r"(?!\s*(?:[AP]\.?M|CES?T|EES?T|[ECMP][SD]T|[BJ]ST|AES?T|MES?Z|GMT|UTC)\b\s*(?:Session\b|\Z))"
"""What does not stand behind an interval that is read: times of twelve hours or of a zone; "PM Tools" is a title."""
_INTERVAL: Final = (
    pp.Regex(rf"(?P<starts>\d{{1,2}}:\d{{2}}){DASH}(?P<ends>\d{{1,2}}:\d{{2}})(?!\d){_NO_ZONE}(?P<gap>\s*)")
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

DAY_LINK: Final = rf"(?i:{WEEKDAY}, (?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}} {MONTH})(?:,? \d{{4}})?)"

PATTERNS: Final = {
    "index_title": r"PROGRAM|Program",
    # An event has its own links; if all are on one line, pages of the organisers can precede the fixed ones:
    # ``InformationPROGRAMINDEXES``.
    "menu_line": r"(?:[A-Z][\w &/'’-]{0,200}[a-z])?PROGRAM(?!M|S\b)[A-Z][A-Z &|/-]{0,300}",
    "menu": r"(?:(?:PROGRAM|AUTHORS|KEYWORDS|SLIDES|ROOMS|PAPERS|PEOPLE|SPEAKERS|COMMITTEES|VENUE)[ |]*)+",
    "days_label": r"Days:",
    "day_switch": r"(?:(?:previous day|next day|all days)[ |]*)+",
    "day_link": DAY_LINK,
    "day_links": rf"Days:\s*(?:(?:{DAY_LINK}|previous day|next day|all days)[ |]*)+|(?:{DAY_LINK}[ |]*){{2,}}",
    "view_links": r"View(?: this program)?: ?(?:(?:with abstracts|session overview|talk overview"
    r"|side by side with other conferences)[ |]*)+",
    "disclaimer": r"Disclaimer(?: ?\| ?Powered by EasyChair Smart Program)?|Powered by EasyChair Smart Program",
}
BOILERPLATE: Final = Boilerplate(PATTERNS)

_OPENINGS: Final = frozenset(
    "PRO Pro AUT KEY SLI ROO PAP PEO SPE COM VEN Day pre nex all Vie Dis Pow Mon Tue Wed Thu Fri Sat Sun".split()
)
_DAY_HINT: Final = re.compile(rf"(?:(?i:PROGRAM(?:ME)? FOR )|[^a-z:]{{1,80}} ON (?=[A-Z]))?(?i:{WEEKDAY}),")
_CLOCKED: Final = re.compile(
    rf"""
    (?P<bar>\|\s*)?             # a table cell opens with a bar
    \d{{1,2}}:\d{{2}}
    (?:
      (?P<time>\Z)              # alone on its line: a talk
    | (?P<interval>{DASH}\d{{1,2}}:\d{{2}}(?!\d){_NO_ZONE})
    | (?P<row>\s*\|)            # a whole table row on one line
    | \s+                       # a talk on one line, where a label shows it; else prose
    )
    """,
    re.VERBOSE,
)
_ROW_LABEL: Final = re.compile(r"(?:ABSTRACT\.|SPEAKER:|PRESENTER:) ")
LOOKED_AT: Final = 600
"""The number of lines in which a text is recognised."""
_LONGEST: Final = 500
"""The longest structural line, in characters."""


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
    starts, ends = read_range(found["starts"], found["ends"])
    return IntervalLine(starts, ends, not found["gap"], code, found["title"].strip())


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


class MarkKind(Enum):
    """The kind of a structural line; a ``ROW`` is a whole talk on one line."""

    DAY = auto()
    PROGRAM_VIEW = auto()
    SESSION = auto()
    TALK = auto()
    ROW = auto()
    BOILERPLATE = auto()


_CLOCKED_KINDS: Final = frozenset((MarkKind.SESSION, MarkKind.TALK))


class Mark(NamedTuple):
    """A structural line: its number, kind and stripped text."""

    line: int
    kind: MarkKind
    text: str


def _opens_text(text: str) -> bool:
    """True if a line opens the presenter or abstract of a talk, so that the head of the talk is above it."""
    return text.startswith((ABSTRACT, "SPEAKER:", "PRESENTER:"))


def marks_of(document: Document) -> list[Mark]:
    """Return the structural lines of a document, in order."""
    return [*document.once(marks_at_head), *_find_marks(document.lines, LOOKED_AT + 1)]


def marks_at_head(document: Document) -> list[Mark]:
    """Return the structural lines among the first ``LOOKED_AT``; call it through ``once``."""
    return _find_marks(document.lines, 1, min(document.lines.last, LOOKED_AT))


def _find_marks(lines: Lines, first: int, last: int | None = None) -> list[Mark]:
    """Find the structural lines from ``first`` to ``last``."""
    return [
        Mark(number, kind, text)
        for number, text in lines.texts(first, last)
        if (text[0] in "|0123456789" and (kind := _clocked_kind(text)) is not None)
        or ((text[:3] in _OPENINGS or " ON " in text) and (kind := _worded_kind(text)) is not None)
    ]


def without_agendas(lines: Lines, marks: list[Mark]) -> list[Mark]:
    """Drop intervals and times that are paragraphs of free text, such as ``09:00-09:20 Introduction``.

    Paragraphs have blank lines on both sides; sessions only if free text follows.
    """
    headings = [mark for mark in marks if mark.kind is MarkKind.SESSION]
    set_off = {mark.line: mark for mark in marks if mark.kind in _CLOCKED_KINDS and _is_set_off(lines, mark.line)}
    if not set_off or _are_headings_set_off(headings, set_off):
        return marks
    left_out = {line for line, mark in set_off.items() if _is_of_text(mark, lines, set_off)}
    return [mark for mark in marks if mark.line not in left_out]


def _are_headings_set_off(headings: Sequence[Mark], set_off: Container[int]) -> bool:
    """True if any break, which has no free text below it, is set off; without breaks, if most headings are.

    The first heading cannot be part of an abstract: if it is not set off, headings are not.
    """
    breaks = [mark for mark in headings if (interval := read_interval(mark.text)) and interval.glued and interval.title]
    if breaks:
        return any(mark.line in set_off for mark in breaks)
    if headings and headings[0].line not in set_off:
        return False
    return 2 * sum(mark.line in set_off for mark in headings) >= len(headings)


def _is_set_off(lines: Lines, number: int) -> bool:
    """True if there are blank lines above and below a line; at the end of a page they do not count."""
    if not 1 < number < lines.last or lines[number - 1].strip() or lines[number + 1].strip():
        return False
    return next(lines.texts(number + 1), None) is not None


def _is_of_text(mark: Mark, lines: Lines, set_off: Mapping[int, Mark]) -> bool:
    """True if a line that is set off is no mark: a lone time without an abstract, or one of several intervals."""
    if mark.kind is MarkKind.TALK:
        return mark.line + 2 <= lines.last and not _opens_text(lines[mark.line + 2].strip())
    interval = read_interval(mark.text)
    if interval is None or interval.code is not None:
        return False
    below = set_off.get(mark.line + 2)
    inner = read_interval(below.text) if below is not None else None
    if inner is None:
        return interval.title[:1].islower() or mark.line - 2 in set_off
    # The free text of a session can be an agenda.
    return not (_holds(interval.starts, inner.starts) and _holds(inner.ends, interval.ends))


def _holds(first: time | None, last: time | None) -> bool:
    """True if both times are known and the first is not after the last."""
    return first is not None and last is not None and first <= last


def _clocked_kind(text: str) -> MarkKind | None:
    """Return the kind of a line that begins with a digit or a bar; None for text."""
    found = _CLOCKED.match(text)
    if found is None:
        return None
    if found["time"] is not None:
        return MarkKind.TALK
    if found["interval"]:
        return None if found["bar"] or _is_paragraph(text[found.end() :].lstrip()) else MarkKind.SESSION
    return MarkKind.ROW if found["row"] or _ROW_LABEL.search(text) else None


def _is_paragraph(title: str) -> bool:
    """True if the text after an interval is a paragraph, not the heading of a session."""
    return len(title) > _LONGEST or (title[:1].islower() and title.count(" ") >= 7 and title.endswith((".", "!", "?")))


def _worded_kind(text: str) -> MarkKind | None:
    """Return the kind of a line that begins like a day or like boilerplate; None for text."""
    if len(text) > _LONGEST:
        return None
    if _DAY_HINT.match(text) and read_day(text) is not None:
        return MarkKind.DAY
    if BOILERPLATE.rule(text) is None:
        return None
    return MarkKind.PROGRAM_VIEW if text.startswith("View this") else MarkKind.BOILERPLATE
