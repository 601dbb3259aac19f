"""Invented words for dumps of any size: names, titles and abstracts of the usual length, the same on every run."""

from itertools import count
from random import Random
from typing import Final

_SYLLABLES: Final = "ba do fen gil hor ka lum mi nor pel qua ros sel tur vik wen yar zim".split()
_PLAIN: Final = "a and are by data for from in is of on our systems that the this time to we with".split()
_PLACES: Final = ("Harbour University, Esteria", "Institute of Tides (IoT), Norland", "Quill Labs co. ltd., Vesland")


class Words:
    """A stream of invented words; ``number`` counts the items that were made, so that each is the only one."""

    def __init__(self) -> None:
        """Start at the same place every time."""
        self._random = Random(4711)  # noqa: S311  # not for secrets
        self.number = count(1)

    def word(self) -> str:
        """Return a word of two or three syllables."""
        return "".join(self._random.choices(_SYLLABLES, k=self._random.choice((2, 3))))

    def name(self) -> str:
        """Return first and last name."""
        return f"{self.word().title()} {self.word().title()}"

    def names(self) -> list[str]:
        """Return two to eight names."""
        return [self.name() for _ in range(self._random.randint(2, 8))]

    def place(self) -> str:
        """Return an affiliation with its country."""
        return self._random.choice(_PLACES)

    def title(self) -> str:
        """Return a title that no other item has."""
        words = " ".join(self.word().title() for _ in range(self._random.randint(4, 9)))
        return f"{words} {next(self.number)}"

    def paragraph(self, size: int = 1200) -> str:
        """Return sentences of about ``size`` characters."""
        sentences, length = [], 0
        while length < size:
            words = [self._random.choice(_PLAIN) if self._random.random() < 0.5 else self.word() for _ in range(18)]
            sentences.append(" ".join(words).capitalize() + ".")
            length += len(sentences[-1]) + 1
        return " ".join(sentences)

    def pick(self, *options: str) -> str:
        """Return one of the options."""
        return self._random.choice(options)
