"""What every conference programme shares: years, days and slots, kinds of items, sessions and their talks.

A programme parser reads its own headings and hands the pieces over; here they become records. What a heading looks
like in any one source does not belong here.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from parsers._contract import Document
from parsers._dates import make_date
from schemas.items import Person, Record, Slot

YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

_JANUARY: Final = 1
_DECEMBER: Final = 12
_NIGHT_BEGINS: Final = time(17)
_NIGHT_ENDS: Final = time(6)

# First hit wins, in the order of the contract: a coffee break with posters is a break, a poster reception is social.
_ITEM_KINDS: Final = tuple(
    (kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for kind, words in (
        ("keynote", r"keynotes?"),
        ("social", r"receptions?|banquets?|dinners?|excursions?|socials?"),
        ("break", r"coffee|lunch(?:es)?|lunchtime|breakfasts?|tea|breaks?"),
        ("poster_session", r"posters?"),
        ("panel", r"panels?"),
        ("ceremony", r"opening|welcome|closing|awards?"),
    )
)
_TALK_KINDS: Final = tuple(
    (kind, re.compile(rf"\b{kind}s?\b", re.IGNORECASE)) for kind in ("keynote", "panel", "tutorial")
)

# What begins a title and no name, and the genitive, which no name has.
_TITLE_ONLY: Final = re.compile(
    r"(?:the|a(?!\.)|on|how|why|what|when|where|who|whose|is|are|from|to|towards?|beyond|against|after|before|between|we"
    r"|building|making|rethinking|revisiting|understanding|scaling|learning|designing|bridging|exploring|enabling"
    r"|taming|using|teaching|reasoning|thinking|solving|proving|trustworthy|responsible|sustainable|quantum|digital"
    r"|smart|human|open|big|deep|formal|generative|large|green)\b.*|.*['’]s\b.*",
    re.IGNORECASE,
)
_TAG = re.compile(r"\[(?P<tag>tutorial|workshop)\]\s*", re.IGNORECASE)
# The words of links, in the letters in which pages print them: a title can end in ``(Video)``.
_LINK: Final = r"(?:(?i:abstract)|PDF|pdf|paper|slides|video)"
_RESIDUE = re.compile(rf"(?:\(\s*(?i:agenda)\s*\)|\[\s*(?i:slides?)\s*\]|\(\s*{_LINK}(?:\s*,\s*{_LINK})*\s*\))\s*$")
_MARK: Final = r"\b(?P<word>cancell?ed|withdrawn)\b"
# Neither the tag after the mark nor a bracket of the title before it belongs to the mark.
_MARK_FIRST = re.compile(rf"(?P<opened>\W*){_MARK}(?P<gap>[^\w\[(]*)", re.IGNORECASE)
_MARK_LAST = re.compile(rf"{_MARK}\W*\Z", re.IGNORECASE)
_SET_OFF: Final = re.compile(r"[:!.|*()\[\]–—]|-\s|\s-")
_TRACK = re.compile(r"(?P<track>Track\s+[A-Z0-9][\w.]*)\s*[:–-]\s*(?P<title>\S.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Day:
    """A day heading as printed: the year is None where it prints none; ``weekday`` is 0 (Monday) to 6, or None."""

    line: int
    month: int
    day: int
    weekday: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Year:
    """The year of a programme and the notes that say how it was found; None where none was.

    A programme that ``turns`` begins in December, which is in that year, and ends in January of the next.
    """

    value: int | None
    notes: tuple[str, ...] = ()
    turns: bool = False

    def of(self, month: int) -> int | None:
        """Return the year of a month of the programme."""
        return self.value + 1 if self.value is not None and self.turns and month == _JANUARY else self.value


@dataclass(frozen=True, slots=True)
class Heading:
    """A title without its decorations, and what they said."""

    title: str
    tag: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session heading says; its talks inherit all of it. ``slot`` is None where no time and room are known."""

    title: str | None = None
    code: str | None = None
    track: str | None = None
    description: str | None = None
    chairs: tuple[Person, ...] | None = None
    event: str | None = None
    slot: Slot | None = None
    notes: tuple[str, ...] = ()


class Talk(NamedTuple):
    """One talk as printed; ``starts`` is its own time of day where it has one, ``ends`` likewise.

    A tuple, as one of many fields is made in less than half the time of a frozen dataclass.
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


def find_years(text: str) -> list[int]:
    """Return the years 19xx and 20xx named in ``text``, in order, each once; letters may touch them, digits not."""
    return list(dict.fromkeys(int(year) for year in YEAR.findall(text)))


def resolve_year(document: Document, days: Sequence[Day], in_page: Iterable[int]) -> Year:
    """Find the year of a programme whose headings print none.

    Asked in turn: sidecar ``year`` (which stands whatever the weekdays say), sidecar ``captured_at``, ``in_page`` (the
    years of title, acronym, links), the path, the years named in the text and those before them. The first that
    agrees with every printed weekday wins; where none does, the one that agrees with most. A year that only the text
    names needs a weekday that confirms it.
    """
    facts = document.facts
    turns = {day.month for day in days if day.year is None} == {_JANUARY, _DECEMBER}
    if facts.year is not None:
        return Year(facts.year, turns=turns)
    named = [captured.year] if (captured := facts.captured_at) else []
    named += [*in_page, *find_years(document.path)]
    weekdays = [day for day in days if day.weekday is not None and day.year is None]
    if turns:  # the year that is named can be that of either month
        named = [year for each in named for year in (each, each - 1)]
    candidates = list(dict.fromkeys(named))
    # A named year that agrees with all of them cannot be beaten: the text need not be searched.
    if weekdays and not any(all(_agrees(day, Year(year, turns=turns)) for day in weekdays) for year in candidates):
        nearby = (candidate for year in find_years(document.text) for candidate in (year, year - 1))
        candidates = list(dict.fromkeys([*named, *nearby]))
    agreeing = {year: sum(_agrees(day, Year(year, turns=turns)) for day in weekdays) for year in candidates}
    best = max(candidates, key=lambda year: agreeing[year], default=None)
    if best is None or (best not in named and not agreeing[best]):
        return Year(None, ("year_unknown",))
    return Year(best, ("year_inferred",), turns)


def date_of(day: Day, year: Year) -> tuple[date | None, tuple[str, ...]]:
    """Return the date of a day heading, or None, and the notes for everything on that day."""
    number = year.of(day.month) if day.year is None else day.year
    notes = year.notes if day.year is None else ()
    if number is None:
        return None, notes
    found = make_date(number, day.month, day.day)
    if found is None:
        return None, (*notes, "date_invalid")
    if day.weekday is not None and found.weekday() != day.weekday:
        return found, (*notes, "weekday_disagrees")
    return found, notes


def event_of(
    document: Document, printed: str | None, series: str | None, year: Year
) -> tuple[str | None, tuple[str, ...]]:
    """Return the edition: sidecar, else as printed, else series and year (``event_inferred``), else None."""
    if document.facts.event or printed:
        return document.facts.event or printed, ()
    if series is not None and year.value is not None:
        return f"{series} {year.value}", ("event_inferred",)
    return None, ()


def make_slot(
    day: date | None, starts: time | None, ends: time | None, room: str | None = None
) -> tuple[Slot | None, tuple[str, ...]]:
    """Put a printed interval on its day; None where neither a time nor a room is known.

    An end not after its start is the next day's for an interval that begins from 17:00 on and ends by 06:00; any
    other is dropped with note ``end_before_start``.
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


def read_heading(text: str) -> Heading:
    """Take the decorations of the closed list off a title: tags, link residue, the mark of a cancelled item."""
    whole, tag = text.strip(), None
    title = _without_mark(whole)
    is_marked = title != whole
    if found := _TAG.match(title):
        tag, untagged = found["tag"].lower(), title[found.end() :]
        title = _without_mark(untagged)
        is_marked = is_marked or title != untagged
    while title.endswith((")", "]")) and (shorter := _RESIDUE.sub("", title).rstrip()) != title:
        title = shorter
    return Heading(title, tag, ("cancelled",) if is_marked else ())


def _without_mark(title: str) -> str:
    """Take the mark of a cancelled or withdrawn item off either end of a title, where it is not a word of the title.

    A mark is set off by a bracket, a colon or a dash, or written in capitals; ``Canceled`` also stands before a title
    or a tag with nothing but a blank between.
    """
    lowered = title.lower()  # most titles have no mark, which a few letters tell faster than the patterns
    if "ancel" not in lowered and "thdrawn" not in lowered:
        return title.strip() or title
    kept = title
    if found := _MARK_FIRST.match(title):
        rest = title[found.end() :]
        glued = found["word"].startswith("C") and (rest[:1].isupper() or rest[:1] == "[")
        if glued or found["word"].isupper() or _SET_OFF.search(f"{found['opened']}{found['gap']}"):
            kept = rest
    if found := _MARK_LAST.search(kept):
        before = kept[: found.start()]
        shorter = before.rstrip(" \t:–—-([")
        if _SET_OFF.search(before[len(shorter) :]) or (found["word"].isupper() and before[-1:].isspace()):
            kept = shorter
    return kept.strip() or title


def reads_as_title(text: str) -> bool:
    """Say whether a few capitalised words, which may be a title or a name, are surely no name."""
    return _TITLE_ONLY.fullmatch(text) is not None


def split_track(title: str) -> tuple[str | None, str]:
    """Split ``Track 2.1: Scheduling`` into track and title; a title without a track is returned as it is."""
    found = _TRACK.fullmatch(title)
    return (found["track"], found["title"]) if found else (None, title)


def kind_of_item(title: str, tag: str | None = None, *, break_class: bool = False) -> str:
    """Say what a programme item without talks is, by its tag, its words, and the page's own class for breaks."""
    if tag is not None:
        return tag
    hits = (kind for kind, words in _ITEM_KINDS if words.search(title))
    return next(hits, "break" if break_class else "session")


@lru_cache(maxsize=1024)  # asked once a talk, answered by the session
def kind_of_talk(*headings: str | None) -> str:
    """Say what an item with authors or abstract is, by the title or type of its session."""
    text = " ".join(heading for heading in headings if heading)
    return next((kind for kind, word in _TALK_KINDS if word.search(text)), "paper")


def item_record(session: Session, line_start: int | None, line_end: int | None, kind: str) -> Record:
    """Make the record of a session that lists no talks: its title is the record's."""
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

    A talk without a time of its own has the session's slot (``time_is_session``); one with a start alone ends where
    the next talk that starts later begins, else where the session ends (``end_inferred``).
    """
    starts = [_on_session_day(session, talk.starts) for talk in talks]
    return [
        _talk_record(session, talk, begin, following, session_type)
        for talk, begin, following in zip(talks, starts, _next_later(starts), strict=True)
    ]


def _talk_record(
    session: Session, talk: Talk, begin: datetime | None, following: datetime | None, session_type: str | None
) -> Record:
    """Make the record of one talk; ``begin`` is its own start, ``following`` that of the next talk that is later."""
    slot, notes = _talk_slot(session, talk, begin, following)
    return Record(
        line_start=talk.line_start,
        line_end=talk.line_end,
        kind=talk.kind or kind_of_talk(session.title, session_type),
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


def _talk_slot(
    session: Session, talk: Talk, begin: datetime | None, following: datetime | None
) -> tuple[Slot | None, tuple[str, ...]]:
    """Work out when and where a talk is, and the notes that say how."""
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
    """For each start the first later one further down the page; linear, however many talks start together."""
    found: list[datetime | None] = [None] * len(starts)
    below: list[datetime] = []  # starts further down that are not hidden behind a nearer later one, nearest last
    for place in reversed(range(len(starts))):
        begin = starts[place]
        if begin is None:
            continue
        while below and below[-1] <= begin:
            below.pop()
        found[place] = below[-1] if below else None
        below.append(begin)
    return found


def _on_session_day(session: Session, clock: time | None) -> datetime | None:
    """Put a talk's time of day on its session's day; a talk after midnight is on the day after."""
    slot = session.slot
    if clock is None or slot is None or slot.starts_at is None:
        return None
    begin = _moment(slot.starts_at.date(), clock)
    overnight = slot.ends_at is not None and slot.ends_at.date() > slot.starts_at.date()
    return begin + timedelta(days=1) if overnight and begin < slot.starts_at else begin


def _moment(day: date, clock: time) -> datetime:
    """Put a time of day on a day; ``DAY_END`` is midnight of the next one."""
    moment = datetime.combine(day, clock)
    return moment.replace(fold=0) + timedelta(days=1) if clock.fold else moment


def _agrees(day: Day, year: Year) -> bool:
    """Say whether the printed weekday is that of the day in this year."""
    number = year.of(day.month)
    found = make_date(number, day.month, day.day) if number is not None else None
    return found is not None and found.weekday() == day.weekday


@lru_cache(maxsize=1024)  # the talks of a page have few different notes
def _unique(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Sort note codes and leave out repeats."""
    return tuple(sorted(set(notes)))
