"""Reads a document by formats that do not recognise it, to say which of them it comes nearest to.

A format that takes any paragraph for an abstract reads every letter: that is no sign of it. So the words must matter:
what is found in the same text with other letters is found by guessing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from parsers._contract import Format, Source
from parsers._ledger.document import Document, DumpError
from parsers._ledger.lines import LineClass
from pipeline.reading.parse import Parsed, parse_items
from pipeline.reading.read import PARSER_DEFECTS

_NEAR: Final = 0.65
"""Least share of its lines that a format reads of a document which it is near to."""

_TEXT: Final = (40_000, 400)
_MARKUP: Final = (100_000, 4_000)
"""Characters and lines of a text that are read, and of markup or data: the beginning shows what it is."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_TURNED: Final = _LETTERS[13:] + _LETTERS[:13]
_OTHERS: Final = str.maketrans(_LETTERS + _LETTERS.upper(), _TURNED + _TURNED.upper())


def find_nearest(document: Document, sources: Iterable[Source]) -> tuple[Source, Format] | None:
    """Return the format that reads most of a document which none recognises; None if none is near."""
    known = ((source, each) for source in sources for each in source.formats if not each.refuses)
    near = list(_near(begin(document), known))
    return max(near, key=lambda found: found[0])[1:] if near else None


def _near(document: Document, formats: Iterable[tuple[Source, Format]]) -> Iterator[tuple[float, Source, Format]]:
    """Yield the formats that read most of a document, and not by guessing, each behind the share of its lines."""
    other = replace(document, text=document.text.translate(_OTHERS))
    for source, format_ in formats:
        parsed = attempt(source, format_, document)
        if not isinstance(parsed, Parsed) or not parsed.records or share_read(parsed) < _NEAR:
            continue
        guessed = attempt(source, format_, other)
        if not isinstance(guessed, Parsed) or 2 * len(guessed.records) < len(parsed.records):
            yield share_read(parsed), source, format_


def begin(document: Document) -> Document:
    """Return a copy of the beginning of a document without claims; of data all, unless it is cut."""
    text = document.text.strip()
    is_data = text[0] in "{["
    if not (is_data and text[-1] in "}]"):
        characters, lines = _MARKUP if is_data or document.is_markup else _TEXT
        text = "\n".join(islice(document.text[:characters].split("\n"), lines))
    return again(replace(document, text=text))


def attempt(source: Source, format_: Format, document: Document) -> Parsed | str:
    """Return what a format reads of a document, recognised or not, or why it does not."""
    alone = replace(source, formats=(replace(format_, recognise=lambda _: True),))
    try:
        return parse_items(alone, again(document))
    except DumpError as error:
        return f"{error.reason} in line {error.line}: {error.expected}"
    except PARSER_DEFECTS as error:  # a parser may rely on the checks of its format
        return f"the parser fails with {type(error).__name__}"


def share_read(parsed: Parsed) -> float:
    """Return the share of the lines that belong to records, headings and boilerplate."""
    counts = parsed.accounting.by_class
    lost = counts.get(LineClass.UNEXPLAINED, 0) + counts.get(LineClass.REJECTED, 0)
    return 1 - lost / max(1, parsed.accounting.lines)


def again(document: Document) -> Document:
    """Return a copy of a document without claims."""
    return document.again()
