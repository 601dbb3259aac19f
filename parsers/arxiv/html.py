"""Listing pages of arXiv in HTML: /new, /recent, /pastweek, month, year, catchup; current and older layout.

Invented page; the older layout has its ``h3`` before the ``dl`` and labels its authors::

    <div id="dlpage"><h1>Fluid Dynamics</h1><h3>Showing new listings for Friday, 11 July 2025</h3>
    <div class='paging'>Total of 1 entries</div>
    <dl id='articles'><h3>New submissions (showing 1 of 1 entries)</h3>
    <dt><a name='item1'>[1]</a> <a href ="/abs/2507.00001" title="Abstract">arXiv:2507.00001</a>
      (cross-list from math.OC) [<a href="/pdf/2507.00001">pdf</a>, <a href="/format/2507.00001">other</a>]</dt>
    <dd><div class='meta'>
      <div class='list-title mathjax'><span class='descriptor'>Title:</span> Foam in Large Tanks</div>
      <div class='list-authors'><a href="..">Ada Quill</a>, <a href="..">Bo Ferns</a> (Mole Lab)</div>
      <div class='list-subjects'><span class='descriptor'>Subjects:</span> Optics (physics.optics)</div>
      <p class='mathjax'>We fill tanks ...</p></div></dd></dl></div>

An entry is a ``dt`` with number, identifier and formats, and the elements of class ``list-..`` that follow it; its
abstract is in paragraphs (``p``). Elements are recognised by tag and class in page order, however deep an unclosed tag
has put them. The text of one element does not belong here (``typeset``).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import Run, last_line_of, line_of, runs_of, text_of, text_of_run
from parsers._ledger.lines import LineClass, Rule, heading_rule, record_rule
from parsers._ledger.page import Page
from parsers.arxiv.chrome import BOILERPLATE, LIST_ITEMS
from parsers.arxiv.headings import Context, ListingDay, read_heading, take_heading
from parsers.arxiv.items import ARXIV_ID, MOST_LINKED, SUBJECTS, Entry, make_record, section_of
from parsers.arxiv.typeset import (
    authors_in,
    cut_off_from,
    is_plain,
    label_of,
    loses_formula,
    paragraphs_in,
    plain_text_of,
    text_in,
)
from schemas.items import Declared, Item, Reject

EXPECTS: Final = "HTML with entries in dt and dd, the title in an element of class list-title, or 'No updates today'"

_PROBED: Final = 20_000  # characters within which a page without entries names arXiv
_ENTRY = record_rule("entry")
_REJECTED = Rule("incomplete_item", LineClass.REJECTED)
_DATE_INVALID = Rule("date_invalid", LineClass.REJECTED)
_PAGE_TITLE = heading_rule("page_title", 0)

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5"})
_SCANNED: Final = ("dt", "dd", "div", "p", "li", "small", *sorted(_HEADINGS))
_LOOSE: Final = ("div", "p", "dl", "ul", "ol", "table", "section", "main", "article")
_NESTING: Final = frozenset({*_LOOSE, *_HEADINGS})
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
_EMPTY = re.compile(r"No updates (?:today|for this time period)|No (?:further )?updates for [A-Z][a-z]{2}, \d")


@dataclass(slots=True)
class _EntryElements:
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


def recognise(document: Document) -> bool:
    """True if this is markup with entries of a listing, or a listing page that declares itself empty."""
    text = document.text
    if not document.is_markup:
        return False
    if "list-title" in text and ("<dt" in text or "<DT" in text):
        return True
    if " updates today" not in text and " updates for " not in text:  # much faster than the search below
        return False
    return _EMPTY.search(text) is not None and ("dlpage" in text or "arxiv" in text[:_PROBED].lower())


def parse(document: Document) -> Iterator[Item]:
    """Yield the entries in page order and the totals that the page declares."""
    page = document.page
    page.content = _content_of(page.root)
    context = Context(nested=True, paged="View page:" in document.text)
    found: _EntryElements | None = None
    for element in page.content.iter(*_SCANNED):
        label = label_of(element.get("class"))
        if label is not None and found is not None and label not in found.parts:
            found.parts[label] = element
        elif _begins_entry(element, label, found):
            if found is not None:
                yield from _read_entry(page, found)
            found = _begin(element, context)
        elif found is not None and (label is not None or _belongs(element, found)):
            found.take(element, label)
        elif not _is_container(element):
            if found is not None:
                yield from _read_entry(page, found)
            found = None
            yield from _read_page_line(page, element, context)
    if found is not None:
        yield from _read_entry(page, found)
    yield from _read_loose(page, page.content, context)


def _content_of(root: etree._Element) -> etree._Element:
    """Return the content area: the marked one, without menus and footer of the site, else everything.

    A surplus end tag closes the marked area early; then the area is the element around all entries.
    """
    paths = (".//*[@id='dlpage']", ".//main", ".//*[@id='content']", ".//body")
    content = next((found for path in paths if (found := root.find(path)) is not None), root)
    while (parent := content.getparent()) is not None and _entries_outside(content, root):
        content = parent
    return content


def _entries_outside(content: etree._Element, root: etree._Element) -> bool:
    """True if there are entries after an element, or all of them elsewhere; its own content is not searched."""
    around = (content, *content.iterancestors())
    behind = (sibling for element in around for sibling in element.itersiblings("*"))
    if any(next(sibling.iter("dt", "dd"), None) is not None for sibling in behind):
        return True
    return content.find(".//dt") is None and root.find(".//dt") is not None


def _begins_entry(element: etree._Element, label: str | None, found: _EntryElements | None) -> bool:
    """True if an element begins an entry: its ``dt``, or an element that can only follow a lost ``dt``."""
    if element.tag == "dt":
        return True
    if element.tag == "dd":
        return found is None or found.dd is not None
    return label == "Title" and (found is None or "Title" in found.parts)


def _begin(element: etree._Element, context: Context) -> _EntryElements:
    """Begin an entry with its first element."""
    context.entries_seen = True
    found = _EntryElements(context.day, context.section)
    if element.tag == "dt":
        found.dt = element
    elif element.tag == "dd":
        found.dd = element
    else:
        found.parts["Title"] = element
    return found


def _belongs(element: etree._Element, found: _EntryElements) -> bool:
    """True if an element without a known class belongs to the open entry: it is in its ``dd``."""
    if element.tag in _HEADINGS:
        return False
    if found.dd is not None and element.getparent() is found.dd:
        return True
    if element.tag == "dd" or (element.tag == "p" and "mathjax" in (element.get("class") or "")):
        return True
    return next((parent.tag for parent in element.iterancestors("dd", "dl")), "") == "dd"


def _is_container(element: etree._Element) -> bool:
    """True if an element only contains others that are read separately."""
    return element.tag == "div" and any(child.tag in _NESTING for child in element)


def _read_page_line(page: Page, element: etree._Element, context: Context) -> Iterator[Item]:
    """Claim an element outside the entries: heading, boilerplate, or the page's title above the entries."""
    text = text_of(element)
    if not text or label_of(element.get("class")):
        return
    if element.tag == "li":
        if not page.claim_boilerplate(element, LIST_ITEMS):
            page.claim_boilerplate(element, BOILERPLATE)
    elif heading := read_heading(text):
        rule, items = take_heading(heading, line_of(element) or 1, text, context)
        page.claim(element, rule or _DATE_INVALID)
        yield from items
    elif element.tag == "h1" and not context.entries_seen:
        page.claim(element, _PAGE_TITLE)
    else:
        page.claim_boilerplate(element, BOILERPLATE)


def _read_loose(page: Page, container: etree._Element, context: Context) -> Iterator[Declared | Reject]:
    """Claim the text between the elements of a container: totals and links."""
    if page.rule_of(container) is not None:
        return
    for run in runs_of(container):
        yield from _read_run(page, run, context)
    for child in container.iterchildren(*_LOOSE):
        yield from _read_loose(page, child, context)


def _read_run(page: Page, run: Run, context: Context) -> Iterator[Declared | Reject]:
    """Claim one line of loose text; its totals are declared, but it governs no entry."""
    text = text_of_run(run)
    if heading := read_heading(text):
        _, items = take_heading(heading, line_of(run[0][0]) or 1, text, replace(context))
        page.claim_run(run, heading_rule(heading.name, 0))
        yield from (item for item in items if isinstance(item, Declared))
    else:
        page.claim_run(run, BOILERPLATE)


def _read_entry(page: Page, found: _EntryElements) -> Iterator[Item]:
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


def _reject(page: Page, found: _EntryElements, expected: str) -> Iterator[Item]:
    """Claim an entry as rejected and yield the reject, unless it has no text at all."""
    reject = _tell(found, expected)
    if not reject.text:
        return
    for element in found.whole:
        page.claim(element, _REJECTED)
    yield reject


def _tell(found: _EntryElements, expected: str) -> Reject:
    """Make the reject with the text of an entry; nothing is claimed."""
    elements = found.whole
    text = "\n".join(filter(None, map(text_in, elements)))
    return Reject(line_of(elements[0]), last_line_of(elements[-1]), text, "incomplete_item", f"expected {expected}")
