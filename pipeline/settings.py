"""Where a run reads and writes, and its limits: option, then environment, then the working directory."""

import argparse
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from pipeline.guarding.guards import GuardBook

RAW_VARIABLE: Final = "CONSPECTUS_RAW"
OUT_VARIABLE: Final = "CONSPECTUS_OUT"
ENGINE_VARIABLE: Final = "CONSPECTUS_ENGINE"
INLINE: Final = "inline"
MEBIBYTE: Final = 1 << 20
MAX_BYTES: Final = 64 * MEBIBYTE

_ENGINE: Final = re.compile(rf"{INLINE}|processes:[1-9]\d{{0,3}}|(?:tcp|tls|ws|wss|ucx)://\S+:\d{{1,5}}/?")


class UsageError(Exception):
    """The command was given something that it cannot work with; the message says what and what would do."""


class FailedError(Exception):
    """The command could not do its work; the message says what is in the way."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the reading of one dump may cost: the section ``[limits]`` of ``sources.toml``.

    ``cpu_seconds`` and ``memory_mib`` are those of the process that reads it; some 120 MiB are Python's and its
    libraries'.
    """

    cpu_seconds: float = 60.0
    memory_mib: int = 2048

    def __post_init__(self) -> None:
        """Hold the values to what they mean. Raises ``ValueError`` naming the key."""
        if not 1 <= self.cpu_seconds <= 86_400:
            raise ValueError(f"cpu_seconds = {self.cpu_seconds!r}: expected 1 to 86400")
        if not 256 <= self.memory_mib <= 1 << 20:
            raise ValueError(f"memory_mib = {self.memory_mib!r}: expected 256 to {1 << 20}")

    @property
    def patience(self) -> float:
        """Seconds of wall time after which a reader that uses no CPU is given up: it waits for something."""
        return 10 * self.cpu_seconds


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders and limits of one run.

    ``keep`` is the number of snapshots that stay below ``out``; ``max_bytes`` is the cap on one dump, since a dump is
    held in memory whole, several times over. ``guards`` says what stops a capture that could be parsed, ``limits``
    what reading one may cost, ``engine`` who reads (``pipeline.engines``). ``links`` are the folders outside ``raw``
    where links below it may end.
    """

    raw: Path
    out: Path
    keep: int = 14
    max_bytes: int = MAX_BYTES
    guards: GuardBook = field(default_factory=GuardBook)
    limits: Limits = field(default_factory=Limits)
    engine: str = INLINE
    links: tuple[Path, ...] = ()


def resolve_settings(
    environment: Mapping[str, str],
    *,
    raw: str | None = None,
    out: str | None = None,
    keep: int = 14,
    engine: str | None = None,
) -> Settings:
    """Settle raw and out root, and who reads.

    Raises ``UsageError`` where there is no raw root, naming what was tried, no such engine, or where the out root is
    the raw root or below it: what is published would count as dumps of the next run.
    """
    if keep < 1:
        raise UsageError(f"--keep must be 1 or more, not {keep}")
    chosen = Path(raw or environment.get(RAW_VARIABLE) or "raw").absolute()
    if not chosen.is_dir():
        tried = f"--raw ({raw or 'not given'}), {RAW_VARIABLE} ({environment.get(RAW_VARIABLE) or 'not set'}), ./raw"
        raise UsageError(f"no raw root: {chosen} is not a folder; asked in turn: {tried}")
    published = resolve_out(environment, out)
    if published.resolve().is_relative_to(chosen.resolve()):
        raise UsageError(f"--out must be a folder outside of the raw root {chosen}, not {published}")
    reads = engine or environment.get(ENGINE_VARIABLE) or f"processes:{cores()}"
    if not _ENGINE.fullmatch(reads):
        raise UsageError(f"--engine must be processes:N, the address of a Dask scheduler or {INLINE}, not {reads}")
    return Settings(chosen, published, keep, engine=reads)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def resolve_out(environment: Mapping[str, str], out: str | None = None) -> Path:
    """Settle the out root, which need not exist yet."""
    return Path(out or environment.get(OUT_VARIABLE) or "out").absolute()


def expect_file(given: str) -> Path:
    """Return a file that is named. Raises ``UsageError`` where there is none, or a folder."""
    file = Path(given)
    if not file.exists() or file.is_dir():
        raise UsageError(f"{given}: expected a file, found {'a folder' if file.exists() else 'none'}")
    return file


def read_age(text: str) -> timedelta:
    """Read an age such as ``36h``, ``2d`` or ``90m``. Raises ``argparse.ArgumentTypeError`` for anything else."""
    found = re.fullmatch(r"(\d{1,6})\s*([dhm])", text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"expected an age such as 36h, 2d or 90m, found {text!r}")
    return timedelta(**{{"d": "days", "h": "hours", "m": "minutes"}[found[2]]: int(found[1])})


def read_moment(text: str) -> datetime:
    """Read a day or a moment in ISO form, UTC unless it says otherwise; a day means its beginning.

    Raises ``argparse.ArgumentTypeError`` for anything else.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a day such as 2026-07-11, found {text!r}") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_shard(text: str) -> tuple[int, int]:
    """Read which part of how many, such as ``2/8``. Raises ``argparse.ArgumentTypeError`` for anything else."""
    found = re.fullmatch(r"([1-9]\d{0,4})/([1-9]\d{0,4})", text.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"expected a part of a whole such as 2/8, found {text!r}")
    return int(found[1]), int(found[2])
