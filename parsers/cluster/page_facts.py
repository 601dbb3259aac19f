"""What a text dump shows as a whole: whether titles stand twice, which lines are rooms, how chairs are printed.

    Great Hall            comes again right below titles: a room, whatever its wording
    Bea Sorn              below a room, on a page where no chair bears a label: a bare chair

Years and extractors differ in all of this, so that the same lines mean different things. What a single line is does not
belong here (``roles``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Final

from parsers.cluster.headings import PLACEHOLDER, read_chair_label, read_session
from parsers.cluster.lines import Line, What, is_doubled
from parsers.cluster.names import reads_as_authors, reads_as_person
from parsers.cluster.wording import (
    LONGEST_ROOM,
    has_few_words,
    is_prose,
    is_title_shaped,
    is_worded_as_room,
    is_worded_as_title,
)

_HEADS: Final = frozenset({What.DAY, What.TIME})
_DIGITS: Final = re.compile(r"\d+")
_NAMED_AND_NUMBERED: Final = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)? \d{1,4}[A-Z]?")


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


def facts_of(found: Sequence[Line]) -> PageFacts:
    """Look at the whole page."""
    doubled = any(is_doubled(found, place) for place in range(len(found) - 1))
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
        named=once and _has_authors(found, rooms),
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


def facts_of_slot(block: Sequence[Line], page: PageFacts) -> PageFacts:
    """Return what a slot shows: papers may print their titles once, with authors or without, whatever others do."""
    if page.once or any(line.what is What.ABSTRACT for line in block):
        return page
    if any(is_doubled(block, at) for at in range(len(block))):
        return page
    papers = any(line.what is What.TYPE and "Paper" in line.text for line in block)
    named = _has_authors(block, page.rooms)
    return replace(page, once=True, named=named) if papers or named else page


def _names_chair(text: str) -> bool:
    """Say whether a label of a chair names one."""
    _, names = read_chair_label(text) or ("", "")
    return not PLACEHOLDER.fullmatch(names)


def _has_authors(found: Sequence[Line], rooms: Collection[str]) -> bool:
    """Say whether lists of authors stand below titles, more than once; below rooms bare chairs do.

    One author with an affiliation is such a list where others are of several.
    """
    below = [
        line.text
        for above, line in pairwise(found)
        if above.what is What.TEXT
        and line.what is What.TEXT
        and above.text not in rooms
        and not is_worded_as_room(above.text)
    ]
    several = len(list(islice(filter(reads_as_authors, below), 2)))
    return several > 1 or (several == 1 and any(map(_is_one_author, below)))


def _is_one_author(text: str) -> bool:
    """Say whether a text is one person with an affiliation in brackets."""
    name, _, affiliation = text.partition(" (")
    return affiliation.endswith(")") and reads_as_person(name)


def _rooms(found: Sequence[Line]) -> frozenset[str]:
    """Return the texts that come again below titles rather than where titles stand, and are no bare chairs."""
    above: dict[str, set[str]] = {}
    below_title: Counter[str] = Counter()
    as_title: Counter[str] = Counter()
    talks: set[str] = set()
    for before, line in pairwise(found):
        if line.what is not What.TEXT or len(line.text) > LONGEST_ROOM:
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
    shapes = {_shape(room) for room in again} - {None}
    again |= {text for text in below_title if _shape(text) in shapes}
    return frozenset(text for text in again if not (above[text] <= again and reads_as_person(text)))


def _shape(text: str) -> str | None:
    """Return the form of a numbered room, ``LR6`` or ``Coral 3``, alike for all its sisters; None for other texts."""
    numbered = text.isalnum() or _NAMED_AND_NUMBERED.fullmatch(text)
    return _DIGITS.sub("#", text) if numbered and _DIGITS.search(text) else None


def _titles_above_rooms(found: Sequence[Line], again: Collection[str]) -> set[str]:
    """Return which texts that come again stand each time above another such text and the label of a chair: titles."""
    ways: dict[str, set[bool]] = {}
    for line, below, after in zip(found, found[1:], found[2:], strict=False):
        if line.text in again:
            ways.setdefault(line.text, set()).add(below.text in again and after.what is What.CHAIR)
    return {text for text, way in ways.items() if way == {True}}


def _can_be_room(text: str) -> bool:
    """Say whether a text that comes again can be a room."""
    shaped = is_title_shaped(text) and has_few_words(text)
    return shaped and not is_worded_as_title(text) and not read_session(text).formal
