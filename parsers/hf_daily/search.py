"""Text dumps of a search on Hugging Face papers: title and abstract, sometimes with a footer. No ids, no author names.

Invented lines::

    Daily Papers
    byAK and the research community
    Jul 30                                  (the day of the capture, not of the papers)

    Foam in Large Tanks

    We fill tanks with foam and watch what happens to ...

      • 6 authors                           (or an organisation: ``MoleLab Mole Lab``)
    ·
    Sep 26 4                                (day of the paper, then the number of comments)

One extractor prints no blank lines and glues ``Subscribe`` to the first title.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.lines import heading_rule, left_out_rule, record_rule
from parsers.hf_daily.items import BOILERPLATE, PRINTED_DAY, make_record, read_day, without_button
from schemas.items import Item, Reject

EXPECTS: Final = "text with 'Get trending papers ..' or 'Daily Papers' above pairs of title and abstract"

_PAPER = record_rule("paper")
_FOOTER = record_rule("footer")
_LEFT_OUT = left_out_rule("organisation")
_PAGE_DAY = heading_rule("page_day", 0)

_PROBED: Final = 20_000
_MARKS = re.compile(
    r"^ {0,8}(?:Get trending papers in your email inbox|(?:by ?AK )?and the research community$|byAK\b|Daily Papers$)",
    re.MULTILINE,
)
_LINKED_TITLE = re.compile(r"^#{1,6} +\[[^\]]{1,500}\]\(\S{0,100}/papers/", re.MULTILINE)
_AUTHOR_COUNT = re.compile(r"(?:[•*-]\s+)?\d{1,5} authors?")
_DAY_LINE = re.compile(rf"(?:[•*-]\s+)?(?:·\s*)?(?P<day>{PRINTED_DAY})(?:\s+(?P<comments>\d{{1,5}}))?")
_ORGANISATION = re.compile(r"(?:[•*-]\s+)?[\w.-]{1,60} \S.{0,120}")
_LETTER = re.compile(r"[^\W\d_]")

_SURELY_ABSTRACT: Final = 220  # characters: titles are shorter
_LONGEST_FOOTER: Final = 200


@dataclass(slots=True)
class _Paper:
    """A paper whose abstract has been read; its footer may follow."""

    start: int
    end: int
    title: str
    abstract: str
    published_on: date | None = None
    has_people: bool = False
    is_complete: bool = False


def recognise(document: Document) -> bool:
    """True if the head of the text has the marks of the page, and its titles are not links, as in Markdown."""
    head = document.text[:_PROBED]
    return _MARKS.search(head) is not None and _LINKED_TITLE.search(head) is None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each title with its abstract, in page order."""
    lines = document.lines
    paper: _Paper | None = None
    titles: list[tuple[int, str]] = []  # lines since the last abstract that may be titles
    begun = False
    texts = [*lines.texts(), (0, "")]
    for (number, text), (_, below) in pairwise(texts):
        if _is_abstract(text) and (_has_title(titles) or not _is_title_above(text, below)):
            yield from _finish(paper)
            title = _choose_title(titles) if titles else None
            yield from _reject_titles(document, [other for other in titles if other is not title])
            paper = _begin(document, title, number, text) if title is not None else None
            if paper is None:
                yield _reject(document, number, "expected a title above the abstract")
            titles, begun = [], True
        elif lines.claim_boilerplate(number, BOILERPLATE):
            if text == "·" and paper is not None:
                titles = _claim_organisation(document, paper, titles)
        elif len(text) > _LONGEST_FOOTER or not _read_footer(document, number, text, paper, titles):
            if begun or not _DAY_LINE.fullmatch(text):
                titles.append((number, text if begun else without_button(text)))
            else:
                lines.claim(number, _PAGE_DAY)
    yield from _finish(paper)
    yield from _reject_titles(document, titles)


def _is_abstract(text: str) -> bool:
    """True if a line is an abstract, not a title: long, a sentence of a dozen words, or several sentences."""
    if len(text) >= _SURELY_ABSTRACT:
        return True
    words = text.count(" ") + 1
    return (words >= 12 and text[-1] in ".!…") or (words >= 18 and ". " in text)


def _has_title(lines: list[tuple[int, str]]) -> bool:
    """True if there may be a title among the lines: lines without letters are counts of the cards nearby."""
    return any(_LETTER.search(text) for _, text in lines)


def _is_title_above(text: str, below: str) -> bool:
    """True if a seeming short abstract is a title of several sentences: the next line is an abstract."""
    return len(text) < _SURELY_ABSTRACT and bool(below) and _is_abstract(below)


def _choose_title(lines: list[tuple[int, str]]) -> tuple[int, str]:
    """Return the title among the lines above an abstract: the last one, if possible with a letter.

    The others are stray lines, or the title of an abstract that is lost.
    """
    return next((line for line in reversed(lines) if _LETTER.search(line[1])), lines[-1])


def _begin(document: Document, title: tuple[int, str], number: int, abstract: str) -> _Paper:
    """Claim the two lines of a paper."""
    document.lines.claim(title[0], _PAPER)
    document.lines.claim(number, _PAPER)
    return _Paper(title[0], number, title[1], abstract)


def _read_footer(
    document: Document, number: int, text: str, paper: _Paper | None, titles: list[tuple[int, str]]
) -> bool:
    """Read a line of the footer below an abstract; True if it was one."""
    if paper is None or paper.is_complete:
        return False
    if not titles and not paper.has_people and _AUTHOR_COUNT.fullmatch(text):
        paper.has_people = True
    elif found := _DAY_LINE.fullmatch(text):
        titles[:] = _claim_organisation(document, paper, titles)
        paper.published_on = read_day(found["day"], document.facts)
        paper.is_complete = True
    else:
        return False
    paper.end = number
    document.lines.claim(number, _FOOTER)
    return True


def _claim_organisation(document: Document, paper: _Paper, titles: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Claim the one line between abstract and dot as the organisation; return the lines that are still unexplained."""
    if len(titles) != 1 or paper.has_people or paper.is_complete or not _ORGANISATION.fullmatch(titles[0][1]):
        return titles
    document.lines.claim(titles[0][0], _LEFT_OUT)
    paper.has_people = True
    paper.end = titles[0][0]
    return []


def _finish(paper: _Paper | None) -> Iterator[Item]:
    """Yield the record of a paper whose footer, if any, has been read."""
    if paper is not None:
        yield make_record(
            line_start=paper.start,
            line_end=paper.end,
            title=paper.title,
            abstract=paper.abstract,
            published_on=paper.published_on,
        )


def _reject_titles(document: Document, titles: list[tuple[int, str]]) -> Iterator[Reject]:
    """Reject the lines in the place of a title that have no abstract below."""
    for number, _ in titles:
        yield _reject(document, number, "expected an abstract below the title")


def _reject(document: Document, number: int, detail: str) -> Reject:
    """Make the reject of one line."""
    return Reject(number, number, document.lines[number], "incomplete_item", detail)
