"""Published datasets of invented rows for tests of the faces: each call of ``put`` publishes one more snapshot."""

import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.export._format import Report, load_format
from pipeline.export._run import export
from pipeline.publishing.changes import find_changes
from pipeline.publishing.files import block_of
from pipeline.publishing.store import Snapshot, latest_snapshot
from pipeline.viewing.selection import Row, Selection
from pipeline.works.changes import changed_works
from pipeline.works.works import find_works
from schemas.tables import CONTRACT_VERSION, RECORDS, SIGHTINGS, polars_schema
from tests.support.manifests import put_manifest, source_block

AT_NINE = datetime(2026, 8, 3, 9)
AT_TEN = datetime(2026, 8, 3, 10)


def person(name: str, affiliation: str | None = None, country: str | None = None) -> Row:
    """Make an author or a chair."""
    return {"name": name, "affiliation": affiliation, "country": country}


def slot(starts_at: datetime | None = AT_NINE, ends_at: datetime | None = AT_TEN, room: str | None = "Fjord") -> Row:
    """Make a slot."""
    return {"starts_at": starts_at, "ends_at": ends_at, "room": room}


def record(key: str = "fjord-2026/hay", **fields: Any) -> Row:
    """Make a record of the source ``fair``: a paper with nothing but a title, unless the fields say more.

    Room and times are those of its first slot.
    """
    source = fields.get("source", "fair")
    row: Row = dict.fromkeys(RECORDS.columns)
    first = (fields.get("slots") or [slot(None, None, None)])[0]
    row |= {"record_id": f"{source}:{key}", "source": source, "kind": "paper", "title": "Hay", **first, "notes": []}
    row |= {"dump": f"{source}/a.txt", "dump_sha256": "0" * 64, "parser": f"{source}@1", "line_start": 1, "line_end": 1}
    return row | fields


def talk(key: str = "fjord-2026/hay", **fields: Any) -> Row:
    """Make a record of FJORD 2026 with one slot from nine to ten, unless the fields say otherwise."""
    return record(key, **{"event": "FJORD 2026", "slots": [slot()], **fields})


class Shelf:
    """An out root of a test."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is the test's own."""
        self.out = folder / "out"

    def put(
        self,
        *rows: Row,
        stamp: str = "20260801T000000Z",
        version: str = CONTRACT_VERSION,
        retitled: Sequence[tuple[str, str]] = (),
    ) -> Snapshot:
        """Publish the rows as a snapshot of that moment, with one sighting each and the change feed.

        ``retitled`` are the ids, old and new, of records that have another title.
        """
        before = latest_snapshot(self.out)
        folder = self.out / "snapshots" / f"{stamp}-00000000"
        moment = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).isoformat()
        sources = sorted({row["source"] for row in rows} | set(before.manifest["sources"] if before else ()))
        changes = [find_changes(None, None)]
        for source in sources:
            frame = frame_of(row for row in rows if row["source"] == source)
            write(frame, folder / "parquet" / f"{source}.parquet")
            write(sightings_of(frame), folder / "sightings" / f"{source}.parquet")
            changes.append(find_changes(before.table("records", source) if before else None, frame, retitled))
        write(pl.concat(changes), folder / "changes.parquet")
        works = find_works(frame_of(rows))
        write(works.works, folder / "works.parquet")
        write(works.members, folder / "work_members.parquet")
        had = before.load("work_members", "work_members.parquet") if before else works.members.clear()
        write(changed_works(had, works.members, works.works), folder / "work_changes.parquet")
        manifest = {
            "contract_version": version,
            "files": {
                file.relative_to(folder).as_posix(): block_of(file) for file in sorted(folder.rglob("*.parquet"))
            },
            "sources": {name: source_block(refreshed_at=moment) for name in sources},
            "previous": before.id if before else None,
        }
        put_manifest(folder, manifest)
        link = self.out / "latest"
        link.unlink(missing_ok=True)
        link.symlink_to(folder, target_is_directory=True)
        return Snapshot(folder, manifest)

    def select(self, **chosen: Any) -> Selection:
        """Select rows of the newest snapshot."""
        snapshot = latest_snapshot(self.out)
        assert snapshot is not None
        return Selection(snapshot, **chosen)

    def export(self, name: str, **chosen: Any) -> str:
        """Return what a format writes of the selected rows."""
        output = io.BytesIO()
        export(load_format(name), self.select(**chosen), None, output)
        return output.getvalue().decode()

    def report(self, name: str, file: Path, **chosen: Any) -> Report:
        """Write a file and return the report."""
        return export(load_format(name), self.select(**chosen), file, io.BytesIO())


def frame_of(rows: Iterable[Row]) -> pl.DataFrame:
    """Make a table of records, sorted as published."""
    return pl.DataFrame(list(rows), schema=polars_schema(RECORDS)).sort("record_id")


def sightings_of(records: pl.DataFrame) -> pl.DataFrame:
    """Make a table with one sighting a record."""
    seen = records.select("record_id", "source", "dump", "dump_sha256", "parser", rank=pl.lit(1, pl.UInt32))
    return pl.concat([pl.DataFrame(schema=polars_schema(SIGHTINGS)), seen], how="diagonal")


def write(frame: pl.DataFrame, file: Path) -> None:
    """Write a table, making its folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(file)
