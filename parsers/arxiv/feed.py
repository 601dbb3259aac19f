"""The daily feeds of arXiv: RSS 2.0 and Atom as they are today, RSS 1.0 as it was until January 2024.

Invented item of today; Atom has ``entry``, ``id``, ``summary``, ``published`` and ``category`` with ``term``::

    <item><title>Foam in Large Tanks</title><link>https://arxiv.org/abs/2507.00001</link>
      <description>arXiv:2507.00001v1 Announce Type: replace-cross
    Abstract: We fill tanks ...</description><guid isPermaLink="false">oai:arXiv.org:2507.00001v1</guid>
      <category>physics.flu-dyn</category><pubDate>Fri, 11 Jul 2025 00:00:00 -0400</pubDate>
      <arxiv:announce_type>replace-cross</arxiv:announce_type><dc:creator>Ada Quill, Bo Ferns (Mole Lab)</dc:creator>

and of the older one, which has markup as escaped text and a full stop after every title (requested as RSS 2.0, it had
no ``dc:creator``: its description began with a paragraph ``Authors: ..``)::

    <item rdf:about="http://arxiv.org/abs/2303.00001"><title>Foam in Tanks. (arXiv:2303.00001v2 [cs.DC] UPDATED)</title>
      <description>&lt;p&gt;We fill tanks ...&lt;/p&gt;</description>
      <dc:creator>&lt;a href=".."&gt;Ada Quill&lt;/a&gt;, &lt;a href=".."&gt;Bo Ferns&lt;/a&gt;</dc:creator>

Answers of the query API do not belong here (``api``).
"""

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Final

from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import last_line_of, line_of, raw_text_of
from parsers._ledger.page import Page
from parsers.arxiv.elements import (
    ENTRY,
    FEED,
    Children,
    children_of,
    claim_known,
    day_of,
    fold,
    identifier_in,
    name_of,
    paragraphs_of_summary,
    reject_of,
    text_of_first,
)
from parsers.arxiv.items import ARXIV_ID, Entry, make_record, pick_codes
from schemas.items import Declared, Item

EXPECTS: Final = "a daily arXiv feed in RSS or Atom, with an arXiv identifier in every item"

_PROBED: Final = 20_000  # characters that ``recognise`` checks
_ROOT = re.compile(r"<(?:rss|rdf:RDF|RDF)\b")
_FIRST_ITEM = re.compile(r"<(?:item|entry)[\s>]")
_DAILY_ATOM = re.compile(r"announce_type|oai:arXiv\.org:|rss\.arxiv\.org|updates on arXiv\.org")

_SECTIONS: Final = {
    "new": "new",
    "cross": "cross",
    "replace": "replacement",
    "replace-cross": "replacement",
    "absonly": "replacement",
    "CROSS LISTED": "cross",
    "UPDATED": "replacement",
}
_OF_ITEM: Final = (
    "title link id guid description summary creator author category pubDate published announce_type DOI doi"
    " journal_reference journal_ref comment rights updated date subject"
).split()
_OF_FEED: Final = (
    "title link id description subtitle docs language lastBuildDate managingEditor pubDate skipDays updated published"
    " date publisher subject updateBase updateFrequency updatePeriod items author rights generator ttl image"
).split()
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


def recognise(document: Document) -> bool:
    """True if the head of this feed mentions arXiv and it is not an answer of the query API."""
    probe = document.text[:_PROBED]
    above = _FIRST_ITEM.split(probe, maxsplit=1)[0]  # other feeds link to papers of arXiv, too
    if not probe.lstrip().startswith("<") or "arxiv" not in above.lower() or "opensearch:" in probe:
        return False
    return _ROOT.search(probe) is not None or ("<feed" in probe and _DAILY_ATOM.search(probe) is not None)


def parse(document: Document) -> Iterator[Item]:
    """Yield the items of the feed; an empty one declares zero items if its day is one that it skips.

    Raises ``DumpError`` (declined) for a feed that is only an error message.
    """
    page = document.feed_of("item", "entry")
    channel = next((child for child in page.root if name_of(child) == "channel"), page.root)
    facts = children_of(channel)
    if text_of_first(facts, "title").startswith("Feed error"):
        answer = fold(text_of_first(facts, "description", "subtitle", "title"))
        raise document.error(line_of(channel) or 1, "declined", f"expected a feed with papers, got an error: {answer}")
    claim_known(page, facts, _OF_FEED, FEED)
    if channel is not page.root:
        claim_known(page, children_of(page.root), ("image", "textinput"), FEED)
    day = day_of(text_of_first(facts, "pubDate", "lastBuildDate", "date", "updated"))
    items = list(page.root.iter("{*}item", "{*}entry"))
    for item in items:
        yield _read_item(page, item, day)
    if not items and day is not None and f"{day:%A}" in text_of_first(facts, "skipDays").split():
        yield Declared(line_of(channel) or 1, 0)


def _read_item(page: Page, item: etree._Element, day: date | None) -> Item:
    """Read one item: a record, or a reject."""
    children = children_of(item)
    printed_title = fold(text_of_first(children, "title"))
    printed_text = text_of_first(children, "description", "summary")
    ids = (text_of_first(children, "guid", "id"), _links(children), printed_title, printed_text[:100])
    arxiv_id = identifier_in(*ids)
    title, code, mark = _split_title(printed_title)
    if arxiv_id is None:
        return reject_of(page, item, "an arXiv identifier in guid, id or link")
    if not title:
        return reject_of(page, item, "a title")
    claim_known(page, children, _OF_ITEM, ENTRY)
    announced, paragraphs = _read_text(printed_text)
    names = _names(children)
    if not names and paragraphs[:1] and paragraphs[0].startswith(_AUTHORS):
        names, paragraphs = paragraphs[0].removeprefix(_AUTHORS), paragraphs[1:]
    announced = fold(text_of_first(children, "announce_type")) or announced or mark or "new"
    return make_record(
        Entry(
            line_start=line_of(item),
            line_end=last_line_of(item),
            title=title,
            fields={
                "Authors": names,
                "Comments": fold(text_of_first(children, "comment")),
                "Journal-ref": fold(text_of_first(children, "journal_reference", "journal_ref")),
                "DOI": fold(text_of_first(children, "DOI", "doi")),
            },
            paragraphs=paragraphs,
            arxiv_id=arxiv_id,
            section=_SECTIONS.get(announced),
            listed_on=day_of(text_of_first(children, "pubDate", "published")) or day,
            categories=pick_codes(_categories(children)) or pick_codes([code]),
        )
    )


def _links(children: Children) -> str:
    """Return the addresses of an item's links, which are text (RSS) or attributes (Atom)."""
    return " ".join(link.get("href") or link.text or "" for link in children.get("link", ()))


def _categories(children: Children) -> Iterator[str]:
    """Yield the categories of an item, which are text (RSS) or attributes (Atom)."""
    for category in children.get("category", ()):
        yield category.get("term") or category.text or ""


def _names(children: Children) -> str:
    """Return the author line, without the escaped markup of the older feed."""
    creators = children.get("creator") or children.get("author") or []
    lines = (fold(unescape(_TAG.sub("", raw_text_of(creator)))) for creator in creators)
    return ", ".join(line for line in lines if line)


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
        return found["type"], paragraphs_of_summary(printed[found.end() :])
    if printed.lstrip().startswith("<p"):
        parts = (fold(unescape(_TAG.sub("", part))) for part in _HTML_BREAK.split(printed))
        return None, tuple(part for part in parts if part)
    return None, paragraphs_of_summary(printed)
