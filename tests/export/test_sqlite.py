"""The database: tables, references, order, and that the same snapshot gives the same file."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from schemas.tables import CHANGES, CONTRACT_VERSION, RECORDS, SIGHTINGS
from tests.export.shelf import Shelf, person, record, slot, talk

Query = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def query(shelf: Shelf, tmp_path: Path) -> Iterator[Query]:
    """Publish two snapshots of three records, export the newest, and return a function that queries it."""
    shelf.put(talk("gone"), talk())
    shelf.put(
        talk(
            authors=[person("Ida Pome", "Harbour U.", "Norland"), person("Ole Quince")],
            chairs=[person("Ann Reed")],
            slots=[slot(), slot(None, None, "Dale")],
            listed_on=date(2026, 8, 1),
            keywords=["hay", "straw"],
            notes=["cancelled"],
            engagement=7,
        ),
        record("x", source="barn"),
        stamp="20260802T000000Z",
    )
    shelf.report("sqlite", tmp_path / "a.sqlite")
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as database:
        yield lambda sql: database.execute(sql).fetchall()


def test_tables(query: Query) -> None:
    """A table for the records, one for every list column, and the other tables; no name needs quotes."""
    found = {name for (name,) in query("SELECT name FROM sqlite_master WHERE type = 'table'")}
    lists = {"authors", "chairs", "slots", "links", "categories", "keywords", "formats", "notes", "other_ids"}
    assert found == {"dataset", "records", "sightings", "changes", "works", "work_members"} | lists
    assert {name for name in found if not name.isidentifier()} == set()


def test_columns(query: Query) -> None:
    """Every column of the declarations is there, lists as tables, numbers as numbers."""
    columns = {name for (name,) in query("SELECT name FROM pragma_table_info('records')")}
    tables = {name for (name,) in query("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert columns | tables >= set(RECORDS.columns)
    assert [name for (name,) in query("SELECT name FROM pragma_table_info('sightings')")] == list(SIGHTINGS.columns)
    assert [name for (name,) in query("SELECT name FROM pragma_table_info('changes')")] == list(CHANGES.columns)
    numbers = query("SELECT name FROM pragma_table_info('records') WHERE type = 'INTEGER'")
    assert numbers == [("engagement",), ("line_start",), ("line_end",)]


def test_descriptions(query: Query) -> None:
    """The CREATE statement of a table holds the descriptions of its columns."""
    ((made,),) = query("SELECT sql FROM sqlite_master WHERE name = 'records'")
    assert '"room" TEXT, -- of the first slot\n' in made


def test_rows(query: Query) -> None:
    """Values are as published, dates and times as text; lists keep their order."""
    assert query("SELECT record_id, title, starts_at, listed_on, engagement FROM records ORDER BY 1") == [
        ("barn:x", "Hay", None, None, None),
        ("fair:fjord-2026/hay", "Hay", "2026-08-03T09:00:00", "2026-08-01", 7),
    ]
    assert query("SELECT position, name, affiliation, country FROM authors ORDER BY 1") == [
        (1, "Ida Pome", "Harbour U.", "Norland"),
        (2, "Ole Quince", None, None),
    ]
    assert query("SELECT position, starts_at, ends_at, room FROM slots ORDER BY 1") == [
        (1, "2026-08-03T09:00:00", "2026-08-03T10:00:00", "Fjord"),
        (2, None, None, "Dale"),
    ]
    assert query("SELECT value FROM keywords ORDER BY position") == [("hay",), ("straw",)]
    assert query("SELECT record_id, value FROM notes") == [("fair:fjord-2026/hay", "cancelled")]


def test_sightings_and_changes(query: Query) -> None:
    """Sightings of the records, and what changed against the snapshot before, also where a record is gone."""
    assert query("SELECT record_id FROM sightings ORDER BY 1") == [("barn:x",), ("fair:fjord-2026/hay",)]
    columns = "authors chairs slots listed_on keywords engagement notes"
    assert query("SELECT record_id, change, columns FROM changes ORDER BY 1") == [
        ("barn:x", "added", None),
        ("fair:fjord-2026/hay", "moved", columns),
        ("fair:gone", "removed", None),
    ]


def test_works(shelf: Shelf, tmp_path: Path) -> None:
    """The works of the selected records with their members among these; a score is a number."""
    people = [person("Ida Pome"), person("Ole Quince")]
    title = "Less sugar in every pot of jam"
    shelf.put(talk(title=title, authors=people), record("x", source="barn", title=title, authors=people))
    shelf.report("sqlite", tmp_path / "all.sqlite")
    shelf.report("sqlite", tmp_path / "barn.sqlite", source="barn")
    member = "SELECT record_id, work_id, rule, score FROM work_members ORDER BY 1"
    work = "work:fair:fjord-2026/hay"
    barn, fair = ("barn:x", work, "title", 1.0), ("fair:fjord-2026/hay", work, "title", 1.0)
    for file, expected in (("all.sqlite", [barn, fair]), ("barn.sqlite", [barn])):
        with closing(sqlite3.connect(tmp_path / file)) as database:
            assert database.execute(member).fetchall() == expected
            assert database.execute("SELECT work_id, sources, records FROM works").fetchall() == [
                (work, "barn fair", 2)
            ]


def test_references_and_indexes(query: Query) -> None:
    """Every reference has its record, the file is sound, and what people look for is indexed."""
    assert (query("PRAGMA foreign_key_check"), query("PRAGMA integrity_check")) == ([], [("ok",)])
    tables = query("SELECT m.name FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'")
    assert {name for (name,) in tables} >= {"authors", "slots", "sightings", "notes"}
    plan = query("EXPLAIN QUERY PLAN SELECT * FROM authors WHERE name = 'Ida Pome'")
    assert "USING INDEX authors_name" in plan[0][3]


def test_the_database_says_what_it_is(query: Query) -> None:
    """The table ``dataset`` holds snapshot and contract version."""
    assert dict(query("SELECT * FROM dataset")) == {
        "snapshot": "20260802T000000Z-00000000",
        "contract_version": CONTRACT_VERSION,
    }


def test_the_same_snapshot_gives_the_same_file(shelf: Shelf, tmp_path: Path) -> None:
    """Exporting the same snapshot twice gives the same bytes."""
    shelf.put(talk(), talk("b", keywords=["a"]))
    shelf.report("sqlite", tmp_path / "a.sqlite")
    shelf.report("sqlite", tmp_path / "b.sqlite")
    assert (tmp_path / "a.sqlite").read_bytes() == (tmp_path / "b.sqlite").read_bytes()


def test_a_part_of_the_dataset(shelf: Shelf, tmp_path: Path) -> None:
    """Only sightings of the selected records are exported, so that no reference dangles."""
    shelf.put(talk(), talk("b", event="Dale 2026"), record("x", source="barn"))
    shelf.report("sqlite", tmp_path / "a.sqlite", event="Dale 2026")
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as database:
        found = [database.execute(f"SELECT record_id FROM {table}").fetchall() for table in ("records", "sightings")]  # noqa: S608  # names of our own
        assert (found, database.execute("PRAGMA foreign_key_check").fetchall()) == ([[("fair:b",)], [("fair:b",)]], [])
