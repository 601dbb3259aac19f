"""Every face of the real dumps: produced, and good in the eyes of its validator and of other libraries.

The dumps are not part of the repository, and nothing of them stands here.
"""

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import bibtexparser
import jsonschema  # type: ignore[import-untyped]  # has no types
import polars as pl
import pytest
import vobject  # type: ignore[import-untyped]  # has no types
from icalendar import Calendar
from pybtex.database import parse_string  # type: ignore[import-untyped]  # has no types

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.run.refresh import refresh
from pipeline.viewing.selection import Selection
from tests.export.lines import faults
from tests.export.schemas import CSL, SCHEDULE
from tests.export.shelf import Shelf

pytestmark = [pytest.mark.real, pytest.mark.untraced]


@pytest.fixture(scope="module")
def real(real_raw: Path, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Publish the real dumps once."""
    shelf = Shelf(tmp_path_factory.mktemp("real"))
    refresh(Settings(real_raw, shelf.out), sources())
    return shelf


def records(real: Shelf) -> pl.DataFrame:
    """Return what is published."""
    return pl.read_parquet(real.select().snapshot.folder / "parquet" / "*.parquet")


def test_calendar(real: Shelf) -> None:
    """The calendar follows the rules and has one event per slot, as counted by two libraries."""
    calendar = real.export("ics")
    slots = records(real).select(pl.col("slots").list.len().sum()).item()
    counted = (len(Calendar.from_ical(calendar).events), len(vobject.readOne(calendar).vevent_list))
    assert (faults(calendar.encode()), slots > 0, counted) == ([], True, (slots, slots))


def test_calendars_of_each_event(real: Shelf) -> None:
    """The calendar of each event has one event for every slot of its programme."""
    expected = records(real).drop_nulls("event").group_by("event").agg(pl.col("slots").list.len().sum()).sort("event")
    calendars = [Calendar.from_ical(real.export("ics", event=event)) for event in expected["event"]]
    assert (len(calendars), [len(calendar.events) for calendar in calendars]) == (2, expected["slots"].to_list())


def test_schedules_of_each_event(real: Shelf) -> None:
    """The schedule of each event passes the schema and has an entry for every slot, ids and guids all different."""
    expected = records(real).drop_nulls("event").group_by("event").agg(pl.col("slots").list.len().sum()).sort("event")
    written = [json.loads(real.export("frab-json", event=event)) for event in expected["event"]]
    errors = [error.message for one in written for error in jsonschema.Draft202012Validator(SCHEDULE).iter_errors(one)]
    days = [one["schedule"]["conference"]["days"] for one in written]
    entries = [[entry for day in some for room in day["rooms"].values() for entry in room] for some in days]
    assert (errors, [len(some) for some in entries]) == ([], expected["slots"].to_list())
    assert [len({entry["id"] for entry in some}) for some in entries] == expected["slots"].to_list()
    assert [len({entry["guid"] for entry in some}) for some in entries] == expected["slots"].to_list()


def test_bibliographies(real: Shelf) -> None:
    """The items pass the schema, and three readers find the same keys, as many as there are records to cite."""
    cited = records(real).filter(
        pl.col("kind").is_in(["paper", "keynote", "tutorial", "panel"])
        & pl.any_horizontal(pl.col("title", "doi", "arxiv_id", "url").is_not_null())
    )
    items = json.loads(real.export("csl-json"))
    entries = real.export("bibtex")
    jsonschema.validate(items, CSL)
    library = bibtexparser.parse_string(entries)  # type: ignore[attr-defined]  # not listed as exported
    keys = [item["id"] for item in items]
    assert (len(set(keys)), library.failed_blocks, [entry.key for entry in library.entries]) == (cited.height, [], keys)
    assert list(parse_string(entries, "bibtex").entries) == keys


def test_table(real: Shelf) -> None:
    """A strict reader finds every record, with every column."""
    rows = list(csv.DictReader(io.StringIO(real.export("csv"), newline=""), strict=True))
    assert [row["record_id"] for row in rows] == records(real)["record_id"].to_list()
    assert {None in row or None in row.values() for row in rows} == {False}
    assert re.search(r"(?<!\r)\n\Z", real.export("csv")) is None


def test_database(real: Shelf, tmp_path: Path) -> None:
    """The file is sound, every reference holds, and the rows of each table are as many as published."""
    real.report("sqlite", tmp_path / "a.sqlite")
    published = records(real)
    lists = ("authors", "chairs", "slots", "notes")
    expected = [published.height, *(published.select(pl.col(name).list.len().sum()).item() for name in lists)]
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as database:
        found = [database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("records", *lists)]  # noqa: S608  # names of our own
        assert (found, database.execute("PRAGMA foreign_key_check").fetchall()) == (expected, [])


def test_every_source(real: Shelf) -> None:
    """The tables of the single sources add up to all records."""
    sources = Selection(real.select().snapshot).sources()
    counts = [real.export("csv", source=source).count(f"\r\n{source}:") for source in sources]
    assert (len(sources), sum(counts)) == (5, records(real).height)
