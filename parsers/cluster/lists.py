"""The programme of 2017, as page or as text: keynotes with labels, sessions with lists of ``Authors. Title``.

    Keynote 1 : Offloaded Tides                  blanks before the colons
    Speaker : Ada Quill, Norwick
    Chair : Bea Sorn
    Abstract : We tell what the weather will be.
    Bio : Ada builds clocks.
    Session 1: Best Papers 1
    Chair : Cal Tern
    - Ann One, J.-P. Two and D. K. Three. Small Files, Large Regrets
    - (Short paper) Di Four. Cold Stores

The times stand in a grid of half hours that is drawn for the eye: they are not read, and what only the grid shows is
left to the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from parsers._contract import Document
from parsers._lines import record_rule
from parsers._years import Day, date_of, resolve_year
from parsers.cluster.cells import Row, first_rows, is_markup, looked_at
from parsers.cluster.headings import PEOPLE_LIST, read_session
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk
from parsers.cluster.names import looks_like_names
from parsers.cluster.people import NOBODY, People, read_chairs
from parsers.cluster.records import session_records
from parsers.cluster.rows import SESSION_RULES, SLOT_RULE, Rows
from parsers.cluster.times import TimeLine
from schemas.items import Item

EXPECTS: Final = "labels such as 'Chair : ' and below them lists of 'Authors. Title'"

_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")
_HEADING: Final = re.compile(
    r"(?:(?:keynote|session|panel|tutorial)\s+\w{1,4}|panel(?: discussion)?)\s*:\s*\S.{0,280}", re.IGNORECASE
)
_CHAIR: Final = re.compile(r"(?:chairs?|speakers?)\s+:", re.IGNORECASE)
_CHAIR_IN_PAGE: Final = re.compile(r"[\s>](?:chairs?|speakers?)\s+:", re.IGNORECASE)
_LONGEST_GROUP: Final = 40  # "Technical Sessions" below a biography
_TYPED_TAG: Final = re.compile(r"\s*</?[a-z]{1,10}>\s*")  # markup that was typed where text was meant
# The stop that closes an author list: not that of an initial, "J." or "D.K.", and not that of "Jr."
_SHORT_PAPER: Final = re.compile(r"^\(\s*short\s+paper\s*\)\s*", re.IGNORECASE)
_STOP: Final = re.compile(r"(?<![.\s-][^\W\d_])(?<!^[^\W\d_])(?<!\bJr)(?<!\bSt)\.\s+(?=\S)")


@dataclass(slots=True)
class _Section:
    """The heading of a keynote or session, the day and the time right above it, and the rows below it."""

    head: Row
    day: Day | None = None
    time: Row | None = None
    rows: list[Row] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """Say whether keynotes and sessions stand above labels with a blank before the colon."""
    if is_markup(document):
        known = "program-session" in looked_at(document)
        return not known and bool(_CHAIR_IN_PAGE.search(looked_at(document)) and "ession" in looked_at(document))
    rows = list(first_rows(document))
    return any(map(_CHAIR.match, (row.text for row in rows))) and any(_HEADING.fullmatch(row.text) for row in rows)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a programme in its order; their times are not known."""
    rows = Rows(document, lambda row: _HEADING.fullmatch(row.text) is not None)
    sections = _cut(rows.all)
    if not sections:
        raise document.error(1, "declined", "expected headings of sessions above the labels of chairs, found none")
    days = [day for row in rows.all if (day := row.day)]
    year = resolve_year(document, days, rows.masthead.years)
    event, notes = rows.edition((), year)
    if any(section.time for section in sections):
        yield from rows.claim_days(year)
    for section in sections:
        time = (section.time.time if section.time else None) or TimeLine(None)
        on, date_notes = date_of(section.day, year) if section.day and section.time else (None, ())
        moment = Moment(on, time.starts, time.ends, None, event, (*date_notes, *notes))
        rows.claim([section.time] if section.time else [], SLOT_RULE)
        yield from session_records(_read(rows, section), moment)
    rows.settle()


def _cut(body: Sequence[Row]) -> list[_Section]:
    """Cut a programme at its headings; a time is that of a heading where it stands right above, and in no grid."""
    sections: list[_Section] = []
    day: Day | None = None
    for above, row in zip([None, *body], body, strict=False):
        day = row.day if row.day and not row.cell else day
        if _HEADING.fullmatch(row.text) and not row.bullet and not row.cell:
            timed = above is not None and not above.cell and above.time is not None
            sections.append(_Section(row, day, above if timed else None))
        elif sections:
            sections[-1].rows.append(row)
    return sections


def _read(rows: Rows, section: _Section) -> PrintedSession:
    """Read a session, or a keynote whose labels say all."""
    heading = read_session(re.sub(r"\s+:", ":", section.head.text, count=1))
    own, chairs, talks, points = [section.head], NOBODY, list[PrintedTalk](), list[Row]()
    labels: dict[str, list[Row]] = {}
    last: list[Row] = []
    over = False  # below the list: what follows it may be a menu
    for row in section.rows:
        label, text = row.label or ("", "")
        if "chair" in label or "moderator" in label:
            chairs, last = _together(chairs, read_chairs(_TYPED_TAG.sub("", text), label)), []
            own.append(row)
        elif not heading.keynote and PEOPLE_LIST.match(row.text):
            points.append(row)
        elif label:
            last = labels.setdefault(label.rstrip("s"), [])
            last.append(row)
        elif last and heading.keynote and len(row.text) > _LONGEST_GROUP:
            last.append(row)
        elif not heading.keynote and (talk := _talk(row, listed=not over)):
            talks.append(talk)
            rows.claim([row], _TALK_RULE)
        else:
            over = over or bool(talks)
    if heading.keynote and heading.about:
        talks, own = [_keynote(rows, section.head, heading.about, labels)], own[1:]
        heading = read_session(heading.keynote)
    points = [] if talks else points
    own += points
    for place, row in enumerate(own):
        rows.claim([row], SESSION_RULES[place] if talks else _ITEM_RULE)
    return PrintedSession(
        line_start=section.head.number,
        line_end=own[-1].last if own else section.head.last,
        heading=heading,
        chairs=chairs,
        points=tuple(row.text for row in points),
        talks=tuple(talks),
    )


def _together(one: People, other: People) -> People:
    """Put the chairs of two labels together."""
    return People((*one.persons, *other.persons), (*one.notes, *other.notes))


def _keynote(rows: Rows, head: Row, title: str, labels: dict[str, list[Row]]) -> PrintedTalk:
    """Read a keynote: its title stands on its heading."""
    own = [head, *(row for below in labels.values() for row in below)]
    rows.claim(own, _TALK_RULE)
    speaker = " ".join(_texts(labels.get("speaker", []))) or None
    about = labels.get("bio") or labels.get("biography") or []
    return PrintedTalk(
        head.number,
        max((row.last for row in own if row.last is not None), default=None),
        title,
        authors=speaker,
        paragraphs=tuple(_texts(labels.get("abstract", []))),
        about=tuple(_texts(about)),
    )


def _texts(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the texts of a label and of the rows below it."""
    for row in rows:
        text = row.label[1] if row.label else row.text
        if text:
            yield text


def _talk(row: Row, *, listed: bool) -> PrintedTalk | None:
    """Read ``Authors. Title``; an item that cannot be split is all title where the list of talks is ``listed`` here."""
    text = _SHORT_PAPER.sub("", row.text)  # it stands before the authors: no part of the title
    for stop in _STOP.finditer(text):
        authors, title = text[: stop.start()], text[stop.end() :]
        if looks_like_names(authors):
            return PrintedTalk(row.number, row.last, title, authors=authors)
        break
    if not row.bullet or not listed or _TYPED_TAG.fullmatch(text):
        return None
    return PrintedTalk(row.number, row.last, text, notes=("authors_uncertain",))
