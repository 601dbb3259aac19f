"""Days in alphaXiv's data: ISO, milliseconds or seconds since 1970, or as JavaScript prints them. No text dumps."""

import re
from datetime import date, timedelta
from typing import Final

from parsers._ledger.fields import DayError, FieldError, read_day, shown
from parsers._words.dates import make_date, month_number

_SCRIPT_DATE: Final = re.compile(
    r"[A-Z][a-z]{2}\ (?P<month>[A-Z][a-z]{2})\ (?P<day>\d{2})\ (?P<year>\d{4})\ \d{2}:\d{2}:\d{2}\b.{0,80}", re.VERBOSE
)
_MILLISECONDS: Final = range(315_532_800_000, 7_258_118_400_000)  # 1980 to 2199
_NUMBER: Final = re.compile(r"\d{9,13}")
_EPOCH: Final = date(1970, 1, 1)


def day_of(key: str, value: object) -> date | None:
    """Return the day of an ISO date, of milliseconds or seconds since 1970 (UTC), or as JavaScript prints it.

    Raises ``FieldError`` for anything else, ``DayError`` for a day that does not exist.
    """
    if isinstance(value, str):
        text = value.strip()
        if not text or _NUMBER.fullmatch(text) is None:
            return _printed_day(key, text)
        value = int(text)
    if value is None:
        return None
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    for unit in (1, 1_000):
        if isinstance(number, int) and number * unit in _MILLISECONDS:
            return _EPOCH + timedelta(milliseconds=number * unit)
    raise FieldError(f"{key}: expected a date, milliseconds or seconds, found {shown(value)}")


def _printed_day(key: str, text: str) -> date | None:
    """Return the day of an ISO date or a JavaScript date, as written there; None for an empty text."""
    found = _SCRIPT_DATE.fullmatch(text)
    if found is None:
        return read_day(key, text) if text else None
    try:
        day = make_date(int(found["year"]), month_number(found["month"]), int(found["day"]))
    except ValueError:
        day = None
    if day is None:
        raise DayError(f"{key}: expected a day that exists, found {shown(text)}")
    return day
