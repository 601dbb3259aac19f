"""The printed pieces of a session or talk, read from its elements, and the people in them.

```
<span class="interval">09:00-10:30</span> <span class="title">Session 2A: Slicing</span>
<td class="time">09:00</td>      or, on pages that only look like a Smart Program, <td class="time">09:00 – 09:20</td>
<div class="abstract"><p>ABSTRACT. How to slice.</p><p>And why.</p></div>
<a class="person" href="..">A. One</a>, <a class="person" href="..">Bo Two, Jr.</a> and Celia Three
<a class="person" href="..">Anna Vell</a> (Quill Institute, Norland)<br><a class="person" href="..">B. Wexley</a> (..)
Anna Vell<sup>1</sup>, B. Wexley<sup>1,2</sup>      <div class="affiliation_item"><sup>1</sup> Quill Institute</div>
```

A link to a person is one name, whatever its text; the target of a raised number is one affiliation, in which the
country cannot be identified. Nothing is claimed here.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import time
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import urljoin

from parsers._ledger.elements import last_line_of, line_of, raw_text_of
from parsers._ledger.lines import Boilerplate
from parsers._words.dates import clock, read_times
from parsers._words.text import NOBODY, People, person_with_country
from parsers.easychair.headings import ABSTRACT, read_interval, read_label, read_title
from parsers.easychair.items import PrintedSession, PrintedTalk, people_of, split_people
from parsers.easychair.sections import (
    BREAK,
    Element,
    Part,
    SessionParts,
    TalkParts,
    fold,
    gather,
    leave_out,
    lines_in,
    linked_talk,
    paragraphs_in,
    text_in,
    title_in,
)
from schemas.items import Person

DURATION: Final = Boilerplate(
    {"duration": r"\W?(?:Duration:? )?(?:\d{1,3} ?(?:minutes?|mins?|m|hours?|hrs?|h)?\.? ?){1,2}\W?"}
)

LABEL: Final = re.compile(r"(?:[^\W\d_][^\d:]{0,60})?:?")
"""A role word or the word for a room; any word is possible."""

_LABEL: Final = re.compile(r"[^:]{1,40}:\s*")
_PRESENTER: Final = re.compile(r"\A\s*(?:SPEAKER|PRESENTER)S?\s*:?\s*", re.IGNORECASE)
_INTERVAL_ATTRIBUTES: Final = ("data-start", "data-end")

Fault = tuple[str, str]
"""Why a heading is unusable: a text for people, and the code of the reason."""

_MARK: Final = "\0"  # never in the text of a page, like the other control characters
_MARKED: Final = re.compile(rf"\s*{_MARK}([^{_MARK}]*){_MARK}")
_NEXT_MARK: Final = re.compile(rf"{_MARK}\s*,?\s*{_MARK}")
_NUMBERS: Final = re.compile(r"\w+")
_LINE_JOINT: Final = re.compile(r"(?:\s*,|\s+and|\s*,\s*and)$|^(?:,|and\s)\s*")
_JOINTS: Final = frozenset({None, ", ", " and ", "", ",", "and", ", and"})

_CERTAIN: Final = re.compile(r"(?:(?!and(?: |\Z))[^\s,()]+(?: |\Z))+")
"""A folded name that cannot be split."""

_PLACE: Final = re.compile(r"\((?:[^()]++|\([^()]*+\))++\)")

_BRACKETS: Final = re.compile(r"[()]")
_CUTS: Final = re.compile(r"[,()]|(?<=\s)and(?=\s)")
_KEPT: Final = {",": "\1", "(": "\2", ")": "\3", "and": "\4"}
_RESTORED: Final = str.maketrans({kept: cut for cut, kept in _KEPT.items()})
_HAS_KEPT: Final = re.compile(f"[{''.join(_KEPT.values())}]")


class ReadTalk(NamedTuple):
    """A talk, and the reason if it is not valid; its start counts for its neighbours either way."""

    printed: PrintedTalk
    fault: str | None


def read_talk(talk: TalkParts, url: str | None) -> ReadTalk:
    """Read the pieces of a talk; ``url`` is the address of its page."""
    parts = talk.parts
    when = " ".join(filter(None, map(text_in, parts[Part.TIME]))) if Part.TIME in parts else ""
    starts, ends = read_times(when) or (None, None)
    title = title_in(parts[Part.TITLE][0]) if Part.TITLE in parts else ""
    presenter = _read_presenter(parts[Part.PRESENTER]) if Part.PRESENTER in parts else None
    paragraphs = _read_abstract(parts[Part.ABSTRACT]) if Part.ABSTRACT in parts else ()
    fault = None
    if when and starts is None:
        fault = "expected a time of day HH:MM"
    elif not title and not paragraphs and presenter is None:
        fault = "expected a title"
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
    fault = ("expected two times of day HH:MM-HH:MM", "invalid_value") if starts is None or ends is None else None
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
    parts, heading = session.parts, _heading_of(session)
    is_blank = heading is None or not text_in(heading)
    unread = {Part.HEADING, Part.BREAK} if Part.INTERVAL in parts or is_blank else set()
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
        starts, ends = read_times(text_in(parts[Part.INTERVAL][0])) or (None, None)
    else:
        first = session.first
        starts, ends = (clock(first.get(name) or "") if first is not None else None for name in _INTERVAL_ATTRIBUTES)
    return starts, ends, *read_title(title or text)


def _heading_of(session: SessionParts) -> Element | None:
    """Return the element around the heading of a session or break."""
    return next(iter(session.parts.get(Part.HEADING, session.parts.get(Part.BREAK, ()))), None)


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


def people_in(elements: Sequence[Element], places: Sequence[Element] = ()) -> People:
    """Return the people of elements, with the affiliations that raised numbers refer to."""
    if len(elements) == 1 and not places:  # the two most common shapes
        known = _linked_people(elements[0])
        known = _placed_people(elements[0]) if known is None else known
        if known is not None:
            return People(known)
    lines = [line for element in elements for line in gather(element, _read_person)]
    if places or any(_MARK in line for line in lines):
        lines = _with_places(lines, _numbered(places))
    found = people_of(_joined(lines))
    if not any(map(_HAS_KEPT.search, lines)):
        return found
    return People(tuple(map(_restored, found.people)), found.notes)


def _keep(text: str) -> str:
    """Return a text with its separators replaced, so that it is not split."""
    return _CUTS.sub(lambda cut: _KEPT[cut[0]], text)


def _restored(person: Person) -> Person:
    """Restore the separators that ``_keep`` replaced in a person."""
    name, *others = (text and text.translate(_RESTORED) for text in (person.name, person.affiliation, person.country))
    return Person(name or "", *others)


def _linked_people(element: Element) -> tuple[Person, ...] | None:
    """Return the people of an element that holds nothing but links to people and separators; None for any other."""
    if element.text and not element.text.isspace():
        return None
    names: list[str] = []
    for child in element:
        tail = child.tail
        if (
            child.get("class") != "person"
            or len(child)
            or (tail not in _JOINTS and (tail or "").strip() not in _JOINTS)
        ):
            return None
        if name := fold(child.text):
            names.append(name)
    return tuple(map(Person, names))


def _placed_people(element: Element) -> tuple[Person, ...] | None:
    """Return the people of an element that holds only links to people, each followed by an affiliation in brackets.

    Each is on its own line. None for any other element, also if a name or an affiliation could be split.
    """
    if element.text and not element.text.isspace():
        return None
    people: list[Person] = []
    for child in element:
        tail = child.tail
        if child.get("class") != "person" or len(child):
            if child.tag == "br" and (not tail or tail.isspace()):
                continue
            return None
        name, place = fold(child.text), _read_place(tail or "")
        if place is None or not _CERTAIN.fullmatch(name):
            return None
        people.append(Person(name, *place))
    return tuple(people)


@lru_cache(maxsize=4096)  # colleagues share an affiliation
def _read_place(tail: str) -> tuple[str | None, str | None] | None:
    """Return affiliation and country from the brackets after a name; None for any other text."""
    place = fold(tail)
    if not _PLACE.fullmatch(place):
        return None
    person = person_with_country(place)
    return person.affiliation, person.country


def _read_person(element: Element) -> str | None:
    """Return a mark for a raised number, and the name of a linked person protected from splitting."""
    if element.tag == "sup":
        numbers = "+".join(_NUMBERS.findall(raw_text_of(element)))
        return f"{_MARK}{numbers}{_MARK}" if numbers else ""
    if element.tag == "a" and element.get("class") == "person":
        name = _keep(" ".join(lines_in(element)))
        above = element.getprevious()
        is_closed = above is not None and (above.tail or "").rstrip().endswith(")")
        # After an affiliation a space alone can separate two people, inside the link sometimes not even that.
        return f"{BREAK if is_closed else ''}{name}{' ' * raw_text_of(element)[-1:].isspace()}"
    return leave_out(element)


def _joined(lines: Sequence[str]) -> list[str]:
    """Strip the separators from lines of one name each, and append the lines of an affiliation to its name."""
    found: list[str] = []
    for place, line in enumerate(lines):
        is_open = bool(found) and found[-1].count("(") > found[-1].count(")")
        if found and (line.startswith("(") or (is_open and _closes(lines[place:]))):
            found[-1] = f"{found[-1]} {line}"
        elif line.count("(") > line.count(")"):
            found.append(line)
        elif name := _LINE_JOINT.sub("", line):
            found.append(name)
    return found


def _closes(lines: Sequence[str]) -> bool:
    """True if lines close a bracket before they open one."""
    return next((cut[0] == ")" for line in lines for cut in _BRACKETS.finditer(line)), False)


def _numbered(places: Sequence[Element]) -> dict[str, str]:
    """Return the printed affiliations by their raised number, which is empty if missing."""
    found: dict[str, str] = {}
    for place in places:
        line = " ".join(gather(place, _read_person))
        mark = _MARKED.match(line)
        found.setdefault(mark[1] if mark else "", _MARKED.sub("", line).strip())
    return found


def _with_places(lines: Sequence[str], places: dict[str, str]) -> list[str]:
    """Return one line per person: name, and in brackets the affiliations that its numbers refer to."""
    found = []
    for printed in (part for line in lines for part in split_people(_NEXT_MARK.sub("+", line))):
        numbers = [number for mark in _MARKED.findall(printed) for number in mark.split("+")]
        named = [places[number] for number in numbers or [""] if places.get(number)]
        name = _MARKED.sub("", printed).strip()
        found.append(f"{name} ({_keep('; '.join(named))})" if named else name)
    return found
