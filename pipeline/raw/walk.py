"""Finds the files below the raw root: follows links within bounds, and reports unreadable paths without opening them.

Classifying the files belongs to ``pipeline.raw.inventory``.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Final

from pipeline.base.disk import kind_of
from pipeline.base.escape import in_one_line, is_utf8
from pipeline.base.known_files import stamp_of

LOOP: Final = "expected a link to a file or folder, found one that leads back to itself"
ASTRAY: Final = "expected a link into the raw root or into a folder listed in links in [raw] of sources.toml, found"

_NAME: Final = attrgetter("name")


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

    ``files`` can be opened, each real one once; each has the stamp that it is known by, and ``devices`` are those that
    they are on. ``folders`` can be listed, or are among the faults. ``aliases`` are other paths of a file or folder
    already listed, with that path. ``faults`` are unreadable files, links and folders, with what was expected; ``late``
    are the links among them whose targets may still appear. ``unnamed`` are paths that are not UTF-8: no table could
    hold them, so they are written with escapes.
    """

    files: dict[str, str] = field(default_factory=dict)
    devices: set[int] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    unnamed: list[str] = field(default_factory=list)


def find_files(folder: Path, roots: Iterable[Path]) -> Contents:
    """Find the files below a folder, following links that end below one of ``roots``.

    A file below the folder itself takes precedence over links to it; of several links the first one wins.
    """
    walk = _Walk(str(folder), tuple(os.path.realpath(root) for root in roots))
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
    """The state of a walk: the folders walked, by real path, files found through links alike, and links to follow."""

    top: str
    roots: tuple[str, ...]
    found: Contents = field(default_factory=Contents)
    folders: dict[str, str] = field(default_factory=dict)
    linked: dict[str, str] = field(default_factory=dict)
    links: deque[tuple[str, str]] = field(default_factory=deque)

    def at(self, path: str) -> str:
        """Return a path for the operating system."""
        return f"{self.top}/{path}" if path else self.top

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
            self.found.folders.add(path)
            for entry in self._list(path):
                below = f"{path}/{entry.name}" if path else entry.name
                try:
                    about = entry.stat(follow_symlinks=False)
                except OSError as error:  # it is gone, or the folder shows no more than its name
                    self.found.faults[below] = f"expected a readable file: {error.strerror}"
                    continue
                if stat.S_ISREG(about.st_mode):
                    self._take(below, about, self.linked.get(_join(real, entry.name)) if self.linked else None)
                elif stat.S_ISDIR(about.st_mode):
                    waiting.append((below, _join(real, entry.name)))
                elif stat.S_ISLNK(about.st_mode):
                    links.append((below, real))
                else:
                    self.found.faults[below] = f"expected a regular file, found {kind_of(about.st_mode)}"
        self.links.extend(sorted(links))

    def follow(self, path: str, here: str) -> None:
        """Follow a link, which is in the real folder ``here``."""
        file = Path(self.at(path))
        try:
            about = file.stat()
            real = os.path.realpath(file, strict=True)
        except OSError as error:
            if error.errno == errno.ELOOP:
                self.found.faults[path] = LOOP
            elif not self.allows(real := os.path.realpath(file)):
                self.found.faults[path] = f"{ASTRAY} {in_one_line(real)}"
            else:
                self.found.faults[path] = f"expected a link to something that exists: {error.strerror}"
                self.found.late.add(path)
            return
        if (odd := kind_of(about.st_mode)) is not None:
            self.found.faults[path] = f"expected a regular file, found {odd}"
        elif not self.allows(real):
            self.found.faults[path] = f"{ASTRAY} {in_one_line(real)}"
        elif stat.S_ISREG(about.st_mode):
            self._take(path, about, first := self._listed(real))
            if first is None:
                self.linked[real] = path
        elif _is_below(here, real):
            self.found.faults[path] = LOOP
        else:
            self.enter(path, real)

    def _list(self, path: str) -> list[os.DirEntry[str]]:
        """Return the visible entries of a folder by name; of names that are not UTF-8 only the paths are recorded."""
        try:
            with os.scandir(self.at(path)) as entries:
                listed = sorted((each for each in entries if not each.name.startswith(".")), key=_NAME)
        except OSError as error:
            self.found.faults[path or "."] = f"expected a readable folder: {error.strerror}"
            return []
        odd = [each.name for each in listed if not is_utf8(each.name)]
        self.found.unnamed.extend(in_one_line(f"{path}/{name}".lstrip("/")) for name in odd)
        return [each for each in listed if each.name not in odd] if odd else listed

    def _listed(self, real: str) -> str | None:
        """Return the path under which a real file is listed already; None if it is not."""
        folder, name = os.path.split(real)
        if folder in self.folders and (path := f"{self.folders[folder]}/{name}".lstrip("/")) in self.found.files:
            return path
        return self.linked.get(real)

    def _take(self, path: str, about: os.stat_result, first: str | None) -> None:
        """Add a regular file, or an alias if it is listed already under the path ``first``."""
        if first is None:
            self.found.files[path] = stamp_of(about)
            self.found.devices.add(about.st_dev)
        else:
            self.found.aliases[path] = first


def _join(folder: str, name: str) -> str:
    """Return the real path of a file in a folder."""
    return f"{folder.rstrip('/')}/{name}"


def _is_below(path: str, folder: str) -> bool:
    """True if a real path is ``folder`` or below it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
