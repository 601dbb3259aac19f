"""The history of a page as nights: each of its versions in a git clone is one capture, read by one refresh.

``python -m benchmarks.nights CLONE PATH --source S --year Y --event E [--most N] [--zone Z] [--accept]`` replays the
versions of PATH in CLONE, bare or with a work tree, the oldest first. Only first parents count: branches edited side by
side would flip the page to and fro. A version with the bytes of the one before it is no capture. With ``--most``, at
most N versions are taken, evenly spread, the last among them. Everything is written below a temporary folder.

``python -m benchmarks.nights CLONES --list FILE [--most N] [--accept]`` replays many pages. FILE has a line for each,
with tabs between repository (``owner/name``), path, source, year, event and remarks: ``--most=N`` in the remarks counts
for that page, other remarks are ignored, as are lines that begin with #. CLONES is the folder of the clones; what is
not there is named.

A row per version: what became of the night, the published records, what changed in them since the night before, and
what failed or is to be looked at. A night is red if it is failed or partial: what is published is then behind the page.
It is amber if all is good but a person should look. Without ``--accept`` a page that a guard rejects stays red until it
is as it was; with it each rejected version counts once, as where somebody accepts it. Red nights do not fail the
benchmark: whether they are right can only be decided by reading the versions.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Final

from benchmarks.said import say
from benchmarks.signals import Names, signals_of, table_of
from parsers._registry import sources
from pipeline.base.escape import in_one_line
from pipeline.base.settings import FailedError, Settings
from pipeline.publishing.publish import PublishError
from pipeline.raw.dump import SUFFIXES
from pipeline.raw.sidecar import SIDECAR_SUFFIX, add_accepted
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result, refresh
from pipeline.run.summary import looks, messages

GIT: Final = shutil.which("git") or "git"
COUNTS: Final = ("new", "gone", "moved", "retitled")
HEAD: Final = "   # time, UTC         commit    status   records   new  gone moved retitled  what"
SHOWN: Final = 100
"""Characters of what failed or is to be looked at, after its reason."""


@dataclass(frozen=True, slots=True)
class ClonedPage:
    """A page in a git folder, and the facts for the sidecars of its captures."""

    clone: Path
    path: str
    source: str
    year: int
    event: str
    most: int | None = None
    zone: str | None = None

    @property
    def suffix(self) -> str:
        """The suffix of its captures: that of the page, if it is one of a dump."""
        suffix = PurePosixPath(self.path).suffix
        return suffix if suffix in SUFFIXES else ".txt"  # formats are recognised by content

    @property
    def sidecar(self) -> str:
        """The sidecar of each capture."""
        facts = {"url": f"https://history.example/{self.path}", "year": self.year, "event": self.event}
        facts |= {"timezone": self.zone} if self.zone else {}
        return "".join(f"{key} = {json.dumps(fact, ensure_ascii=False)}\n" for key, fact in facts.items())


@dataclass(frozen=True, slots=True)
class Night:
    """What became of a version: ok, amber, partial or failed.

    ``told`` is what failed or is to be looked at, ``steps`` are the lines on what to do about it, ``signals`` the names
    of what was told.
    """

    status: str
    records: int | None
    changes: Mapping[str, int]
    told: str
    steps: tuple[str, ...] = ()
    signals: Names = frozenset()

    @property
    def red(self) -> bool:
        """True if what is published is behind the page."""
        return self.status in {"partial", "failed"}


def find_clone(folder: Path, repository: str = "") -> Path | None:
    """Return the git folder of a clone, or of a repository in a folder of clones; None if it is not there."""
    names = (f"{repository.replace('/', '+')}/repo", repository, repository.rpartition("/")[2]) if repository else ("",)
    found = (folder / name / inner for name in names for inner in (".git", ""))
    return next((each for each in found if (each / "HEAD").is_file() or (each.name == ".git" and each.is_file())), None)


def git(clone: Path, *arguments: str) -> bytes | None:
    """Return what git prints; None if it fails."""
    command = [GIT, "--git-dir", str(clone), "--literal-pathspecs", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    return None if done.returncode else done.stdout


def find_versions(page: ClonedPage) -> list[tuple[str, int]]:
    """Return the commits that changed a page, with their times, the oldest first."""
    log = git(page.clone, "log", "--first-parent", "--reverse", "--format=%H %ct", "HEAD", "--", page.path) or b""
    found = [(commit, int(time)) for commit, time in (line.split() for line in log.decode().splitlines())]
    most = min(page.most or len(found), len(found))
    return [found[number * len(found) // most - 1] for number in range(1, most + 1)]


def replay(page: ClonedPage, root: Path, *, accept: bool = False) -> Iterator[tuple[str, int, Night | None]]:
    """Yield the commit and time of each version and what became of it; None if the clone has no file of it.

    With ``accept`` what a guard rejects is accepted once it was counted, as the advice says.
    """
    settings, before, minute = Settings(root / "raw", root / "out"), None, 0
    folder = settings.raw / page.source
    folder.mkdir(parents=True)
    for commit, time in find_versions(page):
        data = git(page.clone, "cat-file", "blob", f"{commit}:{page.path}")
        if data is None:
            yield commit, time, None
        elif data != before:
            before, minute = data, max(time // 60, minute + 1)  # stamps must grow: commits can share a minute
            capture = folder / f"page-{datetime.fromtimestamp(60 * minute, UTC):%Y%m%dT%H%MZ}{page.suffix}"
            capture.write_bytes(data)
            sidecar = capture.with_name(capture.name + SIDECAR_SUFFIX)
            sidecar.write_text(page.sidecar, encoding="utf-8")
            yield commit, time, (night := pass_night(settings, page.source))
            if accept and night.red and (guards := guards_to_accept(night.steps)):
                add_accepted(capture, guards)
                pass_night(settings, page.source)


def guards_to_accept(steps: Iterable[str]) -> list[str]:
    """Return the guards that the advice after a run tells to accept; none if it does not."""
    commands = (shlex.split(line.removeprefix("next: ")) for line in steps if line.startswith("next: "))
    found = next((words for words in commands if words[:2] == ["conspectus", "accept"]), [])
    return found[3 : found.index("--dry-run")] if found else []


def pass_night(settings: Settings, source: str) -> Night:
    """Refresh a source and return what became of it."""
    try:
        result = refresh(settings, sources(), [source])
    except (PublishError, FailedError) as error:
        return Night("failed", None, {}, in_one_line(str(error))[:SHOWN])
    (outcome,) = result.outcomes
    status = outcome.status.value
    if status == "ok" and not result.good:
        status = "failed"
    elif status == "ok" and outcome.looks:
        status = "amber"
    steps = tuple(next_steps(result))
    records = None if status == "failed" and outcome.records is None else outcome.total
    return Night(status, records, dict(outcome.changes or {}), tell(result, source), steps, signals_of(outcome))


def tell(result: Result, source: str) -> str:
    """Return what failed, the last if there are several, else what is to be looked at: its reason and first words."""
    failed = [line for line in messages(result) if line.startswith("failed: ")]
    line = (failed or looks(result) or [""])[-1]
    reason, colon, words = re.sub(rf"^\w+: (?:{source}[/:]\S* )*", "", line).partition(": ")  # without the capture
    return f"{reason}{colon}{words[:SHOWN]}" if colon else reason[:SHOWN]


def make_row(number: int, commit: str, time: int, night: Night | None) -> str:
    """Return the row of a version."""
    version = f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M}  {commit[:8]}"
    if night is None:
        return f"   - {version}  no file: removed, or not in the clone"
    new, gone, moved, retitled = (night.changes.get(name, "-") for name in COUNTS)
    records = "-" if night.records is None else night.records
    counts = f"{records:>7} {new:>5} {gone:>5} {moved:>5} {retitled:>8}"
    return f"{number:4} {version}  {night.status:<8} {counts}  {night.told}".rstrip()


def show(page: ClonedPage, *, accept: bool = False) -> list[Night]:
    """Replay a page, print a row per version and the summary; return the nights."""
    nights: list[Night] = []
    say(HEAD)
    with tempfile.TemporaryDirectory() as root:
        for commit, time, night in replay(page, Path(root), accept=accept):
            nights += [night] if night else []
            say(make_row(len(nights), commit, time, night))
    say(summarise([nights]))
    return nights


def summarise(pages: Sequence[Sequence[Night]]) -> str:
    """Return the counts of the nights of one page or more, and the longest run of red ones."""
    nights = [night for page in pages for night in page]
    red, amber = sum(night.red for night in nights), sum(night.status == "amber" for night in nights)
    runs = (len(list(run)) for page in pages for behind, run in groupby(page, lambda night: night.red) if behind)
    return f"{len(nights)} versions: {red} red, {amber} amber; behind for {max(runs, default=0)} in a row at most"


def read_list(file: Path, clones: Path, most: int | None) -> Iterator[tuple[str, ClonedPage | None]]:
    """Yield the name of each page in a list, and the page; None if its clone is not there."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        repository, path, source, year, event, *remarks = [*line.split("\t"), "", "", "", ""]
        if not event or source not in sources() or not year.isdecimal():
            raise SystemExit(f"{file}:{number}: expected repository, path, source, year and event, tabs between them")
        own = re.search(r"--most=([1-9]\d*)", " ".join(remarks))
        clone = find_clone(clones, repository)
        page = ClonedPage(clone, path, source, int(year), event, int(own[1]) if own else most) if clone else None
        yield f"{repository} {path}", page


def show_list(file: Path, clones: Path, most: int | None, *, accept: bool = False) -> None:
    """Replay the pages of a list that are there, name the others, and print the total."""
    pages: list[list[Night]] = []
    missing: list[str] = []
    for name, page in read_list(file, clones, most):
        if page is None or not find_versions(page):
            missing.append(f"not there: {name}{'' if page is None else ': no version in the clone'}")
        else:
            say(name)
            pages.append(show(page, accept=accept))
            say("")
    signals = table_of(night.signals for page in pages for night in page)
    for line in (*missing, *signals, f"{len(pages)} pages, {summarise(pages)}"):
        say(line)
    if not any(pages):
        raise SystemExit("nothing was replayed")


def main() -> None:
    """Replay one page or a list; exit code 1 if there is nothing to replay."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nights", allow_abbrev=False)
    parser.add_argument("clone", type=Path, metavar="CLONE", help="a git clone; with --list a folder of clones")
    parser.add_argument("path", nargs="?", metavar="PATH", help="the page, as the repository names it")
    parser.add_argument("--source", choices=sorted(sources()))
    parser.add_argument("--year", type=int)
    parser.add_argument("--event")
    parser.add_argument("--zone", help="time zone of the venue, such as Europe/Oslo")
    parser.add_argument("--most", type=int, choices=range(1, 10_000), metavar="N", help="at most N versions of a page")
    parser.add_argument("--accept", action="store_true", help="accept each version that a guard rejects, once counted")
    parser.add_argument("--list", type=Path, metavar="FILE", help="replay the pages of a list")
    given = parser.parse_intermixed_args()
    needed = (given.path, given.source, given.year, given.event)
    if given.list:
        if any((*needed, given.zone)):
            parser.error("with --list, path, source, year, event and time zone are those of the list")
        if not given.list.is_file():
            parser.error(f"{given.list}: expected a file, found none")
        show_list(given.list, given.clone, given.most, accept=given.accept)
        return
    if not all(needed):
        parser.error("expected PATH, --source, --year and --event, or --list")
    clone = find_clone(given.clone)
    if clone is None:
        raise SystemExit(f"{given.clone}: expected a git clone, found none")
    page = ClonedPage(clone, *needed, given.most, given.zone)
    if not find_versions(page):
        raise SystemExit(f"{given.clone}: expected versions of {given.path}, found none")
    if not show(page, accept=given.accept):
        raise SystemExit("nothing was replayed")


if __name__ == "__main__":
    main()
