"""What fetching must know about a source: its targets, its requests, the further pages a page leads to, its layout.

A source with pages on the web has a module ``web`` that declares a ``Web``; everything in it is pure. Carrying requests
out, waiting and keeping what comes back belong to the pipeline; what any one source asks for does not belong here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from parsers._contract import Document

REACH: Final = timedelta(days=60)
"""How far back days are caught up with."""

_SETTLED: Final = timedelta(days=2)  # a day is not over everywhere on earth before
_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_LONGEST_NAME: Final = 80

Target = TypeVar("Target")


class TargetError(ValueError):
    """A target has a value that makes no sense; ``key`` names it, the message says what was expected."""

    def __init__(self, key: str, expected: str) -> None:
        """Keep the key for the message that names the file."""
        super().__init__(expected)
        self.key = key


@dataclass(frozen=True, slots=True)
class Request:
    """A page to ask for.

    ``key`` is the folder of its captures below that of the source, the same every night; ``suffix`` is that of the
    captures; ``facts`` go into their sidecars (event, timezone, year, category).
    """

    key: str
    url: str
    suffix: str
    facts: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Window:
    """What a source may know about time: the day of the run, and when each of its pages was last captured (UTC).

    ``asked`` are the pages that were ever asked for, also in vain.
    """

    today: date
    captured: Mapping[str, datetime] = field(default_factory=dict)
    asked: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Web(Generic[Target]):
    """How the pages of a source are asked for.

    ``target`` is a frozen dataclass, one entry of ``sources.toml``; its ``__post_init__`` raises ``TargetError``.
    ``requests`` yields the pages to begin with, ``follow`` those that a fetched page leads to, given the request whose
    ``url`` is the address it came from. ``fingerprint`` describes the layout of a page: equal for other content in the
    same layout, empty where a page shows nothing that has one. It raises ``DumpError`` where the page cannot be read,
    and opens a ledger: ask it after parsing. ``pause`` is the least number of seconds between two requests.
    ``example`` is the part of ``sources.toml`` that shows every key of the target: TOML, with comments where they help.
    """

    target: type[Target]
    requests: Callable[[Target, Window], Iterator[Request]]
    follow: Callable[[Target, Document, Request], Iterator[Request]]
    fingerprint: Callable[[Document], str]
    pause: float = 1.0
    example: str = ""


def follow_nothing(_target: object, _document: Document, _request: Request) -> Iterator[Request]:
    """Yield no further page: for sources whose pages stand alone."""
    yield from ()


@dataclass(frozen=True, slots=True)
class OnePage:
    """A target that is one page: its address, and what its sidecar should say where the page does not."""

    url: str
    event: str | None = None
    timezone: str | None = None
    year: int | None = None

    def __post_init__(self) -> None:
        """Raise ``TargetError`` where a value makes no sense."""
        check_address("url", self.url)
        check_text("event", self.event)


def one_page(suffix: str, fingerprint: Callable[[Document], str], example: str = "") -> Web[OnePage]:
    """Return how a source is fetched of which each target is one page; a page of another suffix says so itself.

    The sidecars of its captures say what the target does: event, time zone, year.
    """

    def requests(target: OnePage, _window: Window) -> Iterator[Request]:
        """Yield the page."""
        facts = {name: value for name in ("event", "timezone", "year") if (value := getattr(target, name)) is not None}
        own = re.search(r"\.(?:html|json|xml|txt)$", urlsplit(target.url).path)
        folder = as_name(target.event or urlsplit(target.url).hostname or "page")
        yield Request(f"{folder}/{stem_of(target.url)}", target.url, own[0] if own else suffix, facts)

    return Web(OnePage, requests, follow_nothing, fingerprint, example=example)


def check_address(key: str, url: str) -> None:
    """Raise ``TargetError`` where ``url`` is no address of a page on the web."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None
        good = good and parts.port != 0 and not re.search(r"\s", url)
    except ValueError:  # a port that is no number, a bracket that is not closed
        good = False
    if not good:
        raise TargetError(key, f"expected an address such as https://conference.example/program.html, found {url!r}")


def check_least(key: str, value: int, least: int, most: int) -> None:
    """Raise ``TargetError`` where a number is not within its bounds."""
    if not least <= value <= most:
        raise TargetError(key, f"expected a number from {least} to {most}, found {value}")


def check_text(key: str, value: str | None) -> None:
    """Raise ``TargetError`` where a text is there and blank."""
    if value is not None and not value.strip():
        raise TargetError(key, f"expected a text that is not blank, found {value!r}")


def as_name(text: str) -> str:
    """Return a text as the name of a folder: letters, digits, dots, hyphens; a hash stands for what is cut off."""
    name = _NOT_IN_NAMES.sub("-", text).strip("-.")
    if name and len(name) <= _LONGEST_NAME:
        return name
    digest = sha256(text.encode()).hexdigest()[:12]
    return f"{name[:_LONGEST_NAME]}-{digest}".strip("-")


def stem_of(url: str) -> str:
    """Return the name of the page in an address without its ending; ``index`` where a folder is addressed."""
    name = urlsplit(url).path.rsplit("/", 1)[-1]
    return as_name(name.rsplit(".", 1)[0] if "." in name else name or "index")


def query_number(url: str, name: str) -> int | None:
    """Return a whole number from the query of an address; None where it has none of this name."""
    values = parse_qs(urlsplit(url).query).get(name, [])
    return int(values[0]) if values and re.fullmatch(r"[0-9]{1,9}", values[0]) else None


def days_due(window: Window, key_of: Callable[[date], str], days: int) -> Iterator[date]:
    """Yield the days whose pages are to be asked for, oldest first.

    Those are the last ``days``, and all from the oldest one asked for on (``REACH`` at most), so that missed nights are
    caught up with; a day that was captured when it was surely over is not asked for again.
    """
    back = [window.today - timedelta(days=count) for count in range(REACH.days)]
    known = [day for day in back if key_of(day) in window.captured or key_of(day) in window.asked]
    first = min([*known, window.today - timedelta(days=days - 1)])
    for day in reversed(back):
        captured = window.captured.get(key_of(day))
        if day >= first and (captured is None or captured.date() < day + _SETTLED):
            yield day
