"""The nightly commands: notifications of a red run, and what a replay shows and publishes."""

import json
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from parsers._contract import Source
from pipeline.publishing.store import latest_snapshot
from schemas.items import Item, Record
from tests.support.said import Said, plain
from tests.support.toy import FAIR, NEWS, Desk, make_source

pytestmark = pytest.mark.usefixtures("in_the_desk")

HAY = {"title": "Hay", "event": "E"}
RYE = {"title": "Rye", "event": "E"}
KEEP = "import os, sys; open(sys.argv[1], 'a').write(os.environ['CONSPECTUS_STATUS'] + ' ' + sys.stdin.read())"


def told(tmp_path: Path) -> list[str]:
    """Return what somebody was told."""
    file = tmp_path / "told"
    return file.read_text().splitlines() if file.exists() else []


def name_hook(tmp_path: Path, more: str = "") -> None:
    """Write a ``sources.toml`` with a command that is called on red."""
    command = json.dumps([sys.executable, "-c", KEEP, str(tmp_path / "told")])
    (tmp_path / "sources.toml").write_text(f"[notify]\ncommand = {command}\n{more}")


def test_a_red_run_is_told(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the lines that the command prints; a green one is not."""
    name_hook(tmp_path)
    desk.put("fair/a.txt", HAY)
    green = Said(capsys, "refresh").code
    quiet = told(tmp_path)
    desk.put("fair/b.txt", "x")
    red = Said(capsys, "refresh")
    assert (green, quiet, red.code) == (0, [], 1)
    lines = told(tmp_path)
    assert (lines[0], lines[1]) == (
        "red conspectus: the refresh is red: fair: not_this_source",
        "failed: fair/b.txt:1: not_this_source: expected json lines: JSON objects",
    )
    assert plain(lines[-2]) == "next: conspectus parse raw/fair/b.txt --lines"


def test_a_run_that_cannot_publish_is_told(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where there is nothing to publish at all."""
    name_hook(tmp_path)
    said = Said(capsys, "refresh")
    expected = f"failed: nothing to publish: expected dumps below {desk.raw}, found none"
    assert (said.code, said.err[-1], told(tmp_path)) == (
        1,
        expected,
        ["red conspectus: the refresh is red: nothing to publish", expected],
    )


def test_a_run_without_its_raw_root_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A disk that is not mounted is no reason to be silent."""
    name_hook(tmp_path)
    assert (Said(capsys, "refresh").code, told(tmp_path)[0][:34]) == (2, "red conspectus: the refresh is red")


def test_a_hook_that_fails_changes_no_exit_code(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told on the error stream."""
    (tmp_path / "sources.toml").write_text('[notify]\ncommand = ["/no/such"]\nalways = true\n')
    desk.put("fair/a.txt", HAY)
    said = Said(capsys, "refresh")
    assert (said.code, said.err[-1].startswith("not notified: /no/such: ")) == (0, True)


def test_guards_come_from_the_file(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page that lost most of its records fails, unless the file says otherwise."""
    desk.put("fair/a.txt", *({**HAY, "title": f"Hay {number}"} for number in range(5)))
    Said(capsys, "refresh")
    desk.put("fair/a.txt", HAY)
    strict = Said(capsys, "refresh").code
    (tmp_path / "sources.toml").write_text('[guards.fair]\ndrop = "off"\n')
    assert (strict, Said(capsys, "refresh").code, desk.titles("fair")) == (1, 0, ["Hay"])


# replay


COMMENTED = ["fair: 1 changed", "fair: comments changed in 1", "    fair:e/rye  Rye: comments: - -> LOUD"]


def read_better() -> dict[str, Source]:
    """Return the sources with a newer parser of the fair, which the cache does not know."""
    newer = make_source("fair", FAIR.family, FAIR.page, version=2)
    shout = replace(newer.formats[0], parse=lambda document: map(louder, newer.formats[0].parse(document)))
    return {"fair": replace(newer, formats=(shout,)), "news": NEWS}


def louder(item: Item) -> Item:
    """Read the comments of one record louder."""
    return item._replace(comments="LOUD") if isinstance(item, Record) and item.title == "Rye" else item


def test_replay_shows_what_a_newer_parser_makes(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What changed, column by column, with exit code 1; nothing is published unless asked for, and then that counts."""
    desk.put("fair/a.txt", HAY, RYE)
    desk.run()
    before = desk.data()
    newer = read_better()
    said = Said(capsys, "replay", "fair", known=newer)
    assert (said.code, said.out) == (1, COMMENTED)
    assert (said.err[-1], desk.data()) == ("1 records differ; nothing was published (use --publish)", before)
    published = Said(capsys, "replay", "fair", "--publish", known=newer)
    assert (published.code, published.out[:3]) == (0, said.out)
    assert desk.table("records", "fair")["comments"].to_list() == [None, "LOUD"]
    assert desk.table("records", "fair")["parser"].unique().to_list() == ["fair@2"]


def test_replay_since_a_day(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what captures of that day or later show is told."""
    desk.put("fair/a-20260711T0300Z.txt", HAY, RYE)
    desk.run()
    newer = read_better()
    late, early = (
        Said(capsys, "replay", "fair", "--since", day, known=newer).out for day in ("2026-07-12", "2026-07-11")
    )
    assert (late, len(early)) == ([], 3)


def test_replay_of_what_fails(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 with the message; nothing differs."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    desk.put("fair/a.txt", "x")
    said = Said(capsys, "replay", "fair")
    assert (said.code, said.out, said.err[-2:]) == (
        1,
        [],
        [
            "failed: fair/a.txt:1: not_this_source: expected json lines: JSON objects",
            "0 records differ; nothing was published (use --publish)",
        ],
    )


def test_replay_with_nothing_new(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing differs, and it says from what: exit code 0."""
    desk.put("fair/a.txt", HAY)
    made = desk.run().publication.folder
    said = Said(capsys, "replay")
    assert (said.code, said.out, said.err[-2:]) == (
        0,
        [],
        [f"compared with {made.name}", "0 records differ; nothing was published (use --publish)"],
    )


def test_replay_into_a_broken_dataset(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, naming the file: there is nothing that the result could be compared with."""
    desk.put("fair/a.txt", HAY)
    desk.run()
    manifest = (desk.out / "latest").resolve() / "manifest.json"
    manifest.write_text("{")
    said = Said(capsys, "replay")
    assert (said.code, said.out) == (1, ["fair: 1 added", "    fair:e/hay  Hay"])
    assert said.err[-3].startswith(f"damaged: {manifest}: expected the manifest of a snapshot: ")
    assert said.err[-2].startswith(f"failed: {desk.out}: no snapshot is intact")


def test_replay_without_anything_to_compare_with(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, naming the out root: a gate that compares with nothing must not be green."""
    desk.put("fair/a.txt", HAY)
    said = Said(capsys, "replay")
    assert (said.code, said.out, said.err[-2]) == (
        1,
        ["fair: 1 added", "    fair:e/hay  Hay"],
        f"failed: expected a published dataset below {desk.out} to compare with, found none",
    )


def test_replay_reads_everything_anew(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What the cache holds, and what stands because nothing seems to be new, hides no other reading."""
    desk.put("fair/a.txt", HAY, RYE)
    Said(capsys, "refresh")
    newer = read_better()
    again = Said(capsys, "refresh", known=newer).out
    said = Said(capsys, "replay", known=newer)
    assert (again[-1].endswith("same snapshot)"), said.code, said.out) == (True, 1, COMMENTED)


def test_replay_with_an_entry_that_stays(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is in the way in the cache hides no other reading."""
    desk.put("fair/a.txt", HAY, RYE)
    Said(capsys, "refresh")
    (entry,) = (tmp_path / "out" / ".cache" / "fair").iterdir()
    entry.unlink()
    entry.mkdir()
    said = Said(capsys, "replay", known=read_better())
    assert (said.code, said.out, entry.is_dir()) == (1, COMMENTED, True)


def test_replay_tells_what_was_added_and_lost(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """By source, with three samples of each; what is only more is no reason to stop."""
    hays = [{**HAY, "title": f"Hay {number}"} for number in range(20)]
    desk.put("fair/a.txt", *hays)
    desk.put("news/a.txt", {"title": "Old"})
    desk.run()
    desk.put("fair/a.txt", *hays[4:])
    desk.put("news/b.txt", {"title": "New"})
    desk.put("news/c.txt", {"title": None, "abstract": "Newer."})
    more, less = Said(capsys, "replay", "news"), Said(capsys, "replay", "fair")
    assert (more.code, len(more.out), more.out[0], more.out[-1]) == (0, 3, "news: 2 added", "    news:new  New")
    assert (less.code, less.out) == (
        1,
        [
            "fair: 4 lost",
            "    fair:e/hay-0  Hay 0",
            "    fair:e/hay-1  Hay 1",
            "    fair:e/hay-2  Hay 2",
            "works: 4 lost",
            "    Hay 0",
            "    Hay 1",
            "    Hay 2",
        ],
    )


def test_replay_tells_what_becomes_of_works(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are split or merged, also with records of other sources; ``--quiet`` tells it, and ``--json``."""
    jam = {"title": "Less sugar in every pot of jam", "kind": "paper", "authors": ["Ada Quill", "Bo Ferns"]}
    apart = {**jam, "authors": ["Cy Marsh", "Dee Odd"]}
    desk.put("fair/a.txt", jam)
    desk.put("news/a.txt", jam)
    desk.run()
    desk.put("fair/a.txt", apart)
    split, rows = Said(capsys, "replay", "fair"), Said(capsys, "replay", "fair", "--json")
    desk.run()
    desk.put("fair/a.txt", jam)
    merged = Said(capsys, "replay", "--quiet")
    assert split.out[-3:] == ["works: 2 split", f"    {jam['title']}", f"    {jam['title']}"]
    assert (split.code, split.err[-1][:33], len(rows.out)) == (1, "1 records differ, 2 works split; ", 1)
    assert (merged.code, merged.out[-2:]) == (1, ["works: 1 merged", f"    {jam['title']}"])


def test_replay_where_works_are_damaged(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """They are not compared."""
    desk.put("fair/a.txt", HAY, RYE)
    made = desk.run().publication.folder
    (made / "work_members.parquet").write_bytes(b"")
    desk.put("fair/a.txt", HAY)
    said = Said(capsys, "replay")
    assert [line for line in (*said.out, *said.err) if "works" in line and "damaged" not in line] == [
        "works were not compared: the snapshot has no intact tables of them"
    ]


def test_replay_shows_values_where_they_part(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Each column by itself; of long values a piece that begins shortly before the difference."""
    desk.put("fair/a.txt", {**HAY, "abstract": f"{'before ' * 40}old", "room": "R"})
    desk.run()
    desk.put("fair/a.txt", {**HAY, "abstract": f"{'before ' * 40}{'n' * 99}"})
    assert [line for line in Said(capsys, "replay").out if "slots" not in line] == [
        "fair: 1 changed",
        "fair: abstract changed in 1",
        f"    fair:e/hay  Hay: abstract: …efore before before old -> …efore before before {'n' * 40}…",
        "fair: room changed in 1",
        "    fair:e/hay  Hay: room: R -> -",
    ]


def test_replay_as_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """Every row of the table of changes, with the same exit code."""
    desk.put("fair/a.txt", HAY, RYE)
    desk.run()
    desk.put("fair/a.txt", {**HAY, "comments": "Wet."})
    said = Said(capsys, "replay", "--json")
    rows = [json.loads(line) for line in said.out]
    assert (said.code, [(row["record_id"], row["change"], row["columns"]) for row in rows]) == (
        1,
        [("fair:e/hay", "changed", ["comments"]), ("fair:e/rye", "removed", None)],
    )


# How fresh the data are


def test_data_are_as_fresh_as_their_last_look_at_the_site(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A refresh of an archive that is no longer fetched into makes nothing fresh; one that never was fetched does."""
    desk.put("fair/page/20260711T030000Z.txt", HAY)
    desk.put("news/a.txt", {"title": "New"})
    looked = datetime.now(UTC) - timedelta(hours=40)
    names = "at url outcome status etag last_modified sha256 file seconds error".split()
    entry = {**dict.fromkeys(names), "at": looked.isoformat(), "outcome": "not_modified"}
    failed = {**entry, "at": datetime.now(UTC).isoformat(), "outcome": "failed"}
    log = desk.raw / "fair" / "page" / "captures.ndjson"
    log.write_text("".join(json.dumps(line) + "\n" for line in (entry, failed)))
    desk.run()
    snapshot = latest_snapshot(desk.out)
    assert snapshot is not None
    checked = {name: block["checked_at"] for name, block in snapshot.manifest["sources"].items()}
    said = Said(capsys, "status", "--max-age", "36h")
    assert checked == {"fair": looked.isoformat(timespec="seconds"), "news": None}
    assert (said.code, said.err) == (1, ["stale: fair: expected data at most 1d 12h 0m old, found 1d 16h 0m"])


def test_a_capture_that_cannot_be_used_makes_nothing_fresh(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A site that shows captchas for days was not seen since, though it answers every night."""
    desk.put("fair/page/20260711T030000Z.txt", HAY)
    desk.put("fair/page/20260712T030000Z.txt", "captcha")
    hours = {"20260711T030000Z.txt": 40, "20260712T030000Z.txt": 1}
    names = "at url outcome status etag last_modified sha256 file seconds error".split()
    moments = {file: (datetime.now(UTC) - timedelta(hours=ago)).isoformat() for file, ago in hours.items()}
    entries = [{**dict.fromkeys(names), "at": at, "outcome": "new", "file": file} for file, at in moments.items()]
    log = desk.raw / "fair" / "page" / "captures.ndjson"
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    codes = [(desk.run("fair").good, Said(capsys, "status", "--max-age", "36h").code) for _ in range(2)]
    assert codes == [(False, 1), (False, 1)]


def test_a_spoilt_log_tells_nothing(desk: Desk) -> None:
    """Without a readable log of fetches it is unknown when a source was checked."""
    desk.put("fair/page/20260711T030000Z.txt", HAY)
    (desk.raw / "fair" / "page" / "captures.ndjson").write_bytes(b"\xff\xfe\n")
    assert desk.run("fair").outcomes[0].checked_at is None
