"""Invented schedules as JSON and XML, current and old, with the expected records."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from schemas.items import Link, Person, Record, Slot
from tests.support.layouts import Case, pick

TITLES = ("Less Sugar", "Pots & Pans: a <Panel> of Two", "Größe zählt", "[Workshop] Lids", "Q&A on Jam, Part 2")
PEOPLE = ("Ada Quill", "Bo Ferns", "Cai Ångström", "D. O'Marsh", "李 Wen")
TEXTS = ("We boil & we stir.", "One pot.\n\nTwo pots.", "What is 3 < 4 good for?")
ROOMS = ("Pot", "Großer Saal", "Room 2 & 3")
FIRST = date(2026, 5, 1)


@dataclass(frozen=True)
class Event:
    """One invented event, as far as all layouts print it; ``minutes`` count from the first midnight."""

    title: str
    minutes: int
    length: int
    room: str
    people: tuple[str, ...]
    texts: tuple[str | None, str | None]
    words: tuple[str | None, str | None, str | None, str | None]
    link: str | None

    @property
    def starts(self) -> datetime:
        """The local start."""
        return datetime.combine(FIRST, datetime.min.time()) + timedelta(minutes=self.minutes)


def events() -> st.SearchStrategy[list[Event]]:
    """Return one to six events, each with a start of its own."""
    optional = st.builds(
        lambda *words: words,
        *(st.one_of(st.none(), st.just(word)) for word in ("A subtitle", "Fruit", "Lecture", "de")),
    )
    event = st.builds(
        Event,
        pick(TITLES),
        st.integers(0, 3 * 24 * 12 - 1).map(lambda place: 5 * place),
        st.sampled_from((0, 5, 45, 90, 600)),
        pick(ROOMS),
        st.lists(pick(PEOPLE), max_size=3, unique=True).map(tuple),
        st.tuples(st.one_of(st.none(), pick(TEXTS)), st.one_of(st.none(), pick(TEXTS))),
        optional,
        st.one_of(st.none(), st.just("https://jam.example/slides.pdf")),
    )
    return st.lists(event, min_size=1, max_size=6, unique_by=lambda one: one.minutes)


def record(event: Event, number: int, **changes: Any) -> Record:
    """Return the record of an event; without people and text, the schedule says nothing of authors."""
    subtitle, track, type_, language = event.words
    ends = event.starts + timedelta(minutes=event.length) if event.length else None
    tag, title = ("workshop", "Lids") if event.title.startswith("[") else (None, event.title)
    fields: dict[str, Any] = {
        "kind": tag or ("paper" if event.people or event.texts[0] else "session"),
        "type": type_,
        "native_id": guid(number),
        "title": title,
        "subtitle": subtitle,
        "language": language,
        "abstract": event.texts[0],
        "description": event.texts[1],
        "authors": tuple(map(Person, event.people)) or None,
        "event": "JamConf 2026",
        "track": track,
        "slots": (Slot(event.starts, ends, event.room),),
        "timezone": "Europe/Oslo",
        "url": f"https://jam.example/{number}",
        "links": (Link(event.link, "Slides", "slides"),) if event.link else None,
    }
    return Record(line_start=None, line_end=None, **{**fields, **changes})


def guid(number: int) -> str:
    """Return the identifier of an event."""
    return f"9a1c0000-0000-4000-8000-{number:012}"


def length(event: Event) -> str:
    """Return how long an event takes, as schedules print it."""
    return f"{event.length // 60:02}:{event.length % 60:02}"


def by_day_and_room(page: Sequence[Event], begins: int = 0) -> dict[date, dict[str, list[tuple[int, Event]]]]:
    """Sort events by day and room, numbered in the order of the schedule; days start at hour ``begins``."""
    night = timedelta(hours=begins)
    days: dict[date, dict[str, list[Event]]] = {}
    for event in sorted(page, key=lambda one: ((one.starts - night).date(), ROOMS.index(one.room))):
        days.setdefault((event.starts - night).date(), {}).setdefault(event.room, []).append(event)
    numbers = iter(range(1, len(page) + 1))
    return {
        day: {room: [(next(numbers), event) for event in some] for room, some in rooms.items()}
        for day, rooms in days.items()
    }


def numbered(page: Sequence[Event], begins: int = 0) -> list[tuple[int, Event]]:
    """Return the events in the order of the schedule."""
    return [one for rooms in by_day_and_room(page, begins).values() for some in rooms.values() for one in some]


def as_json(page: Sequence[Event]) -> Case:
    """Render a schedule as pretalx writes it."""
    days = []
    for index, (day, rooms) in enumerate(by_day_and_room(page).items(), 1):
        shown = {room: [in_json(event, number) for number, event in some] for room, some in rooms.items()}
        days.append({"index": index, "date": f"{day}", "day_start": f"{day}T04:00:00+02:00", "rooms": shown})
    conference = {
        "acronym": "jam26",
        "title": "JamConf 2026",
        "start": "2026-05-01",
        "daysCount": len(days),
        "timeslot_duration": "00:05",
        "time_zone_name": "Europe/Oslo",
        "days": days,
    }
    value = {"schedule": {"version": "1.2", "base_url": "https://jam.example/", "conference": conference}}
    return Case(json.dumps(value, ensure_ascii=False), tuple(record(event, number) for number, event in numbered(page)))


def in_json(event: Event, number: int) -> dict[str, Any]:
    """Return an event as pretalx writes it."""
    subtitle, track, type_, language = event.words
    return {
        "guid": guid(number),
        "id": number,
        "logo": None,
        "date": f"{event.starts:%Y-%m-%dT%H:%M:%S}+02:00",
        "start": f"{event.starts:%H:%M}",
        "duration": length(event),
        "room": event.room,
        "slug": f"jam26-{number}",
        "url": f"https://jam.example/{number}",
        "title": event.title,
        "subtitle": subtitle or "",
        "track": track,
        "type": type_,
        "language": language,
        "abstract": event.texts[0] or "",
        "description": event.texts[1],
        "do_not_record": False,
        "persons": [
            {"id": place, "public_name": name, "biography": "Jams."} for place, name in enumerate(event.people)
        ],
        "links": [{"url": event.link, "title": "Slides", "type": "related"}] if event.link else [],
        "attachments": [],
    }


def as_xml(page: Sequence[Event]) -> Case:
    """Render a schedule as XML, with moments."""
    return Case(in_xml(page, dated=True), tuple(record(event, number) for number, event in numbered(page)))


def as_old_xml(page: Sequence[Event]) -> Case:
    """Render a schedule like old programs: without dates and guids, and with days that last until 4:00 the next day."""
    ids = {"timezone": None}
    found = tuple(record(event, number, native_id=str(number), **ids) for number, event in numbered(page, 4))
    return Case(in_xml(page, dated=False), found)


def in_xml(page: Sequence[Event], *, dated: bool) -> str:
    """Return the XML of a schedule."""
    days = []
    for index, (day, rooms) in enumerate(by_day_and_room(page, 0 if dated else 4).items(), 1):
        shown = "".join(
            f"<room name={quoteattr(room)}>{''.join(xml_of(event, number, dated) for number, event in some)}</room>"
            for room, some in rooms.items()
        )
        days.append(f'<day index="{index}" date="{day}">{shown}</day>')
    zone = "<time_zone_name>Europe/Oslo</time_zone_name>" if dated else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!-- a schedule -->\n<schedule><version>1.2</version><conference>'
        f"<acronym>jam26</acronym><title>JamConf 2026</title><days>{len(days)}</days>{zone}</conference>"
        f"{''.join(days)}</schedule>"
    )


def xml_of(event: Event, number: int, dated: bool) -> str:
    """Return the XML of an event."""
    subtitle, track, type_, language = event.words
    guid_of = f' guid="{guid(number)}"' if dated else ""
    fields = {
        "date": f"{event.starts:%Y-%m-%dT%H:%M:%S}+02:00" if dated else None,
        "start": f"{event.starts:%H:%M}",
        "duration": length(event),
        "room": event.room,
        "slug": f"jam26-{number}",
        "url": f"https://jam.example/{number}",
        "title": event.title,
        "subtitle": subtitle or "",
        "track": track,
        "type": type_,
        "language": language,
        "abstract": event.texts[0],
        "description": event.texts[1] or "",
    }
    plain = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in fields.items() if text is not None)
    people = "".join(f'<person id="{place}">{escape(name)}</person>' for place, name in enumerate(event.people))
    link = f'<link href="{event.link}">Slides</link>' if event.link else ""
    return f'<event id="{number}"{guid_of}>{plain}<persons>{people}</persons><links>{link}</links></event>'


def pages(render: Callable[[Sequence[Event]], Case]) -> st.SearchStrategy[Case]:
    """Return schedules in one layout."""
    return events().map(render)


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "json": pages(as_json),
    "xml": pages(as_xml),
    "old_xml": pages(as_old_xml),
}
