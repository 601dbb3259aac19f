"""Talks that bear times of their own below the session that they belong to: the session's time holds theirs.

    10:45 - 12:15
    Session 1: Stores        a session that lists no talks below its time
    Chair: Bea Sorn
    10:45 - 11:15            times within its own, and below them talks without any session
    Small Files
    Ann One, Bo Two

Whatever stands between ends the session: a break is no talk. What a session becomes does not belong here (``items``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from parsers.cluster.items import Moment, PrintedSession
from parsers.cluster.records import session_records
from schemas.items import Item, Reject

Timed = tuple[Moment, PrintedSession | Reject]


def timed_records(sessions: Iterable[Timed]) -> Iterator[Item]:
    """Yield the records of a page's sessions in its order, and its rejects."""
    for moment, printed in _gather(sessions):
        if isinstance(printed, Reject):
            yield printed
        else:
            yield from session_records(printed, moment)


def _gather(sessions: Iterable[Timed]) -> Iterator[Timed]:
    """Yield the sessions of a page in its order, each with the talks that have times within its own."""
    above: tuple[Moment, PrintedSession] | None = None
    for moment, printed in sessions:
        if isinstance(printed, Reject):
            yield moment, printed
        elif above is not None and _is_talk_of(*above, moment, printed):
            above = above[0], _with_talks(above[1], moment, printed)
        else:
            if above is not None:
                yield above
            above = moment, printed
    if above is not None:
        yield above


def _is_talk_of(when: Moment, session: PrintedSession, moment: Moment, printed: PrintedSession) -> bool:
    """Say whether what stands below a time is a talk of the session above, and nothing else."""
    heading = session.heading
    if heading is None or not (heading.code or heading.track or session.chairs.persons):
        return False
    if printed.heading is not None or not printed.talks or printed.chairs.persons:
        return False
    if any(talk.starts is None for talk in session.talks) or when.day != moment.day:
        return False
    if not (when.starts and when.ends and moment.starts):
        return False
    return when.starts <= moment.starts and (moment.ends or moment.starts) <= when.ends


def _with_talks(session: PrintedSession, moment: Moment, printed: PrintedSession) -> PrintedSession:
    """Return the session with talks that have times of their own."""
    talks = (replace(talk, starts=moment.starts, ends=moment.ends) for talk in printed.talks)
    return replace(session, talks=(*session.talks, *talks), room=session.room or printed.room)
