"""Rescues the items of a document that is cut or damaged, and finds where the unreadable rest begins.

Nothing is repaired and nothing is guessed: the document is closed after its last complete item, and the rest goes to
quarantine unchanged. Only a parser knows what its items are, so it names them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final
from xml.parsers import expat

from schemas.items import Reject

_DECODER: Final = json.JSONDecoder()
_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_SELF_DELIMITED: Final = (dict, list, str)
_UNDEFINED_ENTITY: Final = expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]

_ENDS_EARLY: Final = {
    expat.errors.codes[name]
    for name in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
    )
}
_LAST_TOKEN: Final = re.compile(r"[\w.+-]{0,40}\s*+\Z")
_ESCAPE: Final = 6  # characters


class _EntitiesError(Exception):
    """A document has its own declarations: it is refused whole."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """The complete part: XML as a well-formed text, JSON as a value; ``end`` is where the rest of the text begins.

    ``is_whole`` is true if there is no rest: several values, none of them damaged; ``is_cut`` if nothing is wrong with
    the rest of XML or of several values but that it ends too early.
    """

    value: Any
    end: int
    is_whole: bool = False
    is_cut: bool = False


def reject_rest(text: str, end: int, expected: str, *, is_cut: bool) -> Reject:
    """Make the reject for the text after the last complete item, with its lines; ``is_cut`` if the text just ends."""
    rest = text[end:].lstrip().removeprefix(",").lstrip()  # a comma between items belongs to neither
    line = text.count("\n", 0, len(text) - len(rest)) + 1
    detail = f"{expected}; everything before line {line} was read"
    rest = rest.rstrip()
    return Reject(line, line + rest.count("\n"), rest, "cut" if is_cut else "malformed", detail)


def rescue_xml(text: str, names: Collection[str]) -> Rescued | None:
    """Close damaged XML after its last complete item, an element of one of the local ``names``.

    None if no item is complete, or if the document declares or uses entities that are not XML's own.
    """
    data = text.encode()
    reading, is_cut = _Elements(data, names), False
    try:
        reading.parser.Parse(data, True)
    except expat.ExpatError as error:
        if error.code == _UNDEFINED_ENTITY:
            return None
        is_cut = error.code in _ENDS_EARLY
    except _EntitiesError:
        return None
    if not reading.end:
        return None
    end = len(data[: reading.end].decode())
    return Rescued(text[:end] + "".join(f"</{name}>" for name in reversed(reading.around)), end, is_cut=is_cut)


class _Elements:
    """Follows the tags of XML: where the last complete item ends, and which elements are open around it."""

    def __init__(self, data: bytes, names: Collection[str]) -> None:
        """Make the parser of ``data``, which is UTF-8 whatever its declaration says."""
        self.end = 0
        self.around: tuple[str, ...] = ()
        self._data = data
        self._names = frozenset(names)
        self._open: list[str] = []
        self._item = 0  # depth of the open item
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._close
        self.parser.StartDoctypeDeclHandler = self._declare

    def _start(self, name: str, _: object) -> None:
        """Open an element."""
        self._open.append(name)
        if not self._item and name.rpartition(":")[2] in self._names:
            self._item = len(self._open)

    def _close(self, name: str) -> None:
        """Close an element; an item without an end tag, which is empty, does not count."""
        if len(self._open) == self._item:
            self._item = 0
            place = self.parser.CurrentByteIndex
            if self._data.startswith(b"</", place):
                self.end = self._data.index(b">", place) + 1
                self.around = tuple(self._open[:-1])
        self._open.pop()

    def _declare(self, _name: str, _system: object, _public: object, has_own: int) -> None:
        """Refuse a document with its own declarations, before the first of them is read."""
        if has_own:
            raise _EntitiesError


def rescue_json(text: str, keys: Sequence[str]) -> Rescued | None:
    """Read the complete items of damaged JSON; None if there are none.

    Items are the elements of a top-level list, else the values under ``keys``; in an element of a list under one of
    these, the values under the later keys.
    """
    reading = _Values(text)
    try:
        value, end = reading.read(0, tuple(keys) if text.lstrip().startswith("{") else (), named=True)
    except (RecursionError, ValueError):  # no possible value: refused as in a complete document
        return None
    if end is not None:  # complete, with something after it
        return Rescued(value, end, is_cut=_ends_within(text, end)) if _has_items(value, keys) else None
    return Rescued(value, reading.end) if reading.items else None


def _ends_within(text: str, place: int) -> bool:
    """True if another list or object begins at a place and the text ends within it."""
    place = _BLANKS.match(text, place).end()  # type: ignore[union-attr]  # it also matches the empty string
    if not text.startswith(("{", "["), place):
        return False
    try:
        _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        return is_early_end(text, error)
    except (RecursionError, ValueError):  # no possible value
        return False
    return False


def is_early_end(text: str, error: json.JSONDecodeError) -> bool:
    """True if nothing is wrong with JSON but that it ends too early: the error is about its last token."""
    if error.msg.startswith("Unterminated"):
        return True
    return _LAST_TOKEN.match(text, error.pos) is not None or (
        error.msg.startswith("Invalid") and len(text) - error.pos <= _ESCAPE
    )


def read_sequence(text: str) -> Rescued | None:
    """Read values that follow each other as one list; values that are lists are joined.

    None unless at least two are complete. What follows the last complete one is the rest.
    """
    values: list[Any] = []
    is_cut = False
    place, end = _BLANKS.match(text).end(), 0  # type: ignore[union-attr]  # it also matches the empty string
    try:
        while text.startswith(("{", "["), place):
            value, end = _DECODER.raw_decode(text, place)
            values.append(value)
            place = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
    except json.JSONDecodeError as error:  # inside a value: part of the rest
        is_cut = is_early_end(text, error)
    except (RecursionError, ValueError):  # no possible value: part of the rest
        pass
    if len(values) < 2:
        return None
    items = [item for value in values for item in (value if isinstance(value, list) else (value,))]
    return Rescued(items, end, is_whole=place == len(text), is_cut=is_cut)


def _has_items(value: object, keys: Sequence[str]) -> bool:
    """True if a complete value is a list of items or has them under a key."""
    return bool(value) and (isinstance(value, list) or (isinstance(value, dict) and not value.keys().isdisjoint(keys)))


class _Values:
    """Reads values one by one; counts the complete items and remembers where the last complete value ends."""

    def __init__(self, text: str) -> None:
        """Begin at the start of the text."""
        self.end = 0
        self.items = 0
        self._text = text

    def read(self, place: int, keys: tuple[str, ...], *, named: bool) -> tuple[Any, int | None]:
        """Return a value and where it ends; for an incomplete one, what could be read of it and None."""
        place = self._skip(place)
        try:
            value, end = _DECODER.raw_decode(self._text, place)
        except json.JSONDecodeError:
            opening = self._text[place : place + 1]
            if opening == "[" and named:
                return self._list(place, keys), None
            return (self._object(place, keys) if opening == "{" and keys else None), None
        whole = isinstance(value, _SELF_DELIMITED) or self._follows(end, ",", "]", "}")
        return value, end if whole else None

    def _list(self, place: int, keys: tuple[str, ...]) -> list[Any]:
        """Read the items of a list; an incomplete last item is kept if it holds items itself."""
        found: list[Any] = []
        while True:
            items, kept = self.items, self.end
            value, end = self.read(place + 1, keys, named=False)
            if end is None:
                if self.items > items:
                    return [*found, value]
                self.end = kept  # the whole item is part of the rest
                return found
            found.append(value)
            self.items += 1
            self.end = end
            place = self._skip(end)
            if not self._follows(end, ","):
                return found

    def _object(self, place: int, keys: tuple[str, ...]) -> dict[str, Any]:
        """Read the pairs of an object; values under a named key count as items."""
        found: dict[str, Any] = {}
        while True:
            key, end = self.read(place + 1, (), named=False)
            if end is None or not isinstance(key, str) or not self._follows(end, ":"):
                return found
            inner = keys[keys.index(key) + 1 :] if key in keys else ()
            items = self.items
            value, end = self.read(self._skip(end) + 1, inner, named=key in keys)
            if end is None:
                return {**found, key: value} if self.items > items else found
            found[key] = value
            self._count(value, end, named=key in keys)
            place = self._skip(end)
            if not self._follows(end, ","):
                return found

    def _count(self, value: object, end: int, *, named: bool) -> None:
        """Count complete items."""
        if named and isinstance(value, dict | list):
            self.items += len(value)
        if self.items:
            self.end = end

    def _skip(self, place: int) -> int:
        """Return the place of the next character that is not white space."""
        found = _BLANKS.match(self._text, place)
        return found.end() if found else place

    def _follows(self, place: int, *characters: str) -> bool:
        """True if one of the characters comes next."""
        return self._text[(next_ := self._skip(place)) : next_ + 1] in characters
