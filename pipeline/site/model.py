"""What the pages of a programme show: names of files, people, times, links, what is said of a talk. Pure functions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

from pipeline.viewing.programmes import Programme
from pipeline.viewing.selection import Row
from pipeline.viewing.texts import ascii_words, name_of
from pipeline.viewing.timetable import PlacedTalk, Timetable, TimetableBlock, make_timetable

LONGEST_NAME: Final = 60
"""Characters of a file name before the eight that tell records apart."""

SCHEMES: Final = frozenset({"http", "https", "mailto"})

Past = Mapping[str, Sequence["PublishedChange"]]
"""The changes of each record that kept snapshots tell, newest first."""


@dataclass(frozen=True, slots=True)
class PublishedChange:
    """A change of a record: the day it was published, what happened, and columns with both values as text."""

    day: date
    change: str
    values: tuple[tuple[str, str | None, str | None], ...]


@dataclass(frozen=True, slots=True)
class ProgrammeView:
    """A programme with all that its pages show.

    ``ids`` are short names of its records, for files and picks. ``zone`` is that of all its times, if there is one.
    """

    programme: Programme
    folder: str
    rows: Sequence[Row]
    ids: Mapping[str, str]
    timetable: Timetable
    zone: str | None
    is_invented: bool
    past: Past

    @property
    def name(self) -> str:
        """The event, else the path of its page."""
        return self.programme.name

    @property
    def kinds(self) -> list[str]:
        """The kinds of its items, sorted."""
        return sorted({row["kind"] for row in self.rows})

    def file(self, row: Row) -> str:
        """Return the name of the page of a record, without the ending."""
        return f"{slug(name_of(row))}-{self.ids[row['record_id']]}"

    def before(self, row: Row) -> str | None:
        """Return when and where a moved record was before its last move; None if it has not moved."""
        moves = (each for each in self.past.get(row["record_id"], ()) if each.change == "moved")
        values = next((each.values for each in moves), ())
        old = {column: before for column, before, _ in values if column in {"starts_at", "room"} and before}
        return " ".join(_as_told(old[name]) for name in ("starts_at", "room") if name in old) or None


def view_of(programme: Programme, rows: Sequence[Row], invented: frozenset[str], past: Past) -> ProgrammeView:
    """Arrange the rows of a programme; ``invented`` are the dumps that are specimens."""
    timed = [row for row in rows if any(slot["starts_at"] for slot in row["slots"] or ())]
    zones = {row["timezone"] for row in timed}
    return ProgrammeView(
        programme,
        folder_of(programme),
        rows,
        short_ids(row["record_id"] for row in rows),
        make_timetable(rows),
        zones.pop() if len(zones) == 1 else None,
        any(row["dump"] in invented for row in rows),
        past,
    )


def folder_of(programme: Programme) -> str:
    """Return the folder of a programme."""
    digest = _digest("\n".join((programme.source, programme.name)))
    return f"{slug(programme.name)}-{digest[:8]}"


def slug(text: str) -> str:
    """Return a text as a part of a file name: lower-case ASCII, words joined by hyphens; never empty."""
    return "-".join(ascii_words(text))[:LONGEST_NAME].strip("-") or "x"


def short_ids(record_ids: Iterable[str]) -> dict[str, str]:
    """Return eight hex digits for each id; sixteen where those are taken."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for each in sorted(record_ids):
        digest = _digest(each)
        short = digest[:8] if digest[:8] not in taken else digest[:16]
        taken.add(short)
        found[each] = short
    return found


def _digest(text: str) -> str:
    """Return a hash of a text."""
    return sha256(text.encode()).hexdigest()


def safe_link(address: str | None) -> str | None:
    """Return an address that a page may link to; None for one that could run code."""
    if not address:
        return None
    try:
        return address if urlsplit(address).scheme.lower() in SCHEMES else None
    except ValueError:  # no address at all
        return None


def span_of(start: datetime, end: datetime | None, day: date) -> str:
    """Return times from and to; the date too where an item ends on another day."""
    if end is None:
        return f"{start:%H:%M}"
    last = f"{end:%H:%M}" if (end.date() - day).days <= 1 else f"{end:%d %B %H:%M}"
    return f"{start:%H:%M}\N{EN DASH}{last}"


def day_name(day: date) -> str:
    """Return a day as people write it."""
    return f"{day:%A} {day.day} {day:%B %Y}"


def has_own_time(talk: PlacedTalk, block: TimetableBlock) -> bool:
    """True if a talk is printed with a time of its own, which its block does not say already."""
    return block.is_session and "time_is_session" not in talk.row["notes"]


def paragraphs(text: str | None) -> list[str]:
    """Return the paragraphs of a text."""
    return [each for each in (text or "").split("\n") if each.strip()]


def _as_told(text: str) -> str:
    """Return a value of a change for people: a time without its seconds."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment:%a %d %B %H:%M}"


def moment_of(value: Any) -> str:  # noqa: ANN401  # a date, a date and a time, or none
    """Return a time for machines; empty if there is none."""
    return "" if value is None else str(value.isoformat(timespec="minutes") if isinstance(value, datetime) else value)
