"""What programs that take the text out of a page do to its lines, undone: the lines that the page would have alone.

```
One of the most promising areas in            One of the most promising areas in artificial intelligence is deep
artificial intelligence is deep learning.     learning.
```

A line that is put together anew knows the lines of the dump for which it stands. Which of the new lines mean what does
not belong here, nor do links: they are evidence, which each source reads first.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from parsers._lines import Lines

_WIDTHS: Final = range(50, 101)
_FULL: Final = 0.8
"""Of the longer lines of a wrapped text so many have no room for the next word."""
_MOST: Final = 0.97
_FEWEST: Final = 5
"""Fewer lines tell nothing."""
_LOOKED_AT: Final = 2000
"""How many lines are looked at to find out how wide a text is wrapped."""
_OPENS: Final = re.compile(r"\s*(?:[•‣◦▪*-]|\d{1,2}[.)])\s|#|\||-{3}")
"""How a line begins that goes on with none above it: points, headings, tables."""

_CUT_IN_WORD: Final = re.compile(r"(?:[^\W\d_]-|\w--)$")
_WORD_GOES_ON: Final = re.compile(r"(?!(?:and|or|nor|to|but|as)\b)\w")  # not in 'two- and threefold'


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line as the page would have it, and the lines of the dump (1-based) for which it stands, if any."""

    numbers: tuple[int, ...] = ()
    text: str = ""
    native_id: str | None = None  # of the item to which it links


def width_of(lines: Lines) -> int | None:
    """Return the width at which a text was wrapped, in characters; None where it was not.

    In a wrapped text hardly a line is longer, and most of those over half of it have no room for the next word.
    """
    texts = [text for _, text in lines.texts(1, min(lines.last, _LOOKED_AT))]
    lengths = sorted(map(len, texts))
    if not lengths or (width := lengths[int(_MOST * (len(lengths) - 1))]) not in _WIDTHS:
        return None
    long = full = 0
    for above, below in pairwise(texts):
        if len(above) <= width and 2 * len(above) > width and _OPENS.match(below) is None:
            long += 1
            full += len(above) + 1 + len(below.partition(" ")[0]) > width
    return width if long >= _FEWEST and full >= _FULL * long else None


def unwrapped(lines: Lines, width: int) -> Iterator[NewLine]:
    """Yield the lines of a text with those put together that were wrapped at a width; blank ones stay.

    A line goes on where it has no room for the first word of the next; two blanks at its end say that it does not.
    """
    numbers: list[int] = []
    text = ""
    for number in range(1, lines.last + 1):
        line = lines[number]
        if numbers and line.strip() and not _OPENS.match(line) and _goes_on(lines[number - 1], line, width):
            text = joined(text, line.strip())
            numbers.append(number)
            continue
        if numbers:
            yield NewLine(tuple(numbers), text)
        numbers, text = ([number], line.rstrip()) if line.strip() else ([], "")
        if not numbers:
            yield NewLine()
    if numbers:
        yield NewLine(tuple(numbers), text)


def joined(text: str, more: str) -> str:
    """Join two lines: by a blank, but inside a word that was cut at its hyphen ('Fine-' and 'Tuning')."""
    return text + more if _CUT_IN_WORD.search(text) and _WORD_GOES_ON.match(more) else f"{text} {more}"


def _goes_on(above: str, line: str, width: int) -> bool:
    """Say whether a line goes on with the next one."""
    return not above.endswith("  ") and len(above) + 1 + len(line.partition(" ")[0]) > width


def cut(lines: Iterable[NewLine], seam: re.Pattern[str]) -> Iterator[NewLine]:
    """Cut lines in front of each match of a pattern: what stands there began a line of its own."""
    for line in lines:
        at = [0, *(found.start() for found in seam.finditer(line.text) if found.start()), len(line.text)]
        yield from (NewLine(line.numbers, line.text[start:end]) for start, end in pairwise(at))
