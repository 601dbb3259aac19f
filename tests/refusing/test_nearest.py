"""Which format comes nearest to a document that none recognises."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from parsers._contract import Format
from parsers._ledger.document import Document
from parsers._ledger.lines import record_rule
from parsers._registry import sources
from pipeline.refusing.misfiled import hint_of
from pipeline.refusing.nearest import find_nearest
from schemas.items import Item, Record
from tests.support.bulk import Words
from tests.support.toy import FAIR, NEWS

LINE = record_rule("line")
HAY = json.dumps({"title": "Hay", "event": "E"})


def document(*lines: str) -> Document:
    """Return a text."""
    return Document.from_bytes("barn/a.txt", "\n".join(lines).encode())


def any_line(text: Document) -> Iterator[Item]:
    """Take every line for a title."""
    for number, line in text.lines.texts():
        text.lines.claim(number, LINE)
        yield Record(number, number, title=line)


GREEDY = replace(NEWS, formats=(Format("lines", "titles", lambda _: False, any_line),))


def test_the_words_must_matter() -> None:
    """A format that reads any line is no nearer than one that knows its keys."""
    text = document("Dear Sir,", HAY, HAY.replace("Hay", "Rye"), HAY.replace("Hay", "Oats"))
    assert find_nearest(text, [GREEDY, FAIR]) == (FAIR, FAIR.formats[0])
    assert find_nearest(text, [GREEDY]) is None


def test_half_of_a_document_is_not_near() -> None:
    """What reads only some lines of it is not told."""
    assert find_nearest(document(HAY, "Dear Sir,", "we", "regret"), [FAIR]) is None


def test_the_beginning_shows_what_it_is() -> None:
    """Behind it may be anything: a long document is not read to its end."""
    text = document(*[HAY] * 20_000, *["junk"] * 60_000)
    assert find_nearest(text, [FAIR]) == (FAIR, FAIR.formats[0])


def prose() -> str:
    """Return paragraphs."""
    words = Words()
    return "\n".join(words.paragraph() for _ in range(30))


def names() -> str:
    """Return lists of names below short lines."""
    words = Words()
    return "\n".join(f"{words.title()}\n{', '.join(words.names())}" for _ in range(30))


NO_SOURCE = {
    "prose": prose(),
    "titles and names": names(),
    "a price list": "\n".join(f"Soup {number}  3.50-12.75" for number in range(40)),
    "a table": "| Time | Talk |\n" + "\n".join(f"| {hour}:00 | Talk {hour} |" for hour in range(9, 17)),
    "a page": f"<html><body><p>{prose()}</p></body></html>",
    "a feed": f"<rss><channel><item><title>{prose()}</title></item></channel></rss>",
    "data": json.dumps({"users": [{"name": "Ada Quill", "age": 3}] * 30}),
}


@pytest.mark.parametrize("name", NO_SOURCE)
def test_nothing_is_near_to_what_is_of_no_source(name: str) -> None:
    """No source is named for a text that it would read only by guessing."""
    assert find_nearest(Document.from_bytes("x/dump", NO_SOURCE[name].encode()), sources().values()) is None


def test_a_scrap_does_not_look_like_a_source() -> None:
    """A source that recognises a document, but reads little of it, is no hint."""
    assert hint_of(document("Dear Sir,", HAY, "we regret"), [FAIR]) == ""
    assert hint_of(document(HAY, HAY), [FAIR]) == "; it looks like fair (json lines)"


def test_a_page_that_is_none_of_a_source() -> None:
    """The hint says what it is instead."""
    text = document("<html><title>404 Not Found</title><h1>Not Found</h1></html>")
    assert hint_of(text, [FAIR]) == "; it is a page that says '404 Not Found'"
