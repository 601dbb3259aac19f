"""One published snapshot as frames: resolved once, each file held to the manifest before it is read."""

import os
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path

import polars as pl

from pipeline.base.settings import UsageError, resolve_out
from pipeline.base.suggest import check_names, meant
from pipeline.publishing.chain import older_than
from pipeline.publishing.store import ALL_TABLES, ONE_FILE, Snapshot, StoreError, latest_snapshot
from schemas.tables import CHANGES, Table, polars_schema


class Dataset:
    """A published snapshot. It never changes, whatever a refresh publishes meanwhile.

    Every table is a lazy frame with the columns of the contract; each file is hashed, once, when its table is asked
    for. Methods raise ``StoreError`` where a file does not match the manifest, and ``UsageError`` for a source that has
    nothing published.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Use ``dataset`` to find the newest snapshot of an out root."""
        self._snapshot = snapshot

    def __repr__(self) -> str:
        """Name the snapshot."""
        return f"Dataset({str(self.folder)!r})"

    @property
    def id(self) -> str:
        """The id of the snapshot: the start of its run in UTC, and a hash of its data."""
        return self._snapshot.id

    @property
    def folder(self) -> Path:
        """The folder of the snapshot, without links."""
        return self._snapshot.folder

    @property
    def made_at(self) -> datetime:
        """The start of the run that made the snapshot, in UTC."""
        return self._snapshot.made_at

    @property
    def sources(self) -> list[str]:
        """The names of the sources that have records, sorted."""
        return sorted(name for name, block in self._snapshot.sources.items() if block["published"])

    @property
    def snapshots(self) -> list[str]:
        """The ids of the snapshots that are kept, from this one to the oldest before it."""
        return [self.id, *(each.id for each in older_than(self._snapshot))]

    def at(self, moment: str | date) -> "Dataset":
        """Return an older snapshot: by its id, or the newest made before a day or moment (UTC) ended.

        Raises ``UsageError`` where none of those that are kept is meant.
        """
        every = [self._snapshot, *older_than(self._snapshot)]
        found = [each for each in every if _is_meant(each, moment)]
        if not found:
            raise UsageError(f"no such snapshot: {moment}; kept are {', '.join(each.id for each in every)}")
        return Dataset(found[0])

    def records(self, *sources: str) -> pl.LazyFrame:
        """Return the records of some sources, or of all: a row a talk, paper or other item, by ``record_id``."""
        return self.table("records", *sources)

    def event(self, name: str) -> pl.LazyFrame:
        """Return the records of an event, such as ``CLUSTER 2025``, in any case.

        Raises ``UsageError`` for an unknown one.
        """
        records = self.records()
        events = sorted(records.select(pl.col("event").drop_nulls().unique()).collect()["event"])
        wanted = [each for each in events if each.casefold() == name.casefold()]
        if not wanted:
            raise UsageError(f"no such event: {name}{meant(name, events)}")
        return records.filter(pl.col("event").is_in(wanted))

    def sightings(self, *sources: str) -> pl.LazyFrame:
        """Return a row for each occurrence of a record in a dump, with what that dump says."""
        return self.table("sightings", *sources)

    def quarantine(self, *sources: str) -> pl.LazyFrame:
        """Return what did not become a valid record: dump, line, reason, text."""
        return self.table("quarantine", *sources)

    def captures(self, *sources: str) -> pl.LazyFrame:
        """Return the dumps that the records come from, and those that could not be used."""
        return self.table("captures", *sources)

    def changes(self) -> pl.LazyFrame:
        """Return what the snapshot changed against the one before."""
        return self.table(CHANGES.name)

    def works(self) -> pl.LazyFrame:
        """Return the works: papers, keynotes and tutorials, each once, wherever they are listed."""
        return self.table("works")

    def members(self) -> pl.LazyFrame:
        """Return the records of each work, with the rule that joins each."""
        return self.table("work_members")

    def sql(self, text: str) -> pl.DataFrame:
        """Return the rows of a query in the SQL of DuckDB; every table is a view, and so are ``slots`` and ``people``.

        Raises ``FailedError`` without the extra ``conspectus[sql]``, and for a query that is refused.
        """
        from pipeline.library.sql import query  # noqa: PLC0415  # an extra

        return query(self, text)

    def table(self, name: str, *sources: str) -> pl.LazyFrame:
        """Return any table of the dataset by its name; of some sources, or of all.

        Raises ``UsageError`` for an unknown table, and for sources of a table that is about all of them.
        """
        check_names("no such table", [name], ALL_TABLES)
        paths = self.paths(name, *sources)
        return _scan(paths, ALL_TABLES[name]) if paths else pl.LazyFrame(schema=polars_schema(ALL_TABLES[name]))

    def paths(self, table: str, *sources: str) -> list[Path]:
        """Return the files of a table, each held to the manifest."""
        if table in ONE_FILE:
            if sources:
                raise UsageError(f"{table} is one table of all sources: filter it, found {', '.join(sources)}")
            paths = [path for path in (ONE_FILE[table],) if path in self._snapshot.files]
        else:
            check_names("not published", sources, self._snapshot.sources)
            names = sources or sorted(self._snapshot.sources)
            paths = [path for name in names for path in self._snapshot.pieces(table, name).values()]
        return list(map(self._snapshot.whole_file, paths))


def dataset(out: str | Path | None = None) -> Dataset:
    """Return the newest snapshot of an out root: as given, else as ``CONSPECTUS_OUT`` names it, else ``./out``.

    Raises ``StoreError`` where nothing is published, or where it is damaged.
    """
    root = resolve_out(os.environ, None if out is None else str(out))
    snapshot = latest_snapshot(root)
    if snapshot is None:
        raise StoreError(f"nothing is published below {root}")
    return Dataset(snapshot)


def _scan(paths: Iterable[Path], table: Table) -> pl.LazyFrame:
    """Return the rows of some files; columns that an older minor version of the contract lacks are null."""
    types = polars_schema(table)
    frames = (
        pl.scan_parquet(path, glob=False).match_to_schema(
            types, missing_columns="insert", missing_struct_fields="insert"
        )
        for path in paths
    )
    return pl.concat(frames)


def _is_meant(snapshot: Snapshot, moment: str | date) -> bool:
    """True if a snapshot has an id, or was made before the end of a day or moment."""
    if isinstance(moment, str):
        return snapshot.id == moment
    if isinstance(moment, datetime):
        return snapshot.made_at <= moment
    return snapshot.made_at.date() <= moment
