"""The way of one dump through the modules of the project: which of them one refresh enters, how often it goes back.

``python -m benchmarks.way [--list] [FILE ...]`` prints a row per dump, by default of two specimens; ``--list`` adds the
modules in the order in which they are first entered. A FILE lies in the folder of its source. It is refreshed alone,
with its sidecar, twice in this process, and only the second time counts: neither imports nor what is built once do.

A module is entered when one of its Python functions is called. Its place is its file: lambdas and comprehensions belong
to it, what has no file of its own, such as the ``__init__`` of a dataclass, to its caller. For ``pipeline`` there is
always one current module, that of the innermost of its running functions: to visit a parser or a library and come back
is no change. A change is a call, return, yield or resumption after which another module is current; ``back`` are those
to a module that was current before. Changes grow with the records; arrows do not: an arrow is a pair of modules of
which the first calls or resumes the second, however often. The same for folders.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path, PurePath
from types import FrameType
from typing import Final

from benchmarks.bulk import ROOT
from parsers._registry import sources
from pipeline.base.settings import Settings
from pipeline.run.refresh import refresh

SOURCES: Final = ("cluster", "arxiv")
ROOMS: Final = ("parsers", "pipeline", "schemas")
ROOM: Final = "pipeline"
HEAD: Final = (
    f"{'':<32}  project          {ROOM}, modules               {ROOM}, folders\n"
    f"{'dump':<32}  modules folders  entered changes back arrows  entered changes back arrows"
)


@dataclass(frozen=True, slots=True)
class Way:
    """The modules of the project in the order of first entry; of one room the current ones in turn, and the arrows."""

    entered: dict[PurePath, None] = field(default_factory=dict)
    turns: list[PurePath] = field(default_factory=list)
    arrows: set[tuple[PurePath, PurePath]] = field(default_factory=set)

    def watch(self, frame: FrameType, event: str, _: object) -> None:
        """Note a call or return, as a profile function; generators call when they resume and return when they yield."""
        module = module_of(frame.f_code.co_filename)
        if module is None or event not in {"call", "return"}:
            return
        self.entered.setdefault(module)
        if module.parts[0] == ROOM:
            caller = current(frame.f_back)
            if caller and event == "call":
                self.arrows.add((caller, module))
            if now := module if event == "call" else caller:
                self.turns.append(now)


@cache
def module_of(file: str) -> PurePath | None:
    """Return the path of a module below the root, None if it is not in a room of the project."""
    path = PurePath(file)
    module = path.relative_to(ROOT) if path.is_relative_to(ROOT) else None
    return module if module and module.parts[0] in ROOMS else None


def current(frame: FrameType | None) -> PurePath | None:
    """Return the module in the room whose function is innermost, from a frame outwards."""
    while frame:
        module = module_of(frame.f_code.co_filename)
        if module and module.parts[0] == ROOM:
            return module
        frame = frame.f_back
    return None


def follow(dump: Path, root: Path) -> Way:
    """Refresh a dump twice and return its way the second time; a failed run ends the benchmark."""
    folder, way = root / "raw" / dump.parent.name, Way()
    folder.mkdir(parents=True)
    shutil.copy(dump, folder)
    sidecar = dump.with_name(dump.name + ".meta.toml")
    if sidecar.exists():
        shutil.copy(sidecar, folder)
    refresh(Settings(root / "raw", root / "first"), sources())
    settings = Settings(root / "raw", root / "second")
    sys.setprofile(way.watch)
    try:
        result = refresh(settings, sources())
    finally:
        sys.setprofile(None)
    if not result.good:
        raise SystemExit(f"{dump}: not a good run: {[outcome.error for outcome in result.outcomes if outcome.error]}")
    return way


def make_row(dump: Path, way: Way) -> str:
    """Return the row of a dump."""
    modules = figures(way.turns, way.arrows)
    folders = figures([turn.parent for turn in way.turns], {(come.parent, go.parent) for come, go in way.arrows})
    entered = f"{len(way.entered):7} {len({module.parent for module in way.entered}):7}"
    return f"{dump.parent.name + '/' + dump.name:<32}  {entered}  {modules}  {folders}"


def figures(turns: Iterable[PurePath], arrows: Iterable[tuple[PurePath, PurePath]]) -> str:
    """Return the number of modules or folders entered, of changes, of those back, and of arrows."""
    stays = [place for place, _ in groupby(turns)]
    entered, changes = len(set(stays)), len(stays) - 1
    return f"{entered:7} {changes:7} {changes - entered + 1:4} {sum(come != go for come, go in arrows):6}"


def list_modules(way: Way) -> Iterator[str]:
    """Yield the modules in the order of first entry, a line for each stretch of one folder."""
    for folder, modules in groupby(way.entered, key=lambda module: module.parent):
        yield f"  {folder}: {' '.join(module.stem for module in modules)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.way", allow_abbrev=False)
    parser.add_argument("--list", action="store_true", help="add the modules in the order of first entry")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    given = parser.parse_args()
    specimens = (file for name in SOURCES for file in sorted((ROOT / "raw" / name).glob("*.txt")))
    sys.stdout.write(HEAD + "\n")
    for dump in map(Path.absolute, given.files or specimens):
        with tempfile.TemporaryDirectory() as folder:
            way = follow(dump, Path(folder))
        for line in (make_row(dump, way), *(list_modules(way) if given.list else ())):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
