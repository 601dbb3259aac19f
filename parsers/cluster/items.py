"""Turns the outline of a page into records: its year and edition, then the sessions and talks of its slots.

    Session 1: Stores          its facts are on its talks, or on its own record if it lists none
    Keynote (2): Ada Quill     with a talk below, the speaker of that talk; else a record itself
    Speaker: Ada Quill

The sessions come from ``parsers._grammar.builder``; nothing here depends on where a line was on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from functools import lru_cache
from typing import Final

from parsers._grammar.builder import Block, Ledger, SessionGroup, TalkGroup, span_of
from parsers._ledger.document import Document
from parsers._ledger.lines import LineClass, Rule, heading_rule
from parsers._words.dates import DASH
from parsers._words.programme import Session, Talk, item_record, make_slot, talk_records
from parsers._words.text import NOBODY, People, join_paragraphs
from parsers._words.titles import BareTitle, kind_of_item, kind_of_own_title, kind_of_talk, read_heading
from parsers._words.years import Day, Year, date_of, resolve_year
from parsers.cluster.chrome import Masthead, dates_by_weekday, name_edition
from parsers.cluster.headings import SOLO, SessionHeading, TimeLine, read_chair_label, read_room, read_session
from parsers.cluster.people import (
    BETWEEN_NAMES,
    PLACEHOLDER,
    join_lines,
    names_institution,
    read_authors,
    read_chairs,
    read_person,
    read_speaker,
    reads_as_person,
)
from schemas.items import Item, Record, Reject, Slot

_DAY: Final = heading_rule("day", 2)
_SLOT: Final = heading_rule("slot", 3)
_talk_kind: Final = lru_cache(4096)(kind_of_talk)
_LIST_MARK: Final = re.compile(r"^(?:\d{1,3}\.|[•◦▪‣·*–-])\s+")
# The source's number of a paper: "51.- Small Files".
_PAPER: Final = re.compile(r"(?P<number>\d{1,4})\.\s?-\s*(?=\S)")
_AUTHORS: Final = re.compile(r"authors\s*:", re.IGNORECASE)
_NAMES_GO_ON: Final = (",", ";", " and", "&", ":")
_LETTERED: Final = re.compile(r"(?P<code>[A-Z]{1,2}\d{1,2}|\d{1,2}[A-CE-H])(?::| [–-]) (?P<title>\S.*)")
_TYPE_WORD: Final = re.compile(r"[A-Za-z]+")
_KIND_OF_TYPE: Final = {
    "Workshop": "workshop",
    "Tutorial": "tutorial",
    "Panel": "panel",
    "Poster": "poster_session",
    "Break": "break",
    "Social": "social",
}
_SPOKEN_BY: Final = re.compile(
    r"(?:[\w-]+ ){0,3}(?:address|lecture|plenary|remarks|speech|talk)(?: \(?[\dIVX]{1,4}\)?)?\s*:\s*(?P<about>\S.*)",
    re.IGNORECASE,
)
"""``Special address: Ada Quill``: a session that is one talk, by its speaker."""
_SPEAKER: Final = re.compile(r"(?:(?:keynote|invited) )?(?:speaker|presenter)s?\s*:\s*(?P<names>\S.*)", re.IGNORECASE)
# The affiliation shows that a speaker precedes the title: capitalised words may belong to a title.
_SPEAKER_AND_TITLE: Final = re.compile(
    rf"(?P<speaker>(?P<name>[^:,()–—]{{5,60}}?)(?:, (?P<place>[^:–—]{{1,100}}?)| \([^()]{{1,100}}\)))(?:: | {DASH} )"
    r"(?P<title>\S.*)"
)
_TITLE_AND_SPEAKER: Final = re.compile(r"[“\"](?P<title>[^“”\"]+)[”\"],?\s+(?:by|[–—-])\s+(?P<speaker>\S.*)")
_WORD_OF_TITLE: Final = re.compile(r"Cancell?ed \w")


@dataclass(frozen=True, slots=True)
class Moment:
    """The context of everything below a time line, from day heading, time line and page."""

    day: date | None
    starts: time | None
    ends: time | None
    code: str | None
    event: str | None
    notes: tuple[str, ...]
    session_type: str | None = None


Placed = tuple[Moment, SessionGroup | Reject]
"""A session in its context, or the reject of one."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A page cut at its days and times: the lines above its programme, its day headings and its time lines.

    The year agrees with ``days``; a ``heading`` without one is a weekday. One of ``texts`` may name the edition.
    """

    ledger: Ledger
    masthead: Masthead
    times: Sequence[tuple[Block, TimeLine]]
    texts: Iterable[str]
    days: Sequence[Day] = ()
    headings: Sequence[tuple[Block, Day | None]] = ()
    weekdays: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Edition:
    """Year and name of a programme, notes on the name, and the date of each weekday that is printed without one."""

    year: Year
    event: str | None
    notes: tuple[str, ...]
    dates: Mapping[int, date]

    def moment(self, day: Day | None, time: TimeLine | None, weekday: int | None = None) -> Moment:
        """Return the context of what is printed below a day, or a mere weekday, and a time."""
        on, notes = None, self.year.notes
        if day is not None:
            on, notes = date_of(day, self.year)
        elif weekday is not None and (on := self.dates.get(weekday)) is None:
            notes = ("year_unknown",)
        time = time or TimeLine(None)
        return Moment(on, time.starts, time.ends, time.code, self.event, (*notes, *self.notes), time.session_type)


def read_outline(document: Document, outline: Outline, read: Callable[[Edition], Iterable[Placed]]) -> Iterator[Item]:
    """Yield the items of a page, whatever its layout: rejects of days and times, then what ``read`` finds in its slots.

    The year is that of all days together, the name of the edition needs the year, and a moment needs both.
    """
    masthead = outline.masthead
    titles = filter(None, (*masthead.titles, masthead.banner))
    year = resolve_year(document, outline.days, masthead.years, titles)
    event, notes = name_edition(document, masthead, outline.texts, year)
    for block, day in outline.headings:
        wrong = day is not None and "date_invalid" in date_of(day, year)[1]
        yield from _claim(outline.ledger, block, _DAY, "date_invalid" if wrong else None)
    for block, line in outline.times:
        yield from _claim(outline.ledger, block, _SLOT, "invalid_value" if line.impossible else None)
    dates = dates_by_weekday(masthead, year.value, outline.weekdays)
    for moment, part in read(Edition(year, event, notes, dates)):
        yield from [part] if isinstance(part, Reject) else session_records(part, moment)


def _claim(ledger: Ledger, block: Block, rule: Rule, wrong: str | None) -> Iterator[Reject]:
    """Claim the line of a day or a time; reject what does not exist."""
    ledger.claim(block, Rule(wrong, LineClass.REJECTED) if wrong else rule)
    if wrong:
        expected = "expected a day that exists" if rule is _DAY else "expected a time of day that exists"
        yield Reject(block.first, block.last, block.text, wrong, expected)


def session_records(part: SessionGroup, moment: Moment) -> Iterator[Record]:
    """Yield the records of a session: its talks, or itself if it lists none, not even ones that are held back."""
    room = _room(part.of("room", "above"))
    slot, slot_notes = make_slot(moment.day, moment.starts, moment.ends, room)
    title = _title(part)
    heading = read_session(title) if title else None
    points = tuple(block.text for block in part.of("point"))
    points, speaker = _part_speaker(heading, points)
    chairs = _chairs(part.of("chair"))
    if heading is not None and heading.chair is not None and not chairs.people:
        chairs = read_chairs(heading.chair, "")
    marks = ("cancelled",) if "mark" in part.blocks and not part.talks else ()
    code, name = _code_and_title(heading, has_talks=bool(part.talks))
    session = Session(
        title=name,
        code=code or moment.code,
        track=heading.track if heading else None,
        description="\n".join(points) or None,
        chairs=chairs.people or None,
        event=moment.event,
        slot=slot,
        notes=(*moment.notes, *slot_notes, *marks, *chairs.notes, *(heading.notes if heading else ())),
    )
    presenter = part.text("presenter")
    said = _SessionLines(heading, session, speaker, presenter.partition(":")[2].strip() if presenter else None)
    session_type = part.text("type")
    if part.talks:
        yield from _talks(part, said, session_type or moment.session_type)
    elif heading is not None and not part.withheld:
        yield _item(part, said, session_type)


@dataclass(frozen=True, slots=True)
class _SessionLines:
    """The contents of the lines of a session."""

    heading: SessionHeading | None
    session: Session
    speaker: People
    presenter: str | None


def _title(part: SessionGroup) -> str | None:
    """Return the title of a session, its name with the line below that continues it: ``SESSION 3`` and ``STORES``."""
    title = part.text("title")
    for block in part.of("sub"):
        title = (
            f"{title} {block.text}"
            if not title or title.endswith(":") or block.form == "BRA"
            else f"{title}: {block.text}"
        )
    return title


def _room(blocks: Sequence[Block]) -> str | None:
    """Return the name of the room; None if it is not known yet."""
    room = read_room(blocks[0].text) if blocks else None
    return None if room is None or PLACEHOLDER.fullmatch(room) else room


def _chairs(blocks: Sequence[Block]) -> People:
    """Read the chairs of a session: each label with the names beside it and on the lines below."""
    groups: list[tuple[str, str]] = []
    for block in blocks:
        text = block.text.removeprefix("(").removesuffix(")") if block.text.startswith("(") else block.text
        role, names = read_chair_label(text) or ("", block.text)
        names = names.removesuffix(".") if names.endswith(").") else names
        if groups and not role and (not groups[-1][1] or groups[-1][1].endswith(_NAMES_GO_ON)):
            groups[-1] = (groups[-1][0], f"{groups[-1][1]} {names}".strip())
        else:
            groups.append((role, names))
    people = [read_chairs(names.replace(" / ", ", ") if not role else names, role) for role, names in groups]
    if not people:
        return NOBODY
    persons = tuple(person for group in people for person in group.people)
    return People(persons, tuple(note for group in people for note in group.notes))


def _part_speaker(heading: SessionHeading | None, points: tuple[str, ...]) -> tuple[tuple[str, ...], People]:
    """Separate the speaker of a keynote from its programme points: ``Speaker: Ada Quill (Norwick)``."""
    keynote = heading is not None and heading.keynote is not None
    found = next((found for point in points if (found := _SPEAKER.fullmatch(point))), None) if keynote else None
    if found is None:
        return points, NOBODY
    return tuple(point for point in points if point != found[0]), read_speaker(found["names"])


def _code_and_title(heading: SessionHeading | None, *, has_talks: bool) -> tuple[str | None, str | None]:
    """Return code and title of a session; in ``T1: Stores`` there is a code only if the session has talks."""
    if heading is None:
        return None, None
    if has_talks and heading.code is None and (found := _LETTERED.fullmatch(heading.title or "")):
        return found["code"], found["title"]
    return heading.code, heading.title


def _kind_of(title: str, tag: str | None, session_type: str | None) -> str:
    """Return the kind of an item without talks: by its tag, label and words, or by the session type printed with it."""
    kind = kind_of_item(title, tag)
    if kind != "session":
        return kind
    return next((_KIND_OF_TYPE[word] for word in _TYPE_WORD.findall(session_type or "") if word in _KIND_OF_TYPE), kind)


def _talks(part: SessionGroup, said: _SessionLines, session_type: str | None) -> Iterator[Record]:
    """Yield the talks of a session; a single talk without authors gets the speaker in the heading."""
    heading, session = said.heading, said.session
    keynote = heading is not None and heading.keynote is not None
    kind = _talk_kind(session.title, heading.tag if heading else None, session_type)
    about = heading.printed.partition(": ")[2] if heading and len(part.talks) == 1 else None
    talks = [
        _talk(talk, kind, keynote=keynote or (bool(about) and about == talk.text("authors"))) for talk in part.talks
    ]
    if heading is not None and len(talks) == 1:
        repeated = heading.about is not None and heading.about == talks[0].title
        speaker = talks[0].authors or said.speaker.people or (None if repeated else _speaker(heading).people or None)
        url = talks[0].url or (part.url if keynote else None)
        end = _end_with_chair(part, talks[0]) if keynote or SOLO.fullmatch(heading.printed) else talks[0].line_end
        talks = [talks[0]._replace(authors=speaker, presenter=said.presenter, url=url, line_end=end)]
    for record, talk in zip(talk_records(session, talks), part.talks, strict=True):
        made = record
        if (halls := talk.of("hall")) and (room := _room(halls)):
            slots = made.slots or (Slot(),)
            made = made._replace(slots=tuple(slot._replace(room=room) for slot in slots))
        if texts := [block.text for block in talk.of("about")]:
            made = made._replace(session_description="\n".join((*filter(None, [session.description]), *texts)))
        yield made


def _end_with_chair(part: SessionGroup, talk: Talk) -> int | None:
    """Return the last line of a keynote: some years print its chair below its talk."""
    _, end = part.span
    return max(end, talk.line_end) if end is not None and talk.line_end is not None else talk.line_end


def _talk(part: TalkGroup, kind: str, *, keynote: bool) -> Talk:
    """Read the title, the authors and the abstract of a talk."""
    people = _authors(part.of("authors"), keynote=keynote)
    paragraphs = [block.text for block in part.of("paragraph")]
    placeholder = len(paragraphs) == 1 and PLACEHOLDER.fullmatch(paragraphs[0]) is not None
    title = " ".join(block.text for block in part.of("talk", "more"))
    number = None
    if part.blocks["talk"][0].form in {"NUM", "BUL"}:
        title = _LIST_MARK.sub("", title, count=1)
    elif part.blocks["talk"][0].form in {"NUB", "OPN"} and (found := _PAPER.match(title)):
        number, title = found["number"], title[found.end() :]
    # "Cancelled" followed by a space alone is a word of a talk's title; on items it is a mark
    heading = read_heading(title) if not _WORD_OF_TITLE.match(title) else BareTitle(title, None, ())
    first, last = part.span
    return Talk(
        line_start=first,
        line_end=last,
        title=heading.title,
        kind=kind_of_own_title(heading.title) or kind,
        authors=people.people or None,
        abstract=None if placeholder else join_paragraphs(paragraphs),
        url=part.url,
        starts=part.starts,
        ends=part.ends,
        native_id=number,
        notes=(
            *heading.notes,
            *people.notes,
            *(("cancelled",) if "off" in part.blocks else ()),
            *(("abstract_placeholder",) if placeholder else ()),
        ),
    )


def _authors(blocks: Sequence[Block], *, keynote: bool) -> People:
    """Read the authors of a talk: on one line, on several, or each as a list item."""
    texts = [block.text for block in blocks if not PLACEHOLDER.fullmatch(_LIST_MARK.sub("", block.text, count=1))]
    if not texts:
        return NOBODY
    # "Ann One." above "Authors: Bo Two, Cy Three" is the presenter
    first = max((place for place, text in enumerate(texts) if _AUTHORS.match(text)), default=0)
    texts = texts[first:]
    items = [_LIST_MARK.sub("", text, count=1) for text in texts]
    if all(block.form == "BUL" for block in blocks) and not any(len(BETWEEN_NAMES.split(item)) > 2 for item in items):
        return People(tuple(map(read_person, items)))
    text = join_lines(texts)
    return read_speaker(text) if keynote else read_authors(text)


def _item(part: SessionGroup, said: _SessionLines, session_type: str | None) -> Record:
    """Make the record of a session without talks."""
    heading, own_title = _part_title(said.heading or read_session(""))
    if heading.keynote is None:
        title = heading.title or heading.printed
        item = _made(part, said, title, _kind_of(title, heading.tag, session_type))
        return item._replace(authors=_speaker(heading).people or None)
    named = _speaker(heading)
    about = heading.about
    labelled = said.speaker
    titled = bool(labelled.people) and {person.name for person in named.people} != {
        person.name for person in labelled.people
    }
    speaker = labelled if titled else named
    if (named.people and not titled) or about is None or PLACEHOLDER.fullmatch(about):
        about = heading.keynote
    record = _made(part, said, own_title or about, "keynote")
    return record._replace(authors=speaker.people) if speaker.people else record


def _part_title(heading: SessionHeading) -> tuple[SessionHeading, str | None]:
    """Separate the title of a keynote from its speaker: ``Keynote: Ada Quill (Norwick): The Quiet Arithmetic``."""
    if quoted := _TITLE_AND_SPEAKER.fullmatch(heading.about or ""):
        return replace(heading, about=quoted["speaker"]), quoted["title"]
    found = _SPEAKER_AND_TITLE.fullmatch(heading.about or "")
    if found is None or not reads_as_person(found["name"]):
        return heading, None
    if found["place"] and not names_institution(found["place"]):
        return heading, None
    return replace(heading, about=found["speaker"]), found["title"]


def _made(part: SessionGroup, said: _SessionLines, title: str, kind: str) -> Record:
    """Make the record of an item with this title."""
    session = said.session
    titled = session if session.title == title else replace(session, title=title)
    first, last = span_of(part.own)
    record = item_record(titled, first, last, kind)
    return record._replace(presenter=said.presenter, url=part.url)


def _speaker(heading: SessionHeading) -> People:
    """Return the speaker in the heading of a keynote or talk; ``NOBODY`` if it names a title, or nothing yet."""
    if heading.about is None and (found := _SPOKEN_BY.fullmatch(heading.title or "")):
        heading = replace(heading, about=found["about"])
    heading, _ = _part_title(heading)
    about = heading.about
    if about is None or PLACEHOLDER.fullmatch(about):
        return NOBODY
    name = about.partition("(")[0].partition(",")[0].strip()
    return read_speaker(about) if reads_as_person(name) else NOBODY
