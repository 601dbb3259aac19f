"""Groups the elements of a Smart Program in HTML by talk, session and day.

```
<div class="date">Wednesday, June 16th</div>
<div class="session"><div class="heading"><span class="interval">..</span> <span class="title">..</span></div>
  <div class="session_chair">..</div><div class="room">..</div><div class="session_desc">..</div>
  <table class="talks"><tr class="talk"><td class="time">..</td><td><a name="talk:64974">..</a></td></tr></table></div>
<div class="session"><div class="coffeebreak"><span class="interval">..</span><span class="title">..</span></div></div>
```

Parts are recognised by class, in page order, however deep an unclosed tag has put them; inside a talk or a heading
their order does not matter. Nothing is read or claimed here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from parsers.easychair.elements import PLAIN, Element, Part, is_inside, part_of

_TALK_NAME: Final = re.compile(r"talk:(\d+)")
_TALK_LINK: Final = re.compile(r"#talk:(\d+)$")
_CELLS: Final = frozenset({"td", "th"})
_OF_TALK: Final = frozenset(
    {Part.TIME, Part.DURATION, Part.AUTHORS, Part.AFFILIATION, Part.PRESENTER, Part.ABSTRACT, Part.ABSTRACT_LABEL}
)

_BREAK: Final = "interval_session"
"""The class that marks a break in other programs."""

Parts = dict[Part, list[Element]]


@dataclass(slots=True)
class TalkParts:
    """The elements of a talk: first and last, its row if it has one, its number on the page."""

    first: Element
    last: Element
    row: Element | None = None
    native_id: str | None = None
    parts: Parts = field(default_factory=dict)

    def add(self, part: Part, element: Element) -> None:
        """Add an element."""
        self.parts.setdefault(part, []).append(element)
        self.last = element


@dataclass(slots=True)
class SessionParts:
    """The elements of a session or break and its talks; ``first`` is None for talks outside any session."""

    first: Element | None = None
    last: Element | None = None
    is_break: bool = False
    parts: Parts = field(default_factory=dict)
    talks: list[TalkParts] = field(default_factory=list)

    def add(self, part: Part, element: Element) -> None:
        """Add an element."""
        self.parts.setdefault(part, []).append(element)
        self.last = element


@dataclass(slots=True)
class DayParts:
    """A day: its heading, None above the first one, and its sessions."""

    heading: Element | None = None
    sessions: list[SessionParts] = field(default_factory=list)


def find_days(content: Element) -> list[DayParts]:
    """Return the days of a page with their sessions and talks, in page order; the first day may be empty."""
    walk = _Walk()
    for element in content.iter("*"):
        classes, talk = element.get("class"), walk.talk
        part = part_of(classes) if classes not in PLAIN else None
        if part is None:
            if talk is not None and talk.native_id is None and element.tag == "a":
                talk.native_id = _name_of(element)
        elif part not in _OF_TALK:
            walk.take(part, element)
        elif talk is not None and part not in talk.parts:  # nearly always
            talk.add(part, element)
        else:
            walk.take_of_talk(part, element)
    return walk.days


def linked_talk(talk: TalkParts) -> tuple[str, str] | None:
    """Return target and number of the link from a talk to its abstract, which an index page has on a day page."""
    for title in talk.parts.get(Part.TITLE, ()):
        for link in title.iter("a"):
            if found := _TALK_LINK.search((link.get("href") or "").strip()):
                return found.string, found[1]
    return None


def _name_of(element: Element) -> str | None:
    """Return the number of a talk from the name or id of an element."""
    found = _TALK_NAME.fullmatch(element.get("name") or element.get("id") or "")
    return found[1] if found else None


class _Walk:
    """Goes through the parts of a page and keeps track of day, session and talk."""

    def __init__(self) -> None:
        """Begin above the first day."""
        self.days = [DayParts()]
        self.session: SessionParts | None = None
        self.talk: TalkParts | None = None

    def take(self, part: Part, element: Element) -> None:
        """Take the next part of the page that does not belong to a talk."""
        match part:  # the frequent ones first
            case Part.TALK:
                self._begin_talk(element, row=element)
            case Part.TITLE:
                self._take_title(element)
            case Part.DATE:
                self._begin_day(element)
            case Part.SESSION:
                self._begin_session(element)
            case Part.BREAK | Part.HEADING:
                self._take_heading(part, element)
            case _:
                self._take_detail(part, element)

    def _begin_day(self, element: Element) -> None:
        """Begin a day; a date inside a session repeats what its day says."""
        first = self.session.first if self.session is not None else None
        if first is None or not is_inside(element, first):
            self.days.append(DayParts(element))
            self.session = self.talk = None

    def _begin_session(self, element: Element | None) -> SessionParts:
        """Begin a session, or with None a container for talks outside any session."""
        is_break = element is not None and _BREAK in (element.get("class") or "").split()
        self.session, self.talk = SessionParts(element, element, is_break), None
        self.days[-1].sessions.append(self.session)
        return self.session

    def _take_heading(self, part: Part, element: Element) -> None:
        """Take the heading of a session, and begin the session if its own start is lost."""
        session = self.session
        if session is None or session.talks or session.parts.keys() & {Part.HEADING, Part.BREAK}:
            session = self._begin_session(element)
        session.is_break = session.is_break or part is Part.BREAK
        session.add(part, element)

    def _begin_talk(self, element: Element, row: Element | None) -> TalkParts:
        """Begin a talk; a break owns only talks inside it."""
        session = self.session
        if session is None:
            session = self._begin_session(None)
        elif session.is_break and not session.talks and session.first is not None:
            session = session if is_inside(element, session.first) else self._begin_session(None)
        self.talk = TalkParts(element, element, row, _name_of(element))
        session.talks.append(self.talk)
        return self.talk

    def _take_title(self, element: Element) -> None:
        """Take a title: of the open talk, else of the session; a second one is left unclaimed."""
        owner = self.talk or self.session
        if owner is not None and Part.TITLE not in owner.parts:
            owner.add(Part.TITLE, element)

    def _take_detail(self, part: Part, element: Element) -> None:
        """Take a part of the session; an interval inside a talk's row is the talk's, a second one is left unclaimed."""
        session, talk = self.session, self.talk
        if part is Part.INTERVAL and talk is not None:
            if talk.row is not None and is_inside(element, talk.row):
                talk.add(Part.TIME, element)
        elif session is not None and not (part is Part.INTERVAL and part in session.parts):
            session.add(part, element)

    def take_of_talk(self, part: Part, element: Element) -> None:
        """Take a part of a talk; a time begins the talk if the start of its row is lost."""
        talk = self.talk
        if talk is None and element.tag not in _CELLS and part in (Part.TIME, Part.DURATION):
            if self.session is not None:
                self._take_detail(Part.INTERVAL if part is Part.TIME else part, element)
            return
        if talk is None or (part is Part.TIME and part in talk.parts):
            talk = self._begin_talk(element, row=None)
        talk.add(part, element)


def elements_of(day: DayParts) -> Iterator[Element]:
    """Yield the outer elements of a day: its heading, its sessions, the talks outside any session."""
    if day.heading is not None:
        yield day.heading
    for session in day.sessions:
        if session.first is not None:
            yield session.first
        for talk in session.talks:
            if session.first is None or not is_inside(talk.first, session.first):
                yield talk.first
