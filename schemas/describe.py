"""Renders the declarations of ``schemas.tables`` as JSON Schema, data package, Markdown and Parquet metadata.

Nothing is declared here; a column that changes in ``schemas.tables`` changes in all of these.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import polars as pl

from schemas.tables import CONTRACT_VERSION, RECORDS, Column, Table
from schemas.vocabulary import CHANGE_KINDS, FORMATS, KINDS, LINKS, LISTING_SECTIONS, NOTES, REASONS, STAGES

DATETIME_PATTERN: Final = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$"
DATE_PATTERN: Final = r"^\d{4}-\d{2}-\d{2}$"

_MEDIA_TYPES: Final = {"parquet": "application/vnd.apache.parquet", "ndjson": "application/x-ndjson"}
_PROVENANCE: Final = {
    "rows": "dump, dump_sha256, line_start and line_end of a row name its place below the raw root",
    "runs": "manifest.json",
}
_CLOSED: Final = {"kind": KINDS, "listing_section": LISTING_SECTIONS, "formats": FORMATS, "notes": NOTES}


def parquet_metadata(table: Table, source: str | None = None, parsers: Iterable[str] = ()) -> dict[str, str]:
    """Return the key-value metadata of a table's Parquet files: contract version, column descriptions, provenance.

    Provenance is the source of the file and the parsers of its rows; runs and times are only in the manifest, or the
    same dumps would give different bytes every night.
    """
    columns = {name: describe(declared) for name, declared in table.columns.items()}
    return {
        "conspectus.contract_version": CONTRACT_VERSION,
        "conspectus.table": table.name,
        "conspectus.columns": json.dumps(columns, ensure_ascii=False),
        "conspectus.provenance": json.dumps({"source": source, "parsers": sorted(parsers), **_PROVENANCE}),
    }


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of a records NDJSON file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "conspectus record",
        "description": f"{RECORDS.description} Contract version {CONTRACT_VERSION}.",
        "type": "object",
        "properties": {name: _json_property(name, declared) for name, declared in RECORDS.columns.items()},
        "required": list(RECORDS.columns),
        "additionalProperties": False,
    }


class Resource(NamedTuple):
    """A file of a data package: its table, its path below the package, its size in bytes and its SHA-256."""

    table: Table
    path: str
    size: int
    sha256: str


def table_schema(table: Table) -> dict[str, Any]:
    """Return the Frictionless table schema of all files of a table."""
    return {"fields": [_field(key, declared) for key, declared in table.columns.items()]}


def schema_file(table: Table) -> str:
    """Return the name of the file that holds the table schema, beside the descriptor."""
    return f"{table.name}.schema.json"


def data_package(resources: Iterable[Resource]) -> dict[str, Any]:
    """Return a Frictionless descriptor of these files; the schema of each table is in a file of its own."""
    return {
        "name": "conspectus",
        "title": "Conference programmes and paper listings",
        "version": CONTRACT_VERSION,
        "resources": [_resource(resource) for resource in resources],
    }


def _resource(resource: Resource) -> dict[str, Any]:
    """Describe one file; its name is its path, in the characters that names may have.

    A Parquet file carries its own types: readers of data packages check it as a file, by size and hash, since they
    would read its lists and nulls as another library sees them.
    """
    format_ = resource.path.rsplit(".", 1)[1]
    return {
        "name": re.sub(r"[^a-z0-9]+", "-", resource.path),
        "type": "file" if format_ == "parquet" else "table",
        "path": resource.path,
        "format": format_,
        "mediatype": _MEDIA_TYPES[format_],
        "bytes": resource.size,
        "hash": f"sha256:{resource.sha256}",
        "schema": schema_file(resource.table),
    }


def markdown_table(table: Table) -> str:
    """Return the columns of a table as a Markdown table."""
    null = {True: "yes", False: "no"}
    rows = [
        f"| `{name}` | {type_name(declared.dtype)} | {null[declared.nullable]} | {describe(declared)} |"
        for name, declared in table.columns.items()
    ]
    return "\n".join(["| column | type | null | meaning |", "|---|---|---|---|", *rows])


def markdown_codes() -> str:
    """Return the closed lists with the meaning of each code as a Markdown table."""
    lists = {"kind": KINDS, "listing_section": LISTING_SECTIONS, "links.rel": LINKS, "formats": FORMATS, "notes": NOTES}
    lists |= {"stage": STAGES, "reason": REASONS, "change": CHANGE_KINDS}
    rows = [f"| `{name}` | `{code}` | {meaning} |" for name, codes in lists.items() for code, meaning in codes.items()]
    return "\n".join(["| column | code | meaning |", "|---|---|---|", *rows])


def describe(declared: Column) -> str:
    """Return the description of a column with its unit."""
    return f"{declared.description} ({declared.unit})" if declared.unit else declared.description


def type_name(dtype: pl.DataType) -> str:
    """Return a polars type in readable form, such as ``List[Struct{name, affiliation, country}]``."""
    if isinstance(dtype, pl.List):
        return f"List[{type_name(dtype.inner)}]"  # type: ignore[arg-type]  # the declarations hold instances
    if isinstance(dtype, pl.Struct):
        return f"Struct{{{', '.join(field.name for field in dtype.fields)}}}"
    return "Datetime[us]" if isinstance(dtype, pl.Datetime) else str(dtype)


def _json_property(name: str, declared: Column) -> dict[str, Any]:
    """Describe one column as a property of the JSON object."""
    kind = _json_type(declared.dtype)
    if name in _CLOSED:
        closed = {"enum": sorted(_CLOSED[name])}
        kind = {**kind, "items": {**kind["items"], **closed}} if kind["type"] == "array" else {**kind, **closed}
    if kind["type"] == "array" and name != "notes":
        kind["minItems"] = 1
    if declared.nullable:
        kind = {"anyOf": [kind, {"type": "null"}]}
    meanings = "; ".join(f"{code}: {meaning}" for code, meaning in _CLOSED.get(name, {}).items())
    return {"description": f"{describe(declared)}. {meanings}" if meanings else describe(declared), **kind}


def _json_type(dtype: pl.DataType) -> dict[str, Any]:
    """Return the JSON Schema of a polars type as written to the NDJSON files."""
    dtype = instance_of(dtype)
    match dtype:
        case pl.List():
            return {"type": "array", "items": _json_type(dtype.inner)}  # type: ignore[arg-type]  # as above
        case pl.Struct():
            fields = {field.name: {"anyOf": [_json_type(field.dtype), {"type": "null"}]} for field in dtype.fields}  # type: ignore[arg-type]  # as above
            return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        case pl.Datetime():
            return {"type": "string", "pattern": DATETIME_PATTERN}
        case pl.Date():
            return {"type": "string", "pattern": DATE_PATTERN}
        case pl.Int64() | pl.UInt32():
            return {"type": "integer"}
    return {"type": "string"}


def _field(name: str, declared: Column) -> dict[str, Any]:
    """Describe one column as a Frictionless field."""
    match instance_of(declared.dtype):
        case pl.List():
            kind = "array"
        case pl.Datetime():
            kind = "datetime"
        case pl.Date():
            kind = "date"
        case pl.Int64() | pl.UInt32() | pl.UInt64():
            kind = "integer"
        case pl.Float64():
            kind = "number"
        case pl.Boolean():
            kind = "boolean"
        case _:
            kind = "string"
    field: dict[str, Any] = {"name": name, "type": kind, "description": describe(declared)}
    return field if declared.nullable else {**field, "constraints": {"required": True}}


def instance_of(dtype: Any) -> pl.DataType:  # noqa: ANN401  # polars gives plain types as classes, others as instances
    """Return a polars type as an instance, which is what patterns match."""
    instance: pl.DataType = dtype() if isinstance(dtype, type) else dtype
    return instance
