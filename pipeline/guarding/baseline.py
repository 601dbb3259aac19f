"""Baselines: the good captures of a source that guards compare a new one with, as the last snapshot knows them.

Selecting captures belongs to ``pipeline.guarding.worklist``, comparing them to ``pipeline.guarding.checks``.
"""

import json
from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

import polars as pl

from pipeline.publishing.captures import OF_GUARDS, Row, measure_of
from pipeline.raw.dump import Dump
from pipeline.reading.measure import Measure

_REMEMBERED: Final = 60
"""Captures of its page that one is compared with: two months of them at one per night."""

_BESIDE: Final = 200
"""Captures of all pages of a source that one is compared with: a week or two of them at a dozen or two per night."""


Edition = tuple[int | None, str]
"""A programme that is asked for: its year, and its event, or where no sidecar names one the page."""


def edition_of(page: str, facts: str) -> Edition:
    """Return the programme that was asked for, from what the table ``captures`` says of a capture."""
    said = json.loads(facts)
    return said.get("year"), said.get("event", page)


@dataclass(frozen=True)  # no slots: the measure is made when a guard first asks for it
class GoodCapture:
    """A good capture, by its row of the table: the columns ``OF_GUARDS``."""

    row: Row

    @property
    def path(self) -> str:
        """The path of the dump."""
        return str(self.row["dump"])

    @property
    def page(self) -> str:
        """The page that it is a capture of."""
        return str(self.row["page"])

    @property
    def sha256(self) -> str | None:
        """The hash of its bytes."""
        digest: str | None = self.row["dump_sha256"]
        return digest

    @cached_property
    def measure(self) -> Measure:
        """What guards know of it."""
        return measure_of(self.row)

    @property
    def edition(self) -> Edition:
        """The programme that was asked for."""
        return edition_of(self.page, self.row["facts"])

    @property
    def order(self) -> tuple[datetime, str]:
        """The sort key among the captures of its page."""
        return capture_order(self.row["captured_at"], self.path)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What one capture is judged against: the good ones before it; ``accepted`` is its own hash if it was good before.

    ``of_source`` are the good ones before it on all pages of the source, where pages can repeat each other.
    """

    before: tuple[GoodCapture, ...] = ()
    accepted: str | None = None
    of_source: tuple[GoodCapture, ...] = ()


class PageHistory:
    """The good captures of one page: those that the last snapshot knows, and those that this run adds."""

    def __init__(self, known: Iterable[GoodCapture]) -> None:
        """``known`` are those of the last snapshot."""
        self._known = sorted(known, key=_order)
        self._accepted = {each.path: each.sha256 for each in self._known}

    @property
    def newest(self) -> GoodCapture | None:
        """The newest good capture."""
        return self._known[-1] if self._known else None

    @property
    def known(self) -> Sequence[GoodCapture]:
        """The good captures, the oldest first."""
        return self._known

    def baseline(self, dump: Dump, place: tuple[datetime, str] | None = None) -> Baseline:
        """Return the baseline of a capture, at its own place in the order or at another.

        A file whose bytes were replaced is also compared with its earlier content.
        """
        place = place or capture_order(dump.facts.captured_at, dump.path)
        return Baseline(self._before(place, _REMEMBERED), self._accepted.get(dump.path))

    def good_before(self, dump: Dump) -> tuple[GoodCapture, ...]:
        """Return the good captures before one, in a ``PageHistory`` of all pages of a source."""
        return self._before(capture_order(dump.facts.captured_at, dump.path), _BESIDE)

    def _before(self, place: tuple[datetime, str], most: int) -> tuple[GoodCapture, ...]:
        """Return the last ``most`` captures up to a place in the order."""
        end = bisect_right(self._known, place, key=_order)
        return tuple(self._known[max(0, end - most) : end])

    def add(self, known: GoodCapture) -> None:
        """Add a new good capture."""
        if self._accepted.get(known.path) != known.sha256:
            insort(self._known, known, key=_order)


def capture_order(captured_at: datetime | None, path: str) -> tuple[datetime, str]:
    """Return the sort key of a capture: time, then path; a capture without a time is the oldest."""
    return captured_at or datetime.min, path


def _order(known: GoodCapture) -> tuple[datetime, str]:
    """Return the sort key of a good capture."""
    return known.order


def recall(captures: pl.DataFrame) -> dict[str, PageHistory]:
    """Return the good captures of a source in the table, by page."""
    pages: dict[str, list[GoodCapture]] = {}
    for row in captures.filter(pl.col("error").is_null()).select(OF_GUARDS).iter_rows(named=True):
        pages.setdefault(row["page"], []).append(GoodCapture(row))
    return {page: PageHistory(known) for page, known in pages.items()}
