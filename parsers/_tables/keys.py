"""Fields of data by table: the keys of an object by their paths, and the items of data; reading a key claims it.

    EVENT = Keys(one("title"), maybe("day", "slot.date", iso_day), each("people", "persons", one("name")), ignored="id")
    PAPER = Keys(one("title", "title details.title"), maybe("day", "publishedAt published_at", iso_day))
    for place, value in items_at(data, "days[].rooms.*[]"):
        values = EVENT.read(data.open_item(value, place))

Fields, their readers and what is listed by its id are those of pages (``table``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from parsers._ledger.data import Data
from parsers._ledger.fields import FieldError, Fields, MissingError, shown
from parsers._tables.table import Field, Listed, index_by_id
from parsers._words.people import Partly

_STEP: Final = re.compile(r"\[\]|[^.\[\]]+")


class Keys:
    """The keys of an object: its fields, by paths such as ``slot.room``, and those that are ``ignored`` by name.

    Of several paths, separated by spaces, the first that says something counts; what the others have is not needed.
    """

    def __init__(self, *fields: Field, ignored: str = "") -> None:
        """Number the objects that hold keys, outer ones first; ``ignored`` lists paths separated by spaces."""
        self._numbers = {"": 0}
        self._inside: list[tuple[int, str]] = []
        self._fields: list[tuple[Field, list[tuple[int, str]], Keys | None]] = []
        names: list[str] = []
        for wanted in fields:
            paths = (wanted.where or wanted.name).split()
            names += paths if len(paths) > 1 else ()
            inner = f"{wanted.ignored} {_below(paths, ignored)}"
            group = Keys(*wanted.inside, ignored=inner) if wanted.inside else None
            self._fields.append((wanted, list(map(self._place_of, paths)), group))
            ignored = ignored if group is None else _others(paths, ignored)
        known = [self._place_of(path) for path in (*names, *ignored.split())]
        self._known = [frozenset(key for at, key in known if at == number) for number in self._numbers.values()]

    def _place_of(self, path: str) -> tuple[int, str]:
        """Return the number of the object that a path leads into, and the key there."""
        around, _, key = path.rpartition(".")
        if around not in self._numbers:
            self._inside.append(self._place_of(around))
            self._numbers[around] = len(self._inside)
        return self._numbers[around], key

    def read(self, fields: Fields, **lists: Listed) -> dict[str, Any]:
        """Read the fields of an object, with ``notes`` for a record that is made of it.

        ``lists`` are those of ``by_id``, by name. Raises ``FieldError`` if a required field is missing or invalid.
        """
        return {**self._read(fields, lists), "notes": tuple(fields.doubts)}

    def _read(self, fields: Fields, lists: Mapping[str, Listed]) -> dict[str, Any]:
        """Read the values of the fields, by their names."""
        opened: list[Fields | None] = [fields]
        for number, key in self._inside:
            around = opened[number]
            opened.append(around.maybe(key, around.child) if around and _says(around, key) else None)
        for each, known in zip(opened, self._known, strict=True):
            if each is not None:
                each.ignore(known)
        return {
            wanted.name: _read_first(opened, places, wanted, group, lists) for wanted, places, group in self._fields
        }


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


def _below(outer: Collection[str], paths: str) -> str:
    """Return the rests of the paths that lead into one of others."""
    return " ".join(path[len(each) + 1 :] for path in paths.split() for each in outer if path.startswith(f"{each}."))


def _others(outer: Collection[str], paths: str) -> str:
    """Return the paths that lead into none of others."""
    return " ".join(path for path in paths.split() if not any(path.startswith(f"{each}.") for each in outer))


def _says(fields: Fields, key: str) -> bool:
    """True if the value of a key says something: some tools print a blank or false for what is not there."""
    value = fields.value.get(key)
    if value is False or (isinstance(value, str) and value.isspace()):
        fields.either(key)
        return False
    return bool(value) or value == 0


def _refuse(key: str) -> None:
    """Raise ``FieldError``: a value cannot be read, so the account and a note tell it."""
    raise FieldError(key)


def _read_first(
    opened: Sequence[Fields | None],
    places: Sequence[tuple[int, str]],
    wanted: Field,
    group: Keys | None,
    lists: Mapping[str, Listed],
) -> Any:  # noqa: ANN401  # what the reader returns
    """Read the first key that says something. Raises ``FieldError`` if a required field is missing or invalid."""
    for number, key in places:
        fields = opened[number]
        if fields is not None and key in fields.value and _says(fields, key):
            return _read_key(fields, key, wanted, group, lists)
    if wanted.least:
        expected = " or ".join(map(repr, wanted.where.split())) or "a text"
        raise MissingError(f"{wanted.name}: expected {expected}, found none")
    return wanted.value_of(())


def _read_key(fields: Fields, key: str, wanted: Field, group: Keys | None, lists: Mapping[str, Listed]) -> Any:  # noqa: ANN401  # what the reader returns
    """Read one key; if its reader fails, the key stays unread, so that the account reports it, and doubts say so."""
    if group is not None:
        return tuple(group._read(each, lists) for each in fields.maybe(key, fields.objects) or ())
    value, reader = fields.value[key], wanted.reader(lists) if lists else wanted.read
    if wanted.most > 1 and not isinstance(value, list):
        fields.maybe(key, fields.items)
        return wanted.value_of(())
    read = [reader(each) for each in value] if wanted.most > 1 else [reader(value)]
    left = [each for each in read if each is None or isinstance(each, Partly)]
    if not left:
        fields.either(key)
    elif wanted.least and None in read:
        raise FieldError(f"{key}: expected a valid value, found {shown(value)}")
    else:
        fields.maybe(key, _refuse)
    return wanted.value_of([each for each in read if each is not None] if left else read)
