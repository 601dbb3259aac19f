"""One JSON object of an item: its values by key and type, and which of its keys were read or ignored by name.

What is no number that a table can hold, no day that exists or no value of the expected type is a fault of its item.
Which keys a source has does not belong here, nor what becomes of those that nobody asked for (``_json``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

Value = TypeVar("Value")
_LARGEST: Final = 2**63 - 1  # what a column of whole numbers can hold
_DAY: Final = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[\d:.]{0,16}(?:Z|[+-]\d{2}:?\d{2})?)?")
Shape: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]
"""The keys of an object that have a value, those that were read, those that are ignored by name."""


class FieldError(Exception):
    """A value is not what its key promises; the message names key, expectation and what was found."""

    reason = "invalid_value"


class DayError(FieldError):
    """A value names a day that does not exist."""

    reason = "date_invalid"


class MissingError(FieldError):
    """An item lacks a part without which it is no record."""

    reason = "incomplete_item"


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

    def inside(self, value: object) -> Fields:
        """Open an object of a list of this one. Raises ``FieldError`` for what is none."""
        if not isinstance(value, dict):
            raise FieldError(f"expected an object, found {shown(value)}")
        if self._opened is None:
            raise ValueError("the ledger is closed")
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

    def shape(self) -> Shape:
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
