"""The search of the whole site: what is indexed, where a hit leads, the policy of its page, and what is made anew."""

import subprocess
import sys
import zlib
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lxml import html

from pipeline.base.settings import FailedError, Settings, SiteSettings
from pipeline.publishing.sites import publish_site
from pipeline.site import search
from pipeline.site.build import make_sections
from pipeline.site.search import SearchItem, find_program, index_items, listed_items, programme_items
from tests.export.shelf import Shelf, frame_of, person, record, slot, talk
from tests.support.hostile import TEXTS

ITEMS = [
    SearchItem("a/hay.html", "Hay", "E; Monday", "fresh grass"),
    SearchItem("a/b.html", TEXTS[0], TEXTS[1], TEXTS[5]),
]
PROGRAM = """#!{python}
import pathlib, sys
assert sys.argv[1:] == ["--site", "in", "--output-path", "out", "--force-language", "en", "--silent"]
with open("{log}", "a") as log:
    log.write("ran\\n")
out = pathlib.Path("out")
(out / "fragment").mkdir(parents=True)
for page in pathlib.Path("in").iterdir():
    (out / "fragment" / f"en_{{page.stem}}.pf_fragment").write_bytes(page.read_bytes())
for name in ("pagefind.js", "pagefind-ui.js", "pagefind-entry.json", "wasm.en.pagefind", "wasm.unknown.pagefind"):
    (out / name).write_text(name)
{end}
"""
AUGUST = datetime(2026, 8, 3, 9)
HAY = talk("hay", slots=[slot(AUGUST, None, "Hall")], authors=[person("Ida Pome", "Harbour U.")], abstract="A.\nB.")
OLD = talk("old", title="Old", event="FJORD 2025", slots=[slot(datetime(2025, 8, 3, 9))])
PAPER = record("x", source="barn", title="X", listed_on=date(2026, 8, 1), categories=["cs.DC"], summary="Short.")
UNDATED = record("y", source="barn", title="Y")


def make_program(folder: Path, end: str = "") -> Path:
    """Write a program that does what Pagefind does, as far as files go, and logs that it ran."""
    program = folder / "pagefind"
    program.write_text(PROGRAM.format(python=sys.executable, log=folder / "log", end=end))
    program.chmod(0o755)
    return program


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install such a program."""
    made = make_program(tmp_path)
    monkeypatch.setattr(search, "version", lambda _: "1")
    monkeypatch.setitem(sys.modules, "pagefind_bin", SimpleNamespace(get_executable=lambda: made))
    return made


def build(shelf: Shelf, **chosen: Any) -> Path:
    """Build the site of the newest snapshot with a search; return its folder."""
    settings = SiteSettings(search=True)
    sections = make_sections(shelf.select(**chosen), settings, Settings(shelf.out, shelf.out))
    return publish_site(shelf.out, shelf.select().snapshot.id, sections, 14).folder


def runs(program: Path) -> int:
    """Return how often the program ran."""
    log = program.with_name("log")
    return len(log.read_text().split()) if log.exists() else 0


def test_what_is_found_of_a_talk() -> None:
    """Its title, people, places, session, texts; the page is that of the talk."""
    (item,) = programme_items(frame_of([HAY | {"session_title": "Grass", "chairs": [person("Cleo Dike")]}]), "f")
    assert (item.title, item.about) == ("Hay", "FJORD 2026; Mon 03 August 09:00, Hall; Ida Pome")
    assert item.page.startswith("f/hay-")
    expected = "Ida Pome . Grass . Cleo Dike . Harbour U. . FJORD 2026 . Mon 03 August 09:00, Hall . A. . B."
    assert item.text == expected


def test_what_is_found_of_a_paper() -> None:
    """Its title, categories and summary; the page is that of its day, with an anchor."""
    found = list(listed_items(frame_of([PAPER, UNDATED]), "listing-barn"))
    assert [(each.title, each.about, each.page.partition("#r-")[0]) for each in found] == [
        ("X", "barn; 2026-08-01", "listing-barn/2026-08-01.html"),
        ("Y", "barn", "listing-barn/undated.html"),
    ]
    assert found[0].text == "barn . 2026-08-01 . cs.DC . Short."


def test_an_index(tmp_path: Path) -> None:
    """It has the files that the page needs; whatever a text is, it stays one."""
    files = dict(index_items(make_program(tmp_path), ITEMS))
    assert list(files) == [
        "fragment/en_0.pf_fragment",
        "fragment/en_1.pf_fragment",
        "pagefind-entry.json",
        "pagefind.js",
        "wasm.en.pagefind",
    ]
    page: Any = html.fromstring(files["fragment/en_1.pf_fragment"].decode())
    assert [each.text_content() for each in page.iter("h1", "p")] == [TEXTS[0], "a/b.html", TEXTS[1], TEXTS[5]]
    assert [each.get("data-pagefind-meta") for each in page.iter("p")] == ["page", "about", None]
    assert list(page.iter("script", "img")) == []


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("sys.exit('it is broken')", "it is broken"),
        ("sys.exit(3)", "it said nothing"),
        ("import shutil; shutil.rmtree('out')", "it said nothing"),
    ],
)
def test_a_program_that_fails(tmp_path: Path, end: str, told: str) -> None:
    """What it says last is told."""
    with pytest.raises(FailedError, match=f"expected an index for the search: {told}"):
        index_items(make_program(tmp_path, end), ITEMS)


def test_a_program_that_cannot_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not there, and one that does not end."""
    with pytest.raises(FailedError, match=r"expected an index for the search: .*No such file"):
        index_items(tmp_path / "none", ITEMS)

    def wait(*_: object, **given: Any) -> None:
        raise subprocess.TimeoutExpired("pagefind", given["timeout"])

    monkeypatch.setattr(subprocess, "run", wait)
    with pytest.raises(FailedError, match="timed out after 600 seconds"):
        index_items(tmp_path / "none", ITEMS)


def test_without_the_extra(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install, and the pages of before stay."""
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)
    shelf.put(HAY)
    with pytest.raises(FailedError, match=r"needs Pagefind: install conspectus\[site\]"):
        build(shelf)
    assert not (shelf.out / "site").exists()


def test_indexes(shelf: Shelf, program: Path) -> None:
    """There is one for each source and year; a night makes those anew whose records have changed."""
    shelf.put(HAY, OLD, PAPER, UNDATED)
    first = build(shelf)
    folders = ["barn-2026", "barn-undated", "fair-2025", "fair-2026"]
    assert (sorted(each.name for each in (first / "search").iterdir()), runs(program)) == (folders, 4)
    form = html.parse(str(first / "search.html")).getroot().get_element_by_id("search")
    assert form.get("data-indexes").split() == folders
    shelf.put(
        HAY | {"abstract": "New."}, OLD, PAPER, UNDATED, record("z", source="barn", title="Z"), stamp="20260802T000000Z"
    )
    second = build(shelf)
    assert runs(program) == 6
    assert len(list((second / "search" / "barn-undated" / "fragment").iterdir())) == 2


def test_a_site_of_one_event(shelf: Shelf, program: Path) -> None:
    """Only its index is made."""
    shelf.put(HAY, OLD, PAPER)
    assert [each.name for each in (build(shelf, event="FJORD 2025") / "search").iterdir()] == ["fair-2025"]


def test_a_damaged_index_is_made_again(shelf: Shelf, program: Path) -> None:
    """Where a file of it is gone from the site before."""
    shelf.put(HAY)
    first = build(shelf)
    next((first / "search" / "fair-2026" / "fragment").iterdir()).unlink()
    shelf.put(HAY, PAPER, stamp="20260802T000000Z")
    second = build(shelf)
    assert len(list((second / "search" / "fair-2026" / "fragment").iterdir())) == 1


def test_only_its_page_may_read_and_run_more(shelf: Shelf, program: Path) -> None:
    """The policy of every other page is the same as without a search; all link it."""
    shelf.put(HAY, PAPER)
    folder = build(shelf)
    policies: dict[str, list[str]] = {}
    for file in folder.rglob("*.html"):
        page = html.parse(str(file)).getroot()
        (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        policies.setdefault(policy.replace("script-src 'self' 'wasm", "script-src 'wasm"), []).append(file.name)
        depth = len(file.relative_to(folder).parts) - 1
        assert file.name == "night.html" or f"{'../' * depth}search.html" in page.xpath("//header//a/@href")
    wide = [names for policy, names in policies.items() if "wasm" in policy or "connect-src" in policy]
    assert wide == [["search.html"]]


def test_no_search(shelf: Shelf) -> None:
    """Unless it is asked for there is no page of it, and none links it."""
    shelf.put(HAY)
    sections = make_sections(shelf.select(), SiteSettings(), Settings(shelf.out, shelf.out))
    folder = publish_site(shelf.out, "x", sections, 14).folder
    assert ((folder / "search.html").exists(), "search.html" in (folder / "index.html").read_text()) == (False, False)


def words_of(data: bytes) -> Iterator[str]:
    """Yield the texts of a fragment of Pagefind."""
    yield zlib.decompress(data, 31).decode("utf-8", "replace")


def test_pagefind_itself() -> None:
    """It reads what is made for it: each item is a fragment with its page, and the bytes are the same again."""
    pytest.importorskip("pagefind_bin", reason="needs the extra `site`")
    files = dict(index_items(find_program(), ITEMS))
    assert (sum(name.endswith(".pf_fragment") for name in files), {*search.KEPT} - {*files}) == (2, set())
    told = "".join(text for name, data in files.items() if name.endswith(".pf_fragment") for text in words_of(data))
    assert all(text in told for text in ("fresh grass", '"page":"a/b.html"', "<script>document.title = 'run'</script>"))
    assert dict(index_items(find_program(), ITEMS)) == files
