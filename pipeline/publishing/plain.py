"""Converts frames to plain text: date-times in ISO notation, or every value as a string."""

from typing import Final

import polars as pl

from schemas.tables import SLOT

_DATETIME: Final = "%Y-%m-%dT%H:%M:%S"


def for_json(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn every date-time, also inside lists, into text with a ``T``: polars would write a space there."""
    stamp = pl.element().struct
    slots = pl.element().struct.with_fields(
        stamp.field("starts_at").dt.strftime(_DATETIME), stamp.field("ends_at").dt.strftime(_DATETIME)
    )
    nested = [pl.col("slots").list.eval(slots)] if frame.schema.get("slots") == pl.List(SLOT) else []
    return frame.with_columns(pl.col(pl.Datetime).dt.strftime(_DATETIME), *nested)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn every column into text: lists as JSON, days and times in ISO notation, null stays null."""
    plain = for_json(frame)
    lists = [
        # Only a struct can be written as JSON; its braces and the name are cut off again.
        pl.when(pl.col(name).is_not_null())
        .then(pl.struct(name).struct.json_encode().str.slice(len(name) + 4).str.head(-1))
        .alias(name)
        for name, dtype in plain.schema.items()
        if isinstance(dtype, pl.List)
    ]
    return plain.with_columns(*lists).cast(pl.String)
