"""Turns the printed pieces of one listing entry into a record: the same for every format of the source.

Finding the pieces in a dump does not belong here.
"""

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from parsers._words.text import canonical_arxiv_id, join_paragraphs
from parsers.arxiv.authors import read_authors, split_glued
from schemas.items import Person, Record

_CODE: Final = r"[a-z][a-z-]*(?:\.[A-Za-z][A-Za-z-]*)?"

# The name of a category may have commas and hyphens, never a bracket; one outside the taxonomy has no code.
_SUBJECT: Final = rf"(?:Invalid Category: [\w.-]+|[A-Z][^;()]*\({_CODE}\))"

SUBJECTS: Final = re.compile(rf"{_SUBJECT}(?:\s?;\s*{_SUBJECT})*")
"""The value of the ``Subjects:`` line; text after a match is not part of it."""

ARXIV_ID: Final = r"(?:\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?/\d{7})"
"""An identifier without version, new or old style."""

HEAD: Final = re.compile(
    rf"""
    (?:-\s?)?                                     # list bullet
    (?:\[\d+\]\s*)?                               # number on the page; catchup pages have none
    arXiv:(?P<id>{ARXIV_ID})(?:v\d+)?
    (?:\s*\((?:(?P<cross>cross-list\ from\ [\w.-]+)|(?P<replaced>replaced))\)){{0,2}}
    \s*(?:\[(?P<formats>[\w\s,]*)\])?
    """,
    re.VERBOSE,
)
"""The first line of an entry as all pages print it."""

MOST_LINKED: Final = 100
"""The most authors that the current layout shows: it leaves out all others without saying so."""

_FORMATS: Final = frozenset({"pdf", "html", "ps", "other"})
_ONE_CODE = re.compile(_CODE)
_CODES = re.compile(rf"\(({_CODE})\)")
_FIRST_DOI = re.compile(
    r"10\.\d{4,9}/\S+?(?=[,;]?(?:\s|$)|[,;](?:doi:|https?://\S{0,200}?/)?10\.\d{4,9}/)", re.IGNORECASE
)
_DOI_HOST = re.compile(r"(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*", re.IGNORECASE)


class Entry(NamedTuple):
    """One entry as printed. ``glued``: there is no separator between title and authors, the split has to be found.

    ``title`` is empty if the dump has lost it. ``formats`` is the text inside the bracket, ``fields`` the labelled
    values by label (``Comments``, ``Subjects``), ``section`` and ``listed_on`` come from marker and headings.
    ``people`` and ``categories`` are for formats that list each of them separately, not on one line.
    ``cuts_in_silence``: the layout leaves out the authors after the hundredth.
    """

    line_start: int | None
    line_end: int | None
    title: str
    fields: dict[str, str]
    paragraphs: tuple[str, ...] = ()
    arxiv_id: str | None = None
    formats: str | None = None
    section: str | None = None
    listed_on: date | None = None
    published_on: date | None = None
    people: tuple[Person, ...] | None = None
    categories: tuple[str, ...] | None = None
    glued: bool = False
    cuts_in_silence: bool = False
    notes: tuple[str, ...] = ()


def make_record(entry: Entry) -> Record:
    """Make the record of one entry; names and texts stay as printed."""
    fields = entry.fields
    title, printed_authors, notes = entry.title, fields.get("Authors"), entry.notes
    if entry.glued and printed_authors is None:
        title, printed_authors, uncertain = split_glued(title)
        notes += ("authors_uncertain",) if uncertain else ()
    authors, author_notes = read_authors(printed_authors) if printed_authors else (None, ())
    if entry.cuts_in_silence and authors is not None and len(authors) == MOST_LINKED:
        author_notes += ("authors_cut",)
    arxiv_id = canonical_arxiv_id(entry.arxiv_id) if entry.arxiv_id else None
    return Record(
        line_start=entry.line_start,
        line_end=entry.line_end,
        title=title or None,
        abstract=join_paragraphs(entry.paragraphs),
        authors=entry.people or authors,
        listed_on=entry.listed_on,
        published_on=entry.published_on,
        listing_section=entry.section,
        arxiv_id=arxiv_id,
        doi=_doi(fields.get("DOI")),
        url=f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else None,
        categories=entry.categories or _categories(fields.get("Subjects", "")),
        comments=fields.get("Comments") or None,
        journal_ref=fields.get("Journal-ref") or None,
        report_no=fields.get("Report-no") or None,
        formats=read_formats(entry.formats or ""),
        notes=tuple(dict.fromkeys(notes + author_notes)),
    )


def section_of(head: re.Match[str], inherited: str | None) -> str:
    """Return the section of an entry: from its own marker, else from its heading, else it is new."""
    return "cross" if head["cross"] else "replacement" if head["replaced"] else inherited or "new"


def pick_codes(printed: Iterable[str]) -> tuple[str, ...] | None:
    """Return the category codes among the printed ones, each once, without classes of other schemes (``68W10``)."""
    codes = (code.strip() for code in printed)
    return tuple(dict.fromkeys(code for code in codes if _ONE_CODE.fullmatch(code))) or None


@lru_cache(maxsize=4096)
def _categories(subjects: str) -> tuple[str, ...] | None:
    """Return the codes in the brackets of ``Subjects:``, primary first."""
    return tuple(_CODES.findall(subjects)) or None


@lru_cache(maxsize=64)
def read_formats(printed: str) -> tuple[str, ...] | None:
    """Return the known formats of ``pdf, html, other``, in printed order."""
    return tuple(word for word in (part.strip() for part in printed.split(",")) if word in _FORMATS) or None


def _doi(printed: str | None) -> str | None:
    """Return a DOI without resolver or label; the first of several, since the others are those of errata."""
    if not printed:
        return None
    doi = _DOI_HOST.sub("", printed, count=1).strip()
    first = _FIRST_DOI.match(doi)
    return (first[0] if first else doi) or None
