"""The lines above the sessions of a text dump: the title of the page, its menus, the headings of its days.

```
CM2024: 18TH INVENTED CONFERENCE ON TOAST
InformationPROGRAMINDEXES
PROGRAM FOR MONDAY, APRIL 15TH            or, on an index page, Wednesday, June 16th
```

Reading a day does not belong here (``headings``), nor classifying lines (``marks``).
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from parsers._ledger.document import Document, Facts
from parsers._ledger.lines import Lines, heading_rule
from parsers._words.dates import make_date
from parsers._words.years import Day, Year, date_of, event_of, resolve_year
from parsers.easychair.headings import URL_DAY, read_day, read_years
from parsers.easychair.items import Setting
from parsers.easychair.marks import BOILERPLATE, Mark, MarkKind
from schemas.items import Reject

_TITLE: Final = re.compile(r"[^:]{1,80}: \S")
_INDEX_TITLE: Final = re.compile(r"[A-Z0-9][\w'’&+ –-]{0,80} PROGRAM(?:ME)?")
_NAMED_DAY: Final = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?:\.[a-z]{1,8}){1,3}")
"""The end of the name of a day page, and of a dump of it: ``cave-2026-06-17.html``, ``oat-2026-06-17.txt``."""

_PAGE_TITLE: Final = heading_rule("page_title", 1)
_DAY: Final = heading_rule("day", 2)
BEGINS_ITEM: Final = frozenset((MarkKind.SESSION, MarkKind.TALK, MarkKind.ROW))
"""The marks that end the lines above the sessions."""


def claim_title(lines: Lines, marks: list[Mark]) -> str:
    """Claim the title of the page, ``ACRONYM: NAME``, and return it; empty if there is none.

    Also claims the title of the index of one of several joint conferences, ``OAT PROGRAM``.
    """
    marked = {mark.line for mark in marks}
    first = next((mark.line for mark in marks if mark.kind in BEGINS_ITEM), lines.last + 1)
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


def set_days(document: Document, marks: list[Mark], title: str) -> tuple[dict[int, Setting], list[Reject]]:
    """Claim the day headings of a page; return the setting from each line on, and rejects of days that do not exist.

    The setting above the first day is that of line 0. The year is the one that agrees with all days.
    """
    days = _find_day_lines(document, marks)
    printed = [day for day in days.values() if day is not None]
    year = resolve_year(document, printed, read_years(title, document.facts.url, printed))
    event, notes = event_of(document, title.partition(": ")[0] or None, None, year)
    if 0 in days and document.facts.url is None and document.facts.year is None:
        notes = (*notes, "year_inferred")  # from the path
    settings = {0: Setting(event=event, notes=notes)}
    rejects: list[Reject] = []
    for line, day in days.items():
        settings[line], reject = _set_day(document.lines, day, year, settings[0])
        rejects += [reject] if reject is not None else []
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


def _set_day(lines: Lines, day: Day | None, year: Year, base: Setting) -> tuple[Setting, Reject | None]:
    """Claim a day heading and return its setting; an impossible day is a reject, and its items have no times."""
    if day is None:
        return base, None
    found, notes = date_of(day, year)
    setting = replace(base, day=found, notes=(*base.notes, *notes))
    if "date_invalid" in notes:
        text = lines[day.line]
        return setting, Reject(day.line, day.line, text, "date_invalid", "expected a day that exists")
    if day.line:
        lines.claim(day.line, _DAY)
    return setting, None
