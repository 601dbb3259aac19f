"""The programme of 2014, a page a day: a table of two columns, times with dots, talks with numbers; or its text.

    Wednesday 24 Sept                                   or in the address of the page alone
    11.00-12.30             PAPER SESSION 3 - Chair: Bea Sorn
    ROOM C                  STORES AND QUAYS
                            - 12.- Small Files
                            Ann One, Bo Two and Cy Three
    09.30-10.30             KEYNOTE - Chair: Bea Sorn
    PLENARY ROOM            Offloaded Tides
                            Ada Quill
    10.30-11.00             COFFEE BREAK

Some texts glue the lines of a cell: what is in capitals behind a chair is the title of the session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from parsers._contract import Document
from parsers._lines import record_rule
from parsers._programme import Day, date_of, resolve_year
from parsers.cluster.headings import TimeLine, read_day, read_session, read_time_line
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk, session_records
from parsers.cluster.lines import is_worded_as_room
from parsers.cluster.people import NOBODY, looks_like_names, read_chairs, reads_as_person
from parsers.cluster.rows import SESSION_RULES, SLOT_RULE, Row, Rows, first_rows, is_markup, looked_at
from schemas.items import Item, Reject

EXPECTS: Final = (
    "times with dots such as '11.00-12.30', and 'PAPER SESSION 3 - Chair: ..' or talks such as '12.- Title'"
)

_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")
_TIME: Final = re.compile(r"(?P<time>\d{1,2}\.\d{2}(?:\s*[-–]\s*\d{1,2}\.\d{2})?)(?:\s+(?P<room>\D.{0,60}))?")
_TALK: Final = re.compile(r"(?P<number>\d{1,4})\.\s?-\s*(?P<title>\S.*)")
_CHAIRED: Final = re.compile(r"(?P<name>\S.{0,80}?)\s+[-–]\s+Chairs?\s*:\s*(?P<rest>\S.*)", re.IGNORECASE)
_MARKS: Final = re.compile(
    r"\d{1,2}\.\d{2}\s*[-–]\s*\d{1,2}\.\d{2}.{0,400}?\s[-–]\s+Chairs?\s*:", re.IGNORECASE | re.DOTALL
)


@dataclass(slots=True)
class _Slot:
    """A time with its room, and the rows of the cell beside it."""

    head: list[Row]
    time: TimeLine | None
    room: str | None
    day: Day | None
    rows: list[Row] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """Say whether times with dots stand beside sessions with their chairs behind a dash."""
    if is_markup(document):
        return _MARKS.search(looked_at(document)) is not None and "program-session" not in looked_at(document)
    rows = list(first_rows(document))
    times = any(_TIME.fullmatch(row.text) for row in rows)
    return times and any(_CHAIRED.fullmatch(row.text) or _TALK.fullmatch(row.text) for row in rows)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a day in its order, and what could not be read as rejects."""
    rows = Rows(document, lambda row: _TIME.fullmatch(row.text) is not None)
    masthead = rows.masthead
    first = _day_of(rows)
    days = [first] if first else []
    year = resolve_year(document, [*days, *(day for row in rows.body if (day := row.day))], masthead.years)
    event, event_notes = rows.edition((), year)
    yield from rows.claim_days(year)
    for slot in _cut(rows.body, first):
        time = slot.time or TimeLine(None)
        if time.impossible:
            yield rows.reject(slot.head[:1], "invalid_value", "expected a time of day that exists")
        rows.claim(slot.head, SLOT_RULE)
        on, notes = date_of(slot.day, year) if slot.day else (None, ())
        moment = Moment(on, time.starts, time.ends, None, event, (*notes, *event_notes))
        printed = _read(rows, slot)
        if isinstance(printed, Reject):
            yield printed
        elif printed is not None:
            yield from session_records(printed, moment)
    rows.settle()


def _day_of(rows: Rows) -> Day | None:
    """Return the day of the page: a row above the table, the title of the page, or the end of its address."""
    for row in rows.top:
        if day := row.day:
            return day
    titles = (part for title in rows.masthead.titles for part in re.split(r"\s+[-–|]\s+", title))
    addresses = (rows.document.facts.url or "", rows.document.path)
    parts = (PurePosixPath(address.rstrip("/")).stem.replace("-", " ").replace("_", " ") for address in addresses)
    return next((day for text in (*titles, *parts) if (day := read_day(text.strip()))), None)


def _cut(body: Sequence[Row], day: Day | None) -> list[_Slot]:
    """Cut a page at its days and times; a room below a time stands in the same cell."""
    slots: list[_Slot] = []
    for row, below in zip(body, [*body[1:], None], strict=False):
        found = _TIME.fullmatch(row.text)
        if found:
            slots.append(_Slot([row], read_time_line(found["time"].replace(".", ":")), found["room"], day))
        elif row.day is not None:
            day = row.day
        elif slots and slots[-1].room is None and not slots[-1].rows and _is_room(row.text, below):
            slots[-1].room = row.text
            slots[-1].head.append(row)
        elif slots:
            slots[-1].rows.append(row)
    return slots


def _is_room(text: str, below: Row | None) -> bool:
    """Say whether a row below a time is its room: above a session with its chair, or worded as one, in capitals."""
    if not text.isupper() or _CHAIRED.fullmatch(text):
        return False
    above_session = below is not None and _CHAIRED.fullmatch(below.text) is not None
    return above_session or is_worded_as_room(text.title()) or text.endswith(" AREA")


def _read(rows: Rows, slot: _Slot) -> PrintedSession | Reject | None:
    """Read the cell beside a time; what is glued and cannot be parted is rejected."""
    if not slot.rows:
        return None
    first, *rest = slot.rows
    if not first.short:
        return rows.reject([first], "incomplete_item", "expected a title beside the time")
    found = _CHAIRED.fullmatch(first.text)
    name, chair, title = found["name"] if found else first.text, "", ""
    if found:
        chair, title = _part_capitals(found["rest"])
        if not all(reads_as_person(part.strip()) for part in re.split(r",|\band\b", chair.partition("(")[0])):
            return rows.reject([first], "incomplete_item", "expected the names of the chairs alone behind 'Chair:'")
    own = [first]
    if rest and not title and rest[0].short and not rest[0].bullet and rest[0].text.isupper():
        title, own, rest = rest[0].text, [first, rest[0]], rest[1:]
    printed = f"{name}: {title}" if title else name
    heading = read_session(printed)
    keynote = read_session(name).keynote is not None
    talks = list(_talks(rows, rest) if not keynote else _keynote(rows, rest))
    for place, row in enumerate(own):
        rows.claim([row], SESSION_RULES[place] if talks else _ITEM_RULE)
    return PrintedSession(
        line_start=own[0].number,
        line_end=own[-1].last,
        heading=heading,
        room=slot.room,
        chairs=read_chairs(chair, "") if chair else NOBODY,
        talks=tuple(talks),
    )


def _part_capitals(text: str) -> tuple[str, str]:
    """Part names from a title in capitals that is glued to them: ``Bea Sorn STORES AND QUAYS``."""
    words = text.split()
    place = len(words)
    while place > 1 and words[place - 1].upper() == words[place - 1] and not words[place - 1].endswith((".", ")")):
        place -= 1
    return " ".join(words[:place]), " ".join(words[place:])


def _talks(rows: Rows, below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the numbered talks of a session: a title, and below it the authors."""
    for place, row in enumerate(below):
        found = _TALK.fullmatch(row.text)
        if found is None:
            continue
        following = below[place + 1] if place + 1 < len(below) else None
        named = following is not None and not _TALK.fullmatch(following.text) and looks_like_names(following.text)
        own = [row, following] if following is not None and named else [row]
        rows.claim(own, _TALK_RULE)
        yield PrintedTalk(
            row.number,
            own[-1].last,
            found["title"],
            authors=own[1].text if len(own) > 1 else None,
            number=found["number"],
        )


def _keynote(rows: Rows, below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the talk of a keynote: its title, and below it the speaker."""
    if not below:
        return
    title, speaker = below[0], below[1] if len(below) > 1 and looks_like_names(below[1].text) else None
    own = [title, speaker] if speaker else [title]
    rows.claim(own, _TALK_RULE)
    yield PrintedTalk(title.number, own[-1].last, title.text, authors=speaker.text if speaker else None)
