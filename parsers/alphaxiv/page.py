"""Pages of alphaXiv as HTML: the lists of papers in the script that draws the cards. No text dumps, no API answers.

The data is not JSON but literals in a script, ``$_TSR.router=($R=>$R[0]={..})``; ``stream`` reads them without running
anything, ``papers`` each paper, which has the same shape as in the API. Pages without such a list, and older ones with
their data in pieces of text (``self.__next_f.push([..])``), are refused: the same papers come from the API as JSON
(``api``). The cards only repeat the data and are not read.
"""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document
from parsers._ledger.elements import line_of, raw_text_of
from parsers._ledger.fields import FieldError
from parsers.alphaxiv.papers import read_paper
from parsers.alphaxiv.stream import StreamError, read_papers
from schemas.items import Declared, Item

EXPECTS: Final = "HTML of alphaXiv with data in a script"

_HTML = re.compile(r"\s*<")
_STREAM = re.compile(r"\$_TSR\b|self\.__next_f\b")
_SITE = "alphaxiv"
_EXPECTED: Final = (
    "expected a list of papers in the data of the page; save the JSON of the API instead "
    "(api.alphaxiv.org/papers/v3/feed)"
)


def recognise(document: Document) -> bool:
    """True if the text is HTML of alphaXiv with the data of its script."""
    text = document.text
    return _HTML.match(text) is not None and _STREAM.search(text) is not None and _SITE in text.lower()


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each paper of the data, in order; their line is that of the script.

    Raises ``DumpError`` (declined) for a page without a list of papers, (malformed) for one that cannot be read.
    """
    page = document.page
    found: list[tuple[int, list[str]]] = []
    for script in page.root.iter("script"):
        page.content = script
        if lists := _read_script(document, script):
            found.append((line_of(script) or 1, lists))
    if not found:
        raise document.error(_line_of_stream(document), "declined", _EXPECTED)
    for line, lists in found:
        data = _as_data(document, line, lists)
        page.embed(data)
        if not any(data.value):
            yield Declared(line, 0)
        for place, value in enumerate((paper for papers in data.value for paper in papers), 1):
            try:
                yield read_paper(data, data.open_item(value, place), line)
            except FieldError as error:
                yield data.reject(place, value, error, (line, line))


def _read_script(document: Document, script: etree._Element) -> list[str]:
    """Return the lists of papers of a script. Raises ``DumpError`` (malformed)."""
    text = raw_text_of(script)
    try:
        return list(read_papers(text)) if "$R[" in text else []
    except StreamError as error:
        line = (line_of(script) or 1) + text.count("\n", 0, error.place)
        raise document.error(line, "malformed", error.expected) from error


def _as_data(document: Document, line: int, lists: list[str]) -> Data:
    """Parse lists of papers. Raises ``DumpError`` (malformed)."""
    try:
        return Data(f"[{','.join(lists)}]")
    except DataError as error:
        raise document.error(line, "malformed", error.expected) from error


def _line_of_stream(document: Document) -> int:
    """Return the line where the data of the page begins."""
    found = _STREAM.search(document.text)
    return document.text.count("\n", 0, found.start()) + 1 if found else 1
