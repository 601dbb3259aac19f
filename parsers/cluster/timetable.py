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
    11.30-13.00             TUTORIAL 2
                            SAILING BY NUMBERS
                            Ada Quill & Bo Two CANCELLED

What stands in a cell beside a time is read in ``timetable_cells``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from parsers._contract import Document
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.cells import Row, first_rows, is_markup, looked_at
from parsers.cluster.items import Moment
from parsers.cluster.records import session_records
from parsers.cluster.rows import SLOT_RULE, Rows
from parsers.cluster.times import TimeLine, read_day, read_time_line
from parsers.cluster.timetable_cells import CHAIRED, TALK, read_cell
from parsers.cluster.wording import is_worded_as_room
from schemas.items import Item, Reject

EXPECTS: Final = (
    "times with dots such as '11.00-12.30', and 'PAPER SESSION 3 - Chair: ..' or talks such as '12.- Title'"
)

_TIME: Final = re.compile(r"(?P<time>\d{1,2}\.\d{2}(?:\s*[-–]\s*\d{1,2}\.\d{2})?)(?:\s+(?P<room>\D.{0,60}))?")
_MARKS: Final = re.compile(
    r"\d{1,2}\.\d{2}\s*[-–]\s*\d{1,2}\.\d{2}.{0,400}?\s[-–]\s+Chairs?\s*:", re.IGNORECASE | re.DOTALL
)
# The beginning of a cell with a time, and the rest of a row that has one cell beside it.
_TIMED_CELL: Final = r">\s*(?:<[^<>]{1,200}>\s*){0,8}\d{1,2}\.\d{2}\s*[-–]\s*\d{1,2}\.\d{2}\b"
_TIMED: Final = re.compile(_TIMED_CELL)
_TWO_CELLS: Final = re.compile(
    rf"{_TIMED_CELL}[^<]*(?:<(?!/?t[dr]\b)[^<]*){{0,40}}</td>"
    r"\s*<td\b(?P<beside>[^<]*(?:<(?!td\b|/tr>)[^<]*){0,400})</tr>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"^[^<>]*>|<[^<>]*>")
_MOST_ALIKE: Final = 3
_MOST_ROWS: Final = 200


@dataclass(slots=True)
class _Slot:
    """A time with its room, and the rows of the cell beside it."""

    head: list[Row]
    time: TimeLine | None
    room: str | None
    day: Day | None
    rows: list[Row] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """Say whether times with dots stand beside sessions with chairs behind a dash, or beside lines in capitals."""
    if is_markup(document):
        text = looked_at(document)
        return "program-session" not in text and (_MARKS.search(text) is not None or _in_capitals(text))
    rows = list(first_rows(document))
    times = [place for place, row in enumerate(rows) if _TIME.fullmatch(row.text)]
    if times and any(CHAIRED.fullmatch(row.text) or TALK.fullmatch(row.text) for row in rows):
        return True
    below = [rows[place + 1].text for place in times if place + 1 < len(rows)]
    columns = sum(row.cell and _is_room(row.text, None) for row in rows[: times[0]]) if times else 0
    return len(below) >= _MOST_ALIKE and columns < 2 and all(map(str.isupper, below))


def _in_capitals(page: str) -> bool:
    """Say whether a page has a table of two columns, times with dots beside what is written in capitals."""
    found = [_TAG.sub(" ", row["beside"]).split() for row in islice(_TWO_CELLS.finditer(page), _MOST_ROWS)]
    if len(found) < _MOST_ALIKE or len(found) < sum(1 for _ in islice(_TIMED.finditer(page), _MOST_ROWS)):
        return False  # few rows, or a grid with a column a room
    return all(words and words[0].isupper() and words[0].isalpha() for words in found[:_MOST_ALIKE])


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
        printed = read_cell(rows, slot.rows, slot.room)
        if isinstance(printed, Reject):
            yield printed
        elif printed is not None:
            yield from session_records(printed, moment)
    rows.settle()


def _day_of(rows: Rows) -> Day | None:
    """Return the day of the page: its title, the end of its address, or the nearest row above the table.

    Other rows above it may be days too: when the page was made, the other days in its menu.
    """
    titles = (part for title in rows.masthead.titles for part in re.split(r"\s+[-–|]\s+", title))
    addresses = (rows.document.facts.url or "", rows.document.path)
    parts = (PurePosixPath(address.rstrip("/")).stem.replace("-", " ").replace("_", " ") for address in addresses)
    nearest = (row.day for row in reversed(rows.top) if row.day)
    return next((day for text in (*titles, *parts) if (day := read_day(text.strip()))), next(nearest, None))


def _cut(body: Sequence[Row], day: Day | None) -> list[_Slot]:
    """Cut a page at its days and times; a room below a time stands in the same cell."""
    slots: list[_Slot] = []
    for row, below in zip(body, [*body[1:], None], strict=False):
        found = _TIME.fullmatch(row.text)
        if found:
            slots.append(_Slot([row], read_time_line(found["time"].replace(".", ":")), found["room"], day))
        elif row.day is not None:
            day = row.day
        elif slots and slots[-1].room is None and not slots[-1].rows and _is_room_of(slots[-1].head[0], row, below):
            slots[-1].room = row.text
            slots[-1].head.append(row)
        elif slots:
            slots[-1].rows.append(row)
    return slots


def _is_room_of(time: Row, row: Row, below: Row | None) -> bool:
    """Say whether a row below a time is its room: by its wording, or since it shares the cell of the time."""
    if below is None or below.day is not None or _TIME.fullmatch(below.text):
        return _is_room(row.text, None)
    # In a text the other cell follows on the line, or a mark begins it on the line below.
    beside = below.cell and (row.number == below.number or not row.cell)
    if row.source is not None and time.source is not None and below.source is not None:
        beside = row.source.part is time.source.part and below.source.part is not time.source.part
    return (beside and row.text.isupper()) or _is_room(row.text, below)


def _is_room(text: str, below: Row | None) -> bool:
    """Say whether a row below a time is its room: above a session with its chair, or worded as one, in capitals."""
    if not text.isupper() or CHAIRED.fullmatch(text):
        return False
    above_session = below is not None and CHAIRED.fullmatch(below.text) is not None
    return above_session or is_worded_as_room(text.title()) or text.endswith(" AREA")
