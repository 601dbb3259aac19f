"""Advice after a red run: what failed where, and the next command; files in the wrong folder, or in none."""

import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from parsers._contract import Source
from parsers._ledger.document import Document
from pipeline.reading.read import Reading
from pipeline.run.advice import next_steps
from tests.support.manifests import load_manifest
from tests.support.said import Said, steps
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
    assert steps(result) == [
        f"red: fair: fair/b.txt:1: {expected}{hint}",
        "next: mkdir -p raw/news && mv -n raw/fair/b.txt raw/fair/b.txt.meta.toml raw/news/",
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

    monkeypatch.setattr("pipeline.run.judge.judge_reading", take_away)
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
    found = steps(desk.run())
    file = "raw/fair/page-20260712T0300Z.txt"
    assert found[0].startswith("red: fair: fair/page-20260712T0300Z.txt:1: guard_drop: ")
    assert found[1:] == [
        f"next: conspectus parse {file} --lines",
        f"next: conspectus accept {file} drop lost --dry-run",
        "next: conspectus quarantine fair",
    ]
    desk.put("fair/page-20260712T0300Z.txt", *({"title": f"Hay {number}", "event": "E"} for number in range(10)),
             sidecar='accept = ["drop", "coverage"]')  # fmt: skip
    assert steps(desk.run()) == ["next: conspectus changes fair"]


def test_pages_that_fail(desk: Desk) -> None:
    """The newest capture of each page is told first, with its address, and since when the page has failed."""
    for day, page in ((1, "a"), (2, "a"), (3, "b"), (4, "a")):
        desk.put(
            f"fair/{day}.txt", "x", sidecar=f'url = "https://f.example/{page}"\ncaptured_at = 2026-07-0{day}T03:00:00Z'
        )
    wrong = "not_this_source: expected json lines: JSON objects, from https://f.example"
    assert steps(desk.run()) == [
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
    assert steps(replace(desk.run(), failures=failures)) == [
        "red: fair: https://f.example/a: 404 Not Found",
        "next: conspectus status fair",
        "red: fair: stopped",
        "next: conspectus refresh fair",
    ]


def test_many_pages_that_fail(desk: Desk) -> None:
    """Of more than five the others are named."""
    for name in "abcdefg":
        desk.put(f"fair/{name}.txt", "x")
    more = "red: fair: and 2 more of its pages: fair/f.txt, fair/g.txt"
    assert steps(desk.run())[-2:] == [more, "next: conspectus quarantine fair"]


def test_a_captcha_cannot_be_accepted(desk: Desk) -> None:
    """It holds nothing: the lines of the dump are shown."""
    desk.put("fair/deep/a.txt", "<title>Just a moment...</title> Checking your browser before accessing")
    found = steps(desk.run())
    assert ("guard_challenge" in found[0], found[1]) == (
        True,
        "next: conspectus parse raw/fair/deep/a.txt --lines",
    )


def test_a_source_without_dumps(desk: Desk) -> None:
    """No dump can be looked at: a person says whether that is right. Roots that are not the usual ones are named."""
    desk.put("fair/a.txt", HAY).with_name("b.txt").write_text('{"title": "Rye"}')
    desk.run()
    for name in ("a.txt", "b.txt"):
        (desk.raw / "fair" / name).unlink()
    assert steps(desk.run()) == [
        f"red: fair: expected dumps below {desk.raw / 'fair'}, found none; put them back, or, if that is right, "
        "withdraw the source",
        "next: conspectus refresh --withdrawn fair",
    ]


def test_rows_that_are_lost(desk: Desk) -> None:
    """The dataset itself is to be looked at."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    for file in (desk.out / "latest").resolve().glob("*/fair.*"):
        file.write_text("x")
    desk.put("fair/a.txt", "x")
    found = steps(desk.run())
    assert (found[0].startswith("red: fair: published files of records and sightings are damaged"), found[1]) == (
        True,
        "next: conspectus verify",
    )


def test_a_long_error_is_cut(desk: Desk) -> None:
    """In its middle: it stands above as a whole."""
    desk.put("fair/a.txt", HAY)
    desk.put(f"fair/{'b' * 120}.txt", "x", sidecar=f"{'k' * 200} = 1")
    error = desk.run().outcomes[0].error or ""
    (red, *_) = steps(desk.run())
    assert red == f"red: fair: {error[:120].rstrip()} .. {error[-120:].lstrip()}"


def test_many_files_of_no_source(desk: Desk) -> None:
    """Five things are told last, and how many more there are."""
    desk.put("fair/a.txt", HAY)
    for number in range(7):
        desk.put(f"barn/{number}.txt", "x")
    found = steps(desk.run())
    assert (len(found), found[0]) == (11, "red: and 2 more, listed above: barn/0.txt, barn/1.txt")


def test_advice_works_as_printed(
    marked: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From any folder, also where names have blanks, every next step is carried out, and says something."""
    capture = "fair/it's 1/page-2026071{}T0300Z.txt"
    marked.put(capture.format(1), *({**HAY, "title": f"fair {number}"} for number in range(40)))
    marked.put("news/a.txt", {"title": "news"})
    marked.run()
    marked.put(capture.format(2), *({"title": f"fair {number}", "event": "E"} for number in range(10)))
    marked.put("fair/b.txt", {"title": "news"}, sidecar="year = 2026")
    marked.put("fair/c.txt", "fair", "Day 2 (5/5)", {**HAY, "title": "fair 50"})
    marked.put("barn/a b.txt", {"title": "news"})
    marked.put("barn/c.txt", "x")
    (marked.raw / "mill").mkdir()
    result = replace(marked.run(), failures=("fair: https://f.example/a: 404 Not Found",))
    monkeypatch.chdir("/")
    commands = [step.removeprefix("next: ") for step in next_steps(result) if step.startswith("next: ")]
    assert {*map(words_of, commands)} == {"accept", "mkdir", "parse", "quarantine", "status"}
    assert [command for command in commands if not works(capsys, marked, command)] == []
    assert sorted(file.name for file in (marked.raw / "news").iterdir()) == [
        "a b.txt",
        "a.txt",
        "b.txt",
        "b.txt.meta.toml",
    ]


def words_of(command: str) -> str:
    """Return the command among ours, or the program."""
    program, ours, *_ = command.split(" ")
    return ours if program == "conspectus" else program


def works(capsys: pytest.CaptureFixture[str], desk: Desk, command: str) -> bool:
    """True if a command, as a shell would run it, is carried out and says something; only ``mkdir`` is silent."""
    if command.startswith("mkdir"):
        return subprocess.run(["/bin/sh", "-c", command], check=False).returncode == 0
    said = Said(capsys, *shlex.split(command)[1:], known=desk.known)
    return said.code in {0, 1} and bool(said.out or said.err)
