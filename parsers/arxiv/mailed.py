"""The lines of one item of a mailing, below its identifier: dates, fields, abstract.

Invented lines; an indented line continues a field, or begins a paragraph of the abstract::

    replaced with revised version Thu, 16 Mar 2023 11:51:32 GMT   (38kb)
    Title: Foam in Tanks of a Size
      Never Seen Before
    Authors: Ada Quill, Bo Ferns (Foam and Tanks) and Cy Mole

Finding where items begin and end does not belong here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from parsers._words.dates import MONTH, full_year, make_date, month_number

BAR: Final = "\\\\"

DATED = re.compile(
    rf"(?P<what>Date|replaced with revised version|(?:figures|part) added)(?: \(revised[^)]{{0,20}}\))?:?\s+"
    rf"(?:[A-Z][a-z]{{2}},?\s+)?(?P<day>\d{{1,2}})\s+(?P<month>{MONTH})\s+(?P<year>\d{{4}}|\d{{2}})\b.{{0,100}}"
)
_FIELD = re.compile(
    r"(?P<label>Title|Authors?|Categories|Subj-class|Comments?|Report-no|MSC-class|ACM-class|Journal-ref|DOI|License"
    r"|Proxy|From|Notes)\s?:\s*(?P<value>.*)"
)
_LABELS: Final = {"Author": "Authors", "Comment": "Comments"}
_BRACKET = re.compile(r"([()])")
_AND = re.compile(r"(?:,|(?<!\s))\s++(?:and|&)\s+")
_FULL: Final = 60  # characters, with the next word: mails are wrapped just below 80
_SECOND: Final = re.compile(r" {1,4}\S")  # continues a field, or begins a paragraph


@dataclass(slots=True)
class PartialItem:
    """The parts of one item read so far; ``stray`` is the first line that is neither field nor continuation.

    If ``is_flush``, no line is indented: a line that is not a field continues the one above if that is full, and an
    abstract is one paragraph, if the mail ``has_abstracts``.
    """

    is_flush: bool = False
    has_abstracts: bool = True
    fields: dict[str, list[str]] = field(default_factory=dict)
    paragraphs: list[list[str]] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    submitted: date | None = None
    replaced: bool = False
    stray: int | None = None

    def read(self, lines: Sequence[tuple[int, str]]) -> None:
        """Read the lines below the head: dates and fields, and the abstract after a bar."""
        label, above, in_abstract = "", "", False
        for number, line in lines:
            if line.rstrip() == BAR:
                in_abstract = True
            elif in_abstract and (self.paragraphs or self._begins_abstract(line)):
                self._take_abstract(line)
            elif in_abstract:
                self.stray = self.stray or number
                continue
            elif found := _FIELD.match(line):
                label = _LABELS.get(found["label"], found["label"])
                self.fields.setdefault(label, []).append(found["value"].strip())
            elif label and (_SECOND.match(line) or (self.is_flush and _is_full(above, line))):
                self.fields[label].append(line.strip())
            elif not self._take_date(line):
                self.stray = self.stray or number
                continue
            above = line
            self.own.append(number)

    def value(self, label: str) -> str:
        """Return the value of a field on one line."""
        return " ".join(" ".join(self.fields.get(label, ())).split())

    def _take_date(self, line: str) -> bool:
        """Read the date line of the submission, or of a revision."""
        found = DATED.fullmatch(line.strip())
        if found is None:
            return False
        if found["what"] != "Date":
            self.replaced = True
        elif self.submitted is None and "(revised" not in line[:14]:
            self.submitted = day_of_line(found)
        return True

    def _begins_abstract(self, line: str) -> bool:
        """True if a line can be the first of the abstract."""
        return self.has_abstracts if self.is_flush else _SECOND.match(line) is not None

    def _take_abstract(self, line: str) -> None:
        """Add a line of the abstract: an indented one begins a paragraph."""
        if not self.paragraphs or _SECOND.match(line):
            self.paragraphs.append([])
        self.paragraphs[-1].append(" ".join(line.split()))


def _is_full(line: str, below: str) -> bool:
    """True if a line had no room for the first word of the one below."""
    return len(line) + len(below.split(maxsplit=1)[0]) >= _FULL


def day_of_line(found: re.Match[str]) -> date | None:
    """Return the day of a date line."""
    return make_date(full_year(found["year"]), month_number(found["month"]), int(found["day"]))


def part_names(printed: str) -> str:
    """Return the author line with nothing but commas between names: ``and`` outside brackets becomes one."""
    if " and " not in printed and " & " not in printed:
        return printed
    pieces, depth = [], 0
    for piece in _BRACKET.split(printed):
        depth = max(0, depth + (piece == "(") - (piece == ")"))
        pieces.append(piece if depth else _AND.sub(", ", piece))
    return "".join(pieces)
