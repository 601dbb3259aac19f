"""One paper of an alphaXiv answer: from its JSON object, in one of four shapes, to a record.

Invented, with the keys that are read::

    {"paper_group_id": "0198..", "universal_paper_id": "2603.01234", "canonical_id": "2603.01234v1", "title": "..",
     "abstract": "..", "paper_summary": {"summary": ".."}, "metrics": {"public_total_votes": 12},
     "first_publication_date": "2026-03-02T17:58:59.000Z", "publication_date": .., "topics": ["cs.DC", "foam"],
     "authors": ["Ada Quill"], "full_authors": [{"full_name": "Ada Quill"}]}             a feed, a search, a preview
    {"link": "/abs/2603.01234", "paperId": "2603.01234", "title": "..", "snippet": ".."}          the fast search
    {"paper": {"paper_version": {..}, "paper_group": {..}, "authors": [{"full_name": ".."}]}}     one paper
    {"added_at": "..", "details": {"paper_id": "2603.01234", "title": "..", "authors": [".."]}}   in a folder

Some answers write the keys of the first shape in camel case (``universalPaperId``), and count votes without
``metrics``. Topics mix arXiv codes, names of fields and slugs in alphabetical order: all of them are keywords, as
printed. The primary one of several codes is not marked, so ``categories``, primary first, are known only if there is
one code. A folder does not keep the order of authors: they come as printed, with a note.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Final

from parsers._ledger.data import Data
from parsers._ledger.fields import FieldError, Fields, MissingError, read_day
from parsers._tables.keys import Keys
from parsers._tables.table import many, maybe, one
from parsers._words.dates import make_date, month_number
from parsers._words.text import canonical_arxiv_id
from schemas.items import Person, Record

_VERSION: Final = re.compile(r"v\d{1,3}$")
_PAPER_ID = re.compile(r"[\w./-]{1,100}")
_CATEGORY = re.compile(
    r"(?:astro-ph|cs|econ|eess|math|nlin|q-bio|q-fin|stat)\.[A-Z]{2}"
    r"|(?:cond-mat|physics)\.[a-z]{2,6}(?:-[a-z]{2,4})?"
    r"|astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math-ph|nucl-(?:ex|th)|quant-ph"
)
_SCRIPT_DATE: Final = re.compile(
    r"[A-Z][a-z]{2}\ (?P<month>[A-Z][a-z]{2})\ (?P<day>\d{2})\ (?P<year>\d{4})\ \d{2}:\d{2}:\d{2}\b.{0,80}", re.VERBOSE
)
_MILLISECONDS: Final = range(315_532_800_000, 7_258_118_400_000)  # 1980 to 2199
_NUMBER: Final = re.compile(r"\d{9,13}")
_EPOCH: Final = date(1970, 1, 1)
_LARGEST: Final = 2**63 - 1  # the largest number in an integer column


def _stripped(value: object) -> str | None:
    """Read a text; blank lines separate paragraphs, other white space is folded when columns are made."""
    return value.strip() if isinstance(value, str) else None


def _paper_id(value: object) -> str | None:
    """Read an identifier, of arXiv or not, or an address that ends with one; without its version."""
    return _VERSION.sub("", value.strip().rstrip("/").rpartition("/abs/")[2]) if isinstance(value, str) else None


def _linked_id(value: object) -> str | None:
    """Read an address that ends with an identifier."""
    return _paper_id(value) if isinstance(value, str) and "/abs/" in value else None


def _count(value: object) -> int | None:
    """Read a number that a table can hold."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST else None


def _name_of(author: object) -> str | None:
    """Return the name of an author, a text or an object; empty for one without a name, None for anything else."""
    if isinstance(author, str):
        return author.strip()
    names = [author[key] for key in ("full_name", "name") if key in author] if isinstance(author, dict) else []
    name = next(filter(None, names), "" if names else None)
    return name.strip() if isinstance(name, str) else None


def _authors(value: object) -> list[tuple[str, Any]] | None:
    """Read a list of authors, each with its name."""
    authors = [(_name_of(each), each) for each in value] if isinstance(value, list) else []
    named = [(name, each) for name, each in authors if name is not None]
    return named if authors and len(named) == len(authors) else None


def _day(value: object) -> date | None:
    """Read the day of an ISO date, of milliseconds or seconds since 1970 (UTC), or as JavaScript prints it."""
    number: object = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(value, str):
        text = value.strip()
        if _NUMBER.fullmatch(text) is None:
            return _printed_day(text)
        number = int(text)
    for unit in (1, 1_000):
        if isinstance(number, int) and number * unit in _MILLISECONDS:
            return _EPOCH + timedelta(milliseconds=number * unit)
    return None


def _printed_day(text: str) -> date | None:
    """Return the day of an ISO date or a JavaScript date, as written there."""
    try:
        if found := _SCRIPT_DATE.fullmatch(text):
            return make_date(int(found["year"]), month_number(found["month"]), int(found["day"]))
        return read_day("day", text)
    except (FieldError, ValueError):
        return None


def _in_camel_case(name: str) -> str:
    """Return a key as some answers write it: ``image_url`` becomes ``imageUrl``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _at(names: Iterable[str], *objects: str) -> str:
    """Return the paths of some keys in each of some objects, one after another."""
    return " ".join(f"{each}{name}" for each in objects for name in names)


# Known and not part of the dataset: pictures, links, other counts, organisations, versions, states of the reader.
_KNOWN: Final = """_id addedAt added_at author_info card_preview_blob_id citation citations citationsCount
    commentsCount countries coverBlobId cover_blob_id created_at distance external_blog external_link feed_description
    github_stars github_url google_citation_id has_run_report imageURL imageUrl image_url isExternalBlog is_hidden
    license narration_audio_url organizationInfo organization_info organizations paperVersionId pdf_only podcast_path
    published_date recommendation_context release_date resources source total_votes type updated_at userAuthors
    variant verified_authors versionId versionOrder version_id version_label version_order viewedAt visitsAll
    visits_count x_likes""".split()
_IDS: Final = "universal_paper_id universalPaperId universalId paperId paper_id canonical_id canonicalId".split()
_DAYS: Final = "first_publication_date firstPublicationDate publication_date publicationDate".split()
_VOTES: Final = "public_total_votes publicTotalVotes votes".split()
_AUTHORS: Final = "authors full_authors full_authors_v2 authors_v2".split()
_OF_METRICS: Final = (
    "downvotes_count questions_count total_votes upvotes_count visits_count weighted_visits x_likes".split()
)
_OF_SUMMARY: Final = "keyInsights originalProblem results solution".split()
_AUTHOR_KEYS: Final = frozenset(
    "affiliation email full_name id name researcher researcher_slug user_id username verified".split()
)
_BESIDE: Final = frozenset("added_at comments paper_id".split())  # what stands beside a paper in an object of its own

_FIELDS: Final = (
    one("title", "title paper_version.title paper_group.title", _stripped),
    maybe("abstract", "abstract paper_version.abstract", _stripped),
    maybe("summary", "paper_summary.summary paperSummary.summary", _stripped),
    maybe("authors", _at(_AUTHORS, "", "paper_group."), _authors),
    many("topics", "topics paper_group.topics", _stripped),
    many("subcategories", "", _stripped),
    maybe("published_on", _at(_DAYS, "", "paper_group.", "paper_version."), _day),
    maybe("link", "", _linked_id),
    maybe("paper_id", _at(_IDS, "", "paper_version.", "paper_group."), _paper_id),
    maybe("counted", _at(_VOTES, "metrics.", "paper_group.metrics."), _count),
    maybe("votes", _at(_VOTES, "", "paper_group."), _count),
)
_IGNORED: Final = " ".join(
    (
        _at((*_KNOWN, *map(_in_camel_case, _KNOWN)), "", "paper_version.", "paper_group."),
        "snippet implementation marimo_implementation max_version_order pdf_info",
        "paper_version.id paper_version.paper_group_id paper_group.paper_group_id",
        _at(_OF_METRICS, "metrics.", "paper_group.metrics."),
        _at(_OF_SUMMARY, "paper_summary.", "paperSummary."),
    )
)
_PAPER: Final = Keys(
    *_FIELDS,
    maybe("group_id", "paper_group_id paperGroupId groupId paper_group.id id", _stripped),
    ignored=_IGNORED,
)
_DETAILS: Final = Keys(*_FIELDS, ignored=f"{_IGNORED} id")


def is_paper(value: object) -> bool:
    """True if an object alone is a paper: it has a title and an identifier."""
    return isinstance(value, dict) and "title" in value and any(name in value for name in _IDS)


def read_paper(data: Data, item: Fields, line: int) -> Record:
    """Make the record of one paper of any shape, found in ``line``. Raises ``FieldError`` if it is broken.

    A paper that is not on arXiv has another last part of its address. The order of topics means nothing; that of
    authors is lost in a folder.
    """
    value = item.value
    if not {"body", "parentCommentId"}.isdisjoint(value):
        raise MissingError("expected a paper, found a comment on a paper")
    around = next((key for key in ("paper", "details") if key in value), None)
    paper: Fields | None = item
    if around is not None:
        item.ignore(_BESIDE)
        paper = item.child(around)
    if paper is None:
        raise MissingError(f"expected an object {around!r}")
    found = (_DETAILS if around == "details" else _PAPER).read(paper)
    paper_id, own_id = found["link"] or found["paper_id"], _paper_id(paper.value.get("paperId"))
    arxiv_id = canonical_arxiv_id(paper_id) if paper_id else None
    is_address = arxiv_id is not None or (paper_id is not None and _PAPER_ID.fullmatch(paper_id) is not None)
    is_group = own_id is not None and own_id != paper_id and canonical_arxiv_id(own_id) is None
    metrics = paper.value.get("metrics")
    is_counted = found["counted"] is not None or (isinstance(metrics, dict) and metrics)
    topics = tuple(dict.fromkeys((*found["topics"], *found["subcategories"])))
    authors = _people(data, found["authors"] or (), item.place)
    is_in_folder = around == "details" or not {"added_at", "addedAt"}.isdisjoint(value)
    return Record(
        line_start=line,
        line_end=line,
        native_id=found.get("group_id") or (own_id if is_group else None),
        title=found["title"],
        abstract=found["abstract"],
        summary=found["summary"],
        authors=authors,
        published_on=found["published_on"],
        arxiv_id=arxiv_id,
        url=f"https://www.alphaxiv.org/abs/{arxiv_id or paper_id}" if is_address else None,
        categories=_only_category(topics),
        keywords=topics or None,
        engagement=found["counted"] if is_counted else found["votes"],
        notes=(*(("authors_unordered",) if authors and is_in_folder else ()), *found["notes"]),
    )


def _people(data: Data, authors: Iterable[tuple[str, Any]], place: int) -> tuple[Person, ...] | None:
    """Return the authors that have a name; unknown keys, and those of authors without one, stay unexplained."""
    for name, author in authors:
        if isinstance(author, dict) and not (name and _AUTHOR_KEYS.issuperset(author)):
            data.open(author, place).ignore(_AUTHOR_KEYS if name else ())
    return tuple([Person(name) for name, _ in authors if name]) or None


def _only_category(topics: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the arXiv code among topics if it is the only one: of several, the primary one is unknown."""
    codes = [topic for topic in topics if ("." in topic or "-" in topic) and _CATEGORY.fullmatch(topic)]
    return tuple(codes) if len(codes) == 1 else None
