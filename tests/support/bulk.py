"""Generated layouts of any size for the benchmarks, and their invented words, the same on every run."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

_SYLLABLES: Final = "ba do fen gil hor ka lum mi nor pel qua ros sel tur vik wen yar zim".split()
_PLAIN: Final = "a and are by data for from in is of on our systems that the this time to we with".split()
_PLACES: Final = ("Harbour University, Esteria", "Institute of Tides (IoT), Norland", "Quill Labs co. ltd., Vesland")


@dataclass(frozen=True, slots=True)
class Bulk:
    """A layout that can fill a dump of any size: ``BULK`` in ``<source>/bulk.py`` maps names to layouts.

    ``blocks`` yields the top of a dump, then an endless series of blocks with distinct items. A dump is the top, blocks
    separated by ``between``, and ``bottom``; ``suffix`` is that of its file. ``beside`` are companions of every dump,
    by name.
    """

    blocks: Callable[[], Iterator[str]]
    suffix: str = ".txt"
    between: str = ""
    bottom: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)

    def put_beside(self, folder: Path, stamp: str = "") -> None:
        """Write the companions into the folder of a dump, with the stamp in its name if there is one."""
        for name, text in self.beside.items():
            (folder / f"{stamp}{name}").write_text(text, encoding="utf-8")


@cache
def _vocabulary() -> tuple[list[str], list[str]]:
    """Return words and sentences for all texts; made in advance, since dumps of 100 MB need many."""
    random = Random(2024)  # noqa: S311  # not for secrets
    words = ["".join(random.choices(_SYLLABLES, k=2 + number % 2)) for number in range(4000)]
    pairs = ([random.choice(words) if place % 2 else random.choice(_PLAIN) for place in range(18)] for _ in range(4000))
    return words, [f"{' '.join(pair).capitalize()}." for pair in pairs]


class Words:
    """A stream of invented words; ``number`` counts the items, so that each is unique."""

    def __init__(self) -> None:
        """Start from the same seed every time."""
        self._random = Random(4711)  # noqa: S311  # not for secrets
        self.number = count(1)
        self._words, self._sentences = _vocabulary()

    def word(self) -> str:
        """Return a word of two or three syllables."""
        return self._random.choice(self._words)

    def name(self) -> str:
        """Return a first and a last name."""
        return f"{self.word().title()} {self.word().title()}"

    def names(self) -> list[str]:
        """Return two to eight names."""
        return [self.name() for _ in range(self._random.randint(2, 8))]

    def place(self) -> str:
        """Return an affiliation with its country."""
        return self._random.choice(_PLACES)

    def title(self) -> str:
        """Return a unique title."""
        words = " ".join(self.word().title() for _ in range(self._random.randint(4, 9)))
        return f"{words} {next(self.number)}"

    def paragraph(self, size: int = 1200) -> str:
        """Return random sentences of about ``size`` characters."""
        return " ".join(self._random.choices(self._sentences, k=size // 100 + 1))

    def moment(self, number: int) -> str:
        """Return a date with time for item ``number``; they repeat after 40,320 items."""
        return f"2025-11-{1 + number % 28:02}T{number // 28 % 24:02}:{number // 672 % 60:02}:59.000Z"

    def pick(self, *options: str) -> str:
        """Return one of the options."""
        return self._random.choice(options)
