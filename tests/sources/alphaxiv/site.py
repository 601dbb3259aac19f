"""An invented alphaXiv: a feed of two pages from its interface."""

import json
from typing import Any

from tests.support.sites import Sites

HOST = "feed.example"
STEADY = True
"""What is asked for is the same every day, and little."""
TARGETS = ({"topics": ["cs.DC", "foam"], "base": f"https://{HOST}"},)
TITLES = frozenset({"Foam in Tanks", "Queues of Cranes", "Maps of Deltas"})


def paper(number: int, title: str) -> dict[str, Any]:
    """Return a paper of the feed."""
    return {
        "id": f"0190-{number}",
        "paper_group_id": f"0190-{number}",
        "universal_paper_id": f"2611.{number:05}",
        "title": title,
        "abstract": f"We look at {title.lower()}.",
        "paper_summary": None,
        "metrics": {"visits_count": {"all": 3, "last_7_days": 2}, "total_votes": 1, "public_total_votes": number},
        "publication_date": "2026-11-19T10:00:00.000Z",
        "topics": ["cs.DC"],
        "authors": ["Ada Quill"],
    }


def answer(number: int, pages: int, *papers: dict[str, Any]) -> str:
    """Return a page of the feed."""
    page = {"pageNum": number, "pageSize": 2, "totalPages": pages, "totalCount": 2 * pages - 1}
    return json.dumps({"papers": papers, "page": page})


def address(number: int, *, topics: str = "topics=%5B%22cs.DC%22%2C+%22foam%22%5D") -> str:
    """Return the address of a page of the feed."""
    return f"{HOST}/papers/v3/feed?pageNum={number}&pageSize=20&sort=Hot&interval=7+Days&{topics}"


def fill(sites: Sites) -> None:
    """Publish both pages."""
    first, second, third = (paper(number, title) for number, title in enumerate(sorted(TITLES), 1))
    sites.put(address(0), answer(0, 2, first, second))
    sites.put(address(1), answer(1, 2, third))
