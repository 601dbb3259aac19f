"""The printed pieces of a session or talk, read from its elements.

```
<span class="interval">09:00-10:30</span> <span class="title">Session 2A: Slicing</span>
<td class="time">09:00</td>      or, on pages that only look like a Smart Program, <td class="time">09:00 – 09:20</td>
<div class="abstract"><p>ABSTRACT. How to slice.</p><p>And why.</p></div>
```

Nothing is claimed here; ``sections`` finds which elements belong together.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import time
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import urljoin

from parsers._ledger.elements import last_line_of, line_of
from parsers._ledger.lines import Boilerplate
from parsers._words.dates import CLOCK, DASH, clock
from parsers._words.text import NOBODY, People
from parsers.easychair.elements import Element, Part, lines_in, paragraphs_in, text_in, title_in
from parsers.easychair.headings import ABSTRACT, read_interval, read_label, read_title
from parsers.easychair.items import PrintedSession, PrintedTalk
from parsers.easychair.names import people_in
from parsers.easychair.people import people_of
from parsers.easychair.sections import SessionParts, TalkParts, linked_talk

DURATION: Final = Boilerplate(
    {"duration": r"\W?(?:Duration:? )?(?:\d{1,3} ?(?:minutes?|mins?|m|hours?|hrs?|h)?\.? ?){1,2}\W?"}
)

LABEL: Final = re.compile(r"(?:[^\W\d_][^\d:]{0,60})?:?")
"""A role word or the word for a room; any word is possible."""

_TIMES: Final = re.compile(rf"(?P<starts>{CLOCK})(?:\s*{DASH}\s*(?P<ends>{CLOCK}))?", re.IGNORECASE)
_LABEL: Final = re.compile(r"[^:]{1,40}:\s*")
_PRESENTER: Final = re.compile(r"\A\s*(?:SPEAKER|PRESENTER)S?\s*:?\s*", re.IGNORECASE)
_NO_CLOCK: Final = "expected a time of day HH:MM"
_NO_INTERVAL: Final = "expected two times of day HH:MM-HH:MM"
_NO_TITLE: Final = "expected a title"

Fault = tuple[str, str]
"""Why a heading is unusable: a text for people, and the code of the reason."""


class ReadTalk(NamedTuple):
    """A talk, and the reason if it is not valid; its start counts for its neighbours either way."""

    printed: PrintedTalk
    fault: str | None


@lru_cache(maxsize=4096)
def read_times(text: str) -> tuple[time | None, time | None]:
    """Read a time of day or an interval; None for a missing or invalid time."""
    found = _TIMES.fullmatch(text)
    if found is None:
        return None, None
    return clock(found["starts"]), clock(found["ends"]) if found["ends"] else None


def read_talk(talk: TalkParts, url: str | None) -> ReadTalk:
    """Read the pieces of a talk; ``url`` is the address of its page."""
    parts = talk.parts
    when = " ".join(filter(None, map(text_in, parts[Part.TIME]))) if Part.TIME in parts else ""
    starts, ends = read_times(when)
    title = title_in(parts[Part.TITLE][0]) if Part.TITLE in parts else ""
    presenter = _read_presenter(parts[Part.PRESENTER]) if Part.PRESENTER in parts else None
    paragraphs = _read_abstract(parts[Part.ABSTRACT]) if Part.ABSTRACT in parts else ()
    fault = None
    if when and starts is None:
        fault = _NO_CLOCK
    elif not title and not paragraphs and presenter is None:
        fault = _NO_TITLE
    line_start, line_end = line_of(talk.first), last_line_of(talk.last)
    link = linked_talk(talk)
    native_id = talk.native_id or (link[1] if link else None)
    printed = PrintedTalk(
        line_start=line_start if line_end else None,
        line_end=line_end,
        starts=starts,
        ends=ends,
        authors=people_in(parts[Part.AUTHORS], parts.get(Part.AFFILIATION, ())) if Part.AUTHORS in parts else NOBODY,
        title=title or None,
        presenter=presenter,
        paragraphs=paragraphs,
        native_id=native_id,
        url=_address_of(url, native_id, link) if url and native_id else None,
    )
    return ReadTalk(printed, fault)


def _address_of(url: str, native_id: str, link: tuple[str, str] | None) -> str:
    """Return the address of a talk: the same on its day page and on the index page, which links to it."""
    if link is not None and link[1] == native_id:
        with suppress(ValueError):  # an invalid link target
            return urljoin(url, link[0])
    return f"{url}#talk:{native_id}"


def read_session(session: SessionParts, talks: Sequence[ReadTalk]) -> tuple[PrintedSession | None, Fault | None]:
    """Read the pieces of a session, None if there is none, and the reason if its heading is unusable."""
    if session.first is None or session.last is None:
        return None, None
    starts, ends, code, title = _read_heading(session)
    fault = (_NO_INTERVAL, "invalid_value") if starts is None or ends is None else None
    if starts is None and talks and all(talk.printed.starts for talk in talks):
        starts = talks[0].printed.starts  # puts its talks on the day all the same
    line_start, line_end = line_of(session.first), last_line_of(session.last)
    printed = PrintedSession(
        line_start=line_start if line_end else None,
        line_end=line_end,
        title=title or None,
        code=code,
        track=_read_group(session),
        starts=starts,
        ends=ends,
        is_break=session.is_break,
        chairs=_read_chairs(session),
        room=_read_room(session),
        description=tuple(paragraphs_in(session.parts.get(Part.DESCRIPTION, ()))),
    )
    return printed, fault


def unread_wrappers(session: SessionParts) -> frozenset[Part]:
    """Return the parts of a session that are not read themselves, since other parts inside them are."""
    parts = session.parts
    unread = {Part.HEADING, Part.BREAK} if Part.INTERVAL in parts or _is_blank(_heading_of(session)) else set()
    unread |= {Part.CHAIR} if Part.CHAIR_NAMES in parts else set()
    unread |= {Part.ROOM} if Part.ROOM_NAME in parts else set()
    return frozenset(unread)


def _read_heading(session: SessionParts) -> tuple[time | None, time | None, str | None, str]:
    """Return times, code and title: from their own elements, else from the heading's text, else from attributes."""
    parts, heading = session.parts, _heading_of(session)
    text = text_in(heading) if heading is not None and Part.INTERVAL not in parts else ""
    title = title_in(parts[Part.TITLE][0]) if Part.TITLE in parts else ""
    whole = read_interval(f"{text} {title}".strip()) if text else None
    if whole is not None:
        return whole.starts, whole.ends, whole.code, whole.title
    if Part.INTERVAL in parts:
        starts, ends = read_times(text_in(parts[Part.INTERVAL][0]))
    else:
        starts, ends = (clock(_attribute(session.first, name)) for name in ("data-start", "data-end"))
    return starts, ends, *read_title(title or text)


def _heading_of(session: SessionParts) -> Element | None:
    """Return the element around the heading of a session or break."""
    return next(iter(session.parts.get(Part.HEADING, session.parts.get(Part.BREAK, ()))), None)


def _attribute(element: Element | None, name: str) -> str:
    """Return an attribute of an element, empty if there is none."""
    return (element.get(name) or "") if element is not None else ""


def _is_blank(element: Element | None) -> bool:
    return element is None or not text_in(element)


def _read_chairs(session: SessionParts) -> People:
    """Return the chairs, of all roles on the page."""
    names = session.parts.get(Part.CHAIR_NAMES)
    if names is not None:
        return people_in(names)
    lines = [line for element in session.parts.get(Part.CHAIR, ()) for line in lines_in(element)]
    found = [label[1] if (label := read_label(line)) else _LABEL.sub("", line, count=1) for line in lines]
    return people_of(filter(None, found))


def _read_room(session: SessionParts) -> str | None:
    """Return the name of the room."""
    names = session.parts.get(Part.ROOM_NAME)
    if names is not None:
        return text_in(names[0]) or None
    lines = [line for element in session.parts.get(Part.ROOM, ()) for line in lines_in(element)]
    return next((_LABEL.sub("", line, count=1) for line in lines), None) or None


def _read_group(session: SessionParts) -> str | None:
    """Return the event of a session on a page of several events; it becomes the track."""
    groups = session.parts.get(Part.GROUP)
    return text_in(groups[0]) or None if groups is not None else None


def _read_presenter(elements: Sequence[Element]) -> str | None:
    """Return the names after the labels, each once, joined by commas; None if there are none."""
    names = (_PRESENTER.sub("", text_in(element), count=1) for element in elements)
    return ", ".join(dict.fromkeys(filter(None, names))) or None


def _read_abstract(elements: Sequence[Element]) -> tuple[str, ...]:
    """Return the paragraphs without their label."""
    first, *others = paragraphs_in(elements) or [""]
    if first.startswith(ABSTRACT):
        first = first.removeprefix(ABSTRACT).strip()
    return tuple(filter(None, (first, *others)))
