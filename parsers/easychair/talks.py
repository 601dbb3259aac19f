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

What is understood is returned with its line numbers; nothing is claimed here. How far an abstract goes does not belong
here (``abstracts``).
"""

import re
from dataclasses import dataclass
from typing import Final

from parsers._lines import Lines
from parsers.easychair.abstracts import Spacing, read_abstract
from parsers.easychair.blocks import ABSTRACT, NOTHING, Part, find_orphan, make_part, next_text, opens_text
from parsers.easychair.people import (
    PageHabits,
    could_be_names,
    is_affiliated,
    is_name,
    split_people,
)

_PRESENTER: Final = re.compile(r"(?:SPEAKER|PRESENTER):\s*(?P<name>.*)")
_CLOSING: Final = re.compile(r"[^()]*\)")
_SESSION_LABEL: Final = re.compile(r"Location:(?: .*)?|[A-Z][a-z]+(?: [A-Za-z]+)?:")


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
    opening = next_text(lines, number, stop)
    abstract = NOTHING
    if opening <= stop and lines[opening].strip().startswith(ABSTRACT):
        abstract, number = read_abstract(lines, opening, stop, spacing=spacing)
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
    if not (is_affiliated(lines[0]) or _begins_list(lines) or habits.has_place(lines[0])):
        if not habits.prints_authors:
            return 1 if _are_authors(lines[0], presenter) else 0
        return 1 if could_be_names(lines[0]) else None
    authors = 1
    while authors < last and (_is_author(lines[authors]) or habits.has_place(lines[authors])):
        authors += 1
    return authors


def _is_author(line: str) -> bool:
    """Say whether a line can be an author, below the first one of several; where it is empty the one above goes on."""
    return not line or is_affiliated(line) or is_name(line)


def _are_authors(line: str, presenter: str) -> bool:
    """Say whether a line surely lists authors, on a page that seldom prints them: several, or the presenter."""
    people = split_people(line)
    return presenter in people or (len(people) > 1 and all(map(is_name, people)))


def _begins_list(lines: tuple[str, ...]) -> bool:
    """Say whether a head begins with names, each on its line, the first of which has no affiliation."""
    number = next((place for place, line in enumerate(lines) if not is_name(line)), len(lines))
    return 0 < number < len(lines) - 1 and is_affiliated(lines[number]) and is_name(lines[number].partition(" (")[0])


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
