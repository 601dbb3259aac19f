"""Damage below the out root: reported, repaired from raw or older snapshots, and never published again."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.base.guard_settings import GuardBook, Guards
from pipeline.base.settings import Settings
from pipeline.publishing.store import StoreError, open_snapshot
from pipeline.publishing.verify import verify
from pipeline.run.refresh import refresh
from pipeline.run.summary import messages
from schemas.tables import CONTRACT_VERSION
from tests.support.helpers import replace_file
from tests.support.manifests import load_manifest, put_manifest
from tests.support.said import Said
from tests.support.toy import FAIR, TOYS, Desk

HAY = {"title": "Hay", "event": "E", "authors": ["Ann"], "start": "2025-01-01T09:00"}
RYE = {"title": "Rye", "event": "E"}
SEED = 20260711


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish two snapshots of two sources."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.put("fair/a.txt", HAY, "junk")
    desk.put("news/a.txt", {"title": "Old"})
    desk.run()
    desk.put("news/b.txt", {"title": "New"}, "waste")
    desk.run()
    return desk.raw.parent


@pytest.fixture
def published(desk: Desk, template: Path, at_rest: None) -> Desk:
    """Give a test two snapshots of its own, whose files are known by their times: damage must be seen all the same."""
    desk.raw.rmdir()
    shutil.copytree(template, desk.raw.parent, symlinks=True, dirs_exist_ok=True)
    desk.run()
    return desk


def newest(desk: Desk) -> Path:
    """Return the folder of the newest snapshot."""
    return (desk.out / "latest").resolve()


def older(desk: Desk) -> Path:
    """Return the folder of the snapshot before."""
    return next(folder for folder in (desk.out / "snapshots").iterdir() if folder != newest(desk))


def flip(file: Path, place: float = 0.5) -> None:
    """Change one byte of a file, so far from its beginning."""
    data = bytearray(file.read_bytes())
    data[int(place * len(data))] ^= 0x55
    replace_file(file, bytes(data))


def cut(file: Path, place: float = 0.5) -> None:
    """Cut a file off."""
    data = file.read_bytes()
    replace_file(file, data[: int(place * len(data))])


def flip_rows(desk: Desk, source: str, folder: str = "parquet", lines: str = "json") -> None:
    """Damage a table and the lines that repeat it."""
    flip(newest(desk) / folder / f"{source}.parquet")
    flip(newest(desk) / lines / f"{source}.ndjson")


def command(capsys: pytest.CaptureFixture[str], desk: Desk, *sources: str) -> Said:
    """Refresh by the command."""
    return Said(capsys, "refresh", *sources, "--raw", desk.raw, "--out", desk.out, known=desk.known)


def repairs(said: Said) -> list[str]:
    """Return the lines on what was found damaged."""
    return [line for line in said.out if line.startswith(("damaged: ", "failed: ", "healed: ", "kept: "))]


def survives(desk: Desk, path: str, harm: Callable[[Path, float], None], place: float) -> bool:
    """True if a file is harmed, and the next refresh tells it and publishes the same data, all whole."""
    before, file = desk.data(), newest(desk) / path
    good = file.read_bytes()
    harm(file, place)
    result = desk.run(keep=3)
    told = any(path in line for line in messages(result))
    return file.read_bytes() == good or (told and desk.data() == before and verify(desk.out).problems == ())


def test_a_byte_of_any_file(published: Desk) -> None:
    """Flipped or cut at any place of a file of the newest snapshot: told, and the same data are published whole.

    Of the two sources, whose files are written alike, those of one are tried, and all that describe the snapshot.
    """
    draw = random.Random(SEED)  # noqa: S311  # any numbers will do
    files = sorted(file.relative_to(newest(published)).as_posix() for file in newest(published).rglob("*.*"))
    files = [path for path in files if Path(path).stem != "fair" and not path.endswith(".schema.json")]
    harms = [(path, flip, draw.random()) for path in (*files, *["manifest.json"] * 3)]
    harms += [(path, cut, draw.random()) for path in files[::2]]
    assert (len(harms), [harm for harm in harms if not survives(published, *harm)]) == (20, [])


def test_a_byte_of_the_cache(published: Desk) -> None:
    """An entry that is damaged is as none: the dump is read again."""
    before = published.data()
    for entry in (published.out / ".cache").glob("*/*"):
        flip(entry)
    flip(newest(published) / "parquet" / "news.parquet")
    published.run()
    assert (published.data() == before, verify(published.out).problems) == (True, ())


def test_what_is_told_of_each_file(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that made all good ends with 0; sources that were not named are read again where they are damaged."""
    before, folder = published.data(), newest(published)
    files = ("README.md", "changes.parquet", "json/news.ndjson", "parquet/news.parquet", "quarantine/fair.parquet")
    for path in files:
        flip(folder / path)
    said = command(capsys, published, "news")
    name = f"of {folder.name} does not match its manifest"
    assert (said.code, repairs(said), published.data() == before) == (
        0,
        [
            f"healed: README.md {name}: written again",
            f"damaged: changes.parquet {name}: the changes of that run are lost",
            f"healed: json/news.ndjson {name}: rebuilt from the dumps",
            f"healed: parquet/news.parquet {name}: rebuilt from the dumps",
            f"healed: quarantine/fair.parquet {name}: rebuilt from the dumps",
        ],
        True,
    )
    assert (verify(published.out).problems, load_manifest(published.out)["previous"]) == ((), folder.name)


def test_rows_of_a_source_that_fails(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What is damaged and cannot be read again comes from the newest older snapshot that has it whole."""
    folder, before = newest(published), older(published)
    published.put("news/a.txt", "not of this source")
    published.put("news/b.txt", "nor is this")
    shutil.rmtree(published.out / ".cache")
    flip(folder / "json" / "fair.ndjson")
    flip(folder / "sightings" / "news.parquet")
    said = command(capsys, published)
    name = f"of {folder.name} does not match its manifest"
    assert (said.code, repairs(said)[2:]) == (
        1,
        [
            f"failed: news: the published rows are damaged; using those of snapshot {before.name} instead",
            "kept: the last good files of news",
            f"healed: json/fair.ndjson {name}: rebuilt from the dumps",
            f"damaged: sightings/news.parquet {name}",
        ],
    )
    feeding = published.table("captures", "news").filter("feeds")["dump"].to_list()
    block = load_manifest(published.out)["sources"]["news"]
    assert (published.titles("news"), feeding, block["published"]) == (["Old"], ["news/a.txt"], 1)
    assert verify(published.out).problems == ()


@pytest.mark.parametrize("path", ["json/fair.ndjson", "parquet/fair.parquet"])
def test_lines_and_table_of_a_source_that_fails(published: Desk, capsys: pytest.CaptureFixture[str], path: str) -> None:
    """Each is made again from the other, byte for byte."""
    before, folder = published.data(), newest(published)
    published.put("fair/a.txt", "not of this source")
    flip(folder / path)
    said = command(capsys, published, "fair")
    name = f"of {folder.name} does not match its manifest"
    assert repairs(said)[1:] == [
        "kept: the last good files of fair",
        f"healed: {path} {name}: rebuilt from its copy",
    ]
    after = published.data()
    assert {path for path in after if after[path] != before[path]} == {
        "captures/fair.parquet",
        "quarantine/fair.ndjson",
        "quarantine/fair.parquet",
    }


def test_rows_that_are_nowhere(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The source says so from now on, in its block too; all the others are published."""
    shutil.rmtree(older(published))
    shutil.rmtree(published.out / ".cache")
    published.put("fair/a.txt", "not of this source")
    published.put("news/b.txt", {"title": "Newer"})
    flip_rows(published, "fair")
    said = command(capsys, published)
    lost = "fair: the published rows are damaged, and no snapshot has an intact copy"
    assert (said.code, repairs(said)[1], published.titles("news")) == (1, f"failed: {lost}", ["Newer", "Old"])
    block = load_manifest(published.out)["sources"]["fair"]
    assert (block["published"], block["refreshed_at"], block["error"].split("; ")[1]) == (0, None, lost)
    published.put("fair/a.txt", HAY, "junk")
    assert (command(capsys, published).code, published.titles("fair")) == (0, ["Hay"])


def test_rows_that_guards_hold_back_today(published: Desk) -> None:
    """What was found good stays good: published rows that are damaged are made again from their dumps."""
    before = published.data()
    flip_rows(published, "fair")
    strict = GuardBook(Guards(unexplained_from=1, unexplained_limit=0))
    result = refresh(Settings(published.raw, published.out, guards=strict), TOYS, ["fair"])
    assert (result.good, result.repairs.lost) == (True, ())
    assert published.data()["parquet/fair.parquet"] == before["parquet/fair.parquet"]
    assert verify(published.out).problems == ()


def test_kept_rows_of_one_dump(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A dump that fails keeps the rows of an older snapshot, where those of the last one are damaged."""
    shutil.rmtree(published.out / ".cache")
    published.put("news/a.txt", "not of this source")
    flip_rows(published, "news")
    said = command(capsys, published)
    assert (said.code, published.titles("news"), verify(published.out).problems) == (1, ["New", "Old"], ())
    assert repairs(said)[1] == (
        "failed: news: the published rows are damaged; using those of snapshot "
        f"{load_manifest(older_of(published))['previous']} instead"
    )


def older_of(desk: Desk) -> Path:
    """Return the snapshot that the newest one replaced."""
    return desk.out / "snapshots" / str(load_manifest(desk.out)["previous"])


def test_a_source_without_a_parser(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody can read its dumps any more: an older snapshot stands in for what is damaged of it."""
    flip_rows(published, "news")
    flip_rows(published, "news", "quarantine", "quarantine")
    before = older(published).name
    published.known = {"fair": FAIR}
    shutil.rmtree(published.raw / "news")
    said = command(capsys, published)
    assert (said.code, [line for line in repairs(said) if line.startswith("failed")]) == (
        1,
        [
            f"failed: news: the published rows are damaged; using those of snapshot {before} instead",
            f"failed: news: the quarantine table is damaged; using the one of snapshot {before} instead",
        ],
    )
    assert (published.titles("news"), verify(published.out).problems) == (["Old"], ())


# manifests


def nested(manifest: dict[str, Any]) -> str:
    """Make a manifest so deep that Python gives up."""
    return json.dumps(manifest)[:-1] + ', "deep": ' + "[" * 100_000 + "]" * 100_000 + "}"


def changed(*keys: str, value: object) -> Callable[[dict[str, Any]], str]:
    """Make a manifest with another value at a place, or without the key where the value is ``...``."""

    def change(manifest: dict[str, Any]) -> str:
        block = manifest
        for key in keys[:-1]:
            block = block[key]
        block[keys[-1]] = value
        if value is ...:
            del block[keys[-1]]
        return json.dumps({key: value for key, value in manifest.items() if key != "manifest_sha256"})

    return change


FAULTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "maximum recursion depth exceeded": nested,
    "with contract_version, sources and files": changed("sources", value=...),
    "at sources: expected names and values": changed("sources", value=[]),
    "at sources.fair: expected names and values": changed("sources", "fair", value=7),
    "at sources.fair.status: missing": changed("sources", "fair", "status", value=...),
    "at sources.fair.published: expected a number": changed("sources", "fair", "published", value="1"),
    "at sources.fair.dumps.0: expected names and values": changed("sources", "fair", "dumps", value=[None]),
    "at sources.fair.refreshed_at: expected a time with its zone": changed(
        "sources", "fair", "refreshed_at", value="2026-07-11T03:00:00"
    ),
    "at sources.fair.refreshed_at: expected the age": changed("sources", "fair", "refreshed_at", value=None),
    "at files.captures/fair.parquet: expected a source of this name": changed("sources", "fair", value=...),
    "at contract_version: expected a version": changed("contract_version", value="one"),
    "at files: expected names and values": changed("files", value=[]),
    "at files.README.md.sha256: expected a SHA-256": changed("files", "README.md", "sha256", value=1),
    "at files.README.md.bytes: expected a number": changed("files", "README.md", "bytes", value=True),
    "at files.../x: expected another name": changed("files", "../x", value=None),
    "found a damaged one": lambda manifest: json.dumps(manifest, indent=1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_manifest_that_is_not_as_declared(published: Desk, fault: str) -> None:
    """Whoever opens it is told file and key."""
    file = newest(published) / "manifest.json"
    file.write_text(FAULTS[fault](load_manifest(published.out)))
    with pytest.raises(StoreError) as raised:
        open_snapshot(file.parent)
    assert str(raised.value).startswith(f"{file}: expected the manifest of a snapshot")
    assert (fault in str(raised.value), verify(published.out).problems) == (True, (str(raised.value),))


def test_commands_on_a_damaged_manifest(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Each that reads ends with 1 and one line, and leaves everything as it is."""
    file = newest(published) / "manifest.json"
    file.write_text(FAULTS["at sources: expected names and values"](load_manifest(published.out)))
    commands = (["status"], ["quarantine"], ["changes"], ["changes", "--since", "2020-01-01"], ["export", "csv"])
    said = [Said(capsys, *each, "--out", published.out) for each in commands]
    assert {(each.code, *each.out, each.err[0].split(": ")[1]) for each in said} == {(1, str(file))}
    assert [len(each.err) for each in said] == [1] * len(said)


def test_the_run_after_a_damaged_manifest(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It goes on from the snapshot before, rows that were kept included, and publishes anew."""
    damaged, before = newest(published), older(published)
    published.put("news/a.txt", "not of this source")
    cut(damaged / "manifest.json")
    said = command(capsys, published)
    assert (said.code, published.titles("news"), verify(published.out).problems) == (1, ["New", "Old"], ())
    assert (load_manifest(published.out)["previous"], damaged.exists()) == (before.name, True)
    assert repairs(said)[1].startswith(f"damaged: {damaged}/manifest.json: expected the manifest of a snapshot: ")
    assert repairs(said)[2] == f"healed: latest: using the newest intact snapshot, {before.name}"


@pytest.mark.parametrize("whole", [1, 0])
def test_one_source_after_a_damaged_manifest(published: Desk, whole: int) -> None:
    """The others take part, whose rows in the snapshot before are older than those that were published."""
    before = published.data()
    for folder in (newest(published), older(published))[: 2 - whole]:
        cut(folder / "manifest.json")
    published.run("fair")
    assert (published.data() == before, verify(published.out).problems) == (True, ())


def test_a_damaged_manifest_of_what_has_not_changed_since(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the run makes what the snapshot before holds, the link leads to that one again."""
    (published.raw / "news" / "b.txt").unlink()
    cut(newest(published) / "manifest.json")
    before = older(published)
    assert (command(capsys, published).code, newest(published)) == (0, before)


def test_no_snapshot_is_whole(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What raw has is published as in a first run, which says what may be lost; nothing is taken away."""
    before, folders = published.data(), [newest(published), older(published)]
    for folder in folders:
        cut(folder / "manifest.json")
    said = command(capsys, published)
    assert (said.code, published.data() == before, verify(published.out).problems) == (1, True, ())
    assert repairs(said)[0] == (
        f"failed: {published.out}: no snapshot is intact; published as in a first run, "
        "records found only in old snapshots are lost"
    )
    assert [folder.exists() for folder in folders] == [True, True]
    assert command(capsys, published).code == 0


def test_a_lost_link_beside_another_major_version(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is published over a dataset of which this version knows nothing."""
    for folder in (newest(published), older(published)):
        put_manifest(folder, load_manifest(folder) | {"contract_version": "0.9"})
    (published.out / "latest").unlink()
    said = command(capsys, published)
    assert (said.code, said.err[-1].split("expected ")[1]) == (
        1,
        f"contract version {CONTRACT_VERSION}, found 0.9; use another --out",
    )


def test_a_reader_of_a_damaged_snapshot(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, and the file that is damaged."""
    flip(older(published) / "parquet" / "news.parquet")
    said = Said(capsys, "changes", "--since", "2020-01-01", "--out", published.out)
    assert (said.code, said.err[-1]) == (
        1,
        f"failed: {older(published)}/parquet/news.parquet: expected the table described in the manifest, "
        "found a damaged file",
    )


@pytest.mark.parametrize("path", ["parquet/news.parquet", "changes.parquet"])
def test_an_export_of_a_damaged_table(published: Desk, capsys: pytest.CaptureFixture[str], path: str) -> None:
    """Exit code 1, and nothing is written; sources that are whole can be had."""
    flip(newest(published) / path)
    said = Said(capsys, "export", "csv", "--out", published.out)
    expected = f"failed: {newest(published)}/{path}: expected the table described in the manifest, found a damaged file"
    assert (said.code, said.out, said.err) == (1, [], [expected])
    whole = Said(capsys, "export", "csv", "--source", "fair", "--out", published.out)
    assert whole.code == (1 if path == "changes.parquet" else 0)


def test_an_export_over_a_damaged_past(published: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What an older snapshot knew is as if it had never been kept."""
    for path in ("parquet/fair.parquet", "changes.parquet"):
        flip(older(published) / path)
    said = Said(capsys, "export", "ics", "--source", "fair", "--out", published.out)
    assert (said.code, any("SUMMARY:Hay" in line for line in said.out)) == (0, True)
