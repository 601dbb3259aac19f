"""The schedule as XML: what c3voc asks of it, and that it says what the JSON says."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import pytest
from lxml import etree

from tests.export.shelf import AT_NINE, AT_TEN, Shelf, person, record, slot, talk

RULES: Final = {
    "date": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)",
    "start": r"[0-2]\d:[0-5]\d",
    "duration": r"\d\d:\d\d",
    "slug": r"[a-z0-9_]{4,}-[a-z0-9_-]{4,}",
    "url": r"https?://.*",
}
"""The forms of the elements of an entry."""

UNIQUE: Final[dict[str, Callable[[Any], str | None]]] = {
    "guid": lambda event: event.get("guid"),
    "id": lambda event: event.get("id"),
    "slug": lambda event: event.findtext("slug"),
}


def schedule(shelf: Shelf, **chosen: Any) -> Any:
    """Return the exported schedule, after checking it against the rules of its readers."""
    written = etree.fromstring(shelf.export("frab-xml", **chosen).encode())
    events = written.findall("day/room/event")
    broken = [(each.tag, each.text) for event in events for each in event if not _is_good(each)]
    days = [day.get(name) or "" for day in written.iter("day") for name in ("start", "end")]
    broken += [("day", day) for day in days if not re.fullmatch(RULES["date"], day)]
    assert broken == []
    assert {name: len({value(event) for event in events}) for name, value in UNIQUE.items()} == dict.fromkeys(
        UNIQUE, len(events)
    )
    return written


def _is_good(element: Any) -> bool:
    """True if the text of an element matches its rule."""
    return re.fullmatch(RULES.get(element.tag, r"(?s).*"), element.text or "") is not None


def test_an_entry_with_everything(shelf: Shelf) -> None:
    """The elements of a talk are in order, within their day and room."""
    shelf.put(
        talk(
            title="Hay & <Straw>",
            abstract="Of hay.",
            authors=[person("Ida Pome", "Harbour U."), person("Bo Åker")],
            track="Track 2",
            type="Talk",
            links=[{"rel": "slides", "url": "https://fjord.example/hay.pdf", "title": None}],
            url="https://fjord.example/hay",
            timezone="Europe/Oslo",
        )
    )
    found = schedule(shelf)
    (event,) = found.findall("day/room/event")
    texts = {each.tag: each.text for each in event if each.tag not in {"slug", "persons", "links"}}
    assert (texts, [each.text for each in event.iter("person", "link")]) == (
        {
            "date": "2026-08-03T09:00:00+02:00",
            "start": "09:00",
            "duration": "01:00",
            "room": "Fjord",
            "url": "https://fjord.example/hay",
            "title": "Hay & <Straw>",
            "subtitle": None,
            "track": "Track 2",
            "type": "Talk",
            "language": None,
            "abstract": "Of hay.",
            "description": "Authors: Ida Pome (Harbour U.); Bo Åker\nTrack: Track 2",
        },
        ["Ida Pome", "Bo Åker", "https://fjord.example/hay.pdf"],
    )
    conference = {each.tag: each.text for each in found.find("conference")}
    assert (conference["title"], conference["time_zone_name"], conference["days"]) == ("FJORD 2026", "Europe/Oslo", "1")


def test_the_same_entries_as_in_json(shelf: Shelf) -> None:
    """Ids, days and rooms match the JSON export; with several zones, days are in the most frequent one."""
    shelf.put(
        talk("a", slots=[slot(), slot(AT_TEN, None, None)], timezone="Europe/Oslo"),
        talk("b", slots=[slot(AT_NINE, datetime(2026, 8, 20), "Bar")], timezone="Europe/Oslo"),
        talk("c", slots=[slot(datetime(2026, 8, 4, 9), None)], timezone="Asia/Tokyo"),
        record("d"),
    )
    found = schedule(shelf)
    days = json.loads(shelf.export("frab-json"))["schedule"]["conference"]["days"]
    expected = [entry["guid"] for day in days for room in day["rooms"].values() for entry in room]
    assert [event.get("guid") for event in found.iter("event")] == expected
    assert [day.get("start") for day in found.iter("day")] == ["2026-08-03T00:00:00+02:00", "2026-08-04T04:00:00+02:00"]
    assert sorted(duration.text for duration in found.iter("duration")) == ["00:00", "00:00", "01:00", "99:59"]
    assert found.findtext("conference/time_zone_name") == "Europe/Oslo"


def test_times_without_a_zone(shelf: Shelf) -> None:
    """They break the rules of the format; ``--timezone`` sets the zone."""
    shelf.put(talk())
    with pytest.raises(AssertionError):
        schedule(shelf)
    assert schedule(shelf, timezone="Europe/Oslo").find("conference/time_zone_name").text == "Europe/Oslo"
