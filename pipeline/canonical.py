"""Canonical forms beside what is printed: ISO country codes, DOIs that stand in comments and journal references.

What is printed is kept; a form that is not certain stays null and is counted. Cleaning of texts is in
``pipeline.frames``.
"""

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import Final

import polars as pl
import pycountry

DOI_NOTE: Final = "doi_from_text"

# Names that people print and the list of ISO does not have.
_ALIASES: Final = {
    "brunei": "BN",
    "burma": "MM",
    "cape verde": "CV",
    "england": "GB",
    "great britain": "GB",
    "holland": "NL",
    "ivory coast": "CI",
    "korea": "KR",  # on conference pages always the southern one
    "korea south": "KR",
    "korea republic of": "KR",
    "macau": "MO",
    "macedonia": "MK",
    "mainland china": "CN",
    "northern ireland": "GB",
    "p r china": "CN",
    "peoples republic of china": "CN",
    "pr china": "CN",
    "prc": "CN",
    "republic of korea": "KR",
    "russia": "RU",
    "scotland": "GB",
    "swaziland": "SZ",
    "turkey": "TR",
    "u k": "GB",
    "u s": "US",
    "u s a": "US",
    "uae": "AE",
    "uk": "GB",
    "united states of america usa": "US",
    "wales": "GB",
}
_NAMES: Final = ("name", "official_name", "common_name", "alpha_3")
_DOI: Final = r'(?:^|[^\d.])10\.\d{4,9}/[^\s"<>{}|\\^\x60]*[^\s"<>{}|\\^\x60.,;:!?\]]'


def country_codes(printed: pl.Series) -> pl.Series:
    """Return the ISO 3166-1 alpha-2 code of each printed country; null where it is none, or could be another."""
    distinct = printed.drop_nulls().unique().to_list()
    return printed.replace_strict(
        distinct, [country_code(text) for text in distinct], default=None, return_dtype=pl.String
    )


@cache
def country_code(printed: str) -> str | None:
    """Return the ISO 3166-1 alpha-2 code of a country as people print it, None where it is not certain.

    A name that a state of the USA or a province of Canada bears too (``Georgia``, ``CA``, ``DE``) is not certain.
    """
    return _codes().get(_key(printed))


def uncoded_countries(records: pl.DataFrame) -> dict[str, int]:
    """Count the printed countries of authors and chairs that have no code, the most frequent first."""
    counts: Counter[str] = Counter()
    for name in ("authors", "chairs"):
        people = records[name].drop_nulls().explode(empty_as_null=False).struct.unnest()
        lacking = people.filter(pl.col("country").is_not_null() & pl.col("country_code").is_null())
        counts.update(lacking["country"].to_list())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def fill_doi(records: pl.DataFrame) -> pl.DataFrame:
    """Fill ``doi`` from journal reference and comments where no field printed one, with a note; all in lower case.

    Where the texts name several, none is taken: it could be that of another paper.
    """
    records = records.with_columns(canonical_doi(pl.col("doi")))
    text = pl.concat_str("journal_ref", "comments", separator="\n", ignore_nulls=True)
    candidates = records.select(pl.col("doi").is_null() & text.str.contains("10.", literal=True)).to_series()
    if not candidates.any():  # as in most dumps: looking costs less than extracting
        return records
    found = _balanced(text.str.to_lowercase().str.extract_all(_DOI)).list.unique()
    only = pl.when(candidates & (found.list.len() == 1)).then(found.list.first())
    noted = pl.concat_list("notes", pl.lit(DOI_NOTE)).list.sort()
    filled = records.with_columns(found=only)
    notes = pl.when(pl.col("found").is_not_null()).then(noted).otherwise("notes")
    return filled.with_columns(doi=pl.coalesce("doi", "found"), notes=notes).drop("found")


def canonical_doi(doi: pl.Expr) -> pl.Expr:
    """Take resolver and label off a DOI and write it in lower case: DOIs that differ in case are the same."""
    return doi.str.to_lowercase().str.replace(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "")


def _balanced(dois: pl.Expr) -> pl.Expr:
    """Cut off what stands before each DOI, and a closing bracket that it does not open: it closes the text around."""
    each = pl.element().str.replace(r"^\D+", "")
    closes = each.str.ends_with(")") & (each.str.count_matches(r"\)") > each.str.count_matches(r"\("))
    return dois.list.eval(pl.when(closes).then(each.str.strip_suffix(")")).otherwise(each))


@cache
def _codes() -> dict[str, str]:
    """Return the code of every certain name and code, by its key."""
    known = {
        _key(value): country.alpha_2
        for country in pycountry.countries
        for field in _NAMES
        if (value := getattr(country, field, None))
    }
    known |= {_key(country.alpha_2): country.alpha_2 for country in pycountry.countries}
    known |= _ALIASES
    states = [state for country in ("US", "CA") for state in pycountry.subdivisions.get(country_code=country)]  # type: ignore[no-untyped-call]  # ships few types
    shared = {_key(name) for state in states for name in (state.name, state.code[3:])}
    return {key: code for key, code in known.items() if key not in shared}


def _key(name: str) -> str:
    """Reduce a name to what its spellings share: letters without accents, in lower case, no article."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    words = re.sub(r"[^\w\s]", " ", "".join(each for each in plain if not unicodedata.combining(each)).replace("'", ""))
    return " ".join(words.split()).removeprefix("the ")
