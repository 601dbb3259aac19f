"""Applies the checks to a reading, and turns one that they reject into a failed reading.

The rows of a failed reading are not used; one quarantine row has the reason and the text of the document, beside those
of what was held back in it. The checks themselves are in ``pipeline.guarding.checks``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import digits
from typing import Final

import polars as pl

from parsers._ledger.document import DumpError
from pipeline.base.signals import REASONS_OF, Guards, LossPolicy, Policy, Sign
from pipeline.guarding.baseline import Baseline, GoodCapture
from pipeline.guarding.checks import Case, judge, repeats
from pipeline.guarding.comparison import AMBER, LEAST, Comparison, compare_capture
from pipeline.raw.load import load
from pipeline.reading.doubts import NOTE
from pipeline.reading.measure import Measure
from pipeline.reading.parse import CUT, NO_ITEMS
from pipeline.reading.read import Reading, failed_frame
from schemas.items import Reject

_DOUBTS: Final = dict.fromkeys(("day_unread", "time_unread"), True) | dict.fromkeys(
    (NOTE, "heading_unread", "cancelled"), False
)
"""The notes that come with what was doubtful when a page was read; True for those that cost a value."""

_MIN_HELD_ROWS: Final = 2  # rows held back from which they explain why a capture is rejected


def judge_reading(
    reading: Reading, baseline: Baseline, former: Sequence[pl.DataFrame], settings: Guards, max_bytes: int
) -> Reading:
    """Return a reading as judged by the guards: with their warnings, or as a failed reading.

    ``former`` are the records of the last good captures that it can be compared with, the newest of them last. A
    capture that was found good before is not compared again, and keeps its doubts: others are compared with it.
    """
    known, compared = is_known(reading, baseline), None
    if known:
        case = Case(_measure_then(reading, baseline))
    else:
        log, taken = reading.measure.log, reading.dump.facts.captured_at
        if former and reading.error is None:
            compared = compare_capture(former, reading.records, log=log, taken=taken, late=reading.late)
        case = _make_case(reading, baseline, compared, settings)
    reading = replace(reading, measure=case.now)
    signs = judge(case, settings, reading.dump.facts.accept)
    if reading.error is not None:  # it fails anyway: at most it turns out to be a challenge page
        signs = tuple(sign for sign in signs if sign.signal == "challenge")
    if failing := [sign for sign in signs if sign.does is Policy.FAIL]:
        failed = _fail(reading, failing, max_bytes)
        only_lost = all(sign.signal == "lost" for sign in failing)
        if compared is None or not only_lost or settings.held is LossPolicy.REFUSE:
            return failed
        return _without_harmed(failed, reading, compared)
    if known or reading.error is not None:
        return replace(reading, signs=signs)
    judged = replace(reading, signs=(*_news_of_reading(reading, former, settings), *signs))
    other = case.repeated_by.path if case.repeated_by is not None else None
    return replace(judged, measure=replace(case.now, doubted=bool(judged.looks), repeated_by=other))


def _news_of_reading(reading: Reading, former: Sequence[pl.DataFrame], settings: Guards) -> list[Sign]:
    """Return the signs of what was doubtful when a capture was read, with what each does, if they are news."""
    signs = [sign._replace(does=settings.policy(sign.signal)) for sign in reading.signs]
    is_news = bool(signs) and _are_news(reading.records, former)
    return [sign for sign in signs if is_news and sign.does is not Policy.OFF]


def _measure_then(reading: Reading, baseline: Baseline) -> Measure:
    """Return the measure of a capture that was found good before, with the doubts that it had then."""
    then = next((each.measure for each in baseline.before if each.path == reading.dump.path), Measure())
    return replace(reading.measure, doubted=then.doubted, repeated_by=then.repeated_by)


def _are_news(now: pl.DataFrame, former: Sequence[pl.DataFrame]) -> bool:
    """True if what was doubtful when a page was read must be told: it is not, while the same records have the notes.

    A doubt that cost a value, or is told of a single record, is told if one more record has it; of any other it takes
    as many as at first.
    """
    if not former:
        return True
    noted_now, before = ({*_doubts_of(frame)} for frame in (now, former[-1]))
    if not noted_now:
        return True
    counts, new = (Counter(code for _, code in found) for found in (noted_now, noted_now - before))
    many = max(LEAST, AMBER * now.height)
    return any(
        new[code] >= (1 if costs or counts[code] < many else many) for code, costs in _DOUBTS.items() if new[code]
    )


def _doubts_of(records: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield the ids of records with notes of doubts, once for each note."""
    for record_id, notes in zip(records["record_id"].to_list(), records["notes"].to_list(), strict=True):
        yield from ((record_id, note) for note in notes if note in _DOUBTS)


def is_known(reading: Reading, baseline: Baseline) -> bool:
    """True if a capture was found good before, and its bytes are the same."""
    return baseline.accepted is not None and baseline.accepted == reading.sha256


def _make_case(reading: Reading, baseline: Baseline, compared: Comparison | None, settings: Guards) -> Case:
    """Return what is known of a capture."""
    past, of_source = ([each.measure for each in captures] for captures in (baseline.before, baseline.of_source))
    here, measure = reading.dump.page, reading.measure
    parts = {
        each.page: each.measure
        for each in baseline.of_source
        if each.page != here and each.measure.listed_on == measure.listed_on and _list_of(each.page) == _list_of(here)
    }
    repeated_by = _find_repeated(measure, baseline, settings)
    return Case(measure, past, of_source, tuple(parts.values()), compared, repeated_by)


def _list_of(page: str) -> str:
    """Return the name that the parts of one list share: without the number at its end."""
    return page.rstrip(digits).removesuffix("+")


def _find_repeated(now: Measure, baseline: Baseline, settings: Guards) -> GoodCapture | None:
    """Return the newest capture that has the records of a listing under a later day: before, nothing could tell it."""
    found = (
        each
        for each in reversed(baseline.of_source)
        if now.listed_on
        and (each.measure.listed_on or "") > now.listed_on
        and repeats(now.day_ids, each.measure.day_ids, settings)
    )
    return next(found, None)


def _fail(reading: Reading, signs: Sequence[Sign], max_bytes: int) -> Reading:
    """Turn a reading into a failed one; the first sign gives the reason, the others are added to the detail.

    The account of its lines stays: it shows how much of the capture was understood.
    """
    first, *others = signs
    reason = REASONS_OF[first.signal]
    detail = "; ".join([first.detail, *(f"{sign.signal}: {sign.detail}" for sign in others)])
    held = reading.quarantine.filter(pl.lit(reading.error is None) & (pl.col("stage") == "parse"))
    line = reading.first_line
    if first.signal == "cut":  # its own row now says it
        line = held.filter(pl.col("reason") == CUT)["line_start"][0] or line
        held = held.filter(pl.col("reason") != CUT)
    detail += _first_held(held)
    if first.signal == "empty" and held.height == 1 and held["reason"].item() not in NO_ITEMS:  # its one item says more
        only = held.row(0, named=True)
        line, reason, detail = only["line_start"] or line, only["reason"], only["detail"]
    if reading.error is not None:
        # Of the parser's error the reason alone: what each format expects says nothing of a challenge page.
        detail += f" ({reading.error.split(': ')[1]})"
    reject = Reject(line, line, _text(reading, max_bytes), reason, detail)
    stage = "parse" if first.signal in {"challenge", "empty"} else "validate"
    return replace(
        reading,
        records=reading.records.clear(),
        sightings=reading.sightings.clear(),
        quarantine=failed_frame(reading.dump, reading.sha256, stage, reject).vstack(held),
        by_reason=Counter([reason, *held["reason"]]),
        shared={},
        signs=tuple(signs),
        error=str(DumpError(reading.dump.path, line, reason, detail)),
    )


def _without_harmed(failed: Reading, reading: Reading, compared: Comparison) -> Reading:
    """Return a failed reading with the records that are new or have lost nothing; the others stay as published.

    One under another title would stand beside its old self.
    """
    left_out = pl.col("record_id").is_in([*compared.poorer, *(new for _, new in compared.retitled)])
    records, sightings = (frame.filter(~left_out) for frame in (reading.records, reading.sightings))
    error = f"{failed.error}; {records.height} records that lost nothing are published"
    return replace(failed, records=records, sightings=sightings, error=error, partly=True)


def _first_held(held: pl.DataFrame) -> str:
    """Return how much was held back of a capture, how much for the most frequent reason, and its first detail."""
    if held.height < _MIN_HELD_ROWS:
        return ""
    ((reason, alike),) = Counter(held["reason"]).most_common(1)
    rows = held.filter(pl.col("reason") == reason).sort("line_start", nulls_last=True, maintain_order=True)
    first = rows.row(0, named=True)
    where = f"the first in line {first['line_start'] or '-'}: {first['detail']}"
    return f"; {held.height} things were held back, {alike} as {reason}, {where}"


def _text(reading: Reading, max_bytes: int) -> str:
    """Return the text of the document for the quarantine; empty if it can no longer be read."""
    try:
        return load(reading.dump, max_bytes).text
    except DumpError:  # it was read a moment ago; its hash is in the row
        return ""
