"""Invented Hugging Face papers: the interface with a list for each day, and a search."""

import json
from datetime import date
from html import escape
from typing import Any

from tests.support.sites import Sites

HOST = "papers.example"
STEADY = False
"""What is asked for depends on the day."""
TARGETS = ({"days": 2, "search": "foam & tanks", "base": f"https://{HOST}"},)
TITLES = frozenset({"Foam in Tanks", "Queues of Cranes", "Maps of Deltas"})


def entry(number: int, title: str, day: date) -> dict[str, Any]:
    """Return an entry of a day."""
    return {
        "paper": {
            "id": f"2611.{number:05}",
            "authors": [{"_id": "1", "name": "Ada Quill", "hidden": False}],
            "publishedAt": f"{day}T10:00:00.000Z",
            "submittedOnDailyAt": f"{day}T00:00:00.000Z",
            "title": title,
            "summary": f"We look at {title.lower()}.",
            "upvotes": number,
        },
        "publishedAt": f"{day}T05:00:00.000Z",
        "title": title,
        "numComments": 0,
    }


def answer(day: date, **titles: int) -> str:
    """Return the list of a day: titles with their numbers."""
    return json.dumps([entry(number, title.replace("_", " "), day) for title, number in titles.items()])


def search_page(*entries: dict[str, Any]) -> str:
    """Return the page of a search, with its data."""
    data = escape(json.dumps({"searchResults": entries, "query": "foam"}), quote=True)
    island = f'<div class="SVELTE_HYDRATER contents" data-target="DailyPapers" data-props="{data}"></div>'
    return f"<html><body><main>{island}</main></body></html>"


def fill(sites: Sites) -> None:
    """Publish the days around the first night and the search."""
    sites.put(f"{HOST}/api/daily_papers?date=2026-11-20&limit=100", answer(date(2026, 11, 20), Foam_in_Tanks=1))
    sites.put(f"{HOST}/api/daily_papers?date=2026-11-21&limit=100", answer(date(2026, 11, 21), Queues_of_Cranes=2))
    sites.put(f"{HOST}/papers?q=foam+%26+tanks", search_page(entry(3, "Maps of Deltas", date(2026, 11, 3))))
