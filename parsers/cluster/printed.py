"""From the box of a marked-up page to printed sessions: which room belongs to which title, what is a programme point.

One box may hold several sessions: workshops with their rooms, in some years each room above its title. What is
understood is claimed here; ``box_titles`` reads the lines of a title, ``box_talks`` those of a talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from parsers._html import Page
from parsers._lines import Boilerplate, heading_rule, record_rule
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.box_talks import TALK_RULE, read_talk
from parsers.cluster.box_titles import Title, link_of_title, read_title
from parsers.cluster.boxes import Box, Head, TalkBox, first_of, last_of
from parsers.cluster.elements import Line, Role
from parsers.cluster.headings import PLACEHOLDER, read_chair_label, read_room, read_session
from parsers.cluster.items import PrintedSession, PrintedTalk
from parsers.cluster.page_lines import claim, claim_boilerplate, link_of
from parsers.cluster.people import NOBODY, People, join_lines, read_chairs
from parsers.cluster.wording import is_title_shaped
from schemas.items import Reject

_SESSION: Final = heading_rule("session", 4)
_ITEM: Final = record_rule("item")
# The class says that it is a type: any words in title case may be one.
_TYPES: Final = Boilerplate(
    {"session_type": r"(?:[A-Z][A-Za-z/&-]*(?: [A-Z][A-Za-z/&-]*){0,3})(?:, ?[A-Z][A-Za-z /&-]{0,40}){0,5}"}
)

_PRESENTER: Final = re.compile(r"\bPresenters?\s*:\s*", re.IGNORECASE)
_NAMES_GO_ON: Final = (",", ";", " and", "&", ":")


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


def read_box(page: Page, box: Box) -> Iterator[PrintedSession | Reject]:
    """Yield the sessions of a box and claim what they are made of."""
    claim_boilerplate(page, box.loose, BOILERPLATE)
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
        drafts[0].loose = [line for line in box.loose if not BOILERPLATE.rule(line.text)]
    return drafts


def _loose_title(box: Box) -> list[Line]:
    """Return the title of an item that stands in its box without an element of its own."""
    lines = [line for line in box.loose if not BOILERPLATE.rule(line.text)]
    if not lines or not is_title_shaped(lines[0].text):
        return []
    return [lines[0], *(line for line in lines[1:] if line.text.startswith("("))]


def _read(page: Page, draft: _Draft) -> Iterator[PrintedSession | Reject]:
    """Yield the session of a draft, and before it its talks that cannot be read."""
    title = read_title(draft.title)
    points: list[str] = []
    talks: list[PrintedTalk] = []
    own = [*title.own]
    chair_lines = draft.lines_of(Role.CHAIR)
    for talk in draft.talks:
        if talk.bare and talk.title and _is_label(talk.title[0].text):
            chair_lines += talk.title
            continue
        read = read_talk(page, talk, title)
        if isinstance(read, Reject):
            yield read
        elif isinstance(read, PrintedTalk):
            talks.append(read)
        else:
            points += [line.text for line in talk.title]
            own += [*talk.title, *talk.again]
    if title.heading is None and draft.holds_talk and len(talks) == 1:
        title.heading = read_session(talks[0].title)
        talks = talks if talks[0].told else []
        own += [] if talks else draft.talks[0].lines
    if not talks and title.heading is not None:
        points += [line.text for line in draft.loose]
        own += draft.loose
    described = draft.lines_of(Role.DESCRIPTION)
    points += [line.text for line in described]
    own += described
    talks, points = _with_lines_below_title(page, title, talks, points, own)
    if title.heading is None and not talks:
        return
    room, room_lines = _read_room(draft)
    chairs, presenter = _read_chairs(chair_lines)
    own += [*room_lines, *chair_lines]
    claim(page, own, _SESSION if talks else _ITEM)
    yield PrintedSession(
        line_start=first_of(own),
        line_end=last_of(own),
        heading=title.heading,
        room=room,
        chairs=chairs,
        presenter=presenter,
        points=tuple(points),
        talks=tuple(talks),
        session_type=_read_type(page, draft),
        url=link_of_title(title),
        notes=title.notes,
    )


def _is_label(text: str) -> bool:
    """Say whether a line names chairs or a presenter."""
    return read_chair_label(text) is not None or _PRESENTER.match(text) is not None


def _with_lines_below_title(
    page: Page, title: Title, talks: list[PrintedTalk], points: list[str], own: list[Line]
) -> tuple[list[PrintedTalk], list[str]]:
    """Read what stands below a title in its own element: the title of a keynote's talk, or programme points."""
    below = title.below
    if not below:
        return talks, points
    if title.heading is None or title.heading.keynote is None or talks:
        own += below
        return talks, [*(line.text for line in below), *points]
    claim(page, below, TALK_RULE)
    text = " ".join(line.text for line in below)
    if PLACEHOLDER.fullmatch(text):
        return talks, points
    return [PrintedTalk(first_of(below), last_of(below), text, url=link_of(below, text))], points


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
    """Return the type of a session, which says what its talks are, and claim it as boilerplate."""
    lines = [line for line in draft.lines_of(Role.TYPE) if _TYPES.rule(line.text)]
    claim_boilerplate(page, lines, _TYPES)
    return ", ".join(line.text for line in lines) or None
