"""Searches the records of a snapshot for words: every word occurs, folded for case and accents.

Records with all words in the title come first, then those with all in title and people, then the others, each by the
newest date. Polars does the work, file by file.
"""

from collections.abc import Sequence
from typing import Final

import polars as pl

from pipeline.viewing.selection import Row, Selection

TEXTS: Final = tuple(
    (
        "subtitle abstract description summary event session_code session_title track room comments journal_ref "
        "arxiv_id doi"
    ).split()
)
"""What is searched beside title, people, categories and keywords."""

_PEOPLE: Final = ("authors", "chairs")
_LISTS: Final = ("categories", "keywords")


def search(selection: Selection, words: Sequence[str], most: int) -> tuple[list[Row], int]:
    """Return the rows of the ``most`` best records, best first, and the number of all that match."""
    found = [
        ranked.collect() for source in selection.sources() if (ranked := _ranked(selection, source, words)) is not None
    ]
    if not found:
        return [], 0
    every = pl.concat(found).sort("rank", "newest", "record_id", descending=[False, True, False], nulls_last=True)
    ids = every["record_id"].head(most)
    rows = {row["record_id"]: row for row in selection.rows(ids)}
    return [rows[each] for each in ids], every.height


def folded(text: pl.Expr) -> pl.Expr:
    """Return a text in lower case without accents."""
    return text.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()


def _ranked(selection: Selection, source: str, words: Sequence[str]) -> pl.LazyFrame:
    """Return id, rank and date of the matching records of a source."""
    frame = selection.scan(source)
    known = set(frame.collect_schema().names())
    people = [pl.col(name).list.eval(pl.element().struct.field("name")).list.join(" ") for name in _PEOPLE]
    people.append(pl.col("presenter"))
    others = [pl.col(name) for name in TEXTS if name in known]
    others += [pl.col(name).list.join(" ") for name in _LISTS]
    title = folded(pl.col("title").fill_null(""))
    named = folded(pl.concat_str([pl.col("title"), *people], separator="\n", ignore_nulls=True))
    whole = folded(pl.concat_str([pl.col("title"), *people, *others], separator="\n", ignore_nulls=True))
    wanted = pl.Series(list(words), dtype=pl.String).to_frame("word").select(folded(pl.col("word")))["word"].to_list()

    def holds(text: pl.Expr) -> pl.Expr:
        return pl.all_horizontal(text.str.contains(word, literal=True) for word in wanted)

    newest = pl.coalesce(pl.col("starts_at").dt.date(), "listed_on", "published_on")
    rank = pl.when(holds(title)).then(0).when(holds(named)).then(1).otherwise(2)
    return frame.filter(selection.condition() & holds(whole)).select("record_id", rank=rank, newest=newest)
