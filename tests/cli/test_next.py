"""What commands print to be done next can be done as it is printed, from any folder."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from pipeline.base.settings import Settings, SiteSettings
from pipeline.cli.site import build_site
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result
from tests.support.said import Said
from tests.support.toy import Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2026-05-04T09:00"}
Capture = pytest.CaptureFixture[str]

PRINTING = (
    "changes",
    "show fair:e/hay",
    "show fair:e/rye",
    "show hay-seed",
    "explain raw/fair/a.txt",
    "explain hay seed",
    "explain away.txt:1",
)


def run_all(capsys: Capture, desk: Desk, commands: list[str]) -> dict[str, int]:
    """Run commands as they are printed; return those that are not carried out or say nothing, with their codes."""
    said = {command: Said(capsys, *shlex.split(command)[1:], known=desk.known) for command in commands}
    return {command: each.code for command, each in said.items() if each.code > 1 or not each.out + each.err}


def commands_in(lines: list[str]) -> list[str]:
    """Return the commands of the lines ``next:``."""
    return [line.removeprefix("next: ") for line in lines if line.startswith("next: ")]


@pytest.mark.usefixtures("in_the_desk")
@pytest.mark.parametrize("line", PRINTING)
def test_what_a_command_prints(desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Whether it did what was asked for or names the command that does."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    Path("away.txt").write_text("x")
    monkeypatch.setattr("tests.support.said.plain", lambda text: text)
    said = Said(capsys, *line.split())
    monkeypatch.chdir("/")
    found = commands_in([*said.out, *said.err])
    assert (len(found), run_all(capsys, desk, found)) == (1, {})


def lost(desk: Desk) -> Result:
    """Damage published rows, and remove the dump that they came from."""
    for file in (desk.out / "latest").resolve().glob("*/fair.*"):
        file.write_text("x")
    desk.put("fair/a.txt", "x")
    return desk.run()


def withdrawn(desk: Desk) -> Result:
    """Remove all dumps of a source."""
    (desk.raw / "fair" / "a.txt").unlink()
    return desk.run()


def unread(desk: Desk) -> Result:
    """Add a line that looks like a day."""
    desk.put("fair/2026/a.txt", HAY, "Day 2 (5/5)", {**HAY, "title": "Rye"})
    return desk.run("fair")


def moved(desk: Desk) -> Result:
    """Move all talks."""
    desk.put("fair/a.txt", *({**HAY, "title": f"Hay {number}"} for number in range(20)))
    desk.run()
    desk.put("fair/a.txt", *({**HAY, "title": f"Hay {number}", "start": "2026-05-04T11:00"} for number in range(20)))
    return desk.run()


def unfetched(desk: Desk) -> Result:
    """Fail to fetch the first page of a source."""
    return replace(desk.run(), failures=("news: https://f.example/a: 404 Not Found", "fair: stopped"))


@pytest.mark.parametrize(
    ("night", "named"),
    [
        (lost, ["verify", "parse", "quarantine"]),
        (withdrawn, ["refresh"]),
        (unread, ["explain"]),
        (moved, ["changes"]),
        (unfetched, ["status", "refresh"]),
    ],
)
def test_what_a_night_prints(
    desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch, night: Callable[[Desk], Result], named: list[str]
) -> None:
    """In the summary and, the same, on the page of the night."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    result = night(desk)
    monkeypatch.chdir("/")
    found = commands_in(next_steps(result))
    assert ([command.split()[1] for command in found], run_all(capsys, desk, found)) == (named, {})


def test_what_the_page_of_the_night_prints(desk: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command on it is carried out."""
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", "x", "y")
    desk.put("barn/c d.txt", "x")
    desk.run()
    assert build_site(Settings(desk.raw, desk.out), SiteSettings()) is None
    page = html.parse(str(desk.out / "site" / "night.html"))
    monkeypatch.chdir("/")
    found = [code.text_content() for code in page.iter("code") if code.text_content().startswith("conspectus ")]
    assert ([command.split()[1] for command in found], run_all(capsys, desk, found)) == (
        ["parse", "parse", "quarantine"],
        {},
    )
