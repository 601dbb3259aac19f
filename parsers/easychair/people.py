"""Names as EasyChair prints them, and tests that tell a line of names from a title.

```
A. One, B. Two and C. Three
Anna Vell (Moor University (MU), Esteria)
```

The place of a line decides (``grammar``); the tests here only rule out lines that cannot be names.
"""

import re
from collections.abc import Iterable
from typing import Final

from parsers._words.text import People, person_with_country
from schemas.items import Person

# Some names have a slash: ``Devi a/p Raman``, ``Ravi s/o Kumar``.
_NOT_IN_NAMES: Final = re.compile(r"[\d:?!=<>|\\{}@#$%^*+~;\[\]]|/(?!(?<=\s[AaSsDd]/)[LlPpOo]\s)")
_TITLE_WORDS: Final = re.compile(
    r"(?<![\w'’-])(?:a|an|the|of|for|in|on|at|to|from|by|with|via|using|or|is|are|as|into|over|under|towards?)(?![\w'’/-])"
)
_STRICT_WORD: Final = (
    r"(?:[^\W\d_a-z][\w.'’`-]*|d[aeiou]s?|del|della|den|der|dal|dalla|degli|v[ao]n|vom|ten|ter|zur?|zum|la|las|le|lo"
    r"|los|el|al|af|av|op|het|['’]t|bin|bint|ben|ibn|ul|ur|y|e|i|[AaSsDd]/[LlPpOo]|(?:[dl]['’]|[ae]l-)[^\W\d_a-z][\w.'’`-]*)"
)
_STRICT_NAME: Final = re.compile(rf"{_STRICT_WORD}(?: {_STRICT_WORD}){{1,5}}")
_COUNTRY: Final = re.compile(r", ([^,()\n]++)\)$", re.MULTILINE)

_NICKNAMED: Final = re.compile(r"(?P<name>[^(),]+\([^\W\d_][^(),]{0,30}\)\s+[^\W\d_][^(),]*)(?P<place>\(.*)?")

# Separators between people; a degree or generation after a comma belongs to the name before it.
_JOINT: Final = re.compile(
    r"(?<!\s)(?:\s*+,\s++(?!(?:[JS]r|I{2,3}|IV|Ph\.? ?D|M\.?D|Esq)\.?(?=\s*+(?:[,(]|\Z)|\s++and\s))(?:and\s++)?"
    r"|\s++and\s++)"
)
_LAST_JOINT: Final = re.compile(r"(?:,|(?<=[\s,])and)\Z")
_BRACKET_OR_JOINT: Final = re.compile(rf"[()]|{_JOINT.pattern}")


def is_affiliated(line: str) -> bool:
    """True if a line has the shape ``Name (Affiliation, Country)``, closed or not."""
    name, opened, _ = line.partition("(")
    return bool(opened) and 0 < len(name) <= 80 and _could_be_name(name) and not _TITLE_WORDS.search(name)


def is_affiliated_name(line: str) -> bool:
    """True if, further, the name looks like a person's and the bracket is closed and names a country."""
    name, opened, _ = line.partition("(")
    return bool(opened) and is_name(name.strip()) and _COUNTRY.search(line) is not None


def could_be_names(line: str) -> bool:
    """True if nothing in a line rules out a list of names; the affiliation is ignored."""
    return _could_be_name(line.partition("(")[0])


def is_name(line: str) -> bool:
    """True if a line looks like one personal name: two to six capitalised words, initials and particles."""
    return _STRICT_NAME.fullmatch(line) is not None


def split_people(line: str) -> list[str]:
    """Split a line of names at commas and ``and`` outside brackets; an unclosed bracket runs to the end."""
    name, opened, rest = line.partition("(")
    if not opened:
        return [stripped for part in _JOINT.split(line) if (stripped := part.strip())]
    if rest.endswith(")") and rest.find("(") < 0 and "," not in name and " and " not in name:
        return [line]
    parts, start, depth = [], 0, 0
    for found in _BRACKET_OR_JOINT.finditer(line):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth = max(0, depth - 1)
        elif not depth:
            parts.append(line[start : found.start()])
            start = found.end()
    parts.append(line[start:])
    return [stripped for part in parts if (stripped := part.strip())]


def read_people(printed: Iterable[str]) -> People:
    """Read people that are printed one by one, with the affiliation in brackets after the name."""
    texts = list(printed)
    people = tuple(_read_person(text) if "(" in text else Person(text) for text in texts)
    return People(people, ("bracket_unclosed",) if any(map(_is_open, texts)) else ())


def people_of(lines: Iterable[str]) -> People:
    """Read the people from lines of names, each of which can end in a separator."""
    return read_people(part for line in lines for part in split_people(_LAST_JOINT.sub("", line)))


def _read_person(text: str) -> Person:
    """Read a name and the brackets after it; a nickname in brackets inside the name is part of the name."""
    found = _NICKNAMED.fullmatch(text)
    if found is None:
        return person_with_country(text)
    return person_with_country(f"_{found['place'] or ''}")._replace(name=found["name"].strip())


def _is_open(part: str) -> bool:
    """True if the bracket after a name is not closed at the end."""
    if "(" not in part or (part.endswith(")") and part.count("(") <= part.count(")")):
        return False
    found = _NICKNAMED.fullmatch(part)
    return found is None or found["place"] is not None


def _could_be_name(text: str) -> bool:
    return _NOT_IN_NAMES.search(text) is None
