"""What is new in a snapshot, as feeds tell it: an entry for each change of a programme, and for each new paper.

No news is what a source shows when it is captured for the first time, nor what newer code reads in bytes that fed the
snapshot before: a change is told where its record stands in other bytes than before.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.base.escape import harmless
from pipeline.publishing.captures import captures_of, owners_of
from pipeline.publishing.chain import older_than
from pipeline.publishing.feeds import FeedEntry, FeedMemory, last_entries, load_feeds, save_feeds
from pipeline.publishing.store import CHANGES_FILE, Snapshot
from pipeline.site.model import category_feed, names_told, programme_folder, slots_told, source_feed
from pipeline.viewing.history import changes_of
from pipeline.viewing.programmes import programmes_of
from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.texts import label_of, names_of

MOST: Final = 50
"""Entries that a snapshot adds to a feed; one more says how many are left out."""

LONGEST: Final = 300
"""Characters of a text in a feed."""

COUNTED: Final = {
    "withdrawn": "withdrawn",
    "cancelled": "cancelled",
    "takes place": "taking place after all",
    "moved": "moved",
    "renamed": "renamed",
    "people": "with other people",
    "added": "new",
}
"""The kinds of changes of an item, in the order in which people need them, as they are said of a number of items."""

_ORDER: Final = tuple(COUNTED)
_HEADS: Final = {"people": "Other people"}  # of the others the name of the kind

_COLUMNS: Final = (
    "record_id source kind title session_title abstract summary authors presenter event slots dump dump_sha256 "
    "line_start categories listing_section".split()
)


@dataclass(frozen=True, slots=True)
class _NewsItem:
    """A change before it is known in which feeds there is room for it; ``order`` is what it is sorted by."""

    order: tuple[int, str, int, str]
    change: str
    record_id: str | None
    title: str
    told: tuple[str, ...]
    feeds: tuple[str, ...]


def remember(out: Path, newest: Snapshot) -> tuple[FeedMemory, list[str]]:
    """Return the entries of all feeds up to a snapshot, and lines on what could not be told; write them down.

    The out root must be locked. Raises ``OSError``, and ``StoreError`` if a file of the snapshot is damaged.
    """
    memory, damage = load_feeds(out)
    lines = [damage] if damage else []
    kept = (*reversed(older_than(newest)), newest)
    if memory is None:
        memory = FeedMemory(kept[0].id, ())
    by_id = {each.id: each for each in kept}
    new = [each for each in kept if each.id not in memory.told]
    if not new:
        return memory, lines
    Selection(newest).verify_files()
    if memory.told and new[0].previous not in memory.told:
        lines.append(f"feeds: what changed before {new[0].id} is not told: the snapshots are gone")
    entries = list(memory.entries)
    for each in new:
        if each.previous is None:
            continue
        if _is_whole(each):
            entries += entries_of(each, by_id.get(each.previous))
        else:
            lines.append(f"feeds: what changed in {each.id} is not told: files of it are damaged")
    there = [each for each in memory.told if (newest.folder.parent / each).is_dir()]
    memory = FeedMemory(memory.begun, (*there, *(each.id for each in new)), last_entries(entries))
    save_feeds(out, memory)
    return memory, lines


def _is_whole(snapshot: Snapshot) -> bool:
    """True if the changes of a snapshot, and the records that they are about, are not damaged."""
    if not snapshot.agrees(CHANGES_FILE):
        return False
    return all(snapshot.is_whole("records", source) for source in changes_of(snapshot)["source"].unique())


def entries_of(snapshot: Snapshot, before: Snapshot | None) -> list[FeedEntry]:
    """Return the entries on a snapshot, the most important last, as feeds show the last ones first.

    ``before`` is the one that it was made to replace, None if it is not kept: what newer code reads is told, too, then.
    """
    found: list[FeedEntry] = []
    for (source,), changes in changes_of(snapshot).group_by("source", maintain_order=True):
        news = _SourceNews(snapshot, before, str(source), changes)
        found += _capped(snapshot.id, sorted(news.told(), key=lambda each: each.order))
    return found[::-1]


def _capped(snapshot: str, news: Iterable[_NewsItem]) -> Iterator[FeedEntry]:
    """Yield the entries for which there is room in a feed, then one for each feed that has more."""
    counts: Counter[str] = Counter()
    for each in news:
        room = tuple(feed for feed in each.feeds if counts[feed] < MOST)
        counts.update(each.feeds)
        if room:
            yield FeedEntry(snapshot, each.change, each.record_id, each.title, each.told, room)
    for feed, count in sorted(counts.items()):
        if count > MOST:
            yield FeedEntry(snapshot, "more", None, f"And {count - MOST} more changes", (), (feed,))


class _SourceNews:
    """The changes of a source in a snapshot, with the rows that they are about."""

    def __init__(self, snapshot: Snapshot, before: Snapshot | None, source: str, changes: pl.DataFrame) -> None:
        """Read the rows that have changed, as they are and, if they are gone, as they were."""
        self._source, self._changes = source, changes
        self._selection = Selection(snapshot, source)
        self._now = _rows(snapshot, source, changes["record_id"])
        gone = changes.filter(pl.col("change") == "removed")["record_id"]
        self._before = {} if before is None or gone.is_empty() else _rows(before, source, gone)
        self._bytes = _feeding(snapshot, source)
        self._old_bytes = {} if before is None else _feeding(before, source)
        captures = captures_of(snapshot, source)
        self._owners = owners_of(captures) | ({} if before is None else owners_of(captures_of(before, source)))
        self._renewed = {page for sha, page in self._bytes.items() if sha not in self._old_bytes}

    def told(self) -> Iterator[_NewsItem]:
        """Yield what there is to tell; nothing of a source that had no records before."""
        kinds = set(self._changes["change"])
        if kinds == {"added"} and self._changes.height == self._selection.count():
            return
        titles = dict(self._changes.filter(pl.col("change") == "removed").select("record_id", "title").iter_rows())
        renamed = {  # by the new id, with the old one
            row["record_id"]: row["values"][0]["before"]
            for row in self._changes.filter(pl.col("change") == "retitled").iter_rows(named=True)
        }
        passed = set(renamed.values()) | self._new_programmes(renamed)
        yield from self._sums(passed)
        for change in self._changes.iter_rows(named=True):
            record_id, kind = change["record_id"], change["change"]
            row = (self._before if kind == "removed" else self._now).get(record_id)
            if record_id in passed or (kind == "added" and record_id in renamed) or not self._is_news(kind, row):
                continue
            if row is not None and _is_listed(row):
                yield from self._paper(row) if kind == "added" else ()
            else:
                was = titles.get(renamed.get(record_id, ""))
                yield from (self._item(change, row, *each) for each in _describe(change, was))

    def _is_news(self, kind: str, row: Row | None) -> bool:
        """True if a record stands in other bytes than in the snapshot before; of one that is gone, its page."""
        if row is None:
            return True
        sha = row["dump_sha256"]
        if kind == "removed":
            return sha not in self._bytes or self._old_bytes.get(sha) in self._renewed
        return sha not in self._old_bytes

    def _new_programmes(self, renamed: Mapping[str, str]) -> set[str]:
        """Return the records of the programmes that were not there before: each of these is one entry."""
        added = set(self._changes.filter(pl.col("change") == "added")["record_id"]) - renamed.keys()
        names = {each: self._programme(self._now[each]) for each in added if not _is_listed(self._now[each])}
        counts = Counter(names.values())
        whole = {each.name for each in programmes_of(self._selection) if 1 < each.records == counts[each.name]}
        return {each for each, name in names.items() if name in whole}

    def _sums(self, added: Iterable[str]) -> Iterator[_NewsItem]:
        """Yield an entry for each programme that was not there before, given the records of all of them."""
        rows = [self._now[each] for each in added if each in self._now]
        counts = Counter(self._programme(row) for row in rows if self._is_news("added", row))
        for name, count in counts.items():
            feeds = (source_feed(self._source), programme_folder(self._source, name))
            yield _NewsItem(
                (len(_ORDER), name, 0, ""), "programme", None, in_feed(name), (f"A programme of {count} items",), feeds
            )

    def _programme(self, row: Row) -> str:
        """Return the name of the programme of an item: its event, else the path of its page."""
        return str(row["event"] or self._owners.get(row["dump"], row["dump"]))

    def _item(self, change: Row, row: Row | None, kind: str, told: Sequence[str]) -> _NewsItem:
        """Return what is told of an item."""
        name = None if row is None else self._programme(row)
        feeds = (source_feed(self._source), *([programme_folder(self._source, name)] if name else []))
        label = label_of(row) if row is not None else change["title"] or change["record_id"]
        title = in_feed(f"{_HEADS.get(kind, kind.capitalize())}: {label}")
        order = (_ORDER.index(kind), *((row["dump"], row["line_start"] or 0) if row else ("", 0)), change["record_id"])
        lines = tuple(map(in_feed, filter(None, (name, *told))))
        return _NewsItem(order, kind, change["record_id"], title, lines, feeds)

    def _paper(self, row: Row) -> Iterator[_NewsItem]:
        """Yield a paper that is new in a listing; one that is listed as replaced is not."""
        if row["listing_section"] == "replacement":
            return
        order = (_ORDER.index("added"), row["dump"], row["line_start"] or 0, row["record_id"])
        categories = tuple(row["categories"] or ())
        feeds = (source_feed(self._source), *dict.fromkeys(category_feed(self._source, each) for each in categories))
        told = tuple(in_feed(each) for each in (names_of(row), ", ".join(categories)) if each)
        yield _NewsItem(order, "added", row["record_id"], in_feed(label_of(row)), told, feeds)


def _describe(change: Row, was: str | None) -> Iterator[tuple[str, list[str]]]:
    """Yield what has happened to an item, each with old and new values; ``was`` is the title of one retitled."""
    values = {each["column"]: (each["before"], each["after"]) for each in change["values"] or ()}
    match change["change"]:
        case "added":
            yield "added", []
        case "removed":
            yield "withdrawn", []
        case "retitled":
            yield "renamed", [f"was: {was}"] if was else []
    if "title" in values:
        old_title, _ = values["title"]
        yield "renamed", [f"was: {old_title or 'no title'}"]
    if "slots" in values:
        old, new = map(slots_told, values["slots"])
        gone, come = ([each for each in one if each not in other] for one, other in ((old, new), (new, old)))
        yield "moved", [f"was: {'; '.join(gone) or 'as now'}", f"now: {'; '.join(come) or 'no longer then'}"]
    if "notes" in values:
        before, after = ("cancelled" in json.loads(each or "[]") for each in values["notes"])
        if before != after:
            yield ("cancelled" if after else "takes place"), []
    people = [names_told(each) for each in values.get("authors", ())]
    if len(set(people)) > 1:
        yield "people", [f"was: {people[0]}", f"now: {people[1]}"]


def _rows(snapshot: Snapshot, source: str, ids: pl.Series) -> dict[str, Row]:
    """Return the rows of some records of a snapshot, by id; none where its files are damaged."""
    if not snapshot.is_whole("records", source):
        return {}
    return {row["record_id"]: row for row in Selection(snapshot, source).rows(ids, _COLUMNS)}


def _feeding(snapshot: Snapshot, source: str) -> dict[str, str]:
    """Return the pages of the files that the rows of a source come from, by the hash of their bytes."""
    captures = captures_of(snapshot, source).filter("feeds").select("dump_sha256", "page", "facts")
    found: dict[str, str] = {}
    for sha, page, facts in captures.iter_rows():
        found[sha] = page
        found |= {companion: page for _, companion in json.loads(facts).get("companions", ())}
    return found


def _is_listed(row: Row) -> bool:
    """True if a record is one of a listing, none of a programme."""
    return row["event"] is None and row["slots"] is None and row["session_title"] is None


def in_feed(text: str) -> str:
    """Return a text in one line, no longer than feeds have them, of characters that XML has."""
    flat = " ".join(str(harmless(text)).replace("\ufffe", " ").replace("\uffff", " ").split())
    return flat if len(flat) <= LONGEST else f"{flat[:LONGEST]}…"


def in_sum(entries: Iterable[FeedEntry]) -> str:
    """Return in words how many entries of a snapshot there are of each kind."""
    counts = Counter(each.change for each in entries)
    told = [f"{counts[kind]} {words}" for kind, words in COUNTED.items() if counts[kind]]
    told += [f"{each.title[0].lower()}{each.title[1:]}" for each in entries if each.change == "more"]
    return ", ".join(told) or "new"
