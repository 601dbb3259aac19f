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
from pipeline.raw.dump import Dump, describe
from pipeline.raw.load import load
from pipeline.reading.parse import Parsed
from pipeline.reading.read import PARSER_DEFECTS, Reading
from pipeline.refusing.nature import TEXT, find_nature
from pipeline.refusing.nearest import attempt, share_read

HINT: Final = "; it looks like "
"""The text between a message and the sources that a file looks like."""

IT_IS: Final = "; it is "
"""The text between a message and what a file is that looks like no source."""

_REASON: Final = "not_this_source"
_MOST: Final = 0.75
"""Least share of the lines of a misplaced document that its source reads."""


def hint_of(document: Document, others: Iterable[Source]) -> str:
    """Return the hint to append to a message about a misplaced document: the sources that read it, else what it is.

    One that would refuse it is named only if no other would read it. A text is no more than what the message expects.
    """
    found = [(source.name, *known) for source in others if (known := _format_of(source, document)) is not None]
    reading = [each for each in found if each[2]]
    names = " or ".join(f"{name} ({format_.name})" for name, format_, _ in reading or found)
    if names:
        return f"{HINT}{names}"
    what = find_nature(document).what
    return "" if what == TEXT else f"{IT_IS}{what}"


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


def _format_of(source: Source, document: Document) -> tuple[Format, bool] | None:
    """Return the format in which a source recognises a document, and whether it reads that or declines it.

    None if it does not recognise it, if what it reads is a scrap of it, or if its parser has a bug: a line or two of a
    page may look like those of another one.
    """
    try:
        format_ = source.recognise(document)
    except (DumpError, *PARSER_DEFECTS):
        return None
    parsed = attempt(source, format_, document)
    if isinstance(parsed, Parsed):
        is_read = (parsed.records or parsed.says_empty) and share_read(parsed) >= _MOST
        return (format_, not format_.refuses) if is_read else None
    return (format_, False) if format_.refuses or parsed.startswith("declined") else None
