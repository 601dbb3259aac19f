"""The programmes and listings of a snapshot: what there is to look at.

A programme is all records of one source and event. Records without an event that have a time, room or session are a
programme for each page, named by its path: the event is missing in a sidecar. Other records are a listing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import polars as pl

from pipeline.publishing.captures import captures_of, owners_of
from pipeline.viewing.selection import Row, Selection

_IS_LISTED: Final = pl.all_horizontal(pl.col("event", "slots", "session_title").is_null())


@dataclass(frozen=True, slots=True)
class Programme:
    """A programme: source, event or path of its page, number of records, first and last day; None without times."""

    source: str
    event: str | None
    page: str | None
    records: int
    begins: date | None
    ends: date | None

    @property
    def name(self) -> str:
        """The event, else the path of the page."""
        return str(self.event or self.page)


@dataclass(frozen=True, slots=True)
class Listing:
    """The listed records of a source: their number, the first and the newest day, None without any."""

    source: str
    records: int
    begins: date | None
    ends: date | None


def _page(selection: Selection, source: str) -> pl.Expr:
    """Return the path of the page of a record without an event, also of one that stands in a companion of its dump."""
    owners = owners_of(captures_of(selection.snapshot, source))
    return pl.when(pl.col("event").is_null()).then(pl.col("dump").replace(owners)).alias("page")


def programmes_of(selection: Selection) -> list[Programme]:
    """Return the programmes, by source and name."""
    starts = pl.col("slots").list.eval(pl.element().struct.field("starts_at"))
    found: list[Programme] = []
    for source in selection.sources():
        rows = selection.scan(source).filter(~_IS_LISTED & selection.condition())
        page = _page(selection, source)
        days = [starts.list.min().min().dt.date().alias("begins"), starts.list.max().max().dt.date().alias("ends")]
        groups = rows.group_by("event", page).agg(pl.len(), *days).collect()
        found += (Programme(source, *group) for group in groups.iter_rows())
    return sorted(found, key=lambda each: (each.source, each.event is None, each.name))


def frames_of(selection: Selection, source: str) -> Iterator[tuple[Programme, pl.DataFrame]]:
    """Yield the programmes of a source with the frames of their records."""
    page = _page(selection, source)
    frame = selection.scan(source).filter(~_IS_LISTED & selection.condition()).with_columns(page).collect()
    named = {(each.event, each.page): each for each in programmes_of(replace(selection, source=source))}
    parts = frame.partition_by("event", "page", as_dict=True)
    del frame  # or all rows would be held twice
    for key in sorted(parts, key=str):
        yield named[key], parts.pop(key).drop("page")


def listings_of(selection: Selection) -> list[Listing]:
    """Return the listings, by source."""
    found = []
    for source in selection.sources():
        rows = scan_listed(selection, source)
        day = pl.col("listed_on")
        (of_source,) = rows.select(pl.len(), day.min().alias("first"), day.max()).collect().iter_rows()
        if of_source[0]:
            found.append(Listing(source, *of_source))
    return found


def scan_listed(selection: Selection, source: str) -> pl.LazyFrame:
    """Return the listed records of a source, not yet read."""
    return selection.scan(source).filter(_IS_LISTED & selection.condition())


def rows_of(selection: Selection, programme: Programme) -> Iterator[Row]:
    """Yield the rows of a programme."""
    of_source = replace(selection, source=programme.source)
    is_in = pl.col("event").eq_missing(pl.lit(programme.event, pl.String))
    if programme.event is None:
        is_in &= (_page(selection, programme.source) == programme.page) & ~_IS_LISTED
    return of_source.rows(also=is_in)


def listed_rows(selection: Selection, source: str) -> Iterator[Row]:
    """Yield the rows of a listing."""
    return replace(selection, source=source).rows(also=_IS_LISTED)
