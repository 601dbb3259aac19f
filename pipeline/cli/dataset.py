"""The commands on the published dataset: ``status``, ``verify``, ``quarantine``, ``changes``, ``sql``, ``export``.

Each takes the parsed options and returns an exit code; none changes the dataset.
"""

import argparse
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, Final

import polars as pl

from parsers._ledger.lines import LineClass
from pipeline.base.settings import UsageError, resolve_out, resolve_raw
from pipeline.base.signals import REASONS_OF
from pipeline.base.suggest import check_names
from pipeline.cli.console import out, out_json, print_table, say
from pipeline.cli.objects import describe_files, describe_status, describe_verdict
from pipeline.config import roots_given
from pipeline.export._format import ExportError, load_format
from pipeline.export._run import export as run_export
from pipeline.library.dataset import dataset
from pipeline.library.sql import columns, query
from pipeline.merging.outcome import Status
from pipeline.publishing.captures import captures_of
from pipeline.publishing.chain import Chain, older_than
from pipeline.publishing.changes import BY_HARM, count_changes
from pipeline.publishing.plain import as_text, for_json
from pipeline.publishing.runs import load_runs
from pipeline.publishing.store import (
    Snapshot,
    StoreError,
    fresh_at,
    is_awaited,
    latest_snapshot,
    unreached_lines,
    waiting_pages,
    with_unreached,
)
from pipeline.publishing.verify import verify as verify_dataset
from pipeline.viewing.history import changes_between, changes_of, made_by, name_changes
from pipeline.viewing.selection import Row, Selection
from schemas.vocabulary import KINDS, REASONS

TEXT_SHOWN: Final = 200
"""Characters of a text shown in a list; the table has the full text."""

EXAMPLE: Final = "SELECT source, count(*) FROM records GROUP BY ALL"
SHOWN: Final[dict[str, Any]] = {
    "tbl_rows": -1,
    "tbl_cols": -1,
    "tbl_hide_dataframe_shape": True,
    "fmt_str_lengths": 60,
}
"""How rows are printed for people: all of them, long texts cut."""

MOST_LINES: Final = 12
"""Number of lines in which a night's changes are told, unless there are more sources."""


def status(options: argparse.Namespace) -> int:
    """Print what is published: snapshot, contract version, and the age, rows and quarantine of each source.

    1 if nothing is published, a source failed as a whole in its last run or never had data, a source is older than
    ``--max-age``, or works could not be made.
    """
    snapshot = published(options)
    if snapshot is None:
        if options.json:
            out_json(describe_status(None, {}, (), datetime.now(UTC)))
        _say_unpublished(options, options.sources)
        return 1
    known = () if options.json else options.known
    absent = [name for name in options.sources if name in known and name not in snapshot.sources]
    if absent:
        _say_unpublished(options, absent)
    if absent and len(absent) == len(options.sources):
        return 1
    blocks = blocks_of(snapshot, [name for name in options.sources if name not in absent])
    now = datetime.now(UTC)
    stale = [] if options.max_age is None else _stale(blocks, options.max_age, now)
    red = [name for name, block in blocks.items() if block["status"] == Status.FAILED or _is_missing(block)]
    if options.json:
        out_json(describe_status(snapshot, blocks, stale, now))
    else:
        _print_status(snapshot, blocks, now, whole=not options.sources)
    for name in stale:
        say(f"stale: {name}: expected data at most {_span(options.max_age)} old, found {_age(blocks[name], now)}")
    if error := snapshot.works.get("error"):
        say(f"failed: {error}")
    return 1 if stale or red or absent or error else 0


def _say_unpublished(options: argparse.Namespace, names: Iterable[str]) -> None:
    """Say of which sources nothing is published, and what failed in the last run."""
    for name in names:
        say(f"{name}: nothing is published of it")
    end = runs[-1].end if (runs := load_runs(resolve_out(os.environ, options.out))) else None
    for failure in (*([end.error] if end.error else []), *end.failures) if end is not None else ():
        say(f"last run: {failure}")


def _print_status(snapshot: Snapshot, blocks: Mapping[str, dict[str, Any]], now: datetime, *, whole: bool) -> None:
    """Print the state of the sources; for the ``whole`` dataset also the files that no source claims."""
    out(f"dataset: {snapshot.folder}")
    out(f"contract version: {snapshot.manifest['contract_version']}")
    rows = [
        (
            name,
            with_unreached(block["status"], block.get("unreached", {})),
            _age(block, now),
            str(block["published"]),
            str(block["quarantined"]),
            str(block["lines"].get(LineClass.UNEXPLAINED, 0)),
        )
        for name, block in blocks.items()
    ]
    print_table(("source", "last run", "age", "records", "quarantined", "unexplained lines"), rows)
    for name, block in blocks.items():
        reasons = ", ".join(f"{number} {reason}" for reason, number in block["reasons"].items())
        pages = (*waiting_pages(block).values(), *unreached_lines(block.get("unreached", {})))
        for said in filter(None, (block["error"], *pages, reasons)):
            out(f"{name}: {said}")
    for path, why in sorted(snapshot.unclaimed.items()) if whole else ():
        out(f"{path}: {why}")


def verify(options: argparse.Namespace) -> int:
    """Check a dataset against its manifest and ``--max-age``; 1 if any problem is found."""
    folder = Path(options.folder) if options.folder else resolve_out(os.environ, options.out)
    verdict = verify_dataset(folder, options.max_age)
    if options.json:
        out_json(describe_verdict(verdict))
        return 1 if verdict.problems else 0
    for problem in verdict.problems:
        out(f"failed: {problem}")
    out(f"{verdict.folder}: {verdict.files} files, {verdict.rows} records, {len(verdict.problems)} problems")
    return 1 if verdict.problems else 0


def quarantine(options: argparse.Namespace) -> int:
    """List what was held back: counts by source and reason, then each row with file, line, expectation and text.

    Of a dump that was refused as a whole the line at fault is shown, not all of its text, which is in the table.
    """
    check_names("no such reason", options.reason or (), REASONS)
    snapshot = published(options)
    if snapshot is None:
        return 1
    blocks = blocks_of(snapshot, options.sources)
    tables = [snapshot.table("quarantine", source) for source in blocks]
    rows = pl.concat([table for table in tables if table is not None])
    if options.reason:
        rows = rows.filter(pl.col("reason").is_in(options.reason))
    if rows.is_empty():
        of = f" of {', '.join(options.sources)}" if options.sources else ""
        say(f"nothing was held back{of}" + (f" for {' or '.join(options.reason)}" if options.reason else ""))
        return 0
    if options.json:
        sys.stdout.write(for_json(rows).write_ndjson())
        return 0
    counts = rows.group_by("source", "reason").len().sort("source", "len", "reason", descending=[False, True, False])
    print_table(("source", "reason", "rows"), [(row[0], row[1], str(row[2])) for row in counts.iter_rows()])
    refused = {dump["error"] for dump in _failed(snapshot, blocks)}
    for row in rows.iter_rows(named=True):
        said = f"{row['dump'] or row['source']}:{row['line_start'] or '-'}: {row['reason']}: {row['detail']}"
        text = row["text"] or ""
        if said in refused:  # the text is all of the dump: a guard has no line, and what it holds has rows of its own
            number = 0 if row["reason"] in REASONS_OF.values() else row["line_start"]
            text = "".join(text.split("\n")[number - 1 : number])
        out(said + (f": {text[:TEXT_SHOWN]!r}" if text else ""))
    return 0


def changes(options: argparse.Namespace) -> int:
    """List the changes of the newest snapshot since the previous one or, with ``--since``, an older one."""
    snapshot = published(options)
    if snapshot is None:
        return 1
    named = blocks_of(snapshot, options.sources)
    before: Snapshot | None
    if options.since:
        before, rows = _changes_since(snapshot, options.since, named)
    else:
        before = next(iter(older_than(snapshot)), None)
        rows = changes_of(snapshot).filter(pl.col("source").is_in(list(named)))
    if rows.is_empty():
        say("no records changed")
    elif options.json:
        sys.stdout.write(rows.write_ndjson())
    else:
        whole = options.all or options.since
        rows = name_changes(rows, snapshot, before)
        roots = roots_given(os.environ, options.raw, options.out, options.config)
        for line in change_lines(rows) if whole else digest_lines(rows, roots):
            out(line)
    return 0


def digest_lines(rows: pl.DataFrame, roots: str) -> Iterator[str]:
    """Yield changes in a dozen lines: the counts of each source, then the first records, what is gone before the rest.

    A record under another title is one change here. The last lines say how many there are besides, and how to see
    them; ``roots`` are the options for that.
    """
    lines = [
        f"{source}: {', '.join(f'{count} {change}' for change, count in count_changes(of_source).items())}"
        for (source,), of_source in rows.group_by("source", maintain_order=True)
    ]
    yield from lines
    titles = dict(rows.select("record_id", "title").iter_rows())
    rows = rows.filter(~(pl.col("change").is_in(["added", "removed"]) & pl.col("record_id").is_in(_retitled(rows))))
    room = max(0, MOST_LINES - len(lines) - 2)
    order = pl.col("change").replace_strict({change: place for place, change in enumerate(BY_HARM)})
    first = rows.sort(order, "source", "record_id", maintain_order=True).head(room)
    for row in first.iter_rows(named=True):
        name = _shown(row["title"] or row["record_id"])
        yield " ".join(filter(None, (f"{row['change']:<8}", name, _what_of(row, titles))))
    rest = f"and {rows.height - first.height} more; " if rows.height > first.height else ""
    yield f"{rest}all with their values:"
    named = " ".join(["changes", *rows["source"].unique(maintain_order=True), "--all"])
    yield f"next: conspectus {named} {roots}"


def _retitled(rows: pl.DataFrame) -> list[str]:
    """Return the ids that records under another title had and have."""
    values = [row["values"][0] for row in rows.filter(pl.col("change") == "retitled").iter_rows(named=True)]
    return [value[side] for value in values for side in ("before", "after")]


def change_lines(rows: pl.DataFrame) -> Iterator[str]:
    """Yield a line per changed record with kind of change, id and title, then a line per column with both values.

    A value that is an id has its title beside it: of a record under another title, which has both ids among ``rows``.
    """
    titles = dict(rows.select("record_id", "title").iter_rows())
    for row in rows.iter_rows(named=True):
        yield f"{row['change']:<8} {row['record_id']}" + (f"  {row['title']}" if row["title"] else "")
        for value in row["values"] or ():
            before, after = (_shown(_titled(value, side, titles)) for side in ("before", "after"))
            yield f"         {value['column']}: {before} -> {after}"


def _what_of(row: Row, titles: Mapping[str, str | None]) -> str:
    """Return, in brackets, which columns changed, or the title that a record had; nothing for a whole record."""
    if row["change"] == "retitled":
        (value,) = row["values"]
        return f"(was {_shown(titles.get(value['before']) or value['before'])})"
    return f"({', '.join(row['columns'])})" if row["columns"] else ""


def _titled(value: Row, side: str, titles: Mapping[str, str | None]) -> str | None:
    """Return a value of a column; an id with its title, where that is known."""
    text: str | None = value[side]
    title = titles.get(text) if value["column"] == "record_id" and text is not None else None
    return f"{text} ({title})" if title else text


def files(options: argparse.Namespace) -> int:
    """List the data files of the newest snapshot with hash, bytes and rows; with ``--since`` those of another content.

    A file that the newest snapshot has no more is in the JSON object alone.
    """
    snapshot = published(options)
    if snapshot is None:
        return 1
    named = blocks_of(snapshot, options.sources)
    before = _kept(resolve_out(os.environ, options.out), options.since) if options.since else None
    found = describe_files(snapshot, before, named)
    if options.json:
        out_json(found)
    for path, block in () if options.json else found["files"].items():
        out(f"{block['sha256']}  {block['bytes']:>10}  {block['rows']:>8}  {path}")
    if not found["files"]:
        say("no files" if before is None else f"no file differs from those of {before.id}")
    return 0


def _kept(root: Path, name: str) -> Snapshot:
    """Return a kept snapshot by its id. Raises ``UsageError`` if there is none."""
    kept = {snapshot.id: snapshot for snapshot in Chain(root).kept}
    check_names("no such snapshot", [name], kept)
    return kept[name]


def export(options: argparse.Namespace) -> int:
    """Write a selection of the dataset in another format: 0 written, 1 nothing to write or writing failed."""
    snapshot = published(options)
    if snapshot is None:
        return 1
    check_names("no such kind", [options.kind] if options.kind else (), KINDS)
    chosen = {name: getattr(options, name) for name in ("kind", "track", "words", "keyword", "category", "timezone")}
    try:
        only = _changed_since(snapshot, options) if options.since else None
    except StoreError as error:
        say(f"failed: {error}")
        return 1
    selection = Selection(snapshot, options.source, options.event, options.day, **chosen, only=only)
    file = Path(options.output) if options.output is not None else None
    if file is not None and options.output.endswith(os.sep):
        raise UsageError(f"{options.output}: expected a file to write in an existing folder")
    barred = (resolve_raw(os.environ, options.raw), resolve_out(os.environ, options.out))
    try:
        report = run_export(load_format(options.format), selection, file, sys.stdout.buffer, barred)
    except (ExportError, StoreError) as error:
        say(f"failed: {error}")
        return 1
    for line in report.lines():
        say(line)
    return 0


def _changed_since(snapshot: Snapshot, options: argparse.Namespace) -> frozenset[str]:
    """Return the ids of the records that are new or changed since a moment. Raises ``StoreError``."""
    sources = [name for name in blocks_of(snapshot, ()) if options.source in {None, name}]
    return frozenset(_changes_since(snapshot, options.since, sources)[1]["record_id"])


def _shown(text: str | None) -> str:
    """Return the beginning of a value; a dash for a missing one."""
    if text is None:
        return "-"
    flat = " ".join(text.split())
    return flat if len(flat) <= TEXT_SHOWN else f"{flat[:TEXT_SHOWN]}…"


def _changes_since(newest: Snapshot, since: datetime, sources: Collection[str]) -> tuple[Snapshot, pl.DataFrame]:
    """Return the last snapshot made by ``since``, else the oldest one kept, and what has changed from it."""
    before, found = made_by(newest, since)
    if not found:
        say(f"no snapshot from {since:%Y-%m-%d %H:%M} or earlier is kept; comparing with the oldest, {before.id}")
    return before, changes_between(before, newest, sources)


def sql(options: argparse.Namespace) -> int:
    """Print the rows of a query; without one the views with their columns: 0."""
    published = dataset(options.out)
    if options.query is None:
        found = columns(published)
        for (view,), rows in found.group_by(["view"], maintain_order=True):
            out(f"{view}: {', '.join(rows['column'])}")
        say(f"views of {published.id}; for example: conspectus sql '{EXAMPLE}'")
        return 0
    found = query(published, options.query)
    if options.json:
        sys.stdout.write(for_json(found).write_ndjson())
    elif options.csv:
        sys.stdout.write(as_text(found).write_csv())
    else:
        with pl.Config(**SHOWN, tbl_width_chars=get_terminal_size().columns):
            for line in str(found).splitlines():
                out(line)
    return 0


def published(options: argparse.Namespace) -> Snapshot | None:
    """Return the published snapshot; None, with a message, if there is none or it cannot be read."""
    root = resolve_out(os.environ, options.out)
    try:
        snapshot = latest_snapshot(root)
    except StoreError as error:
        say(f"failed: {error}")
        return None
    if snapshot is None:
        say(f"nothing is published below {root}")
    return snapshot


def blocks_of(snapshot: Snapshot, names: Collection[str]) -> Mapping[str, dict[str, Any]]:
    """Return the manifest's blocks of the named sources, or of all. Raises ``UsageError`` for an unpublished source."""
    blocks: dict[str, dict[str, Any]] = snapshot.manifest["sources"]
    check_names("not published", names, blocks)
    return {name: block for name, block in blocks.items() if name in names or not names}


def _failed(snapshot: Snapshot, sources: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield what is known of each dump of some sources that could not be used. Raises ``StoreError`` if damaged."""
    for source in sources:
        if not snapshot.is_whole("captures", source):
            raise StoreError(f"{snapshot.folder}: expected the table of the captures of {source}, found a damaged one")
        yield from captures_of(snapshot, source).filter(pl.col("error").is_not_null()).iter_rows(named=True)


def _stale(blocks: Mapping[str, dict[str, Any]], limit: timedelta, now: datetime) -> list[str]:
    """Return the sources whose data are older than a limit, or were never good.

    Data dated beyond the limit in the future, by a wrong clock, count as old: they would stay fresh too long.
    """
    return [
        name
        for name, block in blocks.items()
        if _is_missing(block) or ((moment := fresh_at(block)) is not None and abs(now - moment) > limit)
    ]


def _is_missing(block: Mapping[str, Any]) -> bool:
    """True if a source never had data, and should."""
    return fresh_at(block) is None and not is_awaited(block)


def _age(block: Mapping[str, Any], now: datetime) -> str:
    """Return the age of the data of a source as text."""
    moment = fresh_at(block)
    if moment is None:
        return "never"
    return _span(now - moment) if moment <= now else f"{_span(moment - now)} in the future"


def _span(span: timedelta) -> str:
    """Return a duration in days, hours and minutes."""
    minutes = int(span.total_seconds()) // 60
    days, rest = divmod(minutes, 24 * 60)
    return f"{days}d {rest // 60}h {rest % 60}m" if days else f"{rest // 60}h {rest % 60}m"
