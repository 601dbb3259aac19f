"""Checks that reject a capture which parses but looks wrong: guards, their policies and limits.

Each guard is a pure function of three things: the measure of the capture, the measures of earlier good captures of the
same page, and the settings. It returns what is wrong, or None. Measuring a capture and acting on an alarm belong to
other modules.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final


class Policy(StrEnum):
    """The effect of an alarm: FAIL rejects the capture, WARN only reports the alarm, OFF skips the guard."""

    FAIL = "fail"
    WARN = "warn"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Guards:
    """The settings of all guards for one source: a policy for each, and a limit where it has one.

    A ``limit`` is a share from 0 to 1. ``drop`` has two: a state page, which lists everything, seldom shrinks; a log
    page, which lists what is new, is short on a quiet day. Pages below ``coverage_from`` or ``stale_from`` records or
    ``unexplained_from`` lines are too small for shares.
    """

    challenge: Policy = Policy.FAIL
    empty: Policy = Policy.FAIL
    declared: Policy = Policy.FAIL
    declared_limit: float = 0.2
    drop: Policy = Policy.FAIL
    drop_limit: float = 0.3
    drop_limit_log: float = 0.9
    coverage: Policy = Policy.FAIL
    coverage_limit: float = 0.3
    coverage_from: int = 10
    unexplained: Policy = Policy.FAIL
    unexplained_limit: float = 0.5
    unexplained_from: int = 20
    stale: Policy = Policy.FAIL
    stale_limit: float = 0.8
    stale_from: int = 3
    layout: Policy = Policy.WARN

    def __post_init__(self) -> None:
        """Check the values. Raises ``ValueError`` naming the key."""
        for key in (each.name for each in fields(self)):
            value = getattr(self, key)
            if "_limit" in key and not 0 <= value <= 1:
                raise ValueError(f"{key} = {value!r}: expected a share from 0 to 1")
            if key.endswith("_from") and value < 0:
                raise ValueError(f"{key} = {value!r}: expected 0 or more")
            if key in GUARDS and value not in set(Policy):
                raise ValueError(f"{key} = {value!r}: expected one of {', '.join(Policy)}")

    def policy(self, guard: str) -> Policy:
        """Return the policy of a guard."""
        return Policy(getattr(self, guard))


@dataclass(frozen=True, slots=True)
class GuardBook:
    """The guard settings: those for all sources, and those of the sources that override them."""

    default: Guards = field(default_factory=Guards)
    by_source: Mapping[str, Guards] = field(default_factory=dict)

    def of(self, source: str) -> Guards:
        """Return the settings of a source."""
        return self.by_source.get(source, self.default)


@dataclass(frozen=True, slots=True)
class Measure:
    """The measure of one capture for the guards, kept in the manifest for comparison with later captures.

    ``titles`` counts records with a title, ``authors`` and ``abstracts`` count ``papers`` with them. ``declared`` and
    ``found`` are those of the declared total that is missed by most; ``complete`` is True if there are totals and all
    match. ``ids`` is a hash of the record ids, ``listed_on`` the newest listing day and ``day_ids`` a sample of the
    records listed on it: the smallest hashes of their ids, concatenated. ``challenge`` names what the page shows
    instead of content.
    """

    log: bool = False
    format: str | None = None
    records: int = 0
    titles: int = 0
    papers: int = 0
    authors: int = 0
    abstracts: int = 0
    lines: int = 0
    unexplained: int = 0
    declared: int = 0
    found: int = 0
    complete: bool = False
    says_empty: bool = False
    listed_on: str | None = None
    ids: str | None = None
    day_ids: str = ""
    fingerprint: str | None = None
    challenge: str | None = None


_MEASURES: Final = {each.name: each.default for each in fields(Measure)}


def describe_measure(measure: Measure) -> dict[str, Any]:
    """Return a measure for the manifest: the values that are not defaults."""
    return {name: value for name, value in asdict(measure).items() if value != _MEASURES[name]}


def restore_measure(block: Mapping[str, Any] | None) -> Measure | None:
    """Return the measure from its block of the manifest; None if there is none, or another version wrote it."""
    if block is None or block.keys() - _MEASURES.keys():
        return None
    return Measure(**block)


@dataclass(frozen=True, slots=True)
class Alarm:
    """The alarm of a guard: its name, True if it rejects the capture, and what is wrong, in words."""

    guard: str
    fails: bool
    detail: str


_ROUNDING: Final = 1e-9

Past = Sequence[Measure]
"""The measures of earlier good captures of the same page, oldest first."""

Check = Callable[[Measure, Past, Guards], str | None]


def judge(
    now: Measure, past: Past, settings: Guards, accepted: Collection[str] = (), beside: Past = ()
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


def check_challenge(now: Measure, _past: Past, _settings: Guards) -> str | None:
    """Detect a page that shows a challenge instead of content."""
    return f"the page shows {now.challenge} instead of content" if now.challenge and not now.records else None


def check_empty(now: Measure, _past: Past, _settings: Guards) -> str | None:
    """Detect a page without records that does not declare itself empty."""
    if now.records or now.says_empty or now.format is None:
        return None
    return f"recognised as {now.format}, but no records were found and the page does not say that it is empty"


def check_declared(now: Measure, _past: Past, settings: Guards) -> str | None:
    """Detect a page that has fewer records than it declares."""
    if not _shrinks(now.declared, now.found, settings.declared_limit):
        return None
    return f"the page declares {now.declared} entries but shows {now.found}"


def check_drop(now: Measure, past: Past, settings: Guards) -> str | None:
    """Detect a page with far fewer records than before.

    On a log page, declared totals that match prove that a short or empty day is real.
    """
    limit = settings.drop_limit_log if now.log else settings.drop_limit
    proven = now.log and (now.complete or now.says_empty)
    if not past or proven or not _shrinks(past[-1].records, now.records, limit):
        return None
    return f"{now.records} records, down from {past[-1].records} in the last good capture"


def check_coverage(now: Measure, past: Past, settings: Guards) -> str | None:
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


def check_unexplained(now: Measure, _past: Past, settings: Guards) -> str | None:
    """Detect a page with too many unexplained lines."""
    if now.lines < settings.unexplained_from or now.unexplained <= settings.unexplained_limit * now.lines:
        return None
    return f"{now.unexplained} of {now.lines} lines are unexplained, expected at most {settings.unexplained_limit:.0%}"


def check_stale(now: Measure, past: Past, settings: Guards) -> str | None:
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


def check_layout(now: Measure, past: Past, _settings: Guards) -> str | None:
    """Detect a page whose layout has changed."""
    before = next(reversed(past), None)
    if before is None or now.format != before.format or None in {now.fingerprint, before.fingerprint}:
        return None
    if now.fingerprint == before.fingerprint:
        return None
    return f"the layout has changed: fingerprint {now.fingerprint}, {before.fingerprint} in the last good capture"


GUARDS: Final[Mapping[str, Check]] = {
    "challenge": check_challenge,
    "empty": check_empty,
    "declared": check_declared,
    "drop": check_drop,
    "coverage": check_coverage,
    "unexplained": check_unexplained,
    "stale": check_stale,
    "layout": check_layout,
}
"""The guards by name, in the order in which their alarms are reported."""

REASONS_OF: Final = {name: "empty_result" if name == "empty" else f"guard_{name}" for name in GUARDS}
"""The quarantine reason of a capture rejected by a guard."""


SAMPLE: Final = 32
"""Maximum number of hashes in a sample of record ids."""

HASH: Final = 8
"""Hex digits of each of these hashes."""


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
