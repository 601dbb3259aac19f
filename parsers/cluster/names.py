"""Whether a text reads as names, and where one name of a list ends: guesses, for places that print other things too.

    Bea Sorn                                     reads as a person
    Sorn, Tern, A. Quill                         looks like names: surnames stand alone too
    Ann One (Norwick), Bo Two (Plum)             surely authors
    Large Cluster Storage                        words of titles and affiliations: no person

To whom an affiliation belongs is read in ``people``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from parsers._titles import reads_as_title

BETWEEN_NAMES: Final = re.compile(r"\s*[,;]\s*(?:and\s+|AND\s+|&\s*)?|\s+(?:and|AND|&)\s+")
# Brackets that do not nest, all of them closed.
FLAT: Final = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*")
_BRACKET: Final = re.compile(r"[()]")
_NO_NAME: Final = re.compile(r"[0-9@]|://")
_LABEL: Final = re.compile(r"(?:Presenter\(s\)|Authors?|Presenters?)\s*:\s*")
_INNERMOST: Final = re.compile(r"\s*\([^()]*\)")
_SMALL_NAME: Final = re.compile(r"[a-z]+(?:[ -][a-z]+){1,2}")
_DEEPEST: Final = 3
_LONGEST_LIST: Final = 100_000
_OPEN_END: Final = re.compile(r"(?:[,;]\s*|\s)(?:and|&)?$")
_OPEN_ENDS: Final = (",", ";", "&", "and")
_PARTICLES: Final = frozenset(
    """af al av ben bin da de del della den der di do dos du e el ibn la las le los ten ter van vom von y zu zum
    zur""".split()
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
    text = without_label(text)
    if text.endswith(_OPEN_ENDS):
        text = _OPEN_END.sub("", text)
    names = _names_outside_brackets(text)
    others = [name for name in names if not _can_be_name(name)]
    return bool(names) and (not others or (len(others) == 1 < len(names) - 1 and _is_lower_cased(others[0], text)))


def reads_as_authors(text: str) -> bool:
    """Say whether a text is surely a list of several authors: two in three of them read as personal names."""
    if not looks_like_names(text):
        return False
    names = _names_outside_brackets(without_label(text))
    return len(names) > 1 and 3 * sum(map(reads_as_author, names)) >= 2 * len(names)


def without_label(text: str) -> str:
    """Take the label off an author list, and runs of blanks out of it."""
    text = " ".join(text.split())
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


def split_names(text: str) -> list[str]:
    """Split a line at all that stands between names; where only commas do, in fewer steps."""
    if ";" in text or "&" in text or " AND " in text or " and " in text.replace(", and ", ", ") or text != text.strip():
        return BETWEEN_NAMES.split(text)
    first, *others = [name.strip() for name in text.split(",")]
    if "and" in others:
        return BETWEEN_NAMES.split(text)
    return [first, *[name[4:].lstrip() if name.startswith("and ") else name for name in others]]


def reads_as_author(name: str) -> bool:
    """Say whether a name of a list reads as a person; a first name may look like a particle: ``Di Wu``."""
    first, _, others = name.partition(" ")
    return reads_as_person(name) or (
        first.istitle() and first.lower() in _PARTICLES and reads_as_person(f"A. {others}")
    )


def _names_outside_brackets(text: str) -> list[str]:
    """Return the names of a line without their affiliations; what an unclosed or deeply nested bracket holds is cut."""
    if FLAT.fullmatch(text):
        pieces = _BRACKET.split(text)
        text = "".join([*[piece.rstrip() for piece in pieces[:-1:2]], pieces[-1]])
    for _ in range(_DEEPEST):
        if "(" not in text:
            break
        text = _INNERMOST.sub("", text)
    return [name for name in split_names(text.partition("(")[0]) if name]


def _can_be_name(name: str) -> bool:
    """Say whether a text can be a name on an author line, where surnames stand alone too."""
    if name[0].isupper() and name.isascii() and name.count(" ") < 7:
        return _NO_NAME.search(name) is None
    words = name.split()
    if len(words) > 7 or _NO_NAME.search(name) or any(letter.isdigit() for letter in name):
        return False
    return any(word[0].isupper() or not word[0].isascii() for word in words)


def _is_lower_cased(name: str, text: str) -> bool:
    """Say whether a name of a list is written in small letters; the affiliation behind it tells that it is one."""
    return _SMALL_NAME.fullmatch(name) is not None and f"{name} (" in text


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
