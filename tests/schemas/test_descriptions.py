"""The descriptions of a dataset: third-party validators accept schema and data package, the README is complete."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from check_jsonschema import main as check_jsonschema  # type: ignore[import-untyped]  # ships no types
from click.testing import CliRunner
from frictionless import Package

from schemas.card import dataset_card, size_category
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES
from schemas.works import WORK_TABLES

pytestmark = pytest.mark.untraced


@pytest.fixture
def snapshot(published: Path) -> Path:
    """Return the folder that the link to the newest snapshot names."""
    return (published / "latest").resolve()


def test_the_schema_is_valid(snapshot: Path) -> None:
    """The published schema passes check-jsonschema against its own draft."""
    done = CliRunner().invoke(check_jsonschema, ["--check-metaschema", str(snapshot / "schema.json")])
    assert (done.exit_code, "ok" in done.output) == (0, True)


def test_the_schema_accepts_every_record(snapshot: Path, tmp_path: Path) -> None:
    """The published schema passes every NDJSON line and fails a damaged one."""
    lines = [line for file in sorted((snapshot / "json").glob("*")) for line in file.read_text("utf-8").splitlines()]
    files = [tmp_path / f"{number}.json" for number in range(len(lines))]
    for file, line in zip(files, lines, strict=True):
        file.write_text(line, encoding="utf-8")
    damaged = tmp_path / "damaged.json"
    damaged.write_text(json.dumps({**json.loads(lines[0]), "kind": "picnic"}), encoding="utf-8")
    command = ["--schemafile", str(snapshot / "schema.json")]
    good = CliRunner().invoke(check_jsonschema, [*command, *map(str, files)])
    bad = CliRunner().invoke(check_jsonschema, [*command, str(damaged)])
    assert (good.exit_code, bad.exit_code, len(files) > 50) == (0, 1, True)


def test_the_data_package_is_valid(snapshot: Path) -> None:
    """Frictionless accepts the descriptor and every file: size, hash, and the fields of NDJSON."""
    package = Package.from_descriptor(str(snapshot / "datapackage.json"))
    paths = {resource.path for resource in package.resources}
    there = {
        file.relative_to(snapshot).as_posix()
        for file in snapshot.rglob("*.*")
        if file.suffix in {".parquet", ".ndjson"} and file.stat().st_size
    }
    report = package.validate()
    assert (report.valid, report.flatten(["message"]), paths) == (True, [], there)


def test_the_data_package_knows_a_damaged_parquet_file(snapshot: Path, tmp_path: Path) -> None:
    """A byte too many fails hash and size."""
    shutil.copytree(snapshot, tmp_path / "copy")
    with (tmp_path / "copy" / "changes.parquet").open("ab") as opened:
        opened.write(b"x")
    package = Package.from_descriptor(str(tmp_path / "copy" / "datapackage.json"))
    (damaged,) = (resource for resource in package.resources if resource.path == "changes.parquet")
    report = damaged.validate()
    assert report.flatten(["type"]) == [["hash-count"], ["byte-count"]]


def test_the_header_of_the_readme_is_a_dataset_card(snapshot: Path) -> None:
    """The YAML header has what hubs read: the size, and one configuration with existing files per table."""
    text = (snapshot / "README.md").read_text(encoding="utf-8")
    _, header, body = text.split("---\n", 2)
    card = yaml.safe_load(header)
    assert [config["config_name"] for config in card["configs"]] == [
        "records",
        "sightings",
        "quarantine",
        "captures",
        "changes",
        *WORK_TABLES,
    ]
    assert [config for config in card["configs"] if not list(snapshot.glob(config["data_files"]))] == []
    assert (card["size_categories"], f"version {CONTRACT_VERSION}" in " ".join(body.split())) == (["n<1K"], True)


def test_the_readme_tells_every_source_and_column() -> None:
    """The README has each source with its rows, and every column of every table."""
    text = dataset_card({"fair": 1200, "news": 7})
    columns = {name for table in (*TABLES.values(), CHANGES, *WORK_TABLES.values()) for name in table.columns}
    assert ("| fair | 1200 |\n| news | 7 |" in text, "1K<n<10K" in text) == (True, True)
    assert [name for name in columns if f"| `{name}` |" not in text] == []


@pytest.mark.parametrize(
    ("rows", "category"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (10**6, "1M<n<10M"), (10**7, "n>10M")],
)
def test_size_categories(rows: int, category: str) -> None:
    """The size classes of dataset hubs."""
    assert size_category(rows) == category


def test_parquet_files_say_what_they_are(snapshot: Path) -> None:
    """The metadata of every file has contract version, table and column descriptions."""
    files = sorted(snapshot.rglob("*.parquet"))
    stored = {file: pq.read_metadata(file).metadata for file in files}
    versions = {metadata[b"conspectus.contract_version"].decode() for metadata in stored.values()}
    assert ({metadata[b"conspectus.table"].decode() for metadata in stored.values()}, versions) == (
        {*TABLES, "changes", *WORK_TABLES},
        {CONTRACT_VERSION},
    )


def test_croissant_tells_every_parquet_file(snapshot: Path) -> None:
    """Each Parquet file is there once with the hash and size of the manifest; the sets of folders match them all."""
    description = json.loads((snapshot / "croissant.json").read_text(encoding="utf-8"))
    manifest = json.loads((snapshot / "manifest.json").read_text(encoding="utf-8"))["files"]
    files = [each for each in description["distribution"] if each["@type"] == "cr:FileObject"]
    assert [(each["contentUrl"], each["sha256"], each["contentSize"]) for each in files] == [
        (path, block["sha256"], f"{block['bytes']} B")
        for path, block in sorted(manifest.items())
        if path.endswith(".parquet")
    ]
    patterns = [each["includes"] for each in description["distribution"] if each["@type"] == "cr:FileSet"]
    matched = {file.relative_to(snapshot).as_posix() for pattern in patterns for file in snapshot.glob(pattern)}
    assert matched == {each["contentUrl"] for each in files if "/" in each["contentUrl"]}
    assert "croissant.json" in manifest


def test_croissant_has_a_record_set_for_each_table(snapshot: Path) -> None:
    """Each table is one record set, whose fields are its columns, read from a file or set that is described."""
    description = json.loads((snapshot / "croissant.json").read_text(encoding="utf-8"))
    sets = {each["@id"]: each for each in description["recordSet"]}
    tables = {table.name: table for table in (*TABLES.values(), CHANGES, *WORK_TABLES.values())}
    assert {name: [field["@id"].partition("/")[2] for field in each["field"]] for name, each in sets.items()} == {
        name: list(table.columns) for name, table in tables.items()
    }
    fields = [field for each in sets.values() for field in each["field"]]
    leaves = [leaf for field in fields for leaf in field.get("subField", [field])]
    named = {each["@id"] for each in description["distribution"]}
    origins = [leaf["source"].get("fileSet", leaf["source"].get("fileObject"))["@id"] for leaf in leaves]
    assert (set(origins) - named, len(origins) > len(fields)) == (set(), True)


@pytest.mark.parametrize(
    ("name", "kind", "repeated"),
    [
        ("records/title", "sc:Text", False),
        ("records/starts_at", "sc:DateTime", False),
        ("records/listed_on", "sc:Date", False),
        ("records/line_start", "sc:Integer", False),
        ("captures/feeds", "sc:Boolean", False),
        ("work_members/score", "sc:Float", False),
        ("records/keywords", "sc:Text", True),
    ],
)
def test_types_of_croissant(snapshot: Path, name: str, kind: str, *, repeated: bool) -> None:
    """The type of a column, and whether it is a list."""
    description = json.loads((snapshot / "croissant.json").read_text(encoding="utf-8"))
    fields = {field["@id"]: field for each in description["recordSet"] for field in each["field"]}
    assert (fields[name]["dataType"], fields[name].get("repeated", False)) == (kind, repeated)


def test_croissant_opens_structs_by_their_keys(snapshot: Path) -> None:
    """A list of structs is a repeated field, whose parts are read from its column by their keys."""
    description = json.loads((snapshot / "croissant.json").read_text(encoding="utf-8"))
    fields = {field["@id"]: field for each in description["recordSet"] for field in each["field"]}
    slots = fields["records/slots"]
    parts = [
        (part["@id"], part["dataType"], part["source"]["extract"], part["source"]["transform"])
        for part in slots["subField"]
    ]
    column = {"column": "slots"}
    assert (slots["repeated"], "dataType" in slots, parts) == (
        True,
        False,
        [
            ("records/slots/starts_at", "sc:DateTime", column, {"jsonPath": "starts_at"}),
            ("records/slots/ends_at", "sc:DateTime", column, {"jsonPath": "ends_at"}),
            ("records/slots/room", "sc:Text", column, {"jsonPath": "room"}),
        ],
    )
