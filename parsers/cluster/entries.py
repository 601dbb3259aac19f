"""One entry of a text dump by date: what stands below its slot line, taken apart at its chair and its labels.

    Great Hall                                room, type and title: the type is known by its words
    Plenary, Paper
    Session I: Stores
    Chair: Bea Sorn (Norwick)
    Offloaded stores                          the head of a talk ends at its first label
    Best Paper
    Ann One, and Bo Two (Plum)
    Biography
    Ann builds clocks.
    Abstract
    We describe a store that keeps small objects near the readers.

The pages print the authors of every talk: where a head is an author list alone, its title was lost and the talk is
rejected. What no place explains is left to the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from parsers._lines import Lines, heading_rule, record_rule
from parsers.cluster.boilerplate import BOILERPLATE, SESSION_TYPE, is_award
from parsers.cluster.headings import PLACEHOLDER, read_chair_label, read_session
from parsers.cluster.items import PrintedSession, PrintedTalk
from parsers.cluster.lines import Line, What
from parsers.cluster.names import looks_like_names
from parsers.cluster.people import NOBODY, read_chairs
from parsers.cluster.talk_heads import LABEL, head_of_talk, heads
from parsers.cluster.talks import is_paragraph
from schemas.items import Reject

_SESSION_RULES: Final = tuple(heading_rule("session", level) for level in range(4, 20))
_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")

_GLUED: Final = re.compile(rf"(?P<room>.*?)\s*(?P<type>{SESSION_TYPE})?")
_MOST_ABOVE: Final = 3  # room, type and title


@dataclass(slots=True)
class _Section:
    """A label and the paragraphs below it."""

    label: list[Line]
    paragraphs: list[Line] = field(default_factory=list)

    @property
    def abstract(self) -> bool:
        """Say whether it holds the abstract rather than a biography."""
        return self.label[0].text.lower().startswith("abstract")

    def says(self, label: re.Match[str]) -> bool:
        """Say whether another label is its own, printed again."""
        return self.label[0].text.lower().startswith(label["label"].lower())


@dataclass(slots=True)
class Entry:
    """What was read of an entry: its session, the lines by what they are, its rejects, and the lines left over."""

    session: PrintedSession | None = None
    head: list[Line] = field(default_factory=list)
    type_line: Line | None = None
    talks: list[Line] = field(default_factory=list)
    awards: list[Line] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    left: list[Line] = field(default_factory=list)

    def claim(self, ledger: Lines) -> Iterator[Reject]:
        """Claim the lines of the entry and yield its rejects."""
        for place, line in enumerate(self.head):
            talks = self.session is not None and self.session.talks
            rule = _SESSION_RULES[min(place, len(_SESSION_RULES) - 1)] if talks else _ITEM_RULE
            ledger.claim_span(line.number, line.last, rule)
        for line in self.awards:
            ledger.claim_boilerplate(line.number, BOILERPLATE)
        if self.type_line and not ledger.claim_boilerplate(self.type_line.number, BOILERPLATE):
            ledger.claim(self.type_line.number, _ITEM_RULE)
        for line in self.talks:
            ledger.claim_span(line.number, line.last, _TALK_RULE)
        yield from self.rejects

    @property
    def bare(self) -> str | None:
        """The title of an entry that is nothing else."""
        session = self.session
        if session is None or session.heading is None or session.room or session.session_type:
            return None
        return None if session.talks or session.chairs.persons else session.heading.printed


def read_entry(block: Sequence[Line], rest: str) -> Entry:
    """Read what stands below a slot line; ``rest`` is what is glued to it: the room, the type."""
    entry = Entry()
    glued = _GLUED.fullmatch(rest)
    room, session_type = (glued["room"] or None, glued["type"]) if glued else (None, None)
    start, chair = _begin_of_talks(block, glued=bool(rest))
    above = [line for line in block[:start] if line is not chair]
    if session_type is None and (typed := _type_of(above)):
        entry.type_line, session_type = typed, typed.text
        above.remove(typed)
    if room is None and len(above) > 1:
        room = above[-2].text
        entry.head = above[-2:]
    else:
        entry.head = above[-1:]
    entry.left = above[: len(above) - len(entry.head)]
    heading = read_session(above[-1].text) if above else None
    chairs = NOBODY
    if chair is not None:
        role, names = read_chair_label(chair.text) or ("", "")
        chairs = read_chairs(names, role)
        entry.head.append(chair)
    talks = tuple(_read_talks(entry, block[start:]))
    if heading is None and not talks:
        entry.left, entry.head = [*entry.left, *entry.head], []
        return entry
    entry.session = PrintedSession(
        line_start=entry.head[0].number if entry.head else None,
        line_end=entry.head[-1].last if entry.head else None,
        heading=heading,
        room=None if room is None or PLACEHOLDER.fullmatch(room) else room,
        chairs=chairs,
        talks=talks,
        session_type=session_type,
    )
    return entry


def _begin_of_talks(block: Sequence[Line], *, glued: bool) -> tuple[int, Line | None]:
    """Return where the talks of an entry begin, and the line of its chair."""
    first_label = next((at for at, line in enumerate(block) if LABEL.fullmatch(line.text)), len(block))
    for at, line in enumerate(block[: min(first_label, _MOST_ABOVE + 1)]):
        if line.what is What.CHAIR:
            return at + 1, line
    for at, line in enumerate(block[: min(first_label, _MOST_ABOVE - 1)]):
        if line.what is What.TYPE:
            return at + 2, None
    if glued:
        return 1, None
    if first_label == len(block):
        return min(first_label, _MOST_ABOVE), None
    return first_label - len(head_of_talk(block[:first_label])), None


def _type_of(above: Sequence[Line]) -> Line | None:
    """Return the line of the session's type: known by its words, or between room and title."""
    known = next((line for line in above if line.what is What.TYPE), None)
    return above[1] if known is None and len(above) == _MOST_ABOVE else known


def _read_talks(entry: Entry, block: Sequence[Line]) -> Iterator[PrintedTalk]:
    """Yield the talks of an entry; each begins with the head above its first label."""
    starts = list(heads(block))
    entry.left += block[: starts[0][0]] if starts else block
    for (start, label), (end, _) in pairwise([*starts, (len(block), 0)]):
        talk = _read_talk(entry, block[start:label], block[label:end])
        if talk is not None:
            yield talk


def _read_talk(entry: Entry, head: Sequence[Line], body: Sequence[Line]) -> PrintedTalk | None:
    """Read a talk; one whose title was lost is rejected."""
    awards = [line for line in head if is_award(line.text)]
    names = [line for line in head if line not in awards]
    texts, lost = _part_at_lost_title(_read_texts(entry, body))
    if lost:
        entry.rejects.append(_untold(_lines_of(lost)))
    if not names or _is_list_of_names(names):
        entry.rejects.append(_untold([*head, *_lines_of(texts)]))
        return None
    own = [*names, *_lines_of(texts)]
    entry.talks += own
    entry.awards += awards
    return PrintedTalk(
        line_start=names[0].number,
        line_end=own[-1].last,
        title=names[0].text,
        authors=names[1].text if len(names) > 1 else None,
        paragraphs=tuple(line.text for text in texts if text.abstract for line in text.paragraphs),
        about=tuple(line.text for text in texts if not text.abstract for line in text.paragraphs),
    )


def _read_texts(entry: Entry, body: Sequence[Line]) -> list[_Section]:
    """Read the labels of a talk and what stands below them; a line that is no paragraph ends the last of them."""
    texts: list[_Section] = []
    for at, line in enumerate(body):
        label = LABEL.fullmatch(line.text)
        if label and texts and not texts[-1].paragraphs and texts[-1].says(label):
            texts[-1].label.append(line)
        elif label:
            texts.append(_Section([line]))
        elif PLACEHOLDER.fullmatch(line.text) or any(is_paragraph(text.text, first=True) for text in body[at:]):
            texts[-1].paragraphs.append(line)
        else:
            entry.left.append(line)
    return texts


def _part_at_lost_title(texts: Sequence[_Section]) -> tuple[Sequence[_Section], Sequence[_Section]]:
    """Part the texts of a talk from those below a label that was there before: the title between them was lost."""
    seen: set[bool] = set()
    for at, text in enumerate(texts):
        if text.abstract in seen:
            return texts[:at], texts[at:]
        if text.paragraphs:
            seen.add(text.abstract)
    return texts, ()


def _lines_of(texts: Sequence[_Section]) -> list[Line]:
    """Return the lines of some texts, labels and all."""
    return [line for text in texts for line in (*text.label, *text.paragraphs)]


def _is_list_of_names(names: Sequence[Line]) -> bool:
    """Say whether what stands where a title and authors should is a list of authors alone."""
    return len(names) == 1 and looks_like_names(names[0].text) and ("," in names[0].text or "(" in names[0].text)


def _untold(lines: Sequence[Line]) -> Reject:
    """Reject a talk whose title was lost."""
    text = "\n".join(line.text for line in lines)
    detail = "expected the title of a talk above its authors"
    return Reject(lines[0].number, lines[-1].last, text, "incomplete_item", detail)
