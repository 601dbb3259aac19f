"""Texts whose lines are filled up to a width, as programs for terminals draw pages: paragraphs are put together again.

       Session (1) Stores
       Great Hall
       Offloaded stores
    ────────────────────────────────────────────────────────────
       Ann One (Norwick), Bo Two (Plum), Cy Three (Orb Lab), Di
       Four (Plum)
       Abstract

         We describe a store that keeps small objects near the
         readers.

A line goes on below where it has no room for the next word. Links may be numbered, and listed at the end. What the
paragraphs are does not belong here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from parsers._lines import Boilerplate, Lines

_NARROWEST: Final = 60
_WIDEST: Final = 200
_FEWEST: Final = 3
# What is set in on both sides has shorter lines than the page.
_INSET: Final = 0.8
_MARK: Final = re.compile(r"\s*(?:[*•+·#>-]|\d{1,3}\.)\s+(?=\S)")
# What begins a line of its own, whatever has room above it.
_OWN: Final = re.compile(
    r"\s*(?:[_━─═=-]{5,}$|abstract\s*:?$|biography$|(?:session\s+)?(?:chairs?|moderators?|presenters?)\s*:"
    r"|\d{1,2}[:.]\d{2}\s*(?:[ap]m)?\s*[–-])",
    re.IGNORECASE,
)
_LINKS_HEAD: Final = "References"
_LINKS: Final = Boilerplate(
    {"link_list": rf"{_LINKS_HEAD}|(?:Visible|Hidden) links:?|\d{{1,4}}\. (?:https?|file|mailto|javascript):\S*"}
)
_NUMBER: Final = re.compile(r"\[\d{1,4}\](?=\S)")
# How such programs mark what is struck out or put in: a chair that was replaced goes, a title that was cancelled stays.
_STRUCK: Final = re.compile(r"\[(?P<what>DEL|INS): ?(?P<text>.*?) ?:(?P=what)\]")
_STRUCK_CHAIR: Final = re.compile(r"(?i:(chairs?: ))\[DEL: ?.*? ?:DEL\]\s*")


def paragraphs(lines: Lines) -> Iterator[tuple[int, int, str]]:
    """Yield numbers of the first and last line, and the stripped text, of each paragraph; of each line as a rule."""
    found = list(lines.texts())
    links = _claim_links(lines, found)
    if links:
        found = found[:-links]
    for start, end, text in _joined(lines, found):
        yield start, end, _without_marks(text, numbered=links > 0)


def _claim_links(lines: Lines, found: Sequence[tuple[int, str]]) -> int:
    """Claim the list of links that ends a text, and return how many lines it has."""
    count = 0
    while count < len(found) and _LINKS.rule(found[-1 - count][1]):
        count += 1
    if not count or found[-count][1] != _LINKS_HEAD:
        return 0
    for number, _ in found[-count:]:
        lines.claim_boilerplate(number, _LINKS)
    return count


def _joined(lines: Lines, found: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield the lines, those joined that go on below."""
    widths = _widths(lines, found)
    start = end = 0
    whole = ""
    for number, text in found:
        if widths and start and number == end + 1 and _goes_on(lines[end], lines[number], widths):
            end, whole = number, f"{whole} {text}"
            continue
        if start:
            yield start, end, whole
        start, end, whole = number, number, text
    if start:
        yield start, end, whole


def _widths(lines: Lines, found: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Return the length of the longest line by how far it is set in; nothing where lines are not filled.

    They are where many lines have no room for a next word in small letters: names and titles have capitals.
    """
    longest: dict[int, int] = {}
    for number, text in found:
        length = len(lines[number].rstrip())
        if length > _WIDEST:
            return {}
        if " " in text:
            inset = _inset(lines[number])
            longest[inset] = max(longest.get(inset, 0), length)
    width = max(longest.values(), default=0)
    widths = {inset: length for inset, length in longest.items() if length >= _INSET * width}
    if width < _NARROWEST:
        return {}
    small = sum(
        number == above + 1 and below[0].islower() and _goes_on(lines[above], lines[number], widths)
        for (above, _), (number, below) in pairwise(found)
    )
    return widths if small >= _FEWEST else {}


def _goes_on(above: str, below: str, widths: dict[int, int]) -> bool:
    """Say whether a line has no room for the first word of the line below it, which is set in as far."""
    inset = _inset(above)
    width = widths.get(inset)
    if (
        width is None
        or " " not in above.strip()
        or _MARK.match(below)
        or _OWN.match(below)
        or inset != len(below) - len(below.lstrip())
        or above.strip() == below.strip()
    ):
        return False
    return len(above.rstrip()) + 1 + len(below.split(maxsplit=1)[0]) > width


def _inset(line: str) -> int:
    """Return how far the text of a line is set in, behind the mark of a list."""
    mark = _MARK.match(line)
    return mark.end() if mark else len(line) - len(line.lstrip())


def _without_marks(text: str, *, numbered: bool) -> str:
    """Return a paragraph without numbers of links and marks of what is struck out, and without a chair that is."""
    if numbered and "[" in text:
        text = _NUMBER.sub("", text)
    if ":DEL]" not in text and ":INS]" not in text:
        return text
    return _STRUCK.sub(lambda found: found["text"], _STRUCK_CHAIR.sub(r"\1", text))
