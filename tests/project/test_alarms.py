"""The benchmark of alarms: nights have their colour, and what is printed to be done can be done as it is printed."""

import pytest

from benchmarks.alarms import NIGHTS, Followed, invented, run_nights

pytestmark = pytest.mark.untraced

COLOURS = {"good": "green", "gone": "red", "moved": "amber", "event_removed": "amber"}


def pass_nights(capsys: pytest.CaptureFixture[str], *names: str) -> tuple[list[str], list[Followed]]:
    """Pass some nights; return what was printed, and the commands that were run."""
    ran = run_nights(invented(), [night for night in NIGHTS if night.name in names])
    return capsys.readouterr().out.splitlines(), ran


def test_colours_and_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Each command is carried out; a page that is not there and an event that is gone lead to the status."""
    lines, ran = pass_nights(capsys, *COLOURS)
    heads = [line for line in lines if line.startswith("==")]
    colours = {head.split()[1].rstrip(":"): lines[lines.index(head) + 1].strip() for head in heads}
    assert colours == COLOURS
    assert [each.command.split()[1] for each in ran] == ["changes", "status", "status"]
    assert [each.code for each in ran] == [0, 0, 0]


@pytest.mark.nightly
def test_a_capture_is_accepted_by_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """From the red line to the dry run, the acceptance and the refresh, of one page after another."""
    _, ran = pass_nights(capsys, "accepted")
    steps = [f"{each.command.split()[1]} {each.code}" for each in ran]
    one = ["parse 1", "accept 0", "accept 0"]
    assert steps == [*one, "refresh 1", *one, "refresh 1", *one, "refresh 1", *one, "refresh 0", "quarantine 0"]


def test_twenty_nights() -> None:
    """Each has a name of its own."""
    assert len({night.name for night in NIGHTS}) == len(NIGHTS) == 20
