"""CSV (RFC 4180, UTF-8 without BOM): one row per record, lists joined by semicolons, for spreadsheets and scripts.

The columns are those of the ``records`` table, in its order. A person is ``Name (Affiliation, Country)``, a slot
``start/end @ room``, a link its address. A text that a spreadsheet would take for a formula gets an apostrophe in
front, since pages are untrusted text. The format ``csv-schema`` says which columns are texts. Use the Parquet files or
the SQLite format where every character counts.
"""

import csv
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from pipeline.export._format import ExportFormat, Report
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import person
from schemas.tables import RECORDS

COLUMNS: Final = list(RECORDS.columns)
# East Asian editions take the full-width signs for the plain ones.
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def write(selection: Selection, file: Path) -> Report:
    """Write the table, its header first."""
    written = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\r\n")
        table.writerow(COLUMNS)
        for row in selection.rows():
            table.writerow([cell(row[name]) for name in COLUMNS])
            written += 1
    return Report(written, "records")


def cell(value: Any) -> str | int | None:  # noqa: ANN401  # whatever a column holds
    """Return the text of one cell; numbers stay numbers, null is the empty cell."""
    match value:
        case None | int():
            return value
        case list():
            return guarded("; ".join(_element(element) for element in value)) or None
        case datetime() | date():
            return value.isoformat()
    return guarded(str(value))


def guarded(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would evaluate, and before one that looks guarded."""
    return f"'{text}" if _FORMULA.match(text) else text


def _element(element: str | Row) -> str:
    """Return one element of a list: a text, a person or a slot."""
    if isinstance(element, str):
        return element
    if "name" in element:
        return person(element)
    if "rel" in element:
        return str(element["url"])
    start, end = (_moment(element[key]) for key in ("starts_at", "ends_at"))
    time = f"{start}/{end}" if start or end else ""
    return " @ ".join(filter(None, (time, element["room"])))


def _moment(moment: datetime | None) -> str:
    """Return a local time to the minute, as programmes print it; empty if unknown."""
    return "" if moment is None else moment.isoformat(timespec="minutes")


FORMAT = ExportFormat("csv", ".csv", write)
