"""The ledger of a JSON document: objects that remember which of their keys were read.

A parser takes values by key and type; keys that it knows and does not need are ignored by name; ``account`` tells which
keys of an item nobody asked for, so that a new field of an interface is seen. Which keys a source has does not belong
here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from parsers._lines import Accounting, LineClass, Span

Value = TypeVar("Value")

_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})


class FieldError(Exception):
    """A value has another type than its key promises; the message names key, expectation and what was found."""


class DataError(Exception):
    """A document is not JSON; ``line`` is 1-based, ``expected`` says what was expected."""

    def __init__(self, line: int, expected: str) -> None:
        """Keep line and expectation for the message that names the file."""
        super().__init__(f"{line}: {expected}")
        self.line = line
        self.expected = expected


class Data:
    """A parsed JSON document, and the objects of it that a parser has opened."""

    def __init__(self, text: str) -> None:
        """Parse decoded text. Raises ``DataError`` where it is not JSON."""
        try:
            self.value: Any = json.loads(text)
        except json.JSONDecodeError as error:
            raise DataError(error.lineno, f"expected JSON: {error.msg} at column {error.colno}") from error
        except RecursionError as error:
            raise DataError(1, "expected JSON nested less deeply") from error
        self._opened: list[Fields] = []

    def open(self, value: dict[str, Any], place: int) -> Fields:
        """Open one object of the item at 1-based ``place``; each of its keys is accounted for."""
        fields = Fields(self, value, place)
        self._opened.append(fields)
        return fields

    def account(self) -> Accounting:
        """Count every key with a value of the objects that were opened; collect what nobody asked for, item by item."""
        classes: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        unexplained: dict[int, dict[str, Any]] = {}
        for fields in self._opened:
            for key, line_class in fields.classify():
                classes[line_class] += 1
                if line_class is LineClass.FURNITURE:
                    ignored[key] += 1
                elif line_class is LineClass.UNEXPLAINED:
                    unexplained.setdefault(fields.place, {})[key] = fields.value[key]
        spans = (
            Span(place, place, json.dumps(left, ensure_ascii=False)) for place, left in sorted(unexplained.items())
        )
        return Accounting(sum(classes.values()), dict(classes), dict(ignored), tuple(spans))


class Fields:
    """One JSON object of an item; ``place`` is the item's 1-based place in its document."""

    def __init__(self, data: Data, value: dict[str, Any], place: int) -> None:
        """Keep the object; nothing of it is read yet. ``Data.open`` makes these."""
        self.value = value
        self.place = place
        self._data = data
        self._read: set[str] = set()
        self._ignored: frozenset[str] = frozenset()

    def text(self, key: str) -> str | None:
        """Take a string; None where it is absent, null or blank. Raises ``FieldError`` for another type."""
        value = self._take(key, str)
        return value if value and value.strip() else None

    def number(self, key: str) -> int | None:
        """Take a whole number; None where it is absent or null. Raises ``FieldError`` for another type."""
        value = self._take(key, int)
        if isinstance(value, bool):
            raise FieldError(f"{key}: expected int, found {value}")
        return value

    def items(self, key: str) -> list[Any]:
        """Take a list; empty where it is absent or null. Raises ``FieldError`` for another type."""
        return self._take(key, list) or []

    def child(self, key: str) -> Fields | None:
        """Take an object, whose keys are accounted for as part of this item; None where it is absent or null."""
        value = self._take(key, dict)
        return self._data.open(value, self.place) if value is not None else None

    def either(self, key: str) -> Any:  # noqa: ANN401  # some interfaces give several types for one key
        """Take a value of whatever type; None where it is absent."""
        self._read.add(key)
        return self.value.get(key)

    def ignore(self, names: Iterable[str]) -> None:
        """Say that these keys are known and carry nothing that the dataset holds."""
        self._ignored |= frozenset(names)

    def classify(self) -> Iterator[tuple[str, LineClass]]:
        """Yield each key that has a value, and its class: read, ignored by name, or neither."""
        for key, value in self.value.items():
            if value in _EMPTY:
                continue
            if key in self._read:
                yield key, LineClass.RECORD
            else:
                yield key, LineClass.FURNITURE if key in self._ignored else LineClass.UNEXPLAINED

    def _take(self, key: str, kind: type[Value]) -> Value | None:
        """Take a value of one type."""
        self._read.add(key)
        value = self.value.get(key)
        if value is not None and not isinstance(value, kind):
            raise FieldError(f"{key}: expected {kind.__name__}, found {str(value)[:100]!r}")
        return value
