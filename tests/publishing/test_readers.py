"""Readers at work while snapshots are published and pruned: each sees one whole snapshot, or that it is gone."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread

import polars as pl
import pytest

from tests.support.depth import is_deep
from tests.support.toy import Desk

pytestmark = pytest.mark.untraced

SNAPSHOTS = 10 if is_deep() else 6


@dataclass
class Reader:
    """Reads the newest snapshot again and again, as the documentation says: the link is resolved once.

    ``seen`` are the editions that it saw, ``gone`` counts snapshots that were pruned while it read, ``wrong`` is what
    it should never see.
    """

    out: Path
    seen: list[str] = field(default_factory=list)
    gone: int = 0
    wrong: list[str] = field(default_factory=list)

    def read_on(self, ended: Event) -> None:
        """Read until the last snapshot is published, and that one too."""
        while not ended.is_set():
            self.read()
        self.read()

    def read(self) -> None:
        """Read one snapshot."""
        folder = self.out / "latest"
        try:
            folder = folder.resolve(strict=True)
            editions = self.editions_in(folder)
        except FileNotFoundError as error:
            self.gone += 1
            is_pruned = folder.name != "latest" and not folder.exists()
            self.wrong += [] if is_pruned else [f"expected a snapshot: {error}"]
        except (OSError, ValueError, pl.exceptions.PolarsError) as error:
            self.wrong.append(repr(error))
        else:
            self.wrong += [f"{folder.name}: {sorted(editions)}"] if len(editions) != 1 else []
            self.seen += sorted(editions)

    def editions_in(self, folder: Path) -> set[str]:
        """Return the editions that the tables of a snapshot are of, and what is wrong with its files."""
        files = json.loads((folder / "manifest.json").read_bytes())["files"]
        found = {path: (folder / path).read_bytes() for path in files}
        damaged = {path for path, content in found.items() if sha256(content).hexdigest() != files[path]["sha256"]}
        records, sightings = (
            pl.concat([pl.read_parquet(content) for path, content in found.items() if path.startswith(f"{table}/")])
            for table in ("parquet", "sightings")
        )
        strange = set(records["dump_sha256"]).symmetric_difference(sightings["dump_sha256"])
        return damaged | strange | set(records["abstract"])


def publish(desk: Desk, number: int) -> None:
    """Publish an edition: every record of both sources says which one it is."""
    record = {"title": "Hay", "abstract": f"Edition {number:02}."}
    desk.put("fair/a.txt", record, {**record, "title": "Rye"})
    desk.put("news/a.txt", record, {**record, "title": "Oat"})
    desk.run(keep=2)


def publish_many(desk: Desk, ended: Event) -> None:
    """Publish further editions."""
    try:
        for number in range(1, SNAPSHOTS + 1):
            publish(desk, number)
    finally:
        ended.set()


def test_two_readers_while_snapshots_come_and_go(desk: Desk) -> None:
    """They see whole editions, in their order up to the last one, and miss nothing but what was pruned."""
    publish(desk, 0)
    ended, readers = Event(), [Reader(desk.out), Reader(desk.out)]
    threads = [Thread(target=reader.read_on, args=[ended]) for reader in readers]
    publisher = Thread(target=publish_many, args=[desk, ended])
    list(map(Thread.start, [*threads, publisher]))
    list(map(Thread.join, [*threads, publisher]))
    assert [reader.wrong for reader in readers] == [[], []]
    assert [reader.seen for reader in readers] == [sorted(reader.seen) for reader in readers]
    assert [(reader.seen[-1], len(set(reader.seen)) > 3) for reader in readers] == [
        (f"Edition {SNAPSHOTS:02}.", True)
    ] * 2
