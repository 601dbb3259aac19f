"""Pages of Hugging Face papers as HTML: the data that the page carries for its script, else the cards.

Invented markup, as far as it is read::

    <main>
      <div class="SVELTE_HYDRATER contents" data-target="DailyPapers"
           data-props="{&quot;dateString&quot;:&quot;2026-03-02&quot;,&quot;dailyPapers&quot;:[{&quot;paper&quot;: ...">
        <article>
          <a href="/quill">Submitted by <img> quill</a>   <div class="leading-none">24</div>
          <h3><a href="/papers/2603.01234">Foam in Large Tanks</a></h3>
          <ul><li>·</li><li>5 authors</li></ul>           <a href="/papers/2603.01234#community">2</a>
        </article> ...

The data (see ``api``) is complete; the cards have no authors, and those of a day no abstract or date: a card becomes a
record only if its paper is not in the data. Parts of a card are recognised by their elements, not by their place. The
cards of a search have the abstract in a ``<p>``, with TeX stripped crudely, and the paper's day; the day above them is
that of the capture.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from lxml import etree

from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document
from parsers._ledger.elements import classes_of, last_line_of, line_of, text_of
from parsers._ledger.fields import FieldError
from parsers._ledger.lines import LineClass, Rule, heading_rule, left_out_rule, record_rule
from parsers._ledger.page import Page
from parsers.hf_daily.api import day_of, list_entries, read_entry
from parsers.hf_daily.items import (
    BOILERPLATE,
    COUNT,
    IN_CARD,
    PRINTED_DAY,
    asked_day,
    make_record,
    read_count,
    read_day,
)
from schemas.items import Declared, Item, Record, Reject

EXPECTS: Final = "HTML with the data of 'DailyPapers', or with articles headed by a link to /papers/.."

_DAY = heading_rule("day", 2)
_CARD = record_rule("card")
_ORGANISATION = left_out_rule("organisation")
_REJECTED = Rule("incomplete_item", LineClass.REJECTED)

_TARGET: Final = "DailyPapers"
_ISLAND: Final = re.compile(rf"data-target\s*=\s*[\"']?{_TARGET}\b")
_ONE_PAPER: Final = re.compile(r"data-target\s*=\s*[\"']?PaperContent\b")
_CARD_LINK: Final = re.compile(r"<h3[^>]{0,500}>\s{0,200}<a\s[^>]{0,1000}/papers/\d{4}\.")
_HTML = re.compile(r"\s*<")
_DAY_TEXT = re.compile(PRINTED_DAY)
_ARCHIVE: Final = r"(?:(?:https?://[^/?#]+)?/web/\d{4,14}[a-z_]{0,4}/)?"  # before the address, in an archived copy
_PAPER_HREF = re.compile(rf"{_ARCHIVE}(?:https?://[^/?#]+)?/papers/(?P<id>\d{{4}}\.\d{{4,5}}|[^/?#\s]+)")
_PROFILE_HREF = re.compile(rf"{_ARCHIVE}(?:https?://(?:huggingface\.co|hf\.co))?/[\w.-]+/?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COUNT = re.compile(COUNT)
_LONGEST_NAME: Final = 100
_FEWEST_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class _ShownCard:
    """A card as the page shows it: its element, the link with its title, the paper's id, the abstract."""

    article: etree._Element
    link: etree._Element
    paper_id: str
    title: str
    abstract: etree._Element | None


def recognise(document: Document) -> bool:
    """True if the text is HTML with the data or the cards of the page, or a page about one paper."""
    text = document.text
    return _HTML.match(text) is not None and any(mark.search(text) for mark in (_ISLAND, _CARD_LINK, _ONE_PAPER))


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each entry of the data, then for each card that is not among them.

    Raises ``DumpError`` (malformed) if the data cannot be read and there are no cards either, (declined) for a page
    about one paper, which lists nothing.
    """
    if not _ISLAND.search(document.text) and (one := _ONE_PAPER.search(document.text)):
        line = document.text.count("\n", 0, one.start()) + 1
        raise document.error(line, "declined", "expected a page that lists papers, found one about a single paper")
    page = document.page
    main = page.root.find(".//main")
    page.content = main if main is not None else page.root
    shown_on = _claim_chrome(document, page)
    articles = list(page.content.iter("article"))
    cards = [card for article in articles if (card := _find_card(article))]
    is_listing = all(card.abstract is None for card in cards)
    day = (shown_on if is_listing else None) or asked_day(document.facts)
    known: dict[str, Record] = {}
    for item in _read_island(document, page, {card.paper_id: card for card in reversed(cards)}):
        if isinstance(item, Record):
            known[item.arxiv_id or item.native_id or ""] = item
        yield item
    for card in cards:
        record = known.get(card.paper_id)
        if record is None:
            record = _read_card(document, card, day)
            yield record
        _claim_card(page, card, record)
    yield from _reject_articles(page, articles, cards)


def _read_island(document: Document, page: Page, cards: Mapping[str, _ShownCard]) -> Iterator[Item]:
    """Yield the items of the data's entries; each has the lines of its card, else that of the data."""
    island = next((div for div in page.root.iter("div") if div.get("data-target") == _TARGET), None)
    if island is None:
        return
    line, text = line_of(island) or 1, island.get("data-props") or ""
    try:
        data = Data(text)
        entries = list_entries(data.value)
    except (DataError, FieldError) as error:
        expected = f"expected the data of {_TARGET} with a list 'dailyPapers': {error}"
        if not cards:
            raise document.error(line, "malformed", expected) from error
        yield Reject(line, line, text, "malformed", expected)
        return
    page.embed(data)
    if not entries and not cards:
        yield Declared(line, 0)
    asked = day_of(data.value) or asked_day(document.facts)
    for place, entry in enumerate(entries, 1):
        card = cards.get(_id_of(entry))
        span = (line, line) if card is None else (line_of(card.article) or line, last_line_of(card.article) or line)
        yield read_entry(data, entry, place, asked, span)


def _id_of(entry: object) -> str:
    """Return the identifier of an entry, empty if it has none."""
    paper = entry.get("paper") if isinstance(entry, dict) else None
    return str(paper.get("id")) if isinstance(paper, dict) else ""


def _claim_chrome(document: Document, page: Page) -> date | None:
    """Claim menus and headings around the cards, from the outside in; return the day in them."""
    day: date | None = None
    waiting = [page.content]
    while waiting:
        for child in waiting.pop():
            if child.tag != "article" and next(child.iter("article"), None) is not None:
                waiting.append(child)
            elif child.tag != "article" and (text := text_of(child)):
                if _DAY_TEXT.fullmatch(text):
                    day = day or read_day(text, document.facts)
                    page.claim(child, _DAY)
                elif not page.claim_boilerplate(child, BOILERPLATE):
                    waiting.append(child)
            page.claim_tail_boilerplate(child, BOILERPLATE)
    return day


def _find_card(article: etree._Element) -> _ShownCard | None:
    """Return title and abstract of a card; None for an article that is not a card."""
    own = list(_inside(article))
    abstract = next((element for element in own if element.tag == "p" and _is_prose(element)), None)
    for heading in own:
        for link in heading.iter("a") if heading.tag == "h3" else ():
            found = _PAPER_HREF.match(link.get("href") or "")
            if found and (title := text_of(link)):
                return _ShownCard(article, link, found["id"], title, abstract)
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


def _read_card(document: Document, card: _ShownCard, day: date | None) -> Record:
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


def _claim_card(page: Page, card: _ShownCard, record: Record) -> None:
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
    if element.tag != "a" or len(text) > _LONGEST_NAME or "Submitted by" in text:
        return False
    return _PROFILE_HREF.fullmatch(element.get("href") or "") is not None


def _reject_articles(page: Page, articles: Sequence[etree._Element], cards: Sequence[_ShownCard]) -> Iterator[Reject]:
    """Reject the articles that have text but are not cards."""
    read = {card.article for card in cards}
    for article in articles:
        if article not in read and (text := text_of(article)):
            page.claim(article, _REJECTED)
            detail = "expected a heading with a link to /papers/.. in the card"
            yield Reject(line_of(article), last_line_of(article), text, "incomplete_item", detail)
