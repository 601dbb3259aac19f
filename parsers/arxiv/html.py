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

Elements are recognised by tag and class in page order, however deep an unclosed tag has put them. Turning an entry into
a record does not belong here.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import Run, line_of, runs_of, text_of, text_of_run
from parsers._ledger.lines import LineClass, Rule, heading_rule
from parsers._ledger.page import Page
from parsers.arxiv.chrome import BOILERPLATE, LIST_ITEMS
from parsers.arxiv.dd import EntryElements, read_entry
from parsers.arxiv.headings import read_heading
from parsers.arxiv.page import Context, take_heading
from parsers.arxiv.typeset import label_of
from schemas.items import Declared, Item, Reject

EXPECTS: Final = "HTML with entries in dt and dd, the title in an element of class list-title, or 'No updates today'"

_PROBED: Final = 20_000  # characters within which a page without entries names arXiv
_DATE_INVALID = Rule("date_invalid", LineClass.REJECTED)
_PAGE_TITLE = heading_rule("page_title", 0)

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5"})
_SCANNED: Final = ("dt", "dd", "div", "p", "li", "small", *sorted(_HEADINGS))
_LOOSE: Final = ("div", "p", "dl", "ul", "ol", "table", "section", "main", "article")
_NESTING: Final = frozenset({*_LOOSE, *_HEADINGS})
_EMPTY = re.compile(r"No updates (?:today|for this time period)|No (?:further )?updates for [A-Z][a-z]{2}, \d")


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
    found: EntryElements | None = None
    for element in page.content.iter(*_SCANNED):
        label = label_of(element.get("class"))
        if label is not None and found is not None and label not in found.parts:
            found.parts[label] = element
        elif _begins_entry(element, label, found):
            if found is not None:
                yield from read_entry(page, found)
            found = _begin(element, context)
        elif found is not None and (label is not None or _belongs(element, found)):
            found.take(element, label)
        elif not _is_container(element):
            if found is not None:
                yield from read_entry(page, found)
            found = None
            yield from _read_page_line(page, element, context)
    if found is not None:
        yield from read_entry(page, found)
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


def _begins_entry(element: etree._Element, label: str | None, found: EntryElements | None) -> bool:
    """True if an element begins an entry: its ``dt``, or an element that can only follow a lost ``dt``."""
    if element.tag == "dt":
        return True
    if element.tag == "dd":
        return found is None or found.dd is not None
    return label == "Title" and (found is None or "Title" in found.parts)


def _begin(element: etree._Element, context: Context) -> EntryElements:
    """Begin an entry with its first element."""
    context.entries_seen = True
    found = EntryElements(context.day, context.section)
    if element.tag == "dt":
        found.dt = element
    elif element.tag == "dd":
        found.dd = element
    else:
        found.parts["Title"] = element
    return found


def _belongs(element: etree._Element, found: EntryElements) -> bool:
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
