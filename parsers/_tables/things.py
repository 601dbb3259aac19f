"""The things that tables find in data, with their fields, and the account of what nobody has read.

A field is read by the first of its paths that has a value. Reading is the claim: what no reader could read is told. So
are things that nothing names by their id, and elements of lists that are no objects. What the tables mean does not
belong here (``path_tables``), nor what records are made of the things (``made``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, Final

from parsers._ledger.fields import FieldError, MissingError, as_written, shown
from parsers._tables.path_tables import (
    NUMBERED,
    PEOPLE,
    SEVERAL,
    FieldRow,
    PathList,
    PathTable,
    PathTables,
    read_hole,
)
from parsers._tables.paths import DataFile, Node, Path, Walk, is_blank, is_one_of, text_of
from parsers._tables.readers import address, html_text, not_before, without_ends
from parsers._tables.written import LEVELS, RECORDS
from parsers._words.people import Partly, is_mail, people_of, without_marks
from parsers._words.text import is_relative, without_markup
from schemas.items import Link, Person, Reject

_UNREAD: Final = "field_unread"
_WHEN: Final = ("day", "times", "starts", "ends", "duration", "end_day")
_LEVEL: Final = {name: number for number, level in enumerate(LEVELS) for name in level}


@dataclass(slots=True, eq=False)
class Thing:
    """A thing with the values of its fields, and the thing of an outer table around it."""

    table: PathTable
    node: Node
    place: int
    lines: tuple[int, int]
    inside: Thing | None
    values: dict[str, Any] = field(default_factory=dict)
    doubts: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # what the reader of the field returns
        """Return the value of a field; None if it is missing or could not be read."""
        return self.values.get(name)

    def outwards(self) -> Iterator[Thing]:
        """Yield the thing and those around it."""
        thing: Thing | None = self
        while thing is not None:
            yield thing
            thing = thing.inside

    def nearest(self, name: str) -> Any:  # noqa: ANN401  # what the reader of the field returns
        """Return the value of a field from the nearest thing that has it."""
        return next((value for each in self.outwards() if (value := each[name]) is not None), None)


def _conditions(table: PathTable) -> Iterator[Path]:
    """Yield the paths of the conditions of a table."""
    steps = (step for path in table.paths for step in path.steps)
    return (step.condition for step in steps if step.condition is not None)


class ThingReader:
    """Reads the things of data by tables."""

    def __init__(self, walk: Walk, tables: PathTables) -> None:
        """Find what is named by ids."""
        self.walk = walk
        self.tables = tables
        self.things: list[Thing] = []
        self.rejects: list[Reject] = []
        self._by_way: dict[tuple[int, ...], Thing] = {}
        self._beside: dict[int, list[Thing]] = {}
        self._flat: dict[tuple[int, int], list[tuple[int, Thing]]] = {}
        """The things that own what follows them, with their places, by the ``id`` of their list and their level."""
        self._firsts: dict[tuple[int, int, tuple[str, ...]], Thing] = {}
        """The first thing that has some values of its own, by its table and the thing around it."""
        self._collected: dict[tuple[Thing, str], dict[Any, None]] = {}
        """What all rows of a thing list, in order."""
        self._page: Thing | None = None
        for each in tables.lists:
            self._list(each)
        self._places = Counter[DataFile | None]()
        self._find()
        for (thing, name), values in self._collected.items():
            thing.values[name] = _each_once(values) or None
        talks = (thing for thing in self.things if thing.table.name == "talk")
        self.with_talks = {outer for thing in talks for outer in thing.outwards() if outer is not thing}
        self._reject_broken()
        walk.around |= {
            (file, thing.place) for thing in self.with_talks if (file := thing.node.file) and not file.data.lines
        }
        walk.close()

    def _find(self) -> None:
        """Find the things of all tables, then what is left out of them."""
        left_out: list[tuple[PathTable, Node]] = []
        for table in self.tables.tables:
            for path in table.paths:
                for node in self.walk.find(self.walk.root, path, of_things=True):
                    self._places[node.file] += table.name in RECORDS
                    self._add(table, node, self._places[node.file] if table.name in RECORDS else 0)
            left_out += [(table, node) for node in self.walk.left_out]
            self.walk.left_out.clear()
        for table, node in left_out:
            if not self.walk.is_known(node.value):
                self._leave_out(table, node)
        for node in {(id(each.holder), each.held, each.name): each for each in self.walk.strange}.values():
            expected = f"expected an object, found {shown(node.value)}"
            self.rejects.append(Reject(None, None, as_written(node.value), "malformed", expected, _dump_of(node)))

    def _reject_broken(self) -> None:
        """Reject sessions without talks that have something in the place of talks: they are none without talks."""
        named = self.walk.unasked() | self.walk.broken
        broken = [
            (thing, found)
            for thing in self.things
            if thing.table.name == "session" and thing not in self.with_talks
            if (found := named.get(id(thing.node.value))) is not None
        ]
        for thing, found in broken:
            error = FieldError(f"{found.name}: expected talks, found {shown(found.value)}")
            self._reject(thing.node, thing.place, thing.lines, error)
        without = {thing for thing, _ in broken}
        self.things = [thing for thing in self.things if thing not in without]

    def _leave_out(self, table: PathTable, node: Node) -> None:
        """Mark what a table knows of a thing that a condition leaves out as not needed."""
        self._places[node.file] += 1
        place = self.walk.lines_of(node, self._places[node.file])[0]
        self.walk.own(node, place)
        self.walk.claim(node)
        rows = [table.kind_of, *table.fields] if table.kind_of else table.fields
        for wanted in filter(None, rows):
            for path in (*wanted.paths, *([wanted.beside] if wanted.beside else [])):
                for each in self.walk.find(node, path, place):
                    self.walk.ignore(each)
                    inner = [*wanted.places, *filter(None, (wanted.url, wanted.title)), *sum(wanted.names, ())]
                    self._ignore(each, inner, place)
        self._ignore(node, (*table.ignored, *_conditions(table)), place)

    def _list(self, wanted: PathList) -> None:
        """Find the things of a list by their ids."""
        found: list[tuple[str, Node]] = []
        keys: dict[tuple[int, str], list[tuple[str, Node]]] = {}
        for node in (node for path in wanted.paths for node in self.walk.find(self.walk.root, path)):
            if isinstance(node.value, dict) and node.before is not None and isinstance(node.before.value, list):
                self.walk.open(node, 0)
            for key in self.walk.find(node, wanted.key):
                if inner := wanted.id_in(text_of(key.value) or ""):
                    found.append((inner, node))
                    if key.holder is not node.holder:
                        keys.setdefault((id(key.holder), key.held), []).append((inner, key))
                    if node.before is not None:
                        self.walk.claim(node.before)
            self._ignore(node, wanted.ignored, 0)
        self.walk.list(wanted.name, found)
        self.walk.lists[wanted.name].keys = keys

    def _ignore(self, node: Node, paths: Sequence[Path], place: int) -> None:
        """Mark the keys that are known and not needed."""
        for path in paths:
            for each in self.walk.find(node, path, place):
                self.walk.ignore(each)

    def _add(self, table: PathTable, node: Node, place: int) -> None:
        """Add a thing, once for each thing that it is within, or the reject of it."""
        if is_blank(node.value) or (table.rest and self.walk.is_known(node.value)):
            return
        lines = self.walk.lines_of(node, place)
        place = lines[0]
        if table.name in RECORDS:
            self.walk.own(node, place)
        elif isinstance(node.value, dict):
            self.walk.open(node, place)
        way = tuple(id(each.value) for each in node.outwards() if isinstance(each.value, dict | list))
        around = next((thing for begin in range(1, len(way)) if (thing := self._by_way.get(way[begin:]))), None)
        thing = Thing(table, node, place, lines, self._owner(table, node) or around or self._page)
        try:
            self._read(thing)
        except FieldError as error:
            self._reject(node, place, lines, error)
            if table.name == "talk":
                self.walk.broken |= {id(each.value): node for each in node.outwards() if each is not node}
            return
        if thing.inside is not None and _begins_behind(thing, thing.inside):
            thing.inside = thing.inside.inside
        for found in self._within(thing):
            each = self._same_as(found)
            if each is found:
                self.things.append(each)
            else:
                self._join(each, found)
            self._page = each if table.name == "page" and self._page is None else self._page
            self._by_way.setdefault(way, each)
            if table.flat and node.before is not None and isinstance(node.name, int):
                self._flat.setdefault((id(node.before.value), _LEVEL[table.name]), []).append((node.name, each))
            self._beside.setdefault(id(node.value), []).append(each)

    def _owner(self, table: PathTable, node: Node) -> Thing | None:
        """Return the last flat thing of an outer table before a node in its list, which owns what follows."""
        if not self._flat or node.before is None or not isinstance(node.name, int):
            return None
        listed = (self._flat.get((id(node.before.value), level), ()) for level in range(_LEVEL[table.name]))
        ends = ((things, bisect_left(things, node.name, key=itemgetter(0))) for things in listed)
        return max((things[end - 1] for things, end in ends if end), key=itemgetter(0), default=(0, None))[1]

    def _same_as(self, thing: Thing) -> Thing:
        """Return the first thing that has the values of this one at the paths that tell it from others."""
        found = [self.walk.find(thing.node, path, thing.place) for path in thing.table.same]
        values = tuple(text for each in found if len(each) == 1 and (text := text_of(each[0].value)))
        if not found or len(values) < len(found):
            return thing
        for (node,) in found:
            self.walk.claim(node)
        return self._firsts.setdefault((id(thing.table), id(thing.inside), values), thing)

    def _join(self, first: Thing, other: Thing) -> None:
        """Add to a thing what another row of it says; what that says otherwise is told."""
        twice: set[str] = set()
        is_timed = any(first[name] is not None for name in _WHEN)
        for name, value in other.values.items():
            known = first[name]
            if name in SEVERAL:
                listed = self._collected.setdefault((first, name), dict.fromkeys(known or ()))
                listed.update(dict.fromkeys(value or ()))
            elif known is None and not (is_timed and name in _WHEN):  # times of two rows are none
                first.values[name] = value
            elif value is not None and value != known:
                twice.add(name)
        for row in filter(None, (other.table.kind_of, *other.table.fields)):
            if not twice.isdisjoint((row.name, *(hole for each in row.patterns for hole in each.holes))):
                nodes = [node for path in row.paths for node in self.walk.find(other.node, path, other.place)]
                self.walk.told |= {(id(node.holder), node.held) for node in nodes}
        first.doubts |= other.doubts | ({_UNREAD} if twice else set())
        first.lines = (min(first.lines[0], other.lines[0]), max(first.lines[1], other.lines[1]))

    def _reject(self, node: Node, place: int, lines: tuple[int, int], error: FieldError) -> None:
        """Add the reject of a thing."""
        if node.file is not None:
            reject = node.file.data.reject(place, node.value, error, lines)
            self.rejects.append(replace(reject, dump=node.file.dump))

    def _within(self, thing: Thing) -> Iterator[Thing]:
        """Yield a thing for each other one that it names as what it is within, by the first path that leads to one."""
        outer: list[Thing] = []
        for path in thing.table.within:
            for node in self.walk.find(thing.node, path, thing.place, every=True) if not outer else ():
                self.walk.claim(node)
                outer += self._beside.get(id(node.value), ())
        if not outer:
            yield thing
        for each in outer:
            values, doubts = dict(thing.values), set(thing.doubts)  # other rows may add to one of them
            yield Thing(thing.table, thing.node, thing.place, thing.lines, each, values, doubts)

    def _read(self, thing: Thing) -> None:
        """Read the fields of a thing. Raises ``FieldError`` if it has no title and needs one."""
        for wanted in thing.table.fields:
            known = thing.values.get(wanted.name)
            value = self._value(thing, wanted) if known is None else known
            parts = value if isinstance(value, dict) else {wanted.name: value}
            thing.values |= {name: each for name, each in parts.items() if thing.values.get(name) is None}
            if known is not None:
                beside = (wanted.beside,) if wanted.beside else ()
                self._ignore(thing.node, (*wanted.paths, *beside), thing.place)
        if isinstance(thing.node.value, dict):
            self.walk.claim(thing.node)
        if thing.table.kind_of is not None:
            thing.values["kind"] = self._kind(thing, thing.table.kind_of)
        self._ignore(thing.node, thing.table.ignored, thing.place)
        if not thing["title"] and thing.table.name in {"talk", "item"}:
            raise MissingError("title: expected a text, found none")

    def _kind(self, thing: Thing, wanted: FieldRow) -> str | None:
        """Return the kind that a value names."""
        for path in wanted.paths:
            for node in self.walk.find(thing.node, path, thing.place):
                kind = wanted.words.get((text_of(node.value) or "").casefold())
                self.walk.claim(node)
                if kind is not None:
                    return kind
        return None

    def _value(self, thing: Thing, wanted: FieldRow) -> Any:  # noqa: ANN401  # what the reader of the field returns
        """Read a field by the first of its paths that has a value; what the others have is not needed.

        Links are those of all paths.
        """
        if wanted.constant is not None:
            return wanted.constant
        if wanted.name == "links":
            every = [node for path in wanted.paths for node in self.walk.find(thing.node, path, thing.place)]
            return (
                self._read_nodes(thing, wanted, [each for each in every if not self._says_nothing(each, wanted)])
                or None
            )
        found: Any = None
        for path in wanted.paths:
            nodes = self.walk.find(thing.node, path, thing.place)
            filled = [node for node in nodes if not self._says_nothing(node, wanted)]
            if found is not None:
                for node in nodes:
                    self.walk.ignore(node)
            elif filled:
                parts = self._parts(wanted, filled[0]) if wanted.patterns and len(filled) == 1 else None
                found = parts or self._read_nodes(thing, wanted, filled)
                found = () if found is None else found
        return found or None

    def _says_nothing(self, node: Node, wanted: FieldRow) -> bool:
        """True if a value means nothing; then it is claimed."""
        if is_blank(node.value):
            return True
        text = text_of(node.value)
        if text is None or not is_one_of(text.casefold(), wanted.nothing):
            return False
        self.walk.claim(node)
        return True

    def _read_nodes(self, thing: Thing, wanted: FieldRow, nodes: Sequence[Node]) -> Any:  # noqa: ANN401
        """Read the values of a field; what cannot be read stays unclaimed, and a note says so."""
        if wanted.name in PEOPLE:
            return self._people(thing, wanted, nodes)
        if wanted.name == "links":
            return tuple(filter(None, (self._link(thing, wanted, node) for node in nodes)))
        found = [(node, self._read_text(wanted, node)) for node in nodes]
        read = [node for node, value in found if value is not None]
        self._claim(thing, read, [node for node, value in found if value is None])
        values = list(dict.fromkeys(value for _, value in found if value is not None))
        if wanted.name in SEVERAL:
            return tuple(values)
        if wanted.joint is not None and values:
            return wanted.joint.join(values)
        if len(values) > 1:  # which of them is right is not guessed
            thing.doubts.add(_UNREAD)
            return None
        return values[0] if values else None

    def _claim(self, thing: Thing, read: Sequence[Node], unread: Sequence[Node]) -> None:
        """Claim what was read; a key of which a part could not be read is told whole, and a note says so.

        An object has an account of its own.
        """
        for each in read:
            self.walk.claim(each)
        known = {(id(each.holder), each.held) for each in read}
        keys = {(id(each.holder), each.held) for each in unread if not isinstance(each.value, dict)}
        self.walk.told |= keys & known
        if unread:
            thing.doubts.add(_UNREAD)

    def _parts(self, wanted: FieldRow, node: Node) -> dict[str, Any] | None:
        """Return the fields that a text is made of, by the first pattern that fits it; None if none does."""
        line = " ".join((self._text(wanted, node) or "").split())
        for pattern in wanted.patterns:
            readers = {hole: read_hole(hole) for hole in pattern.holes if hole}
            if (values := pattern.match(line, readers)) is not None:
                self.walk.claim(node)
                return {name: value for name, value in values.items() if name}
        return None

    def _text(self, wanted: FieldRow, node: Node) -> str | None:
        """Return the text of a value, without what is cut off; None if it is none."""
        text = text_of(node.value) if wanted.name in NUMBERED else node.value  # the number of a room is mostly its id
        if not isinstance(text, str) or not (node.file is None or node.file.data.is_text(text)):
            return None
        text = html_text(text) if wanted.html else text
        text = without_ends(text or "", wanted.cut).strip()
        return wanted.words.get(text.casefold(), text)

    def _read_text(self, wanted: FieldRow, node: Node) -> Any:  # noqa: ANN401  # what the reader of the field returns
        """Read one value; None if it cannot be read."""
        text = self._text(wanted, node)
        if not text or (wanted.name == "room" and ("\n" in text or address(text))):  # a room is one line, and no page
            return None
        text = _with_base(wanted.base, text)
        if wanted.name == "url":
            self._note_address(text)
        value = wanted.read(text)
        return not_before(wanted.after, value) if wanted.after is not None else value

    def _people(self, thing: Thing, wanted: FieldRow, nodes: Sequence[Node]) -> tuple[Person, ...]:
        """Read people: objects with names, one name each, or several in one text."""
        if wanted.may_be_list and len(nodes) == 1 and (several := self._several(wanted, nodes[0])) is not None:
            thing.doubts |= set() if several else {_UNREAD}
            return several
        made: list[Person] = []
        read: list[Node] = []
        unread: list[Node] = []
        places = self._affiliations(thing, wanted, len(nodes))
        for number, node in enumerate(nodes):
            if isinstance(node.value, dict):
                found: Sequence[Person] | None = self._person(thing, wanted, node)
            elif wanted.names:  # a text where an object should be is an id
                found = None
            else:
                value = self._read_text(wanted, node)
                name = without_marks(value) if isinstance(value, str) and not is_mail(value) else ""
                found = [Person(name, places[number])] if name else None if isinstance(value, str) else value
            (unread if found is None or isinstance(found, Partly) else read).append(node)
            is_alone = found is not None and len(found) == 1
            made += [
                person._replace(affiliation=places[number]) if is_alone and places[number] else person
                for person in found or ()
            ]
        self._claim(thing, read, unread)
        return tuple(made)

    def _several(self, wanted: FieldRow, node: Node) -> tuple[Person, ...] | None:
        """Read a list of people that stands where one name should; None if it is a name, none if nobody can say."""
        text = self._text(wanted, node) or ""
        people = people_of(text)
        if people is not None and len(people) > 1 and not isinstance(people, Partly):
            self.walk.claim(node)
            return people
        return () if ";" in text or text.count(",") > 1 else None

    def _affiliations(self, thing: Thing, wanted: FieldRow, people: int) -> Sequence[str | None]:
        """Return the list of affiliations beside that of people; it is nobody's if it has another number."""
        if wanted.beside is not None:
            nodes = self.walk.find(thing.node, wanted.beside, thing.place)
            texts = [text_of(node.value) or None for node in nodes]
            if len(texts) == people:
                for node in nodes:
                    self.walk.claim(node)
                return texts
            if any(texts):
                thing.doubts.add(_UNREAD)
        return [None] * people

    def _person(self, thing: Thing, wanted: FieldRow, node: Node) -> list[Person] | None:
        """Read an object with a name: by the first of the ways that gives one."""
        for way in wanted.names:
            parts = [
                each for path in way for each in self.walk.find(node, path, thing.place) if not is_blank(each.value)
            ]
            texts = [text for each in parts if (text := self._name(wanted, each)) and not is_mail(text)]
            if texts and len(texts) == len(parts):
                for each in parts:
                    self.walk.claim(each)
                return [Person(" ".join(texts), self._place_of(thing, wanted, node))]
        return None

    def _name(self, wanted: FieldRow, node: Node) -> str | None:
        """Return a part of a name."""
        text = text_of(node.value)
        return without_marks(" ".join(without_ends(without_markup(text), wanted.cut).split())) if text else None

    def _place_of(self, thing: Thing, wanted: FieldRow, node: Node) -> str | None:
        """Return the affiliation of a person, by the first path that has one."""
        place: str | None = None
        for path in wanted.places:
            for each in self.walk.find(node, path, thing.place):
                text = text_of(each.value)
                if place is not None:
                    self.walk.ignore(each)
                elif text and not is_one_of(text.casefold(), wanted.nothing):
                    self.walk.claim(each)
                    place = without_markup(text)
        return place

    def _note_address(self, text: str) -> bool:
        """Count an address that leads nowhere, as a relative one without that of the dump; return True for others."""
        is_lost = is_relative(text) and not self.walk.has_address
        self.walk.without_address += is_lost
        return not is_lost

    def _link(self, thing: Thing, wanted: FieldRow, node: Node) -> Link | None:
        """Read an address, or an object with one and perhaps a title."""
        address, title = node, None
        if wanted.url is not None:
            address = next(iter(self.walk.find(node, wanted.url, thing.place)), Node(None))
            if wanted.title is not None:
                title = next(iter(self.walk.find(node, wanted.title, thing.place)), None)
        text = _with_base(wanted.base, text_of(address.value) or "")
        if not text:
            return None
        if not self._note_address(text):
            thing.doubts.add(_UNREAD)
            return None
        self.walk.claim(node)
        for each in filter(None, (address, title)):
            self.walk.claim(each)
        return Link(text, (text_of(title.value) or None) if title else None)


def _dump_of(node: Node) -> str | None:
    """Return the path of the companion that a node stands in; None for the dump itself."""
    return node.file.dump if node.file else None


def _with_base(base: str, text: str) -> str:
    """Return an address behind its base: an id behind ``=`` or a slash, a path behind a host."""
    is_part = text[:1] == "/" or base[-1:] in "=/"
    return f"{base}{text}" if base and is_part and is_relative(text) else text


def _begins_behind(thing: Thing, owner: Thing) -> bool:
    """True if a thing begins when the one that owns it in a flat list has ended: then that one does not own it."""
    times, around = thing["times"], owner["times"]
    return bool(owner.table.flat and times and around and around[1] and times[0] >= around[1] > around[0])


def _each_once(values: Collection[Any]) -> tuple[Any, ...]:
    """Return what several rows list, without a person who is there with an affiliation, too."""
    placed = {each.name for each in values if isinstance(each, Person) and each.affiliation}
    return tuple(each for each in values if not isinstance(each, Person) or each.affiliation or each.name not in placed)
