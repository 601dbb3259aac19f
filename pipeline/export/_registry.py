"""Finds the formats by scanning this folder: every module without a leading underscore is one.

Names and titles are read without importing a module, so that the help of the command line is fast.
"""

import ast
import pkgutil
from importlib import import_module
from pathlib import Path

import pipeline.export as package
from pipeline.export._format import ExportFormat


def format_titles() -> dict[str, str]:
    """Return the title of each format by name, sorted: the first line of its module's docstring."""
    folder = Path(package.__path__[0])
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
    """Return the first line of a module's docstring, without the full stop."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n", 1)[0].removesuffix(".")
