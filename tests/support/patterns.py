"""Finds the regular expressions of the project, makes hard texts for each, and measures how their cost grows.

The limits belong to ``test_patterns`` and ``benchmarks.patterns``.
"""

import ast
import dataclasses
import pkgutil
import re
import sys
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]  # how patterns are taken apart
from typing import Any, Final

import pyparsing as pp

ROOMS: Final = ("parsers", "pipeline", "schemas")
WAYS: Final = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")
"""How a pattern can be called."""

SIZE: Final = 10_000
_REFERENCE: Final = re.compile("[abc]*d")
_LITTLE: Final = 20
_MUCH: Final = 200
_FAR_TOO_MUCH: Final = 8 * _MUCH
"""Multiples of the cost of the reference: too little to measure growth, too much to continue, far too much."""

_BRIEF: Final = 0.02  # seconds

_OFTEN: Final = 10
_MANY: Final = 100  # a repeat whose maximum is above this is pumped
_COMMON: Final = " \n\ta1A|.,:-_'\"()[]{}<>\\/&;#*$%@"
_FAILS: Final = "\0\n\0"  # after the repeated part: hardly any pattern matches all of it
_WORD: Final = "a\n\0"  # also tried, for patterns that look for \0
_NAMING: Final = ("LITERAL", "RANGE")
_FEW: Final = 5  # choices that are tried for one part
_PIECES: Final = (4, 8, 12, 16, 20, 24, 28, 32, 48, 64)  # exponential cost grows with each piece
_Node = tuple[Any, Any]  # an operation and its arguments, as in the parser of ``re``


@dataclass(frozen=True, slots=True)
class Use:
    """A pattern of the project: its module and name, and the ways in which the code calls it."""

    name: str
    pattern: re.Pattern[Any]
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of hard text: a repeated piece, with text before and behind."""

    before: str
    piece: str
    behind: str

    def text(self, size: int) -> str:
        """Return a text of about ``size`` characters; the repeated part has no fewer."""
        return self.before + self.piece * -(-size // len(self.piece)) + self.behind

    def __str__(self) -> str:
        """Return the three parts as literals; long ones are cut."""
        before, piece, behind = (repr(part if len(part) < 40 else part[:37] + "...") for part in self.parts())
        return f"{before} + {piece} * n + {behind}"

    def parts(self) -> tuple[str, str, str]:
        """Return the three parts."""
        return self.before, self.piece, self.behind


def find_uses() -> list[Use]:
    """Return every compiled pattern in a module of the project, sorted by name; each pattern once.

    It finds patterns in module attributes, inside containers, dataclasses, objects and classes of the project, and in
    grammars of pyparsing (``match``). The ways of calling them are read from the source: ``NAME.fullmatch`` in any
    module that has the name. A name that is used in another way, or not at all (a pattern in a dict), counts as
    searched, which costs most. Inline patterns (``re.split(r",", text)``) are not found.
    """
    called = _ways()
    found: dict[re.Pattern[Any], tuple[str, set[str]]] = {}
    for module, values in _modules():
        for path, pattern, owner in values:
            ways = {"match"} if owner == "pyparsing" else called.get((owner, path.rpartition(".")[2]), {"search"})
            found.setdefault(pattern, (f"{module}:{path}", set()))[1].update(ways)
    return sorted(
        (Use(name, key, tuple(sorted(ways))) for key, (name, ways) in found.items()), key=lambda use: use.name
    )


def _modules() -> Iterator[tuple[str, Iterator[tuple[str, re.Pattern[Any], str]]]]:
    """Yield every module of the project with its patterns: path in the module, pattern, module that calls it."""
    for room in ROOMS:
        package = import_module(room)
        for info in pkgutil.walk_packages(package.__path__, f"{room}."):
            if not info.name.endswith("__main__"):
                module = import_module(info.name)
                imported = _read(info.name).imported
                own = {name: value for name, value in vars(module).items() if name not in imported}
                yield info.name, _walk(own, "", info.name, set())


def _walk(value: object, path: str, owner: str, seen: set[int]) -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """Yield the patterns inside a value."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield path, value, owner
    elif isinstance(value, pp.ParserElement):
        for part in value.visit_all():  # type: ignore[no-untyped-call]  # pyparsing has no types for it
            if isinstance(part, pp.Regex):
                yield path, part.re, "pyparsing"
    else:
        for name, inner, module in _inside(value, owner):
            yield from _walk(inner, f"{path}{name}" if path else name.strip("."), module, seen)


def _inside(value: object, owner: str) -> Iterable[tuple[str, object, str]]:
    """Return the parts of a value: the name of each, the part, and the module whose code reads it."""
    home = str(getattr(value, "__module__", ""))
    if isinstance(value, Mapping):
        keys = ((f"[{number}]", key, owner) for number, key in enumerate(value))
        return (*keys, *((f".{key}", part, owner) for key, part in value.items()))
    if isinstance(value, (tuple, list, set, frozenset)):
        return [(f"[{number}]", part, owner) for number, part in enumerate(value)]
    if home.partition(".")[0] not in ROOMS:
        return ()
    fields = {}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    held = {**getattr(value, "__dict__", {}), **fields}
    return [(f".{name}", part, home) for name, part in held.items() if not name.startswith("__")]


@dataclass(frozen=True, slots=True)
class _Source:
    """The names in the source of a module: which are imported, and how each is used."""

    imported: Mapping[str, tuple[str, str]]
    called: Mapping[str, set[str]]


@cache
def _read(module: str) -> _Source:
    """Read the source of a module. A name in a loop is used like the loop variable; one passed on is searched."""
    imported: dict[str, tuple[str, str]] = {}
    called: defaultdict[str, set[str]] = defaultdict(set)
    known: set[int] = set()
    loops: list[tuple[str, list[str]]] = []
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ROOMS:
            imported |= {alias.asname or alias.name: (str(node.module), alias.name) for alias in node.names}
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Tuple):
            parts = [part for part in node.iter.elts if isinstance(part, ast.Name)]
            loops.append((node.target.id, [part.id for part in parts]))
            known |= set(map(id, parts))
        elif isinstance(node, ast.Attribute) and node.attr in (*WAYS, "pattern"):
            known.add(id(node.value))  # visited before the name itself, from the outside in
            if node.attr in WAYS and isinstance(node.value, (ast.Name, ast.Attribute)):
                called[node.value.id if isinstance(node.value, ast.Name) else node.value.attr].add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in known:
            called[node.id].add("search")
    for target, names in loops:
        for looped in names:
            called[looped] |= called[target]
    return _Source(imported, called)


def _ways() -> dict[tuple[str, str], set[str]]:
    """Return how each name is used in all modules that import it: (module, name) to ways."""
    ways: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for module, _ in _modules():
        source = _read(module)
        for name, called in source.called.items():
            ways[source.imported.get(name, (module, name))] |= called
    return dict(ways)


def kinds_of(pattern: re.Pattern[Any]) -> list[Kind]:
    """Return kinds of text that may be hard for a pattern, made from the pattern itself.

    For each repeat: a match of the parts before it, then its own match many times, then something that fails; also the
    beginning many times, since a search starts again at each. In addition, single characters.
    """
    return list(dict.fromkeys(_Maker(pattern).kinds()))


class _Maker:
    """Makes texts from the parts of a pattern; of characters that the pattern treats alike, it uses one."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        """Parse the pattern."""
        self._known: dict[int, list[str]] = {}
        self._nodes: list[_Node] = list(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
        classes: dict[str, _Node] = {}
        letters = dict.fromkeys(_COMMON)
        for node in self._flatten(self._nodes):
            if node[0].name in {"IN", "ANY", "NOT_LITERAL"}:
                classes.setdefault(str(node), node)
                letters.update(dict.fromkeys(_named(node)))
        lined = bool(pattern.flags & re.MULTILINE)
        alike = {
            (lined and letter == "\n", *(_is_one(letter, node) for node in classes.values())): letter
            for letter in reversed(letters)
        }
        self._letters = list(reversed(alike.values()))

    def kinds(self) -> Iterator[Kind]:
        """Yield kinds of hard text, some of them twice."""
        for before, piece, node in self._pumps(self._nodes, ""):
            yield Kind(before, piece, _FAILS)
            if piece.isspace():
                yield Kind(before, piece, _WORD)
            if node and all(_is_one(letter, node) for letter in _FAILS):
                yield Kind(before, piece, next((letter for letter in self._letters if not _is_one(letter, node)), ""))
            if before:
                yield Kind("", before, _FAILS)
                yield Kind("", before + piece, _FAILS)
        for letter in self._letters:
            yield Kind("", letter, _FAILS)

    def has_bound(self) -> bool:
        """True if a part has a high but finite repeat count."""
        repeats = (node[1][1] for node in self._flatten(self._nodes) if node[0].name.endswith("REPEAT"))
        return any(_OFTEN < most < _MANY * _MANY for most in repeats)

    def _flatten(self, nodes: list[_Node]) -> Iterator[_Node]:
        """Yield every part of a pattern, at any depth."""
        for node in nodes:
            yield node
            for inner in _parts(node):
                yield from self._flatten(inner)

    def _pumps(self, nodes: list[_Node], before: str) -> Iterator[tuple[str, str, _Node | None]]:
        """Yield for each repeat: the text before it, a piece that it matches, its character class if any."""
        for node in nodes:
            inner = _parts(node)
            if node[0].name.endswith("REPEAT") and node[1][1] > _MANY:
                single = inner[0][0] if len(inner[0]) == 1 and not _parts(inner[0][0]) else None
                for piece in self._examples(inner[0]):
                    if piece:
                        yield before, piece, single
            for part in inner:
                yield from self._pumps(part, before)
            before += next(iter(self._choices(node)), "")

    def _examples(self, nodes: list[_Node]) -> list[str]:
        """Return some texts that a sequence matches: the shortest, then one for each other choice of each part."""
        choices = [self._choices(node) for node in nodes]
        if not all(choices):
            return []
        shortest = [choice[0] for choice in choices]
        found = ["".join(shortest)]
        for number, choice in enumerate(choices):
            found += ["".join((*shortest[:number], other, *shortest[number + 1 :])) for other in choice[1:]]
        return list(dict.fromkeys(found))[: 2 * _FEW]

    def _choices(self, node: _Node) -> list[str]:
        """Return some texts that one part matches, the shortest first."""
        if id(node) not in self._known:
            self._known[id(node)] = list(dict.fromkeys(self._find_choices(node)))[:_FEW]
        return self._known[id(node)]

    def _find_choices(self, node: _Node) -> list[str]:
        """Return the texts for ``_choices``, uncached."""
        name, value = node[0].name, node[1]
        if name == "LITERAL":
            return [chr(value)]
        if name in {"NOT_LITERAL", "ANY", "IN"}:
            return [letter for letter in (*self._letters, *_named(node)) if _is_one(letter, node)]
        if name == "BRANCH":
            found = [self._examples(part) for part in _parts(node)]
            return [texts[0] for texts in found if texts] + [text for texts in found for text in texts[1:]]
        if name.endswith("REPEAT"):
            return [""] * (value[0] == 0) + [text * max(value[0], 1) for text in self._examples(_parts(node)[0])]
        if name in {"SUBPATTERN", "ATOMIC_GROUP"}:
            return self._examples(_parts(node)[0])
        return [""]


def _parts(node: _Node) -> list[list[_Node]]:
    """Return the sequences inside a part of a pattern, one per alternative."""
    value = node[1]
    match node[0].name:
        case "SUBPATTERN":
            return [value[-1].data]
        case "BRANCH":
            return [branch.data for branch in value[1]]
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [value[2].data]
        case "ASSERT" | "ASSERT_NOT":
            return [value[1].data]
        case "ATOMIC_GROUP":
            return [value.data]
    return []


def _named(node: _Node) -> list[str]:
    """Return the literal characters of a class, and the first one of each range."""
    if node[0].name != "IN":
        return []
    named = [value if kind.name == "LITERAL" else value[0] for kind, value in node[1] if kind.name in _NAMING]
    return [chr(value) for value in named[: _FEW * 4]]


def _is_one(letter: str, node: _Node) -> bool:
    """True if a character matches a part of a pattern that matches single characters."""
    value, number = node[1], ord(letter)
    found: object = False
    match node[0].name:
        case "ANY":
            found = letter != "\n"
        case "LITERAL":
            found = number == value
        case "NOT_LITERAL":
            found = number != value
        case "RANGE":
            found = value[0] <= number <= value[1]
        case "CATEGORY":
            found = _category(value.name).match(letter)
        case "IN":
            negated = value[0][0].name == "NEGATE"
            found = negated != any(_is_one(letter, inner) for inner in value[negated:])
    return bool(found)


@cache
def _category(name: str) -> re.Pattern[Any]:
    """Return the pattern of a character class, such as that of digits."""
    letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.rpartition("_")[2]]
    return re.compile("\\" + (letter.upper() if "_NOT_" in name else letter))


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth of a pattern's cost over the last tenfold increase of the text, up to ``size`` characters."""

    use: Use
    way: str
    kind: Kind
    size: int
    seconds: float
    factor: float

    def __str__(self) -> str:
        """Return the growth in one line."""
        cost = f"{self.seconds * 1000:.1f} ms at {self.size} characters, {self.factor:.0f} times that of a tenth"
        return f"{self.use.name}.{self.way}: {cost}: {self.kind}"


def spend(pattern: re.Pattern[Any], way: str, text: str) -> float:
    """Return the CPU seconds of one call; its result is discarded."""
    call: Any = getattr(pattern, way)
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    arguments = (given[:0], given) if way in {"sub", "subn"} else (given,)
    start = time.process_time()
    result = call(*arguments)
    if way == "finditer":
        deque(result, maxlen=0)
    return time.process_time() - start


@cache
def _unit() -> float:
    """Return the seconds that this machine takes for a simple linear pattern, the unit of all limits."""
    return min(spend(_REFERENCE, "match", "ab" * (SIZE // 2)) for _ in range(200))


def grow(use: Use, way: str, kind: Kind, size: int = SIZE) -> Growth | None:
    """Measure how the cost grows up to ``size`` characters; None if it is too low to be measured well.

    A running pattern cannot be stopped: so the text grows step by step, and the first step that takes too long is the
    last. A step is skipped if even quadratic time would not take too long at the next one.
    """
    steps = _steps(len(kind.piece), size)
    last, seconds = steps[0], 0.0
    for step, following in pairwise((*steps, size)):
        if len(kind.piece) * _PIECES[-1] < step < following and seconds * (following / last) ** 2 < _MUCH * _unit():
            continue
        last, seconds = step, spend(use.pattern, way, kind.text(step))
        if seconds > _MUCH * _unit():
            break
    if seconds < _LITTLE * _unit():
        return None
    before = min(spend(use.pattern, way, kind.text(last // 10)) for _ in range(2))
    return Growth(use, way, kind, last, seconds, seconds / max(before, 1e-7))


def _steps(piece: int, size: int) -> list[int]:
    """Return the sizes of text at which the cost is measured, given the length of its piece."""
    steps = [piece * number for number in _PIECES if piece * number < size]
    while steps[-1:] < [size // 2]:
        steps.append(2 * steps[-1] if steps else size)
    return [*(step for step in steps if step < size), size]


def confirm(growth: Growth) -> Growth:
    """Measure again, best of three: a busy machine only ever adds to a time.

    A bounded repeat grows like an unbounded one up to its bound: a pattern with bounds is measured at larger sizes too,
    up to the full size or to one that takes far too long.
    """
    use, size = growth.use, growth.size
    while True:
        before, seconds = (
            min(spend(use.pattern, growth.way, text) for _ in range(3))
            for text in map(growth.kind.text, (size // 10, size))
        )
        if size >= SIZE or seconds > _FAR_TOO_MUCH * _unit() or not _Maker(use.pattern).has_bound():
            return replace(growth, size=size, seconds=seconds, factor=seconds / max(before, 1e-7))
        size = min(3 * size, SIZE)


def _make_sure(growth: Growth, limit: float) -> Growth:
    """Confirm a growth; one of a few milliseconds again after a while, when other processes may be quiet."""
    for pause in (0.0, 0.2, 1.0):
        time.sleep(pause)
        growth = confirm(growth)
        if growth.factor < limit or growth.seconds > _BRIEF:
            break
    return growth


def growths(use: Use, size: int = SIZE) -> Iterator[Growth]:
    """Yield the growth of a pattern's cost for each kind of hard text where it can be measured."""
    for kind in kinds_of(use.pattern):
        for way in use.ways:
            if growth := grow(use, way, kind, size):
                yield growth


def find_slow(uses: Iterable[Use], limit: float) -> dict[str, str]:
    """Return the patterns whose cost grows at least ``limit`` times with ten times the text, with one such growth."""
    slow = {}
    for use in uses:
        suspects = (_make_sure(growth, limit) for growth in growths(use) if growth.factor >= limit)
        if found := next((growth for growth in suspects if growth.factor >= limit), None):
            slow[use.name] = str(found)
    return slow
