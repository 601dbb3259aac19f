"""The files of a table: where the table of a source is cut, how its files are named, which of them a change touches.

A table is cut before each group whose hash begins with some zero bits, so its files follow from its rows alone, and a
change rewrites only the files around it. The group of a record is its key in a listing, its event in a programme; that
of a row about a dump is the dump. This is the only module that makes the path of a file from a table and a source.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final
from unicodedata import normalize

import polars as pl

from parsers._contract import Family
from pipeline.merging.validate import QUARANTINE_ORDER
from schemas.works import WORK_TABLES

FOLDERS: Final = {
    "records": "parquet",
    "sightings": "sightings",
    "quarantine": "quarantine",
    "captures": "captures",
}
"""Folder of each table inside a snapshot; ``json`` holds the records as NDJSON."""

LINES: Final = {"records": "json", "quarantine": "quarantine"}
"""Folder of the NDJSON copy of a table."""

WORKS_FILES: Final = {name: f"{name}.parquet" for name in WORK_TABLES}
"""The file of each table of works, by its name, in a snapshot itself: they are about all sources."""

FIRST: Final = ""
"""Where the first file of a table begins: before every group."""

ORDER: Final = {
    "records": ["record_id"],
    "sightings": ["record_id", "dump", "line_start", "rank"],
    "quarantine": QUARANTINE_ORDER,
    "captures": ["dump", "feeds", "dump_sha256", "entry"],
}
"""The columns that the rows of a file are sorted by."""

OF_RECORDS: Final = ("records", "sightings")
"""The tables whose groups are those of records; the groups of the others are dumps."""

_BITS: Final = {Family.PROGRAMME: 3, Family.LISTING: 10}
_BITS_OF_DUMPS: Final = 10
"""One event in eight begins a file, one key of a listing in 1,024, one dump in 1,024."""

_NEVER: Final = 32

_NAME: Final = 40
"""Characters of a group in the name of a file."""


def group_of(table: str) -> pl.Expr:
    """Return the expression of the group of a row; the id of a record tells it, whatever a shared title added to it."""
    if table in OF_RECORDS:
        return pl.col("record_id").str.extract(r"^[^:]*:([^/]*)", 1).fill_null(FIRST)
    return pl.col("dump").fill_null(FIRST)


def is_between(table: str, after: str | None, last: str | None) -> pl.Expr:
    """Return the expression of whether a row is of a group behind one, and not behind another; None for no limit."""
    group = group_of(table)
    behind = pl.lit(value=True) if after is None else group > after
    return behind if last is None else behind & (group <= last)


def group_of_id(record_id: str) -> str:
    """Return the group of a record by its id, as ``group_of`` does for whole tables."""
    return record_id.partition(":")[2].partition("/")[0]


def groups_of(records: pl.DataFrame) -> set[str]:
    """Return the groups of the records, or sightings, of a frame."""
    return set(records.select(group_of("records").unique()).to_series().to_list())


def path_of(table: str, source: str, begins: str = FIRST) -> str:
    """Return the path of a file of a table, below a snapshot."""
    return f"{FOLDERS[table]}/{_stem(source, begins)}.parquet"


def lines_of(table: str, source: str, begins: str = FIRST) -> str | None:
    """Return the path of the NDJSON of a file of a table, below a snapshot; None for a table without it."""
    return f"{LINES[table]}/{_stem(source, begins)}.ndjson" if table in LINES else None


def source_of(path: str) -> str:
    """Return the source that a data file belongs to, by its path below a snapshot."""
    return PurePosixPath(path).name.partition(".")[0]


def is_of(path: str, table: str, source: str) -> bool:
    """True if a path below a snapshot is that of a Parquet file of a table of a source."""
    return path.startswith(f"{FOLDERS[table]}/{source}.") and path.endswith(".parquet")


def _stem(source: str, begins: str) -> str:
    """Return the name of a file without its suffix: the source and, but for the first file, where it begins."""
    if begins == FIRST:
        return source
    plain = normalize("NFKD", begins.rpartition("/")[2]).encode("ascii", "ignore").decode().lower()
    shown = re.sub(r"[^a-z0-9]+", "-", plain)[:_NAME].strip("-")
    return ".".join(filter(None, (source, f"{shown}-{sha256(begins.encode()).hexdigest()[:8]}".strip("-"))))


def _bits_of(table: str, family: Family | None) -> int:
    """Return how many zero bits the hash of a group must begin with for a file to begin there."""
    if table not in OF_RECORDS:
        return _BITS_OF_DUMPS
    return _NEVER if family is None else _BITS[family]


@lru_cache(maxsize=1 << 16)
def _begins_file(group: str, bits: int) -> bool:
    """True if a file begins at a group: its hash begins with so many zero bits."""
    return int.from_bytes(sha256(group.encode()).digest()[:4], "big") >> (32 - bits) == 0


@dataclass(frozen=True, slots=True)
class Cutting:
    """The files of a table after a change: the rows of those to write, by where each begins, and those that stay."""

    written: Mapping[str, pl.DataFrame]
    kept: tuple[str, ...]


def replace_groups(
    old: Mapping[str, Callable[[], pl.DataFrame]],
    touched: Collection[str] | None,
    rows: pl.DataFrame,
    table: str,
    family: Family | None,
) -> Cutting:
    """Return the files of a table after the rows of some groups were replaced by others; None replaces all.

    ``old`` loads the files as they are, by where each begins. Only those around the groups are loaded; the result is
    what cutting all rows at once would give. A file with the rows that it had stays as it is. Without a ``family``
    records are not cut.
    """
    begins = sorted(old)
    opened = set(begins) if touched is None else _around(begins, touched)
    loaded: dict[str, pl.DataFrame] = {}
    gone = group_of(table).is_in(sorted(touched or ()))
    while True:
        if touched is not None:
            loaded |= {begin: old[begin]() for begin in opened - loaded.keys()}
        stay = [loaded[begin].filter(~gone) for begin in sorted(loaded)]
        kept = [begin for begin in begins if begin not in opened]
        written = _cut(pl.concat([*stay, rows]).sort(ORDER[table]), kept, table, family)
        if FIRST in written or FIRST in kept:
            break
        opened.add(kept[0])  # nothing is left before it: it becomes the first file
    changed = {begin: frame for begin, frame in written.items() if not _is_same(frame, begin, old, loaded)}
    return Cutting(changed, tuple(sorted({*kept, *written} - changed.keys())))


def _is_same(
    rows: pl.DataFrame, begin: str, old: Mapping[str, Callable[[], pl.DataFrame]], loaded: Mapping[str, pl.DataFrame]
) -> bool:
    """True if a file has had the same rows; one that is not loaded is loaded and not kept."""
    if begin not in old:
        return False
    return rows.equals(loaded[begin] if begin in loaded else old[begin]())


def cut_parts(parts: Iterable[pl.DataFrame], table: str, family: Family | None) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the files of a whole table, by where each begins; ``parts`` have its groups in order.

    Only the rows of one part and one file are in memory.
    """
    begin, rows, lowest = FIRST, list[pl.DataFrame](), None
    for part in parts:
        of = part.select(group_of(table)).to_series()
        groups = sorted(of.unique().to_list())
        lowest = groups[0] if lowest is None and groups else lowest
        begins = [group for group in groups if group != lowest and _begins_file(group, _bits_of(table, family))]
        places = {group: bisect_right(begins, group) for group in groups}
        piece = of.replace_strict(list(places), list(places.values()), return_dtype=pl.UInt32) if begins else None
        rows.append(part if piece is None else part.filter(piece == 0))
        for number, start in enumerate(begins, 1):
            yield begin, pl.concat(rows).sort(ORDER[table])
            begin, rows = start, [part.filter(piece == number)]
    yield begin, pl.concat(rows).sort(ORDER[table])


def _around(begins: Sequence[str], touched: Iterable[str]) -> set[str]:
    """Return where the files begin that hold some groups, and those before files that may lose their beginning."""
    opened = set()
    for group in touched if begins else ():
        index = bisect_right(begins, group) - 1
        opened.add(begins[index])
        if index and begins[index] == group:
            opened.add(begins[index - 1])
    return opened


def _cut(rows: pl.DataFrame, kept: Sequence[str], table: str, family: Family | None) -> dict[str, pl.DataFrame]:
    """Cut sorted rows into files, beside those that are kept; the lowest group of a table begins no file of its own.

    Without the key ``FIRST``, here or among those kept, the lowest of them has to become the first file.
    """
    of = rows.select(group_of(table)).to_series()
    groups = sorted(of.unique().to_list())
    if not groups:
        return {} if kept else {FIRST: rows}
    begins = {*kept, *(group for group in groups if _begins_file(group, _bits_of(table, family)))}
    if not kept or groups[0] < kept[0]:
        begins = {FIRST, *(begin for begin in begins if begin > groups[0])}
    ordered = sorted(begins)
    if len(ordered) == 1:
        return {ordered[0]: rows}
    places = {group: bisect_right(ordered, group) - 1 for group in groups}
    file = of.replace_strict(list(places), list(places.values()), return_dtype=pl.UInt32)
    return {ordered[number]: rows.filter(file == number) for number in sorted(set(places.values()))}
