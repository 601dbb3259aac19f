"""Finds where in a dump the value of a field is printed, and which rule claimed that place.

Parsers do not record which line gave which field, so the value is searched for as it is printed: first in the lines of
the item, then in the nearest heading above, which applies to all items below it. A computed value, such as an end
inferred from the next start, is printed nowhere and not found.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cache
from itertools import islice
from typing import Final, TypeAlias

from parsers._ledger.lines import LineClass, Place

_TAG: Final = re.compile(r"<[\w:.-]+> ")
_CODES: Final = frozenset({"country_code", "rel"})
"""Computed fields of people and links, which a page does not print."""

_LONG: Final = 12
"""Characters that make a text too long for a match by accident."""

_NOON: Final = 12

_LETTER: Final = r"[^\W\d_]"  # a time may be joined to the text after it

Span: TypeAlias = tuple[int | None, int | None]
"""The first and the last line of an item; None where the source has no lines."""


def trace(value: object, span: Span, places: Sequence[Place], *, of_heading: bool = False) -> list[Place]:
    """Return the places that print a value of the record in the lines of ``span``, both inclusive; empty if none does.

    For a list or a struct these are the places of all its parts. With ``of_heading`` the headings above are searched
    first: a talk may have a word of its session in its title.
    """
    start, end = span
    if start is None or end is None:
        return []
    found: dict[int, Place] = {}
    numbered = [(place.number, place) for place in places if place.number is not None]
    inside = [place for number, place in numbered if start <= number <= end]
    above = [place for number, place in reversed(numbered) if number < start]
    headings = [place for place in above if place.line_class is LineClass.HEADING]
    for part in _parts(value):
        forms = list(dict.fromkeys(_forms(part)))
        for prints in (_prints_all, _prints_piece):
            printed = [place for place in inside if prints(place, forms)]
            nearest = list(islice((place for place in headings if prints(place, forms)), 1))
            if shown := (nearest or printed) if of_heading else (printed or nearest):
                found |= {id(place): place for place in shown}
                break
    return sorted(found.values(), key=lambda place: place.number or 0)


def rules_in(span: Span, places: Iterable[Place]) -> list[str]:
    """Return the names of the rules that claimed the lines of a record, in order, each once."""
    start, end = span
    if start is None or end is None:
        return []
    inside = (place for place in places if place.number is not None and start <= place.number <= end)
    return list(dict.fromkeys(place.rule for place in inside if place.rule is not None))


def _prints_all(place: Place, forms: Iterable[str]) -> bool:
    """True if a place contains one of some texts as a whole."""
    shown = _shown(place)
    return any(_whole(form).search(shown) for form in forms)


def _prints_piece(place: Place, forms: Iterable[str]) -> bool:
    """True if one of some texts contains the text of a place, and that is too long for an accident."""
    shown = _shown(place)
    return len(shown) >= _LONG and any(shown in form for form in forms)


def _shown(place: Place) -> str:
    """Return the text of a place, without the tag that precedes the texts of HTML and XML."""
    return _fold(_TAG.sub("", place.text, count=1))


@cache
def _whole(form: str) -> re.Pattern[str]:
    """Return the pattern of a text; a short text must not be part of a longer word or number."""
    if len(form) >= _LONG:  # some texts are joined to a label
        return re.compile(re.escape(form))
    first, last = form[0], form[-1]
    before = r"(?<!\d)(?<!\d[.,])" if first.isdigit() else rf"(?<!{_LETTER})" if first.isalpha() else ""
    after = r"(?!\d)" if last.isdigit() else rf"(?!{_LETTER})" if last.isalpha() else ""
    return re.compile(before + re.escape(form) + after)


def _fold(text: str) -> str:
    """Return a text in lower case with single spaces, since pages vary case and line breaks."""
    return " ".join(text.split()).casefold()


def _parts(value: object) -> Iterator[object]:
    """Yield the plain values in a value: from the elements of lists and the fields of structs."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in _CODES:
                yield from _parts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each)
    elif value is not None:
        yield value


def _forms(value: object) -> Iterator[str]:
    """Yield a plain value as pages print it: a text itself, a time, day or number in its usual notations."""
    match value:
        case datetime():
            yield from _times(value.hour, f"{value.minute:02}")
        case date():
            yield from _days(value)
        case int():
            yield from (str(value), f"{value:,}")
        case _:
            if form := _fold(str(value)):
                yield form


def _times(hour: int, minute: str) -> Iterator[str]:
    """Yield the notations of a time of day."""
    yield from (f"{hour:02}:{minute}", f"{hour}:{minute}", f"{hour}.{minute}", f"{hour}h{minute}")
    half = "am" if hour < _NOON else "pm"
    yield from (f"{hour % _NOON or _NOON}:{minute} {half}", f"{hour % _NOON or _NOON}:{minute}{half}")


def _days(day: date) -> Iterator[str]:
    """Yield the notations of a day: ISO, and others without the year, which few pages repeat."""
    yield day.isoformat()
    for month in (f"{day:%B}".casefold(), f"{day:%b}".casefold()):
        for number in (str(day.day), f"{day.day:02}"):
            yield from (f"{month} {number}", f"{number} {month}", f"{month} {number}{_ordinal(day.day)}")


def _ordinal(day: int) -> str:
    """Return the English ordinal ending of a day's number."""
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
