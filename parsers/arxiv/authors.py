"""Author lines of arXiv listings: names, affiliations, collaborations.

Invented lines, all as arXiv prints them::

    Ada Quill, Bo Ferns, J.-P. van Oort et al. (84 additional authors not shown)
    A. Quill (1), B. Ferns (2) ((1) Institute of Tides, Mole, (2) Harbour Lab)
    BEAM Collaboration: A. Quill, B. Ferns
    Ada Quill (the BEAM Collaboration), Bo Ferns for the BEAM Collaboration
    Ada Quill (Institute of Tides) Bo Ferns (Harbour Lab)

Authors glued to a title do not belong here (``glued``).
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final

from parsers._words.text import split_outside_brackets
from schemas.items import Person

_CUT = re.compile(
    r"(?:\bet\.? al\b\.?(?: {0,2}\(\d+ additional authors? not shown\))?|(?:,|\band) {0,2}others\.?)$", re.IGNORECASE
)
_CUT_ENDS: Final = ("al", "al.", "shown)", "others", "others.")
UNAVAILABLE: Final = "(author list is unavailable)"
FOREIGN = re.compile(r"[\d;=<>@#|?!]")
SUFFIXES: Final = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
TEAM: Final = r"(?i:Collaborations?|Consortium|Team|Group)"
ON_BEHALF: Final = re.compile(rf"(?>(?P<name>.*?)(?:^|\s)(?:on behalf of|for)\s+)(?P<team>\S.*\b{TEAM})")
_IS_TEAM: Final = re.compile(rf"\b{TEAM}\b")
_TEAM_AND_NAME = re.compile(r"^[^:]{1,80}: (?=[^\W\d_]\S* \S)")  # GLM-5 Team: Ada Quill; 01.FOAM: Ada Quill
_LEGEND = re.compile(r"\(\s*\((?P<first>\d{1,3}|[a-zA-Z])\)")
_NUMBER_KEY = re.compile(r"\((?P<key>\d{1,3})\)\s*")
_LETTER_KEY = re.compile(r"\((?P<key>[a-zA-Z])\)\s*")
_KEYS = re.compile(r"[\s,;&*]*(?:(?:\d+[a-zA-Z]?|[a-zA-Z])(?:[\s,;&*]+(?:and\s+)?|$))+")
_BEHIND_BRACKET = re.compile(r"\)\s*(?=[^\W\d_])")
_GIVEN_NAME = re.compile(r"\W*+(?:[^\W\d_]\.[ -]?)*+(?:[^\W\d_a-z][^\W\d_A-Z]*+(?:-[^\W\d_]+)?)?\W*")  # Bo; J.R.; "Bo"
_ENDS_IN_INITIAL = re.compile(r"(?:^|\W)[^\W\d_]\.$")
_CUT_INSIDE = re.compile(r",? et\.? al\.?(?= ?\([^()]*\)$)")

_MOST_BRACKETS: Final = 4  # after one name
_FEWEST_SMALL_WORDS: Final = 3  # in a sentence: a surname of particles ends in a capitalised word
_LONGEST_PERSON: Final = 1_000  # characters of a name with its brackets


def read_authors(printed: str) -> tuple[tuple[Person, ...] | None, tuple[str, ...]]:
    """Return the people of an author line in printed order, None if it names nobody, and the notes."""
    text, cut = drop_cut(printed.strip())
    if text.endswith(")"):
        text, inside = _CUT_INSIDE.subn("", text)
        cut = cut or inside > 0
    notes: tuple[str, ...] = ("authors_cut",) if cut else ()
    if text == UNAVAILABLE:
        return None, notes
    if "(" in text or ":" in text or "Collab" in text or " behalf " in text or " for " in text:
        notes += ("bracket_unclosed",) if text.count("(") > text.count(")") else ()
        people, is_sure = _read_affiliated(text)
        return tuple(_join_suffixes(people)) or None, notes if is_sure else (*notes, "authors_uncertain")
    names = [name for part in text.split(",") if (name := part.strip())]
    people = list(map(Person, names))
    return tuple(people if SUFFIXES.isdisjoint(names) else _join_suffixes(people)) or None, notes


def join_linked(linked: Iterable[tuple[str, str]]) -> str:
    """Return the author line of linked names, each given with the text after its link.

    Two whole names with nothing but brackets between them lack a comma. A link may also hold half a name: ``Ada`` and
    ``Quill`` in ``Ada (Addie) Quill``.
    """
    line = ""
    for (name, behind), (following, _) in pairwise([*linked, ("", "")]):
        is_gap = behind.count("(") == behind.count(")") and not _take_brackets(behind)[0]
        line += f"{name}{behind}, " if is_gap and _is_whole(name) and _is_whole(following) else name + behind
    return line


def looks_like_authors(text: str) -> bool:
    """True if an unlabelled line can be an author line: every part has a capital and no digit outside brackets."""
    if text == UNAVAILABLE:
        return True
    text, _ = drop_cut(text)
    parts = split_outside_brackets(text) if "(" in text else text.split(",")
    names = [name for part in parts if (name := part.partition("(")[0].strip())]
    people = [name for name in map(_beside_team, names) if name]
    if not names or FOREIGN.search(",".join(people)) or any(map(_reads_like_prose, people)):
        return False
    return all(map(_can_be_name, names))


def _beside_team(name: str) -> str:
    """Return the rest of one part of an author line without the name of a team, which may have a number or sign."""
    if _IS_TEAM.search(name):
        return _TEAM_AND_NAME.sub("", name, count=1) if ":" in name else ""
    return _TEAM_AND_NAME.sub("", name, count=1) if ": " in name else name


def _can_be_name(name: str) -> bool:
    """True if one part of an unlabelled line can be a person or a collaboration: a capital, or another script."""
    return len(name) <= 120 and (name != name.lower() or not name.isascii())


def _reads_like_prose(name: str) -> bool:
    """True if one part of an unlabelled line reads like a sentence: lower-case words, also the last one."""
    words = name.split()
    return words[-1].islower() and sum(map(str.islower, words)) >= _FEWEST_SMALL_WORDS


def drop_cut(text: str) -> tuple[str, bool]:
    """Strip ``et al.`` and the number of omitted authors from the end; also return True if there was one."""
    if not text[-8:].lower().endswith(_CUT_ENDS):
        return text, False
    rest, cut = _CUT.subn("", text)
    return rest.rstrip(" ,"), bool(cut)


def _read_affiliated(text: str) -> tuple[list[Person], bool]:
    """Read an author line with brackets or a collaboration; also return False if two people may be one name."""
    people: list[Person] = []
    text, legend = _take_legend(text)
    parts = [*map(_part_people, _parts(text))]
    for part in chain.from_iterable(pieces for pieces, _ in parts):
        name, brackets = _take_brackets(part)
        behalf = ON_BEHALF.fullmatch(name) if len(part) < 400 else None
        if behalf:
            name, inner = _take_brackets(behalf["name"])
            brackets = [*inner, behalf["team"].strip(), *brackets]
        places = [place for bracket in brackets for place in _affiliations(bracket, legend)]
        person = Person(name, "; ".join(places) or None)
        if person.name:
            people.append(person)
        elif people and person.affiliation:
            known = people[-1].affiliation
            people[-1] = people[-1]._replace(
                affiliation=f"{known}; {person.affiliation}" if known else person.affiliation
            )
        elif behalf:
            people.append(Person(part.strip()))  # no other name: as printed
    return people, all(is_sure for _, is_sure in parts)


def _parts(text: str) -> Iterator[str]:
    """Yield the parts between commas and colons outside brackets: a collaboration ends at a colon."""
    for group in split_outside_brackets(text, ":"):
        yield from split_outside_brackets(group)


def _part_people(part: str) -> tuple[list[str], bool]:
    """Split people who are separated by an affiliation but no comma; also return False if there is doubt.

    A bracket inside a name may be a nickname, as in ``D. (Bo) Ferns``; an affiliation is between two whole names.
    """
    pieces: list[str] = []
    start, is_sure = 0, True
    for closed in _BEHIND_BRACKET.finditer(part):
        head, after = part[start : closed.start() + 1], part[closed.end() : closed.end() + _LONGEST_PERSON]
        if len(head) > _LONGEST_PERSON:
            return [*pieces, part[start:]], False
        name, brackets = _take_brackets(head)
        if not name or head.count("(") != head.count(")") or not after[0].isupper():
            continue
        are_whole = _is_whole(name) and _is_whole(after.partition("(")[0])
        is_place = len(brackets) == 1 and _GIVEN_NAME.fullmatch(brackets[0]) is None  # otherwise it may be a key
        is_sure = is_sure and are_whole == is_place
        if are_whole and is_place:
            pieces.append(head)
            start = closed.end()
    return [*pieces, part[start:]], is_sure


def _is_whole(name: str) -> bool:
    """True if a name has a first and a last part: several words that do not end in an initial, or ``A.Quill``."""
    name = name.strip()
    return (" " in name or "." in name) and _ENDS_IN_INITIAL.search(name) is None


def _take_brackets(part: str) -> tuple[str, list[str]]:
    """Split the brackets off ``Ada Quill (1) (Mole Lab)``; one inside a name, as in ``B. (Bo) F.``, stays."""
    name = part.strip()
    name = name[:-1] if name.endswith(").") else name  # the end of the line
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
    """Split the legend ``((1) Place, (2) Place)`` off an author line; return the rest and the affiliations by key."""
    found = _LEGEND.search(text)
    if found is None:
        return text, {}
    end = _closing(text, found.start())
    inside = text[found.end("first") + 1 : end]
    inside = inside.rstrip().removesuffix(")") if end == len(text) else inside
    key = _NUMBER_KEY if found["first"].isdigit() else _LETTER_KEY  # (UK) and (IPP) are not keys
    pieces = key.split(f"({found['first']}){inside}")
    return text[: found.start()] + text[end + 1 :], {
        key: place.strip().rstrip(",;").strip() for key, place in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def _closing(text: str, start: int) -> int:
    """Return where the bracket that opens at a place is closed, the end of the text if it is not."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    return len(text)


def _affiliations(bracket: str, legend: dict[str, str]) -> list[str]:
    """Read a bracket after a name: an affiliation, or keys into the legend; unknown keys are dropped."""
    if not _KEYS.fullmatch(bracket):
        return [bracket] if bracket else []
    return [legend[key] for key in re.findall(r"\w+", bracket) if legend.get(key)]


def _join_suffixes(people: list[Person]) -> Iterator[Person]:
    """Append ``Jr.`` and ``III`` to the name before them."""
    last: Person | None = None
    for person in people:
        if last is not None and person.name in SUFFIXES:
            last = last._replace(name=f"{last.name}, {person.name}", affiliation=last.affiliation or person.affiliation)
            continue
        if last is not None:
            yield last
        last = person
    if last is not None:
        yield last
