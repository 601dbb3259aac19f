"""Checks that reject a capture which parses but looks wrong: the guards.

Each guard is a pure function of a case, which holds what is known of a capture and of earlier good ones of its page,
and the settings. It returns what is wrong, or None. Their settings, measuring and comparing captures and acting on an
alarm belong to other modules.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pipeline.base.guard_settings import Guards, Policy, overrules
from pipeline.guarding.comparison import Comparison
from pipeline.reading.measure import HASH, SAMPLE, Measure


@dataclass(frozen=True, slots=True)
class Alarm:
    """The alarm of a guard: its name, True if it rejects the capture, and what is wrong, in words."""

    guard: str
    fails: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of one capture: its measure, those of earlier good captures of its page, the oldest first.

    ``beside`` are the measures of good captures of all pages of the source, ``compared`` are its records beside those
    of the last good capture, None if there is none to compare with.
    """

    now: Measure
    past: Sequence[Measure] = ()
    beside: Sequence[Measure] = ()
    compared: Comparison | None = None


Guard = Callable[[Case, Guards], str | None]

_ROUNDING: Final = 1e-9
_GARBLED: Final = 3  # records: fewer say nothing of a page


def judge(case: Case, settings: Guards, accepted: Collection[str] = ()) -> tuple[Alarm, ...]:
    """Return the alarms of all guards, except those that are off or that a person has accepted."""
    alarms = []
    for name, check in GUARDS.items():
        policy = settings.policy(name)
        if policy is Policy.OFF or overrules(accepted, name):
            continue
        if (detail := check(case, settings)) is not None:
            alarms.append(Alarm(name, policy is Policy.FAIL, detail))
    return tuple(alarms)


def check_challenge(case: Case, _settings: Guards) -> str | None:
    """Detect a page that shows a challenge instead of content."""
    now = case.now
    return f"the page shows {now.challenge} instead of content" if now.challenge and not now.records else None


def check_cut(case: Case, _settings: Guards) -> str | None:
    """Detect a dump that ends before the end that its format has."""
    return f"the dump is cut: {case.now.cut}" if case.now.cut else None


def check_empty(case: Case, _settings: Guards) -> str | None:
    """Detect a page without records that does not declare itself empty."""
    now = case.now
    if now.records or now.says_empty or now.format is None:
        return None
    return f"recognised as {now.format}, but no records were found and the page does not say that it is empty"


def check_declared(case: Case, settings: Guards) -> str | None:
    """Detect a page that has fewer records than it declares."""
    now = case.now
    if not _shrinks(now.declared, now.found, settings.declared_limit):
        return None
    return f"the page declares {now.declared} entries but shows {now.found}"


def check_drop(case: Case, settings: Guards) -> str | None:
    """Detect a page with far fewer records than before.

    On a log page, declared totals that match prove that a short or empty day is real.
    """
    now, past = case.now, case.past
    limit = settings.drop_limit_log if now.log else settings.drop_limit
    proven = now.log and (now.complete or now.says_empty)
    if not past or proven or not _shrinks(past[-1].records, now.records, limit):
        return None
    return f"{now.records} records, down from {past[-1].records} in the last good capture"


def check_lost(case: Case, _settings: Guards) -> str | None:
    """Detect a page whose known records have lost values."""
    return _alarm(case, "lost")


def check_spoilt(case: Case, _settings: Guards) -> str | None:
    """Detect a page whose known titles, rooms or names have gained the same words."""
    return _alarm(case, "spoilt")


def check_shifted(case: Case, _settings: Guards) -> str | None:
    """Detect a page whose known values stand in other columns than before."""
    return _alarm(case, "shifted")


def _alarm(case: Case, guard: str) -> str | None:
    """Return what the comparison of the records says for a guard."""
    return case.compared.alarms.get(guard) if case.compared is not None else None


def check_unexplained(case: Case, settings: Guards) -> str | None:
    """Detect a page most of whose items were rejected, or with too many lines that are unexplained or of such items."""
    now = case.now
    items = now.held + now.records
    if now.held > 1 and now.held > settings.unexplained_limit * items:
        return f"{now.held} of {items} items were rejected, expected at most {settings.unexplained_limit:.0%}"
    unread = now.unexplained + now.rejected
    if now.lines < settings.unexplained_from or unread <= settings.unexplained_limit * now.lines:
        return None
    where = "unexplained or in rejected items" if now.rejected else "unexplained"
    return f"{unread} of {now.lines} lines are {where}, expected at most {settings.unexplained_limit:.0%}"


def check_asked(case: Case, _settings: Guards) -> str | None:
    """Detect a page that shows another day or category than was asked for."""
    return case.now.other


def check_language(case: Case, _settings: Guards) -> str | None:
    """Detect a page that says it is in another language than before."""
    now, before = case.now.language, next((each.language for each in reversed(case.past) if each.language), None)
    return f"the page says it is in {now!r}, in {before!r} before" if now and before and now != before else None


def check_garbled(case: Case, settings: Guards) -> str | None:
    """Detect a page most of whose text beyond ASCII was decoded wrongly, more than a few texts that people pasted."""
    now = case.now
    if now.garbled < _GARBLED or now.garbled < max(now.foreign / 2, settings.garbled_limit * now.records):
        return None
    return f"{now.garbled} of {now.foreign} records with letters beyond ASCII have text that was decoded wrongly"


def check_stale(case: Case, settings: Guards) -> str | None:
    """Detect a listing of a new day that repeats all or most records of an earlier one.

    It is compared with all earlier captures: the last one may have only part of that day.
    """
    now = case.now
    if not now.log or not now.records or now.listed_on is None:
        return None
    # Where each day has a page of its own, a page repeats another; two with few records may well have the same ones.
    past = [*(replace(each, ids=None) for each in case.beside), *case.past]
    earlier = [each for each in past if each.listed_on and each.listed_on < now.listed_on]
    same = [each.listed_on for each in earlier if each.ids == now.ids]
    if same:
        return f"the listing of {now.listed_on} has the same {now.records} records as that of {same[-1]}"
    most = [each.listed_on for each in earlier if _repeats(now.day_ids, each.day_ids, settings)]
    return f"the listing of {now.listed_on} repeats records of {most[-1]}" if most else None


def check_layout(case: Case, _settings: Guards) -> str | None:
    """Detect a page whose layout has changed."""
    now, past = case.now, case.past
    before = next(reversed(past), None)
    if before is None or now.format != before.format or None in {now.fingerprint, before.fingerprint}:
        return None
    if now.fingerprint == before.fingerprint:
        return None
    return f"the layout has changed: fingerprint {now.fingerprint}, {before.fingerprint} in the last good capture"


GUARDS: Final[Mapping[str, Guard]] = {
    "challenge": check_challenge,
    "asked": check_asked,
    "language": check_language,
    "cut": check_cut,
    "empty": check_empty,
    "declared": check_declared,
    "drop": check_drop,
    "lost": check_lost,
    "spoilt": check_spoilt,
    "shifted": check_shifted,
    "garbled": check_garbled,
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
