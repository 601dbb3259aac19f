"""Text dumps of programs that look like a Smart Program: titles of talks stand below an interval and end in minutes.

```
MEETING OF OVENS 2026
PROGRAM AUTHORS KEYWORDS Search
OAT | RYE | Full Program                        the events, one of which ends the heading of each session
PROGRAM FOR SUNDAY, 26 JULY 2026
10:30-12:30 Flour RYE
Location: B2.03
10:30-10:54
Slow Milling (abstract) 24 min
Anna Vell1, Boris T. Wexley1,2
1 Moor College, University of Rye
(blank)
ABSTRACT. Flour is ground.
```

What days and sessions look like does not belong here (``tops``, ``groups``): they are those of every text dump.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from parsers._contract import Document
from parsers._lines import Boilerplate, Lines, heading_rule
from parsers.easychair.abstracts import Spacing, read_abstract
from parsers.easychair.blocks import ABSTRACT, NOTHING, make_part, next_text
from parsers.easychair.groups import Entry, Group, belongs, read_session
from parsers.easychair.headings import IntervalLine, read_interval
from parsers.easychair.items import PrintedTalk, Setting
from parsers.easychair.marks import BOILERPLATE, Mark, MarkKind, find_marks
from parsers.easychair.people import NOBODY, People
from parsers.easychair.talks import TalkLines
from parsers.easychair.text import emit
from parsers.easychair.tops import claim_title, set_days
from schemas.items import Item, Person

EXPECTS: Final = "the text of a program that looks like a Smart Program: '09:00-09:20', then 'Title (abstract) 20 min'"

_TITLED: Final = re.compile(r"(?P<title>\S.*?)(?: \((?i:abstract)\))? \d{1,3} (?:min|h(?:ours?)?)(?: \d{1,2} min)?\.?")
_PLACE: Final = re.compile(r"(?P<number>\d{1,2}) (?P<place>[^\W\d_].*)")
_NAME: Final = re.compile(r"(?P<name>[^\d,]+?)\s*(?P<numbers>\d{1,2}(?:,\d{1,2})*)?(?:,\s+|\Z)")
_TOP: Final = Boilerplate(
    {
        "spaced_menu": r"PROGRAM(?: [A-Z]+)+(?: Search)?",
        "events": r"[\w&/'’.+-]{1,60}(?: [\w&/'’.+-]{1,60}){0,3}(?: \| \S[^|]{0,60})+",
    }
)
_OWN_TITLE: Final = re.compile(r"(?P<event>\S.{0,60}) — PROGRAM(?: FOR .{1,60})?")
_FOOT: Final = Boilerplate(
    {
        "credits": r"(?:Designed|Developed)(?: and Developed)? by [^|]{1,80}(?:\| ?Copyright \d{4} [^|]{1,80})?",
    }
)
_SYMBOL: Final = Boilerplate({"symbol": r"[^\w\s|]{1,3}"})
_PAGE_TITLE: Final = heading_rule("page_title", 1)
_LOOKED_AT: Final = 600
"""How many lines ``recognise`` reads."""
_NO_TITLE: Final = "expected a title and its duration below the interval of a talk"


def recognise(document: Document) -> bool:
    """Say whether most of the intervals that stand alone in the first lines are above a title with a duration."""
    lines = document.lines
    alone = [mark.line for mark in find_marks(lines, min(lines.last, _LOOKED_AT)) if _is_talk(mark)]
    titled = sum(_title_below(lines, number) is not None for number in alone)
    return 2 * titled > len(alone)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of a page in page order."""
    lines = document.lines
    foot = [Mark(number, MarkKind.BOILERPLATE, text) for number, text in lines.texts() if _FOOT.rule(text) is not None]
    marks = [*find_marks(lines, foot[-1].line if foot else None), *foot[-1:]]
    first = next((mark.line for mark in marks if mark.kind in (MarkKind.DAY, MarkKind.SESSION)), lines.last + 1)
    title, events = _claim_top(lines, first)
    title = claim_title(lines, marks) or title
    settings, rejects = set_days(document, marks, title)
    yield from rejects
    for group in _read_groups(lines, marks, settings, events):
        yield from emit(lines, group)
    for number, _ in lines.texts():  # what nobody has claimed as something else
        any(lines.claim_boilerplate(number, boilerplate) for boilerplate in (BOILERPLATE, _FOOT, _SYMBOL))


def _claim_top(lines: Lines, first: int) -> tuple[str, tuple[str, ...]]:
    """Claim title, menu and events above line ``first``; return the title and the events, the longest first."""
    title, above = "", 0
    events: list[str] = []
    for number, text in lines.texts(1, first):
        if own := _OWN_TITLE.fullmatch(text):
            lines.claim(number, _PAGE_TITLE)
            events.append(own["event"])
        elif lines.claim_boilerplate(number, _TOP):
            if "|" in text:
                events += text.split(" | ")
            elif above:
                title = lines[above].strip()
                lines.claim(above, _PAGE_TITLE)
        above = number
    return title, tuple(sorted(events, key=len, reverse=True))


def _read_groups(
    lines: Lines, marks: Sequence[Mark], settings: Mapping[int, Setting], events: Sequence[str]
) -> Iterator[Group]:
    """Yield the sessions of a page with their talks."""
    group = Group(settings[0])
    for mark, following in pairwise((*marks, Mark(lines.last + 1, MarkKind.BOILERPLATE, ""))):
        stop = following.line - 1
        if mark.line in settings:
            yield group
            group = Group(settings[mark.line])
        if mark.kind is MarkKind.SESSION and not _is_talk(mark):
            yield group
            group = _part_event(_read_session(lines, mark, stop, group.setting), events)
        elif mark.kind is MarkKind.SESSION:
            entry = _read_talk(lines, mark.line, stop, read_interval(mark.text))
            if not belongs(entry, group):
                yield group
                group = Group(group.setting)
            group.entries.append(entry)
    yield group


def _is_talk(mark: Mark) -> bool:
    """Say whether a line is an interval and nothing else."""
    interval = read_interval(mark.text) if mark.kind is MarkKind.SESSION else None
    return interval is not None and interval.code is None and not interval.title


def _title_below(lines: Lines, number: int) -> re.Match[str] | None:
    """Match the title of a talk and its duration, below its interval."""
    return _TITLED.fullmatch(lines[number + 1].strip()) if number < lines.last else None


def _read_session(lines: Lines, mark: Mark, stop: int, setting: Setting) -> Group:
    """Read a session; all that stands below its details is free text, unless a talk there has lost its interval."""
    below = [text for _, text in lines.texts(mark.line + 1, stop)]
    is_whole = not any(text.startswith(ABSTRACT) or _TITLED.fullmatch(text) for text in below)
    return read_session(lines, mark, stop, setting, rows=is_whole)


def _part_event(group: Group, events: Sequence[str]) -> Group:
    """Part the event of a session, which ends its heading, from the title."""
    session = group.session
    if session is None or session.title is None:
        return group
    for event in events:
        title = session.title[: -len(event)]
        if session.title.casefold().endswith(f" {event.casefold()}") and title.strip():
            printed = session.title[len(title) :]
            return replace(group, session=replace(session, title=title.strip(), track=printed))
    return group


def _read_talk(lines: Lines, number: int, stop: int, interval: IntervalLine | None) -> Entry:
    """Read a talk from its interval on: title, authors with raised numbers, the places these refer to, abstract."""
    title = _title_below(lines, number)
    found: list[tuple[int, str]] = []
    line = number + 2
    while title is not None and line <= stop and (text := lines[line].strip()) and not text.startswith(ABSTRACT):
        if found and not _PLACE.fullmatch(text):
            break
        found.append((line, text))
        line += 1
    abstract, opening = NOTHING, next_text(lines, line, stop)
    if title is not None and opening <= stop and lines[opening].strip().startswith(ABSTRACT):
        abstract, _ = read_abstract(lines, opening, stop, spacing=Spacing.FULL)
    parts = TalkLines(
        authors=make_part(found), title=make_part([(number + 1, title["title"])] if title else []), abstract=abstract
    )
    starts = interval.starts if interval is not None else None
    talk = PrintedTalk(
        line_start=number,
        line_end=max((place for part in parts.parts for place in part.numbers), default=number),
        starts=starts,
        ends=interval.ends if interval is not None else None,
        authors=_read_people([text for _, text in found]),
        title=title["title"] if title is not None else None,
        paragraphs=abstract.texts,
    )
    fault = _NO_TITLE if title is None else "expected two times of day HH:MM-HH:MM" if starts is None else None
    return Entry(talk, parts, fault)


def _read_people(texts: Sequence[str]) -> People:
    """Read names with raised numbers, and the places that stand below them; nobody where the names are lost."""
    places = {place["number"]: place["place"] for text in texts if (place := _PLACE.fullmatch(text))}
    if not texts or _PLACE.fullmatch(texts[0]):
        return NOBODY
    people = []
    for found in _NAME.finditer(texts[0]):
        numbers = (found["numbers"] or "").split(",")
        affiliation = "; ".join(places[number] for number in numbers if number in places)
        people.append(Person(found["name"].strip(), affiliation or None))
    return People(tuple(people))
