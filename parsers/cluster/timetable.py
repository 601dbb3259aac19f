"""The programme of 2014, a page a day: a table of two columns, times with dots, talks with numbers; or its text.

    Wednesday 24 Sept                                   or in the address of the page alone
    11.00-12.30             PAPER SESSION 3 - Chair: Bea Sorn
    ROOM C                  STORES AND QUAYS
                            - 12.- Small Files
                            Ann One, Bo Two and Cy Three
    09.30-10.30             KEYNOTE - Chair: Bea Sorn
    PLENARY ROOM            Offloaded Tides
                            Ada Quill
    10.30-11.00             COFFEE BREAK
    11.30-13.00             TUTORIAL 2
                            SAILING BY NUMBERS
                            Ada Quill & Bo Two CANCELLED

Some texts glue the lines of a cell: what is in capitals behind a chair is the title of the session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from pathlib import PurePosixPath
from typing import Final

from parsers._contract import Document
from parsers._lines import record_rule
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.headings import read_session
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk
from parsers.cluster.names import looks_like_names, reads_as_person
from parsers.cluster.people import NOBODY, read_chairs
from parsers.cluster.records import session_records
from parsers.cluster.rows import SESSION_RULES, SLOT_RULE, Row, Rows, first_rows, is_markup, looked_at
from parsers.cluster.times import TimeLine, read_day, read_time_line
from parsers.cluster.wording import is_worded_as_room
from schemas.items import Item, Reject

EXPECTS: Final = (
    "times with dots such as '11.00-12.30', and 'PAPER SESSION 3 - Chair: ..' or talks such as '12.- Title'"
)

_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")
_TIME: Final = re.compile(r"(?P<time>\d{1,2}\.\d{2}(?:\s*[-–]\s*\d{1,2}\.\d{2})?)(?:\s+(?P<room>\D.{0,60}))?")
_TALK: Final = re.compile(r"(?P<number>\d{1,4})\.\s?-\s*(?P<title>\S.*)")
_CHAIRED: Final = re.compile(r"(?P<name>\S.{0,80}?)\s+[-–]\s+Chairs?\s*:\s*(?P<rest>\S.*)", re.IGNORECASE)
_MARKS: Final = re.compile(
    r"\d{1,2}\.\d{2}\s*[-–]\s*\d{1,2}\.\d{2}.{0,400}?\s[-–]\s+Chairs?\s*:", re.IGNORECASE | re.DOTALL
)
# The beginning of a cell with a time, and the rest of a row that has one cell beside it.
_TIMED_CELL: Final = r">\s*(?:<[^<>]{1,200}>\s*){0,8}\d{1,2}\.\d{2}\s*[-–]\s*\d{1,2}\.\d{2}\b"
_TIMED: Final = re.compile(_TIMED_CELL)
_TWO_CELLS: Final = re.compile(
    rf"{_TIMED_CELL}[^<]*(?:<(?!/?t[dr]\b)[^<]*){{0,40}}</td>"
    r"\s*<td\b(?P<beside>[^<]*(?:<(?!td\b|/tr>)[^<]*){0,400})</tr>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"^[^<>]*>|<[^<>]*>")
_MOST_ALIKE: Final = 3
_MOST_ROWS: Final = 200
# One talk, its title in capitals, and who gives it.
_TUTORIAL: Final = re.compile(r"TUTORIAL(?: \w{1,3})?")
_PANEL: Final = re.compile(r"PANEL\b.*")
_CANCELLED: Final = re.compile(r"\s*\bCANCELL?ED\s*$")


@dataclass(slots=True)
class _Slot:
    """A time with its room, and the rows of the cell beside it."""

    head: list[Row]
    time: TimeLine | None
    room: str | None
    day: Day | None
    rows: list[Row] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """Say whether times with dots stand beside sessions with chairs behind a dash, or beside lines in capitals."""
    if is_markup(document):
        text = looked_at(document)
        return "program-session" not in text and (_MARKS.search(text) is not None or _in_capitals(text))
    rows = list(first_rows(document))
    times = [place for place, row in enumerate(rows) if _TIME.fullmatch(row.text)]
    if times and any(_CHAIRED.fullmatch(row.text) or _TALK.fullmatch(row.text) for row in rows):
        return True
    below = [rows[place + 1].text for place in times if place + 1 < len(rows)]
    columns = sum(row.cell and _is_room(row.text, None) for row in rows[: times[0]]) if times else 0
    return len(below) >= _MOST_ALIKE and columns < 2 and all(map(str.isupper, below))


def _in_capitals(page: str) -> bool:
    """Say whether a page has a table of two columns, times with dots beside what is written in capitals."""
    found = [_TAG.sub(" ", row["beside"]).split() for row in islice(_TWO_CELLS.finditer(page), _MOST_ROWS)]
    if len(found) < _MOST_ALIKE or len(found) < sum(1 for _ in islice(_TIMED.finditer(page), _MOST_ROWS)):
        return False  # few rows, or a grid with a column a room
    return all(words and words[0].isupper() and words[0].isalpha() for words in found[:_MOST_ALIKE])


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a day in its order, and what could not be read as rejects."""
    rows = Rows(document, lambda row: _TIME.fullmatch(row.text) is not None)
    masthead = rows.masthead
    first = _day_of(rows)
    days = [first] if first else []
    year = resolve_year(document, [*days, *(day for row in rows.body if (day := row.day))], masthead.years)
    event, event_notes = rows.edition((), year)
    yield from rows.claim_days(year)
    for slot in _cut(rows.body, first):
        time = slot.time or TimeLine(None)
        if time.impossible:
            yield rows.reject(slot.head[:1], "invalid_value", "expected a time of day that exists")
        rows.claim(slot.head, SLOT_RULE)
        on, notes = date_of(slot.day, year) if slot.day else (None, ())
        moment = Moment(on, time.starts, time.ends, None, event, (*notes, *event_notes))
        printed = _read(rows, slot)
        if isinstance(printed, Reject):
            yield printed
        elif printed is not None:
            yield from session_records(printed, moment)
    rows.settle()


def _day_of(rows: Rows) -> Day | None:
    """Return the day of the page: its title, the end of its address, or the nearest row above the table.

    Other rows above it may be days too: when the page was made, the other days in its menu.
    """
    titles = (part for title in rows.masthead.titles for part in re.split(r"\s+[-–|]\s+", title))
    addresses = (rows.document.facts.url or "", rows.document.path)
    parts = (PurePosixPath(address.rstrip("/")).stem.replace("-", " ").replace("_", " ") for address in addresses)
    nearest = (row.day for row in reversed(rows.top) if row.day)
    return next((day for text in (*titles, *parts) if (day := read_day(text.strip()))), next(nearest, None))


def _cut(body: Sequence[Row], day: Day | None) -> list[_Slot]:
    """Cut a page at its days and times; a room below a time stands in the same cell."""
    slots: list[_Slot] = []
    for row, below in zip(body, [*body[1:], None], strict=False):
        found = _TIME.fullmatch(row.text)
        if found:
            slots.append(_Slot([row], read_time_line(found["time"].replace(".", ":")), found["room"], day))
        elif row.day is not None:
            day = row.day
        elif slots and slots[-1].room is None and not slots[-1].rows and _is_room(row.text, below):
            slots[-1].room = row.text
            slots[-1].head.append(row)
        elif slots:
            slots[-1].rows.append(row)
    return slots


def _is_room(text: str, below: Row | None) -> bool:
    """Say whether a row below a time is its room: above a session with its chair, or worded as one, in capitals."""
    if not text.isupper() or _CHAIRED.fullmatch(text):
        return False
    above_session = below is not None and _CHAIRED.fullmatch(below.text) is not None
    return above_session or is_worded_as_room(text.title()) or text.endswith(" AREA")


def _read(rows: Rows, slot: _Slot) -> PrintedSession | Reject | None:
    """Read the cell beside a time; what is glued and cannot be parted is rejected."""
    if not slot.rows:
        return None
    first, *rest = slot.rows
    if not first.short:
        return rows.reject([first], "incomplete_item", "expected a title beside the time")
    found = _CHAIRED.fullmatch(first.text)
    name, chair, title = found["name"] if found else first.text, "", ""
    if found:
        chair, title = _part_capitals(found["rest"])
        if not all(reads_as_person(part.strip()) for part in re.split(r",|\band\b", chair.partition("(")[0])):
            return rows.reject([first], "incomplete_item", "expected the names of the chairs alone behind 'Chair:'")
    elif _is_glued(name):
        return rows.reject([first], "incomplete_item", "expected title and names on lines of their own")
    own = [first]
    solo = read_session(name).keynote is not None or _TUTORIAL.fullmatch(name) is not None
    while rest and not (title and solo) and _goes_on(title, rest[0]):
        title, own, rest = f"{title} {rest[0].text}".strip(), [*own, rest[0]], rest[1:]
    if not chair and rest and (label := rest[0].label) and ("chair" in label[0] or "moderator" in label[0]):
        chair, own, rest = label[1], [*own, rest[0]], rest[1:]
    talks = list(_solo(rows, title, own, rest) if solo else _talks(rows, rest))
    if solo and talks and title:
        own, title = own[:1], ""
    points = [] if talks else _points(name, rest)
    for place, row in enumerate([*own, *points]):
        rows.claim([row], SESSION_RULES[place] if talks else _ITEM_RULE)
    return PrintedSession(
        line_start=own[0].number,
        line_end=[*own, *points][-1].last,
        heading=read_session(f"{name}: {title}" if title else name),
        room=slot.room,
        chairs=read_chairs(chair, "") if chair else NOBODY,
        talks=tuple(talks),
        points=tuple(row.text for row in points),
    )


def _is_glued(text: str) -> bool:
    """Say whether a title in capitals goes on in small letters: other lines of its cell are glued to it."""
    first, *others = text.split()
    return first.isupper() and any(word.islower() or word.istitle() for word in others)


def _goes_on(title: str, row: Row) -> bool:
    """Say whether a row is the title of a session, in capitals, or the short name in brackets that goes on from it."""
    if not row.short or row.bullet or _TIME.fullmatch(row.text):
        return False
    return row.text.isupper() if not title else row.text.startswith("(") and row.text.endswith(")")


def _points(name: str, rest: Sequence[Row]) -> list[Row]:
    """Return what is printed of a session that lists no talks: the items of its list, who sits on a panel."""
    panel = _PANEL.fullmatch(name) is not None
    listed = takewhile(lambda row: row.bullet or (panel and reads_as_person(row.text.partition(",")[0])), rest)
    return [row for row in listed if row.short]


def _part_capitals(text: str) -> tuple[str, str]:
    """Part names from a title in capitals that is glued to them: ``Bea Sorn STORES AND QUAYS``."""
    words = text.split()
    place = len(words)
    while place > 1 and words[place - 1].upper() == words[place - 1] and not words[place - 1].endswith((".", ")")):
        place -= 1
    return " ".join(words[:place]), " ".join(words[place:])


def _talks(rows: Rows, below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the talks of a session, by their numbers or their authors: a title, and below it the authors."""
    for place, row in enumerate(below):
        found = _TALK.fullmatch(row.text)
        own, authors = _with_authors(below[place : place + 3])
        if found is None and not (row.bullet and authors and _are_authors(authors)):
            continue
        rows.claim(own, _TALK_RULE)
        title = " ".join(part.text for part in (own[:-1] if authors else own))
        yield PrintedTalk(
            row.number,
            own[-1].last,
            title[found.start("title") :] if found else title,
            authors=authors,
            number=found["number"] if found else None,
        )


def _with_authors(below: Sequence[Row]) -> tuple[list[Row], str | None]:
    """Return the rows of the talk that begins ``below``, and its authors; a title may go on below its first row."""
    title, *others = below
    after = list(takewhile(lambda row: not row.bullet and not _TALK.fullmatch(row.text), others))
    if len(after) > 1 and not _are_several(after[0].text) and _are_several(after[1].text):
        return [title, *after], after[1].text.rstrip(".")
    if after and looks_like_names(after[0].text):
        return [title, after[0]], after[0].text.rstrip(".") if _are_several(after[0].text) else after[0].text
    return [title], None


def _are_several(text: str) -> bool:
    """Say whether a row is the list of several authors."""
    return looks_like_names(text) and ("," in text or " and " in text)


def _are_authors(text: str) -> bool:
    """Say whether a row can only be an author list, where no number shows that a talk stands above it."""
    return _are_several(text) or reads_as_person(text)


def _solo(rows: Rows, title: str, own: Sequence[Row], below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the talk of a keynote or tutorial: its title, which may be in capitals above, and below it the speakers."""
    titled = own[-1] if title else below[0] if below else None
    rest = below if title else below[1:]
    if titled is None:
        return
    cancelled = bool(rest) and _CANCELLED.search(rest[0].text) is not None
    names = _CANCELLED.sub("", rest[0].text) if rest else ""
    named = bool(names) and looks_like_names(names)
    parts = [titled, rest[0]] if named else [titled]
    rows.claim(parts, _TALK_RULE)
    yield PrintedTalk(
        titled.number,
        parts[-1].last,
        titled.text,
        authors=names if named else None,
        notes=("cancelled",) if named and cancelled else (),
    )
