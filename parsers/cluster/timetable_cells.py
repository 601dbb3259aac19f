"""The cell beside a time of the programme of 2014: a session, the one talk of a keynote or tutorial, or an item.

    PAPER SESSION 3 - Chair: Bea Sorn       its name and chair, and below them its title in capitals
    STORES AND QUAYS
    - 12.- Small Files                      its talks, by their numbers or their authors
    Ann One, Bo Two and Cy Three
    TUTORIAL 2                              one talk, its title in capitals, and who gives it
    SAILING BY NUMBERS
    Ada Quill & Bo Two CANCELLED

Some texts glue the lines of a cell: what is in capitals behind a chair is the title of the session. How the page is cut
into times and cells does not belong here (``timetable``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from parsers._lines import record_rule
from parsers.cluster.cells import Row
from parsers.cluster.headings import read_session
from parsers.cluster.items import PrintedSession, PrintedTalk
from parsers.cluster.names import looks_like_names, reads_as_person
from parsers.cluster.people import NOBODY, read_chairs
from parsers.cluster.rows import SESSION_RULES, Rows
from schemas.items import Reject

_ITEM_RULE: Final = record_rule("item")
_TALK_RULE: Final = record_rule("talk")
TALK: Final = re.compile(r"(?P<number>\d{1,4})\.\s?-\s*(?P<title>\S.*)")
CHAIRED: Final = re.compile(r"(?P<name>\S.{0,80}?)\s+[-–]\s+Chairs?\s*:\s*(?P<rest>\S.*)", re.IGNORECASE)
# One talk, its title in capitals, and who gives it.
_TUTORIAL: Final = re.compile(r"TUTORIAL(?: \w{1,3})?")
_PANEL: Final = re.compile(r"PANEL\b.*")
_CANCELLED: Final = re.compile(r"\s*\bCANCELL?ED\s*$")


def read_cell(rows: Rows, cell: Sequence[Row], room: str | None) -> PrintedSession | Reject | None:
    """Read the cell beside a time and its room; what is glued and cannot be parted is rejected."""
    if not cell:
        return None
    first, *rest = cell
    if not first.short:
        return rows.reject([first], "incomplete_item", "expected a title beside the time")
    found = CHAIRED.fullmatch(first.text)
    name, chair, title = found["name"] if found else first.text, "", ""
    if found:
        chair, title = _part_capitals(found["rest"])
        if not all(reads_as_person(part.strip()) for part in re.split(r",|\band\b", chair.partition("(")[0])):
            return rows.reject([first], "incomplete_item", "expected the names of the chairs alone behind 'Chair:'")
    elif _is_glued(name):
        return rows.reject([first], "incomplete_item", "expected title and names on lines of their own")
    own = [first]
    solo = read_session(name).keynote is not None or _TUTORIAL.fullmatch(name) is not None
    while rest and not (title and solo) and _goes_on(title, rest[0]):
        title, own, rest = f"{title} {rest[0].text}".strip(), [*own, rest[0]], rest[1:]
    if not chair and rest and (label := rest[0].label) and ("chair" in label[0] or "moderator" in label[0]):
        chair, own, rest = label[1], [*own, rest[0]], rest[1:]
    talks = list(_solo(rows, title, own, rest) if solo else _talks(rows, rest))
    if solo and talks and title:
        own, title = own[:1], ""
    points = [] if talks else _points(name, rest)
    for place, row in enumerate([*own, *points]):
        rows.claim([row], SESSION_RULES[place] if talks else _ITEM_RULE)
    return PrintedSession(
        line_start=own[0].number,
        line_end=[*own, *points][-1].last,
        heading=read_session(f"{name}: {title}" if title else name),
        room=room,
        chairs=read_chairs(chair, "") if chair else NOBODY,
        talks=tuple(talks),
        points=tuple(row.text for row in points),
    )


def _is_glued(text: str) -> bool:
    """Say whether a title in capitals goes on in small letters: other lines of its cell are glued to it."""
    first, *others = text.split()
    return first.isupper() and any(word.islower() or word.istitle() for word in others)


def _goes_on(title: str, row: Row) -> bool:
    """Say whether a row is the title of a session, in capitals, or the short name in brackets that goes on from it."""
    if not row.short or row.bullet:
        return False
    return row.text.isupper() if not title else row.text.startswith("(") and row.text.endswith(")")


def _points(name: str, rest: Sequence[Row]) -> list[Row]:
    """Return what is printed of a session that lists no talks: the items of its list, who sits on a panel."""
    panel = _PANEL.fullmatch(name) is not None
    listed = takewhile(lambda row: row.bullet or (panel and reads_as_person(row.text.partition(",")[0])), rest)
    return [row for row in listed if row.short]


def _part_capitals(text: str) -> tuple[str, str]:
    """Part names from a title in capitals that is glued to them: ``Bea Sorn STORES AND QUAYS``."""
    words = text.split()
    place = len(words)
    while place > 1 and words[place - 1].upper() == words[place - 1] and not words[place - 1].endswith((".", ")")):
        place -= 1
    return " ".join(words[:place]), " ".join(words[place:])


def _talks(rows: Rows, below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the talks of a session, by their numbers or their authors: a title, and below it the authors."""
    for place, row in enumerate(below):
        found = TALK.fullmatch(row.text)
        own, authors = _with_authors(below[place : place + 3])
        if found is None and not (row.bullet and authors and _are_authors(authors)):
            continue
        rows.claim(own, _TALK_RULE)
        title = " ".join(part.text for part in (own[:-1] if authors else own))
        yield PrintedTalk(
            row.number,
            own[-1].last,
            title[found.start("title") :] if found else title,
            authors=authors,
            number=found["number"] if found else None,
        )


def _with_authors(below: Sequence[Row]) -> tuple[list[Row], str | None]:
    """Return the rows of the talk that begins ``below``, and its authors; a title may go on below its first row."""
    title, *others = below
    after = list(takewhile(lambda row: not row.bullet and not TALK.fullmatch(row.text), others))
    if len(after) > 1 and not _are_several(after[0].text) and _are_several(after[1].text):
        return [title, *after], after[1].text.rstrip(".")
    if after and looks_like_names(after[0].text):
        return [title, after[0]], after[0].text.rstrip(".") if _are_several(after[0].text) else after[0].text
    return [title], None


def _are_several(text: str) -> bool:
    """Say whether a row is the list of several authors."""
    return looks_like_names(text) and ("," in text or " and " in text)


def _are_authors(text: str) -> bool:
    """Say whether a row can only be an author list, where no number shows that a talk stands above it."""
    return _are_several(text) or reads_as_person(text)


def _solo(rows: Rows, title: str, own: Sequence[Row], below: Sequence[Row]) -> Iterator[PrintedTalk]:
    """Yield the talk of a keynote or tutorial: its title, which may be in capitals above, and below it the speakers."""
    titled = own[-1] if title else below[0] if below else None
    rest = below if title else below[1:]
    if titled is None:
        return
    cancelled = bool(rest) and _CANCELLED.search(rest[0].text) is not None
    names = _CANCELLED.sub("", rest[0].text) if rest else ""
    named = bool(names) and looks_like_names(names)
    parts = [titled, rest[0]] if named else [titled]
    rows.claim(parts, _TALK_RULE)
    yield PrintedTalk(
        titled.number,
        parts[-1].last,
        titled.text,
        authors=names if named else None,
        notes=("cancelled",) if named and cancelled else (),
    )
