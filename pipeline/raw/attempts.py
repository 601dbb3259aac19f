"""The capture log of a page: one JSON object per line for every attempt to fetch it, however it ended.

It shows a person when a page was requested; the captures themselves belong to ``pipeline.raw.archive``.
"""

import json
import os
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from pipeline.base.disk import IrregularError, is_there, make_folder, open_regular, read_limited, sync
from pipeline.base.escape import is_utf8
from pipeline.base.known_files import KnownFiles
from pipeline.raw.inventory import CAPTURE_LOG
from pipeline.raw.sidecar import is_possible

_MOST_BYTES: Final = 64 << 20
"""More than a log reaches in a lifetime of nightly runs."""


class FetchStatus(StrEnum):
    """How an attempt to fetch a page ended."""

    NEW = "new"
    UNCHANGED = "unchanged"
    NOT_MODIFIED = "not_modified"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A line of the capture log. ``file`` is the name of the capture that has the bytes."""

    at: str
    url: str
    outcome: FetchStatus
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    sha256: str | None = None
    file: str | None = None
    seconds: float | None = None
    error: str | None = None


def append(folder: Path, entry: Attempt) -> None:
    """Append a line to the capture log of a page, in one write. Raises ``OSError``, also if it is not a file."""
    make_folder(folder)
    file = folder / CAPTURE_LOG
    fresh = not file.exists()
    line = (json.dumps(asdict(entry), ensure_ascii=False) + "\n").encode()
    handle = open_regular(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        if os.write(handle, line) != len(line):
            raise OSError(f"{file}: only part of a line could be written")
        os.fsync(handle)
    finally:
        os.close(handle)
    if fresh:
        sync(folder)


def stamp(moment: datetime) -> str:
    """Return a moment in UTC as text, as sidecars and log have it."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def load_log(file: Path) -> tuple[list[dict[str, Any]], int]:
    """Return the lines of a capture log, and the number of damaged ones; an unterminated last line is damaged.

    Raises ``OSError``, also where the log is not a regular file.
    """
    if not is_there(file):
        return [], 0
    try:
        found = read_limited(file, _MOST_BYTES).split(b"\n")
    except IrregularError as error:
        raise IrregularError(f"{file.name}: {error}") from error
    good = []
    torn = found.pop()
    for line in found:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # RecursionError: thousands of nested brackets
            continue
        if isinstance(entry, dict) and entry.keys() >= Attempt.__dataclass_fields__.keys() and _is_entry(entry):
            good.append(entry)
    return good, len(found) - len(good) + bool(torn)


def recall_log(files: KnownFiles, log: str) -> list[tuple[str | None, datetime, datetime]]:
    """Return the captures that a log below the raw root names, each with when it was first and last got (UTC).

    Read only if it is new. Raises as ``load_log`` does.
    """
    return [
        (name, datetime.fromisoformat(first), datetime.fromisoformat(last))
        for name, first, last in files.made_of(log, _captures_in)
    ]


def _captures_in(log: Path) -> list[list[str | None]]:
    """Return what ``recall_log`` does, as JSON."""
    got: dict[str | None, list[datetime]] = defaultdict(list)
    for line in load_log(log)[0]:
        if line["outcome"] != FetchStatus.FAILED:
            got[line["file"]].append(datetime.fromisoformat(line["at"]).astimezone(UTC))
    return [[name, min(times).isoformat(), max(times).isoformat()] for name, times in got.items()]


def _is_entry(entry: dict[str, Any]) -> bool:
    """True if the values of a line have the types that ``append`` writes; newer versions may add values."""
    plain = all(value is None or isinstance(value, str | int | float) for value in entry.values())
    texts = all(is_utf8(value) for value in entry.values() if isinstance(value, str))
    names = all(isinstance(entry[key], str | None) for key in ("url", "file", "etag", "last_modified", "sha256"))
    return plain and texts and names and _is_moment(entry["at"])


def _is_moment(text: object) -> bool:
    """True if a value is a moment as ``stamp`` writes it, in a valid year."""
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return False
    return moment is not None and moment.tzinfo is not None and is_possible(moment)
