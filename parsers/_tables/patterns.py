"""Several fields in one element: its lines, and patterns of fixed words with holes for the fields.

A page that is written by hand prints ``Time: Tuesday, May 5, 10:00 - 12:00<br>Location: Oven`` in one element. Its
lines are what ``<br>`` and blocks separate, without the elements that another table owns. The patterns of an element
are tried in order, and each takes at most one line::

    LINES = parse_patterns(["Time: {day}, {times}", "Location: {room}"])

``{}`` is a hole for what is known and not needed. A hole ends at the first place of the words after it at which the
reader of its field takes what it holds, ``{title..}`` and times of day (``9:30 - 10:00 Foam``) at the last one. Nothing
is tried twice, so time is linear; whatever needs conditions or regular expressions is a module of its own. What fields
there are, and their readers, does not belong here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from parsers._ledger.elements import BLOCKS, HIDING, text_of
from parsers._ledger.lines import Rule
from parsers._ledger.page import Page

Piece = tuple[str, etree._Element]
"""A part of a line: ``opening``, ``tail`` or ``whole``, and the element whose text this is."""

_HOLE: Final = re.compile(r"\{([^{}]*)\}")
_LONGEST: Final = 2_000
"""Characters of a line that is matched; longer ones are texts, which no pattern needs to cut."""
_MOST_PLACES: Final = 40
"""Places of the words behind a hole that are tried."""
_TIMES: Final = frozenset(("times", "starts", "ends", "duration"))
"""Fields that could be read from a part of what is printed: ``9:30`` of ``9:30 - 10:00``, or of ``9:30 pm``."""


class PatternError(ValueError):
    """A pattern is invalid: says what was expected."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Fixed words and the holes between them: ``words`` has one text more than there are ``holes``."""

    words: tuple[str, ...]
    holes: tuple[str, ...]
    to_last: frozenset[int] = frozenset()
    """The places of the holes that end at the last place of the words behind them."""

    def match(self, line: str, readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Any] | None:
        """Return the values of the holes by name, if the pattern fits the whole line; ``""`` has a list of texts."""
        begins, *behind = self.words
        if not line.startswith(begins):
            return None
        place, values = len(begins), dict[str, Any]()
        for number, (hole, words) in enumerate(zip(self.holes, behind, strict=True)):
            is_last = number == len(behind) - 1
            ends = _ends(line, place, words, is_last=is_last, backwards=number in self.to_last)
            found = self._fill(line, place, words, readers.get(hole), ends[::-1] if hole in _TIMES else ends)
            if found is None:
                return None
            value, place = found
            if hole:
                values[hole] = value
            else:
                values.setdefault("", []).append(value)
        return values if place == len(line) else None

    @staticmethod
    def _fill(
        line: str, start: int, words: str, read: Callable[[str], Any] | None, ends: Sequence[int]
    ) -> tuple[Any, int] | None:
        """Return the value of a hole that begins at a place, and where the words behind it end."""
        for end in ends:
            held = line[start:end].strip()
            value = (held if read is None else read(held)) if held else None
            if value is not None:
                return value, end + len(words)
        return None


def _ends(line: str, start: int, words: str, *, is_last: bool, backwards: bool) -> list[int]:
    """Return the places where a hole that begins at a place may end: those of the words behind it."""
    if is_last:
        return [len(line) - len(words)] if line.endswith(words) and len(line) - len(words) >= start else []
    ends: list[int] = []
    place = line.rfind(words, start) if backwards else line.find(words, start)
    while place >= 0 and len(ends) < _MOST_PLACES:
        ends.append(place)
        place = line.rfind(words, start, place + len(words) - 1) if backwards else line.find(words, place + 1)
    return ends


def parse_patterns(patterns: Sequence[str]) -> tuple[Pattern, ...]:
    """Compile patterns. Raises ``PatternError`` for two holes without words between them, and for an open brace."""
    made = []
    for pattern in patterns:
        parts = _HOLE.split(" ".join(pattern.split()))
        words, written = tuple(parts[::2]), parts[1::2]
        holes = tuple(each.removesuffix("..") for each in written)
        to_last = frozenset(number for number, each in enumerate(written) if each.endswith(".."))
        if "" in words[1:-1]:
            raise PatternError(f"expected words between the holes of {pattern!r}, which tell where the first one ends")
        if any("{" in each or "}" in each for each in words):
            raise PatternError(f"expected a closing brace for each opening one in {pattern!r}")
        if not pattern.strip():
            raise PatternError("expected words or a hole, found an empty pattern")
        made.append(Pattern(words, holes, to_last))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line of an element: its text, white space folded, and the pieces that it is made of."""

    text: str
    pieces: tuple[Piece, ...]

    def claim(self, page: Page, rule: Rule) -> None:
        """Claim the text of the line."""
        for part, element in self.pieces:
            if part == "whole":
                page.claim(element, rule)
            elif part == "tail":
                page.claim_tail(element, rule)
            else:
                page.claim_opening(element, rule)


def lines_of(element: etree._Element, without: Collection[etree._Element] = ()) -> Iterator[PrintedLine]:
    """Yield the lines of an element that have text, without the elements that are left out."""
    waiting: list[Piece] = []
    for piece in (*_pieces_of(element, without), None):
        if piece is not None:
            waiting.append(piece)
        elif waiting:
            text = " ".join("".join(map(_text_of, waiting)).split())
            if text:
                yield PrintedLine(text, tuple(waiting))
            waiting = []


def _pieces_of(element: etree._Element, without: Collection[etree._Element]) -> Iterator[Piece | None]:
    """Yield the pieces of an element in page order; None where a line ends."""
    yield "opening", element
    for child in element:
        if child in without or child.tag in BLOCKS:
            yield None
            if child not in without:
                yield from _pieces_of(child, without)
            yield None
        elif isinstance(child.tag, str) and child.tag not in HIDING:
            if any(each.tag in BLOCKS or each in without for each in child.iterdescendants()):
                yield from _pieces_of(child, without)
            else:
                yield "whole", child
        yield "tail", child


def _text_of(piece: Piece) -> str:
    """Return the text of a piece with its blanks."""
    part, element = piece
    if part == "whole":  # the blanks at its ends are those of the line
        return f"{_blank(_first_text(element), 0)}{text_of(element)}{_blank(_last_text(element), -1)}"
    return (element.tail if part == "tail" else element.text) or ""


def _first_text(element: etree._Element) -> str | None:
    """Return the text that an element, or what it begins with, begins with."""
    while not element.text and len(element):
        element = element[0]
    return element.text


def _last_text(element: etree._Element) -> str | None:
    """Return the text that an element, or what it ends with, ends with."""
    while len(element):
        element = element[-1]
        if element.tail:
            return element.tail
    return element.text


def _blank(text: str | None, place: int) -> str:
    """Return a blank if a text has one at its beginning or end."""
    return " " if text and text[place].isspace() else ""


def match_lines(
    lines: Sequence[PrintedLine],
    patterns: Sequence[Pattern],
    readers: Mapping[str, Callable[[str], Any]],
    filled: Collection[str],
) -> Iterator[tuple[PrintedLine, dict[str, Any]]]:
    """Yield the lines that a pattern fits, with the values of its holes.

    The patterns are tried in order, from the one after the last that fitted; no field is filled twice.
    """
    begun, known = 0, set(filled)
    for line in lines:
        if len(line.text) > _LONGEST and len(patterns) > 1:
            continue
        for place in range(begun, len(patterns)):
            pattern = patterns[place]
            values = None if known.intersection(filter(None, pattern.holes)) else pattern.match(line.text, readers)
            if values is not None:
                known |= values.keys() - {""}
                begun = place + 1
                yield line, values
                break
