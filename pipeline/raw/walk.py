"""Finds the files below the raw root: follows links within bounds, and reports unreadable paths without opening them.

Classifying the files belongs to ``pipeline.raw.inventory``.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pipeline.base.disk import kind_of
from pipeline.base.escape import in_one_line, is_utf8

LOOP: Final = "expected a link to a file or folder, found one that leads back to itself"
ASTRAY: Final = "expected a link into the raw root or into a folder listed in links in [raw] of sources.toml, found"


@dataclass(frozen=True, slots=True)
class RawFolders:
    """The section ``[raw]`` of ``sources.toml``: ``links`` are folders outside the raw root where links may end."""

    links: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the folders. Raises ``ValueError`` for a relative path, which would depend on the working directory."""
        for link in self.links:
            if not link.startswith("/"):
                raise ValueError(f"links: expected absolute paths, found {link!r}")


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a folder, by path below it (POSIX); hidden files are skipped.

    ``files`` can be opened, each real one once. ``aliases`` are other paths of a file or folder already listed, with
    that path. ``faults`` are unreadable files, links and folders, with what was expected; ``late`` are the links among
    them whose targets may still appear. ``unnamed`` are paths that are not UTF-8: no table could hold them, so they
    are written with escapes.
    """

    files: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    unnamed: list[str] = field(default_factory=list)


def find_files(folder: Path, roots: Iterable[Path]) -> Contents:
    """Find the files below a folder, following links that end below one of ``roots``.

    A file below the folder itself takes precedence over links to it; of several links the first one wins.
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
    """The state of a walk: real paths of folders and files with their paths here, and links still to follow."""

    top: Path
    roots: tuple[str, ...]
    found: Contents = field(default_factory=Contents)
    folders: dict[str, str] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    links: deque[tuple[str, str]] = field(default_factory=deque)

    def allows(self, real: str) -> bool:
        """True if links may end at a real path."""
        return any(_is_below(real, root) for root in self.roots)

    def enter(self, path: str, real: str) -> None:
        """Walk a folder that is not a link, and its subfolders; queue the links for later."""
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
        """Follow a link, which is in the real folder ``here``."""
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
        """Record why a link cannot be followed."""
        real = os.path.realpath(self.top / path)
        if error.errno == errno.ELOOP:
            self.found.faults[path] = LOOP
        elif not self.allows(real):
            self.found.faults[path] = f"{ASTRAY} {in_one_line(real)}"
        else:
            self.found.faults[path] = f"expected a link to something that exists: {error.strerror}"
            self.found.late.add(path)

    def _list(self, path: str) -> list[str]:
        """Return the visible names in a folder; those that are not UTF-8 are only recorded."""
        try:
            with os.scandir(self.top / path) as entries:
                names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
        except OSError as error:
            self.found.faults[path or "."] = f"expected a readable folder: {error.strerror}"
            return []
        self.found.unnamed.extend(in_one_line(f"{path}/{name}".lstrip("/")) for name in names if not is_utf8(name))
        return [name for name in names if is_utf8(name)]

    def _mode(self, path: str) -> int:
        """Return the mode of a file, folder or link; 0 if it cannot be read."""
        try:
            mode = (self.top / path).lstat().st_mode
        except OSError as error:  # it is gone, or the folder shows no more than its name
            self.found.faults[path] = f"expected a readable file: {error.strerror}"
            return 0
        if (odd := kind_of(mode)) is not None:
            self.found.faults[path] = f"expected a regular file, found {odd}"
        return mode

    def _take(self, path: str, real: str) -> None:
        """Add a regular file, or an alias if the file is already listed."""
        first = self.taken.setdefault(real, path)
        if first == path:
            self.found.files.add(path)
        else:
            self.found.aliases[path] = first


def _is_below(path: str, folder: str) -> bool:
    """True if a real path is ``folder`` or below it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
