"""The differences between the readings of a dump before and after a damage, and the verdicts on them.

The classes are those of ``benchmarks.damage``, what is true to a damaged page is said by ``benchmarks.damages``. A
difference that is neither is told if something held back names the damaged place or the words of the difference, and
noted if the record has gained a note that doubts the column. Doing damages does not belong here.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from benchmarks.damages import LABELS, TRAILERS, Kind
from parsers._ledger.document import Document, DumpError
from parsers._registry import sources
from parsers._words.dates import MONTH, WEEKDAY, begins_with_time, looks_like_day, month_number
from pipeline.raw.dump import Dump
from pipeline.reading.read import PARSER_DEFECTS, read_document

FREE: Final = frozenset({"abstract", "description", "summary", "session_description", "comments"})
CONTEXT: Final = frozenset(
    "starts_at ends_at room session_title session_code session_description chairs affiliations_of_chairs track "
    "listed_on listing_section engagement timezone".split()
)
TIMES: Final = frozenset({"starts_at", "ends_at", "listed_on", "published_on"})
PEOPLE: Final = ("authors", "chairs")
_LEFT_OUT: Final = frozenset(
    "record_id source parser dump dump_sha256 line_start line_end notes slots starts_at ends_at room".split()
)
_OF_TIME: Final = frozenset(
    "date_invalid day_unread day_unknown time_unread year_unknown year_inferred weekday_disagrees end_before_start "
    "time_is_session end_inferred zone_converted".split()
)
_OF_SESSION: Final = frozenset({"around_rejected", "field_unread", "heading_unread"})
_OF_SESSION_COLUMNS: Final = "session_title session_code session_description track room event".split()
DOUBTS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(TIMES, _OF_TIME | _OF_SESSION),
    **dict.fromkeys(_OF_SESSION_COLUMNS, _OF_SESSION),
    "title": frozenset({"authors_uncertain", "title_missing", "cancelled", "id_repeated", "value_doubtful"}),
    "authors": frozenset(
        "authors_uncertain authors_cut authors_unordered bracket_unclosed id_repeated value_doubtful".split()
    ),
    "affiliations": frozenset({"authors_uncertain", "bracket_unclosed", "id_repeated"}),
    "chairs": frozenset({"bracket_unclosed", "value_doubtful"}) | _OF_SESSION,
    "abstract": frozenset({"abstract_placeholder", "abstract_or_summary", "id_repeated"}),
    "presenter": frozenset({"value_doubtful"}),
    "room": frozenset({"value_doubtful"}) | _OF_SESSION,
    "doi": frozenset({"doi_invalid", "doi_from_text"}),
    "timezone": frozenset({"zone_converted"}),
}
"""The notes that doubt a column; a column without a row here has none but ``controls_removed``."""

_OF_PAGE: Final = frozenset({"layout_doubtful", "malformed"})  # what is held back is about all of the page
_LINE: Final = 200  # characters: what is longer has numbers of all kinds
_COUNT_LINE: Final = re.compile(r"(?i)\W*(?:total|showing|page)\b.*\d.*|\W*\d+ (?:entries|results|papers|talks)\b.*")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-f]{4})|.)")

Row = Mapping[str, Any]


@lru_cache(maxsize=20_000)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, without case."""
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))


def visible(text: str, form: str) -> tuple[str, ...]:
    """Return the words that a page shows."""
    if form == "markup":
        text = re.sub(r"(?is)<!--.*?-->|<script\b.*?</script>|<style\b.*?</style>|<[^<>]*>", " ", text)
    if form == "json":
        text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", text)
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", html.unescape(html.unescape(text))).casefold()))


def shown(value: object) -> str:
    """Return a value of a column as text."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)
    if isinstance(value, Mapping):
        return " ".join(filter(None, map(shown, value.values())))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " | ".join(map(shown, value))
    return str(value)


@dataclass(frozen=True)
class Read:
    """What a dump gave: its rows in page order, what is held back as (text, detail, reason, first and last line)."""

    text: str
    form: str
    rows: tuple[Row, ...] = ()
    held: tuple[tuple[str, str, str, int | None, int | None], ...] = ()
    sightings: Mapping[str, int] | None = None
    by_lines: bool = False
    error: str | None = None
    crash: str | None = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that the page shows."""
        return visible(self.text, self.form)

    @cached_property
    def line(self) -> str:
        """The words that the page shows as one text with blanks around each."""
        return f" {' '.join(self.words)} "

    def prints(self, text: str) -> bool:
        """True if the page shows a text, whatever its punctuation."""
        return f" {' '.join(words(text))} " in self.line

    @cached_property
    def kept(self) -> str:
        """All that is published or held back, as ``line``."""
        texts = [shown(value) for row in self.rows for name, value in row.items() if name != "notes"]
        texts += [f"{text} {detail}" for text, detail, *_ in self.held]
        return f" {' | '.join(' '.join(words(text)) for text in texts)} "

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The values of each column, the names of people one by one."""
        found: dict[str, set[str]] = {}
        for row in self.rows:
            for name, value in row.items():
                each = value if isinstance(value, tuple) else (value,)
                found.setdefault(name, set()).update(shown(one) for one in each if one is not None)
        return {name: frozenset(each) for name, each in found.items()}

    @cached_property
    def days(self) -> frozenset[date]:
        """The days of its times and listings."""
        return frozenset(day for row in self.rows for name in TIMES for day in days_in(row[name]))


def days_in(value: object) -> Iterator[date]:
    """Yield the days in a value of a column of times."""
    if isinstance(value, tuple):
        for each in value:
            yield from days_in(each)
    elif isinstance(value, datetime):
        yield value.date()
    elif isinstance(value, date):
        yield value


def form_of(dump: Dump) -> str:
    """Return the form of a dump: text, markup or json."""
    return {".txt": "text", ".csv": "text", ".yml": "text", ".json": "json"}.get(dump.file.suffix, "markup")


def read(dump: Dump, data: bytes) -> Read:
    """Read a dump with the given bytes."""
    text, form = "", form_of(dump)
    try:
        document = Document.from_bytes(dump.path, data, dump.facts)
        text = document.text
        reading = read_document(sources()[dump.source], dump, document)
    except DumpError as error:
        return Read(text, form, error=str(error))
    except PARSER_DEFECTS as error:
        return Read(text, form, crash=f"{type(error).__name__}: {error}")
    held = [
        (row["text"] or "", row["detail"] or "", row["reason"], row["line_start"], row["line_end"])
        for row in reading.quarantine.to_dicts()
    ]
    held += [(sign.detail, "", "attention", None, None) for sign in reading.looks]
    return Read(
        text,
        form,
        tuple(map(make_row, reading.records.to_dicts())),
        tuple(held),
        Counter(reading.sightings["record_id"].to_list()),
        document.reads_lines,
    )


def make_row(record: Mapping[str, Any]) -> Row:
    """Return what is compared of a record: slots and people as columns of tuples."""
    row = {name: _frozen(value) for name, value in record.items() if name not in _LEFT_OUT}
    slots = record["slots"] or [{name: record[name] for name in ("starts_at", "ends_at", "room")}]
    for name in ("starts_at", "ends_at", "room"):
        row[name] = tuple(slot[name] for slot in slots)
    for name in PEOPLE:
        people = record[name]
        row[name] = people and tuple(person["name"] for person in people)
        aside = "affiliations" if name == "authors" else "affiliations_of_chairs"
        row[aside] = people and tuple(f"{one['affiliation'] or '-'} {one['country'] or ''}" for one in people)
    return {**row, "record_id": record["record_id"], "notes": frozenset(record["notes"] or ())}


def _frozen(value: object) -> object:
    """Return a value with tuples in place of lists and objects."""
    if isinstance(value, Mapping):
        return tuple(map(_frozen, value.values()))
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class Change(NamedTuple):
    """A difference: the rows before and after, None for a lost or new record, and the column with its values."""

    before: Row | None
    after: Row | None
    column: str
    old: Any
    new: Any


_COMPARED_APART: Final = frozenset({"record_id", "notes"})


def match(before: Read, after: Read, fold: Callable[[str], str]) -> list[tuple[Row | None, Row | None]]:
    """Pair the rows of two readings: by id, then by what they say, then by similar titles; the rest are alone."""
    pairs: list[tuple[Row | None, Row | None]] = []
    old, new = list(before.rows), list(after.rows)
    keys: tuple[Callable[[Row], object], ...] = (
        lambda row: row["record_id"],
        lambda row: (row["title"], row["starts_at"]) if row["title"] else None,
        lambda row: row["native_id"] or row["arxiv_id"] or row["url"],
        lambda row: row["title"] and fold(row["title"]),
        lambda row: row["title"] and words(row["title"]),
        lambda row: fold(row["abstract"] or row["summary"] or row["description"] or ""),
        lambda row: (row["authors"], row["starts_at"]) if row["authors"] else None,
    )
    for key in keys:
        waiting: dict[object, list[Row]] = {}
        for row in new:
            waiting.setdefault(key(row), []).append(row)
        rest = []
        for row in old:
            found = waiting.get(key(row)) if key(row) else None
            if found:
                pairs.append((row, found.pop(0)))
            else:
                rest.append(row)
        taken = {id(row) for _, row in pairs}
        old, new = rest, [row for row in new if id(row) not in taken]
    for row in old:
        best = max(new, key=lambda each: _likeness(row, each), default=None)  # used at once
        if best is not None and _likeness(row, best) >= 0.5:
            pairs.append((row, best))
            new.remove(best)
        else:
            pairs.append((row, None))
    return pairs + [(None, row) for row in new]


_FOLLOWS: Final = {
    "affiliations": "authors",
    "affiliations_of_chairs": "chairs",
    "room": "starts_at",
    "ends_at": "starts_at",
    "timezone": "starts_at",
}


def _follows(old: Row, new: Row, name: str) -> bool:
    """True if a column differs only because another does: what stays has the same values."""
    leader = _FOLLOWS[name]
    if old[leader] == new[leader]:
        return False
    if name == "timezone" or (name == "ends_at" and not any(new[leader]) and not any(new[name])):
        return True
    pairs = [set(zip(_listed(row[leader]), _listed(row[name]), strict=False)) for row in (old, new)]
    leaders = set(_listed(old[leader])) & set(_listed(new[leader]))
    if name == "room":
        return set(old[name]) == set(new[name])
    kept = [{pair for pair in each if pair[0] in leaders} for each in pairs]
    return kept[0] == kept[1] and (name != "ends_at" or bool(leaders))


def _likeness(one: Row, other: Row) -> float:
    """Return how many words two titles share, or two texts if there is no title, from 0 to 1."""
    first, second = (row["title"] or row["abstract"] or row["summary"] or "" for row in (one, other))
    if bool(one["title"]) != bool(other["title"]) or min(len(first), len(second)) < 4:
        return 0
    if first.startswith(second) or second.startswith(first):
        return 1
    both, least = set(words(first)) & set(words(second)), min(len(set(words(first))), len(set(words(second))))
    return len(both) / least if len(both) > 1 else 0


def compare(before: Read, after: Read, fold: Callable[[str], str] = str) -> list[Change]:
    """Return the differences between two readings; records are also found by what ``fold`` leaves of their texts."""
    changes = []
    for old, new in match(before, after, fold):
        if old is None or new is None:
            changes.append(Change(old, new, "record", old and old["title"], new and new["title"]))
            continue
        differ = [name for name in old if name not in _COMPARED_APART and old[name] != new[name]]
        differ = [name for name in differ if name not in _FOLLOWS or not _follows(old, new, name)]
        if not differ and old["record_id"] != new["record_id"]:
            differ = ["record_id"]
        changes += [Change(old, new, name, old[name], new[name]) for name in differ]
    return changes


@dataclass(frozen=True)
class Edit:
    """What a damage took out and put in, as words and numbers, the place, and the first and last damaged line."""

    removed: str
    added: str
    place: int
    start: int
    end: int
    wide: bool

    @cached_property
    def lost(self) -> Counter[str]:
        """The words taken out; of a wide stretch those that are not put in again."""
        return Counter(words(self.removed)) - (Counter(words(self.added)) if self.wide else Counter())

    @cached_property
    def gained(self) -> Counter[str]:
        """The words put in; of a wide stretch those that are not taken out."""
        return Counter(words(self.added)) - (Counter(words(self.removed)) if self.wide else Counter())


def find_edit(before: str, after: str) -> Edit:
    """Find the stretch that differs, up to whole words."""
    start, most = 0, min(len(before), len(after))
    start = _common(before, after, most)
    end = _common(before[::-1], after[::-1], most - start)
    while start and before[start - 1].isalnum():
        start -= 1
    while end and before[len(before) - end].isalnum():
        end -= 1
    removed, added = before[start : len(before) - end], after[start : len(after) - end]
    first = after.count("\n", 0, start) + 1
    wide = min(len(removed), len(added)) > 2000
    return Edit(removed, added, start, first, first + added.count("\n"), wide)


def find_moved(before: str, after: str) -> Edit | None:
    """Find the lines that were moved, or swapped with others; None if that is not all."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return None
    differ = [number for number, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    if not differ:
        return None
    first, last = differ[0], differ[-1] + 1
    was, now = old[first:last], new[first:last]
    at = next((at for at in range(1, len(was)) if was[at:] + was[:at] == now), None)
    if at is None:
        return None
    block = "\n".join(was[:at] if at * 2 <= len(was) else was[at:])
    return Edit(block, block, len("\n".join(new[:first])), first + 1, last, wide=False)


def _common(one: str, other: str, most: int) -> int:
    """Return the length of the common beginning of two texts, at most so many characters."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=256)
def numbers(text: str) -> frozenset[int]:
    """Return the numbers of a text, months and hours of the afternoon among them."""
    found = {int(digits) for digits in re.findall(r"(?<!\d)\d{1,4}(?!\d)", text)}
    found |= {month_number(name[:3]) for name in re.findall(rf"(?i)\b{MONTH}", text)}
    return frozenset(found | {number + 12 for number in found if number < 12} | ({0} if 12 in found else set()))


def parts(value: object) -> tuple[int, ...]:
    """Return year, month, day, hour and minute of a time or date."""
    if isinstance(value, datetime):
        return (value.year, value.month, value.day, value.hour, value.minute)
    return (value.year, value.month, value.day) if isinstance(value, date) else ()


@dataclass(frozen=True)
class Judged:
    """A damage: the readings before and after, the edit and its kind; ``other`` is the reading of another page."""

    kind: Kind
    before: Read
    after: Read
    other: Read | None = None

    @cached_property
    def edit(self) -> Edit:
        """What the damage took out and put in."""
        moved = find_moved(self.before.text, self.after.text) if "order" in self.kind.allows else None
        return moved or find_edit(self.before.text, self.after.text)

    @cached_property
    def allows(self) -> frozenset[str]:
        """What is true to the damaged page; a text may end anywhere, markup and JSON say where they end."""
        cut = self.kind.name.startswith("cut_") and self.before.form != "text"
        return frozenset() if cut else frozenset(self.kind.allows.split())

    @cached_property
    def new_held(self) -> list[tuple[str, str, str, int | None, int | None]]:
        """What is held back now and was not before."""
        known = Counter((text, reason) for text, _, reason, *_ in self.before.held)
        return [row for row in self.after.held if not _take(known, (row[0], row[2]))]

    @cached_property
    def differences(self) -> list[Change]:
        """The differences, not judged."""
        return compare(self.before, self.after, self.kind.fold or str)

    @cached_property
    def silent(self) -> list[Change]:
        """The differences that nothing tells."""
        return [change for verdict, change in self.changes if verdict == "silent"]

    @cached_property
    def changes(self) -> list[tuple[str, Change]]:
        """The differences, each with its verdict."""
        return [(self.judge(change), change) for change in self.differences]

    @property
    def verdict(self) -> str:
        """The class of the damage."""
        if self.after.crash is not None:
            return "crashed"
        if self.after.error is not None:
            return "told"
        found = {verdict for verdict, _ in self.changes}
        return next((name for name in ("silent", "noted", "told", "faithful") if name in found), "same")

    def judge(self, change: Change) -> str:
        """Return the verdict on one difference."""
        if self.is_faithful(change):
            return "faithful"
        if any(self.tells(row, change) for row in self.new_held) or self.told_in_pieces(change):
            return "told"
        return "noted" if _doubted(change) else "silent"

    def is_faithful(self, change: Change) -> bool:
        """True if a difference is what the damaged dump says."""
        if change.after is None:
            return self._rightly_lost(change.before)
        if change.before is None:
            return self._rightly_new(change.after)
        if change.column == "record_id" or self.folded(change.old) == self.folded(change.new):
            return change.column != "record_id"
        inferred = change.column == "ends_at" and "end_inferred" in change.before["notes"] and self.allows & {"context"}
        return (
            (bool(inferred) and not _each(change.new))
            or ("context" in self.allows and self._inherits(change))
            or ("null" in self.allows and not change.new and len({id(each.before) for each in self.differences}) == 1)
            or (self._rightly_timed(change) if change.column in TIMES else self._rightly_worded(change))
        )

    def folded(self, value: object) -> object:
        """Return a value without what the damage changes within values, and without kinds of blanks."""
        if isinstance(value, tuple):
            return tuple(map(self.folded, value))
        text = shown(value)
        return " ".join((self.kind.fold(text) if self.kind.fold else text).split())

    def known(self, column: str) -> frozenset[str]:
        """Return the values of a column on the undamaged page, and on the other one."""
        pages = (self.before, self.other) if self.other and "twice" in self.allows else (self.before,)
        return frozenset(value for page in pages for value in page.values.get(column, ()))

    def _rightly_lost(self, row: Row | None) -> bool:
        """True if a record is gone with its title, or with its time where another printing has the same title."""
        if row is None or "less" not in self.allows:
            return False
        name = row["title"] or row["arxiv_id"] or row["abstract"] or row["summary"] or row["session_code"] or ""
        gone = set(words(name)) & set(self.edit.lost)
        if not self.after.prints(name) or (len(gone) * 2 >= len(set(words(name))) and not self.edit.wide):
            return True
        elsewhere = "context" in self.allows and any(row["title"] == each["title"] for each in self.after.rows)
        return elsewhere and any(
            set(parts(start)[3:]) <= numbers(self.edit.removed) for start in row["starts_at"] if start
        )

    def _rightly_new(self, row: Row) -> bool:
        """True if a record stands on the other page in the same words, or is printed again at another time."""
        told = ("title", "authors", "abstract", "session_title")
        if "again" in self.allows and any(row["title"] == each["title"] for each in self.before.rows):
            return True
        if "twice" not in self.allows or self.other is None:
            return False
        return any(all(row[name] == each[name] for name in told) for each in self.other.rows)

    def _inherits(self, change: Change) -> bool:
        """True if a value is that of a record nearby, or stands nearer above the record than the one before did.

        Columns that are not printed above records follow only if their own value was taken out.
        """
        if change.column not in CONTEXT and not set(words(shown(change.old))) <= set(self.edit.lost):
            return False
        rows = self.before.rows
        place = next(number for number, each in enumerate(rows) if each is change.before)
        near = [value for each in rows[max(0, place - 3) : place + 4] for value in _each(each[change.column])]
        above = (each[change.column] for each in reversed(rows[:place]) if each[change.column] != change.old)
        near += _each(next(above, None))
        gained = [value for value in _each(change.new) if value not in _each(change.old)]
        if not gained and change.old and not set(words(shown(change.old))) <= set(self.edit.lost):
            return any(each[change.column] == change.new for each in rows[max(0, place - 3) : place])
        return all(value in near for value in gained) or self._stands_above(change)

    def _stands_above(self, change: Change) -> bool:
        """True if the new value stands above the title of the record, and the old one not between them."""
        line, title = self.after.line, " ".join(words((change.after or {})["title"] or ""))
        end = line.find(f" {title} ") if title else -1
        old, new = (" ".join(words(shown(value))) for value in (change.old, change.new))
        place = line.rfind(f" {new} ", 0, max(end, 0)) if new else -1
        known = shown(change.new) in self.before.values.get(change.column, frozenset())
        return known and place >= 0 and (not old or line.rfind(f" {old} ", 0, end) < place)

    def _rightly_timed(self, change: Change) -> bool:
        """True if the numbers that differ in times were taken out and put in."""
        removed, added = numbers(self.edit.removed), numbers(self.edit.added)
        old, new = Counter(_each(change.old)), Counter(_each(change.new))
        both = zip_longest(sorted((old - new).elements()), sorted((new - old).elements()))
        return all(self._rightly_moved(parts(was), parts(now), removed, added) for was, now in both)

    def _rightly_moved(
        self, old: tuple[int, ...], new: tuple[int, ...], removed: frozenset[int], added: frozenset[int]
    ) -> bool:
        """True if one time is rightly missing or other."""
        if not new:
            gone = set(old[3:]) <= removed if old[3:] else False
            return "less" in self.allows and (gone or (old[2] in removed and not self.edit.wide))
        if not old:
            return "again" in self.allows
        differ = [(was, now) for was, now in zip(old, new, strict=False) if was != now]
        return "other" in self.allows and all(was in removed and now in added for was, now in differ)

    def _rightly_worded(self, change: Change) -> bool:
        """True if the words that differ in a text were taken out and put in."""
        if change.column == "engagement":
            return bool(self.allows & {"less", "other"}) and shown(change.old) in re.sub(r"[,.]", "", self.edit.removed)
        old, new = words(shown(change.old)), words(shown(change.new))
        lost, gained = Counter(old) - Counter(new), Counter(new) - Counter(old)
        again = change.column in PEOPLE and "again" in self.allows
        if (not lost and not gained) or (again and set(_each(change.old)) == set(_each(change.new))):
            return self._rightly_ordered(change)
        swapped = lost and "swap" in self.allows and not gained - self.edit.gained
        may_lose = swapped or self.allows & {"less", "other"}
        if lost - self.edit.lost or (lost and not may_lose):
            return False
        if not gained or swapped or ("less" in self.allows and self._spans(change.new)):
            return True
        may_gain = self.allows & {"less", "other"} or ("more" in self.allows and change.column in FREE)
        return bool(may_gain) and not gained - self.edit.gained

    def _rightly_ordered(self, change: Change) -> bool:
        """True if the same words may stand in another order, or with other marks and blanks."""
        if change.column in PEOPLE:
            once = [sorted(set(_each(value)) if "again" in self.allows else _each(value)) for value in change[3:]]
            return bool(self.allows & {"order", "again"}) and once[0] == once[1]
        solid = [re.sub(r"\s", "", shown(value)) for value in change[3:]]
        free = {"order", "less", "more", "other", "swap"} if change.column in FREE else {"swap"}
        return solid[0] == solid[1] or bool(self.allows & free)

    def _spans(self, value: object) -> bool:
        """True if a text of the damaged page spans the place where something was taken out."""
        start = self.edit.place
        before, after = words(self.after.text[max(0, start - 60) : start]), words(self.after.text[start : start + 60])
        seam = " ".join((*before[-1:], *after[:1]))
        text = shown(value)
        return bool(seam) and f" {seam} " in f" {' '.join(words(text))} " and self.after.prints(text)

    def tells(self, row: tuple[str, str, str, int | None, int | None], change: Change) -> bool:
        """True if something held back names the damaged place, or the words of a difference."""
        text, detail, reason, start, end = row
        if reason in _OF_PAGE or (reason == "count_mismatch" and change.column == "record"):
            return True
        near = start is not None and end is not None and start <= self.edit.end + 1 and end >= self.edit.start - 1
        if near and self.after.by_lines and not self.edit.wide:
            return True
        if change.column in TIMES and _names_time(text, change):
            return True
        if any(solid(self.folded(value)) in solid(self.folded(text)) for value in _lost_of(change)):
            return True
        told = set(words(f"{text} {detail}"))
        old, new = set(words(shown(change.old))), set(words(shown(change.new)))
        sought = [] if change.column in TIMES else [old - new, new - old]
        sought += [] if self.edit.wide else [set(self.edit.gained)]
        return any(each and len(each & told) * 2 > len(each) for each in sought)

    @cached_property
    def told_words(self) -> frozenset[str]:
        """The words of all that is held back now and was not before."""
        return frozenset(word for text, detail, *_ in self.new_held for word in words(f"{text} {detail}"))

    def told_in_pieces(self, change: Change) -> bool:
        """True if the words that a text of some length lost are held back, line by line."""
        lost = set(words(shown(change.old))) - set(words(shown(change.new)))
        return len(lost) > 3 and len(lost & self.told_words) > len(lost) * 0.8


def solid(value: object) -> str:
    """Return a text without blanks."""
    return "".join(str(value).split())


def _lost_of(change: Change) -> list[str]:
    """Return the texts of some length that a column has no more."""
    return [shown(each) for each in _each(change.old) if each not in _each(change.new) and len(solid(shown(each))) > 3]


def _names_time(text: str, change: Change) -> bool:
    """True if a line that is held back has one of the times, or the day, that a column has no more."""
    lost = [parts(each) for each in _each(change.old) if each not in _each(change.new)]
    found = numbers(text) if len(text) < _LINE else frozenset()
    of_day = re.search(rf"(?i)\b{WEEKDAY}", text) is not None
    return any(
        set(each[3:] or each[1:]) <= found or {each[1], each[2]} <= found or (of_day and each[2] in found)
        for each in lost
    )


def _take(counts: Counter[Any], key: object) -> bool:
    """Take one of a key; False if there is none."""
    counts[key] -= 1
    return counts[key] >= 0


def _each(value: object) -> list[Any]:
    """Return the values of a column that is a list or none, without null."""
    return [each for each in _listed(value) if each is not None]


def _listed(value: object) -> tuple[Any, ...]:
    """Return a value as a tuple."""
    return value if isinstance(value, tuple) else () if value is None else (value,)


def _doubted(change: Change) -> bool:
    """True if the notes of a record doubt the column that differs, and did not before."""
    if change.after is None:
        return False
    notes = change.after["notes"]
    if change.before is None:
        return bool(notes & {"authors_uncertain", "title_missing"})
    fresh = (notes - change.before["notes"]) | (notes & {"end_inferred"} if change.column == "ends_at" else frozenset())
    return bool(fresh & (DOUBTS.get(change.column, frozenset()) | {"controls_removed"}))


def is_torn(case: Judged) -> bool:
    """True if a session is torn from its talks: it is still printed, and a talk has another or none."""
    return any(
        change.column in {"session_title", "session_code"} and change.old and case.after.prints(change.old)
        for change in case.silent
    )


def is_dropped(case: Judged) -> bool:
    """True if the page shows text that was published or held back, and now is neither."""
    texts = [shown(one) for change in case.silent for one in _texts_lost(change)]
    texts += [text for text, *_ in case.before.held]
    return any(
        piece in case.after.line and piece not in case.after.kept for text in texts for piece in _pieces(words(text))
    )


def _texts_lost(change: Change) -> Iterator[object]:
    """Yield the texts that a difference took from the rows."""
    if change.column == "record":
        row = change.before or {}
        yield from (row.get(name) for name in ("title", "abstract", "summary", "comments"))
        yield from row.get("authors") or ()
    elif change.column not in TIMES | {"record_id", "url", "timezone"}:
        yield from set(_listed(change.old)) - set(_listed(change.new))


def _pieces(found: tuple[str, ...]) -> list[str]:
    """Return the words of a text in pieces of up to eight, with blanks around each; short ones say nothing."""
    cut = [found[at : at + 8] for at in range(0, max(1, len(found) - 7), 4)]
    return [f" {' '.join(piece)} " for piece in cut if len("".join(piece)) > 3]


def has_heading_as_title(case: Judged) -> bool:
    """True if the line of a time, day, room or count is a title, of a talk or session."""
    values, rows = case.before.values, [change.after for change in case.silent if change.after]
    rooms = values.get("room", frozenset())
    known = values.get("title", frozenset()) | values.get("session_title", frozenset())
    titles = {row[name] for row in rows for name in ("title", "session_title") if row[name]} - known
    heads = (begins_with_time, looks_like_day, _COUNT_LINE.fullmatch, rooms.__contains__)
    return any(head(title) for title in titles for head in heads)


def has_label_in_text(case: Judged) -> bool:
    """True if a text has a label or trailer that it did not have."""
    fresh = [(shown(change.old), shown(change.new)) for change in _texts_of(case)]
    return any(_labels(new) - _labels(old) for old, new in fresh)


def _labels(text: str) -> set[str]:
    """Return the labels and trailers in a text."""
    labels = {
        label
        for label in (*LABELS, *LABELS.values(), "Journal-ref", "Report-no")
        if re.search(rf"\b{label}(?:\(s\))?\s*[:.]", text)
    }
    return labels | {trailer for trailer in TRAILERS if " ".join(words(trailer)[:4]) in " ".join(words(text))}


def _texts_of(case: Judged) -> Iterator[Change]:
    """Yield the differences in texts; a new record as that of its title and people."""
    for change in case.silent:
        if change.column != "record":
            yield change
        elif change.after is not None:
            row = change.after
            yield from (Change(None, row, name, None, row[name]) for name in ("title", "room", *PEOPLE, "abstract"))


def has_absurd_date(case: Judged) -> bool:
    """True if a record has a day on which the event is not."""
    days = {day for change in case.silent if change.after for name in TIMES for day in days_in(change.after[name])}
    known = case.before.days | (case.other.days if case.other and "twice" in case.allows else frozenset())
    return bool(case.before.days) and bool(days - known)


def has_null_time(case: Judged) -> bool:
    """True if a time is null that was not, and no note says why."""
    return any(
        change.column in TIMES
        and change.after is not None
        and not change.after["notes"] & _OF_TIME
        and any(_listed(change.old))
        and not any(_listed(change.new))
        for change in case.silent
    )


def has_foreign_text(case: Judged) -> bool:
    """True if a room or name is none of the undamaged dump."""
    return any(
        {case.folded(one) for one in _listed(change.new) if one}
        - {case.folded(one) for one in case.known(change.column)}
        for change in _texts_of(case)
        if change.column in {"room", "presenter", *PEOPLE}
    )


def has_open_end(case: Judged) -> bool:
    """True if markup or JSON was cut off."""
    return case.kind.name.startswith("cut_") and not case.allows and case.kind.name not in {"cut_head", "cut_hole"}


def is_outside(case: Judged) -> bool:
    """True if a talk has a time outside its session."""
    spans: dict[object, tuple[datetime, datetime]] = {}
    for row in case.before.rows:
        name = (row["session_code"], row["session_title"])
        for time in filter(None, (*row["starts_at"], *row["ends_at"])) if any(name) else ():
            first, last = spans.get(name, (time, time))
            spans[name] = min(first, time), max(last, time)
    for change in case.silent:
        row = change.after or {}
        span = spans.get((row.get("session_code"), row.get("session_title")))
        starts = row.get("starts_at", ()) if change.column in {"record", "starts_at", "session_title"} else ()
        if span and any(start and not span[0] <= start <= span[1] for start in starts):
            return True
    return False


def is_twice(case: Judged) -> bool:
    """True if one id is there more often than before, with other content."""
    before, after = case.before.sightings or {}, case.after.sightings or {}
    dated = any(map(any, (row["starts_at"] for row in case.before.rows)))
    rows = [change.after for change in case.silent if change.after and (not dated or any(change.after["starts_at"]))]
    ids = {row["record_id"] for row in rows}
    return any(after.get(each, 0) > max(1, before.get(each, 0)) or "/2" in each[-3:] for each in ids)


SIGNS: Final[Mapping[str, Callable[[Judged], bool]]] = {
    "torn": is_torn,
    "dropped": is_dropped,
    "heading as title": has_heading_as_title,
    "label in text": has_label_in_text,
    "absurd date": has_absurd_date,
    "null time": has_null_time,
    "foreign text": has_foreign_text,
    "open end": has_open_end,
    "outside session": is_outside,
    "id twice": is_twice,
}
"""What a reader of the rows could find wrong: a closed list."""
