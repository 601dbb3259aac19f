"""The title of a session in its box: a mark above it, the title, broken or not, and what its element holds below it.

    Canceled                     a mark
    [Workshop] Small             the title: it goes on in small letters, where a bracket is open, behind a comma
    files at sea
    Bring your own boat          below it

What the lines below a title become does not belong here (``printed``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from parsers.cluster.elements import CANCELLED, Line
from parsers.cluster.headings import SessionHeading, read_session
from parsers.cluster.items import TALKLESS, item_kind
from parsers.cluster.page_lines import link_of
from parsers.cluster.wording import LONGEST_TITLE, OPEN_END

_OPEN: Final = re.compile(rf"{OPEN_END}$")


@dataclass(slots=True)
class Title:
    """What the lines of a title say: the heading, its own lines, and the lines below it."""

    heading: SessionHeading | None = None
    own: list[Line] = field(default_factory=list)
    below: list[Line] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    @property
    def lists_points(self) -> bool:
        """Say whether lines below it that hide nothing are programme points."""
        heading = self.heading
        if heading is None or heading.code or heading.track or heading.keynote:
            return False
        return item_kind(heading.title or heading.printed, heading.tag) in TALKLESS


def read_title(lines: Sequence[Line]) -> Title:
    """Read the lines of a title: a mark above it, the title, broken or not, and what stands below it."""
    place = 0
    notes: tuple[str, ...] = ()
    while place + 1 < len(lines) and CANCELLED.fullmatch(lines[place].text):
        place, notes = place + 1, ("cancelled",)
    if place == len(lines):
        return Title()
    end, text = place + 1, lines[place].text
    while end < len(lines) and (
        lines[end].text[0].islower() or text.count("(") > text.count(")") or _OPEN.search(text, 0, LONGEST_TITLE)
    ):
        text = f"{text} {lines[end].text}"
        end += 1
    if all(line.struck for line in lines[place:end]):
        notes = ("cancelled",)
    return Title(read_session(text), list(lines[:end]), list(lines[end:]), notes)


def link_of_title(title: Title) -> str | None:
    """Return the address to which a session's title links."""
    heading = title.heading
    return link_of(title.own, heading.title, heading.about, heading.printed) if heading else None
