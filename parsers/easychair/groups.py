"""Which talks belong to which session: walks the marks of a text dump and reads the lines below each.

A talk belongs to the session above it, unless that is a break or had ended before the talk began: then the heading of
its own session is damaged, and the talk stands in none. Nothing is claimed here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import time
from itertools import pairwise
from typing import Final

from parsers._dates import clock
from parsers._lines import Lines
from parsers.easychair.abstracts import Spacing
from parsers.easychair.details import DetailLines, read_details
from parsers.easychair.headings import read_interval
from parsers.easychair.items import PrintedSession, PrintedTalk, Setting
from parsers.easychair.marks import Mark, MarkKind
from parsers.easychair.people import PageHabits, is_affiliated_name, people_of
from parsers.easychair.talks import TalkLines, read_talk
from schemas.items import Reject

_NO_TIME: Final = "expected the time of the talk above its authors and title"
_NO_HEAD: Final = "expected authors and one line of title of a talk without a time"
_NO_CHAIR: Final = "expected a chair and then authors, found names that may be either"
_NO_CLOCK: Final = "expected a time of day HH:MM"
_NO_INTERVAL: Final = "expected two times of day HH:MM-HH:MM"
_ONE_LINE: Final = "expected the time of the talk on a line of its own"


@dataclass(frozen=True, slots=True)
class Entry:
    """A talk with its lines, or the reason why it is none; its start counts for its neighbours either way."""

    talk: PrintedTalk
    lines: TalkLines
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A session with its talks in order; ``session`` and ``details`` are None for talks that stand in none.

    ``rejects`` are pieces of talks that cannot be placed; ``fault`` says why the heading itself is unusable.
    """

    setting: Setting
    session: PrintedSession | None = None
    details: DetailLines | None = None
    entries: list[Entry] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    fault: str | None = None

    @property
    def has_talks(self) -> bool:
        """Whether anything below the heading is or was a talk."""
        return bool(self.entries or self.rejects)


def read_groups(
    lines: Lines, marks: Sequence[Mark], settings: Mapping[int, Setting], habits: PageHabits
) -> Iterator[Group]:
    """Yield the sessions of a page with their talks; ``settings`` gives each line that changes the day its setting."""
    group = Group(settings.get(0, Setting()))
    untimed = _find_untimed_sessions(marks, settings)
    for place, mark in enumerate(marks):
        stop = marks[place + 1].line - 1 if place + 1 < len(marks) else lines.last
        if mark.line in settings:
            yield group
            group = Group(settings[mark.line])
        if mark.kind is MarkKind.SESSION:
            yield group
            group = read_session(lines, mark, stop, group.setting)
            if mark.line in untimed:
                _add_untimed(lines, group, stop, habits)
            elif group.details is not None and group.details.untimed:
                first = group.details.untimed[0]
                group.rejects.append(_reject(lines, first, _last_text(lines, first, stop), _NO_TIME))
        elif mark.kind is MarkKind.TALK:
            entry, rejects = _read_entry(lines, mark, stop, habits)
            if not belongs(entry, group):
                yield group
                group = Group(group.setting)
            # A time at the very end of a cut dump may be half an interval: it ends no talk.
            if entry.talk.line_end == mark.line == lines.last:
                rejects = [_reject(lines, mark.line, mark.line, entry.fault or "")]
            else:
                group.entries.append(entry)
            group.rejects.extend(rejects)
        elif mark.kind is MarkKind.ROW:
            group.rejects.append(_reject(lines, mark.line, mark.line, _ONE_LINE))
    yield group


def read_session(lines: Lines, mark: Mark, stop: int, setting: Setting, *, rows: bool = False) -> Group:
    """Read the heading of a session and the details below it, which end where ``rows`` of talks may follow."""
    interval = read_interval(mark.text)
    if interval is None:
        raise ValueError(f"line {mark.line} is no session heading")
    is_break = interval.glued and interval.code is None
    # A break has no details: what stands below it has lost its heading.
    details = DetailLines() if is_break else read_details(lines, mark.line + 1, stop, rows=rows)
    timed = interval.starts is not None and interval.ends is not None
    session = PrintedSession(
        line_start=mark.line,
        line_end=max(details.numbers, default=mark.line),
        title=interval.title or None,
        code=interval.code,
        starts=interval.starts,
        ends=interval.ends,
        is_break=is_break,
        chairs=people_of(details.chairs.texts),
        room=details.room.texts[0] if details.room.texts else None,
        description=details.description.texts,
    )
    return Group(setting, session, details, fault=None if timed else _NO_INTERVAL)


def _find_untimed_sessions(marks: Sequence[Mark], settings: Mapping[int, Setting]) -> set[int]:
    """Return the lines of the sessions below which no talk has a time: theirs, if any, are printed without."""
    found: set[int] = set()
    has_times = False
    for mark in reversed(marks):
        if mark.kind is MarkKind.SESSION and not has_times:
            found.add(mark.line)
        if mark.kind is MarkKind.TALK or mark.kind is MarkKind.ROW:
            has_times = True
        elif mark.kind is MarkKind.SESSION or mark.line in settings:
            has_times = False
    return found


def _add_untimed(lines: Lines, group: Group, stop: int, habits: PageHabits) -> None:
    """Read the talks of a session that prints no times; each ends where the next begins."""
    if group.details is None:
        return
    starts = group.details.untimed
    for start, following in pairwise((*starts, stop + 1)):
        spacing = Spacing.INNER if following <= stop else Spacing.FULL
        found = read_talk(lines, start, following - 1, spacing=spacing, habits=habits)
        lacks_title = not found.title.texts or is_affiliated_name(found.title.texts[0])
        fault = found.fault or (_NO_HEAD if found.orphan is not None or lacks_title else None)
        if start - 1 in group.details.labels:
            fault = _NO_CHAIR
        last = _last_text(lines, start, following - 1) if fault else found.last
        group.entries.append(Entry(_printed_talk(found, start, last or start, None), found, fault))


def _read_entry(lines: Lines, mark: Mark, stop: int, habits: PageHabits) -> tuple[Entry, list[Reject]]:
    """Read a talk; also return what stands below it and belongs to a talk without a time line."""
    spacing = Spacing.NONE if mark.text.startswith("|") else Spacing.FULL
    found = read_talk(lines, mark.line + 1, stop, spacing=spacing, habits=habits)
    starts = clock(mark.text.lstrip("| "))
    fault = found.fault or (_NO_CLOCK if starts is None else None)
    rejects = []
    if found.orphan is not None:
        rejects.append(_reject(lines, found.orphan, _last_text(lines, found.orphan, stop), _NO_TIME))
        stop = found.orphan - 1
    last = _last_text(lines, mark.line, stop) if fault else (found.last or mark.line)
    return Entry(_printed_talk(found, mark.line, last, starts), found, fault), rejects


def _printed_talk(found: TalkLines, start: int, last: int, starts: time | None) -> PrintedTalk:
    """Make the printed talk of its lines."""
    return PrintedTalk(
        line_start=start,
        line_end=last,
        starts=starts,
        authors=people_of(found.authors.texts),
        title=found.title.texts[0] if found.title.texts else None,
        presenter=(found.presenter.texts[0] or None) if found.presenter.texts else None,
        paragraphs=found.abstract.texts,
    )


def belongs(entry: Entry, group: Group) -> bool:
    """Say whether a talk can be one of the session above it."""
    session = group.session
    if session is None:
        return True
    if session.is_break:
        return False
    if group.has_talks or session.starts is None or session.ends is None or entry.talk.starts is None:
        return True
    return session.ends <= session.starts or entry.talk.starts < session.ends


def _last_text(lines: Lines, start: int, stop: int) -> int:
    """Return the last line that is not blank from ``start``, which is not, to ``stop``."""
    while stop > start and not lines[stop].strip():
        stop -= 1
    return stop


def _reject(lines: Lines, start: int, stop: int, detail: str) -> Reject:
    """Make the reject of an item that lacks a part."""
    return Reject(start, stop, lines.text(start, stop), "incomplete_item", detail)
