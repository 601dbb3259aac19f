"""Checks that reject a capture which parses but looks wrong: the guards.

Each guard is a pure function of three things: the measure of the capture, the measures of earlier good captures of the
same page, and the settings. It returns what is wrong, or None. Their settings, measuring a capture and acting on an
alarm belong to other modules.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pipeline.base.guard_settings import Guards, Policy
from pipeline.reading.measure import HASH, SAMPLE, Measure


@dataclass(frozen=True, slots=True)
class Alarm:
    """The alarm of a guard: its name, True if it rejects the capture, and what is wrong, in words."""

    guard: str
    fails: bool
    detail: str


_ROUNDING: Final = 1e-9

Measures = Sequence[Measure]
"""The measures of earlier good captures of the same page, oldest first."""

Guard = Callable[[Measure, Measures, Guards], str | None]


def judge(
    now: Measure, past: Measures, settings: Guards, accepted: Collection[str] = (), beside: Measures = ()
) -> tuple[Alarm, ...]:
    """Return the alarms of all guards, except those that are off or that a person has accepted.

    ``beside`` are good captures of all pages of the source: where each day has its own page, a page repeats another.
    """
    elsewhere = [replace(each, ids=None) for each in beside]  # two pages with few records may well have the same ones
    alarms = []
    for name, check in GUARDS.items():
        policy = settings.policy(name)
        if policy is Policy.OFF or name in accepted:
            continue
        detail = check(now, [*elsewhere, *past] if check is check_stale else past, settings)
        if detail is not None:
            alarms.append(Alarm(name, policy is Policy.FAIL, detail))
    return tuple(alarms)


def check_challenge(now: Measure, _past: Measures, _settings: Guards) -> str | None:
    """Detect a page that shows a challenge instead of content."""
    return f"the page shows {now.challenge} instead of content" if now.challenge and not now.records else None


def check_empty(now: Measure, _past: Measures, _settings: Guards) -> str | None:
    """Detect a page without records that does not declare itself empty."""
    if now.records or now.says_empty or now.format is None:
        return None
    return f"recognised as {now.format}, but no records were found and the page does not say that it is empty"


def check_declared(now: Measure, _past: Measures, settings: Guards) -> str | None:
    """Detect a page that has fewer records than it declares."""
    if not _shrinks(now.declared, now.found, settings.declared_limit):
        return None
    return f"the page declares {now.declared} entries but shows {now.found}"


def check_drop(now: Measure, past: Measures, settings: Guards) -> str | None:
    """Detect a page with far fewer records than before.

    On a log page, declared totals that match prove that a short or empty day is real.
    """
    limit = settings.drop_limit_log if now.log else settings.drop_limit
    proven = now.log and (now.complete or now.says_empty)
    if not past or proven or not _shrinks(past[-1].records, now.records, limit):
        return None
    return f"{now.records} records, down from {past[-1].records} in the last good capture"


def check_coverage(now: Measure, past: Measures, settings: Guards) -> str | None:
    """Detect a page whose records have lost their titles, authors or abstracts."""
    if not past:
        return None
    lost = []
    for name, whole in (("titles", "records"), ("authors", "papers"), ("abstracts", "papers")):
        parts = [(getattr(measure, name), getattr(measure, whole)) for measure in (past[-1], now)]
        if any(of < max(settings.coverage_from, 1) for _, of in parts):
            continue
        old, new = (part / of for part, of in parts)
        if old - new > settings.coverage_limit + _ROUNDING:
            lost.append(f"{new:.0%} of the {whole} have {name}, {old:.0%} in the last good capture")
    return "; ".join(lost) or None


def check_unexplained(now: Measure, _past: Measures, settings: Guards) -> str | None:
    """Detect a page with too many unexplained lines."""
    if now.lines < settings.unexplained_from or now.unexplained <= settings.unexplained_limit * now.lines:
        return None
    return f"{now.unexplained} of {now.lines} lines are unexplained, expected at most {settings.unexplained_limit:.0%}"


def check_stale(now: Measure, past: Measures, settings: Guards) -> str | None:
    """Detect a listing of a new day that repeats all or most records of an earlier one.

    It is compared with all earlier captures: the last one may have only part of that day.
    """
    if not now.log or not now.records or now.listed_on is None:
        return None
    earlier = [each for each in past if each.listed_on and each.listed_on < now.listed_on]
    same = [each.listed_on for each in earlier if each.ids == now.ids]
    if same:
        return f"the listing of {now.listed_on} has the same {now.records} records as that of {same[-1]}"
    most = [each.listed_on for each in earlier if _repeats(now.day_ids, each.day_ids, settings)]
    return f"the listing of {now.listed_on} repeats records of {most[-1]}" if most else None


def check_layout(now: Measure, past: Measures, _settings: Guards) -> str | None:
    """Detect a page whose layout has changed."""
    before = next(reversed(past), None)
    if before is None or now.format != before.format or None in {now.fingerprint, before.fingerprint}:
        return None
    if now.fingerprint == before.fingerprint:
        return None
    return f"the layout has changed: fingerprint {now.fingerprint}, {before.fingerprint} in the last good capture"


GUARDS: Final[Mapping[str, Guard]] = {
    "challenge": check_challenge,
    "empty": check_empty,
    "declared": check_declared,
    "drop": check_drop,
    "coverage": check_coverage,
    "unexplained": check_unexplained,
    "stale": check_stale,
    "layout": check_layout,
}
"""The guards by name, in the order of their settings."""

REASONS_OF: Final = {name: "empty_result" if name == "empty" else f"guard_{name}" for name in GUARDS}
"""The quarantine reason of a capture rejected by a guard."""


def _repeats(now: str, before: str, settings: Guards) -> bool:
    """True if most of one sample of ids is in another, as far as both reach: they have only the smallest hashes."""
    new, old = _hashes(now), _hashes(before)
    ends = [max(hashes) for hashes in (new, old) if len(hashes) == SAMPLE]
    seen = [each for each in new if not ends or each <= min(ends)]
    common = sum(each in old for each in seen)
    return len(seen) >= max(settings.stale_from, 1) and common >= settings.stale_limit * len(seen) - _ROUNDING


@lru_cache(maxsize=1024)
def _hashes(sample: str) -> frozenset[str]:
    """Return the hashes of a sample."""
    return frozenset(sample[place : place + HASH] for place in range(0, len(sample), HASH))


def _shrinks(before: int, now: int, limit: float) -> bool:
    """True if more than the share ``limit`` of the records is missing; a single one is never too many."""
    lost = before - now
    return lost > 1 and lost > limit * before
