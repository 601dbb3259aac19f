"""Readers for tables of fields (``table``): each takes a printed value and returns what it means, or None if invalid.

Only readers that several sources need.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from html import unescape
from typing import Any, Final
from zoneinfo import available_timezones

from parsers._words.dates import MONTH, WEEKDAY, clock, make_date, month_number, read_range, read_times, weekday_number
from parsers._words.text import PAIR, without_markup
from parsers._words.years import Day
from parsers._words.zones import zone_of_label
from schemas.items import Link, Person

YEARS: Final = range(1900, 2200)
"""The years of programmes: others are mistakes, and days next to them may not exist."""

_NOON: Final = 12
_ADDRESS: Final = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)
_OF_A_DAY: Final = re.compile(
    rf"\W*+(?:day\s(?P<count>\d{{1,2}})\b|(?P<weekday>{WEEKDAY})|(?P<month>{MONTH})|(?P<year>\d{{4}})(?!\d)"
    r"|(?P<day>\d{1,2})(?:st|nd|rd|th|(?![^\W_]))|(?:of|the)\b)\W*+",
    re.IGNORECASE,
)
_WEEKDAY_AND_ISO: Final = re.compile(rf"(?P<weekday>{WEEKDAY})[,.]?\s+(?P<iso>\d{{4}}-\d\d-\d\d)", re.IGNORECASE)
_CLOCKED: Final = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>\d{2})(?::(?P<seconds>[0-5]\d))?")
_HOURS: Final = 24
_MINUTES: Final = 60
_WORDED: Final = re.compile(
    r"(?=\d)(?:(?P<hours>\d{1,2}) ?h(?:ours?)? ?)?(?:(?P<minutes>\d{1,4}) ?m(?:in(?:utes?)?)?)?"
)
_BREAK: Final = re.compile(r"</?(?:p|[uo]l|li|h\d|div|pre|blockquote)\b[^<>]*>|(?:<br\b[^<>]*>\s*){2}", re.IGNORECASE)
_LINE_BREAK: Final = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_AROUND: Final = re.compile(
    r"^(?:[\s,;:\u2013\u2014|\u00b7\u2022]|-(?=\s))++|(?<![\s,;:\u2013\u2014|\u00b7\u2022])"
    r"(?:\s++-)?+[\s,;:\u2013\u2014|\u00b7\u2022]++$|(?<!\s)\s++-$"
)
_TAG: Final = re.compile(r"</?[a-zA-Z][a-zA-Z\d]*+(?:[\s/][^<>]*)?>")  # <ada@mole.example> is none
_RELATIONS: Final = (
    ("video", re.compile(r"\b(?:video|recording|stream|youtube|youtu\.be|vimeo)", re.IGNORECASE)),
    ("slides", re.compile(r"\bslides?\b|\bpresentation\b", re.IGNORECASE)),
    ("preprint", re.compile(r"\bpre-?print\b|\barxiv\b", re.IGNORECASE)),
)


def text(value: object) -> str | None:
    """Read a text as it is."""
    return value if isinstance(value, str) else None


def plain_text(value: object) -> str | None:
    """Read a text of data, without the markup of HTML that its tool has left in it."""
    return without_markup(value) if isinstance(value, str) else None


def listed(value: object) -> list[Any] | None:
    """Read a list as it is."""
    return value if isinstance(value, list) else None


def lists_by_name(value: object) -> dict[str, list[Any]] | None:
    """Read an object whose keys are names and whose values are lists."""
    return value if isinstance(value, dict) and all(isinstance(each, list) for each in value.values()) else None


def identifier(value: object) -> str | None:
    """Read an id, which is a text or a whole number."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def address(value: object) -> str | None:
    """Read an absolute address, to which others may be relative."""
    return value if isinstance(value, str) and _ADDRESS.fullmatch(value) else None


def iso_day(value: object) -> date | None:
    """Read ``2026-06-17``."""
    try:
        read = date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
    except ValueError:
        return None
    return read if read is not None and read.year in YEARS else None


def iso_moment(value: object) -> datetime | None:
    """Read ``2026-06-17T09:30:00+02:00``, with the offset if it has one."""
    try:
        read = datetime.fromisoformat(value) if isinstance(value, str) and len(value) > 10 else None
    except ValueError:
        return None
    return read if read is not None and read.year in YEARS else None


def duration(value: object) -> timedelta | None:
    """Read ``00:45``, ``120:00``, ``45m``, ``2h``, ``2h30m`` or ``0:45:00``.

    Some tools print three numbers for days, hours and minutes, others for hours, minutes and seconds: they are read if
    the second one can be no number of hours.
    """
    found = (_CLOCKED.fullmatch(value) or _WORDED.fullmatch(value)) if isinstance(value, str) else None
    if found is None:
        return None
    parts = {unit: int(number) for unit, number in found.groupdict().items() if number}
    if "seconds" in parts and not _HOURS <= parts["minutes"] < _MINUTES:
        return None
    return timedelta(**parts)


def time_zone(value: object) -> str | None:
    """Read a time zone, as its IANA name: ``Europe/Oslo`` in any case, a name of Windows, or a label of a menu.

    Calendars also have ``/mozilla.org/20070129_1/Europe/Oslo``, where an IANA name stands behind that of a collection.
    """
    name = value.strip() if isinstance(value, str) else ""
    parts = name.split("/") if name[:1] == "/" else []
    names = [name, *("/".join(parts[-count:]) for count in (3, 2, 1) if count < len(parts))]
    known = next(filter(None, map(_zones().get, map(str.casefold, names))), None)
    return known or zone_of_label(name) or (_windows_zones().get(name.casefold()) if name else None)


def html_text(value: object) -> str | None:
    """Read a text that may be HTML, perhaps escaped once more: its paragraphs, separated by a blank line."""
    if not isinstance(value, str):
        return None
    value = value.replace("\r", "")
    if _TAG.search(value) is None:
        value = without_markup(value)
        if _BREAK.search(value) is None and PAIR.search(value) is None:
            return value
    return unescape(_TAG.sub("", _LINE_BREAK.sub("\n", _BREAK.sub("\n\n", value))))


def clock_interval(value: object) -> tuple[time, time] | None:
    """Read ``11:00 - 12:30`` or ``11:30 - 1:00 PM``."""
    starts, ends = (read_times(value) if isinstance(value, str) else None) or (None, None)
    return (starts, ends) if starts is not None and ends is not None else None


def printed_day(value: object) -> date | None:
    """Read ``Sun 4 May 2025``, ``4. May 2025`` or ``May 4th, 2025``; None if the weekday is wrong."""
    found = heading_day(value)
    if found is None or found.year is None or found.year not in YEARS:
        return None
    read = make_date(found.year, found.month, found.day)
    return read if read is not None and found.weekday in {None, read.weekday()} else None


def heading_day(value: object) -> Day | None:
    """Read a day as headings print it, the year perhaps missing: ``Day 2: Wednesday, June 17th``, ``2026-06-17``.

    ``resolve_year`` finds the year from all days of a page, ``date_of`` makes the date (``parsers._words.years``).
    """
    found = _WEEKDAY_AND_ISO.fullmatch(value) if isinstance(value, str) else None
    if iso := iso_day(found["iso"] if found else value):
        return Day(0, iso.month, iso.day, weekday_number(found["weekday"]) if found else None, iso.year)
    parts: dict[str, str] = {}
    place = 0
    while isinstance(value, str) and place < len(value):
        found = _OF_A_DAY.match(value, place)
        if found is None or found.lastgroup in parts:
            return None
        if found.lastgroup:
            parts[found.lastgroup] = found[found.lastgroup]
        place = found.end()
    if "month" not in parts or "day" not in parts:
        return None
    weekday, year = parts.get("weekday"), parts.get("year")
    return Day(
        0,
        month_number(parts["month"]),
        int(parts["day"]),
        weekday_number(weekday) if weekday else None,
        int(year) if year else None,
    )


def epoch_moment(value: object) -> datetime | None:
    """Read a time in milliseconds since 1970, as scripts print it."""
    digits = str(value)
    return datetime.fromtimestamp(int(digits) / 1000, UTC) if digits.isdecimal() and len(digits) < 15 else None


def person(values: Mapping[str, Any]) -> Person:
    """Make a person from a group with ``name`` and, if found, ``affiliation``, ``country``, ``url``."""
    return Person(values["name"], values.get("affiliation"), values.get("country"), values.get("url"))


def wall_clock(value: object) -> time | None:
    """Read ``09:30``, ``9.30 am`` or ``09:30:00``."""
    return clock(value) if isinstance(value, str) else None


def clocks_of(values: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the two ends of an interval, or of ``starts`` and ``ends``; times of day that are texts are read.

    One of two may print am or pm for both.
    """
    starts, ends = values.get("times") or (values.get("starts"), values.get("ends"))
    if isinstance(starts, str) and (ends is None or isinstance(ends, str)):
        return read_range(starts, ends)
    starts, ends = (wall_clock(each) if isinstance(each, str) else each for each in (starts, ends))
    return starts, ends


def link(value: Any) -> Link | None:  # noqa: ANN401  # an object of JSON, or the values of a group
    """Read an object with ``url`` and ``title``, or an address alone; their words decide its relation."""
    url, title = (value.get("url"), value.get("title")) if isinstance(value, dict) else (value, None)
    if not isinstance(url, str) or not url.strip():
        return None
    words = f"{title} {url}"
    rel = next((name for name, pattern in _RELATIONS if pattern.search(words)), "related")
    return Link(url, title if isinstance(title, str) and title.strip() else None, rel)


def without_separators(text: str) -> str:
    """Return a part of an element's text without what separates it from its neighbours: ``, Foam —`` is Foam."""
    return _AROUND.sub("", text)


def without_ends(text: str, cut: Sequence[str]) -> str:
    """Return a text without the words that are cut off its end or beginning; ``#`` is any digit."""
    for word in cut:
        shape = len(word)
        if len(text) > shape and has_shape(text[-shape:], word):
            text = text[:-shape].rstrip()
        if len(text) > shape and has_shape(text[:shape], word):
            text = text[shape:].lstrip()
    return text


def has_shape(text: str, word: str) -> bool:
    """True if a text is a word, but for digits where that has ``#``."""
    return len(text) == len(word) and all(
        sign == like or (like == "#" and sign.isdecimal()) for sign, like in zip(text, word, strict=True)
    )


@cache
def _zones() -> dict[str, str]:
    """Return the names of all time zones by their lower case; cached, since it reads files."""
    return {name.casefold(): name for name in available_timezones()}


@cache
def _windows_zones() -> dict[str, str]:
    """Return the IANA names of the zones of Windows, as CLDR has them, by the lower case of their own."""
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON  # noqa: PLC0415  # takes long to import

    return {name.casefold(): zone for name, zone in WINDOWS_TO_OLSON.items()}


def not_before(after: time, value: Any) -> Any:  # noqa: ANN401  # what the reader of the field returns
    """Return an interval of a clock of twelve hours: a time of day before ``after`` is in the afternoon."""
    if isinstance(value, tuple):
        return tuple(not_before(after, each) for each in value)
    if isinstance(value, time) and value < after and value.hour < _NOON:
        return value.replace(hour=value.hour + _NOON)
    return value
