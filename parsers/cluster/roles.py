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
from typing import Final

from parsers.cluster.bare_chairs import goes_on_from_chair, is_above_bare_chair, is_bare_chair
from parsers.cluster.drafts import Draft
from parsers.cluster.headings import PEOPLE_LIST
from parsers.cluster.items import TALKLESS, is_labelled, item_kind
from parsers.cluster.keynotes import role_below_keynote
from parsers.cluster.lines import What
from parsers.cluster.page_facts import PageFacts
from parsers.cluster.parts import Part
from parsers.cluster.places import Here, Role
from parsers.cluster.wording import ITEM_TITLE, begins_session, is_heading, is_title_shaped, is_worded_as_room

# When a part of an item begins, a sentence, an address: "Dinner: 19:00", "The doors open late at 9:30."
_REMARK: Final = re.compile(
    r".{1,60}: ?\d{1,2}[:.]\d{2}\b.{0,40}|[A-Z]\S*(?: \S+){3,20} [a-z0-9:]+\.|.{0,80}https?://\S+"
)
# An address, or a list that is to come.
_POINT: Final = re.compile(r"https?://\S+|\S.{0,60} TB[ACD]")


def role_of(draft: Draft | None, place: int, parts: Sequence[Part], page: PageFacts) -> Role:
    """Say what a line of text is, by the session above it and what follows."""
    text = parts[place].line.text
    below = parts[place + 1] if place + 1 < len(parts) else None
    after = parts[place + 2] if place + 2 < len(parts) else None
    shaped = is_title_shaped(text)
    if draft is None or draft.type_line is not None:
        return _role_of_first(text, below, page)
    here = Here(text, draft, below, after, page, len(parts) - place - 1)
    if _POINT.fullmatch(text) and not (draft.talks or is_heading(text)):
        return Role.POINT
    if not shaped:
        begun = not draft.fresh or (draft.heading is not None and draft.heading.formal)
        expected = not draft.talks if draft.keynote else _lists_talks(draft, page) and begun
        return Role.TALK if page.once and expected and text[0].isalnum() else Role.STRAY
    if _is_title_by_form(here):
        return Role.TITLE
    if draft.keynote and not draft.talks:
        return role_below_keynote(here)
    return _role_when_fresh(here) if draft.fresh else _role_when_open(here)


def _role_of_first(text: str, below: Part | None, page: PageFacts) -> Role:
    """Say what the first line of a slot is: a title, unless that was lost and its room or its chair stands there."""
    if page.is_room(text) and below is not None and below.what is What.CHAIR:
        return Role.UNTITLED
    lost = text in page.rooms and below is not None and below.what is What.TEXT and begins_session(below.line.text)
    return Role.TITLE if is_title_shaped(text) and not lost else Role.STRAY


def _lists_talks(draft: Draft, page: PageFacts) -> bool:
    """Say whether a session can list talks whose titles stand once; posters do where all titles stand so."""
    return draft.kind not in TALKLESS or (page.once and draft.kind == "poster_session")


def _is_title_by_form(here: Here) -> bool:
    """Say whether the form of a line alone makes it the title of the next session."""
    if begins_session(here.text) or _is_labelled_item(here):
        return True
    if not ITEM_TITLE.fullmatch(here.text):
        return False
    return here.draft.kind != "ceremony" or item_kind(here.text) != "ceremony"


def _is_labelled_item(here: Here) -> bool:
    """Say whether a label makes the line an item of its own, where none that lists talks stands above."""
    talkless = not here.draft.talks and here.draft.kind in TALKLESS
    return talkless and is_labelled(here.text)


def _role_when_fresh(here: Here) -> Role:
    """Say what the line right below a title is: as a rule its room."""
    page = here.page
    short = here.words <= 7
    introduced = here.draft.kind == "ceremony" and here.is_introduced and not here.above_chair
    if here.text.startswith("(") or PEOPLE_LIST.match(here.text) or _is_remark(here) or introduced:
        return Role.POINT
    if here.is_room or here.above_chair or is_above_bare_chair(here):
        return Role.ROOM
    if here.above_room or here.above_room_and_chair or (not page.has_rooms and _is_other_item(here)):
        return Role.TITLE
    if here.above_talk or here.above_name_and_talk:
        roomy = page.has_rooms or (here.draft.solo and here.reads_as_place)
        return Role.ROOM if roomy and short else Role.TITLE
    if page.once and _lists_talks(here.draft, page):
        return Role.ROOM if (_is_last(here) and here.words <= 4) or _is_word_above_titles(here) else Role.TALK
    return Role.ROOM if short and ": " not in here.text else Role.POINT


def _is_word_above_titles(here: Here) -> bool:
    """Say whether a word stands between a session and its talks, where rooms are printed: too short for a title."""
    coded = here.draft.heading is not None and here.draft.heading.formal
    return coded and here.words == 1 and here.page.has_rooms and not _is_last(here)


def _role_when_open(here: Here) -> Role:
    """Say what a line is when the session above it has a room, a chair, points or talks."""
    draft = here.draft
    if role := _role_in_place_of_chair(here):
        return role
    point = _is_point(here)
    if point or _is_room_without_title(here):
        return Role.POINT if point else Role.STRAY
    if here.above_chair or here.above_room or (draft.talks and here.above_place_and_chair):
        return _role_above_chair_or_room(here)
    if here.is_room and not draft.room_seen and (not draft.talks or draft.keynote):
        return Role.ROOM
    if here.page.once and _lists_talks(draft, here.page):
        # Where authors stand below titles, a line without them below such talks is something else.
        return Role.STRAY if draft.talks and here.page.named else Role.TALK
    return _role_below_talks(here) if draft.talks else _role_without_talks(here)


def _role_above_chair_or_room(here: Here) -> Role:
    """Say what a line above a chair or a room is: the next title, unless that was lost, or a keynote's room."""
    draft = here.draft
    if draft.keynote and draft.talks and here.is_room and here.left == 1 and not draft.room_seen:
        return Role.ROOM
    begun = draft.talks or (draft.room_seen and (draft.chair_seen or draft.points))
    return Role.UNTITLED if begun and here.is_room else Role.TITLE


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


def _role_in_place_of_chair(here: Here) -> Role | None:
    """Say what a line is where a bare chair stands: the chair, or a stray line between room and talks of a code."""
    if goes_on_from_chair(here) or is_bare_chair(here):
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
    if _is_other_item(here) and not here.is_spoken:
        return Role.TITLE
    return Role.POINT if draft.kind == "ceremony" or draft.chair_seen or here.text[0] == "(" else Role.TITLE


def _is_other_item(here: Here) -> bool:
    """Say whether the words of a line are those of an item of another kind than the one above it."""
    kind = item_kind(here.text)
    return kind in TALKLESS and kind != here.draft.kind


def _is_last(here: Here) -> bool:
    """Say whether the line is the last of its session: nothing below, or the form of a title."""
    below = here.below
    if below is None or below.what is What.TYPE:
        return True
    return below.what is What.TEXT and is_heading(below.line.text)
