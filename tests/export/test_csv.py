"""The flat table: its columns, how lists read in a cell, and what a spreadsheet must not calculate."""

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from pipeline.export.csv import cell, guarded
from schemas.tables import RECORDS
from tests.export.shelf import AT_NINE, AT_TEN, Shelf, person, record, slot, talk


def table(text: str) -> list[dict[str, str]]:
    """Read the table as another program does."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_columns_and_rows(shelf: Shelf) -> None:
    """The columns of the records in their order, one row a record in the order of the dataset."""
    shelf.put(record("b"), record("a"), record("c", source="barn"))
    found = table(shelf.export("csv"))
    assert list(found[0]) == list(RECORDS.columns)
    assert [row["record_id"] for row in found] == ["barn:c", "fair:a", "fair:b"]


def test_a_row_with_everything(shelf: Shelf) -> None:
    """Lists read as people write them, dates and times in ISO form, null is the empty cell."""
    shelf.put(
        talk(
            title='Hay, "dry"\nand straw',
            authors=[person("Ida Pome", "Harbour U.", "Norland"), person("Ole Quince")],
            slots=[slot(), slot(None, None, "Dale"), slot(AT_TEN, None, None)],
            listed_on=date(2026, 8, 1),
            keywords=["hay", "straw"],
            engagement=7,
            notes=[],
        )
    )
    (row,) = table(shelf.export("csv"))
    assert {name: row[name] for name in ("title", "authors", "slots", "starts_at", "listed_on", "engagement")} == {
        "title": 'Hay, "dry"\nand straw',
        "authors": "Ida Pome (Harbour U., Norland); Ole Quince",
        "slots": "2026-08-03T09:00/2026-08-03T10:00 @ Fjord; Dale; 2026-08-03T10:00/",
        "starts_at": "2026-08-03T09:00:00",
        "listed_on": "2026-08-01",
        "engagement": "7",
    }
    assert (row["keywords"], row["notes"], row["doi"]) == ("hay; straw", "", "")


def test_line_ends_and_quotes(shelf: Shelf) -> None:
    """RFC 4180: CRLF after every row, quotes where a cell needs them, doubled inside."""
    shelf.put(record(title='a "b", c'))
    lines = shelf.export("csv").split("\r\n")
    assert (len(lines), lines[2], '"a ""b"", c"' in lines[1]) == (3, "", True)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "'=1", "''@x", "\tx", "\uff1d1+1", "'\uff20x"])
def test_formulas(text: str) -> None:
    """A text that a spreadsheet would calculate, or one guarded already, gets an apostrophe in front."""
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", ["Hay", "'tis", "a=1", "", "10 % off"])
def test_other_texts(text: str) -> None:
    """Every other text stands as it is."""
    assert guarded(text) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), (-7, -7), ([], None), (["=a", "b"], "'=a; b"), (AT_NINE, "2026-08-03T09:00:00")],
)
def test_cells(value: Any, expected: Any) -> None:
    """Numbers, even negative ones, stay numbers; a list is guarded as a whole."""
    assert cell(value) == expected


def test_the_schema_of_the_columns(shelf: Shelf, tmp_path: Path) -> None:
    """It gives each column with its type; with it, pandas and DuckDB read ids that look like numbers as text."""
    shelf.put(record("a", arxiv_id="2507.07120"))
    file = tmp_path / "x.csv"
    shelf.report("csv", file)
    kinds = {field["name"]: field["type"] for field in json.loads(shelf.export("csv-schema"))["fields"]}
    with file.open(encoding="utf-8", newline="") as opened:
        assert list(kinds) == next(csv.reader(opened))
    names = ("arxiv_id", "listed_on", "starts_at", "line_start")
    assert [kinds[name] for name in names] == ["string", "date", "datetime", "integer"]
    texts = [name for name, kind in kinds.items() if kind == "string"]
    assert pd.read_csv(file, dtype=dict.fromkeys(texts, str))["arxiv_id"].to_list() == ["2507.07120"]
    found = duckdb.read_csv(str(file), dtype=dict.fromkeys(texts, "VARCHAR")).select("arxiv_id")
    assert found.fetchall() == [("2507.07120",)]
