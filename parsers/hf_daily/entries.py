"""One entry of Hugging Face daily papers as data: from the JSON object to a record. The API and the page share it.

Invented, with the keys that are read::

    {"title": "Foam in Large Tanks", "publishedAt": "2024-06-12T20:11:00.000Z", "summary": "We fill ...",
     "paper": {"id": "2406.01234", "title": "Foam in Large Tanks", "summary": "We fill ...", "upvotes": 24,
               "authors": [{"name": "Ada Quill", "hidden": false}], "publishedAt": "2024-06-11T17:58:59.000Z",
               "submittedOnDailyAt": "2024-06-12T01:02:03.000Z", "ai_summary": "...", "ai_keywords": ["foam"]}}

An answer about unlisted papers has the contents of ``paper`` at the top level, and nothing else.

The top-level text is preferred: the one inside ``paper`` had hard line breaks until early 2025. An author marked hidden
counts all the same: the mark is about a profile, and the paper's list would be incomplete without the name. The paper's
own date is ``paper.publishedAt``. The day of the listing is ``paper.submittedOnDailyAt``; before that key existed, the
top-level ``publishedAt`` (since then that is the paper's own date, moved to another zone); else the day around the
entries, or the requested one. The time of the entry comes first, since the site itself gives it in every answer: its
day in UTC is that of the page that lists the paper. A day around the entries may only be the requested one, and the
site answers a request for a future day with the latest, and some requests without regard to the day. Splitting a
document into entries does not belong here.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any, Final

from parsers._ledger.data import Data
from parsers._ledger.fields import FieldError, Fields, MissingError, shown
from parsers.hf_daily.items import make_record
from schemas.items import Person, Record, Reject

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
_ZONES: Final = (timedelta(0), timedelta(hours=4), timedelta(hours=5))
_BLANK_LINE: Final = re.compile(r"\n\s*\n")


def read_entry(data: Data, value: object, place: int, asked: date | None, lines: tuple[int, int]) -> Record | Reject:
    """Make the record of the entry at 1-based ``place``, or the reject of a broken one.

    ``asked`` is the requested day of the document; ``lines`` are first and last line of the result.
    """
    try:
        return _read(data, data.open_item(value, place), asked, lines)
    except FieldError as error:
        return data.reject(place, value, error, lines)


def _read(data: Data, entry: Fields, asked: date | None, lines: tuple[int, int]) -> Record:
    """Read the keys of an entry. Raises ``FieldError``."""
    entry.ignore(_ENTRY_IGNORED)
    paper = entry if "paper" not in entry.value and "id" in entry.value else entry.child("paper")
    if paper is None:
        raise MissingError("expected an object 'paper'")
    paper.ignore(_PAPER_IGNORED)
    paper_id, titles = paper.text("id"), (entry.text("title"), paper.text("title"))
    title = titles[0] or titles[1]
    if paper_id is None or title is None:
        raise MissingError("expected 'id' and 'title' of the paper")
    abstracts = (entry.text("summary"), paper.text("summary"))
    return make_record(
        line_start=lines[0],
        line_end=lines[1],
        title=_one_line(title),
        paper_id=paper_id.strip(),
        abstract=_paragraphs(abstracts[0] or abstracts[1]),
        summary=_paragraphs(paper.text("ai_summary")),
        authors=_read_authors(data, paper.items("authors"), entry.place),
        keywords=paper.texts("ai_keywords") or None,
        listed_on=_listed_on(entry, paper, asked),
        published_on=paper.day("publishedAt"),
        upvotes=paper.number("upvotes"),
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
    """Return the day of the listing, by the rules at the head of this module."""
    submitted = paper.day("submittedOnDailyAt")
    if paper is entry:
        return submitted
    featured = entry.day("publishedAt")
    if submitted is not None:
        return submitted
    if featured is not None and featured <= _LAST_FEATURED and not _is_moved(entry, paper):
        return featured
    return asked


def _is_moved(entry: Fields, paper: Fields) -> bool:
    """True if the top-level date is only the paper's own date, moved to another zone."""
    featured, published = entry.text("publishedAt"), paper.text("publishedAt")
    if featured is None or published is None:
        return False
    try:
        moved = datetime.fromisoformat(published[:19]) - datetime.fromisoformat(featured[:19])
    except ValueError:  # a time of day that does not exist: keep the day
        return False
    return moved in _ZONES


def _one_line(text: str) -> str:
    """Fold white space: a title is one line."""
    return " ".join(text.split())


def _paragraphs(text: str | None) -> str | None:
    """Fold the hard line breaks inside each paragraph; paragraphs are separated by one blank line."""
    if text is None or "\n" not in text:
        return text.strip() if text else None
    return "\n\n".join(_one_line(paragraph) for paragraph in _BLANK_LINE.split(text) if paragraph.strip())
