"""What part of a Smart Program an element in HTML is by its class: the vocabulary of the pages of all years.

Which parts belong together does not belong here (``sections``), nor what they say (``elements``, ``pieces``).
"""

from enum import IntEnum, auto
from functools import lru_cache
from typing import Final


class Part(IntEnum):
    """What an element is by its class; a number, because it is looked up for every element of a page."""

    DATE = auto()
    SESSION = auto()
    BREAK = auto()
    HEADING = auto()
    INTERVAL = auto()
    TITLE = auto()
    GROUP = auto()
    CHAIR = auto()
    CHAIR_WORD = auto()
    CHAIR_NAMES = auto()
    ROOM = auto()
    ROOM_WORD = auto()
    ROOM_NAME = auto()
    DESCRIPTION = auto()
    TALK = auto()
    TIME = auto()
    DURATION = auto()
    AUTHORS = auto()
    AFFILIATION = auto()
    PRESENTER = auto()
    ABSTRACT = auto()
    ABSTRACT_LABEL = auto()


_CLASSES: Final = {
    "date": Part.DATE,
    "session": Part.SESSION,
    "coffeebreak": Part.BREAK,
    "lunchbreak": Part.BREAK,
    "heading": Part.HEADING,
    "interval": Part.INTERVAL,
    "title": Part.TITLE,
    "group_tag": Part.GROUP,
    "session_chair": Part.CHAIR,
    "chair_word": Part.CHAIR_WORD,
    "chair_names": Part.CHAIR_NAMES,
    "room": Part.ROOM,
    "room_word": Part.ROOM_WORD,
    "room_name": Part.ROOM_NAME,
    "session_desc": Part.DESCRIPTION,
    "talk": Part.TALK,
    "time": Part.TIME,
    "duration": Part.DURATION,
    "authors": Part.AUTHORS,
    "affiliation_item": Part.AFFILIATION,
    "speaker": Part.PRESENTER,
    "presenter": Part.PRESENTER,
    "abstract": Part.ABSTRACT,
    "abstract_label": Part.ABSTRACT_LABEL,
}
PLAIN: Final = frozenset({None, "person"})
"""What the class of an element can be that is surely no part."""


@lru_cache(maxsize=1024)
def part_of(classes: str | None) -> Part | None:
    """Return what part an element is by its classes, None where it is none."""
    return next((_CLASSES[name] for name in (classes or "").split() if name in _CLASSES), None)
