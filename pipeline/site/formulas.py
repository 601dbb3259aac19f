"""Titles and abstracts with LaTeX as HTML: formulas as MathML, accents as letters.

The library that makes MathML passes on whatever it finds, also attributes that run code. Its tree is therefore written
again here, and only with elements and attributes of MathML that are known to be harmless. A formula that it cannot read
stays as printed.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final

from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape
from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]  # has no types

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element  # the type alone: nothing is parsed here

LONGEST: Final = 1000
"""Characters of a formula that is converted: a longer one is no formula of a title or abstract."""

ELEMENTS: Final = frozenset(
    "math mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr "
    "munder munderover".split()
)
ATTRIBUTES: Final = frozenset(
    "accent columnalign depth display displaystyle fence form height linethickness lspace mathvariant maxsize minsize "
    "rspace scriptlevel separator stretchy width".split()
)
_VALUE: Final = re.compile(r"[\w.%+\- ]{0,40}")
_FORMULA: Final = re.compile(
    r"\$\$(?P<display>[^$]+)\$\$|\$(?P<inline>[^$\s](?:[^$]*[^$\s\\])?)\$(?!\d)|\\\((?P<round>[^\\]+(?:\\[^()][^\\]*)*)\\\)"
)
_ACCENT: Final = re.compile(
    r"""
      \\["'`^~=.]\s?(?:\{\\?[A-Za-z]\}|\\?[A-Za-z])                # \"o, \'{e}
    | \\[uvHcdbrk](?:\{\\?[A-Za-z]\}|\s[A-Za-z](?![A-Za-z]))      # \v{c}, \c c
    | \{\\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)\}                     # {\o}
    | \\(?:ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?![A-Za-z])(?:\{\}|\s)?  # \ss, \o{}
    | \\[&%$\#_{}]
    """,
    re.VERBOSE,
)
"""Letters, accents and signs that LaTeX spells with a backslash."""


def typeset(text: str | None) -> Markup:
    """Return a text as HTML, with its formulas; everything else in it is escaped."""
    if not text:
        return Markup()
    if "$" not in text and "\\" not in text:
        return escape(text)
    if not _FORMULA.sub("", text).strip():
        return escape(text)  # screen readers and print would find no words in it
    return Markup("").join(_parts(text))


def _parts(text: str) -> Iterator[Markup]:
    """Yield the formulas of a text and what is between them."""
    end = 0
    for found in _FORMULA.finditer(text):
        yield _words(text[end : found.start()])
        yield _formula(found["display"] or found["inline"] or found["round"]) or escape(found[0])
        end = found.end()
    yield _words(text[end:])


def _words(text: str) -> Markup:
    """Return a text with accents as letters; other commands stay as printed."""
    return escape(
        _ACCENT.sub(
            lambda found: LatexNodes2Text().latex_to_text(found[0].strip("{}" if found[0][0] == "{" else " ")).strip(),
            text,
        )
    )


@lru_cache(maxsize=1024)
def _formula(latex: str) -> Markup | None:
    """Return a formula as MathML; None if it cannot be read as a whole."""
    if len(latex) > LONGEST:
        return None
    try:
        written = "".join(_written(convert_to_element(latex)))
    except Exception:  # noqa: BLE001  # the library raises what it happens to, also RecursionError
        return None
    return None if "\\" in written else Markup(written)  # noqa: S704  # written from known elements and escaped texts


def _written(element: "Element") -> Iterator[str]:
    """Yield an element again as text. Raises ``ValueError`` for one that is not known."""
    if element.tag not in ELEMENTS:
        raise ValueError(f"expected an element of MathML, found {element.tag}")
    attributes = (
        f' {name}="{value}"' for name, value in element.items() if name in ATTRIBUTES and _VALUE.fullmatch(value)
    )
    yield f"<{element.tag}{''.join(attributes)}>"
    yield str(escape(unescape(element.text or "")))
    for child in element:
        yield from _written(child)
        yield str(escape(unescape(child.tail or "")))
    yield f"</{element.tag}>"
