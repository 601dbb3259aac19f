"""Paths through data: where things and their fields are, and what of it has been read.

    days[].rooms{}.talks[]           each element of a list, each value of an object
    authors.author[?]                each element, or the one value that stands where a list would
    session[|]                       the parts of a text between bars
    speakers[]>people.name           what a list of the table has under an id; ``>people?``: elsewhere perhaps
    sessions[][status!=Declined]     those with another value of a key, ``*`` for any text; ``[replyto=]``: without one
    ^.date                           a key of the object around it; ``^^`` of the one around that
    @key, @place                     the key of an object in its own, the place in its list, from 1
    ^^.tracks[@place]                the element of a list that has the place of the thing in its own

A path leads to nodes. Reading one claims the keys on its way, so the account tells which keys nobody has asked for. A
walk takes a bounded number of steps. What the values mean does not belong here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from parsers._ledger.bundle import is_like
from parsers._ledger.data import Data
from parsers._ledger.fields import FieldError, Fields

_STEP: Final = re.compile(
    r"""(?P<each>\[\])|(?P<same>\[@place\])|(?P<some>\[\?\])|(?P<values>\{\})|(?P<around>\^)
    |\[(?P<condition>[^\[\]=!]*[^\[\]=!\s])\s*(?P<other>!?)=\s*(?P<value>[^\[\]]*)\]
    |\[(?P<separator>[^\[\]\w]+|[ ]\w{1,10}[ ])\]
    |>(?P<list>\w+)(?P<elsewhere>\??)
    |@(?P<own>key|place)(?=$)
    |"(?P<quoted>[^"]+)"|(?P<key>[^.\[\]{}^>@"]+)""",
    re.VERBOSE,
)
_MOST_STEPS: Final = 50
_LONGEST: Final = 1_000
_STEPS_FREE: Final = 1_000_000
_STEPS_PER_THING: Final = 200
"""What it costs to be within one of many: a thing is made of each."""
_STEPS_PER_SIGN: Final = 30
"""How many steps a walk may take for each character of the data, beyond those that are free."""


class PathError(ValueError):
    """A path is invalid: says what was expected."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step of a path: its kind, and the key, separator or list that it names."""

    kind: str
    name: str = ""
    condition: Path | None = None
    values: frozenset[str] = frozenset()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """A compiled path."""

    written: str
    steps: tuple[PathStep, ...]

    @property
    def splits(self) -> bool:
        """True if it leads to several values."""
        return any(step.kind in {"each", "some", "values", "separator"} for step in self.steps)

    @property
    def lists(self) -> Iterator[str]:
        """The lists that it looks into."""
        return (step.name for step in self.steps if step.kind in {"list", "elsewhere"})


def parse_path(written: str) -> Path:
    """Compile a path. Raises ``PathError``."""
    steps: list[PathStep] = []
    text = written.strip()
    if len(text) > _LONGEST:
        raise PathError(f"expected a path of at most {_LONGEST} characters, found {len(text)}")
    place = 0
    while place < len(text):
        if text[place] == "." and (steps or text == "."):
            place += 1
            if steps and text[place : place + 1] in {"", "."}:
                raise PathError(f"expected a key behind each dot, found {written!r}: quotes name a key with dots")
            continue
        found = _STEP.match(text, place)
        if found is None:
            raise PathError(f"expected a path such as days[].talks[].title, found {text[place:]!r} in {written!r}")
        steps.append(_step(found))
        place = found.end()
    if len(steps) > _MOST_STEPS:
        raise PathError(f"expected a path of at most {_MOST_STEPS} steps, found {len(steps)}")
    return Path(written, tuple(steps))


def _step(found: re.Match[str]) -> PathStep:
    """Return the step of a match."""
    if found["condition"] is not None:
        values = frozenset(value.strip().casefold() for value in found["value"].split("|"))
        return PathStep("if", "", parse_path(found["condition"]), values, found["other"] == "!")
    if found["list"]:
        return PathStep("elsewhere" if found["elsewhere"] else "list", found["list"])
    for kind in ("each", "same", "some", "values", "around"):
        if found[kind]:
            return PathStep(kind)
    if found["separator"]:
        return PathStep("separator", found["separator"])
    if found["own"]:
        return PathStep("own", found["own"])
    return PathStep("key", (found["quoted"] or found["key"]).strip())


@dataclass(frozen=True, slots=True, eq=False)
class DataFile:
    """A file of data: its ledger, and its path if it is a companion of the dump."""

    data: Data
    dump: str | None = None


@dataclass(slots=True, eq=False)
class Node:
    """A value that a path leads to; ``before`` is the one that it was reached from, ``name`` its key or place there.

    ``holder`` is the object that has it, perhaps in a list, under ``held``. It stands in ``file``; what stands in none
    is around several files.
    """

    value: Any
    before: Node | None = None
    name: str | int | None = None
    holder: dict[str, Any] | None = None
    held: str = ""
    file: DataFile | None = None

    def around(self) -> Node | None:
        """Return the nearest object around it."""
        node = self.before
        while node is not None and (not isinstance(node.value, dict) or node.value is self.value):
            node = node.before
        return node

    def outwards(self) -> Iterator[Node]:
        """Yield the node and those that it was reached from."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.before


@dataclass(slots=True)
class IdIndex:
    """What a list of the table has by id, ``asked`` are the ids that were looked for.

    ``keys`` have the ids in each key, by the object that has it, and its name there.
    """

    nodes: dict[str, list[Node]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    keys: dict[tuple[int, str], list[tuple[str, Node]]] = field(default_factory=dict)

    def claim_keys(self, walk: Walk) -> None:
        """Claim the keys of which each id was looked for; what nothing names is told."""
        for found in self.keys.values():
            if self.asked.issuperset(name for name, _ in found):
                key = found[0][1]
                walk.claim(Node(None, None, None, key.holder, key.held))


def is_blank(value: object) -> bool:
    """True if a value says nothing: null, a blank text, an empty list or object, NaN, infinity."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or value in ([], {}) or (isinstance(value, float) and not math.isfinite(value))


def text_of(value: object) -> str | None:
    """Return a scalar as text; None if it is none."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else None


def is_one_of(text: str, words: frozenset[str]) -> bool:
    """True if a text in lower case is one of some words, which may have stars for any text."""
    return text in words or any("*" in word and len(word) > 1 and is_like(text, word) for word in words)


class Walk:
    """A walk through data by paths, and what has been claimed on it."""

    def __init__(self, files: Mapping[str, DataFile], length: int, *, has_address: bool = False) -> None:
        """``files`` are the files by name, one without a name if there are no others.

        ``length`` is that of their texts in characters; ``has_address`` says that relative addresses mean something.
        """
        self.has_address = has_address
        self.without_address = 0
        """How many relative addresses lead nowhere."""
        alone = files.get("")
        self.root = Node({name: each.data.value for name, each in files.items()})
        self._tops = {name: Node(each.data.value, self.root, name, file=each) for name, each in files.items()}
        if alone is not None:
            self.root = Node(alone.data.value, file=alone)
        self.lists: dict[str, IdIndex] = {}
        self._lost: dict[tuple[int, str], set[str]] = {}
        self._met: dict[tuple[int, str], set[str]] = {}
        """The ids that nothing has, and those that something has, by the key that they stand in."""
        self._left = self._most = _STEPS_FREE + _STEPS_PER_SIGN * length
        self._places: dict[int, tuple[dict[str, Any], int, Data]] = {}
        self._claims: dict[int, set[str]] = {}
        self._ignored: dict[int, set[str]] = {}
        self.told: set[tuple[int, str]] = set()
        """Keys of which a part could not be read, by the ``id`` of their objects: they are told whole."""
        self.left_out: list[Node] = []
        self.strange: list[Node] = []
        self.broken: dict[int, Node] = {}
        """What is not empty and leads to no things, by the ``id`` of each value around it."""
        self.around: set[tuple[DataFile | None, int]] = set()
        """Files and places of items that turned out to be around others."""
        self._owned: set[int] = set()
        self._named: set[int] = set()

    def find(
        self, start: Node, path: Path, place: int = 0, *, of_things: bool = False, every: bool = False
    ) -> list[Node]:
        """Return the nodes that a path leads to, objects on the way opened for the item at ``place``.

        ``of_things`` says that these are things: what is left out of them by a last condition is kept in ``left_out``,
        elements of lists on the way that are no objects in ``strange``, and what is not empty and leads nowhere in
        ``broken``. With ``every`` all that have an id are looked up, else an id that two have is that of neither.
        Raises ``FieldError`` if it takes too many steps.
        """
        nodes = [start]
        for number, step in enumerate(path.steps):
            if of_things and step.kind in {"key", "values", "if"}:
                odd = [node for node in nodes if not isinstance(node.value, dict) and not is_blank(node.value)]
                self.strange += [node for node in odd if node.before and isinstance(node.before.value, list)]
            before = nodes
            if step.kind in {"list", "elsewhere"}:
                taken = [(node, self._look(node, step, every=every)) for node in nodes]
            elif step.kind == "same":
                taken = [(node, _same(node, start)) for node in nodes]
            else:
                taken = [(node, self._take(node, step, place if node.file is start.file else 0)) for node in nodes]
            if of_things and step.kind in {"key", "values", "each", "list"}:
                for node in (node for node, found in taken if not found):
                    self._note_broken(node, step)
            nodes = [each for _, found in taken for each in found]
            if of_things and step.kind == "if" and all(each.kind == "if" for each in path.steps[number:]):
                kept = set(map(id, nodes))
                self.left_out += [node for node in before if id(node) not in kept and isinstance(node.value, dict)]
        return nodes

    def _note_broken(self, node: Node, step: PathStep) -> None:
        """Note what leads to no things, though it is not empty: no list, no object, an id that nothing has."""
        is_lacking = step.kind in {"key", "values"} and isinstance(node.value, dict)
        if not is_lacking and not is_blank(node.value):
            self.broken |= {id(each.value): node for each in node.outwards() if each is not node}

    def _take(self, node: Node, step: PathStep, place: int) -> Sequence[Node]:
        """Return the nodes that one step leads to."""
        self._count(1)
        match step.kind:
            case "each" | "some":
                return self._elements(node, step)
            case "separator":
                return self._parts(node, step.name)
            case "around" | "own":
                return _around(node) if step.kind == "around" else _own(node, step.name)
            case "if":
                return [node] if self._fits(node, step, place) else []
        return self._inside(node, step, place)

    def _elements(self, node: Node, step: PathStep) -> Sequence[Node]:
        """Return the elements of a list, or the one value that stands where it would."""
        if not isinstance(node.value, list):
            return [node] if step.kind == "some" and not is_blank(node.value) else []
        self._count(len(node.value))
        return [
            Node(each, node, number, node.holder, node.held, node.file) for number, each in enumerate(node.value, 1)
        ]

    def _parts(self, node: Node, separator: str) -> Sequence[Node]:
        """Return the parts of a text."""
        parts = node.value.split(separator) if isinstance(node.value, str) else []
        self._count(len(parts))
        return [
            Node(each.strip(), node, number, node.holder, node.held, node.file) for number, each in enumerate(parts, 1)
        ]

    def _inside(self, node: Node, step: PathStep, place: int) -> Sequence[Node]:
        """Return the value of a key of an object, or all of them."""
        value = node.value
        if not isinstance(value, dict):
            return []
        if node.file is None:
            return [self._tops[step.name]] if step.name in self._tops else []
        self.open(node, place)
        if step.kind == "values":
            self._count(len(value))
            return [Node(each, node, key, value, key, node.file) for key, each in value.items()]
        return [Node(value[step.name], node, step.name, value, step.name, node.file)] if step.name in value else []

    def _count(self, steps: int) -> None:
        """Count steps. Raises ``FieldError``."""
        self._left -= steps
        if self._left < 0:
            raise FieldError(f"expected tables that take at most {self._most} steps through the data, found more")

    def _fits(self, node: Node, step: PathStep, place: int) -> bool:
        """True if a node has, or has not, one of the values of a condition."""
        if not isinstance(node.value, dict):
            return False
        assert step.condition is not None  # noqa: S101  # a step "if" has one
        found = self.find(node, step.condition, place)
        texts = {(text_of(each.value) or "..").casefold() for each in found if not is_blank(each.value)} or {""}
        fits = any(is_one_of(text, step.values) for text in texts) != step.negated
        if fits:
            for each in found:
                self.claim(each)
        return fits

    def _look(self, node: Node, step: PathStep, *, every: bool) -> Sequence[Node]:
        """Return what a list of the table has under an id: one, or ``every`` one."""
        self._count(1)
        listed = self.lists.get(step.name)
        name = text_of(node.value)
        if listed is None or not name:
            return []
        if every and not listed.nodes:  # one of the ways in which systems name sessions, and not that of this file
            return []
        targets = listed.nodes.get(name, [])
        listed.asked.add(name)
        if not targets or (len(targets) > 1 and not every):
            if step.kind == "elsewhere":
                self.claim(node)
            else:
                self._lost.setdefault((id(node.holder), node.held), set()).add(name)
            return []
        self._met.setdefault((id(node.holder), node.held), set()).add(name)
        self._count(len(targets) * (_STEPS_PER_THING if every else 1))
        for target in targets:
            if isinstance(target.value, dict):
                self._named.add(id(target.value))
                self.open(target, 0)
        return [Node(each.value, node, each.name, each.holder, each.held, each.file) for each in targets]

    def list(self, name: str, nodes: Sequence[tuple[str, Node]]) -> None:
        """List nodes by their ids; one that is equal to the first of its id is the same."""
        listed = self.lists[name] = IdIndex()
        for key, node in nodes:
            known = listed.nodes.setdefault(key, [])
            if not known or known[0].value != node.value:
                known.append(node)

    def open(self, node: Node, place: int) -> None:
        """Open an object: each of its keys is accounted for, as part of the item at ``place``, the first that asks."""
        if node.file is not None:
            self._places.setdefault(id(node.value), (node.value, place, node.file.data))

    def own(self, node: Node, place: int) -> None:
        """Open an object as the item at ``place``, whoever has looked at it before."""
        if isinstance(node.value, dict) and node.file is not None:
            self._places[id(node.value)] = (node.value, place, node.file.data)
            self._owned.add(id(node.value))

    def is_known(self, value: object) -> bool:
        """True if an object is an item, or named by one."""
        return id(value) in self._owned or id(value) in self._named

    def claim(self, node: Node) -> None:
        """Claim what a node was reached by: it has been read."""
        for each in node.outwards():
            if each.holder is not None:
                self._claims.setdefault(id(each.holder), set()).add(each.held)

    def ignore(self, node: Node) -> None:
        """Claim a node as known and not needed, and what is around it as read."""
        if node.holder is None:
            return
        self._ignored.setdefault(id(node.holder), set()).add(node.held)
        for each in node.outwards():
            if each.holder is not None and each.holder is not node.holder:
                self.claim(each)
                break

    def unasked(self) -> dict[int, Node]:
        """Return the keys with several ids none of which anything has looked for, by the ``id`` of the objects."""
        return {
            holder: inner
            for listed in self.lists.values()
            for (holder, _), found in listed.keys.items()
            if (inner := found[0][1].before) is not None
            and isinstance(inner.value, list)
            and listed.asked.isdisjoint(name for name, _ in found)
        }

    @property
    def lost(self) -> set[tuple[int, str]]:
        """The keys with an id that no list has."""
        return {key for key, names in self._lost.items() if names - self._met.get(key, set())}

    @staticmethod
    def lines_of(node: Node, place: int) -> tuple[int, int]:
        """Return the lines of an object of CSV and YAML, else its place in order."""
        return node.file.data.lines.get(id(node.value), (place, place)) if node.file else (place, place)

    def close(self) -> None:
        """Hand the account over: which keys were read, which are not needed, of what was opened."""
        for listed in self.lists.values():
            listed.claim_keys(self)
        for holder, held in self.lost | self.told:
            self._claims.get(holder, set()).discard(held)
        around = {(file.data, place) for file, place in self.around if file}
        for value, place, data in self._places.values():
            place = 0 if (data, place) in around else place  # noqa: PLW2901
            fields: Fields = data.open(value, place or data.lines.get(id(value), (0, 0))[0])
            for key in self._claims.get(id(value), ()):
                fields.either(key)
            fields.ignore(self._ignored.get(id(value), ()))


def _same(node: Node, start: Node) -> Sequence[Node]:
    """Return the element of a list that has the place of the start of a path in its list."""
    place = next((each.name for each in start.outwards() if isinstance(each.name, int)), 0)
    values = node.value if isinstance(node.value, list) else []
    if not 0 < place <= len(values):
        return []
    return [Node(values[place - 1], node, place, node.holder, node.held, node.file)]


def _around(node: Node) -> Sequence[Node]:
    """Return the object around a node, if there is one."""
    around = node.around()
    return [around] if around else []


def _own(node: Node, name: str) -> Sequence[Node]:
    """Return the key of a node in its object, or its place in its list."""
    is_there = node.name is not None and (name == "place") == isinstance(node.name, int)
    return [Node(node.name, node, None, node.holder, node.held, node.file)] if is_there else []
