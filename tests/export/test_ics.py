"""The calendar: identity, times and zones, what changed and what is gone, and the rules of RFC 5545."""

import io
import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import vobject  # type: ignore[import-untyped]  # has no types
from dateutil.tz import tzical  # type: ignore[import-untyped]  # has no types
from icalendar import Calendar

from pipeline.export._format import ExportError
from pipeline.export.ics import SHOWN, make_zone
from pipeline.viewing.history import load_history
from pipeline.viewing.selection import Selection
from tests.export.lines import events, faults
from tests.export.shelf import AT_NINE, AT_TEN, Shelf, person, record, slot, talk
from tests.support.manifests import put_manifest

LATER = "20260802T000000Z"
THIRD = "20260803T000000Z"
SECONDS = {LATER: 207_792_000, THIRD: 207_878_400}
"""Seconds from 2020 to the stamps."""


def test_seconds_of_the_stamps() -> None:
    """SECONDS holds the times of the snapshots in seconds since 2020, as used for SEQUENCE."""
    moments = [datetime(2026, 8, day, tzinfo=UTC) - datetime(2020, 1, 1, tzinfo=UTC) for day in (2, 3)]
    assert [moment.total_seconds() for moment in moments] == list(SECONDS.values())


def full() -> dict[str, Any]:
    """Return a talk with every field filled."""
    return talk(
        title="Hay, straw; and \\Nu-grass",
        abstract="First.\n\nSecond.",
        authors=[person("Ida Pome", "Harbour U.", "Norland"), person("Ole Quince")],
        presenter="Ida Pome",
        session_code="11A",
        session_title="Grass",
        track="Track 2",
        session_description="Bring boots",
        chairs=[person("Ann Reed")],
        keywords=["hay", "straw"],
        doi="10.1234/x",
        url="https://fjord.example/hay?a=1,2;3",
        timezone="Europe/Oslo",
    )


def test_an_event_with_everything(shelf: Shelf) -> None:
    """Every property of a slot, the texts as they were."""
    shelf.put(full())
    assert events(shelf.export("ics")) == [
        {
            "SUMMARY": "Hay, straw; and \\Nu-grass",
            "DTSTART;TZID=Europe/Oslo": "20260803T090000",
            "DTEND;TZID=Europe/Oslo": "20260803T100000",
            "DTSTAMP": "20200101T000000Z",
            "UID": "a658dcc8-bb49-5c60-aa2b-856e4060a455",
            "SEQUENCE": "0",
            "STATUS": "CONFIRMED",
            "LOCATION": "Fjord",
            "CATEGORIES": "paper",
            "URL": "https://fjord.example/hay?a=1,2;3",
            "DESCRIPTION": "Authors: Ida Pome (Harbour U., Norland); Ole Quince\nPresenter: Ida Pome\n"
            "Session: 11A Grass\nTrack: Track 2\nChairs: Ann Reed\nKeywords: hay; straw\nDOI: 10.1234/x\n\n"
            "Bring boots\n\nFirst.\n\nSecond.",
        }
    ]


def test_a_bare_event(shelf: Shelf) -> None:
    """Unknown end, room and zone are left out; without a title the kind is the summary."""
    shelf.put(talk(kind="poster_session", title=None, slots=[slot(ends_at=None, room=None)]))
    found = events(shelf.export("ics"))[0]
    assert {name: value for name, value in found.items() if name not in {"UID", "DTSTAMP", "STATUS", "SEQUENCE"}} == {
        "SUMMARY": "Poster session",
        "DTSTART": "20260803T090000",
        "CATEGORIES": "poster_session",
    }


def test_the_lines_are_right(shelf: Shelf) -> None:
    """Long lines, characters of many octets, control characters, zones and escapes keep every rule."""
    texts = ["x" * 200, "é" * 100, "張" * 90, "\U0001f33e" * 60, "a\\" * 70, "a,b;c\\n\\N" * 20, "a\x0b\x1c\u2028b\x7f"]
    rows = [talk(f"f/{place}", title=text, abstract=text, timezone="Asia/Kolkata") for place, text in enumerate(texts)]
    shelf.put(full(), *rows)
    assert faults(shelf.export("ics").encode()) == []


@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        ("SEQUENCE:0", "SEQUENCE:-1", "sequence -1"),
        ("STATUS:CONFIRMED\r\n", "STATUS:DONE\r\n", "status DONE"),
        ("SUMMARY:Hay\r\n", "SUMMARY:Hay, straw\r\n", "SUMMARY is not escaped: 'Hay, straw'"),
        ("SUMMARY:Hay\r\n", "SUMMARY:Hay\n\r\n", "bare line end: b'SUMMARY:Hay\\n'"),
        ("END:VEVENT\r\n", "", "VCALENDAR ends VEVENT"),
        ("20200101T000000Z", "20200101T000000", "DTSTAMP is not in UTC: 20200101T000000"),
        ("DTSTART:20260803T090000\r\n", "", "VEVENT without DTSTART"),
        ("DTSTART:", "DTSTART;TZID=Europe/Oslo:", "zone Europe/Oslo is not defined"),
    ],
)
def test_the_reader_sees_faults(shelf: Shelf, good: str, bad: str, fault: str) -> None:
    """The strict checker used by the other tests finds each fault."""
    shelf.put(talk())
    calendar = shelf.export("ics")
    assert good in calendar
    assert fault in faults(calendar.replace(good, bad).encode())


@pytest.mark.parametrize("zone", ["Europe/Oslo", "Pacific/Auckland", "America/Sao_Paulo", "Asia/Kolkata", "Etc/UTC"])
def test_zones_as_another_library_reads_them(shelf: Shelf, zone: str) -> None:
    """A library that reads nothing but the VTIMEZONE gets the right moment in summer and in winter."""
    slots = [slot(datetime(2026, month, 15, 9), datetime(2026, month, 15, 10)) for month in (1, 7)]
    shelf.put(talk(slots=slots, timezone=zone))
    calendar = shelf.export("ics")
    read: Any = Calendar.from_ical(calendar).events
    ours = [event["DTSTART"].dt.astimezone(UTC) for event in read]
    vobject.icalendar.__tzidMap.clear()  # it would go on with the zones of a calendar before
    theirs = [event.dtstart.value.astimezone(UTC) for event in vobject.readOne(calendar).vevent_list]
    assert theirs == ours


@pytest.mark.parametrize("zone", ["Europe/Oslo", "Pacific/Auckland", "America/Sao_Paulo", "Africa/Casablanca"])
def test_hours_around_the_change_of_the_clocks(zone: str) -> None:
    """The VTIMEZONE gives the same offset as ``zoneinfo`` for every hour around each clock change."""
    text = make_zone(zone, 2017, 2020).to_ical().decode().replace("\r\n", "\n")
    described = tzical(io.StringIO(f"BEGIN:VCALENDAR\n{text}END:VCALENDAR\n")).get(zone)
    assert described is not None
    hours = [datetime(2017, 1, 1, 0, 30) + timedelta(hours=hour) for hour in range(0, 24 * 365 * 4, 5)]
    hours += [change + timedelta(hours=hour, minutes=30) for change in CHANGES for hour in range(24)]
    ours = ZoneInfo(zone)
    plain = [hour for hour in hours if is_plain(hour, ours)]
    assert [hour.replace(tzinfo=described).utcoffset() for hour in plain] == [
        hour.replace(tzinfo=ours).utcoffset() for hour in plain
    ]


CHANGES = [datetime(2018, 3, 25), datetime(2018, 4, 1), datetime(2018, 9, 30), datetime(2018, 10, 28)]
CHANGES += [datetime(2018, 2, 18), datetime(2018, 11, 4), datetime(2018, 5, 13), datetime(2018, 6, 17)]
"""Days of 2018 on which clocks changed in one of the zones."""


def is_plain(hour: datetime, zone: ZoneInfo) -> bool:
    """True if clocks show an hour exactly once: it is neither skipped nor repeated."""
    return len({hour.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1)}) == 1


def test_several_slots(shelf: Shelf) -> None:
    """Each slot with a start is an event; a record without any has none."""
    shelf.put(talk(slots=[slot(), slot(AT_TEN, None, "Dale"), slot(None, None, "Hill")]), record("x"))
    found = events(shelf.export("ics"))
    assert [(event["DTSTART"], event["LOCATION"]) for event in found] == [
        ("20260803T090000", "Fjord"),
        ("20260803T100000", "Dale"),
    ]
    assert found[0]["UID"] != found[1]["UID"]


def test_records_without_a_start_are_counted(shelf: Shelf, tmp_path: Path) -> None:
    """The report says how many events there are and how many records have none."""
    shelf.put(talk(), record("a"), record("b", slots=[slot(None, None)]))
    assert shelf.report("ics", tmp_path / "a.ics").lines() == [
        "written: 1 events",
        "left out: 2 records without a start time",
    ]


def test_nothing_for_a_calendar(shelf: Shelf) -> None:
    """A selection without any start is refused: a calendar must hold something."""
    shelf.put(record())
    with pytest.raises(ExportError, match="none of the selected records has a start time"):
        shelf.export("ics")


def test_a_day_of_a_long_record(shelf: Shelf) -> None:
    """Only the slots of that day are exported, with the same UIDs as in the full calendar."""
    other = slot(datetime(2026, 8, 4, 9), None)
    shelf.put(talk(slots=[slot(), other]))
    found = events(shelf.export("ics", day=date(2026, 8, 4)))
    assert [event["UID"] for event in found] == [events(shelf.export("ics"))[1]["UID"]]


def test_name_of_the_calendar(shelf: Shelf) -> None:
    """A calendar of one event has its name."""
    shelf.put(talk(), talk("b", event="Dale; 2026"))
    assert (
        "NAME:Dale\\; 2026" in shelf.export("ics", event="dale; 2026"),
        "NAME:conspectus" in shelf.export("ics"),
    ) == (
        True,
        True,
    )


def test_an_item_marked_as_cancelled(shelf: Shelf) -> None:
    """An item that the page marks as cancelled has STATUS:CANCELLED."""
    shelf.put(talk(notes=["cancelled"]))
    assert events(shelf.export("ics"))[0]["STATUS"] == "CANCELLED"


def test_the_same_snapshot_gives_the_same_bytes(shelf: Shelf) -> None:
    """Times come from the snapshot, not from the clock."""
    shelf.put(full(), talk("b"))
    assert shelf.export("ics") == shelf.export("ics")


# What changed


def status(shelf: Shelf, **chosen: Any) -> list[tuple[str, str, int, str]]:
    """Return title, start, sequence and status of each event."""
    found = events(shelf.export("ics", **chosen))
    return [(event["SUMMARY"], event["DTSTART"], int(event["SEQUENCE"]), event["STATUS"]) for event in found]


def test_a_talk_that_moves(shelf: Shelf) -> None:
    """Another time or room leaves the UID and raises SEQUENCE; a talk that stays keeps 0."""
    shelf.put(talk(), talk("b", title="Rye"))
    before = events(shelf.export("ics"))
    shelf.put(talk(slots=[slot(AT_TEN, None, "Dale")]), talk("b", title="Rye"), stamp=LATER)
    after = events(shelf.export("ics"))
    assert [event["UID"] for event in after] == [event["UID"] for event in before]
    assert status(shelf) == [
        ("Rye", "20260803T090000", 0, "CONFIRMED"),
        ("Hay", "20260803T100000", SECONDS[LATER], "CONFIRMED"),
    ]


def test_a_change_that_no_event_shows(shelf: Shelf) -> None:
    """A change in a column that no event shows does not raise SEQUENCE."""
    shelf.put(talk())
    shelf.put(talk(engagement=7), stamp=LATER)
    assert status(shelf) == [("Hay", "20260803T090000", 0, "CONFIRMED")]


def test_sequence_never_falls(shelf: Shelf) -> None:
    """A second change raises it further, even if the snapshot of the first was pruned."""
    first = shelf.put(talk())
    shelf.put(talk(title="Hay!"), stamp=LATER)
    (first.folder / "manifest.json").unlink()
    shelf.put(talk(title="Hay!!"), stamp=THIRD)
    assert status(shelf) == [("Hay!!", "20260803T090000", SECONDS[THIRD], "CONFIRMED")]


def test_a_talk_that_is_gone(shelf: Shelf) -> None:
    """It is CANCELLED under its old UID and time, as long as a kept snapshot has it."""
    first = shelf.put(talk(timezone="Europe/Oslo"), talk("b", title="Rye"))
    uid = events(shelf.export("ics"))[1]["UID"]
    shelf.put(talk("b", title="Rye"), stamp=LATER)
    gone = events(shelf.export("ics"))[1]
    assert (gone["UID"], gone["DTSTART;TZID=Europe/Oslo"], gone["SEQUENCE"], gone["STATUS"]) == (
        uid,
        "20260803T090000",
        str(SECONDS[LATER]),
        "CANCELLED",
    )
    assert faults(shelf.export("ics").encode()) == []
    first.folder.rename(first.folder.with_name(".pruned"))
    assert status(shelf) == [("Rye", "20260803T090000", 0, "CONFIRMED")]


def test_a_talk_that_comes_back(shelf: Shelf) -> None:
    """It is CONFIRMED again, with a higher SEQUENCE than the cancellation had."""
    shelf.put(talk(), talk("b", title="Rye"))
    shelf.put(talk("b", title="Rye"), stamp=LATER)
    shelf.put(talk(), talk("b", title="Rye"), stamp=THIRD)
    assert status(shelf)[1] == ("Hay", "20260803T090000", SECONDS[THIRD], "CONFIRMED")


def test_a_slot_that_is_gone(shelf: Shelf) -> None:
    """When a record loses a slot, the event of its last slot number is CANCELLED and the others stay."""
    third = slot(datetime(2026, 8, 3, 14), None)
    shelf.put(talk(slots=[slot(), slot(AT_TEN, None), third]))
    shelf.put(talk(slots=[slot(AT_TEN, None), third]), stamp=LATER)
    assert status(shelf) == [
        ("Hay", "20260803T100000", SECONDS[LATER], "CONFIRMED"),
        ("Hay", "20260803T140000", SECONDS[LATER], "CONFIRMED"),
        ("Hay", "20260803T140000", SECONDS[LATER], "CANCELLED"),
    ]


def test_a_talk_that_moves_to_another_day(shelf: Shelf) -> None:
    """The calendar of the old day does not show it as cancelled, since it still takes place."""
    shelf.put(talk(), talk("b", title="Rye"))
    shelf.put(talk(slots=[slot(datetime(2026, 8, 4, 9), None)]), talk("b", title="Rye"), stamp=LATER)
    assert [title for title, *_ in status(shelf, day=AT_NINE.date())] == ["Rye"]


def test_a_talk_that_comes_back_after_its_removal_was_pruned(shelf: Shelf) -> None:
    """If snapshots are missing, a new talk may have been cancelled in one of them: SEQUENCE is not 0."""
    cut = shelf.put(talk("b", title="Rye"), stamp=LATER)
    put_manifest(cut.folder, {**cut.manifest, "previous": "20260801T000000Z-00000000"})
    shelf.put(talk(), talk("b", title="Rye"), stamp=THIRD)
    assert status(shelf)[1] == ("Hay", "20260803T090000", SECONDS[THIRD], "CONFIRMED")


def test_a_talk_that_came_back_keeps_its_sequence(shelf: Shelf) -> None:
    """After a talk came back, a change that no event shows does not raise SEQUENCE."""
    shelf.put(talk("b", title="Rye"), talk())
    shelf.put(talk("b", title="Rye"), stamp="20260801T120000Z")
    shelf.put(talk("b", title="Rye"), talk(), stamp=LATER)
    shelf.put(talk("b", title="Rye"), talk(engagement=7), stamp=THIRD)
    assert status(shelf)[1] == ("Hay", "20260803T090000", SECONDS[LATER], "CONFIRMED")


def test_an_end_in_the_hour_that_clocks_skip(shelf: Shelf) -> None:
    """An end that falls before its start because clocks skip an hour is left out."""
    night = slot(datetime(2026, 3, 29, 2, 30), datetime(2026, 3, 29, 3, 0))
    shelf.put(talk(slots=[night], timezone="Europe/Oslo"), talk("b", slots=[night]))
    assert ["DTEND" in event or "DTEND;TZID=Europe/Oslo" in event for event in events(shelf.export("ics"))] == [
        True,
        False,
    ]


def test_removed_talks_are_selected_too(shelf: Shelf) -> None:
    """A calendar of one event does not show what another event lost."""
    shelf.put(talk(), talk("b", event="Dale 2026"), talk("c", title="Rye"))
    shelf.put(talk("c", title="Rye"), stamp=LATER)
    assert [title for title, *_ in status(shelf, event="FJORD 2026")] == ["Rye", "Hay"]


def test_snapshots_that_go_away(shelf: Shelf) -> None:
    """A snapshot pruned while the history is read counts as never kept."""
    first = shelf.put(talk(), talk("b", title="Rye"))
    shelf.put(talk("b", title="Rye"), stamp=LATER)
    (first.folder / "changes.parquet").unlink()
    history = load_history(shelf.select(), SHOWN)
    found = list(history.lost())
    shutil.rmtree(first.folder / "parquet")
    assert ([row["title"] for row, _, _ in found], list(history.lost())) == (["Hay"], [])


def test_a_file_that_goes_away(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same if a file vanishes after it was listed."""
    first = shelf.put(talk(), talk("b", title="Rye"))
    shelf.put(talk("b", title="Rye"), stamp=LATER)
    history = load_history(shelf.select(), SHOWN)
    monkeypatch.setattr(Selection, "sources", lambda _: ["fair"])
    (first.folder / "parquet" / "fair.parquet").unlink()
    assert list(history.lost()) == []


def test_a_snapshot_of_another_major_version(shelf: Shelf) -> None:
    """A snapshot of another major version is not part of the history."""
    first = shelf.put(talk(), talk("b", title="Rye"))
    shelf.put(talk("b", title="Rye"), stamp=LATER)
    manifest = first.folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"contract_version": "2', '"contract_version": "3'))
    assert [title for title, *_ in status(shelf)] == ["Rye"]
