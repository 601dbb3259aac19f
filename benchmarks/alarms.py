"""Twenty nights on which something happens to a site, and what somebody who is woken is told.

``python -m benchmarks.alarms [--only NIGHT ...]`` fetches and refreshes programmes from a server on loopback. Each
night begins after two good ones. It prints the colour, the lines that are said, and for each line ``next:`` the result
of the command as it is printed, run by a shell in the root directory: its exit code, the seconds that it took, and the
first line of its output, or the last one if it fails. A command that is not carried out (2 or more), or that takes more
than two seconds, is marked.

The pages are invented (``benchmarks.fault_sites``), or real ones: ``CONSPECTUS_PAGES`` names a folder with a folder for
each source whose programmes are single pages. The second page of a source is that of the event that is added.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from unittest.mock import patch

from benchmarks.bulk import ROOT
from benchmarks.fault_kinds import KINDS, SILENT
from benchmarks.fault_sites import FIRST, FOLDER, Site, write
from benchmarks.faults import Desk
from benchmarks.said import say
from parsers._registry import companions_of, sources
from parsers._web.web import follow_nothing
from pipeline.run.refresh import Result
from pipeline.run.summary import amber_lines
from tests.support.sites import Reply, Sites, quickly, redirect, serving

MOST_SECONDS: Final = 2.0
WIDTH: Final = 150
HOST: Final = "pages.example"
ADDED: Final = "added.example"
HEAD: Final = 'contact = "ann@fair.example"\n'
DAYS: Final = 200
"""Days before today on which the nights begin."""

_CLOCK: Final = re.compile(r"\b(?P<hour>\d?\d)(?P<rest>[:.]\d\d)\b")
_YEAR: Final = re.compile(r"20[12]\d")

Change = Callable[[str], Reply | str | bytes]


@dataclass(frozen=True, slots=True)
class Venue:
    """A programme: its source, its entry in ``sources.toml``, and its pages by address."""

    source: str
    entry: str
    pages: Mapping[str, str]


@dataclass
class Stage:
    """A desk on a night, the pages of its sites, and what may happen to them."""

    root: Path
    sites: Sites
    venues: Sequence[Venue]
    days: int = 2

    def put(self, change: Change | None = None) -> None:
        """Put all pages in place, changed."""
        self.sites.pages.clear()
        for venue in self.venues:
            for address, text in venue.pages.items():
                reply = text if change is None else change(text)
                self.sites.put(address, Reply(reply) if isinstance(reply, bytes) else reply)

    def desk(self, venues: Sequence[Venue]) -> Desk:
        """Return the desk with these programmes in its settings."""
        return Desk(self.root, self.sites, HEAD + "".join(venue.entry for venue in venues))

    def pass_night(self, venues: Sequence[Venue]) -> Result | str:
        """Fetch and refresh; return the result, or why nothing was published."""
        desk, names = self.desk(venues), sorted({venue.source for venue in self.venues})
        failures = desk.fetch(FIRST_NIGHT + timedelta(days=self.days), names)
        return desk.refresh(names, failures)


FIRST_NIGHT: Final = datetime.now(UTC).date() - timedelta(days=DAYS)


@dataclass(frozen=True, slots=True)
class AlarmNight:
    """What happens on a night: to every page, to the settings and the disk, and whether the advice is followed on."""

    name: str
    says: str
    change: Change | None = None
    before: Callable[[Stage], None] | None = None
    added: bool = False
    removed: bool = False
    followed: bool = False


def move_talks(text: str) -> str:
    """Let the second half of a programme begin an hour later."""
    half = len(text) // 2
    return text[:half] + _CLOCK.sub(lambda found: f"{(int(found['hour']) + 1) % 24:02}{found['rest']}", text[half:])


def show_last_year(text: str) -> str:
    """Show the programme of the year before."""
    return _YEAR.sub(lambda found: str(int(found[0]) - 1), text)


def cut(text: str) -> str:
    """Send half of the page."""
    return text[: len(text) // 2]


def rename_label(text: str) -> str:
    """Call chairs and places otherwise."""
    return re.sub(r"\bChair(s?)\b", r"Moderator\1", text).replace("Location", "Venue")


def rename_classes(text: str) -> str:
    """Give other names to classes or keys."""
    classes = re.sub(r"class=(['\"])(?=[a-z])", r"class=\1new-", text)
    return classes if classes != text else text.replace('"title"', '"name"')


def always(name: str) -> Change:
    """Return the answer of a kind of fault that is the same for every page."""
    (kind,) = (kind for kind in KINDS if kind.name == name)
    reply = kind.make(None)  # type: ignore[arg-type]  # these kinds do not look at the page
    return lambda _: reply  # type: ignore[return-value]  # a reply


def break_gzip(text: str) -> Reply:
    """Damage some bytes in the middle of the packed page."""
    packed = bytearray(Reply(text).packed().body)  # type: ignore[arg-type]  # bytes
    middle = len(packed) // 2
    packed[middle : middle + 8] = bytes(byte ^ 0x55 for byte in packed[middle : middle + 8])
    return Reply(bytes(packed), headers={"Content-Encoding": "gzip"})


def forbid(stage: Stage) -> None:
    """Let robots.txt forbid all pages."""
    for address in list(stage.sites.pages):
        stage.sites.put(f"{address.partition('/')[0]}/robots.txt", "User-agent: *\nDisallow: /\n")


def delete_folder(stage: Stage) -> None:
    """Delete what was captured of a source."""
    shutil.rmtree(stage.root / "raw" / stage.venues[0].source)
    stage.sites.pages.clear()


def turn_back(stage: Stage) -> None:
    """Set the clock back by nine days."""
    stage.days -= 9


NIGHTS: Final = (
    AlarmNight("good", "the pages are as they were"),
    AlarmNight("moved", "half of the talks begin an hour later", move_talks),
    AlarmNight("classes", "classes or keys have other names", rename_classes),
    AlarmNight("labels", "chairs are called moderators, locations venues", rename_label),
    AlarmNight("login", "a login page", always("login")),
    AlarmNight(
        "gone_200", "'not found' with status 200", lambda _: "<html><title>404</title><h1>Not found</h1></html>"
    ),
    AlarmNight("last_year", "the programme of the year before", show_last_year),
    AlarmNight("half", "half of the page", cut),
    AlarmNight("gzip", "damaged gzip", break_gzip),
    AlarmNight("redirect", "redirected to another host", lambda _: redirect("https://parked.example/")),
    AlarmNight("gone", "status 404", always("not_found")),
    AlarmNight("error_500", "status 500", always("error_500")),
    AlarmNight("down", "the connection ends", always("dropped")),
    AlarmNight("slow", "no answer", lambda _: Reply(headers=SILENT)),
    AlarmNight("robots", "robots.txt forbids the pages", before=forbid),
    AlarmNight("event_added", "a second event in the settings", added=True),
    AlarmNight("event_removed", "an event is taken out of the settings", removed=True),
    AlarmNight("folder_deleted", "the raw folder of a source is deleted, the site is down", before=delete_folder),
    AlarmNight("clock_back", "the clock is set back by nine days", before=turn_back),
    AlarmNight("accepted", "half of the page, and a person accepts it", cut, followed=True),
)


def invented() -> list[Venue]:
    """Return two invented programmes of one source, of an index and three day pages each."""
    return [
        make_invented(Site(1, other=other), folder) for other, folder in ((False, FOLDER), (True, f"{ADDED}/RUSK2026"))
    ]


def make_invented(site: Site, folder: str) -> Venue:
    """Return an invented programme below an address."""
    pages = {
        address.replace(FOLDER, folder): write(sheet) for address, sheet in site.sheets("easychair", FIRST).items()
    }
    event = "RUSK 2026" if site.other else "CRUMB 2026"
    facts = f'timezone = "Europe/Oslo"\nevent = "{event}"\nyear = 2026\n'
    return Venue("easychair", f'[[easychair]]\nurl = "https://{folder}/index.html"\n{facts}', pages)


def real(folder: Path) -> list[list[Venue]]:
    """Return the real pages of each source, the first one and that of the event that is added."""
    fetched = {name: source.web for name, source in sources().items() if source.web and not companions_of(name)}
    single = [name for name, web in fetched.items() if web.follow is follow_nothing]
    found = [[make_real(name, file, place) for place, file in enumerate(files_of(folder / name))] for name in single]
    return [venues for venues in found if venues]


def files_of(folder: Path) -> list[Path]:
    """Return the first two pages of a source."""
    names = (file for kind in ("html", "json", "ics") for file in sorted(folder.glob(f"*.{kind}")))
    return [file for file in names if ".truth" not in file.name and "negative" not in file.name][:2]


def make_real(source: str, file: Path, place: int) -> Venue:
    """Return a real page as a programme of the year that it names most often."""
    text = file.read_text(encoding="utf-8", errors="replace")
    ((year, _),) = Counter(_YEAR.findall(text) or ["2025"]).most_common(1)
    address = f"{ADDED if place else HOST}/{source}/{file.name}"
    facts = f'timezone = "Europe/Oslo"\nyear = {year}\n'
    return Venue(source, f'[[{source}]]\nurl = "https://{address}"\n{facts}', {address: text})


@dataclass(frozen=True, slots=True)
class Followed:
    """A command as it was printed: its exit code, the seconds, and its output."""

    command: str
    code: int
    seconds: float
    output: str

    @property
    def works(self) -> bool:
        """True if it was carried out, in time."""
        return self.code in {0, 1} and self.seconds <= MOST_SECONDS

    @property
    def steps(self) -> list[str]:
        """The commands that it printed itself."""
        return [line.removeprefix("next: ") for line in self.output.splitlines() if line.startswith("next: ")]


def follow(command: str, programs: Path) -> Followed:
    """Run a command as a shell in the root directory does, where ``conspectus`` is on the path."""
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONSPECTUS_")}
    start = time.perf_counter()
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd="/",
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return Followed(command, done.returncode, time.perf_counter() - start, done.stdout + done.stderr)


def write_program(folder: Path) -> Path:
    """Write a program ``conspectus`` that is this checkout."""
    folder.mkdir()
    file = folder / "conspectus"
    file.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m pipeline "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    return folder


def live(night: AlarmNight, stage: Stage, programs: Path) -> Iterator[str | Followed]:
    """Pass a night; yield its colour, the lines that were said, and each command that was run."""
    first, *others = stage.venues
    stage.put(night.change)
    if night.before is not None:
        night.before(stage)
    result = stage.pass_night(others if night.removed else stage.venues if night.added else [first])
    if isinstance(result, str):
        yield "red"
        yield f"failed: {result}"
        return
    lines = amber_lines(result)
    yield "red" if not result.good else "amber" if lines else "green"
    for line in lines:
        yield line
        if line.startswith("next: "):
            yield from follow_on(line.removeprefix("next: "), programs, on=night.followed)


def follow_on(command: str, programs: Path, *, on: bool) -> Iterator[Followed]:
    """Run a command and, where that is wanted, those by which a person goes on to accept a capture."""
    done = follow(command, programs)
    yield done
    if on and " accept " in command:
        for step in done.steps:
            yield from follow_on(step, programs, on=on)
            if step.startswith("conspectus refresh"):
                return


def run_nights(venues: Sequence[Venue], nights: Sequence[AlarmNight]) -> list[Followed]:
    """Pass nights, each after the same two good ones; print what was said, and return the commands that were run."""
    ran: list[Followed] = []
    with (
        tempfile.TemporaryDirectory() as name,
        serving() as sites,
        patch("pipeline.fetching.fetch.make_manners", quickly({"attempts": 2})),
    ):
        folder = Path(name)
        programs, root = write_program(folder / "bin"), folder / "desk"
        for day in range(2):
            stage = Stage(root, sites, venues, day)
            stage.put()
            stage.pass_night(venues[:1])
        shutil.copytree(root, folder / "good", symlinks=True)
        for night in nights:
            shutil.rmtree(root)
            shutil.copytree(folder / "good", root, symlinks=True)
            say(f"\n== {night.name}: {night.says}")
            for said in live(night, Stage(root, sites, venues), programs):
                if isinstance(said, Followed):
                    ran.append(said)
                    mark = "" if said.works else "!! "
                    told = (said.output.strip().splitlines() or ["(nothing)"])[-1 if said.code else 0]
                    say(f"    {mark}-> {said.code}, {said.seconds:.1f} s: {short(told, root)}")
                else:
                    say(f"  {short(said, root)}")
    return ran


def short(line: str, root: Path) -> str:
    """Return the beginning of a line; the folder of the desk is ``~`` in it."""
    told = line.replace(str(root), "~")
    return told if len(told) <= 2 * WIDTH else f"{told[: 2 * WIDTH]} .."


def main() -> None:
    """Pass the nights, and print in the end how many commands did not do."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alarms", allow_abbrev=False)
    parser.add_argument("--only", choices=[night.name for night in NIGHTS], nargs="+", metavar="NIGHT")
    given = parser.parse_args()
    nights = [night for night in NIGHTS if not given.only or night.name in given.only]
    pages = os.environ.get("CONSPECTUS_PAGES")
    ran: list[Followed] = []
    for venues in real(Path(pages)) if pages else [invented()]:
        say(f"\n==== {venues[0].source}, {len(venues[0].pages)} pages")
        ran += run_nights(venues, nights)
    broken, slow = sum(each.code not in {0, 1} for each in ran), sum(each.seconds > MOST_SECONDS for each in ran)
    say(f"\n{len(ran)} commands run as printed: {broken} not carried out, {slow} took more than {MOST_SECONDS:.0f} s")


if __name__ == "__main__":
    main()
