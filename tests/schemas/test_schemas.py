"""The declared tables and everything that is derived from them: JSON Schema, data package, Markdown, metadata."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from pipeline.reading.units import FIXED, NOTES_OF_UNIT, UNITS
from schemas.describe import (
    Resource,
    data_package,
    describe,
    json_schema,
    markdown_table,
    parquet_metadata,
    schema_file,
    table_schema,
    type_name,
)
from schemas.items import Link, Person, Record, Slot
from schemas.tables import (
    CONTRACT_VERSION,
    COUNT,
    LINK,
    PERSON,
    QUARANTINE,
    RECORDS,
    SIGHTINGS,
    SLOT,
    TABLES,
    Column,
    Table,
    column,
    each_one_of,
    one_of,
    polars_schema,
)
from schemas.validation import pandera_schema
from schemas.vocabulary import FORMATS, KINDS, LISTING_SECTIONS, NOTES, REASONS, STAGES
from schemas.works import WORK_TABLES
from tests.support.goldens import check_golden
from tests.support.toy import Desk

COLUMNS = [(table.name, name, declared) for table in TABLES.values() for name, declared in table.columns.items()]
CODES = {"kinds": KINDS, "sections": LISTING_SECTIONS, "formats": FORMATS, "stages": STAGES, "notes": NOTES}
CODES["reasons"] = REASONS
SCHEMA = json_schema()
FULL = {
    "title": "Hay",
    "authors": ["Ann", "Bo"],
    "chairs": ["Cy"],
    "start": "2025-01-01T09:00",
    "end": "2025-01-01T10:00",
    "room": "Hall",
    "listed_on": "2025-01-02",
    "published_on": "2025-01-01",
    "listing_section": "new",
    "arxiv_id": "2501.00001",
    "url": "https://e.example/1",
    "categories": ["cs.DC"],
    "formats": ["pdf", "ps"],
    "engagement": 3,
    "notes": ["cancelled"],
}


def lines(out: Path) -> list[Any]:
    """Return every published record of an out root as JSON."""
    files = sorted((out / "latest" / "json").glob("*.ndjson"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").split("\n") if line]


def errors(record: Any) -> list[str]:
    """Return the places of a record that fail the JSON Schema."""
    return sorted({error.json_path for error in Draft202012Validator(SCHEMA).iter_errors(record)})


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Publish one record with most columns filled and return it as its NDJSON line."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.put("news/a.txt", FULL, sidecar='timezone = "Europe/Oslo"')
    desk.run()
    (line,) = lines(desk.out)
    published: dict[str, Any] = line
    return published


# The declarations


def test_columns_are_those_of_the_contract() -> None:
    """Names, order, types and nullability of the three tables; whoever changes one raises the contract version."""
    declared = {
        "version": CONTRACT_VERSION,
        **{
            table.name: {
                name: f"{declared.dtype!r}, {'null' if declared.nullable else 'not null'}"
                for name, declared in table.columns.items()
            }
            for table in TABLES.values()
        },
    }
    check_golden(Path(__file__).parent / "goldens" / "schema.json", declared)


def test_every_column_is_described() -> None:
    """Each column has a description, says whether it may be null, and is named in snake_case."""

    def is_described(name: str, declared: Column) -> bool:
        said = declared.description.strip() and type(declared.nullable) is bool
        return bool(said and re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name))

    assert [(table, name) for table, name, declared in COLUMNS if not is_described(name, declared)] == []


def test_times_and_numbers_have_a_unit() -> None:
    """The description of a number or time gives its unit."""
    bare = {pl.String(), pl.Date(), pl.Boolean(), *(pl.List(inner) for inner in (pl.String, PERSON, LINK, COUNT))}
    found = [(table, name) for table, name, declared in COLUMNS if declared.dtype not in bare and not declared.unit]
    assert found == []


def test_tables_are_strict_and_described() -> None:
    """Extra and misplaced columns are errors; every table is registered under its name."""
    schemas = {name: pandera_schema(table) for name, table in TABLES.items()}
    assert [name for name, schema in schemas.items() if (schema.strict, schema.ordered) != (True, True)] == []
    assert [name for name, table in TABLES.items() if not table.description or table.name != name] == []


def test_every_code_has_its_meaning() -> None:
    """Codes are in snake_case, each with an exact meaning of its own."""
    known = [(name, code, meaning) for name, codes in CODES.items() for code, meaning in codes.items()]
    assert [each for each in known if not re.fullmatch(r"[a-z]+(_[a-z]+)*", each[1]) or not each[2]] == []
    assert [name for name, codes in CODES.items() if len(set(codes.values())) < len(codes)] == []


def test_contract_version_is_major_and_minor() -> None:
    """Two numbers; readers compare the first."""
    assert re.fullmatch(r"\d+\.\d+", CONTRACT_VERSION)


def test_items_are_what_the_tables_hold() -> None:
    """Every field that a parser can fill is a column of the same name; people and slots have the same parts.

    Only the country code is computed.
    """
    assert set(Record._fields) - RECORDS.columns.keys() == set()
    assert {*Person._fields, "country_code"} == {field.name for field in PERSON.fields}
    assert set(Link._fields) == {field.name for field in LINK.fields}
    assert list(Slot._fields) == [field.name for field in SLOT.fields]


def test_every_column_is_filled_in_one_way() -> None:
    """A column comes from the newest sighting or from exactly one unit; the notes of units are declared."""
    assert sorted([*FIXED, *chain.from_iterable(UNITS)]) == sorted(RECORDS.columns)
    assert (set(NOTES_OF_UNIT) - set(UNITS), set().union(*NOTES_OF_UNIT.values()) - NOTES.keys()) == (set(), set())


def test_polars_schema_keeps_names_types_and_order() -> None:
    """The Polars schema has the declared names, types and order."""
    assert list(polars_schema(RECORDS)) == list(RECORDS.columns)
    assert polars_schema(RECORDS)["authors"] == pl.List(PERSON)


# JSON Schema


def test_json_schema_is_valid() -> None:
    """The schema is valid in its own dialect and has exactly the declared columns."""
    Draft202012Validator.check_schema(SCHEMA)
    assert (list(SCHEMA["properties"]), SCHEMA["required"], SCHEMA["additionalProperties"]) == (
        list(RECORDS.columns),
        list(RECORDS.columns),
        False,
    )
    assert CONTRACT_VERSION in SCHEMA["description"]


def test_json_schema_describes_every_column() -> None:
    """Description and nullability are those of the declaration; the meaning of codes follows the description."""

    def is_stated(name: str, declared: Column) -> bool:
        stated = SCHEMA["properties"][name]
        nullable = {"type": "null"} in stated.get("anyOf", [])
        return stated["description"].startswith(describe(declared)) and nullable == declared.nullable

    assert [name for name, declared in RECORDS.columns.items() if not is_stated(name, declared)] == []


@pytest.mark.parametrize(
    ("name", "codes"),
    [("kind", KINDS), ("listing_section", LISTING_SECTIONS), ("formats", FORMATS), ("notes", NOTES)],
)
def test_closed_lists_are_derived(name: str, codes: dict[str, str]) -> None:
    """A closed list is in the JSON Schema with the meaning of each code."""
    stated = SCHEMA["properties"][name]
    assert stated["description"].endswith("; ".join(f"{code}: {meaning}" for code, meaning in codes.items()))
    kind = stated.get("anyOf", [stated])[0]
    assert kind.get("items", kind)["enum"] == sorted(codes)


def test_no_closed_list_is_forgotten() -> None:
    """Every column that is held to a closed list has it in the JSON Schema."""
    checked = {
        name
        for name, declared in RECORDS.columns.items()
        if any(check.name.startswith(("one of", "each one of")) for check in declared.checks)
    }
    assert {name for name, stated in SCHEMA["properties"].items() if '"enum"' in json.dumps(stated)} == checked


def test_json_schema_accepts_a_full_record(record: dict[str, Any]) -> None:
    """A published record with most columns filled is valid."""
    assert (errors(record), record["starts_at"], record["slots"][0]["ends_at"], record["listed_on"]) == (
        [],
        "2025-01-01T09:00:00",
        "2025-01-01T10:00:00",
        "2025-01-02",
    )


def test_json_schema_accepts_a_bare_record(desk: Desk) -> None:
    """A record with null for everything optional is valid."""
    desk.put("fair/a.txt", {"title": "Hay"})
    desk.put("news/a.txt", {"title": "Hay"})
    desk.run()
    assert [errors(record) for record in lines(desk.out)] == [[], []]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"kind": "lecture"}, "$.kind"),
        ({"kind": None}, "$.kind"),
        ({"record_id": None}, "$.record_id"),
        ({"notes": None}, "$.notes"),
        ({"notes": ["made_up"]}, "$.notes[0]"),
        ({"title": 1}, "$.title"),
        ({"engagement": "3"}, "$.engagement"),
        ({"engagement": 3.5}, "$.engagement"),
        ({"line_start": "1"}, "$.line_start"),
        ({"starts_at": "2025-01-01 09:00:00"}, "$.starts_at"),
        ({"starts_at": "2025-01-01T09:00:00Z"}, "$.starts_at"),
        ({"listed_on": "2025-01-01T00:00:00"}, "$.listed_on"),
        ({"listing_section": "old"}, "$.listing_section"),
        ({"formats": ["doc"]}, "$.formats"),
        ({"categories": []}, "$.categories"),
        ({"categories": "cs.DC"}, "$.categories"),
        ({"authors": []}, "$.authors"),
        ({"authors": ["Ann"]}, "$.authors"),
        ({"authors": [{"name": "Ann"}]}, "$.authors"),
        ({"slots": [{"starts_at": "2025-01-01 09:00:00", "ends_at": None, "room": None}]}, "$.slots"),
        ({"extra": 1}, "$"),
    ],
)
def test_json_schema_rejects_a_broken_record(record: dict[str, Any], change: dict[str, Any], path: str) -> None:
    """A wrong type, an unknown code, an empty list or an unknown key is an error at its place."""
    assert errors({**record, **change}) == [path]


def test_json_schema_rejects_a_record_without_a_key(record: dict[str, Any]) -> None:
    """Every column is a key of every line, null or not."""
    lacking = {name: errors({key: value for key, value in record.items() if key != name}) for name in RECORDS.columns}
    assert [name for name, found in lacking.items() if found != ["$"]] == []


def test_json_schema_accepts_every_published_line(published: Path) -> None:
    """Every record of every specimen is valid."""
    records = lines(published)
    assert [(record["record_id"], found) for record in records if (found := errors(record))] == []
    assert len(records) > 0


def test_published_schema_is_the_declared_one(published: Path) -> None:
    """The schema beside the data is the one that is derived."""
    assert json.loads((published / "latest" / "schema.json").read_text(encoding="utf-8")) == SCHEMA


# Data package, Markdown, metadata


def test_data_package_lists_every_file_of_the_tables(desk: Desk) -> None:
    """One resource per file, with a unique valid name; the version is that of the contract."""
    desk.put("fair/a.txt", {"title": "Hay"}, "junk")
    desk.run()
    package = json.loads((desk.out / "latest" / "datapackage.json").read_text(encoding="utf-8"))
    assert package["version"] == CONTRACT_VERSION
    assert {resource["name"]: resource["path"] for resource in package["resources"]} == {
        "captures-fair-parquet": "captures/fair.parquet",
        "changes-parquet": "changes.parquet",
        "json-fair-ndjson": "json/fair.ndjson",
        "parquet-fair-parquet": "parquet/fair.parquet",
        "quarantine-fair-ndjson": "quarantine/fair.ndjson",
        "quarantine-fair-parquet": "quarantine/fair.parquet",
        "sightings-fair-parquet": "sightings/fair.parquet",
        **{f"{name.replace('_', '-')}-parquet": f"{name}.parquet" for name in WORK_TABLES},
    }


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_data_package_fields(table: Table) -> None:
    """Each column is a field in order, with its description, and required where it is never null."""
    (resource,) = data_package([Resource(table, "folder/file.parquet", 1, "0")])["resources"]
    assert resource["schema"] == schema_file(table)
    assert [
        (field["name"], field["description"], field.get("constraints") == {"required": True})
        for field in table_schema(table)["fields"]
    ] == [(name, describe(declared), not declared.nullable) for name, declared in table.columns.items()]


@pytest.mark.parametrize(
    ("table", "name", "kind"),
    [
        (RECORDS, "title", "string"),
        (RECORDS, "authors", "array"),
        (RECORDS, "starts_at", "datetime"),
        (RECORDS, "listed_on", "date"),
        (RECORDS, "engagement", "integer"),
        (RECORDS, "line_start", "integer"),
        (QUARANTINE, "text_length", "integer"),
        (SIGHTINGS, "captured_at", "datetime"),
        (WORK_TABLES["work_members"], "score", "number"),
    ],
)
def test_data_package_types(table: Table, name: str, kind: str) -> None:
    """All types are known to Frictionless."""
    assert {field["name"]: field["type"] for field in table_schema(table)["fields"]}[name] == kind


@pytest.mark.parametrize(
    ("dtype", "name"),
    [
        (pl.String(), "String"),
        (pl.Datetime("us"), "Datetime[us]"),
        (pl.UInt32(), "UInt32"),
        (pl.List(pl.String()), "List[String]"),
        (pl.List(PERSON), "List[Struct{name, affiliation, country, country_code, url}]"),
    ],
)
def test_type_names(dtype: pl.DataType, name: str) -> None:
    """Type names are readable."""
    assert type_name(dtype) == name


def test_markdown_table() -> None:
    """One line a column: name, type, nullability, description with unit."""
    columns = {"a": column(pl.String(), "first", nullable=False), "b": column(pl.Int64(), "second", unit="count")}
    table = Table("letters", "One row a letter.", columns)
    assert markdown_table(table).split("\n") == [
        "| column | type | null | meaning |",
        "|---|---|---|---|",
        "| `a` | String | no | first |",
        "| `b` | Int64 | yes | second (count) |",
    ]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_parquet_metadata(table: Table) -> None:
    """The files carry version, table and the description of every column."""
    stored = parquet_metadata(table, "fair", {"fair@2", "fair@1"})
    assert (stored["conspectus.contract_version"], stored["conspectus.table"]) == (CONTRACT_VERSION, table.name)
    assert json.loads(stored["conspectus.columns"]) == {name: describe(each) for name, each in table.columns.items()}
    found = json.loads(stored["conspectus.provenance"])
    assert (found["source"], found["parsers"], found["runs"]) == ("fair", ["fair@1", "fair@2"], "manifest.json")


def test_checks_are_named_by_what_they_allow() -> None:
    """The name of a check gives the allowed values, since quarantine rows show it."""
    assert (one_of(["b", "a"]).name, each_one_of(["b", "a"]).name) == ("one of a, b", "each one of a, b")
