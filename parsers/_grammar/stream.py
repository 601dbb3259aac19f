"""A marked-up page as a stream: each part of a programme where it begins, and each line of its visible text.

A part is an element recognised by its class, such as ``session-title``; a ``Line`` names the part that its text belongs
to. The order is that of the page, so an unclosed tag, which then contains what should follow it, changes nothing. The
relations between parts do not belong here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum, auto
from typing import Final, NamedTuple, Protocol

from lxml import etree

from parsers._ledger.elements import line_of
from parsers._ledger.lines import LineClass, Rule
from parsers._ledger.page import Page

_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code del dfn em font i img ins kbd label mark q s samp small span strike strong "
    "sub sup tt u var wbr".split()
)
_INVISIBLE: Final = frozenset({"script", "style", "template", "head", "noscript"})
_STRUCK: Final = frozenset({"s", "strike", "del"})
_SEPARATOR: Final = re.compile(
    r"(?:^|(?<=:))\s*[,;/&]\s*|(?:(?<!\s)\s+)?[,;/&]\s*$"
)  # between the struck words and the others
CANCELLED: Final = re.compile(r"\W*cancell?ed\W*", re.IGNORECASE)


class Role(StrEnum):
    """The role of a part, by its class."""

    PAGE = auto()  # everything outside the other parts
    COLUMN = auto()
    DAY = auto()
    SLOT = auto()
    TIME = auto()
    SESSION = auto()
    ENTRY = auto()  # a session with its own day and time
    TITLE = auto()
    ROOM = auto()
    CHAIR = auto()
    TYPE = auto()
    DESCRIPTION = auto()
    TALKS = auto()
    TALK = auto()
    TALK_TITLE = auto()
    HIDDEN = auto()
    TITLE_AGAIN = auto()
    AUTHORS = auto()
    AWARD = auto()


class Piece(NamedTuple):
    """A text node: the text at the beginning of an element or, if ``opening`` is False, the text after its end tag."""

    element: etree._Element
    opening: bool


# Parts where struck-through text was replaced by the text next to it: ``<s>Bea Sorn</s> Cal Tern``.
_CORRECTED: Final = frozenset({Role.DAY, Role.TIME, Role.TITLE, Role.ROOM, Role.CHAIR})


class Line(NamedTuple):
    """A line of visible text, white space folded, the part that holds it, and True if all of it is struck through.

    In a corrected line, the text is without the struck-through words.
    """

    role: Role
    part: etree._Element
    text: str
    pieces: Sequence[Piece]
    struck: bool = False

    @property
    def number(self) -> int | None:
        """The line of the dump where it begins."""
        return line_of(self.pieces[0].element)

    @property
    def last(self) -> int | None:
        """The line of the dump where it ends."""
        return line_of(self.pieces[-1].element)


class Receiver(Protocol):
    """Receives a page: the parts where they begin, and the lines."""

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin a part."""

    def take(self, line: Line) -> None:
        """Take a line of text."""


Roles = Callable[[etree._Element], Role | None]


def read_stream(content: etree._Element, roles: Roles, reader: Receiver) -> None:
    """Pass the parts and lines of a page to the reader, in page order; ``roles`` returns an element's role, if any."""
    parts: list[tuple[Role, etree._Element]] = [(Role.PAGE, content)]
    run = _Run()
    walk = etree.iterwalk(content, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            role = roles(element)
            if run.pieces and (role is not None or tag not in _INLINE):
                reader.take(run.end(*parts[-1]))
            if tag in _INVISIBLE:
                walk.skip_subtree()
                continue
            if role is not None:
                parts.append((role, element))
                reader.open(role, element)
            run.struck += tag in _STRUCK
            if text := element.text:
                run.add(element, True, text)
        else:
            over = parts[-1][1] is element
            if run.pieces and (over or tag not in _INLINE):
                reader.take(run.end(*parts[-1]))
            if over:
                parts.pop()
            run.struck -= tag in _STRUCK
            if (text := element.tail) and element is not content:
                run.add(element, False, text)


class _Run:
    """The text nodes of the line that is being read."""

    __slots__ = ("all_struck", "pieces", "standing", "struck", "texts")

    def __init__(self) -> None:
        """Begin a page."""
        self.struck = 0
        self.all_struck = True
        self.pieces: list[Piece] = []
        self.texts: list[str] = []
        self.standing: list[str] | None = None  # the texts that are not struck through, if some are

    def add(self, element: etree._Element, opening: bool, text: str) -> None:
        """Add a text node; a blank one separates the words of inline elements."""
        if self.struck and self.standing is None:
            self.standing = [*self.texts]
        if self.standing is not None:
            self.standing.append(" " if self.struck else text)
        if not text.isspace():
            self.pieces.append(Piece(element, opening))
            self.texts.append(text)
            if self.all_struck and not self.struck and not CANCELLED.fullmatch(text, 0, 40):
                self.all_struck = False
        elif self.pieces:
            self.texts.append(" ")

    def end(self, role: Role, part: etree._Element) -> Line:
        """Make the line and begin the next."""
        text = _fold(self.texts[0] if len(self.texts) == 1 else "".join(self.texts))
        if self.standing is not None and not self.all_struck and role in _CORRECTED:
            text = _corrected(text, "".join(self.standing))
        line = Line(role, part, text, self.pieces, self.all_struck)
        self.pieces, self.texts, self.standing, self.all_struck = [], [], None, True
        return line


def claim_lines(page: Page, lines: Sequence[Line], rule: Rule) -> None:
    """Claim the text of some lines, node by node, since an element may also hold the text of others."""
    for line in lines:
        for piece in line.pieces:
            if not piece.opening:
                page.claim_tail(piece.element, rule)
            elif len(piece.element) or rule.line_class is LineClass.BOILERPLATE:
                page.claim_run([(piece.element, True)], rule)
            else:
                page.claim(piece.element, rule)


def _corrected(text: str, standing: str) -> str:
    """Return the text without struck words; all of it if the rest is a remark: ``<s>Stores</s> (moved to Friday)``."""
    standing = _SEPARATOR.sub(" ", _fold(standing)).strip()
    return text if not standing or standing.startswith("(") else standing


def _fold(text: str) -> str:
    """Fold white space; most long texts need no folding, and checking is faster than splitting."""
    if text.isascii() and (text := text.strip()).isprintable() and "  " not in text:
        return text
    return " ".join(text.split())
