"""Text dumps with only the heads of entries, as extractors make them from pages without abstracts.

Invented lines; each day is below its entries, with their number::

    Authors and titles for recent submissions
    - [1] arXiv:2602.00001 [pdf, html, other]
    - [2] arXiv:2602.00002 (cross-list from cs.RO) [pdf, other]
    Wed, 4 Feb 2026 (showing 2 of 2 entries )

Titles, authors and subjects are not in the dump; other captures of the same papers can have them.
"""

from collections.abc import Iterator

from parsers._ledger.document import Document
from parsers._ledger.lines import record_rule
from parsers.arxiv.headings import ListingDay, read_heading
from parsers.arxiv.items import HEAD, Entry, make_record, read_formats, section_of
from parsers.arxiv.marked import plain_texts
from parsers.arxiv.page import Context, claim_page_line, take_heading
from parsers.arxiv.wrapped import Paragraphs
from schemas.items import Item, Record

_HEAD = record_rule("head")


def read_heads(document: Document, paragraphs: Paragraphs) -> Iterator[Item]:
    """Yield the entries in page order and the totals that the page declares.

    Raises ``DumpError`` (incomplete_item) if no head names formats: it could be from any list of references.
    """
    found = list(_read(document, paragraphs))
    if not any(isinstance(item, Record) for item in found):
        expected = "expected a line 'Title: ..' in each entry, or heads such as '[1] arXiv:2507.00001 [pdf, other]'"
        raise document.error(document.lines.first_text_line, "incomplete_item", expected)
    yield from found


def _read(document: Document, paragraphs: Paragraphs) -> Iterator[Item]:
    """Yield the same, but without the check."""
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
            claim_page_line(paragraphs, number, text, context)
    yield from map(make_record, waiting)


def _on(day: ListingDay | None, entry: Entry) -> Entry:
    """Return an entry as listed on a day."""
    return entry if day is None else entry._replace(listed_on=day.value, notes=day.notes)
