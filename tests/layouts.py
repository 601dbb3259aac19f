"""The shape of a generated dump: its text and the records that must come out of it."""

from dataclasses import dataclass, field

from parsers._contract import Facts
from schemas.items import Record


@dataclass(frozen=True, slots=True)
class Case:
    """An invented programme or listing rendered to one layout; the expected records bear no line numbers."""

    text: str
    records: tuple[Record, ...]
    facts: Facts = field(default_factory=Facts)
