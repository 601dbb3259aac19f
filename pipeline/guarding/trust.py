"""Decides whether a capture that was read is believed: asks the guards, and makes a failed reading of it if not.

The rows of a failed reading feed nothing; one quarantine row says why, with the text of the document. What a guard
looks at belongs to ``pipeline.guarding.guards``.
"""

from collections.abc import Sequence
from dataclasses import replace

from parsers._contract import DumpError
from pipeline.guarding.baseline import Baseline
from pipeline.guarding.guards import REASONS_OF, Alarm, Guards, judge
from pipeline.read import Reading, failed_frame
from pipeline.snapshot import load
from schemas.items import Reject


def trust(reading: Reading, baseline: Baseline, settings: Guards, max_bytes: int) -> Reading:
    """Ask the guards about a reading.

    A capture that was found good before is not compared with others again: it is what others are compared with.
    """
    known = baseline.accepted is not None and baseline.accepted == reading.sha256
    past, beside = (
        tuple(each.measure for each in (() if known else captures)) for captures in (baseline.before, baseline.beside)
    )
    alarms = judge(reading.measure, past, settings, reading.dump.facts.accept, beside)
    if reading.error is not None:  # it fails anyway: all that can be said is that it is no page of the source at all
        alarms = tuple(alarm for alarm in alarms if alarm.guard == "challenge")
    if failing := [alarm for alarm in alarms if alarm.fails]:
        return _fail(reading, failing, max_bytes)
    return replace(reading, warnings=tuple(f"{alarm.guard}: {alarm.detail}" for alarm in alarms))


def _fail(reading: Reading, alarms: Sequence[Alarm], max_bytes: int) -> Reading:
    """Make a failed reading; the first alarm gives the reason, the others are told with it.

    The account of its lines stays: it says how much of the capture was understood.
    """
    first, *others = alarms
    reason = REASONS_OF[first.guard]
    detail = "; ".join([first.detail, *(f"{alarm.guard}: {alarm.detail}" for alarm in others)])
    if reading.error is not None:
        detail += f" ({reading.error.split(': ', 1)[1]})"
    line = reading.first_line
    reject = Reject(line, line, _text(reading, max_bytes), reason, detail)
    stage = "parse" if first.guard in {"challenge", "empty"} else "validate"
    return replace(
        reading,
        records=reading.records.clear(),
        sightings=reading.sightings.clear(),
        quarantine=failed_frame(reading.dump, reading.sha256, stage, reject),
        by_reason={reason: 1},
        shared={},
        error=str(DumpError(reading.dump.path, line, reason, detail)),
    )


def _text(reading: Reading, max_bytes: int) -> str:
    """Return the text of the document for the quarantine; nothing where the file is no longer what was read."""
    try:
        return load(reading.dump, max_bytes).text
    except DumpError:  # it was read a moment ago; its hash stands in the row
        return ""
