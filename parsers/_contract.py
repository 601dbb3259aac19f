"""The contract of a source: what it declares (``Format``, ``Source``). What its parser gets is a ``Document``.

A source is a module or package of this folder that exports ``SOURCE``, a ``Source``; ``parsers._registry`` finds it by
scanning. Nothing about any one source belongs here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import Any, Final, NamedTuple

from parsers._ledger.document import Document, Facts
from parsers._ledger.fields import FieldError
from parsers._web.web import Web
from schemas.items import Declared, Item, Reject

_HEAD: Final = 5_000  # characters
_SHOWN: Final = 200


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
class Foot:
    """What a whole text of a format prints below its items: one that prints ``head`` above them also prints ``foot``.

    Both belong to the frame of a page, which an extractor keeps or drops: a text without the head may lack the foot.
    Markup, XML and JSON need no such mark, their ledgers know it. ``expects`` names the foot for the message.
    """

    expects: str
    head: re.Pattern[str]
    foot: re.Pattern[str]

    def find_missing(self, text: str, _totals: Sequence[Declared], _items: int) -> str | None:
        """Return what was expected at the end of a text that has the head alone."""
        head = self.head.search(text, 0, _HEAD)
        return f"expected {self.expects} at the end" if head and not self.foot.search(text, head.end()) else None


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the items of a page, one group of ``pattern``: where it declares their total, that is the last.

    An extractor loses items anywhere, a dump that is cut those with the highest numbers.
    """

    pattern: re.Pattern[str]

    def find_missing(self, text: str, totals: Sequence[Declared], items: int) -> str | None:
        """Return which number was expected at the end of a page that has fewer items than its total."""
        of_page = [each for each in totals if (each.listing_section, each.listed_on, each.kind) == (None, None, None)]
        if not of_page or items >= of_page[-1].count:
            return None
        total, last = of_page[-1], max((int(found[1]) for found in self.pattern.finditer(text)), default=0)
        if not 0 < last < total.count:
            return None
        return f"expected {total.count} entries, as line {total.line} says, the last one is number {last}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a source claims and publishes in no column, in closed lists, as ``docs/left-out.md`` prints them.

    ``words``, in lower case and without accents, are those of labels and of facts that no column holds; so is the one
    word behind each of ``before``, such as the name of a user. ``codes`` are the names that pages print beside a code
    which is published, such as that of a category. ``labels`` stand before a value, in UTF-8 as they are
    printed; their words are among ``words``, but a dump may glue them to what is before and behind.
    """

    words: frozenset[str] = frozenset()
    before: tuple[str, ...] = ()
    codes: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """One layout of a source.

    ``recognise`` looks at ``text`` and ``lines`` alone and is cheap: it reads a bounded part and claims nothing.
    ``expects`` says in words what it looks for, for the error message. ``parse`` is a pure generator; it always raises
    if the format ``refuses`` what it recognises. ``ends`` say how a dump shows that it is whole; without them a text is
    believed. A format is ``keyed`` if all its texts stand behind keys that are accounted for one by one: whether each
    word of them is published is not asked then.
    """

    name: str
    expects: str
    recognise: Callable[[Document], bool]
    parse: Callable[[Document], Iterator[Item]]
    refuses: bool = False
    ends: tuple[Foot | Numbers, ...] = ()
    keyed: bool = False

    def items(self, document: Document) -> Iterator[Item]:
        """Yield the items of ``parse``. Raises ``DumpError``, also (malformed) if a value around the items is wrong."""
        try:
            yield from self.parse(document)
        except FieldError as error:  # within an item it makes a reject
            raise document.error(1, "malformed", f"expected a {self.name}: {error}") from error

    def find_cut(self, document: Document, totals: Sequence[Declared], items: int) -> Iterator[Reject]:
        """Yield a reject at the last line of a dump that lacks one of the ``ends``.

        ``items`` were read or rejected; ``totals`` are those that the page declares.
        """
        found = (end.find_missing(document.text, totals, items) for end in self.ends)
        for expected in islice(filter(None, found), 1):
            text = document.text.rstrip()
            line = text.count("\n") + 1
            yield Reject(line, line, text[text.rfind("\n") + 1 :][-_SHOWN:], "cut", expected)


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its name (that of its module and raw folder), a title for people, its parser version, its formats.

    ``version`` is raised whenever the output of ``parse`` can change. ``web`` describes how to fetch its pages, None if
    they are not fetched. ``prints_ids`` promises that every layout prints the source's own id with each item
    (``native_id``), unique within the event: items are then keyed by it, not by title and time. ``labels`` are the
    texts that its pages print before a part of an item: a field that holds one too often has swallowed other items.
    ``leaves_out`` is what its records and headings claim and need not publish; with None nobody looks. ``asked`` tells
    from the sidecar what its page should show. ``filled_later`` are columns that the site fills days after it lists a
    record.
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
    leaves_out: LeftOut | None = None
    asked: Callable[[Facts], Asked] = lambda _: Asked()
    filled_later: tuple[str, ...] = ()

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
