"""SQLite: tables of records, their lists, sightings, changes and works, for Datasette and SQL.

Tables and columns are derived from the declarations of ``schemas.tables``: every list column is a table of that name
with ``record_id`` and ``position`` (from 1). Dates and times are text, as in the NDJSON files. The same snapshot gives
the same file. ``changes`` also has removed records, so it has no foreign key; of works those of the selected records
are there.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import polars as pl

from pipeline.base.escape import harmless
from pipeline.export._format import ExportFormat, Report
from pipeline.publishing.store import CHANGES_FILE
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.works import load_works
from schemas.describe import describe
from schemas.tables import CHANGES, CONTRACT_VERSION, RECORDS, SIGHTINGS, Table, polars_schema
from schemas.works import WORK_MEMBERS, WORKS

BATCH: Final = 2000
INDEXED: Final = (
    ("records", "source"),
    ("records", "event"),
    ("records", "kind"),
    ("records", "starts_at"),
    ("records", "arxiv_id"),
    ("records", "doi"),
    ("authors", "name"),
    ("slots", "starts_at"),
    ("sightings", "record_id"),
    ("changes", "record_id"),
    ("work_members", "work_id"),
)
_LISTS: Final = {name: dtype.inner for name, dtype in polars_schema(RECORDS).items() if isinstance(dtype, pl.List)}
_FLAT: Final = [name for name in RECORDS.columns if name not in _LISTS]


def write(selection: Selection, file: Path) -> Report:
    """Write the database."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        # The file is new and moved into place when complete: a journal would protect nothing.
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;")
        database.execute("BEGIN")
        for statement in make_tables():
            database.execute(statement)
        _insert(database, "dataset", [("snapshot", selection.snapshot.id), ("contract_version", CONTRACT_VERSION)])
        rows = selection.rows()
        written = 0
        while batch := list(islice(rows, BATCH)):
            _insert(database, "records", [[_value(row[name]) for name in _FLAT] for row in batch])
            for name in _LISTS:
                _insert(database, name, _elements(batch, name))
            written += len(batch)
        _insert(database, "sightings", (list(map(_value, row.values())) for row in selection.rows_of("sightings")))
        _insert(database, "changes", _changes(selection))
        for name, found in _works(selection, database).items():
            _insert(database, name, (list(map(_value, row)) for row in found.iter_rows()))
        for table, column in INDEXED:
            database.execute(f'CREATE INDEX "{table}_{column}" ON "{table}" ("{column}")')
        database.execute("COMMIT")
    return Report(written, "records")


def make_tables() -> Iterator[str]:
    """Yield the statements that create the tables; the description of each column follows it as a comment."""
    yield 'CREATE TABLE "dataset" ("key" TEXT PRIMARY KEY, "value" TEXT NOT NULL)'
    yield _table("records", [_column(RECORDS, name) for name in _FLAT], ['PRIMARY KEY ("record_id")'])
    reference = 'FOREIGN KEY ("record_id") REFERENCES "records" ("record_id")'
    for name, inner in _LISTS.items():
        fields = [field.name for field in inner.fields] if isinstance(inner, pl.Struct) else ["value"]
        columns = [('"record_id" TEXT NOT NULL', ""), ('"position" INTEGER NOT NULL', "from 1, in order")]
        columns += [(f'"{field}" TEXT', describe(RECORDS.columns[name])) for field in fields]
        yield _table(name, columns, ['PRIMARY KEY ("record_id", "position")', reference])
    yield _table("sightings", [_column(SIGHTINGS, name) for name in SIGHTINGS.columns], [reference])
    yield _table("changes", [_column(CHANGES, name) for name in CHANGES.columns], [])
    for table, key in ((WORKS, "work_id"), (WORK_MEMBERS, "record_id")):
        constraints = [f'PRIMARY KEY ("{key}")', *([reference] if table is WORK_MEMBERS else [])]
        yield _table(table.name, [_column(table, name) for name in table.columns], constraints)


def _table(name: str, columns: Sequence[tuple[str, str]], constraints: Sequence[str]) -> str:
    """Return the statement that creates one table."""
    parts = [*columns, *((constraint, "") for constraint in constraints)]
    lines = [
        f"  {part}{',' if number < len(parts) else ''}{f' -- {comment}' if comment else ''}"
        for number, (part, comment) in enumerate(parts, 1)
    ]
    return "\n".join([f'CREATE TABLE "{name}" (', *lines, ")"])


def _column(table: Table, name: str) -> tuple[str, str]:
    """Return the definition and the description of a column."""
    declared = table.columns[name]
    dtype = polars_schema(table)[name]
    kind = "INTEGER" if dtype.is_integer() else "REAL" if dtype.is_float() else "TEXT"
    null = "" if declared.nullable else " NOT NULL"
    return f'"{name}" {kind}{null}', describe(declared)


def _insert(database: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows, each with a value for every column."""
    width = len(database.execute(f'PRAGMA table_info("{table}")').fetchall())
    places = ", ".join("?" * width)
    database.executemany(f'INSERT INTO "{table}" VALUES ({places})', rows)  # noqa: S608  # names of our own


def _elements(rows: Iterable[Row], name: str) -> Iterator[list[Any]]:
    """Yield the rows for the lists of one column."""
    for row in rows:
        for position, element in enumerate(row[name] or (), 1):
            fields = element.values() if isinstance(element, dict) else [element]
            yield [row["record_id"], position, *map(_value, fields)]


def _changes(selection: Selection) -> Iterator[list[Any]]:
    """Yield the changes against the previous snapshot, for the selected sources but any event and day."""
    feed = pl.read_parquet(selection.snapshot.folder / CHANGES_FILE, glob=False)
    wanted = feed.filter(pl.col("source").is_in(selection.sources()))
    return ([_value(harmless(value)) for value in row] for row in wanted.select(list(CHANGES.columns)).iter_rows())


def _works(selection: Selection, database: sqlite3.Connection) -> dict[str, pl.DataFrame]:
    """Return the works of the records in a database, and their members among these."""
    ids = pl.Series("record_id", [each for (each,) in database.execute('SELECT "record_id" FROM "records"')], pl.String)
    members = load_works(selection.snapshot, WORK_MEMBERS.name).join(ids.to_frame(), on="record_id", how="semi")
    works = load_works(selection.snapshot, WORKS.name).join(members, on="work_id", how="semi")
    return {WORKS.name: works, WORK_MEMBERS.name: members}


def _value(value: Any) -> str | int | float | None:  # noqa: ANN401  # whatever a column holds
    """Return a value for the database; inside a row a list of names is joined by spaces, other lists are JSON."""
    match value:
        case datetime():
            return value.isoformat(timespec="seconds")
        case date():
            return value.isoformat()
        case [dict(), *_]:
            return json.dumps(value, ensure_ascii=False)
        case list():
            return " ".join(value)
    return value  # type: ignore[no-any-return]  # text, number or null


FORMAT = ExportFormat("sqlite", ".sqlite", write, streams=False)
