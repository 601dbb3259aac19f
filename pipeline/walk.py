"""Finds the files below the raw root: links are followed within bounds, and what cannot be read is told, never opened.

What a file is to the pipeline belongs to ``pipeline.snapshot``.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipeline.disk import kind_of
from pipeline.escape import in_one_line, is_utf8

LOOP: Final = "expected a link that leads to a file or folder, found one that leads in a circle"
ASTRAY: Final = "expected a link that ends below the raw root or a folder of links in [raw] of sources.toml, found"


@dataclass(frozen=True, slots=True)
class RawFolders:
    """The section ``[raw]`` of ``sources.toml``: ``links`` are folders outside the raw root where links may end."""

    links: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a folder that would be another one in another working directory. Raises ``ValueError``."""
        for link in self.links:
            if not link.startswith("/"):
                raise ValueError(f"links: expected paths that begin with /, found {link!r}")


@dataclass(frozen=True, slots=True)
class Found:
    """What is below a folder, by path from there (POSIX); what is hidden is passed over.

    ``files`` can be opened, each real one once. ``aliases`` are links to what stands under another path, with that
    path. ``faults`` are files, links and folders that cannot be read, with what was expected; those of them that are
    links to what may still come are ``late``. ``unnamed`` are those whose names are not UTF-8: no table could hold
    them, so their paths are written with escapes.
    """

    files: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    unnamed: list[str] = field(default_factory=list)


def find_files(folder: Path, roots: Iterable[Path]) -> Found:
    """Find the files below a folder; links are followed that end below one of ``roots``.

    A file that stands below the folder itself goes before links to it; of several links the first counts.
    """
    walk = _Walk(folder, tuple(os.path.realpath(root) for root in roots))
    real = os.path.realpath(folder)
    if walk.allows(real):
        walk.enter("", real)
    else:
        walk.found.faults["."] = f"{ASTRAY} {in_one_line(real)}"
    while walk.links:
        walk.follow(*walk.links.popleft())
    return walk.found


@dataclass(slots=True)
class _Walk:
    """A walk under way: real paths of folders and files with the paths that they have here, links still to follow."""

    top: Path
    roots: tuple[str, ...]
    found: Found = field(default_factory=Found)
    folders: dict[str, str] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    links: deque[tuple[str, str]] = field(default_factory=deque)

    def allows(self, real: str) -> bool:
        """True if links may end at a real path."""
        return any(_is_below(real, root) for root in self.roots)

    def enter(self, path: str, real: str) -> None:
        """Walk a folder that is no link, and those below it; what links there are is kept for later."""
        links: list[tuple[str, str]] = []
        waiting = [(path, real)]
        while waiting:
            path, real = waiting.pop()
            if real in self.folders:
                self.found.aliases[path] = self.folders[real] or "."
                continue
            self.folders[real] = path
            for name in self._list(path):
                below, there = f"{path}/{name}".lstrip("/"), f"{real.rstrip('/')}/{name}"
                mode = self._mode(below)
                if stat.S_ISLNK(mode):
                    links.append((below, real))
                elif stat.S_ISDIR(mode):
                    waiting.append((below, there))
                elif stat.S_ISREG(mode):
                    self._take(below, there)
        self.links.extend(sorted(links))

    def follow(self, path: str, here: str) -> None:
        """Take what a link leads to, which stands in the real folder ``here``."""
        try:
            mode = (self.top / path).stat().st_mode
            real = os.path.realpath(self.top / path, strict=True)
        except OSError as error:
            self._tell_broken(path, error)
            return
        if (odd := kind_of(mode)) is not None:
            self.found.faults[path] = f"expected a regular file, found {odd}"
        elif not self.allows(real):
            self.found.faults[path] = f"{ASTRAY} {in_one_line(real)}"
        elif stat.S_ISREG(mode):
            self._take(path, real)
        elif _is_below(here, real):
            self.found.faults[path] = LOOP
        else:
            self.enter(path, real)

    def _tell_broken(self, path: str, error: OSError) -> None:
        """Say why a link cannot be followed."""
        real = os.path.realpath(self.top / path)
        if error.errno == errno.ELOOP:
            self.found.faults[path] = LOOP
        elif not self.allows(real):
            self.found.faults[path] = f"{ASTRAY} {in_one_line(real)}"
        else:
            self.found.faults[path] = f"expected a link that leads somewhere: {error.strerror}"
            self.found.late.add(path)

    def _list(self, path: str) -> list[str]:
        """Return the names in a folder that are not hidden; those that are not UTF-8 are told."""
        try:
            with os.scandir(self.top / path) as entries:
                names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
        except OSError as error:
            self.found.faults[path or "."] = f"expected a folder that can be read: {error.strerror}"
            return []
        self.found.unnamed.extend(in_one_line(f"{path}/{name}".lstrip("/")) for name in names if not is_utf8(name))
        return [name for name in names if is_utf8(name)]

    def _mode(self, path: str) -> int:
        """Return the mode of a file, folder or link; 0, which is that of nothing, for what cannot be read."""
        try:
            mode = (self.top / path).lstat().st_mode
        except OSError as error:  # it is gone, or the folder does not let us see more than its name
            self.found.faults[path] = f"expected a file that can be read: {error.strerror}"
            return 0
        if (odd := kind_of(mode)) is not None:
            self.found.faults[path] = f"expected a regular file, found {odd}"
        return mode

    def _take(self, path: str, real: str) -> None:
        """Take a regular file, unless it is taken already."""
        first = self.taken.setdefault(real, path)
        if first == path:
            self.found.files.add(path)
        else:
            self.found.aliases[path] = first


def _is_below(path: str, folder: str) -> bool:
    """True if a real path is that of a folder or of something in it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
