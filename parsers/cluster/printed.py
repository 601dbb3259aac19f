"""From the box of a marked-up page to printed sessions: which room belongs to which title, what is a programme point.

One box may hold several sessions: workshops with their rooms, in some years each room above its title. What is
understood is claimed here; a talk without a title is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from parsers._html import Page
from parsers._lines import Furniture, LineClass, Rule, heading_rule, record_rule
from parsers.cluster.boxes import Box, Head, Section, TalkBox
from parsers.cluster.elements import CANCELLED, Line, Role, claim, link_of
from parsers.cluster.furniture import FURNITURE
from parsers.cluster.headings import PEOPLE_LIST, PLACEHOLDER, SessionHeading, read_chair_label, read_room, read_session
from parsers.cluster.items import PrintedSession, PrintedTalk, item_kind
from parsers.cluster.people import NOBODY, People, join_lines, read_chairs
from parsers.cluster.wording import is_title_shaped
from schemas.items import Reject

_SESSION: Final = heading_rule("session", 4)
_ITEM: Final = record_rule("item")
_TALK: Final = record_rule("talk")
_REJECTED: Final = Rule("incomplete_item", LineClass.REJECTED)
# The class says that it is a type: any words in title case may be one.
_TYPES: Final = Furniture(
    {"session_type": r"(?:[A-Z][A-Za-z/&-]*(?: [A-Z][A-Za-z/&-]*){0,3})(?:, ?[A-Z][A-Za-z /&-]{0,40}){0,5}"}
)

_PRESENTER: Final = re.compile(r"\bPresenters?\s*:\s*", re.IGNORECASE)
_NAMES_GO_ON: Final = (",", ";", " and", "&", ":")
# Items of these kinds list programme points, not talks, where nothing is hidden below a line.
_TALKLESS: Final = frozenset({"ceremony", "break", "social", "poster_session", "workshop", "tutorial"})


@dataclass(slots=True)
class _Draft:
    """The parts of one session of a box."""

    title: list[Line] = field(default_factory=list)
    heads: list[Head] = field(default_factory=list)
    talks: list[TalkBox] = field(default_factory=list)
    loose: list[Line] = field(default_factory=list)
    room_seen: bool = False
    holds_talk: bool = False  # its title is an element that holds a talk and nothing else

    def lines_of(self, role: Role) -> list[Line]:
        """Return the lines of all parts of a kind."""
        return [line for head in self.heads if head.role is role for line in head.lines]


@dataclass(slots=True)
class _Title:
    """What the lines of a title say: the heading, its own lines, and the lines below it."""

    heading: SessionHeading | None = None
    own: list[Line] = field(default_factory=list)
    below: list[Line] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    @property
    def lists_points(self) -> bool:
        """Say whether lines below it that hide nothing are programme points."""
        heading = self.heading
        if heading is None or heading.code or heading.track or heading.keynote:
            return False
        return item_kind(heading.title or heading.printed, heading.tag) in _TALKLESS


def read_box(page: Page, box: Box) -> Iterator[PrintedSession | Reject]:
    """Yield the sessions of a box and claim what they are made of."""
    for line in box.loose:
        if rule := FURNITURE.rule(line.text):
            claim(page, [line], rule)
    for draft in _split(box):
        yield from _read(page, draft)


def _split(box: Box) -> list[_Draft]:
    """Split a box at its titles; where the first room stands above the first title, every room does."""
    order = [entry.role for entry in box.entries if isinstance(entry, Head) and entry.lines]
    room_first = next((role for role in order if role in {Role.TITLE, Role.ROOM}), None) is Role.ROOM
    drafts = [_Draft()]
    for entry in box.entries:
        draft = drafts[-1]
        if isinstance(entry, TalkBox):
            draft.talks.append(entry)
            continue
        begins = entry.role is Role.TITLE or (room_first and entry.role is Role.ROOM and draft.room_seen)
        if entry.lines and begins and (draft.title or draft.talks):
            drafts.append(draft := _Draft())
        if entry.role is Role.TITLE:
            draft.title += entry.lines
            draft.holds_talk = draft.holds_talk or not entry.lines
        else:
            draft.heads.append(entry)
            draft.room_seen = draft.room_seen or entry.role is Role.ROOM
    if not drafts[0].title and not any(role is Role.TITLE for role in order):
        drafts[0].title = _loose_title(box)
    elif len(drafts) == 1:
        drafts[0].loose = [line for line in box.loose if not FURNITURE.rule(line.text)]
    return drafts


def _loose_title(box: Box) -> list[Line]:
    """Return the title of an item that stands in its box without an element of its own."""
    lines = [line for line in box.loose if not FURNITURE.rule(line.text)]
    if not lines or not is_title_shaped(lines[0].text):
        return []
    return [lines[0], *(line for line in lines[1:] if line.text.startswith("("))]


def _read(page: Page, draft: _Draft) -> Iterator[PrintedSession | Reject]:
    """Yield the session of a draft, and before it its talks that cannot be read."""
    title = _read_title(draft.title)
    points: list[str] = []
    talks: list[PrintedTalk] = []
    own = [*title.own]
    chair_lines = draft.lines_of(Role.CHAIR)
    for talk in draft.talks:
        if talk.bare and talk.title and read_chair_label(talk.title[0].text):
            chair_lines += talk.title
            continue
        read = _read_talk(page, talk, title)
        if isinstance(read, Reject):
            yield read
        elif isinstance(read, PrintedTalk):
            talks.append(read)
        else:
            points += [line.text for line in talk.title]
            own += [*talk.title, *talk.again]
    if title.heading is None and draft.holds_talk and len(talks) == 1:
        title.heading = read_session(talks[0].title)
        talks = talks if _is_told(talks[0]) else []
        own += [] if talks else draft.talks[0].lines
    if not talks and title.heading is not None:
        points += [line.text for line in draft.loose]
        own += draft.loose
    talks, points = _with_lines_below_title(page, title, talks, points, own)
    if title.heading is None and not talks:
        return
    room, room_lines = _read_room(draft)
    chairs, presenter = _read_chairs(chair_lines)
    own += [*room_lines, *chair_lines]
    claim(page, own, _SESSION if talks else _ITEM)
    yield PrintedSession(
        line_start=_first(own),
        line_end=_last(own),
        heading=title.heading,
        room=room,
        chairs=chairs,
        presenter=presenter,
        points=tuple(points),
        talks=tuple(talks),
        session_type=_read_type(page, draft),
        url=_link_of_title(title),
        notes=title.notes,
    )


def _read_title(lines: Sequence[Line]) -> _Title:
    """Read the lines of a title: a mark above it, the title, broken or not, and what stands below it."""
    place = 0
    notes: tuple[str, ...] = ()
    while place + 1 < len(lines) and CANCELLED.fullmatch(lines[place].text):
        place, notes = place + 1, ("cancelled",)
    if place == len(lines):
        return _Title()
    end, text = place + 1, lines[place].text
    while end < len(lines) and (lines[end].text[0].islower() or text.count("(") > text.count(")")):
        text = f"{text} {lines[end].text}"
        end += 1
    if all(line.struck for line in lines[place:end]):
        notes = ("cancelled",)
    return _Title(read_session(text), list(lines[:end]), list(lines[end:]), notes)


def _with_lines_below_title(
    page: Page, title: _Title, talks: list[PrintedTalk], points: list[str], own: list[Line]
) -> tuple[list[PrintedTalk], list[str]]:
    """Read what stands below a title in its own element: the title of a keynote's talk, or programme points."""
    below = title.below
    if not below:
        return talks, points
    if title.heading is None or title.heading.keynote is None or talks:
        own += below
        return talks, [*(line.text for line in below), *points]
    claim(page, below, _TALK)
    text = " ".join(line.text for line in below)
    if PLACEHOLDER.fullmatch(text):
        return talks, points
    return [PrintedTalk(_first(below), _last(below), text, url=link_of(below, text))], points


def _read_talk(page: Page, talk: TalkBox, title: _Title) -> PrintedTalk | Reject | None:
    """Read a talk; None where its line is a programme point, or nothing stands there."""
    own = talk.lines
    if not own:
        return None
    if talk.bare and PEOPLE_LIST.match(talk.title[0].text):
        return None
    if title.lists_points and talk.title and not (talk.authors or talk.labels):
        return None
    if talk.bare and talk.title[0].text.startswith("("):
        return None
    printed = " ".join(line.text for line in talk.title)
    again = " ".join(line.text for line in talk.again)
    if not printed and not again:
        return _reject(page, talk)
    if printed and again and printed != again:
        own = [line for line in own if line not in talk.again]
    claim(page, own, _TALK)
    for line in talk.awards:
        if rule := FURNITURE.rule(line.text):
            claim(page, [line], rule)
    authors = join_lines(line.text for line in talk.authors)
    return PrintedTalk(
        line_start=_first(own),
        line_end=_last([*own, *talk.awards]),
        title=printed or again,
        authors=None if not authors or PLACEHOLDER.fullmatch(authors) else authors,
        paragraphs=tuple(line.text for line in talk.texts.get(Section.ABSTRACT, ())),
        about=tuple(line.text for line in talk.texts.get(Section.BIOGRAPHY, ())),
        url=link_of(talk.title, printed or again),
    )


def _is_told(talk: PrintedTalk) -> bool:
    """Say whether more than placeholders is printed below the title of a talk."""
    texts = (talk.authors, *talk.paragraphs)
    return any(text is not None and not PLACEHOLDER.fullmatch(text) for text in texts)


def _reject(page: Page, talk: TalkBox) -> Reject:
    """Reject a talk whose title was lost."""
    lines = talk.lines
    claim(page, lines, _REJECTED)
    detail = "expected the title of a talk with its authors and 'Abstract'"
    text = "\n".join(line.text for line in lines)
    return Reject(_first(lines), _last(lines), text, "incomplete_item", detail)


def _read_room(draft: _Draft) -> tuple[str | None, list[Line]]:
    """Return the first room and its lines; None where it is to be announced."""
    lines = next((head.lines for head in draft.heads if head.role is Role.ROOM and head.lines), [])
    room = " ".join(line.text for line in lines)
    return (None if not room or PLACEHOLDER.fullmatch(room) else read_room(room)), lines


def _read_chairs(lines: Sequence[Line]) -> tuple[People, str | None]:
    """Return the chairs and the presenter whom the lines name; each line may bear a label."""
    chairs: list[tuple[str, str]] = []
    presenter = None
    for line in lines:
        before, label, named = _cut_at_presenter(line.text)
        if label and not PLACEHOLDER.fullmatch(named):
            presenter = named
        if not before:
            continue
        role, names = read_chair_label(before) or ("", before)
        if chairs and not role and chairs[-1][1].rstrip().endswith(_NAMES_GO_ON):
            chairs[-1] = (chairs[-1][0], join_lines([chairs[-1][1], names]))
        elif chairs and not role and not chairs[-1][1]:
            chairs[-1] = (chairs[-1][0], names)
        else:
            chairs.append((role, names))
    people = [read_chairs(names, role) for role, names in chairs]
    if not people:
        return NOBODY, presenter
    persons = tuple(person for group in people for person in group.persons)
    return People(persons, tuple(note for group in people for note in group.notes)), presenter


def _cut_at_presenter(text: str) -> tuple[str, str, str]:
    """Cut a line at ``Presenter:``; label and name are empty where it has none."""
    found = _PRESENTER.search(text)
    return (text, "", "") if found is None else (text[: found.start()].strip(), found[0], text[found.end() :].strip())


def _read_type(page: Page, draft: _Draft) -> str | None:
    """Return the type of a session, which says what its talks are, and claim it as furniture."""
    lines = [line for line in draft.lines_of(Role.TYPE) if _TYPES.rule(line.text)]
    for line in lines:
        if rule := _TYPES.rule(line.text):
            claim(page, [line], rule)
    return ", ".join(line.text for line in lines) or None


def _link_of_title(title: _Title) -> str | None:
    """Return the address to which a session's title links."""
    heading = title.heading
    return link_of(title.own, heading.title, heading.about, heading.printed) if heading else None


def _first(lines: Sequence[Line]) -> int | None:
    """Return the first line of the dump that some lines stand on; None where one is beyond what is counted."""
    numbers = [number for line in lines if (number := line.number) is not None]
    return min(numbers, default=None) if len(numbers) == len(lines) else None


def _last(lines: Sequence[Line]) -> int | None:
    """Return the last line of the dump that some lines stand on; None where one is beyond what is counted."""
    numbers = [number for line in lines if (number := line.last) is not None]
    return max(numbers, default=None) if len(numbers) == len(lines) else None
