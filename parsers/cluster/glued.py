"""Text dumps of a programme at a glance whose cells were glued, a day in one line: what can surely be parted.

    | September 18 10:00-11:30 Session (3) Stores Great Hall Chair: Bea Sorn (Plum)  Small Files   Small Files  Ann One
    (Plum) Abstract We collect small files in logs. 12:00-13:00 Lunch | September 19 ..

Days and times begin what follows them. A talk is its title twice, its authors, ``Abstract``. A session begins with its
number, a tag, or above ``Chair:``; where its title ends and its room begins is not to be seen, so that both are
unknown, unless another item shows the room alone, or ends with it too (``glued_rooms``). Items that cannot be parted
are rejected. Pages of years that print neither numbers nor labels of chairs are refused: an abstract could hold the
title of the next session.

``glued_pieces`` cuts what stands below a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from parsers._contract import Document
from parsers._dates import CLOCK, DASH, MONTH, WEEKDAY
from parsers._lines import record_rule
from parsers._years import date_of, find_years, resolve_year
from parsers.cluster.edition import name_edition
from parsers.cluster.glued_pieces import CHAIR, MARK, TWICE, GluedPage, Piece, Text, cut_pieces
from parsers.cluster.glued_rooms import shared_rooms
from parsers.cluster.headings import SessionHeading, read_session
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk
from parsers.cluster.names import looks_like_names
from parsers.cluster.people import NOBODY, People, read_chairs
from parsers.cluster.records import session_records
from parsers.cluster.times import TimeLine, read_day, read_time_line
from parsers.cluster.wording import ITEM_TITLE
from schemas.items import Item, Reject

EXPECTS: Final = (
    "cells in one line each: '| September 18 10:00-11:30 Session (3) ..', titles twice, 'Chair:', 'Abstract'"
)

_CELL_RULE: Final = record_rule("cell")

_LABEL: Final = r"\s+--?\s+(?:Parallel|Plenary) Sessions?\b"
_TIME: Final = rf"{CLOCK}(?:\s?{DASH}\s?{CLOCK}(?:\s+PT\b|{_LABEL})?|\s+PT\b(?:\s+-\s+Session\s+\d+)?)|TBA"
_DAY: Final = re.compile(
    rf"(?:^|\|)\s*(?P<day>(?:[^\d|:–—-]{{1,40}}[:–—-]\s+)?(?:{WEEKDAY}[.,]?\s+)?"
    rf"(?:{MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH})\.?)\s+(?={_TIME})",
    re.IGNORECASE,
)
_SLOT: Final = re.compile(rf"(?<!\S)(?P<time>{_TIME})(?=\s|$)", re.IGNORECASE)
_AGENDA: Final = re.compile(r"\s*\(\s*agenda\s*\)\s*")
_NO_ROOM: Final = re.compile(r"[:()\[\]|]|\s\s")
# What stands behind the affiliation of a chair, where no talk follows.
_SEVERAL: Final = re.compile(r"\)\s*[^\s|]")
_LOOKED_AT: Final = 20_000
_LONGEST_ROOM: Final = 40


def recognise(document: Document) -> bool:
    """Say whether a cell begins with day and time, and holds titles twice and chairs or numbers of sessions."""
    if document.text.lstrip().startswith("<"):
        return False
    lines = (text for _, text in document.lines.texts() if text.startswith("|"))
    line = next((text[:_LOOKED_AT] for text in lines if _DAY.match(text)), "")
    return bool(TWICE.search(line) and (MARK.search(line) or CHAIR.search(line)))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records that can surely be parted, and the rest as rejects."""
    page = GluedPage(document)
    marks = [(found, day) for found in _DAY.finditer(page.text) if (day := read_day(found["day"].strip()))]
    days = [replace(day, line=page.line(found.start("day"))) for found, day in marks]
    year = resolve_year(document, days, find_years(document.facts.url or ""))
    event, event_notes = name_edition(document, None, (), year)
    ends = [found.start() for found, _ in marks[1:]] + [len(page.text)]
    slots = [
        (day, time, Text(page.text[start:end], start))
        for (found, _), day, cell_end in zip(marks, days, ends, strict=True)
        for time, start, end in _slots(page.text, found.end("day"), cell_end)
    ]
    rooms = frozenset(room for _, _, text in slots for room in _rooms(text.text))
    pieces = [list(cut_pieces(page, text)) for _, _, text in slots]
    heads = (piece.head for found in pieces for piece in found if piece.talks and not piece.inside)
    rooms |= shared_rooms(_above_chair(head.text.strip(" |")) for head in heads)
    are_named = any(talk.authors for found in pieces for piece in found for talk in piece.talks)
    for (day, time, text), found in zip(slots, pieces, strict=True):
        on, notes = date_of(day, year)
        moment = Moment(on, time.starts, time.ends, time.code, event, (*notes, *event_notes))
        for number in range(page.span(text)[0], page.span(text)[1] + 1):
            document.lines.claim(number, _CELL_RULE)
        for whole in found:
            piece = whole if are_named else replace(whole, talks=tuple(map(_without_abstract, whole.talks)))
            if not are_named:
                yield from _mixed_abstracts(whole.talks)
            for rest in piece.rest:
                yield _reject(page, rest, "expected an abstract, and the next session on lines of its own")
            printed = _session(page, piece, rooms)
            if isinstance(printed, Reject):
                yield printed
            elif printed is not None:
                yield from session_records(printed, moment)


def _without_abstract(talk: PrintedTalk) -> PrintedTalk:
    """Return a talk whose abstract begins with its authors as one that has neither."""
    return replace(talk, paragraphs=())


def _mixed_abstracts(talks: Sequence[PrintedTalk]) -> Iterator[Reject]:
    """Reject the abstracts of a page that shows no authors above the label: they stand in front of the text, glued."""
    for talk in talks:
        if talk.paragraphs:
            expected = "expected authors above 'Abstract', found them in front of the text or nowhere"
            yield Reject(talk.line_start, talk.line_end, talk.paragraphs[0], "incomplete_item", expected)


def _slots(text: str, start: int, end: int) -> Iterator[tuple[TimeLine, int, int]]:
    """Yield the times of a cell, and where what stands below each begins and ends."""
    found = [
        mark for mark in _SLOT.finditer(text, start, end) if mark["time"].upper() != "TBA" or mark.start() - start < 3
    ]
    for mark, following in zip(found, [*found[1:], None], strict=False):
        time = read_time_line(mark["time"]) or TimeLine(None)
        yield time, mark.end(), following.start() if following else end


def _session(page: GluedPage, piece: Piece, rooms: frozenset[str]) -> PrintedSession | Reject | None:
    """Read the heading of a session; an item that cannot be parted is rejected."""
    text = piece.head.text.strip(" |")
    title, room = _part(_above_chair(text), rooms)
    chair = CHAIR.search(text)
    heading = read_session(title)
    if piece.inside:
        heading, room = SessionHeading(text, None), None
    elif piece.talks and room is None:
        heading = SessionHeading(text, None, code=heading.code, track=heading.track, keynote=heading.keynote)
    elif not text and not piece.talks:
        return None
    elif (room is None and not ITEM_TITLE.fullmatch(text)) or (
        chair and not piece.talks and _SEVERAL.search(text[chair.end() :])
    ):
        return _reject(page, piece.head, "expected title, room and chair on lines of their own")
    start, end = page.span(piece.head)
    return PrintedSession(
        line_start=start,
        line_end=end,
        heading=heading,
        room=room,
        chairs=_chairs(text[chair.end() :]) if chair else NOBODY,
        talks=piece.talks,
        session_type="Keynote" if heading.keynote else None,
    )


def _above_chair(text: str) -> str:
    """Return what stands in front of the label of a chair."""
    return text.partition(" Chair:")[0]


def _chairs(text: str) -> People:
    """Read the names behind the label of a chair; what else is glued to them makes them unknown."""
    return read_chairs(text) if looks_like_names(text) else NOBODY


def _part(text: str, rooms: frozenset[str]) -> tuple[str, str | None]:
    """Part a title from a room that is known, or that stands behind ``(agenda)``."""
    if (found := _AGENDA.search(text)) and _is_room(text[found.end() :]):
        return text[: found.start()], text[found.end() :]
    room = max((room for room in rooms if text.endswith(f" {room}")), key=len, default=None)
    return (text.removesuffix(room).rstrip(), room) if room else (text, None)


def _rooms(text: str) -> Iterator[str]:
    """Yield the rooms that stand alone behind ``(agenda)``."""
    for part in MARK.split(text):
        found = _AGENDA.search(part)
        room = part[found.end() :].strip(" |") if found else ""
        if _is_room(room):
            yield room


def _is_room(text: str) -> bool:
    """Say whether what stands alone behind ``(agenda)`` is a room and no more."""
    return 0 < len(text) <= _LONGEST_ROOM and not _NO_ROOM.search(text)


def _reject(page: GluedPage, text: Text, expected: str) -> Reject:
    """Reject what cannot be parted."""
    start, end = page.span(text)
    return Reject(start, end, text.text.strip(" |"), "incomplete_item", expected)
