"""Day pages and index pages as HTML, of all years, and pages of other programs that use the same classes.

Invented markup, as far as it is read::

    <div id="title">CRUMB2024: 18TH INVENTED CONFERENCE ON TOAST</div>
    <div id="pagetitle">PROGRAM FOR MONDAY, APRIL 15TH</div>
    <div class="session">
      <a name="session:1"><div class="heading"><span class="interval">09:00-10:30</span>
        <span class="title">Session 2A: Slicing</span></div></a>
      <div class="session_chair"><div class="chair_word">Chair: </div><div class="chair_names">Anna Vell</div></div>
      <div class="room"><span class="room_word">Location: </span><span class="room_name">Great Hall</span></div>
      <div class="session_desc"><p>With a tasting.</p></div>
      <table class="talks"><tr class="talk"><td class="time">09:00</td><td>
        <a name="talk:64974"><div class="authors">Anna Vell and Boris T. Wexley</div></a>
        <div class="title">Slicing at scale</div><div class="presenter">PRESENTER: Anna Vell</div>
        <div class="abstract"><p>ABSTRACT. How to slice.</p><p>And why.</p></div></td></tr></table></div>

An index page has ``<div class="date">`` above the sessions of each day, and no abstracts. Other programs print the
title above the authors, an interval as the time of a talk, ``<sup>1</sup>`` after a name with
``div.affiliation_item``, ``span.group_tag`` for the event of a session, and ``data-date``, ``data-start``, ``data-end``
on the session. ``sections`` finds which elements belong together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.elements import last_line_of, line_of, runs_of, text_of
from parsers._ledger.lines import Boilerplate, heading_rule, record_rule
from parsers._ledger.page import Page
from parsers._words.dates import WEEKDAY, make_date
from parsers._words.text import absolute_address
from parsers._words.years import Day, event_of, resolve_year
from parsers.easychair.headings import BOILERPLATE, DAY_LINK, URL_DAY, read_day, read_years
from parsers.easychair.items import PrintedSession, Setting, session_record, session_talks
from parsers.easychair.pieces import DURATION, LABEL, ReadTalk, read_session, read_talk, unread_wrappers
from parsers.easychair.sections import (
    DayParts,
    Element,
    Part,
    SessionParts,
    TalkParts,
    claim_own,
    claim_rejected,
    elements_of,
    find_days,
    part_of,
    text_in,
)
from schemas.items import Item, Reject

EXPECTS: Final = "a Smart Program as HTML: elements of class session with an interval, a heading or a break"

_PROGRAM: Final = ("easychair smart program", "/smart-program/")
_CLASS: Final = r"class(?<=\bclass)\s*=\s*[\"']?"  # begins with a fixed word: looked for ten times as fast
_SESSION: Final = re.compile(rf"{_CLASS}session[\s\"'>]")
_PARTS: Final = re.compile(rf"{_CLASS}(?:heading|interval|coffeebreak|lunchbreak)[\s\"'>]")
_INDEX_TITLE: Final = re.compile(r"(?:[A-Z0-9][\w'’&+ –—-]{0,80} )?PROGRAM(?:ME)?")

_DAY_PAGE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})\.html")

_PAGE_TITLE: Final = heading_rule("page_title", 1)
_HEADING: Final = heading_rule("session", 3)
_DETAIL: Final = heading_rule("session_detail", 5)
_TALK: Final = record_rule("talk")
_ITEM: Final = record_rule("programme_item")
_WORDS: Final = frozenset({Part.CHAIR_WORD, Part.ROOM_WORD})
_HEADING_PARTS: Final = frozenset({Part.HEADING, Part.BREAK, Part.INTERVAL, Part.TITLE, Part.GROUP})

_AROUND: Final = Boilerplate(
    {
        "days": rf"Days:(?: ?(?:previous day|next day|all days|{DAY_LINK}))*",
        "day_links": rf"{DAY_LINK}(?: {DAY_LINK})*",
        "views": r"(?:View(?: this program)?:|side by side with other conferences|with abstracts|session overview"
        r"|talk overview|[ |])+",
        "credits": r"(?:Designed|Developed)(?: and Developed)? by [^|]{1,80}(?: ?\| ?Copyright \d{4} [^|]{1,80})?",
        "last_updated": r"Last updated:(?: [\d/:,. -]{1,40})?",
        "symbol": r"[^\w\s|]{1,3}",
    }
)
_EVENT: Final = r"(?=\S{0,60}[A-Z])[\w&/'’.+–-]{1,60}"
_EVENTS: Final = Boilerplate({"events": rf"{_EVENT}(?:[ |]+{_EVENT})*"})
_MENUS: Final = {
    "main_menu": Boilerplate({"main_menu": r"(?=.*PROGRAM)[A-Z][A-Za-z &|/'’-]{0,300}|[A-Z][A-Z &|/-]{0,300}"}),
    "menu2": _EVENTS,
    "menu3": _EVENTS,
}

_OTHER_PAGE: Final = re.compile(
    r".*\b(?:(?:SESSION|TALK) VIEW|INDEX|ROOMS?|AUTHORS?|KEYWORDS?|SLIDES|COMMITTEES?|CHAIRS?|CALL FOR)\b.*"
    rf"|(?!.*\b(?:PROGRAM|SCHEDULE|AGENDA|TIMETABLE))(?!.* ON {WEEKDAY},).*",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"[^:]{1,80}: \S")
_LONGEST: Final = 2000
"""The longest menu, in characters."""

_ByID = dict[str, Element]

# Both begin with rare letters, which makes the search fast; a lookbehind checks the text before them.
_HIDDEN_YEAR: Final = re.compile(r"-(?<=\b((?:19|20)\d\d)-)\d\d-\d\d(?=\.html\b|['\"])")
_HIDDEN_DAY: Final = re.compile(r"pd:(?<=\bpd:)[^'\"\s<>]{0,300}?:(\d{4})-(\d{2})-(\d{2})\b")
_HEAD_AND_FOOT: Final = 100_000
"""The number of characters at either end of a page that are searched for days in scripts and links."""
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DAY: Final = heading_rule("day", 2)


@dataclass(frozen=True, slots=True)
class _Context:
    """Shared by the readers of a page: the page, its address if known, and the day pages that it links to, by date.

    An index page links only the talks that have an abstract: the others get the address of their day page all the same.
    """

    page: Page
    url: str | None
    day_pages: Mapping[str, str]

    def address_on(self, day: date | None) -> str | None:
        """Return the address of the page that shows the talks of a day."""
        further = self.day_pages.get(f"{day}")
        return absolute_address(self.url, further) if self.url is not None and further is not None else self.url


def recognise(document: Document) -> bool:
    """True if this is markup of a Smart Program or of its likeness, even of a page without a programme."""
    text = document.text
    if not document.is_markup:
        return False
    if _SESSION.search(text) is not None and _PARTS.search(text) is not None:
        return True
    folded = text.lower()
    return any(words in folded for words in _PROGRAM)


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of a day page or index page, in page order.

    Raises ``DumpError``: declined for a page of the source without a programme.
    """
    page = document.page
    body = page.root.find("body")
    page.content = page.root if body is None else body
    named = _find_named(page.content)
    page_title = named.get("pagetitle")
    printed = text_of(page_title) if page_title is not None else ""
    _refuse_other_pages(document, printed, line_of(page_title) if page_title is not None else None)
    days = find_days(page.content)
    if not any(day.sessions for day in days):
        raise document.error(document.lines.first_text_line, "declined", "expected sessions or talks, found none")
    title, element = _find_title(page.content, named)
    if element is not None:
        page.claim(element, _PAGE_TITLE)
    if page_title is not None and _INDEX_TITLE.fullmatch(printed):
        page.claim(page_title, _PAGE_TITLE)
    headings = [page_title, *(day.heading for day in days[1:])]
    yield from _read_days(document, title, days, headings)
    _claim_chrome(page, named, (outer for day in days for outer in elements_of(day)))


def _read_days(
    document: Document, title: str, days: Sequence[DayParts], headings: Sequence[Element | None]
) -> Iterator[Item]:
    """Yield the items of every day below its heading; the year is the one that agrees with all days."""
    printed = [_read_day_of(heading) for heading in headings]
    if not any(printed):
        printed[0] = _hidden_day(document)
    known = [day for day in printed if day is not None]
    years = read_years(title, document.facts.url, known, _hidden_years(document))
    year = resolve_year(document, known, years, [title])
    document.calls_itself.update(filter(None, [title]))
    event, notes = event_of(document, title.partition(": ")[0] or None, None, year)
    url = document.facts.url
    context = _Context(document.page, url.partition("#")[0] if url else None, _day_pages(document))
    for day, heading, found in zip(days, headings, printed, strict=True):
        setting = Setting(event=event, notes=notes)
        if found is not None:
            setting = setting.on(found, year)
            if heading is not None:
                yield from _claim_day(context.page, heading, setting)
        for session in day.sessions:
            yield from _read_session(context, session, _own_day(session, setting, notes))


def _day_pages(document: Document) -> dict[str, str]:
    """Return the day pages that an index page links to, by date; none for a day page."""
    if document.facts.url is None or URL_DAY.search(document.facts.url):
        return {}
    links = (link.get("href", "").strip().partition("#")[0] for link in document.page.root.iter("a"))
    return {name[1]: link for link in links if (name := _DAY_PAGE.fullmatch(link))}


def _read_session(context: _Context, session: SessionParts, setting: Setting) -> Iterator[Item]:
    """Yield the records of a session's talks, or its own."""
    page = context.page
    talks = [read_talk(talk, context.address_on(setting.day)) for talk in session.talks]
    printed, fault = read_session(session, talks)
    if printed is None:
        yield from _read_talks(context, session.talks, talks, None, setting)
        return
    if fault is None and not talks and printed.title is None and printed.code is None:
        fault = "expected a title", "incomplete_item"
    if fault is not None:
        detail, reason = fault
        yield from _reject_heading(page, session, detail, reason)
    _claim_session(page, session, is_item=not talks and fault is None)
    if talks:
        yield from _read_talks(context, session.talks, talks, printed, setting)
    elif fault is None:
        yield session_record(printed, setting)


def _reject_heading(page: Page, session: SessionParts, detail: str, reason: str) -> Iterator[Reject]:
    """Reject the heading of a session; an empty one is ignored."""
    found = [element for part in _HEADING_PARTS for element in session.parts.get(part, ())]
    elements = sorted(found, key=lambda element: line_of(element) or 0)
    outer = next(iter(session.parts.get(Part.HEADING, session.parts.get(Part.BREAK, elements))), None)
    text = text_of(outer) if outer is not None else ""
    if outer is not None and text:
        claim_rejected(page, elements, reason)
        yield Reject(line_of(outer), last_line_of(outer), text, reason, detail)


def _claim_session(page: Page, session: SessionParts, *, is_item: bool) -> None:
    """Claim heading, chairs, room and description: as the record if the session is one, else as headings."""
    unread = unread_wrappers(session)
    for part, elements in session.parts.items():
        rule = _ITEM if is_item else _HEADING if part in _HEADING_PARTS else _DETAIL
        for element in elements:
            if part is Part.DURATION:
                page.claim_boilerplate(element, DURATION)
            elif part not in unread and (part not in _WORDS or LABEL.fullmatch(text_of(element))):
                claim_own(page, element, rule)


def _read_talks(
    context: _Context,
    parts: Sequence[TalkParts],
    talks: Sequence[ReadTalk],
    session: PrintedSession | None,
    setting: Setting,
) -> Iterator[Item]:
    """Claim the elements of the talks; yield a record for each valid one and a reject for each other one."""
    records = session_talks(session, [talk.printed for talk in talks], setting)
    for found, talk, record in zip(parts, talks, records, strict=True):
        if talk.fault is None:
            _claim_talk(context.page, found)
            yield record
            continue
        elements = [found.row] if found.row is not None else [part for own in found.parts.values() for part in own]
        text = "\n".join(filter(None, map(text_of, elements)))
        if text:
            claim_rejected(context.page, elements, "incomplete_item")
            yield Reject(talk.printed.line_start, talk.printed.line_end, text, "incomplete_item", talk.fault)


def _claim_talk(page: Page, talk: TalkParts) -> None:
    """Claim the parts of a talk, but not its row, whose other contents are not understood."""
    for part, elements in talk.parts.items():
        for element in elements:
            if part is not Part.DURATION:
                claim_own(page, element, _TALK)
            else:
                page.claim_boilerplate(element, DURATION)


def _read_day_of(heading: Element | None) -> Day | None:
    """Read a day heading; None if it is missing or not a day."""
    if heading is None or (found := read_day(text_in(heading))) is None:
        return None
    return Day(line_of(heading) or 1, found.month, found.day, found.weekday, found.year)


def _claim_day(page: Page, heading: Element, setting: Setting) -> Iterator[Reject]:
    """Claim a day heading; an impossible day is a reject, and its items have no times."""
    if "date_invalid" in setting.notes:
        claim_rejected(page, [heading], "date_invalid")
        line = line_of(heading)
        yield Reject(line, line, text_in(heading), "date_invalid", "expected a day that exists")
    else:
        claim_own(page, heading, _DAY)


def _own_day(session: SessionParts, setting: Setting, notes: tuple[str, ...]) -> Setting:
    """Return the setting of a session: that of its day, unless the session itself has a date."""
    named = _ISO_DAY.fullmatch(session.first.get("data-date") or "") if session.first is not None else None
    found: date | None = make_date(*(int(part) for part in named.groups())) if named is not None else None
    return setting if found is None else replace(setting, day=found, notes=notes)


def _hidden_years(document: Document) -> list[int]:
    """Return the years in links and scripts."""
    hidden = _head_and_foot(document.text)
    named = [*_HIDDEN_YEAR.findall(hidden), *(year for year, _, _ in _HIDDEN_DAY.findall(hidden))]
    return [int(year) for year in dict.fromkeys(named)]


def _hidden_day(document: Document) -> Day | None:
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


def _find_named(content: Element) -> _ByID:
    """Return the elements above the first session by their id; the first of each wins."""
    named: _ByID = {}
    for element in content.iter("*"):
        if part_of(element.get("class")) is Part.SESSION:
            break
        if name := element.get("id"):
            named.setdefault(name, element)
    return named


def _refuse_other_pages(document: Document, page_title: str, line: int | None) -> None:
    """Raise ``DumpError`` (declined) for a page without a programme: an overview, an index, a person, a room."""
    if page_title and _OTHER_PAGE.fullmatch(page_title):
        found = page_title[:_LONGEST]
        raise document.error(line or 1, "declined", f"expected a day page or index page, found {found!r}")


def _find_title(content: Element, named: _ByID) -> tuple[str, Element | None]:
    """Return the title of the page, ``ACRONYM: NAME``, and its element; empty and None if there is none."""
    if "title" in named:
        return text_of(named["title"]), named["title"]
    headings = ((text_of(heading), heading) for heading in content.iter("h1"))
    return next(((text, heading) for text, heading in headings if _TITLE.match(text)), ("", None))


def _claim_chrome(page: Page, named: _ByID, outer: Iterable[Element]) -> None:
    """Claim menus, links and labels around the ``outer`` elements of the programme, but not those elements."""
    for name, menu in _MENUS.items():
        if name in named:
            page.claim_boilerplate(named[name], menu)
    programme, holders = set(outer), {page.content}
    for element in programme:
        for holder in element.iterancestors():
            if holder in holders:
                break
            holders.add(holder)
    waiting = [page.content]
    while waiting:
        element = waiting.pop()
        for run in runs_of(element):
            page.claim_run(run, _AROUND) or page.claim_run(run, BOILERPLATE)
        waiting += [child for child in element if child in holders or not (child in programme or _claim(page, child))]


def _claim(page: Page, element: Element) -> bool:
    """Claim an element whose whole text is boilerplate; True if it is claimed, now or before."""
    if page.rule_of(element) is not None:
        return True
    return page.claim_boilerplate(element, _AROUND) or page.claim_boilerplate(element, BOILERPLATE)
