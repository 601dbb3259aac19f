"""Authors glued to a title without any separator, as dumps of main content print them.

Invented lines::

    A Study of Foam for Large TanksAda Quill, Bo Ferns
    Foam in 3DBEAM Collaboration: A. Quill, B. Ferns et al. (84 additional authors not shown)
    Status of the TankAda Quill (on behalf of the BEAM Collaboration)

Reading an author line does not belong here (``authors``).
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from parsers._grammar.renditions import unlink
from parsers._words.text import split_outside_brackets
from parsers.arxiv.authors import FOREIGN, ON_BEHALF, SUFFIXES, TEAM, UNAVAILABLE, drop_cut

_BLOCKS: Final = (range(0x530), range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic, Armenian capitals; Vietnamese Latin
_LETTERS: Final = [chr(code) for block in _BLOCKS for code in block if chr(code).isalpha()]
_UPPER: Final = "".join(letter for letter in _LETTERS if letter.isupper())
_LOWER: Final = "".join(letter for letter in _LETTERS if letter.islower())

_TEAM_FIRST = re.compile(rf"(?P<team>[^:,()]*\b{TEAM})\s*:\s*(?P<names>\S.*)")
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
_THE_TEAM = re.compile(rf"The [{_UPPER}0-9]\S*(?: \S+){{0,4}} {TEAM}(?::.*)?")
_TEAM_WORD = re.compile(rf"\S+ {TEAM}\b|\S*AI: ")
_IN_TEAM = re.compile(rf".*\b{TEAM}")
_ENDS_IN_TEAM = re.compile(rf"\b{TEAM}$")
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


def split_glued(text: str) -> tuple[str, str | None, bool]:
    """Split a title from the authors glued to it.

    Returns title, author line or None, and True if there seem to be authors but no safe split was found: the title is
    then the whole text. The split is the last join left of the first comma that leaves a first name of two words or
    more, and every part right of it must look like a name.
    """
    if text.endswith(UNAVAILABLE):
        return text.removesuffix(UNAVAILABLE).rstrip(), UNAVAILABLE, False
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
        behalf = ON_BEHALF.fullmatch(rest)
        if (cut and _is_name(rest)) or (behalf and _is_name(behalf["name"].partition("(")[0].strip())):
            return join, True
        name, opened, place = rest.partition("(")
        name = drop_cut(name.rstrip())[0]
        if opened and rest.endswith(")") and _BEGINS_NAME.match(name) and _is_name(name):
            is_sure = _IN_TEAM.fullmatch(place[:-1]) is not None
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
    return bool(_IN_TEAM.fullmatch(text)) and len(words) > 1 and all(word[0].isupper() for word in words)


def _are_names(text: str, least: int) -> bool:
    """True if there are enough parts that all look like personal names; of many, one in five may be odd."""
    parts = split_outside_brackets(drop_cut(text)[0])
    names = [_first_name(part) if place == 0 else part.partition("(")[0].strip() for place, part in enumerate(parts)]
    odd = [name for name in names if name not in SUFFIXES and not _is_name(name) and not _is_team(name)]
    return len(names) >= least and 5 * len(odd) <= len(names) and all(map(_may_be_name, odd))


def _may_be_name(text: str) -> bool:
    """True if a text can be a name of an odd shape, such as a single word: only particles are in lower case."""
    words = [word for word in text.split() if word not in _PARTICLES]
    if not 1 <= len(words) <= 7 or len(text) > 80 or FOREIGN.search(text):
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
