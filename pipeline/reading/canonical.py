"""Canonical forms: ISO country codes beside the printed names, DOIs as printed or found in texts.

An uncertain canonical form stays null. Text cleaning is in ``pipeline.reading.cleaning``, what becomes of invalid
values in ``pipeline.reading.values``.
"""

import re
import unicodedata
from functools import cache
from typing import Final

import polars as pl
import pycountry

from pipeline.reading.cleaning import one_line

DOI_NOTE: Final = "doi_from_text"

# Names that people print but ISO does not list, by code.
_ALIASES: Final = {
    "AE": ["UAE"],
    "AT": ["Österreich"],
    "BA": ["Bosnia", "Bosnia-Herzegovina"],
    "BN": ["Brunei"],
    "BR": ["Brasil"],
    "CD": ["Democratic Republic of the Congo", "DR Congo", "DRC"],
    "CH": ["Schweiz", "Suisse", "Svizzera"],
    "CI": ["Ivory Coast"],
    "CN": ["Mainland China", "China Mainland", "PR China", "PR of China", "PRC", "中国"],
    "CV": ["Cape Verde"],
    "CZ": ["Czech Rep"],
    "DE": ["Deutschland"],
    "DK": ["Danmark"],
    "ES": ["España"],
    "FM": ["Micronesia"],
    "GB": ["Britain", "England", "Great Britain", "N Ireland", "Northern Ireland", "Scotland", "UK", "Wales"],
    "GE": ["Republic of Georgia"],
    "HK": ["Hong Kong China", "Hong Kong SAR", "Hong Kong SAR China", "Hongkong", "HKSAR", "香港"],
    "IE": ["Republic of Ireland"],
    "IR": ["IR Iran"],
    "IT": ["Italia"],
    "JP": ["日本"],
    "KP": ["DPRK"],
    # Plain "Korea" on conference pages is always the southern one.
    "KR": [
        "Korea",
        "Korea Rep",
        "Korea Republic of",
        "Korea South",
        "Rep of Korea",
        "Republic of Korea",
        "RO Korea",
        "ROK",
        "S Korea",
        "대한민국",
        "한국",
    ],
    "LC": ["St Lucia"],
    "MK": ["FYROM", "Macedonia"],
    "MM": ["Burma"],
    "MO": ["Macao SAR", "Macau", "Macau SAR"],
    "NL": ["Holland", "Nederland"],
    "NO": ["Norge"],
    "PL": ["Polska"],
    "PS": ["Palestine", "Palestinian Territories", "Palestinian Territory"],
    "RU": ["Russia"],
    "SA": ["KSA"],
    "SE": ["Sverige"],
    "SZ": ["Swaziland"],
    "TL": ["East Timor"],
    "TR": ["Turkey"],
    "TW": ["Chinese Taipei", "Republic of China Taiwan", "ROC", "Taiwan ROC", "台湾", "台灣"],
    "US": ["US of America"],
    "VA": ["Vatican", "Vatican City"],
    "ZA": ["RSA"],
}
_NOT_AVAILABLE: Final = "na"
"""Printed by people who give no country. It is also the code of Namibia, which people print by name."""

_PARTS: Final = re.compile(r"[(),]")
_APOSTROPHE: Final = re.compile(r"['’‘ʼ`´]")
_INITIALS: Final = re.compile(r"(?<=\b\w) (?=\w\b)")
_NAMES: Final = ("name", "official_name", "common_name", "alpha_3")
# Printable ASCII without characters that close the surrounding text; the ``<...>`` parts of old journal DOIs are kept.
_DOI_BODY: Final = r"""(?:[!-~--["<>{}|\\^`?#]]|<\d*:[^<>\s]*>)*"""
_DOI: Final = rf"""(?:^|[^\d.])10\.\d{{4,9}}/{_DOI_BODY}[!-~--["'<>{{}}|\\^`?#.,;:!*/\[\]]]"""
_DOI_PREFIX: Final = re.compile(r"(?:(?:https?://)?(?:(?:dx|www)\.)?doi\.org/|(?:info:)?doi[:/]?\s*)+")
_LATEX_ESCAPE: Final = r"\\([_%&#])"
_NEXT_DOI: Final = r"([,;])((?:https?://|doi|10\.\d{4,9}/))"


@cache
def country_code(printed: str) -> str | None:
    """Return the ISO 3166-1 alpha-2 code of a country as people print it; None if it is uncertain.

    A name shared with a US state or a Canadian province (``Georgia``, ``CA``, ``DE``) is uncertain. One country named
    twice, as in ``England, UK`` or ``United States (USA)``, is certain.
    """
    whole = _codes().get(_key(printed))
    parts = {_codes().get(_key(part)) for part in _PARTS.split(printed) if part.strip()}
    return whole or (parts.pop() if len(parts) == 1 else None)


def fill_doi(records: pl.DataFrame) -> pl.DataFrame:
    """Fill missing ``doi`` values from journal reference and comments, with a note.

    If the texts name several DOIs, none is taken: it could belong to another paper.
    """
    text = pl.concat_str("journal_ref", "comments", separator="\n", ignore_nulls=True)
    candidates = records.select(pl.col("doi").is_null() & text.str.contains("10.", literal=True)).to_series()
    if not candidates.any():  # as in most dumps; this check is cheaper than extracting
        return records
    plain = text.str.to_lowercase().str.replace_all(_LATEX_ESCAPE, "$1").str.replace_all(_NEXT_DOI, "$1 $2")
    found = _balanced(plain.str.extract_all(_DOI)).list.unique()
    only = pl.when(candidates & (found.list.len() == 1)).then(found.list.first())
    filled = records.with_columns(found=only)
    noted = pl.concat_list("notes", pl.lit(DOI_NOTE)).list.sort()
    notes = pl.when(pl.col("found").is_not_null()).then(noted).otherwise("notes")
    return filled.with_columns(doi=pl.coalesce("doi", "found"), notes=notes).drop("found")


def canonical_doi(printed: str) -> str:
    """Strip resolver and label from a DOI and lowercase it: DOIs are case-insensitive."""
    plain = (one_line(printed) or "").lower()
    found = _DOI_PREFIX.match(plain)
    return plain[found.end() :] if found else plain


def _balanced(dois: pl.Expr) -> pl.Expr:
    """Strip the text before each DOI, and a final closing bracket that belongs to the surrounding text."""
    each = pl.element().str.replace(r"^\D+", "")
    closes = each.str.ends_with(")") & (each.str.count_matches(r"\)") > each.str.count_matches(r"\("))
    return dois.list.eval(pl.when(closes).then(each.str.strip_suffix(")")).otherwise(each))


@cache
def _codes() -> dict[str, str]:
    """Return the code of every unambiguous country name and code, by its key."""
    known = {
        _key(value): country.alpha_2
        for country in pycountry.countries
        for field in _NAMES
        if (value := getattr(country, field, None))
    }
    known |= {_key(country.alpha_2): country.alpha_2 for country in pycountry.countries}
    known |= {_key(alias): code for code, aliases in _ALIASES.items() for alias in aliases}
    states = [state for country in ("US", "CA") for state in pycountry.subdivisions.get(country_code=country)]  # type: ignore[no-untyped-call]  # ships few types
    shared = {_NOT_AVAILABLE} | {_key(name) for state in states for name in (state.name, state.code[3:])}
    territories = {_key(state.name) for state in states if known.get(_key(state.name)) == state.code[3:]}
    return {key: code for key, code in known.items() if key not in shared or key in territories}


def _key(name: str) -> str:
    """Reduce a name to what its spellings share: lower case, no accents, initials joined, no article."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    words = re.sub(r"[^\w\s]", " ", _APOSTROPHE.sub("", letters).replace("&", " and "))
    return _INITIALS.sub("", " ".join(words.split())).removeprefix("the ")
