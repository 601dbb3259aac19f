"""Shows the author of a parser what became of the lines of a dump: as a table, or as one JSON object per line.

The same for every ledger: lines of a text, texts of a page, keys of data. Only the parser knows what a rule or a price
means.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from shutil import get_terminal_size
from typing import Final

from parsers._contract import Source
from parsers._ledger.document import Document, DumpError
from parsers._ledger.lines import LineClass, Place
from pipeline.base.escape import in_one_line
from pipeline.reading.parse import Parsed
from pipeline.refusing.nearest import again, attempt, begin

HEADER: Final = ("number", "class", "rule", "price", "next", "text")
_SELDOM: Final = ("price", "next")
_NONE: Final = "-"
_GAP: Final = "  "
_SHOWN: Final = 100
"""Characters of a text shown in a table if no terminal sets a width."""
_LEAST: Final = 20
_RULES: Final = 12


def places_of(document: Document, *, refused: bool) -> list[Place]:
    """Return everything in the ledger of a parsed document; for a page and for data, what is unexplained comes first.

    In a refused document nothing counts as explained, but rules and prices stay, as they show how far its parser came.
    If the parser had opened nothing, the texts of a page are returned, else the lines of the file.
    """
    if refused:
        places = list(_opened(document).places()) or list(document.lines.places())
        return [Place(each.number, LineClass.UNEXPLAINED, each.rule, each.reading, each.text) for each in places]
    places = list(document.places())
    if document.reads_lines:
        return places
    return sorted(places, key=lambda place: place.line_class is not LineClass.UNEXPLAINED)


def _opened(document: Document) -> Document:
    """Return a refused document with an open ledger: that of its parser, else that of a page if it can be read so."""
    text = document.text.lstrip()
    if (
        document.reads_lines
        and text.startswith("<")
        and not any(map(document.lines.rule_of, range(document.lines.last + 1)))
    ):
        anew = again(document)
        try:
            assert anew.feed if text.startswith("<?xml") else anew.page  # noqa: S101  # opens it
        except DumpError:
            return document
        return anew
    return document


def place_rows(places: Iterable[Place]) -> Iterator[str]:
    """Yield the rows of a table, header first; the columns price and next are omitted if empty."""
    rows = [HEADER, *map(_cells, places)]
    columns = list(zip(*rows, strict=True))
    filled = [column for column in columns[:-1] if column[0] not in _SELDOM or set(column[1:]) - {_NONE}]
    widths = [max(map(len, column)) for column in filled]
    room = _room(sum(widths) + len(_GAP) * len(widths))
    for number, *cells, text in zip(*filled, columns[-1], strict=True):
        yield _GAP.join([number.rjust(widths[0]), *map(str.ljust, cells, widths[1:]), text[:room]])


def worst(places: Sequence[Place], most: int) -> list[Place]:
    """Return the places that a person should see first, in their order: not explained, held back, at a high price."""
    order = (LineClass.UNEXPLAINED, LineClass.REJECTED)
    ranked = sorted(
        (
            order.index(place.line_class) if place.line_class in order else len(order),
            -place.reading.price if place.reading else 0,
            at,
        )
        for at, place in enumerate(places)
    )
    return [places[at] for at in sorted(at for *rank, at in ranked[:most] if rank != [len(order), 0])]


def explain_prices(places: Iterable[Place]) -> Iterator[str]:
    """Yield the legend of the columns price and next, if they are filled."""
    if any(place.reading for place in places):
        yield "price: how badly the line fits its rule, 0 is best; next: how much worse the next best role fits"


def count_lines(places: Iterable[Place]) -> Iterator[str]:
    """Yield one line per class with its count and the counts of its most common rules."""
    classes: dict[str, Counter[str]] = {name: Counter() for name in (LineClass.UNEXPLAINED, LineClass.REJECTED)}
    for place in places:
        classes.setdefault(place.line_class, Counter())[place.rule or ""] += 1
    for name, rules in classes.items():
        named = [f"{rule} {number}" for rule, number in rules.most_common() if rule]
        more = [f"and {len(named) - _RULES} more"] if len(named) > _RULES else []
        if rules:
            yield f"{name}: {rules.total()}" + (f" ({', '.join([*named[:_RULES], *more])})" if named else "")


def try_formats(source: Source, document: Document) -> Iterator[str]:
    """Yield one line per format: whether it recognises a document, and what it finds and misses if read anyway.

    Of a long document the beginning is read.
    """
    head = begin(document)
    part = "read anyway" if len(head.text) >= len(document.text.strip()) else "its beginning is read anyway"
    for format_ in source.formats:
        known = "recognised" if format_.recognise(again(document)) else "not recognised"
        parsed = attempt(source, format_, head)
        found = _found(parsed) if isinstance(parsed, Parsed) else parsed
        yield f"{format_.name}: {known}, expects {format_.expects}; if {part}: {found}"


def _found(parsed: Parsed) -> str:
    """Return what was read of a document, in counts."""
    rejects = len(parsed.rejects) - len(parsed.accounting.unexplained)
    unread = f"{_unread(parsed)} of {parsed.accounting.lines} unexplained"
    return f"{len(parsed.records)} records, {rejects} rejected, {unread}"


def _unread(parsed: Parsed) -> int:
    """Return the number of lines that nothing explains."""
    return parsed.accounting.by_class.get(LineClass.UNEXPLAINED, 0)


def _cells(place: Place) -> Sequence[str]:
    """Return the cells of a place; without a rule, its role takes that column."""
    read = place.reading
    margin = f"+{read.margin} " if read and read.margin is not None else ""
    return (
        _NONE if place.number is None else str(place.number),
        place.line_class,
        place.rule or (read.role if read else _NONE),
        str(read.price) if read else _NONE,
        f"{margin}{read.other}" if read and read.other else _NONE,
        in_one_line(place.text),
    )


def _room(used: int) -> int:
    """Return the number of characters of a text that fit beside the other columns."""
    return max(_LEAST, get_terminal_size().columns - used) if sys.stdout.isatty() else _SHOWN
