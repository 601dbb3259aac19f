"""What the wording of a text alone says, wherever it stands: prose, a title, a room, an item, an institution.

    Great Hall        Room 3, First Floor        worded as rooms; "Room for Two Stores" is not
    Panel: Whose Files?                          worded as a title
    Lunch Break        Opening Session           the whole title of an item that lists no talks

What a line of a dump is, by the lines around it, does not belong here (``roles``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from parsers.cluster.headings import read_room, read_session

# Titles of items that list no talks, whole: they begin a new item wherever they stand. "When Ropes Break" is a talk.
ITEM_TITLE: Final = re.compile(
    r"(?!(?:How|Why|What|When|Where|Who|Do|Does|Can|Don['’]t|To|Until) )"
    r"(?:[\w/&'’-]+ ){0,5}(?:Breaks?|Lunch|Breakfast|Dinner|Banquet|Reception|Registration|Excursion|Posters?"
    r"|Poster (?:Session|Presentation)s?|(?:Opening|Closing|Welcome|Concluding|Awards?)"
    r" (?:Session|Ceremony|Talk|Remarks|Address|Speech|Words)|Opening|Closing|Welcome)"
)
# Titles of sessions that list talks; the singular is the award of one.
_SESSION_TITLE: Final = re.compile(r"Best (?:Student |Short )?Paper (?:Candidates|Finalists|Nominees)")
# A line that names an institution, as some pages print it below the authors.
AFFILIATION: Final = re.compile(
    r"[^:?!]{0,60}\b(?:University|Institute|Laborator(?:y|ies)|College|Cent(?:er|re)|Inc\.|GmbH)\b"
    r"[^:?!]{0,60}, [^:?!,]{2,30}"
)

# How a title ends that goes on below.
OPEN_END: Final = r"(?:[,&]| (?:a|an|and|at|by|for|from|in|of|on|the|to|with))"
LONGEST_TITLE: Final = 300
LONGEST_ROOM: Final = 60
_SENTENCE: Final = 100
_WORDS_OF_SENTENCE: Final = 10
_ROOM_WORDS: Final = re.compile(
    r"""
      \b(?:Rooms?|Hall|Auditorium|Ballroom|Foyer|Lobby|Lounge|Theat(?:er|re)|Atrium|Salon|Suite|Floor|Amphitheat(?:er|re)|Aula)\b
      (?![ ](?:for|to|with|without|as|versus|vs)\b)     # "Room for Two" is no room
    | ^[A-Z][\w'’-]*(?:[ ][A-Z][\w'’-]*)?[ ]room$     # "Chart room"
    | \b(?:Online|Zoom)\b(?=[^\w]*$|[ ]*[(,/&]|[ ]Room)  # nor is "Online Scheduling"
    """,
    re.VERBOSE,
)
_NO_ROOM_WORDS: Final = re.compile(r" (?:for|to|with|without|from|using|via|towards?|versus|vs\.?) ")
_TITLE_WORDS: Final = re.compile(
    r"[:?\[]|\b(?:workshop|tutorial|session|keynote|panel|talk|opening|closing)s?\b", re.IGNORECASE
)


def is_title_shaped(text: str) -> bool:
    """Say whether a text can be a title, room or name: begins as one, and is no prose."""
    first = text[0]
    return not is_prose(text) and not first.islower() and (first.isalnum() or first in "\"'“”‘’«([¿¡$")


def is_prose(text: str) -> bool:
    """Say whether a text is too long, or too much of a sentence, for a title."""
    if text[-1] != "." or len(text) > LONGEST_TITLE:
        return len(text) > LONGEST_TITLE
    return len(text) > _SENTENCE or _is_sentence(text.split())


def _is_sentence(words: Sequence[str]) -> bool:
    """Say whether words that end with a stop are those of a sentence: many, nearly all in small letters."""
    small = sum(word[0].islower() for word in words)
    return len(words) >= _WORDS_OF_SENTENCE and 4 * small >= 3 * len(words)


@lru_cache(4096)
def is_worded_as_room(text: str) -> bool:
    """Say whether a short text is worded as a room."""
    if len(text) > LONGEST_ROOM or ": " in read_room(text) or "?" in text or _NO_ROOM_WORDS.search(text):
        return False
    return _ROOM_WORDS.search(text) is not None and has_few_words(text)


def is_worded_as_title(text: str) -> bool:
    """Say whether a text has words or marks that stand in titles and not in names of rooms."""
    return _TITLE_WORDS.search(text) is not None


def is_heading(text: str) -> bool:
    """Say whether the form of a line alone makes it a title of a session or an item."""
    return begins_session(text) or ITEM_TITLE.fullmatch(text) is not None


def begins_session(text: str) -> bool:
    """Say whether the form of a line alone makes it a title of a session that lists talks."""
    return read_session(text).formal or _SESSION_TITLE.fullmatch(text) is not None


def has_few_words(text: str) -> bool:
    """Say whether a text has few words."""
    return text.count(" ") < 7
