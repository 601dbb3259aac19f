"""One entry of a listing page in HTML: from its elements to a record.

An entry is a ``dt`` with number, identifier and formats, and the elements of class ``list-..`` that follow it, at any
depth; its abstract is in paragraphs (``p``). Grouping elements by entry does not belong here (``html``).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from lxml import etree

from parsers._ledger.elements import last_line_of, line_of
from parsers._ledger.lines import LineClass, Rule, record_rule
from parsers._ledger.page import Page
from parsers.arxiv.headings import ListingDay
from parsers.arxiv.items import ARXIV_ID, MOST_LINKED, SUBJECTS, Entry, make_record, section_of
from parsers.arxiv.typeset import (
    authors_in,
    cut_off_from,
    is_plain,
    loses_formula,
    paragraphs_in,
    plain_text_of,
    text_in,
)
from schemas.items import Item, Reject

_ENTRY = record_rule("entry")
_REJECTED = Rule("incomplete_item", LineClass.REJECTED)

_ID_LINK = re.compile(rf"/abs/({ARXIV_ID})(?:v\d+)?(?:[?#]|$)")
_HEAD = re.compile(
    rf"""
    (?:\[\d+\]\s?)?                               # number on the page; catchup pages have none
    (?:(?:arXiv:)?(?P<id>{ARXIV_ID})(?:v\d+)?)?   # else it is in the link
    (?:\s?\((?:(?P<cross>cross-list\ from\ [\w.-]+)|(?P<replaced>replaced))\)){{0,2}}
    \s?(?:\[(?!\d)(?P<formats>[\w\s,]*)\](?:\s?[^\[\]]{{1,60}})?)?   # programs of a reader may add a word
    """,
    re.VERBOSE,
)


@dataclass(slots=True)
class EntryElements:
    """The elements of one entry, and the day and section from the headings above it."""

    day: ListingDay | None
    section: str | None
    dt: etree._Element | None = None
    dd: etree._Element | None = None
    parts: dict[str, etree._Element] = field(default_factory=dict)
    abstract: list[etree._Element] = field(default_factory=list)

    def take(self, element: etree._Element, label: str | None) -> None:
        """Add an element inside the ``dd``: a part, or a paragraph of the abstract; others are ignored."""
        if label is not None:
            self.parts.setdefault(label, element)
        elif element.tag == "dd":
            self.dd = element
        elif element.tag == "p":
            self.abstract.append(element)

    @property
    def elements(self) -> list[etree._Element]:
        """All elements of the entry in page order, without its ``dd``, which may hold more."""
        parts = [*self.parts.values(), *self.abstract]
        return parts if self.dt is None else [self.dt, *parts]

    @property
    def whole(self) -> list[etree._Element]:
        """The elements that hold the text of the entry: its ``dd`` if it has no known parts."""
        return self.elements or ([self.dd] if self.dd is not None else [])


def read_entry(page: Page, found: EntryElements) -> Iterator[Item]:
    """Yield the record of an entry, or a reject with its text; also a reject if a formula is lost."""
    elements = found.elements
    plain = all(map(is_plain, found.parts.values()))  # the usual case: checked only once
    read = plain_text_of if plain else text_in
    texts = {
        label: text
        for label, element in found.parts.items()
        if (text := (authors_in if label == "Authors" else read)(element).removeprefix(f"{label}:").lstrip())
    }
    head = _HEAD.fullmatch(plain_text_of(found.dt)) if found.dt is not None else None
    arxiv_id = (head["id"] or _linked_id(found.dt)) if head is not None else None
    subjects = SUBJECTS.match(texts.get("Subjects", ""))
    if head is None or arxiv_id is None:
        yield from _reject(page, found, "a dt such as '[1] arXiv:2507.00001 [pdf, html, other]' above the dd")
    elif "Title" not in texts:
        yield from _reject(page, found, "an element of class list-title with the title in the dd")
    elif subjects is None:
        yield from _reject(page, found, "an element of class list-subjects such as 'Subjects: Optics (physics.optics)'")
    else:
        texts["Subjects"] = subjects[0]
        cut_off = [cut_off_from(paragraph) for paragraph in found.abstract]
        for element in elements:
            page.claim(element, _ENTRY)
        for behind in chain.from_iterable(cut_off):
            page.claim(behind, _ENTRY)
            page.claim_tail(behind, _ENTRY)
        yield make_record(
            Entry(
                line_start=line_of(elements[0]),
                line_end=last_line_of(elements[-1]),
                title=texts["Title"],
                fields=texts,
                paragraphs=tuple(chain.from_iterable(map(paragraphs_in, found.abstract, cut_off))),
                arxiv_id=arxiv_id,
                formats=head["formats"],
                section=section_of(head, found.section),
                listed_on=found.day.value if found.day else None,
                notes=(found.day.notes if found.day else ()) + _cut_notes(found.parts.get("Authors")),
            )
        )
        written = chain(found.abstract, *cut_off) if plain else chain(elements, *cut_off)
        if any(map(loses_formula, written)):
            yield _tell(found, "formulas as LaTeX source, found rendered formulas")


def _linked_id(dt: etree._Element | None) -> str | None:
    """Return the identifier in the link to the abstract."""
    if dt is None:
        return None
    links = (_ID_LINK.search(link.get("href") or "") for link in dt.iter("a"))
    return next((link[1] for link in links if link), None)


def _cut_notes(authors: etree._Element | None) -> tuple[str, ...]:
    """Return the note for an author list with as many links as the page shows at most."""
    if authors is None or len(authors) < MOST_LINKED:
        return ()
    return ("authors_cut",) if sum(1 for _ in authors.iter("a")) == MOST_LINKED else ()


def _reject(page: Page, found: EntryElements, expected: str) -> Iterator[Item]:
    """Claim an entry as rejected and yield the reject, unless it has no text at all."""
    reject = _tell(found, expected)
    if not reject.text:
        return
    for element in found.whole:
        page.claim(element, _REJECTED)
    yield reject


def _tell(found: EntryElements, expected: str) -> Reject:
    """Make the reject with the text of an entry; nothing is claimed."""
    elements = found.whole
    text = "\n".join(filter(None, map(text_in, elements)))
    return Reject(line_of(elements[0]), last_line_of(elements[-1]), text, "incomplete_item", f"expected {expected}")
