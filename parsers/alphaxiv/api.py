"""Answers of alphaXiv's interface as JSON: feeds, searches, similar papers, one paper, folders. Nothing else here.

Invented shapes::

    {"papers": [PAPER, ...], "page": {"pageNum": 1, "pageSize": 20, "totalPages": 1, "totalCount": 2}}
    [PAPER, ...]                                                     (search, similar papers: with repetitions)
    [{"link": "/abs/2603.01234", "paperId": "2603.01234", "title": "Foam in Large Tanks", "snippet": "..."}, ...]
    {"paper": {"paper_version": {...}, "paper_group": {...}, "authors": [...]}, "comments": []}
    {"data": [{"name": "Reading", "type": "folder", "papers": [{"paper_id": "..", "details": {...}}, ...]}, ...]}

``papers`` reads one paper of each shape; this module cuts the answer into papers, whose lines are their places.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from parsers._contract import Document
from parsers._json import Data, FieldError, Fields, shown
from parsers.alphaxiv.items import make_record
from parsers.alphaxiv.papers import read_paper
from schemas.items import Declared, Item

EXPECTS: Final = "JSON with 'papers', 'paper' or 'data', or a list of papers with 'universal_paper_id' or 'paperId'"

_PROBED: Final = 20_000
_JSON = re.compile(r"\s*[\[{]")
_EMPTY = re.compile(r"\s*\[\s*\]\s*\Z")
_MARKS = re.compile(
    r"""
    "(?:
        (?:universal_paper_id | paper_group_id | paper_version | canonical_id | added_at)"\s*:
      | link"\s*:\s*"/abs/                                   # a hit of the fast search
      | paperId"\s*:
      | papers"\s*:\s*\[\s*(?:\] | \{\s*"paper_id"\s*:)      # an empty feed or folder; a folder
    )""",
    re.VERBOSE,
)
_PAGE_IGNORED: Final = frozenset(("pageSize",))
_FOLDER_IGNORED: Final = frozenset("created_at id name order parent_id sharing_status type updated_at".split())


def recognise(document: Document) -> bool:
    """Say whether the text is JSON with the keys of a paper."""
    head = document.text[:_PROBED]
    return _JSON.match(head) is not None and (_EMPTY.match(head) or _MARKS.search(head)) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each paper, in order. Raises ``DumpError`` (malformed) where there is no list of papers."""
    data = document.data
    try:
        papers, total = _open_answer(data)
    except FieldError as error:
        raise document.error(1, "malformed", f"expected a list of papers: {error}") from error
    if total is not None:
        yield Declared(1, total)
    for place, value in enumerate(papers, 1):
        try:
            yield make_record(read_paper(data, data.open_item(value, place)))
        except FieldError as error:
            yield data.reject(place, value, error)


def _open_answer(data: Data) -> tuple[list[Any], int | None]:
    """Return the papers of an answer, and their number where it declares one. Raises ``FieldError``."""
    if isinstance(data.value, list):
        return data.value, None if data.value else 0
    if isinstance(data.value.get("paper"), dict):
        return [data.value], None
    answer = data.open(data.value, 0)
    if "data" in answer.value:
        papers = _open_folders(data, answer)
        return papers, None if papers else 0
    papers = answer.items("papers")
    return papers, _read_total(data, answer.either("page"), len(papers))


def _open_folders(data: Data, answer: Fields) -> list[Any]:
    """Return the papers of all folders, in order. Raises ``FieldError``."""
    papers: list[Any] = []
    for folder in answer.items("data"):
        if not isinstance(folder, dict) or "papers" not in folder:
            raise FieldError(f"data: expected folders with 'papers', found {shown(folder)}")
        fields = data.open(folder, 0)
        fields.ignore(_FOLDER_IGNORED)
        papers += fields.items("papers")
    return papers


def _read_total(data: Data, page: object, found: int) -> int | None:
    """Return the number of papers that this page must hold; None where it is one of several. Raises ``FieldError``.

    An empty page is evidence that there is nothing only if it does not say of itself that it should hold something.
    """
    if not isinstance(page, dict):
        return None if found else 0
    fields = data.open(page, 0)
    fields.ignore(_PAGE_IGNORED)
    total, pages, number = (fields.number(key) for key in ("totalCount", "totalPages", "pageNum"))
    if total is None or (not found and pages is not None and number is not None and number >= max(pages, 1)):
        return None if found else 0
    return total if total == 0 or (pages is not None and pages <= 1) else None
