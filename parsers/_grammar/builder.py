"""Builds sessions and talks from the lines of a slot and the roles that a grammar gave them.

    title      begins a session, or joins an open one that holds only a mark or a room (``above``)
    talk       begins a talk of the session; so do ``poster`` and ``untitled``, whose title is lost: it is rejected
    ...        all else is added to what is open: a room, a chair or a point to the session, authors to the talk

Nothing is decided here but this: a line whose next best role came close is not used, and a session or talk that it
would begin is held back with everything below it. Reading the text of the lines is up to each source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import time
from typing import Any, Final, NamedTuple, Protocol

from parsers._grammar.states import NO_ROLE, Step
from parsers._ledger.lines import Boilerplate, Classification, LineClass, Lines, Rule, heading_rule, record_rule
from schemas.items import Reject

_ITEM: Final = record_rule("item")
_TALK: Final = record_rule("talk")
# Each line of a session's heading governs the talks below, so each needs its own level.
_SESSION: Final = (
    heading_rule("session", 4),
    *(heading_rule("session_detail", level) for level in range(5, 20)),
)
_AMBIGUOUS: Final = Rule("ambiguous", LineClass.REJECTED)
_INCOMPLETE: Final = Rule("incomplete_item", LineClass.REJECTED)
# The roles that begin a talk, and the role under which their block is kept; without a title or time a talk is lost.
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
    "untitled": "expected a title",
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
    """A piece of a dump in its place: text, form, first and last line (1-based), and ``source``, which a ledger claims.

    ``url`` is the address that the whole block links to.
    """

    text: str
    form: str
    first: int | None
    last: int | None
    source: Any = None
    url: str | None = None


class Ledger(Protocol):
    """Accounts for blocks: of a text or of a page."""

    def claim(self, block: Block, rule: Rule) -> None:
        """Claim a block."""

    def claim_boilerplate(self, block: Block) -> None:
        """Claim a block if a boilerplate pattern matches it."""

    def tell(self, block: Block, reading: Classification) -> None:
        """Store how a block was read."""


class TextLedger:
    """The ledger of a text: claims all lines of a block; a block without a line number is not accounted for."""

    def __init__(self, lines: Lines, boilerplate: Boilerplate) -> None:
        """Claim in the lines of a document."""
        self._lines = lines
        self._boilerplate = boilerplate

    def claim(self, block: Block, rule: Rule) -> None:
        """Claim the lines of a block."""
        if block.first is not None and block.last is not None:
            self._lines.claim_span(block.first, block.last, rule)

    def claim_boilerplate(self, block: Block) -> None:
        """Claim a line if a boilerplate pattern matches it."""
        if block.first is not None:
            self._lines.claim_boilerplate(block.first, self._boilerplate)

    def tell(self, block: Block, reading: Classification) -> None:
        """Store how a line was read."""
        if block.first is not None:
            self._lines.tell(block.first, reading)


@dataclass(slots=True)
class BlockGroup:
    """A session or talk being put together: its blocks by role, in printed order.

    ``held`` is the reason why it is held back: its first line could nearly be something else. ``extent`` holds every
    block from its first line to the next session or talk, used or not. ``lost`` is true if its title or time is
    missing.
    """

    blocks: dict[str, list[Block]] = field(default_factory=dict)
    held: str | None = None
    extent: list[Block] = field(default_factory=list)
    lost: bool = False

    def add(self, role: str, block: Block) -> None:
        """Append a block."""
        self.blocks.setdefault(role, []).append(block)

    def of(self, *roles: str) -> list[Block]:
        """Return the blocks of the given roles."""
        return [block for role in roles for block in self.blocks.get(role, ())]

    def text(self, role: str) -> str | None:
        """Return the text of a role, lines joined by spaces; None if there is none."""
        return " ".join(block.text for block in self.blocks.get(role, ())) or None

    @property
    def url(self) -> str | None:
        """The address that its title links to."""
        return next((block.url for block in self.of("title", "talk") if block.url), None)

    @property
    def own(self) -> list[Block]:
        """All its blocks in printed order, without boilerplate."""
        blocks = [block for role, blocks in self.blocks.items() if role not in _BOILERPLATE for block in blocks]
        return sorted(blocks, key=lambda block: block.first or 0)

    @property
    def span(self) -> tuple[int | None, int | None]:
        """Its first and last line; None if unknown."""
        return span_of(self.own)


@dataclass(slots=True)
class TalkGroup(BlockGroup):
    """A talk; ``starts`` and ``ends`` are set where the talk has its own time above it."""

    starts: time | None = None
    ends: time | None = None


@dataclass(slots=True)
class SessionGroup(BlockGroup):
    """A session with its talks; ``withheld`` is true if some of its talks were rejected."""

    talks: list[TalkGroup] = field(default_factory=list)
    withheld: bool = False

    @property
    def is_open(self) -> bool:
        """True if it holds nothing yet but marks, types and rooms above a title."""
        return not self.talks and not self.lost and set(self.blocks) <= {"above", "mark", "type"}


def span_of(blocks: Iterable[Block]) -> tuple[int | None, int | None]:
    """Return the first and the last line of some blocks; None if a block has no number."""
    firsts, lasts = zip(*((block.first, block.last) for block in blocks), strict=True)
    return (
        None if None in firsts else min(firsts),
        None if None in lasts else max(lasts),
    )


def build(blocks: Iterable[Block], steps: Iterable[Step], ledger: Ledger) -> Iterator[SessionGroup | Reject]:
    """Yield the sessions of a slot in printed order, and claim their blocks."""
    session: SessionGroup | None = None
    for block, step in zip(blocks, steps, strict=True):
        read_as = step.state.name if step.state else NO_ROLE
        ledger.tell(block, Classification(block.form, read_as, step.price, step.other, step.margin))
        role = step.state.role if step.state else ""
        begins = role in {"title", "lost"} or role in _BEGIN_TALK
        if not role or (not step.is_sure and not begins):
            _extend(session, block)
            continue
        held = None if step.is_sure else f"read as {role}, nearly as {step.other}"
        if role in {"title", "above", "mark", "lost"} and not (session and session.is_open and role != "above"):
            if session:
                yield from _close(session, ledger)
            session = SessionGroup(lost=role == "lost")
        if session is None:
            session = SessionGroup()
        session.lost = session.lost or role == "lost"
        if role in _BEGIN_TALK:
            session.talks.append(TalkGroup({_BEGIN_TALK[role]: [block]}, held, lost=role in _LOST))
        elif role in _OF_TALK and session.talks:
            session.talks[-1].add(role, block)
        else:
            session.add(role, block)
            session.held = session.held or held
        _extend(session, block)
    if session:
        yield from _close(session, ledger)


def _extend(session: SessionGroup | None, block: Block) -> None:
    """Add a block to the extent of the open talk, or else of the open session."""
    if session:
        (session.talks[-1] if session.talks else session).extent.append(block)


def _close(session: SessionGroup, ledger: Ledger) -> Iterator[SessionGroup | Reject]:
    """Yield a session without its held-back talks, which are rejected, and claim its lines."""
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


def _reject(parts: Sequence[BlockGroup], held: str | None, ledger: Ledger) -> Reject:
    """Reject parts that are held back or lost, with their whole extent."""
    blocks = [block for part in parts for block in part.extent]
    for block in blocks:
        ledger.claim(block, _AMBIGUOUS if held else _INCOMPLETE)
    first, last = span_of(blocks)
    text = "\n".join(block.text for block in blocks)
    if held:
        return Reject(first, last, text, "ambiguous", held)
    expected = next((_LOST[role] for part in parts for role in part.blocks if role in _LOST), _LOST["untitled"])
    return Reject(first, last, text, "incomplete_item", expected)
