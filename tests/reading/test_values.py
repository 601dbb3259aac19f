"""Bad values: what a column refuses is left out, told and kept in the quarantine; the record stays."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers._ledger.document import Document
from pipeline.merging.outcome import Status
from pipeline.merging.validate import find_failures
from pipeline.reading.canonical import canonical_address, with_valid_values
from pipeline.reading.frames import record_frame
from pipeline.reading.occurrences import merge_occurrences
from schemas.items import Link, Person, Record, Slot
from schemas.tables import RECORDS
from tests.support.toy import FAIR, NEWS, Desk, make_source

START, END = datetime(2026, 6, 17, 9), datetime(2026, 6, 17, 10)
ADDRESS = "an absolute URL"
ANN, BO = Person("Ann"), Person("Bo")

TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.sampled_from(
        (
            "https://h.example/x",
            "HTTPS://H.example/x",
            "https://h.example/\x01y",
            "10.1234/x\x01y",
            "10.1234/x",
            "2501.00001",
            "new",
            "pdf",
        )
    ),
)
PEOPLE = st.lists(st.builds(Person, TEXTS, TEXTS, TEXTS, st.none() | TEXTS), max_size=3).map(tuple)
LINKS = st.lists(st.builds(Link, TEXTS, TEXTS, st.sampled_from(("slides", "odd"))), max_size=3).map(tuple)
MOMENTS = st.none() | st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1))
SLOTS = st.lists(st.builds(Slot, MOMENTS, MOMENTS, st.none() | TEXTS), max_size=3).map(tuple)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
OF_TEXT = [name for name, column in RECORDS.columns.items() if column.dtype == pl.String and name in Record._fields]
ANY_RECORD = st.builds(
    Record,
    st.integers(1, 99),
    st.integers(1, 99),
    **{name: st.none() | TEXTS for name in OF_TEXT if name != "kind"},
    kind=st.just("paper"),
    notes=st.just(()),
    authors=st.none() | PEOPLE,
    chairs=st.none() | PEOPLE,
    links=st.none() | LINKS,
    slots=st.none() | SLOTS,
    listed_on=st.none() | st.dates(date(1900, 1, 1), date(2200, 1, 1)),
    categories=st.none() | LISTS,
    keywords=st.none() | LISTS,
    formats=st.none() | LISTS,
    engagement=st.none() | st.integers(-(2**70), 2**70),
)


def checked(**fields: Any) -> tuple[Record, list[tuple[str, str]]]:
    """Return a record as it comes out, and detail and text of each value that was left out of it."""
    (record,), bad = with_valid_values([Record(3, 4, **fields)])
    return record, [(each.reject.detail, each.reject.text) for each in bad]


@given(st.lists(ANY_RECORD, min_size=1, max_size=3))
def test_no_value_of_a_nullable_column_costs_a_record(printed: list[Record]) -> None:
    """Whatever they are, the rows that come out break no check of the schema."""
    records, _ = with_valid_values(printed)
    frame = record_frame(NEWS, Document.from_bytes("news/a", b"x"), merge_occurrences(NEWS, records))
    assert find_failures(RECORDS, frame).rows() == []


@pytest.mark.parametrize(
    ("fields", "without", "detail", "text", "note"),
    [
        ({"url": "/1"}, {"url": None}, f"url: expected {ADDRESS}, found /1", "/1", "field_unread"),
        ({"url": "javascript:x()"}, {"url": None}, f"url: expected {ADDRESS}, found javascript:x()", "javascript:x()",
         "field_unread"),
        ({"url": "https://h/a b"}, {"url": None}, f"url: expected {ADDRESS}, found https://h/a b", "https://h/a b",
         "field_unread"),
        ({"arxiv_id": "25.1"}, {"arxiv_id": None}, "arxiv_id: expected an arXiv id, found 25.1", "25.1",
         "field_unread"),
        ({"doi": "to appear"}, {"doi": None}, "doi: expected a DOI, found to appear", "to appear", "doi_invalid"),
        ({"listing_section": "old"}, {"listing_section": None},
         "listing_section: expected one of cross, new, replacement, found old", "old", "field_unread"),
        ({"engagement": 2**63}, {"engagement": None},
         f"engagement: expected a number of at most 64 bits, found {2**63}", str(2**63), "field_unread"),
        ({"authors": (Person(" ", "Harbour U."), Person("Ann"))}, {"authors": (Person("Ann"),)},
         "authors: expected a name of each person, found Harbour U.", "Harbour U.", "field_unread"),
        ({"chairs": (Person("Ann", url="x"),)}, {"chairs": (Person("Ann"),)},
         f"chairs.url: expected {ADDRESS}, found x", "x", "field_unread"),
        ({"links": (Link("x.pdf"),)}, {"links": None}, f"links.url: expected {ADDRESS}, found x.pdf", "x.pdf",
         "field_unread"),
        ({"links": (Link("https://h/x", rel="odd"),)}, {"links": None},
         "links.rel: expected one of attachment, preprint, related, slides, video, found odd https://h/x",
         "odd https://h/x", "field_unread"),
        ({"formats": ("pdf", "dvi")}, {"formats": ("pdf",)},
         "formats: expected each one of html, other, pdf, ps, found dvi", "dvi", "field_unread"),
        ({"slots": (Slot(END, START, "R"),)}, {"slots": (Slot(END, None, "R"),)},
         f"slots.ends_at: expected an end after {END}, found {START}", str(START), "end_before_start"),
        *(({column: text}, {column: None}, f"{column}: expected a text for people, found {text}", text, "field_unread")
          for column, text in (
              ("language", "OrderedDict([(u'fulltext', u'English')])"), ("track", "[u'Hay', 'Straw']"),
              ("type", "[object Object]"), ("subtitle", "<Event object at 0x7f3a>"), ("session_title", "undefined"),
              ("presenter", "{'name': 'Ann'}"), ("language", "datetime.date(2026, 6, 17)"))),
        ({"slots": (Slot(START, END, "None"),)}, {"slots": (Slot(START, END),)},
         "slots.room: expected a text for people, found None", "None", "field_unread"),
        ({"slots": (Slot(room="null"),)}, {"slots": None}, "slots.room: expected a text for people, found null",
         "null", "field_unread"),
    ],
)  # fmt: skip
def test_a_bad_value_is_left_out_and_told(
    fields: dict[str, Any], without: dict[str, Any], detail: str, text: str, note: str
) -> None:
    """The record is as if it were not printed, but for a note; the quarantine has column and text."""
    good: dict[str, Any] = {"title": "Hay"}
    assert checked(**good, **fields) == (Record(3, 4, **good, **without, notes=(note,)), [(detail, text)])


@pytest.mark.parametrize(
    ("fields", "clean"),
    [
        ({"url": " HTTPS://Fair.Example/Hay?A=B "}, {"url": "https://fair.example/Hay?A=B"}),
        ({"authors": (Person("Ann", url="Http://H/~Ann"),)}, {"authors": (Person("Ann", url="http://h/~Ann"),)}),
        ({"links": (Link("HTTP://Ann:Bo@H/x"),)}, {"links": (Link("http://Ann:Bo@h/x"),)}),
        ({"doi": "https://doi.org/10.1234/ABC"}, {"doi": "10.1234/abc"}),
        ({"arxiv_id": " 2501.00001"}, {"arxiv_id": "2501.00001"}),
        ({"url": " ", "timezone": "", "formats": (), "authors": ()}, {}),
        *(
            ({"subtitle": text}, {"subtitle": text})
            for text in (
                '("what\'s next")',
                "[Hay] and Straw",
                "None of Them",
                "Set(s) of Hay",
                "{Hay}",
                "<Hay> at noon",
            )
        ),
        ({"authors": (ANN, BO, ANN, BO)}, {"authors": (ANN, BO)}),
        ({"authors": (ANN, ANN)}, {"authors": (ANN,)}),
        ({"chairs": (ANN, BO, ANN._replace(affiliation="Lab"), BO)}, {"chairs": (ANN._replace(affiliation="Lab"), BO)}),
        *(
            ({"authors": people}, {"authors": people})
            for people in ((ANN, BO, ANN), (ANN, ANN, BO), (ANN._replace(country="NO"), ANN._replace(country="SE")))
        ),
    ],
)
def test_what_can_be_written_rightly_is_not_told(fields: dict[str, Any], clean: dict[str, Any]) -> None:
    """The same value in the form that its column wants is no bad value, and neither is an empty one."""
    assert checked(title="Hay", **fields) == (Record(3, 4, title="Hay", **clean), [])


@pytest.mark.parametrize("address", ["https://GitHub.example/x", "http://h/ä?b=c#d", "https://h"])
def test_a_valid_address_stays_as_it_is_printed(address: str) -> None:
    """Published addresses keep their bytes, also those with capitals."""
    assert canonical_address(address) == address


def test_a_bad_value_is_published_as_a_row_of_quarantine(desk: Desk) -> None:
    """The record is there without it and with a note; the row names stage, reason, column, text and record."""
    desk.put("fair/a.txt", {"title": "Hay", "url": "javascript:x()"}, {"title": "Rye", "url": "HTTPS://Fair.example/"})
    assert desk.run().good
    assert desk.table("records", "fair").select("record_id", "url").rows() == [
        ("fair:unknown-event/hay", None),
        ("fair:unknown-event/rye", "https://fair.example/"),
    ]
    assert [code for code in desk.table("records", "fair")["notes"][0] if "missing" not in code] == ["field_unread"]
    assert desk.table("quarantine", "fair").drop("dump_sha256", "text_sha256").rows() == [
        ("fair", "fair/a.txt", 1, 1, "parse", "invalid_value", f"url: expected {ADDRESS}, found javascript:x()",
         "javascript:x()", 14, "fair:unknown-event/hay"),
    ]  # fmt: skip


def test_a_night_of_bad_values_is_judged_by_the_guards(desk: Desk) -> None:
    """A page that has lost every address, since none is valid any more, is red as if they had not been printed."""
    titles = ("Hay", "Rye", "Oats", "Barley", "Straw", "Wheat")
    desk.put("fair/a-20260101T0000Z.txt", *({"title": each, "url": f"https://h/{each}"} for each in titles))
    assert desk.run().good
    desk.put("fair/a-20260102T0000Z.txt", *({"title": each, "url": f"/{each}"} for each in titles))
    result = desk.run()
    assert (result.good, desk.table("records", "fair")["url"].null_count()) == (False, 0)
    assert "guard_lost: url: 6 of 6 known records have lost it" in (result.outcomes[0].error or "")


def test_records_of_no_kind_count_as_lost(desk: Desk) -> None:
    """What a column that every record must have costs is lost for the guards, too: the night is red."""
    titles = ("Hay", "Rye", "Oats", "Barley", "Straw", "Wheat")
    desk.put("fair/a-20260101T0000Z.txt", *({"title": each} for each in titles))
    assert desk.run().good
    desk.put(
        "fair/a-20260102T0000Z.txt",
        *({"title": each} for each in titles[:2]),
        *({"title": each, "kind": "odd"} for each in titles[2:]),
    )
    result = desk.run()
    assert (result.good, desk.titles("fair")) == (False, sorted(titles))
    assert "guard_drop: 2 records, down from 6" in (result.outcomes[0].error or "")


def test_a_first_night_without_a_valid_record_is_red(desk: Desk) -> None:
    """Nothing is published of it, and the exit code says so."""
    desk.put("fair/a.txt", {"title": "Hay", "kind": "odd"}, {"title": "Rye", "kind": "odd"})
    result = desk.run()
    assert (result.good, result.outcomes[0].status) == (False, Status.FAILED)


def test_a_source_whose_records_all_break_the_schema_is_red(tmp_path: Any) -> None:
    """The last check takes what only a defect of ours lets through; if that is everything, the source has failed."""
    desk = Desk(tmp_path, {"Fair": replace(make_source("fair", FAIR.family, FAIR.page), name="Fair")})
    desk.put("Fair/a.txt", {"title": "Hay"})
    outcome = desk.run().outcomes[0]
    assert (outcome.status, outcome.error) == (
        Status.FAILED,
        "Fair: expected at least one valid record, found none, 1 of them invalid",
    )
