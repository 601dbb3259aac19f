"""One JSON object of an item: its values by key and type, and which of its keys were read or ignored by name.

A number too large for a table, a day that does not exist or a value of the wrong type is an error of its item. The keys
of a source do not belong here, nor the account of unread keys (``data``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

Value = TypeVar("Value")
UNREAD: Final = "field_unread"
"""The note on a record that lacks a value which could not be read."""

_LARGEST: Final = 2**63 - 1  # the largest number in an integer column
_DAY: Final = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[\d:.]{0,16}(?:Z|[+-]\d{2}:?\d{2})?)?")
Keyset: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]
"""The keys of an object: those with a value, those read, those ignored by name."""


class FieldError(Exception):
    """A value does not fit its key; the message names the key, what was expected and what was found."""

    reason = "invalid_value"


class DayError(FieldError):
    """A value names a day that does not exist."""

    reason = "date_invalid"


class MissingError(FieldError):
    """An item lacks a part that a record must have."""

    reason = "incomplete_item"


class Fields:
    """One JSON object of an item; ``place`` is the item's 1-based place in its document."""

    __slots__ = ("_ignored", "_opened", "_read", "_refused", "doubts", "place", "value")

    def __init__(self, opened: list[Fields], value: dict[str, Any], place: int, doubts: set[str] | None = None) -> None:
        """Keep the object; nothing is read yet. ``opened`` are those of its data, ``doubts`` the notes on its item."""
        self.doubts: set[str] = set() if doubts is None else doubts
        self.value = value
        self.place = place
        self._opened: list[Fields] | None = opened
        self._read: list[str] = []
        self._ignored: frozenset[str] = frozenset()
        self._refused: frozenset[str] = frozenset()

    @classmethod
    def add_to(cls, opened: list[Fields], value: dict[str, Any], place: int, doubts: set[str] | None = None) -> Fields:
        """Add an object to those that are opened of its document; return it. ``Data.open`` makes these."""
        fields = cls(opened, value, place, doubts)
        opened.append(fields)
        return fields

    def maybe(self, key: str, read: Callable[[str], Value]) -> Value | None:
        """Read a key that an item can do without: a value that ``read`` refuses stays unread, and is told and noted."""
        try:
            return read(key)
        except FieldError:
            self._read = [each for each in self._read if each != key]
            self._refused |= {key}
            self.doubts.add(UNREAD)
            return None

    def text(self, key: str) -> str | None:
        """Read a string; None if it is absent, null or blank. Raises ``FieldError`` for another type."""
        self._read.append(key)
        value = self.value.get(key)
        if isinstance(value, str):  # the most frequent call: saves a further one
            return value if value and not value.isspace() else None
        return None if value is None else self._take(key, str)

    def number(self, key: str) -> int | None:
        """Read a whole number; None if it is absent or null. Raises ``FieldError`` for another type."""
        value = self._take(key, int)
        if isinstance(value, bool):
            raise FieldError(f"{key}: expected int, found {value}")
        if value is not None and abs(value) > _LARGEST:
            raise FieldError(f"{key}: expected int of at most 64 bits, found {str(value)[:100]}")
        return value

    def day(self, key: str) -> date | None:
        """Read the day of an ISO date or date-time, as written; None if it is absent, null or blank.

        Raises ``FieldError`` for another type or form, ``DayError`` for a day that does not exist.
        """
        value = self.text(key)
        return read_day(key, value.strip()) if value is not None else None

    def items(self, key: str) -> list[Any]:
        """Read a list; empty if it is absent or null. Raises ``FieldError`` for another type."""
        return self._take(key, list) or []

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of strings, stripped and without blank ones. Raises ``FieldError`` for another type."""
        values = self.items(key)
        try:
            return tuple(filter(None, map(str.strip, values)))
        except TypeError as error:
            other = next(value for value in values if not isinstance(value, str))
            raise FieldError(f"{key}: expected a list of strings, found {shown(other)}") from error

    def child(self, key: str) -> Fields | None:
        """Open an object, whose keys are accounted for as part of this item; None if it is absent or null."""
        value = self._take(key, dict)
        if value is None:
            return None
        if self._opened is None:
            raise ValueError(f"{key}: the ledger is closed")
        return Fields.add_to(self._opened, value, self.place, self.doubts)

    def objects(self, key: str) -> list[Fields]:
        """Open the objects of a list. Raises ``FieldError`` for another type, or if one of them is none."""
        values = self.items(key)
        if any(not isinstance(value, dict) for value in values):
            raise FieldError(f"{key}: expected a list of objects, found {shown(values)}")
        return list(map(self.inside, values))

    def inside(self, value: object) -> Fields:
        """Open an object from a list of this one. Raises ``FieldError`` if it is not an object."""
        if not isinstance(value, dict):
            raise FieldError(f"expected an object, found {shown(value)}")
        if self._opened is None:
            raise ValueError("the ledger is closed")
        return Fields.add_to(self._opened, value, self.place, self.doubts)

    def either(self, key: str) -> Any:  # noqa: ANN401  # some interfaces give several types for one key
        """Read a value of any type; None if it is absent."""
        self._read.append(key)
        return self.value.get(key)

    def ignore(self, names: Iterable[str]) -> None:
        """Mark these keys as known and not needed in the dataset."""
        more = frozenset(names)
        self._ignored = self._ignored | more if self._ignored else more

    def close(self) -> None:
        """Drop the list of other objects: a cycle would keep them in memory until the garbage collector runs."""
        self._opened = None

    def shape(self) -> Keyset:
        """Return the keys that have a value, the keys that were read, and the keys that are known and not needed.

        Zero and false count as values; null and empty ones do not.
        """
        present = tuple([key for key, value in self.value.items() if value or value == 0])
        return present, tuple(self._read), self._ignored - self._refused if self._refused else self._ignored

    def _take(self, key: str, kind: type[Value]) -> Value | None:
        """Read a value of one type."""
        self._read.append(key)
        value = self.value.get(key)
        if value is not None and not isinstance(value, kind):
            raise FieldError(f"{key}: expected {kind.__name__}, found {shown(value)}")
        return value


@lru_cache(maxsize=1024)
def read_day(key: str, text: str) -> date:
    """Return the day of an ISO date or date-time; raises the errors of ``Fields.day``, whose messages name ``key``."""
    found = _DAY.fullmatch(text)
    if found is None:
        raise FieldError(f"{key}: expected a date such as 2025-07-11, found {text[:100]!r}")
    try:
        return date.fromisoformat(found["day"])
    except ValueError as error:
        raise DayError(f"{key}: expected a day that exists, found {text[:100]!r}") from error


def as_written(value: object) -> str:
    """Return a value as JSON: characters unescaped, or all escaped where one of them is half a surrogate pair."""
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    except RecursionError:  # read just below the limit: here the stack is a little deeper
        return f"{type(value).__name__} nested too deeply to show"
    return text


def shown(value: object) -> str:
    """Return the beginning of a value as JSON, for a message."""
    text = as_written(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
