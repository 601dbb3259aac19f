"""A talk's page says where else its work is listed, and is made anew only where that changes."""

from pathlib import Path

import polars as pl
import pytest
from lxml import html

from pipeline.base.settings import Settings, SiteSettings
from pipeline.publishing.sites import publish_site
from pipeline.site.build import make_sections
from pipeline.viewing.selection import Row
from pipeline.works.works import find_works
from tests.export.shelf import Shelf, frame_of, person, record, talk

TITLE = "Less sugar in every pot of jam"
PEOPLE = [person("Ida Pome"), person("Ole Quince")]


def build(shelf: Shelf, stamp: str, *rows: Row, event: str | None = None) -> Path:
    """Publish rows and build the site; return its folder."""
    shelf.put(*rows, stamp=stamp)
    selection = shelf.select(event=event)
    sections = make_sections(selection, SiteSettings(), Settings(shelf.out, shelf.out))
    return publish_site(shelf.out, selection.snapshot.id, sections, 14).folder


def also(page: Path) -> list[tuple[str, str | None]]:
    """Return what a page says of other records: where, and the link."""
    terms = html.parse(str(page)).getroot().iterfind(".//dt")
    found = [term.getnext() for term in terms if term.text == "Also on"]
    return [(each.text_content(), next((link.get("href") for link in each.iter("a")), None)) for each in found]


def test_where_else(shelf: Shelf) -> None:
    """The page of another programme, the address of a listed record, or only a name."""
    kept = talk("oat", title="Oats and other grains alone")
    work = (
        talk(title=TITLE, authors=PEOPLE),
        record("x", source="arxiv", title=TITLE, authors=PEOPLE, arxiv_id="2601.00001"),
        record("y", source="barn", title=TITLE, authors=PEOPLE),
        talk("z", source="farm", event="BARN 2026", title=TITLE, authors=PEOPLE, url="https://barn.example/z"),
    )
    site = build(shelf, "20260801T000000Z", *work, kept)
    (page,), (alone,) = site.glob("fjord-2026-*/less-sugar-*.html"), site.glob("fjord-2026-*/oats-*.html")
    arxiv, barn, farm = also(page)
    assert (arxiv, barn, farm[0]) == (
        ("arxiv", "https://arxiv.org/abs/2601.00001"),
        ("barn", None),
        "BARN 2026 (farm)",
    )
    assert (page.parent / str(farm[1])).is_file()
    assert also(alone) == []

    later = build(shelf, "20260802T000000Z", *work[:3], kept)
    (new,), (same,) = later.glob("fjord-2026-*/less-sugar-*.html"), later.glob("fjord-2026-*/oats-*.html")
    assert (len(also(new)), new.samefile(page), same.samefile(alone)) == (2, False, True)


def test_a_site_of_one_event(shelf: Shelf) -> None:
    """It has no pages of others: what has no address has no link."""
    other = talk("z", source="farm", event="BARN 2026", title=TITLE, authors=PEOPLE)
    site = build(shelf, "20260801T000000Z", talk(title=TITLE, authors=PEOPLE), other, event="FJORD 2026")
    (page,) = site.glob("fjord-2026-*/less-sugar-*.html")
    assert also(page) == [("BARN 2026 (farm)", None)]


def test_records_that_are_gone(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Works that could not be made anew may name them: they are not shown."""
    gone = frame_of([record("x", source="barn", title=TITLE, authors=PEOPLE)])
    monkeypatch.setattr("tests.export.shelf.find_works", lambda rows: find_works(pl.concat([rows, gone])))
    site = build(shelf, "20260801T000000Z", talk(title=TITLE, authors=PEOPLE))
    (page,) = site.glob("fjord-2026-*/less-sugar-*.html")
    assert also(page) == []
