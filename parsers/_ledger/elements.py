"""Reads one element of a page: its lines, its classes, its visible text, and the lines of loose text in it.

Claims (``page``) and the elements of a source do not belong here.
"""

from collections.abc import Iterator
from typing import Final

from lxml import etree

_LAST_COUNTED_LINE: Final = 65_534  # beyond it libxml2 reports the same number for every element
HIDING: Final = ("script", "style", "template", "noscript")
"""Tags of elements whose text is not visible, apart from the head of a page."""
_INVISIBLE: Final = frozenset({"head", *HIDING})
BLOCKS: Final = frozenset(
    "address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol "
    "p pre section table tbody td tfoot th thead tr ul".split()
)
"""Tags of elements that begin and end a line."""

Run = list[tuple[etree._Element, bool]]
"""A line of loose text: its elements with their tails; a container with True means the text at its beginning."""


def line_of(element: etree._Element) -> int | None:
    """Return the 1-based line of an element's start tag; None beyond the lines that libxml2 counts."""
    line = element.sourceline
    return line if isinstance(line, int) and line <= _LAST_COUNTED_LINE else None


def last_line_of(element: etree._Element) -> int | None:
    """Return the line of the last element inside an element, its own if it holds none."""
    while len(element):
        element = element[-1]
    return line_of(element)


def classes_of(element: etree._Element) -> frozenset[str]:
    """Return the class names of an element."""
    return frozenset((element.get("class") or "").split())


def text_of(element: etree._Element) -> str:
    """Return the visible text of an element: white space folded, block elements and line breaks as one space."""
    if not len(element) and element.tag not in _INVISIBLE:  # most elements
        return " ".join((element.text or "").split())
    return " ".join("".join(_texts(element)).split())


def raw_text_of(element: etree._Element) -> str:
    """Return all text inside an element as in the source, nothing folded or left out."""
    if not len(element):
        return element.text or ""
    return "".join(element.itertext())  # type: ignore[arg-type]  # the stubs allow bytes


def runs_of(element: etree._Element) -> Iterator[Run]:
    """Yield the lines of loose text in a container, which are the non-blank texts between its block elements.

    A block element begins the line after it, with its tail alone.
    """
    run: Run = [(element, True)]
    for child in element:
        if child.tag in BLOCKS:
            if run and text_of_run(run):
                yield run
            run = []
            if (tail := child.tail) and not tail.isspace():
                run = [(child, False)]
        else:
            run.append((child, False))
    if text_of_run(run):
        yield run


def text_of_run(run: Run) -> str:
    """Return the text of a line of loose text, white space folded."""
    pieces = []
    for element, opening in run:
        if opening:
            pieces.append(element.text or "")
        else:
            if element.tag not in BLOCKS:
                pieces += _texts(element)
            pieces.append(element.tail or "")
    return " ".join("".join(pieces).split())


def _texts(element: etree._Element) -> list[str]:
    """Return the pieces of an element's text; a block boundary is a space."""
    pieces: list[str] = []
    if element.tag not in _INVISIBLE:
        _add_texts(element, pieces)
    return pieces


def _add_texts(element: etree._Element, pieces: list[str]) -> None:
    """Add the pieces of a visible element; to a list, since this runs for most elements of many pages."""
    if text := element.text:
        pieces.append(text)
    for child in element:
        tag = child.tag
        block = tag in BLOCKS
        if block:
            pieces.append(" ")
        if tag not in _INVISIBLE:
            _add_texts(child, pieces)
        if block:
            pieces.append(" ")
        if tail := child.tail:
            pieces.append(tail)
