"""Answers of alphaXiv's API as JSON: feeds, searches, similar papers, one paper, folders.

Invented shapes::

    {"papers": [PAPER, ...], "page": {"pageNum": 1, "pageSize": 20, "totalPages": 1, "totalCount": 2}}
    {"pages": [{"papers": [PAPER, ...], "page": 0}, ...], "pageParams": [0, ...]}    (pages as a client stores them)
    {"data": {"trending_papers": [PAPER, ...]}}                                      (2025)
    {"papers": [...]} {"papers": [...]} ...              (several answers, such as one per line; also papers, in a list)
    {"results": [PAPER, ...]}                                                        (as clients store their results)
    [PAPER, ...]                                                     (search, similar papers: with repetitions)
    PAPER                                                            (a preview)
    [{"link": "/abs/2603.01234", "paperId": "2603.01234", "title": "Foam in Large Tanks", "snippet": "..."}, ...]
    {"paper": {"paper_version": {...}, "paper_group": {...}, "authors": [...]}, "comments": []}
    {"data": [{"name": "Reading", "type": "folder", "papers": [{"paper_id": "..", "details": {...}}, ...]}, ...]}
    [{"name": "Reading", "type": "collection", "papers": [PAPER, ...]}, ...]                   (folders of 2026)

``papers`` reads one paper of each shape; this module splits the answer into papers, whose line numbers are their
places.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from parsers._ledger.data import Data
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError, Fields, shown
from parsers.alphaxiv.papers import is_paper, read_paper
from schemas.items import Declared, Item

EXPECTS: Final = "JSON with 'papers', 'paper' or 'data', or a list of papers with 'universal_paper_id' or 'paperId'"

_PROBED: Final = 20_000
_JSON = re.compile(r"\s*[\[{]")
_EMPTY = re.compile(r"\s*\[\s*\]\s*\Z")
_MARKS = re.compile(
    r"""
    "(?:
        (?:universal_paper_id | paper_group_id | paper_version | canonical_id | added_at)"\s*:
      | (?:universalId | universalPaperId | paperGroupId)"\s*:
      | paperId"\s*:\s*"(?:\d{4}\.\d{4,5}|[0-9a-f]{8}-)      # others give papers numbers of their own under this name
      | link"\s*:\s*"/abs/                                   # a hit of the fast search
      | (?:trending_)?papers"\s*:\s*\[\s*(?:\] | \{\s*"paper_id"\s*:)      # an empty feed or folder; a folder
    )""",
    re.VERBOSE,
)
_LISTS: Final = ("papers", "trending_papers")
_ANSWER_IGNORED: Final = frozenset("feedCursor feedRefreshed message pageParams status success".split())
_PAPER_MARKS: Final = frozenset(("abstract", "details", "link", "paper", "paperId", "snippet", "title"))
_FOLDER_IGNORED: Final = frozenset(
    "created_at id name order parentId parent_id sharingStatus sharing_status type updated_at".split()
)


def recognise(document: Document) -> bool:
    """True if the text is JSON with the keys of a paper."""
    head = document.text[:_PROBED]
    return _JSON.match(head) is not None and (_EMPTY.match(head) or _MARKS.search(head)) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each paper, in order. Raises ``DumpError`` (malformed) if there is no list of papers."""
    data = document.data_of("paper", "data", "papers")
    try:
        papers, total = _open_answer(data)
    except FieldError as error:
        raise document.error(1, "malformed", f"expected a list of papers: {error}") from error
    if total is not None:
        yield Declared(1, total)
    for place, value in enumerate(papers, 1):
        try:
            yield read_paper(data, data.open_item(value, place), place)
        except FieldError as error:
            yield data.reject(place, value, error)


def _open_answer(data: Data) -> tuple[list[Any], int | None]:
    """Return the papers of an answer, and their number if declared. Raises ``FieldError``."""
    value = data.value
    if isinstance(value, list):
        return _open_list(data, value)
    if isinstance(value.get("paper"), dict) or is_paper(value):
        return [value], None
    answer = data.open(value, 0)
    answer.ignore(_ANSWER_IGNORED)
    if isinstance(value.get("data"), list):
        return _open_list(data, answer.items("data"))
    inner = answer.child("data")
    if "pages" in value:
        papers = [paper for page in answer.items("pages") for paper in _open_feed(data, _as_fields(data, page))[0]]
        return papers, None if papers else 0
    return _open_feed(data, inner or answer)


def _open_list(data: Data, values: list[Any]) -> tuple[list[Any], int | None]:
    """Return the papers of a list, or of the folders in it. Raises ``FieldError``."""
    if any(isinstance(value, dict) and isinstance(value.get("papers"), list) for value in values):
        values = [paper for folder in values for paper in _open_folder(data, folder)]
    elif values and not any(isinstance(value, dict) and _PAPER_MARKS.intersection(value) for value in values):
        raise FieldError(f"found {shown(values[0])}")
    return values, None if values else 0


def _open_folder(data: Data, folder: object) -> list[Any]:
    """Return the papers of a folder, or of one of several answers, in order. Raises ``FieldError``."""
    fields = _as_fields(data, folder)
    fields.ignore(_FOLDER_IGNORED)
    papers = fields.items("papers")
    _read_total(data, fields.either("page"), len(papers))
    return papers


def _open_feed(data: Data, feed: Fields) -> tuple[list[Any], int | None]:
    """Return the papers of a feed, and their number if declared. Raises ``FieldError``."""
    names = (*_LISTS, *(name for name, values in feed.value.items() if _are_papers(values)))
    name = next((name for name in names if isinstance(feed.value.get(name), list)), None)
    if name is None:
        raise FieldError(f"papers: expected list, found {shown(feed.value)}")
    papers = feed.items(name)
    return papers, _read_total(data, feed.either("page"), len(papers))


def _are_papers(values: object) -> bool:
    """True if a value is a list of papers, under any name: clients name their results as they like."""
    return isinstance(values, list) and bool(values) and all(map(is_paper, values))


def _as_fields(data: Data, value: object) -> Fields:
    """Open an object around papers. Raises ``FieldError`` for anything else."""
    if not isinstance(value, dict):
        raise FieldError(f"expected an object with 'papers', found {shown(value)}")
    return data.open(value, 0)


def _read_total(data: Data, page: object, found: int) -> int | None:
    """Return the number of papers that this page must hold; None if it does not say. Raises ``FieldError``.

    An empty page proves that there are no papers only if it does not declare that it should have some. Of several pages
    all but the last are full; they are counted from 0, by some clients from 1, so that one may hold more than expected.
    """
    if not isinstance(page, dict):
        return None if found else 0
    fields = data.open(page, 0)
    total, pages, number, size = (fields.number(key) for key in ("totalCount", "totalPages", "pageNum", "pageSize"))
    if total is None or (not found and pages is not None and number is not None and number >= max(pages, 1)):
        return None if found else 0
    if total == 0 or (pages is not None and pages <= 1):
        return total
    if pages is None or number is None or size is None or number >= pages:
        return None
    least = min(size, total - size * number)
    return least if max(found, 1) <= least else None
