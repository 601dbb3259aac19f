"""A programme as a timetable: days, blocks of talks, and the grids of rooms and times that people read.

Pure functions from rows of the records table. Rules, all from real programmes:

- A row of a grid is an instant at which something begins; what lasts longer spans the rows below it.
- Talks of a session in one room are one block, whatever their tracks, unless talks of two tracks run at one time; it is
  cut where an hour or another item lies between. Blocks that overlap in
  one room share a cell, so that no room has two columns. Blocks without a room stand in lanes beside the rooms.
- What overlaps nothing spans all columns. A day is cut where nothing runs on; two parts share a grid only where that
  takes no column, or where there are six at most. Lanes never share a grid with rooms that are elsewhere in time.
- Without an end a block lasts until the next beginning. What lasts over half the day, beside others, stands above it.
- What begins before five belongs to the evening before.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby, pairwise
from typing import Any, Final

from pipeline.viewing.selection import Row

DAY_BEGINS: Final = timedelta(hours=5)
_REPEAT: Final = timedelta(hours=8)
"""How much later an item is one that is shown again, for another part of the world."""
GAP: Final = timedelta(hours=1)
"""What lies at most between two talks of a block."""
SHORTEST_DAY: Final = timedelta(hours=8)
"""What counts as a day where fewer hours have a programme: in two hours, one of them is no all-day item."""
MOST_COLUMNS: Final = 6
"""Number of columns up to which parts of a day with other rooms share a grid."""
_MOMENT: Final = timedelta(minutes=1)
_NUMBER: Final = re.compile(r"\d+")
_FOR_ALL: Final = frozenset({"break", "social"})
"""Kinds that interrupt the sessions of every room where they have none of their own."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTalk:
    """One slot of a record: the row, the number of the slot among its slots, start, end and room."""

    row: Row
    number: int
    start: datetime
    end: datetime | None
    room: str | None

    @property
    def order(self) -> tuple[datetime, str, int, str]:
        """What talks are sorted by: time, then the order of the page."""
        return (self.start, *page_order(self.row))


@dataclass(frozen=True, slots=True, eq=False)
class TimetableBlock:
    """Talks of a session that follow one another in a room, or a single item; ``until`` is where the grid ends it."""

    talks: tuple[PlacedTalk, ...]
    start: datetime
    end: datetime | None
    until: datetime

    @property
    def room(self) -> str | None:
        """The room; None if the programme does not give it."""
        return self.talks[0].room

    @property
    def row(self) -> Row:
        """The row of its first talk, which has the fields of the session."""
        return self.talks[0].row

    @property
    def is_session(self) -> bool:
        """True if it has a heading of its own."""
        return any(session_of(self.row))

    @property
    def is_repeat(self) -> bool:
        """True if it shows again what was shown hours before; what goes on after a break is no repeat."""
        return all(talk.number > 1 and talk.start - _first_start(talk.row) >= _REPEAT for talk in self.talks)

    @property
    def tracks(self) -> list[str]:
        """The tracks of its talks, each once, in their order."""
        return list(dict.fromkeys(talk.row["track"] for talk in self.talks if talk.row["track"]))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a grid: its blocks, none for a free room, and the rows and columns that it spans."""

    blocks: tuple[TimetableBlock, ...]
    column: int
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Instant:
    """A row of a grid: a time at which something begins, and the cells that begin there, from left to right."""

    time: datetime
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rooms, then lanes of what has no room, and the rows."""

    rooms: tuple[str, ...]
    lanes: int
    rows: tuple[Instant, ...]

    @property
    def columns(self) -> int:
        """The number of columns, at least one."""
        return max(1, len(self.rooms) + self.lanes)


@dataclass(frozen=True, slots=True)
class ProgrammeDay:
    """A day: what stands above it, and its grids in time order."""

    date: date
    above: tuple[TimetableBlock, ...]
    grids: tuple[Grid, ...]

    @property
    def blocks(self) -> list[TimetableBlock]:
        """All its blocks, in time order."""
        cells = (cell for grid in self.grids for row in grid.rows for cell in row.cells)
        found = (*self.above, *(block for cell in cells for block in cell.blocks))
        return sorted(found, key=lambda block: block.talks[0].order)


@dataclass(frozen=True, slots=True)
class Timetable:
    """A programme: its days, its rooms in the order of every grid, and items without a time by session."""

    days: tuple[ProgrammeDay, ...]
    rooms: tuple[str, ...]
    untimed: tuple[tuple[Row, ...], ...]


def _first_start(row: Row) -> datetime:
    """Return the first start of a record that has one."""
    first: datetime = min(slot["starts_at"] for slot in row["slots"] if slot["starts_at"])
    return first


def page_order(row: Row) -> tuple[str, int, str]:
    """Return what rows are sorted by to stand as on their page."""
    return (row["dump"], row["line_start"] or 0, row["record_id"])


def session_of(row: Row) -> tuple[str | None, str | None]:
    """Return what tells sessions apart: code and title."""
    return (row["session_code"], row["session_title"])


def day_of(moment: datetime) -> date:
    """Return the day that a time belongs to."""
    return (moment - DAY_BEGINS).date()


def make_timetable(rows: Iterable[Row], *, day: date | None = None, room: str | None = None) -> Timetable:
    """Arrange the rows of one programme; of one ``day`` or ``room`` (ignoring case) if given."""
    ordered = sorted(rows, key=page_order)
    talks = [talk for row in ordered for talk in _talks(row)]
    rooms = order_rooms(talks)
    wanted = [
        talk
        for talk in talks
        if day in {None, day_of(talk.start)} and (room is None or room.casefold() == (talk.room or "").casefold())
    ]
    days = groupby(sorted(wanted, key=lambda talk: talk.order), key=lambda talk: day_of(talk.start))
    timeless = [row for row in ordered if not any(slot["starts_at"] for slot in row["slots"] or ())]
    untimed = groupby(timeless if day is None and room is None else (), key=session_of)
    return Timetable(
        tuple(_make_day(each, list(of_day), rooms) for each, of_day in days),
        tuple(name for name in rooms if any(talk.room == name for talk in wanted)),
        tuple(tuple(of_session) for _, of_session in untimed),
    )


def _talks(row: Row) -> Iterator[PlacedTalk]:
    """Yield the slots of a row that have a start; an end that is not after it is none."""
    started = (slot for slot in row["slots"] or () if slot["starts_at"] is not None)
    for number, slot in enumerate(started, 1):
        start, end = slot["starts_at"], slot["ends_at"]
        yield PlacedTalk(row, number, start, end if end is not None and end > start else None, slot["room"])


def order_rooms(talks: Iterable[PlacedTalk]) -> list[str]:
    """Return the rooms: those named alike but for numbers together, in the order of first use, by number among them.

    By name alone the main hall is the eighth of fourteen; by first use alone room 401 comes after room 406.
    """
    named = [talk.room for talk in sorted(talks, key=lambda talk: talk.order) if talk.room is not None]
    stems = {stem: number for number, stem in reversed([*enumerate(map(_stem, named))])}
    return sorted(set(named), key=lambda room: (stems[_stem(room)], [*map(int, _NUMBER.findall(room))], room))


def _stem(room: str) -> str:
    """Return the name of a room without its numbers."""
    return _NUMBER.sub("#", room)


def _make_day(day: date, talks: Sequence[PlacedTalk], rooms: Sequence[str]) -> ProgrammeDay:
    """Return a day of talks in time order."""
    blocks = _blocks(talks)
    above = _above(blocks)
    high = set(map(id, above))
    parts = [_Part(part) for part in _parts([block for block in blocks if id(block) not in high])]
    tables: list[list[_Part]] = []
    for part in parts:
        if tables and _go_together(tables[-1], part):
            tables[-1].append(part)
        else:
            tables.append([part])
    return ProgrammeDay(day, tuple(above), tuple(_make_grid(table, rooms) for table in tables))


def _blocks(talks: Sequence[PlacedTalk]) -> list[TimetableBlock]:
    """Return the blocks of a day, in time order; each ends at the next beginning if it has no end."""
    begins = sorted({talk.start for talk in talks})
    of_rooms: dict[str | None, list[datetime]] = {}
    for talk in talks:
        if talk.room is not None or talk.row["kind"] in _FOR_ALL:
            of_rooms.setdefault(talk.room, []).append(talk.start)
    sessions: dict[Any, list[PlacedTalk]] = {}
    for talk in talks:
        key = session_of(talk.row)
        sessions.setdefault((key, talk.room) if any(key) else (talk.row["record_id"], talk.number), []).append(talk)
    parts = (
        part
        for of_title in sessions.values()
        for session in _by_track(of_title)
        for part in _cut(session, [of_rooms.get(room, []) for room in {session[0].room, None}])
    )
    found = (_make_block(part, begins) for part in parts)
    return sorted(found, key=lambda block: block.talks[0].order)


def _by_track(session: Sequence[PlacedTalk]) -> list[list[PlacedTalk]]:
    """Return the talks of a session as they are, or by track if talks of two tracks run at one time."""
    reach: dict[str | None, datetime] = {}
    tracks: dict[str | None, list[PlacedTalk]] = {}
    are_parallel = False
    for talk in session:
        track = talk.row["track"]
        tracks.setdefault(track, []).append(talk)
        if "time_is_session" not in talk.row["notes"]:
            are_parallel |= any(talk.start < until for other, until in reach.items() if other != track)
            reach[track] = max(reach.get(track, talk.start), talk.end or talk.start + _MOMENT)
    return list(tracks.values()) if are_parallel else [list(session)]


def _cut(session: Sequence[PlacedTalk], beside: Sequence[Sequence[datetime]]) -> Iterator[list[PlacedTalk]]:
    """Yield the talks of a session between which neither an hour nor a beginning of ``beside`` lies."""
    part = [session[0]]
    reach = session[0].end or session[0].start
    for before, talk in pairwise(session):
        interrupted = any(bisect_right(starts, before.start) < bisect_left(starts, talk.start) for starts in beside)
        if reach <= talk.start and (interrupted or talk.start - reach >= GAP):
            yield part
            part = []
        part.append(talk)
        reach = max(reach, talk.end or talk.start)
    yield part


def _make_block(talks: Sequence[PlacedTalk], begins: Sequence[datetime]) -> TimetableBlock:
    """Return a block of talks in time order."""
    start = talks[0].start
    last = max(talk.start for talk in talks)
    ends = [talk.end for talk in talks if talk.end is not None]
    latest = max(ends, default=None)
    end = latest if latest is not None and latest > last else None
    after = next(iter(begins[bisect_right(begins, last) :][:1]), last + _MOMENT)
    return TimetableBlock(tuple(talks), start, end, end or after)


def _above(blocks: Sequence[TimetableBlock]) -> list[TimetableBlock]:
    """Return the items that last over half the day beside others; sessions stay with their talks."""
    if not blocks:
        return []
    span = max(SHORTEST_DAY, min(max(block.until for block in blocks), _night(blocks[0].start)) - blocks[0].start)
    return [
        block
        for block in blocks
        if block.end is not None
        and (block.end - block.start) * 2 > span
        and any(other is not block and _overlap(block, other) for other in blocks)
        and not block.is_session
    ]


def _night(moment: datetime) -> datetime:
    """Return the end of the day that a time belongs to."""
    return datetime.combine(day_of(moment) + timedelta(days=1), datetime.min.time()) + DAY_BEGINS


def _overlap(one: TimetableBlock, other: TimetableBlock) -> bool:
    """True if two blocks run at the same time."""
    return one.start < other.until and other.start < one.until


def _parts(blocks: Sequence[TimetableBlock]) -> Iterator[list[TimetableBlock]]:
    """Yield blocks that overlap one another, directly or by others between them."""
    part: list[TimetableBlock] = []
    reach = datetime.min  # venue-local, as all times here
    for block in blocks:
        if part and block.start >= reach:
            yield part
            part = []
        part.append(block)
        reach = max(reach, block.until)
    if part:
        yield part


@dataclass(eq=False)
class _Part:
    """A part of a day, with its cells by room and by lane."""

    blocks: Sequence[TimetableBlock]
    rooms: dict[str, list[list[TimetableBlock]]] = field(init=False)
    lanes: list[list[list[TimetableBlock]]] = field(init=False)

    def __post_init__(self) -> None:
        """Put the blocks into cells."""
        placed: dict[str, list[list[TimetableBlock]]] = {}
        self.lanes = []
        for block in self.blocks:
            if block.room is not None:
                cells = placed.setdefault(block.room, [])
                if cells and block.start < max(each.until for each in cells[-1]):
                    cells[-1].append(block)
                else:
                    cells.append([block])
            else:
                free = (lane for lane in self.lanes if lane[-1][0].until <= block.start)
                if (lane := next(free, None)) is None:
                    self.lanes.append([[block]])
                else:
                    lane.append([block])
        self.rooms = placed

    @property
    def is_single(self) -> bool:
        """True if it is one cell, which overlaps nothing and may span all columns."""
        return sum(map(len, self.rooms.values())) + sum(map(len, self.lanes)) == 1


def _go_together(table: Sequence[_Part], part: _Part) -> bool:
    """True if a part may stand in the grid of those before it."""
    before = [each for each in table if not each.is_single]
    if part.is_single or not before:
        return True
    rooms = {room for each in before for room in each.rooms}
    lanes = max(len(each.lanes) for each in before)
    if bool(rooms) != bool(part.rooms):
        return False
    both = rooms | set(part.rooms)
    columns = len(both) + max(lanes, len(part.lanes))
    takes_none = columns in {len(rooms) + lanes, len(part.rooms) + len(part.lanes)}
    return takes_none or columns <= MOST_COLUMNS


def _make_grid(parts: Sequence[_Part], order: Sequence[str]) -> Grid:
    """Return the grid of some parts: every row is full, by cells that begin there, span it, or are free."""
    used = {room for part in parts if not part.is_single for room in part.rooms}
    rooms = tuple(room for room in order if room in used)
    lanes = max((len(part.lanes) for part in parts if not part.is_single), default=0)
    columns = max(1, len(rooms) + lanes)
    rows: list[Instant] = []
    for part in parts:
        if part.is_single:
            rows.append(Instant(part.blocks[0].start, (Cell(tuple(part.blocks), 0, columns),)))
            continue
        cells = [(rooms.index(room), cell) for room, found in part.rooms.items() for cell in found]
        cells += [(len(rooms) + number, cell) for number, lane in enumerate(part.lanes) for cell in lane]
        rows.extend(_rows(cells, columns))
    return Grid(rooms, lanes, tuple(rows))


def _rows(cells: Sequence[tuple[int, list[TimetableBlock]]], columns: int) -> Iterator[Instant]:
    """Yield the rows of a part; ``cells`` are blocks with their columns."""
    times = sorted({cell[0].start for _, cell in cells})
    starting = {(cell[0].start, column): cell for column, cell in cells}
    busy = [datetime.min] * columns  # as above
    for time in times:
        found = []
        for column in range(columns):
            if (blocks := starting.get((time, column))) is not None:
                busy[column] = max(block.until for block in blocks)
                spanned = sum(time <= each < busy[column] for each in times)
                found.append(Cell(tuple(blocks), column, rows=spanned))
            elif busy[column] <= time:
                found.append(Cell((), column))
        yield Instant(time, tuple(found))
