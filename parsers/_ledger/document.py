"""What a parser gets: one decoded dump with the facts of its sidecar and the ledgers that account for it.

It also has the one error that a parser raises about a document as a whole. What a source declares does not belong here
(``parsers._contract``), nor does what is particular to one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final, TypeVar

from parsers._ledger.data import Data, DataError
from parsers._ledger.decode import Problem, decode
from parsers._ledger.formats import form_of
from parsers._ledger.lines import Accounting, LineClass, Lines, Place
from parsers._ledger.markdown import to_html
from parsers._ledger.markup import PageError
from parsers._ledger.page import Page

_HEAD: Final = 1000  # characters
_PAGE_BEGINS: Final = re.compile(r"!doctype\s+html\s*>|<html[\s>]|<head>", re.IGNORECASE)
_Found = TypeVar("_Found")


TABLES: Final = "table.toml"
"""The file with the tables by which the dumps beside and below it are read, for sources that have no others."""


class DumpError(Exception):
    """A document as a whole cannot be used: names the file, the line, the reason and what was expected."""

    def __init__(self, path: str, line: int, reason: str, expected: str) -> None:
        """``reason`` is a code of ``schemas.vocabulary.REASONS``; ``line`` is 1-based."""
        super().__init__(f"{path}:{line}: {reason}: {expected}")
        self.path = path
        self.line = line
        self.reason = reason
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Facts:
    """The sidecar of a dump; None for what it does not say, or without a sidecar.

    ``accept`` names the guards whose alarm over this dump a person has checked and overruled. ``tables`` is the text of
    the nearest ``table.toml`` above the dump, for sources that are read by tables in a file. ``companions`` are the
    files beside the dump that belong to it: path below the raw root and SHA-256, empty for one that cannot be read.
    ``urls`` are their addresses, if they were fetched.
    """

    url: str | None = None
    captured_at: datetime | None = None
    event: str | None = None
    timezone: str | None = None
    year: int | None = None
    category: str | None = None
    specimen: bool = False
    accept: tuple[str, ...] = ()
    tables: str | None = None
    companions: tuple[tuple[str, str], ...] = ()
    urls: tuple[str, ...] = ()


@dataclass(frozen=True)  # no slots: page, feed and data are made when a parser first asks for them
class Document:
    """One dump, decoded: its path below the raw root (POSIX), text, hash of the bytes, encoding and sidecar facts.

    ``lines``, ``page``, ``feed`` and ``data`` are the ledgers of text, HTML, XML and JSON: a parser reads one of them
    and claims what it understands there. A document is parsed once; to parse again, make another document. ``damage``
    are the places where bytes are no text: there the text has U+FFFD. ``companions`` are the files beside it that
    belong to it, each with its own ledger; the account covers them.
    """

    path: str
    text: str
    sha256: str
    encoding: str
    facts: Facts
    lines: Lines = field(repr=False, compare=False)
    damage: tuple[Problem, ...] = ()
    companions: tuple[Document, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def from_bytes(cls, path: str, data: bytes, facts: Facts | None = None, sha256: str | None = None) -> Document:
        """Decode ``data``. Raises ``DumpError`` (empty_dump, nul_byte, decode_error).

        ``sha256`` is the hash of the file where that differs from ``data``, because it was packed.
        """
        text, encoding, problems = decode(data)
        if not text:
            raise DumpError(path, problems[0].line, problems[0].reason, problems[0].expected)
        digest = sha256 or hashlib.sha256(data).hexdigest()
        return cls(path, text, digest, encoding, facts or Facts(), Lines(text), problems)

    @cached_property
    def page(self) -> Page:
        """The document as HTML. Raises ``DumpError`` (malformed) where it cannot be read without loss."""
        return self._page_of(self.text)

    def page_or_markdown(self) -> Page:
        """Read the document as HTML; one without an element is Markdown. Raises ``DumpError`` (malformed)."""
        if "page" not in self.__dict__ and "</" not in self.text:
            self.__dict__["page"] = self._page_of(to_html(self.text))
        return self.page

    def _page_of(self, text: str) -> Page:
        """Return HTML whose lines are those of the document."""
        try:
            return Page(text)
        except PageError as error:
            raise self.error(error.line, "malformed", error.expected) from error

    @cached_property
    def feed(self) -> Page:
        """The document as XML. Raises ``DumpError`` (malformed) where it is not well-formed."""
        return self.feed_of()

    def feed_of(self, *items: str) -> Page:
        """Read the document as XML whose items are elements of these local names.

        If it is cut, the complete items can be read and the ledger reports the rest. Raises ``DumpError`` (malformed)
        if there are none, or if it is refused for another reason.
        """
        if "feed" not in self.__dict__:
            try:
                self.__dict__["feed"] = Page(self.text, xml=True, items=items)
            except PageError as error:
                raise self.error(error.line, "malformed", error.expected) from error
        return self.feed

    @cached_property
    def data(self) -> Data:
        """The document as JSON. Raises ``DumpError`` (malformed) where it is not."""
        return self.data_of()

    def data_of(self, *keys: str) -> Data:
        """Read the document as JSON whose items are the elements of a top-level list, or values under one of the keys.

        Where a key holds a list, its elements may have their items under a later key. If the document is cut, the
        complete items can be read and the ledger reports the rest. Raises ``DumpError`` (malformed) if there are none.
        """
        if "data" not in self.__dict__:
            try:
                self.__dict__["data"] = Data(self.text, keys)
            except DataError as error:
                raise self.error(error.line, "malformed", error.expected) from error
        return self.data

    def data_in(self, form: str) -> Data:
        """Read the document as data of a form (``formats.DATA``). Raises ``DumpError`` (malformed)."""
        if "data" not in self.__dict__:
            try:
                self.__dict__["data"] = Data.of_form(self.text, form)
            except DataError as error:
                raise self.error(error.line, "malformed", error.expected) from error
        return self.data

    @cached_property
    def form(self) -> str | None:
        """The form of data that the document has, by its first sign or the suffix of its path; None if it has none."""
        return form_of(self.path, self.text)

    @cached_property
    def is_markup(self) -> bool:
        """True if the text is HTML or XML, although something may stand before the first tag or be missing from it."""
        head = self.text[:_HEAD]
        return head.lstrip().startswith("<") or _PAGE_BEGINS.search(head) is not None

    @property
    def files(self) -> tuple[Document, ...]:
        """The document and its companions."""
        return self, *self.companions

    def again(self) -> Document:
        """Return a copy without claims, of its companions, too."""
        return replace(self, lines=Lines(self.text), companions=tuple(each.again() for each in self.companions))

    def once(self, find: Callable[[Document], _Found]) -> _Found:
        """Return what a function finds in the document; it is called once, for recognition and parsing alike."""
        known: dict[Callable[[Document], Any], Any] = self.__dict__.setdefault("_known", {})
        if find not in known:
            known[find] = find(self)
        found: _Found = known[find]
        return found

    @property
    def reads_lines(self) -> bool:
        """True if the parser reads the lines: it has opened no other ledger."""
        return self._opened == "lines"

    @property
    def counts_items(self) -> bool:
        """True if its places are those of items of data: by lines in CSV and YAML, else by their order."""
        return self._opened == "data"

    @property
    def language(self) -> str | None:
        """The language that an HTML page says it is in, such as ``en``; None if it does not say, or is no page."""
        said = self.page.root.get("lang") if self._opened == "page" else None
        return re.split(r"[-_]", said.strip().lower())[0] or None if said else None

    def leave_out(self, text: str) -> None:
        """Say that a text which is claimed need not be published: a label, or what nobody needs."""
        self.left_out.append(text)

    @cached_property
    def left_out(self) -> list[str]:
        """The texts that are claimed and need not be published."""
        return []

    @cached_property
    def remarks(self) -> list[str]:
        """What a parser says of the document to whoever reads it by hand; nothing is held back for it."""
        return []

    @cached_property
    def contradictions(self) -> list[str]:
        """What the page prints that contradicts the year that was asked for."""
        return []

    @cached_property
    def calls_itself(self) -> set[str]:
        """What the page calls its event, in its title or in a field for that."""
        return set()

    def account(self) -> Accounting:
        """Close the ledger that the parser read: the page, feed or data, else the lines; then those of companions."""
        account = self._ledger.account()
        for each in self.companions:
            if not each.reads_lines:
                account = account.joined(each.account(), each.path)
        return account

    def claimed_texts(self) -> Iterator[str]:
        """Yield the texts that the parser has claimed for records and headings, each claim as one."""
        return self._ledger.claimed_texts()

    def claimed_pieces(self, words: Collection[str]) -> Iterator[str]:
        """Yield those of these texts that hold one of the words in pieces: the texts of a page by element."""
        return self._ledger.claimed_pieces(words)

    def levels(self) -> set[int]:
        """Return the levels of the headings that the parser has found in a text or page."""
        return {rule.level for rule in self._ledger.rules() if rule.line_class is LineClass.HEADING}

    def places(self) -> Iterator[Place]:
        """Yield every place that this ledger accounts for, in document order, with the rule that claimed it."""
        return self._ledger.places()

    @property
    def _ledger(self) -> Page | Data | Lines:
        """The ledger that the parser has opened."""
        ledger: Page | Data | Lines = getattr(self, self._opened)
        return ledger

    @property
    def _opened(self) -> str:
        """The name of the ledger that the parser has opened."""
        return next((name for name in ("page", "feed", "data") if name in self.__dict__), "lines")

    def error(self, line: int, reason: str, expected: str) -> DumpError:
        """Make the error for a document that cannot be used as a whole; the caller raises it."""
        return DumpError(self.path, line, reason, expected)
