"""The structural lines that pyparsing reads: days, times, headings of sessions, labels of chairs and rooms.

    Conference - Tuesday, Oct 31      Wednesday September 3rd      September 24      Day 1 (Monday, June 2, 2031)
    9:00am-10:15am      09:20 am PT - Session 1      11:00 - 12:30 -- Parallel Sessions      19:00      9-10:30 AM
    Session (1) Stores    Paper session II: Stores    Stores (Session II)    Track A: Stores    [Workshop] Stores
    Session 2-B: Stores (Chair: Bea Sorn)
    Keynote (2): Ada Quill    Opening Keynote: Ada Quill
    Chair: Bea Sorn (Norwick)    Session Chair - Bea Sorn    Chaired by Bea Sorn

Each distinct line is read once, since lines repeat. On a page with a twelve-hour clock that prints neither am nor pm,
the order of the times shows which are in the afternoon.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from datetime import time
from functools import lru_cache
from typing import Final

from pyparsing import Optional, ParseException, ParserElement, Regex, Suppress

from parsers._words.dates import CLOCK, DASH, HALF, MONTH, WEEKDAY, later, month_number, read_range, weekday_number
from parsers._words.titles import read_heading, reads_as_title, split_track
from parsers._words.years import Day
from parsers.cluster.people import BETWEEN_NAMES, reads_as_person

_DISTINCT: Final = 4096
_MARK: Final = Suppress(Regex(rf"[.,]{{1,2}}|{DASH}\s"))
_STOP: Final = Suppress(Regex(r"[.,]"))
_REMARK: Final = Suppress(Regex(r"\([^()]{1,60}\)"))  # "(Arrivals)"

_DAY_OF_MONTH: Final = Regex(r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b", re.IGNORECASE)
_MONTH: Final = Regex(rf"(?P<month>{MONTH})", re.IGNORECASE) + Optional(_STOP)
_DATE: Final = (
    Regex(r"(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)\b")
    | Regex(r"(?P<day>\d\d?)\.(?P<number>\d\d?)\.(?P<year>(?:19|20)\d\d)\b")
    | ((_MONTH + _DAY_OF_MONTH) | (_DAY_OF_MONTH + Optional(Suppress(Regex(r"of\b"))) + _MONTH))
    + Optional(Optional(_STOP) + Regex(r"(?P<year>(?:19|20)\d\d)\b"))
)
_WEEKDAY: Final = Regex(rf"(?P<weekday>{WEEKDAY})", re.IGNORECASE)
_DATED: Final = (
    Optional(_WEEKDAY + Optional(_MARK) + Optional(Suppress(Regex(r"the\b", re.IGNORECASE))))
    + _DATE
    + Optional(_STOP)
    + Optional(Regex(rf"(?:\(|{DASH}\s|)(?P<weekday_behind>{WEEKDAY})\.?\)?", re.IGNORECASE))
)
_IN_BRACKETS: Final = Suppress(Regex(r"\(")) + _DATED + Suppress(Regex(r"\)"))
# The topic of a day, before a bracket with the date.
_KIND_OF_DAY: Final = Suppress(
    Regex(
        r"(?:day \w{1,5}|(?:(?:main|pre-?|post-?) ?)?conference|(?:workshops?|tutorials?)(?: (?:and|&|/) \w+)?)"
        r"(?: days?)?(?: \d)?(?= ?\()",
        re.IGNORECASE,
    )
)
_DAY: Final = (_DATED | (_WEEKDAY + Optional(_STOP) | _KIND_OF_DAY) + _IN_BRACKETS) + Optional(_REMARK)
_DAYS: Final = (
    _DAY,
    # "Conference - ", "Day 2: ": the topic of a day
    Suppress(Regex(r"[^:–—|-]{1,40}[:–—-]\s+|day \w{1,5} \|\s+", re.IGNORECASE)) + _DAY,
    # "Monday, September 1 - Workshops"
    _WEEKDAY + Optional(_MARK) + _DATE + Suppress(Regex(r"\s*[:–—-]\s+[^\W\d][^\d|]{2,60}")),
)
_MONTH_BEGINS: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
DAY_HINT: Final = rf"""
    (?:[^:–—|-]{{1,40}}[:–—-]\s+ | day\s\w{{1,5}}\s\|\s+ | [^()]{{1,40}}\()?
    (?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\b[.,]{{0,2}}\s*(?:{DASH}\s+|the\s+|\()?)?
    (?:{_MONTH_BEGINS}[a-z]{{0,6}}\b[.,]?\s+\d | \d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_BEGINS}
       | (?:19|20)\d\d-\d\d-\d\d | \d\d?\.\d\d?\.(?:19|20)\d\d)
"""
"""How lines that can be days begin: a fast check, for a verbose pattern."""

# "9-10:30 AM": an hour alone, if the end has am or pm
_HOUR: Final = rf"\d{{1,2}}(?=\s?{DASH}\s?{CLOCK}(?<=m|\.))"
_UNIT: Final = Suppress(Regex(r"(?:h|hrs?|hours)\b\.?", re.IGNORECASE))
_BETWEEN: Final = Suppress(Regex(rf"-{{2,3}}|{DASH}|[~→]|(?:to|until|till)\b", re.IGNORECASE))
_ZONE: Final = Suppress(Regex(r"\(?(?:[A-Z]{2,5}(?:\s?[+-]\s?\d{1,2}(?::\d\d)?)?|[Ll]ocal)(?: [Tt]ime)?\)?(?!\w)"))
_OTHER_ZONE: Final = Suppress(Regex(rf"[/|(]\s*{CLOCK}\s?{DASH}\s?{CLOCK}\s+[A-Z]{{2,5}}\)?", re.IGNORECASE))
_LENGTH: Final = Suppress(Regex(r"\(\d{1,3}\s?min(?:ute)?s?\.?\)", re.IGNORECASE))
_OPEN_END: Final = Suppress(Regex(rf"(?:{DASH}\s?)?(?:late|open end|\?)$|onwards?\b|{DASH}$", re.IGNORECASE))
_SLOT: Final = (
    Optional(Suppress(Regex(r"(?:from\b|time\s*:)", re.IGNORECASE)))
    + Regex(rf"(?P<starts>{CLOCK}|{_HOUR})", re.IGNORECASE)
    + Optional(_UNIT)
    + Optional(_OPEN_END | (_BETWEEN + Regex(rf"(?P<ends>{CLOCK})", re.IGNORECASE) + Optional(_UNIT)))
    + Optional(_ZONE)
    + Optional(_OTHER_ZONE)
    + Optional(_LENGTH)
    + Optional(Suppress(Regex(rf"--|{DASH}|:")) + Regex(r"(?P<label>\S.*)"))
)
_IN_BRACKETS_ALONE: Final = re.compile(r"\((?P<round>[^()]*)\)|\[(?P<square>[^\[\]]*)\]")
_TIMED_ITEM: Final = re.compile(rf"(?P<slot>{CLOCK}\s?{DASH}\s?{CLOCK})\s+(?P<title>[^\W\d].*)", re.IGNORECASE)
_NOON: Final = re.compile(r"(?:12(?:[:.]00)?\s?)?\bnoon\b(?=\s*(?:$|[–—-]|to\b))", re.IGNORECASE)
_HALF_DAY: Final = 12
_SMALL_HOURS: Final = 7
_FEW_ODD: Final = 3
_FIRST_HOUR: Final = 8  # no day begins earlier and goes on to the same hour after noon

_SLOT_TYPE: Final = re.compile(r"(?:keynote|panel|tutorial)s?", re.IGNORECASE)
_TIME_LABEL: Final = re.compile(
    r"session\s+\(?(?P<code>\w{1,6})\)?|(?:parallel|concurrent|technical|paper|plenary)?\s*sessions?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A time line as printed; ``starts`` is None if the page prints ``TBA`` or a time is impossible.

    ``code`` numbers the sessions below; ``title`` is any other text on the line, the title of the first of them.
    ``halved`` is true if am or pm is printed.
    """

    starts: time | None
    ends: time | None = None
    title: str | None = None
    code: str | None = None
    impossible: bool = False
    halved: bool = field(default=False, compare=False)

    @property
    def session_type(self) -> str | None:
        """The type of the sessions below, if the title is such a word: ``16:00 - 17:00 -- Keynote``."""
        return self.title if self.title and _SLOT_TYPE.fullmatch(self.title) else None


def are_slots(times: Iterable[tuple[Day | None, TimeLine | None]]) -> bool:
    """True if times, each with its day, may be those of slots: of a day, each begins when the one before has ended.

    In a list of prices (``3.50-12.50``) hardly one does; other tools print talks by times within that of their session.
    """
    count = odd = 0
    today: Day | None = None
    begun, ended = -1, -1
    for day, printed in times:
        if printed is None or (printed.starts is None and not printed.impossible):
            continue
        if day != today:
            today, begun, ended = day, -1, -1
        starts = _minutes(printed.starts) if printed.starts else -1
        ends = _minutes(printed.ends) if printed.ends else None
        is_again = (starts, ends) == (begun, ended)
        count += 1
        odd += not is_again and (starts < max(ended, 0) or (ends is not None and ends <= starts))
        if ends is not None:
            begun, ended = starts, ends
    return odd <= max(_FEW_ODD, count / 2)


def _minutes(clock: time) -> int:
    """Return the minutes of a time of day since midnight; in the small hours it is one of the afternoon."""
    return 60 * (clock.hour + (_HALF_DAY if clock.hour < _SMALL_HOURS else 0)) + clock.minute


@lru_cache(_DISTINCT)
def read_day(text: str) -> Day | None:
    """Read a day heading; None if the line is something else. Its line number is 0."""
    found = next((found for grammar in _DAYS if (found := match_whole(grammar, text))), None)
    if found is None:
        return None
    weekday, year = found.get("weekday") or found.get("weekday_behind"), found.get("year")
    return Day(
        line=0,
        month=month_number(found["month"]) if "month" in found else int(found["number"]),
        day=int(found["day"]),
        weekday=None if weekday is None else weekday_number(weekday),
        year=None if year is None else int(year),
    )


@lru_cache(_DISTINCT)
def read_time_line(text: str) -> TimeLine | None:
    """Read a time line; None if the line is something else."""
    inside = _IN_BRACKETS_ALONE.fullmatch(text)
    text = (inside["round"] or inside["square"] or "").strip() if inside else text
    found = match_whole(_SLOT, _NOON.sub("12:00pm", text, 2).rstrip("*"))
    if found is None:
        return None
    printed_end = found.get("ends")
    starts, ends = read_range(found["starts"], printed_end)
    label = found.get("label")
    known = _TIME_LABEL.fullmatch(label or "")
    code, title = (known["code"], None) if known else (None, label)
    if starts is None or (printed_end is not None and ends is None):
        return TimeLine(None, None, title, code, impossible=True)
    halved = HALF.search(f"{found['starts']} {printed_end}") is not None
    return TimeLine(starts, ends, title, code, halved=halved)


@lru_cache(_DISTINCT)
def read_timed_item(text: str) -> TimeLine | None:
    """Read ``11:00 - 11:10 Break``: a time line and a title without a separator; None if it is something else."""
    found = _TIMED_ITEM.fullmatch(text)
    time = read_time_line(found["slot"]) if found else None
    return replace(time, title=found["title"]) if found and time else None


def on_twelve_hours(lines: Iterable[tuple[Hashable, TimeLine | None]]) -> list[TimeLine | None]:
    """Return the time lines of a page, given with their days, with the afternoons of a twelve-hour clock corrected.

    A page with such a clock prints neither am nor pm nor an hour past twelve, and on some day 1:30 below 12:00.
    """
    days, times = zip(*given, strict=True) if (given := list(lines)) else ((), ())
    printed = [line for line in times if line is not None and line.starts is not None]
    if any(line.halved or _past_noon(line.starts) or _past_noon(line.ends) for line in printed):
        return list(times)
    begun: set[Hashable] = set()
    read: list[TimeLine | None] = []
    for day, line in zip(days, times, strict=True):
        starts = line.starts if line else None
        if line is None or starts is None:
            read.append(line)
        elif starts.hour < _FIRST_HOUR and day in begun:
            read.append(replace(line, starts=later(starts), ends=later(line.ends) if line.ends else None))
        else:
            ends = line.ends
            over = ends is not None and ends < starts and 0 < ends.hour < _FIRST_HOUR
            read.append(replace(line, ends=later(ends)) if over and ends is not None else line)
        if starts is not None and starts.hour >= _FIRST_HOUR:
            begun.add(day)
    return read


def _past_noon(moment: time | None) -> bool:
    """True if a time cannot be on a twelve-hour clock."""
    return moment is not None and (moment.hour > _HALF_DAY or moment.hour == 0)


def match_whole(grammar: ParserElement, text: str) -> dict[str, str] | None:
    """Return the named parts of a line that matches ``grammar`` from end to end, None for any other line."""
    try:
        return grammar.parse_string(text, parse_all=True).as_dict()
    except ParseException:
        return None


# Exactly one talk: its chair may be printed below it.
SOLO: Final = re.compile(
    r"(?:(?:invited|plenary|distinguished|guest|special)\s+){1,2}(?:talk|speech|lecture|address|speaker)\b.*",
    re.IGNORECASE,
)

# Labels of people below the title of an item without talks.
PEOPLE_LIST: Final = re.compile(
    r"(?:panell?ists?|(?:keynote |invited )?speakers?|presenters?|instructors?|lecturers?)\s*:", re.IGNORECASE
)
# The label before a room.
_ROOM_LABEL: Final = re.compile(r"(?:rooms?|locations?|venue|place)\s*:\s*(?=\S)", re.IGNORECASE)


CHAIR_ROLE: Final = (
    r"(?:(?:session|panel|track)\s+)?(?:co-?\s?)?"
    r"(?:chairs?(?:\(s\)|persons?)?|moderators?(?:\(s\))?|discussants?|organi[sz]ers?(?:\(s\))?)"
)
# Words that can precede other things too: labels only before persons.
_HOST: Final = r"(?:(?:session|panel)\s+)?(?:hosts?|facilitators?|conv[eo]n[eo]rs?|presid(?:ing|er))"
CHAIR_LABEL: Final = (
    rf"(?:{CHAIR_ROLE})(?:\s*[:：]|\s+{DASH}\s)|(?:{_HOST})\s*:"
    r"|(?:session\s+)?chaired\s+by\b\s*:?|session\s+chairs?\s+(?=[A-Z])"
)
_CHAIR: Final = re.compile(rf"(?P<label>{CHAIR_LABEL})\s*(?P<names>\S.*)?", re.IGNORECASE)
_SURE: Final = re.compile(rf"{CHAIR_ROLE}\s*[:：]", re.IGNORECASE)
_WORDS_OF_TITLE: Final = 4  # "Chair: A Framework for Sitting"
_LABEL_MARKS: Final = " :：-‐‑‒–—―−"
# A chair after a title: "Stores (Chair: Bea Sorn, Plum)", "Stores - Session Chair: Bea Sorn (Plum)".
_CHAIR_BEHIND: Final = re.compile(
    rf"(?P<title>\S.{{0,280}}?)(?<!\s)\s*(?P<opened>[(\[]|\s{DASH}\s|[,;|]\s)\s*(?:{CHAIR_ROLE}\s*:|chaired\s+by\b(?:\s*+:)?)"
    r"(?>\s*+(?=[^()\[\]])|\s*(?=\s))(?P<names>[^()\[\]]{1,120}(?:\([^()]{1,120}\)[^()\[\]]{0,120}){0,4}?)(?P<closed>[)\]]?)",
    re.IGNORECASE,
)

# "1.2" and "2-B" are codes only before a separator: "Session 3-D Printing" has no code
_NUMBER: Final = r"\d{1,3}(?:[./-][A-Z\d]{1,2}(?=\s*(?:[:|–—]|$))|[A-Z])?"
_SESSION: Final = (
    Regex(r"(?:(?:paper|technical|research|regular|parallel|plenary|oral)\s+)?session\b-?", re.IGNORECASE)
    # "(1)" and "3A" need none; a letter, Roman number or "T1" needs a separator: "Session I: Stores"
    + Regex(
        rf"\((?P<bracket>\w{{1,6}})\)\s*[:.,|–—-]?|#?(?P<number>{_NUMBER})\b\s*[:.,|–—-]?"
        r"|(?P<letter>[IVXL]+|[A-Z]\d{0,2})(?:\s*[:.|–—-]|$)"
    )
    + Optional(Regex(r"(?P<title>\S.*)"))
)
_BRACKETED: Final = re.compile(r"\((?P<title>[^()]+)\)")
_CODE_BEHIND: Final = Regex(r"(?P<title>\S.*?)\s*\(\s*[Ss]ession\s+(?P<code>\w{1,6})\s*\)")
_KEYNOTE: Final = Regex(
    r"(?P<name>(?:(?:opening|closing|plenary|conference|joint|morning|afternoon|invited|industry)\s+)?"
    r"keynote(?:\s+(?:talk|speech|address|speaker|session))?(?:\s*\(\s*\w{1,6}\s*\)|\s+(?:#?\d{1,2}|[IVX]+)\b)?)"
    r"(?=\s*(?:$|[:–—]|-{1,2}\s|by\s))",  # "Keynote-Scale Computing" is a title
    re.IGNORECASE,
) + Optional(Regex(r"\s*(?P<mark>[:–—-]|by\b)") + Optional(Regex(r"(?P<about>\S.*)")))
_KEYNOTE_WITHIN: Final = 20
_LONGEST_HEADING: Final = 400


@dataclass(frozen=True, slots=True)
class SessionHeading:
    """The parts of a session heading.

    A code, a track or a tag alone makes a line a heading. ``keynote`` is the printed name of a keynote slot, such as
    ``Keynote (2)``, and ``about`` the text after it: a speaker or a title. ``chair`` is the chair named after the
    title.
    """

    printed: str
    title: str | None
    code: str | None = None
    track: str | None = None
    tag: str | None = None
    keynote: str | None = None
    about: str | None = None
    notes: tuple[str, ...] = ()
    chair: str | None = None


@lru_cache(_DISTINCT)
def read_chair_label(text: str) -> tuple[str, str] | None:
    """Split ``Chair: names`` into role and names (empty if they follow on the next line); None for other lines.

    A label without a colon, or a word that labels other things too, counts only if nothing but persons follow.
    """
    found = _CHAIR.fullmatch(text)
    if found is None:
        return None
    role, names = found["label"].strip(_LABEL_MARKS), found["names"] or ""
    sure = _SURE.match(text) is not None and not _is_title(names)
    return (role, names) if sure or _names_persons(names) else None


def _is_title(names: str) -> bool:
    """True if the text after the word for a chair is the rest of a title: words without separators."""
    parted = any(mark in names for mark in (",", ";", "&", "(", " and "))
    return not parted and names.count(" ") + 1 >= _WORDS_OF_TITLE and reads_as_title(names)


def _names_persons(names: str) -> bool:
    """True if a text begins with the name of a person, before any affiliation."""
    return reads_as_person(BETWEEN_NAMES.split(names, 1)[0].partition("(")[0].strip())


def read_room(text: str) -> str:
    """Return the name of a room without a label: ``Room: Great Hall``."""
    return _ROOM_LABEL.sub("", text, 1)


@lru_cache(_DISTINCT)
def read_session(text: str) -> SessionHeading:
    """Split a session heading into its parts; a line without any known form is all title."""
    named = len(text) <= _LONGEST_HEADING and ("hair" in text or "oderator" in text or "HAIR" in text)
    chair = _CHAIR_BEHIND.fullmatch(text) if named else None
    if chair and (chair["opened"] in "([") == bool(chair["closed"]) and _names_persons(chair["names"]):
        return replace(_read_session(chair["title"]), printed=text, chair=chair["names"].strip())
    return _read_session(text)


def _read_session(text: str) -> SessionHeading:
    """Split a session heading without a chair into its parts."""
    heading = read_heading(text)
    track, title = split_track(heading.title)
    if track is not None or heading.tag is not None:
        return SessionHeading(text, title, track=track, tag=heading.tag, notes=heading.notes)
    lower = title.lower()
    found = match_whole(_KEYNOTE, title) if "keynote" in lower[:_KEYNOTE_WITHIN] else None
    if found and (found.get("mark") != "by" or _names_persons(found.get("about") or "")):
        return SessionHeading(text, title, keynote=found["name"], about=found.get("about"), notes=heading.notes)
    if "session" in lower and (found := match_whole(_SESSION, title)):
        code = found.get("bracket") or found.get("number") or found["letter"]
        inside = _BRACKETED.fullmatch(found.get("title") or "")
        return SessionHeading(text, inside["title"] if inside else found.get("title"), code=code, notes=heading.notes)
    if lower.endswith(")") and "session" in lower and (found := match_whole(_CODE_BEHIND, title)):
        return SessionHeading(text, found["title"], code=found["code"], notes=heading.notes)
    return SessionHeading(text, title, notes=heading.notes)
