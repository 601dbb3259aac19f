"""Feeds of any size, for the benchmarks."""

import json
from collections.abc import Iterator
from typing import Final

from tests.bulk import Bulk, Words


def text() -> Iterator[str]:
    """Yield one abstract a line, below some a count."""
    words = Words()
    yield "fluid-dynamics\n"
    while True:
        yield f"{words.paragraph()}\n{words.pick('', '', f'{next(words.number)}')}\n"


def feed() -> Iterator[str]:
    """Yield the papers of an answer of the interface."""
    words = Words()
    yield '{"papers":['
    while True:
        title = words.title()
        number = next(words.number)
        arxiv_id = f"{2500 + number // 99_999}.{number % 99_999:05}"
        names = words.names()
        yield json.dumps(
            {
                "id": f"0198-{number}",
                "paper_group_id": f"0198-{number}",
                "universal_paper_id": arxiv_id,
                "canonical_id": f"{arxiv_id}v2",
                "version_id": f"0199-{number}",
                "title": title,
                "abstract": words.paragraph(),
                "paper_summary": {"summary": words.paragraph(300), "results": [words.paragraph(200)]},
                "image_url": "image/x.png",
                "metrics": {
                    "visits_count": {"all": number, "last_7_days": 1},
                    "total_votes": 1,
                    "public_total_votes": number,
                },
                "first_publication_date": "2026-03-01T17:58:59.000Z",
                "publication_date": "2026-03-02T17:58:59.000Z",
                "updated_at": "2026-03-02T17:58:59.000Z",
                "topics": ["Computer Science", "cs.DC", words.word()],
                "organization_info": [{"name": "Mole Harbour", "image": None}],
                "authors": names,
                "full_authors": [{"id": name, "full_name": name} for name in names],
                "github_stars": 0,
                "github_url": None,
            },
            separators=(",", ":"),
            ensure_ascii=False,
        )


BULK: Final[dict[str, Bulk]] = {
    "text": Bulk(text),
    "feed": Bulk(feed, ".json", between=",", bottom='],"page":{"pageNum":1,"pageSize":20,"totalPages":9}}'),
}
