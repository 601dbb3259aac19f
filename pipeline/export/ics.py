r"""iCalendar (RFC 5545): one event per slot, for calendars.

An event is identified by record and number: the n-th slot of a record, in time order, keeps its UID when it moves to
another time or room. Slots that kept snapshots had and the newest lacks are written as CANCELLED. SEQUENCE is the time
of the last change, in seconds since 2020, and 0 if no kept snapshot has one (docs/adr/0007): of the record, or of the
work that it is of, since an event says where else that is listed. DTSTAMP is the same moment: an event that has not
changed keeps its bytes. Times have a TZID if the zone of the venue is known and float otherwise; a slot without an end
has no DTEND. Records without a start are left out.

Events are written here, line by line: the library holds the whole calendar in memory, and takes thirty times as long to
fold a line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

from pipeline.export._format import ExportError, ExportFormat, Report
from pipeline.viewing.history import EPOCH, load_history
from pipeline.viewing.selection import Placed, Row, Selection
from pipeline.viewing.texts import details, name_of, printable, uuid_of
from pipeline.viewing.works import other_listings

SHOWN: Final = frozenset(
    "kind title abstract summary authors presenter session_code session_title track session_description chairs slots "
    "timezone doi url keywords notes".split()
)
"""Columns that an event shows: a change in one of them raises SEQUENCE."""

UNIVERSAL: Final = frozenset({"UTC", "Etc/UTC", "GMT"})
"""Zones whose times are written in UTC, without a TZID."""

ZONED: Final = ("timezone", "slots")
LIMIT: Final = 75
"""Maximum octets of a line, without its line end."""

_STAMP: Final = "%Y%m%dT%H%M%S"


def write(selection: Selection, file: Path) -> Report:
    """Write the calendar. Raises ``ExportError`` where no record of the selection has a start."""
    history, others = load_history(selection, SHOWN), other_listings(selection)
    regrouped = history.regrouped()
    written, left_out = 0, Counter[str]()
    with file.open("wb") as out:
        events = selection.events()
        out.writelines(map(fold, make_head(events[0] if len(events) == 1 else "conspectus")))
        shown = ((row["timezone"], slot) for row in selection.rows(columns=ZONED) for _, slot in selection.slots(row))
        lost = ((row["timezone"], slot) for row, _, slot in history.lost(columns=("timezone",)))
        out.write(make_zones(chain(shown, lost)))
        held = ((row, selection.slots(row), "cancelled" in row["notes"]) for row in selection.rows())
        removed = ((row, [(number, slot)], True) for row, number, slot in history.lost())
        for row, slots, cancelled in chain(held, removed):
            left_out["without a start time"] += not slots
            key = row["record_id"]
            revision = max(history.revisions.get(key, 0), regrouped.get(key, 0))
            for placed in slots:
                lines = make_event(row, placed, revision, cancelled=cancelled, others=others.get(key, ()))
                out.writelines(map(fold, lines))
                written += 1
        out.write(fold("END:VCALENDAR"))
    if not written:
        raise ExportError("nothing to put into a calendar: none of the selected records has a start time")
    return Report(written, "events", +left_out)


def make_event(
    row: Row, placed: Placed, revision: int, *, cancelled: bool, others: Sequence[Row] = ()
) -> Iterator[str]:
    """Yield the lines of the event of one slot; ``placed`` also has its number among the slots of its record.

    ``others`` are the other records of its work.
    """
    number, slot = placed
    yield "BEGIN:VEVENT"
    yield f"UID:{uuid_of('slot', row['record_id'], number)}"
    yield f"DTSTAMP:{EPOCH + timedelta(seconds=revision):{_STAMP}}Z"
    yield f"SEQUENCE:{revision}"
    yield f"STATUS:{'CANCELLED' if cancelled else 'CONFIRMED'}"
    yield moment("DTSTART", slot["starts_at"], row["timezone"])
    if slot["ends_at"] and _instant(slot["ends_at"], row["timezone"]) > _instant(slot["starts_at"], row["timezone"]):
        yield moment("DTEND", slot["ends_at"], row["timezone"])
    described = "\n\n".join(filter(None, (details(row, others), row["abstract"])))
    for name, text in (("SUMMARY", name_of(row)), ("LOCATION", slot["room"]), ("DESCRIPTION", described)):
        if text:
            yield f"{name}:{escaped(text)}"
    yield f"CATEGORIES:{row['kind']}"
    if row["url"]:
        yield f"URL:{printable(row['url'])}"
    yield "END:VEVENT"


def moment(name: str, wall: datetime, zone: str | None) -> str:
    """Return the line of a local time: with its zone, in UTC, or floating if the zone is not known."""
    if zone in UNIVERSAL:
        return f"{name}:{wall:{_STAMP}}Z"
    return f"{name};TZID={zone}:{wall:{_STAMP}}" if zone else f"{name}:{wall:{_STAMP}}"


def _instant(wall: datetime, zone: str | None) -> datetime:
    """Return the moment of a local time: where clocks skip an hour, an end can come before its start."""
    return wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) if zone else wall


def escaped(text: str) -> str:
    """Return a text escaped as in RFC 5545, without the characters that it forbids."""
    plain = printable(text).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\n", "\\n")


def fold(line: str) -> bytes:
    """Return a line in UTF-8 with its end, folded at 75 octets including leading spaces; no character is cut."""
    octets = line.encode()
    pieces, start, end = [], 0, LIMIT
    while end < len(octets):
        while octets[end] & 0xC0 == 0x80:  # within a character
            end -= 1
        pieces.append(octets[start:end])
        start, end = end, end + LIMIT - 1
    return b"\r\n ".join([*pieces, octets[start:]]) + b"\r\n"


def make_head(name: str) -> Iterator[str]:
    """Yield the lines of a calendar before its components; an event with its own name gives the calendar that name."""
    yield "BEGIN:VCALENDAR"
    yield "PRODID:-//conspectus//conspectus export//EN"
    yield "VERSION:2.0"
    yield "CALSCALE:GREGORIAN"
    yield f"NAME:{escaped(name)}"
    yield f"X-WR-CALNAME:{escaped(name)}"


def make_zones(times: Iterable[tuple[str | None, Row]]) -> bytes:
    """Return a VTIMEZONE for each zone of some slots, valid from the year before the first to that after the last."""
    years: dict[str, set[int]] = {}
    for name, slot in times:
        if name and name not in UNIVERSAL:
            moments = filter(None, (slot["starts_at"], slot["ends_at"]))
            years.setdefault(name, set()).update(moment.year for moment in moments)
    return b"".join(_zone(name, min(used) - 1, max(used) + 1) for name, used in sorted(years.items()))


@cache
def _zone(name: str, first: int, last: int) -> bytes:
    """Return the VTIMEZONE of a zone for some years."""
    return bytes(make_zone(name, first, last).to_ical())


def make_zone(name: str, first: int, last: int) -> Timezone:
    """Return the VTIMEZONE of a zone for some years, with one observance per change of the clocks.

    The library can do so too, but counts the first hour of summer time as winter time, and puts all years into one list
    of dates, of which other readers use only the first.
    """
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


FORMAT = ExportFormat("ics", ".ics", write)
