"""Twenty nights of a site that fails in every way it can: nothing is lost, nothing gets worse, all is reported."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import polars as pl
import pytest

from pipeline.merging.outcome import Status
from pipeline.publishing.changes import PROVENANCE
from tests.support.toy import TOYS, Desk

pytestmark = pytest.mark.untraced

NIGHTS: Final = 20
SPAN: Final = 7
"""Days that an entry stays on the listing: what one night misses, another one sees."""

Items = list[dict[str, Any]]
Rows = dict[str, dict[str, Any]]


@dataclass
class Site:
    """A programme that changes a little every day, and a listing that shows the entries of the last days."""

    random: Random
    talks: Items = field(default_factory=list)
    entries: Items = field(default_factory=list)
    count: int = 0

    def live(self, day: date) -> None:
        """Let a day pass: talks come, move and go, entries are listed."""
        for _ in range(16 if not self.talks else self.random.randint(0, 2)):
            self.talks.append({"title": self.title(), "event": "E", "authors": ["Ann"], "room": "A"})
        self.random.choice(self.talks)["room"] = f"Room {self.count}"
        if len(self.talks) > 16:
            self.talks.remove(self.random.choice(self.talks))
        self.entries += [{"title": self.title(), "listed_on": f"{day}"} for _ in range(3)]

    def title(self) -> str:
        """Return a title that nothing else has."""
        self.count += 1
        return f"Item {self.count}"

    def page(self, source: str, day: date) -> Items:
        """Return what a page shows."""
        first = f"{day - timedelta(days=SPAN)}"
        return self.talks if source == "fair" else [each for each in self.entries if each["listed_on"] > first]


def write(items: Items) -> str:
    """Write a page as the invented sources do."""
    return "\n".join(json.dumps(each) for each in items)


def stale(items: Items, day: date) -> str:
    """Write what a listing showed before under the date of today."""
    return write([{**each, "listed_on": f"{day}"} if "listed_on" in each else each for each in items])


FAULTS: Final[dict[str, Callable[[Items, Items, date, Random], str | None]]] = {
    "missing": lambda _now, _seen, _day, _random: None,
    "empty file": lambda _now, _seen, _day, _random: "",
    "empty page": lambda _now, _seen, _day, _random: "total 0",
    "captcha": lambda _now, _seen, _day, _random: "Please verify you are a human to see this page",
    "again": lambda _now, seen, _day, _random: write(seen),
    "stale": lambda _now, seen, day, _random: stale(seen, day),
    "half": lambda now, _seen, _day, _random: write(now[: len(now) // 2]),
    "cut": lambda now, _seen, _day, random: write(now)[: random.randint(1, len(write(now)) * 6 // 10)],
    "other layout": lambda now, _seen, _day, _random: "\n".join(f"* {each['title']} *" for each in now),
    "half of another layout": lambda now, _seen, _day, _random: (
        write(now[:4]) + "".join(f"\n* {each['title']} *" for each in now[4:])
    ),
    "a defect": lambda now, _seen, _day, _random: write(now) + "\nbreak",
}
"""What a page shows instead: from what it should show, what it showed last, the day, and chance."""


class Run:
    """Twenty nights with faults, what was published after each, and the same site without faults."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Live through the nights."""
        self.desk, self.calm = Desk(make(folder / "faulty")), Desk(make(folder / "calm"))
        self.random = Random(seed)  # noqa: S311  # not for secrets
        self.site = Site(Random(seed + 1))  # noqa: S311  # not for secrets
        self.seen: dict[str, Items] = {"fair": [], "news": []}
        self.bad_nights = {"fair": 0, "news": 0}
        self.met: set[str] = set()
        self.worse: list[str] = []
        self.replayed: dict[str, Rows] = {"fair": {}, "news": {}}
        for night in range(NIGHTS):
            self.live(datetime(2026, 1, 1, 3) + timedelta(days=night), calm=night in {0, NIGHTS - 1})

    def live(self, now: datetime, *, calm: bool) -> None:
        """Let a night pass: fetch both pages, refresh, look at what is published."""
        self.site.live(now.date())
        before = {source: rows(self.desk, source) for source in TOYS} if self.met or self.seen["fair"] else None
        snapshot = (self.desk.out / "latest").resolve()
        for source in TOYS:
            self.fetch(source, now, calm=calm)
        self.desk.run()
        after = {source: rows(self.desk, source) for source in TOYS}
        if (self.desk.out / "latest").resolve() != snapshot:
            self.replay(after)
        self.compare(now, before or {"fair": {}, "news": {}}, after)

    def fetch(self, source: str, now: datetime, *, calm: bool) -> None:
        """Save what a page shows to the one archive, and what it should show to the other."""
        good = [dict(each) for each in self.site.page(source, now.date())]
        self.save(self.calm, source, now, write(good))
        if calm or self.bad_nights[source] == SPAN - 2 or self.random.random() < 0.5:
            self.save(self.desk, source, now, write(good))
            self.seen[source], self.bad_nights[source] = good, 0
            return
        name = self.random.choice(sorted(FAULTS))
        self.met.add(name)
        self.bad_nights[source] += 1
        text = FAULTS[name](good, self.seen[source], now.date(), self.random)
        if text is not None:
            self.save(self.desk, source, now, text)

    def save(self, desk: Desk, source: str, now: datetime, text: str) -> None:
        """Save a capture."""
        desk.put(f"{source}/{now:%Y%m%dT%H%MZ}.txt", text, sidecar=f'url = "https://{source}.example/"')

    def replay(self, after: dict[str, Rows]) -> None:
        """Apply the change table of a new snapshot to what the tables before it add up to."""
        changes = pl.read_parquet(self.desk.out / "latest" / "changes.parquet")
        for change in changes.iter_rows(named=True):
            table, key = self.replayed[change["source"]], change["record_id"]
            match change["change"]:
                case "removed":
                    del table[key]
                case "added":
                    table[key] = after[change["source"]][key]
                case "changed" | "moved":
                    table[key] = {
                        **table[key],
                        **{name: after[change["source"]][key][name] for name in change["columns"]},
                    }

    def compare(self, now: datetime, before: dict[str, Rows], after: dict[str, Rows]) -> None:
        """Note what got worse: a programme that is not the last good one, a listing that lost or invented something."""
        titles = {source: {row["title"] for row in table.values()} for source, table in after.items()}
        listed = {each["title"]: date.fromisoformat(each["listed_on"]) for each in self.site.entries}
        if titles["fair"] != {each["title"] for each in self.seen["fair"]}:
            self.worse.append(f"{now}: fair: {titles['fair']}")
        if before["news"].keys() - after["news"].keys():
            self.worse.append(f"{now}: news lost {before['news'].keys() - after['news'].keys()}")
        wrong = [row["title"] for row in after["news"].values() if listed.get(row["title"]) != row["listed_on"]]
        if wrong:
            self.worse.append(f"{now}: news: {wrong}")


def make(folder: Path) -> Path:
    """Make a folder."""
    folder.mkdir()
    return folder


def rows(desk: Desk, source: str) -> Rows:
    """Return what is published of a source by id, without where it was seen."""
    table = desk.table("records", source).drop(*PROVENANCE)
    return {row["record_id"]: row for row in table.iter_rows(named=True)}


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Live through twenty nights."""
    run = Run(tmp_path_factory.mktemp("nights"), seed=3)
    run.calm.run()
    return run


def test_no_night_makes_it_worse(nights: Run) -> None:
    """The programme always comes from the last good capture; the listing never loses or misdates an entry."""
    assert (nights.worse, len(nights.met) > 8) == ([], True)


def test_the_end_is_that_of_nights_without_faults(nights: Run) -> None:
    """Where the last captures are good, every record is as if nothing had ever failed."""
    found = [rows(nights.desk, source) for source in TOYS]
    assert found == [rows(nights.calm, source) for source in TOYS]


def test_the_changes_add_up(nights: Run) -> None:
    """The change tables of all snapshots, applied one after the other, give the published records."""
    assert nights.replayed == {source: rows(nights.desk, source) for source in TOYS}


def test_the_archive_read_anew_gives_the_same_bytes(nights: Run) -> None:
    """One run over all captures ends with the data files that twenty nights ended with, quarantine included."""
    data = nights.desk.data()
    nights.desk.out = nights.desk.out.with_name("anew")
    result = nights.desk.run()
    assert ([outcome.status for outcome in result.outcomes], nights.desk.data()) == ([Status.OK, Status.PARTIAL], data)
