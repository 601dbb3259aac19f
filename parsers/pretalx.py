"""Schedules of pretalx, frab and related tools (pentabarf, wafer, c3voc), as JSON and as XML.

Invented; XML has the same as elements, ids as attributes, some people as ``<person id="4">Ada Quill</person>``::

    {"schedule": {"version": "1.2", "conference": {"acronym": "jam24", "title": "JamConf 2024",
      "time_zone_name": "Europe/Oslo", "days": [{"index": 1, "date": "2024-05-04", "rooms": {"Pot": [
        {"guid": "9a1c...", "id": 12, "date": "2024-05-04T10:00:00+02:00", "start": "10:00", "duration": "00:45",
         "room": "Pot", "title": "Less Sugar", "subtitle": "", "track": "Fruit", "type": "Talk", "language": "en",
         "abstract": "..", "description": "..", "persons": [{"id": 4, "public_name": "Ada Quill"}], "links": []}]}}]}}}

``start`` is the wall clock at the venue; ``date`` can be in another zone, and is in none without an offset. Older files
have no ``date``: there an event that begins before the day ends (``day_end`` of the day, ``day_change`` of the
conference, else 04:00, as frab has it) is in the night after its day. People of old files have a ``full_public_name``.
Every layout prints a guid or an id, which is the key of the record, and asks for a room: ``(no room)`` is none.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from parsers._contract import Family, Format, LeftOut, PageKind, Source
from parsers._ledger.document import Document, DumpError
from parsers._ledger.fields import FieldError
from parsers._ledger.lines import heading_rule
from parsers._tables.keys import Keys
from parsers._tables.readers import (
    address,
    duration,
    html_text,
    identifier,
    iso_day,
    iso_moment,
    link,
    listed,
    lists_by_name,
    plain_text,
    time_zone,
    wall_clock,
)
from parsers._tables.table import Elements, each, many, maybe, one, read_elements
from parsers._web.layout import data_layout, markup_layout
from parsers._web.web import one_page
from parsers._words.text import absolute_address, is_relative
from parsers._words.titles import DECORATIONS, kind_of_item, kind_of_own_title, kind_of_talk, read_heading
from parsers._words.years import asked_event
from schemas.items import Item, Link, Person, Record, Reject, Slot

_FIRST_TAG: Final = re.compile(r"<([A-Za-z]\w*)")
_HEAD: Final = 20_000
_GUID: Final = re.compile(r"""\bguid"?\s*[=:]\s*["'][^"']""")
_DAY_CHANGE: Final = time(4)
_NO_ROOM: Final = re.compile(r"\(?no room\)?", re.IGNORECASE)
_OF_CONFERENCE: Final = "acronym start end daysCount timeslot_duration url tracks rooms languages defaults colors logo"
_NAMES: Final = ("public_name", "full_public_name", "name")
_OF_PERSON: Final = "id guid code answers avatar avatar_url biography links"
_SCHEDULE: Final = Keys(
    one("event", "schedule.conference.title"),
    maybe("zone", "schedule.conference.time_zone_name", time_zone),
    maybe("base", "schedule.base_url", address),
    maybe("day_change", "schedule.conference.day_change", wall_clock),
    one("days", "schedule.conference.days", listed),
    ignored="$schema schedule.version schedule.generator "
    + " ".join(f"schedule.conference.{name}" for name in _OF_CONFERENCE.split()),
)
_DAY: Final = Keys(
    one("day", "date", iso_day),
    maybe("rooms", read=lists_by_name),
    maybe("day_end", read=iso_moment),
    ignored="index day_start start end",
)
_EVENT: Final = Keys(
    one("title", read=plain_text),
    maybe("id", read=identifier),
    maybe("guid", read=identifier),
    maybe("subtitle", read=plain_text),
    maybe("language"),
    maybe("track", read=plain_text),
    maybe("date", read=iso_moment),
    maybe("start", read=wall_clock),
    maybe("duration", read=duration),
    maybe("room", read=plain_text),
    maybe("type", read=plain_text),
    maybe("abstract", read=html_text),
    maybe("description", read=html_text),
    maybe("url"),
    many("links", read=link),
    many("attachments", read=link),
    each("persons", "persons", *(maybe(name) for name in _NAMES), maybe("url")),
    ignored="slug logo feedback_url recording_license do_not_record do_not_stream answers recording code origin_url"
    " video_download_url " + " ".join(f"persons.{name}" for name in _OF_PERSON.split()),
)
_EVENT_IN_XML: Final = Elements(
    "event",
    one("title", "event > title", plain_text),
    maybe("id", "::attr(id)"),
    maybe("guid", "::attr(guid)"),
    maybe("language", "event > language"),
    *(maybe(name, f"event > {name}", plain_text) for name in ("subtitle", "track", "type", "room")),
    maybe("date", "event > date", iso_moment),
    maybe("start", "event > start", wall_clock),
    maybe("duration", "event > duration", duration),
    maybe("abstract", "event > abstract::raw", html_text),
    maybe("description", "event > description::raw", html_text),
    maybe("url", "event > url"),
    each(
        "persons",
        "person",
        maybe("text", "::text"),
        *(maybe(name, f"person > {name}") for name in _NAMES),
        maybe("url", "person > url"),
        ignored=", ".join(f"person > {name}" for name in _OF_PERSON.split()),
    ),
    *(
        each(name, tag, maybe("url", "::attr(href)"), maybe("text", "::text"), maybe("title", "title"), ignored="type")
        for name, tag in (("links", "link"), ("attachments", "attachment"))
    ),
    ignored="slug, logo, feedback_url, recording, do_not_stream, answers, code, origin_url",
)
_IN_XML: Final = (
    Elements("schedule", ignored="version, generator, tracks, schedule > persons", rule=heading_rule("schedule", 1)),
    Elements(
        "schedule > conference",
        one("event", "conference > title"),
        maybe("zone", "time_zone_name", time_zone),
        maybe("day_change", "day_change", wall_clock),
        maybe("base", "base_url", address),
        ignored="acronym, city, days, end, release, start, subtitle, timeslot_duration, url, venue, track",
        rule=heading_rule("conference", 1),
    ),
    Elements(
        "day",
        one("day", "::attr(date)", iso_day),
        maybe("day_end", "::attr(end)", iso_moment),
        rule=heading_rule("day", 2),
    ),
    _EVENT_IN_XML,
)
_AROUND: Final = frozenset({"event", "day"})
"""The fields that events have from the elements around them, and without which nothing can be said of any of them."""

_EXAMPLE: Final = """\
# Schedules of pretalx, frab and similar tools, by the URL of schedule.json or schedule.xml.
[[pretalx]]
url = "https://pretalx.example/fjord-2026/schedule/export/schedule.json"
event = "FJORD 2026"                # instead of the title in the schedule
timezone = "Europe/Oslo"            # if the schedule names none
year = 2026
"""


def recognise_json(document: Document) -> bool:
    """True if the text is an object with a schedule in days."""
    text = document.text
    return text.lstrip()[:1] == "{" and all(f'"{key}"' in text for key in ("schedule", "conference", "days"))


def recognise_xml(document: Document) -> bool:
    """True if the root element is ``schedule`` and has a conference, or events in days: buses have schedules, too."""
    text = document.text
    found = _FIRST_TAG.search(text[:_HEAD]) if text[:_HEAD].lstrip().startswith("<") else None
    if found is None or found[1] != "schedule":
        return False
    return "<conference" in text or ("<day " in text and "<event " in text)


def parse_json(document: Document) -> Iterator[Item]:
    """Yield a record for each event; their line numbers are their places. Raises ``DumpError`` (malformed)."""
    data = document.data
    try:
        schedule = _SCHEDULE.read(data.open_item(data.value, 0))
        days = [_DAY.read(data.open_item(day, 0)) for day in schedule["days"]]
    except FieldError as error:
        raise document.error(1, "malformed", f"expected schedule, conference and days with rooms: {error}") from error
    events = [(day, event) for day in days for room in (day["rooms"] or {}).values() for event in room]
    for place, (day, event) in enumerate(events, 1):
        try:
            values = _EVENT.read(data.open_item(event, place))
        except FieldError as error:
            yield data.reject(place, event, error)
        else:
            doubts = (*schedule["notes"], *day["notes"], *values["notes"])
            yield _record(document, {**schedule, **day, **values}, (place, place), doubts)


def parse_xml(document: Document) -> Iterator[Item]:
    """Yield a record for each event. Raises ``DumpError`` (malformed): a conference without title, a bad day."""
    about: dict[str, Any] = {"event": None, "zone": None}  # some lists of sessions name no conference
    for found in read_elements(document.feed_of("event"), *_IN_XML):
        if isinstance(found, Reject):
            if found.detail.partition(": ")[0] in _AROUND:
                raise _malformed(document, found.line_start, found.detail)
            yield found
        elif found.table is _EVENT_IN_XML:
            links = {name: map(_link_in_xml, found[name]) for name in ("links", "attachments")}
            values = {**about, **found.around(), **links}
            if "day" not in values:
                raise _malformed(document, found.lines[0], "day: expected 'day' around it, found none")
            yield _record(document, values, found.lines, found.notes)
        elif found["event"]:
            about = found.values


def _malformed(document: Document, line: int | None, detail: str) -> DumpError:
    """Make the error for XML whose conference has no title, or whose events have no day around them."""
    expected = f"expected a schedule with the title of its conference, and days with dates around the events: {detail}"
    return document.error(line or 1, "malformed", expected)


def _link_in_xml(values: Mapping[str, Any]) -> Link | None:
    """Read a link, whose title is inside as an element or as text; an address alone is the text itself."""
    title = values["title"] or values["text"]
    return link({"url": values["url"], "title": title} if values["url"] else title)


def _record(
    document: Document, values: Mapping[str, Any], lines: tuple[int | None, int | None], doubts: tuple[str, ...]
) -> Record:
    """Make the record of an event from its fields, those of its day and of its conference."""
    heading = read_heading(values["title"])
    names = [(_name_of(person), person.get("url")) for person in values["persons"]]
    people = tuple(Person(name, url=url) for name, url in names if name)
    slot, zone, notes = _slot(values, document.facts.timezone)
    lost = ("field_unread",) if not values["guid"] and document.once(_has_guids) else ()
    type_ = values["type"] or ""
    kind = kind_of_item(heading.title, heading.tag)
    if people or values["abstract"]:
        kind = kind_of_own_title(heading.title, heading.tag) or kind_of_talk(type_)
    elif kind == "session" and type_:
        kind = kind_of_item(type_)
    return Record(
        *lines,
        kind=kind,
        type=type_ or None,
        native_id=values["guid"] or values["id"],
        title=heading.title,
        **{name: values[name] for name in ("subtitle", "language", "track", "abstract", "description")},
        url=_absolute(values["url"], values, document.facts.url) if values["url"] else None,
        authors=people or None,
        event=asked_event(document, values["event"]),
        slots=(slot,) if slot else None,
        timezone=zone,
        links=_links(values, document.facts.url) or None,
        notes=tuple(sorted({*heading.notes, *notes, *doubts, *lost})),
    )


def _has_guids(document: Document) -> bool:
    """True if some event has a guid."""
    return _GUID.search(document.text) is not None


def _name_of(person: Mapping[str, Any]) -> str | None:
    """Return the name of a person under any of the keys for it."""
    return next(filter(None, map(person.get, (*_NAMES, "text"))), None)


def _links(values: Mapping[str, Any], page: str | None) -> tuple[Link, ...]:
    """Return the links and files of an event, each once."""
    found = [each for each in (*values["links"], *values["attachments"]) if each]
    return tuple(dict.fromkeys(each._replace(url=_absolute(each.url, values, page)) for each in found))


def _absolute(printed: str, values: Mapping[str, Any], page: str | None) -> str:
    """Return an address, absolute by that of the event, the site or the page; a path without a slash needs the site.

    What has a dot before the first slash is no path, but the name of a host without its scheme: it stays as it is.
    """
    if printed[:1] == "/":
        return absolute_address(next(filter(address, (values["url"], values.get("base"), page)), None), printed)
    first, slash, _ = printed.partition("/")
    is_path = bool(slash) and is_relative(printed) and "." not in first
    return absolute_address(values.get("base"), printed) if is_path else printed


def _slot(values: Mapping[str, Any], venue: str | None) -> tuple[Slot | None, str | None, tuple[str, ...]]:
    """Return the slot of an event by the wall clock of the venue, its zone if that agrees, and notes.

    ``venue`` is the zone that the sidecar names, for moments without a wall clock beside them.
    """
    moment, wall, day = values["date"], values["start"], values["day"]
    room = None if _NO_ROOM.fullmatch(values["room"] or "") else values["room"]
    starts = moment.replace(tzinfo=None) if moment else datetime.combine(day, wall) if day and wall else None
    if starts is None:
        return (Slot(room=room) if room else None), None, ()
    printed = starts
    if moment and wall and wall != starts.time():  # the moment is in another zone: the nearest one at that wall clock
        near = (datetime.combine(starts.date() + timedelta(days=days), wall) for days in (-1, 0, 1))
        starts = min(near, key=lambda other: abs(other - printed))
    elif not moment and starts.time() < _change_of_day(values):
        starts += timedelta(days=1)
    zone = values["zone"]
    if moment and moment.tzinfo and not wall and (clock := venue or zone):
        starts = moment.astimezone(ZoneInfo(clock)).replace(tzinfo=None)
    if zone and moment and (moment.tzinfo is None or starts.replace(tzinfo=ZoneInfo(zone)) != moment):
        zone = None
    slot = Slot(starts, starts + values["duration"] if values["duration"] else None, room)
    return slot, zone, ("zone_converted",) if moment and starts != printed else ()


def _change_of_day(values: Mapping[str, Any]) -> time:
    """Return the time before which an event without a date is in the night after its day."""
    end = values.get("day_end")
    if end is None:
        return values.get("day_change") or _DAY_CHANGE
    return end.time() if end.date() > values["day"] else time(0)


def _fingerprint(document: Document) -> str:
    """Return the fingerprint of the keys of a schedule, or of its elements."""
    if recognise_xml(document):
        return markup_layout(document.feed.root, ("room", "event", "event person"))
    day = "schedule.conference.days[]"
    return data_layout(document.data.value, (f"{day}.date", f"{day}.rooms")) if recognise_json(document) else ""


SOURCE: Final = Source(
    "pretalx",
    "Schedules of pretalx and frab",
    9,
    Family.PROGRAMME,
    PageKind.STATE,
    (
        Format("json", "a JSON object with schedule, conference and days", recognise_json, parse_json),
        Format("xml", "XML whose root is <schedule>, with <conference>, <day> and <event>", recognise_xml, parse_xml),
    ),
    web=one_page(".json", _fingerprint, example=_EXAMPLE),
    prints_ids=True,
    leaves_out=LeftOut(DECORATIONS | frozenset(("room",))),
)
