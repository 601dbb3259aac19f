"""From the printed pieces of one alphaXiv card to a record: the same for every format.

How the pieces are found in a dump does not belong here.
"""

from dataclasses import dataclass

from schemas.items import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card as printed. ``body`` is the authors' abstract or an overview: the text layout does not say which."""

    line_start: int | None
    line_end: int | None
    body: str
    count: int | None = None


def make_record(card: Card) -> Record:
    """Make the record of one card; the text stays as printed."""
    return Record(
        line_start=card.line_start,
        line_end=card.line_end,
        abstract=card.body,
        engagement=card.count,
        notes=("abstract_or_summary",),
    )
