"""Finds the source that a file belongs to where it lies in the folder of another one, or of none.

Asked only of files that no format of their own source knows: the others are imported for it. What is found is told, and
nothing is read as another source than the one of its folder: a person moves the file.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

import polars as pl

from parsers._contract import Document, DumpError, Source
from pipeline.read import PARSER_DEFECTS, Reading
from pipeline.snapshot import Dump, describe, load

HINT: Final = "; it looks like "
"""What stands between a message and the sources that a file looks like."""

_REASON: Final = "not_this_source"


def looks_like(document: Document, others: Iterable[Source]) -> str | None:
    """Name the sources that know a document, each with its format; None where none does."""
    found = [f"{source.name} ({name})" for source in others if (name := _format_of(source, document)) is not None]
    return " or ".join(found) or None


def hint_of(document: Document, others: Iterable[Source]) -> str:
    """Return what is added to a message about a document that is not of its source; nothing where none knows it."""
    found = looks_like(document, others)
    return f"{HINT}{found}" if found else ""


def told_of_misfiled(reading: Reading, others: Iterable[Source], max_bytes: int) -> Reading:
    """Add to the error of a dump that is in no format of its source which other source knows it."""
    if reading.error is None or _REASON not in reading.by_reason:
        return reading
    hint = _hint_of_dump(reading.dump, others, max_bytes)
    detail = pl.col("detail") + hint
    return replace(reading, error=reading.error + hint, quarantine=reading.quarantine.with_columns(detail))


def hint_of_file(raw: Path, path: str, others: Iterable[Source], max_bytes: int) -> str:
    """Return what is added to a message about a file of the raw root that no source claims."""
    return _hint_of_dump(describe(PurePosixPath(path), raw / path), others, max_bytes)


def _hint_of_dump(dump: Dump, others: Iterable[Source], max_bytes: int) -> str:
    """Return the hint about a dump; nothing where it cannot be read."""
    try:
        document = load(dump, max_bytes)
    except DumpError:
        return ""
    return hint_of(document, others)


def _format_of(source: Source, document: Document) -> str | None:
    """Name the format in which a source knows a document; None where it does not, or where its parser has a defect."""
    try:
        return source.recognise(document).name
    except (DumpError, *PARSER_DEFECTS):
        return None
