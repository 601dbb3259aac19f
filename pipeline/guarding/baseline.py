"""Baselines: the good captures of a source that guards compare a new one with, from the last published snapshot.

Selecting captures belongs to ``pipeline.guarding.captures``, comparing them to ``pipeline.guarding.guards``.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pipeline.publishing.manifest import good_blocks
from pipeline.publishing.store import Snapshot
from pipeline.raw.inventory import Dump
from pipeline.reading.measure import Measure, restore_measure

_REMEMBERED: Final = 60
"""Captures of its page that one is compared with: two months of them at one per night."""

_BESIDE: Final = 200
"""Captures of all pages of a source that one is compared with: a week or two of them at a dozen or two per night."""


@dataclass(frozen=True, slots=True)
class GoodCapture:
    """A good capture: its path, page, hash, capture time and measure."""

    path: str
    page: str
    sha256: str | None
    captured_at: datetime | None
    measure: Measure

    @property
    def order(self) -> tuple[datetime, str]:
        """The sort key among the captures of its page."""
        return capture_order(self.captured_at, self.path)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What one capture is judged against: the good ones before it; ``accepted`` is its own hash if it was good before.

    ``beside`` are the good ones before it on all pages of the source, where pages can repeat each other.
    """

    before: tuple[GoodCapture, ...] = ()
    accepted: str | None = None
    beside: tuple[GoodCapture, ...] = ()


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

    def beside(self, dump: Dump) -> tuple[GoodCapture, ...]:
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


def recall(previous: Snapshot | None, source: str) -> dict[str, PageHistory]:
    """Return the good captures that the last snapshot knows, by page of a source; empty without a snapshot."""
    pages: dict[str, list[GoodCapture]] = {}
    for block in good_blocks(previous.manifest["sources"].get(source, {}) if previous else {}):
        if (known := _known(block)) is not None:
            pages.setdefault(known.page, []).append(known)
    return {page: PageHistory(known) for page, known in pages.items()}


def _known(block: Mapping[str, Any]) -> GoodCapture | None:
    """Return the capture described by a dump's block; None if another version wrote its measure."""
    measure = restore_measure(block.get("measure"))
    if measure is None:
        return None
    captured = datetime.fromisoformat(block["captured_at"]) if block["captured_at"] else None
    return GoodCapture(block["path"], block["page"], block["sha256"], captured, measure)
