"""The elements of a Smart Program in HTML: the part of each by its class, grouped by talk, session and day.

```
<div class="date">Wednesday, June 16th</div>
<div class="session"><div class="heading"><span class="interval">..</span> <span class="title">..</span></div>
  <div class="session_chair">..</div><div class="room">..</div><div class="session_desc">..</div>
  <table class="talks"><tr class="talk"><td class="time">..</td><td><a name="talk:64974">..</a>
    <div class="title">Slow Slicing <span style="white-space:nowrap">(<a href="..">abstract</a>)</span>
    <div class="presenter">PRESENTER: <a class="person" href="..">Anna Vell</a></div>     the title was never closed
  </td></tr></table></div>
<div class="session"><div class="coffeebreak"><span class="interval">..</span><span class="title">..</span></div></div>
```

Parts are recognised by class, on pages of all years, in page order, however deep an unclosed tag has put them; inside a
talk or a heading their order does not matter. A part never includes the text of another part, even one that an unclosed
tag has put inside it. What the text means is read elsewhere (``pieces``).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._ledger.elements import raw_text_of
from parsers._ledger.lines import LineClass, Rule
from parsers._ledger.page import Page

Element = etree._Element

StandIn = Callable[[Element], str | None]
"""Returns the text to use instead of an element's own; None to read the element itself."""


class Part(IntEnum):
    """The part of an element by its class; a number, because it is looked up for every element of a page."""

    DATE = auto()
    SESSION = auto()
    BREAK = auto()
    HEADING = auto()
    INTERVAL = auto()
    TITLE = auto()
    GROUP = auto()
    CHAIR = auto()
    CHAIR_WORD = auto()
    CHAIR_NAMES = auto()
    ROOM = auto()
    ROOM_WORD = auto()
    ROOM_NAME = auto()
    DESCRIPTION = auto()
    TALK = auto()
    TIME = auto()
    DURATION = auto()
    AUTHORS = auto()
    AFFILIATION = auto()
    PRESENTER = auto()
    ABSTRACT = auto()
    ABSTRACT_LABEL = auto()


_CLASSES: Final = {
    "date": Part.DATE,
    "session": Part.SESSION,
    "coffeebreak": Part.BREAK,
    "lunchbreak": Part.BREAK,
    "heading": Part.HEADING,
    "interval": Part.INTERVAL,
    "title": Part.TITLE,
    "group_tag": Part.GROUP,
    "session_chair": Part.CHAIR,
    "chair_word": Part.CHAIR_WORD,
    "chair_names": Part.CHAIR_NAMES,
    "room": Part.ROOM,
    "room_word": Part.ROOM_WORD,
    "room_name": Part.ROOM_NAME,
    "session_desc": Part.DESCRIPTION,
    "talk": Part.TALK,
    "time": Part.TIME,
    "duration": Part.DURATION,
    "authors": Part.AUTHORS,
    "affiliation_item": Part.AFFILIATION,
    "speaker": Part.PRESENTER,
    "presenter": Part.PRESENTER,
    "abstract": Part.ABSTRACT,
    "abstract_label": Part.ABSTRACT_LABEL,
}
PLAIN: Final = frozenset({None, "person"})
"""Classes of elements that are surely not parts."""

_TALK_NAME: Final = re.compile(r"talk:(\d+)")
_TALK_LINK: Final = re.compile(r"#talk:(\d+)$")
_OF_TALK: Final = frozenset(
    {Part.TIME, Part.DURATION, Part.AUTHORS, Part.AFFILIATION, Part.PRESENTER, Part.ABSTRACT, Part.ABSTRACT_LABEL}
)

_UNSEEN: Final = frozenset({"script", "style", "template", "noscript"})
_BREAKS: Final = frozenset(
    "address article aside blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section".split()
    + "table tbody td tr ul".split()
)
BREAK: Final = "\v"  # never in the text of a page
_WORDS: Final = re.compile(r"\w+")

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
        """Begin a session, or with None a container for talks outside any session; other programs mark breaks."""
        is_break = element is not None and "interval_session" in (element.get("class") or "").split()
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
        if talk is None and element.tag not in {"td", "th"} and part in (Part.TIME, Part.DURATION):
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


@lru_cache(maxsize=1024)
def part_of(classes: str | None) -> Part | None:
    """Return the part of an element by its classes, None if it has none."""
    return next((_CLASSES[name] for name in (classes or "").split() if name in _CLASSES), None)


def fold(text: str | None) -> str:
    """Fold the white space of a text; most texts need no folding, which a quick check shows."""
    if not text:
        return ""
    if text.isascii() and not ("\n" in text or "  " in text or "\t" in text or "\r" in text):
        return text.strip()
    return " ".join(text.split())


def lines_in(element: Element) -> list[str]:
    """Return the own text of an element, split at its blocks and line breaks; white space folded, no line empty."""
    sentence = _read_sentence(element)
    if sentence is None:
        return gather(element, leave_out)
    return [sentence] if sentence else []


def text_in(element: Element) -> str:
    """Return the own text of an element on one line."""
    sentence = _read_sentence(element)
    return " ".join(gather(element, leave_out)) if sentence is None else sentence


def title_in(element: Element) -> str:
    """Return the text of a title, without spans that are only links, such as ``(abstract, PDF)``."""
    return " ".join(gather(element, _read_links)) if len(element) else fold(element.text)


def paragraphs_in(elements: Sequence[Element]) -> list[str]:
    """Return the paragraphs of free text in order."""
    found: list[str] = []
    for element in elements:
        texts = _plain_paragraphs(element)
        found += lines_in(element) if texts is None else texts
    return found


def gather(element: Element, stand_in: StandIn) -> list[str]:
    """Return the own text of an element line by line, with the text of ``stand_in`` for the elements inside it."""
    pieces: list[str] = []
    _collect(element, pieces, stand_in)
    return [line for text in "".join(pieces).split(BREAK) if (line := " ".join(text.split()))]


def leave_out(element: Element) -> str | None:
    """Return an empty text for an element whose text does not belong to the text around it, though it is no part.

    One is a placeholder, such as ``name missing``.
    """
    classes = element.get("class")
    unsaid = element.tag in _UNSEEN or classes == "missing" or part_of(classes) is Part.ABSTRACT_LABEL
    return "" if unsaid else None


def claim_own(page: Page, element: Element, rule: Rule) -> None:
    """Claim an element, except for other parts inside it and the text after those."""
    for inner in element:  # the frequent case first: nothing inside that could be a part
        if len(inner) or inner.get("class") not in PLAIN:
            break
    else:
        page.claim(element, rule)
        return
    if not any(map(_is_other, element.iterdescendants())):
        page.claim(element, rule)
        return
    page.claim_run([(element, True)], rule)
    for child in element:
        if _is_other(child):
            return
        claim_own(page, child, rule)
        page.claim_tail(child, rule)


def claim_rejected(page: Page, elements: Sequence[Element], reason: str) -> None:
    """Claim the elements of a reject: they go to quarantine with it."""
    for element in elements:
        page.claim(element, Rule(reason, LineClass.REJECTED))


def is_inside(element: Element, outer: Element) -> bool:
    """True if an element is inside another."""
    return any(ancestor is outer for ancestor in element.iterancestors())


def _read_sentence(element: Element) -> str | None:
    """Return the text of an element that holds only text and links without markup inside, else None."""
    text = element.text or ""
    for child in element:
        if child.tag != "a" or len(child):
            return None
        text += f"{child.text or ''}{child.tail or ''}"
    return fold(text)


def _plain_paragraphs(element: Element) -> list[str] | None:
    """Return the paragraphs of an element that holds nothing but paragraphs without markup, else None."""
    texts = [element.text]
    for child in element:
        if child.tag != "p" or len(child) or child.get("class") or (child.tail and not child.tail.isspace()):
            return None
        texts.append(child.text)
    return [folded for text in texts if (folded := fold(text))]


def _is_other(element: Element) -> bool:
    """True if an element is another part; a label does not count."""
    part = part_of(element.get("class"))
    return part is not None and part is not Part.ABSTRACT_LABEL


def _read_links(element: Element) -> str | None:
    """Return an empty text for a span that is kept on one line and has words only in links."""
    if element.tag != "span" or "nowrap" not in (element.get("style") or ""):
        return leave_out(element)
    linked = sum(len(_WORDS.findall(raw_text_of(link))) for link in element.iter("a"))
    return "" if len(_WORDS.findall(raw_text_of(element))) == linked else None


def _collect(element: Element, pieces: list[str], stand_in: StandIn) -> None:
    """Collect the pieces of text inside an element up to another part, with ``BREAK`` at each break."""
    pieces.append(_clean(element.text))
    for child in element:
        if _is_other(child):
            return
        is_break = child.tag in _BREAKS
        if is_break:
            pieces.append(BREAK)
        text = stand_in(child)
        if text is None:
            _collect(child, pieces, stand_in)
        else:
            pieces.append(text)
        if is_break:
            pieces.append(BREAK)
        pieces.append(_clean(child.tail))


def _clean(text: str | None) -> str:
    """Return a piece of text without ``BREAK``; white space is folded when the pieces are joined."""
    return text.replace(BREAK, " ") if text else ""
