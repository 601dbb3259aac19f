"""Headings above and below the entries of an arXiv listing: day, section, number of entries.

Invented lines, from both page layouts::

    Showing new listings for Friday, 11 July 2025         Thu, 3 Feb 2011 (showing 2 of 2 entries )
    New submissions (showing 11 of 11 entries)            Cross submissions (continued, showing last 19 of 69 entries)
    New submissions for Fri, 13 Jun 14                    Submissions received from Wed 11 Jun 14 to Thu 12 Jun 14, ...
    Total of 28 entries                                   [ total of 93 entries: 1-93 ]

``Showing new listings for ..`` and a day govern the entries below, older headings of a section also set the section; a
total or a count of a section governs nothing.
"""

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Final

import pyparsing as pp

from parsers._ledger.lines import Rule, heading_rule
from parsers._words.dates import full_year, make_date, month_number, weekday_number
from schemas.items import Declared, Item, Reject


@dataclass(frozen=True, slots=True)
class ListingDay:
    """A day as printed: ``value`` is None if it does not exist, ``agrees`` is false if the weekday is wrong."""

    value: date | None
    agrees: bool = True

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes on the entries of this day."""
        if self.agrees:
            return ()
        return ("weekday_disagrees",) if self.value is not None else ("date_invalid",)


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: the name of its rule and its values.

    ``shown`` is the number of entries of its day or section on this page, ``total`` that of all entries of the listing,
    None if the page shows only a part of them.
    """

    name: str
    day: ListingDay | None = None
    section: str | None = None
    shown: int | None = None
    total: int | None = None


_SECTIONS: Final = {"New": "new", "Cross": "cross", "Replacement": "replacement"}

_MAYBE = re.compile(
    r"Showing new|New sub|Cross|Replacement|Total of|\[ ?total of|Authors and titles|Submissions received|Catchup"
    r"|No (?:further )?updates|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d"
)
_MARKUP = re.compile(r"^#{1,6} +|\*\*")
LONGEST: Final = 200
"""The longest line that can be a heading, in characters."""

_NUMBER: Final = r"\d{1,3}(?:,\d{3})+|\d{1,7}"
_INTEGER = pp.Regex(_NUMBER).set_parse_action(lambda tokens: int(tokens[0].replace(",", "")))
_WEEKDAY = pp.one_of("Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun")
_MONTH = pp.one_of(
    "January February March April May June July August September October November December"
    " Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)
_YEAR = pp.Regex(r"\d{4}|\d{2}")
_DAY = _WEEKDAY + pp.Suppress(pp.Opt(",")) + pp.Regex(r"\d{1,2}") + _MONTH + _YEAR
_DAY.set_parse_action(lambda tokens: _listing_day(*tokens))
_ENTRIES = pp.Suppress(pp.one_of("entries entry"))
_SHOWING = (
    pp.Suppress("(" + pp.Opt("continued" + pp.Opt(",")) + "showing" + pp.Opt(pp.one_of("first last")))
    + _INTEGER("shown")
    + pp.Suppress("of" + pp.Regex(_NUMBER))
    + _ENTRIES
    + pp.Suppress(")")
)
_RANGES = pp.Group(pp.OneOrMore(pp.Regex(r"\d+-\d+|\d+|\.\.\.|…|\|")))("ranges")
_PAGES = pp.Suppress("View page:" + pp.OneOrMore(pp.Regex(r"\d+")))
_SECTION = pp.one_of("New Cross Replacement")("section") + pp.Suppress("submissions")
_LEGACY_SECTION = pp.Regex(r"(?P<section>New|Cross|Replacement)(?: submissions|-lists|es|s)\b")

_PATTERNS: Final = (
    ("listing_day", pp.Suppress("Showing new listings for") + _DAY("day")),
    ("section", _SECTION + _SHOWING),
    ("section_of_day", _LEGACY_SECTION + pp.Suppress("for") + _DAY("day")),
    ("section_only", pp.Regex(r"(?P<section>Cross|Replacement)(?:es|s)$")),
    ("day", _DAY("day") + pp.Opt(_SHOWING)),
    ("total", pp.Suppress("Total of") + _INTEGER("total") + _ENTRIES + pp.Opt(pp.Suppress(":") + _RANGES)),
    (
        "total_of_day",
        pp.Suppress("Total of") + _INTEGER("shown") + _ENTRIES + pp.Suppress("for") + _DAY("day") + pp.Opt(_PAGES),
    ),
    ("total_of_pages", pp.Suppress("Total of" + pp.Regex(_NUMBER) + _ENTRIES) + _PAGES),
    (
        "total",
        pp.Suppress("[" + pp.Literal("total of"))
        + _INTEGER("total")
        + _ENTRIES
        + pp.Suppress(":")
        + _RANGES
        + pp.Suppress("]" + pp.Opt("[" + pp.Regex(r"showing [^\[\]]{1,80}") + "]")),
    ),
    (
        "page",
        pp.Literal("Authors and titles for")
        + (pp.Literal("recent submissions") | pp.Opt(pp.Regex(r"[\w.-]{2,20} in\b")) + pp.Opt(_MONTH) + _YEAR),
    ),
    (
        "received",
        pp.Suppress("Submissions received from" + _DAY + "to" + _DAY + pp.Opt(",") + "announced") + _DAY("day"),
    ),
    ("page", pp.Suppress("Catchup results for" + pp.Regex(r"\S.{0,80}? from(?= [A-Z][a-z]+, \d)") + _DAY)),
    ("catchup", pp.Suppress("Catchup results for" + pp.Regex(r"\S.{0,80}? on(?= [A-Z][a-z]+, \d)")) + _DAY("day")),
    ("empty_page", pp.Literal("No updates today") + pp.Opt(".")),
    ("empty_page", pp.Suppress("No updates for" + _DAY)),
    ("empty_page", pp.Suppress("No further updates for" + _DAY)),
    ("empty_day", pp.Literal("No updates for this time period") + pp.Opt(".")),
)

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


def read_heading(line: str) -> Heading | None:
    """Read a stripped line as a heading, with or without Markdown's marks; None if it is not one."""
    if len(line) > LONGEST:
        return None
    if line[0] in "#*[":
        line = _MARKUP.sub("", line)
    return _parse(line) if _MAYBE.match(line) else None


@lru_cache(maxsize=1024)
def _parse(line: str) -> Heading | None:
    """Try the rules in turn on the whole line."""
    for name, rule in _PATTERNS:
        try:
            found = rule.parse_string(line, parse_all=True)
        except pp.ParseException:
            continue
        values = found.as_dict()
        total = values.get("total")
        if values.get("ranges", [f"1-{total}"]) not in ([f"1-{total}"], ["1"]):
            total = None  # the page shows one of several ranges, and the text does not say which
        return Heading(name, values.get("day"), _SECTIONS.get(values.get("section", "")), values.get("shown"), total)
    return None


def _listing_day(weekday: str, day: str, month: str, year: str) -> ListingDay:
    """Make the day of ``Fri, 13 Jun 14`` or ``Friday, 11 July 2025``."""
    value = make_date(full_year(year), month_number(month), int(day))
    return ListingDay(value, value is not None and value.weekday() == weekday_number(weekday))


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
