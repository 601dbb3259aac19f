"""The Atom feeds of a site: one for each source, programme and listed category, where the site has an address.

An entry links the page that its record has now; where it has none any more, that of its programme or listing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlsplit

import polars as pl

from pipeline.publishing.feeds import FeedEntry, FeedMemory
from pipeline.publishing.store import made_at
from pipeline.site.listing import listing_links
from pipeline.site.model import category_feed, file_of, short_ids, source_feed
from pipeline.viewing.programmes import scan_listed
from pipeline.viewing.selection import Selection

FEEDS_FOLDER: Final = "feeds"
_NAMES: Final = ("record_id", "title", "session_title", "kind")


@dataclass(frozen=True, slots=True)
class SiteFeed:
    """A feed: the name of its file without the ending, its title, and the page that it is of, by its path."""

    name: str
    title: str
    page: str


@dataclass(frozen=True, slots=True)
class FeedLine:
    """An entry as a feed shows it: its id, time, title, lines, and the address of its page."""

    id: str
    updated: datetime
    title: str
    told: Sequence[str]
    href: str


@dataclass
class FeedBook:
    """The feeds of a site, and the pages of the records that their entries are about, by paths below its root."""

    memory: FeedMemory
    url: str
    feeds: list[SiteFeed] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the records for which pages are wanted."""
        self._entries = self.memory.by_feed()
        self._wanted = {each.record_id for each in self.memory.entries if each.record_id is not None}

    def add_programme(self, folder: str, name: str, frame: pl.DataFrame) -> None:
        """Add the feed of a programme, given its records."""
        self.feeds.append(SiteFeed(folder, name, f"{folder}/index.html"))
        rows = frame.select(_NAMES).filter(pl.col("record_id").is_in(list(self._wanted)))
        if not rows.is_empty():
            ids = short_ids(frame["record_id"])
            self.paths |= {row["record_id"]: f"{folder}/{file_of(row, ids)}.html" for row in rows.iter_rows(named=True)}

    def add_listing(self, selection: Selection, source: str, folder: str) -> list[tuple[str, str]]:
        """Add the feeds of the categories of a listing; return these, each with the name of its feed."""
        listed = scan_listed(selection, source)
        self.paths |= listing_links(listed, folder, self._wanted)
        categories = listed.select(pl.col("categories").explode().drop_nulls().unique().sort()).collect()
        named = [(each, category_feed(source, each)) for each in categories["categories"]]
        self.feeds += (SiteFeed(name, f"{each}, {source}", f"{folder}/index.html") for each, name in named)
        return named

    def add_source(self, source: str, page: str) -> None:
        """Add the feed of a source; ``page`` is the path of the page that shows it."""
        self.feeds.append(SiteFeed(source_feed(source), source, page))

    def lines(self, feed: SiteFeed) -> list[FeedLine]:
        """Return the entries of a feed, the newest first."""
        pages = {each.name: each.page for each in self.feeds}
        return [
            FeedLine(
                entry_id(self.url, each),
                made_at(each.snapshot),
                each.title,
                each.told,
                f"{self.url}/{self.paths.get(each.record_id or '') or pages.get(each.feeds[-1], feed.page)}",
            )
            for each in self._entries.get(feed.name, ())
        ]

    def updated(self, lines: Iterable[FeedLine]) -> datetime:
        """Return when a feed was last changed: the time of its newest entry, else that of the first snapshot."""
        return max((each.updated for each in lines), default=made_at(self.memory.begun))


def entry_id(url: str, entry: FeedEntry) -> str:
    """Return the id of an entry as a tag URI (RFC 4151): of record, or feed of a sum, change and snapshot."""
    host = quote((urlsplit(url).hostname or "").encode("idna").decode())
    what = (entry.record_id or entry.feeds[-1], entry.change, entry.snapshot)
    return f"tag:{host},{made_at(entry.snapshot).year}:{'/'.join(quote(each, safe=':') for each in what)}"
