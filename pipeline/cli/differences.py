"""Shows the author of a parser how two runs differ: what was added, lost and changed, with samples.

Grouped by source, and changes also by column. Comparing records does not belong here (``pipeline.publishing.changes``).
"""

from collections.abc import Iterator
from itertools import takewhile
from operator import eq
from typing import Any, Final

import polars as pl

SAMPLES: Final = 3
"""Maximum number of samples of each kind of difference; the table has all."""

_WORDS: Final = {"added": "added", "removed": "lost"}  # the dumps are the same, so the parser lost what is missing
_NONE: Final = "-"
_SHOWN: Final = 60
_BEFORE: Final = 20


def difference_lines(changes: pl.DataFrame) -> Iterator[str]:
    """Yield the number of records added, lost and changed by source, changes also by column, with samples.

    ``changes`` is a table of changes, sorted by source and record.
    """
    for source in changes["source"].unique(maintain_order=True):
        rows = changes.filter(pl.col("source") == source)
        for change, word in _WORDS.items():
            found = rows.filter(pl.col("change") == change)
            if found.height:
                yield f"{source}: {found.height} {word}"
                yield from map(_title_of, found.head(SAMPLES).iter_rows(named=True))
        changed = rows.drop_nulls("values")
        if changed.height:
            yield f"{source}: {changed.height} changed"
            yield from _column_lines(source, changed)


def is_worse(changes: pl.DataFrame) -> bool:
    """True if a record was lost or changed, which only a person can approve."""
    return bool((changes["change"] != "added").any())


def _column_lines(source: str, changed: pl.DataFrame) -> Iterator[str]:
    """Yield the number of changed values by column, in order of first appearance, with samples."""
    values = changed.explode("values").unnest("values")
    for column in values["column"].unique(maintain_order=True):
        found = values.filter(pl.col("column") == column)
        yield f"{source}: {column} changed in {found.height}"
        for row in found.head(SAMPLES).iter_rows(named=True):
            old, new = _apart(row["before"], row["after"])
            yield f"{_title_of(row)}: {column}: {old} -> {new}"


def _title_of(row: dict[str, Any]) -> str:
    """Return the line of a record: its id and the beginning of its title."""
    return f"    {row['record_id']}" + (f"  {_cut(row['title'])}" if row["title"] else "")


def _apart(before: str | None, after: str | None) -> tuple[str, str]:
    """Return two values from shortly before their first difference; a dash for a missing one."""
    same = sum(takewhile(bool, map(eq, before or "", after or "")))
    start = max(0, same - _BEFORE)
    old, new = (_NONE if text is None else _cut(text, start) for text in (before, after))
    return old, new


def _cut(text: str, start: int = 0) -> str:
    """Return the part of a text shown from ``start`` on, with an ellipsis at each cut."""
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"
