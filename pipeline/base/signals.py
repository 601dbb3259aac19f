"""The signals: all that a run can tell of its pages and sources, in one table.

A row says what a signal compares, what follows from it, what it tells people and which command comes next. The rows of
captures are the fields of ``Guards``, the settings in ``[guards]`` of ``sources.toml``: a policy for each, and a limit
where it has one. What each finds is decided by the function of its name in ``pipeline.guarding.checks``, or where a
page is read; its sentence is shown in ``docs/signals.md``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Annotated, Final, NamedTuple, get_args


class Policy(StrEnum):
    """What follows from a signal of a capture.

    FAIL rejects the capture (red), LOOK publishes it and asks a person to look (amber), WARN is a note, OFF nothing.
    """

    FAIL = "fail"
    LOOK = "look"
    WARN = "warn"
    OFF = "off"


class LossPolicy(StrEnum):
    """What is published of a capture whose known records have lost values: nothing, or all but these records."""

    REFUSE = "refuse"
    PUBLISH_UNHARMED = "publish_unharmed"


class Compares(StrEnum):
    """What a signal looks at."""

    ALONE = "a capture"
    PAST = "a capture and earlier ones"
    SOURCE = "a source and what is published of it"
    FETCH = "a page and its site"


class Next(StrEnum):
    """The command that comes next: ``{file}`` is the dump, ``{line}`` the line in it."""

    LINES = "parse {file} --lines"
    EXPLAIN = "explain {file}:{line}"
    ACCEPT = "accept {file} {signal} --dry-run"
    CHANGES = "changes {source}"
    STATUS = "status {source}"
    REPLAY = "replay {source}"
    WITHDRAW = "refresh --withdrawn {source}"


class Signal(NamedTuple):
    """A row of the table: its name, what it compares, what follows, what it tells people and the command for them.

    What the command ``accept`` is offered for may be right.
    """

    name: str
    does: Policy
    compares: Compares
    says: str
    then: Next


class Sign(NamedTuple):
    """What a run tells: the name of the signal, what was found, what follows, and where: a line, a dump."""

    signal: str
    detail: str
    does: Policy = Policy.LOOK
    line: int | None = None
    dump: str | None = None


class SignalRow(NamedTuple):
    """What the table says of a signal of captures, beside its name and its policy.

    A guard has no sentence of its own: it says what its reason in the quarantine does.
    """

    compares: Compares
    then: Next
    says: str = ""


_ALONE, _PAST = Compares.ALONE, Compares.PAST
_FAIL, _LOOK, _WARN = Policy.FAIL, Policy.LOOK, Policy.WARN
_LINES, _ACCEPT, _EXPLAIN, _CHANGES = Next.LINES, Next.ACCEPT, Next.EXPLAIN, Next.CHANGES


@dataclass(frozen=True, slots=True)
class Guards:
    """The settings of the signals of captures for one source: a policy for each, and a limit where it has one.

    Those that fail a capture by default are called guards: ``guard_`` and the name is the reason in the quarantine. The
    others cannot fail one. A ``limit`` is a share from 0 to 1. ``drop`` has two: a state page, which lists everything,
    seldom shrinks; a log page, which lists what is new, is short on a quiet day. Pages below ``stale_from`` records or
    ``unexplained_from`` lines are too small for shares of them. ``held`` says what is published of a capture that
    ``lost`` rejects. ``coverage`` is an old name of ``lost``: its policy is still read, not its limits.
    """

    challenge: Annotated[Policy, SignalRow(_ALONE, _LINES)] = _FAIL
    asked: Annotated[Policy, SignalRow(_ALONE, _LINES)] = _FAIL
    other_year: Annotated[Policy, SignalRow(_ALONE, _ACCEPT)] = _FAIL
    other_event: Annotated[Policy, SignalRow(_ALONE, _ACCEPT)] = _FAIL
    language: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    cut: Annotated[Policy, SignalRow(_ALONE, _ACCEPT)] = _FAIL
    empty: Annotated[Policy, SignalRow(_ALONE, _LINES)] = _FAIL
    declared: Annotated[Policy, SignalRow(_ALONE, _LINES)] = _FAIL
    drop: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    replaced: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    lost: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    spoilt: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    shifted: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    garbled: Annotated[Policy, SignalRow(_ALONE, _LINES)] = _FAIL
    unexplained: Annotated[Policy, SignalRow(_ALONE, _LINES)] = _FAIL
    stale: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _FAIL
    layout: Annotated[Policy, SignalRow(_PAST, _ACCEPT)] = _WARN
    unread: Annotated[Policy, SignalRow(_ALONE, _EXPLAIN, "a line that nobody read governs records below it")] = _LOOK
    odd: Annotated[Policy, SignalRow(_ALONE, _EXPLAIN, "many values look like a label, a time, a list or the like")] = (
        _LOOK
    )
    cancelled: Annotated[Policy, SignalRow(_ALONE, _CHANGES, "most records are cancelled")] = _LOOK
    empty_day: Annotated[Policy, SignalRow(_ALONE, _CHANGES, "the list of a weekday is empty")] = _LOOK
    displaced: Annotated[
        Policy, SignalRow(_PAST, _CHANGES, "many known records moved, have another id or are gone")
    ] = _LOOK
    astray: Annotated[Policy, SignalRow(_PAST, _CHANGES, "a day or room is gone, or many moved by the same hours")] = (
        _LOOK
    )
    harmed: Annotated[Policy, SignalRow(_PAST, _CHANGES, "many known records moved, are gone or lost a value")] = _LOOK
    thinned: Annotated[Policy, SignalRow(_PAST, _CHANGES, "some known records have lost the same value")] = _LOOK
    rewritten: Annotated[Policy, SignalRow(_PAST, _CHANGES, "many known records have another value in a column")] = (
        _LOOK
    )
    remarked: Annotated[Policy, SignalRow(_PAST, _CHANGES, "many texts differ only in marks, blanks or case")] = _LOOK
    shortened: Annotated[Policy, SignalRow(_PAST, _CHANGES, "of many texts only a part is left")] = _LOOK
    other_form: Annotated[
        Policy, SignalRow(_PAST, _CHANGES, "the listing prints its records otherwise than before")
    ] = _LOOK
    misread: Annotated[Policy, SignalRow(_PAST, _CHANGES, "known records have text that was decoded wrongly")] = _LOOK
    letters: Annotated[Policy, SignalRow(_PAST, _CHANGES, "letters have become question marks")] = _LOOK
    other_format: Annotated[
        Policy, SignalRow(_PAST, _CHANGES, "the page is in another format: nothing was compared")
    ] = _LOOK
    short_list: Annotated[Policy, SignalRow(_PAST, _CHANGES, "the list of a day is far shorter than before")] = _LOOK
    repeated: Annotated[
        Policy, SignalRow(_PAST, _CHANGES, "an earlier capture has these records under a later day")
    ] = _LOOK
    declared_limit: float = 0.2
    drop_limit: float = 0.3
    drop_limit_log: float = 0.9
    garbled_limit: float = 0.1
    unexplained_limit: float = 0.5
    unexplained_from: int = 6
    stale_limit: float = 0.8
    stale_from: int = 3
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
            if key in SIGNALS and value not in (may_be := _policies(key)):
                raise ValueError(f"{key} = {value!r}: expected one of {', '.join(may_be)}")

    def policy(self, name: str) -> Policy:
        """Return the policy of a signal, also where it is given under its old name."""
        old = next((old for old, new in OLD_NAMES.items() if new == name), name)
        return Policy(getattr(self, old) or getattr(self, name))


@dataclass(frozen=True, slots=True)
class GuardBook:
    """The guard settings: those for all sources, and those of the sources that override them."""

    default: Guards = field(default_factory=Guards)
    by_source: Mapping[str, Guards] = field(default_factory=dict)

    def of(self, source: str) -> Guards:
        """Return the settings of a source."""
        return self.by_source.get(source, self.default)


OF_CAPTURES: Final = {
    each.name: Signal(each.name, Policy(str(each.default)), row.compares, row.says, row.then)
    for each in fields(Guards)
    for row in get_args(each.type)
    if isinstance(row, SignalRow)
}
"""The signals of captures by name, in the order in which they are told."""

_OTHERS: Final = (
    Signal("waiting", _LOOK, Compares.SOURCE, "a page shows another programme until its own is out", _ACCEPT),
    Signal("orphaned", _LOOK, Compares.SOURCE, "records are gone with their dumps", _CHANGES),
    Signal("overruled", _LOOK, Compares.SOURCE, "values are lost with dumps that were removed", _CHANGES),
    Signal("newer_code", _FAIL, Compares.SOURCE, "newer code reads less than is published", Next.REPLAY),
    Signal("no_dumps", _FAIL, Compares.SOURCE, "the dumps of what is published are gone", Next.WITHDRAW),
    Signal("no_records", _FAIL, Compares.SOURCE, "no valid record is left", Next.STATUS),
    Signal("defect", _FAIL, Compares.SOURCE, "the tables do not match their schema", Next.STATUS),
    Signal("lapsed", _LOOK, Compares.FETCH, "a published page is no longer fetched", Next.STATUS),
    Signal("unreached", _FAIL, Compares.FETCH, "a page could not be fetched", Next.STATUS),
)

SIGNALS: Final[Mapping[str, Signal]] = OF_CAPTURES | {each.name: each for each in _OTHERS}
"""All signals by name."""

GUARD_NAMES: Final = tuple(each.name for each in OF_CAPTURES.values() if each.does is not _LOOK)
"""The guards by name: the signals that can fail a capture."""

MAY_WAIT: Final = frozenset({"other_year", "other_event"})
"""Guards of a page that shows another programme: until its own is published for the first time, it waits."""

REASONS_OF: Final = {name: "empty_result" if name == "empty" else f"guard_{name}" for name in GUARD_NAMES}
"""The quarantine reason of a capture rejected by a guard."""

OLD_NAMES: Final = {"coverage": "lost"}
"""Guards that settings and sidecars may still name as they were called before."""


def _policies(name: str) -> list[Policy]:
    """Return the policies that a signal can have."""
    return [each for each in Policy if each is not Policy.FAIL or name in GUARD_NAMES]


def overrules(accepted: Iterable[str], guard: str) -> bool:
    """True if a sidecar accepts what a guard rejects, also under an old name of the guard."""
    return guard in {OLD_NAMES.get(name, name) for name in accepted}
