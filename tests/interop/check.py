"""Opens a dataset with the tools of its readers and compares what they see with its manifest and its table schemas.

    python tests/interop/check.py SNAPSHOT EXPORTS

EXPORTS is what ``tests.interop.prepare`` made. Each tool is a process of its own with a time limit, and one line a
table: rows, columns whose nulls and types were compared. What a tool cannot tell is listed below. The exit code is 1 if
anything disagrees, or if a tool is not there, fails or takes too long.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

LIMIT = 120
"""Seconds that a tool may take."""

NOTHING = "nothing of it was compared"


@dataclass(frozen=True)
class Expected:
    """What the descriptions say of a table: its files' pattern, rows, nulls by column where told, and types."""

    name: str
    pattern: str
    rows: int
    kinds: dict[str, str]
    nulls: dict[str, int]


@dataclass
class Seen:
    """What a tool saw of a table; a column it cannot tell the nulls or the type of is left out of these."""

    rows: int
    nulls: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)


@dataclass
class Line:
    """What came of a table with a tool: rows seen, numbers of columns compared, faults, what was not compared."""

    table: str
    rows: int
    nulls: int = 0
    kinds: int = 0
    faults: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def expected_tables(snapshot: Path) -> list[Expected]:
    """Return what the manifest and the table schemas say of each table."""
    files = json.loads((snapshot / "manifest.json").read_text(encoding="utf-8"))["files"]
    found = []
    for schema in sorted(path for path in files if path.endswith(".schema.json")):
        name = schema.removesuffix(".schema.json")
        folder = {"records": "parquet"}.get(name, name)
        ours = [path for path in files if path == f"{name}.parquet" or path.startswith(f"{folder}/")]
        blocks = [files[path] for path in ours if path.endswith(".parquet")]
        fields = json.loads((snapshot / schema).read_text(encoding="utf-8"))["fields"]
        never = [each["name"] for each in fields if each.get("constraints", {}).get("required")]
        nulls = dict.fromkeys(never, 0)
        if name == "records":  # the manifest has the nulls of this table alone
            nulls = {each["name"]: sum(b.get("nulls", {}).get(each["name"], 0) for b in blocks) for each in fields}
        pattern = f"{name}.parquet" if f"{name}.parquet" in files else f"{folder}/*.parquet"
        kinds = {each["name"]: each["type"] for each in fields}
        found.append(Expected(name, pattern, sum(each["rows"] for each in blocks), kinds, nulls))
    return found


def compare(expected: Expected, seen: Seen) -> Line:
    """Return where a tool saw something else than is described."""
    line = Line(expected.name, seen.rows)
    if seen.rows != expected.rows:
        line.faults.append(f"{seen.rows} rows, expected {expected.rows}")
    if seen.kinds and (missing := [name for name in expected.kinds if name not in seen.kinds]):
        line.faults.append(f"no column {', '.join(missing)}")
    for name, kind in seen.kinds.items():
        if kind != expected.kinds.get(name, "no such column"):
            line.faults.append(f"{name} is {kind}, expected {expected.kinds.get(name, 'no such column')}")
    for name, nulls in expected.nulls.items():
        if name in seen.nulls and seen.nulls[name] != nulls:
            line.faults.append(f"{name} has {seen.nulls[name]} nulls, expected {nulls}")
    line.kinds, line.nulls = len(seen.kinds), len(seen.nulls.keys() & expected.nulls)
    if len(seen.kinds) < len(expected.kinds):
        line.unchecked.append(f"types of {len(expected.kinds) - len(seen.kinds)} columns")
    if line.nulls < len(expected.kinds):
        line.unchecked.append(f"nulls of {len(expected.kinds) - line.nulls} columns")
    return line


def kind_of(name: str) -> str:
    """Return the type of a table schema for the name that a tool has for a type of its own; else the name itself."""
    lowered = name.lower()
    starts = (
        *((each, "array") for each in ("list", "large_list", "sequence")),
        *((each, "datetime") for each in ("timestamp", "datetime")),
        *((each, "integer") for each in ("int", "uint", "bigint", "uinteger", "ubigint", "hugeint")),
        *((each, "number") for each in ("double", "float")),
        *((each, "string") for each in ("str", "string", "large_string", "varchar", "text")),
        ("bool", "boolean"),
        ("date", "date"),
    )
    known = (kind for start, kind in starts if lowered.startswith(start))
    return "array" if lowered.endswith("[]") else next(known, name)


def by_duckdb(snapshot: Path, table: Expected) -> Seen:
    """Read the files of a table by their pattern."""
    import duckdb

    found = duckdb.read_parquet(f"{snapshot}/{table.pattern}")
    counts = ", ".join(f'count(*) - count("{name}")' for name in found.columns)
    rows, *nulls = found.aggregate(f"count(*), {counts}").fetchall()[0]
    kinds = {name: kind_of(str(kind)) for name, kind in zip(found.columns, found.types, strict=True)}
    return Seen(rows, dict(zip(found.columns, nulls, strict=True)), kinds)


def by_polars(snapshot: Path, table: Expected) -> Seen:
    """Read the files of a table by their pattern."""
    import polars as pl

    found = pl.read_parquet(snapshot / table.pattern)
    kinds = {name: kind_of(str(kind)) for name, kind in found.schema.items()}
    return Seen(found.height, found.null_count().to_dicts()[0], kinds)


def by_pyarrow(snapshot: Path, table: Expected) -> Seen:
    """Read a list of the files."""
    import pyarrow.parquet as pq

    found = pq.read_table([str(file) for file in sorted(snapshot.glob(table.pattern))])
    kinds = {each.name: kind_of(str(each.type)) for each in found.schema}
    return Seen(found.num_rows, {name: found[name].null_count for name in found.column_names}, kinds)


def by_pandas(snapshot: Path, table: Expected) -> Seen:
    """Read a list of the files, with types of Arrow: those of NumPy have no integers beside nulls, and no lists."""
    import pandas as pd

    files: Any = [str(file) for file in sorted(snapshot.glob(table.pattern))]  # the stubs know no list
    found = pd.read_parquet(files, dtype_backend="pyarrow")
    kinds = {str(name): kind_of(str(kind)) for name, kind in found.dtypes.items()}
    return Seen(len(found), {str(name): int(found[name].isna().sum()) for name in found.columns}, kinds)


def by_datasets(snapshot: Path, table: Expected) -> Seen:
    """Load the configuration of the table that the card names, as the hub would; it calls one without rows an error."""
    import datasets

    with tempfile.TemporaryDirectory() as cache:
        try:
            found = datasets.load_dataset(str(snapshot), table.name, cache_dir=cache, split="train")
        except ValueError as error:
            if "corresponds to no data" in str(error):
                return Seen(0)
            raise
        columns = found.data.table
        kinds = {each.name: kind_of(str(each.type)) for each in columns.schema}
        return Seen(found.num_rows, {name: columns[name].null_count for name in columns.column_names}, kinds)


def by_mlcroissant(snapshot: Path, table: Expected) -> Seen:
    """Read the record set of the table; a null list of structs comes as a list, so its nulls are not compared.

    Types are those that ``croissant.json`` describes: whatever a file has is cast to them.
    """
    import mlcroissant

    found = mlcroissant.Dataset(jsonld=str(snapshot / "croissant.json"))
    (described,) = [each for each in found.metadata.record_sets if each.id == table.name]
    rows = list(found.records(table.name))
    kinds, nulls = {}, {}
    for each in described.fields:
        name = each.id.partition("/")[2]
        if not each.sub_fields:
            nulls[name] = sum(row[each.id] is None for row in rows)
        kind = each.data_types[0].rsplit("/", 1)[-1] if each.data_types else ""
        kinds[name] = "array" if each.repeated else {"DateTime": "datetime", "Float": "number"}.get(kind, kind_of(kind))
    return Seen(len(rows), nulls, kinds)


TABLE_TOOLS: dict[str, Callable[[Path, Expected], Seen]] = {
    "duckdb": by_duckdb,
    "polars": by_polars,
    "pyarrow": by_pyarrow,
    "pandas": by_pandas,
    "datasets": by_datasets,
    "mlcroissant": by_mlcroissant,
}


def by_frictionless(snapshot: Path, _: Path) -> Iterator[Line]:
    """Validate the data package: hashes and sizes of all files, rows and types of NDJSON."""
    from frictionless import Package

    files = json.loads((snapshot / "manifest.json").read_text(encoding="utf-8"))["files"]
    package = Package.from_descriptor(str(snapshot / "datapackage.json"))
    for task in package.validate().tasks:
        path = task.place
        lines = Line(path, task.stats.get("rows") or 0, kinds=task.stats.get("fields") or 0)
        lines.faults += [str(message) for (message,) in task.flatten(["message"])]
        if not path.endswith(".ndjson"):
            lines.rows = files[path]["rows"]
            lines.unchecked.append("rows, nulls and types of Parquet: it checks size and hash alone")
        elif lines.rows != files[path]["rows"]:
            lines.faults.append(f"{lines.rows} rows, expected {files[path]['rows']}")
        yield lines


def by_check_jsonschema(snapshot: Path, _: Path) -> Iterator[Line]:
    """Validate each line of the records as JSON against the published schema."""
    from check_jsonschema import main  # type: ignore[import-untyped]  # ships no types
    from click.testing import CliRunner

    files = json.loads((snapshot / "manifest.json").read_text(encoding="utf-8"))["files"]
    for path, block in files.items():
        if not path.startswith("json/"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            texts = (snapshot / path).read_text(encoding="utf-8").splitlines()
            line = Line(path, len(texts))
            names = [Path(folder) / f"{number}.json" for number in range(len(texts))]
            for name, text in zip(names, texts, strict=True):
                name.write_text(text, encoding="utf-8")
            done = CliRunner().invoke(main, ["--schemafile", str(snapshot / "schema.json"), *map(str, names)])
            if names and done.exit_code:
                line.faults.append(" ".join(done.output.split())[:300])
            if len(texts) != block["rows"]:
                line.faults.append(f"{len(texts)} rows, expected {block['rows']}")
            yield line


def by_icalendar(_: Path, exports: Path) -> Iterator[Line]:
    """Parse the calendar."""
    from icalendar import Calendar

    calendar = Calendar.from_ical((exports / "export.ics").read_bytes())
    yield as_told(exports, "ics", len(calendar.walk("VEVENT")), len(calendar.errors))


def by_bibtexparser(_: Path, exports: Path) -> Iterator[Line]:
    """Parse the bibliography."""
    from bibtexparser.entrypoint import parse_file

    library = parse_file(str(exports / "export.bibtex"))
    yield as_told(exports, "bibtex", len(library.entries), len(library.failed_blocks))


def by_sqlite3(snapshot: Path, exports: Path) -> Iterator[Line]:
    """Open the database, check it, and count the rows of the tables that the dataset has, too."""
    import sqlite3

    with closing(sqlite3.connect(f"file:{exports / 'export.sqlite'}?mode=ro", uri=True)) as database:
        faults = [row[0] for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
        there = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in expected_tables(snapshot):
            if table.name not in there:
                yield Line(table.name, 0, unchecked=["all: the export has no such table"])
                continue
            (rows,) = database.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()  # noqa: S608  # our names
            line = compare(table, Seen(rows))
            line.faults += faults
            line.unchecked = ["nulls and types: a database has lists in other tables, and times as text"]
            yield line


def as_told(exports: Path, name: str, seen: int, failed: int) -> Line:
    """Compare what was parsed of an export with what the command said that it wrote."""
    told = (exports / f"{name}.txt").read_text(encoding="utf-8")
    written = next(int(line.split()[1]) for line in told.splitlines() if line.startswith("written: "))
    line = Line(f"export {name}", seen)
    if seen != written:
        line.faults.append(f"{seen} entries, expected {written}")
    if failed:
        line.faults.append(f"{failed} parts could not be parsed")
    return line


FILE_TOOLS: dict[str, Callable[[Path, Path], Iterable[Line]]] = {
    "frictionless": by_frictionless,
    "check-jsonschema": by_check_jsonschema,
    "icalendar": by_icalendar,
    "bibtexparser": by_bibtexparser,
    "sqlite3": by_sqlite3,
}


def look(tool: str, snapshot: Path, exports: Path) -> list[Line]:
    """Return what came of each table with a tool; a table that it cannot open is a fault."""
    if tool in FILE_TOOLS:
        return list(FILE_TOOLS[tool](snapshot, exports)) or [Line("", 0, faults=[NOTHING])]
    lines = []
    for table in expected_tables(snapshot):
        try:
            lines.append(compare(table, TABLE_TOOLS[tool](snapshot, table)))
        except ImportError:
            raise
        except Exception as error:  # noqa: BLE001  # each tool has its own, and the next table is opened all the same
            lines.append(Line(table.name, 0, faults=[f"was not opened: {type(error).__name__}: {error}"[:300]]))
    return lines or [Line("", 0, faults=[NOTHING])]


def run(tool: str, snapshot: Path, exports: Path, limit: float = LIMIT) -> list[Line]:
    """Look with a tool in a process of its own; one that fails or takes too long is a fault."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, str(Path(__file__).resolve()), str(snapshot), str(exports), tool]
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **offline, "HF_HOME": home}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=environment, check=False)
        except subprocess.TimeoutExpired:
            return [Line("", 0, faults=[f"took more than {limit:g} s: {NOTHING}"])]
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["without a word"])[-1]
        return [Line("", 0, faults=[f"failed: {last}: {NOTHING}"])]
    return [Line(**each) for each in json.loads(done.stdout.splitlines()[-1])]


def version_of(tool: str) -> str:
    """Return the installed version of a tool, empty for one of Python itself or one that is not there."""
    try:
        return importlib.metadata.version(tool)
    except importlib.metadata.PackageNotFoundError:
        return ""


def main(
    snapshot: Path, exports: Path, tools: Iterable[str] = (*TABLE_TOOLS, *FILE_TOOLS), limit: float = LIMIT
) -> int:
    """Look with all tools, print a line a table and what disagrees or was not compared; return the exit code."""
    faults, unchecked = [], []
    sys.stdout.write(f"{'tool':26}{'table':44}{'rows':>8}{'nulls':>8}{'types':>8}\n")
    for tool in tools:
        named = f"{tool} {version_of(tool)}".strip()
        for line in run(tool, snapshot, exports, limit):
            state = "  differs" if line.faults else ""
            sys.stdout.write(f"{named:26}{line.table[:43]:44}{line.rows:8}{line.nulls:8}{line.kinds:8}{state}\n")
            faults += [f"{tool}: {line.table}: {fault}" for fault in line.faults]
            unchecked += [f"{tool}: {line.table}: {what}" for what in line.unchecked]
    for heading, texts in (("not compared", unchecked), ("disagrees", faults)):
        sys.stdout.write(f"\n{heading}: {len(texts)}\n" + "".join(f"  {text}\n" for text in texts))
    return 1 if faults else 0


if __name__ == "__main__":
    where, beside, *chosen = sys.argv[1:]
    if chosen:
        sys.stdout.write(json.dumps([asdict(line) for line in look(chosen[0], Path(where), Path(beside))]) + "\n")
    else:
        raise SystemExit(main(Path(where).resolve(), Path(beside)))
