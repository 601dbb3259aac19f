"""How pages older than the programme at a glance, and their sisters, are cut into rows, alike of markup and text.

    Session 1: Stores-(Room: Quay)         a row
    - Small Files                          a row that begins an item of a list
    10:30 - 12:00    Session 2:            a row a cell

What became of the rows does not belong here (``rows``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from lxml import etree

from parsers._contract import Document
from parsers._years import Day
from parsers.cluster.elements import Line, Role, read_stream
from parsers.cluster.filled import paragraphs
from parsers.cluster.headings import CHAIR_ROLE
from parsers.cluster.times import TimeLine, read_day, read_time_line

LONGEST_NAME: Final = 80
_CELLS: Final = re.compile(r"\t+|(?<=\s)\|(?=\s|$)|^\|")
_BULLET: Final = re.compile(r"(?:[•◦▪‣·*–-]|\d{1,3}\.)\s+(?=\S)")
_TYPED: Final = re.compile(r"[•◦▪‣·*–-]\s+(?=\S)|\d{1,3}\.\s+(?=\d{1,2}[:.]\d\d)")
"""The mark of a list that a page prints as text."""
_FEW: Final = 400
_LONGEST_LOOKED_AT: Final = 5000
_LOOKED_AT: Final = 500_000
_LONGEST_HEADING: Final = 300
_LABEL: Final = re.compile(
    rf"(?P<label>{CHAIR_ROLE}|speakers?|presenters?|authors?|title|abstract|bio(?:graphy)?)\s*:\s*(?P<text>.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row: its text without the mark of a list, whether it had one, whether it is a cell, and where it stands."""

    text: str
    number: int | None
    last: int | None
    bullet: bool = False
    cell: bool = False
    source: Line | None = None

    @property
    def label(self) -> tuple[str, str] | None:
        """The word in front of a colon, in lower case, and what follows; None for other rows."""
        found = _LABEL.fullmatch(self.text)
        return (found["label"].lower(), found["text"]) if found else None

    @property
    def short(self) -> bool:
        """Say whether the row is not too long for a heading."""
        return len(self.text) <= _LONGEST_HEADING

    @property
    def day(self) -> Day | None:
        """The day that the row is from end to end."""
        day = read_day(self.text) if len(self.text) <= LONGEST_NAME else None
        return replace(day, line=self.number or 0) if day else None

    @property
    def time(self) -> TimeLine | None:
        """The time that the row is from end to end."""
        time = read_time_line(self.text) if len(self.text) <= LONGEST_NAME else None
        return time if time and time.title is None and time.code is None else None


@dataclass(slots=True)
class _Stream:
    """The lines of a page while it is being read."""

    lines: list[Line] = field(default_factory=list)

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin an item or a cell: the lines know their part."""

    def take(self, line: Line) -> None:
        """Take a line."""
        self.lines.append(line)


def is_markup(document: Document) -> bool:
    """Say whether a document is a page rather than its text."""
    return document.text[:1000].lstrip().startswith("<")


def first_rows(document: Document) -> Iterator[Row]:
    """Yield the first rows of a text, for a layout to recognise, without those that are too long; none of a page."""
    lines = () if is_markup(document) else islice(document.lines.texts(), _FEW)
    for number, line in lines:
        if len(line) <= _LONGEST_LOOKED_AT:
            yield from _cells_of(document.lines[number], number, number)


def looked_at(document: Document) -> str:
    """Return the part of a page at which a layout looks to recognise it."""
    return document.text[:_LOOKED_AT]


def rows_of_text(document: Document) -> Iterator[Row]:
    """Yield the rows of a text."""
    for number, last, text in paragraphs(document.lines):
        yield from _cells_of(text if last > number else document.lines[number], number, last)


def _cells_of(line: str, number: int, last: int) -> Iterator[Row]:
    """Yield the rows of a line: it is cut at the marks of cells."""
    cells = _CELLS.split(line) if "\t" in line or "|" in line else [line]
    for cell in cells:
        text = " ".join(cell.split())
        mark = _BULLET.match(text)
        if text.strip("|-"):
            yield Row(text[mark.end() :] if mark else text, number, last, mark is not None, len(cells) > 1)


def rows_of_page(document: Document) -> Iterator[Row]:
    """Yield the rows of a page: its lines; the first of a list's item bears the mark."""
    stream = _Stream()
    read_stream(document.page.root, _role, stream)
    item: etree._Element | None = None
    for line in stream.lines:
        begins = line.role is Role.TALK and line.part is not item
        item = line.part if line.role is Role.TALK else item
        typed = None if begins else _TYPED.match(line.text)
        text = line.text[typed.end() :] if typed else line.text
        yield Row(text, line.number, line.last, begins or typed is not None, line.role is Role.COLUMN, line)


def _role(element: etree._Element) -> Role | None:
    """Say whether an element is an item of a list or a cell."""
    if element.tag == "li":
        return Role.TALK
    return Role.COLUMN if element.tag in {"td", "th"} else None
