"""What Hugging Face papers print in every format: counts, days, boilerplate; and the record of a paper."""

import re
from datetime import date
from functools import lru_cache
from typing import Final

from parsers._ledger.document import Facts
from parsers._ledger.lines import Boilerplate
from parsers._words.dates import MONTH, make_date, month_number
from parsers._words.text import canonical_arxiv_id
from schemas.items import Person, Record

PRINTED_DAY: Final = rf"(?:{MONTH}) \d{{1,2}}(?:, \d{{4}})?"
"""A day as the pages print it: ``Sep 26``, or with the year if that is not the current one."""

COUNT: Final = r"\d{1,9}|\d{1,3}(?:,\d{3})+|\d{1,4}(?:\.\d{1,2})?[kKM]"
"""A count as the pages print it: ``24``, ``1,204``, or rounded, ``1.2k``."""

_DAY = re.compile(rf"(?P<month>{MONTH}) (?P<day>\d{{1,2}})(?:, (?P<year>\d{{4}}))?")
_ASKED_DAY = re.compile(r"(?:[?&]date=|/papers/date/)(?P<day>\d{4}-\d{2}-\d{2})(?!\d)")
_PAPER_ID = re.compile(r"[\w./-]{1,100}")
_ISO_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")

_BANNER: Final = {
    "badge": r"new",
    "newsletter": r"(?:#+ )?Get trending papers in your email inbox(?: once a day)?!(?: ?Subscribe)?",
    "subscribe": r"Subscribe",
}
_PAGE_NAME: Final = r"(?:#+ )?(?:\[?Daily Papers(?:\]\([^()]*\))?|Trending Papers)(?: [-–] Hugging Face)?"

PAGE_HEAD: Final = Boilerplate(
    {
        **_BANNER,
        "page_name": _PAGE_NAME,
        "byline": r"(?:#+ )?by ?(?:AK|\[AK\]\([^()]*\)) and the research community|and the research community",
    }
)
"""Banner, page name and byline, which some extractors print below the first card's submitter."""

BOILERPLATE: Final = Boilerplate(
    {
        **_BANNER,
        "page_name": _PAGE_NAME,
        "byline": r"(?:#+ )?by ?(?:(?:AK|\[AK\]\([^()]*\)) and the research community)?|AK|and the research community",
        "submit": r"Submit a paper",
        "paging": r"(?:Previous|Next|Daily|Weekly|Monthly|Today)",
        "period": (
            rf"Week \d{{1,2}}(?:, \d{{4}})?|\d{{4}}-W?\d{{2}}|(?:{MONTH})(?: \d{{4}})?"
            rf"|{PRINTED_DAY} ?[-–] ?{PRINTED_DAY}"
        ),
        "site": r"Hugging Face(?:'s logo(?: ?Hugging Face)?)?",
        "menu": (
            r"(?:[•*-] +)?(?:Models|Datasets|Spaces|Buckets|Posts|Docs|Enterprise|Pricing|Community|Solutions|Log In"
            r"|Sign Up|TOS|Terms|Privacy|About|Careers|Jobs|Blog|Website|Company|System theme|Papers)(?: new)?"
        ),
        "copyright": r"© ?Hugging Face",
        "separator": r"(?:[•*-] +)?[•·*-]",
    }
)

IN_CARD: Final = Boilerplate(
    {
        "submitter": r"Submitted by(?: [\w.-]{1,100})?",
        "number": r"(?:Upvoted? ?|\+)?\d[\d,.]{0,12}[kKmM]?",
        "no_upvotes": r"-|Upvoted?",
        "authors": r"(?:[•·] ?)?\d{1,5} authors?",
        "dot": r"[•·]",
        "day": rf"(?:· ?)?{PRINTED_DAY}",
    }
)
"""Texts beside the title of a card; only the upvotes and the day can be in the record."""


def make_record(  # noqa: PLR0913  # everything that a card may print, by name
    *,
    line_start: int | None,
    line_end: int | None,
    title: str,
    paper_id: str | None = None,
    abstract: str | None = None,
    summary: str | None = None,
    authors: tuple[Person, ...] | None = None,
    keywords: tuple[str, ...] | None = None,
    listed_on: date | None = None,
    published_on: date | None = None,
    upvotes: int | None = None,
) -> Record:
    """Make the record of one paper; texts stay as printed.

    ``upvotes`` is the number before the title, ``published_on`` the date of the card, ``paper_id`` the last part
    of its address: an arXiv identifier, in rare cases another one.
    """
    arxiv_id = canonical_arxiv_id(paper_id) if paper_id else None
    is_address = arxiv_id is not None or (paper_id is not None and _PAPER_ID.fullmatch(paper_id) is not None)
    return Record(
        line_start=line_start,
        line_end=line_end,
        native_id=paper_id if arxiv_id is None else None,
        title=title,
        abstract=abstract,
        summary=summary,
        authors=authors,
        listed_on=listed_on,
        published_on=published_on,
        arxiv_id=arxiv_id,
        url=f"https://huggingface.co/papers/{arxiv_id or paper_id}" if is_address else None,
        keywords=keywords,
        engagement=upvotes,
    )


def read_count(printed: str) -> int:
    """Return the number of a printed count, to the printed precision."""
    digits = printed.replace(",", "")
    unit = {"k": 1_000, "m": 1_000_000}.get(digits[-1].lower(), 1)
    return round(float(digits.rstrip("kKM")) * unit)


def read_day(printed: str, facts: Facts) -> date | None:
    """Return the date of ``Sep 26`` or ``Jul 1, 2019``; None if it does not exist or its year is unknown.

    A day without year is the latest such day not after the capture; if only the year of the capture is known, it is in
    that year.
    """
    return _read_day(printed, facts.captured_at and facts.captured_at.date(), facts.year)


@lru_cache(maxsize=1_024)
def _read_day(printed: str, captured: date | None, year: int | None) -> date | None:
    """Read a printed day; cached, since a page has few."""
    found = _DAY.fullmatch(printed)
    if found is None:
        return None
    month, day = month_number(found["month"]), int(found["day"])
    if found["year"]:
        return make_date(int(found["year"]), month, day)
    if captured is None:
        return make_date(year, month, day) if year is not None else None
    candidates = (make_date(captured.year - back, month, day) for back in range(9))  # nine: February 29th around 1900
    return next((candidate for candidate in candidates if candidate and candidate <= captured), None)


def asked_day(facts: Facts) -> date | None:
    """Return the requested day: the one in the address, else a sidecar's category that is a day."""
    found = _ASKED_DAY.search(facts.url or "")
    return iso_day(found["day"] if found else facts.category)


def iso_day(text: object) -> date | None:
    """Return the date of a text that begins like ``2025-07-11``; None for anything else."""
    found = _ISO_DAY.match(text) if isinstance(text, str) else None
    return make_date(*map(int, found.groups())) if found else None


def bare(text: str) -> str:
    """Return a line without heading marks and the button that some extractors glue to it."""
    return without_button(text).strip("=# ") or text


def without_button(text: str) -> str:
    """Return a line without the button "Subscribe" that some extractors glue to the text after it."""
    return text.removeprefix("Subscribe") or text
