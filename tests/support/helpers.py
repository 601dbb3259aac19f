"""Short ways to run the project in tests."""

from pathlib import Path

from parsers._contract import Source
from parsers._ledger.document import Document, Facts
from parsers._registry import sources
from pipeline.reading.parse import NO_ITEMS, Parsed, parse_items


def parse_document(source: Source, document: Document) -> Parsed:
    """Parse a document that is empty only if it says so. Raises ``DumpError`` if no record came out of any other.

    The reason is that of its item, if that is the only one, as the guard ``empty`` of a refresh has it.
    """
    parsed = parse_items(source, document)
    if not parsed.records and not parsed.says_empty:
        if len(parsed.rejects) == 1 and parsed.rejects[0].reason not in NO_ITEMS:
            (only,) = parsed.rejects
            raise document.error(only.line_start or document.lines.first_text_line, only.reason, only.detail)
        expected = (
            f"recognised as {parsed.format}, but no records were found and the page does not say that it is empty"
        )
        raise document.error(document.lines.first_text_line, "empty_result", expected)
    return parsed


def parse_text(source: str, text: str, *, path: str = "test/dump.txt", facts: Facts | None = None) -> Parsed:
    """Parse ``text`` as a dump of ``source``. Raises ``DumpError`` if it is not one."""
    return parse_document(sources()[source], Document.from_bytes(path, text.encode(), facts))


def replace_file(file: Path, data: bytes) -> None:
    """Put other bytes in the place of a published file; those that share it by a link, as other snapshots, keep it."""
    file.unlink()
    file.write_bytes(data)
