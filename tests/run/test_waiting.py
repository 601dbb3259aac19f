"""A page that shows another programme than was asked for waits, until the right one is published for the first time."""

import json
from typing import Any

import pytest

from pipeline.merging.outcome import Status
from pipeline.run.summary import looks, messages
from tests.support.manifests import load_manifest
from tests.support.said import Said, steps
from tests.support.toy import Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

OLD = "fair/page-20260101T0300Z.txt"
NEW = "fair/page-20260601T0300Z.txt"
THIS = 'url = "https://fair.example"\nevent = "Fair 2026"\nyear = 2026\n'
SHOWS = "the programme of 2026 was asked for, 3 of 3 records have dates of other years, such as 2025-05-04"
WAITS = f"https://fair.example: waits since 2026-01-01: {SHOWS}"


def programme(year: int, day: int = 4) -> list[dict[str, Any]]:
    """Return three talks of a year."""
    return [{"title": f"Slicing {n}", "event": "E", "start": f"{year}-05-{day:02}T0{n}:00"} for n in range(7, 10)]


def waiting(desk: Desk) -> Desk:
    """Let the page show the programme of the year before."""
    desk.put(OLD, *programme(2025), sidecar=THIS)
    return desk


def test_it_is_said_once(desk: Desk) -> None:
    """Nothing is published, the run is good, and a person is told what could be done; the next night is quiet."""
    first, second = waiting(desk).run("fair"), desk.run("fair")
    assert [each.outcomes[0].status for each in (first, second)] == [Status.WAITING, Status.WAITING]
    assert [each.good for each in (first, second)] == [True, True]
    assert looks(first) == [f"attention: fair: {WAITS}"]
    (step,) = steps(first)
    assert step == f"next: conspectus accept raw/{OLD} other_year --dry-run"
    assert (looks(second), messages(second), steps(second)) == ([], [], [])


def test_it_is_said_again_when_it_changes(desk: Desk) -> None:
    """The page of a third year is news; it has waited since its first capture."""
    waiting(desk).run("fair")
    desk.put(NEW, *programme(2024), sidecar=THIS)
    assert looks(desk.run("fair")) == [f"attention: fair: {WAITS.replace('2025', '2024')}"]


def test_the_right_programme(desk: Desk) -> None:
    """It is published at once, and nothing waits any more."""
    waiting(desk).run("fair")
    desk.put(NEW, *programme(2026), sidecar=THIS)
    result = desk.run("fair")
    assert (result.outcomes[0].status, looks(result), desk.table("records", "fair").height) == (Status.OK, [], 3)
    assert load_manifest(desk.out)["sources"]["fair"]["waiting"] == {}


def test_accepted(desk: Desk) -> None:
    """The advice works as it is printed."""
    waiting(desk).run("fair")
    desk.put(OLD, *programme(2025), sidecar=THIS + 'accept = ["other_year"]\n')
    assert desk.run("fair").outcomes[0].total == 3


def test_published_rows_are_defended(desk: Desk) -> None:
    """Once the programme of the year is published the page before is red, and the rows stay."""
    desk.put(OLD, *programme(2026), sidecar=THIS)
    desk.run("fair")
    desk.put(NEW, *programme(2025), sidecar=THIS)
    result = desk.run("fair")
    assert (result.good, result.outcomes[0].status) == (False, Status.PARTIAL)
    assert desk.table("records", "fair")["starts_at"].dt.year().to_list() == [2026] * 3


def test_another_page_of_the_event_is_published(desk: Desk) -> None:
    """A page of the year before is red also where other pages of the same event are published."""
    desk.put("fair/monday.txt", *programme(2026), sidecar=THIS.replace(".example", ".example/monday"))
    desk.run("fair")
    assert waiting(desk).run("fair").good is False


def test_another_event_of_the_source_is_published(desk: Desk) -> None:
    """The source is good: only the page of the new event waits."""
    other = THIS.replace("2026", "2025").replace(".example", ".example/2025")
    desk.put("fair/last.txt", *programme(2025, day=5), sidecar=other)
    result = waiting(desk).run("fair")
    assert (result.good, result.outcomes[0].status, result.outcomes[0].total) == (True, Status.OK, 3)
    assert looks(result) == [f"attention: fair: {WAITS}"]


def test_an_archive_read_anew(desk: Desk) -> None:
    """The page before is red where an earlier capture of the same run has the right programme, as night by night."""
    desk.put(OLD, *programme(2026), sidecar=THIS)
    desk.put(NEW, *programme(2025), sidecar=THIS)
    assert desk.run("fair").outcomes[0].status is Status.PARTIAL


def test_published_rows_whose_dumps_are_gone(desk: Desk) -> None:
    """A page that waits is no reason to be silent about dumps that are gone."""
    other = THIS.replace("2026", "2025").replace(".example", ".example/2025")
    file = desk.put("fair/last.txt", *programme(2025, day=5), sidecar=other)
    waiting(desk).run("fair")
    file.unlink()
    result = desk.run("fair")
    assert (result.good, result.outcomes[0].error) == (
        False,
        "fair: expected dumps of what is published, found only pages that wait",
    )


def test_a_page_that_is_not_asked_for_any_more(desk: Desk) -> None:
    """A source that only waited is empty without its dumps, and waits for nothing."""
    waiting(desk).run("fair")
    for file in (desk.raw / "fair").iterdir():
        file.unlink()
    result = desk.run("fair")
    block = load_manifest(desk.out)["sources"]["fair"]
    assert (result.good, block["status"], block["waiting"], block["quarantined"]) == (True, "ok", {}, 0)


def test_it_is_not_said_again_for_an_edit(desk: Desk) -> None:
    """Another day of the same programme of another year is no news; nor is any capture of it said to be outlived."""
    waiting(desk).run("fair")
    for day in (5, 6):
        desk.put(f"fair/page-2026020{day}T0300Z.txt", *programme(2025, day=day), sidecar=THIS)
        result = desk.run("fair")
        assert (looks(result), messages(result)) == ([], [])


def test_a_failure_before_it(desk: Desk) -> None:
    """A capture that failed before the page came back is told once, as before a good one."""
    desk.put("fair/page-20251231T0300Z.txt", "closed", sidecar=THIS)
    assert desk.run("fair").good is False
    waiting(desk).run("fair")
    assert desk.run("fair").good is True


def test_its_status(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A source that waits is no alarm, and not stale; ``status`` says what it waits for."""
    waiting(desk).run("fair")
    told = Said(capsys, "status", "--max-age", "1d")
    assert (told.code, f"fair: {WAITS}" in told.out) == (0, True)
    as_json = Said(capsys, "status", "--json")
    found = json.loads("\n".join(as_json.out))["sources"]["fair"]["waiting"]
    assert (as_json.code, found) == (0, {"https://fair.example": {"since": "2026-01-01", "shows": SHOWS}})
    assert Said(capsys, "verify", "--max-age", "1d", desk.out / "latest").code == 0
