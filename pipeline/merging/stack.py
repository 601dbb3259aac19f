"""Stacks the rows of many readings: joined now and then, since many small frames take more memory than their rows."""

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import polars as pl

from pipeline.reading.frames import QUARANTINE_TYPES, RECORD_TYPES, SIGHTING_TYPES
from pipeline.reading.read import Reading

_DATED: Final = pl.Schema({**RECORD_TYPES, "captured_at": pl.Datetime("us")})
_TABLES: Final = {"records": _DATED, "sightings": SIGHTING_TYPES, "quarantine": QUARANTINE_TYPES}
_JOINED: Final = 64
"""Frames that are joined at a time."""


class Stack:
    """The rows of readings by table; those of ``records`` have the capture time, which orders them when merged.

    ``shared`` has for each dump the record ids shared by papers with one title; True where first authors distinguish
    them. ``good`` has the hash of each of these dumps that is not a failed one.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._frames: dict[str, list[pl.DataFrame]] = {name: [] for name in _TABLES}
        self._waiting: dict[str, list[pl.DataFrame]] = {name: [] for name in _TABLES}
        self.shared: dict[str, Mapping[str, bool]] = {}
        self.good: dict[str, str | None] = {}

    @property
    def dumps(self) -> AbstractSet[str]:
        """The paths of the dumps whose readings were added."""
        return self.shared.keys()

    def add(self, reading: Reading) -> None:
        """Add the rows of a reading."""
        if reading.error is None:
            self.good[reading.dump.path] = reading.sha256
        captured = pl.lit(reading.dump.facts.captured_at, pl.Datetime("us"))
        self._push("records", reading.records.with_columns(captured_at=captured))
        self._push("sightings", reading.sightings)
        self._push("quarantine", reading.quarantine)
        self.shared[reading.dump.path] = {f"{reading.dump.source}:{key}": each for key, each in reading.shared.items()}

    def _push(self, table: str, frame: pl.DataFrame) -> None:
        """Add a frame, and join those that wait."""
        waiting = self._waiting[table]
        if frame.height:
            waiting.append(frame)
        if len(waiting) >= _JOINED:
            self._frames[table].append(pl.concat(waiting, rechunk=True))
            waiting.clear()

    def frame(self, table: str, dumps: Collection[str]) -> pl.DataFrame:
        """Return the rows of a table from some dumps, in the order in which these were added."""
        wanted = sorted(self.dumps & set(dumps))
        found = [*self._frames[table], *self._waiting[table]]
        if len(wanted) < len(self.shared):
            found = [frame.filter(pl.col("dump").is_in(wanted)) for frame in found]
        return pl.concat([pl.DataFrame(schema=_TABLES[table]), *found])
