"""The page of the night: runs, alarms, sources, and that it is one self-contained file."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from pipeline.base.settings import Settings, SiteSettings
from pipeline.publishing.publish import PublishError
from pipeline.publishing.runs import LOG, Run, RunStart, load_runs
from pipeline.publishing.sites import publish_site
from pipeline.publishing.store import latest_snapshot
from pipeline.run.refresh import refresh
from pipeline.site.build import make_sections
from pipeline.site.night import curve, hash_of
from pipeline.viewing.selection import Selection
from tests.support.toy import TOYS, Desk

HAY = {"title": "Hay", "event": "E", "start": "2026-08-03T09:00"}


def night(desk: Desk, *more: Run, **chosen: Any) -> Any:
    """Build the site after the logged runs and ``more``; return the page of the night."""
    snapshot = latest_snapshot(desk.out)
    assert snapshot is not None
    runs = [*load_runs(desk.out), *more]
    sections = make_sections(Selection(snapshot), SiteSettings(**chosen), Settings(desk.raw, desk.out), runs)
    site = publish_site(desk.out, snapshot.id, sections, 14)
    return html.parse(str(site.folder / "night.html")).getroot()


def said(page: Any) -> str:
    """Return the text of the main part of a page in one line."""
    return " ".join(page.find(".//main").text_content().split())


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a desk after one good run."""
    desk = Desk(tmp_path)
    desk.put("fair/a.txt", HAY)
    desk.run()
    return desk


def test_a_good_night(desk: Desk) -> None:
    """The page shows the run, no alarms, and the sources."""
    text = said(night(desk))
    assert "ended good after" in text
    assert "Alarms There is nothing to look at. Sources" in text
    assert "Held back Nothing was held back. Missing values" in text


def test_no_run(desk: Desk) -> None:
    """Without a log the page says that there is no run yet."""
    (desk.out / LOG).unlink()
    text = said(night(desk))
    assert text.startswith("The night No run is in the log yet.")
    assert "No run has counted them yet." in text


def test_a_red_night(desk: Desk) -> None:
    """Errors with the command that shows more, and quarantined rows; the text of a refused dump only on request."""
    desk.put("fair/b.txt", "x", "y", "z")
    desk.put("news/a.txt", {"title": "New"}, '{"broken')
    desk.put("strange/a.txt", "x")
    assert not desk.run().good
    text = said(night(desk))
    assert "ended red after" in text
    for told in (
        f"conspectus quarantine fair --raw {desk.raw} --out {desk.out}",
        f"conspectus parse {desk.raw}/fair/b.txt --lines --raw {desk.raw} --out {desk.out}",
        "strange/a.txt: unknown_source",
        "news: 1 incomplete_item news/a.txt:2: ",
        '{"broken',
    ):
        assert told in text
    assert ("x y z" in text, "x y z" in said(night(desk, raw=True))) == (False, True)


def test_a_night_that_publishes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the previous snapshot gives the reason."""

    def fail(*_: object) -> None:
        raise PublishError("the disk is full")

    monkeypatch.setattr("pipeline.run.refresh.publish", fail)
    with pytest.raises(PublishError):
        refresh(Settings(desk.raw, desk.out), TOYS)
    text = said(night(desk))
    assert "It published nothing." in text
    assert "Alarms the disk is full" in text


def test_killed_runs(desk: Desk) -> None:
    """An older run without an end was killed; the newest may still be active."""
    moments = [datetime(2026, 8, day, 3, tzinfo=UTC) for day in (1, 2)]
    runs = [Run(f"{moment:%Y%m%dT%H%M%SZ}", RunStart(moment, "1.0")) for moment in moments]
    text = said(night(desk, *runs))
    assert "02 August 2026 03:00 UTC and has not said how it ended: it was killed, or it is still active." in text
    assert "The run of 01 August 2026 03:00 UTC was killed." in text


def test_curves(desk: Desk) -> None:
    """Records, quarantined rows and nulls over the runs, with their numbers as text."""
    desk.put("fair/b.txt", {**HAY, "title": "Rye"})
    desk.run()
    page = night(desk)
    told = [each.get("aria-label") for each in page.iter("svg")]
    assert told[:2] == [
        "records in the last 2 runs, from 1 to 2, now 2",
        "quarantined rows in the last 2 runs, from 0 to 0, now 0",
    ]
    assert "nulls of abstract in the last 2 runs, from 1 to 2, now 2" in told
    assert curve("x", [1]) == ""
    assert curve('<"', [0, 2]).count("<rect") == 1


def test_it_is_one_file(desk: Desk) -> None:
    """It needs no other file, and links the first page alone; the policy allows its own style and script alone."""
    desk.put("fair/a.txt", HAY, "<script>x</script>")
    desk.run()
    page = night(desk)
    assert page.xpath("//@href") == ["#main", "index.html"]
    assert page.xpath("//@src") == []
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    scripts, styles = page.xpath("//script"), page.xpath("//style")
    assert (len(scripts), len(styles)) == (1, 1)
    assert {hash_of(scripts[0].text), hash_of(styles[0].text)} <= set(re.split(r"[ ;]+", policy))
    assert "<script>x</script>" in said(page)


def test_the_same_runs_give_the_same_bytes(desk: Desk) -> None:
    """The page does not depend on the clock."""
    runs = load_runs(desk.out)
    before = html.tostring(night(desk))
    assert html.tostring(night(desk)) == before
    (last,) = runs
    assert last.end is not None
    later = replace(last, end=replace(last.end, seconds=77.0))
    assert "after 77.0 s" in said(night(desk, later))
