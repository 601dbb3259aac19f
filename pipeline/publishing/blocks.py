"""The schema of a manifest: the keys that it must have, and their types.

A manifest is checked once, when it is opened, so that later code meets only what is declared here. Undeclared keys are
allowed: a later version may add some. Written by hand, since a library for this takes longer to import than most
commands take to run.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from pipeline.publishing.pieces import source_of

FindFault = Callable[[object], str | None]
"""Returns None for a valid value, else the place of the fault, as keys with dots before them, and the reason."""


def find_fault(manifest: object) -> str | None:
    """Return what is missing or invalid in a manifest, naming the key; None if it is valid."""
    if not isinstance(manifest, dict) or not manifest.keys() >= {"contract_version", "sources", "files"}:
        return "with contract_version, sources and files"
    fault = MANIFEST(manifest) or _disagreement(manifest)
    return None if fault is None else f"found a fault at {fault.removeprefix('.')}"


def _disagreement(manifest: Mapping[str, Any]) -> str | None:
    """Return the fault of a source that has files but no block, or rows but no age; None if there is none."""
    sources = manifest["sources"]
    for path in manifest["files"]:
        if "/" in path and source_of(path) not in sources:
            return f".files.{path}: expected a source of this name"
    for source, block in sources.items():
        if block["published"] and block["refreshed_at"] is None:
            return f".sources.{source}.refreshed_at: expected the age of the rows"
    return None


def _is(wanted: str, holds: Callable[[object], bool]) -> FindFault:
    """Check a value by a condition, which ``wanted`` describes."""
    return lambda value: None if holds(value) else f": expected {wanted}"


def _or_null(check: FindFault) -> FindFault:
    """Accept null too."""
    return lambda value: None if value is None else check(value)


def _each(check: FindFault) -> FindFault:
    """Check every element of a list."""

    def find(value: object) -> str | None:
        if not isinstance(value, list):
            return ": expected a list"
        faults = ((place, check(element)) for place, element in enumerate(value))
        return next((f".{place}{fault}" for place, fault in faults if fault is not None), None)

    return find


def _named(name: Callable[[str], bool], check: FindFault) -> FindFault:
    """Check every name and every value of a table."""

    def find(value: object) -> str | None:
        if not isinstance(value, dict):
            return ": expected names and values"
        faults = ((key, check(element) if name(key) else ": expected another name") for key, element in value.items())
        return next((f".{key}{fault}" for key, fault in faults if fault is not None), None)

    return find


def _having(needed: Mapping[str, FindFault], more: Mapping[str, FindFault]) -> FindFault:
    """Check the values of required and of optional keys."""
    declared = {**needed, **more}

    def find(value: object) -> str | None:
        if not isinstance(value, dict):
            return ": expected names and values"
        for key, check in declared.items():
            fault = check(value[key]) if key in value else (": missing" if key in needed else None)
            if fault is not None:
                return f".{key}{fault}"
        return None

    return find


def _zone_of(value: object) -> bool | None:
    """True if a text is a moment with its zone, False if it is one without; None for anything else."""
    try:
        return datetime.fromisoformat(value).tzinfo is not None if isinstance(value, str) else None
    except ValueError:
        return None


def _is_inside(path: str) -> bool:
    """True if a path stays below the snapshot."""
    return bool(path) and not path.startswith("/") and "\0" not in path and ".." not in PurePosixPath(path).parts


def _is_word(name: str) -> bool:
    """True if a name can be that of a source."""
    return re.fullmatch(r"\w+", name) is not None


def _any(_: str) -> bool:
    """Accept every name."""
    return True


_TEXT: Final = _is("a text", lambda value: isinstance(value, str))
_VERSION: Final = _is("a version", lambda value: isinstance(value, str) and "." in value)
_FLAG: Final = _is("true or false", lambda value: isinstance(value, bool))
_COUNT: Final = _is("a number", lambda value: isinstance(value, int) and value >= 0 and not isinstance(value, bool))
_VALUE: Final = _is("a plain value", lambda value: value is None or isinstance(value, str | int))
_HASH: Final = _is(
    "a SHA-256", lambda value: isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None
)
_MOMENT: Final = _is("a time with its zone", lambda value: _zone_of(value) is True)
_CAPTURED: Final = _is("a time without zone", lambda value: _zone_of(value) is False)

_SOURCE: Final = _having(
    {
        "status": _TEXT,
        "error": _or_null(_TEXT),
        "refreshed_at": _or_null(_MOMENT),
        "published": _COUNT,
        "records": _or_null(_COUNT),
        "quarantined": _COUNT,
        "reasons": _named(_any, _COUNT),
        "lines": _named(_any, _COUNT),
    },
    {
        "checked_at": _or_null(_MOMENT),
        "lost": _FLAG,
        "code": _or_null(_TEXT),
        "changes": _or_null(_named(_any, _COUNT)),
        "attention": _each(_TEXT),
        "waiting": _named(_any, _having({"since": _TEXT, "shows": _TEXT}, {})),
    },
)
_FILE: Final = _having({"sha256": _HASH, "rows": _or_null(_COUNT), "bytes": _COUNT}, {"begins": _TEXT})

MANIFEST: Final = _having(
    {"contract_version": _VERSION, "sources": _named(_is_word, _SOURCE), "files": _named(_is_inside, _FILE)},
    {"previous": _or_null(_TEXT), "unclaimed": _named(_any, _TEXT)},
)
