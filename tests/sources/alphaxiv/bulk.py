"""Feeds of any size, for the benchmarks."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tests.support.bulk import Bulk, Words

_SUMMARY_LISTS: Final = ("originalProblem", "solution", "keyInsights", "results")


def text() -> Iterator[str]:
    """Yield one abstract per line, some with a count below."""
    words = Words()
    yield "fluid-dynamics\n"
    while True:
        count = f"{next(words.number)}\n"
        yield f"{words.paragraph()}\n{words.pick('', '', count)}"


def paper(words: Words) -> dict[str, Any]:
    """Make a paper of a feed of 2026, with every key and texts of usual length."""
    title, names, number = words.title(), words.names(), next(words.number)
    arxiv_id, group = f"{2500 + number // 99_999}.{number % 99_999:05}", f"0198aaaa-0000-7000-8000-{number:012}"
    summary = {key: [words.paragraph(90) for _ in range(3)] for key in _SUMMARY_LISTS}
    return {
        "id": group,
        "paper_group_id": group,
        "universal_paper_id": arxiv_id,
        "canonical_id": f"{arxiv_id}v2",
        "version_id": f"0198bbbb-0000-7000-8000-{number:012}",
        "title": title,
        "abstract": words.paragraph(),
        "paper_summary": {"summary": words.paragraph(300), **summary},
        "image_url": f"image/{arxiv_id}v2.png",
        "metrics": {
            "visits_count": {"all": number, "last_7_days": 1},
            "total_votes": 1,
            "public_total_votes": number,
            "x_likes": 0,
        },
        "first_publication_date": words.moment(number),
        "publication_date": words.moment(number + 1),
        "updated_at": words.moment(number + 1),
        "topics": ["Computer Science", "cs.DC", *(words.word() for _ in range(4))],
        "organization_info": [{"name": words.place(), "image": "images/organizations/mole.png"} for _ in range(2)],
        "authors": names,
        "full_authors": [{"id": f"{group}-{place}", "full_name": name} for place, name in enumerate(names)],
        "author_info": [],
        "github_stars": 0,
        "github_url": None,
        "distance": 1,
    }


def feed() -> Iterator[str]:
    """Yield the papers of an answer of the interface."""
    words = Words()
    yield '{"papers":['
    while True:
        yield json.dumps(paper(words), separators=(",", ":"), ensure_ascii=False)


BULK: Final[dict[str, Bulk]] = {
    "text": Bulk(text),
    "feed": Bulk(feed, ".json", between=",", bottom='],"page":{"pageNum":1,"pageSize":20,"totalPages":9}}'),
}
