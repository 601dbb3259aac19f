"""The log of runs, ``runs.ndjson`` below the out root: one JSON object per line, when a run begins and when it ends.

A run that publishes nothing makes no snapshot; here it says that it ran. A line ``started``, when it ends one line
``source`` for each source, then ``ended``: the log of a run that was killed has no last line. No manifest names the
file, no hash covers it, and nothing that is published depends on it.

Only a run that holds the lock (``pipeline.publishing.lock``) writes here.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from pipeline.base.disk import open_regular, open_to_read, sync, write_new
from pipeline.merging.outcome import Outcome, Status
from pipeline.publishing.files import count_nulls, count_records
from pipeline.publishing.publish import run_id_of
from pipeline.publishing.store import StoreError

LOG: Final = "runs.ndjson"

KEPT: Final = timedelta(days=400)
"""How long the lines of a run are kept: more than a year, so that a night can be compared with that of last year."""

_DUE: Final = timedelta(days=430)
"""Age of the first line at which old ones are dropped: that writes the whole file anew, so hardly ever."""

_HEAD: Final = 4096
"""Bytes in which the first run is looked for."""

_LONGEST: Final = 1000
_MOST: Final = 20
"""Characters of a text, and texts of a list, that a line has: thousands of dumps can fail in one night."""

_RUN: Final = re.compile(rb'^\{"run": "(?P<stamp>\d{8}T\d{6}Z)"', re.MULTILINE)


class Exit(StrEnum):
    """How a run ended: all good, all good but a person should look at something, or something failed."""

    GOOD = "good"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class RunStart:
    """What a run says when it begins. ``sources`` are the names that were asked for; none means all sources.

    ``replay`` is True if the archive was read again, with ``conspectus replay --publish``.
    """

    at: datetime
    version: str
    sources: tuple[str, ...] = ()
    replay: bool = False


@dataclass(frozen=True, slots=True)
class SourceRun:
    """What a run did with one source; ``version`` is that of the program.

    ``records`` are those of this run, None if the source failed, ``published`` those of the dataset after it.
    ``changes`` counts the records that are new, gone, moved and retitled, None without any; ``lost`` says that
    published rows could not be kept. ``quarantined`` counts by reason. ``nulls`` counts the nulls of the published
    records by column, without zeros; None if they are not known. ``seconds`` is as in the summary. ``told`` are the
    lines on what is red or amber, and the next commands.
    """

    source: str
    status: Status
    started: datetime
    ended: datetime
    version: str
    error: str | None = None
    dumps: int = 0
    records: int | None = None
    published: int = 0
    changes: Mapping[str, int] | None = None
    lost: str | None = None
    attention: tuple[str, ...] = ()
    quarantined: Mapping[str, int] = field(default_factory=dict)
    nulls: Mapping[str, int] | None = None
    seconds: float = 0.0
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunEnd:
    """What a run says when it ends.

    ``error`` says why it published nothing, ``failures`` what failed outside of the sources: fetching, files that no
    source claims, damage. ``snapshot`` is the published one, None without any; ``new`` is False if no data file has
    changed. ``seconds`` is wall time, ``cpu_seconds`` that of the run and of reading the dumps, wherever that was done.
    ``told`` are the lines on what failed outside of the sources, and the next commands.
    """

    at: datetime
    exit: Exit
    error: str | None = None
    failures: tuple[str, ...] = ()
    snapshot: str | None = None
    new: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A run in the log: its id, which the manifest has as ``run_id``, how it began, its sources, how it ended."""

    id: str
    start: RunStart
    sources: tuple[SourceRun, ...] = ()
    end: RunEnd | None = None

    @property
    def killed(self) -> bool:
        """True if a run has not said how it ended. The newest one may still be active: only the lock tells."""
        return self.end is None


def load_runs(out: Path) -> list[Run]:
    """Return the runs in the log of an out root, the newest last; none without a log.

    Lines that cannot be understood are ignored: a torn one, or those of a newer version. Raises ``StoreError`` if the
    log cannot be read.
    """
    try:
        with open_to_read(out / LOG) as opened:
            lines = opened.read().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{out / LOG}: expected the log of runs: {error.strerror or error}") from error
    runs: list[Run] = []
    for name, said in filter(None, map(_understand, lines)):
        match said:
            case RunStart():
                runs.append(Run(name, said))
            case SourceRun() if runs and runs[-1].id == name:
                runs[-1] = replace(runs[-1], sources=(*runs[-1].sources, said))
            case RunEnd() if runs and runs[-1].id == name:
                runs[-1] = replace(runs[-1], end=said)
    return runs


class RunLog:
    """Writes the lines of one run. It never fails: ``problems`` says what could not be written."""

    def __init__(self, out: Path, start: RunStart) -> None:
        """Write nothing yet."""
        self._file = out / LOG
        self._start = start
        self._unwritten = b""
        self._missing: str | None = None
        self._undropped: str | None = None

    @property
    def problems(self) -> list[str]:
        """What could not be written, one line each."""
        return [problem for problem in (self._missing, self._undropped) if problem is not None]

    def begin(self) -> None:
        """Write that the run begins; drop the lines of old runs if it is time."""
        self._write([("started", self._start)])
        if self._missing is not None:
            return
        try:
            _drop_old(self._file, self._start.at)
        except OSError as error:
            self._undropped = f"{self._file}: old runs could not be dropped: {error.strerror or error}"

    def end(self, end: RunEnd, sources: Iterable[SourceRun] = ()) -> None:
        """Write how the run ended, and each of its sources."""
        self._write([*(("source", source) for source in sources), ("ended", end)])

    def describe(
        self,
        outcomes: Sequence[Outcome],
        files: Mapping[str, Mapping[str, Any]],
        ended: datetime,
        told: Mapping[str, Sequence[str]],
    ) -> list[SourceRun]:
        """Return what the log says of the sources of a run; ``files`` are the blocks of the published data files.

        ``told`` has the lines on what is red or amber, by source.
        """
        published, nulls = count_records(files), count_nulls(files)
        return [
            SourceRun(
                source=(name := outcome.source),
                status=outcome.status,
                started=self._start.at,
                ended=ended,
                version=self._start.version,
                error=cut(outcome.error),
                dumps=outcome.dumps,
                records=outcome.total if outcome.status.has_rows else None,
                published=published.get(name, 0),
                changes=outcome.changes,
                lost=cut(outcome.lost),
                attention=cut_all([sign.detail for sign in outcome.looks]),
                quarantined=outcome.reasons,
                nulls=nulls.get(name, {}),
                seconds=round(outcome.seconds, 3),
                told=cut_all(told.get(name, ())),
            )
            for outcome in outcomes
        ]

    def _write(self, entries: Iterable[tuple[str, RunStart | SourceRun | RunEnd]]) -> None:
        """Append lines, with those that could not be written before."""
        run = run_id_of(self._start.at)
        lines = ({"run": run, "event": event, **_values(entry)} for event, entry in entries)
        self._unwritten += b"".join(map(_line, lines))
        try:
            _append(self._file, self._unwritten)
        except OSError as error:
            self._missing = f"{self._file}: this run is not in the log of runs: {error.strerror or error}"
        else:
            self._unwritten, self._missing = b"", None


def cut(text: str | None) -> str | None:
    """Return a text no longer than the log has them."""
    return text if text is None or len(text) <= _LONGEST else f"{text[:_LONGEST]} .."


def cut_all(texts: Sequence[str]) -> tuple[str, ...]:
    """Return texts no longer, and no more of them, than the log has; the last one says how many are left out."""
    more = (f"and {len(texts) - _MOST} more",) if len(texts) > _MOST else ()
    return (*filter(None, map(cut, texts[:_MOST])), *more)


def _values(entry: RunStart | SourceRun | RunEnd) -> dict[str, Any]:
    """Return the fields of a dataclass; ``asdict`` would copy every count."""
    return {each.name: getattr(entry, each.name) for each in fields(entry)}


def _line(entry: Mapping[str, Any]) -> bytes:
    """Return a line. What is no character, as in the name of a file, is escaped as JSON does it."""
    return json.dumps(entry, ensure_ascii=False, default=_plain).encode(errors="backslashreplace") + b"\n"


def _plain(moment: datetime) -> str:
    """Return a moment as text."""
    return moment.isoformat(timespec="seconds")


def _append(file: Path, lines: bytes) -> None:
    """Append lines in one write, below what a crash may have left of one; after an error the log is as it was.

    Raises ``OSError``.
    """
    handle = open_regular(file, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    try:
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            lines = b"\n" + lines
        try:
            if os.write(handle, lines) != len(lines):
                raise OSError("only part of it could be written")
            os.fsync(handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(handle, size)
            raise
    finally:
        os.close(handle)
    if not size:
        sync(file.parent)


def _drop_old(file: Path, now: datetime) -> None:
    """Write the log anew without the runs that are too old, if the first one is much too old. Raises ``OSError``."""
    due, kept = (run_id_of(now - age).encode() for age in (_DUE, KEPT))  # stamps are in the order of time
    with open_to_read(file) as opened:
        first = _RUN.search(opened.read(_HEAD))
        if first is None or first["stamp"] >= due:
            return
        opened.seek(0)
        data = opened.read()
    begins = (found.start() for found in _RUN.finditer(data) if found["stamp"] >= kept)
    write_new(file, data[next(begins) :]).replace(file)
    sync(file.parent)


def _understand(line: bytes) -> tuple[str, RunStart | SourceRun | RunEnd] | None:
    """Return the id of a run and what a line says of it; None for a line that cannot be understood."""
    try:
        entry = json.loads(line)
        return _text(entry["run"]), _make(_EVENTS[entry["event"]], entry)
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return None


def _make(kind: Any, entry: Mapping[str, Any]) -> Any:  # noqa: ANN401  # one of the values of ``_EVENTS``
    """Make a dataclass of what a line has for it; other keys are ignored. Raises what a check does."""
    made = {}
    for each in fields(kind):
        if each.name in entry:
            value = entry[each.name]
            made[each.name] = None if value is None and each.default is None else _CHECKS[each.name](value)
    return kind(**made)


def _is(*kinds: type) -> Callable[[Any], Any]:
    """Return a check that a value is of one of some types. It raises ``TypeError``."""

    def check(value: Any) -> Any:  # noqa: ANN401  # from JSON
        if type(value) not in kinds:
            raise TypeError
        return value

    return check


_text, _list, _dict, _integer, _number, _flag = _is(str), _is(list), _is(dict), _is(int), _is(int, float), _is(bool)


def _moment(value: Any) -> datetime:  # noqa: ANN401  # from JSON
    """Check that a value is a moment: one without a zone could not be compared. It raises ``ValueError``."""
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError
    return moment


def _texts(value: Any) -> tuple[str, ...]:  # noqa: ANN401  # from JSON
    """Check that a value is a list of texts."""
    return tuple(map(_text, _list(value)))


def _counts(value: Any) -> dict[str, int]:  # noqa: ANN401  # from JSON
    """Check that a value has numbers by name."""
    return {name: _integer(number) for name, number in _dict(value).items()}


_EVENTS: Final = {"started": RunStart, "source": SourceRun, "ended": RunEnd}
_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("at", "started", "ended"), _moment),
    **dict.fromkeys(("version", "source", "error", "lost", "snapshot"), _text),
    **dict.fromkeys(("sources", "attention", "failures", "told"), _texts),
    **dict.fromkeys(("changes", "quarantined", "nulls"), _counts),
    **dict.fromkeys(("dumps", "records", "published"), _integer),
    **dict.fromkeys(("seconds", "cpu_seconds"), _number),
    **dict.fromkeys(("replay", "new"), _flag),
    "status": Status,
    "exit": Exit,
}
"""What makes the value of a key of JSON, and raises if it is not one."""
