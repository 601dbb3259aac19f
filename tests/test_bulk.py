"""The dumps of the benchmarks: whole documents of every layout that are read without a remainder."""

from importlib import import_module
from importlib.util import find_spec
from itertools import islice

import pytest

from parsers._contract import Document
from parsers._registry import sources
from pipeline.parse import Parsed, parse_document

LAYOUTS = [
    (source, layout)
    for source in sources()
    if find_spec(f"tests.sources.{source}.bulk")
    for layout in import_module(f"tests.sources.{source}.bulk").BULK
]
BLOCKS = 6


def parse_bulk(source: str, layout: str) -> Parsed:
    """Parse a small dump of a layout."""
    bulk = import_module(f"tests.sources.{source}.bulk").BULK[layout]
    blocks = bulk.blocks()
    text = next(blocks) + bulk.between.join(islice(blocks, BLOCKS)) + bulk.bottom
    return parse_document(sources()[source], Document.from_bytes(f"{source}/bulk{bulk.suffix}", text.encode()))


@pytest.mark.parametrize(("source", "layout"), LAYOUTS)
def test_bulk_is_read_without_a_remainder(source: str, layout: str) -> None:
    """There are records, and nothing of the dump is held back."""
    parsed = parse_bulk(source, layout)
    assert (parsed.rejects, len(parsed.records) > 1) == ((), True)
