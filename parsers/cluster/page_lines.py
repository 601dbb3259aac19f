"""What is done with the lines of a marked-up page: they are claimed, asked for their links, and for what holds them.

The lines themselves are cut in ``elements``.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from lxml import etree

from parsers._html import Page
from parsers._lines import Boilerplate, LineClass, Rule
from parsers.cluster.elements import Line


def claim(page: Page, lines: Iterable[Line], rule: Rule) -> None:
    """Claim the text of some lines, node by node: an element may hold what is not its own."""
    for line in lines:
        for piece in line.pieces:
            if not piece.opening:
                page.claim_tail(piece.element, rule)
            elif len(piece.element) or rule.line_class is LineClass.BOILERPLATE:
                page.claim_run([(piece.element, True)], rule)
            else:
                page.claim(piece.element, rule)


def claim_boilerplate(page: Page, lines: Iterable[Line], boilerplate: Boilerplate) -> None:
    """Claim those of some lines that are boilerplate from end to end."""
    for line in lines:
        if rule := boilerplate.rule(line.text):
            claim(page, [line], rule)


def link_of(lines: Iterable[Line], *titles: str | None) -> str | None:
    """Return the absolute address to which a title links; links on other words, such as ``agenda``, are not its."""
    for line in lines:
        for piece in line.pieces:
            anchor = _anchor_of(piece.element, line.part) if piece.opening else None
            if anchor is None:
                continue
            address = (anchor.get("href") or "").strip()
            text = " ".join("".join(anchor.itertext()).split())  # type: ignore[arg-type]  # never bytes
            linked = any(title is not None and (title == text or title in text) for title in titles)
            if linked and address.lower().startswith(("http://", "https://")):
                return address
    return None


def _anchor_of(element: etree._Element, part: etree._Element) -> etree._Element | None:
    """Return the link that holds the text of an element, in or around the part or its parent."""
    for candidate in chain((element,), element.iterancestors()):
        if candidate.tag == "a":
            return candidate
        if candidate is part:
            parent = candidate.getparent()
            return parent if parent is not None and parent.tag == "a" else None
    return None


def common_ancestor(first: etree._Element, last: etree._Element) -> etree._Element:
    """Return the innermost element that holds both."""
    above = set(first.iterancestors())
    return next((element for element in last.iterancestors() if element in above), last)
