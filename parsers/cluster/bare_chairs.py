"""Chairs without a label, as some years print them: names below the room of a session, or below its labelled chair.

    Great Hall
    Bea Sorn                                 a bare chair; several are parted by commas, semicolons, ``and``
    Offloaded stores

    Chair: Bea Sorn (Norwick)
    Cal Tern (Plum)                          chairs the session too, or instead

A name is told from a title by its place. Names behind labels are read in ``people``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from parsers.cluster.lines import What
from parsers.cluster.names import reads_as_person
from parsers.cluster.places import Here

_BETWEEN_CHAIRS: Final = re.compile(r"\s(?:and|&|/)\s|;\s")
# What stands in brackets behind a title, and is no affiliation.
_MARK: Final = re.compile(r"\b(?:best|short|papers?|awards?|invited|posters?|demos?|online|remote)\b", re.IGNORECASE)


def is_bare_chair(here: Here) -> bool:
    """Say whether a line below a room is a chair without label; some years print them so."""
    draft = here.draft
    if not here.page.bare_chairs or not draft.room_seen or draft.chair_seen or draft.points or draft.talks:
        return False
    names = [name.strip() for name in _BETWEEN_CHAIRS.sub(",", here.text).split(",")]
    if all(map(_is_name, names)):
        return True
    # An affiliation makes it a name only where a talk with authors shows that no title is meant.
    first = names[0].partition("(")[0].strip()
    return here.above_talk and not here.page.once and _is_name(first) and ("(" in names[0] or _is_short_name(names[1:]))


def goes_on_from_chair(here: Here) -> bool:
    """Say whether a person with affiliation right below the chair of a coded session chairs it too, or instead."""
    draft = here.draft
    heading = draft.heading
    if heading is None or not (heading.code or heading.track) or draft.talks:
        return False
    if draft.chair_line is not draft.lines[-1]:
        return False
    name, opened, inside = here.text.partition("(")
    return bool(opened) and inside.endswith(")") and reads_as_person(name.strip()) and not _MARK.search(inside)


def is_above_bare_chair(here: Here) -> bool:
    """Say whether a line can be a room that the page shows only here, since a name stands below it as below others."""
    page, below = here.page, here.below
    if not (page.bare_chairs and page.names_below_rooms and here.reads_as_place):
        return False
    return below is not None and below.what is What.TEXT and reads_as_person(below.line.text)


def _is_name(text: str) -> bool:
    """Say whether a text reads as a person, also in scripts that write names without a blank."""
    return reads_as_person(text) or (2 <= len(text) <= 4 and text.isalpha() and text.lower() == text.upper())


def _is_short_name(rest: Sequence[str]) -> bool:
    """Say whether the one piece behind a name can only be an institution's abbreviation."""
    return len(rest) == 1 and len(rest[0]) > 1 and rest[0].isupper() and rest[0].isascii()
