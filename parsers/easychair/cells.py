r"""Text dumps that have the cells of the page's tables on one line, or glued to what stands beside them, as Markdown.

```
| 09:00-10:00 Session 1: Heat Chair:  [Anna Vell](person1.html)   | --- | --- | | 09:00 | [Ida Pome](person2.html) Slow
ovens  SPEAKER: [Ida Pome](person2.html)  ABSTRACT. How slow? | | 09:20 | ..

09:20| [J. Spelt](person3.html) and [Ida Pome](person2.html)Fast ovensSPEAKER: [Ida Pome](person2.html)ABSTRACT. ..
```

Such lines are cut in front of what begins a line on the page, and what was wrapped is put together; links to persons
say where the authors end. ``text`` reads the lines that this gives.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._contract import Document
from parsers._lines import Lines
from parsers._renditions import NewLine, cut, unwrapped, width_of
from parsers.easychair.markdown import BOILERPLATE, plain, split_authors, unlink
from parsers.easychair.relined import is_program, parse_relined
from schemas.items import Item

EXPECTS: Final = "a Smart Program as Markdown, with talks in cells such as '| 09:00 | [Name](person1.html) Title'"

_CLOCK: Final = r"\d{1,2}:\d{2}"
_DASH: Final = r"[-\u2010-\u2015\u2212]"
_CELL: Final = rf"\|\s*{_CLOCK}\s*\|"
_SEAM: Final = re.compile(
    rf"""
      \|?\s*{_CLOCK}\s*\|                                       # the time of a talk
    | (?<![\d(:])(?<!\S[ ]){_CLOCK}{_DASH}{_CLOCK}(?!\d)        # a session; in prose a blank stands before an interval
    | (?:SPEAKER|PRESENTER):\s
    | ABSTRACT\.\s
    | (?:Chairs?|Location|Discussants?):\s*(?=\[[^\[\]]*\]\([^()\s]*(?:person|room)\d+\.html\))
    | (?<=\))\s*PROGRAM[ ]FOR[ ](?=[A-Z])
    | \s(?=Days:\s*\[)
    | View:\s*(?=\[)
    | (?<!\))\[(?:Information|PROGRAM)\]\(
    | \|\s*\[?Disclaimer\b
    | \[Disclaimer\]
    """,
    re.VERBOSE,
)
_TIMED: Final = re.compile(rf"\|?\s*(?P<time>{_CLOCK})\s*\|\s*")
_BARS: Final = re.compile(r"\A[\s|]*(?:\|[\s|:-]*-{3}[\s|:-]*)?")
_END: Final = re.compile(r"[\s|]*(?:\|\s*:?-{3,}:?\s*)*[\s|]*\Z")
_TALK_LINK: Final = re.compile(r"\(\[[^\[\]]{0,200}\]\([^()\s]{0,2000}#talk:(\d+)\)\)")
_PERSON: Final = re.compile(r"\]\([^()\s]{0,2000}person\d+\.html\)")
_ROW: Final = re.compile(rf"(?:{_CELL}|(?m:^{_CLOCK}\s?\|))")
_ON_ONE_LINE: Final = re.compile(rf"(?m:^.*?{_CELL}.*?{_CELL})")
_FEW: Final = 3


def recognise(document: Document) -> bool:
    """Say whether cells with times stand beside links to persons, several on one line, or in wrapped text."""
    text = document.text
    if "person" not in text or len(_ROW.findall(text)) < _FEW or len(_PERSON.findall(text)) < _FEW:
        return False
    if _ON_ONE_LINE.search(text) is None and width_of(document.lines) is None:
        return False
    return is_program(document, _lines(document.lines))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the lines that the cells give.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    lines = document.lines
    yield from parse_relined(document, list(_lines(lines)), BOILERPLATE)
    for number, _ in lines.texts():
        lines.claim_boilerplate(number, BOILERPLATE)


def _lines(lines: Lines) -> Iterator[NewLine]:
    """Yield the lines of the page as they would stand alone."""
    width = width_of(lines)
    whole = unwrapped(lines, width) if width else (NewLine((number,), text) for number, text in lines.texts())
    for line in cut(whole, _SEAM):
        yield from _pieces(line)


def _pieces(line: NewLine) -> Iterator[NewLine]:
    """Yield what stands in one cell, each piece on a line of its own; texts are set off by blank lines."""
    timed = _TIMED.match(line.text)
    if timed is not None:
        yield NewLine(line.numbers, timed["time"])
        text = line.text[timed.end() :]
    else:
        text = _BARS.sub("", line.text, count=1)
    text = _END.sub("", text)
    authors, rest = split_authors(text)
    if authors:
        yield NewLine(line.numbers, ", ".join(authors))
        text = rest
    if text.startswith("ABSTRACT."):
        yield NewLine()
        for paragraph in text.split("  "):
            if paragraph.strip():
                yield NewLine(line.numbers, unlink(paragraph).strip())
                yield NewLine()
    elif text.strip():
        yield NewLine(line.numbers, plain(text).strip())
