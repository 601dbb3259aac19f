"""What is requested of alphaXiv: the pages of a feed; what counts as a layout."""

import json
from datetime import date
from functools import partial
from typing import Any

import pytest

from parsers._ledger.document import Document, DumpError
from parsers._web.web import Request, TargetError, Window
from parsers.alphaxiv.web import WEB, FeedTarget, asked_at
from tests.sources.alphaxiv import site
from tests.support.helpers import fingerprint_of

fingerprint = partial(fingerprint_of, "alphaxiv")

FOAM = site.paper(1, "Foam")


def first(target: FeedTarget) -> Request:
    """Return the request of the first page."""
    (request,) = WEB.requests(target, Window(date(2026, 11, 21)))
    return request


def led(text: str, target: FeedTarget, page: int = 0) -> list[str]:
    """Return the keys of the pages to which a page of the feed leads."""
    request = first(target)
    key = request.key.replace("page-0", f"page-{page}")
    document = Document.from_bytes("x", text.encode())
    return [one.key for one in WEB.follow(target, document, Request(key, request.url, ".json"))]


def test_all_papers() -> None:
    """Without topics the plain feed is requested."""
    assert first(FeedTarget()) == Request(
        "Hot-7-Days/page-0",
        "https://api.alphaxiv.org/papers/v3/feed?pageNum=0&pageSize=20&sort=Hot&interval=7+Days",
        ".json",
    )


def test_a_feed_of_topics_and_organizations() -> None:
    """Topics and organizations are sent as JSON lists, and each feed has its own folder."""
    request = first(FeedTarget(("cs.DC",), ("Mole Lab",), "Twitter (X)", "All time", base="http://feed.example/"))
    assert (request.key, request.url) == (
        "cs.DC-Mole-Lab-Twitter-X-All-time/page-0",
        "http://feed.example/papers/v3/feed?pageNum=0&pageSize=20&sort=Twitter+%28X%29&interval=All+time"
        "&topics=%5B%22cs.DC%22%5D&organizations=%5B%22Mole+Lab%22%5D",
    )


@pytest.mark.parametrize(
    ("answer", "page", "further"),
    [
        (json.loads(site.answer(0, 3, FOAM)), 0, [1]),
        (json.loads(site.answer(2, 3, FOAM)), 2, []),
        (json.loads(site.answer(0, 3)), 0, []),
        ({"papers": [FOAM], "page": 0}, 0, [1]),
        ({"papers": [FOAM]}, 1, [2]),
        ([FOAM], 0, [1]),
        ([], 0, []),
        ([FOAM], 3, []),
        ("no list", 0, []),
        ([FOAM], 9, []),
    ],
)
def test_the_next_page(answer: Any, page: int, further: list[int]) -> None:
    """The next page is requested while the feed has one and the target wants one."""
    assert led(json.dumps(answer), FeedTarget(pages=4), page) == [f"Hot-7-Days/page-{number}" for number in further]


def test_an_answer_that_is_no_data() -> None:
    """An answer that is not JSON leads to no further page."""
    with pytest.raises(DumpError, match="malformed"):
        led("<html>", FeedTarget())


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"pages": 0}, "pages"),
        ({"topics": ("a", " ")}, "topics[1]"),
        ({"organizations": ("",)}, "organizations[0]"),
        ({"base": "x"}, "base"),
    ],
)
def test_mistakes_in_a_target(given: dict[str, Any], key: str) -> None:
    """The message names the key."""
    with pytest.raises(TargetError) as error:
        FeedTarget(**given)
    assert error.value.key == key


def test_the_same_layout() -> None:
    """Other papers and optional keys give the same fingerprint."""
    more = {**site.paper(2, "Maps"), "github_url": "x", "organization_info": []}
    prints = {fingerprint(site.answer(0, 1, FOAM)), fingerprint(site.answer(3, 9, more, FOAM, more))}
    assert (len(prints), "" in prints) == (1, False)


@pytest.mark.parametrize("name", ["papers", "universal_paper_id", "title", "abstract"])
def test_another_layout(name: str) -> None:
    """A missing required key gives another fingerprint; an answer without papers has none."""
    page = site.answer(0, 1, FOAM)
    assert fingerprint(page.replace(f'"{name}"', '"other"')) != fingerprint(page)


@pytest.mark.parametrize(
    ("url", "values"),
    [
        ("https://www.alphaxiv.org/", {}),
        ("https://alphaxiv.org/?sort=Hot&interval=7+Days", {"sort": "Hot", "interval": "7 Days"}),
        ("https://www.alphaxiv.org/?topics=%5B%22cs.DC%22%2C%22cs.PF%22%5D", {"topics": ["cs.DC", "cs.PF"]}),
        ("https://www.alphaxiv.org/explore?topics=cs.DC,cs.PF", {"topics": ["cs.DC", "cs.PF"]}),
        ("https://api.alphaxiv.org/papers/v3/feed?organizations=%22Mole%22&pageNum=3", {"organizations": ["Mole"]}),
        ("https://www.alphaxiv.org/abs/2601.00001", None),
        ("https://jam.example/", None),
    ],
)
def test_an_address_says_what_to_ask_for(url: str, values: dict[str, object] | None) -> None:
    """A feed has topics, order and period; of other pages and other sites there is none."""
    assert asked_at(url) == values
