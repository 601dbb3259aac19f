"""DuckDB, Polars, pandas and pyarrow read the published dataset and see the same rows and nested values.

Each resolves ``out/latest`` once and reads below the result, as the documentation tells readers to.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

Rows = list[tuple[str, str | None, str | None, list[str] | None]]


@pytest.fixture
def snapshot(published: Path) -> Path:
    """Return the folder that the link to the newest snapshot names."""
    return (published / "latest").resolve()


def row(record: dict[str, Any]) -> tuple[str, str | None, str | None, list[str] | None]:
    """Reduce a record to what all readers are compared by: id, title, start, names of the authors."""
    authors = record["authors"]
    names = None if authors is None else [author["name"] for author in authors]
    start = record["starts_at"]
    moment = None if start is None or start != start else str(start)[:19].replace("T", " ")  # noqa: PLR0124  # NaT
    return record["record_id"], record["title"], moment, names


def by_polars(snapshot: Path) -> Rows:
    """Read by glob."""
    return [row(record) for record in pl.read_parquet(snapshot / "parquet" / "*.parquet").iter_rows(named=True)]


def by_duckdb(snapshot: Path) -> Rows:
    """Read by glob."""
    found = duckdb.read_parquet(f"{snapshot}/parquet/*.parquet").project("record_id, title, starts_at, authors")
    return [row(dict(zip(found.columns, values, strict=True))) for values in found.fetchall()]


def by_pyarrow(snapshot: Path) -> Rows:
    """Read the folder."""
    return [row(record) for record in pq.read_table(snapshot / "parquet").to_pylist()]


def by_pandas(snapshot: Path) -> Rows:
    """Read the folder."""
    frame = pd.read_parquet(snapshot / "parquet", columns=["record_id", "title", "starts_at", "authors"])
    frame = frame.astype(object).where(frame.notna(), None)
    return [row({str(name): value for name, value in record.items()}) for record in frame.to_dict("records")]


def by_json(snapshot: Path) -> Rows:
    """Read every line of the NDJSON files."""
    files = sorted((snapshot / "json").glob("*.ndjson"))
    return [row(json.loads(line)) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("reader", [by_duckdb, by_pyarrow, by_pandas, by_json])
def test_readers_agree(snapshot: Path, reader: Callable[[Path], Rows]) -> None:
    """Every reader sees the rows and nested values that Polars sees."""
    assert sorted(reader(snapshot), key=str) == sorted(by_polars(snapshot), key=str)


def test_there_is_something_to_read(snapshot: Path, specimens: Path) -> None:
    """Every source of the specimens is among the rows."""
    found = pl.read_parquet(snapshot / "parquet" / "*.parquet")["source"].unique().sort().to_list()
    assert found == sorted(folder.name for folder in specimens.iterdir() if folder.is_dir())
