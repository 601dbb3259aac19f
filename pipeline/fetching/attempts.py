"""The capture log of a page: one JSON object a line for every attempt to fetch it, however it ended.

The log is what a person reads to see when a page was asked for; the captures themselves belong to
``pipeline.fetching.archive``.
"""

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from pipeline.disk import make_folder, sync
from pipeline.snapshot import CAPTURE_LOG


class Outcome(StrEnum):
    """How an attempt to fetch a page ended."""

    NEW = "new"
    UNCHANGED = "unchanged"
    NOT_MODIFIED = "not_modified"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the capture log. ``file`` is the capture that holds the bytes, by its name in the folder."""

    at: str
    url: str
    outcome: Outcome
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    sha256: str | None = None
    file: str | None = None
    seconds: float | None = None
    error: str | None = None


def append(folder: Path, entry: Entry) -> None:
    """Append a line to the capture log of a page, in one write."""
    make_folder(folder)
    file = folder / CAPTURE_LOG
    fresh = not file.exists()
    line = (json.dumps(asdict(entry), ensure_ascii=False) + "\n").encode()
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        if os.write(handle, line) != len(line):
            raise OSError(f"{file}: the disk took a part of the line only")
        os.fsync(handle)
    finally:
        os.close(handle)
    if fresh:
        sync(folder)


def stamp(moment: datetime) -> str:
    """Write a moment in UTC as the sidecars and the log do."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def read_log(file: Path) -> tuple[list[dict[str, Any]], int]:
    """Read a capture log: its lines, and how many are damaged. A line without its end was not written to its end."""
    if not file.exists():
        return [], 0
    found, good = file.read_bytes().split(b"\n"), []
    torn = found.pop()
    for line in found:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.keys() >= Entry.__dataclass_fields__.keys() and _is_moment(entry["at"]):
            good.append(entry)
    return good, len(found) - len(good) + bool(torn)


def _is_moment(text: object) -> bool:
    """Say whether a value is a moment as ``stamp`` writes it."""
    try:
        return isinstance(text, str) and datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
