"""The sessions of one slot of a text dump: its lines are cut into talks and others, and put together again.

    9:30-11:00
    Session (1) Stores         title, room and chair of a session
    Great Hall
    Chair: Bea Sorn (Norwick)
    Offloaded stores           its talks: see ``talks``
    ...
    Coffee Break               a session without talks is an item

What a line of text is, ``roles`` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from parsers._lines import Lines, heading_rule, record_rule
from parsers.cluster.furniture import FURNITURE
from parsers.cluster.headings import PLACEHOLDER, read_chair_label, read_room, read_session
from parsers.cluster.items import PrintedSession, PrintedTalk
from parsers.cluster.lines import Line, What, is_doubled
from parsers.cluster.names import reads_as_authors, reads_as_person
from parsers.cluster.page_facts import PageFacts, has_authors
from parsers.cluster.people import People, read_chairs
from parsers.cluster.roles import Draft, Part, Role, role_of
from parsers.cluster.talks import is_single, read_talk
from parsers.cluster.wording import (
    AFFILIATION,
    ITEM_TITLE,
    is_prose,
    is_title_shaped,
    is_worded_as_room,
    is_worded_as_title,
)
from schemas.items import Reject

# Each line of a session's heading governs the talks below: so each has a level of its own.
_SESSION_RULES: Final = (
    heading_rule("session", 4),
    *(heading_rule("session_detail", level) for level in range(5, 20)),
)
_ITEM_RULE: Final = record_rule("item")
_TITLE_RULE: Final = record_rule("talk_title")
_DIGITS: Final = re.compile(r"\d+")
_WORKSHOP: Final = re.compile(r"\b(?:workshop|tutorial)s?\b", re.IGNORECASE)


def read_slot(block: Sequence[Line], page: PageFacts, ledger: Lines) -> Iterator[PrintedSession | Reject]:
    """Read the lines between two time lines into sessions, and claim what they are made of."""
    page = _facts_of_slot(block, page)
    parts, rejects = _cut(block, page, ledger)
    yield from rejects
    rooms = _rooms_above(parts, page)
    drafts = _pair_rooms(parts, rooms) if rooms else _assemble(parts, page)
    for draft in drafts:
        yield _close(draft, ledger)


def _facts_of_slot(block: Sequence[Line], page: PageFacts) -> PageFacts:
    """Return what a slot shows: papers may print their titles once, with authors or without, whatever others do."""
    papers = any(line.what is What.TYPE and "Paper" in line.text for line in block)
    named = has_authors(block, page.rooms)
    if page.once or not (papers or named) or any(line.what is What.ABSTRACT for line in block):
        return page
    if any(is_doubled(block, at, len(block)) for at in range(len(block))):
        return page
    return replace(page, once=True, named=named)


def _cut(block: Sequence[Line], page: PageFacts, ledger: Lines) -> tuple[list[Part], list[Reject]]:
    """Cut a slot into talks and other lines; a talk whose title cannot be told is rejected with the line above it."""
    parts: list[Part] = []
    rejects: list[Reject] = []
    at = 0
    while at < len(block):
        line = block[at]
        single = line.what is What.TEXT and is_single(block, at)
        if not single and not _is_talk(block, at, page):
            what = What.TEXT if _is_named_by_type(line, parts, page) else line.what
            if what is not What.TEXT or _can_mean_something(block, at, parts, page):
                parts.append(Part(line, what))
            at += 1
            continue
        piece = read_talk(block, at)
        if single and page.doubled and not is_title_shaped(line.text):
            above = parts.pop().line if parts and parts[-1].what is What.TEXT else line
            rejects.append(_untold(above.number, piece.talk, ledger))
        else:
            piece.claim(ledger)
            parts.append(Part(line, None, piece.talk))
        at = piece.end
    return parts, rejects


def _is_named_by_type(line: Line, parts: Sequence[Part], page: PageFacts) -> bool:
    """Say whether a word such as ``Keynote`` or ``Break`` is a title: it heads its slot, or types are not printed."""
    return line.what is What.TYPE and "," not in line.text and not (parts and page.types)


def _is_talk(block: Sequence[Line], at: int, page: PageFacts) -> bool:
    """Say whether a talk begins here; a room or a break may stand twice where a line between was lost."""
    if not is_doubled(block, at, len(block)):
        return page.named and _is_named(block, at, page)
    text = block[at].text
    return not (page.is_room(text) or ITEM_TITLE.fullmatch(text)) or is_single(block, at + 1)


def _is_named(block: Sequence[Line], at: int, page: PageFacts) -> bool:
    """Say whether a title that stands once has its authors below it; a room is no author."""
    if at + 1 >= len(block) or block[at].what is not What.TEXT or block[at + 1].what is not What.TEXT:
        return False
    title, names = block[at].text, block[at + 1].text
    if page.is_room(title) or page.is_room(names) or ITEM_TITLE.fullmatch(title) or read_session(title).formal:
        return False
    if AFFILIATION.fullmatch(title):
        return False
    if reads_as_authors(names):
        return True
    # One name alone may be a place: it is an author where the lines above show a session with talks.
    listing = any(line.what is What.CHAIR or read_session(line.text).formal for line in block[:at])
    return listing and reads_as_person(names) and not reads_as_authors(title)


def _can_mean_something(block: Sequence[Line], at: int, parts: Sequence[Part], page: PageFacts) -> bool:
    """Say whether a line of text can be a title, room or name; where titles stand once, they may begin in any way."""
    text = block[at].text
    if page.once:
        return not is_prose(text)
    return is_title_shaped(text) and not _is_lost(block, at, parts)


def _is_lost(block: Sequence[Line], at: int, parts: Sequence[Part]) -> bool:
    """Say whether a line between a talk and prose is a piece of a damaged talk rather than a title."""
    if not parts or not parts[-1].talk:
        return False
    texts = [line.text for line in block[at + 1 : at + 3]]
    return any(is_prose(text) for text in texts[:1]) or (
        len(texts) > 1 and is_prose(texts[1]) and not is_title_shaped(texts[0])
    )


def _untold(start: int, talk: PrintedTalk, ledger: Lines) -> Reject:
    """Reject a talk whose title was damaged."""
    end = talk.line_end or start
    detail = "expected the title of a talk twice, then authors and 'Abstract'"
    return Reject(start, end, ledger.text(start, end), "incomplete_item", detail)


def _assemble(parts: Sequence[Part], page: PageFacts) -> Iterator[Draft]:
    """Put the parts of a slot together to sessions, in page order."""
    draft: Draft | None = None
    cancelled: list[Line] = []
    for place, part in enumerate(parts):
        if part.what is What.CANCELLED:
            cancelled = [part.line]
            continue
        role = role_of(draft, place, parts, page) if part.what is What.TEXT else None
        if draft is None or role is Role.TITLE or role is Role.UNTITLED or _begins_untitled(draft, part):
            if draft is not None and not draft.empty:
                yield draft
            draft = Draft(read_session(part.line.text) if role is Role.TITLE else None)
            if cancelled and role is Role.TITLE:
                draft.lines, draft.notes = cancelled, ("cancelled",)
        cancelled = []
        _add(draft, part, role)
    if draft is not None and not draft.empty:
        yield draft


def _begins_untitled(draft: Draft, part: Part) -> bool:
    """Say whether a chair or talk cannot belong to the session above it: its own title was lost."""
    if draft.type_line is not None and (part.talk or part.what is What.CHAIR):
        return True
    if part.what is not What.CHAIR or draft.shares_chair(part):
        return False
    return draft.chair_seen or (bool(draft.talks) and not (draft.keynote or (draft.solo and len(draft.talks) == 1)))


def _add(draft: Draft, part: Part, role: Role | None) -> None:
    """Add a part to the session it belongs to; stray lines are left to the ledger."""
    line = part.line
    if part.talk:
        draft.talks.append(part.talk)
        return
    if part.what is What.TEXT:
        _add_text(draft, line, role)
    elif part.what is What.CHAIR:
        role_word, names = read_chair_label(line.text) or ("", "")
        people = read_chairs(names, role_word)
        if draft.shares_chair(part):
            people = _together(draft.chairs, people)
        draft.chairs, draft.chair_seen, draft.chair_line = people, True, line
    elif part.what is What.PRESENTER:
        draft.presenter = line.text.partition(":")[2].strip()
    elif part.what is What.TYPE and draft.type_line is None:
        draft.type_line = line
        return
    elif part.what is What.UNKNOWN and not draft.room_seen:
        draft.room_seen = True
    else:
        return
    if part.what is not What.TEXT:
        draft.lines.append(line)


def _together(above: People, below: People) -> People:
    """Put the chairs of two lines together."""
    return People((*above.persons, *below.persons), (*above.notes, *below.notes))


def _add_text(draft: Draft, line: Line, role: Role | None) -> None:
    """Add a line of text in its role."""
    match role:
        case Role.ROOM | Role.UNTITLED:
            draft.room, draft.room_seen = read_room(line.text), True
        case Role.CHAIR:
            people = read_chairs(line.text.replace(" / ", ", "), "")
            draft.chairs, draft.chair_seen = _together(draft.chairs, people), True
        case Role.POINT:
            draft.points.append(line.text)
        case Role.TALK:
            draft.talks.append(PrintedTalk(line.number, line.last, line.text))
            return
        case Role.TITLE:
            pass
        case _:
            return
    draft.lines.append(line)


def _rooms_above(parts: Sequence[Part], page: PageFacts) -> Sequence[bool]:
    """Say which lines of a box are rooms if it prints the room above each title; nothing for any other slot."""
    texts = [part.line.text for part in parts if part.what is What.TEXT or part.talk]
    if len(texts) < 2 or len(texts) != len(parts) or parts[0].talk:
        return ()
    tagged = [read_session(text).tag is not None for text in texts]
    if _alternates(texts):
        return [place % 2 == 0 for place in range(len(texts))]
    rooms = [page.is_room(text) or (any(tagged) and _can_be_place(text)) for text in texts]
    if any(part.talk and not (rooms[place - 1] and rooms[0]) for place, part in enumerate(parts)):
        return ()
    pairs = list(pairwise(rooms))
    above = sum(room and not title for room, title in pairs)
    below = sum(title and not room for room, title in pairs)
    return rooms if above > below or (above == below > 0 and page.room_first) else ()


def _alternates(texts: Sequence[str]) -> bool:
    """Say whether places and titles take turns in a box of workshops, whatever else the page says of rooms."""
    places, titles = texts[::2], texts[1::2]
    if len(texts) < 4 or len(places) != len(titles) or any(map(is_worded_as_room, titles)):
        return False
    if len({_DIGITS.sub("#", place) for place in places}) == 1 and _DIGITS.search(places[0]) and places[0].isalnum():
        return True  # "LR6", "LR7": numbered rooms
    if not all(map(_can_be_place, places)) or not any(map(_WORKSHOP.search, titles)):
        return False
    return 2 * sum(map(is_worded_as_title, titles)) >= len(titles)


def _can_be_place(text: str) -> bool:
    """Say whether a line of a box can name a place: few words, and none that stands in titles."""
    return text.count(" ") < 4 and not is_worded_as_title(text) and not ITEM_TITLE.fullmatch(text)


def _pair_rooms(parts: Sequence[Part], rooms: Sequence[bool]) -> Iterator[Draft]:
    """Pair each title of such a box with the room above it."""
    room: Line | None = None
    for part, is_room in zip(parts, rooms, strict=True):
        line = part.line
        if is_room:
            room = line
        elif part.talk:
            lines = [] if room is None else [room]
            talk = part.talk
            told = any(not PLACEHOLDER.fullmatch(text) for text in (talk.authors or "TBA", *talk.paragraphs))
            talks = [talk] if told else []
            yield Draft(read_session(talk.title), lines, room.text if room else None, talks=talks)
            room = None
        elif is_title_shaped(line.text):
            lines = [line] if room is None else [room, line]
            yield Draft(read_session(line.text), lines, room.text if room else None)
            room = None


def _claim(draft: Draft, ledger: Lines) -> None:
    """Claim the lines of a session: a heading where talks follow, else a record; talks claimed their own."""
    for talk in draft.talks:
        if talk.line_start is not None and talk.line_start == talk.line_end:
            ledger.claim(talk.line_start, _TITLE_RULE)
    place = 0
    for line in draft.lines:
        for number in range(line.number, line.last + 1):
            ledger.claim(number, _SESSION_RULES[min(place, len(_SESSION_RULES) - 1)] if draft.talks else _ITEM_RULE)
            place += 1
    if draft.type_line is not None:
        ledger.claim_furniture(draft.type_line.number, FURNITURE)


def _close(draft: Draft, ledger: Lines) -> PrintedSession:
    """Claim the lines of a session and hand it over."""
    _claim(draft, ledger)
    talks = tuple(draft.talks)
    end = draft.lines[-1].last if draft.lines else None
    if (draft.keynote or draft.solo) and len(talks) == 1 and end is not None:
        # Some years print the chair of a keynote below it.
        talks = (replace(talks[0], line_end=max(end, talks[0].line_end or end)),)
    return PrintedSession(
        line_start=draft.lines[0].number if draft.lines else None,
        line_end=end,
        heading=draft.heading,
        room=draft.room,
        chairs=draft.chairs,
        presenter=draft.presenter,
        points=tuple(draft.points),
        talks=talks,
        session_type=draft.type_line.text if draft.type_line else None,
        notes=draft.notes,
    )
