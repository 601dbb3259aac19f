"""The box of one session in a marked-up page: its parts in page order, and its talks with what they hide.

    <div class="program-session">
      <div class="session-title">..</div> <div class="room-name">..</div> <div class="session-chair">..</div>
      <div class="slot-wrapper"><span class="ttip_object_info">Title</span>
        <div class="info_link_object_info"><b id=".._title">Title</b> <div class="author-names">..</div>
          Abstract <blockquote>..</blockquote></div></div></div>

A line is taken only into a part that belongs to what is being read: text behind the parts of a tag that was not
closed stays with the ledger. What the parts become does not belong here (``printed``, ``box_titles``, ``box_talks``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from lxml import etree

from parsers._html import Page
from parsers._lines import LineClass, Rule
from parsers.cluster.boilerplate import is_award
from parsers.cluster.elements import Line, Role
from parsers.cluster.names import looks_like_names
from parsers.cluster.page_lines import claim
from schemas.items import Reject

_HEADS: Final = frozenset({Role.DAY, Role.TIME, Role.TITLE, Role.ROOM, Role.CHAIR, Role.TYPE, Role.DESCRIPTION})
_TALK_PARTS: Final = frozenset({Role.TALK_TITLE, Role.TITLE_AGAIN, Role.AUTHORS, Role.AWARD})
# The toggles of pages by date print their label twice.
_LABEL: Final = re.compile(r"(?P<label>Abstract|Biography|Bio)(?:\s+(?P=label))?\s*:?", re.IGNORECASE)


class Section(StrEnum):
    """What the label above a text says that it is."""

    ABSTRACT = "abstract"
    BIOGRAPHY = "biography"


@dataclass(slots=True)
class Head:
    """A part of a session other than its talks, with its lines."""

    role: Role
    part: etree._Element
    lines: list[Line] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its text in one line."""
        return " ".join(line.text for line in self.lines)


@dataclass(slots=True)
class TalkBox:
    """One talk: the parts that were opened in it, and its lines by what they are."""

    parts: list[etree._Element]
    hidden: bool = False
    title: list[Line] = field(default_factory=list)
    again: list[Line] = field(default_factory=list)
    authors: list[Line] = field(default_factory=list)
    awards: list[Line] = field(default_factory=list)
    labels: list[Line] = field(default_factory=list)
    texts: dict[Section, list[Line]] = field(default_factory=dict)
    section: Section | None = None

    @property
    def bare(self) -> bool:
        """Say whether it is nothing but a title so far."""
        return not (self.hidden or self.again or self.authors or self.labels)

    @property
    def lines(self) -> list[Line]:
        """All its lines but awards, in no order."""
        texts = (line for lines in self.texts.values() for line in lines)
        return [*self.title, *self.again, *self.authors, *self.labels, *texts]


@dataclass(slots=True)
class Box:
    """A session's box; ``part`` is None where talks stand outside any. ``loose`` is text that no part of it holds."""

    part: etree._Element | None
    entries: list[Head | TalkBox] = field(default_factory=list)
    loose: list[Line] = field(default_factory=list)
    talks: etree._Element | None = None

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin a part of the session."""
        talk = self._talk
        if role in _HEADS:
            self.entries.append(Head(role, part))
        elif role is Role.TALK:
            self.entries.append(TalkBox([part]))
        elif role is Role.HIDDEN or role in _TALK_PARTS:
            if talk is None or _begins_talk(role, talk):
                talk = TalkBox([])
                self.entries.append(talk)
            talk.parts.append(part)
            talk.hidden = talk.hidden or role is Role.HIDDEN
            talk.section = None
        elif role is Role.TALKS:
            self.talks = part

    def take(self, line: Line) -> None:
        """Take a line into the part that it belongs to; a line of a part that is over is left."""
        entry = self.entries[-1] if self.entries else None
        if isinstance(entry, TalkBox) and line.part in entry.parts:
            _take_into_talk(entry, line)
        elif line.role in _HEADS:
            if isinstance(entry, Head) and line.part is entry.part:
                entry.lines.append(line)
        elif line.part is self.talks:
            self.entries.append(TalkBox([], title=[line]))
        elif line.part is self.part:
            self.loose.append(line)

    @property
    def _talk(self) -> TalkBox | None:
        """The talk that is being read."""
        entry = self.entries[-1] if self.entries else None
        return entry if isinstance(entry, TalkBox) else None


def reject_head(page: Page, head: Head, reason: str, expected: str) -> Reject:
    """Reject a day or a time, and claim its lines."""
    claim(page, head.lines, Rule(reason, LineClass.REJECTED))
    return Reject(head.lines[0].number, head.lines[-1].last, head.text, reason, expected)


def first_of(lines: Sequence[Line]) -> int | None:
    """Return the first line of the dump that some lines stand on; None where one is beyond what is counted."""
    numbers = [number for line in lines if (number := line.number) is not None]
    return min(numbers, default=None) if len(numbers) == len(lines) else None


def last_of(lines: Sequence[Line]) -> int | None:
    """Return the last line of the dump that some lines stand on; None where one is beyond what is counted."""
    numbers = [number for line in lines if (number := line.last) is not None]
    return max(numbers, default=None) if len(numbers) == len(lines) else None


def _begins_talk(role: Role, talk: TalkBox) -> bool:
    """Say whether a part cannot belong to the talk above it: the element that should hold both was lost."""
    if role is Role.HIDDEN:
        return talk.hidden
    return role is Role.TALK_TITLE and bool(talk.title or not talk.bare)


def _take_into_talk(talk: TalkBox, line: Line) -> None:
    """Take a line of a talk by its part, its label, or the label above it."""
    role = line.role
    label = _LABEL.fullmatch(line.text) if len(line.text) < 30 and role is not Role.TALK_TITLE else None
    if label:
        talk.section = Section.ABSTRACT if label["label"].lower() == "abstract" else Section.BIOGRAPHY
        talk.labels.append(line)
    elif role is Role.AWARD or (talk.section is None and is_award(line.text)):
        talk.awards.append(line)
    elif role is Role.TALK_TITLE:
        talk.title.append(line)
    elif talk.section is not None:
        talk.texts.setdefault(talk.section, []).append(line)
    elif role is Role.TITLE_AGAIN:
        talk.again.append(line)
    elif role is Role.AUTHORS or (role is Role.HIDDEN and talk.again and looks_like_names(line.text)):
        talk.authors.append(line)
    elif role is Role.TALK and talk.bare:
        talk.title.append(line)
    elif role is Role.HIDDEN and not talk.again:
        talk.again.append(line)
