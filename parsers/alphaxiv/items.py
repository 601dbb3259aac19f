"""Turns the printed pieces of one alphaXiv card into a record: the same for every format.

Finding the pieces in a dump does not belong here.
"""

import re
from datetime import date
from typing import Final

from parsers._words.text import canonical_arxiv_id
from schemas.items import Person, Record

PAPER_URL: Final = "https://www.alphaxiv.org/abs/"

_PAPER_ID = re.compile(r"[\w./-]{1,100}")
_CATEGORY = re.compile(
    r"(?:astro-ph|cs|econ|eess|math|nlin|q-bio|q-fin|stat)\.[A-Z]{2}"
    r"|(?:cond-mat|physics)\.[a-z]{2,6}(?:-[a-z]{2,4})?"
    r"|astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph"
)


def make_record(  # noqa: PLR0913  # everything that a card may print, by name
    *,
    line_start: int | None,
    line_end: int | None,
    body: str | None = None,
    count: int | None = None,
    title: str | None = None,
    abstract: str | None = None,
    summary: str | None = None,
    authors: tuple[Person, ...] | None = None,
    authors_ordered: bool = True,
    topics: tuple[str, ...] | None = None,
    published_on: date | None = None,
    paper_id: str | None = None,
    group_id: str | None = None,
) -> Record:
    """Make the record of one card; texts stay as printed.

    ``body`` is the authors' abstract or an overview, if the layout does not say which; otherwise there are ``abstract``
    and ``summary``. ``paper_id`` is the last part of the address: an arXiv identifier, or another one for a paper that
    is not on arXiv; ``group_id`` is alphaXiv's own. ``authors_ordered`` is False if the order is lost; the order of
    ``topics`` means nothing.
    """
    arxiv_id = canonical_arxiv_id(paper_id) if paper_id else None
    is_address = arxiv_id is not None or (paper_id is not None and _PAPER_ID.fullmatch(paper_id) is not None)
    notes = []
    if body is not None:
        notes.append("abstract_or_summary")
    if authors is not None and not authors_ordered:
        notes.append("authors_unordered")
    return Record(
        line_start=line_start,
        line_end=line_end,
        native_id=group_id,
        title=title,
        abstract=body if body is not None else abstract,
        summary=summary,
        authors=authors,
        published_on=published_on,
        arxiv_id=arxiv_id,
        url=f"{PAPER_URL}{arxiv_id or paper_id}" if is_address else None,
        categories=_only_category(topics or ()),
        keywords=topics,
        engagement=count,
        notes=tuple(notes),
    )


def _only_category(topics: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the arXiv code among topics if it is the only one: of several, the primary one is unknown."""
    codes = [topic for topic in topics if ("." in topic or "-" in topic) and _CATEGORY.fullmatch(topic)]
    return tuple(codes) if len(codes) == 1 else None
