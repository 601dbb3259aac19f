"""The rows of a page older than the programme at a glance, or of a sister's, and who claimed them.

    Session 1: Stores-(Room: Quay)         a row
    10:30 - 12:00    Session 2:            a row a cell: the line is claimed when all its cells are

How they are cut does not belong here (``cells``), nor what they mean: each layout has a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final

from lxml import etree

from parsers._contract import Document
from parsers._lines import Boilerplate, LineClass, Rule, heading_rule
from parsers._years import Year, date_of, find_years
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.cells import LONGEST_NAME, Row, is_markup, rows_of_page, rows_of_text
from parsers.cluster.edition import PAGE_TITLE, name_edition
from parsers.cluster.masthead import Masthead, read_masthead
from parsers.cluster.page_lines import claim, common_ancestor
from parsers.cluster.times import read_day
from schemas.items import Reject

PAGE_RULE: Final = heading_rule("page_title", 1)
DAY_RULE: Final = heading_rule("day", 2)
SLOT_RULE: Final = heading_rule("slot", 3)
SESSION_RULES: Final = tuple(heading_rule("session", level) for level in range(4, 20))

# What parts of a programme are called, without saying anything of them.
_GROUPS: Final = Boilerplate(
    {"group": r"(?i:keynotes|(?:technical |paper )?sessions|(?:technical |conference |final )?program(?:me)?)"}
)


class Rows:
    """The rows of a document, and who claimed them."""

    def __init__(self, document: Document, is_part: Callable[[Row], bool]) -> None:
        """``is_part`` tells the rows of a programme from others: the content of a page reaches from first to last."""
        self.document = document
        self._claims: dict[Row, Rule] = {}
        marked = is_markup(document)
        self.all: list[Row] = list(rows_of_page(document) if marked else rows_of_text(document))
        parts = [place for place, row in enumerate(self.all) if is_part(row)]
        first, end = (parts[0], len(self.all)) if parts else (len(self.all), len(self.all))
        if marked and parts:
            document.page.content = _content_of(self.all[first], self.all[parts[-1]])
            inside = set(document.page.content.iter("*"))
            own = [
                place for place, row in enumerate(self.all) if row.source and row.source.pieces[-1].element in inside
            ]
            end = own[-1] + 1 if own else end
        self.top, self.body = self.all[:first], self.all[first:end]

    def claim(self, rows: Iterable[Row], rule: Rule) -> None:
        """Claim some rows."""
        for row in rows:
            self._claims.setdefault(row, rule)

    def reject(self, rows: list[Row], reason: str, expected: str) -> Reject:
        """Reject some rows."""
        self.claim(rows, Rule(reason, LineClass.REJECTED))
        return Reject(rows[0].number, rows[-1].last, "\n".join(row.text for row in rows), reason, expected)

    def claim_days(self, year: Year) -> Iterator[Reject]:
        """Claim the days; one that does not exist is rejected."""
        for row in self.all:
            if row.day is not None and "date_invalid" in date_of(row.day, year)[1]:
                yield self.reject([row], "date_invalid", "expected a day that exists")
            elif row.day is not None:
                self.claim([row], DAY_RULE)

    def settle(self) -> None:
        """Hand the claims over to the ledger of the document; menus and marks are claimed by their patterns."""
        self.claim((row for row in self.top if row.text in self.masthead.titles or _names_year(row.text)), PAGE_RULE)
        if is_markup(self.document):
            self._settle_page()
            return
        ledger = self.document.lines
        shared: dict[int, list[Rule | None]] = {}
        for row in self.all:
            shared.setdefault(row.number or 0, []).append(self._claims.get(row))
        for number, rules in shared.items():
            rule = None if None in rules else rules[0]
            if rule is not None:
                ledger.claim(number, rule)
        for number, _ in ledger.texts():
            if ledger.rule_of(number) is None and not ledger.claim_boilerplate(number, BOILERPLATE):
                ledger.claim_boilerplate(number, _GROUPS)

    def _settle_page(self) -> None:
        """Hand the claims over to the ledger of a page."""
        for row in self.all:
            if row.source is None:
                continue
            rule = self._claims.get(row) or BOILERPLATE.rule(row.text) or _GROUPS.rule(row.text)
            if rule is not None:
                claim(self.document.page, [row.source], rule)

    @cached_property
    def masthead(self) -> Masthead:
        """What the page says of itself above its programme."""
        if is_markup(self.document):
            return read_masthead(self.document)
        lines = tuple(row.text for row in self.top)
        titles = tuple(line for line in lines if PAGE_TITLE.fullmatch(line) or _names_year(line))
        return Masthead(titles, tuple(filter(None, [self.document.facts.url])), lines)

    def edition(self, titles: Iterable[str], year: Year) -> tuple[str | None, tuple[str, ...]]:
        """Return the edition of the page and the notes that say how it was found."""
        named = (*filter(None, (*self.masthead.titles, *self.masthead.lines)), *titles)
        return name_edition(self.document, self.masthead.event, named, year)


def _names_year(text: str) -> bool:
    """Say whether a row above a programme can be the name of its conference: short, no sentence, with a year."""
    return len(text) <= LONGEST_NAME and text[-1] not in ".!?" and bool(find_years(text)) and read_day(text) is None


def _content_of(first: Row, last: Row) -> etree._Element:
    """Return what holds the programme."""
    one, other = first.source, last.source
    if one is None or other is None:
        raise ValueError("rows of a page know their elements")
    return common_ancestor(one.pieces[0].element, other.pieces[-1].element)
