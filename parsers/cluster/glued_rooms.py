"""Rooms of glued cells: words that end the headings of several sessions, whatever their titles.

    Session (3) Stores Great Hall Chair: ..
    Session (5) Knots and Ropes Great Hall Chair: ..          "Great Hall"
    Session (6) Knots in Memory Dock Chair: ..                "Dock", which ends another heading too

What a heading says does not belong here (``glued``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

_LONGEST: Final = 4  # words of a room
_FEWEST: Final = 2  # headings that it ends
# What ends the names of rooms and is none by itself: "Mesa A", "Pier East", "Great Hall".
_PART: Final = re.compile(
    r"[A-Z]|[IVX]+|\d{1,3}[A-Z]?|East|West|North|South|Hall|Room|Ballroom|Auditorium|Suite|Theat(?:er|re)|Foyer|Lounge|Saal"
)


def shared_rooms(headings: Iterable[str]) -> frozenset[str]:
    """Return the rooms that different headings share; none where most headings share nothing, or there are few."""
    distinct = [text.split() for text in dict.fromkeys(headings)]
    ends = Counter(words[-1] for words in distinct if len(words) > 1)
    found: set[str] = set()
    with_room = 0
    for last, count in ends.items():
        alike = [words for words in distinct if words[-1] == last]
        if count >= _FEWEST and not last[0].islower():
            found.add(_whole(alike, distinct))
            with_room += count
    return frozenset(found) if 3 * with_room >= 2 * len(distinct) else frozenset()


def _whole(alike: Sequence[Sequence[str]], headings: Sequence[Sequence[str]]) -> str:
    """Return the room that ends headings: a word in front is part of it that stands there always, and nowhere else."""
    size = 1
    while size < _LONGEST:
        before = {words[-1 - size] if len(words) > size + 1 else "" for words in alike}
        word = before.pop()
        if before or not word or word[0].islower():
            break
        needs_another = size == 1 and _PART.fullmatch(alike[0][-1])
        if not needs_another and sum(words.count(word) for words in headings) > len(alike):
            break
        size += 1
    return " ".join(alike[0][-size:])
