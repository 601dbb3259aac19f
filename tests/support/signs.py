"""What is told of a capture or a source, by the texts of its signs."""

from typing import Protocol

from pipeline.base.signals import Guards, Policy, Sign
from pipeline.guarding.checks import Case, judge
from pipeline.guarding.comparison import Comparison
from pipeline.reading.measure import Measure


class Signed(Protocol):
    """A reading, an outcome, or what was parsed."""

    @property
    def signs(self) -> tuple[Sign, ...]:
        """What is told."""


def told_of(signed: Signed) -> tuple[str, ...]:
    """Return what a person should look at."""
    return tuple(sign.detail for sign in signed.signs if sign.does is Policy.LOOK)


def looks_at(compared: Comparison, *, log: bool = False) -> list[str]:
    """Return what a person should look at in compared records."""
    signs = judge(Case(Measure(log=log), compared=compared), Guards())
    return [sign.detail for sign in signs if sign.does is Policy.LOOK]


def failing(compared: Comparison) -> dict[str, str]:
    """Return why compared records fail a capture, by the guard."""
    signs = judge(Case(Measure(), compared=compared), Guards())
    return {sign.signal: sign.detail for sign in signs if sign.does is Policy.FAIL}
