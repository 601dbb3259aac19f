"""Nights of sites that fail in sixty ways: what is lost in the end, and which nights said nothing.

``python -m benchmarks.faults [--nights N] [--seed N]`` fetches and refreshes five invented sites on loopback, night
after night (``benchmarks.fault_sites``). On some nights some of a site's pages, or all that are asked for, are wrong in
one of the kinds of ``benchmarks.fault_kinds``; a fault lasts one to three nights, and a night without one follows. The
last three nights have no faults.

What a night should have published is known from a copy of both roots, which passes the same night with the pages as
they should be. A faulty night of a source is

``red``       something failed: a page, a capture, the source
``amber``     published, and a person is told to look
``harmless``  green, and the same is published as without the fault
``again``     green, with other rows, or without new ones, but an earlier night of the same fault was red or amber
``silent``    the same without such a night: it had to be red or amber

In the end the published records must be those of the same nights without any fault. Those that are not are counted for
the kind that last made a difference to them: ``lost`` are missing, ``wrong`` have another value in a column that is not
provenance, notes or engagement, ``extra`` were never on a page as it should be. ``?`` stands for what no single night
explains.

A night without a fault is red without cause if anything failed but captures of faulty nights, which stay red until
newer ones of their pages are good.

``--list`` prints each night that made a difference with three of them, each record that is not right in the end, and
what is red without cause or amber without a fault. ``--only KIND ...`` draws these kinds alone. The same seed gives the
same table.
"""

import argparse
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import httpx
import polars as pl

from benchmarks.fault_kinds import EXTRA, KINDS, SILENT, FaultKind, Scene, spoil
from benchmarks.fault_sites import CONFIG, FIRST, HOSTS, TAGGED, Site, write
from benchmarks.said import say
from benchmarks.signals import Names, signals_of, table_of
from parsers._registry import sources
from pipeline.base.settings import FailedError, Settings
from pipeline.config import configure, load_config
from pipeline.fetching.fetch import fetch
from pipeline.fetching.request import Outside
from pipeline.publishing.changes import PROVENANCE
from pipeline.publishing.publish import PublishError
from pipeline.raw.inventory import CAPTURE_LOG
from pipeline.run.refresh import Result, refresh
from pipeline.run.summary import problems
from tests.support.sites import PUBLIC, Everywhere, Reply, Sites, quickly, serving

QUIET: Final = 3
"""Nights without faults at the end."""

RATE: Final = 0.3
"""Of the nights on which a fault of a source may begin."""

CLOCK_RATE: Final = 0.03
"""Of the nights on which the clock is wrong."""

LASTS: Final = (1, 1, 1, 2, 3)
IGNORED: Final = (*PROVENANCE, "notes", "engagement")
COLUMNS: Final = ("red", "amber", "harmless", "again", "silent", "lost", "wrong", "extra")
NO_KIND: Final = "?"
SHOWN: Final = 3
WIDTH: Final = 70

Rows = Mapping[str, Mapping[str, Any]]


class Wire(Everywhere):
    """The wire to the server: an answer that never comes is a timeout at once."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises ``httpx.ReadTimeout`` where the site is silent."""
        response = super().handle_request(request)
        if not SILENT.items() <= {name.title(): value for name, value in response.headers.items()}.items():
            return response
        response.close()
        raise httpx.ReadTimeout("no data")


@dataclass(frozen=True, slots=True)
class Told:
    """What a night said of a source: its light, the lines, the captures that failed, and the signals."""

    light: str = "green"
    lines: tuple[str, ...] = ()
    failed: frozenset[str] = frozenset()
    pages: bool = True
    signals: Names = frozenset()


class Desk:
    """A raw root and an out root, whose nights are passed one after another."""

    def __init__(self, root: Path, sites: Sites, config: str = CONFIG) -> None:
        """Begin without captures, or with those that are there."""
        self.root, self.sites, self.known = root, sites, sources()
        (root / "raw").mkdir(parents=True, exist_ok=True)
        file = root / "sources.toml"
        file.write_text(config, encoding="utf-8")
        self.config = load_config(file, self.known)
        self.settings = configure(Settings(root / "raw", root / "out", keep=2), self.config)

    def fetch(self, night: date, names: Iterable[str] = HOSTS) -> list[str]:
        """Fetch at three o'clock; return the failures."""
        clock = count()  # every look at the clock is a second later than the one before: nobody waits for long
        moment = datetime.combine(night, time(3), UTC)
        way = Wire(self.sites.port)
        outside = Outside(lambda: moment, lambda: float(next(clock)), lambda _: None, lambda _: [PUBLIC], way)
        chosen = [self.known[name] for name in names]
        return fetch(self.settings, self.config, chosen, outside=outside).failures

    def refresh(self, names: Iterable[str] = HOSTS, failures: Sequence[str] = ()) -> Result | str:
        """Refresh after failures to fetch; return the result, or why nothing was published."""
        try:
            return refresh(self.settings, self.known, list(names), failures=failures)
        except (PublishError, FailedError) as error:
            return str(error)

    def pass_night(self, night: date, names: Iterable[str] = HOSTS) -> dict[str, Told]:
        """Fetch and refresh; return what was said of each source."""
        failures, result = self.fetch(night, names), self.refresh(names)
        if isinstance(result, str):
            return {name: Told("red", (result,)) for name in names}
        told = {}
        for outcome in result.outcomes:
            name = outcome.source
            unfetched = [line for line in failures if line.startswith(f"{name}: ")]
            wrong = [*unfetched, *problems(outcome)] or ([] if outcome.status == "ok" else [outcome.status.value])
            bad = (each for each in outcome.readings if each.error is not None and not each.superseded)
            light = "red" if wrong else "amber" if outcome.looks else "green"
            failed = frozenset(reading.dump.path for reading in bad)
            lines = tuple(wrong or (sign.detail for sign in outcome.looks))
            signals = signals_of(outcome) | ({"unreached"} if unfetched else frozenset())
            told[name] = Told(light, lines, failed, pages=not unfetched, signals=signals)
        return told

    def records(self, source: str) -> Rows:
        """Return what is published of a source by id, without the columns that do not count."""
        file = self.settings.out / "latest" / "parquet" / f"{source}.parquet"
        if not file.is_file():
            return {}
        table = pl.read_parquet(file).drop(*IGNORED)
        return {row["record_id"]: row for row in table.iter_rows(named=True)}

    def captures(self, source: str) -> set[str]:
        """Return the paths of all files of a source below the raw root."""
        folder = self.settings.raw
        return {file.relative_to(folder).as_posix() for file in (folder / source).rglob("2*Z*")}

    def copy(self, root: Path) -> "Desk":
        """Return a copy of both roots; only what a night writes into is copied, what it replaces is linked."""

        def copy_file(source: str, target: str) -> None:
            (shutil.copyfile if source.endswith((CAPTURE_LOG, ".lock")) else os.link)(source, target)

        for name in ("raw", "out"):
            if (self.root / name).is_dir():
                shutil.copytree(self.root / name, root / name, symlinks=True, copy_function=copy_file)
        return Desk(root, self.sites)


@dataclass(slots=True)
class Fault:
    """A fault of a source: its kind, whether it is that of one page, for how many nights, and whether one told it."""

    kind: FaultKind
    alone: bool
    lasts: int
    age: int = 0
    told: bool = False


@dataclass(frozen=True, slots=True)
class FaultyNight:
    """What became of a faulty night: its verdict, the wrong pages, what was told, what differs, the signals."""

    number: int
    source: str
    kind: str
    verdict: str
    pages: tuple[str, ...]
    told: tuple[str, ...]
    differences: tuple[str, ...]
    signals: Names = frozenset()


@dataclass
class FaultRun:
    """All nights of a seed, and what became of them."""

    seed: int
    nights: int
    kinds: tuple[FaultKind, ...]
    sites: Sites
    root: Path
    cases: list[FaultyNight] = field(default_factory=list)
    final: list[tuple[str, str, str, str]] = field(default_factory=list)
    causeless: list[str] = field(default_factory=list)
    amber: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Set up the sites and two desks, of which one never sees a fault."""
        self.site, self.other = Site(self.seed), Site(self.seed, other=True)
        self.calm, self.desk = Desk(self.root / "calm", self.sites), Desk(self.root / "faulty", self.sites)
        self.faults: dict[str, Fault] = {}
        self.used: Counter[str] = Counter()
        self.blame: dict[tuple[str, str], str] = {}
        self.suspects: set[str] = set()
        self.tired: set[str] = set()
        self.last: dict[str, str] = {}

    def go(self) -> None:
        """Pass all nights and compare the ends."""
        for number in range(self.nights):
            self.live(number, FIRST + timedelta(days=number))
        calm = self.calm.refresh()  # the archive read at once gives what its nights give, as a test holds
        if isinstance(calm, str) or not calm.good:
            raise SystemExit(f"the nights without faults are not good: {calm}")
        for source in HOSTS:
            for key, what, text in compare(self.calm.records(source), self.desk.records(source)):
                self.final.append((self.blame.get((source, key), NO_KIND), what, f"{source}: {key}", text))

    def live(self, number: int, night: date) -> None:
        """Pass a night: without faults, and with those that there are."""
        self.put(night)
        self.calm.fetch(night)
        random = Random(f"{self.seed} {number}")  # noqa: S311  # seeded, no secret
        faulty = self.draw(number, random)
        should, wrong = self.rehearse(night, faulty, random) if faulty else ({}, {})
        for replies in wrong.values():
            for address, reply in replies.items():
                self.sites.put(address, reply)
        before = {source: self.desk.captures(source) for source in faulty}
        clock = min((fault.kind.clock for fault in self.faults.values()), default=0)
        self.sites.asked.clear()
        told = self.desk.pass_night(night + timedelta(days=clock))
        asked = set(self.sites.pages_asked())
        for source in HOSTS:
            if source in faulty and (clock or wrong[source].keys() & asked):
                self.suspects |= self.desk.captures(source) - before[source]
                self.judge(night, source, told[source], should[source], tuple(wrong[source]))
            else:
                self.check(night, source, told[source])
        self.grow_older()

    def rehearse(
        self, night: date, faulty: list[str], random: Random
    ) -> tuple[dict[str, Rows], dict[str, dict[str, Reply]]]:
        """Pass a night with the pages as they should be, in a copy of both roots.

        Returns what the sources with a fault should publish, and the wrong answers to what they ask for, by address.
        """
        with tempfile.TemporaryDirectory(dir=self.root) as name:
            copy = self.desk.copy(Path(name))
            self.sites.asked.clear()
            copy.pass_night(night, faulty)
            asked = set(self.sites.pages_asked())
            should = {source: copy.records(source) for source in faulty}
        return should, {source: self.choose(source, night, asked, random) for source in faulty}

    def put(self, night: date) -> None:
        """Put all pages in place as they should be."""
        self.sites.pages.clear()
        for address, text in EXTRA.items():
            self.sites.put(address, text)
        for source in HOSTS:
            for address, sheet in self.site.sheets(source, night).items():
                text = write(sheet)
                tag = {"ETag": f'"{sha256(text.encode()).hexdigest()[:16]}"'} if source in TAGGED else {}
                self.sites.put(address, Reply(text, headers=tag))

    def draw(self, number: int, random: Random) -> list[str]:
        """Return the sources with a fault tonight; those without a kind yet get it when their pages are known."""
        quiet = number == 0 or number >= self.nights - QUIET
        if quiet:
            self.faults.clear()
            return []
        clocks = [kind for kind in self.kinds if kind.clock]
        pages = [kind for kind in self.kinds if not kind.clock]
        if clocks and number > -clocks[0].clock and random.random() < (CLOCK_RATE if pages else RATE):
            self.faults = {source: Fault(clocks[0], alone=False, lasts=1) for source in HOSTS}
            return list(HOSTS)
        begins = {source: random.random() < RATE for source in HOSTS}
        free = [source for source in HOSTS if source not in self.faults and source not in self.tired]
        return [source for source in HOSTS if source in self.faults or (source in free and begins[source] and pages)]

    def choose(self, source: str, night: date, asked: set[str], random: Random) -> dict[str, Reply]:
        """Return the wrong answers of a source tonight, by address; none if no kind applies to what is asked for."""
        fault = self.faults.get(source)
        if fault is not None:
            return {} if fault.kind.clock else self.answers(fault, source, night, asked, random)
        kinds = [kind for kind in self.kinds if not kind.clock]
        for kind in sorted(kinds, key=lambda kind: (self.used[kind.name], random.random())):
            lasts = max(kind.lasts, random.choice(LASTS))
            fault = Fault(kind, alone=random.random() < 0.4, lasts=lasts)
            if answers := self.answers(fault, source, night, asked, random):
                self.faults[source] = fault
                return answers
        return {}

    def answers(self, fault: Fault, source: str, night: date, asked: set[str], random: Random) -> dict[str, Reply]:
        """Return the wrong answers of a fault, to one request or to all, as far as its kind applies."""
        made = {}
        for address, sheet in self.site.sheets(source, night).items():
            if address in asked:
                dice = Random(f"{self.seed} {fault.kind.name} {night} {address}")  # noqa: S311  # seeded, no secret
                scene = Scene(self.site, self.other, source, night, fault.age, address, sheet, dice)
                if reply := spoil(fault.kind, scene):
                    made[address] = reply
        if fault.alone and made:
            address = random.choice(sorted(made))
            return {address: made[address]}
        return made

    def judge(self, night: date, source: str, told: Told, should: Rows, pages: tuple[str, ...]) -> None:
        """Decide what became of a faulty night of a source."""
        fault, number = self.faults[source], (night - FIRST).days
        kind = fault.kind.name
        found = list(compare(should, self.desk.records(source)))
        for key, _, _ in found:
            self.blame[source, key] = kind
        self.used[kind] += 1
        self.last[source] = f"{kind} on night {number}"
        verdict = told.light
        if told.light == "green":
            verdict = "harmless" if not found else "again" if fault.told else "silent"
        fault.told = fault.told or told.light != "green"
        differences = tuple(f"{what}: {key}{text}" for key, what, text in found)
        self.cases.append(FaultyNight(number, source, kind, verdict, pages, told.lines, differences, told.signals))

    def check(self, night: date, source: str, told: Told) -> None:
        """Note a red that no fault explains, and what is amber."""
        last = self.last.get(source, "none")
        line = f"night {(night - FIRST).days}, {source}, last fault: {last}: {'; '.join(told.lines)}"
        if told.light == "red" and not (told.pages and told.failed and told.failed <= self.suspects):
            self.causeless.append(line)
        elif told.light == "amber":
            self.amber.append(line)

    def grow_older(self) -> None:
        """Let the faults of the night grow older; a night without follows the last one."""
        for fault in self.faults.values():
            fault.age += 1
        self.tired = {source for source, fault in self.faults.items() if fault.age >= fault.lasts}
        for source in self.tired:
            del self.faults[source]


def compare(should: Rows, found: Rows) -> Iterator[tuple[str, str, str]]:
    """Yield the id of each record that is lost, wrong or extra, which of these, and the first value that differs."""
    for key in sorted(should.keys() | found.keys()):
        if key not in found:
            yield key, "lost", ""
        elif key not in should:
            yield key, "extra", f" {str(found[key]['title'])[:WIDTH]!r}"
        elif found[key] != should[key]:
            name = next(name for name, value in should[key].items() if found[key][name] != value)
            old, new = (str(rows[key][name]) for rows in (should, found))
            start = max(0, next((place for place in range(len(old)) if old[: place + 1] != new[: place + 1]), 0) - 20)
            yield key, "wrong", f" {name}: {old[start : start + WIDTH]!r} -> {new[start : start + WIDTH]!r}"


def report(run: FaultRun, *, listed: bool) -> None:
    """Print the table, and the list before it."""
    for line in list_all(run) if listed else ():
        say(line)
    say(f"{'':<18}{'nights':>7}{''.join(f'{name:>10}' for name in COLUMNS)}  what it is")
    for kind in run.kinds:
        say(make_row(run, kind.name, kind.says))
    if any(each[0] == NO_KIND for each in run.final):
        say(make_row(run, NO_KIND, "no single night explains it"))
    say(make_row(run, None, "all"))
    others = run.nights * len(HOSTS) - len(run.cases)
    counted = f"without a fault: {others}, of these red without cause {len(run.causeless)}, amber {len(run.amber)}"
    for line in table_of(case.signals for case in run.cases):
        say(line)
    say(f"seed {run.seed}, {run.nights} nights of {len(HOSTS)} sources; {counted}")


def make_row(run: FaultRun, name: str | None, says: str) -> str:
    """Return the counts of a kind, or of all."""
    cases = [case.verdict for case in run.cases if name in {None, case.kind}]
    counts = Counter([*cases, *(what for kind, what, _, _ in run.final if name in {None, kind})])
    return f"{name or 'all':<18}{len(cases):>7}{''.join(f'{counts[each]:>10}' for each in COLUMNS)}  {says}"


def list_all(run: FaultRun) -> Iterator[str]:
    """Yield each night that made a difference, each record that is not right in the end, what clean nights said."""
    for case in run.cases:
        if case.differences:
            told = "; ".join(case.told)[: 3 * WIDTH]
            yield f"{case.verdict} [{len(case.differences)}] night {case.number}, {case.source}, {case.kind}: {told}"
            yield from (f"    at {page}" for page in case.pages[:SHOWN])
            yield from (f"    {line}" for line in case.differences[:SHOWN])
    for kind, what, key, text in run.final:
        yield f"{what} in the end, {kind}: {key}{text}"
    yield from (f"red without cause: {line}" for line in run.causeless)
    yield from (f"amber without a fault: {line}" for line in run.amber)


def run_nights(seed: int, nights: int, kinds: Iterable[FaultKind] = KINDS) -> FaultRun:
    """Pass the nights of a seed in a temporary folder and return what became of them."""
    patient = quickly({"attempts": 2})
    with (
        tempfile.TemporaryDirectory() as name,
        serving() as sites,
        patch("pipeline.fetching.fetch.make_manners", patient),
    ):
        run = FaultRun(seed, nights, tuple(kinds), sites, Path(name))
        run.go()
    return run


def main() -> None:
    """Pass the nights and print what became of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", allow_abbrev=False)
    parser.add_argument("--nights", type=int, default=120, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[kind.name for kind in KINDS], nargs="+", metavar="KIND")
    parser.add_argument(
        "--list",
        action="store_true",
        help="print each night that made a difference, and the records that are not right",
    )
    given = parser.parse_args()
    if given.nights < QUIET + 2:
        parser.error(f"expected at least {QUIET + 2} nights")
    kinds = [kind for kind in KINDS if not given.only or kind.name in given.only]
    report(run_nights(given.seed, given.nights, kinds), listed=given.list)


if __name__ == "__main__":
    main()
