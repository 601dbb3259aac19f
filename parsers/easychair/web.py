"""The pages of a Smart Program to fetch: the index page of an event, and the day pages that it links to.

    <a href="2026-06-17.html">, <a href="2026-06-17.html#talk:101">, <a href="SUB-2026-06-18.html">

Day pages are in the folder of the index page. Overviews, rooms and persons add no programme.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from parsers._ledger.document import Document
from parsers._web.layout import markup_layout
from parsers._web.web import Request, Web, Window, as_name, check_address, check_text, stem_of
from parsers._words.text import absolute_address

_DAY_PAGE: Final = re.compile(r"(?:(?!bysession-|bytalk-)[\w-]+-)?\d{4}-\d{2}-\d{2}\.html", re.IGNORECASE)
_PARTS: Final = (
    ".session .heading",
    ".heading .interval",
    ".heading .title",
    ".session .talk",
    ".talk .time",
    ".talk .authors",
    ".talk .title",
)


@dataclass(frozen=True, slots=True)
class EventTarget:
    """One event: the address of its index page, its time zone, and its name if the pages print it badly."""

    url: str
    timezone: str
    event: str | None = None
    year: int | None = None

    def __post_init__(self) -> None:
        """Raise ``TargetError`` for an invalid value."""
        check_address("url", self.url)
        check_text("event", self.event)


def requests(target: EventTarget, _window: Window) -> Iterator[Request]:
    """Yield the index page."""
    yield _request(target, target.url)


def follow(target: EventTarget, document: Document, request: Request) -> Iterator[Request]:
    """Yield the day pages that an index page links to, in its order; none for a day page."""
    if request.key != _request(target, target.url).key:
        return
    folder = urljoin(request.url, ".")
    seen = {request.url}
    for link in document.page.root.iter("a"):
        url = absolute_address(request.url, link.get("href") or "").partition("#")[0]
        if url.startswith(folder) and _DAY_PAGE.fullmatch(url.removeprefix(folder)) and url not in seen:
            seen.add(url)
            yield _request(target, url)


def fingerprint(document: Document) -> str:
    """Return the fingerprint of the layout of a day page or index page."""
    return markup_layout(document.page.root, _PARTS)


def _request(target: EventTarget, url: str) -> Request:
    """Make the request for a page of the event."""
    folder = target.event or urlsplit(target.url).path.rsplit("/", 1)[0].rsplit("/", 1)[-1] or "program"
    facts = {"event": target.event, "timezone": target.timezone, "year": target.year}
    given = {key: value for key, value in facts.items() if value is not None}
    return Request(f"{as_name(folder)}/{stem_of(url)}", url, ".html", given)


_EXAMPLE: Final = """\
# EasyChair: a Smart Program by the URL of its index page; the day pages are found from there.
[[easychair]]
url = "https://easychair.example/smart-program/FJORD2026/index.html"
timezone = "Europe/Oslo"
event = "FJORD 2026"                # if the pages do not print it, or print it badly
year = 2026                         # the pages print no year
"""

WEB: Final = Web(EventTarget, requests, follow, fingerprint, example=_EXAMPLE)
