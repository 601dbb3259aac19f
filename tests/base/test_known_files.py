"""Hashes of files, and what was made of them, are remembered only while the file stays the same."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from pipeline.base import known_files
from pipeline.base.disk import hash_file
from pipeline.base.known_files import TABLE, KnownFiles, stamp_of
from tests.conftest import HOUR

CODE = "code 1"


class Shelf:
    """A root with files, a folder for the table, and a list of the files that were really opened."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make the root and the cache in ``folder``, an empty folder."""
        self.root = folder / "root"
        self.cache = folder / "out" / ".cache"
        self.opened: list[str] = []
        self.root.mkdir()
        self.cache.parent.mkdir()
        monkeypatch.setattr(known_files, "hash_file", self._hash)

    def _hash(self, file: Path) -> str:
        self.opened.append(file.name)
        return hash_file(file)

    def _make(self, file: Path) -> str:
        self.opened.append(file.name)
        return file.read_text()

    def load(self, code: str = CODE, *, audit: bool = False) -> KnownFiles:
        """Load the table, as a run does when it begins."""
        return KnownFiles.load(self.cache, self.root, code, audit=audit)

    def run(self, *paths: str, code: str = CODE, audit: bool = False) -> tuple[list[str | None], list[str]]:
        """Ask for hashes as a run does; return their first digits and the names of the files opened for them."""
        self.opened.clear()
        files = self.load(code, audit=audit)
        hashes = [digest and digest[:6] for digest in map(files.hash_of, paths)]
        assert files.save() is None
        return hashes, list(self.opened)

    def made(self, code: str = CODE) -> tuple[str, list[str]]:
        """Ask for the value made of the file as a run does; return it and the names of the files opened for it."""
        self.opened.clear()
        files = self.load(code)
        made: str = files.derive("a", self._make)
        assert files.save() is None
        return made, list(self.opened)


HAY, RYE = "4e30ea", "bfac1a"
"""The beginnings of the SHA-256 of the two texts."""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Return a root with one file that the table knows, if files count as at rest."""
    shelf = Shelf(tmp_path, monkeypatch)
    (shelf.root / "a").write_text("hay")
    shelf.run("a")
    return shelf


def keep_times(file: Path, change: Callable[[], object]) -> None:
    """Change a file and restore its mtime, like a copy that preserves times."""
    before = file.stat()
    change()
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.usefixtures("at_rest")
def test_a_file_at_rest_is_hashed_once(shelf: Shelf) -> None:
    """The next run opens nothing and does not write the table."""
    before = (shelf.cache / TABLE).stat()
    assert shelf.run("a") == ([HAY], [])
    assert (shelf.cache / TABLE).stat() == before


def test_a_file_changed_just_now_is_hashed_again(shelf: Shelf) -> None:
    """A file written in the last two seconds is not remembered: a second write could leave the same times."""
    assert (shelf.run("a"), (shelf.cache / TABLE).exists()) == (([HAY], ["a"]), False)


def rewrite(file: Path) -> None:
    """Write other bytes of the same length."""
    file.write_text("rye")


def replace(file: Path) -> None:
    """Put another file of the same length and times in the place of one."""
    other = file.with_name("b")
    other.write_text("rye")
    shutil.copystat(file, other)
    other.replace(file)


@pytest.mark.usefixtures("at_rest")
@pytest.mark.parametrize("change", [rewrite, replace])
def test_a_change_that_keeps_size_and_mtime(shelf: Shelf, change: Callable[[Path], None]) -> None:
    """A changed ctime or inode has the file hashed again."""
    file = shelf.root / "a"
    keep_times(file, lambda: change(file))
    assert (shelf.run("a"), shelf.run("a")) == (([RYE], ["a"]), ([RYE], []))


@pytest.mark.usefixtures("at_rest")
def test_a_root_that_was_restored_from_a_copy(shelf: Shelf) -> None:
    """Every inode is new, so all files are hashed once."""
    copy = shelf.root.with_name("copy")
    shutil.copytree(shelf.root, copy)
    shutil.rmtree(shelf.root)
    copy.rename(shelf.root)
    assert (shelf.run("a"), shelf.run("a")) == (([HAY], ["a"]), ([HAY], []))


@pytest.mark.usefixtures("at_rest")
def test_a_clock_that_was_set_back(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that seems to be changed in the future is hashed every time until the clock catches up."""
    clock = (shelf.root / "a").stat().st_ctime_ns
    monkeypatch.setattr(known_files, "_ask_clock", lambda _: (clock - 2 * HOUR, shelf.root.stat().st_dev))
    assert [shelf.run("a"), shelf.run("a")] == [([HAY], ["a"])] * 2


@pytest.mark.usefixtures("at_rest")
def test_a_file_from_the_future(shelf: Shelf) -> None:
    """An mtime in the future does not tell when the file last changed: it is hashed every time."""
    os.utime(shelf.root / "a", ns=(0, (shelf.root / "a").stat().st_ctime_ns + 2 * HOUR))
    assert [shelf.run("a"), shelf.run("a")] == [([HAY], ["a"])] * 2


@pytest.mark.parametrize(("elsewhere", "kept"), [(0, True), (1, False)])
def test_a_file_on_another_disk(shelf: Shelf, monkeypatch: pytest.MonkeyPatch, elsewhere: int, kept: bool) -> None:
    """Its clock may be a minute behind that of the cache: the file must have been at rest for longer."""
    monkeypatch.setattr(known_files, "_TICK", -HOUR // 120)
    files = shelf.load()
    files.note_stamps({}, {shelf.cache.stat().st_dev + elsewhere})
    assert ((files.hash_of("a") or "")[:6], files.save(), (shelf.cache / TABLE).exists()) == (HAY, None, kept)


def damage(data: bytes) -> bytes:
    """Flip one byte."""
    return data[:50] + bytes([data[50] ^ 1]) + data[51:]


@pytest.mark.usefixtures("at_rest")
@pytest.mark.parametrize("harm", [damage, lambda data: data[:-1], lambda _: b"", lambda data: data + b"\0"])
def test_a_table_that_is_damaged(shelf: Shelf, harm: Callable[[bytes], bytes]) -> None:
    """It counts as empty, and a sound one is written."""
    table = shelf.cache / TABLE
    table.write_bytes(harm(table.read_bytes()))
    assert (shelf.run("a"), shelf.run("a")) == (([HAY], ["a"]), ([HAY], []))


@pytest.mark.usefixtures("at_rest")
def test_a_table_of_other_code(shelf: Shelf) -> None:
    """A table written by other code is not used: the file is hashed again."""
    assert (shelf.run("a", code="code 2"), shelf.run("a", code="code 2")) == (([HAY], ["a"]), ([HAY], []))


@pytest.mark.usefixtures("at_rest")
@pytest.mark.parametrize("block", [Path.mkdir, os.mkfifo])
def test_a_table_that_cannot_be_written(shelf: Shelf, block: Callable[[Path], None]) -> None:
    """Everything is hashed, and ``save`` returns the reason instead of raising."""
    (shelf.cache / TABLE).unlink()
    (shelf.cache / ".new-known-files").mkdir()
    block(shelf.cache / TABLE)
    files = shelf.load()
    assert (files.hash_of("a") or "")[:6] == HAY
    assert files.save() == f"{shelf.cache}/known-files: Is a directory"


def test_an_out_root_that_is_not_there(tmp_path: Path) -> None:
    """No hash is kept, no folder is made, and nothing fails."""
    files = KnownFiles.load(tmp_path / "out" / ".cache", tmp_path, CODE)
    assert (files.hash_of("none"), files.save(), list(tmp_path.iterdir())) == (None, None, [])


@pytest.mark.usefixtures("at_rest")
def test_what_was_made_of_a_file(shelf: Shelf) -> None:
    """It is made once, and again when the file or the code changes; the hash is kept beside it."""
    first = shelf.made(), shelf.made(), shelf.run("a")
    (shelf.root / "a").write_text("rye")
    second = shelf.made(), shelf.made(), shelf.made("code 2"), shelf.made("code 2")
    assert first == (("hay", ["a"]), ("hay", []), ([HAY], []))
    assert second == (("rye", ["a"]), ("rye", []), ("rye", ["a"]), ("rye", []))


@pytest.mark.usefixtures("at_rest")
def test_an_audit_hashes_every_file(shelf: Shelf) -> None:
    """An audit hashes every file again, reports those whose bytes changed unnoticed, and keeps the new hash."""
    files = shelf.load()
    files.note_hash("a", "0" * 64)
    files.save()
    audit = shelf.load(audit=True)
    found = shelf.run("a"), (audit.hash_of("a") or "")[:6], audit.altered, audit.save(), shelf.run("a")
    assert found == ((["000000"], []), HAY, {"a"}, None, ([HAY], []))


@pytest.mark.usefixtures("at_rest")
def test_files_that_are_gone_leave_the_table(shelf: Shelf) -> None:
    """Deleted files are dropped from the table; existing ones stay even if a run does not ask for them."""
    (shelf.root / "b").write_text("rye")
    shelf.run("b")
    (shelf.root / "b").unlink()
    size = (shelf.cache / TABLE).stat().st_size
    shelf.run()
    assert (shelf.run("a"), (shelf.cache / TABLE).stat().st_size < size) == (([HAY], []), True)


@pytest.mark.parametrize("name", ["st_size", "st_ino", "st_mtime_ns", "st_ctime_ns"])
def test_what_a_file_is_known_by(shelf: Shelf, name: str) -> None:
    """A change of size, inode, mtime or ctime, even by one nanosecond, makes it another file."""
    found = (shelf.root / "a").stat()
    values = {each: getattr(found, each) for each in ("st_size", "st_ino", "st_mtime_ns", "st_ctime_ns")}
    other = SimpleNamespace(**{**values, name: values[name] + 1})
    assert stamp_of(cast("os.stat_result", other)) != stamp_of(found)


@pytest.mark.parametrize("kind", [Path.mkdir, os.mkfifo, lambda file: file.symlink_to("none"), lambda _: None])
def test_only_a_file_has_a_hash(shelf: Shelf, kind: Callable[[Path], None]) -> None:
    """Folders, FIFOs and broken links have no hash and do not block; ``forget`` finds a new file."""
    kind(shelf.root / "odd")
    files = shelf.load()
    found = files.hash_of("odd"), files.size_of("odd")
    before = files.hash_of("b")
    (shelf.root / "a").rename(shelf.root / "b")
    files.forget("b")
    assert (found, before, files.size_of("b"), (files.hash_of("b") or "")[:6]) == ((None, None), None, 3, HAY)


def test_a_file_that_gets_another_link(shelf: Shelf) -> None:
    """A new link changes the ctime; ``note`` makes an old file known under its new path at once."""
    os.utime(shelf.root / "a", ns=(0, 0))
    os.link(shelf.root / "a", shelf.root / "b")
    files = shelf.load()
    files.note_hash("b", hash_file(shelf.root / "b"))
    files.save()
    assert (shelf.run("b"), shelf.run("a")) == (([HAY], []), ([HAY], ["a"]))
