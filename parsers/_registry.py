"""Finds the sources by scanning this folder: every module or package without a leading underscore is one.

So is every file of tables ``systems/<name>.toml`` (see ``parsers._systems``): no parser opens a file, this module does.
"""

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import parsers
from parsers._contract import Source
from parsers._ledger.bundle import Patterns, bundles_in

SYSTEMS: Final = "systems"
"""The folder of the files of tables."""


class Registry(Mapping[str, Source]):
    """The sources by name, sorted. Listing the names imports nothing; a source is imported on access.

    Raises ``TypeError`` if a module does not export its ``SOURCE``.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Keep the names."""
        self._names = dict.fromkeys(sorted(names))

    def __getitem__(self, name: str) -> Source:
        """Import a source. Raises ``KeyError`` for an unknown name."""
        if name not in self._names:
            raise KeyError(name)
        return find_source(name)

    def __contains__(self, name: object) -> bool:
        """True if there is a source of this name."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return the number of sources."""
        return len(self._names)


@cache
def sources() -> Mapping[str, Source]:
    """Return the known sources by name, sorted; a module is imported when its source is accessed."""
    modules = (info.name for info in pkgutil.iter_modules(parsers.__path__) if not info.name.startswith("_"))
    return Registry([*modules, *systems()])


def systems() -> dict[str, Path]:
    """Return the files of the systems by name."""
    return {file.stem: file for folder in parsers.__path__ for file in Path(folder, SYSTEMS).glob("*.toml")}


@cache
def companions_of(source: str) -> frozenset[str]:
    """Return the patterns of the files that belong to dumps of a source, by its file of tables; none of a module."""
    return frozenset(pattern for each in bundles_of(source) for several in each.values() for pattern in several)


@cache
def bundles_of(source: str) -> tuple[Patterns, ...]:
    """Return the patterns of each layout of a source, by its file of tables; none of a module."""
    file = systems().get(source)
    return bundles_in(file.read_text(encoding="utf-8")) if file is not None else ()


@cache
def find_source(name: str) -> Source:
    """Import one source and no other. Raises ``TypeError`` if it exports no ``SOURCE`` of that name.

    A system is made of its file; raises ``TableError`` if that is wrong.
    """
    if (file := systems().get(name)) is not None:
        from parsers._systems import make_source  # noqa: PLC0415  # only for systems

        return make_source(name, file.read_text(encoding="utf-8"))
    exported = getattr(import_module(f"parsers.{name}"), "SOURCE", None)
    if not isinstance(exported, Source) or exported.name != name:
        found = getattr(exported, "name", exported)
        raise TypeError(f"parsers.{name} must export SOURCE, a Source named {name!r}; found {found!r}")
    return exported
