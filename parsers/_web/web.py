"""What fetching needs to know about a source: its targets, requests, the further pages a page leads to, its layout.

A source with pages on the web has a module ``web`` that declares a ``Web``; everything in it is pure. Sending requests,
waiting and storing responses belong to the pipeline; the requests of any one source do not belong here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Final, Generic, TypeVar
from urllib.parse import parse_qs, urlsplit

from parsers._ledger.document import Document

REACH: Final = timedelta(days=60)
"""How far back missed days are fetched."""

_SETTLED: Final = timedelta(days=2)
"""How long after it began a day is over everywhere on earth."""

_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_LONGEST_NAME: Final = 80
_SUFFIX: Final = re.compile(r"\.(?:html|json|xml|txt|ics|csv|tsv|ya?ml|js)$")

Target = TypeVar("Target")


class TargetError(ValueError):
    """A target has an invalid value; ``key`` names it, the message says what was expected."""

    def __init__(self, key: str, expected: str) -> None:
        """Keep the key for the message that names the file."""
        super().__init__(expected)
        self.key = key


@dataclass(frozen=True, slots=True)
class Request:
    """A page to fetch.

    ``key`` is the folder of its captures below that of the source, the same every night; ``suffix`` is the file suffix
    of the captures; ``facts`` go into their sidecars (event, timezone, year, category). ``companions`` are the files
    that belong to the page and are kept with it, or not at all: the name of each, and its address.
    """

    key: str
    url: str
    suffix: str
    facts: Mapping[str, str | int] = field(default_factory=dict)
    companions: tuple[tuple[str, str], ...] = ()

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of the page and of its companions."""
        return self.url, *(url for _, url in self.companions)


@dataclass(frozen=True, slots=True)
class Window:
    """What a source may know about time: the day of the run, and when each of its pages was last captured (UTC).

    ``asked`` are the keys of all pages ever requested, successfully or not.
    """

    today: date
    captured: Mapping[str, datetime] = field(default_factory=dict)
    asked: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Web(Generic[Target]):
    """How to fetch the pages of a source.

    ``target`` is a frozen dataclass, one entry of ``sources.toml``; its ``__post_init__`` raises ``TargetError``.
    ``requests`` yields the first pages, ``follow`` those that a fetched page leads to, given the request with the
    page's final ``url``. ``fingerprint`` describes the layout of a page: equal for other content in the same layout,
    empty if the page shows nothing that has a layout. It raises ``DumpError`` if the page cannot be read, and opens a
    ledger: call it after parsing. ``pause`` is the least number of seconds between two requests. ``example`` is the
    part of ``sources.toml`` that shows every key of the target: TOML, with comments where they help. ``asked_at`` is
    for targets that are no addresses: it returns what an address of the site asks for, as values of a target; None for
    one that asks for nothing of the kind.
    """

    target: type[Target]
    requests: Callable[[Target, Window], Iterator[Request]]
    follow: Callable[[Target, Document, Request], Iterator[Request]]
    fingerprint: Callable[[Document], str]
    pause: float = 1.0
    example: str = ""
    asked_at: Callable[[str], Mapping[str, object] | None] | None = None


def follow_nothing(_target: object, _document: Document, _request: Request) -> Iterator[Request]:
    """Yield no further page: for sources without linked pages."""
    yield from ()


@dataclass(frozen=True, slots=True)
class OnePage:
    """A target that is one page: its address, and what its sidecar should say if the page does not.

    ``urls`` are the addresses of its companions, each with the name of the file at its end.
    """

    url: str
    event: str | None = None
    timezone: str | None = None
    year: int | None = None
    urls: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``TargetError`` for an invalid value."""
        check_address("url", self.url)
        for url in self.urls:
            check_address("urls", url)
        check_text("event", self.event)


def one_page(suffix: str, fingerprint: Callable[[Document], str], example: str = "") -> Web[OnePage]:
    """Return the ``Web`` of a source whose targets are single pages; a suffix in the address overrides ``suffix``.

    The sidecars of its captures get event, time zone and year from the target.
    """

    def requests(target: OnePage, _window: Window) -> Iterator[Request]:
        """Yield the page."""
        facts = {name: value for name in ("event", "timezone", "year") if (value := getattr(target, name)) is not None}
        folder = as_name(target.event or urlsplit(target.url).hostname or "page")
        beside = tuple((file_name(url), url) for url in target.urls)
        yield Request(f"{folder}/{stem_of(target.url)}", target.url, suffix_of(target.url) or suffix, facts, beside)

    return Web(OnePage, requests, follow_nothing, fingerprint, example=example)


def check_address(key: str, url: str) -> None:
    """Raise ``TargetError`` if ``url`` is not the address of a web page."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None
        good = good and parts.port != 0 and not re.search(r"\s", url)
    except ValueError:  # an invalid port, an unclosed bracket
        good = False
    if not good:
        raise TargetError(key, f"expected a URL such as https://conference.example/program.html, found {url!r}")


def check_least(key: str, value: int, least: int, most: int) -> None:
    """Raise ``TargetError`` if a number is out of bounds."""
    if not least <= value <= most:
        raise TargetError(key, f"expected a number from {least} to {most}, found {value}")


def check_text(key: str, value: str | None) -> None:
    """Raise ``TargetError`` if a text is given and blank."""
    if value is not None and not value.strip():
        raise TargetError(key, f"expected non-blank text, found {value!r}")


def as_name(text: str) -> str:
    """Return a text as a folder name: letters, digits, dots, hyphens; a hash replaces what is cut off."""
    name = _NOT_IN_NAMES.sub("-", text).strip("-.")
    if name and len(name) <= _LONGEST_NAME:
        return name
    digest = sha256(text.encode()).hexdigest()[:12]
    return f"{name[:_LONGEST_NAME]}-{digest}".strip("-")


def stem_of(url: str) -> str:
    """Return the file name in an address without its suffix; ``index`` for a folder."""
    name = urlsplit(url).path.rsplit("/", 1)[-1]
    return as_name(name.rsplit(".", 1)[0] if "." in name else name or "index")


def file_name(url: str) -> str:
    """Return the file name in an address with its suffix, if that is one of a dump."""
    return f"{stem_of(url)}{suffix_of(url)}"


def suffix_of(url: str) -> str:
    """Return the suffix of a dump at the end of an address; empty without one."""
    found = _SUFFIX.search(urlsplit(url).path)
    return found[0] if found else ""


def query_number(url: str, name: str) -> int | None:
    """Return a whole number from the query of an address; None if the name is not there."""
    values = parse_qs(urlsplit(url).query).get(name, [])
    return int(values[0]) if values and re.fullmatch(r"[0-9]{1,9}", values[0]) else None


def is_over(day: date, moment: datetime) -> bool:
    """True if at a moment (UTC) a day was surely over: what its page shows then is all of it."""
    return moment.date() >= day + _SETTLED


def days_due(window: Window, key_of: Callable[[date], str], days: int) -> Iterator[date]:
    """Yield the days whose pages are to be fetched, oldest first.

    These are the last ``days``, and all since the oldest one ever requested (at most ``REACH``), to catch up on missed
    nights; a day that was captured when it was surely over is not fetched again.
    """
    back = [window.today - timedelta(days=count) for count in range(REACH.days)]
    known = [day for day in back if key_of(day) in window.captured or key_of(day) in window.asked]
    first = min([*known, window.today - timedelta(days=days - 1)])
    for day in reversed(back):
        captured = window.captured.get(key_of(day))
        if day >= first and (captured is None or not is_over(day, captured)):
            yield day
