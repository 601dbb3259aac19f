"""The schedule of schedule apps: days and rooms, ids that stay, and the JSON Schema of the format."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # has no types
import pytest

from pipeline.base.settings import UsageError
from pipeline.export import _schedule
from pipeline.export._format import ExportError
from tests.export.schemas import SCHEDULE
from tests.export.shelf import AT_TEN, Shelf, person, record, slot, talk

NIGHT = slot(datetime(2026, 8, 4, 0, 30), datetime(2026, 8, 4, 2), "Bar")


def schedule(shelf: Shelf, **chosen: Any) -> Any:
    """Return the schedule that the format writes, once it has passed the schema."""
    written = json.loads(shelf.export("frab-json", **chosen))
    jsonschema.validate(written, SCHEDULE)
    return written["schedule"]


def entries(shelf: Shelf, **chosen: Any) -> list[dict[str, Any]]:
    """Return the entries of a schedule in its order."""
    days = schedule(shelf, **chosen)["conference"]["days"]
    return [entry for day in days for room in day["rooms"].values() for entry in room]


def test_a_schedule_with_everything(shelf: Shelf) -> None:
    """The whole file of one talk, every key of it."""
    shelf.put(
        talk(
            abstract="Of hay.",
            authors=[person("Ida Pome", "Harbour U.")],
            session_title="Grass",
            track="Track 2",
            type="Talk",
            subtitle="And Straw",
            language="en",
            description="More of hay.",
            links=[{"rel": "slides", "url": "https://fjord.example/hay.pdf", "title": None}],
            doi="10.1234/x",
            url="https://fjord.example/hay",
            timezone="Europe/Oslo",
        )
    )
    found = schedule(shelf)
    assert {key: value for key, value in found["conference"].items() if key not in {"days", "rooms"}} == {
        "acronym": "fjord_2026",
        "title": "FJORD 2026",
        "start": "2026-08-03",
        "end": "2026-08-03",
        "daysCount": 1,
        "timeslot_duration": "00:05",
        "time_zone_name": "Europe/Oslo",
    }
    (day,) = found["conference"]["days"]
    assert (day["day_start"], day["day_end"]) == ("2026-08-03T00:00:00+02:00", "2026-08-04T04:00:00+02:00")
    assert day["rooms"] == {
        "Fjord": [
            {
                "guid": "a658dcc8-bb49-5c60-aa2b-856e4060a455",
                "id": 1175036737,
                "date": "2026-08-03T09:00:00+02:00",
                "start": "09:00",
                "duration": "01:00",
                "room": "Fjord",
                "slug": "fjord_2026-1175036737-hay",
                "url": "https://fjord.example/hay",
                "title": "Hay",
                "subtitle": "And Straw",
                "track": "Track 2",
                "type": "Talk",
                "language": "en",
                "abstract": "Of hay.",
                "description": "Authors: Ida Pome (Harbour U.)\nSession: Grass\nTrack: Track 2\nDOI: 10.1234/x"
                "\n\nMore of hay.",
                "persons": [
                    {"guid": "88250038-9127-5649-b8c2-978d65ca99fd", "name": "Ida Pome", "public_name": "Ida Pome"}
                ],
                "links": [
                    {
                        "title": "https://fjord.example/hay.pdf",
                        "url": "https://fjord.example/hay.pdf",
                        "type": "related",
                    },
                    {"title": "DOI", "url": "https://doi.org/10.1234/x", "type": "related"},
                ],
                "attachments": [],
            }
        ]
    }


def test_what_is_not_known(shelf: Shelf) -> None:
    """No room, end, zone or address: the demanded keys are there and invent nothing."""
    shelf.put(talk(title=None, event=None, slots=[slot(ends_at=None, room=None)]))
    (entry,) = entries(shelf)
    keys = ("title", "room", "duration", "date", "url", "track", "abstract", "persons")
    assert [entry[key] for key in keys] == ["Paper", "(no room)", "00:00", "2026-08-03T09:00:00", "", None, None, []]
    assert (schedule(shelf)["conference"]["title"], schedule(shelf)["conference"]["time_zone_name"]) == (
        "Programme",
        "UTC",
    )


def test_order_of_days_rooms_and_starts(shelf: Shelf) -> None:
    """Days, rooms and starts are in order, whatever the order of the records."""
    later = slot(datetime(2026, 8, 4, 9), None, "Dale")
    shelf.put(
        talk("a", title="A", slots=[later]),
        talk("b", title="B", slots=[slot(AT_TEN, None)]),
        talk("c", title="C", slots=[slot(room="Dale"), slot(AT_TEN, None, "Hill")]),
        talk("d", title="D"),
    )
    days = schedule(shelf)["conference"]["days"]
    assert [(day["index"], day["date"], list(day["rooms"])) for day in days] == [
        (1, "2026-08-03", ["Dale", "Fjord", "Hill"]),
        (2, "2026-08-04", ["Dale"]),
    ]
    assert [entry["title"] for entry in entries(shelf)] == ["C", "D", "B", "C", "A"]


def test_a_day_that_runs_past_midnight(shelf: Shelf) -> None:
    """An event that starts before 4:00 belongs to the day before, but keeps its own calendar date."""
    shelf.put(talk(), talk("b", slots=[NIGHT]), talk("c", slots=[slot(datetime(2026, 8, 4, 4), None)]))
    days = schedule(shelf)["conference"]["days"]
    assert [(day["date"], day["day_start"], list(day["rooms"])) for day in days] == [
        ("2026-08-03", "2026-08-03T00:00:00", ["Bar", "Fjord"]),
        ("2026-08-04", "2026-08-04T04:00:00", ["Fjord"]),
    ]
    assert days[0]["rooms"]["Bar"][0]["date"] == "2026-08-04T00:30:00"


def test_small_hours_of_the_first_day(shelf: Shelf) -> None:
    """If all events start before 4:00, there is no earlier day, and they belong to their calendar day."""
    shelf.put(talk(slots=[NIGHT]))
    (day,) = schedule(shelf)["conference"]["days"]
    assert (day["date"], day["day_start"] <= day["rooms"]["Bar"][0]["date"]) == ("2026-08-04", True)


def test_a_slot_of_more_than_a_day(shelf: Shelf) -> None:
    """A slot of more than a day has a duration of more than 24 hours."""
    shelf.put(talk(slots=[slot(ends_at=datetime(2026, 8, 5, 9, 30))]))
    assert entries(shelf)[0]["duration"] == "48:30"


def test_ids_stay_when_a_talk_moves(shelf: Shelf) -> None:
    """Id and guid depend on the record and the slot's number, not on time or room."""
    shelf.put(talk(), talk("b"))
    before = {(entry["id"], entry["guid"]) for entry in entries(shelf)}
    shelf.put(talk(slots=[slot(AT_TEN, None, "Dale")], title="Straw"), talk("b"), stamp="20260802T000000Z")
    assert {(entry["id"], entry["guid"]) for entry in entries(shelf)} == before


def test_the_guid_is_the_uid_of_the_calendar(shelf: Shelf) -> None:
    """The guid of an entry is the UID of its calendar event."""
    shelf.put(talk())
    assert f"UID:{entries(shelf)[0]['guid']}\r\n" in shelf.export("ics")


def test_id_collisions(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """If two slots hash to the same number, the later record takes the next free one."""
    numbers = {"fair:a#1": 5, "fair:b#1": 5, "fair:b#1#1": 6, "fair:c#1": 6, "fair:c#1#1": 7, "fair:c#2": 8}
    monkeypatch.setattr(_schedule, "number_of", numbers.__getitem__)
    shelf.put(talk("a"), talk("b"), talk("c", slots=[slot(), slot(AT_TEN, None)]))
    assert sorted(entry["id"] for entry in entries(shelf)) == [5, 6, 7, 8]


def test_several_events(shelf: Shelf) -> None:
    """A schedule covers one event: with several the error lists them."""
    shelf.put(talk(), talk("b", event="Dale 2026"))
    with pytest.raises(UsageError, match="choose one with --event; found Dale 2026, FJORD 2026"):
        shelf.export("frab-json")
    assert len(entries(shelf, event="dale 2026")) == 1


def test_what_is_left_out(shelf: Shelf, tmp_path: Path) -> None:
    """The report counts records without a start, without an event, and those marked as cancelled."""
    shelf.put(talk(), talk("b", event=None), talk("c", notes=["cancelled"]), record("d", event="FJORD 2026"))
    assert shelf.report("frab-json", tmp_path / "a.json", timezone="Europe/Oslo").lines() == [
        "written: 1 entries",
        "left out: 1 records marked as cancelled",
        "left out: 1 records without a start time",
        "left out: 1 records without an event",
    ]


def test_nothing_for_a_schedule(shelf: Shelf) -> None:
    """A selection without any start is refused."""
    shelf.put(record())
    with pytest.raises(ExportError, match="none of the selected records has a start time"):
        shelf.export("frab-json")


@pytest.mark.parametrize(
    ("event", "short"),
    [
        ("CLUSTERS 2025", "clusters_2025"),
        ("E", "event_e"),
        ("Ålesund ’26", "alesund_26"),
        ("会議", "event"),
        (None, "programme"),
    ],
)
def test_short_names_of_events(event: str | None, short: str) -> None:
    """Readers want at least four characters out of a-z, 0-9 and underscore."""
    assert _schedule.acronym(event) == short


def test_times_without_a_zone(shelf: Shelf, tmp_path: Path) -> None:
    """The report warns of them, since some readers refuse them; ``--timezone`` sets the zone."""
    shelf.put(talk("a", timezone=None), talk("b", timezone="Asia/Tokyo"))
    told = shelf.report("frab-json", tmp_path / "a.json").lines()
    assert told[1:] == [
        "without a time zone: 1 entries, which some readers refuse; "
        "the schedule itself names Asia/Tokyo (--timezone names another)"
    ]
    zoned = shelf.report("frab-json", tmp_path / "a.json", timezone="Europe/Oslo")
    assert zoned.lines() == ["written: 2 entries"]
    assert '"2026-08-03T09:00:00+02:00"' in (tmp_path / "a.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("zones", "named"),
    [
        (["Asia/Tokyo", "Europe/Oslo", "Europe/Oslo"], "Europe/Oslo"),
        ([None, None, "Asia/Tokyo"], "Asia/Tokyo"),
        ([None, None], "UTC"),
    ],
)
def test_the_zone_of_a_schedule(shelf: Shelf, zones: list[str | None], named: str) -> None:
    """A schedule names the zone of most records; the times of what has none have no offset."""
    shelf.put(*(talk(f"a{place}", timezone=zone) for place, zone in enumerate(zones)))
    found = schedule(shelf)["conference"]
    assert found["time_zone_name"] == named
    offsets = ["+" in entry["date"] for entry in entries(shelf)]
    assert offsets.count(False) == zones.count(None)
