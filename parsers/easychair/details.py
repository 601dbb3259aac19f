"""The lines below the heading of a session: chairs and room; free text is found in ``descriptions``.

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
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import NOTHING, Part, make_part, opens_text
from parsers.easychair.descriptions import find_label_below, is_point, read_description
from parsers.easychair.headings import read_label
from parsers.easychair.people import could_be_names, is_affiliated, is_name, split_people
from parsers.easychair.posters import find_untimed

_ROOM_WORD: Final = "Location"
_PROGRAMME_WORD: Final = re.compile(
    r"\b(?:welcome|opening|closing|remarks?|reports?|introduction|keynotes?|awards?|ceremony|discussions?|panel"
    r"|sessions?|talks?|presentations?|announcements?|address|questions|break|lunch|dinner)\b",
    re.IGNORECASE,
)
_MONONYM: Final = re.compile(r"[^\W\d_a-z][\w.'’-]*")
_LONGEST_LABEL: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailLines:
    """The lines below the heading of a session; ``labels`` are the lines that hold only a role word.

    ``untimed`` are the first lines of talks without a time.
    """

    labels: tuple[int, ...] = ()
    chairs: Part = NOTHING
    room: Part = NOTHING
    description: Part = NOTHING
    untimed: tuple[int, ...] = ()

    @property
    def numbers(self) -> list[int]:
        """All understood lines in order."""
        return sorted((*self.labels, *self.chairs.numbers, *self.room.numbers, *self.description.numbers))


@dataclass(frozen=True, slots=True)
class _Found:
    """Labels, chairs and room while they are being read."""

    labels: list[int] = field(default_factory=list)
    chairs: list[tuple[int, str]] = field(default_factory=list)
    room: list[tuple[int, str]] = field(default_factory=list)


def read_details(lines: Lines, start: int, stop: int, *, rows: bool = False) -> DetailLines:
    """Read the lines from ``start`` to ``stop`` below the heading of a session.

    ``rows`` where each talk stands on one line: then nothing else here is a talk.
    """
    found = _Found()
    first = end = _read_labelled(lines, start, stop, found, rows=rows)
    above: list[tuple[int, str]] = []
    below = None if rows else _find_label_below_text(lines, end, stop, found)
    if below is not None:
        above = read_description(lines, end, below - 1, whole=False)
        first = end = _read_labelled(lines, below, stop, found, rows=rows)
    chairs = found.chairs
    last = max((*found.labels, *(place for place, _ in (*chairs, *found.room))), default=start - 1)
    untimed = [] if rows else find_untimed(lines, last + 1, stop)
    if untimed and chairs and untimed[0] == chairs[-1][0] + 1:
        chairs, untimed[0] = _part_chairs(chairs)
    if rows:
        first = last + 1  # without rows, free text stands below a blank line
    free_text = above + read_description(lines, first, untimed[0] - 1 if untimed else stop, whole=rows or bool(untimed))
    return DetailLines(
        labels=tuple(found.labels),
        chairs=make_part(chairs),
        room=make_part(found.room),
        description=make_part(free_text),
        untimed=tuple(untimed),
    )


def _read_labelled(lines: Lines, start: int, stop: int, found: _Found, *, rows: bool) -> int:
    """Read labels and what follows each into ``found``; return the first line below them."""
    end, open_label = start, ""
    for number, text in _find_details(lines, start, stop, rows=rows):
        label = read_label(text) if ":" in text and len(text) <= _LONGEST_LABEL else None
        role, names = label or (open_label, text)
        if found.room or not role:  # below the room, or below no label, stands free text alone
            role = ""
        elif label is not None and not names:
            found.labels.append(number)
            open_label = role
        elif role == _ROOM_WORD:
            found.room.append((number, names))
            open_label = ""
        elif could_be_names(names) if label is not None else _lists_chairs(lines, number, stop, found):
            if label is None and found.chairs and _is_title(lines, number, stop):
                break
            found.chairs.append((number, names))
            # Without affiliations all names stand on one line; with them each person has one.
            open_label = role if is_affiliated(names) else ""
        else:
            role = ""
        if rows and not role:
            break  # free text, whose lines can read as labels
        end = number + 1
    return end


def _lists_chairs(lines: Lines, number: int, stop: int, found: _Found) -> bool:
    """Say whether a line without a role word of its own lists chairs; right below one it need not read as names."""
    is_right_below = number - 1 in found.labels
    return _are_chairs(lines[number].strip()) or (is_right_below and _could_be_chairs(lines, number, stop))


def _is_title(lines: Lines, number: int, stop: int) -> bool:
    """Say whether a line below chairs is the title of a talk without a time, which can read as a name."""
    following = next((text for _, text in lines.texts(number + 1, min(number + 2, stop))), "")
    return not is_affiliated(lines[number].strip()) and opens_text(following)


def _find_label_below_text(lines: Lines, start: int, stop: int, found: _Found) -> int | None:
    """Return the label of what is not yet found where that stands below the free text of the session."""
    below = find_label_below(lines, start, stop) if not found.room else None
    if below is not None and found.labels and not lines[below].strip().startswith(_ROOM_WORD):
        return None
    return below


def _find_details(lines: Lines, start: int, stop: int, *, rows: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines that can be details: up to a list or a blank line, which only in Markdown stands between them."""
    for number in range(start, stop + 1):
        text = lines[number].strip()
        if opens_text(text) or not (text or rows) or is_point(lines, number):
            return
        if text:
            yield number, text


def _part_chairs(chairs: list[tuple[int, str]]) -> tuple[list[tuple[int, str]], int]:
    """Part chairs from the authors of a talk that follows them directly; also return where the talk begins.

    Of two people one is the chair. Of more nobody can tell: the talk takes all, and is rejected.
    """
    affiliated = [number for number, names in chairs if is_affiliated(names)]
    if len(affiliated) < 2:
        return chairs, chairs[-1][0] + 1
    kept = affiliated[1] if len(affiliated) == 2 else affiliated[0]
    return [(number, names) for number, names in chairs if number < kept], kept


def _are_chairs(line: str) -> bool:
    """Say whether a line below a role word holds names: where an extractor lost them, free text follows the word."""
    name, _, affiliation = line.partition("(")
    if _PROGRAMME_WORD.search(name):
        return False
    if is_affiliated(line) and (is_name(name.strip()) or "," in affiliation):
        return True
    return all(is_name(part.partition("(")[0].strip()) for part in split_people(line))


def _could_be_chairs(lines: Lines, number: int, stop: int) -> bool:
    """Say whether a line below a role word holds names, though they read as none, by what follows it.

    The room follows nothing else; with nothing below, which can be free text too, it must be names of one word.
    """
    text = lines[number].strip()
    if _PROGRAMME_WORD.search(text):
        return False
    if number < stop:
        return lines[number + 1].strip().startswith(f"{_ROOM_WORD}:") and could_be_names(text)
    return all(_MONONYM.fullmatch(part) or is_name(part) for part in split_people(text))
