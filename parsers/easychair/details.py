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
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import DETAIL_LABEL, NOTHING, SENTENCE_ENDS, Part, make_part, opens_text, read_point
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
        above = _read_description(lines, end, below - 1, whole=False)
        first = end = _read_labelled(lines, below, stop, found, rows=rows)
    chairs = found.chairs
    last = max((*found.labels, *(place for place, _ in (*chairs, *found.room))), default=start - 1)
    untimed = [] if rows else find_untimed(lines, last + 1, stop)
    if untimed and chairs and untimed[0] == chairs[-1][0] + 1:
        chairs, untimed[0] = _part_chairs(chairs)
    if rows:
        first = last + 1  # without rows, free text stands below a blank line
    free_text = above + _read_description(
        lines, first, untimed[0] - 1 if untimed else stop, whole=rows or bool(untimed)
    )
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
        if label is not None and not names and not found.room:
            found.labels.append(number)
            open_label = role
        elif role == _ROOM_WORD and not found.room:
            found.room.append((number, names))
            open_label = ""
        elif (
            role
            and not found.room
            and (
                could_be_names(names)
                if label is not None
                else _are_chairs(names) or (number - 1 in found.labels and _could_be_chairs(lines, number, stop))
            )
        ):
            following = next((text for _, text in lines.texts(number + 1, min(number + 2, stop))), "")
            if label is None and found.chairs and not is_affiliated(names) and opens_text(following):
                break  # the title of a talk without a time, which can read as a name
            found.chairs.append((number, names))
            # Without affiliations all names stand on one line; with them each person has one.
            open_label = role if is_affiliated(names) else ""
        elif rows:
            break  # free text, whose lines can read as labels
        end = number + 1
    return end


def _find_label_below_text(lines: Lines, start: int, stop: int, found: _Found) -> int | None:
    """Return the label of a room or of chairs that follows the free text of a session, as some years print it.

    One blank line sets it off; where there are none or two, the heading of another session is lost above it.
    """
    texts = dict(lines.texts(start, stop))
    if found.room or (start in texts and not _is_point(lines, start)):
        return None
    for number, text in texts.items():
        if opens_text(text):
            return None
        if DETAIL_LABEL.fullmatch(text):
            is_set_off = _is_point(lines, number - 1) or (number - 1 not in texts and number - 2 in texts)
            return number if is_set_off and not (found.labels and not text.startswith(_ROOM_WORD)) else None
    return None


def _find_details(lines: Lines, start: int, stop: int, *, rows: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines that can be details: up to a list or a blank line, which only in Markdown stands between them."""
    for number in range(start, stop + 1):
        text = lines[number].strip()
        if opens_text(text) or not (text or rows) or _is_point(lines, number):
            return
        if text:
            yield number, text


def _is_point(lines: Lines, number: int) -> bool:
    """Say whether a line is a point of a list, which free text alone holds."""
    return read_point(lines[number]) != lines[number].strip()


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


def _read_description(lines: Lines, start: int, stop: int, *, whole: bool) -> list[tuple[int, str]]:
    """Read free text between the details and the first talk: blocks of lines that blank lines set off.

    Also the last block where it is known that nothing else can stand there (``whole``).
    """
    found: list[tuple[int, str]] = []
    block: list[tuple[int, str]] = []
    for number in range(start, stop + 1):
        text = lines[number].strip()
        if DETAIL_LABEL.fullmatch(text):
            return found
        if text:
            block.append((number, read_point(lines[number])))
        else:
            found += _free_text(lines, block)
            block = []
    if whole or stop == lines.last or all(_is_point(lines, number) for number, _ in block):
        found += _free_text(lines, block)
    return found


def _free_text(lines: Lines, block: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines of a block that are free text; one among others must begin or end like a line of its own.

    A point of a list is one, whatever it says.
    """
    if len(block) == 1:
        return block
    return [
        (number, text)
        for number, text in block
        if not text[0].islower() or text.endswith(SENTENCE_ENDS) or _is_point(lines, number)
    ]
