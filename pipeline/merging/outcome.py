"""The outcome of one source before publication: its tables, the block of published ones that still hold, or an error.

Values only: ``pipeline.run.conclude`` makes them, ``pipeline.publishing.publish`` writes them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import polars as pl

from pipeline.reading.measure import describe_measure
from pipeline.reading.read import Reading

LOST: Final = "the published rows are damaged, and no snapshot has an intact copy"
"""The message on a source whose rows no longer exist anywhere."""


class Status(StrEnum):
    """The result of a source: all dumps good, some, or none; ``ABSENT`` has neither dumps nor published rows."""

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One source's part of a run.

    ``records`` and ``sightings`` are None for a failed source: its last good files stay. ``quarantine`` always lists
    what was held back. ``seconds`` is the CPU time of reading plus the wall time of the rest. ``kept`` is True for a
    failed source with published rows, which stay. ``inputs`` is a hash of everything that the tables were made from.
    ``unchanged`` is the source's block of the last manifest if nothing has changed since: nothing was read, and the
    published tables are those of this run. ``checked_at`` is when a page was last seen on its site, None for a source
    that is not fetched. ``uncoded`` counts the printed countries without a code. ``rebuilt`` are the published records
    and sightings of a failed source, rebuilt from their dumps because the files are damaged. ``lost`` is a message on
    published rows that could not be kept as they were.

    ``changes`` counts the records that are new, gone, moved and retitled since those published before, None without
    any; ``retitled`` are their ids, old and new. ``attention`` says what a person should look at though nothing is
    wrong. ``code`` is a hash of the code that read the dumps and merged them.
    """

    source: str
    parser: str
    status: Status
    records: pl.DataFrame | None
    sightings: pl.DataFrame | None
    quarantine: pl.DataFrame
    readings: tuple[Reading, ...]
    error: str | None = None
    seconds: float = 0.0
    kept: bool = False
    inputs: str | None = None
    unchanged: Mapping[str, Any] | None = None
    checked_at: datetime | None = None
    uncoded: Mapping[str, int] = field(default_factory=dict)
    rebuilt: tuple[pl.DataFrame, pl.DataFrame] | None = None
    lost: str | None = None
    changes: Mapping[str, int] | None = None
    retitled: tuple[tuple[str, str], ...] = ()
    attention: tuple[str, ...] = ()
    code: str | None = None

    @property
    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame] | None:
        """The records and sightings to publish; None where the published ones stay."""
        if self.records is None or self.sightings is None:
            return self.rebuilt
        return self.records, self.sightings

    @property
    def block(self) -> Mapping[str, Any]:
        """The source's block of the manifest."""
        return describe_outcome(self)

    @property
    def unexplained(self) -> int:
        """The number of unclaimed lines in all dumps."""
        return int(self.block["lines"].get("unexplained", 0))


def describe_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return the manifest block of an outcome."""
    checked = outcome.checked_at.isoformat(timespec="seconds") if outcome.checked_at else None
    if outcome.unchanged is not None:
        tonight: dict[str, Any] = {
            "checked_at": checked,
            "seconds": round(outcome.seconds, 3),
            "changes": None,
            "attention": [],
        }
        return {**outcome.unchanged, **tonight}
    reasons = Counter(outcome.quarantine["reason"].to_list())
    return {
        "status": outcome.status.value,
        "error": "; ".join(filter(None, (outcome.error, outcome.lost))) or None,
        "parser": outcome.parser,
        "records": None if outcome.records is None else outcome.records.height,
        "quarantined": outcome.quarantine.height,
        "reasons": dict(sorted(reasons.items())),
        "lines": _total(reading.by_class for reading in outcome.readings),
        "boilerplate": _total(reading.by_boilerplate for reading in outcome.readings),
        "countries_without_code": dict(outcome.uncoded),
        "checked_at": checked,
        "seconds": round(outcome.seconds, 3),
        "inputs": outcome.inputs,
        "code": outcome.code,
        "changes": outcome.changes,
        "attention": list(outcome.attention),
        "dumps": [_describe_reading(reading) for reading in outcome.readings],
    }


def _describe_reading(reading: Reading) -> dict[str, Any]:
    """Return the manifest block of one dump."""
    captured = reading.dump.facts.captured_at
    return {
        "path": reading.dump.path,
        "page": reading.dump.page,
        "sha256": reading.sha256,
        "captured_at": captured.isoformat() if captured else None,
        "specimen": reading.dump.facts.specimen,
        "format": reading.format,
        "error": reading.error,
        "settled": reading.superseded,
        "records": reading.records.height,
        "sightings": reading.sightings.height,
        "lines": dict(sorted(reading.by_class.items())),
        "reasons": dict(sorted(reading.by_reason.items())),
        "warnings": list(reading.warnings),
        "measure": describe_measure(reading.measure),
    }


def _total(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add up counts by name."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(sorted(total.items()))
