"""Texts and ids of records, the same in every format: people, names, details, identifiers."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID, uuid5

from pipeline.base.escape import harmless
from pipeline.viewing.selection import Row

NAMESPACE: Final = UUID("0b6d5d0e-9a35-5f0c-8a3b-6c0f3a5d2e11")
"""Namespace of every UUID that an export derives. Never change it: calendars identify their events by it."""

_LABEL: Final = 80
"""Characters of an abstract that stand for a title."""

_WORDS: Final = re.compile(r"[a-z0-9]+")
_BREAKS: Final = re.compile(r"[\r\u2028\u2029]")


def uuid_of(*parts: Any) -> UUID:  # noqa: ANN401  # anything that has a text
    """Derive a UUID from the parts that identify something."""
    return uuid5(NAMESPACE, "\n".join(map(str, parts)))


def number_of(text: str) -> int:
    """Derive a number from 1 to 2^31 - 1: schedule apps keep ids in a signed 32-bit integer."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % (2**31 - 1) + 1


def ascii_words(text: str) -> list[str]:
    """Return the words of a text in lower-case ASCII letters and digits, without accents."""
    return _WORDS.findall(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower())


def printable(text: str) -> str:
    """Replace control characters and other line ends, which text formats forbid, by spaces."""
    return _BREAKS.sub(" ", str(harmless(text)))


def name_of(row: Row) -> str:
    """Return the name of a record: its title, else that of its session, else its kind."""
    return str(row["title"] or row["session_title"] or row["kind"].replace("_", " ").capitalize())


def label_of(row: Row) -> str:
    """Return the name of a record for a list: where it has no title, the beginning of its abstract or summary."""
    if row["title"] or row["session_title"]:
        return name_of(row)
    text = " ".join((row["abstract"] or row["summary"] or "").split())
    if not text:
        return name_of(row)
    return f"(no title) {text if len(text) <= _LABEL else f'{text[:_LABEL]}…'}"


def heading_of(row: Row) -> str:
    """Return code and title of a session."""
    return ": ".join(filter(None, (row["session_code"], row["session_title"])))


def names_of(row: Row) -> str:
    """Return the names of the authors in one line, or that of the presenter."""
    return ", ".join(each["name"] for each in row["authors"] or ()) or row["presenter"] or ""


def person(someone: Row) -> str:
    """Return a person with affiliation and country in brackets, as far as they are known."""
    place = ", ".join(filter(None, (someone["affiliation"], someone["country"])))
    return f"{someone['name']} ({place})" if place else str(someone["name"])


def people(some: Iterable[Row] | None) -> str:
    """Return people in one line, separated by semicolons; empty if there are none."""
    return "; ".join(map(person, some or ()))


def where_listed(row: Row) -> str:
    """Return where a record is listed: its event with the source, else the source."""
    return f"{row['event']} ({row['source']})" if row["event"] else str(row["source"])


def address_of(row: Row) -> str | None:
    """Return the address of a record, else that of its arXiv id."""
    return row["url"] or (f"https://arxiv.org/abs/{row['arxiv_id']}" if row["arxiv_id"] else None)


def details(row: Row, others: Iterable[Row] = ()) -> str:
    """Return the details of an item beside title, time, place and abstract: labelled lines, then texts.

    ``others`` are the other records of its work.
    """
    labelled = {
        "Authors": people(row["authors"]),
        "Presenter": row["presenter"],
        "Session": " ".join(filter(None, (row["session_code"], row["session_title"]))),
        "Track": row["track"],
        "Chairs": people(row["chairs"]),
        "Keywords": "; ".join(row["keywords"] or ()),
        "DOI": row["doi"],
        "Also on": "; ".join(" ".join(filter(None, (where_listed(each), address_of(each)))) for each in others),
    }
    lines = "\n".join(f"{label}: {value}" for label, value in labelled.items() if value)
    return "\n\n".join(filter(None, (lines, row["description"], row["session_description"], row["summary"])))
