"""What exports say of the other records of a work: where there is a place for it."""

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from icalendar import Calendar

from pipeline.publishing.store import StoreError
from pipeline.viewing.selection import Row
from tests.export.shelf import Shelf, person, record, talk

TITLE = "Less sugar in every pot of jam"
PEOPLE = [person("Ida Pome"), person("Ole Quince")]
TALK = talk("jam", title=TITLE, authors=PEOPLE)
PREPRINT = record("2601.00001", source="arxiv", title=TITLE, authors=PEOPLE, arxiv_id="2601.00001")
CARD = talk(
    "y", source="farm", event="BARN 2026", title=TITLE, authors=PEOPLE, url="https://barn.example/y", slots=None
)
BARE = record("z", source="loft", title=TITLE, authors=PEOPLE)
ALONE = talk("oat", title="Oats and other grains alone", authors=[person("Ann Reed")])


def calendar(shelf: Shelf, stamp: str, *rows: Row) -> dict[str, tuple[int, str]]:
    """Publish rows, and return number of revision and description of each event, by its title."""
    shelf.put(*rows, stamp=stamp)
    events = Calendar.from_ical(shelf.export("ics", event="fjord 2026")).events
    return {str(each["SUMMARY"]): (int(each["SEQUENCE"].to_ical()), str(each["DESCRIPTION"])) for each in events}


def test_calendar(shelf: Shelf) -> None:
    """A line of the description has each other record with its address; a work that grows or shrinks is a revision."""
    first = calendar(shelf, "20260801T000000Z", TALK, ALONE)
    grown = calendar(shelf, "20260802T000000Z", TALK, ALONE, PREPRINT, CARD, BARE)
    same = calendar(shelf, "20260803T000000Z", TALK, ALONE, PREPRINT, CARD, BARE)
    shrunk = calendar(shelf, "20260804T000000Z", TALK, ALONE)
    listed = "arxiv https://arxiv.org/abs/2601.00001; BARN 2026 (farm) https://barn.example/y; loft"
    assert grown[TITLE][1].splitlines() == ["Authors: Ida Pome; Ole Quince", f"Also on: {listed}"]
    assert (first[TITLE][1], same, shrunk[TITLE][1]) == ("Authors: Ida Pome; Ole Quince", grown, first[TITLE][1])
    assert first[TITLE][0] < grown[TITLE][0] < shrunk[TITLE][0]
    assert {each["Oats and other grains alone"] for each in (first, grown, shrunk)} == {(0, "Authors: Ann Reed")}


def test_a_calendar_whose_past_is_damaged(shelf: Shelf) -> None:
    """Changes of works in a snapshot that is damaged are not known; in one from before works there are none."""
    calendar(shelf, "20260801T000000Z", TALK)
    grown = calendar(shelf, "20260802T000000Z", TALK, PREPRINT)
    (shelf.out / "snapshots" / "20260802T000000Z-00000000" / "work_changes.parquet").write_bytes(b"")
    later = calendar(shelf, "20260803T000000Z", TALK, PREPRINT)
    assert (grown[TITLE][0] > 0, later[TITLE][0]) == (True, 0)


@pytest.mark.parametrize("rows", [(TALK, PREPRINT, CARD, BARE), (TALK,)])
def test_schedules(shelf: Shelf, rows: tuple[Row, ...]) -> None:
    """Records that have an address are links."""
    shelf.put(*rows)
    written: Any = json.loads(shelf.export("frab-json", event="FJORD 2026"))
    ((entry,),) = written["schedule"]["conference"]["days"][0]["rooms"].values()
    in_xml = ET.fromstring(shelf.export("frab-xml", event="FJORD 2026")).iter("link")  # noqa: S314  # our own
    expected = [
        ("Also on arxiv", "https://arxiv.org/abs/2601.00001"),
        ("Also on BARN 2026 (farm)", "https://barn.example/y"),
    ][: len(rows) - 1]
    assert [(each["title"], each["url"]) for each in entry["links"]] == expected
    assert [(each.text, each.get("href")) for each in in_xml] == expected


def test_citations(shelf: Shelf) -> None:
    """The entry of a talk has the arXiv id of its preprint, but neither its address nor its category."""
    shelf.put(TALK, {**PREPRINT, "categories": ["cs.DC"]}, CARD, ALONE)
    (jam, oat) = shelf.export("bibtex", event="FJORD 2026").split("\n\n")
    assert "\teprint = {2601.00001},\n\tarchiveprefix = {arXiv},\n" in jam
    assert ("primaryclass" in jam, "url" in jam, "eprint" in oat) == (False, False, False)
    items = json.loads(shelf.export("csl-json", event="FJORD 2026"))
    assert [(each.get("number"), each.get("publisher")) for each in items] == [("arXiv:2601.00001", None), (None, None)]


def test_works_that_are_damaged(shelf: Shelf) -> None:
    """Nothing is exported that would say too little."""
    snapshot = shelf.put(TALK, PREPRINT)
    (snapshot.folder / "work_members.parquet").write_bytes(b"")
    with pytest.raises(StoreError, match=r"work_members\.parquet: expected the table described in the manifest"):
        shelf.export("ics")
