"""What is asked of arXiv: addresses, paging, days to catch up with, and what makes a layout."""

from datetime import UTC, date, datetime
from functools import partial

import pytest

from parsers._ledger.document import Document
from parsers._web.web import Request, TargetError, Window
from parsers.arxiv.web import WEB, Listing, ListingTarget, asked_at
from tests.sources.arxiv import site
from tests.support.helpers import fingerprint_of

fingerprint = partial(fingerprint_of, "arxiv")

FRIDAY = date(2026, 11, 20)
CS: dict[str, str | int] = {"category": "cs.DC"}
NEW = Request("cs.DC/new", "https://arxiv.org/list/cs.DC/new?skip=0&show=2000", ".html", CS)
QUERY = "https://export.arxiv.org/api/query?search_query=cat%3Acs.DC&sortBy=submittedDate&sortOrder=descending"


def asked(target: ListingTarget, today: date = FRIDAY, **captured: datetime) -> list[str]:
    """Return the addresses that a target asks for first."""
    return [request.url for request in WEB.requests(target, Window(today, captured))]


def led(text: str, request: Request = NEW, target: ListingTarget | None = None) -> list[tuple[str, str]]:
    """Return key and address of the pages to which a page leads."""
    document = Document.from_bytes("x", text.encode())
    return [(one.key, one.url) for one in WEB.follow(target or ListingTarget("cs.DC"), document, request)]


@pytest.mark.parametrize(
    ("listing", "urls"),
    [
        ("new", ["https://arxiv.org/list/cs.DC/new?skip=0&show=2000"]),
        ("recent", ["https://arxiv.org/list/cs.DC/recent?skip=0&show=2000"]),
        ("month", ["https://arxiv.org/list/cs.DC/2026-11?skip=0&show=2000"]),
        ("catchup", [f"https://arxiv.org/catchup/cs.DC/2026-11-{day}?abs=True" for day in (18, 19, 20)]),
        ("feed", ["https://rss.arxiv.org/atom/cs.DC"]),
        ("query", [f"{QUERY}&start=0&max_results=200"]),
    ],
)
def test_each_kind_of_listing(listing: Listing, urls: list[str]) -> None:
    """Its first page, showing as much as it can; arXiv is asked once in three seconds."""
    assert (asked(ListingTarget("cs.DC", (listing,), days=3)), WEB.pause) == (urls, 3.0)


def test_requests_say_the_category() -> None:
    """The sidecar of a listing has it; the folder is the same every night."""
    assert list(WEB.requests(ListingTarget("cs.DC"), Window(FRIDAY))) == [NEW]


def test_a_mirror() -> None:
    """All kinds of listings are asked of it."""
    target = ListingTarget("cs.DC", ("new", "feed"), base="http://mirror.example/arxiv/")
    assert asked(target) == [
        "http://mirror.example/arxiv/list/cs.DC/new?skip=0&show=2000",
        "http://mirror.example/arxiv/atom/cs.DC",
    ]


def test_a_search() -> None:
    """Without a category the finds have a folder of their own."""
    (request,) = WEB.requests(
        ListingTarget(None, ("query",), search="abs:foam AND cat:cs.PF", results=7), Window(FRIDAY)
    )
    assert (request.key, request.facts) == ("search/query-abs-foam-AND-cat-cs.PF", {})
    assert "search_query=abs%3Afoam+AND+cat%3Acs.PF&" in request.url
    assert request.url.endswith("&start=0&max_results=7")


@pytest.mark.parametrize(
    ("today", "months"),
    [
        (date(2026, 12, 1), ["2026-11", "2026-12"]),
        (date(2026, 12, 4), ["2026-12"]),
        (date(2027, 1, 3), ["2026-12", "2027-01"]),
    ],
)
def test_the_month_before_still_grows(today: date, months: list[str]) -> None:
    """In the first days of a month its listing is asked for, too."""
    assert asked(ListingTarget("cs.DC", ("month",)), today) == [
        f"https://arxiv.org/list/cs.DC/{month}?skip=0&show=2000" for month in months
    ]


def test_nothing_is_announced_at_weekends() -> None:
    """Saturday and Sunday are no days to catch up with."""
    urls = asked(ListingTarget("cs.DC", ("catchup",), days=4), date(2026, 11, 23))
    assert [url[-19:-9] for url in urls] == ["2026-11-20", "2026-11-23"]


def test_missed_nights_are_caught_up_with() -> None:
    """From the oldest day on that was captured; days that were over by then are not asked for again."""
    captured = {
        "cs.DC/catchup-2026-11-10": datetime(2026, 11, 12, 3, tzinfo=UTC),
        "cs.DC/catchup-2026-11-11": datetime(2026, 11, 12, 3, tzinfo=UTC),
        "cs.LG/catchup-2026-11-02": datetime(2026, 11, 4, 3, tzinfo=UTC),
    }
    urls = asked(ListingTarget("cs.DC", ("catchup",), days=1), FRIDAY, **captured)
    assert [int(url[-11:-9]) for url in urls] == [11, 12, 13, 16, 17, 18, 19, 20]


@pytest.mark.parametrize(
    ("paging", "further"),
    [
        ("<div class='paging'>Total of 9 entries</div>", []),
        (
            "<div class='paging'><span>1-2</span> <a href=/list/cs.DC/new?skip=4&amp;show=2>5-6</a>"
            "<a href=/list/cs.DC/new?skip=2&amp;show=2>3-4</a></div>",
            [("cs.DC/new+2", "https://arxiv.org/list/cs.DC/new?skip=2&show=2")],
        ),
        (
            '<small>[ total of 76 entries: <b>1-25</b> | <a href="/list/cs.DC/new?skip=25&show=25">26-50</a> ]</small>',
            [("cs.DC/new+25", "https://arxiv.org/list/cs.DC/new?skip=25&show=25")],
        ),
        ('<ul><li><a href="/list/cs.DC/new?skip=25&show=25">Thu, 19 Nov 2026</a></li></ul>', []),
        ("<div class='paging'><a href=/list/cs.LG/new?skip=2&amp;show=2>3-4</a></div>", []),
        ("<div class='paging'><a href=https://x.example/list/cs.DC/new?skip=2>3-4</a></div>", []),
        ("<div class='paging'><a href=?skip=0&show=2>1-2</a><a>3</a><a href=?skip=x>4</a></div>", []),
    ],
)
def test_paging(paging: str, further: list[tuple[str, str]]) -> None:
    """The next page of the same listing, in either layout; a day in the middle of a page is none."""
    assert led(f"<html><body>{paging}</body></html>") == further


def test_pages_of_a_long_listing_have_folders_of_one_kind() -> None:
    """A third page is not named after the second."""
    second = Request("cs.DC/new+2", "https://arxiv.org/list/cs.DC/new?skip=2&show=2", ".html", CS)
    page = "<div class='paging'><a href=?skip=0&show=2>1</a><a href=?skip=4&show=2>3</a></div>"
    assert led(page, second) == [("cs.DC/new+4", "https://arxiv.org/list/cs.DC/new?skip=4&show=2")]


def test_paging_of_a_day_to_catch_up_with() -> None:
    """It counts pages, from 1."""
    url = "https://arxiv.org/catchup/cs.DC/2026-11-20?abs=True"
    page = '<p>View page: 1 <a href="?page=2&abs=True">2</a> <a href="?page=3&abs=True">3</a></p>'
    request = Request("cs.DC/catchup-2026-11-20", url, ".html", CS)
    assert led(page, request) == [
        ("cs.DC/catchup-2026-11-20+2", "https://arxiv.org/catchup/cs.DC/2026-11-20?page=2&abs=True")
    ]


@pytest.mark.parametrize(
    ("number", "total", "results", "starts"),
    [(2, 9, 9, [2]), (2, 2, 9, []), (2, 9, 2, []), (0, 9, 9, []), (1, 9, 2, [1])],
)
def test_paging_of_finds(number: int, total: int, results: int, starts: list[int]) -> None:
    """While there are more and the target wants them; a page without finds is the last."""
    target = ListingTarget("cs.DC", ("query",), results=results)
    (request,) = WEB.requests(target, Window(FRIDAY))
    found = led(site.answer(site.ALL[:number], 0, total), request, target)
    expected = [f"{QUERY}&start={start}&max_results={results - start}" for start in starts]
    assert ([url for _, url in found], [key for key, _ in found]) == (
        expected,
        [f"cs.DC/query+{start}" for start in starts],
    )


def test_a_feed_leads_nowhere() -> None:
    """It has one page."""
    request = Request("cs.DC/feed", "https://rss.arxiv.org/atom/cs.DC", ".xml", CS)
    assert led(site.feed(site.ALL), request) == []


@pytest.mark.parametrize(
    ("given", "key", "expected"),
    [
        ({}, "category", "expected a category, which only listings = ['query'] with a search can omit"),
        ({"category": "DC"}, "category", "expected a category such as cs.DC or hep-th, found 'DC'"),
        ({"category": "cs.DC/new"}, "category", "expected a category such as cs.DC or hep-th, found 'cs.DC/new'"),
        ({"category": "cs", "listings": ()}, "listings", "expected at least one listing"),
        ({"category": "cs", "search": "x"}, "search", "expected 'query' in listings, because a search is set"),
        ({"category": "cs", "days": 61}, "days", "expected a number from 1 to 60, found 61"),
        ({"category": "cs", "results": 0}, "results", "expected a number from 1 to 10000, found 0"),
        ({"listings": ("query",), "search": " "}, "search", "expected non-blank text, found ' '"),
        ({"category": "cs", "base": "x"}, "base", "expected a URL such as"),
    ],
)
def test_mistakes_in_a_target(given: dict[str, object], key: str, expected: str) -> None:
    """The key is named."""
    with pytest.raises(TargetError) as error:
        ListingTarget(**given)  # type: ignore[arg-type]
    assert (error.value.key, str(error.value).startswith(expected)) == (key, True)


NEW_PAGE = site.new_page(site.ALL, "showing 4 of 4 entries", "Total of 4 entries")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NEW_PAGE, site.new_page(site.ALL[1:2], "showing 1 of 1 entries", "Total of 1 entries")),
        (NEW_PAGE, NEW_PAGE.replace("<div class='meta'>", "<div class='meta odd'>")),
        (NEW_PAGE, NEW_PAGE.replace("<body>", "<body><header><nav><a href='/'>arXiv</a></nav></header><main>")),
        (NEW_PAGE, NEW_PAGE.replace("Authors</span>", "By</span>").replace("<p class='mathjax'>We", "<p>We", 1)),
        (site.feed(site.ALL), site.feed(site.ALL[:1])),
        (site.answer(site.ALL, 0, 9), site.answer(site.ALL[:1], 8, 9)),
    ],
)
def test_the_same_layout(one: str, other: str) -> None:
    """Other content, another frame of the page: the same fingerprint."""
    assert (fingerprint(one) != "", fingerprint(one) == fingerprint(other)) == (True, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("list-title", "entry-title"),
        ("list-authors", "authors"),
        ("list-subjects", "subjects"),
        ("<div class='meta'>", "<div class='meta'><div>"),
        ("<dd>", "<dd><section>"),
        ("<dl id='articles'>", "<ol id='articles'>"),
    ],
)
def test_another_layout(old: str, new: str) -> None:
    """A part that is named or placed otherwise: another fingerprint."""
    changed = NEW_PAGE.replace(old, new)
    assert (changed != NEW_PAGE, fingerprint(changed) != fingerprint(NEW_PAGE)) == (True, True)


def test_kinds_of_pages_differ() -> None:
    """Page, feed and answer have each its own layout; a page without entries has none."""
    prints = {fingerprint(text) for text in (NEW_PAGE, site.feed(site.ALL), site.answer(site.ALL, 0, 9))}
    assert (len(prints), fingerprint("<html><div id='dlpage'><p>No updates today.</p></div></html>")) == (3, "")


@pytest.mark.parametrize(
    ("url", "values"),
    [
        ("https://arxiv.org/list/cs.DC/new", {"category": "cs.DC", "listings": ["new"]}),
        ("https://arxiv.org/list/cs.DC", {"category": "cs.DC", "listings": ["new"]}),
        ("https://www.arxiv.org/list/hep-th/pastweek?skip=0&show=50", {"category": "hep-th", "listings": ["recent"]}),
        ("https://arxiv.org/list/cs.DC/2026-07", {"category": "cs.DC", "listings": ["month"]}),
        ("https://arxiv.org/list/cs.DC/current", {"category": "cs.DC", "listings": ["month"]}),
        ("https://arxiv.org/catchup/cs.DC/2026-03-02?abs=True", {"category": "cs.DC", "listings": ["catchup"]}),
        ("https://rss.arxiv.org/rss/cs.DC", {"category": "cs.DC", "listings": ["feed"]}),
        (
            "https://export.arxiv.org/api/query?search_query=cat:cs.PF+AND+abs:jam",
            {"listings": ["query"], "search": "cat:cs.PF AND abs:jam"},
        ),
        ("https://arxiv.org/abs/2601.00001", None),
        ("https://arxiv.org/a/quill_a_1", None),
        ("https://jam.example/list/cs.DC/new", None),
    ],
)
def test_an_address_says_what_to_ask_for(url: str, values: dict[str, object] | None) -> None:
    """That of a listing names its target; of other pages and other sites there is none."""
    assert asked_at(url) == values
