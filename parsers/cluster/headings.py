"""The structural lines of a programme at a glance: days, time lines, session headings, chair labels.

    Conference - Tuesday, Oct 31        Wednesday September 3rd        September 24
    9:00am-10:15am        09:20 am PT - Session 1        11:00 - 12:30 -- Parallel Sessions        19:00
    Session (1) Stores    Paper session II: Stores    Stores (Session II)    Track A: Stores    [Workshop] Stores
    Keynote (2): Ada Quill
    Chair: Bea Sorn (Norwick)

Each distinct line is read once: the same headings come again and again. What stands where does not belong here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import time
from functools import lru_cache
from typing import Final

from pyparsing import Optional, ParseException, ParserElement, Regex, Suppress

from parsers._dates import CLOCK, DASH, MONTH, WEEKDAY, clock, month_number, weekday_number
from parsers._titles import read_heading, split_track
from parsers._years import Day

# One talk and no more: its chair may stand below it.
SOLO: Final = re.compile(
    r"(?:(?:invited|plenary|distinguished|guest|special)\s+){1,2}(?:talk|speech|lecture|address|speaker)\b.*",
    re.IGNORECASE,
)
PLACEHOLDER: Final = re.compile(
    r"\W*(?:TB[ADC]|N/A|to be (?:announced|determined|confirmed|decided))\W*", re.IGNORECASE
)

# Who is named below the title of an item that lists no talks.
PEOPLE_LIST: Final = re.compile(r"(?:panell?ists?|speakers?|presenters?|instructors?|lecturers?)\s*:", re.IGNORECASE)
# The label in front of a room.
_ROOM_LABEL: Final = re.compile(r"(?:rooms?|locations?|venue|place)\s*:\s*(?=\S)", re.IGNORECASE)

_DISTINCT: Final = 4096
_DASH: Final = Suppress(Regex(rf"--|{DASH}|to\b"))
_STOP: Final = Suppress(Regex(r"[.,]"))

_DAY_OF_MONTH: Final = Regex(r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b", re.IGNORECASE)
_MONTH: Final = Regex(rf"(?P<month>{MONTH})", re.IGNORECASE) + Optional(_STOP)
_DAY: Final = (
    Optional(Suppress(Regex(r"[^:–—-]{1,40}[:–—-]\s+")))  # "Conference - ", "Day 2: ": what a day is about
    + Optional(Regex(rf"(?P<weekday>{WEEKDAY})", re.IGNORECASE) + Optional(_STOP))
    + ((_MONTH + _DAY_OF_MONTH) | (_DAY_OF_MONTH + Optional(Suppress(Regex(r"of\b"))) + _MONTH))
    + Optional(Optional(_STOP) + Regex(r"(?P<year>(?:19|20)\d\d)\b"))
    + Optional(_STOP)
    + Optional(Regex(rf"\((?P<weekday_behind>{WEEKDAY})\.?\)", re.IGNORECASE))
    + Optional(Suppress(Regex(r"\([^()]{1,60}\)")))  # "(Arrivals)"
)

_SLOT: Final = (
    Regex(rf"(?P<starts>{CLOCK})", re.IGNORECASE)
    + Optional(_DASH + Regex(rf"(?P<ends>{CLOCK})", re.IGNORECASE))
    + Optional(Suppress(Regex(r"\(?[A-Z]{2,5}(?:[+-]\d{1,2})?\)?")))
    + Optional(_DASH + Regex(r"(?P<label>\S.*)"))
)

_TIMED_ITEM: Final = re.compile(rf"(?P<slot>{CLOCK}\s?{DASH}\s?{CLOCK})\s+(?P<title>[^\W\d].*)", re.IGNORECASE)

_NOON: Final = re.compile(r"(?:12(?:[:.]00)?\s?)?\bnoon\b(?=\s*(?:$|[–—-]|to\b))", re.IGNORECASE)
CHAIR_ROLE: Final = (
    r"(?:(?:session|panel|track)\s+)?(?:co-?\s?)?"
    r"(?:chairs?(?:\(s\)|persons?)?|moderators?(?:\(s\))?|discussants?|organi[sz]ers?(?:\(s\))?)"
)
_CHAIR: Final = Regex(rf"(?P<role>{CHAIR_ROLE})\s*:", re.IGNORECASE) + Optional(Regex(r"(?P<names>\S.*)"))

_SESSION: Final = (
    Regex(r"(?:(?:paper|technical|research|regular|parallel|plenary|oral)\s+)?session\b", re.IGNORECASE)
    # "(1)" and "3A" stand alone; a letter or a Roman number needs a stop behind it: "Session I: Stores"
    + Regex(
        r"\((?P<bracket>\w{1,6})\)\s*[:.–—-]?|#?(?P<number>\d{1,3}[A-Z]?)\b\s*[:.–—-]?|(?P<letter>[IVXL]+|[A-Z])(?:\s*[:.–—-]|$)"
    )
    + Optional(Regex(r"(?P<title>\S.*)"))
)
_CODE_BEHIND: Final = Regex(r"(?P<title>\S.*?)\s*\(\s*[Ss]ession\s+(?P<code>\w{1,6})\s*\)")
_KEYNOTE: Final = Regex(
    r"(?P<name>keynote(?:\s+(?:talk|speech|address|speaker))?(?:\s*\(\s*\w{1,6}\s*\)|\s+(?:\d{1,2}|[IVX]+)\b)?)"
    r"(?=\s*(?:$|[:–—]|-{1,2}\s))",  # "Keynote-Scale Computing" is a title
    re.IGNORECASE,
) + Optional(Suppress(Regex(r"\s*[:–—-]")) + Optional(Regex(r"(?P<about>\S.*)")))


_SLOT_TYPE: Final = re.compile(r"(?:keynote|panel|tutorial)s?", re.IGNORECASE)
_LABEL: Final = re.compile(
    r"session\s+\(?(?P<code>\w{1,6})\)?|(?:parallel|concurrent|technical|paper|plenary)?\s*sessions?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A time line as printed; ``starts`` is None where the page says ``TBA``, and where a time is impossible.

    ``code`` numbers the sessions below; ``title`` is any other text on the line: the title of the first of them.
    """

    starts: time | None
    ends: time | None = None
    title: str | None = None
    code: str | None = None
    impossible: bool = False

    @property
    def session_type(self) -> str | None:
        """The type of the sessions below, where the title is such a word: ``16:00 - 17:00 -- Keynote``."""
        return self.title if self.title and _SLOT_TYPE.fullmatch(self.title) else None


@dataclass(frozen=True, slots=True)
class SessionHeading:
    """A session heading taken apart.

    ``formal`` says that its form alone (a code, a track, a tag) makes it a heading. ``keynote`` is the printed name of
    a keynote slot, such as ``Keynote (2)``, and ``about`` what is printed after it: a speaker or a title.
    """

    printed: str
    title: str | None
    code: str | None = None
    track: str | None = None
    tag: str | None = None
    keynote: str | None = None
    about: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def formal(self) -> bool:
        """Say whether the form of the line makes it a heading, whatever stands around it."""
        return bool(self.code or self.track or self.tag or self.keynote)


@lru_cache(_DISTINCT)
def read_day(text: str) -> Day | None:
    """Read a day heading; None where the line is something else. The line number in it is 0."""
    found = _match(_DAY, text)
    if found is None:
        return None
    weekday, year = found.get("weekday") or found.get("weekday_behind"), found.get("year")
    return Day(
        line=0,
        month=month_number(found["month"]),
        day=int(found["day"]),
        weekday=None if weekday is None else weekday_number(weekday),
        year=None if year is None else int(year),
    )


@lru_cache(_DISTINCT)
def read_time_line(text: str) -> TimeLine | None:
    """Read a time line; None where the line is something else."""
    found = _match(_SLOT, _NOON.sub("12:00pm", text, 2))
    if found is None:
        return None
    starts, printed_end = clock(found["starts"]), found.get("ends")
    ends = None if printed_end is None else clock(printed_end)
    label = found.get("label")
    known = _LABEL.fullmatch(label or "")
    code, title = (known["code"], None) if known else (None, label)
    if starts is None or (printed_end is not None and ends is None):
        return TimeLine(None, None, title, code, impossible=True)
    return TimeLine(starts, ends, title, code)


@lru_cache(_DISTINCT)
def read_timed_item(text: str) -> TimeLine | None:
    """Read ``11:00 - 11:10 Break``: a time line with a title and nothing between; None where it is something else."""
    found = _TIMED_ITEM.fullmatch(text)
    time = read_time_line(found["slot"]) if found else None
    return replace(time, title=found["title"]) if found and time else None


@lru_cache(_DISTINCT)
def read_chair_label(text: str) -> tuple[str, str] | None:
    """Split ``Chair: names`` into role and names (empty where they follow on the next line); None for other lines."""
    found = _match(_CHAIR, text)
    return None if found is None else (found["role"], found.get("names") or "")


def read_room(text: str) -> str:
    """Return the name of a room without the label in front of it: ``Room: Great Hall``."""
    return _ROOM_LABEL.sub("", text, 1)


@lru_cache(_DISTINCT)
def read_session(text: str) -> SessionHeading:
    """Take a session heading apart; a line without any known form is all title."""
    heading = read_heading(text)
    track, title = split_track(heading.title)
    if track is not None or heading.tag is not None:
        return SessionHeading(text, title, track=track, tag=heading.tag, notes=heading.notes)
    lower = title.lower()
    if lower.startswith("keynote") and (found := _match(_KEYNOTE, title)):
        return SessionHeading(text, title, keynote=found["name"], about=found.get("about"), notes=heading.notes)
    if "session" in lower and (found := _match(_SESSION, title)):
        code = found.get("bracket") or found.get("number") or found["letter"]
        return SessionHeading(text, found.get("title"), code=code, notes=heading.notes)
    if lower.endswith(")") and "session" in lower and (found := _match(_CODE_BEHIND, title)):
        return SessionHeading(text, found["title"], code=found["code"], notes=heading.notes)
    return SessionHeading(text, title, notes=heading.notes)


def _match(grammar: ParserElement, text: str) -> dict[str, str] | None:
    """Return the named parts of a line that is one of ``grammar`` from end to end, None for any other line."""
    try:
        return grammar.parse_string(text, parse_all=True).as_dict()
    except ParseException:
        return None
