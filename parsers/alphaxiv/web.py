"""The pages of alphaXiv to fetch: the first pages of a feed, from the API that its own site uses.

{base}/papers/v3/feed?pageNum=0&pageSize=20&sort=Hot&interval=7+Days&topics=%5B%22cs.DC%22%5D
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import parse_qs, urlencode, urlsplit

from parsers._ledger.document import Document
from parsers._web.layout import data_layout
from parsers._web.web import Request, Web, Window, as_name, check_address, check_least, check_text

_PAGE_SIZE: Final = 20
_OWN: Final = frozenset({"alphaxiv.org", "www.alphaxiv.org", "api.alphaxiv.org"})
_FEEDS: Final = frozenset({"", "/explore", "/papers/v3/feed"})
_KEYS: Final = tuple(
    f"papers[].{key}" for key in ("universal_paper_id", "title", "abstract", "metrics", "publication_date", "topics")
)


@dataclass(frozen=True, slots=True)
class FeedTarget:
    """One feed: its topics (none: all), order, period, and the most pages to fetch."""

    topics: tuple[str, ...] = ()
    organizations: tuple[str, ...] = field(default=())
    sort: Literal["Hot", "Comments", "Views", "Likes", "GitHub", "Twitter (X)"] = "Hot"
    interval: Literal["3 Days", "7 Days", "30 Days", "90 Days", "All time"] = "7 Days"
    pages: int = 5
    base: str = "https://api.alphaxiv.org"

    def __post_init__(self) -> None:
        """Raise ``TargetError`` for an invalid value."""
        check_address("base", self.base)
        check_least("pages", self.pages, 1, 100)
        for key, names in (("topics", self.topics), ("organizations", self.organizations)):
            for place, name in enumerate(names):
                check_text(f"{key}[{place}]", name)


def requests(target: FeedTarget, _window: Window) -> Iterator[Request]:
    """Yield the first page of the feed."""
    yield _request(target, 0)


def follow(target: FeedTarget, document: Document, request: Request) -> Iterator[Request]:
    """Yield the next page, if the feed has one and the target wants it.

    Raises ``DumpError`` (malformed) if the answer is not JSON.
    """
    answer = document.data.value
    number = next((number for number in range(target.pages) if _request(target, number).key == request.key), None)
    papers = answer.get("papers") if isinstance(answer, dict) else answer
    if number is None or number + 1 >= target.pages or not (isinstance(papers, list) and papers):
        return
    page = answer.get("page") if isinstance(answer, dict) else None
    pages = page.get("totalPages") if isinstance(page, dict) else None
    if not isinstance(pages, int) or number + 1 < pages:
        yield _request(target, number + 1)


def fingerprint(document: Document) -> str:
    """Return the fingerprint of the keys of an answer."""
    return data_layout(document.data.value, _KEYS) if document.text.lstrip().startswith(("[", "{")) else ""


def _request(target: FeedTarget, number: int) -> Request:
    """Make the request for a page of the feed, counted from 0."""
    asked = {"pageNum": str(number), "pageSize": str(_PAGE_SIZE), "sort": target.sort, "interval": target.interval}
    lists = {"topics": target.topics, "organizations": target.organizations}
    asked |= {name: json.dumps(values) for name, values in lists.items() if values}
    named = " ".join([*target.topics, *target.organizations, target.sort, target.interval])
    url = f"{target.base.rstrip('/')}/papers/v3/feed?{urlencode(asked)}"
    return Request(f"{as_name(named)}/page-{number}", url, ".json")


def asked_at(url: str) -> dict[str, object] | None:
    """Return the target of an address of alphaXiv, its site or its API: a feed; None for other pages."""
    parts = urlsplit(url)
    if parts.hostname not in _OWN or parts.path.rstrip("/") not in _FEEDS:
        return None
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    lists: dict[str, object] = {name: _texts(asked[name]) for name in ("topics", "organizations") if name in asked}
    return {**lists, **{name: asked[name] for name in ("sort", "interval") if name in asked}}


def _texts(printed: str) -> list[str]:
    """Read a list of texts: JSON, or texts with commas between them."""
    try:
        read = json.loads(printed)
    except ValueError:
        read = printed.split(",")
    return [str(each).strip() for each in read] if isinstance(read, list) else [str(read)]


_EXAMPLE: Final = """\
# alphaXiv: the first `pages` pages of a feed, 20 papers each; without topics, all topics.
[[alphaxiv]]
topics = ["distributed-parallel-and-cluster-computing"]
sort = "Hot"                        # Hot, Comments, Views, Likes, GitHub, Twitter (X)
interval = "7 Days"                 # 3 Days, 7 Days, 30 Days, 90 Days, All time
pages = 5
"""

WEB: Final = Web(FeedTarget, requests, follow, fingerprint, example=_EXAMPLE, asked_at=asked_at)
