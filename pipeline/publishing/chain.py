"""The snapshots of an out root in the order they were made, and the one that a run continues from.

The order is that of ``previous`` in the manifests: names begin with the time of a clock, which may have been wrong.
Damaged snapshots, and files that are not snapshots, are reported and skipped. Reading only.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from pipeline.base.disk import NEW_PREFIX
from pipeline.base.known_files import KnownFiles
from pipeline.publishing.store import (
    LATEST,
    SNAPSHOTS,
    Snapshot,
    StoreError,
    VersionError,
    open_snapshot,
)

OLD_PREFIX: Final = ".old-"
"""Prefix of a snapshot that is being deleted."""

_ID: Final = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}(-\d+)?")


class Chain:
    """The snapshots of an out root as one run finds them.

    ``last`` is the one that the run continues from: the linked one or, if the link or its manifest is damaged, the
    newest whole one; None for a first run. ``linked`` is True if the link leads to it, ``rolled_back`` if a newer one
    may have been published. ``found`` are lines on the damage found, ``lost`` on what cannot be recovered.
    """

    def __init__(self, out: Path, files: KnownFiles | None = None) -> None:
        """Find the last snapshot. Raises ``VersionError`` where it is of another major contract version.

        Of what ``files`` knows, no published file is hashed.
        """
        self.out = out
        self._files = files or KnownFiles(out)
        self.found: tuple[str, ...] = ()
        self.lost: tuple[str, ...] = ()
        self.linked = self.rolled_back = False
        self.last = self._find_last()

    def _find_last(self) -> Snapshot | None:
        """Return the linked snapshot; if that is damaged, the newest whole one."""
        found = self._follow()
        if isinstance(found, Snapshot):
            self.linked = True
            return found
        if not self._folders:
            return None
        self.rolled_back = len(self._broken) > len(self.foreign)
        if newest := order(self._whole, None):
            last = newest[0]
            self.found = (
                f"damaged: {found}",
                f"healed: {LATEST}: using the newest intact snapshot, {last.id}",
            )
            return last
        if self.foreign:
            raise self._broken[self.foreign[0]]
        self.found = (f"damaged: {found}",)
        lost = "no snapshot is intact; published as in a first run, records found only in old snapshots are lost"
        self.lost = (f"{self.out}: {lost}",)
        return None

    def _follow(self) -> Snapshot | str:
        """Return the linked snapshot, or a message on what is wrong. Raises ``VersionError``."""
        link = self.out / LATEST
        if not link.is_symlink():
            return (
                f"{link}: expected a link to the newest snapshot, found {'something else' if link.exists() else 'none'}"
            )
        if not link.exists():
            return f"{link}: expected a link to the newest snapshot, found a broken link"
        try:
            return open_snapshot(link.resolve(), self._files)
        except VersionError:
            raise
        except StoreError as error:
            return str(error)

    @cached_property
    def _folders(self) -> tuple[Path, ...]:
        """The folders that are named like snapshots."""
        return tuple(each for each in _entries(self.out) if is_snapshot(each))

    @cached_property
    def _opened(self) -> dict[str, Snapshot | StoreError]:
        """Every snapshot by its id, or the error of reading it."""
        opened: dict[str, Snapshot | StoreError] = {}
        for folder in self._folders:
            try:
                opened[folder.name] = open_snapshot(folder, self._files)
            except StoreError as error:
                opened[folder.name] = error
        return opened

    @property
    def _whole(self) -> dict[str, Snapshot]:
        """The snapshots whose manifests are whole and of this major version."""
        return {name: each for name, each in self._opened.items() if isinstance(each, Snapshot)}

    @property
    def _broken(self) -> dict[str, StoreError]:
        """The errors of the other snapshots."""
        return {name: each for name, each in self._opened.items() if isinstance(each, StoreError)}

    @cached_property
    def unpublished(self) -> tuple[Path, ...]:
        """Snapshots that were finished but never linked: made to replace the one that is still the last."""
        if self.last is None or not self.linked:
            return ()
        last = self.last.id
        return tuple(each.folder for name, each in self._whole.items() if each.previous == last != name)

    @cached_property
    def kept(self) -> tuple[Snapshot, ...]:
        """The whole snapshots, the last one first; those outside its chain are ordered as by ``order``."""
        if self.last is None:
            return ()
        gone = {folder.name for folder in self.unpublished}
        whole = {name: each for name, each in self._whole.items() if name not in gone}
        return tuple(order({**whole, self.last.id: self.last}, self.last.id))

    @property
    def foreign(self) -> tuple[str, ...]:
        """The ids of the snapshots of another major contract version, newest first: they count as the oldest."""
        return tuple(
            sorted((name for name, each in self._broken.items() if isinstance(each, VersionError)), reverse=True)
        )

    @property
    def passed_over(self) -> tuple[str, ...]:
        """One line for everything in the snapshot folder that is not a readable snapshot; none of it is touched."""
        strays = [
            f"passed over: {SNAPSHOTS}/{each.name}: not a snapshot"
            for each in _entries(self.out)
            if not is_snapshot(each) and not each.name.startswith(".")
        ]
        broken = [str(error) for error in self._broken.values() if not isinstance(error, VersionError)]
        return (*strays, *(f"passed over: {error}" for error in broken if f"damaged: {error}" not in self.found))


def older_than(snapshot: Snapshot) -> tuple[Snapshot, ...]:
    """Return the kept snapshots before one, newest first, without those that cannot be read."""
    found = {snapshot.id: snapshot}
    for folder in snapshot.folder.parent.iterdir():
        if is_snapshot(folder) and folder.name != snapshot.id:
            try:
                found[folder.name] = open_snapshot(folder)
            except StoreError:  # damaged, of another major version, or pruned just now
                continue
    return tuple(each for each in order(found, snapshot.id)[1:] if each.previous != snapshot.id)


def order(found: Mapping[str, Snapshot], first: str | None) -> list[Snapshot]:
    """Return snapshots from the newest to the oldest, each before the one that it was made to replace.

    The first one is ``first``, else one that no other was made to replace; of several, the one with the greatest id.
    """
    rest, ordered = dict(found), list[Snapshot]()
    name = first
    while rest:
        if name not in rest:
            replaced = {each.previous for each in rest.values()}
            name = max(rest.keys() - replaced or rest.keys())
        ordered.append(rest.pop(name))
        name = ordered[-1].previous
    return ordered


def is_snapshot(folder: Path) -> bool:
    """True if a path is a folder that is named like a snapshot."""
    if not _ID.fullmatch(folder.name) or folder.is_symlink() or not folder.is_dir():
        return False
    try:
        return Snapshot(folder, {}).made_at.year > 0
    except ValueError:  # a day that does not exist
        return False


def is_leftover(path: Path) -> bool:
    """True if a path has a name that only runs give, to snapshots that are not yet or no longer published."""
    return path.name.startswith((NEW_PREFIX, OLD_PREFIX))


def _entries(out: Path) -> list[Path]:
    """Return everything in the folder of the snapshots, sorted."""
    folder = out / SNAPSHOTS
    return sorted(folder.iterdir()) if folder.is_dir() else []
