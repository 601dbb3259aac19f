"""Text dumps of an alphaXiv topic feed: one text per line, and nothing else of a paper but sometimes a count below it.

Invented lines::

    fluid-dynamics                                          (the topic)
    We fill tanks with foam and watch what happens to ...   (abstract or overview: the page does not say)
    1,204                                                   (a count, of the text above)
    A group at Mole Harbour shows that ...
    There are no more papers matching your filters at the moment.

Titles, authors, identifiers and dates are not printed and so do not appear here.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, heading_rule, record_rule
from schemas.items import Item, Record

EXPECTS: Final = (
    "text with a topic such as 'fluid-dynamics' above abstracts of one line each, or the feed's closing line"
)

BOILERPLATE: Final = Boilerplate(
    {
        "end_of_feed": r"(?:[-•*] +)?There are no more papers matching your filters at the moment\.?",
        "loading": r"(?:Loading(?: more papers)?(?:\.\.\.|…)?|Load more)",
    }
)

_TEXT = record_rule("text")
_COUNT = record_rule("count")
_TOPIC = heading_rule("topic", 0)

_SLUG = re.compile(r"[a-z0-9]+(?:[-.][A-Za-z0-9]+)*")
_NUMBER = re.compile(r"\d{1,9}|\d{1,3}(?:,\d{3}){1,2}")
_BULLET = re.compile(r"[-•*] +(?=\S)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_END: Final = "There are no more papers matching your filters"
_PROBED: Final = 2_000
_LONGEST_COUNT: Final = 11
_LONGEST_TOPIC: Final = 100
_SURELY_TEXT: Final = 120
_SENTENCE_ENDS: Final = (".", "!", "?", "…", ".)", '."', ".'", ".”", "*")


def recognise(document: Document) -> bool:
    """True if there is a topic above a paragraph, or the closing line at the end.

    A feed has a text a line: where blank lines part the paragraphs, a word above them is no topic.
    """
    if _END in document.text[-_PROBED:]:
        return True
    if _BLANK_LINE.search(document.text[:_PROBED].strip()):
        return False
    texts = document.lines.texts()
    _, topic = next(texts, (0, ""))
    _, paragraph = next(texts, (0, ""))
    topic, paragraph = _BULLET.sub("", topic, count=1), _BULLET.sub("", paragraph, count=1)
    return len(topic) <= _LONGEST_TOPIC and bool(_SLUG.fullmatch(topic)) and _is_text(paragraph)


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each text, in page order, with the count directly below it."""
    lines = document.lines
    card: tuple[int, str] | None = None  # a text whose count may be the next line
    begun = False
    for number, line in lines.texts():
        text = _BULLET.sub("", line, count=1) if line[0] in "-•*" else line
        count = int(text.replace(",", "")) if len(text) <= _LONGEST_COUNT and _NUMBER.fullmatch(text) else None
        if card is not None:
            end = card[0] if count is None else number
            yield _record(card, end, count)
            card = None
            if count is not None:
                lines.claim(number, _COUNT)
                continue
        if lines.claim_boilerplate(number, BOILERPLATE):
            continue
        if _is_text(text):
            lines.claim(number, _TEXT)
            card = (number, text)
        elif not begun and count is None and len(text) <= _LONGEST_TOPIC and _SLUG.fullmatch(text):
            lines.claim(number, _TOPIC)
        begun = True
    if card is not None:
        yield _record(card, card[0])


def _record(card: tuple[int, str], end: int, count: int | None = None) -> Record:
    """Make the record of a text: the authors' abstract or an overview."""
    start, body = card
    return Record(start, end, abstract=body, engagement=count, notes=("abstract_or_summary",))


def _is_text(text: str) -> bool:
    """True if a line looks like a paragraph: long, or a sentence of eight words."""
    if len(text) >= _SURELY_TEXT:
        return text.count(" ", 0, 2_000) >= 8
    return text.endswith(_SENTENCE_ENDS) and text.count(" ") >= 7
