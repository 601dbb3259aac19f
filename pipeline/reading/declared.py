"""Compares the totals that a page declares with the records parsed from it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from parsers._ledger.document import Document
from schemas.items import Declared, Record, Reject


def check_declared(document: Document, records: Iterable[Record], declared: Sequence[Declared]) -> list[Reject]:
    """Return one reject for each total that does not match the records."""
    rejects = []
    for total, (promised, found) in zip(declared, count_declared(declared, records), strict=True):
        if found != promised:
            of = " ".join(str(part) for part in _asked(total) if part is not None)
            detail = f"the page declares {promised} {of or 'entries'}, {found} were parsed"
            rejects.append(Reject(total.line, total.line, document.lines[total.line], "count_mismatch", detail))
    return rejects


def count_declared(declared: Sequence[Declared], records: Iterable[Record]) -> list[tuple[int, int]]:
    """Return each declared total with the number of matching records."""
    found = Counter((record.listing_section, record.listed_on, record.kind) for record in (records if declared else ()))
    totals = []
    for total in declared:
        asked = _asked(total)
        counts = (
            number
            for facts, number in found.items()
            if all(want in {None, have} for want, have in zip(asked, facts, strict=True))
        )
        totals.append((total.count, sum(counts)))
    return totals


def _asked(total: Declared) -> tuple[object, ...]:
    """Return what a total counts: section, day and kind; None matches any."""
    return total.listing_section, total.listed_on, total.kind
