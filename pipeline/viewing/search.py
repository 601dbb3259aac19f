"""Searches the records of a snapshot for words: every word occurs, folded for case and accents.

Records with all words in the title come first, then those with all in title and people, then the others, each by the
newest date. Polars does the work, file by file.
"""

import polars as pl

from pipeline.viewing.selection import Row, Selection
from pipeline.viewing.words import holds, named_text, title_text


def search(selection: Selection, most: int) -> tuple[list[Row], int]:
    """Return the rows of the ``most`` best records by the words of a selection, best first, and the number of all."""
    found = [_ranked(selection, source).collect() for source in selection.sources()]
    if not found:
        return [], 0
    every = pl.concat(found).sort("rank", "newest", "record_id", descending=[False, True, False], nulls_last=True)
    ids = every["record_id"].head(most)
    rows = {row["record_id"]: row for row in selection.rows(ids)}
    return [rows[each] for each in ids], every.height


def _ranked(selection: Selection, source: str) -> pl.LazyFrame:
    """Return id, rank and date of the matching records of a source."""
    newest = pl.coalesce(pl.col("starts_at").dt.date(), "listed_on", "published_on")
    in_title, in_names = (holds(text, selection.words) for text in (title_text(), named_text()))
    rank = pl.when(in_title).then(0).when(in_names).then(1).otherwise(2)
    return selection.scan(source).filter(selection.condition()).select("record_id", rank=rank, newest=newest)
