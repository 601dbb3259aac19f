"""Pages of several files over the nights: a capture of all or none; nothing good is replaced by something worse."""

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from parsers._contract import Source
from parsers._registry import sources
from parsers._web.web import OnePage
from pipeline.base.settings import Settings, UsageError
from pipeline.fetching.fetch import Fetched, load_targets
from pipeline.publishing.store import latest_snapshot
from pipeline.raw.inventory import take_inventory
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result, refresh
from tests.conftest import ROOT
from tests.support.sites import Nights, Reply, Sites, quickly, redirect, serving

JAM = ROOT / "raw/miniconf"
PAPERS = (JAM / "papers.csv").read_text(encoding="utf-8")
TIMES = (JAM / "main_calendar.json").read_text(encoding="utf-8")
LATER = TIMES.replace("17T11:30:00+02:00", "17T11:45:00+02:00")
LOGIN = "<html><head><title>Sign in</title></head><body><form><input type='password'></form></body></html>"
SITE = "jam.example/sitedata"
TARGET = OnePage(f"https://{SITE}/papers.csv", "JAM 2026", "Europe/Oslo", 2026, (f"https://{SITE}/main_calendar.json",))
FOLDER = "miniconf/JAM-2026/papers"
FIRST = {f"{FOLDER}/20261121T030000Z.csv": PAPERS, f"{FOLDER}/20261121T030000Z.main_calendar.json": TIMES}
MINICONF: Source = replace(sources()["miniconf"])


@pytest.fixture(scope="module")
def server() -> Iterator[Sites]:
    """Serve for all tests of this file."""
    with serving() as sites:
        yield sites


class Jam:
    """Nights over a site with the papers and the times of an event: fetched, then refreshed."""

    def __init__(self, folder: Path, sites: Sites) -> None:
        """Put the files in place, with marks."""
        self.nights, self.out = Nights(folder / "raw", sites), folder / "out"
        self.put("papers.csv", PAPERS)
        self.put("main_calendar.json", TIMES)

    def put(self, name: str, text: str | bytes) -> None:
        """Put a file in place, marked by its text."""
        self.answer(name, Reply(text, headers={"ETag": f'"{abs(hash(text))}"'}))

    def answer(self, name: str, *replies: Reply) -> None:
        """Set what comes for a file."""
        self.nights.sites.put(f"{SITE}/{name}", *replies)

    def fetch(self, target: OnePage = TARGET) -> Fetched:
        """Fetch in a night of its own."""
        self.nights.next_night()
        self.nights.sites.asked.clear()
        return self.nights.fetch(target, source=MINICONF)

    def night(self) -> tuple[str, Result]:
        """Fetch and refresh; return how the page ended."""
        fetched = self.fetch()
        (page,) = fetched.pages
        raw, known = self.nights.raw, sources()
        return page.outcome.value, refresh(Settings(raw, self.out), known, ["miniconf"], failures=fetched.failures)

    def asked(self) -> list[str]:
        """Return the names of the files that were asked for in the last night, with a + where on condition."""
        pages = [(page, "If-None-Match" in headers) for page, headers in self.nights.sites.asked]
        return [f"{page.rpartition('/')[2]}{'+' * on}" for page, on in pages if not page.endswith("robots.txt")]

    def captures(self) -> dict[str, str]:
        """Return the texts of all captured files."""
        return {path: data.decode() for path, data in self.nights.captures().items()}

    def starts(self) -> dict[str, str]:
        """Return when the published records start, by title."""
        snapshot = latest_snapshot(self.out)
        records = snapshot.table("records", "miniconf") if snapshot is not None else None
        if records is None:
            return {}
        return dict(records.select("title", pl.col("starts_at").dt.to_string("%d %H:%M")).iter_rows())


@pytest.fixture
def new(tmp_path: Path, server: Sites, monkeypatch: pytest.MonkeyPatch) -> Jam:
    """Start before the first night; nobody waits for another attempt."""
    monkeypatch.setattr("pipeline.fetching.fetch.make_manners", quickly({"attempts": 1}))
    server.pages.clear()
    server.asked.clear()
    jam = Jam(tmp_path, server)
    jam.nights.clock.night = -1
    return jam


@pytest.fixture
def jam(new: Jam) -> Jam:
    """Pass the first night."""
    how, result = new.night()
    assert (how, result.good, len(new.starts())) == ("new", True, 5)
    return new


# One capture of all files


def test_all_files_are_one_capture(jam: Jam) -> None:
    """They have one stamp; the sidecar of the dump says where each comes from, and the log has one line."""
    sidecar = tomllib.loads((jam.nights.raw / FOLDER / "20261121T030000Z.csv.meta.toml").read_text())
    (dump,) = take_inventory(jam.nights.raw, sources()).dumps["miniconf"]
    files = sidecar["files"]["main_calendar.json"]
    assert (jam.captures(), list(dump.paths)) == (FIRST, sorted(FIRST))
    assert (files["url"], files["etag"][0], len(files["sha256"])) == (TARGET.urls[0], '"', 64)
    assert dump.facts.urls == TARGET.urls
    assert len((jam.nights.raw / FOLDER / "captures.ndjson").read_text().splitlines()) == 1


def test_a_night_without_news(jam: Jam) -> None:
    """Each file is asked for on condition; nothing is read again."""
    how, result = jam.night()
    assert (how, jam.asked(), jam.captures()) == ("not_modified", ["papers.csv+", "main_calendar.json+"], FIRST)
    assert (result.good, result.outcomes[0].read_seconds) == (True, 0)


@pytest.mark.parametrize("marked", ["papers.csv", "main_calendar.json", ""])
def test_files_without_marks(new: Jam, marked: str) -> None:
    """Their bytes are compared; of a page without a mark no file is asked for on condition."""
    for name, text in (("papers.csv", PAPERS), ("main_calendar.json", TIMES)):
        if name != marked:
            new.answer(name, Reply(text))
    outcomes = [page.outcome.value for _ in range(3) for page in new.fetch().pages]
    then = "not_modified" if marked == "papers.csv" else "unchanged"
    assert (outcomes, new.captures()) == (["new", then, then], FIRST)


def test_a_companion_changes(jam: Jam) -> None:
    """All files are kept anew, each sent whole, and the dump has other times."""
    jam.put("main_calendar.json", LATER)
    how, result = jam.night()
    second = {path.replace("21T03", "22T03"): text for path, text in FIRST.items()}
    second[f"{FOLDER}/20261122T030000Z.main_calendar.json"] = LATER
    assert (how, result.good, jam.captures()) == ("new", True, FIRST | second)
    assert jam.asked() == ["papers.csv+", "main_calendar.json+", "papers.csv"]
    assert jam.starts()["A Spoon for Every Hand"] == "17 11:45"
    assert jam.night()[0] == "not_modified"


def test_the_dump_changes(jam: Jam) -> None:
    """Its companion is sent whole again, too."""
    jam.put("papers.csv", PAPERS.replace("A Spoon for Every Hand", "Two Spoons"))
    assert (jam.night()[0], jam.asked()) == ("new", ["papers.csv+", "main_calendar.json+", "main_calendar.json"])
    assert len(jam.captures()) == 4


def test_a_week_without_news(jam: Jam) -> None:
    """After it all files are asked for whole: a site may say for ever that nothing has changed."""
    jam.nights.clock.night = 6
    assert (jam.night()[0], jam.asked()) == ("unchanged", ["papers.csv", "main_calendar.json"])


# What a companion may be, one night


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply("gone", 404), "404 Not Found"),
        (Reply(TIMES).packed(), "the compressed body is truncated"),
        (redirect("https://elsewhere.example/times.json"), "302: leads to another site"),
        (Reply(TIMES, length=10**12), "expected at most 64 MiB, found more"),
    ],
    ids=["gone", "cut", "moved away", "too large"],
)
def test_a_companion_that_does_not_come(jam: Jam, reply: Reply, told: str) -> None:
    """Nothing is kept, though the dump is new; the night is red, names the file, and what is published stays."""
    if isinstance(reply.body, bytes):
        reply = replace(reply, body=reply.body[:-20])
    before = jam.starts()
    jam.put("papers.csv", PAPERS.replace("A Spoon for Every Hand", "Two Spoons"))
    jam.answer("main_calendar.json", reply)
    how, result = jam.night()
    red, then = (line for line in next_steps(result) if line.startswith(("red:", "next:")))
    assert (how, result.good, jam.captures(), jam.starts()) == ("failed", False, FIRST, before)
    assert red.startswith(f"red: miniconf: {TARGET.url}: its file main_calendar.json, {TARGET.urls[0]}: {told}")
    assert then.startswith("next: conspectus status miniconf ")
    jam.put("main_calendar.json", TIMES)
    assert (jam.night()[0], "Two Spoons" in jam.starts()) == ("new", True)


def test_a_companion_that_comes_late(new: Jam) -> None:
    """There is no capture of half a page, and no red dump; the next night has all of it."""
    new.answer("main_calendar.json", Reply("not yet", 404))
    failed = new.fetch()
    assert (failed.good, new.captures(), take_inventory(new.nights.raw, sources()).unknown) == (False, {}, {})
    new.put("main_calendar.json", TIMES)
    how, result = new.night()
    assert (how, result.good, len(new.starts())) == ("new", True, 5)


def test_files_that_are_too_large_together(new: Jam, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is that of one dump, as it is for a refresh."""
    most = len((PAPERS + TIMES).encode()) - 1
    monkeypatch.setattr("tests.support.sites.Settings", lambda raw, out: Settings(raw, out, max_bytes=most))
    (failure,) = new.fetch().failures
    assert "MiB in a page with its companions, found more" in failure
    assert new.captures() == {}


@pytest.mark.parametrize("name", ["papers.csv", "main_calendar.json"])
@pytest.mark.parametrize(
    "text", [LOGIN, "%PDF-1.7 a programme", "", TIMES[:-40], "[]"], ids=["login", "pdf", "empty", "cut", "nothing"]
)
def test_a_file_that_is_something_else(jam: Jam, name: str, text: str) -> None:
    """It came with status 200 and is kept; guards and readers refuse it, and the next good night heals."""
    before = jam.starts()
    jam.put(name, text)
    how, result = jam.night()
    assert (how, result.good, jam.starts(), result.unknown) == ("new", False, before, {})
    jam.put(name, {"papers.csv": PAPERS, "main_calendar.json": TIMES}[name])
    how, result = jam.night()
    assert (how, result.good, jam.starts()) == ("new", True, before)


def test_what_was_refused_is_asked_for_whole(jam: Jam) -> None:
    """A site has one mark for a file and for the half of it that arrived."""
    jam.answer("main_calendar.json", Reply(TIMES[:-40], headers={"ETag": '"1"'}))
    jam.night()
    jam.answer("main_calendar.json", Reply(TIMES, headers={"ETag": '"1"'}))
    how, result = jam.night()
    assert (how, result.good, jam.asked()) == ("new", True, ["papers.csv", "main_calendar.json"])


def test_a_companion_that_somebody_deleted(jam: Jam) -> None:
    """The capture is no longer whole: all files are asked for and kept again."""
    (jam.nights.raw / FOLDER / "20261121T030000Z.main_calendar.json").unlink()
    how, result = jam.night()
    assert (how, result.good, jam.asked(), len(jam.captures())) == (
        "new",
        True,
        ["papers.csv", "main_calendar.json"],
        3,
    )


def test_another_address_for_a_companion(jam: Jam) -> None:
    """The entry was changed: the files are asked for whole, and kept with the new address."""
    jam.answer("2026/main_calendar.json", Reply(TIMES))
    moved = replace(TARGET, urls=(f"https://{SITE}/2026/main_calendar.json",))
    assert [page.outcome.value for page in jam.fetch(moved).pages] == ["new"]
    assert jam.asked() == ["papers.csv", "main_calendar.json"]


# Politeness and secrets


def test_each_file_is_asked_for_politely(new: Jam) -> None:
    """Robots of its own site, a pause between two requests, and who asks."""
    other = replace(TARGET, urls=("https://times.example/main_calendar.json",))
    new.nights.sites.put("times.example/main_calendar.json", TIMES)
    new.nights.sites.put("times.example/robots.txt", "User-agent: *\nDisallow: /main")
    (failure,) = new.fetch(other).failures
    assert failure.endswith("main_calendar.json: not allowed by https://times.example/robots.txt")
    new.fetch()
    assert new.nights.clock.slept.count(1.0) >= 2
    assert {"+ann@fair.example" in headers["User-Agent"] for _, headers in new.nights.sites.asked} == {True}


def test_a_secret_in_the_address_of_a_companion(new: Jam) -> None:
    """It stands below raw only: neither in what is told, nor in a text that prints it, nor in what is published."""
    secret = "k3yOfOneCalendar9"  # noqa: S105  # invented
    url = f"{TARGET.urls[0]}?token={secret}"
    target = replace(TARGET, urls=(url,))
    new.answer(f"main_calendar.json?token={secret}", Reply(TIMES.replace("Tea and Toast", f"Tea, {url}")))
    assert new.fetch(target).good
    result = refresh(Settings(new.nights.raw, new.out), sources(), ["miniconf"])
    told = [file for file in new.out.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()]
    assert (result.good, told, [secret in line for line in new.nights.said]) == (True, [], [False] * 2)
    assert any("Tea, https" in (title or "") and secret not in title for title in new.starts())


def test_two_entries_for_one_page(new: Jam) -> None:
    """With other companions the second is refused: its captures would be taken for those of the first."""
    other = replace(TARGET, urls=(f"https://{SITE}/2026/main_calendar.json",))
    fetched = new.nights.fetch(TARGET, TARGET, other, source=MINICONF)
    (failure,) = fetched.failures
    assert (len(fetched.pages), f"is already used by {TARGET.url}" in failure) == (2, True)


# Mistakes in an entry


CALENDAR = f"https://{SITE}/main_calendar.json"
NAMED = "*sessions.yml or *sessions.json or *calendar.json or *calendar.yml or *events.csv or *calendar.csv"
ENTRY = f'contact = "ann@fair.example"\n[[{{}}]]\nurl = "{TARGET.url}"\nevent = "JAM"\n'
WRONG = {
    "none": ("miniconf", [], [f"expected one file for calendar, named {NAMED}, found none"]),
    "another": (
        "miniconf",
        [f"https://{SITE}/speakers.csv", CALENDAR],
        [f"expected a file named {NAMED}, found speakers.csv"],
    ),
    "two for one": (
        "miniconf",
        [CALENDAR, f"https://{SITE}/sessions.yml"],
        [f"expected one file for calendar, named {NAMED}, found main_calendar.json, sessions.yml"],
    ),
    "one of two": (
        "confer",
        [f"https://{SITE}/sessions.json"],
        ["expected one file for schedule, named *schedule.json or *schedule.js, found none"],
    ),
    "of both": (
        "pages",
        [f"https://{SITE}/rooms_times.csv"],
        ["expected the file of one companion, found rooms_times.csv, which may be rooms or times"],
    ),
    "no name": (
        "miniconf",
        [f"https://{SITE}/calendar?format=json"],
        ["expected an address with a file name in .csv, .js, .json, .tsv, .yaml, .yml at its end, found calendar"],
    ),
    "one file": (
        "dblp",
        [CALENDAR],
        ["expected none, since a dump is one file if the file of dblp names no others, found main_calendar.json"],
    ),
    "no table": (
        "ics",
        [CALENDAR],
        ["expected none, since a dump is one file if table.toml in DIR/raw/ics/JAM/papers or above names no others, "],
    ),
    "a wrong table": ("pages", [CALENDAR], ["table.toml, which is wrong (", "names no others, found main_calendar"]),
    "no address": ("miniconf", ["main_calendar.json"], ["expected a URL such as https://conference.example/"]),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_in_an_entry(tmp_path: Path, case: str) -> None:
    """It is told with file and entry, and what was expected, before anything is asked for."""
    source, urls, told = WRONG[case]
    table = tmp_path / "raw/pages/JAM/table.toml"
    table.parent.mkdir(parents=True)
    table.write_text('[files]\nrooms = "rooms*.csv"\ntimes = "*times.csv"\n' if case == "of both" else "[files\0")
    if case == "a wrong table":
        table.write_bytes(b"\xff")
    file = tmp_path / "sources.toml"
    file.write_text(f"{ENTRY.format(source)}urls = {urls}\n")
    with pytest.raises(UsageError) as caught:
        load_targets(tmp_path / "raw", file, sources(), [])
    said = str(caught.value).replace(str(tmp_path), "DIR")
    assert [text for text in told if text not in said] == [], said
    assert {line.partition(": ")[0] for line in said.splitlines()} == {"sources.toml"}
    assert f"{source}[0].urls: " in said


@pytest.mark.parametrize(
    ("source", "urls"),
    [
        ("confer", [f"https://{SITE}/a_schedule.js", "https://other.example/SESSIONS.json?token=s3cretOf0neCalendar"]),
        ("pages", [f"https://{SITE}/times-20260101T0300Z.csv"]),
        ("pages", []),
        ("ics", []),
    ],
)
def test_entries_that_are_right(tmp_path: Path, source: str, urls: list[str]) -> None:
    """In any order, from other sites; a table need not be there yet, where an entry names no files."""
    (tmp_path / "raw/pages").mkdir(parents=True)
    if urls:
        (tmp_path / "raw/pages/table.toml").write_text('[files]\ntimes = "times.csv"\n')
    file = tmp_path / "sources.toml"
    file.write_text(f"{ENTRY.format(source)}urls = {urls}\n")
    (target,) = load_targets(tmp_path / "raw", file, sources(), []).targets[source]
    assert target.urls == tuple(urls)


# A file of tables that is edited


@pytest.mark.untraced
def test_an_edited_file_of_a_system(tmp_path: Path) -> None:
    """Its dumps, companions and all, are read again in the next night, and no others."""
    for room in ("parsers", "schemas", "pipeline"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for source in ("miniconf", "dblp"):
        shutil.copytree(ROOT / "raw" / source, tmp_path / "raw" / source)
    command = [sys.executable, "-m", "pipeline", "refresh", "miniconf", "dblp", "--config", "/dev/null", "--quiet"]

    def night() -> dict[str, set[str]]:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={})
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        cache = tmp_path / "out" / ".cache"
        return {source: {file.name for file in (cache / source).iterdir()} for source in ("miniconf", "dblp")}

    first = night()
    file = tmp_path / "parsers/systems/miniconf.toml"
    file.write_text(file.read_text(encoding="utf-8") + "\n# a word\n", encoding="utf-8")
    second = night()
    assert (second["dblp"], second["miniconf"] > first["miniconf"]) == (first["dblp"], True)
