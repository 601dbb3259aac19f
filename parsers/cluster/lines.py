"""The lines of a text dump, sorted by what their form alone says, and what the page as a whole shows.

Form alone: days, time lines, chair and presenter labels, ``Abstract``, session types, marks. Everything else is text:
a title, room, bare chair, author line or paragraph, which ``slots`` and ``talks`` tell apart by its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final, NamedTuple

from parsers._dates import CLOCK, DASH, WEEKDAY
from parsers._lines import Furniture, Lines
from parsers.cluster.headings import (
    CHAIR_ROLE,
    PLACEHOLDER,
    read_chair_label,
    read_day,
    read_room,
    read_session,
    read_time_line,
    read_timed_item,
)
from parsers.cluster.people import looks_like_names, reads_as_authors, reads_as_person


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


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the whole page shows: ``once`` that titles stand once, without abstracts.

    ``named`` says of such a page that authors stand below titles.
    ``rooms`` are the texts that come again right below titles. ``bare_chairs`` that no chair bears a label.
    ``names_below_rooms`` that names stand below rooms. ``types`` that sessions end with their type.
    """

    once: bool
    named: bool
    doubled: bool
    rooms: frozenset[str]
    has_rooms: bool
    bare_chairs: bool
    names_below_rooms: bool
    room_first: bool
    types: bool

    def is_room(self, text: str) -> bool:
        """Say whether a text is a room of this page, or worded as one."""
        return text in self.rooms or is_worded_as_room(text)


_VIEW: Final = r"(?:Overview|At a Glance|By Date|By Event Type|By Room|Author Index)"
_TYPE: Final = r"(?:Break|Plenary|Paper|Poster|Workshop|Tutorial|Keynote|Panel|Invited|Social|Other)"
SESSION_TYPE: Final = rf"{_TYPE}(?:, {_TYPE})*"
_TYPES: Final = SESSION_TYPE.replace(" ", "[ ]")
_SITE: Final = r"Home|At a Glance|Committees?|Organi[sz]ation|Sponsors|Venue|Travel|Skip to (?:main )?content"

FURNITURE: Final = Furniture(
    {
        "column": r"\|+",
        "views": rf"{_VIEW}(?: ?\| ?{_VIEW})*",
        "back_to_top": r"(?i:(?:back|return) to top(?: button)?|top)",
        "award": r"Best (?:Student |Short )?Papers?(?: (?:Award|Candidate|Finalist|Nominee|Runner[- ]Up)){0,2}",
        "session_type": SESSION_TYPE,
        "copyright": r"(?i:(?:copyright\s*)?(?:©|\(c\)|copyright)\s*(?:19|20)\d\d\b.{0,120}|©.{0,120})",
        "menu_entry": r"[•◦▪‣·] ?\w[^.]{0,60}",
        "site_menu": rf"{_SITE}|(?i:program(?:me)?(?: at a glance)?)|Call for \w+(?: \w+)?",
    }
)

# The list of links in front of the entries of a page by date, and what entries are sorted under.
LINKS: Final = Furniture(
    {
        "slot_link": rf"(?i:(?:{WEEKDAY})[.,]? *(?:{CLOCK} ?{DASH} ?{CLOCK})?|{CLOCK} ?{DASH} ?{CLOCK})",
        "separator": r"[|•·-]+",
    }
)

# A title of an item that some extractors break where the markup does: it cannot end so.
_OPEN_TITLE: Final = re.compile(r"^\[(?:Workshop|Tutorial)\] .* (?:a|an|and|at|by|for|from|in|of|on|the|to|with)$")
_HEADS: Final = frozenset({What.DAY, What.TIME})
_ANYWHERE: Final = frozenset({"views", "back_to_top", "copyright"})
_LINK_STARTS: Final = (
    "Overview",
    "By ",
    "Author",
    "Back",
    "back",
    "Return to",
    "Top",
    "top",
    "©",
    "Copyright",
    "(c)",
    "(C)",
)
_DIGITS: Final = re.compile(r"\d+")
_SHORT: Final = 300
_SENTENCE: Final = 100
_ROOM_LENGTH: Final = 60
_ROOM_WORDS: Final = re.compile(
    r"""
      \b(?:Rooms?|Hall|Auditorium|Ballroom|Foyer|Lobby|Lounge|Theat(?:er|re)|Atrium|Salon|Suite|Floor|Amphitheat(?:er|re)|Aula)\b
      (?![ ](?:for|to|with|without|as|versus|vs)\b)     # "Room for Two" is no room
    | \b(?:Online|Zoom)\b(?=[^\w]*$|[ ]*[(,/&]|[ ]Room)  # nor is "Online Scheduling"
    """,
    re.VERBOSE,
)
_NO_ROOM_WORDS: Final = re.compile(r" (?:for|to|with|without|from|using|via|towards?|versus|vs\.?) ")
_TITLE_WORDS: Final = re.compile(
    r"[:?\[]|\b(?:workshop|tutorial|session|keynote|panel|talk|opening|closing)s?\b", re.IGNORECASE
)
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_HINT: Final = re.compile(
    rf"""
      (?P<column>\|+$)
    | (?P<time>\d{{1,2}}(?:[:.h]\d{{2}}|\s?[ap]\.?m\b|\s?noon\b)|noon\b)
    | (?P<abstract>abstract\s*:?$)
    | (?P<chair>{CHAIR_ROLE}\s*:)
    | (?P<presenter>presenters?\s*:\s*\S)
    | (?P<unknown>tb[acd]$)
    | (?P<cancelled>\W*cancell?ed\W*$)
    | (?P<type>(?-i:{_TYPES})$)
    | (?P<day>(?:[^:–—-]{{1,40}}[:–—-]\s+)?  # what the day is about
              (?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\b[.,]?\s+)?
              (?:{_MONTH}[a-z]{{0,6}}\b[.,]?\s+\d | \d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}))
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
    """Sort the lines of a dump; column marks and the page's own links are claimed as furniture and left out."""
    found: list[Line] = []
    for number, text in lines.texts():
        if len(text) > _SHORT and text[0] != "|":
            found.append(Line(number, number, text, What.TEXT))
            continue
        hint = _HINT.match(text)
        if hint is None:
            if found and found[-1].what is What.CHAIR and _goes_on_below(found[-1], lines, number):
                label = found.pop()
                found.append(Line(label.number, number, f"{label.text} {text}", What.CHAIR))
            elif found and found[-1].last + 1 == number and _OPEN_TITLE.search(found[-1].text, 0, _SHORT):
                before = found.pop()
                found.append(Line(before.number, number, f"{before.text} {text}", before.what))
            elif not _is_furniture(lines, number, text):
                found.append(Line(number, number, text.strip("| "), What.TEXT))
        else:
            _add_hinted(found, lines, number, text, hint.lastgroup or "")
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


def facts_of(found: Sequence[Line]) -> PageFacts:
    """Look at the whole page."""
    doubled = any(is_doubled(found, place, len(found)) for place in range(len(found) - 1))
    abstracts = any(line.what is What.ABSTRACT for line in found)
    labels = any(line.what is What.CHAIR and _names_chair(line.text) for line in found)
    rooms = _rooms(found)
    boxes = sum(
        above.what is What.TIME and line.what is What.TEXT and is_worded_as_room(line.text)
        for above, line in pairwise(found)
    )
    once = not doubled and not abstracts
    return PageFacts(
        once=once,
        named=once and has_authors(found, rooms),
        doubled=doubled,
        rooms=rooms,
        has_rooms=bool(rooms) or any(line.what is What.TEXT and is_worded_as_room(line.text) for line in found),
        bare_chairs=not labels,
        names_below_rooms=any(
            above.text in rooms
            and line.what is What.TEXT
            and (reads_as_person(line.text) or reads_as_authors(line.text))
            for above, line in pairwise(found)
        ),
        room_first=boxes > 1,
        types=any(
            line.what is What.TYPE and above.what not in _HEADS and (below is None or below.what in _HEADS)
            for above, line, below in zip(found, found[1:], [*found[2:], None], strict=False)
        ),
    )


def _names_chair(text: str) -> bool:
    """Say whether a label of a chair names one."""
    _, names = read_chair_label(text) or ("", "")
    return not PLACEHOLDER.fullmatch(names)


def has_authors(found: Sequence[Line], rooms: Collection[str]) -> bool:
    """Say whether lists of authors stand below titles, more than once; below rooms bare chairs do."""
    below = (
        line.text
        for above, line in pairwise(found)
        if above.what is What.TEXT
        and line.what is What.TEXT
        and above.text not in rooms
        and not is_worded_as_room(above.text)
    )
    return len(list(islice(filter(reads_as_authors, below), 2))) > 1


def _is_label(line: Line) -> bool:
    """Say whether a line bears the label of a chair or presenter."""
    return line.what is What.CHAIR or line.what is What.PRESENTER


def _as_title(found: Sequence[Line], place: int) -> Line:
    """Return a label as the title that it is where it stands twice above ``Abstract``, with authors between or not."""
    line = found[place]
    first = place if place + 1 < len(found) and found[place + 1].text == line.text else place - 1
    twice = first >= 0 and found[first].text == found[first + 1].text
    if twice and any(below.what is What.ABSTRACT for below in found[first + 2 : first + 4]):
        return line._replace(what=What.TEXT)
    return line


def is_doubled(found: Sequence[Line], place: int, end: int) -> bool:
    """Say whether a title stands twice here: visible, and again at the head of what the page hides."""
    if place + 1 >= end:
        return False
    line, again = found[place], found[place + 1]
    return line.text == again.text and line.what is What.TEXT and again.what is What.TEXT and not is_prose(line.text)


def is_title_shaped(text: str) -> bool:
    """Say whether a text can be a title, room or name: begins as one, and is no prose."""
    first = text[0]
    return not is_prose(text) and not first.islower() and (first.isalnum() or first in "\"'“”‘’«([¿¡")


def is_prose(text: str) -> bool:
    """Say whether a text is too long, or too much of a sentence, for a title."""
    return len(text) > _SHORT or (len(text) > _SENTENCE and text[-1] == ".")


def _add_hinted(found: list[Line], lines: Lines, number: int, text: str, hint: str) -> None:
    """Add a line whose beginning has a known form, if the whole of it has."""
    what = _PLAIN.get(hint, What.TEXT)
    if hint == "column":
        lines.claim_furniture(number, FURNITURE)
        return
    if hint == "tail" and found and found[-1].text.count("(") > found[-1].text.count(")"):
        before = found.pop()
        found.append(Line(before.number, number, before.text + text, before.what))
        return
    if hint == "time" and (read_time_line(text) or read_timed_item(text)):
        what = What.TIME
    elif hint == "day" and read_day(text):
        what = What.DAY
    elif hint == "chair" and read_chair_label(text):
        what = What.CHAIR
    found.append(Line(number, number, text, what))


def _goes_on_below(label: Line, lines: Lines, number: int) -> bool:
    """Say whether line ``number`` holds the names of a chair label that stands alone, and is no talk's title."""
    below = lines[number + 1].strip() if number < lines.last else ""
    text = lines[number].strip()
    return label.text.endswith(":") and label.last + 1 == number and text != below and looks_like_names(text)


def _is_furniture(lines: Lines, number: int, text: str) -> bool:
    """Claim the page's own links; awards and session types are furniture only in their places."""
    rule = FURNITURE.rule(text) if text.startswith(_LINK_STARTS) else None
    if rule is None or rule.name not in _ANYWHERE:
        return False
    return lines.claim_furniture(number, FURNITURE)


def _rooms(found: Sequence[Line]) -> frozenset[str]:
    """Return the texts that come again below titles rather than where titles stand, and are no bare chairs."""
    above: dict[str, set[str]] = {}
    below_title: Counter[str] = Counter()
    as_title: Counter[str] = Counter()
    talks: set[str] = set()
    for before, line in pairwise(found):
        if line.what is not What.TEXT or len(line.text) > _ROOM_LENGTH:
            continue
        if before.text == line.text:
            talks.add(line.text)
        elif before.what is What.TEXT and not is_prose(before.text):
            below_title[line.text] += 1
            above.setdefault(line.text, set()).add(before.text)
        else:
            as_title[line.text] += 1
    again = {
        text
        for text, count in below_title.items()
        if count > max(1, as_title[text]) and text not in talks and _can_be_room(text)
    }
    again -= _titles_above_rooms(found, again)
    again |= {text for text in below_title if _shape(text) in {_shape(room) for room in again} - {None}}
    return frozenset(text for text in again if not (above[text] <= again and reads_as_person(text)))


def _shape(text: str) -> str | None:
    """Return the form of a numbered room such as ``LR6``, alike for all its sisters; None for other texts."""
    return _DIGITS.sub("#", text) if text.isalnum() and _DIGITS.search(text) else None


def _titles_above_rooms(found: Sequence[Line], again: Collection[str]) -> set[str]:
    """Return which texts that come again stand each time above another such text and the label of a chair: titles."""
    ways: dict[str, set[bool]] = {}
    for line, below, after in zip(found, found[1:], found[2:], strict=False):
        if line.text in again:
            ways.setdefault(line.text, set()).add(below.text in again and after.what is What.CHAIR)
    return {text for text, way in ways.items() if way == {True}}


def _can_be_room(text: str) -> bool:
    """Say whether a text that comes again can be a room."""
    return is_title_shaped(text) and _short(text) and not _TITLE_WORDS.search(text) and not read_session(text).formal


@lru_cache(4096)
def is_worded_as_room(text: str) -> bool:
    """Say whether a short text is worded as a room."""
    if len(text) > _ROOM_LENGTH or ": " in read_room(text) or "?" in text or _NO_ROOM_WORDS.search(text):
        return False
    return _ROOM_WORDS.search(text) is not None and _short(text)


def is_worded_as_title(text: str) -> bool:
    """Say whether a text has words or marks that stand in titles and not in names of rooms."""
    return _TITLE_WORDS.search(text) is not None


def _short(text: str) -> bool:
    """Say whether a text has few words."""
    return text.count(" ") < 7
