"""The days of a Smart Program in HTML: headings above sessions, or dates in a session or in the page's script.

```
<script>..'pd:CRUMB2018:2018-03-26'..</script>
<div id="pagetitle">PROGRAM FOR MONDAY, MARCH 26TH</div>      <div class="date">Wednesday, June 16th</div>
<div class="session" data-date="2026-07-27">
```
"""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.elements import line_of
from parsers._ledger.lines import heading_rule
from parsers._ledger.page import Page
from parsers._words.dates import make_date
from parsers._words.years import Day, Year, date_of
from parsers.easychair.elements import Element, claim_own, claim_rejected, text_in
from parsers.easychair.headings import URL_DAY, read_day
from parsers.easychair.items import Setting
from parsers.easychair.sections import SessionParts
from schemas.items import Reject

# Both begin with rare letters, which makes the search fast; a lookbehind checks the text before them.
_HIDDEN_YEAR: Final = re.compile(r"-(?<=\b((?:19|20)\d\d)-)\d\d-\d\d(?=\.html\b|['\"])")
_HIDDEN_DAY: Final = re.compile(r"pd:(?<=\bpd:)[^'\"\s<>]{0,300}?:(\d{4})-(\d{2})-(\d{2})\b")
_HEAD_AND_FOOT: Final = 100_000
"""The number of characters at either end of a page that are searched for days in scripts and links."""
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DAY: Final = heading_rule("day", 2)


def read_day_of(heading: Element | None) -> Day | None:
    """Read a day heading; None if it is missing or not a day."""
    if heading is None or (found := read_day(text_in(heading))) is None:
        return None
    return Day(line_of(heading) or 1, found.month, found.day, found.weekday, found.year)


def set_day(page: Page, heading: Element | None, day: Day, year: Year, base: Setting) -> tuple[Setting, Reject | None]:
    """Claim a day heading and return its setting; an impossible day is a reject, and its items have no times."""
    found, notes = date_of(day, year)
    setting = replace(base, day=found, notes=(*base.notes, *notes))
    if heading is None:
        return setting, None
    if "date_invalid" in notes:
        claim_rejected(page, [heading], "date_invalid")
        line = line_of(heading)
        return setting, Reject(line, line, text_in(heading), "date_invalid", "expected a day that exists")
    claim_own(page, heading, _DAY)
    return setting, None


def own_day(session: SessionParts, setting: Setting, notes: tuple[str, ...]) -> Setting:
    """Return the setting of a session: that of its day, unless the session itself has a date."""
    named = _ISO_DAY.fullmatch(session.first.get("data-date") or "") if session.first is not None else None
    found: date | None = make_date(*(int(part) for part in named.groups())) if named is not None else None
    return setting if found is None else replace(setting, day=found, notes=notes)


def hidden_years(document: Document) -> list[int]:
    """Return the years in links and scripts."""
    hidden = _head_and_foot(document.text)
    named = [*_HIDDEN_YEAR.findall(hidden), *(year for year, _, _ in _HIDDEN_DAY.findall(hidden))]
    return [int(year) for year in dict.fromkeys(named)]


def hidden_day(document: Document) -> Day | None:
    """Return the day of a page that prints none, from its address, else from its script."""
    found = URL_DAY.search(document.facts.url or "") or _HIDDEN_DAY.search(_head_and_foot(document.text))
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups())
    return Day(0, month, day, None, year)


def _head_and_foot(text: str) -> str:
    """Return the two ends of a long text."""
    if len(text) <= 2 * _HEAD_AND_FOOT:
        return text
    return f"{text[:_HEAD_AND_FOOT]} {text[-_HEAD_AND_FOOT:]}"
