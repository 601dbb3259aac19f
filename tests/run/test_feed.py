"""What feeds a source: each capture that was good goes on to say what it said, and nothing that others said."""

from dataclasses import replace
from typing import Any

import polars as pl

from pipeline.base.settings import Settings
from pipeline.base.signals import GuardBook, Guards
from pipeline.merging.outcome import Status
from pipeline.run.refresh import Result, refresh
from tests.support.toy import Desk

OLD, NEW = "news/b-20260101T0000Z.txt", "news/c-20260102T0000Z.txt"
BAD: dict[str, Any] = {"title": "Hay", "url": "nowhere"}
GOOD: dict[str, Any] = {"title": "Hay", "url": "https://fair.example/hay"}
RYE: dict[str, Any] = {"title": "Rye"}


def seen(desk: Desk) -> list[tuple[str, str]]:
    """Return which record each published sighting of the listing is of, and in which capture."""
    return desk.table("sightings", "news").select("record_id", "dump").rows()


def row(desk: Desk) -> dict[str, Any]:
    """Return a record of the listing: what it says and where it is from."""
    records = desk.table("records", "news").filter(pl.col("record_id") == "news:hay")
    return records.select("title", "abstract", "dump", "dump_sha256").row(0, named=True)


def refresh_with(desk: Desk, guards: Guards) -> Result:
    """Refresh with other settings of the guards."""
    return refresh(Settings(desk.raw, desk.out, guards=GuardBook(guards)), desk.known)


def held(desk: Desk) -> list[tuple[str, str]]:
    """Return the texts that were held back of the listing, each with the id of its record."""
    return desk.table("quarantine", "news").select("record_id", "text").rows()


def test_a_bad_value_is_filled_from_another_capture(desk: Desk) -> None:
    """The value alone is held back: the record has what an older capture says, and both have their sightings."""
    desk.put(OLD, GOOD, RYE)
    desk.put(NEW, BAD)
    desk.run()
    assert (desk.titles("news"), held(desk)) == (["Hay", "Rye"], [("news:hay", "nowhere")])
    assert desk.table("records", "news")["url"].to_list() == ["https://fair.example/hay", None]
    assert seen(desk) == [("news:hay", OLD), ("news:hay", NEW), ("news:rye", OLD)]


def test_a_bad_value_stays_in_quarantine_once(desk: Desk) -> None:
    """It has one row, whether or not its record is merged again, until its capture is withdrawn."""
    desk.put(OLD, GOOD, RYE)
    desk.put(NEW, BAD, {"title": "Oats", "doi": "soon"})
    desk.run()
    desk.put("news/d-20260103T0000Z.txt", GOOD)
    desk.run()
    assert held(desk) == [("news:hay", "nowhere"), ("news:oats", "soon")]
    desk.run()
    assert held(desk) == [("news:hay", "nowhere"), ("news:oats", "soon")]
    (desk.raw / NEW).unlink()
    desk.run()
    assert (desk.titles("news"), held(desk)) == (["Hay", "Rye"], [])


def test_a_capture_that_fails_says_what_it_said_itself(desk: Desk) -> None:
    """B fails, then C is withdrawn: what stays is B's record from B's bytes, not what the two gave together."""
    desk.put("news/d.txt", RYE)
    desk.put(OLD, {"title": "Hay", "abstract": "B's own."})
    desk.run()
    alone = row(desk)
    desk.put(NEW, {"title": "HAY", "abstract": "C's own."})
    desk.run()
    desk.put(OLD, "break")
    assert (desk.run().outcomes[1].status, row(desk)["title"]) == (Status.PARTIAL, "HAY")
    (desk.raw / NEW).unlink()
    desk.run()
    assert row(desk) == alone


def test_a_stricter_limit_unpublishes_nothing(desk: Desk) -> None:
    """What was good stays good until its bytes, its facts or the code change; the next capture is judged anew."""
    lines = (GOOD, "junk", "junk")
    desk.put(OLD, *lines)
    lax = Guards(unexplained_from=3, unexplained_limit=1.0)
    strict = replace(lax, unexplained_limit=0.1)
    first = refresh_with(desk, lax)
    again = refresh_with(desk, strict)
    assert (first.good, again.good, again.publication.new, desk.titles("news")) == (True, True, False, ["Hay"])
    desk.put(NEW, RYE, "junk", "junk")
    assert (refresh_with(desk, strict).good, desk.titles("news")) == (False, ["Hay"])


def test_a_laxer_limit_frees_a_capture(desk: Desk) -> None:
    """One that failed is judged again each night."""
    desk.put(OLD, RYE)
    desk.put(NEW, GOOD, "junk", "junk")
    strict = Guards(unexplained_from=3, unexplained_limit=0.1)
    assert (refresh_with(desk, strict).good, desk.titles("news")) == (False, ["Rye"])
    freed = refresh_with(desk, replace(strict, unexplained_limit=1.0))
    assert (freed.good, desk.titles("news")) == (True, ["Hay", "Rye"])


def test_a_capture_that_failed_meanwhile(desk: Desk) -> None:
    """Where its bytes are back it is as it was, and so is what was held back of it."""
    desk.put("news/d.txt", RYE)
    desk.put(OLD, GOOD, "junk")
    desk.run()
    before = desk.data()
    desk.put(OLD, "break")
    assert desk.run().outcomes[1].status == Status.PARTIAL
    desk.put(OLD, GOOD, "junk")
    assert (desk.run().good, desk.data()) == (True, before)


def test_a_list_of_a_day_that_stays_bad(desk: Desk) -> None:
    """Where each day has a page of its own, one that cannot be used is red until lists of later days are good."""
    dated = 'url = "https://news.example/2026-01-{:02}"\ncaptured_at = 2026-01-{:02}T03:00:00Z\n'
    desk.put("news/2026-01-01.txt", "nothing", sidecar=dated.format(1, 1))
    assert [desk.run("news").good for _ in range(2)] == [False, False]
    desk.put("news/2026-01-02.txt", {"title": "Rye"}, sidecar=dated.format(2, 2))
    assert [desk.run("news").good for _ in range(2)] == [True, True]
