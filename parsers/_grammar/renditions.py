"""Undoes what text extractors do to the lines of a page, such as wrapping: restores the lines of the page.

```
One of the most promising areas in            One of the most promising areas in artificial intelligence is deep
artificial intelligence is deep learning.     learning.
```

A restored line knows its lines in the dump: ``read_renewed`` reads the new lines and claims those of the dump. The
signs of a rendition and the meaning of a line or link do not belong here: links are evidence, which each source reads
before removing them.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from parsers._ledger.document import Document, DumpError
from parsers._ledger.lines import Boilerplate, LineClass, Lines
from schemas.items import Declared, Item, Record, Reject

_WIDTHS: Final = range(50, 101)
_FULL: Final = 0.8
"""The share of the longer lines of a wrapped text that have no room for the next word."""
_MOST: Final = 0.97
_FEWEST: Final = 5
"""Fewer long lines prove nothing."""
_LOOKED_AT: Final = 2000
"""The number of lines that are examined to find the width of a wrapped text."""
_OPENS: Final = re.compile(r"\s*(?:[•‣◦▪*-]|\d{1,2}[.)])\s|#|\||-{3}")
"""How a line begins that never continues the line above: bullets, headings, tables."""
_HEADS: Final = re.compile(r"\d{1,2}:\d\d\s?[-–]\s?\d{1,2}:\d\d")
"""How a heading of a session begins; several may be of one length by chance, so no width is taken from them."""

_CUT_IN_WORD: Final = re.compile(r"(?:[^\W\d_]-|\w--)$")
_WORD_GOES_ON: Final = re.compile(r"(?!(?:and|or|nor|to|but|as)\b)\w")  # not in 'two- and threefold'

_JOINTS: Final = {",": ", ", "and": " and ", ", and": ", and "}
"""Separators between two people, alone on their line."""
_PLACE_ENDS: Final = frozenset({"", *_JOINTS})
_BRACKETS: Final = re.compile(r"[()]")

_LABEL: Final = r"((?:\\.|[^\[\]\\]){0,500}+)"  # possessive: a label cannot contain what ends it
_LINK: Final = re.compile(rf"(?<!\\)\[{_LABEL}\]\(([^()\s]{{0,2000}})\)")
_IMAGE: Final = re.compile(r"!\[[^\[\]]{0,200}\]\([^()\s]{0,2000}\)|\[\]\([^()\s]{0,2000}\)")
_ESCAPED: Final = re.compile(r"\\([\[\]<>*_#|`~+.()-])")
_HEADING_MARK: Final = re.compile(r"^\s*#{1,6}\s+")
_STRONG: Final = re.compile(r"(\*\*|__)(?=\S)([^*_]{1,500}+)\1")
_EMPHASIS: Final = re.compile(r"(?<![\w*_])([*_])(?=\S)([^*_]{1,500}+)\1(?![\w*_])")
_MARKS: Final = re.compile(r"\]\(\S|\*\*\w|^#{1,6} \S", re.MULTILINE)
_FEWEST_MARKS: Final = 5
"""A text with fewer marks is not Markdown: a title can contain some."""
_ROW_BEGIN: Final = re.compile(r"\A[\s|]*(?:\|[\s|:-]*-{3}[\s|:-]*)?")
_ROW_END: Final = " |:-"


class NewLine(NamedTuple):
    """A restored line of the page, and its lines in the dump (1-based), if any."""

    numbers: tuple[int, ...] = ()
    text: str = ""
    native_id: str | None = None  # of the item that it links to


def width_of(lines: Lines) -> int | None:
    """Return the width at which a text was wrapped, in characters; None if it was not.

    In a wrapped text hardly any line is longer, and most lines over half as long have no room for the next word. Only
    lines right above another count: a line above a blank one ends where its paragraph does.
    """
    texts = list(lines.texts(1, min(lines.last, _LOOKED_AT)))
    lengths = sorted(len(text) for _, text in texts)
    if not lengths or (width := lengths[int(_MOST * (len(lengths) - 1))]) not in _WIDTHS:
        return None
    long = full = 0
    for (number, above), (next_number, below) in pairwise(texts):
        is_right_above = next_number == number + 1
        is_long = len(above) <= width < 2 * len(above)
        if is_right_above and is_long and not (_OPENS.match(below) or _HEADS.match(below) or _HEADS.match(above)):
            long += 1
            full += is_full(above, below, width)
    return width if long >= _FEWEST and full >= _FULL * long else None


def unwrapped(lines: Lines, width: int) -> Iterator[NewLine]:
    """Yield the lines of a text, wrapped ones joined; blank ones stay.

    A line continues if it has no room for the first word of the next; two spaces at its end mean that it does not.
    """
    numbers: list[int] = []
    text = ""
    for number in range(1, lines.last + 1):
        line = lines[number]
        above = lines[number - 1] if numbers else ""
        is_open = bool(numbers and line.strip()) and not above.endswith("  ") and not _OPENS.match(line)
        if is_open and is_full(above, line, width):
            text = joined(text, line.strip())
            numbers.append(number)
            continue
        if numbers:
            yield NewLine(tuple(numbers), text)
        numbers, text = ([number], line.rstrip()) if line.strip() else ([], "")
        if not numbers:
            yield NewLine()
    if numbers:
        yield NewLine(tuple(numbers), text)


def joined(text: str, more: str) -> str:
    """Join two lines with a space, or without one inside a word that was cut at its hyphen ('Fine-' and 'Tuning')."""
    return text + more if _CUT_IN_WORD.search(text[-3:]) and _WORD_GOES_ON.match(more) else f"{text} {more}"


def is_full(line: str, below: str, width: int) -> bool:
    """True if a line had no room for the first word of the line below."""
    return len(line.rstrip()) + 1 + len(below.split(maxsplit=1)[0]) > width


def cut(lines: Iterable[NewLine], seam: re.Pattern[str]) -> Iterator[NewLine]:
    """Cut lines before each match of a pattern, where a line of the page began."""
    for line in lines:
        at = [found.start() for found in seam.finditer(line.text) if found.start()]
        if at:
            yield from (
                NewLine(line.numbers, line.text[start:end]) for start, end in pairwise([0, *at, len(line.text)])
            )
        else:
            yield line


def gathered(lines: Lines, belongs: Callable[[str, str], bool]) -> Iterator[NewLine]:
    """Yield the lines of a text that has each piece on its own line, joined at separators and brackets.

    ``belongs`` is true if a piece belongs to the line above for another reason; blank lines are dropped.
    """
    numbers: list[int] = []
    text = ""
    is_joint = False
    for number, piece in lines.texts():
        if piece in _JOINTS or piece == ")" or text.endswith("("):
            text += _JOINTS.get(piece, piece)
        elif is_joint or (text and (_is_place(piece) or belongs(text, piece))):
            text = f"{text.rstrip()} {piece}"
        else:
            if numbers:
                yield NewLine(tuple(numbers), text)
            numbers, text = [], piece
        numbers.append(number)
        is_joint = piece in _JOINTS
    if numbers:
        yield NewLine(tuple(numbers), text)


def _is_place(piece: str) -> bool:
    """True if a piece is an affiliation in brackets, not a title that begins with a bracket."""
    if not piece.startswith("("):
        return False
    depth = 0
    for found in _BRACKETS.finditer(piece):
        depth += 1 if found[0] == "(" else -1
        if not depth:
            return piece[found.end() :].strip() in _PLACE_ENDS
    return True


def unlink(text: str) -> str:
    """Return Markdown without links, images and escapes."""
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def unmark(text: str) -> str:
    """Return a line of Markdown without links, heading marks and emphasis."""
    text = unlink(_HEADING_MARK.sub("", text))
    if "*" not in text and "_" not in text:
        return text
    return _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))


def without_bars(row: str) -> str:
    """Return a row of a table without the bars around it and the rulers between rows."""
    text = _ROW_BEGIN.sub("", row, count=1)
    bare = text.rstrip(_ROW_END)
    return (bare if "---" in text[len(bare) :] else text.rstrip(" |")).strip()


@dataclass(frozen=True, slots=True)
class Renewed:
    """A dump with restored lines: the new lines, and a document made of them alone."""

    lines: tuple[NewLine, ...]
    document: Document


def renew(document: Document, lines: Iterable[NewLine]) -> Renewed:
    """Make a document of new lines."""
    found = tuple(lines)
    whole = "\n".join([line.text for line in found])
    return Renewed(found, replace(document, text=whole, lines=Lines(whole)))


def read_renewed(
    document: Document, renewed: Renewed, parse: Callable[[Document], Iterator[Item]], boilerplate: Boilerplate
) -> Iterator[Item]:
    """Yield the items that a parser finds in new lines, with line numbers of the dump, and claim the lines of the dump.

    Raises the ``DumpError`` of the parser, for the dump.
    """
    lines, printed = renewed.lines, document.lines
    shared = Counter(number for line in lines if line.text.strip() for number in line.numbers)
    rejected: set[int] = set()
    try:
        for item in parse(renewed.document):
            if isinstance(item, Reject):
                rejected.update(range(item.line_start or 0, (item.line_end or 0) + 1))
            yield _renumbered(item, lines, printed, shared)
    except DumpError as error:
        raise document.error(printed.first_text_line, error.reason, error.expected) from error
    document.contradictions.extend(renewed.document.contradictions)
    yield from _claim_printed(renewed, printed, shared, rejected)
    for number, text in printed.texts():
        if printed.rule_of(number) is None:
            printed.claim_boilerplate(number, boilerplate, shown=unlink(text))


def _claim_printed(
    renewed: Renewed, printed: Lines, shared: Mapping[int, int], rejected: Container[int]
) -> Iterator[Reject]:
    """Claim the lines of the dump like the new ones, and yield a reject for unclaimed pieces of shared lines.

    Where one piece of a line is claimed, the line counts as claimed: its unclaimed pieces would go unnoticed.
    """
    inner = renewed.document.lines
    for place, line in enumerate(renewed.lines, 1):
        if not line.numbers:
            continue
        rule = inner.rule_of(place)
        if (reading := inner.reading_of(place)) is not None:
            printed.tell(line.numbers[0], reading)
        if rule is not None and rule.line_class is not LineClass.BOILERPLATE:
            for number in line.numbers:
                printed.claim(number, rule)
        elif rule is None and place not in rejected and any(shared[number] > 1 for number in line.numbers):
            yield Reject(line.numbers[0], line.numbers[-1], line.text, "unexplained_line", "no rule claimed this piece")


def _renumbered(item: Item, lines: tuple[NewLine, ...], printed: Lines, shared: Mapping[int, int]) -> Item:
    """Give an item the line numbers of the dump, and a reject the text there; on a shared line only its pieces."""
    if isinstance(item, Declared):
        return replace(item, line=min(lines[item.line - 1].numbers, default=item.line))
    start, end = item.line_start, item.line_end
    if start is None or end is None:
        return item
    own = lines[start - 1 : end]
    numbers = [number for line in own for number in line.numbers]
    first, last = min(numbers, default=start), max(numbers, default=end)
    if isinstance(item, Record):
        linked = (line.native_id for line in own if line.native_id)
        return item._replace(line_start=first, line_end=last, native_id=next(linked, item.native_id))
    is_shared = any(shared[number] > 1 for number in numbers)
    text = "\n".join(line.text for line in own) if is_shared else printed.text(first, last)
    return replace(item, line_start=first, line_end=last, text=text)


def unmarked(document: Document) -> Renewed | None:
    """Return the lines of Markdown without links, heading marks and emphasis; None for other texts."""
    if document.is_markup or len(_MARKS.findall(document.text)) < _FEWEST_MARKS:
        return None
    lines = document.lines
    return renew(document, (NewLine((number,), unmark(lines[number])) for number in range(1, lines.last + 1)))
