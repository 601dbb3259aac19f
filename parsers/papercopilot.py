"""Lists of accepted papers of Paper Copilot, as JSON: one file a venue and year, ``iclr2026.json``; without times.

[{"id": "a7", "title": "Less Sugar", "author": "Ada Quill;Bo Ferns", "aff": "Mole Lab;", "status": "Oral",
  "track": "main", "keywords": "jam;pots", "abstract": "We boil.", "site": "https://reviews.example/a7"}]

People, their affiliations and keywords are lists in a text, separated by semicolons, people of some venues by commas.
An affiliation is somebody's only if there are as many as people. Of some lists it is a set, between other separators
than the people: there, as many by chance are nobody's, unless most papers of the list have as many.
Some lists have all people of a paper twice over in a row.
Domains, positions and mail addresses only tell whether affiliations have moved from one person to the next.
Ratings, citations, genders and profiles are left out, and addresses that were never filled in, such as /poster/None.
The event is that of the sidecar, else venue and year of the file name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from parsers._contract import Family, Format, PageKind, Source
from parsers._ledger.document import Document
from parsers._ledger.fields import FieldError
from parsers._tables.keys import Keys, items_at
from parsers._tables.readers import identifier, link, plain_text
from parsers._tables.table import maybe, one
from parsers._web.layout import data_layout
from parsers._web.web import one_page
from parsers._words.people import Partly, is_doubled, people_of, without_marks
from parsers._words.text import canonical_arxiv_id, without_markup
from parsers._words.years import Year, event_of
from schemas.items import Item, Person, Record

_VENUE: Final = re.compile(r"(?P<series>[a-z0-9]{0,20}[a-z])(?P<year>(?:19|20)\d\d)\.")
_UNFILLED: Final = re.compile(r"/None$|\[\w+\]")
_PROBED: Final = 20_000
_LINKS: Final = ("pdf", "github", "project", "openreview")


def _names(value: object) -> Sequence[str] | None:
    """Read names between semicolons, as they are; with commas alone they must surely be names."""
    if not isinstance(value, str):
        return None
    value = without_markup(value)
    if ";" in value or "," not in value:
        return value.split(";")
    people = people_of(value)
    if not people or any(each.affiliation for each in people):
        return None
    names = [person.name for person in people]
    return Partly(names) if isinstance(people, Partly) else names


def _address(value: object) -> str | None:
    """Read an address, unless it is a template that was not filled in."""
    return value if isinstance(value, str) and not _UNFILLED.search(value) else None


def _award(value: object) -> str | None:
    """Read the name of an award, or that there is one."""
    return "Award" if value is True else value if isinstance(value, str) else None


def _filled(value: object) -> tuple[bool, ...]:
    """Read of whom a list between semicolons says something."""
    return tuple(bool(part.strip()) for part in value.split(";")) if isinstance(value, str) else ()


_PAPER: Final = Keys(
    one("title", read=plain_text),
    maybe("id", read=identifier),
    maybe("people", "author", _names),
    maybe("places", "aff", plain_text),
    maybe("domains", "aff_domain", _filled),
    maybe("positions", "position", _filled),
    maybe("addresses", "email", _filled),
    maybe("type", "status", plain_text),
    maybe("track", read=plain_text),
    maybe("session", "sess", plain_text),
    maybe("other_session", "session", plain_text),
    maybe("abstract", read=plain_text),
    maybe("summary", "tldr", plain_text),
    maybe("keywords", read=plain_text),
    maybe("doi"),
    maybe("url", "site", _address),
    maybe("page", "oa", _address),
    maybe("presentation_page", "url_paper", _address),
    maybe("more_places", "affs", plain_text),
    maybe("arxiv"),
    maybe("award", read=_award),
    maybe("pdf"),
    maybe("github"),
    maybe("project"),
    maybe("openreview", read=_address),
    ignored=(
        "primary_area supplementary_material authorids gender homepage dblp google_scholar orcid linkedin "
        "or_profile bibtex reviewers rating confidence rating_avg confidence_avg replies_avg "
        "authors#_avg wc_review_avg corr_rating_confidence gs_citation gs_cited_by_link gs_version_total pdf_size "
        "author_num aff_unique_index aff_unique_norm aff_unique_dep aff_unique_url aff_unique_abbr "
        "aff_campus_unique_index aff_campus_unique aff_country_unique_index aff_country_unique metadata bibtext "
        "video slides poster soundness contribution presentation correctness novelty technical_novelty "
        "empirical_novelty recommendation soundness_avg contribution_avg presentation_avg correctness_avg "
        "technical_novelty_avg empirical_novelty_avg recommendation_avg wc_summary wc_strengths wc_weaknesses "
        "wc_questions wc_limitations wc_review wc_reply_reviewers wc_reply_authors reply_reviewers reply_authors "
        "wc_summary_avg wc_strengths_avg wc_weaknesses_avg wc_questions_avg wc_limitations_avg "
        "wc_reply_reviewers_avg wc_reply_authors_avg reply_reviewers_avg reply_authors_avg wc_summary_paper "
        "wc_main_review wc_summary_review wc_main_review_avg wc_summary_paper_avg wc_summary_review_avg "
        "ethics_review limitation strengths_and_weaknesses questions summary flag_for_ethics_review code_of_conduct "
        "strength weakness quality clarity significance originality supp review metareview author_site ssid psid "
        "pid url_sess technical_quality scope novelty_avg technical_quality_avg scope_avg corr_novelty_confidence"
    ),
)


def recognise(document: Document) -> bool:
    """True if the text is a list of objects that have an author and a status, and a track or affiliations."""
    head = document.text[:_PROBED]
    has = {key for key in ("author", "status", "track", "aff") if f'"{key}":' in head}
    return head.lstrip()[:1] == "[" and has >= {"author", "status"} and len(has) > 2


def parse(document: Document) -> Iterator[Item]:
    """Yield a record a paper, whose line is its place in the list; one without a title is a reject."""
    data = document.data_of("")
    found = _VENUE.match(document.path.rpartition("/")[2])
    year = Year(int(found["year"]), ("year_inferred",)) if found else Year(None)
    event, inferred = event_of(document, None, found["series"].upper() if found else None, year)
    papers = list(items_at(data, "[]"))
    by_person = _are_by_person(paper for _, paper in papers)
    for place, paper in papers:
        try:
            values = _PAPER.read(data.open_item(paper, place))
        except FieldError as error:
            yield data.reject(place, paper, error)
            continue
        beside = [values[key] for key in ("domains", "positions", "addresses") if values[key]]
        people, notes = _people(
            values["people"], values["places"] or values["more_places"], beside, by_person=by_person
        )
        links = [link({"url": values[key], "title": key.upper()}) for key in _LINKS if values[key]]
        yield Record(
            place,
            place,
            title=values["title"],
            kind="paper",
            type=values["type"],
            native_id=values["id"],
            authors=people or None,
            abstract=values["abstract"],
            summary=values["summary"],
            event=event,
            session_title=values["session"] or values["other_session"],
            track=values["track"],
            doi=values["doi"],
            url=values["url"] or values["page"] or values["presentation_page"],
            arxiv_id=_arxiv_id(values["arxiv"]) if values["arxiv"] else None,
            keywords=(*_list(values["keywords"]), *filter(None, (values["award"],))) or None,
            links=tuple(dict.fromkeys(filter(None, links))) or None,
            notes=(*values["notes"], *inferred, *notes),
        )


def _are_by_person(papers: Iterable[object]) -> bool:
    """True if most papers of several people have as many affiliations as people: these are by person, and no sets."""
    counts = [
        len(_each_once(names, places)) == len(places)
        for paper in papers
        if isinstance(paper, Mapping) and (places := _places(paper.get("aff") or paper.get("affs")))
        if len(names := _names(paper.get("author")) or ()) > 1
    ]
    return 2 * sum(counts) > len(counts)


def _places(value: object) -> Sequence[str]:
    """Return affiliations between semicolons, as they are."""
    return value.split(";") if isinstance(value, str) and value else ()


def _each_once(names: Sequence[str], places: Sequence[str]) -> Sequence[str]:
    """Return the people of a paper, of a list of all of them twice over the first half."""
    return names[: len(names) // 2] if len(places) != len(names) and is_doubled(names) else names


def _has_blanks(texts: Sequence[str]) -> bool:
    """True if there are blanks behind the separators of a list."""
    return any(text[:1] == " " for text in texts[1:])


def _is_shifted(places: Sequence[str], beside: Sequence[Sequence[bool]]) -> bool:
    """True if a list beside the affiliations has a value where they have none, and none where they have one."""
    filled = [bool(place.strip()) for place in places]
    pairs = [set(zip(filled, other, strict=True)) for other in beside if len(other) == len(filled)]
    return any(found >= {(True, False), (False, True)} for found in pairs)


def _people(
    names: Sequence[str] | None, printed: str | None, beside: Sequence[Sequence[bool]], *, by_person: bool
) -> tuple[tuple[Person, ...], tuple[str, ...]]:
    """Return the people of a paper, with their affiliations if there is one, perhaps empty, for each; and notes.

    ``beside`` are the lists that are filled for the same people: if a value is lost, those behind it move up.
    """
    if not names:
        return (), ()
    affiliations = _places(printed)
    names = _each_once(names, affiliations)
    fits = (
        len(affiliations) == len(names)
        and (by_person or _has_blanks(affiliations) == _has_blanks(names))
        and not _is_shifted(affiliations, beside)
    )
    made = [
        Person(without_marks(name), (affiliations[place].strip() or None) if fits else None)
        for place, name in enumerate(names)
        if without_marks(name)
    ]
    return tuple(made), () if fits or not printed else ("field_unread",)


def _arxiv_id(printed: str) -> str:
    """Return the arXiv id that is printed, perhaps as an address; else what is printed."""
    return canonical_arxiv_id(printed) or canonical_arxiv_id(printed.rpartition("/")[2]) or printed


def _list(text: str | None) -> tuple[str, ...]:
    """Return the parts of a text between semicolons, each once."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, (text or "").split(";")))))


def _fingerprint(document: Document) -> str:
    """Return the fingerprint of the keys of the papers."""
    return data_layout(document.data.value, ("[].title", "[].author", "[].status")) if recognise(document) else ""


SOURCE: Final = Source(
    "papercopilot",
    "Paper lists of Paper Copilot",
    7,
    Family.PROGRAMME,
    PageKind.STATE,
    (Format("json", "a JSON list of papers with author and status, and track or aff", recognise, parse),),
    web=one_page(
        ".json",
        _fingerprint,
        example="""\
# Paper Copilot: the list of a venue and year by the URL of its JSON.
[[papercopilot]]
url = "https://papers.example/jam/jam2026.json"
event = "JAM 2026"
timezone = "Europe/Oslo"
year = 2026
""",
    ),
)
