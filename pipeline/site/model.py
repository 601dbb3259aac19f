"""What the pages of a programme show: names of files, people, times, links, what is said of a talk. Pure functions."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlsplit

from pipeline.publishing.feeds import FeedEntry
from pipeline.publishing.store import made_at
from pipeline.viewing.programmes import Programme
from pipeline.viewing.selection import Row
from pipeline.viewing.texts import ascii_words, heading_of, label_of, name_of, names_of, people
from pipeline.viewing.timetable import PlacedTalk, Timetable, TimetableBlock, day_of, make_timetable

LONGEST_NAME: Final = 60
"""Characters of a file name before the eight that tell records apart."""

MOST_ITEMS: Final = 300
"""Records of a programme on one page, unless all are on one day."""

PLAIN: Final = frozenset({"break", "session"})
"""Kinds that have no colour."""

UNTIMED: Final = "untimed"
"""The page of what has no time, in a programme of several pages, without the ending."""

HUES: Final = 10
"""Colours of tracks or kinds in the style sheet. With more of these some share one: their names stand there too."""

OF_FIRST_SLOT: Final = frozenset({"starts_at", "ends_at", "room"})
"""Columns that are those of the first slot."""

SCHEMES: Final = frozenset({"http", "https", "mailto"})

Past = Mapping[str, Sequence["PublishedChange"]]
"""The changes of each record that kept snapshots tell, newest first."""


@dataclass(frozen=True, slots=True)
class PublishedChange:
    """A change of a record: the day it was published, what happened, and columns with both values as text."""

    day: date
    change: str
    values: tuple[tuple[str, str | None, str | None], ...]

    @property
    def told(self) -> list[tuple[str, str, str]]:
        """The columns with both values for people; what is derived from the slots is told by these."""
        names = {column for column, *_ in self.values}
        derived = OF_FIRST_SLOT if "slots" in names else frozenset()
        shown = [each for each in self.values if each[0] not in derived]
        return [(name, as_told(name, before), as_told(name, after)) for name, before, after in shown]


@dataclass(frozen=True, slots=True)
class IndexedPerson:
    """A name as printed, where the person is from, and the records, each with the role there; empty for an author."""

    id: str
    name: str
    affiliation: str
    parts: tuple[tuple[str, Row], ...]


@dataclass(frozen=True, slots=True)
class ProgrammeView:
    """A programme with all that its pages show.

    ``ids`` are short names of its records, for anchors and picks; ``files`` are the names of their pages, without the
    ending. ``zone`` is that of all its times, if there is one.
    ``neighbours`` has what comes before and after each record in its session. ``news`` are the entries of its feed, the
    newest first. ``hues`` are the numbers of colours, by column, track or kind, and its name.
    """

    programme: Programme
    folder: str
    rows: Sequence[Row]
    ids: Mapping[str, str]
    files: Mapping[str, str]
    timetable: Timetable
    zone: str | None
    is_invented: bool
    past: Past
    news: Sequence[FeedEntry]
    people: Sequence[IndexedPerson]
    papers: Sequence[Row]
    neighbours: Mapping[str, tuple[Row | None, Row | None]]
    hues: Mapping[tuple[str, str], int]

    @property
    def name(self) -> str:
        """The event, else the path of its page."""
        return self.programme.name

    @property
    def kinds(self) -> list[str]:
        """The kinds of its items, sorted."""
        return sorted({row["kind"] for row in self.rows})

    @property
    def tracks(self) -> list[str]:
        """Its tracks, sorted."""
        return sorted({row["track"] for row in self.rows if row["track"]})

    @property
    def is_big(self) -> bool:
        """True if it has a page for each day, beside one that lists the days."""
        return len(self.rows) > MOST_ITEMS and len(self.timetable.days) > 1

    @property
    def parts(self) -> list[tuple[str, str, str]]:
        """The pages of a big programme: what each shows, the same in short, and its file."""
        days = [(day_name(day.date), short_day(day.date), f"{_day_page(day.date)}.html") for day in self.timetable.days]
        return [*days, *([("No time given", "No time given", f"{UNTIMED}.html")] if self.timetable.untimed else [])]

    @property
    def changes(self) -> list[tuple[date, list[FeedEntry]]]:
        """Its news by the day on which they were published, the newest first."""
        return [(day, list(told)) for day, told in groupby(self.news, lambda each: made_at(each.snapshot).date())]

    def hue(self, row: Row) -> int | None:
        """Return the number of the colour of a record's track or kind; None if it has none."""
        return self.hues.get(("track", row["track"] or ""), self.hues.get(("kind", row["kind"])))

    def block_hue(self, block: TimetableBlock) -> int | None:
        """Return the number of the colour that all talks of a block have; None if there is no such one."""
        hues = {self.hue(talk.row) for talk in block.talks}
        return hues.pop() if len(hues) == 1 else None

    def anchor(self, talk: PlacedTalk) -> str:
        """Return the anchor of a slot on the page of its day."""
        anchor = f"t-{self.ids[talk.row['record_id']]}"
        return anchor if talk.number == 1 else f"{anchor}-{talk.number}"

    def href(self, row: Row) -> str:
        """Return where a record stands in the timetable, for the first time: a page with an anchor."""
        starts = [slot["starts_at"] for slot in row["slots"] or () if slot["starts_at"]]
        page = "index" if not self.is_big else _day_page(day_of(starts[0])) if starts else UNTIMED
        return f"{page}.html#t-{self.ids[row['record_id']]}"

    def items(self) -> list[dict[str, Any]]:
        """Return what a reader may look for on all days of a big programme, an item for each record."""
        found = []
        for row in self.rows:
            about = {
                "id": self.ids[row["record_id"]],
                "page": self.href(row),
                "title": label_of(row),
                "when": first_time(row),
                "people": names_of(row),
                "track": row["track"],
                "kind": row["kind"],
                "more": "; ".join(filter(None, (heading_of(row), people(row["chairs"]), affiliations_of(row)))),
            }
            rooms = dict.fromkeys(slot["room"] for slot in row["slots"] or () if slot["room"])
            found.append({**{name: value for name, value in about.items() if value}, "rooms": list(rooms)})
        return found

    def file(self, row: Row) -> str:
        """Return the name of the page of a record, without the ending."""
        return self.files[row["record_id"]]

    def before(self, row: Row) -> str | None:
        """Return when and where a moved record was before its last move; None if it has not moved."""
        moves = (each for each in self.past.get(row["record_id"], ()) if each.change == "moved")
        values = next((each.values for each in moves), ())
        old = {column: before for column, before, _ in values if column in {"starts_at", "room"} and before}
        return " ".join(as_told(name, old[name]) for name in ("starts_at", "room") if name in old) or None


def view_of(
    programme: Programme, rows: Sequence[Row], invented: frozenset[str], past: Past, news: Sequence[FeedEntry]
) -> ProgrammeView:
    """Arrange the rows of a programme; ``invented`` are the dumps that are specimens."""
    timed = [row for row in rows if any(slot["starts_at"] for slot in row["slots"] or ())]
    zones = {row["timezone"] for row in timed}
    timetable, ids = make_timetable(rows), short_ids(row["record_id"] for row in rows)
    return ProgrammeView(
        programme,
        folder_of(programme),
        rows,
        ids,
        {row["record_id"]: file_of(row, ids) for row in rows},
        timetable,
        zones.pop() if len(zones) == 1 else None,
        any(row["dump"] in invented for row in rows),
        past,
        news,
        index_people(rows),
        sorted(
            (row for row in rows if row["kind"] == "paper" and row["title"]), key=lambda row: _sort_key(row["title"])
        ),
        dict(_neighbours(timetable)),
        _hues(rows),
    )


def _hues(rows: Iterable[Row]) -> dict[tuple[str, str], int]:
    """Return the number of a colour for each track, or for each kind where there are no tracks; none for one alone."""
    names = {("track", row["track"]) for row in rows if row["track"]}
    names = names or {("kind", row["kind"]) for row in rows if row["kind"] not in PLAIN}
    return {each: number % HUES for number, each in enumerate(sorted(names))} if len(names) > 1 else {}


def index_people(rows: Iterable[Row]) -> list[IndexedPerson]:
    """Return the people of a programme by the last word of their names; a chair is indexed once a session."""
    found: dict[str, dict[tuple[str, str], tuple[str, Row]]] = {}
    printed: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        for role, person in _people_in(row):
            key = person_id(person["name"])
            known = printed.setdefault(key, person)
            if not affiliation_of(known) and affiliation_of(person):
                printed[key] = person
            what = heading_of(row) if role == "chair" else ""
            found.setdefault(key, {}).setdefault((role, what or row["record_id"]), (role, row))
    people = (
        IndexedPerson(key, person["name"], affiliation_of(person), tuple(found[key].values()))
        for key, person in printed.items()
    )
    return sorted(people, key=lambda each: (_sort_key(each.name.split()[-1]), _sort_key(each.name), each.id))


def _people_in(row: Row) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the people of a record with their roles."""
    yield from (("", person) for person in row["authors"] or () if person["name"].strip())
    yield from (("chair", person) for person in row["chairs"] or () if person["name"].strip())
    names = {person["name"] for person in row["authors"] or ()}
    if row["presenter"] and row["presenter"].strip() and row["presenter"] not in names:
        yield "presenter", {"name": row["presenter"], "affiliation": None, "country": None}


def _neighbours(timetable: Timetable) -> Iterator[tuple[str, tuple[Row | None, Row | None]]]:
    """Yield the id of each record of a session with those before and after it; of one shown again, the first time."""
    seen: set[str] = set()
    grids = (grid for day in timetable.days for grid in day.grids)
    for cell in (cell for grid in grids for row in grid.rows for cell in row.cells):
        for block in cell.blocks:
            rows = [talk.row for talk in block.talks]
            for before, row, after in zip([None, *rows[:-1]], rows, [*rows[1:], None], strict=True):
                if row["record_id"] not in seen:
                    seen.add(row["record_id"])
                    yield row["record_id"], (before, after)


def _day_page(day: date) -> str:
    """Return the page of a day of a big programme, without the ending."""
    return f"day-{day}"


def person_id(name: str) -> str:
    """Return the anchor of a person: one for all spellings that differ in case and spaces alone."""
    return f"p-{_digest(' '.join(name.casefold().split()))[:8]}"


def affiliation_of(person: Mapping[str, Any]) -> str:
    """Return where a person is from; empty if it is not known."""
    return ", ".join(filter(None, (person["affiliation"], person["country"])))


def affiliations_of(row: Row) -> str:
    """Return where the people of a record are from, each place once: what a reader may look for beside the names."""
    people = (*(row["authors"] or ()), *(row["chairs"] or ()))
    return "; ".join(dict.fromkeys(filter(None, map(affiliation_of, people))))


def first_time(row: Row) -> str:
    """Return when and where a record begins for the first time; empty if it has no time."""
    started = (slot for slot in row["slots"] or () if slot["starts_at"])
    first = min(started, key=lambda slot: slot["starts_at"], default=None)
    if first is None:
        return ""
    return ", ".join(filter(None, (f"{first['starts_at']:%a %d %B %H:%M}", first["room"])))


def _sort_key(text: str) -> tuple[str, str]:
    """Return what a name or title is sorted by: its ASCII words, then itself."""
    return " ".join(ascii_words(text)), text


def folder_of(programme: Programme) -> str:
    """Return the folder of a programme."""
    return programme_folder(programme.source, programme.name)


def file_of(row: Row, ids: Mapping[str, str]) -> str:
    """Return the name of the page of a record of a programme, without the ending; ``ids`` are its short names."""
    return f"{slug(name_of(row))}-{ids[row['record_id']]}"


def programme_folder(source: str, name: str) -> str:
    """Return the folder of a programme by its source and name; its feed is named likewise."""
    digest = _digest("\n".join((source, name)))
    return f"{slug(name)}-{digest[:8]}"


def source_feed(source: str) -> str:
    """Return the name of the feed of a source, without the ending."""
    return f"source-{source}"


def category_feed(source: str, category: str) -> str:
    """Return the name of the feed of a category that a source lists, without the ending."""
    return f"category-{source}-{slug(category)}"


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


def short_day(day: date) -> str:
    """Return a day as it stands in a row of days."""
    return f"{day:%a} {day.day} {day:%b}"


def days_of(first: date, last: date) -> str:
    """Return the days of a programme, each part of them once: ``30 August to 2 September 2025``."""
    begin = f"{first.day}"
    if (first.year, first.month) != (last.year, last.month):
        begin += f"{first: %B}"
    if first.year != last.year:
        begin += f" {first.year}"
    return day_name(first) if first == last else f"{begin} to {last.day} {last:%B %Y}"


def has_own_time(talk: PlacedTalk, block: TimetableBlock) -> bool:
    """True if a talk is printed with a time of its own, which its block does not say already."""
    return block.is_session and "time_is_session" not in talk.row["notes"]


def paragraphs(text: str | None) -> list[str]:
    """Return the paragraphs of a text."""
    return [each for each in (text or "").split("\n") if each.strip()]


def as_told(column: str, text: str | None) -> str:
    """Return a value of a change for people: names, slots as days and times, a time without its seconds."""
    match column:
        case _ if text is None:
            return "\N{EN DASH}"
        case "authors" | "chairs":
            return names_told(text)
        case "slots":
            return "; ".join(slots_told(text))
        case "categories" | "keywords" | "links" | "notes":
            found = (each if isinstance(each, str) else each["title"] or each["url"] for each in json.loads(text))
            return ", ".join(found) or "\N{EN DASH}"
        case "starts_at" | "ends_at":
            return f"{datetime.fromisoformat(text):%a %d %B %H:%M}"
    return text


def names_told(text: str | None) -> str:
    """Return the people that a change has as JSON by their names; ``nobody`` if there are none."""
    return ", ".join(each["name"] for each in json.loads(text or "[]")) or "nobody"


def slots_told(text: str | None) -> list[str]:
    """Return the slots that a change has as JSON as people read them."""
    return [_slot_told(each) for each in json.loads(text or "[]")] or ["no time given"]


def _slot_told(slot: Mapping[str, Any]) -> str:
    """Return a slot as people read it."""
    starts, ends = (datetime.fromisoformat(slot[name]) if slot[name] else None for name in ("starts_at", "ends_at"))
    when = f"{day_name(starts.date())}, {span_of(starts, ends, starts.date())}" if starts else "no time given"
    return ", ".join(filter(None, (when, slot["room"])))


def moment_of(value: Any) -> str:  # noqa: ANN401  # a date, a date and a time, or none
    """Return a time for machines; empty if there is none."""
    return "" if value is None else str(value.isoformat(timespec="minutes") if isinstance(value, datetime) else value)
