"""The programmes of 2014, 2015 and 2017, as HTML or as text, read by their layouts (``older_layouts``).

A page is cut at its days, times and session headings into slots, whose rows are read by the table of its layout. Times
printed only in a grid are joined to the sessions below it by their codes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from parsers._contract import Format
from parsers._grammar.builder import Block, SessionGroup, build
from parsers._grammar.renditions import unmarked
from parsers._grammar.states import LEFT_OUT, StateTable, Step
from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule
from parsers._words.years import Day
from parsers.cluster.by_date_text import WITH_LINKS
from parsers.cluster.forms import form_of, plain_form_of
from parsers.cluster.headings import TimeLine, are_slots, on_twelve_hours, read_day, read_session, read_time_line
from parsers.cluster.items import Edition, Outline, Placed, read_outline
from parsers.cluster.older_layouts import DOTTED, LAYOUTS, ROOM_BEHIND, Layout
from parsers.cluster.rows import LONGEST_NAME, Row, Rows, rows_of_text
from schemas.items import Item, Reject

_SLOT: Final = heading_rule("slot", 3)
_FEW: Final = 400
_LONGEST_HEADING: Final = 300
_LONGEST_ROW: Final = 5000
_LOOKED_AT: Final = 500_000
_MOST_ABOVE: Final = 2
_FOOT: Final = 3
_FIRST_HOUR: Final = 7
_DEAREST: Final = 1.0
"""The highest average price of a row: pages cost up to 0.3, other layouts 1.5 and more."""

_TITLE: Final = re.compile(r"<title[^<>]{0,200}>(?P<title>[^<>]{1,200})</title>", re.IGNORECASE)


@dataclass(slots=True)
class _Slot:
    """The part below a time or a heading: its first state in the grammar, its day, time, rows and blocks.

    ``references`` are rows with the time and code of a session that is listed below.
    """

    begin: str
    day: Day | None
    time: TimeLine | None = None
    head: Row | None = None
    rows: list[Row] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    references: list[tuple[str | None, Row]] = field(default_factory=list)


@dataclass(slots=True)
class _Cut:
    """A page cut at its days, times and headings; ``top`` holds the rows above the first of them."""

    top: list[Row] = field(default_factory=list)
    days: list[Row] = field(default_factory=list)
    slots: list[_Slot] = field(default_factory=list)


def recognise(layout: Layout, document: Document) -> bool:
    """True if a document has the sign of a layout, times of slots, and first rows that cost little by the grammar."""
    start = document.text[:_LOOKED_AT]
    if document.is_markup:
        # Pages with their own classes are read elsewhere.
        return _is_printed(layout.sign, start) and "program-session" not in start and "session-entry" not in start
    if layout.sign.search(start) is None:
        return False
    lines = [number for number, line in islice(document.lines.texts(), _FEW) if len(line) <= _LONGEST_ROW]
    cut = _cut(layout, list(rows_of_text((number, document.lines[number]) for number in lines)), None)
    _read(layout, cut.slots, None)
    return are_slots((slot.day, slot.time) for slot in cut.slots) and _is_read(cut.slots)


def _is_printed(sign: re.Pattern[str], markup: str) -> bool:
    """True if a sign is found outside of tags: attributes are full of numbers."""
    return any(markup.rfind("<", 0, at) <= markup.rfind(">", 0, at) for at in map(re.Match.end, sign.finditer(markup)))


def parse(layout: Layout, document: Document) -> Iterator[Item]:
    """Yield the records of a page in its order, with rejects for what could not be read."""
    rows = Rows(document)
    cut = _cut(layout, rows.all, _day_of_page(document) if layout.dotted else None)
    slots = cut.slots
    _read(layout, slots, rows)
    if not _is_read(slots):
        first = next((row.number for row in rows.all if row.number), 1)
        raise document.error(first, "declined", f"expected {layout.expects}; most lines here are something else")
    taken = [block.source for slot in slots for block, step in zip(slot.blocks, slot.steps, strict=True) if step.state]
    first_row = cut.days[0] if cut.days and not cut.top else slots[0].head or slots[0].rows[0]
    rows.keep_content(first_row, taken[-1])
    masthead = rows.masthead(cut.top)
    days = list(dict.fromkeys(slot.day for slot in slots if slot.day))
    used = {(day.month, day.day) for day in days}
    outline = Outline(
        ledger=rows,
        masthead=masthead,
        days=days,
        headings=[(rows.whole(row), day) for row in cut.days if (day := _day_of(row)) and (day.month, day.day) in used],
        times=[(rows.whole(slot.head), slot.time) for slot in slots if slot.head and slot.time],
        texts=[*masthead.lines, *(block.text for slot in slots for block in slot.blocks)],
    )
    for slot in slots:
        for _, row in slot.references:
            rows.claim(rows.whole(row), _SLOT)
    yield from read_outline(document, outline, partial(_placed, layout, slots, rows))
    rows.settle()


def _cut(layout: Layout, rows: Sequence[Row], day: Day | None) -> _Cut:
    """Cut a page at its days, times and headings; ``day`` is that of the whole page, whatever days its menu names."""
    cut = _Cut()
    named = day is not None
    slot: _Slot | None = None
    above: TimeLine | None = None
    between = 0
    for row in rows:
        between += 1
        short = len(row.text) <= _LONGEST_HEADING
        if short and layout.timed and not row.bullet and (printed := _day_of(row)):
            day, slot = (day if named and not cut.slots else replace(printed, line=row.number or 0)), None
            cut.days.append(row)
            above, between = None, 0
        elif short and layout.timed and (time := _time_of(layout, row)):
            if layout.dotted and not named and not cut.slots and between > _MOST_ABOVE:
                day = None  # the day on which the page was made, or an entry of a menu
            if _is_earlier(time, above):
                day = None  # the next day, whose heading was lost
            slot, above = _Slot("begin", day, time, row), time
            cut.slots.append(slot)
        elif short and slot is not None and slot.begin == "begin" and form_of(row.text) == "CLK":
            slot = _Slot("begin", day, None, None, [row])  # the slot above has ended, whatever this time is
            cut.slots.append(slot)
        elif short and layout.heading and layout.heading(row.text) and not row.in_cell:
            slot = _Slot("section", day, None, None, [row])
            cut.slots.append(slot)
        elif slot is not None:
            slot.rows.append(row)
        elif not cut.slots:
            cut.top.append(row)
    return cut


def _is_earlier(time: TimeLine, above: TimeLine | None) -> bool:
    """True if a time is earlier than the one above and must be on the next day; before 7 it may be in the afternoon."""
    if time.starts is None or above is None or above.starts is None:
        return False
    return time.starts.hour >= _FIRST_HOUR and time.starts < above.starts


def _day_of(row: Row) -> Day | None:
    """Return the day that makes up a whole row."""
    return read_day(row.text) if len(row.text) <= LONGEST_NAME else None


def _time_of(layout: Layout, row: Row) -> TimeLine | None:
    """Return the time that makes up a whole row, or that has a room glued to it."""
    if not row.text[0].isdigit():
        return None
    if layout.dotted:
        found = DOTTED.fullmatch(row.text)
        return read_time_line(found["time"].replace(".", ":")) if found else None
    time = read_time_line(row.text) if len(row.text) <= LONGEST_NAME else None
    return time if time and time.title is None and time.code is None else None


def _day_of_page(document: Document) -> Day | None:
    """Return the day in the title or the address of a page: a menu above the programme may name other days too."""
    title = _TITLE.search(document.text[:_LOOKED_AT]) if document.is_markup else None
    parts = re.split(r"\s+[-–|]\s+", title["title"].strip()) if title else []
    for address in (document.facts.url or "", document.path):
        parts.append(PurePosixPath(address.rstrip("/")).stem.replace("-", " ").replace("_", " "))
    return next((day for text in parts if len(text) <= LONGEST_NAME and (day := read_day(text.strip()))), None)


def _read(layout: Layout, slots: Sequence[_Slot], rows: Rows | None) -> None:
    """Read the rows of each slot by the grammar; a grid's references to sessions listed below are kept apart."""
    titles = [ROOM_BEHIND.fullmatch(slot.rows[0].text) for slot in slots if slot.begin == "section"]
    listed = {(heading := read_session(found["heading"])).code: heading.title for found in titles if found}
    grid = Counter(row.text for slot in slots if slot.begin == "begin" for row in slot.rows)
    for slot in slots:
        make = rows.block if rows else lambda row, form, text: Block(text, form, row.number, row.last, row)
        if layout.dotted:
            slot.blocks = list(_blocks_2014(layout, slot, make))
        else:
            kept = slot.rows if slot.begin == "section" else _without_references(slot, listed, grid)
            slot.blocks = [make(row, *piece) for row in kept for piece in layout.pieces(row, slot.begin)]
        slot.steps = _read_slot(layout, slot)
    if slots:
        last = slots[-1]
        last.blocks = last.blocks[: _foot_of(layout, last)]
        last.steps = _read_slot(layout, last)


def _foot_of(layout: Layout, slot: _Slot) -> int:
    """Return where the foot of the page begins in its last slot: where all the next rows would be left out."""
    prices = _table_of(layout, slot).prices([block.form for block in slot.blocks], slot.begin)
    last = len(slot.blocks)
    for place in range(1, last):
        end = min(place + _FOOT, last)
        if prices[end] - prices[place] >= LEFT_OUT * (end - place):
            return place
    return last


def _read_slot(layout: Layout, slot: _Slot) -> list[Step]:
    """Read the blocks of a slot."""
    return _table_of(layout, slot).read([block.form for block in slot.blocks], slot.begin)


def _table_of(layout: Layout, slot: _Slot) -> StateTable:
    """Return the grammar of a slot: if some talks have marks or numbers, all do."""
    marked = any(block.form in {"NUB", "BUL"} for block in slot.blocks)
    return layout.listed if layout.listed is not None and marked else layout.table


def _blocks_2014(layout: Layout, slot: _Slot, make: Callable[[Row, str, str], Block]) -> Iterator[Block]:
    """Yield the blocks of a slot of the timetable: its room shares the cell of its time, if cells are known."""
    room = None
    head = DOTTED.fullmatch(slot.head.text) if slot.head else None
    if slot.head and head and head["room"]:
        room = head["room"]
        yield make(slot.head, "PLC", room)
    beside = next((place for place, row in enumerate(slot.rows) if row.begins), 0)
    for place, row in enumerate(slot.rows):
        if place < beside <= _MOST_ABOVE and room is None:
            room = row.text
            yield make(row, "PLC", room)
            continue
        pieces = list(layout.pieces(row, slot.begin))
        if room is None and place == 0 and pieces[0][0] == "ROO":
            room = row.text
        for form, text in pieces:
            again = room is not None and text != room and text.startswith(f"{room} ")
            yield make(row, form, text.removeprefix(f"{room} ") if again else text)


def _without_references(slot: _Slot, listed: Mapping[str | None, str | None], grid: Mapping[str, int]) -> list[Row]:
    """Return the items of a grid's slot: no references to sessions below, no repeated rows except breaks and such."""
    kept: list[Row] = []
    pending: str | None = None
    for row in slot.rows:
        heading = read_session(row.text)
        if heading.code is not None and heading.code in listed:
            slot.references.append((heading.code, row))
            pending = listed[heading.code] if heading.title is None else None  # a cell may break after the code
        elif row.text == pending:
            slot.references.append((None, row))
        elif (heading.code is not None and len(listed) > 1) or row.text in listed.values():
            continue  # a session that lost its heading or its time
        elif grid[row.text] == 1 or plain_form_of(row.text) in {"ITM", "CER"}:
            kept.append(row)
    return kept


def _is_read(slots: Sequence[_Slot]) -> bool:
    """True if the slots fit the grammar, by their price."""
    steps = [step for slot in slots for step in _without_strays(slot)]
    taken = sum(step.state is not None for step in steps)
    return taken > 1 and sum(step.price for step in steps) <= _DEAREST * len(steps)


def _without_strays(slot: _Slot) -> Sequence[Step]:
    """Return the steps of a slot up to the last row that was used; below is the foot of the page."""
    last = max((place for place, step in enumerate(slot.steps) if step.state), default=-1)
    return slot.steps[: last + 1] if last >= 0 else slot.steps


def _placed(layout: Layout, slots: Sequence[_Slot], rows: Rows, edition: Edition) -> Iterator[Placed]:
    """Yield the contents of the slots; a session without a time takes that of the grid."""
    for day, time, part in _timed(layout, slots, rows):
        moment = edition.moment(day, time)
        if day is None:
            moment = replace(moment, notes=edition.notes)
        elif moment.day is not None and time.starts is None and not time.impossible:
            moment = replace(moment, notes=(*moment.notes, "time_unread"))
        yield moment, part


def _timed(
    layout: Layout, slots: Sequence[_Slot], rows: Rows
) -> Iterator[tuple[Day | None, TimeLine, SessionGroup | Reject]]:
    """Yield the contents of the slots with day and time."""
    times = on_twelve_hours((slot.day, slot.time) for slot in slots)
    grid = [
        (code, slot.day, _with_span(place, row, slots, times))
        for place, slot in enumerate(slots)
        for code, row in slot.references
        if code is not None
    ]
    for place, slot in enumerate(slots):
        # Rows left out below a title are talks that were not understood: the title alone is not an item. A section
        # may have a few stray rows.
        unread = sum(step.state is None for step in slot.steps)
        holey = bool(unread) if layout.dotted else slot.begin == "section" and 2 * unread > len(slot.steps)
        for part in build(slot.blocks, slot.steps, rows):
            day, time = slot.day, times[place] or TimeLine(None)
            if holey and isinstance(part, SessionGroup) and not part.talks:
                yield day, time, rows.reject(part.own, "ambiguous", "expected talks, or nothing, below this title")
                continue
            if isinstance(part, SessionGroup) and (titles := part.of("title")):
                if slot.begin == "section":
                    code = read_session(titles[0].text).code
                    found = [(on, at) for each, on, at in grid if each == code is not None]
                    own = [(on, at) for on, at in found if on is slot.day or len(found) == 1]
                    day, time = own[0] if len(own) == 1 else (None, time)
                elif not layout.dotted:
                    time = _with_span(place, titles[0].source, slots, times)
            yield day, time, part


def _with_span(place: int, row: Row, slots: Sequence[_Slot], times: Sequence[TimeLine | None]) -> TimeLine:
    """Return the time of a cell of a grid: a cell that spans several rows ends with the last of them."""
    time, head = times[place] or TimeLine(None), slots[place].head
    if row.cell is None or head is None or head.cell is None:
        return time
    spans = [int(span) if (span := cell.get("rowspan") or "1").isdigit() else 1 for cell in (row.cell, head.cell)]
    end = place + spans[0] - spans[1]
    if place < end < len(slots) and slots[end].day is slots[place].day and (last := times[end]) and last.ends:
        return replace(time, ends=last.ends)
    return time


FORMATS: Final = tuple(
    Format(layout.name, layout.expects, partial(recognise, layout), partial(parse, layout)) for layout in LAYOUTS
)


def _is_marked(document: Document) -> bool:
    """True if a document is Markdown of one of these layouts."""
    renewed = document.once(unmarked)
    return renewed is not None and any(format_.recognise(renewed.document) for format_ in FORMATS)


def _refuse(document: Document) -> Iterator[Item]:
    """Refuse the text. Raises ``DumpError`` (declined)."""
    raise document.error(
        document.lines.first_text_line, "declined", f"expected text without Markdown marks and links: {WITH_LINKS}"
    )
    yield


MARKED: Final = Format(
    "marked_text", "Markdown of programmes of 2014 to 2017, which is refused", _is_marked, _refuse, refuses=True
)
