"""What the Atom feeds of the pages hold: ``feeds.json`` below the out root, which outlives the snapshots that it is of.

The file is made again from the kept snapshots where it is damaged or gone; no manifest names it, and nothing that is
published in a snapshot depends on it. Only who holds the lock of the out root writes here.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from pipeline.base.disk import read_limited, sync, write_new
from pipeline.publishing.store import made_at

FEEDS: Final = "feeds.json"
KEPT: Final = 100
"""Entries of a feed that are kept."""

_LARGEST: Final = 1 << 28


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A change that feeds tell: of which record, none for a sum of several, in which snapshot and ``feeds``.

    ``told`` are its lines below the title; ``feeds`` are the names of the files, without the ending.
    """

    snapshot: str
    change: str
    record_id: str | None
    title: str
    told: tuple[str, ...]
    feeds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FeedMemory:
    """The entries of all feeds, the newest last, and the snapshots whose changes are among them.

    ``begun`` is the first of these, from whose time feeds without an entry are.
    """

    begun: str
    told: tuple[str, ...]
    entries: tuple[FeedEntry, ...] = ()

    def by_feed(self) -> dict[str, list[FeedEntry]]:
        """Return the last entries of each feed, the newest first."""
        found: dict[str, list[FeedEntry]] = {}
        for entry in reversed(self.entries):
            for feed in entry.feeds:
                if len(own := found.setdefault(feed, [])) < KEPT:
                    own.append(entry)
        return found


_ADAPTER: Final = TypeAdapter(FeedMemory)


def load_feeds(out: Path) -> tuple[FeedMemory | None, str | None]:
    """Return what the file says, None if there is none or it is damaged; and a line on the damage, None without any."""
    file = out / FEEDS
    try:
        memory = _ADAPTER.validate_json(read_limited(file, _LARGEST))
        for name in (memory.begun, *(each.snapshot for each in memory.entries)):
            made_at(name)
    except FileNotFoundError:
        return None, None
    except ValidationError as error:
        found = error.errors()[0]["msg"]
    except (OSError, ValueError) as error:
        found = str(error)
    else:
        return memory, None
    return None, f"healed: {file}: expected the entries of the feeds: {found}; made again from the kept snapshots"


def save_feeds(out: Path, memory: FeedMemory) -> None:
    """Write the file atomically. Raises ``OSError``."""
    write_new(out / FEEDS, _ADAPTER.dump_json(memory)).replace(out / FEEDS)
    sync(out)


def last_entries(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    """Return the entries that are among the last ones of at least one of their feeds, in their order."""
    counts: Counter[str] = Counter()
    kept = []
    for entry in reversed(list(entries)):
        if any(counts[feed] < KEPT for feed in entry.feeds):
            kept.append(entry)
        counts.update(entry.feeds)
    return tuple(reversed(kept))
