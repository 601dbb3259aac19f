"""Text dumps of day pages and index pages.

```
CM2024: 18TH INVENTED CONFERENCE ON TOAST
PROGRAM FOR MONDAY, APRIL 15TH
10:30-11:00Coffee Break
11:00-12:30 Session 2A: Slicing
11:00
Anna Vell (Quill Institute, Norland)
Slicing at scale
(blank)
ABSTRACT. How to slice.
```

An index page prints several days (``Wednesday, June 16th``) and no abstracts. A dump that has lost its menus, author
lines or speakers reads the same way. One made from table cells has ``|11:00``, no blank lines and no headings. How
lines are told apart does not belong here (``marks``, ``details``, ``talks``), nor what makes a record (``items``).
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from parsers._contract import Document
from parsers._lines import Lines, Rule, heading_rule, record_rule
from parsers.easychair.blocks import ABSTRACT, opens_text
from parsers.easychair.groups import Group, read_groups
from parsers.easychair.items import session_record, session_talks
from parsers.easychair.marks import BOILERPLATE, Mark, MarkKind, find_marks, without_agendas
from parsers.easychair.people import PageHabits
from parsers.easychair.tops import BEGINS_ITEM, claim_title, set_days
from schemas.items import Declared, Item, Reject

_OTHER_PAGE: Final = re.compile(
    r"(?:.{0,200}: )?(?:SESSION|TALK) VIEW|(?:[A-Z]+ ){0,3}INDEX|(?:ROOM|PERSON)S?[: ].{0,200}"
)
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""

_SESSION: Final = heading_rule("session", 3)
_DETAIL_LEVEL: Final = 5
_TALK: Final = record_rule("talk")
_ITEM: Final = record_rule("programme_item")


def recognise(document: Document) -> bool:
    """Look for the structural lines of a Smart Program in the first lines of the document."""
    lines = document.lines
    marks = find_marks(lines, min(lines.last, _LOOKED_AT))
    kinds = {mark.kind for mark in marks}
    words = {mark.text.partition(" ")[0] for mark in marks if mark.kind is MarkKind.BOILERPLATE}
    if MarkKind.PROGRAM_VIEW in kinds or words & {"View:", "Disclaimer", "Powered"}:
        return True
    if MarkKind.TALK in kinds and any(opens_text(text) for _, text in lines.texts(1, min(lines.last, _LOOKED_AT))):
        return True
    return MarkKind.SESSION in kinds and bool(kinds & {MarkKind.DAY, MarkKind.TALK})


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of a day page or index page.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    lines = document.lines
    marks = without_agendas(lines, find_marks(lines))
    _refuse(document, marks)
    title = claim_title(lines, marks)
    settings, rejects = set_days(document, marks, title)
    yield from rejects
    for mark in marks:
        lines.claim_boilerplate(mark.line, BOILERPLATE)
    for group in read_groups(lines, marks, settings, _habits(document, marks)):
        yield from emit(lines, group)


def _refuse(document: Document, marks: list[Mark]) -> None:
    """Raise the error for a page that is no programme."""
    first = next((mark.line for mark in marks if mark.kind in BEGINS_ITEM), document.lines.last + 1)
    for number, text in document.lines.texts(1, min(first - 1, _LOOKED_AT)):
        if len(text) < 500 and _OTHER_PAGE.fullmatch(text):
            raise document.error(number, "declined", f"expected a day page or index page, found {text!r}")
    kinds = {mark.kind for mark in marks}
    if not kinds & {MarkKind.SESSION, MarkKind.TALK}:
        raise document.error(document.lines.first_text_line, "declined", "expected sessions or talks, found none")


def _habits(document: Document, marks: list[Mark]) -> PageHabits:
    """Find out whether the talks of the page usually have a line above their title, and an abstract."""
    lines = document.lines
    talks = [mark.line for mark in marks if mark.kind is MarkKind.TALK and mark.line + 2 <= lines.last]
    marked = {mark.line for mark in marks}
    above = sum(
        bool(text := lines[line + 2].strip()) and line + 2 not in marked and not opens_text(text) for line in talks
    )
    lacking = len(talks) - document.text.count(f"\n{ABSTRACT}")
    return PageHabits(
        document.text, prints_authors=2 * above >= len(talks), prints_abstracts=20 * lacking <= len(talks)
    )


def emit(lines: Lines, group: Group) -> Iterator[Item]:
    """Claim the lines of a session and its talks; yield their records and rejects in page order."""
    items: list[Item] = list(group.rejects)
    if group.session is not None and group.details is not None:
        heading = group.session.line_start or 0
        if group.fault is not None:
            items.append(Reject(heading, heading, lines[heading], "invalid_value", group.fault))
        elif group.has_talks:
            lines.claim(heading, _SESSION)
        elif group.session.title is None and group.session.code is None:
            items.append(Reject(heading, heading, lines[heading], "incomplete_item", "expected a title"))
        else:
            lines.claim(heading, _ITEM)
            items.append(session_record(group.session, group.setting))
        _claim_details(lines, group)
    items += _emit_talks(lines, group)
    yield from sorted(items, key=_first_line)


def _claim_details(lines: Lines, group: Group) -> None:
    """Claim chairs, room and description: the record's own lines where the session is one, else headings.

    Each detail has a level of its own, so that one does not end what the one above it governs.
    """
    numbers = group.details.numbers if group.details is not None else []
    for place, number in enumerate(numbers):
        lines.claim(number, _detail_rule(_DETAIL_LEVEL + place) if group.has_talks or group.fault else _ITEM)


def _emit_talks(lines: Lines, group: Group) -> Iterator[Item]:
    """Claim the lines of the talks; yield a record for each that is one and a reject for each that is not."""
    talks = [entry.talk for entry in group.entries]
    for entry, record in zip(group.entries, session_talks(group.session, talks, group.setting), strict=True):
        start, end = entry.talk.line_start or 0, entry.talk.line_end or 0
        if entry.fault is not None:
            yield Reject(start, end, lines.text(start, end), "incomplete_item", entry.fault)
            continue
        lines.claim(start, _TALK)
        for part in entry.lines.parts:
            for number in part.numbers:
                lines.claim(number, _TALK)
        yield record


@cache
def _detail_rule(level: int) -> Rule:
    """Make the rule of one detail of a session."""
    return heading_rule("session_detail", level)


def _first_line(item: Item) -> int:
    """Return where an item begins, for sorting."""
    return (item.line if isinstance(item, Declared) else item.line_start) or 0
