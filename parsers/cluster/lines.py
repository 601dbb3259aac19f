"""The lines of a text dump, sorted by what their form alone says.

Form alone: days, time lines, chair and presenter labels, ``Abstract``, session types, marks. Everything else is text:
a title, room, bare chair, author line or paragraph, which ``parts``, ``talks`` and ``roles`` tell apart by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from parsers._lines import Lines
from parsers.cluster.boilerplate import BOILERPLATE, SESSION_TYPE, is_never_programme
from parsers.cluster.filled import paragraphs
from parsers.cluster.headings import CHAIR_LABEL, read_chair_label
from parsers.cluster.names import looks_like_names
from parsers.cluster.times import DAY_HINT, read_day, read_time_line, read_timed_item
from parsers.cluster.wording import LONGEST_TITLE, OPEN_END, is_prose


class What(Enum):
    """What the form of a line says."""

    TEXT = auto()
    DAY = auto()
    TIME = auto()
    CHAIR = auto()
    PRESENTER = auto()
    ABSTRACT = auto()
    TYPE = auto()
    CANCELLED = auto()
    UNKNOWN = auto()  # "TBA": a time, a room, an abstract to come


class Line(NamedTuple):
    """A line of text, or one that the extractor broke in two: numbers of its first and last physical line."""

    number: int
    last: int
    text: str
    what: What


_TYPES: Final = SESSION_TYPE.replace(" ", "[ ]")
# A title of an item that some extractors break where the markup does: it cannot end so.
_OPEN_TITLE: Final = re.compile(
    rf"^(?:\[(?:Workshop|Tutorial)\]|(?:[Pp]aper )?[Ss]ession (?:\(\w{{1,4}}\)|\w{{1,4}}:)) .*{OPEN_END}$"
)
_HINT: Final = re.compile(
    rf"""
      (?P<column>(?:\|+|[_━─═=-]{{5,}})$)
    | (?P<time>[(\[]?(?:from\s|time\s*:\s*)?
              \d{{1,2}}(?:[:.h]\d{{2}}|\s?[ap]\.?m\b|\s?noon\b|\s?[–—-]\s?\d)|noon\b)
    | (?P<abstract>abstract\s*:?$)
    | (?P<chair>{CHAIR_LABEL})
    | (?P<presenter>presenters?\s*:\s*\S)
    | (?P<unknown>tb[acd]$)
    | (?P<cancelled>\W*cancell?ed\W*$)
    | (?P<type>(?-i:{_TYPES})$)
    | (?P<day>{DAY_HINT})
    | (?P<tail>\)$)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN: Final = {
    "abstract": What.ABSTRACT,
    "presenter": What.PRESENTER,
    "unknown": What.UNKNOWN,
    "cancelled": What.CANCELLED,
    "type": What.TYPE,
}


def sort_lines(lines: Lines) -> list[Line]:
    """Sort the lines of a dump; column marks and the page's own links are claimed as boilerplate and left out."""
    found: list[Line] = []
    for number, last, text in paragraphs(lines):
        if len(text) > LONGEST_TITLE and text[0] != "|":
            found.append(Line(number, last, text, What.TEXT))
            continue
        hint = _HINT.match(text)
        if hint is None:
            if found and found[-1].what is What.CHAIR and _goes_on_below(found[-1], lines, number):
                label = found.pop()
                found.append(Line(label.number, last, f"{label.text} {text}", What.CHAIR))
            elif found and found[-1].last + 1 == number and _OPEN_TITLE.search(found[-1].text, 0, LONGEST_TITLE):
                before = found.pop()
                found.append(Line(before.number, last, f"{before.text} {text}", before.what))
            elif not _is_boilerplate(lines, number, text):
                found.append(Line(number, last, text.strip("| "), What.TEXT))
        else:
            _add_hinted(found, lines, Line(number, last, text, What.TEXT), hint.lastgroup or "")
    found = [_as_title(found, place) if _is_label(line) else line for place, line in enumerate(found)]
    return list(_mend_titles(found))


def _mend_titles(found: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines, titles mended that the page breaks in two: their halves stand twice, above ``Abstract``."""
    place = 0
    while place < len(found):
        if _is_broken(found, place):
            for first, second in (found[place : place + 2], found[place + 2 : place + 4]):
                yield first._replace(last=second.last, text=f"{first.text} {second.text}")
            place += 4
        else:
            yield found[place]
            place += 1


def _is_broken(found: Sequence[Line], place: int) -> bool:
    """Say whether the halves of a title stand here, and once more."""
    if (
        place + 4 >= len(found)
        or found[place].text != found[place + 2].text
        or found[place].text == found[place + 1].text
    ):
        return False
    if found[place + 1].text != found[place + 3].text:
        return False
    titles = all(line.what is What.TEXT and not is_prose(line.text) for line in found[place : place + 4])
    return titles and any(line.what is What.ABSTRACT for line in found[place + 4 : place + 7])


def _is_label(line: Line) -> bool:
    """Say whether a line bears the label of a chair or presenter, or is a word that stands for titles too."""
    return line.what in {What.CHAIR, What.PRESENTER, What.TYPE, What.UNKNOWN}


def _as_title(found: Sequence[Line], place: int) -> Line:
    """Return a label as the title that it is where it stands twice above ``Abstract``, with authors between or not."""
    line = found[place]
    first = place if place + 1 < len(found) and found[place + 1].text == line.text else place - 1
    twice = first >= 0 and found[first].text == found[first + 1].text
    if twice and any(below.what is What.ABSTRACT for below in found[first + 2 : first + 4]):
        return line._replace(what=What.TEXT)
    return line


def is_doubled(found: Sequence[Line], place: int) -> bool:
    """Say whether a title stands twice here: visible, and again at the head of what the page hides."""
    if place + 1 >= len(found):
        return False
    line, again = found[place], found[place + 1]
    return line.text == again.text and line.what is What.TEXT and again.what is What.TEXT and not is_prose(line.text)


def _add_hinted(found: list[Line], lines: Lines, line: Line, hint: str) -> None:
    """Add a line whose beginning has a known form, if the whole of it has."""
    text, what = line.text, _PLAIN.get(hint, What.TEXT)
    if hint == "column":
        lines.claim_boilerplate(line.number, BOILERPLATE)
        return
    if hint == "tail" and found and found[-1].text.count("(") > found[-1].text.count(")"):
        before = found.pop()
        found.append(Line(before.number, line.last, before.text + text, before.what))
        return
    if hint == "time" and (read_time_line(text) or read_timed_item(text)):
        what = What.TIME
    elif hint in {"day", "time"} and read_day(text):
        what = What.DAY
    elif hint == "chair" and read_chair_label(text):
        what = What.CHAIR
    found.append(line._replace(what=what))


def _goes_on_below(label: Line, lines: Lines, number: int) -> bool:
    """Say whether line ``number`` holds the names of a chair label that stands alone, and is no talk's title."""
    below = lines[number + 1].strip() if number < lines.last else ""
    text = lines[number].strip()
    return label.text.endswith(":") and label.last + 1 == number and text != below and looks_like_names(text)


def _is_boilerplate(lines: Lines, number: int, text: str) -> bool:
    """Claim a line that is no part of a programme wherever it stands."""
    return is_never_programme(text) and lines.claim_boilerplate(number, BOILERPLATE)
