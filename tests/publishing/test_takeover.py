"""Datasets of older contract versions, as their own code wrote them: read, taken over and continued."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from pipeline.merging.outcome import Status
from pipeline.publishing.store import latest_snapshot
from pipeline.publishing.verify import verify
from schemas.tables import CONTRACT_VERSION
from tests.support.said import Said
from tests.support.toy import Desk

DATASETS = Path(__file__).parent / "datasets"
"""A dataset a version: a programme, and a listing of which a dump has failed and a record was held back."""


@pytest.fixture(params=sorted(folder.name for folder in DATASETS.iterdir()))
def old(desk: Desk, request: pytest.FixtureRequest) -> Desk:
    """Return a desk where such a dataset is published."""
    desk.raw.rmdir()
    shutil.copytree(DATASETS / request.param / "raw", desk.raw)
    shutil.copytree(DATASETS / request.param / "snapshots", desk.out / "snapshots")
    (snapshot,) = (desk.out / "snapshots").iterdir()
    (desk.out / "latest").symlink_to(Path("snapshots") / snapshot.name)
    return desk


def rows(desk: Desk, source: str) -> list[tuple[str, str | None, str | None]]:
    """Return id, room and comments of the published records."""
    return desk.table("records", source).select("record_id", "room", "comments").rows()


def test_what_it_says_is_read_as_before(old: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """All commands on what is published know it, and it is whole."""
    roots = ("--out", str(old.out))
    codes = [Said(capsys, command, *roots).code for command in ("verify", "status", "quarantine", "changes", "files")]
    explained = Said(capsys, "explain", "fair:e/hay", "--raw", old.raw, *roots, known=old.known)
    assert (codes, explained.code) == ([0] * 5, 0)


def test_the_first_night_takes_it_over(old: Desk) -> None:
    """Nothing is lost: ids, history, and the rows of a dump that fails, of which only these are left.

    The record that was held back for one bad value is published without it.
    """
    last = latest_snapshot(old.out)
    before = {source: rows(old, source) for source in old.known}
    fair, news = old.run().outcomes
    now = latest_snapshot(old.out)
    assert last is not None
    assert now is not None
    assert (fair.status, news.status, now.previous) == (Status.OK, Status.PARTIAL, last.id)
    assert (now.manifest["contract_version"], verify(old.out).problems) == (CONTRACT_VERSION, ())
    before["news"].append(("news:dung", None, None))
    assert {source: rows(old, source) for source in old.known} == before
    assert pl.read_parquet(now.folder / "changes.parquet")["record_id"].to_list() == ["news:dung"]
    assert "dumps" not in now.sources["news"]


def test_the_nights_after_it(old: Desk) -> None:
    """They go on as ever; what the failed dump gave stays until it is good again or gone."""
    old.run()
    assert old.run().publication.new is False
    old.put("news/a-20260103T0300Z.txt", {"title": "Ewe", "listed_on": "2026-01-03"})
    old.put("fair/day-20260103T0300Z.txt", {"title": "Hay", "event": "E", "start": "2025-01-01T09:00", "room": "C"})
    old.run()
    assert old.titles("news") == ["Bran", "Chaff", "Dung", "Ewe"]
    (old.raw / "news" / "b-20260101T0300Z.txt").unlink()
    old.run("news")
    assert old.titles("news") == ["Bran", "Dung", "Ewe"]


def test_one_source_takes_all_with_it(old: Desk) -> None:
    """The files of a source that is not part of the run are written again in today's form."""
    before = rows(old, "news")
    old.run("fair")
    assert (rows(old, "news"), verify(old.out).problems) == (before, ())
    feeds = old.table("captures", "news").filter("feeds").select("dump", "entry").rows()
    assert feeds == [
        ("news/a-20260101T0300Z.txt", None),
        ("news/a-20260102T0300Z.txt", None),
        ("news/b-20260101T0300Z.txt", None),
    ]
