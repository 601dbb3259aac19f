"""Writes durably, switches the link atomically, deletes without partial snapshots.

A process can be killed between any two steps, and the disk can be full at each: whatever is not yet or no longer
published has a name that ``make_room`` recognises, and the next run deletes it.
"""

import shutil
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from pipeline.base.disk import sync
from pipeline.publishing.chain import OLD_PREFIX, Chain, is_leftover
from pipeline.publishing.store import LATEST, MANIFEST, SNAPSHOTS, sealed

_ANY: Final[TypeAdapter[object]] = TypeAdapter(Any)
"""Writes JSON in an eighth of the time of the standard library, which indents in Python."""


def make_room(out: Path, chain: Chain) -> list[str]:
    """Delete what killed runs, or runs without space, left behind; move aside what is in the way of link and snapshots.

    Only paths with names that nothing else has are deleted. Returns one line for each path that was moved aside.
    """
    snapshots = out / SNAPSHOTS
    reported = [line for path in (snapshots, out / LATEST) if (line := _move_aside(path)) is not None]
    snapshots.mkdir(exist_ok=True)
    take_away(_link_of(out))
    for path in sorted(snapshots.iterdir()):
        if is_leftover(path):
            take_away(path)
    for folder in chain.unpublished:
        remove(folder)
    for snapshot in chain.kept:
        take_away(_fresh_manifest(snapshot.folder))
    return reported


def take_away(path: Path) -> None:
    """Delete whatever is at a path, if anything; of a link the link alone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def move_aside(path: Path) -> Path:
    """Rename what is in the way, losing nothing of it; return its new path."""
    numbered = (path.with_name(f"{path.name.lstrip('.')}.aside-{number}") for number in count(1))
    aside = next(each for each in numbered if not each.exists() and not each.is_symlink())
    path.rename(aside)
    return aside


def _move_aside(path: Path) -> str | None:
    """Move aside what is in place of the link or of the snapshot folder; return a line on it, None if all is well."""
    if path.name == LATEST:
        wanted, fits = "the link to the newest snapshot", path.is_symlink() or not path.exists()
    else:
        wanted, fits = "the snapshots folder", path.is_dir() or not (path.exists() or path.is_symlink())
    return None if fits else f"moved aside: {path.name}: expected {wanted}; renamed to {move_aside(path).name}"


def remove(folder: Path) -> None:
    """Delete a snapshot: it is renamed first, so that a partial one never appears."""
    gone = folder.with_name(f"{OLD_PREFIX}{folder.name}")
    folder.rename(gone)
    shutil.rmtree(gone)


def switch(out: Path, name: str) -> None:
    """Point the link at the new snapshot, atomically."""
    fresh = _link_of(out)
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(Path(SNAPSHOTS) / name, target_is_directory=True)
    fresh.replace(out / LATEST)
    sync(out)


def prune(snapshots: Path, keep: int, newest_first: Sequence[str]) -> None:
    """Delete the oldest snapshots beyond ``keep``, which is at least 1."""
    for name in reversed(newest_first[keep:]):
        remove(snapshots / name)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write or replace the manifest atomically."""
    fresh = _fresh_manifest(folder)
    take_away(fresh)
    fresh.write_bytes(sealed(manifest))
    sync(fresh)
    fresh.replace(folder / MANIFEST)
    sync(folder)


def write_json(file: Path, value: object) -> None:
    """Write a value as indented JSON."""
    file.write_bytes(_ANY.dump_json(value, indent=2) + b"\n")


def _link_of(out: Path) -> Path:
    """Return the path of the link before it is moved into place."""
    return out / f".{LATEST}"


def _fresh_manifest(folder: Path) -> Path:
    """Return the path of the manifest before it is moved into place."""
    return folder / f".{MANIFEST}"
