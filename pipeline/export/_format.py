"""The declaration of an export format (``ExportFormat``), the result of writing one (``Report``), finding the formats.

Every module of this folder without a leading underscore is a format. Names and titles are read without importing it, so
that the help of the command line is fast.
"""

from __future__ import annotations

import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the command line reads the formats without polars
    from pipeline.viewing.selection import Selection

_DOCSTRING: Final = re.compile(r'r?"""(.+?)\.?(?:""")?$')


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


def format_titles() -> dict[str, str]:
    """Return the title of each format by name, sorted: the first line of its module's docstring."""
    folder = Path(__file__).parent
    names = sorted(info.name for info in pkgutil.iter_modules([str(folder)]) if not info.name.startswith("_"))
    return {name.replace("_", "-"): _first_line(folder / f"{name}.py") for name in names}


def load_format(name: str) -> ExportFormat:
    """Import a format by name. Raises ``TypeError`` where its module does not export ``FORMAT`` of that name."""
    module = f"pipeline.export.{name.replace('-', '_')}"
    exported = getattr(import_module(module), "FORMAT", None)
    if not isinstance(exported, ExportFormat) or exported.name != name:
        found = getattr(exported, "name", exported)
        raise TypeError(f"{module} must export FORMAT, a Format named {name!r}; found {found!r}")
    return exported


def _first_line(file: Path) -> str:
    """Return the first line of a module's docstring, with which it begins, without the full stop."""
    with file.open(encoding="utf-8") as module:
        found = _DOCSTRING.match(module.readline())
    return found[1] if found else ""
