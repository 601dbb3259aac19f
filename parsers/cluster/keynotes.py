"""What a line of text is in the slot of a keynote, which lists one talk and prints its chair above or below it.

    Keynote (1): Ada Quill       the heading names the speaker, or a title
    Great Hall                   room
    Offloaded Tides              the talk, where titles stand once
    Chair: Bea Sorn              its chair, in some years below

What the lines of other sessions are does not belong here (``roles``).
"""

from __future__ import annotations

from parsers.cluster.bare_chairs import is_bare_chair
from parsers.cluster.headings import PEOPLE_LIST
from parsers.cluster.items import item_kind
from parsers.cluster.lines import What
from parsers.cluster.names import reads_as_person
from parsers.cluster.places import Here, Role
from parsers.cluster.wording import is_heading, is_title_shaped


def role_below_keynote(here: Here) -> Role:
    """Say what a line below ``Keynote (n): Speaker`` is: a room, the title of the talk, or the next session."""
    draft = here.draft
    if here.is_room and not draft.room_seen:
        return Role.ROOM
    if PEOPLE_LIST.match(here.text) or is_bare_chair(here):
        return Role.POINT if PEOPLE_LIST.match(here.text) else Role.CHAIR
    if not draft.fresh:
        next_session = here.above_chair or here.above_room or here.above_room_and_chair or here.above_talk
        return Role.TITLE if next_session and not _is_talk_above_its_chair(here) else Role.TALK
    if here.above_talk or _is_above_last_title(here):
        return Role.ROOM if here.reads_as_place else Role.TITLE
    if here.above_room or not here.page.has_rooms:
        return Role.TALK
    return Role.ROOM if here.reads_as_place else Role.TALK


def _is_talk_above_its_chair(here: Here) -> bool:
    """Say whether a title that stands once is the keynote's own, and what ends the slot below it its chair."""
    about = (here.draft.heading.about if here.draft.heading else None) or ""
    name = about.partition(",")[0].partition("(")[0].strip()
    own = not about or reads_as_person(name) or here.text.lower().startswith(about.lower())
    alone = here.page.once and here.above_chair and here.left == 1 and not here.draft.chair_seen
    return alone and own and item_kind(here.text) == "session"


def _is_above_last_title(here: Here) -> bool:
    """Say whether one title, printed once, is all that stands below in the slot, with or without a chair."""
    below = here.below
    if not here.page.once or below is None or below.what is not What.TEXT or not is_title_shaped(below.line.text):
        return False
    alone = here.left == 1 or (here.left == 2 and here.after is not None and here.after.what is What.CHAIR)
    return alone and not is_heading(below.line.text) and here.reads_as_place
