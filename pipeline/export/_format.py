"""The declaration of an export format (``ExportFormat``) and the result of writing one (``Report``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line reads the formats without polars
    from pipeline.viewing.selection import Selection


class ExportError(Exception):
    """There is nothing to write, or not in this format; the message says why."""


@dataclass(frozen=True, slots=True)
class Report:
    """The number of items written, with their name in the format, and of records left out, by reason.

    ``remarks`` say what the file lacks that its readers may need.
    """

    written: int
    unit: str
    left_out: Mapping[str, int] = field(default_factory=Counter)
    remarks: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the report for a person: what was written, then each reason with its count."""
        left = [f"left out: {count} records {reason}" for reason, count in sorted(self.left_out.items())]
        return [f"written: {self.written} {self.unit}", *left, *self.remarks]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: its name (that of its module, hyphens for underscores) and the function that writes it.

    ``write`` writes the whole file and raises ``ExportError`` where the selection has nothing that the format can
    carry. ``streams`` is True if the file can go to the standard output; a database cannot.
    """

    name: str
    suffix: str
    write: Callable[[Selection, Path], Report]
    streams: bool = True
