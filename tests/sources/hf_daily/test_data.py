"""Special cases of Hugging Face papers as JSON and HTML: one day in every layout, days, cards, hostile input."""

import json
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given

from parsers._ledger.document import Document, Facts
from parsers.hf_daily import SOURCE
from pipeline.reading.parse import Parsed
from schemas.items import Declared, Person
from tests.sources.hf_daily import data, layouts
from tests.sources.hf_daily.papers import CAPTURED, FACTS, LISTED_ON
from tests.support.helpers import contradictions, outcome_of, parse_document
from tests.support.invented import Paper, papers
from tests.support.layouts import Case

FOAM = Paper("Foam in Tanks", "We fill tanks.", ("Ada Quill", "Bo Fern"), date(2025, 11, 7), 24, 3, 2)
CRANES = Paper("Queues of Cranes", "We move cranes.", ("Dee O'Marsh",), date(2025, 11, 8), 0, 0, 1)
RENDERS = (
    data.api_2026,
    data.page_with_data,
    data.page_with_cards,
    layouts.daily,
    layouts.daily_one_line,
    layouts.search_plain,
)
OF_THE_LAYOUT = {"line_start", "line_end", "url"}
LONG = 400_000


def parse(text: str, facts: Facts | None = None) -> Parsed:
    """Parse a text as a dump of Hugging Face papers."""
    return parse_document(SOURCE, Document.from_bytes("hf_daily/dump", text.encode(), facts))


@given(page=papers(1, 4, CAPTURED.date()))
def test_one_day_in_every_layout(page: Sequence[Paper]) -> None:
    """All layouts of a day give records in the same order that agree on common fields."""
    outcomes = [parse(case.text, FACTS).records for case in (render(page) for render in RENDERS)]
    assert contradictions(outcomes, OF_THE_LAYOUT) == []


def entry(**paper: Any) -> dict[str, Any]:
    """Return an entry of 2024 with other inner keys."""
    value = data.entry_2024(FOAM, 1)
    value["paper"] |= paper
    return value


@pytest.mark.parametrize(
    ("top", "submitted", "url", "category", "day"),
    [
        ("2024-05-03T02:11:09.000Z", None, None, None, date(2024, 5, 3)),
        ("2024-05-03T02:11:09.000Z", "2024-05-04T00:00:00.000Z", None, None, date(2024, 5, 4)),
        ("2025-03-11T02:11:09.000Z", None, None, None, None),
        ("2025-03-10T21:29:59.000Z", None, None, None, date(2025, 3, 10)),
        ("2025-01-07T21:31:00.000Z", None, None, None, date(2025, 1, 8)),
        ("2025-01-07T21:31:00.000Z", None, None, "2025-01-08", date(2025, 1, 8)),
        ("2025-01-07T21:15:00.000Z", None, None, "2025-01-08", date(2025, 1, 8)),
        ("2025-01-08T21:24:00.000Z", None, "https://huggingface.co/papers/date/2025-01-08", None, date(2025, 1, 8)),
        ("2025-01-07T14:00:00.000Z", None, None, "2025-01-08", date(2025, 1, 7)),
        ("2025-01-07T21:31:00.000Z", None, None, "2025-01-10", date(2025, 1, 8)),
        ("2025-11-07T13:58:59.000Z", None, "https://huggingface.co/api/daily_papers?date=2025-11-10", None, LISTED_ON),
        ("2025-11-07T13:58:59.000Z", None, "https://huggingface.co/papers/date/2025-11-10", None, LISTED_ON),
        ("2025-11-07T13:58:59.000Z", None, None, "2025-11-10", LISTED_ON),
        ("2025-11-07T13:58:59.000Z", None, "https://huggingface.co/papers/date/2025-13-10", "cs.DC", None),
        (None, None, None, None, None),
    ],
)
def test_day_of_the_listing(
    top: str | None, submitted: str | None, url: str | None, category: str | None, day: date | None
) -> None:
    """The day of submission to the list, else, up to March 2025, that of the moment on top, else the day asked for.

    A list of then begins in the evening before its day; a moment of quite another day shows that another list came.
    """
    value = entry(submittedOnDailyAt=submitted) | {"publishedAt": top}
    parsed = parse(json.dumps([value]), Facts(url=url, category=category))
    assert [record.listed_on for record in parsed.records] == [day]


@pytest.mark.parametrize(
    "around",
    [
        lambda value: {"status": "success", "date": "2025-11-12", "count": 1, "data": [value]},
        lambda value: {"2025-11-12": [value]},
        lambda value: {"dateString": "2025-11-12", "periodType": "day", "dailyPapers": [value]},
    ],
)
@pytest.mark.parametrize(("submitted", "day"), [("2025-11-10T23:59:59.000Z", LISTED_ON), (None, date(2025, 11, 12))])
def test_own_time_goes_before_the_day_around_it(
    around: Callable[[dict[str, Any]], dict[str, Any]], submitted: str | None, day: date
) -> None:
    """The day around the entries may be the one asked for, so it counts only for entries without their own."""
    value = entry(submittedOnDailyAt=submitted) | {"publishedAt": "2025-11-07T13:58:59.000Z"}
    facts = Facts(url="https://huggingface.co/api/daily_papers?date=2025-11-13")
    assert [record.listed_on for record in parse(json.dumps(around(value)), facts).records] == [day]


@pytest.mark.parametrize(("hours", "day"), [(4, None), (5, None), (0, None), (6, date(2024, 5, 1))])
def test_own_date_in_another_zone_is_no_listing(hours: int, day: date | None) -> None:
    """If the date on top is the paper's own, shifted by the offset of New York, it is no listing day."""
    value = entry(publishedAt="2024-05-01T18:30:00.000Z") | {"publishedAt": f"2024-05-01T{18 - hours}:30:00.000Z"}
    assert [record.listed_on for record in parse(json.dumps([value])).records] == [day]


def test_text_on_top_is_preferred() -> None:
    """Title and abstract on top win; else the paper's are taken, with line breaks folded."""
    bare = entry(title="Foam\n  in Tanks", summary="We fill\ntanks.\n \nWalls\nmatter.")
    del bare["title"]
    parsed = parse(json.dumps([bare | {"summary": None}, bare | {"title": "Top", "summary": "On top."}]))
    assert [(record.title, record.abstract) for record in parsed.records] == [
        ("Foam in Tanks", "We fill tanks.\n\nWalls matter."),
        ("Top", "On top."),
    ]


def test_hidden_authors_are_authors() -> None:
    """A hidden profile does not remove an author."""
    people = [{"name": "Ada Quill", "hidden": True}, {"name": "Bo Fern", "hidden": False}]
    parsed = parse(json.dumps([entry(authors=people)]))
    assert [person.name for person in parsed.records[0].authors or ()] == ["Ada Quill", "Bo Fern"]


@pytest.mark.parametrize("name", [" ", None])
def test_author_without_a_name(name: str | None) -> None:
    """A nameless author is left out and the rest of its data is unexplained; the paper is kept."""
    parsed = parse(json.dumps([entry(authors=[{"name": "Ada Quill"}, {"name": name, "_id": "66"}])]))
    told = [(span.line_start, '"_id": "66"' in span.text) for span in parsed.accounting.unexplained]
    assert ([record.authors for record in parsed.records], told) == ([(Person("Ada Quill"),)], [(1, True)])


@pytest.mark.parametrize(
    ("paper", "detail"),
    [
        ({"id": 2511.00001}, "id: expected str, found 2511.00001"),
        ({"id": " "}, "expected 'id' and 'title' of the paper"),
    ],
)
def test_broken_entry_is_rejected(paper: dict[str, Any], detail: str) -> None:
    """An entry without id or title is rejected with its place and expectation; the next one is read."""
    parsed = parse(json.dumps([entry(**paper), data.entry_2024(CRANES, 2)]))
    assert ([record.title for record in parsed.records], [reject.detail for reject in parsed.rejects]) == (
        ["Queues of Cranes"],
        [f"item 1: {detail}"],
    )


@pytest.mark.parametrize(
    ("paper", "field"),
    [
        ({"authors": [{"name": 7}]}, "authors"),
        ({"authors": ["Ada Quill"]}, "authors"),
        ({"ai_keywords": "foam"}, "keywords"),
        ({"submittedOnDailyAt": "2025-11-31"}, "listed_on"),
        ({"publishedAt": "soon"}, "published_on"),
        ({"upvotes": 2**64}, "engagement"),
        ({"summary": 7}, "abstract"),
    ],
)
def test_a_value_that_cannot_be_read_costs_the_value(paper: dict[str, Any], field: str) -> None:
    """The record stays without it, with a note, and the value is told."""
    parsed = parse(json.dumps([entry(**paper) | {"summary": None}]))
    (record,), (told,) = parsed.records, parsed.rejects
    assert (getattr(record, field), record.notes) == (None, ("field_unread",))
    assert (told.reason, json.loads(told.text)) == ("unexplained_line", paper)


def test_time_of_day_that_does_not_exist() -> None:
    """Only the day of a timestamp is read: an impossible time of day does not matter."""
    value = entry(publishedAt="2024-05-01T25:61:00.000Z")
    assert [record.listed_on for record in parse(json.dumps([value])).records] == [data.FEATURED_ON]


def test_answer_of_other_types() -> None:
    """If fields beside the entries have wrong types, the answer is refused."""
    answer = {"status": "success", "count": "1", "data": [entry()]}
    assert outcome_of("hf_daily", json.dumps(answer)) == "malformed"


def test_literal_that_is_too_long() -> None:
    """A string too long to be an entry is not parsed as a Python literal, but rejected."""
    damaged = repr(entry(summary="foam " * 100_001))
    parsed = parse(json.dumps([damaged, repr(data.entry_2024(CRANES, 2))]))
    assert ([record.title for record in parsed.records], len(parsed.rejects)) == (["Queues of Cranes"], 1)


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("[]", (Declared(1, 0),)),
        (" [ ]\n", (Declared(1, 0),)),
        ('{"status": "success", "date": "2025-01-10", "count": 0, "data": []}', (Declared(1, 0),)),
    ],
)
def test_day_without_papers(text: str, declared: tuple[Declared, ...]) -> None:
    """An empty list declares itself empty."""
    parsed = parse(text)
    assert (parsed.records, parsed.declared) == ((), declared)


@pytest.mark.parametrize("render", [data.api_2026, data.api_wrapped, data.page_with_data])
def test_unknown_key_is_told(render: Callable[[Sequence[Paper]], Case]) -> None:
    """An unknown key is quarantined with its value and entry; the record is kept."""
    text = render([FOAM, CRANES]).text.replace("Dee O'Marsh", "Dee O'Marsh")
    marks = ('"githubStars": 0', "&quot;githubStars&quot;: 0")
    for mark in marks:
        text = text.replace(mark, mark.replace("githubStars", "zzqx").replace("0", "4711"))
    parsed = parse(text)
    assert (len(parsed.records), [(reject.line_start, reject.text) for reject in parsed.rejects]) == (
        2,
        [(1, '{"zzqx": 4711}'), (2, '{"zzqx": 4711}')],
    )


@pytest.mark.parametrize("size", [0.2, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("render", [data.api_2024, data.api_2026, data.api_wrapped, data.page_with_data])
def test_cut_data_are_refused(render: Callable[[Sequence[Paper]], Case], size: float) -> None:
    """Truncated data is refused or gives the records before the cut, with no other error."""
    text = render([FOAM, CRANES]).text
    refused = ("malformed", "not_this_source", "empty_result")
    assert outcome_of("hf_daily", text[: int(len(text) * size)]) in (*refused, "1 records", "2 records")


def test_junk_in_a_card_is_told() -> None:
    """Foreign text anywhere in a card is unexplained or in one title; the records are kept."""
    junk = "zzqx sentinel 4711"
    text = data.page_with_cards([FOAM, CRANES]).text
    places = [place for place, letter in enumerate(text) if letter == ">" and "<article" in text[:place]]
    places = [place for place in places if place < text.rindex("</article>")]
    outcomes = [parse(f"{text[: place + 1]}{junk}{text[place + 1 :]}", FACTS) for place in places]
    told = [any(junk in reject.text for reject in outcome.rejects) for outcome in outcomes]
    taken = [sum(junk in (record.title or "") for record in outcome.records) for outcome in outcomes]
    assert [number + place for number, place in zip(taken, told, strict=True)] == [1] * len(places)


@pytest.mark.parametrize(
    ("props", "day"),
    [
        ({"dateString": "2025-11-10", "periodType": "day"}, LISTED_ON),
        ({"date": "2025-11-10T00:00:00.000Z"}, LISTED_ON),
        ({"dateString": "2025-11-10", "periodType": "week"}, None),
        ({"dateString": "2025-11-10", "isTrending": True}, None),
        ({"dateString": "2025-11-10", "query": {"q": "foam"}}, None),
        ({"dateString": "2025-11-10", "query": {}}, LISTED_ON),
    ],
)
def test_day_of_the_page(props: dict[str, Any], day: date | None) -> None:
    """The day of a page of a day is that of its entries; a search or trends page gives none."""
    value = entry() | {"publishedAt": "2025-11-07T13:58:59.000Z"}
    parsed = parse(json.dumps(props | {"dailyPapers": [value]}))
    assert [record.listed_on for record in parsed.records] == [day]


def test_finds_of_a_search_have_no_day_of_the_page() -> None:
    """Results of a search were not listed on the day of the search."""
    value = entry() | {"publishedAt": None}
    parsed = parse(json.dumps({"dateString": "2025-11-10", "dailyPapers": [], "searchResults": [value]}))
    assert [record.listed_on for record in parsed.records] == [None]


def test_cards_of_a_search_have_no_day_of_the_page() -> None:
    """Cards with an abstract come from a search: the day above them is the day of capture."""
    card = "<article><h3><a href='/papers/2511.00001'>Foam</a></h3><p>We fill nine tanks with foam and watch it.</p>"
    text = f"<main><time>Nov 10</time>{card}<span>Nov 7</span></article></main>"
    parsed = parse(text, FACTS)
    found = [(record.listed_on, record.published_on, record.abstract) for record in parsed.records]
    assert (found, parsed.rejects) == ([(None, date(2025, 11, 7), "We fill nine tanks with foam and watch it.")], ())


@pytest.mark.parametrize(
    "archive", ["https://web.archive.org/web/20251110/", "/web/20251110120000/", "https://web.archive.org/web/2025im_/"]
)
def test_copy_of_an_archive(archive: str) -> None:
    """Links of an archived page start with the address of the archive."""
    text = data.page_with_cards([FOAM, CRANES]).text.replace('href="/', f'href="{archive}https://huggingface.co/')
    assert parse(text, FACTS).records == parse(data.page_with_cards([FOAM, CRANES]).text, FACTS).records


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        (entry()["paper"], "1 records"),
        (entry()["paper"] | {"linkedModels": [], "numTotalModels": 0}, "1 records"),
        ({"papers": [entry()], "date": "2025-11-10"}, "1 records"),
        ({"dailyPapers": []}, "0 records"),
        ({"dailyPapers": {}}, "not_this_source"),
        ({"dailyPapers": [], "searchResults": {}}, "malformed"),
        ({"error": "Invalid date"}, "not_this_source"),
        ({"count": 1, "data": [{"name": "Foam"}]}, "not_this_source"),
        ({"talks": [{"data": []}]}, "not_this_source"),
        ([{"id": "2511.00001", "title": "Foam", "published": "2025-11-07"}], "not_this_source"),
        ([{"id": "2511.00001", "upvotes": 3}], "incomplete_item"),
    ],
)
def test_other_answers(value: Any, outcome: str) -> None:
    """A single paper, lists in other objects, and answers that are no list of papers."""
    assert outcome_of("hf_daily", json.dumps(value)) == outcome


def test_day_of_an_address_without_listing() -> None:
    """The papers interface ignores a date in the address, so its papers have no listing day."""
    parsed = parse(json.dumps([entry()["paper"]]), Facts(url="https://huggingface.co/api/papers?date=2025-11-10"))
    assert [record.listed_on for record in parsed.records] == [None]
