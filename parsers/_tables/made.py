"""The records of the things that tables find in data (``things``): talks, items and sessions without talks.

Data say when something is: no end is inferred from the next talk. What has no time of its own has that of what is
around it. What the tables and their paths mean does not belong here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from parsers._ledger.bundle import OWN, Patterns, by_name
from parsers._ledger.document import TABLES, Document
from parsers._tables.path_tables import PathTables
from parsers._tables.paths import DataFile, Walk
from parsers._tables.readers import clocks_of
from parsers._tables.things import Thing, ThingReader
from parsers._words.programme import make_slot
from parsers._words.text import absolute_address, is_relative
from parsers._words.titles import is_around_talks, kind_of_item, kind_of_own_title, kind_of_talk, read_heading
from parsers._words.years import Day, Year, date_of, find_years, resolve_year
from schemas.items import Item, Link, Record, Reject, Slot

_PLAIN: Final = ("subtitle", "language", "abstract", "description", "summary", "type", "presenter", "doi")


class _When(NamedTuple):
    """When something is, as it prints it: days, moments with or without an offset, or times of day."""

    day: Day | None = None
    starts: datetime | date | time | None = None
    ends: datetime | date | time | None = None
    end_day: Day | None = None


def read_data(document: Document, tables: PathTables, form: str, *, of_user: bool = False) -> Iterator[Item]:
    """Yield the records and rejects of a document. Raises ``FieldError``, ``DumpError``, also (bad_bundle).

    Tables ``of_user`` may have slips: what finds nothing is remarked.
    """
    files = files_of(document, tables, form)
    length = sum(len(each.text) for each in document.files)
    reading = ThingReader(Walk(files, length, has_address=document.facts.url is not None), tables)
    yield from reading.rejects
    yield from _unnamed(document, tables)
    document.remarks.extend(_idle_rows(reading) if of_user else ())
    if reading.walk.lost:
        document.remarks.append(f"{len(reading.walk.lost)} keys hold an id that nothing has")
    if reading.walk.without_address:
        document.remarks.append(f"{reading.walk.without_address} addresses are relative: the sidecar names no url")
    whens = {thing: _when(thing.values) for thing in reading.things}
    year = resolve_year(document, [when.day for when in whens.values() if when.day], find_years(document.path))
    seen: set[tuple[object, ...]] = set()
    for thing in reading.things:
        name = thing.table.name
        if name in {"talk", "item"} or (name == "session" and thing not in reading.with_talks and thing["title"]):
            record = _record(document, thing, whens, year)
            twice = record._replace(line_start=None, line_end=None)
            if twice not in seen:  # a view may list one thing in several places
                seen.add(twice)
                yield record


def companions(document: Document, patterns: Patterns) -> dict[str, list[Document]]:
    """Return the companions that each name has: one, if nothing is wrong."""
    paths = by_name((each.path for each in document.companions), patterns)
    return {name: [each for each in document.companions if each.path in found] for name, found in paths.items()}


def lacking(document: Document, patterns: Patterns) -> str:
    """Return what was expected of companions of which there is none, or more than one; empty if all are there."""
    found = companions(document, patterns)
    wrong = (
        f"one file {' or '.join(several)} beside it, found {', '.join(each.path for each in found[name]) or 'none'}"
        for name, several in patterns.items()
        if len(found[name]) != 1
    )
    return "; ".join(wrong)


def _unnamed(document: Document, tables: PathTables) -> Iterator[Reject]:
    """Yield the companions that these tables do not name, though others of the source do: they are told, not read."""
    named = [each.path for found in companions(document, tables.files).values() for each in found]
    for each in document.companions if tables.files else ():
        if each.path not in named:
            expected = "expected a file that the tables of this layout name, found one that others name"
            yield Reject(1, each.text.count("\n") + 1, each.text, "unexplained_line", expected, each.path)


def files_of(document: Document, tables: PathTables, form: str) -> dict[str, DataFile]:
    """Return the files of a document by the names that tables have for them. Raises ``DumpError``."""
    if not tables.files:
        return {"": DataFile(document.data_in(form))}
    if wrong := lacking(document, tables.files):
        raise document.error(1, "bad_bundle", f"expected {wrong}")
    found = {name: each for name, (each,) in companions(document, tables.files).items()}
    beside = {name: DataFile(each.data_in(each.form or "json"), each.path) for name, each in found.items()}
    return {OWN: DataFile(document.data_in(form)), **beside}


def _idle_rows(reading: ThingReader) -> Iterator[str]:
    """Yield a sentence for each table and row that finds nothing, which may be a slip."""
    for table in reading.tables.tables:
        found = [each for each in reading.things if each.table is table]
        if not found:
            yield f"{TABLES}: [{table.name}] at = {table.paths[0].written!r} finds nothing that can be read"
        for row in table.fields if found else ():
            if not any(each[row.name] for each in found):
                yield f"{TABLES}: [{table.name}] {row.name} finds nothing that can be read"


def _record(document: Document, thing: Thing, whens: Mapping[Thing, _When], year: Year) -> Record:
    """Make the record of a thing."""
    heading = read_heading(thing["title"])
    session = next((each for each in thing.outwards() if each.table.name == "session" and each is not thing), None)
    slots, zone, notes = _slot(document, thing, whens, year)
    people = thing["people"] or None
    title = session["title"] if session else None
    links: tuple[Link, ...] = tuple(_absolute(document, each) for each in thing["links"] or ())
    return Record(
        *thing.lines,
        kind=_kind(thing, heading.title, heading.tag, title),
        native_id=thing["id"],
        title=heading.title,
        **{name: thing[name] for name in _PLAIN},
        authors=people,
        event=document.facts.event,
        session_code=thing.nearest("code"),
        session_title=thing["session"] or title,
        track=thing.nearest("track"),
        session_description=session["abstract"] if session else None,
        chairs=thing.nearest("chairs"),
        slots=slots,
        timezone=zone,
        published_on=thing["published"],
        url=_address(document, thing["url"]),
        links=tuple(dict.fromkeys(links)) or None,
        keywords=tuple(dict.fromkeys(thing["keywords"] or ())) or None,
        notes=tuple(sorted({*heading.notes, *notes, *(note for each in thing.outwards() for note in each.doubts)})),
        dump=thing.node.file.dump if thing.node.file else None,
    )


def _kind(thing: Thing, title: str, tag: str | None, session: str | None) -> str:
    """Return the kind of a thing: that of its table, of a value, else what its words say."""
    named = thing["kind"] or thing.table.kind
    if named:
        return str(named)
    if thing.table.name == "talk" and (thing["people"] or thing["presenter"] or thing["abstract"]):
        return kind_of_own_title(title, tag) or kind_of_talk(session, thing["type"])
    kind = kind_of_item(title, tag)
    if kind == "session" and thing.table.name != "session" and not is_around_talks(title):
        return kind_of_own_title(title, tag) or kind_of_talk(session, thing["type"])
    return kind


def _address(document: Document, printed: str | None) -> str | None:
    """Return an address, absolute by that of the dump; None if it says nothing without it."""
    base = document.facts.url
    return absolute_address(base, printed) if printed and (base or not is_relative(printed)) else None


def _absolute(document: Document, link: Link) -> Link:
    """Return a link with an absolute address, where that is known."""
    return link._replace(url=_address(document, link.url) or link.url)


def _when(values: Mapping[str, Any]) -> _When:
    """Return when something is, of an interval, of its ends, or of a start and a duration."""
    starts, ends = clocks_of(values)
    day = values.get("day")
    if isinstance(starts, date) and day is None:
        day = Day(0, starts.month, starts.day, None, starts.year)
    lasts = values.get("duration")
    if ends is None and lasts and isinstance(starts, datetime):
        ends = starts + lasts
    elif ends is None and lasts and isinstance(starts, time):
        ends = (datetime.combine(date.min, starts) + lasts).time()
    return _When(day, starts, ends, values.get("end_day"))


def _slot(
    document: Document, thing: Thing, whens: Mapping[Thing, _When], year: Year
) -> tuple[tuple[Slot, ...] | None, str | None, tuple[str, ...]]:
    """Return the slot of a thing by the wall clock of the venue, its zone if the data name it, and notes."""
    printed = thing.nearest("zone")
    zone = document.facts.timezone or printed
    room = thing.nearest("room")
    timed = next((each for each in thing.outwards() if isinstance(whens[each].starts, datetime | time)), thing)
    when = whens[timed]
    day = next((whens[each].day for each in timed.outwards() if whens[each].day is not None), None)
    if day is None:
        day = next((whens[each].day for each in thing.outwards() if whens[each].day is not None), None)
    on, notes = date_of(day, year) if day is not None else (None, ())
    end_on = date_of(when.end_day, year)[0] if when.end_day is not None else None
    starts, ends = (_at(moment, there) for moment, there in ((when.starts, on), (when.ends, end_on)))
    if isinstance(ends, time) and isinstance(starts, datetime) and starts.tzinfo is None:
        slot, noted = make_slot(starts.date(), starts.time(), ends, room)
        notes = (*notes, *noted)
    elif starts is None or isinstance(starts, time):
        slot = Slot(room=room) if room else None
        if isinstance(starts, time) and not notes:
            notes = ("field_unread",)  # a time of no day
    else:
        begin, is_moved = _wall(starts, zone)
        end = _wall(ends, zone)[0] if isinstance(ends, datetime) else None
        if end is not None and end < begin:
            end, notes = None, (*notes, "end_before_start")
        slot = Slot(begin, end, room)
        notes = (*notes, "zone_converted") if is_moved else notes
    has_time = slot is not None and slot.starts_at is not None
    if has_time and timed is not thing:
        notes = (*notes, "time_is_session")
    return ((slot,) if slot else None), (printed if has_time else None), notes


def _at(moment: datetime | date | time | None, day: date | None) -> datetime | time | None:
    """Return a time of day on a day, if that is known; a day alone is no moment."""
    if isinstance(moment, time) and day is not None and not moment.fold:
        return datetime.combine(day, moment)
    return moment if isinstance(moment, datetime | time) else None


def _wall(moment: datetime, zone: str | None) -> tuple[datetime, bool]:
    """Return the wall clock of a zone, and True if that is another one than the moment prints."""
    printed = moment.replace(tzinfo=None)
    if moment.tzinfo is None or zone is None:
        return printed, False
    there = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return there, there != printed
