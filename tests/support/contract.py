"""The dataset contract as plain values, and the version number that the difference of two contracts requires."""

from typing import Any, Final

import polars as pl

from pipeline.publishing.pieces import FOLDERS
from pipeline.publishing.store import CHANGES_FILE, LATEST, MANIFEST, SNAPSHOTS
from schemas import vocabulary
from schemas.tables import CHANGES, CONTRACT_VERSION, TABLES

LISTS: Final = ("KINDS", "LISTING_SECTIONS", "LINKS", "FORMATS", "STAGES", "NOTES", "REASONS", "CHANGE_KINDS")

Contract = dict[str, Any]


def declared_contract() -> Contract:
    """Return version, columns with type and nullability, closed lists, and names of files, as declared today."""
    tables = {
        table.name: {
            name: {"type": plain_type(column.dtype), "null": column.nullable} for name, column in table.columns.items()
        }
        for table in (*TABLES.values(), CHANGES)
    }
    return {
        "version": CONTRACT_VERSION,
        "tables": tables,
        "lists": {name: sorted(getattr(vocabulary, name)) for name in LISTS},
        "files": {**FOLDERS, "changes": CHANGES_FILE, "manifest": MANIFEST, "newest": f"{LATEST} -> {SNAPSHOTS}"},
    }


def plain_type(dtype: Any) -> Any:
    """Return a polars type as plain values: a name, a list of one type, fields by name."""
    instance = dtype() if isinstance(dtype, type) else dtype
    if isinstance(instance, pl.List):
        return [plain_type(instance.inner)]
    if isinstance(instance, pl.Struct):
        return {field.name: plain_type(field.dtype) for field in instance.fields}
    return str(instance)


def needed(released: Contract, declared: Contract) -> str:
    """Return the part of the version that the difference raises: ``none``, ``minor`` or ``major``.

    A new nullable column at any place, a new field in a struct, a new code or file: minor. Anything else, including
    another order of existing names: major.
    """
    steps = {"none"}
    for table, columns in released["tables"].items():
        now = declared["tables"].get(table, {})
        steps |= set() if in_order(columns, now) else {"major"}
        steps |= {"minor" if now[name]["null"] else "major" for name in now.keys() - columns.keys()}
        steps |= {column_step(columns[name], now[name]) for name in columns.keys() & now.keys()}
    for name, codes in released["lists"].items():
        now = set(declared["lists"].get(name, ()))
        steps |= {"major"} if set(codes) - now else {"minor"} if now - set(codes) else set()
    steps |= {"minor"} if declared["tables"].keys() - released["tables"].keys() else set()
    steps |= {type_step(released["files"], declared["files"])}
    return max(steps, key=("none", "minor", "major").index)


def in_order(before: Contract, after: Contract) -> bool:
    """True if ``after`` has all names of ``before`` in the same order, with any others between."""
    return [name for name in after if name in before] == list(before)


def column_step(before: Any, after: Any) -> str:
    """Return the part of the version that the difference of one column raises."""
    if before["null"] != after["null"]:
        return "major"
    return type_step(before["type"], after["type"])


def type_step(before: Any, after: Any) -> str:
    """Return the part of the version that the difference of two types raises."""
    if before == after and str(before) == str(after):  # dicts are equal in any order
        return "none"
    if isinstance(before, list) and isinstance(after, list):
        return type_step(before[0], after[0])
    if isinstance(before, dict) and isinstance(after, dict) and before.items() <= after.items():
        return "minor" if in_order(before, after) else "major"
    return "major"


def raised(before: str, after: str) -> str:
    """Return the part of a version number that was raised: ``none``, ``minor`` or ``major``."""
    (old_major, old_minor), (major, minor) = (map(int, version.split(".")) for version in (before, after))
    return "major" if major > old_major else "minor" if (major, minor) > (old_major, old_minor) else "none"
