"""Talks in a text dump: a title, as a rule twice, perhaps an award, authors, ``Abstract``, paragraphs.

    Offloaded stores
    Offloaded stores
    Ann One (Norwick), Bo Two (Plum)
    Abstract
    We describe a store that keeps small objects near the readers.

Some extractors lose the authors, the paragraphs, or both: what stands below ``Abstract`` must read as prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from parsers._lines import Lines, record_rule
from parsers.cluster.boilerplate import BOILERPLATE, is_award
from parsers.cluster.headings import PLACEHOLDER, read_session
from parsers.cluster.items import PrintedTalk
from parsers.cluster.lines import Line, What, is_doubled
from parsers.cluster.names import looks_like_names, reads_as_person
from parsers.cluster.people import join_lines
from parsers.cluster.wording import is_prose, is_title_shaped

_TALK_RULE: Final = record_rule("talk")

_HEAD: Final = 40  # lines between a title and "Abstract": an author list with one name a line
_FIRST_PARAGRAPH: Final = 120
_LATER_PARAGRAPH: Final = 200
_SENTENCE_END: Final = re.compile(r"[.!:;…][)\]\"'”’»]?$|https?://\S+$")


@dataclass(frozen=True, slots=True)
class TalkPiece:
    """A talk, its own lines, its award lines, and where in the lines of its slot it ends."""

    talk: PrintedTalk
    own: tuple[Line, ...]
    awards: tuple[Line, ...]
    end: int

    def claim(self, ledger: Lines) -> None:
        """Claim the lines of the talk."""
        for line in self.own:
            ledger.claim_span(line.number, line.last, _TALK_RULE)
        for line in self.awards:
            ledger.claim_boilerplate(line.number, BOILERPLATE)


def read_talk(block: Sequence[Line], place: int) -> TalkPiece:
    """Read the talk whose title stands at ``place``, once or twice."""
    head = place + (2 if is_doubled(block, place) else 1)
    label = _label_after(block, head)
    end = label if label is not None else _end_of_bare_head(block, head)
    awards = tuple(line for line in block[head:end] if is_award(line.text))
    names = [line for line in block[head:end] if line not in awards and _names(line)]
    paragraphs: list[Line] = []
    own = [*block[place:head], *names]
    if label is not None:
        paragraphs, end = _paragraphs(block, label + 1)
        own += [block[label], *paragraphs]
    talk = PrintedTalk(
        line_start=block[place].number,
        line_end=max(line.last for line in (*own, *awards)),
        title=block[place].text,
        authors=join_lines(line.text for line in names) or None,
        paragraphs=tuple(line.text for line in paragraphs),
    )
    return TalkPiece(talk, tuple(own), awards, end)


def is_single(block: Sequence[Line], place: int) -> bool:
    """Say whether a title that stands once is followed by ``Abstract``, with an author line between or not."""
    at, end = place + 1, len(block)
    while at < end and is_award(block[at].text):
        at += 1
    if at >= end or is_award(block[place].text):
        return False
    if block[at].what is not What.TEXT or at + 1 >= end or block[at + 1].what is not What.ABSTRACT:
        return block[at].what is What.ABSTRACT
    return _is_author_line(block[at].text)


def _label_after(block: Sequence[Line], place: int) -> int | None:
    """Return where the ``Abstract`` of the talk stands whose head goes on at ``place``; None where it has none."""
    for at in range(place, min(place + _HEAD, len(block))):
        what = block[at].what
        if what is What.ABSTRACT:
            return at
        if (what is not What.TEXT and what is not What.TYPE) or is_doubled(block, at):
            return None
    return None


def _end_of_bare_head(block: Sequence[Line], place: int) -> int:
    """Return where the head of a talk without ``Abstract`` ends: awards and one author line are taken."""
    at = place
    while at < len(block) and is_award(block[at].text):
        at += 1
    if at >= len(block) or is_doubled(block, at) or block[at].what is not What.TEXT:
        return at
    text = block[at].text
    # The chair of a keynote may stand below its one talk, and end the slot; else it is that of the next session.
    alone = reads_as_person(text) and at + 2 == len(block)
    followed_by_chair = not alone and any(line.what is What.CHAIR for line in block[at + 1 : at + 3])
    above_prose = at + 1 < len(block) and is_prose(block[at + 1].text)
    listed = above_prose or "," in text or "(" in text or " and " in text or reads_as_person(text)
    if listed and looks_like_names(text) and not followed_by_chair and not read_session(text).formal:
        return at + 1
    return at


def _paragraphs(block: Sequence[Line], place: int) -> tuple[list[Line], int]:
    """Return the paragraphs of an abstract and the place below them; a lone stray line is stepped over."""
    taken: list[Line] = []
    end = at = place
    while at < len(block):
        line = block[at]
        if not taken and PLACEHOLDER.fullmatch(line.text):
            return [line], at + 1
        if line.what is not What.TEXT or is_doubled(block, at):
            break
        if is_paragraph(line.text, first=not taken) and not is_single(block, at):
            taken.append(line)
            end = at + 1
        elif is_title_shaped(line.text) or not _goes_on(block, at + 1):
            break
        at += 1
    return taken, end


def _goes_on(block: Sequence[Line], place: int) -> bool:
    """Say whether the line at ``place`` is surely a paragraph."""
    if place >= len(block) or block[place].what is not What.TEXT or is_doubled(block, place):
        return False
    text = block[place].text
    return len(text) >= _FIRST_PARAGRAPH and is_paragraph(text, first=False) and not is_single(block, place)


def is_paragraph(text: str, *, first: bool) -> bool:
    """Say whether a text reads as prose: long, or a sentence; more is asked of a paragraph after the first."""
    if len(text) >= (_FIRST_PARAGRAPH if first else _LATER_PARAGRAPH):
        return True
    return " " in text and _SENTENCE_END.search(text, max(0, len(text) - 200)) is not None


def _names(line: Line) -> bool:
    """Say whether a line of a talk's head belongs to its author list."""
    return line.what is What.TEXT and looks_like_names(line.text)


def _is_author_line(text: str) -> bool:
    """Say whether a line can only be an author line, where anything might stand."""
    if "," not in text and "(" not in text and " and " not in text:
        return looks_like_names(text) and (" " not in text or reads_as_person(text))
    return looks_like_names(text)
