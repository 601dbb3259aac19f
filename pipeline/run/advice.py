"""Advice after a run: for each failed source, where it failed and the next command, ready to paste.

These lines are printed last, where someone woken by a red run looks first. Nothing is run or changed here.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import Final

from pipeline.base.escape import in_one_line
from pipeline.base.guard_settings import GUARD_NAMES
from pipeline.base.settings import resolve_out
from pipeline.guarding.guards import REASONS_OF
from pipeline.merging.outcome import Outcome
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from pipeline.reading.read import Reading
from pipeline.refusing.misfiled import HINT
from pipeline.run.refresh import Result
from pipeline.run.source import NEWER_CODE

_MOST: Final = 5
"""Maximum number of failures listed one by one."""

_SHOWN: Final = 240
"""Characters of an error repeated here; the full text is printed further up."""

_ACCEPTED: Final = frozenset(
    {"other_year", "other_event", "language", "cut", "drop", "replaced", "lost", "spoilt", "shifted", "stale", "layout"}
)
"""Guards that only compare, with the past or with the usual end: what they reject may be right."""

_UNREAD: Final = frozenset("bad_sidecar bad_table decode_error empty_dump nul_byte too_large unreadable".split())
"""Reasons of dumps that have no lines to show."""

_AT: Final = re.compile(r"line (?P<line>\d+), ")
"""The beginning of what a reading says about a line that was not read."""

_GUARD_OF: Final = {reason: guard for guard, reason in REASONS_OF.items()}


def next_steps(result: Result, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the closing lines of a run; empty if there is nothing to do and nothing to look at."""
    out = result.publication.folder.parent.parent
    option = _option(out, environment)
    looked = (outcome for outcome in result.outcomes if outcome.attention and outcome.error is None)
    amber = [in_one_line(line) for outcome in looked for line in _of_amber(outcome, result.raw, option)]
    blocks = [list(_of_failure(failure)) for failure in result.failures]
    blocks += [list(_of_unclaimed(path, why, result.raw)) for path, why in result.unknown.items()]
    blocks += [[f"red: {lost}", f"next: conspectus verify {quote(shown(out))}"] for lost in result.repairs.lost]
    blocks += [found for outcome in result.outcomes if (found := steps_of(outcome, result.raw, out, environment))]
    left_out = [block[0].removeprefix("red: ").partition(":")[0] for block in blocks[:-_MOST]]
    more = [f"red: and {len(left_out)} more, listed above: {', '.join(left_out)}"] if left_out else []
    return [*amber, *more, *(in_one_line(line) for block in blocks[-_MOST:] for line in block)]


def steps_of(outcome: Outcome, raw: Path | None, out: Path, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return what to do about one source: nothing where it is good."""
    return [in_one_line(line) for line in _of_source(outcome, raw, _option(out, environment))]


def _option(out: Path, environment: Mapping[str, str]) -> str:
    """Return the option that names the out root, with a blank before it; empty if it need not be named."""
    return "" if resolve_out(environment) == out else f" --out {quote(shown(out))}"


def shown(path: Path) -> str:
    """Return a path as a person would type it: relative if it is below the working directory.

    Services run in the root directory, where nobody will paste it: there it stays absolute.
    """
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) and here.parent != here else str(path)


def accept_line(reading: Reading, file: str) -> str | None:
    """Return the line on how to accept a capture that is held back only because it differs from others.

    None for all others: a captcha, an empty page or one that is mostly unexplained contains nothing to accept.
    """
    guards = [guard for reason in reading.by_reason if (guard := _GUARD_OF.get(reason))]
    guards += [guard for guard in GUARD_NAMES if f"; {guard}: " in (reading.error or "") and guard not in guards]
    if not guards or not set(guards) <= _ACCEPTED:
        return None
    names = ", ".join(f'"{guard}"' for guard in guards)
    what = f"its {reading.measure.records} records" if reading.measure.records != 1 else "its one record"
    return f"next: if the page is right as it is, accept = [{names}] in {file}{SIDECAR_SUFFIX} publishes {what}"


def _of_amber(outcome: Outcome, raw: Path | None, option: str) -> Iterator[str]:
    """Yield the commands that show what a person should look at: lines that were not read, then what has changed."""
    unread = [
        (reading, found) for reading in outcome.readings for each in reading.attention if (found := _AT.match(each))
    ]
    for reading, found in unread[:_MOST]:
        yield f"{_show_lines(reading, raw)} | grep -C 3 '^ *{found['line']} '"
    waiting = [newest for newest, *_ in _by_page(reading for reading in outcome.readings if reading.waits)]
    for reading in waiting[:_MOST]:
        yield from filter(None, [accept_line(reading, _file_of(reading, raw))])
    if len(outcome.attention) > len(unread) + len(waiting):
        yield f"next: conspectus changes {outcome.source}{option}"


def _by_page(readings: Iterable[Reading]) -> list[list[Reading]]:
    """Return readings by page, newest first, the pages by their newest reading."""
    pages: dict[str, list[Reading]] = {}
    for reading in sorted(readings, key=lambda each: each.dump.facts.captured_at or datetime.min, reverse=True):
        pages.setdefault(reading.dump.page, []).append(reading)
    return list(pages.values())


def _file_of(reading: Reading, raw: Path | None) -> str:
    """Return the path of a dump as a person would type it."""
    return reading.dump.path if raw is None else shown(raw / reading.dump.path)


def _show_lines(reading: Reading, raw: Path | None) -> str:
    """Return the command that shows what became of the lines of a dump."""
    deep = reading.dump.path.count("/") > 1  # the parent folder then does not name the source
    source = f" --source {reading.dump.source}" if deep else ""
    return f"next: conspectus parse {quote(_file_of(reading, raw))}{source} --lines"


def _of_source(outcome: Outcome, raw: Path | None, option: str) -> Iterator[str]:
    """Yield the lines on a source that failed partly or wholly."""
    failed = [reading for reading in outcome.readings if reading.fails]
    if not failed:
        if outcome.error is not None:
            yield f"red: {outcome.source}: {outcome.error.removeprefix(f'{outcome.source}: ')}"
            if not outcome.readings:
                command = f"conspectus refresh --withdrawn {outcome.source}{option}"
                yield f"next: if its dumps were removed on purpose, {command}"
                return
            again = NEWER_CODE in outcome.error
            yield f"next: conspectus {'replay' if again else 'status'} {outcome.source}{option}"
        return
    pages = _by_page(failed)
    for newest, *older in pages[:_MOST]:
        yield from _of_page(newest, older, raw)
    if names := [newest.dump.page for newest, *_ in pages[_MOST:]]:
        yield f"red: {outcome.source}: and {len(names)} more of its pages: {', '.join(names)}"
    yield f"next: conspectus quarantine {outcome.source}{option}"


def _of_page(newest: Reading, older: Sequence[Reading], raw: Path | None) -> Iterator[str]:
    """Yield the lines on a page whose newest captures failed: what is wrong, from where, since when, what to do."""
    error, file, page = newest.error or "", _file_of(newest, raw), newest.dump.page
    origin = f", from {page}" if "://" in page else ""
    times = [each.dump.facts.captured_at for each in older if each.dump.facts.captured_at is not None]
    since = f", since {min(times):%Y-%m-%d}" if times else ""
    yield f"red: {newest.dump.source}: {_short(error)}{origin}{f' (and {len(older)} older{since})' if older else ''}"
    if HINT in error:
        yield f"next: if that is right, {_move(file, newest.dump.source, error.rpartition(HINT)[2])}"
        return
    if not _UNREAD & set(newest.by_reason):
        yield _show_lines(newest, raw)
    if (accept := accept_line(newest, file)) is not None:
        yield accept


def _of_failure(failure: str) -> Iterator[str]:
    """Yield the lines on what failed beside the dumps: a page that could not be fetched, a source that died."""
    yield f"red: {_short(failure)}"
    source, _, why = failure.partition(": ")
    if source.isidentifier():
        yield f"next: conspectus {'fetch' if '://' in why else 'refresh'} {source}"


def _of_unclaimed(path: str, why: str, raw: Path | None) -> Iterator[str]:
    """Yield the lines on a file that no source claims."""
    yield f"red: {path}: {_short(why)}"
    file = path if raw is None else shown(raw / path)
    yield f"next: move {quote(file)} to the folder of its source or out of the raw root"


def _move(file: str, source: str, hint: str) -> str:
    """Return the command that moves a misplaced dump, and its sidecar, to the folder of the source it looks like."""
    before, folder, _ = file.rpartition(f"{source}/")
    if not folder or " or " in hint:
        return f"move {quote(file)} to the folder of its source"
    target = f"{before}{hint.split(' ', maxsplit=1)[0]}/"
    make = "" if Path(target).is_dir() else f"mkdir {quote(target)} && "
    files = [each for each in (file, f"{file}{SIDECAR_SUFFIX}") if Path(each).exists()]
    return f"{make}mv {' '.join(map(quote, files))} {quote(target)}"


def _short(error: str) -> str:
    """Shorten a long error by cutting out its middle: place and reason come first, hints last."""
    half = _SHOWN // 2
    return error if len(error) <= _SHOWN else f"{error[:half].rstrip()} .. {error[-half:].lstrip()}"
