"""What the heads of a grid say of its cells, and when something is by its values.

A cell over several days is on each of them; one over several times is from the first to the last. What else its heads
say holds if they say one thing: a cell over two rooms is in neither, and one across a track whose columns others part,
such as a lunch, is in no track. Where cells are does not belong here (``grids``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple

from lxml import etree

from parsers._ledger.elements import text_of
from parsers._tables.readers import clocks_of
from parsers._tables.table import Match
from parsers._words.dates import HALF, later
from parsers._words.years import Day

_TIMES: Final = ("times", "starts", "ends", "duration")
_WHERE: Final = ("day", "room", *_TIMES)
_TELLING_CLOCK: Final = re.compile(rf"{HALF.pattern}|(?<![:.h\d])00[:.h]|\b(?:1[3-9]|2\d)[:.h]\d", re.IGNORECASE)
"""Times of which it is known whether they are in the afternoon."""
_MORNING: Final = time(7)
_EVENING: Final = time(20)
_INFERRED: Final = "end_inferred"


class Times(NamedTuple):
    """When something is: its day, if it prints one, and its times of day."""

    day: Day | None = None
    starts: time | None = None
    ends: time | None = None


def times_of(values: Mapping[str, Any]) -> Times:
    """Return the times among the values of an element: of an interval, or of its ends, or of a start and a duration."""
    starts, ends = clocks_of(values)
    day = values.get("day")
    if isinstance(starts, datetime):
        day = day or Day(0, starts.month, starts.day, None, starts.year)
        starts = starts.time()
    ends = ends.time() if isinstance(ends, datetime) else ends
    if ends is None and starts is not None and (lasts := values.get("duration")):
        ends = (datetime.combine(date.min, starts) + lasts).time()
    return Times(day, starts, ends)


def fill_cells(matches: Sequence[Match], is_talk: Callable[[Match], bool]) -> None:
    """Give the cells of grids, and what stands in them, the values of their heads that it does not print itself.

    A talk has the times of its cell only if it is alone there, and no other cell shares them: else they are those of
    its session. The heads are read as the clock of a day first: 1:30 below 12:00 is in the afternoon.
    """
    _set_afternoons(matches)
    held: dict[Match, list[Match]] = {}
    for each in matches:
        if each.inside is not None and each.inside.grid_cell is not None:
            held.setdefault(each.inside, []).append(each)
    for cell, inside in held.items():
        is_shared = _fill(cell)
        for each in inside:
            has_times = is_talk(each) and (is_shared or len(inside) > 1)
            has_times = has_times or times_of(each.values).starts is not None
            known = {*_TIMES, _INFERRED} if has_times else set[str]()
            known |= {"days"} if each["day"] else set()
            each.values |= {
                name: value for name, value in cell.values.items() if name not in known and each[name] is None
            }


def odd_cells(matches: Iterable[Match]) -> Iterator[str]:
    """Yield a sentence for cells that may be at another place than meant, and for heads that are in no table."""
    cells = [each.inside for each in matches if each.inside is not None and each.inside.grid_cell is not None]
    odd = [each for each in cells if each.grid_cell is not None and each.grid_cell.cell.is_odd]
    if odd:
        count, all_of_them = (len({each.element for each in several}) for several in (odd, cells))
        yield (
            f"{count} of {all_of_them} cells are in rows with more or fewer columns than have heads, or overlap; the "
            f"first one in line {odd[0].lines[0]}"
        )
    if lost := [each for each in matches if each.table.heads and each.grid is None]:
        yield f"{len(lost)} heads of {lost[0].table.heads} are in no table: {lost[0].table.selector.css!r}"


def _set_afternoons(matches: Iterable[Match]) -> None:
    """Set the times of heads of rows on a clock of twelve hours that prints no am or pm: 1:30 is after 12:00."""
    heads: dict[etree._Element, list[Match]] = {}
    for each in matches:
        if each.grid is not None:
            heads.setdefault(each.grid, []).append(each)
    for several in heads.values():
        timed = [each for each in several if each.table.heads == "rows" and times_of(each.values).starts is not None]
        if not any(_TELLING_CLOCK.search(text_of(each.element)) for each in timed):
            _go_on(several)


def _go_on(heads: Iterable[Match]) -> None:
    """Set the times of the heads of a table with such a clock.

    Below a head of columns that is a day they cannot go back; elsewhere the next row may be of the next day, which
    begins at seven or later.
    """
    before, earliest = time.max, _MORNING
    for each in heads:
        day, starts, ends = times_of(each.values)
        if day is not None:
            before, earliest = time.max, time(12) if each.table.heads == "columns" else _MORNING
        if each.table.heads == "rows" and starts is not None:
            starts = later(starts) if starts < before < _EVENING and starts < earliest else starts
            ends = later(ends) if ends is not None and ends <= starts else ends
            each.values["times"] = (starts, ends)
            before = starts


def _fill(cell: Match) -> bool:
    """Give a cell the values of its heads; True if the head with its times is that of other cells, too."""
    place = cell.grid_cell
    assert place is not None  # noqa: S101  # only such cells are filled
    is_shared = False
    for tracks, behind in ((place.columns, place.beside), (place.rows, place.below)):
        found = [_joint(heads, place.crossed) for heads in tracks]
        cell.values |= _common(found)
        if times := _times(found, _joint(behind), cell):
            cell.values["times"] = times
            is_shared = any(times_of(head.values).starts for head in place.shared)
    return is_shared


def _joint(heads: Sequence[Match], crossed: Collection[Match] = ()) -> dict[str, Any]:
    """Return the values of some heads; those of nearer ones count first.

    What reaches across a head is when and where it says, but no part of its track or session.
    """
    return {
        name: value
        for head in heads
        for name, value in head.values.items()
        if value and (name in _WHERE or head not in crossed)
    }


def _common(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what all rows or columns of a cell say; its days are the first one, and all of them."""
    values: dict[str, Any] = {}
    for name in dict.fromkeys(name for each in found for name in each if name not in _TIMES):
        several = list(dict.fromkeys(each.get(name) for each in found))
        if name == "day":
            days = [day for day in several if day is not None]
            values |= {"day": days[0], "days": tuple(days)}
        elif len(several) == 1:
            values[name] = several[0]
    return values


def _times(
    found: Sequence[Mapping[str, Any]], behind: Mapping[str, Any], cell: Match
) -> tuple[time, time | None] | None:
    """Return the times of a cell, from the first of its rows to the last, or to the beginning of the one behind it."""
    first, last, after = times_of(found[0]), times_of(found[-1]), times_of(behind).starts
    if first.starts is None:
        return None
    if last.starts is not None and last.ends is None and after is not None and after > last.starts:
        cell.values[_INFERRED] = True
        return first.starts, after
    return first.starts, last.ends
