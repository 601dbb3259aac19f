"""Text dumps that have a whole talk on one line, as extractors print the row of a table; also with Markdown in it.

```
**Session 2A: Slicing**
| 11:00 | Slicing at scale PRESENTER: Anna Vell ABSTRACT. How to slice. And why. |
11:20  Thin slices SPEAKER: Anna Vell ABSTRACT. How thin?
11:40 | Thick slices ([abstract](2024-04-15.html#talk:64974)) |
```

Authors are not printed, nor sessions, but for a bold line in some; the paragraphs of an abstract are glued together.
Dumps with lines of their own for time, authors and title are read by ``text``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from parsers._contract import Document
from parsers._dates import clock
from parsers._lines import Furniture, heading_rule, record_rule
from parsers._programme import event_of, resolve_year
from parsers.easychair.blocks import ABSTRACT
from parsers.easychair.headings import read_title, read_years
from parsers.easychair.items import PrintedSession, PrintedTalk, Setting, session_talks
from parsers.easychair.marks import FURNITURE, MarkKind, find_marks
from parsers.easychair.text import claim_title, find_day_lines, set_day
from schemas.items import Item, Reject

EXPECTS: Final = "a Smart Program as text with each talk on one line: '| 09:00 | Title PRESENTER: Name ABSTRACT. .. |'"

_ROW: Final = re.compile(r"\|?\s*(?P<time>\d{1,2}:\d{2})(?:\s*\||\s+(?![-–])|\Z)\s*(?P<rest>.*)")
_BOLD: Final = re.compile(r"\*\*(?P<title>[^*|]{1,500})\*\*")
_LINK: Final = re.compile(r"\[([^\[\]()]{0,500})\]\(([^()\s]{0,2000})\)")
_TALK_LINK: Final = re.compile(r"\(\[[^\[\]]{0,200}\]\([^()\s]{0,2000}#talk:(\d+)\)\)")
_PRESENTER: Final = re.compile(r"(?:\A|\s)(?:SPEAKER|PRESENTER):(?:\s+|\Z)")
_MARKDOWN: Final = Furniture(
    {
        "views_markdown": r"View(?: this program)?: ?(?:\[(?:with abstracts|session overview|talk overview"
        r"|side by side with other conferences)\]\([^()\s]*\)[ |]*)+",
    }
)
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""

_TALK: Final = record_rule("talk")
_SESSION: Final = heading_rule("session", 3)


def recognise(document: Document) -> bool:
    """Say whether among the first lines more talks stand on one line than on several."""
    lines = document.lines
    kinds = [mark.kind for mark in find_marks(lines, min(lines.last, _LOOKED_AT))]
    return kinds.count(MarkKind.ROW) > kinds.count(MarkKind.TALK) and MarkKind.SESSION not in kinds


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of a page in page order."""
    lines = document.lines
    marks = find_marks(lines)
    title = claim_title(lines, marks)
    days = find_day_lines(document, marks)
    printed = [day for day in days.values() if day is not None]
    year = resolve_year(document, printed, read_years(title, document.facts.url, printed))
    event, notes = event_of(document, title.partition(": ")[0] or None, None, year)
    base = setting = Setting(event=event, notes=notes)
    talks: list[PrintedTalk] = []
    bold: tuple[int, str] | None = None
    for number, text in ((0, ""), *lines.texts()):
        row = _ROW.match(text)
        heading = _BOLD.fullmatch(text)
        if number in days or heading is not None:
            yield from _emit(document, bold, talks, setting)
            talks, bold = [], (number, heading["title"].strip()) if heading is not None else None
        if number in days:
            setting, reject = set_day(lines, days[number], year, base)
            yield from filter(None, [reject])
        elif row is not None:
            talks.append(_read_row(number, row))
        if number and row is None and heading is None:
            lines.claim_furniture(number, FURNITURE) or lines.claim_furniture(number, _MARKDOWN)
    yield from _emit(document, bold, talks, setting)


def _read_row(number: int, row: re.Match[str]) -> PrintedTalk:
    """Read a talk from its line."""
    rest = row["rest"].strip().removesuffix("|").strip()
    named = _TALK_LINK.search(rest)
    head, _, abstract = _LINK.sub(r"\1", rest).partition(ABSTRACT)
    title, *presenters = _PRESENTER.split(head)
    return PrintedTalk(
        line_start=number,
        line_end=number,
        starts=clock(row["time"]),
        title=title.strip() or None,
        presenter=next((stripped for name in presenters if (stripped := name.strip())), None),
        paragraphs=(abstract.strip(),) if abstract.strip() else (),
        native_id=named[1] if named is not None else None,
    )


def _emit(
    document: Document, bold: tuple[int, str] | None, talks: Sequence[PrintedTalk], setting: Setting
) -> Iterator[Item]:
    """Claim talks and the bold line above them; yield a record for each that is one and a reject for each other."""
    lines = document.lines
    session = None
    if bold is not None and talks:
        lines.claim(bold[0], _SESSION)
        code, title = read_title(bold[1])
        starts = talks[0].starts  # of a session without times only the day is used
        session = PrintedSession(line_start=bold[0], line_end=bold[0], title=title or None, code=code, starts=starts)
    for talk, record in zip(talks, session_talks(session, talks, setting), strict=True):
        number = talk.line_start or 0
        detail = "expected a time of day HH:MM" if talk.starts is None else "expected a title or an abstract"
        if talk.starts is None or not (talk.title or talk.paragraphs):
            yield Reject(number, number, lines[number], "incomplete_item", detail)
        else:
            lines.claim(number, _TALK)
            yield record
