"""Validation: rows that fail a check of the schema are quarantined with the reason, the rest is accepted."""

import json
from datetime import date, datetime
from hashlib import sha256
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandera.errors import SchemaErrors

from parsers._ledger.document import Document
from pipeline.merging.validate import SchemaBrokenError, find_failures, is_valid, validate_tables
from pipeline.reading.declared import check_declared
from pipeline.reading.frames import QUARANTINE_TYPES, RECORD_TYPES, SIGHTING_TYPES
from schemas.items import Declared, Record, Reject
from schemas.tables import RECORDS, SIGHTINGS, TEXT_LIMIT, Table
from schemas.validation import pandera_schema
from schemas.vocabulary import FORMATS, KINDS, LINKS, LISTING_SECTIONS, NOTES
from tests.support.toy import Desk

VALID: dict[str, Any] = {
    "record_id": "fair:e/hay",
    "source": "fair",
    "kind": "paper",
    "dump": "fair/a.txt",
    "dump_sha256": "0" * 64,
    "parser": "fair@1",
    "notes": [],
}
FULL: dict[str, Any] = {
    **VALID,
    **dict.fromkeys(
        "native_id type title subtitle language abstract description summary presenter event session_code "
        "session_title track session_description room timezone comments journal_ref report_no".split(),
        "x",
    ),
    "authors": [
        {"name": "Ann", "affiliation": "U", "country": "N", "url": "https://e.example/ann"},
        {"name": "Bo", "affiliation": None, "country": None, "url": None},
    ],
    "chairs": [{"name": "Cy", "affiliation": None, "country": None, "url": None}],
    "starts_at": datetime(2026, 6, 17, 9),
    "ends_at": datetime(2026, 6, 17, 10),
    "slots": [{"starts_at": datetime(2026, 6, 17, 9), "ends_at": datetime(2026, 6, 17, 10), "room": "x"}],
    "listed_on": date(2026, 6, 17),
    "published_on": date(2026, 6, 16),
    "listing_section": "new",
    "arxiv_id": "2605.00001",
    "doi": "10.1234/hay.1",
    "other_ids": ["acl:P26-1001", "dblp:conf/hay/Ann26"],
    "url": "https://e.example/1",
    "links": [{"rel": "slides", "url": "https://e.example/1.pdf", "title": "Slides"}],
    "categories": ["cs.DC"],
    "formats": ["pdf", "other"],
    "keywords": ["hay"],
    "engagement": 0,
    "line_start": 3,
    "line_end": 3,
    "notes": ["cancelled"],
}
BARE: dict[str, Any] = {name: None for name in FULL if name not in VALID}
PROFILE = "the profile of each person is an absolute URL"
NAMELESS = {"name": None, "affiliation": "U", "country": None}


def one_of(allowed: dict[str, str]) -> str:
    """Return the name of the check of a closed list."""
    return f"one of {', '.join(sorted(allowed))}"


STRINGS = [name for name, dtype in RECORD_TYPES.items() if dtype == pl.String]
LISTS = [name for name, dtype in RECORD_TYPES.items() if isinstance(dtype, pl.List)]
TEXT_LISTS = ("categories", "formats", "keywords", "notes", "other_ids")
REQUIRED = ("record_id", "source", "kind", "dump", "dump_sha256", "parser", "notes")

BROKEN: list[tuple[str, str, dict[str, Any]]] = [
    *((name, "not blank", {name: " \t"}) for name in STRINGS),
    *((name, "not an empty list", {name: []}) for name in LISTS if name != "notes"),
    *((name, "no null element", {name: [*FULL[name], None]}) for name in LISTS),
    *((name, "no blank element", {name: [*FULL[name], " "]}) for name in TEXT_LISTS),
    *((name, "not_nullable", {name: None}) for name in REQUIRED),
    *((name, "every person has a name", {name: [*FULL[name], NAMELESS]}) for name in ("authors", "chairs")),
    *((name, "every person has a name", {name: [{**NAMELESS, "name": " "}]}) for name in ("authors", "chairs")),
    ("record_id", "<source>:<key>", {"record_id": "hay"}),
    ("record_id", "<source>:<key>", {"record_id": "fair:"}),
    ("record_id", "<source>:<key>", {"record_id": "fair:on hay"}),
    ("source", "a source name", {"source": "Fair"}),
    ("kind", one_of(KINDS), {"kind": "lecture"}),
    ("listing_section", one_of(LISTING_SECTIONS), {"listing_section": "old"}),
    ("arxiv_id", "an arXiv id", {"arxiv_id": "2605.00001v2"}),
    ("arxiv_id", "an arXiv id", {"arxiv_id": "2605.001"}),
    ("arxiv_id", "an arXiv id", {"arxiv_id": "math.GT/0309136"}),
    ("doi", "a DOI", {"doi": "https://doi.org/10.1234/x"}),
    ("doi", "a DOI", {"doi": "10.1234/x y"}),
    ("other_ids", "each an identifier with its scheme", {"other_ids": ["acl:P26-1001", "pots:1"]}),
    ("url", "an absolute URL", {"url": "/1"}),
    ("url", "an absolute URL", {"url": "https://e.example/a b"}),
    ("formats", f"each {one_of(FORMATS)}", {"formats": ["pdf", "doc"]}),
    *((name, PROFILE, {name: [{**FULL[name][0], "url": "ann"}]}) for name in ("authors", "chairs")),
    ("links", f"each rel {one_of(LINKS)}", {"links": [{**FULL["links"][0], "rel": "poster"}]}),
    ("links", "each address is an absolute URL", {"links": [{**FULL["links"][0], "url": "/1.pdf"}]}),
    ("links", "each address is an absolute URL", {"links": [{**FULL["links"][0], "url": None}]}),
    ("dump_sha256", "a SHA-256", {"dump_sha256": "0" * 63}),
    ("dump_sha256", "a SHA-256", {"dump_sha256": "G" * 64}),
    ("parser", "<source>@<version>", {"parser": "fair"}),
    ("notes", f"each {one_of(NOTES)}", {"notes": ["cancelled", "made_up"]}),
    ("records", "ends_at is after starts_at", {"ends_at": FULL["starts_at"]}),
    ("records", "line_end is not before line_start", {"line_end": 2}),
    ("records", "record_id begins with source", {"record_id": "fairy:e/hay"}),
    ("records", "parser is of source", {"parser": "fairy@1"}),
    ("records", "multiple_fields_uniqueness", {"record_id": "fair:e/straw"}),
]


def records(*rows: dict[str, Any]) -> pl.DataFrame:
    """Make rows of the records table; each is a full one with other values."""
    return pl.DataFrame([{**FULL, **row} for row in rows], schema=RECORD_TYPES)


def sightings(*record_ids: str) -> pl.DataFrame:
    """Make one sighting of each record."""
    known = {"source": "fair", "dump": "fair/a.txt", "dump_sha256": "0" * 64, "parser": "fair@1", "rank": 1}
    return pl.DataFrame([{**known, "record_id": each} for each in record_ids], schema=SIGHTING_TYPES)


def quarantine(*details: str) -> pl.DataFrame:
    """Make quarantine rows of an earlier stage."""
    known = {"source": "fair", "dump": "fair/a.txt", "stage": "parse", "reason": "incomplete_item"}
    return pl.DataFrame([{**known, "detail": detail} for detail in details], schema=QUARANTINE_TYPES)


def held_back(row: dict[str, Any]) -> dict[str, Any]:
    """Validate one row and return the quarantine row that it became."""
    held: dict[str, Any] = validate_tables(records(row), sightings(), quarantine()).quarantine.row(0, named=True)
    return held


def document(text: str) -> Document:
    """Make a document."""
    return Document.from_bytes("news/a.txt", text.encode())


# The schema of the records


def test_a_full_record_is_valid() -> None:
    """A record with every column filled breaks nothing."""
    assert find_failures(RECORDS, records({})).rows() == []


def test_a_bare_record_is_valid() -> None:
    """Every optional column may be null."""
    bare = pl.DataFrame([VALID], schema=RECORD_TYPES)
    assert find_failures(RECORDS, bare).rows() == []


@pytest.fixture(scope="module")
def failures() -> set[tuple[str, str, int]]:
    """Run all checks at once on bad rows, each below a good one; the last row only repeats an id."""
    bad = [{"record_id": f"fair:e/bad-{place}"} | row for place, (_, _, row) in enumerate(BROKEN)]
    good = [{"record_id": f"fair:e/good-{place}"} for place in range(len(BROKEN))]
    pairs = (row for pair in zip(good, bad, strict=True) for row in pair)
    straw = {"record_id": "fair:e/straw", "dump": "fair/b.txt"}
    return set(find_failures(RECORDS, records(*pairs, straw)).select("column", "check", "index").rows())


def test_every_check_finds_what_breaks_it(failures: set[tuple[str, str, int]]) -> None:
    """Each bad value fails its check, for its row."""
    expected = {(column, check, 2 * place + 1) for place, (column, check, _) in enumerate(BROKEN)}
    assert expected - failures == set()


def test_no_check_finds_fault_with_a_good_row(failures: set[tuple[str, str, int]]) -> None:
    """A good row between bad ones fails no check, apart from uniqueness, which concerns several rows."""
    assert {index % 2 for _, check, index in failures if check != "multiple_fields_uniqueness"} == {1}


def test_every_check_has_a_failing_example() -> None:
    """No check of the table is without a value above that breaks it."""
    declared = {(name, check.name) for name, column in RECORDS.columns.items() for check in column.checks}
    declared |= {("records", check.name) for check in RECORDS.checks}
    declared |= {(name, "not_nullable") for name, column in RECORDS.columns.items() if not column.nullable}
    assert {(column, check) for column, check, _ in BROKEN} == declared | {("records", "multiple_fields_uniqueness")}


def is_accepted(table: Table, frame: pl.DataFrame) -> bool:
    """Validate with pandera, which runs every check separately."""
    try:
        pandera_schema(table).validate(frame, lazy=True)
    except SchemaErrors:
        return False
    return True


@given(st.lists(st.sampled_from([{}, {}, BARE, *(row for _, _, row in BROKEN)]), max_size=3), st.booleans())
def test_the_combined_check_agrees_with_pandera(changes: list[dict[str, Any]], shared: bool) -> None:
    """Our combined check and pandera agree on any mix of full, bare and bad rows."""
    ids = ("fair:e/hay", "fair:e/straw", "fair:e/hay" if shared else "fair:e/oats")
    frame = records(*({"record_id": each} | change for each, change in zip(ids, changes, strict=False)))
    assert is_valid(RECORDS, frame) == is_accepted(RECORDS, frame)


def test_the_combined_check_rejects_every_bad_value() -> None:
    """The combined check rejects every bad value."""
    straw = {"record_id": "fair:e/straw"}
    assert [each for each in BROKEN if is_valid(RECORDS, records({}, each[2], straw))] == []


@pytest.mark.parametrize(
    "frame",
    [sightings("fair:a"), sightings("fair:a").with_columns(listing_section=pl.lit("old")), quarantine("a")],
    ids=["valid", "invalid", "other"],
)
def test_the_combined_check_of_other_tables(frame: pl.DataFrame) -> None:
    """The combined check works for the other tables as well."""
    assert is_valid(SIGHTINGS, frame) == is_accepted(SIGHTINGS, frame)


@pytest.mark.parametrize("arxiv_id", ["2605.00001", "0704.1234", "cs/0001001", "math/0309136", "hep-th/9901001"])
def test_arxiv_ids_of_every_age(arxiv_id: str) -> None:
    """Identifiers of both schemes are valid."""
    assert find_failures(RECORDS, records({"arxiv_id": arxiv_id})).rows() == []


@pytest.mark.parametrize(
    "broken",
    [
        records({}).drop("title"),
        records({}).with_columns(title=pl.lit(1)),
        records({}).with_columns(authors=pl.lit(["Ann"])),
        records({}).with_columns(starts_at=pl.col("starts_at").dt.replace_time_zone("UTC")),
        records({}).with_columns(extra=pl.lit("x")),
        records({}).select(reversed(RECORD_TYPES.names())),
    ],
    ids=["missing", "type", "nested-type", "zone", "extra", "order"],
)
def test_a_broken_frame_raises(broken: pl.DataFrame) -> None:
    """A column that is missing, of the wrong type, extra or out of order is a defect of the code, not a bad row."""
    with pytest.raises(SchemaBrokenError, match=r"^records: \{'failure_case': "):
        find_failures(RECORDS, broken)


# What becomes of the rows


def test_good_rows_stay_and_bad_ones_go() -> None:
    """A bad record moves to quarantine, its sightings stay, and all tables are sorted."""
    rows = records({"record_id": "fair:c"}, {"record_id": "fair:b", "kind": "x"}, {"record_id": "fair:a"})
    valid = validate_tables(rows, sightings("fair:c", "fair:b", "fair:a"), quarantine("z", "a"))
    assert (valid.records["record_id"].to_list(), valid.sightings["record_id"].to_list()) == (
        ["fair:a", "fair:c"],
        ["fair:a", "fair:b", "fair:c"],
    )
    assert valid.quarantine["record_id"].to_list() == [None, None, "fair:b"]
    assert valid.quarantine["detail"].to_list()[:2] == ["a", "z"]


def test_nothing_bad_changes_nothing() -> None:
    """Valid tables are unchanged."""
    valid = validate_tables(records({}), sightings("fair:e/hay"), quarantine())
    assert (valid.records.equals(records({})), valid.sightings.height, valid.quarantine.height) == (True, 1, 0)


def test_no_rows_at_all_are_valid() -> None:
    """Empty tables are valid."""
    valid = validate_tables(records(), sightings(), quarantine())
    assert (valid.records.height, valid.sightings.height, valid.quarantine.height) == (0, 0, 0)


def test_records_that_share_an_id_are_all_held_back() -> None:
    """Two records with one id are both quarantined: nobody can say which is right."""
    rows = records({"record_id": "fair:a"}, {"record_id": "fair:b"}, {"record_id": "fair:a", "title": "y"})
    valid = validate_tables(rows, sightings("fair:a", "fair:b"), quarantine())
    assert (valid.records["record_id"].to_list(), valid.quarantine["record_id"].to_list()) == (
        ["fair:b"],
        ["fair:a"] * 2,
    )


def test_a_record_without_id_is_held_back() -> None:
    """A record whose id is null is quarantined too, although null equals nothing."""
    valid = validate_tables(records({"record_id": None}, {}), sightings("fair:e/hay"), quarantine())
    assert (valid.records["record_id"].to_list(), valid.quarantine["detail"].to_list()) == (
        ["fair:e/hay"],
        ["record_id: expected not_nullable, found null"],
    )


def test_quarantine_row_of_a_bad_record() -> None:
    """It has the origin, the failed check, the value and the whole record."""
    held = held_back({"url": "/1"})
    text = held.pop("text")
    assert held == {
        "source": "fair",
        "dump": "fair/a.txt",
        "dump_sha256": "0" * 64,
        "line_start": 3,
        "line_end": 3,
        "stage": "validate",
        "reason": "invalid_value",
        "detail": "url: expected an absolute URL, found /1",
        "text_length": len(text),
        "text_sha256": sha256(text.encode()).hexdigest(),
        "record_id": "fair:e/hay",
    }
    assert (json.loads(text)["url"], json.loads(text)["authors"][0]["name"]) == ("/1", "Ann")


def test_a_record_that_breaks_two_checks_is_one_row() -> None:
    """The detail lists both."""
    held = held_back({"url": "/1", "doi": "x"})
    assert held["detail"] == "doi: expected a DOI, found x; url: expected an absolute URL, found /1"


def test_a_check_of_several_columns_names_the_row() -> None:
    """The detail names the check; the record is only in ``text``."""
    assert held_back({"line_end": 2})["detail"] == "row: expected line_end is not before line_start"


def test_a_huge_record_is_cut_in_quarantine() -> None:
    """The text is cut at its limit and the value in the detail at 200 characters; the length is that of the whole."""
    held = held_back({"url": "x" * TEXT_LIMIT})
    assert (len(held["text"]), held["text_length"] > TEXT_LIMIT) == (TEXT_LIMIT, True)
    assert held["detail"] == f"url: expected an absolute URL, found {'x' * 200}"


def test_only_the_bad_record_is_quarantined(desk: Desk) -> None:
    """In a refresh, a record without a valid kind is quarantined and the others are published."""
    desk.put("news/a.txt", {"title": "Hay"}, {"title": "Rye", "kind": "odd"})
    assert (desk.run().good, desk.titles("news")) == (True, ["Hay"])
    assert desk.table("quarantine", "news").select("reason", "record_id", "line_start").rows() == [
        ("invalid_value", None, 2)
    ]


@pytest.mark.parametrize(
    ("seen", "held"),
    [
        (sightings("fair:e/hay").with_columns(listing_section=pl.lit("old")), quarantine()),
        (sightings("fair:e/hay").with_columns(dump=pl.lit(None, pl.String)), quarantine()),
        (sightings(), quarantine("x").with_columns(reason=pl.lit("because"))),
        (sightings(), quarantine("x").with_columns(stage=pl.lit("later"))),
        (sightings(), quarantine(" ")),
    ],
    ids=["section", "no-dump", "reason", "stage", "no-detail"],
)
def test_broken_side_tables_raise(seen: pl.DataFrame, held: pl.DataFrame) -> None:
    """The pipeline computes sightings and quarantine itself, so a bad value there raises."""
    with pytest.raises(SchemaBrokenError, match=r"^(sightings|quarantine): "):
        validate_tables(records({}), seen, held)


# Totals that a page declares


def paper(section: str | None = None, day: int | None = None) -> Record:
    """Make a record of a listing."""
    listed_on = None if day is None else date(2026, 5, day)
    return Record(line_start=1, line_end=1, listing_section=section, listed_on=listed_on)


FOUND = [paper("new", 1), paper("new", 2), paper("cross", 1), paper()]


@pytest.mark.parametrize(
    "total",
    [
        Declared(1, 4),
        Declared(1, 2, "new"),
        Declared(1, 1, "cross"),
        Declared(1, 0, "replacement"),
        Declared(1, 2, None, date(2026, 5, 1)),
        Declared(1, 1, "new", date(2026, 5, 2)),
        Declared(1, 0, "cross", date(2026, 5, 2)),
    ],
)
def test_totals_that_agree(total: Declared) -> None:
    """A total may be of the page, a section, a day, or a section on a day."""
    assert check_declared(document("x"), FOUND, [total]) == []


@pytest.mark.parametrize(
    ("total", "detail"),
    [
        (Declared(2, 5), "the page declares 5 entries, 4 were parsed"),
        (Declared(2, 3), "the page declares 3 entries, 4 were parsed"),
        (Declared(2, 3, "new"), "the page declares 3 new, 2 were parsed"),
        (Declared(2, 1, None, date(2026, 5, 1)), "the page declares 1 2026-05-01, 2 were parsed"),
        (Declared(2, 2, "new", date(2026, 5, 1)), "the page declares 2 new 2026-05-01, 1 were parsed"),
        (Declared(2, 1, "replacement"), "the page declares 1 replacement, 0 were parsed"),
    ],
)
def test_totals_that_do_not_agree(total: Declared, detail: str) -> None:
    """Too few and too many are both rejects, with the line of the total."""
    assert check_declared(document("x\nTotal of 5 entries\n"), FOUND, [total]) == [
        Reject(2, 2, "Total of 5 entries", "count_mismatch", detail)
    ]


def test_every_total_is_checked() -> None:
    """Each total that does not agree is a reject of its own."""
    rejects = check_declared(document("a\nb\nc"), FOUND, [Declared(1, 9), Declared(2, 4), Declared(3, 0)])
    assert [reject.line_start for reject in rejects] == [1, 3]


def test_nothing_declared_is_nothing_to_check() -> None:
    """Without declared totals nothing is checked."""
    assert check_declared(document("x"), FOUND, []) == []
