"""Foreign files below the out root, a lost link, wrong clocks: reported, and the run continues."""

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from pipeline.publishing.chain import Chain
from pipeline.publishing.lock import LOCK
from pipeline.publishing.verify import verify
from tests.support.manifests import load_manifest, put_manifest
from tests.support.said import Said
from tests.support.toy import Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00"}
RYE = {"title": "Rye", "event": "E"}

Put = Callable[[Path], object]


def put_file(path: Path) -> None:
    """Put a file where it does not belong."""
    path.write_text("a note")


def put_folder(path: Path) -> None:
    """Put a folder with something in it where it does not belong."""
    path.mkdir()
    (path / "note.txt").write_text("a note")


def put_link(path: Path) -> None:
    """Put a link that leads nowhere."""
    path.symlink_to("nowhere")


def lose_link(path: Path) -> None:
    """Let a link lead nowhere."""
    path.unlink()
    put_link(path)


def put_pipe(path: Path) -> None:
    """Put a named pipe, from which nothing ever comes."""
    os.mkfifo(path)


def refresh(capsys: pytest.CaptureFixture[str], desk: Desk) -> Said:
    """Refresh by the command."""
    return Said(capsys, "refresh", "--raw", desk.raw, "--out", desk.out, "--config", os.devnull)


def repairs(said: Said) -> list[str]:
    """Return the lines on what was found below the out root."""
    return [line for line in said.out if line.startswith(("damaged", "failed", "healed", "moved aside", "passed over"))]


def at(patch: pytest.MonkeyPatch, year: int) -> None:
    """Set the clock of the next run."""
    patch.setattr("pipeline.run.plan.datetime", Mock(now=Mock(return_value=datetime(year, 1, 1, tzinfo=UTC))))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish three snapshots, a year after the other."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    with pytest.MonkeyPatch.context() as patch:
        for year in (2021, 2022, 2023):
            at(patch, year)
            desk.put("fair/a.txt", {**HAY, "start": f"{year}-01-01T09:00"})
            desk.run("fair")
    return desk.out


@pytest.fixture
def published(desk: Desk, template: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Give a test three snapshots of its own, and something new to publish."""
    shutil.copytree(template, desk.out, symlinks=True)
    at(monkeypatch, 2024)
    desk.put("fair/a.txt", RYE)
    return desk


def years(desk: Desk) -> list[str]:
    """Return the years of the snapshots that are there, by name."""
    return sorted(folder.name[:4] for folder in (desk.out / "snapshots").iterdir() if folder.name[0] in "12")


PUTS: tuple[Put, ...] = (put_file, put_folder, put_link, put_pipe)


def test_what_is_no_snapshot_is_told_and_left(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever it is: it stays, nothing of it is read, and the run is good."""
    names = ("20210101T000000Z-0000000g", "20219901T000000Z-00000000", "20250101T000000Z-00000000", "notes.txt")
    strays = [published.out / "snapshots" / name for name in names]
    for stray, put in zip(strays, (put_folder, put_folder, put_link, put_file), strict=True):
        put(stray)
    put_pipe(published.out / "snapshots" / "pipe")
    said = refresh(capsys, published)
    assert (said.code, repairs(said)) == (
        0,
        [f"passed over: snapshots/{name}: not a snapshot" for name in (*names, "pipe")],
    )
    assert (all(map(os.path.lexists, strays)), published.titles("fair")) == (True, ["Rye"])


def test_a_snapshot_without_manifest_is_told_and_left(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It bears the name of one, and may be what somebody wants to look at."""
    folder = published.out / "snapshots" / "20250101T000000Z-00000000"
    put_folder(folder)
    pipe = published.out / "snapshots" / "20260101T000000Z-00000000" / "manifest.json"
    pipe.parent.mkdir()
    put_pipe(pipe)
    said = refresh(capsys, published)
    expected = f"{folder}/manifest.json: expected the manifest of a snapshot: [Errno 2] No such file or directory"
    assert (said.code, repairs(said)) == (
        0,
        [
            f"passed over: {expected}: '{folder}/manifest.json'",
            f"passed over: {pipe}: expected the manifest of a snapshot, found something that is not a file",
        ],
    )
    assert (folder / "note.txt").exists()


def test_what_only_a_run_can_have_left_is_taken_away(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever it is, without a word, as after a kill."""
    snapshots = published.out / "snapshots"
    places = [
        (snapshots / f"{prefix}{number}", put) for prefix in (".new-", ".old-") for number, put in enumerate(PUTS)
    ]
    places += [
        (published.out / ".latest", put_folder),
        ((published.out / "latest").resolve() / ".manifest.json", put_pipe),
    ]
    for path, put in places:
        put(path)
    said = refresh(capsys, published)
    assert (said.code, repairs(said), [path for path, _ in places if os.path.lexists(path)]) == (0, [], [])


@pytest.mark.parametrize("put", [put_file, put_folder])
def test_something_else_in_the_place_of_the_link(published: Desk, capsys: pytest.CaptureFixture[str], put: Put) -> None:
    """It is moved aside, with all that is in it; the run goes on from the newest snapshot."""
    link = published.out / "latest"
    newest = link.resolve().name
    link.unlink()
    put(link)
    said = refresh(capsys, published)
    assert (said.code, repairs(said)) == (
        0,
        [
            f"damaged: {link}: expected a link to the newest snapshot, found something else",
            f"healed: latest: using the newest intact snapshot, {newest}",
            "moved aside: latest: expected the link to the newest snapshot; renamed to latest.aside-1",
        ],
    )
    assert ((published.out / "latest.aside-1").exists(), link.is_symlink(), verify(published.out).problems) == (
        True,
        True,
        (),
    )


def test_something_else_in_the_place_of_the_snapshots(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A first run moves it aside."""
    desk.put("fair/a.txt", HAY)
    desk.out.mkdir()
    put_file(desk.out / "snapshots")
    said = refresh(capsys, desk)
    expected = "moved aside: snapshots: expected the snapshots folder; renamed to snapshots.aside-1"
    assert (said.code, repairs(said), desk.titles("fair")) == (0, [expected], ["Hay"])


@pytest.mark.parametrize("put", [put_folder, put_link])
def test_something_else_in_the_place_of_the_lock(published: Desk, capsys: pytest.CaptureFixture[str], put: Put) -> None:
    """It is moved aside."""
    (published.out / LOCK).unlink()
    put(published.out / LOCK)
    said = refresh(capsys, published)
    assert (said.code, said.err[0]) == (0, "moved aside: .lock: expected a file; renamed to lock.aside-1")
    assert os.path.lexists(published.out / "lock.aside-1")


@pytest.mark.parametrize("lost", [Path.unlink, lose_link])
def test_a_lost_link_is_made_again(published: Desk, capsys: pytest.CaptureFixture[str], lost: Put) -> None:
    """The newest whole snapshot of the chain is the last one: no first run, though nothing is read again here."""
    published.put("fair/a.txt", {**HAY, "start": "2023-01-01T09:00"})
    link = published.out / "latest"
    newest = link.resolve()
    before = load_manifest(published.out)["previous"]
    lost(link)
    status = Said(capsys, "status", "--out", published.out)
    said = refresh(capsys, published)
    assert (status.code, said.code, link.resolve()) == (1, 0, newest)
    assert repairs(said)[-1] == f"healed: latest: using the newest intact snapshot, {newest.name}"
    assert (load_manifest(published.out)["previous"], said.out[-1].endswith("same snapshot)")) == (before, True)


def test_a_lost_link_forgets_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows that were kept for a dump that failed are still kept, and changes are told against them."""
    desk.put("news/a.txt", {"title": "Old"})
    desk.put("news/b.txt", RYE)
    desk.run("news")
    desk.put("news/a.txt", "damaged")
    (desk.out / "latest").unlink()
    said = refresh(capsys, desk)
    assert (said.code, desk.titles("news")) == (1, ["Old", "Rye"])
    assert Said(capsys, "changes", "--out", desk.out).out == []


def test_a_clock_that_was_wrong(
    published: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Snapshots from the future go when it is their turn; what is new replaces none that is newer than they are."""
    kept = []
    for year, title in ((2050, "One"), (2025, "Two"), (2026, "Three"), (2027, "Four")):
        at(monkeypatch, year)
        published.put("fair/a.txt", {"title": title})
        published.run("fair", keep=3)
        kept.append(years(published))
    assert kept == [
        ["2022", "2023", "2050"],
        ["2023", "2025", "2050"],
        ["2025", "2026", "2050"],
        ["2025", "2026", "2027"],
    ]
    assert [each.id[:4] for each in Chain(published.out).kept] == ["2027", "2026", "2025"]


def test_readers_follow_the_chain(
    published: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``changes --since`` compares with what came last before that day; a lost link leads to what came last."""
    for year, title in ((2050, "One"), (2025, "Two"), (2026, "Three")):
        at(monkeypatch, year)
        published.put("fair/a.txt", {"title": title})
        published.run("fair")
    said = Said(capsys, "changes", "--since", "2025-06-01", "--out", published.out)
    assert said.out == ["added    fair:unknown-event/three  Three", "removed  fair:unknown-event/two  Two"]
    (published.out / "latest").unlink()
    assert (refresh(capsys, published).code, published.titles("fair")) == (0, ["Three"])


def test_snapshots_that_no_chain_holds_together(published: Desk) -> None:
    """Those whose manifests name nothing, or each other, stand in the order of their names."""
    for folder in (published.out / "snapshots").iterdir():
        put_manifest(folder, load_manifest(folder) | {"previous": folder.name})
    assert [each.id[:4] for each in Chain(published.out).kept] == ["2023", "2022", "2021"]


def test_snapshots_of_another_major_version_go_first(published: Desk) -> None:
    """They count as the oldest, whatever their names say."""
    (newest,) = (folder for folder in (published.out / "snapshots").iterdir() if folder.name.startswith("2023"))
    (published.out / "latest").unlink()
    put_manifest(newest, load_manifest(newest) | {"contract_version": "0.9"})
    assert (published.run("fair", keep=3).good, years(published)) == (True, ["2021", "2022", "2024"])
