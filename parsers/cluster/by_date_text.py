"""Text dumps of the pages ``by_date``, ``by_room`` and ``by_sub_type``: one entry per session, weekdays without dates.

    Tuesday 9:00am-10:15am            list of links: nothing below them
    Wednesday 10:30am-12:00pm
    Great Hall                        group of the entries below, in pages by room or type
    Tuesday 9:00am-10:15am            an entry: its slot, room, type, title and chair
    Great Hall
    Plenary, Paper
    Session I: Stores
    Chair: Bea Sorn (Norwick)
    Offloaded stores                  its talks: title, award, authors, and labels with their texts
    Best Paper
    Ann One, and Bo Two (Plum)
    Biography Biography               the label twice, on one line or on two
    Ann builds clocks.
    Abstract Abstract
    We describe a store that keeps small objects near the readers.

The type between room and title identifies both. If titles of talks are lost, as some extractors drop links, the text is
refused: its incomplete records would replace those of the page.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise
from typing import Final

from parsers._grammar.builder import Block, Ledger, TextLedger, build
from parsers._grammar.states import StateTable, Step
from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule
from parsers._words.dates import CLOCK, DASH, WEEKDAY, weekday_number
from parsers.cluster.chrome import BOILERPLATE, LINKS, PAGE_TITLE, Masthead, is_never_programme
from parsers.cluster.forms import form_of
from parsers.cluster.headings import TimeLine, read_time_line
from parsers.cluster.items import Edition, Outline, Placed, read_outline
from schemas.items import Item, Reject

EXPECTS: Final = (
    "lines with weekday and time such as 'Tuesday 9:00am-10:15am', and below them a room, a type such as 'Paper', "
    "titles, authors and 'Abstract'"
)

ENTRIES: Final = StateTable.of("""
begin                                                      > E.room0 E.type0
talks                                                      > E.talk0 E.named0 E.gone0 E.orphan0
E.room     above     ROO0 NAM0 TTS0 TTL7 ONE0 ODD0 SUR0 HED1 RMT0 TBA0 > type0
E.type     type      TYP0                                  > title0 noname0
E.title    title     HED0 TTL0 TTS0 SPK0 NAM0 ONE0 ODD0 SUR0 SEN0 LST0 PER0 ROO0 PRO1 TYP1 > chair0 talks0 end0
E.chair    chair     CHA0                                  > talks0 end0
E.talk     talk      TTL0 TTS0 HED0 SPK0 SEN0 ONE0 ODD0 SUR1 ROO1 PRO4 > award0 auth0 abs1 bio1
E.named    talk      LST4 PER4 NAM1                        > award0 auth0
E.award    award     AWD0                                  > auth0 abs1
E.auth     authors   LST0 PER0 NAM0 SUR0 SPK1 ONE4              > bio0 abs0
E.bio      biography BIO0                                  > bio0 about0 abs0 talk5 end1
E.about    about     PRO0 SEN0 PER0 NAM0 LST0 SPK1         > about0 abs0 talk5 stray0 end0
E.abs      abstract  ABS0                                  > abs0 para0 line0 over0 talk0 named0 end1
E.para     paragraph PRO0 SEN0 ODD4 TBA0                   > para0 line0 over0 talks0 stray0 end0
E.line     paragraph TTL4 TTS4                             > para0 line0 over0 talks0 stray0 end0
E.over     biography RUL0                                  > about0 talk0 end0

# a label, or authors, where the title of a talk should stand: it was lost
E.gone     untitled  AWD0 ABS4 BIO4                        > abs0 bio0 para0
E.orphan   untitled  LST4 PER4 NAM4                        > abs0 bio0

# a chair where a title should stand, a type below talks: the title, or the slot, was lost
E.noname   lost      CHA0                                  > talks0 end0
E.stray    lost      TYP0                                  > strayed0
E.strayed  sub       HED0 TTL0 TTS0 SPK0 NAM0 ONE0 ODD0 SUR0 SEN0 LST0 PER0 ROO0 TYP1 > chair0 talks0 end0
""")

UNBROKEN: Final = ENTRIES.dearer({"E.line": 4})
"""For pages whose paragraphs are not wrapped: a line without a full stop is hardly a paragraph."""

WITH_LINKS: Final = "save the page as HTML, or extract it with resiliparse"
"""Advice for a text that has lost titles which are links."""

_MANY: Final = 10
_HEADINGS: Final = frozenset({"COD", "TAG", "KEY", "PAN", "ITM", "CER", "PST", "PHD", "TMB"})
_PAGE_RULE: Final = heading_rule("page_title", 1)
_GROUP_RULE: Final = heading_rule("group", 2)

_LOOKED_AT: Final = 400
_LONGEST_SLOT: Final = 60
_DEAREST: Final = 1.0
_LOST: Final = 10
"""At most one talk in this many may have lost its title."""
_SLOT: Final = re.compile(rf"(?P<weekday>{WEEKDAY})[.,]?\s+(?P<time>{CLOCK}\s?{DASH}\s?{CLOCK})", re.IGNORECASE)
_WEEKDAY: Final = re.compile(rf"(?P<weekday>{WEEKDAY})[.,]?", re.IGNORECASE)
_TIME: Final = re.compile(rf"{CLOCK}\s?{DASH}\s?{CLOCK}", re.IGNORECASE)
_RULE: Final = re.compile(r"[-_=]{3,}")
_TYPE_WORD: Final = re.compile(r"[A-Z][a-z]+")


@dataclass(slots=True)
class _Entry:
    """A slot line, the blocks below it and how they were read; a link of the list above has no blocks."""

    head: Block
    weekday: int
    time: TimeLine
    blocks: list[Block] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    @property
    def is_link(self) -> bool:
        """True if nothing below belongs to an entry."""
        return not any(step.state for step in self.steps)


@dataclass(slots=True)
class _Cut:
    """A page cut at its slot lines; ``groups`` are the lines that name the group of the entries below."""

    top: list[Block] = field(default_factory=list)
    entries: list[_Entry] = field(default_factory=list)
    groups: list[Block] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """True if there are slot lines among the first lines, and the lines below them cost little by the grammar."""
    if document.is_markup:
        return False
    cut = _read(islice(document.lines.texts(), _LOOKED_AT))
    steps = [step for entry in cut.entries for step in entry.steps]
    roles = [step.state.role for step in steps if step.state]
    # A page that has lost titles is refused, but still recognised: their price does not count.
    price = sum(step.price for step in steps if step.state is None or step.state.role != "untitled")
    return "type" in roles and price <= _DEAREST * len(steps)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a dump in its order, with rejects for anything that could not be read."""
    cut = _read(document.lines.texts())
    _check_titles(document, cut)
    for number, text in document.lines.texts():
        if is_never_programme(text):
            document.lines.claim_boilerplate(number, BOILERPLATE)
    entries = [entry for entry in cut.entries if not entry.is_link]
    ledger = TextLedger(document.lines, BOILERPLATE)
    outline = Outline(
        ledger=ledger,
        masthead=_read_top(document, cut),
        times=[(entry.head, entry.time) for entry in entries],
        texts=[block.text for entry in entries for block in entry.blocks],
        weekdays=frozenset(entry.weekday for entry in entries),
    )
    yield from read_outline(document, outline, partial(_placed, entries, ledger))


def _placed(entries: Iterable[_Entry], ledger: Ledger, edition: Edition) -> Iterator[Placed]:
    """Yield the sessions of the entries."""
    seen: set[tuple[object, ...]] = set()
    for entry in entries:
        moment = edition.moment(None, entry.time, entry.weekday)
        for part in build(entry.blocks, entry.steps, ledger):
            if isinstance(part, Reject):
                yield moment, part
                continue
            # Pages by type print an entry with two types twice; its talks are merged by title.
            printed = entry.weekday, entry.time, part.text("above"), part.text("title")
            if part.talks or printed not in seen:
                yield moment, part
            seen.add(printed)


def _check_titles(document: Document, cut: _Cut) -> None:
    """Raise ``DumpError`` (declined) if more than a few talks have lost their titles."""
    roles = [
        (step.state.role, block.first)
        for entry in cut.entries
        for block, step in zip(entry.blocks, entry.steps, strict=True)
        if step.state
    ]
    talks = sum(role == "talk" for role, _ in roles)
    lost = [number for role, number in roles if role == "untitled"]
    if _LOST * len(lost) > talks + len(lost):
        raise document.error(
            lost[0] or 1,
            "declined",
            f"expected a title for every talk, {len(lost)} talks have none in this text: {WITH_LINKS}",
        )


def _read(lines: Iterable[tuple[int, str]]) -> _Cut:
    """Cut a page at its slot lines, and read the lines below them."""
    cut = _Cut()
    blocks = cut.top
    found = [Block(text, "", number, number) for number, text in lines if not is_never_programme(text)]
    place = 0
    while place < len(found):
        block, below = found[place], found[place + 1] if place + 1 < len(found) else None
        slot = _SLOT.fullmatch(block.text) if len(block.text) <= _LONGEST_SLOT else None
        apart = below is not None and _WEEKDAY.fullmatch(block.text) and _TIME.fullmatch(below.text[:_LONGEST_SLOT])
        if slot is None and below is not None and apart:  # weekday and time on separate lines
            slot = _SLOT.fullmatch(f"{block.text} {below.text}")
            block, place = block._replace(last=below.last), place + 1
        if slot:
            blocks = []
            time = read_time_line(slot["time"]) or TimeLine(None, impossible=True)
            cut.entries.append(_Entry(block, weekday_number(slot["weekday"]), time, blocks))
        else:
            blocks.append(block._replace(form=_form_of(block.text)) if cut.entries else block)
        place += 1
    _part_groups(cut)
    broken = sum(block.text[0].islower() for entry in cut.entries for block in entry.blocks) >= _MANY
    for entry in cut.entries:
        forms = [block.form for block in entry.blocks]
        if forms[:2] == ["TYP", "TYP"] and entry.blocks[0].text == entry.blocks[1].text:
            forms[0] = "RMT"  # a room named like its type
        entry.steps = (ENTRIES if broken else UNBROKEN).read(forms)
    return cut


def _form_of(text: str) -> str:
    """Return the form of a line of an entry."""
    if (rule := BOILERPLATE.rule(text)) and rule.name == "session_type":
        return "TYP"
    if _RULE.fullmatch(text):
        return "RUL"
    form = form_of(text)
    if form in {"TTL", "TTS"} and text.endswith("."):
        return "SEN"  # "And more."
    return "HED" if form in _HEADINGS else "TTL" if form == "TTQ" else form


def _part_groups(cut: _Cut) -> None:
    """Separate the group of the next entry, a room or type, from the end of the entry above it."""
    filled = [entry for entry in cut.entries if entry.blocks]
    names: set[str] = set()
    for entry in filled:
        names |= _names_of(entry)
    cut.groups = [block for block in cut.top if _is_group(block.text, names)]
    for entry, following in pairwise(filled):
        last = entry.blocks[-1]
        own = {block.text for block in entry.blocks[:2]}
        fewest = 3 if entry.blocks[0].form != "TYP" else 2
        if len(entry.blocks) >= fewest and last.text not in own and _is_group(last.text, _names_of(following)):
            cut.groups.append(entry.blocks.pop())


def _names_of(entry: _Entry) -> set[str]:
    """Return the possible groups of an entry: its room, and each word of its type."""
    first, second = (*entry.blocks[:2], *entry.blocks[-1:])[:2]
    words = {word for block in (first, second) if block.form == "TYP" for word in _TYPE_WORD.findall(block.text)}
    return {first.text, *words}


def _is_group(text: str, names: Container[str]) -> bool:
    """True if a line is one of the given rooms or types, which pages print in the plural."""
    return text in names or text.removesuffix("s") in names


def _read_top(document: Document, cut: _Cut) -> Masthead:
    """Claim page title, boilerplate, groups and links, and return the masthead."""
    lines = document.lines
    titles = tuple(block.text for block in cut.top if PAGE_TITLE.fullmatch(block.text))
    masthead = Masthead(titles, lines=tuple(block.text for block in cut.top))
    for block in cut.groups:
        lines.claim(block.first or 1, _GROUP_RULE)
    of_page = {*titles, *masthead.ranges}
    for block in cut.top:
        if block.text in of_page:
            lines.claim(block.first or 1, _PAGE_RULE)
        else:
            lines.claim_boilerplate(block.first or 1, BOILERPLATE)
    for head in (entry.head for entry in cut.entries if entry.is_link):
        for number in range(head.first or 1, (head.last or 0) + 1):
            lines.claim_boilerplate(number, LINKS)
    return masthead
