"""The command ``explain``: the origin of a record, or what became of a line. From options to an exit code.

Finding the answers belongs to ``pipeline.explaining``.
"""

import argparse
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shlex import quote
from typing import Final

import polars as pl

from parsers._contract import Source
from parsers._ledger.lines import LineClass, Place
from pipeline.base.settings import MAX_BYTES, RAW_VARIABLE, UsageError, resolve_out, resolve_settings
from pipeline.base.suggest import ask_for, closest
from pipeline.cli.console import is_narrower, out, out_json, say
from pipeline.cli.objects import describe_held_back, describe_line, describe_record
from pipeline.config import find_config, roots_given
from pipeline.explaining.dumps import Archive, below
from pipeline.explaining.line import ExplainedLine, explain_line
from pipeline.explaining.record import Contribution, ExplainedRecord, explain_record
from pipeline.publishing.captures import captures_of, owners_of
from pipeline.publishing.chain import Chain
from pipeline.publishing.store import Snapshot, latest_snapshot
from pipeline.raw.inventory import Inventory, take_inventory
from pipeline.raw.sidecar import SIDECAR_SUFFIX
from schemas.vocabulary import NOTES

_LINE: Final = re.compile(r"(?P<file>.+):(?P<number>[1-9]\d{0,9})(?:[-,][-,\d]*)?")
_SHOWN: Final = 60
_NEAR: Final = 100
"""Characters of a line near the one that is asked for."""
_COMPARED: Final = 80
"""Number of leading characters of an unknown id that are used to find similar ones."""
_ALIKE: Final = 300
_NOTES: Final = "notes"

_MEANS: Final = {
    LineClass.RECORD: "part of a record",
    LineClass.HEADING: "a heading for the items below it",
    LineClass.BOILERPLATE: "boilerplate without data",
    LineClass.REJECTED: "part of an item that was held back",
    LineClass.UNEXPLAINED: "no rule claimed it",
}


@dataclass(frozen=True, slots=True)
class _Workspace:
    """What an explanation may look at: sources, out root with its newest snapshot, raw root with its inventory.

    ``as_json`` says how it is printed.
    """

    known: Mapping[str, Source]
    root: Path
    newest: Snapshot | None
    raw: Path | None
    inventory: Inventory | None
    as_json: bool = False

    def archive(self, source: str) -> Archive:
        """Open the dumps of a source, even if its parser no longer exists."""
        return Archive(self.known.get(source), self.inventory, self.newest, MAX_BYTES)


def explain(options: argparse.Namespace) -> int:
    """Explain a record or a line of a dump; 1 if it is not a line and nothing is published. Raises ``UsageError``."""
    snapshot = latest_snapshot(root := resolve_out(os.environ, options.out))
    space = _Workspace(options.known, root, snapshot, *_look(options), as_json=options.json)
    what = " ".join(options.what)
    line = _LINE.fullmatch(what)
    if snapshot is not None and (found := _find(snapshot, what)) is not None:
        _show_record(found, snapshot, space)
    elif line is not None and _is_path(line["file"], space):
        _show_line(line["file"], int(line["number"]), space)
    elif (file := _file_of(what, space)) is not None:
        command = f"conspectus parse {quote(str(file.absolute()))} --lines {_roots(options)}"
        raise UsageError(f"{what}: expected FILE:LINE, found a file; what became of its lines:\nnext: {command}")
    elif snapshot is None:
        say(f"nothing is published below {root}")
        return 1
    else:
        try:
            _show_past(what, snapshot, space)
        except UsageError as error:
            words = "" if ":" in what else f"\nnext: conspectus search {quote(what)} {_roots(options)}"
            raise UsageError(f"{error}{words}") from error
    return 0


def _roots(options: argparse.Namespace) -> str:
    """Return the options of the next command."""
    return roots_given(os.environ, options.raw, options.out, options.config)


def _file_of(text: str, space: _Workspace) -> Path | None:
    """Return the file that a text names, as it is or below the raw root; None without one."""
    found = (Path(text), *((space.raw / text,) if space.raw else ()))
    return next((file for file in found if file.is_file()), None)


def _look(options: argparse.Namespace) -> tuple[Path | None, Inventory | None]:
    """Return the raw root and its inventory; without one, print that only published data are shown."""
    try:
        settings = resolve_settings(os.environ, raw=options.raw)
    except UsageError as error:
        if options.raw or os.environ.get(RAW_VARIABLE):
            raise
        say(f"{error}; showing only what is published")
        return None, None
    config = find_config(os.environ, options.known, options.config)
    return settings.raw, take_inventory(settings.raw, options.known, config.links if config else ())


# A record


def _find(snapshot: Snapshot, record_id: str) -> pl.DataFrame | None:
    """Return the row of a record in a snapshot; None if there is none."""
    source = record_id.split(":", 1)[0]
    records = snapshot.table("records", source) if source in snapshot.sources else None
    found = None if records is None else records.filter(pl.col("record_id") == record_id)
    return None if found is None or found.is_empty() else found


def _show_past(record_id: str, newest: Snapshot, space: _Workspace) -> None:
    """Explain a record from its last snapshot, or print why it was held back. Raises ``UsageError`` if unknown."""
    for snapshot in Chain(space.root).kept:
        if snapshot.id != newest.id and (found := _find(snapshot, record_id)) is not None:
            say(f"{record_id}: no longer published; last in snapshot {snapshot.id}")
            _show_record(found, snapshot, space)
            return
    tables = (newest.table("quarantine", source) for source in newest.sources)
    held = pl.concat([table.filter(pl.col("record_id") == record_id) for table in tables if table is not None])
    if held.is_empty():
        raise UsageError(f"no such record or line: {record_id}{_meant(newest, record_id)}")
    if space.as_json:
        out_json(describe_held_back(record_id, held.iter_rows(named=True)))
        return
    for row in held.iter_rows(named=True):
        out(f"{record_id}: held back: {row['dump']}:{row['line_start'] or '-'}: {row['reason']}: {row['detail']}")


def _meant(snapshot: Snapshot, record_id: str) -> str:
    """Return a suggestion of the published records whose ids or titles look most like an unknown id."""
    source = record_id.split(":", 1)[0]
    names = [name for name in snapshot.sources if name == source] or list(snapshot.sources)
    tables = (snapshot.table("records", name) for name in names)
    rows = [_alike(table.select("record_id", "title"), record_id) for table in tables if table is not None]
    ids = {name: row[0] for table in rows for row in table.iter_rows() for name in row[::-1] if name}
    near = [ids[name] for name in closest(record_id, ids, most=3)]
    return ask_for(near) or "; expected an id such as <source>:<key>, or FILE:LINE"


def _alike(rows: pl.DataFrame, text: str) -> pl.DataFrame:
    """Return the rows whose ids and titles share most with a text, in the order of the table.

    Comparing a text with a hundred thousand others letter by letter would take a quarter of a minute.
    """
    low = text.casefold()
    parts = dict.fromkeys(low[start : start + 3] for start in range(min(len(low), _COMPARED)))
    held = pl.concat_str("record_id", "title", separator=" ", ignore_nulls=True).str.to_lowercase()
    shared = pl.sum_horizontal(held.str.contains(part, literal=True) for part in parts)
    return rows.with_row_index().top_k(_ALIKE, by=shared).sort("index").drop("index")


def _show_record(found: pl.DataFrame, snapshot: Snapshot, space: _Workspace) -> None:
    """Print a record of a snapshot and where it comes from."""
    explained = explain_record(found, snapshot, space.archive(found["source"][0]), Chain(space.root).kept)
    if space.as_json:
        is_newest = space.newest is not None and snapshot.id == space.newest.id
        out_json(describe_record(explained, is_newest=is_newest))
    else:
        _print_record(explained)


def _print_record(found: ExplainedRecord) -> None:
    """Print a record: its fields and where they come from, its values in other captures, its history."""
    row = found.row
    out(f"{row['record_id']}  {row['title'] or ''}".rstrip())
    out(f"  published in {found.folder}, parsed by {row['parser']}")
    out("fields: column, value, where it was found, rule of the current parser")
    for line in _columns(
        [(each.column, _cut(each.value), each.place or "-", each.rule or "-") for each in found.fields]
    ):
        out(line)
    for note in row[_NOTES]:
        out(f"  note {note}: {NOTES.get(note, 'unknown to this version')}")
    out("sightings, newest first")
    _print_contributions(found.sightings)
    if found.beside:
        out("other captures of the same page, not used for this record")
        _print_contributions(found.beside)
    _print_history(found)


def _print_contributions(contributions: Sequence[Contribution]) -> None:
    """Print a record in its captures: the place, the columns that it gave, and the values that differ."""
    for each in contributions:
        out(f"  {each.place}" + (f"  {each.remark}" if each.remark else ""))
        if each.gave:
            out(f"    gave {', '.join(each.gave)}")
        for column, text in each.otherwise.items():
            out(f"    differs: {column}: {_cut(text)}")


def _print_history(found: ExplainedRecord) -> None:
    """Print the changes of a record in the kept snapshots."""
    out("history, newest first")
    for each in found.history:
        out(f"  {each.snapshot}  {each.change}")
        for column, before, after in each.values:
            out(f"    {column}: {_cut(before)} -> {_cut(after)}")
    if not found.history:
        out(f"  no change in the snapshots kept, the oldest of which is {next(reversed(found.kept), '-')}")


# A line


def _is_path(text: str, space: _Workspace) -> bool:
    """True if a text names an existing file, or has a path like that of a dump."""
    there = Path(text).exists() or (space.raw is not None and (space.raw / text).exists())
    return (
        there or ("/" in text and PurePosixPath(text).suffix != "") or _why_not_read(text, space.inventory) is not None
    )


def _show_line(text: str, number: int, space: _Workspace) -> None:
    """Print what became of a line. Raises ``UsageError`` for a file that is neither a dump nor published."""
    raw, snapshot, path = space.raw, space.newest, _path_of(text, space.raw)
    source = path.split("/", 1)[0]
    archive = space.archive(source)
    if (why := _why_not_read(path, space.inventory)) is not None:
        found = ExplainedLine(path, number, (why,))
    elif archive.dump(path) is None and not _is_published(snapshot, source, path):
        where = (
            "found no such file"
            if raw is None or not (raw / path).exists()
            else "found a file that is no dump of a known source"
        )
        raise UsageError(f"{text}: expected a dump below {raw or 'a raw root'} or a published one, {where}")
    else:
        found = explain_line(path, number, archive, snapshot)
    if space.as_json:
        out_json(describe_line(found))
        return
    out(f"{path}:{number}")
    for line in _lines_of(found):
        out(f"  {line}")


def _lines_of(found: ExplainedLine) -> Iterator[str]:
    """Yield the explanation of a line, one fact per line."""
    yield from found.remarks
    for place in found.places:
        yield f"text: {place.text.strip()}"
        yield f"class: {place.line_class} ({_MEANS[place.line_class]})"
        yield f"rule: {_rule(place)}"
    for label, use in (("current parser", found.now), ("published", found.published)):
        for record_id, start, end in use.records:
            yield f"{label}: record {record_id} (lines {start}-{end})"
        for reason, detail in use.held_back:
            yield f"{label}: quarantine: {reason}: {detail}"
    if found.unpublished:
        yield f"published: {found.unpublished}"
    for place in found.near:
        yield f"near, {place.number}: {place.text.strip()[:_NEAR]}"


def _rule(place: Place) -> str:
    """Return the rule of a place and, if its grammar weighed several readings, the price and the next best one."""
    read = place.reading
    if read is None:
        return place.rule or "none"
    other = f"; next best: {read.other}, {read.margin} more" if read.other else ""
    return f"{place.rule or 'none'} (read as {read.role} at price {read.price}{other})"


def _path_of(text: str, raw: Path | None) -> str:
    """Return the path of a dump below the raw root, however it was given. Raises ``UsageError`` outside that root."""
    file = Path(text)
    if raw is None or not file.exists():
        return PurePosixPath(text).as_posix()
    path = below(raw, file)
    if path is None:
        command = f"conspectus parse {quote(str(file.absolute()))} --lines"
        raise UsageError(f"{text}: expected a file below {raw}; for other files:\nnext: {command}")
    return path


def _why_not_read(path: str, inventory: Inventory | None) -> str | None:
    """Return why a refresh does not read a file; None for a dump, or a path that the inventory does not list."""
    if inventory is None:
        return None
    if path in inventory.unknown:
        return f"no source claims this file: {inventory.unknown[path]}"
    if path in inventory.ignored:
        return f"the file is ignored: {inventory.ignored[path]}"
    if path in inventory.left_out:
        return "the file is left out: a specimen, and its source has real dumps"
    return "a sidecar: it holds metadata of the dump beside it, no records" if path.endswith(SIDECAR_SUFFIX) else None


def _is_published(snapshot: Snapshot | None, source: str, path: str) -> bool:
    """True if the snapshot lists a dump, as one that was read or as one that rows come from, or its companion."""
    captures = captures_of(snapshot, source)
    return path in captures["dump"] or path in owners_of(captures)


# Text


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows with aligned columns, or separated only by spaces if they would not fit the terminal."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if is_narrower(sum(widths) + 2 * len(widths)):
        widths = [0 for _ in widths]
    for *cells, last in rows:
        yield "  " + "  ".join([*map(str.ljust, cells, widths), last])


def _cut(text: str | None) -> str:
    """Return a value shortened to one line; a dash for a missing one."""
    if text is None:
        return "-"
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[:_SHOWN]}…"
