"""Schedule XML of frab and pretalx: the programme of one event, one entry per slot, for schedule apps and recording.

It holds what the schedule JSON holds, in the order and with the types that c3voc asks for. Without a zone its
times have no offset, which its readers refuse: ``--timezone`` names one.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from pipeline.export._format import ExportFormat, Report
from pipeline.export._schedule import Json, Schedule, scheduled
from pipeline.viewing.selection import Selection

TEXTS: Final = frozenset(
    "room title subtitle type date start duration abstract slug track language description".split()
)
"""The elements of an entry that hold a text; they are there also without one."""

LONGEST: Final = "99:59"
"""The longest duration that readers of the format take."""

HEAD: Final = {
    "acronym": "acronym",
    "title": "title",
    "start": "start",
    "end": "end",
    "days": "daysCount",
    "timeslot_duration": "timeslot_duration",
    "time_zone_name": "time_zone_name",
}
"""The elements of the conference, and the keys of what the schedule JSON says there."""


def write(selection: Selection, file: Path) -> Report:
    """Write the schedule. Raises ``ExportError`` without slots, ``UsageError`` where there are several events."""
    with scheduled(selection) as schedule, file.open("w", encoding="utf-8", newline="\n") as out:
        xml = XMLGenerator(out, "utf-8", short_empty_elements=True)
        xml.startDocument()
        _open(xml, "schedule")
        _write_schedule(xml, schedule)
        xml.endElement("schedule")
        xml.ignorableWhitespace("\n")
        return schedule.report


def _write_schedule(xml: XMLGenerator, schedule: Schedule) -> None:
    """Write version, conference and days."""
    _write(xml, "version", schedule.version)
    _open(xml, "conference")
    for name, key in HEAD.items():
        if key in schedule.head:
            _write(xml, name, str(schedule.head[key]))
    xml.endElement("conference")
    for day in schedule.days():
        head = {"index": str(day.head["index"]), "date": day.head["date"]}
        _open(xml, "day", head | {"start": day.head["day_start"], "end": day.head["day_end"]})
        for room, entries in day.rooms:
            _open(xml, "room", {"name": room})
            for entry in entries:
                xml.ignorableWhitespace("\n")
                _write_event(xml, json.loads(entry))
            xml.endElement("room")
        xml.endElement("day")


def _write_event(xml: XMLGenerator, entry: Json) -> None:
    """Write an entry; an address is left out where there is none."""
    _open(xml, "event", {"guid": entry["guid"], "id": str(entry["id"])})
    long = len(entry["duration"]) > len("00:00")
    for name, text in (entry | ({"duration": LONGEST} if long else {})).items():
        if name in TEXTS:
            _write(xml, name, text)
    if entry["url"]:
        _write(xml, "url", entry["url"])
    _open(xml, "persons")
    for person in entry["persons"]:
        _write(xml, "person", person["name"], guid=person["guid"])
    xml.endElement("persons")
    _open(xml, "links")
    for link in entry["links"]:
        _write(xml, "link", link["title"], href=link["url"])
    xml.endElement("links")
    xml.endElement("event")


def _open(xml: XMLGenerator, name: str, attributes: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write the start of an element."""
    xml.startElement(name, AttributesImpl({**attributes}))


def _write(xml: XMLGenerator, name: str, text: str | None, **attributes: str) -> None:
    """Write an element with a text."""
    _open(xml, name, attributes)
    xml.characters(text or "")
    xml.endElement(name)


FORMAT = ExportFormat("frab-xml", ".xml", write)
