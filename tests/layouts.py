"""The shape of a generated dump: its text and the records that must come out of it; how to draw from long lists."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from parsers._contract import Facts
from schemas.items import Record

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Case:
    """An invented programme or listing rendered to one layout; the expected records bear no line numbers."""

    text: str
    records: tuple[Record, ...]
    facts: Facts = field(default_factory=Facts)


def pick(values: Sequence[Value]) -> st.SearchStrategy[Value]:
    """Draw one of many values; ``sampled_from`` would be printed with all of them, which takes long."""
    return st.integers(0, len(values) - 1).map(lambda place: values[place])
