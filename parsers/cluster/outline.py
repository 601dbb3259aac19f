"""A marked-up page at a glance cut at its cells, days and slots, in page order.

    <td>                              ends the day and the slot above it
      <h2 class="section-title">      a day
      <div class="timeslot">          a slot: its time, and the boxes of its sessions
        <h3 class="session-time">

End tags are missing, and a slot may stand inside the one before it: a cell, a day and a slot each end what was said
above them, so that no session gets the time of another. What days and times say does not belong here (``html``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._html import Page
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.boxes import Box, Head
from parsers.cluster.elements import Line, Role, read_stream
from parsers.cluster.page_lines import claim_boilerplate, common_ancestor

_ROLES: Final = {
    "section-title": Role.DAY,
    "timeslot": Role.SLOT,
    "session-time": Role.TIME,
    "program-session": Role.SESSION,
    "session-title": Role.TITLE,
    "room-name": Role.ROOM,
    "session-chair": Role.CHAIR,
    "session-type": Role.TYPE,
    "session-description": Role.DESCRIPTION,
    "slot-title": Role.TALKS,
    "slot-wrapper": Role.TALK,
    "author-names": Role.AUTHORS,
    "award": Role.AWARD,
}
TABLE: Final = "program-table"


@dataclass(slots=True)
class Slot:
    """A time line, the day above it, and the boxes below it; each of the two may be missing."""

    day: Head | None
    part: etree._Element | None = None
    time: Head | None = None
    boxes: list[Box] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """A page cut at its cells, days and slots, while it is being read."""

    days: list[Head] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    others: list[Line] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    day: Head | None = None
    slot: Slot | None = None
    box: Box | None = None

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin a part."""
        if role is Role.COLUMN:
            self.day = self.slot = self.box = None
        elif role is Role.DAY:
            self.day, self.slot, self.box = Head(role, part), None, None
            self.days.append(self.day)
        elif role is Role.SLOT:
            self._begin_slot(part)
        elif role is Role.TIME:
            if self.slot is None or self.slot.time is not None or self.slot.boxes:
                self._begin_slot(None)
            if self.slot is not None:
                self.slot.time, self.box = Head(role, part), None
        elif role is Role.SESSION:
            self._begin_box(part)
        elif self.box is None:
            self._begin_box(None).open(role, part)
        else:
            self.box.open(role, part)

    def take(self, line: Line) -> None:
        """Take a line of text into the part that is open."""
        if line.role is Role.DAY:
            if self.day is not None and line.part is self.day.part:
                self.day.lines.append(line)
        elif line.role is Role.TIME:
            if self.slot is not None and self.slot.time is not None and line.part is self.slot.time.part:
                self.slot.time.lines.append(line)
        elif self.box is not None:
            self.box.take(line)
        elif line.role is Role.SLOT and self.slot is not None and line.part is self.slot.part:
            self._begin_box(line.part).take(line)
        else:
            self.others.append(line)
        if line.role in {Role.TITLE, Role.TALK_TITLE}:
            self.titles.append(line.text)

    def _begin_slot(self, part: etree._Element | None) -> None:
        """Begin a slot below the day."""
        self.slot, self.box = Slot(self.day, part), None
        self.slots.append(self.slot)

    def _begin_box(self, part: etree._Element | None) -> Box:
        """Begin a box in the slot; one without a slot has no time."""
        if self.slot is None:
            self._begin_slot(None)
        self.box = Box(part)
        if self.slot is not None:
            self.slot.boxes.append(self.box)
        return self.box


def content_of(root: etree._Element) -> etree._Element:
    """Return the programme table; without one, what holds all parts of the programme."""
    parts = root.findall(f".//*[@id='{TABLE}']")
    if not parts:
        parts = [element for element in root.iter("h2", "h3", "div") if _role_of(element.get("class") or "")]
    if not parts:
        return root
    return parts[0] if len(parts) == 1 else common_ancestor(parts[0], parts[-1])


def read_outline(page: Page) -> Outline:
    """Cut a page at its cells, days and slots; what stands between them can be boilerplate alone."""
    outline = Outline()
    read_stream(page.content, _role, outline)
    claim_boilerplate(page, outline.others, BOILERPLATE)
    return outline


def _role(element: etree._Element) -> Role | None:
    """Say of which part an element is the beginning."""
    names = element.get("class")
    if names and (role := _role_of(names)):
        return role
    if element.tag == "b" and (element.get("id") or "").endswith("_title"):
        return Role.TITLE_AGAIN
    if element.tag == "td":
        table = next(element.iterancestors("table"), None)
        return Role.COLUMN if table is not None and table.get("id") == TABLE else None
    return None


@lru_cache(1024)
def _role_of(names: str) -> Role | None:
    """Say what part the names of a class mean."""
    for name in names.split():
        if role := _ROLES.get(name):
            return role
        if name.startswith("ttip_object_info"):
            return Role.TALK_TITLE
        if name.startswith("info_link_object_info"):
            return Role.HIDDEN
    return None
