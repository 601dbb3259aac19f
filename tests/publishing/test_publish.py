"""Publication: one atomic switch, byte-identical data, good data never replaced by nothing, changes, carried rows."""

import json
import os
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import polars as pl
import pytest
from filelock import FileLock

from parsers._registry import sources
from pipeline.base.settings import Settings, UsageError
from pipeline.merging.outcome import Status
from pipeline.publishing import publish
from pipeline.publishing.files import write_files
from pipeline.publishing.lock import LOCK, BusyError
from pipeline.publishing.publish import PublishError
from pipeline.publishing.store import StoreError
from pipeline.run.refresh import refresh
from schemas.tables import CONTRACT_VERSION, RECORDS
from tests.conftest import ROOT
from tests.support.helpers import replace_file
from tests.support.manifests import load_manifest, put_manifest, vouch_for
from tests.support.said import Said, plain
from tests.support.signs import told_of
from tests.support.toy import Desk

HAY = {"title": "Hay", "authors": ["Ann"], "start": "2025-01-01T09:00"}
RYE = {"title": "Rye", "start": "2025-01-01T10:00"}
BAD = "not a dump of this source"
NOT_THIS = ("fair/a.txt", "not_this_source")
Line = str | dict[str, Any]


def changes(desk: Desk) -> list[tuple[str, str, list[str] | None]]:
    """Return record, change and columns of the published change table."""
    return pl.read_parquet(desk.out / "latest" / "changes.parquet").select("record_id", "change", "columns").rows()


def manifest(desk: Desk) -> dict[str, Any]:
    """Return the published manifest."""
    loaded: dict[str, Any] = json.loads((desk.out / "latest" / "manifest.json").read_text())
    return loaded


def snapshots(desk: Desk) -> list[str]:
    """Return the names of everything below the snapshots folder."""
    return sorted(folder.name for folder in (desk.out / "snapshots").iterdir())


def test_same_input_gives_the_same_bytes(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Data files do not depend on the out root, the working directory or the order of the files."""
    desk.put("fair/a.txt", HAY)
    desk.put("fair/b.txt", RYE, "junk")
    desk.run()
    other = Desk(tmp_path_factory.mktemp("other"))
    other.put("fair/b.txt", RYE, "junk")
    other.put("fair/a.txt", HAY)
    other.run()
    assert other.data() == desk.data()


def test_a_run_that_changes_nothing_updates_the_manifest_only(desk: Desk) -> None:
    """No new snapshot; the manifest tells of the newer run."""
    desk.put("fair/a.txt", HAY)
    first = desk.run()
    (desk.raw / "fair" / "note.md").write_text("documentation")
    second = desk.run()
    assert (first.publication.new, second.publication.new) == (True, False)
    assert snapshots(desk) == [first.publication.folder.name]


def test_a_refresh_of_one_source_leaves_the_others_byte_for_byte(desk: Desk) -> None:
    """The files of the other source are carried over, although its raw dump has changed."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", {"title": "Old"})
    desk.run()
    before = desk.data()
    desk.put("news/a.txt", {"title": "New"})
    desk.put("fair/a.txt", RYE)
    desk.run("fair")
    after = desk.data()
    assert {path: data for path, data in after.items() if "news" in path} == {
        path: data for path, data in before.items() if "news" in path
    }
    assert desk.titles("fair") == ["Rye"]


def test_ten_thousand_records(desk: Desk) -> None:
    """A dump of 10,000 records is published whole, each under an id of its own."""
    desk.put("news/a.txt", *(f'{{"title": "Paper {number}"}}' for number in range(10_000)))
    desk.run("news", max_bytes=1 << 26)
    records = desk.table("records", "news")
    assert (records.height, records["record_id"].n_unique()) == (10_000, 10_000)


Dumps = dict[str, tuple[Line, ...]]
PAGE = "fair/day/2025010{}T000000Z.txt"
OF_A, OF_B, OF_C, OF_D = ({"title": name} for name in "abcd")
NIGHTS: dict[str, tuple[Dumps, Dumps, Status, list[str], list[tuple[str | None, str]]]] = {
    "a source fails": ({"fair/a.txt": (HAY,)}, {"fair/a.txt": (BAD,)}, Status.FAILED, ["Hay"], [NOT_THIS]),
    "a source has no dumps": (
        {"fair/a.txt": (HAY,)},
        {"fair/a.txt": ()},
        Status.FAILED,
        ["Hay"],
        [(None, "empty_result")],
    ),
    "one dump of three fails": (
        {"fair/a.txt": (OF_A,), "fair/b.txt": (OF_B,), "fair/c.txt": (OF_C,)},
        {"fair/b.txt": (BAD,), "fair/c.txt": (OF_C, OF_D)},
        Status.PARTIAL,
        ["a", "b", "c", "d"],
        [("fair/b.txt", "not_this_source")],
    ),
    "the newest capture of a page fails": (
        {},
        {PAGE.format(1): (HAY,), PAGE.format(2): (BAD,)},
        Status.PARTIAL,
        ["Hay"],
        [(PAGE.format(2), "not_this_source")],
    ),
    "the only capture of a page is replaced by a bad one": (
        {PAGE.format(1): (HAY,), "fair/other.txt": (RYE,)},
        {PAGE.format(1): (), PAGE.format(2): (BAD,)},
        Status.PARTIAL,
        ["Hay", "Rye"],
        [(PAGE.format(2), "not_this_source")],
    ),
    "a parser has a defect": (
        {},
        {"fair/a.txt": (HAY,), "fair/b.txt": ("break",)},
        Status.PARTIAL,
        ["Hay"],
        [("fair/b.txt", "parser_failed")],
    ),
}


@pytest.mark.parametrize("name", NIGHTS)
def test_what_was_good_stays(desk: Desk, name: str) -> None:
    """Night after night its rows of the last snapshot are published, the quarantine says why; others are published."""
    before, after, status, titles, reasons = NIGHTS[name]
    desk.put("news/a.txt", {"title": "Old"})
    for dumps in (before, after):
        for path, lines in dumps.items():
            desk.put(path, *lines)
            if not lines:
                (desk.raw / path).unlink()
        result = desk.run()
        desk.put("news/a.txt", {"title": "New"})
    for again in (result, desk.run(), desk.run()):
        assert (again.good, again.outcomes[0].status) == (False, status)
        assert desk.table("quarantine", "fair").select("dump", "reason").rows() == reasons
        assert desk.titles("fair") == titles
    block = manifest(desk)["sources"]["fair"]
    assert (desk.titles("news"), block["status"], block["published"]) == (["New"], status, len(titles))


def test_a_source_without_dumps_whose_rows_are_lost(desk: Desk) -> None:
    """It stays red, though nothing of it is published any more."""
    desk.put("news/a.txt", {"title": "Old"})
    dump = desk.put("fair/a.txt", HAY)
    desk.run()
    dump.unlink()
    for file in (desk.out / "snapshots").glob("*/*/fair.*"):
        file.unlink()
    assert [desk.run().good for _ in range(3)] == [False] * 3


def test_a_source_that_is_withdrawn(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Its rows go when a person says so, and from then on nothing is expected of it, until it has dumps again."""
    desk.put("news/a.txt", {"title": "Old"})
    dump = desk.put("fair/a.txt", HAY)
    desk.run()
    roots: list[str | Path] = ["--raw", desk.raw, "--out", desk.out, "--engine", "inline"]
    said = Said(capsys, "refresh", "--withdrawn", "fair", *roots)
    assert (said.code, said.err[-1]) == (
        2,
        "conspectus: fair: expected no dumps of a withdrawn source, found fair/a.txt",
    )
    dump.unlink()
    red = Said(capsys, "refresh", *roots)
    advice = f"next: conspectus refresh --withdrawn fair --raw {desk.raw} --out {desk.out}"
    assert (red.code, desk.titles("fair"), plain(advice) in red.out + red.err) == (1, ["Hay"], True)
    assert (Said(capsys, "refresh", "--withdrawn", "fair", *roots).code, desk.titles("fair")) == (0, [])
    changes = pl.read_parquet(desk.out / "latest" / "changes.parquet")
    assert changes["change"].to_list() == ["removed"]
    assert [desk.run().good for _ in range(2)] == [True, True]
    assert (Said(capsys, "status", "--out", desk.out).code, desk.titles("news")) == (0, ["Old"])
    desk.put("fair/a.txt", HAY)
    assert (desk.run().good, desk.titles("fair")) == (True, ["Hay"])
    dump.unlink()
    assert (desk.run().good, desk.titles("fair")) == (False, ["Hay"])


def test_changes_tell_what_was_added_changed_and_removed(desk: Desk) -> None:
    """The change table names the columns that differ; where a record was seen does not count."""
    desk.put("fair/a.txt", HAY, RYE)
    desk.run()
    assert [row[1] for row in changes(desk)] == ["added", "added"]
    desk.put("fair/a.txt", {**RYE, "start": "2025-01-01T11:00"}, {"title": "Oat"})
    desk.run()
    assert changes(desk) == [
        ("fair:unknown-event/hay", "removed", None),
        ("fair:unknown-event/oat", "added", None),
        ("fair:unknown-event/rye", "moved", ["starts_at", "slots"]),
    ]


def test_only_the_newest_snapshots_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """``keep`` bounds the snapshots; the newest is among them."""
    for day in range(1, 5):
        desk.put("fair/a.txt", {**HAY, "start": f"2025-01-0{day}T09:00"})
        now = datetime(2025, 1, day, tzinfo=UTC)  # a day has passed: ids are to the second, in the order of time
        monkeypatch.setattr("pipeline.run.plan.datetime", Mock(now=Mock(return_value=now)))
        newest = desk.run(keep=2).publication.folder.name
    assert (len(snapshots(desk)), snapshots(desk)[-1]) == (2, newest)


def test_manifest_describes_every_file(desk: Desk) -> None:
    """Every file stands in the manifest with its hash, rows and bytes, beside contract version and line counts."""
    desk.put("fair/a.txt", HAY, "junk")
    desk.run()
    written = manifest(desk)
    root = desk.out / "latest"
    names = {file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()}
    assert names - {"manifest.json"} == set(written["files"])
    assert (written["contract_version"], written["sources"]["fair"]["lines"]) == (
        CONTRACT_VERSION,
        {"record": 1, "unexplained": 1},
    )


def test_published_version_is_that_of_the_contract(desk: Desk) -> None:
    """Every Parquet file of the three tables carries contract version and column descriptions."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    stored = pl.read_parquet_metadata(desk.out / "latest" / "parquet" / "fair.parquet")
    assert stored["conspectus.contract_version"] == CONTRACT_VERSION
    assert json.loads(stored["conspectus.columns"])["record_id"].startswith("`<source>:<key>`")
    provenance = json.loads(stored["conspectus.provenance"])
    assert (provenance["source"], provenance["parsers"]) == ("fair", ["fair@1"])


def drop_column(desk: Desk, name: str, version: str) -> None:
    """Turn the published dataset into one of another contract version that lacks a column."""
    root = (desk.out / "latest").resolve()
    file = root / "parquet" / "news.parquet"
    pl.read_parquet(file).drop(name).write_parquet(file)
    vouch_for(root, "parquet/news.parquet")
    put_manifest(root, load_manifest(root) | {"contract_version": version})


def test_files_of_an_older_minor_version_are_rewritten(desk: Desk) -> None:
    """A carried source of an older minor version gets today's columns, null, and today's version."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", {"title": "Old", "comments": "kept"})
    desk.run()
    drop_column(desk, "keywords", "2.-1")
    desk.put("fair/a.txt", RYE)
    desk.run("fair")
    row = desk.table("records", "news").row(0, named=True)
    assert (manifest(desk)["contract_version"], list(row)) == (CONTRACT_VERSION, list(RECORDS.columns))
    assert (row["title"], row["comments"], row["keywords"]) == ("Old", "kept", None)


def test_a_dataset_of_another_major_version_is_refused(desk: Desk) -> None:
    """Nothing is written over a dataset that this version cannot read."""
    desk.put("news/a.txt", {"title": "Old"})
    desk.run()
    drop_column(desk, "keywords", "0.9")
    with pytest.raises(StoreError, match=r"expected contract version .*, found 0\.9; use another --out"):
        desk.run()


@pytest.mark.parametrize("obstacle", ["file", "below"])
def test_out_root_that_cannot_be_written_is_said(desk: Desk, obstacle: str) -> None:
    """An out root that is a file, or lies below one, is a clear error before anything is read."""
    desk.put("fair/a.txt", HAY)
    (desk.out.parent / "out").write_text("in the way")
    desk.out = desk.out if obstacle == "file" else desk.out / "deeper"
    with pytest.raises(UsageError, match="expected a writable out root"):
        desk.run()


def test_a_file_that_does_not_read_back_is_not_published(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file damaged after it was written is found before the switch."""
    desk.put("fair/a.txt", HAY)
    real = write_files  # the step after which the damage is done

    def damage(folder: Path, *rest: Any) -> object:
        blocks = real(folder, *rest)
        replace_file(folder / "parquet" / "fair.parquet", b"rot")
        return blocks

    monkeypatch.setattr(publish, "write_files", damage)
    with pytest.raises(PublishError, match=r"fair\.parquet: reads back differently than written"):
        desk.run()
    assert not (desk.out / "latest").exists()


KILLED = """
import os, sys
from pipeline.publishing import publish
from pipeline.__main__ import main
def kill(*_):
    os.kill(os.getpid(), 9)
setattr(publish, sys.argv[1], kill)
main(["refresh", "--quiet", "--raw", sys.argv[2], "--out", sys.argv[3]])
"""


@pytest.mark.parametrize(("step", "new"), [("_verify", True), ("switch", False)])
def test_a_killed_process_holds_nothing(specimens: Path, tmp_path: Path, step: str, new: bool) -> None:
    """After a real kill neither its lock nor its leftovers keep the next run from publishing.

    A snapshot that was finished, where none was published before, is taken as it is.
    """
    raw, out = tmp_path / "raw", tmp_path / "out"
    shutil.copytree(specimens / "hf_daily", raw / "hf_daily")
    command = [sys.executable, "-c", KILLED, step, str(raw), str(out)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert not (out / "latest").exists()
    result = refresh(Settings(raw, out), sources())
    assert (result.good, result.publication.new, (out / "latest").exists()) == (True, new, True)


def test_the_second_of_two_runs_waits_and_says_so(desk: Desk) -> None:
    """A run that finds the out root held says so and goes on when it is free."""
    desk.put("fair/a.txt", HAY)
    desk.out.mkdir()
    told: list[str] = []
    holder = FileLock(desk.out / LOCK)
    holder.acquire()

    def watch(message: str) -> None:
        told.append(message)
        holder.release()

    refresh(Settings(desk.raw, desk.out), desk.known, ["fair"], watch)
    assert (told[0], desk.titles("fair")) == (f"another run is active in {desk.out}; waiting for it to finish", ["Hay"])


def test_a_run_that_should_not_wait_ends(desk: Desk) -> None:
    """A run that finds the out root held, and is told not to wait, says so and changes nothing."""
    desk.put("fair/a.txt", HAY)
    desk.out.mkdir()
    with FileLock(desk.out / LOCK), pytest.raises(BusyError, match=f"another run is active in {desk.out}"):
        refresh(Settings(desk.raw, desk.out), desk.known, ["fair"], wait=False)
    assert not (desk.out / "latest").exists()


def test_links_are_relative(desk: Desk) -> None:
    """The dataset can be moved as a whole: the link names the snapshot relative to itself."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    assert not os.path.isabs(os.readlink(desk.out / "latest"))  # noqa: PTH115, PTH117  # pathlib would resolve it


def test_a_full_disk_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the library that writes has another word for it."""
    desk.put("fair/a.txt", HAY)
    error = pl.exceptions.ComputeError("parquet: Invalid thrift: transport error")
    monkeypatch.setattr("pipeline.publishing.publish.write_files", Mock(side_effect=error))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=4096))
    with pytest.raises(PublishError, match=r"the disk is full: No space left on device: parquet: Invalid thrift"):
        desk.run()


def test_dumps_that_are_gone(desk: Desk) -> None:
    """It is said how many records went with them, once."""
    for name in "abcd":
        desk.put(f"fair/{name}.txt", *({**HAY, "title": f"{name} {number}"} for number in range(5)))
    desk.run()
    for name in "bc":
        (desk.raw / "fair" / f"{name}.txt").unlink()
    told = [told_of(desk.run("fair").outcomes[0]) for _ in range(2)]
    assert ("10 of 20 records are gone: their dumps are, such as fair/b.txt" in told[0], told[1]) == (True, ())
