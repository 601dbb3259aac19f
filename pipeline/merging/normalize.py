"""Merges the dumps of one source into one row per record, filled from its sightings, newest first.

Sightings are ordered by listing date, capture time and dump path, nulls oldest; those in older captures of the list of
a day come last, since the list may not say so any more. The newest one wins; its nulls are filled from the next newest,
unit by unit (``pipeline.reading.units``). ``pipeline.guarding.worklist`` selects the dumps.
"""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.merging.identifiers import fill_identifiers, without_derived
from pipeline.reading.canonical import DOI_NOTE, fill_doi
from pipeline.reading.frames import QUARANTINE_TYPES, RECORD_TYPES, SIGHTING_TYPES
from pipeline.reading.identity import author_key
from pipeline.reading.read import Reading
from pipeline.reading.units import FIXED, NOTES_OF_UNIT, UNITS

_SUPPLIED: Final = "supplied"
_OUTDATED: Final = "outdated"
_ORDERING: Final = ("captured_at", _OUTDATED)
_NOTES_OF_UNITS: Final = sorted(set().union(*NOTES_OF_UNIT.values()))

_DATED: Final = pl.Schema({**RECORD_TYPES, "captured_at": pl.Datetime("us")})
_TABLES: Final = {"records": _DATED, "sightings": SIGHTING_TYPES, "quarantine": QUARANTINE_TYPES}
_JOINED: Final = 64
"""Frames that are joined at a time."""


class Stack:
    """The rows of readings by table, joined now and then: many small frames take more memory than their rows.

    Those of ``records`` have the capture time, which orders them when merged. ``shared`` has for each dump the record
    ids shared by papers with one title; True where first authors distinguish them. ``good`` has the hash of each of
    these dumps that is not a failed one, ``owners`` the dump of each companion.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._frames: dict[str, list[pl.DataFrame]] = {name: [] for name in _TABLES}
        self._waiting: dict[str, list[pl.DataFrame]] = {name: [] for name in _TABLES}
        self.shared: dict[str, Mapping[str, bool]] = {}
        self.good: dict[str, str | None] = {}
        self.owners: dict[str, str] = {}
        self._held_back: set[tuple[str, str | None]] = set()

    @property
    def dumps(self) -> AbstractSet[str]:
        """The paths of the dumps whose readings were added."""
        return self.shared.keys()

    def add(self, reading: Reading) -> None:
        """Add the rows of a reading."""
        if reading.feeds:
            self.good[reading.dump.path] = reading.sha256
        if reading.records.height:
            captured = reading.sightings["captured_at"].new_from_index(0, reading.records.height)
            records = reading.records.hstack([captured])
            self._push("records", records)
        self._push("sightings", reading.sightings)
        self.add_held_back(reading)
        self.shared[reading.dump.path] = {f"{reading.dump.source}:{key}": each for key, each in reading.shared.items()}

    def add_held_back(self, reading: Reading) -> None:
        """Add what was held back of a capture, once."""
        self.owners |= {path: reading.dump.path for path, _ in reading.dump.facts.companions}
        if (capture := (reading.dump.path, reading.sha256)) not in self._held_back:
            self._held_back.add(capture)
            self._push("quarantine", reading.quarantine)
        self.shared.setdefault(reading.dump.path, {})

    @property
    def height(self) -> int:
        """The number of records that are held."""
        return sum(frame.height for frame in (*self._frames["records"], *self._waiting["records"]))

    def forget_rows(self) -> None:
        """Let go of records and sightings: they can be read again."""
        for table in ("records", "sightings"):
            self._frames[table].clear()
            self._waiting[table].clear()
        self.good.clear()

    def _push(self, table: str, frame: pl.DataFrame) -> None:
        """Add a frame, and join those that wait."""
        waiting = self._waiting[table]
        if frame.height:
            waiting.append(frame)
        if len(waiting) >= _JOINED:
            self._frames[table].append(pl.concat(waiting, rechunk=True))
            waiting.clear()

    def files_of(self, dumps: Collection[str]) -> list[str]:
        """Return the paths of dumps and of their companions: the files that their rows stand in."""
        return sorted({*dumps, *(path for path, dump in self.owners.items() if dump in dumps)})

    def frame(self, table: str, dumps: Collection[str]) -> pl.DataFrame:
        """Return the rows of a table from some dumps, in the order in which these were added."""
        wanted = self.dumps & set(dumps)
        found = [*self._frames[table], *self._waiting[table]]
        if len(wanted) < len(self.shared):
            there = pl.col("dump").is_in(self.files_of(wanted))
            found = [frame.filter(there) for frame in found]
        return pl.concat([pl.DataFrame(schema=_TABLES[table]), *found])


@dataclass(frozen=True, slots=True)
class Normalized:
    """The merged records of a source, one row per id, and the sightings that they were made from."""

    records: pl.DataFrame
    sightings: pl.DataFrame


def normalize(readings: Sequence[Reading], carried: Normalized | None = None) -> Normalized:
    """Merge the readings of a source; ``carried`` rows take part as if their dumps had been read again."""
    stack = Stack()
    for reading in readings:
        stack.add(reading)
    return merge(stack, stack.dumps, None, carried)


def merge(
    stack: Stack,
    dumps: Collection[str],
    groups: pl.Expr | None = None,
    carried: Normalized | None = None,
    outdated: Collection[str] = (),
) -> Normalized:
    """Merge the rows of some dumps of a source; ``groups`` is true of the rows that take part, None for all.

    ``carried`` are rows of the last snapshot that replace unusable dumps, ``outdated`` the dumps that are older
    captures of the list of a day.
    """
    rows = pl.concat([stack.frame("records", dumps), *([_with_capture_times(carried)] if carried else [])])
    seen = pl.concat([stack.frame("sightings", dumps), *([carried.sightings] if carried else [])])
    if groups is not None:
        rows, seen = rows.filter(groups), seen.filter(groups)
    # As if the dumps had been stacked in their order: the rows of equal captures then stay in it.
    rows, seen = (frame.sort("dump", maintain_order=True) for frame in (rows, seen))
    rows = rows.with_columns(outdated=pl.col("dump").is_in(stack.files_of(outdated)))
    rows, seen = _tell_apart(rows, seen, _shared_ids(stack, dumps))
    again = rows["record_id"].is_duplicated()
    if not again.any():  # true of most sources; saves a copy of everything
        return Normalized(_complete(rows.drop(_ORDERING)), seen)
    order = ["record_id", _OUTDATED, "listed_on", "captured_at", "dump"]
    merged, supplied = _merge(
        rows.filter(again)
        .sort(order, descending=[False, False, True, True, True], nulls_last=True)
        .with_row_index("row")
    )
    records = pl.concat([rows.filter(~again).drop(_ORDERING), merged])
    return Normalized(_complete(records), _limit_fields(seen, supplied))


def _with_capture_times(carried: Normalized) -> pl.DataFrame:
    """Return the carried records, once for each dump that showed them, with its capture time."""
    captures = carried.sightings.select("record_id", "dump", "captured_at").unique(maintain_order=True)
    printed = pl.when(~pl.col("notes").list.contains(DOI_NOTE)).then("doi")  # a DOI from a text is extracted again
    notes = pl.col("notes").list.set_difference([DOI_NOTE])
    rows = without_derived(carried.records).with_columns(printed, notes).drop("dump").join(captures, on="record_id")
    return rows.select(*RECORD_TYPES.names(), "captured_at")


def _merge(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Merge rows that share a record_id, newest first; also find which row supplied which columns.

    Returns the merged records and a frame of ``record_id``, ``dump``, ``columns``.
    """
    present = {unit: pl.any_horizontal(pl.col(name).is_not_null() for name in unit) for unit in UNITS}
    grouped = rows.group_by("record_id", maintain_order=True).agg(
        *(pl.col(name).first() for name in sorted(FIXED - {"record_id", "notes"})),
        *(pl.col(name).filter(present[unit]).first() for unit in UNITS for name in unit),
        *(_notes_of(codes, present[unit]).alias(f"notes:{unit[0]}") for unit, codes in NOTES_OF_UNIT.items()),
        pl.col("notes").first().list.set_difference(_NOTES_OF_UNITS).alias("notes:"),
        *(pl.col("row").filter(present[unit]).first().alias(f"row:{unit[0]}") for unit in UNITS),
    )
    notes = [name for name in grouped.columns if name.startswith("notes:")]
    merged = grouped.with_columns(notes=pl.concat_list(pl.col(name).fill_null([]) for name in notes))
    return merged.select(RECORD_TYPES.names()), _supplied(rows, grouped)


def _notes_of(codes: frozenset[str], present: pl.Expr) -> pl.Expr:
    """Return the notes about a unit, from the row that supplies the unit."""
    return pl.col("notes").filter(present).first().list.set_intersection(sorted(codes))


def _supplied(rows: pl.DataFrame, grouped: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that each dump supplied to each record, from the rows that supplied each unit."""
    units = pl.DataFrame({"unit": [f"row:{unit[0]}" for unit in UNITS], "columns": [list(unit) for unit in UNITS]})
    return (
        grouped.unpivot([f"row:{unit[0]}" for unit in UNITS], variable_name="unit", value_name="row")
        .drop_nulls("row")
        .join(units, on="unit")
        .join(rows.select("row", "record_id", "dump"), on="row")
        .group_by("record_id", "dump", maintain_order=True)
        .agg(pl.col("columns").explode())
    )


def _limit_fields(sightings: pl.DataFrame, supplied: pl.DataFrame) -> pl.DataFrame:
    """Reduce ``fields`` to the columns that the merge took from each sighting; records seen in one dump keep all."""
    merged = pl.col("record_id").is_in(supplied["record_id"].unique().to_list())
    fields = pl.col("fields").list.set_intersection(pl.col("columns")).list.sort()
    limited = pl.when(merged).then(pl.when(fields.list.len() > 0).then(fields)).otherwise(pl.col("fields"))
    joined = sightings.join(supplied, on=("record_id", "dump"), how="left", maintain_order="left")
    return joined.with_columns(fields=limited).select(SIGHTING_TYPES.names())


def _complete(records: pl.DataFrame) -> pl.DataFrame:
    """Add notes about missing fields, and identifiers found in addresses and texts: known only after the merge."""
    paper = pl.col("kind") == "paper"
    placeholder = pl.col("notes").list.contains("abstract_placeholder")
    missing = {
        "title_missing": pl.col("title").is_null(),
        "authors_missing": paper & pl.col("authors").is_null(),
        "abstract_missing": paper & pl.col("abstract").is_null() & ~placeholder,
    }
    added = [pl.when(condition).then(pl.lit(code)) for code, condition in missing.items()]
    words = records.select(pl.concat_str(pl.col("notes").list.join(" "), *added, separator=" ", ignore_nulls=True))
    return fill_doi(fill_identifiers(records.with_columns(sorted_codes(words.to_series().alias("notes")))))


def sorted_codes(words: pl.Series) -> pl.Series:
    """Turn space-separated codes into sorted lists without repeats; each distinct text is sorted once."""
    first = words.filter(words.is_first_distinct())
    codes = first.str.split(" ").list.filter(pl.element() != "").list.unique().list.sort()
    return codes.gather(words.cast(pl.Enum(first)).to_physical())


def _shared_ids(stack: Stack, dumps: Collection[str]) -> dict[str, bool]:
    """Return the ids shared by papers with one title; True where first authors distinguish them in every dump."""
    found: dict[str, bool] = {}
    for path in stack.dumps & set(dumps):
        for record_id, first_suffices in stack.shared[path].items():
            found[record_id] = found.get(record_id, True) and first_suffices
    return found


def _tell_apart(
    rows: pl.DataFrame, sightings: pl.DataFrame, shared: Mapping[str, bool]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give the longer id also to papers whose dump prints only one of the papers that share a title."""
    lone = rows.filter(pl.col("record_id").is_in(list(shared)) & pl.col("authors").is_not_null())
    if lone.is_empty():
        return rows, sightings
    renamed = lone.select(
        "record_id",
        "dump",
        new_id=pl.Series(
            [
                "{}/{}".format(
                    row["record_id"],
                    author_key([author["name"] for author in row["authors"]], first_only=shared[row["record_id"]]),
                )
                for row in lone.iter_rows(named=True)
            ]
        ),
    )
    noted = pl.when(pl.col("new_id").is_not_null()).then(pl.concat_list("notes", pl.lit("key_shared")))
    new_id = pl.coalesce("new_id", "record_id")
    rows, sightings = (
        frame.join(renamed, on=("record_id", "dump"), how="left", maintain_order="left") for frame in (rows, sightings)
    )
    rows = rows.with_columns(noted.otherwise(pl.col("notes")).alias("notes"), record_id=new_id).drop("new_id")
    return rows, sightings.with_columns(record_id=new_id).drop("new_id")


def supplied_columns(records: pl.DataFrame, sightings: pl.DataFrame) -> pl.DataFrame:
    """Return records with only the columns that certain sightings supplied: what is known of a capture that is gone."""
    fields = sightings.select("record_id", pl.col("fields").alias(_SUPPLIED)).explode(_SUPPLIED).drop_nulls(_SUPPLIED)
    joined = records.join(fields.group_by("record_id").agg(_SUPPLIED), on="record_id")
    kept = [
        pl.col(name) if name in FIXED else pl.when(pl.col(_SUPPLIED).list.contains(name)).then(pl.col(name))
        for name in records.columns
    ]
    return joined.select(kept).match_to_schema(RECORD_TYPES)
