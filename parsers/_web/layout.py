"""Fingerprints of layouts: short hashes that stay the same while the content changes, and change with the markup.

Only the parts that a parser relies on count, each at the place where it is most often found, so that an optional part
or one damaged item makes no difference. Each source names its parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import Final

from lxml import etree

_MISSING: Final = "missing"
_KINDS: Final = {str: "text", bool: "truth", int: "number", float: "number", dict: "object", list: "list"}
_MOST_KEYS: Final = 100
_LOOKED_AT: Final = 5_000
"""The most elements of a page that are looked at: most pages have fewer, and looking at all of a large one takes a
quarter of the time of reading it."""

PARTS: Final = ("table", "section", "article", "h2", "h3", "h4", "li")
"""The parts of a page of which only its tables know more."""

_Ways = dict[tuple[etree._Element, str], str]
"""The tags on the way from a part down to an element inside it."""


def markup_layout(root: etree._Element, parts: Iterable[str]) -> str:
    """Return a hash of where the parts of a page are found; empty if it has none of them.

    A part is a tag (``dt``) or a class (``.talk``), or one inside another (``.talk .title``): then its place is the
    tags on the way down from the outer one. For a single part only the tag counts, since some pages lack end tags.
    """
    wanted = tuple(parts)
    places: dict[str, Counter[str]] = {part: Counter() for part in wanted}
    ends: dict[str, list[tuple[str, list[str]]]] = {}
    for part in wanted:
        *outer, inner = part.split()
        ends.setdefault(inner, []).append((part, outer))
    ways: _Ways = {}
    of_kind: dict[tuple[object, str | None], list[tuple[str, list[str]]]] = {}  # a page has few kinds of elements
    for element in islice(root.iter("*"), _LOOKED_AT):
        kind = element.tag, element.get("class")
        if (found := of_kind.get(kind)) is None:
            found = of_kind[kind] = [each for name in _names_of(*kind) for each in ends.get(name, ())]
        for part, outer in found:
            if place := _place(element, outer, ways):
                places[part][place] += 1
    return _digest(wanted, places)


def data_layout(value: object, paths: Iterable[str]) -> str:
    """Return a hash of the kinds of values at the paths of JSON data; empty if there are none.

    A path names keys; ``[]`` is every element of a list: ``papers[].title``, ``[].paper.id``.
    """
    wanted = tuple(paths)
    return _digest(wanted, {path: _kinds_at(value, path.replace("[]", ".[]").strip(".").split(".")) for path in wanted})


def keys_layout(value: object) -> str:
    """Return a hash of the kinds of values of the keys of data, or of those that most of a list have; empty if none.

    An object of many keys is one by id: they are no layout.
    """
    tops = value[:_MOST_KEYS] if isinstance(value, list) else [value]
    seen = Counter(key for top in tops if isinstance(top, dict) and len(top) <= _MOST_KEYS for key in top)
    keys = sorted(key for key, count in seen.items() if 2 * count > len(tops))
    return data_layout(value, [f"[].{key}" if isinstance(value, list) else key for key in keys])


def _digest(names: Iterable[str], seen: dict[str, Counter[str]]) -> str:
    """Hash what is most often seen under each name; empty if nothing was seen at all."""
    usual = {name: _usual(seen[name]) for name in names}
    if set(usual.values()) <= {_MISSING}:
        return ""
    return sha256("\n".join(f"{name} {place}" for name, place in usual.items()).encode()).hexdigest()[:16]


def _usual(counts: Counter[str]) -> str:
    """Return the most frequent name; of equals the first in the alphabet."""
    return min(counts, key=lambda name: (-counts[name], name)) if counts else _MISSING


@lru_cache(maxsize=1024)
def _names_of(tag: object, classes: str | None) -> frozenset[str]:
    """Return the names by which a part can refer to an element."""
    return frozenset((_local_name(tag), *(f".{name}" for name in (classes or "").split())))


@lru_cache(maxsize=1024)
def _local_name(tag: object) -> str:
    """Return a tag without its namespace; HTML tags can be any text, such as ``o:p``."""
    return str(tag).rpartition("}")[2]


def _place(element: etree._Element, outer: list[str], ways: _Ways) -> str:
    """Return the tags on the way down to an element from the nearest outer part; empty if it is in none."""
    name = _local_name(element.tag)
    if not outer:
        return name
    way = _way_to(element.getparent(), outer[-1], ways)
    return f"{way}>{name}" if way else ""


def _way_to(element: etree._Element | None, outer: str, ways: _Ways) -> str:
    """Return the tags on the way down to an element from the nearest outer part, which can be the element itself.

    The parts of a page share their surroundings: the way to each element is looked for once.
    """
    if element is None:
        return ""
    if (way := ways.get((element, outer))) is None:
        way = _local_name(element.tag)
        if outer not in _names_of(element.tag, element.get("class")):
            above = _way_to(element.getparent(), outer, ways)
            way = f"{above}>{way}" if above else ""
        ways[element, outer] = way
    return way


def _kinds_at(value: object, path: Iterable[str]) -> Counter[str]:
    """Count the kinds of the values at a path; ``missing`` if a key on the way is absent or its parent is no object."""
    values, missing = [value], 0
    for key in path:  # all values at once, step by step: ten times as fast as value by value
        if key == "[]":
            values = [element for each in values if isinstance(each, list) for element in each]
        else:
            found = [each[key] for each in values if isinstance(each, dict) and key in each]
            missing += len(values) - len(found)
            values = found
    kinds = Counter({_MISSING: missing} if missing else {})
    for kind, number in Counter(map(type, values)).items():
        kinds[_KINDS.get(kind, "null")] += number
    return kinds
