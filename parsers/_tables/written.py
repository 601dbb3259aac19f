"""Tables written in a file: the programme of one venue, without code.

    [day]
    at = "section.day"
    day = "h2"

    [session]
    at = "tr.session"
    times = "td:first-child"
    head = { at = "td[colspan]", lines = ["{title}", "(Session Chair: {chairs})"] }

    [[talk]]
    at = "tr.talk"
    title = "b"
    people = "i"

A table is one of ``TABLES``, each once or a list, from the outside in. ``at`` says which elements it is about; other
rows are fields, each a selector or ``{ at, often, as }``, or ``{ at, lines }`` with several fields in the lines of an
element (``patterns``). The field chooses its reader, ``as`` another one where print is ambiguous. ``docs/pages.md``
explains it for those who write tables. What records are made of the fields does not belong here (``parsers.pages``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Any, Final

from parsers._ledger.lines import Rule, heading_rule, record_rule
from parsers._tables.patterns import Pattern, PatternError, parse_patterns
from parsers._tables.readers import (
    duration,
    heading_day,
    identifier,
    iso_moment,
    not_before,
    text,
    wall_clock,
    without_ends,
    without_separators,
)
from parsers._tables.rows import GridShape
from parsers._tables.selectors import Selector, TableError
from parsers._tables.table import CELL, Elements, Field, NamedPeople, in_lines, many, maybe, one
from parsers._words.dates import read_times
from parsers._words.people import people_by_place, people_of, people_with_place
from parsers._words.years import Day

TABLES: Final = ("page", "day", "slot", "session", "talk", "item")
RECORDS: Final = ("session", "talk", "item")
"""The tables that make records."""
LEVELS: Final = (("page",), ("day",), ("slot",), ("session", "item"), ("talk",))
_HEADS: Final = {"column": "columns", "row": "rows"}
"""The tables of the heads of grids. They come last: a head is nothing else, whatever finds it, too."""
_GRID: Final = "grid"
_PARTS_OF_GRIDS: Final = ("at", "rows", "cells", "wide")
_RULES: Final = {
    "page": heading_rule("page", 1),
    "day": heading_rule("day", 2),
    "slot": heading_rule("slot", 3),
    "session": heading_rule("session", 4),
    "talk": record_rule("talk"),
    "item": record_rule("item"),
    "column": heading_rule("column", 3),
    "row": heading_rule("row", 3),
}
_RESERVED: Final = ("at", "flat", "ignored", "kind")
_OFTEN: Final = {"one": one, "maybe": maybe, "many": many}
_PARTS: Final = ("at", "often", "as", "lines", "joint", "cut", "words", "after", "is", "name", "place")
_MOST_ROWS: Final = 200
MOST_TABLES: Final = 200
_MOST_PATTERNS: Final = 200
_LONGEST: Final = 100_000
"""Characters of a file of tables; those for real pages have a few thousand."""
_QUOTED: Final = re.compile(r""""(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'""")
_COMMENT: Final = re.compile(r"#[^\n]*+")
_DEEP_KEY: Final = re.compile(r"(?:[\w-]*+[ \t]*+\.[ \t]*+){20}")
"""A key of so many parts, whose reading takes a time that grows with the square of their number."""
_NUMBERS: Final = re.compile(r"\D*(\d{1,4})\D+(\d{1,2})(?:\D+(\d{4}|\d{2}))?\D*")


def _minutes(value: object) -> timedelta | None:
    """Read a duration, or a number of minutes."""
    return timedelta(minutes=int(str(value))) if re.fullmatch(r"\d{1,3}", str(value)) else duration(value)


def _clock_or_moment(value: object) -> str | datetime | None:
    """Read a moment without an offset, which would have to be converted, or a time of day.

    That stays as it is printed: the end beside it may have the am or pm of both.
    """
    moment = iso_moment(value)
    if moment is not None and moment.tzinfo is None:
        return moment
    return None if wall_clock(value) is None else str(value)


def _times(value: object) -> tuple[time, time | None] | None:
    """Read an interval, or its beginning alone: ``9:30 - 10:15``, ``9:30``, ``9:30 -``."""
    return read_times(str(value).rstrip(" -\u2013\u2014"))


def _day_in_numbers(order: str) -> Callable[[object], Day | None]:
    """Return a reader of days in numbers, whose parts stand in an order such as ``dmy``."""

    def read(value: object) -> Day | None:
        """Read a day; None if there are other numbers than the order says, or none such in a calendar."""
        found = _NUMBERS.fullmatch(value) if isinstance(value, str) else None
        numbers = [int(each) for each in found.groups() if each] if found else []
        if len(numbers) != len(order):
            return None
        parts = dict(zip(order, numbers, strict=True))
        year = parts.get("y")
        year = year + 2000 if year is not None and year < 100 else year
        possible = 1 <= parts["m"] <= 12 and 1 <= parts["d"] <= 31
        return Day(0, parts["m"], parts["d"], None, year) if possible else None

    return read


READERS: Final[Mapping[str, Mapping[str, Callable[[Any], Any]]]] = {
    "title": {"": text},
    "code": {"": text},
    "track": {"": text},
    "type": {"": text},
    "abstract": {"": text},
    "room": {"": text},
    "presenter": {"": text},
    "id": {"": identifier},
    "url": {"": text},
    "day": {
        "": heading_day,
        "day_month": _day_in_numbers("dm"),
        "month_day": _day_in_numbers("md"),
        "day_month_year": _day_in_numbers("dmy"),
        "month_day_year": _day_in_numbers("mdy"),
        "year_month_day": _day_in_numbers("ymd"),
    },
    "times": {"": _times},
    "starts": {"": _clock_or_moment},
    "ends": {"": _clock_or_moment},
    "duration": {"": _minutes},
    "people": {"": people_of, "shared_place": people_by_place, "name_place": people_with_place},
    "chairs": {"": people_of, "shared_place": people_by_place, "name_place": people_with_place},
}
"""The readers of each field by the names that ``as`` has for them."""


@dataclass(frozen=True, slots=True)
class Written:
    """The tables of a file: from the outside in, those of one level together; their names and constant kinds."""

    levels: tuple[tuple[Elements, ...], ...]
    names: Mapping[Elements, str]
    kinds: Mapping[Elements, str]
    words: frozenset[str] = field(default=frozenset())
    """The fixed words of all patterns, and what is cut off: labels, which are published nowhere."""
    grids: tuple[GridShape, ...] = ()


@lru_cache(maxsize=8)
def compile_tables(written: str, kinds: tuple[str, ...]) -> Written:
    """Compile the text of a file of tables; ``kinds`` are the known kinds of records.

    Raises ``TableError`` naming table, row and what was expected.
    """
    return compile_entries(load_tables(written), kinds)


def compile_entries(entries: Mapping[str, Any], kinds: tuple[str, ...]) -> Written:
    """Compile tables over pages. Raises ``TableError``."""
    check_tables(entries, (*TABLES, *_HEADS, _GRID))
    grids = tuple(_compile_grids(entries.get(_GRID, [])))
    ignored = _ignored_everywhere(entries.get("page"))
    found: dict[str, list[Elements]] = {}
    constants: dict[Elements, str] = {}
    words: set[str] = set()
    for name, entry in ((name, entry) for name, entry in entries.items() if name != _GRID):
        for rows in tables_in(name, entry, "tr"):
            table = _compile(name, rows, words, ignored)
            found.setdefault(name, []).append(table)
            if "kind" in rows:
                check_kind(f"[{name}]", rows["kind"], kinds)
                constants[table] = rows["kind"]
    by_level = (*LEVELS, tuple(_HEADS))
    levels = tuple(tuple(table for name in level for table in found.get(name, ())) for level in by_level)
    names = {CELL: "cell", **{table: name for name, tables in found.items() for table in tables}}
    return Written(tuple(filter(None, levels)), names, constants, frozenset(words), grids)


def _compile_grids(entry: object) -> Iterator[GridShape]:
    """Compile the tables that say which elements are rows and cells. Raises ``TableError``."""
    for rows in tables_in(_GRID, entry, "div.grid"):
        check_names(f"[{_GRID}]", rows, _PARTS_OF_GRIDS, "its rows")
        for row in _PARTS_OF_GRIDS[:3]:
            rows.setdefault(row, "")
        selectors = {}
        for row, css in rows.items():
            if not isinstance(css, str) or not css:
                raise TableError(f"[{_GRID}] {row}: expected a selector, found {css!r}")
            try:
                selectors[row] = Selector(css)
            except TableError as error:
                raise TableError(f"[{_GRID}] {row}: {error}") from error
        yield GridShape(**selectors)


def tables_in(name: str, entry: object, at: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of each table of a name. Raises ``TableError`` for too many, and for what is none."""
    several = entry if isinstance(entry, list) else [entry]
    if len(several) > MOST_TABLES:
        raise TableError(f"[{name}]: expected at most {MOST_TABLES} of these tables, found {len(several)}")
    for rows in several:
        if not isinstance(rows, dict):
            raise TableError(f'[{name}]: expected rows such as at = "{at}", found {rows!r}')
        if len(rows) > _MOST_ROWS:
            raise TableError(f"[{name}]: expected at most {_MOST_ROWS} rows, found {len(rows)}")
        yield rows


def load_tables(written: str) -> dict[str, Any]:
    """Return the entries of a file of tables. Raises ``TableError`` for one that is too long or no TOML."""
    _check_size(written)
    try:
        return tomllib.loads(written)
    except (ValueError, RecursionError) as error:
        raise TableError(f"expected valid TOML: {error}") from error


def check_tables(entries: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Raise ``TableError`` for an unknown table, or if none makes records."""
    check_names("", entries, known, "the tables")
    if not entries.keys() & set(RECORDS):
        raise TableError("expected a table session, talk or item, found none: nothing else becomes a record")


def _check_size(written: str) -> None:
    """Raise ``TableError`` for a file that is too long, or has a key of too many parts."""
    if len(written) > _LONGEST:
        raise TableError(f"expected at most {_LONGEST} characters, found {len(written)}")
    bare = _COMMENT.sub("", _QUOTED.sub("", written))
    if (deep := _DEEP_KEY.search(bare)) is not None:
        line = bare.count("\n", 0, deep.start()) + 1
        raise TableError(f"line {line}: expected a key such as title, found one of more than 20 parts")


def _ignored_everywhere(page: object) -> str:
    """Return the selectors of what is ignored on the whole page, whatever table it belongs to."""
    tables = page if isinstance(page, list) else [page]
    return ", ".join(filter(None, (_ignored_of("page", rows) for rows in tables if isinstance(rows, dict))))


def _ignored_of(name: str, rows: Mapping[str, Any]) -> str:
    """Return what a table ignores, as one selector or a list of them, as one. Raises ``TableError``."""
    entry = rows.get("ignored", "")
    several = [entry] if isinstance(entry, str) else entry
    if not isinstance(several, list) or not all(isinstance(each, str) for each in several):
        raise TableError(f"[{name}] ignored: expected a selector or a list of them, found {entry!r}")
    return ", ".join(filter(None, several))


def _compile(name: str, rows: Mapping[str, Any], words: set[str], ignored: str) -> Elements:
    """Compile one table, and add the fixed words of its patterns."""
    at = rows.get("at", "html" if name == "page" else None)
    for row, kind in (("at", str), ("flat", bool)):
        value = at if row == "at" else rows.get(row, kind())
        if not isinstance(value, kind) or (row == "at" and not value):
            what = "true or false" if kind is bool else "a selector"
            raise TableError(f"[{name}] {row}: expected {what}, found {value!r}")
    own = _ignored_of(name, rows) if name != "page" else ""
    entries = {row: entry for row, entry in rows.items() if row not in _RESERVED}
    constants = {row: _constant(name, row, entry) for row, entry in entries.items() if _is_constant(entry)}
    fields = [_field(name, row, entry, words) for row, entry in entries.items() if row not in constants]
    plain = {each.name for each in fields} | constants.keys()
    in_patterns = {hole for each in fields for pattern in each.patterns for hole in pattern.holes}
    needs = "title" if "title" in in_patterns and "title" not in plain else ""
    if name in {"session", "talk", "item"} and "title" not in plain | in_patterns and name != "session":
        raise TableError(f"[{name}]: expected a row title, or a pattern with {{title}}")
    try:
        return Elements(
            str(at),
            *fields,
            rule=_RULES[name],
            flat=rows.get("flat", False),
            ignored=", ".join(filter(None, (own, ignored))),
            needs=needs if name != "page" else "",
            heads=_HEADS.get(name, ""),
            constants=constants,
        )
    except TableError as error:
        raise TableError(f"[{name}]: {error}") from error


def _field(name: str, row: str, entry: object, words: set[str]) -> Field:
    """Compile one row of a table."""
    where = f"[{name}] {row}"
    parts = {"at": entry} if isinstance(entry, str) else entry
    if not isinstance(parts, dict):
        raise TableError(f"{where}: expected a selector or {{ at = .., as = .. }}, found {entry!r}")
    check_names(where, parts, _PARTS, "its parts")
    selector = parts.get("at", "")
    if not isinstance(selector, str):
        raise TableError(f"{where}: at: expected a selector, found {selector!r}")
    if "lines" in parts:
        return _in_lines(name, row, selector, parts, words)
    check_names(f"[{name}]", {row: None}, (*READERS, *_RESERVED), "its rows")
    often = parts.get("often") or _often(name, row)
    if often not in _OFTEN:
        raise TableError(f"{where}: often: expected one of {', '.join(_OFTEN)}, found {often!r}")
    _add_words(words, parts.get("cut", []))
    read = _with_cut(where, _with_words(where, row, parts), parts.get("cut", []), selector)
    made = _OFTEN[often](row, selector, read)
    is_people = row in {"people", "chairs"}
    if not is_people and (named := {"name", "place"} & parts.keys()):
        raise TableError(f"{where}: {min(named)}: expected in people and chairs only")
    texts = {part: parts.get(part, "") for part in ("joint", "name", "place")}
    if wrong := [part for part, value in texts.items() if not isinstance(value, str)]:
        raise TableError(f"{where}: {wrong[0]}: expected a text, found {texts[wrong[0]]!r}")
    made = replace(made, rule=_rule(name, row), together=parts.get("joint"), are_listed=is_people)
    try:
        for css in filter(None, (selector, texts["name"], texts["place"])):
            Elements("html", replace(made, where=css))  # a wrong selector is named with its row
    except TableError as error:
        raise TableError(f"{where}: {error}") from error
    if texts["place"] and not texts["name"]:
        raise TableError(f"{where}: place: expected a selector name beside it")
    return replace(made, named=NamedPeople(texts["name"], texts["place"]) if texts["name"] else None)


def _is_constant(entry: object) -> bool:
    """True if a row has a value that the page does not print."""
    return isinstance(entry, dict) and "is" in entry


def _constant(name: str, row: str, entry: Mapping[str, Any]) -> Any:  # noqa: ANN401  # what the reader of the field returns
    """Return a value that the page does not print, read as if it did."""
    where = f"[{name}] {row}"
    check_names(f"[{name}]", {row: None}, (*READERS, *_RESERVED), "its rows")
    check_names(where, entry, ("is", "as"), "its parts")
    text = entry["is"]
    value = reader_of(where, READERS[row], entry.get("as", ""))(text) if isinstance(text, str) else None
    if value is None:
        raise TableError(f"{where}: is: expected a valid value, found {text!r}")
    return (value,) if row in {"people", "chairs"} else value


def _with_words(where: str, row: str, parts: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Return the reader of a field, for which some texts stand for others: ``Friday`` for ``2026-06-19``.

    On a clock of twelve hours what is before its first time is in the afternoon.
    """
    read, words = reader_of(where, READERS[row], parts.get("as", "")), parts.get("words", {})
    if "after" in parts:
        read = partial(_read_after, read, first_time(where, parts["after"]))
    if not isinstance(words, dict) or not all(isinstance(each, str) for each in words.values()):
        raise TableError(f'{where}: words: expected texts such as {{ friday = "2026-06-19" }}, found {words!r}')
    if len(words) > _MOST_PATTERNS:
        raise TableError(f"{where}: words: expected at most {_MOST_PATTERNS} texts, found {len(words)}")
    known = {text.casefold(): word for text, word in words.items()}
    return (lambda value: read(known.get(value.casefold(), value))) if known else read


def _read_after(read: Callable[[Any], Any], after: time, value: object) -> Any:  # noqa: ANN401  # what the reader returns
    """Read times on a clock of twelve hours."""
    return not_before(after, read(value))


def _with_cut(where: str, read: Callable[[Any], Any], cut: object, selector: str) -> Callable[[Any], Any]:
    """Return a reader of texts without what is cut off, and of parts of elements without separators around them."""
    if not isinstance(cut, list) or not all(isinstance(each, str) and each for each in cut):
        raise TableError(f"{where}: cut: expected a list of texts, found {cut!r}")
    if len(cut) > _MOST_PATTERNS:
        raise TableError(f"{where}: cut: expected at most {_MOST_PATTERNS} texts, found {len(cut)}")
    is_part = re.search(r"::(?:text|tail)\s*(?:,|$)", selector) is not None
    if not cut and not is_part:
        return read

    def read_cut(value: str) -> Any:  # noqa: ANN401
        """Read what is left of a text."""
        left = without_ends(without_separators(value) if is_part else value, cut)
        return read(left) if left else None

    return read_cut


def _rule(name: str, row: str) -> Rule:
    """Return the rule of a row, whose name says which it is."""
    rule = _RULES[name]
    return Rule(f"{name} {row}", rule.line_class, rule.level)


def _often(name: str, row: str) -> str:
    """Return how often a field is expected: a title once, people any number of times, all others at most once."""
    if row == "title" and name != "page":
        return "one"
    return "many" if row in {"people", "chairs"} else "maybe"


def reader_of(where: str, readers: Mapping[str, Callable[[Any], Any]], way: object) -> Callable[[Any], Any]:
    """Return the reader of a field in the way that ``as`` names. Raises ``TableError``."""
    if not isinstance(way, str) or way not in readers:
        ways = [each for each in readers if each]
        expected = f"one of {', '.join(ways)}" if ways else "nothing: it is read in one way"
        raise TableError(f"{where}: as: expected {expected}, found {way!r}")
    return readers[way]


def _in_lines(name: str, row: str, selector: str, parts: Mapping[str, Any], words: set[str]) -> Field:
    """Compile a row with patterns; ``as`` then names a reader for each field that needs one."""
    where = f"[{name}] {row}"
    lines, ways = parts["lines"], parts.get("as", {})
    if not isinstance(lines, list) or not all(isinstance(each, str) for each in lines) or not lines:
        raise TableError(f"{where}: lines: expected a list of patterns, found {lines!r}")
    if len(lines) > _MOST_PATTERNS:
        raise TableError(f"{where}: lines: expected at most {_MOST_PATTERNS} patterns, found {len(lines)}")
    if not isinstance(ways, dict):
        raise TableError(f'{where}: as: expected readers by field, such as {{ day = "day_month" }}, found {ways!r}')
    patterns = compile_patterns(f"{where}: lines", lines, tuple(READERS))
    holes = {hole for pattern in patterns for hole in pattern.holes if hole}
    check_names(where, ways, tuple(holes), "its holes")
    _add_words(words, [text for pattern in patterns for text in pattern.words])
    made = in_lines(
        row, selector, patterns, {hole: reader_of(where, READERS[hole], ways.get(hole, "")) for hole in holes}
    )
    return replace(made, rule=_rule(name, row))


def compile_patterns(where: str, written: Sequence[str], known: tuple[str, ...]) -> tuple[Pattern, ...]:
    """Compile patterns whose holes are ``known`` fields. Raises ``TableError``."""
    try:
        made = parse_patterns(written)
    except PatternError as error:
        raise TableError(f"{where}: {error}") from error
    check_names(where, dict.fromkeys(hole for each in made for hole in each.holes if hole), known, "fields")
    return made


def first_time(where: str, entry: object) -> time:
    """Compile the first time of day of a programme. Raises ``TableError``."""
    found = wall_clock(entry) if isinstance(entry, str) else None
    if found is None or not where.endswith(" times"):
        raise TableError(f'{where}: after: expected a time of day such as "07:00", of times, found {entry!r}')
    return found


def _add_words(words: set[str], texts: object) -> None:
    """Add the words of labels, which are published nowhere."""
    for each in texts if isinstance(texts, list) else ():
        words.update(re.findall(r"[^\W\d_]+", str(each)))


def check_kind(where: str, kind: object, kinds: tuple[str, ...]) -> None:
    """Raise ``TableError`` for a kind that there is not."""
    if kind not in kinds:
        advice = '; a poster is a paper with type = { is = "Poster" }' if kind == "poster" else ""
        raise TableError(f"{where} kind: expected one of {', '.join(kinds)}, found {kind!r}{advice}")


def check_names(where: str, entries: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """Raise ``TableError`` for an unknown name, with the nearest known one."""
    for name in entries:
        if name not in known:
            near = get_close_matches(name, known, 1)
            guess = f"; did you mean {near[0]!r}?" if near else ""
            lead = f"{where}: " if where else ""
            raise TableError(f"{lead}expected {what} {', '.join(known)}, found {name!r}{guess}")


def people_in(value: object) -> Iterator[Any]:
    """Yield the people of a field: those of one text, or of several."""
    for each in value if isinstance(value, tuple) else ():
        if isinstance(each, tuple) and not hasattr(each, "name"):
            yield from each
        else:
            yield each
