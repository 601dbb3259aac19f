"""Which rows are selected: source, event, day, track, words; slices; snapshots of an older minor version."""

from datetime import date, datetime
from typing import Any

import polars as pl
import pytest

from pipeline.viewing import selection
from tests.export.shelf import Shelf, record, slot, talk


def ids(shelf: Shelf, **chosen: Any) -> list[str]:
    """Return the ids of the selected records, after checking their count."""
    selection = shelf.select(**chosen)
    found = [row["record_id"] for row in selection.rows()]
    assert selection.count() == len(found)
    return found


def test_everything(shelf: Shelf) -> None:
    """Without conditions all records of all sources are selected, in the order of the files."""
    shelf.put(record("b"), record("a"), record("c", source="barn"))
    assert ids(shelf) == ["barn:c", "fair:a", "fair:b"]


def test_a_source(shelf: Shelf) -> None:
    """A source by its name."""
    shelf.put(record("b"), record("c", source="barn"))
    assert (ids(shelf, source="barn"), ids(shelf, source="bar")) == (["barn:c"], [])


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("FJORD 2026", ["fair:a", "fair:b"]),
        ("fjord 2026", ["fair:a", "fair:b"]),
        ("STRASSE 1", ["fair:c"]),
        ("FJORD", []),
    ],
)
def test_an_event(shelf: Shelf, event: str, expected: list[str]) -> None:
    """An event matches by its whole name in any case; a record without an event matches none."""
    shelf.put(talk("a"), talk("b", event="Fjord 2026"), talk("c", event="Straße 1"), record("d"))
    assert ids(shelf, event=event) == expected


def test_a_day(shelf: Shelf) -> None:
    """A record matches a day if a slot starts on it or, without slots, if it was listed on it."""
    there, other = slot(datetime(2026, 8, 4, 9), None), slot()
    shelf.put(
        talk("a", slots=[other]),
        talk("b", slots=[other, there]),
        talk("c", slots=[slot(None, None)], listed_on=date(2026, 8, 4)),
        record("d", listed_on=date(2026, 8, 4)),
        record("e", listed_on=date(2026, 8, 3)),
        record("f"),
    )
    assert ids(shelf, day=date(2026, 8, 4)) == ["fair:b", "fair:d"]


def test_all_conditions(shelf: Shelf) -> None:
    """Conditions narrow each other."""
    shelf.put(talk("a"), talk("b", event="Dale"), talk("c", slots=None), talk("d", source="barn"))
    assert ids(shelf, source="fair", event="FJORD 2026", day=date(2026, 8, 3)) == ["fair:a"]


def test_slices(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is longer than a slice is read whole and in order."""
    shelf.put(*(record(f"{number:02}") for number in range(25)))
    whole = ids(shelf)
    monkeypatch.setattr(selection, "SLICE", 10)
    assert (ids(shelf), len(whole)) == (whole, 25)


def test_some_columns(shelf: Shelf) -> None:
    """Only the columns that are asked for are read."""
    shelf.put(talk())
    assert list(shelf.select().rows(columns=("event", "kind"))) == [{"kind": "paper", "event": "FJORD 2026"}]


def test_an_older_minor_version(shelf: Shelf) -> None:
    """A column missing in older files is null."""
    snapshot = shelf.put(talk(keywords=["hay"]))
    file = snapshot.folder / "parquet" / "fair.parquet"
    pl.read_parquet(file).drop("keywords", "engagement").write_parquet(file)
    (row,) = shelf.select().rows()
    (part,) = shelf.select().rows(columns=("kind", "engagement"))
    assert (row["title"], row["keywords"], part) == ("Hay", None, {"kind": "paper", "engagement": None})


def test_rows_of_another_table(shelf: Shelf) -> None:
    """Only the sightings of the selected records."""
    shelf.put(talk("a"), talk("b", event="Dale"))
    assert [row["record_id"] for row in shelf.select(event="dale").rows_of("sightings")] == ["fair:b"]


def test_a_kind_a_keyword_a_category(shelf: Shelf) -> None:
    """A keyword matches in any case, kind and category only exactly."""
    shelf.put(
        talk("a", kind="keynote", keywords=["Hay", "straw"]),
        talk("b", keywords=["haystack"]),
        record("c", categories=["cs.DC", "cs.PF"]),
    )
    assert ids(shelf, kind="keynote") == ["fair:a"]
    assert (ids(shelf, keyword="hay"), ids(shelf, keyword="STRAW")) == (["fair:a"], ["fair:a"])
    assert (ids(shelf, category="cs.PF"), ids(shelf, category="cs")) == (["fair:c"], [])


def test_the_zone_of_times_that_have_none(shelf: Shelf) -> None:
    """The given zone fills records without one; a known zone stays."""
    shelf.put(talk("a", timezone=None), talk("b", timezone="Asia/Tokyo"))
    found = shelf.select(timezone="Europe/Oslo").rows(columns=("record_id", "timezone"))
    assert [row["timezone"] for row in found] == ["Europe/Oslo", "Asia/Tokyo"]
    assert list(shelf.select(timezone="Europe/Oslo").rows(columns=("title",))) == [{"title": "Hay"}, {"title": "Hay"}]


def test_a_track_and_words(shelf: Shelf) -> None:
    """A track matches by its whole name in any case; every word occurs somewhere, without regard to accents."""
    shelf.put(
        talk("a", track="Dry Stone", authors=[{"name": "Zoë Ålund", "affiliation": "Nowhere", "country": None}]),
        talk("b", track="Dry", title="Straw", presenter="Zoe Pine"),
    )
    assert (ids(shelf, track="dry stone"), ids(shelf, track="Stone")) == (["fair:a"], [])
    assert (ids(shelf, words=("ZOE",)), ids(shelf, words=("zoe", "hay"))) == (["fair:a", "fair:b"], ["fair:a"])
    assert ids(shelf, words=("nowhere",)) == []


def test_words_in_an_older_minor_version(shelf: Shelf) -> None:
    """What older files do not have is not searched."""
    file = shelf.put(talk(keywords=["hay"], doi="10.5555/1")).folder / "parquet" / "fair.parquet"
    pl.read_parquet(file).drop("keywords", "doi").write_parquet(file)
    assert (ids(shelf, words=("hay",)), ids(shelf, words=("5555",))) == (["fair:fjord-2026/hay"], [])
