"""How the lines of a dump are shown to whoever mends its parser: as a table, or as one JSON object each.

The same for every ledger: what became of each line of a text, each text of a page, each key of data. What a rule or a
price means is known to the parser alone.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import Final

from parsers._contract import Document
from parsers._lines import LineClass, Place
from pipeline.escape import in_one_line

HEADER: Final = ("number", "class", "rule", "price", "next", "text")
_SELDOM: Final = ("price", "next")
_NONE: Final = "-"
_GAP: Final = "  "
_SHOWN: Final = 100
"""Characters of a text that a table shows where no terminal sets a width."""
_LEAST: Final = 20


def places_of(document: Document, *, refused: bool) -> list[Place]:
    """Return all that the ledger of a parsed document accounts for.

    Of one that is refused nothing is explained, whatever its parser had claimed by then: rules and prices stay, as they
    show how far it came. Where it had not opened anything these are the lines of the file.
    """
    if not refused:
        return list(document.places())
    places = list(document.places()) or document.lines.places()
    return [replace(place, line_class=LineClass.UNEXPLAINED) for place in places]


def place_rows(places: Iterable[Place]) -> Iterator[str]:
    """Yield the rows of a table, the header first; without price and next reading where nothing has them."""
    rows = [HEADER, *map(_cells, places)]
    columns = list(zip(*rows, strict=True))
    filled = [column for column in columns[:-1] if column[0] not in _SELDOM or set(column[1:]) - {_NONE}]
    widths = [max(map(len, column)) for column in filled]
    room = _room(sum(widths) + len(_GAP) * len(widths))
    for number, *cells, text in zip(*filled, columns[-1], strict=True):
        yield _GAP.join([number.rjust(widths[0]), *map(str.ljust, cells, widths[1:]), text[:room]])


def place_objects(places: Iterable[Place]) -> Iterator[str]:
    """Yield one JSON object a place, its text whole."""
    for place in places:
        read = place.reading
        fields = {
            "number": place.number,
            "class": place.line_class,
            "rule": place.rule,
            "form": read.form if read else None,
            "role": read.role if read else None,
            "price": read.price if read else None,
            "other": read.other if read else None,
            "margin": read.margin if read else None,
            "text": place.text,
        }
        yield json.dumps(fields, ensure_ascii=False)


def _cells(place: Place) -> Sequence[str]:
    """Return the cells of a place; where no rule claimed it, the role that it was read as stands for one."""
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
    """Return how many characters of a text fit beside the other columns."""
    return max(_LEAST, get_terminal_size().columns - used) if sys.stdout.isatty() else _SHOWN
