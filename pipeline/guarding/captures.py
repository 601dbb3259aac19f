"""Selects the captures of a source to read, and the earlier captures that each is judged against.

On a log page every capture counts, on a state page the newest good one. Captures are judged in the order they were
taken, each against the good ones before it, so that rereading an archive gives the same result as the nightly runs
that built it. One that was found good stays good while its bytes, its sidecar and the code that reads it are the same:
it is not read again. Reading a capture and the guards belong to other modules.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from parsers._contract import PageKind
from pipeline.guarding.baseline import Baseline, GoodCapture, PageHistory, capture_order
from pipeline.publishing.captures import row_of
from pipeline.raw.inventory import Dump
from pipeline.reading.read import Reading

ReadCapture = Callable[[Dump, Baseline], Reading]
IsKnown = Callable[[Dump], bool]
"""True for a capture that was found good and is the same."""
Recall = Callable[[], Mapping[str, PageHistory]]
"""The good captures of a source by page, made only where they are needed."""

_DIGITS: Final = re.compile(r"\d+")
_NEVER: Final = (datetime.min, "")


@dataclass(frozen=True, slots=True)
class CaptureVerdict:
    """A capture that counts, or that failed; ``reading`` is None for one that was found good before and stays so."""

    dump: Dump
    reading: Reading | None = None

    @property
    def error(self) -> str | None:
        """Why the capture cannot be used; None for a good one."""
        return self.reading.error if self.reading is not None else None

    @property
    def feeds(self) -> bool:
        """True if rows of the capture are to be published."""
        return self.reading is None or self.reading.feeds


def judge_captures(
    kind: PageKind, dumps: Iterable[Dump], recall: Recall, is_known: IsKnown, read: ReadCapture
) -> list[CaptureVerdict]:
    """Return the captures that feed a source and those that failed, sorted by path."""
    if kind is PageKind.LOG and all(map(is_known, dumps := list(dumps))):
        return [CaptureVerdict(dump) for dump in sorted(dumps, key=lambda dump: dump.path)]
    ordered, past = sorted(dumps, key=_place), recall()

    def judge(dump: Dump, baseline: Callable[[], Baseline]) -> CaptureVerdict:
        return CaptureVerdict(dump) if is_known(dump) else CaptureVerdict(dump, read(dump, baseline()))

    found = _judge_log(ordered, past, judge) if kind is PageKind.LOG else _judge_states(ordered, past, judge)
    return sorted(found, key=lambda verdict: verdict.dump.path)


_Judge = Callable[[Dump, Callable[[], Baseline]], CaptureVerdict]


def asked_first(kind: PageKind, dumps: Iterable[Dump], recall: Recall, is_known: IsKnown) -> list[Dump]:
    """Return the captures that ``judge_captures`` reads if all of them are good."""
    if kind is PageKind.LOG:
        return [dump for dump in dumps if not is_known(dump)]
    asked, past = list[Dump](), recall()
    for page, captures in _by_page(sorted(dumps, key=_place)).items():
        newest = past[page].newest if page in past else None
        asked += [dump for dump in captures if newest is None or _place(dump) > newest.order] or captures[-1:]
    return [dump for dump in asked if not is_known(dump)]


def _judge_log(captures: Sequence[Dump], past: Mapping[str, PageHistory], judge: _Judge) -> Iterator[CaptureVerdict]:
    """Judge the captures of all pages together, in the order they were taken: a page can repeat another one."""
    pages = defaultdict(lambda: PageHistory(()), past)
    all_pages = PageHistory(known for page in past.values() for known in page.known)
    for dump in captures:
        page = pages[dump.page]
        verdict = judge(dump, lambda: replace(page.baseline(dump), beside=all_pages.beside(dump)))  # noqa: B023  # called at once
        _remember(page, verdict)
        _remember(all_pages, verdict)
        yield verdict


def _judge_states(captures: Sequence[Dump], past: Mapping[str, PageHistory], judge: _Judge) -> Iterator[CaptureVerdict]:
    """Judge the captures that count, page by page."""
    for page, dumps in _by_page(captures).items():
        yield from _judge_state(dumps, past.get(page, PageHistory(())), judge)


def _by_page(captures: Iterable[Dump]) -> dict[str, list[Dump]]:
    """Group captures by page, keeping their order."""
    pages: dict[str, list[Dump]] = defaultdict(list)
    for dump in captures:
        pages[dump.page].append(dump)
    return pages


def _judge_state(captures: Sequence[Dump], past: PageHistory, judge: _Judge) -> list[CaptureVerdict]:
    """Judge the captures of a page newer than its last good one; return the newest good one and the failures after it.

    If all of them fail, the older captures are judged, newest first, each against the published data, until one is
    good.
    """
    newest = past.newest
    failed: list[CaptureVerdict] = []
    good: CaptureVerdict | None = None
    older = [dump for dump in captures if newest and _place(dump) <= newest.order]
    for dump in captures[len(older) :]:
        verdict = judge(dump, lambda: past.baseline(dump))  # noqa: B023  # called at once
        _remember(past, verdict)
        good, failed = (verdict, []) if verdict.error is None else (good, [*failed, verdict])
    for dump in reversed(older):
        if good is not None:
            break
        verdict = judge(dump, lambda: past.baseline(dump, newest.order if newest else None))  # noqa: B023  # as above
        good, failed = (verdict, failed) if verdict.error is None else (None, [*failed, verdict])
    return [*failed, *([good] if good else [])]


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
            page, place = _list_of(kind, verdict.dump), _place(verdict.dump)
            newest[page] = max(newest.get(page, place), place)
    return [
        replace(verdict, reading=replace(reading, superseded=True))
        if (reading := verdict.reading) is not None
        and reading.error is not None
        and (reading.dump.path, reading.sha256, reading.error) in known
        and newest.get(_list_of(kind, reading.dump), _NEVER) > _place(reading.dump)
        else verdict
        for verdict in verdicts
    ]


def _list_of(kind: PageKind, dump: Dump) -> str:
    """Return the page of a capture, without digits where pages of one list differ in the day."""
    return _DIGITS.sub("", dump.page) if kind is PageKind.LOG else dump.page


def _place(dump: Dump) -> tuple[datetime, str]:
    """Return the sort key of a capture: capture time, then path."""
    return capture_order(dump.facts.captured_at, dump.path)


def _remember(past: PageHistory, verdict: CaptureVerdict) -> None:
    """Add a new good capture to the past that later ones are judged against."""
    if verdict.reading is not None and verdict.error is None:
        past.add(GoodCapture(row_of(verdict.reading, None, feeds=True)))
