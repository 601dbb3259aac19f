"""Records go into a face and come back from it: every field that the format carries is as it was."""

import json
import re
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import vobject  # type: ignore[import-untyped]  # has no types
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no types

from pipeline.viewing.selection import Row
from tests.export.lines import faults
from tests.export.schemas import CSL, SCHEDULE
from tests.export.shelf import Shelf, person, slot, talk


def texts(without: str = "") -> st.SearchStrategy[str]:
    """Make texts as normalization leaves them: no control characters, single blanks between words."""
    alphabet = st.sampled_from(',;:\\nN"{}[]=éß張\U0001f33e$%') | st.characters(
        exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")
    )
    kept = alphabet.filter(lambda character: character not in without)
    return st.text(kept, max_size=60).map(lambda text: " ".join(text.split()) or "x")


NAMES = texts("();,") | st.sampled_from(["Ida Pome", "Ida M. van der Pome", "POME Ida", "Ole Quince III", "張 偉"])
PEOPLE = st.lists(
    st.builds(person, NAMES) | st.builds(person, NAMES, texts("();,"), st.none() | texts("();,")),
    min_size=1,
    max_size=3,
)
DAYS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 12, 31))
MOMENTS = st.builds(lambda day, hour: day.replace(hour=hour, second=0, microsecond=0), DAYS, st.integers(4, 23))
"""Not in the small hours: there an hour that clocks skip or repeat has no one moment."""
LENGTHS = st.integers(1, 3000).map(lambda minutes: timedelta(minutes=minutes))


@st.composite
def slots(draw: st.DrawFn) -> Row:
    """Make a slot with or without end and room."""
    start = draw(MOMENTS)
    length = draw(st.none() | LENGTHS)
    return slot(start, None if length is None else start + length, draw(st.none() | texts()))


TALKS = st.fixed_dictionaries(
    {
        "title": st.none() | texts(),
        "abstract": st.none() | st.lists(texts(), min_size=1, max_size=3).map("\n\n".join),
        "authors": st.none() | PEOPLE,
        "session_title": st.none() | texts(),
        "track": st.none() | texts(),
        "kind": st.sampled_from(["paper", "keynote", "tutorial"]),
        "slots": st.lists(slots(), min_size=1, max_size=3).map(
            lambda some: sorted(some, key=lambda one: one["starts_at"])
        ),
        "doi": st.none() | st.just("10.1234/x{y}_%"),
        "url": st.none() | st.just("https://fjord.example/a,b;c?d=é"),
        "arxiv_id": st.none() | st.just("2507.01234"),
        "keywords": st.none() | st.lists(texts(","), min_size=1, max_size=2),
    }
)
PROGRAMMES = st.lists(TALKS, min_size=1, max_size=3).map(
    lambda some: [talk(f"k{place}", **fields) for place, fields in enumerate(some)]
)
ZONES = st.sampled_from([None, "Europe/Oslo", "Pacific/Auckland", "Asia/Kolkata", "America/Sao_Paulo", "UTC"])


def write(name: str, rows: list[Row], zone: str | None = None) -> str:
    """Publish the rows, all in one zone, and return what a format makes of them."""
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder))
        shelf.put(*({**row, "timezone": zone} for row in rows))
        return shelf.export(name)


def called(row: Row) -> str:
    """Return the title that an export gives an item, also where it has none."""
    return str(row["title"] or row["session_title"] or row["kind"].capitalize())


def each_slot(rows: list[Row]) -> list[tuple[Row, Row]]:
    """Return every slot after its record."""
    return [(row, one) for row in rows for one in row["slots"]]


@given(PROGRAMMES, ZONES)
def test_schedule(rows: list[Row], zone: str | None) -> None:
    """Schedule JSON: times with their zone, room, title, people, texts, address."""
    written = json.loads(write("frab-json", rows, zone))
    Draft202012Validator(SCHEDULE).validate(written)
    days = written["schedule"]["conference"]["days"]
    found = [entry for day in days for room in day["rooms"].values() for entry in room]
    expected = [
        {
            "start": one["starts_at"].replace(tzinfo=ZoneInfo(zone) if zone else None).isoformat(),
            "end": one["ends_at"],
            "room": one["room"],
            "title": called(row),
            "people": [author["name"] for author in row["authors"] or ()],
            **{name: row[name] for name in ("abstract", "url", "kind", "doi")},
            "track": row["track"] or row["session_title"],
        }
        for row, one in each_slot(rows)
    ]
    assert sorted(map(read_entry, found), key=str) == sorted(expected, key=str)


def read_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what an entry of a schedule says, in the words of the records."""
    hours, minutes = map(int, entry["duration"].split(":"))
    length = timedelta(hours=hours, minutes=minutes)
    start = datetime.fromisoformat(entry["date"]).replace(tzinfo=None)
    assert entry["start"] == f"{start:%H:%M}"
    return {
        "start": entry["date"],
        "end": start + length if length else None,
        "room": None if entry["room"] == "(no room)" else entry["room"],
        "title": entry["title"],
        "people": [one["name"] for one in entry["persons"]],
        "abstract": entry["abstract"],
        "url": entry["url"] or None,
        "kind": entry["type"],
        "doi": entry["links"][0]["url"].removeprefix("https://doi.org/") if entry["links"] else None,
        "track": entry["track"],
    }


@given(PROGRAMMES, ZONES)
def test_calendar(rows: list[Row], zone: str | None) -> None:
    """iCalendar, as the library reads it: times with their zone, room, title, people, texts, kind, address."""
    written = write("ics", rows, zone)
    assert faults(written.encode()) == []
    tz = ZoneInfo(zone) if zone else None
    expected = [
        {
            "start": one["starts_at"].replace(tzinfo=tz),
            "end": one["ends_at"] and one["ends_at"].replace(tzinfo=tz),
            "room": one["room"],
            "title": called(row),
            "kind": row["kind"],
            "url": row["url"],
            "told": told(row),
        }
        for row, one in each_slot(rows)
    ]
    assert [read_event(event) for event in Calendar.from_ical(written).events] == expected


def told(row: Row) -> dict[str, Any]:
    """Return what the description of an event should say."""
    fields = {"Session": row["session_title"], "Track": row["track"], "DOI": row["doi"]}
    fields |= {"Authors": row["authors"], "Keywords": row["keywords"] and "; ".join(row["keywords"])}
    return {**{label: value for label, value in fields.items() if value}, "abstract": row["abstract"]}


def read_event(event: Any) -> dict[str, Any]:
    """Return what an event says, in the words of the records."""
    return {
        "start": event["DTSTART"].dt,
        "end": event["DTEND"].dt if "DTEND" in event else None,
        "room": str(event["LOCATION"]) if "LOCATION" in event else None,
        "title": str(event["SUMMARY"]),
        "kind": str(event["CATEGORIES"].cats[0]),
        "url": str(event["URL"]) if "URL" in event else None,
        "told": read_description(str(event.get("DESCRIPTION", ""))),
    }


def read_description(text: str) -> dict[str, Any]:
    """Divide a description into its labelled lines and the abstract below them."""
    lines = re.match(r"(?:(?:Authors|Session|Track|Keywords|DOI): .*(?:\n|$))*", text)
    assert lines is not None
    found: dict[str, Any] = dict(line.split(": ", 1) for line in lines[0].splitlines() if line)
    if "Authors" in found:
        found["Authors"] = [read_person(one) for one in found["Authors"].split("; ")]
    return {**found, "abstract": text[lines.end() :].lstrip("\n") or None}


def read_person(text: str) -> Row:
    """Read a name and the brackets after it."""
    name, _, place = text.partition(" (")
    affiliation, _, country = place.removesuffix(")").partition(", ")
    return person(name, affiliation or None, country or None)


@given(PROGRAMMES, ZONES)
def test_calendar_in_another_library(rows: list[Row], zone: str | None) -> None:
    """Another library reads the same titles, rooms and moments, from the VTIMEZONE of the file alone."""
    vobject.icalendar.__tzidMap.clear()  # it would go on with the zones of the calendar before
    found = vobject.readOne(write("ics", rows, zone)).vevent_list
    tz = ZoneInfo(zone) if zone else None
    expected = [
        (called(row), one["room"], one["starts_at"].replace(tzinfo=tz).astimezone(UTC if tz else None))
        for row, one in each_slot(rows)
    ]
    assert [
        (
            event.summary.value,
            event.location.value if hasattr(event, "location") else None,
            event.dtstart.value.astimezone(UTC if tz else None),
        )
        for event in found
    ] == expected


@given(PROGRAMMES.map(lambda rows: [*rows, talk("z")]))
def test_citations(rows: list[Row]) -> None:
    """CSL-JSON: title, people, event, date, identifiers, abstract, keywords."""
    written = json.loads(write("csl-json", rows))
    Draft202012Validator(CSL).validate(written)
    cited = [row for row in rows if row["title"] or row["doi"] or row["url"] or row["arxiv_id"]]
    expected = [
        {
            **{name: row[name] for name in ("title", "event", "doi", "url", "abstract", "arxiv_id")},
            "paper": row["kind"] == "paper",
            "date": row["starts_at"].date().timetuple()[:3],
            "keywords": row["keywords"] and ", ".join(row["keywords"]),
        }
        for row in cited
    ]
    assert [read_item(item) for item in written] == expected
    printed = [[author["name"] for author in row["authors"] or ()] for row in cited]
    assert [
        [name in spellings(one) for name, one in zip(names, item.get("author", []), strict=True)]
        for names, item in zip(printed, written, strict=True)
    ] == [[True] * len(names) for names in printed]


def read_item(item: dict[str, Any]) -> dict[str, Any]:
    """Return what an item says, in the words of the records."""
    return {
        "title": item["title"].replace('<span class="nocase">', "").replace("</span>", "") if "title" in item else None,
        "event": item.get("event-title"),
        "doi": item.get("DOI"),
        "url": item.get("URL"),
        "abstract": item.get("abstract"),
        "arxiv_id": item["number"].removeprefix("arXiv:") if "number" in item else None,
        "paper": item["type"] == "paper-conference",
        "date": tuple(item["issued"]["date-parts"][0]),
        "keywords": item.get("keyword"),
    }


def spellings(name: dict[str, str]) -> set[str]:
    """Return the ways in which a page can print a name that was divided."""
    given, family, suffix = name.get("given"), name.get("family"), name.get("suffix")
    ways = {f"{given} {family}", f"{family} {given}", f"{family}, {given}"}
    return ways | {f"{given} {family} {suffix}"} | {name.get("literal", "")}
