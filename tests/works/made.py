"""Invented records for the tests of works."""

from typing import Any

import polars as pl

from schemas.tables import RECORDS, polars_schema

TYPES = polars_schema(RECORDS)
ADA, BO, CY, DOT = "Ada Quill", "Bo Ferns", "Cy Moss", "Dot Reed"
TITLE = "Less sugar in every pot of jam"


def records(*given: dict[str, Any]) -> pl.DataFrame:
    """Return records with these columns; authors are names, the id is the source and a key."""
    rows = []
    for number, row in enumerate(given):
        people = row.get("authors", (ADA, BO))
        source = row.get("source", f"s{number}")
        rows.append(
            {
                "record_id": f"{source}:{number}",
                "kind": "paper",
                "title": TITLE,
                "notes": [],
                **row,
                "source": source,
                "authors": [{"name": name} for name in people] if people else None,
            }
        )
    return pl.DataFrame(rows, schema=TYPES)
