"""The checking of ``make interop``: each fault of a small dataset is caught by each tool that is here."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from tests.interop import check
from tests.interop.check import Expected, Seen, compare, expected_tables, kind_of, look, run

TOOLS = ("duckdb", "polars", "pyarrow", "pandas")
ROWS = pl.DataFrame({"title": ["Hay", None], "day": [1, 2], "names": [["Ada"], None], "score": [0.5, 1.0]})
FIELDS = {"title": "string", "day": "integer", "names": "array", "score": "number"}


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """Write a dataset of one table in two files, with its manifest, its schemas and its NDJSON."""
    files: dict[str, dict[str, object]] = {"records.schema.json": {"rows": None}}
    for name in ("fair", "news"):
        for folder in ("parquet", "json"):
            (tmp_path / folder).mkdir(exist_ok=True)
        ROWS.write_parquet(tmp_path / f"parquet/{name}.parquet")
        ROWS.write_ndjson(tmp_path / f"json/{name}.ndjson")
        files[f"parquet/{name}.parquet"] = {"rows": 2, "nulls": {"title": 1, "names": 1}}
        files[f"json/{name}.ndjson"] = {"rows": 2}
    fields = [{"name": name, "type": kind} for name, kind in FIELDS.items()]
    fields[1]["constraints"] = {"required": True}  # type: ignore[assignment]  # the one that is no text
    (tmp_path / "records.schema.json").write_text(json.dumps({"fields": fields}))
    (tmp_path / "manifest.json").write_text(json.dumps({"files": files}))
    schema = {"type": "object", "properties": {"day": {"type": "integer"}}, "required": ["title", "day"]}
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    return tmp_path


def faults(tool: str, snapshot: Path) -> list[str]:
    """Return what a tool finds wrong with a dataset."""
    return [fault for line in look(tool, snapshot, snapshot) for fault in line.faults]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_whole_dataset_agrees(snapshot: Path, tool: str) -> None:
    """Rows, nulls and types of all columns are compared, and agree."""
    (line,) = look(tool, snapshot, snapshot)
    assert (line.rows, line.nulls, line.kinds, line.faults, line.unchecked) == (4, 4, 4, [], [])


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("mutant", "fault"),
    [
        (ROWS.head(1), "3 rows, expected 4"),
        (ROWS.fill_null("Rye"), "title has 1 nulls, expected 2"),
    ],
    ids=["row", "null"],
)
def test_a_fault_of_one_file_is_caught(snapshot: Path, tool: str, mutant: pl.DataFrame, fault: str) -> None:
    """A row less, a null less: each tool says so."""
    mutant.write_parquet(snapshot / "parquet" / "fair.parquet")
    assert fault in faults(tool, snapshot)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_missing_column_is_caught(snapshot: Path, tool: str) -> None:
    """A column that no file has is told by its name."""
    for name in ("fair", "news"):
        ROWS.drop("score").write_parquet(snapshot / f"parquet/{name}.parquet")
    assert faults(tool, snapshot) == ["no column score"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_changed_type_is_caught(snapshot: Path, tool: str) -> None:
    """A number that became text is told by its column."""
    for name in ("fair", "news"):
        ROWS.with_columns(pl.col("day").cast(pl.String)).write_parquet(snapshot / f"parquet/{name}.parquet")
    assert faults(tool, snapshot) == ["day is string, expected integer"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_missing_file_is_caught(snapshot: Path, tool: str) -> None:
    """A glob does not miss a file, the manifest does."""
    (snapshot / "parquet" / "fair.parquet").unlink()
    assert "2 rows, expected 4" in faults(tool, snapshot)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_torn_file_is_caught(snapshot: Path, tool: str) -> None:
    """What cannot be opened is a fault of its table."""
    (snapshot / "parquet" / "fair.parquet").write_bytes(b"torn")
    (fault,) = faults(tool, snapshot)
    assert fault.startswith("was not opened: ")


def test_lines_are_checked_by_the_schema(snapshot: Path) -> None:
    """A line that the schema refuses and a line too few are two faults; a whole file has none."""
    assert faults("check-jsonschema", snapshot) == []
    (snapshot / "json" / "fair.ndjson").write_text('{"title": "Hay", "day": "one"}\n')
    found = faults("check-jsonschema", snapshot)
    assert ("'one' is not of type 'integer'" in found[0], found[1]) == (True, "1 rows, expected 2")


def test_an_export_is_compared_with_what_was_told(tmp_path: Path) -> None:
    """A calendar, a bibliography: an entry less than the command said."""
    (tmp_path / "export.ics").write_text("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    (tmp_path / "export.bibtex").write_text("@misc{a, title = {Hay}}\n@misc{b, title = {Rye}}\n")
    for name in ("ics", "bibtex"):
        (tmp_path / f"{name}.txt").write_text("written: 2 entries\nleft out: 1 record\n")
    found = [faults(tool, tmp_path) for tool in ("icalendar", "bibtexparser")]
    assert found == [["1 entries, expected 2"], []]


def test_rows_of_a_database(snapshot: Path) -> None:
    """A table with a row less than the manifest, and one that is not there."""
    with closing(sqlite3.connect(snapshot / "export.sqlite")) as database:
        database.execute("CREATE TABLE other (a)")
        database.commit()
        absent = look("sqlite3", snapshot, snapshot)
        database.execute("CREATE TABLE records (a)")
        database.commit()
    assert [line.unchecked for line in absent] == [["all: the export has no such table"]]
    assert faults("sqlite3", snapshot) == ["0 rows, expected 4"]


def test_what_cannot_be_compared_is_counted() -> None:
    """Nulls and types that a tool does not tell are listed, never passed over."""
    table = Expected("works", "works.parquet", 3, {"title": "string", "day": "date"}, {"title": 0})
    line = compare(table, Seen(3, {"title": 0}))
    assert (line.faults, line.unchecked) == ([], ["types of 2 columns", "nulls of 1 columns"])


def test_required_columns_have_no_nulls(snapshot: Path) -> None:
    """Of tables whose nulls the manifest does not count, those are known that are never null."""
    (snapshot / "records.schema.json").rename(snapshot / "works.schema.json")
    ROWS.write_parquet(snapshot / "works.parquet")
    files = {"works.schema.json": {"rows": None}, "works.parquet": {"rows": 2}}
    (snapshot / "manifest.json").write_text(json.dumps({"files": files}))
    assert expected_tables(snapshot) == [Expected("works", "works.parquet", 2, FIELDS, {"day": 0})]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("VARCHAR[]", "array"),
        ("List(String)", "array"),
        ("large_list<item: string>", "array"),
        ("TIMESTAMP", "datetime"),
        ("Datetime(time_unit='us', time_zone=None)", "datetime"),
        ("date32[day]", "date"),
        ("UInteger", "integer"),
        ("double[pyarrow]", "number"),
        ("large_string", "string"),
        ("bool", "boolean"),
        ("blob", "blob"),
    ],
)
def test_names_of_types(name: str, kind: str) -> None:
    """Each tool has names of its own; one that is not known stays, and so differs."""
    assert kind_of(name) == kind


@pytest.mark.parametrize(
    ("tool", "limit", "fault"),
    [("polars", 0.01, "took more than 0.01 s: "), ("icalendar", 60, "failed: FileNotFoundError")],
)
def test_a_tool_that_does_not_end_well(snapshot: Path, tool: str, limit: float, fault: str) -> None:
    """One that takes too long, and one that fails: nothing of it was compared, which is a fault."""
    ((found,),) = [line.faults for line in run(tool, snapshot, snapshot, limit)]
    assert (found.startswith(fault), found.endswith(check.NOTHING)) == (True, True)


def test_the_exit_code(snapshot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 if all agrees, 1 and the fault if not; each tool is a process."""
    good = check.main(snapshot, snapshot, ["polars"])
    ROWS.head(1).write_parquet(snapshot / "parquet" / "fair.parquet")
    bad = check.main(snapshot, snapshot, ["polars"])
    told = capsys.readouterr().out
    assert (good, bad, "disagrees: 0" in told, "polars: records: 3 rows, expected 4" in told) == (0, 1, True, True)
