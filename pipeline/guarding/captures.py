"""Selects the captures of a source to read, and the earlier captures that each is judged against.

On a log page every capture counts, on a state page the newest good one. Captures are judged in the order they were
taken, each against the good ones before it, so that rereading an archive gives the same result as the nightly runs
that built it. Reading a capture and the guards belong to other modules.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from parsers._contract import PageKind
from pipeline.guarding.baseline import Baseline, GoodCapture, PageHistory, capture_order
from pipeline.raw.inventory import Dump
from pipeline.reading.read import Reading

ReadCapture = Callable[[Dump, Baseline], Reading]

_NEVER: Final = (datetime.min, "")


def select_readings(
    kind: PageKind, dumps: Iterable[Dump], past: Mapping[str, PageHistory], reader: ReadCapture
) -> list[Reading]:
    """Return the readings that feed a source and those that failed, sorted by path."""
    ordered = sorted(dumps, key=_place)
    readings = _select_log(ordered, past, reader) if kind is PageKind.LOG else _select_states(ordered, past, reader)
    return sorted(readings, key=lambda reading: reading.dump.path)


def asked_first(kind: PageKind, dumps: Iterable[Dump], past: Mapping[str, PageHistory]) -> list[Dump]:
    """Return the captures that ``select_readings`` reads if all of them are good."""
    if kind is PageKind.LOG:
        return list(dumps)
    asked = []
    for page, captures in _by_page(sorted(dumps, key=_place)).items():
        newest = past[page].newest if page in past else None
        asked += [dump for dump in captures if newest is None or _place(dump) > newest.order] or captures[-1:]
    return asked


def _select_log(captures: Sequence[Dump], past: Mapping[str, PageHistory], reader: ReadCapture) -> list[Reading]:
    """Read the captures of all pages together, in the order they were taken: a page can repeat another one."""
    pages = defaultdict(lambda: PageHistory(()), past)
    all_pages = PageHistory(known for page in past.values() for known in page.known)
    readings = []
    for dump in captures:
        page = pages[dump.page]
        readings.append(reader(dump, replace(page.baseline(dump), beside=all_pages.beside(dump))))
        _remember(page, readings[-1])
        _remember(all_pages, readings[-1])
    return readings


def _select_states(captures: Sequence[Dump], past: Mapping[str, PageHistory], reader: ReadCapture) -> list[Reading]:
    """Read the captures that count, page by page."""
    return [
        reading
        for page, dumps in _by_page(captures).items()
        for reading in _select_state(dumps, past.get(page, PageHistory(())), reader)
    ]


def _by_page(captures: Iterable[Dump]) -> dict[str, list[Dump]]:
    """Group captures by page, keeping their order."""
    pages: dict[str, list[Dump]] = defaultdict(list)
    for dump in captures:
        pages[dump.page].append(dump)
    return pages


def _select_state(captures: Sequence[Dump], past: PageHistory, reader: ReadCapture) -> list[Reading]:
    """Read the captures of a page newer than its last good one; return the newest good one and the failures after it.

    If all of them fail, the older captures are read, newest first, each against the published data, until one is good.
    """
    newest = past.newest
    failed: list[Reading] = []
    good: Reading | None = None
    older = [dump for dump in captures if newest and _place(dump) <= newest.order]
    for dump in captures[len(older) :]:
        reading = reader(dump, past.baseline(dump))
        _remember(past, reading)
        good, failed = (reading, []) if reading.error is None else (good, [*failed, reading])
    for dump in reversed(older):
        if good is not None:
            break
        reading = reader(dump, past.baseline(dump, newest.order if newest else None))
        good, failed = (reading, failed) if reading.error is None else (None, [*failed, reading])
    return [*failed, *([good] if good else [])]


def mark_superseded(readings: Sequence[Reading], known: Collection[tuple[str, str | None, str]]) -> list[Reading]:
    """Mark as superseded the failures ``known`` from the last run whose page has a newer good capture.

    On a log page a bad capture is part of every later run: it must not turn all of them red.
    """
    newest: dict[str, tuple[datetime, str]] = {}
    for reading in readings:
        if reading.error is None:
            page, place = reading.dump.page, _place(reading.dump)
            newest[page] = max(newest.get(page, place), place)
    return [
        replace(reading, superseded=True)
        if reading.error is not None
        and (reading.dump.path, reading.sha256, reading.error) in known
        and newest.get(reading.dump.page, _NEVER) > _place(reading.dump)
        else reading
        for reading in readings
    ]


def _place(dump: Dump) -> tuple[datetime, str]:
    """Return the sort key of a capture: capture time, then path."""
    return capture_order(dump.facts.captured_at, dump.path)


def _remember(past: PageHistory, reading: Reading) -> None:
    """Add a good capture to the past that later ones are judged against."""
    dump = reading.dump
    if reading.error is None:
        past.add(GoodCapture(dump.path, dump.page, reading.sha256, dump.facts.captured_at, reading.measure))
