"""The programme of one event as frab and pretalx write it, one entry per slot, by day and room.

A day lasts until four in the morning. ``id`` and ``guid`` are derived from record and place of the slot, so they stay
when it moves. Required fields without a value are empty: ``url``, ``language``, a duration of ``00:00`` without an end,
the room ``(no room)``. Slots without a start are left out. A schedule must name a zone: that of most records, or UTC
if none has one. The times of a record without a zone have no offset.

Entries are sorted on disk, in a temporary SQLite database, so that an event may be of any size.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Any, Final
from zoneinfo import ZoneInfo

from pipeline.base.escape import harmless
from pipeline.base.settings import UsageError
from pipeline.export._format import ExportError, Report
from pipeline.viewing.selection import Placed, Row, Selection
from pipeline.viewing.texts import address_of, ascii_words, details, name_of, number_of, uuid_of, where_listed
from pipeline.viewing.works import other_listings

Json = dict[str, Any]

NO_ROOM: Final = "(no room)"
_NO_ZONE: Final = "UTC"
NIGHT_ENDS: Final = time(4)


@dataclass(frozen=True, slots=True)
class ScheduleDay:
    """The head of a day, and its rooms with the entries of each, as JSON texts, in time order: to be read once."""

    head: Json
    rooms: Iterator[tuple[str, Iterator[str]]]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The entries of a selection on a shelf, with the head of the conference and what is to be told of them.

    ``zone`` is that in which days begin and end: of most records.
    """

    version: str
    head: Json
    report: Report
    zone: str | None
    _shelf: sqlite3.Connection

    def days(self) -> Iterator[ScheduleDay]:
        """Yield the days in order; each must be read before the next."""
        ordered = self._shelf.execute("SELECT day, room, json FROM entry ORDER BY day, room, start, id")
        for index, (day, of_day) in enumerate(groupby(ordered, key=lambda entry: str(entry[0])), 1):
            rooms = groupby(of_day, key=lambda entry: str(entry[1]))
            texts = ((room, (text for _, _, text in entries)) for room, entries in rooms)
            yield ScheduleDay(_day_head(index, date.fromisoformat(day), zone_of(self.zone)), texts)


@contextmanager
def scheduled(selection: Selection) -> Iterator[Schedule]:
    """Put the entries on a shelf. Raises ``ExportError`` without slots, ``UsageError`` for several events."""
    event = only_event(selection)
    left_out, floating = Counter[str](), Counter[str]()
    with closing(sqlite3.connect("")) as shelf:  # "" is a temporary file, deleted with the connection
        shelf.execute("CREATE TABLE entry (day TEXT, room TEXT, start TEXT, id INTEGER, json TEXT)")
        shelf.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", _entries(selection, event, left_out, floating))
        written = shelf.execute("SELECT count(*) FROM entry").fetchone()[0]
        if not written:
            raise ExportError("nothing to put into a schedule: none of the selected records has a start time")
        shelf.execute("CREATE INDEX ordered ON entry (day, room, start, id)")
        zones = Counter(row["timezone"] for row in selection.rows(columns=("timezone",)) if row["timezone"])
        zone = max(sorted(zones), key=zones.__getitem__, default=None)
        refused = f"which some readers refuse; the schedule itself names {zone or _NO_ZONE}"
        remark = f"without a time zone: {floating.total()} entries, {refused} (--timezone names another)"
        report = Report(written, "entries", left_out, (remark,) if floating.total() else ())
        yield Schedule(selection.snapshot.id, _head(shelf, event, zone or _NO_ZONE), report, zone, shelf)


def _head(shelf: sqlite3.Connection, event: str | None, zone: str) -> Json:
    """Return the head of the conference, which must name a zone."""
    days = [day for (day,) in shelf.execute("SELECT DISTINCT day FROM entry ORDER BY day")]
    rooms = [room for (room,) in shelf.execute("SELECT DISTINCT room FROM entry ORDER BY room")]
    return {
        "acronym": acronym(event),
        "title": event or "Programme",
        "start": days[0],
        "end": days[-1],
        "daysCount": len(days),
        "timeslot_duration": "00:05",
        "time_zone_name": zone,
        "rooms": [{"name": room, "guid": str(uuid_of("room", event, room))} for room in rooms],
    }


def only_event(selection: Selection) -> str | None:
    """Return the event of the schedule; None if no record names one. Raises ``UsageError`` if there are several."""
    events = list(map(harmless, selection.events()))
    if selection.event is None and len(events) > 1:
        raise UsageError(f"a schedule holds one event: choose one with --event; found {', '.join(events)}")
    return events[0] if events else None


def make_entry(event: str | None, row: Row, number: int, placed: Placed, others: Sequence[Row] = ()) -> Json:
    """Return the entry of one slot; ``number`` is its id, ``placed`` has its place among the slots of its record.

    ``others`` are the other records of its work: those that have an address are links.
    """
    place, slot = placed
    start, end = slot["starts_at"], slot["ends_at"]
    title = name_of(row)
    minutes = max(0, int((end - start).total_seconds()) // 60) if end else 0
    links = [
        {"title": link["title"] or link["url"], "url": link["url"], "type": "related"} for link in row["links"] or ()
    ]
    if row["doi"]:
        links.append({"title": "DOI", "url": f"https://doi.org/{row['doi']}", "type": "related"})
    found = ((where_listed(each), address_of(each)) for each in others)
    links += [{"title": f"Also on {name}", "url": url, "type": "related"} for name, url in found if url]
    return {
        "guid": str(uuid_of("slot", row["record_id"], place)),
        "id": number,
        "date": start.replace(tzinfo=zone_of(row["timezone"])).isoformat(),
        "start": f"{start:%H:%M}",
        "duration": f"{minutes // 60:02}:{minutes % 60:02}",
        "room": slot["room"] or NO_ROOM,
        "slug": f"{acronym(event)}-{number}-{'-'.join(ascii_words(title))}"[:80].rstrip("-"),
        "url": row["url"] or "",
        "title": title,
        "subtitle": row["subtitle"] or "",
        "track": row["track"] or row["session_title"],
        "type": row["type"] or row["kind"],
        "language": row["language"] or "",
        "abstract": row["abstract"],
        "description": details(row),
        "persons": [make_person(event, each) for each in _people_of(row)],
        "links": links,
        "attachments": [],
    }


def make_person(event: str | None, someone: Row) -> Json:
    """Return a person; older readers expect the name as ``public_name``."""
    guid = uuid_of("person", event, someone["name"], someone["affiliation"])
    return {"guid": str(guid), "name": someone["name"], "public_name": someone["name"]}


def _people_of(row: Row) -> list[Row]:
    """Return the authors of a record, else its presenter, of whom only the name is known."""
    presenter = [{"name": row["presenter"], "affiliation": None}] if row["presenter"] else []
    return row["authors"] or presenter


def acronym(event: str | None) -> str:
    """Return the short name of an event: four or more lower-case ASCII letters, digits and underscores."""
    words = "_".join(ascii_words(event or "programme"))
    return words if len(words) >= 4 else f"event_{words}".rstrip("_")


def _entries(
    selection: Selection, event: str | None, left_out: Counter[str], floating: Counter[str]
) -> Iterator[tuple[str, str, str, int, str]]:
    """Yield the entries with their sort keys: day, room, start, id; count records left out and times without zone."""
    days = (slot["starts_at"].date() for row in selection.rows(columns=("slots",)) for _, slot in selection.slots(row))
    first = min(days, default=None)
    taken: set[int] = set()
    others = other_listings(selection)
    for row in selection.rows():
        slots = selection.slots(row)
        if reason := _reason_against(row, event, slots):
            left_out[reason] += 1
            continue
        for place, slot in slots:
            floating["entries"] += row["timezone"] is None
            number = _free_number(f"{row['record_id']}#{place}", taken)
            entry = make_entry(event, row, number, (place, slot), others.get(row["record_id"], ()))
            day = conference_day(slot["starts_at"], first).isoformat()
            yield day, entry["room"], entry["date"], entry["id"], json.dumps(entry, ensure_ascii=False)


def _reason_against(row: Row, event: str | None, slots: list[Placed]) -> str | None:
    """Return why a record is left out of the schedule; None if it is not."""
    if not slots:
        return "without a start time"
    if row["event"] is None and event is not None:
        return "without an event"
    return "marked as cancelled" if "cancelled" in row["notes"] else None


def conference_day(start: datetime, first: date | None) -> date:
    """Return the day that a slot belongs to: the small hours belong to the day before, except on the first day."""
    night = start.time() < NIGHT_ENDS and start.date() != first
    return start.date() - timedelta(days=1) if night else start.date()


def _free_number(text: str, taken: set[int]) -> int:
    """Return the number of a text, or of the text and a counter if that is taken; add it to ``taken``."""
    number, tries = number_of(text), 0
    while number in taken:
        tries += 1
        number = number_of(f"{text}#{tries}")
    taken.add(number)
    return number


def _day_head(index: int, day: date, zone: ZoneInfo | None) -> Json:
    """Return the head of a day; the first day begins at midnight, since its small hours belong to no other."""
    begin = time(0) if index == 1 else NIGHT_ENDS
    return {
        "index": index,
        "date": day.isoformat(),
        "day_start": datetime.combine(day, begin, zone).isoformat(),
        "day_end": datetime.combine(day + timedelta(days=1), NIGHT_ENDS, zone).isoformat(),
    }


def zone_of(name: str | None) -> ZoneInfo | None:
    """Return a zone by name."""
    return ZoneInfo(name) if name else None
