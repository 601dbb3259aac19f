"""The structural lines (marks) of a text dump and the boilerplate around them; everything else is between two marks.

The lines between two marks belong to ``grammar``; the text of a mark is read by ``headings``.
"""

import re
from collections.abc import Container, Mapping, Sequence
from datetime import time
from enum import Enum, auto
from typing import Final, NamedTuple

from parsers._ledger.document import Document
from parsers._ledger.lines import Boilerplate, Lines
from parsers._words.dates import DASH, MONTH, WEEKDAY
from parsers.easychair.headings import ABSTRACT, NO_ZONE, read_day, read_interval

DAY_LINK: Final = rf"(?i:{WEEKDAY}, (?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}} {MONTH})(?:,? \d{{4}})?)"

PATTERNS: Final = {
    "index_title": r"PROGRAM|Program",
    # An event has its own links; if all are on one line, pages of the organisers can precede the fixed ones:
    # ``InformationPROGRAMINDEXES``.
    "menu_line": r"(?:[A-Z][\w &/'’-]{0,200}[a-z])?PROGRAM(?!M|S\b)[A-Z][A-Z &|/-]{0,300}",
    "menu": r"(?:(?:PROGRAM|AUTHORS|KEYWORDS|SLIDES|ROOMS|PAPERS|PEOPLE|SPEAKERS|COMMITTEES|VENUE)[ |]*)+",
    "days_label": r"Days:",
    "day_switch": r"(?:(?:previous day|next day|all days)[ |]*)+",
    "day_link": DAY_LINK,
    "day_links": rf"Days:\s*(?:(?:{DAY_LINK}|previous day|next day|all days)[ |]*)+|(?:{DAY_LINK}[ |]*){{2,}}",
    "view_links": r"View(?: this program)?: ?(?:(?:with abstracts|session overview|talk overview"
    r"|side by side with other conferences)[ |]*)+",
    "disclaimer": r"Disclaimer(?: ?\| ?Powered by EasyChair Smart Program)?|Powered by EasyChair Smart Program",
}
BOILERPLATE: Final = Boilerplate(PATTERNS)

_OPENINGS: Final = frozenset(
    "PRO Pro AUT KEY SLI ROO PAP PEO SPE COM VEN Day pre nex all Vie Dis Pow Mon Tue Wed Thu Fri Sat Sun".split()
)
_DAY: Final = re.compile(rf"(?:(?i:PROGRAM(?:ME)? FOR )|[^a-z:]{{1,80}} ON (?=[A-Z]))?(?i:{WEEKDAY}),")
_CLOCKED: Final = re.compile(
    rf"""
    (?P<bar>\|\s*)?             # a table cell opens with a bar
    \d{{1,2}}:\d{{2}}
    (?:
      (?P<time>\Z)              # alone on its line: a talk
    | (?P<interval>{DASH}\d{{1,2}}:\d{{2}}(?!\d){NO_ZONE})
    | (?P<row>\s*\|)            # a whole table row on one line
    | \s+                       # a talk on one line, where a label shows it; else prose
    )
    """,
    re.VERBOSE,
)
_ROW_LABEL: Final = re.compile(r"(?:ABSTRACT\.|SPEAKER:|PRESENTER:) ")
LOOKED_AT: Final = 600
"""The number of lines in which a text is recognised."""
_LONGEST: Final = 500
"""The longest structural line, in characters."""


class MarkKind(Enum):
    """The kind of a structural line; a ``ROW`` is a whole talk on one line."""

    DAY = auto()
    PROGRAM_VIEW = auto()
    SESSION = auto()
    TALK = auto()
    ROW = auto()
    BOILERPLATE = auto()


_CLOCKED_KINDS: Final = frozenset((MarkKind.SESSION, MarkKind.TALK))


class Mark(NamedTuple):
    """A structural line: its number, kind and stripped text."""

    line: int
    kind: MarkKind
    text: str


def opens_text(text: str) -> bool:
    """True if a line opens the presenter or abstract of a talk, so that the head of the talk is above it."""
    return text.startswith((ABSTRACT, "SPEAKER:", "PRESENTER:"))


def marks_of(document: Document) -> list[Mark]:
    """Return the structural lines of a document, in order."""
    return [*document.once(marks_at_head), *_find_marks(document.lines, LOOKED_AT + 1)]


def marks_at_head(document: Document) -> list[Mark]:
    """Return the structural lines among the first ``LOOKED_AT``; call it through ``once``."""
    return _find_marks(document.lines, 1, min(document.lines.last, LOOKED_AT))


def _find_marks(lines: Lines, first: int, last: int | None = None) -> list[Mark]:
    """Find the structural lines from ``first`` to ``last``."""
    return [
        Mark(number, kind, text)
        for number, text in lines.texts(first, last)
        if (text[0] in "|0123456789" and (kind := _clocked_kind(text)) is not None)
        or ((text[:3] in _OPENINGS or " ON " in text) and (kind := _worded_kind(text)) is not None)
    ]


def without_agendas(lines: Lines, marks: list[Mark]) -> list[Mark]:
    """Drop intervals and times that are paragraphs of free text, such as ``09:00-09:20 Introduction``.

    Paragraphs have blank lines on both sides; sessions only if free text follows.
    """
    headings = [mark for mark in marks if mark.kind is MarkKind.SESSION]
    set_off = {mark.line: mark for mark in marks if mark.kind in _CLOCKED_KINDS and _is_set_off(lines, mark.line)}
    if not set_off or _stand_blanks_everywhere(headings, set_off):
        return marks
    left_out = {line for line, mark in set_off.items() if _is_of_text(mark, lines, set_off)}
    return [mark for mark in marks if mark.line not in left_out]


def _stand_blanks_everywhere(headings: Sequence[Mark], set_off: Container[int]) -> bool:
    """True if any break, which has no free text below it, is set off; without breaks, if most headings are.

    The first heading cannot be part of an abstract: if it is not set off, headings are not.
    """
    breaks = [mark for mark in headings if (interval := read_interval(mark.text)) and interval.glued and interval.title]
    if breaks:
        return any(mark.line in set_off for mark in breaks)
    if headings and headings[0].line not in set_off:
        return False
    return 2 * sum(mark.line in set_off for mark in headings) >= len(headings)


def _is_set_off(lines: Lines, number: int) -> bool:
    """True if there are blank lines above and below a line; at the end of a page they do not count."""
    if not 1 < number < lines.last or lines[number - 1].strip() or lines[number + 1].strip():
        return False
    return next(lines.texts(number + 1), None) is not None


def _is_of_text(mark: Mark, lines: Lines, set_off: Mapping[int, Mark]) -> bool:
    """True if a line that is set off is no mark: a lone time without an abstract, or one of several intervals."""
    if mark.kind is MarkKind.TALK:
        return mark.line + 2 <= lines.last and not opens_text(lines[mark.line + 2].strip())
    interval = read_interval(mark.text)
    if interval is None or interval.code is not None:
        return False
    below = set_off.get(mark.line + 2)
    inner = read_interval(below.text) if below is not None else None
    if inner is None:
        return interval.title[:1].islower() or mark.line - 2 in set_off
    # The free text of a session can be an agenda.
    return not (_holds(interval.starts, inner.starts) and _holds(inner.ends, interval.ends))


def _holds(first: time | None, last: time | None) -> bool:
    """True if both times are known and the first is not after the last."""
    return first is not None and last is not None and first <= last


def _clocked_kind(text: str) -> MarkKind | None:
    """Return the kind of a line that begins with a digit or a bar; None for text."""
    found = _CLOCKED.match(text)
    if found is None:
        return None
    if found["time"] is not None:
        return MarkKind.TALK
    if found["interval"]:
        return None if found["bar"] or _is_paragraph(text[found.end() :].lstrip()) else MarkKind.SESSION
    return MarkKind.ROW if found["row"] or _ROW_LABEL.search(text) else None


def _is_paragraph(title: str) -> bool:
    """True if the text after an interval is a paragraph, not the heading of a session."""
    return len(title) > _LONGEST or (title[:1].islower() and title.count(" ") >= 7 and title.endswith((".", "!", "?")))


def _worded_kind(text: str) -> MarkKind | None:
    """Return the kind of a line that begins like a day or like boilerplate; None for text."""
    if len(text) > _LONGEST:
        return None
    if _DAY.match(text) and read_day(text) is not None:
        return MarkKind.DAY
    if BOILERPLATE.rule(text) is None:
        return None
    return MarkKind.PROGRAM_VIEW if text.startswith("View this") else MarkKind.BOILERPLATE
