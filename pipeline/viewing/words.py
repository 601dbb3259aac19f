"""Words in records: what is searched, folded for case and accents. Polars does the work.

How matching records are ordered belongs to ``viewing.search``.
"""

from collections.abc import Sequence
from typing import Final

import polars as pl
import polars.selectors as cs

TEXTS: Final = tuple(
    (
        "subtitle abstract description summary event session_code session_title track room comments journal_ref "
        "arxiv_id doi"
    ).split()
)
"""What is searched beside title, people, categories and keywords."""

_PEOPLE: Final = ("authors", "chairs")
_LISTS: Final = ("categories", "keywords")


def title_text() -> pl.Expr:
    """Return the title of a record."""
    return pl.col("title").fill_null("")


def named_text() -> pl.Expr:
    """Return title and people of a record, each on lines of its own."""
    return pl.concat_str(*_named(), separator="\n", ignore_nulls=True)


def whole_text() -> pl.Expr:
    """Return all of a record that is searched; columns that an older minor version of the contract lacks are none."""
    lists = cs.by_name(*_LISTS, require_all=False).list.join(" ")
    return pl.concat_str(*_named(), cs.by_name(*TEXTS, require_all=False), lists, separator="\n", ignore_nulls=True)


def holds(text: pl.Expr, words: Sequence[str]) -> pl.Expr:
    """True where every word, or part of a word, occurs in a text, without regard to case and accents."""
    wanted = pl.Series(list(words), dtype=pl.String).to_frame("word").select(_folded(pl.col("word")))["word"].to_list()
    searched = _folded(text)
    return pl.all_horizontal(searched.str.contains(word, literal=True) for word in wanted)


def _named() -> list[pl.Expr]:
    """Return title and people of a record."""
    people = [pl.col(name).list.eval(pl.element().struct.field("name")).list.join(" ") for name in _PEOPLE]
    return [pl.col("title"), *people, pl.col("presenter")]


def _folded(text: pl.Expr) -> pl.Expr:
    """Return a text in lower case without accents."""
    return text.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()
