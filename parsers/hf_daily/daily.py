"""Text dumps of the daily page of Hugging Face papers: submitter, upvotes, title. No abstracts, ids or author names.

Invented lines. Every visible text, element by element (the login may be on a separate line)::

    Aug 1
    Submitted by quill
    24                                      (upvotes; a hyphen if there are none)

    Foam in Large Tanks

    MoleLab Mole Lab                        (an organisation, if it is known)

      • ·
        533 authors
    3                                       (comments; no line if there are none)

One line per card: ``Submitted by quill 24 Foam in Large Tanks · 5 authors 2``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule, left_out_rule, record_rule
from parsers.hf_daily.items import (
    BOILERPLATE,
    COUNT,
    PAGE_HEAD,
    PRINTED_DAY,
    bare,
    make_record,
    read_count,
    read_day,
    without_button,
)
from schemas.items import Item, Record, Reject

EXPECTS: Final = "text with cards that begin 'Submitted by'"

_CARD = record_rule("card")
_LEFT_OUT = left_out_rule("organisation")
_DAY = heading_rule("day", 2)

_PROBED: Final = 200_000
_MARK = re.compile(r"^[ \t]{0,40}(?:[•*-] +)?Submitted by(?: [\w.-]{1,100}(?: (?:\d|- ).*)?)?[ \t]*$", re.MULTILINE)
_SUBMITTER: Final = "Submitted by"
_BEGINS = re.compile(rf"(?:[•*-] +)?{_SUBMITTER}(?: (?P<login>[\w.-]{{1,100}})(?: (?:\d|- ).*)?)?")
_LOGIN = re.compile(r"[\w.-]{1,100}")
_ONE_LINE = re.compile(
    rf"""
    (?:[•*-]\ +)?Submitted\ by\ (?P<login>\S+)
    \ (?:(?P<upvotes>{COUNT})|-)
    \ (?P<title>\S.*)
    \ ·\ \d{{1,5}}\ authors?(?:\ (?P<comments>\d+))?
    """,
    re.VERBOSE,
)
_COUNT = re.compile(COUNT)
_COUNTS = re.compile(r"\d[\d.,]{0,10}[kM]?(?: \d[\d.,]{0,10}[kM]?)?")  # stars of the repository, comments
_DAY_LINE = re.compile(PRINTED_DAY)
_AUTHOR_COUNT = re.compile(r"(?:[•*-]\s+)?(?:·\s+)?\d{1,5} authors?")
_DOT = re.compile(r"(?:[•*-]\s+)?·")
_ORGANISATION = re.compile(r"[\w.-]{1,60} \S.{0,120}")
_NO_UPVOTES: Final = "-"


@dataclass(slots=True)
class _Reading:
    """The lines of one card read so far: ``title`` with its line, and flags for the parts that may still come."""

    start: int
    needs_login: bool
    title: tuple[int, str] | None = None
    upvotes: int | None = None
    has_dot: bool = False
    has_people: bool = False
    has_counts: bool = False
    organisation: int | None = None
    own: list[int] = field(default_factory=list)

    def read(self, number: int, text: str) -> bool:
        """Read the next line; True if it belongs to the card."""
        if text[0].isdigit() and _COUNT.fullmatch(text):
            return self._take_number(number, read_count(text))
        if self.has_people and not self.has_counts and _COUNTS.fullmatch(text):
            self.has_counts = True
        elif self.needs_login and text != _NO_UPVOTES and _LOGIN.fullmatch(text):
            self.needs_login = False
        elif not self.has_dot and text == _NO_UPVOTES and self.upvotes is None:
            self.title, self.needs_login = None, False
        elif not self.has_dot and text[-1] == "·" and _DOT.fullmatch(text):
            self._end_title()
        elif not self.has_people and not self.has_counts and _AUTHOR_COUNT.fullmatch(text):
            self._end_title()
            self.has_people = True
        elif self.title is None and not self.has_dot and not self.needs_login:
            self.title = (number, text)
            return True
        elif self.organisation is None and not self.has_dot and _ORGANISATION.fullmatch(text):
            self.organisation = number  # if a dot follows
            return False
        else:
            return False
        self.own.append(number)
        return True

    def _end_title(self) -> None:
        """Note the dot after title and organisation."""
        self.has_dot = True
        if self.organisation is not None:
            self.own.append(self.organisation)

    def _take_number(self, number: int, value: int) -> bool:
        """Read upvotes before the title, comments after it; a line between login and upvotes is not the title."""
        if self.has_dot and not self.has_counts:
            self.has_counts = True
        elif self.upvotes is None and not self.has_dot:
            self.upvotes, self.title, self.needs_login = value, None, False
        else:
            return False
        self.own.append(number)
        return True


def recognise(document: Document) -> bool:
    """True if the text has a card of the daily page."""
    return _MARK.search(document.text[:_PROBED]) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each card, in page order.

    Raises ``DumpError`` (incomplete_item) for a text that has kept the submitters but lost every title.
    """
    titles = rejects = 0
    for item in _items(document):
        titles += isinstance(item, Record)
        rejects += isinstance(item, Reject)
        yield item
    if rejects and not titles:
        expected = "expected a title below each 'Submitted by', found none: the text extraction dropped all titles"
        raise document.error(document.lines.first_text_line, "incomplete_item", expected)


def _items(document: Document) -> Iterator[Item]:
    """Yield records and rejects; claim the lines that are understood."""
    lines = document.lines
    listed_on: date | None = None
    reading: _Reading | None = None
    for number, text in lines.texts():
        if _SUBMITTER in text and (found := _BEGINS.fullmatch(without_button(text))):
            yield from _finish(document, reading, listed_on)
            reading = None
            if "·" in text and (card := _ONE_LINE.fullmatch(text)):
                lines.claim(number, _CARD)
                upvotes = read_count(card["upvotes"]) if card["upvotes"] else None
                yield _record(number, number, card["title"], listed_on, upvotes)
            else:
                reading = _Reading(number, needs_login=found["login"] is None, own=[number])
        elif reading is not None and PAGE_HEAD.rule(bare(text)) is None and reading.read(number, text):
            continue
        elif reading is None and _DAY_LINE.fullmatch(text):
            listed_on = read_day(text, document.facts)
            lines.claim(number, _DAY)
        else:
            lines.claim_boilerplate(number, BOILERPLATE, shown=bare(text))
    yield from _finish(document, reading, listed_on)


def _finish(document: Document, reading: _Reading | None, listed_on: date | None) -> Iterator[Item]:
    """Yield the record or reject of a card, and claim its lines."""
    if reading is None:
        return
    lines, end = document.lines, max(reading.own)
    if reading.title is None:
        detail = "expected a title below 'Submitted by' and the upvotes"
        yield Reject(reading.start, end, lines.text(reading.start, end), "incomplete_item", detail)
        return
    for number in (*reading.own, reading.title[0]):
        lines.claim(number, _LEFT_OUT if number == reading.organisation else _CARD)
    end = max(end, reading.title[0])
    yield _record(reading.start, end, reading.title[1], listed_on, reading.upvotes)


def _record(start: int, end: int, title: str, listed_on: date | None, upvotes: int | None) -> Record:
    """Make the record of a card."""
    return make_record(line_start=start, line_end=end, title=title, listed_on=listed_on, upvotes=upvotes)
