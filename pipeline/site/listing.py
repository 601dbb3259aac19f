"""The pages of a listing: one for each day, in parts, and one that lists the days. Pure functions from rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import polars as pl

from pipeline.base.escape import harmless
from pipeline.site.model import short_ids
from pipeline.viewing.selection import Row
from pipeline.viewing.timetable import page_order

MOST: Final = 200
"""Records on a page."""

SECTIONS: Final = ("new", "cross", "replacement")
"""The sections of a day in the order in which people read them; what has none comes last."""

UNDATED: Final = "undated"
_DAY: Final = pl.coalesce("listed_on", "published_on")


@dataclass(frozen=True, slots=True)
class ListingPage:
    """A page of a listing: the day, None for records without one, its name, and its sections with their records.

    ``ids`` are short names of the records, for anchors. ``part`` counts from 1 to ``parts``.
    """

    day: date | None
    part: int
    parts: int
    sections: tuple[tuple[str | None, tuple[Row, ...]], ...]
    ids: dict[str, str]

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
        return sum(len(rows) for _, rows in self.sections)


def folder_of_listing(source: str) -> str:
    """Return the folder of the listing of a source."""
    return f"listing-{source}"


def listing_pages(frame: pl.DataFrame) -> Iterator[ListingPage]:
    """Yield the pages of a listing, the newest day first and what has no day last."""
    parts = frame.with_columns(day=_DAY).partition_by("day", as_dict=True, include_key=False)
    for (day,) in sorted(parts, key=lambda key: key[0] or date.min, reverse=True):
        rows = sorted(map(harmless, parts[day,].iter_rows(named=True)), key=_order)
        pages = [rows[begin : begin + MOST] for begin in range(0, len(rows), MOST)]
        for number, page in enumerate(pages, 1):
            ids = short_ids(row["record_id"] for row in page)
            yield ListingPage(day, number, len(pages), tuple(_sections(page)), ids)


def _order(row: Row) -> tuple[int, tuple[str, int, str]]:
    """Return what the records of a day are sorted by: section, then the order of the page."""
    section = row["listing_section"]
    return (SECTIONS.index(section) if section in SECTIONS else len(SECTIONS), page_order(row))


def _sections(rows: Sequence[Row]) -> Iterator[tuple[str | None, tuple[Row, ...]]]:
    """Yield the sections of a page with their records."""
    for section in dict.fromkeys(row["listing_section"] for row in rows):
        yield section, tuple(row for row in rows if row["listing_section"] == section)
