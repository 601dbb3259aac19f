"""What publishing asks of the disk: write through, read back, switch one link, take away without leaving halves.

A process can be killed between any two of these steps, and a disk can be full at each: whatever is not published yet,
or no longer, bears a name that ``tidy`` knows and the next run removes. What a snapshot holds does not belong here.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pipeline.disk import NEW_PREFIX, sync
from pipeline.publishing.store import LATEST, MANIFEST, SNAPSHOTS

OLD_PREFIX: Final = ".old-"
PREVIOUS: Final = "previous"
"""Key of the manifest: the id of the snapshot that a snapshot was made to replace, null for the first."""


def tidy(out: Path, current: str | None) -> None:
    """Remove what runs that were killed, or had no space left, have left behind; ``current`` is what is published."""
    snapshots = out / SNAPSHOTS
    _link_of(out).unlink(missing_ok=True)
    for folder in sorted(snapshots.iterdir()):
        if folder.name.startswith((NEW_PREFIX, OLD_PREFIX)):
            shutil.rmtree(folder)
        elif folder.name != current and _is_unpublished(folder, current):
            remove(folder)
        else:
            _fresh_manifest(folder).unlink(missing_ok=True)


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


def prune(snapshots: Path, keep: int, current: str) -> None:
    """Remove the oldest snapshots beyond ``keep``, never the current one."""
    names = sorted(folder.name for folder in snapshots.iterdir() if not folder.name.startswith("."))
    for name in names[:-keep]:
        if name != current:
            remove(snapshots / name)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write or replace the manifest in one step."""
    fresh = _fresh_manifest(folder)
    write_json(fresh, manifest)
    sync(fresh)
    fresh.replace(folder / MANIFEST)
    sync(folder)


def write_json(file: Path, value: object) -> None:
    """Write a value as indented JSON."""
    file.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _is_unpublished(folder: Path, current: str | None) -> bool:
    """Say whether a snapshot was finished and never linked: it was made to replace the one that is still current."""
    try:
        made_after = json.loads((folder / MANIFEST).read_text(encoding="utf-8")).get(PREVIOUS, folder.name)
    except (OSError, ValueError):  # not one of ours, or of a version that did not say
        return False
    return bool(made_after == current)


def _link_of(out: Path) -> Path:
    """Return where the link is made before it takes its place."""
    return out / f".{LATEST}"


def _fresh_manifest(folder: Path) -> Path:
    """Return where the manifest is written before it takes its place."""
    return folder / f".{MANIFEST}"
