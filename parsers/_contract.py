"""The contract of a source: what it declares (``Format``, ``Source``). What its parser gets is a ``Document``.

A source is a module or package of this folder that exports ``SOURCE``, a ``Source``; ``parsers._registry`` finds it by
scanning. Nothing about any one source belongs here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from parsers._ledger.document import Document, Facts
from parsers._ledger.fields import FieldError
from parsers._web.web import Web
from schemas.items import Item


class Family(StrEnum):
    """What identifies the records of a source: programme items have event and title, listings have the paper."""

    PROGRAMME = "programme"
    LISTING = "listing"


class PageKind(StrEnum):
    """What an absent item means: a STATE page shows everything that is valid, a LOG page only adds."""

    STATE = "state"
    LOG = "log"


class Asked(NamedTuple):
    """What a listing was asked for: the list of a day, a category that every record has; None for what was not."""

    day: date | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """One layout of a source.

    ``recognise`` looks at ``text`` and ``lines`` alone and is cheap: it reads a bounded part and claims nothing.
    ``expects`` says in words what it looks for, for the error message. ``parse`` is a pure generator; it always raises
    if the format ``refuses`` what it recognises.
    """

    name: str
    expects: str
    recognise: Callable[[Document], bool]
    parse: Callable[[Document], Iterator[Item]]
    refuses: bool = False

    def items(self, document: Document) -> Iterator[Item]:
        """Yield the items of ``parse``. Raises ``DumpError``, also (malformed) if a value around the items is wrong."""
        try:
            yield from self.parse(document)
        except FieldError as error:  # within an item it makes a reject
            raise document.error(1, "malformed", f"expected a {self.name}: {error}") from error


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its name (that of its module and raw folder), a title for people, its parser version, its formats.

    ``version`` is raised whenever the output of ``parse`` can change. ``web`` describes how to fetch its pages, None if
    they are not fetched. ``prints_ids`` promises that every layout prints the source's own id with each item
    (``native_id``), unique within the event: items are then keyed by it, not by title and time. ``labels`` are the
    texts that its pages print before a part of an item: a field that holds one too often has swallowed other items.
    ``leaves_out`` are the words, in lower case and without accents, that its records and headings claim and need not
    publish: of labels, of facts that no column holds. With None nobody looks. ``asked`` tells from the sidecar what its
    page should show.
    """

    name: str
    title: str
    version: int
    family: Family
    page: PageKind
    formats: tuple[Format, ...]
    web: Web[Any] | None = None
    prints_ids: bool = False
    labels: tuple[str, ...] = ()
    leaves_out: frozenset[str] | None = None
    asked: Callable[[Facts], Asked] = lambda _: Asked()

    @property
    def parser(self) -> str:
        """Name and version as in the ``parser`` column, such as ``arxiv@1``."""
        return f"{self.name}@{self.version}"

    def recognise(self, document: Document) -> Format:
        """Find the first format that recognises the document. Raises ``DumpError`` (not_this_source) if none does."""
        for format_ in self.formats:
            if format_.recognise(document):
                return format_
        expected = "; or ".join(f"{format_.name}: {format_.expects}" for format_ in self.formats if not format_.refuses)
        raise document.error(document.lines.first_text_line, "not_this_source", f"expected {expected}")
