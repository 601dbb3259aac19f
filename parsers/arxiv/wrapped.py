r"""Paragraphs of a text dump: its lines, joined again where an extractor wrapped text or split heads.

Invented lines; Markdown programs wrap unless told not to, and put a blank line between paragraphs::

    [1] [ arXiv:2507.00001 ](/abs/2507.00001 "Abstract") [[pdf](/pdf/2507.00001
    "Download PDF"), [other](/format/2507.00001 "Other formats")]

    Title: Foam in Large Tanks That Nobody Has Ever Seen, Neither in Mole-
    Harbour nor Elsewhere

Programs that print each text node on its own line separate labels from their values (``pieces``). Terminal programs
fill their lines (``rendered``). A wrapped line is full: where it had room for the next word, the paragraph is torn, may
contain a stray line, and its text keeps the line break (``TORN``). The meaning of the paragraphs does not belong here.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final

from parsers._grammar.renditions import joined
from parsers._ledger.lines import Boilerplate, Lines, Rule
from parsers.arxiv.pieces import (
    belong_together,
    has_bare_labels,
    has_parted_heads,
    is_in_head,
    is_value,
    join_pieces,
    plain_piece,
)
from parsers.arxiv.rendered import is_numbered, is_rendered, join_filled, without_numbers

TORN: Final = "\n"
"""In the text of a paragraph: the end of a line that is not full."""

_WIDTH: Final = 80  # the usual width, or less
_WIDEST: Final = 160  # if set so
_MOST_LONGER: Final = 20  # one in this many lines may be longer: text that begins like a list is not wrapped
_FEWEST_FULL: Final = (2, 3)  # two in three: lists and links have their own lines
_SURELY_ROOM: Final = 0.8  # share of the width: programs count invisible characters in some lines
_TITLE: Final = "\nTitle:"
_LONGEST: Final = 8_000  # characters of a joined line

_BULLET = re.compile(r"\s*(?:[*+-]|\d+\.) ")
_HARD_BREAK: Final = "  "  # at the end of a line: a line break of the page
_CHUNK = re.compile(r"[^\s-]*-?")  # a line may break after a hyphen


class Paragraphs:
    """The paragraphs of a text, each by the number of its first line; without wrapping, each line is one."""

    def __init__(self, text: str, lines: Lines) -> None:
        """``lines`` are those of ``text``; their claims are made through this object."""
        self._lines = lines
        self._ends: dict[int, int] = {}
        self._is_numbered = is_numbered(text)
        self._is_rendered = is_rendered(text)
        self._is_in_pieces = not self._is_rendered and has_bare_labels(text)
        self._width = 0 if self._is_in_pieces else _width_of(text)
        self.has_parted_heads = has_parted_heads(text)

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield number and stripped text of each paragraph that is not blank."""
        if self._is_rendered or self._is_numbered:
            yield from self._rendered_texts()
        elif self._width:
            yield from self._wrapped_texts()
        elif self._is_in_pieces or self.has_parted_heads:
            yield from self._joined_pieces()
        else:
            yield from self._lines.texts()

    def _wrapped_texts(self) -> Iterator[tuple[int, str]]:
        """Yield the paragraphs of a text whose lines are wrapped; a blank line ends each."""

        def goes_on(start: int, _text: str, number: int, _more: str) -> bool:
            return number == self.end_of(start) + 1 and self._goes_on(start, number)

        def join(number: int, text: str, more: str) -> str:
            return joined(text, more) if self._is_full(number - 1) else f"{text}{TORN}{more}"

        return self._joined(self._lines.texts(), goes_on, join)

    def _rendered_texts(self) -> Iterator[tuple[int, str]]:
        """Yield the paragraphs of a page that was rendered for a terminal."""
        lines = [(number, self._lines[number].rstrip()) for number, _ in self._lines.texts()]
        if not self._is_rendered:
            yield from ((number, without_numbers(line).strip()) for number, line in lines)
            return
        for start, end, text in join_filled(lines):
            self._ends[start] = end
            yield start, without_numbers(text) if self._is_numbered else text

    def _joined_pieces(self) -> Iterator[tuple[int, str]]:
        """Yield the paragraphs of a text in pieces, which may have blank lines between them."""
        belong = belong_together if self._is_in_pieces else is_in_head
        lines = self._lines.texts()
        pieces = ((number, plain_piece(line)) for number, line in lines) if self._is_in_pieces else lines

        def goes_on(start: int, text: str, number: int, more: str) -> bool:
            is_indented = self._is_in_pieces and number == self.end_of(start) + 1 and self._lines[number][:2] == "  "
            return len(text) < _LONGEST and (belong(text, more) or (is_indented and is_value(text)))

        return self._joined(pieces, goes_on, lambda _number, text, more: join_pieces(text, more))

    def _joined(
        self,
        lines: Iterable[tuple[int, str]],
        goes_on: Callable[[int, str, int, str], bool],
        join: Callable[[int, str, str], str],
    ) -> Iterator[tuple[int, str]]:
        """Yield number and text of each paragraph, and remember where it ends.

        ``goes_on`` gets first line and text of the paragraph so far, and number and text of the line below; ``join``
        gets the same without the first line.
        """
        start, text = 0, ""
        for number, more in lines:
            if start and goes_on(start, text, number, more):
                text = join(number, text, more)
                self._ends[start] = number
                continue
            if start:
                yield start, text
            start, text = number, more
        if start:
            yield start, text

    def end_of(self, number: int) -> int:
        """Return the last line of the paragraph that begins with line ``number``."""
        return self._ends.get(number, number)

    def text(self, start: int, end: int) -> str:
        """Return the lines of the paragraphs from ``start`` to ``end``, both inclusive, as in the dump."""
        return self._lines.text(start, self.end_of(end))

    def claim(self, number: int, rule: Rule) -> None:
        """Claim the lines of a paragraph."""
        self._lines.claim_span(number, self.end_of(number), rule)

    def claim_boilerplate(self, number: int, boilerplate: Boilerplate, shown: str) -> bool:
        """Claim the lines of a paragraph and return True if one of the patterns matches the whole of it.

        ``shown`` is the paragraph as the page shows it, without links and escapes.
        """
        return self._lines.claim_boilerplate(number, boilerplate, self.end_of(number), shown)

    def _goes_on(self, start: int, number: int) -> bool:
        """True if a line continues the paragraph above it: a list item ends at the next bullet."""
        if self._lines[number - 1].endswith(_HARD_BREAK):
            return False
        return _BULLET.match(self._lines[number]) is None or _BULLET.match(self._lines[start]) is None

    def _is_full(self, number: int) -> bool:
        """True if a line had no room for the first word of the next line; links may be kept whole."""
        line, below = self._lines[number].rstrip(), self._lines[number + 1].lstrip()
        chunk = _CHUNK.match(below)
        if chunk is None or "](" in line + below or "[" in below:
            return True
        return len(f"{line} {chunk[0]}") > self._width * _SURELY_ROOM


def _width_of(text: str) -> int:
    """Return the width at which a text is wrapped, 0 if it is not.

    It is wrapped if every title begins a paragraph and hardly any line is long. If lines are longer than usual, two in
    three of those with a line below must be full.
    """
    titles = text.count(_TITLE)
    if not titles or text.count("\n" + _TITLE) != titles:
        return 0
    lines = text.split("\n")
    lengths = sorted(len(line) for line in lines if " " in line.strip() and "](" not in line)  # links may be kept whole
    width = lengths[-1 - len(lengths) // _MOST_LONGER] if lengths else 0
    if width <= _WIDTH:
        return width
    runs = [pair for pair in pairwise(lines) if pair[0] and pair[1].strip()]
    full = sum(len(line) + 1 + len(below.split(maxsplit=1)[0]) > width for line, below in runs)
    is_wrapped = width <= _WIDEST and full * _FEWEST_FULL[1] >= len(runs) * _FEWEST_FULL[0]
    return width if is_wrapped else 0
