"""arXiv as XML: its daily feeds (RSS 2.0 and Atom, until January 2024 RSS 1.0), and answers of its query API (Atom).

Invented item of a feed; Atom has ``entry``, ``id``, ``summary``, ``published`` and ``category`` with ``term``::

    <item><title>Foam in Large Tanks</title><link>https://arxiv.org/abs/2507.00001</link>
      <description>arXiv:2507.00001v1 Announce Type: replace-cross
    Abstract: We fill tanks ...</description><guid isPermaLink="false">oai:arXiv.org:2507.00001v1</guid>
      <category>physics.flu-dyn</category><pubDate>Fri, 11 Jul 2025 00:00:00 -0400</pubDate>
      <arxiv:announce_type>replace-cross</arxiv:announce_type><dc:creator>Ada Quill, Bo Ferns (Mole Lab)</dc:creator>

of RSS 1.0, which has markup as escaped text and a full stop after every title (requested as RSS 2.0, it had no
``dc:creator``: its description began with a paragraph ``Authors: ..``)::

    <item rdf:about="http://arxiv.org/abs/2303.00001"><title>Foam in Tanks. (arXiv:2303.00001v2 [cs.DC] UPDATED)</title>
      <description>&lt;p&gt;We fill tanks ...&lt;/p&gt;</description>
      <dc:creator>&lt;a href=".."&gt;Ada Quill&lt;/a&gt;, &lt;a href=".."&gt;Bo Ferns&lt;/a&gt;</dc:creator>

and an answer, whose dates are those of the papers, not of announcements; a paragraph begins with two spaces::

    <feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query: search_query=cat:physics.flu-dyn</title>
      <opensearch:totalResults>1</opensearch:totalResults><opensearch:startIndex>0</opensearch:startIndex>
      <opensearch:itemsPerPage>10</opensearch:itemsPerPage>
      <entry><id>http://arxiv.org/abs/2507.00001v2</id><published>2025-07-01T17:15:04Z</published>
        <title>Foam in Large Tanks</title><summary>We fill tanks ...</summary>
        <author><name>Ada Quill</name><arxiv:affiliation>Mole Lab</arxiv:affiliation></author>
        <arxiv:comment>8 pages</arxiv:comment><arxiv:primary_category term="physics.flu-dyn"/>
        <category term="physics.flu-dyn"/></entry></feed>

Names of elements are compared without their namespace, which differs between the years.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from html import unescape
from typing import Final

from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import last_line_of, line_of, raw_text_of
from parsers._ledger.lines import LineClass, Rule, heading_rule, record_rule
from parsers._ledger.page import Page
from parsers.arxiv.authors import read_authors
from parsers.arxiv.items import ARXIV_ID, Entry, make_record, pick_codes
from schemas.items import Declared, Item, Person, Reject

FEED_EXPECTS: Final = "a daily arXiv feed in RSS or Atom, with an arXiv identifier in every item"
ANSWER_EXPECTS: Final = "an Atom response of the arXiv API, with entries whose id is '..arxiv.org/abs/2507.00001v1'"

_ENTRY: Final = record_rule("entry")
_FEED: Final = heading_rule("feed", 0)
_REJECTED: Final = Rule("incomplete_item", LineClass.REJECTED)

_PROBED: Final = 20_000  # characters that are looked at to recognise a format
# The head of a feed says whose it is: what others publish on arXiv names and links its papers, too.
_OWN = re.compile(
    r"""(?:<(?:link|id)>\s*+|<(?:\w+:)?link\b[^<>]*?\shref\s*+=\s*+["']|\brdf:about\s*+=\s*+["'])"""
    r"""https?://(?:[\w-]{1,30}\.){0,3}arxiv\.org(?=[/"'<?\s])|updates\ on\ arXiv\.org</title>""",
    re.IGNORECASE,
)
_ROOT = re.compile(r"<(?:rss|rdf:RDF|RDF)\b")
_FIRST_ITEM = re.compile(r"<(?:item|entry)[\s>]")
_DAILY_ATOM = re.compile(r"announce_type|oai:arXiv\.org:|rss\.arxiv\.org|updates on arXiv\.org")
_ERROR: Final = "arxiv.org/api/errors"  # the id of an entry with an error message

_FIELDS: Final = {
    "Comments": ("comment",),
    "Journal-ref": ("journal_reference", "journal_ref"),
    "Report-no": ("report_no",),
    "DOI": ("DOI", "doi"),
}
"""The labelled values of an entry: the elements that hold them in one of the formats."""

_OF_ITEM: Final = (
    "title link id guid description summary creator author category primary_category pubDate published announce_type"
    " comment journal_reference journal_ref report_no DOI doi rights updated date subject msc_class acm_class license"
).split()
_OF_FEED: Final = (
    "title link id description subtitle docs language lastBuildDate managingEditor pubDate skipDays updated published"
    " date publisher subject updateBase updateFrequency updatePeriod items author rights generator ttl image"
    " totalResults startIndex itemsPerPage"
).split()

_SECTIONS: Final = {
    "new": "new",
    "cross": "cross",
    "replace": "replacement",
    "replace-cross": "replacement",
    "absonly": "replacement",
    "CROSS LISTED": "cross",
    "UPDATED": "replacement",
}
_INTRODUCTION = re.compile(
    rf"""
    \s*(?:arXiv:{ARXIV_ID}(?:v\d+)?\s+)?
    Announce\ Type:\s*(?P<type>[a-z]+(?:-[a-z]+)?)\s+
    (?:Abstract:\s*)?
    """,
    re.VERBOSE,
)
_TITLE_END = re.compile(
    rf"\(arXiv:{ARXIV_ID}(?:v\d+)?(?:\s+\[(?P<code>[\w.-]+)\])?(?:\s+(?P<mark>UPDATED|CROSS LISTED))?\)\s*$"
)
_AUTHORS: Final = "Authors: "
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,1000}>")
_HTML_BREAK = re.compile(r"</?p\b[^<>]{0,200}>|<br\b[^<>]{0,200}>")
_ANY_ID = re.compile(rf"(?:arXiv(?:\.org)?:|arxiv\.org/abs/)({ARXIV_ID})(?!\d)", re.IGNORECASE)
_FRACTION = re.compile(r"\.\d+")
_PARAGRAPH = re.compile(r"\n(?: {2}(?=\S)|[ \t]*\n)")

Children = dict[str, list[etree._Element]]


def is_feed(document: Document) -> bool:
    """True if this is a feed of arXiv itself and not an answer of the query API."""
    head = _own_head(document)
    if head is None or "opensearch:" in head:
        return False
    probe = document.text[:_PROBED]
    return _ROOT.search(probe) is not None or _DAILY_ATOM.search(probe) is not None


def is_answer(document: Document) -> bool:
    """True if this is Atom of arXiv itself, with papers or an empty answer of its query API."""
    head = _own_head(document)
    return head is not None and "<feed" in head and "arxiv.org/a" in document.text[:_PROBED]


def _own_head(document: Document) -> str | None:
    """Return what stands above the items of a feed of arXiv itself; None if it is no feed, or one of others."""
    probe = document.text[:_PROBED]
    if not probe.lstrip().startswith("<"):
        return None
    head = _FIRST_ITEM.split(probe, maxsplit=1)[0]
    is_feed = _ROOT.search(head) is not None or "<feed" in head
    return head if is_feed and _OWN.search(head) is not None else None


def parse_feed(document: Document) -> Iterator[Item]:
    """Yield the items of the feed; an empty one declares zero items if its day is one that it skips.

    Raises ``DumpError`` (declined) for a feed that is only an error message.
    """
    page = document.feed_of("item", "entry")
    channel = next((child for child in page.root if _name_of(child) == "channel"), page.root)
    facts = children_of(channel)
    if text_of_first(facts, "title").startswith("Feed error"):
        answer = _fold(text_of_first(facts, "description", "subtitle", "title"))
        raise document.error(line_of(channel) or 1, "declined", f"expected a feed with papers, got an error: {answer}")
    _claim_known(page, facts, _OF_FEED, _FEED)
    if channel is not page.root:
        _claim_known(page, children_of(page.root), ("image", "textinput"), _FEED)
    day = day_of(text_of_first(facts, "pubDate", "lastBuildDate", "date", "updated"))
    items = list(page.root.iter("{*}item", "{*}entry"))
    for item in items:
        yield _read_announced(page, item, day)
    skipped = {word for each in facts.get("skipDays", ()) for text in each.itertext() for word in text.split()}
    if not items and day is not None and f"{day:%A}" in skipped:
        yield Declared(line_of(channel) or 1, 0)


def parse_answer(document: Document) -> Iterator[Item]:
    """Yield the entries of the answer, and their total if the answer holds all results.

    Raises ``DumpError`` (declined) for an answer that is only an error message.
    """
    page = document.feed_of("entry")
    facts = children_of(page.root)
    _claim_known(page, facts, _OF_FEED, _FEED)
    entries = facts.get("entry", ())
    if len(entries) == 1 and _ERROR in text_of_first(children_of(entries[0]), "id"):
        answer = _fold(text_of_first(children_of(entries[0]), "summary", "title"))
        raise document.error(line_of(entries[0]) or 1, "declined", f"expected papers, got an error: {answer}")
    for entry in entries:
        yield _read_paper(page, entry)
    total, first, most = (_number(facts, name) for name in ("totalResults", "startIndex", "itemsPerPage"))
    if total is not None and (total == 0 or (first == 0 and most is not None and total <= most)):
        yield Declared(line_of(facts["totalResults"][0]) or 1, total)


def _number(facts: Children, name: str) -> int | None:
    """Return a number from the head of the answer."""
    text = text_of_first(facts, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _read_announced(page: Page, item: etree._Element, day: date | None) -> Item:
    """Read one item of a feed, whose date is that of its announcement: a record, or a reject."""
    children = children_of(item)
    entry = _begin(item, children)
    text = text_of_first(children, "description", "summary")
    title, code, mark = _split_title(entry.title)
    kind, paragraphs = _read_text(text)
    if not entry.people and paragraphs[:1] and paragraphs[0].startswith(_AUTHORS):
        people, notes = read_authors(paragraphs[0].removeprefix(_AUTHORS))
        entry, paragraphs = entry._replace(people=people, notes=notes), paragraphs[1:]
    kind = _fold(text_of_first(children, "announce_type")) or kind or mark or "new"
    ids = (text_of_first(children, "guid", "id"), *_values(children, "href", "link"), entry.title, text[:100])
    entry = entry._replace(
        title=title,
        paragraphs=paragraphs,
        arxiv_id=_identifier_in(*ids),
        section=_SECTIONS.get(kind),
        listed_on=day_of(text_of_first(children, "pubDate", "published")) or day,
        categories=entry.categories or pick_codes([code]),
    )
    return _finish(page, item, children, entry, "an arXiv identifier in guid, id or link")


def _read_paper(page: Page, item: etree._Element) -> Item:
    """Read one entry of an answer: a record, or a reject.

    Only its id names the paper: the other texts may name others, as in "Comment on Foam (arXiv:2507.00002)".
    """
    children = children_of(item)
    entry = _begin(item, children)._replace(
        paragraphs=_paragraphs_of_summary(text_of_first(children, "summary")),
        arxiv_id=_identifier_in(text_of_first(children, "id")),
        published_on=day_of(text_of_first(children, "published")),
    )
    return _finish(page, item, children, entry, "an id such as 'http://arxiv.org/abs/2507.00001v1'")


def _begin(item: etree._Element, children: Children) -> Entry:
    """Return what feeds and answers print alike."""
    people, notes = _people(children)
    return Entry(
        line_start=line_of(item),
        line_end=last_line_of(item),
        title=_fold(text_of_first(children, "title")),
        fields={label: _fold(text_of_first(children, *names)) for label, names in _FIELDS.items()},
        people=people,
        categories=pick_codes(_values(children, "term", "primary_category", "category")),
        notes=notes,
    )


def _finish(page: Page, item: etree._Element, children: Children, entry: Entry, identifier: str) -> Item:
    """Claim the elements of an entry and make its record, or a reject if it lacks its identifier or title."""
    if entry.arxiv_id is None or not entry.title:
        return _reject(page, item, identifier if entry.arxiv_id is None else "a title")
    _claim_known(page, children, _OF_ITEM, _ENTRY)
    return make_record(entry)


def _values(children: Children, attribute: str, *names: str) -> list[str]:
    """Return the values of elements that are text (RSS) or in an attribute (Atom)."""
    return [child.get(attribute) or child.text or "" for name in names for child in children.get(name, ())]


def _people(children: Children) -> tuple[tuple[Person, ...] | None, tuple[str, ...]]:
    """Return the authors, and the notes on them.

    An element holds one name, or all of them, escaped markup in RSS 1.0; ``et al.`` or the colon after a collaboration
    can be one of its own.
    """
    people: list[Person] = []
    notes: tuple[str, ...] = ()
    for author in children.get("creator") or children.get("author") or ():
        inside = children_of(author)
        printed = text_of_first(inside, "name") or raw_text_of(author)
        found, doubts = read_authors(_fold(unescape(_TAG.sub("", printed))))
        notes += doubts
        places = [_fold(raw_text_of(place)) for place in inside.get("affiliation", ())]
        affiliation = "; ".join(place for place in places if place)
        if affiliation and found:
            found = tuple(person._replace(affiliation=person.affiliation or affiliation) for person in found)
        people += found or ()
    return tuple(people) or None, notes


def _split_title(printed: str) -> tuple[str, str, str | None]:
    """Split the title of an older feed into title, primary category and mark."""
    place = printed.rfind("(arXiv:")
    found = _TITLE_END.match(printed, place) if place >= 0 else None
    if found is None:
        return printed, "", None
    return unescape(printed[:place]).rstrip().removesuffix("."), found["code"] or "", found["mark"]


def _read_text(printed: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the type of announcement from a description, and the paragraphs of the abstract."""
    if found := _INTRODUCTION.match(printed):
        return found["type"], _paragraphs_of_summary(printed[found.end() :])
    if printed.lstrip().startswith("<p"):
        parts = (_fold(unescape(_TAG.sub("", part))) for part in _HTML_BREAK.split(printed))
        return None, tuple(part for part in parts if part)
    return None, _paragraphs_of_summary(printed)


def _name_of(element: etree._Element) -> str:
    """Return the name of an element without its namespace."""
    return _local_name(str(element.tag))


@lru_cache(maxsize=256)
def _local_name(tag: str) -> str:
    """Return a tag without its namespace; cached, since a feed has few tags."""
    return tag.rpartition("}")[2]


def children_of(element: etree._Element) -> Children:
    """Return the children of an element by name."""
    children: Children = {}
    for child in element.iterchildren("*"):
        children.setdefault(_name_of(child), []).append(child)
    return children


def text_of_first(children: Children, *names: str) -> str:
    """Return the text of the first child that has one of the names and is not empty, unfolded."""
    for name in names:
        for child in children.get(name, ()):
            if text := (raw_text_of(child) if len(child) else child.text or "").strip("\n\t "):
                return text
    return ""


def _fold(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def _claim_known(page: Page, children: Children, known: Iterable[str], rule: Rule) -> None:
    """Claim the children whose names are known; all others stay unclaimed."""
    for name in known:
        for child in children.get(name, ()):
            page.claim(child, rule)


def _identifier_in(*texts: str) -> str | None:
    """Return the first arXiv identifier in the texts, without version."""
    found = (_ANY_ID.search(text) for text in texts)
    return next((match[1] for match in found if match), None)


def _paragraphs_of_summary(text: str) -> tuple[str, ...]:
    """Return the paragraphs of an abstract in plain text: each but the first begins with two spaces."""
    return tuple(folded for part in _PARAGRAPH.split(text.strip()) if (folded := _fold(part)))


@lru_cache(maxsize=1024)  # the items of a feed have few dates
def day_of(text: str) -> date | None:
    """Return the day of an instant in UTC; None if the text is not a date.

    arXiv announces in its evening, when in UTC it is already the next day: the day of the listing.
    """
    text = text.strip()
    if not text:
        return None
    try:
        is_iso = text[:4].isdigit()
        instant = datetime.fromisoformat(_FRACTION.sub("", text)) if is_iso else parsedate_to_datetime(text)
    except ValueError:
        return None
    return (instant if instant.tzinfo is None else instant.astimezone(UTC)).date()


def _reject(page: Page, item: etree._Element, expected: str) -> Reject:
    """Claim an item as rejected and make its reject."""
    page.claim(item, _REJECTED)
    text = "\n".join(folded for piece in item.itertext() if (folded := _fold(str(piece))))
    line = line_of(item)
    return Reject(line, line, text, "incomplete_item", f"expected {expected}")
