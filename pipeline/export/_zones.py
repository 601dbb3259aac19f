"""Describes a time zone for calendars (VTIMEZONE), with one observance per change of the clocks.

The library can do so too, but counts the first hour of summer time as winter time, and puts all years into one list of
dates, of which other readers use only the first.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard


def make_zone(name: str, first: int, last: int) -> Timezone:
    """Return the VTIMEZONE of a zone for the years from ``first`` to ``last``."""
    zone = ZoneInfo(name)
    begin = datetime(first, 1, 1, tzinfo=UTC) - timedelta(days=1)  # in some zones the year begins before it does in UTC
    described = Timezone()
    described.add("TZID", name)
    described.add_component(_observance(zone, begin, _offset(zone, begin)))
    for before, moment in _changes(zone, begin, datetime(last + 1, 1, 1, tzinfo=UTC)):
        described.add_component(_observance(zone, moment, _offset(zone, before)))
    return described


def _observance(zone: ZoneInfo, moment: datetime, offset_before: timedelta) -> TimezoneStandard | TimezoneDaylight:
    """Return the observance from a moment on; its DTSTART is the local time by the offset before."""
    local = moment.astimezone(zone)
    observance = TimezoneDaylight() if local.dst() else TimezoneStandard()
    observance.add("DTSTART", (moment + offset_before).replace(tzinfo=None))
    observance.add("TZOFFSETFROM", offset_before)
    observance.add("TZOFFSETTO", _offset(zone, moment))
    observance.add("TZNAME", local.tzname() or str(zone))
    return observance


def _changes(zone: ZoneInfo, begin: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield the last second before each change of the offset, and the first second after it."""
    day = begin
    while day < end:
        after = day + timedelta(days=1)
        if _offset(zone, day) != _offset(zone, after):
            low, high = day, after
            while high - low > timedelta(seconds=1):
                middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
                low, high = (middle, high) if _offset(zone, middle) == _offset(zone, day) else (low, middle)
            yield low, high
        day = after


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    """Return the offset from UTC at a moment."""
    return moment.astimezone(zone).utcoffset() or timedelta()
