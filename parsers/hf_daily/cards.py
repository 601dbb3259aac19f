"""One card of a page of Hugging Face papers: found in the markup, made a record, its parts claimed. No pages here.

Parts of a card are recognised by their elements, not by their place: the title is the link to ``/papers/..`` in a
heading, the upvotes are in an element of class ``leading-none``, the rest are short texts with distinct forms.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from lxml import etree

from parsers._ledger.document import Document
from parsers._ledger.elements import classes_of, last_line_of, line_of, text_of
from parsers._ledger.lines import LineClass, Rule, left_out_rule, record_rule
from parsers._ledger.page import Page
from parsers.hf_daily.chrome import IN_CARD
from parsers.hf_daily.items import COUNT, PRINTED_DAY, make_record, read_count, read_day
from schemas.items import Record, Reject

_CARD = record_rule("card")
_ORGANISATION = left_out_rule("organisation")
_REJECTED = Rule("incomplete_item", LineClass.REJECTED)

_ARCHIVE: Final = r"(?:(?:https?://[^/?#]+)?/web/\d{4,14}[a-z_]{0,4}/)?"  # before the address, in an archived copy
_PAPER_HREF = re.compile(rf"{_ARCHIVE}(?:https?://[^/?#]+)?/papers/(?P<id>\d{{4}}\.\d{{4,5}}|[^/?#\s]+)")
_PROFILE_HREF = re.compile(rf"{_ARCHIVE}(?:https?://(?:huggingface\.co|hf\.co))?/[\w.-]+/?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COUNT = re.compile(COUNT)
_DAY_TEXT = re.compile(PRINTED_DAY)
_SUBMITTER: Final = "Submitted by"
_LONGEST_NAME: Final = 100
_FEWEST_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card as the page shows it: its element, the link with its title, the paper's id, the abstract."""

    article: etree._Element
    link: etree._Element
    paper_id: str
    title: str
    abstract: etree._Element | None


def find_card(article: etree._Element) -> ShownCard | None:
    """Return title and abstract of a card; None for an article that is not a card."""
    own = list(_inside(article))
    abstract = next((element for element in own if element.tag == "p" and _is_prose(element)), None)
    for heading in own:
        for link in heading.iter("a") if heading.tag == "h3" else ():
            found = _PAPER_HREF.match(link.get("href") or "")
            if found and (title := text_of(link)):
                return ShownCard(article, link, found["id"], title, abstract)
    return None


def _inside(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements of a card; a card inside it, where an end tag is lost, is another one."""
    for child in element:
        if child.tag != "article":
            yield child
            yield from _inside(child)


def _is_prose(element: etree._Element) -> bool:
    """True if a paragraph of a card is prose, not a line of its footer."""
    return text_of(element).count(" ") >= _FEWEST_WORDS


def read_card(document: Document, card: ShownCard, day: date | None) -> Record:
    """Make the record of a card."""
    start, end = line_of(card.article), last_line_of(card.article)
    upvotes, published_on = None, None
    for element in _inside(card.article):
        if len(element) == 0 and (text := text_of(element)):
            if upvotes is None and "leading-none" in classes_of(element) and _COUNT.fullmatch(text):
                upvotes = read_count(text)
            elif published_on is None and _DAY_TEXT.fullmatch(text):
                published_on = read_day(text, document.facts)
    return make_record(
        line_start=start if end else None,
        line_end=end,
        title=card.title,
        paper_id=card.paper_id,
        abstract=text_of(card.abstract) if card.abstract is not None else None,
        listed_on=day,
        published_on=published_on,
        upvotes=upvotes,
    )


def claim_card(page: Page, card: ShownCard, record: Record) -> None:
    """Claim the parts of a card that are understood; title and abstract only if they are in the record."""
    if card.title == record.title:
        page.claim(card.link, _CARD)
    texts = (record.abstract or "", record.summary or "")  # trending pages show the summary
    if card.abstract is not None and any(_says_the_same(text_of(card.abstract), text) for text in texts):
        page.claim(card.abstract, _CARD)
    _claim_parts(page, card.article, (card.link, card.abstract))


def _says_the_same(shown: str, abstract: str) -> bool:
    """True if the abstract has every word that the card shows: cards strip TeX, but not words."""
    return shown == abstract or set(_WORD.findall(shown)) <= set(_WORD.findall(abstract))


def _claim_parts(page: Page, element: etree._Element, done: tuple[etree._Element | None, ...]) -> None:
    """Claim the parts inside an element of a card, from the outside in."""
    for child in element:
        text = "" if child in done or child.tag == "article" else text_of(child)
        if text and IN_CARD.rule(text):
            page.claim(child, _CARD)
        elif text and _is_organisation(child, text):
            page.claim(child, _ORGANISATION)
        elif text:
            _claim_parts(page, child, done)
        if child.tail and IN_CARD.rule(child.tail):
            page.claim_tail(child, _CARD)


def _is_organisation(element: etree._Element, text: str) -> bool:
    """True if an element is the link to an organisation: its name can be any words, and is not in the record."""
    if element.tag != "a" or len(text) > _LONGEST_NAME or _SUBMITTER in text:
        return False
    return _PROFILE_HREF.fullmatch(element.get("href") or "") is not None


def reject_articles(page: Page, articles: Sequence[etree._Element], cards: Sequence[ShownCard]) -> Iterator[Reject]:
    """Reject the articles that have text but are not cards."""
    read = {card.article for card in cards}
    for article in articles:
        if article not in read and (text := text_of(article)):
            page.claim(article, _REJECTED)
            detail = "expected a heading with a link to /papers/.. in the card"
            yield Reject(line_of(article), last_line_of(article), text, "incomplete_item", detail)
