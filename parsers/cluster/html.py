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
from dataclasses import replace
from typing import Final

from parsers._contract import Document
from parsers._elements import line_of
from parsers._html import Page
from parsers._lines import heading_rule
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.boxes import Head, reject_head
from parsers.cluster.headings import PLACEHOLDER, read_session
from parsers.cluster.items import Moment, PrintedSession
from parsers.cluster.masthead import edition_of, read_masthead
from parsers.cluster.outline import TABLE, Slot, content_of, read_outline
from parsers.cluster.page_lines import claim, claim_boilerplate
from parsers.cluster.printed import read_box
from parsers.cluster.timed_talks import Timed, timed_records
from parsers.cluster.times import TimeLine, on_twelve_hours, read_day, read_time_line
from schemas.items import Item, Reject

EXPECTS: Final = "HTML with elements of class program-session or a table program-table"

_DAY: Final = heading_rule("day", 2)
_SLOT: Final = heading_rule("slot", 3)


def recognise(document: Document) -> bool:
    """Say whether this is markup with the parts of a programme at a glance."""
    text = document.text
    return text[:1000].lstrip().startswith("<") and ("program-session" in text or TABLE in text)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a page in its order, and what could not be read as rejects."""
    page = document.page
    page.content = content_of(page.root)
    outline = read_outline(page)
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


def _day_of(head: Head) -> Day | None:
    """Read a day heading; None where it is something else, which stays with the ledger."""
    day = read_day(head.text) if head.lines else None
    return replace(day, line=head.lines[0].number or 0) if day else None


def _time_of(slot: Slot) -> TimeLine | None:
    """Read the time line of a slot; None where it has none, or it says something else."""
    text = slot.time.text if slot.time else ""
    return TimeLine(None) if PLACEHOLDER.fullmatch(text) else read_time_line(text)


def _slot_items(page: Page, slot: Slot, time: TimeLine | None) -> Iterator[PrintedSession | Reject]:
    """Yield the sessions of one slot and claim its time; where it has no box, a title on its time line is the item."""
    head = slot.time
    if head and time and time.impossible:
        yield reject_head(page, head, "invalid_value", "expected a time of day that exists")
    elif head and time:
        claim(page, head.lines, _SLOT)
    elif head:
        claim_boilerplate(page, head.lines, BOILERPLATE)
    found = [printed for box in slot.boxes for printed in read_box(page, box)]
    yield from found
    if head and time and time.title and not found:  # "12:00 - 13:00 - Lunch"
        yield PrintedSession(
            line_start=head.lines[0].number, line_end=head.lines[-1].last, heading=read_session(time.title)
        )
