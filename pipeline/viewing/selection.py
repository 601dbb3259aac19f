"""Selects the rows that are shown or exported, by source, event, day, track, words, from one snapshot.

Rows are read in slices, so that memory does not grow with the table: the batches of polars keep whole row groups of
100,000 rows alive.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl
import polars.selectors as cs

from pipeline.base.escape import harmless
from pipeline.publishing.pieces import path_of
from pipeline.publishing.store import CHANGES_FILE, Snapshot, StoreError
from pipeline.viewing.words import holds, whole_text
from schemas.tables import RECORDS, TABLES, Table, polars_schema

SLICE: Final = 8192
"""Rows that are held at a time."""

Row = dict[str, Any]
"""A row of a table as Python values, by column."""

Placed = tuple[int, Row]
"""The place of a slot among those of its record that have a start, from 1 in time order, and the slot."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The records of one snapshot: all, or those of a source, an event or track (ignoring case), a day, a kind.

    A record is of a day if a slot starts on it or, without slots, if it was listed on it. ``keyword`` (ignoring case)
    and ``category`` are among those of the record; each of ``words`` occurs in its texts, as ``viewing.words``
    says. ``timezone`` is the zone of times that have none. ``only`` are the ids of the records that may be selected.
    """

    snapshot: Snapshot
    source: str | None = None
    event: str | None = None
    day: date | None = None
    kind: str | None = None
    track: str | None = None
    words: tuple[str, ...] = ()
    keyword: str | None = None
    category: str | None = None
    timezone: str | None = None
    only: frozenset[str] | None = None

    def sources(self) -> list[str]:
        """Return the names of the selected sources that have published records by the manifest, sorted."""
        blocks = self.snapshot.sources
        held = {name for name in blocks if self.snapshot.pieces("records", name) or blocks[name]["published"]}
        return sorted(name for name in held if self.source in {None, name})

    def verify_files(self) -> None:
        """Raise ``StoreError`` where a table of these sources, or the change feed, does not match the manifest."""
        named = ((table, source) for source in self.sources() for table in ("records", "sightings"))
        for path in (*(path for each in named for path in self._paths(*each)), CHANGES_FILE):
            file = self.snapshot.folder / path
            found = "none" if not file.exists() else None if self.snapshot.agrees(path) else "a damaged file"
            if found is None and (rows := self.snapshot.files[path]["rows"]) is not None:
                count = pl.scan_parquet(file, glob=False).select(pl.len()).collect().item()
                found = None if count == rows else f"{count} rows instead of {rows}"
            if found is not None:
                raise StoreError(f"{file}: expected the table described in the manifest, found {found}")

    def events(self) -> list[str]:
        """Return the events with the selected name, or all, sorted."""
        found = [self.scan(source).select("event").unique().collect()["event"] for source in self.sources()]
        wanted = None if self.event is None else self.event.casefold()
        names = {name for names in found for name in names if name is not None}
        return sorted(name for name in names if wanted in {None, name.casefold()})

    def count(self) -> int:
        """Return the number of records."""
        condition = self.condition()
        return sum(self.scan(name).filter(condition).select(pl.len()).collect().item() for name in self.sources())

    def rows(
        self,
        ids: pl.Series | None = None,
        columns: Sequence[str] | None = None,
        also: pl.Expr | None = None,
    ) -> Iterator[Row]:
        """Yield the records source by source in the order of the files.

        They are limited to ``ids``, to those for which ``also`` is true, and to ``columns``, if given.
        """
        condition = self.condition() & (pl.lit(value=True) if also is None else also.fill_null(value=False))
        if ids is not None:
            condition &= pl.col("record_id").is_in(ids.implode())
        for source in self.sources():
            for row in _sliced(self.scan(source), condition, RECORDS, columns):
                if self.timezone is not None and "timezone" in row and row["timezone"] is None:
                    row["timezone"] = self.timezone
                yield row

    def rows_of(self, table: str) -> Iterator[Row]:
        """Yield the rows of another table about the selected records, source by source."""
        condition = self.condition()
        for source in self.sources():
            wanted = self.scan(source).filter(condition).select("record_id").collect()["record_id"]
            among = pl.col("record_id").is_in(wanted.implode())
            yield from _sliced(self.scan(source, table), among, TABLES[table])

    def slot_counts(self) -> pl.DataFrame:
        """Return the number of slots with a start, on any day, of each record that has some."""
        started = pl.col("slots").list.eval(pl.element().struct.field("starts_at").is_not_null()).list.sum()
        counts = [
            self.scan(source).filter(self.condition()).select("record_id", slots=started.cast(pl.UInt32))
            for source in self.sources()
        ]
        empty = pl.DataFrame(schema={"record_id": pl.String, "slots": pl.UInt32})
        return pl.concat([empty, *(each.filter(pl.col("slots") > 0).collect() for each in counts)])

    def scan(self, source: str, table: str = "records") -> pl.LazyFrame:
        """Open one table of one source, unfiltered."""
        return pl.scan_parquet(self.files(source, table), glob=False)

    def files(self, source: str, table: str = "records") -> list[Path]:
        """Return the files of one table of one source, in their order."""
        return [self.snapshot.folder / path for path in self._paths(table, source)]

    def _paths(self, table: str, source: str) -> list[str]:
        """Return the paths of these files below the snapshot; the first one by name even if it is gone."""
        return list(self.snapshot.pieces(table, source).values()) or [path_of(table, source)]

    def slots(self, row: Row) -> list[Placed]:
        """Return the slots of a record that have a start and are on the day; their places do not depend on the day."""
        placed = enumerate((slot for slot in row["slots"] or () if slot["starts_at"]), 1)
        return [(place, slot) for place, slot in placed if self.day in {None, slot["starts_at"].date()}]

    def condition(self) -> pl.Expr:
        """Return the condition on a record."""
        condition = pl.lit(value=True)
        if self.event is not None:
            condition &= pl.col("event").is_in(self.events())
        if self.day is not None:
            starts = pl.element().struct.field("starts_at").dt.date() == self.day
            held = pl.col("slots").list.eval(starts).list.any()
            condition &= pl.when(pl.col("slots").is_null()).then(pl.col("listed_on") == self.day).otherwise(held)
        if self.only is not None:
            condition &= pl.col("record_id").is_in(sorted(self.only))
        if self.kind is not None:
            condition &= pl.col("kind") == self.kind
        if self.track is not None:
            condition &= pl.col("track").str.to_lowercase() == self.track.lower()
        if self.words:
            condition &= holds(whole_text(), self.words)
        if self.category is not None:
            condition &= pl.col("categories").list.contains(self.category)
        if self.keyword is not None:
            folded = pl.col("keywords").list.eval(pl.element().str.to_lowercase())
            condition &= folded.list.contains(self.keyword.lower())
        return condition.fill_null(value=False)


def _sliced(
    frame: pl.LazyFrame, condition: pl.Expr, table: Table, columns: Sequence[str] | None = None
) -> Iterator[Row]:
    """Yield the rows of a file that meet a condition; columns that an older minor contract version lacks are null."""
    empty = pl.DataFrame(schema=polars_schema(table)).select(columns or pl.all())
    total = frame.select(pl.len()).collect().item()
    for start in range(0, total, SLICE):
        found = frame.slice(start, SLICE).filter(condition)
        found = found.select(pl.all() if columns is None else cs.by_name(*columns, require_all=False))
        yield from map(harmless, pl.concat([empty, found.collect()], how="diagonal").iter_rows(named=True))
