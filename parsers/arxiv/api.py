"""Answers of arXiv's query API (``/api/query``), in Atom.

Invented answer; titles and abstracts are wrapped, a paragraph begins with two spaces::

    <feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query: search_query=cat:physics.flu-dyn</title>
      <opensearch:totalResults>1</opensearch:totalResults><opensearch:startIndex>0</opensearch:startIndex>
      <opensearch:itemsPerPage>10</opensearch:itemsPerPage>
      <entry><id>http://arxiv.org/abs/2507.00001v2</id><published>2025-07-01T17:15:04Z</published>
        <title>Foam in Large Tanks</title><summary>We fill tanks ...</summary>
        <author><name>Ada Quill</name><arxiv:affiliation>Mole Lab</arxiv:affiliation></author>
        <arxiv:comment>8 pages</arxiv:comment><arxiv:primary_category term="physics.flu-dyn"/>
        <category term="physics.flu-dyn"/></entry></feed>

Dates are those of the papers: an answer has no dates of announcements. The daily feeds do not belong here (``feed``).
"""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import last_line_of, line_of, raw_text_of
from parsers._ledger.page import Page
from parsers.arxiv.authors import read_authors
from parsers.arxiv.elements import (
    ENTRY,
    FEED,
    Children,
    children_of,
    claim_known,
    day_of,
    fold,
    identifier_in,
    paragraphs_of_summary,
    reject_of,
    text_of_first,
)
from parsers.arxiv.items import Entry, make_record, pick_codes
from schemas.items import Declared, Item, Person

EXPECTS: Final = "an Atom response of the arXiv API, with entries whose id is '..arxiv.org/abs/2507.00001v1'"

_PROBED: Final = 20_000  # characters that ``recognise`` checks
_ERROR: Final = "arxiv.org/api/errors"  # the id of an entry with an error message
_OF_ENTRY: Final = (
    "id title summary author published updated comment journal_ref doi report_no primary_category category link rights"
    " msc_class acm_class license"
).split()
_OF_FEED: Final = "id title updated link totalResults startIndex itemsPerPage author rights generator subtitle".split()


def recognise(document: Document) -> bool:
    """True if this is Atom with papers of arXiv, or an empty answer of its query API."""
    probe = document.text[:_PROBED]
    if not probe.lstrip().startswith("<") or "<feed" not in probe:
        return False
    return "arxiv.org/abs/" in probe or "arxiv.org/api/" in probe


def parse(document: Document) -> Iterator[Item]:
    """Yield the entries of the answer, and their total if the answer holds all results.

    Raises ``DumpError`` (declined) for an answer that is only an error message.
    """
    page = document.feed_of("entry")
    facts = children_of(page.root)
    claim_known(page, facts, _OF_FEED, FEED)
    entries = facts.get("entry", ())
    if len(entries) == 1 and _ERROR in text_of_first(children_of(entries[0]), "id"):
        answer = fold(text_of_first(children_of(entries[0]), "summary", "title"))
        raise document.error(line_of(entries[0]) or 1, "declined", f"expected papers, got an error: {answer}")
    for entry in entries:
        yield _read_entry(page, entry)
    total, first, most = (_number(facts, name) for name in ("totalResults", "startIndex", "itemsPerPage"))
    if total is not None and (total == 0 or (first == 0 and most is not None and total <= most)):
        yield Declared(line_of(facts["totalResults"][0]) or 1, total)


def _number(facts: Children, name: str) -> int | None:
    """Return a number from the head of the answer."""
    text = text_of_first(facts, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _read_entry(page: Page, entry: etree._Element) -> Item:
    """Read one entry: a record, or a reject."""
    children = children_of(entry)
    arxiv_id = identifier_in(text_of_first(children, "id"))
    title = fold(text_of_first(children, "title"))
    if arxiv_id is None or not title:
        expected = "an id such as 'http://arxiv.org/abs/2507.00001v1' and a title"
        return reject_of(page, entry, expected)
    claim_known(page, children, _OF_ENTRY, ENTRY)
    people, notes = _people(children)
    codes = [child.get("term") or "" for name in ("primary_category", "category") for child in children.get(name, ())]
    return make_record(
        Entry(
            line_start=line_of(entry),
            line_end=last_line_of(entry),
            title=title,
            fields={
                "Comments": fold(text_of_first(children, "comment")),
                "Journal-ref": fold(text_of_first(children, "journal_ref")),
                "Report-no": fold(text_of_first(children, "report_no")),
                "DOI": fold(text_of_first(children, "doi")),
            },
            paragraphs=paragraphs_of_summary(text_of_first(children, "summary")),
            arxiv_id=arxiv_id,
            published_on=day_of(text_of_first(children, "published")),
            people=people,
            categories=pick_codes(codes),
            notes=notes,
        )
    )


def _people(children: Children) -> tuple[tuple[Person, ...] | None, tuple[str, ...]]:
    """Return the authors, and a note if one of them is ``et al.``.

    ``et al.`` or the colon after a collaboration can be an author element; feeds by author put all names in one.
    """
    people: list[Person] = []
    notes: tuple[str, ...] = ()
    for author in children.get("author", ()):
        inside = children_of(author)
        found, cut = read_authors(fold(text_of_first(inside, "name")))
        notes = notes or cut
        places = [fold(raw_text_of(place)) for place in inside.get("affiliation", ())]
        affiliation = "; ".join(place for place in places if place)
        people += found or ()
        if affiliation and found:
            people[-len(found) :] = [person._replace(affiliation=person.affiliation or affiliation) for person in found]
    return tuple(people) or None, notes
