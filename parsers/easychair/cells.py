r"""Text dumps that have the cells of the page's tables on one line, or glued to what stands beside them, as Markdown.

```
11:00-12:00 Session 2A: Slicing          or **Session 2A: Slicing**, or no headings at all
| 11:00 | Slicing at scale PRESENTER: Anna Vell ABSTRACT. How to slice. And why. |
11:20  Thin slices SPEAKER: Anna Vell ABSTRACT. How thin?
11:40 | Thick slices ([abstract](2024-04-15.html#talk:64974)) |
| A poster SPEAKER: Anna Vell |
09:20| [J. Spelt](person3.html) and [Ida Pome](person2.html)Fast ovensSPEAKER: [Ida Pome](person2.html)ABSTRACT. ..
```

A whole day may stand on one line, and lines may be wrapped. They are put together, and cut in front of what begins a
line on the page; links to persons say where the authors end. ``text`` reads the lines that this gives.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from parsers._contract import Document
from parsers._dates import DASH
from parsers._lines import Lines
from parsers._renditions import NewLine, cut, unwrapped, width_of
from parsers.easychair.forms import PRESENTER, form_of
from parsers.easychair.markdown import BOILERPLATE, NOTHING_BEHIND, is_view_link, plain, split_authors, unlink
from parsers.easychair.marks import ABSTRACT, MarkKind, find_marks
from parsers.easychair.relined import is_program, parse_relined
from schemas.items import Item

EXPECTS: Final = "a Smart Program as text with each talk in a cell: '| 09:00 | Title PRESENTER: Name ABSTRACT. .. |'"

_CLOCK: Final = r"\d{1,2}:\d{2}"
_CELL: Final = rf"\|\s*{_CLOCK}\s*\|"
_SEAM: Final = re.compile(
    rf"""
    (?=[|0-9SPACLDV\[])                # how all of them begin: a look that spares what begins otherwise
    (?: (?:\|\s{{0,9}})?{_CLOCK}\s{{0,9}}\|                   # the time of a talk
    | (?<![\d(:\[])(?<!\S[ ]){_CLOCK}{DASH}{_CLOCK}(?!\d)  # a session; in prose a blank stands before it
    | (?:SPEAKER|PRESENTER):\s
    | ABSTRACT\.\s
    | (?:Chairs?|Location|Discussants?):\s*(?=\[[^\[\]]*\]\([^()\s]*(?:person|room)\d+\.html\))
    | PROGRAM[ ]FOR[ ](?=[A-Z])
    | Days:\s*(?=\[)
    | View:\s*(?=\[)
    | (?<!\))\[(?:Information|PROGRAM)\]\(
    | \|\s*\[?Disclaimer\b
    | \[Disclaimer\]
    )
    """,
    re.VERBOSE,
)
_TIMED: Final = re.compile(rf"\|?\s*(?P<time>{_CLOCK})(?:\s*\||\s*\Z)\s*")
_TIMED_FREELY: Final = re.compile(rf"\|?\s*(?P<time>{_CLOCK})(?:\s*\||\s+(?!{DASH})|\Z)\s*")
_CLOCKED: Final = re.compile(rf"\[?{_CLOCK}")
_DURATION: Final = re.compile(r"\(abstract\) \d{1,3} min\b")
"""What another program with the same classes prints behind its titles."""
_FEW: Final = 3
_NAMES: Final = frozenset({"AFF", "NAM", "NMS"})
_LABELS: Final = re.compile(r"ABSTRACT\.|SPEAKER:|PRESENTER:")
_BARS: Final = re.compile(r"\A[\s|]*(?:\|[\s|:-]*-{3}[\s|:-]*)?")
_TALK_LINK: Final = re.compile(r"\(\s?\[[^\[\]]{0,200}\]\([^()\s]{0,2000}#talk:(\d+)\)")
_ROOM_LINK: Final = re.compile(r"\[(?:\\.|[^\[\]\\]){0,500}\]\([^()\s]{0,2000}room\d+\.html\)")
_LABELLED: Final = re.compile(r"\|\s*(?:\|\s*)?[^|\s\d].*?\s(?:ABSTRACT\.|SPEAKER:|PRESENTER:)")
_HEADING: Final = re.compile(rf"\[?{_CLOCK}{DASH}{_CLOCK}")
_LABEL: Final = re.compile(r"(?!Location)[^\W\d_]+(?: [^\W\d_]+)?:")
_ON_ONE_LINE: Final = re.compile(rf"(?m:^.*?{_CELL}.*?{_CELL})")
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""


def recognise(document: Document) -> bool:
    """Say whether among the first lines more talks stand in cells than on lines of their own.

    Or several in one line; or it is Markdown with links; or none stands alone, and it was wrapped.
    """
    lines = document.lines
    last = min(lines.last, _LOOKED_AT)
    kinds = [mark.kind for mark in find_marks(lines, last)]
    untimed = sum(_LABELLED.match(text) is not None for _, text in lines.texts(1, last))
    cells, talks = kinds.count(MarkKind.ROW) + untimed, kinds.count(MarkKind.TALK)
    is_markdown = "](" in document.text and any(is_view_link(text) for _, text in lines.texts(1, last))
    if not (cells > talks or is_markdown or _ON_ONE_LINE.search(document.text) or (not talks and width_of(lines))):
        return False
    return is_program(document, islice(_lines(lines), _LOOKED_AT))


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the lines that the cells give.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    lines = document.lines
    found = list(_lines(lines))
    _refuse(document, found)
    yield from parse_relined(document, found, BOILERPLATE)
    for number, _ in lines.texts():
        lines.claim_boilerplate(number, BOILERPLATE)


def _refuse(document: Document, found: Sequence[NewLine]) -> None:
    """Raise the error for cells in which titles cannot be told from what stands beside them."""
    texts = [line.text for line in found if line.text]
    glued = [
        above
        for above, below in pairwise(texts)
        if (said := PRESENTER.fullmatch(below)) and said["name"] in above and form_of(above) not in _NAMES
    ]
    timed = [text for text in texts if _DURATION.search(text)]
    if len(glued) >= _FEW or len(timed) >= _FEW:
        expected = f"authors and titles in parts of their own, found {(glued or timed)[0][:80]!r}"
        advice = "save the page as HTML, or extract it with its links"
        raise document.error(document.lines.first_text_line, "declined", f"expected {expected}: {advice}")


def _lines(lines: Lines) -> Iterator[NewLine]:
    """Yield the lines of the page as they would stand alone."""
    width = width_of(lines)
    whole = (
        unwrapped(lines, width) if width else (NewLine((number,), lines[number]) for number in range(1, lines.last + 1))
    )
    above, is_set_off = "", False
    for line in whole:
        is_set_off = is_set_off or not line.text.strip()
        is_labelled = _LABELS.search(line.text) is not None
        for part in cut([line], _SEAM):
            for piece in _pieces(part, above, is_labelled=is_labelled):
                # Markdown sets off every heading and time: only what stands between text says anything.
                if is_set_off and not (width or _CLOCKED.match(piece.text) or _CLOCKED.match(above)):
                    yield NewLine()
                yield piece
                above, is_set_off = piece.text or above, False


def _pieces(line: NewLine, above: str, *, is_labelled: bool) -> Iterator[NewLine]:
    """Yield what stands in one cell, each piece on a line of its own; texts are set off by blank lines.

    A time without a bar is that of a talk where a label stands on its line; else it is a point of an agenda. Extractors
    lose the words ``Chair:`` and ``Location:``: links of people, or of a room, below a heading say as much.
    """
    timed = _TIMED_FREELY.match(line.text) if is_labelled else _TIMED.match(line.text)
    if timed is not None:
        yield NewLine(line.numbers, timed["time"])
        text = line.text[timed.end() :]
    else:
        text = _BARS.sub("", line.text, count=1)
    bare = text.rstrip(" |:-")
    text = (bare if "---" in text[len(bare) :] else text.rstrip(" |")).strip()
    authors, rest = split_authors(text)
    if authors:
        alone = timed is None and rest in NOTHING_BEHIND
        label = "Chair: " if alone and (_HEADING.match(above) or _LABEL.fullmatch(above)) else ""
        yield NewLine(line.numbers, f"{label}{', '.join(authors)}")
        text = "" if alone else rest
    elif above != "Location:" and _ROOM_LINK.fullmatch(text):
        text = f"Location: {text}"
    if text.startswith(ABSTRACT):
        yield NewLine()
        for paragraph in text.split("  "):
            if paragraph.strip():
                yield NewLine(line.numbers, unlink(paragraph).strip())
                yield NewLine()
    elif any(map(str.isalnum, text)):
        linked = _TALK_LINK.search(text)
        yield NewLine(line.numbers, plain(text).strip(), linked[1] if linked else None)
