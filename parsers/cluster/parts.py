"""The lines of one slot of a text dump, cut into talks and lines that stand alone.

    Session (1) Stores         a line that stands alone
    Great Hall                 another
    Offloaded stores           a talk: its title twice, or once above ``Abstract``, or once above its authors where the
    Offloaded stores           page prints titles once
    Ann One, Bo Two
    Coffee Break               a line that stands alone

A line that can mean nothing is left out, and so to the ledger. What the parts are for each other does not belong here
(``roles``), nor what the lines of a talk are (``talks``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parsers._lines import Lines
from parsers.cluster.headings import read_session
from parsers.cluster.items import PrintedTalk
from parsers.cluster.lines import Line, What, is_doubled
from parsers.cluster.names import reads_as_authors, reads_as_person
from parsers.cluster.page_facts import PageFacts
from parsers.cluster.talks import is_single, read_talk
from parsers.cluster.wording import AFFILIATION, ITEM_TITLE, is_prose, is_title_shaped
from schemas.items import Reject


class Part(NamedTuple):
    """A line of a slot and what its form says; or a talk with all its lines, of which ``line`` is the first."""

    line: Line
    what: What | None
    talk: PrintedTalk | None = None


def cut_parts(block: Sequence[Line], page: PageFacts, ledger: Lines) -> tuple[list[Part], list[Reject]]:
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
    if not is_doubled(block, at):
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
    name = names.partition("(")[0].strip() if names.endswith(")") else names
    return listing and reads_as_person(name) and not reads_as_authors(title)


def _can_mean_something(block: Sequence[Line], at: int, parts: Sequence[Part], page: PageFacts) -> bool:
    """Say whether a line of text can be a title, room or name; where titles stand once, they may begin in any way."""
    text = block[at].text
    if page.once:
        return not is_prose(text)
    return (is_title_shaped(text) or text.startswith(("http://", "https://"))) and not _is_lost(block, at, parts)


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
