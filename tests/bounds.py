"""What a source promises of a line that is put into its specimen, and of damage; a source may declare more than this.

A source with bounds of its own declares them as ``BOUNDS`` in ``tests/sources/<source>/bounds.py``.
"""

from dataclasses import dataclass
from typing import Final

from tests.of_sources import part


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A line that is put at every place of a specimen, and a word by which it is found again.

    One that means nothing may never end in a field in silence; of those that are ``plausible`` some may.
    """

    kind: str
    line: str
    word: str
    plausible: bool = False


NONSENSE: Final = Sentinel("", "zzqx sentinel 4711", "zzqx")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The sentinels of a source, and the share of places and records that may come out otherwise.

    ``silent``: of the places of plausible lines outside running text, how many may be silent; None where each silent
    place is reviewed one by one, nonsense included. ``held``: of the records that a damage did not touch, how many may
    be held back with a reason. ``set_off``: blank lines tell descriptions from what is beside them. ``titleless``: the
    lines of the specimen before which nonsense is silent all the same, and ``lost``: the damages that change a record
    which they did not touch and tell nobody; each with its reason.
    """

    sentinels: tuple[Sentinel, ...] = (NONSENSE,)
    silent: float | None = None
    held: float = 0.0
    set_off: bool = False
    titleless: frozenset[int] = frozenset()
    lost: frozenset[tuple[int, str]] = frozenset()


def bounds_of(source: str) -> Bounds:
    """Return what a source promises."""
    bounds: Bounds = getattr(part(source, "bounds"), "BOUNDS", Bounds())
    return bounds
