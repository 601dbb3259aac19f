"""The pages ``by_date``, ``by_room`` and the like of 2018 and 2019 as HTML: one entry a session, weekdays alone.

    <div class="session-entry">
      <span class="session-date">Tuesday</span> <span class="session-time">9:00am-10:15am</span>
      <span class="room-name">Great Hall</span> <span class="session-event-type">Plenary, Paper</span>
      <div class="session-title">Session I: Stores</div> <div class="session-chair">Chair: Bea Sorn (Norwick)</div>
      <div class="slot-entry">
        <div class="slot-title">Offloaded stores</div> <div class="slot-authors">Ann One (Plum)</div>
        Abstract <div>..</div></div></div>

They hold the same papers as the programme at a glance. A weekday becomes a date where the page prints the dates of the
conference; else the times are unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._contract import Document
from parsers._dates import WEEKDAY, weekday_number
from parsers._elements import line_of
from parsers._html import Page
from parsers._lines import heading_rule
from parsers._years import Day, Year, date_of, resolve_year
from parsers.cluster.boilerplate import BOILERPLATE, LINKS
from parsers.cluster.boxes import Box, Head, TalkBox, reject_head
from parsers.cluster.elements import Line, Role, read_stream
from parsers.cluster.headings import PLACEHOLDER
from parsers.cluster.items import Moment
from parsers.cluster.masthead import dates_by_weekday, edition_of, read_masthead
from parsers.cluster.page_lines import claim, common_ancestor
from parsers.cluster.printed import read_box
from parsers.cluster.records import session_records
from parsers.cluster.times import TimeLine, read_day, read_time_line
from schemas.items import Item, Reject

EXPECTS: Final = "HTML with elements of class session-entry, a session-date in each"

_SLOT: Final = heading_rule("slot", 3)
_GROUP: Final = heading_rule("group", 2)

_ROLES: Final = {
    "session-entry": Role.SESSION,
    "session-date": Role.DAY,
    "session-time": Role.TIME,
    "session-title": Role.TITLE,
    "room-name": Role.ROOM,
    "session-chair": Role.CHAIR,
    "session-event-type": Role.TYPE,
    "slot-entry": Role.TALK,
    "slot-title": Role.TALK_TITLE,
    "slot-authors": Role.AUTHORS,
    "award": Role.AWARD,
}
_WEEKDAY: Final = re.compile(rf"(?P<weekday>{WEEKDAY})[.,]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One session: its box, and what its day and time lines say; None where they are missing or say something else."""

    box: Box
    day: Head | None
    time: Head | None
    date: Day | None
    weekday: int | None
    clock: TimeLine | None


@dataclass(slots=True)
class _Boxes:
    """The entries of a page, while it is being read, and the lines outside them."""

    boxes: list[Box] = field(default_factory=list)
    others: list[Line] = field(default_factory=list)

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin an entry, or a part of the last one."""
        if role is Role.SESSION:
            self.boxes.append(Box(part))
        elif self.boxes:
            self.boxes[-1].open(role, part)

    def take(self, line: Line) -> None:
        """Take a line into the last entry."""
        if self.boxes and line.role is not Role.PAGE:
            self.boxes[-1].take(line)
        else:
            self.others.append(line)


def recognise(document: Document) -> bool:
    """Say whether this is markup with the entries of a programme by date."""
    text = document.text
    return text[:1000].lstrip().startswith("<") and "session-entry" in text and "session-date" in text


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a page in its order, and what could not be read as rejects."""
    page = document.page
    page.content = _content_of(page.root)
    found = _Boxes()
    read_stream(page.content, _role, found)
    boxes = found.boxes
    if not boxes:
        raise document.error(line_of(page.content) or 1, "declined", "expected entries of sessions, found none")
    for line in found.others:
        if rule := LINKS.rule(line.text) or BOILERPLATE.rule(line.text):
            claim(page, [line], rule)
    entries = [_entry_of(box) for box in boxes]
    masthead = read_masthead(document)
    year = resolve_year(document, [entry.date for entry in entries if entry.date], masthead.years)
    titles = (line.text for box in boxes for entry in box.entries for line in _title_lines(entry))
    event, event_notes = edition_of(document, masthead, titles, year)
    weekdays = {entry.weekday for entry in entries if entry.weekday is not None}
    dates = dates_by_weekday(masthead, year.value, sorted(weekdays))
    groups: set[str] = set()
    for entry in entries:
        on, notes = _date_of(entry, year, dates)
        yield from _claim_heads(page, entry, notes)
        clock = entry.clock or TimeLine(None)
        moment = Moment(on, clock.starts, clock.ends, clock.code, event, (*notes, *event_notes))
        for printed in read_box(page, entry.box):
            if isinstance(printed, Reject):
                yield printed
            else:
                groups.update(printed.sorted_under())
                yield from session_records(printed, moment)
    claim(page, (line for line in found.others if line.text in groups), _GROUP)


def _content_of(root: etree._Element) -> etree._Element:
    """Return what holds all entries."""
    entries = [element for element in root.iter("div", "li", "td", "section") if _role(element) is Role.SESSION]
    if not entries:
        return root
    return common_ancestor(entries[0], entries[-1])


def _role(element: etree._Element) -> Role | None:
    """Say of which part an element is the beginning."""
    names = element.get("class")
    return _role_of(names) if names else None


@lru_cache(1024)
def _role_of(names: str) -> Role | None:
    """Say what part the names of a class mean."""
    return next((role for name in names.split() if (role := _ROLES.get(name))), None)


def _entry_of(box: Box) -> _Entry:
    """Read the day and the time of an entry."""
    day, time = _head_of(box, Role.DAY), _head_of(box, Role.TIME)
    text = day.text if day else ""
    weekday = _WEEKDAY.fullmatch(text)
    found = read_day(text) if text else None
    clock = time.text if time else ""
    return _Entry(
        box,
        day,
        time,
        replace(found, line=day.lines[0].number or 0) if found and day else None,
        weekday_number(weekday["weekday"]) if weekday else None,
        TimeLine(None) if PLACEHOLDER.fullmatch(clock) else read_time_line(clock),
    )


def _head_of(box: Box, role: Role) -> Head | None:
    """Return the first part of a kind that holds text."""
    heads = (entry for entry in box.entries if isinstance(entry, Head) and entry.role is role)
    return next((head for head in heads if head.lines), None)


def _title_lines(entry: Head | TalkBox) -> list[Line]:
    """Return the lines of an entry's titles."""
    if isinstance(entry, TalkBox):
        return entry.title
    return entry.lines if entry.role is Role.TITLE else []


def _date_of(entry: _Entry, year: Year, dates: Mapping[int, date]) -> tuple[date | None, tuple[str, ...]]:
    """Return the date of an entry and the notes on it; a weekday needs the dates of the conference."""
    if entry.date is not None:
        return date_of(entry.date, year)
    if entry.weekday is None or entry.weekday not in dates:
        return None, ("year_unknown",)
    return dates[entry.weekday], year.notes


def _claim_heads(page: Page, entry: _Entry, notes: Sequence[str]) -> Iterator[Reject]:
    """Claim the day and time of an entry; what does not exist is rejected, what is neither stays with the ledger."""
    if entry.day and "date_invalid" in notes:
        yield reject_head(page, entry.day, "date_invalid", "expected a day that exists")
    elif entry.day and (entry.date or entry.weekday is not None):
        claim(page, entry.day.lines, _SLOT)
    if entry.time and entry.clock and entry.clock.impossible:
        yield reject_head(page, entry.time, "invalid_value", "expected a time of day that exists")
    elif entry.time and entry.clock:
        claim(page, entry.time.lines, _SLOT)
