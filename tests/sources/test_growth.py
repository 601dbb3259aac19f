"""Long and odd texts of any layout are read, or refused, in time proportional to their length.

They are made from specimens by long repeats at the ends of lines; a source may have more of them in
``tests/sources/<source>/hostile.py``.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

import pytest

from parsers._ledger.document import Document, DumpError
from parsers._registry import sources
from tests.support.cost import LIMIT, least, ratio, spend, unit
from tests.support.depth import sample
from tests.support.helpers import parse_document
from tests.support.hostile import PIECES
from tests.support.of_sources import Specimen, each_source, part, specimens

SIZE: Final = 60_000
LITTLE: Final = 250
MUCH: Final = 5_000
"""Units for a text of this size: from where its growth is measured, and what is too much, however it grows."""

ENDS: Final = {
    ".txt": "\n",
    ".ics": "\n",
    ".json": '",',
    ".html": "</",
    ".xml": "</",
    ".csv": '",',
    ".js": '",',
    ".yml": "'\n",
}
"""What ends a line, a value or an element, by suffix."""

GROUPS: Final = 3
"""Of three texts, each has another third of the lines prolonged: those between are still understood."""


@pytest.mark.untraced
@each_source()
def test_time_is_in_proportion_to_length(source: str) -> None:
    """Reading a text takes linear time, however long and odd it is."""
    hostile = part(source, "hostile")
    own = zip(hostile.texts(SIZE // 10), hostile.texts(SIZE), strict=True) if hostile else ()
    assert [(short[:60], short[-60:]) for short, long in own if is_slow(source, short, long, None)] == []
    mine = sorted((each for each in specimens() if each.source == source), key=lambda each: -len(each.text))
    for specimen in {each.file.suffix: each for each in mine}.values():
        slow = [name for name, short, long in prolonged(specimen) if is_slow(source, short, long, specimen)]
        assert slow == []


def prolonged(specimen: Specimen) -> Iterator[tuple[tuple[str, int], str, str]]:
    """Yield texts of two sizes for each second piece, other ones of another source, and a group of lines.

    In ``make nightly`` they are of each piece and each group.
    """
    end = ENDS[specimen.file.suffix]
    lines = specimen.text.split(end)
    for place, piece in sample([*enumerate(PIECES)], 2, len(specimen.source)):
        for group in sample(range(GROUPS), GROUPS, place):
            each = SIZE * GROUPS // len(lines) // len(piece)
            short, long = (
                end.join(line + piece * times * (number % GROUPS == group) for number, line in enumerate(lines))
                for times in (each // 10, each)
            )
            yield (piece, group), short, long


def is_slow(source: str, short: str, long: str, specimen: Specimen | None) -> bool:
    """True if a text takes too long, or far longer than a tenth of it."""

    def reading(text: str) -> Callable[[], None]:
        return lambda: read(source, text, specimen)

    if spend(reading(long)) < LITTLE * unit():
        return False
    return ratio(reading(short), reading(long), LIMIT) > LIMIT or least(reading(long)) > MUCH * unit()


def read(source: str, text: str, specimen: Specimen | None) -> None:
    """Read a text, in place of a specimen or alone; a refusal is an outcome, too."""
    with suppress(DumpError):
        document = specimen.document(text) if specimen else Document.from_bytes("x/a.txt", text.encode())
        parse_document(sources()[source], document)
