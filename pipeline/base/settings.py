"""The settings of a run, such as its roots: from an option, else the environment, else the working directory."""

import argparse
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import Final
from urllib.parse import urlsplit

from pipeline.base.escape import is_utf8
from pipeline.base.signals import GuardBook

RAW_VARIABLE: Final = "CONSPECTUS_RAW"
OUT_VARIABLE: Final = "CONSPECTUS_OUT"
ENGINE_VARIABLE: Final = "CONSPECTUS_ENGINE"
INLINE: Final = "inline"
MEBIBYTE: Final = 1 << 20
MAX_BYTES: Final = 64 * MEBIBYTE

_ENGINE: Final = re.compile(rf"{INLINE}|processes:[1-9]\d{{0,3}}|(?:tcp|tls|ws|wss|ucx)://\S+:\d{{1,5}}/?")


class UsageError(Exception):
    """A command got invalid input; the message says what it is and what was expected."""


class FailedError(Exception):
    """A command could not do its work; the message says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for reading one dump: the section ``[limits]`` of ``sources.toml``.

    ``cpu_seconds`` and ``memory_mib`` are measured on the reader process, of which Python and its libraries take some
    120 MiB.
    """

    cpu_seconds: float = 60.0
    memory_mib: int = 2048

    def __post_init__(self) -> None:
        """Check the values. Raises ``ValueError`` naming the key."""
        if not 1 <= self.cpu_seconds <= 86_400:
            raise ValueError(f"cpu_seconds = {self.cpu_seconds!r}: expected 1 to 86400")
        if not 256 <= self.memory_mib <= 1 << 20:
            raise ValueError(f"memory_mib = {self.memory_mib!r}: expected 256 to {1 << 20}")

    @property
    def patience(self) -> float:
        """Seconds of wall time after which a reader is stopped: if its CPU time is within the limit, it is waiting."""
        return 10 * self.cpu_seconds


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The pages to look at: the section ``[site]`` of ``sources.toml``.

    With ``build`` every refresh builds them. ``url`` is where the folder will be served, ``title`` stands on its first
    page, ``index`` allows search engines. With ``raw`` the page of the night shows lines of dumps that failed;
    with ``search`` a page finds in the whole site, by Pagefind.
    """

    build: bool = False
    url: str | None = None
    title: str = "Conferences and papers"
    index: bool = False
    raw: bool = False
    search: bool = False

    def __post_init__(self) -> None:
        """Check the values. Raises ``ValueError`` naming the key."""
        if self.url is not None and not re.fullmatch(r"https?://[^\s\"<>]+[^\s\"<>/]", self.url):
            raise ValueError(f"url = {self.url!r}: expected an address without a slash at its end")
        if self.url is not None and not _has_host(self.url):
            raise ValueError(f"url = {self.url!r}: expected an address with the name of a host")
        if not self.title.strip():
            raise ValueError(f"title = {self.title!r}: expected a text")


def _has_host(address: str) -> bool:
    """True if an address names a host."""
    try:
        return bool((urlsplit(address).hostname or "").encode("idna"))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders and limits of one run.

    ``keep`` is the number of snapshots kept below ``out``; ``max_bytes`` is the cap on one dump, since a dump is held
    in memory whole, several times over. ``guards`` are the guard settings, ``limits`` those for reading one dump,
    ``engine`` names the engine (``pipeline.workers.engines``). ``links`` are the folders outside ``raw`` where links
    below it may end. ``config`` is the configuration file, None without one; ``works`` that of decisions on works.
    """

    raw: Path
    out: Path
    keep: int = 14
    max_bytes: int = MAX_BYTES
    guards: GuardBook = field(default_factory=GuardBook)
    limits: Limits = field(default_factory=Limits)
    engine: str = INLINE
    links: tuple[Path, ...] = ()
    config: Path | None = None
    works: Path | None = None

    @property
    def roots(self) -> str:
        """The options of a command that works on the same folders from anywhere, quoted for a shell."""
        return name_roots(self.raw, self.out, self.config)


def name_roots(raw: Path | None, out: Path, config: Path | None) -> str:
    """Return the options that name roots and configuration, quoted for a shell."""
    named = {"--raw": raw, "--out": out, "--config": config}
    return " ".join(f"{option} {quote(str(path))}" for option, path in named.items() if path is not None)


def resolve_settings(  # noqa: PLR0913  # as a command line has them
    environment: Mapping[str, str],
    *,
    raw: str | None = None,
    out: str | None = None,
    keep: int = 14,
    engine: str | None = None,
    reads: bool = True,
) -> Settings:
    """Return the settings of a run: roots, number of snapshots and engine.

    Raises ``UsageError`` where ``keep`` is below 1, where there is no raw root though the run ``reads`` it, naming what
    was tried, or no such engine, and where the out root is the raw root or below it: published files would count as
    dumps of the next run.
    """
    if keep < 1:
        raise UsageError(f"--keep must be 1 or more, not {keep}")
    chosen = resolve_raw(environment, raw)
    if reads and not chosen.is_dir():
        tried = f"--raw ({raw or 'not given'}), {RAW_VARIABLE} ({environment.get(RAW_VARIABLE) or 'not set'}), ./raw"
        raise UsageError(f"no raw root: {chosen} is not a folder; tried: {tried}")
    published = resolve_out(environment, out)
    if published.resolve().is_relative_to(chosen.resolve()):
        raise UsageError(f"--out must be a folder outside the raw root {chosen}, not {published}")
    reader = engine or environment.get(ENGINE_VARIABLE) or f"processes:{cores()}"
    if not _ENGINE.fullmatch(reader):
        raise UsageError(f"--engine must be processes:N, the address of a Dask scheduler or {INLINE}, not {reader}")
    return Settings(chosen, published, keep, engine=reader)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _root(name: str, given: str | None, variable: str | None) -> Path:
    """Return a root as it is given, else as the environment names it, else by its usual name."""
    if given == "":  # a variable of a script that is not set: the next root would be another one
        raise UsageError(f"expected a path behind --{name}, found nothing")
    return Path(given or variable or name)


def resolve_raw(environment: Mapping[str, str], raw: str | None = None) -> Path:
    """Return the raw root, whether it is there or not. Raises ``UsageError`` for an empty name."""
    return _root("raw", raw, environment.get(RAW_VARIABLE)).absolute()


def resolve_out(environment: Mapping[str, str], out: str | None = None) -> Path:
    """Return the out root, which need not exist yet. Raises ``UsageError`` for one that a manifest could not name."""
    root = _root("out", out, environment.get(OUT_VARIABLE)).absolute()
    if not is_utf8(str(root)):
        raise UsageError(f"expected an out root whose path is text in UTF-8, found {root}")
    return root


def expect_file(given: str) -> Path:
    """Return a file that is named. Raises ``UsageError`` where there is none, or a folder."""
    file = Path(given)
    if not file.exists() or file.is_dir():
        raise UsageError(f"{given}: expected a file, found {'a folder' if file.exists() else 'none'}")
    return file


def parse_age(text: str) -> timedelta:
    """Read an age such as ``36h``, ``2d`` or ``90m``. Raises ``argparse.ArgumentTypeError`` for anything else."""
    found = re.fullmatch(r"(\d{1,6})\s*([dhm])", text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"expected an age such as 36h, 2d or 90m, found {text!r}")
    return timedelta(**{{"d": "days", "h": "hours", "m": "minutes"}[found[2]]: int(found[1])})


def parse_moment(text: str) -> datetime:
    """Read a day or a moment in ISO form, in UTC if it has no zone; a day means its beginning.

    Raises ``argparse.ArgumentTypeError`` for anything else.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a day such as 2026-07-11, found {text!r}") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def parse_zone(text: str) -> str:
    """Read the IANA name of a time zone. Raises ``argparse.ArgumentTypeError`` for anything else."""
    from zoneinfo import available_timezones  # noqa: PLC0415  # hardly any command needs it

    if text not in available_timezones():
        raise argparse.ArgumentTypeError(f"expected an IANA name such as Europe/Berlin, found {text!r}")
    return text


def parse_day(text: str) -> date:
    """Read a day in ISO form. Raises ``argparse.ArgumentTypeError`` for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected a day such as 2026-07-11, found {text!r}") from error


def parse_port(text: str) -> int:
    """Read the number of a port. Raises ``argparse.ArgumentTypeError`` for anything else."""
    if not re.fullmatch(r"[0-9]{1,5}", text) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, found {text[:20]!r}")
    return int(text)


def parse_shard(text: str) -> tuple[int, int]:
    """Read a shard and the shard count, such as ``2/8``. Raises ``argparse.ArgumentTypeError`` for anything else."""
    found = re.fullmatch(r"([1-9]\d{0,4})/([1-9]\d{0,4})", text.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"expected I/N such as 2/8, found {text!r}")
    return int(found[1]), int(found[2])
