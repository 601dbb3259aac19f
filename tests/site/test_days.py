"""A programme that is too big for one page: its days, what stands on each, its anchors, and what is found in all."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from pipeline.base.settings import Settings, SiteSettings
from pipeline.publishing.sites import publish_site
from pipeline.site.build import make_sections
from pipeline.site.model import MOST_ITEMS
from pipeline.viewing.selection import Row
from tests.export.shelf import Shelf, person, slot, talk
from tests.support.hostile import TEXTS

FIRST = datetime(2026, 8, 3, 9)
HOUR = timedelta(hours=1)


def many(number: int, days: int = 2) -> list[Row]:
    """Return talks of an hour in eight rooms, on some days."""
    starts = [FIRST + timedelta(days=place % days, hours=place // 8 % 9) for place in range(number)]
    return [
        talk(
            f"t{place}",
            title=f"Talk {place}",
            slots=[slot(when, when + HOUR, f"R {place % 8}")],
            line_start=place + 1,
        )
        for place, when in enumerate(starts)
    ]


def build(shelf: Shelf, rows: list[Row]) -> Path:
    """Publish rows and build the site; return the folder of the programme."""
    shelf.put(*rows)
    sections = make_sections(shelf.select(), SiteSettings(), Settings(shelf.out, shelf.out))
    site = publish_site(shelf.out, shelf.select().snapshot.id, sections, 14).folder
    (folder,) = site.glob("fjord-2026-*")
    return folder


def page(file: Path) -> Any:
    """Return a page."""
    return html.parse(str(file)).getroot()


def items_of(folder: Path) -> list[dict[str, Any]]:
    """Return the items that are found on all days."""
    text = (folder / "items.js").read_text("ascii")
    found: list[dict[str, Any]] = json.loads(text.removeprefix("globalThis.items = ").removesuffix(";\n"))
    return found


@pytest.mark.parametrize(
    ("number", "days", "pages"), [(MOST_ITEMS, 2, 0), (MOST_ITEMS + 1, 2, 2), (MOST_ITEMS + 1, 1, 0)]
)
def test_what_is_big(shelf: Shelf, number: int, days: int, pages: int) -> None:
    """More than so many items, on more than a day."""
    folder = build(shelf, many(number, days))
    assert (len(list(folder.glob("day-*.html"))), (folder / "items.js").exists()) == (pages, pages > 0)


def test_pages_of_days(shelf: Shelf) -> None:
    """Each item stands on the pages of its days, or on that of what has no time; the first page lists them all."""
    rows = many(MOST_ITEMS)
    again = slot(FIRST + timedelta(days=1, hours=11), None, "R 1")
    rows[0] = rows[0] | {"slots": [*rows[0]["slots"], again]}
    rows.append(talk("none", title="Unplaced", slots=None, session_title="Later"))
    folder = build(shelf, rows)
    shown = {
        file.name: sorted(each.text for each in page(file).xpath("//div[@class='talk']/a"))
        for file in [*folder.glob("day-*.html"), folder / "untimed.html"]
    }
    assert shown == {
        "day-2026-08-03.html": sorted(f"Talk {number}" for number in range(0, MOST_ITEMS, 2)),
        "day-2026-08-04.html": sorted(["Talk 0", *(f"Talk {number}" for number in range(1, MOST_ITEMS, 2))]),
        "untimed.html": ["Unplaced"],
    }
    index = page(folder / "index.html")
    assert index.xpath("//section/h2/a/@href") == list(shown)
    assert len(index.xpath("//section//li")) == MOST_ITEMS + 1
    assert index.xpath("//section/@id") == ["day-2026-08-03", "day-2026-08-04"]
    second = page(folder / "day-2026-08-04.html")
    assert second.xpath("//nav[@class='days']//a/@href") == list(shown)
    assert second.xpath("//nav[@class='days']//a[@aria-current]/text()") == ["Tue 4 Aug"]


def test_links_and_anchors(shelf: Shelf) -> None:
    """No link of the programme is broken, and each item has an anchor on the page of its first slot."""
    rows = [*many(MOST_ITEMS), talk("none", title="Unplaced", slots=None, session_title="Later")]
    rows[0] = rows[0] | {"session_title": "Grass"}
    folder = build(shelf, rows)
    pages = {file: page(file) for file in folder.glob("*.html")}
    ids = {file.name: {*found.xpath("//@id")} for file, found in pages.items()}
    for file, found in pages.items():
        for link in found.xpath("//a/@href"):
            target, _, anchor = link.partition("#")
            assert (file.parent / target).exists(), link
            assert not anchor or anchor in ids[target or file.name], link
    items = items_of(folder)
    assert len(items) == MOST_ITEMS + 1
    assert [
        each["page"] for each in items if each["page"].partition("#")[2] not in ids[each["page"].partition("#")[0]]
    ] == []
    (grass,) = (found for file, found in pages.items() if re.match(r"talk-0-", file.name))
    (link,) = grass.xpath("//dd/a[text()='Grass']/@href")
    assert link.startswith("day-2026-08-03.html#t-")


def test_what_is_found(shelf: Shelf) -> None:
    """An item has what a reader may look for, as it is printed; hostile texts are data."""
    rows = many(MOST_ITEMS + len(TEXTS))
    for row, text in zip(rows, TEXTS, strict=False):
        row |= {"title": text, "track": text, "authors": [person(text, "Harbour U.")]}
    found = items_of(build(shelf, rows))
    assert {each["id"] for each in found if each.get("more") == "Harbour U."} == {
        each["id"] for each in found if "track" in each
    }
    by_title = {each["title"]: each for each in found}
    assert {TEXTS[0], TEXTS[5]} <= by_title.keys()
    expected = {"kind": "paper", "title": "Talk 100", "when": "Mon 03 August 12:00, R 4", "rooms": ["R 4"]}
    talk_100 = by_title["Talk 100"]
    assert {name: talk_100[name] for name in expected} == expected
    assert talk_100.keys() - expected.keys() == {"id", "page"}


def test_growing_big(shelf: Shelf) -> None:
    """Pages of talks lead to the pages of days as soon as there are some; what a day leaves goes."""
    rows = [row | {"session_title": "Grass"} for row in many(MOST_ITEMS + 1)]
    before = page(next(build(shelf, rows[:-1]).glob("talk-7-*.html"))).xpath("//dd/a/@href")[0]
    shelf.put(*rows, stamp="20260802T000000Z")
    sections = make_sections(shelf.select(), SiteSettings(), Settings(shelf.out, shelf.out))
    site = publish_site(shelf.out, shelf.select().snapshot.id, sections, 14).folder
    after = page(next(site.glob("*/talk-7-*.html"))).xpath("//dd/a/@href")[0]
    assert (before.partition("#")[0], after.partition("#")[0]) == ("index.html", "day-2026-08-04.html")
    assert before.partition("#")[2] == after.partition("#")[2]
