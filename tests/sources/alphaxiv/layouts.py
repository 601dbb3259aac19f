"""Invented alphaXiv feeds as text and as JSON, with the records expected from them."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from itertools import count
from typing import Any

from hypothesis import strategies as st

from schemas.items import Person, Record
from tests.support.invented import Paper, papers
from tests.support.layouts import Case

LAST_DAY = date(2026, 12, 31)
UNPRINTED = r"^1"
"""Of the invented texts what no line of a feed begins with: a number is a count there."""
END = "There are no more papers matching your filters at the moment."


def count_of(paper: Paper) -> int | None:
    """Return the number of likes of a paper; some papers have none."""
    return paper.votes if paper.size % 4 else None


def text(page: Sequence[Paper], topic: str = "fluid-dynamics") -> Case:
    """Render a feed as text: topic, texts with counts, closing line."""
    lines = [topic]
    for paper in page:
        lines += [paper.abstract] if count_of(paper) is None else [paper.abstract, f"{count_of(paper):,}"]
    records = tuple(
        Record(
            line_start=None, line_end=None, abstract=p.abstract, engagement=count_of(p), notes=("abstract_or_summary",)
        )
        for p in page
    )
    return Case("\n".join([*lines, END]), records)


def arxiv_id(number: int) -> str:
    """Return the identifier of a paper by its place."""
    return f"2603.{number:05d}"


def full_record(paper: Paper, number: int, **fields: Any) -> Record:
    """Return the record with every field that a feed as JSON gives."""
    every: dict[str, Any] = {
        "native_id": f"0198-{number}",
        "title": paper.title,
        "abstract": paper.abstract,
        "summary": f"An overview of {paper.title}",
        "authors": tuple(map(Person, paper.people)),
        "published_on": paper.published_on,
        "arxiv_id": arxiv_id(number),
        "url": f"https://www.alphaxiv.org/abs/{arxiv_id(number)}",
        "categories": tuple(topic for topic in paper.topics if topic.startswith("cs.")),
        "keywords": paper.topics or None,
        "engagement": count_of(paper),
    }
    every["categories"] = every["categories"] if len(every["categories"]) == 1 else None
    return Record(line_start=None, line_end=None, **{**every, **fields})


def listed(paper: Paper, number: int) -> dict[str, Any]:
    """Return a paper as a feed of 2026 has it."""
    return {
        "id": f"0198-{number}",
        "paper_group_id": f"0198-{number}",
        "universal_paper_id": arxiv_id(number),
        "canonical_id": f"{arxiv_id(number)}v2",
        "version_id": f"0199-{number}",
        "title": paper.title,
        "abstract": paper.abstract,
        "paper_summary": {"summary": f"An overview of {paper.title}", "results": ["Foam."]},
        "image_url": "image/x.png",
        "metrics": {
            "visits_count": {"all": 7, "last_7_days": 1},
            "total_votes": 1,
            "public_total_votes": count_of(paper),
        },
        "first_publication_date": f"{paper.published_on}T17:58:59.000Z",
        "publication_date": "2026-12-31T17:58:59.000Z",
        "topics": list(paper.topics),
        "organization_info": [{"name": "Mole Harbour", "image": None}],
        "authors": list(paper.people),
        "full_authors": [{"id": name, "full_name": name} for name in paper.people],
        "github_stars": 0,
        "github_url": None,
    }


def feed(page: Sequence[Paper]) -> Case:
    """Render a whole feed as data."""
    total = {"pageNum": 1, "pageSize": 20, "totalPages": 1, "totalCount": len(page)}
    value = {"papers": [listed(paper, number) for number, paper in enumerate(page)], "page": total}
    return Case(json.dumps(value), tuple(full_record(paper, number) for number, paper in enumerate(page)))


def feed_in_milliseconds(page: Sequence[Paper]) -> Case:
    """Render a list with dates in milliseconds and authors as objects."""
    values = []
    for number, paper in enumerate(page):
        moment = datetime.combine(paper.published_on, time(17, 58, 59), UTC)
        changes = {"first_publication_date": int(moment.timestamp() * 1000), "authors": None}
        values.append(listed(paper, number) | changes)
    records = tuple(full_record(paper, number) for number, paper in enumerate(page))
    return Case(json.dumps(values, ensure_ascii=False, indent=1), records)


def fast_search(page: Sequence[Paper]) -> Case:
    """Render the hits of a fast search."""
    hits = [
        {"link": f"/abs/{arxiv_id(number)}", "paperId": arxiv_id(number), "title": paper.title, "snippet": "foam"}
        for number, paper in enumerate(page)
    ]
    empty = dict.fromkeys(
        ("native_id", "abstract", "summary", "authors", "published_on", "categories", "keywords", "engagement"), None
    )
    return Case(json.dumps(hits), tuple(full_record(paper, number, **empty) for number, paper in enumerate(page)))


def one_paper(page: Sequence[Paper]) -> Case:
    """Render the answer about the first paper, its dates as JavaScript prints them."""
    paper, record = page[0], full_record(page[0], 0, summary=None)
    group = {
        "id": "0198-0",
        "universal_paper_id": arxiv_id(0),
        "topics": list(paper.topics),
        "metrics": {"public_total_votes": count_of(paper), "visits_count": {"all": 1, "last7Days": 1}},
        "first_publication_date": f"{paper.published_on:%a %b %d %Y} 18:45:21 GMT+0000 (Coordinated Universal Time)",
    }
    version = {"id": "0199-0", "version_label": "v2", "title": paper.title, "abstract": paper.abstract}
    authors = [{"id": name, "full_name": name} for name in paper.people]
    value = {"paper": {"paper_version": version, "paper_group": group, "authors": authors}, "comments": [{"body": "x"}]}
    return Case(json.dumps(value), (record,))


def folders(page: Sequence[Paper]) -> Case:
    """Render a library with a folder for every paper."""
    values, records = [], []
    for number, paper in enumerate(page):
        details = {
            "paper_id": arxiv_id(number),
            "title": paper.title,
            "abstract": paper.abstract,
            "authors": list(paper.people),
            "publication_date": f"{paper.published_on}T17:58:59.000Z",
            "public_total_votes": count_of(paper),
            "subcategories": list(paper.topics),
            "organizationInfo": [],
        }
        entry = {"paper_id": f"0199-{number}", "added_at": "2025-08-01T00:00:00.000Z", "details": details}
        values.append({"name": f"Folder {number}", "type": "folder", "papers": [entry]})
        records.append(full_record(paper, number, native_id=None, summary=None, notes=("authors_unordered",)))
    return Case(json.dumps({"data": values}), tuple(records))


def folders_of_2026(page: Sequence[Paper]) -> Case:
    """Render a bare list of folders whose papers have keys in camel case."""
    values, records = [], []
    for number, paper in enumerate(page):
        value = {
            "paperGroupId": f"0198-{number}",
            "universalPaperId": arxiv_id(number),
            "canonicalId": f"{arxiv_id(number)}v2",
            "title": paper.title,
            "abstract": paper.abstract,
            "authors": [{"id": name, "full_name": name, "user_id": None} for name in paper.people],
            "authors_v2": [{"full_name": name, "researcher": None} for name in paper.people],
            "publicationDate": f"{paper.published_on}T17:58:59.000Z",
            "topics": list(paper.topics),
            "addedAt": "2026-08-19T00:01:00.140Z",
            "isExternalBlog": False,
            "type": "public",
            "votes": count_of(paper),
        }
        values.append({"id": str(number), "name": "Reading", "sharingStatus": "shared", "papers": [value]})
        records.append(full_record(paper, number, summary=None, notes=("authors_unordered",)))
    return Case(json.dumps([{"id": "x", "name": "Later", "papers": []}, *values]), tuple(records))


def stream(page: Sequence[Paper]) -> Case:
    """Render the page of a feed whose script holds the data as JavaScript."""
    papers = as_program([listed(paper, number) for number, paper in enumerate(page)], count(20))
    text = f"""<!DOCTYPE html><html><head><title>Explore | alphaXiv</title></head><body><div>Foam</div>
<script class="$tsr" id="$tsr-stream-barrier">self.$_TSR={{h(){{this.hydrated=!0}}}};$_TSR.router=($R=>$R[0]=
{{matches:$R[1]=[$R[2]={{i:"__root__",u:1773270000000,ssr:!0}}],dehydratedData:$R[3]={{queries:$R[4]=[$R[5]=
{{data:$R[6]={{pages:$R[7]=[$R[8]={{papers:{papers},page:1}}]}},promise:$R[9]=(()=>{{throw 1}})()}}],
again:$R[10]={{papers:$R[20]}}}}}})($R["tsr"]);</script></body></html>"""
    return Case(text, tuple(full_record(paper, number) for number, paper in enumerate(page)))


def as_program(value: Any, places: Iterator[int]) -> str:
    """Write a value as the JavaScript of a page."""
    if isinstance(value, dict):
        pairs = ",".join(f"{key}:{as_program(inner, places)}" for key, inner in value.items())
        return f"$R[{next(places)}]={{{pairs}}}"
    if isinstance(value, list):
        start = f"$R[{next(places)}]="
        return f"{start}[{','.join(as_program(inner, places) for inner in value)}]"
    words = {True: "!0", False: "!1", None: "void 0"}
    return words[value] if value is None or value is True or value is False else json.dumps(value).replace("<", "\\x3C")


def pages(render: Callable[[Sequence[Paper]], Case]) -> st.SearchStrategy[Case]:
    """Return pages of two to eight papers."""
    return papers(2, 8, LAST_DAY, UNPRINTED).map(render)


LAYOUTS: dict[str, st.SearchStrategy[Case]] = {
    "text": st.builds(
        text,
        papers(2, 8, LAST_DAY, UNPRINTED),
        st.sampled_from(("fluid-dynamics", "machine-learning-2", "computer-science-and-game-theory")),
    ),
    "feed": pages(feed),
    "feed_in_milliseconds": pages(feed_in_milliseconds),
    "fast_search": pages(fast_search),
    "one_paper": pages(one_paper),
    "folders": pages(folders),
    "folders_of_2026": pages(folders_of_2026),
    "stream": pages(stream),
}
