"""What is requested of Hugging Face: the days that are due, searches; what counts as a layout."""

import json
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from parsers._ledger.document import Document
from parsers._web.web import Request, TargetError, Window
from parsers.hf_daily.web import WEB, PapersTarget, asked_at
from tests.sources.hf_daily import site
from tests.support.helpers import fingerprint_of

fingerprint = partial(fingerprint_of, "hf_daily")

TODAY = date(2026, 11, 21)
DAY = date(2026, 11, 20)


def days(target: PapersTarget, today: date = TODAY, **captured: str) -> list[str]:
    """Return the requested days; ``d19="2026-11-20"`` says when a day of the month was last captured."""
    times = {
        f"daily/2026-11-{day.removeprefix('d')}": datetime.fromisoformat(moment).replace(tzinfo=UTC)
        for day, moment in captured.items()
    }
    return [request.key.removeprefix("daily/") for request in WEB.requests(target, Window(today, times))]


def test_a_day_and_a_search() -> None:
    """A day is requested from the interface, which has the authors; a search is a page."""
    assert list(WEB.requests(PapersTarget(days=1, search="foam & tanks/2"), Window(TODAY))) == [
        Request("daily/2026-11-21", "https://huggingface.co/api/daily_papers?date=2026-11-21&limit=100", ".json"),
        Request("search/foam-tanks-2", "https://huggingface.co/papers?q=foam+%26+tanks%2F2", ".html"),
    ]


def test_the_first_night() -> None:
    """The last days are requested, including today."""
    assert days(PapersTarget(days=3)) == ["2026-11-19", "2026-11-20", "2026-11-21"]


def test_the_next_night() -> None:
    """A day is requested until it has a capture from after it ended everywhere, two days later."""
    found = days(PapersTarget(days=3), d18="2026-11-20", d19="2026-11-20", d20="2026-11-20")
    assert found == ["2026-11-19", "2026-11-20", "2026-11-21"]


def test_missed_nights() -> None:
    """All days since the last capture are requested, including those in between that failed."""
    assert days(PapersTarget(days=1), d15="2026-11-17", d16="2026-11-17", d18="2026-11-20") == [
        "2026-11-16",
        "2026-11-17",
        "2026-11-19",
        "2026-11-20",
        "2026-11-21",
    ]


def test_a_night_on_which_nothing_came() -> None:
    """A day requested in vain stays due after ``days`` no longer reaches it."""
    requests = WEB.requests(PapersTarget(days=1), Window(TODAY, {}, {"daily/2026-11-19", "search/x"}))
    assert [request.key for request in requests] == ["daily/2026-11-19", "daily/2026-11-20", "daily/2026-11-21"]


@pytest.mark.parametrize(
    ("asked", "text", "further"),
    [
        ("", json.dumps([{}] * 100), [("daily/2026-11-20+1", "&p=1")]),
        ("&p=1", json.dumps([{}] * 100), [("daily/2026-11-20+2", "&p=2")]),
        ("&p=9", json.dumps([{}] * 100), []),
        ("", json.dumps([{}] * 99), []),
        ("", '{"error": "x"}', []),
    ],
)
def test_a_day_of_more_papers_than_one_answer_shows(asked: str, text: str, further: list[tuple[str, str]]) -> None:
    """A full list leads to the next page, up to ten pages."""
    url = "https://huggingface.co/api/daily_papers?date=2026-11-20&limit=100"
    request = Request("daily/2026-11-20" + asked.replace("&p=", "+"), url + asked, ".json")
    found = WEB.follow(PapersTarget(days=1), Document.from_bytes("x", text.encode()), request)
    assert [(one.key, one.url) for one in found] == [(key, url + page) for key, page in further]


def test_a_search_leads_nowhere() -> None:
    """A search is one page."""
    request = Request("search/x", "https://huggingface.co/papers?q=x", ".html")
    assert list(WEB.follow(PapersTarget(search="x"), Document.from_bytes("x", b"<p>x"), request)) == []


def test_years_of_missed_nights() -> None:
    """At most sixty missed days are requested."""
    found = days(PapersTarget(days=1), TODAY + timedelta(days=59), d20="2026-11-20", d22="2026-11-20")
    assert (found[0], len(found)) == ("2026-11-22", 59)


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({}, "days"),
        ({"days": 0}, "days"),
        ({"days": 99}, "days"),
        ({"search": ""}, "search"),
        ({"days": 1, "base": "x"}, "base"),
    ],
)
def test_mistakes_in_a_target(given: dict[str, Any], key: str) -> None:
    """The message names the key."""
    with pytest.raises(TargetError) as error:
        PapersTarget(**given)
    assert error.value.key == key


def changed(name: str, other: str) -> str:
    """Return a day's answer with a key of the papers named otherwise."""
    return site.answer(DAY, Foam=1, Tanks=2).replace(f'"{name}"', f'"{other}"')


def test_the_same_layout() -> None:
    """Other papers and optional keys give the same fingerprint."""
    entry = site.entry(3, "Maps", DAY)
    richer = json.dumps([{**entry, "mediaUrls": [], "paper": {**entry["paper"], "ai_summary": "x"}}])
    prints = {fingerprint(text) for text in (site.answer(DAY, Foam=1), site.answer(DAY, Tanks=2, Maps=4), richer)}
    assert (len(prints), "" in prints) == (1, False)


@pytest.mark.parametrize("name", ["paper", "id", "title", "summary", "authors", "upvotes"])
def test_another_layout(name: str) -> None:
    """A missing required key gives another fingerprint."""
    assert fingerprint(changed(name, "other")) != fingerprint(changed(name, name))


def test_pages() -> None:
    """The fingerprint of a page comes from its data, not its papers; other data, broken data and cards differ."""
    page = site.search_page(site.entry(1, "Foam", DAY))
    same = site.search_page(site.entry(2, "Maps", DAY), site.entry(3, "Tanks", DAY))
    other = page.replace("&quot;summary&quot;", "&quot;text&quot;")
    broken = page.replace("{&quot;searchResults", "")
    cards = "<html><main><article><h3><a href='/papers/2611.00001'>Foam</a></h3></article></main></html>"
    assert fingerprint(page) == fingerprint(same)
    assert len({fingerprint(text) for text in (page, other, broken, cards, "<html></html>", "[]")}) == 5


@pytest.mark.parametrize(
    ("url", "values"),
    [
        ("https://huggingface.co/papers", {"days": 3}),
        ("https://huggingface.co/papers/date/2026-03-02", {"days": 3}),
        ("https://huggingface.co/api/daily_papers?date=2026-03-02", {"days": 3}),
        ("https://hf.co/papers?q=batch+systems", {"search": "batch systems"}),
        ("https://huggingface.co/papers/2601.00001", None),
        ("https://huggingface.co/models", None),
        ("https://jam.example/papers", None),
    ],
)
def test_an_address_says_what_to_ask_for(url: str, values: dict[str, object] | None) -> None:
    """A list means the last days, a search its words; of other pages and other sites there is none."""
    assert asked_at(url) == values
