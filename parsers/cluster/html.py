"""The pages of a programme as HTML: at a glance, one table cell per day, and by date or room, one entry per session.

    <table id="program-table"><tr><td>
      <h2 class="section-title">Tuesday September 2nd</h2>             never a year
      <div class="timeslot"><h3 class="session-time">9:30-11:00</h3>
        <div class="program-session">                                  a box; or a session-entry with a session-date
          <div class="session-title">Session (1) Stores</div>
          <div class="room-name">Great Hall</div> <div class="session-chair">Chair: Bea Sorn (Norwick)</div>
          <div class="slot-wrapper"><span class="ttip_object_info">Offloaded stores</span>
            <div class="info_link_object_info"><b id=".._title">Offloaded stores</b>
              <div class="author-names">Ann One</div> Abstract <blockquote>..</blockquote></div></div>

Most classes hold one thing: each of these has its own form (``.room``), which the state table prices. For a class that
holds several things, the form of the text decides. End tags are missing, so only the order counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import Final

from lxml import etree

from parsers._grammar.builder import Block
from parsers._grammar.stream import CANCELLED, Line, Role, Roles, claim_lines, read_stream
from parsers._ledger.document import Document
from parsers._ledger.elements import line_of
from parsers._ledger.lines import Boilerplate, Classification, Rule, heading_rule
from parsers._ledger.page import Page
from parsers._words.dates import WEEKDAY, weekday_number
from parsers._words.years import Day
from parsers.cluster.chrome import BOILERPLATE, LINKS, is_award, is_never_programme, read_masthead
from parsers.cluster.forms import form_of
from parsers.cluster.glance import ENTRY, SlotBlocks, drop_label, end_days, parts_of, read_slots
from parsers.cluster.headings import TimeLine, on_twelve_hours, read_day, read_session, read_time_line
from parsers.cluster.items import Edition, Outline, Placed, read_outline
from parsers.cluster.people import PLACEHOLDER
from schemas.items import Item, Record

EXPECTS: Final = (
    "HTML with elements of class program-session, a table program-table, or elements of class session-entry"
)

_GROUP: Final = heading_rule("group", 2)
_TABLE: Final = "program-table"
# A pattern that begins with a fixed word is looked for ten times as fast as one that begins with a boundary.
_CLASS: Final = r"""class(?<=\sclass)\s*=\s*["']?(?:[^"'<>=]{0,200}\s)?"""
_SIGNS: Final = (
    re.compile(rf"""{_CLASS}program-session[\s"'/>]"""),
    re.compile(rf"""id(?<=\sid)\s*=\s*["']?{_TABLE}[\s"'/>]"""),
)
_ENTRY_SIGNS: Final = (
    re.compile(rf"""{_CLASS}session-entry[\s"'/>]"""),
    re.compile(rf"""{_CLASS}session-date[\s"'/>]"""),
)
"""Attributes of the elements that a programme is made of: one of the first, or all of the others."""
_PARTS: Final = {
    "session-time": Role.TIME,
    "session-title": Role.TITLE,
    "room-name": Role.ROOM,
    "session-chair": Role.CHAIR,
    "award": Role.AWARD,
}
_AT_A_GLANCE: Final = _PARTS | {
    "section-title": Role.DAY,
    "timeslot": Role.SLOT,
    "program-session": Role.SESSION,
    "session-type": Role.TYPE,
    "session-description": Role.DESCRIPTION,
    "slot-title": Role.TALKS,
    "slot-wrapper": Role.TALK,
    "author-names": Role.AUTHORS,
}
_BY_DATE: Final = _PARTS | {
    "session-entry": Role.ENTRY,
    "session-date": Role.DAY,
    "session-event-type": Role.TYPE,
    "slot-entry": Role.TALK,
    "slot-title": Role.TALK_TITLE,
    "slot-authors": Role.AUTHORS,
}
"""The roles of the classes on both kinds of pages."""
_FORMS: Final = {Role.ROOM: ".room", Role.TYPE: ".type", Role.AWARD: "AWD", Role.DESCRIPTION: ".note"}
"""The forms of roles that hold one thing."""
_TITLES: Final = frozenset({"COD", "TAG", "KEY", "PAN", "ITM", "CER", "PST", "PHD"})
_NAMES: Final = frozenset({"NAM", "PER", "LST", "SUR"})
_OF_CHAIRS: Final = frozenset({"CHA", "CHL", ".chair"})
_LABELS: Final = frozenset({"CHA", "CHL", "PRE", "PPL", "ABS", "TBA"})
# In an element of the class for types any words in title case may be a type.
_TYPES: Final = Boilerplate(
    {"session_type": r"(?:[A-Z][A-Za-z/&-]*(?: [A-Z][A-Za-z/&-]*){0,3})(?:, ?[A-Z][A-Za-z /&-]{0,40}){0,5}"}
)
_PRESENTER: Final = re.compile(r"\bPresenters?\s*:\s*", re.IGNORECASE)
_LABEL: Final = re.compile(r"(?P<label>Abstract|Biography|Bio)(?:\s+(?P=label))?\s*:?", re.IGNORECASE)
_LONGEST_LABEL: Final = 40
_BRACKETED: Final = re.compile(r"\[[^\[\]]{3,60}\]")
_WEEKDAY: Final = re.compile(rf"(?P<weekday>{WEEKDAY})[.,]?", re.IGNORECASE)
_OPEN_END: Final = re.compile(r"(?:[,&]| (?:a|an|and|at|by|for|from|in|of|on|the|to|with))$")


@dataclass(slots=True)
class _Head:
    """A day or a time with its lines."""

    lines: list[Line] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its text on one line."""
        return " ".join(line.text for line in self.lines)

    @property
    def block(self) -> Block:
        """Its lines as a block."""
        return _block(tuple(self.lines), self.text, "HED")


@dataclass(slots=True)
class _Box:
    """The box of one session: the day and time above it, and its blocks."""

    day: _Head | None
    time: _Head | None
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """Collects the parts and lines of a page, in page order."""

    boxes: list[_Box] = field(default_factory=list)
    days: list[_Head] = field(default_factory=list)
    times: list[_Head] = field(default_factory=list)
    others: list[Line] = field(default_factory=list)
    day: _Head | None = None
    time: _Head | None = None
    box: _Box | None = None
    part: etree._Element | None = None
    labelled: bool = False  # a label such as ``Abstract`` precedes, in the hidden part
    item: etree._Element | None = None  # the open item of a list

    def open(self, role: Role, part: etree._Element) -> None:
        """Begin a part."""
        if role is Role.COLUMN:
            self.day = self.time = self.box = None
        elif role is Role.ENTRY:
            self.day = self.time = None
            self.box = self._begin_box()
        elif role is Role.DAY:
            self.day, self.time = _Head(), None
            self.days.append(self.day)
            self._set_head()
        elif role is Role.SLOT:
            self.time = self.box = None
        elif role is Role.TIME:
            self.time = _Head()
            self.times.append(self.time)
            self._set_head()
            if self.box is None:
                self.boxes.append(_Box(self.day, self.time))  # stays empty if the session is on the time line itself
        elif role is Role.SESSION:
            self.box = self._begin_box()
        elif role in {Role.TITLE, Role.TALK, Role.TALK_TITLE}:
            self.labelled = False
        self.item = None

    def take(self, line: Line) -> None:
        """Add a line of text to the open part."""
        if line.role is Role.DAY and self.day is not None:
            self.day.lines.append(line)
        elif line.role is Role.TIME and self.time is not None:
            self.time.lines.append(line)
        elif (
            is_never_programme(line.text)
            or line.role in {Role.PAGE, Role.COLUMN}
            or (self.box is None and line.role is Role.SLOT and BOILERPLATE.rule(line.text))
        ):
            self.others.append(line)
        elif line.role is Role.TITLE and _is_time(line.text):
            self.time = _Head([line])  # times within that of the slot, instead of titles
            self.times.append(self.time)
            self.box = self._begin_box()
        else:
            box = self.box or self._begin_box()
            self.box = box
            for text, form in self._formed(box, line):
                self._add(box, line, text, form)
        self.part = line.part

    def _begin_box(self) -> _Box:
        """Begin a box below the day and time."""
        box = _Box(self.day, self.time)
        self.boxes.append(box)
        self.part = None
        self.labelled = False
        return box

    def _set_head(self) -> None:
        """Set day and time of an entry that prints its own; elsewhere a day or time ends the box above it."""
        if self.box is not None and not self.box.blocks:
            self.box.day, self.box.time = self.day, self.time
        else:
            self.box = None

    def _formed(self, box: _Box, line: Line) -> Iterator[tuple[str, str]]:
        """Yield the text of a line with its form, empty if the text alone decides; split if it holds two things."""
        role, text = line.role, line.text
        if role is Role.CHAIR:
            if (found := _PRESENTER.search(text)) and found.start():
                yield text[: found.start()].strip(), _chair_form(box, text[: found.start()].strip())
                text = text[found.start() :]
            yield text, _chair_form(box, text)
        elif role in _FORMS:
            yield text, _FORMS[role]
        else:
            yield text, self._form(box, line)

    def _form(self, box: _Box, line: Line) -> str:
        """Return the form of a line of a title or talk, or of loose text; empty if its text alone decides."""
        role, text = line.role, line.text
        if CANCELLED.fullmatch(text):
            return "CAN"
        if role is Role.TITLE or (role is Role.TALK_TITLE and _is_in(line.part, Role.TITLE)):
            first = line.part is not self.part and not any(block.source[0].part is line.part for block in box.blocks)
            return _title_form(text) if first else ""
        if label := _LABEL.fullmatch(text, 0, _LONGEST_LABEL):
            self.labelled = True
            return "ABS" if label["label"].lower() == "abstract" else "BIO"
        if role is Role.TITLE_AGAIN:
            return self._again(box, text)
        if self.labelled and role in {Role.HIDDEN, Role.TALK, Role.AUTHORS}:
            return ".text"
        return self._form_in_talk(line)

    def _form_in_talk(self, line: Line) -> str:
        """Return the form of a line of a talk above its texts, or of loose text."""
        role, text = line.role, line.text
        if role is Role.TALK_TITLE:
            return ".talk"
        if is_award(text):
            return "AWD"
        if role is Role.AUTHORS:
            listed = "BUL" if _item_of(line) is not None else ".authors"
            return "TBA" if PLACEHOLDER.fullmatch(text) else listed
        if role in {Role.TALK, Role.TALKS}:
            return _of_text(text, _LABELS, ".slot")
        return self._listed(line) if role is Role.HIDDEN else ""

    def _again(self, box: _Box, text: str) -> str:
        """Return the form of the title that the hidden part repeats; ``.other`` for another text."""
        above = next(
            (
                block
                for block in reversed(box.blocks)
                if block.form == ".talk" or block.form in _TITLES or block.form == ".title"
            ),
            None,
        )
        if len(text) < _LONGEST_LABEL and form_of(text) == "PHD":
            return "PHD"
        return ".again" if above is not None and above.text.casefold() == text.casefold() else ".other"

    def _listed(self, line: Line) -> str:
        """Return the form of a hidden line: the first line of a list item is its title."""
        item = _item_of(line)
        if item is None or item is self.item:
            return ""
        if _BRACKETED.fullmatch(line.text):
            return "NUA"
        self.item = item
        return ".item"

    def _add(self, box: _Box, line: Line, text: str, form: str) -> None:
        """Add a block; the continuation of a title or room is joined to it."""
        above = box.blocks[-1] if box.blocks else None
        if above is not None and above.source[-1].part is line.part and _goes_on(above, text, form):
            lines = (*above.source, line)
            joined = f"{above.text} {text}"
            box.blocks[-1] = _block(
                lines, joined, _title_form(joined) if above.form in {*_TITLES, ".title"} else above.form
            )
            return
        if form in {*_TITLES, ".title"} and line.struck:
            box.blocks.append(_block((line,), "Canceled", "CAN"))
        box.blocks.append(_block((line,), text, form))


class _Ledger:
    """The ledger of a page, which claims text nodes one by one, since an element may also hold the text of others."""

    def __init__(self, page: Page) -> None:
        """Claim in the ledger of a page."""
        self._page = page

    def claim(self, block: Block, rule: Rule) -> None:
        """Claim the text of a block."""
        claim_lines(self._page, block.source, rule)

    def claim_boilerplate(self, block: Block) -> None:
        """Claim a block if a boilerplate pattern matches it."""
        if rule := (_TYPES if block.form == ".type" else BOILERPLATE).rule(block.text):
            claim_lines(self._page, block.source, rule)

    def tell(self, block: Block, reading: Classification) -> None:
        """Store how a block was read."""
        for line in block.source:
            self._page.tell(line.pieces[0].element, reading)


def recognise(document: Document) -> bool:
    """True if this is markup with the parts of a programme."""
    text = document.text
    if not document.is_markup:
        return False
    return any(sign.search(text) for sign in _SIGNS) or all(sign.search(text) for sign in _ENTRY_SIGNS)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a page in its order, with rejects for what could not be read."""
    page = document.page
    roles = _role_by_date if "session-entry" in document.text else _role
    page.content = _content_of(page.root, roles)
    reader = _Reader()
    read_stream(page.content, roles, reader)
    boxes = _boxes_of(reader)
    if not boxes:
        line = line_of(page.content) or 1
        raise document.error(line, "declined", "expected sessions in the programme table or in entries, found none")
    ledger = _Ledger(page)
    slots = _slots_of(boxes)
    begin = "box" if roles is _role else ENTRY
    dated = [head for head in reader.days if _day_of(head) or _weekday_of(head) is not None]
    outline = Outline(
        ledger=ledger,
        masthead=read_masthead(document),
        days=[day for day in map(_day_of, reader.days) if day],
        headings=[(head.block, _day_of(head)) for head in dated],
        times=[(head.block, time) for head in reader.times if (time := _time_of(head)) is not None],
        texts=[block.text for box in boxes for block in box.blocks],
        weekdays=frozenset(weekday for weekday in map(_weekday_of, reader.days) if weekday is not None),
    )

    def read(edition: Edition) -> Iterator[Placed]:
        moments = [edition.moment(slot.day, slot.time, slot.weekday) for slot in slots]
        if begin != ENTRY:  # pages by date, room or type are not in the order of time
            moments = end_days(slots, moments)
        return parts_of(read_slots(slots, begin), moments, ledger)

    groups: set[str] = set()
    for item in read_outline(document, outline, read):
        yield item
        groups.update(_sorted_under(item))
    for other in reader.others:
        if rule := LINKS.rule(other.text) or BOILERPLATE.rule(other.text):
            claim_lines(page, [other], rule)
        elif other.text in groups:
            claim_lines(page, [other], _GROUP)


def _slots_of(boxes: Sequence[_Box]) -> list[SlotBlocks]:
    """Return the slots of a page; a title on a time line heads the first box below it."""
    slots = []
    first: set[int] = set()
    for box in boxes:
        slot = SlotBlocks(_day_of(box.day), _time_of(box.time), None, [*box.blocks], _weekday_of(box.day))
        if slot.time is not None and slot.time.title and box.time is not None and id(box.time) not in first:
            slot.blocks.insert(0, _block(tuple(box.time.lines), slot.time.title, ""))
            drop_label(slot)
        first.add(id(box.time))
        slots.append(slot)
    times = on_twelve_hours((id(box.day), slot.time) for box, slot in zip(boxes, slots, strict=True))
    return [replace(slot, time=time) for slot, time in zip(slots, times, strict=True)]


def _boxes_of(reader: _Reader) -> list[_Box]:
    """Return the boxes that hold anything; an empty one counts if its time line has a title."""
    filled = {id(box.time) for box in reader.boxes if box.blocks}
    boxes = []
    for box in reader.boxes:
        time = _time_of(box.time) if box.time is not None and id(box.time) not in filled else None
        if box.blocks or (time is not None and time.title):
            boxes.append(box)
            filled.add(id(box.time))
    return boxes


def _sorted_under(item: Item) -> Iterator[str]:
    """Yield possible group headings of a page: rooms and authors of the sessions below."""
    if isinstance(item, Record):
        yield from (slot.room for slot in item.slots or () if slot.room)
        yield from (person.name for person in item.authors or ())


def _day_of(head: _Head | None) -> Day | None:
    """Read a day heading; None if it is something else."""
    found = read_day(head.text) if head is not None and head.lines else None
    return replace(found, line=head.lines[0].number or 0) if head is not None and found else None


def _time_of(head: _Head | None) -> TimeLine | None:
    """Read a time line; None if it is something else."""
    if head is None or not head.lines:
        return None
    return TimeLine(None) if PLACEHOLDER.fullmatch(head.text) else read_time_line(head.text)


def _weekday_of(head: _Head | None) -> int | None:
    """Return a weekday that is printed without a date, 0 for Monday."""
    found = _WEEKDAY.fullmatch(head.text) if head is not None else None
    return weekday_number(found["weekday"]) if found else None


def _block(lines: tuple[Line, ...], text: str, form: str) -> Block:
    """Make a block of some lines, with the address that its title links to."""
    url = _link_of(lines, text) if form in {*_TITLES, ".title", ".talk", ".slot", ""} else None
    return Block(text, form, lines[0].number, lines[-1].last, lines, url)


def _goes_on(above: Block, text: str, form: str) -> bool:
    """True if a line continues the room or title above it."""
    if above.form == ".room" and form == ".room":
        return True
    if form not in {"", ".talk"} or above.form not in {*_TITLES, ".title", ".talk"}:
        return False
    if form == ".talk":
        return True
    opened = above.text.count("(") > above.text.count(")")
    return text[0].islower() or opened or _OPEN_END.search(above.text, 0, 300) is not None


def _chair_form(box: _Box, text: str) -> str:
    """Return the form of a line of a chair; what neither has a label nor reads as names, nor goes on, is not read."""
    form = form_of(text)
    if form in _LABELS:
        return form
    goes_on = box.blocks and box.blocks[-1].form in _OF_CHAIRS
    return ".chair" if goes_on or form in _NAMES else ".other"


def _of_text(text: str, forms: frozenset[str], other: str) -> str:
    """Return the form of a text if it is one of ``forms``, else ``other``."""
    form = form_of(text)
    return form if form in forms else other


def _is_time(text: str) -> bool:
    """True if a text is a time with start and end."""
    time = read_time_line(text) if text[0].isdigit() else None
    return time is not None and time.ends is not None


def _title_form(text: str) -> str:
    """Return the form of a session title; the heading of a list of posters is a title here."""
    form = _of_text(text, _TITLES, ".title")
    return "PST" if form == "PHD" else form


def _item_of(line: Line) -> etree._Element | None:
    """Return the list item around a line, within its part."""
    for element in (line.pieces[0].element, *line.pieces[0].element.iterancestors()):
        if element is line.part:
            return None
        if element.tag == "li":
            return element
    return None


def _link_of(lines: Sequence[Line], text: str) -> str | None:
    """Return the absolute address that a title links to; links on other words, such as ``agenda``, do not count."""
    anchors = (_anchor_of(piece.element, line.part) for line in lines for piece in line.pieces if piece.opening)
    heading = None
    for anchor in anchors:
        if anchor is None:
            continue
        heading = heading or read_session(text)
        address = (anchor.get("href") or "").strip()
        linked = " ".join("".join(anchor.itertext()).split())  # type: ignore[arg-type]  # never bytes
        titles = (heading.title, heading.about, heading.printed)
        if address.lower().startswith(("http://", "https://")) and any(title and title in linked for title in titles):
            return address
    return None


def _anchor_of(element: etree._Element, part: etree._Element) -> etree._Element | None:
    """Return the link around the text of an element: inside the part, the part itself or its parent."""
    for candidate in chain((element,), element.iterancestors()):
        if candidate.tag == "a":
            return candidate
        if candidate is part:
            parent = candidate.getparent()
            return parent if parent is not None and parent.tag == "a" else None
    return None


def _is_in(element: etree._Element, role: Role) -> bool:
    """True if an element is inside a part of this role, and not in a talk of it."""
    for around in element.iterancestors():
        found = _role_of(around.get("class") or "")
        if found is role:
            return True
        if found in {Role.TALKS, Role.SESSION, Role.ENTRY}:
            return False
    return False


def _content_of(root: etree._Element, roles: Roles) -> etree._Element:
    """Return the programme table; without one, the element around all parts of the programme."""
    parts = root.findall(f".//*[@id='{_TABLE}']")
    if not parts:
        elements = root.iter("h2", "h3", "div", "li", "section")
        parts = [element for element in elements if roles(element) not in {None, Role.COLUMN}]
    if not parts:
        return root
    return parts[0] if len(parts) == 1 else _common_ancestor(parts[0], parts[-1])


def _common_ancestor(first: etree._Element, last: etree._Element) -> etree._Element:
    """Return the innermost element around both."""
    above = set(first.iterancestors())
    return next((element for element in last.iterancestors() if element in above), last)


def _role(element: etree._Element) -> Role | None:
    """Return the role of the part that an element begins, if any."""
    names = element.get("class")
    if names and (role := _role_of(names)):
        return role
    if element.tag == "b" and (element.get("id") or "").endswith("_title"):
        return Role.TITLE_AGAIN
    if element.tag == "td":
        table = next(element.iterancestors("table"), None)
        return Role.COLUMN if table is not None and table.get("id") == _TABLE else None
    return None


@lru_cache(1024)
def _role_of(names: str) -> Role | None:
    """Return the role of a class attribute."""
    for name in names.split():
        if role := _AT_A_GLANCE.get(name):
            return role
        if name.startswith("ttip_object_info"):
            return Role.TALK_TITLE
        if name.startswith("info_link_object_info"):
            return Role.HIDDEN
    return None


def _role_by_date(element: etree._Element) -> Role | None:
    """Return the role of the part of an entry that an element begins, if any."""
    names = (element.get("class") or "").split()
    return next((role for name in names if (role := _BY_DATE.get(name))), None)
