r"""Text dumps whose lines are not those of the page: how to recognise them, and how EasyChair's lines are restored.

In *cells* are table rows, each on one line or a whole day on one line: as Markdown, with labels glued to the text next
to them, or wrapped:

```
11:00-12:00 Session 2A: Slicing          or **Session 2A: Slicing**, or no headings at all
| 11:00 | Slicing at scale PRESENTER: Anna Vell ABSTRACT. How to slice. And why. |
11:20  Thin slices SPEAKER: Anna Vell ABSTRACT. How thin?
11:40 | Thick slices ([abstract](2024-04-15.html#talk:64974)) |
| A poster SPEAKER: Anna Vell |
09:20| [J. Spelt](person3.html) and [Ida Pome](person2.html)Fast ovensSPEAKER: [Ida Pome](person2.html)ABSTRACT. ..
```

They are cut wherever a line of the page begins; links to persons show where the authors end. A *scattered* dump has
each piece on its own line, on the left; the pieces are joined as on the right:

```
View:                          View: session overview talk overview
session overview
talk overview
09:00-10:00                    09:00-10:00 Session 1: Heat
Session 1: Heat
Chair:                         Chair:
Anna Vell                      Anna Vell and Boris T. Wexley
and
Boris T. Wexley
```

The general steps belong to ``parsers._grammar.renditions``; what reads the lines of a page reads the restored lines.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from parsers._grammar.renditions import (
    NewLine,
    Renewed,
    cut,
    gathered,
    read_renewed,
    renew,
    unlink,
    unwrapped,
    width_of,
    without_bars,
)
from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate
from parsers._words.dates import DASH, WEEKDAY
from parsers.easychair.grammar import NAMES, PRESENTER, form_of
from parsers.easychair.headings import ABSTRACT, LOOKED_AT, PATTERNS, MarkKind, marks_at_head
from schemas.items import Item

CELLS: Final = "a Smart Program as text with each talk in a cell: '| 09:00 | Title PRESENTER: Name ABSTRACT. .. |'"
SCATTERED: Final = "a Smart Program as text with each piece on its own line: 'View:', then 'session overview'"

_VIEWS: Final = "session overview|talk overview|with abstracts|side by side with other conferences"
_BOILERPLATE: Final = Boilerplate(
    {
        **PATTERNS,
        "view_pieces": rf"View(?: this program)?:|{_VIEWS}",
        "disclaimer_pieces": r"\| Powered by|EasyChair Smart Program",
        "reader_head": r"(?:Source URL|URL Source): \S+|(?:Markdown|Structured) Content:",
        "reader_title": rf"Title: Program for (?i:{WEEKDAY}), .{{0,40}}",
        "table_ruler": r"(?=.*(?:\||---))[|\s:-]+",
    }
)

_CLOCK: Final = r"\d{1,2}:\d{2}"
_CELL: Final = re.compile(rf"\|\s*{_CLOCK}\s*\|")
_SEAM: Final = re.compile(
    rf"""
    [|0-9SPACLDV\[]                     # how all of them begin: a set, by which a search is fast; then what follows it
    (?: (?<=\|)\s{{0,9}}{_CLOCK}\s{{0,9}}\|            # the time of a talk
    | (?<=[0-9])\d?:\d{{2}}\s{{0,9}}\|
    | (?<=[0-9])(?<![\d(:\[].)(?<!\S[ ].)\d?:\d{{2}}{DASH}{_CLOCK}(?!\d)  # a session; in prose a blank is before it
    | (?<=S)PEAKER:(?:\s|\Z)
    | (?<=P)RESENTER:(?:\s|\Z)
    | (?<=A)BSTRACT\.(?:\s|\Z)
    | (?:(?<=C)hairs?|(?<=L)ocation|(?<=D)iscussants?):\s*(?=\[[^\[\]]*\]\([^()\s]*(?:person|room)\d+\.html\))
    | (?<=P)ROGRAM[ ]FOR[ ](?=[A-Z])
    | (?:(?<=D)ays|(?<=V)iew):\s*(?=\[)
    | (?<=\[)(?<!\).)(?:Information|PROGRAM)\]\(
    | (?<=\|)\s*\[?Disclaimer\b
    | (?<=\[)Disclaimer\]
    )
    """,
    re.VERBOSE,
)
_TIMED: Final = re.compile(rf"\|?\s*(?P<time>{_CLOCK})(?:\s*\||\s*\Z)\s*")
_TIMED_FREELY: Final = re.compile(rf"\|?\s*(?P<time>{_CLOCK})(?:\s*\||\s+(?!{DASH})|\Z)\s*")
_CLOCKED: Final = re.compile(rf"\[?{_CLOCK}")
_INTERVAL: Final = re.compile(rf"{_CLOCK}{DASH}{_CLOCK}")
_TIME: Final = re.compile(_CLOCK)
_MARKED_HEADING: Final = re.compile(
    rf"(?:#{{1,6}}\s+|\*\*)?\[?(?P<text>{_CLOCK}{DASH}{_CLOCK}(?:\\.|[^\\\[\]*])*)\]?(?:\*\*)?"
)
_BEGINS_SESSION: Final = re.compile(rf"\[?{_INTERVAL.pattern}")
_LABELS: Final = re.compile(r"ABSTRACT\.|SPEAKER:|PRESENTER:")
_LABELLED: Final = re.compile(r"\|\s*(?:\|\s*)?[^|\s\d].*?\s(?:ABSTRACT\.|SPEAKER:|PRESENTER:)")
_ROLE: Final = re.compile(r"(?!Location)[^\W\d_]+(?: [^\W\d_]+)?:")

_PERSON: Final = re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]{0,2000}person\d+\.html\)")
_ROOM: Final = re.compile(r"\[(?:\\.|[^\[\]\\]){0,500}\]\([^()\s]{0,2000}room\d+\.html\)")
_TALK: Final = re.compile(r"\(\s?\[[^\[\]]{0,200}\]\([^()\s]{0,2000}#talk:(\d+)\)")
_PLACE: Final = re.compile(r"\s*(\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))")
_JOINT: Final = re.compile(r"\s*,\s*(?:and\s+)?(?=\[)|\s+and\s+(?=\[)|\s+")

_DURATION: Final = re.compile(r"\(abstract\) \d{1,3} min\b")
"""Printed after titles by another program with the same classes."""
_FEW: Final = 3

_SPLIT: Final = re.compile(rf"View(?<=^View)(?: this program)?: ?\n(?:{_VIEWS}) ?$", re.MULTILINE)
_BEFORE_ANY: Final = frozenset({"Location:", "PRESENTER:", "SPEAKER:", "View:", "View this program:"})
_HEADING: Final = re.compile(rf"{_INTERVAL.pattern} .+")
_OF_TALK: Final = frozenset({"ABP", "ABS", "PRL", "PRS", "LNK", "AFF", "AFN"})
"""Forms which show that talks, not free text, follow the heading of a session without times."""
_LABEL: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?:")
_ADDED: Final = re.compile(rf"\| Powered by|EasyChair Smart Program|{_VIEWS}")


def recognise_cells(recognise: Callable[[Document], bool], document: Document) -> bool:
    """True if the cells of a dump hold a Smart Program: other pages have tables and times too."""
    return _has_cells(document) and recognise(document.once(_cell_lines).document)


def parse_cells(parse: Callable[[Document], Iterator[Item]], document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the lines restored from cells.

    Raises ``DumpError``: declined for a page of the source without a programme, or if titles cannot be separated from
    their surroundings.
    """
    _refuse_glued(document)
    yield from read_renewed(document, document.once(_cell_lines), parse, _BOILERPLATE)


def is_scattered(document: Document) -> bool:
    """True if the links to the other views of the page are below their label."""
    return _SPLIT.search(document.text) is not None


def parse_scattered(parse: Callable[[Document], Iterator[Item]], document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the joined pieces, with the line numbers of the dump.

    Raises ``DumpError``: declined for a page of the source without a programme.
    """
    lines = renew(document, _set_off(list(gathered(document.lines, _belongs))))
    yield from read_renewed(document, lines, parse, _BOILERPLATE)


def _has_cells(document: Document) -> bool:
    """True if more talks among the first lines are in cells than on their own lines.

    Or if one line has several; or if it is Markdown with links; or if no time is alone on its line, and the text was
    wrapped.
    """
    lines = document.lines
    texts = [text for _, text in lines.texts(1, min(lines.last, LOOKED_AT))]
    rows = [text for text in texts if "|" in text]
    kinds = [mark.kind for mark in document.once(marks_at_head)]
    cells = kinds.count(MarkKind.ROW) + sum(_LABELLED.match(row) is not None for row in rows)
    talks = kinds.count(MarkKind.TALK)
    is_markdown = "](" in document.text and any(text.startswith("View") and "](" in text for text in texts)
    are_many = any(len(_CELL.findall(row)) > 1 for row in rows)
    return cells > talks or is_markdown or are_many or (not talks and width_of(lines) is not None)


def _refuse_glued(document: Document) -> None:
    """Raise ``DumpError`` (declined) for cells in which titles cannot be separated from their surroundings."""
    texts = [line.text for line in document.once(_cell_lines).lines if line.text]
    glued = [
        above
        for above, below in pairwise(texts)
        if (said := PRESENTER.fullmatch(below)) and said["name"] in above and form_of(above) not in NAMES
    ]
    timed = [text for text in texts if _DURATION.search(text)]
    if len(glued) >= _FEW or len(timed) >= _FEW:
        expected = f"authors and titles in separate cells, found {(glued or timed)[0][:80]!r}"
        advice = "save the page as HTML, or extract it with links"
        raise document.error(document.lines.first_text_line, "declined", f"expected {expected}: {advice}")


def _cell_lines(document: Document) -> Renewed:
    """Return the lines of a page whose cells are cut; call it through ``once``."""
    return renew(document, _cut_cells(document))


def _cut_cells(document: Document) -> Iterator[NewLine]:
    """Yield the lines as the page has them."""
    lines = document.lines
    width = width_of(lines)
    whole = (
        unwrapped(lines, width) if width else (NewLine((number,), lines[number]) for number in range(1, lines.last + 1))
    )
    above, is_set_off = "", False
    for line in whole:
        if not line.text.strip():
            is_set_off = True
            continue
        is_labelled = _LABELS.search(line.text) is not None
        for part in cut([line], _SEAM):
            for piece in _pieces(part, above, is_labelled=is_labelled):
                # Markdown sets off every heading and time: only blank lines between texts mean anything.
                if is_set_off and not (width or _CLOCKED.match(piece.text) or _CLOCKED.match(above)):
                    yield NewLine()
                yield piece
                above, is_set_off = piece.text or above, False


def _pieces(line: NewLine, above: str, *, is_labelled: bool) -> Iterator[NewLine]:
    """Yield the contents of one cell, each piece on its own line; abstracts are set off by blank lines.

    A time without a bar belongs to a talk only if its line has a label; else it is a point of an agenda. Extractors
    drop the words ``Chair:`` and ``Location:``: links to people or to a room below a heading mean the same.
    """
    timed = _TIMED_FREELY.match(line.text) if is_labelled else _TIMED.match(line.text)
    if timed is not None:
        yield NewLine(line.numbers, timed["time"])
    text = without_bars(line.text[timed.end() :] if timed is not None else line.text)
    authors, rest = _split_authors(text)
    if authors:
        alone = timed is None and rest in {"", ",", "and"}
        label = "Chair: " if alone and (_BEGINS_SESSION.match(above) or _ROLE.fullmatch(above)) else ""
        yield NewLine(line.numbers, f"{label}{', '.join(authors)}")
        text = "" if alone else rest
    elif above != "Location:" and _ROOM.fullmatch(text):
        text = f"Location: {text}"
    if text.startswith(ABSTRACT):
        yield NewLine()
        for paragraph in text.split("  "):
            if paragraph.strip():
                yield NewLine(line.numbers, unlink(paragraph).strip())
                yield NewLine()
    elif any(map(str.isalnum, text)):
        linked = _TALK.search(text)
        yield NewLine(line.numbers, _unmarked(text), linked[1] if linked else None)


def _unmarked(text: str) -> str:
    """Return a line without its links, and the heading of a session without its Markdown marks."""
    heading = _MARKED_HEADING.fullmatch(text) if text[:1] in "#*[" else None
    return unlink(text if heading is None else heading["text"]).strip()


def _split_authors(text: str) -> tuple[list[str], str]:
    """Split the row of a talk into its authors, who are links, each with the affiliation, and the rest.

    Brackets after a name are an affiliation if they name a country or if another name follows: a title can begin with
    a bracket too.
    """
    people: list[str] = []
    at = 0
    while found := _PERSON.match(text, at):
        name, at = found[1], found.end()
        place = _PLACE.match(text, at)
        if place is not None and ("," in place[1] or text[_behind(text, place.end()) :].startswith("[")):
            name, at = f"{name} {place[1]}", place.end()
        people.append(unlink(name))
        at = _behind(text, at)
    return people, text[at:]


def _behind(text: str, at: int) -> int:
    """Return the end of the separator between two people at ``at``, or ``at`` if there is none."""
    joint = _JOINT.match(text, at)
    return at if joint is None else joint.end()


def _belongs(above: str, piece: str) -> bool:
    """True if a piece continues the label, the interval or the links above it."""
    if _ADDED.fullmatch(piece):
        return True
    if _TIME.match(piece) or _LABEL.fullmatch(piece):
        return False
    return above in _BEFORE_ANY or _INTERVAL.fullmatch(above) is not None


def _set_off(lines: Sequence[NewLine]) -> Iterator[NewLine]:
    """Put blank lines around free text and abstracts, as ``text`` expects them."""
    begins = [place for place, line in enumerate(lines) if _TIME.match(line.text)]
    was_text = False
    for begin, end in pairwise([0, *begins, len(lines)]):
        part = [line.text for line in lines[begin:end]]
        for line, is_text in zip(lines[begin:end], _free_text(part) or _abstract(part), strict=True):
            yield from (NewLine(), line) if is_text or was_text else (line,)
            was_text = is_text


def _free_text(part: Sequence[str]) -> list[bool]:
    """Return, for each line below a session heading, True if it is free text; empty if it is no session or lists talks.

    Details are the room, labels, and names below a label: the first, and all that have an affiliation.
    """
    if not part or not _HEADING.fullmatch(part[0]):
        return []
    found, is_named = [False], False
    for above, text in pairwise(part):
        is_label, below_label, is_placed = _LABEL.fullmatch(text), _LABEL.fullmatch(above), text.endswith(")")
        is_detail = is_label or below_label or text.startswith("Location:") or (is_named and is_placed)
        is_named = bool(is_label or (is_placed and (below_label or is_named)))
        found.append(not is_detail)
    lists_talks = any(is_text and form_of(text) in _OF_TALK for text, is_text in zip(part, found, strict=True))
    return [] if lists_talks else found


def _abstract(part: Sequence[str]) -> list[bool]:
    """Return, for each line, True if it is in or below an abstract."""
    first = next((place for place, text in enumerate(part) if text.startswith(ABSTRACT)), len(part))
    return [place >= first for place in range(len(part))]
