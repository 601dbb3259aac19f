"""The settings of the guards: a policy for each and a limit where it has one, for all sources or for one.

They come from ``[guards]`` in ``sources.toml``. The guards themselves belong to ``pipeline.guarding.guards``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Final


class Policy(StrEnum):
    """The effect of an alarm: FAIL rejects the capture, WARN only reports the alarm, OFF skips the guard."""

    FAIL = "fail"
    WARN = "warn"
    OFF = "off"


class LossPolicy(StrEnum):
    """What is published of a capture whose known records have lost values: nothing, or all but these records."""

    REFUSE = "refuse"
    PUBLISH_UNHARMED = "publish_unharmed"


@dataclass(frozen=True, slots=True)
class Guards:
    """The settings of all guards for one source: a policy for each, and a limit where it has one.

    A ``limit`` is a share from 0 to 1. ``drop`` has two: a state page, which lists everything, seldom shrinks; a log
    page, which lists what is new, is short on a quiet day. Pages below ``stale_from`` records or ``unexplained_from``
    lines are too small for shares of them. ``held`` says what is published of a capture that ``lost`` rejects.
    ``coverage`` is an old name of ``lost``: its policy is still read, not its
    limits.
    """

    challenge: Policy = Policy.FAIL
    asked: Policy = Policy.FAIL
    other_year: Policy = Policy.FAIL
    other_event: Policy = Policy.FAIL
    language: Policy = Policy.FAIL
    cut: Policy = Policy.FAIL
    empty: Policy = Policy.FAIL
    declared: Policy = Policy.FAIL
    declared_limit: float = 0.2
    drop: Policy = Policy.FAIL
    drop_limit: float = 0.3
    drop_limit_log: float = 0.9
    replaced: Policy = Policy.FAIL
    lost: Policy = Policy.FAIL
    spoilt: Policy = Policy.FAIL
    shifted: Policy = Policy.FAIL
    garbled: Policy = Policy.FAIL
    garbled_limit: float = 0.1
    unexplained: Policy = Policy.FAIL
    unexplained_limit: float = 0.5
    unexplained_from: int = 6
    stale: Policy = Policy.FAIL
    stale_limit: float = 0.8
    stale_from: int = 3
    layout: Policy = Policy.WARN
    held: LossPolicy = LossPolicy.REFUSE
    coverage: Policy | None = None
    coverage_limit: float | None = None
    coverage_from: int | None = None

    def __post_init__(self) -> None:
        """Check the values. Raises ``ValueError`` naming the key."""
        for key in (each.name for each in fields(self) if getattr(self, each.name) is not None):
            value = getattr(self, key)
            if "_limit" in key and not 0 <= value <= 1:
                raise ValueError(f"{key} = {value!r}: expected a share from 0 to 1")
            if key.endswith("_from") and value < 0:
                raise ValueError(f"{key} = {value!r}: expected 0 or more")
            if key == "held" and value not in set(LossPolicy):
                raise ValueError(f"{key} = {value!r}: expected one of {', '.join(LossPolicy)}")
            if key in GUARD_NAMES and value not in set(Policy):
                raise ValueError(f"{key} = {value!r}: expected one of {', '.join(Policy)}")

    def policy(self, guard: str) -> Policy:
        """Return the policy of a guard, also where it is given under its old name."""
        old = next((old for old, new in OLD_NAMES.items() if new == guard), guard)
        return Policy(getattr(self, old) or getattr(self, guard))


@dataclass(frozen=True, slots=True)
class GuardBook:
    """The guard settings: those for all sources, and those of the sources that override them."""

    default: Guards = field(default_factory=Guards)
    by_source: Mapping[str, Guards] = field(default_factory=dict)

    def of(self, source: str) -> Guards:
        """Return the settings of a source."""
        return self.by_source.get(source, self.default)


OLD_NAMES: Final = {"coverage": "lost"}
"""Guards that settings and sidecars may still name as they were called before."""


def overrules(accepted: Iterable[str], guard: str) -> bool:
    """True if a sidecar accepts what a guard rejects, also under an old name of the guard."""
    return guard in {OLD_NAMES.get(name, name) for name in accepted}


GUARD_NAMES: Final = tuple(each.name for each in fields(Guards) if isinstance(each.default, Policy))
"""The guards by name, in the order in which their alarms are reported."""
