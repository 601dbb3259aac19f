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
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from parsers._ledger.data import Data
from parsers._ledger.fields import DayError, FieldError, Fields, MissingError, read_day, shown
from parsers._words.dates import make_date, month_number
from parsers._words.text import canonical_arxiv_id
from schemas.items import Person, Record

_IDS: Final = ("universal_paper_id", "universalPaperId", "universalId", "paperId", "paper_id")
_VERSIONED_IDS: Final = ("canonical_id", "canonicalId")
_GROUP_IDS: Final = ("paper_group_id", "paperGroupId", "groupId", "id")
_FIRST_DAYS: Final = ("first_publication_date", "firstPublicationDate")
_DAYS: Final = ("publication_date", "publicationDate")
_VOTES: Final = ("public_total_votes", "publicTotalVotes", "votes")
_SUMMARIES: Final = ("paper_summary", "paperSummary")
_AUTHORS: Final = ("authors", "full_authors", "full_authors_v2", "authors_v2")


def _in_camel_case(name: str) -> str:
    """Return a key as some answers write it: ``image_url`` becomes ``imageUrl``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


# Known and not part of the dataset: pictures, links, other counts, organisations, versions, states of the reader.
_KNOWN: Final = """_id addedAt added_at author_info card_preview_blob_id citation citations citationsCount
    commentsCount countries coverBlobId cover_blob_id created_at distance external_blog external_link feed_description
    github_stars github_url google_citation_id has_run_report imageURL imageUrl image_url isExternalBlog is_hidden
    license narration_audio_url organizationInfo organization_info organizations paperVersionId pdf_only podcast_path
    published_date recommendation_context release_date resources source total_votes type updated_at userAuthors
    variant verified_authors versionId versionOrder version_id version_label version_order viewedAt visitsAll
    visits_count x_likes""".split()
_PAPER_IGNORED: Final = frozenset((*_KNOWN, *map(_in_camel_case, _KNOWN)))
_OTHER_NAMES: Final = frozenset((*_IDS, *_VERSIONED_IDS, *_GROUP_IDS, *_FIRST_DAYS, *_DAYS, *_VOTES))
_LISTED_IGNORED: Final = _PAPER_IGNORED | _OTHER_NAMES | frozenset(_AUTHORS)  # only the first of several names is read
_VERSION_IGNORED: Final = _PAPER_IGNORED | _OTHER_NAMES
_GROUP_IGNORED: Final = _VERSION_IGNORED | {"title"}
_ONE_IGNORED: Final = _PAPER_IGNORED | {"implementation", "marimo_implementation", "max_version_order", "pdf_info"}
_SUMMARY_IGNORED: Final = frozenset("keyInsights originalProblem results solution".split())
_METRICS_IGNORED: Final = frozenset(
    "downvotes_count questions_count total_votes upvotes_count visits_count weighted_visits x_likes".split()
)
_DETAILS_IGNORED: Final = _PAPER_IGNORED | {"id"}
_AUTHOR_KEYS: Final = frozenset(
    "affiliation email full_name id name researcher researcher_slug user_id username verified".split()
)

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


def is_paper(value: object) -> bool:
    """True if an object alone is a paper: it has a title and an identifier."""
    return isinstance(value, dict) and "title" in value and any(name in value for name in (*_IDS, *_VERSIONED_IDS))


def read_paper(data: Data, item: Fields, line: int) -> Record:
    """Make the record of one paper of any shape, found in ``line``. Raises ``FieldError`` if it is broken."""
    value = item.value
    if not {"body", "parentCommentId"}.isdisjoint(value):
        raise MissingError("expected a paper, found a comment on a paper")
    if "paper" in value:
        record = _read_one(data, item, line)
    elif "details" in value:
        record = _read_in_folder(data, item, line)
    elif "link" in value or "snippet" in value:
        record = _read_hit(item, line)
    else:
        record = _read_listed(data, item, line, in_folder=not {"added_at", "addedAt"}.isdisjoint(value))
    if record.title is None:
        raise MissingError("expected a title")
    return record._replace(notes=(*record.notes, *item.doubts))


def _read_listed(data: Data, item: Fields, line: int, *, in_folder: bool) -> Record:
    """Read a paper of a feed, a search, a list of similar papers, or of a folder without ``details``."""
    item.ignore(_LISTED_IGNORED)
    summary = item.maybe(next((name for name in _SUMMARIES if name in item.value), _SUMMARIES[0]), item.child)
    if summary is not None:
        summary.ignore(_SUMMARY_IGNORED)
    return _make_record(
        line,
        title=_text(item, "title"),
        abstract=_optional(item, "abstract"),
        summary=_optional(summary, "summary") if summary is not None else None,
        authors=_read_authors(data, item),
        authors_ordered=not in_folder,
        topics=item.maybe("topics", item.texts) or None,
        published_on=_published_on(item),
        paper_id=_paper_id(item),
        group_id=_first_text(item, _GROUP_IDS),
        count=_votes(item),
    )


def _read_one(data: Data, item: Fields, line: int) -> Record:
    """Read the paper of an answer about a single paper."""
    item.ignore({"comments"})
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
    return _make_record(
        line,
        title=_text(version, "title"),
        abstract=_optional(version, "abstract"),
        authors=authors[0] or authors[1],
        topics=group.maybe("topics", group.texts) or None,
        published_on=days[0] or days[1],
        paper_id=ids[0] or ids[1],
        group_id=group.text("id"),
        count=_votes(group),
    )


def _read_in_folder(data: Data, item: Fields, line: int) -> Record:
    """Read a paper of a folder; the identifier beside its details is that of the entry, not of the paper."""
    item.ignore({"added_at", "paper_id"})
    details = item.child("details")
    if details is None:
        raise MissingError("expected an object 'details'")
    details.ignore(_DETAILS_IGNORED)
    return _make_record(
        line,
        title=_text(details, "title"),
        abstract=_optional(details, "abstract"),
        authors=_read_authors(data, details),
        authors_ordered=False,
        topics=details.maybe("subcategories", details.texts) or None,
        published_on=_published_on(details),
        paper_id=_without_version(details.text("paper_id")),
        count=details.maybe("public_total_votes", details.number),
    )


def _read_hit(item: Fields, line: int) -> Record:
    """Read a hit of the fast search; its snippet is not an abstract."""
    item.ignore({"snippet"})
    link, own = item.text("link"), _without_version(item.text("paperId"))
    address = _without_version(link.rstrip("/").rpartition("/abs/")[2]) if link is not None else None
    is_group = own is not None and canonical_arxiv_id(own) is None and own != address
    return _make_record(
        line,
        title=_text(item, "title"),
        paper_id=address or own,
        group_id=own if is_group else None,
    )


def _paper_id(fields: Fields) -> str | None:
    """Return the identifier of a paper without its version."""
    return _without_version(_first_text(fields, _IDS) or _first_text(fields, _VERSIONED_IDS))


def _first_text(fields: Fields, names: Iterable[str]) -> str | None:
    """Return the text of the first key that has one."""
    for name in names:
        if name in fields.value and (text := fields.text(name)):
            return text
    return None


def _without_version(text: str | None) -> str | None:
    """Strip the version from an identifier, of arXiv or not."""
    return _VERSION.sub("", text.strip()) if text is not None else None


def _text(fields: Fields, key: str) -> str | None:
    """Read a text; blank lines separate paragraphs, other white space is folded when columns are made."""
    text = fields.text(key)
    return text.strip() if text is not None else None


def _optional(fields: Fields, key: str) -> str | None:
    """Read a text that a paper can do without."""
    return fields.maybe(key, lambda key: _text(fields, key))


def _votes(fields: Fields) -> int | None:
    """Return the number of votes that the page shows."""
    metrics = fields.maybe("metrics", fields.child)
    if metrics is not None:
        metrics.ignore(_METRICS_IGNORED)
    counts = fields if metrics is None else metrics
    name = next((name for name in _VOTES if name in counts.value), None)
    return counts.maybe(name, counts.number) if name is not None else None


def _read_authors(data: Data, fields: Fields) -> tuple[Person, ...] | None:
    """Return the authors in order, strings or objects; unknown keys and authors without a name stay unexplained."""
    for key in _AUTHORS:
        if fields.value.get(key):
            return fields.maybe(key, lambda key: _people(data, fields, fields.items(key)))
    return None


def _people(data: Data, fields: Fields, people: Sequence[object]) -> tuple[Person, ...] | None:
    """Return the authors that have a name. Raises ``FieldError`` where one is no author."""
    names = [(person if isinstance(person, str) else _name_of(data, fields, person)).strip() for person in people]
    return tuple([Person(name) for name in names if name]) or None


def _name_of(data: Data, fields: Fields, person: object) -> str:
    """Return the name of an author that is an object. Raises ``FieldError``."""
    names = [person[key] for key in ("full_name", "name") if key in person] if isinstance(person, dict) else []
    name = next((name for name in names if name), "")
    if not isinstance(person, dict) or not names or not isinstance(name, str):
        raise FieldError(f"authors: expected a name, found {shown(person)}")
    if not name.strip():
        data.open(person, fields.place)
    elif not _AUTHOR_KEYS.issuperset(person):
        data.open(person, fields.place).ignore(_AUTHOR_KEYS)
    return name


def _published_on(fields: Fields) -> date | None:
    """Return the day of the first publication, else of this version; None if the first that is there is none."""
    for key in (*_FIRST_DAYS, *_DAYS):
        if fields.value.get(key) not in (None, ""):
            return fields.maybe(key, lambda key: _day_of(key, fields.either(key)))
    return None


def _day_of(key: str, value: object) -> date | None:
    """Return the day of an ISO date, of milliseconds or seconds since 1970 (UTC), or as JavaScript prints it.

    Raises ``FieldError`` for anything else, ``DayError`` for a day that does not exist.
    """
    if isinstance(value, str):
        text = value.strip()
        if not text or _NUMBER.fullmatch(text) is None:
            return _printed_day(key, text)
        value = int(text)
    if value is None:
        return None
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    for unit in (1, 1_000):
        if isinstance(number, int) and number * unit in _MILLISECONDS:
            return _EPOCH + timedelta(milliseconds=number * unit)
    raise FieldError(f"{key}: expected a date, milliseconds or seconds, found {shown(value)}")


def _printed_day(key: str, text: str) -> date | None:
    """Return the day of an ISO date or a JavaScript date, as written there; None for an empty text."""
    found = _SCRIPT_DATE.fullmatch(text)
    if found is None:
        return read_day(key, text) if text else None
    try:
        day = make_date(int(found["year"]), month_number(found["month"]), int(found["day"]))
    except ValueError:
        day = None
    if day is None:
        raise DayError(f"{key}: expected a day that exists, found {shown(text)}")
    return day


def _make_record(  # noqa: PLR0913  # everything that a paper may have, by name
    line: int,
    *,
    title: str | None,
    abstract: str | None = None,
    summary: str | None = None,
    authors: tuple[Person, ...] | None = None,
    authors_ordered: bool = True,
    topics: tuple[str, ...] | None = None,
    published_on: date | None = None,
    paper_id: str | None,
    group_id: str | None = None,
    count: int | None = None,
) -> Record:
    """Make the record of one paper; texts stay as printed.

    ``paper_id`` is the last part of the address: an arXiv identifier, or another one for a paper that is not on arXiv;
    ``group_id`` is alphaXiv's own. ``authors_ordered`` is False if the order is lost; the order of ``topics`` means
    nothing.
    """
    arxiv_id = canonical_arxiv_id(paper_id) if paper_id else None
    is_address = arxiv_id is not None or (paper_id is not None and _PAPER_ID.fullmatch(paper_id) is not None)
    return Record(
        line_start=line,
        line_end=line,
        native_id=group_id,
        title=title,
        abstract=abstract,
        summary=summary,
        authors=authors,
        published_on=published_on,
        arxiv_id=arxiv_id,
        url=f"https://www.alphaxiv.org/abs/{arxiv_id or paper_id}" if is_address else None,
        categories=_only_category(topics or ()),
        keywords=topics,
        engagement=count,
        notes=() if authors is None or authors_ordered else ("authors_unordered",),
    )


def _only_category(topics: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the arXiv code among topics if it is the only one: of several, the primary one is unknown."""
    codes = [topic for topic in topics if ("." in topic or "-" in topic) and _CATEGORY.fullmatch(topic)]
    return tuple(codes) if len(codes) == 1 else None
