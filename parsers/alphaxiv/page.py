"""Pages of alphaXiv as HTML: the lists of papers in the script that draws the cards.

The data is not JSON but literals in a script, with numbered places so that an object can be used twice. Invented::

    $_TSR.router=($R=>$R[0]={matches:$R[1]=[{l:$R[2]={papers:$R[3]=[$R[4]={title:"Foam",is_new:!0,note:void 0,
    topics:$R[5]=["cs.DC"]},$R[4]]}}]})($R["tsr"]);

They are turned into JSON without running anything: objects, arrays, strings, numbers, ``!0``, ``null``, ``void 0``,
dates, places and references to them; anything else inside a list of papers (a call, a function) is an error. A paper
has the same shape as in the API. Pages without such a list, and older ones with their data in pieces of text
(``self.__next_f.push([..])``), are refused: the same papers come from the API as JSON (``api``). The cards only repeat
the data and are not read.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document
from parsers._ledger.elements import line_of, raw_text_of
from parsers._ledger.fields import FieldError
from parsers.alphaxiv.papers import read_paper
from schemas.items import Declared, Item

EXPECTS: Final = "HTML of alphaXiv with data in a script"

_HTML = re.compile(r"\s*<")
_STREAM = re.compile(r"\$_TSR\b|self\.__next_f\b")
_EXPECTED: Final = (
    "expected a list of papers in the data of the page; save the JSON of the API instead "
    "(api.alphaxiv.org/papers/v3/feed)"
)

_LISTS: Final = re.compile(r"""(?<![\w$])"?papers"?:(?=(?:\$R\[\d{1,9}\]=)?\[)""")
_TOKEN: Final = re.compile(
    r"""
    (?P<string>"(?:[^"\\]|\\.)*+")
  | \$R\[(?P<place>\d{1,9})\](?P<assigned>=)?
  | (?P<open>[\[{])
  | (?P<close>[\]}])
  | (?P<mark>[,:])
  | (?P<key>[A-Za-z_$][\w$]*|\d{1,15})(?=:)
  | (?P<number>-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?)(?![\w.])
  | (?P<word>!0|!1|null|void\ 0|undefined)(?!\w)
  | new\ Date\((?P<date>"[^"\\]{1,100}")\)
  | \s+
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS: Final = {"!0": "true", "!1": "false", "null": "null", "void 0": "null", "undefined": "null"}
_ESCAPE: Final = re.compile(r"\\(?:x(?P<hex>[0-9a-fA-F]{2})|(?P<other>[^u]))", re.DOTALL)
_KEPT: Final = frozenset('"\\/bfnrt')  # escaped the same way in JSON
_DEEPEST: Final = 40


def recognise(document: Document) -> bool:
    """True if the text is HTML of alphaXiv with the data of its script."""
    text = document.text
    return _HTML.match(text) is not None and _STREAM.search(text) is not None and "alphaxiv" in text.lower()


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
        return list(_read_papers(text)) if "$R[" in text else []
    except _StreamError as error:
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


class _StreamError(Exception):
    """A list of papers contains something that is not a literal; ``place`` counts from the start of the text."""

    def __init__(self, place: int, expected: str) -> None:
        """Keep place and expectation for the message that names the line."""
        super().__init__(f"{place}: {expected}")
        self.place = place
        self.expected = expected


def _read_papers(script: str) -> Iterator[str]:
    """Yield each list of papers of a script as JSON, in order. Raises ``_StreamError``."""
    start, places = 0, _Places(script)
    while found := _LISTS.search(script, start):
        pieces, start = _read_literal(script, found.end(), places, 0)
        yield "".join(pieces)


class _Places:
    """Where the numbered places of a script are filled, searched at the first reference."""

    _FILLED: Final = re.compile(r"\$R\[(\d{1,9})\]=")

    def __init__(self, script: str) -> None:
        """Search nothing yet: most lists refer to no place."""
        self._script = script
        self._starts: dict[str, int] | None = None
        self._left = len(script)

    def start_of(self, number: str) -> int | None:
        """Return where the value of a place begins; None for a place that the script does not fill."""
        if self._starts is None:
            self._starts = {found[1]: found.end() for found in reversed([*self._FILLED.finditer(self._script)])}
        return self._starts.get(number)

    def may_repeat(self, length: int) -> bool:
        """Count a repeated value; True if all of them together are not longer than the script.

        Places that refer to others twice would grow without end.
        """
        self._left -= length + 1
        return self._left > 0


def _read_literal(script: str, start: int, places: _Places, depth: int) -> tuple[list[str], int]:
    """Read one value; return its pieces as JSON and where it ends. Raises ``_StreamError``."""
    pieces: list[str] = []
    level, here = 0, start
    while level or not pieces:
        found = _TOKEN.match(script, here)
        if found is None or found.end() == here:
            raise _StreamError(here, f"expected data, found {script[here : here + 60]!r}")
        kind, text, here = found.lastgroup, found[0], found.end()
        if kind == "open":
            level += 1
            pieces.append(text)
        elif kind == "close":
            level -= 1
            pieces.append(text)
        elif kind == "place":
            pieces += _read_place(script, found["place"], places, depth, here)
        elif kind is not None and kind != "assigned":
            pieces.append(_as_json(kind, found[kind]))
    return pieces, here


def _read_place(script: str, number: str, places: _Places, depth: int, here: int) -> list[str]:
    """Read the value of a referenced place. Raises ``_StreamError`` if it is unknown or refers to itself."""
    start = places.start_of(number)
    if start is None or depth == _DEEPEST:
        raise _StreamError(here, f"expected a value for $R[{number}]")
    pieces, end = _read_literal(script, start, places, depth + 1)
    if not places.may_repeat(max(end - start, len(pieces))):
        raise _StreamError(here, "expected fewer references to the same value")
    return pieces


def _as_json(kind: str, text: str) -> str:
    """Return a token as JSON."""
    if kind == "key":
        return f'"{text}"'
    if kind == "word":
        return _WORDS[text]
    return _ESCAPE.sub(_escape, text) if kind == "string" and "\\" in text else text


def _escape(found: re.Match[str]) -> str:
    """Return an escape of a JavaScript string as JSON."""
    if found["hex"]:
        return f"\\u00{found['hex']}"
    return found[0] if found["other"] in _KEPT else json.dumps(found["other"])[1:-1]
