"""Searches and days of any size, for the benchmarks."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from tests.support.bulk import Bulk, Words

_TOP: Final = (
    "Get trending papers in your email inbox!\n\nSubscribe\n\nDaily Papers\n\nbyAK and the research community\n\n"
)
_PAGE: Final = "<!doctype html><html><head><title>Daily Papers</title></head><body><header>Hugging Face</header><main>"
_USER: Final = {"_id": "61aa00000000000000000001", "fullname": "Ada Quill", "name": "quill", "type": "user"}


def search_plain() -> Iterator[str]:
    """Yield title and abstract of each paper found."""
    words = Words()
    yield f"{_TOP}Jul 30\n\n"
    while True:
        yield f"{words.title()}\n\n{words.paragraph()}\n\n"


def search_with_footers() -> Iterator[str]:
    """Yield title, abstract and footer of each paper found."""
    words = Words()
    yield f"{_TOP}Jul 30\n\n"
    while True:
        yield f"{words.title()}\n\n{words.paragraph()}\n\n  \u2022 6 authors\n\n\u00b7\n\nSep 26, 2024\n\n"


def entry(words: Words) -> dict[str, Any]:
    """Make an entry of a day, with every current key."""
    title, text, number = words.title(), words.paragraph(), next(words.number)
    authors = [
        {"_id": f"{number:016}{place:08}", "name": name, "hidden": False} for place, name in enumerate(words.names())
    ]
    return {
        "paper": {
            "id": f"{2500 + number // 99_999}.{number % 99_999:05}",
            "authors": authors,
            "publishedAt": words.moment(number),
            "submittedOnDailyAt": "2025-11-05T00:00:00.000Z",
            "title": title,
            "submittedOnDailyBy": _USER,
            "summary": text,
            "upvotes": number,
            "discussionId": "69ab",
            "githubRepo": "https://github.com/example/foam",
            "ai_summary": words.paragraph(200),
            "ai_keywords": [words.word(), words.word(), words.word()],
            "githubStars": 0,
        },
        "publishedAt": words.moment(number),
        "title": title,
        "summary": text,
        "thumbnail": "https://cdn.example.org/foam.png",
        "numComments": 2,
        "submittedBy": _USER,
        "isAuthorParticipating": True,
    }


def api() -> Iterator[str]:
    """Yield the entries of an answer of the interface."""
    words = Words()
    yield "["
    while True:
        yield json.dumps(entry(words), separators=(",", ":"), ensure_ascii=False)


def page_with_data() -> Iterator[str]:
    """Yield the entries in the data of a page; its cards repeat them."""
    words = Words()
    start = escape('{"dateString":"2025-11-05T00:00:00.000Z","periodType":"day","dailyPapers":[')
    yield f'{_PAGE}<div class="SVELTE_HYDRATER contents" data-target="DailyPapers" data-props="{start}'
    while True:
        yield escape(json.dumps(entry(words), separators=(",", ":"), ensure_ascii=False))


def page_with_cards() -> Iterator[str]:
    """Yield the cards of a page that has no data."""
    words = Words()
    yield f"{_PAGE}<div><h1>Daily Papers</h1><time>Nov 10</time><div>"
    while True:
        title, number = words.title(), next(words.number)
        address = f"/papers/{2500 + number // 99_999}.{number % 99_999:05}"
        yield (
            f'<article class="relative flex"><a href="{address}"><img alt=""></a>'
            '<a href="/quill"><div>Submitted by <img alt=""> quill</div></a>\n'
            f'<label><input type="checkbox"><div class="font-semibold leading-none">{number}</div></label>'
            f'<h3 class="mb-1"><a class="line-clamp-3" href="{address}">{title}</a></h3>\n'
            f'<a href="{address}"><ul><li><img title="x"></li><li>\u00b7</li><li><div>6 authors</div></li></ul></a>'
            f'<a href="{address}#community"><svg></svg> 2</a></article>\n'
        )


BULK: Final[dict[str, Bulk]] = {
    "search_plain": Bulk(search_plain),
    "search_with_footers": Bulk(search_with_footers),
    "api": Bulk(api, ".json", between=",", bottom="]"),
    "page_with_data": Bulk(page_with_data, ".html", between=",", bottom=']}"></div></main></body></html>'),
    "page_with_cards": Bulk(page_with_cards, ".html", bottom="</div></div></main></body></html>"),
}
