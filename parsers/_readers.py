"""Readers for tables of fields (``_table``): each takes what is printed and returns a value, or None where it is none.

Only what several sources need.
"""

import re
from datetime import date, datetime, time, timedelta
from functools import cache
from html import unescape
from typing import Any, Final
from zoneinfo import available_timezones

from parsers._dates import clock
from schemas.items import Link

_ADDRESS: Final = re.compile(r"https?://\S+")
_LINKED: Final = re.compile(r"(?:https?:/)?/[^\s/]\S*")
_CLOCKED: Final = re.compile(r"(?:(?P<days>\d{1,2}):)?(?P<hours>\d{1,2}):(?P<minutes>\d{2})")
_WORDED: Final = re.compile(
    r"(?=\d)(?:(?P<hours>\d{1,2}) ?h(?:ours?)? ?)?(?:(?P<minutes>\d{1,4}) ?m(?:in(?:utes?)?)?)?"
)
_BREAK: Final = re.compile(r"</?(?:p|[uo]l|li|h\d|div|pre|blockquote)\b[^<>]*>|(?:<br\b[^<>]*>\s*){2}", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_RELATIONS: Final = (
    ("video", re.compile(r"\b(?:video|recording|stream|youtube|youtu\.be|vimeo)", re.IGNORECASE)),
    ("slides", re.compile(r"\bslides?\b|\bpresentation\b", re.IGNORECASE)),
    ("preprint", re.compile(r"\bpre-?print\b|\barxiv\b", re.IGNORECASE)),
)


def text(value: object) -> str | None:
    """Read a text as it is."""
    return value if isinstance(value, str) else None


def identifier(value: object) -> str | None:
    """Read an id, which is a text or a whole number."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def address(value: object) -> str | None:
    """Read an absolute address; relative ones are none, since the dump does not say to what."""
    return value if isinstance(value, str) and _ADDRESS.fullmatch(value) else None


def iso_day(value: object) -> date | None:
    """Read ``2026-06-17``."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
    except ValueError:
        return None


def iso_moment(value: object) -> datetime | None:
    """Read ``2026-06-17T09:30:00+02:00``, with the offset where it has one."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) and len(value) > 10 else None
    except ValueError:
        return None


def duration(value: object) -> timedelta | None:
    """Read ``00:45``, ``1:00:45`` with days in front, ``45m``, ``2h`` or ``2h30m``."""
    found = (_CLOCKED.fullmatch(value) or _WORDED.fullmatch(value)) if isinstance(value, str) else None
    return timedelta(**{unit: int(number or 0) for unit, number in found.groupdict().items()}) if found else None


def time_zone(value: object) -> str | None:
    """Read the IANA name of a time zone."""
    return value if isinstance(value, str) and value in _zones() else None


def html_text(value: object) -> str | None:
    """Read a text that can be HTML: its paragraphs, with a blank line between two of them."""
    if not isinstance(value, str):
        return None
    return unescape(_TAG.sub("", _BREAK.sub("\n\n", value))) if _TAG.search(value) else value.replace("\r", "")


def wall_clock(value: object) -> time | None:
    """Read ``09:30``, ``9.30 am`` or ``09:30:00``."""
    return clock(value.removesuffix(":00") if value.count(":") > 1 else value) if isinstance(value, str) else None


def link(value: Any) -> Link | None:  # noqa: ANN401  # an object of JSON, or the values of a group
    """Read an object with ``url`` and ``title``, or an address alone; what it leads to is told by their words.

    The address is absolute, or begins with a slash: then it is of the site.
    """
    url, title = (value.get("url"), value.get("title")) if isinstance(value, dict) else (value, None)
    if not isinstance(url, str) or _LINKED.fullmatch(url) is None:
        return None
    words = f"{title} {url}"
    rel = next((name for name, pattern in _RELATIONS if pattern.search(words)), "related")
    return Link(url, title if isinstance(title, str) and title.strip() else None, rel)


@cache
def _zones() -> set[str]:
    """Return the names of all time zones, which are files."""
    return available_timezones()
