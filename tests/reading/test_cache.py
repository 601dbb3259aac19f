"""The cache of readings: used if nothing has changed, never otherwise."""

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parsers._contract import Source
from parsers._ledger.document import Document
from pipeline.base.settings import Settings
from pipeline.base.signals import GuardBook, Guards
from pipeline.publishing.works import COMPARED_FOLDER
from pipeline.raw.dump import Dump
from pipeline.reading.cache import CACHE, reading_hash
from pipeline.reading.read import Reading, read_dump
from pipeline.run.refresh import refresh
from pipeline.run.replay import replay
from schemas.items import Item
from tests.support.toy import FAIR, NEWS, Desk
from tests.support.toy import parse as parse_toy

HAY = {"title": "Hay", "authors": ["Ann"]}
RYE = {"title": "Rye"}


@pytest.fixture
def parsed(desk: Desk) -> list[str]:
    """Collect the paths of the dumps that are really parsed."""
    paths: list[str] = []

    def parse(document: Document) -> list[Item]:
        paths.append(document.path)
        return list(parse_toy(document))

    spies = {source.name: spied(source, parse) for source in (FAIR, NEWS)}
    desk.known = spies
    desk.put("news/a.txt", HAY, "junk", '{"cut')
    desk.put("news/b.txt", RYE)
    desk.run("news")
    paths.clear()
    return paths


def spied(source: Source, parse: Callable[[Document], list[Item]]) -> Source:
    """Return a source that parses with another function."""
    return replace(
        source, formats=tuple(replace(each, parse=lambda document: iter(parse(document))) for each in source.formats)
    )


def entries(desk: Desk, source: str = "news") -> list[Path]:
    """Return the entries of a source."""
    return sorted(file for file in (desk.out / CACHE / source).iterdir() if file.is_file())


def grow_old(desk: Desk) -> None:
    """Make everything in the cache two days old."""
    for file in (desk.out / CACHE).rglob("*"):
        os.utime(file, (time.time() - 2 * 86_400,) * 2)


def block(desk: Desk, source: str = "news") -> dict[str, object]:
    """Return the source's block of the manifest without what differs between runs."""
    found = json.loads((desk.out / "latest" / "manifest.json").read_text())["sources"][source]
    return {
        key: value for key, value in found.items() if key not in {"seconds", "attempted_at", "refreshed_at", "run_id"}
    }


def test_nothing_new(desk: Desk, parsed: list[str]) -> None:
    """Without changes nothing is parsed or merged; manifest and summary stay the same."""
    before, data = block(desk), desk.data()
    result = desk.run("news")
    (outcome,) = result.outcomes
    assert (parsed, outcome.groups, result.publication.new, result.good) == ([], frozenset(), False, True)
    assert (block(desk), desk.data(), outcome.unexplained, outcome.quarantine.height) == (before, data, 1, 2)


def test_nothing_new_beside_something_new(desk: Desk, parsed: list[str]) -> None:
    """Files of an unchanged source are carried over into the new snapshot byte for byte."""
    desk.put("fair/a.txt", HAY)
    before = desk.data()
    desk.run()
    after = {path: data for path, data in desk.data().items() if "news" in path}
    assert (parsed, after) == (["fair/a.txt"], before)


def test_one_new_dump(desk: Desk, parsed: list[str]) -> None:
    """Only that one is parsed, and the tables are those of a run without a cache."""
    desk.put("news/c.txt", {"title": "Oat"})
    desk.run("news")
    with_cache = desk.data()
    shutil.rmtree(desk.out)
    assert (parsed, len(desk.titles("news") if desk.run("news").good else [])) == (
        ["news/c.txt", "news/a.txt", "news/b.txt", "news/c.txt"],
        3,
    )
    assert desk.data() == with_cache


@pytest.mark.parametrize("sidecar", ['event = "E"', "captured_at = 2026-01-01T00:00:00Z", "yaer = 2026"])
def test_other_facts(desk: Desk, parsed: list[str], sidecar: str) -> None:
    """A changed sidecar has its dump parsed again; a broken one fails it unparsed."""
    desk.put("news/b.txt", RYE, sidecar=sidecar)
    desk.run("news")
    expected = [{"name": "bad_sidecar", "count": 1}] if "yaer" in sidecar else None
    assert desk.table("captures", "news").filter(dump="news/b.txt")["reasons"].to_list()[0] == expected
    assert parsed == ([] if "yaer" in sidecar else ["news/b.txt"])


def test_an_accepted_alarm_needs_no_parsing(desk: Desk, parsed: list[str]) -> None:
    """Accepting an alarm needs no parsing: verdicts of guards are not cached."""
    desk.put("news/b.txt", RYE, sidecar='accept = ["drop"]')
    desk.run("news")
    assert parsed == []


def test_other_code(desk: Desk, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Changed code has everything parsed again, even if no version was raised."""
    monkeypatch.setattr("pipeline.reading.cache.reading_hash", lambda _: "other")
    desk.run("news")
    assert parsed == ["news/a.txt", "news/b.txt"]


def test_other_settings_of_guards(desk: Desk, parsed: list[str]) -> None:
    """Stricter guards need no parsing and leave good captures good; in a new out root they judge everything."""
    strict = GuardBook(Guards(unexplained_from=1, unexplained_limit=0))
    before = desk.data()
    result = refresh(Settings(desk.raw, desk.out, guards=strict), desk.known, ["news"])
    assert (parsed, result.good, desk.data()) == ([], True, before)
    anew = refresh(Settings(desk.raw, desk.out.with_name("anew"), guards=strict), desk.known, ["news"])
    assert (parsed, anew.outcomes[0].error) == (
        ["news/a.txt", "news/b.txt"],
        "news/a.txt:1: guard_unexplained: 2 of 3 lines are unexplained or in rejected items, expected at most 0%; "
        "2 things were held back, 1 as incomplete_item, the first in line 3: "
        "Unterminated string starting at: line 1 column 2 (char 1)",
    )


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data, _: b"",
        lambda data, _: data[:40],
        lambda data, _: data[:-1],
        lambda data, _: data[:100] + b"!" + data[101:],
        lambda data, _: b"something else altogether",
        lambda _, other: other,
    ],
)
def test_an_entry_that_is_not_whole(desk: Desk, parsed: list[str], spoil: Callable[[bytes, bytes], bytes]) -> None:
    """A truncated, damaged, foreign or swapped entry counts as missing and is written anew."""
    before = desk.data()
    keys = dict(desk.table("captures", "news").select("dump", "entry").iter_rows())
    other, file = (desk.out / CACHE / "news" / keys[dump] for dump in ("news/a.txt", "news/b.txt"))
    good = file.read_bytes()
    file.write_bytes(spoil(good, other.read_bytes()))
    desk.put("news/c.md")
    desk.put("news/d.txt", RYE)
    desk.run("news")
    (desk.raw / "news" / "d.txt").unlink()
    desk.run("news")
    assert (len(parsed), file.read_bytes() == good, desk.data() == before) == (2, True, True)


def test_a_damaged_dataset_is_made_anew(desk: Desk, parsed: list[str]) -> None:
    """A published file that was altered is not carried over, but made anew."""
    before = (desk.out / "latest").resolve()
    (before / "json" / "news.ndjson").write_text("rot")
    desk.run("news")
    found = (desk.out / "latest" / "json" / "news.ndjson").read_text()
    assert (found.count("news:"), (desk.out / "latest").resolve() == before) == (2, False)
    assert before.exists()


def test_unused_entries_are_deleted(desk: Desk, parsed: list[str]) -> None:
    """Entries of deleted dumps go at once; leftovers go a day later, when everything is read.

    Within a day another run may still be writing them.
    """
    desk.put("fair/a.txt", HAY)
    desk.run("fair")
    (desk.raw / "news" / "b.txt").unlink()
    (desk.out / CACHE / "news" / ".half").write_text("of a run that was killed")
    (desk.out / CACHE / "news" / "a folder").mkdir()
    (desk.out / CACHE / "gone").mkdir()
    (desk.out / CACHE / "gone" / "entry").write_text("x")
    desk.run()
    young = {folder.name: len(entries(desk, folder.name)) for folder in (desk.out / CACHE).glob("*/")}
    grow_old(desk)
    desk.put("fair/b.txt", RYE)
    desk.put("news/c.txt", RYE)
    replay(Settings(desk.raw, desk.out), desk.known, publish=True)
    kept = {folder.name: len(entries(desk, folder.name)) for folder in (desk.out / CACHE).glob("*/")}
    compared = {COMPARED_FOLDER: 1}
    assert (young, kept) == ({"fair": 1, "gone": 1, "news": 2} | compared, {"fair": 2, "news": 2} | compared)


def test_a_cache_that_cannot_be_written(desk: Desk) -> None:
    """The run is good without a cache."""
    desk.put("news/a.txt", HAY)
    desk.out.mkdir()
    (desk.out / CACHE).write_text("in the way")
    assert (desk.run("news").good, desk.titles("news")) == (True, ["Hay"])


def test_a_dump_that_changes_under_the_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails, and the tables of the other bytes are not taken for those of the restored file."""
    desk.put("news/a.txt", HAY)

    def read_late(source: Source, dump: Dump, *rest: Any) -> Reading:
        desk.put("news/a.txt", RYE)
        reading = read_dump(source, dump, *rest)
        desk.put("news/a.txt", HAY)
        return reading

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.workers.reader.read_dump", read_late)
        first = desk.run("news")
    second = desk.run("news")
    assert (first.good, second.good, desk.titles("news")) == (False, True, ["Hay"])


def test_code_of_other_sources_does_not_count() -> None:
    """Each source has its own hash of its code, and the hash is reproducible."""
    assert (reading_hash("fair") == reading_hash("fair"), reading_hash("fair") == reading_hash("news")) == (True, True)
