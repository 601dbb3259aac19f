"""Files that snapshots share: what has not changed is the same file, or else a copy; none is written to again."""

import errno
import os
import stat
from pathlib import Path

import pytest

from pipeline.base import known_files
from pipeline.base.disk import hash_file
from pipeline.publishing.verify import verify
from tests.support.toy import Desk

HAY = {"title": "Hay", "event": "E"}


def inodes(desk: Desk) -> dict[str, int]:
    """Return the inode of every published data file by path."""
    root = (desk.out / "latest").resolve()
    return {file.relative_to(root).as_posix(): file.stat().st_ino for file in root.glob("*/*")}


def two_nights(desk: Desk) -> tuple[dict[str, int], dict[str, int]]:
    """Publish two sources, then another capture of one of them; return the inodes after each night."""
    desk.put("fair/a.txt", HAY)
    desk.put("news/a.txt", {"title": "Rye"})
    desk.run()
    before = inodes(desk)
    desk.put("news/b.txt", {"title": "Oat"})
    desk.run()
    return before, inodes(desk)


def test_what_has_not_changed_is_the_same_file(desk: Desk) -> None:
    """Those of the other source, and the quarantine, which is as empty as before."""
    before, after = two_nights(desk)
    shared = {path for path in before if before[path] == after.get(path)}
    assert shared == {path for path in after if "fair" in path or path.startswith("quarantine/")}
    assert (verify(desk.out).problems, desk.titles("news")) == ((), ["Oat", "Rye"])


def test_the_older_snapshot_is_as_it_was(desk: Desk) -> None:
    """What a night writes goes into files of its own."""
    desk.put("news/a.txt", {"title": "Rye"})
    first = desk.run().publication.folder
    before = {file: file.read_bytes() for file in first.glob("*/*")}
    desk.put("news/a.txt", {"title": "Oat"})
    desk.run()
    assert ({file: file.read_bytes() for file in before}, verify(first).problems) == (before, ())


def test_published_files_are_read_only(desk: Desk) -> None:
    """Whoever writes into one would write into all snapshots that share it."""
    two_nights(desk)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in (desk.out / "latest").resolve().glob("*/*")}
    assert modes == {0o444}


def test_a_disk_without_hard_links(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are copied, and are just as good."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    before, after = two_nights(desk)
    assert (set(before.values()) & set(after.values()), verify(desk.out).problems) == (set(), ())
    assert desk.run().publication.new is False


def test_a_shared_file_is_not_hashed_every_night(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link more or less changes its ctime, which is not taken for a change of the file."""
    two_nights(desk)
    for file in [*desk.raw.rglob("*.txt"), *(desk.out / "latest").resolve().rglob("*.*")]:
        os.utime(file, (1_700_000_000, 1_700_000_000))
    desk.put("news/c.txt", {"title": "Bran"})
    desk.run()
    hashed: list[str] = []

    def hash_and_count(file: Path) -> str:
        hashed.append(file.relative_to(file.parents[1]).as_posix())
        return hash_file(file)

    monkeypatch.setattr(known_files, "hash_file", hash_and_count)
    shared = {path for path in inodes(desk) if "fair" in path}
    assert (desk.run().publication.new, shared & set(hashed)) == (False, set())
