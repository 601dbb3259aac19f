"""CSS selectors, with the part of their elements that is read: ``b``, ``b::text``, ``a::attr(href)``.

Which fields are read with them does not belong here (``table``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final

from cssselect import GenericTranslator, SelectorError, parse
from cssselect.parser import Element
from cssselect.xpath import XPathExpr
from lxml import etree

from parsers._ledger.elements import raw_text_of, text_of

Part = re.Match[str] | None
"""The end of a selector that names a part of its elements, such as ``::text``."""

_MOST_SELECTORS: Final = 500
_LONGEST_SELECTOR: Final = 1_000
_SHOWN: Final = 200
_PART: Final = re.compile(r"::(?:text|(?P<tail>tail)|(?P<raw>raw)|attr\((?P<attribute>[\w:-]+)\))$")


class TableError(Exception):
    """A row of a table is invalid: names the selector and what was expected."""


class Selector:
    """A compiled CSS selector. Raises ``TableError`` if it is invalid."""

    def __init__(self, css: str, parsed: Sequence[Any] | None = None) -> None:
        """Compile each selector of a group separately: a joint one would sort its results, which takes longest."""
        self.css = css
        parts = css.split(",")
        if len(parts) > _MOST_SELECTORS or max(map(len, parts)) > _LONGEST_SELECTOR:
            expected = f"at most {_MOST_SELECTORS} selectors of {_LONGEST_SELECTOR} characters"
            raise TableError(f"expected {expected}, found {len(parts)} with {len(css)} characters: {css[:_SHOWN]!r}")
        try:
            self._parsed = parsed or (parse(css) if css else [])
            self._ways = self._compile(GenericTranslator())
        except (SelectorError, RecursionError, etree.XPathSyntaxError) as error:
            raise TableError(f"expected a CSS selector, found {css[:_SHOWN]!r}: {str(error)[:_SHOWN]}") from error

    @cached_property
    def _local_ways(self) -> list[etree.XPath]:
        """The same for XML with namespaces, of which CSS knows no names."""
        return self._compile(_LocalNames())

    def _compile(self, translator: GenericTranslator) -> list[etree.XPath]:
        """Compile the selectors."""
        return [etree.XPath(translator.selector_to_xpath(each)) for each in self._parsed]

    def each(self) -> list[Selector]:
        """Return the selectors of a group one by one."""
        return [Selector(each.canonical(), [each]) for each in self._parsed]

    def find(self, around: etree._Element) -> list[etree._Element]:
        """Return the elements inside another one, or that one itself."""
        ways = self._local_ways if around.nsmap else self._ways
        return list(chain.from_iterable(way(around) for way in ways))  # type: ignore[misc]  # they find elements


class _LocalNames(GenericTranslator):
    """Finds elements by their names without the namespace."""

    def xpath_element(self, selector: Element) -> XPathExpr:
        """Return the expression for an element."""
        name = selector.element
        return self.xpathexpr_cls(condition=f"local-name() = '{name}'") if name else self.xpathexpr_cls()


def split(where: str) -> Iterator[tuple[Selector, Part]]:
    """Split ``where`` into selectors of elements, empty for that of the table, each with the part of them to read."""
    for place in map(str.strip, where.split(",")):
        part = _PART.search(place)
        yield Selector(place[: part.start()] if part else place), part


def text_of_part(element: etree._Element, part: Part) -> str:
    """Return the part of an element's text that a field reads, white space folded."""
    if part is None:
        return text_of(element)
    if part["raw"]:
        return raw_text_of(element).strip()
    if part["attribute"]:
        return " ".join(element.get(part["attribute"], "").split())
    text = element.tail if part["tail"] else element.text
    return " ".join((text or "").split())
