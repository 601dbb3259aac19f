"""Special cases of alphaXiv as text: counts belong to the text above, nothing is invented, hostile input."""

import pytest

from parsers._ledger.document import Document
from parsers.alphaxiv import SOURCE
from pipeline.reading.parse import Parsed
from schemas.items import Record
from tests.support.helpers import parse_document

TEXT = (
    "We fill tanks of growing size with foam and measure how long the bubbles live; walls matter more than we thought."
)
LONG = 400_000


def parse(text: str) -> Parsed:
    """Parse a text as a dump of an alphaXiv feed."""
    return parse_document(SOURCE, Document.from_bytes("alphaxiv/dump.txt", text.encode()))


@pytest.mark.parametrize(
    ("count", "engagement"),
    [("3,135", 3135), ("3", 3), ("1,000,000", 1_000_000), ("3,13", None), ("3.135", None), ("3k", None)],
)
def test_count(count: str, engagement: int | None) -> None:
    """A whole number below a text is its count; other lines give none."""
    parsed = parse(f"foam-tanks\n{TEXT} It ends here.\n{count}\n")
    assert [record.engagement for record in parsed.records] == [engagement]


def test_count_belongs_to_the_text_above() -> None:
    """A count between two texts belongs to the one above."""
    parsed = parse(f"foam-tanks\n{TEXT} A.\n7\n{TEXT} B.\n")
    assert [(record.engagement, record.line_end) for record in parsed.records] == [(7, 3), (None, 4)]


def test_nothing_is_invented() -> None:
    """The layout gives only a text, which is an abstract or a summary."""
    expected = Record(line_start=2, line_end=2, abstract=f"{TEXT} A.", notes=("abstract_or_summary",))
    assert parse(f"foam-tanks\n{TEXT} A.\n").records == (expected,)


@pytest.mark.parametrize("junk", ["zzqx sentinel 4711", "%%% zzqx 0x4711 %%%", "Foam in Tanks"])
def test_short_line_is_no_text(junk: str) -> None:
    """A line that is no paragraph stays unexplained, and so does the count below it."""
    parsed = parse(f"foam-tanks\n{TEXT} A.\n{junk}\n7\n")
    assert ([record.engagement for record in parsed.records], parsed.rejects[0].text) == ([None], f"{junk}\n7")
