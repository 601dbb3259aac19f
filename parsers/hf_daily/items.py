"""From the printed pieces of one card to a record, and from a day without year to a date: the same for every format.

How the pieces are found in a dump does not belong here.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from parsers._contract import Facts
from parsers._dates import MONTH, make_date, month_number
from schemas.items import Record

PRINTED_DAY: Final = rf"(?:{MONTH}) \d{{1,2}}(?:, \d{{4}})?"
"""A day as the pages print it: ``Sep 26``, or with the year where that is not the current one."""

_DAY = re.compile(rf"(?P<month>{MONTH}) (?P<day>\d{{1,2}})(?:, (?P<year>\d{{4}}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One paper as printed. ``upvotes`` is the number in front of the title, ``published_on`` the date of the card."""

    line_start: int | None
    line_end: int | None
    title: str
    abstract: str | None = None
    listed_on: date | None = None
    published_on: date | None = None
    upvotes: int | None = None


def make_record(card: Card) -> Record:
    """Make the record of one card; texts stay as printed."""
    return Record(
        line_start=card.line_start,
        line_end=card.line_end,
        title=card.title,
        abstract=card.abstract,
        listed_on=card.listed_on,
        published_on=card.published_on,
        engagement=card.upvotes,
    )


def read_day(printed: str, facts: Facts) -> date | None:
    """Return the date of ``Sep 26`` or ``Jul 1, 2019``; None where there is no such day or its year is not known.

    A day without year is the latest such day not after the capture; where only the year of the capture is known, it
    is a day of that year.
    """
    found = _DAY.fullmatch(printed)
    if found is None:
        return None
    month, day = month_number(found["month"]), int(found["day"])
    if found["year"]:
        return make_date(int(found["year"]), month, day)
    if facts.captured_at is None:
        return make_date(facts.year, month, day) if facts.year is not None else None
    captured = facts.captured_at.date()
    candidates = (make_date(captured.year - back, month, day) for back in range(9))  # nine: February 29th about 1900
    return next((candidate for candidate in candidates if candidate and candidate <= captured), None)
