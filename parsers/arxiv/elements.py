"""Shared by the XML formats: children by name, dates as days, abstracts with paragraphs, identifiers in links.

Names of elements are compared without their namespace, which differs between feeds of different years. The elements of
one format do not belong here.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

from lxml import etree

from parsers._ledger.elements import line_of, raw_text_of
from parsers._ledger.lines import LineClass, Rule, heading_rule, record_rule
from parsers._ledger.page import Page
from parsers.arxiv.items import ARXIV_ID
from schemas.items import Reject

ENTRY: Final = record_rule("entry")
FEED: Final = heading_rule("feed", 0)
_REJECTED: Final = Rule("incomplete_item", LineClass.REJECTED)

_ANY_ID = re.compile(rf"(?:arXiv(?:\.org)?:|arxiv\.org/abs/)({ARXIV_ID})(?!\d)", re.IGNORECASE)
_FRACTION = re.compile(r"\.\d+")
_PARAGRAPH = re.compile(r"\n(?: {2}(?=\S)|[ \t]*\n)")

Children = dict[str, list[etree._Element]]


def name_of(element: etree._Element) -> str:
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
        children.setdefault(name_of(child), []).append(child)
    return children


def text_of_first(children: Children, *names: str) -> str:
    """Return the text of the first child that has one of the names and is not empty, unfolded."""
    for name in names:
        for child in children.get(name, ()):
            if text := (raw_text_of(child) if len(child) else child.text or "").strip("\n\t "):
                return text
    return ""


def fold(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def claim_known(page: Page, children: Children, known: Iterable[str], rule: Rule) -> None:
    """Claim the children whose names are known; all others stay unclaimed."""
    for name in known:
        for child in children.get(name, ()):
            page.claim(child, rule)


def identifier_in(*texts: str) -> str | None:
    """Return the first arXiv identifier in the texts, without version."""
    found = (_ANY_ID.search(text) for text in texts)
    return next((match[1] for match in found if match), None)


def paragraphs_of_summary(text: str) -> tuple[str, ...]:
    """Return the paragraphs of an abstract in plain text: each but the first begins with two spaces."""
    return tuple(folded for part in _PARAGRAPH.split(text.strip()) if (folded := fold(part)))


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


def reject_of(page: Page, item: etree._Element, expected: str) -> Reject:
    """Claim an item as rejected and make its reject."""
    page.claim(item, _REJECTED)
    text = "\n".join(folded for piece in item.itertext() if (folded := fold(str(piece))))
    line = line_of(item)
    return Reject(line, line, text, "incomplete_item", f"expected {expected}")
