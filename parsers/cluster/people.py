"""People as these pages print them: tests for names, and persons with their affiliations.

    Bea Sorn                                     reads as a person
    Sorn, Tern, A. Quill                         looks like names: surnames alone count too
    Du, Wang, N. Toosi                           surnames
    Ann One (Norwick), Bo Two (Plum), and Cy Three (Orb Lab)        each with an affiliation
    Ann One, Bo Two, and Cy Three (Norwick); Di Four (Plum)         the bracket closes a whole run of names
    Bea Sorn, Norwick        Bea Sorn (Norwick) Cal Tern (Plum)     chairs; the second replaced the first
    Ann One, Norwick University; Bo Two, Plum Lab                   a semicolon closes each person
    Ann One, Bo Two, Norwick University, Cy Three, Orb Lab          an institution closes a run of names
    Large Cluster Storage                        words of titles and affiliations: no person

The tests for names are guesses, for places that print other things too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from parsers._words.people import PARTICLES
from parsers._words.text import NOBODY, People
from parsers._words.titles import reads_as_title
from schemas.items import Person

PLACEHOLDER: Final = re.compile(
    r"\W*(?:TB[ADC]|N/A|to be (?:announced|determined|confirmed|decided))\W*", re.IGNORECASE
)
"""What stands for a name, a room or a text that is not known yet."""
BETWEEN_NAMES: Final = re.compile(r"(?:(?<!\s)\s+)?[,;]\s*(?:and\s+|AND\s+|&\s*)?|(?<!\s)\s+(?:and|AND|&)\s+")
# Brackets that do not nest, all of them closed.
FLAT: Final = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")
_BRACKET: Final = re.compile(r"[()]")
_NO_NAME: Final = re.compile(r"[0-9@]|://")
# "Authors:", also after the presenter: "Ann One. Authors: Bo Two, Cy Three".
_LABEL: Final = re.compile(r"(?:[^,;():]{3,60}\.\s+(?=Authors:))?(?:Presenter\(s\)|Authors?|Presenters?)\s*:\s*")
_INNERMOST: Final = re.compile(r"(?:(?<!\s)\s+)?\([^()]*\)")
_SMALL_NAME: Final = re.compile(r"[a-z]+(?:[ -][a-z]+){1,2}")
_DEEPEST: Final = 3
_LONGEST_LIST: Final = 100_000
_OPEN_END: Final = re.compile(r"(?:[,;]\s*|\s)(?:and|&)?$")
_OPEN_ENDS: Final = (",", ";", "&", "and")
_NEVER_FIRST: Final = frozenset(
    "af av bin da del della den der di do dos du e el ibn la las le los ten ter vom y zu zum zur".split()
)
"""Particles that begin places, such as ``Los Alamos``, but no names; ``Des``, ``Het`` and ``Na`` are first names."""

# Words of titles and affiliations, not of personal names.
_NOT_NAMES: Final = frozenset(
    """ai algorithm algorithms analytics application applications architecture architectures big bio centre center
    cloud clouds cluster clusters code college community computer computers computing data deep design edge efficient
    energy engineering exascale file forum future graph graphs green heterogeneous high hpc industry institute
    institution intelligence lab laboratory large learning library machine machines management memory mentoring meeting
    model models modern network networking networks new open opening closing panel parallel paper papers performance
    poster posters power program programming quantum research resource review scale scheduling science security
    session sessions simulation software special storage student students supercomputing system systems technologies
    technology tools tutorial tutorials university welcome work workshop workshops""".split()
)
_SURNAMES_TOO: Final = frozenset({"Edge", "Green", "High", "Large", "Power"})


def reads_as_person(text: str) -> bool:
    """True if a text of two to five words looks like a personal name; a guess, for places that print either."""
    words = text.split()
    if not 2 <= len(words) <= 5 or words[0].lower() in _NEVER_FIRST:
        return False
    if reads_as_title(text):
        return False
    if words[-1] in _SURNAMES_TOO:
        words = words[:-1]
    return all(_is_name_word(word) for word in words) and not words[-1][0].islower()


@lru_cache(4096)
def looks_like_names(text: str) -> bool:
    """True if the text outside the brackets of a line can be names: capitals, no digits, few words each."""
    if len(text) > _LONGEST_LIST:
        return False
    text = without_label(text)
    if text.endswith(_OPEN_ENDS):
        text = _OPEN_END.sub("", text)
    names = _names_outside_brackets(text)
    others = [name for name in names if not _can_be_name(name)]
    return bool(names) and (not others or (len(others) == 1 < len(names) - 1 and _is_lower_cased(others[0], text)))


def reads_as_authors(text: str) -> bool:
    """True if a text is surely a list of several authors: two thirds of them look like personal names."""
    if not looks_like_names(text):
        return False
    names = _names_outside_brackets(without_label(text))
    return len(names) > 1 and 3 * sum(map(reads_as_author, names)) >= 2 * len(names)


def without_label(text: str) -> str:
    """Strip the label and repeated spaces from an author list."""
    text = " ".join(text.split())
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


def split_names(text: str) -> list[str]:
    """Split a line at all separators of names; faster if there are only commas."""
    if ";" in text or "&" in text or " AND " in text or " and " in text.replace(", and ", ", ") or text != text.strip():
        return BETWEEN_NAMES.split(text)
    first, *others = [name.strip() for name in text.split(",")]
    if "and" in others:
        return BETWEEN_NAMES.split(text)
    return [first, *[name[4:].lstrip() if name.startswith("and ") else name for name in others]]


def reads_as_author(name: str) -> bool:
    """True if a name of a list looks like a person; a first name may look like a particle: ``Di Wu``."""
    first, _, others = name.partition(" ")
    return reads_as_person(name) or (first.istitle() and first.lower() in PARTICLES and reads_as_person(f"A. {others}"))


def _names_outside_brackets(text: str) -> list[str]:
    """Return the names of a line without affiliations; text in an unclosed or deeply nested bracket is dropped."""
    if FLAT.fullmatch(text):
        pieces = _BRACKET.split(text)
        text = "".join([*[piece.rstrip() for piece in pieces[:-1:2]], pieces[-1]])
    for _ in range(_DEEPEST):
        if "(" not in text:
            break
        text = _INNERMOST.sub("", text)
    return [name for name in split_names(text.partition("(")[0]) if name]


def _can_be_name(name: str) -> bool:
    """True if a text can be a name on an author line, where surnames alone count too."""
    if name[0].isupper() and name.isascii() and name.count(" ") < 7:
        return _NO_NAME.search(name) is None
    words = name.split()
    if len(words) > 7 or _NO_NAME.search(name) or any(letter.isdigit() for letter in name):
        return False
    return any(word[0].isupper() or not word[0].isascii() for word in words)


def _is_lower_cased(name: str, text: str) -> bool:
    """True if a name of a list is in lower case; the affiliation after it shows that it is a name."""
    return _SMALL_NAME.fullmatch(name) is not None and f"{name} (" in text


def _is_name_word(word: str) -> bool:
    """True if a word can be part of a personal name: capitalised or a particle, and not a word of titles."""
    if word in PARTICLES:
        return True
    bare = word.replace(".", "").replace("-", "").replace("'", "").replace("’", "")
    return (
        bool(bare)
        and bare.isalpha()
        and (word[0].isupper() or not word[0].islower())
        and (bare.lower() not in _NOT_NAMES or bare == "Ai")
    )


_GROUP_MARKS: Final = re.compile(r"\s*(;|\s(?:and|AND|&)\s)\s*(?:(?:and|AND)\s+)?")
_MARKS: Final = re.compile(r"[(),;]|\s(?:and|AND|&)\s")
_BETWEEN: Final = re.compile(r"[,;]|\s(?:and|AND|&)\s")
_SEVERAL: Final = re.compile(r"[,;]|\s(?:and|AND|&)(?:\s|$)|^(?:&|and(?! ))")

# Footnote marks after names.
_FOOTNOTE: Final = re.compile(r"(?<=\w) ?[*†‡§]+(?=\s*(?:[,;(]|and\b|$))")
# Suffixes that belong to the name before the comma: "Cy Three, Jr."
_SUFFIX: Final = re.compile(r"(?:Jr|Sr)\.?|I{2,3}")
_SLASH: Final = re.compile(r"\s/\s(?![^()]*\))")


def join_lines(lines: Iterable[str]) -> str:
    """Join an author list that is printed on several lines."""
    joined = ""
    for line in (line.removeprefix("• ") for line in lines):
        if not joined or joined.endswith((",", ";", " and", "(")) or line.startswith(("and ", ",", ";", "(", ")")):
            joined = f"{joined} {line}" if joined else line
        else:
            joined = f"{joined} {line}" if joined.count("(") > joined.count(")") else f"{joined}, {line}"
    return joined


def read_authors(text: str) -> People:
    """Read an author line; a bracket is the affiliation of every name since the bracket or semicolon before it."""
    text = _FOOTNOTE.sub("", without_label(text))
    if "(" in text:
        return _read_bracketed(text)
    run: list[str] = []
    for name in split_names(text):
        _add_name(run, name)
    return People(tuple(read_between_commas(text) or map(Person, run)))


def read_speaker(text: str) -> People:
    """Read the speaker of a keynote: ``Name (Affiliation)``, ``Name, Affiliation`` or a bare name."""
    text = without_label(text)
    if has_comma_style(text) or "(" not in text:
        return People(tuple(read_person(group) for group in _groups(text)))
    return _read_bracketed(text)


@lru_cache(4096)
def read_chairs(names: str, role: str = "Chair") -> People:
    """Read the names after a chair label, or a bare line of names if ``role`` is empty."""
    if PLACEHOLDER.fullmatch(names) or not names:
        return NOBODY
    names = _part_slashes(names)
    several = not role or role.lower().rstrip("()").endswith("s")
    parts = [part for part in BETWEEN_NAMES.split(names) if part]
    if several and "(" not in names and all(reads_as_person(part) for part in parts):
        return People(tuple(Person(part) for part in parts))
    return read_speaker(names)


def _part_slashes(names: str) -> str:
    """Replace slashes between persons by semicolons; those between institutions stay."""
    if " / " not in names:
        return names
    first, *others = _SLASH.split(names)
    for other in others:
        mark = "; " if reads_as_person(other.partition("(")[0].partition(",")[0].strip()) else " / "
        first = f"{first}{mark}{other}"
    return first


def has_comma_style(text: str) -> bool:
    """True if a comma, not a bracket, separates a name from its affiliation: ``Name, Institute (Short), Town``."""
    before_bracket = text.partition("(")[0]
    name, comma, rest = before_bracket.partition(",")
    return bool(comma) and reads_as_person(name.strip()) and not reads_as_person(rest.partition(",")[0].strip())


def _groups(text: str) -> list[str]:
    """Split persons at semicolons, and at ``and`` if a name follows: affiliations contain ``and`` too."""
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


def read_person(text: str) -> Person:
    """Read one person: ``Name (Affiliation)``, ``Name, Affiliation`` or a bare name."""
    name, bracket, inside = text.partition("(")
    if bracket and "," not in name and inside.endswith(")"):
        return Person(name.strip(), inside[:-1].strip() or None)
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
    """Read the same if all brackets are closed and none nests, which is the usual case: in fewer steps."""
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


_INSTITUTION: Final = re.compile(
    r"\b(?:Universit\w*|Institut\w*|Laborator\w+|Labs?|College|Cent(?:er|re)|School|Academy|Inc|Ltd|GmbH|Corporation"
    r"|Polytechnic\w*|Foundation|Agency|Ministry|Research)\b"
)


def read_between_commas(text: str) -> list[Person]:
    """Read a list with affiliations between commas; empty if it is a list of names alone."""
    groups = [group.strip() for group in text.split(";") if group.strip()]
    if len(groups) > 1:
        return _read_groups(groups)
    return _read_runs(text) if names_institution(text) else []


def _institution_parts(text: str) -> Iterator[str]:
    """Yield the parts between commas, and those before and after ``and`` if it follows an institution."""
    for part in (part.strip() for part in text.split(",")):
        place, mark, name = part.rpartition(" and ")
        if mark and names_institution(place) and reads_as_author(name):
            yield place
            yield name
        else:
            yield part


def names_institution(text: str) -> bool:
    """True if a text contains a word for an institution."""
    return _INSTITUTION.search(text) is not None


def _read_groups(groups: list[str]) -> list[Person]:
    """Read ``Name, Affiliation`` between semicolons; empty if one of them is something else."""
    persons: list[Person] = []
    for group in groups:
        name, _, affiliation = group.removeprefix("and ").partition(",")
        affiliation = affiliation.strip()
        if not reads_as_author(name) or not affiliation or reads_as_author(affiliation.partition(",")[0]):
            return []
        persons.append(Person(name, affiliation))
    return persons


def _read_runs(text: str) -> list[Person]:
    """Read runs of names, each closed by an institution; empty if the order is different."""
    persons: list[Person] = []
    run: list[str] = []
    affiliation = ""
    for part in _institution_parts(text):
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
