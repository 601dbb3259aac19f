"""The programme at a glance as HTML, as every year since 2018 prints it by hand: one cell of a table a day.

    <table id="program-table"><tr><td>
      <h2 class="section-title">Tuesday September 2nd</h2>             never a year
      <div class="timeslot"><h3 class="session-time">9:30-11:00</h3>
        <div class="program-session">                                  see ``boxes``
          <div class="session-title">Session (1) Stores</div>
          <div class="room-name">Great Hall</div> <div class="session-chair">Chair: Bea Sorn (Norwick)</div>
          <div class="slot-title"><div class="slot-wrapper">..</div></div></div></div></td></tr></table>

Parts are known by their classes, in page order: end tags are missing, and a slot may stand inside the one before it.
A cell, a day and a slot each end what was said above them, so that no session gets the time of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._contract import Document
from parsers._elements import line_of
from parsers._html import Page
from parsers._lines import heading_rule
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.boxes import Box, Head, reject_head
from parsers.cluster.elements import Line, Role, claim, claim_furniture, common_ancestor, read_stream
from parsers.cluster.furniture import FURNITURE
from parsers.cluster.headings import PLACEHOLDER, read_session
from parsers.cluster.items import Moment, PrintedSession
from parsers.cluster.masthead import edition_of, read_masthead
from parsers.cluster.printed import read_box
from parsers.cluster.timed_talks import Timed, timed_records
from parsers.cluster.times import TimeLine, on_twelve_hours, read_day, read_time_line
from schemas.items import Item, Reject

EXPECTS: Final = "HTML with elements of class program-session or a table program-table"

_DAY: Final = heading_rule("day", 2)
_SLOT: Final = heading_rule("slot", 3)

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
_TABLE: Final = "program-table"


@dataclass(slots=True)
class _Slot:
    """A time line, the day above it, and the boxes below it; each of the two may be missing."""

    day: Head | None
    part: etree._Element | None = None
    time: Head | None = None
    boxes: list[Box] = field(default_factory=list)


@dataclass(slots=True)
class _Outline:
    """A page cut at its cells, days and slots, while it is being read."""

    days: list[Head] = field(default_factory=list)
    slots: list[_Slot] = field(default_factory=list)
    others: list[Line] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    day: Head | None = None
    slot: _Slot | None = None
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
        self.slot, self.box = _Slot(self.day, part), None
        self.slots.append(self.slot)

    def _begin_box(self, part: etree._Element | None) -> Box:
        """Begin a box in the slot; one without a slot has no time."""
        if self.slot is None:
            self._begin_slot(None)
        self.box = Box(part)
        if self.slot is not None:
            self.slot.boxes.append(self.box)
        return self.box


def recognise(document: Document) -> bool:
    """Say whether this is markup with the parts of a programme at a glance."""
    text = document.text
    return text[:1000].lstrip().startswith("<") and ("program-session" in text or _TABLE in text)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a page in its order, and what could not be read as rejects."""
    page = document.page
    page.content = _content_of(page.root)
    outline = _read_outline(page)
    if not any(slot.boxes for slot in outline.slots):
        line = line_of(page.content) or 1
        raise document.error(line, "declined", "expected sessions in the programme table, found none")
    days = {id(head): _day_of(head) for head in outline.days}
    masthead = read_masthead(document)
    year = resolve_year(document, [day for day in days.values() if day], masthead.years)
    event, event_notes = edition_of(document, masthead, outline.titles, year)
    for head in outline.days:
        day = days[id(head)]
        if day and "date_invalid" in date_of(day, year)[1]:
            yield reject_head(page, head, "date_invalid", "expected a day that exists")
        elif day:
            claim(page, head.lines, _DAY)
    times = on_twelve_hours((id(slot.day), _time_of(slot)) for slot in outline.slots)
    sessions: list[Timed] = []
    for slot, read in zip(outline.slots, times, strict=True):
        day = days[id(slot.day)] if slot.day else None
        on, notes = date_of(day, year) if day else (None, year.notes)
        time = read or TimeLine(None)
        moment = Moment(on, time.starts, time.ends, time.code, event, (*notes, *event_notes), time.session_type)
        sessions += ((moment, printed) for printed in _slot_items(page, slot, read))
    yield from timed_records(sessions)


def _content_of(root: etree._Element) -> etree._Element:
    """Return the programme table; without one, what holds all parts of the programme."""
    parts = root.findall(f".//*[@id='{_TABLE}']")
    if not parts:
        parts = [element for element in root.iter("h2", "h3", "div") if _role_of(element.get("class") or "")]
    if not parts:
        return root
    return parts[0] if len(parts) == 1 else common_ancestor(parts[0], parts[-1])


def _read_outline(page: Page) -> _Outline:
    """Cut a page at its cells, days and slots; what stands between them can be furniture alone."""
    outline = _Outline()
    read_stream(page.content, _role, outline)
    claim_furniture(page, outline.others, FURNITURE)
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
        return Role.COLUMN if table is not None and table.get("id") == _TABLE else None
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


def _day_of(head: Head) -> Day | None:
    """Read a day heading; None where it is something else, which stays with the ledger."""
    day = read_day(head.text) if head.lines else None
    return replace(day, line=head.lines[0].number or 0) if day else None


def _time_of(slot: _Slot) -> TimeLine | None:
    """Read the time line of a slot; None where it has none, or it says something else."""
    text = slot.time.text if slot.time else ""
    return TimeLine(None) if PLACEHOLDER.fullmatch(text) else read_time_line(text)


def _slot_items(page: Page, slot: _Slot, time: TimeLine | None) -> Iterator[PrintedSession | Reject]:
    """Yield the sessions of one slot and claim its time; where it has no box, a title on its time line is the item."""
    head = slot.time
    if head and time and time.impossible:
        yield reject_head(page, head, "invalid_value", "expected a time of day that exists")
    elif head and time:
        claim(page, head.lines, _SLOT)
    elif head:
        claim_furniture(page, head.lines, FURNITURE)
    found = [printed for box in slot.boxes for printed in read_box(page, box)]
    yield from found
    if head and time and time.title and not found:  # "12:00 - 13:00 - Lunch"
        yield PrintedSession(
            line_start=head.lines[0].number, line_end=head.lines[-1].last, heading=read_session(time.title)
        )
