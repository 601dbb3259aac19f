"""A line of text in its place: what stands above it, what right below it, and how it is worded.

    Great Hall                 above a chair
    Chair: Bea Sorn
    Offloaded stores           above a talk, which is one part with all its lines
    ...

What a line is by its place does not belong here (``roles``).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from parsers.cluster.drafts import Draft
from parsers.cluster.lines import What
from parsers.cluster.names import BETWEEN_NAMES, reads_as_person
from parsers.cluster.page_facts import PageFacts
from parsers.cluster.parts import Part


class Role(Enum):
    """What a line of text is for the session that is being read."""

    TITLE = auto()
    UNTITLED = auto()  # a room or chair without the title above it
    ROOM = auto()
    CHAIR = auto()
    POINT = auto()
    TALK = auto()
    STRAY = auto()


class Here(NamedTuple):
    """A line of text in its place: the session above it, and the two parts below it."""

    text: str
    draft: Draft
    below: Part | None
    after: Part | None
    page: PageFacts
    left: int

    @property
    def words(self) -> int:
        """The number of words."""
        return self.text.count(" ") + 1

    @property
    def is_cased(self) -> bool:
        """Say whether every word but the smallest begins with a capital or a digit, as in names of rooms."""
        return all(len(word) < 4 or not word[0].islower() for word in self.text.split())

    @property
    def is_room(self) -> bool:
        """Say whether the line is a room that the page shows elsewhere too, or worded as one."""
        return self.page.is_room(self.text)

    @property
    def is_spoken(self) -> bool:
        """Say whether the line names who speaks, as programme points do: ``Welcome (Bea Sorn, Plum)``."""
        _, opened, inside = self.text.partition("(")
        if opened and inside.endswith(")") and inside[0].isupper():
            return True
        return reads_as_person(self.text.partition(": ")[2].partition(",")[0].strip()) or self.is_introduced

    @property
    def is_introduced(self) -> bool:
        """Say whether the line names persons and what they are: ``Bea Sorn and Cal Tern, General Chairs``."""
        names, comma, office = self.text.partition(",")
        return bool(comma and office) and all(map(reads_as_person, BETWEEN_NAMES.split(names)))

    @property
    def above_chair(self) -> bool:
        """Say whether a chair label stands right below."""
        return self.below is not None and self.below.what is What.CHAIR

    @property
    def above_room(self) -> bool:
        """Say whether a known room stands right below."""
        below = self.below
        if below is None or below.talk is not None:
            return False
        return below.what is What.UNKNOWN or (below.what is What.TEXT and self.page.is_room(below.line.text))

    @property
    def above_room_and_chair(self) -> bool:
        """Say whether a line and then a chair label stand below, where rooms are printed."""
        if self.below is None or self.after is None or self.below.what is not What.TEXT:
            return False
        return self.after.what is What.CHAIR and self.page.has_rooms

    @property
    def above_place_and_chair(self) -> bool:
        """Say whether below stand a possible room that comes once and a chair, as below the titles of others."""
        below, after, page = self.below, self.after, self.page
        if below is None or after is None or below.what is not What.TEXT:
            return False
        if after.what is What.CHAIR:
            as_others = self.draft.room_seen and self.draft.chair_seen
        else:
            name = after.what is What.TEXT and not page.is_room(after.line.text) and reads_as_person(after.line.text)
            as_others = name and page.bare_chairs and page.names_below_rooms
        return as_others and self._replace(text=below.line.text).reads_as_place

    @property
    def reads_as_place(self) -> bool:
        """Say whether the line is short and cased as names of rooms are."""
        return self.words <= 4 and self.is_cased

    @property
    def above_talk(self) -> bool:
        """Say whether a talk follows."""
        return self.below is not None and self.below.talk is not None

    @property
    def above_name_and_talk(self) -> bool:
        """Say whether a bare chair and a talk follow."""
        below, after = self.below, self.after
        return below is not None and below.what is What.TEXT and after is not None and after.talk is not None
