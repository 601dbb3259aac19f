"""A line that nobody read governs what follows: what it takes from the records below it, or casts doubt on.

``Day 3 (4/9)``, which looks like a day, may have ended the day above; ``11h00 MESZ``, which begins with a time, the
slot above. The times of the records below are left out then, for they would be those of another day or slot: a day
counts down to the next day that was read, a time down to the next slot. What prints a time of its own keeps it below an
unread time. Any other unread line that stands where a heading could, directly above a record or a heading, may have
been the heading of a slot or session: the records below keep their values, and have a note. On a page without any,
or above the first of a day, there is nothing that it could end.

Which lines are unread is decided by the ledger, how a person is told by ``pipeline.run``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from typing import Final, NamedTuple

from parsers._ledger.document import Document
from parsers._ledger.lines import LineClass, Place
from parsers._words.dates import CLOCK, begins_with_time, clock, looks_like_day
from pipeline.base.signals import Sign
from schemas.items import Record, Reject, Slot

_DAY: Final = 2
_SLOT: Final = 3
_SESSION: Final = 4
"""Levels of headings, see ``parsers._ledger.lines.Rule``."""
_NOT_READ: Final = frozenset({"unexplained_line", "ambiguous"})
"""The reasons of rejects that may have been headings: lines, and items that could be two things."""
_FEW: Final = 5
_TENTH: Final = 10
_OF_TIMES: Final = frozenset({"end_before_start", "end_inferred", "time_is_session", "weekday_disagrees"})
_CLOCK: Final = re.compile(CLOCK, re.IGNORECASE)
_TAG: Final = re.compile(r"^<[\w.-]*> ")  # where a page has the text, as ``Place`` shows it
_SAYS: Final = {
    "day_unread": "looks like a day and was not read: records below without times:",
    "time_unread": "looks like a time and was not read: records below without times:",
    "heading_unread": "stands where a heading could and was not read: records below that it may govern:",
}


class _Unread(NamedTuple):
    """A line that nobody read: its number and its text."""

    line: int
    text: str


def without_unread_headings(
    document: Document, records: list[Record], rejects: Sequence[Reject]
) -> tuple[list[Record], tuple[Sign, ...]]:
    """Take the times from records below an unread day or time, and add a note to those below any other unread line.

    ``rejects`` are all that was not read, lines and items. Returns the records, and for each such line a sign with
    its number, its text and the number of records; on lines that cost no value only if a tenth of the records, and
    five, are below them. Items of data have no headings above them. Line numbers decide: what begins on the line of an
    unread text is not below it.
    """
    slot = None if document.counts_items else _slot_level(document, records, rejects)
    if slot is None:
        return records, ()
    above = _find_above(document, {record.line_start for record in records}, slot)
    below = Counter[tuple[str, _Unread]]()
    kept = []
    for record in records:
        unread = above.get(record.line_start or 0, {})
        note = _note_for(record, unread, document) if unread else None
        if note is not None:
            below[note, unread[note]] += 1
        kept.append(record if note is None else _with_note(record, note))
    return kept, tuple(_tell(below, len(records)))


def _slot_level(document: Document, records: Sequence[Record], rejects: Sequence[Reject]) -> int | None:
    """Return the level of the headings that have the times; None if no record can be below an unread one."""
    first = min((reject.line_start or 0 for reject in rejects if reject.reason in _NOT_READ), default=0)
    if not first or all((record.line_start or 0) <= first for record in records):
        return None
    levels = document.levels()
    slot = _SLOT if _SLOT in levels else _SESSION
    return slot if slot in levels or any(map(_is_clocked, rejects)) else None


def _tell(below: Mapping[tuple[str, _Unread], int], records: int) -> Iterator[Sign]:
    """Yield a sign for each unread line, given the number of records below it, by note."""
    doubtful = sum(count for (note, _), count in below.items() if note == "heading_unread")
    is_much = doubtful >= max(_FEW, records / _TENTH)
    for (note, by), count in below.items():
        if is_much or note != "heading_unread":
            yield Sign("unread", f"line {by.line}, {by.text!r}, {_SAYS[note]} {count}", line=by.line)


def _is_clocked(reject: Reject) -> bool:
    """True if a line of a reject looks like a day or begins with a time."""
    return any(looks_like_day(line) or begins_with_time(line) for line in reject.text.split("\n"))


def _find_above(document: Document, begins: set[int | None], slot: int) -> dict[int, dict[str, _Unread]]:
    """Return the unread lines that govern the records, by the line on which a record begins and by the note they cause.

    ``slot`` is the level of the headings that have the times.
    """
    above, found = _Above(slot, slot in document.levels()), {}
    for place in document.places():
        if place.number is None or place.line_class is LineClass.BOILERPLATE:
            continue
        begins_here = place.number in begins
        if place.line_class is LineClass.UNEXPLAINED or place.rule in _NOT_READ:
            above.meet_unread(_Unread(place.number, _TAG.sub("", place.text).strip()))
        else:
            above.meet(place, begins_here)
            if begins_here:
                found[place.number] = {note: by for note, by in above.lines.items() if by.line < place.number}
    return found


class _Above:
    """The unread lines that govern what follows, by the note that they cause, while a document is gone through."""

    def __init__(self, slot: int, has_slots: bool) -> None:
        self.lines: dict[str, _Unread] = {}
        self._slot, self._has_slots = slot, has_slots
        self._waiting: _Unread | None = None
        self._begun = False

    def meet_unread(self, unread: _Unread) -> None:
        """Meet a line that nobody read: a day or a time governs what follows, any other line may be a heading."""
        if looks_like_day(unread.text):
            self.lines["day_unread"] = unread
        elif begins_with_time(unread.text):
            self.lines["time_unread"] = unread
        self._waiting = self._waiting or unread

    def meet(self, place: Place, begins_record: bool) -> None:
        """Meet a line that was read: a heading of the level of slots or above ends what earlier lines govern."""
        is_heading = place.line_class is LineClass.HEADING
        if self._waiting is not None and self._begun and self._has_slots and (is_heading or begins_record):
            self.lines["heading_unread"] = self._waiting
        self._waiting = None
        if is_heading and 0 < place.level <= self._slot:
            of_day = self.lines.get("day_unread") if place.level > _DAY else None
            self.lines = {} if of_day is None else {"day_unread": of_day}
            self._begun = place.level > _DAY
        self._begun = self._begun or begins_record


def _note_for(record: Record, unread: Mapping[str, _Unread], document: Document) -> str | None:
    """Return the note for a record below unread lines."""
    starts = {slot.starts_at.time() for slot in record.slots or () if slot.starts_at}
    if starts and "day_unread" in unread:
        return "day_unread"
    if starts and "time_unread" in unread and not (starts & _times_in(document, record)):
        return "time_unread"
    return "heading_unread" if "heading_unread" in unread else None


def _times_in(document: Document, record: Record) -> set[time | None]:
    """Return the times of day that are printed within a record, on the clock of 24 hours and on that of 12."""
    first = record.line_start or 1
    found = {clock(printed) for printed in _CLOCK.findall(document.lines.text(first, record.line_end or first))}
    return found | {each.replace(hour=(each.hour + 12) % 24) for each in found if each is not None}


def _with_note(record: Record, note: str) -> Record:
    """Return a record with a note; one on its times costs it the times, but not its rooms."""
    if note == "heading_unread":
        return record._replace(notes=(*record.notes, note))
    rooms = dict.fromkeys(slot.room for slot in record.slots or () if slot.room is not None)
    notes = [each for each in record.notes if each not in _OF_TIMES]
    return record._replace(slots=tuple(Slot(room=room) for room in rooms) or None, notes=(*notes, note))
