"""The ledger of a JSON document: its items, and an account of their keys.

A parser opens the objects of an item and reads their values by key (``fields``); ``account`` lists the keys of an item
that were never read, so that a new field of an API is noticed. A string with half of a character, which an API cut in
two, is an error of its item. The keys of a source do not belong here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from parsers._ledger.cut import is_early_end, read_sequence, reject_rest, rescue_json
from parsers._ledger.fields import FieldError, Fields, Keyset, as_written, shown
from parsers._ledger.formats import Decoded, FormError, decode_assigned, decode_csv, decode_lax, decode_yaml
from parsers._ledger.lines import Accounting, LineClass, Place, Rule, Span, place_of_reject
from schemas.items import Reject

_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class DataError(Exception):
    """A document is not JSON; ``line`` is 1-based, ``expected`` says what was expected."""

    def __init__(self, line: int, expected: str) -> None:
        """Keep line and expectation for the message that names the file."""
        super().__init__(f"{line}: {expected}")
        self.line = line
        self.expected = expected


def _object_of(twice: list[tuple[str, object]], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its keys and values; add to ``twice`` what a later key of the same name takes the place of."""
    found = dict(pairs)
    if len(found) < len(pairs):
        last = {key: place for place, (key, _) in enumerate(pairs)}
        twice += [pair for place, pair in enumerate(pairs) if last[pair[0]] != place]
    return found


class Data:
    """A parsed JSON document, and the objects in it that a parser has opened."""

    def __init__(self, text: str, keys: Sequence[str] = ()) -> None:
        """Parse decoded text. Raises ``DataError`` if it is not JSON.

        With ``keys``, those that hold its items, a document that is cut is read up to its last complete item (see
        ``parsers._ledger.cut``), and the rest is a reject in the account; several values in a row, such as one per
        line, are read as one list.
        """
        self._rest: tuple[Reject, ...] = ()
        self.lines: dict[int, tuple[int, int]] = {}
        """The lines of the objects of CSV and YAML, by ``id``: their places are these, not those in a list."""
        self.is_incomplete = False
        """True if the document is cut or broken, so that only its beginning was read."""
        twice: list[tuple[str, object]] = []
        self.value: Any = None
        try:
            self.value = json.loads(text, object_pairs_hook=partial(_object_of, twice))
        except json.JSONDecodeError as error:
            expected = f"expected JSON: {error.msg.removesuffix(' at')} at column {error.colno}"
            rescued = (read_sequence(text) or rescue_json(text, keys)) if keys else None
            if rescued is None:
                raise DataError(error.lineno, expected) from error
            self.value = rescued.value
            if not rescued.is_whole:
                self.is_incomplete = True
                is_cut = rescued.is_cut or is_early_end(text, error)
                self._rest = (reject_rest(text, rescued.end, f"{expected} of line {error.lineno}", is_cut=is_cut),)
        except ValueError as error:  # a number of thousands of digits
            raise DataError(1, f"expected JSON: {error}") from error
        except RecursionError as error:
            raise DataError(1, "expected JSON, found it nested too deeply") from error
        self._rest += tuple(
            Reject(None, None, as_written({key: value}), "malformed", f"expected {key!r} once: the last value is read")
            for key, value in twice
        )
        self._start(text)

    def _start(self, text: str) -> None:
        """Begin the account."""
        self._has_surrogates = _SURROGATE.search(text) is not None
        self._opened: list[Fields] = []
        self._around: dict[int, Fields] = {}
        self._rejected: dict[int, Reject] = {}

    @classmethod
    def of_form(cls, text: str, form: str) -> Data:
        """Read a text of one of the forms of ``formats.DATA``; what its rows have too much is a reject of the account.

        JSON may stand behind a name, or have commas before brackets. Raises ``DataError``.
        """
        decoded: Decoded | None = None
        try:
            if form == "json":
                decoded = decode_assigned(text)
            else:
                decoded = decode_csv(text) if form == "csv" else decode_yaml(text)
        except FormError as error:
            raise DataError(error.line, error.expected) from error
        if decoded is None:
            try:
                return cls(text)
            except DataError:
                decoded = decode_lax(text)
                if decoded is None:
                    raise
        data = cls.__new__(cls)
        data.value, data.lines, data.is_incomplete = decoded.value, decoded.lines, False
        data._rest = tuple(Reject(line, line, text, "malformed", expected) for line, text, expected in decoded.faults)
        data._start(text)
        return data

    def open(self, value: object, place: int) -> Fields:
        """Open one object of the item at 1-based ``place``; each of its keys is accounted for.

        Place 0 is for the objects around the items, which may be opened again: they keep what was read. Raises
        ``FieldError`` if it is not an object.
        """
        if not isinstance(value, dict):
            raise FieldError(f"expected an object, found {shown(value)}")
        if place == 0 and id(value) in self._around:
            return self._around[id(value)]
        fields = Fields.add_to(self._opened, value, place)
        if place == 0:
            self._around[id(value)] = fields
        return fields

    def open_item(self, value: object, place: int) -> Fields:
        """Open the item at 1-based ``place``. Raises ``FieldError`` if it is no object or holds half a character."""
        if not self.is_text(value):
            raise FieldError("expected valid Unicode, found an unpaired surrogate")
        return self.open(value, place)

    def reject(self, place: int, value: object, error: FieldError, lines: tuple[int, int] | None = None) -> Reject:
        """Make the reject of the item at ``place``: all of it goes to quarantine, so its keys are not reported again.

        ``lines`` are the lines of the item if its data is embedded in a page.
        """
        start, end = lines or (place, place)
        reject = Reject(start, end, as_written(value), error.reason, f"item {place}: {error}")
        self._rejected[place] = reject
        return reject

    def is_text(self, value: object) -> bool:
        """True if no string inside a value holds half of a character that was cut in two."""
        if not self._has_surrogates:
            return True
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError):
            return False
        return True

    def claimed_texts(self) -> Iterator[str]:
        """Yield nothing: keys are accounted for one by one."""
        yield from ()

    def claimed_pieces(self, words: Collection[str]) -> Iterator[str]:
        """Yield those of these texts that hold one of the words."""
        return (text for text in self.claimed_texts() if any(word in text for word in words))

    def rules(self) -> set[Rule]:
        """Return no rules: the items of data stand under no headings."""
        return set()

    def places(self) -> Iterator[Place]:
        """Yield every key with a value of the opened objects, with its path and class.

        The objects around the items come first, then the items in order, their keys in document order. A rejected item
        is one place, and so is the rest of a cut document. For people: ``account`` counts.
        """
        opened: dict[int, dict[int, list[Fields]]] = {place: {} for place in self._rejected}
        for fields in self._opened:
            opened.setdefault(fields.place, {}).setdefault(id(fields.value), []).append(fields)
        for place, waiting in sorted(opened.items()):
            if place in self._rejected:
                yield place_of_reject(place, self._rejected[place])
                continue
            while waiting:  # each step also removes the objects inside
                yield from _places_in(next(iter(waiting.values()))[0].value, waiting)
        for reject in self._rest:
            yield place_of_reject(reject.line_start, reject)

    def account(self) -> Accounting:
        """Count every key with a value of the opened objects; collect the unread ones, item by item.

        This closes the ledger: no object can be opened inside the opened ones any more.
        """
        shapes: dict[Keyset, _Sorted] = {}
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
            LineClass.BOILERPLATE: ignored.total(),
            LineClass.UNEXPLAINED: sum(len(keys.others) * keys.objects for keys in shapes.values()),
        }
        spans = (Span(max(place, 1), max(place, 1), "\n".join(left)) for place, left in sorted(unexplained.items()))
        counted: dict[str, int] = {name: number for name, number in classes.items() if number}
        return Accounting(sum(classes.values()), counted, dict(ignored), tuple(spans), self._rest)


@dataclass(slots=True)
class _Sorted:
    """The keys of objects of one shape: how many are read, which are ignored by name, which are neither."""

    read: int
    ignored: frozenset[str]
    others: frozenset[str]
    objects: int = 0


def _sort_keys(present: Sequence[str], read: Sequence[str], ignored: frozenset[str]) -> _Sorted:
    """Sort the keys of a shape; once for all its objects, since most items of a document have the same shape."""
    unread = frozenset(present).difference(read)
    return _Sorted(len(present) - len(unread), unread & ignored, unread - ignored)


def _places_in(top: object, waiting: dict[int, list[Fields]]) -> Iterator[Place]:
    """Yield the keys of a value and of everything inside it that is ``waiting``, and remove these objects from it.

    Without recursion: values can be nested as deeply as Python reads them.
    """
    left: list[tuple[Place | None, object, str]] = [(None, top, "")]
    while left:
        place, value, path = left.pop()
        if place is not None:
            yield place
        if isinstance(value, list):
            left += [(None, each, path) for each in reversed(value)]
        elif isinstance(value, dict) and (opened := waiting.pop(id(value), None)):
            left += reversed([step for fields in opened for step in _places_of(fields, path)])
        elif isinstance(value, dict):
            left += [(None, value[key], f"{path}{key}.") for key in reversed(value)]


def _places_of(fields: Fields, path: str) -> Iterator[tuple[Place, object, str]]:
    """Yield the keys of one object that have a value, each with that value and its path."""
    present, read, ignored = fields.shape()
    for key in present:
        line_class = _class_of(key, read, ignored)
        rule = None if line_class is LineClass.UNEXPLAINED else key
        value = fields.value[key]
        yield Place(fields.place, line_class, rule, None, f"{path}{key}: {as_written(value)}"), value, f"{path}{key}."


def _class_of(key: str, read: Sequence[str], ignored: frozenset[str]) -> LineClass:
    """Return the class of a key: read, ignored by name, or neither."""
    if key in read:
        return LineClass.RECORD
    return LineClass.BOILERPLATE if key in ignored else LineClass.UNEXPLAINED
