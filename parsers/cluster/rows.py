"""Pages older than the programme at a glance, and their sisters, as rows: the same from markup and from its text.

    Session 1: Stores-(Room: Quay)         a row
    Chair: Bea Sorn (Norwick)
    - Small Files                          a row that begins an item of a list
    Ann One (Plum), Bo Two (Orb Lab)
    10:30 - 12:00    Session 2:            a row a cell

A row of text may share its line with other cells: the line is claimed when all of them are. What rows mean does not
belong here: each layout has a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Final

from lxml import etree

from parsers._contract import Document
from parsers._lines import Furniture, LineClass, Rule, heading_rule
from parsers._years import Day, Year, date_of, find_years
from parsers.cluster import elements
from parsers.cluster.edition import PAGE_TITLE, name_edition
from parsers.cluster.elements import Role, common_ancestor, read_stream
from parsers.cluster.furniture import FURNITURE
from parsers.cluster.headings import CHAIR_ROLE
from parsers.cluster.masthead import Masthead, read_masthead
from parsers.cluster.times import TimeLine, read_day, read_time_line
from schemas.items import Reject

PAGE_RULE: Final = heading_rule("page_title", 1)
DAY_RULE: Final = heading_rule("day", 2)
SLOT_RULE: Final = heading_rule("slot", 3)
SESSION_RULES: Final = tuple(heading_rule("session", level) for level in range(4, 20))

# What parts of a programme are called, without saying anything of them.
_GROUPS: Final = Furniture(
    {"group": r"(?i:keynotes|(?:technical |paper )?sessions|(?:technical |conference |final )?program(?:me)?)"}
)
_CELLS: Final = re.compile(r"\t+|(?<=\s)\|(?=\s|$)|^\|")
_BULLET: Final = re.compile(r"(?:[•◦▪‣·*–-]|\d{1,3}\.)\s+(?=\S)")
_TYPED: Final = re.compile(r"[•◦▪‣·*–-]\s+(?=\S)|\d{1,3}\.\s+(?=\d{1,2}[:.]\d\d)")
"""The mark of a list that a page prints as text."""
_FEW: Final = 400
_LONGEST_LOOKED_AT: Final = 5000
_LOOKED_AT: Final = 500_000
_LONGEST_NAME: Final = 80
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
    source: elements.Line | None = None

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
        day = read_day(self.text) if len(self.text) <= _LONGEST_NAME else None
        return replace(day, line=self.number or 0) if day else None

    @property
    def time(self) -> TimeLine | None:
        """The time that the row is from end to end."""
        time = read_time_line(self.text) if len(self.text) <= _LONGEST_NAME else None
        return time if time and time.title is None and time.code is None else None


@dataclass(slots=True)
class _Stream:
    """The lines of a page while it is being read."""

    lines: list[elements.Line] = field(default_factory=list)

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin an item or a cell: the lines know their part."""

    def take(self, line: elements.Line) -> None:
        """Take a line."""
        self.lines.append(line)


class Rows:
    """The rows of a document, and who claimed them."""

    def __init__(self, document: Document, is_part: Callable[[Row], bool]) -> None:
        """``is_part`` tells the rows of a programme from others: the content of a page reaches from first to last."""
        self.document = document
        self._claims: dict[Row, Rule] = {}
        marked = is_markup(document)
        self.all: list[Row] = list(_rows_of_page(document) if marked else _rows_of_text(document))
        parts = [place for place, row in enumerate(self.all) if is_part(row)]
        first, end = (parts[0], len(self.all)) if parts else (len(self.all), len(self.all))
        if marked and parts:
            document.page.content = _content_of(self.all[first], self.all[parts[-1]])
            inside = set(document.page.content.iter("*"))
            own = [
                place for place, row in enumerate(self.all) if row.source and row.source.pieces[-1].element in inside
            ]
            end = own[-1] + 1 if own else end
        self.top, self.body = self.all[:first], self.all[first:end]

    def claim(self, rows: Iterable[Row], rule: Rule) -> None:
        """Claim some rows."""
        for row in rows:
            self._claims.setdefault(row, rule)

    def reject(self, rows: list[Row], reason: str, expected: str) -> Reject:
        """Reject some rows."""
        self.claim(rows, Rule(reason, LineClass.REJECTED))
        return Reject(rows[0].number, rows[-1].last, "\n".join(row.text for row in rows), reason, expected)

    def claim_days(self, year: Year) -> Iterator[Reject]:
        """Claim the days; one that does not exist is rejected."""
        for row in self.all:
            if row.day is not None and "date_invalid" in date_of(row.day, year)[1]:
                yield self.reject([row], "date_invalid", "expected a day that exists")
            elif row.day is not None:
                self.claim([row], DAY_RULE)

    def settle(self) -> None:
        """Hand the claims over to the ledger of the document; menus and marks are claimed by their patterns."""
        self.claim((row for row in self.top if row.text in self.masthead.titles or _names_year(row.text)), PAGE_RULE)
        if is_markup(self.document):
            self._settle_page()
            return
        ledger = self.document.lines
        shared: dict[int, list[Rule | None]] = {}
        for row in self.all:
            shared.setdefault(row.number or 0, []).append(self._claims.get(row))
        for number, rules in shared.items():
            rule = None if None in rules else rules[0]
            if rule is not None:
                ledger.claim(number, rule)
        for number, _ in ledger.texts():
            if ledger.rule_of(number) is None and not ledger.claim_furniture(number, FURNITURE):
                ledger.claim_furniture(number, _GROUPS)

    def _settle_page(self) -> None:
        """Hand the claims over to the ledger of a page."""
        for row in self.all:
            if row.source is None:
                continue
            rule = self._claims.get(row) or FURNITURE.rule(row.text) or _GROUPS.rule(row.text)
            if rule is not None:
                elements.claim(self.document.page, [row.source], rule)

    @cached_property
    def masthead(self) -> Masthead:
        """What the page says of itself above its programme."""
        if is_markup(self.document):
            return read_masthead(self.document)
        lines = tuple(row.text for row in self.top)
        titles = tuple(line for line in lines if PAGE_TITLE.fullmatch(line) or _names_year(line))
        return Masthead(titles, tuple(filter(None, [self.document.facts.url])), lines)

    def edition(self, titles: Iterable[str], year: Year) -> tuple[str | None, tuple[str, ...]]:
        """Return the edition of the page and the notes that say how it was found."""
        named = (*filter(None, (*self.masthead.titles, *self.masthead.lines)), *titles)
        return name_edition(self.document, self.masthead.event, named, year)


def _names_year(text: str) -> bool:
    """Say whether a row above a programme can be the name of its conference: short, no sentence, with a year."""
    return len(text) <= _LONGEST_NAME and text[-1] not in ".!?" and bool(find_years(text)) and read_day(text) is None


def is_markup(document: Document) -> bool:
    """Say whether a document is a page rather than its text."""
    return document.text[:1000].lstrip().startswith("<")


def first_rows(document: Document) -> Iterator[Row]:
    """Yield the first rows of a text, for a layout to recognise, without those that are too long; none of a page."""
    lines = () if is_markup(document) else islice(document.lines.texts(), _FEW)
    for number, line in lines:
        if len(line) <= _LONGEST_LOOKED_AT:
            yield from _cells_of(document.lines[number], number)


def looked_at(document: Document) -> str:
    """Return the part of a page at which a layout looks to recognise it."""
    return document.text[:_LOOKED_AT]


def _rows_of_text(document: Document) -> Iterator[Row]:
    """Yield the rows of a text."""
    for number, _ in document.lines.texts():
        yield from _cells_of(document.lines[number], number)


def _cells_of(line: str, number: int) -> Iterator[Row]:
    """Yield the rows of a line: it is cut at the marks of cells."""
    cells = _CELLS.split(line) if "\t" in line or "|" in line else [line]
    for cell in cells:
        text = " ".join(cell.split())
        mark = _BULLET.match(text)
        if text.strip("|-"):
            yield Row(text[mark.end() :] if mark else text, number, number, mark is not None, len(cells) > 1)


def _rows_of_page(document: Document) -> Iterator[Row]:
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


def _content_of(first: Row, last: Row) -> etree._Element:
    """Return what holds the programme."""
    one, other = first.source, last.source
    if one is None or other is None:
        raise ValueError("rows of a page know their elements")
    return common_ancestor(one.pieces[0].element, other.pieces[-1].element)
