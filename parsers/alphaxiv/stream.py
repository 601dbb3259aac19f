"""Data that a page carries as a script: its literals, turned into JSON. Nothing of the script is run.

The script builds its data with numbered places, so that an object can be used twice. Invented::

    $_TSR.router=($R=>$R[0]={matches:$R[1]=[{l:$R[2]={papers:$R[3]=[$R[4]={title:"Foam",is_new:!0,note:void 0,
    topics:$R[5]=["cs.DC"]},$R[4]]}}]})($R["tsr"]);

Objects, arrays, strings, numbers, ``!0``, ``null``, ``void 0``, dates, places and references to them are read; anything
else inside a list of papers (a call, a function) is an error. The meaning of the data does not belong here.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

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


class StreamError(Exception):
    """A list of papers contains something that is not a literal; ``place`` counts from the start of the text."""

    def __init__(self, place: int, expected: str) -> None:
        """Keep place and expectation for the message that names the line."""
        super().__init__(f"{place}: {expected}")
        self.place = place
        self.expected = expected


def read_papers(script: str) -> Iterator[str]:
    """Yield each list of papers of a script as JSON, in order. Raises ``StreamError``."""
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
    """Read one value; return its pieces as JSON and where it ends. Raises ``StreamError``."""
    pieces: list[str] = []
    level, here = 0, start
    while level or not pieces:
        found = _TOKEN.match(script, here)
        if found is None or found.end() == here:
            raise StreamError(here, f"expected data, found {script[here : here + 60]!r}")
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
    """Read the value of a referenced place. Raises ``StreamError`` if it is unknown or refers to itself."""
    start = places.start_of(number)
    if start is None or depth == _DEEPEST:
        raise StreamError(here, f"expected a value for $R[{number}]")
    pieces, end = _read_literal(script, start, places, depth + 1)
    if not places.may_repeat(max(end - start, len(pieces))):
        raise StreamError(here, "expected fewer references to the same value")
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
