"""Advice after a run: for each failed source, where it failed and the next command.

These lines are printed last, where someone woken by a red run looks first. A line ``next:`` is a command that works as
it is printed, from any folder. Nothing is run or changed here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from shlex import quote
from typing import TYPE_CHECKING, Final

from parsers._registry import companions_of, sources
from pipeline.base.escape import in_one_line
from pipeline.base.settings import Settings
from pipeline.base.signals import SIGNALS, Next, Policy, Sign
from pipeline.merging.outcome import Outcome
from pipeline.raw.dump import companions_beside
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from pipeline.reading.read import Reading
from pipeline.refusing.misfiled import HINT, IT_IS

if TYPE_CHECKING:
    from pipeline.run.refresh import Result

_MOST: Final = 5
"""Maximum number of failures listed one by one."""

LOOK: Final = "attention"
"""How a line on what a person should look at begins."""

_SHOWN: Final = 240
"""Characters of an error in a line that says what to do; the full text stands further up, or in the quarantine."""

_UNREAD: Final = frozenset(
    "bad_bundle bad_sidecar bad_table decode_error empty_dump nul_byte too_large unreadable".split()
)
"""Reasons of dumps that have no lines to show."""


def next_steps(result: "Result") -> list[str]:
    """Return the closing lines of a run; empty if there is nothing to do and nothing to look at."""
    settings = result.settings
    looked = (outcome for outcome in result.outcomes if outcome.error is None)
    amber = [in_one_line(line) for outcome in looked for line in _of_amber(outcome, settings)]
    blocks = [*_of_rest(result), *(found for outcome in result.outcomes if (found := steps_of(outcome, settings)))]
    left_out = [block[0].removeprefix("red: ").partition(":")[0] for block in blocks[:-_MOST]]
    more = [f"red: and {len(left_out)} more, listed above: {', '.join(left_out)}"] if left_out else []
    lines = [*amber, *more, *(in_one_line(line) for block in blocks[-_MOST:] for line in block)]
    # A command that several of them need stands behind the last one.
    last = {line: place for place, line in enumerate(lines)}
    return [line for place, line in enumerate(lines) if last[line] == place]


def told_by_source(result: "Result") -> dict[str, list[str]]:
    """Return the lines on what is red or amber, by source; those on the rest by the empty name."""
    told = {"": [in_one_line(line) for block in _of_rest(result) for line in block]}
    return told | {outcome.source: told_of(outcome, result.settings) for outcome in result.outcomes}


def told_of(outcome: Outcome, settings: Settings) -> list[str]:
    """Return the lines on what is red or amber of one source, and the next commands."""
    amber = (f"{LOOK}: {outcome.source}: {sign.detail}" for sign in outcome.looks)
    shown = () if outcome.error is not None else _of_amber(outcome, settings)
    return [*map(in_one_line, (*amber, *shown)), *steps_of(outcome, settings)]


def _of_rest(result: "Result") -> Iterator[list[str]]:
    """Yield the lines on each failure outside of the sources."""
    settings = result.settings
    pages = [page for outcome in result.outcomes for page in outcome.unreached.values()]
    for failure in result.failures:
        if failure in result.publication.failures:  # of works, which the next run tries to make again
            yield [f"red: {failure}", f"next: conspectus refresh {settings.roots}"]
        else:
            yield list(_of_failure(failure, pages, settings))
    for path, why in result.unknown.items():
        yield list(_of_unclaimed(path, why, settings))
    for lost in result.repairs.lost:
        yield [f"red: {lost}", f"next: conspectus verify {settings.roots}"]


def steps_of(outcome: Outcome, settings: Settings) -> list[str]:
    """Return what to do about one source: nothing where it is good."""
    return [in_one_line(line) for line in _of_source(outcome, settings)]


def accept_line(reading: Reading, settings: Settings) -> str | None:
    """Return the command that says what accepting a capture would do, if all that rejects it may be wrong.

    None for all others: a captcha, an empty page or one that is mostly unexplained contains nothing to accept.
    """
    guards = guards_of(reading)
    if not guards or any(SIGNALS[guard].then is not Next.ACCEPT for guard in guards):
        return None
    return _command(Next.ACCEPT, settings, file=_file_of(reading.dump.path, settings), signal=" ".join(guards))


def guards_of(reading: Reading) -> list[str]:
    """Return the guards that reject a capture."""
    return [sign.signal for sign in reading.signs if sign.does is Policy.FAIL]


def _of_amber(outcome: Outcome, settings: Settings) -> list[str]:
    """Return the commands for what a person should look at, each once: lines that were not read before changes."""
    readings = {reading.dump.path: reading for reading in outcome.readings}
    found: dict[Next, dict[str, None]] = {then: {} for then in Next}
    for sign in outcome.looks:
        then = _next_of(sign)
        if then is Next.ACCEPT and (reading := readings.get(sign.dump or "")) is not None:
            line = accept_line(reading, settings)
        else:
            file = _file_of(sign.dump or "", settings)
            line = _command(then, settings, source=outcome.source, file=file, line=sign.line)
        found[then] |= {line: None} if line else {}
    return [line for lines in found.values() for line in islice(lines, _MOST)]


def _next_of(sign: Sign) -> Next:
    """Return the command for a sign: one without a place is told by the changes."""
    then = SIGNALS[sign.signal].then
    return Next.CHANGES if then is Next.EXPLAIN and sign.line is None else then


def _command(then: Next, settings: Settings, **names: object) -> str:
    """Return the line with a command that works from anywhere."""
    return f"next: conspectus {then.format(**names)} {settings.roots}"


def _by_page(readings: Iterable[Reading]) -> list[list[Reading]]:
    """Return readings by page, newest first, the pages by their newest reading."""
    pages: dict[str, list[Reading]] = {}
    for reading in sorted(readings, key=lambda each: each.dump.facts.captured_at or datetime.min, reverse=True):
        pages.setdefault(reading.dump.page, []).append(reading)
    return list(pages.values())


def _file_of(path: str, settings: Settings) -> str:
    """Return a file below the raw root, from anywhere, quoted for a shell."""
    return quote(str(settings.raw / path))


def _of_source(outcome: Outcome, settings: Settings) -> Iterator[str]:
    """Yield the lines on a source that failed partly or wholly."""
    failed = [reading for reading in outcome.readings if reading.fails]
    if not failed:
        if outcome.error is None:
            return
        yield f"red: {outcome.source}: {outcome.error.removeprefix(f'{outcome.source}: ')}"
        then = next((SIGNALS[sign.signal].then for sign in outcome.signs if sign.does is Policy.FAIL), Next.STATUS)
        yield _command(then, settings, source=outcome.source)
        return
    pages = _by_page(failed)
    for newest, *older in pages[:_MOST]:
        yield from _of_page(newest, older, settings)
    if names := [newest.dump.page for newest, *_ in pages[_MOST:]]:
        yield f"red: {outcome.source}: and {len(names)} more of its pages: {', '.join(names)}"
    yield f"next: conspectus quarantine {outcome.source} {settings.roots}"


def _of_page(newest: Reading, older: Sequence[Reading], settings: Settings) -> Iterator[str]:
    """Yield the lines on a page whose newest captures failed: what is wrong, from where, since when, what to do."""
    error, path, page = newest.error or "", newest.dump.path, newest.dump.page
    origin = f", from {page}" if "://" in page else ""
    times = [each.dump.facts.captured_at for each in older if each.dump.facts.captured_at is not None]
    since = f", since {min(times):%Y-%m-%d}" if times else ""
    yield f"red: {newest.dump.source}: {short(error)}{origin}{f' (and {len(older)} older{since})' if older else ''}"
    if HINT in error:
        yield _move(path, error, settings)
        return
    if not _UNREAD & set(newest.by_reason):
        yield _command(Next.LINES, settings, file=_file_of(path, settings))
    yield from filter(None, [accept_line(newest, settings)])


def _of_failure(failure: str, pages: Iterable[Mapping[str, str]], settings: Settings) -> Iterator[str]:
    """Yield the lines on what failed beside the dumps: a page that could not be fetched, a source that died."""
    source, _, why = failure.partition(": ")
    is_page = re.match(r"\S+: ", why) is not None
    since = next((f", since {page['since']}" for page in pages if why == f"{page['url']}: {page['why']}"), "")
    yield f"red: {short(failure)}{since}"
    if source.isidentifier():
        yield f"next: conspectus {'status' if is_page else 'refresh'} {source} {settings.roots}"


def _of_unclaimed(path: str, why: str, settings: Settings) -> Iterator[str]:
    """Yield the lines on a file that no source claims."""
    yield f"red: {path}: {short(why)}"
    yield _move(path, why, settings)


def _move(path: str, error: str, settings: Settings) -> str:
    """Return the command that moves a dump to the folder of the only source that it looks like.

    Its sidecar goes with it, and what that source takes for its companions.

    If it looks like several or none, the one that says what it is.
    """
    _, hint, names = error.rpartition(HINT)
    if not hint or " or " in names:
        return _command(Next.LINES, settings, file=_file_of(path, settings))
    source = names.split(" ", maxsplit=1)[0]
    folder = _file_of(str(PurePosixPath(source, *PurePosixPath(path).parts[1:-1])), settings)
    companions = companions_beside(path, settings.raw / path, companions_of(source)) if source in sources() else ()
    files = (path, f"{path}{SIDECAR_SUFFIX}", *(each for each, _ in companions))
    there = (each for each in files if (settings.raw / each).exists())
    return f"next: mkdir -p {folder} && mv -n {' '.join(_file_of(each, settings) for each in there)} {folder}/"


def short(error: str) -> str:
    """Return an error in a line; of a dump that is not of its source it says what that is, if known, and no more.

    Any other long error loses its middle: place and reason come first, hints last.
    """
    before, found, what = error.rpartition(IT_IS)
    if found:
        error = f"{before.partition(': expected ')[0]}: it is {what}"
    half = _SHOWN // 2
    return error if len(error) <= _SHOWN else f"{error[:half].rstrip()} .. {error[-half:].lstrip()}"
