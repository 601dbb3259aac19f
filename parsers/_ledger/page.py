"""The ledger of a page in HTML or XML: which rule claimed which element, and an account of the visible text.

A parser reads elements of ``page.content`` and claims what it understands; ``account`` lists the visible text of the
content area that is unclaimed. Parsing markup (``markup``) and reading elements (``elements``) do not belong here,
nor the elements of a source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache, reduce
from itertools import chain
from typing import Final

from lxml import etree

from parsers._ledger.cut import reject_rest, rescue_xml
from parsers._ledger.data import Data
from parsers._ledger.elements import BLOCKS, HIDING, Run, line_of, text_of, text_of_run
from parsers._ledger.lines import (
    Accounting,
    Boilerplate,
    Classification,
    LineClass,
    Place,
    Rule,
    Span,
    make_place,
    place_of_reject,
    record_rule,
    sum_up,
)
from parsers._ledger.markup import CutError, find_faults, parse_markup, without_late_declaration
from schemas.items import Reject

_SPACE: Final = re.compile(r"\s+")
_OF_RECORDS: Final = record_rule("of_records")  # counts pieces in bulk
_RECORD: Final = LineClass.RECORD  # compared for every element, and enum lookup is slow
_BOILERPLATE: Final = LineClass.BOILERPLATE


class Page:
    """A parsed page: its elements and their claims; the first claim of an element wins.

    ``content`` is the element whose visible text is accounted for: the whole body until a parser narrows it down.
    """

    def __init__(self, text: str, *, xml: bool = False, items: Collection[str] = ()) -> None:
        """Parse decoded text, as HTML or as XML whose entities are not expanded and whose DTD is not loaded.

        With ``items``, the local names of the elements that are its items, XML that is cut is read up to its last
        complete item (see ``parsers._ledger.cut``), and the rest is a reject in the account. Raises ``PageError`` if
        the text is neither HTML nor XML, or if a limit of libxml2 would lose the rest of the page.
        """
        self.is_data = xml
        """True for XML: an element is a value, not what a reader sees."""
        self._rest: tuple[Reject, ...] = () if xml else tuple(find_faults(text))
        text = without_late_declaration(text) if xml else text
        try:
            root = parse_markup(text, xml=xml)
        except CutError as error:
            rescued = rescue_xml(text, items) if items else None
            if rescued is None:
                raise
            root = parse_markup(rescued.value, xml=True)
            self._rest = (reject_rest(text, rescued.end, error.expected, is_cut=rescued.is_cut),)
        for behind in list(root.itersiblings()):  # content after </html> becomes a sibling of the root
            root.append(behind)
        # lxml makes the Python object of an element on demand and reuses it only while it is alive: a claimed element
        # lives as the key of its claim, all others come and go.
        self._claims: dict[etree._Element, Rule] = {}
        self._tails: dict[etree._Element, Rule] = {}
        self._openings: dict[etree._Element, Rule] = {}
        self._readings: dict[etree._Element, Classification] = {}
        self._embedded: list[Data] = []
        # Last, so that the root is also freed last: while it lives, lxml frees an element without searching for others
        # that still hold the tree, which takes twenty times as long.
        self.content: etree._Element = root
        self.root: etree._Element = root

    def embed(self, data: Data) -> None:
        """Account for JSON data in the page (in an attribute or a script) together with its text."""
        self._embedded.append(data)

    def claim(self, element: etree._Element, rule: Rule) -> None:
        """Claim an element with everything inside it; the text after its end tag is not part of it."""
        if rule.line_class is _BOILERPLATE:
            raise ValueError(f"{element.tag}: boilerplate is claimed by its pattern only")
        self._claims.setdefault(element, rule)

    def ignore(self, element: etree._Element, css: str) -> None:
        """Claim an element that is known by a selector and not needed, like an ignored key of JSON data."""
        self._claims.setdefault(element, _ignored_by(css))

    def claim_opening(self, element: etree._Element, rule: Rule) -> None:
        """Claim the text between an element's start tag and the next tag."""
        self._openings.setdefault(element, rule)

    def claim_tail(self, element: etree._Element, rule: Rule) -> None:
        """Claim the text between an element's end tag and the next tag."""
        self._tails.setdefault(element, rule)

    def claim_boilerplate(self, element: etree._Element, boilerplate: Boilerplate) -> bool:
        """Claim an element and return True if a boilerplate pattern matches its whole text."""
        rule = boilerplate.rule(text_of(element))
        if rule is not None:
            self._claims.setdefault(element, rule)
        return rule is not None

    def claim_tail_boilerplate(self, element: etree._Element, boilerplate: Boilerplate) -> bool:
        """Claim the text after an element's end tag and return True if a boilerplate pattern matches all of it."""
        rule = boilerplate.rule(_SPACE.sub(" ", element.tail or "").strip())
        if rule is not None:
            self._tails.setdefault(element, rule)
        return rule is not None

    def claim_run(self, run: Run, rule: Rule | Boilerplate) -> bool:
        """Claim a line of loose text (see ``runs_of``); boilerplate only if a pattern matches all of it."""
        found = rule.rule(text_of_run(run)) if isinstance(rule, Boilerplate) else rule
        if found is None:
            return False
        for element, opening in run:
            if opening:
                self._openings.setdefault(element, found)
            else:
                if element.tag not in BLOCKS:
                    self._claims.setdefault(element, found)
                self._tails.setdefault(element, found)
        return True

    def claim_texts(self, boilerplate: Boilerplate) -> None:
        """Claim every unclaimed piece of visible text that a boilerplate pattern matches as a whole."""
        for element, text, rule, is_behind in list(self._pieces(self._hidden())):
            if rule is None and (found := boilerplate.rule(_SPACE.sub(" ", text))) is not None:
                (self._tails if is_behind else self._openings).setdefault(element, found)

    def claimed_texts(self) -> Iterator[str]:
        """Yield the texts that belong to records and headings, of each element as one, as far as others claim no part.

        It glues what stands in elements inside.
        """
        mixed, to_text = self._mixed(), etree.tostring
        for element, rule in self._claims.items():
            if rule.publishes and element not in mixed:
                yield to_text(element, method="text", encoding="unicode", with_tail=False)
        yield from self._loose_texts(mixed)

    def claimed_pieces(self, words: Collection[str]) -> Iterator[str]:
        """Yield those of these texts that hold one of the words, in the pieces of the elements inside."""
        mixed, to_text = self._mixed(), etree.tostring
        for element, rule in self._claims.items():
            if rule.publishes and element not in mixed:
                text = to_text(element, method="text", encoding="unicode", with_tail=False)
                if any(word in text for word in words):
                    yield from element.itertext()  # type: ignore[misc]  # str
        yield from self._loose_texts(mixed)

    def _loose_texts(self, mixed: Collection[etree._Element]) -> Iterator[str]:
        """Yield the texts that belong to records and headings beside claims of others."""
        for element, rule in self._claims.items():
            if rule.publishes and element in mixed:
                yield from self._own_texts(element)
        yield from (element.text or "" for element, rule in self._openings.items() if rule.publishes)
        yield from (element.tail or "" for element, rule in self._tails.items() if rule.publishes)

    def _own_texts(self, element: etree._Element) -> Iterator[str]:
        """Yield the texts inside an element, but not what others have claimed in it."""
        yield element.text or ""
        for child in element:
            if child not in self._claims:
                yield from self._own_texts(child)
            if child not in self._tails:
                yield child.tail or ""

    def rules(self) -> set[Rule]:
        """Return the rules that have claimed an element, its opening or what is behind it."""
        return {*self._claims.values(), *self._openings.values(), *self._tails.values()}

    def rule_of(self, element: etree._Element) -> Rule | None:
        """Return the rule that claimed the element itself, None if unclaimed."""
        return self._claims.get(element)

    def tell(self, element: etree._Element, reading: Classification) -> None:
        """Store how an element was read, and everything inside it that has no reading itself; it claims nothing."""
        self._readings[element] = reading

    def reading_of(self, element: etree._Element) -> Classification | None:
        """Return how the element itself was read, None if not stored."""
        return self._readings.get(element)

    def places(self) -> Iterator[Place]:
        """Yield every piece of visible text of the content area in page order, with its element and its claim.

        Embedded data and the rest of a cut page follow. For people: ``account`` counts the same, faster.
        """
        yield from self._places_in(self.content, None, None, self._hidden())
        for data in self._embedded:
            yield from data.places()
        for reject in self._rest:
            yield place_of_reject(reject.line_start, reject)

    def _places_in(
        self,
        element: etree._Element,
        around: Rule | None,
        read: Classification | None,
        hidden: Collection[etree._Element],
    ) -> Iterator[Place]:
        """Yield the pieces at an element, given the rule and reading of its surroundings; lxml limits the depth."""
        if element not in hidden:
            own = self._claims.get(element) or around
            reading = self._readings.get(element) or read
            if (text := element.text) and not text.isspace():
                yield make_place(line_of(element), own or self._openings.get(element), reading, _shown(element, text))
            for child in element:
                yield from self._places_in(child, own, reading, hidden)
        outer = element.getparent()
        if (text := element.tail) and not text.isspace() and outer is not None and element is not self.content:
            yield make_place(line_of(element), self._tails.get(element) or around, read, _shown(outer, text))

    def account(self) -> Accounting:
        """Count every piece of visible text of the content area once and collect the unclaimed ones."""
        claims: Counter[Rule | None] = Counter()
        unexplained: list[Span] = []
        hidden = self._hidden()
        for element, text, rule, _ in self._pieces(hidden):
            claims[rule] += 1
            if rule is None:
                line = line_of(element) or 1
                unexplained.append(Span(line, line, text.strip()))
        claims += Counter({_OF_RECORDS: self._visible(hidden) - claims.total()})
        own = add_up(sum_up(claims, unexplained), of_rest(self._rest))
        return reduce(add_up, (data.account() for data in self._embedded), own)

    def _hidden(self) -> set[etree._Element]:
        """Return the elements of the content area whose text is not visible.

        If a page has none of these tags, lxml knows so without a search. Every page has a head, though: it is looked
        for only at the top, where libxml2 leaves that of HTML.
        """
        content = self.content
        heads = (*content.findall("head"), *content.findall("html/head")) if self.root.tag == "html" else ()
        return {*content.iter(*HIDING), *heads}

    def _visible(self, hidden: Collection[etree._Element]) -> int:
        """Count the pieces of visible text of the content area."""
        outermost = (element for element in hidden if not any(around in hidden for around in element.iterancestors()))
        return _count_texts(self.content) - sum(map(_count_texts, outermost))

    def _pieces(self, hidden: Collection[etree._Element]) -> Iterator[tuple[etree._Element, str, Rule | None, bool]]:
        """Yield the pieces of visible text, with element, rule, and True if the text is after the element.

        Pieces inside elements that hold records alone are left out. They are most of a page: to subtract the rest from
        the total is faster than to look at each. Pieces come in page order, except that the text after an element
        comes before the text inside it.
        """
        claim_of, tail_claim_of, content, mixed = self._claims.get, self._tails.get, self.content, self._mixed()
        waiting: list[tuple[Iterator[etree._Element], Rule | None]] = [(iter((content,)), None)]
        while waiting:
            elements, rule = waiting[-1]
            for element in elements:
                own = claim_of(element) or rule
                is_open = (own is None or own.line_class is not _RECORD or element in mixed) and element not in hidden
                if is_open and (text := element.text) and not text.isspace():
                    yield element, text, own or self._openings.get(element), False
                if (text := element.tail) and not text.isspace() and element is not content:
                    yield element, text, tail_claim_of(element) or rule, True
                if is_open and len(element):
                    waiting.append((iter(element), own))
                    break
            else:
                waiting.pop()

    def _mixed(self) -> set[etree._Element]:
        """Return the elements that contain a claim by anything but a record rule."""
        mixed: set[etree._Element] = set()
        for element, rule in chain(self._claims.items(), self._tails.items()):
            if rule.line_class is not _RECORD:
                around = element.getparent()
                while around is not None and around not in mixed:
                    mixed.add(around)
                    around = around.getparent()
        return mixed


@cache
def _ignored_by(css: str) -> Rule:
    """Return the rule of what a selector leaves out."""
    return Rule(f"ignored {css}", LineClass.BOILERPLATE)


def add_up(one: Accounting, other: Accounting) -> Accounting:
    """Add the account of embedded data to that of the page."""
    return Accounting(
        one.lines + other.lines,
        Counter(one.by_class) + Counter(other.by_class),
        Counter(one.by_boilerplate) + Counter(other.by_boilerplate),
        one.unexplained + other.unexplained,
        one.rest + other.rest,
    )


def of_rest(rest: tuple[Reject, ...]) -> Accounting:
    """Make the account of the unreadable rest: one piece, rejected."""
    return Accounting(len(rest), {LineClass.REJECTED: len(rest)}, {}, (), rest)


def _shown(element: etree._Element, text: str) -> str:
    """Return a piece of text with the tag that holds it and the first of its classes in front."""
    tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    return f"<{'.'.join([tag, *(element.get('class') or '').split()[:1]])}> {_SPACE.sub(' ', text).strip()}"


def _count_texts(element: etree._Element) -> int:
    """Count the non-blank pieces of text inside an element, without the one after it."""
    behind = element.tail
    count = -1 if behind and not behind.isspace() else 0
    for inner in element.iter():
        if (text := inner.text) and not text.isspace():
            count += 1
        if (text := inner.tail) and not text.isspace():
            count += 1
    return count
