"""Pages of Hugging Face papers as Markdown, as reader services make it: each title is a heading with a link.

Invented lines; the page of a day names the submitters of papers, that of a search has abstracts and the papers' days::

    Mar 6                                                           (the day of the page: of the listing, or today)

    [Submitted by ![](x.png) quill](/quill)

    24                                                              (upvotes; a hyphen if there are none)

    ### [Foam in Large Tanks](https://huggingface.co/papers/2603.01234)

    We fill tanks with foam and watch what happens to ...           (not on the page of a day)

      * 5 authors
      * ·
      * Sep 26                                                      (the day of the paper)

    [ 2](/papers/2603.01234#community)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from parsers._grammar.renditions import joined
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, heading_rule, left_out_rule, record_rule
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
from schemas.items import Item

EXPECTS: Final = "Markdown with headings that are links to /papers/.."

_CARD = record_rule("card")
_LINK_OF_CARD = left_out_rule("link")  # to who submitted the paper, an organisation, a repository
_DAY = heading_rule("day", 2)

_PROBED: Final = 20_000
_TITLE = re.compile(
    r"#{1,6} +\[(?P<title>\S.*)\]\(\S{0,300}/papers/(?P<id>\d{4}\.\d{4,5}|[\w.-]{1,80})(?:\s\"[^\"]*\")?\)"
)
_ANY_TITLE = re.compile(rf"^{_TITLE.pattern}", re.MULTILINE)
_PART_OF_LINK = re.compile(r"#{1,6} +\[(?!.*\]\()")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)")
_BULLET = re.compile(r"(?:[*+•-] +)+(?=\S)")
_HEADING = re.compile(r"#{1,6} +")
_OPEN_LINK = re.compile(r"\]\([^()\s]*\)|\[(?=[^\[\]]*$)")  # of a link on several lines
_ONLY_LINKS = re.compile(  # and parts of links on several lines
    r"(?:!?\[++[^\[\]]*+|(?>[^\[\]]*\]+\([^()\s]*(?:\)|$))|^[^()\[\]\s]*+\)(?=\]\()|\s++)*+"
)
_AROUND: Final = Boilerplate(
    {
        "links": r"(?:[*+-] +)?(?:!?\[[^\[\]]{0,100}\]\([^()\s]{0,500}\) ?)+",
        "underline": r"[=-]{3,}",
        "reader_header": r"(?:Title|URL Source|Published Time): .{1,300}|Markdown Content:",
    }
)
_OF_ANY_CARD: Final = frozenset(("submitter", "number", "no_upvotes"))  # they may begin the next card
_COUNT = re.compile(COUNT)
_DAY_LINE = re.compile(rf"(?:· ?)?({PRINTED_DAY})")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!~<>|-])")
_TYPED = re.compile(r"(?<!\\)(?:\\\\)*\\[a-zA-Z]")  # unescaped TeX: letters are never escaped
_ESCAPED_TYPED = re.compile(r"\\\\[a-zA-Z]")
_FEWEST_WORDS: Final = 8
_LONGEST_NAME: Final = 100


@dataclass(slots=True)
class _Card:
    """A card whose title has been read; ``end`` is its last line so far."""

    start: int
    end: int
    title: str
    paper_id: str
    upvotes: int | None
    published_on: date | None = None
    abstract: list[str] = field(default_factory=list)


def recognise(document: Document) -> bool:
    """True if a heading is a link to a paper."""
    head = document.text[:_PROBED]
    return "](" in head and not document.is_markup and _ANY_TITLE.search(head) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each heading that is a link to a paper, in page order."""
    cards: list[_Card] = []
    shown_on: date | None = None
    above: tuple[int, str] = (0, "")
    for number, end, text in _paragraphs(document):
        plain = _plain(text)
        if title := _TITLE.fullmatch(text):
            document.lines.claim_span(number, end, _CARD)
            upvotes = read_count(above[1]) if _COUNT.fullmatch(above[1]) else None
            name = _unescape(title["title"], document)
            cards.append(_Card(number, end, name, title["id"], upvotes))
        elif not cards and (day_line := _DAY_LINE.fullmatch(plain)):
            shown_on = read_day(day_line[1], document.facts)
            document.lines.claim(number, _DAY)
        elif not cards or not _read_inside(document, cards[-1], number, text, plain):
            _claim_around(document, number, text, plain)
        above = number, plain
    is_listing = not any(card.abstract for card in cards)
    day = (shown_on if is_listing else None) or asked_day(document.facts)
    for card in cards:
        yield make_record(
            line_start=card.start,
            line_end=card.end,
            title=card.title,
            paper_id=card.paper_id,
            abstract=" ".join(card.abstract) or None,
            listed_on=day,
            published_on=card.published_on,
            upvotes=card.upvotes,
        )


def _paragraphs(document: Document) -> Iterator[tuple[int, int, str]]:
    """Yield the lines with their first and last number: a heading whose link is wrapped is one line."""
    held: tuple[int, str] | None = None
    for number, line in document.lines.texts():
        start, text = (held[0], joined(held[1], line)) if held else (number, line)
        held = (start, text) if _PART_OF_LINK.match(text) and number - start < 5 else None
        if held is None:
            yield start, number, text
    if held is not None:
        yield held[0], document.lines.last, held[1]


def _plain(text: str) -> str:
    """Return a line without links, bullets and heading marks."""
    if "](" in text:
        text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _OPEN_LINK.sub("", text)
    return _HEADING.sub("", _BULLET.sub("", " ".join(text.split()), count=1), count=1).strip()


def _unescape(text: str, document: Document) -> str:
    """Return a title as the page shows it; double backslashes are unescaped only if the dump escapes all of them."""
    text = _LINK.sub(r"\1", text)
    if "\\" not in text:
        return text
    escapes_all = document.once(_escapes_all)
    return _ESCAPED.sub(lambda found: found[0] if found[1] == "\\" and not escapes_all else found[1], text)


def _escapes_all(document: Document) -> bool:
    """True if all backslashes of a dump are escaped."""
    return _ESCAPED_TYPED.search(document.text) is not None and _TYPED.search(document.text) is None


def _read_inside(document: Document, card: _Card, number: int, text: str, plain: str) -> bool:
    """Read a line below a title; True if it belongs to this card or to the beginning of the next one."""
    is_prose = plain.count(" ") >= _FEWEST_WORDS or (bool(card.abstract) and number == card.end + 1)  # wrapped
    if is_prose and card.published_on is None and not text.startswith(("[", "!", "#", "* ", "- ")):
        card.abstract.append(_unescape(text, document))
        card.end = number
    elif found := _DAY_LINE.fullmatch(plain):
        card.published_on = card.published_on or read_day(found[1], document.facts)
        card.end = number
    elif rule := IN_CARD.rule(plain):
        card.end = card.end if rule.name in _OF_ANY_CARD else number
    elif plain and not _is_link(text, plain):
        return False
    document.lines.claim(number, _LINK_OF_CARD if plain and _is_link(text, plain) and not is_prose else _CARD)
    return True


def _is_link(text: str, plain: str) -> bool:
    """True if a line is nothing but links with short texts, or part of one: a submitter, a repository."""
    return "](" in text and len(plain) <= _LONGEST_NAME and _ONLY_LINKS.fullmatch(_BULLET.sub("", text)) is not None


def _claim_around(document: Document, number: int, text: str, plain: str) -> None:
    """Claim a line above the first card: menus, page name, submitter and upvotes of the first paper."""
    if plain and (IN_CARD.rule(plain) or "Submitted by" in plain):
        document.lines.claim(number, _CARD)
        return
    is_claimed = any(document.lines.claim_boilerplate(number, lines) for lines in (BOILERPLATE, _AROUND))
    if not is_claimed and _is_link(text, plain):  # or part of one, such as the picture of the first paper
        document.lines.claim(number, _CARD)
