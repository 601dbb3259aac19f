"""Short ways to run the project in tests."""

from parsers._ledger.document import Document, Facts
from parsers._registry import sources
from pipeline.reading.parse import Parsed, parse_document


def parse_text(source: str, text: str, *, path: str = "test/dump.txt", facts: Facts | None = None) -> Parsed:
    """Parse ``text`` as a dump of ``source``. Raises ``DumpError`` if it is not one."""
    return parse_document(sources()[source], Document.from_bytes(path, text.encode(), facts))
