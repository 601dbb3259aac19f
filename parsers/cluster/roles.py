"""What a line of text is for the session above it: a title, room, chair, programme point or talk, by its place.

    Opening Session                                    title
    Great Hall                                         room
    Bea Sorn                                           chair, in years that print no label
    Welcome address (Cal Tern, General Chair, Plum)    programme point
    Session (1) Stores                                 the next title: by its form, or by the room or chair below it

Nothing is taken on trust: what no place explains is a stray line, left to the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from parsers.cluster.headings import PEOPLE_LIST, SOLO, SessionHeading, read_chair_label, read_session
from parsers.cluster.items import PrintedTalk, item_kind
from parsers.cluster.lines import Line, What
from parsers.cluster.names import reads_as_person
from parsers.cluster.page_facts import PageFacts
from parsers.cluster.parts import Part
from parsers.cluster.people import NOBODY, People
from parsers.cluster.wording import ITEM_TITLE, is_heading, is_title_shaped, is_worded_as_room

# When a part of an item begins, a sentence, an address: "Dinner: 19:00", "The doors open late at 9:30."
_REMARK: Final = re.compile(
    r".{1,60}: ?\d{1,2}[:.]\d{2}\b.{0,40}|[A-Z]\S*(?: \S+){3,20} [a-z0-9:]+\.|.{0,80}https?://\S+"
)
# What stands in brackets behind a title, and is no affiliation.
_MARK: Final = re.compile(r"\b(?:best|short|papers?|awards?|invited|posters?|demos?|online|remote)\b", re.IGNORECASE)
_TALKLESS: Final = frozenset({"ceremony", "break", "social", "poster_session", "workshop", "tutorial"})


BETWEEN_CHAIRS: Final = re.compile(r"\s(?:and|&|/)\s|;\s")


@dataclass(slots=True)
class Draft:
    """A session while its lines are being read."""

    heading: SessionHeading | None
    lines: list[Line] = field(default_factory=list)
    room: str | None = None
    room_seen: bool = False
    chairs: People = NOBODY
    chair_seen: bool = False
    chair_line: Line | None = None
    presenter: str | None = None
    points: list[str] = field(default_factory=list)
    talks: list[PrintedTalk] = field(default_factory=list)
    type_line: Line | None = None
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Say whether nothing was read that could become a record."""
        return self.heading is None and not self.talks

    @property
    def fresh(self) -> bool:
        """Say whether nothing but the title is known yet."""
        return not (self.room_seen or self.chair_seen or self.points or self.talks or self.presenter)

    @property
    def keynote(self) -> bool:
        """Say whether it is the slot of a keynote."""
        return self.heading is not None and self.heading.keynote is not None

    @property
    def solo(self) -> bool:
        """Say whether its title announces one talk."""
        return self.heading is not None and SOLO.fullmatch(self.heading.printed) is not None

    def shares_chair(self, part: Part) -> bool:
        """Say whether ``part`` names, right below the chair, who shares the work: ``Co-Chair:``, ``Discussant:``."""
        above = self.chair_line
        if above is None or self.talks or self.lines[-1] is not above or part.what is not What.CHAIR:
            return False
        first, second = [(read_chair_label(line.text) or ("", ""))[0].lower() for line in (above, part.line)]
        return second.startswith("co") or (first != second and "chair" not in second)

    @property
    def kind(self) -> str:
        """What it is by its title, should it list no talks."""
        heading = self.heading
        if heading is None or heading.code or heading.track:
            return "session"
        return item_kind(heading.title or heading.printed, heading.tag)


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
        return reads_as_person(self.text.partition(": ")[2].partition(",")[0].strip())

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
    def above_talk(self) -> bool:
        """Say whether a talk follows."""
        return self.below is not None and self.below.talk is not None

    @property
    def above_name_and_talk(self) -> bool:
        """Say whether a bare chair and a talk follow."""
        below, after = self.below, self.after
        return below is not None and below.what is What.TEXT and after is not None and after.talk is not None


def role_of(draft: Draft | None, place: int, parts: Sequence[Part], page: PageFacts) -> Role:
    """Say what a line of text is, by the session above it and what follows."""
    text = parts[place].line.text
    below = parts[place + 1] if place + 1 < len(parts) else None
    after = parts[place + 2] if place + 2 < len(parts) else None
    shaped = is_title_shaped(text)
    if draft is None or draft.type_line is not None:
        orphan = page.is_room(text) and below is not None and below.what is What.CHAIR
        return Role.UNTITLED if orphan else Role.TITLE if shaped else Role.STRAY
    here = Here(text, draft, below, after, page, len(parts) - place - 1)
    if not shaped:
        begun = not draft.fresh or (draft.heading is not None and draft.heading.formal)
        expected = not draft.talks if draft.keynote else _lists_talks(draft, page) and begun
        return Role.TALK if page.once and expected and text[0].isalnum() else Role.STRAY
    if _is_title_by_form(here):
        return Role.TITLE
    if draft.keynote and not draft.talks:
        return _role_below_keynote(here)
    return _role_when_fresh(here) if draft.fresh else _role_when_open(here)


def _lists_talks(draft: Draft, page: PageFacts) -> bool:
    """Say whether a session can list talks whose titles stand once; posters do where all titles stand so."""
    return draft.kind not in _TALKLESS or (page.once and draft.kind == "poster_session")


def _is_title_by_form(here: Here) -> bool:
    """Say whether the form of a line alone makes it the title of the next session."""
    if read_session(here.text).formal:
        return True
    if not ITEM_TITLE.fullmatch(here.text):
        return False
    return here.draft.kind != "ceremony" or item_kind(here.text) != "ceremony"


def _role_below_keynote(here: Here) -> Role:
    """Say what a line below ``Keynote (n): Speaker`` is: a room, the title of the talk, or the next session."""
    draft = here.draft
    if here.is_room and not draft.room_seen:
        return Role.ROOM
    if _is_bare_chair(here):
        return Role.CHAIR
    if not draft.fresh:
        next_session = here.above_chair or here.above_room or here.above_room_and_chair or here.above_talk
        return Role.TITLE if next_session and not _is_talk_above_its_chair(here) else Role.TALK
    if here.above_talk or _is_above_last_title(here):
        return Role.ROOM if here.words <= 4 and here.is_cased else Role.TITLE
    if here.above_room or not here.page.has_rooms:
        return Role.TALK
    return Role.ROOM if here.words <= 4 and here.is_cased else Role.TALK


def _is_talk_above_its_chair(here: Here) -> bool:
    """Say whether a title that stands once is the keynote's own, and what ends the slot below it its chair."""
    heading = here.draft.heading
    name = (heading.about or "").partition(",")[0].partition("(")[0].strip() if heading else ""
    unnamed = heading is not None and (heading.about is None or reads_as_person(name))
    alone = here.page.once and here.above_chair and here.left == 1 and not here.draft.chair_seen
    return alone and unnamed and item_kind(here.text) == "session"


def _is_above_last_title(here: Here) -> bool:
    """Say whether one title, printed once, is all that stands below in the slot, with or without a chair."""
    below = here.below
    if not here.page.once or below is None or below.what is not What.TEXT or not is_title_shaped(below.line.text):
        return False
    alone = here.left == 1 or (here.left == 2 and here.after is not None and here.after.what is What.CHAIR)
    return alone and not is_heading(below.line.text) and here.words <= 4 and here.is_cased


def _role_when_fresh(here: Here) -> Role:
    """Say what the line right below a title is: as a rule its room."""
    page = here.page
    short = here.words <= 7
    if here.text.startswith("(") or PEOPLE_LIST.match(here.text) or _is_remark(here):
        return Role.POINT
    if here.is_room or here.above_chair or _is_above_bare_chair(here):
        return Role.ROOM
    if here.above_room or here.above_room_and_chair:
        return Role.TITLE
    if here.above_talk or here.above_name_and_talk:
        roomy = page.has_rooms or (here.draft.solo and here.words <= 4 and here.is_cased)
        return Role.ROOM if roomy and short else Role.TITLE
    if page.once and _lists_talks(here.draft, page):
        return Role.ROOM if _is_last(here) and here.words <= 4 else Role.TALK
    return Role.ROOM if short and ": " not in here.text else Role.POINT


def _role_when_open(here: Here) -> Role:
    """Say what a line is when the session above it has a room, a chair, points or talks."""
    draft = here.draft
    if role := _role_in_place_of_chair(here):
        return role
    if _is_point(here) or _is_room_without_title(here):
        return Role.POINT if _is_point(here) else Role.STRAY
    if here.above_chair or here.above_room:
        begun = draft.talks or (draft.room_seen and (draft.chair_seen or draft.points))
        return Role.UNTITLED if begun and here.is_room else Role.TITLE
    if here.is_room and not draft.room_seen and (not draft.talks or draft.keynote):
        return Role.ROOM
    if here.page.once and _lists_talks(draft, here.page):
        # Where authors stand below titles, a line without them below such talks is something else.
        return Role.STRAY if draft.talks and here.page.named else Role.TALK
    return _role_below_talks(here) if draft.talks else _role_without_talks(here)


def _is_point(here: Here) -> bool:
    """Say whether the form of a line makes it a point of the item above it."""
    draft = here.draft
    if draft.talks:
        return False
    if PEOPLE_LIST.match(here.text) or (here.is_spoken and draft.kind == "ceremony") or _is_remark(here):
        return True
    goes_on = bool(draft.points) and _REMARK.fullmatch(draft.points[-1]) is not None
    return goes_on and not (here.left or here.is_room)


def _is_room_without_title(here: Here) -> bool:
    """Say whether a second room stands where a title should: the title above it was lost."""
    draft = here.draft
    if not draft.room_seen or draft.talks or here.above_chair or here.above_room:
        return False
    return is_worded_as_room(here.text)


def _is_remark(here: Here) -> bool:
    """Say whether a line is a remark on an item that lists no talks."""
    if _lists_talks(here.draft, here.page) or here.draft.talks:
        return False
    title = here.draft.heading.printed if here.draft.heading else None
    repeated = title is not None and here.text.startswith((f"{title} — ", f"{title} – ", f"{title} - "))
    return repeated or _REMARK.fullmatch(here.text) is not None


def _goes_on_from_chair(here: Here) -> bool:
    """Say whether a person with affiliation right below the chair of a coded session chairs it too, or instead."""
    draft = here.draft
    heading = draft.heading
    if heading is None or not (heading.code or heading.track) or draft.chair_line is not draft.lines[-1]:
        return False
    name, opened, inside = here.text.partition("(")
    return bool(opened) and inside.endswith(")") and reads_as_person(name.strip()) and not _MARK.search(inside)


def _role_in_place_of_chair(here: Here) -> Role | None:
    """Say what a line is where a bare chair stands: the chair, or a stray line between room and talks of a code."""
    if _goes_on_from_chair(here) or _is_bare_chair(here):
        return Role.CHAIR
    draft, heading = here.draft, here.draft.heading
    bare = here.page.bare_chairs and not here.page.once and not (draft.chair_seen or draft.points or draft.talks)
    coded = draft.room_seen and heading is not None and heading.code is not None
    return Role.STRAY if bare and coded and here.above_talk else None


def _role_below_talks(here: Here) -> Role:
    """Say what a line is below talks: the next title, if more than itself speaks for it."""
    followed = here.above_talk or here.above_room_and_chair or here.above_name_and_talk
    return Role.TITLE if followed else Role.STRAY


def _role_without_talks(here: Here) -> Role:
    """Say what a line is below a session that has shown no talks so far: a programme point or the next title."""
    draft = here.draft
    if here.above_talk or here.above_room_and_chair:
        return Role.TITLE
    kind = item_kind(here.text)
    if kind in _TALKLESS and kind != draft.kind and not here.is_spoken:
        return Role.TITLE
    return Role.POINT if draft.kind == "ceremony" or draft.chair_seen or here.text[0] == "(" else Role.TITLE


def _is_bare_chair(here: Here) -> bool:
    """Say whether a line below a room is a chair without label; some years print them so."""
    draft = here.draft
    if not here.page.bare_chairs or not draft.room_seen or draft.chair_seen or draft.points or draft.talks:
        return False
    names = [name.strip() for name in BETWEEN_CHAIRS.sub(",", here.text).split(",")]
    if all(map(_is_name, names)):
        return True
    # An affiliation makes it a name only where a talk with authors shows that no title is meant.
    first = names[0].partition("(")[0].strip()
    return here.above_talk and not here.page.once and _is_name(first) and ("(" in names[0] or _is_short_name(names[1:]))


def _is_above_bare_chair(here: Here) -> bool:
    """Say whether a line can be a room that the page shows only here, since a name stands below it as below others."""
    page, below = here.page, here.below
    if not (page.bare_chairs and page.names_below_rooms and here.words <= 4 and here.is_cased):
        return False
    return below is not None and below.what is What.TEXT and reads_as_person(below.line.text)


def _is_name(text: str) -> bool:
    """Say whether a text reads as a person, also in scripts that write names without a blank."""
    return reads_as_person(text) or (2 <= len(text) <= 4 and text.isalpha() and text.lower() == text.upper())


def _is_short_name(rest: Sequence[str]) -> bool:
    """Say whether the one piece behind a name can only be an institution's abbreviation."""
    return len(rest) == 1 and len(rest[0]) > 1 and rest[0].isupper() and rest[0].isascii()


def _is_last(here: Here) -> bool:
    """Say whether the line is the last of its session: nothing below, or the form of a title."""
    below = here.below
    if below is None or below.what is What.TYPE:
        return True
    return below.what is What.TEXT and is_heading(below.line.text)
