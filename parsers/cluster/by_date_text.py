"""Text dumps of the pages ``by_date``, ``by_room`` and the like: one entry a session, weekdays alone.

    Tuesday 9:00am-10:15am            list of links: nothing stands below them
    Wednesday 10:30am-12:00pm
    Tuesday 9:00am-10:15am            an entry: its slot, room, type, title and chair
    Great Hall
    Plenary, Paper
    Session I: Stores
    Chair: Bea Sorn (Norwick)
    Offloaded stores                  its talks: title, award, authors, and labels with what they open
    Ann One, and Bo Two (Plum)
    Abstract Abstract                 the label stands twice, on one line or on two
    We describe a store that keeps small objects near the readers.

Some extractors glue room and type to the slot. ``entries`` reads what stands in an entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Final

from parsers._contract import Document
from parsers._dates import CLOCK, DASH, WEEKDAY, weekday_number
from parsers._lines import Lines, heading_rule
from parsers._years import Year, resolve_year
from parsers.cluster.boilerplate import BOILERPLATE, LINKS, SESSION_TYPE
from parsers.cluster.edition import PAGE_TITLE, name_edition
from parsers.cluster.entries import Entry, read_entry
from parsers.cluster.items import Moment
from parsers.cluster.lines import Line, What, sort_lines
from parsers.cluster.masthead import Masthead, dates_by_weekday
from parsers.cluster.records import session_records
from parsers.cluster.times import TimeLine, read_time_line
from schemas.items import Item, Reject

EXPECTS: Final = (
    "lines with weekday and time such as 'Tuesday 9:00am-10:15am', and below them titles, authors and 'Abstract'"
)

_SLOT_RULE: Final = heading_rule("slot", 3)
_PAGE_RULE: Final = heading_rule("page_title", 1)
_GROUP_RULE: Final = heading_rule("group", 2)

_LOOKED_AT: Final = 400
_ROOM: Final = (
    r"(?:[A-Z0-9][\w'’/-]* ){0,3}(?:Hall|Room|Auditorium|Ballroom|Foyer|Lobby|Theatre|Theater)(?: [A-Z0-9]{1,4})?"
)
_SLOT: Final = re.compile(
    rf"(?P<weekday>{WEEKDAY})[.,]?\s+(?P<time>{CLOCK}\s?{DASH}\s?{CLOCK})"
    r"(?!\s?[ap]\.?m\b)"  # not half a time
    # glued, closed by the type, apart, a room
    rf"(?P<rest>(?:\S.{{0,200}}|\s.{{0,200}}(?-i:{SESSION_TYPE})|\s\s.{{1,80}}|\s(?-i:{_ROOM}))?)",
    re.IGNORECASE,
)
_GLUED: Final = re.compile(
    rf"(?P<type>{SESSION_TYPE})(?=[A-Z][a-z])|(?P<label>(?P<word>Abstract|Biography) (?P=word))(?=[^\s:])"
)
_WEEKDAY: Final = re.compile(rf"(?P<weekday>{WEEKDAY})[.,]?", re.IGNORECASE)


@dataclass(slots=True)
class _Slot:
    """A slot line, what is glued to it, and the lines below it; a session whose slot line was lost has no head."""

    head: Line | None
    weekday: int | None = None
    time: TimeLine | None = None
    rest: str = ""
    block: list[Line] = field(default_factory=list)

    @property
    def anchor(self) -> bool:
        """Say whether it is a link of the list in front: nothing stands below it."""
        return not self.block and not self.rest


def recognise(document: Document) -> bool:
    """Say whether lines with a weekday and a time stand among the first lines, and lines of an entry below one."""
    if document.text.lstrip().startswith("<"):
        return False
    slot = False
    for _, text in islice(document.lines.texts(), _LOOKED_AT):
        if len(text) < 300 and _SLOT.fullmatch(text):
            slot = True
        elif slot:
            return True
    return False


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a dump in its order, and what could not be read as rejects."""
    top, slots = _cut([part for line in sort_lines(document.lines) for part in _unglue(line)])
    ledger = document.lines
    for slot in slots:
        if slot.anchor and slot.head:
            _claim_link(slot.head, ledger)
    slots = [slot for slot in slots if not slot.anchor]
    masthead = _read_top(document, top)
    entries = [read_entry(slot.block, slot.rest) for slot in slots]
    year = resolve_year(document, [], masthead.years)
    titles = (line.text for slot in slots for line in slot.block)
    event, notes = name_edition(document, masthead.event, titles, year)
    weekdays = sorted({slot.weekday for slot in slots if slot.weekday is not None})
    dates = dates_by_weekday(masthead, year.value, weekdays)
    groups = _groups(entries)
    for line in (*top, *(line for entry in entries for line in entry.left)):
        if line.text in groups:
            ledger.claim(line.number, _GROUP_RULE)
    for slot, entry in zip(slots, entries, strict=True):
        if entry.bare in groups and slot.head:  # the last link of the list, and what the first entries are sorted under
            _claim_link(slot.head, ledger)
            ledger.claim(slot.block[0].number, _GROUP_RULE)
            continue
        yield from _claim_slot(slot, ledger)
        on, date_notes = _date_of(slot.weekday, dates, year)
        time = slot.time or TimeLine(None)
        moment = Moment(on, time.starts, time.ends, None, event, (*date_notes, *notes))
        yield from entry.claim(ledger)
        if entry.session is not None:
            yield from session_records(entry.session, moment)


def _unglue(line: Line) -> Iterator[Line]:
    """Part a type, or the label of a toggle, from what some extractors glue to it: ``PaperSession I: Stores``."""
    found = _GLUED.match(line.text) if line.what is What.TEXT else None
    if found is None:
        yield line
        return
    what = What.TYPE if found["type"] else What.ABSTRACT
    yield line._replace(text=found["type"] or found["label"], what=what)
    yield line._replace(text=line.text[found.end() :])


def _cut(found: Sequence[Line]) -> tuple[list[Line], list[_Slot]]:
    """Cut a page at its slot lines; weekday and time may stand on lines of their own."""
    top: list[Line] = []
    slots: list[_Slot] = []
    place = 0
    while place < len(found):
        line = found[place]
        below = found[place + 1] if place + 1 < len(found) else None
        mark = _SLOT.fullmatch(line.text) if len(line.text) < 300 else None
        day = _WEEKDAY.fullmatch(line.text)
        if mark:
            time = read_time_line(mark["time"])
            slots.append(_Slot(line, weekday_number(mark["weekday"]), time, mark["rest"].strip()))
        elif day and below and below.what is What.TIME:
            head = line._replace(last=below.last)
            slots.append(_Slot(head, weekday_number(day["weekday"]), read_time_line(below.text), ""))
            place += 1
        elif line.what is What.CHAIR and slots and _has_chair(slots[-1]):
            slots.append(_Slot(None, block=[slots[-1].block.pop(), line]))
        else:
            (slots[-1].block if slots else top).append(line)
        place += 1
    return top, slots


def _read_top(document: Document, top: Sequence[Line]) -> Masthead:
    """Claim the page title and what is no content above the first slot, and return what it all says."""
    titles = tuple(line.text for line in top if PAGE_TITLE.fullmatch(line.text))
    for line in top:
        if PAGE_TITLE.fullmatch(line.text):
            document.lines.claim(line.number, _PAGE_RULE)
        else:
            document.lines.claim_boilerplate(line.number, BOILERPLATE)
    masthead = Masthead(titles, (), tuple(line.text for line in top))
    for line in top:
        if line.text in masthead.ranges:
            document.lines.claim(line.number, _PAGE_RULE)
    return masthead


def _has_chair(slot: _Slot) -> bool:
    """Say whether the session of a slot has its chair, so that another one is that of the next session."""
    return any(line.what is What.CHAIR for line in slot.block[:-2])


def _date_of(weekday: int | None, dates: dict[int, date], year: Year) -> tuple[date | None, tuple[str, ...]]:
    """Return the date of a weekday; it needs the dates of the conference."""
    if weekday is None:
        return None, year.notes
    return (dates[weekday], year.notes) if weekday in dates else (None, ("year_unknown",))


def _claim_link(head: Line, ledger: Lines) -> None:
    """Claim a link of the list in front."""
    for number in range(head.number, head.last + 1):
        ledger.claim_boilerplate(number, LINKS)


def _claim_slot(slot: _Slot, ledger: Lines) -> Iterator[Reject]:
    """Claim a slot line; a time that does not exist is rejected."""
    head = slot.head
    if head is None:
        return
    if slot.time is None or slot.time.impossible:
        text = ledger.text(head.number, head.last)
        yield Reject(head.number, head.last, text, "invalid_value", "expected a time of day that exists")
    else:
        ledger.claim_span(head.number, head.last, _SLOT_RULE)


def _groups(entries: Sequence[Entry]) -> frozenset[str]:
    """Return what the entries of a page can be sorted under."""
    return frozenset(name for entry in entries if entry.session for name in entry.session.sorted_under())
