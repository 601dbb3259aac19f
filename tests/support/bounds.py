"""How strictly a source must report a strange line in its specimen, or damage to it.

A source with other bounds than the default declares them as ``BOUNDS`` in ``tests/sources/<source>/bounds.py``.
"""

from dataclasses import dataclass
from typing import Final

from tests.support.of_sources import part


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A line that is inserted at every place of a specimen, and a word by which it is found again.

    A meaningless line must never end up silently in a field; of ``plausible`` ones some may.
    """

    kind: str
    line: str
    word: str
    plausible: bool = False


NONSENSE: Final = Sentinel("", "zzqx sentinel 4711", "zzqx")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The sentinels of a source, and the exceptions that it may have.

    ``silent`` is the share of the places of plausible lines outside running text that may be silent; None if each
    silent place is reviewed one by one, nonsense included. ``held`` is the share of the records untouched by a damage
    that may be quarantined. ``set_off``: blank lines separate descriptions from the text beside them. ``titleless`` are
    the lines of the specimen before which nonsense is silent nevertheless, and ``lost`` the damages that silently
    change a record which they did not touch; each needs a reason.
    """

    sentinels: tuple[Sentinel, ...] = (NONSENSE,)
    silent: float | None = None
    held: float = 0.0
    set_off: bool = False
    titleless: frozenset[int] = frozenset()
    lost: frozenset[tuple[int, str]] = frozenset()


def bounds_of(source: str) -> Bounds:
    """Return the bounds of a source."""
    bounds: Bounds = getattr(part(source, "bounds"), "BOUNDS", Bounds())
    return bounds
