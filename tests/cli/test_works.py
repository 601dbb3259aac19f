"""``works``: what records are one work, and why; pairs as entries to copy. ``show`` names the other records."""

import json
import tomllib

import pytest

from pipeline.cli import works
from pipeline.publishing.store import open_snapshot, sealed
from pipeline.works.forced import read_forced
from tests.support.said import Said
from tests.support.toy import Desk, Filled

Capture = pytest.CaptureFixture[str]
PAPER = {"title": "Less sugar in every pot of jam", "authors": ["Ada Quill", "Bo Ferns"], "kind": "paper"}
TALK = {**PAPER, "title": "Less suger in every pot of jam", "start": "2026-06-01T09:00", "event": "Jam 2026"}
SLIP = "fair:jam-2026/less-suger-in-every-pot-of-jam"
ALONE = {"title": "Boiling pots by ear alone", "kind": "paper"}


def cook(desk: Desk) -> None:
    """Publish a paper with its talk, and a title alone on two pages."""
    desk.put("news/a.txt", {**PAPER, "listed_on": "2026-05-02", "arxiv_id": "2605.00001"})
    desk.put("news/b.txt", ALONE)
    desk.put("fair/a.txt", TALK, {**ALONE, "event": "Jam 2026", "authors": ["Cy Moss"]})
    desk.run()


@pytest.fixture
def kitchen(desk: Desk, filled: Filled, in_the_desk: None) -> Desk:
    """Return a desk where that is published."""
    return desk.take(filled(cook))


def test_all(kitchen: Desk, capsys: Capture) -> None:
    """Works of several records, with their sources; all of them as rows."""
    said = Said(capsys, "works")
    assert said.out == [PAPER["title"], "    work:news:2605.00001: 2 records of fair, news"]
    assert said.err == ["works of several records: 1; works ID says why, works --review asks"]
    assert json.loads(Said(capsys, "works", "--json").out[0])["sources"] == ["fair", "news"]


@pytest.mark.parametrize(
    "named", ["work:news:2605.00001", "work:fair:jam-2026/less-suger-in-every-pot-of-jam", "news:2605.00001"]
)
def test_one(kitchen: Desk, capsys: Capture, named: str) -> None:
    """By its id, one that it might have had, or that of a record: its records, the oldest first, and the rule."""
    why = "nearly the same title, and the same authors, in years that are not apart"
    assert Said(capsys, "works", named).out == [
        "Less sugar in every pot of jam",
        "work:news:2605.00001, paper, since 2026-05-01, arXiv 2605.00001",
        "",
        "  news:2605.00001",
        "    Less sugar in every pot of jam; Ada Quill, Bo Ferns; news; 2026-05-02",
        f"    {why}: {SLIP} (found by words, score 0.98)",
        "",
        f"  {SLIP}",
        "    Less suger in every pot of jam; Ada Quill, Bo Ferns; Jam 2026; 2026-06-01",
        f"    {why}: news:2605.00001 (found by words, score 0.98)",
    ]
    rows = [json.loads(line)["rule"] for line in Said(capsys, "works", named, "--json").out]
    assert rows == ["near_title", "near_title"]


def test_review(kitchen: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry may be copied and completed; it ends with what is asked."""
    said = Said(capsys, "works", "--review")
    assert said.out[2] == "# the same title or nearly, and authors that are others or unknown"
    text = "\n".join(said.out).replace('""', '"read"')
    ((pair, why),) = read_forced(tomllib.loads(text)).same.items()
    assert (len(pair), why) == (2, "read")
    (row,) = map(json.loads, Said(capsys, "works", "--review", "--json").out)
    assert (row["record_id"], row["partner"]) == pair
    monkeypatch.setattr(works, "MOST", 0)
    assert (
        "pairs that may be one work: 1; these are the first 0 (--json prints all)"
        in Said(capsys, "works", "--review").err[-1]
    )


def test_works_that_could_not_be_made(kitchen: Desk, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said before anything is shown; works of a snapshot whose table is damaged are not."""
    kitchen.put("fair/a.txt", {**ALONE, "event": "Jam 2026", "authors": ["Cy Moss"]})
    monkeypatch.setattr("pipeline.publishing.works.settle", lambda *_: 1 / 0)
    kitchen.run()
    assert Said(capsys, "works").err[0].startswith("warning: works: could not be made")
    status = Said(capsys, "status")
    assert (status.code, status.err[-1][:31]) == (1, "failed: works: could not be mad")
    assert json.loads(Said(capsys, "status", "--json").out[0])["good"] is False
    assert "    no longer published" in Said(capsys, "works", "news:2605.00001").out
    table = (kitchen.out / "latest" / "works.parquet").resolve()
    table.chmod(0o644)
    table.write_bytes(b"?")
    said = Said(capsys, "works")
    assert (said.code, said.err[-1].startswith("failed: ")) == (1, True)


def test_a_snapshot_before_works(kitchen: Desk, capsys: Capture) -> None:
    """It has none."""
    folder = (kitchen.out / "latest").resolve()
    manifest = open_snapshot(folder).manifest
    files = {path: block for path, block in manifest["files"].items() if not path.startswith("work")}
    older = {key: value for key, value in manifest.items() if key not in {"works", "manifest_sha256"}} | {
        "files": files
    }
    (folder / "manifest.json").write_bytes(sealed(older))
    assert Said(capsys, "works").out == []
    assert "also on" not in "\n".join(Said(capsys, "show", "news:2605.00001").out)


def test_show_names_the_others(kitchen: Desk, capsys: Capture) -> None:
    """A record is shown with those that are the same work."""
    shown = Said(capsys, "show", "news:2605.00001").out
    assert shown[-1] == f"{'also on':<20} {SLIP}"


def test_a_record_that_is_of_no_work(kitchen: Desk, capsys: Capture) -> None:
    """The next command lists what there is."""
    said = Said(capsys, "works", "news:nothing")
    assert (said.code, said.err[-1]) == (2, "next: conspectus works")
