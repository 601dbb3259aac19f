"""Programmes of sister conferences whose talks are numbered and have times of their own; as page or as text.

    Monday, 14 July 2031
    Session 1                                        a title, and below it its time
    10:30 - 12:00
    Chair: Bea Sorn (Norwick, Ruritania)             the last comma parts the country
    1. 10:30 - 11:00 Small Files [slide]
    Authors: Ann One, Bo Two (Plum)
    Lunch Break
    12:00 - 13:30

They are not CLUSTER's: an edition is named only where the page names one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from parsers._contract import Document
from parsers._dates import CLOCK, DASH
from parsers._lines import record_rule
from parsers._text import person_with_country
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.cells import Row, first_rows, is_markup, looked_at
from parsers.cluster.headings import PEOPLE_LIST, PLACEHOLDER, read_session
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk
from parsers.cluster.names import looks_like_names
from parsers.cluster.people import NOBODY, People
from parsers.cluster.records import session_records
from parsers.cluster.rows import SESSION_RULES, Rows
from parsers.cluster.times import TimeLine, later, on_twelve_hours, read_range
from parsers.cluster.wording import ITEM_TITLE
from schemas.items import Item

EXPECTS: Final = (
    "talks such as '1. 10:30 - 11:00 Title', 'Authors: ..' below them, titles of sessions above their times"
)

_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")
_RANGE: Final = rf"(?P<starts>{CLOCK})\s*{DASH}\s*(?P<ends>{CLOCK})"
_TALK: Final = re.compile(rf"{_RANGE}\s*[:.]?\s+(?P<title>\S.*)", re.IGNORECASE)
_TALK_IN_PAGE: Final = re.compile(
    rf"<(?:li|(?P<typed>p|div|td|br))\b[^>]{{0,200}}>\s*(?:<[^>]{{1,200}}>\s*){{0,4}}(?(typed)\d{{1,3}}\.\s+){_RANGE}",
    re.IGNORECASE,
)
_BETWEEN_CHAIRS: Final = re.compile(r"(?<=\))\s*(?:[,;&]\s*)?(?:and\s+)?(?=\S)")
_AUTHORS: Final = re.compile(r">?\s*Authors?\s*:", re.IGNORECASE)


@dataclass(slots=True)
class _Section:
    """A title with its time, and the rows below it."""

    day: Day | None
    title: Row
    time: Row | None = None
    rows: list[Row] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """Say whether talks have numbers and times, and authors below them."""
    if is_markup(document):
        return bool(_TALK_IN_PAGE.search(looked_at(document)) and _AUTHORS.search(looked_at(document)))
    rows = list(first_rows(document))
    talks = any(row.bullet and _TALK.fullmatch(row.text) for row in rows)
    return talks and any(_AUTHORS.match(row.text) for row in rows)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a programme in its order, and what could not be read as rejects."""
    rows = Rows(document, _is_part)
    sections, days = _cut(rows.body)
    if not sections:
        raise document.error(1, "declined", "expected titles of sessions above their times, found none")
    masthead = rows.masthead
    days = days or [day for row in rows.top if (day := row.day) is not None]
    year = resolve_year(document, days, masthead.years)
    event, event_notes = rows.edition((section.title.text for section in sections), year)
    yield from rows.claim_days(year)
    alone = days[0] if len(days) == 1 else None
    printed = [(section.day or alone, section.time.time if section.time else None) for section in sections]
    for section, (day, own), read in zip(sections, printed, on_twelve_hours(printed), strict=True):
        on, notes = date_of(day, year) if day else (None, ())
        time = read or TimeLine(None)
        if section.time and time.impossible:
            yield rows.reject([section.time], "invalid_value", "expected a time of day that exists")
        moment = Moment(on, time.starts, time.ends, None, event, (*notes, *event_notes))
        session = _read(rows, section)
        if read != own:
            session = replace(session, talks=tuple(_in_the_afternoon(talk, time) for talk in session.talks))
        yield from session_records(session, moment)
    rows.settle()


def _is_part(row: Row) -> bool:
    """Say whether a row is part of a programme."""
    return bool(row.time or row.day or row.label or _TALK.fullmatch(row.text) or _is_item(row))


def _cut(body: Sequence[Row]) -> tuple[list[_Section], list[Day]]:
    """Cut a programme at its titles: the rows above a time, and items that need none."""
    sections: list[_Section] = []
    days: list[Day] = []
    for place, row in enumerate(body):
        below = body[place + 1] if place + 1 < len(body) else None
        if day := row.day:
            days.append(day)
        elif below is not None and below.time and _is_title(row):
            sections.append(_Section(days[-1] if days else None, row, below))
        elif _is_item(row) and not row.bullet:
            sections.append(_Section(days[-1] if days else None, row))
        elif sections and row is not sections[-1].time:
            sections[-1].rows.append(row)
    return sections, days


def _is_item(row: Row) -> bool:
    """Say whether a row is the title of an item that needs no time: ``Opening``."""
    return row.short and ITEM_TITLE.fullmatch(row.text) is not None


def _is_title(row: Row) -> bool:
    """Say whether a row above a time can be a title."""
    return row.short and not (row.label or row.time or _TALK.fullmatch(row.text))


def _read(rows: Rows, section: _Section) -> PrintedSession:
    """Read what stands below a title."""
    own = [section.title, *([section.time] if section.time else ())]
    talks: list[PrintedTalk] = []
    chairs = NOBODY
    points: list[str] = []
    for above, row in zip((None, *section.rows), section.rows, strict=False):
        label, text = row.label or ("", "")
        if found := _TALK.fullmatch(row.text):
            talks.append(_talk(row, found))
            rows.claim([row], _TALK_RULE)
        elif label.startswith("author") and talks and talks[-1].authors is None:
            talks[-1] = replace(talks[-1], authors=text, line_end=row.last)
            rows.claim([row], _TALK_RULE)
        elif talks and above is not None and _goes_on(above, row):
            authors = f"{talks[-1].authors} {row.text}"
            talks[-1] = replace(talks[-1], authors=authors, line_end=row.last)
            rows.claim([row], _TALK_RULE)
        elif label == "abstract" and talks and text:
            talks[-1] = replace(talks[-1], paragraphs=(text,), line_end=row.last)
            rows.claim([row], _TALK_RULE)
        elif label and not talks and ("chair" in label or "moderator" in label):
            chairs = _chairs(text)
            own.append(row)
        elif not talks and PEOPLE_LIST.match(row.text):
            points.append(row.text)
            own.append(row)
    for place, row in enumerate(own):
        rows.claim([row], SESSION_RULES[min(place, len(SESSION_RULES) - 1)] if talks else _ITEM_RULE)
    return PrintedSession(
        line_start=own[0].number,
        line_end=own[-1].last,
        heading=read_session(section.title.text),
        chairs=chairs,
        points=tuple(points),
        talks=tuple(talks),
    )


def _goes_on(above: Row, row: Row) -> bool:
    """Say whether a row goes on with the authors of the row above it: their list is open at a comma, or at ``and``."""
    if row.bullet or row.label or not looks_like_names(row.text):
        return False
    listed = above.label is None or above.label[0].startswith("author")
    return listed and looks_like_names(above.text) and (above.text.endswith((",", ";")) or row.text.startswith("and "))


def _talk(row: Row, found: re.Match[str]) -> PrintedTalk:
    """Read the row of a talk."""
    starts, ends = read_range(found["starts"], found["ends"])
    return PrintedTalk(
        line_start=row.number,
        line_end=row.last,
        title=found["title"],
        starts=starts,
        ends=ends,
    )


def _in_the_afternoon(talk: PrintedTalk, session: TimeLine) -> PrintedTalk:
    """Return a talk of a session that goes on past noon on a clock of twelve hours."""
    noon = session.starts
    times = [
        moment if noon is None or moment is None or moment >= noon else later(moment)
        for moment in (talk.starts, talk.ends)
    ]
    return replace(talk, starts=times[0], ends=times[1])


def _chairs(text: str) -> People:
    """Read chairs whose brackets end with a country."""
    names = _BETWEEN_CHAIRS.split(text) if ")" in text else re.split(r"\s*,\s*|\s+and\s+", text)
    return People(tuple(person_with_country(name) for name in names if name and not PLACEHOLDER.fullmatch(name)))
