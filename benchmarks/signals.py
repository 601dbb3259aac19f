"""What each signal is worth: how often it was told, and how often it was the only one.

The benchmarks of nights end with this table. Over faults, what a signal tells alone would be silent without it; over
the versions of real pages, it is what a person looked at for nothing, unless the page was really wrong.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from pipeline.base.signals import SIGNALS
from pipeline.merging.outcome import Outcome

REFUSED: Final = "refused"
"""In place of a signal, for a dump that its parser refuses."""

Names = frozenset[str]
"""The signals of a night."""


def signals_of(outcome: Outcome) -> Names:
    """Return the signals of a source in a run that make it red or amber."""
    refused = any(reading.fails and not reading.signs for reading in outcome.readings)
    return frozenset([*outcome.signals, *([REFUSED] if refused else [])])


def table_of(nights: Iterable[Collection[str]]) -> Iterator[str]:
    """Yield the rows: each signal that was told, on how many nights, and on how many of them alone."""
    told, alone = Counter[str](), Counter[str]()
    for names in nights:
        told.update(names)
        alone.update(names if len(names) == 1 else ())
    yield f"{'signal':<14}{'told':>6}{'alone':>7}"
    for name in (*SIGNALS, REFUSED):
        if told[name]:
            yield f"{name:<14}{told[name]:>6}{alone[name]:>7}"
