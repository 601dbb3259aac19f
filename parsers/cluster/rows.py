"""The rows of a page older than the programme at a glance, the same for HTML and text, and their claims.

    Session 1: Stores-(Room: Quay)         a row
    - Small Files                          a row that begins a list item, without its mark
    10:30 - 12:00    Session 2:            one row per cell: "begins" is true at the start of a cell
    Stores                                 in HTML and in text the second row of its cell

A row may contain several pieces, each a separate block: ``Session 2 - Chair: Bea Sorn``. It is claimed when all its
pieces are, and a line of text when all its rows are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from unicodedata import normalize

from lxml import etree

from parsers._grammar.builder import Block
from parsers._grammar.stream import Line, Role, claim_lines, read_stream
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, Classification, LineClass, Rule, heading_rule
from parsers._words.years import find_years
from parsers.cluster.chrome import BOILERPLATE, PAGE_TITLE, Masthead, read_masthead
from parsers.cluster.headings import read_day
from schemas.items import Reject

PAGE_RULE: Final = heading_rule("page_title", 1)
LONGEST_NAME: Final = 80

_CELLS: Final = re.compile(r"\t+|(?<=\s)\|(?=\s)|^(?:\s*+\|)++|\|\||\|(?=\s*+$)")
_BULLET: Final = re.compile(r"[•◦▪‣·*–-]\s+(?=\S)")
# Names of parts of a programme, which carry no data.
_GROUPS: Final = Boilerplate(
    {"group": r"(?i:keynotes|(?:technical |paper )?sessions ?:?|(?:technical |conference |final )?program(?:me)?)"}
)


@dataclass(slots=True, eq=False)
class Row:
    """A row: its text, its place, and flags for the start of a cell, a list item, and text inside a cell."""

    text: str
    number: int | None
    last: int | None
    begins: bool = False
    bullet: bool = False
    in_cell: bool = False
    source: Line | None = None
    cell: etree._Element | None = None


def rows_of_text(lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """Yield the rows of the lines of a text, split at the marks of cells; the lines must keep their spaces."""
    for number, line in lines:
        pieces = _CELLS.split(line) if "\t" in line or "|" in line else [line]
        for place, piece in enumerate(pieces):
            text = normalize("NFC", " ".join(piece.split()))
            mark = _BULLET.match(text)
            if text.strip("|-"):
                marked = len(pieces) > 1
                text = text[mark.end() :] if mark else text
                yield Row(text, number, number, place > 0, mark is not None, marked)


@dataclass(slots=True)
class _Stream:
    """Collects the rows of a page."""

    rows: list[Row] = field(default_factory=list)
    cell: etree._Element | None = None
    begins: bool = False
    bullet: bool = False

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin a cell or a list item."""
        if role is Role.COLUMN:
            self.cell, self.begins = part, True
        self.bullet = role is Role.TALK

    def take(self, line: Line) -> None:
        """Add a line as a row."""
        text = normalize("NFC", line.text)
        typed = _BULLET.match(text)
        text = text[typed.end() :] if typed else text
        within = self.cell is not None and self.cell in (line.part, *line.part.iterancestors())
        bullet = self.bullet or typed is not None
        cell = self.cell if within else None
        self.rows.append(Row(text, line.number, line.last, self.begins and within, bullet, within, line, cell))
        self.begins = self.bullet = False


def rows_of_page(document: Document) -> list[Row]:
    """Return the rows of a page."""
    stream = _Stream()
    read_stream(document.page.root, _role, stream)
    return stream.rows


def _role(element: etree._Element) -> Role | None:
    """Return the role of a list item or a cell, None for any other element."""
    if element.tag == "li":
        return Role.TALK
    return Role.COLUMN if element.tag in {"td", "th"} else None


class Rows:
    """The rows of a document and their claims: a ledger of blocks."""

    def __init__(self, document: Document) -> None:
        """Cut a document into rows."""
        self.document = document
        self._marked = document.is_markup
        lines = document.lines
        self.all = (
            rows_of_page(document)
            if self._marked
            else list(rows_of_text((number, lines[number]) for number, _ in lines.texts()))
        )
        self._pieces: dict[Row, set[str]] = defaultdict(set)
        self._claims: dict[Row, dict[str, Rule]] = defaultdict(dict)
        self._readings: dict[Row, Classification] = {}

    def block(self, row: Row, form: str, text: str) -> Block:
        """Make a block from a piece of a row."""
        self._pieces[row].add(text)
        return Block(text, form, row.number, row.last, row)

    def whole(self, row: Row) -> Block:
        """Make a block of a whole row, whatever its pieces."""
        return Block(row.text, "", row.number, row.last, row)

    def claim(self, block: Block, rule: Rule) -> None:
        """Claim a piece of a row, or the whole row with all its pieces."""
        pieces = self._pieces[block.source] if block.text == block.source.text else ()
        for text in pieces or (block.text,):
            self._claims[block.source].setdefault(text, rule)

    def reject(self, blocks: Sequence[Block], reason: str, expected: str) -> Reject:
        """Reject some pieces, whatever their claims."""
        for block in blocks:
            self._claims[block.source][block.text] = Rule(reason, LineClass.REJECTED)
        text = "\n".join(block.text for block in blocks)
        return Reject(blocks[0].first, blocks[-1].last, text, reason, expected)

    def claim_boilerplate(self, block: Block) -> None:
        """Claim a piece if a boilerplate pattern matches it."""
        if rule := BOILERPLATE.rule(block.text):
            self.claim(block, rule)

    def tell(self, block: Block, reading: Classification) -> None:
        """Store how a piece was read; the first piece of a row wins."""
        self._readings.setdefault(block.source, reading)

    def keep_content(self, first: Row, last: Row) -> None:
        """Narrow the content of a page to the element that contains its programme, from ``first`` to ``last``."""
        if self._marked and first.source and last.source:
            above = set(first.source.pieces[0].element.iterancestors())
            below = last.source.pieces[-1].element.iterancestors()
            self.document.page.content = next((each for each in below if each in above), self.document.page.root)

    def masthead(self, top: Sequence[Row]) -> Masthead:
        """Return the masthead of the page, and claim its rows above the programme."""
        for row in top:
            if _names_edition(row.text):
                self.claim(self.whole(row), PAGE_RULE)
        if self._marked:
            return read_masthead(self.document)
        lines = tuple(row.text for row in top)
        titles = tuple(line for line in lines if PAGE_TITLE.fullmatch(line) or _names_edition(line))
        return Masthead(titles, (self.document.facts.url or "",), lines)

    def settle(self) -> None:
        """Transfer the claims to the ledger of the document; boilerplate patterns claim rows without one."""
        shared: dict[int | Row, list[Rule | None]] = defaultdict(list)
        for row in self.all:
            key = row if self._marked else row.number or 0
            shared[key].append(self._rule_of(row))
            if reading := self._readings.get(row):
                self._tell(row, reading)
        for place, rules in shared.items():
            if None not in rules:
                ranked = sorted(filter(None, rules), key=lambda rule: rule.line_class is LineClass.BOILERPLATE)
                self._hand_over(place, ranked[0])
        if not self._marked:
            for number, _ in self.document.lines.texts():
                if self.document.lines.rule_of(number) is None:
                    _ = self.document.lines.claim_boilerplate(number, BOILERPLATE) or (
                        self.document.lines.claim_boilerplate(number, _GROUPS)
                    )

    def _rule_of(self, row: Row) -> Rule | None:
        """Return the rule of a row if all its pieces are claimed, preferably not boilerplate."""
        claims, pieces = self._claims.get(row, {}), self._pieces.get(row) or {row.text}
        if claims and pieces <= set(claims):
            return min(claims.values(), key=lambda rule: rule.line_class is LineClass.BOILERPLATE)
        return None if claims else BOILERPLATE.rule(row.text) or _GROUPS.rule(row.text)

    def _hand_over(self, place: int | Row, rule: Rule) -> None:
        """Claim a line of a text, or the text nodes of a row of a page."""
        if isinstance(place, int):
            if rule.line_class is LineClass.BOILERPLATE:
                self.document.lines.claim_boilerplate(place, BOILERPLATE)
            else:
                self.document.lines.claim(place, rule)
            return
        if place.source:
            claim_lines(self.document.page, [place.source], rule)

    def _tell(self, row: Row, reading: Classification) -> None:
        """Store how a row was read."""
        if row.source is not None:
            self.document.page.tell(row.source.pieces[0].element, reading)
        elif row.number is not None:
            self.document.lines.tell(row.number, reading)


def _names_edition(text: str) -> bool:
    """True if a row above a programme may name its conference: short, not a sentence or a day, with a year."""
    return len(text) <= LONGEST_NAME and text[-1] not in ".!?" and bool(find_years(text)) and read_day(text) is None
