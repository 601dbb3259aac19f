"""The lines below the time line of a talk: authors, title, presenter, abstract.

```
09:00
A. One, B. Two and C. Three        or one a line, Anna Vell (Quill Institute, Norland), or none
Baking with patience
PRESENTER: A. One
(blank)
ABSTRACT. First paragraph.
(blank)
Second paragraph.
```

What is understood is returned with its line numbers; nothing is claimed here.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from parsers._lines import Lines
from parsers.easychair.blocks import (
    ABSTRACT,
    NOTHING,
    POINT,
    SENTENCE_ENDS,
    Part,
    find_orphan,
    is_address,
    is_labelled,
    is_prose,
    make_part,
    opens_text,
    read_point,
)
from parsers.easychair.items import is_placeholder
from parsers.easychair.people import (
    PageHabits,
    could_be_names,
    is_affiliated,
    is_affiliated_name,
    is_name,
    split_people,
)

_PRESENTER: Final = re.compile(r"(?:SPEAKER|PRESENTER):\s*(?P<name>.*)")
_DETAIL_LABEL: Final = re.compile(r"Location:.*|(?:Session )?Chairs?:")
_CLOSING: Final = re.compile(r"[^()]*\)")
_LOOKED_AT: Final = 100
"""How many lines of free text below a heading are looked at."""
_SESSION_LABEL: Final = re.compile(r"Location:(?: .*)?|[A-Z][a-z]+(?: [A-Za-z]+)?:")


class Spacing(Enum):
    """Where blank lines are printed: below every paragraph, below all but the last one of a talk, nowhere."""

    FULL = auto()
    INNER = auto()
    NONE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLines:
    """The lines below a time line; ``orphan`` is the first line of a talk whose own time line is missing.

    ``fault`` says why the lines make no talk, in words for people.
    """

    authors: Part = NOTHING
    title: Part = NOTHING
    presenter: Part = NOTHING
    abstract: Part = NOTHING
    orphan: int | None = None
    fault: str | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """All understood lines, in the order of the page."""
        return self.authors, self.title, self.presenter, self.abstract

    @property
    def last(self) -> int | None:
        """The last understood line."""
        return next((part.numbers[-1] for part in reversed(self.parts) if part.numbers), None)


def read_talk(lines: Lines, start: int, stop: int, *, spacing: Spacing, habits: PageHabits) -> TalkLines:
    """Read the lines from ``start`` to ``stop`` below a time line."""
    head, number = _read_head(lines, start, stop)
    presenter, number = _read_presenter(lines, number, stop)
    opening = _next_text(lines, number, stop)
    abstract = NOTHING
    if opening <= stop and lines[opening].strip().startswith(ABSTRACT):
        abstract, number = _read_abstract(lines, opening, stop, spacing=spacing)
    found = _split_head(head, habits, presenter, followed=bool(presenter.numbers or abstract.numbers))
    if found.orphan is not None:
        return found
    fault = found.fault
    if fault is None and not (head.numbers or abstract.numbers):
        fault = "expected a title or an abstract below the time"
    orphan = find_orphan(lines, number, stop)
    return TalkLines(
        authors=found.authors, title=found.title, presenter=presenter, abstract=abstract, orphan=orphan, fault=fault
    )


def _read_abstract(lines: Lines, start: int, stop: int, *, spacing: Spacing) -> tuple[Part, int]:
    """Read an abstract from its labelled line on; also return the number of the first line that is not part of it.

    Further paragraphs are prose, and where blank lines are printed each stands between single ones: an even number
    of blank lines shows that a line between them is gone, so that what follows may belong to something else.
    """
    found = [(start, lines[start].strip().removeprefix(ABSTRACT).strip())]
    number = start + 1
    if spacing is Spacing.NONE and is_placeholder(found[0][1]):
        return make_part(found), number  # the free text of the next session follows, whose heading is lost
    while number <= stop:
        first = last = _next_text(lines, number, stop)
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


def _split_head(head: Part, habits: PageHabits, presenter: Part, *, followed: bool) -> TalkLines:
    """Split the head of a talk by position: authors, then one line of title.

    Lines below the title are not this talk's: where a presenter or an abstract follows (``followed``) they are the
    head of a talk that has lost its time line, and own what follows. On a page where every talk has an abstract there
    is no such talk: then the head itself is damaged.
    """
    lines = head.texts
    count = len(lines)
    if count == 0:
        return TalkLines()
    authors = _count_authors(lines, habits, next(iter(presenter.texts), ""))
    if authors is None:
        return TalkLines(fault="expected names of authors above the title")
    if followed and authors == count - 1 and is_affiliated(lines[-1]) and habits.is_person(lines[-1]):
        return TalkLines(authors=head)  # the title was a link or an icon: it can be lost while the authors are not
    if not followed and authors == count - 1 and habits.is_person(lines[-1]):
        return TalkLines(authors=head, fault="expected a title below the authors")
    if followed and habits.prints_abstracts and count > authors + 1:
        return TalkLines(fault="expected authors and one line of title above the abstract")
    orphan = head.numbers[authors + 1] if followed and count > authors + 1 else None
    return TalkLines(authors=head.slice(0, authors), title=head.slice(authors, authors + 1), orphan=orphan)


def _count_authors(lines: tuple[str, ...], habits: PageHabits, presenter: str) -> int | None:
    """Count the leading lines of a head that are authors; None where the first should be and is not.

    The last line is never counted. Without affiliations all authors stand on one line, with them each on its own.
    """
    last = len(lines) - 1
    if last == 0:
        return 0
    if not (is_affiliated(lines[0]) or _begins_list(lines)):
        if not habits.prints_authors:
            return 1 if _are_authors(lines[0], presenter) else 0
        return 1 if could_be_names(lines[0]) else None
    authors = 1
    while authors < last and (not lines[authors] or is_affiliated(lines[authors]) or is_name(lines[authors])):
        authors += 1
    return authors


def _are_authors(line: str, presenter: str) -> bool:
    """Say whether a line surely lists authors, on a page that seldom prints them: several, or the presenter."""
    people = split_people(line)
    return presenter in people or (len(people) > 1 and all(map(is_name, people)))


def _begins_list(lines: tuple[str, ...]) -> bool:
    """Say whether a head begins with names, each on its line, the first of which has no affiliation."""
    number = next((place for place, line in enumerate(lines) if not is_name(line)), len(lines))
    return 0 < number < len(lines) - 1 and is_affiliated_name(lines[number])


def _next_text(lines: Lines, number: int, stop: int) -> int:
    """Return the first line from ``number`` on that is not blank; ``stop + 1`` where there is none."""
    while number <= stop and not lines[number].strip():
        number += 1
    return number


def _continues(lines: Lines, blanks: int, block: tuple[int, int], stop: int, *, spacing: Spacing) -> bool:
    """Say whether a block of lines continues the abstract above it."""
    first, last = block
    if spacing is Spacing.NONE:
        following = lines[first + 1].strip() if first < stop else ""
        text = lines[first].strip()
        return (_is_long_prose(text) or is_labelled(text)) and not opens_text(following)
    if spacing is Spacing.INNER and last == stop:
        return True  # the head of the next talk begins on the next line
    if blanks and blanks % 2 == 0:
        return False
    after = _next_text(lines, last + 1, stop)
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


def _has_detail(lines: Lines, start: int, stop: int) -> bool:
    """Say whether room or chairs of a session follow: then what stands above them can be its damaged heading."""
    return any(_DETAIL_LABEL.fullmatch(text) for _, text in lines.texts(start, min(start + _LOOKED_AT, stop)))


def _list_end(lines: Lines, first: int, last: int, stop: int, *, spacing: Spacing) -> int | None:
    """Return the last line of the list of points that begins a block inside an abstract; None where none does.

    Where no blank lines are printed, free text of a session can follow an abstract too: there prose must come after
    the list, elsewhere the block must be nothing but a list.
    """
    end = first - 1
    while end < (stop if spacing is Spacing.NONE else last) and POINT.match(lines[end + 1]):
        end += 1
    if spacing is not Spacing.NONE:
        return last if end == last and (spacing is Spacing.INNER or last < stop or last == lines.last) else None
    if end < first or end == stop:
        return None
    following = lines[end + 2].strip() if end + 2 <= stop else ""
    return end if _is_long_prose(lines[end + 1].strip()) and not opens_text(following) else None


def _is_paragraph(text: str) -> bool:
    """Say whether a line set off by blank lines can be a paragraph of an abstract."""
    return not opens_text(text) and (is_prose(text) or is_labelled(text) or is_address(text))


def _is_long_prose(text: str) -> bool:
    """Say the same where no blank line sets a paragraph off from a title: a short one must end with a full stop."""
    return len(text) >= 200 or (
        text.endswith(SENTENCE_ENDS) and text.count(" ") >= 2 and (len(text) >= 100 or text.endswith("."))
    )


def _read_head(lines: Lines, number: int, stop: int) -> tuple[Part, int]:
    """Read the lines directly below a time line: authors and title; also return the number of the next line."""
    found: list[tuple[int, str]] = []
    while number <= stop and (text := lines[number].strip()):
        if opens_text(text) or (":" in text and _SESSION_LABEL.fullmatch(text)):
            break
        if found and _CLOSING.match(text) and (above := found[-1][1]).count("(") > above.count(")"):
            found[-1] = (found[-1][0], f"{above} {text}")  # an affiliation of two lines
            text = ""
        found.append((number, text))
        number += 1
    return make_part(found), number


def _read_presenter(lines: Lines, number: int, stop: int) -> tuple[Part, int]:
    """Read ``SPEAKER: name``, on one line or two, or the label alone; also return the number of the next line."""
    label = _PRESENTER.fullmatch(lines[number].strip()) if number <= stop else None
    if label is None:
        return NOTHING, number
    name = lines[number + 1].strip() if not label["name"] and number < stop else ""
    if name and could_be_names(name) and not opens_text(name):
        return Part((number, number + 1), (name,)), number + 2
    return Part((number,), (label["name"],)), number + 1
