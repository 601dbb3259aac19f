"""Pages of Hugging Face papers as HTML: the data that the page carries for its script, else the cards. No text dumps.

Invented markup, as far as it is read::

    <main>
      <div class="SVELTE_HYDRATER contents" data-target="DailyPapers"
           data-props="{&quot;dateString&quot;:&quot;2026-03-02&quot;,&quot;dailyPapers&quot;:[{&quot;paper&quot;: ...">
        <article>
          <a href="/quill">Submitted by <img> quill</a>   <div class="leading-none">24</div>
          <h3><a href="/papers/2603.01234">Foam in Large Tanks</a></h3>
          <ul><li>·</li><li>5 authors</li></ul>           <a href="/papers/2603.01234#community">2</a>
        </article> ...

The data (see ``entries``) is complete; the cards have no authors, and those of a day no abstract or date: a card
becomes a record only if its paper is not in the data. The cards of a search have the abstract in a ``<p>``, with TeX
stripped crudely, and the paper's day; the day above them is that of the capture. ``props`` reads the other data.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document
from parsers._ledger.elements import last_line_of, line_of, text_of
from parsers._ledger.fields import FieldError
from parsers._ledger.lines import heading_rule
from parsers._ledger.page import Page
from parsers.hf_daily.cards import ShownCard, claim_card, find_card, read_card, reject_articles
from parsers.hf_daily.chrome import BOILERPLATE
from parsers.hf_daily.entries import read_entry
from parsers.hf_daily.items import PRINTED_DAY, asked_day, read_day
from parsers.hf_daily.props import day_of, list_entries
from schemas.items import Declared, Item, Record, Reject

EXPECTS: Final = "HTML with the data of 'DailyPapers', or with articles headed by a link to /papers/.."

_DAY = heading_rule("day", 2)

_TARGET: Final = "DailyPapers"
_ISLAND: Final = re.compile(rf"data-target\s*=\s*[\"']?{_TARGET}\b")
_ONE_PAPER: Final = re.compile(r"data-target\s*=\s*[\"']?PaperContent\b")
_CARD_LINK: Final = re.compile(r"<h3[^>]{0,500}>\s{0,200}<a\s[^>]{0,1000}/papers/\d{4}\.")
_HTML = re.compile(r"\s*<")
_DAY_TEXT = re.compile(PRINTED_DAY)


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
    cards = [card for article in articles if (card := find_card(article))]
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
            record = read_card(document, card, day)
            yield record
        claim_card(page, card, record)
    yield from reject_articles(page, articles, cards)


def _read_island(document: Document, page: Page, cards: Mapping[str, ShownCard]) -> Iterator[Item]:
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
