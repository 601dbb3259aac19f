"""Authors glued to a title, as dumps of main content print them: no sign stands between the two.

Invented lines::

    A Study of Foam for Large TanksAda Quill, Bo Ferns
    Foam in 3DBEAM Collaboration: A. Quill, B. Ferns et al. (84 additional authors not shown)

What an author line means does not belong here (``authors``).
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._text import split_outside_brackets
from parsers.arxiv.authors import FOREIGN, SUFFIXES, TEAM, drop_cut

_BLOCKS: Final = (range(0x530), range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic, Armenian capitals; Latin of Vietnam
_LETTERS: Final = [chr(code) for block in _BLOCKS for code in block if chr(code).isalpha()]
_UPPER: Final = "".join(letter for letter in _LETTERS if letter.isupper())
_LOWER: Final = "".join(letter for letter in _LETTERS if letter.islower())

_TEAM_FIRST = re.compile(rf"(?P<team>[^:,()]*\b{TEAM})\s*:\s*(?P<names>\S.*)")
# The place between two words that were glued: a small letter, a digit or a closing sign before a capital. Not inside
# a name: after an initial (J.R.), a hyphen or an apostrophe. An acronym of two capitals or more, or of one behind a
# digit or hyphen, also ends a title (LLM|Ada, OpenMP|Ada, 3D|Ada); then the last capital belongs to the name.
_JOIN = re.compile(
    rf"(?<=[{_LOWER}0-9)\]}}$\"”»?!+*%…])(?=[{_UPPER}])"
    rf"|(?<=[{_LOWER}][{_LOWER}]\.)(?=[{_UPPER}])"
    rf"|(?<![{_UPPER}])(?:[A-Z]{{2,}}|(?<=[0-9-])[A-Z])(?=[{_UPPER}][{_LOWER}.])"
)
_PREFIX = re.compile(rf"(?<=[\s{_LOWER}0-9)-])(?:Mc|Mac|De|Di|Du|Da|La|Le|Lo|Van|Von|Fitz)$")  # of McFern, DeMole
_REACH: Final = 200  # characters left of a comma in which the first name begins
_PARTICLES: Final = frozenset(
    "van von de der den del della di da das do dos du el al la le les bin ibn ben ter ten te y e i zu zur af av".split()
)
_SMALL_WORDS: Final = frozenset(
    "a an and as at beyond but by for from in into is not of on or the to toward via with".split()
)
_WORDS_OF_TEAMS: Final = frozenset("and collaboration collaborations consortium for group of on the team".split())
_NAME_WORD = re.compile(
    rf"[{_UPPER}][{_LOWER}]+(?:(?:[-‐‑'’`´]|(?=[{_UPPER}]))[{_UPPER}]?[{_LOWER}]+)*[.'’]?"  # Ada, McFern, Anne-Marie
    rf"|(?:[{_UPPER}][{_LOWER}]?\.[-‐‑]?)+[{_UPPER}]?"  # A., J.-P., Yu.
    rf"|[{_UPPER}](?:[-‐‑'’][{_UPPER}]?[{_LOWER}]*)*"  # a bare initial, O'Quill
    rf"|[{_UPPER}]{{2}}"  # two initials
    rf"|[dl][’'][{_UPPER}][{_LOWER}]+"  # d'Ferns
    rf"|[{_LOWER}]+-[{_UPPER}][{_LOWER}]+"  # al-Quill
)


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
    words = team["team"].split() if team else []
    if team and len(words[0]) > 1 and all(word[0].isupper() or word in _WORDS_OF_TEAMS for word in words):
        text = team["names"]
    return text.partition("(")[0].strip()


def _are_names(text: str, least: int = 2) -> bool:
    """Say whether there are enough parts, all shaped like personal names; of many, one in five may be odd."""
    parts = split_outside_brackets(drop_cut(text)[0])
    names = [_first_name(part) if place == 0 else part.partition("(")[0].strip() for place, part in enumerate(parts)]
    odd = [name for name in names if name not in SUFFIXES and not _is_name(name)]
    return len(names) >= least and 5 * len(odd) <= len(names) and all(map(_may_be_name, odd))


def _may_be_name(text: str) -> bool:
    """Say whether a text can be a name of an odd shape, such as a single word: only particles are in small letters."""
    words = [word for word in text.split() if word not in _PARTICLES]
    if not 1 <= len(words) <= 7 or len(text) > 80 or FOREIGN.search(text):
        return False
    return all(word[0].isupper() for word in words)


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
