"""Rows of a table in parts: one in memory, or many in files, so that memory need not grow with the table."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from uuid import uuid4

import polars as pl

from pipeline.base.settings import FailedError


class Parts:
    """The rows of a table, part after part; with a folder each part waits in a file of it."""

    def __init__(self, folder: TemporaryDirectory[str] | None = None) -> None:
        """Begin without rows; the folder lasts as long as they do."""
        self.folder = folder
        self.height = 0
        self._parts: list[pl.DataFrame | Path] = []

    @classmethod
    def of(cls, frame: pl.DataFrame, folder: TemporaryDirectory[str] | None = None) -> Self:
        """Return a frame as its one part."""
        made = cls(folder)
        made.add(frame)
        return made

    def add(self, frame: pl.DataFrame) -> None:
        """Add a part. Raises ``FailedError`` where its file cannot be written."""
        self.height += frame.height
        if self.folder is None:
            self._parts.append(frame)
            return
        file = Path(self.folder.name) / f"{uuid4().hex}.arrow"
        try:
            with file.open("wb") as opened:
                frame.write_ipc_stream(opened, compression="lz4")
        except (OSError, pl.exceptions.ComputeError) as error:
            raise FailedError(f"{file.parent}: expected room for the rows of a source (set TMPDIR): {error}") from error
        self._parts.append(file)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """Yield the parts, each read when it is asked for."""
        for part in self._parts:
            yield part if isinstance(part, pl.DataFrame) else pl.read_ipc_stream(part)

    def whole(self) -> pl.DataFrame:
        """Return all rows."""
        return pl.concat(list(self))
