"""Papers as data: answers of ``/api/daily_papers`` and ``/api/papers``, and the data that a page carries.

Invented::

    [{"paper": {"id": "2406.01234", ...}, "title": "Foam in Large Tanks", ...}, ...]
    {"status": 200, "date": "2025-01-10", "count": 2, "data": [{"paper": ...}, ...]}    (an archived copy)
    {"dateString": "2026-03-02", "dailyPapers": [{"paper": ...}, ...]}                  (the data taken out of a page)
    {"dateString": "2026-07-30", "query": {"q": "foam"}, "dailyPapers": [], "searchResults": [{...}, ...]}   (a search)
    {"date": "2024-06-11T00:00:00.000Z", "dailyPapers": [{...}, ...], "nextDate": "..", "prevDate": ".."}    (2024)
    [{"id": "2406.01234", "title": "Foam in Large Tanks", ...}, ...]                    (unlisted papers, or just one)
    {"2026-03-02": [{"paper": ...}, ...], "2026-03-03": [...]}                          (a collection, by day or not)
    {"paper": ...} {"paper": ...} ...                       (several in a row, such as one per line; also lists)
    ["{'paper': {'id': '2406.01234', ...}, 'title': 'Foam in Large Tanks', ...}", ...]  (a damaged copy)

The damaged copies have each entry as a string with a Python dictionary; these are read as literals, never run. An
entry, with the keys that are read::

    {"title": "Foam in Large Tanks", "publishedAt": "2024-06-12T20:11:00.000Z", "summary": "We fill ...",
     "paper": {"id": "2406.01234", "title": "Foam in Large Tanks", "summary": "We fill ...", "upvotes": 24,
               "authors": [{"name": "Ada Quill", "hidden": false}], "publishedAt": "2024-06-11T17:58:59.000Z",
               "submittedOnDailyAt": "2024-06-12T01:02:03.000Z", "ai_summary": "...", "ai_keywords": ["foam"]}}

An answer about unlisted papers has the contents of ``paper`` at the top level, and nothing else. Otherwise the
top-level text is preferred: the one inside ``paper`` had hard line breaks until early 2025. An author marked hidden
counts all the same: the mark is about a profile, and the paper's list would be incomplete without the name. The paper's
own date is ``paper.publishedAt``.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any, Final, TypeAlias

from parsers._ledger.data import Data
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError, Fields, MissingError, shown
from parsers.hf_daily.items import asked_day, iso_day, make_record
from schemas.items import Declared, Item, Person, Record, Reject

EXPECTS: Final = "a JSON list of objects with 'paper', or an object whose 'data' is such a list"

_PROBED: Final = 20_000
_LIST = re.compile(r"\s*\[\s*(?:\]\s*\Z|[{\"])")
_PAPER = re.compile(r"""["']paper["']\s*:\s*\{""")
_WRAPPED = re.compile(r'"(?:data|papers)"\s*:\s*\[')
_EMPTY = re.compile(r'\s*\{[^\[{]*"(?:data|papers)"\s*:\s*\[\s*\]')
_LISTS: Final = ("dailyPapers", "searchResults")
_TAKEN_OUT = re.compile(rf'"(?:{"|".join(_LISTS)})"\s*:\s*\[')
_ID = re.compile(r'"id"\s*:\s*"\d{4}\.\d{4,5}"')
_OF_A_PAPER = re.compile(r'"(?:upvotes|discussionId|submittedOnDailyAt|hidden)"\s*:')
_WRAPPERS: Final = ("data", "papers")
_NAMES: Final = (*_WRAPPERS, *_LISTS)
_LONGEST_LITERAL: Final = 500_000

# Known and not part of the dataset: pictures, links, submitters, other counts, states of the reader.
_ENTRY_IGNORED: Final = frozenset(
    """isAuthorParticipating mediaUrl mediaUrls numComments organization submittedBy submitterOrganization thumbnail
    upvoted isUpvoted""".split()
)
_PAPER_IGNORED: Final = frozenset(
    """ai_summary_model discussionId githubRepo githubRepoAddedBy githubStars isAuthorParticipating linkedDatasets
    linkedModels linkedSpaces mediaUrl mediaUrls numComments numTotalDatasets numTotalModels numTotalSpaces
    organization projectPage source submittedOnDailyBy submitterOrganization thumbnail
    thumbnailUrl upvoted""".split()
)
_AUTHOR_KEYS: Final = frozenset("_id hidden name status statusLastChangedAt user".split())

_LAST_FEATURED: Final = date(2025, 3, 10)  # the last day on which the top-level date was that of the listing
_BEGINS_BEFORE: Final = timedelta(hours=2, minutes=30)  # a list, before its day in UTC
_EVENING: Final = timedelta(hours=4)  # in which a list may begin, if a request says which day's it is
_ZONES: Final = (timedelta(0), timedelta(hours=4), timedelta(hours=5))
_BLANK_LINE: Final = re.compile(r"\n\s*\n")

_Entry: TypeAlias = tuple[Any, date | None]
"""An entry, and the day that was requested."""


def recognise(document: Document) -> bool:
    """True if the text is a list of papers, such a list in an object, or one paper."""
    head = document.text[:_PROBED]
    is_flat = _ID.search(head) is not None and _OF_A_PAPER.search(head) is not None
    if found := _LIST.match(head):
        return found[0].rstrip().endswith("]") or _PAPER.search(head) is not None or is_flat
    if not head.lstrip().startswith("{"):
        return False
    wrapped = _WRAPPED.search(head) is not None and _PAPER.search(head) is not None
    return wrapped or _EMPTY.match(head) is not None or is_flat or _TAKEN_OUT.search(head) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield a record for each entry, in order; their line numbers are their places in the list.

    Raises ``DumpError`` (malformed) if the document as a whole has the wrong shape.
    """
    data = document.data_of(*_NAMES)
    try:
        entries, count = _open(data, data.value, asked_day(document.facts))
    except FieldError as error:
        raise document.error(1, "malformed", f"expected a response with status, date, count, data: {error}") from error
    if count is not None:
        yield Declared(1, count)
    for place, (value, asked) in enumerate(entries, 1):
        entry = _read_literal(value) if isinstance(value, str) else value
        yield read_entry(data, entry, place, asked, (place, place))


def _open(data: Data, value: Any, asked: date | None) -> tuple[list[_Entry], int | None]:  # noqa: ANN401  # of JSON
    """Return the entries, each with its day, and their number if declared.

    Raises ``FieldError`` if there are none and nothing that could hold them.
    """
    if isinstance(value, list):
        answers = [_open(data, answer, asked) for answer in value if _is_answer(answer)]
        if len(answers) < len(value) or not value:
            return [(entry, asked) for entry in value], None if value else 0
        counts = [count for _, count in answers if count is not None]
        return [entry for entries, _ in answers for entry in entries], sum(counts) if len(counts) == len(
            answers
        ) else None
    if _is_entry(value):
        return [(value, asked)], None
    if not value.keys().isdisjoint(_LISTS):
        entries = list_entries(value)
        return [(entry, day_of(value) or asked) for entry in entries], None if entries else 0
    fields = data.open(value, 0)
    fields.ignore({"status", "message"})
    names = [name for name, items in value.items() if name in _WRAPPERS or _are_entries(items)] or _WRAPPERS[:1]
    day, count = iso_day(fields.text("date")) or asked, fields.number("count")
    return [(entry, iso_day(name) or day) for name in names for entry in fields.items(name)], count


def _is_entry(value: object) -> bool:
    """True if an object is an entry, or an unlisted paper."""
    return isinstance(value, dict) and (isinstance(value.get("paper"), dict) or "id" in value)


def _are_entries(value: object) -> bool:
    """True if a value is a list of entries."""
    return isinstance(value, list) and bool(value) and all(map(_is_entry, value))


def _is_answer(value: object) -> bool:
    """True if an object holds entries: archives store one answer after the other."""
    if not isinstance(value, dict) or _is_entry(value):
        return False
    return any(name in _NAMES or _are_entries(items) for name, items in value.items())


def _read_literal(text: str) -> object:
    """Return the Python dictionary in a string; the string itself if there is none."""
    if len(text) > _LONGEST_LITERAL or not text.startswith("{"):
        return text
    try:
        return json.loads(json.dumps(ast.literal_eval(text)))  # only what JSON can hold, tuples as lists
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # raised for anything else
        return text


def list_entries(props: object) -> list[Any]:
    """Return the entries of the data. Raises ``FieldError`` if there is no list of them."""
    found = [props[name] for name in _LISTS if name in props] if isinstance(props, dict) else []
    if not found or not all(isinstance(entries, list) for entries in found):
        raise FieldError(f"found {shown(props)}")
    return [entry for entries in found for entry in entries]


def day_of(props: Mapping[str, Any]) -> date | None:
    """Return the day that the page lists; None if it shows a week, a month, search results, or trends.

    Search results and trending papers were listed on some other day, if ever.
    """
    query = props.get("query")
    searched = props.get("searchResults") or (query.get("q") if isinstance(query, dict) else query)
    if props.get("periodType") not in (None, "day") or searched or props.get("isTrending"):
        return None
    return next((day for name in ("dateString", "date") if (day := iso_day(props.get(name)))), None)


def read_entry(data: Data, value: object, place: int, asked: date | None, lines: tuple[int, int]) -> Record | Reject:
    """Make the record of the entry at 1-based ``place``, or the reject of a broken one.

    ``asked`` is the requested day of the document; ``lines`` are first and last line of the result.
    """
    try:
        entry = data.open_item(value, place)
        record = _read_paper(data, entry, asked, lines)
    except FieldError as error:
        return data.reject(place, value, error, lines)
    return record._replace(notes=(*record.notes, *entry.doubts))


def _read_paper(data: Data, entry: Fields, asked: date | None, lines: tuple[int, int]) -> Record:
    """Read the keys of an entry. Raises ``FieldError`` where it is no paper, has no id or no title."""
    entry.ignore(_ENTRY_IGNORED)
    paper = entry if "paper" not in entry.value and "id" in entry.value else entry.child("paper")
    if paper is None:
        raise MissingError("expected an object 'paper'")
    paper.ignore(_PAPER_IGNORED)
    paper_id, titles = paper.text("id"), (entry.text("title"), paper.text("title"))
    title = titles[0] or titles[1]
    if paper_id is None or title is None:
        raise MissingError("expected 'id' and 'title' of the paper")
    abstracts = (entry.maybe("summary", entry.text), paper.maybe("summary", paper.text))
    return make_record(
        line_start=lines[0],
        line_end=lines[1],
        title=_one_line(title),
        paper_id=paper_id.strip(),
        abstract=_paragraphs(abstracts[0] or abstracts[1]),
        summary=_paragraphs(paper.maybe("ai_summary", paper.text)),
        authors=paper.maybe("authors", lambda key: _read_authors(data, paper.items(key), entry.place)),
        keywords=paper.maybe("ai_keywords", paper.texts) or None,
        listed_on=_listed_on(entry, paper, asked),
        published_on=paper.maybe("publishedAt", paper.day),
        upvotes=paper.maybe("upvotes", paper.number),
    )


def _read_authors(data: Data, people: Sequence[Any], place: int) -> tuple[Person, ...] | None:
    """Return the authors in order; unknown keys of an author, and authors without a name, stay unexplained."""
    try:
        names = [(person["name"] or "").strip() for person in people]
    except (AttributeError, KeyError, TypeError) as error:
        raise FieldError(f"authors: expected objects with a name, found {shown(people)}") from error
    if not all(names) or not _AUTHOR_KEYS.issuperset(chain.from_iterable(people)):
        _open_odd_authors(data, people, names, place)
    return tuple([Person(name) for name in names if name]) or None


def _open_odd_authors(data: Data, people: Sequence[Any], names: Sequence[str], place: int) -> None:
    """Open the authors without a name and those with unknown keys; the others have only known keys."""
    for person, name in zip(people, names, strict=True):
        if not name:
            data.open(person, place)
        elif not _AUTHOR_KEYS.issuperset(person):
            data.open(person, place).ignore(_AUTHOR_KEYS)


def _listed_on(entry: Fields, paper: Fields, asked: date | None) -> date | None:
    """Return the day of the listing.

    It is ``paper.submittedOnDailyAt``, whose day in UTC is that of the page that lists the paper: the site itself gives
    it in every answer. Before that key existed it was that of the top-level ``publishedAt``, which since then is the
    paper's own date, moved to another zone. Else it is ``asked``, the day around the entries or the requested one: the
    site answers a request for a future day with the latest, and some requests without regard to the day. If one of the
    two cannot be read, the others are not asked instead.
    """
    submitted = paper.maybe("submittedOnDailyAt", paper.day)
    if paper is entry:
        return submitted
    featured = entry.maybe("publishedAt", entry.day)
    if submitted is not None or paper.value.get("submittedOnDailyAt"):
        return submitted
    if featured is None and entry.value.get("publishedAt"):
        return None
    if featured is not None and featured <= _LAST_FEATURED and not _is_moved(entry, paper):
        return _day_of_list(entry, featured, asked)
    return asked


def _day_of_list(entry: Fields, featured: date, asked: date | None) -> date:
    """Return the day of the list on which an entry was featured at a moment of the day ``featured``, in UTC.

    A list began in the evening before its day: that of D has moments from 21:30 of D - 1 on, in 89 lists of December
    2024 to March 2025, and none after 21:30 of D.
    """
    moment = _moment(entry.text("publishedAt"))
    if moment is None:
        return featured
    if asked is not None and moment.date() < asked <= (moment + _EVENING).date():
        return asked
    return (moment + _BEGINS_BEFORE).date()


def _moment(printed: str | None) -> datetime | None:
    """Read a date-time; None for a day without a time, and for a time of day that does not exist."""
    try:
        return datetime.fromisoformat(printed[:19]) if printed and len(printed) > len("2025-01-08") else None
    except ValueError:
        return None


def _is_moved(entry: Fields, paper: Fields) -> bool:
    """True if the top-level date is only the paper's own date, moved to another zone."""
    featured, published = _moment(entry.text("publishedAt")), _moment(paper.text("publishedAt"))
    return featured is not None and published is not None and published - featured in _ZONES


def _one_line(text: str) -> str:
    """Fold white space: a title is one line."""
    return " ".join(text.split())


def _paragraphs(text: str | None) -> str | None:
    """Fold the hard line breaks inside each paragraph; paragraphs are separated by one blank line."""
    if text is None or "\n" not in text:
        return text.strip() if text else None
    return "\n\n".join(_one_line(paragraph) for paragraph in _BLANK_LINE.split(text) if paragraph.strip())
