"""Where a run reads and writes, and its limits: option, then environment, then the working directory."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from pipeline.guarding.guards import GuardBook

RAW_VARIABLE: Final = "CONSPECTUS_RAW"
OUT_VARIABLE: Final = "CONSPECTUS_OUT"
MEBIBYTE: Final = 1 << 20
MAX_BYTES: Final = 64 * MEBIBYTE


class UsageError(Exception):
    """The command was given something that it cannot work with; the message says what and what would do."""


class FailedError(Exception):
    """The command could not do its work; the message says what is in the way."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Folders and limits of one run.

    ``keep`` is the number of snapshots that stay below ``out``; ``max_bytes`` is the cap on one dump, since a dump is
    held in memory whole, several times over. ``guards`` says what stops a capture that could be parsed. ``links`` are
    the folders outside ``raw`` where links below it may end.
    """

    raw: Path
    out: Path
    keep: int = 14
    max_bytes: int = MAX_BYTES
    guards: GuardBook = field(default_factory=GuardBook)
    links: tuple[Path, ...] = ()


def resolve_settings(
    environment: Mapping[str, str], *, raw: str | None = None, out: str | None = None, keep: int = 14
) -> Settings:
    """Settle raw and out root. Raises ``UsageError`` where there is no raw root, naming what was tried."""
    if keep < 1:
        raise UsageError(f"--keep must be 1 or more, not {keep}")
    chosen = Path(raw or environment.get(RAW_VARIABLE) or "raw").absolute()
    if not chosen.is_dir():
        tried = f"--raw ({raw or 'not given'}), {RAW_VARIABLE} ({environment.get(RAW_VARIABLE) or 'not set'}), ./raw"
        raise UsageError(f"no raw root: {chosen} is not a folder; asked in turn: {tried}")
    return Settings(chosen, resolve_out(environment, out), keep)


def resolve_out(environment: Mapping[str, str], out: str | None = None) -> Path:
    """Settle the out root, which need not exist yet."""
    return Path(out or environment.get(OUT_VARIABLE) or "out").absolute()


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
