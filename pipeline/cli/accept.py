"""The command ``accept``: a person says that a capture is right as it is. What that publishes is said first."""

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Final

import polars as pl

from pipeline.base.settings import Settings, UsageError, expect_file, resolve_settings
from pipeline.base.signals import GUARD_NAMES
from pipeline.base.suggest import check_names
from pipeline.cli.console import out, say
from pipeline.config import configure, find_config
from pipeline.explaining.dumps import below
from pipeline.merging.outcome import Outcome
from pipeline.publishing.changes import CHANGE_TYPES, count_changes
from pipeline.raw.sidecar import add_accepted
from pipeline.reading.read import Reading
from pipeline.run.advice import guards_of
from pipeline.run.refresh import preview

_WORDS: Final = {"added": "adds", "removed": "removes", "moved": "moves", "changed": "changes", "retitled": "renames"}
_MOST: Final = 5
"""Columns that lose values, named one by one."""


def accept(options: argparse.Namespace) -> int:
    """Say what accepting a capture publishes and, without ``--dry-run``, write it into its sidecar.

    1 if the capture is rejected all the same. Raises ``UsageError`` where these guards do not reject it.
    """
    check_names("no such guard", options.guards, GUARD_NAMES)
    config = find_config(os.environ, options.known, options.config)
    settings = configure(resolve_settings(os.environ, raw=options.raw, out=options.out), config)
    file = expect_file(options.file)
    path = below(settings.raw, file)
    source = path.split("/", 1)[0] if path else ""
    if path is None or source not in options.known:
        raise UsageError(f"{options.file}: expected a dump of a known source below {settings.raw}")
    before = preview(settings, options.known, source)
    reading = _reading_of(before, path)
    _check(options, reading)
    after = preview(settings, options.known, source, {path: options.guards})
    accepted = _reading_of(after, path)
    if accepted is not None and accepted.error is not None:
        say(f"failed: rejected all the same: {accepted.error}")
        if more := [guard for guard in guards_of(accepted) if guard not in options.guards]:
            say(f"next: {_command([*options.guards, *more, '--dry-run'], file, settings)}")
        return 1
    out(f"{path}: publishes {', '.join(_told(before, after, path))}")
    if options.dry_run:
        out(f"next: {_command(options.guards, file, settings)}")
        return 0
    try:
        out(f"written: {add_accepted(file, options.guards)}")
    except ValueError as error:
        raise UsageError(f"{options.file}: {error}") from error
    out(f"next: conspectus refresh {source} {settings.roots}")
    return 0


def _reading_of(outcome: Outcome, path: str) -> Reading | None:
    """Return what was read of a dump; None if nothing had to be."""
    return next((reading for reading in outcome.readings if reading.dump.path == path), None)


def _check(options: argparse.Namespace, reading: Reading | None) -> None:
    """Raise ``UsageError`` unless all of the named guards reject a capture."""
    if reading is None or reading.error is None:
        raise UsageError(f"{options.file}: expected a dump that a guard rejects, found one that is good")
    rejecting = guards_of(reading)
    if not rejecting:
        raise UsageError(f"{options.file}: expected a dump that a guard rejects, found {reading.error}")
    check_names(f"{options.file}: not rejected by", options.guards, rejecting)


def _command(words: list[str], file: Path, settings: Settings) -> str:
    """Return the command that accepts a dump."""
    return f"conspectus accept {quote(str(file.absolute()))} {' '.join(words)} {settings.roots}"


def _told(before: Outcome, after: Outcome, path: str) -> Iterator[str]:
    """Yield what accepting a capture publishes: how many records it has, and what changes in what is published."""
    row = after.captures.filter((pl.col("dump") == path) & pl.col("feeds"))
    yield f"{row['records'][0]} records" if row.height else "none of its records: another capture counts"
    none = pl.DataFrame(schema=CHANGE_TYPES)
    now, then = (none if each.changed is None else each.changed for each in (after, before))
    changes = now.join(then, on=["record_id", "change"], how="anti")
    yield from (f"{_WORDS[change]} {number}" for change, number in count_changes(changes).items())
    values = [value for row in changes["values"].drop_nulls() for value in row]
    lost = Counter(value["column"] for value in values if value["after"] is None)
    yield from (f"{number} lose their {column.replace('_', ' ')}" for column, number in lost.most_common(_MOST))
    if changes.is_empty():
        yield "changes nothing that is published"
