"""Turns the printed pieces of sessions and talks into records, the same for every kind of page.

```
A. One, B. Two and C. Three
Anna Vell (Moor University (MU), Esteria)
```

A reader fills ``PrintedSession`` and ``PrintedTalk`` with text as printed; here the pieces get their types: people,
times on their day, track, kind, notes.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from itertools import pairwise
from statistics import median_low
from typing import Final, NamedTuple

from parsers._words.people import is_like_name
from parsers._words.programme import Session, Talk, is_placeholder, item_record, make_slot, talk_records
from parsers._words.text import NOBODY, People, join_paragraphs, person_with_country
from parsers._words.titles import BareTitle, kind_of_item, read_heading, reads_as_title, split_track
from parsers._words.years import Day, Year, date_of
from schemas.items import Person, Record, Slot

_KEYNOTE: Final = re.compile(
    r"(?P<title>(?:\w+ )?Keynote[^:–]{0,20}?)\s*[:–]\s*(?P<name>[^()]+(?:\(.*)?)", re.IGNORECASE
)
_TOPIC: Final = re.compile(
    r"\b(?:(?![CK]l[eéi]ment)\w+(?:tions?|ics|ity|ments?|ware|ology|gence)|computing|learning|systems?|data|sciences?|clouds?|networks?"
    r"|algorithms?|graphs?|architectures?|parallel|performance|memory|storage|design|machines?|tools?|theory|logics?"
    r"|proofs?|programs?|programming|languages?|robots?|agents?|games?|security|privacy|safety|health|medicine|energy"
    r"|climate|society|economy|internet|web|blockchains?|exascale|intelligence|optimi[sz]ation|overview|review|survey"
    r"|models?|engineering|future|challenges?|research|industry|(?-i:AI|HPC|ML))\b",
    re.IGNORECASE,
)
_UNKNOWN: Final = re.compile(r"unknown|tb[acd]|\W*", re.IGNORECASE)
_DECORATION: Final = re.compile(r"\(|\[|ancel|ANCEL|ithdrawn|ITHDRAWN")
"""Found in any decoration of a title; without character sets, which would make the search slow."""
_DAYLESS: Final = frozenset({"date_invalid", "year_unknown"})
_LONGEST_TITLE: Final = 2000
"""A longer title, in characters, is taken as printed."""

_NICKNAMED: Final = re.compile(r"(?P<name>[^(),]+\([^\W\d_][^(),]{0,30}\)\s+[^\W\d_][^(),]*)(?P<place>\(.*)?")

# Separators between people; a degree or generation after a comma belongs to the name before it.
_JOINT: Final = re.compile(
    r"(?<!\s)(?:\s*+,\s++(?!(?:[JS]r|I{2,3}|IV|Ph\.? ?D|M\.?D|Esq)\.?(?=\s*+(?:[,(]|\Z)|\s++and\s))(?:and\s++)?"
    r"|\s++and\s++)"
)
_LAST_JOINT: Final = re.compile(r"(?:,|(?<=[\s,])and)\Z")
_BRACKET_OR_JOINT: Final = re.compile(rf"[()]|{_JOINT.pattern}")


@dataclass(frozen=True, slots=True)
class Setting:
    """The context from the page and its day: edition, date (None if unknown) and the notes of both."""

    event: str | None = None
    day: date | None = None
    notes: tuple[str, ...] = ()

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, with ``day_unknown`` if the day is unknown and no note says why."""
        if self.day is None and not _DAYLESS.intersection(self.notes):
            return (*self.notes, "day_unknown")
        return self.notes

    def on(self, day: Day, year: Year) -> "Setting":
        """Return the setting of a day, with the note ``date_invalid`` if it does not exist."""
        found, notes = date_of(day, year)
        return replace(self, day=found, notes=(*self.notes, *notes))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSession:
    """A session or break as printed; ``is_break`` is true if the page itself marks it as one."""

    line_start: int | None
    line_end: int | None
    title: str | None = None
    code: str | None = None
    track: str | None = None
    starts: time | None = None
    ends: time | None = None
    is_break: bool = False
    chairs: People = NOBODY
    room: str | None = None
    description: tuple[str, ...] = ()


class PrintedTalk(NamedTuple):
    """A talk as printed: authors, presenter and paragraphs of the abstract without their labels.

    A tuple for speed, like ``Talk``.
    """

    line_start: int | None
    line_end: int | None
    starts: time | None = None
    ends: time | None = None
    authors: People = NOBODY
    title: str | None = None
    presenter: str | None = None
    paragraphs: tuple[str, ...] = ()
    native_id: str | None = None
    url: str | None = None


def session_record(printed: PrintedSession, setting: Setting) -> Record:
    """Make the record of a session or break without talks."""
    if printed.title is None and printed.code is not None:
        printed = replace(printed, title=f"Session {printed.code}")
    session, tag = _session(printed, setting)
    title, authors = _split_keynote(session.title or "")
    kind = kind_of_item(session.title or "", tag, break_class=printed.is_break)
    record = item_record(session, printed.line_start, printed.line_end, kind)
    return record if title == record.title else record._replace(title=title or None, authors=authors)


def session_talks(printed: PrintedSession | None, talks: Sequence[PrintedTalk], setting: Setting) -> list[Record]:
    """Make the records of the talks of one session, in order; with None, of talks outside any session."""
    if printed is not None:
        session, tag = _session(printed, setting)
        return talk_records(session, [_talk(talk) for talk in talks], tag)
    # Sessions without headings follow each other: where time goes back or leaps, the next session begins.
    return [
        record
        for run in _forward_runs(talks)
        for record in talk_records(_no_session(run[0].starts, setting), [_talk(talk) for talk in run])
    ]


def _no_session(first: time | None, setting: Setting) -> Session:
    """Make the session of talks outside any session: only the day of its slot is ever used."""
    slot = Slot(datetime.combine(setting.day, first)) if setting.day and first else None
    return Session(event=setting.event, slot=slot, notes=setting.all_notes)


def _forward_runs(talks: Sequence[PrintedTalk]) -> list[list[PrintedTalk]]:
    """Return the runs of consecutive talks, none of which starts before the one above it, nor long after.

    A longer gap than usual contains a break: the end of the talk above it is then unknown.
    """
    starts = [60 * talk.starts.hour + talk.starts.minute for talk in talks if talk.starts is not None]
    gaps = [gap for first, second in pairwise(starts) if (gap := second - first) > 0]
    longest = 1.5 * median_low(gaps) if gaps else 0
    runs: list[list[PrintedTalk]] = []
    latest: int | None = None
    for talk in talks:
        begin = latest if talk.starts is None else 60 * talk.starts.hour + talk.starts.minute
        if not runs or (begin is not None and latest is not None and not 0 <= begin - latest <= longest):
            runs.append([])
        runs[-1].append(talk)
        latest = begin
    return runs


def _read_title(text: str) -> BareTitle:
    """Strip the decorations from a title; most titles have none, which a quick check shows."""
    decorated = len(text) <= _LONGEST_TITLE and _DECORATION.search(text) is not None
    return read_heading(text) if decorated else BareTitle(text.strip(), None, ())


def _session(printed: PrintedSession, setting: Setting) -> tuple[Session, str | None]:
    """Convert the pieces of a session to their types; also return the tag of its title."""
    heading = _read_title(printed.title or "")
    track, title = split_track(heading.title)
    slot, slot_notes = make_slot(setting.day, printed.starts, printed.ends, printed.room)
    session = Session(
        title=title or None,
        code=printed.code,
        track=track or printed.track,
        description="\n".join(printed.description) or None,
        chairs=printed.chairs.people or None,
        event=setting.event,
        slot=slot,
        notes=(*setting.all_notes, *heading.notes, *slot_notes, *printed.chairs.notes),
    )
    return session, heading.tag


def _talk(printed: PrintedTalk) -> Talk:
    """Convert the pieces of a talk to their types."""
    heading = _read_title(printed.title or "")
    authors, notes = printed.authors
    abstract = join_paragraphs(printed.paragraphs)
    if abstract is not None and is_placeholder(abstract):
        abstract, notes = None, (*notes, "abstract_placeholder")
    presenter = printed.presenter
    return Talk(
        line_start=printed.line_start,
        line_end=printed.line_end,
        title=heading.title or None,
        authors=authors or None,
        presenter=None if presenter is None or _UNKNOWN.fullmatch(presenter) else presenter,
        abstract=abstract,
        starts=printed.starts,
        ends=printed.ends,
        native_id=printed.native_id,
        url=printed.url,
        kind=heading.tag,
        notes=(*heading.notes, *notes),
    )


def _split_keynote(title: str) -> tuple[str, tuple[Person, ...] | None]:
    """Split ``Keynote 1: Anna Vell`` into title and speaker; a text that is no name becomes the title."""
    found = _KEYNOTE.fullmatch(title)
    if found is None:
        return title, None
    name = found["name"].strip()
    person = name.partition("(")[0].strip()
    if is_like_name(person) and not _TOPIC.search(person) and not reads_as_title(person):
        return found["title"], people_of((name,)).people or None
    return name, None


def split_people(line: str) -> list[str]:
    """Split a line of names at commas and ``and`` outside brackets; an unclosed bracket runs to the end."""
    name, opened, rest = line.partition("(")
    if not opened:
        return [stripped for part in _JOINT.split(line) if (stripped := part.strip())]
    if rest.endswith(")") and rest.find("(") < 0 and "," not in name and " and " not in name:
        return [line]
    parts, start, depth = [], 0, 0
    for found in _BRACKET_OR_JOINT.finditer(line):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth = max(0, depth - 1)
        elif not depth:
            parts.append(line[start : found.start()])
            start = found.end()
    parts.append(line[start:])
    return [stripped for part in parts if (stripped := part.strip())]


def people_of(lines: Iterable[str]) -> People:
    """Read the people from lines of names, each of which can end in a separator."""
    texts = [part for line in lines for part in split_people(_LAST_JOINT.sub("", line))]
    people = tuple(_read_person(text) if "(" in text else Person(text) for text in texts)
    return People(people, ("bracket_unclosed",) if any(map(_is_open, texts)) else ())


def _read_person(text: str) -> Person:
    """Read a name and the brackets after it; a nickname in brackets inside the name is part of the name."""
    found = _NICKNAMED.fullmatch(text)
    if found is None:
        return person_with_country(text)
    return person_with_country(f"_{found['place'] or ''}")._replace(name=found["name"].strip())


def _is_open(part: str) -> bool:
    """True if the bracket after a name is not closed at the end."""
    if "(" not in part or (part.endswith(")") and part.count("(") <= part.count(")")):
        return False
    found = _NICKNAMED.fullmatch(part)
    return found is None or found["place"] is not None
