"""Text dumps that are laid out in columns of blanks, as extractors do that draw tables with them.

```
      11:00-12:00 Session 2A: Slicing             11:00-12:00 Session 2A: Slicing
               Anna Vell and B. Wexley            11:00
      11:00    Slicing at scale                   Anna Vell and B. Wexley
               PRESENTER: B. Wexley               Slicing at scale
               J. Spelt                           PRESENTER: B. Wexley
      11:30    Thin slices                        11:30
                                                  J. Spelt
                                                  Thin slices
```

The time stands in the middle of its row, or above it where the row has an even number of lines. The rows are put into
the order on the right, which ``text`` reads.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from parsers._contract import Document
from parsers._lines import Lines
from parsers._renditions import NewLine
from parsers.easychair.blocks import ABSTRACT
from parsers.easychair.people import is_affiliated_name, is_name
from parsers.easychair.relined import is_program, parse_relined
from schemas.items import Item

EXPECTS: Final = "a Smart Program as text in columns: the times of talks set in, beside their authors and titles"

_TIMED: Final = re.compile(r"(?P<indent> +)(?P<time>\d{1,2}:\d{2})(?P<gap> {2,}|\Z)")
_PRESENTER: Final = re.compile(r"(?:SPEAKER|PRESENTER):")
_POINTS: Final = ("* ", "• ")
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""


class _Way(NamedTuple):
    """One way to cut a table into rows, up to the row that begins at ``start``, and how good it is."""

    score: int
    start: int | None
    above: "_Way | None"


def recognise(document: Document) -> bool:
    """Say whether a time stands beside a column of text of equally long lines."""
    lines = document.lines
    last = min(lines.last, _LOOKED_AT)
    timed = (number for number in range(1, last + 1) if _TIMED.match(lines[number]))
    found = any(len(_find_table(lines, number, 1)) > 1 for number in timed)
    return found and is_program(document, _put_in_order(lines))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the page once its rows are put in order.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    return parse_relined(document, list(_put_in_order(document.lines)))


def _put_in_order(lines: Lines) -> Iterator[NewLine]:
    """Yield the lines with the time of each talk above its other lines."""
    done = 0
    for number in range(1, lines.last + 1):
        if number <= done or _TIMED.match(lines[number]) is None:
            continue
        table = _find_table(lines, number, done + 1)
        yield from (_as_printed(lines, each) for each in range(done + 1, table.start))
        yield from _read_table(lines, table)
        done = table.stop - 1
    yield from (_as_printed(lines, each) for each in range(done + 1, lines.last + 1))


def _as_printed(lines: Lines, number: int) -> NewLine:
    """Return a line that is in no table; a point of a list stays set in, which tells it from text."""
    text = lines[number].strip()
    return NewLine((number,), f" {text}" if text.startswith(_POINTS) else text) if text else NewLine()


def _find_table(lines: Lines, number: int, first: int) -> range:
    """Return the lines of the table in which a timed line stands, from ``first`` on: all are as long as that."""
    found = _TIMED.match(lines[number])
    width, margin = len(lines[number]), len(found["indent"] + found["time"]) if found is not None else 0

    def is_inside(other: int) -> bool:
        line = lines[other]
        return len(line) == width and (not line[:margin].strip() or _TIMED.match(line) is not None)

    start = stop = number
    while start > first and is_inside(start - 1):
        start -= 1
    while stop < lines.last and is_inside(stop + 1):
        stop += 1
    return range(start, stop + 1)


def _read_table(lines: Lines, table: range) -> Iterator[NewLine]:
    """Yield the lines of a table row by row; as they stand where its times are not in the middle of rows."""
    times = [number for number in table if _TIMED.match(lines[number])]
    starts = _find_rows(lines, table, times)
    if starts is None:
        yield from (_as_printed(lines, number) for number in table)
        return
    for time, start, stop in zip(times, starts, (*starts[1:], table.stop), strict=True):
        found = _TIMED.match(lines[time])
        yield NewLine((time,), found["time"] if found is not None else "")
        is_head = True  # blank lines can stand between authors and title
        for number in range(start, stop):
            text = _read_cell(lines, number)
            is_head = is_head and not text.startswith(ABSTRACT)
            if text or not is_head:
                yield NewLine((number,), text) if text else NewLine()


def _find_rows(lines: Lines, table: range, times: Sequence[int]) -> list[int] | None:
    """Return where each row begins, so that the time is in its middle; None where no such rows fill the table.

    Of several ways the one whose rows end best.
    """
    ways: dict[int, _Way] = {table.start: _Way(0, None, None)}
    for time in times:
        following: dict[int, _Way] = {}
        for start, way in ways.items():
            height = 2 * (time - start) + 1
            for stop in (start + height, start + height + 1) if height > 0 else ():
                better = _Way(way.score + _rate(lines, table, stop), start, way) if stop <= table.stop else None
                if better is not None and (stop not in following or better.score >= following[stop].score):
                    following[stop] = better
        ways = following
    found: list[int] = []
    last = ways.get(table.stop)
    while last is not None and last.start is not None:
        found.append(last.start)
        last = last.above
    return found[::-1] or None


def _rate(lines: Lines, table: range, stop: int) -> int:
    """Say how well a row ends above line ``stop``: a presenter and a blank line end a talk, an author does not."""
    last = _read_cell(lines, stop - 1)
    if stop < table.stop and not _read_cell(lines, stop):
        return -1  # the blank line below an abstract begins no row
    if not last or _PRESENTER.match(last):
        return 1
    return -1 if is_name(last) or is_affiliated_name(last) else 0


def _read_cell(lines: Lines, number: int) -> str:
    """Return the text beside the column of times."""
    found = _TIMED.match(lines[number])
    return lines[number][found.end() if found is not None else 0 :].strip()
