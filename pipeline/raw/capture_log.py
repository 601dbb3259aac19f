"""The capture log of a page: a line for every attempt to fetch it, and what the lines say of when pages were reached.

    raw/<source>/<key>/captures.ndjson                  one JSON object per line

Keeping captures belongs to ``pipeline.raw.archive``, which also repairs a log.
"""

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from pipeline.base.disk import (
    IrregularError,
    is_there,
    make_folder,
    open_regular,
    read_limited,
    sync,
)
from pipeline.base.escape import is_utf8
from pipeline.base.known_files import KnownFiles
from pipeline.base.secret import masked
from pipeline.raw.inventory import CAPTURE_LOG, log_of, page_of
from pipeline.raw.sidecar import is_possible
from pipeline.raw.walk import find_files

DOUBTED_FOR: Final = timedelta(days=7)
"""How long what a person was told to look at closes no day, and says nothing of how lists look."""

NO_LONGER: Final = "no longer fetched"
UNASKED: Final = "not asked for, as another page was not read"
LAPSES_AFTER: Final = timedelta(hours=20)
"""How long after its last attempt a page is no longer fetched, if others are: less than from one night to the next."""

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


def capture_times(
    files: KnownFiles, source: str, asked: Iterable[str], failed: Collection[str] = (), doubted: Collection[str] = ()
) -> dict[str, datetime]:
    """Return when each page of a source was last captured (UTC), by key; unchanged answers count too.

    ``asked`` are the keys of its pages that were ever requested. ``failed`` are the paths of captures that turned out
    to be bad: getting them again does not count. ``doubted`` are those that may be bad, such as an empty list, which a
    site that has just recovered shows too: they count from a week after they were first seen. A log that cannot be read
    is skipped: fetching its page reports it.
    """
    times = {}
    for key in asked:
        with suppress(OSError):
            page = recall_log(files, log_of(source, key))
            good = [
                last
                for name, first, last in (page.captures if page is not None else ())
                if (path := f"{source}/{key}/{name}") not in failed
                and (path not in doubted or last - first >= DOUBTED_FOR)
            ]
            if good:
                times[key] = max(good)
    return times


def pages_asked(raw: Path, source: str, links: Iterable[Path], files: KnownFiles) -> frozenset[str]:
    """Return the keys of the pages of a source that were ever requested.

    Links may end below the raw root and the folders ``links``.
    """
    found = find_files(raw / source, (raw, *links))
    stamps = {f"{source}/{path}": stamp for path, stamp in found.files.items()}
    files.note_stamps(stamps, found.devices)
    return frozenset(page_of(path) for path in stamps if path.endswith(f"/{CAPTURE_LOG}"))


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


@dataclass(frozen=True, slots=True)
class PageLog:
    """What the log of a page says, in UTC: its address, when it was last asked for, since when and why that fails.

    ``captures`` are those that it names, each with when it was first and last got.
    """

    captures: Sequence[tuple[str | None, datetime, datetime]]
    url: str
    asked: datetime
    failing: tuple[datetime, str] | None


def recall_log(files: KnownFiles, log: str) -> PageLog | None:
    """Return what a log below the raw root says, None if nothing. Raises as ``load_log`` does."""
    captures, url, asked, failing = files.derive(log, _summarise)
    if not asked:
        return None
    moment = datetime.fromisoformat
    got = [(name, moment(first), moment(last)) for name, first, last in captures]
    return PageLog(got, url, moment(asked), (moment(failing[0]), failing[1]) if failing else None)


def _summarise(log: Path) -> list[Any]:
    """Return what ``recall_log`` does, as JSON."""
    got: dict[str | None, list[str]] = defaultdict(list)
    url, asked = "", ""
    failing: list[str] | None = None
    for line in load_log(log)[0]:
        if not line["url"] and line["outcome"] == FetchStatus.FAILED:  # of a repair
            continue
        url, asked = line["url"] or url, datetime.fromisoformat(line["at"]).astimezone(UTC).isoformat()
        if line["outcome"] == FetchStatus.FAILED:
            failing = [failing[0] if failing else asked, str(line["error"])]
        else:
            failing = None
            got[line["file"]].append(asked)
    return [[[name, min(times), max(times)] for name, times in got.items()], url, asked, failing]


def last_asked(files: KnownFiles, asked: Mapping[str, Iterable[str]], now: datetime) -> datetime:
    """Return when a page of any source was last asked for; a clock that was ahead does not count.

    ``asked`` are the keys of the pages by source.
    """
    found = now - timedelta(days=365)
    for source, keys in asked.items():
        for key in keys:
            with suppress(OSError):
                page = recall_log(files, log_of(source, key))
                if page is not None and found < page.asked <= now:
                    found = page.asked
    return found


def unreached_pages(  # noqa: PLR0913  # what is known of a page, and of the others
    files: KnownFiles, source: str, asked: Iterable[str], newest: datetime, *, state: bool, linked: bool
) -> dict[str, dict[str, str]]:
    """Return the pages of a source that were not reached, or are no longer fetched, by key: address, since when, why.

    ``newest`` is when any page was last asked for. A page of a log, not of a ``state``, is asked for only as long as
    its day is open. Unless all pages were ``linked``, and reached, one may only be missing because another is.
    """
    found: dict[str, dict[str, str]] = {}
    for key in asked:
        with suppress(OSError):
            page = recall_log(files, log_of(source, key))
            if page is None:
                continue
            since, why = page.failing or (page.asked, None)
            if newest - page.asked > LAPSES_AFTER:
                since, why = page.asked, NO_LONGER if state else None
            if why:
                found[key] = {"url": masked(page.url), "since": f"{since:%Y-%m-%d}", "why": masked(why)}
    is_certain = linked and all(page["why"] == NO_LONGER for page in found.values())
    unasked = {} if is_certain else {"why": UNASKED}
    return {key: page | unasked if page["why"] == NO_LONGER else page for key, page in found.items()}


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
