"""The abstract of a talk in text: how far it goes, which depends on where a page prints blank lines.

```
ABSTRACT. First paragraph.
(blank)
Second paragraph:
(blank)
- a point of a list
(blank)
10:00-11:00 Session 2: Toast
```

What stands above an abstract does not belong here (``talks``); nothing is claimed here.
"""

from enum import Enum, auto
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import (
    ABSTRACT,
    DETAIL_LABEL,
    POINT,
    SENTENCE_ENDS,
    Part,
    is_address,
    is_labelled,
    is_prose,
    is_section,
    make_part,
    next_text,
    opens_text,
    read_point,
)
from parsers.easychair.items import is_placeholder

_LOOKED_AT: Final = 100
"""How many lines of free text below a heading are looked at."""


class Spacing(Enum):
    """Where blank lines are printed: below every paragraph, below all but the last one of a talk, nowhere."""

    FULL = auto()
    INNER = auto()
    NONE = auto()


def read_abstract(lines: Lines, start: int, stop: int, *, spacing: Spacing) -> tuple[Part, int]:
    """Read an abstract from its labelled line on; also return the number of the first line that is not part of it.

    Further paragraphs are prose, and where blank lines are printed each stands between single ones: an even number
    of blank lines shows that a line between them is gone, so that what follows may belong to something else.
    """
    found = [(start, lines[start].strip().removeprefix(ABSTRACT).strip())]
    number = start + 1
    if spacing is Spacing.NONE and is_placeholder(found[0][1]):
        return make_part(found), number  # the free text of the next session follows, whose heading is lost
    while number <= stop:
        first = last = next_text(lines, number, stop)
        while spacing is not Spacing.NONE and last < stop and lines[last + 1].strip():
            last += 1
        end = _list_end(lines, first, last, stop, spacing=spacing) if first <= stop else None
        if end is not None:
            found.extend((place, read_point(lines[place])) for place in range(first, end + 1))
            number = end + 1
            continue
        if first > stop or not _continues(lines, first - number, (first, last), stop, spacing=spacing):
            break
        found.extend((place, lines[place].strip()) for place in range(first, last + 1))
        number = last + 1
    return make_part(found), number


def _list_end(lines: Lines, first: int, last: int, stop: int, *, spacing: Spacing) -> int | None:
    """Return the last line of the list of points that begins a block inside an abstract; None where none does.

    Where no blank lines are printed, free text of a session can follow an abstract too: there prose must come after
    the list, elsewhere the block must be nothing but a list.
    """
    end = first - 1
    while end < (stop if spacing is Spacing.NONE else last) and POINT.match(lines[end + 1]):
        end += 1
    if spacing is not Spacing.NONE:
        # What an extractor itself has marked and set in is a list; another one could be the head of the next talk.
        is_marked = all(lines[place][:1].isspace() for place in range(first, last + 1))
        ends_freely = is_marked or spacing is Spacing.INNER or last < stop or last == lines.last
        return last if end == last and ends_freely else None
    if end < first or end == stop:
        return None
    following = lines[end + 2].strip() if end + 2 <= stop else ""
    return end if _is_long_prose(lines[end + 1].strip()) and not opens_text(following) else None


def _continues(lines: Lines, blanks: int, block: tuple[int, int], stop: int, *, spacing: Spacing) -> bool:
    """Say whether a block of lines continues the abstract above it."""
    first, last = block
    if spacing is Spacing.NONE:
        return _continues_closely(lines[first].strip(), lines[first + 1].strip() if first < stop else "")
    if spacing is Spacing.INNER and last == stop:
        return True  # the head of the next talk begins on the next line
    if blanks and blanks % 2 == 0:
        return False
    after = next_text(lines, last + 1, stop)
    ends_freely = last < stop or last == lines.last
    following = lines[after].strip() if after <= stop else ""
    if not ends_freely or opens_text(following):
        return False
    texts = [lines[place].strip() for place in range(first, last + 1)]
    if all(map(_is_paragraph, texts)):
        return True
    # Any line set off by blank ones can be a paragraph, such as a formula or a caption, with more of the page below it.
    is_set_off = blanks == 1 and first == last < stop and (after == last + 2 <= stop or stop < after <= lines.last)
    return is_set_off and not opens_text(texts[0]) and not _has_detail(lines, last + 1, stop)


def _continues_closely(text: str, following: str) -> bool:
    """Say the same of a line where no blank lines are printed, by the line that follows it."""
    if is_section(text):
        return is_prose(following)
    return (_is_long_prose(text) or is_labelled(text)) and not opens_text(following)


def _has_detail(lines: Lines, start: int, stop: int) -> bool:
    """Say whether room or chairs of a session follow: then what stands above them can be its damaged heading."""
    return any(DETAIL_LABEL.fullmatch(text) for _, text in lines.texts(start, min(start + _LOOKED_AT, stop)))


def _is_paragraph(text: str) -> bool:
    """Say whether a line set off by blank lines can be a paragraph of an abstract."""
    return not opens_text(text) and (is_prose(text) or is_labelled(text) or is_address(text))


def _is_long_prose(text: str) -> bool:
    """Say the same where no blank line sets a paragraph off from a title: a short one must end with a full stop."""
    return len(text) >= 200 or (
        text.endswith(SENTENCE_ENDS) and text.count(" ") >= 2 and (len(text) >= 100 or text.endswith("."))
    )
