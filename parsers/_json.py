"""The ledger of a JSON document: objects that remember which of their keys were read.

A parser takes values by key and type; keys that it knows and does not need are ignored by name; ``account`` tells which
keys of an item nobody asked for, so that a new field of an interface is seen. What is no text (half of a character that
an interface cut in two) or no number that a table can hold is a fault of its item. Which keys a source has does not
belong here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from parsers._cut import reject_rest, rescue_json
from parsers._lines import Accounting, LineClass, Span
from schemas.items import Reject

Value = TypeVar("Value")

_LARGEST: Final = 2**63 - 1  # what a column of whole numbers can hold
_DAY: Final = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[\d:.]{0,16}(?:Z|[+-]\d{2}:?\d{2})?)?")
_Shape: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class FieldError(Exception):
    """A value is not what its key promises; the message names key, expectation and what was found."""

    reason = "invalid_value"


class DayError(FieldError):
    """A value names a day that does not exist."""

    reason = "date_invalid"


class MissingError(FieldError):
    """An item lacks a part without which it is no record."""

    reason = "incomplete_item"


class DataError(Exception):
    """A document is not JSON; ``line`` is 1-based, ``expected`` says what was expected."""

    def __init__(self, line: int, expected: str) -> None:
        """Keep line and expectation for the message that names the file."""
        super().__init__(f"{line}: {expected}")
        self.line = line
        self.expected = expected


class Data:
    """A parsed JSON document, and the objects of it that a parser has opened."""

    def __init__(self, text: str, keys: Sequence[str] = ()) -> None:
        """Parse decoded text. Raises ``DataError`` where it is not JSON.

        With ``keys``, those under which its items stand, a document that is cut is read up to the last item that is
        complete (see ``parsers._cut``), and its rest is a reject in the account.
        """
        self._rest: tuple[Reject, ...] = ()
        try:
            self.value: Any = json.loads(text)
        except json.JSONDecodeError as error:
            expected = f"expected JSON: {error.msg} at column {error.colno}"
            rescued = rescue_json(text, keys) if keys else None
            if rescued is None:
                raise DataError(error.lineno, expected) from error
            self.value = rescued.value
            self._rest = (reject_rest(text, rescued.end, f"{expected} of line {error.lineno}"),)
        except ValueError as error:  # a number of thousands of digits
            raise DataError(1, f"expected JSON: {error}") from error
        except RecursionError as error:
            raise DataError(1, "expected JSON nested less deeply") from error
        self._has_surrogates = _SURROGATE.search(text) is not None
        self._opened: list[Fields] = []
        self._rejected: set[int] = set()

    def open(self, value: dict[str, Any], place: int) -> Fields:
        """Open one object of the item at 1-based ``place``; each of its keys is accounted for.

        Place 0 is for what belongs to no item: the objects around them.
        """
        return Fields(self._opened, value, place)

    def open_item(self, value: object, place: int) -> Fields:
        """Open the item at 1-based ``place``. Raises ``FieldError`` where it is no object of whole characters."""
        if not isinstance(value, dict):
            raise FieldError(f"expected an object, found {shown(value)}")
        if not self.is_text(value):
            raise FieldError("expected whole characters, found half of one (a surrogate)")
        return self.open(value, place)

    def reject(self, place: int, value: object, error: FieldError, lines: tuple[int, int] | None = None) -> Reject:
        """Make the reject of the item at ``place``: it stands in quarantine whole, its keys are not told again.

        ``lines`` are those of the item where its data stand in a page.
        """
        self._rejected.add(place)
        start, end = lines or (place, place)
        return Reject(start, end, as_written(value), error.reason, f"item {place}: {error}")

    def is_text(self, value: object) -> bool:
        """Say whether every string inside a value is whole: none holds half of a character that was cut in two."""
        if not self._has_surrogates:
            return True
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError):
            return False
        return True

    def account(self) -> Accounting:
        """Count every key with a value of the objects that were opened; collect what nobody asked for, item by item.

        This closes the ledger: no further object can be opened inside those that are.
        """
        shapes: dict[_Shape, _Sorted] = {}
        unexplained: dict[int, list[str]] = {}
        for fields in self._opened:
            fields.close()
            if fields.place in self._rejected:
                continue
            shape = fields.shape()
            keys = shapes.get(shape)
            if keys is None:
                keys = shapes[shape] = _sort_keys(*shape)
            keys.objects += 1
            if keys.others:
                left = {key: value for key, value in fields.value.items() if key in keys.others}
                unexplained.setdefault(fields.place, []).append(as_written(left))
        ignored: Counter[str] = Counter()
        for keys in shapes.values():
            ignored.update(dict.fromkeys(keys.ignored, keys.objects))
        classes = {
            LineClass.REJECTED: len(self._rejected) + len(self._rest),
            LineClass.RECORD: sum(keys.read * keys.objects for keys in shapes.values()),
            LineClass.FURNITURE: ignored.total(),
            LineClass.UNEXPLAINED: sum(len(keys.others) * keys.objects for keys in shapes.values()),
        }
        spans = (Span(max(place, 1), max(place, 1), "\n".join(left)) for place, left in sorted(unexplained.items()))
        counted: dict[str, int] = {name: number for name, number in classes.items() if number}
        return Accounting(sum(classes.values()), counted, dict(ignored), tuple(spans), self._rest)


class Fields:
    """One JSON object of an item; ``place`` is the item's 1-based place in its document."""

    __slots__ = ("_ignored", "_opened", "_read", "place", "value")

    def __init__(self, opened: list[Fields], value: dict[str, Any], place: int) -> None:
        """Keep the object, beside those that were ``opened``; nothing of it is read yet. ``Data.open`` makes these."""
        self.value = value
        self.place = place
        self._opened: list[Fields] | None = opened
        self._read: list[str] = []
        self._ignored: frozenset[str] = frozenset()
        opened.append(self)

    def text(self, key: str) -> str | None:
        """Take a string; None where it is absent, null or blank. Raises ``FieldError`` for another type."""
        self._read.append(key)
        value = self.value.get(key)
        if isinstance(value, str):  # asked most often of all: without a further call
            return value if value and not value.isspace() else None
        return None if value is None else self._take(key, str)

    def number(self, key: str) -> int | None:
        """Take a whole number; None where it is absent or null. Raises ``FieldError`` for another type."""
        value = self._take(key, int)
        if isinstance(value, bool):
            raise FieldError(f"{key}: expected int, found {value}")
        if value is not None and abs(value) > _LARGEST:
            raise FieldError(f"{key}: expected int of at most 64 bits, found {str(value)[:100]}")
        return value

    def day(self, key: str) -> date | None:
        """Take the day of an ISO date or date-time, as it is written there; None where it is absent, null or blank.

        Raises ``FieldError`` for another type or form, ``DayError`` for a day that does not exist.
        """
        value = self.text(key)
        return read_day(key, value.strip()) if value is not None else None

    def items(self, key: str) -> list[Any]:
        """Take a list; empty where it is absent or null. Raises ``FieldError`` for another type."""
        return self._take(key, list) or []

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of strings, stripped and without blank ones. Raises ``FieldError`` for another type."""
        values = self.items(key)
        try:
            return tuple(filter(None, map(str.strip, values)))
        except TypeError as error:
            other = next(value for value in values if not isinstance(value, str))
            raise FieldError(f"{key}: expected a list of strings, found {shown(other)}") from error

    def child(self, key: str) -> Fields | None:
        """Take an object, whose keys are accounted for as part of this item; None where it is absent or null."""
        value = self._take(key, dict)
        if value is None:
            return None
        if self._opened is None:
            raise ValueError(f"{key}: the ledger is closed")
        return Fields(self._opened, value, self.place)

    def either(self, key: str) -> Any:  # noqa: ANN401  # some interfaces give several types for one key
        """Take a value of whatever type; None where it is absent."""
        self._read.append(key)
        return self.value.get(key)

    def ignore(self, names: Iterable[str]) -> None:
        """Say that these keys are known and carry nothing that the dataset holds."""
        more = frozenset(names)
        self._ignored = self._ignored | more if self._ignored else more

    def close(self) -> None:
        """Let go of the other objects: what holds each other keeps all of it until Python looks for such."""
        self._opened = None

    def shape(self) -> _Shape:
        """Return the keys that have a value, the keys that were read, those that are known and not needed.

        Zero and false are values; null and what is empty are none.
        """
        present = tuple([key for key, value in self.value.items() if value or value == 0])
        return present, tuple(self._read), self._ignored

    def _take(self, key: str, kind: type[Value]) -> Value | None:
        """Take a value of one type."""
        self._read.append(key)
        value = self.value.get(key)
        if value is not None and not isinstance(value, kind):
            raise FieldError(f"{key}: expected {kind.__name__}, found {shown(value)}")
        return value


@dataclass(slots=True)
class _Sorted:
    """The keys of objects of one shape: how many are read, which are ignored by name, which are neither."""

    read: int
    ignored: frozenset[str]
    others: frozenset[str]
    objects: int = 0


def _sort_keys(present: Sequence[str], read: Sequence[str], ignored: frozenset[str]) -> _Sorted:
    """Sort the keys of a shape; once for all objects of that shape, since most items of a document have the same."""
    unread = frozenset(present).difference(read)
    return _Sorted(len(present) - len(unread), unread & ignored, unread - ignored)


@lru_cache(maxsize=1024)
def read_day(key: str, text: str) -> date:
    """Return the day of an ISO date or date-time; ``key`` is for the message of the errors, those of ``Fields.day``."""
    found = _DAY.fullmatch(text)
    if found is None:
        raise FieldError(f"{key}: expected a date such as 2025-07-11, found {text[:100]!r}")
    try:
        return date.fromisoformat(found["day"])
    except ValueError as error:
        raise DayError(f"{key}: expected a day that exists, found {text[:100]!r}") from error


def as_written(value: object) -> str:
    """Return a value as JSON: characters as they are, or all escaped where one of them is cut in two."""
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    except RecursionError:  # at the limit of what could be read: here the stack is a little deeper
        return f"{type(value).__name__} nested too deeply to be written"
    return text


def shown(value: object) -> str:
    """Return the beginning of a value as JSON, for a message."""
    text = as_written(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
