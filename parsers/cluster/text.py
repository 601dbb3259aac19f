"""Text dumps of a programme at a glance, as content extractors leave them: one column a day, top to bottom.

    IEEE Cluster 2031 Program                                 only in full dumps
    Tuesday September 2nd                                     day: no year
    9:30-11:00                                                slot
    Session (1) Stores                                        session: title, room, chair
    Great Hall
    Chair: Bea Sorn (Norwick)
    Offloaded stores                                          talk: the title twice, once where authors and
    Offloaded stores                                          abstracts are lost
    Ann One, Bo Two
    Abstract
    We describe a store that keeps small objects near the readers.
    |                                                         the next column

By-date pages and the programmes before 2018 look otherwise: they have modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from parsers._contract import Document
from parsers._dates import DASH, MONTH
from parsers._lines import Boilerplate, heading_rule
from parsers._years import Day, date_of, find_years, resolve_year
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.edition import PAGE_TITLE, name_edition
from parsers.cluster.headings import read_session
from parsers.cluster.items import Moment, PrintedSession
from parsers.cluster.lines import Line, What, sort_lines
from parsers.cluster.page_facts import PageFacts, facts_of
from parsers.cluster.slots import read_slot
from parsers.cluster.timed_talks import Timed, timed_records
from parsers.cluster.times import TimeLine, on_twelve_hours, read_day, read_time_line, read_timed_item
from parsers.cluster.wording import is_worded_as_room
from schemas.items import Item, Reject

_DAY_RULE: Final = heading_rule("day", 2)
_SLOT_RULE: Final = heading_rule("slot", 3)
_PAGE_RULE: Final = heading_rule("page_title", 1)

_MENUS: Final = frozenset({"site_menu", "menu_entry"})
# When and where the conference is: "September 24-27, 2031", "Norwick, Ruritania", or both.
_PLACE: Final = r"[A-Z][\w'’. -]{1,30}(?:, ?[A-Z][\w'’. -]{1,30}){1,2}"
_DATES: Final = rf"(?i:{MONTH})\.? \d{{1,2}} ?{DASH} ?(?:(?i:{MONTH})\.? )?\d{{1,2}}(?:, ?(?:19|20)\d\d)?"
_SITE_HEAD: Final = Boilerplate({"place": _PLACE, "dates": rf"(?:{_PLACE}\W{{1,3}})?{_DATES}(?:\W{{1,3}}{_PLACE})?"})
_FOOT: Final = 2000
# The site's name with the year: "IEEE CLUSTER 2031", an acronym among at most five words, and no month.
_BANNER: Final = re.compile(
    rf"(?=[^\n]*\b(?:[A-Z]{{3,}}|Cluster)\b)(?!.*\b{MONTH}\b)(?P<event>(?:[A-Z][\w/&-]*\s+){{1,5}}(?P<year>(?:19|20)\d\d))"
)
# What a time line says of all that stands below it: "9:00 - 12:30 -- Workshops".
_SLOT_LABEL: Final = re.compile(r"(?:workshops|tutorials|posters|(?:invited|short) talks?|[, &/]|and)+", re.IGNORECASE)
_LOOKED_AT: Final = 400
_GAP: Final = re.compile(r"\S {4,}\S")
_FEWEST_COLUMNS: Final = 5  # one line in so many
# What dates and times of a call for papers are about.
_DEADLINE: Final = re.compile(
    r"\b(?:deadlines?|(?:papers?|abstracts?|manuscripts?|versions?) due|notifications?|camera[- ]ready|submissions?)\b",
    re.IGNORECASE,
)
# Lines of by-date pages, of the years before 2018 and of sister conferences: other layouts, other parsers.
_OTHER_LAYOUT: Final = re.compile(
    r"""
      \d{1,2}\.\s+\d{1,2}[:.]\d{2}\s*[-–]        # 1. 10:30 - 11:00 Title [slide]
    | authors?\s*: | (?:chair|speaker|abstract|bio)\s+:
    | session\s+\d+\s*:.*\(room: | abstract[ ]abstract$
    | \d{1,3}\.-\s | -\s+\S | [^\t]*\t   # lists, cells
    """,
    re.IGNORECASE | re.VERBOSE,
)

# Marks of another generator, which prints the times of its sessions in front of their titles.
_OTHER_GENERATOR: Final = re.compile(r"(?:view(?: this program)?|days|location)\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Slot:
    """A time line, the day above it, and the lines below it."""

    day: Day | None
    time: TimeLine | None
    head: Line | None
    block: Sequence[Line]

    @property
    def lines(self) -> Sequence[Line]:
        """The lines below; what the time line says of them, or the line below gives again, is no item of its own."""
        if self.time is None or self.time.title is None or len(self.block) < 2:
            return self.block
        first, second = self.block[0].text, self.block[1].text
        again = first == second or (read_session(first).keynote and read_session(second).keynote)
        typed = self.time.session_type is not None and read_session(second).keynote is None and len(self.block) > 2
        return self.block[1:] if again or typed or _SLOT_LABEL.fullmatch(first) else self.block


@dataclass(frozen=True, slots=True)
class Outline:
    """A page cut at its days and time lines; ``top`` is what stands above the first of them."""

    top: Sequence[Line]
    days: Sequence[Day]
    slots: Sequence[Slot]


def recognise(document: Document) -> bool:
    """Say whether day lines and time lines stand alone among the first lines, in no other layout's company."""
    if document.text.lstrip().startswith("<"):
        return False
    day = other = False
    lines = columns = times = items = deadlines = 0
    for _, text in islice(document.lines.texts(), _LOOKED_AT):
        if len(text) > 120:
            continue
        if _OTHER_LAYOUT.match(text) or _is_row_of_days(text):
            return False
        lines += 1
        columns += _GAP.search(text) is not None
        day = day or read_day(text) is not None
        other = other or _OTHER_GENERATOR.match(text) is not None
        times += day and (text == "TBA" or read_time_line(text) is not None)
        items += day and read_timed_item(text) is not None
        deadlines += day and _DEADLINE.search(text) is not None
    beside = columns > 1 and _FEWEST_COLUMNS * columns > lines  # columns side by side: they cannot be parted
    return not beside and deadlines < times + (0 if other else items)


def _is_row_of_days(text: str) -> bool:
    """Say whether several days stand beside each other, each above a column."""
    return "   " in text and sum(read_day(cell) is not None for cell in text.split("  ") if cell) > 1


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a dump in page order, and what could not be read as rejects."""
    found = sort_lines(document.lines)
    outline = _cut(found)
    title = _read_top(document, outline.top)
    year = resolve_year(document, outline.days, _years_in_page(document, title))
    titles = (line.text for line in found)
    event, event_notes = name_edition(document, title["event"] if title else None, titles, year)
    page = facts_of(found)
    for day in outline.days:
        if "date_invalid" in date_of(day, year)[1]:
            yield Reject(day.line, day.line, document.lines[day.line], "date_invalid", "expected a day that exists")
        document.lines.claim(day.line, _DAY_RULE)
    dates = {day.line: date_of(day, year) for day in outline.days}
    times = on_twelve_hours((slot.day.line if slot.day else None, slot.time) for slot in outline.slots)
    sessions: list[Timed] = []
    for slot, read in zip(outline.slots, times, strict=True):
        on, notes = dates[slot.day.line] if slot.day else (None, year.notes)
        time = read or TimeLine(None)
        moment = Moment(on, time.starts, time.ends, time.code, event, (*notes, *event_notes), time.session_type)
        sessions += ((moment, printed) for printed in _slot_items(document, slot, page))
    if sessions and not any(isinstance(printed, Reject) or printed.tells for _, printed in sessions):
        raise document.error(document.lines.first_text_line, "declined", "expected sessions, talks, chairs or breaks")
    yield from timed_records(sessions)


def _cut(found: Sequence[Line]) -> Outline:
    """Cut a page at its days and time lines; a day without times may be an entry of a menu, as others have some."""
    top: list[Line] = []
    days: list[Day] = []
    slots: list[Slot] = []
    block = top
    day: Day | None = None
    for before, line in zip((None, *found), found, strict=False):
        if line.what is What.TEXT:
            block.append(line)
        elif line.what is What.DAY and (printed := read_day(line.text)):
            day, block = replace(printed, line=line.number), []
            days.append(day)
            slots.append(Slot(day, None, None, block))
        elif (time := _time_of(line, before, block, day)) is not None:
            # "12:00 - 13:00 - Lunch": the title of the first item stands on the time line.
            block = [line._replace(text=time.title, what=What.TEXT)] if time.title else []
            slots.append(Slot(day, time, line, block))
        else:
            block.append(line)
    timed = {slot.day for slot in slots if slot.head}
    return Outline(top, days, [slot for slot in slots if slot.head or slot.day in timed or not timed])


def _time_of(line: Line, before: Line | None, block: Sequence[Line], day: Day | None) -> TimeLine | None:
    """Read a time line; ``TBA`` is one where no room can be meant: below a day, a room, and another ``TBA``."""
    if line.what is What.TIME:
        return read_time_line(line.text) or read_timed_item(line.text)
    if line.what is What.UNKNOWN and day is not None and before is not None:
        placed = before.what is What.DAY or (len(block) > 1 and is_worded_as_room(before.text))
        if placed or (before.what is What.UNKNOWN and len(block) > 1):
            return TimeLine(None)
    return None


def _read_top(document: Document, top: Sequence[Line]) -> re.Match[str] | None:
    """Claim what stands above the first day, and return the page title, for want of it the banner of the site."""
    title = banner = None
    for line in top:
        found = PAGE_TITLE.fullmatch(line.text) if title is None else None
        sign = _BANNER.fullmatch(line.text) if banner is None else None
        title, banner = title or found, banner or sign
        if found or sign:
            document.lines.claim(line.number, _PAGE_RULE)
        elif line.what is not What.TEXT or document.lines.claim_boilerplate(line.number, _SITE_HEAD):
            continue
        elif (rule := BOILERPLATE.rule(line.text)) and rule.name in _MENUS:
            document.lines.claim_boilerplate(line.number, BOILERPLATE)
    return title or banner


def _years_in_page(document: Document, title: re.Match[str] | None) -> list[int]:
    """Return the years of the page title, of the copyright line at the foot of the page, and of its address."""
    foot = document.text[-_FOOT:]
    marks = [
        line
        for line in map(str.strip, foot.splitlines())
        if (rule := BOILERPLATE.rule(line)) and rule.name == "copyright"
    ]
    return find_years(" ".join([title["event"] if title else "", *marks, document.facts.url or ""]))


def _slot_items(document: Document, slot: Slot, page: PageFacts) -> Iterator[PrintedSession | Reject]:
    """Yield the sessions of one slot and claim its time line."""
    time, head = slot.time, slot.head
    if time is not None and head is not None:
        if time.impossible:
            text = document.lines.text(head.number, head.last)
            yield Reject(head.number, head.last, text, "invalid_value", "expected a time of day that exists")
        else:
            document.lines.claim(head.number, _SLOT_RULE)
    yield from read_slot(slot.lines, page, document.lines)
