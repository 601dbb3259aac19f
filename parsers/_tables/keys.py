"""Fields of data by table: the keys of an object by their paths, and the items of data; reading a key claims it.

    EVENT = Keys(one("title"), maybe("day", "slot.date", iso_day), each("people", "persons", one("name")), ignored="id")
    for place, value in items_at(data, "days[].rooms.*[]"):
        values = EVENT.read(data.open_item(value, place))

Fields, their readers and what is listed by its id are those of pages (``table``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from parsers._ledger.data import Data
from parsers._ledger.fields import FieldError, Fields, shown
from parsers._tables.table import UNREAD, Field, Listed, check_count, index_by_id
from parsers._words.people import Partly

_STEP: Final = re.compile(r"\[\]|[^.\[\]]+")


class Keys:
    """The keys of an object: its fields, by paths such as ``slot.room``, and those that are ``ignored`` by name."""

    def __init__(self, *fields: Field, ignored: str = "") -> None:
        """Sort the fields by the objects that hold their keys; ``ignored`` lists paths separated by spaces."""
        self._fields: list[tuple[str, Field]] = []
        self._groups: dict[str, tuple[Field, Keys]] = {}
        inside: dict[str, list[Field]] = {}
        for wanted in fields:
            key, _, rest = (wanted.where or wanted.name).partition(".")
            if rest:
                inside.setdefault(key, []).append(replace(wanted, where=rest))
            elif wanted.inside:
                self._groups[key] = (wanted, Keys(*wanted.inside, ignored=f"{wanted.ignored} {_below(key, ignored)}"))
            else:
                self._fields.append((key, wanted))
        self._inside = {key: Keys(*wanted, ignored=_below(key, ignored)) for key, wanted in inside.items()}
        self._ignored = frozenset(path for path in ignored.split() if "." not in path)
        self._known = frozenset((*(key for key, _ in self._fields), *self._inside, *self._groups))

    def read(self, fields: Fields, **lists: Listed) -> dict[str, Any]:
        """Read the fields of an object, with ``notes`` for a record that is made of it.

        ``lists`` are those of ``by_id``, by name. Raises ``FieldError`` if a required field is missing or invalid.
        """
        doubts: set[str] = set()
        values = dict(self._values(fields, doubts, lists))
        return {**values, "notes": tuple(doubts | fields.doubts)}

    def _values(
        self, fields: Fields | None, doubts: set[str], lists: Mapping[str, Listed]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the values of the fields by their names; without an object all are None."""
        if fields is not None:
            fields.ignore(self._ignored)
            fields.ignore(key for key in self._known if fields.value.get(key) is False)
        for key, wanted in self._fields:
            yield wanted.name, _read_key(fields, key, wanted, doubts, lists)
        for key, keys in self._inside.items():
            child = fields.maybe(key, fields.child) if fields is not None and _says(fields, key) else None
            yield from keys._values(child, doubts, lists)
        for key, (wanted, keys) in self._groups.items():
            inner = fields.maybe(key, fields.objects) if fields is not None and _says(fields, key) else None
            yield wanted.name, tuple(dict(keys._values(each, doubts, lists)) for each in inner or ())


def items_at(data: Data, path: str) -> Iterator[tuple[int, object]]:
    """Yield the items of data with their places, from 1: ``days[].rooms.*[]``, a list of each room of each day.

    ``[]`` is any element of a list, ``*`` any key of an object. The objects around the items are opened, so the account
    reports their other keys. Raises ``FieldError`` if an object or list is something else.
    """
    yield from enumerate(_inside(data, data.value, _STEP.findall(path)), 1)


def listed_at(data: Data, path: str, keys: Keys) -> Listed:
    """Return what data lists at a path (``items_at``) by the field ``id`` of its keys, for ``by_id``.

    What lacks a required field is left out: whoever names it has a value that cannot be read. Raises ``FieldError`` if
    the data are cut and end before the list: without it each item would lose what it names.
    """
    if data.is_incomplete and not any(True for _ in items_at(data, path)):
        raise FieldError(f"{path}: expected a list, found the end of the data before it")
    found = []
    for _, value in items_at(data, path):
        fields = data.open(value, 0)
        try:
            keys.read(Fields([], fields.value, 0))  # tried first: of what is left out, each key is reported
        except FieldError:
            continue
        found.append(keys.read(fields))
    return index_by_id(found)


def _inside(data: Data, value: object, steps: Sequence[str]) -> Iterator[object]:
    """Yield the values that some steps lead to."""
    if not steps:
        yield value
        return
    step, *others = steps
    if step == "[]":
        if not isinstance(value, list):
            raise FieldError(f"expected a list, found {shown(value)}")
        for each in value:
            yield from _inside(data, each, others)
    elif not isinstance(value, dict):
        raise FieldError(f"{step}: expected an object around it, found {shown(value)}")
    elif step == "*":
        fields = data.open(value, 0)
        for key in value:
            yield from _inside(data, fields.either(key), others)
    elif (inner := data.open(value, 0).either(step)) is not None:
        yield from _inside(data, inner, others)


def _below(key: str, paths: str) -> str:
    """Return the rests of the paths that begin with a key."""
    return " ".join(path.partition(".")[2] for path in paths.split() if path.partition(".")[0] == key)


def _says(fields: Fields, key: str) -> bool:
    """True if the value of a key says something: some tools print false for a text or list that is not there."""
    value = fields.value.get(key)
    return value is not None and value is not False and value not in ("", [], {})


def _read_key(  # what the reader returns
    fields: Fields | None, key: str, wanted: Field, doubts: set[str], lists: Mapping[str, Listed]
) -> Any:  # noqa: ANN401
    """Read one key; if its reader fails, the key stays unread, so that the account reports it, and doubts say so."""
    if fields is None or not _says(fields, key):
        check_count(wanted, 0)
        return wanted.value_of(())
    value = fields.value[key]
    if wanted.most > 1 and not isinstance(value, list):
        fields.maybe(key, fields.items)
        return wanted.value_of(())
    read = list(map(wanted.reader(lists), value if wanted.most > 1 else [value]))
    if not any(value is None or isinstance(value, Partly) for value in read):
        fields.either(key)
    elif wanted.least and None in read:
        raise FieldError(f"{key}: expected a valid value, found {shown(value)}")
    else:
        doubts.add(UNREAD)
    return wanted.value_of([each for each in read if each is not None])
