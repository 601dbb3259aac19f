"""Schedule JSON of frab and pretalx: the programme of one event, one entry per slot, for schedule apps.

``{"schedule": {"version", "conference": {"title", "days": [{"date", "rooms": {<room>: [<entry>]}}]}}}``, as c3voc
describes it.
"""

import json
from pathlib import Path

from pipeline.export._format import ExportFormat, Report
from pipeline.export._schedule import Json, scheduled
from pipeline.viewing.selection import Selection


def write(selection: Selection, file: Path) -> Report:
    """Write the schedule. Raises ``ExportError`` without slots, ``UsageError`` where there are several events."""
    with scheduled(selection) as schedule, file.open("w", encoding="utf-8", newline="\n") as out:
        version = json.dumps(schedule.version)
        out.write(f'{{"schedule": {{"version": {version}, "conference": {_open(schedule.head)}, "days": [')
        for number, day in enumerate(schedule.days()):
            out.write((",\n" if number else "\n") + _open(day.head) + ', "rooms": {')
            for place, (room, entries) in enumerate(day.rooms):
                out.write((",\n" if place else "\n") + json.dumps(room, ensure_ascii=False) + ": [")
                out.writelines((",\n" if position else "\n") + entry for position, entry in enumerate(entries))
                out.write("]")
            out.write("}}")
        out.write("]}}}\n")
        return schedule.report


def _open(value: Json) -> str:
    """Return an object as JSON without its closing brace, so that more can follow."""
    return json.dumps(value, ensure_ascii=False)[:-1]


FORMAT = ExportFormat("frab-json", ".json", write)
