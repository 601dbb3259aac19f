"""The pages of a listing: one for each day, in parts, and one that lists the days. Pure functions from rows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Final

import polars as pl

from pipeline.base.escape import harmless
from pipeline.site.model import short_ids
from pipeline.viewing.selection import Row

MOST: Final = 200
"""Records on a page."""

SECTIONS: Final = ("new", "cross", "replacement")
"""The sections of a day in the order in which people read them; what has none comes last."""

UNDATED: Final = "undated"
_DAY: Final = pl.coalesce("listed_on", "published_on")
_PLACING: Final = ("record_id", "listing_section", "dump", "line_start", "listed_on", "published_on")
"""The columns that decide where a record stands."""


@dataclass(frozen=True, slots=True)
class ListingPage:
    """A page of a listing: the day, None for records without one, its part from 1 to ``parts``, and its records."""

    day: date | None
    part: int
    parts: int
    frame: pl.DataFrame

    @property
    def digest(self) -> str:
        """A hash of all that is known of the records."""
        return sha256(self.frame.hash_rows().to_frame().write_csv().encode()).hexdigest()

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        name = str(self.day or UNDATED)
        return name if self.part == 1 else f"{name}-{self.part}"

    @property
    def month(self) -> str:
        """Its month as a title; empty for records without a day."""
        return f"{self.day:%Y-%m}" if self.day else ""

    @property
    def records(self) -> int:
        """The number of its records."""
        return self.frame.height

    @property
    def ids(self) -> dict[str, str]:
        """Short names of the records, for anchors."""
        return short_ids(self.frame["record_id"])

    def sections(self) -> list[tuple[str | None, list[Row]]]:
        """Return its sections with their records."""
        rows: Iterator[Row] = map(harmless, self.frame.iter_rows(named=True))
        return [(section, list(some)) for section, some in groupby(rows, key=itemgetter("listing_section"))]


def folder_of_listing(source: str) -> str:
    """Return the folder of the listing of a source."""
    return f"listing-{source}"


def listing_pages(records: pl.DataFrame) -> Iterator[ListingPage]:
    """Yield the pages of a listing, the newest day first and what has no day last; records stand as on their page."""
    ranks = {section: rank for rank, section in enumerate(SECTIONS)}
    section = pl.col("listing_section").replace_strict(ranks, default=len(SECTIONS), return_dtype=pl.UInt8)
    order = [section, "listing_section", "dump", pl.col("line_start").fill_null(0), "record_id"]
    parts = records.sort(order).with_columns(day=_DAY).partition_by("day", as_dict=True, include_key=False)
    for (day,) in sorted(parts, key=lambda key: key[0] or date.min, reverse=True):
        pages = list(parts[day,].iter_slices(MOST))
        for number, page in enumerate(pages, 1):
            yield ListingPage(day, number, len(pages), page)


def listing_links(records: pl.LazyFrame, folder: str, wanted: Iterable[str]) -> dict[str, str]:
    """Return the places of some records on the pages of a listing, as paths with anchors, by id."""
    placed = records.select(*_PLACING, day=_DAY)
    ids = sorted(wanted)
    days = placed.filter(pl.col("record_id").is_in(ids)).select(pl.col("day").unique())
    rows = placed.join(days, on="day", how="semi", nulls_equal=True).drop("day").collect()
    found: dict[str, str] = {}
    for page in listing_pages(rows):
        own = page.ids
        found |= {each: f"{folder}/{page.name}.html#r-{own[each]}" for each in ids if each in own}
    return found
