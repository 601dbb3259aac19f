"""Author lines of arXiv listings, and authors glued to a title.

Invented lines, all as arXiv prints them::

    Ada Quill, Bo Ferns, J.-P. van Oort et al. (84 additional authors not shown)
    A. Quill (1), B. Ferns (2) ((1) Institute of Tides, Mole, (2) Harbour Lab)
    BEAM Collaboration: A. Quill, B. Ferns
    Ada Quill (the BEAM Collaboration), Bo Ferns for the BEAM Collaboration
    A Study of Foam for Large TanksAda Quill, Bo Ferns          (glued: no sign between title and authors)

Where entries begin and end does not belong here.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from parsers._text import split_outside_brackets
from schemas.items import Person

_BLOCKS: Final = (range(0x530), range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic, Armenian capitals; Latin of Vietnam
_LETTERS: Final = [chr(code) for block in _BLOCKS for code in block if chr(code).isalpha()]
_UPPER: Final = "".join(letter for letter in _LETTERS if letter.isupper())
_LOWER: Final = "".join(letter for letter in _LETTERS if letter.islower())

_CUT = re.compile(
    r"(?:\bet\.? al\b\.?(?: {0,2}\(\d+ additional authors? not shown\))?|(?:,|\band) {0,2}others\.?)$", re.IGNORECASE
)
_CUT_ENDS: Final = ("al", "al.", "shown)", "others", "others.")
_UNAVAILABLE: Final = "(author list is unavailable)"
_FOREIGN = re.compile(r"[\d;=<>@#|?!]")
_SUFFIXES: Final = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_TEAM: Final = r"(?i:Collaborations?|Consortium|Team|Group)"
_TEAM_FIRST = re.compile(rf"(?P<team>[^:,()]*\b{_TEAM})\s*:\s*(?P<names>\S.*)")
_ON_BEHALF = re.compile(rf"(?P<name>.*?)(?:^|\s)(?:on behalf of|for)\s+(?P<team>\S.*\b{_TEAM})")
_LEGEND = re.compile(r"\(\s*\((?P<first>\d{1,3}|[a-zA-Z])\)")
_NUMBER_KEY = re.compile(r"\((?P<key>\d{1,3})\)\s*")
_LETTER_KEY = re.compile(r"\((?P<key>[a-zA-Z])\)\s*")
_KEYS = re.compile(r"[\d\s,;&*]+(?:and[\d\s,;&*]+)*|[a-zA-Z]")

# The place between two words that were glued: a small letter, a digit or a closing sign before a capital. Not inside
# a name: after an initial (J.R.), a hyphen or an apostrophe. An acronym of two capitals or more also ends a title
# (LLM|Ada); then the last capital belongs to the name.
_JOIN = re.compile(
    rf"(?<=[{_LOWER}0-9)\]}}$\"”»?!+*%…])(?=[{_UPPER}])"
    rf"|(?<=[{_LOWER}][{_LOWER}]\.)(?=[{_UPPER}])"
    rf"|(?<![{_UPPER}{_LOWER}])(?:[A-Z]{{2,}})(?=[{_UPPER}][{_LOWER}.])"
)
_PREFIX = re.compile(rf"(?<=[\s{_LOWER}0-9)-])(?:Mc|Mac|De|Di|Du|Da|La|Le|Lo|Van|Von|Fitz)$")  # of McFern, DeMole
_MOST_BRACKETS: Final = 4  # behind one name
_REACH: Final = 200  # characters left of a comma in which the first name begins
_PARTICLES: Final = frozenset(
    "van von de der den del della di da das do dos du el al la le les bin ibn ben ter ten te y e i zu zur af av".split()
)
_SMALL_WORDS: Final = frozenset(
    "a an and as at beyond but by for from in into is not of on or the to toward via with".split()
)
_NAME_WORD = re.compile(
    rf"[{_UPPER}][{_LOWER}]+(?:(?:[-‐‑'’`´]|(?=[{_UPPER}]))[{_UPPER}]?[{_LOWER}]+)*[.'’]?"  # Ada, McFern, Anne-Marie
    rf"|(?:[{_UPPER}][{_LOWER}]?\.[-‐‑]?)+[{_UPPER}]?"  # A., J.-P., Yu.
    rf"|[{_UPPER}](?:[-‐‑'’][{_UPPER}]?[{_LOWER}]*)*"  # a bare initial, O'Quill
    rf"|[{_UPPER}]{{2}}"  # two initials
    rf"|[dl][’'][{_UPPER}][{_LOWER}]+"  # d'Ferns
    rf"|[{_LOWER}]+-[{_UPPER}][{_LOWER}]+"  # al-Quill
)


def read_authors(printed: str) -> tuple[tuple[Person, ...] | None, tuple[str, ...]]:
    """Return the people of an author line in printed order, None where it names nobody, and the notes it calls for."""
    text, cut = _drop_cut(printed.strip())
    notes = ("authors_cut",) if cut else ()
    if text == _UNAVAILABLE:
        return None, notes
    if "(" in text or ":" in text or "Collab" in text or " behalf " in text or " for " in text:
        return tuple(_join_suffixes(_read_affiliated(text))) or None, notes
    names = [name for part in text.split(",") if (name := part.strip())]
    people = list(map(Person, names))
    return tuple(people if _SUFFIXES.isdisjoint(names) else _join_suffixes(people)) or None, notes


def looks_like_authors(text: str) -> bool:
    """Say whether an unlabelled line can be an author line: every part has a capital and no digit outside brackets."""
    if text == _UNAVAILABLE:
        return True
    text, _ = _drop_cut(text)
    parts = split_outside_brackets(text) if "(" in text else text.split(",")
    names = [name for part in parts if (name := part.partition("(")[0].strip())]
    people = [name for name in names if "Collaboration" not in name] if "Collaboration" in text else names
    return bool(names) and not _FOREIGN.search(",".join(people)) and all(map(_can_be_name, names))


def split_glued(text: str) -> tuple[str, str | None, bool]:
    """Split a title from the authors glued to it.

    Returns title, author line or None, and whether authors seem to be there but no safe split was found: all of the
    text is then the title. The split is the last join left of the first comma that leaves a first name of two words
    or more, and every part right of it must be shaped like a name.
    """
    if "," not in text:
        return text, None, False
    start, candidates = 0, 0
    for comma in _commas(text):
        for found in reversed(list(_JOIN.finditer(text, max(start, comma - _REACH), comma))):
            place = found.end()
            left = text[max(start, place - _REACH) : place]
            if start and _SMALL_WORDS.isdisjoint(left.split()):
                continue  # a comma of the title has small words around it, one behind the first author has none
            if _PREFIX.search(left) or not _is_name(_first_name(text[place:comma])):
                continue
            if _are_names(text[place:]):
                return text[:place].strip(), text[place:].strip(), False
            candidates += 1
        start = comma + 1
    return text, None, _has_names(text) and (candidates > 0 or _are_names(text.partition(",")[2], least=2))


def _first_name(text: str) -> str:
    """Return the name in front of the first comma, without collaboration and affiliation."""
    team = _TEAM_FIRST.match(text)
    return (team["names"] if team else text).partition("(")[0].strip()


def _are_names(text: str, least: int = 2) -> bool:
    """Say whether every part of a text is shaped like a personal name, and there are enough of them."""
    parts = split_outside_brackets(_drop_cut(text)[0])
    names = [_first_name(part) if place == 0 else part.partition("(")[0].strip() for place, part in enumerate(parts)]
    return len(names) >= least and all(name in _SUFFIXES or _is_name(name) for name in names)


def _has_names(text: str) -> bool:
    """Say whether a part behind the first comma is shaped like a personal name."""
    return any(_is_name(part.partition("(")[0].strip()) for part in split_outside_brackets(text)[1:])


def _commas(text: str) -> Iterator[int]:
    """Yield the places of the first few commas: authors are never glued behind a dozen of them."""
    place = -1
    for _ in range(12):
        place = text.find(",", place + 1)
        if place < 0:
            return
        yield place


def _is_name(text: str) -> bool:
    """Say whether a text is surely shaped like a personal name: two to seven words, capitals, particles, initials."""
    words = text.split()
    if not 2 <= len(words) <= 7 or len(text) > 80:
        return False
    names = [word for word in words if word not in _PARTICLES]
    return len(names) >= 1 and words[-1] not in _PARTICLES and all(map(_NAME_WORD.fullmatch, names))


def _can_be_name(name: str) -> bool:
    """Say whether one part of an unlabelled line can be a person or a collaboration: a capital, or another script."""
    return len(name) <= 120 and (name != name.lower() or not name.isascii())


def _drop_cut(text: str) -> tuple[str, bool]:
    """Take ``et al.`` and the count of those left out off the end; say whether it was there."""
    if not text[-8:].lower().endswith(_CUT_ENDS):
        return text, False
    rest, cut = _CUT.subn("", text)
    return rest.rstrip(" ,"), bool(cut)


def _read_affiliated(text: str) -> list[Person]:
    """Read an author line that holds brackets or a collaboration."""
    people: list[Person] = []
    text, legend = _take_legend(text)
    for part in _parts(text):
        name, brackets = _take_brackets(part)
        places = [place for bracket in brackets for place in _affiliations(bracket, legend)]
        person = Person(name, "; ".join(places) or None)
        if len(part) < 400 and (behalf := _ON_BEHALF.fullmatch(person.name)):
            person = Person(behalf["name"].strip(), behalf["team"].strip())
        if person.name:
            people.append(person)
        elif people and person.affiliation and people[-1].affiliation is None:
            people[-1] = replace(people[-1], affiliation=person.affiliation)
    return people


def _parts(text: str) -> Iterator[str]:
    """Yield what stands between the commas and colons outside brackets: a collaboration ends at a colon."""
    for group in split_outside_brackets(text, ":"):
        yield from split_outside_brackets(group)


def _take_brackets(part: str) -> tuple[str, list[str]]:
    """Take the brackets off the end of ``Ada Quill (1) (Mole Lab)``; one inside a name, as in ``B. (Bo) F.``, stays."""
    name = part.strip()
    brackets: list[str] = []
    while name.endswith(")") and len(brackets) < _MOST_BRACKETS:
        depth, place = 0, len(name)
        for place in range(len(name) - 1, -1, -1):
            depth += (name[place] == ")") - (name[place] == "(")
            if depth == 0:
                break
        brackets.insert(0, name[place + 1 : -1].strip())
        name = name[:place].rstrip()
    if ")" not in name:
        name, opened, rest = name.partition("(")
        brackets = [rest.strip(), *brackets] if opened else brackets
    return name.strip(), brackets


def _take_legend(text: str) -> tuple[str, dict[str, str]]:
    """Cut the legend ``((1) Place, (2) Place)`` off an author line; return the rest and the places by key."""
    found = _LEGEND.search(text)
    if found is None:
        return text, {}
    inside = text[found.end("first") + 1 :].rstrip().removesuffix(")")
    key = _NUMBER_KEY if found["first"].isdigit() else _LETTER_KEY  # (UK) and (IPP) are no keys
    pieces = key.split(f"({found['first']}){inside}")
    return text[: found.start()], {
        key: place.strip().rstrip(",;").strip() for key, place in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def _affiliations(bracket: str, legend: dict[str, str]) -> list[str]:
    """Read what stands in a bracket behind a name: a place, or keys into the legend; keys without one say nothing."""
    if not _KEYS.fullmatch(bracket):
        return [bracket] if bracket else []
    return [legend[key] for key in re.findall(r"\w+", bracket) if legend.get(key)]


def _join_suffixes(people: list[Person]) -> Iterator[Person]:
    """Give ``Jr.`` and ``III`` back to the name before them."""
    last: Person | None = None
    for person in people:
        if last is not None and person.name in _SUFFIXES:
            last = replace(last, name=f"{last.name}, {person.name}", affiliation=last.affiliation or person.affiliation)
            continue
        if last is not None:
            yield last
        last = person
    if last is not None:
        yield last
