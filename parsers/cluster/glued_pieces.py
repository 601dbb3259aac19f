"""The text of glued cells, cut where a session or a talk surely begins.

    Session (3) Stores Great Hall Chair: Bea Sorn (Plum)         a number or a tag begins a session
    Small Files   Small Files  Ann One (Plum) Abstract ..        words that stand twice above ``Abstract`` begin a talk
    .. in logs. Tides Harbour Hall Chair: Cal Tern (Plum)        a chair below a talk: the next session begins unseen

Where a heading begins in an abstract is not to be seen: such a text is kept for a reject. What a heading says does not
belong here (``glued``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from parsers._contract import Document
from parsers.cluster.items import PrintedTalk
from parsers.cluster.names import looks_like_names

MARK: Final = re.compile(r"(?<!\S)(?=(?:Session|Keynote) \(\w{1,4}\)|\[(?:Workshop|Tutorial)\] )")
TWICE: Final = re.compile(r"(?<!\S)(?P<title>\S.{4,300}?)\s+(?P=title)(?!\S)")
# A title between wide gaps, twice: a talk whose "Abstract" was lost.
_ANOTHER: Final = re.compile(r"\s(?P<title>\S.{4,300}?)\s\s+(?P=title)(?!\S)")
_ABSTRACT: Final = re.compile(r"\s*\bAbstract(?!\S)\s*")
CHAIR: Final = re.compile(r"\s*(?<!\S)(?:Session )?(?:Co-)?Chairs?:\s*")
_GAP: Final = re.compile(r"\s{2,}")
_LONGEST_AUTHORS: Final = 4000


class Text(NamedTuple):
    """A piece of the page and where it begins."""

    text: str
    start: int

    def cut(self, start: int, end: int | None = None) -> Text:
        """Return a part of it."""
        return Text(self.text[start:end], self.start + start)


@dataclass(frozen=True, slots=True)
class Piece:
    """One session: its heading, and below it the talks; ``rest`` is text that holds more than an abstract.

    ``inside`` says that the heading is the end of such a text: nothing of it is known but the chair.
    """

    head: Text
    talks: tuple[PrintedTalk, ...]
    rest: tuple[Text, ...] = ()
    inside: bool = False


class GluedPage:
    """The text of a dump as one line, and the lines that it came from."""

    def __init__(self, document: Document) -> None:
        """Join the lines."""
        self.numbers: list[int] = []
        self.starts: list[int] = []
        parts: list[str] = []
        length = 0
        for number, line in document.lines.texts():
            self.numbers.append(number)
            self.starts.append(length)
            parts.append(_GAP.sub("  ", line))  # a wide gap says more than a blank, a wider one does not
            length += len(parts[-1]) + 1
        self.text = " ".join(parts)

    def line(self, place: int) -> int:
        """Return the line of the dump on which a place stands."""
        return self.numbers[bisect_right(self.starts, place) - 1]

    def span(self, piece: Text) -> tuple[int, int]:
        """Return the first and the last line of a piece."""
        return self.line(piece.start), self.line(piece.start + max(len(piece.text.rstrip()) - 1, 0))


def cut_pieces(page: GluedPage, slot: Text) -> Iterator[Piece]:
    """Cut a slot at the marks of its sessions, and between a talk and the chair of the next session."""
    places = [0, *(found.start() for found in MARK.finditer(slot.text)), len(slot.text)]
    for start, end in pairwise(places):
        part = slot.cut(start, end)
        if part.text.strip(" |"):
            yield from _sessions(page, part)


def _sessions(page: GluedPage, part: Text) -> Iterator[Piece]:
    """Yield the session of a part, and those that follow it without a mark of their own."""
    titles = list(_titles(part.text))
    head = part.cut(0, titles[0].start() if titles else None)
    talks: list[PrintedTalk] = []
    rest: list[Text] = []
    inside = False
    for found, following in zip(titles, [*titles[1:], None], strict=False):
        body = part.cut(found.end(), following.start() if following else None)
        label = _ABSTRACT.search(body.text)
        if label is None:
            continue
        authors, abstract = body.text[: label.start()].strip(), body.cut(label.end())
        first, last = page.line(part.start + found.start()), page.span(body)[1]
        session_follows = CHAIR.search(abstract.text) is not None
        mixed = session_follows or _ANOTHER.search(abstract.text) is not None
        paragraphs = () if mixed or not abstract.text.strip(" |") else (abstract.text.strip(" |"),)
        talks.append(PrintedTalk(first, last, found["title"], authors or None, paragraphs))
        if mixed:
            rest.append(abstract)
        if session_follows:
            yield Piece(head, tuple(talks), tuple(rest), inside)
            head, talks, rest, inside = abstract, [], [], True
    if talks or not inside:
        yield Piece(head, tuple(talks), tuple(rest), inside)


def _titles(text: str) -> Iterator[re.Match[str]]:
    """Yield the titles of a part: words that stand twice, but not within the author list of another talk."""
    place = 0
    while found := TWICE.search(text, place):
        label = _ABSTRACT.search(text, found.end(), found.end() + _LONGEST_AUTHORS)
        authors = text[found.end() : label.start()].strip() if label else ""
        if label and (not authors or looks_like_names(authors)):
            yield found
            place = label.end()
        else:
            place = found.end()
