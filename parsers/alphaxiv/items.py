"""From the printed pieces of one alphaXiv card to a record: the same for every format.

How the pieces are found in a dump does not belong here.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from parsers._text import canonical_arxiv_id
from schemas.items import Person, Record

PAPER_URL: Final = "https://www.alphaxiv.org/abs/"

_PAPER_ID = re.compile(r"[\w./-]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card as printed.

    ``body`` is the authors' abstract or an overview where the layout does not say which; where it does, there are
    ``abstract`` and ``summary``. ``paper_id`` is the last part of the address: an arXiv identifier, or for a paper that
    is not there another one; ``group_id`` is alphaXiv's own. ``authors_ordered`` is False where the order is lost.
    """

    line_start: int | None
    line_end: int | None
    body: str | None = None
    count: int | None = None
    title: str | None = None
    abstract: str | None = None
    summary: str | None = None
    authors: tuple[Person, ...] | None = None
    authors_ordered: bool = True
    keywords: tuple[str, ...] | None = None
    published_on: date | None = None
    paper_id: str | None = None
    group_id: str | None = None


def make_record(card: Card) -> Record:
    """Make the record of one card; texts stay as printed."""
    arxiv_id = canonical_arxiv_id(card.paper_id) if card.paper_id else None
    is_address = card.paper_id is not None and _PAPER_ID.fullmatch(card.paper_id) is not None
    notes = []
    if card.body is not None:
        notes.append("abstract_or_summary")
    if card.authors is not None and not card.authors_ordered:
        notes.append("authors_unordered")
    return Record(
        line_start=card.line_start,
        line_end=card.line_end,
        native_id=card.group_id,
        title=card.title,
        abstract=card.body if card.body is not None else card.abstract,
        summary=card.summary,
        authors=card.authors,
        published_on=card.published_on,
        arxiv_id=arxiv_id,
        url=f"{PAPER_URL}{arxiv_id or card.paper_id}" if is_address else None,
        keywords=card.keywords,
        engagement=card.count,
        notes=tuple(notes),
    )
