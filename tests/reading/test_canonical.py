"""Canonical forms: ISO country codes, and DOIs found in texts; uncertain ones stay null."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.reading.canonical import canonical_doi, country_code, fill_doi
from pipeline.reading.frames import RECORD_TYPES
from tests.support.toy import Desk


def records(*given: dict[str, Any]) -> pl.DataFrame:
    """Return a frame of records with these columns."""
    rows = [{**dict.fromkeys(RECORD_TYPES.names()), "notes": [], **row} for row in given]
    return pl.DataFrame(rows, schema=RECORD_TYPES)


@pytest.mark.parametrize(
    ("printed", "code"),
    [
        ("Germany", "DE"),
        ("germany", "DE"),
        ("The Netherlands", "NL"),
        ("USA", "US"),
        ("U.S.A.", "US"),
        ("United States of America", "US"),
        ("UK", "GB"),
        ("Scotland", "GB"),
        ("P.R. China", "CN"),
        ("People's Republic of China", "CN"),
        ("South Korea", "KR"),
        ("Republic of Korea", "KR"),
        ("Taiwan", "TW"),
        ("Côte d'Ivoire", "CI"),
        ("Cote d'Ivoire", "CI"),
        ("Türkiye", "TR"),
        ("Turkey", "TR"),
        ("Viet Nam", "VN"),
        ("FR", "FR"),
        ("U. K.", "GB"),
        ("England, UK", "GB"),
        ("United States (USA)", "US"),
        ("People’s Republic of China (PRC)", "CN"),
        ("Taiwan, R.O.C.", "TW"),
        ("Hong Kong SAR, China", "HK"),
        ("Bosnia & Herzegovina", "BA"),
        ("Österreich", "AT"),
        ("대한민국", "KR"),
        ("Brunei", "BN"),
        ("Puerto Rico", "PR"),
        ("DR Congo", "CD"),
    ],
)
def test_countries_as_people_print_them(printed: str, code: str) -> None:
    """Names, official names, codes and what else is usual; case, accents, articles and dots do not matter."""
    assert country_code(printed) == code


@pytest.mark.parametrize(
    "printed", ["Georgia", "CA", "DE", "IN", "California", "Mars", "Europe", "", "Korea, Germany", "N/A"]
)
def test_uncertain_countries(printed: str) -> None:
    """Names and codes shared with a US state, and names of no single country, have no code."""
    assert country_code(printed) is None


@pytest.mark.parametrize(
    ("comments", "journal_ref", "doi"),
    [
        ("12 pages, doi:10.1234/AbC.5.", None, "10.1234/abc.5"),
        ("see https://doi.org/10.1234/x_(y)z", None, "10.1234/x_(y)z"),
        ("(published as 10.1234/x)", None, "10.1234/x"),
        (None, "J. Sheds 3 (2025) 7; DOI 10.12345/s-7", "10.12345/s-7"),
        ("10.1234/x", "10.1234/X", "10.1234/x"),
        ("10.1234/x and 10.1234/y", None, None),
        ("10.1234/x", "10.1234/y", None),
        ("version 10.2 of 10.05.2025", None, None),
        ("110.1234/x", None, None),
        ("“10.1234/x”…", None, "10.1234/x"),
        ("10.1234/x\\_y", None, "10.1234/x_y"),
        ("10.1234/x,10.1234/y", None, None),
        ("https://doi.org/10.1234/x/?a=1#b", None, "10.1234/x"),
        (
            "10.1002/(SICI)1097(199806)49:8<693::AID-A4>3.0.CO;2-O",
            None,
            "10.1002/(sici)1097(199806)49:8<693::aid-a4>3.0.co;2-o",
        ),
        (None, None, None),
    ],
)
def test_doi_in_texts(comments: str | None, journal_ref: str | None, doi: str | None) -> None:
    """A DOI is found in comments and journal reference, without closing punctuation; two different ones give none."""
    row = fill_doi(records({"comments": comments, "journal_ref": journal_ref})).row(0, named=True)
    assert (row["doi"], row["notes"]) == (doi, ["doi_from_text"] if doi else [])


def test_a_printed_doi_stands() -> None:
    """A printed DOI wins over the texts."""
    row = fill_doi(records({"doi": "10.1234/abc", "comments": "10.1234/x"})).row(0, named=True)
    assert (row["doi"], row["notes"]) == ("10.1234/abc", [])


@pytest.mark.parametrize(
    "printed",
    [
        "10.1234/X",
        " https://www.doi.org/10.1234/X",
        "doi.org/10.1234/X",
        "DOI 10.1234/X",
        "doi:https://doi.org/10.1234/x",
    ],
)
def test_resolvers_and_labels_are_no_part_of_a_doi(printed: str) -> None:
    """Resolvers and labels before a DOI are removed, in any combination; it is written in lower case."""
    assert canonical_doi(printed) == "10.1234/x"


def test_a_doi_from_a_text_is_found_again_after_a_failure(desk: Desk) -> None:
    """Rows kept for a failed dump keep their DOI and note; a DOI printed later wins."""
    desk.put("news/a.txt", {"title": "New", "comments": "doi:10.1234/x"})
    desk.run()
    desk.put("news/a.txt", "x")
    desk.put("news/b.txt", {"title": "Old"})
    desk.run()
    kept = desk.table("records", "news").filter(title="New").select("doi", "notes").row(0)
    desk.put("news/b.txt", {"title": "New", "doi": "10.1234/printed"})
    desk.run()
    printed = desk.table("records", "news").filter(title="New").select("doi", "notes").row(0)
    assert (kept[0], "doi_from_text" in kept[1]) == ("10.1234/x", True)
    assert (printed[0], "doi_from_text" in printed[1]) == ("10.1234/printed", False)


def test_published_people_have_codes(desk: Desk) -> None:
    """Published people have a country code beside the printed country."""
    desk.put("news/a.txt", {"title": "New", "authors": ["Ann"]})
    desk.run()
    (author,) = desk.table("records", "news")["authors"].to_list()[0]
    assert author == {"name": "Ann", "affiliation": None, "country": None, "country_code": None, "url": None}


def test_a_snapshot_without_codes_is_read(desk: Desk, tmp_path: Path) -> None:
    """Rows of an older minor version get ``country_code`` as null."""
    desk.put("news/a.txt", {"title": "New", "authors": ["Ann"]})
    desk.put("fair/a.txt", {"title": "Hay"})
    desk.run()
    file = (desk.out / "latest").resolve() / "parquet" / "news.parquet"
    less = pl.struct(*(pl.element().struct.field(name) for name in ("name", "affiliation", "country")))
    pl.read_parquet(file).with_columns(pl.col("authors").list.eval(less)).write_parquet(file)
    desk.put("news/a.txt", "x")
    desk.put("news/b.txt", {"title": "Newer", "authors": ["Bob"]})
    desk.run()
    assert desk.table("records", "news").schema == RECORD_TYPES
