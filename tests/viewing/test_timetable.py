"""The timetable of a programme: blocks, cells, parts of a day, rooms. Times are hours since 3 August 2026, 0:00."""

from collections import Counter
from datetime import date, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.viewing.selection import Row
from pipeline.viewing.timetable import Grid, Timetable, TimetableBlock, make_timetable
from tests.export.shelf import record, slot

NUMBERS = count(1)


def at(hours: float) -> datetime:
    """Return a time by hours since midnight of the first day."""
    return datetime(2026, 8, 3) + timedelta(hours=hours)


def item(title: str, start: float | None, end: float | None = None, room: str | None = None, **fields: Any) -> Row:
    """Make a record with one slot, further down the page than the ones before."""
    slots = [slot(None if start is None else at(start), None if end is None else at(end), room)]
    return record(f"{title}-{next(NUMBERS)}", title=title, slots=slots, line_start=next(NUMBERS), **fields)


def name(block: TimetableBlock) -> str:
    """Return the title of a block; for a session its title and number of talks."""
    session = block.row["session_title"]
    return f"{session} ({len(block.talks)})" if session else str(block.row["title"])


def drawn(grid: Grid) -> list[str]:
    """Return a grid as lines: time, then the cells that begin, with columns and rows that they span; ``.`` is free."""
    lines = []
    for row in grid.rows:
        cells = []
        for cell in row.cells:
            span = "".join([f"|{cell.columns}" * (cell.columns > 1), f"/{cell.rows}" * (cell.rows > 1)])
            cells.append(("+".join(map(name, cell.blocks)) or ".") + span)
        lines.append(f"{row.time:%H:%M} {' '.join(cells)}")
    return lines


def grids(*rows: Row) -> list[list[str]]:
    """Return the grids of the first day as lines, each after its columns."""
    (day, *_) = make_timetable(rows).days
    return [[" ".join([*grid.rooms, *["?"] * grid.lanes]), *drawn(grid)] for grid in day.grids]


def test_a_session_of_several_tracks() -> None:
    """A session is one block whatever the tracks of its talks, with its questions half an hour later."""
    grass = {"session_title": "Grass"}
    rows = [
        item("A", 9, 9.2, track="Research", **grass),
        item("B", 9.2, 9.4, track="Journal", **grass),
        item("Q&A", 9.9, 10.2, **grass),
        item("C", 9, 10.2, session_title="Trees"),
    ]
    assert grids(*rows) == [["? ?", "09:00 Grass (3) Trees (1)"]]
    (day,) = make_timetable(rows).days
    assert [cell.blocks[0].tracks for cell in day.grids[0].rows[0].cells] == [["Research", "Journal"], []]


def test_sessions_of_one_title_at_one_time() -> None:
    """Talks of two tracks that run at one time are of two sessions; those that only have the time of theirs are not."""
    opening = {"session_title": "Opening"}
    assert grids(item("A", 9, 10, track="1", **opening), item("B", 9, 10, track="2", **opening)) == [
        ["? ?", "09:00 Opening (1) Opening (1)"]
    ]
    posters: dict[str, Any] = {"session_title": "Posters", "notes": ["time_is_session"]}
    assert grids(item("A", 9, 10, track="1", **posters), item("B", 9, 10, track="2", **posters)) == [
        ["", "09:00 Posters (2)"]
    ]


def test_what_is_shown_again() -> None:
    """What was shown half a day before is a repeat; what goes on after a break is not."""
    slots = [slot(at(9), at(10)), slot(at(11), at(12)), slot(at(21), at(22))]
    twice = record("a", title="A", slots=slots, session_title="Grass")
    (day,) = make_timetable([twice]).days
    blocks = [block for grid in day.grids for row in grid.rows for cell in row.cells for block in cell.blocks]
    assert [block.is_repeat for block in blocks] == [False, False, True]


def test_rows_are_starts() -> None:
    """A row is a start: longer items span rows, idle rooms have a free cell, and an item alone spans all rooms."""
    assert grids(
        item("Opening", 8, 9, "Hall"),
        item("A", 9, 10, "Hall"),
        item("B", 9, 11, "Bar"),
        item("C", 10, 11, "Hall"),
        item("D", 10.5, 11, "Yard"),
        item("Lunch", 11, 12),
    ) == [
        [
            "Hall Bar Yard",
            "08:00 Opening|3",
            "09:00 A B/3 .",
            "10:00 C/2 .",
            "10:30 D",
            "11:00 Lunch|3",
        ]
    ]


def test_a_session_is_a_block() -> None:
    """Talks of a session in a room share one cell; talks at the same time are in page order."""
    in_grass, in_oats = {"session_title": "Grass"}, {"session_title": "Oats"}
    rows = [item(title, 9, 10, "Hall", **in_grass) for title in ("One", "Two")]
    rows += [item("Three", 9, 9.5, "Bar", **in_oats), item("Four", 9.5, 10, "Bar", **in_oats)]
    assert grids(*rows) == [["Hall Bar", "09:00 Grass (2) Oats (2)"]]
    (grid,) = make_timetable(rows).days[0].grids
    assert [talk.row["title"] for talk in grid.rows[0].cells[0].blocks[0].talks] == ["One", "Two"]


@pytest.mark.parametrize(
    ("between", "blocks"),
    [
        ([], ["Grass (2)"]),
        ([item("Coffee", 10, 10.5, kind="break")], ["Grass (1)", "Coffee", "Grass (1)"]),
        ([item("Talk", 10, 10.5, "Hall")], ["Grass (1)", "Talk", "Grass (1)"]),
        ([item("Talk", 10, 10.5, "Bar")], ["Grass (2)"]),
        ([item("Meeting", 10, 10.5)], ["Grass (2)"]),
    ],
)
def test_a_block_is_cut_by_another_item(between: list[Row], blocks: list[str]) -> None:
    """A session is split by an item in its room or by a break, but not by items elsewhere."""
    session = [item("One", 9, 10, "Hall", session_title="Grass"), item("Two", 10.5, 11, "Hall", session_title="Grass")]
    (day,) = make_timetable([*session, *between]).days
    found = [name(block) for grid in day.grids for row in grid.rows for cell in row.cells for block in cell.blocks]
    assert [each for each in found if each in {*blocks}] == blocks


@pytest.mark.parametrize(("gap", "blocks"), [(0.98, 1), (1, 2)])
def test_a_block_is_cut_by_an_hour(gap: float, blocks: int) -> None:
    """A gap of an hour splits a session; a shorter one does not."""
    rows = [item("One", 9, 10, session_title="Grass"), item("Two", 10 + gap, 12, session_title="Grass")]
    (grid,) = make_timetable(rows).days[0].grids
    assert len(grid.rows) == blocks


def test_what_overlaps_in_a_room_is_one_cell() -> None:
    """Items that overlap in a room share one cell, since a room has one column."""
    assert grids(item("A", 9, 10, "Hall"), item("B", 9.5, 10.5, "Hall"), item("C", 9, 11, "Bar")) == [
        ["Hall Bar", "09:00 A+B C"]
    ]


def test_what_has_no_room_stands_in_lanes() -> None:
    """Items without a room get lanes beside the rooms; a lane is reused once free."""
    assert grids(item("A", 9, 10), item("B", 9, 11), item("C", 10, 11), item("D", 9, 11, "Hall")) == [
        ["Hall ? ?", "09:00 D/2 A B/2", "10:00 C"]
    ]


def test_sessions_without_rooms_stand_apart_from_rooms() -> None:
    """They get a grid of their own: beside nine rooms their lanes would be off the screen."""
    found = grids(item("A", 9, 10, "Hall"), item("B", 9, 10, "Bar"), item("C", 10, 11), item("D", 10, 11))
    assert found == [["Hall Bar", "09:00 A B"], ["? ?", "10:00 C D"]]


@pytest.mark.parametrize(
    ("morning", "evening", "number"),
    [("ABC", "DEF", 1), ("ABCD", "DEFG", 2), ("ABCDEFGH", "BC", 1), ("BC", "ABCDEFGH", 1)],
)
def test_parts_share_a_grid(morning: str, evening: str, number: int) -> None:
    """Parts of a day share a grid if the rooms of one include those of the other, or if there are six at most."""
    rows = [item("x", start, start + 1, room) for start, rooms in ((9, morning), (12, evening)) for room in rooms]
    assert len(grids(*rows)) == number


def test_what_lasts_all_day_stands_above() -> None:
    """An item of over half the day stands above the grid, unless it is a session or the only item."""
    rows = [item("Desk", 8, 17, "Foyer"), item("A", 9, 10, "Hall"), item("B", 15, 16, "Bar")]
    (day,) = make_timetable(rows).days
    assert ([name(block) for block in day.above], [drawn(grid) for grid in day.grids]) == (
        ["Desk"],
        [["09:00 A", "15:00 B"]],
    )
    assert make_timetable([item("Desk", 8, 17)]).days[0].above == ()
    long = [item(title, 8, 17, "Foyer", session_title="S") for title in "AB"]
    assert make_timetable([*long, *rows[1:]]).days[0].above == ()


def test_no_end() -> None:
    """Without an end, or with one before its start, an item lasts until the next start."""
    rows = [item("A", 9, None, "Hall"), item("B", 9.5, 9.25, "Bar"), item("C", 9.75, 10, "Hall"), item("D", 11)]
    assert grids(*rows) == [["", "09:00 A", "09:30 B", "09:45 C", "11:00 D"]]
    blocks = [row.cells[0].blocks[0] for row in make_timetable(rows).days[0].grids[0].rows]
    assert [(block.end, block.until) for block in blocks] == [
        (None, at(9.5)),
        (None, at(9.75)),
        (at(10), at(10)),
        (None, at(11) + timedelta(minutes=1)),
    ]


def test_the_small_hours_belong_to_the_evening() -> None:
    """An item before five in the morning belongs to the day before."""
    days = make_timetable([item("A", 23), item("B", 28.9), item("C", 29)]).days
    assert [(day.date, len(day.grids[0].rows)) for day in days] == [(date(2026, 8, 3), 2), (date(2026, 8, 4), 1)]


def test_what_has_no_time_is_a_list_by_session() -> None:
    """Items without a time are listed in page order, one list for each run of a session."""
    named: dict[str, Any] = {"session_title": "S"}
    rows = [item("A", None, **named), item("B", None, **named), item("C", None), item("D", None, **named)]
    found = make_timetable(rows[::-1]).untimed
    assert [[row["title"] for row in session] for session in found] == [["A", "B"], ["C"], ["D"]]


def test_the_order_of_rooms() -> None:
    """Rooms are in order of first use; rooms of one name are grouped and sorted by number."""
    rows = [item("A", 9, 10, "Main Hall"), item("B", 10, 11, "Room 406"), item("C", 10, 11, "Room 401")]
    rows += [item("D", 33, 34, "Aula"), item("E", 33, 34, "Room 1402"), item("F", 33, 34, "Room 99")]
    assert make_timetable(rows).rooms == ("Main Hall", "Room 99", "Room 401", "Room 406", "Room 1402", "Aula")


def test_a_day_and_a_room() -> None:
    """Only that day or room is shown; rooms match in any case, and untimed items are on no day."""
    rows = [item("A", 9, 10, "Hall"), item("B", 9, 10, "Bar"), item("C", 33, 34, "Hall"), item("D", None)]
    assert titles(make_timetable(rows, room="HALL")) == ["A", "C"]
    assert titles(make_timetable(rows, day=date(2026, 8, 4))) == ["C"]
    assert titles(make_timetable(rows, day=date(2026, 8, 5))) == []


def titles(timetable: Timetable) -> list[str]:
    """Return the titles of the talks of a timetable."""
    cells = (cell for day in timetable.days for grid in day.grids for row in grid.rows for cell in row.cells)
    return [talk.row["title"] for cell in cells for block in cell.blocks for talk in block.talks]


TIMES = st.integers(min_value=0, max_value=60).map(lambda quarters: 8 + quarters / 4)
ITEMS = st.builds(
    item,
    st.just("x"),
    TIMES,
    st.none() | TIMES,
    st.none() | st.sampled_from([f"Room {number}" for number in range(40)]),
    session_title=st.none() | st.sampled_from(["Grass", "Oats"]),
    kind=st.sampled_from(["paper", "break"]),
)


@given(st.lists(ITEMS, min_size=1, max_size=25))
def test_every_slot_once_every_row_full_time_in_order(rows: list[Row]) -> None:
    """For any programme each slot is shown once, each row is full, and rows are in time order."""
    seen = Counter[str]()
    for day in make_timetable(rows).days:
        seen.update(talk.row["record_id"] for block in day.above for talk in block.talks)
        times = [row.time for grid in day.grids for row in grid.rows]
        assert times == sorted(times)
        for grid in day.grids:
            left = [0] * grid.columns  # rows that the cell above still spans
            for row in grid.rows:
                for cell in row.cells:
                    taken = range(cell.column, cell.column + cell.columns)
                    assert [left[column] for column in taken] == [0] * cell.columns
                    for column in taken:
                        left[column] = cell.rows
                    seen.update(talk.row["record_id"] for block in cell.blocks for talk in block.talks)
                    starts = [block.start for block in cell.blocks]
                    assert starts == sorted(starts)
                    assert starts[:1] in ([], [row.time])
                assert min(left) > 0
                left = [number - 1 for number in left]
            assert left == [0] * grid.columns
    assert seen == Counter(row["record_id"] for row in rows)
