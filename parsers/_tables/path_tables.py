"""PathTables over data in a file: which things there are, by paths, and how their fields are read.

    [lists.people]
    at = "speakers[]"
    key = "id"

    [talk]
    at = "sessions[][status!=Declined]"
    title = "title"
    starts = "startsAt"
    people = { at = "speakers[]>people", name = "fullName" }

The tables are those for pages (``written``), with paths (``paths``) in the place of selectors. ``docs/pages.md``
explains them for those who write them. How things are found does not belong here (``things``), nor what records are
made of them (``made``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final

from parsers._ledger.bundle import FILES, Patterns, patterns_of
from parsers._ledger.fields import shown
from parsers._tables.paths import Path, PathError, parse_path
from parsers._tables.patterns import Pattern
from parsers._tables.readers import (
    duration,
    epoch_moment,
    has_shape,
    iso_day,
    iso_moment,
    time_zone,
    wall_clock,
)
from parsers._tables.selectors import TableError
from parsers._tables.written import (
    LEVELS,
    MOST_TABLES,
    READERS,
    TABLES,
    check_kind,
    check_names,
    check_tables,
    compile_patterns,
    first_time,
    load_tables,
    reader_of,
    tables_in,
)
from parsers._words.people import Partly, people_of

_MOST_PATHS: Final = 50
_MOST_WAYS: Final = 10
_LONGEST_WORD: Final = 1_000
_TABLES: Final = (*TABLES, "lists", FILES)
_RESERVED: Final = ("at", "ignored", "nothing", "kind", "within", "rest", "flat", "same")
_PARTS: Final = (
    "at",
    "is",
    "as",
    "html",
    "nothing",
    "cut",
    "base",
    "joint",
    "name",
    "place",
    "beside",
    "url",
    "title",
    "words",
    "after",
    "patterns",
)
_OF_LIST: Final = ("at", "key", "pattern", "nothing", "ignored")
PEOPLE: Final = ("people", "chairs")
_ROWS_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("name", "place", "beside"), PEOPLE),
    **dict.fromkeys(("url", "title"), ("links",)),
}
"""The parts that only some rows have."""
NUMBERED: Final = ("id", "code", "duration", "starts", "ends", "published")
"""The fields that read numbers, too."""
SEVERAL: Final = (*PEOPLE, "keywords", "links")
_MOMENT_WITH_BLANK: Final = re.compile(r"\d{4}-\d\d-\d\d \d{1,2}:\d\d")


def _moment(value: object) -> datetime | date | str | None:
    """Read a moment, a day alone, or a time of day, which stays as it is printed."""
    text = str(value)
    moment = iso_moment(text.replace(" ", "T", 1) if _MOMENT_WITH_BLANK.match(text) else text)
    return moment or iso_day(text) or (None if wall_clock(text) is None else text)


def _milliseconds(value: object) -> datetime | None:
    """Read a moment in milliseconds since 1970."""
    return epoch_moment(value)


def _minutes(value: object) -> timedelta | None:
    """Read a duration, or a number of minutes."""
    return timedelta(minutes=int(str(value))) if re.fullmatch(r"\d{1,4}", str(value)) else duration(value)


_OF_PEOPLE: Final[Mapping[str, Callable[[Any], Any]]] = {
    "": people_of,
    "people": people_of,
    "name": str,
    **{way: read for way, read in READERS["people"].items() if way},
    "names": str,
}
_READERS: Final[Mapping[str, Mapping[str, Callable[[Any], Any]]]] = {
    **READERS,
    "starts": {"": _moment, "milliseconds": _milliseconds},
    "ends": {"": _moment, "milliseconds": _milliseconds},
    "end_day": READERS["day"],
    "duration": {"": _minutes},
    "subtitle": {"": str},
    "description": {"": str},
    "summary": {"": str},
    "language": {"": str},
    "session": {"": str},
    "doi": {"": str},
    "zone": {"": time_zone},
    "keywords": {"": str},
    "links": {"": str},
    "published": {
        "": lambda value: moment.date() if (moment := iso_moment(value)) else iso_day(value),
        "milliseconds": lambda value: moment.date() if (moment := epoch_moment(value)) else None,
    },
    **dict.fromkeys(PEOPLE, _OF_PEOPLE),
}
"""The readers of each field by the names that ``as`` has for them."""


@dataclass(frozen=True, slots=True, eq=False)
class FieldRow:
    """A row of a table: the paths that are tried in order, and what becomes of the value."""

    name: str
    paths: tuple[Path, ...]
    read: Callable[[Any], Any]
    html: bool = False
    nothing: frozenset[str] = frozenset()
    cut: tuple[str, ...] = ()
    base: str = ""
    joint: str | None = None
    names: tuple[tuple[Path, ...], ...] = ()
    may_be_list: bool = False
    """True if one name alone may be a list of several, where there should be a separator."""
    places: tuple[Path, ...] = ()
    beside: Path | None = None
    url: Path | None = None
    title: Path | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    """What words mean, such as the names of days."""
    after: time | None = None
    """The first time of day of a clock of twelve hours that says neither am nor pm."""
    patterns: tuple[Pattern, ...] = ()
    """What the text may be made of: fixed words, and holes for several fields."""
    constant: Any = None
    """What the data do not print; then there are no paths."""


@dataclass(frozen=True, slots=True, eq=False)
class PathTable:
    """A table: the paths of its things, their fields, and the keys that are known and not needed.

    With ``rest`` it has only things that no table before it has, and that nothing names by an id; with ``flat`` each
    thing owns those of inner tables that follow it in its list. What has the values of another one at all paths of
    ``same`` is that one, such as a row for each of its people.
    """

    name: str
    paths: tuple[Path, ...]
    fields: tuple[FieldRow, ...]
    ignored: tuple[Path, ...]
    within: tuple[Path, ...] = ()
    rest: bool = False
    flat: bool = False
    same: tuple[Path, ...] = ()
    kind: str | None = None
    kind_of: FieldRow | None = None


@dataclass(frozen=True, slots=True)
class PathList:
    """A list whose things are named elsewhere, by a key or by the hole of a pattern in it.

    ``patterns`` are what stands before and behind the hole. A key of the shape of one of ``nothing`` names nothing.
    """

    name: str
    paths: tuple[Path, ...]
    key: Path
    patterns: tuple[tuple[str, str], ...]
    nothing: tuple[str, ...]
    ignored: tuple[Path, ...]

    def id_in(self, text: str) -> str:
        """Return the id in a key, by the first pattern that it fits; empty if there is none."""
        if any(has_shape(text, shape) for shape in self.nothing):
            return ""
        fitting = ((text, *ends) for ends in self.patterns if text.startswith(ends[0]) and text.endswith(ends[1]))
        inner = (each.removeprefix(before).removesuffix(behind).strip() for each, before, behind in fitting)
        return next(filter(None, inner), "")


@dataclass(frozen=True, slots=True)
class PathTables:
    """The tables of a file over data, from the outside in, its lists, and the patterns of companions by name."""

    tables: tuple[PathTable, ...]
    lists: tuple[PathList, ...]
    files: Patterns = field(default_factory=dict)


@lru_cache(maxsize=32)
def compile_things(written: str, kinds: tuple[str, ...]) -> PathTables:
    """Compile the text of a file of tables over data; ``kinds`` are the known kinds of records.

    Raises ``TableError`` naming table, row and what was expected.
    """
    return tables_of(load_tables(written), kinds)


def tables_of(entries: Mapping[str, Any], kinds: tuple[str, ...]) -> PathTables:
    """Compile tables over data. Raises ``TableError``."""
    check_tables(entries, _TABLES)
    lists = entries.get("lists", {})
    if not isinstance(lists, dict) or len(lists) > MOST_TABLES:
        raise TableError(f"[lists]: expected at most {MOST_TABLES} tables such as [lists.people]")
    known = tuple(_list_of(name, rows) for name, rows in lists.items())
    page = entries.get("page", {})
    nothing = _words("[page] nothing", page.get("nothing", [])) if isinstance(page, dict) else frozenset[str]()
    made: list[PathTable] = []
    for name in (name for level in LEVELS for name in level):
        made += [_table(name, rows, kinds, nothing) for rows in tables_in(name, entries.get(name, []), "talks[]")]
    try:
        files = patterns_of(entries.get(FILES, {}))
    except ValueError as error:
        raise TableError(f"[{FILES}]: {error}") from error
    tables = PathTables(tuple(made), known, files)
    _check_lists(tables)
    return tables


def _check_lists(tables: PathTables) -> None:
    """Raise ``TableError`` for a path that looks into a list which there is not."""
    names = tuple(each.name for each in tables.lists)
    for table in tables.tables:
        paths = [*table.paths, *table.within]
        for each in table.fields:
            paths += [*each.paths, *each.places, *(path for several in each.names for path in several)]
        for path in paths:
            check_names(f"[{table.name}] {path.written!r}", dict.fromkeys(path.lists), names, "a list, of")


def _list_of(name: str, rows: object) -> PathList:
    """Compile a list."""
    where = f"[lists.{name}]"
    if not isinstance(rows, dict):
        raise TableError(f'{where}: expected rows such as at = "speakers[]", found {rows!r}')
    check_names(where, rows, _OF_LIST, "its rows")
    patterns = _texts(f"{where} pattern", rows.get("pattern", "{}"))
    for each in patterns:
        if each.count("{}") != 1:
            raise TableError(f'{where} pattern: expected a text with one hole, such as "Session {{}}", found {each!r}')
    ends = (each.partition("{}") for each in patterns)
    key = _paths(f"{where} key", rows.get("key", "id"))
    return PathList(
        name,
        _paths(f"{where} at", rows.get("at")),
        key[0],
        tuple((before, behind) for before, _, behind in ends),
        tuple(_texts(f"{where} nothing", rows.get("nothing", []))),
        _paths(f"{where} ignored", rows["ignored"]) if rows.get("ignored") else (),
    )


def _table(name: str, rows: Mapping[str, Any], kinds: tuple[str, ...], nothing: frozenset[str]) -> PathTable:
    """Compile one table."""
    where = f"[{name}]"
    paths = _paths(f"{where} at", rows.get("at", "." if name == "page" else None))
    fields = tuple(
        _field(name, row, each, nothing) for row, entry in rows.items() if row not in _RESERVED for each in _ways(entry)
    )
    if name in {"talk", "item"} and not any(each.name == "title" for each in fields):
        raise TableError(f"{where}: expected a row title")
    kind, kind_of = rows.get("kind"), None
    if isinstance(kind, dict):
        kind_of, kind = _kind_of(where, kind, kinds), None
    elif kind is not None:
        check_kind(where, kind, kinds)
    within = _paths(f"{where} within", rows["within"]) if "within" in rows else ()
    ignored = _paths(f"{where} ignored", rows["ignored"]) if rows.get("ignored") else ()
    same = _paths(f"{where} same", rows["same"]) if "same" in rows else ()
    is_rest, is_flat = rows.get("rest") is True, rows.get("flat") is True
    return PathTable(name, paths, fields, ignored, within, is_rest, is_flat, same, kind, kind_of)


def _ways(entry: object) -> list[object]:
    """Return the ways in which a row is read: one, or a list of tables of which the first that gives a value counts."""
    is_list = isinstance(entry, list) and 0 < len(entry) <= _MOST_WAYS and all(isinstance(each, dict) for each in entry)
    return entry if is_list and isinstance(entry, list) else [entry]


def _kind_of(where: str, entry: Mapping[str, Any], kinds: tuple[str, ...]) -> FieldRow:
    """Compile a kind that a value decides: ``{ at = "type", break = ["Lunch", "Coffee"] }``."""
    check_names(f"{where} kind", {name: None for name in entry if name != "at"}, kinds, "the kinds")
    words = {
        word: kind for kind, values in entry.items() if kind != "at" for word in _words(f"{where} kind: {kind}", values)
    }
    return FieldRow("kind", _paths(f"{where} kind: at", entry.get("at")), str, words=words)


def _field(name: str, row: str, entry: object, nothing: frozenset[str]) -> FieldRow:
    """Compile one row of a table."""
    where = f"[{name}] {row}"
    parts = {"at": entry} if isinstance(entry, str | list) else entry
    if not isinstance(parts, dict):
        raise TableError(f"{where}: expected a path or {{ at = .., as = .. }}, found {entry!r}")
    check_names(where, parts, _PARTS, "its parts")
    check_names(f"[{name}]", {row: None}, (*_READERS, *_RESERVED), "its rows")
    if "is" in parts:
        return _constant(where, row, parts)
    _check_parts(where, row, parts)
    paths = _paths(where, parts.get("at"))
    way = parts.get("as", "name" if row in PEOPLE and any(each.splits for each in paths) else "")
    read = reader_of(where, _READERS[row], way)
    words = parts.get("words", {})
    if not isinstance(words, dict) or not all(isinstance(each, str) for each in words.values()):
        raise TableError(f'{where}: words: expected what words mean, such as {{ friday = "2026-05-08" }}')
    for part in ("base", "joint"):
        if not isinstance(parts.get(part, ""), str):
            raise TableError(f"{where}: {part}: expected a text, found {parts[part]!r}")
    single = {part: _paths(f"{where}: {part}", parts[part])[0] for part in ("beside", "url", "title") if part in parts}
    return FieldRow(
        row,
        paths,
        read,
        html=parts.get("html", False) is True,
        nothing=nothing | _words(f"{where}: nothing", parts.get("nothing", [])),
        cut=tuple(_texts(f"{where}: cut", parts.get("cut", []))),
        base=parts.get("base", ""),
        joint=parts.get("joint"),
        names=tuple(
            tuple(path for part in each.split() for path in _paths(f"{where}: name", part))
            for each in _texts(f"{where}: name", parts.get("name", []))
        ),
        may_be_list=way == "names",
        places=_paths(f"{where}: place", parts["place"]) if "place" in parts else (),
        words={word.casefold(): meaning for word, meaning in words.items()},
        after=first_time(where, parts["after"]) if "after" in parts else None,
        patterns=compile_patterns(
            f"{where}: patterns", _texts(f"{where}: patterns", parts.get("patterns", [])), tuple(_READERS)
        ),
        **single,
    )


def _check_parts(where: str, row: str, parts: Mapping[str, Any]) -> None:
    """Raise ``TableError`` for a part that says nothing in a row."""
    for part in parts:
        if row not in (rows := _ROWS_WITH.get(part, (row,))):
            raise TableError(f"{where}: {part}: only a row {' or '.join(rows)} has this part")
    if "place" in parts and "name" not in parts:
        raise TableError(f"{where}: place: expected a part name, too: what is beside a name that is a text is 'beside'")


def _constant(where: str, row: str, parts: Mapping[str, Any]) -> FieldRow:
    """Compile a row with a value that the data do not print, read as if they did."""
    check_names(where, parts, ("is", "as"), "its parts")
    read, text = reader_of(where, _READERS[row], parts.get("as", "")), parts["is"]
    value = read(text) if isinstance(text, str) and text else None
    if value is None or row == "links":
        raise TableError(f"{where}: is: expected a valid value, found {text!r}")
    return FieldRow(row, (), read, constant=(value,) if row == "keywords" else value)


def read_hole(name: str) -> Callable[[Any], Any]:
    """Return the reader of a hole of a pattern: that of its field, but for a list of which a part is no name."""
    read = _READERS[name][""]

    def whole(text: str) -> Any:  # noqa: ANN401  # what the reader of the field returns
        value = read(text)
        return None if isinstance(value, Partly) else value

    return whole


def _paths(where: str, entry: object) -> tuple[Path, ...]:
    """Compile the paths of a row: one, or a list of which the first that has a value counts."""
    try:
        paths = tuple(parse_path(each) for each in _texts(where, entry))
    except PathError as error:
        raise TableError(f"{where}: {error}") from error
    if not 0 < len(paths) <= _MOST_PATHS:
        raise TableError(f"{where}: expected one to {_MOST_PATHS} paths, found {len(paths)}")
    return paths


def _texts(where: str, entry: object) -> list[str]:
    """Return one text or a list of texts as a list. Raises ``TableError``."""
    texts = [entry] if isinstance(entry, str) else entry
    if not isinstance(texts, list) or not all(
        isinstance(each, str) and each and len(each) <= _LONGEST_WORD for each in texts
    ):
        raise TableError(f"{where}: expected a text or a list of them, found {shown(entry)}")
    return texts


def _words(where: str, entry: object) -> frozenset[str]:
    """Return words in lower case."""
    return frozenset(each.strip().casefold() for each in _texts(where, entry))
