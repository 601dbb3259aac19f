"""What the readers of text and markup hand over: a session and its talks as printed, and the moment they are at.

What becomes of them does not belong here (``records``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time
from functools import lru_cache
from typing import Final

from parsers._titles import kind_of_item, label_of
from parsers.cluster.headings import PLACEHOLDER, SessionHeading
from parsers.cluster.people import NOBODY, People, read_authors

# The same titles come again and again, and the structure of a page is asked what they are too.
item_kind: Final = lru_cache(4096)(kind_of_item)

# What programmes alone list, among words that say no kind.
_PART: Final = re.compile(r"\b(?:sessions?|registration|workshops?|tutorials?|papers?|talks?|invited)\b", re.IGNORECASE)

# Items of these kinds list programme points, not talks.
TALKLESS: Final = frozenset({"ceremony", "break", "social", "poster_session", "workshop", "tutorial"})


def is_labelled(title: str) -> bool:
    """Say whether a label makes a title an item of its own, also where a page prints no rooms between such."""
    return label_of(title) is not None


@dataclass(frozen=True, slots=True)
class PrintedTalk:
    """One talk as printed: its author list in one text, its abstract in paragraphs; None and empty: not printed.

    ``about`` holds paragraphs on its speaker; ``url`` is the address to which its title links; ``starts`` and ``ends``
    are its own times of day, and ``number`` its number in the source, where the layout has them.
    """

    line_start: int | None
    line_end: int | None
    title: str
    authors: str | None = None
    paragraphs: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    url: str | None = None
    starts: time | None = None
    ends: time | None = None
    number: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> bool:
        """Say whether more than placeholders is printed below its title."""
        texts = (self.authors, *self.paragraphs)
        return any(text is not None and not PLACEHOLDER.fullmatch(text) for text in texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSession:
    """One session as printed; ``points`` are its programme points, ``url`` is the address to which its title links."""

    line_start: int | None
    line_end: int | None
    heading: SessionHeading | None
    room: str | None = None
    chairs: People = NOBODY
    presenter: str | None = None
    points: tuple[str, ...] = ()
    talks: tuple[PrintedTalk, ...] = ()
    session_type: str | None = None
    url: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def tells(self) -> bool:
        """Say whether anything shows that it is part of a programme: a title below a time alone may be of a bus."""
        heading = self.heading
        if self.chairs.persons or self.presenter or any(talk.told for talk in self.talks):
            return True
        if heading is None or heading.formal:
            return heading is not None
        title = heading.title or heading.printed
        if title.endswith("."):
            return False  # a sentence: "Registration is open."
        return item_kind(title, heading.tag) != "session" or _PART.search(title) is not None

    def sorted_under(self) -> Iterator[str]:
        """Yield what a page may print above its sessions where it sorts them: rooms, types, authors."""
        yield from (text for text in (self.room, self.session_type) if text)
        for talk in self.talks:
            yield from (person.name for person in read_authors(talk.authors or "").persons)


@dataclass(frozen=True, slots=True)
class Moment:
    """What day heading, time line and page say about everything below them."""

    day: date | None
    starts: time | None
    ends: time | None
    code: str | None
    event: str | None
    notes: tuple[str, ...]
    session_type: str | None = None
