"""Identifiers of records from their addresses: which addresses count, what stands, what is told."""

from typing import Any

import polars as pl
import pytest

from pipeline.merging.identifiers import fill_identifiers, without_derived
from pipeline.reading.frames import RECORD_TYPES
from tests.support.toy import Desk

NOTED = {"arxiv_id": "2605.00001", "notes": ["arxiv_id_from_address"]}
ARXIV, OTHER = "https://arxiv.org/abs/2605.00001v2", "https://arxiv.org/abs/2605.00002"
POTS, LIDS = "https://doi.org/10.1234/Pots", "https://doi.org/10.1234/lids"


def link(url: str, title: str | None = None, rel: str = "related") -> dict[str, str | None]:
    """Return a link as it stands in the column."""
    return {"rel": rel, "url": url, "title": title}


def filled(**values: Any) -> dict[str, Any]:
    """Return the identifiers of a record, and its notes, after filling; the ones without a value are left out."""
    row = {"kind": "paper", "title": "Less Sugar", "notes": [], **values}
    frame = pl.DataFrame([row], schema=RECORD_TYPES)
    found = fill_identifiers(frame).select("arxiv_id", "doi", "other_ids", "notes").row(0, named=True)
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"url": ARXIV}, NOTED),
        ({"url": POTS}, {"doi": "10.1234/pots", "notes": ["doi_from_address"]}),
        (
            {"url": ARXIV, "links": [link(LIDS)], "notes": ["cancelled"]},
            {
                "arxiv_id": "2605.00001",
                "doi": "10.1234/lids",
                "notes": ["arxiv_id_from_address", "cancelled", "doi_from_address"],
            },
        ),
        ({"links": [link(ARXIV, "Pre-print", "preprint")]}, NOTED),
        ({"links": [link(ARXIV, "less sugar")]}, NOTED),
        ({"links": [link(POTS), link(POTS, "DOI")]}, {"doi": "10.1234/pots", "notes": ["doi_from_address"]}),
        ({"doi": "10.48550/arxiv.2605.00001"}, {"doi": "10.48550/arxiv.2605.00001", **NOTED}),
        (
            {"url": "https://dblp.org/rec/conf/jam/Q26", "links": [link("https://openreview.net/forum?id=aB3dEfGh")]},
            {"other_ids": ["dblp:conf/jam/Q26", "openreview:aB3dEfGh"]},
        ),
        ({"kind": "tutorial", "url": "https://aclanthology.org/P19-1001"}, {"other_ids": ["acl:P19-1001"]}),
    ],
)
def test_addresses_of_the_paper(values: dict[str, Any], expected: dict[str, Any]) -> None:
    """The own address counts, and links without a title, with words for the publication, or with the paper's title."""
    assert filled(**values) == expected


@pytest.mark.parametrize(
    "values",
    [
        {"links": [link(ARXIV), link(OTHER)]},
        {"links": [link(POTS, "DOI"), link(LIDS, "Pre-print", "preprint")]},
        {"links": [link(ARXIV, "The classic on jam", "preprint")]},
        {"links": [link(ARXIV, "Slides", "slides")]},
        {"links": [link(ARXIV, rel="attachment")]},
        {"links": [link("https://doi.org/10.5281/pots.7", "DOI")]},
        {"kind": "keynote", "links": [link(ARXIV)]},
        {"url": "https://jam.example/1", "links": [link("https://jam.example/2", "Paper")]},
        {"url": "https://doi.org/nothing"},
    ],
)
def test_addresses_that_do_not_count(values: dict[str, Any]) -> None:
    """Several ids, other relations, links about others, of talks without a paper, and archives of data give nothing."""
    assert filled(**values) == {}


def test_the_own_address_decides() -> None:
    """Links to other papers do not put the record's own address in doubt."""
    assert filled(url=ARXIV, links=[link(OTHER)])["arxiv_id"] == "2605.00001"


def test_what_is_printed_stands() -> None:
    """A printed id wins over that of an address, without a note."""
    assert filled(arxiv_id="2601.00009", doi="10.1234/x", url=ARXIV, links=[link(POTS)]) == {
        "arxiv_id": "2601.00009",
        "doi": "10.1234/x",
    }


def test_rows_keep_their_order() -> None:
    """Rows without an identifier stay where they are, with all their values."""
    rows = [{"record_id": f"news:{place}", "kind": "paper", "notes": []} for place in range(4)]
    rows[2]["url"] = ARXIV
    frame = pl.DataFrame(rows, schema=RECORD_TYPES)
    after = fill_identifiers(frame)
    assert after.drop("arxiv_id", "notes").equals(frame.drop("arxiv_id", "notes"))
    assert after["arxiv_id"].to_list() == [None, None, "2605.00001", None]


def test_derived_values_are_taken_out_again() -> None:
    """Without its derived values a record is as it was printed."""
    row = {"kind": "paper", "notes": ["cancelled"], "url": ARXIV, "doi": "10.1234/x"}
    frame = pl.DataFrame([row], schema=RECORD_TYPES)
    assert without_derived(fill_identifiers(frame)).equals(frame)


def test_no_record_id_depends_on_an_address(desk: Desk) -> None:
    """A listing goes by its arXiv id; one that stands only in an address fills the column and leaves the id alone."""
    desk.put("news/a.txt", {"title": "Pots", "url": ARXIV}, {"title": "Lids", "arxiv_id": "2605.00007"})
    desk.run()
    ids = desk.table("records", "news").sort("record_id").select("record_id", "arxiv_id").rows()
    assert ids == [("news:2605.00007", "2605.00007"), ("news:pots", "2605.00001")]


def test_a_derived_id_is_found_again_after_a_failure(desk: Desk) -> None:
    """Rows kept for a failed dump keep their id and note; an id printed later wins."""
    desk.put("news/a.txt", {"title": "New", "url": POTS})
    desk.run()
    desk.put("news/a.txt", "x")
    desk.put("news/b.txt", {"title": "Old"})
    desk.run()
    kept = desk.table("records", "news").filter(title="New").select("doi", "notes").row(0)
    desk.put("news/b.txt", {"title": "New", "doi": "10.1234/printed"})
    desk.run()
    printed = desk.table("records", "news").filter(title="New").select("doi", "notes").row(0)
    assert (kept[0], "doi_from_address" in kept[1]) == ("10.1234/pots", True)
    assert (printed[0], "doi_from_address" in printed[1]) == ("10.1234/printed", False)
