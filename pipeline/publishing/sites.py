"""Publishes pages below ``out/sites``, and switches the link ``out/site`` to the newest ones, as ``latest`` is.

Pages are made only where they differ from those of the site before; the others are links to the same files. What a
killed build leaves behind has a name that the next one sweeps. Pages are not flushed to the disk one by one: they can
be built again from the snapshot at any time.
"""

import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pipeline.base.disk import NEW_PREFIX, sync
from pipeline.publishing.chain import is_leftover
from pipeline.publishing.swap import move_aside, remove, take_away

SITE: Final = "site"
SITES: Final = "sites"
PAGES: Final = "pages.json"
"""File of a site: the key of each section and page, by which the next build knows what has not changed."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """Files that are made together: ``key`` is a hash of all that they show, ``make`` returns their bytes in order."""

    key: str
    files: Sequence[str]
    make: Callable[[], Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class SiteSection:
    """A folder of pages; with the same ``key`` all pages are the same. The root of a site is the folder ``.``."""

    folder: str
    key: str
    pages: Callable[[], Iterable[SitePage]]


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """What came of a build: the folder, and the numbers of files written and of those shared with the site before."""

    folder: Path
    written: int
    shared: int


def publish_site(out: Path, snapshot: str, sections: Sequence[SiteSection], keep: int) -> PublishedSite:
    """Publish a site of a snapshot, unless it is the newest already; keep so many. Raises ``OSError``.

    The out root must be locked.
    """
    digest = sha256("\n".join(f"{each.folder} {each.key}" for each in sections).encode()).hexdigest()
    folder = out / SITES / f"{snapshot}-{digest[:8]}"
    before = _current(out)
    if before == folder and _pages_of(folder):
        return PublishedSite(folder, 0, 0)
    (out / SITES).mkdir(exist_ok=True)
    for path in (out / SITES).iterdir():
        if is_leftover(path):
            take_away(path)
    fresh = folder.with_name(NEW_PREFIX + folder.name)
    fresh.mkdir()
    site = _fill(fresh, sections, before)
    if folder.exists():
        move_aside(folder)
    fresh.rename(folder)
    sync(folder.parent)
    _switch(out, folder.name)
    for old in _old(out, keep):
        remove(old)
    return PublishedSite(folder, *site)


def _fill(fresh: Path, sections: Sequence[SiteSection], before: Path | None) -> tuple[int, int]:
    """Write or share the files of all sections; return how many of both."""
    known = _pages_of(before) if before else {}
    site = _FreshSite(fresh, before)
    kept: dict[str, Any] = {}
    for section in sections:
        (fresh / section.folder).mkdir(parents=True, exist_ok=True)
        old = known.get(section.folder, {"key": None, "pages": {}})
        pages: dict[str, str] = {}
        if old["key"] == section.key and site.share(section.folder, old["pages"]):
            pages = old["pages"]
        else:
            for page in section.pages():
                same = all(old["pages"].get(file) == page.key for file in page.files)
                if not (same and site.share(section.folder, page.files)):
                    site.write(section.folder, page)
                pages |= dict.fromkeys(page.files, page.key)
        kept[section.folder] = {"key": section.key, "pages": pages}
    _write(fresh / PAGES, json.dumps(kept).encode())
    return site.written, site.shared


class _FreshSite:
    """The folder of a site that is being built, and the site before; counts the files written and shared.

    Paths are texts, since a site has hundreds of thousands of files.
    """

    def __init__(self, fresh: Path, before: Path | None) -> None:
        """Begin with an empty folder."""
        self._fresh, self._before = str(fresh), before and str(before)
        self._folders: set[str] = set()
        self.written = self.shared = 0

    def share(self, folder: str, files: Collection[str]) -> bool:
        """Make files of the site before files of this one too; False if that is not possible."""
        if self._before is None:
            return False
        for file in files:
            path = self._path(folder, file)
            try:
                os.link(f"{self._before}/{folder}/{file}", path)
            except FileExistsError:  # shared with its section, of which another file is gone
                continue
            except OSError:  # it is gone, or the file system has no links
                return False
        self.shared += len(files)
        return True

    def write(self, folder: str, page: SitePage) -> None:
        """Make the files of a page."""
        for file, data in zip(page.files, page.make(), strict=True):
            path = Path(self._path(folder, file))
            if self._before:  # it may be one that could be shared when another could not
                path.unlink(missing_ok=True)
            _write(path, data)
        self.written += len(page.files)

    def _path(self, folder: str, file: str) -> str:
        """Return the path of a file, in a folder that is there."""
        path = f"{self._fresh}/{folder}/{file}"
        within = path.rpartition("/")[0]
        if within not in self._folders:
            Path(within).mkdir(parents=True, exist_ok=True)
            self._folders.add(within)
        return path


def _write(file: Path, data: bytes) -> None:
    """Write a new file that nobody may change, since several sites may hold it."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444), "wb") as opened:
        opened.write(data)


def _pages_of(folder: Path) -> Mapping[str, Any]:
    """Return what a site says of its sections; nothing if it cannot be read."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / PAGES).read_bytes())
        if isinstance(found, dict):
            return found
    return {}


def _current(out: Path) -> Path | None:
    """Return the folder that the link leads to; None if there is none."""
    link = out / SITE
    return out / SITES / link.readlink().name if link.is_symlink() and link.exists() else None


def _switch(out: Path, name: str) -> None:
    """Point the link at a site, atomically; what is there and no link is moved aside."""
    link, fresh = out / SITE, out / f".{SITE}"
    if link.exists() and not link.is_symlink():
        move_aside(link)
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path(SITES) / name, target_is_directory=True)
    fresh.replace(link)
    sync(out)


def _old(out: Path, keep: int) -> list[Path]:
    """Return the sites beyond those to be kept; the one that the link leads to stays."""
    current = _current(out)
    sites = sorted(path for path in (out / SITES).iterdir() if (path / PAGES).exists() and path != current)
    return sites[: max(0, len(sites) - keep + 1)]
