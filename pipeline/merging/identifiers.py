"""Identifiers of merged records from the addresses that are printed with them: ``arxiv_id``, ``doi``, ``other_ids``.

They are found after identity and merging, so that no ``record_id`` depends on them. Only the address of the record, and
links of a paper that name its publication, count: a wrong identifier is worse than none. DOIs in texts belong to
``pipeline.reading.canonical``, the forms of addresses to ``parsers._words.identifiers``.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import polars as pl

from parsers._words.identifiers import MARKS, identifier_in
from schemas.tables import ARXIV_ID, DOI

DERIVED: Final = {"arxiv_id": "arxiv_id_from_address", "doi": "doi_from_address"}
"""The note of a value that was found in an address, by column."""

_SCHEMES: Final = {"arxiv_id": "arxiv", "doi": "doi"}
_OF_PUBLICATION: Final = (
    r"(?i)^\W*(?:(?:access|acl|acm|anthology|article|arxiv|camera|digital|doi|e?print|full|html|ieee|in|library|link|official"
    r"|on|open|openreview|our|page|paper|pdf|post|pre|preprint|postprint|proceedings|print|publication|published|publisher"
    r"|ready|s|text|the|this|to|usenix|version)\b\W*)+$"
)
"""Titles of links to the paper itself: all words are such. One without a title is a field of its source, which nobody
has named; any other may lead to a paper that is talked about."""

_OF_DATA: Final = r"^10\.(?:4121|5061|5281|6084|7910|17632|24433)/"
"""DOIs of archives of data and software: what is linked there is rarely the paper."""

_OF_ARXIV: Final = "10.48550/arxiv."
_ADDRESSES: Final = pl.Schema({"row": pl.UInt32, "address": pl.String, "own": pl.Boolean})
_VALID: Final = {"arxiv": re.compile(ARXIV_ID), "doi": re.compile(DOI)}
_FOUND: Final = pl.Schema({"address": pl.String, "scheme": pl.String, "value": pl.String})


def fill_identifiers(records: pl.DataFrame) -> pl.DataFrame:
    """Fill missing ``arxiv_id`` and ``doi``, with a note, and make ``other_ids`` anew, from addresses.

    The address of the record itself decides; without one the links of a paper to its publication do, if they do not
    name several of a kind.
    """
    numbered = records.with_row_index("row")
    chosen = _choose(_identified(_addresses(numbered)))
    if chosen.is_empty():  # as in most sources: nothing is copied
        return records.with_columns(other_ids=pl.lit(None, pl.List(pl.String)))
    others = chosen.filter(~pl.col("scheme").is_in(list(_SCHEMES.values())))
    listed = others.select("row", pl.format("{}:{}", "scheme", "value").alias("other_ids"))
    filled = numbered.drop("other_ids").join(
        listed.group_by("row").agg(pl.col("other_ids").sort()), on="row", how="left", maintain_order="left"
    )
    for name, scheme in _SCHEMES.items():
        found = chosen.filter(pl.col("scheme") == scheme).select("row", pl.col("value").alias("found"))
        filled = filled.join(found, on="row", how="left", maintain_order="left")
        is_new = pl.col(name).is_null() & pl.col("found").is_not_null()
        noted = pl.concat_list("notes", pl.lit(DERIVED[name])).list.sort()
        notes = pl.when(is_new).then(noted).otherwise("notes")
        filled = filled.with_columns(pl.coalesce(name, "found"), notes=notes).drop("found")
    return filled.select(records.columns)


def without_derived(records: pl.DataFrame) -> pl.DataFrame:
    """Return records as they are printed: without the identifiers that were found in addresses, and their notes."""
    printed = [pl.when(~pl.col("notes").list.contains(note)).then(name).alias(name) for name, note in DERIVED.items()]
    return records.with_columns(*printed, notes=pl.col("notes").list.set_difference(list(DERIVED.values())))


def _addresses(numbered: pl.DataFrame) -> pl.DataFrame:
    """Return the addresses of each row that may have an identifier it lacks; ``own`` is true of the record's own."""
    named = pl.col("title").is_null() | pl.col("title").str.contains(_OF_PUBLICATION)
    same = pl.col("title").str.to_lowercase() == pl.col("of").str.to_lowercase()
    links = (
        numbered.lazy()
        .filter((pl.col("kind") == "paper") & pl.col("links").is_not_null())
        .select("row", pl.col("title").alias("of"), pl.col("links").alias("link"))
        .explode("link")
        .unnest("link")
        .filter(pl.col("rel").is_in(["preprint", "related"]) & (named | same.fill_null(value=False)))
        .select("row", address="url", own=pl.lit(value=False))
    )
    of_arxiv = pl.col("doi").str.starts_with(_OF_ARXIV) & pl.col("arxiv_id").is_null()
    doi = (
        numbered.lazy()
        .filter(of_arxiv)
        .select("row", address="https://doi.org/" + pl.col("doi"), own=pl.lit(value=True))
    )
    own = numbered.lazy().filter(pl.col("url").is_not_null()).select("row", address="url", own=pl.lit(value=True))
    known = numbered.lazy().select("row", "arxiv_id", "doi")
    marked = pl.col("address").str.contains_any
    others = [mark for scheme, marks in MARKS.items() if scheme not in _SCHEMES.values() for mark in marks]
    needed = marked(others, ascii_case_insensitive=True) | pl.any_horizontal(
        pl.col(name).is_null() & marked(list(MARKS[scheme]), ascii_case_insensitive=True)
        for name, scheme in _SCHEMES.items()
    )
    every = pl.concat([own, links, doi])
    return every.join(known, on="row", maintain_order="left").filter(needed).select(_ADDRESSES.names()).collect()


def _identified(addresses: pl.DataFrame) -> pl.DataFrame:
    """Return the addresses with ``scheme`` and ``value`` of their identifiers; those without one are left out."""
    read = pl.DataFrame(list(_read(addresses["address"].unique())), schema=_FOUND, orient="row")
    of_data = (pl.col("scheme") == "doi") & pl.col("value").str.contains(_OF_DATA) & ~pl.col("own")
    return addresses.join(read, on="address").filter(~of_data)


def _read(addresses: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each address that has a valid identifier, with that."""
    for address in addresses:
        found = identifier_in(address)
        if found is not None and (found.scheme not in _VALID or _VALID[found.scheme].match(found.value)):
            yield address, found.scheme, found.value


def _choose(found: pl.DataFrame) -> pl.DataFrame:
    """Return the identifier of each kind in the own address of a row, else in its links, where there is only one."""
    own = pl.col("own") == pl.col("own").max().over("row", "scheme")
    values = found.filter(own).group_by("row", "scheme").agg(pl.col("value").unique())
    return values.filter(pl.col("value").list.len() == 1).with_columns(pl.col("value").list.first())
