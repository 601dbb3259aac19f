"""What an export format declares about itself (``Format``) and what it says when it is done (``Report``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line reads the formats without polars
    from pipeline.export._selection import Selection


class ExportError(Exception):
    """There is nothing to write, or not in this format; the message says what there is or what would do."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written, in the format's own words, and what was left out, by reason."""

    written: int
    unit: str
    left_out: Mapping[str, int] = field(default_factory=Counter)

    def lines(self) -> list[str]:
        """Return the report as people read it: what was written, then each reason with its count."""
        left = [f"left out: {count} records {reason}" for reason, count in sorted(self.left_out.items())]
        return [f"written: {self.written} {self.unit}", *left]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name (that of its module, hyphens for underscores) and the function that writes it.

    ``write`` writes the whole file and raises ``ExportError`` where the selection holds nothing that the format can
    carry. ``streams`` says whether the file can go to the standard output; a database cannot.
    """

    name: str
    suffix: str
    write: Callable[[Selection, Path], Report]
    streams: bool = True
