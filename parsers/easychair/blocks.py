"""Pieces of text between two structural lines, for ``talks``, ``abstracts`` and ``details``; nothing is claimed here.

What belongs to a talk whose time line is missing is an orphan: it must not become part of what stands above it.
"""

import re
from dataclasses import dataclass
from typing import Final

from parsers._lines import Lines

ABSTRACT: Final = "ABSTRACT."
SENTENCE_ENDS: Final = tuple(".!?:;…\"”'’)]»")
POINT: Final = re.compile(r"\s*(?:[•‣◦▪*–-]|\d{1,2}[.)])\s+(?=\S)")
"""What a point of a list begins with."""
DETAIL_LABEL: Final = re.compile(r"Location:.*|(?:Session )?Chairs?:")
"""A line that names the room of a session or announces its chairs."""
_SECTIONS: Final = (
    r"background|(?:materials? and )?methods?|results?|conclusions?|discussion|objectives?|aims?|introduction|purpose"
    r"|findings"
)
_LABELS: Final = (
    r"key ?words?(?: and phrases)?|index terms|topics?|source code|code|data(?: ?sets?)?|demo|video|slides|web ?site"
    r"|web ?page|links?|url|doi|(?:full |published )?paper|pre-?print|arxiv|references?|bibliography"
    r"|(?:short )?bio(?:graphy)?|about the (?:speakers?|authors?)|notes?|acknowledge?ments?|funding|joint work"
    rf"|supervisors?|advis[eo]rs?|jel(?: codes?| classification)?|msc(?: \d{{4}})?|ams|acm|{_SECTIONS}|palabras clave"
    r"|palavras-chave|mots[ -]cl[ée]s|schl[üu]sselw[öo]rter|stichw[öo]rter|parole chiave"
)
_LABELLED: Final = re.compile(
    rf"(?:{_LABELS})(?: \([^()]*\))?\s?[:–—].*\S|joint(?:ly)? (?:work )?with \S.*|\[\d{{1,3}}\] \S.*",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(rf"(?:{_SECTIONS})[.:]?", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://\S")


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive understood lines of one field: their numbers and the text of each without its label."""

    numbers: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()

    def slice(self, start: int, stop: int) -> "Part":
        """Return the lines from ``start`` up to ``stop``, counted from 0 within the part."""
        return Part(self.numbers[start:stop], self.texts[start:stop])


NOTHING: Final = Part()


def make_part(found: list[tuple[int, str]]) -> Part:
    """Make a ``Part`` of pairs of line number and text."""
    return Part(*zip(*found, strict=True)) if found else NOTHING


def next_text(lines: Lines, number: int, stop: int) -> int:
    """Return the first line from ``number`` on that is not blank; ``stop + 1`` where there is none."""
    while number <= stop and not lines[number].strip():
        number += 1
    return number


def opens_text(text: str) -> bool:
    """Say whether a line opens the presenter or abstract of a talk, whose head then stands above it."""
    return text.startswith((ABSTRACT, "SPEAKER:", "PRESENTER:"))


def read_point(line: str) -> str:
    """Return a point of a list; an indented mark was put there by the extractor."""
    found = POINT.match(line) if line[:1].isspace() else None
    return line.strip() if found is None else line[found.end() :].strip()


def is_prose(text: str) -> bool:
    """Say whether a line reads as a paragraph rather than as a name or the rest of a damaged heading."""
    return len(text) >= 100 or (text.endswith(SENTENCE_ENDS) and text.count(" ") >= 2)


def is_labelled(text: str) -> bool:
    """Say whether a line is one that ends abstracts and is no sentence: key words, a reference, who took part."""
    return _LABELLED.fullmatch(text) is not None


def is_section(text: str) -> bool:
    """Say whether a line is the heading of a section of a structured abstract."""
    return _SECTION.fullmatch(text) is not None


def is_address(text: str) -> bool:
    """Say whether a line holds an address, as the end of an abstract and the free text of a session can."""
    return _ADDRESS.search(text) is not None


def find_orphan(lines: Lines, start: int, stop: int) -> int | None:
    """Find the head above the first presenter or abstract that no talk owns: the block that it belongs to."""
    opening = next((number for number, text in lines.texts(start, stop) if opens_text(text)), None)
    if opening is None:
        return None
    first = opening
    while first > start and not lines[first - 1].strip():
        first -= 1
    while first > start and lines[first - 1].strip():
        first -= 1
    return first
