"""Several people in one text, as programmes print them: ``Ada Quill (Mole Lab), Bo Ferns and Cy Moss``.

What is not surely a list of names is none: a text without names is told, a wrong person is not. The people of one
source's own forms do not belong here.
"""

import re
from collections.abc import Sequence
from typing import Final

from parsers._words.text import split_affiliation
from schemas.items import Person

_AND: Final = re.compile(r"(?:[,;]\s*+|(?<!\s)\s++)(?:and|&|und|et|y)\s++|[,;]")
_NUMBERS: Final = re.compile(r"(?<=[^\W\d_]) ?\d{1,2}(?: ?, ?\d{1,2}(?!\d))*+(?= ?(?:[,;(&]|and\b|$))")
"""Numbers behind a name, which refer to a list of places."""
_SUFFIX: Final = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV")
_WORD: Final = re.compile(
    r"[^\W\d_]+(?:['’\u2010\u2011-][^\W\d_]+)*['’]?\.?|[^\W\d_]\.(?:-?[^\W\d_]\.)*(?:[^\W\d_]{2,})?"
)
PARTICLES: Final = frozenset(
    """a/l a/p af al ap av ben bin bint d' d/o da dal dalla das de degli dei del della den der des di dis do dos du
    e el het i ibn la las le lo los na op s/o 't ’t ten ter ul ur van vom von y zu zum zur""".split()
)
"""Words of names that begin small."""
_NO_NAMES: Final = frozenset(
    "abstract afternoon all announced appendix auditorium award awards ballroom banquet best break chair chairs "
    "closing coffee committee conference demo dinner discussion floor hall invited keynote keynotes lecture lunch "
    "moderator morning opening organizers paper papers panel panelists poster posters presentation presenter "
    "program proceedings reception registration remarks room session sessions social speaker speakers student "
    "students talk talks tba tbd theater track tutorial university institute department laboratory company "
    "workshop".split()
)
_MARKS: Final = " *\u2020\u2021\u00a7\u00b6"
"""What stands behind a name to say something of the person: who corresponds, who contributed as much."""
_MOST_WORDS: Final = 6
_LONGEST: Final = 70


def people_of(text: object) -> tuple[Person, ...] | None:
    """Read people, each with an affiliation in brackets or none; None if any part is no name."""
    return _people(text, shared=False)


def people_by_place(text: object) -> tuple[Person, ...] | None:
    """Read people where one bracket stands behind all who belong to it: ``Ada Quill, Bo Ferns (Mole Lab)``."""
    return _people(text, shared=True)


def people_with_place(text: object) -> tuple[Person, ...] | None:
    """Read people with their affiliation behind a comma, separated by semicolons: ``Ada Quill, Mole Lab; Bo Ferns``."""
    made = []
    for part in _split(text, re.compile(";")) if isinstance(text, str) else ():
        name, _, place = part.partition(",")
        if not is_name(name.strip(_MARKS)):
            return None
        made.append(Person(name.strip(_MARKS), place.strip() or None))
    return tuple(made) or None


def is_doubled(names: Sequence[str]) -> bool:
    """True if a list of names is printed twice over in a row: ``Ada Quill, Bo Ferns, Ada Quill, Bo Ferns``.

    Some sites print one for the page and one for its metadata, and who reads the page takes both.
    """
    half = len(names) // 2
    return half > 0 and [name.split() for name in names[:half]] == [name.split() for name in names[half:]]


def is_name(text: str) -> bool:
    """True if a text is surely the name of a person: none of its words names a thing.

    ``Why do Caches Fail`` is built like ``Ada do Carmo``, so a name with ``do`` is never sure.
    """
    words = text.split()
    if "do" in words or not is_like_name(text):
        return False
    return not any(word.casefold().rstrip(".") in _NO_NAMES for word in words)


def is_like_name(text: str) -> bool:
    """True if a text is built like the name of a person, as some titles are: two to six words with capitals."""
    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS or len(text) > _LONGEST:
        return False
    return all(word in PARTICLES or (_WORD.fullmatch(word) and _begins_large(word)) for word in words)


def _begins_large(word: str) -> bool:
    """True if a word begins with a capital, or with a letter of a script that has none."""
    letter = word[0]
    return letter.isupper() or letter.lower() == letter.upper() or not word.islower()


def _people(text: object, *, shared: bool) -> tuple[Person, ...] | None:
    """Read people; with ``shared`` a bracket is that of all before it, up to the one before."""
    made: list[Person] = []
    waiting = 0
    for part in _split(_NUMBERS.sub("", text), _AND) if isinstance(text, str) else ():
        name, place, closed = split_affiliation(part.strip(_MARKS))
        name = name.strip(_MARKS)
        if made and place is None and _SUFFIX.fullmatch(name):
            made[-1] = made[-1]._replace(name=f"{made[-1].name}, {name}")
            continue
        if not closed and place is not None:
            return None
        if place is not None and not name and made and made[-1].affiliation is None:
            made[-1] = made[-1]._replace(affiliation=place)  # "Ada Quill, (Mole Lab)"
            continue
        if not is_name(name):
            return None
        made.append(Person(name, place))
        if place is not None:
            made[waiting:] = [each._replace(affiliation=place) for each in made[waiting:]] if shared else made[waiting:]
            waiting = len(made)
    return tuple(made) or None


def _split(text: str, separator: re.Pattern[str]) -> list[str]:
    """Split at a separator outside all brackets; blank parts are left out. A bracket that opens nowhere is kept."""
    parts, start, depth, place = [], 0, 0, 0
    while place < len(text):
        letter = text[place]
        depth += (letter in "([") - (letter in ")]" and depth > 0)
        found = separator.match(text, place) if not depth else None
        if found:
            parts.append(text[start:place])
            start = place = found.end()
        else:
            place += 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]
