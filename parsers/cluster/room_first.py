"""Slots that print the room above each title, as some years do in their box of workshops.

    Quay Room                                 LR6
    Workshop on Small Files                   Files at Sea
    Harbour Hall                              LR7
    Tutorial: Stores for Beginners            Tides and Tables

Whether a slot is one is seen from all its parts at once. Other slots are read in ``slots``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from parsers.cluster.drafts import Draft
from parsers.cluster.headings import read_session
from parsers.cluster.lines import Line, What
from parsers.cluster.names import reads_as_person
from parsers.cluster.page_facts import PageFacts
from parsers.cluster.parts import Part
from parsers.cluster.wording import ITEM_TITLE, is_title_shaped, is_worded_as_room, is_worded_as_title

_DIGITS: Final = re.compile(r"\d+")
_WORKSHOP: Final = re.compile(r"\b(?:workshop|tutorial)s?\b", re.IGNORECASE)


def rooms_above(parts: Sequence[Part], page: PageFacts) -> Sequence[bool]:
    """Say which lines of a box are rooms if it prints the room above each title; nothing for any other slot."""
    texts = [part.line.text for part in parts if part.what is What.TEXT or part.talk]
    if len(texts) < 2 or len(texts) != len(parts) or parts[0].talk:
        return ()
    tagged = [read_session(text).tag is not None for text in texts]
    if _alternates(texts) and not _names_chairs(texts, page):
        return [place % 2 == 0 for place in range(len(texts))]
    rooms = [page.is_room(text) or (any(tagged) and _can_be_place(text)) for text in texts]
    if any(part.talk and not (rooms[place - 1] and rooms[0]) for place, part in enumerate(parts)):
        return ()
    pairs = list(pairwise(rooms))
    above = sum(room and not title for room, title in pairs)
    below = sum(title and not room for room, title in pairs)
    return rooms if above > below or (above == below > 0 and page.room_first) else ()


def pair_rooms(parts: Sequence[Part], rooms: Sequence[bool]) -> Iterator[Draft]:
    """Pair each title of such a box with the room above it."""
    room: Line | None = None
    for part, is_room in zip(parts, rooms, strict=True):
        line = part.line
        if is_room:
            room = line
        elif part.talk:
            lines = [] if room is None else [room]
            talks = [part.talk] if part.talk.told else []
            yield Draft(read_session(part.talk.title), lines, room.text if room else None, talks=talks)
            room = None
        elif is_title_shaped(line.text):
            lines = [line] if room is None else [room, line]
            yield Draft(read_session(line.text), lines, room.text if room else None)
            room = None


def _alternates(texts: Sequence[str]) -> bool:
    """Say whether places and titles take turns in a box of workshops, whatever else the page says of rooms."""
    places, titles = texts[::2], texts[1::2]
    if len(texts) < 4 or len(places) != len(titles) or any(map(is_worded_as_room, titles)):
        return False
    if len({_DIGITS.sub("#", place) for place in places}) == 1 and _DIGITS.search(places[0]) and places[0].isalnum():
        return True  # "LR6", "LR7": numbered rooms
    if not all(map(_can_be_place, places)) or not any(map(_WORKSHOP.search, titles)):
        return False
    return 2 * sum(map(is_worded_as_title, titles)) >= len(titles)


def _names_chairs(texts: Sequence[str], page: PageFacts) -> bool:
    """Say whether a person stands right below a room, as bare chairs do on this page."""
    bare = page.bare_chairs and page.names_below_rooms
    return bare and any(room in page.rooms and reads_as_person(name) for room, name in pairwise(texts[1:]))


def _can_be_place(text: str) -> bool:
    """Say whether a line of a box can name a place: few words, and none that stands in titles."""
    return text.count(" ") < 4 and not is_worded_as_title(text) and not ITEM_TITLE.fullmatch(text)
