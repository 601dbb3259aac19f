"""How deep the tests look: at a sample with each push, at everything in ``make nightly``, by the profile ``deep``."""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

Case = TypeVar("Case")


def is_deep() -> bool:
    """True if all cases are tried."""
    return settings.get_current_profile_name() == "deep"


def sample(cases: Sequence[Case], step: int, first: int = 0) -> Sequence[Case]:
    """Return each ``step``-th of some cases from the first one on; all of them if the tests look deep."""
    return cases if is_deep() else cases[first % step :: step]
