"""The records of sessions and talks, shared by every conference programme, with their slots.

A programme parser reads its own headings and hands the pieces over; here they become records. The headings of any one
source do not belong here; years are found in ``years``, kinds in ``titles``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from parsers._words.titles import kind_of_own_title, kind_of_talk
from schemas.items import Person, Record, Slot

_PLACEHOLDER: Final = re.compile(
    r"\W*(?:(?:(?:the )?abstract\b[\s:.]*(?:is |will )?)?"
    r"(?:t\.?b\.?[acd]|(?:(?:to |will )?be )?(?:added|announced|confirmed|defined|determined|provided)"
    r"|(?:coming|available) soon|(?:(?:to|will) )?follow|pending|forthcoming|n\.?/?a|none"
    r"|(?:no (?:abstract|abstract yet)|not(?: yet)?|none)(?: (?:is )?(?:available|provided|submitted))?)"
    r"(?: soon| later)?\W*)?",
    re.IGNORECASE,
)
_LONGEST_PLACEHOLDER: Final = 80
"""The longest placeholder, in characters."""
_NIGHT_BEGINS: Final = time(17)
_NIGHT_ENDS: Final = time(6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The content of a session heading, inherited by its talks. ``slot`` is None if neither time nor room is known.

    ``day`` is that of talks with times of their own, where no slot has one.
    """

    title: str | None = None
    code: str | None = None
    track: str | None = None
    description: str | None = None
    chairs: tuple[Person, ...] | None = None
    event: str | None = None
    slot: Slot | None = None
    day: date | None = None
    notes: tuple[str, ...] = ()


class Talk(NamedTuple):
    """One talk as printed; ``starts`` and ``ends`` are its own times of day, if it has them.

    A tuple, since it is made in less than half the time of a frozen dataclass with as many fields.
    """

    line_start: int | None
    line_end: int | None
    title: str | None
    authors: tuple[Person, ...] | None = None
    presenter: str | None = None
    abstract: str | None = None
    starts: time | None = None
    ends: time | None = None
    native_id: str | None = None
    url: str | None = None
    kind: str | None = None
    notes: tuple[str, ...] = ()


def is_placeholder(abstract: str) -> bool:
    """True if an abstract is only a placeholder, such as TBA."""
    return len(abstract) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(abstract) is not None


def make_slot(
    day: date | None, starts: time | None, ends: time | None, room: str | None = None
) -> tuple[Slot | None, tuple[str, ...]]:
    """Put a printed interval on its day; None if neither a time nor a room is known.

    An end not after its start is on the next day if the interval begins at 17:00 or later and ends by 06:00; otherwise
    it is dropped with the note ``end_before_start``.
    """
    if day is None or starts is None:
        return (Slot(room=room) if room else None), ()
    begin = _moment(day, starts)
    if ends is None:
        return Slot(begin, None, room), ()
    end = _moment(day, ends)
    if end > begin:
        return Slot(begin, end, room), ()
    if starts >= _NIGHT_BEGINS and ends <= _NIGHT_ENDS:
        return Slot(begin, end + timedelta(days=1), room), ()
    return Slot(begin, None, room), ("end_before_start",)


def item_record(session: Session, line_start: int | None, line_end: int | None, kind: str) -> Record:
    """Make the record of a session without talks: its title is the record's."""
    return Record(
        line_start=line_start,
        line_end=line_end,
        kind=kind,
        title=session.title,
        event=session.event,
        session_code=session.code,
        track=session.track,
        session_description=session.description,
        chairs=session.chairs,
        slots=(session.slot,) if session.slot else None,
        notes=_unique(session.notes),
    )


def talk_records(session: Session, talks: Sequence[Talk], session_type: str | None = None) -> list[Record]:
    """Make the records of a session's talks: session facts, kinds and times.

    A talk without its own time has the session's slot (``time_is_session``); one with only a start ends where the next
    later talk begins, else where the session ends (``end_inferred``). A time on no day is none.
    """
    starts = [_on_session_day(session, talk.starts) for talk in talks]
    return [
        _talk_record(session, talk, begin, following, session_type)
        for talk, begin, following in zip(talks, starts, _next_later(starts), strict=True)
    ]


def _talk_record(
    session: Session, talk: Talk, begin: datetime | None, following: datetime | None, session_type: str | None
) -> Record:
    """Make the record of one talk; ``begin`` is its own start, ``following`` that of the next later talk."""
    slot, notes = _talk_slot(session, talk, begin, following)
    if begin is not None and _is_outside(session.slot, begin):
        notes = (*notes, "time_outside_session")
    return Record(
        line_start=talk.line_start,
        line_end=talk.line_end,
        kind=talk.kind or kind_of_own_title(talk.title) or kind_of_talk(session.title, session_type),
        native_id=talk.native_id,
        title=talk.title,
        abstract=talk.abstract,
        authors=talk.authors,
        presenter=talk.presenter,
        event=session.event,
        session_code=session.code,
        session_title=session.title,
        track=session.track,
        session_description=session.description,
        chairs=session.chairs,
        slots=(slot,) if slot else None,
        url=talk.url,
        notes=_unique((*session.notes, *talk.notes, *notes)),
    )


def _is_outside(slot: Slot | None, begin: datetime) -> bool:
    """True if a talk begins before its session does, or after its end."""
    if slot is None or slot.starts_at is None or slot.ends_at is None:
        return False
    return not slot.starts_at <= begin < slot.ends_at


def _talk_slot(
    session: Session, talk: Talk, begin: datetime | None, following: datetime | None
) -> tuple[Slot | None, tuple[str, ...]]:
    """Work out when and where a talk is, with notes about what was inferred."""
    slot = session.slot
    if begin is None:
        timed = slot is not None and slot.starts_at is not None
        return slot, ("time_is_session",) if timed else ()
    room = slot.room if slot else None
    if talk.ends is not None:
        return make_slot(begin.date(), begin.time(), talk.ends, room)
    end = following or (slot.ends_at if slot else None)
    if end is None or end <= begin:
        return Slot(begin, None, room), ()
    return Slot(begin, end, room), ("end_inferred",)


def _next_later(starts: Sequence[datetime | None]) -> list[datetime | None]:
    """Return, for each start, the first later one further down the page; linear even if many talks start together.

    If later ones are only above it, the talks are not in order: it returns the start itself, since no end is known.
    """
    last = max(filter(None, starts), default=None)
    found: list[datetime | None] = [None] * len(starts)
    below: list[datetime] = []  # starts further down without a later one above them, nearest last
    for place in reversed(range(len(starts))):
        begin = starts[place]
        if begin is None:
            continue
        while below and below[-1] <= begin:
            below.pop()
        found[place] = below[-1] if below else begin if last and begin < last else None
        below.append(begin)
    return found


def _on_session_day(session: Session, clock: time | None) -> datetime | None:
    """Put a talk's time of day on its session's day; a talk after midnight is on the day after."""
    slot = session.slot
    if clock is None:
        return None
    if slot is None or slot.starts_at is None:
        return _moment(session.day, clock) if session.day is not None else None
    begin = _moment(slot.starts_at.date(), clock)
    overnight = slot.ends_at is not None and slot.ends_at.date() > slot.starts_at.date()
    return begin + timedelta(days=1) if overnight and begin < slot.starts_at else begin


def _moment(day: date, clock: time) -> datetime:
    """Put a time of day on a day; ``DAY_END`` is midnight of the next day."""
    moment = datetime.combine(day, clock)
    return moment.replace(fold=0) + timedelta(days=1) if clock.fold else moment


@lru_cache(maxsize=1024)  # the talks of a page have few different notes
def _unique(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Sort note codes and drop repeats."""
    return tuple(sorted(set(notes)))
