"""The values that parsers yield: all immutable, without polars or pandera. For the choice of tuples see ADR 10.

A parser turns a document into a stream of ``Item``: a ``Record`` for each thing it understood, a ``Reject`` for each
thing that it could not turn into a record, and ``Declared`` for each total that the page prints about itself. Names and
texts are as printed; dates and times are typed. Table columns are declared in ``schemas.tables``.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple


class Person(NamedTuple):
    """An author, chair or speaker, as printed."""

    name: str
    affiliation: str | None = None
    country: str | None = None
    url: str | None = None


class Link(NamedTuple):
    """An address printed with an item in addition to its own; ``rel`` is a code of ``vocabulary.LINKS``."""

    url: str
    title: str | None = None
    rel: str = "related"


class Slot(NamedTuple):
    """One printed occurrence: venue-local wall clock without zone; None for what the page does not say."""

    starts_at: datetime | None = None
    ends_at: datetime | None = None
    room: str | None = None


class Record(NamedTuple):
    """A paper, talk or programme event as one dump shows it.

    ``line_start`` and ``line_end`` are 1-based and inclusive. None means that the dump does not say; tuples are None
    rather than empty, except ``notes``. ``dump`` is the path of the companion that the item stands in, None for the
    dump itself. The field names are those of the ``records`` table, where each is described.
    """

    line_start: int | None
    line_end: int | None
    kind: str = "paper"
    type: str | None = None
    native_id: str | None = None
    title: str | None = None
    subtitle: str | None = None
    language: str | None = None
    abstract: str | None = None
    description: str | None = None
    summary: str | None = None
    authors: tuple[Person, ...] | None = None
    presenter: str | None = None
    event: str | None = None
    session_code: str | None = None
    session_title: str | None = None
    track: str | None = None
    session_description: str | None = None
    chairs: tuple[Person, ...] | None = None
    slots: tuple[Slot, ...] | None = None
    timezone: str | None = None
    listed_on: date | None = None
    published_on: date | None = None
    listing_section: str | None = None
    arxiv_id: str | None = None
    doi: str | None = None
    url: str | None = None
    links: tuple[Link, ...] | None = None
    categories: tuple[str, ...] | None = None
    comments: str | None = None
    journal_ref: str | None = None
    report_no: str | None = None
    formats: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    engagement: int | None = None
    notes: tuple[str, ...] = ()
    dump: str | None = None


@dataclass(frozen=True, slots=True)
class Reject:
    """Something in the dump that did not become a record; ``reason`` is a code of ``vocabulary.REASONS``.

    ``dump`` is the path of the companion that it stands in, None for the dump itself.
    """

    line_start: int | None
    line_end: int | None
    text: str
    reason: str
    detail: str
    dump: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """A total that the page prints about itself, to be compared with the number of parsed records.

    ``count`` is the number of records: of ``listing_section`` if given, of the day ``listed_on`` if given, of ``kind``
    if given (a page that counts its talks does not count its breaks), else of the whole page. ``line`` is where the
    page prints it.
    """

    line: int
    count: int
    listing_section: str | None = None
    listed_on: date | None = None
    kind: str | None = None


Item = Record | Reject | Declared
