r"""Text dumps of arXiv listings (/new, /recent, /pastweek, month, catchup), as the common extractors make them.

Invented lines. Every visible text, element by element; the older page has ``Authors:`` and dates in its headings::

    New submissions (showing 1 of 1 entries)
    [1] arXiv:2507.00001 [pdf, html, other]
    Title: Foam in Large Tanks
    Ada Quill, Bo Ferns
    Comments: 8 pages
    Subjects: Fluid Dynamics (physics.flu-dyn); Soft Condensed Matter (cond-mat.soft)

    We fill tanks with foam ...

Main content only: list bullets, glued labels, short author lines lost, long ones glued to the title, headings *after*
their entries, and a head that may be at the end of the abstract before it::

    - [1] arXiv:2507.00001 (cross-list from cs.RO) [pdf, other]
    -
    Title: Foam in Large TanksAda Quill, Bo FernsComments: 8 pagesSubjects: Fluid Dynamics (physics.flu-dyn)
    We fill tanks with foam ... - [2] arXiv:2507.00002 [pdf]
    New submissions (showing 1 of 1 entries)

Dumps may keep links and escapes (``marked``) or wrap lines (``paragraphs``). Mirrors also print ``[1]`` without the
identifier, or entries that begin at ``Title:``. Pages without abstracts may have lost all but the heads::

    - [1] arXiv:2602.00001 [pdf, html, other]
    - [2] arXiv:2602.00002 (cross-list from cs.RO) [pdf, other]
    Wed, 4 Feb 2026 (showing 2 of 2 entries )

Other captures of the same papers can have the rest. Turning an entry into a record does not belong here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule, record_rule
from parsers.arxiv.categories import CATEGORY_NAMES
from parsers.arxiv.chrome import BOILERPLATE
from parsers.arxiv.entries import LABELS, TITLE, PartialEntry, settle_page
from parsers.arxiv.headings import LONGEST, Context, Heading, ListingDay, read_heading, take_heading
from parsers.arxiv.items import ARXIV_ID, HEAD, Entry, make_record, read_formats, section_of
from parsers.arxiv.marked import has_escaped_heads, has_linked_heads, plain_texts
from parsers.arxiv.paragraphs import Paragraphs, has_parted_heads
from schemas.items import Item, Record, Reject

EXPECTS: Final = "text with entries such as '[1] arXiv:2507.00001 [pdf]', 'Title: ..' and 'Subjects: .. (cs.DC)'"

_ENTRY = record_rule("entry")
_HEAD = record_rule("head")
_PAGE_TITLE = heading_rule("page_title", 0)
_PROBED: Final = 200_000  # characters that ``recognise`` checks
_ANY_HEAD = re.compile(
    rf"^[-\s]{{0,4}}(?:\[\d+\]\s{{0,4}})?\[? ?arXiv:{ARXIV_ID}[^\n]{{0,300}}\]|\[\d+\] +arXiv:", re.MULTILINE
)
_HEAD_IN_PIECES = re.compile(r"^[ \t]{0,8}(?:\[\d+\])?\[\d+\]\s{1,99}(?:\[\d+\] ?)?arXiv:", re.MULTILINE)
_ANY_TITLE = re.compile(r"^[ -]{0,12}Title:", re.MULTILINE)
_ANY_SUBJECTS = re.compile(r"Subjects: {1,4}[A-Z][^;()\n]{2,80}\([a-z][a-z-]+(?:\.[A-Za-z-]+)?\)")
_TITLES_ONLY: Final = "Authors and titles for "
_EMPTY = re.compile(
    r"^(?:No updates (?:today|for this time period)\.?|No (?:further )?updates for [A-Z][a-z]{2}, \d[^\n]{0,20})\s*$",
    re.MULTILINE,
)
_ONE_PAPER = re.compile(r"^\[Submitted on \d{1,2} [A-Z][a-z]{2} \d{4}\b|^(?:\| ?)?Cite as:", re.MULTILINE)
_ONE_PAPER_SIGNS: Final = ("\n[Submitted on ", "Cite as:")  # much faster than the pattern
_READER_HEADER = re.compile(r"\s*Title: [^\n]{1,200}\s+URL Source: ")  # printed by a reader service
_HEAD_BEGINS = re.compile(r"(?:-\s?)?\[\d+\](?:\s*arXiv:|$)")


@dataclass(slots=True)
class _Block:
    """The lines of one entry up to the next one, with its head if that is valid."""

    start: int
    head: re.Match[str] | None
    day: ListingDay | None
    section: str | None
    lines: list[tuple[int, str]] = field(default_factory=list)
    titled: bool = False
    expects_authors: bool = False

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.lines[-1][0] if self.lines else self.start

    def take(self, number: int, text: str) -> None:
        """Add a line."""
        self.lines.append((number, text))
        self.expects_authors = False

    def take_title(self, number: int, text: str) -> None:
        """Add the line of the title; if nothing is glued to it, the next line may be the authors."""
        self.lines.append((number, text))
        self.titled = True
        self.expects_authors = "Subjects:" not in text

    def surely_holds(self, text: str) -> bool:
        """True if a line can only be part of the entry, not a heading or boilerplate."""
        return self.expects_authors or len(text) > LONGEST or text.startswith(LABELS)


class _Read(NamedTuple):
    """An entry whose lines have been read, and the number of the first line that belongs to another one, if any."""

    block: _Block
    reading: PartialEntry
    rest: int | None


def recognise(document: Document) -> bool:
    """True if the text has heads of entries, or titles with subjects, or declares that there are no updates."""
    probe = document.text[:_PROBED]
    if document.is_markup:  # markup has its own formats
        return False
    if _has_heads(probe) or _EMPTY.search(probe):
        return True
    return bool(_ANY_TITLE.search(probe) and _ANY_SUBJECTS.search(probe))


def parse(document: Document) -> Iterator[Item]:
    """Yield the entries in page order and the totals that the page declares.

    Raises ``DumpError`` (declined) for the page of one paper, and the errors of ``_read_heads``.
    """
    text = document.text
    if any(sign in text for sign in _ONE_PAPER_SIGNS) and (one := _ONE_PAPER.search(text)):
        expected = "expected a page that lists papers, found one about a single paper"
        raise document.error(text.count("\n", 0, one.start()) + 1, "declined", expected)
    has_heads, titles_only = _has_heads(text), _TITLES_ONLY in text
    paragraphs = Paragraphs(text, document.lines)
    if has_heads and TITLE not in text:
        yield from _read_heads(document, paragraphs)
        return
    context = Context(trails="\n-\n" in text or "\n- \n" in text, paged="View page:" in text)
    found = [
        _read_lines(paragraphs, each, needs_head=has_heads) if isinstance(each, _Block) else each
        for each in _cut(document, paragraphs, context)
    ]
    settle_page([each.reading for each in found if isinstance(each, _Read)], titles_only=titles_only)
    for each in found:
        if isinstance(each, _Read):
            yield from _read_entry(paragraphs, each)
        else:
            yield each


def _has_heads(text: str) -> bool:
    """True if a text has heads of entries."""
    if _ANY_HEAD.search(text) or has_escaped_heads(text) or has_linked_heads(text) or has_parted_heads(text):
        return True
    return _HEAD_IN_PIECES.search(text) is not None


def _cut(document: Document, paragraphs: Paragraphs, context: Context) -> Iterator[_Block | Item]:
    """Split the text into entries; claim headings and boilerplate on the way and yield the totals of headings."""
    block: _Block | None = None
    for number, text in _texts(document, paragraphs):
        place = _find_head(text)
        if place >= 0 or text.startswith(TITLE):
            finished, block = _turn(block, number, text, place, context)
            if finished is not None:
                yield finished
        elif block is not None and block.surely_holds(text):
            block.take(number, text)
        elif (heading := read_heading(text)) and (context.entries_seen or heading.name != "section_only"):
            if block is not None:
                yield block
            block = None
            yield from _take_heading(paragraphs, number, heading, context)
        elif block is None:
            _claim_page_line(paragraphs, number, text, context)
        elif (text == "-" and not block.titled) or not paragraphs.claim_boilerplate(number, BOILERPLATE, text):
            block.take(number, text)
    if block is not None:
        yield block


def _texts(document: Document, paragraphs: Paragraphs) -> Iterator[tuple[int, str]]:
    """Yield number and text of each paragraph; claim the first if a reader service prints the page's title there."""
    header = document.lines.first_text_line if _READER_HEADER.match(document.text) else 0
    for number, text in plain_texts(document.text, paragraphs):
        if number == header:
            paragraphs.claim(number, _PAGE_TITLE)
        else:
            yield number, text


def _take_heading(paragraphs: Paragraphs, number: int, heading: Heading, context: Context) -> Iterator[Item]:
    """Claim a heading, let it govern the entries that follow, and yield its items."""
    rule, items = take_heading(heading, number, paragraphs.text(number, number), context)
    if rule is not None:
        paragraphs.claim(number, rule)
    yield from items


def _find_head(text: str) -> int:
    """Return where in the line the head of an entry begins, -1 if nowhere: a whole line, or glued to its end."""
    if text[0] in "[-a" and (_HEAD_BEGINS.match(text) or HEAD.fullmatch(text)):
        return 0
    if "arXiv:" not in text:
        return -1
    place = text.rfind(" - [")
    if place >= 0 and _HEAD_BEGINS.match(text, place + 1):
        return place + 1
    place = text.rfind(" - arXiv:")
    if place < 0:
        place = text.rfind(" [", 0, max(0, text.rfind("]arXiv:")))  # a link without a bullet
    return place + 1 if place >= 0 and HEAD.fullmatch(text, place + 1) else -1


def _claim_page_line(paragraphs: Paragraphs, number: int, text: str, context: Context) -> None:
    """Claim a line outside the entries of a text if it is boilerplate or, above them, the page's title."""
    if text.lstrip("# ") in CATEGORY_NAMES and not context.entries_seen:
        paragraphs.claim(number, _PAGE_TITLE)
    else:
        paragraphs.claim_boilerplate(number, BOILERPLATE, text)


def _turn(block: _Block | None, number: int, text: str, place: int, context: Context) -> tuple[_Block | None, _Block]:
    """Read a line with a head (at ``place``) or a title; return the block that it ends, if any, and its own."""
    if place > 0 and block is not None:
        block.take(number, text[:place].rstrip())
    finished = None
    if place >= 0 or block is None or block.titled:
        context.entries_seen = True
        finished, block = block, _Block(number, HEAD.fullmatch(text, max(place, 0)), context.day, context.section)
    if place < 0:
        block.take_title(number, text)
    return finished, block


def _read_lines(paragraphs: Paragraphs, block: _Block, *, needs_head: bool) -> _Read | Reject:
    """Read the lines of an entry, or make the reject of one without a head."""
    if needs_head and block.head is None:
        detail = "expected a head such as '[1] arXiv:2507.00001 [pdf, html, other]' above the title"
        return _reject(paragraphs, block.start, block.last, detail)
    reading = PartialEntry()
    return _Read(block, reading, reading.read(block.lines))


def _read_entry(paragraphs: Paragraphs, read: _Read) -> Iterator[Item]:
    """Yield the record of an entry, or a reject with its lines."""
    block, reading, rest = read
    last = block.last
    if reading.lacks is not None:
        yield _reject(paragraphs, block.start, last, f"expected a line '{reading.lacks}: ..' below the head")
        return
    for number in (block.start, *reading.own):
        paragraphs.claim(number, _ENTRY)
    yield make_record(_entry(paragraphs, block, reading))
    if rest is not None:
        yield _reject(paragraphs, rest, last, "expected a line 'Title: ..' above these lines")


def _entry(paragraphs: Paragraphs, block: _Block, reading: PartialEntry) -> Entry:
    """Combine the head, the headings and the lines of one entry."""
    head, day = block.head, block.day
    return Entry(
        line_start=block.start,
        line_end=paragraphs.end_of(max(block.start, *reading.own)),
        title=reading.title or "",
        fields=reading.fields,
        paragraphs=tuple(paragraph.text for paragraph in reading.paragraphs),
        arxiv_id=head["id"] if head else None,
        formats=head["formats"] if head else None,
        section=section_of(head, block.section) if head else block.section,
        listed_on=day.value if day else None,
        glued=reading.glued,
        cuts_in_silence=not reading.labels_authors,
        notes=day.notes if day else (),
    )


def _reject(paragraphs: Paragraphs, start: int, end: int, detail: str) -> Reject:
    """Make the reject of an entry that is cut or damaged."""
    return Reject(start, paragraphs.end_of(end), paragraphs.text(start, end), "incomplete_item", detail)


def _read_heads(document: Document, paragraphs: Paragraphs) -> Iterator[Item]:
    """Yield the entries in page order and the totals that the page declares.

    Raises ``DumpError`` (incomplete_item) if no head names formats: it could be from any list of references.
    """
    found = list(_heads(document, paragraphs))
    if not any(isinstance(item, Record) for item in found):
        expected = "expected a line 'Title: ..' in each entry, or heads such as '[1] arXiv:2507.00001 [pdf, other]'"
        raise document.error(document.lines.first_text_line, "incomplete_item", expected)
    yield from found


def _heads(document: Document, paragraphs: Paragraphs) -> Iterator[Item]:
    """Yield the same, without the check."""
    context = Context()
    waiting: list[Entry] = []  # for the day, which may be below them
    for number, text in plain_texts(document.text, paragraphs):
        head = HEAD.fullmatch(text)
        if head is not None and read_formats(head["formats"] or ""):
            context.entries_seen = True
            paragraphs.claim(number, _HEAD)
            end, section = paragraphs.end_of(number), section_of(head, context.section)
            entry = Entry(number, end, "", {}, arxiv_id=head["id"], formats=head["formats"], section=section)
            waiting.append(_on(context.day, entry))
        elif (heading := read_heading(text)) is not None:
            trails = context.day is None and heading.day is not None and heading.shown is not None and bool(waiting)
            governs = Context(declared=context.declared) if trails else context
            rule, items = take_heading(heading, number, paragraphs.text(number, number), governs)
            if rule is not None:
                paragraphs.claim(number, rule)
            yield from (make_record(_on(heading.day, entry) if trails else entry) for entry in waiting)
            waiting = []
            yield from items
        else:
            _claim_page_line(paragraphs, number, text, context)
    yield from map(make_record, waiting)


def _on(day: ListingDay | None, entry: Entry) -> Entry:
    """Return an entry as listed on a day."""
    return entry if day is None else entry._replace(listed_on=day.value, notes=day.notes)
