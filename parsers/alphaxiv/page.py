"""Pages of alphaXiv as HTML: recognised and refused.

Their cards are drawn by a script from data that are no JSON but a program: ``$_TSR.router=($R=>$R[0]={..})``, or pieces
of a stream in ``self.__next_f.push([..])``. Running programs of a page is out of the question; the same papers come
from the interface as JSON (``api``). What reads a dump does not belong here.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._contract import Document
from schemas.items import Item

EXPECTS: Final = "HTML of alphaXiv (which is refused: its data are a program)"

_HTML = re.compile(r"\s*<")
_STREAM = re.compile(r"\$_TSR\b|self\.__next_f\b")
_SITE = re.compile(r"alphaxiv", re.IGNORECASE)
_EXPECTED: Final = (
    "expected an answer of the interface as JSON (api.alphaxiv.org/papers/v3/feed): "
    "the papers of this HTML page stand in a program, which is not run"
)


def recognise(document: Document) -> bool:
    """Say whether the text is HTML of alphaXiv with the stream of its script."""
    text = document.text
    return _HTML.match(text) is not None and None not in (_SITE.search(text), _STREAM.search(text))


def parse(document: Document) -> Iterator[Item]:
    """Refuse the page. Raises ``DumpError`` (declined)."""
    found = _STREAM.search(document.text)
    line = document.text.count("\n", 0, found.start()) + 1 if found else 1
    raise document.error(line, "declined", _EXPECTED)
    yield  # a generator, as every parser
