"""The pages of arXiv to fetch: listings of a category, its feed, the results of a query; page after page.

    {base}/list/cs.DC/new?skip=0&show=2000       {base}/catchup/cs.DC/2026-03-02?abs=True
    {base}/atom/cs.DC                            {base}/api/query?search_query=cat:cs.DC&start=0&max_results=200

``new`` shows the newest announcement only; ``catchup`` fetches every day since the last capture, with abstracts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

from lxml import etree

from parsers._contract import Asked
from parsers._ledger.document import Document, Facts
from parsers._web.layout import markup_layout
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
from parsers._words.dates import make_date
from parsers._words.text import absolute_address
from parsers.arxiv.feeds import children_of, text_of_first

Listing = Literal["new", "recent", "month", "catchup", "feed", "query"]

_SHOWN: Final = 2000  # the most that a listing page shows
_ASKED: Final = 200
_HOSTS: Final = {"feed": "https://rss.arxiv.org", "query": "https://export.arxiv.org"}
_SITE: Final = "https://arxiv.org"
_CATEGORY: Final = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[A-Za-z]+(?:-[A-Za-z]+)*)?")
_PARTS: Final = ("dl dt", "dl dd", "dd .list-title", "dd .list-authors", "dd .list-subjects")
_XML_PARTS: Final = (
    "item title",
    "item link",
    "item description",
    "entry id",
    "entry title",
    "entry summary",
    "entry author",
    "entry creator",
)
_OWN: Final = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org", "rss.arxiv.org"})
_ADDRESS: Final = re.compile(
    r"/(?P<kind>list|catchup|atom|rss)/(?P<category>[a-zA-Z.-]+)(?:/(?P<what>new|recent|pastweek|current|\d[\d-]*))?/?"
)
_NAMES: Final = {
    "list": "new",
    "new": "new",
    "recent": "recent",
    "pastweek": "recent",
    "current": "month",
    "atom": "feed",
    "rss": "feed",
}
"""The listings by the words of addresses."""

_CATCHUP: Final = re.compile(r"/catchup/[^/?#]+/(\d{4})-(\d{2})-(\d{2})(?![\w-])")
_SATURDAY: Final = 5
_MONTH_END: Final = 3  # days into a month during which the listing of the last one still grows


@dataclass(frozen=True, slots=True)
class ListingTarget:
    """What to fetch: kinds of listings of a category, or the first ``results`` of a ``search``, newest first."""

    category: str | None = None
    listings: tuple[Listing, ...] = ("new",)
    days: int = 5
    search: str | None = None
    results: int = 200
    base: str | None = None

    def __post_init__(self) -> None:
        """Raise ``TargetError`` for an invalid value."""
        if self.category is not None and not _CATEGORY.fullmatch(self.category):
            raise TargetError("category", f"expected a category such as cs.DC or hep-th, found {self.category!r}")
        if self.category is None and (self.search is None or self.listings != ("query",)):
            raise TargetError("category", "expected a category, which only listings = ['query'] with a search can omit")
        if self.search is not None and "query" not in self.listings:
            raise TargetError("search", "expected 'query' in listings, because a search is set")
        if not self.listings:
            raise TargetError("listings", "expected at least one listing")
        check_least("days", self.days, 1, REACH.days)
        check_least("results", self.results, 1, 10_000)
        check_text("search", self.search)
        if self.base is not None:
            check_address("base", self.base)


def requests(target: ListingTarget, window: Window) -> Iterator[Request]:
    """Yield the first page of every listing; for a catch-up, that of every day that is due."""
    for listing in dict.fromkeys(target.listings):
        base = (target.base or _HOSTS.get(listing, _SITE)).rstrip("/")
        if listing == "query":
            yield _query(target, base, 0)
        elif listing == "feed":
            yield _request(target, "feed", f"{base}/atom/{target.category}", ".xml")
        elif listing == "month":
            for month in sorted({f"{day:%Y-%m}" for day in _days_of_months(window.today)}):
                yield _request(target, f"month-{month}", _list_url(base, target, month))
        elif listing == "catchup":
            for day in days_due(window, lambda day: _catchup_key(target, day), target.days):
                if day.weekday() < _SATURDAY:  # nothing is announced at weekends
                    url = f"{base}/catchup/{target.category}/{day}?abs=True"
                    yield _request(target, f"catchup-{day}", url)
        else:
            yield _request(target, listing, _list_url(base, target, listing))


def follow(target: ListingTarget, document: Document, request: Request) -> Iterator[Request]:
    """Yield the next page of a listing or of the results of a query, if there is one."""
    start = query_number(request.url, "start")
    if start is not None:
        facts = children_of(document.feed.root)
        found, total = len(facts.get("entry", ())), text_of_first(facts, "totalResults")
        most = min(int(total), target.results) if re.fullmatch(r"[0-9]{1,9}", total) else 0
        if found and start + found < most:
            yield _query(target, request.url.partition("/api/query")[0], start + found)
    elif request.suffix == ".html":
        for name in ("skip", "page"):
            further = sorted(_page_links(document, request.url, name))
            if further:
                number, url = further[0]
                yield _request(target, f"{_bare_key(request)}+{number}", url)
                return


def asked(facts: Facts) -> Asked:
    """Return what a listing was asked for: the category, and the day of a catch-up page."""
    found = _CATCHUP.search(facts.url or "")
    return Asked(make_date(*map(int, found.groups())) if found else None, facts.category)


def fingerprint(document: Document) -> str:
    """Return the fingerprint of the layout of the entries in a listing page, a feed or an answer."""
    if re.match(r"\s*(?:<\?xml[^>]*>\s*)?<(?:feed|rss|rdf:RDF)\b", document.text):
        return markup_layout(document.feed.root, _XML_PARTS)
    return markup_layout(document.page.root, _PARTS)


def _page_links(document: Document, url: str, name: str) -> Iterator[tuple[int, str]]:
    """Yield number and address of the later pages in the paging of a listing."""
    here = query_number(url, name) or (1 if name == "page" else 0)
    for link in document.page.root.iter("a"):
        further = absolute_address(url, link.get("href") or "").partition("#")[0]
        number = query_number(further, name) if further.partition("?")[0] == url.partition("?")[0] else None
        if number is not None and number > here and (name == "page" or _in_paging(link)):
            yield number, further


def _in_paging(link: etree._Element) -> bool:
    """True if a link leads to another page, not to a day in the middle of one."""
    return any(above.tag == "small" or above.get("class") == "paging" for above in link.iterancestors())


def _days_of_months(today: date) -> tuple[date, date]:
    """Return a day of each month whose listing still grows."""
    return today, today - timedelta(days=_MONTH_END)


def _list_url(base: str, target: ListingTarget, what: str) -> str:
    """Return the address of a listing page with as many entries as possible."""
    return f"{base}/list/{target.category}/{what}?skip=0&show={_SHOWN}"


def _catchup_key(target: ListingTarget, day: date) -> str:
    """Return the folder of the captures of a day's catch-up page."""
    return f"{target.category}/catchup-{day}"


def _bare_key(request: Request) -> str:
    """Return the part after the category in the key of the first page."""
    return request.key.partition("/")[2].partition("+")[0]


def _query(target: ListingTarget, base: str, start: int) -> Request:
    """Make the request for a page of results, newest first."""
    asked = {
        "search_query": target.search or f"cat:{target.category}",
        "sortBy": "submittedDate",
        "sortOrder": "descending",
        "start": str(start),
        "max_results": str(min(_ASKED, target.results - start)),
    }
    name = "query" if target.search is None else f"query-{as_name(target.search)}"
    return _request(target, name if start == 0 else f"{name}+{start}", f"{base}/api/query?{urlencode(asked)}", ".xml")


def _request(target: ListingTarget, name: str, url: str, suffix: str = ".html") -> Request:
    """Make a request; the sidecar gets the category, if there is one."""
    folder = target.category or "search"
    return Request(f"{folder}/{name}", url, suffix, {"category": folder} if target.category else {})


def asked_at(url: str) -> dict[str, object] | None:
    """Return the target of an address of arXiv, such as ``https://arxiv.org/list/cs.DC/new``; None for other pages."""
    parts, query = urlsplit(url), parse_qs(urlsplit(url).query)
    if parts.hostname not in _OWN:
        return None
    if parts.path == "/api/query" and (search := query.get("search_query")):
        return {"listings": ["query"], "search": search[0]}
    if found := _ADDRESS.fullmatch(parts.path):
        what = found["what"] or found["kind"]
        listing = _NAMES.get(what, "month" if found["kind"] == "list" and what[0].isdecimal() else None)
        return {"category": found["category"], "listings": [listing or found["kind"]]}
    return None


_EXAMPLE: Final = """\
# arXiv: listings of a category:
#   new      the newest announcement, with abstracts; a missed night is not made up
#   catchup  all announcements of the last `days` and since the last capture, with abstracts: for nightly runs
#   recent   the last five announcements, without abstracts
#   month    the current month, without abstracts
#   feed     the daily feed
#   query    the first `results` results of the API, newest first, for the category or for `search`
[[arxiv]]
category = "cs.DC"
listings = ["new", "catchup"]
days = 5

[[arxiv]]
listings = ["query"]
search = "cat:cs.PF AND abs:scheduling"
results = 200
"""

WEB: Final = Web(ListingTarget, requests, follow, fingerprint, pause=3.0, example=_EXAMPLE, asked_at=asked_at)
