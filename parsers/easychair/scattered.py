"""Text dumps that print each piece of text on a line of its own, as extractors do with small pages.

```
View:                          View: session overviewtalk overview
session overview
talk overview
09:00-10:00                    09:00-10:00 Session 1: Heat
Session 1: Heat
Chair:                         Chair:
Anna Vell                      Anna Vell and Boris T. Wexley
and
Boris T. Wexley
09:00                          09:00
Ida Pome                       Ida Pome (Mill Institute, Norland)
(Mill Institute, Norland)
```

The pieces are joined to the lines on the right, which ``text`` reads; its claims hold for the pieces of each line.
"""

import re
from collections.abc import Iterator
from typing import Final

from parsers._contract import Document
from parsers._dates import DASH
from parsers._lines import Boilerplate, Lines
from parsers._renditions import NewLine
from parsers.easychair.marks import ABSTRACT
from parsers.easychair.relined import parse_relined
from schemas.items import Item

EXPECTS: Final = "a Smart Program as text with each piece on its own line: 'View:', then 'session overview'"

_VIEWS: Final = "session overview|talk overview|with abstracts|side by side with other conferences"
_PIECES: Final = Boilerplate(
    {
        "view_pieces": rf"View(?: this program)?:|{_VIEWS}",
        "disclaimer_pieces": r"\| Powered by|EasyChair Smart Program",
    }
)
_SPLIT: Final = re.compile(rf"^View(?: this program)?: ?\n(?:{_VIEWS}) ?$", re.MULTILINE)
_CLOCK: Final = r"\d{1,2}:\d{2}"
_TIME: Final = re.compile(_CLOCK)
_INTERVAL: Final = re.compile(rf"{_CLOCK}{DASH}{_CLOCK}")
_HEADING: Final = re.compile(rf"{_INTERVAL.pattern} .+")
_LABEL: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?:")
_JOINTS: Final = {",": ", ", "and": " and ", ", and": ", and "}
_PLACE_ENDS: Final = frozenset({"", ",", "and", ", and"})
_OF_TALK: Final = re.compile(rf"(?:{re.escape(ABSTRACT)}|PRESENTER:|SPEAKER:).*|.*\(\s?abstract\b.*|[^(]+\(.*, .*\)")
"""What shows in a session without times that talks stand below its heading, not free text."""
_LABELS: Final = frozenset({"Location:", "PRESENTER:", "SPEAKER:", "View:", "View this program:"})
_ADDED: Final = re.compile(rf"\| Powered by|EasyChair Smart Program|{_VIEWS}")


def recognise(document: Document) -> bool:
    """Say whether the links to the other views of the page stand below their label."""
    return _SPLIT.search(document.text) is not None


def parse(document: Document) -> Iterator[Item]:
    """Yield the records and rejects of the joined lines, with the numbers of their pieces.

    Raises ``DumpError``: declined for a page of the source that holds no programme.
    """
    return parse_relined(document, list(_set_off(_join(document.lines))), _PIECES)


def _join(lines: Lines) -> list[NewLine]:
    """Join the pieces of names, labels, headings and links."""
    found = [NewLine()]
    is_joint = False
    for number, piece in lines.texts():
        above = found[-1]
        if piece in _JOINTS or piece == ")" or above.text.endswith("("):
            found[-1] = NewLine((*above.numbers, number), f"{above.text}{_JOINTS.get(piece, piece)}")
        elif (
            is_joint or (above.text and (_ADDED.fullmatch(piece) or _is_place(piece))) or _takes_next(above.text, piece)
        ):
            found[-1] = NewLine((*above.numbers, number), f"{above.text.rstrip()} {piece}")
        else:
            found.append(NewLine((number,), piece))
        is_joint = piece in _JOINTS
    return found[1:]


def _is_place(piece: str) -> bool:
    """Say whether a piece is an affiliation in brackets, not a title that begins with a bracket."""
    depth = 0
    for found in re.finditer(r"[()]", piece):
        depth += 1 if found[0] == "(" else -1
        if not depth:
            return piece.startswith("(") and piece[found.end() :].strip() in _PLACE_ENDS
    return piece.startswith("(")


def _takes_next(above: str, piece: str) -> bool:
    """Say whether a piece belongs behind the label or the interval above it."""
    is_begin = _TIME.match(piece) is not None or _LABEL.fullmatch(piece) is not None
    return not is_begin and (above in _LABELS or _INTERVAL.fullmatch(above) is not None)


def _set_off(lines: list[NewLine]) -> Iterator[NewLine]:
    """Set free text and abstracts off by blank lines, as ``text`` expects them."""
    details = _find_details(lines)
    is_detail = is_text = False
    for place, line in enumerate(lines):
        was_text = is_text
        if _HEADING.fullmatch(line.text):
            is_detail, is_text = not _lists_talks(lines, place + 1, details), False
        elif _TIME.fullmatch(line.text) or _INTERVAL.fullmatch(line.text):
            is_detail = is_text = False
        elif line.text.startswith(ABSTRACT):
            is_text = True
        elif is_detail:
            is_text = place not in details
        yield from (NewLine(), line) if is_text or was_text else (line,)


def _find_details(lines: list[NewLine]) -> set[int]:
    """Find the lines that are a room, a label, or names below one: the first, and all that have a place behind them."""
    found: set[int] = set()
    is_named = False
    for place, line in enumerate(lines):
        was_label = place > 0 and _LABEL.fullmatch(lines[place - 1].text) is not None
        is_label, has_place = _LABEL.fullmatch(line.text) is not None, line.text.endswith(")")
        if is_label or line.text.startswith("Location:") or was_label or (is_named and has_place):
            found.add(place)
        is_named = is_label or (has_place and (was_label or is_named))
    return found


def _lists_talks(lines: list[NewLine], start: int, details: set[int]) -> bool:
    """Say whether talks without times stand between the heading of a session and the next time."""
    for place in range(start, len(lines)):
        if _TIME.match(lines[place].text):
            return False
        if place not in details and _OF_TALK.fullmatch(lines[place].text):
            return True
    return False
