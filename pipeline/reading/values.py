"""Leaves out the values that their columns refuse: a bad value costs the record that value, not the record the dataset.

Every check of a nullable column in ``schemas.tables`` has its counterpart here. What can be written in the form that a
column wants without guessing is (``HTTPS://Host/x``); any other value that would break a check is left out, with a note
on the record and a row of its own in the quarantine. This comes before identity, merging and guards: another printing
of the record may fill the gap, and guards see what was lost. What costs an item as a whole belongs to
``pipeline.reading.parse``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pipeline.reading.canonical import canonical_doi
from pipeline.reading.cleaning import one_line
from schemas.items import Link, Person, Record, Reject, Slot
from schemas.tables import ADDRESS, ARXIV_ID, DOI
from schemas.vocabulary import FORMATS, LINKS, LISTING_SECTIONS

_LEFT_OUT: Final = "field_unread"
_NO_DOI: Final = "doi_invalid"
_NO_END: Final = "end_before_start"

_ADDRESS: Final = re.compile(ADDRESS)
_ARXIV_ID: Final = re.compile(ARXIV_ID)
_DOI: Final = re.compile(DOI)
_ODD_ADDRESS: Final = re.compile(r"(https?)://([^/?#\s]*@)?([^/?#\s@]+)(\S*)", re.IGNORECASE)
_LARGEST: Final = 2**63 - 1
_SHOWN: Final = 200


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
        self.rejects.append(Reject(start, end, text, "invalid_value", detail))
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
            kept = tuple(each for value in values if (each := check(column, value, found)) is not None)
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


def _doi(printed: str) -> str | None:
    """Return a DOI without resolver and label, in lower case; None if it is none."""
    plain = canonical_doi(printed)
    return plain if _DOI.fullmatch(plain) else None


def _section(printed: str) -> str | None:
    """Return a section of a listing; None if there is no such section."""
    return printed if printed in LISTING_SECTIONS else None


def _count(printed: int) -> int | None:
    """Return a number that a column can hold; None for a longer one."""
    return printed if abs(printed) <= _LARGEST else None


_COLUMNS: Final[Mapping[str, tuple[Callable[[Any], Any], str, str]]] = {
    "url": (canonical_address, "an absolute URL", _LEFT_OUT),
    "arxiv_id": (_arxiv_id, "an arXiv id", _LEFT_OUT),
    "doi": (_doi, "a DOI", _NO_DOI),
    "listing_section": (_section, f"one of {', '.join(sorted(LISTING_SECTIONS))}", _LEFT_OUT),
    "timezone": (one_line, "the name of a time zone", _LEFT_OUT),
    "engagement": (_count, "a number of at most 64 bits", _LEFT_OUT),
}
"""Columns of one value: what makes it canonical, or None of a bad one, what is expected, and the note."""


def _person(column: str, person: Person, found: _Found) -> Person | None:
    """Return a person without a bad address; None for one without a name."""
    name = person.name
    if not (name.isprintable() and name.strip()) and one_line(name) is None:
        found.leave_out(column, "a name of each person", ", ".join(filter(None, person[1:])) or repr(name))
        return None
    return person if person.url is None else person._replace(url=_address(f"{column}.url", person.url, found))


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


def _slot(column: str, slot: Slot, found: _Found) -> Slot:
    """Return a slot, without an end that is not after its start."""
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
