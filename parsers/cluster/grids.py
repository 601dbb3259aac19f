"""The programme of 2015, as page or as text: for each day a grid of times and sessions, then the sessions one by one.

Wednesday, September 9
10:00 – 10:30    Coffee Break                       cells of the grid: items, and when sessions are
10:30 – 12:30    Session 1:    Session 2: Ropes     "Stores" may stand below, on a line of its own
Session 1: Stores-(Room: Great Hall)                a session: its room closes the heading
Chair: Bea Sorn (Norwick)
- Small Files                                       its talks: "(short paper)" behind the title
Ann One (Plum), Bo Two (Orb Lab) (Best Paper)       authors, awards behind them
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from parsers._contract import Document
from parsers._lines import record_rule
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.cells import Row, first_rows, is_markup, looked_at
from parsers.cluster.headings import SessionHeading, read_session
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk
from parsers.cluster.names import looks_like_names
from parsers.cluster.people import NOBODY, read_chairs
from parsers.cluster.records import session_records
from parsers.cluster.rows import SESSION_RULES, SLOT_RULE, Rows
from parsers.cluster.times import TimeLine, on_twelve_hours
from schemas.items import Item

EXPECTS: Final = "sessions such as 'Session 1: Title-(Room: Quay)', their chairs and talks below them"

_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")
_HEADING: Final = re.compile(r"(?P<heading>\S.{0,200}?) ?[-–]? ?\(Rooms? ?: ?(?P<room>[^()]{1,80})\)", re.IGNORECASE)
_SESSION: Final = re.compile(r"Session\s+\w{1,4}\s*:[^<>]{0,200}\(Rooms? ?:", re.IGNORECASE)
_AWARD: Final = re.compile(r"\s*\(\s*best\s+(?:student\s+)?paper(?:\s+\w+){0,2}\s*\)$", re.IGNORECASE)


@dataclass(slots=True)
class _Cell:
    """A cell of a grid: the day and the time above it."""

    row: Row
    day: Day | None
    time: TimeLine


@dataclass(slots=True)
class _Section:
    """The heading of a session and the rows below it."""

    head: Row
    day: Day | None
    rows: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class _Outline:
    """A page cut at its days, times and sessions."""

    days: list[tuple[Row, Day]] = field(default_factory=list)
    times: list[tuple[Row, TimeLine]] = field(default_factory=list)
    parts: list[_Cell | _Section] = field(default_factory=list)

    @property
    def cells(self) -> Iterator[_Cell]:
        """The cells of the grids."""
        return (part for part in self.parts if isinstance(part, _Cell))

    @property
    def sections(self) -> Iterator[_Section]:
        """The sessions."""
        return (part for part in self.parts if isinstance(part, _Section))


def recognise(document: Document) -> bool:
    """Say whether headings of sessions end with their rooms."""
    if is_markup(document):
        return _SESSION.search(looked_at(document)) is not None and "program-session" not in looked_at(document)
    return any(_SESSION.match(row.text) for row in first_rows(document))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a programme in its order, and what could not be read as rejects."""
    rows = Rows(document, lambda row: bool(row.day or row.time or _HEADING.fullmatch(row.text)))
    outline = _cut(rows.body)
    masthead = rows.masthead
    year = resolve_year(document, [day for _, day in outline.days], masthead.years)
    event, event_notes = rows.edition((cell.row.text for cell in outline.cells), year)
    yield from rows.claim_days(year)
    for row, time in outline.times:
        if time.impossible:
            yield rows.reject([row], "invalid_value", "expected a time of day that exists")
    rows.claim((row for row, _ in outline.times), SLOT_RULE)
    listed = {(heading := _heading_of(part.head.text)).code: heading.title for part in outline.sections}
    pending = None
    for part in outline.parts:
        heading = _heading_of(part.row.text if isinstance(part, _Cell) else part.head.text)
        if isinstance(part, _Cell) and (heading.code in listed or part.row.text == pending):
            rows.claim([part.row], SLOT_RULE)
            # A cell may break between code and title.
            pending = listed.get(heading.code) if heading.title is None else None
            continue
        place = part if isinstance(part, _Cell) else _place_of(part, outline)
        day, time = (place.day, place.time) if place else (part.day, TimeLine(None))
        on, notes = date_of(day, year) if day and place else (None, ())
        moment = Moment(on, time.starts, time.ends, None, event, (*notes, *event_notes))
        yield from session_records(_read(rows, part), moment)
    rows.settle()


def _cut(body: Sequence[Row]) -> _Outline:
    """Cut a page at its days, times and sessions; what follows a time up to the next of them are its cells."""
    outline = _Outline()
    day: Day | None = None
    time: TimeLine | None = None
    for row in body:
        if found := row.day:
            day, time = found, None
            outline.days.append((row, day))
        elif clock := row.time:
            time = clock
            outline.times.append((row, clock))
        elif _HEADING.fullmatch(row.text):
            time = None
            outline.parts.append(_Section(row, day))
        elif time is not None and row.short:
            outline.parts.append(_Cell(row, day, time))
        elif outline.parts and isinstance(section := outline.parts[-1], _Section):
            section.rows.append(row)
    read = _afternoons(outline)
    outline.parts = [
        replace(part, time=read[part.day, part.time]) if isinstance(part, _Cell) else part for part in outline.parts
    ]
    return outline


def _afternoons(outline: _Outline) -> dict[tuple[Day | None, TimeLine], TimeLine]:
    """Return the times of the cells, by their days, as a page of twelve hours means them."""
    printed = [(cell.day, cell.time) for cell in outline.cells]
    return {key: time for key, time in zip(printed, on_twelve_hours(printed), strict=True) if time is not None}


def _heading_of(text: str) -> SessionHeading:
    """Return the heading of a session without its room."""
    found = _HEADING.fullmatch(text)
    return read_session(found["heading"] if found else text)


def _place_of(section: _Section, outline: _Outline) -> _Cell | None:
    """Return the cell of the grid that says when a session is: of its own day, else the only one."""
    code = _heading_of(section.head.text).code
    cells = [cell for cell in outline.cells if code is not None and _heading_of(cell.row.text).code == code]
    own = [cell for cell in cells if cell.day is section.day]
    found = own or cells
    return found[0] if len(found) == 1 else None


def _read(rows: Rows, part: _Cell | _Section) -> PrintedSession:
    """Read a cell that is an item, or a session with its talks."""
    if isinstance(part, _Cell):
        rows.claim([part.row], _ITEM_RULE)
        return PrintedSession(line_start=part.row.number, line_end=part.row.last, heading=read_session(part.row.text))
    found = _HEADING.fullmatch(part.head.text)
    own, chairs = [part.head], NOBODY
    for row in part.rows[:1]:
        label, names = row.label or ("", "")
        if "chair" in label:
            chairs = read_chairs(names, label)
            own.append(row)
    talks = tuple(_talks(rows, part.rows[len(own) - 1 :]))
    for place, row in enumerate(own):
        rows.claim([row], SESSION_RULES[place] if talks else _ITEM_RULE)
    return PrintedSession(
        line_start=own[0].number,
        line_end=own[-1].last,
        heading=read_session(found["heading"] if found else part.head.text),
        room=found["room"].strip() if found else None,
        chairs=chairs,
        talks=talks,
    )


def _talks(rows: Rows, below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the talks of a session: each an item of a list, its authors on the row below."""
    for place, row in enumerate(below):
        if not row.bullet:
            continue
        following = below[place + 1] if place + 1 < len(below) else None
        authors = None
        own = [row]
        if following is not None and not following.bullet and (names := _names(following.text)):
            authors = names
            own.append(following)
        rows.claim(own, _TALK_RULE)
        yield PrintedTalk(row.number, own[-1].last, row.text, authors=authors)


def _names(text: str) -> str | None:
    """Return the author list of a row without the award behind it; None where it is none."""
    text = _AWARD.sub("", text)
    return text if looks_like_names(text) else None
