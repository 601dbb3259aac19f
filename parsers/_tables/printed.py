"""The records of what tables find on pages (``written``): talks, items and sessions without talks.

They are made as for every programme: the talks of a session together, since a talk ends where the next one begins; a
session without talks is a record itself. What the tables mean does not belong here, nor who asks for them.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final

from parsers._ledger.document import TABLES, Document
from parsers._ledger.elements import text_of
from parsers._tables.cells import fill_cells, odd_cells, times_of
from parsers._tables.table import CELL, Elements, Match, read_elements
from parsers._tables.written import Written, people_in
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.text import absolute_address, is_relative
from parsers._words.titles import kind_of_item, kind_of_own_title, kind_of_talk
from parsers._words.years import Year, date_of, find_years, resolve_year
from schemas.items import Item, Person, Record, Reject, Slot

_MANY: Final = 5
_RARE: Final = 10
"""One in so many is rare; what all others have, is common."""
_NO_DAY: Final = frozenset({"date_invalid", "year_unknown"})
"""The notes that say already why nothing has a time."""


def read_page(document: Document, written: Written, *, of_user: bool = False) -> Iterator[Item]:
    """Yield the records and rejects of a page, HTML or Markdown.

    Tables ``of_user`` may have slips: what finds nothing is remarked.
    """
    for word in written.words:
        document.leave_out(word)
    matches: list[Match] = []
    for found in read_elements(document.page_or_markdown(), *written.levels, grids=written.grids):
        if isinstance(found, Reject):
            yield found
        else:
            matches.append(found)
            for text in found.dropped:
                document.leave_out(text)
    if of_user:
        document.remarks.extend(_odd_rows(written, matches))
        document.remarks.extend(odd_cells(matches))
    fill_cells(matches, lambda each: written.names[each.table] == "talk")
    days = [day for each in matches if (day := times_of(each.values).day) is not None]
    title = document.page_or_markdown().root.find(".//title")
    name = text_of(title) if title is not None else ""
    year = resolve_year(document, days, find_years(name), [name])
    yield from _records(document, written, matches, year)


def _odd_rows(written: Written, matches: list[Match]) -> Iterator[str]:
    """Yield a sentence for each table and row that may be a slip: it finds nothing, or hardly anything, or a label."""
    for table, name in written.names.items():
        if table is CELL:
            continue
        found = [each.values for each in matches if each.table is table]
        if not found:
            yield f"{TABLES}: [{name}] at = {table.selector.css!r} finds nothing that can be read"
            continue
        rows = {each.name for each in table.fields} | {
            hole for each in table.in_lines for pattern in each.patterns for hole in pattern.holes if hole
        }
        for row in sorted(rows):
            values = [value for each in found if (value := each.get(row))]
            if not values:
                yield f"{TABLES}: [{name}] {row} finds nothing that can be read"
            elif len(values) * _RARE <= len(found):
                yield f"{TABLES}: [{name}] {row} finds something in {len(values)} of {len(found)} only"
            yield from (f"{TABLES}: [{name}] {row} {label}" for label in _labels_of(values))


def _labels_of(values: Sequence[object]) -> Iterator[str]:
    """Yield what nine of ten different texts begin or end with, which is hardly a part of each."""
    texts = {tuple(value.split()) for value in values if isinstance(value, str)}
    for place, where in ((0, "begins"), (-1, "ends")):
        words = Counter(text[place] for text in texts if len(text) > 1)
        word, count = words.most_common(1)[0] if words else ("", 0)
        if count >= _MANY and count * _RARE >= len(texts) * (_RARE - 1):
            yield f"{where} with {word!r} in {count} of {len(texts)} texts: cut leaves it out"


def _records(document: Document, written: Written, matches: list[Match], year: Year) -> Iterator[Record]:
    """Yield the records: talks by session, then what has no talks, each with what surrounds it."""
    alone = sorted(_starts_of_talks_alone(written, matches, year))
    before, untimed = _without_times([each for each in matches if written.names[each.table] == "talk"])
    groups: dict[tuple[object, ...], list[Match]] = {}
    for each in matches:
        if written.names[each.table] == "talk":
            timed = times_of(each.values).starts is not None
            own = (each["day"], each["room"], each["track"], timed)  # a group has one session
            groups.setdefault((each.inside, *own), []).append(each)
    for talks in groups.values():
        session = _session(document, written, talks[0], year)
        made = [_talk(each) for each in talks]
        for found, made_of in zip(talks, talk_records(session, made), strict=True):
            record = _on_all_days(_with_lost_day(made_of, found, matches), found, year)
            is_cut = found in before or (_is_in_session(written, found) and _holds(record, alone))
            if is_cut and "end_inferred" in record.notes:
                record = _without_ends(record)
            yield _complete(document, written, found, _noted(record) if found in untimed else record)
    with_talks = {
        outer
        for talks in groups.values()
        for outer in _outwards(talks[0].inside)
        if written.names[outer.table] == "session"
    }
    heads = {_as_printed(each) for each in with_talks}
    clocked = {each.table for each in matches if times_of(each.values).starts is not None}
    for each in matches:
        name = written.names[each.table]
        if name == "item" or (name == "session" and each not in with_talks and each["title"]):
            record = item_record(_session(document, written, each, year, title=each["title"]), *each.lines, "session")
            record = _on_all_days(_with_lost_time(record, each, clocked), each, year)
            if name == "session" and (_as_printed(each) in heads or _holds(record, alone)):
                record = _noted(record)
            yield _complete(document, written, each, record._replace(authors=_people(each["people"])))


def _session(document: Document, written: Written, found: Match, year: Year, title: str | None = None) -> Session:
    """Make the session of a talk or item, of what surrounds it; what it prints itself counts first.

    The times of a talk are its own, so those of its session are asked for around it.
    """
    outer = found.inside if written.names[found.table] == "talk" else found
    around = outer.around() if outer else {}
    whole = found.around()
    of_session = next((each for each in _outwards(outer) if written.names[each.table] == "session"), None)
    times = times_of(around)
    day, notes = _date(found, year)
    slot, noted = make_slot(day, times.starts, times.ends, whole.get("room"))
    return Session(
        title=title or (of_session["title"] if of_session else None),
        code=whole.get("code"),
        track=whole.get("track"),
        description=of_session["abstract"] if of_session and of_session is not found else None,
        chairs=_people(around.get("chairs")),
        event=document.facts.event,
        slot=slot,
        day=day,
        notes=(*notes, *noted, *(outer.notes if outer else ())),
    )


def _talk(found: Match) -> Talk:
    """Make a talk of what its element prints."""
    times = times_of(found.values)
    return Talk(
        *found.lines,
        title=found["title"],
        authors=_people(found["people"]),
        presenter=found["presenter"],
        abstract=found["abstract"],
        starts=times.starts,
        ends=times.ends,
        native_id=found["id"],
        notes=found.notes,
    )


def _complete(document: Document, written: Written, found: Match, record: Record) -> Record:
    """Add to a record what every table may print, and its kind."""
    kind = written.kinds.get(found.table)
    if kind is None and written.names[found.table] != "talk":
        title = record.title or ""
        kind = kind_of_item(title)
        if kind == "session" and record.authors:  # somebody speaks: a talk that is on its own
            kind = kind_of_own_title(title) or kind_of_talk(found["type"])
    url, base = found["url"], document.facts.url
    return record._replace(
        kind=kind or record.kind,
        type=found["type"],
        native_id=found["id"],
        abstract=found["abstract"],
        presenter=found["presenter"],
        url=absolute_address(base, url) if url and (base or not is_relative(url)) else None,
    )


def _with_lost_day(record: Record, found: Match, matches: list[Match]) -> Record:
    """Return a talk with a note, if it prints a time and stands below no day on a page that has days."""
    times = times_of(found.values)
    is_below = any(times_of(each.values).day is not None for each in _outwards(found))
    if times.starts is None or is_below or all(times_of(each.values).day is None for each in matches):
        return record
    return _noted(record)


def _with_lost_time(record: Record, found: Match, timed: Collection[Elements]) -> Record:
    """Return an item with a note, if it has no time and others of its table print one."""
    has_time = any(slot.starts_at for slot in record.slots or ())
    if has_time or found.table not in timed or _NO_DAY.intersection(record.notes):
        return record
    return _noted(record)


def _without_times(talks: list[Match]) -> tuple[set[Match], set[Match]]:
    """Return the talks without a time, if most of the page have one, and those before them, whose ends nobody knows."""
    untimed = {each for each in talks if times_of(each.values).starts is None}
    if 2 * len(untimed) >= len(talks) - len(untimed):
        return set(), set()
    pairs = pairwise(talks)
    return {talk for talk, after in pairs if after in untimed and times_of(talk.values).ends is None}, untimed


def _starts_of_talks_alone(written: Written, matches: list[Match], year: Year) -> Iterator[datetime]:
    """Yield the starts of talks in no session: during one, they may be of it, but in a grid, whose cells are apart."""
    for found in matches:
        starts, day = times_of(found.values).starts, _date(found, year)[0]
        is_alone = written.names[found.table] == "talk" and not _is_in_session(written, found)
        if is_alone and starts and day and not _is_in_grid(found):
            yield datetime.combine(day, starts)


def _is_in_session(written: Written, found: Match) -> bool:
    """True if an element is inside a session."""
    return any(written.names[each.table] == "session" for each in _outwards(found))


def _is_in_grid(found: Match) -> bool:
    """True if an element is in the cell of a grid."""
    return any(each.grid_cell is not None for each in _outwards(found))


def _on_all_days(record: Record, found: Match, year: Year) -> Record:
    """Return a record with a slot for each day of its cell, and a note if its end is only that of the cell."""
    for_day = next((each for each in _outwards(found) if times_of(each.values).day is not None), None)
    days = [date_of(day, year)[0] for day in (for_day["days"] or () if for_day else ())]
    begins = {slot.starts_at.date() for slot in record.slots or () if slot.starts_at}
    if len(begins) == 1 and len(days) > 1 and days[0] in begins:
        first = days[0]
        moved = [day - first for day in days if day is not None and first is not None]
        slots = [_moved(slot, by) for by in moved for slot in record.slots or ()]
        record = record._replace(slots=tuple(slots))
    timed = next((each for each in _outwards(found) if times_of(each.values).starts is not None), None)
    if timed is not None and timed["end_inferred"] and any(slot.ends_at for slot in record.slots or ()):
        record = record._replace(notes=tuple(sorted({*record.notes, "end_inferred"})))
    return record


def _moved(slot: Slot, by: timedelta) -> Slot:
    """Return a slot on another day."""
    starts, ends = slot.starts_at, slot.ends_at
    return slot._replace(starts_at=starts + by if starts else None, ends_at=ends + by if ends else None)


def _without_ends(record: Record) -> Record:
    """Return a record without the ends that were inferred."""
    slots = tuple(slot._replace(ends_at=None) for slot in record.slots or ()) or None
    return record._replace(slots=slots, notes=tuple(note for note in record.notes if note != "end_inferred"))


def _holds(record: Record, moments: list[datetime]) -> bool:
    """True if one of some sorted moments is during a record."""
    return any(
        bisect_left(moments, slot.starts_at) < bisect_left(moments, slot.ends_at)
        for slot in record.slots or ()
        if slot.starts_at and slot.ends_at
    )


def _as_printed(found: Match) -> tuple[object, ...]:
    """Return the title of a session, when it is, and on which day."""
    return (found["title"], times_of(found.values), found["room"], next(_outwards(found.inside), None))


def _noted(record: Record) -> Record:
    """Return a record with a note that a field of it is printed twice, or is missing where the others have it."""
    return record._replace(notes=tuple(sorted({*record.notes, "field_unread"})))


def _outwards(found: Match | None) -> Iterator[Match]:
    """Yield an element and those around it, from the inside out."""
    while found is not None:
        yield found
        found = found.inside


def _date(found: Match, year: Year) -> tuple[date | None, tuple[str, ...]]:
    """Return the date of an element, by the nearest day around it, and notes."""
    day = next((day for each in _outwards(found) if (day := times_of(each.values).day) is not None), None)
    return date_of(day, year) if day is not None else (None, ())


def _people(value: object) -> tuple[Person, ...] | None:
    """Return the people of a field, each once."""
    return tuple(dict.fromkeys(people_in(value))) or None
