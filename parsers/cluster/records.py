"""From printed pieces to records: what a session, a talk and a programme item of these pages become.

    Session 1: Stores          its facts stand on its talks, or on itself where it lists none
    Keynote (2): Ada Quill     with a talk below, the speaker of that; else a record of its own
    Speaker: Ada Quill

The pieces are those of ``items``; nothing here knows where one stood on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from parsers._dates import DASH
from parsers._programme import Session, Talk, item_record, make_slot, talk_records
from parsers._text import join_paragraphs
from parsers._titles import Heading, kind_of_talk, read_heading
from parsers.cluster.comma_lists import names_institution
from parsers.cluster.headings import PLACEHOLDER, SessionHeading
from parsers.cluster.items import Moment, PrintedSession, PrintedTalk, item_kind
from parsers.cluster.names import reads_as_person
from parsers.cluster.people import NOBODY, People, read_authors, read_chairs, read_speaker
from schemas.items import Record

_talk_kind: Final = lru_cache(4096)(kind_of_talk)
_LETTERED: Final = re.compile(r"(?P<code>[A-Z]{1,2}\d{1,2}):\s+(?P<title>\S.*)")
_TYPE_WORD: Final = re.compile(r"[A-Za-z]+")
_KIND_OF_TYPE: Final = {
    "Workshop": "workshop",
    "Tutorial": "tutorial",
    "Panel": "panel",
    "Poster": "poster_session",
    "Break": "break",
    "Social": "social",
}
_SPEAKER: Final = re.compile(r"(?:(?:keynote|invited) )?(?:speaker|presenter)s?\s*:\s*(?P<names>\S.*)", re.IGNORECASE)
# The affiliation shows that a speaker stands in front of the title: words in capitals may be a title's own.
_SPEAKER_AND_TITLE: Final = re.compile(
    rf"(?P<speaker>(?P<name>[^:,()–—]{{5,60}}?)(?:, (?P<place>[^:–—]{{1,100}}?)| \([^()]{{1,100}}\)))(?:: | {DASH} )"
    r"(?P<title>\S.*)"
)
_TITLE_AND_SPEAKER: Final = re.compile(r"[“\"](?P<title>[^“”\"]+)[”\"],?\s+(?:by|[–—-])\s+(?P<speaker>\S.*)")
_WORD_OF_TITLE: Final = re.compile(r"Cancell?ed \w")


def session_records(printed: PrintedSession, moment: Moment) -> Iterator[Record]:
    """Yield the records of a session: its talks, or itself where it lists none."""
    slot, slot_notes = make_slot(moment.day, moment.starts, moment.ends, printed.room)
    heading = printed.heading
    code, title = _code_and_title(printed)
    printed, speaker = _part_speaker(printed)
    chairs = printed.chairs
    if heading is not None and heading.chair is not None and not chairs.persons:
        chairs = read_chairs(heading.chair, "")
    session = Session(
        title=title,
        code=code or moment.code,
        track=heading.track if heading else None,
        description="\n".join(printed.points) or None,
        chairs=chairs.persons or None,
        event=moment.event,
        slot=slot,
        notes=(*moment.notes, *slot_notes, *printed.notes, *chairs.notes, *(heading.notes if heading else ())),
    )
    if printed.talks:
        yield from _talks(printed, session, moment.session_type, speaker)
    elif heading is not None:
        yield _item(printed, heading, session, speaker)


def _part_speaker(printed: PrintedSession) -> tuple[PrintedSession, People]:
    """Part who gives a keynote from its programme points: ``Speaker: Ada Quill (Norwick)``."""
    keynote = printed.heading is not None and printed.heading.keynote is not None
    found = next((found for point in printed.points if (found := _SPEAKER.fullmatch(point))), None) if keynote else None
    if found is None:
        return printed, NOBODY
    points = tuple(point for point in printed.points if point != found[0])
    return replace(printed, points=points), read_speaker(found["names"])


def _code_and_title(printed: PrintedSession) -> tuple[str | None, str | None]:
    """Return code and title of a session; ``T1: Stores`` has a code where talks show that it is no title of one."""
    heading = printed.heading
    if heading is None:
        return None, None
    if printed.talks and heading.code is None and (found := _LETTERED.fullmatch(heading.title or "")):
        return found["code"], found["title"]
    return heading.code, heading.title


def _kind_of(title: str, tag: str | None, session_type: str | None) -> str:
    """Say what an item without talks is: by its tag and words, by a label, by the type that the page prints with it."""
    kind = item_kind(title, tag)
    if kind != "session":
        return kind
    return next((_KIND_OF_TYPE[word] for word in _TYPE_WORD.findall(session_type or "") if word in _KIND_OF_TYPE), kind)


def _talks(printed: PrintedSession, session: Session, slot_type: str | None, labelled: People) -> Iterator[Record]:
    """Yield the talks of a session; the one talk of a keynote without authors is the speaker's of the heading."""
    heading = printed.heading
    keynote = heading is not None and heading.keynote is not None
    kind = _talk_kind(session.title, heading.tag if heading else None, printed.session_type or slot_type)
    talks = [_talk(talk, kind, keynote=keynote) for talk in printed.talks]
    if heading is not None and len(talks) == 1:
        repeated = heading.about is not None and heading.about == talks[0].title
        speaker = talks[0].authors or labelled.persons or (None if repeated else _speaker(heading).persons or None)
        url = talks[0].url or (printed.url if keynote else None)
        talks = [talks[0]._replace(authors=speaker, presenter=printed.presenter, url=url)]
    for record, talk in zip(talk_records(session, talks), printed.talks, strict=True):
        if talk.about:
            described = "\n".join((*printed.points, *talk.about))
            yield record._replace(session_description=described)
        else:
            yield record


def _talk(printed: PrintedTalk, kind: str, *, keynote: bool) -> Talk:
    """Read the authors and the abstract of a talk."""
    people = NOBODY
    if printed.authors is not None and not PLACEHOLDER.fullmatch(printed.authors):
        people = read_speaker(printed.authors) if keynote else read_authors(printed.authors)
    placeholder = len(printed.paragraphs) == 1 and PLACEHOLDER.fullmatch(printed.paragraphs[0]) is not None
    # "Cancelled" with nothing but a blank behind it is a word of a talk's title, where items bear it as a mark
    heading = (
        read_heading(printed.title) if not _WORD_OF_TITLE.match(printed.title) else Heading(printed.title, None, ())
    )
    return Talk(
        line_start=printed.line_start,
        line_end=printed.line_end,
        title=heading.title,
        kind=kind,
        authors=people.persons or None,
        abstract=None if placeholder else join_paragraphs(printed.paragraphs),
        url=printed.url,
        starts=printed.starts,
        ends=printed.ends,
        native_id=printed.number,
        notes=(*printed.notes, *heading.notes, *people.notes, *(("abstract_placeholder",) if placeholder else ())),
    )


def _item(printed: PrintedSession, heading: SessionHeading, session: Session, labelled: People) -> Record:
    """Make the record of a session without talks."""
    heading, own_title = _part_title(heading)
    if heading.keynote is None:
        title = heading.title or heading.printed
        kind = _kind_of(title, heading.tag, printed.session_type)
        return _made(printed, session, title, kind)
    named = _speaker(heading)
    about = heading.about
    titled = bool(labelled.persons) and {person.name for person in named.persons} != {
        person.name for person in labelled.persons
    }
    speaker = labelled if titled else named
    if (named.persons and not titled) or about is None or PLACEHOLDER.fullmatch(about):
        about = heading.keynote
    record = _made(printed, session, own_title or about, "keynote")
    return record._replace(authors=speaker.persons) if speaker.persons else record


def _part_title(heading: SessionHeading) -> tuple[SessionHeading, str | None]:
    """Part the title of a keynote from its speaker: ``Keynote: Ada Quill (Norwick): The Quiet Arithmetic``."""
    if quoted := _TITLE_AND_SPEAKER.fullmatch(heading.about or ""):
        return replace(heading, about=quoted["speaker"]), quoted["title"]
    found = _SPEAKER_AND_TITLE.fullmatch(heading.about or "")
    if found is None or not reads_as_person(found["name"]):
        return heading, None
    if found["place"] and not names_institution(found["place"]):
        return heading, None
    return replace(heading, about=found["speaker"]), found["title"]


def _made(printed: PrintedSession, session: Session, title: str, kind: str) -> Record:
    """Make the record of an item under its title."""
    titled = session if session.title == title else replace(session, title=title)
    record = item_record(titled, printed.line_start, printed.line_end, kind)
    if printed.presenter or printed.url:
        return record._replace(presenter=printed.presenter, url=printed.url)
    return record


def _speaker(heading: SessionHeading) -> People:
    """Return who a keynote's heading names; nobody where it names a title, or nothing yet."""
    heading, _ = _part_title(heading)
    about = heading.about
    if about is None or PLACEHOLDER.fullmatch(about):
        return NOBODY
    name = about.partition("(")[0].partition(",")[0].strip()
    return read_speaker(about) if reads_as_person(name) else NOBODY
