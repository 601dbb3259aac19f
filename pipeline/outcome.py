"""What a run makes of one source, before publication: its tables, that they still hold, or why there are none.

Values only; how they come about belongs to ``pipeline.conclude``, what becomes of them to
``pipeline.publishing.publish``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import polars as pl

from pipeline.guarding.guards import describe_measure
from pipeline.read import Reading

LOST: Final = "the published rows are damaged, and no snapshot has them whole"
"""What is told of a source whose rows are nowhere any more."""


class Status(StrEnum):
    """How a source came out: all its dumps, some of them, or none; ``ABSENT`` has no dumps and never had any."""

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One source's part of a run.

    ``records`` and ``sightings`` are None for a source that failed: its last good files stay. ``quarantine`` always
    says what was held back. ``seconds`` is the wall time of the source. ``kept`` says that a source that failed has
    published rows, which stay. ``inputs`` stands for all that the tables were made from. ``standing`` is the block of
    the last manifest where nothing has changed since: nothing was read, and the published tables are those of this run.
    ``checked_at`` is when a page was last seen as its site has it, None for a source that is not fetched. ``uncoded``
    counts the printed countries that have no code. ``rebuilt`` are the published records and sightings of a source that
    failed, made again from their dumps because the files are damaged. ``lost`` says which published rows could not be
    kept as they were.
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
    standing: Mapping[str, Any] | None = None
    checked_at: datetime | None = None
    uncoded: Mapping[str, int] = field(default_factory=dict)
    rebuilt: tuple[pl.DataFrame, pl.DataFrame] | None = None
    lost: str | None = None

    @property
    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame] | None:
        """The records and sightings to publish; None where those that are published stay."""
        if self.records is None or self.sightings is None:
            return self.rebuilt
        return self.records, self.sightings

    @property
    def block(self) -> Mapping[str, Any]:
        """What the manifest says of the source."""
        return describe_outcome(self)

    @property
    def unexplained(self) -> int:
        """The number of lines that nobody claimed, over all dumps."""
        return int(self.block["lines"].get("unexplained", 0))


def describe_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return the counts of an outcome as they stand in the manifest."""
    checked = outcome.checked_at.isoformat(timespec="seconds") if outcome.checked_at else None
    if outcome.standing is not None:
        return {**outcome.standing, "checked_at": checked, "seconds": round(outcome.seconds, 3)}
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
        "dumps": [_describe_reading(reading) for reading in outcome.readings],
    }


def _describe_reading(reading: Reading) -> dict[str, Any]:
    """Return what the manifest says of one dump."""
    captured = reading.dump.facts.captured_at
    return {
        "path": reading.dump.path,
        "page": reading.dump.page,
        "sha256": reading.sha256,
        "captured_at": captured.isoformat() if captured else None,
        "specimen": reading.dump.facts.specimen,
        "format": reading.format,
        "error": reading.error,
        "settled": reading.settled,
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
