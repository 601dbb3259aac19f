"""Finds the sources by scanning this folder: every module or package without a leading underscore is one."""

import pkgutil
from functools import cache
from importlib import import_module

import parsers
from parsers._contract import Source


@cache
def sources() -> dict[str, Source]:
    """Return the known sources by name, sorted. Raises ``TypeError`` where a module does not export its ``SOURCE``."""
    names = sorted(info.name for info in pkgutil.iter_modules(parsers.__path__) if not info.name.startswith("_"))
    return {name: find_source(name) for name in names}


@cache
def find_source(name: str) -> Source:
    """Import one source, and no other; what it exports must bear its name. Raises ``TypeError`` where it does not."""
    exported = getattr(import_module(f"parsers.{name}"), "SOURCE", None)
    if not isinstance(exported, Source) or exported.name != name:
        found = getattr(exported, "name", exported)
        raise TypeError(f"parsers.{name} must export SOURCE, a Source named {name!r}; found {found!r}")
    return exported
