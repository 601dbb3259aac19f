"""The ledger cannot be cheated: damage stays local, and a meaningless line is never swallowed silently.

These tests run over the text specimens of every source, line by line; ``tests.support.bounds`` defines the exceptions
that a source may have.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import compress
from pathlib import Path
from typing import Any

import pytest

from parsers._ledger.document import Document
from parsers._ledger.lines import LineClass
from pipeline.reading.parse import Parsed
from schemas.items import Record
from tests.support.bounds import Sentinel, bounds_of
from tests.support.depth import is_deep
from tests.support.goldens import check_golden, plain
from tests.support.of_sources import bare, specimens

pytestmark = pytest.mark.untraced

SPECIMENS = {each.source: each for each in reversed(specimens(".txt"))}
"""The first text of each source that has one; pages and data are what ``test_specimen_pages`` is about."""
BOUNDED = [source for source in sorted(SPECIMENS) if bounds_of(source).silent is not None]
ROUTINE = frozenset({"time_is_session", "end_inferred", "year_inferred", "year_unknown", "event_inferred"})
"""Notes that every record of a kind or of a page has: they tell nothing of a strange line."""
LABEL = re.compile(r"(?:abstract|bio(?:graphy)?|description|summary)\W*", re.IGNORECASE)
SHORT = 100
"""Lines of a specimen up to which each of them is tried."""
GARBAGE = "%%% zzqx 0x4711 %%%"


def parse(source: str, lines: list[str]) -> tuple[Parsed, Document] | None:
    """Parse the specimen's text with other lines; None where the document as a whole is refused."""
    return SPECIMENS[source].read("\n".join(lines))


@cache
def specimen(source: str) -> tuple[list[str], tuple[Record, ...], Document]:
    """Return the lines of a specimen, its records, and its document with the claims of the parse."""
    lines = SPECIMENS[source].text.split("\n")
    parsed = parse(source, lines)
    assert parsed is not None
    return lines, parsed[0].records, parsed[1]


@cache
def bare_records(source: str) -> list[Record]:
    """Return the records of a specimen without what other lines decide."""
    return [bare(record) for record in specimen(source)[1]]


def last_governed(document: Document, number: int) -> int:
    """Return the last line that the heading on line ``number`` governs; the line itself where it is no heading."""
    rule = document.lines.rule_of(number)
    if rule is None or rule.line_class is not LineClass.HEADING or not rule.level:
        return number
    for below in range(number + 1, document.lines.last + 1):
        other = document.lines.rule_of(below)
        if other is not None and other.line_class is LineClass.HEADING and 0 < other.level <= rule.level:
            return below - 1
    return document.lines.last


def untouched(source: str, number: int) -> list[Record]:
    """Return the records whose own lines and governing headings do not include line ``number``."""
    _, records, document = specimen(source)
    end = last_governed(document, number)
    return [
        alone
        for record, alone in zip(records, bare_records(source), strict=True)
        if not (record.line_start or 0) <= number <= (record.line_end or 0)
        and not number < (record.line_start or 0) <= end
    ]


@cache
def telling_lines(source: str) -> dict[int, float]:
    """Return the lines before which, and on which, something is put, and the one behind the last.

    Where four lines around a place are read as those around another one are, a parser goes the same way at both: of
    all such places of a long specimen the first and the last one are tried; in ``make nightly`` each one is.
    With each line comes the number of places that it stands for, those in between being shared by the two.
    """
    lines, _, _ = specimen(source)
    alike: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    texts = running_texts(source)
    roles: list[tuple[object, ...]] = [role_of(source, number) for number in range(1, len(lines) + 1)]
    roles = [("edge",)] * 2 + roles + [("edge",)] * 2
    for number in range(1, len(lines) + 2):
        alike[number in texts, *roles[number - 1 : number + 3]].append(number)
    if len(lines) < SHORT or is_deep():
        return dict.fromkeys(range(1, len(lines) + 2), 1)
    return dict(
        sorted((each, len(same) / len({same[0], same[-1]})) for same in alike.values() for each in same[:1] + same[-1:])
    )


def role_of(source: str, number: int) -> tuple[object, ...]:
    """Return how a line of a specimen is read: the rule that claimed it, and the fields that its text is found in."""
    lines, records, document = specimen(source)
    text = lines[number - 1].strip().lower()
    near = [record for record in records if (record.line_start or 0) <= number <= (record.line_end or 0)]
    fields = {name for record in near if text for name in absorbing_fields(record, text)}
    return document.lines.rule_of(number), bool(text), *sorted(fields)


def damages(source: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the ways to lose or replace one non-blank line of the specimen, with its number."""
    lines, _, _ = specimen(source)
    for number in telling_lines(source):
        line = lines[number - 1] if number <= len(lines) else ""
        if line.strip():
            yield number, "deleted", [*lines[: number - 1], *lines[number:]]
            yield number, "replaced", [*lines[: number - 1], GARBAGE, *lines[number:]]


@dataclass(frozen=True, slots=True)
class Fates:
    """What became of the records that a damage did not touch: how many they were, titles held with reason, or lost.

    All are lost where the text as a whole ``is_refused``.
    """

    kept: int
    held: list[str | None]
    lost: list[str | None]
    is_refused: bool

    def __str__(self) -> str:
        """Say what was lost."""
        if self.is_refused:
            return "the whole text is refused; does `recognise` need this line?"
        return f"changed or lost, with no note and no reject: {', '.join(map(repr, self.lost))}"


@cache
def fates_by_damage(source: str) -> dict[tuple[int, str], Fates]:
    """Return what each damage did to the records that it did not touch."""
    return {(number, how): fates_of(source, number, how, lines) for number, how, lines in damages(source)}


def fates_of(source: str, number: int, how: str, lines: list[str]) -> Fates:
    """Return what a damage did: a record is equal, held (or what it lacks is, or a note tells of it), or lost."""
    outcome = parse(source, lines)
    found = [bare(record) for record in outcome[0].records] if outcome else []
    quarantine = "\n".join(reject.text for reject in outcome[0].rejects) if outcome else ""
    kept = untouched(source, number)
    if how == "deleted":  # leaves no trace: a count that stood below the line is now below the item above it
        found, kept = ([record._replace(engagement=None) for record in records] for records in (found, kept))
    others = [record for record in found if record not in kept]
    put_in = {GARBAGE} if number in running_texts(source) else set()  # goes on with the text above
    held: list[str | None] = []
    lost: list[str | None] = []
    for record in kept:
        if record not in found:
            (held if is_held(record, others, quarantine, put_in) else lost).append(record.title or record.abstract)
    return Fates(len(kept), held, lost, outcome is None)


def is_held(record: Record, others: list[Record], quarantine: str, put_in: set[str]) -> bool:
    """True if the title of a record stands in quarantine, or all that another one with this title lacks of it.

    The other one has no text that the record has not, but what the damage put into it; or a note tells of it.
    """
    if record.title and record.title in quarantine:
        return True
    alike = [other for other in others if other.title == record.title]
    return any(
        bool(set(other.notes) - set(record.notes) - ROUTINE)
        or (
            texts_of(other) - put_in <= texts_of(record) and all(text in quarantine for text in texts_of(record, other))
        )
        for other in alike
    )


def texts_of(record: Record, without: Record | None = None) -> set[str]:
    """Return every line of text and every moment that a record has, and ``without`` has not."""
    fields = record._replace(notes=(), kind="")
    found = {line for text in texts_in(plain(fields)) for line in text.split("\n") if line}
    return found - (texts_of(without) if without else set())


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text inside plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentinel was put, and where it ended.

    ``fields`` are those of the records that hold it and have no note of it; ``told`` those of the others. ``in_text``:
    it was put into running text, or right behind one.
    """

    line: int
    sentinel: Sentinel
    fields: frozenset[str]
    told: frozenset[str]
    held: bool
    in_text: bool

    @property
    def ends(self) -> list[str]:
        """The fields that hold it, quarantine among them."""
        return sorted({*self.fields, *self.told, *(["quarantine"] if self.held else [])})

    @property
    def is_silent(self) -> bool:
        """True if it is in a published field and nobody is told."""
        return bool(self.fields) and not self.held


@cache
def places_of(source: str) -> tuple[Place, ...]:
    """Put each sentinel of a source before every line of its specimen that tells, and behind the last."""
    texts = running_texts(source)
    return tuple(
        place_of(source, number, sentinel, in_text=number in texts)
        for sentinel in bounds_of(source).sentinels
        for number in telling_lines(source)
    )


def place_of(source: str, number: int, sentinel: Sentinel, *, in_text: bool) -> Place:
    """Put a sentinel before a line; where the page as a whole is refused it ended nowhere."""
    lines, records, _ = specimen(source)
    outcome = parse(source, [*lines[: number - 1], sentinel.line, *lines[number - 1 :]])
    fields: set[str] = set()
    told: set[str] = set()
    held = False
    if outcome:
        held = any(sentinel.word in reject.text.lower() for reject in outcome[0].rejects)
        for record in outcome[0].records:
            if names := absorbing_fields(record, sentinel.word):
                (told if notes_anew(record, records, number) else fields).update(names)
    return Place(number, sentinel, frozenset(fields), frozenset(told), held, in_text)


def absorbing_fields(record: Record, word: str) -> list[str]:
    """Name the fields of a record that hold a word."""
    if word not in repr(record).lower():  # spares most of them the dictionary
        return []
    values = plain(record).items()
    return [name for name, value in values if word in json.dumps(value, ensure_ascii=False).lower()]


def notes_anew(record: Record, records: tuple[Record, ...], number: int) -> set[str]:
    """Return the notes that a record has since a line was put before ``number``, routine ones left out."""
    start = record.line_start or 0
    before = start - (start > number)
    known = [other for other in records if other.line_start == before or other.title == record.title]
    return set(record.notes) - ROUTINE - {note for other in known[:1] for note in other.notes}


def running_texts(source: str) -> set[int]:
    """Return the lines before which a line is put into the abstract or description of a record, or right behind it.

    What stands between a label and its text counts as well. Where descriptions are set off by blank lines, one more
    line that is set off beside them is one more paragraph.
    """
    lines, records, _ = specimen(source)
    described = {text for record in records for text in (record.session_description or "").split("\n") if text}
    begun: set[int] = set()
    if bounds_of(source).set_off:
        begun = {number for number, line in enumerate(lines, 1) if line.strip() in described}
    parts = set(begun)
    for record in records:
        texts = "\n".join(filter(None, (record.abstract, record.summary, record.session_description)))
        numbers = range(record.line_start or 1, (record.line_end or 0) + 1)
        parts.update(number for number in numbers if lines[number - 1].strip() in filter(None, texts.split("\n")))
    labels = {number for number in parts if LABEL.fullmatch(lines[number - 2].strip())}
    gaps = {number + 2 for number in begun if number < len(lines) and not lines[number].strip()}
    return labels | begun | gaps | {number + 1 for number in parts}


def lost_by_cut(source: str) -> dict[int, list[str | None]]:
    """Return, for each size of a dump that was cut, the complete records before the cut that did not come out."""
    lines, records, _ = specimen(source)
    alone = bare_records(source)
    text = "\n".join(lines)
    lost = {}
    for size in range(0, len(text), max(1, len(text) // 150)):
        cut = text[:size].split("\n")
        outcome = parse(source, cut)
        found = [bare(record) for record in outcome[0].records] if outcome else []
        whole = [(record.line_end or 0) < len(cut) - 3 for record in records]
        complete = list(compress(alone, whole))
        missing = [record.title or record.abstract for record in complete if outcome and record not in found]
        if missing:
            lost[size] = missing
    return lost


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_damage_stays_where_it_is(source: str) -> None:
    """Every record whose own lines and governing headings a damage left untouched comes out equal, or is held.

    Where a source declares that some are lost, these are lost: a reader that does better takes them off the list.
    """
    declared = bounds_of(source).lost
    found = {damage: fates for damage, fates in fates_by_damage(source).items() if fates.lost}
    said = [f"line {line} is {how}: {found[line, how]}" for line, how in sorted(found) if (line, how) not in declared]
    said += [f"line {line} is {how}: nothing is lost, but bounds.py says so" for line, how in declared - found.keys()]
    assert "\n".join(said) == ""


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_little_is_held_for_the_damage_of_others(source: str) -> None:
    """Of the records that a damage left untouched no more are held, with their reason, than the source may hold."""
    most = bounds_of(source).held
    shares = {damage: len(fates.held) / max(1, fates.kept) for damage, fates in fates_by_damage(source).items()}
    said = [
        f"line {line} is {how}: {share:.0%} of the other records are held, at most {most:.0%} may be"
        for (line, how), share in shares.items()
        if share > most
    ]
    assert "\n".join(said) == ""


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_sentinel_ends_in_one_place(source: str) -> None:
    """A strange line refuses no page: it ends in quarantine or in exactly one kind of field, wherever it is put."""
    said = [
        f"{place.sentinel.line!r} is put before line {place.line}: found in {', '.join(place.ends)}"
        if place.ends
        else f"{place.sentinel.line!r} is put before line {place.line}: found nowhere, neither in a field nor a reject"
        for place in places_of(source)
        if len(place.ends) != 1
    ]
    assert "\n".join(said) == ""


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_silent_places_are_reviewed(source: str) -> None:
    """The lines before which a strange line becomes part of a field in silence are those of the reviewed golden file.

    Where the source has a bound, those inside running text are counted apart, and nonsense is nowhere silent.
    """
    apart = bounds_of(source).silent is not None
    silent = {
        f"{place.line} {place.sentinel.kind}".strip(): ", ".join(sorted(place.fields))
        for place in places_of(source)
        if place.is_silent and not (apart and (place.in_text or not place.sentinel.plausible))
    }
    check_golden(Path(__file__).parent / source / "sentinel.golden.json", silent)


@pytest.mark.parametrize("source", BOUNDED)
def test_nonsense_is_never_silent(source: str) -> None:
    """Outside running text, a line that means nothing is in no field without a note, but where the source says so."""
    nonsense = [place for place in places_of(source) if not place.sentinel.plausible and not place.in_text]
    declared = bounds_of(source).titleless
    silent = [place for place in nonsense if place.is_silent]
    said = [
        f"{place.sentinel.line!r} is put before line {place.line}: no note tells that it is in {sorted(place.fields)}"
        for place in silent
        if place.line not in declared or place.fields != {"title"}
    ]
    others = sorted(declared - {place.line for place in silent})
    said += [f"line {line}: nothing is silent here, but bounds.py says so" for line in others]
    assert "\n".join(said) == ""


@pytest.mark.parametrize("source", BOUNDED)
def test_few_plausible_lines_are_silent(source: str) -> None:
    """Outside running text, a line that could be part of the page is in a field without a note at few places."""
    plausible = [place for place in places_of(source) if place.sentinel.plausible and not place.in_text]
    most = bounds_of(source).silent or 0
    stands_for = telling_lines(source)
    silent = sum(stands_for[place.line] for place in plausible if place.is_silent)
    assert silent <= most * sum(stands_for[place.line] for place in plausible)


@pytest.mark.parametrize("source", BOUNDED)
def test_running_text_keeps_what_is_put_into_it(source: str) -> None:
    """A line in running text ends there or in quarantine: it becomes no title, person or room."""
    fields = {name for place in places_of(source) if place.in_text and place.is_silent for name in place.fields}
    assert fields - {"abstract", "summary", "session_description"} == set()


@pytest.mark.parametrize("source", sorted(SPECIMENS))
def test_cut_anywhere(source: str) -> None:
    """A dump that ends anywhere gives a clear refusal or the complete records before the cut, never another error."""
    said = [f"the text ends at character {size}: lost in silence: {lost}" for size, lost in lost_by_cut(source).items()]
    assert "\n".join(said) == ""
