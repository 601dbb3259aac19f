"""A run opens what has changed since the run before, and nothing else; an audit opens everything."""

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from pipeline.base import disk
from pipeline.base.known_files import TABLE
from pipeline.base.settings import Settings
from pipeline.publishing.runs import LOG as RUN_LOG
from pipeline.raw.capture_log import Attempt, FetchStatus, append, capture_times, pages_asked, stamp
from pipeline.reading.cache import CACHE, load_known_files
from pipeline.run.plan import make_plan
from pipeline.run.refresh import refresh
from pipeline.run.summary import messages
from tests.support.manifests import load_manifest
from tests.support.toy import TOYS, Desk

NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)
PAGE, LOG, LISTING = "raw/fair/page/20261121T030000Z.txt", "raw/fair/page/captures.ndjson", "raw/news/a.txt"
ALTERED = (
    "expected the bytes that it had, found others, though neither its size nor its times have changed: "
    "restore it from a copy, or touch it if it is right"
)
KNOWN = f"out/{CACHE}/{TABLE}"
RUNS = f"out/{RUN_LOG}"


def log(desk: Desk, moment: datetime) -> None:
    """Log that the page was got."""
    line = Attempt(stamp(moment), "https://fair.example", FetchStatus.NEW, 200, sha256="0" * 64, file=Path(PAGE).name)
    append(desk.raw / "fair" / "page", line)


@pytest.fixture
def known(desk: Desk, at_rest: None) -> Desk:
    """Return a desk with a fetched page and a listing without sidecar, all of whose files are known."""
    desk.put(PAGE.removeprefix("raw/"), {"title": "Hay", "event": "E"}, sidecar='timezone = "Europe/Oslo"')
    desk.put(LISTING.removeprefix("raw/"), {"title": "Rye"})
    log(desk, NIGHT)
    desk.run()
    desk.run()
    return desk


def opened(desk: Desk, monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> list[str]:
    """Return the files that are opened to be hashed, read or parsed; without the log of runs, which each run writes."""
    files: list[str] = []
    opening = disk.open_regular

    def count(file: Path, flags: int = os.O_RDONLY) -> int:
        files.append(file.relative_to(desk.raw.parent).as_posix())
        return opening(file, flags)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "open_regular", count)
        work()
    return sorted(file for file in files if file != RUNS)


def rewrite(file: Path, old: str, new: str) -> None:
    """Replace a text in a file by one of the same length, and set the mtime back."""
    times = file.stat()
    file.write_bytes(file.read_bytes().replace(old.encode(), new.encode()))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def published(desk: Desk, path: str) -> Path:
    """Return a file of the newest snapshot."""
    return (desk.out / "latest").resolve() / path


def test_a_night_with_nothing_new(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """No dump, sidecar, log or published file is opened, only what tells that none need be."""
    assert opened(known, monkeypatch, known.run) == [KNOWN]


def test_a_night_with_a_new_line_in_a_log(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """That log alone is read; the line says when the source was last seen on its site."""
    log(known, NIGHT + timedelta(days=1))
    assert opened(known, monkeypatch, known.run) == [KNOWN, LOG]
    assert load_manifest(known.out)["sources"]["fair"]["checked_at"] == "2026-11-22T03:00:00+00:00"


def test_a_plan_of_what_to_fetch(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which pages were captured when is known without their logs."""

    def plan() -> None:
        files = load_known_files(Settings(known.raw, known.out))
        asked = pages_asked(known.raw, "fair", (), files)
        assert capture_times(files, "fair", asked) == {"page": NIGHT}

    assert opened(known, monkeypatch, plan) == [KNOWN]


def test_a_sidecar_that_is_edited(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read again, also where neither its size nor its mtime tells."""
    rewrite(known.raw.parent / f"{PAGE}.meta.toml", "Oslo", "Rome")

    def plan() -> None:
        settings = Settings(known.raw, known.out)
        (dump,) = make_plan(settings, TOYS, load_known_files(settings)).inventory.dumps["fair"]
        assert dump.facts.timezone == "Europe/Rome"

    assert opened(known, monkeypatch, plan) == [KNOWN, f"{PAGE}.meta.toml"]


def test_a_dump_that_is_replaced(known: Desk) -> None:
    """Other bytes of the same size and mtime are read and published."""
    rewrite(known.raw.parent / LISTING, "Rye", "Oat")
    assert (known.run().good, known.titles("news")) == (True, ["Oat"])


def test_a_published_file_that_is_damaged(known: Desk) -> None:
    """It is found and healed, also where neither its size nor its mtime tells."""
    rewrite(published(known, "json/news.ndjson"), "Rye", "Ryx")
    assert any("healed" in line and "json/news.ndjson" in line for line in messages(known.run()))
    assert b"Rye" in published(known, "json/news.ndjson").read_bytes()


def test_a_table_that_is_lost(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is opened once, nothing is published anew, and after that all is known again."""
    latest = published(known, "")
    (known.raw.parent / KNOWN).unlink()
    files = opened(known, monkeypatch, known.run)
    assert ({PAGE, f"{PAGE}.meta.toml", LOG, LISTING} <= set(files), published(known, "")) == (True, latest)
    assert opened(known, monkeypatch, known.run) == [KNOWN]


def test_a_raw_root_that_was_restored_from_a_copy(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is read once, since every inode is another; nothing is published anew."""
    latest = published(known, "")
    copy = known.raw.with_name("copy")
    shutil.copytree(known.raw, copy)
    shutil.rmtree(known.raw)
    copy.rename(known.raw)
    assert opened(known, monkeypatch, known.run) == [KNOWN, PAGE, f"{PAGE}.meta.toml", LOG, LISTING]
    assert (opened(known, monkeypatch, known.run), published(known, "")) == ([KNOWN], latest)


def alter(desk: Desk, path: str, file: Path, old: bytes, new: bytes) -> None:
    """Let a disk lose bytes in silence: a file has others, and all that it is known by is as it was."""
    good = file.read_bytes()
    file.write_bytes(good.replace(old, new))
    files = load_known_files(Settings(desk.raw, desk.out))
    files.note_hash(path, sha256(good).hexdigest())
    files.save()


def test_a_dump_that_an_audit_finds_altered(known: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody wanted these bytes: nights keep to what was read, and each audit fails until somebody writes the file."""
    monkeypatch.setattr("pipeline.run.refresh._CLOCKS", -3600)  # it happened long before the runs
    file, settings = known.raw.parent / LISTING, Settings(known.raw, known.out)
    alter(known, LISTING.removeprefix("raw/"), file, b"Rye", b"Ryx")
    audits = [messages(refresh(settings, TOYS, audit=True)) for _ in range(2)]
    night = known.run().good, known.titles("news")
    file.touch()
    after = refresh(settings, TOYS, audit=True).good, known.titles("news")
    assert (night, after) == ((True, ["Rye"]), (True, ["Ryx"]))
    said = f"failed: news/a.txt:1: unreadable: {ALTERED}"
    assert audits == [[said, "kept: the last good files of news"]] * 2


def test_a_published_file_that_an_audit_finds_altered(known: Desk) -> None:
    """Nights pass over what a disk has lost of a published file; the audit heals it and warns."""
    file, settings = published(known, "json/news.ndjson"), Settings(known.raw, known.out)
    alter(known, str(file), file, b"Rye", b"Ryx")
    night = messages(refresh(settings, TOYS))
    audit = messages(refresh(settings, TOYS, audit=True))
    said = f"warning: {file}: its bytes have changed, but neither its size nor its times: the disk may be bad"
    assert (night, [line for line in audit if "healed" not in line]) == ([], [said])
    assert b"Rye" in published(known, "json/news.ndjson").read_bytes()
