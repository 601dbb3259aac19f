"""One paper of an alphaXiv answer: from its JSON object, in one of four shapes, to the pieces of a card.

Invented, with the keys that are read::

    {"paper_group_id": "0198..", "universal_paper_id": "2603.01234", "canonical_id": "2603.01234v1", "title": "..",
     "abstract": "..", "paper_summary": {"summary": ".."}, "metrics": {"public_total_votes": 12},
     "first_publication_date": "2026-03-02T17:58:59.000Z", "publication_date": .., "topics": ["cs.DC", "foam"],
     "authors": ["Ada Quill"], "full_authors": [{"full_name": "Ada Quill"}]}                      a feed, a search
    {"link": "/abs/2603.01234", "paperId": "2603.01234", "title": ".."}                           the fast search
    {"paper": {"paper_version": {..}, "paper_group": {..}, "authors": [{"full_name": ".."}]}}     one paper
    {"details": {"paper_id": "2603.01234", "title": "..", "authors": [".."], ..}}                 in a folder

Topics mix arXiv codes, names of fields and slugs in alphabetical order. Which code is the primary one is not said, so
that ``categories``, primary first, would be a guess: all topics are keywords, as printed. A folder does not keep the
order of authors: they come as printed, with a note. Dates are ISO, milliseconds, or what JavaScript prints.
"""

import re
from datetime import date, timedelta
from typing import Final

from parsers._dates import make_date, month_number
from parsers._json import Data, DayError, FieldError, Fields, MissingError, read_day, shown
from parsers._text import canonical_arxiv_id
from parsers.alphaxiv.items import Card
from schemas.items import Person

# Known and not part of the dataset: pictures, links, other counts, organisations, versions, states of the reader.
_PAPER_IGNORED: Final = frozenset(
    """author_info citation created_at distance github_stars github_url imageURL image_url license organizationInfo
    organization_info organizations published_date release_date resources source updated_at version_id
    version_label version_order versionId""".split()
)
_VERSION_IGNORED: Final = _PAPER_IGNORED | {"id", "paper_group_id"}
_GROUP_IGNORED: Final = _PAPER_IGNORED | {"podcast_path", "title"}
_ANSWER_IGNORED: Final = frozenset(("comments",))
_ONE_IGNORED: Final = _PAPER_IGNORED | {"implementation", "marimo_implementation", "max_version_order", "pdf_info"}
_SUMMARY_IGNORED: Final = frozenset("keyInsights originalProblem results solution".split())
_METRICS_IGNORED: Final = frozenset(
    "downvotes_count questions_count total_votes upvotes_count visits_count weighted_visits x_likes".split()
)
_HIT_IGNORED: Final = frozenset(("snippet",))
_IN_FOLDER_IGNORED: Final = frozenset(("added_at", "paper_id"))
_AUTHOR_KEYS: Final = frozenset("affiliation email full_name id name user_id username".split())

_VERSION: Final = re.compile(r"v\d{1,3}$")
_SCRIPT_DATE: Final = re.compile(
    r"[A-Z][a-z]{2}\ (?P<month>[A-Z][a-z]{2})\ (?P<day>\d{2})\ (?P<year>\d{4})\ \d{2}:\d{2}:\d{2}\b.{0,80}", re.VERBOSE
)
_MILLISECONDS: Final = range(315_532_800_000, 7_258_118_400_000)  # 1980 to 2199
_EPOCH: Final = date(1970, 1, 1)


def read_paper(data: Data, item: Fields) -> Card:
    """Read one paper of any shape. Raises ``FieldError`` where it is broken."""
    if "paper" in item.value:
        card = _read_one(data, item)
    elif "details" in item.value:
        card = _read_in_folder(data, item)
    elif "link" in item.value or "paperId" in item.value:
        card = _read_hit(item)
    else:
        card = _read_listed(data, item)
    if card.title is None:
        raise MissingError("expected a title")
    return card


def _read_listed(data: Data, item: Fields) -> Card:
    """Read a paper of a feed, a search, or a list of similar papers."""
    item.ignore(_PAPER_IGNORED)
    own, group = item.text("id"), item.text("paper_group_id")
    summary = item.child("paper_summary")
    if summary is not None:
        summary.ignore(_SUMMARY_IGNORED)
    return Card(
        line_start=item.place,
        line_end=item.place,
        title=_text(item, "title"),
        abstract=_text(item, "abstract"),
        summary=_text(summary, "summary") if summary is not None else None,
        authors=_read_authors(data, item),
        keywords=item.texts("topics") or None,
        published_on=_published_on(item),
        paper_id=_paper_id(item),
        group_id=group or own,
        count=_votes(item),
    )


def _read_one(data: Data, item: Fields) -> Card:
    """Read the paper of an answer about one."""
    item.ignore(_ANSWER_IGNORED)
    paper = item.child("paper")
    version = paper.child("paper_version") if paper is not None else None
    group = paper.child("paper_group") if paper is not None else None
    if paper is None or version is None or group is None:
        raise MissingError("expected objects 'paper_version' and 'paper_group' in 'paper'")
    paper.ignore(_ONE_IGNORED)
    version.ignore(_VERSION_IGNORED)
    group.ignore(_GROUP_IGNORED)
    ids, days = (_paper_id(version), _paper_id(group)), (_published_on(group), _published_on(version))
    authors = (_read_authors(data, paper), _read_authors(data, group))
    return Card(
        line_start=item.place,
        line_end=item.place,
        title=_text(version, "title"),
        abstract=_text(version, "abstract"),
        authors=authors[0] or authors[1],
        keywords=group.texts("topics") or None,
        published_on=days[0] or days[1],
        paper_id=ids[0] or ids[1],
        group_id=group.text("id"),
        count=_votes(group),
    )


def _read_in_folder(data: Data, item: Fields) -> Card:
    """Read a paper of a folder; the identifier beside its details is that of the entry, not of the paper."""
    item.ignore(_IN_FOLDER_IGNORED)
    details = item.child("details")
    if details is None:
        raise MissingError("expected an object 'details'")
    details.ignore(_PAPER_IGNORED)
    return Card(
        line_start=item.place,
        line_end=item.place,
        title=_text(details, "title"),
        abstract=_text(details, "abstract"),
        authors=_read_authors(data, details),
        authors_ordered=False,
        keywords=details.texts("subcategories") or None,
        published_on=_published_on(details),
        paper_id=_without_version(details.text("paper_id")),
        count=details.number("public_total_votes"),
    )


def _read_hit(item: Fields) -> Card:
    """Read a hit of the fast search; its snippet is no abstract."""
    item.ignore(_HIT_IGNORED)
    link, own = item.text("link"), _without_version(item.text("paperId"))
    address = _without_version(link.rstrip("/").rpartition("/abs/")[2]) if link is not None else None
    is_group = own is not None and canonical_arxiv_id(own) is None and own != address
    return Card(
        line_start=item.place,
        line_end=item.place,
        title=_text(item, "title"),
        paper_id=address or own,
        group_id=own if is_group else None,
    )


def _paper_id(fields: Fields) -> str | None:
    """Return the identifier of a paper without its version."""
    universal, canonical = fields.text("universal_paper_id"), fields.text("canonical_id")
    return _without_version(universal or canonical)


def _without_version(text: str | None) -> str | None:
    """Take the version off an identifier, of arXiv or not."""
    return _VERSION.sub("", text.strip()) if text is not None else None


def _text(fields: Fields, key: str) -> str | None:
    """Take a text; blank lines separate paragraphs, other white space is folded when columns are made."""
    text = fields.text(key)
    return text.strip() if text is not None else None


def _votes(fields: Fields) -> int | None:
    """Return the number of votes that the page shows."""
    metrics = fields.child("metrics")
    if metrics is None:
        return None
    metrics.ignore(_METRICS_IGNORED)
    return metrics.number("public_total_votes")


def _read_authors(data: Data, fields: Fields) -> tuple[Person, ...] | None:
    """Return the authors in order, strings or objects; keys of an author that nobody knows are left unexplained."""
    short, full = fields.items("authors"), fields.items("full_authors")
    authors = []
    for person in short or full:
        name = person
        if isinstance(person, dict):
            name = person.get("full_name") or person.get("name")
            if not _AUTHOR_KEYS.issuperset(person):
                data.open(person, fields.place).ignore(_AUTHOR_KEYS)
        if not isinstance(name, str) or not name.strip():
            raise FieldError(f"authors: expected a name, found {shown(person)}")
        authors.append(Person(name.strip()))
    return tuple(authors) or None


def _published_on(fields: Fields) -> date | None:
    """Return the day of the first publication, else of the version at hand."""
    days = [_day(key, fields.either(key)) for key in ("first_publication_date", "publication_date")]
    return days[0] or days[1]


def _day(key: str, value: object) -> date | None:
    """Return the day of an ISO date, of milliseconds since 1970 (UTC), or of what JavaScript prints, as written there.

    Raises ``FieldError`` for anything else, ``DayError`` for a day that does not exist.
    """
    if value is None or value == "":
        return None
    if isinstance(value, int) and value in _MILLISECONDS:
        return _EPOCH + timedelta(milliseconds=value)
    if not isinstance(value, str):
        raise FieldError(f"{key}: expected a date or milliseconds, found {shown(value)}")
    found = _SCRIPT_DATE.fullmatch(value)
    if found is None:
        return read_day(key, value.strip())
    try:
        day = make_date(int(found["year"]), month_number(found["month"]), int(found["day"]))
    except ValueError:
        day = None
    if day is None:
        raise DayError(f"{key}: expected a day that exists, found {shown(value)}")
    return day
