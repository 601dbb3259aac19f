"""Author lines of arXiv listings: names, affiliations, collaborations; also where one is glued to a title.

Invented lines, all as arXiv prints them::

    Ada Quill, Bo Ferns, J.-P. van Oort et al. (84 additional authors not shown)
    A. Quill (1), B. Ferns (2) ((1) Institute of Tides, Mole, (2) Harbour Lab)
    BEAM Collaboration: A. Quill, B. Ferns
    Ada Quill (the BEAM Collaboration), Bo Ferns for the BEAM Collaboration
    Ada Quill (Institute of Tides) Bo Ferns (Harbour Lab)

and as dumps of main content print title and authors, without any separator::

    A Study of Foam for Large TanksAda Quill, Bo Ferns
    Foam in 3DBEAM Collaboration: A. Quill, B. Ferns et al. (84 additional authors not shown)
    Status of the TankAda Quill (on behalf of the BEAM Collaboration)
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final

from parsers._grammar.renditions import unlink
from parsers._words.text import split_outside_brackets
from schemas.items import Person

_CUT = re.compile(
    r"(?:\bet\.? al\b\.?(?: {0,2}\(\d+ additional authors? not shown\))?|(?:,|\band) {0,2}others\.?)$", re.IGNORECASE
)
_CUT_ENDS: Final = ("al", "al.", "shown)", "others", "others.")
_UNAVAILABLE: Final = "(author list is unavailable)"
_FOREIGN = re.compile(r"[\d;=<>@#|?!]")
_SUFFIXES: Final = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_TEAM: Final = r"(?i:Collaborations?|Consortium|Team|Group)"
_ON_BEHALF: Final = re.compile(rf"(?>(?P<name>.*?)(?:^|\s)(?:on behalf of|for)\s+)(?P<team>\S.*\b{_TEAM})")
_IS_TEAM: Final = re.compile(rf"\b{_TEAM}\b")
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

_BLOCKS: Final = (range(0x530), range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic, Armenian capitals; Vietnamese Latin
_LETTERS: Final = [chr(code) for block in _BLOCKS for code in block if chr(code).isalpha()]
_UPPER: Final = "".join(letter for letter in _LETTERS if letter.isupper())
_LOWER: Final = "".join(letter for letter in _LETTERS if letter.islower())

_TEAM_FIRST = re.compile(rf"(?P<team>[^:,()]*\b{_TEAM})\s*:\s*(?P<names>\S.*)")
_FIRM_FIRST = re.compile(r"(?:[A-Z0-9][A-Z0-9.&-]+|[A-Z]\S*AI): (?P<names>\S.*)")  # FOAM: Ada Quill; DeepFoam-AI: ..
_ENDS_WORD = re.compile(rf"[{_LOWER}]{{3}}$|[)?!]$")
# The place between two words that were glued: a small letter, a digit or a closing sign before a capital. Not inside
# a name: after an initial (J.R.), a hyphen or an apostrophe. An acronym of two capitals or more, or of one after a
# digit, hyphen, space, formula, degree sign or small letter, also ends a title (LLM|Ada, OpenMP|Ada, 3D|Ada, IoT|Ada);
# then the last capital belongs to the name. So does a unit of energy (TeV|Ada, TeV|BEAM), which is never cut in two.
_IN_UNIT: Final = rf"(?:(?<=[^{_LOWER}{_UPPER}][kMGTPEmμµ]e)|(?<=[^{_LOWER}{_UPPER}]e))(?=V)"
_BEHIND_UNIT: Final = rf"(?:(?<=[^{_LOWER}{_UPPER}][kMGTPEmμµ]eV)|(?<=[^{_LOWER}{_UPPER}]eV))"
_JOIN = re.compile(
    rf"(?!{_IN_UNIT})(?:"
    rf"(?<=[{_LOWER}0-9)\]}}$\"”»?!+*%…])(?=[{_UPPER}])"
    rf"|{_BEHIND_UNIT}(?=[{_UPPER}])"
    rf"|(?<=[{_LOWER}][{_LOWER}]\.)(?=[{_UPPER}])"
    rf"|(?<![{_UPPER}])(?:[A-Z]{{2,}}|(?<=[\s0-9$°{_LOWER}-])[A-Z])(?=[{_UPPER}][{_LOWER}.])"
    rf")"
)
_PREFIX = re.compile(
    rf"(?<=[\s{_LOWER}{_UPPER}0-9)\]}}$\"”»?!+*%…-])(?:Mc|Mac|De|Di|Du|Da|La|Le|Lo|Van|Von|Fitz)$"
)  # of McFern, DeMole
_REACH: Final = 200  # characters left of a comma in which the first name begins
_PARTICLES: Final = frozenset(
    "van von de der den del della di da das do dos du el al la le les bin ibn ben ter ten te y e i zu zur af av".split()
)
_WORDS_OF_TEAMS: Final = frozenset("and collaboration collaborations consortium for group of on the team".split())
_SMALL_WORDS: Final = frozenset(
    "a an and as at beyond but by for from in into is not of on or the to toward via with".split()
)
_THE_TEAM = re.compile(rf"The [{_UPPER}0-9]\S*(?: \S+){{0,4}} {_TEAM}(?::.*)?")
_TEAM_WORD = re.compile(rf"\S+ {_TEAM}\b|\S*AI: ")
_ENDS_IN_TEAM = re.compile(rf"\b{_TEAM}$")
_BEGINS_NAME = re.compile(rf"[{_UPPER}](?:[{_LOWER}]+[\s-]|\.)")
_BEGINS_PLACE = re.compile(rf"[{_UPPER}0-9(]")
_NAME_WORD = re.compile(
    rf"[{_UPPER}][{_LOWER}]+(?:(?:[-‐‑'’`´]|(?=[{_UPPER}]))[{_UPPER}]?[{_LOWER}]+)*[.'’]?"  # Ada, McFern, Anne-Marie
    rf"|(?:[{_UPPER}][{_LOWER}]?\.[-‐‑]?)+[{_UPPER}]?"  # A., J.-P., Yu.
    rf"|[{_UPPER}](?:[-‐‑'’][{_UPPER}]?[{_LOWER}]*)*"  # a bare initial, O'Quill
    rf"|[{_UPPER}]{{2}}"  # two initials
    rf"|[dl][’'][{_UPPER}][{_LOWER}]+"  # d'Ferns
    rf"|[{_LOWER}]+-[{_UPPER}][{_LOWER}]+"  # al-Quill
)
_LABEL: Final = re.compile(r"(?<=\S)Authors:(?=\S)")
"""The label of the authors, glued to the title and to the names behind it."""


def read_authors(printed: str) -> tuple[tuple[Person, ...] | None, tuple[str, ...]]:
    """Return the people of an author line in printed order, None if it names nobody, and the notes."""
    text, cut = drop_cut(printed.strip())
    if text.endswith(")"):
        text, inside = _CUT_INSIDE.subn("", text)
        cut = cut or inside > 0
    notes: tuple[str, ...] = ("authors_cut",) if cut else ()
    if text == _UNAVAILABLE:
        return None, notes
    if "(" in text or ":" in text or "Collab" in text or " behalf " in text or " for " in text:
        notes += ("bracket_unclosed",) if text.count("(") > text.count(")") else ()
        people, is_sure = _read_affiliated(text)
        return tuple(_join_suffixes(people)) or None, notes if is_sure else (*notes, "authors_uncertain")
    names = [name for part in text.split(",") if (name := part.strip())]
    people = list(map(Person, names))
    return tuple(people if _SUFFIXES.isdisjoint(names) else _join_suffixes(people)) or None, notes


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
    if text == _UNAVAILABLE:
        return True
    text, _ = drop_cut(text)
    parts = split_outside_brackets(text) if "(" in text else text.split(",")
    names = [name for part in parts if (name := part.partition("(")[0].strip())]
    people = [name for name in map(_beside_team, names) if name]
    if not names or _FOREIGN.search(",".join(people)) or any(map(_reads_like_prose, people)):
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
        behalf = _ON_BEHALF.fullmatch(name) if len(part) < 400 else None
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
        if last is not None and person.name in _SUFFIXES:
            last = last._replace(name=f"{last.name}, {person.name}", affiliation=last.affiliation or person.affiliation)
            continue
        if last is not None:
            yield last
        last = person
    if last is not None:
        yield last


def split_glued(text: str) -> tuple[str, str | None, bool]:
    """Split a title from the authors glued to it.

    Returns title, author line or None, and True if there seem to be authors but no safe split was found: the title is
    then the whole text. The split is the last join left of the first comma that leaves a first name of two words or
    more, and every part right of it must look like a name.
    """
    if text.endswith(_UNAVAILABLE):
        return text.removesuffix(_UNAVAILABLE).rstrip(), _UNAVAILABLE, False
    if labelled := _LABEL.search(text):
        return text[: labelled.start()], unlink(text[labelled.end() :]).strip(), False
    start, candidates = 0, 0
    for comma in _commas(text):
        for place in _joins(text, max(start, comma - _REACH), comma):
            left = text[max(start, place - _REACH) : place]
            if start and (len(left.split()) < 2 or _is_name(left)):
                continue  # between two commas is one name with a capital inside: the comma is not the title's
            if _PREFIX.search(left) or not begins_names(text[place:comma]):
                continue
            if _FIRM_FIRST.match(text, place) and not _ENDS_WORD.search(left):
                continue  # a firm may be one of several joined words: then it is unclear where it begins
            least = 2 if not start or not _SMALL_WORDS.isdisjoint(left.split()) else 3
            if _are_names(text[place:], least):
                return text[:place].strip(), text[place:].strip(), False
            candidates += 1
        start = comma + 1
    lone, is_sure = _find_lone(text)
    if is_sure:
        return text[:lone].strip(), text[lone:].strip(), False
    return text, None, lone > 0 or (_has_names(text) and (candidates > 0 or _are_names(text.partition(",")[2], 2)))


def _joins(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the places of the joins between two places of a text, from the right.

    The acronym of a collaboration may contain lower-case letters (``LHCb``): in one word with it, the first join
    counts.
    """
    places = [found.end() for found in _JOIN.finditer(text, start, end)]
    for before, place in reversed([*pairwise([start, *places])]):
        in_one_word = before > start and " " not in text[before:place]
        if not (in_one_word and _TEAM_WORD.match(text, place)):
            yield place


def _find_lone(text: str) -> tuple[int, bool]:
    """Return where a lone author or collaboration may begin (0 if nowhere), and True if that is certain.

    An author needs a sign after the name: a collaboration, in a bracket or not, and ``et al.`` are sure; any other
    bracket may belong to the title.
    """
    if not text.endswith((")", "al", "al.")) and "The " not in text and not _ENDS_IN_TEAM.search(text):
        return 0, False
    for join in _joins(text, 0, len(text)):
        rest, cut = drop_cut(text[join:])
        if _PREFIX.search(text, max(0, join - _REACH), join):
            continue
        if _THE_TEAM.fullmatch(rest):
            return join, True
        behalf = _ON_BEHALF.fullmatch(rest)
        if (cut and _is_name(rest)) or (behalf and _is_name(behalf["name"].partition("(")[0].strip())):
            return join, True
        name, opened, place = rest.partition("(")
        name = drop_cut(name.rstrip())[0]
        if opened and rest.endswith(")") and _BEGINS_NAME.match(name) and _is_name(name):
            is_sure = _ENDS_IN_TEAM.search(place[:-1]) is not None
            if is_sure or _BEGINS_PLACE.match(place):
                return join, is_sure
    return 0, False


def _first_name(text: str) -> str:
    """Return the name before the first comma, without collaboration and affiliation."""
    team = _TEAM_FIRST.match(text)
    words = team["team"].split() if team else []
    if team and len(words[0]) > 1 and all(word[0].isupper() or word in _WORDS_OF_TEAMS for word in words):
        text = team["names"]
    elif (firm := _FIRM_FIRST.match(text)) and not _JOIN.search(firm["names"]):
        text = firm["names"]
    return text.partition("(")[0].strip()


def begins_names(text: str) -> bool:
    """True if the text before a comma is surely a name, of a person or a collaboration."""
    return _is_name(_first_name(text)) or _is_team(text)


def _is_team(text: str) -> bool:
    """True if a text is surely the name of a collaboration."""
    words = text.split()
    return bool(_ENDS_IN_TEAM.search(text)) and len(words) > 1 and all(word[0].isupper() for word in words)


def _are_names(text: str, least: int) -> bool:
    """True if there are enough parts that all look like personal names; of many, one in five may be odd."""
    parts = split_outside_brackets(drop_cut(text)[0])
    names = [_first_name(part) if place == 0 else part.partition("(")[0].strip() for place, part in enumerate(parts)]
    odd = [name for name in names if name not in _SUFFIXES and not _is_name(name) and not _is_team(name)]
    return len(names) >= least and 5 * len(odd) <= len(names) and all(map(_may_be_name, odd))


def _may_be_name(text: str) -> bool:
    """True if a text can be a name of an odd shape, such as a single word: only particles are in lower case."""
    words = [word for word in text.split() if word not in _PARTICLES]
    if not 1 <= len(words) <= 7 or len(text) > 80 or _FOREIGN.search(text):
        return False
    return all(word[0].isupper() for word in words)


def _has_names(text: str) -> bool:
    """True if a part after the first comma looks like a personal name."""
    return any(_is_name(part.partition("(")[0].strip()) for part in split_outside_brackets(text)[1:])


def _commas(text: str) -> Iterator[int]:
    """Yield the places of the first few commas: authors are never glued after a dozen of them."""
    place = -1
    for _ in range(12):
        place = text.find(",", place + 1)
        if place < 0:
            return
        yield place


def _is_name(text: str) -> bool:
    """True if a text surely looks like a personal name: two to seven words, capitals, particles, initials."""
    words = text.split()
    if not 2 <= len(words) <= 7 or len(text) > 80:
        return False
    names = [word for word in words if word not in _PARTICLES]
    return len(names) >= 1 and words[-1] not in _PARTICLES and all(map(_NAME_WORD.fullmatch, names))
