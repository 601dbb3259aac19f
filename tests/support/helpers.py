"""Short ways to run the project in tests."""

from collections.abc import Container, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from parsers._contract import Source
from parsers._ledger.document import Document, DumpError, Facts
from parsers._registry import sources
from pipeline.reading.parse import NO_ITEMS, Parsed, parse_items
from schemas.items import Record


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


def outcome_of(source: str, text: str) -> str:
    """Parse a text; return the number of records, or the reason of the refusal."""
    try:
        return f"{len(parse_text(source, text).records)} records"
    except DumpError as error:
        return error.reason


def contradictions(renditions: Iterable[Sequence[Record]], ignored: Container[str]) -> list[dict[str, Any]]:
    """Return, for each two records at one place of two renditions, the fields that both have with other values."""
    found = [
        {
            name: (value, twin)
            for (name, value), twin in zip(left._asdict().items(), right._asdict().values(), strict=True)
            if name not in ignored and value and twin and value != twin
        }
        for one, other in combinations(renditions, 2)
        for left, right in zip(one, other, strict=True)
    ]
    return [each for each in found if each]


def fingerprint_of(source: str, text: str) -> str:
    """Return the fingerprint of a page of a source."""
    web = sources()[source].web
    assert web is not None
    return web.fingerprint(Document.from_bytes("x", text.encode()))


def replace_file(file: Path, data: bytes) -> None:
    """Put other bytes in the place of a published file; those that share it by a link, as other snapshots, keep it."""
    file.unlink()
    file.write_bytes(data)


def data_of(out: Path) -> dict[str, bytes]:
    """Return the bytes of every published data file by path."""
    root = (out / "latest").resolve()
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(root.glob("*/*"))}
