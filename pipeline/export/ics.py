r"""iCalendar (RFC 5545): one event a slot, for calendars.

An event is known by record and place: the n-th slot of a record, in time order, keeps its UID when it moves to another
time or room. What the kept snapshots had and the newest has not stands as CANCELLED. SEQUENCE is the moment of the last
change, in seconds since 2020, and 0 where no kept snapshot knows of one (docs/adr/0007). DTSTAMP is the moment of the
refresh, never the clock: the same snapshots give the same bytes. Times carry a TZID where the zone of the venue is
known and float otherwise; a slot without an end has none. Records without a start are left out.

The library holds a calendar whole, so each component is written by it alone, and the frame here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, Timezone, vText

from pipeline.export._format import ExportError, Format, Report
from pipeline.export._history import History, read_history
from pipeline.export._selection import Placed, Row, Selection
from pipeline.export._texts import details, name_of, printable, uuid_of
from pipeline.export._zones import make_zone
from pipeline.store import Snapshot

SHOWN: Final = frozenset(
    "kind title abstract summary authors presenter session_code session_title track session_description chairs slots "
    "timezone doi url keywords notes".split()
)
"""Columns that an event shows: a change in one of them raises SEQUENCE."""

UNIVERSAL: Final = frozenset({"UTC", "Etc/UTC", "GMT"})
"""Zones whose times the library writes in UTC, without a TZID."""

ZONED: Final = ("timezone", "slots")
_END: Final = b"END:VCALENDAR\r\n"


class Text(vText):
    r"""A text as RFC 5545 escapes it: the library would take a backslash before a capital N for a line break."""

    __slots__ = ()

    def to_ical(self) -> bytes:
        """Return the escaped text in UTF-8."""
        escaped = self.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
        return escaped.encode()


def write(selection: Selection, file: Path) -> Report:
    """Write the calendar. Raises ``ExportError`` where no record of the selection has a start."""
    history = read_history(selection, SHOWN)
    written, left_out = 0, Counter[str]()
    with file.open("wb") as out:
        out.write(_frame(selection).to_ical().removesuffix(_END))
        for zone in _zones(selection, history.lost()):
            out.write(zone.to_ical())
        for row, slots, cancelled in chain(_held(selection), _lost(history)):
            left_out["without a start"] += not slots
            made = refreshed_at(selection.snapshot, row["source"])
            revision = history.revisions.get(row["record_id"], 0)
            for placed in slots:
                out.write(make_event(row, placed, made, revision, cancelled=cancelled).to_ical())
                written += 1
        out.write(_END)
    if not written:
        raise ExportError("nothing to put into a calendar: no record of the selection has a start")
    return Report(written, "events", +left_out)


def _held(selection: Selection) -> Iterator[tuple[Row, list[Placed], bool]]:
    """Yield each record with its slots, and whether the programme marks it as cancelled."""
    return ((row, selection.slots(row), "cancelled" in row["notes"]) for row in selection.rows())


def _lost(history: History) -> Iterator[tuple[Row, list[Placed], bool]]:
    """Yield each slot that is gone with its record as it was, as cancelled."""
    return ((row, [(place, slot)], True) for row, place, slot in history.lost())


def make_event(row: Row, placed: Placed, made: datetime, revision: int, *, cancelled: bool) -> Event:
    """Make the event of one slot, which comes with its place among the slots of its record."""
    place, slot = placed
    zone = ZoneInfo(row["timezone"]) if row["timezone"] else None
    event = Event()
    event.add("UID", str(uuid_of("slot", row["record_id"], place)))
    event.add("DTSTAMP", made)
    event.add("SEQUENCE", revision)
    event.add("STATUS", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("DTSTART", slot["starts_at"].replace(tzinfo=zone))
    if slot["ends_at"] and slot["ends_at"] > slot["starts_at"]:
        event.add("DTEND", slot["ends_at"].replace(tzinfo=zone))
    described = "\n\n".join(filter(None, (details(row), row["abstract"])))
    for name, text in (("SUMMARY", name_of(row)), ("LOCATION", slot["room"]), ("DESCRIPTION", described)):
        if text:
            event.add(name, Text(printable(text)))
    event.add("CATEGORIES", [row["kind"]])
    if row["url"]:
        event.add("URL", printable(row["url"]))
    return event


def refreshed_at(snapshot: Snapshot, source: str) -> datetime:
    """Return the moment of the last good refresh of a source, in UTC."""
    return datetime.fromisoformat(snapshot.manifest["sources"][source]["refreshed_at"]).astimezone(UTC)


def _frame(selection: Selection) -> Calendar:
    """Make the calendar without its components; it bears the name of the event where there is only one."""
    calendar = Calendar()
    calendar.add("PRODID", "-//conspectus//conspectus export//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("CALSCALE", "GREGORIAN")
    events = selection.events()
    name = Text(printable(events[0] if len(events) == 1 else "conspectus"))
    calendar.add("NAME", name)
    calendar.add("X-WR-CALNAME", name)
    return calendar


def _zones(selection: Selection, lost: Iterable[tuple[Row, int, Row]]) -> Iterator[Timezone]:
    """Make a VTIMEZONE for each zone in use, valid from the year before the first slot to that after the last."""
    years: dict[str, set[int]] = {}
    shown = ((row["timezone"], slot) for row in selection.rows(columns=ZONED) for _, slot in selection.slots(row))
    for name, slot in chain(shown, ((row["timezone"], slot) for row, _, slot in lost)):
        if name and name not in UNIVERSAL:
            moments = filter(None, (slot["starts_at"], slot["ends_at"]))
            years.setdefault(name, set()).update(moment.year for moment in moments)
    for name, used in sorted(years.items()):
        yield make_zone(name, min(used) - 1, max(used) + 1)


FORMAT = Format("ics", ".ics", write)
