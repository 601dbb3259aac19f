"""What publishing asks of the disk: write through, read back, switch one link, take away without leaving halves.

A process can be killed between any two of these steps, and a disk can be full at each: whatever is not published yet,
or no longer, bears a name that ``make_room`` knows, and the next run removes it. What snapshots hold is not said here.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from pipeline.disk import sync
from pipeline.publishing.chain import OLD_PREFIX, Chain, is_leftover
from pipeline.publishing.store import LATEST, MANIFEST, SNAPSHOTS, sealed


def make_room(out: Path, chain: Chain) -> list[str]:
    """Take away what runs that were killed, or had no space left, have left behind, and what is in the way of the link.

    Only what bears a name that nobody else gives is taken away, whatever it is; the rest is moved aside and told.
    """
    snapshots = out / SNAPSHOTS
    told = [line for path in (snapshots, out / LATEST) if (line := _move_aside(path)) is not None]
    snapshots.mkdir(exist_ok=True)
    take_away(_link_of(out))
    for path in sorted(snapshots.iterdir()):
        if is_leftover(path):
            take_away(path)
    for folder in chain.unpublished:
        remove(folder)
    for snapshot in chain.kept:
        take_away(_fresh_manifest(snapshot.folder))
    return told


def take_away(path: Path) -> None:
    """Remove whatever is at a path, if anything; of a link the link alone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def move_aside(path: Path) -> Path:
    """Rename what stands in the way; nothing of it is lost. Return where it is now."""
    numbered = (path.with_name(f"{path.name.lstrip('.')}.aside-{number}") for number in count(1))
    aside = next(each for each in numbered if not each.exists() and not each.is_symlink())
    path.rename(aside)
    return aside


def _move_aside(path: Path) -> str | None:
    """Move aside what is neither the link to a snapshot nor the folder of all, and return what to tell."""
    if path.name == LATEST:
        wanted, fits = "the link to the newest snapshot", path.is_symlink() or not path.exists()
    else:
        wanted, fits = "the folder of the snapshots", path.is_dir() or not (path.exists() or path.is_symlink())
    return (
        None if fits else f"moved aside: {path.name}: expected {wanted}; what was there is now {move_aside(path).name}"
    )


def remove(folder: Path) -> None:
    """Remove a snapshot: it is renamed first, so that none is ever there in part."""
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
    """Remove the oldest snapshots beyond ``keep``, which is at least 1."""
    for name in reversed(newest_first[keep:]):
        remove(snapshots / name)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write or replace the manifest in one step."""
    fresh = _fresh_manifest(folder)
    take_away(fresh)
    fresh.write_bytes(sealed(manifest))
    sync(fresh)
    fresh.replace(folder / MANIFEST)
    sync(folder)


def write_json(file: Path, value: object) -> None:
    """Write a value as indented JSON."""
    file.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _link_of(out: Path) -> Path:
    """Return where the link is made before it takes its place."""
    return out / f".{LATEST}"


def _fresh_manifest(folder: Path) -> Path:
    """Return where the manifest is written before it takes its place."""
    return folder / f".{MANIFEST}"
