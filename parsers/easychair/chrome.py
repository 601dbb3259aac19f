"""The surroundings of the sessions in a Smart Program in HTML: title, menus and links.

```
<div id="title">CRUMB2018: A CONFERENCE</div><div id="main_menu"><a href="index.html">PROGRAM</a>..</div>
<div id="pagetitle">PROGRAM FOR MONDAY, MARCH 26TH</div>
<div class="days">Days: <a href="2018-03-27.html"><div class="next_day">next day</div></a>..</div>
```
"""

import re
from collections.abc import Iterable
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.elements import runs_of, text_of
from parsers._ledger.lines import Boilerplate
from parsers._ledger.page import Page
from parsers._words.dates import WEEKDAY
from parsers.easychair.elements import Element, Part, part_of
from parsers.easychair.marks import BOILERPLATE as LINES
from parsers.easychair.marks import DAY_LINK

BOILERPLATE: Final = Boilerplate(
    {
        "days": rf"Days:(?: ?(?:previous day|next day|all days|{DAY_LINK}))*",
        "day_links": rf"{DAY_LINK}(?: {DAY_LINK})*",
        "views": r"(?:View(?: this program)?:|side by side with other conferences|with abstracts|session overview"
        r"|talk overview|[ |])+",
        "credits": r"(?:Designed|Developed)(?: and Developed)? by [^|]{1,80}(?: ?\| ?Copyright \d{4} [^|]{1,80})?",
        "last_updated": r"Last updated:(?: [\d/:,. -]{1,40})?",
        "symbol": r"[^\w\s|]{1,3}",
    }
)
_EVENT: Final = r"(?=\S{0,60}[A-Z])[\w&/'’.+–-]{1,60}"
_EVENTS: Final = Boilerplate({"events": rf"{_EVENT}(?:[ |]+{_EVENT})*"})
MENUS: Final = {
    "main_menu": Boilerplate({"main_menu": r"(?=.*PROGRAM)[A-Z][A-Za-z &|/'’-]{0,300}|[A-Z][A-Z &|/-]{0,300}"}),
    "menu2": _EVENTS,
    "menu3": _EVENTS,
}

_OTHER_PAGE: Final = re.compile(
    r".*\b(?:(?:SESSION|TALK) VIEW|INDEX|ROOMS?|AUTHORS?|KEYWORDS?|SLIDES|COMMITTEES?|CHAIRS?|CALL FOR)\b.*"
    rf"|(?!.*\b(?:PROGRAM|SCHEDULE|AGENDA|TIMETABLE))(?!.* ON {WEEKDAY},).*",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"[^:]{1,80}: \S")
_LONGEST: Final = 2000
"""The longest menu, in characters."""

_ByID = dict[str, Element]


def find_named(content: Element) -> _ByID:
    """Return the elements above the first session by their id; the first of each wins."""
    named: _ByID = {}
    for element in content.iter("*"):
        if part_of(element.get("class")) is Part.SESSION:
            break
        if name := element.get("id"):
            named.setdefault(name, element)
    return named


def refuse_other_pages(document: Document, page_title: str, line: int | None) -> None:
    """Raise ``DumpError`` (declined) for a page without a programme: an overview, an index, a person, a room."""
    if page_title and _OTHER_PAGE.fullmatch(page_title):
        found = page_title[:_LONGEST]
        raise document.error(line or 1, "declined", f"expected a day page or index page, found {found!r}")


def find_title(content: Element, named: _ByID) -> tuple[str, Element | None]:
    """Return the title of the page, ``ACRONYM: NAME``, and its element; empty and None if there is none."""
    if "title" in named:
        return text_of(named["title"]), named["title"]
    headings = ((text_of(heading), heading) for heading in content.iter("h1"))
    return next(((text, heading) for text, heading in headings if _TITLE.match(text)), ("", None))


def claim_chrome(page: Page, named: _ByID, outer: Iterable[Element]) -> None:
    """Claim menus, links and labels around the ``outer`` elements of the programme, but not those elements."""
    for name, menu in MENUS.items():
        if name in named:
            page.claim_boilerplate(named[name], menu)
    programme, holders = set(outer), {page.content}
    for element in programme:
        for holder in element.iterancestors():
            if holder in holders:
                break
            holders.add(holder)
    waiting = [page.content]
    while waiting:
        element = waiting.pop()
        for run in runs_of(element):
            page.claim_run(run, BOILERPLATE) or page.claim_run(run, LINES)
        waiting += [child for child in element if child in holders or not (child in programme or _claim(page, child))]


def _claim(page: Page, element: Element) -> bool:
    """Claim an element whose whole text is boilerplate; True if it is claimed, now or before."""
    if page.rule_of(element) is not None:
        return True
    return page.claim_boilerplate(element, BOILERPLATE) or page.claim_boilerplate(element, LINES)
