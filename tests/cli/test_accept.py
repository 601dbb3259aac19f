"""``conspectus accept``: what a person takes for right is published, and it is said before what that does."""

import shlex
from typing import Any

import pytest

from pipeline.raw.sidecar import add_accepted
from tests.support.said import Said
from tests.support.toy import Desk, Filled

pytestmark = pytest.mark.usefixtures("in_the_desk")

FILE = "fair/page-2026071{}T0300Z.txt"
Capture = pytest.CaptureFixture[str]


def talk(number: int, **more: Any) -> dict[str, Any]:
    """Return a talk of an event."""
    return {"title": f"Slicing Bread {number}", "event": "E", **more}


def reject(desk: Desk) -> None:
    """Publish a programme; its next capture has lost most talks, and the sessions of the rest."""
    desk.put(FILE.format(1), *(talk(number, session_title="Rye") for number in range(40)))
    desk.run()
    desk.put(FILE.format(2), *(talk(number) for number in range(10)), talk(40), sidecar="# by hand\nspecimen = false")
    desk.run()


@pytest.fixture
def rejected(desk: Desk, filled: Filled) -> Desk:
    """Return a desk where that was rejected."""
    return desk.take(filled(reject))


def test_what_accepting_does_is_said_first(rejected: Desk, capsys: Capture) -> None:
    """A dry run writes nothing and names the command that does; then the refresh publishes what was said."""
    file = rejected.raw / FILE.format(2)
    told = f"{FILE.format(2)}: publishes 11 records, removes 30, changes 10, adds 1, 10 lose their session title"
    dry = Said(capsys, "accept", file, "drop", "lost", "--dry-run")
    assert (dry.code, dry.out) == (0, [told, f"next: conspectus accept raw/{FILE.format(2)} drop lost"])
    assert "accept" not in file.with_name(f"{file.name}.meta.toml").read_text()
    wet = Said(capsys, *shlex.split(dry.out[1])[2:])
    sidecar = file.with_name(f"{file.name}.meta.toml")
    assert wet.out == [told, f"written: raw/{FILE.format(2)}.meta.toml", "next: conspectus refresh fair"]
    assert sidecar.read_text() == '# by hand\nspecimen = false\naccept = ["drop", "lost"]\n'
    assert Said(capsys, *shlex.split(wet.out[-1])[2:]).code == 0
    assert len(rejected.titles("fair")) == 11


def test_one_guard_of_two(rejected: Desk, capsys: Capture) -> None:
    """What rejects the dump all the same is named, and nothing is written."""
    said = Said(capsys, "accept", f"raw/{FILE.format(2)}", "lost")
    assert (said.code, said.out, said.err[0][:49]) == (1, [], "failed: rejected all the same: fair/page-20260712")
    assert said.err[1] == f"next: conspectus accept raw/{FILE.format(2)} lost drop --dry-run"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"accept raw/{FILE.format(2)} cut", "not rejected by: cut; expected one of drop, lost"),
        (f"accept raw/{FILE.format(2)} dorp", "no such guard: dorp; expected one of"),
        (f"accept raw/{FILE.format(1)} drop", "expected a dump that a guard rejects, found one that is good"),
        ("accept raw/fair/x.txt drop", "expected a dump that a guard rejects, found fair/x.txt:1: not_this_source"),
        ("accept elsewhere.txt drop", "expected a dump of a known source below"),
    ],
)
def test_what_cannot_be_accepted(rejected: Desk, capsys: Capture, line: str, said: str) -> None:
    """It is said why."""
    rejected.put("fair/x.txt", "x")
    (rejected.raw.parent / "elsewhere.txt").write_text("x")
    found = Said(capsys, *line.split())
    assert (found.code, said in found.err[-1]) == (2, True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, 'accept = ["drop", "lost"]\n'),
        ("# hand", '# hand\naccept = ["drop", "lost"]\n'),
        ('accept = [\n  "lost", # why\n]\nyear = 2026\n', 'accept = ["drop", "lost"]\nyear = 2026\n'),
        ('event = "E"\n', 'event = "E"\naccept = ["drop", "lost"]\n'),
    ],
)
def test_a_sidecar_keeps_what_it_has(desk: Desk, before: str | None, after: str) -> None:
    """Guards are added to those that it accepts, all else stays as it is written."""
    file = desk.put("fair/a.txt", "x", sidecar=before or "")
    sidecar = add_accepted(file, ["drop", "lost"])
    assert (sidecar.read_text(), [each.name for each in file.parent.iterdir() if each.name[0] == "."]) == (after, [])


def test_a_sidecar_that_cannot_be_changed(desk: Desk) -> None:
    """A key in quotes is left to its author, and the file stays as it is."""
    file = desk.put("fair/a.txt", "x", sidecar='"accept" = ["lost"]\n')
    with pytest.raises(ValueError, match="expected"):
        add_accepted(file, ["drop"])
    assert file.with_name("a.txt.meta.toml").read_text() == '"accept" = ["lost"]\n'
