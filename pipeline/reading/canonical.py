"""Canonical forms of values, and what becomes of a value that has none; country codes beside the printed names.

A bad value costs the record that value, not the dataset the record. Every check of a nullable column in
``schemas.tables`` has its counterpart here: what can be written in the form that the column wants without guessing is
(``HTTPS://Host/x``); any other value that would break a check is left out, with a note on the record and a row of its
own in the quarantine. This comes before identity, merging and guards: another printing of the record may fill the gap,
and guards see what was lost. What costs an item as a whole belongs to ``pipeline.reading.parse``, text cleaning to
``pipeline.reading.cleaning``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import polars as pl
import pycountry

from parsers._words.people import is_doubled
from pipeline.reading.cleaning import one_line
from schemas.items import Link, Person, Record, Reject, Slot
from schemas.tables import ADDRESS, ARXIV_ID, DOI
from schemas.vocabulary import FORMATS, LINKS, LISTING_SECTIONS

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


_LEFT_OUT: Final = "field_unread"
_NO_DOI: Final = "doi_invalid"
_NO_END: Final = "end_before_start"

_ADDRESS: Final = re.compile(ADDRESS)
_ARXIV_ID: Final = re.compile(ARXIV_ID)
_IS_DOI: Final = re.compile(DOI)
_ODD_ADDRESS: Final = re.compile(r"(https?)://([^/?#\s]*@)?([^/?#\s@]+)(\S*)", re.IGNORECASE)
_TEXT: Final = "a text for people"
_REPR: Final = re.compile(
    r"(?:None|null|undefined|NaN|nil)"
    r"|(?:[A-Za-z_][\w.]*\()?(?:\[[\[({]?|\{)\s*u?(?:'[^']*'|\"[^\"]*\")\s*[,:)\]}].*"
    r"|(?:OrderedDict|defaultdict|Counter|datetime\.\w+|Decimal|frozenset|set|dict|list|tuple)\(.*\)"
    r"|<[\w. ]+ (?:object )?at 0x[0-9a-fA-F]+>|\[object \w+\]|#<\w+[ :].*>",
    re.DOTALL,
)
"""A value as Python, JavaScript or Ruby prints it."""
_LARGEST: Final = 2**63 - 1
_SHOWN: Final = 200


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


class BadValue(NamedTuple):
    """A value that was left out: the 1-based rank of its record among the items, and what the quarantine says."""

    rank: int
    reject: Reject


def with_valid_values(records: Sequence[Record]) -> tuple[list[Record], list[BadValue]]:
    """Return the records without the values that would break a check, and these values."""
    bad: list[BadValue] = []
    valid = []
    for rank, record in enumerate(records, 1):
        found = _Found(record)
        changes = dict(_changes(record, found))
        if changes or found.rejects:
            notes = tuple(sorted({*record.notes, *found.notes}))
            valid.append(record._replace(**changes, notes=notes))
            bad += [BadValue(rank, reject) for reject in found.rejects]
        else:
            valid.append(record)
    return valid, bad


@dataclass(slots=True)
class _Found:
    """The bad values of a record, and the notes that tell of them."""

    record: Record
    rejects: list[Reject] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)

    def leave_out(self, column: str, expected: str, value: object, note: str = _LEFT_OUT) -> None:
        """Keep a value for the quarantine."""
        text, (start, end) = str(value), self.record[:2]
        detail = f"{column}: expected {expected}, found {text[:_SHOWN]}"
        self.rejects.append(Reject(start, end, text, "invalid_value", detail, self.record.dump))
        self.notes.add(note)


def _changes(record: Record, found: _Found) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a record that change, with their new values."""
    for column, (canonical, expected, note) in _COLUMNS.items():
        printed = getattr(record, column)
        if printed is not None and (value := canonical(printed)) != printed:
            if value is None and str(printed).strip():
                found.leave_out(column, expected, printed, note)
            yield column, value
    for column, check in _LISTS.items():
        values = getattr(record, column)
        if values is not None:
            once = _printed_once(values) if check is _person else values
            kept = tuple(each for value in once if (each := check(column, value, found)) is not None)
            if kept != values or not kept:
                yield column, kept or None
    first, last = record.line_start, record.line_end
    if first is not None and last is not None and last < first:
        found.leave_out("line_end", f"a line from {first} on", last)
        yield "line_end", None


def canonical_address(printed: str) -> str | None:
    """Return an absolute address; None if it is none.

    One that is valid stays as it is printed. Around others white space is removed, and scheme and host are written in
    lower case: both are the same address.
    """
    if _ADDRESS.fullmatch(printed) and printed.isprintable():
        return printed
    odd = _ODD_ADDRESS.fullmatch(one_line(printed) or "")
    return f"{odd[1].lower()}://{odd[2] or ''}{odd[3].lower()}{odd[4]}" if odd else None


def _arxiv_id(printed: str) -> str | None:
    """Return an arXiv identifier; None if it is none."""
    plain = one_line(printed) or ""
    return plain if _ARXIV_ID.fullmatch(plain) else None


def _valid_doi(printed: str) -> str | None:
    """Return a DOI without resolver and label, in lower case; None if it is none."""
    plain = canonical_doi(printed)
    return plain if _IS_DOI.fullmatch(plain) else None


def _section(printed: str) -> str | None:
    """Return a section of a listing; None if there is no such section."""
    return printed if printed in LISTING_SECTIONS else None


@lru_cache(maxsize=4096)
def _without_repr(printed: str) -> str | None:
    """Return a short text; None for what only a program prints: a value of its own, or its word for none."""
    return None if _REPR.fullmatch(printed.strip()) else printed


def _count(printed: int) -> int | None:
    """Return a number that a column can hold; None for a longer one."""
    return printed if abs(printed) <= _LARGEST else None


_COLUMNS: Final[Mapping[str, tuple[Callable[[Any], Any], str, str]]] = {
    "url": (canonical_address, "an absolute URL", _LEFT_OUT),
    "arxiv_id": (_arxiv_id, "an arXiv id", _LEFT_OUT),
    "doi": (_valid_doi, "a DOI", _NO_DOI),
    "listing_section": (_section, f"one of {', '.join(sorted(LISTING_SECTIONS))}", _LEFT_OUT),
    "timezone": (one_line, "the name of a time zone", _LEFT_OUT),
    "engagement": (_count, "a number of at most 64 bits", _LEFT_OUT),
    **dict.fromkeys(
        ("type", "subtitle", "language", "presenter", "session_title", "session_code", "track"),
        (_without_repr, _TEXT, _LEFT_OUT),
    ),
}
"""Columns of one value: what makes it canonical, or None of a bad one, what is expected, and the note."""


def _person(column: str, person: Person, found: _Found) -> Person | None:
    """Return a person without a bad address; None for one without a name."""
    name = person.name
    if not (name.isprintable() and name.strip()) and one_line(name) is None:
        found.leave_out(column, "a name of each person", ", ".join(filter(None, person[1:])) or repr(name))
        return None
    return person if person.url is None else person._replace(url=_address(f"{column}.url", person.url, found))


def _printed_once(people: tuple[Person, ...]) -> tuple[Person, ...]:
    """Return people once, if all of them are printed twice over in a row and nothing tells them apart.

    One person twice in a list may be two of the same name.
    """
    half = len(people) // 2
    if not is_doubled([person.name for person in people]):
        return people
    pairs = list(zip(people[:half], people[half:], strict=True))
    if any(len({*values} - {None}) > 1 for pair in pairs for values in zip(*(each[1:] for each in pair), strict=True)):
        return people
    return tuple(Person(first.name, *map(_either, first[1:], again[1:])) for first, again in pairs)


def _either(first: str | None, again: str | None) -> str | None:
    """Return the first of two values that is one."""
    return again if first is None else first


def _link(column: str, link: Link, found: _Found) -> Link | None:
    """Return a link; None for one whose address or relation is bad."""
    if link.rel not in LINKS:
        found.leave_out(f"{column}.rel", f"one of {', '.join(sorted(LINKS))}", f"{link.rel} {link.url}")
        return None
    url = _address(f"{column}.url", link.url, found)
    return link._replace(url=url) if url is not None else None


def _address(column: str, printed: str, found: _Found) -> str | None:
    """Return the address of a person or link in canonical form; None for a bad one."""
    url = canonical_address(printed)
    if url is None and printed.strip():
        found.leave_out(column, "an absolute URL", printed)
    return url


def _slot(column: str, slot: Slot, found: _Found) -> Slot | None:
    """Return a slot without an end that is not after its start, or a bad room; None if nothing is left of it."""
    if slot.room is not None and _without_repr(slot.room) is None:
        found.leave_out(f"{column}.room", _TEXT, slot.room)
        return _slot(column, slot._replace(room=None), found) if slot.starts_at or slot.ends_at else None
    if slot.starts_at is None or slot.ends_at is None or slot.ends_at > slot.starts_at:
        return slot
    found.leave_out(f"{column}.ends_at", f"an end after {slot.starts_at}", slot.ends_at, _NO_END)
    return slot._replace(ends_at=None)


def _format(column: str, code: str, found: _Found) -> str | None:
    """Return a format; None for an unknown one."""
    if code in FORMATS:
        return code
    found.leave_out(column, f"each one of {', '.join(sorted(FORMATS))}", code)
    return None


_LISTS: Final[Mapping[str, Callable[[str, Any, _Found], Any]]] = {
    "authors": _person,
    "chairs": _person,
    "links": _link,
    "slots": _slot,
    "formats": _format,
}
"""Columns of lists: what checks an element, and returns None where that is left out."""
