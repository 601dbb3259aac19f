"""Works in snapshots: made with the records, kept where nothing has changed, decided by people, never in the way."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.base.settings import Settings, UsageError
from pipeline.config import configure
from pipeline.publishing.store import open_snapshot, sealed
from pipeline.publishing.verify import verify
from pipeline.publishing.works import COMPARED_FOLDER
from pipeline.reading.cache import CACHE
from pipeline.run.refresh import Result, refresh
from pipeline.works.works import ComparedRecords, compare
from schemas.works import WORK_TABLES
from tests.support.said import steps
from tests.support.toy import Desk, Filled

PAPER = {"title": "Less sugar in every pot of jam", "authors": ["Ada Quill", "Bo Ferns"], "kind": "paper"}
TALK = {**PAPER, "title": "Less suger in every pot of jam", "start": "2026-05-01T09:00", "event": "Jam 2026"}
OTHER = {**PAPER, "title": "Boiling pots by ear alone"}
DECISION = '[[{}]]\nrecords = ["{}", "{}"]\nwhy = "read"\nby = "Ada"\non = 2026-05-01\n'


def cook(desk: Desk) -> None:
    """Publish a paper of a listing, and the talk on it, with a slip in its title."""
    desk.put("news/a.txt", {**PAPER, "listed_on": "2026-05-02"})
    desk.put("news/other.txt", {**OTHER, "listed_on": "2026-05-02"})
    desk.put("fair/a.txt", TALK)
    assert desk.run().good


@pytest.fixture
def kitchen(desk: Desk, filled: Filled, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """Return a desk where that is published; ``works.toml`` may lie beside."""
    monkeypatch.chdir(tmp_path)
    return desk.take(filled(cook))


def run(desk: Desk) -> Result:
    """Refresh, with the decisions of the working directory."""
    return refresh(configure(Settings(desk.raw, desk.out), None), desk.known)


def table(desk: Desk, name: str) -> pl.DataFrame:
    """Read a table of works."""
    return pl.read_parquet(desk.out / "latest" / f"{name}.parquet")


def groups(desk: Desk) -> list[list[str]]:
    """Return the titles of the records of each work of several."""
    rows = pl.concat([desk.table("records", name) for name in ("fair", "news")])
    both = table(desk, "work_members").join(rows, on="record_id").sort("title")
    return [titles for titles in both.group_by("work_id").agg("title")["title"].to_list() if len(titles) > 1]


def ids(desk: Desk) -> list[str]:
    """Return the ids of the records, by their titles."""
    rows = pl.concat([desk.table("records", name) for name in ("fair", "news")])
    return rows.sort("title")["record_id"].to_list()


def decide(folder: Path, *decisions: tuple[str, str, str]) -> None:
    """Write ``works.toml``."""
    (folder / "works.toml").write_text("\n".join(DECISION.format(*each) for each in decisions))


def test_works_are_published_with_the_records(kitchen: Desk) -> None:
    """All tables are there, described by the manifest, and vouched for."""
    assert groups(kitchen) == [[PAPER["title"], TALK["title"]]]
    assert {name: table(kitchen, name).height for name in WORK_TABLES} == {
        "works": 2,
        "work_members": 3,
        "work_reviews": 0,
        "work_changes": 0,
    }
    assert verify(kitchen.out).problems == ()


def test_a_night_without_news_makes_none(kitchen: Desk) -> None:
    """Nothing is compared, and no snapshot is made."""
    assert not run(kitchen).publication.new


def test_changes(kitchen: Desk) -> None:
    """A record that comes to a work is told once, not again where only another table has changed."""
    kitchen.put("fair/b.txt", {**PAPER, "event": "Pots 2026"})
    run(kitchen)
    assert table(kitchen, "work_changes").select("change", pl.col("added").list.len()).rows() == [("grown", 1)]
    kitchen.put("news/b.txt", "junk")
    assert run(kitchen).publication.new
    assert (table(kitchen, "work_changes").height, len(groups(kitchen))) == (0, 1)


def test_decisions(kitchen: Desk, tmp_path: Path) -> None:
    """What a person has decided makes a snapshot of its own, and ends with the entry; one on nobody is told."""
    boiling, paper, talk = ids(kitchen)
    decide(tmp_path, ("different", paper, talk), ("same", boiling, paper))
    assert run(kitchen).publication.new
    assert groups(kitchen) == [[OTHER["title"], PAPER["title"]]]
    assert sorted(table(kitchen, "work_changes")["change"]) == ["merged", "split"]
    assert not run(kitchen).publication.new
    decide(tmp_path, ("same", boiling, "news:gone"))
    result = run(kitchen)
    assert (result.good, result.warnings) == (
        True,
        (f"{tmp_path}/works.toml: expected records that are published, found news:gone",),
    )
    assert groups(kitchen) == [[PAPER["title"], TALK["title"]]]


def test_a_decision_that_contradicts_what_is_printed(kitchen: Desk, tmp_path: Path) -> None:
    """Two records of one programme stay two, and each run says so until the entry is gone."""
    kitchen.put("fair/a.txt", TALK, {**OTHER, "event": "Jam 2026"})
    run(kitchen)
    pair = sorted(kitchen.table("records", "fair")["record_id"])
    decide(tmp_path, ("same", *pair))
    why = f"{tmp_path}/works.toml: {pair[0]} and {pair[1]} cannot be one work: two records of one programme or page"
    assert [run(kitchen).warnings for _ in range(2)] == [(why,), (why,)]
    (tmp_path / "works.toml").unlink()
    assert run(kitchen).warnings == ()


@pytest.mark.parametrize(
    "text", ["[[same]]\n", "same\n", DECISION.format("same", "a", "b") + DECISION.format("different", "a", "b")]
)
def test_decisions_that_cannot_be_carried_out(kitchen: Desk, tmp_path: Path, text: str) -> None:
    """The run ends before anything is read or written, with the file."""
    (tmp_path / "works.toml").write_text(text)
    kitchen.put("news/b.txt", {**OTHER, "title": "News of pots"})
    before = kitchen.data()
    with pytest.raises(UsageError, match=r"works\.toml: "):
        run(kitchen)
    assert kitchen.data() == before


def test_works_that_fail(kitchen: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The records are published all the same, the last works stay, the night is red until they can be made again."""
    before = table(kitchen, "works")
    kitchen.put("news/b.txt", {**OTHER, "title": "News of pots", "listed_on": "2026-05-03"})

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.publishing.works.settle", fail)
        first, second = run(kitchen), run(kitchen)
    why = "works: could not be made, the last ones stay: ZeroDivisionError: a defect"
    assert [(each.good, each.failures, each.publication.new) for each in (first, second)] == [
        (False, (why,), True),
        (False, (why,), False),
    ]
    assert steps(first)[-2:] == [f"red: {why}", "next: conspectus refresh"]
    assert ("News of pots" in kitchen.titles("news"), table(kitchen, "works").equals(before)) == (True, True)
    assert verify(kitchen.out).problems == (why,)
    assert run(kitchen).good
    assert (table(kitchen, "works").height, verify(kitchen.out).problems) == (3, ())


def test_a_panic_of_the_library(kitchen: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no ``Exception``, and keeps no record back either."""
    kitchen.put("news/b.txt", {**OTHER, "title": "News of pots", "listed_on": "2026-05-03"})

    def panic(*_: object) -> None:
        raise pl.exceptions.PanicException("a defect")

    monkeypatch.setattr("pipeline.publishing.works.settle", panic)
    assert (run(kitchen).good, "News of pots" in kitchen.titles("news")) == (False, True)


def test_works_that_fail_in_the_first_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are there without rows, and the manifest says why."""
    desk.put("news/a.txt", PAPER)
    monkeypatch.setattr("pipeline.publishing.works.make_features", lambda _: 1 / 0)
    why = "works: could not be made, the last ones stay: ZeroDivisionError: division by zero"
    assert (desk.run().failures, verify(desk.out).problems) == ((why,), (why,))
    assert (desk.titles("news"), [table(desk, name).height for name in WORK_TABLES]) == ([PAPER["title"]], [0, 0, 0, 0])


def test_works_that_break_the_contract(kitchen: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that the tables do not allow are not published."""
    kitchen.put("news/b.txt", {**OTHER, "title": "News of pots", "listed_on": "2026-05-03"})
    monkeypatch.setattr("pipeline.publishing.works.changed_works", lambda *_: table(kitchen, "work_changes").clear(1))
    assert run(kitchen).failures[0].endswith("ValueError: work_changes: expected rows of the contract")


@pytest.mark.parametrize("harm", ["missing", "damaged", "other code"])
def test_what_was_compared_may_be_lost(kitchen: Desk, monkeypatch: pytest.MonkeyPatch, harm: str) -> None:
    """Then everything is compared, with the same result; else only the files that are new are read."""
    whole = list[int]()

    def compare_all(features: pl.DataFrame) -> ComparedRecords:
        whole.append(features.height)
        return compare(features)

    monkeypatch.setattr("pipeline.publishing.works.compare", compare_all)
    (state,) = (kitchen.out / CACHE / COMPARED_FOLDER).iterdir()
    kitchen.put("fair/b.txt", {**PAPER, "event": "Pots 2026"})
    run(kitchen)
    assert (whole, groups(kitchen)) == ([], [[PAPER["title"], PAPER["title"], TALK["title"]]])
    match harm:
        case "missing":
            state.unlink()
        case "damaged":
            data = state.read_bytes()
            state.write_bytes(data[:99] + b"?" + data[100:])
        case _:
            monkeypatch.setattr("pipeline.publishing.works.VERSION", "other")
    kitchen.put("fair/c.txt", {**PAPER, "event": "Jars 2026"})
    run(kitchen)
    assert (len(whole), len(groups(kitchen)[0])) == (1, 4)


def test_another_snapshots_works_are_found(kitchen: Desk) -> None:
    """``verify`` compares what the works were made from."""
    manifest = kitchen.out / "latest" / "manifest.json"
    snapshot = open_snapshot(manifest.parent.resolve())
    changed = {**snapshot.manifest, "works": {**snapshot.works, "records": "0"}}
    changed.pop("manifest_sha256")
    manifest.write_bytes(sealed(changed))
    assert verify(kitchen.out).problems == (
        "manifest.json: expected works made from the records of the snapshot, found those of others",
    )
