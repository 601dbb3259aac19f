"""Renders the declarations as Croissant 1.0, the JSON-LD by which catalogues and loaders know a dataset.

Only the Parquet files are described: each as a file, each table as one set of records. Nothing is declared here. No
property is given that the data do not tell: licence, address, authors and day of publication belong to whoever
publishes the folder, who adds them.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

import polars as pl

from schemas.describe import Resource, describe, instance_of
from schemas.tables import CONTRACT_VERSION, Column, Table

CROISSANT: Final = "croissant.json"
"""The name of the file in a snapshot."""

_PARQUET: Final = "application/x-parquet"
"""The name that Croissant has for Parquet; the registered one of the data package is not known to its loaders."""

_TERMS: Final = """
    citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes isLiveDataset
    jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source subField
    transform
""".split()
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
"""The context as Croissant 1.0 gives it, whole: loaders warn of any other."""


def croissant(resources: Iterable[Resource]) -> dict[str, Any]:
    """Return the Croissant description of the Parquet files among these, each table once, in the order of its name.

    A table in a folder is the set of all files there, one in the snapshot itself is its file.
    """
    files = sorted((each for each in resources if each.path.endswith(".parquet")), key=lambda each: each.path)
    by_table = sorted(files, key=lambda each: each.table.name)
    tables = {name: next(each) for name, each in groupby(by_table, key=lambda each: each.table.name)}
    sets = [_file_set(each) for each in tables.values() if "/" in each.path]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "conspectus",
        "description": "Papers, talks and events of conference programmes and paper listings, as people publish them.",
        "version": f"{CONTRACT_VERSION}.0",
        "distribution": [*(_file_object(each) for each in files), *sets],
        "recordSet": [_record_set(each) for each in tables.values()],
    }


def _file_object(resource: Resource) -> dict[str, Any]:
    """Describe one file, by its path below the description."""
    return {
        "@type": "cr:FileObject",
        "@id": resource.path,
        "name": resource.path,
        "contentUrl": resource.path,
        "contentSize": f"{resource.size} B",
        "encodingFormat": _PARQUET,
        "sha256": resource.sha256,
    }


def _file_set(resource: Resource) -> dict[str, Any]:
    """Describe all files of a table, given one of them."""
    return {
        "@type": "cr:FileSet",
        "@id": _set_id(resource),
        "name": _set_id(resource),
        "description": f"All files of the table {resource.table.name}.",
        "encodingFormat": _PARQUET,
        "includes": _set_id(resource),
    }


def _set_id(resource: Resource) -> str:
    """Return the pattern of all files of a table, by which the set is also named."""
    return f"{resource.path.partition('/')[0]}/*.parquet"


def _record_set(resource: Resource) -> dict[str, Any]:
    """Describe the rows of a table, given one of its files."""
    table = resource.table
    files = {"fileSet": {"@id": _set_id(resource)}} if "/" in resource.path else {"fileObject": {"@id": resource.path}}
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        **({"key": [{"@id": f"{table.name}/{column}"} for column in table.unique]} if table.unique else {}),
        "field": [_field(table, name, declared, files) for name, declared in table.columns.items()],
    }


def _field(table: Table, name: str, declared: Column, files: dict[str, Any]) -> dict[str, Any]:
    """Describe a column; of a list of structs each field has one of its own, read from the column by its key."""
    dtype = instance_of(declared.dtype)
    inner = instance_of(dtype.inner) if isinstance(dtype, pl.List) else dtype
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{name}",
        "name": f"{table.name}/{name}",
        "description": describe(declared),
    }
    source = {**files, "extract": {"column": name}}
    if isinstance(dtype, pl.List):
        field["repeated"] = True
    if not isinstance(inner, pl.Struct):
        return {**field, "dataType": _data_type(inner), "source": source}
    parts = [
        {
            "@type": "cr:Field",
            "@id": f"{table.name}/{name}/{part.name}",
            "name": f"{table.name}/{name}/{part.name}",
            "dataType": _data_type(instance_of(part.dtype)),
            "source": {**source, "transform": {"jsonPath": part.name}},
        }
        for part in inner.fields
    ]
    return {**field, "subField": parts}


def _data_type(dtype: pl.DataType) -> str:
    """Return the Croissant type of a value."""
    match dtype:
        case pl.Datetime():
            return "sc:DateTime"
        case pl.Date():
            return "sc:Date"
        case pl.Int64() | pl.UInt32() | pl.UInt64():
            return "sc:Integer"
        case pl.Float64():
            return "sc:Float"
        case pl.Boolean():
            return "sc:Boolean"
    return "sc:Text"
