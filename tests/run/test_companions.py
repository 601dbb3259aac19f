"""Dumps of several files over the nights: a companion changes, vanishes, comes late, is broken, or is there twice."""

import shutil
import subprocess
from argparse import Namespace
from pathlib import Path

import polars as pl
import pytest

from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.cli.explain import explain
from pipeline.publishing.store import Snapshot, open_snapshot
from pipeline.raw.inventory import take_inventory
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result, refresh
from pipeline.viewing.programmes import programmes_of, rows_of
from pipeline.viewing.selection import Selection

JAM = Path(__file__).parents[2] / "raw/miniconf"
DUMP, CALENDAR = "miniconf/papers.csv", "miniconf/main_calendar.json"


class Nights:
    """Nights over the papers and the calendar of one event."""

    def __init__(self, folder: Path) -> None:
        """Put the specimen into a raw root."""
        self.raw, self.out = folder / "raw", folder / "out"
        shutil.copytree(JAM, self.raw / "miniconf")
        self.papers, self.calendar = self.raw / DUMP, self.raw / CALENDAR
        self.text = self.calendar.read_text(encoding="utf-8")

    def run(self) -> Result:
        """Run a night."""
        return refresh(Settings(self.raw, self.out), sources(), ["miniconf"])

    @property
    def snapshot(self) -> Snapshot:
        """What is published."""
        return open_snapshot((self.out / "latest").resolve())

    def starts(self) -> dict[str, str]:
        """Return when the published records start, by title."""
        records = self.snapshot.table("records", "miniconf")
        assert records is not None
        return dict(records.select("title", pl.col("starts_at").dt.to_string("%d %H:%M")).iter_rows())


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    """Run the first night."""
    nights = Nights(tmp_path)
    assert nights.run().good
    return nights


def outcome(result: Result) -> tuple[bool, str]:
    """Return whether a run was good, and the error of its one source."""
    (each,) = result.outcomes
    return result.good, str(each.error)


def test_the_file_of_each_row(nights: Nights) -> None:
    """A record, and each of its sightings, names the file that it stands in; a night without news reads nothing."""
    records, sightings, captures = (
        nights.snapshot.table(name, "miniconf") for name in ("records", "sightings", "captures")
    )
    assert records is not None
    assert sightings is not None
    assert captures is not None
    found = dict(records.select("title", "dump").iter_rows())
    assert (found["Tea and Toast"], found["Jars Without Lids"], captures["dump"].to_list()) == (CALENDAR, DUMP, [DUMP])
    assert sightings.filter(pl.col("dump") == CALENDAR).height == 2
    assert records.select("dump", "dump_sha256").unique().height == 2
    (again,) = nights.run().outcomes
    assert (again.read_seconds, again.groups) == (0, frozenset())


def test_a_programme_without_a_name(nights: Nights) -> None:
    """Records of all files of a dump are one programme, also where the sidecar names no event."""
    sidecar = nights.papers.with_name(f"{nights.papers.name}.meta.toml")
    lines = sidecar.read_text(encoding="utf-8").splitlines()
    sidecar.write_text("\n".join(line for line in lines if not line.startswith("event")), encoding="utf-8")
    nights.run()
    selection = Selection(nights.snapshot, "miniconf")
    (programme,) = programmes_of(selection)
    records = nights.snapshot.table("records", "miniconf")
    assert records is not None
    assert (programme.event, programme.page, programme.records) == (None, DUMP, records.height)
    assert {row["dump"] for row in rows_of(selection, programme)} == {DUMP, CALENDAR}


def test_a_companion_changes(nights: Nights) -> None:
    """Its records and those of the dump that it moves are published anew, though the dump is the same."""
    nights.calendar.write_text(nights.text.replace("17T11:30:00+02:00", "17T11:45:00+02:00"), encoding="utf-8")
    good, _ = outcome(nights.run())
    now = nights.starts()
    assert (good, now["A Spoon for Every Hand"], now["Tea and Toast"]) == (True, "17 11:45", "17 11:00")


@pytest.mark.parametrize("case", ["gone", "twice", "broken", "empty"])
def test_a_companion_that_is_wrong(nights: Nights, case: str) -> None:
    """What is published stays, whatever is wrong with a companion; nothing is new once it is right again."""
    before, second = nights.starts(), nights.raw / "miniconf/old_calendar.json"
    if case == "gone":
        nights.calendar.unlink()
    elif case == "twice":
        second.write_text("[]", encoding="utf-8")
    else:
        nights.calendar.write_text({"broken": nights.text[:-40], "empty": ""}[case], encoding="utf-8")
    good, error = outcome(nights.run())
    told = {
        "gone": f"{DUMP}:1: bad_bundle: expected one file *sessions.yml or ",
        "twice": "found miniconf/main_calendar.json, miniconf/old_calendar.json",
        "broken": f"{CALENDAR}:6: malformed: expected JSON",
        "empty": f"{CALENDAR}:1: empty_dump: expected text",
    }[case]
    assert (good, told in error, nights.starts()) == (False, True, before)
    held = nights.snapshot.table("quarantine", "miniconf")
    assert held is not None
    assert held["dump"].to_list() == [CALENDAR if case in {"broken", "empty"} else DUMP]
    second.unlink(missing_ok=True)
    nights.calendar.write_text(nights.text, encoding="utf-8")
    assert (outcome(nights.run()), nights.starts()) == ((True, "None"), before)


def test_a_companion_that_nothing_needs(nights: Nights) -> None:
    """The first pattern that a file has counts; a file for a later one is told, since it was not read."""
    nights.calendar.rename(nights.raw / "miniconf/jam_sessions.json")
    nights.calendar.write_text("[]", encoding="utf-8")
    assert nights.run().good
    held = nights.snapshot.table("quarantine", "miniconf")
    assert held is not None
    assert held.select("dump", "reason").rows() == [(CALENDAR, "unexplained_line")]


def test_a_companion_that_comes_late(tmp_path: Path) -> None:
    """Nothing is published of a dump without its companion; the next night has all of it."""
    nights = Nights(tmp_path)
    nights.calendar.unlink()
    good, error = outcome(nights.run())
    assert (good, "bad_bundle" in error) == (False, True)
    nights.calendar.write_text(nights.text, encoding="utf-8")
    assert outcome(nights.run()) == (True, "None")
    assert len(nights.starts()) == 5


def test_a_dump_in_the_folder_of_another_source(nights: Nights) -> None:
    """The command that is printed moves its sidecar and companions with it, and the next run reads all of them."""
    sidecar = nights.raw / f"{DUMP}.meta.toml"
    sidecar.write_text(sidecar.read_text(encoding="utf-8").replace("specimen = true\n", ""), encoding="utf-8")
    (nights.raw / "miniconf").rename(nights.raw / "cluster")
    settings = Settings(nights.raw, nights.out)
    result = refresh(settings, sources(), ["cluster"])
    moves = [line.removeprefix("next: ") for line in next_steps(result) if " mv -n " in line]
    assert len(moves) == 1
    subprocess.run(moves[0], shell=True, check=True)  # noqa: S602  # the command as it is printed
    assert sorted(file.name for file in (nights.raw / "miniconf").iterdir()) == sorted(
        file.name for file in JAM.iterdir()
    )
    assert nights.run().good
    assert len(nights.starts()) == 5


def test_the_dump_goes(nights: Nights) -> None:
    """A companion alone is no dump: it is told as a file that belongs to none."""
    nights.papers.unlink()
    (nights.raw / f"{DUMP}.meta.toml").unlink()
    inventory = take_inventory(nights.raw, sources())
    expected = "unknown_source: expected the dump that this file belongs to beside it, found none"
    assert (inventory.dumps, inventory.unknown) == ({}, {CALENDAR: expected})


def test_captures_in_one_folder(tmp_path: Path) -> None:
    """Files of one capture have the same stamp in their names."""
    nights = Nights(tmp_path)
    for day, begins in (("16", "11:30"), ("17", "11:50")):
        for file in (nights.papers, nights.calendar):
            named = file.with_name(f"{file.stem}-202605{day}T030000Z{file.suffix}")
            named.write_text(file.read_text(encoding="utf-8").replace("17T11:30", f"17T{begins}"), encoding="utf-8")
        shutil.copy(nights.raw / f"{DUMP}.meta.toml", nights.raw / f"miniconf/papers-202605{day}T030000Z.csv.meta.toml")
    for file in (nights.papers, nights.raw / f"{DUMP}.meta.toml", nights.calendar):
        file.unlink()
    found = take_inventory(nights.raw, sources()).dumps["miniconf"]
    assert [[path.rpartition("-")[2] for path in dump.paths] for dump in found] == [
        [f"202605{day}T030000Z.csv", f"202605{day}T030000Z.json"] for day in ("16", "17")
    ]
    assert nights.run().good
    assert nights.starts()["A Spoon for Every Hand"] == "17 11:50"


def test_explain_a_line_of_a_companion(nights: Nights, capsys: pytest.CaptureFixture[str]) -> None:
    """Items of a companion are found by its own path, and the lines of a CSV are lines."""

    def told(what: str) -> str:
        known = sources()
        asked = Namespace(what=[what], known=known, raw=str(nights.raw), out=str(nights.out), config=None, json=False)
        assert explain(asked) == 0
        return capsys.readouterr().out

    event = told(f"{CALENDAR}:4")
    assert "published: record miniconf:jam-2026/2026-06-17T11:00/tea-and-toast (lines 4-4)" in event
    assert "numbers in this dump count items" in event
    assert "less-sugar" not in event
    paper = told(f"{DUMP}:4")
    assert "current parser: record miniconf:jam-2026/a-spoon-for-every-hand (lines 4-4)" in paper
    assert "count items" not in paper
    assert f"{CALENDAR}:4" in told("miniconf:jam-2026/2026-06-17T11:00/tea-and-toast")
