"""The sessions of one slot of a text dump: its talks and other lines are put together.

    9:30-11:00
    Session (1) Stores         title, room and chair of a session
    Great Hall
    Chair: Bea Sorn (Norwick)
    Offloaded stores           its talks: see ``talks``
    ...
    Coffee Break               a session without talks is an item

``parts`` cuts the slot, ``roles`` says what a line of text is, ``room_first`` reads boxes with rooms above titles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from parsers._lines import Lines, heading_rule, record_rule
from parsers.cluster.boilerplate import BOILERPLATE
from parsers.cluster.drafts import Draft
from parsers.cluster.headings import read_chair_label, read_room, read_session
from parsers.cluster.items import PrintedSession, PrintedTalk
from parsers.cluster.lines import Line, What
from parsers.cluster.page_facts import PageFacts, facts_of_slot
from parsers.cluster.parts import Part, cut_parts
from parsers.cluster.people import People, read_chairs
from parsers.cluster.places import Role
from parsers.cluster.roles import role_of
from parsers.cluster.room_first import pair_rooms, rooms_above
from schemas.items import Reject

# Each line of a session's heading governs the talks below: so each has a level of its own.
_SESSION_RULES: Final = (
    heading_rule("session", 4),
    *(heading_rule("session_detail", level) for level in range(5, 20)),
)
_ITEM_RULE: Final = record_rule("item")
_TITLE_RULE: Final = record_rule("talk_title")


def read_slot(block: Sequence[Line], page: PageFacts, ledger: Lines) -> Iterator[PrintedSession | Reject]:
    """Read the lines between two time lines into sessions, and claim what they are made of."""
    page = facts_of_slot(block, page)
    parts, rejects = cut_parts(block, page, ledger)
    yield from rejects
    rooms = rooms_above(parts, page)
    drafts = pair_rooms(parts, rooms) if rooms else _assemble(parts, page)
    for draft in drafts:
        yield _close(draft, ledger)


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
            draft = _begin(part.line.text, page) if role is Role.TITLE else Draft(None)
            if cancelled and role is Role.TITLE:
                draft.lines, draft.notes = cancelled, ("cancelled",)
        cancelled = []
        _add(draft, part, role)
    if draft is not None and not draft.empty:
        yield draft


def _begin(text: str, page: PageFacts) -> Draft:
    """Begin a session at its title; a room of the page may be glued to the speaker of a keynote."""
    heading = read_session(text)
    if heading.about:
        for room in page.rooms:
            name = text.removesuffix(room)
            if name != text and name[-1:].islower():
                return Draft(read_session(name), room=room, room_seen=True)
    return Draft(heading)


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
        ledger.claim_boilerplate(draft.type_line.number, BOILERPLATE)


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
