"""The README of a published dataset: its content, its tables and columns, how to read it, with a dataset card header.

Derived from the declarations of ``schemas.tables``; nothing is declared here. The header is the YAML that dataset hubs
read; it gives the licence as unknown, since titles and abstracts belong to their authors.
"""

from collections.abc import Mapping
from typing import Final

from schemas.describe import markdown_codes, markdown_table
from schemas.tables import CAPTURES, CHANGES, CONTRACT_VERSION, QUARANTINE, RECORDS, SIGHTINGS
from schemas.works import WORK_TABLES

_SIZES: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
_FILES: Final = (
    (RECORDS, "parquet/*.parquet"),
    (SIGHTINGS, "sightings/*.parquet"),
    (QUARANTINE, "quarantine/*.parquet"),
    (CAPTURES, "captures/*.parquet"),
    (CHANGES, "changes.parquet"),
    *((table, f"{name}.parquet") for name, table in WORK_TABLES.items()),
)
_TEXT: Final = """
# Conference programmes and paper listings

Papers, talks and programme events, read from conference programmes and paper listings as people publish them. Contract
version {version}. Null means "the source does not say"; times are wall clocks at the venue, without zone.

| source | records |
|---|---|
{sources}

Every file stands in `manifest.json` with its SHA-256 and rows; `schema.json` is the JSON Schema of a line of
`json/*.ndjson`, `datapackage.json` describes all tables, `croissant.json` the Parquet files as Croissant 1.0. Where
this folder is reached by a link, resolve the link once:

```sql
SELECT source, kind, count(*) FROM 'parquet/*.parquet' GROUP BY ALL ORDER BY ALL;
SELECT title, unnest(authors, recursive := true) FROM 'parquet/*.parquet';
```

{tables}
## Codes

{codes}
"""


def dataset_card(rows: Mapping[str, int]) -> str:
    """Return the README of a dataset with these numbers of records by source."""
    configs = [f"- config_name: {table.name}\n  data_files: {path}" for table, path in _FILES]
    header = [
        "---",
        "pretty_name: Conference programmes and paper listings",
        "license: unknown",
        f"size_categories:\n- {size_category(sum(rows.values()))}",
        "configs:",
        f"{configs[0]}\n  default: true",
        *configs[1:],
        "---",
    ]
    tables = [f"## {table.name}\n\n{table.description}\n\n{markdown_table(table)}\n" for table, _ in _FILES]
    text = _TEXT.format(
        version=CONTRACT_VERSION,
        sources="\n".join(f"| {source} | {number} |" for source, number in sorted(rows.items())),
        tables="\n".join(tables),
        codes=markdown_codes(),
    )
    return "\n".join(header) + "\n" + text


def size_category(rows: int) -> str:
    """Return the size class that dataset hubs sort by, such as ``1K<n<10K``."""
    names = [f"{size // 1_000_000}M" if size >= 1_000_000 else f"{size // 1_000}K" for size in _SIZES]
    for place, size in enumerate(_SIZES):
        if rows < size:
            return f"{names[place - 1]}<n<{names[place]}" if place else f"n<{names[0]}"
    return f"n>{names[-1]}"
