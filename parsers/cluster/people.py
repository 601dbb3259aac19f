"""People as these pages print them: author lines, speakers, chairs, each name with its affiliation.

Du, Wang, N. Toosi                                              surnames
Ann One (Norwick), Bo Two (Plum), and Cy Three (Orb Lab)        each with an affiliation
Ann One, Bo Two, and Cy Three (Norwick); Di Four (Plum)         the bracket closes a whole run of names
Bea Sorn, Norwick        Bea Sorn (Norwick) Cal Tern (Plum)     chairs; the second replaced the first

Whether a text is one of names at all does not belong here (``names``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from parsers.cluster.comma_lists import read_between_commas
from parsers.cluster.headings import PLACEHOLDER
from parsers.cluster.names import BETWEEN_NAMES, FLAT, reads_as_person, split_names, without_label
from schemas.items import Person

_GROUP_MARKS: Final = re.compile(r"\s*(;|\s(?:and|AND|&)\s)\s*(?:(?:and|AND)\s+)?")
_MARKS: Final = re.compile(r"[(),;]|\s(?:and|AND|&)\s")
_BETWEEN: Final = re.compile(r"[,;]|\s(?:and|AND|&)\s")
_SEVERAL: Final = re.compile(r"[,;]|\s(?:and|AND|&)(?:\s|$)|^(?:&|and(?! ))")

# What belongs to the name in front of its comma: "Cy Three, Jr."
_SUFFIX: Final = re.compile(r"(?:Jr|Sr)\.?|I{2,3}")
_SLASH: Final = re.compile(r"\s/\s(?![^()]*\))")


@dataclass(frozen=True, slots=True)
class People:
    """Persons in printed order, and the notes that reading them left."""

    persons: tuple[Person, ...]
    notes: tuple[str, ...] = ()


NOBODY: Final = People(())


def join_lines(lines: Iterable[str]) -> str:
    """Join an author list that the page breaks over several lines."""
    joined = ""
    for line in (line.removeprefix("• ") for line in lines):
        if not joined or joined.endswith((",", ";", " and", "(")) or line.startswith(("and ", ",", ";", "(", ")")):
            joined = f"{joined} {line}" if joined else line
        else:
            joined = f"{joined} {line}" if joined.count("(") > joined.count(")") else f"{joined}, {line}"
    return joined


def read_authors(text: str) -> People:
    """Read an author line; a bracket is the affiliation of every name since the bracket or semicolon before it."""
    text = without_label(text)
    if "(" in text:
        return _read_bracketed(text)
    run: list[str] = []
    for name in split_names(text):
        _add_name(run, name)
    return People(tuple(read_between_commas(text) or map(Person, run)))


def read_speaker(text: str) -> People:
    """Read who gives a keynote: ``Name (Affiliation)``, ``Name, Affiliation`` or a bare name."""
    text = without_label(text)
    if _has_comma_style(text) or "(" not in text:
        return People(tuple(_name_and_affiliation(group) for group in _groups(text)))
    return _read_bracketed(text)


@lru_cache(4096)
def read_chairs(names: str, role: str = "Chair") -> People:
    """Read the names after a chair label, or a bare line of names where ``role`` is empty."""
    if PLACEHOLDER.fullmatch(names) or not names:
        return NOBODY
    names = _part_slashes(names)
    several = not role or role.lower().rstrip("()").endswith("s")
    parts = [part for part in BETWEEN_NAMES.split(names) if part]
    if several and "(" not in names and all(reads_as_person(part) for part in parts):
        return People(tuple(Person(part) for part in parts))
    return read_speaker(names)


def _part_slashes(names: str) -> str:
    """Put semicolons for slashes between persons; those between institutions stay."""
    if " / " not in names:
        return names
    first, *others = _SLASH.split(names)
    for other in others:
        mark = "; " if reads_as_person(other.partition("(")[0].partition(",")[0].strip()) else " / "
        first = f"{first}{mark}{other}"
    return first


def _has_comma_style(text: str) -> bool:
    """Say whether a comma, not a bracket, parts a name from its affiliation: ``Name, Institute (Short), Town``."""
    before_bracket = text.partition("(")[0]
    name, comma, rest = before_bracket.partition(",")
    return bool(comma) and reads_as_person(name.strip()) and not reads_as_person(rest.partition(",")[0].strip())


def _groups(text: str) -> list[str]:
    """Split persons at semicolons, and at ``and`` where a name follows: affiliations hold ``and`` too."""
    groups: list[str] = []
    for mark, group in _pieces(text):
        name = group.partition(",")[0].partition("(")[0].strip()
        if groups and mark != ";" and not reads_as_person(name):
            groups[-1] += f" {mark} {group}"
        else:
            groups.append(group)
    return groups


def _pieces(text: str) -> list[tuple[str, str]]:
    """Return the pieces between separators, each with the separator before it."""
    pieces = _GROUP_MARKS.split(text)
    return [(mark.strip() or ";", group) for mark, group in zip(["", *pieces[1::2]], pieces[::2], strict=True) if group]


def _name_and_affiliation(text: str) -> Person:
    """Read ``Name, Affiliation`` or a bare name."""
    name, _, affiliation = text.partition(",")
    return Person(name.strip(), affiliation.strip() or None)


def _read_bracketed(text: str) -> People:
    """Read names with affiliations in brackets; brackets nest, an unclosed one reaches the end of the text."""
    if FLAT.fullmatch(text):
        return _read_flat(text)
    persons: list[Person] = []
    run: list[str] = []
    depth = start = 0
    for mark in _MARKS.finditer(text):
        sign = mark[0]
        if sign == "(":
            if depth == 0:
                _add_name(run, text[start : mark.start()])
                start = mark.end()
            depth += 1
        elif sign == ")":
            depth = max(0, depth - 1)
            if depth == 0:
                _close_run(persons, run, text[start : mark.start()])
                start = mark.end()
        elif depth == 0:
            _add_name(run, text[start : mark.start()])
            start = mark.end()
            if sign == ";":
                _close_run(persons, run, None)
    if depth:
        _close_run(persons, run, text[start:])
        return People(tuple(persons), ("bracket_unclosed",))
    _add_name(run, text[start:])
    _close_run(persons, run, None)
    return People(tuple(persons))


def _read_flat(text: str) -> People:
    """Read the same where no bracket nests and all are closed, which is nearly always: in fewer steps."""
    persons: list[Person] = []
    run: list[str] = []
    pieces = text.replace(")", "(").split("(")
    for outside, inside in zip(pieces[::2], [*pieces[1::2], None], strict=True):
        name = outside.strip(" ,").strip()
        affiliation = inside.strip() or None if inside else None
        if _SEVERAL.search(name) or ";" in outside:
            _add_names(persons, run, outside)
            _close_run(persons, run, affiliation)
        elif name:
            persons.append(Person(name.removeprefix("and ").strip(), affiliation))
    return People(tuple(persons))


def _add_names(persons: list[Person], run: list[str], text: str) -> None:
    """Add several names to the run that the next bracket closes; a semicolon closes it without affiliation."""
    for place, group in enumerate(text.split(";")):
        if place:
            _close_run(persons, run, None)
        for name in _BETWEEN.split(group):
            _add_name(run, name)


def _add_name(run: list[str], text: str) -> None:
    """Add a name to the run that the next bracket closes."""
    name = text.strip().removeprefix("and ").strip()
    if run and _SUFFIX.fullmatch(name):
        run[-1] = f"{run[-1]}, {name}"
    elif name:
        run.append(name)


def _close_run(persons: list[Person], run: list[str], affiliation: str | None) -> None:
    """Give every name of the run its affiliation."""
    inside = (affiliation or "").strip() or None
    persons.extend(Person(name, inside) for name in run)
    run.clear()
