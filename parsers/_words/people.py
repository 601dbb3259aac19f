"""Several people in one text, as programmes print them: ``Ada Quill (Mole Lab), Bo Ferns and Cy Moss``.

What is not surely a list of names is none: a text without names is told, a wrong person is not. Of a list with one part
that is no name the others are kept, and it is told. The people of one source's own forms do not belong here.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from parsers._words.text import split_affiliation
from schemas.items import Person

_AND: Final = re.compile(r"(?:[,;]\s*+|(?<!\s)\s++)(?:and|&|und|et|y)\s++|[,;]|(?<=\s)[\u00b7\u2022|](?=\s)")
SEPARATOR: Final = re.compile(r"(?:[\s,:;|/&()\u00b7\u2022]|(?:and|und|et|y)\b)++", re.IGNORECASE)
"""What may stand between the elements of people, and says nothing."""
_BEFORE_PLACE: Final = re.compile("[,:]")
_RAISED: Final = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_NUMBER: Final = rf"[\d{_RAISED}]{{1,2}}"
_NUMBERS: Final = re.compile(
    rf"(?<=[^\W\d_{_RAISED}]) ?{_NUMBER}(?: ?, ?{_NUMBER}(?![\d{_RAISED}]))*+(?= ?(?:[,;(&*]|and\b|$))"
)
"""Numbers behind a name, which refer to a list of places."""
_ONLY_NUMBERS: Final = re.compile(rf"{_NUMBER}(?: ?, ?{_NUMBER})*")
_NICKNAME: Final = re.compile(r"([^()]+) \([^()]+\) ([^()]+)")
_NICKNAMED_AT: Final = re.compile(r"(?P<name>(?P<first>[^()]+) \([^()\s]+\) (?P<last>[^()]+)) \((?P<place>.+)\)")
_CROSSED: Final = re.compile(r"[^()]*\)[^(]*\(")
"""Brackets that are closed before they are opened: two people without what separates them."""
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
    "students talk talks tba tbd theater track tutorial workshop".split()
)
_PLACES: Final = frozenset(
    "academy center centre college company corp corporation department foundation gmbh inc institute lab labs "
    "laboratories laboratory llc ltd research school technologies universities university "
    "adobe alibaba amazon baidu deepmind facebook google huawei ibm microsoft nvidia openai qualcomm samsung "
    "tencent".split()
)
"""Words of places where people work, which stand behind a comma as names do."""
_MARKS: Final = (
    " *\u2020\u2021\u00a7\u00b6\u200b\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""What stands behind a name to say something of the person, who corresponds, who contributed as much, or nothing."""
_MAIL: Final = re.compile(r"\s*[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\s*")
_MOST_WORDS: Final = 6
_LONGEST: Final = 70


class Partly(tuple[Any, ...]):
    """What could be read of a list, without one part of it, which is to be told."""

    __slots__ = ()


def without_marks(name: str) -> str:
    """Return a name without what stands around it to say something of the person: ``*Ada Quill\u00b9`` is Ada Quill."""
    return _NUMBERS.sub("", name.strip(_MARKS)).strip(_MARKS)


def is_mail(text: str) -> bool:
    """True if a text is an address of mail, which some forms have where nobody gave a name."""
    return _MAIL.fullmatch(text) is not None


def people_of(text: object) -> tuple[Person, ...] | None:
    """Read people, each with an affiliation in brackets or none; None if it is no list of names.

    The place of one person alone may stand behind a comma, too: ``Ada Quill, Mole Lab``.
    """
    return _people(text, shared=False)


def people_by_place(text: object) -> tuple[Person, ...] | None:
    """Read people where one bracket stands behind all who belong to it: ``Ada Quill, Bo Ferns (Mole Lab)``."""
    return _people(text, shared=True)


def people_with_place(text: object) -> tuple[Person, ...] | None:
    """Read people with their affiliation behind a comma or colon, separated by semicolons.

    ``Ada Quill, Mole Lab; Bo Ferns`` or ``Ada Quill: Mole Lab, Oslo; Bo Ferns``.
    """
    made, odd = [], 0
    for part in _split(text, re.compile(";")) if isinstance(text, str) else ():
        name, place = (*_BEFORE_PLACE.split(part, maxsplit=1), "")[:2]
        if is_name(without_marks(name)):
            made.append(Person(without_marks(name), place.strip() or None))
        else:
            odd += 1
    return _with_odd(made, odd)


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
    return not any(word.casefold().rstrip(".") in _NO_NAMES for word in words) and not _names_place(text)


def _names_place(text: str) -> bool:
    """True if a text names a place where people work."""
    return not _PLACES.isdisjoint(word.casefold().strip(".,") for word in text.split())


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
    waiting = odd = 0
    for part in _split(_NUMBERS.sub("", text), _AND) if isinstance(text, str) else ():
        name, place, closed = _name_and_place(part.strip(_MARKS))
        name = name.strip(_MARKS)
        if place is not None and _ONLY_NUMBERS.fullmatch(place):
            place = None
        if made and place is None and _SUFFIX.fullmatch(name):
            made[-1] = made[-1]._replace(name=f"{made[-1].name}, {name}")
            continue
        if not closed and place is not None:
            if not _is_nicknamed(part):
                return None
            name, place = part, None
        elif place is not None and not name and made and made[-1].affiliation is None:
            made[-1] = made[-1]._replace(affiliation=place)  # "Ada Quill, (Mole Lab)"
            continue
        elif place is None and len(made) == waiting + 1 and made[-1].affiliation is None and _names_place(name):
            made[-1] = made[-1]._replace(affiliation=name)  # "Ada Quill, Mole Lab"
            waiting = len(made)
            continue
        elif not is_name(name) and not _is_nicknamed(name):
            odd += 1
            continue
        made.append(Person(name, place))
        if place is not None:
            made[waiting:] = [each._replace(affiliation=place) for each in made[waiting:]] if shared else made[waiting:]
            waiting = len(made)
    return _with_odd(made, odd)


def _is_nicknamed(name: str) -> bool:
    """True if a text is surely a name with a nickname in brackets."""
    found = _NICKNAME.fullmatch(name)
    return found is not None and is_name(" ".join(found.groups()))


def _name_and_place(part: str) -> tuple[str, str | None, bool]:
    """Split a person as ``split_affiliation`` does, but for a nickname; two people in one part are no name."""
    found = _NICKNAMED_AT.fullmatch(part)
    around = (found["first"], found["last"]) if found else ()
    if found and any(" " not in each for each in around) and is_name(" ".join(around)):
        return found["name"], found["place"], True
    name, place, closed = split_affiliation(part)
    return (part, None, True) if place and closed and _CROSSED.match(place) else (name, place, closed)


def _with_odd(people: list[Person], odd: int) -> tuple[Person, ...] | None:
    """Return people beside some parts that are no names: one of them among several names costs only itself."""
    if odd:
        return Partly(people) if odd == 1 and len(people) > 1 else None
    return tuple(people) or None


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
