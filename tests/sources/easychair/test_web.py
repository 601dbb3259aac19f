"""What is requested of a Smart Program: the index page and its day pages; what counts as a layout."""

from datetime import date
from functools import partial

import pytest

from parsers._ledger.document import Document
from parsers._web.web import Request, TargetError, Window
from parsers.easychair.web import WEB, EventTarget
from tests.sources.easychair import site
from tests.support.helpers import fingerprint_of

fingerprint = partial(fingerprint_of, "easychair")

URL = "https://programs.example/smart-program/CRUMB2026/index.html"
TARGET = EventTarget(URL, "Europe/Oslo", "CRUMB 2026", 2026)
INDEX = Request("CRUMB-2026/index", URL, ".html", {"event": "CRUMB 2026", "timezone": "Europe/Oslo", "year": 2026})


def first(target: EventTarget) -> Request:
    """Return the request of the index page."""
    (request,) = WEB.requests(target, Window(date(2026, 6, 1)))
    return request


def led(body: str, request: Request = INDEX) -> list[tuple[str, str]]:
    """Return key and address of the pages to which a page leads."""
    document = Document.from_bytes("x", f"<html><body>{body}</body></html>".encode())
    return [
        (one.key, one.url.removeprefix("https://programs.example/")) for one in WEB.follow(TARGET, document, request)
    ]


def test_the_index_page() -> None:
    """It is requested first; facts that the pages do not print go into its sidecar."""
    assert first(TARGET) == INDEX


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://programs.example/smart-program/CRUMB2026/", "CRUMB2026/index"),
        ("https://programs.example/smart-program/CRUMB2026/index.html?x=1", "CRUMB2026/index"),
        ("https://programs.example", "program/index"),
    ],
)
def test_an_event_without_a_name(url: str, key: str) -> None:
    """The folder is named after the address, and no event is set."""
    request = first(EventTarget(url, "Europe/Oslo"))
    assert (request.key, request.facts) == (key, {"timezone": "Europe/Oslo"})


@pytest.mark.parametrize(
    ("body", "further"),
    [
        ('<a href="2026-06-17.html">1</a>', [("CRUMB-2026/2026-06-17", "smart-program/CRUMB2026/2026-06-17.html")]),
        (
            '<a href="./2026-06-17.html#talk:1">1</a><a href="2026-06-17.html">2</a><a name="x">3</a><a href="http://[">4</a>',
            [("CRUMB-2026/2026-06-17", "smart-program/CRUMB2026/2026-06-17.html")],
        ),
        (
            '<a href="SUB-2026-06-18.html">1</a>',
            [("CRUMB-2026/SUB-2026-06-18", "smart-program/CRUMB2026/SUB-2026-06-18.html")],
        ),
        ('<a href="bysession-2026-06-17.html">1</a><a href="bytalk-2026-06-17.html">2</a>', []),
        ('<a href="person1.html">1</a><a href="index.html">2</a><a href="talk_author_index.html">3</a>', []),
        ('<a href="../CRUMB2025/2025-06-17.html">1</a><a href="https://x.example/2026-06-17.html">2</a>', []),
    ],
)
def test_day_pages(body: str, further: list[tuple[str, str]]) -> None:
    """Each day page in the folder of the index page is requested once; overviews, persons and other events are not."""
    assert led(body) == further


def test_a_day_page_leads_nowhere() -> None:
    """Nothing follows a day page, since the index page has all days."""
    request = Request("CRUMB-2026/2026-06-17", URL.replace("index", "2026-06-17"), ".html", INDEX.facts)
    assert led('<a href="2026-06-18.html">1</a>', request) == []


@pytest.mark.parametrize(("given", "key"), [(("x", "UTC"), "url"), ((URL, "UTC", " "), "event")])
def test_mistakes_in_a_target(given: tuple[str, ...], key: str) -> None:
    """The message names the key."""
    with pytest.raises(TargetError) as error:
        EventTarget(*given)  # type: ignore[arg-type]
    assert error.value.key == key


PAGE = site.day_page(*site.WEDNESDAY)


@pytest.mark.parametrize(
    "other",
    [
        site.day_page(*site.THURSDAY),
        PAGE.replace(
            '<div class="abstract">', '<div class="presenter">PRESENTER: Anna Vell</div><div class="abstract">'
        ),
        PAGE.replace('<table class="talks">', '<div class="room">Great Hall</div><table class="talks">'),
        PAGE.replace("<body>", '<body><div id="content"><div>').replace(' class="person"', ""),
    ],
)
def test_the_same_layout(other: str) -> None:
    """Other talks, optional parts and another frame give the same fingerprint."""
    assert (fingerprint(PAGE) != "", fingerprint(other)) == (True, fingerprint(PAGE))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('class="authors"', 'class="people"'),
        ('class="interval"', 'class="hours"'),
        ('class="talk"', 'class="item"'),
        ('<div class="heading">', "<header>"),
        ("<td><a name", "<td><b><a name"),
    ],
)
def test_another_layout(old: str, new: str) -> None:
    """A renamed or moved part gives another fingerprint."""
    changed = PAGE.replace(old, new)
    assert (changed != PAGE, fingerprint(changed) != fingerprint(PAGE)) == (True, True)
