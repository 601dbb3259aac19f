"""A dataset of an older minor version of the contract: read, taken over and continued."""

import polars as pl
import pytest

from pipeline.base.disk import hash_file
from pipeline.publishing.store import latest_snapshot
from pipeline.publishing.verify import verify
from schemas.tables import CONTRACT_VERSION
from tests.support.manifests import load_manifest, put_manifest
from tests.support.toy import Desk


@pytest.fixture
def old(desk: Desk) -> Desk:
    """Return a desk where a dataset is published as by a version without ``other_event`` of captures."""
    desk.put("fair/a.txt", {"title": "Hay", "event": "E", "room": "B"})
    desk.put("news/a-20260101T0300Z.txt", {"title": "Bran", "listed_on": "2026-01-01"})
    folder = desk.run().publication.folder
    manifest = load_manifest(folder)
    for path in ("captures/fair.parquet", "captures/news.parquet"):
        (folder / path).chmod(0o644)
        pl.read_parquet(folder / path).drop("other_event").write_parquet(folder / path)
        manifest["files"][path]["sha256"] = hash_file(folder / path)
        manifest["files"][path]["bytes"] = (folder / path).stat().st_size
    put_manifest(folder, {**manifest, "contract_version": "2.0"})
    return desk


def test_the_first_night_takes_it_over(old: Desk) -> None:
    """Nothing is lost, and all files are of today's version; the nights after it go on as ever."""
    last = latest_snapshot(old.out)
    before = {source: old.table("records", source).rows() for source in old.known}
    result, now = old.run(), latest_snapshot(old.out)
    assert last is not None
    assert now is not None
    assert (result.good, now.previous, now.manifest["contract_version"]) == (True, last.id, CONTRACT_VERSION)
    assert verify(old.out).problems == ()
    assert {source: old.table("records", source).rows() for source in old.known} == before
    assert old.run().publication.new is False


def test_one_source_takes_all_with_it(old: Desk) -> None:
    """The files of a source that is not part of the run are written again in today's form."""
    before = old.table("records", "news").rows()
    old.run("fair")
    assert (old.table("records", "news").rows(), verify(old.out).problems) == (before, ())
    assert "other_event" in old.table("captures", "news").columns


def test_of_snapshots_of_another_major_version_the_oldest_go_first(desk: Desk) -> None:
    """They count as older than all others."""
    desk.put("fair/a.txt", {"title": "Hay"})
    desk.run()
    for name in ("20210101T000000Z-bbbbbbbb", "20200101T000000Z-aaaaaaaa"):
        (desk.out / "snapshots" / name).mkdir()
        (desk.out / "snapshots" / name / "manifest.json").write_text('{"contract_version": "1.0"}')
    desk.put("fair/a.txt", {"title": "Rye"})
    folder = desk.run(keep=3).publication.folder
    left = {each.name for each in folder.parent.iterdir()}
    assert (len(left), {name for name in left if name < "2022"}) == (3, {"20210101T000000Z-bbbbbbbb"})
