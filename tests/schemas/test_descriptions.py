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
    report = Package.from_descriptor(str(tmp_path / "copy" / "datapackage.json")).validate()
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
