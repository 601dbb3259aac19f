"""Text dumps of day pages and index pages, line by line.

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
lines or speakers is read the same way. One made from table cells has ``|11:00``, no blank lines and no headings. The
order of lines is in ``grammar``, the making of records in ``items``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from parsers._grammar.builder import Block, SessionGroup, TalkGroup, TextLedger, build
from parsers._grammar.states import Step
from parsers._ledger.document import Document, Facts
from parsers._ledger.lines import Boilerplate, Lines, heading_rule
from parsers._words.dates import clock, make_date
from parsers._words.text import People
from parsers._words.years import Day, event_of, resolve_year
from parsers.easychair.grammar import POINT, PRESENTER, clocked_form, facts_of, form_of, read, set_off
from parsers.easychair.headings import (
    ABSTRACT,
    BOILERPLATE,
    LOOKED_AT,
    URL_DAY,
    Mark,
    MarkKind,
    marks_at_head,
    marks_of,
    read_day,
    read_interval,
    read_label,
    read_title,
    read_years,
    without_agendas,
)
from parsers.easychair.items import PrintedSession, PrintedTalk, Setting, people_of, session_record, session_talks
from schemas.items import Item, Reject

_OTHER_PAGE: Final = re.compile(
    r"(?:.{0,200}: )?(?:SESSION|TALK) VIEW|(?:[A-Z]+ ){0,3}INDEX|(?:ROOM|PERSON)S?[: ].{0,200}"
)
_LONGEST_EMPTY: Final = 10
_EMPTY: Final = Boilerplate({"empty_cell": rf"[\W_]{{1,{_LONGEST_EMPTY}}}"})
_SHORT: Final = 20
_STRANGE: Final = 2.0
"""The least price per line on a page of another program."""
_CLOSING: Final = re.compile(r"[^()]*\)")
_CLOCKED: Final = frozenset({MarkKind.SESSION, MarkKind.TALK})

_TITLE: Final = re.compile(r"[^:]{1,80}: \S")
_INDEX_TITLE: Final = re.compile(r"[A-Z0-9][\w'’&+ –-]{0,80} PROGRAM(?:ME)?")
_NAMED_DAY: Final = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?:\.[a-z]{1,8}){1,3}")
"""The end of the name of a day page, and of a dump of it: ``cave-2026-06-17.html``, ``oat-2026-06-17.txt``."""

_PAGE_TITLE: Final = heading_rule("page_title", 1)
_DAY: Final = heading_rule("day", 2)
_BEGINS_ITEM: Final = frozenset((MarkKind.SESSION, MarkKind.TALK, MarkKind.ROW))
"""The marks that end the lines above the sessions."""


def recognise(document: Document) -> bool:
    """True if the structural lines of a Smart Program are among the first lines of the document."""
    lines = document.lines
    marks = document.once(marks_at_head)
    kinds = {mark.kind for mark in marks}
    words = {mark.text.partition(" ")[0] for mark in marks if mark.kind is MarkKind.BOILERPLATE}
    if MarkKind.PROGRAM_VIEW in kinds or words & {"View:", "Disclaimer", "Powered"}:
        return True
    if MarkKind.TALK in kinds and any(
        form_of(text) in {"ABP", "ABS", "PRL", "PRS"} for _, text in lines.texts(1, min(lines.last, LOOKED_AT))
    ):
        return True
    return MarkKind.SESSION in kinds and bool(kinds & {MarkKind.DAY, MarkKind.TALK})


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of a day page or index page.

    Raises ``DumpError``: declined for a page of the source without a programme.
    """
    lines = document.lines
    found = marks_of(document)
    _refuse(document, found)
    title = _claim_title(lines, found)
    settings, rejects = _set_days(document, found, title)
    yield from rejects
    for mark in found:
        if mark.kind not in _BEGINS_ITEM:
            lines.claim_boilerplate(mark.line, BOILERPLATE)
    ledger = TextLedger(lines, BOILERPLATE)
    days = [(setting, blocks, _read(blocks)) for setting, blocks in _days(lines, found, settings)]
    yield from _judge(document, [step.price for _, _, steps in days for step in steps])
    for setting, blocks, steps in days:
        for part in build(blocks, steps, ledger):
            yield from [part] if isinstance(part, Reject) else _items(part, setting, lines)


def _read(blocks: list[Block]) -> list[Step]:
    """Read the lines of a day. If hardly any talk has authors, a line with the presenter's name is taken as authors."""
    forms = [block.form for block in blocks]
    facts = facts_of(forms)
    if facts.nobody:
        presenters = {
            place: found["name"] for place, block in enumerate(blocks) if (found := PRESENTER.match(block.text))
        }
        for place, name in presenters.items():
            if place > 2 and name and forms[place - 3] == "TIM" and name in blocks[place - 2].text:
                forms[place - 2] = "AUT"
    return read(forms, facts)


def _judge(document: Document, prices: Sequence[int]) -> Iterator[Reject]:
    """Yield a reject if the lines fit the grammar badly. Raises ``DumpError`` (declined) if they do not fit it.

    In a short text a line or two that fit nowhere prove nothing.
    """
    price = sum(prices) / max(1, len(prices))
    first = document.lines.first_text_line
    told = f"expected lines that fit the layout (price 0.0 to 0.2 each), found {price:.2f} on average"
    if len(prices) >= _SHORT and price > _STRANGE:
        raise document.error(first, "declined", f"{told}: the layout may be a different one; save the page as HTML")
    if len(prices) >= _SHORT and 2 * price > _STRANGE:
        text = document.lines[first].strip()
        yield Reject(None, None, text, "layout_doubtful", f"{told}: check with parse --lines")


def _refuse(document: Document, marks: list[Mark]) -> None:
    """Raise ``DumpError`` (declined) for a page without a programme."""
    first = next((mark.line for mark in marks if mark.kind in _BEGINS_ITEM), document.lines.last + 1)
    for number, text in document.lines.texts(1, min(first - 1, LOOKED_AT)):
        if len(text) < 500 and _OTHER_PAGE.fullmatch(text):
            raise document.error(number, "declined", f"expected a day page or index page, found {text!r}")
    kinds = {mark.kind for mark in marks}
    if not kinds & {MarkKind.SESSION, MarkKind.TALK}:
        raise document.error(document.lines.first_text_line, "declined", "expected sessions or talks, found none")


def _days(lines: Lines, marks: list[Mark], settings: dict[int, Setting]) -> Iterator[tuple[Setting, list[Block]]]:
    """Yield the lines of each day with its setting; lines above the first item are left out."""
    clocked = {mark.line: mark.kind for mark in marks if mark.kind in _CLOCKED}
    agendas = clocked.keys() - {mark.line for mark in without_agendas(lines, marks)}
    first = min(clocked, default=lines.last + 1)
    above_first = lines.texts(1, first - 1)
    first = next((number for number, text in above_first if text.startswith("**") and form_of(text) == "BLD"), first)
    setting = settings[max(line for line in settings if line < first)]
    blocks: list[Block] = []
    for number, text in lines.texts(first):
        if number in settings:
            yield setting, blocks
            setting, blocks = settings[number], []
        if lines.rule_of(number) is not None or (
            len(text) <= _LONGEST_EMPTY and lines.claim_boilerplate(number, _EMPTY)
        ):
            continue
        above = blocks[-1] if blocks else None
        if above is not None and above.last == number - 1 and _closes(above, text):
            blocks[-1] = above._replace(text=f"{above.text} {text}", last=number, form=form_of(f"{above.text} {text}"))
            continue
        if number in agendas:
            form = "AGN"
        elif number in clocked:
            form = clocked_form(text, is_session=clocked[number] is MarkKind.SESSION)
        else:
            below = number == lines.last or not lines[number + 1].strip()
            form = set_off(form_of(text), above=not lines[number - 1].strip(), below=below)
        blocks.append(Block(text, form, number, number))
    yield setting, blocks


def _closes(above: Block, text: str) -> bool:
    """True if a line closes the bracket of an affiliation that was opened on the line above it."""
    return bool(_CLOSING.match(text)) and above.text.count("(") > above.text.count(")") and ":" not in above.text


def _items(part: SessionGroup, setting: Setting, lines: Lines) -> Iterator[Item]:
    """Yield the records of a session: its talks, or itself if it has none."""
    talks = [_talk(talk, lines) for talk in part.talks]
    heading = next(iter(part.of("title")), None)
    if heading is None:
        yield from session_talks(None, talks, setting)
        return
    session = _session(part, heading, lines)
    if heading.form == "BLD":
        if talks:
            yield from session_talks(replace(session, starts=talks[0].starts), talks, setting)
        return
    own = next((place for place, talk in enumerate(talks) if not _belongs(talk, talks[:place], session)), len(talks))
    if own and all(talk.starts == session.ends for talk in talks[own:]):  # no other session goes on below
        own = len(talks)
    listed = own or (part.withheld and not session.is_break)  # a break owns no talk, whatever is below it
    if session.starts is None or session.ends is None:
        expected = "expected two times of day HH:MM-HH:MM"
        yield Reject(heading.first, heading.last, heading.text, "invalid_value", expected)
    elif session.title is None and session.code is None:
        if not talks:
            yield Reject(heading.first, heading.last, heading.text, "incomplete_item", "expected a title")
    elif not listed:
        yield session_record(session, setting)
    yield from session_talks(session, talks[:own], setting)
    yield from session_talks(None, talks[own:], replace(setting, notes=(*setting.notes, "heading_unread")))


def _belongs(talk: PrintedTalk, above: Sequence[PrintedTalk], session: PrintedSession) -> bool:
    """True if a talk can belong to the session above it; otherwise the heading of its own session is lost.

    If time goes back, or the session ended before the talk began, another session begins.
    """
    if session.is_break:
        return False
    if session.starts is None or session.ends is None or talk.starts is None:
        return True
    if session.ends <= session.starts:
        return True
    return talk.starts < session.ends and (not above or above[-1].starts is None or above[-1].starts <= talk.starts)


def _session(part: SessionGroup, heading: Block, lines: Lines) -> PrintedSession:
    """Read the heading of a session and the details below it."""
    if heading.form == "BLD":
        code, title = read_title(heading.text.strip("*").strip())
        return PrintedSession(line_start=heading.first, line_end=heading.last, title=title or None, code=code)
    interval = read_interval(heading.text)
    if interval is None:
        raise ValueError(f"line {heading.first} is no session heading")
    room = next((_behind_label(block.text) for block in part.of("room")), None)
    return PrintedSession(
        line_start=heading.first,
        line_end=part.span[1],
        title=interval.title or None,
        code=interval.code,
        starts=interval.starts,
        ends=interval.ends,
        is_break=interval.glued and interval.code is None,
        chairs=people_of(_behind_label(block.text) for block in part.of("chair")),
        room=room,
        description=tuple(_point(block, lines) for block in part.of("description")),
    )


def _talk(part: TalkGroup, lines: Lines) -> PrintedTalk:
    """Read a talk."""
    start, end = part.span
    times, entries = part.of("time"), part.of("entry")
    names = [
        found["name"] if (found := PRESENTER.fullmatch(block.text)) else block.text for block in part.of("speaker")
    ]
    presenters = list(dict.fromkeys(name for name in names if name))
    authors = people_of(block.text for block in part.of("authors"))
    title = entries[0].text if entries else None
    is_glued = title is not None and any(name in title for name in presenters)
    paragraphs = [block.text.removeprefix(ABSTRACT).strip() for block in part.of("abstract")]
    return PrintedTalk(
        line_start=start,
        line_end=end,
        starts=clock(times[0].text.lstrip("| ")) if times else None,
        authors=authors if authors.people or not is_glued else People(notes=("authors_uncertain",)),
        title=title,
        presenter=", ".join(presenters) or None,
        paragraphs=(*paragraphs, *(_point(block, lines) for block in part.of("paragraph"))),
    )


def _behind_label(text: str) -> str:
    """Return the text after the label of a line, all of it if it has none."""
    found = read_label(text)
    return found[1] if found is not None and found[1] else text


def _point(block: Block, lines: Lines) -> str:
    """Return a paragraph without the bullet that an extractor put before it: such a line is indented."""
    line = lines[block.first or 0]
    found = POINT.match(line) if line[:1].isspace() else None
    return block.text if found is None else line[found.end() :].strip()


def _claim_title(lines: Lines, marks: list[Mark]) -> str:
    """Claim the title of the page, ``ACRONYM: NAME``, and return it; empty if there is none.

    Also claims the title of the index of one of several joint conferences, ``OAT PROGRAM``.
    """
    marked = {mark.line for mark in marks}
    first = next((mark.line for mark in marks if mark.kind in _BEGINS_ITEM), lines.last + 1)
    title = ""
    for number, text in lines.texts(1, first - 1):
        name = text.partition(": ")[2] or text
        if number in marked or name != name.upper():
            lines.claim_boilerplate(number, BOILERPLATE)
            continue
        if not title and _TITLE.match(text):
            title = text
            lines.claim(number, _PAGE_TITLE)
        elif _INDEX_TITLE.fullmatch(text):
            lines.claim(number, _PAGE_TITLE)
    return title


def _set_days(document: Document, marks: list[Mark], title: str) -> tuple[dict[int, Setting], list[Reject]]:
    """Claim the day headings of a page; return the setting from each line on, and rejects of days that do not exist.

    The setting above the first day is that of line 0. The year is the one that agrees with all days.
    """
    days = _find_day_lines(document, marks)
    printed = [day for day in days.values() if day is not None]
    year = resolve_year(document, printed, read_years(title, document.facts.url, printed), [title])
    document.calls_itself.update(filter(None, [title]))
    event, notes = event_of(document, title.partition(": ")[0] or None, None, year)
    if 0 in days and document.facts.url is None and document.facts.year is None:
        notes = (*notes, "year_inferred")  # from the path
    settings = {0: Setting(event=event, notes=notes)}
    rejects: list[Reject] = []
    for line, day in days.items():
        settings[line] = settings[0] if day is None else settings[0].on(day, year)
        if "date_invalid" in settings[line].notes:
            rejects.append(Reject(line, line, document.lines[line], "date_invalid", "expected a day that exists"))
        elif day is not None and line:
            document.lines.claim(line, _DAY)
    return settings, rejects


def _find_day_lines(document: Document, marks: list[Mark]) -> Mapping[int, Day | None]:
    """Return the line and day of each day heading; None for a day section without a readable heading.

    The day links of an index page look like headings and precede the first one: of consecutive lines the last is a
    heading if it is the only one or repeats or precedes an earlier one, else all are links.
    """
    days: dict[int, Day | None] = {}
    run: list[Day] = []
    for mark in marks:
        printed = read_day(mark.text) if mark.kind is MarkKind.DAY else None
        if printed is not None:
            run.append(Day(mark.line, printed.month, printed.day, printed.weekday, printed.year))
            if printed.is_title:
                days[mark.line] = run.pop()
        elif mark.kind is not MarkKind.BOILERPLATE:
            if run and (len(run) == 1 or _is_repeated(run)):
                days[run[-1].line] = run[-1]
            elif run or mark.kind is MarkKind.PROGRAM_VIEW:
                days[mark.line] = None
            run = []
    # Day sections without headings mean an index page, whose dump can have any name.
    if not any(days.values()) and (document.facts.url or not days) and (named := _named_day(document)) is not None:
        days[0] = named
    return days


def _named_day(document: Document) -> Day | None:
    """Return the day in the address of the page, else in the name of the dump unless it is the day of the capture."""
    facts = document.facts
    found = _NAMED_DAY.search(document.path) if facts.url is None else URL_DAY.search(facts.url)
    day = make_date(*(int(part) for part in found.groups())) if found is not None else None
    if day is None or (facts.url is None and _contradicts(facts, day)):
        return None
    return Day(0, day.month, day.day, None, day.year)


def _contradicts(facts: Facts, day: date) -> bool:
    """True if the day in the name of a dump is that of the capture, or its year is not that of the sidecar."""
    return (facts.captured_at is not None and facts.captured_at.date() == day) or facts.year not in (None, day.year)


def _is_repeated(run: list[Day]) -> bool:
    """True if the last day of a run of day lines is not after all others."""
    last = run[-1]
    return any((day.month, day.day) >= (last.month, last.day) for day in run[:-1])
