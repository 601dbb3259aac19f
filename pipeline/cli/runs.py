"""The commands that do the nightly work: ``fetch``, ``refresh``, ``replay``. From parsed options to an exit code.

Records and tables go to standard output, progress and messages to standard error. The work itself belongs to the
stages; modules for the web are imported only when needed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any, Final

import polars as pl

from pipeline.base.settings import Settings, UsageError, resolve_settings
from pipeline.cli.console import out, out_json, print_table, progress, say
from pipeline.cli.objects import describe_failure, describe_result
from pipeline.cli.site import build_after
from pipeline.config import Config, configure, find_config, resolve_config
from pipeline.notify import send
from pipeline.publishing.lock import BusyError
from pipeline.publishing.publish import PublishError
from pipeline.publishing.store import StoreError
from pipeline.run.advice import next_steps
from pipeline.run.refresh import Result
from pipeline.run.refresh import refresh as run_refresh
from pipeline.run.replay import replay as run_replay
from pipeline.run.shard import read_shard as run_read_shard
from pipeline.run.summary import HEADER, amber_lines, as_lines, messages, publication_line, summary_rows

BUSY: Final = 3
"""Exit code of a run that did not wait for another one to end."""

SAMPLES: Final = 3
"""Maximum number of samples of each kind of difference; the table has all."""

_WORDS: Final = {"added": "added", "removed": "lost"}  # the dumps are the same, so the parser lost what is missing
_NONE: Final = "-"
_SHOWN: Final = 60
_BEFORE: Final = 20


def refresh(options: argparse.Namespace) -> int:
    """Refresh the named sources, or all: 0 all good, 1 something failed, 3 with ``--no-wait`` if another run is active.

    The hooks in ``sources.toml`` are called at the end. ``--quiet`` prints one line per source to look
    at if all is good, nothing without any; with ``--json`` always the object.
    """
    config = find_config(os.environ, options.known, options.config)
    try:
        good, amber, lines = _refresh(options, config)
    except BusyError as error:
        say(f"not refreshed: {error}")
        return BUSY
    except (PublishError, StoreError) as error:
        say(f"failed: {error}")
        if options.json:
            out_json(describe_failure(str(error)))
        build_after(_settle(options, config), config)  # the page of the night says so too
        good, amber, lines = False, False, [f"failed: {error}"]
    except UsageError as error:
        _tell(config, [f"failed: {error}"], good=False)
        raise
    _tell(config, lines, good=good, amber=amber)
    return 0 if good else 1


def _refresh(options: argparse.Namespace, config: Config | None) -> tuple[bool, bool, list[str]]:
    """Refresh, with ``--fetch`` after fetching, and print the result.

    Returns True if all is good, True if a person should look at something though, and the summary.
    """
    settings = _settle(options, config)
    plain = options.quiet or not sys.stderr.isatty()
    failures, fetched = list[str](), list[str]()
    with progress(plain=plain, quiet=options.quiet) as watch:
        if options.fetch:
            failures, fetched = _fetch(options, settings, watch)
            fetched = [line for line in fetched if not line.startswith("failed: ")]  # the summary has them
        result = run_refresh(
            settings,
            options.known,
            options.sources,
            watch,
            wait=not options.no_wait,
            again=options.again,
            withdrawn=options.withdrawn,
            audit=options.audit,
            failures=failures,
        )
    pages, problem = build_after(settings, config)
    good = result.good and problem is None
    if options.json:
        out_json(describe_result(result, good=good, fetched=fetched))
    elif good and options.quiet:
        for line in amber_lines(result):
            out(line)
    else:
        for line in fetched:
            out(line)
        show(result, plain=plain)
        for line in pages:
            out(line)
    if problem is not None:
        say(problem)
    return good, result.amber, [*fetched, *as_lines(result), *([problem] if problem else [])]


def fetch(options: argparse.Namespace) -> int:
    """Fetch new pages of the named sources, or all, into the raw root: 0 all good, 1 something failed.

    The hooks in ``sources.toml`` are called if something failed.
    """
    settings = resolve_settings(os.environ, raw=options.raw, out=options.out)
    with progress(plain=not sys.stderr.isatty(), quiet=options.quiet) as watch:
        failures, lines = _fetch(options, settings, watch)
    for line in () if options.quiet and not failures else lines:
        out(line)
    if failures:  # the next refresh reports what was fetched, but does not know what was not
        _tell(find_config(os.environ, options.known, options.config), lines, good=False, what="fetch")
    return 1 if failures else 0


def replay(options: argparse.Namespace) -> int:
    """Parse the archive again and show how the result differs from the published dataset, or publish it.

    0 if no record is lost or changed, no work lost, merged or split, and nothing failed, else 1; with ``--publish``
    the codes of a refresh.
    """
    config = find_config(os.environ, options.known, options.config)
    settings = _settle(options, config)
    plain = options.quiet or not sys.stderr.isatty()
    try:
        with progress(plain=plain, quiet=options.quiet) as watch:
            found = run_replay(
                settings, options.known, options.sources, since=options.since, publish=options.publish, watch=watch
            )
    except (PublishError, StoreError) as error:
        say(f"failed: {error}")
        return 1
    if options.json:
        sys.stdout.write(found.changes.write_ndjson())
    else:
        for line in (*difference_lines(found.changes), *work_lines(found.works or {})):
            out(line)
    if found.result is not None:
        if not (options.quiet and found.result.good):
            show(found.result, plain=plain)
        return 0 if found.result.good else 1
    compared, lost = [f"compared with {found.reference}"], found.lost
    if found.reference is None:
        compared, lost = (
            [],
            found.lost or (f"expected a published dataset below {settings.out} to compare with, found none",),
        )
    errors = [*(outcome.error for outcome in found.outcomes if outcome.error), *lost]
    if found.works is None and found.reference is not None:
        compared = [*compared, "works were not compared: the snapshot has no intact tables of them"]
    works = {change: len(titles) for change, titles in (found.works or {}).items() if titles}
    if options.quiet and not errors and found.changes.is_empty() and not works:
        return 0
    for line in (*compared, *found.reported, *(f"failed: {error}" for error in errors)):
        say(line)
    counts = "".join(f", {count} works {change}" for change, count in works.items())
    say(f"{found.changes.height} records differ{counts}; nothing was published (use --publish)")
    worse = (found.changes["change"] != "added").any() or bool(works)  # only a person can approve it
    return 1 if errors or worse else 0


def read(options: argparse.Namespace) -> int:
    """Read the dumps of one part of the archive into the cache: 0 all read, 1 some could not be read.

    May run alongside a refresh and other parts, here or on other machines that share the folders.
    """
    config = find_config(os.environ, options.known, options.config)
    settings = configure(resolve_settings(os.environ, raw=options.raw, out=options.out, engine=options.engine), config)
    with progress(plain=not sys.stderr.isatty(), quiet=options.quiet) as watch:
        found = run_read_shard(settings, options.known, options.sources, options.shard, watch)
    for line in (*(f"warning: {each}" for each in found.warnings), *(f"failed: {each}" for each in found.problems)):
        say(line)
    if found.problems or not options.quiet:
        out(f"read: {found.read} dumps; {len(found.problems)} could not be read")
    return 1 if found.problems else 0


def show(result: Result, *, plain: bool) -> None:
    """Print the result of a refresh as a table between messages, which are ``plain`` lines of a log or stand apart."""
    tell = out if plain else say
    for message in messages(result):
        tell(message)
    print_table(HEADER, summary_rows(result.outcomes))
    out(publication_line(result))
    sys.stdout.flush()  # next steps come last even if both streams go to one place
    for step in next_steps(result):
        tell(step)


def _settle(options: argparse.Namespace, config: Config | None) -> Settings:
    """Resolve roots, limits and guards."""
    settings = resolve_settings(os.environ, raw=options.raw, out=options.out, keep=options.keep, engine=options.engine)
    return configure(settings, config)


def _fetch(
    options: argparse.Namespace, settings: Settings, watch: Callable[[str], None]
) -> tuple[list[str], list[str]]:
    """Fetch; return what failed, and all messages."""
    from pipeline.fetching.fetch import fetch_named, load_targets  # noqa: PLC0415  # a run that does not fetch starts sooner

    config = load_targets(settings.raw, resolve_config(os.environ, options.config), options.known, options.sources)
    fetched = fetch_named(settings, config, options.known, options.sources, watch)
    return fetched.failures, fetched.lines()


def _tell(
    config: Config | None, lines: Sequence[str], *, good: bool, amber: bool = False, what: str = "refresh"
) -> None:
    """Call the notification hooks, and print a message for each that fails."""
    for problem in send(config.notify, good=good, amber=amber, lines=lines, what=what) if config else ():
        say(problem)


def difference_lines(changes: pl.DataFrame) -> Iterator[str]:
    """Yield the number of records added, lost and changed by source, changes also by column, with samples.

    ``changes`` is a table of changes, sorted by source and record.
    """
    for source in changes["source"].unique(maintain_order=True):
        rows = changes.filter(pl.col("source") == source)
        for change, word in _WORDS.items():
            found = rows.filter(pl.col("change") == change)
            if found.height:
                yield f"{source}: {found.height} {word}"
                yield from map(_title_of, found.head(SAMPLES).iter_rows(named=True))
        changed = rows.drop_nulls("values")
        if changed.height:
            yield f"{source}: {changed.height} changed"
            yield from _column_lines(source, changed)


def work_lines(works: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the number of works by what became of them, with the titles of some."""
    for change, titles in works.items():
        if titles:
            yield f"works: {len(titles)} {change}"
            yield from (f"    {_cut(title)}" for title in titles[:SAMPLES])


def _column_lines(source: str, changed: pl.DataFrame) -> Iterator[str]:
    """Yield the number of changed values by column, in order of first appearance, with samples.

    These begin shortly before the first difference.
    """
    values = changed.explode("values").unnest("values")
    for column in values["column"].unique(maintain_order=True):
        found = values.filter(pl.col("column") == column)
        yield f"{source}: {column} changed in {found.height}"
        for row in found.head(SAMPLES).iter_rows(named=True):
            same = sum(takewhile(bool, map(eq, row["before"] or "", row["after"] or "")))
            start = max(0, same - _BEFORE)
            old, new = (_NONE if text is None else _cut(text, start) for text in (row["before"], row["after"]))
            yield f"{_title_of(row)}: {column}: {old} -> {new}"


def _title_of(row: dict[str, Any]) -> str:
    """Return the line of a record: its id and the beginning of its title."""
    return f"    {row['record_id']}" + (f"  {_cut(row['title'])}" if row["title"] else "")


def _cut(text: str, start: int = 0) -> str:
    """Return the part of a text shown from ``start`` on, with an ellipsis at each cut."""
    end = start + _SHOWN
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"
