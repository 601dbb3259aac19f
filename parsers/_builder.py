"""From the roles of a slot's lines to its sessions and talks, not yet read: what a grammar's states say is done here.

    title      begins a session, or joins what stands above it: a mark, or a room above its title (``above``)
    talk       begins a talk of the session; so do ``poster`` and ``untitled``, whose title is lost: it is rejected
    ...        all else is appended to what is open: a room, a chair or a point to the session, authors to the talk

Nothing is decided here but this: a line whose next best role came close is not used, and a title or talk of that kind
is held back with all that it began. What the lines say is read by each source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import time
from typing import Any, Final, NamedTuple, Protocol

from parsers._grammar import NO_ROLE, Step
from parsers._lines import Boilerplate, LineClass, Lines, Reading, Rule, heading_rule, record_rule
from schemas.items import Reject

_ITEM: Final = record_rule("item")
_TALK: Final = record_rule("talk")
# Each line of a session's heading governs the talks below: so each has a level of its own.
_SESSION: Final = (
    heading_rule("session", 4),
    *(heading_rule("session_detail", level) for level in range(5, 20)),
)
_AMBIGUOUS: Final = Rule("ambiguous", LineClass.REJECTED)
_INCOMPLETE: Final = Rule("incomplete_item", LineClass.REJECTED)
# What begins a talk, and as what it is kept; a talk without a title, or without its time, is lost.
_BEGIN_TALK: Final = {
    "talk": "talk",
    "poster": "talk",
    "untitled": "untitled",
    "time": "time",
    "first": "authors",
    "only": "entry",
    "orphan": "orphan",
    "void": "void",
    "wrong": "wrong",
}
_LOST: Final = {
    "untitled": "expected the title of what stands here",
    "orphan": "expected the time of the talk above its authors and title",
    "void": "expected a title or an abstract below the time",
    "wrong": "expected a time of day HH:MM",
}
_OF_TALK: Final = frozenset(
    {
        "again",
        "more",
        "award",
        "authors",
        "abstract",
        "paragraph",
        "biography",
        "about",
        "hall",
        "off",
        "entry",
        "speaker",
    }
)
_BOILERPLATE: Final = frozenset({"award", "type"})


class Block(NamedTuple):
    """A piece of a dump in its place: its text, its form, its first and last line (1-based), and what is claimed.

    ``url`` is the address to which it links as a whole.
    """

    text: str
    form: str
    first: int | None
    last: int | None
    source: Any = None
    url: str | None = None


class Ledger(Protocol):
    """What keeps account of blocks: a text or a page."""

    def claim(self, block: Block, rule: Rule) -> None:
        """Claim a block."""

    def claim_boilerplate(self, block: Block) -> None:
        """Claim a block that is boilerplate, by its pattern."""

    def tell(self, block: Block, reading: Reading) -> None:
        """Say how a block was read."""


class TextLedger:
    """The lines of a text, whose blocks are claimed whole; a block without a line is nobody's."""

    def __init__(self, lines: Lines, boilerplate: Boilerplate) -> None:
        """Keep account in the lines of a document."""
        self._lines = lines
        self._boilerplate = boilerplate

    def claim(self, block: Block, rule: Rule) -> None:
        """Claim the lines of a block."""
        if block.first is not None and block.last is not None:
            self._lines.claim_span(block.first, block.last, rule)

    def claim_boilerplate(self, block: Block) -> None:
        """Claim a line that a pattern of boilerplate matches."""
        if block.first is not None:
            self._lines.claim_boilerplate(block.first, self._boilerplate)

    def tell(self, block: Block, reading: Reading) -> None:
        """Say how a line was read."""
        if block.first is not None:
            self._lines.tell(block.first, reading)


@dataclass(slots=True)
class Part:
    """A session or talk while it is put together: its blocks by role, in printed order.

    ``held`` says why it is no record: what its first line could be beside what it was read as. ``extent`` is all that
    stands from its first line to the next session or talk, also what was not used. ``lost`` says that its
    title is not printed.
    """

    blocks: dict[str, list[Block]] = field(default_factory=dict)
    held: str | None = None
    extent: list[Block] = field(default_factory=list)
    lost: bool = False

    def add(self, role: str, block: Block) -> None:
        """Append a block."""
        self.blocks.setdefault(role, []).append(block)

    def of(self, *roles: str) -> list[Block]:
        """Return the blocks of some roles."""
        return [block for role in roles for block in self.blocks.get(role, ())]

    def text(self, role: str) -> str | None:
        """Return the text of a role, its lines joined by blanks; None where there is none."""
        return " ".join(block.text for block in self.blocks.get(role, ())) or None

    @property
    def url(self) -> str | None:
        """The address to which its title links."""
        return next((block.url for block in self.of("title", "talk") if block.url), None)

    @property
    def own(self) -> list[Block]:
        """All its blocks in printed order, boilerplate left out."""
        blocks = [block for role, blocks in self.blocks.items() if role not in _BOILERPLATE for block in blocks]
        return sorted(blocks, key=lambda block: block.first or 0)

    @property
    def span(self) -> tuple[int | None, int | None]:
        """Its first and last line; None where these are not known."""
        return span_of(self.own)


@dataclass(slots=True)
class TalkPart(Part):
    """A talk; ``starts`` and ``ends`` are its own where it stands below a time of its own."""

    starts: time | None = None
    ends: time | None = None


@dataclass(slots=True)
class SessionPart(Part):
    """A session with its talks; ``withheld`` says that others stood below its heading, which are rejected."""

    talks: list[TalkPart] = field(default_factory=list)
    withheld: bool = False

    @property
    def is_open(self) -> bool:
        """True if nothing but marks, rooms and types above a title stand here so far."""
        return not self.talks and not self.lost and set(self.blocks) <= {"above", "mark", "type"}


def span_of(blocks: Iterable[Block]) -> tuple[int | None, int | None]:
    """Return the first and the last line of some blocks; None where one of them has no number."""
    firsts, lasts = zip(*((block.first, block.last) for block in blocks), strict=True)
    return (
        None if None in firsts else min(firsts),
        None if None in lasts else max(lasts),
    )


def build(blocks: Iterable[Block], steps: Iterable[Step], ledger: Ledger) -> Iterator[SessionPart | Reject]:
    """Yield the sessions of a slot in printed order, and claim what they are made of."""
    session: SessionPart | None = None
    for block, step in zip(blocks, steps, strict=True):
        read_as = step.state.name if step.state else NO_ROLE
        ledger.tell(block, Reading(block.form, read_as, step.price, step.other, step.margin))
        role = step.state.role if step.state else ""
        begins = role in {"title", "lost"} or role in _BEGIN_TALK
        if not role or (not step.is_sure and not begins):
            _extend(session, block)
            continue
        held = None if step.is_sure else f"read as {role}, nearly as {step.other}"
        if role in {"title", "above", "mark", "lost"} and not (session and session.is_open and role != "above"):
            if session:
                yield from _close(session, ledger)
            session = SessionPart(lost=role == "lost")
        if session is None:
            session = SessionPart()
        session.lost = session.lost or role == "lost"
        if role in _BEGIN_TALK:
            session.talks.append(TalkPart({_BEGIN_TALK[role]: [block]}, held, lost=role in _LOST))
        elif role in _OF_TALK and session.talks:
            session.talks[-1].add(role, block)
        else:
            session.add(role, block)
            session.held = session.held or held
        _extend(session, block)
    if session:
        yield from _close(session, ledger)


def _extend(session: SessionPart | None, block: Block) -> None:
    """Add a block to the extent of the talk, or of the session, that is open."""
    if session:
        (session.talks[-1] if session.talks else session).extent.append(block)


def _close(session: SessionPart, ledger: Ledger) -> Iterator[SessionPart | Reject]:
    """Yield a session without what is held of it, and claim its lines."""
    if session.held or session.lost:
        yield _reject([session, *session.talks], session.held, ledger)
        return
    held = [talk for talk in session.talks if talk.held or talk.lost]
    rule = _SESSION if session.talks else (_ITEM,)
    for place, block in enumerate(session.own):
        ledger.claim(block, rule[min(place, len(rule) - 1)])
    for block in session.of("type"):
        ledger.claim_boilerplate(block)
    for talk in session.talks:
        if talk.held or talk.lost:
            yield _reject([talk], talk.held, ledger)
            continue
        for block in talk.own:
            ledger.claim(block, _TALK)
        for block in talk.of("award"):
            ledger.claim_boilerplate(block)
    if held:
        session.talks = [talk for talk in session.talks if not (talk.held or talk.lost)]
        session.withheld = True
    if "title" in session.blocks or session.talks:
        yield session


def _reject(parts: Sequence[Part], held: str | None, ledger: Ledger) -> Reject:
    """Reject what is held back with all that it began, and what has lost its title."""
    blocks = [block for part in parts for block in part.extent]
    for block in blocks:
        ledger.claim(block, _AMBIGUOUS if held else _INCOMPLETE)
    first, last = span_of(blocks)
    text = "\n".join(block.text for block in blocks)
    if held:
        return Reject(first, last, text, "ambiguous", held)
    expected = next((_LOST[role] for part in parts for role in part.blocks if role in _LOST), _LOST["untitled"])
    return Reject(first, last, text, "incomplete_item", expected)
