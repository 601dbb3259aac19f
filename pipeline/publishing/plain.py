"""Converts frames to plain text and back: date-times in ISO notation, or every value as a string."""

from typing import Final

import polars as pl

_DATETIME: Final = "%Y-%m-%dT%H:%M:%S"


def for_json(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn every date-time, also inside lists, into text with a ``T``: polars would write a space there."""
    stamp = pl.element().struct
    slots = pl.element().struct.with_fields(
        stamp.field("starts_at").dt.strftime(_DATETIME), stamp.field("ends_at").dt.strftime(_DATETIME)
    )
    nested = [pl.col("slots").list.eval(slots)] if "slots" in frame.columns else []
    return frame.with_columns(pl.col(pl.Datetime).dt.strftime(_DATETIME), *nested)


def from_json(lines: bytes, schema: pl.Schema) -> pl.DataFrame | None:
    """Rebuild a table from the lines that ``for_json`` gave; None if the table would not give exactly these lines.

    Raises ``PolarsError`` if they are not lines of such a table.
    """
    if not lines:
        return pl.DataFrame(schema=schema)
    read = pl.read_ndjson(lines, schema={name: _as_written(dtype) for name, dtype in schema.items()})
    days = [pl.col(name).str.to_date("%Y-%m-%d") for name, dtype in schema.items() if dtype == pl.Date]
    moments = [_to_moment(pl.col(name)) for name, dtype in schema.items() if isinstance(dtype, pl.Datetime)]
    stamp = pl.element().struct
    slots = stamp.with_fields(_to_moment(stamp.field("starts_at")), _to_moment(stamp.field("ends_at")))
    nested = [pl.col("slots").list.eval(slots)] if "slots" in schema else []
    frame = read.with_columns(*days, *moments, *nested)
    return frame if frame.schema == schema and for_json(frame).write_ndjson().encode() == lines else None


def _to_moment(text: pl.Expr) -> pl.Expr:
    """Parse a date-time as the lines have it."""
    return text.str.to_datetime(_DATETIME, time_unit="us")


def _as_written(dtype: pl.DataType) -> pl.DataType:
    """Return the type that a column has in lines: days and date-times are texts there, also inside lists."""
    if isinstance(dtype, pl.List):
        return pl.List(_as_written(dtype.inner))  # type: ignore[arg-type]  # it is an instance
    if isinstance(dtype, pl.Struct):
        fields = [pl.Field(field.name, _as_written(field.dtype)) for field in dtype.fields]  # type: ignore[arg-type]
        return pl.Struct(fields)
    return pl.String() if dtype == pl.Date or isinstance(dtype, pl.Datetime) else dtype


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
