"""Advice after a red run: what failed where, and the next command; files in the wrong folder, or in none."""

from dataclasses import replace

import pytest

from parsers._contract import Source
from parsers._ledger.document import Document
from pipeline.reading.read import Reading
from pipeline.run.advice import next_steps
from tests.support.manifests import load_manifest
from tests.support.said import Said
from tests.support.toy import FAIR, NEWS, Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"]}


def knows(mark: str) -> Source:
    """Return a source that knows its dumps by a mark; it is called as the mark is."""
    base = FAIR if mark == "fair" else NEWS
    return replace(base, formats=(replace(base.formats[0], recognise=lambda document: mark in document.text),))


def fails(_: Document) -> bool:
    """Fail as a parser with a defect does."""
    raise ZeroDivisionError


@pytest.fixture
def marked(desk: Desk) -> Desk:
    """Give a test two sources of which each knows its own dumps only, and one with a defect."""
    broken = replace(FAIR, name="mill", formats=(replace(FAIR.formats[0], recognise=fails),))
    known = {"fair": knows("fair"), "mill": broken, "news": knows("news")}
    desk.known = known
    return desk


def test_a_dump_of_another_source(marked: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told which one it looks like, with the format: by refresh, in the quarantine, by status and by parse."""
    marked.put("fair/a.txt", {"title": "fair"})
    file = marked.put("fair/b.txt", {"title": "news"}, sidecar="year = 2026")
    marked.put("fair/c.txt", "x")
    expected = "not_this_source: expected json lines: JSON objects"
    hint = "; it looks like news (json lines)"
    result = marked.run()
    assert [reading.error for reading in result.outcomes[0].readings] == [
        None,
        f"fair/b.txt:1: {expected}{hint}",
        f"fair/c.txt:1: {expected}",
    ]
    assert next_steps(result, {}) == [
        f"red: fair: fair/b.txt:1: {expected}{hint}",
        "next: if that is right, mkdir raw/news/ && mv raw/fair/b.txt raw/fair/b.txt.meta.toml raw/news/",
        f"red: fair: fair/c.txt:1: {expected}",
        "next: conspectus parse raw/fair/c.txt --lines",
        "next: conspectus quarantine fair",
    ]
    assert marked.table("quarantine", "fair")["detail"][0].endswith(hint)
    assert f"fair: fair/b.txt:1: {expected}{hint}" in "\n".join(Said(capsys, "status").out)
    assert Said(capsys, "parse", file, known=marked.known).err == [f"failed: {file}:1: {expected}{hint}"]


def test_a_dump_of_another_source_that_is_gone(marked: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its text there is nothing to be said of it."""
    file = marked.put("fair/b.txt", {"title": "news"})
    marked.run()

    def take_away(reading: Reading, *_: object) -> Reading:
        file.unlink(missing_ok=True)
        return reading

    monkeypatch.setattr("pipeline.run.judge.trust", take_away)
    error = marked.run("fair").outcomes[0].error
    assert error == "fair/b.txt:1: not_this_source: expected json lines: JSON objects"


def test_a_file_that_no_source_claims(marked: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The file stays in the manifest and in status until it is gone, even after a run of another source."""
    marked.put("fair/a.txt", {"title": "fair"})
    stray = marked.put("barn/a.txt", {"title": "news"})
    why = "unknown_source: expected raw/<source>/<dump>, the source one of fair, mill, news"
    told = f"{why}; it looks like news (json lines)"
    assert (marked.run().unknown, marked.run("fair").unknown) == ({"barn/a.txt": told}, {})
    assert load_manifest(marked.out)["unclaimed"] == {"barn/a.txt": told}
    assert (Said(capsys, "status").out[-1], Said(capsys, "verify", "out").code) == (f"barn/a.txt: {told}", 0)
    assert f"barn/a.txt: {told}" not in Said(capsys, "status", "fair").out
    stray.unlink()
    marked.run()
    assert load_manifest(marked.out)["unclaimed"] == {}


def test_a_first_run_with_a_file_in_no_folder(marked: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is published, and it is told where the file belongs."""
    marked.put("a.txt", {"title": "news"})
    assert Said(capsys, "refresh", known=marked.known).err[-1].endswith("; it looks like news (json lines)")


def test_a_capture_that_a_guard_holds_back(desk: Desk) -> None:
    """The line of the sidecar that accepts it is named, with every guard that holds it."""
    desk.put("fair/page-20260711T0300Z.txt", *({**HAY, "title": f"Hay {number}"} for number in range(40)))
    desk.run()
    desk.put("fair/page-20260712T0300Z.txt", *({"title": f"Hay {number}", "event": "E"} for number in range(10)))
    steps = next_steps(desk.run(), {})
    file = "raw/fair/page-20260712T0300Z.txt"
    assert steps[0].startswith("red: fair: fair/page-20260712T0300Z.txt:1: guard_drop: ")
    assert steps[1:] == [
        f"next: conspectus parse {file} --lines",
        f'next: if the page is right as it is, accept = ["drop", "lost"] in {file}.meta.toml publishes its 10 records',
        "next: conspectus quarantine fair",
    ]
    desk.put("fair/page-20260712T0300Z.txt", *({"title": f"Hay {number}", "event": "E"} for number in range(10)),
             sidecar='accept = ["drop", "coverage"]')  # fmt: skip
    assert next_steps(desk.run(), {}) == ["next: conspectus changes fair"]


def test_pages_that_fail(desk: Desk) -> None:
    """The newest capture of each page is told first, with its address, and since when the page has failed."""
    for day, page in ((1, "a"), (2, "a"), (3, "b"), (4, "a")):
        desk.put(
            f"fair/{day}.txt", "x", sidecar=f'url = "https://f.example/{page}"\ncaptured_at = 2026-07-0{day}T03:00:00Z'
        )
    wrong = "not_this_source: expected json lines: JSON objects, from https://f.example"
    assert next_steps(desk.run(), {}) == [
        f"red: fair: fair/4.txt:1: {wrong}/a (and 2 older, since 2026-07-01)",
        "next: conspectus parse raw/fair/4.txt --lines",
        f"red: fair: fair/3.txt:1: {wrong}/b",
        "next: conspectus parse raw/fair/3.txt --lines",
        "next: conspectus quarantine fair",
    ]


def test_what_fails_beside_the_dumps(desk: Desk) -> None:
    """A page that could not be fetched is fetched again, a source that died is refreshed again."""
    desk.put("fair/a.txt", HAY)
    failures = ("fair: https://f.example/a: 404 Not Found", "fair: stopped")
    assert next_steps(replace(desk.run(), failures=failures), {}) == [
        "red: fair: https://f.example/a: 404 Not Found",
        "next: conspectus fetch fair",
        "red: fair: stopped",
        "next: conspectus refresh fair",
    ]


def test_many_pages_that_fail(desk: Desk) -> None:
    """Of more than five the others are named."""
    for name in "abcdefg":
        desk.put(f"fair/{name}.txt", "x")
    more = "red: fair: and 2 more of its pages: fair/f.txt, fair/g.txt"
    assert next_steps(desk.run(), {})[-2:] == [more, "next: conspectus quarantine fair"]


def test_a_captcha_cannot_be_accepted(desk: Desk) -> None:
    """It holds nothing: the lines of the dump are shown."""
    desk.put("fair/deep/a.txt", "<title>Just a moment...</title> Checking your browser before accessing")
    steps = next_steps(desk.run(), {})
    assert ("guard_challenge" in steps[0], steps[1]) == (
        True,
        "next: conspectus parse raw/fair/deep/a.txt --source fair --lines",
    )


def test_a_source_without_dumps(desk: Desk) -> None:
    """No dump can be looked at: a person says whether that is right. Roots that are not the usual ones are named."""
    desk.put("fair/a.txt", HAY).with_name("b.txt").write_text('{"title": "Rye"}')
    desk.run()
    for name in ("a.txt", "b.txt"):
        (desk.raw / "fair" / name).unlink()
    elsewhere = {"CONSPECTUS_OUT": "elsewhere"}
    assert next_steps(desk.run(), elsewhere) == [
        f"red: fair: expected dumps below {desk.raw / 'fair'}, found none",
        "next: if its dumps were removed on purpose, conspectus refresh --withdrawn fair --out out",
    ]


def test_rows_that_are_lost(desk: Desk) -> None:
    """The dataset itself is to be looked at."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    for file in (desk.out / "latest").resolve().glob("*/fair.*"):
        file.write_text("x")
    desk.put("fair/a.txt", "x")
    steps = next_steps(desk.run(), {})
    assert (steps[0].startswith("red: fair: published files of records and sightings are damaged"), steps[1]) == (
        True,
        "next: conspectus verify out",
    )


def test_a_long_error_is_cut(desk: Desk) -> None:
    """In its middle: it stands above as a whole."""
    desk.put("fair/a.txt", HAY)
    desk.put(f"fair/{'b' * 120}.txt", "x", sidecar=f"{'k' * 200} = 1")
    error = desk.run().outcomes[0].error or ""
    (red, *_) = next_steps(desk.run(), {})
    assert red == f"red: fair: {error[:120].rstrip()} .. {error[-120:].lstrip()}"


def test_many_files_of_no_source(desk: Desk) -> None:
    """Five things are told last, and how many more there are."""
    desk.put("fair/a.txt", HAY)
    for number in range(7):
        desk.put(f"barn/{number}.txt", "x")
    steps = next_steps(desk.run(), {})
    assert (len(steps), steps[0]) == (11, "red: and 2 more, listed above: barn/0.txt, barn/1.txt")


def test_paths_of_a_service_are_whole(marked: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in the root directory, and nobody pastes its commands there."""
    file = marked.put("fair/c.txt", "x")
    result = marked.run()
    monkeypatch.chdir("/")
    assert next_steps(result, {})[-2:] == [
        f"next: conspectus parse {file} --lines",
        f"next: conspectus quarantine fair --out {marked.out}",
    ]
