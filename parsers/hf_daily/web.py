"""The pages of Hugging Face papers to fetch: the days since the last capture, from the API; searches as HTML.

{base}/api/daily_papers?date=2026-03-02&limit=100      {base}/papers?q=batch+systems

The API shows 50 papers of a day by default, and never more than 100: a full list leads to the next.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import parse_qs, quote_plus, urlsplit

from parsers._ledger.data import Data, DataError
from parsers._ledger.document import Document
from parsers._web.layout import data_layout, markup_layout
from parsers._web.web import (
    REACH,
    Request,
    TargetError,
    Web,
    Window,
    as_name,
    check_address,
    check_least,
    check_text,
    days_due,
    query_number,
)

_KEYS: Final = ("paper.id", "paper.title", "paper.summary", "paper.authors", "paper.upvotes", "title")
_PARTS: Final = ("main article", "article h3", "h3 a")
_SHOWN: Final = 100  # the most that one answer shows
_DAYS: Final = 3
_LISTS_AT: Final = re.compile(r"/(?:papers(?:/(?:trending|(?:date|week|month)/[\dW-]+))?|api/daily_papers)/?")
_LISTS: Final = 10  # more for one day are a mistake, ours or the site's


@dataclass(frozen=True, slots=True)
class PapersTarget:
    """What to fetch: the last ``days`` (more if nights were missed), the results of a ``search``, or both."""

    days: int | None = None
    search: str | None = None
    base: str = "https://huggingface.co"

    def __post_init__(self) -> None:
        """Raise ``TargetError`` for an invalid value."""
        check_address("base", self.base)
        check_text("search", self.search)
        if self.days is not None:
            check_least("days", self.days, 1, REACH.days)
        if self.days is None and self.search is None:
            raise TargetError("days", "expected a number of days or a search, found neither")


def requests(target: PapersTarget, window: Window) -> Iterator[Request]:
    """Yield the days that are due, and the search."""
    base = target.base.rstrip("/")
    if target.days is not None:
        for day in days_due(window, _key_of, target.days):
            yield Request(_key_of(day), f"{base}/api/daily_papers?date={day}&limit={_SHOWN}", ".json")
    if target.search is not None:
        yield Request(f"search/{as_name(target.search)}", f"{base}/papers?q={quote_plus(target.search)}", ".html")


def follow(_target: PapersTarget, document: Document, request: Request) -> Iterator[Request]:
    """Yield the next list of a day if this list is full.

    Raises ``DumpError`` (malformed) if the answer is not JSON.
    """
    if request.suffix != ".json":
        return
    papers = document.data.value
    number = (query_number(request.url, "p") or 0) + 1
    if isinstance(papers, list) and len(papers) >= _SHOWN and number < _LISTS:
        first = request.url.partition("&p=")[0]
        yield Request(f"{request.key.partition('+')[0]}+{number}", f"{first}&p={number}", ".json")


def fingerprint(document: Document) -> str:
    """Return the fingerprint of the keys of an answer, or of the data and cards of a page."""
    if document.text.lstrip().startswith(("[", "{")):
        return data_layout(document.data.value, [f"[].{key}" for key in _KEYS])
    root = document.page.root
    shown = markup_layout(root, _PARTS)
    island = next((div for div in root.iter("div") if div.get("data-target") == "DailyPapers"), None)
    if island is None:
        return shown
    try:
        data = Data(island.get("data-props") or "").value
    except DataError:
        return f"{shown}-unreadable"
    lists = ("dailyPapers", "searchResults")
    return "-".join(filter(None, (shown, data_layout(data, [f"{name}[].{key}" for name in lists for key in _KEYS]))))


def _key_of(day: date) -> str:
    """Return the folder of a day's captures."""
    return f"daily/{day}"


def asked_at(url: str) -> dict[str, object] | None:
    """Return the target of an address of Hugging Face papers: a search, or the last days; None for other pages."""
    parts = urlsplit(url)
    if parts.hostname not in {"huggingface.co", "hf.co"} or not _LISTS_AT.fullmatch(parts.path):
        return None
    search = parse_qs(parts.query).get("q")
    return {"search": search[0]} if search else {"days": _DAYS}


_EXAMPLE: Final = """\
# Hugging Face papers: the last `days` and all since the last capture, or the results of a search.
[[hf_daily]]
days = 3

[[hf_daily]]
search = "batch systems"
"""

WEB: Final = Web(PapersTarget, requests, follow, fingerprint, example=_EXAMPLE, asked_at=asked_at)
