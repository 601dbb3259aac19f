"""The pandera schemas of the tables, made from their declarations; nothing is declared here.

Separate from ``schemas.tables``, since importing pandera takes longer than most commands: only validation imports it.
"""

from functools import cache

import pandera.polars as pa
import polars as pl

from schemas.tables import Check, Table


@cache
def pandera_schema(table: Table) -> pa.DataFrameSchema:
    """Return the schema of a table: these columns, in this order, and no others."""
    columns = {
        name: pa.Column(
            declared.dtype,
            [_check(check, pl.col(name)) for check in declared.checks],
            nullable=declared.nullable,
            description=declared.description,
        )
        for name, declared in table.columns.items()
    }
    return pa.DataFrameSchema(
        columns,
        checks=[_check(check, pl.lit(value=True)) for check in table.checks],
        unique=list(table.unique) or None,
        strict=True,
        ordered=True,
        name=table.name,
        description=table.description,
    )


def _check(check: Check, on: pl.Expr) -> pa.Check:
    """Make pandera's form of a check; a null result passes."""
    asked = check.expression(on).fill_null(value=True)
    return pa.Check(lambda data: data.lazyframe.select(asked), name=check.name, error=check.name)
