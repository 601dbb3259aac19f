"""Text dumps of a programme at a glance, as content extractors produce them: one column per day, top to bottom.

    IEEE Cluster 2031 Program                                 only in full dumps
    Tuesday September 2nd                                     day: no year
    9:30-11:00                                                slot
    Session (1) Stores                                        session: title, room, chair
    Great Hall
    Chair: Bea Sorn (Norwick)
    Offloaded stores                                          talk: the title twice, or once if authors and
    Offloaded stores                                          abstracts are lost
    Ann One, Bo Two
    Abstract
    We describe a store that keeps small objects near the readers.
    |                                                         the next column

Texts whose cells are glued or side by side are refused: where a title ends and a room begins would be a guess. Other
texts are cut at their days and times; ``glance`` reads the lines between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final
from unicodedata import normalize

from parsers._contract import Format
from parsers._grammar.builder import Block, TextLedger
from parsers._grammar.renditions import read_renewed, unmarked
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, Lines, heading_rule
from parsers._words.dates import CLOCK, DASH, MONTH, WEEKDAY
from parsers._words.years import Day
from parsers.cluster.by_date_text import WITH_LINKS
from parsers.cluster.chrome import BOILERPLATE, PAGE_TITLE, Masthead, is_never_programme
from parsers.cluster.forms import form_of
from parsers.cluster.glance import SlotBlocks, drop_label, end_days, parts_of, price_of, read_slots
from parsers.cluster.headings import (
    DAY_HINT,
    TimeLine,
    are_slots,
    on_twelve_hours,
    read_day,
    read_time_line,
    read_timed_item,
)
from parsers.cluster.items import Edition, Outline, Placed, read_outline
from schemas.items import Item, Reject

_PAGE_RULE: Final = heading_rule("page_title", 1)

# Dates and place of the conference: "September 24-27, 2031", "Norwick, Ruritania", or both.
_PLACE: Final = r"[A-Z][\w'’. -]{1,30}(?:, ?[A-Z][\w'’. -]{1,30}){1,2}"
_DATES: Final = rf"(?i:{MONTH})\.? \d{{1,2}} ?{DASH} ?(?:(?i:{MONTH})\.? )?\d{{1,2}}(?:, ?(?:19|20)\d\d)?"
_SITE_HEAD: Final = Boilerplate({"place": _PLACE, "dates": rf"(?:{_PLACE}\W{{1,3}})?{_DATES}(?:\W{{1,3}}{_PLACE})?"})
_FOOT: Final = 2000
# The site's name with the year: "IEEE CLUSTER 2031", an acronym among at most five words, and no month.
_BANNER: Final = re.compile(
    rf"(?=[^\n]*\b(?:[A-Z]{{3,}}|Cluster)\b)(?!.*\b{MONTH}\b)(?P<event>(?:[A-Z][\w/&-]*\s+){{1,5}}(?P<year>(?:19|20)\d\d))"
)
_LOOKED_AT: Final = 40_000  # characters: a day or two
_LONGEST_TIME: Final = 120
_COLUMN: Final = re.compile(r"(?:\|+|[_━─═=-]{5,})")
# How lines that can be times or days begin: a fast check.
_TIME_HINT: Final = re.compile(
    r"[(\[]?(?:from\s|time\s*:\s*)?\d{1,2}(?:[:.h]\d{2}|\s?[ap]\.?m\b|\s?noon\b|\s?[–—-]\s?\d)|noon\b", re.IGNORECASE
)
_DAY_HINT: Final = re.compile(DAY_HINT, re.IGNORECASE | re.VERBOSE)


@dataclass(slots=True)
class _Cut:
    """A page cut at its days and time lines; ``top`` holds the blocks above the first of them."""

    top: list[Block] = field(default_factory=list)
    days: list[tuple[Block, Day]] = field(default_factory=list)
    slots: list[SlotBlocks] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """True if the times of a text are those of slots, and the lines below them cost little by the grammar."""
    if document.is_markup:
        return False
    cut = _cut(Lines(document.text[:_LOOKED_AT]))
    slots = [slot for slot in cut.slots if slot.head]
    if not cut.days or not slots or not are_slots((slot.day, slot.time) for slot in slots):
        return False
    return price_of(slots).is_like_the_format


def parse(document: Document) -> Iterator[Item]:
    """Yield the records of a dump in page order, with rejects for what could not be read."""
    lines = document.lines
    ledger = TextLedger(lines, BOILERPLATE)
    cut = _cut(lines)
    times = on_twelve_hours((slot.day.line if slot.day else None, slot.time) for slot in cut.slots)
    slots = [replace(slot, time=time) for slot, time in zip(cut.slots, times, strict=True)]
    reading = read_slots(slots)
    outline = Outline(
        ledger=ledger,
        masthead=_read_top(document, cut.top),
        days=[day for _, day in cut.days],
        headings=cut.days,
        times=[(slot.head, slot.time) for slot in slots if slot.head and slot.time],
        texts=[block.text for slot in slots for block in slot.blocks],
    )

    def read(edition: Edition) -> Iterator[Placed]:
        moments = [edition.moment(slot.day, slot.time) for slot in slots]
        return parts_of(reading, end_days(slots, moments), ledger)

    yield from read_outline(document, outline, read)
    if (price := reading.price).is_doubtful:
        first = lines.first_text_line
        yield Reject(None, None, lines[first].strip(), "layout_doubtful", price.doubt)


def _cut(lines: Lines) -> _Cut:
    """Cut a page at its days and time lines; days without times are menu entries if other days have times."""
    cut = _Cut()
    block = cut.top
    day: Day | None = None
    before = ""
    for number, text in lines.texts():
        line = Block(normalize("NFC", text.strip("| ") or text), "", number, number)
        if _COLUMN.fullmatch(text) or is_never_programme(text):
            lines.claim_boilerplate(number, BOILERPLATE)
            continue
        if (printed := _day_of(text)) is not None:
            day, block = replace(printed, line=number), []
            cut.days.append((line, day))
            cut.slots.append(SlotBlocks(day, None, None, block))
        elif (time := _time_of(text, before, block, day)) is not None:
            # "12:00 - 13:00 - Lunch": the title of the first item is on the time line.
            block = [line._replace(text=time.title)] if time.title else []
            cut.slots.append(SlotBlocks(day, time, line, block))
        else:
            block.append(line)
        before = text
    timed = {slot.day for slot in cut.slots if slot.head}
    cut.slots = [slot for slot in cut.slots if slot.head or slot.day in timed or not timed]
    for slot in cut.slots:
        drop_label(slot)
    return cut


def _day_of(text: str) -> Day | None:
    """Read a day heading."""
    return read_day(text) if len(text) <= _LONGEST_TIME and _DAY_HINT.match(text) else None


def _time_of(text: str, before: str, block: Sequence[Block], day: Day | None) -> TimeLine | None:
    """Read a time line; ``TBA`` counts only where it cannot be a room: below a day, a room, or another ``TBA``."""
    if len(text) <= _LONGEST_TIME and _TIME_HINT.match(text):
        return read_time_line(text) or read_timed_item(text)
    if text == "TBA" and day is not None:
        placed = not block or (len(block) > 1 and form_of(before) == "ROO")
        if placed or (before == "TBA" and len(block) > 1):
            return TimeLine(None)
    return None


def _read_top(document: Document, top: Sequence[Block]) -> Masthead:
    """Claim the lines above the first day, and return the masthead: the page title, or else the banner of the site.

    The copyright line at the foot of the page names the year too.
    """
    lines = document.lines
    title = banner = None
    for block in top:
        number, text = block.first or 0, block.text
        found = PAGE_TITLE.fullmatch(text) if title is None else None
        sign = _BANNER.fullmatch(text) if banner is None else None
        title, banner = title or found, banner or sign
        if found or sign:
            lines.claim(number, _PAGE_RULE)
        elif lines.claim_boilerplate(number, _SITE_HEAD):
            continue
        elif (rule := BOILERPLATE.rule(text)) and rule.name in {"site_menu", "menu_entry"}:
            lines.claim_boilerplate(number, BOILERPLATE)
    marks = [
        line
        for line in map(str.strip, document.text[-_FOOT:].splitlines())
        if (rule := BOILERPLATE.rule(line)) and rule.name == "copyright"
    ]
    if title is not None:
        return Masthead((title[0],), (*marks, document.facts.url or ""))
    return Masthead((), (*marks, document.facts.url or ""), banner=banner["event"] if banner else None)


UNREADABLE: Final = "texts whose lines were joined or split, which are refused"
ADVICE: Final = f"{WITH_LINKS} or trafilatura 1.6"

_LINES_LOOKED_AT: Final = 2_000
_LONG: Final = 400
_LONGEST: Final = 20_000
_FEW: Final = 3
_MANY: Final = 10
_BROKEN_FROM: Final = 50
_BROKEN_TO: Final = 200
_RANGE: Final = rf"{CLOCK}\s?{DASH}\s?{CLOCK}"
_TIMES: Final = re.compile(_RANGE, re.IGNORECASE)
_WEEKDAY: Final = re.compile(rf"{WEEKDAY}[.,]?(?:\s+{_RANGE})?", re.IGNORECASE)
_LABELS: Final = re.compile(r"\bAbstract\b")
# A time with other cells beside it, in a table row with borders.
_ROW: Final = re.compile(rf"\|\s*{_RANGE}\b[^|]*\|\s*+[^|\s][^|]*\|", re.IGNORECASE)
_HEADING: Final = re.compile(rf"#{{1,6}}\s+(?:{_RANGE}|{CLOCK}$)", re.IGNORECASE)
_SIDE_BY_SIDE: Final = re.compile(r"\S {8,}\S")
_GLUED_TO: Final = ("Chair", "Abstract", "Biography", "Best Paper")
_GLUED: Final = re.compile(
    r"[a-z0-9)](?:Session )?Chairs?: [A-Z]|(?:Abstract Abstract|Biography Biography)\S"
    r"|\S ?(?:Abstract Abstract|Biography Biography)|^Best Paper[A-Z][a-z]"
)


def unreadable_line(document: Document) -> int | None:
    """Return the first line which shows that a text has lost its line breaks; None if it has not."""
    if document.is_markup or document.form in {"csv", "yaml"}:
        return None
    signs: dict[str, list[int]] = {"row": [], "heading": [], "columns": [], "glued": []}
    wrapped: list[int] = []
    weekdays = 0
    above = ""
    for number, text in islice(document.lines.texts(), _LINES_LOOKED_AT):
        line = text[:_LONGEST]
        if len(line) > _LONG and _is_page(line):
            return number
        for sign, pattern in (("row", _ROW), ("heading", _HEADING)):
            if line[0] in "|#" and pattern.match(line):
                signs[sign].append(number)
        if "        " in line and _SIDE_BY_SIDE.search(line):
            signs["columns"].append(number)
        if any(word in line for word in _GLUED_TO) and _GLUED.search(line):
            signs["glued"].append(number)
        if text[0].islower() and _is_broken(above, text):
            wrapped.append(number)
        weekdays += len(line) <= _LONGEST_TIME and _WEEKDAY.fullmatch(line) is not None
        above = text
    # Pages by date, which print only weekdays, have labels that show where broken lines belong.
    if len(wrapped) >= _MANY and weekdays < _FEW:
        return wrapped[0]
    return min((numbers[0] for numbers in signs.values() if len(numbers) >= _FEW), default=None)


def _is_broken(above: str, text: str) -> bool:
    """True if a line continues the one above, as in the source of a page: both long, neither a paragraph."""
    return _BROKEN_FROM < len(above) < _BROKEN_TO and len(text) < _BROKEN_TO and above[-1] not in ".!?:;)"


def _is_page(line: str) -> bool:
    """True if a long line contains what is on many lines of a page."""
    return len(_TIMES.findall(line)) >= _FEW or len(_LABELS.findall(line)) >= _FEW


def is_unreadable(document: Document) -> bool:
    """True if a text has lost its line breaks; data and calendars never had any."""
    begins = document.text[:1_000].lstrip()
    return not begins.startswith(("[", "{", "BEGIN:VCALENDAR")) and unreadable_line(document) is not None


def refuse(document: Document) -> Iterator[Item]:
    """Refuse the text. Raises ``DumpError`` (declined)."""
    raise document.error(
        unreadable_line(document) or 1,
        "declined",
        f"expected the lines of the page, found them joined or split: {ADVICE}",
    )
    yield


def plain(format_: Format, boilerplate: Boilerplate) -> Format:
    """Return a text format that also reads Markdown, after removing its marks and links."""

    def recognise(document: Document) -> bool:
        renewed = document.once(unmarked)
        return format_.recognise(renewed.document if renewed else document)

    def parse(document: Document) -> Iterator[Item]:
        renewed = document.once(unmarked)
        return read_renewed(document, renewed, format_.parse, boilerplate) if renewed else format_.parse(document)

    return replace(format_, recognise=recognise, parse=parse)
