"""Generated dumps: the text with its expected records, and helpers for drawing values and writing markup."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

from parsers._ledger.document import Facts
from schemas.items import Record

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Case:
    """An invented programme or listing rendered in one layout; the expected records have no line numbers."""

    text: str
    records: tuple[Record, ...]
    facts: Facts = field(default_factory=Facts)


def pick(values: Sequence[Value]) -> st.SearchStrategy[Value]:
    """Draw one of many values; ``sampled_from`` would print all of them, which is slow."""
    return st.integers(0, len(values) - 1).map(lambda place: values[place])


def ordinal(number: int) -> str:
    """Return a number as 1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def dice(seed: int) -> Random:
    """Return the random generator that decides how a page is written."""
    return Random(seed)  # noqa: S311  # not for secrets


class First(Random):
    """No randomness: always the first choice, everything in order, nothing optional."""

    def choice(self, seq: Any) -> Any:  # as its base does
        """Return the first."""
        return seq[0]

    def shuffle(self, x: Any) -> None:
        """Keep the order."""

    def random(self) -> float:
        """Return 1.0, which is above any probability."""
        return 1.0


@dataclass(frozen=True)
class Hand:
    """How a page is written: meaningless variations from page to page; ``steady``: as the site writes it."""

    random: Random
    steady: bool = False

    def tag(self, name: str, /, **attributes: str) -> str:
        """Return a start tag with its attributes in any order, quoted in either way."""
        pairs = [(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items()]
        self.random.shuffle(pairs)
        quotes = self.random.choice("\"'")
        equals = self.random.choice(("=", "=", " ="))
        return f"<{name}{''.join(f' {key}{equals}{quotes}{value}{quotes}' for key, value in pairs)}>"

    def space(self) -> str:
        """Return insignificant white space."""
        return "\n      " if self.steady else self.random.choice(("", "\n", "\n      ", "  "))

    def gap(self) -> str:
        """Return white space that separates words."""
        return "\n        " if self.steady else self.random.choice((" ", "\n", "\n        ", "&nbsp;  "))

    def inside(self, content: str) -> str:
        """Return content with white space around it, as pretty-printed pages have it."""
        return f"{self.space()}{content}{self.space()}"

    def element(self, name: str, class_: str, content: str, /, **attributes: str) -> str:
        """Return an element of a class, with other attributes."""
        return f"{self.tag(name, class_=class_, **attributes)}{self.inside(content)}</{name}>{self.space()}"

    def wrapped(self, text: str) -> str:
        """Return a text, escaped, with some of its spaces as line ends."""
        if self.steady:
            return escape(text)
        return "".join("\n  " if letter == " " and self.random.random() < 0.1 else letter for letter in escape(text))

    def maybe(self, markup: str) -> str:
        """Return markup, or nothing."""
        return self.random.choice(("", markup))
