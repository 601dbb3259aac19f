"""Text dumps that have a whole talk on one line, as extractors print the row of a table; also with Markdown in it.

```
11:00-12:00 Session 2A: Slicing          or **Session 2A: Slicing**, or no headings at all
Location: Great Hall
| 11:00 | Slicing at scale PRESENTER: Anna Vell ABSTRACT. How to slice. And why. |
11:20  Thin slices SPEAKER: Anna Vell ABSTRACT. How thin?
11:40 | Thick slices ([abstract](2024-04-15.html#talk:64974)) |
| A poster SPEAKER: Anna Vell |
```

Authors are printed only as links; the paragraphs of an abstract are glued together. Dumps with lines of their own for
time, authors and title are read by ``text``.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from parsers._contract import Document
from parsers._dates import clock
from parsers._lines import Lines
from parsers.easychair.blocks import ABSTRACT, make_part
from parsers.easychair.details import DetailLines
from parsers.easychair.groups import Entry, Group, belongs, read_session
from parsers.easychair.headings import read_title
from parsers.easychair.items import PrintedSession, PrintedTalk, Setting
from parsers.easychair.markdown import BOILERPLATE as MARKDOWN
from parsers.easychair.markdown import begins_with_author, is_view_link, plain_lines, split_authors, unlink
from parsers.easychair.marks import BOILERPLATE, Mark, MarkKind, find_marks
from parsers.easychair.people import People, read_people
from parsers.easychair.talks import TalkLines
from parsers.easychair.text import emit
from parsers.easychair.tops import claim_title, set_days
from schemas.items import Item

EXPECTS: Final = "a Smart Program as text with each talk on one line: '| 09:00 | Title PRESENTER: Name ABSTRACT. .. |'"

_ROW: Final = re.compile(r"\|?\s*(?P<time>\d{1,2}:\d{2})(?:\s*\||\s+(?![-\u2010-\u2015\u2212])|\Z)\s*(?P<rest>.*)")
_BARRED: Final = re.compile(r"\|?\s*\d{1,2}:\d{2}\s*\|")
_AGENDA: Final = re.compile(r"\d{1,2}:\d{2}\s+(?!.*(?:\||ABSTRACT\.|SPEAKER:|PRESENTER:))\S.*")
_UNTIMED: Final = re.compile(r"\|\s*(?:\|\s*)?(?P<rest>[^|\s].*)")
_LABELLED: Final = re.compile(r"\|\s*(?:\|\s*)?[^|\s\d].*?\s(?:ABSTRACT\.|SPEAKER:|PRESENTER:)")
_GLUED: Final = re.compile(r"\d{1,2}:\d{2}[-\u2010-\u2015\u2212]\d{1,2}:\d{2} .*?\S(?=\d{1,2}:\d{2}\|\s)")
"""The heading of a session to which the first row of its table is glued."""
_GLUED_PEOPLE: Final = People(notes=("authors_uncertain",))
_EMPTY_CELL: Final = re.compile(r"\|\s*\|\s*[^|\s]")
_BOLD: Final = re.compile(r"\*\*(?P<title>[^*|]{1,500})\*\*")
_TALK_LINK: Final = re.compile(r"\(\[[^\[\]]{0,200}\]\([^()\s]{0,2000}#talk:(\d+)\)\)")
_PRESENTER: Final = re.compile(r"(?<!LOUD)(?:SPEAKER|PRESENTER):(?:\s+|\Z)")
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""


def recognise(document: Document) -> bool:
    """Say whether among the first lines more talks stand on one line than on several; or none, and it is Markdown."""
    lines = document.lines
    last = min(lines.last, _LOOKED_AT)
    kinds = [mark.kind for mark in find_marks(lines, last)]
    untimed = sum(_LABELLED.match(text) is not None for _, text in lines.texts(1, last))
    rows, talks = kinds.count(MarkKind.ROW) + untimed, kinds.count(MarkKind.TALK)
    is_markdown = "](" in document.text and any(is_view_link(text) for _, text in lines.texts(1, last))
    return rows > talks or (is_markdown and not talks)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of a page in page order."""
    lines, bare = document.lines, Lines("\n".join(plain_lines(document.text)))
    marks = [_unglued(mark) for mark in find_marks(bare)]
    title = claim_title(lines, marks)
    settings, rejects = set_days(document, marks, title)
    yield from rejects
    for number, _ in lines.texts():
        lines.claim_boilerplate(number, BOILERPLATE) or lines.claim_boilerplate(number, MARKDOWN)
    for group in _read_groups(lines, bare, marks, settings):
        yield from emit(lines, group)


def _unglued(mark: Mark) -> Mark:
    """Return the heading of a session without a row that is glued to it."""
    found = _GLUED.match(mark.text) if mark.kind is MarkKind.SESSION else None
    return mark if found is None else replace(mark, text=found[0])


def _read_groups(lines: Lines, bare: Lines, marks: Sequence[Mark], settings: Mapping[int, Setting]) -> Iterator[Group]:
    """Yield the sessions of a page with their talks; ``bare`` are the lines without Markdown."""
    sessions = {mark.line: mark for mark in marks if mark.kind is MarkKind.SESSION}
    begins = [*_find_begins(lines, sessions, settings), (lines.last + 1, None)]
    group = Group(settings[0])
    for (number, found), (following, _) in pairwise(begins):
        if number in settings:
            yield group
            group = Group(settings[number])
        if number in sessions and found is None:
            yield group
            group = read_session(bare, sessions[number], following - 1, group.setting, rows=True)
        elif found is not None and found.re is _BOLD:
            yield from _with_talks(group)
            group = _read_bold(number, found["title"].strip(), group.setting)
        elif found is not None:
            entry = _read_row(lines, number, found)
            if not _is_of(entry, group):
                yield group
                group = Group(group.setting)
            group.entries.append(entry)
    yield from _with_talks(group)


def _find_begins(
    lines: Lines, sessions: Container[int], settings: Container[int]
) -> Iterator[tuple[int, re.Match[str] | None]]:
    """Yield the lines that begin a day, a session, a talk, and boilerplate; with its match one that is a row or bold.

    A talk without a time shows itself only below the heading of a session, or by an empty cell. Where the cells of the
    page have bars, what has neither bar nor label is a point of an agenda.
    """
    is_below = False
    has_bars = any(_BARRED.match(text) for _, text in lines.texts())
    for number, text in lines.texts():
        if number in sessions or number in settings:
            yield number, None
            is_below = number in sessions
            if is_below and (glued := _GLUED.match(text)) is not None:
                yield number, _ROW.match(text[glued.end() :])
        elif lines.rule_of(number) is not None:
            yield number, None
        elif has_bars and _AGENDA.fullmatch(text):
            continue
        elif found := _ROW.match(text) or _BOLD.fullmatch(text) or _match_untimed(text, is_below=is_below):
            yield number, found


def _match_untimed(text: str, *, is_below: bool) -> re.Match[str] | None:
    """Match a talk without a time; ``is_below`` the heading of a session."""
    return _UNTIMED.match(text) if is_below or _EMPTY_CELL.match(text) else None


def _read_bold(number: int, text: str, setting: Setting) -> Group:
    """Read a session that is a bold line; what stands below it is not known to be its own."""
    code, title = read_title(text)
    session = PrintedSession(line_start=number, line_end=number, title=title or None, code=code)
    return Group(setting, session, DetailLines())


def _with_talks(group: Group) -> Iterator[Group]:
    """Yield a group, unless it is a bold line without talks, which may be anything; its time is that of its talks."""
    session = group.session
    if session is None or session.ends is not None or group.fault is not None:
        yield group
    elif group.entries:
        yield replace(group, session=replace(session, starts=group.entries[0].talk.starts))


def _is_of(entry: Entry, group: Group) -> bool:
    """Say whether a talk is one of the session above it, where time goes on; else the heading of its own is lost."""
    session, starts = group.session, entry.talk.starts
    if session is None or session.starts is None or session.ends is None or starts is None:
        return belongs(entry, group)
    above = [other.talk.starts for other in group.entries if other.talk.starts is not None]
    goes_on = session.ends <= session.starts or not above or above[-1] <= starts < session.ends
    return goes_on and belongs(entry, group)


def _read_row(lines: Lines, number: int, row: re.Match[str]) -> Entry:
    """Read a talk from its line; where its authors stand on lines of their own, from those too."""
    more: list[tuple[int, str]] = []
    while number + len(more) < lines.last and begins_with_author(text := lines[number + len(more) + 1].strip()):
        more.append((number + len(more) + 1, text))
    rest = " ".join((row["rest"].strip(), *(text for _, text in more))).removesuffix("|").strip()
    starts = clock(row["time"]) if row.re is _ROW else None
    named = _TALK_LINK.search(rest)
    authors, rest = split_authors(rest)
    head, _, abstract = unlink(rest).partition(ABSTRACT)
    title, *presenters = _PRESENTER.split(head)
    names = list(dict.fromkeys(stripped for name in presenters if (stripped := name.strip())))
    talk = PrintedTalk(
        line_start=number,
        line_end=number + len(more),
        starts=starts,
        authors=read_people(authors) if authors or not any(name in title for name in names) else _GLUED_PEOPLE,
        title=title.strip() or None,
        presenter=", ".join(names) or None,
        paragraphs=(abstract.strip(),) if abstract.strip() else (),
        native_id=named[1] if named is not None else None,
    )
    fault = None if talk.title or talk.paragraphs else "expected a title or an abstract"
    fault = "expected a time of day HH:MM" if starts is None and row.re is _ROW else fault
    return Entry(talk, TalkLines(authors=make_part(more)), fault)
