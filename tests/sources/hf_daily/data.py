"""Invented days of Hugging Face papers: answers of the interface of each era, pages with data and with cards."""

import json
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from html import escape
from typing import Any, Final

from schemas.items import Person, Record
from tests.sources.hf_daily.papers import FACTS, LISTED_ON
from tests.support.invented import Paper
from tests.support.layouts import Case

FEATURED_ON: Final = date(2024, 5, 3)
_USER: Final = {"_id": "61aa00000000000000000001", "fullname": "Ada Quill", "name": "quill", "type": "user"}


def paper_id(number: int) -> str:
    """Return the identifier of a paper by its place on the page."""
    return f"2511.{number:05d}"


def full_record(paper: Paper, number: int, **fields: Any) -> Record:
    """Return the record with every field that the data gives."""
    every: dict[str, Any] = {
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": tuple(map(Person, paper.people)),
        "published_on": paper.published_on,
        "listed_on": LISTED_ON,
        "arxiv_id": paper_id(number),
        "url": f"https://huggingface.co/papers/{paper_id(number)}",
        "engagement": paper.votes,
    }
    return Record(line_start=None, line_end=None, **{**every, **fields})


def entry_2024(paper: Paper, number: int) -> dict[str, Any]:
    """Return an entry with the day of listing on top and line breaks in its texts."""
    return {
        "paper": {
            "id": paper_id(number),
            "authors": [
                {"_id": str(place), "name": name, "hidden": not place} for place, name in enumerate(paper.people)
            ],
            "publishedAt": f"{paper.published_on}T17:58:59.000Z",
            "title": paper.title.replace(" ", "\n  ", 1),
            "summary": paper.abstract.replace(" of ", " of\n"),
            "upvotes": paper.votes,
        },
        "publishedAt": f"{FEATURED_ON}T02:11:09.000Z",
        "title": paper.title,
        "mediaUrl": "https://cdn.example.org/foam.mp4",
        "numComments": paper.comments,
    }


def entry_2026(paper: Paper, number: int) -> dict[str, Any]:
    """Return an entry with every current key."""
    entry = entry_2024(paper, number)
    entry["paper"] |= {
        "title": paper.title,
        "summary": paper.abstract,
        "submittedOnDailyAt": f"{LISTED_ON}T00:00:00.000Z",
        "submittedOnDailyBy": _USER,
        "discussionId": "69ab",
        "githubRepo": "https://github.com/example/foam",
        "githubStars": 0,
        "ai_summary": f"An overview of {paper.title}",
        "ai_keywords": ["foam", "tanks"],
    }
    return entry | {
        "publishedAt": f"{paper.published_on}T20:00:00.000Z",
        "summary": paper.abstract,
        "submittedBy": _USER,
        "isAuthorParticipating": True,
    }


def record_2024(paper: Paper, number: int) -> Record:
    """Return the record of an entry of 2024."""
    return full_record(paper, number, listed_on=FEATURED_ON)


def record_2026(paper: Paper, number: int) -> Record:
    """Return the record of an entry of 2026."""
    return full_record(paper, number, summary=f"An overview of {paper.title}", keywords=("foam", "tanks"))


def answer(
    page: Sequence[Paper],
    write: Callable[[list[dict[str, Any]]], object],
    entry: Callable[[Paper, int], dict[str, Any]] = entry_2026,
    record: Callable[[Paper, int], Record] = record_2026,
) -> Case:
    """Render an answer of the interface with the entries of a layout."""
    entries = [entry(paper, number) for number, paper in enumerate(page)]
    records = tuple(record(paper, number) for number, paper in enumerate(page))
    return Case(
        json.dumps(write(entries), indent=2 if write is list else None, ensure_ascii=write is not list), records
    )


def props_of(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the data of a page of a day."""
    return {"dateString": str(LISTED_ON), "periodType": "day", "query": {}, "isTrending": False, "dailyPapers": entries}


def wrap(entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return an archived answer: the list inside an object."""
    return {"status": 200, "date": str(LISTED_ON), "count": len(entries), "data": entries}


api_2024 = partial(answer, write=lambda entries: entries, entry=entry_2024, record=record_2024)
api_2026 = partial(answer, write=list)
api_wrapped = partial(answer, write=wrap)
api_taken_out = partial(answer, write=props_of)
api_flat = partial(answer, write=lambda entries: [entry["paper"] for entry in entries])
# A damaged copy: each entry as Python writes it.
api_literals = partial(answer, write=lambda entries: list(map(repr, entries)), entry=entry_2024, record=record_2024)


def card(paper: Paper, number: int) -> str:
    """Render a card of a day's page."""
    address, people = f"/papers/{paper_id(number)}", "author" if paper.size == 1 else "authors"
    return f"""
      <article class="relative flex"><a href="{address}"><img alt=""></a>
        <a href="/quill"><div>Submitted by <img alt=""> quill</div></a>
        <label><input type="checkbox"><div class="font-semibold leading-none">{paper.votes:,}</div></label>
        <h3 class="mb-1"><a class="line-clamp-3" href="{address}">{escape(paper.title)}</a></h3>
        <a href="{address}"><ul><li><img title="x"></li><li>·</li><li><div>{paper.size} {people}</div></li></ul></a>
        <a href="{address}#community"><svg></svg> {paper.comments}</a></article>"""


def html_page(page: Sequence[Paper], data: str) -> str:
    """Render the page of a day around its cards."""
    cards = "".join(card(paper, number) for number, paper in enumerate(page))
    return f"""<!doctype html><html><head><title>Daily Papers</title></head><body><header>Hugging Face</header>
    <main><div class="SVELTE_HYDRATER contents" {data}><h1>Daily Papers</h1>
    <div>by <a href="/akhaliq">AK</a> and the research community</div><button>Submit a paper</button>
    <time>Nov 10</time><div class="grid">{cards}</div></div></main><footer>TOS</footer></body></html>"""


def page_with_data(page: Sequence[Paper]) -> Case:
    """Render the page of a day with its data."""
    entries = [entry_2026(paper, number) | {"upvoted": False} for number, paper in enumerate(page)]
    props = props_of(entries) | {"dateString": f"{LISTED_ON}T00:00:00.000Z"}
    text = html_page(page, f'data-target="DailyPapers" data-props="{escape(json.dumps(props))}"')
    return Case(text, tuple(record_2026(paper, number) for number, paper in enumerate(page)), FACTS)


def page_with_cards(page: Sequence[Paper]) -> Case:
    """Render the page of a day without its data."""
    unknown = {"abstract": None, "authors": None, "published_on": None}
    records = tuple(full_record(paper, number, **unknown) for number, paper in enumerate(page))
    return Case(html_page(page, ""), records, FACTS)
