"""Calendars (iCalendar, RFC 5545), as most conference systems export them: an event of the calendar is a record.

BEGIN:VCALENDAR
X-WR-CALNAME:Days of Jam
BEGIN:VEVENT
UID:7@jam.example
DTSTART;TZID=Europe/Oslo:20260617T093000
DTEND;TZID=Europe/Oslo:20260617T100000
SUMMARY:Less Sugar
LOCATION:Pot Room
END:VEVENT
END:VCALENDAR

Values are read by the icalendar library, lines are accounted for here: a long line goes on in those after it that begin
with a blank. Times are those of the zone of the start, which has a name of IANA, of Windows or of the calendar itself.
They are converted to the zone of the sidecar, from UTC also to that of the calendar. An event that repeats is read
once, with a note; a day without a time is not a slot. A location that is an address is a link. Records are keyed by
their titles: some tools print one UID for all events, others a new one in each export. A file may hold several
calendars: where the sidecar names the event, those of another name than the first one are held back.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from parsers._contract import Family, Foot, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, Lines, heading_rule, record_rule
from parsers._tables.readers import YEARS, html_text, time_zone
from parsers._web.web import one_page
from parsers._words.text import absolute_address, is_relative, without_markup
from parsers._words.titles import kind_of_item
from parsers._words.years import asked_event
from schemas.items import Item, Link, Record, Reject, Slot

_NAME: Final = re.compile(
    r"(?P<name>[A-Za-z0-9-]+)(?P<parameters>(?:;[^:\"]*+(?:\"[^\"]*\"[^:\"]*+)*+)?):(?P<value>.*)", re.DOTALL
)
_ZONE: Final = re.compile(r";TZID=(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^;:\"]*))", re.IGNORECASE)
_USED: Final = frozenset(
    "BEGIN END UID SUMMARY DESCRIPTION LOCATION DTSTART DTEND DURATION URL CATEGORIES STATUS".split()
)
_UTC: Final = "UTC"
_PAGE: Final = re.compile(r"https?://\S+|[\w./-]+\.html?(?:[?#]\S*)?", re.IGNORECASE)
_YEAR: Final = timedelta(days=366)
_CALLED: Final = "X-WR-CALNAME"
_NAMES: Final = frozenset({_CALLED, "NAME", "SUMMARY"})
"""The name of a calendar; RFC 7986 has the second. The last two are those of its parts, too, which stand below."""

_FRAME: Final = Boilerplate(
    {
        "frame": "(?:BEGIN|END):(?:VCALENDAR|VTIMEZONE|STANDARD|DAYLIGHT|VALARM)",
        "calendar": r"(?:VERSION|PRODID|CALSCALE|METHOD|REFRESH-INTERVAL|COLOR|SOURCE)[;:].*",
        "zone": r"(?:TZID|TZOFFSETFROM|TZOFFSETTO|TZNAME|TZURL|LAST-MODIFIED)[;:].*",
        "entry": r"(?:DTSTAMP|CREATED|SEQUENCE|TRANSP|CLASS|PRIORITY|GEO|ORGANIZER|ATTENDEE|ATTACH|CONTACT)[;:].*",
        "alarm": r"(?:ACTION|TRIGGER|REPEAT)[;:].*",
        "extension": r"X-[A-Z0-9-]+[;:].*",
    }
)
_CLOCKS: Final = Boilerplate({"clock": r"(?:DTSTART|RRULE|RDATE)[;:].*"})
"""When clocks change, within a zone: elsewhere such lines say when something is."""
_EVENT: Final = record_rule("event")
_CALENDAR: Final = heading_rule("calendar", 1)


@dataclass(frozen=True, slots=True)
class _Property:
    """A line of a calendar with those that go on with it: their numbers, its name, its parameters and its value."""

    first: int
    last: int
    name: str
    parameters: str
    value: str


@dataclass(frozen=True, slots=True)
class _Calendar:
    """What a calendar says of all its events; ``first`` is the name of the first calendar of the file.

    True for ``begun`` if one of its parts has begun, for ``in_zone`` within one that describes a zone.
    """

    name: str | None = None
    first: str | None = None
    zone: str | None = None
    begun: bool = False
    in_zone: bool = False


def recognise(document: Document) -> bool:
    """True if the text begins as a calendar does."""
    return document.text[:1_000].lstrip("\ufeff \r\n").upper().startswith("BEGIN:VCALENDAR")


def parse(document: Document) -> Iterator[Item]:
    """Yield a record an event; one without a title, or that does not end, is a reject."""
    lines = document.lines
    properties = list(_properties(lines))
    zones = dict(_places_of_zones(properties))
    calendar, inside = _Calendar(), 0
    event: list[_Property] | None = None
    for each in properties:
        opens, closes = (
            (each.name, each.value.upper()) == ("BEGIN", "VEVENT"),
            (each.name, each.value.upper()) == ("END", "VEVENT"),
        )
        if opens and event is not None:
            yield _unended(event)
        if opens:
            event, inside = [each], 0
        elif event is None:
            calendar = _read_calendar(lines, each, calendar)
        elif closes:
            yield _record(document, [*event, each], calendar, zones)
            event = None
        elif each.name in {"BEGIN", "END"}:  # an alarm is no part of the event
            inside += 1 if each.name == "BEGIN" else -1
            _leave(lines, each)
        elif inside:
            _leave(lines, each)
        else:
            event.append(each)
    if event is not None:
        yield _unended(event)


def _properties(lines: Lines) -> Iterator[_Property]:
    """Yield the lines of a calendar, unfolded; a line of another form has no name."""
    number = 1
    while number <= lines.last:
        first, parts = number, [lines[number]]
        while number < lines.last and lines[number + 1][:1] in {" ", "\t"}:
            number += 1
            parts.append(lines[number][1:])
        text = "".join(parts)
        found = _NAME.fullmatch(text.rstrip())
        if found:
            yield _Property(first, number, found["name"].upper(), found["parameters"], found["value"].strip())
        elif text.strip():
            yield _Property(first, number, "", "", text)
        number += 1


def _read_calendar(lines: Lines, found: _Property, calendar: _Calendar) -> _Calendar:
    """Return what a calendar says of itself, with one more line of it."""
    if found.name in _NAMES and found.value and (found.name == _CALLED or not calendar.begun):
        lines.claim_span(found.first, found.last, _CALENDAR)
        name = calendar.name or _plain(found.value)
        return replace(calendar, name=name, first=calendar.first or name)
    if found.name == "X-WR-TIMEZONE" and (zone := time_zone(found.value)):
        lines.claim_span(found.first, found.last, _CALENDAR)
        return replace(calendar, zone=zone)
    if not _leave(lines, found) and calendar.in_zone:
        lines.claim_boilerplate(found.first, _CLOCKS, found.last)
    part = found.value.upper()
    if found.name == "BEGIN" and part == "VCALENDAR":
        return _Calendar(first=calendar.first)
    if found.name in {"BEGIN", "END"} and part == "VTIMEZONE":
        return replace(calendar, begun=True, in_zone=found.name == "BEGIN")
    return replace(calendar, begun=True) if found.name == "BEGIN" else calendar


def _leave(lines: Lines, found: _Property) -> bool:
    """Claim a line that nobody needs; False if it is no known one."""
    return bool(found.name) and lines.claim_boilerplate(found.first, _FRAME, found.last)


def _places_of_zones(properties: Iterable[_Property]) -> Iterator[tuple[str, str]]:
    """Yield the names that a calendar has for zones of its own, with the IANA name that it says for each."""
    name = None
    for each in properties:
        if each.name in {"BEGIN", "END"} and each.value.upper() == "VTIMEZONE":
            name = None
        elif each.name == "TZID":
            name = each.value
        elif each.name == "X-LIC-LOCATION" and name and (zone := time_zone(each.value)):
            yield name, zone


def _record(document: Document, event: list[_Property], calendar: _Calendar, zones: Mapping[str, str]) -> Item:
    """Make the record of an event, and claim its lines."""
    lines, first, last = document.lines, event[0].first, event[-1].last
    values: dict[str, _Property] = {}
    doubts = set()
    for each in event:
        if each.name in values and each.name not in {"BEGIN", "END"}:
            doubts.add("field_unread")  # which of two is right is not guessed: the first one stands, the other is told
        elif each.name in _USED:
            values[each.name] = each
        elif not _leave(lines, each):
            doubts.add("field_unread")
    title = _plain(values["SUMMARY"].value) if "SUMMARY" in values else ""
    if not title:
        return Reject(first, last, lines.text(first, last), "incomplete_item", "expected a SUMMARY, which is the title")
    if document.facts.event and calendar.name not in {None, calendar.first}:
        expected = f"expected events of the first calendar, {calendar.first!r}; this one is in {calendar.name!r}"
        return Reject(first, last, lines.text(first, last), "ambiguous", expected)
    slot, zone, read, noted = _slot(document, values, calendar, zones)
    room, pages = _place(document, values.get("LOCATION"), read)
    slot = slot._replace(room=room) if slot else Slot(room=room) if room else None
    for name, each in values.items():
        if name in {"DTSTART", "DTEND", "DURATION", "LOCATION"} and name not in read:
            doubts.add("field_unread")
        else:
            lines.claim_span(each.first, each.last, _EVENT)
    lines.claim_span(event[-1].first, last, _EVENT)
    is_cancelled = "STATUS" in values and values["STATUS"].value.upper() == "CANCELLED"
    described = html_text(_unescaped(values["DESCRIPTION"].value)) if "DESCRIPTION" in values else None
    words = _parts(values["CATEGORIES"].value) if "CATEGORIES" in values else []
    return Record(
        first,
        last,
        title=title,
        kind=kind_of_item(title),
        native_id=_plain(values["UID"].value) if "UID" in values else None,
        description=(described or "").strip() or None,
        event=asked_event(document, calendar.name),
        slots=(slot,) if slot else None,
        timezone=zone,
        url=values["URL"].value if "URL" in values else None,
        links=pages,
        keywords=tuple(dict.fromkeys(filter(None, map(str.strip, words)))) or None,
        notes=tuple(sorted({*doubts, *noted, *(("cancelled",) if is_cancelled else ())})),
    )


def _place(document: Document, found: _Property | None, read: set[str]) -> tuple[str | None, tuple[Link, ...] | None]:
    """Return the room of an event, or the page in its place: what is shown on the web has the address as its location.

    A page of the site itself has an address only by that of the calendar; without one it is not read.
    """
    place = _plain(found.value) if found else ""
    address = absolute_address(document.facts.url, place) if _PAGE.fullmatch(place) else None
    if address is None:
        read.add("LOCATION")
        return place or None, None
    if is_relative(address) or not _has_host(address):
        return None, None
    read.add("LOCATION")
    return None, (Link(address),)


def _has_host(address: str) -> bool:
    """True if an address names a host."""
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


class _Time(NamedTuple):
    """A printed time: what the clock shows, and whose clock, as printed (empty for no zone) and as IANA name."""

    clock: datetime
    named: str
    zone: str | None

    def on_clock_of(self, zone: str | None) -> datetime:
        """Return what the clock of a zone shows then; without two known zones it is as printed."""
        if zone is None or self.zone in {None, zone}:
            return self.clock
        return self.clock.replace(tzinfo=ZoneInfo(self.zone)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def _slot(
    document: Document, values: Mapping[str, _Property], calendar: _Calendar, zones: Mapping[str, str]
) -> tuple[Slot | None, str | None, set[str], set[str]]:
    """Return the slot of an event on the wall clock, its zone, which properties were read, and notes.

    Start and end may be printed in different zones. One that is not known cannot be converted, nor any other to it.
    """
    starts, ends = (_time(values.get(name), zones) for name in ("DTSTART", "DTEND"))
    if starts is None:
        return None, None, set(), set()
    is_unknown = bool(starts.named) and starts.zone is None
    zone = None if is_unknown else document.facts.timezone or starts.zone
    if starts.zone in {None, _UTC} and not (is_unknown or document.facts.timezone):
        zone = calendar.zone or zone
    notes, read = {"field_unread"} if is_unknown else set(), {"DTSTART"}
    if ends is None:
        lasts = _duration(values.get("DURATION"))
        ends = None if lasts is None else starts._replace(clock=starts.clock + lasts)
        read |= {"DURATION"} if ends else set()
    elif ends.named == starts.named or (not ends.named and starts.zone != _UTC):
        ends = starts._replace(clock=ends.clock)
        read.add("DTEND")
    elif zone is None or ends.zone is None:
        ends = None
    else:
        read.add("DTEND")
    begin, end = starts.on_clock_of(zone), ends.on_clock_of(zone) if ends else None
    if zone and any(each.zone not in {None, zone} for each in (starts, ends) if each):
        notes.add("zone_converted")
    if end is not None and end <= begin:
        end = None
        notes.add("end_before_start")
    return Slot(begin, end), zone, read, notes


def _time(found: _Property | None, zones: Mapping[str, str]) -> _Time | None:
    """Read a time with its zone; None for a day without a time, a malformed one, and a year without programmes."""
    from icalendar import vDatetime  # noqa: PLC0415  # takes long to import, and most runs have no calendar

    try:
        read = vDatetime.from_ical(found.value) if found else None  # type: ignore[no-untyped-call]
    except ValueError:
        return None
    if found is None or read is None or read.year not in YEARS:
        return None
    printed = _ZONE.search(found.parameters)
    named = _UTC if read.tzinfo else (printed["quoted"] or printed["bare"] or "").strip() if printed else ""
    return _Time(read.replace(tzinfo=None), named, time_zone(zones.get(named, named)))


def _duration(found: _Property | None) -> timedelta | None:
    """Read a duration such as ``PT45M``; None for one of more than a year."""
    from icalendar import vDuration  # noqa: PLC0415  # as above

    try:
        read = vDuration.from_ical(found.value) if found else None  # type: ignore[no-untyped-call]
    except (ValueError, OverflowError):
        return None
    return read if read is not None and abs(read) < _YEAR else None


def _plain(value: str) -> str:
    """Return a text without its escapes (RFC 5545, 3.3.11), nor the markup that some tools write."""
    return without_markup(_unescaped(value)).strip()


def _unescaped(value: str) -> str:
    """Return a text without its escapes."""
    from icalendar.parser import unescape_backslash  # noqa: PLC0415  # as above

    return str(unescape_backslash(value))


def _parts(value: str) -> list[str]:
    """Return the texts of a list without their escapes; a comma that is escaped is no end of one."""
    from icalendar.parser import split_on_unescaped_comma  # noqa: PLC0415  # as above

    return list(map(without_markup, split_on_unescaped_comma(value)))


def _unended(event: list[_Property]) -> Reject:
    """Return the reject of an event that does not end."""
    return Reject(event[0].first, event[-1].last, "\n".join(each.value for each in event), "cut", "expected END:VEVENT")


def _fingerprint(document: Document) -> str:
    """Return the names of the lines of a calendar, which are its layout."""
    names = sorted({each.name for each in _properties(document.lines) if not each.name.startswith("X-")})
    return " ".join(names) if recognise(document) else ""


SOURCE: Final = Source(
    "ics",
    "Calendars",
    6,
    Family.PROGRAMME,
    PageKind.STATE,
    (
        Format(
            "ics",
            "a text that begins with BEGIN:VCALENDAR",
            recognise,
            parse,
            ends=(Foot("END:VCALENDAR", re.compile("BEGIN:VCALENDAR"), re.compile("END:VCALENDAR")),),
        ),
    ),
    web=one_page(
        ".ics",
        _fingerprint,
        example="""\
# A calendar (iCalendar) by its URL.
[[ics]]
url = "https://jam.example/programme.ics"
event = "JAM 2026"                  # instead of the name of the calendar
timezone = "Europe/Oslo"            # of times that are printed in UTC
year = 2026
""",
    ),
)
