"""Author lists whose affiliations stand between commas rather than in brackets.

    Ann One, Norwick University; Bo Two, Plum Lab              a semicolon closes each person
    Ann One, Bo Two, Norwick University, Cy Three, Orb Lab     an institution closes a run of names

A list of names alone is none of them, nor is one of surnames: these are read in ``people``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from parsers.cluster.names import BETWEEN_NAMES, reads_as_author
from schemas.items import Person

_INSTITUTION: Final = re.compile(
    r"\b(?:Universit\w*|Institut\w*|Laborator\w+|Labs?|College|Cent(?:er|re)|School|Academy|Inc|Ltd|GmbH|Corporation"
    r"|Polytechnic\w*|Foundation|Agency|Ministry|Research)\b"
)


def read_between_commas(text: str) -> list[Person]:
    """Read a list whose affiliations stand between commas; nobody where it is a list of names alone."""
    groups = [group.strip() for group in text.split(";") if group.strip()]
    if len(groups) > 1:
        return _read_groups(groups)
    return _read_runs(text) if names_institution(text) else []


def _parts(text: str) -> Iterator[str]:
    """Yield what commas part, and what ``and`` parts from an institution in front of it."""
    for part in (part.strip() for part in text.split(",")):
        place, mark, name = part.rpartition(" and ")
        if mark and names_institution(place) and reads_as_author(name):
            yield place
            yield name
        else:
            yield part


def names_institution(text: str) -> bool:
    """Say whether a word of a text is one of institutions."""
    return _INSTITUTION.search(text) is not None


def _read_groups(groups: list[str]) -> list[Person]:
    """Read ``Name, Affiliation`` between semicolons; nobody where one of them is something else."""
    persons: list[Person] = []
    for group in groups:
        name, _, affiliation = group.removeprefix("and ").partition(",")
        affiliation = affiliation.strip()
        if not reads_as_author(name) or not affiliation or reads_as_author(affiliation.partition(",")[0]):
            return []
        persons.append(Person(name, affiliation))
    return persons


def _read_runs(text: str) -> list[Person]:
    """Read runs of names, each closed by an institution; nobody where the order is another."""
    persons: list[Person] = []
    run: list[str] = []
    affiliation = ""
    for part in _parts(text):
        names = BETWEEN_NAMES.split(part.removeprefix("and "))
        if all(map(reads_as_author, names)) and not names_institution(part):
            if affiliation:
                persons += [Person(name, affiliation) for name in run]
                run, affiliation = [], ""
            run += names
        elif run and (affiliation or names_institution(part)):
            affiliation = f"{affiliation}, {part}" if affiliation else part
        else:
            return []
    return [*persons, *(Person(name, affiliation or None) for name in run)]
