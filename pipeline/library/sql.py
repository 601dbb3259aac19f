"""A snapshot as views of DuckDB, which the extra ``conspectus[sql]`` installs."""

import re
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.base.settings import FailedError
from pipeline.library.dataset import Dataset
from pipeline.publishing.store import ALL_TABLES
from schemas.tables import polars_schema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_PEOPLE: Final = """
    SELECT record_id, source, event, '{role}' AS role,
        generate_subscripts({column}, 1) AS position, unnest({column}, recursive := true)
    FROM records
"""
_MADE: Final = {
    "slots": "SELECT record_id, source, event, unnest(slots, recursive := true) FROM records",
    "people": " UNION ALL BY NAME ".join(
        _PEOPLE.format(role=role, column=column) for role, column in (("author", "authors"), ("chair", "chairs"))
    ),
}
"""The views that are made of others: a row a slot; a row an author or chair, by ``position`` from 1."""


def connect(dataset: Dataset) -> "DuckDBPyConnection":
    """Return a database in memory with a view for each table of a snapshot, and ``slots`` and ``people`` of records.

    Raises ``FailedError`` without DuckDB, and ``StoreError`` where a file does not match the manifest.
    """
    try:
        import duckdb  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise FailedError("SQL needs DuckDB: pip install 'conspectus[sql]'") from error
    database = duckdb.connect()
    for name, table in ALL_TABLES.items():
        files = ", ".join(_quoted(str(path)) for path in dataset.paths(name))
        if files:
            rows = f"SELECT * FROM read_parquet([{files}], union_by_name = true)"  # noqa: S608  # quoted
            database.execute(f"CREATE VIEW {name} AS {rows}")
        else:
            database.register(name, pl.DataFrame(schema=polars_schema(table)).to_arrow())
    for name, made in _MADE.items():
        database.execute(f"CREATE VIEW {name} AS {made}")
    return database


def query(dataset: Dataset, text: str) -> pl.DataFrame:
    """Return the rows of a query. Raises ``FailedError`` for one that DuckDB refuses, with what it says."""
    with connect(dataset) as database:
        import duckdb  # noqa: PLC0415  # as above

        try:
            found = database.sql(text)
            rows: pl.DataFrame = pl.DataFrame() if found is None else found.pl()
        except duckdb.Error as error:
            raise FailedError(f"SQL: {error}") from error
    return rows


def columns(dataset: Dataset) -> pl.DataFrame:
    """Return the views and their columns: ``view``, ``column``, ``type``."""
    named = "SELECT table_name AS view, column_name AS column, data_type AS type FROM information_schema.columns"
    return query(dataset, f"{named} ORDER BY table_name, ordinal_position")


def _quoted(path: str) -> str:
    """Return a path as a literal of SQL, in which no character stands for others."""
    return "'" + re.sub(r"[*?\[]", r"[\g<0>]", path).replace("'", "''") + "'"
