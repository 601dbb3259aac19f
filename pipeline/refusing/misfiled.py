"""Finds the source of a misplaced file: one in the folder of another source, or of none.

Only files that no format of their own source recognises are checked, since this imports all other sources. The result
is only reported: a file is always read as the source of its folder; a person must move it.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from parsers._contract import Format, Source
from parsers._ledger.document import Document, DumpError
from pipeline.raw.inventory import Dump, describe, load
from pipeline.reading.read import PARSER_DEFECTS, Reading

HINT: Final = "; it looks like "
"""The text between a message and the sources that a file looks like."""

_REASON: Final = "not_this_source"


def hint_of(document: Document, others: Iterable[Source]) -> str:
    """Return the hint to append to a message about a misplaced document: the sources that recognise it, if any.

    One that would refuse it is named only if no other would read it.
    """
    found = [(source.name, known) for source in others if (known := _format_of(source, document)) is not None]
    reading = [(name, known) for name, known in found if not known.refuses]
    names = " or ".join(f"{name} ({known.name})" for name, known in reading or found)
    return f"{HINT}{names}" if names else ""


def with_hint(reading: Reading, others: Iterable[Source], max_bytes: int) -> Reading:
    """Append the hint to the error of a dump that its own source does not recognise."""
    if reading.error is None or _REASON not in reading.by_reason:
        return reading
    hint = _hint_of_dump(reading.dump, others, max_bytes)
    detail = pl.col("detail") + hint
    return replace(reading, error=reading.error + hint, quarantine=reading.quarantine.with_columns(detail))


def hint_of_file(raw: Path, path: str, others: Iterable[Source], max_bytes: int) -> str:
    """Return the hint to append to a message about a file that no source claims."""
    return _hint_of_dump(describe(path, raw / path), others, max_bytes)


def _hint_of_dump(dump: Dump, others: Iterable[Source], max_bytes: int) -> str:
    """Return the hint about a dump; empty if it cannot be read."""
    try:
        document = load(dump, max_bytes)
    except DumpError:
        return ""
    return hint_of(document, others)


def _format_of(source: Source, document: Document) -> Format | None:
    """Return the format in which a source recognises a document; None if it does not, or if its parser has a bug."""
    try:
        return source.recognise(document)
    except (DumpError, *PARSER_DEFECTS):
        return None
