"""The people of a Smart Program in HTML: links, sentences, lines, raised numbers.

```
<a class="person" href="..">A. One</a>, <a class="person" href="..">Bo Two, Jr.</a> and Celia Three
<a class="person" href="..">Anna Vell</a> (Quill Institute, Norland)<br><a class="person" href="..">B. Wexley</a> (..)
Anna Vell<sup>1</sup>, B. Wexley<sup>1,2</sup>      <div class="affiliation_item"><sup>1</sup> Quill Institute</div>
```

A link to a person is one name, whatever its text; the target of a raised number is one affiliation, in which the
country cannot be identified. Splitting a line of plain text does not belong here (``people``).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from parsers._ledger.elements import raw_text_of
from parsers._words.text import People, person_with_country
from parsers.easychair.elements import BREAK, Element, fold, gather, lines_in, read_label
from parsers.easychair.people import people_of, split_people
from schemas.items import Person

_MARK: Final = "\0"  # never in the text of a page, like the other control characters
_MARKED: Final = re.compile(rf"\s*{_MARK}([^{_MARK}]*){_MARK}")
_NEXT_MARK: Final = re.compile(rf"{_MARK}\s*,?\s*{_MARK}")
_NUMBERS: Final = re.compile(r"\w+")
_LINE_JOINT: Final = re.compile(r"(?:\s*,|\s+and|\s*,\s*and)$|^(?:,|and\s)\s*")
_JOINTS: Final = frozenset({None, ", ", " and ", "", ",", "and", ", and"})

_CERTAIN: Final = re.compile(r"(?:(?!and(?: |\Z))[^\s,()]+(?: |\Z))+")
"""A folded name that cannot be split."""

_PLACE: Final = re.compile(r"\((?:[^()]++|\([^()]*+\))++\)")

_BRACKETS: Final = re.compile(r"[()]")
_CUTS: Final = re.compile(r"[,()]|(?<=\s)and(?=\s)")
_KEPT: Final = {",": "\1", "(": "\2", ")": "\3", "and": "\4"}
_RESTORED: Final = str.maketrans({kept: cut for cut, kept in _KEPT.items()})
_HAS_KEPT: Final = re.compile(f"[{''.join(_KEPT.values())}]")


def people_in(elements: Sequence[Element], places: Sequence[Element] = ()) -> People:
    """Return the people of elements, with the affiliations that raised numbers refer to."""
    if len(elements) == 1 and not places:  # the two most common shapes
        known = _linked_people(elements[0])
        known = _placed_people(elements[0]) if known is None else known
        if known is not None:
            return People(known)
    lines = [line for element in elements for line in gather(element, _read_person)]
    if places or any(_MARK in line for line in lines):
        lines = _with_places(lines, _numbered(places))
    found = people_of(_joined(lines))
    if not any(map(_HAS_KEPT.search, lines)):
        return found
    return People(tuple(map(_restored, found.people)), found.notes)


def _keep(text: str) -> str:
    """Return a text with its separators replaced, so that it is not split."""
    return _CUTS.sub(lambda cut: _KEPT[cut[0]], text)


def _restored(person: Person) -> Person:
    """Restore the separators that ``_keep`` replaced in a person."""
    name, *others = (text and text.translate(_RESTORED) for text in (person.name, person.affiliation, person.country))
    return Person(name or "", *others)


def _linked_people(element: Element) -> tuple[Person, ...] | None:
    """Return the people of an element that holds nothing but links to people and separators; None for any other."""
    if element.text and not element.text.isspace():
        return None
    names: list[str] = []
    for child in element:
        tail = child.tail
        if (
            child.get("class") != "person"
            or len(child)
            or (tail not in _JOINTS and (tail or "").strip() not in _JOINTS)
        ):
            return None
        if name := fold(child.text):
            names.append(name)
    return tuple(map(Person, names))


def _placed_people(element: Element) -> tuple[Person, ...] | None:
    """Return the people of an element that holds only links to people, each followed by an affiliation in brackets.

    Each is on its own line. None for any other element, also if a name or an affiliation could be split.
    """
    if element.text and not element.text.isspace():
        return None
    people: list[Person] = []
    for child in element:
        tail = child.tail
        if child.get("class") != "person" or len(child):
            if child.tag == "br" and (not tail or tail.isspace()):
                continue
            return None
        name, place = fold(child.text), _read_place(tail or "")
        if place is None or not _CERTAIN.fullmatch(name):
            return None
        people.append(Person(name, *place))
    return tuple(people)


@lru_cache(maxsize=4096)  # colleagues share an affiliation
def _read_place(tail: str) -> tuple[str | None, str | None] | None:
    """Return affiliation and country from the brackets after a name; None for any other text."""
    place = fold(tail)
    if not _PLACE.fullmatch(place):
        return None
    person = person_with_country(place)
    return person.affiliation, person.country


def _read_person(element: Element) -> str | None:
    """Return a mark for a raised number, and the name of a linked person protected from splitting."""
    if element.tag == "sup":
        numbers = "+".join(_NUMBERS.findall(raw_text_of(element)))
        return f"{_MARK}{numbers}{_MARK}" if numbers else ""
    if element.tag == "a" and element.get("class") == "person":
        name = _keep(" ".join(lines_in(element)))
        above = element.getprevious()
        is_closed = above is not None and (above.tail or "").rstrip().endswith(")")
        # After an affiliation a space alone can separate two people, inside the link sometimes not even that.
        return f"{BREAK if is_closed else ''}{name}{' ' * raw_text_of(element)[-1:].isspace()}"
    return read_label(element)


def _joined(lines: Sequence[str]) -> list[str]:
    """Strip the separators from lines of one name each, and append the lines of an affiliation to its name."""
    found: list[str] = []
    for place, line in enumerate(lines):
        is_open = bool(found) and found[-1].count("(") > found[-1].count(")")
        if found and (line.startswith("(") or (is_open and _closes(lines[place:]))):
            found[-1] = f"{found[-1]} {line}"
        elif line.count("(") > line.count(")"):
            found.append(line)
        elif name := _LINE_JOINT.sub("", line):
            found.append(name)
    return found


def _closes(lines: Sequence[str]) -> bool:
    """True if lines close a bracket before they open one."""
    return next((cut[0] == ")" for line in lines for cut in _BRACKETS.finditer(line)), False)


def _numbered(places: Sequence[Element]) -> dict[str, str]:
    """Return the printed affiliations by their raised number, which is empty if missing."""
    found: dict[str, str] = {}
    for place in places:
        line = " ".join(gather(place, _read_person))
        mark = _MARKED.match(line)
        found.setdefault(mark[1] if mark else "", _MARKED.sub("", line).strip())
    return found


def _with_places(lines: Sequence[str], places: dict[str, str]) -> list[str]:
    """Return one line per person: name, and in brackets the affiliations that its numbers refer to."""
    found = []
    for printed in (part for line in lines for part in split_people(_NEXT_MARK.sub("+", line))):
        numbers = [number for mark in _MARKED.findall(printed) for number in mark.split("+")]
        named = [places[number] for number in numbers or [""] if places.get(number)]
        name = _MARKED.sub("", printed).strip()
        found.append(f"{name} ({_keep('; '.join(named))})" if named else name)
    return found
