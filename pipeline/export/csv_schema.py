"""The columns of the CSV format as a Table Schema (Frictionless): else readers take ``2507.07120`` for a number."""

import json
from pathlib import Path
from typing import Final

from pipeline.export._format import ExportFormat, Report
from pipeline.viewing.selection import Selection
from schemas.tables import RECORDS, polars_schema

_KINDS: Final = {"Datetime": "datetime", "Date": "date", "Int": "integer", "UInt": "integer"}


def write(_selection: Selection, file: Path) -> Report:
    """Write the schema, which is that of all selections."""
    fields = [
        {
            "name": name,
            "type": next((_KINDS[each] for each in _KINDS if str(kind).startswith(each)), "string"),
            "description": RECORDS.columns[name].description,
        }
        for name, kind in polars_schema(RECORDS).items()
    ]
    schema = {"fields": fields, "missingValues": [""], "primaryKey": ["record_id"]}
    file.write_text(json.dumps(schema, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return Report(len(fields), "columns")


FORMAT = ExportFormat("csv-schema", ".json", write)
