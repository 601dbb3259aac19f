"""The lines below the heading of a session: chairs, room, free text.

```
10:00-11:00 Session 2: Toast
Chair:
Anna Vell
Location: Great Hall
(blank)
Free text about the session.
```

What is understood is returned with its line numbers; nothing is claimed here.
"""

import re
from dataclasses import dataclass
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import NOTHING, SENTENCE_ENDS, Part, find_orphan, make_part, opens_text
from parsers.easychair.headings import read_label
from parsers.easychair.people import could_be_names, is_affiliated

_NEXT_SESSION: Final = re.compile(r"Location:.*|(?:Session )?Chairs?:")
_ROOM_WORD: Final = "Location"
_LONGEST_LABEL: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailLines:
    """The lines below the heading of a session; ``labels`` are the lines that hold only a role word."""

    labels: tuple[int, ...] = ()
    chairs: Part = NOTHING
    room: Part = NOTHING
    description: Part = NOTHING
    orphan: int | None = None

    @property
    def numbers(self) -> list[int]:
        """All understood lines in order."""
        return sorted((*self.labels, *self.chairs.numbers, *self.room.numbers, *self.description.numbers))


def read_details(lines: Lines, start: int, stop: int) -> DetailLines:
    """Read the lines from ``start`` to ``stop`` below the heading of a session."""
    labels: list[int] = []
    chairs: list[tuple[int, str]] = []
    room: list[tuple[int, str]] = []
    number, open_label = start, ""
    while number <= stop and (text := lines[number].strip()) and not opens_text(text):
        label = read_label(text) if ":" in text and len(text) <= _LONGEST_LABEL else None
        role, names = label or (open_label, text)
        if label is not None and not names and not room:
            labels.append(number)
            open_label = role
        elif role == _ROOM_WORD and not room:
            room.append((number, names))
            open_label = ""
        elif role and not room and could_be_names(names):
            chairs.append((number, names))
            # Without affiliations all names stand on one line; with them each person has one.
            open_label = role if is_affiliated(names) else ""
        number += 1
    last = max((*labels, *(place for place, _ in (*chairs, *room))), default=start - 1)
    orphan = find_orphan(lines, last + 1, stop)
    description = _read_description(lines, number, stop if orphan is None else orphan - 1)
    return DetailLines(
        labels=tuple(labels), chairs=make_part(chairs), room=make_part(room), description=description, orphan=orphan
    )


def _read_description(lines: Lines, start: int, stop: int) -> Part:
    """Read free text between the details and the first talk: blocks of lines that blank lines set off."""
    found: list[tuple[int, str]] = []
    block: list[tuple[int, str]] = []
    for number in range(start, stop + 1):
        text = lines[number].strip()
        if _NEXT_SESSION.fullmatch(text):
            return make_part(found)
        if text:
            block.append((number, text))
        else:
            found += _free_text(block)
            block = []
    if stop == lines.last:
        found += _free_text(block)
    return make_part(found)


def _free_text(block: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines of a block that are free text; one among others must begin or end like a line of its own."""
    if len(block) == 1:
        return block
    return [(number, text) for number, text in block if not text[0].islower() or text.endswith(SENTENCE_ENDS)]
