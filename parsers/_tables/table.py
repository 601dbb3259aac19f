"""Fields by table: where each is, how often, and its reader; reading a field claims it.

For a page, a table names elements by CSS selectors (``selectors``), for data keys by their paths (``keys``)::

    ROOM = Elements("h3", one("room"), flat=True)  # flat: owns the elements after it, up to the next one
    TALK = Elements("tr.talk", one("title", "td strong"), maybe("starts", ".time", clock), many("tags", ".tag"))
    for found in read_elements(page, ROOM, TALK):  # in page order; found["title"], found.inside["room"]

A reader takes the text of an element (with ``::text`` the text before its first child, with ``::tail`` the text behind
its end tag, with ``::raw`` all of it with its line breaks, with ``::attr(name)`` an attribute) or the value of a key,
never a blank one, and returns None for a value that it cannot read. What is listed elsewhere and named by its id, a
speaker as ``#speaker-12``, has the reader ``by_id("speakers")``, which gives the fields of what is listed there::

    SPEAKER = Elements("div.speaker", one("id", "::attr(id)"), one("name", "h3"), lists="speakers")
    TALK = Elements("li", one("title", "b"), many("people", "a::attr(href)", by_id("speakers")))

    SPEAKER = Keys(one("id", read=identifier), one("name"))
    EVENT = Keys(one("title"), many("people", "speakers", by_id("speakers")))
    values = EVENT.read(data.open_item(value, place), speakers=listed_at(data, "speakers[]", SPEAKER))

Several selectors, separated by commas, each have a part of their own: ``a.name::text, td::attr(data-name)``. An
optional field that cannot be read, is found too often, or is an element of XML whose children have a text each, is
None: its text stays unclaimed, so the account reports it, and the item has a note (``notes``). So it is where only a
part of a list could be read. One of a group twice in a row and markup of XML without a text are doubtful. An item
without a valid value for a required field, or with two, is a reject; so what is inside it has a note, too. The meaning
of a source's fields does not belong here, nor the ledgers (``parsers._ledger``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from lxml import etree

from parsers._ledger.elements import last_line_of, line_of, text_of
from parsers._ledger.fields import FieldError, MissingError
from parsers._ledger.lines import LineClass, Rule, record_rule
from parsers._ledger.page import Page
from parsers._tables.grids import PlacedCell, TableGrid, head_cells
from parsers._tables.patterns import Pattern, PrintedLine, lines_of, match_lines
from parsers._tables.readers import identifier, text, without_separators
from parsers._tables.rows import GridShape, Tables
from parsers._tables.selectors import Part, Selector, TableError, split, text_of_part
from parsers._words.people import SEPARATOR, Partly, without_marks
from schemas.items import Person, Reject

Reader = Callable[[Any], Any]
Listed = Mapping[str, Mapping[str, Any]]
"""What a page lists by id, each with its fields."""

UNREAD: Final = "field_unread"
_DOUBTFUL: Final = "value_doubtful"
_REJECTED_AROUND: Final = "around_rejected"
_EMPTY: Final = frozenset(("br", "hr", "img", "wbr"))
"""Tags of markup that never has a text."""
_MANY: Final = 1_000_000
_RULE: Final = record_rule("item")
_REJECTED: Final = {error.reason: Rule(error.reason, LineClass.REJECTED) for error in (FieldError, MissingError)}


@dataclass(frozen=True, slots=True)
class ById:
    """The reader of an id, or of an anchor such as ``#speaker-12``: what the page lists under it."""

    lists: str

    def __call__(self, value: object) -> Mapping[str, Any] | None:
        """Raise ``TableError``: the lists of the page were not given."""
        raise TableError(f"expected the list {self.lists!r} for {value!r}, found none: read(.., {self.lists}=..)")


def by_id(lists: str) -> ById:
    """Declare a value that is the id of something listed elsewhere; an unknown id is a value that cannot be read."""
    return ById(lists)


def index_by_id(found: Iterable[Mapping[str, Any]]) -> Listed:
    """Return what a page lists by its field ``id``; an id that two have is that of neither."""
    listed: dict[str, Mapping[str, Any]] = {}
    twice: set[str] = set()
    for values in found:
        if listed.setdefault(values["id"], values) != values:
            twice.add(values["id"])
    return {name: values for name, values in listed.items() if name not in twice}


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name, where it is, its reader, and how often it occurs; a group has its fields in ``inside``."""

    name: str
    where: str
    read: Reader
    least: int
    most: int
    inside: tuple[Field, ...] = ()
    flat: bool = False
    ignored: str = ""
    joint: str | None = None
    """What stands between the values, if they become one text."""
    patterns: tuple[Pattern, ...] = ()
    readers: Mapping[str, Reader] = field(default_factory=dict)
    """Of the lines of its elements, which have several fields."""
    rule: Rule | None = None
    """What claims it, if not the rule of its table."""
    together: str | None = None
    """What stands between the texts of its elements, if they are read as one text."""
    named: NamedPeople | None = None
    """Of people: where in its elements their names and places are."""
    are_listed: bool = False
    """True if what stands between its elements only separates them: commas, ``and``."""

    def reader(self, lists: Mapping[str, Listed]) -> Reader:
        """Return the reader, with what the page lists."""
        if not isinstance(self.read, ById) or self.read.lists not in lists:
            return self.read
        found = lists[self.read.lists]
        return lambda value: found.get((identifier(value) or "").rpartition("#")[2])

    def value_of(self, values: Sequence[Any]) -> Any:  # noqa: ANN401  # what the reader of the field returns
        """Return the value of the field from what was read."""
        if self.joint is not None:
            return self.joint.join(dict.fromkeys(values)) or None
        return tuple(values) if self.most > 1 else values[0] if values else None


@dataclass(frozen=True)
class NamedPeople:
    """Where names and places of people are in an element; a place is that of the name before it. ``TableError``."""

    name: str
    place: str = ""

    @cached_property
    def _places(self) -> list[tuple[bool, Selector, Part]]:
        """The compiled selectors, those of names with True."""
        wheres = [(True, self.name), *([(False, self.place)] if self.place else [])]
        return [(is_name, *place) for is_name, where in wheres for place in split(where)]

    def read(self, element: etree._Element) -> tuple[list[Person], list[tuple[etree._Element, Part]], bool]:
        """Return the people in an element, the texts that were read, and True if there are others."""
        order = {inner: number for number, inner in enumerate(element.iter())}
        found = [
            (order[inner], part is not None and part["tail"] is not None, is_name, inner, part)
            for is_name, selector, part in self._places
            for inner in (selector.find(element) if selector.css else [element])
            if inner in order and text_of_part(inner, part)
        ]
        people: list[Person] = []
        read: list[tuple[etree._Element, Part]] = []
        for _, _, is_name, inner, part in sorted(found, key=lambda each: each[:2]):
            text = without_separators(text_of_part(inner, part))
            if is_name and (name := without_marks(text)):
                people.append(Person(name))
            elif not is_name and people and people[-1].affiliation is None:
                people[-1] = people[-1]._replace(affiliation=text.strip("() ") or None)
            else:
                continue
            read.append((inner, part))
        return people, read, len(read) < len(found)


def one(name: str, where: str = "", read: Reader = text) -> Field:
    """Declare a field that a record must have.

    Without ``where`` it is the element of the table itself, or the key of the same name.
    """
    return Field(name, where, read, 1, 1)


def maybe(name: str, where: str = "", read: Reader = text) -> Field:
    """Declare an optional field."""
    return Field(name, where, read, 0, 1)


def many(name: str, where: str = "", read: Reader = text) -> Field:
    """Declare a field that occurs any number of times; its value is a tuple. The value of a key is then a list."""
    return Field(name, where, read, 0, _MANY)


def joined(name: str, where: str, joint: str, read: Reader = text) -> Field:
    """Declare a field of texts that become one, each once, such as ``joined("track", ".track", " / ")``; or None."""
    return Field(name, where, read, 0, _MANY, joint=joint)


def each(name: str, where: str, *inside: Field, flat: bool = False, ignored: str = "") -> Field:
    """Declare a group that occurs any number of times; its value is a tuple of the values of its fields."""
    return Field(name, where, text, 0, _MANY, inside, flat, ignored)


def in_lines(name: str, where: str, patterns: Iterable[Pattern], readers: Mapping[str, Reader]) -> Field:
    """Declare several fields in the lines of elements: the holes of the patterns, each with the reader of its name."""
    return Field(name, where, text, 0, _MANY, patterns=tuple(patterns), readers=readers)


_Claim = tuple[Field, etree._Element | PrintedLine, Part]
"""What a field has read: an element or its part, or a line."""


class Elements:
    """The elements that are items of one kind, with their fields; ``rule`` claims the fields that are read.

    ``flat`` elements own the elements after them on the same level, up to the next flat one. Elements that the
    selector ``ignored`` finds are known and not needed. ``lists`` names the list that they are for ``by_id``; it needs
    a field ``id``. ``needs`` names a field that one of the patterns ``in_lines`` must give. ``heads`` says that they
    are the heads of a grid, those of ``columns`` or of ``rows``, or the tables whose first row or column these are.
    ``constants`` are values of fields that the page does not print. Raises ``TableError``.
    """

    def __init__(  # noqa: PLR0913  # the declaration of a table
        self,
        selector: str,
        *fields: Field,
        rule: Rule = _RULE,
        flat: bool = False,
        ignored: str = "",
        lists: str = "",
        needs: str = "",
        heads: str = "",
        constants: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Compile the selectors of the elements and of their fields."""
        self.rule = rule
        self.heads = heads
        self.constants = constants
        self.needs = needs
        self.lists = lists
        self.selector = Selector(selector)
        self.ignored = Selector(ignored).each()
        self.flat = flat
        self.fields = [each for each in fields if not each.inside and not each.patterns]
        self.in_lines = [each for each in fields if each.patterns]
        self.places = [(each, *place) for each in (*self.fields, *self.in_lines) for place in split(each.where)]
        self.groups = {
            each.name: Elements(each.where, *each.inside, rule=rule, flat=each.flat, ignored=each.ignored)
            for each in fields
            if each.inside
        }

    def all(self, around: etree._Element, tables: Tables | None = None) -> list[etree._Element]:
        """Return the elements of the table inside another one, or that one itself."""
        found = self.selector.find(around)
        if not self.heads:
            return found
        return [head for each in found for head in head_cells(each, self.heads, tables or Tables())]


class GridCell(NamedTuple):
    """A cell of a grid as something around what it holds: the heads that hold for it (``grids``)."""

    cell: PlacedCell
    rows: tuple[tuple[Match, ...], ...]
    columns: tuple[tuple[Match, ...], ...]
    below: tuple[Match, ...]
    """The heads of the row behind it, if the rows of the grid show how long something is."""
    beside: tuple[Match, ...]
    shared: frozenset[Match]
    """The heads that hold for other rows or columns, too."""
    crossed: frozenset[Match]
    """The heads of columns that it reaches across, while other cells part these."""


@dataclass(slots=True, eq=False)
class Match:
    """An element of a table with the values of its fields, and the element of an outer table that contains it.

    A cell of a grid is one of no fields, between the elements that it holds and those around it.
    """

    table: Elements
    element: etree._Element
    inside: Match | None
    level: int
    values: dict[str, Any] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    """Texts in the lines of elements that are known and not needed."""
    grid_cell: GridCell | None = None
    grid: etree._Element | None = None
    """Of a head, the table that it is in."""
    _doubts: set[str] = field(default_factory=set)
    _parts: dict[str, list[tuple[etree._Element, Part, str]]] = field(default_factory=dict)
    _groups: dict[Elements, list[Match]] = field(default_factory=dict)
    _ignored: list[tuple[etree._Element, str]] = field(default_factory=list)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # what the reader of the field returns
        """Return the value of a field; None if it is missing or could not be read."""
        return self.values.get(name)

    def around(self) -> dict[str, Any]:
        """Return the values of the fields with those of the elements around it; the inner ones win."""
        return {**(self.inside.around() if self.inside else {}), **self.values}

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes for a record that is made of the element: on what it and the elements around it do not give."""
        return tuple(sorted(self._doubts.union(self.inside.notes if self.inside else ())))

    @property
    def lines(self) -> tuple[int | None, int | None]:
        """The first and the last line of the element."""
        return line_of(self.element), last_line_of(self.element)

    def add(self, name: str, element: etree._Element, part: Part) -> None:
        """Keep the text of a field until it is read."""
        if text := text_of_part(element, part):
            self._parts.setdefault(name, []).append((element, part, text))

    def ignore(self, element: etree._Element, css: str) -> None:
        """Keep an element that is known and not needed, with the selector that says so."""
        self._ignored.append((element, css))

    def add_group(self, found: Match) -> None:
        """Keep an element of a group until it is read."""
        self._groups.setdefault(found.table, []).append(found)

    def read(
        self, page: Page, lists: Mapping[str, Listed], owned: Collection[etree._Element] = ()
    ) -> FieldError | None:
        """Read the fields and claim those that could be read; claims nothing and returns why, if one is missing.

        ``owned`` are the elements of all tables, which are no part of the lines of those around them.
        """
        claims: list[_Claim] = []
        try:
            self._read(claims, lists, is_data=page.is_data)
            self._read_lines(claims, owned)
        except FieldError as error:
            return error
        for wanted, what, part in claims:
            rule = wanted.rule or self.table.rule
            if isinstance(what, PrintedLine):
                what.claim(page, rule)
            elif part is None or part["attribute"] is None:
                _claim_of(page, part)(what, rule)
                if wanted.are_listed and part is None:
                    _claim_separator(page, what, rule)
        for wanted in self.table.fields:
            for element, _, _ in self._parts.get(wanted.name, ()) if wanted.named else ():
                _claim_separator(page, element, wanted.rule or self.table.rule)
        for found in (self, *self._inner()):
            for element, css in found._ignored:
                page.ignore(element, css)
        return None

    def _inner(self) -> Iterator[Match]:
        """Yield the elements of the groups."""
        for group in self._groups.values():
            for found in group:
                yield found
                yield from found._inner()

    def _read_lines(self, claims: list[_Claim], owned: Collection[etree._Element]) -> None:
        """Read the fields that stand in the lines of elements; a line that no pattern fits is left."""
        for wanted in self.table.in_lines:
            for element, part, _ in self._parts.get(wanted.name, ()):
                lines = list(lines_of(element, owned) if part is None else _lines_of_part(element, part))
                filled = [name for name, value in self.values.items() if value]
                before = len(claims)
                fitting = list(match_lines(lines, wanted.patterns, wanted.readers, filled))
                for line, values in fitting:
                    self.dropped += values.pop("", [])
                    self.values |= values
                    if not any(isinstance(value, Partly) for value in values.values()):
                        claims.append((wanted, line, None))
                if len(claims) - before < len(lines):
                    self._doubts.add(UNREAD)
        if self.table.needs and not self.values.get(self.table.needs):
            raise MissingError(f"{self.table.needs}: expected a line with it, found none")

    def _read(self, claims: list[_Claim], lists: Mapping[str, Listed], *, is_data: bool) -> None:
        """Read the fields, also those of groups, and collect claims for those that could be read."""
        self.values |= self.table.constants
        for wanted in self.table.fields:
            places = self._parts.get(wanted.name, [])
            if wanted.named is not None or (wanted.together is not None and places):
                self._read_several(wanted, wanted.named, places, claims)
                continue
            if len(places) > wanted.most and not wanted.least:
                self._doubts.add(UNREAD)
                places = []  # which of the texts is right is not guessed
            check_count(wanted, len(places))
            values = list(self._values_of(wanted, places, claims, lists, is_data=is_data))
            self.values[wanted.name] = wanted.value_of(values)
        for name, group in self.table.groups.items():
            inside = self._groups.get(group, [])
            if any(_is_same(found.element, after.element) for found, after in pairwise(inside)):
                self._doubts.add(_DOUBTFUL)
            for found in inside:
                found._read(claims, lists, is_data=is_data)
                self._doubts |= found._doubts
            self.values[name] = tuple(found.values for found in inside)

    def _read_several(
        self,
        wanted: Field,
        named: NamedPeople | None,
        places: Sequence[tuple[etree._Element, Part, str]],
        claims: list[_Claim],
    ) -> None:
        """Read a field whose value stands in several elements: people with their places, or the parts of one text."""
        if named is not None:
            people: list[Person] = []
            for element, _, _ in places:
                found, read, has_others = named.read(element)
                people += found
                claims += [(wanted, inner, part) for inner, part in read]
                if has_others:
                    self._doubts.add(UNREAD)
            self.values[wanted.name] = tuple(people)
            return
        text = (wanted.together or "").join(printed for _, _, printed in places)
        value = wanted.read(text)
        self.values[wanted.name] = wanted.value_of([] if value is None else [value])
        if value is not None:
            claims += [(wanted, element, part) for element, part, _ in places]
        elif wanted.least:
            raise FieldError(f"{wanted.name}: expected a valid value in {wanted.where!r}, found {text[:100]!r}")
        if value is None or isinstance(value, Partly):
            self._doubts.add(UNREAD)

    def _values_of(
        self,
        wanted: Field,
        places: Sequence[tuple[etree._Element, Part, str]],
        claims: list[_Claim],
        lists: Mapping[str, Listed],
        *,
        is_data: bool,
    ) -> Iterator[Any]:
        """Yield the values of a field, and collect claims for those that could be read as a whole."""
        read = wanted.reader(lists)
        for element, part, printed in places:
            value = None if is_data and part is None and _holds_several(element) else read(printed)
            if value is None and wanted.least:
                place = f" in {wanted.where!r}" if wanted.where else ""
                raise FieldError(f"{wanted.name}: expected a valid value{place}, found {printed[:100]!r}")
            if value is not None:
                yield value
            if is_data and part is not None and part["raw"] and _has_lost_text(element):
                self._doubts.add(_DOUBTFUL)
            is_printed = part is None or part["attribute"] is None
            if value is None or isinstance(value, Partly):
                self._doubts |= {UNREAD} if is_printed or isinstance(wanted.read, ById) else set()
            elif is_printed:
                claims.append((wanted, element, part))


def read_elements(
    page: Page, *levels: Elements | Sequence[Elements], grids: Sequence[GridShape] = ()
) -> Iterator[Match | Reject]:
    """Yield the elements of the tables, outer tables first, in page order; a reject for one that lacks a field.

    Tables in a sequence are on one level, such as two layouts of a session: none of them is inside another.
    What is named by its id is read first, and yielded in its place.
    A field belongs to the nearest element of a table or group around it, or to the flat element before that. ``grids``
    are those that no tables are. Every selector runs once per page.
    """
    sides = [(level,) if isinstance(level, Elements) else tuple(level) for level in levels]
    tables = [table for side in sides for table in side]
    on_page = Tables(page.content, grids)
    found = _Owners(page.content, list(_with_groups(sides)), on_page).found
    _Grids(found, on_page)
    items = [item for item in found.values() if item.table in tables]
    listed = {item: item.read(page, {}) for item in items if item.table.lists}
    lists = {
        table.lists: index_by_id(item.values for item, error in listed.items() if item.table is table and error is None)
        for table in tables
    }
    rejected: set[Match] = set()
    for item in items:
        while item.inside in rejected:  # its contents are good all the same
            item._doubts.add(_REJECTED_AROUND)
            item.inside = item.inside.inside if item.inside else None
        error = listed[item] if item in listed else item.read(page, lists, found)
        if error is None:
            yield item
        else:
            rejected.add(item)
            page.claim(item.element, _REJECTED[error.reason])
            yield Reject(*item.lines, text_of(item.element), error.reason, str(error))


class _Owners:
    """The elements of the tables and groups of a page, in page order, each with the elements of its fields."""

    def __init__(self, content: etree._Element, sides: Sequence[Sequence[Elements]], on_page: Tables) -> None:
        """Run every selector once, then assign the elements found to those that contain them, level by level."""
        self._on_page = on_page
        self.found: dict[etree._Element, Match] = {}
        self._flat: dict[etree._Element | None, list[Match]] = {}  # by the element around them, outer ones first
        levels: dict[etree._Element, tuple[int, Elements]] = {}
        parts: dict[etree._Element, list[tuple[Elements, Field | Selector, Part]]] = {}
        found: dict[str, list[etree._Element]] = {}
        for level, table in ((level, table) for level, side in enumerate(sides) for table in side):
            at = table.all(content, on_page)
            levels |= {element: (level, table) for element in at if levels.get(element, (-1,))[0] < level}
            ignored: list[tuple[Field | Selector, Selector, Part]] = [(each, each, None) for each in table.ignored]
            for own, selector, part in (*table.places, *ignored):
                if selector.css not in found:
                    found[selector.css] = selector.find(content)
                for element in found[selector.css]:
                    parts.setdefault(element, []).append((table, own, part))
        for element in content.iter():
            if element in levels:
                level, table = levels[element]
                self._add(Match(table, element, None, level))
            for table, wanted, part in parts.get(element, ()):
                owner = self._nearest(element, len(sides))
                if owner is None or owner.table is not table:
                    continue
                if isinstance(wanted, Field):
                    owner.add(wanted.name, element, part)
                else:
                    owner.ignore(element, wanted.css)

    def _add(self, item: Match) -> None:
        """Add an element of a table to the one that contains it."""
        outer = item.inside = self._nearest(item.element, item.level)
        self.found[item.element] = item
        is_group = outer is not None and item.table in outer.table.groups.values()
        if outer is not None and is_group:
            outer.add_group(item)
        if item.table.flat:  # one person alone in a row is no heading of what follows the row
            element = item.element if is_group else _alone(item.element, self._on_page)
            above = self._flat.setdefault(element.getparent(), [])
            above[:] = [*(one for one in above if one.level < item.level), item]
        for own, selector, part in item.table.places:
            if not selector.css:
                item.add(own.name, item.element, part)

    def _nearest(self, element: etree._Element | None, below: int) -> Match | None:
        """Return the nearest element of a table around an element, or flat before it, on a level above ``below``."""
        while element is not None:
            if element in self.found and self.found[element].level < below:
                return self.found[element]
            around = element.getparent()
            if flat := [one for one in self._flat.get(around, ()) if one.level < below]:
                return flat[-1]
            element = around
        return None


class _Grids:
    """The cells of the grids of a page, put between what they hold and what is around them; an empty one is none.

    Raises ``FieldError`` for hostile tables.
    """

    def __init__(self, found: dict[etree._Element, Match], on_page: Tables) -> None:
        """Find the tables that have heads, and put their cells around what they hold."""
        self._on_page = on_page
        self._cells: dict[etree._Element, GridCell] = {}
        self._used: dict[tuple[etree._Element, Match | None], Match] = {}
        self._found = found
        self._place()
        for element in [each for each in found if each in self._cells and not text_of(each)]:
            del found[element]
        before = {item: item.inside for item in found.values() if self._cells and not item.table.heads}
        for item in before:
            item.inside = self._enter(item.element, self._outside(item, before), item.level)

    def _outside(self, item: Match, before: Mapping[Match, Match | None]) -> Match | None:
        """Return what was found around an item, but for flat cells before it: they own those below them."""
        outer = before[item]
        while outer is not None and outer.table.flat and outer.element in self._cells:
            if self._cell_of(item.element) is outer.element:
                break
            outer = before.get(outer, outer.inside)
        return outer

    def _place(self) -> None:
        """Place the cells of each table that has heads."""
        heads: dict[etree._Element, dict[str, dict[etree._Element, Match]]] = {}
        for item in self._found.values():
            cell = self._on_page.cell_around(item.element) if item.table.heads else None
            if cell is not None and (table := self._on_page.table_of(cell)) is not None:
                item.grid = table
                heads.setdefault(table, {}).setdefault(item.table.heads, {})[cell] = item
        owning = {item.element: item.level for item in self._found.values() if item.table.flat}
        others = (item.element for item in self._found.values() if not item.table.heads)
        filled = {self._on_page.cell_around(element) for element in others}
        for table, each in heads.items():
            columns, rows = each.get("columns", {}), each.get("rows", {})
            above, left = ({cell: item.table for cell, item in side.items()} for side in (columns, rows))
            grid = TableGrid(table, above, left, owning, self._on_page)
            grid.find_crossed(filled)
            self._add(grid, {**columns, **rows})

    def _add(self, grid: TableGrid, heads: Mapping[etree._Element, Match]) -> None:
        """Add the cells of a grid."""
        down, along = grid.spans_rows(), grid.spans_columns()

        def matches(each: Sequence[etree._Element]) -> tuple[Match, ...]:
            """Return the heads in some cells."""
            return tuple(heads[head] for head in each)

        for element, cell in grid.cells.items():
            self._cells[element] = GridCell(
                cell,
                tuple(map(matches, cell.rows)),
                tuple(map(matches, cell.columns)),
                matches(cell.below) if down else (),
                matches(cell.beside) if along else (),
                frozenset(matches(cell.shared)),
                frozenset(matches(cell.crossed)),
            )

    def _cell_of(self, element: etree._Element | None) -> etree._Element | None:
        """Return the cell or row of a grid that an element is in, or is."""
        while element is not None and element not in self._cells:
            element = element.getparent()
        return element

    def _enter(self, element: etree._Element | None, inside: Match | None, level: int) -> Match | None:
        """Return what is around an element: the cell that holds it, if that is nearer than ``inside``."""
        cell = self._cell_of(element)
        if cell is None or (inside is not None and self._cell_of(inside.element) is cell):
            return inside
        above = (self._found[each] for each in self._cells[cell].cell.owners if each in self._found)
        owner = next((each for each in reversed(list(above)) if each.level < level), None)
        if (cell, owner) not in self._used:
            row = self._on_page.row_of(cell)  # whose heads the cell has itself
            outer = owner or self._enter((cell if row is None else row).getparent(), inside, level)
            made = self._used[cell, owner] = Match(CELL, cell, outer, 0, grid_cell=self._cells[cell])
            if self._cells[cell].cell.is_odd:
                made._doubts.add(_DOUBTFUL)
        return self._used[cell, owner]


def _alone(element: etree._Element, on_page: Tables) -> etree._Element:
    """Return the outermost element that holds nothing but an element: a heading may stand in a row of its own."""
    while (around := element.getparent()) is not None and around.tag != "body" and not on_page.is_cell(around):
        between = (around.text, *(each.tail for each in around))
        if len(around) > 1 or any(text and not text.isspace() for text in between):
            break
        element = around
    return element


def _with_groups(sides: Iterable[Sequence[Elements]]) -> Iterator[Sequence[Elements]]:
    """Yield the tables of each level and the groups inside them, from the outside in."""
    for side in sides:
        yield side
        yield from _with_groups((group,) for table in side for group in table.groups.values())


def _is_same(element: etree._Element, other: etree._Element) -> bool:
    """True if two elements have the same tag, attributes and text: one person, printed twice in a row."""
    return (
        element.tag == other.tag
        and element.attrib == other.attrib
        and "".join(element.itertext()).split() == "".join(other.itertext()).split()  # type: ignore[arg-type]
    )


def _has_lost_text(element: etree._Element) -> bool:
    """True if an element inside a text of data is empty: ``<b></b>`` marks nothing, so something is gone."""
    inside = (inner for inner in element.iterdescendants(tag="*") if inner.tag not in _EMPTY)
    return any(not len(inner) and not (inner.text or "").strip() for inner in inside)


def _holds_several(element: etree._Element) -> bool:
    """True if an element holds several texts, each in one of its own: of data, all together is no value.

    Text between them makes it one text with markup, which ``::raw`` reads as it is.
    """
    between = (element.text, *(each.tail for each in element))
    if len(element) < 2 or any(text and not text.isspace() for text in between):
        return False
    return sum(bool(text_of(each)) for each in element) > 1


def _claim_of(page: Page, part: Part) -> Callable[[etree._Element, Rule], None]:
    """Return what claims a part of an element's text."""
    if part is None or part["raw"]:
        return page.claim
    return page.claim_tail if part["tail"] else page.claim_opening


def _claim_separator(page: Page, element: etree._Element, rule: Rule) -> None:
    """Claim what stands behind an element of a list, or behind one around it alone, if it only separates."""
    while not (element.tail or "").strip() and (around := element.getparent()) is not None:
        if element.getnext() is not None or element.getprevious() is not None or (around.text or "").strip():
            return
        element = around
    if SEPARATOR.fullmatch(element.tail or ""):
        page.claim_tail(element, rule)


def _lines_of_part(element: etree._Element, part: re.Match[str]) -> Iterator[PrintedLine]:
    """Yield the line of a text before or behind children, or those of an attribute, which nobody accounts for."""
    if part["attribute"] is None:
        yield PrintedLine(text_of_part(element, part), (("tail" if part["tail"] else "opening", element),))
        return
    for line in (element.get(part["attribute"]) or "").splitlines():
        if text := " ".join(line.split()):
            yield PrintedLine(text, ())


def check_count(wanted: Field, count: int) -> None:
    """Raise ``FieldError`` if a field occurs too often or not often enough."""
    if count < wanted.least:
        raise MissingError(f"{wanted.name}: expected {repr(wanted.where) if wanted.where else 'a text'}, found none")
    if count > wanted.most:
        raise FieldError(f"{wanted.name}: expected {wanted.where!r} at most once, found {count}")


CELL: Final = Elements("td, th")
"""The table of the cells of grids."""
