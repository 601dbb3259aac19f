"""Special cases of alphaXiv as JSON: one feed in every layout, identifiers, dates, totals, hostile input."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given

from parsers._ledger.document import Document
from parsers.alphaxiv import SOURCE
from pipeline.reading.parse import Parsed
from tests.sources.alphaxiv.layouts import (
    LAST_DAY,
    UNPRINTED,
    fast_search,
    feed,
    feed_in_milliseconds,
    folders,
    folders_of_2026,
    stream,
    text,
)
from tests.support.helpers import contradictions, outcome_of, parse_document
from tests.support.invented import Paper, papers

RENDERS = (text, feed, feed_in_milliseconds, fast_search, folders, folders_of_2026, stream)
OF_THE_LAYOUT = {"line_start", "line_end", "notes"}
LONG = 400_000


def parse(text: str) -> Parsed:
    """Parse a text as a dump of alphaXiv."""
    return parse_document(SOURCE, Document.from_bytes("alphaxiv/dump", text.encode()))


@given(page=papers(2, 4, LAST_DAY, UNPRINTED))
def test_one_feed_in_every_layout(page: Sequence[Paper]) -> None:
    """All layouts of a feed give records in the same order that agree on common fields."""
    outcomes = [parse(case.text).records for case in (render(page) for render in RENDERS)]
    assert contradictions(outcomes, OF_THE_LAYOUT) == []


@pytest.mark.parametrize(
    ("keys", "arxiv_id", "native_id", "url"),
    [
        ({"universal_paper_id": "2603.01234"}, "2603.01234", None, "2603.01234"),
        ({"universal_paper_id": "2603.01234v3"}, "2603.01234", None, "2603.01234"),
        ({"canonical_id": "2603.01234v12"}, "2603.01234", None, "2603.01234"),
        ({"canonical_id": "cs/0301012v1"}, "cs/0301012", None, "cs/0301012"),
        ({"link": "/abs/2603.01234v2"}, "2603.01234", None, "2603.01234"),
        ({"paperId": "2603.01234"}, "2603.01234", None, "2603.01234"),
        ({"link": "/abs/2603.01234", "paperId": "0198-aa"}, "2603.01234", "0198-aa", "2603.01234"),
        ({"universal_paper_id": "mole.report-7", "id": "0198-aa"}, None, "0198-aa", "mole.report-7"),
        ({"canonical_id": "two words"}, None, None, None),
    ],
)
def test_identifiers(keys: dict[str, str], arxiv_id: str | None, native_id: str | None, url: str | None) -> None:
    """An identifier loses its version; one that is not of arXiv is only in the address."""
    record = parse(
        json.dumps([{**keys, "universal_paper_id": keys.get("universal_paper_id"), "title": "Foam"}])
    ).records
    address = f"https://www.alphaxiv.org/abs/{url}" if url else None
    assert [(one.arxiv_id, one.native_id, one.url) for one in record] == [(arxiv_id, native_id, address)]


@pytest.mark.parametrize(
    ("first", "later", "day"),
    [
        ("2026-03-02T17:58:59.000Z", "2026-04-01", date(2026, 3, 2)),
        (None, "2026-04-01T00:00:00Z", date(2026, 4, 1)),
        ("", 1_772_474_339_000, date(2026, 3, 2)),
        (1_772_409_599_999, None, date(2026, 3, 1)),
        (1_772_409_600_000, None, date(2026, 3, 2)),
        (1_772_409_600_000.0, None, date(2026, 3, 2)),
        (1_772_409_600, None, date(2026, 3, 2)),
        ("1772409600000", "2026-04-01", date(2026, 3, 2)),
        ("Mon Mar 02 2026 18:45:21 GMT+0000 (Coordinated Universal Time)", None, date(2026, 3, 2)),
        ("Mon Mar 02 2026 18:45:21 GMT-0500", None, date(2026, 3, 2)),
        (None, None, None),
    ],
)
def test_dates(first: str | int | None, later: str | int | None, day: date | None) -> None:
    """The day of the first publication, else of the version, in any notation."""
    value = {"universal_paper_id": "2603.01234", "title": "Foam"}
    parsed = parse(json.dumps([value | {"first_publication_date": first, "publication_date": later}]))
    assert [record.published_on for record in parsed.records] == [day]


@pytest.mark.parametrize(
    ("papers", "page", "counts"),
    [
        (2, {"pageNum": 1, "pageSize": 20, "totalPages": 1, "totalCount": 2}, [2]),
        (2, {"pageNum": 0, "pageSize": 2, "totalPages": 9, "totalCount": 17}, [2]),
        (2, {"pageNum": 3, "pageSize": 20, "totalPages": 9, "totalCount": 164}, [20]),
        (2, {"pageNum": 8, "pageSize": 20, "totalPages": 9, "totalCount": 164}, [4]),
        (4, {"pageNum": 8, "pageSize": 20, "totalPages": 9, "totalCount": 164}, [4]),
        (5, {"pageNum": 8, "pageSize": 20, "totalPages": 9, "totalCount": 164}, []),
        (2, {"pageNum": 9, "pageSize": 20, "totalPages": 9, "totalCount": 164}, []),
        (2, {"pageNum": 0, "pageSize": 2, "totalCount": 17}, []),
        (2, {"pageNum": 0, "pageSize": 2}, []),
        (2, 1, []),
        (2, None, []),
        (0, 1, [0]),
        (0, {"pageNum": 0, "pageSize": 20, "totalPages": 0, "totalCount": 0}, [0]),
        (0, {"pageNum": 9, "pageSize": 20, "totalPages": 9, "totalCount": 170}, [0]),
    ],
)
def test_declared_total(papers: int, page: object, counts: list[int]) -> None:
    """A total is declared if one page has everything, if the page numbers give its part, or if it is empty."""
    values = [{"universal_paper_id": f"2603.0000{number}", "title": "Foam"} for number in range(papers)]
    parsed = parse(json.dumps({"papers": values, "page": page}))
    assert [total.count for total in parsed.declared] == counts


@pytest.mark.parametrize(
    ("topics", "categories"),
    [
        (["Computer Science", "cs.AI", "cs.DC", "foam"], None),
        (["agents", "Computer Science", "cs.AI", "cs.foam", "deep.AI"], ("cs.AI",)),
        (["cond-mat.mes-hall", "ml-systems"], ("cond-mat.mes-hall",)),
        (["Physics", "physics.optics"], ("physics.optics",)),
        (["hep-th", "math"], ("hep-th",)),
        (["Computer Science"], None),
    ],
)
def test_topics_are_keywords(topics: list[str], categories: tuple[str, ...] | None) -> None:
    """All topics are keywords; the only topic that is an arXiv category is the category as well."""
    parsed = parse(json.dumps([{"universal_paper_id": "2603.01234", "title": "Foam", "topics": topics}]))
    assert [(record.categories, record.keywords) for record in parsed.records] == [(categories, tuple(topics))]


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        ({"authors": ["Ada Quill"], "full_authors": [{"full_name": "A. Quill"}]}, ["Ada Quill"]),
        ({"authors": [], "full_authors": [{"full_name": "Ada Quill"}]}, ["Ada Quill"]),
        (
            {"authors": None, "full_authors_v2": [{"full_name": "Ada Quill", "researcher": {"hIndex": 3}}]},
            ["Ada Quill"],
        ),
        ({"authors": [{"name": " Ada Quill "}]}, ["Ada Quill"]),
        ({"authors": ["Ada Quill", " ", {"name": None}, "Bo Fern"]}, ["Ada Quill", "Bo Fern"]),
        ({"authors": [{"full_name": "", "name": "Ada Quill"}]}, ["Ada Quill"]),
        ({"author_info": [{"name": "Ada Quill"}]}, []),
    ],
)
def test_authors(keys: dict[str, Any], names: list[str]) -> None:
    """Authors come from the first list that is not empty; people with an account are no authors."""
    parsed = parse(json.dumps([{"universal_paper_id": "2603.01234", "title": "Foam", **keys}]))
    assert [[person.name for person in record.authors or ()] for record in parsed.records] == [names]


@pytest.mark.parametrize(
    ("keys", "count"),
    [
        ({"metrics": {"public_total_votes": 0, "total_votes": 7}}, 0),
        ({"metrics": {"public_total_votes": None}, "votes": 7}, None),
        ({"publicTotalVotes": 7}, 7),
        ({"votes": 0}, 0),
        ({"total_votes": 7}, None),
    ],
)
def test_votes(keys: dict[str, Any], count: int | None) -> None:
    """The count is the votes shown on the page; unknown is not zero."""
    parsed = parse(json.dumps([{"universal_paper_id": "2603.01234", "title": "Foam", **keys}]))
    assert [record.engagement for record in parsed.records] == [count]


def test_escapes_of_a_program() -> None:
    """String escapes in the script are read as in JavaScript."""
    text = 'papers:[{universal_paper_id:"2603.01234",title:"\\x3CF\\u006fam\\x3E \\"in\\" \\q \\\\ \\\'T\\\'"}]'
    parsed = parse(f"<html>alphaXiv<script>$_TSR.router=($R=>$R[0]={{{text}}})</script>")
    assert [record.title for record in parsed.records] == ["<Foam> \"in\" q \\ 'T'"]


@pytest.mark.parametrize("name", ["zzqx", "metrics", "paper_summary"])
def test_unknown_key_is_told(name: str) -> None:
    """An unknown key at any depth is quarantined with value and place; the record is kept."""
    value = {"universal_paper_id": "2603.01234", "title": "Foam", name: {"zzqx": "sentinel 4711"}}
    parsed = parse(json.dumps([value]))
    assert ([record.title for record in parsed.records], ["4711" in reject.text for reject in parsed.rejects]) == (
        ["Foam"],
        [True],
    )


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("[]", "0 records"),
        ('{"papers": [], "page": 0}', "0 records"),
        ('{"data": [{"name": "Reading", "type": "folder", "papers": []}]}', "0 records"),
        ('{"data": [{"universal_paper_id": "2603.01234", "title": "Foam"}]}', "1 records"),
        ('{"data": {"trending_papers": [{"universal_paper_id": "2603.01234", "title": "Foam"}]}}', "1 records"),
        ('{"pages": [{"papers": [{"universalId": "2603.01234", "title": "Foam"}], "page": 0}]}', "1 records"),
        ('{"pages": [{"papers": []}]}', "0 records"),
        ('{"universalId": "2603.01234", "groupId": "0198-aa", "title": "Foam"}', "1 records"),
        ('{"universal_paper_id": "2603.01234", "abstract": "Foam"}', "malformed"),
        ('{"pages": [{"paperGroupId": "0198-aa"}]}', "malformed"),
        ('{"pages": ["paperGroupId"], "canonical_id": "x"}', "malformed"),
        ('[{"paperGroupId": "0198-aa", "body": "No foam", "title": "A doubt"}]', "incomplete_item"),
        ('{"papers": {}}', "not_this_source"),
        ('{"error": "Not found"}', "not_this_source"),
        ('[{"paper": {"id": "2603.01234", "upvotes": 3}, "title": "Foam"}]', "not_this_source"),
        ('{"papers": "x", "universal_paper_id": "2603.01234"}', "malformed"),
        ('{"data": ["universal_paper_id"], "canonical_id": "x"}', "malformed"),
        ('[{"universal_paper_id": "2603.01234"', "malformed"),
        ("<html>alphaXiv<script>$_TSR.router=1</script>", "declined"),
        ("<html><script>self.__next_f.push([1])</script>alphaxiv.org", "declined"),
        ("<html><script>self.__next_f.push([1])</script>another site", "not_this_source"),
        ("<html>alphaXiv: sign in", "not_this_source"),
        ("<html>alphaXiv<script>$_TSR.router=($R=>$R[0]={papers:[]})", "0 records"),
        ("<html>alphaXiv<script>$_TSR.router=($R=>$R[0]={papers:[{title:foam()}]})", "malformed"),
        ("<html>alphaXiv<script>$_TSR.router=($R=>$R[0]={papers:[{title:$R[7]}]})", "malformed"),
        ("<html>alphaXiv<script>$_TSR.router=($R=>$R[0]={papers:[,]})", "malformed"),
        ("<html>alphaXiv<script>$_TSR.router=($R=>$R[0]={papers:[{title:", "malformed"),
    ],
)
def test_what_is_refused(text: str, outcome: str) -> None:
    """Other answers, pages and fragments are refused with the reason; an empty answer is not."""
    assert outcome_of("alphaxiv", text) == outcome
