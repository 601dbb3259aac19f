"""Sites for tests of fetching: a server on loopback that acts as any host, with configurable faults.

A page is identified by host, path and query (``fair.example/day.html?p=2``) and has one reply or several, the last of
which stays. The pages of a source do not belong here.
"""

import gzip
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response
from werkzeug.datastructures import Headers

from parsers._contract import Source
from parsers._ledger.document import Document
from parsers._web.web import Request, Web, Window
from pipeline.base.settings import Settings
from pipeline.config import Config
from pipeline.fetching.fetch import Fetched, fetch, make_manners
from pipeline.fetching.request import Manners, Outside
from tests.support.of_sources import Specimen, part, specimens
from tests.support.toy import FAIR

PUBLIC = "93.184.216.34"
NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)


@dataclass(frozen=True)
class Reply:
    """The reply of a page. ``length`` is declared instead of the real one; there is a ``pause`` before every byte.

    With ``head`` the pauses are within the headers; with ``drop`` the connection ends without an answer.
    """

    body: bytes | str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    pause: float = 0.0
    head: bool = False
    drop: bool = False

    def packed(self) -> "Reply":
        """Return the same reply with its body packed by gzip."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        return replace(self, body=gzip.compress(body), headers={**self.headers, "Content-Encoding": "gzip"})


def redirect(target: str, status: int = 302) -> Reply:
    """Return the reply of a page that has moved."""
    return Reply(status=status, headers={"Location": target})


class AsGiven(Response):
    """A response whose headers are not corrected."""

    def get_wsgi_headers(self, _environ: object) -> Headers:
        """Return the headers to send."""
        return self.headers


class Sites:
    """All hosts of a test: their pages, and the requests that they got."""

    def __init__(self, port: int) -> None:
        """Start without pages and without any robots.txt."""
        self.port = port
        self.pages: dict[str, list[Reply]] = {}
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    def put(self, page: str, *replies: Reply | str) -> None:
        """Set the replies of a page, in order."""
        self.pages[page] = [Reply(reply) if isinstance(reply, str) else reply for reply in replies]

    def answer(self, request: Asked) -> Response:
        """Return the next reply of a page; 304 if it still has the etag or date of the request."""
        host = request.headers["Host"].replace(f"127.0.0.1:{self.port}", "here")
        page = f"{host}{request.environ['RAW_URI']}"
        self.asked.append((page, dict(request.headers)))
        replies = self.pages.get(page, [Reply("nothing here", 404)])
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        for mark, condition in (("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")):
            if (
                reply.status == 200
                and reply.headers.get(mark)
                and reply.headers[mark] == request.headers.get(condition)
            ):
                return AsGiven(status="304 Not Modified")
        connection = request.environ["werkzeug.socket"]  # the server itself always answers, and with whole headers
        if reply.drop:
            connection.shutdown(socket.SHUT_RDWR)
        if reply.head:
            for piece in drip(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000, reply.pause):
                connection.sendall(piece)
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        response = AsGiven(drip(body, reply.pause), f"{reply.status} {HTTPStatus(reply.status).phrase}")
        length = len(body) if reply.length is None else reply.length
        response.headers = Headers({**reply.headers, "Content-Length": str(length)})
        return response

    def pages_asked(self) -> list[str]:
        """Return the pages that were requested, without robots.txt."""
        return [page for page, _ in self.asked if not page.endswith("/robots.txt")]


def drip(data: bytes, pause: float) -> Iterator[bytes]:
    """Yield bytes, one by one if there is a pause before each."""
    for piece in [bytes([each]) for each in data] if pause else [data]:
        time.sleep(pause)
        yield piece


@contextmanager
def serving() -> Iterator[Sites]:
    """Run the server on loopback in this context."""
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    with HTTPServer("127.0.0.1", threaded=True) as server:
        sites = Sites(server.port)
        server.expect_request(re.compile("")).respond_with_handler(sites.answer)
        yield sites


class Everywhere(httpx.BaseTransport):
    """Sends requests for any host to the server on loopback, which distinguishes hosts by name."""

    def __init__(self, port: int) -> None:
        """Store the port of the server."""
        self._port = port
        self._real = httpx.HTTPTransport(verify=False)  # TLS is not used, and its certificates take long to load

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, whose header still names the host; hide the address that answered."""
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        response = self._real.handle_request(request)
        response.extensions.pop("network_stream")
        return response

    def close(self) -> None:
        """Close the connections."""
        self._real.close()


@dataclass
class Clock:
    """A clock that only advances by sleeping, and the time of the night, which stays the same."""

    seconds: float = 0.0
    night: int = 0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        """Advance the clock without waiting."""
        self.slept.append(round(seconds, 3))
        self.seconds += seconds

    def now(self) -> datetime:
        """Return the time of the current night."""
        return NIGHT + timedelta(days=self.night)


@dataclass(frozen=True)
class Stall:
    """A target of the invented source: a page, which links to others by lines ``next ADDRESS``."""

    url: str
    key: str = "day"
    facts: Mapping[str, str | int] = field(default_factory=dict)


def ask_stall(target: Stall, _window: Window) -> Iterator[Request]:
    """Yield the request for the page of a target."""
    yield Request(target.key, target.url, ".txt", target.facts)


def follow_stall(_target: Stall, document: Document, request: Request) -> Iterator[Request]:
    """Yield the requests for lines ``next ADDRESS``; a line ``break`` raises an error."""
    for line in document.text.splitlines():
        if line == "break":
            raise ZeroDivisionError("a defect")
        if line.startswith("next "):
            url = str(httpx.URL(request.url).join(line.removeprefix("next ")))
            yield Request(f"more/{url.rsplit('/', 1)[-1]}", url, ".txt")


SHOP = replace(FAIR, web=Web(Stall, ask_stall, follow_stall, lambda _: "", pause=3.0))


class Nights:
    """Fetches night after night into a raw root, from sites that a test fills."""

    def __init__(self, raw: Path, sites: Sites) -> None:
        """Start with the first night."""
        self.raw = raw
        self.raw.mkdir(exist_ok=True)
        self.sites = sites
        self.clock = Clock()
        self.said: list[str] = []
        self.watch: Callable[[str], None] = self.said.append
        self.numbers: dict[str, str] = {}
        self.outside = Outside(
            self.clock.now, lambda: self.clock.seconds, self.clock.sleep, self._look_up, Everywhere(sites.port)
        )

    def _look_up(self, host: str) -> list[str]:
        """Return the IP address of a host: a public one unless the test sets another."""
        return [self.numbers.get(host, PUBLIC)]

    def fetch(self, *targets: object, source: Source = SHOP, contact: str | None = "ann@fair.example") -> Fetched:
        """Fetch the targets of a source."""
        config = Config(Path("sources.toml"), contact, None, {source.name: targets}, {})
        return fetch(Settings(self.raw, self.raw.parent / "out"), config, [source], self.watch, self.outside)

    def next_night(self) -> None:
        """Let a day pass."""
        self.clock.night += 1

    def captures(self, folder: str = "") -> dict[str, bytes]:
        """Return the bytes of all captures by path."""
        files = sorted((self.raw / folder).rglob("2*Z*"))
        return {file.relative_to(self.raw).as_posix(): file.read_bytes() for file in files if file.suffix != ".toml"}


def quickly(change: Mapping[str, Any]) -> Callable[[Settings, Config], Manners]:
    """Return a replacement for ``make_manners``: no backoff, and the given changes."""
    return lambda settings, config: replace(make_manners(settings, config), **{"backoff": 0.0, **change})


def as_toml(target: dict[str, Any]) -> str:
    """Return the plain values of a target as TOML."""
    return "".join(f"{key} = {value!r}\n" for key, value in target.items())


def site_of(source: str) -> Any:
    """Return the invented site of a source: its own, else one with each of its specimens as a page."""
    return part(source, "site") or MadeSite(source)


class MadeSite:
    """A site made from the specimens of a source whose targets are single pages."""

    STEADY = True

    def __init__(self, source: str) -> None:
        """Make the targets, with facts from the sidecars of the specimens, and read the titles."""
        self.HOST = f"{source.replace('_', '-')}.example"
        self._pages = [each for each in specimens() if each.source == source]
        self.TARGETS = [self._target(each) for each in self._pages]
        read = [each.read(each.text) for each in self._pages]
        self.TITLES = frozenset(record.title for each in read if each for record in each[0].records)

    def _target(self, page: Specimen) -> dict[str, Any]:
        """Return the target of a page."""
        given = {name: getattr(page.facts, name) for name in ("event", "timezone", "year")}
        known = {name: value for name, value in given.items() if value is not None}
        beside = [f"https://{self.HOST}/{each.name}" for each in page.companions]
        urls = {"urls": beside} if beside else {}
        return {"url": f"https://{self.HOST}/{page.file.name}", **urls, **known}

    def fill(self, sites: Sites) -> None:
        """Put the pages in place."""
        for file in (each for page in self._pages for each in (page.file, *page.companions)):
            sites.put(f"{self.HOST}/{file.name}", file.read_text(encoding="utf-8"))


def fill_here(sites: Sites, source: str) -> str:
    """Put the pages of a source in place, under the address of the server; return the configuration."""
    own = Sites(0)
    site_of(source).fill(own)
    for page, replies in own.pages.items():
        sites.put(page.replace(site_of(source).HOST, "here", 1), *replies)
    return table(sites, source)


def table(sites: Sites, source: str) -> str:
    """Return the targets of a source as configuration, with the address of the server."""
    tables = "".join(f"[[{source}]]\n{as_toml(target)}" for target in site_of(source).TARGETS)
    return tables.replace(f"https://{site_of(source).HOST}", f"http://127.0.0.1:{sites.port}")
