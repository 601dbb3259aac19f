"""Pages that could not be fetched, or are no longer: said where people look, and old pages make a source old."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.base.settings import Settings
from pipeline.publishing.publish import NothingError
from pipeline.raw.capture_log import Attempt, FetchStatus, append, stamp
from pipeline.run.advice import next_steps
from pipeline.run.refresh import refresh
from pipeline.run.summary import looks, summary_rows
from tests.support.manifests import load_manifest
from tests.support.said import Said
from tests.support.signs import told_of
from tests.support.toy import Desk

pytestmark = pytest.mark.usefixtures("in_the_desk")

NOW = datetime.now(UTC).replace(microsecond=0)
SITE = "https://f.example/"


def ask(desk: Desk, page: str, days: int, error: str | None = None, source: str = "fair") -> None:
    """Note an attempt to fetch a page some days ago, which got a capture unless there is an error."""
    moment, folder = NOW - timedelta(days=days), desk.raw / source / page
    name = f"{moment:%Y%m%dT%H%M%SZ}.txt"
    if error is None:
        sidecar = f'url = "{SITE}{page}"\ncaptured_at = {stamp(moment)}'
        desk.put(f"{source}/{page}/{name}", {"title": f"Hay of {page}", "event": page}, sidecar=sidecar)
    outcome = FetchStatus.FAILED if error else FetchStatus.NEW
    append(folder, Attempt(stamp(moment), f"{SITE}{page}", outcome, error=error, file=None if error else name))


def day(days: int) -> str:
    """Return the day some days ago."""
    return f"{NOW - timedelta(days=days):%Y-%m-%d}"


def test_a_page_that_fails_for_days(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is in the table, with since when in its line, in the status with its error, and makes the source old."""
    for days in (5, 0):
        ask(desk, "a", days)
    ask(desk, "b", 5)
    for days in (2, 1, 0):
        ask(desk, "b", days, "404 Not Found")
    result = replace(desk.run("fair"), failures=(f"fair: {SITE}b: 404 Not Found",))
    assert [row[:2] for row in summary_rows(result.outcomes)] == [("fair", "ok, 1 not fetched")]
    assert next_steps(result)[0] == f"red: fair: {SITE}b: 404 Not Found, since {day(2)}"
    said = Said(capsys, "status", "--max-age", "36h")
    assert said.out[-1] == f"fair: {SITE}b: since {day(2)}: 404 Not Found"
    assert (said.code, said.err[0][:35]) == (1, "stale: fair: expected data at most ")
    (status,) = map(json.loads, Said(capsys, "status", "--json").out)
    assert status["sources"]["fair"]["unreached"] == {"b": {"url": f"{SITE}b", "since": day(2), "why": "404 Not Found"}}


def test_a_page_that_is_no_longer_fetched(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """As after an event was taken out of the settings: told once, seen in the status, and its age does not count."""
    for days in (3, 2):
        ask(desk, "a", days)
        ask(desk, "b", days)
    ask(desk, "a", 0)
    first, second = desk.run("fair"), desk.run("fair")
    told = f"{SITE}b: no longer fetched since {day(2)}"
    assert (looks(first), looks(second)) == ([f"attention: fair: {told}"], [])
    assert (first.good, load_manifest(desk.out)["sources"]["fair"]["checked_at"]) == (True, NOW.isoformat())
    assert f"fair: {SITE}b: since {day(2)}: no longer fetched" in Said(capsys, "status").out


def test_a_page_behind_one_that_fails(desk: Desk) -> None:
    """While the page that links to it is not read, it is not known whether it is still there; later it is told."""
    for days in (3, 2):
        ask(desk, "a", days)
        ask(desk, "b", days)
    ask(desk, "a", 1, "503 Service Unavailable")
    (first,) = desk.run("fair").outcomes
    ask(desk, "a", 0)
    (second,) = desk.run("fair").outcomes
    assert (told_of(first), first.unreached["b"]["why"]) == ((), "not asked for, as another page was not read")
    assert told_of(second) == (f"{SITE}b: no longer fetched since {day(2)}",)


def test_a_page_that_lapsed_before_another_one_fails(desk: Desk) -> None:
    """It is told once, not again after each night on which a page beside it was not reached."""
    for days in (4, 3):
        ask(desk, "a", days)
        ask(desk, "b", days)
    told = list[str]()
    for days, error in ((2, None), (1, "503 Service Unavailable"), (0, None)):
        ask(desk, "a", days, error)
        (fair,) = desk.run("fair").outcomes
        told += told_of(fair)
    assert told == [f"{SITE}b: no longer fetched since {day(3)}"]


def test_a_page_that_was_never_right(desk: Desk) -> None:
    """Nothing is published of it: that it is no longer fetched, as links to it are gone, is no news."""
    ask(desk, "a", 3)
    append(
        desk.raw / "fair" / "b",
        Attempt(stamp(NOW - timedelta(days=3)), f"{SITE}b", FetchStatus.NEW, file="20260101T000000Z.txt"),
    )
    desk.put("fair/b/20260101T000000Z.txt", "nothing of the kind")
    desk.run("fair")
    ask(desk, "a", 0)
    (fair,) = desk.run("fair").outcomes
    assert told_of(fair) == ()


def test_the_only_event_of_a_source(desk: Desk) -> None:
    """The pages of other sources tell that fetching goes on."""
    ask(desk, "a", 3)
    ask(desk, "day", 0, source="news")
    (fair, _) = desk.run().outcomes
    assert told_of(fair) == (f"{SITE}a: no longer fetched since {day(3)}",)


def test_days_of_a_log_that_are_closed(desk: Desk) -> None:
    """They are not asked for any more, which is right; the newest page tells the age."""
    ask(desk, "one", 3, source="news")
    ask(desk, "two", 0, source="news")
    (news,) = desk.run("news").outcomes
    assert (news.unreached, news.checked_at) == ({}, NOW)


def test_a_first_night_on_which_nothing_is_fetched(desk: Desk) -> None:
    """There is nothing to publish, and it is said why."""
    failure = f"fair: {SITE}a: 404 Not Found"
    with pytest.raises(NothingError, match=f"found none; {failure}"):
        refresh(Settings(desk.raw, desk.out), desk.known, failures=[failure])
