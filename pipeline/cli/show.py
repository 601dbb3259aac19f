"""The commands ``show`` and ``search``: programmes, listings and records, as people read them. To an exit code."""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import groupby
from shlex import quote
from shutil import get_terminal_size
from typing import Final

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pipeline.base.escape import in_one_line
from pipeline.base.settings import UsageError
from pipeline.base.suggest import ask_for, check_names, closest
from pipeline.cli.console import out, out_json, print_table, say
from pipeline.cli.dataset import blocks_of, published
from pipeline.config import roots_given
from pipeline.viewing.programmes import Listing, Programme, listed_rows, listings_of, programmes_of, rows_of
from pipeline.viewing.search import search as find
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import heading_of, label_of, name_of, names_of, people
from pipeline.viewing.timetable import Grid, Instant, Timetable, TimetableBlock, make_timetable, page_order
from pipeline.viewing.works import also_on
from schemas.vocabulary import KINDS

NARROWEST: Final = 24
"""Characters that a room takes at least where rooms stand side by side."""
CLOCK: Final = 5
"""Characters of a time."""
TIME: Final = 11
"""Characters of times from and to."""
MOST: Final = 20
"""Number of records that ``search`` prints."""
FOLDED: Final = 8
"""Number of talks of a session above which a programme prints only their number, unless asked for a day or room."""


def show(options: argparse.Namespace) -> int:
    """Print a programme, a listing, a record or, with nothing named, what there is: 0, or 1 if nothing is published."""
    snapshot = published(options)
    if snapshot is None:
        return 1
    every = Selection(snapshot)
    every.verify_files()
    check_names("no such kind", [options.kind] if options.kind else (), KINDS)
    chosen = replace(every, kind=options.kind, track=options.track, words=options.words)
    if options.what is None:
        _show_all(programmes_of(chosen), listings_of(chosen), as_json=options.json)
        return 0
    what, programmes = options.what, programmes_of(every)
    if named := _named(programmes, what):
        for programme in named:
            _show_programme(chosen, programme, options)
        return 0
    if listing := next((each for each in listings_of(every) if each.source == what), None):
        _show_listing(chosen, listing, options)
        return 0
    roots = roots_given(os.environ, options.raw, options.out, options.config)
    found = _ids_of(every, what)
    if len(found) == 1:
        (row,) = replace(every, only=frozenset(found)).rows()
        _show_record(row, also_on(snapshot, row["record_id"]), roots, as_json=options.json)
        return 0
    known = [each.name for each in programmes] + sorted(blocks_of(snapshot, ()))
    meant = ask_for(found[:MOST] or closest(what, dict.fromkeys(known)))
    words = quote(re.sub(r"[\W_]+", " ", what.rpartition(":")[2]).strip() or what)
    raise UsageError(f"no such event, source or record: {what}{meant}\nnext: conspectus search {words} {roots}")


def search(options: argparse.Namespace) -> int:
    """Print the records in which every word occurs: 0, or 1 if there are none or nothing is published."""
    snapshot = published(options)
    if snapshot is None:
        return 1
    check_names("no such kind", [options.kind] if options.kind else (), KINDS)
    if options.source is not None:
        check_names("not published", [options.source], Selection(snapshot).sources())
    words = tuple(word for text in options.words for word in text.split())
    selection = Selection(snapshot, options.source, kind=options.kind, track=options.track, words=words)
    selection.verify_files()
    rows, count = find(selection, MOST if not options.json else 1 << 31)
    for row in rows:
        if options.json:
            _print_json(row)
        else:
            day = row["starts_at"] or row["listed_on"] or row["published_on"]
            out(f"{day:%Y-%m-%d}  {label_of(row)}" if day else f"{'':12}{label_of(row)}")
            details = (names_of(row), row["event"] or row["source"], row["record_id"])
            out(f"{'':12}{'; '.join(filter(None, details))}")
    if count > len(rows):
        say(f"{count} records match; these are the first {len(rows)} (--json prints all)")
    if not count:
        say("no record matches")
    return 0 if count else 1


def _ids_of(selection: Selection, what: str) -> list[str]:
    """Return the ids of the records that have an id, without their source too, an arXiv id or a DOI."""
    named = pl.col("record_id").str.split_exact(":", 1).struct.field("field_1")
    wanted = pl.any_horizontal(column == what for column in (named, pl.col("record_id", "arxiv_id", "doi")))
    found = [selection.scan(source).filter(wanted).select("record_id").collect() for source in selection.sources()]
    return sorted(pl.concat(found)["record_id"]) if found else []


def _named(programmes: Sequence[Programme], what: str) -> list[Programme]:
    """Return the programmes of an event, in any case; else those of a source; else those whose names hold the text."""
    folded = what.casefold()
    ways = (
        [each for each in programmes if each.name.casefold() == folded],
        [each for each in programmes if each.source == what],
        [each for each in programmes if folded in each.name.casefold()],
    )
    return next(filter(None, ways), [])


def _show_all(programmes: Sequence[Programme], listings: Sequence[Listing], *, as_json: bool) -> None:
    """Print the programmes and listings."""
    if as_json:
        keys = ("source", "event", "page", "records", "begins", "ends")
        found = [[getattr(each, key, None) for key in keys] for each in (*programmes, *listings)]
        out_json([{key: _plain(value) for key, value in zip(keys, each, strict=True)} for each in found])
        return
    rows = [(each.name, each.source, _days(each), str(each.records)) for each in programmes]
    rows += [("(listing)", each.source, _days(each), str(each.records)) for each in listings]
    print_table(("event", "source", "days", "records"), rows)
    say("show EVENT or SOURCE prints one of them, show RECORD_ID a record")


def _days(what: Programme | Listing) -> str:
    """Return the days of a programme or listing."""
    if what.begins is None or what.ends is None:
        return "no times"
    return f"{what.begins}" + (f" to {what.ends}" if what.ends != what.begins else "")


def _show_programme(selection: Selection, programme: Programme, options: argparse.Namespace) -> None:
    """Print a programme day by day, rooms side by side where there is width."""
    rows = list(rows_of(selection, programme))
    timetable = make_timetable(rows, day=options.day, room=options.room)
    if options.json:
        wanted = {talk.row["record_id"] for block in _blocks(timetable) for talk in block.talks}
        wanted |= {row["record_id"] for session in timetable.untimed for row in session}
        for row in rows:
            if row["record_id"] in wanted:
                _print_json(row)
        return
    if not timetable.days and not timetable.untimed:
        _say_nothing(replace(selection, kind=None, track=None, words=()), programme, options)
        return
    zones = sorted({row["timezone"] for row in rows if row["timezone"]})
    out(f"{programme.name}: {len(rows)} records of {programme.source}, {', '.join(zones) or 'local time'}")
    whole = any((options.day, options.room, options.kind, options.track, options.words))
    for day in timetable.days:
        out("")
        out(f"{day.date:%A} {day.date.day} {day.date:%B %Y}")
        for block in day.above:
            _print_lines(_lines(block, whole=whole, room=True))
        for grid in day.grids:
            _print_grid(grid, whole=whole)
    for session in timetable.untimed:
        out("")
        out(f"{heading_of(session[0]) or 'Without a session'} (no time given)")
        for row in session:
            out(f"  {_titled(row)}")


def _say_nothing(every: Selection, programme: Programme, options: argparse.Namespace) -> None:
    """Say that nothing of a programme is as asked for, and what there is to ask for."""
    rows = list(rows_of(every, programme))
    there = {"days": _days(programme), "rooms": ", ".join(make_timetable(rows).rooms)}
    for name in ("kind", "track"):
        if getattr(options, name):
            there[f"{name}s"] = ", ".join(sorted({row[name] for row in rows if row[name]}))
    known = "; ".join(f"{name}: {values or 'not given'}" for name, values in there.items())
    say(f"{programme.name}: nothing is as asked for; {known}")


def _blocks(timetable: Timetable) -> Iterator[TimetableBlock]:
    """Yield the blocks of a timetable."""
    for day in timetable.days:
        yield from day.above
        yield from (block for grid in day.grids for row in grid.rows for cell in row.cells for block in cell.blocks)


def _print_grid(grid: Grid, *, whole: bool) -> None:
    """Print rooms side by side or, where the terminal is too narrow or the grid has one column, one below the other."""
    width = (get_terminal_size().columns - CLOCK) // grid.columns - 2
    is_wide = grid.columns > 1 and width >= NARROWEST
    for is_full, rows in groupby(grid.rows, key=lambda row: not is_wide or row.cells[0].columns == grid.columns):
        if is_full:
            for block in (block for row in rows for cell in row.cells for block in cell.blocks):
                _print_lines(_lines(block, whole=whole, room=True))
        else:
            _print_table(grid, rows, width, whole=whole)


def _print_table(grid: Grid, rows: Iterable[Instant], width: int, *, whole: bool) -> None:
    """Print rows with rooms side by side, each ``width`` characters wide."""
    total = CLOCK + (width + 2) * grid.columns
    table = Table(box=None, pad_edge=False, header_style="bold", width=total)
    table.add_column("", width=CLOCK, no_wrap=True)
    for name in [*grid.rooms, *(["(room not given)"] * grid.lanes)]:
        table.add_column(escape(in_one_line(name)), width=width)
    for row in rows:
        cells = [""] * grid.columns
        for cell in row.cells:
            lines = [line for block in cell.blocks for line in _lines(block, whole=whole, room=False)]
            cells[cell.column] = "\n".join(escape(in_one_line(line)) for line in lines)
        table.add_row(f"{row.time:%H:%M}", *cells)
    Console(width=total, highlight=False).print(table)


def _print_lines(lines: Iterable[str]) -> None:
    """Print the lines of a block, those after the first below it."""
    for number, line in enumerate(lines):
        out(f"{' ' * (TIME + 2)}{line}" if number else line)


def _lines(block: TimetableBlock, *, whole: bool, room: bool) -> Iterator[str]:
    """Yield the lines of a block: time, heading, room; then its talks, unless they are many."""
    where = f"  [{block.room}]" if room and block.room else ""
    first = block.talks[0]
    if not block.is_session:
        yield f"{_span(first.start, first.end):<{TIME}}  {_titled(first.row)}{where}"
        return
    chairs = people(block.row["chairs"])
    yield f"{_span(block.start, block.end):<{TIME}}  {heading_of(block.row)}{where}"
    if chairs:
        yield f"chaired by {chairs}"
    if len(block.talks) > FOLDED and not whole:
        yield f"{len(block.talks)} talks"
        return
    for talk in block.talks:
        time = "" if "time_is_session" in talk.row["notes"] else f"{talk.start:%H:%M} "
        yield f"{time}{_titled(talk.row)}"


def _span(start: datetime, end: datetime | None) -> str:
    """Return times from and to."""
    return f"{start:%H:%M}\N{EN DASH}{end:%H:%M}" if end else f"{start:%H:%M}"


def _titled(row: Row) -> str:
    """Return title and people of a record, with what was said of it."""
    said = " (cancelled)" if "cancelled" in row["notes"] else ""
    return " \N{EM DASH} ".join(filter(None, (f"{label_of(row)}{said}", names_of(row))))


def _show_listing(selection: Selection, listing: Listing, options: argparse.Namespace) -> None:
    """Print what was listed on a day, the newest on which anything selected was unless another is asked for."""
    found = next((each for each in listings_of(selection) if each.source == listing.source), None)
    if found is None:
        say(f"{listing.source}: nothing of its {listing.records} records, {_days(listing)}, is as asked for")
        return
    day = options.day or found.ends
    rows = [row for row in listed_rows(selection, listing.source) if row["listed_on"] == day]
    rows.sort(key=lambda row: (row["listing_section"] or "", *page_order(row)))
    if options.json:
        for row in rows:
            _print_json(row)
        return
    when = f"listed on {day}: {len(rows)} of " if day else ""
    out(f"{found.source}: {when}{found.records} records, {_days(found)}")
    for row in rows:
        out(f"{row['arxiv_id']:<12}  {_titled(row)}" if row["arxiv_id"] else _titled(row))


def _show_record(row: Row, others: Sequence[str], roots: str, *, as_json: bool) -> None:
    """Print the fields of a record that have a value, and the ``others`` of its work.

    ``roots`` are the options of the next command.
    """
    if as_json:
        _print_json(row)
        return
    out(name_of(row))
    for name, value in row.items():
        if value is None or value == [] or name == "title":
            continue
        text = people(value) if name in {"authors", "chairs"} else _text(value)
        first, *more = text.split("\n")
        out(f"{name:<20} {first}")
        for line in more:
            out(f"{'':<20} {line}")
    for number, other in enumerate(others):
        out(f"{'' if number else 'also on':<20} {other}")
    say("where each field comes from:")
    say(f"next: conspectus explain {quote(row['record_id'])} {roots}")


def _text(value: object) -> str:
    """Return a value for people: parts of a list on lines of their own."""
    match value:
        case [dict(), *_]:
            parts = ([_plain(each) for each in part.values() if each] for part in value if isinstance(part, dict))
            return "\n".join(" ".join(map(str, part)) for part in parts)
        case list():
            return ", ".join(map(str, value))
    return str(_plain(value))


def _plain(value: object) -> object:
    """Return a value as JSON has it."""
    match value:
        case date():  # or a date and a time
            return value.isoformat()
    return value


def _print_json(row: Row) -> None:
    """Print a row as the NDJSON files have it."""
    sys.stdout.write(json.dumps(row, ensure_ascii=False, default=_plain) + "\n")
