"""What was asked for compared with what the page shows: day, category, and wrongly decoded text."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
import pytest

from parsers._contract import Asked
from parsers._ledger.document import Document, Facts
from parsers._registry import sources
from pipeline.merging.outcome import Status
from pipeline.publishing.captures import doubted_paths
from pipeline.reading.declared import find_empty_day, find_other
from pipeline.reading.frames import RECORD_TYPES
from pipeline.reading.measure import count_garbled
from tests.support.signs import told_of
from tests.support.toy import Desk

FRIDAY = date(2026, 11, 20)
DAY = timedelta(days=1)
SIDECAR = (
    'url = "https://papers.example/api/daily_papers?date={day}&limit=100"\ncaptured_at = 2026-11-{night}T03:00:00Z\n'
)
ARXIV = "https://arxiv.example/catchup/cs.DC/2026-11-20?abs=True"


def frame(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Return records with some columns."""
    return pl.DataFrame([dict.fromkeys(RECORD_TYPES) | row for row in rows], RECORD_TYPES)


def listed(*days: int | None) -> pl.DataFrame:
    """Return records listed on days of November; None stands for no day."""
    return frame([{"listed_on": date(2026, 11, day) if day else None} for day in days])


def published(*days: int) -> pl.DataFrame:
    """Return records published on these days of November."""
    return frame([{"published_on": date(2026, 11, day)} for day in days])


@pytest.mark.parametrize(
    ("asked", "records", "expected"),
    [
        (Asked(FRIDAY), listed(19, 19), "the list of 2026-11-20 was asked for, this is that of 2026-11-19"),
        (
            Asked(FRIDAY),
            listed(18, 19),
            "the list of 2026-11-20 was asked for, this is that of 2026-11-18 to 2026-11-19",
        ),
        (Asked(FRIDAY), listed(19, 20), None),
        (
            Asked(FRIDAY),
            listed(19, 19, 20),
            "the list of 2026-11-20 was asked for, this is that of 2026-11-19 to 2026-11-20",
        ),
        (
            Asked(FRIDAY),
            published(22, 22, 20),
            "the list of 2026-11-20 was asked for, 2 of 3 entries were published later",
        ),
        (Asked(FRIDAY), published(22, 22, 20, 20), None),
        (Asked(FRIDAY), published(21, 21, 21), None),
        (Asked(FRIDAY), listed(None, None), None),
        (Asked(FRIDAY), listed(), None),
        (Asked(), listed(19), None),
    ],
)
def test_the_list_of_another_day(asked: Asked, records: pl.DataFrame, expected: str | None) -> None:
    """Refused if most entries are listed on another day or published later; a list without days proves nothing."""
    assert find_other(asked, records) == expected


@pytest.mark.parametrize(
    ("category", "shown", "good"),
    [
        ("cs.DC", [["cs.DC"], ["cs.AR", "cs.DC"], ["cs.AR"]], True),
        ("cs.DC", [["cs.DC"], ["cs.AR"], ["cs.AR"]], False),
        ("astro-ph", [["astro-ph.CO"], ["astro-ph.GA"], ["gr-qc"]], True),
        ("cs", [["csx.A"], ["csx.B"], ["csx.C"]], False),
        ("cs.DC", [["cs.AR"], ["cs.AR"], None], True),
    ],
)
def test_the_listing_of_another_category(category: str, shown: list[list[str] | None], *, good: bool) -> None:
    """Half of the records must be in the category or a part of it; two records are too few to tell."""
    found = find_other(Asked(category=category), frame([{"categories": each} for each in shown]))
    assert (found is None) is good


@pytest.mark.parametrize(
    ("day", "night", "told"),
    [(FRIDAY, 22, True), (FRIDAY, 21, False), (date(2026, 11, 21), 24, False), (None, 22, False)],
)
def test_an_empty_weekday(day: date | None, night: int, *, told: bool) -> None:
    """An empty list is reported once its day is over everywhere, but not on weekends."""
    assert bool(find_empty_day(Asked(day), datetime(2026, 11, night, 3), listed())) is told
    assert not find_empty_day(Asked(day), datetime(2026, 11, night, 3), listed(20))
    assert not find_empty_day(Asked(day), None, listed())


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"title": "MÃ¼ller on foam"}, (1, 1)),
        ({"abstract": "It isnâ€™t foam"}, (1, 1)),
        ({"authors": [{"name": "JosÃ© Quill"}]}, (1, 1)),
        ({"title": "Foam \ufffd"}, (1, 1)),
        ({"title": "Müller, „Spaß“, São Tomé, Ångström, MANHÃ"}, (1, 0)),
        ({"title": "Foam"}, (0, 0)),
    ],
)
def test_text_that_was_decoded_wrongly(record: dict[str, Any], expected: tuple[int, int]) -> None:
    """Mojibake and replacement characters count; real letters of any language do not."""
    assert count_garbled(frame([record])) == expected


@pytest.mark.parametrize(
    ("source", "facts", "expected"),
    [
        ("arxiv", Facts(url=ARXIV, category="cs.DC"), Asked(FRIDAY, "cs.DC")),
        ("arxiv", Facts(url="https://arxiv.example/list/cs.DC/new"), Asked()),
        ("arxiv", Facts(url="https://arxiv.example/catchup/cs.DC/2026-13-20"), Asked()),
        ("hf_daily", Facts(url="https://papers.example/api/daily_papers?date=2026-11-20"), Asked(FRIDAY)),
        ("hf_daily", Facts(category="2026-11-20"), Asked(FRIDAY)),
        ("cluster", Facts(url=ARXIV, category="cs.DC"), Asked()),
    ],
)
def test_what_a_source_is_asked_for(source: str, facts: Facts, expected: Asked) -> None:
    """The day comes from the address, the category from the sidecar."""
    assert sources()[source].asked(facts) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [('<html lang="de-AT"><p>x', "de"), ("<html><p>x", None), ('<html lang=" "><p>x', None), ("no page", None)],
)
def test_the_language_of_a_page(markup: str, expected: str | None) -> None:
    """The language of the root element, without the country."""
    document = Document.from_bytes("a.html", markup.encode())
    assert document.language is None  # no page was opened
    if markup.startswith("<"):
        assert document.page.root.tag == "html"
    assert document.language == expected


def papers(day: str, *numbers: int) -> str:
    """Return the list of a day as the interface prints it."""
    stamp = f"{day}T00:00:00.000Z"
    return json.dumps(
        [
            {
                "title": f"Foam {number}",
                "paper": {
                    "id": f"2611.{number:05}",
                    "title": f"Foam {number}",
                    "summary": "Foam.",
                    "authors": [{"name": "Ada Quill"}],
                    "publishedAt": stamp,
                    "submittedOnDailyAt": stamp,
                },
                "publishedAt": stamp,
            }
            for number in numbers
        ]
    )


def test_a_site_that_shows_the_newest_list_for_every_day(desk: Desk) -> None:
    """The newest list is published, and refused under other days; an empty list is reported."""
    desk.known = {"hf_daily": sources()["hf_daily"]}
    newest = papers("2026-11-20", 1, 2, 3)
    for day in (18, 19, 20):
        desk.put(f"hf_daily/daily/{day}.json", newest, sidecar=SIDECAR.format(day=f"2026-11-{day}", night=22))
    desk.put("hf_daily/daily/17.json", "[]", sidecar=SIDECAR.format(day="2026-11-17", night=22))
    result = desk.run("hf_daily")
    (outcome,) = result.outcomes
    assert (outcome.status, desk.titles("hf_daily")) == (Status.PARTIAL, ["Foam 1", "Foam 2", "Foam 3"])
    assert desk.table("quarantine", "hf_daily")["reason"].to_list() == ["guard_asked"] * 2
    assert "the list of 2026-11-18 was asked for, this is that of 2026-11-20" in str(outcome.error)
    told = [line for reading in outcome.readings for line in told_of(reading)]
    assert told == ["the list of Tuesday, 2026-11-17 is empty; it is asked for again for a week"]


def test_a_list_that_repeats_a_later_capture(desk: Desk) -> None:
    """A list under the wrong day passes until the list of that day comes; then the wrong one is withdrawn."""
    desk.known = {"hf_daily": sources()["hf_daily"]}

    def put(day: int, night: int, *numbers: int) -> None:
        text, sidecar = papers(f"2026-11-{day}", *numbers), SIDECAR.format(day=f"2026-11-{day}", night=night)
        desk.put(f"hf_daily/{day}/{night}.json", text, sidecar=sidecar)

    put(19, 19, *range(1, 31))
    (first,) = desk.run("hf_daily").outcomes
    put(18, 20, *range(1, 31))
    (second,) = desk.run("hf_daily").outcomes
    doubted = doubted_paths(desk.table("captures", "hf_daily"))
    put(19, 21, 31)
    (third,) = desk.run("hf_daily").outcomes
    assert [each.status for each in (first, second, third)] == [Status.OK] * 3
    assert (told_of(first), told_of(second)[-1], told_of(third)[0]) == (
        (),
        "hf_daily/18/20.json: the list of 2026-11-18 has records that hf_daily/19/19.json lists on 2026-11-19: "
        "that one is asked for again",
        "hf_daily/19/21.json: the list of 2026-11-19 has 1 records, down from 30: one of the two is wrong",
    )
    assert doubted == {"hf_daily/18/20.json", "hf_daily/19/19.json"}
    assert doubted_paths(desk.table("captures", "hf_daily")) == doubted | {"hf_daily/19/21.json"}
    assert Counter(desk.table("records", "hf_daily")["listed_on"].to_list()) == {
        date(2026, 11, 18): 30,
        FRIDAY - DAY: 1,
    }
