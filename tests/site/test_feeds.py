"""Atom feeds: each change once, what is no news, links, validity, and what becomes of the file that remembers them."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import etree, html

from parsers._ledger.document import Document
from pipeline.base.settings import Settings, SiteSettings
from pipeline.publishing import feeds
from pipeline.publishing.feeds import FEEDS, KEPT
from pipeline.publishing.sites import publish_site
from pipeline.publishing.store import latest_snapshot
from pipeline.run.replay import replay
from pipeline.site import news
from pipeline.site.build import make_sections
from pipeline.site.news import LONGEST, MOST, remember
from pipeline.viewing.selection import Selection
from schemas.items import Item, Record
from tests.export.shelf import Shelf, record, slot, talk
from tests.support.hostile import TEXTS
from tests.support.manifests import load_manifest
from tests.support.toy import FAIR, TOYS, Desk, parse

URL = "https://programmes.example/p"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
SCHEMA = etree.RelaxNG(etree.parse(str(Path(__file__).with_name("atom.rng"))))


def stamp(night: int) -> str:
    """Return the stamp of the snapshot of a night."""
    return f"202608{night:02}T030000Z"


def build(out: Path, **chosen: Any) -> tuple[Path, list[str]]:
    """Build the site of the newest snapshot as the command does; return its folder, and what was told."""
    snapshot = latest_snapshot(out)
    assert snapshot is not None
    memory, lines = remember(out, snapshot)
    sections = make_sections(Selection(snapshot, **chosen), SiteSettings(url=URL), Settings(out, out), memory=memory)
    return publish_site(out, snapshot.id, sections, 14).folder, lines


def read(folder: Path, name: str) -> Any:
    """Return a feed of a site, which must be valid."""
    (file,) = (folder / "feeds").glob(f"{name}.xml")
    feed: Any = etree.parse(str(file))
    assert SCHEMA.validate(feed), SCHEMA.error_log
    relations = feed.xpath("/a:feed/a:link/@rel", namespaces=ATOM)
    assert sorted(relations) == ["alternate", "self"]
    ids = feed.xpath("//a:id/text()", namespaces=ATOM)
    assert len(ids) == len(set(ids))
    return feed


def titles(folder: Path, name: str) -> list[str]:
    """Return the titles of the entries of a feed, the newest first."""
    found: list[str] = read(folder, name).xpath("//a:entry/a:title/text()", namespaces=ATOM)
    return found


def lines_of(folder: Path, name: str) -> list[list[str]]:
    """Return the lines of the entries of a feed."""
    return [
        [str(each.text) for each in entry.iter("{http://www.w3.org/1999/xhtml}p")]
        for entry in read(folder, name).iterfind("a:entry", ATOM)
    ]


def at(day: int, hour: int) -> datetime:
    """Return an hour of a day of the programme."""
    return datetime(2026, 9, day, hour)


HAY = talk("hay", slots=[slot(at(1, 9), at(1, 10), "Hall")])
RYE = talk("rye", title="Rye", slots=[slot(at(1, 10), at(1, 11), "Hall")], line_start=2)
OAT = talk("oat", title="Oats", slots=[slot(at(1, 11), at(1, 12), "Bar")], line_start=3)
LATE = RYE | {"slots": [slot(at(2, 15), None, "Bar")]}
NAMED = HAY | {"title": "Hay and Straw"}
NIGHTS = {
    1: [HAY, RYE],
    2: [HAY, RYE, OAT],
    3: [HAY, LATE, OAT],
    4: [NAMED, LATE, OAT],
    5: [NAMED, LATE, OAT | {"notes": ["cancelled"]}],
    6: [NAMED | {"abstract": "Only this."}, LATE, OAT | {"notes": ["cancelled"]}],
    7: [NAMED, LATE, OAT],
    8: [NAMED, LATE],
    9: [NAMED, LATE | {"slots": None}],
    10: [NAMED, LATE | {"slots": None}, OAT],
}
TOLD = [
    "Added: Oats",
    "Moved: Rye",
    "Withdrawn: Oats",
    "Takes place: Oats",
    "Cancelled: Oats",
    "Renamed: Hay and Straw",
    "Moved: Rye",
    "Added: Oats",
]


def test_ten_nights(shelf: Shelf) -> None:
    """Each change is told once, also where a site was built twice, not at all, or where snapshots went."""
    for night, rows in NIGHTS.items():
        shelf.put(*rows, stamp=stamp(night))
        for _ in range((1, 2, 0)[night % 3]):
            build(shelf.out)
        for folder in sorted((shelf.out / "snapshots").iterdir())[:-4]:
            shutil.rmtree(folder)
    folder, _ = build(shelf.out)
    assert titles(folder, "source-fair") == titles(folder, "fjord-2026-*") == TOLD
    assert lines_of(folder, "source-fair")[1:7:5] == [
        ["FJORD 2026", "was: Wednesday 2 September 2026, 15:00, Bar", "now: no time given"],
        [
            "FJORD 2026",
            "was: Tuesday 1 September 2026, 10:00–11:00, Hall",
            "now: Wednesday 2 September 2026, 15:00, Bar",
        ],
    ]
    assert lines_of(folder, "source-fair")[5] == ["FJORD 2026", "was: Hay"]
    first = read(folder, "source-fair").find("a:entry", ATOM)
    assert (
        first.findtext("a:id", namespaces=ATOM)
        == "tag:programmes.example,2026:fair:oat/added/20260810T030000Z-00000000"
    )
    assert first.findtext("a:updated", namespaces=ATOM) == "2026-08-10T03:00:00Z"


def test_the_same_history_gives_the_same_bytes(shelf: Shelf) -> None:
    """Whether the entries were remembered night by night or are made from the kept snapshots."""
    for night, rows in NIGHTS.items():
        shelf.put(*rows, stamp=stamp(night))
        folder, _ = build(shelf.out)
    held = {file.name: file.read_bytes() for file in (folder / "feeds").iterdir()}
    (shelf.out / FEEDS).unlink()
    shutil.rmtree(shelf.out / "sites")
    folder, _ = build(shelf.out)
    assert {file.name: file.read_bytes() for file in (folder / "feeds").iterdir()} == held


def test_a_record_under_another_title(shelf: Shelf) -> None:
    """One that has another id for its title is renamed, neither added nor withdrawn."""
    shelf.put(HAY, RYE)
    shelf.put(talk("straw", title="Straw"), RYE, stamp=stamp(2), retitled=[("fair:hay", "fair:straw")])
    folder, _ = build(shelf.out)
    assert titles(folder, "source-fair") == ["Renamed: Straw"]
    assert lines_of(folder, "source-fair") == [["FJORD 2026", "was: Hay"]]


def test_links(shelf: Shelf) -> None:
    """An entry links the page that its record has now; one that is gone, that of its programme. Pages name them."""
    paper = record("x", source="barn", title="X", listed_on=date(2026, 8, 1), categories=["cs.DC", "math.CO"])
    shelf.put(HAY, RYE, paper)
    new = paper | {"record_id": "barn:y", "title": "Y"}
    shelf.put(HAY | {"title": "Old"}, OAT, paper, new, stamp=stamp(2))
    build(shelf.out)
    shelf.put(HAY | {"title": "New"}, OAT, paper, new, stamp=stamp(3))
    folder, _ = build(shelf.out)
    links = [
        link
        for name in ("source-fair", "source-barn")
        for link in read(folder, name).xpath("//a:entry/a:link/@href", namespaces=ATOM)
    ]
    pages = [re.sub(r"-[0-9a-f]{8}\b", "", link.removeprefix(URL)) for link in links]
    assert pages == [
        "/fjord-2026/new.html",
        "/fjord-2026/index.html",
        "/fjord-2026/new.html",
        "/fjord-2026/oats.html",
        "/listing-barn/2026-08-01.html#r",
    ]
    for link in links:
        path, _, anchor = link.removeprefix(f"{URL}/").partition("#")
        there = html.parse(str(folder / path)).getroot()
        assert not anchor or there.xpath("//*[@id=$id]", id=anchor)
    named = {
        file.relative_to(folder).as_posix(): html.parse(str(file)).xpath("//link[@type='application/atom+xml']/@href")
        for file in folder.rglob("*.html")
    }
    assert named["listing-barn/index.html"] == [
        "../feeds/source-barn.xml",
        "../feeds/category-barn-cs-dc.xml",
        "../feeds/category-barn-math-co.xml",
    ]
    assert [page for page, found in named.items() if not found] == ["night.html"]
    missing = [
        link for page, found in named.items() for link in found if not (folder / page).parent.joinpath(link).exists()
    ]
    assert missing == []


def test_no_address(shelf: Shelf) -> None:
    """A site without an address has no feeds, and its pages name none."""
    shelf.put(HAY)
    sections = make_sections(shelf.select(), SiteSettings(), Settings(shelf.out, shelf.out))
    folder = publish_site(shelf.out, "x", sections, 14).folder
    assert (list(folder.rglob("*.xml")), "atom" in (folder / "index.html").read_text()) == ([], False)


def test_one_event(shelf: Shelf) -> None:
    """A site of one event has its feed alone."""
    shelf.put(HAY, talk("c", title="C", event="OTHER 2026"))
    folder, _ = build(shelf.out, event="FJORD 2026")
    assert [file.name[:10] for file in (folder / "feeds").iterdir()] == ["fjord-2026"]
    assert titles(folder, "fjord-2026-*") == []


def test_many_changes(shelf: Shelf) -> None:
    """A night has at most so many entries in a feed, then how many more; a feed has so many in all."""
    new: dict[str, Any] = {"source": "barn", "categories": ["a.B"]}
    few = [record("x", title="X", **new)]
    shelf.put(*few)
    for night in (2, 3, 4):
        numbers = range(1, MOST + 9)
        few += [
            record(f"n{night}-{number:02}", title=f"N {night} {number}", line_start=number, **new) for number in numbers
        ]
        few[-1]["categories"] = ["a.B", "c.D"]
        few.append(record(f"r{night}", source="barn", title="Replaced", listing_section="replacement"))
        shelf.put(*few, stamp=stamp(night))
    folder, _ = build(shelf.out)
    found = titles(folder, "source-barn")
    assert (len(found), found[:2], found[MOST - 1 : MOST + 2]) == (
        KEPT,
        ["N 4 1", "N 4 2"],
        [f"N 4 {MOST}", "And 8 more changes", "N 3 1"],
    )
    assert titles(folder, "category-barn-c-d") == [f"N {night} {MOST + 8}" for night in (4, 3, 2)]


def test_a_new_programme(shelf: Shelf) -> None:
    """Of a programme that a known source shows for the first time there is one entry."""
    shelf.put(HAY)
    others = [talk(f"o{number}", title=f"O {number}", event=f"OTHER {number % 2}") for number in range(5)]
    shelf.put(HAY, *others, stamp=stamp(2))
    folder, _ = build(shelf.out)
    assert (titles(folder, "source-fair"), titles(folder, "other-1-*")) == (["OTHER 0", "OTHER 1"], ["OTHER 1"])
    assert lines_of(folder, "source-fair") == [["A programme of 3 items"], ["A programme of 2 items"]]
    (link, _) = read(folder, "source-fair").xpath("//a:entry/a:link/@href", namespaces=ATOM)
    assert re.fullmatch(rf"{URL}/other-0-[0-9a-f]{{8}}/index\.html", link)
    assert titles(folder, "fjord-2026-*") == []


def test_hostile_texts(shelf: Shelf) -> None:
    """Whatever a programme prints is text in a feed, in one line of a length that readers show."""
    texts = [*TEXTS, "no \ufffe character \uffff", "a\nb"]
    rows = [talk(f"h{number}", title="Hay", event="<b>Fair</b>") for number in range(len(texts))]
    shelf.put(*rows)
    changed = [{**row, "title": text, "slots": [slot(room=text)]} for row, text in zip(rows, texts, strict=True)]
    shelf.put(*changed, stamp=stamp(2))
    folder, _ = build(shelf.out)
    found = titles(folder, "source-fair")
    assert len(found) == 2 * len(texts)
    assert f"Renamed: {TEXTS[0]}" in found
    assert "Renamed: no character" in found
    assert max(map(len, found)) == LONGEST + 1
    assert {each.tag for each in read(folder, "source-fair").iter()} <= {
        *(
            f"{{{ATOM['a']}}}{name}"
            for name in "feed id title updated author name generator link entry content".split()
        ),
        *(f"{{http://www.w3.org/1999/xhtml}}{name}" for name in ("div", "p")),
    }


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a desk whose fair has published two talks."""
    desk = Desk(tmp_path)
    desk.put("fair/a.txt", {"title": "Hay", "event": "E", "start": "2026-08-03T09:00"}, {"title": "Rye", "event": "E"})
    desk.run()
    return desk


def test_a_first_capture_is_no_news(desk: Desk) -> None:
    """Neither of the first run, nor of a source that comes later; a new record of a known one is."""
    desk.put("news/a.txt", {"title": "New", "listed_on": "2026-08-01"}, "total 1")
    desk.run()
    assert titles(build(desk.out)[0], "source-news") == []
    desk.put("news/b.txt", {"title": "Newer", "listed_on": "2026-08-02"}, "total 1")
    desk.run()
    folder, _ = build(desk.out)
    assert (titles(folder, "source-news"), titles(folder, "source-fair")) == (["Newer"], [])


def read_anew(document: Document) -> Iterator[Item]:
    """Read as the toys do, but talks an hour later, one twice and one not at all."""
    for item in parse(document):
        assert isinstance(item, Record)
        if item.slots:
            (placed,) = item.slots
            later = (placed._replace(starts_at=placed.starts_at and placed.starts_at + timedelta(hours=1)),)
            yield from (item._replace(slots=later), item._replace(slots=later, title="Oats"))


def test_what_newer_code_reads_is_no_news(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes read otherwise tell nothing; bytes that come later do, under the newer code."""
    monkeypatch.setattr("pipeline.reading.cache.reading_hash", lambda _: "newer")
    (lines,) = FAIR.formats
    desk.known = {**TOYS, "fair": replace(FAIR, version=2, formats=(replace(lines, parse=read_anew),))}
    result = replay(Settings(desk.raw, desk.out), desk.known, ["fair"], publish=True)
    assert [each.problem for each in result.outcomes] == [None]
    assert desk.titles("fair") == ["Hay", "Oats"]
    folder, _ = build(desk.out)
    assert titles(folder, "source-fair") == []
    desk.put("fair/a.txt", {"title": "Hay", "event": "E", "start": "2026-08-03T11:00"}, {"title": "Rye", "event": "E"})
    desk.run("fair")
    assert titles(build(desk.out)[0], "source-fair") == ["Moved: Hay", "Moved: Oats"]


def test_what_leaves_a_page(desk: Desk) -> None:
    """A talk that a newer capture of its page no longer has is withdrawn."""
    more = [{"title": f"Oat {number}", "event": "E"} for number in range(9)]
    desk.put("fair/page-20260701T0300Z.txt", *more, {"title": "Bran", "event": "E"})
    desk.run()
    desk.put("fair/page-20260702T0300Z.txt", *more)
    desk.run()
    folder, _ = build(desk.out)
    assert titles(folder, "source-fair")[0] == "Withdrawn: Bran"


@pytest.mark.parametrize("text", ["", "[]", '{"begun": "x", "told": []}', "\x00" * 9, '{"begun": "20260801T030000Z-0'])
def test_a_damaged_file(shelf: Shelf, text: str) -> None:
    """It is told, and made again from the snapshots that are there."""
    shelf.put(HAY, stamp=stamp(1))
    shelf.put(HAY, RYE, stamp=stamp(2))
    build(shelf.out)
    held = (shelf.out / FEEDS).read_bytes()
    (shelf.out / FEEDS).write_text(text)
    _, told = build(shelf.out)
    assert [line.partition(": expected")[0] for line in told] == [f"healed: {shelf.out / FEEDS}"]
    assert ((shelf.out / FEEDS).read_bytes(), build(shelf.out)[1]) == (held, [])


def test_a_folder_in_its_place(shelf: Shelf) -> None:
    """It is an error of the file system, and nothing is lost."""
    shelf.put(HAY)
    (shelf.out / FEEDS).mkdir()
    with pytest.raises(OSError, match="directory"):
        build(shelf.out)


def test_what_cannot_be_told(shelf: Shelf) -> None:
    """Changes whose snapshots are gone, or whose table is damaged, are named."""
    for night in (1, 2, 3, 4, 5):
        shelf.put(HAY | {"title": f"Hay {night}"}, stamp=stamp(night))
        if night == 1:
            build(shelf.out)
    snapshots = shelf.out / "snapshots"
    ids = [f"{stamp(night)}-00000000" for night in range(6)]
    shutil.rmtree(snapshots / ids[2])
    (snapshots / ids[4] / "changes.parquet").write_bytes(b"x")
    shutil.rmtree(snapshots / ids[1])
    folder, told = build(shelf.out)
    assert told == [
        f"feeds: what changed before {ids[3]} is not told: the snapshots are gone",
        f"feeds: what changed in {ids[4]} is not told: files of it are damaged",
    ]
    assert titles(folder, "source-fair") == ["Renamed: Hay 5", "Renamed: Hay 3"]


@pytest.mark.parametrize(("module", "step"), [(feeds, "write_new"), (news, "last_entries"), (feeds, "sync")])
def test_a_run_that_fails_between(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, module: Any, step: str) -> None:
    """If the file cannot be written, the next build tells all, once."""
    shelf.put(HAY, stamp=stamp(1))
    build(shelf.out)
    shelf.put(HAY, RYE, stamp=stamp(2))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, step, fail)
        with pytest.raises(OSError, match="No space"):
            build(shelf.out)
    shelf.put(HAY, RYE, OAT, stamp=stamp(3))
    assert titles(build(shelf.out)[0], "source-fair") == ["Added: Oats", "Added: Rye"]


def test_a_build_that_fails_after(shelf: Shelf) -> None:
    """If only the pages cannot be written, the next build still has the entries."""
    shelf.put(HAY, stamp=stamp(1))
    shelf.put(HAY, RYE, stamp=stamp(2))
    (shelf.out / "sites").write_text("in the way")
    with pytest.raises(OSError, match="exists"):
        build(shelf.out)
    (shelf.out / "sites").unlink()
    assert titles(build(shelf.out)[0], "source-fair") == ["Added: Rye"]


def test_the_manifest_does_not_name_the_file(desk: Desk) -> None:
    """The file is no part of the dataset: a run neither lists nor mends it."""
    build(desk.out)
    held = (desk.out / FEEDS).read_bytes()
    assert desk.run().good
    assert ((desk.out / FEEDS).read_bytes(), FEEDS in load_manifest(desk.out)["files"]) == (held, False)
