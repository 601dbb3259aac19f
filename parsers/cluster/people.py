"""Names as these pages print them: author lines, chairs, and whether a text reads as a personal name.

Du, Wang, N. Toosi                                              surnames
Ann One (Norwick), Bo Two (Plum), and Cy Three (Orb Lab)        each with an affiliation
Ann One, Bo Two, and Cy Three (Norwick); Di Four (Plum)         the bracket closes a whole run of names
Bea Sorn, Norwick        Bea Sorn (Norwick) Cal Tern (Plum)     chairs; the second replaced the first
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from parsers._programme import reads_as_title
from parsers.cluster.headings import PLACEHOLDER
from schemas.items import Person

_BETWEEN_NAMES: Final = re.compile(r"\s*[,;]\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+")
_GROUP_MARKS: Final = re.compile(r"\s*(;|\s(?:and|&)\s)\s*(?:and\s+)?")
_MARKS: Final = re.compile(r"[(),;]|\s(?:and|&)\s")
_FLAT: Final = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")
_BRACKET: Final = re.compile(r"[()]")
_BETWEEN: Final = re.compile(r"[,;]|\s(?:and|&)\s")
_SEVERAL: Final = re.compile(r"[,;]|\s(?:and|&)(?:\s|$)|^(?:&|and(?! ))")
_NO_NAME: Final = re.compile(r"[0-9@]|://")
_LABEL: Final = re.compile(r"(?:Presenter\(s\)|Authors?|Presenters?)\s*:\s*")
_INNERMOST: Final = re.compile(r"\s*\([^()]*\)")
_DEEPEST: Final = 3
_LONGEST_LIST: Final = 100_000
_OPEN_END: Final = re.compile(r"(?:[,;]\s*|\s)(?:and|&)?$")
_OPEN_ENDS: Final = (",", ";", "&", "and")
_PARTICLES: Final = frozenset(
    "al bin da de del della den der di do dos du e el ibn la le ten ter van vom von y zu".split()
)

# Words that stand in titles and affiliations, not in names of people.
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


@dataclass(frozen=True, slots=True)
class People:
    """Persons in printed order, and the notes that reading them left."""

    persons: tuple[Person, ...]
    notes: tuple[str, ...] = ()


NOBODY: Final = People(())


def reads_as_person(text: str) -> bool:
    """Say whether a text of two to five words reads as a personal name; a guess, for places that print either."""
    words = text.split()
    if not 2 <= len(words) <= 5 or words[0].lower() in _PARTICLES - {"van", "von", "de", "al", "ben"}:
        return False
    if reads_as_title(text):
        return False
    if words[-1] in _SURNAMES_TOO:
        words = words[:-1]
    return all(_is_name_word(word) for word in words) and not words[-1][0].islower()


@lru_cache(4096)
def looks_like_names(text: str) -> bool:
    """Say whether what stands outside the brackets of a line can be names: capitals, no digits, few words each."""
    if len(text) > _LONGEST_LIST:
        return False
    text = _without_label(text)
    if text.endswith(_OPEN_ENDS):
        text = _OPEN_END.sub("", text)
    names = _names_outside_brackets(text)
    return bool(names) and all(map(_can_be_name, names))


def reads_as_authors(text: str) -> bool:
    """Say whether a text is surely a list of several authors: two in three of them read as personal names."""
    if not looks_like_names(text):
        return False
    names = _names_outside_brackets(_without_label(text))
    return len(names) > 1 and 3 * sum(map(_reads_as_author, names)) >= 2 * len(names)


def _reads_as_author(name: str) -> bool:
    """Say whether a name of a list reads as a person; a first name may look like a particle: ``Di Wu``."""
    first, _, others = name.partition(" ")
    return reads_as_person(name) or (
        first.istitle() and first.lower() in _PARTICLES and reads_as_person(f"A. {others}")
    )


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
    text = _without_label(text)
    if "(" in text:
        return _read_bracketed(text)
    return People(tuple([Person(name) for name in _split_names(text) if name]))


def read_speaker(text: str) -> People:
    """Read who gives a keynote: ``Name (Affiliation)``, ``Name, Affiliation`` or a bare name."""
    text = _without_label(text)
    if _has_comma_style(text) or "(" not in text:
        return People(tuple(_name_and_affiliation(group) for group in _groups(text)))
    return _read_bracketed(text)


@lru_cache(4096)
def read_chairs(names: str, role: str = "Chair") -> People:
    """Read the names after a chair label, or a bare line of names where ``role`` is empty."""
    if PLACEHOLDER.fullmatch(names) or not names:
        return NOBODY
    several = not role or role.lower().rstrip("()").endswith("s")
    parts = [part for part in _BETWEEN_NAMES.split(names) if part]
    if several and "(" not in names and all(reads_as_person(part) for part in parts):
        return People(tuple(Person(part) for part in parts))
    return read_speaker(names)


def _without_label(text: str) -> str:
    """Take the label off an author list, and runs of blanks out of it."""
    text = " ".join(text.split())
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


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
    if _FLAT.fullmatch(text):
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
    if name := text.strip().removeprefix("and ").strip():
        run.append(name)


def _close_run(persons: list[Person], run: list[str], affiliation: str | None) -> None:
    """Give every name of the run its affiliation."""
    inside = (affiliation or "").strip() or None
    persons.extend(Person(name, inside) for name in run)
    run.clear()


def _names_outside_brackets(text: str) -> list[str]:
    """Return the names of a line without their affiliations; what an unclosed or deeply nested bracket holds is cut."""
    if _FLAT.fullmatch(text):
        pieces = _BRACKET.split(text)
        text = "".join([*[piece.rstrip() for piece in pieces[:-1:2]], pieces[-1]])
    for _ in range(_DEEPEST):
        if "(" not in text:
            break
        text = _INNERMOST.sub("", text)
    return [name for name in _split_names(text.partition("(")[0]) if name]


def _split_names(text: str) -> list[str]:
    """Split a line at all that stands between names; where only commas do, in fewer steps."""
    if ";" in text or "&" in text or " and " in text.replace(", and ", ", ") or text != text.strip():
        return _BETWEEN_NAMES.split(text)
    first, *others = [name.strip() for name in text.split(",")]
    if "and" in others:
        return _BETWEEN_NAMES.split(text)
    return [first, *[name[4:].lstrip() if name.startswith("and ") else name for name in others]]


def _can_be_name(name: str) -> bool:
    """Say whether a text can be a name on an author line, where surnames stand alone too."""
    if name[0].isupper() and name.isascii() and name.count(" ") < 7:
        return _NO_NAME.search(name) is None
    words = name.split()
    if len(words) > 7 or _NO_NAME.search(name) or any(letter.isdigit() for letter in name):
        return False
    return any(word[0].isupper() or not word[0].isascii() for word in words)


def _is_name_word(word: str) -> bool:
    """Say whether a word is a part of a personal name: capitalised or a particle, and no word of titles."""
    if word in _PARTICLES:
        return True
    bare = word.replace(".", "").replace("-", "").replace("'", "").replace("’", "")
    return (
        bool(bare)
        and bare.isalpha()
        and (word[0].isupper() or not word[0].islower())
        and (bare.lower() not in _NOT_NAMES or bare == "Ai")
    )
