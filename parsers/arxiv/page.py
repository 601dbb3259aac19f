"""The lines of a listing page around its entries: the days and sections they set, and the totals they declare.

``Showing new listings for ..`` and a day govern the entries below, older headings of a section also set the section; a
total or a count of a section governs nothing. The wording of headings does not belong here (``headings``).
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Final

from parsers._ledger.lines import Rule, heading_rule
from parsers.arxiv.categories import CATEGORY_NAMES
from parsers.arxiv.chrome import BOILERPLATE
from parsers.arxiv.headings import Heading, ListingDay
from parsers.arxiv.wrapped import Paragraphs
from schemas.items import Declared, Item, Reject

PAGE_TITLE: Final = heading_rule("page_title", 0)
_RULES: Final = {
    "listing_day": heading_rule("listing_day", 2),
    "section": heading_rule("section", 0),  # each entry has a marker for its section
    "section_of_day": heading_rule("section_of_day", 2),
    "section_only": heading_rule("section_only", 4),
    "day": heading_rule("day", 2),
    "trailing_day": heading_rule("trailing_day", 0),
    "total": heading_rule("total", 0),
    "total_of_day": heading_rule("total_of_day", 0),
    "total_of_pages": heading_rule("total_of_pages", 0),
    "page": heading_rule("page", 0),
    "received": heading_rule("received", 1),
    "catchup": heading_rule("catchup", 1),
    "empty_page": heading_rule("empty_page", 0),
    "empty_day": heading_rule("empty_day", 0),
}


@dataclass(slots=True)
class Context:
    """The day and section for the entries that follow, from the page and its headings so far.

    ``trails``: this kind of dump prints counted day headings below their entries and loses the last one. ``nested``:
    the heading of a section is surely above its entries, as in markup. ``paged``: the day has more pages than this.
    """

    trails: bool = False
    nested: bool = False
    paged: bool = False
    day: ListingDay | None = None
    section: str | None = None
    entries_seen: bool = False
    declared: set[tuple[int, str | None, date | None]] = field(default_factory=set)


def take_heading(heading: Heading, number: int, text: str, context: Context) -> tuple[Rule | None, list[Item]]:
    """Let a heading govern the entries that follow.

    Returns the rule to claim it by, None if it is rejected, and the resulting items: the reject, or the declared total.
    """
    day, name = heading.day, heading.name
    if name == "day" and heading.shown is not None and context.trails:
        name = "trailing_day"
    if day is not None and name not in {"trailing_day", "total_of_day"}:
        context.day, context.section = day, heading.section
    elif name == "section_only" or (name == "section" and context.nested):
        context.section = heading.section
    if day is not None and day.value is None:
        return None, [Reject(number, number, text, "date_invalid", "expected a day that exists")]
    declared = _declared(number, heading, name, context)
    if name == "empty_day":
        context.day = None  # no entry is of this day
    if declared is None:
        return _RULES[name], []
    key = (declared.count, declared.listing_section, declared.listed_on)
    if key in context.declared:  # pages print their totals above and below the list
        return _RULES[name], []
    context.declared.add(key)
    return _RULES[name], [declared]


def claim_page_line(paragraphs: Paragraphs, number: int, text: str, context: Context) -> None:
    """Claim a line outside the entries of a text if it is boilerplate or, above them, the page's title."""
    if text.lstrip("# ") in CATEGORY_NAMES and not context.entries_seen:
        paragraphs.claim(number, PAGE_TITLE)
    else:
        paragraphs.claim_boilerplate(number, BOILERPLATE, text)


def _declared(number: int, heading: Heading, name: str, context: Context) -> Declared | None:
    """Return the total that a heading declares."""
    day = heading.day.value if heading.day is not None else None
    if name == "empty_page":
        return Declared(number, 0)
    if name == "empty_day":
        return Declared(number, 0, None, context.day.value if context.day else None)
    if heading.total is not None:
        return Declared(number, heading.total)
    if name == "total_of_day" and context.paged:
        return None
    if heading.shown is not None and name != "trailing_day":
        return Declared(number, heading.shown, heading.section, day)
    return None
