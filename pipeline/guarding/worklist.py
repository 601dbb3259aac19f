"""Selects the captures of a source to read, and the earlier captures that each is judged against.

On a log page every capture counts, on a state page the newest good one. Captures are judged in the order they were
taken, each against the good ones before it, so that rereading an archive gives the same result as the nightly runs
that built it. One that was found good stays good while its bytes, its sidecar and the code that reads it are the same:
it is not read again. Reading a capture and the guards belong to other modules.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Final

import polars as pl

from parsers._contract import PageKind
from pipeline.guarding.baseline import Baseline, GoodCapture, PageHistory, capture_order, recall
from pipeline.publishing.captures import Row
from pipeline.raw.dump import Dump
from pipeline.reading.read import Reading

_DIGITS: Final = re.compile(r"\d+")
_NEVER: Final = (datetime.min, "")


@dataclass(frozen=True, slots=True)
class CaptureVerdict:
    """A capture that counts, or that failed; ``reading`` is None for one that was found good before and stays so.

    ``row`` is what the table ``captures`` says of one that was read.
    """

    dump: Dump
    reading: Reading | None = None
    row: Row | None = None

    @property
    def error(self) -> str | None:
        """Why the capture cannot be used; None for a good one."""
        return self.reading.error if self.reading is not None else None

    @property
    def feeds(self) -> bool:
        """True if rows of the capture are to be published."""
        return self.reading is None or self.reading.feeds


class Worklist:
    """The captures of a source to judge, one after another: ``next`` names one, ``done`` takes its verdict.

    What comes next depends on the verdicts: a page whose newer captures all failed goes on with its older ones, newest
    first, each against the published data, until one is good.
    """

    def __init__(self, kind: PageKind, dumps: Iterable[Dump], captures: pl.DataFrame) -> None:
        """``captures`` are those of the source that the last snapshot knows."""
        self._kind, self._dumps, self._captures = kind, sorted(dumps, key=_place), captures
        self._verdicts: dict[str, CaptureVerdict] = {}
        self._order = self._by_time() if kind is PageKind.LOG else self._by_page()
        self._last: tuple[datetime, str] | None = None

    def first(self) -> list[Dump]:
        """Return the captures that are judged if all of them are good."""
        if self._kind is PageKind.LOG:
            return self._dumps
        first = list[Dump]()
        for page, captures in self._pages.items():
            newest = self._past_of(page).newest
            first += [dump for dump in captures if newest is None or _place(dump) > newest.order] or captures[-1:]
        return first

    def next(self) -> Dump | None:
        """Return the next capture to judge; None at the end."""
        return next(self._order, None)

    def baseline(self, dump: Dump) -> Baseline:
        """Return what the capture that was named last is judged against.

        An older capture of a page whose newer ones failed is judged at the place of its newest good one.
        """
        baseline = self._past_of(dump.page).baseline(dump, self._last)
        return (
            replace(baseline, of_source=self._of_source.good_before(dump)) if self._kind is PageKind.LOG else baseline
        )

    def done(self, verdict: CaptureVerdict) -> None:
        """Take the verdict on the capture that was named last."""
        self._verdicts[verdict.dump.path] = verdict
        if self._last is None and verdict.row is not None and verdict.error is None:
            known = GoodCapture(verdict.row)
            self._past_of(verdict.dump.page).add(known)
            if self._kind is PageKind.LOG:  # there a page can repeat another one
                self._of_source.add(known)

    def verdicts(self) -> list[CaptureVerdict]:
        """Return the captures that feed the source and those that failed since, sorted by path."""
        return sorted(self._verdicts.values(), key=lambda verdict: verdict.dump.path)

    def _by_time(self) -> Iterator[Dump]:
        """Yield the captures of all pages together, in the order they were taken."""
        yield from self._dumps

    def _by_page(self) -> Iterator[Dump]:
        """Yield the captures of each page that are newer than its last good one, then older ones until one is good."""
        for page, captures in self._pages.items():
            newest = self._past_of(page).newest
            older = [dump for dump in captures if newest is not None and _place(dump) <= newest.order]
            since, found = list[str](), False
            for dump in captures[len(older) :]:
                yield dump
                if self._verdicts[dump.path].error is None:
                    for path in since:
                        del self._verdicts[path]
                    since, found = [], True
                since.append(dump.path)
            self._last = newest.order if newest is not None else None
            for dump in reversed(older) if not found else ():
                yield dump
                if self._verdicts[dump.path].error is None:
                    break
            self._last = None

    @cached_property
    def _pages(self) -> dict[str, list[Dump]]:
        """The captures by page, in their order."""
        pages: dict[str, list[Dump]] = defaultdict(list)
        for dump in self._dumps:
            pages[dump.page].append(dump)
        return pages

    @cached_property
    def _past(self) -> dict[str, PageHistory]:
        """The good captures that are known, by page."""
        return recall(self._captures)

    @cached_property
    def _of_source(self) -> PageHistory:
        """The good captures of all pages together."""
        return PageHistory(known for page in self._past.values() for known in page.known)

    def _past_of(self, page: str) -> PageHistory:
        """Return the good captures of a page."""
        return self._past.setdefault(page, PageHistory(()))


def mark_superseded(
    kind: PageKind, verdicts: Sequence[CaptureVerdict], known: Collection[tuple[str, str | None, str]]
) -> list[CaptureVerdict]:
    """Mark as superseded the failures ``known`` from the last run whose page has a newer capture that is good or waits.

    On a log page a bad capture is part of every later run: it must not turn all of them red. Where each day has a page
    of its own the list of another day is a newer capture.
    """
    newest: dict[str, tuple[datetime, str]] = {}
    for verdict in verdicts:
        if verdict.error is None or (verdict.reading is not None and verdict.reading.waits):
            page, place = listed_as(kind, verdict.dump.page), _place(verdict.dump)
            newest[page] = max(newest.get(page, place), place)
    return [
        replace(verdict, reading=replace(reading, superseded=True))
        if (reading := verdict.reading) is not None
        and reading.fails
        and (reading.dump.path, reading.sha256, reading.error) in known
        and newest.get(listed_as(kind, reading.dump.page), _NEVER) > _place(reading.dump)
        else verdict
        for verdict in verdicts
    ]


@lru_cache(maxsize=4096)  # each capture is compared with the last two hundred
def listed_as(kind: PageKind, page: str) -> str:
    """Return a page, without its digits on a log: pages that differ in the day alone are one list."""
    return _DIGITS.sub("", page) if kind is PageKind.LOG else page


def _place(dump: Dump) -> tuple[datetime, str]:
    """Return the sort key of a capture: capture time, then path."""
    return capture_order(dump.facts.captured_at, dump.path)
