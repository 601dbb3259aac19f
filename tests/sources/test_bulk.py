"""The dumps of the benchmarks: complete documents of every layout, read without unexplained lines."""

from dataclasses import replace
from itertools import islice

from parsers._ledger.document import Document
from parsers._registry import sources
from pipeline.reading.parse import Parsed
from tests.support.helpers import parse_document
from tests.support.of_sources import each_of, part

BLOCKS = 6


def parse_bulk(source: str, layout: str) -> Parsed:
    """Parse a small dump of a layout."""
    bulk = part(source, "bulk").BULK[layout]
    blocks = bulk.blocks()
    text = next(blocks) + bulk.between.join(islice(blocks, BLOCKS)) + bulk.bottom
    document = Document.from_bytes(f"{source}/bulk{bulk.suffix}", text.encode())
    beside = (Document.from_bytes(f"{source}/{name}", each.encode()) for name, each in bulk.beside.items())
    return parse_document(sources()[source], replace(document, companions=tuple(beside)))


@each_of("bulk", "BULK")
def test_bulk_is_read_without_a_remainder(source: str, key: str) -> None:
    """There are records, and nothing of the dump is held back."""
    parsed = parse_bulk(source, key)
    assert (parsed.rejects, len(parsed.records) > 1) == ((), True)
