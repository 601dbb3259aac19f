"""The outcome of one source before publication: the rows that change, what is known of its captures, or an error.

Values only: ``pipeline.run.source`` makes them, ``pipeline.publishing.publish`` writes them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import polars as pl

from parsers._ledger.lines import LineClass
from pipeline.base.signals import SIGNALS, Policy, Sign
from pipeline.merging.parts import Parts
from pipeline.reading.read import Reading


class Status(StrEnum):
    """The result of a source: all dumps good, some, or none.

    ``WAITING`` has only pages that show another programme so far, ``ABSENT`` neither dumps nor published rows.
    """

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"
    WAITING = "waiting"
    ABSENT = "absent"

    @property
    def is_good(self) -> bool:
        """True if no dump has failed."""
        return self in {Status.OK, Status.WAITING, Status.ABSENT}

    @property
    def has_rows(self) -> bool:
        """True if its dumps gave the rows to publish; else those that are published stay."""
        return self in {Status.OK, Status.PARTIAL}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One source's part of a run.

    ``dumps`` is the number of dumps that count or failed; ``lines`` and ``boilerplate`` count their lines by class and
    by pattern. ``tables`` has the records and sightings of the ``groups`` that have changed, None for all groups;
    ``total`` is the number of records with those that stay. A failed source has none: its last good files stay, but
    for damaged ones, which are made again. ``quarantine`` and ``captures`` are whole tables.
    ``readings`` are those of this run, without rows. ``seconds`` is the CPU time of reading plus the wall time of the
    rest, ``read_seconds`` the former alone. ``kept`` is True for a failed source with published rows, which stay.
    ``checked_at`` is when a page was last seen on its site, None for a source that is not fetched. ``lost`` is a
    message on published rows that could not be kept as they were.

    ``changes`` counts the records that are new, gone, moved and retitled since those published before, None without
    any; ``changed`` are the rows of the change table. ``signs`` say why the source fails as a whole, or what a person
    should look at. ``waiting`` has the pages that show another programme: since when, and what; ``unreached`` those
    that could not be fetched, or are no longer: address, since when, why. ``code`` is a hash of the code that read and
    merged the rows to publish, None if what is known of their captures is lost.
    """

    source: str
    parser: str
    status: Status
    tables: Mapping[str, Parts]
    quarantine: pl.DataFrame
    captures: pl.DataFrame
    readings: tuple[Reading, ...]
    dumps: int = 0
    lines: Mapping[str, int] = field(default_factory=dict)
    boilerplate: Mapping[str, int] = field(default_factory=dict)
    groups: frozenset[str] | None = frozenset()
    total: int = 0
    error: str | None = None
    seconds: float = 0.0
    read_seconds: float = 0.0
    kept: bool = False
    checked_at: datetime | None = None
    lost: str | None = None
    changes: Mapping[str, int] | None = None
    changed: pl.DataFrame | None = None
    signs: tuple[Sign, ...] = ()
    waiting: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unreached: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    code: str | None = None

    @property
    def records(self) -> pl.DataFrame | None:
        """All of its new records, in memory; None where it has none."""
        return self.tables["records"].whole() if "records" in self.tables else None

    @property
    def sightings(self) -> pl.DataFrame | None:
        """All of its new sightings, in memory; None where it has none."""
        return self.tables["sightings"].whole() if "sightings" in self.tables else None

    @property
    def looks(self) -> tuple[Sign, ...]:
        """The signs that a person should look at though nothing is wrong."""
        return tuple(sign for sign in self.signs if sign.does is Policy.LOOK)

    @property
    def signals(self) -> list[str]:
        """The names of the signals that make it red or amber, in the order of their table."""
        failing = (sign for reading in self.readings if reading.fails for sign in reading.signs)
        told = {sign.signal for sign in (*self.signs, *failing) if sign.does in {Policy.FAIL, Policy.LOOK}}
        return [name for name in SIGNALS if name in told]

    @property
    def unexplained(self) -> int:
        """The number of unclaimed lines in all dumps."""
        return self.lines.get(LineClass.UNEXPLAINED, 0)

    @property
    def reasons(self) -> dict[str, int]:
        """The number of rows in the quarantine by reason."""
        return dict(sorted(Counter(self.quarantine["reason"].to_list()).items()))

    @property
    def problem(self) -> str | None:
        """What went wrong, for the manifest; None if nothing did."""
        return "; ".join(filter(None, (self.error, self.lost))) or None
