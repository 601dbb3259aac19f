"""What is around a programme: the lines that name its edition, and those that say nothing of it.

    IEEE Cluster 2031 Program             page title: series and year
    IEEE LANTERN 2031 Program             a sister conference's page in the same layout: its own name, never CLUSTER
    <span class="page-title">IEEE Cluster 2031 Program</span>
    <p>Norwick, September 1-5, 2031</p>
    Overview | By Date | By Room          Back to Top          Copyright 2031 IEEE Lantern
    Best Paper Award                      between the title and the authors of a talk
    Plenary, Paper                        the type of a session, in years that print it

The folder of a dump proves nothing: it may contain sister conferences' pages too. Pages by date print only weekdays:
their dates come from those of the conference. Boilerplate is known by whole-line patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import PurePosixPath
from typing import Final

from parsers._ledger.document import Document
from parsers._ledger.elements import text_of
from parsers._ledger.lines import Boilerplate
from parsers._words.dates import CLOCK, DASH, MONTH, WEEKDAY, make_date, month_number
from parsers._words.years import Year, asked_event, event_of, find_years

PAGE_TITLE: Final = re.compile(
    r"(?P<event>\S.{0,80}?\s(?P<year>(?:19|20)\d\d))\s+(?:\w+\s+)?Program(?:me)?(?: at a Glance)?"
)

_SERIES_EDITION: Final = re.compile(r"\b(?:CLUSTER|Cluster)\s?(?:19|20)\d\d\b")
_SERIES_PATH: Final = re.compile(r"(?<![a-z])(?:ieee)?cluster(?![a-z])|clustercomp", re.IGNORECASE)
_TITLE_LENGTH: Final = 80
_LONGEST: Final = 200
_LONGEST_EVENT: Final = 8
_SAVED_FROM: Final = re.compile(r"saved from url=\S*?(?P<url>https?://\S+)")
_RANGE: Final = re.compile(
    rf"""
    \b(?: # September 1-5, September 29 - October 3
          (?P<month>{MONTH})\.?\s+(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|—|to)\s*
          (?:(?P<other>{MONTH})\.?\s+)?(?P<last>\d{{1,2}})(?:st|nd|rd|th)?
        | # 1-5 September
          (?P<first_before>\d{{1,2}})\s*(?:-|–|—|to)\s*(?P<last_before>\d{{1,2}})\s+(?P<month_behind>{MONTH})
    )\b
    (?:\.?,?\s*(?P<year>(?:19|20)\d\d)\b)?
    """,
    re.IGNORECASE | re.VERBOSE,
)

_VIEW: Final = r"(?:Overview|At a Glance|By Date|By Event Type|By Room|Author Index)"
_TYPE: Final = (
    r"(?:Break|Plenary|Paper|Poster|Workshop|Tutorial|Keynote|Panel|Invited(?: Talk)?|Social(?: Event)?|Registration"
    r"|Other)"
)
SESSION_TYPE: Final = rf"{_TYPE}(?:, {_TYPE})*"
_DATE: Final = r"\d{4}-\d{1,2}-\d{1,2}"
_TIME: Final = r"\d{1,2}:\d{1,2}(?::\d{1,2})?"
_ZONE: Final = r"(?:\(?[A-Z]{2,5}\)?(?:[+-]\d{1,2}(?::\d{2})?)?|(?i:local|[\w/]+(?: [\w/]+)?(?= time)))"
_SITE: Final = r"Home|At a Glance|Committees?|Organi[sz]ation|Sponsors|Venue|Travel|Skip to (?:main )?content"

BOILERPLATE: Final = Boilerplate(
    {
        "column": r"\|+",
        "line_drawn": r"[_━─═=-]{5,}",
        "views": rf"{_VIEW}(?: ?\| ?{_VIEW})*",
        "back_to_top": r"(?i:(?:back|return) to top(?: button)?|top)",
        "back_to_page": r"(?i:(?:back|return) to (?:the )?(?:[\w-]+ ){0,4}(?:home|main|top) ?page)",
        "made_at": rf"(?i:(?:created|last (?:updated|modified|changed))(?: on)?:? *{_DATE}(?:[ T,]+{_TIME})?)",
        "time_zone": rf"(?i:all times (?:are |shown |given )*(?:in )?(?:the )?){_ZONE}"
        r"(?i: time(?: ?zone)?)?(?: \([A-Z]{2,5}\))?\.?",
        "end_mark": r"(?i:(?:the )?(?:conference|program(?:me)?|symposium|event) (?:ends|closes|adjourns)\.?)",
        "floor_plan": r"(?i:(?:(?:conference|hotel|venue|meeting|building|room|floor|cent(?:er|re)) ){1,3}"
        r"(?:layout|plan|map)s?)",
        "link_word": r"(?i:\[?(?:presentation |lecture )?(?:slides?|video|recording)s?\]?)",
        "address": r"https?://\S+",
        "award": r"Best (?:Student |Short )?Papers?(?: (?:Award|Candidate|Finalist|Nominee|Runner[- ]Up)){0,2}",
        "award_of_poster": r"(?:\d{1,3}\. )?\[(?=[^\[\]]*\b(?:Award|Best|Prize)\b)[^\[\]]{3,60}\]",
        "session_type": SESSION_TYPE,
        "copyright": r"(?i:(?:copyright\s*)?(?:©|\(c\)|copyright)\s*(?:19|20)\d\d\b.{0,120}|©.{0,120})",
        "menu_entry": r"[•◦▪‣·] ?\w[^.]{0,60}",
        "site_menu": rf"{_SITE}|(?i:program(?:me)?(?: at a glance)?)|Call for \w+(?: \w+)?",
    }
)

# The list of links before the entries of a page by date, with its separators.
LINKS: Final = Boilerplate(
    {
        "slot_link": rf"(?i:(?:{WEEKDAY})[.,]? *(?:{CLOCK} ?{DASH} ?{CLOCK})?|{CLOCK} ?{DASH} ?{CLOCK})",
        "separator": r"[|•·-]+",
    }
)

# Lines that are never part of a programme, and the beginnings of such lines in lower case.
_ANYWHERE: Final = frozenset(
    {
        "views",
        "link_word",
        "address",
        "back_to_top",
        "back_to_page",
        "copyright",
        "made_at",
        "time_zone",
        "end_mark",
        "floor_plan",
    }
)
_STARTS: Final = tuple(
    (
        "overview|slide|[slide|presentation slide|lecture slide|video|[video|recording|http|at a glance|by |author|"
        "back|return to|top|©|copyright|(c)|created|last |all times|the conference|the program|the symposium|"
        "the event|conference |program|symposium |event |hotel |venue |meeting |building |room |floor "
    ).split("|")
)
_LONGEST_START: Final = max(map(len, _STARTS))


@dataclass(frozen=True, slots=True)
class Masthead:
    """Titles of the page in the order in which they are tried, addresses of the page, and lines above the programme.

    ``banner`` is the edition in the name of a site.
    """

    titles: tuple[str, ...]
    addresses: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    banner: str | None = None

    @property
    def years(self) -> list[int]:
        """The years in titles, addresses and dates of the conference."""
        ranges = (found["year"] or "" for line in self.lines for found in _RANGE.finditer(line))
        return find_years(" ".join((self.banner or "", *self.titles, *self.addresses, *ranges)))

    @property
    def ranges(self) -> frozenset[str]:
        """The lines with dates of the conference."""
        return frozenset(line for line in self.lines if _RANGE.search(line))

    @property
    def event(self) -> str | None:
        """The edition as printed in a title of the page, else in the name of its site."""
        found = (PAGE_TITLE.fullmatch(title) for title in self.titles)
        return next((match["event"] for match in found if match), self.banner)


def read_masthead(document: Document) -> Masthead:
    """Read the lines above the programme; they are not content, so nothing is claimed."""
    page = document.page
    titles: list[tuple[int, str]] = []
    lines: list[str] = []
    addresses = [found["url"] for found in (_SAVED_FROM.search(document.text[:2000]),) if found]
    for element in page.root.iter("*"):
        if element is page.content:
            break
        if element.tag in {"title", "h1"} or "page-title" in (element.get("class") or "").split():
            text = text_of(element) or " ".join((element.text or "").split())
            titles.append((element.tag == "title", text[:_LONGEST]))
        elif element.tag == "link" and element.get("rel") == "canonical":
            addresses.append(element.get("href") or "")
        lines += [" ".join(text.split()) for text in (element.text, element.tail) if text and len(text) < _LONGEST]
    if document.facts.url:
        addresses.append(document.facts.url)
    ordered = (text for _, text in sorted(titles, key=lambda title: title[0]))
    return Masthead(tuple(ordered), tuple(addresses), tuple(line for line in lines if line))


def name_edition(
    document: Document, masthead: Masthead, texts: Iterable[str], year: Year
) -> tuple[str | None, tuple[str, ...]]:
    """Return the edition: CLUSTER's only if page title, address, file name or one of ``texts`` names that series.

    Most dumps have lost the page title, so the edition is series and year even if it is printed.
    """
    printed = masthead.event
    asked_event(document, printed)
    if printed is not None and not _SERIES_EDITION.search(printed):
        return event_of(document, printed, None, year)
    named = printed is not None or _named_by_address(document)
    own = named or any(_names_series(text) for text in (*masthead.titles, *texts))
    return event_of(document, None, "CLUSTER" if own else None, year)


def _named_by_address(document: Document) -> bool:
    """True if the address or the file name is that of the series."""
    parts = PurePosixPath(document.path).parts
    below_source = "/".join(parts[1:] or parts)
    return any(_SERIES_PATH.search(address) for address in (below_source, document.facts.url or ""))


def _names_series(text: str) -> bool:
    """True if a short line that is not a sentence names an edition of the series."""
    return len(text) <= _TITLE_LENGTH and text[-1:] not in (".", "!", "?") and _SERIES_EDITION.search(text) is not None


def dates_by_weekday(masthead: Masthead, year: int | None, weekdays: Iterable[int]) -> dict[int, date]:
    """Return the date of each weekday (0: Monday) within the conference; empty if its dates are ambiguous."""
    fitting: list[dict[int, date]] = []
    for found in (found for line in masthead.lines for found in _RANGE.finditer(line)):
        dates = _days_of(found, year)
        days = {day.weekday(): day for day in dates}
        if len(days) == len(dates) and set(weekdays) <= set(days) and days not in fitting:
            fitting.append(days)
    return fitting[0] if len(fitting) == 1 else {}


def _days_of(found: re.Match[str], year: int | None) -> list[date]:
    """Return the days of a printed range; empty if it is invalid or longer than a week."""
    if year is None or (found["year"] and int(found["year"]) != year):
        return []
    month = month_number(found["month"] or found["month_behind"])
    other = month_number(found["other"]) if found["other"] else month
    first = make_date(year, month, int(found["first"] or found["first_before"]))
    last = make_date(year, other, int(found["last"] or found["last_before"]))
    if first is None or last is None or not 0 <= (last - first).days < _LONGEST_EVENT - 1:
        return []
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def is_never_programme(text: str) -> bool:
    """True if a line is outside the programme wherever it is; awards and types are so only in certain places."""
    rule = BOILERPLATE.rule(text) if text[:_LONGEST_START].lower().startswith(_STARTS) else None
    return rule is not None and rule.name in _ANYWHERE


def is_award(text: str) -> bool:
    """True if a line in the head of a talk is an award."""
    rule = BOILERPLATE.rule(text) if text.startswith("Best ") else None
    return rule is not None and rule.name == "award"
