"""The benchmark of histories: what a guard rejects is accepted as the advice says, once it was counted."""

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.nights import GIT, ClonedPage, show

pytestmark = pytest.mark.untraced

EVENT = """\
BEGIN:VEVENT
UID:{number}@jam.example
SUMMARY:Boiling Jam {number}
{place}DTSTART:20260504T{hour:02}0000
DTEND:20260504T{hour:02}3000
END:VEVENT
"""


def calendar(count: int, *, rooms: bool) -> str:
    """Return a calendar of so many talks, each in a room of its own, or without rooms."""
    place = "LOCATION:Kitchen {number}\n" if rooms else ""
    events = (
        EVENT.format(number=number, hour=9 + number, place=place.format(number=number)) for number in range(count)
    )
    return "".join(["BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:jam\n", *events, "END:VCALENDAR\n"])


@pytest.fixture
def page(tmp_path: Path) -> ClonedPage:
    """Commit a calendar that loses its rooms, and then goes on without them."""
    clone = tmp_path / "clone"
    clone.mkdir()
    settings = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@jam.example"}
    settings |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in settings.items()}
    for number, text in enumerate((calendar(8, rooms=True), calendar(8, rooms=False), calendar(9, rooms=False))):
        (clone / "jam.ics").write_text(text)
        date = {f"GIT_{who}_DATE": f"2026-04-0{number + 1}T09:00:00Z" for who in ("AUTHOR", "COMMITTER")}
        for command in (["init", "-q"], ["add", "jam.ics"], ["commit", "-q", "-m", "A version"]):
            subprocess.run([GIT, *command], cwd=clone, env={**os.environ, **settings, **date}, check=True)  # ours
    return ClonedPage(clone / ".git", "jam.ics", "ics", 2026, "JAM")


@pytest.mark.parametrize(
    ("accept", "expected"), [(False, ["ok", "partial", "partial"]), (True, ["ok", "partial", "ok"])]
)
def test_what_is_accepted_is_red_once(page: ClonedPage, *, accept: bool, expected: list[str]) -> None:
    """Without acceptance a page stays behind; with it the version after the rejected one is published."""
    assert [night.status for night in show(page, accept=accept)] == expected
